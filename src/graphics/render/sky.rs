//! What is behind everything.

use super::super::camera::Camera;
use super::super::canvas::{Canvas, Rect};
use super::super::colour;
use crate::ee::gs::memory::{HEIGHT, WIDTH};
use crate::maths::Vec3;

/// A sky of three colours.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sky {
    /// High up.
    pub zenith: Vec3,
    /// At the horizon; the haze's colour, so that what fades into the haze fades into the sky.
    pub horizon: Vec3,
    /// Below the horizon, where no ground is.
    pub ground: Vec3,
}

/// How high over the horizon the zenith's colour is reached: the tangent of 35 degrees.
const REACH: f32 = 0.7;

impl Sky {
    /// Paints the whole picture.
    pub(super) fn draw(&self, canvas: &mut Canvas, camera: &Camera) {
        let horizon = horizon_line(camera);
        let top = horizon - REACH * camera.focal;
        let (width, height) = (WIDTH as f32, HEIGHT as f32);
        let [zenith, middle, ground] = [self.zenith, self.horizon, self.ground].map(colour::vertex);
        if top > 0.0 {
            canvas.rect(Rect::new(0.0, 0.0, width, top.min(height)), zenith);
        }
        let (from, to) = (top.max(0.0), horizon.min(height));
        if from < to {
            let at = |line: f32| colour::vertex(self.zenith.lerp(self.horizon, (line - top) / (horizon - top)));
            let lower = if to < horizon { at(to) } else { middle };
            canvas.vertical_gradient(Rect::new(0.0, from, width, to), at(from), lower);
        }
        if horizon < height {
            canvas.vertical_gradient(Rect::new(0.0, horizon.max(0.0), width, height), middle, ground);
        }
    }
}

/// The picture's line on which level directions lie: far outside when the eye looks straight up or down.
fn horizon_line(camera: &Camera) -> f32 {
    const FAR: f32 = 100_000.0;
    let level = camera.ahead.horizontal().try_normalize().unwrap_or(camera.up);
    let ahead = level.dot(camera.ahead);
    let line =
        if ahead > 1e-3 { camera.horizon - camera.focal * level.dot(camera.up) / ahead } else { FAR * camera.ahead.z };
    line.clamp(-FAR, FAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_horizon_rises_when_the_eye_looks_down() {
        let level = Camera::towards(Vec3::ZERO, Vec3::Y, 500.0);
        assert_eq!(horizon_line(&level), 224.0);
        let down = Camera::towards(Vec3::ZERO, Vec3::new(0.0, 1.0, -0.25), 500.0);
        assert!((horizon_line(&down) - (224.0 - 125.0)).abs() < 0.01, "{}", horizon_line(&down));
        let steep = Camera::towards(Vec3::ZERO, -Vec3::Z, 500.0);
        assert!(horizon_line(&steep) < 0.0);
    }
}
