//! Text for `embedded-graphics`: a renderer whose every character is one textured sprite.
//!
//! [`Lettering`] is the style of an `embedded_graphics::text::Text`; it fills a character's rectangle with
//! [`Paint::Character`], which a [`Surface`](super::draw_target::Surface) draws from the face's texture.

use super::canvas::Rect;
use super::colour;
use super::draw_target::Paint;
use super::font::{CELL_HEIGHT, CELL_WIDTH, COLUMNS, COUNT, FIRST};
use crate::ee::gs::general::Rgbaq;
use crate::maths::Vec3;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::Baseline;
use embedded_graphics::text::renderer::{TextMetrics, TextRenderer};

/// Pixels from one character to the next at full size.
pub const ADVANCE: u32 = 11;
/// Lines from one row of text to the next at full size.
pub const LINE_HEIGHT: u32 = 20;
/// A character's rectangle at full size: wider and higher than its letter, for the dark edge.
pub const CELL: (f32, f32) = (CELL_WIDTH as f32, CELL_HEIGHT as f32);
/// Lines from a row's top to the foot of its letters, which are 16 lines high.
const ASCENT: u32 = 18;
/// Lines of a character's cell above a row's top.
const OVERHANG: u32 = 1;
/// Sizes are counted in parts of this.
const FULL: u32 = 16;

/// Where a character is in the face's texture; none for what has no ink.
pub fn texels(character: u8) -> Option<Rect> {
    let number = u32::from(character.wrapping_sub(FIRST));
    if number == 0 || number >= COUNT {
        return None;
    }
    let (u, v) = ((number % COLUMNS * CELL_WIDTH) as f32, (number / COLUMNS * CELL_HEIGHT) as f32);
    // Half a texel in, where a sprite's first pixel takes its sample.
    Some(Rect::new(u + 0.5, v + 0.5, u + CELL_WIDTH as f32 + 0.5, v + CELL_HEIGHT as f32 + 0.5))
}

/// How text looks: the game's face in a colour and a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lettering {
    /// Multiplies the face (0x80 leaves a channel as it is); the dark edge stays dark.
    pub colour: Rgbaq,
    /// Sixteenths of the full size.
    size: u32,
}

impl Lettering {
    /// Full-size letters in a light.
    pub fn new(light: Vec3) -> Self {
        Self { colour: colour::tint(light, 1.0), size: FULL }
    }

    /// The same at `sixteenths` of the full size; at least one.
    pub const fn sized(self, sixteenths: u32) -> Self {
        Self { size: if sixteenths == 0 { 1 } else { sixteenths }, ..self }
    }

    /// The same with an alpha of `[0, 1]`.
    pub fn faded(self, alpha: f32) -> Self {
        let alpha = u64::from((alpha.clamp(0.0, 1.0) * 128.0) as u8);
        Self { colour: Rgbaq(self.colour.0 & !0xFF00_0000 | alpha << 24), ..self }
    }

    /// Its alpha of `[0, 1]`.
    pub fn alpha(self) -> f32 {
        (self.colour.0 >> 24 & 0xff) as f32 / 128.0
    }

    /// `length` at this size, to the nearest pixel.
    const fn scaled(&self, length: u32) -> u32 {
        (length * self.size + FULL / 2) / FULL
    }

    /// Pixels from one character to the next.
    pub const fn advance(&self) -> u32 {
        self.scaled(ADVANCE)
    }

    /// The width of `text` in pixels.
    pub const fn width(&self, text: &str) -> u32 {
        text.len() as u32 * self.advance()
    }

    /// Lines from a row's top down to `baseline`.
    const fn descent_to(&self, baseline: Baseline) -> i32 {
        let lines = match baseline {
            Baseline::Top => 0,
            Baseline::Bottom => self.scaled(LINE_HEIGHT) - 1,
            Baseline::Middle => self.scaled(LINE_HEIGHT) / 2,
            Baseline::Alphabetic => self.scaled(ASCENT),
        };
        lines as i32
    }
}

impl TextRenderer for Lettering {
    type Color = Paint;

    fn draw_string<D: DrawTarget<Color = Paint>>(
        &self,
        text: &str,
        position: Point,
        baseline: Baseline,
        target: &mut D,
    ) -> Result<Point, D::Error> {
        let lift = self.descent_to(baseline) + self.scaled(OVERHANG) as i32;
        let size = Size::new(self.scaled(CELL_WIDTH), self.scaled(CELL_HEIGHT));
        let mut at = position - Point::new(0, lift);
        for byte in text.bytes() {
            if byte > FIRST {
                target.fill_solid(&Rectangle::new(at, size), Paint::Character(byte, self.colour))?;
            }
            at.x += self.advance() as i32;
        }
        Ok(Point::new(at.x, position.y))
    }

    fn draw_whitespace<D: DrawTarget<Color = Paint>>(
        &self,
        width: u32,
        position: Point,
        _baseline: Baseline,
        _target: &mut D,
    ) -> Result<Point, D::Error> {
        Ok(position + Point::new(width as i32, 0))
    }

    fn measure_string(&self, text: &str, position: Point, baseline: Baseline) -> TextMetrics {
        let top = position - Point::new(0, self.descent_to(baseline));
        let size = Size::new(self.width(text), self.line_height());
        TextMetrics {
            bounding_box: Rectangle::new(top, size),
            next_position: position + Point::new(size.width as i32, 0),
        }
    }

    fn line_height(&self) -> u32 {
        self.scaled(LINE_HEIGHT)
    }
}

#[cfg(test)]
mod tests {
    use super::super::draw_target::tests::quads_of;
    use super::*;
    use embedded_graphics::Drawable as _;
    use embedded_graphics::geometry::Dimensions as _;
    use embedded_graphics::text::{Alignment, Text};

    fn white() -> Lettering {
        Lettering::new(Vec3::splat(1.0))
    }

    #[test]
    fn a_text_is_one_sprite_for_each_character_with_ink() {
        let quads = |text: &str| {
            quads_of(|surface| {
                Text::new(text, Point::new(100, 100), white()).draw(surface).unwrap();
            })
        };
        let (one, word, words) = (quads("A"), quads("BOARDWALK"), quads("BOARD WALK"));
        assert_eq!(word - one, 8 * 4, "two vertices of two quadwords each");
        assert_eq!(word, words);
    }

    #[test]
    fn texts_are_aligned_by_their_width() {
        let centred = Text::with_alignment("LEVEL", Point::new(320, 50), white(), Alignment::Center);
        let bounds = centred.bounding_box();
        assert_eq!(bounds.size.width, 5 * ADVANCE);
        assert!((bounds.center().x - 320).abs() <= 1, "{}", bounds.center());
    }

    #[test]
    fn letters_keep_to_their_row_whatever_the_baseline() {
        let at = Point::new(10, 200);
        let top = |baseline| white().measure_string("X", at, baseline).bounding_box.top_left.y;
        assert_eq!(top(Baseline::Top), 200);
        assert_eq!(top(Baseline::Alphabetic), 200 - ASCENT as i32);
        assert_eq!(top(Baseline::Bottom) + LINE_HEIGHT as i32, 201);
    }

    #[test]
    fn sizes_scale_every_measure() {
        let half = white().sized(8);
        assert_eq!((half.line_height(), half.width("AB")), (10, 12));
        assert_eq!(white().sized(0).line_height(), 1);
    }

    #[test]
    fn characters_without_ink_have_no_texels() {
        assert_eq!(texels(b' '), None);
        assert_eq!(texels(0x7F), None);
        assert_eq!(texels(b'\n'), None);
        assert_eq!(texels(b'!').map(|texels| texels.x0), Some(CELL_WIDTH as f32 + 0.5));
    }
}
