//! Points and boxes taken along with a pose, and the turn of a spinning body.

use super::words;
use crate::ee::encode::vu0::{
    Dest, Field, VWAITQ, vadd, vadd_bc, vmr32, vmul, vmul_bc, vmul_q, vopmsub, vopmula, vrsqrt, vsub, vsub_bc,
};
use crate::ee::encode::{lqc2, sqc2};
use crate::maths::{Pose, Quat, Vec3};
use core::mem::{MaybeUninit, offset_of};

// Vector registers of a pose.
const ROTATION: u32 = 1;
const POSITION: u32 = 2;
/// Offset of an axis in an array of vectors.
const EACH: i32 = size_of::<Vec3>() as i32;

/// A local point in the outer space.
#[inline]
pub fn point(pose: &Pose, local: Vec3) -> Vec3 {
    const LOCAL: u32 = 3;
    const ACROSS: u32 = 4;
    const TURNED: u32 = 5;
    const POSE: u32 = 8;
    const AT: u32 = 9;
    const TO: u32 = 10;

    let mut result = MaybeUninit::<Vec3>::uninit();
    // SAFETY: loads a pose and a point and stores the whole of a point; all are 16-byte aligned by their types, and
    // nothing but VU0's registers is touched.
    unsafe {
        words!(
            [
                lqc2(ROTATION, POSE, offset_of!(Pose, rotation) as i32),
                lqc2(LOCAL, AT, 0),
                lqc2(POSITION, POSE, offset_of!(Pose, position) as i32),
                // With the rotation's vector q and scalar w: v + 2 w (q x v) + 2 q x (q x v).
                vopmula(ROTATION, LOCAL),
                vopmsub(ACROSS, LOCAL, ROTATION),
                vadd(Dest::XYZ, POSITION, POSITION, LOCAL),
                vadd(Dest::XYZ, ACROSS, ACROSS, ACROSS),
                vopmula(ROTATION, ACROSS),
                vopmsub(TURNED, ACROSS, ROTATION),
                vmul_bc(Dest::XYZ, ACROSS, ACROSS, ROTATION, Field::W),
                vadd(Dest::XYZ, TURNED, TURNED, ACROSS),
                vadd(Dest::XYZ, TURNED, TURNED, POSITION),
                sqc2(TURNED, TO, 0),
            ],
            in("$8") pose,
            in("$9") &local,
            in("$10") result.as_mut_ptr(),
            options(nostack),
        );
        result.assume_init()
    }
}

/// The three rotated axes of a pose.
#[inline]
pub fn axes(pose: &Pose) -> [Vec3; 3] {
    const UNIT: [u32; 3] = [3, 4, 5];
    const ACROSS: [u32; 3] = [6, 7, 8];
    const TURNED: [u32; 3] = [9, 10, 11];
    const POSE: u32 = 8;
    const TO: u32 = 10;

    let mut result = MaybeUninit::<[Vec3; 3]>::uninit();
    // SAFETY: loads a rotation and stores three vectors; all are 16-byte aligned by their types, and nothing but VU0's
    // registers is touched.
    unsafe {
        words!(
            [
                lqc2(ROTATION, POSE, offset_of!(Pose, rotation) as i32),
                // The constant (0, 0, 0, 1) turned field by field: z, y, x.
                vmr32(Dest::XYZW, UNIT[2], 0),
                vmr32(Dest::XYZW, UNIT[1], UNIT[2]),
                vmr32(Dest::XYZW, UNIT[0], UNIT[1]),
                // As in `point`, three vectors side by side.
                vopmula(ROTATION, UNIT[0]),
                vopmsub(ACROSS[0], UNIT[0], ROTATION),
                vopmula(ROTATION, UNIT[1]),
                vopmsub(ACROSS[1], UNIT[1], ROTATION),
                vopmula(ROTATION, UNIT[2]),
                vopmsub(ACROSS[2], UNIT[2], ROTATION),
                vadd(Dest::XYZ, ACROSS[0], ACROSS[0], ACROSS[0]),
                vadd(Dest::XYZ, ACROSS[1], ACROSS[1], ACROSS[1]),
                vadd(Dest::XYZ, ACROSS[2], ACROSS[2], ACROSS[2]),
                vopmula(ROTATION, ACROSS[0]),
                vopmsub(TURNED[0], ACROSS[0], ROTATION),
                vopmula(ROTATION, ACROSS[1]),
                vopmsub(TURNED[1], ACROSS[1], ROTATION),
                vopmula(ROTATION, ACROSS[2]),
                vopmsub(TURNED[2], ACROSS[2], ROTATION),
                vmul_bc(Dest::XYZ, ACROSS[0], ACROSS[0], ROTATION, Field::W),
                vmul_bc(Dest::XYZ, ACROSS[1], ACROSS[1], ROTATION, Field::W),
                vmul_bc(Dest::XYZ, ACROSS[2], ACROSS[2], ROTATION, Field::W),
                vadd(Dest::XYZ, TURNED[0], TURNED[0], ACROSS[0]),
                vadd(Dest::XYZ, TURNED[1], TURNED[1], ACROSS[1]),
                vadd(Dest::XYZ, TURNED[2], TURNED[2], ACROSS[2]),
                vadd(Dest::XYZ, TURNED[0], TURNED[0], UNIT[0]),
                vadd(Dest::XYZ, TURNED[1], TURNED[1], UNIT[1]),
                vadd(Dest::XYZ, TURNED[2], TURNED[2], UNIT[2]),
                sqc2(TURNED[0], TO, 0),
                sqc2(TURNED[1], TO, EACH),
                sqc2(TURNED[2], TO, 2 * EACH),
            ],
            in("$8") pose,
            in("$10") result.as_mut_ptr(),
            options(nostack),
        );
        result.assume_init()
    }
}

/// A step's result, and the square of its length before it was made a unit.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Turned {
    /// The rotation; all zero when there was none before.
    pub rotation: Quat,
    /// Squared length that it had.
    pub squared: f32,
    unused: [f32; 3],
}

/// One step of an angular velocity in rad/s, `half_dt` being half the step in seconds.
#[inline]
pub fn integrate(rotation: Quat, spin: Vec3, half_dt: f32) -> Turned {
    // Vector registers: the spin, the step, and the product on its way.
    const SPIN: u32 = 2;
    const STEP: u32 = 3;
    const PRODUCT: u32 = 4;
    const SCALED: u32 = 5;
    const SUM: u32 = 6;
    const ZERO: u32 = 7;
    // General registers.
    const FROM: u32 = 8;
    const BY: u32 = 9;
    const OVER: u32 = 10;
    const TO: u32 = 11;

    let step = Vec3::splat(half_dt);
    let mut result = MaybeUninit::<Turned>::uninit();
    // SAFETY: loads three quadwords and stores the result's two; all are 16-byte aligned by their types, and nothing
    // but VU0's registers is touched.
    unsafe {
        words!(
            [
                lqc2(ROTATION, FROM, 0),
                lqc2(SPIN, BY, 0),
                lqc2(STEP, OVER, 0),
                vsub(Dest::XYZW, ZERO, 0, 0),
                // The vector part of spin times turn: a cross product and the spin times w; the scalar part: minus a dot
                // product.
                vopmula(SPIN, ROTATION),
                vopmsub(PRODUCT, ROTATION, SPIN),
                vmul_bc(Dest::XYZ, SCALED, SPIN, ROTATION, Field::W),
                vmul(Dest::XYZ, SUM, SPIN, ROTATION),
                vadd(Dest::XYZ, PRODUCT, PRODUCT, SCALED),
                vadd_bc(Dest::X, SUM, SUM, SUM, Field::Y),
                vadd_bc(Dest::X, SUM, SUM, SUM, Field::Z),
                vsub_bc(Dest::W, PRODUCT, ZERO, SUM, Field::X),
                vmul_bc(Dest::XYZW, PRODUCT, PRODUCT, STEP, Field::X),
                vadd(Dest::XYZW, ROTATION, ROTATION, PRODUCT),
                vmul(Dest::XYZW, SUM, ROTATION, ROTATION),
                vadd_bc(Dest::X, SUM, SUM, SUM, Field::Y),
                vadd_bc(Dest::X, SUM, SUM, SUM, Field::Z),
                vadd_bc(Dest::X, SUM, SUM, SUM, Field::W),
                vrsqrt(0, Field::W, SUM, Field::X),
                sqc2(SUM, TO, offset_of!(Turned, squared) as i32),
                VWAITQ,
                vmul_q(Dest::XYZW, ROTATION, ROTATION),
                sqc2(ROTATION, TO, offset_of!(Turned, rotation) as i32),
            ],
            in("$8") &rotation,
            in("$9") &spin,
            in("$10") &step,
            in("$11") result.as_mut_ptr(),
            options(nostack),
        );
        result.assume_init()
    }
}
