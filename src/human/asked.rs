//! What a brain asks becomes turning and speed.
//!
//! Source: humans and combat, AI locomotion.

use super::numbers::{JOG, RUN, SPRINT, WALK, code, state};
use super::person::Human;
use super::speeds::{slope_scale, turn_between};
use crate::maths::{Vec3, from_heading, wrap_heading};
use core::f32::consts::PI;

/// Turn steps in degrees: standing and walking, jogging, running, sprinting, in the stance, blocking.
const TURN: [f32; 6] = [12.0, 6.0, 4.0, 2.5, 24.0, 1.5];
/// A hurt human turns by this share.
const HURT_TURN: f32 = 0.25;
/// Metres a second gained in a step, and when more than two are missing; also lost.
const GAIN: [f32; 2] = [0.2667, 1.0667];
const FAR_SHORT: f32 = 2.0;
/// The first speed from rest is no higher.
const FIRST: f32 = 2.0;
/// Nobody is faster.
const MOST: f32 = 25.0;
/// A stance asks for its base speed above this.
const STANCE_FROM: f32 = 0.1;
/// Our choice: a brain's human that is this far off its way turns before it sets off, in radians.
const TURNS_FIRST: f32 = 1.2;

impl Human {
    /// One step of a brain's human.
    pub fn ai_locomotion(&mut self) {
        let asked = self.asked;
        self.tire(asked.gait == SPRINT);
        let gate = self.gate();
        if gate.is_airborne() {
            return;
        }
        let blocking = self.is(state::BLOCKING);
        self.set(state::BOTH_STANCES, asked.stance);
        if gate.skips_stick() && !blocking {
            self.rest();
            return;
        }
        self.turn_error = turn_between(self.heading, asked.heading);
        let degrees = match self.gait {
            _ if blocking => TURN[5],
            _ if asked.stance => TURN[4],
            SPRINT => TURN[3],
            RUN => TURN[2],
            JOG => TURN[1],
            _ => TURN[0],
        };
        let share = if self.is(state::HURT) { HURT_TURN } else { 1.0 };
        let limit = if self.far { PI } else { degrees.to_radians() * share };
        self.turned = self.turn_error.clamp(-limit, limit);
        self.heading = wrap_heading(self.heading + self.turned);
        self.wanted = self.asked_speed(blocking);
        if gate.zeroes_velocity() && self.code != code::TURNS && self.code != code::RUNS {
            (self.velocity.x, self.velocity.y) = (0.0, 0.0);
            self.speed = self.carried.0.length() * 30.0;
            return;
        }
        let from_rest = self.speed <= 0.0 && self.wanted > 0.0;
        self.code = match from_rest {
            true if self.wanted >= self.speeds.gaits[usize::from(RUN)] => code::RUNS,
            true => code::TURNS,
            false => code::NONE,
        };
        self.speed = if from_rest {
            self.wanted.min(FIRST)
        } else if self.wanted > self.speed {
            let gain = if self.wanted - self.speed > FAR_SHORT { GAIN[1] } else { GAIN[0] };
            (self.speed + gain).min(self.wanted)
        } else {
            (self.speed - GAIN[1]).max(self.wanted)
        };
        self.gait = self.speeds.nearest_gait(self.speed);
        let way = from_heading(self.heading) * if asked.backwards { -1.0 } else { 1.0 };
        // The code of a first step keeps the body where it is, as it does a player's.
        let velocity = if from_rest { Vec3::ZERO } else { way * (self.speed * slope_scale(self.ground_normal.z)) };
        (self.velocity.x, self.velocity.y) = (velocity.x, velocity.y);
    }

    fn asked_speed(&self, blocking: bool) -> f32 {
        // Who is out of breath runs at best, as a player does.
        let best = if self.stamina > 0.0 { SPRINT } else { RUN };
        let speed = self.speeds.gaits[usize::from(self.asked.gait.min(best))];
        if blocking || (self.turn_error.abs() > TURNS_FIRST && !self.asked.stance) {
            return 0.0;
        }
        let speed = match () {
            () if self.is(state::HURT) => speed.min(self.speeds.gaits[usize::from(WALK)]),
            () if self.asked.stance && speed > STANCE_FROM => self.speeds.base,
            () => speed,
        };
        speed.min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::numbers::STAMINA;
    use crate::human::person::{Asked, Spawn};
    use crate::human::speeds::Speeds;

    const SPEEDS: Speeds = Speeds { base: 3.0, gaits: [0.0, 1.2, 1.5, 4.0, 7.5, 10.0] };

    /// Steps of somebody who is asked this from rest: code, speed and whether the body moved.
    fn from_rest(asked: Asked, steps: usize) -> std::vec::Vec<(u32, f32, bool)> {
        let mut human = Human::new(Spawn::default(), SPEEDS);
        human.asked = asked;
        let step = |_| {
            human.ai_locomotion();
            (human.code, human.speed, human.velocity.length() > 0.0)
        };
        (0..steps).map(step).collect()
    }

    #[test]
    fn a_first_step_has_its_code_at_most_two_metres_a_second_and_no_velocity() {
        let asked = |gait| Asked { gait, ..Asked::default() };
        let run = from_rest(asked(RUN), 3);
        assert_eq!((run[0], run[1].0, run[1].2), ((code::RUNS, 2.0, false), code::NONE, true));
        assert!((run[1].1 - 3.0667).abs() < 1e-4, "more than two short: {run:?}");
        assert_eq!(from_rest(asked(WALK), 2)[..], [(code::TURNS, 1.5, false), (code::NONE, 1.5, true)]);
    }

    #[test]
    fn in_the_stance_whoever_is_asked_to_move_has_the_base_speed() {
        let asked = |gait| Asked { gait, stance: true, ..Asked::default() };
        for gait in [WALK, RUN] {
            assert_eq!(from_rest(asked(gait), 8).last().unwrap().1, SPEEDS.base, "gait {gait}");
        }
        assert_eq!(from_rest(asked(0), 8).last().unwrap().1, 0.0);
        let mut human = Human::new(Spawn::default(), SPEEDS);
        human.asked = asked(WALK);
        human.ai_locomotion();
        assert_eq!(human.state & 0x3, 0x3, "both bits are a brain's");
    }

    #[test]
    fn who_is_hurt_walks_and_turns_by_a_quarter_and_who_is_far_turns_at_once() {
        let turned = |hurt: bool, far: bool| {
            let mut human = Human::new(Spawn::default(), SPEEDS);
            human.asked = Asked { gait: RUN, heading: 1.0, ..Asked::default() };
            human.set(state::HURT, hurt);
            human.far = far;
            human.ai_locomotion();
            let first = human.turned.to_degrees();
            (0..20).for_each(|_| human.ai_locomotion());
            (first, human.speed)
        };
        let near = |found: (f32, f32), degrees: f32, speed: f32| (found.0 - degrees).abs() < 1e-3 && found.1 == speed;
        assert!(near(turned(false, false), 12.0, 7.5), "{:?}", turned(false, false));
        assert!(near(turned(true, false), 3.0, 1.5), "{:?}", turned(true, false));
        assert!(near(turned(false, true), 1.0_f32.to_degrees(), 7.5), "{:?}", turned(false, true));
    }

    #[test]
    fn a_brains_human_sprints_until_its_stamina_is_out_and_runs_on() {
        let mut human = Human::new(Spawn::default(), SPEEDS);
        human.asked = Asked { gait: SPRINT, ..Asked::default() };
        let mut sprinted = 0;
        for _ in 0..300 {
            human.ai_locomotion();
            sprinted += usize::from(human.gait == SPRINT);
        }
        std::println!("{sprinted} steps of sprint, {} stamina left", human.stamina);
        // Stamina 135 at 20 a second lasts for 202.5 steps.
        assert!((200..=206).contains(&sprinted) && human.stamina == 0.0 && human.speed == 7.5, "{}", human.speed);
        human.asked.gait = WALK;
        (0..30).for_each(|_| human.ai_locomotion());
        assert!((39.0..=41.0).contains(&human.stamina), "a second of walking gives back {}", human.stamina);
        human.asked.gait = SPRINT;
        (0..30).for_each(|_| human.ai_locomotion());
        assert!(human.gait == SPRINT && human.stamina < STAMINA);
    }
}
