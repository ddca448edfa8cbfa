//! The characters with the game's own clips on small levels, held against the numbers that are known.
//!
//! Each scene plays recorded sticks and buttons and prints a line per update, so that a difference can be read.

mod climbing;
mod clips;
mod evening;
mod fighting;
mod minds;
mod moving;
mod strikes;

use boardwalk::animation::library::ClipLibrary;
use boardwalk::collision::CollisionMesh;
use boardwalk::collision::scenes::{Scene, floor};
use boardwalk::human::stage::Stage;
use boardwalk::human::{Humans, Spawn};
use boardwalk::maths::Vec3;
use boardwalk::pads::button::Buttons;
use boardwalk::pads::{Reading, Stick};
use std::path::Path;
use std::sync::OnceLock;

/// Height of the level's floor.
const FLOOR: f32 = 0.0;
const START: Vec3 = Vec3::new(40.0, 20.0, FLOOR);

fn library() -> ClipLibrary {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| {
        xtask::clips::compile_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso/clips")).unwrap()
    });
    ClipLibrary::read(bytes.clone().into_boxed_slice()).unwrap()
}

fn open_level() -> Scene {
    Scene::new().with(floor(80.0, FLOOR))
}

fn stage_on(mesh: CollisionMesh) -> Stage {
    let table = boardwalk::combat::FightTable::built_in().unwrap();
    let mut stage = Stage::new(Humans::new(library(), table).unwrap(), mesh);
    stage.brains.use_motions(boardwalk::motion::table::build::sample().build().unwrap());
    let player = Spawn { position: START, scale: 0.97, player: Some(0), ..Spawn::default() };
    assert_eq!(stage.spawn(player), Some(0));
    stage
}

fn stage() -> Stage {
    stage_on(open_level().mesh([8, 8, 1]))
}

/// A stick of a deflection ahead (0), to the right (90) or wherever, in degrees clockwise, and buttons.
fn pad(deflection: f32, degrees: f32, buttons: Buttons) -> Option<Reading> {
    let (x, y) = degrees.to_radians().sin_cos();
    Some(Reading { left: Stick { x: x * deflection, y: y * deflection }, buttons, ..Reading::default() })
}

const REST: Option<Reading> = Some(Reading { buttons: 0, ..READING });
const READING: Reading = Reading {
    buttons: 0,
    left: Stick { x: 0.0, y: 0.0 },
    right: Stick { x: 0.0, y: 0.0 },
    pressures: [0; boardwalk::pads::PRESSURES],
};

/// What a line shows of a human.
#[derive(Clone, Copy, Debug)]
struct Line {
    playing: u16,
    held: u32,
    code: u32,
    speed: f32,
    heading: f32,
    position: Vec3,
}

/// Plays an update and prints its line; the speed is what the body really did.
fn play(stage: &mut Stage, n: usize, reading: Option<Reading>) -> Line {
    let before = stage.humans.people[n].position;
    stage.step(reading);
    let human = &stage.humans.people[n];
    let speed = (human.position - before).horizontal().length() * 30.0;
    let line = Line {
        playing: human.playing,
        held: human.held,
        code: human.code,
        speed,
        heading: human.heading.to_degrees(),
        position: human.position,
    };
    println!(
        "{:4} {:8x} {:2} {:6.3} m/s {:6.1} deg ({:.3} {:.3} {:.3})",
        line.playing, line.held, line.code, line.speed, line.heading, line.position.x, line.position.y, line.position.z
    );
    line
}

fn lines(stage: &mut Stage, count: usize, reading: Option<Reading>) -> Vec<Line> {
    (0..count).map(|_| play(stage, 0, reading)).collect()
}
