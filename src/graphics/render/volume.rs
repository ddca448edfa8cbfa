//! What the eye can see, and what the hardware can draw without cutting.

use super::super::camera::{CORNER, Camera};
use super::super::mesh::Sphere;
use crate::ee::gs::memory::WIDTH;
use crate::maths::scalar::sqrt;

/// Where the drawing plane ends, with a margin for what the arithmetic rounds, in pixels.
pub const PLANE: core::ops::Range<f32> = 8.0..4088.0;

/// Where a ball lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Wholly out of sight.
    Hidden,
    /// In sight, and everything of it can be drawn as it is.
    Whole,
    /// In sight, and parts of it may have to be cut.
    Reaching,
}

/// A plane through the eye: how much of right and up and ahead its normal is. Inside is above 0.
#[derive(Clone, Copy, Debug)]
struct Side {
    across: f32,
    ahead: f32,
}

impl Side {
    /// The plane that holds what is `pixels` from the middle of perspective, of `focal` pixels a metre; inside is towards the
    /// middle.
    fn new(pixels: f32, focal: f32) -> Self {
        let long = sqrt(pixels * pixels + focal * focal);
        let towards = if pixels < 0.0 { 1.0 } else { -1.0 };
        Self { across: towards * focal / long, ahead: -towards * pixels / long }
    }

    fn inside(self, across: f32, ahead: f32) -> f32 {
        across * self.across + ahead * self.ahead
    }
}

/// The pyramid that the picture shows and the one that the drawing plane holds.
#[derive(Clone, Copy, Debug)]
pub struct Volume {
    camera: Camera,
    far: f32,
    /// Left, right, upper and lower.
    picture: [Side; 4],
    plane: [Side; 4],
}

impl Volume {
    /// What `camera` sees up to `far` metres.
    pub fn new(camera: &Camera, far: f32) -> Self {
        let centre = camera.centre();
        let (across, upright) = (camera.focal * camera.stretch, camera.focal);
        // Lines count downwards and metres upwards.
        let sides = |left: f32, right: f32, top: f32, bottom: f32| {
            [
                Side::new(left - centre.0, across),
                Side::new(right - centre.0, across),
                Side::new(centre.1 - top, upright),
                Side::new(centre.1 - bottom, upright),
            ]
        };
        let (left, top) = CORNER;
        Self {
            camera: *camera,
            far,
            picture: sides(left, left + WIDTH as f32, top + camera.window.0, top + camera.window.1),
            plane: sides(PLANE.start, PLANE.end, PLANE.start, PLANE.end),
        }
    }

    /// Where a ball of the world lies.
    pub fn place(&self, ball: &Sphere) -> Place {
        let Some((x, y, ahead)) = self.look(ball) else { return Place::Hidden };
        let [left, right, top, bottom] = &self.plane;
        let whole = ahead - ball.radius >= self.camera.near
            && [left.inside(x, ahead), right.inside(x, ahead), top.inside(y, ahead), bottom.inside(y, ahead)]
                .iter()
                .all(|inside| *inside >= ball.radius);
        if whole { Place::Whole } else { Place::Reaching }
    }

    /// True when a ball may be seen: what [`place`](Self::place) says, for less.
    pub fn sees(&self, ball: &Sphere) -> bool {
        self.look(ball).is_some()
    }

    /// How far to the right of the eye, over it and ahead of it a ball's middle is; `None` for one that is wholly out of sight.
    #[inline]
    fn look(&self, ball: &Sphere) -> Option<(f32, f32, f32)> {
        let from_eye = ball.centre - self.camera.eye;
        let ahead = from_eye.dot(self.camera.ahead);
        let radius = ball.radius;
        if ahead < self.camera.near - radius || ahead > self.far + radius {
            return None;
        }
        let [left, right, top, bottom] = &self.picture;
        let x = from_eye.dot(self.camera.right);
        if left.inside(x, ahead) < -radius || right.inside(x, ahead) < -radius {
            return None;
        }
        let y = from_eye.dot(self.camera.up);
        (top.inside(y, ahead) >= -radius && bottom.inside(y, ahead) >= -radius).then_some((x, y, ahead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Vec3;

    fn ball(x: f32, y: f32, z: f32, radius: f32) -> Sphere {
        Sphere { centre: Vec3::new(x, y, z), radius }
    }

    /// An eye at the origin that looks north, 45 degrees to each side.
    fn volume() -> Volume {
        Volume::new(&Camera::towards(Vec3::ZERO, Vec3::Y, 320.0), 100.0)
    }

    #[test]
    fn balls_beside_behind_and_beyond_are_hidden() {
        let volume = volume();
        let hidden = [ball(0.0, -2.0, 0.0, 1.0), ball(0.0, 102.0, 0.0, 1.0), ball(12.0, 10.0, 0.0, 1.0)];
        let more = [ball(-12.0, 10.0, 0.0, 1.0), ball(0.0, 10.0, 9.0, 1.0), ball(0.0, 10.0, -9.0, 1.0)];
        for ball in hidden.iter().chain(&more) {
            assert_eq!(volume.place(ball), Place::Hidden, "{ball:?}");
        }
    }

    #[test]
    fn balls_that_touch_the_pictures_edge_are_seen_whole() {
        let volume = volume();
        for ball in [ball(11.0, 10.0, 0.0, 1.0), ball(0.0, 10.0, -7.2, 1.0), ball(0.0, 100.5, 0.0, 1.0)] {
            assert_eq!(volume.place(&ball), Place::Whole, "{ball:?}");
        }
    }

    #[test]
    fn balls_around_the_eye_or_far_beside_it_reach() {
        let volume = volume();
        assert_eq!(volume.place(&ball(0.0, 0.0, -1.7, 3.0)), Place::Reaching);
        assert_eq!(volume.place(&ball(30.0, 10.0, 0.0, 35.0)), Place::Reaching);
    }

    #[test]
    fn a_lower_horizon_shows_more_of_the_sky() {
        let mut camera = Camera::towards(Vec3::ZERO, Vec3::Y, 320.0);
        camera.horizon = 400.0;
        let volume = Volume::new(&camera, 100.0);
        assert_eq!(volume.place(&ball(0.0, 10.0, 12.0, 0.1)), Place::Whole);
        assert_eq!(volume.place(&ball(0.0, 10.0, -4.0, 0.1)), Place::Hidden);
    }
}
