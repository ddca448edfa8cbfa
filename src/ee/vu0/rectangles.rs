//! Puts rectangles of the world into a packet: sprites, leaves, shadows.
//!
//! A rectangle's corners differ from its middle by two vectors, so that three points are transformed in place of four, and what
//! comes out is written where the packet has its vertices. Nothing is cut and both sides are seen: the rectangle lies before
//! the eye and within the drawing plane.
//!
//! Source: EE facts, sections 3 and 8 (XYZF2 in the packed format).

use super::transform::{Constants, Transformed, Vertex, transform_scalar};
use crate::ee::gif::Quad;
use crate::ee::strips::{self, QUADS};

/// Vertices of a rectangle: a strip of two triangles.
pub const CORNERS: usize = 4;
/// Quadwords of a rectangle in the packet.
pub const RECTANGLE_QUADS: usize = CORNERS * QUADS;

/// A rectangle of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Rectangle {
    /// Its middle, metres.
    pub centre: [f32; 3],
    /// Red, green, blue and alpha, lowest byte first.
    pub colour: u32,
    /// From the middle to the right edge; the fourth is 0.
    pub right: [f32; 4],
    /// From the middle to the upper edge; the fourth is 0.
    pub up: [f32; 4],
    /// The texture's part: left, upper, right and lower, 1.0 the whole texture.
    pub part: [f32; 4],
}

impl Rectangle {
    /// Its corners as a strip, lower left, lower right, upper left, upper right: each as shares of right and up, and its
    /// texture coordinates.
    pub fn corners(&self) -> [([f32; 3], [f32; 2]); CORNERS] {
        let [left, top, right, bottom] = self.part;
        let corner = |across: f32, upwards: f32, texture: [f32; 2]| {
            let place = |i: usize| self.centre[i] + self.right[i] * across + self.up[i] * upwards;
            (core::array::from_fn(place), texture)
        };
        [
            corner(-1.0, -1.0, [left, bottom]),
            corner(1.0, -1.0, [right, bottom]),
            corner(-1.0, 1.0, [left, top]),
            corner(1.0, 1.0, [right, top]),
        ]
    }
}

/// The definition of [`place`] for one rectangle, up to the last bits of roundings.
pub fn placed(constants: &Constants, rectangle: &Rectangle) -> [Quad; RECTANGLE_QUADS] {
    let vertices = rectangle.corners().map(|(position, texture)| Vertex {
        position,
        texture,
        colour: rectangle.colour,
        ..Vertex::default()
    });
    let mut transformed = [Transformed::default(); CORNERS];
    transform_scalar(constants, &vertices, &mut transformed);
    let mut quads = [Quad::default(); RECTANGLE_QUADS];
    for (corner, (own, place)) in transformed.iter().zip(quads.chunks_exact_mut(QUADS)).enumerate() {
        place.copy_from_slice(&strips::packed(own, corner > 1));
    }
    quads
}

/// Writes the rectangles' strips to `out`, [`RECTANGLE_QUADS`] each; texture coordinates are not scrolled. What has no place
/// is left out.
#[cfg(not(target_arch = "mips"))]
pub fn place(constants: &Constants, rectangles: &[&Rectangle], out: &mut [Quad]) {
    for (rectangle, place) in rectangles.iter().zip(out.chunks_exact_mut(RECTANGLE_QUADS)) {
        place.copy_from_slice(&placed(constants, rectangle));
    }
}

#[cfg(target_arch = "mips")]
pub use kernel::place;

#[cfg(target_arch = "mips")]
mod kernel {
    use super::{Constants, Quad, RECTANGLE_QUADS, Rectangle};
    use crate::ee::encode::mmi::{pextlb, pextlh};
    use crate::ee::encode::vu0::{
        Dest, Field, VWAITQ, vadd, vadd_bc, vadd_q, vdiv, vftoi4, vmadd_bc, vmadda_bc, vmax_bc, vmini_bc, vmul_q,
        vmula_bc, vsub,
    };
    use crate::ee::encode::{lqc2, sq, sqc2};

    // Vector registers.
    const ROW: [u32; 4] = [1, 2, 3, 4];
    const FOG: u32 = 5;
    const MARK: u32 = 6;
    const CENTRE: u32 = 7;
    const RIGHT: u32 = 8;
    const UP: u32 = 9;
    const PART: u32 = 10;
    const TEXTURE: u32 = 11;
    const LOW: u32 = 12;
    const HIGH: u32 = 13;
    const CORNER: [u32; 4] = [14, 15, 16, 17];
    const POINT: u32 = 18;
    const DIVIDED: u32 = 19;
    // General registers.
    const SOURCE: u32 = 8;
    const TARGET: u32 = 9;
    const CONSTANTS: u32 = 11;
    const BYTES: u32 = 13;
    const MARK_AT: u32 = 14;
    /// Bytes of a vertex in the packet.
    const VERTEX: i32 = 48;

    /// What a vertex that draws nothing adds to its fog: in sixteenths it is the bit that says so.
    #[repr(C, align(16))]
    struct NoDraw([f32; 4]);
    static NO_DRAW: NoDraw = NoDraw([2048.0, 0.0, 0.0, 0.0]);

    const fn fog_of(corner: u32) -> [u32; 4] {
        [
            vmula_bc(Dest::W, 0, FOG, Field::W),
            vmadd_bc(Dest::W, POINT, corner, FOG, Field::Z),
            vmini_bc(Dest::W, POINT, POINT, FOG, Field::X),
            vmax_bc(Dest::W, POINT, POINT, FOG, Field::Y),
        ]
    }

    const fn invert(corner: u32) -> u32 {
        vdiv(0, Field::W, corner, Field::W)
    }

    const fn to_plane(corner: u32) -> u32 {
        vmul_q(Dest::XYZ, POINT, corner)
    }

    const fn texture(field: Field, of: Field) -> u32 {
        let dest = match field {
            Field::X => Dest::X,
            _ => Dest::Y,
        };
        vadd_bc(dest, TEXTURE, 0, PART, of)
    }

    /// The quotient into the texture coordinates and beside them, the place into fixed point.
    const DIVIDE: [u32; 3] =
        [vmul_q(Dest::XY, DIVIDED, TEXTURE), vadd_q(Dest::Z, DIVIDED, 0), vftoi4(Dest::XYZW, POINT, POINT)];
    const MARKED: u32 = vadd_bc(Dest::W, POINT, POINT, MARK, Field::X);

    const fn store(number: i32) -> [u32; 3] {
        let at = number * VERTEX;
        [sqc2(DIVIDED, TARGET, at), sq(BYTES, TARGET, at + 16), sqc2(POINT, TARGET, at + 32)]
    }

    const FOGS: [[u32; 4]; 4] = [fog_of(CORNER[0]), fog_of(CORNER[1]), fog_of(CORNER[2]), fog_of(CORNER[3])];
    const STORES: [[u32; 3]; 4] = [store(0), store(1), store(2), store(3)];

    /// Writes the rectangles' strips to `out`, [`RECTANGLE_QUADS`] each; texture coordinates are not scrolled. What has no
    /// place is left out.
    pub fn place(constants: &Constants, rectangles: &[&Rectangle], out: &mut [Quad]) {
        for (rectangle, place) in rectangles.iter().zip(out.chunks_exact_mut(RECTANGLE_QUADS)) {
            // SAFETY: loads a rectangle, the constants and the mark, and stores the quadwords of `place`; all are 16-byte
            // aligned by their types. Only VU0 and the registers declared are touched.
            unsafe {
                super::super::words!(
                    [
                        lqc2(ROW[0], CONSTANTS, 0),
                        lqc2(CENTRE, SOURCE, 0),
                        lqc2(ROW[1], CONSTANTS, 16),
                        lqc2(RIGHT, SOURCE, 16),
                        lqc2(ROW[2], CONSTANTS, 32),
                        lqc2(UP, SOURCE, 32),
                        lqc2(ROW[3], CONSTANTS, 48),
                        vmula_bc(Dest::XYZW, ROW[0], RIGHT, Field::X),
                        vmadda_bc(Dest::XYZW, ROW[1], RIGHT, Field::Y),
                        vmadd_bc(Dest::XYZW, RIGHT, ROW[2], RIGHT, Field::Z),
                        vmula_bc(Dest::XYZW, ROW[0], UP, Field::X),
                        vmadda_bc(Dest::XYZW, ROW[1], UP, Field::Y),
                        vmadd_bc(Dest::XYZW, UP, ROW[2], UP, Field::Z),
                        vmula_bc(Dest::XYZW, ROW[0], CENTRE, Field::X),
                        vmadda_bc(Dest::XYZW, ROW[1], CENTRE, Field::Y),
                        vmadda_bc(Dest::XYZW, ROW[2], CENTRE, Field::Z),
                        vmadd_bc(Dest::XYZW, CENTRE, ROW[3], 0, Field::W),
                        lqc2(FOG, CONSTANTS, 64),
                        lqc2(PART, SOURCE, 48),
                        lqc2(MARK, MARK_AT, 0),
                        vsub(Dest::XYZW, LOW, CENTRE, UP),
                        vadd(Dest::XYZW, HIGH, CENTRE, UP),
                        vsub(Dest::XYZW, CORNER[0], LOW, RIGHT),
                        vadd(Dest::XYZW, CORNER[1], LOW, RIGHT),
                        vsub(Dest::XYZW, CORNER[2], HIGH, RIGHT),
                        vadd(Dest::XYZW, CORNER[3], HIGH, RIGHT),
                        // Lower left.
                        invert(CORNER[0]),
                        pextlb(BYTES, 0, BYTES),
                        texture(Field::X, Field::X),
                        texture(Field::Y, Field::W),
                        FOGS[0][0],
                        FOGS[0][1],
                        FOGS[0][2],
                        FOGS[0][3],
                        MARKED,
                        pextlh(BYTES, 0, BYTES),
                        VWAITQ,
                        to_plane(CORNER[0]),
                        DIVIDE[0],
                        DIVIDE[1],
                        DIVIDE[2],
                        // Lower right.
                        invert(CORNER[1]),
                        STORES[0][0],
                        STORES[0][1],
                        STORES[0][2],
                        texture(Field::X, Field::Z),
                        FOGS[1][0],
                        FOGS[1][1],
                        FOGS[1][2],
                        FOGS[1][3],
                        MARKED,
                        VWAITQ,
                        to_plane(CORNER[1]),
                        DIVIDE[0],
                        DIVIDE[1],
                        DIVIDE[2],
                        // Upper right.
                        invert(CORNER[3]),
                        STORES[1][0],
                        STORES[1][1],
                        STORES[1][2],
                        texture(Field::Y, Field::Y),
                        FOGS[3][0],
                        FOGS[3][1],
                        FOGS[3][2],
                        FOGS[3][3],
                        VWAITQ,
                        to_plane(CORNER[3]),
                        DIVIDE[0],
                        DIVIDE[1],
                        DIVIDE[2],
                        // Upper left.
                        invert(CORNER[2]),
                        STORES[3][0],
                        STORES[3][1],
                        STORES[3][2],
                        texture(Field::X, Field::X),
                        FOGS[2][0],
                        FOGS[2][1],
                        FOGS[2][2],
                        FOGS[2][3],
                        VWAITQ,
                        to_plane(CORNER[2]),
                        DIVIDE[0],
                        DIVIDE[1],
                        DIVIDE[2],
                        STORES[2][0],
                        STORES[2][1],
                        STORES[2][2],
                    ],
                    in("$8") *rectangle,
                    in("$9") place.as_mut_ptr(),
                    in("$11") constants,
                    inout("$13") rectangle.colour => _,
                    in("$14") &NO_DRAW,
                    options(nostack),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ee::strips::NO_DRAW;

    #[test]
    fn a_rectangle_is_a_strip_of_two_triangles_with_its_part_of_the_texture() {
        let rows = [[100.0, 0.0, 0.0, 0.0], [2048.0, 2048.0, 0.0, 1.0], [0.0, -100.0, 0.0, 0.0], [0.0; 4]];
        let constants = Constants { rows, fog: [255.0, 55.0, -1.0, 300.0], scroll: [0.0; 4] };
        let rectangle = Rectangle {
            centre: [0.0, 10.0, 0.0],
            colour: 0x8040_2010,
            right: [2.0, 0.0, 0.0, 0.0],
            up: [0.0, 0.0, 1.0, 0.0],
            part: [0.25, 0.5, 0.75, 1.0],
        };
        let mut out = [Quad::default(); 2 * RECTANGLE_QUADS - 1];
        place(&constants, &[&rectangle, &rectangle], &mut out);
        assert!(out[RECTANGLE_QUADS..].iter().all(|quad| *quad == Quad::default()), "the second has no place");
        let corner = |number: usize| {
            let [texture, colour, point] = [0, 1, 2].map(|quad| out[number * QUADS + quad]);
            assert_eq!(colour.0, [0x10, 0x20, 0x40, 0x80]);
            let [s, t, q, _] = texture.to_floats();
            let [x, y, _, fog] = point.0;
            ((s / q, t / q), (x / 16, y / 16), fog & NO_DRAW != 0)
        };
        assert_eq!(corner(0), ((0.25, 1.0), (2028, 2058), true));
        assert_eq!(corner(1), ((0.75, 1.0), (2068, 2058), true));
        assert_eq!(corner(2), ((0.25, 0.5), (2028, 2038), false));
        assert_eq!(corner(3), ((0.75, 0.5), (2068, 2038), false));
    }
}
