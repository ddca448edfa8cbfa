//! Velocities, folding, and playing a state again.

use super::*;

#[test]
fn commands_fold_into_right_and_forward() {
    let adjusted = |weenie: Option<BenchWeenie>, motion, speed, key| {
        let mut bench = grounded();
        bench.weenie = weenie;
        let (mut motion, mut speed) = (motion, speed);
        bench.mover().adjust_motion(&mut motion, &mut speed, key);
        (motion, speed)
    };
    let close = |(motion, speed): (MotionId, f32), wanted: (MotionId, f32)| {
        assert_eq!(motion, wanted.0);
        assert!((speed - wanted.1).abs() < 1e-5, "{motion:?} at {speed}, not {}", wanted.1);
    };
    let (none, run) = (HoldKey::None, HoldKey::Run);
    let rate = || Some(creature(2.0));
    close(adjusted(None, MotionId::WALK_BACKWARDS, 1.0, none), (MotionId::WALK_FORWARD, -0.65));
    close(adjusted(None, MotionId::TURN_LEFT, 2.0, none), (MotionId::TURN_RIGHT, -2.0));
    close(adjusted(None, MotionId::SIDE_STEP_LEFT, 1.0, none), (MotionId::SIDE_STEP_RIGHT, -1.248));
    close(adjusted(None, MotionId::SIDE_STEP_RIGHT, 1.0, none), (MotionId::SIDE_STEP_RIGHT, 1.248));
    close(adjusted(rate(), MotionId::RUN_FORWARD, 1.5, run), (MotionId::RUN_FORWARD, 1.5));
    close(adjusted(rate(), MotionId::WALK_FORWARD, 1.0, run), (MotionId::RUN_FORWARD, 2.0));
    close(adjusted(rate(), MotionId::WALK_BACKWARDS, 1.0, run), (MotionId::WALK_FORWARD, -1.3));
    close(adjusted(rate(), MotionId::TURN_LEFT, 1.0, run), (MotionId::TURN_RIGHT, -1.5));
    close(adjusted(rate(), MotionId::SIDE_STEP_LEFT, 1.0, run), (MotionId::SIDE_STEP_RIGHT, -2.496));
    close(adjusted(Some(creature(4.0)), MotionId::SIDE_STEP_LEFT, 1.0, run), (MotionId::SIDE_STEP_RIGHT, -3.0));
    close(adjusted(None, MotionId::WALK_FORWARD, 1.0, run), (MotionId::RUN_FORWARD, 1.0));
    let thing = BenchWeenie { creature: false, ..creature(2.0) };
    close(adjusted(Some(thing), MotionId::TURN_LEFT, 1.0, run), (MotionId::TURN_LEFT, 1.0));
    let mut bench = with_weenie(grounded(), BenchWeenie { run_rate: None, ..creature(1.0) });
    bench.movement.interpreter.my_run_rate = 2.5;
    bench.movement.interpreter.raw_state.current_holdkey = HoldKey::Run;
    let (mut motion, mut speed) = (MotionId::WALK_FORWARD, 1.0);
    bench.mover().adjust_motion(&mut motion, &mut speed, HoldKey::Invalid);
    close((motion, speed), (MotionId::RUN_FORWARD, 2.5));
}

#[test]
fn velocities_follow_the_state_up_to_the_top_speed() {
    let mut bench = with_weenie(grounded(), creature(2.0));
    let s = state(&mut bench);
    (s.forward_command, s.forward_speed) = (MotionId::RUN_FORWARD, 1.5);
    assert_eq!(bench.mover().state_velocity(), Vec3::new(0.0, 6.0, 0.0));
    assert_eq!((bench.mover().max_speed(), bench.mover().adjusted_max_speed()), (8.0, 6.0));
    bench.movement.interpreter.current_speed_factor = 2.0;
    assert_eq!(bench.mover().adjusted_max_speed(), 3.0);
    state(&mut bench).forward_speed = 100.0;
    assert!((bench.mover().state_velocity() - Vec3::new(0.0, 8.0, 0.0)).length() < 1e-5);
    let mut bench = grounded();
    bench.movement.interpreter.my_run_rate = 3.0;
    let s = state(&mut bench);
    (s.forward_command, s.forward_speed) = (MotionId::WALK_FORWARD, -0.65);
    (s.sidestep_command, s.sidestep_speed) = (MotionId::SIDE_STEP_RIGHT, 1.248);
    let velocity = bench.mover().state_velocity();
    assert!((velocity - Vec3::new(1.56, -2.028, 0.0)).length() < 1e-5, "{velocity:?}");
    assert_eq!(bench.mover().max_speed(), 4.0, "without a weenie the rate is 1, not the one seen last");
}

#[test]
fn speeds_that_are_no_numbers_move_nothing() {
    for speed in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        let mut bench = airborne();
        let params = MovementParameters { speed, ..p() };
        bench.mover().do_interpreted_motion(MotionId::WALK_FORWARD, &params).unwrap();
        bench.mover().do_interpreted_motion(MotionId::SIDE_STEP_RIGHT, &params).unwrap();
        assert!(bench.mover().state_velocity().is_finite(), "{speed}");
        bench.mover().interpreter_leave_ground();
        assert!(bench.body.as_ref().unwrap().velocity.is_finite(), "{speed}");
    }
}

#[test]
fn only_an_autonomous_player_reapplies_its_raw_state() {
    let cases = [
        (None, true, true),
        (None, false, false),
        (Some(creature(1.0)), true, true),
        (Some(BenchWeenie { player: false, ..creature(1.0) }), true, false),
        (Some(BenchWeenie { creature: false, ..creature(1.0) }), true, true),
    ];
    for (weenie, autonomous, from_raw) in cases {
        let mut bench = grounded();
        bench.weenie = weenie;
        bench.body.as_mut().unwrap().autonomous = autonomous;
        bench.movement.interpreter.raw_state.forward_command = MotionId::WALK_FORWARD;
        bench.mover().apply_current_movement(false, false);
        assert_eq!(table_calls(&bench), 0, "nothing before the default state");
        bench.movement.interpreter.initted = true;
        bench.mover().apply_current_movement(false, false);
        assert_eq!(state(&mut bench).forward_command == MotionId::WALK_FORWARD, from_raw);
    }
}

#[test]
fn a_state_is_played_in_its_order() {
    let played = |bench: &mut Bench| {
        bench.trace.0.clear();
        bench.mover().apply_interpreted_movement(false, false);
        bench.trace.0.clone()
    };
    let mut bench = grounded();
    let s = state(&mut bench);
    (s.forward_command, s.forward_speed) = (MotionId::RUN_FORWARD, 1.75);
    (s.turn_command, s.turn_speed) = (MotionId::TURN_RIGHT, -1.0);
    let before = s.clone();
    assert_eq!(
        played(&mut bench),
        [
            Call::DoInterpretedMotion(MotionId::NON_COMBAT, 1.0),
            Call::DoInterpretedMotion(MotionId::RUN_FORWARD, 1.75),
            Call::StopInterpretedMotion(MotionId::SIDE_STEP_RIGHT, 1.0),
            Call::DoInterpretedMotion(MotionId::TURN_RIGHT, -1.0),
        ]
    );
    assert_eq!(bench.movement.interpreter.my_run_rate, 1.75);
    assert_eq!(*state(&mut bench), before);
    assert_eq!(pending(&bench).len(), 4);

    bench.movement.interpreter.standing_longjump = true;
    state(&mut bench).turn_command = MotionId::NONE;
    assert_eq!(
        played(&mut bench)[1..],
        [Call::DoInterpretedMotion(MotionId::READY, 1.0), Call::StopInterpretedMotion(MotionId::TURN_RIGHT, 1.0),],
        "a stop of the sidestep is only noted while the long jump is charged"
    );

    let mut bench = airborne();
    state(&mut bench).sidestep_command = MotionId::SIDE_STEP_RIGHT;
    assert_eq!(
        played(&mut bench),
        [Call::DoInterpretedMotion(MotionId::FALLING, 1.0), Call::StopInterpretedMotion(MotionId::TURN_RIGHT, 1.0)],
        "a stance is only noted in the air"
    );
    assert_eq!(pending(&bench), [(0, MotionId::FALLING, None), (0, MotionId::READY, None)]);
}

#[test]
fn raw_commands_are_resolved_slot_by_slot() {
    let mut bench = with_weenie(grounded(), creature(2.0));
    let raw = &mut bench.movement.interpreter.raw_state;
    raw.current_style = COMBAT;
    raw.current_holdkey = HoldKey::Run;
    raw.forward_command = MotionId::WALK_FORWARD;
    (raw.sidestep_command, raw.sidestep_holdkey) = (MotionId::SIDE_STEP_LEFT, HoldKey::None);
    raw.turn_command = MotionId::TURN_LEFT;
    bench.mover().apply_raw_movement(false, false);
    let s = state(&mut bench);
    assert_eq!((s.current_style, s.forward_command, s.forward_speed), (COMBAT, MotionId::RUN_FORWARD, 2.0));
    assert_eq!((s.sidestep_command, s.turn_command), (MotionId::SIDE_STEP_RIGHT, MotionId::TURN_RIGHT));
    assert!((s.sidestep_speed + 1.248).abs() < 1e-6 && s.turn_speed == -1.5);
}

#[test]
fn jumps_can_be_forbidden_while_a_state_is_played_again() {
    let mut bench = grounded();
    bench.mover().apply_interpreted_movement(true, true);
    let codes: Vec<_> = pending(&bench).into_iter().map(|(_, _, code)| code).collect();
    assert_eq!(codes, [BLOCKED, BLOCKED, None, None]);
    assert_eq!(cancels(&bench), 0, "the cancel bit does nothing here");
}

#[test]
fn stamps_are_compared_on_a_circle() {
    for (action, last, newer) in [
        (1, 0, true),
        (0, 0, false),
        (0, 1, false),
        (0x3fff, 0, true),
        (0x4000, 0, false),
        (0, 0x4000, true),
        (0, 0x7fff, true),
        (0x7fff, 0, false),
        (0x8001, 0, true),
        (0x8000, 0, false),
    ] {
        assert_eq!(stamp_is_newer(action, last), newer, "{action:#x} after {last:#x}");
    }
}

#[test]
fn reported_actions_play_once_and_never_a_players_own() {
    let report = |stamp, autonomous| {
        let mut new = InterpretedMotionState { forward_command: MotionId::WALK_FORWARD, ..Default::default() };
        new.current_style = COMBAT;
        new.actions.push(ActionNode { motion: ACTION, speed: 1.5, stamp, autonomous });
        new
    };
    let other = BenchWeenie { player: false, ..creature(1.0) };
    for (weenie, autonomous, plays) in [
        (None, true, false),
        (None, false, true),
        (Some(creature(1.0)), true, false),
        (Some(creature(1.0)), false, true),
        (Some(other.clone()), true, true),
        (Some(other), false, true),
    ] {
        let mut bench = grounded();
        bench.weenie = weenie;
        assert!(bench.mover().interpreter_move_to_interpreted_state(&report(5, autonomous)));
        assert_eq!(state(&mut bench).num_actions(), usize::from(plays), "autonomous {autonomous}");
        assert_eq!(bench.movement.interpreter.server_action_stamp, if plays { 5 } else { 0 });
        assert_eq!(bench.movement.interpreter.raw_state.current_style, COMBAT);
        assert_eq!(state(&mut bench).forward_command, MotionId::WALK_FORWARD);
        assert_eq!(cancels(&bench), 1);
        if plays {
            let node = state(&mut bench).actions.as_slice()[0];
            assert_eq!((node.stamp, node.speed, node.autonomous), (0, 1.5, autonomous));
            bench.mover().interpreter_move_to_interpreted_state(&report(5, autonomous));
            assert_eq!(state(&mut bench).num_actions(), 1, "the same stamp plays once");
        }
    }
}

#[test]
fn exhaustion_plays_the_state_again() {
    let mut bench = grounded();
    bench.mover().interpreter_report_exhaustion();
    assert_eq!(table_calls(&bench), 0);
    bench.movement.interpreter.initted = true;
    bench.mover().interpreter_report_exhaustion();
    assert_eq!(table_calls(&bench), 4);
}

#[test]
fn setting_weenie_or_body_reapplies_an_initted_state() {
    let weenie = creature(2.0);
    let mut body = BenchBody { autonomous: true, ..Default::default() };
    for initted in [false, true] {
        let mut bench = grounded();
        bench.movement.interpreter.initted = initted;
        bench.mover().set_weenie_object(Some(&weenie));
        assert_eq!(table_calls(&bench) > 0, initted);
        bench.trace.0.clear();
        bench.movement.interpreter.raw_state.forward_command = MotionId::WALK_FORWARD;
        bench.mover().set_physics_object(Some(&mut body));
        assert_eq!(table_calls(&bench) > 0, initted);
        assert_eq!(state(&mut bench).forward_command == MotionId::WALK_FORWARD, initted, "on the new body");
        bench.trace.0.clear();
        bench.mover().set_physics_object(None);
        assert_eq!(table_calls(&bench), 0, "nothing is played without a body");
    }
}
