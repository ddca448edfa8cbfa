//! The wheel far out on the pier: a dark lattice with coloured bulbs that run around it.

use super::{FOG, glow};
use crate::ee::gs::general::Alpha;
use crate::graphics::camera::{Camera, Projected};
use crate::graphics::canvas::{Canvas, Depth};
use crate::graphics::colour::{self, rgb};
use crate::graphics::texture::Texture;
use crate::graphics::wave::sine;
use crate::maths::Vec3;

const HUB: Vec3 = Vec3::new(11.6, 62.0, 11.2);
const RADIUS: f32 = 9.0;
const SPOKES: usize = 16;
const BULBS: usize = 48;
/// Turns a second.
const PACE: f32 = 0.012;
const COLOURS: [Vec3; 3] = [rgb(255, 92, 110), rgb(255, 196, 96), rgb(92, 214, 255)];

/// Two points of the frame: the hub's and the rim's side towards the eye.
fn on_rim(turns: f32, radius: f32) -> Vec3 {
    HUB + Vec3::new(sine(turns) * radius, 0.0, sine(turns + 0.25) * radius)
}

pub(super) fn draw(canvas: &mut Canvas, camera: &Camera, glow: &Texture, seconds: f32) {
    canvas.blend(Alpha::OVER);
    canvas.depth(Depth::Ignored);
    let turn = seconds * PACE;
    let steel = |strength: f32| colour::with_alpha(FOG.over(rgb(14, 14, 30), 34.0), strength);
    let mut line = |from: Vec3, to: Vec3, strength: f32| {
        let (a, b) = (camera.project(from), camera.project(to));
        if a.is_drawable() && b.is_drawable() {
            canvas.line((a.x, a.y), (b.x, b.y), steel(strength));
        }
    };
    for foot in [-5.5, -4.9, 4.9, 5.5] {
        line(HUB, Vec3::new(HUB.x + foot, HUB.y, 0.0), 0.95);
    }
    for spoke in 0..SPOKES {
        let (here, next) = (spoke as f32 / SPOKES as f32, (spoke + 1) as f32 / SPOKES as f32);
        line(HUB, on_rim(turn + here, RADIUS), 0.85);
        for radius in [RADIUS, RADIUS - 0.9, RADIUS * 0.45] {
            line(on_rim(turn + here, radius), on_rim(turn + next, radius), 0.9);
        }
    }
    canvas.blend(Alpha::ADD);
    canvas.texture(glow);
    let hub = camera.project(HUB);
    glow::draw(canvas, &hub, 16.0 * hub.scale, rgb(176, 84, 120), 0.42);
    for bulb in 0..BULBS {
        let place = bulb as f32 / BULBS as f32;
        let at = camera.project(on_rim(turn + place, RADIUS));
        let running = 0.62 + 0.38 * sine(place * 4.0 - seconds * 0.35);
        light(canvas, &at, COLOURS[bulb / 2 % COLOURS.len()], running);
    }
    for spoke in 0..SPOKES {
        let at = camera.project(on_rim(turn + spoke as f32 / SPOKES as f32, RADIUS * 0.45));
        light(canvas, &at, COLOURS[spoke % COLOURS.len()], 0.6 + 0.3 * sine(seconds * 0.5 + spoke as f32 * 0.25));
    }
}

fn light(canvas: &mut Canvas, at: &Projected, colour: Vec3, strength: f32) {
    glow::draw(canvas, at, 9.0, colour, 0.62 * strength);
    glow::draw(canvas, at, 3.2, colour.lerp(Vec3::splat(1.0), 0.4), strength);
}
