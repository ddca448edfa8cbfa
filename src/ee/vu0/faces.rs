//! A moving sphere against a triangle's plane, and where it lies beside the edges there.

use super::words;
use crate::collision::Face;
use crate::ee::encode::vu0::{
    Dest, Field, VWAITQ, vadd_bc, vadda_bc, vdiv, vmadd_q, vmax_bc, vmini_bc, vmul, vmul_bc, vmul_q, vopmsub, vopmula,
    vsub, vsub_bc,
};
use crate::ee::encode::{lqc2, sqc2};
use crate::maths::Vec3;
use core::mem::{MaybeUninit, offset_of};

/// A sphere and its move, as VU0 reads them.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Moving {
    /// Centre and radius.
    sphere: [f32; 4],
    /// The move, and the least speed that is divided by.
    by: [f32; 4],
}

/// How a moving sphere comes to a triangle's plane.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub struct Touchdown {
    /// Above 0 outside the edge of that number; metres times the edge's length.
    pub edges: [f32; 3],
    /// Distance of the centre from the plane at the start, in metres.
    pub side: f32,
    /// Where the plane is touched.
    pub point: [f32; 3],
    /// Share of the move after which the plane is reached; 0 when it is already.
    pub fraction: f32,
    /// How far the move goes towards the plane in metres.
    pub depth: f32,
    unused: [f32; 3],
}

/// A sphere at `c` of radius `r` that moves by `d`, against a face with an area.
///
/// Where the move does not go towards the plane, the fraction means nothing; `depth` tells.
#[inline]
pub fn touch_down(face: &Face, c: Vec3, r: f32, d: Vec3) -> Touchdown {
    /// Below this many metres a move towards the plane is none, and its quotient not the greatest number.
    const LEAST: f32 = 1e-20;

    // Vector registers: the corners, the normal, the sphere, the move.
    const CORNER: [u32; 3] = [1, 2, 3];
    const NORMAL: u32 = 4;
    const SPHERE: u32 = 5;
    const MOVE: u32 = 6;
    // The centre's distance, the speed towards the plane, the way to it, the lesser of radius and distance.
    const SIDE: u32 = 7;
    const DEPTH: u32 = 8;
    const WAY: u32 = 9;
    const INNER: u32 = 10;
    // Outward normals of the edges, the point, and what is on its way.
    const OUT: [u32; 3] = [11, 12, 13];
    const POINT: u32 = 14;
    const APART: u32 = 15;
    const EDGE: [u32; 3] = [16, 17, 18];
    const RESULT: u32 = 19;
    // General registers.
    const FACE: u32 = 8;
    const MOVING: u32 = 9;
    const TO: u32 = 10;

    let moving = Moving { sphere: [c.x, c.y, c.z, r], by: [d.x, d.y, d.z, LEAST] };
    let mut result = MaybeUninit::<Touchdown>::uninit();
    // SAFETY: loads a face and the moving sphere and stores the result's three quadwords; all are 16-byte aligned by
    // their types, and nothing but VU0's registers is touched.
    unsafe {
        words!(
            [
                lqc2(SPHERE, MOVING, offset_of!(Moving, sphere) as i32),
                lqc2(CORNER[0], FACE, 0),
                lqc2(NORMAL, FACE, 48),
                lqc2(MOVE, MOVING, offset_of!(Moving, by) as i32),
                lqc2(CORNER[1], FACE, 16),
                lqc2(CORNER[2], FACE, 32),
                // Distance and speed: two dot products side by side.
                vsub(Dest::XYZ, APART, SPHERE, CORNER[0]),
                vmul(Dest::XYZ, DEPTH, NORMAL, MOVE),
                vmul(Dest::XYZ, SIDE, NORMAL, APART),
                vadd_bc(Dest::X, DEPTH, DEPTH, DEPTH, Field::Y),
                vadd_bc(Dest::X, SIDE, SIDE, SIDE, Field::Y),
                vadd_bc(Dest::X, DEPTH, DEPTH, DEPTH, Field::Z),
                vadd_bc(Dest::X, SIDE, SIDE, SIDE, Field::Z),
                vsub(Dest::X, DEPTH, 0, DEPTH),
                vsub_bc(Dest::X, WAY, SIDE, SPHERE, Field::W),
                vmini_bc(Dest::X, INNER, SIDE, SPHERE, Field::W),
                vmax_bc(Dest::X, WAY, WAY, 0, Field::X),
                vmax_bc(Dest::X, EDGE[0], DEPTH, MOVE, Field::W),
                vdiv(WAY, Field::X, EDGE[0], Field::X),
                // The edges' outward normals while the quotient is on its way.
                vsub(Dest::XYZ, EDGE[0], CORNER[1], CORNER[0]),
                vsub(Dest::XYZ, EDGE[1], CORNER[2], CORNER[1]),
                vsub(Dest::XYZ, EDGE[2], CORNER[0], CORNER[2]),
                vopmula(EDGE[0], NORMAL),
                vopmsub(OUT[0], NORMAL, EDGE[0]),
                vopmula(EDGE[1], NORMAL),
                vopmsub(OUT[1], NORMAL, EDGE[1]),
                vopmula(EDGE[2], NORMAL),
                vopmsub(OUT[2], NORMAL, EDGE[2]),
                // The point: along the move to the touch, and from there to the plane.
                vmul_bc(Dest::XYZ, APART, NORMAL, INNER, Field::X),
                vadda_bc(Dest::XYZ, SPHERE, 0, Field::X),
                VWAITQ,
                vmadd_q(Dest::XYZ, POINT, MOVE),
                vsub(Dest::XYZ, POINT, POINT, APART),
                vmul_q(Dest::W, POINT, 0),
                // The sides of the edges there.
                vsub(Dest::XYZ, EDGE[0], POINT, CORNER[0]),
                vsub(Dest::XYZ, EDGE[1], POINT, CORNER[1]),
                vsub(Dest::XYZ, EDGE[2], POINT, CORNER[2]),
                vmul(Dest::XYZ, OUT[0], OUT[0], EDGE[0]),
                vmul(Dest::XYZ, OUT[1], OUT[1], EDGE[1]),
                vmul(Dest::XYZ, OUT[2], OUT[2], EDGE[2]),
                vadd_bc(Dest::X, RESULT, OUT[0], OUT[0], Field::Y),
                vadd_bc(Dest::Y, RESULT, OUT[1], OUT[1], Field::X),
                vadd_bc(Dest::Z, RESULT, OUT[2], OUT[2], Field::X),
                vmul_bc(Dest::W, RESULT, 0, SIDE, Field::X),
                vadd_bc(Dest::X, RESULT, RESULT, OUT[0], Field::Z),
                vadd_bc(Dest::Y, RESULT, RESULT, OUT[1], Field::Z),
                vadd_bc(Dest::Z, RESULT, RESULT, OUT[2], Field::Y),
                sqc2(POINT, TO, offset_of!(Touchdown, point) as i32),
                sqc2(DEPTH, TO, offset_of!(Touchdown, depth) as i32),
                sqc2(RESULT, TO, 0),
            ],
            in("$8") face,
            in("$9") &moving,
            in("$10") result.as_mut_ptr(),
            options(nostack),
        );
        result.assume_init()
    }
}
