//! The game's own typeface: condensed capitals made of strokes, like lettering bent from tube.
//!
//! [`strokes`] holds the letters as lines on a small grid, [`raster`] turns them into distance pictures for textures, where
//! a palette decides what the distance means (a face with a dark edge, a neon tube with its glow), and [`Face`] draws text.
//! The panic screen draws the strokes themselves, so it needs no texture.

pub mod raster;
pub mod strokes;

use super::canvas::{Canvas, Rect};
use super::texture::{Image, Palette, Texture};
use crate::ee::gs::general::Rgbaq;
use crate::maths::Vec3;
use raster::Cell;

/// The first character of the face.
pub(super) const FIRST: u8 = b' ';
/// Characters of the face: printable ASCII.
pub(super) const COUNT: u32 = 95;
/// Pixels of a character's cell in the texture.
pub(super) const CELL_WIDTH: u32 = 12;
/// Lines of a character's cell in the texture.
pub(super) const CELL_HEIGHT: u32 = 24;
/// Cells in a row of the texture.
pub(super) const COLUMNS: u32 = 21;
/// The face in its cell: letters 7 pixels wide and 16 lines high.
const CELL: Cell = Cell { left: 2.5, top: 3.5, step_x: 1.75, step_y: 2.0, reach: 4.5 };
/// Pixels from one character to the next at size 1.
pub const ADVANCE: f32 = 11.0;
/// Lines from one row of text to the next at size 1.
pub const LINE_HEIGHT: f32 = 24.0;

/// The face as a picture of distances.
pub fn face_image() -> Image {
    let mut image = Image::from_fn(256, 128, |_, _| 0);
    for index in 0..COUNT {
        let glyph = strokes::glyph(char::from(FIRST + index as u8));
        let corner = (index % COLUMNS * CELL_WIDTH, index / COLUMNS * CELL_HEIGHT);
        raster::draw(&mut image, corner, (CELL_WIDTH, CELL_HEIGHT), &CELL, glyph);
    }
    image
}

/// Letters in full light with a dark edge around them, readable on any ground.
pub fn face_palette() -> Palette {
    Palette::from_fn(|value| {
        let distance = (1.0 - value) * CELL.reach;
        let face = 1.0 - ((distance - 0.7) / 0.9).clamp(0.0, 1.0);
        let edge = 1.0 - ((distance - 2.3) / 1.6).clamp(0.0, 1.0);
        let edge_colour = Vec3::new(0.02, 0.02, 0.06);
        (edge_colour.lerp(Vec3::splat(1.0), face), face.max(edge * 0.75))
    })
}

/// The face in the GS's memory.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// Its picture and palette.
    pub texture: Texture,
}

impl Face {
    /// The width of `text` in pixels at `size`.
    pub fn width(text: &str, size: f32) -> f32 {
        text.len() as f32 * ADVANCE * size
    }

    /// Draws `text` with its upper left corner at `(x, y)`, multiplied by `colour`. Characters beyond ASCII are spaces.
    pub fn draw(&self, canvas: &mut Canvas, text: &str, x: f32, y: f32, size: f32, colour: Rgbaq) {
        canvas.texture(&self.texture);
        for (index, byte) in text.bytes().enumerate() {
            let number = u32::from(byte.wrapping_sub(FIRST));
            if number == 0 || number >= COUNT {
                continue;
            }
            let left = x + index as f32 * ADVANCE * size;
            let (u, v) = ((number % COLUMNS * CELL_WIDTH) as f32, (number / COLUMNS * CELL_HEIGHT) as f32);
            let (width, height) = (CELL_WIDTH as f32, CELL_HEIGHT as f32);
            let place = Rect::new(left, y, left + width * size, y + height * size);
            // Half a texel in from the neighbours, where the filter would reach them.
            canvas.sprite(place, Rect::new(u + 0.5, v + 0.5, u + width + 0.5, v + height + 0.5), colour, 0);
        }
    }

    /// The same with the text's middle at `x`.
    pub fn draw_centred(&self, canvas: &mut Canvas, text: &str, x: f32, y: f32, size: f32, colour: Rgbaq) {
        self.draw(canvas, text, x - Self::width(text, size) * 0.5, y, size, colour);
    }
}

/// Draws a character's strokes as lines two pixels wide, its grid's corner at `at`: needs no texture.
pub fn draw_strokes(canvas: &mut Canvas, character: char, at: (f32, f32), size: f32, colour: Rgbaq) {
    let place = |(x, y): (f32, f32)| (at.0 + x * CELL.step_x * size, at.1 + y * CELL.step_y * size);
    for (from, to) in strokes::segments(strokes::glyph(character)) {
        let ((x0, y0), (x1, y1)) = (place(from), place(to));
        canvas.line((x0, y0), (x1, y1), colour);
        if size >= 1.0 {
            canvas.line((x0 + 1.0, y0), (x1 + 1.0, y1), colour);
        }
        canvas.line((x0, y0 + 1.0), (x1, y1 + 1.0), colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_fits_the_picture() {
        assert!(COLUMNS * CELL_WIDTH <= 256 && COUNT.div_ceil(COLUMNS) * CELL_HEIGHT <= 128);
    }

    #[test]
    fn letters_have_ink_and_the_space_has_none() {
        let image = face_image();
        let ink = |character: u8| {
            let index = u32::from(character - FIRST);
            let (x, y) = (index % COLUMNS * CELL_WIDTH, index / COLUMNS * CELL_HEIGHT);
            (0..CELL_WIDTH * CELL_HEIGHT).filter(|i| image.texel(x + i % CELL_WIDTH, y + i / CELL_WIDTH) > 200).count()
        };
        assert_eq!(ink(b' '), 0);
        for character in b'!'..=b'~' {
            assert!(ink(character) > 1, "'{}' has no ink", char::from(character));
        }
        assert!(ink(b'W') > ink(b'I'));
    }

    #[test]
    fn the_face_has_a_dark_edge_outside_its_letters() {
        let palette = face_palette();
        let entry = |index: usize| {
            let stored = index & !0x18 | (index & 8) << 1 | (index & 16) >> 1;
            palette.lines()[stored / 16].0[stored % 16 / 4].0[stored % 4].to_le_bytes()
        };
        assert_eq!(entry(255), [255, 255, 255, 128]);
        assert_eq!(entry(0)[3], 0);
        let edge = entry(110);
        assert!(edge[0] < 40 && edge[3] > 60, "{edge:?}");
    }
}
