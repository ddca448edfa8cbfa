//! Blows, blocks, grabs, and who fights back.

use super::{Line, REST, START, lines, open_level, pad, play, stage, stage_on};
use boardwalk::ai::{Goal, Temper};
use boardwalk::collision::scenes::wall;
use boardwalk::human::Spawn;
use boardwalk::human::numbers::{AnimState, state};
use boardwalk::human::stage::Stage;
use boardwalk::maths::Vec3;
use boardwalk::pads::button::{CIRCLE, L1, L2, R1, SQUARE};
use boardwalk::tasks::humans::gates::held;

pub fn enemy(stage: &mut Stage, y: f32) -> usize {
    let spawn = Spawn { position: START + Vec3::Y * y, heading: std::f32::consts::PI, gang: 1, ..Spawn::default() };
    stage.spawn(spawn).unwrap()
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
        blocks_on(&mut stage, other);
        stage.step(pad(0.0, 0.0, if update == 10 { SQUARE } else { 0 }));
    }
    assert_eq!(stage.humans.people[other].health, 100);
}

/// Somebody without a brain goes on blocking what comes from ahead.
fn blocks_on(stage: &mut Stage, other: usize) {
    stage.tasks.humans.records.set_command(other, 4);
    let human = &mut stage.humans.people[other];
    (human.asked.stance, human.asked.heading) = (true, std::f32::consts::PI);
    human.set(state::BLOCKING | state::STANCE, true);
}

#[test]
fn whose_blow_was_blocked_gives_way_and_can_be_answered() {
    let mut stage = stage();
    let other = enemy(&mut stage, 1.0);
    let mut seen = Vec::new();
    for update in 0..40 {
        if update < 24 {
            blocks_on(&mut stage, other);
        } else if update == 24 {
            stage.humans.attack(other, 12);
        }
        stage.step(pad(0.0, 0.0, if update % 7 == 4 { SQUARE } else { 0 }));
        let human = &stage.humans.people[0];
        seen.push((human.playing, human.held, human.health));
    }
    println!("{seen:?}");
    let gives_way = seen.iter().position(|(playing, ..)| *playing == 284).unwrap();
    assert!(gives_way < 10, "no second blow comes: {seen:?}");
    let held = seen.iter().filter(|(playing, held, _)| *playing == 284 && *held & held::KNOCK_BACK != 0).count();
    assert!((12..=21).contains(&held) && !seen.iter().any(|(playing, ..)| *playing == 16), "{held} steps: {seen:?}");
    assert_eq!((seen[39].2, stage.humans.people[other].health), (95, 100), "the answer meets who gives way");
}

#[test]
fn a_block_ends_with_r1_whatever_else_is_held() {
    let mut stage = stage();
    lines(&mut stage, 3, REST);
    let blocks = |stage: &Stage| stage.humans.people[0].is(state::BLOCKING);
    for other in [L1, L2] {
        lines(&mut stage, 20, pad(0.0, 0.0, R1));
        assert!(blocks(&stage));
        lines(&mut stage, 2, pad(0.0, 0.0, other));
        assert!(!blocks(&stage), "{other:#x}");
        lines(&mut stage, 10, REST);
    }
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
        stage.brains.enable(other, Temper::Civilian, Goal::Idle);
        for n in 0..300u16 {
            let buttons = if n.is_multiple_of(37) { SQUARE } else { 0 };
            stage.step(pad(if n % 90 < 60 { 1.0 } else { 0.0 }, f32::from(n * 3), buttons));
        }
        let human = &stage.humans.people[0];
        (human.position.to_array().map(f32::to_bits), human.heading.to_bits(), stage.humans.people[other].health)
    };
    assert_eq!(run(), run());
}
