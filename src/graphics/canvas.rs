//! Drawing in pixels of the picture.

use super::camera::{self, CORNER, Projected};
use super::texture::Texture;
use crate::ee::gif::{Packet, Quad, SPRITE_QUADS};
use crate::ee::gs::general::{
    Alpha, Clamp, ColClamp, DepthTest, Dthe, Fba, Frame, Pabe, PrModeCont, Prim, Rgbaq, ScanMsk, Scissor, Shape, St,
    Test, Tex1, TexFlush, Uv, XyOffset, Xyz2, ZBuf,
};
use crate::ee::gs::memory::{DEPTH, HEIGHT, WIDTH};

/// Fraction steps in a pixel.
const SUBPIXELS: f32 = 16.0;
/// The last coordinate of the drawing plane.
const PLANE_END: f32 = 65_535.0;

/// How depth takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// Neither tested nor written.
    Ignored,
    /// Tested and written.
    Used,
    /// Tested, not written: for what glows.
    Tested,
}

/// A rectangle of the picture or of a texture, in pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rect {
    /// Left edge.
    pub x0: f32,
    /// Upper edge.
    pub y0: f32,
    /// Right edge, exclusive.
    pub x1: f32,
    /// Lower edge, exclusive.
    pub y1: f32,
}

impl Rect {
    /// The whole picture.
    pub const PICTURE: Self = Self::new(0.0, 0.0, WIDTH as f32, HEIGHT as f32);

    /// A rectangle by its edges.
    pub const fn new(x0: f32, y0: f32, x1: f32, y1: f32) -> Self {
        Self { x0, y0, x1, y1 }
    }

    /// A rectangle around `(x, y)`.
    pub const fn around(x: f32, y: f32, half_width: f32, half_height: f32) -> Self {
        Self::new(x - half_width, y - half_height, x + half_width, y + half_height)
    }
}

/// A vertex ready for triangles: one quadword of the packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Corner(Quad);

impl Corner {
    /// The Q of a corner that can be drawn; a hidden one has none.
    const Q: u32 = 1.0_f32.to_bits();

    /// A corner that no triangle may use.
    pub const HIDDEN: Self = Self(Quad([0; 4]));

    /// A corner at plane coordinates with four fraction bits, of a colour as the packet holds it.
    #[inline]
    pub const fn new(x: u32, y: u32, depth: u32, colour: u32) -> Self {
        Self(Quad([colour, Self::Q, x | y << 16, depth]))
    }

    /// A projected point with a colour.
    #[inline]
    pub fn at(point: &Projected, colour: Rgbaq) -> Self {
        if !point.is_drawable() {
            return Self::HIDDEN;
        }
        Self(Quad([colour.0 as u32, Self::Q, position(point.x, point.y, 0).0 as u32, point.depth]))
    }

    /// A point of the picture at the far end of depth.
    #[inline]
    pub fn flat(x: f32, y: f32, colour: Rgbaq) -> Self {
        Self(Quad([colour.0 as u32, Self::Q, position(x, y, 0).0 as u32, 0]))
    }

    /// True when triangles may use the corner.
    #[inline]
    pub fn is_drawable(&self) -> bool {
        self.0.0[1] != 0
    }
}

/// How lines are drawn.
const LINE: Prim = Prim::new(Shape::Line).blended();
/// How sprites are drawn.
const SPRITE: Prim = Prim::new(Shape::Sprite).textured().texel_coordinates().blended();

/// A vertex position in pixels; outside the drawing plane it stops at the plane's edge.
#[inline]
pub fn position(x: f32, y: f32, depth: u32) -> Xyz2 {
    Xyz2::new(fixed(x + CORNER.0), fixed(y + CORNER.1), depth)
}

/// Four fraction bits, cut at the plane's edges.
#[inline]
fn fixed(value: f32) -> u16 {
    // At this size a float's last bit is one, so its mantissa is the whole number.
    const WHOLE: f32 = 8_388_608.0;
    ((value * SUBPIXELS).clamp(0.0, PLANE_END) + WHOLE).to_bits() as u16
}

fn texel(u: f32, v: f32) -> Uv {
    Uv::new(fixed(u), fixed(v))
}

/// Sets the modes that all drawing shares, whatever it draws into: nothing is masked, dithered or repeated.
pub fn set_modes(packet: &mut Packet<'_>) {
    packet.set(PrModeCont(1));
    packet.set(ScanMsk(0));
    packet.set(ColClamp(1));
    packet.set(Dthe(0));
    packet.set(Pabe(0));
    packet.set(Fba(0));
    packet.set(Clamp::CLAMP);
}

/// The picture's lines of a window, of which there is at least one.
fn scissor((top, bottom): (f32, f32)) -> Scissor {
    let last = HEIGHT - 1;
    let (top, bottom) = ((top.max(0.0) as u32).min(last), (bottom.max(1.0) as u32 - 1).min(last));
    Scissor::new(0, WIDTH - 1, top, bottom.max(top))
}

/// A frame under construction.
pub struct Canvas<'p, 'a> {
    packet: &'p mut Packet<'a>,
}

impl<'p, 'a> Canvas<'p, 'a> {
    /// Starts a picture in the frame buffer at `page`: sets every register that drawing depends on and clears the depth
    /// buffer. The frame keeps its old contents: draw a background.
    pub fn begin(packet: &'p mut Packet<'a>, page: u32) -> Self {
        Self::begin_within(packet, page, camera::WHOLE)
    }

    /// The same for the picture's lines from the one of `window` up to the other: the rest keeps picture and depth.
    pub fn begin_within(packet: &'p mut Packet<'a>, page: u32, window: (f32, f32)) -> Self {
        set_modes(packet);
        packet.set(Frame::new(page, WIDTH));
        packet.set(XyOffset::new((CORNER.0 * SUBPIXELS) as u16, (CORNER.1 * SUBPIXELS) as u16));
        packet.set(scissor(window));
        packet.set(Tex1::BILINEAR);
        packet.set(ZBuf::new(DEPTH));
        packet.set(Test::depth(DepthTest::Always));
        let mut canvas = Self { packet };
        // The frame is painted black along with the depth: one pass for both.
        canvas.rect(Rect::PICTURE, Rgbaq::new(0, 0, 0, 0x80));
        canvas.depth(Depth::Ignored);
        canvas.blend(Alpha::OVER);
        canvas
    }

    /// Goes on with the picture that another packet began: its registers still hold.
    pub fn resume(packet: &'p mut Packet<'a>) -> Self {
        Self { packet }
    }

    /// The packet, for what a canvas cannot draw.
    pub fn packet(&mut self) -> &mut Packet<'a> {
        self.packet
    }

    /// What follows is drawn in these lines of the picture alone.
    pub fn window(&mut self, window: (f32, f32)) {
        self.packet.set(scissor(window));
    }

    /// Sets how depth takes part in what follows.
    pub fn depth(&mut self, depth: Depth) {
        let buffer = ZBuf::new(DEPTH);
        let (test, buffer) = match depth {
            Depth::Ignored => (DepthTest::Always, buffer.read_only()),
            Depth::Used => (DepthTest::GreaterOrEqual, buffer),
            Depth::Tested => (DepthTest::GreaterOrEqual, buffer.read_only()),
        };
        self.packet.set(Test::depth(test));
        self.packet.set(buffer);
    }

    /// Sets how blended primitives mix with the picture.
    pub fn blend(&mut self, alpha: Alpha) {
        self.packet.set(alpha);
    }

    /// Sets the texture of what follows.
    pub fn texture(&mut self, texture: &Texture) {
        self.packet.set(texture.tex0);
    }

    /// Makes uploads of this packet visible to what follows.
    pub fn flush_textures(&mut self) {
        self.packet.set(TexFlush(0));
    }

    /// A rectangle of one colour at the far end of depth.
    pub fn rect(&mut self, r: Rect, colour: Rgbaq) {
        const PRIM: Prim = Prim::new(Shape::Sprite);
        self.packet.colour(PRIM, [(colour, position(r.x0, r.y0, 0)), (colour, position(r.x1, r.y1, 0))]);
    }

    /// A rectangle of one colour that mixes with what is there.
    pub fn shade(&mut self, r: Rect, colour: Rgbaq) {
        const PRIM: Prim = Prim::new(Shape::Sprite).blended();
        self.packet.colour(PRIM, [(colour, position(r.x0, r.y0, 0)), (colour, position(r.x1, r.y1, 0))]);
    }

    /// A rectangle with a colour for each corner (upper left, upper right, lower left, lower right), mixed with what is
    /// there.
    pub fn gradient(&mut self, r: Rect, colours: [Rgbaq; 4]) {
        let [a, b, c, d] = colours;
        let (ul, ur) = (position(r.x0, r.y0, 0), position(r.x1, r.y0, 0));
        let (ll, lr) = (position(r.x0, r.y1, 0), position(r.x1, r.y1, 0));
        const PRIM: Prim = Prim::new(Shape::Triangle).gouraud().blended();
        self.packet.colour(PRIM, [(a, ul), (b, ur), (c, ll), (b, ur), (c, ll), (d, lr)]);
    }

    /// A rectangle whose upper and lower edges have a colour each.
    pub fn vertical_gradient(&mut self, r: Rect, upper: Rgbaq, lower: Rgbaq) {
        self.gradient(r, [upper, upper, lower, lower]);
    }

    /// A textured rectangle at `depth`: `texels` of the current texture over `r`, multiplied by `colour`, blended.
    pub fn sprite(&mut self, r: Rect, texels: Rect, colour: Rgbaq, depth: u32) {
        self.packet.texels(
            SPRITE,
            [
                (colour, texel(texels.x0, texels.y0), position(r.x0, r.y0, depth)),
                (colour, texel(texels.x1, texels.y1), position(r.x1, r.y1, depth)),
            ],
        );
    }

    /// Many sprites at once, each a rectangle of the current texture, modulated by a colour and blended: `count` of them,
    /// which `sprites` must give.
    pub fn sprites(&mut self, count: usize, sprites: impl Iterator<Item = (Rect, Rect, Rgbaq)>) {
        self.packet.sprites(SPRITE, count, |places| {
            let mut places = places.chunks_exact_mut(SPRITE_QUADS);
            for ((r, texels, colour), quads) in sprites.zip(&mut places) {
                let corner = |u, v| Quad::pair(colour.0, texel(u, v).0);
                let place = |x, y| Quad::pair(position(x, y, 0).0, 0);
                if let [first, at, second, to] = quads {
                    (*first, *at) = (corner(texels.x0, texels.y0), place(r.x0, r.y0));
                    (*second, *to) = (corner(texels.x1, texels.y1), place(r.x1, r.y1));
                }
            }
            // Fewer than were promised: the rest has no size and no colour.
            for quads in places {
                quads.fill(Quad::default());
            }
        });
    }

    /// A smooth-edged line, blended.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), colour: Rgbaq) {
        self.packet.colour(LINE, [(colour, position(from.0, from.1, 0)), (colour, position(to.0, to.1, 0))]);
    }

    /// The three sides of a triangle as such lines.
    pub fn outline(&mut self, corners: [(f32, f32); 3], colour: Rgbaq) {
        let [a, b, c] = corners.map(|(x, y)| (colour, position(x, y, 0)));
        self.packet.colour(LINE, [a, b, b, c, c, a]);
    }

    /// A triangle; not drawn when one of its corners is hidden.
    #[inline]
    pub fn triangle(&mut self, corners: [&Corner; 3]) {
        const PRIM: Prim = Prim::new(Shape::Triangle).gouraud();
        if corners.iter().all(|corner| corner.is_drawable()) {
            self.packet.quads(PRIM, corners.map(|corner| corner.0));
        }
    }

    /// The triangles of `corners` that `indices` name; those with a hidden or missing corner are left out.
    pub fn triangles(&mut self, corners: &[Corner], indices: &[[u16; 3]]) {
        const PRIM: Prim = Prim::new(Shape::Triangle).gouraud();
        self.packet.triangles(PRIM, |triangles| {
            for &[a, b, c] in indices {
                let corner = |index: u16| corners.get(usize::from(index));
                let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else { continue };
                // A hidden corner's Q is 0, any other's is one and the same pattern.
                if a.0.0[1] & b.0.0[1] & c.0.0[1] != 0 {
                    triangles.push([&a.0, &b.0, &c.0]);
                }
            }
        });
    }

    /// A blended, textured quadrilateral in the world: points and texture coordinates of `[0, 1]` in the order upper left,
    /// upper right, lower left, lower right.
    pub fn textured_quad(&mut self, points: [&Projected; 4], coordinates: [(f32, f32); 4], colour: Rgbaq) {
        const PRIM: Prim = Prim::new(Shape::Triangle).textured().blended();
        if points.iter().any(|point| !point.is_drawable()) {
            return;
        }
        let corner = |index: usize| {
            let (point, (s, t)) = (points[index], coordinates[index]);
            let q = 1.0 / point.distance;
            let colour = Rgbaq(colour.0 & 0xFFFF_FFFF | u64::from(q.to_bits()) << 32);
            (St::new(s * q, t * q), colour, position(point.x, point.y, point.depth))
        };
        self.packet.perspective(PRIM, [corner(0), corner(1), corner(2), corner(1), corner(2), corner(3)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ee::gif::Line;

    #[test]
    fn the_pictures_corner_is_where_the_window_starts() {
        assert_eq!(position(0.0, 0.0, 7), Xyz2::new(1728 * 16, 1824 * 16, 7));
        assert_eq!(position(-5000.0, 1.0, 0).0 & 0xFFFF, 0, "far beside stops at the plane's edge");
    }

    #[test]
    fn a_window_is_cut_out_of_the_picture_and_never_empty() {
        assert_eq!(scissor(camera::WHOLE), Scissor::new(0, WIDTH - 1, 0, HEIGHT - 1));
        assert_eq!(scissor((224.0, 448.0)), Scissor::new(0, WIDTH - 1, 224, 447));
        assert_eq!(scissor((-9.0, -5.0)), Scissor::new(0, WIDTH - 1, 0, 0));
        assert_eq!(scissor((900.0, 999.0)), Scissor::new(0, WIDTH - 1, HEIGHT - 1, HEIGHT - 1));
    }

    #[test]
    fn a_triangle_with_a_hidden_corner_is_not_drawn() {
        let mut memory = [Line::default(); 32];
        let mut packet = Packet::new(&mut memory);
        let mut canvas = Canvas::begin(&mut packet, 0);
        let seen = Corner::flat(1.0, 1.0, Rgbaq::default());
        let before = canvas.packet.used();
        canvas.triangle([&seen, &seen, &Corner::HIDDEN]);
        assert_eq!(canvas.packet.used(), before);
        canvas.triangle([&seen; 3]);
        assert!(canvas.packet.used() > before);
    }
}
