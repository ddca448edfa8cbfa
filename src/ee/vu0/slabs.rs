//! A ray against an oriented box, slab by slab.

use super::words;
use crate::ee::encode::vu0::{Dest, Field, VWAITQ, vadd_bc, vdiv, vmax, vmax_bc, vmini, vmini_bc, vmul, vmul_q, vsub};
use crate::ee::encode::{lqc2, sqc2};
use crate::maths::Vec3;
use crate::physics::shapes::OrientedBox;
use core::mem::{MaybeUninit, offset_of};

/// A ray in a box's own frame, and when it is between the slabs.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub struct Clipped {
    /// Origin in the box's frame in metres.
    pub origin: Vec3,
    /// Its way there.
    pub way: Vec3,
    /// Latest entry, from 0 on; meaningless where the way has no part along an axis.
    pub enter: f32,
    /// Earliest exit, up to 1; meaningless where `enter` is.
    pub exit: f32,
    unused: [f32; 2],
}

/// Clips `o + t d` against a box's three slabs.
#[inline]
pub fn clip(o: Vec3, d: Vec3, b: &OrientedBox) -> Clipped {
    /// Offset of an axis in a box.
    const fn axis(number: i32) -> i32 {
        offset_of!(OrientedBox, axes) as i32 + number * size_of::<Vec3>() as i32
    }
    // Vector registers: the box, the ray, and both in the box's frame.
    const AXIS: [u32; 3] = [1, 2, 3];
    const HALF: u32 = 4;
    const FROM: u32 = 5;
    const WAY: u32 = 6;
    const LOCAL: u32 = 7;
    const LOCAL_WAY: u32 = 8;
    const PART: [u32; 3] = [9, 10, 11];
    // Times of the near and the far faces.
    const NEAR: u32 = 12;
    const FAR: u32 = 13;
    const FIRST: u32 = 14;
    const LAST: u32 = 15;
    // General registers.
    const BOX: u32 = 8;
    const ORIGIN: u32 = 9;
    const BY: u32 = 10;
    const TO: u32 = 11;

    let mut result = MaybeUninit::<Clipped>::uninit();
    // SAFETY: loads a box, an origin and a way and stores the result's three quadwords; all are 16-byte aligned by
    // their types, and nothing but VU0's registers is touched.
    unsafe {
        words!(
            [
                lqc2(FROM, ORIGIN, 0),
                lqc2(NEAR, BOX, offset_of!(OrientedBox, centre) as i32),
                lqc2(AXIS[0], BOX, axis(0)),
                lqc2(AXIS[1], BOX, axis(1)),
                lqc2(AXIS[2], BOX, axis(2)),
                lqc2(WAY, BY, 0),
                lqc2(HALF, BOX, offset_of!(OrientedBox, half) as i32),
                vsub(Dest::XYZ, FROM, FROM, NEAR),
                // The way along each axis.
                vmul(Dest::XYZ, PART[0], WAY, AXIS[0]),
                vmul(Dest::XYZ, PART[1], WAY, AXIS[1]),
                vmul(Dest::XYZ, PART[2], WAY, AXIS[2]),
                vadd_bc(Dest::X, LOCAL_WAY, PART[0], PART[0], Field::Y),
                vadd_bc(Dest::Y, LOCAL_WAY, PART[1], PART[1], Field::X),
                vadd_bc(Dest::Z, LOCAL_WAY, PART[2], PART[2], Field::X),
                vadd_bc(Dest::X, LOCAL_WAY, LOCAL_WAY, PART[0], Field::Z),
                vadd_bc(Dest::Y, LOCAL_WAY, LOCAL_WAY, PART[1], Field::Z),
                vadd_bc(Dest::Z, LOCAL_WAY, LOCAL_WAY, PART[2], Field::Y),
                vdiv(0, Field::W, LOCAL_WAY, Field::X),
                // The origin along each axis, while the first quotient is on its way.
                vmul(Dest::XYZ, PART[0], FROM, AXIS[0]),
                vmul(Dest::XYZ, PART[1], FROM, AXIS[1]),
                vmul(Dest::XYZ, PART[2], FROM, AXIS[2]),
                vadd_bc(Dest::X, LOCAL, PART[0], PART[0], Field::Y),
                vadd_bc(Dest::Y, LOCAL, PART[1], PART[1], Field::X),
                vadd_bc(Dest::Z, LOCAL, PART[2], PART[2], Field::X),
                vadd_bc(Dest::X, LOCAL, LOCAL, PART[0], Field::Z),
                vadd_bc(Dest::Y, LOCAL, LOCAL, PART[1], Field::Z),
                vadd_bc(Dest::Z, LOCAL, LOCAL, PART[2], Field::Y),
                vsub(Dest::XYZ, NEAR, 0, HALF),
                vsub(Dest::XYZ, FAR, HALF, LOCAL),
                vsub(Dest::XYZ, NEAR, NEAR, LOCAL),
                VWAITQ,
                vmul_q(Dest::X, NEAR, NEAR),
                vmul_q(Dest::X, FAR, FAR),
                vdiv(0, Field::W, LOCAL_WAY, Field::Y),
                sqc2(LOCAL, TO, offset_of!(Clipped, origin) as i32),
                sqc2(LOCAL_WAY, TO, offset_of!(Clipped, way) as i32),
                VWAITQ,
                vmul_q(Dest::Y, NEAR, NEAR),
                vmul_q(Dest::Y, FAR, FAR),
                vdiv(0, Field::W, LOCAL_WAY, Field::Z),
                VWAITQ,
                vmul_q(Dest::Z, NEAR, NEAR),
                vmul_q(Dest::Z, FAR, FAR),
                // The latest entry from 0 on, the earliest exit up to 1.
                vmini(Dest::XYZ, FIRST, NEAR, FAR),
                vmax(Dest::XYZ, LAST, NEAR, FAR),
                vmax_bc(Dest::X, FIRST, FIRST, FIRST, Field::Y),
                vmini_bc(Dest::Y, LAST, LAST, LAST, Field::X),
                vmax_bc(Dest::X, FIRST, FIRST, FIRST, Field::Z),
                vmini_bc(Dest::Y, LAST, LAST, LAST, Field::Z),
                vmax_bc(Dest::X, FIRST, FIRST, 0, Field::X),
                vmini_bc(Dest::Y, FIRST, LAST, 0, Field::W),
                sqc2(FIRST, TO, offset_of!(Clipped, enter) as i32),
            ],
            in("$8") b,
            in("$9") &o,
            in("$10") &d,
            in("$11") result.as_mut_ptr(),
            options(nostack),
        );
        result.assume_init()
    }
}
