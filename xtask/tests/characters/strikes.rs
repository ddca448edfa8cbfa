//! Fights by update: which shapes strike when, and when a blow lands.

use super::fighting::enemy;
use super::*;
use boardwalk::animation::skeleton::bone;
use boardwalk::animation::task::Play;
use boardwalk::collision::TriangleFlags;
use boardwalk::collision::scenes::wall;
use boardwalk::combat::attacks;
use boardwalk::combat::deeds::Wielded;
use boardwalk::human::numbers::state;
use boardwalk::maths::Pose;
use boardwalk::pads::button::{CIRCLE, SQUARE, TRIANGLE};
use boardwalk::tasks::handle::Handle;
use boardwalk::tasks::humans::gates::{held, state as gate_state};

/// An attack begins at the end of an update, which counts as 0; what `see` says of each update behind it, for as many.
fn attack_updates<T>(stage: &mut Stage, id: u16, count: usize, mut see: impl FnMut(&Stage) -> T) -> Vec<T> {
    (0..4).for_each(|_| stage.step(REST));
    stage.humans.attack(0, id);
    assert_eq!(stage.humans.people[0].playing, id);
    (0..=count)
        .map(|k| {
            if k > 0 {
                stage.step(REST);
            }
            see(stage)
        })
        .collect()
}

#[test]
fn shapes_strike_on_the_measured_updates_both_ends_included() {
    // The attack, its first and last update, and how many shapes. Source: humans and combat, Attacks (Strikes).
    let measured = [(attacks::CHARGE, 4, 17, 10), (attacks::DIVE, 2, 24, 10), (attacks::WALK_ATTACK, 5, 11, 2)];
    for (id, from, to, shapes) in measured.into_iter().chain([(attacks::RUN_ATTACK, 1, 7, 2)]) {
        let mut stage = stage();
        let seen = attack_updates(&mut stage, id, 26, |stage| stage.humans.people[0].fight.applied.count_ones());
        println!("{id}: {seen:?}");
        let expected: Vec<u32> = (0..=26).map(|k| if (from..=to).contains(&k) { shapes } else { 0 }).collect();
        assert_eq!(seen, expected, "attack {id}");
    }
}

#[test]
fn blows_land_on_the_measured_updates() {
    // The attack and the update of its hit. Source: humans and combat, Attacks (Timing).
    let mut off = Vec::new();
    for (id, expected) in [(12, 2), (11, 8), (16, 4), (19, 7), (17, 7), (13, 10), (14, 9), (15, 7)] {
        let lands = [0.7, 0.75, 0.8, 0.9, 1.0].map(|away| {
            let mut stage = stage();
            let other = enemy(&mut stage, away);
            let health = attack_updates(&mut stage, id, 14, |stage| stage.humans.people[other].health);
            health.iter().position(|health| *health < 100)
        });
        println!("{id}: {lands:?}, measured {expected}");
        if lands[0] != Some(expected) {
            off.push((id, lands));
        }
    }
    assert!(off.is_empty(), "{off:?}");
}

/// The right hand in the human's own space.
fn right_hand(stage: &Stage) -> Vec3 {
    let human = &stage.humans.people[0];
    human.pose().local(human.bones[bone::RIGHT_HAND].position)
}

#[test]
fn the_arm_carries_what_is_held_at_ease_and_at_a_run_and_is_let_go_for_a_blow() {
    let mut stage = stage();
    lines(&mut stage, 3, REST);
    let layer = |stage: &Stage| stage.humans.people[0].stack.layer(&stage.humans.pool).is_some();
    let (used, empty) = (stage.humans.pool.used(), right_hand(&stage));
    let held = Wielded { thing: Handle::NIL, grip: Pose::IDENTITY, damage: 5, overhead: false };
    stage.humans.people[0].fight.weapon = Some(held);
    lines(&mut stage, 12, REST);
    let full = right_hand(&stage);
    println!("empty {empty:?}, full {full:?}");
    assert!(layer(&stage) && (full - empty).length() > 0.02 && stage.humans.people[0].playing == 388);
    // A run swings the arms; the one that carries stays.
    let reach = |stage: &mut Stage| {
        let run: Vec<f32> = (0..24)
            .map(|_| {
                stage.step(pad(1.0, 0.0, 0));
                right_hand(stage).y
            })
            .collect();
        run.iter().copied().fold(f32::MIN, f32::max) - run.iter().copied().fold(f32::MAX, f32::min)
    };
    lines(&mut stage, 24, pad(1.0, 0.0, 0));
    let still = reach(&mut stage);
    assert!(layer(&stage) && stage.humans.people[0].playing == 410);
    stage.humans.people[0].fight.weapon = None;
    lines(&mut stage, 12, pad(1.0, 0.0, 0));
    let swings = reach(&mut stage);
    println!("{still} m with something in the hand, {swings} m without");
    assert!(!layer(&stage) && still < 0.6 * swings, "{still} {swings}");
    stage.humans.people[0].fight.weapon = Some(held);
    lines(&mut stage, 60, REST);
    assert!(layer(&stage));
    stage.humans.attack(0, attacks::SWING);
    lines(&mut stage, 1, REST);
    assert!(!layer(&stage), "a blow has both arms");
    stage.humans.people[0].fight.weapon = None;
    lines(&mut stage, 120, REST);
    assert_eq!((layer(&stage), stage.humans.pool.used()), (false, used), "nothing is left over");
}

#[test]
fn who_is_seized_keeps_step_with_the_grab_whatever_holds_it_up() {
    let mut stage = stage();
    let other = enemy(&mut stage, 0.9);
    lines(&mut stage, 3, REST);
    play(&mut stage, 0, pad(0.0, 0.0, CIRCLE));
    let half = |stage: &Stage, n: usize| {
        let human = &stage.humans.people[n];
        let task = stage.humans.pool.get(human.stack.newest(&stage.humans.pool).unwrap()).unwrap();
        matches!(task.play, Play::Paired { .. }).then_some(task.time)
    };
    let mut pairs = Vec::new();
    for update in 0..14 {
        if update == 4 {
            stage.humans.people[other].stillness = 2;
        }
        stage.step(REST);
        pairs.push((half(&stage, 0), half(&stage, other)));
    }
    println!("{pairs:?}");
    assert!(pairs[..12].iter().all(|(ours, theirs)| ours.is_some() && ours == theirs), "{pairs:?}");
    stage.step(REST);
    assert_eq!((stage.humans.people[0].playing, stage.humans.people[other].playing), (213, 193));
}

#[test]
fn a_heavy_blow_that_leaves_little_makes_stagger_until_it_is_healed() {
    let mut stage = stage();
    let other = enemy(&mut stage, 0.8);
    let hit = |stage: &mut Stage, id: u16| {
        let at = stage.humans.people[other].position;
        let attack = stage.humans.table.find(id).unwrap();
        stage.humans.hit(0, other, &attack, at);
    };
    hit(&mut stage, 13);
    assert!(!stage.humans.people[other].is(state::HURT), "much is left");
    stage.humans.people[other].health = 40;
    hit(&mut stage, 12);
    assert!(!stage.humans.people[other].is(state::HURT), "a light blow");
    hit(&mut stage, 13);
    assert!(stage.humans.people[other].is(state::HURT) && stage.humans.people[other].health < 33);
    assert!(!stage.humans.people[other].gate().takes_square_or_cross(), "and strikes nobody");
    stage.humans.heal(other, 50);
    assert!(!stage.humans.people[other].is(state::HURT));
    stage.humans.people[other].health = 30;
    hit(&mut stage, 13);
    (0..74).for_each(|_| stage.step(REST));
    assert!(stage.humans.people[other].is(state::HURT));
    stage.step(REST);
    assert!(!stage.humans.people[other].is(state::HURT), "it passes");
}

#[test]
fn a_wounded_human_lies_passable_until_healed_and_one_that_only_rises_stays_passable() {
    let mut stage = stage();
    let other = enemy(&mut stage, 1.0);
    stage.humans.spared = 1 << 1;
    stage.humans.people[other].health = 4;
    for update in 0..60 {
        stage.step(pad(0.0, 0.0, if update == 5 { SQUARE } else { 0 }));
    }
    let blocks = |stage: &Stage| {
        let body = stage.humans.people[other].body.unwrap();
        stage.physics.body(body).flags.has(boardwalk::physics::flags::BodyFlags::BLOCK_HUMANS)
    };
    let human = &stage.humans.people[other];
    assert!(human.wounded && human.state & gate_state::DEAD == 0 && human.is(state::DOWN) && human.is_out());
    assert!(!blocks(&stage) && stage.humans.find_target(0, 2.5).is_none());
    (0..300).for_each(|_| stage.step(REST));
    assert!(stage.humans.people[other].is(state::DOWN), "it does not rise by itself");
    stage.humans.end_wounded(other);
    (0..120).for_each(|_| stage.step(REST));
    assert!(!stage.humans.people[other].is(state::DOWN) && !blocks(&stage), "up, and still passable");
    stage.humans.heal(other, 10);
    stage.step(REST);
    assert!(blocks(&stage));
    // The player of such a gang is out all the same.
    stage.humans.spared = 1;
    stage.humans.wound(0, 1000, None);
    assert!(stage.humans.people[0].is_dead());
}

#[test]
fn nobody_jumps_five_metres_before_a_wall_that_can_be_climbed() {
    for (flags, away, jumps) in [
        (TriangleFlags::CLIMBABLE, 5.0, false),
        (TriangleFlags::CLIMBABLE, 6.0, true),
        (TriangleFlags::PLAYER_CLIMBABLE, 5.0, false),
        (TriangleFlags::default(), 5.0, true),
    ] {
        let face = wall([0.0, 45.0], [80.0, 45.0], [0.0, 3.0]);
        let mut stage = stage_on(open_level().with_flags(face, flags, 0, 0).mesh([8, 8, 1]));
        while 45.0 - stage.humans.people[0].position.y > away + 0.2 {
            stage.step(pad(1.0, 0.0, 0));
        }
        let line = play(&mut stage, 0, pad(1.0, 0.0, TRIANGLE));
        println!("{flags:?} from {} m", 45.0 - line.position.y);
        assert_eq!(line.playing == 434, jumps, "{flags:?} {away} m");
    }
}

#[test]
fn an_attack_with_the_stick_at_somebody_near_begins_by_facing_him() {
    for (deflection, away, snaps) in [(1.0, 1.5, true), (0.8, 1.5, false), (1.0, 2.3, false)] {
        let mut stage = stage();
        let spawn = Spawn { position: START + Vec3::X * away, gang: 1, ..Spawn::default() };
        stage.spawn(spawn).unwrap();
        lines(&mut stage, 3, REST);
        stage.humans.people[0].heading = 50_f32.to_radians();
        let line = play(&mut stage, 0, pad(deflection, 80.0, SQUARE));
        println!("stick {deflection}, {away} m: {}", line.heading);
        assert_eq!(line.playing, 12);
        assert_eq!((line.heading - 90.0).abs() < 1.0, snaps, "{}", line.heading);
    }
}

#[test]
fn steering_ends_with_the_window_where_nothing_strikes_before() {
    use boardwalk::animation::events::{Event, kind};
    for (event, ends) in [
        (kind::STRIKE_ON, true),
        (kind::ALL_ON, true),
        (kind::EFFECT, true),
        (kind::TAKE, true),
        (kind::RELEASE, true),
        (kind::PARTNER_HIT, true),
        (kind::WINDOW, true),
        (kind::WARNING, false),
        (kind::STEP, false),
        (kind::END, false),
    ] {
        let mut stage = stage();
        let other = enemy(&mut stage, 1.8);
        stage.humans.people[other].position.x += 0.5;
        lines(&mut stage, 3, REST);
        stage.humans.attack(0, attacks::X1);
        stage.humans.fire(0, &Event { kind: event, ..Event::default() });
        let before = stage.humans.people[0].heading;
        stage.humans.steer(0);
        assert_eq!(stage.humans.people[0].heading == before, ends, "event {event:#x}");
    }
}

#[test]
fn who_is_walked_into_steps_out_of_the_way() {
    for (heading, clip) in [(0.0, 401), (180.0, 402), (-90.0, 400), (90.0, 399)] {
        let mut stage = stage();
        let spawn = Spawn { position: START + Vec3::Y * 1.5, heading: f32::to_radians(heading), ..Spawn::default() };
        let other = stage.spawn(spawn).unwrap();
        let mut played = Vec::new();
        for _ in 0..60 {
            stage.step(pad(0.6, 0.0, 0));
            let human = &stage.humans.people[other];
            if human.held & held::STEP != 0 && played.last() != Some(&human.playing) {
                played.push(human.playing);
            }
        }
        println!("facing {heading}: {played:?}");
        assert_eq!(played.first(), Some(&clip), "facing {heading}");
    }
}
