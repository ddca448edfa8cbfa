//! The coast behind the sea: a dark line of hills with a town's lights and their reflections, and moths at the near lamp.

use super::{FOCAL, FOG, HORIZON, WARM, glow, pier};
use crate::ee::gs::general::Alpha;
use crate::graphics::camera::{Camera, Projected};
use crate::graphics::canvas::{Canvas, Corner, Depth};
use crate::graphics::colour::{self, rgb};
use crate::graphics::texture::Texture;
use crate::graphics::wave::{noise, sine};
use crate::maths::Vec3;

/// Pieces of the hills' outline.
const PIECES: usize = 40;
const FIRST: f32 = -30.0;
const STEP: f32 = 17.5;
const LIGHTS: u32 = 46;
const MOTHS: u32 = 7;
/// Metres to the hills, for the fog.
const FAR: f32 = 70.0;

/// The hills' height over the horizon in pixels: low at the pier's end, higher towards the picture's edges.
fn height(x: f32) -> f32 {
    let aside = ((x - 290.0) / 330.0).abs().min(1.0);
    let bumps = 0.6 + 0.25 * sine(x * 0.0061 + 0.2) + 0.15 * sine(x * 0.0217);
    2.0 + 25.0 * aside * aside * bumps
}

/// The hills, their lights and what the water shows of them.
pub(super) fn draw(canvas: &mut Canvas, camera: &Camera, glow: &Texture, seconds: f32) {
    let shift = -camera.ahead.x * FOCAL;
    let (crest, foot) = (FOG.over(rgb(10, 12, 30), FAR * 0.38), FOG.over(rgb(14, 14, 34), FAR * 0.7));
    canvas.depth(Depth::Ignored);
    for piece in 0..PIECES {
        let x = [0, 1].map(|end| FIRST + (piece + end) as f32 * STEP);
        let top = x.map(|x| Corner::flat(x + shift, HORIZON - height(x), colour::vertex(crest)));
        let bottom = x.map(|x| Corner::flat(x + shift, HORIZON + 1.0, colour::vertex(foot)));
        canvas.triangle([&top[0], &top[1], &bottom[0]]);
        canvas.triangle([&top[1], &bottom[0], &bottom[1]]);
    }
    canvas.blend(Alpha::ADD);
    canvas.texture(glow);
    for light in 0..LIGHTS {
        let random = |salt: u32| noise(5000 + light * 6 + salt);
        let x = 640.0 * random(0);
        let up = height(x) * (0.15 + 0.6 * random(1)) * random(4);
        let tone = WARM.lerp(rgb(190, 220, 255), random(2) * random(2));
        let flicker = 0.75 + 0.25 * sine(seconds * (0.3 + random(3)) + random(5));
        let at = |dy: f32| Projected { x: x + shift, y: HORIZON + dy, distance: 1.0, scale: 1.0, depth: 0 };
        glow::draw(canvas, &at(-up), 4.2, tone, 0.95 * flicker);
        let sway = 0.7 + 0.3 * sine(seconds * 0.5 + random(5) * 4.0);
        glow::draw_oval(canvas, &at(up * 0.6 + 9.0), 1.8, 13.0, tone, 0.42 * sway);
    }
}

/// Moths that cannot leave the lamp alone; adding is set.
pub(super) fn draw_moths(canvas: &mut Canvas, camera: &Camera, seconds: f32) {
    for moth in 0..MOTHS {
        let random = |salt: u32| noise(700 + moth * 5 + salt);
        let pace = 0.35 + 0.5 * random(0);
        let away = 0.22 + 0.3 * random(1);
        let phase = random(2);
        let place = Vec3::new(
            away * sine(seconds * pace + phase),
            away * sine(seconds * pace * 0.83 + phase + 0.25),
            0.3 * sine(seconds * pace * 1.31 + random(3)) - 0.05,
        );
        let at = camera.project(pier::NEAR_LAMP + place);
        let wings = 0.55 + 0.45 * sine(seconds * 6.5 + phase * 9.0);
        glow::draw(canvas, &at, 2.6, rgb(255, 226, 176), 0.85 * wings);
    }
}
