//! Primitives and pixels, a register at a time.

use super::doubt::Doubt;
use super::gif::Order;
use super::memory::{Format, PAGE_BLOCKS, Surface};
use super::state::number;
use super::*;
use boardwalk::ee::gif::Quad;

const FRAME: Surface = Surface { base: 0, width: 1, format: Format::Ct32 };
const DEPTH: Surface = Surface { base: 2 * PAGE_BLOCKS, width: 1, format: Format::Z24 };
/// Nothing is compared, depth is written.
const NO_TESTS: u64 = 1 << 16 | 1 << 17;
/// Primitives and attributes of PRIM.
const POINT: u64 = 0;
const LINE: u64 = 1;
const TRIANGLE: u64 = 3;
const STRIP: u64 = 4;
const FAN: u64 = 5;
const SPRITE: u64 = 6;
const GOURAUD: u64 = 1 << 3;
const TEXTURED: u64 = 1 << 4;
const FOGGED: u64 = 1 << 5;
const BLENDED: u64 = 1 << 6;
const TEXELS: u64 = 1 << 8;
/// Blends by adding the source, whatever its alpha: A 0, B zero, C FIX, D the frame.
const ADD: u64 = 2 << 2 | 2 << 4 | 1 << 6 | 0x80 << 32;

/// A frame of 64 by 64 with depth behind it, black, everything set that drawing needs.
fn ready() -> Synthesizer {
    let mut gs = Synthesizer::new();
    for (register, value) in [
        (number::PRMODECONT, 1),
        (number::SCANMSK, 0),
        (number::XYOFFSET, 0),
        (number::SCISSOR, 63 << 16 | 63 << 48),
        (number::TEST, NO_TESTS),
        (number::FBA, 0),
        (number::FRAME, 1 << 16),
        (number::ZBUF, 2 | 1 << 24),
        (number::COLCLAMP, 1),
        (number::PABE, 0),
    ] {
        gs.write(register, value);
    }
    draw(&mut gs, SPRITE, &[(0, 0, 0), (64 * 16, 64 * 16, 0)], 0);
    gs
}

/// Draws vertices of places with four fraction bits and of a colour each, all at one depth.
fn draw(gs: &mut Synthesizer, prim: u64, vertices: &[(u64, u64, u64)], depth: u64) {
    gs.write(number::PRIM, prim);
    for (x, y, colour) in vertices {
        gs.write(number::RGBAQ, *colour | u64::from(1.0_f32.to_bits()) << 32);
        gs.write(number::XYZ2, x | y << 16 | depth << 32);
    }
}

fn at(gs: &Synthesizer, x: u32, y: u32) -> u32 {
    gs.memory.read(&FRAME, x, y)
}

/// Pixels that are not black.
fn lit(gs: &Synthesizer) -> Vec<(u32, u32)> {
    let all = (0..64).flat_map(|y| (0..64).map(move |x| (x, y)));
    all.filter(|(x, y)| at(gs, *x, *y) & 0xFF_FFFF != 0).collect()
}

fn doubts(gs: &Synthesizer) -> Vec<Doubt> {
    gs.doubts.iter().map(|(doubt, _)| *doubt).collect()
}

#[test]
fn a_rectangle_has_its_left_and_upper_edge_and_not_the_others() {
    let mut gs = ready();
    draw(&mut gs, SPRITE, &[(2 * 16, 3 * 16, 1), (4 * 16, 5 * 16, 0x80_0000_00FF)], 0);
    assert_eq!(lit(&gs), [(2, 3), (3, 3), (2, 4), (3, 4)]);
    assert_eq!(at(&gs, 2, 3), 0xFF, "its colour is the second corner's");
    let mut gs = ready();
    draw(&mut gs, SPRITE, &[(2 * 16 + 1, 3 * 16, 1), (4 * 16 + 1, 4 * 16, 1)], 0);
    assert_eq!(lit(&gs), [(3, 3), (4, 3)], "a pixel counts by its corner");
    assert!(gs.doubts.is_empty());
}

#[test]
fn triangles_that_share_an_edge_share_no_pixel_and_leave_none_out() {
    let mut gs = ready();
    gs.write(number::ALPHA, ADD);
    let (a, b, c, d) = ((33, 17, 1), (801, 90, 1), (120, 700, 1), (900, 930, 1));
    draw(&mut gs, STRIP | BLENDED, &[a, b, c, d], 0);
    let values: Vec<u32> = lit(&gs).iter().map(|(x, y)| at(&gs, *x, *y) & 0xFF).collect();
    assert!(values.len() > 1000 && values.iter().all(|value| *value == 1), "{} pixels", values.len());
    let mut other = ready();
    other.write(number::ALPHA, ADD);
    draw(&mut other, FAN | BLENDED, &[c, a, b, d], 0);
    assert_eq!(lit(&other), lit(&gs), "in another order the same");
}

#[test]
fn colours_run_between_vertices_or_are_the_last_ones() {
    let corners = [(0, 0, 0), (32 * 16, 0, 64), (0, 32 * 16, 64)];
    let mut gs = ready();
    draw(&mut gs, TRIANGLE | GOURAUD, &corners, 0);
    assert_eq!((at(&gs, 0, 0), at(&gs, 8, 0), at(&gs, 4, 12)), (0, 16, 32));
    let mut gs = ready();
    draw(&mut gs, TRIANGLE, &corners, 0);
    assert_eq!((at(&gs, 0, 0), at(&gs, 8, 0)), (64, 64));
}

#[test]
fn lines_leave_their_last_pixel_out_and_points_are_one() {
    let mut gs = ready();
    draw(&mut gs, LINE, &[(16, 16, 1), (4 * 16, 2 * 16, 1)], 0);
    assert_eq!(lit(&gs), [(1, 1), (2, 1), (3, 1)]);
    let mut gs = ready();
    draw(&mut gs, POINT, &[(5 * 16 + 15, 6 * 16, 1)], 0);
    assert_eq!(lit(&gs), [(5, 6)]);
}

#[test]
fn the_scissor_is_inclusive_and_the_window_begins_at_its_corner() {
    let mut gs = ready();
    gs.write(number::XYOFFSET, (1000 * 16) | ((2000 * 16) << 32));
    gs.write(number::SCISSOR, 3 | 4 << 16 | 3 << 32 | 3 << 48);
    draw(&mut gs, SPRITE, &[(1000 * 16, 2000 * 16, 1), (1063 * 16, 2063 * 16, 1)], 0);
    assert_eq!(lit(&gs), [(3, 3), (4, 3)]);
}

#[test]
fn the_nearer_pixel_stays() {
    let mut gs = ready();
    gs.write(number::TEST, 1 << 16 | 2 << 17);
    let square = |colour| [(0, 0, colour), (16, 16, colour)];
    for (depth, colour, seen) in [(5, 1, 1), (4, 2, 1), (5, 3, 3), (6, 4, 4)] {
        draw(&mut gs, SPRITE, &square(colour), depth);
        assert_eq!(at(&gs, 0, 0), seen);
    }
    assert_eq!(gs.memory.read(&DEPTH, 0, 0), 6);
    gs.write(number::ZBUF, 2 | 1 << 24 | 1 << 32);
    draw(&mut gs, SPRITE, &square(5), 7);
    assert_eq!((at(&gs, 0, 0), gs.memory.read(&DEPTH, 0, 0)), (5, 6), "tested, not written");
    draw(&mut gs, SPRITE, &square(5), 1 << 24);
    gs.write(number::ZBUF, 2 | 1 << 24);
    draw(&mut gs, SPRITE, &square(5), 1 << 24);
    assert_eq!(doubts(&gs), [Doubt::TooDeep]);
}

#[test]
fn what_fails_the_alpha_test_writes_what_the_register_says() {
    for (failed, colour, depth) in [(0, 0, 0), (1, 0x3F00_0001, 0), (2, 0, 9), (3, 1, 0)] {
        let mut gs = ready();
        // Alpha of at least 0x40.
        gs.write(number::TEST, NO_TESTS | 1 | 5 << 1 | 0x40 << 4 | failed << 12);
        draw(&mut gs, SPRITE, &[(0, 0, 0), (16, 16, 0x3F00_0001)], 9);
        assert_eq!((at(&gs, 0, 0), gs.memory.read(&DEPTH, 0, 0)), (colour, depth), "{failed}");
        draw(&mut gs, SPRITE, &[(0, 0, 0), (16, 16, 0x4000_0002)], 9);
        assert_eq!((at(&gs, 0, 0), gs.memory.read(&DEPTH, 0, 0)), (0x4000_0002, 9));
    }
}

#[test]
fn blending_mixes_any_terms_and_stops_or_wraps() {
    const OVER: u64 = 0x44;
    let mixed = |alpha: u64, clamp: u64, under: u64, over: u64| {
        let mut gs = ready();
        draw(&mut gs, SPRITE, &[(0, 0, 0), (16, 16, under)], 0);
        gs.write(number::ALPHA, alpha);
        gs.write(number::COLCLAMP, clamp);
        draw(&mut gs, SPRITE | BLENDED, &[(0, 0, 0), (16, 16, over)], 0);
        at(&gs, 0, 0) & 0xFF
    };
    assert_eq!(mixed(OVER, 1, 100, 200 | 0x40 << 24), 150);
    assert_eq!(mixed(ADD, 1, 100, 200), 255);
    assert_eq!(mixed(ADD, 0, 100, 200), 44, "without a stop colours begin anew");
    assert_eq!(mixed(0x42, 1, 100, 200 | 0x80 << 24), 0, "less than nothing is nothing");
    // (frame - source) * frame's alpha + source.
    assert_eq!(mixed(1 | 1 << 4, 1, 100 | 0x20 << 24, 200), 175);
}

#[test]
fn the_top_bit_of_alpha_may_switch_blending_and_masked_bits_stay() {
    let mut gs = ready();
    gs.write(number::ALPHA, ADD);
    gs.write(number::PABE, 1);
    let one = |alpha: u64| [(0, 0, 0), (16, 16, alpha << 24 | 1)];
    for (alpha, red) in [(0x80, 1), (0x80, 2), (0x7F, 1)] {
        draw(&mut gs, SPRITE | BLENDED, &one(alpha), 0);
        assert_eq!(at(&gs, 0, 0) & 0xFF, red);
    }
    gs.write(number::FRAME, 1 << 16 | 0xFF00_00FF << 32);
    draw(&mut gs, SPRITE, &[(0, 0, 0), (16, 16, 0x4455_6677)], 0);
    assert_eq!(at(&gs, 0, 0), 0x7F55_6601);
    gs.write(number::FRAME, 1 << 16);
    gs.write(number::FBA, 1);
    draw(&mut gs, SPRITE, &[(0, 0, 0), (16, 16, 1)], 0);
    assert_eq!(at(&gs, 0, 0), 0x8000_0001);
}

#[test]
fn fog_mixes_by_the_vertex() {
    let mut gs = ready();
    gs.write(number::FOGCOL, 0xFF);
    gs.write(number::PRIM, SPRITE | FOGGED);
    gs.write(number::RGBAQ, 0x80 << 8);
    gs.write(number::XYZF2, 0);
    gs.write(number::XYZF2, 16 | 16 << 16 | 128 << 56);
    assert_eq!(at(&gs, 0, 0) & 0xFFFF, 127 | 64 << 8);
}

#[test]
fn frames_of_sixteen_bits_are_dithered_by_place() {
    let mut gs = ready();
    gs.write(number::FRAME, 1 << 16 | 2 << 24);
    gs.write(number::ZBUF, 2 | 2 << 24);
    gs.write(number::DTHE, 1);
    gs.write(number::DIMX, 7);
    draw(&mut gs, SPRITE, &[(0, 0, 0), (32, 16, 0x80_0808)], 0);
    let frame = Surface { format: Format::Ct16, ..FRAME };
    assert_eq!((gs.memory.read(&frame, 0, 0), gs.memory.read(&frame, 1, 0)), (15 << 10, 16 << 10 | 1 << 5 | 1));
}

/// Sends 8 by 2 pixels of 32 bits to block 128.
fn upload(gs: &mut Synthesizer, quads: u32) {
    gs.write(number::BITBLTBUF, 128 << 32 | 1 << 48);
    gs.write(number::TRXPOS, 0);
    gs.write(number::TRXREG, 8 | 2 << 32);
    gs.write(number::TRXDIR, 0);
    (0..quads).for_each(|quad| gs.take(Order::Pixels(Quad([quad * 4, quad * 4 + 1, quad * 4 + 2, quad * 4 + 3]))));
}

/// Selects it as a texture.
fn bind(gs: &mut Synthesizer) {
    gs.write(number::TEX0, 128 | 1 << 14 | 3 << 26 | 1 << 30 | 1 << 34 | 1 << 35);
    gs.write(number::TEX1, 1);
    gs.write(number::CLAMP, 0);
}

fn draw_texture(gs: &mut Synthesizer) {
    gs.write(number::PRIM, SPRITE | TEXTURED | TEXELS);
    gs.write(number::RGBAQ, 0x8080_8080);
    const END: u64 = (8 * 16) | ((2 * 16) << 16);
    for (place, texel) in [(0, 0), (END, END)] {
        gs.write(number::UV, texel);
        gs.write(number::XYZ2, place);
    }
}

#[test]
fn a_texture_is_drawn_as_it_was_sent() {
    let mut gs = ready();
    upload(&mut gs, 4);
    gs.write(number::TEXFLUSH, 0);
    bind(&mut gs);
    draw_texture(&mut gs);
    assert_eq!([(0, 0), (7, 0), (0, 1), (7, 1)].map(|(x, y)| at(&gs, x, y)), [0, 7, 8, 15]);
    assert!(gs.doubts.is_empty(), "{:?}", gs.doubts);
}

#[test]
fn memory_is_copied_within_and_between_formats() {
    let mut gs = ready();
    upload(&mut gs, 4);
    // To block 0 as 24 bits: what was in the upper eight stays.
    gs.memory.write(&FRAME, 1, 1, 0xAA00_0000);
    gs.write(number::BITBLTBUF, 128 | 1 << 16 | 1 << 48 | 1 << 56);
    gs.write(number::TRXPOS, 1 << 32 | 1 << 48);
    gs.write(number::TRXDIR, 2);
    assert_eq!((at(&gs, 1, 1), at(&gs, 8, 2) & 0xFF_FFFF), (0xAA00_0000, 15));
}

#[test]
fn pixels_of_24_bits_lie_across_quadwords() {
    let mut gs = ready();
    gs.write(number::BITBLTBUF, 1 << 48 | 1 << 56);
    gs.write(number::TRXPOS, 0);
    gs.write(number::TRXREG, 16 | 1 << 32);
    gs.write(number::TRXDIR, 0);
    let bytes: [u8; 48] = std::array::from_fn(|at| at as u8);
    for quad in bytes.chunks(16) {
        let word = |at: usize| u32::from_le_bytes([quad[at], quad[at + 1], quad[at + 2], quad[at + 3]]);
        gs.take(Order::Pixels(Quad([word(0), word(4), word(8), word(12)])));
    }
    assert_eq!([0, 5, 15].map(|x| at(&gs, x, 0) & 0xFF_FFFF), [0x02_0100, 0x11_100F, 0x2F_2E2D]);
    assert!(gs.doubts.is_empty(), "{:?}", gs.doubts);
}

#[test]
fn what_the_documents_forbid_is_doubted() {
    let mut gs = ready();
    upload(&mut gs, 3);
    bind(&mut gs);
    draw_texture(&mut gs);
    assert_eq!(doubts(&gs), [Doubt::NotFlushed, Doubt::TooFewPixels]);
    let mut gs = ready();
    upload(&mut gs, 5);
    gs.write(number::TEXFLUSH, 0);
    bind(&mut gs);
    gs.write(number::FRAME, 4 | 1 << 16);
    draw_texture(&mut gs);
    gs.write(number::TEST, 0);
    draw(&mut gs, SPRITE, &[], 0);
    draw(&mut gs, SPRITE, &[(0, 0, 0), (16, 16, 0)], 0);
    assert_eq!(doubts(&gs), [Doubt::DepthOff, Doubt::Overlap, Doubt::TooManyPixels]);
}
