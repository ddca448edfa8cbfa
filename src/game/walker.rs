//! A pair of eyes that the pad walks through a level.
//!
//! It stands in for the player's character: it keeps to the ground and out of walls by the level's own queries, and it is
//! where the camera is.

use crate::collision::{CollisionMesh, RayFilter};
use crate::maths::{Vec3, from_heading, wrap_heading};
use crate::pads::Reading;
use crate::tasks::world::View;

/// Metres a second of a walk.
const SPEED: f32 = 3.2;
/// Radians a second of a turn.
const TURN: f32 = 2.2;
/// Height of the eyes over the feet, in metres.
pub const EYES: f32 = 1.7;
/// Radius of the sphere that stays out of walls, and its height over the feet, in metres.
const RADIUS: f32 = 0.4;
const WAIST: f32 = 0.9;
/// The ground is looked for from this height over the feet, this far down, in metres.
const SNAP: (f32, f32) = (1.0, 1.5);
/// The clearance that a drop leaves, in metres. Source: support systems, Collision mesh.
const DROP_CLEARANCE: f32 = 0.1;
/// Cosine of half the angle of view, and how far it draws in metres.
const VIEW: (f32, f32) = (0.87, 120.0);

/// The eyes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Walker {
    /// Feet, in metres.
    pub position: Vec3,
    /// Where it looks, radians clockwise from north.
    pub heading: f32,
}

impl Walker {
    /// One step of `seconds`: the left stick moves, the right one turns.
    pub fn step(&mut self, reading: &Reading, mesh: Option<&mut CollisionMesh>, seconds: f32) {
        self.heading = wrap_heading(self.heading + reading.right.x * TURN * seconds);
        let (ahead, right) = (from_heading(self.heading), from_heading(self.heading + core::f32::consts::FRAC_PI_2));
        let wish = ahead * reading.left.y + right * reading.left.x;
        let length = wish.length();
        let wish = if length > 1.0 { wish * (1.0 / length) } else { wish };
        self.position += wish * (SPEED * seconds);
        let Some(mesh) = mesh else { return };
        if let Some(push) = mesh.sphere_push(self.position + Vec3::Z * WAIST, RADIUS) {
            self.position += Vec3::new(push.push.x, push.push.y, 0.0);
        }
        let mut feet = self.position + Vec3::Z * SNAP.0;
        if mesh.drop_to_ground(&mut feet, SNAP.1, &RayFilter::default()).is_some() {
            self.position.z = feet.z - DROP_CLEARANCE;
        }
    }

    /// Where the eyes are.
    pub fn eye(&self) -> Vec3 {
        self.position + Vec3::Z * EYES
    }

    /// What a camera at the eyes sees.
    pub fn view(&self) -> View {
        View { position: self.eye(), forward: from_heading(self.heading), cos_half_angle: VIEW.0, far: VIEW.1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Scene, floor, wall};
    use crate::pads::Stick;

    fn ahead() -> Reading {
        Reading { left: Stick { x: 0.0, y: 1.0 }, ..Reading::default() }
    }

    #[test]
    fn it_walks_where_it_looks_and_stops_at_a_wall() {
        let mut mesh =
            Scene::new().with(floor(40.0, 0.5)).with(wall([0.0, 20.0], [40.0, 20.0], [0.0, 3.0])).mesh([4, 4, 1]);
        let mut walker = Walker { position: Vec3::new(10.0, 15.0, 0.6), heading: 0.0 };
        for _ in 0..90 {
            walker.step(&ahead(), Some(&mut mesh), 1.0 / 30.0);
        }
        let p = walker.position;
        assert!((p.y - (20.0 - RADIUS)).abs() < 0.12 && (p.x - 10.0).abs() < 1e-3, "{p:?}");
        assert!((p.z - 0.5).abs() < 1e-3, "on the ground: {}", p.z);
    }

    #[test]
    fn the_right_stick_turns_clockwise() {
        let mut walker = Walker::default();
        walker.step(&Reading { right: Stick { x: 1.0, y: 0.0 }, ..Reading::default() }, None, 0.5);
        assert!((walker.heading - TURN * 0.5).abs() < 1e-5);
    }
}
