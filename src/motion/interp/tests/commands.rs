//! Giving and taking back commands.

use super::*;

// Cases 2 and 9.
#[test]
fn a_movement_ends_with_a_completion_check() {
    let movement = |movement_type| Movement { movement_type, ..Default::default() };
    let mut bench = bodiless();
    assert_eq!(bench.mover().interpreter_perform_movement(&movement(MovementType::StopCompletely)), Ok(()));
    let mut bench = grounded();
    let failure = Err(MotionError::GeneralMovementFailure);
    for not_ours in [MovementType::Invalid, MovementType::MoveToObject] {
        assert_eq!(bench.mover().interpreter_perform_movement(&movement(not_ours)), failure);
    }
    assert_eq!(calls(&bench, |call| *call == Call::CheckForCompletedMotions), 0);
    let walk = Movement { motion: MotionId::WALK_FORWARD, ..movement(MovementType::InterpretedCommand) };
    assert_eq!(bench.mover().interpreter_perform_movement(&walk), Ok(()));
    assert_eq!(bench.trace.0.iter().filter(|call| **call == Call::CheckForCompletedMotions).count(), 1);
    assert!(pending(&bench).is_empty(), "a motion without animations is done within its movement");
    for kind in [MovementType::RawCommand, MovementType::StopRawCommand, MovementType::StopInterpretedCommand] {
        let before = calls(&bench, |call| *call == Call::CheckForCompletedMotions);
        let command = Movement { motion: MotionId::WALK_FORWARD, ..movement(kind) };
        assert_eq!(bench.mover().interpreter_perform_movement(&command), Ok(()));
        assert_eq!(calls(&bench, |call| *call == Call::CheckForCompletedMotions), before + 1, "{kind:?}");
    }
}

// Case 40.
#[test]
fn a_full_stop_keeps_speeds_style_and_actions() {
    let mut bench = grounded();
    state(&mut bench).forward_command = MotionId::CROUCH;
    assert_eq!(bench.mover().interpreter_stop_completely(), Ok(()));
    assert_eq!(pending(&bench), [(0, MotionId::READY, BLOCKED)]);
    assert_eq!(calls(&bench, |call| *call == Call::RemoveLinkAnimations), 0);

    let mut bench = grounded();
    add_actions(&mut bench, 1, 1);
    bench.body.as_mut().unwrap().velocity = Vec3::X;
    let interpreted = state(&mut bench);
    interpreted.current_style = COMBAT;
    interpreted.forward_command = MotionId::RUN_FORWARD;
    (interpreted.sidestep_command, interpreted.sidestep_speed) = (MotionId::SIDE_STEP_RIGHT, 2.5);
    (interpreted.turn_command, interpreted.turn_speed) = (MotionId::TURN_RIGHT, 3.5);
    let raw = &mut bench.movement.interpreter.raw_state;
    (raw.sidestep_command, raw.sidestep_speed) = (MotionId::SIDE_STEP_LEFT, 4.5);
    (raw.turn_command, raw.turn_speed) = (MotionId::TURN_LEFT, 5.5);
    assert_eq!(bench.mover().interpreter_stop_completely(), Ok(()));
    assert_eq!(pending(&bench), [(0, MotionId::READY, None)]);
    let interpreted = state(&mut bench).clone();
    let raw = &bench.movement.interpreter.raw_state;
    assert!(interpreted.is_idle() && raw.sidestep_command.is_none() && raw.turn_command.is_none());
    assert_eq!((interpreted.forward_speed, interpreted.current_style), (1.0, COMBAT));
    assert_eq!((interpreted.sidestep_speed, interpreted.turn_speed), (2.5, 3.5));
    assert_eq!((raw.sidestep_speed, raw.turn_speed), (4.5, 5.5));
    assert_eq!((interpreted.num_actions(), raw.actions.len()), (1, 1));
    assert_eq!(bench.body.as_ref().unwrap().velocity, Vec3::X);

    let mut bench = grounded();
    bench.body.as_mut().unwrap().cell = false;
    bench.mover().interpreter_stop_completely().unwrap();
    assert_eq!(calls(&bench, |call| *call == Call::RemoveLinkAnimations), 1);
}

// Cases 41 and 42.
#[test]
fn a_played_motion_is_queued_with_its_jump_code() {
    let walk = |bench: &mut Bench, motion, params: &MovementParameters| {
        bench.mover().do_interpreted_motion(motion, params).unwrap();
        pending(bench)
    };
    let mut bench = grounded();
    assert_eq!(walk(&mut bench, MotionId::WALK_FORWARD, &p()), [(0, MotionId::WALK_FORWARD, None)]);
    let mut bench = grounded();
    state(&mut bench).forward_command = MotionId::CROUCH;
    let context = MovementParameters { context_id: 42, ..p() };
    assert_eq!(walk(&mut bench, MotionId::WALK_FORWARD, &context), [(42, MotionId::WALK_FORWARD, BLOCKED)]);
    let mut bench = grounded();
    state(&mut bench).forward_command = MotionId::CROUCH;
    assert_eq!(walk(&mut bench, THRUST, &p()), [(0, THRUST, None)]);
    let mut bench = grounded();
    let no_jump =
        MovementParameters { bits: ParameterBits::DEFAULT.with(ParameterBits::DISABLE_JUMP_DURING_LINK), ..p() };
    assert_eq!(walk(&mut bench, MotionId::WALK_FORWARD, &no_jump), [(0, MotionId::WALK_FORWARD, BLOCKED)]);
    let mut bench = grounded();
    let unmirrored = p_without(ParameterBits::MODIFY_INTERPRETED_STATE);
    assert_eq!(walk(&mut bench, MotionId::WALK_FORWARD, &unmirrored).len(), 1);
    assert_eq!(*state(&mut bench), InterpretedMotionState::default());
}

#[test]
fn a_standing_long_jump_only_notes_steps() {
    for motion in [MotionId::WALK_FORWARD, MotionId::RUN_FORWARD, MotionId::SIDE_STEP_RIGHT] {
        let mut bench = grounded();
        bench.movement.interpreter.standing_longjump = true;
        bench.mover().do_interpreted_motion(motion, &p()).unwrap();
        assert!(pending(&bench).is_empty() && table_calls(&bench) == 0);
        assert!(!state(&mut bench).is_idle());
        bench.mover().stop_interpreted_motion(motion, &p()).unwrap();
        assert!(state(&mut bench).is_idle() && table_calls(&bench) == 0);
    }
    for motion in [MotionId::TURN_RIGHT, MotionId::SIDE_STEP_LEFT] {
        let mut bench = grounded();
        bench.movement.interpreter.standing_longjump = true;
        bench.mover().do_interpreted_motion(motion, &p()).unwrap();
        assert_eq!(pending(&bench), [(0, motion, None)]);
    }
}

// Case 43.
#[test]
fn death_strips_links_first_and_a_stop_queues_ready() {
    let mut bench = grounded();
    bench.mover().do_interpreted_motion(MotionId::DEAD, &p()).unwrap();
    assert_eq!(bench.trace.0[..2], [Call::RemoveLinkAnimations, Call::DoInterpretedMotion(MotionId::DEAD, 1.0)]);
    let mut bench = grounded();
    let context = MovementParameters { context_id: 5, ..p() };
    bench.mover().stop_interpreted_motion(MotionId::WALK_FORWARD, &context).unwrap();
    assert_eq!(pending(&bench), [(5, MotionId::READY, None)]);
}

// Case 44.
#[test]
fn stopping_mirrors_the_command_as_it_was_given() {
    let mut bench = grounded();
    do_motion(&mut bench, MotionId::WALK_BACKWARDS).unwrap();
    bench.trace.0.clear();
    bench.mover().stop_motion(MotionId::WALK_BACKWARDS, &p_without(ParameterBits::MODIFY_RAW_STATE)).unwrap();
    assert_eq!(bench.movement.interpreter.raw_state.forward_command, MotionId::WALK_BACKWARDS);
    assert_eq!(calls(&bench, |c| matches!(c, Call::StopInterpretedMotion(MotionId::WALK_FORWARD, _))), 1);
    bench.mover().stop_motion(MotionId::WALK_BACKWARDS, &p()).unwrap();
    assert_eq!(bench.movement.interpreter.raw_state.forward_command, MotionId::READY);
    let mut bench = grounded();
    state(&mut bench).current_style = COMBAT;
    state(&mut bench).forward_command = MotionId::CROUCH;
    assert_eq!(bench.mover().stop_motion(MotionId::CROUCH, &p()), Ok(()));
    assert_eq!(state(&mut bench).forward_command, MotionId::READY);
}

// Case 45.
#[test]
fn commands_keep_their_form_in_the_raw_state() {
    let mut bench = grounded();
    do_motion(&mut bench, MotionId::WALK_BACKWARDS).unwrap();
    let raw = &bench.movement.interpreter.raw_state;
    assert_eq!((raw.forward_command, raw.forward_speed), (MotionId::WALK_BACKWARDS, 1.0));
    assert_eq!((state(&mut bench).forward_command, state(&mut bench).forward_speed), (MotionId::WALK_FORWARD, -0.65));

    let mut bench = grounded();
    let params = MovementParameters {
        bits: ParameterBits::DEFAULT.with(ParameterBits::AUTONOMOUS),
        context_id: 9,
        action_stamp: 7,
        ..p()
    };
    bench.mover().do_motion(ACTION, &params).unwrap();
    let node = ActionNode { motion: ACTION, speed: 1.0, stamp: 7, autonomous: true };
    assert_eq!(state(&mut bench).actions.as_slice(), [node]);
    assert_eq!(bench.movement.interpreter.raw_state.actions.as_slice(), [node]);
    assert_eq!(pending(&bench), [(9, ACTION, None)]);
}

// Cases 46 to 48.
#[test]
fn the_hold_key_and_the_cancel_come_before_the_gates() {
    let run = MovementParameters { hold_key: HoldKey::Run, ..p() };
    let mut bench = with_weenie(grounded(), creature(2.0));
    bench.mover().do_motion(MotionId::WALK_FORWARD, &run).unwrap();
    assert_eq!((state(&mut bench).forward_command, state(&mut bench).forward_speed), (MotionId::RUN_FORWARD, 2.0));
    assert_eq!(bench.movement.interpreter.raw_state.current_holdkey, HoldKey::Run);

    let mut bench = grounded();
    state(&mut bench).current_style = COMBAT;
    assert_eq!(bench.mover().do_motion(MotionId::CROUCH, &run), Err(MotionError::CannotCrouchInCombat));
    assert_eq!(bench.movement.interpreter.raw_state.current_holdkey, HoldKey::Run);
    assert_eq!(cancels(&bench), 1);

    let mut bench = grounded();
    bench.mover().do_motion(MotionId::WALK_FORWARD, &p_without(ParameterBits::CANCEL_MOVE_TO)).unwrap();
    bench.mover().stop_motion(MotionId::WALK_FORWARD, &p_without(ParameterBits::CANCEL_MOVE_TO)).unwrap();
    assert_eq!(cancels(&bench), 0);
    bench.mover().stop_motion(MotionId::WALK_FORWARD, &p()).unwrap();
    assert_eq!(cancels(&bench), 1);

    let mut bench = grounded();
    bench.mover().do_motion(MotionId::WALK_FORWARD, &p_without(ParameterBits::MODIFY_INTERPRETED_STATE)).unwrap();
    assert_eq!(*state(&mut bench), InterpretedMotionState::default());
}

#[test]
fn hold_keys_act_only_on_a_change() {
    type Press = fn(&mut Mover<'_>);
    let cases: [(&str, HoldKey, Press, HoldKey, bool); 11] = [
        ("run from none", HoldKey::None, |m| m.set_hold_key(HoldKey::Run, false), HoldKey::Run, true),
        ("run from invalid", HoldKey::Invalid, |m| m.set_hold_key(HoldKey::Run, false), HoldKey::Run, true),
        ("run again", HoldKey::Run, |m| m.set_hold_key(HoldKey::Run, false), HoldKey::Run, false),
        ("none from run", HoldKey::Run, |m| m.set_hold_key(HoldKey::None, false), HoldKey::None, true),
        ("none from invalid", HoldKey::Invalid, |m| m.set_hold_key(HoldKey::None, false), HoldKey::Invalid, false),
        ("invalid", HoldKey::Run, |m| m.set_hold_key(HoldKey::Invalid, false), HoldKey::Run, false),
        ("pressed", HoldKey::None, |m| m.set_hold_run(true, false), HoldKey::Run, true),
        ("pressed from invalid", HoldKey::Invalid, |m| m.set_hold_run(true, false), HoldKey::Run, true),
        ("pressed again", HoldKey::Run, |m| m.set_hold_run(true, false), HoldKey::Run, false),
        ("released", HoldKey::Run, |m| m.set_hold_run(false, false), HoldKey::None, true),
        ("released from invalid", HoldKey::Invalid, |m| m.set_hold_run(false, false), HoldKey::Invalid, false),
    ];
    for (name, before, press, after, acts) in cases {
        let mut bench = grounded();
        bench.movement.interpreter.initted = true;
        bench.movement.interpreter.raw_state.current_holdkey = before;
        press(&mut bench.mover());
        assert_eq!(bench.movement.interpreter.raw_state.current_holdkey, after, "{name}");
        assert_eq!(table_calls(&bench) > 0, acts, "{name}");
    }
}
