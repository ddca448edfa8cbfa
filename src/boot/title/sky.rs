//! Night sky: a gradient, stars that twinkle, and the moon.

use super::{FOCAL, HAZE, HORIZON, glow};
use crate::ee::gs::general::Alpha;
use crate::graphics::camera::{Camera, Projected};
use crate::graphics::canvas::{Canvas, Corner, Depth, Rect};
use crate::graphics::colour::{self, rgb};
use crate::graphics::texture::Texture;
use crate::graphics::wave::{noise, sine};
use crate::maths::{Vec3, scalar};
use alloc::vec::Vec;

/// The moon's place, in pixels from the picture's middle and from the horizon.
pub(super) const MOON_PLACE: (f32, f32) = (-206.0, -66.0);
const MOON_RADIUS: f32 = 22.0;
const MOON_CORNERS: usize = 28;
const STARS: usize = 150;
/// The gradient: line and colour, downwards.
const BANDS: [(f32, Vec3); 5] = [
    (0.0, rgb(5, 7, 22)),
    (90.0, rgb(9, 13, 38)),
    (170.0, rgb(19, 24, 58)),
    (225.0, rgb(38, 38, 72)),
    (HORIZON, rgb(64, 56, 84)),
];

#[derive(Clone, Copy)]
struct Star {
    x: f32,
    y: f32,
    light: f32,
    phase: f32,
    warmth: f32,
}

/// The sky's fixed things.
pub(super) struct Sky {
    stars: Vec<Star>,
    rim: [(f32, f32); MOON_CORNERS],
}

impl Sky {
    pub(super) fn new() -> Self {
        let star = |index: usize| {
            let random = |salt: u32| noise(index as u32 * 7 + salt);
            let height = random(1);
            Star {
                x: random(0) * 760.0 - 60.0,
                y: height * height * 210.0 + 6.0,
                light: 0.25 + 0.75 * random(2) * random(3),
                phase: random(4),
                warmth: random(5),
            }
        };
        let corner = |index: usize| {
            let angle = index as f32 / MOON_CORNERS as f32 * core::f32::consts::TAU;
            (scalar::sin(angle) * MOON_RADIUS, scalar::cos(angle) * MOON_RADIUS)
        };
        Self { stars: (0..STARS).map(star).collect(), rim: core::array::from_fn(corner) }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, camera: &Camera, glow: &Texture, seconds: f32) {
        for pair in BANDS.windows(2) {
            if let [(upper, from), (lower, to)] = *pair {
                let band = Rect::new(0.0, upper, 640.0, lower);
                canvas.vertical_gradient(band, colour::vertex(from), colour::vertex(to));
            }
        }
        canvas.vertical_gradient(
            Rect::new(0.0, HORIZON, 640.0, 448.0),
            colour::vertex(HAZE),
            colour::vertex(HAZE * 0.3),
        );
        // What is at the horizon moves with the camera's turn alone.
        let shift = -camera.ahead.x * FOCAL;
        canvas.blend(Alpha::ADD);
        canvas.depth(Depth::Ignored);
        canvas.texture(glow);
        for star in &self.stars {
            let twinkle = 0.7 + 0.3 * sine(seconds * (0.2 + star.phase * 0.5) + star.phase);
            let near_horizon = (1.0 - star.y / 250.0).max(0.0);
            let light = rgb(200, 214, 255).lerp(rgb(255, 226, 190), star.warmth);
            let at = Projected { x: star.x + shift, y: star.y, distance: 1.0, scale: 1.0, depth: 0 };
            let strength = (star.light * twinkle * near_horizon * 1.5).min(1.0);
            glow::draw(canvas, &at, 1.6 + 2.6 * star.light, light, strength);
        }
        self.draw_moon(canvas, shift);
    }

    fn draw_moon(&self, canvas: &mut Canvas, shift: f32) {
        let at = |dx: f32, dy: f32| Projected {
            x: 320.0 + MOON_PLACE.0 + shift + dx,
            y: HORIZON + MOON_PLACE.1 + dy,
            distance: 1.0,
            scale: 1.0,
            depth: 0,
        };
        let middle = at(0.0, 0.0);
        for (radius, strength) in [(230.0, 0.46), (110.0, 0.62), (48.0, 0.9)] {
            glow::draw(canvas, &middle, radius, rgb(176, 178, 220), strength);
        }
        // Lit from the upper left: brighter there, and never flat.
        let shade = |dx: f32, dy: f32| {
            let facing = (0.78 - 0.010 * dx - 0.006 * dy).clamp(0.0, 1.0);
            colour::vertex(rgb(252, 240, 214) * facing)
        };
        for index in 0..MOON_CORNERS {
            let (a, b) = (self.rim[index], self.rim[(index + 1) % MOON_CORNERS]);
            let corner = |(dx, dy): (f32, f32)| Corner::at(&at(dx, dy), shade(dx, dy));
            canvas.triangle([&Corner::at(&middle, shade(0.0, 0.0)), &corner(a), &corner(b)]);
        }
        canvas.blend(Alpha::SUBTRACT);
        for (dx, dy, radius) in [(-7.0, -4.0, 9.0), (6.0, 5.0, 8.0), (3.0, -10.0, 6.0), (-6.0, 9.0, 5.0)] {
            glow::draw(canvas, &at(dx, dy), radius, rgb(70, 62, 60), 0.5);
        }
    }
}
