//! How far two upright boxes are apart.

use super::words;
use crate::ee::encode::vu0::{Dest, Field, vmax, vmax_bc, vsub};
use crate::ee::encode::{lqc2, sqc2};
use crate::physics::aabb::Aabb;
use core::mem::{MaybeUninit, offset_of};

/// The greatest gap between two boxes over the axes in metres, 0 or less when they share a point. Along x only the gap
/// of a box that lies before the other counts.
#[inline]
pub fn gap_before(own: &Aabb, other: &Aabb) -> f32 {
    // Vector registers: the ends of both, and the gaps.
    const OWN_MIN: u32 = 1;
    const OWN_MAX: u32 = 2;
    const OTHER_MIN: u32 = 3;
    const OTHER_MAX: u32 = 4;
    const BEFORE: u32 = 5;
    const BEHIND: u32 = 6;
    // General registers.
    const OWN: u32 = 8;
    const OTHER: u32 = 9;
    const TO: u32 = 10;
    const MIN: i32 = offset_of!(Aabb, min) as i32;
    const MAX: i32 = offset_of!(Aabb, max) as i32;

    #[repr(C, align(16))]
    struct Gap([f32; 4]);
    let mut result = MaybeUninit::<Gap>::uninit();
    // SAFETY: loads two boxes and stores the result's one quadword; all are 16-byte aligned by their types, and nothing
    // but VU0's registers is touched.
    unsafe {
        words!(
            [
                lqc2(OTHER_MIN, OTHER, MIN),
                lqc2(OWN_MAX, OWN, MAX),
                lqc2(OWN_MIN, OWN, MIN),
                lqc2(OTHER_MAX, OTHER, MAX),
                vsub(Dest::XYZ, BEFORE, OTHER_MIN, OWN_MAX),
                vsub(Dest::XYZ, BEHIND, OWN_MIN, OTHER_MAX),
                vmax_bc(Dest::X, BEHIND, BEFORE, BEFORE, Field::Y),
                vmax(Dest::Z, BEFORE, BEFORE, BEHIND),
                vmax_bc(Dest::X, BEHIND, BEHIND, BEHIND, Field::Y),
                vmax_bc(Dest::X, BEHIND, BEHIND, BEFORE, Field::Z),
                sqc2(BEHIND, TO, 0),
            ],
            in("$8") own,
            in("$9") other,
            in("$10") result.as_mut_ptr(),
            options(nostack),
        );
        result.assume_init().0[0]
    }
}
