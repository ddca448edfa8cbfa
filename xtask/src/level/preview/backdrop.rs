//! The sky behind everything.

use super::Eye;
use super::raster::Raster;
use crate::level::scene::Scene;
use boardwalk::maths::scalar;

/// The tangent of the height at which the zenith's colour is reached.
const REACH: f32 = 0.7;

/// Paints the sky as the console does: from the haze's colour at the horizon to the zenith's.
pub fn paint(raster: &mut Raster, scene: &Scene, eye: &Eye) {
    let air = &scene.air;
    raster.fill(|point| {
        let way = eye.right * point.x + eye.up * point.y + eye.ahead;
        let level = scalar::sqrt(way.x * way.x + way.y * way.y).max(1e-3);
        match way.z / level {
            height if height > 0.0 => air.fog.lerp(air.zenith, (height / REACH).min(1.0)),
            _ => air.fog * 0.7,
        }
    });
}
