//! Motions in flight and their completion.

use super::*;

#[test]
fn a_fresh_interpreter_knows_its_defaults() {
    let mut bench = grounded();
    queue(&mut bench, &[(1, ACTION, None)]);
    bench.movement.interpreter.my_run_rate = 3.0;
    bench.mover().create_interpreter();
    let fresh = &bench.movement.interpreter;
    assert!(bench.movement.has_interpreter && !fresh.initted && !fresh.motions_pending() && !fresh.standing_longjump);
    assert_eq!((fresh.my_run_rate, fresh.current_speed_factor, fresh.jump_extent), (1.0, 1.0, 0.0));
    assert_eq!(fresh.raw_state.current_holdkey, HoldKey::None);
    assert_eq!(fresh.raw_state.forward_holdkey, HoldKey::Invalid);
    assert_eq!(fresh.style(), MotionId::NON_COMBAT);
    assert_eq!(table_calls(&bench), 0, "nothing is re-applied before the default state");
}

// Case 36.
#[test]
fn nodes_leave_in_the_order_they_came() {
    let mut bench = grounded();
    assert!(!bench.movement.interpreter.motions_pending());
    let nodes = [(7, MotionId::WALK_FORWARD, None), (8, MotionId::READY, BLOCKED), (9, MotionId::TURN_RIGHT, None)];
    for (context, motion, code) in nodes {
        bench.mover().add_to_queue(context, motion, code);
    }
    assert_eq!(pending(&bench), nodes);
    assert!(bench.movement.interpreter.motions_pending());
    bench.mover().motion_done(false);
    assert_eq!(pending(&bench), nodes[1..]);
    bench.mover().interpreter_motion_done();
    bench.mover().interpreter_motion_done();
    bench.mover().interpreter_motion_done();
    assert!(pending(&bench).is_empty());
    queue(&mut bench, &nodes);
    bench.body = None;
    bench.mover().interpreter_motion_done();
    assert_eq!(pending(&bench), nodes, "without a body nothing is done");
}

#[test]
fn a_full_queue_is_reported() {
    let mut bench = grounded();
    for _ in 0..MAX_PENDING + 2 {
        bench.mover().add_to_queue(0, MotionId::READY, None);
    }
    assert_eq!(bench.movement.interpreter.pending_motions.len(), MAX_PENDING);
    assert_eq!(calls(&bench, |call| *call == Call::QueueOverflow), 2);

    let mut bench = grounded();
    add_actions(&mut bench, crate::motion::state::MAX_ACTIONS, 0);
    bench.mover().do_interpreted_motion(ACTION, &p()).unwrap();
    assert_eq!(state(&mut bench).actions.lost(), 1);
    assert_eq!(calls(&bench, |call| *call == Call::QueueOverflow), 1);
}

// Cases 37 and 38.
#[test]
fn a_done_action_leaves_both_states() {
    let mut bench = grounded();
    add_actions(&mut bench, 2, 2);
    queue(&mut bench, &[(0, ACTION, None), (0, MotionId::READY, None), (0, ACTION, None), (0, ACTION, None)]);
    let counts = |bench: &Bench| {
        let interpreter = &bench.movement.interpreter;
        (interpreter.interpreted_state.num_actions(), interpreter.raw_state.actions.len())
    };
    let mut seen = Vec::new();
    for _ in 0..4 {
        bench.mover().interpreter_motion_done();
        seen.push(counts(&bench));
    }
    assert_eq!(seen, [(1, 1), (1, 1), (0, 0), (0, 0)]);
    assert_eq!(calls(&bench, |call| *call == Call::UnstickFromObject), 3);

    let mut bench = grounded();
    add_actions(&mut bench, 2, 0);
    queue(&mut bench, &[(0, ACTION, None)]);
    bench.mover().interpreter_motion_done();
    assert_eq!(counts(&bench), (1, 0));
}

// Case 39.
#[test]
fn leaving_the_world_drains_the_queue() {
    let mut bench = grounded();
    add_actions(&mut bench, 2, 2);
    queue(&mut bench, &[(0, MotionId::READY, None), (0, ACTION, None), (0, ACTION, None)]);
    bench.mover().interpreter_handle_exit_world();
    assert!(pending(&bench).is_empty() && state(&mut bench).actions.is_empty());
    assert!(bench.movement.interpreter.raw_state.actions.is_empty());
    assert_eq!(calls(&bench, |call| *call == Call::UnstickFromObject), 2);

    let mut bench = bodiless();
    add_actions(&mut bench, 1, 1);
    queue(&mut bench, &[(0, ACTION, None)]);
    bench.mover().interpreter_handle_exit_world();
    assert!(pending(&bench).is_empty());
    assert_eq!(state(&mut bench).num_actions(), 1, "without a body only the nodes go");
    assert!(bench.trace.0.is_empty());
}

#[test]
fn a_destroyed_interpreter_completes_nothing() {
    let mut bench = grounded();
    add_actions(&mut bench, 1, 1);
    queue(&mut bench, &[(0, ACTION, None)]);
    bench.movement.interpreter.destroy();
    assert!(pending(&bench).is_empty());
    assert_eq!(state(&mut bench).num_actions(), 1);
}

#[test]
fn the_default_state_queues_behind_what_is_in_flight() {
    let mut bench = grounded();
    bench.body.as_mut().unwrap().gravity = false;
    queue(&mut bench, &[(3, ACTION, None)]);
    state(&mut bench).forward_command = MotionId::CROUCH;
    bench.movement.interpreter.my_run_rate = 2.0;
    bench.mover().interpreter_enter_default_state();
    assert_eq!(pending(&bench), [(3, ACTION, None), (0, MotionId::READY, None)]);
    assert_eq!(*state(&mut bench), InterpretedMotionState::default());
    assert!(bench.movement.interpreter.initted && bench.movement.interpreter.my_run_rate == 2.0);
    assert_eq!(bench.parts.as_ref().unwrap().manager.pending_animations.len(), 1);

    let mut bench = grounded();
    bench.mover().interpreter_enter_default_state();
    assert_eq!(calls(&bench, |call| matches!(call, Call::SetLocalVelocity(..))), 1, "it counts as leaving the ground");
    assert!(bench.mover().queues_are_paired());
}

#[test]
fn motions_that_no_node_completes_are_counted() {
    for (parts, count) in [(Some(TablePartArray::new(None)), 1), (None, 2)] {
        let mut bench = grounded();
        bench.body.as_mut().unwrap().gravity = false;
        bench.parts = parts;
        bench.mover().interpreter_enter_default_state();
        bench.mover().check_for_completed_motions();
        bench.mover().interpreter_stop_completely().unwrap();
        assert_eq!(bench.movement.interpreter.unpaired_motions, count);
        bench.mover().check_for_completed_motions();
        assert_eq!(pending(&bench).len(), count as usize, "and wait for ever");
        assert!(!bench.mover().queues_are_paired());
        bench.mover().handle_exit_world();
        assert_eq!(bench.movement.interpreter.unpaired_motions, 0);
    }
    let mut bench = grounded();
    bench.mover().interpreter_enter_default_state();
    bench.mover().interpreter_stop_completely().unwrap();
    assert_eq!(bench.movement.interpreter.unpaired_motions, 0);
}
