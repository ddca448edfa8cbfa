//! Charging, jumping, leaving the ground and landing.

use super::*;

// Cases 10, 11, 24 and 25.
#[test]
fn a_jump_passes_its_gates_in_order() {
    let failure = Err(MotionError::GeneralMovementFailure);
    let mut bench = with_weenie(grounded(), creature(1.0));
    assert_eq!(bench.mover().jump_is_allowed(0.5), Ok(10));
    queue(&mut bench, &[(0, MotionId::READY, Some(MotionError::CannotJumpLoadedDown))]);
    assert_eq!(bench.mover().jump_is_allowed(0.5), Err(MotionError::CannotJumpLoadedDown), "a single node decides");
    bench.body.as_mut().unwrap().constrained = true;
    assert_eq!(bench.mover().jump_is_allowed(0.5), failure, "the constraint comes first");

    let mut bench = with_weenie(grounded(), creature(1.0));
    queue(&mut bench, &[(0, MotionId::WALK_FORWARD, BLOCKED)]);
    assert_eq!(bench.mover().jump_is_allowed(0.5), Err(MotionError::CannotJumpFromThisPosition));
    assert_eq!(calls(&bench, |call| matches!(call, Call::JumpStaminaCost(_))), 0);
    queue(&mut bench, &[(0, MotionId::WALK_FORWARD, None), (0, MotionId::READY, BLOCKED)]);
    assert!(bench.mover().jump_is_allowed(0.5).is_ok(), "only the oldest node decides");

    for forward in [MotionId(0x4000_0020), MotionId::FALLEN] {
        state(&mut bench).forward_command = forward;
        assert_eq!(bench.mover().jump_is_allowed(0.5), Err(MotionError::CannotJumpFromThisPosition), "{forward:?}");
    }
    let mut bench = with_weenie(grounded(), BenchWeenie { stamina: false, ..creature(1.0) });
    assert_eq!(bench.mover().jump_is_allowed(0.5), failure);
    let thing = BenchWeenie { creature: false, ..creature(1.0) };
    assert!(with_weenie(airborne(), thing).mover().jump_is_allowed(0.5).is_ok());
    let mut floating = airborne();
    floating.body.as_mut().unwrap().gravity = false;
    assert_eq!(floating.mover().jump_is_allowed(0.5), Ok(0));
}

// Cases 12 and 19.
#[test]
fn a_charge_is_refused_by_weenie_first_and_posture_second() {
    let loaded = BenchWeenie { can_jump: false, ..creature(1.0) };
    let mut bench = with_weenie(grounded(), loaded);
    for forward in [MotionId::READY, MotionId::FALLEN] {
        state(&mut bench).forward_command = forward;
        let mut mover = bench.mover();
        assert_eq!(mover.jump_is_allowed(0.5), Err(MotionError::CannotJumpLoadedDown));
        assert_eq!(mover.jump_charge_is_allowed(), Err(MotionError::CannotJumpLoadedDown));
        assert_eq!(mover.charge_jump(), Err(MotionError::CannotJumpLoadedDown));
    }
    let mut bench = grounded();
    for (forward, blocked) in [
        (0x4000_0008, true),
        (0x4100_0011, false),
        (0x4100_0012, true),
        (0x4100_0013, true),
        (0x4100_0014, true),
        (0x4100_0015, false),
        (0x4000_0015, false),
        (0x4000_0016, false),
    ] {
        state(&mut bench).forward_command = MotionId(forward);
        assert_eq!(bench.mover().jump_charge_is_allowed().is_err(), blocked, "{forward:#x}");
    }
    let mut bench = with_weenie(grounded(), creature(1.0));
    bench.movement.interpreter.jump_extent = 0.25;
    bench.mover().jump_is_allowed(0.75).unwrap();
    assert_eq!(calls(&bench, |call| *call == Call::CanJump(0.25)), 1, "the stored extent is asked about");
    assert_eq!(calls(&bench, |call| *call == Call::JumpStaminaCost(0.75)), 1);
}

// Case 20.
#[test]
fn charging_at_a_standstill_prepares_a_long_jump() {
    let mut bench = grounded();
    assert_eq!(bench.mover().charge_jump(), Ok(()));
    assert!(bench.movement.interpreter.standing_longjump);
    state(&mut bench).forward_command = MotionId::RUN_FORWARD;
    assert_eq!(bench.mover().charge_jump(), Ok(()));
    assert!(bench.movement.interpreter.standing_longjump, "a charge never clears the flag");

    type Change = fn(&mut InterpretedMotionState);
    let moving: [Change; 3] = [
        |s| s.forward_command = MotionId::RUN_FORWARD,
        |s| s.sidestep_command = MotionId::SIDE_STEP_RIGHT,
        |s| s.turn_command = MotionId::TURN_RIGHT,
    ];
    for change in moving {
        let mut bench = grounded();
        change(state(&mut bench));
        assert_eq!(bench.mover().charge_jump(), Ok(()));
        assert!(!bench.movement.interpreter.standing_longjump);
    }
    let mut bench = airborne();
    assert_eq!(bench.mover().charge_jump(), Ok(()));
    assert!(!bench.movement.interpreter.standing_longjump);
    for posture in [MotionId::FALLEN, MotionId::SITTING] {
        let mut bench = grounded();
        state(&mut bench).forward_command = posture;
        assert_eq!(bench.mover().charge_jump().err(), BLOCKED);
        assert!(!bench.movement.interpreter.standing_longjump);
    }
}

// Cases 22 and 23.
#[test]
fn a_jump_leaves_the_ground_and_uses_the_charge_up() {
    let mut stub = grounded();
    stub.body.as_mut().unwrap().calls_leave_ground = false;
    stub.movement.interpreter.standing_longjump = true;
    assert_eq!(stub.mover().jump(0.5), Ok(0));
    assert_eq!(stub.movement.interpreter.jump_extent, 0.5);
    assert!(stub.movement.interpreter.standing_longjump && !stub.body.as_ref().unwrap().walkable);
    assert_eq!(cancels(&stub), 1);

    let mut real = with_weenie(grounded(), creature(1.0));
    real.movement.interpreter.standing_longjump = true;
    assert_eq!(real.mover().jump(0.5), Ok(10));
    assert_eq!(real.movement.interpreter.jump_extent, 0.0);
    assert!(!real.movement.interpreter.standing_longjump);
    assert_eq!(real.body.as_ref().unwrap().velocity.z, 5.0);

    let mut refused = airborne();
    refused.movement.interpreter.standing_longjump = true;
    refused.movement.interpreter.jump_extent = 0.25;
    assert_eq!(refused.mover().jump(0.5), Err(MotionError::NotGrounded));
    assert!(!refused.movement.interpreter.standing_longjump);
    assert_eq!(refused.movement.interpreter.jump_extent, 0.25);
    assert_eq!(cancels(&refused), 1);
}

// Case 26.
#[test]
fn the_charge_decides_the_upward_speed() {
    let v_z = |extent: f32, weenie: Option<BenchWeenie>| {
        let mut bench = grounded();
        bench.weenie = weenie;
        bench.movement.interpreter.jump_extent = extent;
        bench.mover().jump_v_z()
    };
    let ten = Some(creature(1.0));
    assert_eq!(v_z(0.0001, ten.clone()), 0.0);
    assert!((v_z(0.0003, ten.clone()) - 0.003).abs() < 1e-7);
    assert_eq!(v_z(5.0, ten), 10.0);
    assert_eq!(v_z(0.5, None), 10.0);
    assert_eq!(v_z(0.0001, None), 0.0);
    assert_eq!(v_z(0.5, Some(BenchWeenie { jump_velocity: None, ..creature(1.0) })), 0.0);
}

// Cases 27 and 28.
#[test]
fn leaving_without_a_command_keeps_the_momentum() {
    let mut bench = grounded();
    let body = bench.body.as_mut().unwrap();
    body.velocity = Vec3::new(2.0, 3.0, 0.0);
    assert!((bench.mover().leave_ground_velocity() - Vec3::new(2.0, 3.0, 0.0)).length() < 1e-5);
    bench.body.as_mut().unwrap().position.heading = 90.0;
    let local = bench.mover().leave_ground_velocity();
    println!("facing +x, (2, 3, 0) is {local:?}");
    assert!((local - Vec3::new(-3.0, 2.0, 0.0)).length() < 1e-5);
    bench.mover().interpreter_leave_ground();
    assert!((bench.body.as_ref().unwrap().velocity - Vec3::new(2.0, 3.0, 0.0)).length() < 1e-5);

    let mut bench = grounded();
    bench.body.as_mut().unwrap().velocity = Vec3::splat(99.0);
    state(&mut bench).sidestep_command = MotionId::SIDE_STEP_RIGHT;
    assert_eq!(bench.mover().leave_ground_velocity(), Vec3::new(1.25, 0.0, 0.0));
    let mut bench = grounded();
    state(&mut bench).forward_command = MotionId::WALK_FORWARD;
    bench.movement.interpreter.jump_extent = 1.0;
    assert_eq!(bench.mover().leave_ground_velocity(), Vec3::new(0.0, 3.12, 10.0));
}

// Case 29.
#[test]
fn leaving_the_ground_launches_and_resets_the_charge() {
    let charged = |mut bench: Bench| {
        bench.movement.interpreter.initted = true;
        bench.movement.interpreter.standing_longjump = true;
        bench.movement.interpreter.jump_extent = 0.5;
        bench
    };
    let mut bench = charged(with_weenie(grounded(), creature(1.0)));
    bench.mover().interpreter_leave_ground();
    let interpreter = &bench.movement.interpreter;
    assert!(!interpreter.standing_longjump && interpreter.jump_extent == 0.0);
    assert_eq!(calls(&bench, |call| matches!(call, Call::SetLocalVelocity(v, true) if v.z == 5.0)), 1);
    assert_eq!(calls(&bench, |call| *call == Call::RemoveLinkAnimations), 1);
    assert!(table_calls(&bench) > 0, "the state is played again");

    let thing = BenchWeenie { creature: false, ..creature(1.0) };
    let mut floating = grounded();
    floating.body.as_mut().unwrap().gravity = false;
    for bench in [with_weenie(grounded(), thing), floating, bodiless()] {
        let mut bench = charged(bench);
        bench.mover().interpreter_leave_ground();
        bench.mover().interpreter_hit_ground();
        assert!(bench.trace.0.is_empty());
        assert_eq!(bench.movement.interpreter.jump_extent, 0.5);
    }
}

#[test]
fn landing_plays_the_state_again() {
    let mut bench = grounded();
    bench.movement.interpreter.initted = true;
    state(&mut bench).forward_command = MotionId::WALK_FORWARD;
    bench.mover().interpreter_hit_ground();
    assert_eq!(bench.trace.0.first(), Some(&Call::RemoveLinkAnimations));
    assert_eq!(calls(&bench, |call| matches!(call, Call::SetLocalVelocity(..))), 0);
    assert_eq!(calls(&bench, |call| *call == Call::DoInterpretedMotion(MotionId::WALK_FORWARD, 1.0)), 1);
}
