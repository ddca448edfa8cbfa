//! What triangle does before a fence, a wall and what may not be climbed.

use super::{FLOOR, Line, REST, START, lines, open_level, pad, play, stage_on};
use boardwalk::collision::TriangleFlags;
use boardwalk::collision::scenes::{Corners, Scene, floor, quad, wall};
use boardwalk::human::stage::Stage;
use boardwalk::maths::Vec3;
use boardwalk::pads::button::TRIANGLE;
use boardwalk::tasks::humans::gates::held;

/// Metres from where the player starts to what is climbed.
const AWAY: f32 = 0.9;
const FACE: f32 = START.y + AWAY;
const SIDE: f32 = 80.0;

/// A surface that has these flags besides its own.
fn flagged(scene: Scene, corners: [Corners; 2], flags: TriangleFlags) -> Scene {
    let flags = TriangleFlags::ENABLED.with(TriangleFlags::TWO_SIDED).with(flags);
    scene.with_flags(corners, flags, 0, 0)
}

fn barrier(scene: Scene, height: f32, flags: TriangleFlags) -> Scene {
    flagged(scene, wall([0.0, FACE], [SIDE, FACE], [0.0, height]), flags)
}

fn fence(height: f32) -> Stage {
    stage_on(barrier(open_level(), height, TriangleFlags::PLAYER_CLIMBABLE).mesh([8, 8, 1]))
}

/// Triangle, and what follows until nothing is held any more.
fn climb(stage: &mut Stage) -> Vec<Line> {
    lines(stage, 3, REST);
    let mut way = vec![play(stage, 0, pad(0.0, 0.0, TRIANGLE))];
    while way.last().is_some_and(|line| line.held != 0) && way.len() < 200 {
        way.push(play(stage, 0, REST));
    }
    way
}

/// What is held, and for how many updates.
fn parts(way: &[Line]) -> Vec<(u32, usize)> {
    let mut parts: Vec<(u32, usize)> = Vec::new();
    for line in way.iter().filter(|line| line.held != 0) {
        match parts.last_mut().filter(|(bits, _)| *bits == line.held) {
            Some((_, updates)) => *updates += 1,
            None => parts.push((line.held, 1)),
        }
    }
    parts
}

#[test]
fn a_fence_is_climbed_in_three_parts_and_nothing_collides_on_the_way() {
    for (height, first) in [(0.75, 440), (1.2, 440), (1.65, 440), (1.75, 446), (2.2, 446), (2.85, 446)] {
        let mut stage = fence(height);
        let way = climb(&mut stage);
        assert_eq!(way[0].playing, first, "{height} m");
        let held: Vec<u32> = parts(&way).iter().map(|(bits, _)| *bits).collect();
        assert_eq!(held, [held::STEP, held::CLIMBING, held::STEP], "{height} m");
        let last = way.last().unwrap();
        assert!((last.position.y - FACE - 0.75).abs() < 0.02 && last.position.z.abs() < 1e-3, "{height} m: {last:?}");
        let highest = way.iter().map(|line| line.position.z).fold(0.0, f32::max);
        assert!((highest - (height - 0.6)).abs() < 0.05 || height < 0.95, "{height} m: up to {highest}");
        let back = lines(&mut stage, 20, pad(0.6, 0.0, 0));
        assert!(back[19].position.y > last.position.y + 0.5, "he walks on");
    }
}

#[test]
fn what_is_lower_or_higher_than_the_windows_or_seen_aslant_is_not_climbed() {
    for height in [0.4, 3.0] {
        let way = climb(&mut fence(height));
        assert!(way.len() == 1 && way[0].playing == 388, "{height} m: {:?}", way[0]);
    }
    let mut stage = fence(1.2);
    stage.humans.people[0].heading = 50f32.to_radians();
    assert_eq!(climb(&mut stage)[0].playing, 388, "the cosine is 0.64");
    let mut stage = fence(1.2);
    stage.humans.people[0].heading = 40f32.to_radians();
    assert_eq!(climb(&mut stage)[0].playing, 440, "the cosine is 0.77");
}

#[test]
fn only_what_is_marked_is_climbed_and_what_is_for_players_by_players_alone() {
    let plain = stage_on(barrier(open_level(), 1.2, TriangleFlags::default()).mesh([8, 8, 1]));
    let everybody = stage_on(barrier(open_level(), 1.2, TriangleFlags::CLIMBABLE).mesh([8, 8, 1]));
    let mut stages = [plain, everybody, fence(1.2)];
    let climbs = stages.each_mut().map(|stage| climb(stage)[0].playing == 440);
    assert_eq!(climbs, [false, true, true]);
    let mut brain = fence(1.2);
    brain.humans.people[0].spawn.player = None;
    let seen = boardwalk::human::climb::Ahead::of(&brain.humans.people[0], &mut brain.mesh);
    assert_eq!(seen.climb, None);
}

#[test]
fn a_wall_is_climbed_onto() {
    let top = quad([0.0, FACE, 1.3], [SIDE, FACE, 1.3], [SIDE, SIDE, 1.3], [0.0, SIDE, 1.3]);
    let level = barrier(open_level(), 1.3, TriangleFlags::CLIMBABLE);
    let mut stage = stage_on(level.with(top).mesh([8, 8, 1]));
    let way = climb(&mut stage);
    let last = way.last().unwrap();
    assert!((last.position - Vec3::new(START.x, FACE + 0.45, 1.3)).length() < 0.02, "{last:?}");
    assert!(way.iter().any(|line| line.playing == 453) && way.iter().any(|line| line.playing == 454));
}

#[test]
fn nobody_climbs_to_where_there_is_no_ground_or_no_room() {
    let pier = quad([0.0, 0.0, FLOOR], [SIDE, 0.0, FLOOR], [SIDE, FACE, FLOOR], [0.0, FACE, FLOOR]);
    let sea = floor(SIDE, -5.0);
    let level = barrier(Scene::new().with(pier).with(sea), 1.1, TriangleFlags::CLIMBABLE);
    assert_eq!(climb(&mut stage_on(level.mesh([8, 8, 1]))).len(), 1, "over the sea");
    let house = wall([0.0, FACE + 0.4], [SIDE, FACE + 0.4], [0.0, 4.0]);
    let level = barrier(open_level().with(house), 1.1, TriangleFlags::CLIMBABLE);
    assert_eq!(climb(&mut stage_on(level.mesh([8, 8, 1]))).len(), 1, "against a house");
}

#[test]
fn a_blow_breaks_a_climb_off_and_who_hung_falls() {
    let mut stage = fence(2.2);
    lines(&mut stage, 3, REST);
    play(&mut stage, 0, pad(0.0, 0.0, TRIANGLE));
    let up = lines(&mut stage, 20, REST);
    assert!(up[19].position.z > 0.9, "{:?}", up[19]);
    stage.humans.struck_by_thing(0, 10, boardwalk::combat::attacks::Strength::Medium, START);
    let down = lines(&mut stage, 60, REST);
    assert!(stage.humans.people[0].climb.is_none());
    assert!(down[59].position.z.abs() < 1e-3 && down[59].playing == 388, "{:?}", down[59]);
}

#[test]
fn a_jump_is_refused_within_five_and_a_half_metres_of_something_to_climb() {
    let run_up = |to_wall: f32| {
        let face = wall([0.0, 40.0], [SIDE, 40.0], [0.0, 4.0]);
        let level = flagged(open_level(), face, TriangleFlags::CLIMBABLE);
        let mut stage = stage_on(level.mesh([8, 8, 1]));
        while stage.humans.people[0].position.y + 8.0 / 30.0 < 40.0 - to_wall {
            stage.step(pad(1.0, 0.0, 0));
        }
        play(&mut stage, 0, pad(1.0, 0.0, TRIANGLE)).playing
    };
    assert_eq!(run_up(6.0), 434);
    assert_ne!(run_up(5.0), 434);
}
