//! Looks at points and cuts lines to the picture.

use crate::ee::gs::memory::{HEIGHT, WIDTH};
use crate::graphics::camera::Camera;
use crate::maths::Vec3;

/// Pixels around the picture that lines still reach: well within what the hardware draws.
pub(super) const MARGIN: f32 = 64.0;
/// Planes that bound what is drawn.
const PLANES: usize = 5;

/// A camera made ready for many points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lens {
    pub(super) eye: Vec3,
    ahead: Vec3,
    /// Pixels at one metre to the right and up.
    right: Vec3,
    up: Vec3,
    near: f32,
    horizon: f32,
}

/// A point as a lens sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Metres ahead of the eye.
    pub(super) ahead: f32,
    /// Pixels to the right of the middle and above the horizon, times the metres ahead.
    right: f32,
    up: f32,
    /// How far it lies inside each plane: the near one, then the picture's four sides.
    inside: [f32; PLANES],
}

impl Lens {
    pub(super) fn new(camera: &Camera) -> Self {
        /// A little before the near plane, so that rounding does not bring an end behind it.
        const BEFORE: f32 = 1.01;
        Self {
            eye: camera.eye,
            ahead: camera.ahead,
            right: camera.right * (camera.focal * camera.stretch),
            up: camera.up * camera.focal,
            near: camera.near * BEFORE,
            horizon: camera.horizon,
        }
    }

    #[inline]
    pub(super) fn see(&self, point: Vec3) -> Seen {
        const HALF: f32 = WIDTH as f32 * 0.5 + MARGIN;
        let from_eye = point - self.eye;
        let (ahead, right, up) = (from_eye.dot(self.ahead), from_eye.dot(self.right), from_eye.dot(self.up));
        let (above, below) = (self.horizon + MARGIN, HEIGHT as f32 - self.horizon + MARGIN);
        let inside =
            [ahead - self.near, ahead * HALF - right, ahead * HALF + right, ahead * above - up, ahead * below + up];
        Seen { ahead, right, up, inside }
    }

    /// Where a point before the near plane lies on the picture.
    #[inline]
    pub(super) fn project(&self, point: &Seen) -> (f32, f32) {
        let inverse = 1.0 / point.ahead;
        (WIDTH as f32 * 0.5 + point.right * inverse, self.horizon - point.up * inverse)
    }
}

impl Seen {
    #[inline]
    pub(super) fn is_inside(&self) -> bool {
        self.inside.iter().all(|inside| *inside >= 0.0)
    }

    /// The point at `share` of the way to another.
    fn towards(&self, to: &Self, share: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * share;
        Self {
            ahead: mix(self.ahead, to.ahead),
            right: mix(self.right, to.right),
            up: mix(self.up, to.up),
            inside: self.inside,
        }
    }
}

/// The part of a line that lies before the near plane and in the picture or close to it.
pub(super) fn clipped(from: &Seen, to: &Seen) -> Option<(Seen, Seen)> {
    let (mut enters, mut leaves) = (0.0_f32, 1.0_f32);
    for (a, b) in from.inside.into_iter().zip(to.inside) {
        match (a >= 0.0, b >= 0.0) {
            (true, true) => {}
            (false, false) => return None,
            (false, true) => enters = enters.max(a / (a - b)),
            (true, false) => leaves = leaves.min(a / (a - b)),
        }
    }
    (enters <= leaves).then(|| (from.towards(to, enters), from.towards(to, leaves)))
}
