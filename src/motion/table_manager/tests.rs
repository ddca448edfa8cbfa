//! Counting animations, completing nodes, dropping redundant links.

use super::*;
use crate::motion::bench::{Bench, BenchTable};
use crate::motion::seams::{Call, PartArray, TableMovement};
use crate::motion::table::build::{PUNCH, sample};
use crate::motion::{AnimRange, HoldKey, MotionError, MovementParameters, Sequence, TablePartArray};
use alloc::vec;
use alloc::vec::Vec;

const W: MotionId = MotionId::WALK_FORWARD;
const R: MotionId = MotionId::RUN_FORWARD;
const A: MotionId = MotionId(0x1000_0058);
const S: MotionId = MotionId::HAND_COMBAT;
const MODIFIER: MotionId = MotionId(0x2000_0099);

fn with_nodes(nodes: &[(MotionId, u32)]) -> Bench {
    let mut bench = Bench::accepting();
    let manager = &mut bench.parts.as_mut().unwrap().manager;
    for &(motion, num_anims) in nodes {
        manager.pending_animations.push(AnimationNode { motion, num_anims });
        if motion.is_action() {
            manager.state.add_action(motion, 1.0);
        }
    }
    bench
}

fn manager(bench: &mut Bench) -> &mut MotionTableManager {
    &mut bench.parts.as_mut().unwrap().manager
}

fn counts(manager: &MotionTableManager) -> Vec<u32> {
    manager.pending_animations.iter().map(|node| node.num_anims).collect()
}

/// Completions since the last look.
fn done(bench: &mut Bench) -> Vec<(MotionId, bool)> {
    let seen = bench.trace.0.iter().filter_map(|call| match call {
        Call::MotionDone(motion, success) => Some((*motion, *success)),
        _ => None,
    });
    let seen = seen.collect();
    bench.trace.0.clear();
    seen
}

// Case 61.
#[test]
fn animation_ticks_complete_nodes_in_order() {
    let mut bench = with_nodes(&[(W, 1), (R, 0)]);
    bench.mover().animation_done(true);
    assert_eq!(done(&mut bench), [(W, true), (R, true)]);
    assert_eq!(manager(&mut bench).animation_counter, 0);

    let mut bench = with_nodes(&[(W, 3)]);
    let mut seen = Vec::new();
    for _ in 0..3 {
        bench.mover().animation_done(true);
        seen.push((manager(&mut bench).animation_counter, done(&mut bench).len()));
    }
    assert_eq!(seen, [(1, 0), (2, 0), (0, 1)]);

    let mut bench = with_nodes(&[(W, 1), (R, 5)]);
    bench.mover().animation_done(true);
    assert_eq!(done(&mut bench), [(W, true)]);
    assert_eq!((manager(&mut bench).animation_counter, manager(&mut bench).pending_animations.len()), (0, 1));

    let mut bench = with_nodes(&[]);
    bench.mover().animation_done(true);
    assert_eq!((manager(&mut bench).animation_counter, done(&mut bench).len()), (0, 0));
}

// Case 62.
#[test]
fn nodes_without_animations_complete_at_once() {
    let mut bench = with_nodes(&[(W, 0), (R, 2)]);
    manager(&mut bench).animation_counter = 1;
    bench.mover().check_for_completed_motions();
    assert_eq!(done(&mut bench), [(W, true)]);
    assert_eq!((manager(&mut bench).animation_counter, counts(manager(&mut bench))), (1, vec![2]));
    let mut bench = with_nodes(&[(W, 4)]);
    bench.mover().parts_check_for_completed_motions();
    assert!(done(&mut bench).is_empty());
}

// Case 63.
#[test]
fn a_completed_action_leaves_the_tables_list() {
    let mut bench = with_nodes(&[(W, 0), (A, 1)]);
    bench.mover().parts_check_for_completed_motions();
    assert_eq!(manager(&mut bench).state.actions.len(), 1);
    bench.mover().animation_done(true);
    assert!(manager(&mut bench).state.actions.is_empty());
}

#[test]
fn leaving_the_world_drains_the_table() {
    let mut bench = with_nodes(&[(W, 0), (R, 0), (A, 0)]);
    bench.mover().parts_handle_exit_world();
    assert_eq!(done(&mut bench), [(W, false), (R, false), (A, false)]);
    for waits in [3, u32::MAX] {
        let mut bench = with_nodes(&[(W, waits)]);
        bench.mover().parts_handle_exit_world();
        assert_eq!(done(&mut bench), [(W, false)]);
        assert_eq!(manager(&mut bench).animation_counter, 0);
    }
}

fn with_sequence(bench: &mut Bench, clips: u32) -> &mut Sequence {
    let sequence = &mut bench.parts.as_mut().unwrap().sequence;
    for clip in 0..clips {
        sequence.append(AnimRange { clip, low_frame: 0, high_frame: 9, framerate: 30.0, hooks: (0, 0) });
    }
    sequence
}

#[test]
fn entering_the_world_strips_links_and_drains() {
    let mut bench = with_nodes(&[(W, 2)]);
    with_sequence(&mut bench, 3);
    bench.mover().parts_handle_enter_world();
    assert_eq!(done(&mut bench), [(W, false)]);
    assert_eq!(bench.parts.as_ref().unwrap().sequence.len(), 1);
    let mut bench = with_nodes(&[]);
    with_sequence(&mut bench, 3);
    bench.mover().parts_handle_enter_world();
    assert_eq!(bench.parts.as_ref().unwrap().sequence.len(), 1, "links go even when nothing waits");
}

/// The counts after the last node was added to the others.
fn added(nodes: &[(MotionId, u32)]) -> Vec<u32> {
    let mut manager = MotionTableManager::default();
    let (last, before) = nodes.split_last().unwrap();
    for &(motion, num_anims) in before {
        manager.pending_animations.push(AnimationNode { motion, num_anims });
    }
    manager.add_to_queue(last.0, last.1);
    counts(&manager)
}

// Case 64.
#[test]
fn a_repeated_cycle_drops_everything_after_its_first() {
    assert_eq!(added(&[(W, 5), (W, 3)]), [5, 0]);
    assert_eq!(added(&[(W, 5), (A, 0), (W, 3)]), [5, 0, 0]);
    assert_eq!(added(&[(W, 5), (R, 4), (W, 3)]), [5, 0, 0]);
    assert_eq!(added(&[(W, 5), (W, 0), (W, 3)]), [5, 0, 0]);
    assert_eq!(added(&[(R, 4), (W, 3)]), [4, 3]);
    let mut manager = MotionTableManager::default();
    for (motion, num_anims) in [(W, 5), (R, 4), (W, 3), (R, 2)] {
        manager.add_to_queue(motion, num_anims);
    }
    assert_eq!(counts(&manager), [5, 0, 0, 2]);
}

// Case 65.
#[test]
fn styles_modifiers_and_actions_protect_what_came_before() {
    for blocker in [MODIFIER, A, S] {
        assert_eq!(added(&[(W, 5), (blocker, 2), (W, 3)]), [5, 2, 3], "{blocker:?}");
    }
    assert_eq!(added(&[(MODIFIER, 5), (MODIFIER, 3)]), [5, 3], "a modifier drops nothing");
    assert_eq!(added(&[(A, 5), (A, 3)]), [5, 3]);
}

// Case 66.
#[test]
fn a_repeated_style_drops_what_only_waits() {
    assert_eq!(added(&[(S, 5), (A, 0), (S, 3)]), [5, 0, 0]);
    assert_eq!(added(&[(S, 5), (W, 4), (S, 3)]), [5, 4, 3]);
    assert_eq!(added(&[(S, 5), (MODIFIER, 2), (S, 3)]), [5, 2, 3]);
    assert_eq!(added(&[(S, 0), (S, 3)]), [0, 0], "a style that waits for nothing counts too");
}

// Case 67.
#[test]
fn the_sequence_loses_the_links_that_became_redundant() {
    let mut parts = TablePartArray::new(Some(BenchTable::Accept(2)));
    for clip in 0..3 {
        parts.sequence.append(AnimRange { clip, low_frame: 0, high_frame: 9, framerate: 30.0, hooks: (0, 0) });
    }
    parts.perform_movement(TableMovement::Do(W, 1.0)).unwrap();
    parts.perform_movement(TableMovement::Do(W, 1.0)).unwrap();
    assert_eq!(parts.sequence.len(), 1);
}

// Case 68.
#[test]
fn each_request_queues_its_node() {
    let mut none: TablePartArray<BenchTable> = TablePartArray::new(None);
    for movement in [TableMovement::Do(W, 1.0), TableMovement::Stop(W, 1.0), TableMovement::StopCompletely] {
        assert_eq!(none.perform_movement(movement), Err(MotionError::NoAnimationTable));
    }
    let mut refusing = TablePartArray::new(Some(BenchTable::Refuse));
    assert_eq!(refusing.perform_movement(TableMovement::Do(W, 1.0)), Err(MotionError::NoMotionData));
    assert_eq!(refusing.perform_movement(TableMovement::Stop(W, 1.0)), Err(MotionError::NoMotionData));
    assert!(refusing.manager.pending_animations.is_empty());
    assert_eq!(refusing.perform_movement(TableMovement::StopCompletely), Ok(()));
    assert_eq!(refusing.manager.pending_animations.len(), 1);

    let mut parts = TablePartArray::new(Some(sample().build().unwrap()));
    parts.initialize_state();
    parts.perform_movement(TableMovement::Do(W, 1.0)).unwrap();
    parts.perform_movement(TableMovement::Stop(W, 1.0)).unwrap();
    let nodes: Vec<_> = parts.manager.pending_animations.iter().map(|node| (node.motion, node.num_anims)).collect();
    assert_eq!(nodes, [(MotionId::READY, 0), (W, 1), (MotionId::READY, 1)]);
}

// Case 69.
#[test]
fn the_default_state_queues_ready() {
    for table in [Some(sample().build().unwrap()), None] {
        let mut parts = TablePartArray::new(table);
        parts.initialize_state();
        let ready = AnimationNode { motion: MotionId::READY, num_anims: 0 };
        assert_eq!(parts.manager.pending_animations.as_slice(), [ready]);
    }
}

// Cases 70 and 71.
#[test]
fn only_the_newest_playing_node_is_looked_at() {
    let mut bench = with_nodes(&[(W, 5), (W, 3), (R, 2)]);
    assert_eq!(manager(&mut bench).remove_redundant_links(), 0);
    assert_eq!(counts(manager(&mut bench)), [5, 3, 2]);
    assert_eq!(manager(&mut bench).truncate_animation_list(17), 0, "nothing is kept, nothing is stripped");
    assert_eq!(counts(manager(&mut bench)), [0, 0, 0]);
}

// Case 72.
#[test]
fn removing_links_empties_both_queues() {
    for num_anims in [0, 2] {
        let mut bench = Bench::accepting();
        bench.parts.as_mut().unwrap().table = Some(BenchTable::Accept(num_anims));
        let mut mover = bench.mover();
        mover.enter_default_state();
        let params = MovementParameters { hold_key: HoldKey::Run, ..Default::default() };
        mover.do_motion(W, &params).unwrap();
        mover.do_motion(A, &params).unwrap();
        mover.set_hold_run(false, true);
        mover.stop_motion(W, &params).unwrap();
        mover.do_motion(MotionId::TURN_LEFT, &params).unwrap();
        assert!(mover.queues_are_paired() && mover.movement.motions_pending());
        mover.remove_link_animations();
        assert!(!mover.movement.motions_pending());
        assert!(manager(&mut bench).pending_animations.is_empty());
        assert!(bench.movement.interpreter.interpreted_state.actions.is_empty());
    }
}

#[test]
fn a_link_that_ends_ticks_the_counter() {
    let mut parts = TablePartArray::new(Some(BenchTable::Table(sample().build().unwrap())));
    parts.initialize_state();
    let mut bench = Bench { parts: Some(parts), ..Bench::accepting() };
    bench.mover().enter_default_state();
    bench.mover().check_for_completed_motions();
    bench.mover().do_motion(W, &MovementParameters::default()).unwrap();
    assert!(bench.movement.motions_pending());
    let mut frames = 0;
    while bench.movement.motions_pending() && frames < 60 {
        bench.parts.as_mut().unwrap().update(1.0 / 30.0);
        bench.mover().process_hooks(&mut |_| {});
        frames += 1;
    }
    assert_eq!(frames, 10, "the link has ten frames");
    assert!(bench.mover().queues_are_paired());
    bench.mover().do_motion(A, &MovementParameters::default()).unwrap();
    assert_eq!(manager(&mut bench).state.actions.len(), 1);
    bench.mover().hook_anim_done();
    bench.mover().hook_anim_done();
    bench.mover().hook_anim_done();
    assert!(!bench.movement.motions_pending() && manager(&mut bench).state.actions.is_empty());
}

#[test]
fn a_full_sequence_cuts_short_what_waits_and_loses_no_completion() {
    let mut bench = Bench::accepting();
    bench.parts = Some(TablePartArray::new(Some(BenchTable::Table(sample().build().unwrap()))));
    bench.mover().enter_default_state();
    let params = MovementParameters { hold_key: HoldKey::None, ..Default::default() };
    for _ in 0..40 {
        assert_eq!(bench.mover().do_interpreted_motion(PUNCH, &params), Ok(()));
        assert!(bench.mover().queues_are_paired());
    }
    assert!(bench.trace.0.contains(&Call::QueueOverflow), "the overflow is told");
    assert!(bench.parts.as_ref().unwrap().lost() > 0);
    (0..600).for_each(|_| bench.frame(1.0 / 30.0, false));
    assert!(!bench.movement.motions_pending() && manager(&mut bench).pending_animations.is_empty());
}
