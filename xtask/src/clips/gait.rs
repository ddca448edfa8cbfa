//! The cycle of a walk or run, laid over a clip's keys.

use super::controls::{Controls, middle, side, side as side_of};
use std::f32::consts::TAU;

/// How well a foot that leaves or lands goes with the ground: wholly would throw it too far ahead.
const MATCH: f32 = 0.92;

/// What makes one gait differ from another. Lengths in metres, angles in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// Metres a second of clip time.
    pub speed: f32,
    /// Which way it goes, clockwise from ahead.
    pub heading: f32,
    /// Share of the cycle for which a foot is on the ground.
    pub stance: f32,
    /// How high a foot is lifted.
    pub lift: f32,
    /// How far the heel is up when the foot leaves.
    pub push: f32,
    /// How far the toes are up when the foot lands.
    pub land: f32,
    /// How far the hips rise and sink.
    pub bob: f32,
    /// How far the hips go over the standing foot.
    pub sway: f32,
    /// How far the hips turn with the leg that is ahead; the chest turns against it.
    pub twist: f32,
    /// How far the hands swing.
    pub arm: f32,
    /// How far the foot lands ahead of the hips' middle.
    pub ahead: f32,
    /// How far the heel is kicked up behind in the swing.
    pub kick: f32,
}

impl Default for Gait {
    fn default() -> Self {
        Self {
            speed: 1.5,
            heading: 0.0,
            stance: 0.6,
            lift: 0.07,
            push: 35.0,
            land: 18.0,
            bob: 0.018,
            sway: 0.02,
            twist: 6.0,
            arm: 0.16,
            ahead: 0.13,
            kick: 0.0,
        }
    }
}

impl Gait {
    /// Sets a number by its name; says whether there is one.
    pub fn set(&mut self, name: &str, value: f32) -> bool {
        let field = match name {
            "speed" => &mut self.speed,
            "heading" => &mut self.heading,
            "stance" => &mut self.stance,
            "lift" => &mut self.lift,
            "push" => &mut self.push,
            "land" => &mut self.land,
            "bob" => &mut self.bob,
            "sway" => &mut self.sway,
            "twist" => &mut self.twist,
            "arm" => &mut self.arm,
            "ahead" => &mut self.ahead,
            "kick" => &mut self.kick,
            _ => return false,
        };
        *field = value;
        true
    }

    /// Lays the cycle over the controls at a phase from 0 to 1 of a cycle of `seconds`. The left foot lands at 0, the right
    /// one at a half.
    pub fn lay(&self, controls: &mut Controls, phase: f32, seconds: f32) {
        let heading = self.heading.to_radians();
        let (sideways, ahead) = heading.sin_cos();
        let gone = self.speed * seconds * phase;
        controls[middle::ROOT[0]] += sideways * gone;
        controls[middle::ROOT[1]] += ahead * gone;
        // At a walk the hips are highest over the standing foot, at a run lowest.
        let runs = self.stance < 0.5;
        let middle_of_stance = self.stance * 0.5;
        let height = (2.0 * TAU * (phase - middle_of_stance)).cos();
        controls[middle::HIPS[2]] += self.bob * if runs { -height } else { height };
        let over = (TAU * (phase - middle_of_stance)).cos();
        controls[middle::HIPS[0]] -= self.sway * over;
        controls[middle::HIPS_TURN[2]] += over * self.sway * 60.0;
        // The leg that is ahead takes its side of the hips along.
        let leads = (TAU * phase).cos() * ahead;
        controls[middle::HIPS_TURN[0]] += self.twist * leads;
        controls[middle::SPINE[0]] -= 2.0 * self.twist * leads;
        controls[middle::HEAD[0]] += self.twist * leads;
        for s in 0..2 {
            let own = (phase + 0.5 * s as f32).fract();
            self.foot(controls, s, own, seconds, gone);
            // Arms swing against the legs.
            let swing = -(TAU * own).cos();
            let first = side_of(s);
            controls[first + side::HAND[1]] += self.arm * swing;
            let raised = self.arm * self.arm * 0.9 * swing.max(-0.3) + self.arm * 0.35 * swing.max(0.0);
            controls[first + side::HAND[2]] += raised.abs();
            controls[first + side::HAND[0]] -= self.arm * 0.25 * swing.max(0.0);
        }
    }

    fn foot(&self, controls: &mut Controls, s: usize, own: f32, seconds: f32, gone: f32) {
        let (sideways, ahead) = self.heading.to_radians().sin_cos();
        let stride = self.speed * seconds;
        let first = side_of(s);
        let land = self.ahead;
        // Along the way, from the middle of the human.
        let (along, lift, pitch) = if own < self.stance {
            let t = own / self.stance;
            let heel = self.push * smooth(((t - 0.55) / 0.45).clamp(0.0, 1.0));
            let toes = -self.land * (1.0 - smooth((t / 0.22).clamp(0.0, 1.0)));
            (land - stride * own, 0.0, heel + toes)
        } else {
            let t = (own - self.stance) / (1.0 - self.stance);
            let (from, to) = (land - stride * self.stance, land);
            // In the motion's space the foot leaves and lands at the ground's speed.
            let ground = -stride * (1.0 - self.stance);
            let (t2, t3) = (t * t, t * t * t);
            let along = from * (2.0 * t3 - 3.0 * t2 + 1.0)
                + to * (3.0 * t2 - 2.0 * t3)
                + ground * MATCH * ((t3 - 2.0 * t2 + t) + (t3 - t2));
            let arc = (std::f32::consts::PI * t).sin();
            let behind = (std::f32::consts::PI * (t * 1.25).min(1.0)).sin();
            let pitch = self.push * (1.0 - smooth((t / 0.6).min(1.0))) + self.kick * 90.0 * behind * (1.0 - t)
                - self.land * smooth(((t - 0.5) / 0.5).clamp(0.0, 1.0));
            (along, self.lift * arc.powf(0.4) + self.kick * behind, pitch)
        };
        let outwards = if s == 0 { -1.0 } else { 1.0 };
        controls[first + side::FOOT[0]] += outwards * sideways * (along + gone);
        controls[first + side::FOOT[1]] += ahead * (along + gone);
        controls[first + side::FOOT[2]] += lift;
        controls[first + side::FOOT_PITCH] += pitch * ahead.max(0.35 * sideways.abs());
    }
}

fn smooth(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}
