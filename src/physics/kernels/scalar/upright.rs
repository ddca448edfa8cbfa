//! Spheres against spheres and upright capsules, and rays against capsules.

use super::roots::{away_from_core, ray_capsule_root, ray_sphere_root};
use super::segments::{closest_point, perpendicular_basis};
use crate::maths::Vec3;
use crate::physics::kernels::Touch;
use crate::physics::shapes::{Capsule, Sphere};

/// A moving sphere against a sphere. Spheres that already overlap touch at fraction 0.
///
/// Source: seed 002, Geometry kernels (Sweep_SphereSphere).
// Covers: seed 002, Sweep_SphereSphere (0x00349268) test=spheres_meet_at_the_sum_of_their_radii
pub fn sweep_sphere_sphere(a: &Sphere, d: Vec3, b: &Sphere) -> Option<Touch> {
    let reach = a.radius + b.radius;
    let overlap = (a.centre - b.centre).length_squared() <= reach * reach;
    let fraction = if overlap {
        0.0
    } else {
        ray_sphere_root(a.centre, d, b.centre, reach).filter(|t| (0.0..=1.0).contains(t))?
    };
    // Our choice: spheres with one centre part upwards.
    let normal = (a.centre + d * fraction - b.centre).try_normalize().unwrap_or(Vec3::Z);
    Some(Touch { fraction, point: b.centre + normal * b.radius, normal })
}

/// A moving sphere against an upright capsule with round ends, the sphere's radius folded into the capsule's.
///
/// Source: seed 002, Geometry kernels (Sweep_SphereCapsule).
// Covers: seed 002, Sweep_SphereCapsule (0x00349a60) test=a_capsules_ends_are_round
pub fn sweep_sphere_capsule(c: Vec3, r: f32, d: Vec3, capsule: &Capsule) -> Option<Touch> {
    let (base, top) = (capsule.base, capsule.top());
    let fraction = sweep_core(c, d, base, top, r + capsule.radius)?;
    let centre = c + d * fraction;
    // Our choice: a centre on the core parts sideways.
    let [aside, _] = perpendicular_basis(top - base);
    let normal = away_from_core(centre, base, top, aside);
    Some(Touch { fraction, point: closest_point(centre, base, top) + normal * capsule.radius, normal })
}

/// The fraction at which `o + t d` enters a capsule with its own radius and round ends, 0 when it starts inside.
///
/// Source: seed 002, Geometry kernels (Sweep_SphereCapsule as a ray test).
pub fn ray_upright_capsule(o: Vec3, d: Vec3, capsule: &Capsule) -> Option<f32> {
    sweep_core(o, d, capsule.base, capsule.top(), capsule.radius)
}

fn sweep_core(o: Vec3, d: Vec3, a: Vec3, b: Vec3, reach: f32) -> Option<f32> {
    if (o - closest_point(o, a, b)).length_squared() <= reach * reach {
        return Some(0.0);
    }
    ray_capsule_root(o, d, a, b, reach).filter(|t| (0.0..=1.0).contains(t))
}

#[cfg(test)]
mod tests {
    use super::super::reference;
    use super::*;
    use crate::collision::scenes::Random;

    #[test]
    fn spheres_meet_at_the_sum_of_their_radii() {
        let a = Sphere { centre: Vec3::ZERO, radius: 0.5 };
        let b = Sphere { centre: Vec3::X * 5.0, radius: 0.5 };
        let touch = sweep_sphere_sphere(&a, Vec3::X * 10.0, &b).unwrap();
        assert!((touch.fraction - 0.4).abs() < 1e-6);
        assert_eq!(touch.normal, -Vec3::X);
        assert!((touch.point.x - 4.5).abs() < 1e-6);
    }

    #[test]
    fn overlapping_spheres_touch_at_once() {
        let a = Sphere { centre: Vec3::ZERO, radius: 0.5 };
        let touch = sweep_sphere_sphere(&a, Vec3::X, &Sphere { centre: Vec3::X * 0.2, radius: 0.5 }).unwrap();
        assert_eq!(touch.fraction, 0.0);
        let touch = sweep_sphere_sphere(&a, Vec3::X, &a).unwrap();
        assert_eq!(touch.normal, Vec3::Z);
    }

    #[test]
    fn a_centre_on_a_capsules_core_parts_sideways() {
        let capsule = Capsule { base: Vec3::ZERO, radius: 0.5, height: 2.0 };
        let touch = sweep_sphere_capsule(Vec3::Z, 0.25, Vec3::X, &capsule).unwrap();
        assert_eq!((touch.fraction, touch.normal.z), (0.0, 0.0));
        assert!((touch.normal.length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_capsules_ends_are_round() {
        let capsule = Capsule { base: Vec3::ZERO, radius: 0.5, height: 2.0 };
        let from = Vec3::Z * 5.0;
        let touch = sweep_sphere_capsule(from, 0.25, Vec3::Z * -10.0, &capsule).unwrap();
        assert!((touch.fraction - 0.225).abs() < 1e-6, "{}", touch.fraction);
        assert!((ray_upright_capsule(from, Vec3::Z * -10.0, &capsule).unwrap() - 0.25).abs() < 1e-6);
        assert_eq!(ray_upright_capsule(Vec3::new(5.0, 0.0, 2.6), Vec3::X * -10.0, &capsule), None);
    }

    #[test]
    fn random_sweeps_agree_with_the_reference() {
        let mut random = Random::new(2);
        let mut worst = [0.0_f64; 3];
        for _ in 0..20_000 {
            let (c, r, d) = (random.vec3(4.0), random.range(0.05, 1.0), random.vec3(8.0));
            let b = Sphere { centre: random.vec3(3.0), radius: random.range(0.05, 1.0) };
            let found = sweep_sphere_sphere(&Sphere { centre: c, radius: r }, d, &b).map(|touch| touch.fraction);
            let sphere = |p| reference::point_segment(p, b.centre, b.centre);
            worst[0] = worst[0].max(reference::compare(found, c, d, r + b.radius, sphere));

            let capsule = Capsule { base: random.vec3(3.0), radius: 0.4, height: random.range(0.0, 3.0) };
            let core = |p| reference::point_segment(p, capsule.base, capsule.top());
            let found = sweep_sphere_capsule(c, r, d, &capsule).map(|touch| touch.fraction);
            worst[1] = worst[1].max(reference::compare(found, c, d, r + capsule.radius, core));
            let found = ray_upright_capsule(c, d, &capsule);
            worst[2] = worst[2].max(reference::compare(found, c, d, capsule.radius, core));
        }
        assert!(worst.iter().all(|&w| w < 1e-4), "worst differences {worst:?}");
    }
}
