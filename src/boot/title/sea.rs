//! The sea: dark water whose waves catch the sky, the moon's path on it, and the lamps' light.

use super::{FOCAL, HAZE, HORIZON, glow, sky};
use crate::ee::gs::general::Alpha;
use crate::graphics::camera::{Camera, Projected};
use crate::graphics::canvas::{Canvas, Corner, Depth};
use crate::graphics::colour::{self, rgb};
use crate::graphics::texture::Texture;
use crate::graphics::wave::{noise, sine};
use crate::maths::Vec3;
use alloc::vec;
use alloc::vec::Vec;

/// Rows of the water's net.
const ROWS: usize = 34;
/// Columns of the water's net.
const COLUMNS: usize = 22;
/// The eye's height over the water, in metres.
const EYE_OVER_WATER: f32 = 6.0;
/// Glints in the moon's path.
const GLINTS: usize = 220;
/// The first line of the net under the horizon.
const FIRST_LINE: f32 = 0.6;

/// One glint: where it lies in the path and when it shows.
#[derive(Clone, Copy)]
struct Glint {
    across: f32,
    down: f32,
    phase: f32,
    pace: f32,
}

/// The water's fixed things.
pub(super) struct Sea {
    glints: Vec<Glint>,
    /// Picture lines of the rows: dense at the horizon.
    lines: [f32; ROWS],
    /// The net's corners, row by row, and its triangles.
    corners: Vec<Corner>,
    triangles: Vec<[u16; 3]>,
}

impl Sea {
    pub(super) fn new() -> Self {
        let glint = |index: usize| {
            let random = |salt: u32| noise(9000 + index as u32 * 5 + salt);
            let down = random(1);
            Glint {
                across: random(0) + random(4) - 1.0,
                down: down * down,
                phase: random(2),
                pace: 0.25 + 0.55 * random(3),
            }
        };
        let line = |row: usize| {
            let t = row as f32 / (ROWS - 1) as f32;
            HORIZON + FIRST_LINE + t * t * (450.0 - HORIZON - FIRST_LINE)
        };
        let triangles = (0..(ROWS - 1) * COLUMNS)
            .filter(|corner| corner % COLUMNS + 1 < COLUMNS)
            .flat_map(|corner| {
                let [a, b, c, d] = [corner, corner + 1, corner + COLUMNS, corner + COLUMNS + 1].map(|i| i as u16);
                [[a, b, c], [b, c, d]]
            })
            .collect();
        Self {
            glints: (0..GLINTS).map(glint).collect(),
            lines: core::array::from_fn(line),
            corners: vec![Corner::HIDDEN; ROWS * COLUMNS],
            triangles,
        }
    }

    pub(super) fn draw(&mut self, canvas: &mut Canvas, camera: &Camera, glow: &Texture, seconds: f32) {
        for (&line, row) in self.lines.iter().zip(self.corners.chunks_exact_mut(COLUMNS)) {
            water_row(camera, line, seconds, row);
        }
        canvas.triangles(&self.corners, &self.triangles);
        self.draw_moon_path(canvas, camera, glow, seconds);
    }

    fn draw_moon_path(&self, canvas: &mut Canvas, camera: &Camera, glow: &Texture, seconds: f32) {
        canvas.blend(Alpha::ADD);
        canvas.depth(Depth::Ignored);
        canvas.texture(glow);
        let middle = 320.0 + sky::MOON_PLACE.0 - camera.ahead.x * FOCAL;
        let broad = Projected { x: middle, y: HORIZON + 6.0, distance: 1.0, scale: 1.0, depth: 0 };
        glow::draw_oval(canvas, &broad, 120.0, 34.0, rgb(150, 150, 190), 0.6);
        for glint in &self.glints {
            let down = 2.0 + glint.down * 176.0;
            let spread = 15.0 + down * 0.34;
            let flash = sine(seconds * glint.pace + glint.phase).max(0.0);
            let drift = 5.0 * sine(seconds * 0.05 + glint.phase * 3.0);
            let at = Projected {
                x: middle + glint.across * spread + drift * glint.down,
                y: HORIZON + down,
                distance: 1.0,
                scale: 1.0,
                depth: 0,
            };
            let (width, height) = (3.0 + down * 0.11, 1.1 + down * 0.02);
            let strength = flash * flash * (1.0 - 0.55 * glint.down);
            glow::draw_oval(canvas, &at, width, height, rgb(255, 240, 206), strength);
        }
    }
}

/// The water's colours along a picture line.
fn water_row(camera: &Camera, line: f32, seconds: f32, row: &mut [Corner]) {
    let under = (line - HORIZON).max(0.3);
    let distance = EYE_OVER_WATER * FOCAL / under;
    let nearness = (under / (448.0 - HORIZON)).min(1.0);
    let deep = rgb(8, 15, 36).lerp(rgb(15, 27, 54), 1.0 - nearness);
    let base = HAZE.lerp(deep, (nearness * 5.0).min(1.0));
    // Far waves are smaller than a pixel: they melt into one tone.
    let swell = (28.0 / (distance + 28.0)).min(0.8);
    for (column, corner) in row.iter_mut().enumerate() {
        let x = column as f32 / (COLUMNS - 1) as f32 * 680.0 - 20.0;
        let across = (x - 320.0) * distance / FOCAL + camera.eye.x;
        let a = sine(distance * 0.145 + across * 0.031 + seconds * 0.23);
        let b = sine(distance * 0.37 - across * 0.083 + seconds * 0.31 + 0.3);
        let c = sine(across * 0.21 + distance * 0.11 - seconds * 0.17);
        let wave = 0.5 * a + 0.33 * b + 0.25 * c;
        let crest = (wave - 0.15).max(0.0);
        let light = base * (1.0 + 0.55 * swell * wave) + rgb(84, 96, 150) * (crest * crest * 1.7 * swell);
        let shore = Vec3::new(0.10, 0.055, 0.02) * ((1.0 - ((x - 320.0) / 330.0).abs()).max(0.0) * nearness);
        *corner = Corner::flat(x, line, colour::vertex(light + shore * (0.6 + 0.8 * wave)));
    }
}
