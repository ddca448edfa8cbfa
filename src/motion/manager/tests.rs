//! What the manager hands on, and to whom.

use super::*;
use crate::maths::Vec3;
use crate::motion::bench::{Bench, BenchBody};
use crate::motion::interp::MotionNode;
use crate::motion::state::ActionNode;
use crate::motion::{MotionId, MovementParameters, Position};

/// A manager without either part.
fn fresh() -> Bench {
    Bench { movement: MovementManager::new(), ..Bench::accepting() }
}

fn movement(movement_type: MovementType) -> Movement {
    Movement { movement_type, motion: MotionId::WALK_FORWARD, ..Default::default() }
}

/// To a place ten metres ahead.
fn walk() -> Movement {
    let ahead = Position { point: Vec3::new(0.0, 10.0, 0.0), heading: 0.0 };
    Movement { position: ahead, ..movement(MovementType::MoveToPosition) }
}

#[test]
fn parts_are_made_when_they_are_needed() {
    let made = |act: &dyn Fn(&mut Mover<'_>)| {
        let mut bench = fresh();
        act(&mut bench.mover());
        let initted = bench.movement.interpreter.initted;
        (bench.movement.has_interpreter, initted, bench.movement.has_move_to)
    };
    let interpreter = (true, true, false);
    assert_eq!(made(&|_| {}), (false, false, false));
    assert_eq!(made(&|m| assert_eq!(m.perform_movement(&movement(MovementType::RawCommand)), Ok(()))), interpreter);
    assert_eq!(made(&|m| assert!(m.move_to_interpreted_state(&Default::default()))), interpreter);
    assert_eq!(made(&|m| assert_eq!(*m.raw_motion_state(), Default::default())), interpreter);
    assert_eq!(made(&|m| assert_eq!(*m.interpreted_motion_state(), Default::default())), interpreter);
    assert_eq!(made(&|m| assert!(m.ensure_interpreter().initted)), interpreter);
    assert_eq!(made(&|m| m.ensure_move_to()), (false, false, true));
    assert_eq!(made(&|m| assert_eq!(m.perform_movement(&walk()), Ok(()))), (true, true, true));

    let mut bench = fresh();
    assert!(!bench.movement.motions_pending() && !bench.movement.is_moving_to());
    bench.mover().perform_movement(&walk()).unwrap();
    assert!(bench.movement.is_moving_to());
    bench.mover().add_to_queue(0, MotionId::READY, None);
    assert!(bench.movement.motions_pending());
    bench.body = None;
    bench.movement = MovementManager::new();
    bench.mover().ensure_interpreter();
    assert!(!bench.movement.interpreter.initted, "without a body there is no default state");
    // The states are the interpreter's own, not copies of defaults.
    bench.movement.interpreter.raw_state.turn_speed = 3.0;
    bench.movement.interpreter.interpreted_state.turn_speed = 4.0;
    let mut mover = bench.mover();
    assert_eq!((mover.raw_motion_state().turn_speed, mover.interpreted_motion_state().turn_speed), (3.0, 4.0));
}

// Case 9.
#[test]
fn unknown_movements_fail_after_waking_the_body() {
    for number in [0, 10, 99] {
        let mut bench = fresh();
        let result = bench.mover().perform_movement(&movement(MovementType::from_number(number)));
        assert_eq!(result, Err(MotionError::GeneralMovementFailure));
        assert!(bench.body.as_ref().unwrap().active);
        assert_eq!(bench.trace.0.as_slice(), [Call::SetActive]);
    }
}

#[test]
fn a_fresh_manager_enters_the_default_state_twice() {
    let queued = |gravity| {
        let mut bench = fresh();
        bench.body = Some(BenchBody { gravity, ..Default::default() });
        bench.mover().enter_default_state();
        let first = bench.movement.interpreter.pending_motions.len();
        bench.mover().enter_default_state();
        (first, bench.movement.interpreter.pending_motions.len())
    };
    assert_eq!(queued(false), (2, 3), "twice when it makes the interpreter, once after");
    // Under gravity each entry leaves the ground, which completes what came before and plays four motions.
    assert_eq!(queued(true), (4, 4));
    let mut bench = fresh();
    bench.body = None;
    bench.mover().enter_default_state();
    assert!(!bench.movement.has_interpreter);
}

#[test]
fn cancelling_reaches_a_running_move_to() {
    let mut bench = fresh();
    bench.mover().cancel_move_to(MotionError::ActionCancelled);
    assert!(!bench.movement.has_move_to && bench.trace.0.is_empty());
    bench.mover().perform_movement(&walk()).unwrap();
    bench.mover().cancel_move_to(MotionError::ActionCancelled);
    assert!(!bench.movement.is_moving_to());
}

#[test]
fn ground_and_time_reach_a_made_move_to() {
    let mut bench = fresh();
    bench.mover().use_time();
    bench.mover().hit_ground();
    assert!(bench.trace.0.is_empty(), "neither part was made");
    bench.mover().perform_movement(&walk()).unwrap();
    bench.body.as_mut().unwrap().position.point = Vec3::new(0.0, 9.9, 0.0);
    bench.mover().check_for_completed_motions();
    bench.mover().use_time();
    assert!(!bench.movement.is_moving_to(), "it has arrived");

    let mut bench = fresh();
    bench.mover().perform_movement(&walk()).unwrap();
    bench.trace.0.clear();
    bench.mover().hit_ground();
    let walks = bench.trace.0.iter().filter(|c| **c == Call::DoInterpretedMotion(MotionId::WALK_FORWARD, 1.0)).count();
    assert_eq!(walks, 2, "the interpreter plays its state, then move-to begins its node anew");
}

#[test]
fn without_an_interpreter_events_are_dropped() {
    let events: [fn(&mut Mover<'_>); 4] =
        [|m| m.motion_done(true), |m| m.leave_ground(), |m| m.report_exhaustion(), |m| m.handle_exit_world()];
    for event in events {
        let mut bench = fresh();
        bench.movement.interpreter.initted = true;
        bench.movement.interpreter.pending_motions.push(MotionNode::default());
        event(&mut bench.mover());
        assert!(bench.trace.0.is_empty());
        assert_eq!(bench.movement.interpreter.pending_motions.len(), 1);
        bench.movement.has_interpreter = true;
        event(&mut bench.mover());
        let pending = bench.movement.interpreter.pending_motions.len();
        assert!(!bench.trace.0.is_empty() || pending == 0, "with an interpreter the event arrives");
    }
}

#[test]
fn entering_the_world_changes_nothing() {
    let mut bench = fresh();
    bench.mover().perform_movement(&walk()).unwrap();
    bench.trace.0.clear();
    let before = bench.movement.clone();
    bench.mover().handle_enter_world();
    assert_eq!(bench.movement, before);
}

#[test]
fn leaving_the_world_drains_only_the_interpreter() {
    let mut bench = fresh();
    bench.mover().perform_movement(&walk()).unwrap();
    bench.mover().add_to_queue(0, MotionId::READY, None);
    bench.mover().handle_exit_world();
    assert!(!bench.movement.motions_pending() && bench.movement.is_moving_to());
}

#[test]
fn destroying_forgets_both_parts() {
    let mut bench = fresh();
    bench.mover().perform_movement(&walk()).unwrap();
    let node = ActionNode { motion: MotionId(0x1000_0058), ..Default::default() };
    bench.movement.interpreter.raw_state.actions.push(node);
    bench.movement.destroy();
    assert_eq!(bench.movement, MovementManager::new());
}

#[test]
fn a_full_stop_through_the_manager_always_succeeds() {
    let mut bench = fresh();
    bench.mover().perform_movement(&movement(MovementType::InterpretedCommand)).unwrap();
    bench.mover().stop_completely();
    assert!(bench.movement.interpreter.interpreted_state.is_idle());
    assert!(!bench.movement.motions_pending(), "nodes without animations are done at once");
    assert_eq!(MovementParameters::default().context_id, 0);
}
