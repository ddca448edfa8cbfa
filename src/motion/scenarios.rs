//! Short scenes that print what they see: the same lines on the host and on the console.
//!
//! Each scene puts a mover on the [bench](super::bench), gives it commands, and writes one line for every command and
//! every step: place, both states, the queues, the move-to nodes. Scenes contain no judgement; whoever runs them compares
//! the lines with known ones.

use super::bench::{Bench, BenchTable, BenchWeenie};
use super::table::build::{CHEER, PUNCH, sample};
use super::{
    HoldKey, MotionId, MotionResult, MoveToNode, Movement, MovementParameters, MovementType, ParameterBits, Position,
    TablePartArray, TargetInfo, TargetStatus, code_of,
};
use crate::maths::Vec3;
use core::fmt::{self, Write};

/// A step of a scene in seconds.
const STEP: f32 = 1.0 / 30.0;
/// The id of the thing that scenes follow.
const TARGET: u32 = 77;
/// Run rate of the scenes' mover.
const RUN_RATE: f32 = 1.95;
/// Upward speed of its full jump, metres a second.
const FULL_JUMP: f32 = 5.5;

/// A scene and its name.
type Scene = (&'static str, fn(&mut Stage<'_>) -> fmt::Result);

/// Every scene.
const SCENES: [Scene; 8] = [
    ("walk_run_turn", walk_run_turn),
    ("charged_jump", charged_jump),
    ("moveto_object", moveto_object),
    ("moveto_fail_distance", moveto_fail_distance),
    ("sticky_follow", sticky_follow),
    ("exit_world_drain", exit_world_drain),
    ("combat_stance_rejections", combat_stance_rejections),
    ("action_limit", action_limit),
];

/// The names of the scenes.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCENES.into_iter().map(|(name, _)| name)
}

/// Plays a scene with a small table of its own and writes its lines; `false` when there is no scene of that name.
///
/// # Errors
/// Whatever the writer refuses.
pub fn play(name: &str, out: &mut dyn Write) -> Result<bool, fmt::Error> {
    let table = sample().build().map_or(BenchTable::Refuse, BenchTable::Table);
    play_with(name, table, out)
}

/// Plays a scene with a table and writes its lines; `false` when there is no scene of that name.
///
/// # Errors
/// Whatever the writer refuses.
pub fn play_with(name: &str, table: BenchTable, out: &mut dyn Write) -> Result<bool, fmt::Error> {
    let Some((_, scene)) = SCENES.into_iter().find(|(known, _)| *known == name) else { return Ok(false) };
    let mut bench = Bench::accepting();
    bench.parts = Some(TablePartArray::new(Some(table)));
    bench.weenie = Some(BenchWeenie { run_rate: Some(RUN_RATE), jump_velocity: Some(FULL_JUMP), ..Default::default() });
    if let Some(body) = &mut bench.body {
        body.autonomous = true;
    }
    bench.mover().enter_default_state();
    let mut stage = Stage { bench, out, step: 0 };
    stage.steps(5)?;
    scene(&mut stage)?;
    Ok(true)
}

/// A scene under way.
struct Stage<'a> {
    bench: Bench,
    out: &'a mut dyn Write,
    step: u32,
}

impl Stage<'_> {
    /// Writes what was done and the code it answered.
    fn done(&mut self, what: &str, motion: MotionId, result: MotionResult) -> fmt::Result {
        writeln!(self.out, "{} {what} {motion} = {:#x}", self.step, code_of(result))
    }

    fn give(&mut self, motion: MotionId) -> fmt::Result {
        let result = self.bench.mover().do_motion(motion, &MovementParameters::default());
        self.done("do_motion", motion, result)
    }

    fn take_back(&mut self, motion: MotionId) -> fmt::Result {
        let result = self.bench.mover().stop_motion(motion, &MovementParameters::default());
        self.done("stop_motion", motion, result)
    }

    fn hold_run(&mut self, run: bool) -> fmt::Result {
        self.bench.mover().set_hold_run(run, true);
        writeln!(self.out, "{} set_hold_run {}", self.step, u32::from(run))
    }

    /// A jump of this extent.
    fn jump(&mut self, extent: f32) -> fmt::Result {
        let result = self.bench.mover().jump(extent);
        writeln!(self.out, "{} jump {extent:.3} = {:#x}", self.step, code_of(result.map(|_| ())))
    }

    fn go(&mut self, movement: &Movement) -> fmt::Result {
        let result = self.bench.mover().perform_movement(movement);
        let number = movement.movement_type as u32;
        writeln!(self.out, "{} perform_movement {number} = {:#x}", self.step, code_of(result))
    }

    fn report(&mut self, x: f32, y: f32, status: TargetStatus) -> fmt::Result {
        let place = Position { point: Vec3::new(x, y, 0.0), heading: 0.0 };
        let info = TargetInfo { object_id: TARGET, status, target_position: place, interpolated_position: place };
        self.bench.mover().target_reported(&info);
        writeln!(self.out, "{} target {x:.3} {y:.3} status {}", self.step, status as u32)
    }

    fn steps(&mut self, count: u32) -> fmt::Result {
        self.steps_while(count, |_| true)
    }

    /// Plays steps while something holds, at most `limit`.
    fn steps_while(&mut self, limit: u32, holds: fn(&Bench) -> bool) -> fmt::Result {
        for _ in 0..limit {
            if !holds(&self.bench) {
                break;
            }
            self.bench.frame(STEP, true);
            #[cfg(any(test, debug_assertions))]
            self.bench.mover().check_pairs();
            self.step += 1;
            self.line()?;
        }
        Ok(())
    }

    /// One line of everything.
    fn line(&mut self) -> fmt::Result {
        let Self { bench, out, step } = self;
        let (interpreter, move_to) = (&bench.movement.interpreter, &bench.movement.move_to);
        let (raw, state) = (&interpreter.raw_state, &interpreter.interpreted_state);
        if let Some(body) = &bench.body {
            let Position { point: at, heading } = body.position;
            write!(out, "{step} at {:.3} {:.3} {:.3} facing {heading:.2}", at.x, at.y, at.z)?;
        }
        write!(out, " | {} key {}", raw.current_style, raw.current_holdkey as u32)?;
        for command in [raw.forward_command, raw.sidestep_command, raw.turn_command] {
            write!(out, " {command}")?;
        }
        let slots = [
            (state.forward_command, state.forward_speed),
            (state.sidestep_command, state.sidestep_speed),
            (state.turn_command, state.turn_speed),
        ];
        write!(out, " | {}", state.current_style)?;
        for (command, speed) in slots {
            write!(out, " {command} {speed:.3}")?;
        }
        write!(out, " | pending")?;
        for node in interpreter.pending_motions.iter() {
            write!(out, " {}:{:#x}", node.motion, node.jump_error_code.map_or(0, |error| error.code()))?;
        }
        write!(out, " | animations")?;
        if let Some(parts) = &bench.parts {
            for node in parts.manager.pending_animations.iter() {
                write!(out, " {}:{}", node.motion, node.num_anims)?;
            }
            let table = parts.manager.state.actions.len();
            write!(out, " | actions {} {} {table}", raw.actions.len(), state.actions.len())?;
        }
        write!(out, " | nodes")?;
        for node in move_to.pending_actions.iter() {
            match node {
                MoveToNode::Move => write!(out, " move")?,
                MoveToNode::Turn(heading) => write!(out, " turn:{heading:.2}")?,
            }
        }
        writeln!(out)
    }
}

/// To a thing, or with the parameters' bits, to it and on with it.
fn to_target(bits: ParameterBits) -> Movement {
    Movement {
        movement_type: MovementType::MoveToObject,
        object_id: TARGET,
        top_level_id: TARGET,
        radius: 0.5,
        height: 2.0,
        params: MovementParameters { bits, ..Default::default() },
        ..Default::default()
    }
}

fn walk_run_turn(stage: &mut Stage<'_>) -> fmt::Result {
    stage.give(MotionId::WALK_FORWARD)?;
    stage.steps(20)?;
    stage.hold_run(true)?;
    stage.steps(20)?;
    stage.give(MotionId::TURN_LEFT)?;
    stage.steps(10)?;
    stage.take_back(MotionId::TURN_LEFT)?;
    stage.hold_run(false)?;
    stage.steps(5)?;
    stage.take_back(MotionId::WALK_FORWARD)?;
    stage.steps(30)
}

fn charged_jump(stage: &mut Stage<'_>) -> fmt::Result {
    let charged = stage.bench.mover().charge_jump();
    stage.done("charge_jump", MotionId::READY, charged)?;
    stage.give(MotionId::WALK_FORWARD)?;
    stage.steps(5)?;
    stage.jump(0.7)?;
    stage.steps_while(60, |bench| bench.body.as_ref().is_some_and(|body| !body.walkable))?;
    stage.steps(20)?;
    stage.hold_run(true)?;
    stage.steps(20)?;
    stage.jump(1.0)?;
    stage.steps_while(60, |bench| bench.body.as_ref().is_some_and(|body| !body.walkable))?;
    stage.take_back(MotionId::WALK_FORWARD)?;
    stage.steps(30)
}

fn moveto_object(stage: &mut Stage<'_>) -> fmt::Result {
    stage.go(&to_target(ParameterBits::DEFAULT))?;
    stage.steps(3)?;
    stage.report(3.0, 4.0, TargetStatus::Ok)?;
    stage.steps(30)?;
    stage.report(5.0, 2.0, TargetStatus::Ok)?;
    stage.steps_while(300, |bench| bench.movement.is_moving_to())
}

fn moveto_fail_distance(stage: &mut Stage<'_>) -> fmt::Result {
    stage.go(&Movement {
        movement_type: MovementType::MoveToPosition,
        position: Position { point: Vec3::new(0.0, 30.0, 0.0), heading: 0.0 },
        params: MovementParameters { fail_distance: 3.0, ..Default::default() },
        ..Default::default()
    })?;
    stage.steps_while(300, |bench| bench.movement.is_moving_to())
}

fn sticky_follow(stage: &mut Stage<'_>) -> fmt::Result {
    stage.go(&to_target(ParameterBits::DEFAULT.with(ParameterBits::STICKY)))?;
    stage.report(0.0, 3.0, TargetStatus::Ok)?;
    stage.steps_while(300, |bench| bench.movement.is_moving_to())?;
    stage.report(0.0, 3.0, TargetStatus::Ok)?;
    stage.steps(5)?;
    stage.report(1.0, 3.0, TargetStatus::Ok)?;
    stage.steps(10)?;
    stage.report(1.0, 3.0, TargetStatus::ExitWorld)?;
    stage.steps(2)
}

fn exit_world_drain(stage: &mut Stage<'_>) -> fmt::Result {
    stage.give(PUNCH)?;
    stage.give(PUNCH)?;
    stage.give(MotionId::WALK_FORWARD)?;
    stage.line()?;
    stage.bench.mover().parts_handle_exit_world();
    stage.line()?;
    stage.bench.mover().handle_exit_world();
    stage.line()?;
    stage.give(PUNCH)?;
    stage.bench.body = None;
    stage.bench.mover().handle_exit_world();
    stage.line()
}

fn combat_stance_rejections(stage: &mut Stage<'_>) -> fmt::Result {
    let refused = [MotionId::CROUCH, MotionId::SITTING, MotionId::SLEEPING, CHEER];
    stage.give(MotionId::HAND_COMBAT)?;
    stage.steps(40)?;
    for motion in refused.into_iter().chain([PUNCH, MotionId::WALK_FORWARD]) {
        stage.give(motion)?;
    }
    stage.steps(40)?;
    stage.bench.mover().stop_completely();
    stage.give(MotionId::NON_COMBAT)?;
    stage.steps(40)?;
    for motion in refused {
        stage.give(motion)?;
        stage.steps(20)?;
        stage.bench.mover().stop_completely();
        stage.steps(20)?;
    }
    Ok(())
}

fn action_limit(stage: &mut Stage<'_>) -> fmt::Result {
    for _ in 0..7 {
        stage.give(PUNCH)?;
    }
    let params = MovementParameters { hold_key: HoldKey::None, ..Default::default() };
    let result = stage.bench.mover().do_interpreted_motion(PUNCH, &params);
    stage.done("do_interpreted_motion", PUNCH, result)?;
    stage.line()?;
    stage.steps_while(300, |bench| bench.movement.motions_pending())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn lines(name: &str) -> Vec<String> {
        let mut text = String::new();
        assert_eq!(play(name, &mut text), Ok(true));
        std::println!("{name}\n{text}");
        text.lines().map(Into::into).collect()
    }

    /// The numbers after a word of a line.
    fn after(line: &str, word: &str) -> Vec<f32> {
        let rest = line.split_once(word).map_or("", |(_, rest)| rest);
        rest.split_whitespace().map_while(|number| number.parse().ok()).collect()
    }

    /// The queue of this name in a line.
    fn queue<'a>(line: &'a str, name: &str) -> &'a str {
        line.split(" | ").find_map(|part| part.strip_prefix(name)).unwrap_or("").trim()
    }

    #[test]
    fn scenes_print_the_same_lines_each_time() {
        for name in names() {
            assert_eq!(lines(name), lines(name));
        }
        assert_eq!(play("fly", &mut String::new()), Ok(false));
    }

    #[test]
    fn walking_becomes_running_and_ends_idle() {
        let lines = lines("walk_run_turn");
        assert!(lines.iter().any(|line| line.contains("0x44000007 1.950")));
        let last = lines.last().unwrap();
        assert!(last.contains("0x8000003d 0x41000003 1.000 0x0 1.248 0x0") || last.contains("0x41000003 1.000"));
        assert_eq!((queue(last, "pending"), queue(last, "animations")), ("", ""));
        assert!(
            (after(last, "facing")[0] - 315.0).abs() < 0.1,
            "ten steps at one and a half times a quarter turn: {last}"
        );
    }

    #[test]
    fn a_charged_jump_rises_as_high_as_its_charge() {
        let lines = lines("charged_jump");
        let heights: Vec<f32> = lines.iter().filter_map(|line| after(line, " at ").get(2).copied()).collect();
        let (first, rest) = heights.split_at(heights.iter().position(|z| *z > 0.0).unwrap() + 30);
        let apex = |part: &[f32]| part.iter().copied().fold(0.0, f32::max);
        // v squared over twice g, less what steps of a thirtieth cut off.
        assert!(
            (0.65..0.76).contains(&apex(first)) && (1.4..1.55).contains(&apex(rest)),
            "{} {}",
            apex(first),
            apex(rest)
        );
        assert_eq!(*heights.last().unwrap(), 0.0);
        assert!(lines.iter().any(|line| line.contains("0x40000015:")), "falling is played");
    }

    #[test]
    fn a_moved_thing_is_reached_where_it_is() {
        let lines = lines("moveto_object");
        let place = after(lines.last().unwrap(), " at ");
        let distance = libm::hypotf(5.0 - place[0], 2.0 - place[1]);
        assert!((1.0..1.6).contains(&distance), "{distance}");
    }

    #[test]
    fn the_fail_distance_ends_a_walk() {
        let y = after(lines("moveto_fail_distance").last().unwrap(), " at ")[1];
        assert!((3.0..3.2).contains(&y), "{y}");
    }

    #[test]
    fn a_grip_follows_and_ends() {
        let lines = lines("sticky_follow");
        let place = after(lines.last().unwrap(), " at ");
        let distance = libm::hypotf(1.0 - place[0], 3.0 - place[1]);
        assert!((distance - 1.3).abs() < 0.01, "rim to rim three tenths: {distance}");
    }

    #[test]
    fn leaving_the_world_empties_every_queue() {
        let lines = lines("exit_world_drain");
        let queues: Vec<_> = lines
            .iter()
            .filter(|line| line.contains(" | pending"))
            .map(|line| (queue(line, "pending").is_empty(), queue(line, "actions ")))
            .collect();
        assert_eq!(queues[queues.len() - 4..][0], (false, "2 2 2"));
        assert_eq!(queues[queues.len() - 3..][0], (true, "0 0 0"));
        assert!(queues.last().unwrap().0);
    }

    #[test]
    fn combat_refuses_what_peace_allows() {
        let lines = lines("combat_stance_rejections");
        let codes: Vec<&str> = lines
            .iter()
            .filter(|line| line.contains("do_motion"))
            .filter_map(|line| line.split(" = ").nth(1))
            .collect();
        assert_eq!(codes[..7], ["0x0", "0x3f", "0x40", "0x41", "0x42", "0x0", "0x0"]);
        assert_eq!(codes[7..], ["0x0"; 5], "at peace everybody may");
    }

    #[test]
    fn the_seventh_action_is_one_too_many() {
        let lines = lines("action_limit");
        let codes: Vec<&str> = lines.iter().filter_map(|line| line.split(" = ").nth(1)).collect();
        assert_eq!(codes, ["0x0", "0x0", "0x0", "0x0", "0x0", "0x0", "0x45", "0x0"]);
        let last = lines.last().unwrap();
        assert_eq!(queue(last, "actions "), "0 0 0");
    }
}
