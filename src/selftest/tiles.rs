//! What the GS is to draw for the self-test: a row of tiles, each of which shows one thing.
//!
//! The first ones come out the same on every GS to the last bit, so each pixel is known. The soft ones interpolate, where the last
//! bits are the GS's own: their CRC is compared with the emulator's software renderer's, and one that differs is a fact.
//!
//! Source: EE facts, sections 10 and 11

use crate::ee::gif::{Line, Packet};
use crate::ee::gs::PixelFormat;
use crate::ee::gs::general::{
    Alpha, BitBltBuf, DepthTest, FogCol, Frame, Prim, Rgbaq, Scissor, Shape, St, Test, Tex0, Tex1, TexFlush, Uv,
    XyOffset, Xyz2, ZBuf,
};
use crate::ee::gs::memory::{BLOCKS_PER_PAGE, DEPTH};
use crate::graphics::canvas::set_modes;
use crate::graphics::texture::stored_at;
use alloc::boxed::Box;
use alloc::vec;

/// Pixels in a row of a tile, and its rows: a page of the GS's memory.
pub const WIDTH: u32 = 64;
/// See [`WIDTH`].
pub const HEIGHT: u32 = 32;
/// Tiles whose every pixel is known.
pub const EXACT: u32 = 10;
/// Tiles whose last bits are the GS's own.
pub const SOFT: u32 = 4;
/// All tiles.
pub const TILES: u32 = EXACT + SOFT;

/// The tiles lie where the depth buffer is, which nobody uses meanwhile; textures and depth of their own lie behind.
const TEXTURE_PAGE: u32 = DEPTH + 32;
const BYTES_PAGE: u32 = DEPTH + 34;
const NIBBLES_PAGE: u32 = DEPTH + 38;
const PALETTE_PAGE: u32 = DEPTH + 42;
const DEPTH_PAGE: u32 = DEPTH + 48;
/// Bytes of a [`Line`] and words in it.
const LINE_BYTES: u32 = 64;

const GROUND: u32 = 0x8020_4060;
const LIGHT: u32 = 0x80E0_B070;
/// Half transparent.
const GLASS: u32 = 0x40F0_10A0;
/// Bits that the masked tile must not write.
const MASK: u32 = 0x80FF_0F00;
/// What the scissored tile leaves open: columns and rows, inclusive.
const OPEN: [u32; 4] = [8, 40, 4, 20];
const NEAR: u32 = 1_000;
const FAR: u32 = 500;
/// CRCs of the soft tiles as the emulator's software renderer draws them.
pub const SOFT_CRCS: [u32; SOFT as usize] = [0x1DB6_8361, 0x2F7F_3531, 0x896D_FE6E, 0x8A26_4F33];

/// The page of a tile.
pub const fn page(tile: u32) -> u32 {
    DEPTH + tile
}

/// Where a tile is read from.
pub const fn block(tile: u32) -> u32 {
    page(tile) * BLOCKS_PER_PAGE
}

/// A pixel of the random picture.
fn noise(x: u32, y: u32) -> u32 {
    let mixed = (x + y * WIDTH + 1).wrapping_mul(0x9E37_79B9);
    (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA6B) ^ mixed >> 9
}

/// A colour of the palettes.
fn shade(index: u32) -> u32 {
    noise(index, 77)
}

/// The pictures that are uploaded, in main memory.
pub struct Pictures {
    noise: Box<[Line]>,
    bytes: Box<[Line]>,
    nibbles: Box<[Line]>,
    palette: Box<[Line]>,
    small_palette: Box<[Line]>,
}

impl Default for Pictures {
    fn default() -> Self {
        let mut palette = lines(256 * 4, |_| 0);
        for index in 0..256 {
            put(&mut palette, stored_at(index as usize), shade(index));
        }
        Self {
            noise: lines(WIDTH * HEIGHT * 4, |word| noise(word % WIDTH, word / WIDTH)),
            bytes: lines(WIDTH * HEIGHT, |word| packed(word, 4, 8)),
            nibbles: lines(WIDTH * HEIGHT / 2, |word| packed(word, 8, 4)),
            palette,
            small_palette: lines(16 * 4, shade),
        }
    }
}

/// Memory of some bytes, word by word.
fn lines(bytes: u32, word: impl Fn(u32) -> u32) -> Box<[Line]> {
    let mut lines = vec![Line::default(); bytes.div_ceil(LINE_BYTES) as usize].into_boxed_slice();
    for index in 0..bytes / 4 {
        put(&mut lines, index as usize, word(index));
    }
    lines
}

fn put(lines: &mut [Line], index: usize, value: u32) {
    if let Some(line) = lines.get_mut(index / 16) {
        line.0[index % 16 / 4].0[index % 4] = value;
    }
}

/// A word of `count` texels of `bits` bits each, out of the random picture.
fn packed(word: u32, count: u32, bits: u32) -> u32 {
    (0..count).fold(0, |packed, place| {
        let texel = word * count + place;
        let value = noise(texel % WIDTH, texel / WIDTH) & ((1 << bits) - 1);
        packed | value << (place * bits)
    })
}

/// Uploads what the tiles are made of, and the tiles that are pictures themselves.
pub fn upload<'a>(packet: &mut Packet<'a>, pictures: &'a Pictures) {
    let whole = (WIDTH, HEIGHT);
    for page in [page(0), page(5), TEXTURE_PAGE] {
        packet.upload(BitBltBuf::upload(page * BLOCKS_PER_PAGE, WIDTH, PixelFormat::Ct32), whole, &pictures.noise);
    }
    let (bytes, nibbles) = (BYTES_PAGE * BLOCKS_PER_PAGE, NIBBLES_PAGE * BLOCKS_PER_PAGE);
    packet.upload(BitBltBuf::upload(bytes, 2 * WIDTH, PixelFormat::T8), whole, &pictures.bytes);
    packet.upload(BitBltBuf::upload(nibbles, 2 * WIDTH, PixelFormat::T4), whole, &pictures.nibbles);
    let palettes = PALETTE_PAGE * BLOCKS_PER_PAGE;
    packet.upload(BitBltBuf::upload(palettes, WIDTH, PixelFormat::Ct32), (16, 16), &pictures.palette);
    packet.upload(BitBltBuf::upload(palettes + 4, WIDTH, PixelFormat::Ct32), (8, 2), &pictures.small_palette);
}

const fn colour(word: u32) -> Rgbaq {
    let [red, green, blue, alpha] = word.to_le_bytes();
    Rgbaq::new(red, green, blue, alpha)
}

/// A position in pixels.
const fn at(x: u32, y: u32, depth: u32) -> Xyz2 {
    Xyz2::new((x * 16) as u16, (y * 16) as u16, depth)
}

/// A rectangle of one colour from `(x0, y0)` to before `(x1, y1)`.
fn rect(packet: &mut Packet, prim: Prim, corners: [u32; 4], depth: u32, word: u32) {
    let [x0, y0, x1, y1] = corners;
    packet.colour(prim, [(colour(word), at(x0, y0, depth)), (colour(word), at(x1, y1, depth))]);
}

const SPRITE: Prim = Prim::new(Shape::Sprite);
const ALL: [u32; 4] = [0, 0, WIDTH, HEIGHT];
/// A channel that a texture's is multiplied by without a change.
const PLAIN: u32 = 0x8080_8080;

/// Draws a tile; [`upload`] comes before.
pub fn draw(packet: &mut Packet, tile: u32) {
    begin(packet, tile);
    match tile {
        1 => rect(packet, SPRITE, ALL, 0, LIGHT),
        2 => {
            rect(packet, SPRITE, ALL, 0, GROUND);
            for row in 0..HEIGHT {
                packet.colour(Prim::new(Shape::Point), [(colour(noise(row, 5)), at(point(row), row, 0))]);
            }
        }
        3 => {
            rect(packet, SPRITE, ALL, 0, GROUND);
            let [x0, x1, y0, y1] = OPEN;
            packet.set(Scissor::new(x0, x1, y0, y1));
            rect(packet, SPRITE, ALL, 0, LIGHT);
        }
        4 => {
            rect(packet, SPRITE, ALL, 0, GROUND);
            packet.set(Frame(Frame::new(page(tile), WIDTH).0 | u64::from(MASK) << 32));
            rect(packet, SPRITE, ALL, 0, LIGHT);
        }
        5 => rect(packet, SPRITE.blended(), ALL, 0, GLASS),
        6 => {
            packet.set(ZBuf::new(DEPTH_PAGE));
            rect(packet, SPRITE, ALL, 0, GROUND);
            rect(packet, SPRITE, [0, 0, WIDTH / 2, HEIGHT], NEAR, LIGHT);
            packet.set(Test::depth(DepthTest::GreaterOrEqual));
            rect(packet, SPRITE, ALL, FAR, GLASS);
        }
        7 => textured(packet, texture(), (0, 0), (WIDTH * 16, HEIGHT * 16)),
        8 => {
            let (texels, palette) = (BYTES_PAGE * BLOCKS_PER_PAGE, PALETTE_PAGE * BLOCKS_PER_PAGE);
            let tex0 = Tex0::new(texels, 2 * WIDTH, PixelFormat::T8, LOG2).palette(palette);
            textured(packet, tex0, (0, 0), (WIDTH * 16, HEIGHT * 16));
        }
        9 => {
            let (texels, palette) = (NIBBLES_PAGE * BLOCKS_PER_PAGE, PALETTE_PAGE * BLOCKS_PER_PAGE + 4);
            let tex0 = Tex0::new(texels, 2 * WIDTH, PixelFormat::T4, LOG2).palette(palette);
            textured(packet, tex0, (0, 0), (WIDTH * 16, HEIGHT * 16));
        }
        10 => {
            rect(packet, SPRITE, ALL, 0, GROUND);
            let corners = [(LIGHT, 3, 1), (GLASS, 61, 9), (0x8010_F020, 20, 31)];
            packet.colour(Prim::new(Shape::Triangle).gouraud(), corners.map(|(c, x, y)| (colour(c), at(x, y, 0))));
        }
        11 => {
            packet.set(Tex1::BILINEAR);
            textured(packet, texture(), (40, 24), (300, 200));
        }
        12 => {
            rect(packet, SPRITE, ALL, 0, GROUND);
            packet.set(texture());
            let corner = |s: f32, t: f32, distance: f32, x: u32, y: u32| {
                let q = 1.0 / distance;
                let white = Rgbaq::with_q(0x80, 0x80, 0x80, 0x80, q);
                (St::new(s * q, t * q), white, at(x, y, 0))
            };
            let corners = [corner(0.0, 0.0, 1.0, 2, 1), corner(1.0, 0.0, 4.0, 60, 8), corner(0.0, 1.0, 2.0, 10, 30)];
            packet.perspective(Prim::new(Shape::Triangle).textured(), corners);
        }
        13 => {
            rect(packet, SPRITE, ALL, 0, GROUND);
            packet.set(FogCol::new(0x90, 0x30, 0x20));
            for step in 0..8 {
                let ends = [(colour(LIGHT), at(step * 9, 0, 0)), (colour(GLASS), at(63 - step * 5, 31, 0))];
                packet.colour(Prim::new(Shape::Line).gouraud().smooth_edges().blended(), ends);
            }
        }
        // The first tile is its upload.
        _ => {}
    }
}

/// Log2 of the textures' sides.
const LOG2: (u32, u32) = (WIDTH.ilog2(), HEIGHT.ilog2());

const fn texture() -> Tex0 {
    Tex0::new(TEXTURE_PAGE * BLOCKS_PER_PAGE, WIDTH, PixelFormat::Ct32, LOG2)
}

/// Fills the tile with a texture; coordinates in sixteenths of a texel, half a texel in.
fn textured(packet: &mut Packet, tex0: Tex0, from: (u32, u32), to: (u32, u32)) {
    const PRIM: Prim = Prim::new(Shape::Sprite).textured().texel_coordinates();
    let uv = |(u, v): (u32, u32)| Uv::new((u + 8) as u16, (v + 8) as u16);
    packet.set(tex0);
    let corners = [(colour(PLAIN), uv(from), at(0, 0, 0)), (colour(PLAIN), uv(to), at(WIDTH, HEIGHT, 0))];
    packet.texels(PRIM, corners);
}

/// Sets every register that a tile depends on.
fn begin(packet: &mut Packet, tile: u32) {
    set_modes(packet);
    packet.set(Frame::new(page(tile), WIDTH));
    packet.set(XyOffset::new(0, 0));
    packet.set(Scissor::new(0, WIDTH - 1, 0, HEIGHT - 1));
    packet.set(Tex1::NEAREST);
    packet.set(Alpha::OVER);
    packet.set(ZBuf::new(DEPTH_PAGE).read_only());
    packet.set(Test::depth(DepthTest::Always));
    packet.set(TexFlush(0));
}

/// The column of the point in a row.
const fn point(row: u32) -> u32 {
    row * 7 % WIDTH
}

/// A channel of the half transparent colour over another.
fn over(source: u8, below: u8, alpha: u8) -> u8 {
    let (source, below, alpha) = (i32::from(source), i32::from(below), i32::from(alpha));
    ((((source - below) * alpha) >> 7) + below).clamp(0, 255) as u8
}

/// The pixel of an exact tile.
pub fn expected(tile: u32, x: u32, y: u32) -> u32 {
    let inside = |open: [u32; 4]| (open[0]..=open[1]).contains(&x) && (open[2]..=open[3]).contains(&y);
    match tile {
        0 | 7 => noise(x, y),
        1 => LIGHT,
        2 if x == point(y) => noise(y, 5),
        3 if inside(OPEN) => LIGHT,
        4 => GROUND & MASK | LIGHT & !MASK,
        5 => {
            let ([r, g, b, alpha], [below_r, below_g, below_b, _]) = (GLASS.to_le_bytes(), noise(x, y).to_le_bytes());
            u32::from_le_bytes([over(r, below_r, alpha), over(g, below_g, alpha), over(b, below_b, alpha), alpha])
        }
        6 if x < WIDTH / 2 => LIGHT,
        6 => GLASS,
        8 => shade(noise(x, y) & 0xFF),
        9 => shade(noise(x, y) & 0xF),
        _ => GROUND,
    }
}

/// Whether a tile that was read back is as it must be.
pub fn is_right(tile: u32, pixels: &[Line]) -> bool {
    let words = pixels.iter().flat_map(|line| line.0).flat_map(|quad| quad.0);
    let all = (0..WIDTH * HEIGHT).map(|pixel| expected(tile, pixel % WIDTH, pixel / WIDTH));
    all.eq(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_right_pixel_by_pixel() {
        let mut pixels = lines(WIDTH * HEIGHT * 4, |word| expected(3, word % WIDTH, word / WIDTH));
        assert!(is_right(3, &pixels) && !is_right(1, &pixels));
        put(&mut pixels, 700, 1);
        assert!(!is_right(3, &pixels));
        assert!(!is_right(3, &pixels[1..]));
    }

    #[test]
    fn half_transparent_lies_between() {
        assert_eq!([over(0xFF, 0, 0x40), over(0, 0xFF, 0x40), over(7, 7, 0x40)], [127, 127, 7]);
    }

    #[test]
    fn every_tile_fits_a_packet() {
        let pictures = Pictures::default();
        let mut memory = vec![Line::default(); 2048];
        let mut packet = Packet::new(&mut memory);
        upload(&mut packet, &pictures);
        (0..TILES).for_each(|tile| draw(&mut packet, tile));
        assert_eq!(packet.dropped(), 0);
    }
}
