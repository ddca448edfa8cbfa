//! A screen of text without any help: registers for a picture of 640x448 and a GIF packet that draws lines of text on a
//! coloured ground. For reports when nothing else works; the kernel and EELOAD both show it.
//!
//! Source: EE facts, sections 8 to 10 and 12.

pub mod font;
mod text;

pub use text::{Text, wrap};

use font::{COLUMNS, glyph};

/// A colour, 8 bits a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

impl Colour {
    /// From its channels.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue }
    }

    /// RGBAQ's value, opaque.
    const fn register(self) -> u64 {
        (self.red as u64) | (self.green as u64) << 8 | (self.blue as u64) << 16 | 0x80 << 24
    }
}

/// The ink of all text.
pub const INK: Colour = Colour::new(0xF0, 0xF0, 0xF0);

/// Width of the picture.
const WIDTH: u32 = 640;
/// Height of the picture.
const HEIGHT: u32 = 448;
/// Size of a font pixel on the screen.
const SCALE: u32 = 2;
/// Size of a character's cell on the screen.
const CELL: u32 = 8 * SCALE;
/// Left and upper edge of the text: inside what every television shows.
const MARGIN: u32 = 48;
/// Characters in a row.
pub const ROW: usize = ((WIDTH - 2 * MARGIN) / CELL) as usize;
/// Distance of two rows.
const ROW_STEP: u32 = CELL + 8;
/// Rows of text.
pub const ROWS: usize = ((HEIGHT - 2 * MARGIN) / ROW_STEP) as usize;

/// Quadwords that a packet may need: a full screen of letters with up to fourteen strokes each.
pub const PACKET_QUADWORDS: usize = 16 + ROW * ROWS * 14 * 2;

/// A privileged register's offset from the GS's base, and its value.
pub type Setting = (u32, u64);

/// Registers that show the picture at the start of the GS's memory: one circuit, interlaced, full height. `top` is the
/// first line, which depends on the television system.
pub const fn settings(top: u32) -> [Setting; 4] {
    const PMODE: u32 = 0x00;
    const DISPFB2: u32 = 0x90;
    const DISPLAY2: u32 = 0xA0;
    const BGCOLOR: u32 = 0xE0;
    const LEFT: u64 = 652;
    const MAGNIFY: u64 = 3;
    let buffer_width = (WIDTH as u64 / 64) << 9;
    let display = LEFT
        | (top as u64) << 12
        | MAGNIFY << 23
        | (WIDTH as u64 * (MAGNIFY + 1) - 1) << 32
        | (HEIGHT as u64 - 1) << 44;
    // Circuit 2 alone, its alpha fixed at full.
    [(BGCOLOR, 0), (DISPFB2, buffer_width), (DISPLAY2, display), (PMODE, 0xFF66)]
}

/// First line in each television system.
pub const fn top_line(region: crate::video::Region) -> u32 {
    match region {
        crate::video::Region::Ntsc => 50,
        crate::video::Region::Pal => 104,
    }
}

/// General registers of the GS by A+D address.
mod general {
    pub const PRIM: u64 = 0x00;
    pub const RGBAQ: u64 = 0x01;
    pub const XYOFFSET_1: u64 = 0x18;
    pub const PRMODECONT: u64 = 0x1A;
    pub const SCISSOR_1: u64 = 0x40;
    pub const COLCLAMP: u64 = 0x46;
    pub const TEST_1: u64 = 0x47;
    pub const FRAME_1: u64 = 0x4C;
    pub const ZBUF_1: u64 = 0x4E;
}

/// PRIM of a plain sprite.
const SPRITE: u64 = 6;
/// GIF tag: last of its packet.
const END_OF_PACKET: u64 = 1 << 15;
/// GIF descriptor A+D.
const ADDRESS_AND_DATA: u64 = 0xE;
/// GIF descriptor XYZ2.
const XYZ2: u64 = 5;
/// Largest count of a tag.
const MOST_LOOPS: u64 = 0x7FFF;

/// A packet under construction, in double words.
struct Builder<'a> {
    words: &'a mut [u64],
    used: usize,
}

impl Builder<'_> {
    fn quad(&mut self, low: u64, high: u64) -> bool {
        let Some(place) = self.words.get_mut(self.used..self.used + 2) else { return false };
        place.copy_from_slice(&[low, high]);
        self.used += 2;
        true
    }

    fn set(&mut self, register: u64, value: u64) {
        self.quad(value, register);
    }

    fn corner(&mut self, x: u32, y: u32) -> bool {
        // 12.4 fixed point; the drawing offset is 0.
        self.quad(u64::from(x * 16) | u64::from(y * 16) << 32, 0)
    }

    fn sprite(&mut self, x: u32, y: u32, width: u32, height: u32) -> bool {
        self.corner(x, y) && self.corner(x + width, y + height)
    }
}

/// Builds the packet into `words` (two a quadword); its quadwords. Rows and characters that do not fit are left out.
pub fn packet<'t>(words: &mut [u64], ground: Colour, rows: impl Iterator<Item = &'t [u8]>) -> usize {
    /// Registers set in the first tag.
    const SETTINGS: u64 = 11;
    let mut builder = Builder { words, used: 0 };
    builder.quad(SETTINGS | 1 << 60, ADDRESS_AND_DATA);
    builder.set(general::FRAME_1, u64::from(WIDTH / 64) << 16);
    // Depth is neither tested nor written.
    builder.set(general::ZBUF_1, 1 << 32 | 0x8C);
    builder.set(general::XYOFFSET_1, 0);
    builder.set(general::SCISSOR_1, u64::from(WIDTH - 1) << 16 | u64::from(HEIGHT - 1) << 48);
    builder.set(general::PRMODECONT, 1);
    builder.set(general::COLCLAMP, 1);
    builder.set(general::TEST_1, 0x3_0000);
    builder.set(general::PRIM, SPRITE);
    builder.set(general::RGBAQ, ground.register());
    // One sprite over the whole picture, from two corners.
    const XYZ2_ADDRESS: u64 = 0x05;
    builder.set(XYZ2_ADDRESS, 0);
    builder.set(XYZ2_ADDRESS, u64::from(WIDTH * 16) | u64::from(HEIGHT * 16) << 16);
    builder.quad(1 | 1 << 60, ADDRESS_AND_DATA);
    builder.set(general::RGBAQ, INK.register());
    let tag = builder.used;
    builder.quad(0, 0);
    let mut count = 0;
    for (row, text) in rows.take(ROWS).enumerate() {
        let y = MARGIN + row as u32 * ROW_STEP;
        for (column, character) in text.iter().take(ROW).enumerate() {
            count += strokes(&mut builder, *character, MARGIN + column as u32 * CELL, y, MOST_LOOPS - count);
        }
    }
    builder.words[tag..tag + 2].copy_from_slice(&[count | END_OF_PACKET | 2 << 60, XYZ2 << 4 | XYZ2]);
    builder.used / 2
}

/// Draws a character as sprites, one for each run of pixels in a row; how many.
fn strokes(builder: &mut Builder, character: u8, x: u32, y: u32, most: u64) -> u64 {
    let mut count = 0;
    for (line, bits) in glyph(character).into_iter().enumerate() {
        let mut column = 0;
        while column < COLUMNS {
            let lit = |column: u32| column < COLUMNS && bits >> (COLUMNS - 1 - column) & 1 != 0;
            let mut end = column;
            while lit(end) {
                end += 1;
            }
            if end > column {
                let drawn = builder.sprite(x + column * SCALE, y + line as u32 * SCALE, (end - column) * SCALE, SCALE);
                if count == most || !drawn {
                    return count;
                }
                count += 1;
            }
            column = end + 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_what_its_tags_say() {
        let mut words = std::vec![0; 2 * PACKET_QUADWORDS];
        let quadwords = packet(&mut words, Colour::new(1, 2, 3), [&b"I."[..]].into_iter());
        // Settings, ink, and the sprites: I has seven rows of one run, the full stop two.
        assert_eq!(quadwords, 1 + 11 + 1 + 1 + 1 + 2 * 9);
        let tag = words[2 * 14];
        assert_eq!(tag & 0x7FFF, 9);
        assert_ne!(tag & END_OF_PACKET, 0);
    }

    #[test]
    fn a_screen_full_of_the_heaviest_glyphs_fits() {
        let mut words = std::vec![0; 2 * PACKET_QUADWORDS];
        let line = [b'&'; 100];
        let quadwords = packet(&mut words, Colour::new(0, 0, 0), (0..100).map(|_| &line[..]));
        assert!(quadwords <= PACKET_QUADWORDS);
        let per_glyph = (quadwords - 15) / 2 / (ROW * ROWS);
        assert_eq!(per_glyph * ROW * ROWS * 2 + 15, quadwords, "every glyph is complete");
    }

    #[test]
    fn a_buffer_that_is_too_small_ends_the_text() {
        let mut words = std::vec![0; 64];
        let quadwords = packet(&mut words, Colour::new(0, 0, 0), [&b"MMMM"[..]].into_iter());
        assert!(quadwords <= 32);
        assert_eq!(words[2 * 14] & 0x7FFF, (quadwords as u64 - 15) / 2);
    }

    #[test]
    fn the_picture_is_as_wide_as_its_display_window() {
        let [_, buffer, display, _] = settings(50);
        assert_eq!(buffer.1, 10 << 9);
        assert_eq!(display.1 >> 32 & 0xFFF, 2559);
        assert_eq!(display.1 >> 44, 447);
    }
}
