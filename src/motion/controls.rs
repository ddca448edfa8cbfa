//! The command-driven scheme: held buttons become commands of the interpreter.

use super::interp::MAX_JUMP_EXTENT;
use super::{MotionError, MotionId, MotionResult, MovementParameters, Mover};

/// Seconds that a full charge of a jump takes.
///
/// Our choice: the original leaves charging to its user interface.
pub const FULL_CHARGE_SECONDS: f32 = 1.0;

/// What is held at the moment.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct CommandInput {
    /// Walk ahead.
    pub forward: bool,
    /// Walk back.
    pub backward: bool,
    /// Step to the left.
    pub step_left: bool,
    /// Step to the right.
    pub step_right: bool,
    /// Turn to the left.
    pub turn_left: bool,
    /// Turn to the right.
    pub turn_right: bool,
    /// Run instead of walking.
    pub run: bool,
    /// Charge a jump; letting go jumps.
    pub jump: bool,
    /// Crouch, or rise again.
    pub crouch: bool,
    /// Sit, or rise again.
    pub sit: bool,
    /// Stand ready to fight.
    pub fight: bool,
}

/// What a step of the scheme came to.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct CommandOutcome {
    /// Stamina that a jump cost, when one started.
    pub jumped: Option<u32>,
    /// Why the last refused command was refused.
    pub refused: Option<MotionError>,
}

/// Remembers what was held, to give each command once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommandScheme {
    held: CommandInput,
    charge: Option<f32>,
}

/// The command that two opposite buttons ask for; both together ask for none.
fn one_of(positive: bool, negative: bool, commands: (MotionId, MotionId)) -> MotionId {
    match (positive, negative) {
        (true, false) => commands.0,
        (false, true) => commands.1,
        _ => MotionId::NONE,
    }
}

impl CommandInput {
    /// The commands of the forward, sidestep and turn buttons.
    fn commands(&self) -> [MotionId; 3] {
        [
            one_of(self.forward, self.backward, (MotionId::WALK_FORWARD, MotionId::WALK_BACKWARDS)),
            one_of(self.step_right, self.step_left, (MotionId::SIDE_STEP_RIGHT, MotionId::SIDE_STEP_LEFT)),
            one_of(self.turn_right, self.turn_left, (MotionId::TURN_RIGHT, MotionId::TURN_LEFT)),
        ]
    }
}

impl CommandScheme {
    /// How far a jump is charged, 0 to 1, while one is.
    pub fn charge(&self) -> Option<f32> {
        self.charge
    }

    /// Gives the mover whatever changed since the last step, `dt` seconds ago.
    pub fn update(&mut self, mover: &mut Mover<'_>, input: CommandInput, dt: f32) -> CommandOutcome {
        let mut outcome = CommandOutcome::default();
        let mut note = |result: MotionResult| outcome.refused = result.err().or(outcome.refused);
        let params = MovementParameters::default();
        let held = core::mem::replace(&mut self.held, input);
        if input.run != held.run {
            mover.set_hold_run(input.run, true);
        }
        for (before, now) in held.commands().into_iter().zip(input.commands()) {
            if before == now {
                continue;
            }
            if !before.is_none() {
                note(mover.stop_motion(before, &params));
            }
            if !now.is_none() {
                note(mover.do_motion(now, &params));
            }
        }
        if input.fight != held.fight {
            let stance = if input.fight { MotionId::HAND_COMBAT } else { MotionId::NON_COMBAT };
            note(mover.do_motion(stance, &params));
        }
        for (pressed, posture) in
            [(input.crouch && !held.crouch, MotionId::CROUCH), (input.sit && !held.sit, MotionId::SITTING)]
        {
            if pressed {
                let is_down = mover.movement.interpreter.raw_state.forward_command == posture;
                note(if is_down { mover.stop_motion(posture, &params) } else { mover.do_motion(posture, &params) });
            }
        }
        if input.jump && !held.jump {
            let charged = mover.charge_jump();
            self.charge = charged.is_ok().then_some(0.0);
            note(charged);
        }
        if let Some(charge) = self.charge {
            if input.jump {
                self.charge = Some((charge + dt / FULL_CHARGE_SECONDS).min(MAX_JUMP_EXTENT));
            } else {
                self.charge = None;
                match mover.jump(charge) {
                    Ok(cost) => outcome.jumped = Some(cost),
                    Err(error) => outcome.refused = Some(error),
                }
            }
        }
        outcome
    }

    /// Takes back whatever moves or is charged, while something else than commands moves the body. Stance and run key stay
    /// as they are held.
    pub fn pause(&mut self, mover: &mut Mover<'_>, input: CommandInput) {
        self.charge = None;
        self.update(mover, CommandInput { run: input.run, fight: input.fight, ..CommandInput::default() }, 0.0);
        mover.movement.interpreter.standing_longjump = false;
    }

    /// Takes back whatever is held, when another scheme takes over.
    pub fn release(&mut self, mover: &mut Mover<'_>) {
        self.pause(mover, CommandInput::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::bench::{Bench, BenchBody, BenchWeenie};

    const STEP: f32 = 1.0 / 32.0;

    fn bench() -> Bench {
        let mut bench = Bench {
            weenie: Some(BenchWeenie { run_rate: Some(1.95), jump_velocity: Some(5.5), ..Default::default() }),
            body: Some(BenchBody { autonomous: true, ..Default::default() }),
            ..Bench::accepting()
        };
        bench.mover().enter_default_state();
        bench
    }

    fn step(scheme: &mut CommandScheme, bench: &mut Bench, input: CommandInput) -> CommandOutcome {
        let outcome = scheme.update(&mut bench.mover(), input, STEP);
        bench.frame(STEP, true);
        outcome
    }

    fn commands(bench: &Bench) -> [(MotionId, f32); 3] {
        let state = &bench.movement.interpreter.interpreted_state;
        [
            (state.forward_command, state.forward_speed),
            (state.sidestep_command, state.sidestep_speed),
            (state.turn_command, state.turn_speed),
        ]
    }

    #[test]
    fn held_buttons_walk_step_and_turn_and_letting_go_stops() {
        let (mut scheme, mut bench) = (CommandScheme::default(), bench());
        let input = CommandInput { backward: true, step_left: true, turn_left: true, ..Default::default() };
        step(&mut scheme, &mut bench, input);
        let [forward, sidestep, turn] = commands(&bench);
        assert_eq!(forward, (MotionId::WALK_FORWARD, -0.65));
        assert!(sidestep.0 == MotionId::SIDE_STEP_RIGHT && (sidestep.1 + 1.248).abs() < 1e-5);
        assert_eq!(turn, (MotionId::TURN_RIGHT, -1.0));
        bench.trace.0.clear();
        step(&mut scheme, &mut bench, input);
        let given =
            bench.trace.0.iter().filter(|call| matches!(call, crate::motion::seams::Call::DoInterpretedMotion(..)));
        assert_eq!(given.count(), 0, "a held button gives its command once");
        step(&mut scheme, &mut bench, CommandInput { forward: true, backward: true, ..Default::default() });
        assert!(bench.movement.interpreter.interpreted_state.is_idle(), "opposite buttons ask for nothing");
    }

    #[test]
    fn the_run_button_turns_a_walk_into_a_run_and_back() {
        let (mut scheme, mut bench) = (CommandScheme::default(), bench());
        let walk = CommandInput { forward: true, ..Default::default() };
        step(&mut scheme, &mut bench, walk);
        step(&mut scheme, &mut bench, CommandInput { run: true, ..walk });
        assert_eq!(commands(&bench)[0], (MotionId::RUN_FORWARD, 1.95));
        step(&mut scheme, &mut bench, walk);
        assert_eq!(commands(&bench)[0], (MotionId::WALK_FORWARD, 1.0));
    }

    #[test]
    fn postures_toggle_and_combat_refuses_them() {
        let (mut scheme, mut bench) = (CommandScheme::default(), bench());
        let crouch = CommandInput { crouch: true, ..Default::default() };
        step(&mut scheme, &mut bench, crouch);
        step(&mut scheme, &mut bench, crouch);
        assert_eq!(commands(&bench)[0].0, MotionId::CROUCH);
        step(&mut scheme, &mut bench, CommandInput::default());
        assert_eq!(commands(&bench)[0].0, MotionId::CROUCH, "it stays when the button is let go");
        let jump = CommandInput { jump: true, ..Default::default() };
        assert_eq!(
            step(&mut scheme, &mut bench, jump).refused,
            Some(MotionError::CannotJumpFromThisPosition),
            "and does not jump"
        );
        assert_eq!(step(&mut scheme, &mut bench, crouch).refused, None);
        assert_eq!(commands(&bench)[0].0, MotionId::READY);
        let fight = CommandInput { fight: true, ..Default::default() };
        assert_eq!(step(&mut scheme, &mut bench, fight).refused, None);
        assert_eq!(bench.movement.interpreter.interpreted_state.current_style, MotionId::HAND_COMBAT);
        let sit = CommandInput { sit: true, ..fight };
        assert_eq!(step(&mut scheme, &mut bench, sit).refused, Some(MotionError::CannotSitInCombat));
        step(&mut scheme, &mut bench, CommandInput::default());
        assert_eq!(bench.movement.interpreter.interpreted_state.current_style, MotionId::NON_COMBAT);
    }

    #[test]
    fn a_standing_charge_waits_and_then_leaps_ahead() {
        let (mut scheme, mut bench) = (CommandScheme::default(), bench());
        let charge = CommandInput { jump: true, ..Default::default() };
        step(&mut scheme, &mut bench, charge);
        for _ in 0..15 {
            step(&mut scheme, &mut bench, CommandInput { forward: true, ..charge });
        }
        assert_eq!(scheme.charge(), Some(0.5));
        assert_eq!(bench.body.as_ref().unwrap().position.point.y, 0.0, "the walk waits for the jump");
        let outcome = scheme.update(&mut bench.mover(), CommandInput { forward: true, ..Default::default() }, STEP);
        assert_eq!(outcome.jumped, Some(10));
        let velocity = bench.body.as_ref().unwrap().velocity;
        assert!((velocity.y - 3.12).abs() < 1e-5 && (velocity.z - 2.75).abs() < 1e-5, "{velocity:?}");
    }

    #[test]
    fn letting_go_of_the_charge_jumps_with_what_was_charged() {
        let (mut scheme, mut bench) = (CommandScheme::default(), bench());
        let walk = CommandInput { forward: true, run: true, ..Default::default() };
        step(&mut scheme, &mut bench, walk);
        for _ in 0..16 {
            step(&mut scheme, &mut bench, CommandInput { jump: true, ..walk });
        }
        let outcome = scheme.update(&mut bench.mover(), walk, STEP);
        assert_eq!(outcome, CommandOutcome { jumped: Some(10), refused: None });
        let velocity = bench.body.as_ref().unwrap().velocity;
        assert!((velocity.z - 2.75).abs() < 1e-5 && (velocity.y - 7.8).abs() < 1e-4, "{velocity:?}");
        for _ in 0..64 {
            step(&mut scheme, &mut bench, walk);
        }
        let body = bench.body.as_ref().unwrap();
        assert!(body.walkable && commands(&bench)[0].0 == MotionId::RUN_FORWARD, "it runs on after landing");
    }

    #[test]
    fn another_scheme_finds_nothing_held() {
        let (mut scheme, mut bench) = (CommandScheme::default(), bench());
        step(&mut scheme, &mut bench, CommandInput { jump: true, ..Default::default() });
        step(
            &mut scheme,
            &mut bench,
            CommandInput { jump: true, forward: true, turn_left: true, ..Default::default() },
        );
        scheme.release(&mut bench.mover());
        assert!(bench.movement.interpreter.interpreted_state.is_idle() && scheme.charge().is_none());
        assert!(bench.body.as_ref().unwrap().walkable && !bench.movement.interpreter.standing_longjump);
    }
}
