//! Two-dimensional drawing through `embedded-graphics`, batched into the frame's packet.
//!
//! A [`Surface`] is a draw target whose colour is a [`Paint`]: a plain colour, a character of the face or a part of a
//! frame. Whatever fills a rectangle with one paint becomes one GS sprite, so rectangles, texts and frames cost two
//! vertices a piece and never a pixel each. Loose pixels are gathered: a straight chain of them becomes a GS line, the rest
//! becomes runs.
//!
//! Source: support systems, Graphics and frame pacing.

use super::canvas::{Canvas, Rect};
use super::colour;
use super::font::Face;
use super::nine_patch::{NinePatch, Part};
use super::text;
use super::texture::{Image, OutOfTextureMemory, Palette, Texture, TextureMemory};
use crate::ee::gif::{Line, Packet};
use crate::ee::gs::general::Rgbaq;
use crate::ee::gs::memory::{HEIGHT, WIDTH};
use crate::maths::Vec3;
use core::convert::Infallible;
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::PixelColor;
use embedded_graphics::pixelcolor::raw::RawU32;
use embedded_graphics::primitives::Rectangle;
use heapless::Vec;

/// What fills an area.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// One colour, mixed by its alpha (0x80 covers).
    Colour(Rgbaq),
    /// A character of the face, stretched over the area and multiplied by a colour (0x80 leaves a channel as it is).
    Character(u8, Rgbaq),
    /// A part of the frame's picture, stretched over the area and multiplied by a colour.
    Frame(Part, Rgbaq),
}

impl Paint {
    /// A colour of light with an alpha of `[0, 1]`.
    pub fn light(colour: Vec3, alpha: f32) -> Self {
        Self::Colour(colour::with_alpha(colour, alpha))
    }
}

impl PixelColor for Paint {
    type Raw = RawU32;
}

/// The pictures of 2D drawing in the GS's memory.
#[derive(Clone, Copy, Debug)]
pub struct Atlas {
    /// The face.
    pub face: Face,
    /// The frame.
    pub frame: NinePatch,
}

/// The same pictures in main memory, needed until they are uploaded.
pub struct AtlasPictures {
    face: (Image, Palette),
    frame: (Image, Palette),
}

impl AtlasPictures {
    /// Computes both pictures.
    #[allow(clippy::new_without_default, reason = "this is a moment's work, not a default")]
    pub fn new() -> Self {
        Self {
            face: (super::font::face_image(), super::font::face_palette()),
            frame: (super::nine_patch::image(), super::nine_patch::palette()),
        }
    }

    /// What an upload refers to.
    pub fn memory(&self) -> impl Iterator<Item = &[Line]> {
        [&self.face, &self.frame].into_iter().flat_map(|(image, palette)| [image.lines(), palette.lines()])
    }
}

impl Atlas {
    /// Reserves memory for the pictures.
    ///
    /// # Errors
    /// [`OutOfTextureMemory`] when they do not fit.
    pub fn new(memory: &mut TextureMemory, pictures: &AtlasPictures) -> Result<Self, OutOfTextureMemory> {
        let face = Face { texture: memory.reserve(&pictures.face.0)? };
        Ok(Self { face, frame: NinePatch { texture: memory.reserve(&pictures.frame.0)? } })
    }

    /// Sends the pictures to the GS's memory.
    pub fn upload<'a>(&self, packet: &mut Packet<'a>, pictures: &'a AtlasPictures) {
        let both = [(&self.face.texture, &pictures.face), (&self.frame.texture, &pictures.frame)];
        for (texture, (image, palette)) in both {
            texture.upload(packet, image);
            texture.upload_palette(packet, palette);
        }
    }
}

/// The picture as a draw target. The canvas must ignore depth and blend by [`Alpha::OVER`], as it does from its beginning.
///
/// [`Alpha::OVER`]: crate::ee::gs::general::Alpha::OVER
pub struct Surface<'s, 'p, 'a> {
    canvas: &'s mut Canvas<'p, 'a>,
    atlas: &'s Atlas,
    /// The texture that was set last.
    set: Option<Texture>,
}

impl<'s, 'p, 'a> Surface<'s, 'p, 'a> {
    /// Draws on `canvas` with the pictures of `atlas`.
    pub fn new(canvas: &'s mut Canvas<'p, 'a>, atlas: &'s Atlas) -> Self {
        Self { canvas, atlas, set: None }
    }

    /// A straight line, its ends in pixels of the picture: one GS line.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), colour: Rgbaq) {
        self.canvas.line(from, to, colour);
    }

    /// Fills a rectangle of any place and size, in pixels of the picture.
    pub fn fill(&mut self, area: Rect, paint: Paint) {
        let (texture, texels, colour) = match paint {
            Paint::Colour(colour) => return self.canvas.shade(area, colour),
            Paint::Character(character, colour) => {
                let Some(texels) = text::texels(character) else { return };
                (self.atlas.face.texture, texels, colour)
            }
            Paint::Frame(part, colour) => (self.atlas.frame.texture, part.texels(), colour),
        };
        if self.set != Some(texture) {
            self.canvas.texture(&texture);
            self.set = Some(texture);
        }
        self.canvas.sprite(area, texels, colour, 0);
    }

    /// Fills the cells of many characters at once: `count` of them with ink, which `characters` must give.
    pub fn characters(&mut self, count: usize, characters: impl Iterator<Item = (Rect, u8, Rgbaq)>) {
        let face = self.atlas.face.texture;
        if self.set != Some(face) {
            self.canvas.texture(&face);
            self.set = Some(face);
        }
        let sprites = characters.filter_map(|(area, character, colour)| Some((area, text::texels(character)?, colour)));
        self.canvas.sprites(count, sprites);
    }

    /// The canvas below, to draw what has no place in two dimensions.
    pub fn canvas(&mut self) -> &mut Canvas<'p, 'a> {
        // Whoever draws there may set a texture.
        self.set = None;
        self.canvas
    }

    /// A chain of neighbouring pixels of one paint: a line when it is straight, else runs.
    fn flush(&mut self, chain: &mut Chain) {
        match (chain.paint, chain.straight()) {
            (Some(Paint::Colour(colour)), Some((from, to))) => self.canvas.line(from, to, colour),
            (Some(paint), _) => {
                for run in chain.runs() {
                    self.fill(run, paint);
                }
            }
            (None, _) => {}
        }
        chain.clear();
    }
}

impl OriginDimensions for Surface<'_, '_, '_> {
    fn size(&self) -> Size {
        Size::new(WIDTH, HEIGHT)
    }
}

impl DrawTarget for Surface<'_, '_, '_> {
    type Color = Paint;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Paint>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        let mut chain = Chain::default();
        for Pixel(point, paint) in pixels {
            if !chain.extend(point, paint) {
                self.flush(&mut chain);
                chain.extend(point, paint);
            }
        }
        self.flush(&mut chain);
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, paint: Paint) -> Result<(), Infallible> {
        if !area.is_zero_sized() {
            self.fill(place(area), paint);
        }
        Ok(())
    }
}

/// A rectangle of whole pixels as the canvas counts.
pub fn place(area: &Rectangle) -> Rect {
    let (x, y) = (area.top_left.x as f32, area.top_left.y as f32);
    Rect::new(x, y, x + area.size.width as f32, y + area.size.height as f32)
}

/// Pixels of the longest chain: a row of the picture.
const CHAIN: usize = WIDTH as usize;

/// Neighbouring pixels of one paint that may prove to be a line.
#[derive(Default)]
struct Chain {
    points: Vec<Point, CHAIN>,
    paint: Option<Paint>,
}

impl Chain {
    /// Takes a pixel that touches the last one and has its paint. False when the chain must be flushed first.
    fn extend(&mut self, point: Point, paint: Paint) -> bool {
        if let Some(&last) = self.points.last() {
            let step = point - last;
            if self.paint != Some(paint) || step == Point::zero() || step.x.abs() > 1 || step.y.abs() > 1 {
                return false;
            }
        }
        self.paint = Some(paint);
        self.points.push(point).is_ok()
    }

    fn clear(&mut self) {
        self.points.clear();
        self.paint = None;
    }

    /// The line that passes within half a pixel of every point, if there is one and it is neither level nor upright: those
    /// are rectangles.
    fn straight(&self) -> Option<((f32, f32), (f32, f32))> {
        let (first, last) = (*self.points.first()?, *self.points.last()?);
        let span = last - first;
        let length = span.x.abs().max(span.y.abs());
        if span.x == 0 || span.y == 0 || self.points.len() as i32 != length + 1 {
            return None;
        }
        let near = |point: &Point| {
            let offset = *point - first;
            2 * (offset.x * span.y - offset.y * span.x).abs() <= length
        };
        if !self.points.iter().all(near) {
            return None;
        }
        // The GS leaves a line's last pixel out, so the line goes one pixel further.
        let beyond = (length + 1) as f32 / length as f32;
        let (x, y) = (first.x as f32, first.y as f32);
        Some(((x, y), (x + span.x as f32 * beyond, y + span.y as f32 * beyond)))
    }

    /// The chain's level and upright runs as rectangles.
    fn runs(&self) -> Runs<'_> {
        Runs { rest: &self.points }
    }
}

/// Rectangles of a chain.
struct Runs<'c> {
    rest: &'c [Point],
}

impl Iterator for Runs<'_> {
    type Item = Rect;

    fn next(&mut self) -> Option<Rect> {
        let first = *self.rest.first()?;
        let step = self.rest.get(1).map(|&second| second - first);
        let along = step.filter(|step| step.x == 0 || step.y == 0);
        let run = along.map_or(1, |along| {
            let steps = self.rest.windows(2).take_while(|pair| pair[1] - pair[0] == along);
            1 + steps.count()
        });
        let last = *self.rest.get(run - 1)?;
        self.rest = self.rest.get(run..)?;
        let (low, high) = (first.component_min(last), first.component_max(last));
        Some(Rect::new(low.x as f32, low.y as f32, (high.x + 1) as f32, (high.y + 1) as f32))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ee::gif::Line;
    use embedded_graphics::prelude::*;
    use embedded_graphics::primitives::{Circle, Line as Stroke, PrimitiveStyle};

    const INK: Paint = Paint::Colour(Rgbaq::new(255, 255, 255, 0x80));

    /// Quadwords that drawing takes, after the surface is set up.
    pub fn quads_of(draw: impl FnOnce(&mut Surface)) -> usize {
        let mut memory = std::vec![Line::default(); 4096];
        let mut packet = Packet::new(&mut memory);
        let mut textures = TextureMemory::default();
        let atlas = Atlas::new(&mut textures, &AtlasPictures::new()).expect("the area is empty");
        draw(&mut Surface::new(&mut Canvas::begin(&mut packet, 0), &atlas));
        let used = packet.used();
        let mut memory = std::vec![Line::default(); 64];
        let mut empty = Packet::new(&mut memory);
        let _ = Canvas::begin(&mut empty, 0);
        used - empty.used()
    }

    /// Quadwords before the first vertices: PRIM, behind the tag of the set-up, and their own tag.
    const FIRST: usize = 2;

    #[test]
    fn a_filled_rectangle_is_one_sprite_whatever_its_size() {
        for size in [1, 20, 400] {
            let area = Rectangle::new(Point::new(3, 4), Size::new(size, size));
            let quads = quads_of(|surface| area.into_styled(PrimitiveStyle::with_fill(INK)).draw(surface).unwrap());
            assert_eq!(quads, FIRST + 2, "{size}");
        }
    }

    #[test]
    fn rectangles_in_a_row_share_a_tag() {
        let quads = quads_of(|surface| {
            for x in 0..10 {
                surface.fill_solid(&Rectangle::new(Point::new(x * 9, 0), Size::new(8, 8)), INK).unwrap();
            }
        });
        assert_eq!(quads, FIRST + 10 * 2);
    }

    #[test]
    fn a_thin_line_is_one_gs_line_or_one_rectangle() {
        for end in [Point::new(300, 113), Point::new(40, 400), Point::new(300, 7), Point::new(5, 200)] {
            let quads = quads_of(|surface| {
                let line = Stroke::new(Point::new(5, 7), end);
                line.into_styled(PrimitiveStyle::with_stroke(INK, 1)).draw(surface).unwrap();
            });
            assert_eq!(quads, FIRST + 2, "{end}");
        }
    }

    #[test]
    fn a_line_ends_one_pixel_beyond_its_last_because_the_gs_leaves_that_out() {
        let mut chain = Chain::default();
        for x in 0..=4 {
            assert!(chain.extend(Point::new(x, x / 2), INK));
        }
        assert_eq!(chain.straight(), Some(((0.0, 0.0), (5.0, 2.5))));
    }

    #[test]
    fn a_bent_chain_becomes_runs_that_cover_exactly_its_pixels() {
        let mut chain = Chain::default();
        let points = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (3, 3), (4, 3)];
        for (x, y) in points {
            assert!(chain.extend(Point::new(x, y), INK));
        }
        assert_eq!(chain.straight(), None);
        let runs: std::vec::Vec<Rect> = chain.runs().collect();
        let covered: f32 = runs.iter().map(|run| (run.x1 - run.x0) * (run.y1 - run.y0)).sum();
        assert_eq!(covered, points.len() as f32);
        assert_eq!(runs[0], Rect::new(0.0, 0.0, 3.0, 1.0));
    }

    #[test]
    fn pixels_far_apart_or_of_other_paint_start_a_new_chain() {
        let mut chain = Chain::default();
        assert!(chain.extend(Point::new(0, 0), INK));
        assert!(!chain.extend(Point::new(2, 0), INK));
        assert!(!chain.extend(Point::new(1, 0), Paint::Colour(Rgbaq::new(0, 0, 0, 0x80))));
    }

    #[test]
    fn a_disc_costs_a_sprite_for_each_of_its_rows() {
        let quads = quads_of(|surface| {
            let disc = Circle::new(Point::new(100, 100), 40);
            disc.into_styled(PrimitiveStyle::with_fill(INK)).draw(surface).unwrap();
        });
        assert_eq!(quads, FIRST + 40 * 2);
    }

    #[test]
    fn an_empty_rectangle_draws_nothing() {
        assert_eq!(quads_of(|surface| surface.fill_solid(&Rectangle::zero(), INK).unwrap()), 0);
    }
}
