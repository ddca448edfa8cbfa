//! A moving sphere against a triangle's plane, and where it lies beside the edges there.

use super::words;
use crate::collision::Face;
use crate::ee::encode::vu0::{
    Dest, Field, VWAITQ, qmtc2, vadd_bc, vadda_bc, vdiv, vmadd_q, vmax_bc, vmini_bc, vmul, vmul_bc, vmul_q, vopmsub,
    vopmula, vsub, vsub_bc,
};
use crate::ee::encode::{lqc2, sqc2};
use crate::maths::Vec3;
use core::mem::{MaybeUninit, offset_of};

/// How a moving sphere comes to a triangle's plane.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Touchdown {
    /// The most of how far the touch lies outside of an edge, above 0 outside; metres times that edge's length.
    pub outside: f32,
    /// How far the move goes towards the plane in metres.
    pub depth: f32,
    unused: f32,
    /// Distance of the centre from the plane at the start, in metres.
    pub side: f32,
    /// Where the plane is touched.
    pub point: [f32; 3],
    /// Share of the move after which the plane is reached; 0 when it is already.
    pub fraction: f32,
}

/// A sphere at `c` of radius `r` that moves by `d`, against a face with an area.
///
/// Where the move does not go towards the plane, the fraction means nothing; `depth` tells.
#[inline]
pub fn touch_down(face: &Face, c: &Vec3, r: f32, d: &Vec3) -> Touchdown {
    /// Below this many metres a move towards the plane is none, and its quotient not the greatest number.
    const LEAST: f32 = 1e-20;

    // Vector registers: the corners, the normal, the centre, the radius, the move.
    const CORNER: [u32; 3] = [1, 2, 3];
    const NORMAL: u32 = 4;
    const CENTRE: u32 = 5;
    const RADIUS: u32 = 6;
    const MOVE: u32 = 7;
    // The centre's distance, the speed towards the plane, the way to it, the lesser of radius and distance.
    const SIDE: u32 = 8;
    const DEPTH: u32 = 9;
    const WAY: u32 = 10;
    const INNER: u32 = 11;
    // Outward normals of the edges, the point, and what is on its way.
    const OUT: [u32; 3] = [12, 13, 14];
    const POINT: u32 = 15;
    const APART: u32 = 16;
    const EDGE: [u32; 3] = [17, 18, 19];
    const RESULT: u32 = 20;
    const SPEED: u32 = 21;
    // General registers.
    const FACE: u32 = 8;
    const AT: u32 = 9;
    const BY: u32 = 10;
    const WIDE: u32 = 11;
    const TO: u32 = 12;
    const SLOW: u32 = 13;

    let mut result = MaybeUninit::<Touchdown>::uninit();
    // SAFETY: loads a face, a centre and a move and stores the result's two quadwords; all are 16-byte aligned by their
    // types, and nothing but VU0's registers is touched.
    unsafe {
        words!(
            [
                lqc2(CENTRE, AT, 0),
                lqc2(CORNER[0], FACE, 0),
                lqc2(NORMAL, FACE, 48),
                lqc2(MOVE, BY, 0),
                lqc2(CORNER[1], FACE, 16),
                lqc2(CORNER[2], FACE, 32),
                qmtc2(WIDE, RADIUS),
                qmtc2(SLOW, SPEED),
                // Distance and speed: two dot products side by side.
                vsub(Dest::XYZ, APART, CENTRE, CORNER[0]),
                vmul(Dest::XYZ, DEPTH, NORMAL, MOVE),
                vmul(Dest::XYZ, SIDE, NORMAL, APART),
                vadd_bc(Dest::X, DEPTH, DEPTH, DEPTH, Field::Y),
                vadd_bc(Dest::X, SIDE, SIDE, SIDE, Field::Y),
                vadd_bc(Dest::X, DEPTH, DEPTH, DEPTH, Field::Z),
                vadd_bc(Dest::X, SIDE, SIDE, SIDE, Field::Z),
                vsub(Dest::X, DEPTH, 0, DEPTH),
                vsub_bc(Dest::X, WAY, SIDE, RADIUS, Field::X),
                vmini_bc(Dest::X, INNER, SIDE, RADIUS, Field::X),
                vmax_bc(Dest::X, WAY, WAY, 0, Field::X),
                vmax_bc(Dest::X, SPEED, DEPTH, SPEED, Field::X),
                vdiv(WAY, Field::X, SPEED, Field::X),
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
                vadda_bc(Dest::XYZ, CENTRE, 0, Field::X),
                VWAITQ,
                vmadd_q(Dest::XYZ, POINT, MOVE),
                vmul_q(Dest::W, POINT, 0),
                vsub(Dest::XYZ, POINT, POINT, APART),
                // The sides of the edges there.
                vsub(Dest::XYZ, EDGE[0], POINT, CORNER[0]),
                vsub(Dest::XYZ, EDGE[1], POINT, CORNER[1]),
                vsub(Dest::XYZ, EDGE[2], POINT, CORNER[2]),
                vmul(Dest::XYZ, OUT[0], OUT[0], EDGE[0]),
                vmul(Dest::XYZ, OUT[1], OUT[1], EDGE[1]),
                vmul(Dest::XYZ, OUT[2], OUT[2], EDGE[2]),
                sqc2(POINT, TO, offset_of!(Touchdown, point) as i32),
                vadd_bc(Dest::X, OUT[0], OUT[0], OUT[0], Field::Y),
                vadd_bc(Dest::X, OUT[1], OUT[1], OUT[1], Field::Y),
                vadd_bc(Dest::X, OUT[2], OUT[2], OUT[2], Field::Y),
                vmul_bc(Dest::W, RESULT, 0, SIDE, Field::X),
                vadd_bc(Dest::X, OUT[0], OUT[0], OUT[0], Field::Z),
                vadd_bc(Dest::X, OUT[1], OUT[1], OUT[1], Field::Z),
                vadd_bc(Dest::X, OUT[2], OUT[2], OUT[2], Field::Z),
                vadd_bc(Dest::Y, RESULT, 0, DEPTH, Field::X),
                vmax_bc(Dest::X, OUT[0], OUT[0], OUT[1], Field::X),
                vmax_bc(Dest::X, RESULT, OUT[0], OUT[2], Field::X),
                sqc2(RESULT, TO, 0),
            ],
            in("$8") face,
            in("$9") c,
            in("$10") d,
            in("$11") r.to_bits(),
            in("$12") result.as_mut_ptr(),
            in("$13") LEAST.to_bits(),
            options(nostack),
        );
        result.assume_init()
    }
}
