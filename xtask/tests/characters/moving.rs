//! What a pad's stick does: gaits, turns, jumps, steps, falls, stamina.

use super::{FLOOR, REST, lines, open_level, pad, play, stage, stage_on};
use boardwalk::collision::scenes::{Scene, floor, quad, wall};
use boardwalk::combat::deeds::Wielded;
use boardwalk::pads::button::{L2, TRIANGLE};
use boardwalk::tasks::humans::gates::held;

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

#[test]
fn who_carries_something_large_jogs_at_best() {
    let speed_with = |overhead: bool| {
        let mut stage = stage();
        let (thing, grip) = (boardwalk::tasks::handle::Handle::NIL, boardwalk::maths::Pose::IDENTITY);
        stage.humans.people[0].fight.weapon = Some(Wielded { thing, grip, damage: 10, overhead });
        let run = lines(&mut stage, 40, pad(1.0, 0.0, L2));
        (run[39].speed * 1000.0).round() / 1000.0
    };
    assert_eq!(speed_with(false), 10.245);
    assert!((speed_with(true) - 4.857).abs() < 0.01, "{}", speed_with(true));
}
