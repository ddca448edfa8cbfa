//! Walking to things and places, turning to things and headings.

use super::*;
use crate::maths::{Vec3, from_heading};
use crate::motion::bench::{Bench, BenchTable, BenchWeenie};
use crate::motion::{HoldKey, MotionError, Movement, heading_of_degrees, wrap_degrees};
use alloc::vec::Vec;

/// Turning speed of the test body at factor 1, degrees a second.
const TURN_RATE: f32 = 90.0;
/// Length of a frame in seconds.
const FRAME: f32 = 1.0 / 30.0;
const TARGET: u32 = 77;

fn at(x: f32, y: f32) -> Position {
    Position { point: Vec3::new(x, y, 0.0), heading: 0.0 }
}

fn params() -> MovementParameters {
    MovementParameters::default()
}

fn with_bits(bits: ParameterBits) -> MovementParameters {
    MovementParameters { bits: ParameterBits::DEFAULT.with(bits), ..params() }
}

fn bench() -> Bench {
    let mut bench = Bench::accepting();
    bench.weenie = Some(BenchWeenie { run_rate: Some(1.95), ..Default::default() });
    bench.mover().enter_default_state();
    bench.mover().check_for_completed_motions();
    bench.trace.0.clear();
    bench
}

fn to_position(bench: &mut Bench, position: Position, params: MovementParameters) {
    let movement = Movement { movement_type: MovementType::MoveToPosition, position, params, ..Default::default() };
    bench.mover().perform_movement(&movement).unwrap();
}

fn to_object(bench: &mut Bench, movement_type: MovementType, params: MovementParameters) {
    let movement = Movement {
        movement_type,
        object_id: TARGET,
        top_level_id: TARGET,
        radius: 0.5,
        height: 2.0,
        params,
        ..Default::default()
    };
    bench.mover().perform_movement(&movement).unwrap();
}

fn to_heading(bench: &mut Bench, desired_heading: f32) {
    let params = MovementParameters { desired_heading, ..params() };
    let movement = Movement { movement_type: MovementType::TurnToHeading, params, ..Default::default() };
    bench.mover().perform_movement(&movement).unwrap();
}

fn report(bench: &mut Bench, position: Position, status: TargetStatus) {
    let info = TargetInfo { object_id: TARGET, status, target_position: position, interpolated_position: position };
    bench.mover().target_reported(&info);
}

fn body_position(bench: &Bench) -> Position {
    bench.body.as_ref().unwrap().position
}

fn nodes(bench: &Bench) -> Vec<MoveToNode> {
    bench.movement.move_to.pending_actions.iter().copied().collect()
}

/// One frame: the body moves as the interpreted state asks, then move-to looks.
fn frame(bench: &mut Bench) {
    bench.now = bench.now.after(FRAME);
    let velocity = bench.mover().state_velocity();
    let state = &bench.movement.interpreter.interpreted_state;
    let turn = if state.turn_command.is_none() { 0.0 } else { state.turn_speed * TURN_RATE * FRAME };
    let body = bench.body.as_mut().unwrap();
    let ahead = from_heading(heading_of_degrees(body.position.heading));
    body.velocity = ahead * velocity.y;
    body.position.point += body.velocity * FRAME;
    body.position.heading = wrap_degrees(body.position.heading + turn);
    let mut mover = bench.mover();
    mover.use_time();
    mover.check_for_completed_motions();
}

/// Frames until the movement ends, at most `limit`.
fn run(bench: &mut Bench, limit: u32) -> u32 {
    (0..limit)
        .find(|_| {
            frame(bench);
            !bench.movement.is_moving_to()
        })
        .map_or(limit, |frames| frames + 1)
}

#[test]
fn distances_choose_gait_and_direction() {
    let gait = |params: &MovementParameters, distance| {
        let gait = gait_for(params, distance);
        (gait.command, gait.hold_key, gait.moving_away)
    };
    let (walk, back, none) = (MotionId::WALK_FORWARD, MotionId::WALK_BACKWARDS, MotionId::NONE);
    let towards = params();
    assert_eq!(gait(&towards, 5.0), (walk, HoldKey::None, Some(false)));
    assert_eq!(gait(&towards, 15.6), (walk, HoldKey::None, Some(false)), "exactly at the threshold it walks");
    assert_eq!(gait(&towards, 15.7), (walk, HoldKey::Run, Some(false)));
    assert_eq!(gait(&towards, 0.6), (none, HoldKey::None, None));
    assert_eq!(gait(&with_bits(ParameterBits::CAN_CHARGE), 1.0), (walk, HoldKey::Run, Some(false)));
    let no_walk = MovementParameters { bits: towards.bits.without(ParameterBits::CAN_WALK), ..towards };
    assert_eq!(gait(&no_walk, 1.0).1, HoldKey::Run);
    let both = MovementParameters { min_distance: 0.3, ..with_bits(ParameterBits::MOVE_AWAY) };
    assert_eq!(gait(&both, 2.0), (walk, HoldKey::None, Some(false)));
    assert_eq!(gait(&both, 0.2), (back, HoldKey::None, Some(true)));
    assert_eq!(gait(&both, 0.4), (none, HoldKey::None, None));
    let away = MovementParameters { bits: both.bits.without(ParameterBits::MOVE_TOWARDS), min_distance: 5.0, ..both };
    assert_eq!(gait(&away, 4.0), (walk, HoldKey::None, Some(true)));
    assert_eq!(gait(&away, 5.0), (none, HoldKey::None, None));
    let neither = MovementParameters { bits: towards.bits.without(ParameterBits::MOVE_TOWARDS), ..towards };
    assert_eq!(gait(&neither, 2.0), (walk, HoldKey::None, Some(false)));
}

#[test]
fn bodies_face_the_way_they_walk() {
    for (command, away, degrees) in [
        (MotionId::WALK_FORWARD, false, 0.0),
        (MotionId::WALK_FORWARD, true, 180.0),
        (MotionId::RUN_FORWARD, true, 180.0),
        (MotionId::WALK_BACKWARDS, false, 180.0),
        (MotionId::WALK_BACKWARDS, true, 0.0),
        (MotionId::TURN_RIGHT, true, 0.0),
    ] {
        assert_eq!(desired_heading(command, away), degrees, "{command:?}");
    }
}

#[test]
fn differences_run_the_way_of_the_turn() {
    let (right, left) = (MotionId::TURN_RIGHT, MotionId::TURN_LEFT);
    assert_eq!(heading_diff(90.0, 0.0, right), 90.0);
    assert_eq!(heading_diff(0.0, 90.0, right), 270.0);
    assert_eq!(heading_diff(90.0, 0.0, left), 270.0);
    assert_eq!(heading_diff(0.0, 90.0, left), 90.0);
    assert_eq!(heading_diff(10.0, 10.0001, left), 0.0);
    assert!(heading_greater(91.0, 90.0, right) && !heading_greater(89.0, 90.0, right));
    assert!(heading_greater(89.0, 90.0, left) && !heading_greater(91.0, 90.0, left));
    assert!(heading_greater(1.0, 359.0, right), "across north");
    assert!(!heading_greater(90.0, 90.0, right) && heading_greater(90.0, 90.0, left), "equal headings");
}

#[test]
fn a_place_is_reached_by_turning_and_walking() {
    let mut bench = bench();
    to_position(&mut bench, at(10.0, 0.0), params());
    assert_eq!(nodes(&bench).len(), 2);
    assert!(matches!(nodes(&bench)[0], MoveToNode::Turn(h) if (h - 90.0).abs() < 1e-3));
    let frames = run(&mut bench, 600);
    let place = body_position(&bench);
    std::println!("{frames} frames to {place:?}");
    // A quarter turn takes a second, 8.9 m at a walk not quite three; the own radius counts.
    assert!((112..120).contains(&frames), "{frames}");
    assert!((place.point - at(10.0, 0.0).point).length() <= 1.1 && (place.heading - 90.0).abs() < 1e-3);
    assert!(bench.movement.interpreter.interpreted_state.is_idle());
    assert!(bench.mover().queues_are_paired());
}

#[test]
fn a_far_place_is_run_to() {
    let mut bench = bench();
    to_position(&mut bench, at(0.0, 40.0), params());
    frame(&mut bench);
    let state = &bench.movement.interpreter.interpreted_state;
    assert_eq!((state.forward_command, state.forward_speed), (MotionId::RUN_FORWARD, 1.95));
    assert!(run(&mut bench, 600) < 600);
}

#[test]
fn a_place_at_hand_ends_at_once_and_may_ask_for_a_heading() {
    let mut bench = bench();
    to_position(&mut bench, at(0.0, 0.3), params());
    assert!(!bench.movement.is_moving_to());
    let facing = MovementParameters { desired_heading: 270.0, ..with_bits(ParameterBits::USE_FINAL_HEADING) };
    to_position(&mut bench, at(0.0, 0.3), facing);
    assert_eq!(nodes(&bench), [MoveToNode::Turn(270.0)]);
    assert_eq!(bench.movement.move_to.current_command, MotionId::TURN_LEFT, "the shorter way");
    assert!((25..40).contains(&run(&mut bench, 100)));
    assert_eq!(body_position(&bench).heading, 270.0);
}

#[test]
fn a_heading_is_turned_to_the_shorter_way() {
    for (heading, turn, frames) in [(170.0, MotionId::TURN_RIGHT, 57), (190.0, MotionId::TURN_LEFT, 57)] {
        let mut bench = bench();
        to_heading(&mut bench, heading);
        assert_eq!(bench.movement.move_to.current_command, turn);
        let taken = run(&mut bench, 200);
        assert!((frames..frames + 4).contains(&taken), "{taken} frames to {heading}");
        assert_eq!(body_position(&bench).heading, heading);
    }
    let mut bench = bench();
    to_heading(&mut bench, 0.0);
    assert!(!bench.movement.is_moving_to(), "faced already");
}

#[test]
fn a_turn_waits_while_motions_are_in_flight() {
    let mut bench = bench();
    bench.parts.as_mut().unwrap().table = Some(BenchTable::Accept(1));
    to_heading(&mut bench, 90.0);
    assert!(bench.movement.motions_pending(), "the stop before the turn is in flight");
    assert_eq!(bench.movement.move_to.current_command, MotionId::NONE);
    frame(&mut bench);
    assert_eq!(bench.movement.move_to.current_command, MotionId::NONE);
    while bench.movement.motions_pending() {
        bench.mover().animation_done(true);
    }
    frame(&mut bench);
    assert_eq!(bench.movement.move_to.current_command, MotionId::TURN_RIGHT);
}

#[test]
fn a_thing_is_gone_to_once_its_place_is_known() {
    let mut bench = bench();
    to_object(&mut bench, MovementType::MoveToObject, params());
    assert_eq!(bench.body.as_ref().unwrap().target, Some(TARGET));
    assert!(bench.movement.is_moving_to() && nodes(&bench).is_empty());
    frame(&mut bench);
    assert_eq!(body_position(&bench), Position::default());
    report(&mut bench, at(0.0, 6.0), TargetStatus::Ok);
    assert!(bench.movement.move_to.initialized);
    assert!(run(&mut bench, 300) < 300);
    // From rim to rim: six metres less both radii and the arrival distance.
    let y = body_position(&bench).point.y;
    assert!((4.4..4.6).contains(&y), "{y}");
    assert_eq!(bench.body.as_ref().unwrap().target, None);
}

#[test]
fn a_moving_target_is_followed() {
    let mut bench = bench();
    to_object(&mut bench, MovementType::MoveToObject, params());
    report(&mut bench, at(0.0, 10.0), TargetStatus::Ok);
    (0..30).for_each(|_| frame(&mut bench));
    report(&mut bench, at(5.0, 10.0), TargetStatus::Ok);
    assert_eq!(bench.movement.move_to.previous_distance, f32::MAX);
    frame(&mut bench);
    assert_eq!(bench.movement.move_to.aux_command, MotionId::TURN_RIGHT, "it turns on the way");
    assert!(run(&mut bench, 300) < 300);
    let place = body_position(&bench);
    assert!((place.point - at(5.0, 10.0).point).length() < 1.7, "{place:?}");
    assert_eq!(bench.movement.interpreter.interpreted_state.turn_command, MotionId::NONE);
}

#[test]
fn lost_targets_end_the_movement() {
    let mut bench = bench();
    to_object(&mut bench, MovementType::MoveToObject, params());
    report(&mut bench, at(0.0, 6.0), TargetStatus::TimedOut);
    assert!(!bench.movement.is_moving_to(), "never found");
    assert_eq!(bench.movement.move_to.ended_by.map(MotionError::code), Some(0x38));
    to_object(&mut bench, MovementType::MoveToObject, params());
    report(&mut bench, at(0.0, 6.0), TargetStatus::Ok);
    let stray = TargetInfo { object_id: 5, status: TargetStatus::ExitWorld, ..Default::default() };
    bench.mover().handle_update_target(&stray);
    assert!(bench.movement.is_moving_to(), "news of another thing");
    assert_eq!(bench.movement.move_to.ended_by, None);
    report(&mut bench, at(0.0, 6.0), TargetStatus::ExitWorld);
    assert!(!bench.movement.is_moving_to(), "gone");
    assert_eq!(bench.movement.move_to.ended_by.map(MotionError::code), Some(0x37));
    assert!(bench.movement.interpreter.interpreted_state.is_idle());
}

#[test]
fn a_thing_is_turned_to() {
    let mut bench = bench();
    to_object(&mut bench, MovementType::TurnToObject, params());
    report(&mut bench, at(-3.0, 0.0), TargetStatus::Ok);
    assert!(run(&mut bench, 100) < 100);
    assert!((body_position(&bench).heading - 270.0).abs() < 1e-3);
}

#[test]
fn a_mover_that_seeks_itself_is_there() {
    let mut bench = bench();
    let own = bench.body.as_ref().unwrap().id;
    for movement_type in [MovementType::MoveToObject, MovementType::TurnToObject] {
        let movement = Movement { movement_type, object_id: own, top_level_id: own, ..Default::default() };
        bench.mover().perform_movement(&movement).unwrap();
        assert!(!bench.movement.is_moving_to());
        assert_eq!(bench.body.as_ref().unwrap().target, None);
    }
}

#[test]
fn too_far_from_the_start_is_given_up() {
    let mut bench = bench();
    to_position(&mut bench, at(0.0, 30.0), MovementParameters { fail_distance: 3.0, ..params() });
    let frames = run(&mut bench, 600);
    let y = body_position(&bench).point.y;
    assert!((3.0..3.5).contains(&y), "given up after {frames} frames at {y}");
    assert_eq!(bench.movement.move_to.ended_by.map(MotionError::code), Some(0x3d));
}

#[test]
fn a_sticky_movement_keeps_its_target() {
    let mut bench = bench();
    to_object(&mut bench, MovementType::MoveToObject, with_bits(ParameterBits::STICKY));
    report(&mut bench, at(0.0, 4.0), TargetStatus::Ok);
    assert!(run(&mut bench, 200) < 200);
    assert_eq!(bench.sticky.target_id(), Some(TARGET));
    report(&mut bench, at(0.0, 6.0), TargetStatus::Ok);
    let (place, max_speed) = (body_position(&bench), bench.mover().max_speed());
    let step = bench.sticky.step(place, 0.5, max_speed, 1.0).unwrap();
    assert!(((place.point + step.offset).y - 4.7).abs() < 1e-3, "{step:?}");
    to_position(&mut bench, at(0.0, 0.0), with_bits(ParameterBits::STICKY));
    assert_eq!(bench.sticky.target_id(), None, "the next movement lets go");
    assert!(run(&mut bench, 400) < 400);
    assert_eq!(bench.sticky.target_id(), None, "a place cannot be stuck to");
}

#[test]
fn progress_is_judged_by_window_and_in_total() {
    let mut bench = bench();
    to_position(&mut bench, at(0.0, 10.0), params());
    let judge = |bench: &mut Bench, seconds: f32, distance: f32| {
        bench.now = bench.now.after(seconds);
        bench.mover().check_progress_made(distance)
    };
    assert!(judge(&mut bench, 0.9, 10.0), "within the window it always counts");
    assert!(!judge(&mut bench, 0.2, 9.9), "a tenth of a metre in a second does not");
    assert!(judge(&mut bench, 0.0, 9.0));
    assert_eq!(bench.movement.move_to.previous_distance, 9.0, "the checkpoint moves only on progress");
    assert!(!judge(&mut bench, 1.1, 8.99));
    bench.movement.move_to.original_distance = 8.0;
    assert!(!judge(&mut bench, 0.1, 8.0), "the total counts too");
}

#[test]
fn a_stuck_walk_counts_and_never_gives_up() {
    let mut bench = bench();
    to_position(&mut bench, at(0.0, 10.0), params());
    for _ in 0..300 {
        bench.now = bench.now.after(FRAME);
        bench.mover().use_time();
        bench.mover().check_for_completed_motions();
    }
    assert!(bench.movement.is_moving_to() && bench.movement.move_to.fail_progress_count > 200);
    bench.body.as_mut().unwrap().interpolating = true;
    let before = bench.movement.move_to.fail_progress_count;
    bench.mover().use_time();
    assert_eq!(bench.movement.move_to.fail_progress_count, before);
}

#[test]
fn in_the_air_a_movement_waits_and_landing_begins_its_node_anew() {
    let mut bench = bench();
    to_position(&mut bench, at(0.0, 10.0), params());
    bench.body.as_mut().unwrap().contact = false;
    bench.body.as_mut().unwrap().position.point.y = 9.9;
    bench.mover().use_time();
    assert!(bench.movement.is_moving_to(), "without contact nothing is looked at");
    bench.body.as_mut().unwrap().contact = true;
    bench.mover().hit_ground();
    assert!(!bench.movement.is_moving_to(), "landed within reach");
    to_object(&mut bench, MovementType::MoveToObject, params());
    bench.mover().hit_ground();
    assert!(!bench.movement.is_moving_to(), "landing before the first report ends the movement");
}

#[test]
fn refused_commands_end_the_movement() {
    let mut bench = bench();
    bench.parts.as_mut().unwrap().table = Some(BenchTable::Refuse);
    to_position(&mut bench, at(0.0, 10.0), params());
    assert!(!bench.movement.is_moving_to());
    // Case 14.
    bench.movement.has_interpreter = false;
    let given = bench.mover().move_to_do_motion(MotionId::WALK_FORWARD, params());
    assert_eq!(given, Err(MotionError::NoMotionInterpreter));
    bench.body = None;
    let given = bench.mover().move_to_stop_motion(MotionId::WALK_FORWARD, params());
    assert_eq!(given, Err(MotionError::NoPhysicsObject));
}

#[test]
fn a_players_command_ends_a_movement() {
    let mut bench = bench();
    to_position(&mut bench, at(0.0, 10.0), params());
    bench.mover().do_motion(MotionId::TURN_LEFT, &params()).unwrap();
    assert!(!bench.movement.is_moving_to());
    assert_eq!(bench.movement.interpreter.interpreted_state.turn_command, MotionId::TURN_RIGHT);
}

#[test]
fn reports_look_ahead_to_the_arrival() {
    let mut bench = bench();
    to_object(&mut bench, MovementType::MoveToObject, params());
    report(&mut bench, at(0.0, 10.0), TargetStatus::Ok);
    frame(&mut bench);
    frame(&mut bench);
    let quantum = bench.body.as_ref().unwrap().target_quantum;
    assert!((2.5..3.2).contains(&quantum), "{quantum}");
}

#[test]
fn forgetting_keeps_start_parameters_and_nodes() {
    let mut move_to = MoveToManager::new(Time(0));
    move_to.starting_position = at(1.0, 2.0);
    move_to.params = MovementParameters { context_id: 5, distance_to_object: 2.5, ..params() };
    move_to.pending_actions.push(MoveToNode::Move);
    move_to.movement_type = MovementType::MoveToPosition;
    move_to.initialize_local_variables(Time(9));
    assert_eq!((move_to.params.bits, move_to.params.context_id), (ParameterBits::EMPTY, 0));
    assert_eq!((move_to.params.distance_to_object, move_to.starting_position), (2.5, at(1.0, 2.0)));
    assert_eq!((move_to.previous_distance, move_to.previous_distance_time), (f32::MAX, Time(9)));
    assert_eq!(move_to.pending_actions.len(), 1);
    assert!(!move_to.is_moving_to());
}

proptest::proptest! {
    #[test]
    fn every_place_is_reached_from_every_heading(
        x in -25.0f32..25.0, y in -25.0f32..25.0, heading in 0.0f32..360.0, final_heading in proptest::option::of(0.0f32..360.0),
    ) {
        let mut bench = bench();
        bench.body.as_mut().unwrap().position.heading = heading;
        let params = match final_heading {
            Some(desired_heading) => {
                MovementParameters { desired_heading, ..with_bits(ParameterBits::USE_FINAL_HEADING) }
            }
            None => params(),
        };
        to_position(&mut bench, at(x, y), params);
        let frames = run(&mut bench, 900);
        let place = body_position(&bench);
        proptest::prop_assert!(frames < 900, "{frames} frames, {place:?}");
        proptest::prop_assert!((place.point - at(x, y).point).length() <= 1.1 || frames == 0, "{place:?}");
        if let Some(wanted) = final_heading {
            let off = (place.heading - wanted).abs();
            proptest::prop_assert!(!(0.01..=359.99).contains(&off), "facing {} instead of {wanted}", place.heading);
        }
        proptest::prop_assert!(bench.mover().queues_are_paired());
    }
}
