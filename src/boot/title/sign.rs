//! The game's name in neon over the gate.

use super::glow;
use crate::graphics::camera::Camera;
use crate::graphics::canvas::Canvas;
use crate::graphics::colour::{self, rgb};
use crate::graphics::font::raster::{self, Cell};
use crate::graphics::font::strokes;
use crate::graphics::texture::{Image, Palette, Texture};
use crate::graphics::wave::{noise, sine};
use crate::maths::Vec3;

const NAME: &str = "BOARDWALK";
/// Letters in the first tube's colour.
const FIRST_COLOUR: usize = 5;
const PICTURE: (u32, u32) = (512, 128);
/// Pixels from one letter's cell to the next.
const ADVANCE: u32 = 54;
/// Pixels to the first letter's cell.
const MARGIN: u32 = 13;
/// A letter in its cell; the glow of neighbours overlaps.
const CELL: Cell = Cell { left: 12.0, top: 26.0, step_x: 7.5, step_y: 9.5, reach: 24.0 };
/// The name's place in the world: the sign's middle, and its half size, in metres.
const MIDDLE: Vec3 = Vec3::new(0.0, super::pier::GATE - 0.12, 4.60);
const HALF_SIZE: (f32, f32) = (4.05, 1.06);
/// The tubes' light on other things.
pub(super) const ROSE: Vec3 = rgb(255, 60, 104);
const AQUA: Vec3 = rgb(40, 205, 235);

/// The sign's pictures: one for each colour of tube.
pub(super) struct Sign {
    pub(super) textures: [Texture; 2],
}

/// Distances from the tubes.
pub(super) fn image() -> Image {
    let mut image = Image::from_fn(PICTURE.0, PICTURE.1, |_, _| 0);
    for (index, letter) in NAME.chars().enumerate() {
        // Cells are wider than the advance, so that a letter's glow reaches over its neighbours.
        let corner = MARGIN + index as u32 * ADVANCE;
        raster::draw(&mut image, (corner, 0), (ADVANCE, PICTURE.1), &CELL, strokes::glyph(letter));
    }
    image
}

/// A tube is white where the gas burns, then its colour, then a glow in the damp air.
pub(super) fn palettes() -> [Palette; 2] {
    [ROSE, AQUA].map(|tube| {
        Palette::from_fn(move |value| {
            let distance = (1.0 - value) * CELL.reach;
            let core = (1.0 - (distance - 1.2) / 2.2).clamp(0.0, 1.0);
            let body = (1.0 - (distance - 2.6) / 2.6).clamp(0.0, 1.0);
            let air = value * value * value * 0.36;
            (tube.lerp(Vec3::new(1.0, 0.95, 0.92), core * 0.9), core.max(body * 0.8).max(air))
        })
    })
}

impl Sign {
    /// How brightly a letter burns: steadily, but for one tube that is failing.
    fn strength(letter: usize, seconds: f32) -> f32 {
        const FAILING: usize = 6;
        let hum = 0.94 + 0.06 * sine(seconds * 3.1 + letter as f32 * 0.37);
        let moment = (seconds * 14.0) as u32;
        let episode = noise(moment / 26 + 77) > 0.62;
        let dark = letter == FAILING && episode && noise(moment) > 0.5;
        if dark { 0.22 } else { hum }
    }

    fn letters(&self) -> impl Iterator<Item = (usize, &Texture)> {
        (0..NAME.len()).map(|letter| (letter, &self.textures[usize::from(letter >= FIRST_COLOUR)]))
    }

    /// The quadrilateral of a letter: its left and right edge in the world and in the picture.
    fn edges(letter: usize) -> [(f32, f32); 2] {
        [letter, letter + 1].map(|edge| {
            let texel = (MARGIN + edge as u32 * ADVANCE) as f32 / PICTURE.0 as f32;
            (MIDDLE.x + (texel * 2.0 - 1.0) * HALF_SIZE.0, texel)
        })
    }

    fn draw_letters(&self, canvas: &mut Canvas, camera: &Camera, heights: (f32, f32), share: f32, seconds: f32) {
        let mut set = None;
        for (letter, texture) in self.letters() {
            if set != Some(texture) {
                canvas.texture(texture);
                set = Some(texture);
            }
            let [(left, s0), (right, s1)] = Self::edges(letter);
            let corner = |x: f32, z: f32| camera.project(Vec3::new(x, MIDDLE.y, z));
            let points =
                [corner(left, heights.0), corner(right, heights.0), corner(left, heights.1), corner(right, heights.1)];
            let light = colour::tint(Vec3::splat(1.0), share * Self::strength(letter, seconds));
            canvas.textured_quad(points.each_ref(), [(s0, 0.0), (s1, 0.0), (s0, 1.0), (s1, 1.0)], light);
        }
    }

    /// The name; adding is set.
    pub(super) fn draw(&self, canvas: &mut Canvas, camera: &Camera, glow: &Texture, seconds: f32) {
        canvas.texture(glow);
        for (x, tube) in [(-1.75, ROSE), (2.2, AQUA)] {
            let at = camera.project(Vec3::new(x, MIDDLE.y, MIDDLE.z));
            glow::draw_oval(canvas, &at, 4.0 * at.scale, 2.3 * at.scale, tube, 0.42);
        }
        self.draw_letters(canvas, camera, (MIDDLE.z + HALF_SIZE.1, MIDDLE.z - HALF_SIZE.1), 1.0, seconds);
    }

    /// The name in the wet planks; adding is set.
    pub(super) fn draw_reflection(&self, canvas: &mut Canvas, camera: &Camera, seconds: f32) {
        // Our choice: the mirror image belongs below the picture's edge; it is lifted to where the planks are seen, because
        // the colours on the wet wood are what ties the sign to the pier.
        let ripple = 0.04 * sine(seconds * 0.4);
        self.draw_letters(canvas, camera, (-1.75, 0.62 + ripple), 0.26, seconds);
    }
}
