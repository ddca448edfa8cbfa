//! What stance, depth, ground and table refuse.

use super::*;

// Case 1.
#[test]
fn without_a_body_everything_is_refused() {
    let mut bench = bodiless();
    let mut mover = bench.mover();
    let none = Err(MotionError::NoPhysicsObject);
    assert_eq!(mover.do_motion(MotionId::WALK_FORWARD, &p()), none);
    assert_eq!(mover.stop_motion(MotionId::WALK_FORWARD, &p()), none);
    assert_eq!(mover.interpreter_stop_completely(), none);
    assert_eq!(mover.do_interpreted_motion(MotionId::WALK_FORWARD, &p()), none);
    assert_eq!(mover.stop_interpreted_motion(MotionId::WALK_FORWARD, &p()), none);
    assert_eq!(mover.jump(0.5), Err(MotionError::NoPhysicsObject));
    assert_eq!(mover.jump_is_allowed(0.5), Err(MotionError::NotGrounded));
    assert!(!mover.interpreter_move_to_interpreted_state(&InterpretedMotionState::default()));
}

// Cases 3 and 4.
#[test]
fn in_the_air_actions_are_refused_and_commands_only_noted() {
    let mut bench = airborne();
    assert_eq!(bench.mover().jump_is_allowed(0.5), Err(MotionError::NotGrounded));
    assert_eq!(bench.mover().do_interpreted_motion(ACTION, &p()), Err(MotionError::NotGrounded));
    assert!(pending(&bench).is_empty() && state(&mut bench).actions.is_empty());
    assert_eq!(bench.mover().do_interpreted_motion(MotionId::WALK_FORWARD, &p()), Ok(()));
    assert_eq!(state(&mut bench).forward_command, MotionId::WALK_FORWARD);
    assert!(pending(&bench).is_empty());
    assert_eq!(table_calls(&bench), 0);
    assert_eq!(bench.mover().stop_interpreted_motion(MotionId::WALK_FORWARD, &p()), Ok(()));
    assert_eq!(state(&mut bench).forward_command, MotionId::READY);
    assert_eq!(table_calls(&bench), 0);
}

// Cases 5, 6 and 7.
#[test]
fn combat_stance_refuses_postures_and_emotes() {
    let refusals = [
        (MotionId::CROUCH, MotionError::CannotCrouchInCombat),
        (MotionId::SITTING, MotionError::CannotSitInCombat),
        (MotionId::SLEEPING, MotionError::CannotLieDownInCombat),
        (CHEER, MotionError::CannotEmoteInCombat),
    ];
    let mut bench = grounded();
    for (motion, error) in refusals {
        state(&mut bench).current_style = COMBAT;
        assert_eq!(do_motion(&mut bench, motion), Err(error));
        assert_eq!(bench.movement.interpreter.raw_state, RawMotionState::default(), "{motion:?}");
        state(&mut bench).current_style = MotionId::NON_COMBAT;
        assert_eq!(grounded().mover().do_motion(motion, &p()), Ok(()), "{motion:?} out of combat");
    }
    state(&mut bench).current_style = COMBAT;
    assert_eq!(do_motion(&mut bench, MotionId::WALK_FORWARD), Ok(()));
    add_actions(&mut bench, 6, 0);
    assert_eq!(do_motion(&mut bench, CHEER), Err(MotionError::CannotEmoteInCombat), "stance before depth");
}

// Case 8.
#[test]
fn a_seventh_action_is_refused_to_players_only() {
    let mut bench = grounded();
    add_actions(&mut bench, 5, 0);
    assert_eq!(do_motion(&mut bench, ACTION), Ok(()));
    assert_eq!(state(&mut bench).num_actions(), MAX_INTERPRETED_ACTIONS);
    assert_eq!(do_motion(&mut bench, ACTION), Err(MotionError::TooManyActions));
    assert_eq!(bench.mover().do_interpreted_motion(ACTION, &p()), Ok(()));
    let mut bench = grounded();
    add_actions(&mut bench, 10, 0);
    assert_eq!(do_motion(&mut bench, MotionId::WALK_FORWARD), Ok(()));
}

// Case 13.
#[test]
fn table_refusals_have_their_own_codes_and_change_nothing() {
    for (parts, error) in [
        (Some(TablePartArray::new(Some(BenchTable::Refuse))), MotionError::NoMotionData),
        (Some(TablePartArray::new(None)), MotionError::NoAnimationTable),
        (None, MotionError::GeneralMovementFailure),
    ] {
        let mut bench = grounded();
        bench.parts = parts;
        assert_eq!(bench.mover().do_interpreted_motion(MotionId::WALK_FORWARD, &p()), Err(error));
        state(&mut bench).forward_command = MotionId::CROUCH;
        assert_eq!(bench.mover().stop_interpreted_motion(MotionId::CROUCH, &p()), Err(error));
        assert!(pending(&bench).is_empty());
        assert_eq!(state(&mut bench).forward_command, MotionId::CROUCH);
    }
}

// Cases 15 to 18.
#[test]
fn busy_hands_magic_and_low_postures_forbid_jumps() {
    let blocked = [
        0x1000_006f,
        0x1000_0070,
        0x1000_0078,
        0x1000_0128,
        0x1000_0130,
        0x1000_0131,
        0x4000_0008,
        0x4000_0016,
        0x4000_0017,
        0x4000_0018,
        0x4000_001e,
        0x4000_0030,
        0x4000_0039,
        0x4100_0012,
        0x4100_0013,
        0x4100_0014,
    ];
    let allowed = [
        0x1000_006e,
        0x1000_0079,
        0x1000_0127,
        0x1000_0132,
        0x4000_0007,
        0x4000_0009,
        0x4000_0011,
        0x4000_0015,
        0x4000_0019,
        0x4000_001d,
        0x4000_003a,
        0x4100_0003,
        0x4100_0011,
        0x4100_0015,
        0x4400_0007,
        0x4500_0005,
        0x6500_000d,
        0x6500_000f,
        0x8000_003d,
        0,
        0xffff_ffff,
    ];
    for id in blocked {
        assert_eq!(motion_allows_jump(MotionId(id)).err(), BLOCKED, "{id:#x}");
    }
    for id in allowed {
        assert_eq!(motion_allows_jump(MotionId(id)), Ok(()), "{id:#x}");
    }
}

// Case 21.
#[test]
fn contact_and_walkable_make_ground() {
    let free = [MotionId::FALLING, MotionId::DEAD, MotionId::TURN_RIGHT, MotionId::TURN_LEFT];
    let bound = [MotionId::WALK_FORWARD, MotionId::SIDE_STEP_RIGHT, MotionId::READY];
    let mut bench = airborne();
    bench.movement.interpreter.standing_longjump = true;
    assert!(free.into_iter().all(|motion| bench.mover().contact_allows_move(motion)));
    assert!(!bound.into_iter().any(|motion| bench.mover().contact_allows_move(motion)));
    assert!(bench.movement.interpreter.standing_longjump, "asking changes nothing");
    let thing = BenchWeenie { creature: false, ..creature(1.0) };
    assert!(bound.into_iter().all(|motion| with_weenie(airborne(), thing.clone()).mover().contact_allows_move(motion)));
    for (gravity, contact, walkable, allowed) in
        [(false, false, false, true), (true, true, false, false), (true, false, true, false), (true, true, true, true)]
    {
        let mut bench = grounded();
        bench.body = Some(BenchBody { gravity, contact, walkable, ..Default::default() });
        assert_eq!(bench.mover().contact_allows_move(MotionId::WALK_FORWARD), allowed);
        assert_eq!(bench.body.as_ref().unwrap().on_ground(), contact && walkable);
    }
    assert!(!free.into_iter().any(|motion| bodiless().mover().contact_allows_move(motion)));
}

#[test]
fn standing_still_needs_ground_and_no_command() {
    assert!(grounded().mover().is_standing_still());
    assert!(!airborne().mover().is_standing_still());
    assert!(!bodiless().mover().is_standing_still());
    let mut bench = grounded();
    state(&mut bench).turn_command = MotionId::TURN_RIGHT;
    assert!(!bench.mover().is_standing_still());
}
