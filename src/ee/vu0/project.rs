//! Projects and fogs the vertices of a mesh.

use crate::maths::Vec3;

/// A vertex in the world with its colour, channels 0-255.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct WorldVertex {
    /// Where it is.
    pub position: Vec3,
    /// Its colour without fog, each channel in `[0, 255]`.
    pub colour: Vec3,
}

/// A vertex on the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct PictureVertex {
    /// Drawing plane coordinates with four fraction bits; outside 0-65,535 they cannot be drawn.
    pub x: i32,
    /// As `x`.
    pub y: i32,
    /// Value for the depth buffer.
    pub depth: i32,
    /// Metres in front of the eye.
    pub distance: f32,
    /// Red, green and blue of 0-255; the fourth word is meaningless.
    pub colour: [i32; 4],
}

/// What the kernel multiplies with: rows of a matrix for row vectors, and the fog.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Projection {
    /// Rows: a point `(x, y, z, 1)` times them is (plane x, plane y, depth, 1) times the distance.
    pub rows: [[f32; 4]; 4],
    /// The fog's colour, channels 0-255, and the square of the distance that leaves half, in square metres.
    pub fog: [f32; 4],
}

/// Fraction steps of the drawing plane.
const SUBPIXELS: f32 = 16.0;

/// The definition: what [`project`] computes, up to the last bit of a rounding.
pub fn project_scalar(projection: &Projection, vertices: &[WorldVertex], picture: &mut [PictureVertex]) {
    let [r0, r1, r2, r3] = &projection.rows;
    let [fog_r, fog_g, fog_b, half_squared] = projection.fog;
    for (vertex, place) in vertices.iter().zip(picture) {
        let p = vertex.position;
        let row = |i: usize| p.x * r0[i] + p.y * r1[i] + p.z * r2[i] + r3[i];
        let distance = row(3);
        let inverse = 1.0 / distance;
        let left = half_squared / (half_squared + distance * distance);
        let channel = |colour: f32, fog: f32| ((colour - fog) * left + fog) as i32;
        *place = PictureVertex {
            x: (row(0) * inverse * SUBPIXELS) as i32,
            y: (row(1) * inverse * SUBPIXELS) as i32,
            depth: (row(2) * inverse) as i32,
            distance,
            colour: [
                channel(vertex.colour.x, fog_r),
                channel(vertex.colour.y, fog_g),
                channel(vertex.colour.z, fog_b),
                0,
            ],
        };
    }
}

/// Projects `vertices` into `picture`; the shorter of the two decides how many.
#[cfg(not(target_arch = "mips"))]
pub fn project(projection: &Projection, vertices: &[WorldVertex], picture: &mut [PictureVertex]) {
    project_scalar(projection, vertices, picture);
}

/// Projects `vertices` into `picture`; the shorter of the two decides how many.
#[cfg(target_arch = "mips")]
pub fn project(projection: &Projection, vertices: &[WorldVertex], picture: &mut [PictureVertex]) {
    use crate::ee::encode::vu0::{
        Dest, Field, VWAITQ, vadd, vdiv, vftoi0, vftoi4, vmadd_bc, vmadda_bc, vmove, vmul, vmul_q, vmula_bc, vsub,
    };
    use crate::ee::encode::{lqc2, sqc2};
    use core::arch::asm;

    // Vector registers: the rows, the fog, and a vertex on its way.
    const ROW: [u32; 4] = [1, 2, 3, 4];
    const FOG: u32 = 5;
    const POSITION: u32 = 6;
    const COLOUR: u32 = 7;
    const CLIP: u32 = 8;
    const SQUARE: u32 = 9;
    const FIXED: u32 = 10;
    // General registers of the loop.
    const SOURCE: u32 = 8;
    const TARGET: u32 = 9;
    const MATRIX: u32 = 11;

    let count = vertices.len().min(picture.len());
    if count == 0 {
        return;
    }
    // SAFETY: loads `count` vertices and stores as many; all are 16-byte aligned by their types, and the loop touches
    // only VU0 and the registers declared. Its body is longer than the short-loop erratum's six instructions.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            ".word {load_row0}", ".word {load_row1}", ".word {load_row2}", ".word {load_row3}", ".word {load_fog}",
            "1:",
            ".word {load_position}", ".word {load_colour}",
            ".word {row0}", ".word {row1}", ".word {row2}", ".word {row3}",
            ".word {invert}",
            ".word {square}", ".word {less_fog}", ".word {square_plus}",
            ".word {wait}",
            ".word {to_plane}",
            ".word {share}",
            ".word {fix_xy}", ".word {fix_depth}", ".word {keep_distance}",
            ".word {wait}",
            ".word {fogged}", ".word {plus_fog}", ".word {fix_colour}",
            ".word {store_point}", ".word {store_colour}",
            "addiu $8, $8, 32",
            "addiu $10, $10, -1",
            "addiu $9, $9, 32",
            "bnez $10, 1b",
            "nop",
            ".set pop",
            load_row0 = const lqc2(ROW[0], MATRIX, 0),
            load_row1 = const lqc2(ROW[1], MATRIX, 16),
            load_row2 = const lqc2(ROW[2], MATRIX, 32),
            load_row3 = const lqc2(ROW[3], MATRIX, 48),
            load_fog = const lqc2(FOG, MATRIX, 64),
            load_position = const lqc2(POSITION, SOURCE, 0),
            load_colour = const lqc2(COLOUR, SOURCE, 16),
            row0 = const vmula_bc(Dest::XYZW, ROW[0], POSITION, Field::X),
            row1 = const vmadda_bc(Dest::XYZW, ROW[1], POSITION, Field::Y),
            row2 = const vmadda_bc(Dest::XYZW, ROW[2], POSITION, Field::Z),
            row3 = const vmadd_bc(Dest::XYZW, CLIP, ROW[3], 0, Field::W),
            invert = const vdiv(0, Field::W, CLIP, Field::W),
            square = const vmul(Dest::W, SQUARE, CLIP, CLIP),
            less_fog = const vsub(Dest::XYZ, COLOUR, COLOUR, FOG),
            square_plus = const vadd(Dest::W, SQUARE, SQUARE, FOG),
            wait = const VWAITQ,
            to_plane = const vmul_q(Dest::XYZ, CLIP, CLIP),
            share = const vdiv(FOG, Field::W, SQUARE, Field::W),
            fix_xy = const vftoi4(Dest::XY, FIXED, CLIP),
            fix_depth = const vftoi0(Dest::Z, FIXED, CLIP),
            keep_distance = const vmove(Dest::W, FIXED, CLIP),
            fogged = const vmul_q(Dest::XYZ, COLOUR, COLOUR),
            plus_fog = const vadd(Dest::XYZ, COLOUR, COLOUR, FOG),
            fix_colour = const vftoi0(Dest::XYZ, COLOUR, COLOUR),
            store_point = const sqc2(FIXED, TARGET, 0),
            store_colour = const sqc2(COLOUR, TARGET, 16),
            inout("$8") vertices.as_ptr() => _,
            inout("$9") picture.as_mut_ptr() => _,
            inout("$10") count => _,
            in("$11") projection,
            options(nostack),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECTION: Projection = Projection {
        rows: [
            [560.0, 0.0, 0.0, 0.0],
            [2048.0, 2048.0, 0.0, 1.0],
            [0.0, -560.0, 0.0, 0.0],
            [0.0, 560.0 * 1.7, 8_000_000.0, 0.0],
        ],
        fog: [40.0, 40.0, 80.0, 400.0],
    };

    #[test]
    fn a_point_straight_ahead_lands_in_the_planes_middle() {
        let vertex = WorldVertex { position: Vec3::new(0.0, 10.0, 1.7), colour: Vec3::splat(200.0) };
        let mut picture = [PictureVertex::default()];
        project(&PROJECTION, &[vertex], &mut picture);
        let point = picture[0];
        assert_eq!(point.x, 2048 * 16);
        assert!((point.y - 2048 * 16).abs() <= 1, "line {}", point.y);
        assert_eq!((point.depth, point.distance), (800_000, 10.0));
        assert_eq!(point.colour[..3], [168, 168, 176], "four fifths of it are left");
    }
}
