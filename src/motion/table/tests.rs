//! What a table makes of motions.

use super::build::{BOW, NOD, Row, THRUST, TableBuilder, WAVE, row, sample};
use super::*;
use crate::motion::{MotionClass, MotionState, ObjectMotions, PlayedMotion, Sequence, TablePartArray};
use alloc::vec;
use alloc::vec::Vec;
use proptest::prelude::*;

/// A table with what it plays.
struct Stage {
    table: MotionTable<'static>,
    state: MotionState,
    sequence: Sequence,
}

impl Stage {
    fn new(builder: &TableBuilder) -> Self {
        let table = builder.build().unwrap();
        let (mut state, mut sequence) = (MotionState::default(), Sequence::default());
        table.set_default_state(&mut state, &mut sequence);
        Self { table, state, sequence }
    }

    fn play(&mut self, motion: MotionId, speed: f32) -> Option<u32> {
        self.table.do_object_motion(motion, &mut self.state, &mut self.sequence, speed)
    }

    fn stop(&mut self, motion: MotionId) -> Option<u32> {
        self.table.stop_object_motion(motion, &mut self.state, &mut self.sequence)
    }

    fn clips(&self) -> Vec<u32> {
        self.sequence.animations().iter().map(|range| range.clip).collect()
    }

    fn rates(&self) -> Vec<f32> {
        self.sequence.animations().iter().map(|range| range.framerate).collect()
    }

    /// Lets every link play to its end.
    fn settle(&mut self) {
        for _ in 0..60 {
            self.sequence.update(0.1);
        }
    }
}

#[test]
fn the_default_state_plays_the_default_cycle() {
    let table = sample().build().unwrap();
    let mut parts = TablePartArray::new(Some(table));
    use crate::motion::seams::PartArray;
    assert!(!parts.has_anims());
    parts.initialize_state();
    assert!(parts.has_anims());
    assert_eq!((parts.manager.state.style, parts.manager.state.substate), (MotionId::NON_COMBAT, MotionId::READY));
    let head = parts.manager.pending_animations.front().copied().unwrap();
    assert_eq!((head.motion, head.num_anims), (MotionId::READY, 0), "one animation, which is the cycle itself");
    assert_eq!(table.set_default_state(&mut MotionState::default(), &mut Sequence::default()), Some(0));
    let empty = TableBuilder::default().build().unwrap();
    assert_eq!(empty.set_default_state(&mut MotionState::default(), &mut Sequence::default()), None);
}

#[test]
fn before_the_default_state_nothing_is_played() {
    let table = sample().build().unwrap();
    let (mut state, mut sequence) = (MotionState::default(), Sequence::default());
    assert_eq!(table.do_object_motion(MotionId::WALK_FORWARD, &mut state, &mut sequence, 1.0), None);
    assert!(!sequence.has_anims());
}

#[test]
fn a_cycle_is_reached_through_its_link() {
    let mut stage = Stage::new(&sample());
    assert_eq!(stage.play(MotionId::WALK_FORWARD, 2.0), Some(1));
    assert_eq!(stage.clips(), [20, 2]);
    assert_eq!(stage.rates(), [60.0, 60.0]);
    assert_eq!(stage.sequence.velocity, Vec3::new(0.0, 6.24, 0.0));
    assert_eq!((stage.state.substate, stage.state.substate_mod), (MotionId::WALK_FORWARD, 2.0));
    let mut stage = Stage::new(&sample());
    assert_eq!(stage.play(MotionId::CROUCH, 1.0), Some(2));
    let mut stage = Stage::new(&sample());
    assert_eq!(stage.play(MotionId::RUN_FORWARD, 1.0), Some(0), "no link, one cycle");
    assert_eq!(stage.play(MotionId(0x4000_0099), 1.0), None);
}

#[test]
fn the_same_cycle_only_changes_its_speed() {
    let mut stage = Stage::new(&sample());
    stage.play(MotionId::WALK_FORWARD, 1.0);
    assert_eq!(stage.play(MotionId::WALK_FORWARD, 0.5), Some(0));
    assert_eq!(stage.rates(), [30.0, 15.0], "links keep their rate");
    assert!((stage.sequence.velocity.y - 1.56).abs() < 1e-5);
    assert_eq!(stage.state.substate_mod, 0.5);
}

#[test]
fn walking_backwards_plays_the_way_back_in_reverse() {
    let mut stage = Stage::new(&sample());
    stage.settle();
    assert_eq!(stage.play(MotionId::WALK_FORWARD, -0.65), Some(1));
    assert_eq!(stage.clips(), [21, 2]);
    assert_eq!(stage.rates(), [30.0 * -0.65, 30.0 * -0.65]);
}

#[test]
fn a_change_of_sign_goes_through_the_default_cycle() {
    let mut stage = Stage::new(&sample());
    stage.play(MotionId::WALK_FORWARD, 1.0);
    stage.settle();
    assert_eq!(stage.play(MotionId::WALK_FORWARD, -1.0), Some(2));
    assert_eq!(stage.clips(), [2, 21, 21, 2][1..], "back to ready, then the way to walking in reverse");
    assert_eq!(stage.rates(), [30.0, -30.0, -30.0]);
}

#[test]
fn a_missing_link_is_bridged_by_the_default_cycle() {
    let mut stage = Stage::new(&sample());
    stage.play(MotionId::WALK_FORWARD, 1.0);
    stage.settle();
    assert_eq!(stage.play(MotionId::CROUCH, 1.0), Some(3));
    assert_eq!(stage.clips(), [21, 22, 23, 4]);
}

#[test]
fn a_style_wide_link_serves_every_motion() {
    for from in [MotionId::READY, MotionId::RUN_FORWARD] {
        let mut stage = Stage::new(&sample());
        stage.play(from, 1.0);
        stage.settle();
        assert_eq!(stage.play(MotionId::FALLING, 1.0), Some(1));
        assert_eq!(stage.clips(), [30, 6]);
    }
}

#[test]
fn some_cycles_begin_only_from_the_default() {
    let mut stage = Stage::new(&sample());
    stage.play(MotionId::WALK_FORWARD, 1.0);
    assert_eq!(stage.play(MotionId::SLEEPING, 1.0), None);
    stage.play(MotionId::READY, 1.0);
    assert_eq!(stage.play(MotionId::SLEEPING, 1.0), Some(1));
}

#[test]
fn a_stance_brings_its_own_default_cycle() {
    let mut stage = Stage::new(&sample());
    stage.play(MotionId::WALK_FORWARD, 1.0);
    stage.settle();
    assert_eq!(stage.play(MotionId::HAND_COMBAT, 1.0), Some(2));
    assert_eq!(stage.clips(), [21, 27, 11], "to ready, to the stance, its cycle");
    assert_eq!((stage.state.style, stage.state.substate), (MotionId::HAND_COMBAT, MotionId::READY));
    assert_eq!(stage.play(MotionId::HAND_COMBAT, 1.0), Some(0));
    stage.settle();
    assert_eq!(stage.play(BOW, 1.0), Some(2), "no direct way: through the table's default stance");
    assert_eq!(stage.clips(), [28, 29, 12]);
    assert_eq!(stage.play(MotionId(0x8000_0049), 1.0), None, "a stance that the table does not have");
    stage.settle();
    assert_eq!(stage.play(MotionId::WALK_FORWARD, 1.0), Some(0), "a missing cycle is the default stance's");
}

#[test]
fn an_action_plays_over_its_cycle_and_returns_to_it() {
    let mut stage = Stage::new(&sample());
    assert_eq!(stage.play(THRUST, 1.5), Some(1));
    assert_eq!(stage.clips(), [26, 1]);
    assert_eq!(stage.rates(), [45.0, 30.0]);
    assert_eq!(stage.state.actions.as_slice(), [PlayedMotion { motion: THRUST, speed: 1.5 }]);
    assert_eq!(stage.state.substate, MotionId::READY);

    let mut stage = Stage::new(&sample());
    stage.play(MotionId::WALK_FORWARD, 1.0);
    stage.settle();
    assert_eq!(stage.play(THRUST, 1.0), Some(3), "there, the action, and back");
    assert_eq!(stage.clips(), [21, 26, 20, 2]);
    assert_eq!(stage.play(MotionId(0x1000_0099), 1.0), None);
    assert_eq!(stage.state.actions.len(), 1);
}

#[test]
fn modifiers_add_up_and_come_off_again() {
    let mut stage = Stage::new(&sample());
    stage.play(MotionId::WALK_FORWARD, 1.0);
    assert_eq!(stage.play(MotionId::TURN_RIGHT, -1.0), Some(0));
    assert_eq!(stage.sequence.omega, Vec3::new(0.0, 0.0, 1.5));
    assert_eq!(stage.play(WAVE, 1.0), Some(0));
    assert!((stage.sequence.velocity.y - 3.62).abs() < 1e-5);
    assert_eq!(stage.play(MotionId::TURN_RIGHT, 2.0), Some(0), "asked for again it is replaced");
    assert_eq!(stage.sequence.omega, Vec3::new(0.0, 0.0, -3.0));
    assert_eq!(stage.stop(MotionId::TURN_RIGHT), Some(0));
    assert_eq!(stage.sequence.omega, Vec3::ZERO);
    assert_eq!(stage.stop(MotionId::TURN_RIGHT), None);
    assert_eq!(stage.state.modifiers(), [PlayedMotion { motion: WAVE, speed: 1.0 }]);
    assert_eq!(stage.play(MotionId::CROUCH, 1.0), Some(3));
    assert!(stage.state.modifiers().is_empty(), "crouching ends modifiers");
    assert_eq!(stage.play(MotionId::TURN_RIGHT, 1.0), None, "and lets none begin");
}

#[test]
fn a_modifier_stays_on_when_the_cycle_changes() {
    let mut stage = Stage::new(&sample());
    stage.play(MotionId::TURN_RIGHT, 1.0);
    stage.play(MotionId::WALK_FORWARD, 1.0);
    assert_eq!(stage.sequence.omega, Vec3::new(0.0, 0.0, -1.5));
    assert_eq!(stage.sequence.velocity, Vec3::new(0.0, 3.12, 0.0));
}

#[test]
fn of_two_modifiers_only_the_newest_is_played_again() {
    let mut stage = Stage::new(&sample());
    stage.play(WAVE, 1.0);
    stage.play(NOD, 1.0);
    stage.play(MotionId::RUN_FORWARD, 1.0);
    // Twice a quarter, none of the half: the original plays the newest one again once for each.
    assert!((stage.sequence.velocity.y - 4.5).abs() < 1e-5, "{}", stage.sequence.velocity.y);
    assert_eq!(stage.state.modifiers().len(), 2);
}

#[test]
fn a_stopped_cycle_returns_to_the_default_one() {
    let mut stage = Stage::new(&sample());
    stage.play(MotionId::WALK_FORWARD, 1.0);
    stage.settle();
    assert_eq!(stage.stop(MotionId::CROUCH), None);
    assert_eq!(stage.stop(MotionId::WALK_FORWARD), Some(1));
    assert_eq!(stage.clips(), [21, 1]);
    assert_eq!(stage.state.substate, MotionId::READY);
    assert_eq!(stage.stop(MotionId::READY), Some(0), "stopping the default cycle is its fast path");
}

#[test]
fn a_full_stop_takes_modifiers_and_cycle_off() {
    let mut stage = Stage::new(&sample());
    stage.play(MotionId::WALK_FORWARD, 1.0);
    stage.play(WAVE, 1.0);
    stage.play(MotionId::TURN_RIGHT, 1.0);
    stage.settle();
    assert_eq!(stage.table.stop_object_completely(&mut stage.state, &mut stage.sequence), 1);
    assert!(stage.state.modifiers().is_empty());
    assert_eq!((stage.sequence.velocity, stage.sequence.omega), (Vec3::ZERO, Vec3::ZERO));
    // A modifier that the table does not know must not keep the stop from ending.
    stage.state.push_modifier(MotionId(0x2000_0777), 1.0);
    assert_eq!(stage.table.stop_object_completely(&mut stage.state, &mut stage.sequence), 0);
    assert!(stage.state.modifiers().is_empty());
}

#[test]
fn a_cycle_that_was_a_modifier_keeps_playing_as_one() {
    let builder = sample().cycle(MotionId::NON_COMBAT, MotionId::TURN_RIGHT, row(&[40]).turning(-1.0));
    let mut stage = Stage::new(&builder);
    assert_eq!(stage.play(MotionId::TURN_RIGHT, 1.0), Some(0));
    assert_eq!(stage.state.substate, MotionId::TURN_RIGHT);
    assert_eq!(stage.play(MotionId::READY, 1.0), Some(0), "the default does not end a turn on the spot");
    assert_eq!(stage.state.substate, MotionId::TURN_RIGHT);
    stage.play(MotionId::WALK_FORWARD, 1.0);
    assert!(stage.sequence.has_anims());
    assert_eq!(stage.stop(MotionId::TURN_RIGHT).map(|_| stage.state.substate), Some(MotionId::READY));
}

#[test]
fn a_table_of_modifiers_that_are_cycles_ends() {
    let mut builder = sample();
    for motion in [WAVE, NOD, MotionId::TURN_RIGHT, MotionId::SIDE_STEP_RIGHT] {
        let both = MotionId(motion.0 | MotionClass::SUB_STATE.0);
        builder = builder.cycle(MotionId::NON_COMBAT, both, row(&[50])).modifier(None, both, row(&[]));
    }
    let mut stage = Stage::new(&builder);
    for _ in 0..20 {
        for motion in [WAVE, NOD, MotionId::TURN_RIGHT, MotionId::SIDE_STEP_RIGHT] {
            stage.play(MotionId(motion.0 | MotionClass::SUB_STATE.0), 1.0);
        }
    }
    assert!(stage.state.modifiers().len() <= crate::motion::MAX_MODIFIERS);
}

#[test]
fn speeds_that_are_no_numbers_are_refused() {
    let mut stage = Stage::new(&sample());
    for speed in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(stage.play(MotionId::WALK_FORWARD, speed), None);
    }
    assert_eq!(stage.state.substate, MotionId::READY);
}

#[test]
fn damaged_tables_are_refused() {
    let words = sample().words();
    let damaged = |at: usize, value: u32| {
        let mut words = words.clone();
        words[at] = value;
        MotionTable::parse(Vec::leak(words)).err()
    };
    assert_eq!(MotionTable::parse(&words[..9]).err(), Some(TableError::NotATable));
    assert_eq!(damaged(0, 0), Some(TableError::NotATable));
    assert_eq!(damaged(1, 9), Some(TableError::UnknownVersion(9)));
    assert_eq!(damaged(5, u32::MAX), Some(TableError::WrongLength));
    assert_eq!(MotionTable::parse(&words[..words.len() - 1]).err(), Some(TableError::WrongLength));
    assert_eq!(damaged(HEADER_WORDS, 0xffff_ffff), Some(TableError::NotSorted));
    let first_cycle_motion = HEADER_WORDS + 2 * words[3] as usize + 1;
    assert_eq!(damaged(first_cycle_motion, 10_000), Some(TableError::DanglingReference));
}

#[test]
fn every_id_that_is_named_in_full_is_listed() {
    let ids: Vec<_> = sample().build().unwrap().ids().collect();
    assert!(ids.contains(&THRUST) && ids.contains(&BOW) && ids.contains(&MotionId::READY));
}

fn any_motion() -> impl Strategy<Value = MotionId> {
    prop::sample::select(vec![
        MotionId::READY,
        MotionId::WALK_FORWARD,
        MotionId::RUN_FORWARD,
        MotionId::CROUCH,
        MotionId::FALLING,
        MotionId::TURN_RIGHT,
        MotionId::NON_COMBAT,
        MotionId::HAND_COMBAT,
        BOW,
        THRUST,
        WAVE,
        NOD,
        MotionId(0x6000_0092),
        MotionId(0xf000_0093),
    ])
}

proptest! {
    // Whatever a table says, playing it ends and stays within bounds.
    #[test]
    fn any_table_can_be_played(
        defaults in prop::collection::vec((any_motion(), any_motion()), 1..4),
        cycles in prop::collection::vec((any_motion(), any_motion(), 0usize..3, 0u32..4), 0..20),
        modifiers in prop::collection::vec((any_motion(), 0usize..2), 0..8),
        links in prop::collection::vec((any_motion(), any_motion(), any_motion(), 0usize..3), 0..30),
        plays in prop::collection::vec((any_motion(), -3.0f32..3.0, prop::bool::ANY), 0..40),
    ) {
        let clips = [60, 61, 62];
        let mut builder = TableBuilder::default().style(MotionId::NON_COMBAT, MotionId::READY);
        for (style, default) in defaults {
            builder = builder.style(style, default);
        }
        for (style, motion, n, flags) in cycles {
            builder = builder.cycle(style, motion, Row { flags, ..row(&clips[..n]) });
        }
        for (motion, n) in modifiers {
            builder = builder.modifier(None, motion, row(&clips[..n]));
        }
        for (style, from, to, n) in links {
            builder = builder.link(style, from, to, row(&clips[..n]));
        }
        let mut stage = Stage::new(&builder);
        for (motion, speed, stop) in plays {
            if stop {
                stage.stop(motion);
            } else {
                stage.play(motion, speed);
            }
            stage.sequence.update(0.05);
            while stage.sequence.next_hook().is_some() {}
        }
        stage.table.stop_object_completely(&mut stage.state, &mut stage.sequence);
        prop_assert!(stage.state.modifiers().is_empty() || stage.state.style.is_none() || stage.sequence.len() <= 32);
    }

    #[test]
    fn any_words_are_read_or_refused(mut words in prop::collection::vec(0u32..8, 0..60)) {
        if words.len() > 2 {
            (words[0], words[1]) = (MAGIC, VERSION);
        }
        let words: &'static [u32] = Vec::leak(words);
        if let Ok(table) = MotionTable::parse(words) {
            let mut stage = Stage { table, state: MotionState::default(), sequence: Sequence::default() };
            stage.table.set_default_state(&mut stage.state, &mut stage.sequence);
            stage.play(MotionId(3), 1.0);
        }
    }
}
