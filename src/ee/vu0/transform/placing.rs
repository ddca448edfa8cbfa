//! From where a thing is to what the kernels compute with: its matrix, and the directions to its lights.
//!
//! A person has up to thirty-four of them in a frame, so this is a kernel as well.

use super::Directions;
use crate::maths::{Pose, Vec3};

/// What a camera makes of the world: the matrix of a thing that stands in its eye, turned as the world is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Lens {
    /// Rows of the matrix, see [`Constants::rows`](super::Constants::rows).
    pub rows: [[f32; 4]; 4],
    /// Where the eye is.
    pub eye: Vec3,
}

/// A thing as the kernels see it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Placed {
    /// Rows of its matrix, see [`Constants::rows`](super::Constants::rows).
    pub rows: [[f32; 4]; 4],
    /// The directions to its lights.
    pub directions: Directions,
}

/// The definition of [`place`], up to the last bits of roundings.
pub fn place_scalar(lens: &Lens, lights: &Directions, pose: &Pose) -> Placed {
    let turn = pose.rotation;
    let axes = [turn.axis_x(), turn.axis_y(), turn.axis_z()];
    let sum = |rows: &[[f32; 4]], by: Vec3| -> [f32; 4] {
        core::array::from_fn(|i| by.x * rows[0][i] + by.y * rows[1][i] + by.z * rows[2][i])
    };
    let [x, y, z] = axes.map(|axis| sum(&lens.rows, axis));
    let mut origin = sum(&lens.rows, pose.position - lens.eye);
    origin.iter_mut().zip(lens.rows[3]).for_each(|(value, more)| *value += more);
    let [sun_x, sun_y, sun_z, _] = lights.sun;
    let [a, b, c] = axes.map(|axis| axis.dot(Vec3::new(sun_x, sun_y, sun_z)));
    Placed {
        rows: [x, y, z, origin],
        directions: Directions { lamps: axes.map(|axis| sum(&lights.lamps, axis)), sun: [a, b, c, 0.0] },
    }
}

/// The definition of [`mix`], up to the last bits of roundings.
pub fn mix_scalar(a: &Placed, b: &Placed, share: f32) -> Placed {
    let between = |a: [f32; 4], b: [f32; 4]| core::array::from_fn(|i| a[i] + (b[i] - a[i]) * share);
    let (lamps, others) = (&a.directions.lamps, &b.directions.lamps);
    Placed {
        rows: core::array::from_fn(|row| between(a.rows[row], b.rows[row])),
        directions: Directions {
            lamps: core::array::from_fn(|row| between(lamps[row], others[row])),
            sun: between(a.directions.sun, b.directions.sun),
        },
    }
}

/// A thing at `pose` through a lens, in a light whose directions are the world's.
#[cfg(not(target_arch = "mips"))]
pub fn place(lens: &Lens, lights: &Directions, pose: &Pose) -> Placed {
    place_scalar(lens, lights, pose)
}

/// Something `share` of the way from one to another.
#[cfg(not(target_arch = "mips"))]
pub fn mix(a: &Placed, b: &Placed, share: f32) -> Placed {
    mix_scalar(a, b, share)
}

#[cfg(target_arch = "mips")]
pub use kernels::{mix, place};

#[cfg(target_arch = "mips")]
mod kernels {
    use super::super::super::words;
    use super::{Directions, Lens, Placed};
    use crate::ee::encode::vu0::{
        Dest, Field, vadd, vadd_bc, vmadd_bc, vmadda_bc, vmr32, vmul, vmul_bc, vmula_bc, vopmsub, vopmula, vsub,
    };
    use crate::ee::encode::{lqc2, sqc2};
    use crate::maths::Pose;
    use core::mem::{MaybeUninit, offset_of};

    // General registers.
    const TO: u32 = 10;

    /// `by.x`, `by.y` and `by.z` times three vectors, the last product with the sum into `to`.
    const fn sum(to: u32, of: [u32; 3], by: u32) -> [u32; 3] {
        [
            vmula_bc(Dest::XYZW, of[0], by, Field::X),
            vmadda_bc(Dest::XYZW, of[1], by, Field::Y),
            vmadd_bc(Dest::XYZW, to, of[2], by, Field::Z),
        ]
    }

    /// Two fields of a vector added to a third one, which is kept in the same field of `to`.
    const fn gather(dest: Dest, to: u32, from: u32, others: [Field; 2]) -> [u32; 2] {
        [vadd_bc(dest, to, from, from, others[0]), vadd_bc(dest, to, to, from, others[1])]
    }

    /// A thing at `pose` through a lens, in a light whose directions are the world's.
    pub fn place(lens: &Lens, lights: &Directions, pose: &Pose) -> Placed {
        // Vector registers.
        const ROTATION: u32 = 1;
        const POSITION: u32 = 2;
        const UNIT: [u32; 3] = [3, 4, 5];
        const ACROSS: [u32; 3] = [6, 7, 8];
        const AXIS: [u32; 3] = [9, 10, 11];
        const ROW: [u32; 3] = [12, 13, 14];
        const LAST: u32 = 15;
        const EYE: u32 = 16;
        const LAMPS: [u32; 3] = [17, 18, 19];
        const SUN: u32 = 20;
        const OUT: [u32; 4] = [21, 22, 23, 24];
        const LIT: [u32; 3] = [25, 26, 27];
        const PARTS: [u32; 3] = [28, 29, 30];
        const TURNED_SUN: u32 = 31;
        // General registers.
        const POSE: u32 = 8;
        const LENS: u32 = 9;
        const LIGHTS: u32 = 11;

        const ROWS: [[u32; 3]; 3] = [sum(OUT[0], ROW, AXIS[0]), sum(OUT[1], ROW, AXIS[1]), sum(OUT[2], ROW, AXIS[2])];
        const LIGHT: [[u32; 3]; 3] =
            [sum(LIT[0], LAMPS, AXIS[0]), sum(LIT[1], LAMPS, AXIS[1]), sum(LIT[2], LAMPS, AXIS[2])];
        const SUNS: [[u32; 2]; 3] = [
            gather(Dest::X, TURNED_SUN, PARTS[0], [Field::Y, Field::Z]),
            gather(Dest::Y, TURNED_SUN, PARTS[1], [Field::X, Field::Z]),
            gather(Dest::Z, TURNED_SUN, PARTS[2], [Field::X, Field::Y]),
        ];
        const DIRECTIONS: i32 = offset_of!(Placed, directions) as i32;

        let mut result = MaybeUninit::<Placed>::uninit();
        // SAFETY: loads a pose, a lens and directions and stores the whole of the result; all are 16-byte aligned by their
        // types, and nothing but VU0's registers is touched.
        unsafe {
            words!(
                [
                    lqc2(ROTATION, POSE, offset_of!(Pose, rotation) as i32),
                    // The constant (0, 0, 0, 1) turned field by field: z, y, x.
                    vmr32(Dest::XYZW, UNIT[2], 0),
                    vmr32(Dest::XYZW, UNIT[1], UNIT[2]),
                    vmr32(Dest::XYZW, UNIT[0], UNIT[1]),
                    // With the rotation's vector q and scalar w: v + 2 w (q x v) + 2 q x (q x v).
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
                    vopmsub(AXIS[0], ACROSS[0], ROTATION),
                    vopmula(ROTATION, ACROSS[1]),
                    vopmsub(AXIS[1], ACROSS[1], ROTATION),
                    vopmula(ROTATION, ACROSS[2]),
                    vopmsub(AXIS[2], ACROSS[2], ROTATION),
                    vmul_bc(Dest::XYZ, ACROSS[0], ACROSS[0], ROTATION, Field::W),
                    vmul_bc(Dest::XYZ, ACROSS[1], ACROSS[1], ROTATION, Field::W),
                    vmul_bc(Dest::XYZ, ACROSS[2], ACROSS[2], ROTATION, Field::W),
                    lqc2(POSITION, POSE, offset_of!(Pose, position) as i32),
                    lqc2(EYE, LENS, offset_of!(Lens, eye) as i32),
                    lqc2(ROW[0], LENS, 0),
                    lqc2(ROW[1], LENS, 16),
                    lqc2(ROW[2], LENS, 32),
                    lqc2(LAST, LENS, 48),
                    vadd(Dest::XYZ, AXIS[0], AXIS[0], ACROSS[0]),
                    vadd(Dest::XYZ, AXIS[1], AXIS[1], ACROSS[1]),
                    vadd(Dest::XYZ, AXIS[2], AXIS[2], ACROSS[2]),
                    vsub(Dest::XYZ, POSITION, POSITION, EYE),
                    vadd(Dest::XYZ, AXIS[0], AXIS[0], UNIT[0]),
                    vadd(Dest::XYZ, AXIS[1], AXIS[1], UNIT[1]),
                    vadd(Dest::XYZ, AXIS[2], AXIS[2], UNIT[2]),
                    ROWS[0][0],
                    ROWS[0][1],
                    ROWS[0][2],
                    ROWS[1][0],
                    ROWS[1][1],
                    ROWS[1][2],
                    ROWS[2][0],
                    ROWS[2][1],
                    ROWS[2][2],
                    vmula_bc(Dest::XYZW, ROW[0], POSITION, Field::X),
                    vmadda_bc(Dest::XYZW, ROW[1], POSITION, Field::Y),
                    vmadda_bc(Dest::XYZW, ROW[2], POSITION, Field::Z),
                    vmadd_bc(Dest::XYZW, OUT[3], LAST, 0, Field::W),
                    lqc2(LAMPS[0], LIGHTS, 0),
                    lqc2(LAMPS[1], LIGHTS, 16),
                    lqc2(LAMPS[2], LIGHTS, 32),
                    lqc2(SUN, LIGHTS, 48),
                    sqc2(OUT[0], TO, 0),
                    sqc2(OUT[1], TO, 16),
                    sqc2(OUT[2], TO, 32),
                    sqc2(OUT[3], TO, 48),
                    LIGHT[0][0],
                    LIGHT[0][1],
                    LIGHT[0][2],
                    LIGHT[1][0],
                    LIGHT[1][1],
                    LIGHT[1][2],
                    LIGHT[2][0],
                    LIGHT[2][1],
                    LIGHT[2][2],
                    vmul(Dest::XYZ, PARTS[0], SUN, AXIS[0]),
                    vmul(Dest::XYZ, PARTS[1], SUN, AXIS[1]),
                    vmul(Dest::XYZ, PARTS[2], SUN, AXIS[2]),
                    vmul_bc(Dest::W, TURNED_SUN, 0, 0, Field::X),
                    SUNS[0][0],
                    SUNS[1][0],
                    SUNS[2][0],
                    SUNS[0][1],
                    SUNS[1][1],
                    SUNS[2][1],
                    sqc2(LIT[0], TO, DIRECTIONS),
                    sqc2(LIT[1], TO, DIRECTIONS + 16),
                    sqc2(LIT[2], TO, DIRECTIONS + 32),
                    sqc2(TURNED_SUN, TO, DIRECTIONS + 48),
                ],
                in("$8") pose,
                in("$9") lens,
                in("$10") result.as_mut_ptr(),
                in("$11") lights,
                options(nostack),
            );
            result.assume_init()
        }
    }

    /// Something `share` of the way from one to another.
    pub fn mix(a: &Placed, b: &Placed, share: f32) -> Placed {
        const FROM: u32 = 8;
        const TOWARDS: u32 = 9;
        const SHARE_AT: u32 = 11;
        const SHARE: u32 = 1;
        const OWN: [u32; 8] = [2, 3, 4, 5, 6, 7, 8, 9];
        const OTHER: [u32; 8] = [10, 11, 12, 13, 14, 15, 16, 17];

        /// A vector in memory.
        #[repr(C, align(16))]
        struct Four([f32; 4]);

        const fn load(number: usize) -> [u32; 2] {
            let at = number as i32 * 16;
            [lqc2(OWN[number], FROM, at), lqc2(OTHER[number], TOWARDS, at)]
        }
        const fn between(number: usize) -> [u32; 3] {
            let (own, other) = (OWN[number], OTHER[number]);
            [
                vsub(Dest::XYZW, other, other, own),
                vmul_bc(Dest::XYZW, other, other, SHARE, Field::X),
                vadd(Dest::XYZW, own, own, other),
            ]
        }
        const LOAD: [[u32; 2]; 8] = [load(0), load(1), load(2), load(3), load(4), load(5), load(6), load(7)];
        const BETWEEN: [[u32; 3]; 8] =
            [between(0), between(1), between(2), between(3), between(4), between(5), between(6), between(7)];

        let share = Four([share, 0.0, 0.0, 0.0]);
        let mut result = MaybeUninit::<Placed>::uninit();
        // SAFETY: loads the eight vectors of each and the share, and stores the eight of the result; all are 16-byte aligned
        // by their types, and nothing but VU0's registers is touched.
        unsafe {
            words!(
                [
                    lqc2(SHARE, SHARE_AT, 0),
                    LOAD[0][0],
                    LOAD[0][1],
                    LOAD[1][0],
                    LOAD[1][1],
                    LOAD[2][0],
                    LOAD[2][1],
                    LOAD[3][0],
                    LOAD[3][1],
                    LOAD[4][0],
                    LOAD[4][1],
                    LOAD[5][0],
                    LOAD[5][1],
                    LOAD[6][0],
                    LOAD[6][1],
                    LOAD[7][0],
                    LOAD[7][1],
                    BETWEEN[0][0],
                    BETWEEN[1][0],
                    BETWEEN[2][0],
                    BETWEEN[3][0],
                    BETWEEN[4][0],
                    BETWEEN[5][0],
                    BETWEEN[6][0],
                    BETWEEN[7][0],
                    BETWEEN[0][1],
                    BETWEEN[1][1],
                    BETWEEN[2][1],
                    BETWEEN[3][1],
                    BETWEEN[4][1],
                    BETWEEN[5][1],
                    BETWEEN[6][1],
                    BETWEEN[7][1],
                    BETWEEN[0][2],
                    BETWEEN[1][2],
                    BETWEEN[2][2],
                    BETWEEN[3][2],
                    BETWEEN[4][2],
                    BETWEEN[5][2],
                    BETWEEN[6][2],
                    BETWEEN[7][2],
                    sqc2(OWN[0], TO, 0),
                    sqc2(OWN[1], TO, 16),
                    sqc2(OWN[2], TO, 32),
                    sqc2(OWN[3], TO, 48),
                    sqc2(OWN[4], TO, 64),
                    sqc2(OWN[5], TO, 80),
                    sqc2(OWN[6], TO, 96),
                    sqc2(OWN[7], TO, 112),
                ],
                in("$8") a,
                in("$9") b,
                in("$10") result.as_mut_ptr(),
                in("$11") &share,
                options(nostack),
            );
            result.assume_init()
        }
    }
}
