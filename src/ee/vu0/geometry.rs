//! Small kernels of the physics world: a point beside a triangle, and the turn of a spinning body.

use crate::collision::Face;
use crate::maths::{Quat, Vec3};

/// Where a point lies beside a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Sides {
    /// Above 0 outside the edge of that number; metres times the edge's length.
    pub edges: [f32; 3],
    /// Signed distance from the plane in metres.
    pub plane: f32,
}

/// The definition: what [`sides`] computes, up to the rounding of single floats.
pub fn sides_scalar(face: &Face, point: Vec3) -> Sides {
    let edge = |i: usize| {
        let (start, along) = face.edge(i);
        along.cross(face.normal).dot(point - start)
    };
    Sides { edges: [edge(0), edge(1), edge(2)], plane: face.distance(point) }
}

/// The definition: one step of an angular velocity in rad/s, `half_dt` being half the step in seconds.
pub fn integrate_scalar(rotation: Quat, spin: Vec3, half_dt: f32) -> Quat {
    rotation.integrate(spin, half_dt * 2.0)
}

/// Where a point lies beside a triangle.
#[cfg(not(target_arch = "mips"))]
pub fn sides(face: &Face, point: Vec3) -> Sides {
    sides_scalar(face, point)
}

/// One step of an angular velocity in rad/s, `half_dt` being half the step in seconds.
#[cfg(not(target_arch = "mips"))]
pub fn integrate(rotation: Quat, spin: Vec3, half_dt: f32) -> Quat {
    integrate_scalar(rotation, spin, half_dt)
}

/// Where a point lies beside a triangle.
#[cfg(target_arch = "mips")]
pub fn sides(face: &Face, point: Vec3) -> Sides {
    use crate::ee::encode::vu0::{Dest, Field, vadd_bc, vmul, vmul_bc, vopmsub, vopmula, vsub};
    use crate::ee::encode::{lqc2, sqc2};
    use core::arch::asm;

    // Vector registers: the corners, the normal, the point, and one edge on its way.
    const CORNER: [u32; 3] = [1, 2, 3];
    const NORMAL: u32 = 4;
    const POINT: u32 = 5;
    const EDGE: u32 = 6;
    const OUT: u32 = 7;
    const APART: u32 = 8;
    const RESULT: u32 = 9;
    // General registers.
    const FACE: u32 = 8;
    const AT: u32 = 9;
    const TO: u32 = 10;

    let mut result = Sides::default();
    // SAFETY: loads a face and a point and stores one quadword; all three are 16-byte aligned by their types, and nothing
    // but VU0's registers is touched.
    unsafe {
        asm!(
            ".word {load0}", ".word {load1}", ".word {load2}", ".word {load_normal}", ".word {load_point}",
            // The plane first, while the difference to the first corner is at hand.
            ".word {apart0}", ".word {plane}", ".word {plane_y}", ".word {plane_z}", ".word {keep_plane}",
            ".word {edge0}", ".word {cross_a0}", ".word {cross_b0}", ".word {dot0}",
            ".word {sum_y0}", ".word {sum_z0}", ".word {keep0}",
            ".word {edge1}", ".word {cross_a1}", ".word {cross_b1}", ".word {apart1}", ".word {dot1}",
            ".word {sum_y1}", ".word {sum_z1}", ".word {keep1}",
            ".word {edge2}", ".word {cross_a2}", ".word {cross_b2}", ".word {apart2}", ".word {dot2}",
            ".word {sum_y2}", ".word {sum_z2}", ".word {keep2}",
            ".word {store}",
            load0 = const lqc2(CORNER[0], FACE, 0),
            load1 = const lqc2(CORNER[1], FACE, 16),
            load2 = const lqc2(CORNER[2], FACE, 32),
            load_normal = const lqc2(NORMAL, FACE, 48),
            load_point = const lqc2(POINT, AT, 0),
            apart0 = const vsub(Dest::XYZ, APART, POINT, CORNER[0]),
            plane = const vmul(Dest::XYZ, OUT, NORMAL, APART),
            plane_y = const vadd_bc(Dest::X, OUT, OUT, OUT, Field::Y),
            plane_z = const vadd_bc(Dest::X, OUT, OUT, OUT, Field::Z),
            keep_plane = const vmul_bc(Dest::W, RESULT, 0, OUT, Field::X),
            edge0 = const vsub(Dest::XYZ, EDGE, CORNER[1], CORNER[0]),
            cross_a0 = const vopmula(EDGE, NORMAL),
            cross_b0 = const vopmsub(OUT, NORMAL, EDGE),
            dot0 = const vmul(Dest::XYZ, OUT, OUT, APART),
            sum_y0 = const vadd_bc(Dest::X, OUT, OUT, OUT, Field::Y),
            sum_z0 = const vadd_bc(Dest::X, OUT, OUT, OUT, Field::Z),
            keep0 = const vadd_bc(Dest::X, RESULT, 0, OUT, Field::X),
            edge1 = const vsub(Dest::XYZ, EDGE, CORNER[2], CORNER[1]),
            cross_a1 = const vopmula(EDGE, NORMAL),
            cross_b1 = const vopmsub(OUT, NORMAL, EDGE),
            apart1 = const vsub(Dest::XYZ, APART, POINT, CORNER[1]),
            dot1 = const vmul(Dest::XYZ, OUT, OUT, APART),
            sum_y1 = const vadd_bc(Dest::X, OUT, OUT, OUT, Field::Y),
            sum_z1 = const vadd_bc(Dest::X, OUT, OUT, OUT, Field::Z),
            keep1 = const vadd_bc(Dest::Y, RESULT, 0, OUT, Field::X),
            edge2 = const vsub(Dest::XYZ, EDGE, CORNER[0], CORNER[2]),
            cross_a2 = const vopmula(EDGE, NORMAL),
            cross_b2 = const vopmsub(OUT, NORMAL, EDGE),
            apart2 = const vsub(Dest::XYZ, APART, POINT, CORNER[2]),
            dot2 = const vmul(Dest::XYZ, OUT, OUT, APART),
            sum_y2 = const vadd_bc(Dest::X, OUT, OUT, OUT, Field::Y),
            sum_z2 = const vadd_bc(Dest::X, OUT, OUT, OUT, Field::Z),
            keep2 = const vadd_bc(Dest::Z, RESULT, 0, OUT, Field::X),
            store = const sqc2(RESULT, TO, 0),
            in("$8") face,
            in("$9") &point,
            in("$10") &mut result,
            options(nostack),
        );
    }
    result
}

/// One step of an angular velocity in rad/s, `half_dt` being half the step in seconds.
#[cfg(target_arch = "mips")]
pub fn integrate(rotation: Quat, spin: Vec3, half_dt: f32) -> Quat {
    use crate::ee::encode::vu0::{
        Dest, Field, VWAITQ, vadd, vadd_bc, vmul, vmul_bc, vmul_q, vopmsub, vopmula, vrsqrt, vsub, vsub_bc,
    };
    use crate::ee::encode::{lqc2, sqc2};
    use core::arch::asm;

    // Vector registers: the spin, the rotation, the step, and the product on its way.
    const SPIN: u32 = 1;
    const TURN: u32 = 2;
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
    let mut result = rotation;
    // SAFETY: loads three quadwords and stores one; all are 16-byte aligned by their types, and nothing but VU0's registers
    // is touched.
    unsafe {
        asm!(
            ".word {load_turn}", ".word {load_spin}", ".word {load_step}",
            // The vector part of spin times turn: a cross product and the spin times w; the scalar part: minus a dot product.
            ".word {zero}", ".word {cross_a}", ".word {cross_b}", ".word {times_w}", ".word {whole}",
            ".word {dot}", ".word {dot_y}", ".word {dot_z}", ".word {minus}",
            ".word {stepped}", ".word {turned}",
            ".word {squares}", ".word {squares_y}", ".word {squares_z}", ".word {squares_w}",
            ".word {invert}", ".word {wait}", ".word {unit}",
            ".word {store}",
            load_turn = const lqc2(TURN, FROM, 0),
            load_spin = const lqc2(SPIN, BY, 0),
            load_step = const lqc2(STEP, OVER, 0),
            zero = const vsub(Dest::XYZW, ZERO, 0, 0),
            cross_a = const vopmula(SPIN, TURN),
            cross_b = const vopmsub(PRODUCT, TURN, SPIN),
            times_w = const vmul_bc(Dest::XYZ, SCALED, SPIN, TURN, Field::W),
            whole = const vadd(Dest::XYZ, PRODUCT, PRODUCT, SCALED),
            dot = const vmul(Dest::XYZ, SUM, SPIN, TURN),
            dot_y = const vadd_bc(Dest::X, SUM, SUM, SUM, Field::Y),
            dot_z = const vadd_bc(Dest::X, SUM, SUM, SUM, Field::Z),
            minus = const vsub_bc(Dest::W, PRODUCT, ZERO, SUM, Field::X),
            stepped = const vmul_bc(Dest::XYZW, PRODUCT, PRODUCT, STEP, Field::X),
            turned = const vadd(Dest::XYZW, TURN, TURN, PRODUCT),
            squares = const vmul(Dest::XYZW, SUM, TURN, TURN),
            squares_y = const vadd_bc(Dest::X, SUM, SUM, SUM, Field::Y),
            squares_z = const vadd_bc(Dest::X, SUM, SUM, SUM, Field::Z),
            squares_w = const vadd_bc(Dest::X, SUM, SUM, SUM, Field::W),
            invert = const vrsqrt(0, Field::W, SUM, Field::X),
            wait = const VWAITQ,
            unit = const vmul_q(Dest::XYZW, TURN, TURN),
            store = const sqc2(TURN, TO, 0),
            in("$8") &rotation,
            in("$9") &spin,
            in("$10") &step,
            in("$11") &mut result,
            options(nostack),
        );
    }
    result
}

/// The largest differences between the kernels and their definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Differences {
    /// Of [`sides`], as a share of the products that were summed.
    pub sides: f32,
    /// Of [`integrate`], per component.
    pub turns: f32,
}

/// Compares kernels and definitions over `count` random inputs and the edge cases: no area, no length, no spin.
pub fn compare(count: u32) -> Differences {
    use crate::collision::scenes::Random;
    let mut random = Random::new(1);
    let mut worst = Differences::default();
    for i in 0..count {
        let at = random.vec3(50.0);
        let b = if i % 16 == 1 { at } else { at + random.vec3(3.0) };
        let c = if i % 16 == 2 { b } else { at + random.vec3(3.0) };
        let face = Face::new([at, b, c]);
        let point = if i % 16 == 3 { at } else { at + random.vec3(4.0) };
        let (fast, defined) = (sides(&face, point), sides_scalar(&face, point));
        for k in 0..3 {
            let (start, edge) = face.edge(k);
            let size = (edge.length() * (point - start).length()).max(1e-6);
            worst.sides = worst.sides.max((fast.edges[k] - defined.edges[k]).abs() / size);
        }
        let size = (point - at).length().max(1e-6);
        worst.sides = worst.sides.max((fast.plane - defined.plane).abs() / size);

        let rotation = Quat::from_axis_angle(random.direction(), random.range(-3.0, 3.0));
        let spin = if i % 16 == 4 { Vec3::ZERO } else { random.vec3(20.0) };
        let half_dt = random.range(0.0, 0.02);
        let (fast, defined) = (integrate(rotation, spin, half_dt), integrate_scalar(rotation, spin, half_dt));
        let apart = [fast.x - defined.x, fast.y - defined.y, fast.z - defined.z, fast.w - defined.w];
        worst.turns = apart.iter().fold(worst.turns, |worst, d| worst.max(d.abs()));
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_over_the_face_is_inside_every_edge() {
        let face = Face::new([Vec3::ZERO, Vec3::X, Vec3::Y]);
        let inside = sides(&face, Vec3::new(0.25, 0.25, 0.5));
        assert!(inside.edges.iter().all(|&side| side < 0.0) && inside.plane == 0.5);
        let outside = sides(&face, Vec3::new(0.5, -0.25, 0.0));
        assert_eq!(outside.edges[0], 0.25);
    }

    #[test]
    fn a_step_turns_by_the_spins_angle() {
        let turned = integrate(Quat::IDENTITY, Vec3::Z, 0.01);
        assert!((turned.axis_x().y - 0.02).abs() < 1e-5);
    }

    #[test]
    fn kernels_and_definitions_agree() {
        assert_eq!(compare(500), Differences::default(), "the host has the definition only");
    }
}
