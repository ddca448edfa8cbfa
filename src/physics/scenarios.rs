//! Short scenes that print what happens in them, one line an update: the same lines on the host and on the console, up to
//! the rounding of single floats.
//!
//! Scenes contain no judgement; whoever runs them compares the lines with known numbers.

use super::PhysicsWorld;
use super::bench::{Things, human, object};
use super::car_parts::LoosePart;
use super::constants::{GRAVITY, STEP};
use super::contact::{ContactList, Half};
use super::create::{CarBox, ObjectShape};
use super::flags::Answer;
use super::humans::BodyWishes;
use super::ids::{BodyId, OwnerId};
use super::kernels::Kernels;
use super::mesh::{Walker, landing_contact, sweep_capsule};
use super::settle::RestAxes;
use super::shapes::Capsule;
use super::street::Street;
use crate::collision::scenes::{Scene, floor, wall};
use crate::collision::{CollisionMesh, TriangleFlags, TriangleId};
use crate::maths::{Pose, Quat, Vec3};
use crate::tasks::head::flag;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// A scene: what it prints goes to the writer.
type Play = fn(&mut dyn Write) -> fmt::Result;

/// Every scene and its name.
const SCENES: [(&str, Play); 11] = [
    ("physics_brick_settle", brick_settle),
    ("physics_step_heights", step_heights),
    ("physics_corner_slides", corner_slides),
    ("physics_wall_bounce", wall_bounce),
    ("physics_landings", landings),
    ("physics_jump_apex", jump_apex),
    ("physics_push_by_half", push_by_half),
    ("blockhumans_wake", blockhumans_wake),
    ("physics_car_walk", car_walk),
    ("physics_loose_part", loose_part),
    ("physics_settle_slots", settle_slots),
];

/// The names of the scenes.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCENES.into_iter().map(|(name, _)| name)
}

/// Plays a scene and writes its lines; `false` when there is no scene of that name.
///
/// # Errors
/// Whatever the writer refuses.
pub fn play(name: &str, out: &mut dyn Write) -> Result<bool, fmt::Error> {
    let Some((_, scene)) = SCENES.into_iter().find(|(known, _)| *known == name) else { return Ok(false) };
    scene(out)?;
    Ok(true)
}

/// A brick's sizes in metres, and where the street lies.
const BRICK: ObjectShape = ObjectShape::Box { size: Vec3::new(0.07, 0.21, 0.10), centre: Vec3::ZERO };
const STREET: f32 = 0.2231;
/// The player's class scale and the answer of a walking human to the level.
const PLAYER_SCALE: f32 = 0.97;
const WALK: Answer = Answer(0x20001);

struct Stage {
    world: PhysicsWorld,
    things: Things,
    mesh: CollisionMesh,
}

impl Stage {
    fn new(scene: &Scene) -> Self {
        Self { world: PhysicsWorld::new(), things: Things::new(), mesh: scene.mesh([8, 8, 1]) }
    }

    fn player(&mut self, at: Vec3) -> Option<(OwnerId, BodyId)> {
        self.walker(at, PLAYER_SCALE, true)
    }

    fn walker(&mut self, at: Vec3, scale: f32, player: bool) -> Option<(OwnerId, BodyId)> {
        let mut man = human(at);
        man.answer = WALK;
        if let Some(state) = &mut man.state {
            state.scale = scale;
        }
        let owner = self.things.add(man);
        let wishes = BodyWishes { player, pushable: true };
        let body = self.world.remake_human_body(None, owner, wishes, &self.things)?;
        self.world.update_body(body, &mut self.things);
        Some((owner, body))
    }

    /// One step of a walker; answers its velocity afterwards.
    fn walk(&mut self, body: BodyId, velocity: Vec3) -> Vec3 {
        let result = self.world.sweep_body(body, velocity, STEP, Some(&mut self.mesh), &mut self.things);
        self.world.update_body(body, &mut self.things);
        result.velocity
    }

    fn at(&self, owner: OwnerId) -> Vec3 {
        self.things.get(owner).pose.position
    }
}

/// A player who walks along a wall, for figures.
pub struct WallWalk {
    stage: Stage,
    body: BodyId,
}

impl WallWalk {
    /// The player at the wall.
    pub fn new() -> Option<Self> {
        let mut stage =
            Stage::new(&Scene::new().with(floor(80.0, 0.0)).with(wall([0.0, 40.0], [80.0, 40.0], [0.0, 3.0])));
        let (_, body) = stage.player(Vec3::new(10.0, 39.5, 0.0))?;
        Some(Self { stage, body })
    }

    /// One step into the wall; answers the velocity that is left.
    pub fn step(&mut self) -> Vec3 {
        const SPEED: Vec3 = Vec3::new(0.0, 2.0, 0.0);
        self.stage.walk(self.body, SPEED)
    }

    /// Chooses the kernels' twins.
    pub fn set_kernels(&mut self, kernels: Kernels) {
        self.stage.world.set_kernels(kernels);
    }

    /// The world and the mesh, to look at.
    pub fn scene(&self) -> (&PhysicsWorld, &CollisionMesh) {
        (&self.stage.world, &self.stage.mesh)
    }

    /// The player's feet, in metres.
    pub fn feet(&self) -> Vec3 {
        let owner = self.stage.world.body(self.body).owner;
        owner.map_or(Vec3::ZERO, |owner| self.stage.at(owner))
    }
}

fn vector(out: &mut dyn Write, name: &str, v: Vec3) -> fmt::Result {
    write!(out, " {name} {:.4} {:.4} {:.4}", v.x, v.y, v.z)
}

/// A brick that is let go above the street, until it rests: the game's own object on the wheel. An update is a line, and so is
/// a step that changes what the brick does.
fn brick_settle(out: &mut dyn Write) -> fmt::Result {
    const FROM: f32 = 1.30;
    const TILT: f32 = 0.3;
    let mut street = Street::new(Scene::new().with(floor(80.0, STREET)).mesh([8, 8, 1]));
    let pose = Pose::new(Quat::from_axis_angle(Vec3::X, TILT), Vec3::new(40.0, 41.0, FROM));
    let kind = street.kind(BRICK, RestAxes::XZ);
    let mut brick = None;
    for tick in 0..=40 {
        street.begin_tick();
        if tick == 0 {
            brick = kind.and_then(|kind| street.drop_thing(kind, pose));
        }
        let Some(brick) = brick else { return Ok(()) };
        let before = street.head(brick).map(|head| head.velocity);
        street.run_wheel();
        if let Some(head) = street.head(brick).filter(|head| Some(head.velocity) != before) {
            write!(out, "tick {tick} vz {:.4} z {:.4}", head.velocity.z, head.position.z)?;
            writeln!(out, " interval {} flags {:#x}", head.interval, street.motion(brick))?;
        }
        let before = street.motion(brick);
        street.step();
        if street.motion(brick) != before {
            writeln!(out, "tick {tick} step flags {:#x}", street.motion(brick))?;
        }
    }
    Ok(())
}

/// How far before faces of several heights the player stops.
fn step_heights(out: &mut dyn Write) -> fmt::Result {
    for height in [0.10, 0.20, 0.24, 0.245, 0.255, 0.26, 0.30, 0.50, 3.0] {
        let mut stage = Stage::new(&Scene::new().with(wall([0.0, 40.0], [80.0, 40.0], [0.0, height])));
        let Some((owner, body)) = stage.player(Vec3::new(40.0, 39.0, 0.0)) else { continue };
        for _ in 0..20 {
            stage.walk(body, Vec3::Y * 3.0);
        }
        writeln!(out, "height {height:.3} short {:.4}", 40.0 - stage.at(owner).y)?;
    }
    Ok(())
}

/// The corner slide's direction in four places of a building, then a player past its corner, walking against its end.
fn corner_slides(out: &mut dyn Write) -> fmt::Result {
    const RADIUS: f32 = 0.470_459;
    let south = wall([30.0, 40.0], [40.0, 40.0], [0.0, 3.0]);
    let east = wall([40.0, 40.0], [40.0, 50.0], [0.0, 3.0]);
    let mut stage = Stage::new(&Scene::new().with(south).with(east));
    let mut unnamed = stage.mesh.clone();
    for triangle in (0..unnamed.triangle_count()).map(|t| TriangleId(t as u16)) {
        unnamed.set_flags(triangle, unnamed.flags(triangle).with_corner_edge(None));
    }
    let places = [
        ("past-the-end", &mut stage.mesh.clone(), [40.15, 39.6], [0.0, 0.05]),
        ("before-the-end", &mut stage.mesh.clone(), [39.5, 39.6], [0.0, 0.05]),
        ("unnamed", &mut unnamed, [40.15, 39.6], [0.0, 0.05]),
        ("round-the-end", &mut stage.mesh.clone(), [40.4, 39.85], [-0.05, 0.0]),
    ];
    for (name, mesh, [x, y], [dx, dy]) in places {
        let base = Vec3::new(x, y, 0.0);
        let walker = Walker { capsule: Capsule { base, radius: 0.3395, height: 1.94 }, radius: RADIUS, slides: true };
        let mut list = ContactList::new();
        sweep_capsule(Kernels::Scalar, mesh, &walker, Vec3::new(dx, dy, 0.0), Half::default(), &mut list);
        let slide = list.as_slice().first().map_or(Vec3::ZERO, |contact| contact.slide);
        write!(out, "place {name} contacts {}", list.len())?;
        vector(out, "slide", slide)?;
        writeln!(out)?;
    }
    let Some((owner, body)) = stage.player(Vec3::new(40.15, 39.58, 0.0)) else { return Ok(()) };
    for update in 0..20 {
        let velocity = stage.walk(body, Vec3::Y * 1.5);
        write!(out, "update {update}")?;
        vector(out, "at", stage.at(owner))?;
        vector(out, "v", velocity)?;
        writeln!(out)?;
    }
    Ok(())
}

/// A ball against a wall, the game's own object on the wheel.
fn wall_bounce(out: &mut dyn Write) -> fmt::Result {
    let mut street = Street::new(Scene::new().with(wall([41.0, 80.0], [41.0, 0.0], [0.0, 30.0])).mesh([8, 8, 1]));
    // The wall lies between two steps of the ball, so that rounding does not decide in which of them they meet.
    let pose = Pose::new(Quat::IDENTITY, Vec3::new(39.95, 40.0, 10.0));
    let shape = ObjectShape::Sphere { size: Vec3::splat(0.2), centre: Vec3::ZERO };
    street.begin_tick();
    let ball = street.kind(shape, RestAxes::NONE).and_then(|kind| street.drop_thing(kind, pose));
    let Some(ball) = ball else { return Ok(()) };
    street.push(ball, Vec3::new(6.0, 1.0, 0.0), Vec3::ZERO);
    for tick in 0..20 {
        street.run_wheel();
        // It flies in every second tick.
        if let Some(head) = street.head(ball).filter(|_| tick % 2 == 0) {
            write!(out, "tick {tick}")?;
            vector(out, "at", head.position)?;
            vector(out, "v", head.velocity)?;
            writeln!(out)?;
        }
        street.step();
        street.begin_tick();
    }
    Ok(())
}

/// The landing segment of feet at several heights that fall at several speeds.
fn landings(out: &mut dyn Write) -> fmt::Result {
    const RISE: f32 = 0.88;
    let mut stage = Stage::new(&Scene::new().with(floor(80.0, 0.0)));
    for z in [0.5_f32, 0.2, 0.05, -0.05, -0.2] {
        for fall in [0.1_f32, 0.3, 0.8, 1.6] {
            let feet = Vec3::new(40.0, 41.0, z);
            let down = Vec3::new(0.0, 0.0, -fall);
            let landing = landing_contact(&mut stage.mesh, feet, RISE, down, Half::default());
            match landing {
                Some(contact) => writeln!(out, "feet {z:.2} fall {fall:.2} lands {:.4}", contact.fraction)?,
                None => writeln!(out, "feet {z:.2} fall {fall:.2} falls on")?,
            }
        }
    }
    Ok(())
}

/// A standing jump: no gravity in its first update.
fn jump_apex(out: &mut dyn Write) -> fmt::Result {
    const UP: f32 = 5.5;
    let mut stage = Stage::new(&Scene::new().with(floor(80.0, -5.0)));
    let Some((owner, body)) = stage.player(Vec3::new(40.0, 41.0, 0.0)) else { return Ok(()) };
    let mut velocity = Vec3::new(0.0, 0.0, UP);
    for update in 1..=24 {
        if update > 1 {
            velocity.z -= GRAVITY * STEP;
        }
        velocity = stage.walk(body, velocity);
        writeln!(out, "update {update} vz {:.4} z {:.5}", velocity.z, stage.at(owner).z)?;
    }
    Ok(())
}

/// A man walks into the player and pushes it by half of his move.
fn push_by_half(out: &mut dyn Write) -> fmt::Result {
    let mut stage = Stage::new(&Scene::new().with(floor(80.0, 0.0)));
    let man = stage.walker(Vec3::new(40.0, 40.0, 0.0), 1.0, false);
    let player = stage.player(Vec3::new(40.68, 40.0, 0.0));
    let (Some((mover, body)), Some((other, pushed))) = (man, player) else { return Ok(()) };
    stage.things.get_mut(mover).answer = Answer::PUSH;
    for update in 0..8 {
        stage.walk(body, Vec3::X * 7.8);
        write!(out, "update {update}")?;
        vector(out, "push", stage.world.body(pushed).push)?;
        stage.walk(pushed, Vec3::ZERO);
        vector(out, "man", stage.at(mover))?;
        vector(out, "player", stage.at(other))?;
        writeln!(out)?;
    }
    Ok(())
}

/// The body flags of a human through a knock-out, a wound and two heals.
fn blockhumans_wake(out: &mut dyn Write) -> fmt::Result {
    let mut stage = Stage::new(&Scene::new().with(floor(80.0, 0.0)));
    let owner = stage.things.add(human(Vec3::ZERO));
    let healed = BodyWishes { player: false, pushable: true };
    let first = BodyWishes { pushable: false, ..healed };
    let Some(mut body) = stage.world.remake_human_body(None, owner, first, &stage.things) else { return Ok(()) };
    for (call, name) in ["stands", "knock out", "wake up", "heal", "wound", "end wound", "heal"].into_iter().enumerate()
    {
        match name {
            "knock out" => stage.world.knock_out(body),
            "wound" => stage.world.stop_blocking_humans(body),
            "heal" => {
                let new = stage.world.remake_human_body(Some(body), owner, healed, &stage.things);
                body = new.unwrap_or(body);
            }
            _ => {}
        }
        stage.world.update_body(body, &mut stage.things);
        writeln!(out, "call {call} {name} flags {:#x}", stage.world.body(body).flags.0)?;
    }
    Ok(())
}

/// The player slides along a parked car's shell, which is a part of the level; the car's own body is not met.
fn car_walk(out: &mut dyn Write) -> fmt::Result {
    const SIDE: f32 = 41.0;
    let shell = Scene::new().with_flags(wall([30.0, SIDE], [50.0, SIDE], [0.0, 1.4]), TriangleFlags::CAR_SHELL, 0, 0);
    let mut stage = Stage::new(&shell);
    let car = stage.things.add(object(Pose::new(Quat::IDENTITY, Vec3::new(40.0, SIDE + 1.0, 0.7))));
    let half = CarBox { half: Vec3::new(2.0, 1.0, 0.7), offset: Vec3::ZERO };
    stage.world.create_car_body(car, [half; 2], &stage.things);
    let Some((owner, body)) = stage.player(Vec3::new(39.0, 39.5, 0.0)) else { return Ok(()) };
    for update in 0..44 {
        let velocity = stage.walk(body, Vec3::new(0.6, 2.0, 0.0));
        write!(out, "update {update} short {:.4} speed {:.4}", SIDE - stage.at(owner).y, velocity.length())?;
        let contacts = &stage.things.get(owner).contacts;
        let bodies = contacts.iter().filter(|contact| !contact.is_level()).count();
        let met = contacts.iter().filter_map(|contact| contact.triangle);
        let flags = met.fold(0, |all, triangle| all | stage.mesh.flags(triangle).0);
        writeln!(out, " contacts {} bodies {bodies} flags {flags:#x}", contacts.len())?;
    }
    Ok(())
}

/// A part that flies off a car, bounces and comes to lie flat.
fn loose_part(out: &mut dyn Write) -> fmt::Result {
    let mut stage = Stage::new(&Scene::new().with(floor(80.0, 0.0)));
    let pose = Pose::new(Quat::from_axis_angle(Vec3::X, 0.6), Vec3::new(40.0, 41.0, 1.0));
    let half = Vec3::new(0.5, 0.4, 0.05);
    let mut part = LoosePart::new(pose, Vec3::new(1.0, 0.0, 3.0), Vec3::new(0.0, 2.0, 0.0), half, 0.3);
    for tick in 0..90 {
        let events = part.update(&mut stage.world, Some(&mut stage.mesh), &stage.things);
        write!(out, "tick {tick}")?;
        vector(out, "at", part.pose.position)?;
        vector(out, "v", part.velocity)?;
        vector(out, "up", part.pose.rotation.axis_z())?;
        writeln!(out, " sound {:.3}", events.sound.unwrap_or(0.0))?;
    }
    Ok(())
}

/// Sixty-five bricks, the game's own objects, that land in one tick find sixty-four slots.
fn settle_slots(out: &mut dyn Write) -> fmt::Result {
    const BRICKS: usize = 65;
    let mut street = Street::new(Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]));
    let tilt = Quat::from_axis_angle(Vec3::X, 0.1);
    let place = |n: usize| Vec3::new(3.0 + (n % 9) as f32, 40.0 + (n / 9) as f32, 0.08);
    street.begin_tick();
    let Some(kind) = street.kind(BRICK, RestAxes::XZ) else { return Ok(()) };
    let bricks: Vec<_> = (0..BRICKS).filter_map(|n| street.drop_thing(kind, Pose::new(tilt, place(n)))).collect();
    for &brick in &bricks {
        street.push(brick, Vec3::Z * -3.0, Vec3::ZERO);
    }
    street.run_wheel();
    let refused = street.physics().map_or(0, |physics| physics.counters().settles_refused);
    writeln!(out, "bricks {} refused {refused}", bricks.len())?;
    for tick in 0..12 {
        let has = |flag: u32| bricks.iter().filter(|&&brick| street.motion(brick) & flag != 0).count();
        let (turning, done) = (has(flag::SETTLING), has(flag::SETTLED));
        let slots = street.physics().map_or(0, |physics| physics.settling());
        writeln!(out, "tick {tick} slots {slots} settling {turning} settled {done}")?;
        street.step();
        street.begin_tick();
        street.run_wheel();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn lines(name: &str) -> String {
        let mut out = String::new();
        assert_eq!(play(name, &mut out), Ok(true), "{name}");
        out
    }

    /// The number after a word in each line that has it.
    fn numbers(text: &str, word: &str) -> Vec<f32> {
        let after = |line: &str| line.split(' ').skip_while(|w| *w != word).nth(1).and_then(|n| n.parse().ok());
        text.lines().filter_map(after).collect()
    }

    #[test]
    fn every_scene_prints_lines_of_numbers() {
        for name in names() {
            let text = lines(name);
            assert!(text.lines().count() > 5, "{name} printed {text}");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{name} printed {text}");
        }
        assert_eq!(play("no such scene", &mut String::new()), Ok(false));
    }

    #[test]
    fn the_jump_rises_and_falls_as_measured() {
        let z = numbers(&lines("physics_jump_apex"), "z");
        let apex = z.iter().copied().fold(f32::MIN, f32::max);
        assert!((apex - 1.0584).abs() < 1e-3, "apex {apex}");
        assert!((z[22] + 0.19116).abs() < 1e-3, "after 23 updates {}", z[22]);
    }

    #[test]
    fn steps_are_passed_and_faces_stop_the_player_short() {
        let short = numbers(&lines("physics_step_heights"), "short");
        assert!(short[..4].iter().all(|&s| s < 0.0), "{short:?}");
        for (found, measured) in short[4..].iter().zip([0.398, 0.402, 0.426, 0.480, 0.480]) {
            assert!((found - measured).abs() < 0.003, "{short:?}");
        }
    }

    #[test]
    fn the_car_is_met_through_its_shell_only() {
        let text = lines("physics_car_walk");
        assert_eq!(numbers(&text, "bodies").last(), Some(&0.0));
        assert!(numbers(&text, "contacts").last().is_some_and(|&n| n > 20.0));
        assert!(text.lines().last().is_some_and(|line| line.ends_with("flags 0xf00d")), "{text}");
    }

    #[test]
    fn the_settle_slots_run_out_at_sixty_four() {
        let text = lines("physics_settle_slots");
        assert_eq!(numbers(&text, "slots")[0], 64.0);
        assert_eq!(numbers(&text, "settled")[11], 64.0);
        assert_eq!(numbers(&text, "refused"), [1.0]);
    }
}
