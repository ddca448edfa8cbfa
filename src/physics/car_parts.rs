//! What cars do in the physics world: their answers, and the parts that fly off them.
//!
//! Source: seed 002, How things actually move (Cars).

use super::PhysicsWorld;
use super::collide::ShapeQuery;
use super::constants::{FLOOR_UPRIGHT, GRAVITY, TICK};
use super::contact::{CONTACTS, Contact, ContactList};
use super::flags::{Answer, QueryOptions};
use super::kernels::Kernels;
use super::owner::Owners;
use super::resolve::{back_off, bounce};
use super::settle::{Ease, RestAxes, settle_target};
use super::shapes::{Geometry, OrientedBox};
use crate::collision::CollisionMesh;
use crate::maths::{Pose, Quat, Vec3};

/// Ticks for which a loose part lives.
pub const PART_LIFETIME: u16 = 360;
/// Below this many ticks it tells the object that it holds, once.
const FAREWELL: u16 = 91;
/// Acceleration of its turn to lie flat, per tick squared.
const FLAT_ACCELERATION: f32 = 0.05;
/// What a contact leaves of its velocity.
const CONTACT_SCALE: f32 = 0.95;
/// Floor contacts that sound, and the speed in m/s above which they do.
const SOUNDS: (u8, f32) = (3, 2.0);

/// What a car makes of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarAnswer {
    /// Always a bounce.
    pub answer: Answer,
    /// On the level it has landed: it is no longer airborne, its velocity is zero, and its hood begins to smoke.
    pub lands: bool,
}

/// A car's answer to a contact.
///
/// Source: seed 002, Contacts (Car_OnLanded 0x00389e08).
// Covers: seed 002, Car_OnLanded (0x00389e08) test=a_car_bounces_off_everything_and_lands_on_the_level default=CarAnswer { answer: Answer::PASS, lands: false }
pub fn car_answer(contact: &Contact) -> CarAnswer {
    CarAnswer { answer: Answer::BOUNCE, lands: contact.is_level() }
}

/// Where a landed car's smoke rises, in the car's frame, in metres.
pub const SMOKE_POINT: Vec3 = Vec3::new(0.0, 1.84, 0.02);

/// What a loose part did in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartEvents {
    /// It tells the object that it holds that it will be gone soon.
    pub farewell: bool,
    /// It is gone.
    pub removed: bool,
    /// An impact sounds, at this volume.
    pub sound: Option<f32>,
}

/// A part that flies off a car. It has no body.
#[derive(Clone, Copy, Debug)]
pub struct LoosePart {
    /// Where it is.
    pub pose: Pose,
    /// Velocity in m/s.
    pub velocity: Vec3,
    /// Angular velocity in rad/s.
    pub spin: Vec3,
    /// Half sizes in metres.
    pub half: Vec3,
    /// Restitution of its bounces.
    pub restitution: f32,
    /// Whether it still flies.
    pub flying: bool,
    lifetime: u16,
    floor_contacts: u8,
    flat: Option<Flat>,
}

/// A turn to lie flat.
#[derive(Clone, Copy, Debug)]
struct Flat {
    ease: Ease,
    start: Quat,
    end: Quat,
}

impl LoosePart {
    /// A part that leaves its car.
    pub fn new(pose: Pose, velocity: Vec3, spin: Vec3, half: Vec3, restitution: f32) -> Self {
        let (lifetime, floor_contacts, flat) = (PART_LIFETIME, 0, None);
        Self { pose, velocity, spin, half, restitution, flying: true, lifetime, floor_contacts, flat }
    }

    /// Ticks that it has left.
    pub fn lifetime(&self) -> u16 {
        self.lifetime
    }

    /// One tick: its life, its fall, its bounces and its turn to lie flat.
    ///
    /// Source: seed 002, How things actually move (Car_UpdateLoosePart 0x00387f18).
    // Covers: seed 002, Car_UpdateLoosePart (0x00387f18) test=a_part_falls_and_spins_until_it_meets_the_floor
    pub fn update(
        &mut self,
        world: &mut PhysicsWorld,
        mesh: Option<&mut CollisionMesh>,
        owners: &dyn Owners,
    ) -> PartEvents {
        let mut events = PartEvents::default();
        self.lifetime = self.lifetime.saturating_sub(1);
        events.farewell = self.lifetime == FAREWELL - 1;
        if self.lifetime == 0 {
            self.flying = false;
            events.removed = true;
        }
        if !self.flying {
            return events;
        }
        self.velocity.z -= GRAVITY * TICK;
        let d = self.velocity * TICK;
        let shape = OrientedBox::new(self.half, self.pose.rotation, self.pose.position);
        let query = ShapeQuery::of_shape(Geometry::Box(shape));
        let query = ShapeQuery { options: query.options | QueryOptions::MESH, ..query };
        let mut contacts = ContactList::new();
        world.collide_shape(&query, d, mesh, owners, CONTACTS, &mut contacts);
        match contacts.as_slice().first() {
            None => self.pose.position += d,
            Some(contact) => self.meet(contact, d, &mut events),
        }
        self.turn(world.kernels());
        events
    }

    fn meet(&mut self, contact: &Contact, d: Vec3, events: &mut PartEvents) {
        let speed = self.velocity.length();
        self.pose.position += back_off(contact.normal, d, contact.fraction);
        self.velocity = bounce(self.velocity, contact.normal, self.restitution);
        if contact.normal.z > FLOOR_UPRIGHT {
            self.spin = Vec3::ZERO;
            if self.flat.is_none() {
                let end = settle_target(self.pose.rotation, contact.normal, RestAxes::Z);
                self.flat = Some(Flat { ease: Ease::new(FLAT_ACCELERATION), start: self.pose.rotation, end });
            }
            if self.floor_contacts < SOUNDS.0 && speed > SOUNDS.1 {
                events.sound = Some(1.0 / f32::from(self.floor_contacts + 1));
            }
            self.floor_contacts = self.floor_contacts.saturating_add(1);
        }
        self.velocity *= CONTACT_SCALE;
    }

    fn turn(&mut self, kernels: Kernels) {
        match &mut self.flat {
            Some(flat) => {
                flat.ease.tick();
                self.pose.rotation = flat.start.slerp(flat.end, flat.ease.t);
            }
            None => self.pose.rotation = kernels.integrate(self.pose.rotation, self.spin, TICK),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Scene, floor};
    use crate::physics::bench::Things;
    use crate::physics::contact::Half;
    use crate::physics::ids::OwnerId;

    fn part(z: f32, rotation: Quat) -> LoosePart {
        let pose = Pose::new(rotation, Vec3::new(40.0, 41.0, z));
        LoosePart::new(pose, Vec3::X, Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.5, 0.4, 0.05), 0.3)
    }

    fn street() -> (PhysicsWorld, Things, CollisionMesh) {
        (PhysicsWorld::new(), Things::new(), Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]))
    }

    #[test]
    fn a_car_bounces_off_everything_and_lands_on_the_level() {
        let level = Contact::default();
        assert_eq!(car_answer(&level), CarAnswer { answer: Answer(2), lands: true });
        let other = Half { owner: Some(OwnerId(1)), ..Half::default() };
        assert_eq!(car_answer(&Contact { other, ..level }), CarAnswer { answer: Answer(2), lands: false });
    }

    #[test]
    fn a_part_falls_and_spins_until_it_meets_the_floor() {
        let (mut world, things, mut mesh) = street();
        let mut part = part(3.0, Quat::IDENTITY);
        part.update(&mut world, Some(&mut mesh), &things);
        assert!((part.velocity.z + GRAVITY / 60.0).abs() < 1e-6);
        assert!((part.pose.position - Vec3::new(40.0 + 1.0 / 60.0, 41.0, 3.0 - GRAVITY / 3600.0)).length() < 1e-5);
        assert!(part.pose.rotation.axis_x().z < 0.0);
    }

    #[test]
    fn a_floor_contact_bounces_scales_stops_the_spin_and_sounds() {
        let (mut world, things, mut mesh) = street();
        let mut part = part(0.08, Quat::IDENTITY);
        part.velocity = Vec3::new(1.0, 0.0, -3.0);
        let events = part.update(&mut world, Some(&mut mesh), &things);
        let impact = 3.0 + GRAVITY / 60.0;
        assert!((part.velocity - Vec3::new(0.95, 0.0, impact * 0.3 * 0.95)).length() < 1e-4, "{:?}", part.velocity);
        assert_eq!((part.spin, events.sound), (Vec3::ZERO, Some(1.0)));
        assert!((part.pose.position.z - 0.06).abs() < 1e-5, "{}", part.pose.position.z);
    }

    #[test]
    fn a_part_comes_to_lie_flat_and_its_impacts_fade() {
        let (mut world, things, mut mesh) = street();
        let mut part = part(2.0, Quat::from_axis_angle(Vec3::X, 0.6));
        let mut sounds = alloc::vec::Vec::new();
        for _ in 0..200 {
            sounds.extend(part.update(&mut world, Some(&mut mesh), &things).sound);
        }
        assert!((part.pose.rotation.axis_z() - Vec3::Z).length() < 1e-4);
        assert!(sounds.len() <= 3 && sounds[0] == 1.0, "{sounds:?}");
    }

    #[test]
    fn a_part_lives_six_seconds_and_says_farewell_once() {
        let (mut world, things, _) = street();
        let mut part = part(2.0, Quat::IDENTITY);
        let (mut farewells, mut removed) = (alloc::vec::Vec::new(), None);
        for tick in 1..=400 {
            let events = part.update(&mut world, None, &things);
            if events.farewell {
                farewells.push(part.lifetime());
            }
            if events.removed && removed.is_none() {
                removed = Some(tick);
            }
        }
        assert_eq!((farewells, removed), (alloc::vec![90], Some(360)));
        assert!(!part.flying);
    }
}
