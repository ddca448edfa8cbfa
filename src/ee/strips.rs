//! Copies transformed vertices into a packet, in the order of a strip, and leaves out triangles that face away.
//!
//! The GS draws a triangle for every vertex of a strip unless the vertex says not to. Which way a triangle faces is the sign
//! of its area on the picture, in whole numbers, so that neighbours never disagree.
//!
//! Source: EE facts, sections 1 and 8 (XYZF2 in the packed format).

use super::gif::Quad;
use super::vu0::transform::Transformed;
use crate::graphics::mesh::{REVERSED, SKIP, VERTEX};

/// Vertices that an index can name.
pub const NAMED: usize = VERTEX as usize + 1;
/// Quadwords of a vertex in the packet: texture coordinates, colour, place.
pub const QUADS: usize = 3;
/// In the fourth word of XYZF2: draw nothing.
pub const NO_DRAW: u32 = 1 << 15;

/// The packet's form of a vertex.
#[inline]
pub fn packed(vertex: &Transformed, draw: bool) -> [Quad; QUADS] {
    let [x, y, depth, fog] = vertex.point.map(|value| value as u32);
    let flag = if draw { 0 } else { NO_DRAW };
    [Quad::floats(vertex.texture), Quad(vertex.colour.map(|value| value as u32)), Quad([x, y, depth, fog | flag])]
}

/// True when a triangle whose corners run anticlockwise in the world is seen from its front: on the picture, whose y runs
/// downwards, its area is negative.
#[inline]
pub fn faces_front(corners: [&Transformed; 3], reversed: bool) -> bool {
    let [a, b, c] = corners.map(|corner| (corner.point[0], corner.point[1]));
    let (dx1, dy1) = (b.0.wrapping_sub(a.0), b.1.wrapping_sub(a.1));
    let (dx2, dy2) = (c.0.wrapping_sub(a.0), c.1.wrapping_sub(a.1));
    let area = (i64::from(dx1) * i64::from(dy2)).wrapping_sub(i64::from(dx2) * i64::from(dy1));
    (area < 0) != reversed
}

/// The definition of [`emit`].
pub fn emit_scalar(indices: &[u16], vertices: &[Transformed; NAMED], out: &mut [Quad], cull: bool) -> usize {
    let mut last = [&vertices[0]; 2];
    let mut drawn = 0;
    for (&index, place) in indices.iter().zip(out.chunks_exact_mut(QUADS)) {
        let vertex = &vertices[usize::from(index & VERTEX)];
        let front = faces_front([last[0], last[1], vertex], index & REVERSED != 0);
        let draw = index & SKIP == 0 && (front || !cull);
        place.copy_from_slice(&packed(vertex, draw));
        drawn += usize::from(draw);
        last = [last[1], vertex];
    }
    drawn
}

/// Writes the vertices that `indices` name to `out`, three quadwords each, and answers how many triangles they draw; without
/// `cull`, both sides of them. What has no place in `out` is left out.
#[cfg(not(target_arch = "mips"))]
pub fn emit(indices: &[u16], vertices: &[Transformed; NAMED], out: &mut [Quad], cull: bool) -> usize {
    emit_scalar(indices, vertices, out, cull)
}

/// Writes the vertices that `indices` name to `out`, three quadwords each, and answers how many triangles they draw; without
/// `cull`, both sides of them. What has no place in `out` is left out.
#[cfg(target_arch = "mips")]
pub fn emit(indices: &[u16], vertices: &[Transformed; NAMED], out: &mut [Quad], cull: bool) -> usize {
    use super::encode::mmi::{madd1, mfhi1, mult1, pcpyld, por, psubw};
    use super::encode::{lq, sq};
    use core::arch::asm;

    // General registers: the vertex, what is on its way to the packet, the point before, and the way from it to this one.
    const VERTEX_AT: u32 = 14;
    const FIRST: u32 = 10;
    const OUT: u32 = 11;
    const A: u32 = 15;
    const B: u32 = 24;
    const C: u32 = 25;
    const LAST: u32 = 2;
    const X_BEFORE: u32 = 3;
    const MINUS_Y_BEFORE: u32 = 4;
    const EDGE: u32 = 6;
    const Y: u32 = 7;
    const X: u32 = 14;

    let count = indices.len().min(out.len() / QUADS);
    if count == 0 {
        return 0;
    }
    let mut skipped: usize = 0;
    // Before a strip's first triangle there are no corners; as in the definition the first vertex stands in.
    // SAFETY: reads `count` indices, vertices within the array by their masked numbers, and writes three quadwords for each
    // index, for which there is room; all are aligned by their types. Only the registers declared are touched, and of the
    // multiplier its second half, which the compiler does not use. The loop is longer than the short-loop erratum's six
    // instructions.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat", ".set mips3",
            ".word {load_first}",
            "1:",
            "lhu $13, 0($8)",
            "addiu $8, $8, 2",
            "andi $14, $13, 0xFF",
            "sll $14, $14, 6",
            "addu $14, $14, $10",
            ".word {load_point}", ".word {load_texture}", ".word {load_colour}",
            // Twice the area, by the ways from corner to corner: x1 y2 - y1 x2.
            ".word {edge}",
            "dsra32 $7, $6, 0",
            "sll $14, $6, 0",
            ".word {first}",
            ".word {store_texture}", ".word {store_colour}",
            ".word {second}",
            "or $3, $14, $0",
            "subu $4, $0, $7",
            "or $2, $25, $0",
            // Reversed triangles have the sign turned; a sign of 0 faces away.
            "sll $24, $13, 17",
            ".word {sign}",
            "xor $15, $15, $24",
            "slt $15, $5, $15",
            "and $15, $15, $12",
            "srl $24, $13, 15",
            "or $15, $15, $24",
            "addu $16, $16, $15",
            // Into the fourth word, where the fog is.
            "dsll32 $15, $15, 15",
            ".word {to_upper_half}", ".word {mark}",
            "addiu $9, $9, -1",
            ".word {store_point}",
            "bnez $9, 1b",
            "addiu $11, $11, 48",
            ".set pop",
            load_first = const lq(LAST, FIRST, 32),
            load_texture = const lq(A, VERTEX_AT, 0),
            load_colour = const lq(B, VERTEX_AT, 16),
            load_point = const lq(C, VERTEX_AT, 32),
            store_texture = const sq(A, OUT, 0),
            store_colour = const sq(B, OUT, 16),
            store_point = const sq(C, OUT, 32),
            edge = const psubw(EDGE, C, LAST),
            first = const mult1(X_BEFORE, Y),
            second = const madd1(X, MINUS_Y_BEFORE),
            sign = const mfhi1(A),
            to_upper_half = const pcpyld(A, A, 0),
            mark = const por(C, C, A),
            inout("$8") indices.as_ptr() => _,
            inout("$9") count => _,
            in("$10") vertices.as_ptr(),
            inout("$11") out.as_mut_ptr() => _,
            in("$12") u32::from(cull),
            inout("$16") skipped,
            out("$2") _, inout("$3") 0_u32 => _, inout("$4") 0_u32 => _, in("$5") -1_i32,
            out("$6") _, out("$7") _, out("$13") _, out("$14") _, out("$15") _, out("$24") _, out("$25") _,
            options(nostack),
        );
    }
    count - skipped
}

/// How many of `count` random strips the copy and its definition write differently.
pub fn differing(count: u32) -> u32 {
    use crate::collision::scenes::Random;
    const LENGTH: usize = 24;
    let mut random = Random::new(4);
    let mut vertices = alloc::boxed::Box::new([Transformed::default(); NAMED]);
    let mut whole = |most: f32| random.range(0.0, most) as u32;
    for vertex in vertices.iter_mut() {
        // A few vertices lie in one place, so that some triangles have no area.
        let grid = 1 + whole(8000.0) as i32;
        vertex.point = [whole(65_535.0) as i32 / grid * grid, whole(65_535.0) as i32 / grid * grid, 7 << 4, 99 << 4];
        vertex.colour = [whole(255.0) as i32; 4];
        vertex.texture = [whole(9.0) as f32, 1.0, 0.5, 0.0];
    }
    let mut differing = 0;
    for round in 0..count {
        let indices: [u16; LENGTH] = core::array::from_fn(|_| {
            let flags = [0, SKIP, REVERSED, 0][whole(3.99) as usize];
            whole(255.9) as u16 | flags
        });
        let (mut fast, mut defined) = ([Quad::default(); LENGTH * QUADS], [Quad::default(); LENGTH * QUADS]);
        let cull = round % 4 != 0;
        let drawn = emit(&indices, &vertices, &mut fast, cull);
        let right = drawn == emit_scalar(&indices, &vertices, &mut defined, cull) && fast == defined;
        differing += u32::from(!right);
    }
    differing
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::boxed::Box;
    use alloc::vec;

    fn at(points: &[(i32, i32)]) -> Box<[Transformed; NAMED]> {
        let mut vertices = Box::new([Transformed::default(); NAMED]);
        for (vertex, &(x, y)) in vertices.iter_mut().zip(points) {
            vertex.point = [x, y, 7, 255 * 16];
        }
        vertices
    }

    /// A square of two triangles, seen from its front: lower left, lower right, upper left, upper right.
    const SQUARE: [(i32, i32); 4] = [(0, 160), (160, 160), (0, 0), (160, 0)];
    const STRIP: [u16; 4] = [SKIP, 1 | SKIP, 2, 3 | REVERSED];

    #[test]
    fn a_strip_seen_from_its_front_is_drawn_whole() {
        let mut out = vec![Quad::default(); 12];
        assert_eq!(emit(&STRIP, &at(&SQUARE), &mut out, true), 2);
        let flags: vec::Vec<u32> = out.chunks(3).map(|vertex| vertex[2].0[3]).collect();
        assert_eq!(flags, [(255 * 16) | NO_DRAW, (255 * 16) | NO_DRAW, 255 * 16, 255 * 16]);
    }

    #[test]
    fn a_strip_seen_from_behind_is_drawn_only_when_both_sides_show() {
        let mirrored = at(&SQUARE.map(|(x, y)| (-x, y)));
        let mut out = vec![Quad::default(); 12];
        assert_eq!(emit(&STRIP, &mirrored, &mut out, true), 0);
        assert_eq!(emit(&STRIP, &mirrored, &mut out, false), 2);
    }

    #[test]
    fn what_has_no_room_is_left_out() {
        let mut out = vec![Quad::default(); 9];
        assert_eq!(emit(&STRIP, &at(&SQUARE), &mut out, true), 1);
    }

    #[test]
    fn the_copy_and_its_definition_agree() {
        assert_eq!(differing(50), 0, "the host has the definition only");
    }
}
