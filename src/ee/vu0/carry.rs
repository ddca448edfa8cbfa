//! Takes many poses along with a move, as a body's bones go along with the body.

use crate::maths::Pose;

/// The definition of [`carry`], up to the last bits of roundings.
pub fn carry_scalar(by: &Pose, poses: &mut [Pose]) {
    for pose in poses {
        *pose = *by * *pose;
    }
}

/// Moves every pose by `by`, which is in the outer space.
#[cfg(not(target_arch = "mips"))]
pub fn carry(by: &Pose, poses: &mut [Pose]) {
    carry_scalar(by, poses);
}

/// Moves every pose by `by`, which is in the outer space.
#[cfg(target_arch = "mips")]
pub fn carry(by: &Pose, poses: &mut [Pose]) {
    use super::words;
    use crate::ee::encode::vu0::{Dest, Field, vadd, vmul, vmul_bc, vopmsub, vopmula, vsub_bc};
    use crate::ee::encode::{lqc2, sqc2};
    use core::mem::offset_of;

    // Vector registers: the move, a pose, and what is on its way.
    const TURN: u32 = 1;
    const MOVE: u32 = 2;
    const ROTATION: u32 = 3;
    const POSITION: u32 = 4;
    const ACROSS: u32 = 5;
    const TWICE: u32 = 6;
    const OWN: u32 = 7;
    const OTHER: u32 = 8;
    const PRODUCTS: u32 = 9;
    const TURNED: u32 = 10;
    // General registers.
    const BY: u32 = 8;
    const AT: u32 = 9;
    const ROTATION_AT: i32 = offset_of!(Pose, rotation) as i32;
    const POSITION_AT: i32 = offset_of!(Pose, position) as i32;

    for pose in poses {
        // SAFETY: loads two poses and stores the second one whole; all are 16-byte aligned by their types, and nothing but
        // VU0's registers is touched.
        unsafe {
            words!(
                [
                    lqc2(TURN, BY, ROTATION_AT),
                    lqc2(POSITION, AT, POSITION_AT),
                    lqc2(ROTATION, AT, ROTATION_AT),
                    lqc2(MOVE, BY, POSITION_AT),
                    // With the rotation's vector q and scalar w: v + 2 w (q x v) + 2 q x (q x v).
                    vopmula(TURN, POSITION),
                    vopmsub(ACROSS, POSITION, TURN),
                    vopmula(TURN, ROTATION),
                    vopmsub(TURNED, ROTATION, TURN),
                    vadd(Dest::XYZ, POSITION, POSITION, MOVE),
                    vadd(Dest::XYZ, ACROSS, ACROSS, ACROSS),
                    // The product's vector: q x r + w r + s q; its scalar: w s - q . r.
                    vmul_bc(Dest::XYZ, OWN, ROTATION, TURN, Field::W),
                    vmul_bc(Dest::XYZ, OTHER, TURN, ROTATION, Field::W),
                    vmul(Dest::XYZW, PRODUCTS, TURN, ROTATION),
                    vopmula(TURN, ACROSS),
                    vopmsub(TWICE, ACROSS, TURN),
                    vmul_bc(Dest::XYZ, ACROSS, ACROSS, TURN, Field::W),
                    vadd(Dest::XYZ, TURNED, TURNED, OWN),
                    vsub_bc(Dest::W, TURNED, PRODUCTS, PRODUCTS, Field::X),
                    vadd(Dest::XYZ, POSITION, POSITION, TWICE),
                    vadd(Dest::XYZ, TURNED, TURNED, OTHER),
                    vsub_bc(Dest::W, TURNED, TURNED, PRODUCTS, Field::Y),
                    vadd(Dest::XYZ, POSITION, POSITION, ACROSS),
                    vsub_bc(Dest::W, TURNED, TURNED, PRODUCTS, Field::Z),
                    sqc2(POSITION, AT, POSITION_AT),
                    sqc2(TURNED, AT, ROTATION_AT),
                ],
                in("$8") by,
                in("$9") pose,
                options(nostack),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::{Quat, Vec3};

    #[test]
    fn a_turn_about_the_origin_takes_places_and_rotations_along() {
        let by = Pose::new(Quat::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_2), Vec3::new(0.0, 0.0, 5.0));
        let mut poses = [Pose::new(Quat::from_axis_angle(Vec3::Z, 0.25), Vec3::new(2.0, 0.0, 1.0)); 2];
        carry(&by, &mut poses);
        for pose in poses {
            assert!((pose.position - Vec3::new(0.0, 2.0, 6.0)).length() < 1e-5, "{:?}", pose.position);
            let turned = Quat::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_2 + 0.25);
            assert!(pose.rotation.dot(turned) > 0.99999);
        }
    }
}
