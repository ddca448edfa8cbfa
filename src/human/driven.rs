//! A human that commands drive: the motion system's velocities move it and its sequence is what is shown.
//!
//! Each step the pad's commands become a [`Driven`], which the characters' step then carries out in its own places: the
//! animation shows the clip, the state update moves and turns the body and lets it leap. Blows, holds and attacks come
//! first; while they last the human is not driven.
//!
//! Source: settled questions 15; seed 004, MovementManager.

use super::numbers::{AnimState, state};
use super::person::Human;
use super::speeds::slope_scale;
use super::store::Humans;
use crate::animation::clip::FRAME_RATE;
use crate::animation::events::kind;
use crate::animation::task::{AnimTask, Play};
use crate::maths::{Quat, Vec3, scalar, wrap_heading};
use crate::motion::CommandInput;
use crate::pads::button::{DOWN, L1, L2, LEFT, RIGHT, TRIANGLE, UP};
use crate::tasks::humans::gates::{Gate, held, state as gate_state};
use crate::tasks::humans::records::PadInput;
use crate::tasks::humans::step::Condition;

/// How far the stick is out before it commands.
const STICK: f32 = 0.45;
/// Seconds of the fade from one clip of the sequence to the next.
const FADE: f32 = 0.1333;
/// The held bits under which the clips are not the motion system's: an attack, a reaction, a landing plays on.
const LEAVES: u32 = !(held::START | held::FIGHT_TO_NEUTRAL | held::TURN);
/// Slower than this, in metres a second, somebody stands.
const STANDS: f32 = 0.05;

/// A frame of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shown {
    /// The clip's number.
    pub clip: u16,
    /// Where in it.
    pub frame: f32,
}

/// What the motion system does with a human in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Driven {
    /// Metres a second over the ground in the human's own space.
    pub velocity: Vec3,
    /// Radians clockwise.
    pub turn: f32,
    /// It leaves the ground, at so many metres a second in the world.
    pub leap: Option<Vec3>,
    /// What is shown.
    pub shown: Option<Shown>,
    /// How far a jump is charged, 0 to 1, while one is.
    pub charge: Option<f32>,
}

/// What a pad commands. The stick walks and turns; its keys are told in the pause menu.
pub fn commands_of(input: &PadInput) -> CommandInput {
    let (s, c) = scalar::sin_cos(input.angle[0]);
    let (right, ahead) = (s * input.magnitude[0], c * input.magnitude[0]);
    let holds = |button: crate::pads::button::Buttons| input.buttons & u32::from(button) != 0;
    CommandInput {
        forward: ahead > STICK,
        backward: ahead < -STICK,
        turn_right: right > STICK,
        turn_left: right < -STICK,
        step_right: holds(RIGHT),
        step_left: holds(LEFT),
        run: holds(L2),
        jump: holds(TRIANGLE),
        crouch: holds(DOWN),
        sit: holds(UP),
        fight: holds(L1),
    }
}

impl Human {
    /// Whether something else than its commands moves it: a blow, a hold, an attack.
    pub fn is_beyond_commands(&self) -> bool {
        let gate = Gate { state: self.state & !gate_state::AIRBORNE, ..self.gate() };
        gate.skips_stick()
            || self.is(state::BLOCKING)
            || self.stillness > 0
            || self.fight.partner.is_some()
            || self.condition() != Condition::Active
    }

    /// One step of a human that commands drive: turn and velocity are the motion system's.
    pub fn driven_locomotion(&mut self, driven: &Driven) {
        self.turn_error = 0.0;
        if self.is_beyond_commands() {
            if !self.is_airborne() {
                self.rest();
            }
            return;
        }
        self.turned = driven.turn;
        self.heading = wrap_heading(self.heading + driven.turn);
        // What the clips would carry the sequence's velocities already do.
        self.carried = (Vec3::ZERO, 0.0);
        if self.is_airborne() {
            return;
        }
        let slope = slope_scale(self.ground_normal.z);
        let velocity = Quat::from_heading(self.heading).rotate(driven.velocity) * slope;
        (self.velocity.x, self.velocity.y) = (velocity.x, velocity.y);
        self.speed = velocity.horizontal().length();
        self.wanted = self.speed;
        self.gait = self.speeds.nearest_gait(self.speed);
    }
}

impl Humans {
    /// Shows what the motion system plays, before the step's poses are made.
    pub(super) fn show_driven(&mut self, n: usize) {
        let human = &self.people[n];
        let Some(shown) = human.driven.and_then(|driven| driven.shown) else { return };
        let others = human.held & LEAVES != 0 || human.is(state::BLOCKING) || human.fight.partner.is_some();
        if others || human.condition() != Condition::Active {
            return;
        }
        let Some(clip) = self.library.find(shown.clip) else { return };
        let newest = human.stack.newest(&self.pool).and_then(|id| self.pool.get(id));
        if !newest.is_some_and(|task| task.play == Play::Scene && task.clip == Some(clip)) {
            let task = self.pool.take(AnimTask::new(Play::Scene, clip, 0));
            self.push(n, task, FADE, 0);
        }
        let length = self.library.clip(clip).length;
        if let Some(task) = self.people[n].stack.newest(&self.pool).and_then(|id| self.pool.get_mut(id)) {
            task.time = (shown.frame / FRAME_RATE).clamp(0.0, length);
        }
    }

    /// A frame of a clip that the motion system plays was passed: the foot that comes down there is heard.
    pub fn pass_frame(&mut self, n: usize, clip: u16, frame: u16) {
        let Some(clip) = self.library.find(clip) else { return };
        let step = self.library.events(clip).find(|event| event.frame == frame && event.kind == kind::STEP);
        if let Some(step) = step {
            // A step sends no message.
            let _sent = self.fire(n, &step);
        }
    }

    /// What a driven human shows at large, for those who ask.
    pub(super) fn choose_driven(&mut self, n: usize) {
        let human = &mut self.people[n];
        human.anim = match (human.is(state::STANCE), human.speed > STANDS) {
            (true, true) => AnimState::StanceMove,
            (true, false) => AnimState::Stance,
            (false, true) => AnimState::Move,
            (false, false) => AnimState::Idle,
        };
    }

    /// Another scheme has taken a human over: its clips are the characters' own again.
    pub fn end_driven(&mut self, n: usize) {
        let idle = self.cast.idle;
        self.people[n].anim = AnimState::Idle;
        self.play_loop(n, idle, FADE, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::{FRAC_PI_2, PI};

    fn stick(angle: f32, magnitude: f32) -> CommandInput {
        commands_of(&PadInput { angle: [angle, 0.0], magnitude: [magnitude, 0.0], ..PadInput::default() })
    }

    #[test]
    fn the_stick_walks_and_turns_and_both_between() {
        assert_eq!(stick(0.0, 1.0), CommandInput { forward: true, ..Default::default() });
        assert_eq!(stick(PI, 1.0), CommandInput { backward: true, ..Default::default() });
        assert_eq!(stick(FRAC_PI_2, 1.0), CommandInput { turn_right: true, ..Default::default() });
        assert_eq!(stick(-FRAC_PI_2 / 2.0, 1.0), CommandInput { forward: true, turn_left: true, ..Default::default() });
        assert_eq!(stick(0.0, 0.4), CommandInput::default(), "a stick that is hardly moved commands nothing");
    }

    #[test]
    fn the_buttons_step_aside_run_jump_and_change_the_posture() {
        let held = |button: crate::pads::button::Buttons| {
            commands_of(&PadInput { buttons: button.into(), ..PadInput::default() })
        };
        assert_eq!(held(LEFT), CommandInput { step_left: true, ..Default::default() });
        assert_eq!(held(RIGHT), CommandInput { step_right: true, ..Default::default() });
        assert_eq!(held(L2), CommandInput { run: true, ..Default::default() });
        assert_eq!(held(TRIANGLE), CommandInput { jump: true, ..Default::default() });
        assert_eq!(held(DOWN), CommandInput { crouch: true, ..Default::default() });
        assert_eq!(held(UP), CommandInput { sit: true, ..Default::default() });
        assert_eq!(held(L1), CommandInput { fight: true, ..Default::default() });
    }
}
