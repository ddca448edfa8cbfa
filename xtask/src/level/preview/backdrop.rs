//! Sky with stars and moon, and the sea.

use super::Eye;
use super::raster::Raster;
use crate::level::scene::Scene;
use boardwalk::graphics::wave::noise;
use boardwalk::maths::{Vec3, scalar};

/// Half the moon's width, as a sine.
const MOON: f32 = 0.03;
/// Stars over the whole sky.
const STARS: u32 = 420;

/// Paints what lies behind everything.
pub fn paint(raster: &mut Raster, scene: &Scene, eye: &Eye) {
    let air = &scene.air;
    let moon = Vec3::new(-0.42, 0.86, 0.3).normalize_or_zero();
    let pale = Vec3::new(0.86, 0.85, 0.78);
    raster.fill(|point| {
        let way = (eye.right * point.x + eye.up * point.y + eye.ahead).normalize_or_zero();
        let near_moon = way.dot(moon).max(0.0);
        if way.z >= 0.0 {
            let height = (way.z / 0.55).min(1.0);
            let sky = air.fog.lerp(air.zenith, scalar::sqrt(height));
            let halo = pale * (0.22 * near_moon.powi(48) + 0.16 * near_moon.powi(400));
            let disc = ((near_moon - (1.0 - MOON * MOON / 2.0)) * 12_000.0).clamp(0.0, 1.0);
            return (sky + halo).lerp(pale, disc);
        }
        let distance = (eye.position.z - air.sea) / -way.z;
        let at = eye.position + way * distance;
        let left = 1.0 / (1.0 + (distance / 130.0) * (distance / 130.0));
        let wave = scalar::sin(at.y * 0.9 + scalar::sin(at.x * 0.5) * 1.7) * scalar::sin(at.x * 0.35 + at.y * 0.21);
        let deep = Vec3::new(0.035, 0.05, 0.11) * (1.0 + 0.25 * wave);
        let mirror = Vec3::new(way.x, way.y, -way.z);
        let glint = mirror.dot(moon).max(0.0).powi(24) * (0.35 + 0.65 * (wave.max(0.0)));
        air.fog.lerp(deep + pale * (glint * 0.5), left)
    });
    for star in 0..STARS {
        let chance = |salt: u32| noise(star * 7 + salt);
        let height = chance(1) * 0.9 + 0.08;
        let (sin, cos) = scalar::sin_cos(chance(2) * std::f32::consts::TAU);
        let out = scalar::sqrt((1.0 - height * height).max(0.0));
        let way = Vec3::new(sin * out, cos * out, height) * 4000.0;
        let own = Vec3::new(way.dot(eye.right), way.dot(eye.up), way.dot(eye.ahead));
        let bright = (0.15 + 0.5 * chance(3) * chance(3)) * (height * 2.5).min(1.0);
        raster.halo(own, 10.0, Vec3::new(0.8, 0.85, 1.0) * bright);
    }
}
