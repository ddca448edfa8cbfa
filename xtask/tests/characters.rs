//! The characters with the game's own clips on small levels, held against the numbers that are known.
//!
//! Each scene plays recorded sticks and buttons and prints a line per update, so that a difference can be read.

use boardwalk::ai::{Goal, Temper, Walk};
use boardwalk::animation::library::ClipLibrary;
use boardwalk::collision::CollisionMesh;
use boardwalk::collision::scenes::{Scene, floor, quad, wall};
use boardwalk::human::numbers::{AnimState, RUN, SNEAK, WALK, state};
use boardwalk::human::person::Asked;
use boardwalk::human::speeds::turn_between;
use boardwalk::human::stage::Stage;
use boardwalk::human::{Humans, Spawn};
use boardwalk::maths::{Vec3, from_heading};
use boardwalk::motion::interp::MotionNode;
use boardwalk::motion::{
    AskedGait, MotionId, MotionTable, MoveToNode, Position, degrees_of_heading, heading_of_degrees,
};
use boardwalk::pads::button::{Buttons, CIRCLE, L2, R1, SQUARE, TRIANGLE};
use boardwalk::pads::{Reading, Stick};
use boardwalk::tasks::humans::gates::held;
use std::path::Path;
use std::sync::OnceLock;

#[path = "characters/clips.rs"]
mod clips;
#[path = "characters/fights.rs"]
mod fights;

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
    let mut stage =
        Stage::new(Humans::new(library(), boardwalk::combat::FightTable::built_in().unwrap()).unwrap(), mesh);
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

#[test]
fn a_walk_starts_with_its_clip_and_ends_in_the_idles_fade() {
    let mut stage = stage();
    lines(&mut stage, 3, REST);
    let walk = lines(&mut stage, 20, pad(0.6, 0.0, 0));
    assert_eq!((walk[0].playing, walk[0].speed), (413, 0.0));
    let starting = walk.iter().filter(|line| line.held & held::START != 0).count();
    assert!((13..=15).contains(&starting), "{starting} updates of the start");
    assert!(walk[2..12].iter().all(|line| (line.speed - 0.762).abs() < 0.05));
    assert!((walk[19].speed - 1.629).abs() < 0.02 && walk[19].playing == 408);
    let stop = lines(&mut stage, 8, REST);
    assert_eq!(stop.iter().filter(|line| line.held & held::START != 0).count(), 5);
    assert!(stop[0].playing == 388 && stop[1].speed < 1e-3);
}

#[test]
fn a_run_gains_its_speed_as_measured() {
    let mut stage = stage();
    lines(&mut stage, 3, REST);
    let run = lines(&mut stage, 22, pad(1.0, 0.0, 0));
    let measured =
        [0.0, 2.773, 2.486, 2.558, 2.629, 2.844, 3.346, 3.895, 4.540, 5.112, 5.399, 5.614, 5.686, 6.486, 7.286, 7.801];
    for (n, (line, expected)) in run.iter().zip(measured).enumerate() {
        assert!((line.speed - expected).abs() < 0.17, "update {n}: {} instead of {expected}", line.speed);
    }
    assert_eq!(run[20].playing, 410);
}

#[test]
fn a_quarter_turn_at_a_run_is_eased() {
    let mut stage = stage();
    lines(&mut stage, 30, pad(1.0, 0.0, 0));
    let turn = lines(&mut stage, 6, pad(1.0, 90.0, 0));
    let steps: Vec<f32> =
        turn.iter().scan(0.0, |last, line| Some(line.heading - std::mem::replace(last, line.heading))).collect();
    for (found, expected) in steps.iter().zip([16.0, 18.0, 18.0]) {
        assert!((found - expected).abs() < 1.0, "{steps:?}");
    }
    assert!((turn[5].heading - 90.0).abs() < 0.5);
}

#[test]
fn letting_go_of_a_run_skids_for_a_metre_and_a_half() {
    let mut stage = stage();
    let run = lines(&mut stage, 40, pad(1.0, 0.0, 0));
    let from = run[39].position;
    let stop = lines(&mut stage, 30, REST);
    let skid = stop.iter().filter(|line| line.playing == 417).count();
    assert!((23..=25).contains(&skid), "{skid} updates");
    let way = (stop[29].position - from).horizontal().length();
    assert!((way - 1.63).abs() < 0.25, "{way} m");
}

#[test]
fn held_attack_gives_the_stick_back_on_the_twentieth_update() {
    let mut stage = stage();
    lines(&mut stage, 30, pad(0.6, 0.0, 0));
    lines(&mut stage, 12, REST);
    let attack = lines(&mut stage, 1, pad(0.0, 0.0, SQUARE));
    assert_eq!((attack[0].playing, attack[0].held), (12, 1));
    let rest = lines(&mut stage, 24, pad(0.6, 0.0, 0));
    let flags: Vec<u32> = attack.iter().chain(&rest).map(|line| line.held).collect();
    assert_eq!(flags[..6], [1; 6]);
    assert_eq!(flags[6..15], [2; 9]);
    assert_eq!(flags[15], 4);
    assert_eq!(flags[16..20], [0x4_0000; 4]);
    assert_eq!((rest[19].playing, rest[19].held), (413, held::START), "the walk starts on update 20");
}

#[test]
fn a_string_of_three_is_chained_in_its_windows() {
    let mut stage = stage();
    lines(&mut stage, 3, REST);
    let mut playing = Vec::new();
    for update in 0..60 {
        let press = if matches!(update, 0 | 8 | 16) { SQUARE } else { 0 };
        let line = play(&mut stage, 0, pad(0.0, 0.0, press));
        if playing.last() != Some(&line.playing) {
            playing.push(line.playing);
        }
    }
    assert!(playing.starts_with(&[12, 16, 19]) || playing.starts_with(&[12, 16, 20]), "{playing:?}");
}

#[test]
fn block_release_holds_the_stick_for_five_updates() {
    let mut stage = stage();
    lines(&mut stage, 3, REST);
    let block = lines(&mut stage, 30, pad(0.0, 0.0, R1));
    assert_eq!(block[29].playing, 606);
    assert_eq!(stage.humans.people[0].state & (state::BLOCKING | state::STANCE), 0x8001);
    let release = lines(&mut stage, 8, pad(0.6, 90.0, 0));
    assert!(release[..5].iter().all(|line| line.playing == 388 && line.held == held::START && line.speed < 0.01));
    assert_eq!(release[5].playing, 413);
    assert!((release[1].heading - release[0].heading - 20.0).abs() < 1.0, "it turns meanwhile");
}

#[test]
fn a_jump_rises_a_metre_and_lands_after_twenty_four_updates() {
    let mut stage = stage();
    lines(&mut stage, 30, pad(1.0, 0.0, 0));
    let start = play(&mut stage, 0, pad(1.0, 0.0, TRIANGLE));
    assert_eq!(start.playing, 434);
    let flight = lines(&mut stage, 40, pad(1.0, 0.0, 0));
    let apex = flight.iter().map(|line| line.position.z).fold(0.0, f32::max);
    assert!((apex - 1.0584).abs() < 0.01, "apex {apex}");
    let updates = flight.iter().take_while(|line| line.playing == 434).count();
    assert!((22..=25).contains(&updates), "{updates} updates");
    assert_eq!(flight[updates].playing, 436);
    let landing = flight[updates..].iter().filter(|line| line.playing == 436).count();
    assert!((10..=12).contains(&landing), "{landing} updates of landing");
    assert!((flight[updates + 3].speed - 4.23).abs() < 0.2);
}

#[test]
fn no_jump_from_a_walk() {
    let mut stage = stage();
    lines(&mut stage, 30, pad(0.8, 0.0, 0));
    let line = play(&mut stage, 0, pad(0.8, 0.0, TRIANGLE));
    assert_ne!(line.playing, 434);
}

#[test]
fn low_steps_are_walked_onto_and_higher_ones_stop() {
    let step = |height: f32| {
        let top = quad([0.0, 25.0, height], [80.0, 25.0, height], [80.0, 60.0, height], [0.0, 60.0, height]);
        let face = wall([0.0, 25.0], [80.0, 25.0], [0.0, height]);
        let mut stage = stage_on(open_level().with(top).with(face).mesh([8, 8, 1]));
        (0..200).for_each(|_| stage.step(pad(0.6, 0.0, 0)));
        stage.humans.people[0].position
    };
    for height in [0.10, 0.20, 0.245] {
        let at = step(height);
        assert!(at.y > 26.0 && (at.z - height).abs() < 1e-3, "{height} m: {at:?}");
    }
    for (height, short) in [(0.255, 0.398), (0.26, 0.402), (0.30, 0.426), (0.50, 0.480), (3.0, 0.480)] {
        let at = step(height);
        assert!((25.0 - at.y - short).abs() < 0.02, "{height} m: {} m short", 25.0 - at.y);
    }
}

#[test]
fn a_fall_hurts_by_its_speed() {
    let drop = |height: f32| {
        let mut stage = stage();
        stage.humans.people[0].position.z = height;
        (0..90).for_each(|_| stage.step(REST));
        stage.humans.people[0].health
    };
    assert_eq!(drop(3.0), 100);
    let hurt = drop(9.5);
    assert!((1..100).contains(&hurt), "{hurt}");
    assert_eq!(drop(16.0), 0);
}

#[test]
fn sprinting_tires_and_rest_restores() {
    let mut stage = stage_on(Scene::new().with(floor(400.0, FLOOR)).mesh([8, 8, 1]));
    (0..40).for_each(|_| stage.step(pad(1.0, 0.0, L2)));
    assert_eq!(stage.humans.people[0].playing, 411);
    let before = stage.humans.people[0].stamina;
    (0..30).for_each(|_| stage.step(pad(1.0, 0.0, L2)));
    let spent = before - stage.humans.people[0].stamina;
    assert!((spent - 20.0).abs() < 0.1, "{spent} a second");
    (0..40).for_each(|_| stage.step(REST));
    let before = stage.humans.people[0].stamina;
    (0..30).for_each(|_| stage.step(REST));
    let gained = stage.humans.people[0].stamina - before;
    assert!((39.0..=41.0).contains(&gained) || stage.humans.people[0].stamina > 134.9, "{gained} a second");
}

fn enemy(stage: &mut Stage, y: f32) -> usize {
    let spawn = Spawn { position: START + Vec3::Y * y, heading: std::f32::consts::PI, gang: 1, ..Spawn::default() };
    stage.spawn(spawn).unwrap()
}

#[test]
fn a_punch_hurts_and_snaps_the_head_back() {
    let mut stage = stage();
    let other = enemy(&mut stage, 1.0);
    lines(&mut stage, 3, REST);
    play(&mut stage, 0, pad(0.0, 0.0, SQUARE));
    let mut reactions = Vec::new();
    for _ in 0..12 {
        stage.step(REST);
        reactions.push(stage.humans.people[other].playing);
    }
    println!("{reactions:?}, health {}", stage.humans.people[other].health);
    assert!(reactions.contains(&268), "light, high, ahead: {reactions:?}");
    assert_eq!(stage.humans.people[other].health, 95);
}

#[test]
fn a_block_takes_the_blow() {
    let mut stage = stage();
    let other = enemy(&mut stage, 1.0);
    for update in 0..30 {
        stage.tasks.humans.records.set_command(other, 4);
        stage.humans.people[other].asked.stance = true;
        stage.humans.people[other].asked.heading = std::f32::consts::PI;
        stage.humans.people[other].set(state::BLOCKING | state::STANCE, true);
        stage.step(pad(0.0, 0.0, if update == 10 { SQUARE } else { 0 }));
    }
    assert_eq!(stage.humans.people[other].health, 100);
}

#[test]
fn enough_blows_knock_out_and_the_body_no_longer_blocks() {
    let mut stage = stage();
    let other = enemy(&mut stage, 1.0);
    stage.humans.people[other].health = 4;
    for update in 0..60 {
        stage.step(pad(0.0, 0.0, if update == 5 { SQUARE } else { 0 }));
    }
    let human = &stage.humans.people[other];
    assert!(
        human.is_dead() && human.anim == AnimState::Down && human.playing == 196,
        "{} {:?}",
        human.playing,
        human.anim
    );
    let before = stage.humans.people[0].position;
    (0..60).for_each(|_| stage.step(pad(0.8, 0.0, 0)));
    assert!(stage.humans.people[0].position.y > before.y + 1.8, "walked over");
}

#[test]
fn a_charge_stops_dead_at_a_fence() {
    let fence = wall([0.0, 40.0], [80.0, 40.0], [0.0, 1.2]);
    let mut stage = stage_on(open_level().with(fence).mesh([8, 8, 1]));
    for _ in 0..90 {
        if stage.humans.people[0].position.y < 35.5 {
            stage.step(pad(1.0, 0.0, 0));
        }
    }
    let buttons = L2 | boardwalk::pads::button::CROSS;
    let charge = play(&mut stage, 0, pad(1.0, 0.0, buttons));
    assert_eq!((charge.playing, charge.held), (0, held::LANDING));
    let run: Vec<Line> = lines(&mut stage, 26, pad(1.0, 0.0, 0));
    assert!(run[..14].iter().all(|line| (line.speed - 7.45).abs() < 0.05));
    let last = run.iter().find(|line| line.speed < 0.05).unwrap();
    let short = 40.0 - last.position.y;
    assert!((0.3..0.6).contains(&short), "{short} m short");
}

#[test]
fn a_grab_holds_hits_and_throws() {
    let mut stage = stage();
    let other = enemy(&mut stage, 0.9);
    lines(&mut stage, 3, REST);
    play(&mut stage, 0, pad(0.0, 0.0, CIRCLE));
    assert!(stage.humans.people[0].is(state::GRABBING) && stage.humans.people[other].is(state::GRABBED));
    lines(&mut stage, 20, REST);
    play(&mut stage, 0, pad(0.0, 0.0, SQUARE));
    lines(&mut stage, 24, REST);
    assert_eq!(stage.humans.people[other].health, 92);
    play(&mut stage, 0, pad(0.0, 0.0, CIRCLE));
    lines(&mut stage, 20, REST);
    let human = &stage.humans.people[other];
    assert!(human.health == 74 && human.is(state::DOWN) && human.fight.partner.is_none(), "{}", human.health);
    (0..200).for_each(|_| stage.step(REST));
    assert!(!stage.humans.people[other].is(state::DOWN), "and rises again");
}

#[test]
fn a_civilian_fights_back_through_the_command_field() {
    let mut stage = stage();
    let other = enemy(&mut stage, 1.0);
    stage.brains.enable(other, Temper::Civilian, Goal::Idle);
    (0..20).for_each(|_| stage.step(REST));
    assert_eq!(stage.humans.people[0].health, 100, "until it is struck");
    stage.step(pad(0.0, 0.0, SQUARE));
    let mut commands = 0;
    for _ in 0..400 {
        stage.step(REST);
        commands += usize::from(matches!(stage.tasks.humans.records.command(other), 0xf | 0x10 | 0x12));
        if stage.humans.people[0].is_dead() {
            break;
        }
    }
    println!("{commands} commands, player's health {}", stage.humans.people[0].health);
    assert!(commands >= 2 && stage.humans.people[0].health < 100);
}

#[test]
fn a_gang_follows_its_leader_and_helps() {
    let mut stage = stage();
    for place in 0..3 {
        let position = START + Vec3::new(place as f32 * 1.5 - 2.0, -2.0, 0.0);
        let n = stage.spawn(Spawn { position, ..Spawn::default() }).unwrap();
        stage.brains.enable(n, Temper::Fighter, Goal::Follow { leader: 0, place: place as u8 });
    }
    (0..150).for_each(|_| stage.step(pad(1.0, 0.0, 0)));
    let leader = stage.humans.people[0].position;
    for n in 1..4 {
        let away = (stage.humans.people[n].position - leader).length();
        println!("follower {n}: {away} m");
        assert!(away < 8.0, "{n} is {away} m behind");
    }
    (0..120).for_each(|_| stage.step(REST));
    for n in 1..4 {
        let human = &stage.humans.people[n];
        let away = (human.position - stage.humans.people[0].position).length();
        assert!(away < 4.5 && human.playing == 388, "{n} stands {away} m off, playing {}", human.playing);
    }
}

#[test]
fn followers_walk_in_a_formation_that_ends_with_its_last() {
    let mut stage = stage();
    let mut who = Vec::new();
    for place in 0..2u8 {
        let position = START + Vec3::new(f32::from(place) * 1.5 - 2.0, -2.0, 0.0);
        let n = stage.spawn(Spawn { position, ..Spawn::default() }).unwrap();
        stage.brains.enable(n, Temper::Fighter, Goal::Follow { leader: 0, place });
        who.push(n);
    }
    stage.step(REST);
    let brains = &mut stage.brains;
    assert_eq!((brains.formations.count(), brains.goals.count(), brains.formations.refusals()), (1, 2, 0));
    let places = who.iter().map(|n| brains.formations.place_of(*n as u8).unwrap()).collect::<Vec<_>>();
    let leader = stage.humans.people[0].position;
    assert!(places.iter().all(|place| (1.5..3.0).contains(&(*place - leader).length())) && places[0] != places[1]);
    for n in who {
        brains.enable(n, Temper::Fighter, Goal::Idle);
    }
    assert_eq!((brains.formations.count(), brains.goals.count()), (0, 2));
}

#[test]
fn a_walker_goes_from_point_to_point_and_has_no_goal_left_at_the_end_of_its_path() {
    let mut stage = stage();
    let points = [START + Vec3::new(4.0, 0.0, 0.0), START + Vec3::new(4.0, 4.0, 0.0)];
    let path = stage.brains.paths.add(1, false, points).unwrap() as u8;
    let position = START + Vec3::new(2.0, 0.0, 0.0);
    let n = stage.spawn(Spawn { position, ..Spawn::default() }).unwrap();
    stage.brains.enable(n, Temper::Civilian, Goal::Path { path, point: 0 });
    let mut passed = Vec::new();
    let mut steps = 0;
    while stage.brains.goals.top(n).is_some() && steps < 600 {
        stage.step(REST);
        steps += 1;
        passed.extend(stage.brains.goals.top(n));
        passed.dedup();
    }
    println!("{steps} steps, {passed:?}");
    assert_eq!(passed, [Goal::Path { path, point: 0 }, Goal::Path { path, point: 1 }]);
    assert!((stage.humans.people[n].position - points[1]).length() < 0.6 && steps < 600);
    assert_eq!((stage.brains.goals.count(), stage.brains.goal(n)), (0, Goal::Idle));
}

#[test]
fn two_gangs_fight_until_one_is_down() {
    let mut stage = stage();
    stage.humans.people[0].position = Vec3::new(70.0, 70.0, 0.0);
    stage.brains.gangs.get_mut(2).unwrap().enemies = 1 << 3;
    stage.brains.gangs.get_mut(3).unwrap().enemies = 1 << 2;
    for n in 0..8u8 {
        let gang = 2 + n % 2;
        let position = Vec3::new(30.0 + f32::from(n), if gang == 2 { 30.0 } else { 38.0 }, 0.0);
        let who = stage.spawn(Spawn { position, gang, ..Spawn::default() }).unwrap();
        stage.brains.enable(who, Temper::Fighter, Goal::Idle);
    }
    let mut steps = 0;
    let alive = |stage: &Stage, gang: u8| {
        stage.humans.present().filter(|(_, human)| human.spawn.gang == gang && !human.is_dead()).count()
    };
    while alive(&stage, 2) > 0 && alive(&stage, 3) > 0 && steps < 4000 {
        stage.step(REST);
        stage.humans.notices.clear();
        steps += 1;
    }
    println!("{steps} steps, {} against {}", alive(&stage, 2), alive(&stage, 3));
    assert!(steps < 4000 && steps > 150);
    let brains = &stage.brains;
    println!("{} goals, {} actions", brains.goals.count(), brains.actions.count());
    assert!(brains.goals.count() >= 8 && brains.goals.refusals() == 0, "each has what it usually does");
    assert!(brains.actions.count() <= 8 && brains.actions.refusals() == 0);
    assert_eq!(stage.humans.pool.shortages, 0);
}

#[test]
fn the_same_pads_give_the_same_bits() {
    let run = || {
        let mut stage = stage();
        let other = enemy(&mut stage, 3.0);
        stage.brains.enable(other, boardwalk::ai::Temper::Civilian, boardwalk::ai::Goal::Idle);
        for n in 0..300u16 {
            let buttons = if n.is_multiple_of(37) { SQUARE } else { 0 };
            stage.step(pad(if n % 90 < 60 { 1.0 } else { 0.0 }, f32::from(n * 3), buttons));
        }
        let human = &stage.humans.people[0];
        (human.position.to_array().map(f32::to_bits), human.heading.to_bits(), stage.humans.people[other].health)
    };
    assert_eq!(run(), run());
}

#[test]
fn brains_walk_their_ways_by_the_motion_system() {
    use boardwalk::ai::Destination;
    let mut stage = stage();
    let place = Vec3::new(55.0, 40.0, 0.0);
    let n = stage.spawn(Spawn { position: Vec3::new(30.0, 30.0, 0.0), ..Spawn::default() }).unwrap();
    stage.brains.enable(n, Temper::Civilian, Goal::MoveTo { place, gait: 4 });
    let mut ran = false;
    for step in 0..400 {
        stage.step(REST);
        ran |= stage.humans.people[n].gait >= 4;
        if step == 5 {
            let way = stage.brains.walks.as_ref().unwrap()[n].way();
            assert_eq!(way.map(|way| way.to), Some(Destination::Place(place)));
        }
    }
    let left = (stage.humans.people[n].position - place).length();
    println!("{left} m left");
    assert!(left < 0.5 && ran && stage.humans.people[n].playing == 388);
}

fn somebody(stage: &mut Stage, place: [f32; 2], gang: u8) -> usize {
    stage.spawn(Spawn { position: Vec3::new(place[0], place[1], FLOOR), gang, ..Spawn::default() }).unwrap()
}

/// What a way's last step asked for, held against what move-to wants where its human stood, else what its grip wants.
fn is_answered(walk: &Walk<MotionTable<'static>>, stood: Position, asked: Asked) -> bool {
    let object = &walk.mover.object;
    let along = |heading: f32| turn_between(asked.heading, heading).abs() < 1e-3;
    if let Some(request) = object.movement.as_ref().and_then(|movement| movement.locomotion_request(stood)) {
        let nodes = &object.movement.as_ref().unwrap().move_to.pending_actions;
        // Who turns to set off does so in a curve; who runs may sprint.
        let sets_off = matches!(nodes.front(), Some(MoveToNode::Turn(_))) && nodes.len() > 1;
        let pace = match request.gait {
            AskedGait::Stand if sets_off => asked.gait >= WALK,
            AskedGait::Run => asked.gait >= RUN,
            gait => asked.gait == gait as u8,
        };
        return along(request.heading) && pace;
    }
    let held = object.sticky.target_id().is_some();
    match object.sticky.step(stood, walk.mover.body().rim(), 0.0, 10.0).filter(|_| held) {
        Some(step) => {
            let heading = heading_of_degrees(stood.heading + step.turn);
            let gap = step.offset.dot(from_heading(heading));
            let wanted = if gap > 0.15 {
                (WALK, false)
            } else if gap < -0.75 {
                (SNEAK, true)
            } else {
                (0, false)
            };
            along(heading) && (asked.gait, asked.backwards) == wanted
        }
        None => asked.gait == 0 && along(heading_of_degrees(stood.heading)),
    }
}

#[test]
fn every_goal_moves_and_turns_its_human_by_the_motion_system() {
    let place = Vec3::new(53.0, 50.0, FLOOR);
    let goals = [
        Goal::MoveTo { place, gait: 4 },
        Goal::Wander { home: place, radius: 2.0 },
        Goal::Follow { leader: 2, place: 0 },
        Goal::Attack { target: 2 },
        Goal::Flee { from: 2 },
        Goal::Help { friend: 3 },
        Goal::Path { path: 0, point: 0 },
    ];
    for goal in goals {
        let mut stage = stage();
        let n = somebody(&mut stage, [50.0, 50.0], 0);
        let other = somebody(&mut stage, [51.5, 53.5], 1);
        let friend = somebody(&mut stage, [47.0, 50.0], 0);
        assert_eq!([n, other, friend], [1, 2, 3]);
        let points = [place, place + Vec3::new(0.0, 3.0, 0.0), place - Vec3::new(3.0, 0.0, 0.0)];
        assert_eq!(stage.brains.paths.add(1, true, points), Some(0));
        if matches!(goal, Goal::Help { .. }) {
            stage.humans.people[friend].fight.struck_by = Some(other as u8);
        }
        stage.brains.enable(n, Temper::Fighter, goal);
        stage.humans.people[other].heading = 2.0;
        let (mut moved, mut turned, mut at) = (0.0, 0.0, stage.humans.people[n].position);
        for step in 0..90 {
            let heading = degrees_of_heading(stage.humans.people[n].heading);
            let stood = Position { point: stage.humans.people[n].position, heading };
            stage.step(REST);
            let human = &stage.humans.people[n];
            let walk = &stage.brains.walks.as_ref().unwrap()[n];
            let object = &walk.mover.object;
            assert!(is_answered(walk, stood, human.asked), "{goal:?} in step {step}: {:?}", human.asked);
            assert_eq!(object.parts.as_ref().unwrap().manager.lost(), 0);
            moved += (human.position - at).length();
            at = human.position;
            turned += human.turned.abs();
        }
        println!("{goal:?}: {moved} m, {turned} rad");
        assert!(moved > 1.0 && turned > 0.1, "{goal:?}: {moved} m, {turned} rad");
        let same = std::mem::discriminant(&stage.brains.goal(n)) == std::mem::discriminant(&goal);
        assert!(same, "{goal:?} became {:?}", stage.brains.goal(n));
    }
}

#[test]
fn the_exhaustion_of_a_brains_human_reaches_the_motion_system() {
    let mut stage = stage();
    let n = somebody(&mut stage, [70.0, 5.0], 0);
    let far = somebody(&mut stage, [70.0, 75.0], 1);
    stage.brains.gangs.get_mut(0).unwrap().enemies = 1 << 1;
    stage.brains.gangs.get_mut(0).unwrap().target = Some(far as u8);
    stage.brains.enable(n, Temper::Fighter, Goal::Attack { target: far as u8 });
    let told = |stage: &Stage| stage.brains.walks.as_ref().unwrap()[n].mover.reports[2];
    (0..40).for_each(|_| stage.step(REST));
    let human = &stage.humans.people[n];
    let (gait, stamina) = (human.gait, human.stamina);
    println!("gait {gait}, {stamina} stamina, {} m/s", human.speed);
    assert!(gait == 5 && stamina < 130.0 && told(&stage) == 0);
    stage.humans.people[n].stamina = 2.0;
    (0..30).for_each(|_| stage.step(REST));
    let human = &stage.humans.people[n];
    println!("gait {}, {} stamina, {} m/s, {} reports", human.gait, human.stamina, human.speed, told(&stage));
    assert_eq!((human.gait, human.stamina, told(&stage)), (4, 0.0, 1));
}

#[test]
fn what_the_physics_does_to_a_brains_human_reaches_the_motion_system() {
    let mut stage = stage();
    let n = somebody(&mut stage, [50.0, 50.0], 0);
    stage.brains.enable(n, Temper::Civilian, Goal::Idle);
    let told = |stage: &Stage| stage.brains.walks.as_ref().unwrap()[n].mover.reports;
    (0..5).for_each(|_| stage.step(REST));
    assert_eq!(told(&stage), [0, 0, 0]);
    stage.humans.people[n].position.z += 2.5;
    (0..4).for_each(|_| stage.step(REST));
    assert_eq!(told(&stage), [0, 1, 0]);
    (0..60).for_each(|_| stage.step(REST));
    assert_eq!(told(&stage), [1, 1, 0]);
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "pending")]
fn a_frame_that_ends_with_unpaired_queues_is_noticed() {
    let mut stage = stage();
    let n = somebody(&mut stage, [50.0, 50.0], 0);
    let mover = &mut stage.brains.walks.as_mut().unwrap()[n].mover;
    for _ in 0..60 {
        mover.pass_time();
    }
    let node = MotionNode { context_id: 0, motion: MotionId::WALK_FORWARD, jump_error_code: None };
    mover.object.movement.as_mut().unwrap().interpreter.pending_motions.push(node);
    mover.pass_time();
}
