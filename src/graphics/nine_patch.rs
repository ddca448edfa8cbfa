//! Frames around things: one small picture cut in nine, whose corners keep their size while the rest stretches.
//!
//! The picture is a dark, slightly lighter-topped plate with round corners and a thin bright rim; a [`Panel`] draws it at any size
//! and colour through `embedded-graphics`.

use super::draw_target::Paint;
use super::texture::{Image, Palette, Texture};
use crate::ee::gs::general::Rgbaq;
use crate::graphics::canvas::Rect;
use crate::graphics::colour::rgb;
use crate::maths::{Vec3, scalar};
use embedded_graphics::Drawable;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

/// Texels of the picture's side.
const SIDE: u32 = 64;
/// Texels of a corner.
pub const CORNER: u32 = 16;
/// Where the cuts are.
const CUTS: [u32; 4] = [0, CORNER, SIDE - CORNER, SIDE];
/// The radius of the rim's corners, in texels.
const RADIUS: f32 = 10.0;
/// Texels between the picture's edge and the rim.
const MARGIN: f32 = 2.0;
/// Values below this are the plate, by height; values from it on the rim, by strength.
const RIM: u8 = 128;

/// The frame in the GS's memory.
#[derive(Clone, Copy, Debug)]
pub struct NinePatch {
    /// Its picture and palette.
    pub texture: Texture,
}

/// One of the nine parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    column: u8,
    row: u8,
}

impl Part {
    /// Every part, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..3).flat_map(|row| (0..3).map(move |column| Self { column, row }))
    }

    /// Where it is in the picture.
    pub fn texels(self) -> Rect {
        let cut = |index: u8| CUTS.get(usize::from(index)).copied().unwrap_or(0) as f32 + 0.5;
        Rect::new(cut(self.column), cut(self.row), cut(self.column + 1), cut(self.row + 1))
    }

    /// Where it goes in a frame over `area`, whose sides may be shorter than two corners: the corners shrink then.
    fn place(self, area: &Rectangle) -> Rectangle {
        let span = |index: u8, length: u32| {
            let corner = CORNER.min(length / 2);
            let cuts = [0, corner, length - corner, length];
            let at = |index: u8| cuts.get(usize::from(index)).copied().unwrap_or(length);
            (at(index), at(index + 1) - at(index))
        };
        let (x, width) = span(self.column, area.size.width);
        let (y, height) = span(self.row, area.size.height);
        Rectangle::new(area.top_left + Point::new(x as i32, y as i32), Size::new(width, height))
    }
}

/// Distance from a rounded rectangle that lies [`MARGIN`] inside the picture; negative inside.
fn distance(x: f32, y: f32) -> f32 {
    let half = SIDE as f32 * 0.5;
    let inner = half - MARGIN - RADIUS;
    let (dx, dy) = ((x - half).abs() - inner, (y - half).abs() - inner);
    let (outside_x, outside_y) = (dx.max(0.0), dy.max(0.0));
    scalar::sqrt(outside_x * outside_x + outside_y * outside_y) + dx.max(dy).min(0.0) - RADIUS
}

/// The frame as a picture of heights and rim.
pub fn image() -> Image {
    Image::from_fn(SIDE, SIDE, |x, y| {
        let distance = distance(x as f32 + 0.5, y as f32 + 0.5);
        let rim = (1.6 - distance.abs()).clamp(0.0, 1.0);
        if rim > 0.0 {
            RIM + (rim * 127.0) as u8
        } else if distance < 0.0 {
            // The plate's heights are 1 at the foot to 127 at the top; 0 is nothing.
            127 - (y * 126 / SIDE) as u8
        } else {
            0
        }
    })
}

/// Night blue that lets a little through, with a rim of light.
pub fn palette() -> Palette {
    let (foot, top, light) = (rgb(8, 9, 22), rgb(22, 24, 48), Vec3::splat(1.0));
    Palette::from_fn(move |value| {
        let value = value * 255.0;
        let rim = f32::from(RIM);
        if value >= rim {
            let strength = (value - rim) / 127.0;
            (top.lerp(light, strength), 0.80 * strength.max(0.4))
        } else if value >= 0.5 {
            (foot.lerp(top, value / 127.0), 0.86)
        } else {
            (Vec3::ZERO, 0.0)
        }
    })
}

/// A frame with its plate, ready to draw.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    /// Where, in pixels of the picture.
    pub area: Rectangle,
    /// Multiplies the picture (0x80 leaves a channel as it is).
    pub colour: Rgbaq,
}

impl Panel {
    /// A frame over `area` in its own colours.
    pub const fn new(area: Rectangle) -> Self {
        Self { area, colour: Rgbaq::new(0x80, 0x80, 0x80, 0x80) }
    }

    /// The same multiplied by a light.
    pub const fn tinted(self, colour: Rgbaq) -> Self {
        Self { colour, ..self }
    }
}

impl Drawable for Panel {
    type Color = Paint;
    type Output = ();

    fn draw<D: DrawTarget<Color = Paint>>(&self, target: &mut D) -> Result<(), D::Error> {
        for part in Part::all() {
            target.fill_solid(&part.place(&self.area), Paint::Frame(part, self.colour))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::draw_target::tests::quads_of;
    use super::*;

    fn area(width: u32, height: u32) -> Rectangle {
        Rectangle::new(Point::new(50, 60), Size::new(width, height))
    }

    #[test]
    fn the_parts_tile_the_area() {
        for (width, height) in [(200, 100), (32, 32), (20, 9), (1, 1)] {
            let area = area(width, height);
            let covered: u32 = Part::all().map(|part| part.place(&area).size).map(|s| s.width * s.height).sum();
            assert_eq!(covered, width * height, "{width} x {height}");
            assert!(Part::all().all(|part| {
                let place = part.place(&area);
                place.is_zero_sized() || place.intersection(&area) == place
            }));
        }
    }

    #[test]
    fn corners_keep_their_size() {
        for (width, height) in [(200, 100), (600, 400)] {
            let corner = Part { column: 2, row: 2 }.place(&area(width, height));
            assert_eq!(corner.size, Size::new(CORNER, CORNER));
        }
    }

    #[test]
    fn the_picture_is_empty_outside_rimmed_at_the_edge_and_plate_inside() {
        let image = image();
        assert_eq!(image.texel(0, 0), 0);
        assert!(image.texel(2, 32) > RIM && image.texel(32, 2) > RIM);
        assert!((1..RIM).contains(&image.texel(32, 32)));
        assert!(image.texel(32, 10) > image.texel(32, 50), "lighter at the top");
    }

    #[test]
    fn what_stretches_is_uniform_along_its_stretch() {
        let image = image();
        let uniform = |texel: &dyn Fn(u32) -> u8| (CORNER..SIDE - CORNER).all(|at| texel(at) == texel(CORNER));
        for depth in 0..CORNER {
            assert!(uniform(&|along| image.texel(along, depth)), "upper edge, row {depth}");
        }
    }

    #[test]
    fn a_frame_is_nine_sprites() {
        let one = quads_of(|surface| Panel::new(area(200, 100)).draw(surface).unwrap());
        assert!(one <= 9 * 4 + 6, "{one} quadwords");
    }
}
