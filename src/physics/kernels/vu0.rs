//! The kernels' twins for VU0.
//!
//! On the host, which has none, they are the scalar ones. The console's check holds both together over random inputs.

use super::Touch;
use super::scalar::sphere_triangle::sweep_with;
use crate::collision::Face;
use crate::ee::vu0::geometry::sides;
use crate::maths::Vec3;

/// The twin of [`super::scalar::sweep_sphere_triangle`]: the sides of the plane and of the three edges come from VU0.
///
/// Source: seed 002, Geometry kernels (Sweep_SphereTriangle).
pub fn sweep_sphere_triangle(c: Vec3, r: f32, d: Vec3, face: &Face) -> Option<Touch> {
    let outside = |point| sides(face, point).edges.iter().any(|&side| side > 0.0);
    sweep_with(c, r, d, face, sides(face, c).plane, outside)
}

/// The largest difference of fractions between the twins over `count` random sweeps, and how many of them one twin alone
/// hits.
pub fn compare(count: u32) -> (f32, u32) {
    let mut random = crate::collision::scenes::Random::new(2);
    let (mut worst, mut alone) = (0.0_f32, 0);
    for _ in 0..count {
        let mut face = Face::new([random.vec3(3.0), random.vec3(3.0), random.vec3(3.0)]);
        let (c, r, d) = (random.vec3(4.0), random.range(0.05, 1.0), random.vec3(8.0));
        if face.distance(c) < 0.0 {
            face = face.turned();
        }
        match (sweep_sphere_triangle(c, r, d, &face), super::scalar::sweep_sphere_triangle(c, r, d, &face)) {
            (Some(fast), Some(defined)) => worst = worst.max((fast.fraction - defined.fraction).abs()),
            (None, None) => {}
            _ => alone += 1,
        }
    }
    (worst, alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twins_agree() {
        assert_eq!(compare(2000), (0.0, 0), "the host has one of them only");
    }
}
