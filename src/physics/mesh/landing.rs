//! An airborne human's landing.

use crate::collision::{CollisionMesh, Ray, RayFilter};
use crate::maths::Vec3;
use crate::physics::constants::{LANDING_RISE, WALL_UPRIGHT};
use crate::physics::contact::{Contact, Half};
use crate::physics::flags::ContactFlags;

/// The contact of a landing: a segment from `rise` metres above the feet to where the move takes them.
///
/// A hit counts when its face is no wall. Its fraction is that of the segment past its first metre, or 0 before that.
///
/// Source: seed 002, Sweeping a body (the landing segment, 0x0023e408).
pub fn landing_contact(mesh: &mut CollisionMesh, feet: Vec3, rise: f32, d: Vec3, mover: Half) -> Option<Contact> {
    let origin = feet + Vec3::new(0.0, 0.0, rise);
    let along = feet + d - origin;
    let length = along.length();
    let ray = Ray { origin, direction: along.try_normalize()?, length };
    let hit = mesh.cast(&ray, &RayFilter::default()).hit.filter(|hit| hit.normal.z > WALL_UPRIGHT)?;
    let past = length - LANDING_RISE;
    let fraction = if hit.distance <= LANDING_RISE || past <= 0.0 { 0.0 } else { (hit.distance - LANDING_RISE) / past };
    Some(Contact {
        normal: hit.normal,
        point: ray.at(hit.distance),
        fraction,
        flags: ContactFlags::LANDING,
        mover,
        triangle: Some(hit.triangle),
        ..Contact::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Scene, floor, wall};

    const RISE: f32 = 0.88;

    fn landing(feet_z: f32, fall: f32) -> Option<Contact> {
        let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
        landing_contact(&mut mesh, Vec3::new(40.0, 41.0, feet_z), RISE, Vec3::Z * -fall, Half::default())
    }

    #[test]
    fn feet_that_stay_above_the_ground_do_not_land() {
        assert!(landing(0.5, 0.3).is_none());
    }

    #[test]
    fn a_ground_nearer_than_a_metre_is_landed_on_at_once() {
        let contact = landing(0.05, 0.3).unwrap();
        assert_eq!(contact.fraction, 0.0);
        assert!(contact.flags.has(ContactFlags::LANDING));
    }

    #[test]
    fn a_ground_further_down_is_landed_on_at_its_share_past_the_first_metre() {
        // Hit 1.38 m down a segment of 1.88 m.
        let contact = landing(0.5, 1.0).unwrap();
        assert!((contact.fraction - 0.38 / 0.88).abs() < 1e-5, "{}", contact.fraction);
    }

    #[test]
    fn a_wall_is_not_landed_on() {
        let mut mesh = Scene::new().with(wall([0.0, 41.5], [80.0, 41.5], [0.0, 3.0])).mesh([8, 8, 1]);
        let d = Vec3::new(0.0, 2.0, -0.1);
        assert!(landing_contact(&mut mesh, Vec3::new(40.0, 41.0, 0.0), RISE, d, Half::default()).is_none());
    }
}
