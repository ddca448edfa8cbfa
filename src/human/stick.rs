//! A pad's stick becomes turning and speed.
//!
//! Source: humans and combat, Locomotion.

use super::numbers::{AnimState, DEAD_ZONE, JOG, RUN, RUN_ZONE, SPRINT, STAMINA, STAMINA_RATES, code, state};
use super::person::Human;
use super::speeds::{approach, slope_scale, turn_between, turn_step};
use crate::maths::{Vec3, from_heading, wrap_heading};
use crate::tasks::humans::records::PadInput;
use crate::tasks::humans::step::STEP_SECONDS;

/// Turn limits in degrees a step: standing and walking, jogging and running, sprinting, in the stance, in the air.
const TURN: [f32; 5] = [20.0, 18.0, 16.0, 24.0, 4.0];
/// A skid needs the stick back under this, or turned round by this.
const SKID_STICK: f32 = 0.2;
const SKID_TURN: f32 = -0.5;
/// The stick's bits: who holds L2 at a run asks for a sprint. Source: humans and combat, Locomotion.
const SPRINT_BUTTON: u32 = crate::pads::button::L2 as u32;

/// The heading that a stick's angle, clockwise from up, means to somebody who sees through a camera.
pub fn stick_heading(angle: f32, camera: f32) -> f32 {
    wrap_heading(camera + angle)
}

impl Human {
    /// The turn limit of this moment, in radians a step.
    fn turn_limit(&self) -> f32 {
        let limit = match self.gait {
            _ if self.is_airborne() => TURN[4],
            _ if self.is(state::STANCE) => TURN[3],
            SPRINT => TURN[2],
            JOG | RUN => TURN[1],
            _ => TURN[0],
        };
        limit.to_radians()
    }

    /// One step of a pad's human: what its stick does to heading, speed and velocity.
    pub fn player_locomotion(&mut self, input: &PadInput, camera: f32) {
        let (deflection, heading) = (input.magnitude[0].clamp(0.0, 1.0), stick_heading(input.angle[0], camera));
        self.spend_stamina(input, deflection);
        let gate = self.gate();
        let last = core::mem::replace(&mut self.stick, (deflection, heading));
        if gate.is_airborne() {
            self.turn_in_air(deflection, heading);
            return;
        }
        if gate.skips_stick() {
            self.rest();
            return;
        }
        if self.skids(deflection, heading, last) {
            self.rest();
            self.code = code::SKIDS;
            return;
        }
        self.wanted = self.speeds.of_stick(deflection, self.is(state::SPRINT) && self.stamina > 0.0);
        // Source: humans and combat, Locomotion (jog only when carrying class 4 or 6). Our choice: what takes both hands.
        if self.fight.weapon.is_some_and(|weapon| weapon.overhead) {
            self.wanted = self.wanted.min(self.speeds.gaits[usize::from(JOG)]);
        }
        if self.is(state::STANCE) && self.wanted > 0.0 {
            self.wanted = self.speeds.base * deflection;
        }
        self.turn_error = 0.0;
        if deflection > DEAD_ZONE {
            self.turn_error = turn_between(self.heading, heading);
            self.turned = turn_step(self.turn_error, self.turned, self.turn_limit());
            self.heading = wrap_heading(self.heading + self.turned);
        } else {
            self.turned = 0.0;
        }
        if self.anim == AnimState::Idle && self.wanted > 0.0 {
            // Who stands turns in place until a start clip or the stance takes the body along.
            self.code = code::TURNS;
        }
        if self.gate().zeroes_velocity() || self.is(state::BLOCKING) || self.wanted <= 0.0 {
            (self.velocity.x, self.velocity.y) = (0.0, 0.0);
            // What a start clip's own motion has gained is kept for when the stick takes over.
            self.speed = if self.wanted <= 0.0 { 0.0 } else { self.carried.0.length() / STEP_SECONDS };
            self.gait = self.speeds.nearest_gait(self.speed);
            return;
        }
        self.speed = approach(self.speed, self.wanted);
        if self.anim == AnimState::Move {
            // The rest of a start clip that ended in this step is the stick's already.
            self.carried.0 = Vec3::ZERO;
        }
        self.gait = self.speeds.nearest_gait(self.speed);
        let velocity = from_heading(self.heading) * (self.speed * slope_scale(self.ground_normal.z));
        (self.velocity.x, self.velocity.y) = (velocity.x, velocity.y);
    }

    /// No speed of its own.
    pub fn rest(&mut self) {
        (self.speed, self.wanted, self.gait, self.turned) = (0.0, 0.0, 0, 0.0);
        (self.velocity.x, self.velocity.y) = (0.0, 0.0);
    }

    /// In the air the stick turns the flight a little.
    fn turn_in_air(&mut self, deflection: f32, heading: f32) {
        if deflection <= DEAD_ZONE {
            return;
        }
        let error = turn_between(self.heading, heading);
        self.turned = turn_step(error, self.turned, self.turn_limit());
        self.heading = wrap_heading(self.heading + self.turned);
        let speed = self.velocity.horizontal().length();
        let way = from_heading(self.heading) * speed;
        (self.velocity.x, self.velocity.y) = (way.x, way.y);
    }

    fn skids(&self, deflection: f32, heading: f32, last: (f32, f32)) -> bool {
        let fast = self.gait >= RUN && self.speed >= self.speeds.gaits[usize::from(RUN)];
        let back = from_heading(heading).dot(from_heading(self.heading)) < SKID_TURN;
        fast && last.0 > RUN_ZONE && (deflection < SKID_STICK || back)
    }

    /// Sprinting costs stamina, and its lack ends the sprint.
    fn spend_stamina(&mut self, input: &PadInput, deflection: f32) {
        let asks = input.buttons & SPRINT_BUTTON != 0 && deflection > RUN_ZONE;
        self.set(state::SPRINT, asks && !self.is(state::STANCE));
        self.tire(asks);
    }

    /// A step's sprint costs stamina; rest gives it back, but not a run of who still asks for a sprint.
    ///
    /// Source: humans and combat, Moving, ground, air (stamina).
    pub(super) fn tire(&mut self, asks_sprint: bool) {
        if self.gait == SPRINT && self.held == 0 && self.speed > 0.0 {
            self.stamina = (self.stamina - STAMINA_RATES[0] * STEP_SECONDS).max(0.0);
        } else if !(self.gait == RUN && asks_sprint) {
            self.stamina = (self.stamina + STAMINA_RATES[1] * STEP_SECONDS).min(STAMINA);
        }
    }
}
