//! Page 1: what the GS draws by itself.

use super::super::canvas::{Canvas, Depth, Rect, position};
use super::super::colour::{self, rgb};
use super::super::font::Face;
use super::super::texture_cache::{Bound, TextureCache};
use super::textures::{BOARD, BOARD_16, BOARD_32, BOARD_SMALLER, NET, SPOT};
use crate::ee::gif::{Packet, Quad};
use crate::ee::gs::general::{
    Alpha, Clamp, DepthTest, FogCol, Prim, Rgbaq, Scissor, Shape, St, Test, Tex1, Xyz2, ZBuf,
};
use crate::ee::gs::memory::{DEPTH, HEIGHT, WIDTH};
use crate::maths::Vec3;

/// Fields in a row and rows of fields.
const COLUMNS: usize = 6;
/// A field's size and the distance to the next.
const FIELD: (f32, f32) = (92.0, 78.0);
const STEP: (f32, f32) = (102.0, 106.0);
/// The first field's corner.
const CORNER: (f32, f32) = (19.0, 26.0);

const RED: Rgbaq = Rgbaq::new(230, 70, 60, 0x80);
const GREEN: Rgbaq = Rgbaq::new(70, 210, 110, 0x80);
const BLUE: Rgbaq = Rgbaq::new(70, 110, 240, 0x80);
const YELLOW: Rgbaq = Rgbaq::new(240, 210, 80, 0x80);
/// Where the board begins in its texture: an eighth of a texel inside, so that no pixel falls between two of them, where the
/// last bit of a division would choose.
const INSIDE: f32 = 0.125;
/// Leaves a texture as it is.
const PLAIN: Rgbaq = Rgbaq::new(0x80, 0x80, 0x80, 0x80);

/// A case: its name and what draws it into a field.
type Case = (&'static str, fn(&mut Fields, Rect));

const CASES: [Case; 24] = [
    ("POINTS", points),
    ("LINES", lines),
    ("TRIANGLES", triangles),
    ("STRIP", strip),
    ("FAN", fan),
    ("SPRITE", sprite),
    ("8 BIT", |fields, r| fields.board(r, BOARD, Tex1::NEAREST)),
    ("SMOOTH", |fields, r| fields.board(r, BOARD, Tex1::BILINEAR)),
    ("4 BIT", |fields, r| fields.board(r, BOARD_16, Tex1::NEAREST)),
    ("32 BIT", |fields, r| fields.board(r, BOARD_32, Tex1::NEAREST)),
    ("WRAP", wrap),
    ("OVER", |fields, r| fields.spots(r, Alpha::OVER)),
    ("ADD", |fields, r| fields.spots(r, Alpha::ADD)),
    ("SUBTRACT", |fields, r| fields.spots(r, Alpha::SUBTRACT)),
    ("ALPHA TEST", alpha_test),
    ("SMOOTH EDGE", smooth_edges),
    ("FADING", fading),
    ("DEPTH", depth),
    ("DEPTH KEPT", depth_kept),
    ("FOG", fog),
    ("SCISSOR", scissor),
    ("PERSPECTIVE", perspective),
    ("SMALLER", smaller),
    ("NO DRAW", no_draw),
];

/// Where the case of a name is drawn.
pub fn field(name: &str) -> Option<Rect> {
    CASES.iter().position(|(case, _)| *case == name).map(place)
}

fn place(case: usize) -> Rect {
    let (x, y) = (CORNER.0 + STEP.0 * (case % COLUMNS) as f32, CORNER.1 + STEP.1 * (case / COLUMNS) as f32);
    Rect::new(x, y, x + FIELD.0, y + FIELD.1)
}

/// What the cases draw with.
struct Fields<'c, 'p, 'a> {
    canvas: Canvas<'p, 'a>,
    textures: &'c mut TextureCache,
}

/// Draws the page into the frame buffer at `frame`.
pub fn draw(packet: &mut Packet, frame: u32, textures: &mut TextureCache, face: &Face) {
    let mut canvas = Canvas::begin(packet, frame);
    canvas.rect(Rect::PICTURE, colour::vertex(rgb(24, 26, 34)));
    let mut fields = Fields { canvas, textures };
    for (index, (name, case)) in CASES.iter().enumerate() {
        let field = place(index);
        fields.canvas.rect(field, colour::vertex(rgb(48, 54, 70)));
        case(&mut fields, field);
        fields.restore();
        let words = colour::tint(Vec3::splat(0.9), 1.0);
        face.draw(&mut fields.canvas, name, field.x0, field.y1 + 2.0, 0.72, words);
    }
}

impl<'a> Fields<'_, '_, 'a> {
    fn packet(&mut self) -> &mut Packet<'a> {
        self.canvas.packet()
    }

    /// The state in which every case begins.
    fn restore(&mut self) {
        let packet = self.canvas.packet();
        packet.set(Clamp::CLAMP);
        packet.set(Tex1::BILINEAR);
        packet.set(Scissor::new(0, WIDTH - 1, 0, HEIGHT - 1));
        self.canvas.depth(Depth::Ignored);
        self.canvas.blend(Alpha::OVER);
    }

    fn bind(&mut self, texture: u32) {
        let packet = self.canvas.packet();
        if let Some(Bound { tex0, smaller }) = self.textures.bind(packet, texture) {
            packet.set(tex0);
            if let Some((places, _)) = smaller {
                packet.set(places);
            }
        }
    }

    /// The board over the whole field.
    fn board(&mut self, r: Rect, texture: u32, filter: Tex1) {
        self.bind(texture);
        self.packet().set(filter);
        self.canvas.sprite(r, Rect::new(INSIDE, INSIDE, 64.0 + INSIDE, 64.0 + INSIDE), PLAIN, 0);
    }

    /// Three spots of colour over a gradient, mixed as `alpha` says.
    fn spots(&mut self, r: Rect, alpha: Alpha) {
        self.canvas.vertical_gradient(r, colour::vertex(Vec3::splat(0.1)), colour::vertex(Vec3::splat(0.8)));
        self.bind(SPOT);
        self.canvas.blend(alpha);
        for (x, y, tint) in [(28.0, 26.0, RED), (64.0, 26.0, GREEN), (46.0, 52.0, BLUE)] {
            let place = Rect::around(r.x0 + x, r.y0 + y, 24.0, 22.0);
            self.canvas.sprite(place, Rect::new(0.0, 0.0, 64.0, 64.0), tint, 0);
        }
    }
}

/// A place in a field, from its upper left corner.
fn at(r: &Rect, x: f32, y: f32) -> Xyz2 {
    position(r.x0 + x, r.y0 + y, 0)
}

fn points(fields: &mut Fields, r: Rect) {
    for i in 0..64_u8 {
        let (x, y) = (f32::from(i % 8) * 10.0 + 10.0, f32::from(i / 8) * 8.0 + 10.0);
        fields.packet().colour(Prim::new(Shape::Point), [(Rgbaq::new(i * 4, 255 - i * 4, 160, 0x80), at(&r, x, y))]);
    }
}

/// Lines one by one, and below them a strip.
fn lines(fields: &mut Fields, r: Rect) {
    for i in 0..9_u8 {
        let x = f32::from(i) * 10.0 + 6.0;
        let ends = [(RED, at(&r, x, 6.0)), (YELLOW, at(&r, 86.0 - x + 6.0, 44.0))];
        fields.packet().colour(Prim::new(Shape::Line).gouraud(), ends);
    }
    let corners = [(6.0, 72.0), (20.0, 48.0), (34.0, 72.0), (48.0, 48.0), (62.0, 72.0), (76.0, 48.0), (86.0, 72.0)];
    fields.packet().colour(Prim::new(Shape::LineStrip), corners.map(|(x, y)| (GREEN, at(&r, x, y))));
}

fn triangles(fields: &mut Fields, r: Rect) {
    let flat = [(RED, at(&r, 6.0, 70.0)), (GREEN, at(&r, 42.0, 70.0)), (BLUE, at(&r, 24.0, 8.0))];
    let smooth = [(RED, at(&r, 50.0, 70.0)), (GREEN, at(&r, 86.0, 70.0)), (BLUE, at(&r, 68.0, 8.0))];
    fields.packet().colour(Prim::new(Shape::Triangle), flat);
    fields.packet().colour(Prim::new(Shape::Triangle).gouraud(), smooth);
}

fn strip(fields: &mut Fields, r: Rect) {
    let corners = [(8.0, 64.0, RED), (16.0, 12.0, GREEN), (36.0, 66.0, BLUE), (44.0, 14.0, YELLOW), (80.0, 60.0, RED)];
    fields.packet().colour(Prim::new(Shape::TriangleStrip).gouraud(), corners.map(|(x, y, c)| (c, at(&r, x, y))));
}

fn fan(fields: &mut Fields, r: Rect) {
    let ring = [
        (46.0, 40.0, YELLOW),
        (8.0, 60.0, RED),
        (14.0, 14.0, GREEN),
        (50.0, 6.0, BLUE),
        (84.0, 30.0, RED),
        (70.0, 70.0, GREEN),
    ];
    fields.packet().colour(Prim::new(Shape::TriangleFan).gouraud(), ring.map(|(x, y, c)| (c, at(&r, x, y))));
}

fn sprite(fields: &mut Fields, r: Rect) {
    // One pixel between two neighbours shows whether edges are where they should be.
    for (index, tint) in [RED, GREEN, BLUE, YELLOW].into_iter().enumerate() {
        let (x, y) = (r.x0 + 8.0 + (index % 2) as f32 * 39.0, r.y0 + 8.0 + (index / 2) as f32 * 32.0);
        fields.canvas.rect(Rect::new(x, y, x + 38.0, y + 31.0), tint);
    }
}

fn wrap(fields: &mut Fields, r: Rect) {
    fields.bind(BOARD);
    let texels = Rect::new(-32.0, -32.0, 96.0, 96.0);
    let quarters =
        [(false, false, 4.0, 4.0), (true, true, 48.0, 4.0), (true, false, 4.0, 41.0), (false, true, 48.0, 41.0)];
    for (clamp_s, clamp_t, x, y) in quarters {
        fields.packet().set(Clamp::of(clamp_s, clamp_t));
        let corner = |u: f32, v: f32, x: f32, y: f32| (St::new(u / 64.0, v / 64.0), PLAIN, at(&r, x, y));
        fields.packet().perspective(
            Prim::new(Shape::Sprite).textured(),
            [corner(texels.x0, texels.y0, x, y), corner(texels.x1, texels.y1, x + 40.0, y + 33.0)],
        );
    }
}

fn alpha_test(fields: &mut Fields, r: Rect) {
    fields.bind(NET);
    fields.packet().set(Tex1::NEAREST);
    fields.packet().set(ZBuf::new(DEPTH));
    fields.packet().set(Test::depth(DepthTest::Always).with_alpha_test());
    // Depth is written under the net alone: what comes behind it shows through its holes.
    fields.canvas.sprite(r, Rect::new(INSIDE, INSIDE, 64.0 + INSIDE, 64.0 + INSIDE), PLAIN, 200);
    fields.packet().set(Test::depth(DepthTest::GreaterOrEqual));
    let behind = [(RED, (8.0, 70.0)), (YELLOW, (84.0, 70.0)), (GREEN, (46.0, 6.0))];
    let corners = behind.map(|(tint, (x, y))| (tint, position(r.x0 + x, r.y0 + y, 100)));
    fields.packet().colour(Prim::new(Shape::Triangle).gouraud(), corners);
}

fn smooth_edges(fields: &mut Fields, r: Rect) {
    for (smooth, x) in [(false, 0.0), (true, 44.0)] {
        let shape = |shape| {
            let prim = Prim::new(shape).blended();
            if smooth { prim.smooth_edges() } else { prim }
        };
        let corners = [(6.0, 66.0), (40.0, 50.0), (14.0, 26.0)];
        fields.packet().colour(shape(Shape::Triangle), corners.map(|(dx, y)| (YELLOW, at(&r, x + dx, y))));
        fields.packet().colour(shape(Shape::Line), [(GREEN, at(&r, x + 6.0, 10.0)), (GREEN, at(&r, x + 40.0, 20.0))]);
    }
}

fn fading(fields: &mut Fields, r: Rect) {
    fields.board(r, BOARD, Tex1::NEAREST);
    let clear = Rgbaq::new(20, 20, 40, 0);
    let thick = Rgbaq::new(20, 20, 40, 0x80);
    fields.canvas.gradient(Rect { y1: r.y0 + FIELD.1 * 0.5, ..r }, [clear, thick, clear, thick]);
    // The lower half has steps instead, one share for each, whatever alpha says.
    for (step, share) in [0x10, 0x30, 0x50, 0x70].into_iter().enumerate() {
        let x = r.x0 + FIELD.0 * 0.25 * step as f32;
        fields.canvas.blend(Alpha::share(share));
        fields.canvas.shade(Rect::new(x, r.y0 + FIELD.1 * 0.5, x + FIELD.0 * 0.25, r.y1), clear);
    }
}

/// Two triangles that stick into each other.
fn crossing(fields: &mut Fields, r: &Rect) {
    let corner = |x: f32, y: f32, depth: u32| position(r.x0 + x, r.y0 + y, depth);
    let one = [(RED, corner(6.0, 8.0, 1000)), (RED, corner(6.0, 70.0, 1000)), (YELLOW, corner(86.0, 40.0, 100_000))];
    let other =
        [(BLUE, corner(86.0, 8.0, 1000)), (BLUE, corner(86.0, 70.0, 1000)), (GREEN, corner(6.0, 40.0, 100_000))];
    fields.packet().colour(Prim::new(Shape::Triangle).gouraud(), one);
    fields.packet().colour(Prim::new(Shape::Triangle).gouraud(), other);
}

fn depth(fields: &mut Fields, r: Rect) {
    fields.canvas.depth(Depth::Used);
    crossing(fields, &r);
}

fn depth_kept(fields: &mut Fields, r: Rect) {
    // Nothing is written, so the later triangle covers the earlier one.
    fields.canvas.depth(Depth::Tested);
    crossing(fields, &r);
}

fn fog(fields: &mut Fields, r: Rect) {
    fields.bind(BOARD);
    fields.packet().set(FogCol::new(200, 120, 60));
    packed(fields, &r, |x, _| (x * 255.0) as u32, |_| 0);
}

fn no_draw(fields: &mut Fields, r: Rect) {
    fields.bind(BOARD_16);
    // The second triangle of the strip says that it must not be drawn.
    packed(fields, &r, |_, _| 255, |index| if index == 3 { 1 << 15 } else { 0 });
}

/// The field as a strip in the packed format: fog by place, flag by vertex.
fn packed(fields: &mut Fields, r: &Rect, fog: fn(f32, f32) -> u32, flag: fn(usize) -> u32) {
    let prim = Prim::new(Shape::TriangleStrip).gouraud().textured().fogged();
    fields.packet().packed(prim, 4, |places| {
        for (index, quads) in places.chunks_exact_mut(3).enumerate() {
            let (s, t) = ((index % 2) as f32, (index / 2) as f32);
            let place = position(r.x0 + s * FIELD.0, r.y0 + t * FIELD.1, 0).0;
            let (x, y) = (place as u32 & 0xFFFF, (place >> 16) as u32 & 0xFFFF);
            quads.copy_from_slice(&[
                Quad::floats([s, t, 1.0, 0.0]),
                Quad([0x80; 4]),
                Quad([x, y, 0, fog(s, t) << 4 | flag(index)]),
            ]);
        }
    });
}

fn scissor(fields: &mut Fields, r: Rect) {
    let edges = (r.x0 as u32 + 20, r.x0 as u32 + 70, r.y0 as u32 + 14, r.y0 as u32 + 62);
    fields.packet().set(Scissor::new(edges.0, edges.1, edges.2, edges.3));
    fan(fields, r);
    let line = [(YELLOW, at(&r, -40.0, 0.0)), (YELLOW, at(&r, 140.0, 76.0))];
    fields.packet().colour(Prim::new(Shape::Line), line);
}

fn perspective(fields: &mut Fields, r: Rect) {
    fields.bind(BOARD);
    floor(fields, &r);
}

/// From picture to picture: at 2 m the first smaller one is seen, at 4 m the second.
fn smaller(fields: &mut Fields, r: Rect) {
    fields.bind(BOARD_SMALLER);
    fields.packet().set(Tex1::by_distance(2, 0));
    floor(fields, &r);
}

fn floor(fields: &mut Fields, r: &Rect) {
    // A floor from 1 to 4 m: straight lines stay straight only when the division is the GS's.
    let corner = |s: f32, t: f32, x: f32, y: f32, q: f32| {
        let colour = Rgbaq::with_q(0x80, 0x80, 0x80, 0x80, q);
        (St::new(s * q, t * q), colour, at(r, x, y))
    };
    let (near_left, near_right) = (corner(0.0, 1.0, 2.0, 74.0, 1.0), corner(1.0, 1.0, 90.0, 74.0, 1.0));
    let (far_left, far_right) = (corner(0.0, 0.0, 35.0, 8.0, 0.25), corner(1.0, 0.0, 57.0, 8.0, 0.25));
    let ring = [near_left, near_right, far_left, near_right, far_left, far_right];
    fields.packet().perspective(Prim::new(Shape::Triangle).textured(), ring);
}
