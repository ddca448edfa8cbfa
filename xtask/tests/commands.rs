//! A player by the command-driven scheme, with the game's own clips and motion table on small levels: what its pad holds
//! becomes commands, and the body does what the motion system says.

use boardwalk::animation::library::ClipLibrary;
use boardwalk::collision::CollisionMesh;
use boardwalk::collision::scenes::{Scene, floor, quad};
use boardwalk::human::numbers::state;
use boardwalk::human::stage::Stage;
use boardwalk::human::{Human, Humans, Spawn};
use boardwalk::maths::Vec3;
use boardwalk::motion::{MotionId, MotionTable, MovementManager};
use boardwalk::pads::button::{Buttons, DOWN, L1, L2, LEFT, R1, R2, RIGHT, SQUARE, TRIANGLE, UP};
use boardwalk::pads::{Reading, Stick};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const START: Vec3 = Vec3::new(40.0, 20.0, 0.0);

fn disc(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso").join(folder)
}

fn library() -> ClipLibrary {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| xtask::clips::compile_folder(&disc("clips")).unwrap());
    ClipLibrary::read(bytes.clone().into_boxed_slice()).unwrap()
}

fn table() -> MotionTable<'static> {
    static WORDS: OnceLock<Vec<u32>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let tables = xtask::motion_tables::compile_folder(&disc("motion")).unwrap();
        let human = tables.into_iter().find(|table| table.name == "human").unwrap();
        human.bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    });
    MotionTable::parse(words).unwrap()
}

fn stage_on(mesh: CollisionMesh) -> Stage {
    let mut stage =
        Stage::new(Humans::new(library(), boardwalk::combat::FightTable::built_in().unwrap()).unwrap(), mesh);
    stage.brains.use_motions(table());
    stage.commands = true;
    let player = Spawn { position: START, scale: 0.97, player: Some(0), ..Spawn::default() };
    assert_eq!(stage.spawn(player), Some(0));
    (0..4).for_each(|_| stage.step(pad(0.0, 0.0, 0)));
    stage
}

fn stage() -> Stage {
    stage_on(Scene::new().with(floor(200.0, 0.0)).mesh([8, 8, 1]))
}

/// A stick to the right and ahead, and buttons.
fn pad(x: f32, y: f32, buttons: Buttons) -> Option<Reading> {
    Some(Reading { left: Stick { x, y }, buttons, ..Reading::default() })
}

fn movement(stage: &Stage) -> &MovementManager {
    stage.brains.walks.as_ref().unwrap()[0].mover.object.movement.as_ref().unwrap()
}

fn forward(stage: &Stage) -> MotionId {
    movement(stage).interpreter.interpreted_state.forward_command
}

fn human(stage: &Stage) -> &Human {
    &stage.humans.people[0]
}

/// Plays steps and answers how far the body went in the last second of them, and where to.
fn play(stage: &mut Stage, steps: usize, reading: Option<Reading>) -> (f32, Vec3) {
    let mut from = human(stage).position;
    for step in 0..steps {
        if step + 30 == steps {
            from = human(stage).position;
        }
        stage.step(reading);
        let human = human(stage);
        let p = human.position;
        println!(
            "{:4} {:8x} {:6.3} m/s {:6.1} deg ({:.3} {:.3} {:.3}) {:?}",
            human.playing,
            human.held,
            human.speed,
            human.heading.to_degrees(),
            p.x,
            p.y,
            p.z,
            forward(stage)
        );
    }
    let way = human(stage).position - from;
    (way.length(), way)
}

#[test]
fn walk_run_and_walk_back_have_the_motion_systems_speeds_and_clips() {
    let mut stage = stage();
    let (walk, way) = play(&mut stage, 60, pad(0.0, 1.0, 0));
    assert!((walk - 3.12).abs() < 0.02 && way.y > 3.0 && human(&stage).playing == 710, "{walk}");
    let (run, _) = play(&mut stage, 60, pad(0.0, 1.0, L2));
    assert!((run - 7.8).abs() < 0.02 && human(&stage).playing == 410, "{run}");
    let (back, way) = play(&mut stage, 90, pad(0.0, -1.0, 0));
    assert!((back - 3.12 * 0.65).abs() < 0.02 && way.y < 0.0, "{back}");
    let (rest, _) = play(&mut stage, 60, pad(0.0, 0.0, 0));
    assert!(rest < 1e-3 && human(&stage).playing == 388);
    assert!(!movement(&stage).motions_pending(), "everything has played to its end");
}

#[test]
fn steps_aside_and_turns_on_the_spot_do_as_their_buttons_say() {
    let mut stage = stage();
    let (right, way) = play(&mut stage, 45, pad(0.0, 0.0, RIGHT));
    assert!((right - 1.25 * 1.248).abs() < 0.02 && way.x > 1.5 && human(&stage).playing == 711, "{right}");
    let (left, way) = play(&mut stage, 45, pad(0.0, 0.0, LEFT));
    assert!((left - 1.25 * 1.248).abs() < 0.02 && way.x < -1.5, "{left}");
    play(&mut stage, 30, pad(0.0, 0.0, 0));
    let before = human(&stage).heading;
    let (moved, _) = play(&mut stage, 31, pad(1.0, 0.0, 0));
    let turned = (human(&stage).heading - before).to_degrees();
    // The first step gives the command, and thirty turn.
    assert!((turned - 90.0).abs() < 4.0 && moved < 0.01 && human(&stage).playing == 390, "{turned}");
    play(&mut stage, 31, pad(-1.0, 0.0, 0));
    assert!((human(&stage).heading - before).to_degrees().abs() < 4.0);
}

#[test]
fn postures_go_down_stay_and_rise_and_the_stance_refuses_them() {
    let mut stage = stage();
    for (button, posture, clip) in [(DOWN, MotionId::CROUCH, 701), (UP, MotionId::SITTING, 703)] {
        play(&mut stage, 2, pad(0.0, 0.0, button));
        play(&mut stage, 40, pad(0.0, 0.0, 0));
        assert_eq!((forward(&stage), human(&stage).playing), (posture, clip));
        play(&mut stage, 3, pad(0.0, 0.0, TRIANGLE));
        play(&mut stage, 20, pad(0.0, 0.0, 0));
        assert!(human(&stage).position.z.abs() < 1e-3, "nobody jumps from there");
        play(&mut stage, 2, pad(0.0, 0.0, button));
        play(&mut stage, 60, pad(0.0, 0.0, 0));
        assert_eq!((forward(&stage), human(&stage).playing), (MotionId::READY, 388));
    }
    play(&mut stage, 30, pad(0.0, 0.0, L1));
    assert_eq!(human(&stage).playing, 358, "the stance of a fight");
    play(&mut stage, 2, pad(0.0, 0.0, L1 | DOWN));
    play(&mut stage, 30, pad(0.0, 0.0, L1));
    assert_eq!(forward(&stage), MotionId::READY);
    play(&mut stage, 60, pad(0.0, 0.0, 0));
    assert_eq!(human(&stage).playing, 388);
}

/// Charges for so many steps with a stick, lets go, and answers the flight's height, its length and its steps.
fn jump(stage: &mut Stage, charge: usize, y: f32, buttons: Buttons) -> (f32, f32, usize) {
    play(stage, charge, pad(0.0, y, buttons | TRIANGLE));
    let from = human(stage).position;
    let (mut highest, mut steps) = (0.0_f32, 0);
    loop {
        play(stage, 1, pad(0.0, y, buttons));
        highest = highest.max(human(stage).position.z - from.z);
        steps += 1;
        if !human(stage).is_airborne() || steps > 90 {
            break;
        }
    }
    (highest, (human(stage).position - from).horizontal().length(), steps)
}

#[test]
fn a_standing_jump_leaps_as_far_as_it_was_charged() {
    let mut stage = stage();
    let stamina = human(&stage).stamina;
    play(&mut stage, 1, pad(0.0, 0.0, TRIANGLE));
    let (_, way) = play(&mut stage, 30, pad(0.0, 1.0, TRIANGLE));
    assert!(way.length() < 1e-3, "the walk waits for the jump");
    let (height, length, steps) = jump(&mut stage, 2, 1.0, 0);
    println!("{height} m high, {length} m far, {steps} steps, stamina {stamina} -> {}", human(&stage).stamina);
    // 5.5 m/s up against 15.68 m/s2, and the walk's 3.12 m/s ahead.
    assert!((height - 1.058).abs() < 0.02 && (2.2..2.8).contains(&length) && (20..27).contains(&steps));
    assert_eq!(stamina - human(&stage).stamina, 20.0);
    let half = {
        let mut stage = self::stage();
        jump(&mut stage, 16, 0.0, 0).0
    };
    // Sixteen thirtieths of the charge: 2.933 m/s, which the first step in the air keeps.
    let expected = 2.933 * 2.933 / (2.0 * 15.68) + 2.933 / 60.0;
    assert!((half - expected).abs() < 0.01, "{half} instead of {expected}");
}

#[test]
fn a_running_jump_takes_the_runs_speed_along_and_lands_running() {
    let mut stage = stage();
    play(&mut stage, 30, pad(0.0, 1.0, L2));
    let (height, length, steps) = jump(&mut stage, 31, 1.0, L2);
    println!("{height} m high, {length} m far, {steps} steps");
    assert!((height - 1.058).abs() < 0.03 && (5.3..6.6).contains(&length));
    let (run, _) = play(&mut stage, 30, pad(0.0, 1.0, L2));
    assert!((run - 7.8).abs() < 0.05 && human(&stage).playing == 410, "{run}");
    assert_eq!(stage.brains.walks.as_ref().unwrap()[0].mover.reports, [1, 0, 0], "one landing");
}

#[test]
fn an_edge_is_run_over_with_what_the_commands_ask_for() {
    let top = quad([0.0, 0.0, 1.5], [80.0, 0.0, 1.5], [80.0, 24.0, 1.5], [0.0, 24.0, 1.5]);
    let mut stage = Stage::new(
        Humans::new(library(), boardwalk::combat::FightTable::built_in().unwrap()).unwrap(),
        Scene::new().with(floor(80.0, 0.0)).with(top).mesh([8, 8, 1]),
    );
    stage.brains.use_motions(table());
    stage.commands = true;
    let position = Vec3::new(40.0, 20.0, 1.5);
    stage.spawn(Spawn { position, scale: 0.97, player: Some(0), ..Spawn::default() });
    let mut fell = false;
    for _ in 0..90 {
        play(&mut stage, 1, pad(0.0, 1.0, 0));
        if human(&stage).is_airborne() {
            fell = true;
            let velocity = human(&stage).velocity;
            assert!((velocity.y - 3.12).abs() < 0.05, "{velocity:?}");
        }
    }
    assert!(fell && human(&stage).position.z.abs() < 1e-3);
    assert_eq!(stage.brains.walks.as_ref().unwrap()[0].mover.reports, [1, 1, 0]);
}

#[test]
fn running_tires_until_the_exhaustion_is_reported_and_the_run_key_counts_again_after_a_rest() {
    let mut stage = stage_on(Scene::new().with(floor(2000.0, 0.0)).mesh([8, 8, 1]));
    let mut steps = 0;
    while forward(&stage) != MotionId::WALK_FORWARD || steps < 10 {
        stage.step(pad(0.0, 1.0, L2));
        steps += 1;
        assert!(steps < 700, "somebody runs for ever");
    }
    println!("{} seconds of running, stamina {}", steps as f32 / 30.0, human(&stage).stamina);
    assert_eq!(stage.brains.walks.as_ref().unwrap()[0].mover.reports[2], 1);
    (0..45).for_each(|_| stage.step(pad(0.0, 1.0, L2)));
    assert_eq!(forward(&stage), MotionId::RUN_FORWARD);
}

#[test]
fn fights_go_first_and_the_commands_go_on_after_them() {
    let mut stage = stage();
    play(&mut stage, 30, pad(0.0, 1.0, 0));
    play(&mut stage, 1, pad(0.0, 1.0, SQUARE));
    play(&mut stage, 3, pad(0.0, 1.0, 0));
    assert_eq!(human(&stage).playing, 23, "the blow of a walk");
    assert!(movement(&stage).interpreter.interpreted_state.is_idle(), "nothing is commanded meanwhile");
    let (walk, _) = play(&mut stage, 80, pad(0.0, 1.0, 0));
    assert!((walk - 3.12).abs() < 0.02 && human(&stage).playing == 710);
    play(&mut stage, 20, pad(0.0, 0.0, R1));
    assert!(human(&stage).is(state::BLOCKING) && human(&stage).playing == 606);
    play(&mut stage, 20, pad(0.0, 0.0, 0));
    assert!(!human(&stage).is(state::BLOCKING) && human(&stage).playing == 388);
    play(&mut stage, 3, pad(0.0, 0.0, R2));
    assert_eq!(human(&stage).playing, 388, "R2 takes nothing where nothing lies");
}

#[test]
fn the_direct_scheme_has_its_clips_and_speeds_back_when_it_takes_over() {
    let mut stage = stage();
    play(&mut stage, 40, pad(0.0, 1.0, 0));
    stage.commands = false;
    play(&mut stage, 20, pad(0.0, 0.0, 0));
    assert_eq!(human(&stage).playing, 388);
    let (walk, _) = play(&mut stage, 60, pad(0.0, 0.6, 0));
    assert!((walk - 1.629).abs() < 0.02 && human(&stage).playing == 408, "{walk}");
}

#[test]
fn both_queues_stay_paired_whatever_a_pad_does() {
    let mut stage = stage();
    let mut random = 0x1234_5678_u32;
    for step in 0..3000 {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        let buttons =
            [0, 0, L2, TRIANGLE, DOWN, UP, LEFT, RIGHT, L1, SQUARE, R1, TRIANGLE | L2][(random >> 8) as usize % 12];
        let (x, y) = ((random >> 16 & 3) as f32 - 1.5, (random >> 20 & 3) as f32 - 1.0);
        for _ in 0..(random >> 24) % 20 {
            stage.step(pad(x.clamp(-1.0, 1.0), y.clamp(-1.0, 1.0), buttons));
        }
        let walk = &mut stage.brains.walks.as_mut().unwrap()[0];
        assert_eq!(walk.mover.with(|mover| mover.queues_are_paired()), Some(true), "step {step}");
        let movement = walk.mover.object.movement.as_ref().unwrap();
        assert_eq!(movement.interpreter.pending_motions.lost(), 0);
        assert!(stage.humans.people[0].position.z > -0.5, "through the floor");
        stage.humans.notices.clear();
        stage.humans.people[0].health = 100;
        if (stage.humans.people[0].position - START).length() > 15.0 && !stage.humans.people[0].is_airborne() {
            stage.humans.people[0].position = START;
        }
    }
}
