//! A car's parts: damage, coming loose, flying, lying flat, and going.

use super::super::engine::{TaskEngine, number};
use super::super::handle::Handle;
use super::super::head::GRAVITY;
use super::super::ids::TaskId;
use super::super::matrix::Rigid;
use super::super::message::Argument;
use super::super::world::World;
use super::{PartType, life};
use crate::maths::{Pose, Quat, Vec3};

/// Parts of a car. Source: seed 000, Cars.
pub const PARTS: usize = 26;

/// Updates that a loose part lives. Source: seed 002, Cars.
pub const LIFETIME: u16 = 360;
/// With fewer updates left than this the object on a part is told that it ends. Source: seed 002, Cars.
const END_WARNING: u16 = 91;
/// A surface whose normal rises more than this is a floor. Source: seed 002, Cars.
const FLOOR: f32 = 0.7;
/// Share of the velocity kept at a contact. Source: seed 002, Cars.
const CONTACT_SCALE: f32 = 0.95;
/// Acceleration of lying flat, per update squared. Source: seed 002, Cars.
const LIE_ACCELERATION: f32 = 0.05;
/// Floor contacts that are heard. Source: seed 002, Cars.
const HEARD_CONTACTS: u8 = 3;
/// A contact slower than this is silent, metres a second. Source: seed 002, Cars.
const HEARD_SPEED: f32 = 2.0;
/// How close to a plane a part stops, metres. Source: seed 002, Moving a body.
const BACK_OFF: f32 = 0.01;

/// Bits of a part's flags.
pub mod part_flag {
    /// Flies or lies about on its own.
    pub const LOOSE: u8 = 0x1;
    /// Has met a floor and turns to lie flat.
    pub const LYING: u8 = 0x2;
    /// Has told the object on it that it ends.
    pub const ENDING: u8 = 0x4;
    /// Hangs by its hinge.
    pub const HINGED: u8 = 0x8;
}

/// One part. Source: seed 000, Cars (records of 0xa0 bytes).
#[derive(Clone, Debug, PartialEq)]
pub struct CarPart {
    /// Bits of [`part_flag`].
    pub flags: u8,
    /// Floor contacts so far.
    pub contacts: u8,
    /// Updates left while loose.
    pub lifetime: u16,
    /// Damage so far.
    pub damage: i32,
    /// Metres a second while loose.
    pub velocity: Vec3,
    /// Radians a second while loose.
    pub spin: Vec3,
    /// Where it is while loose.
    pub pose: Pose,
    /// Where it is in the world, cached for drawing and sweeps.
    pub transform: Rigid,
    /// What hangs on it.
    pub attached: Handle,
    /// How flat it lies: from, to, share, speed.
    lie: (Quat, Quat, f32, f32),
}

impl Default for CarPart {
    fn default() -> Self {
        let mut part = Self {
            flags: 0,
            contacts: 0,
            lifetime: 0,
            damage: 0,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            pose: Pose::new(Quat::IDENTITY, Vec3::ZERO),
            transform: Rigid::default(),
            attached: Handle::NIL,
            lie: (Quat::IDENTITY, Quat::IDENTITY, 0.0, 0.0),
        };
        part.init();
        part
    }
}

impl CarPart {
    /// Clears the record.
    // Covers: seed 000, CarPart_Init (0x00387368) test=a_cleared_part_is_whole_and_in_place
    pub fn init(&mut self) {
        self.flags = 0;
        self.contacts = 0;
        self.lifetime = 0;
        self.damage = 0;
        self.velocity = Vec3::ZERO;
        self.spin = Vec3::ZERO;
        self.attached = Handle::NIL;
        self.lie = (Quat::IDENTITY, Quat::IDENTITY, 0.0, 0.0);
    }

    fn is(&self, bit: u8) -> bool {
        self.flags & bit != 0
    }

    /// Starts turning to lie flat on a floor, by the smallest angle.
    fn start_lying(&mut self, normal: Vec3) {
        let up = self.pose.rotation.axis_z();
        let up = if up.dot(normal) < 0.0 { -up } else { up };
        let axis = up.cross(normal).normalize_or_zero();
        let angle = crate::maths::scalar::acos(up.dot(normal));
        let end = Quat::from_axis_angle(axis, angle) * self.pose.rotation;
        self.lie = (self.pose.rotation, end, 0.0, 0.0);
        self.flags |= part_flag::LYING;
    }

    /// One update of lying flat: from rest, accelerated until the end.
    fn lie_down(&mut self) {
        let (from, to, share, speed) = &mut self.lie;
        *share = (*share + *speed).min(1.0);
        *speed += LIE_ACCELERATION;
        self.pose.rotation = from.slerp(*to, *share);
    }

    /// One contact: stops `BACK_OFF` short of the plane, bounces, and counts floors. Answers the volume to be heard at.
    fn touch(&mut self, kind: &PartType, normal: Vec3, fraction: f32, motion: Vec3) -> Option<f32> {
        let depth = (-normal.dot(motion)).max(0.0) * fraction;
        if depth > BACK_OFF {
            self.pose.position += -normal * (depth - BACK_OFF);
        }
        let speed = self.velocity.length();
        let into = self.velocity.dot(normal);
        let bounce = if into < 0.0 { into * (1.0 + kind.restitution) } else { into * kind.restitution };
        self.velocity = (self.velocity - normal * bounce) * CONTACT_SCALE;
        if normal.z <= FLOOR {
            return None;
        }
        self.spin = Vec3::ZERO;
        if !self.is(part_flag::LYING) {
            self.start_lying(normal);
        }
        self.contacts = self.contacts.saturating_add(1);
        let heard = self.contacts <= HEARD_CONTACTS && speed > HEARD_SPEED;
        heard.then(|| 1.0 / f32::from(self.contacts + 1))
    }
}

impl TaskEngine {
    /// Resets a part and ends the object on it with message 0x15.
    // Covers: seed 000, CarPart_Reset (0x003873c8) test=a_reset_part_ends_what_hangs_on_it
    pub fn reset_car_part(&mut self, world: &mut dyn World, id: TaskId, part: usize) {
        let Some(record) = self.car_mut(id).and_then(|car| car.parts.get_mut(part)) else { return };
        let attached = record.attached;
        record.init();
        if !attached.is_nil() {
            let _ = self.send_message(world, attached, number::END, &[]);
        }
    }

    /// Resets all 26 parts and clears the masks.
    // Covers: seed 000, Car_ResetParts (0x003875e8) test=a_repaired_car_is_whole
    pub fn reset_car_parts(&mut self, world: &mut dyn World, id: TaskId) {
        (0..PARTS).for_each(|part| self.reset_car_part(world, id, part));
        if let Some(car) = self.car_mut(id) {
            (car.open, car.removed, car.flying) = (0, 0, 0);
        }
    }

    /// Repairs a car.
    // Covers: seed 000, Car_Repair (0x0038e068) test=a_repaired_car_is_whole
    pub fn repair_car(&mut self, world: &mut dyn World, handle: Handle) -> bool {
        let Some(id) = self.as_car(handle) else { return false };
        self.reset_car_parts(world, id);
        self.cache_part_transforms(world, id);
        true
    }

    /// Sets which parts take damage.
    // Covers: seed 000, Car_SetDamageFilter (0x0038e030) test=damage_breaks_a_part_unless_filtered
    pub fn set_car_damage_filter(&mut self, handle: Handle, filter: u32) {
        if let Some(car) = self.as_car(handle).and_then(|id| self.car_mut(id)) {
            car.damage_filter = filter;
        }
    }

    /// Sets a part's damage; one with more than it stands comes loose. Says whether it did.
    // Covers: seed 000, Car_SetPartDamage (0x0038dee8) test=damage_breaks_a_part_unless_filtered
    pub fn set_car_part_damage(&mut self, world: &mut dyn World, handle: Handle, part: usize, damage: i32) -> bool {
        let Some(id) = self.as_car(handle) else { return false };
        let Some(kind) = self.car_type(id).and_then(|kind| kind.parts.get(part)).copied() else { return false };
        let Some(car) = self.car_mut(id).filter(|car| car.damage_filter >> part & 1 == 1) else { return false };
        car.parts[part].damage = damage;
        damage > kind.strength && self.break_car_part(world, id, part)
    }

    /// Breaks one part: what is still on the car comes loose. Says whether it was.
    // Covers: seed 000, Car_BreakPartByIndex (0x0038a7e8) test=damage_breaks_a_part_unless_filtered
    pub fn break_car_part(&mut self, world: &mut dyn World, id: TaskId, part: usize) -> bool {
        let Some(car) = self.car(id).filter(|_| part < PARTS) else { return false };
        if (car.removed | car.flying) >> part & 1 == 1 {
            return false;
        }
        self.detach_car_part(world, id, part, Vec3::new(0.0, 0.0, 1.0), false);
        true
    }

    /// Makes a part loose for 360 updates with a random spin; one that is blown off leaves a particle behind.
    // Covers: seed 000, Car_DetachPart (0x0038a010) test=a_loose_part_lives_for_360_updates
    pub fn detach_car_part(&mut self, world: &mut dyn World, id: TaskId, part: usize, velocity: Vec3, blown_off: bool) {
        let Some(kind) = self.car_type(id).and_then(|kind| kind.parts.get(part)).copied() else { return };
        let Some(head) = self.manager.head(id) else { return };
        let pose = Pose::new(head.rotation, head.position) * Pose::new(Quat::IDENTITY, kind.offset);
        // Our choice of the spin's size: up to half a turn a second about each axis.
        let mut spin = || (world.random(1001) as f32 / 500.0 - 1.0) * core::f32::consts::PI;
        let spin = Vec3::new(spin(), spin(), spin());
        let Some(car) = self.car_mut(id) else { return };
        car.flying |= 1 << part;
        let record = &mut car.parts[part];
        record.flags = part_flag::LOOSE | if kind.hinged && !blown_off { part_flag::HINGED } else { 0 };
        record.lifetime = LIFETIME;
        (record.velocity, record.spin, record.pose, record.contacts) = (velocity, spin, pose, 0);
        if blown_off {
            let fire = self.spawn_effect(world, super::SHARED_DAMAGE, pose.position);
            if let Some(car) = self.car_mut(id) {
                car.parts[part].attached = fire;
            }
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.set_update_interval(life::BUSY_INTERVAL);
        }
        self.manager.schedule(id);
    }

    /// Removes a part and the one linked to it for good.
    // Covers: seed 000, Car_RemovePart (0x0038dfe0) test=a_removed_part_takes_its_link_along
    pub fn remove_car_part(&mut self, world: &mut dyn World, handle: Handle, part: usize) -> bool {
        let Some(id) = self.as_car(handle).filter(|_| part < PARTS) else { return false };
        self.take_part_off(world, id, part);
        true
    }

    fn take_part_off(&mut self, world: &mut dyn World, id: TaskId, part: usize) {
        let linked = self.car_type(id).and_then(|kind| kind.parts.get(part)).and_then(|part| part.linked);
        for part in [Some(part), linked.map(usize::from)].into_iter().flatten().filter(|part| *part < PARTS) {
            self.reset_car_part(world, id, part);
            if let Some(car) = self.car_mut(id) {
                car.removed |= 1 << part;
                car.flying &= !(1 << part);
            }
        }
    }

    /// One update of a loose part: it counts down, flies, bounces, lies flat, and is removed at 0.
    // Covers: seed 000, Car_UpdateLoosePart (0x00387f18) test=a_loose_part_falls_bounces_and_lies_flat
    pub fn update_loose_part(&mut self, world: &mut dyn World, id: TaskId, part: usize, dt: f32) {
        let Some(kind) = self.car_type(id).and_then(|kind| kind.parts.get(part)).copied() else { return };
        let Some(record) = self.car_mut(id).map(|car| &mut car.parts[part]) else { return };
        record.lifetime = record.lifetime.saturating_sub(1);
        if record.lifetime < END_WARNING && !record.is(part_flag::ENDING) {
            record.flags |= part_flag::ENDING;
            let attached = record.attached;
            if !attached.is_nil() {
                let _ = self.send_message(world, attached, number::END, &[]);
            }
        }
        let Some(record) = self.car_mut(id).map(|car| &mut car.parts[part]) else { return };
        if record.lifetime == 0 {
            self.take_part_off(world, id, part);
            return;
        }
        if !record.is(part_flag::LOOSE) {
            return;
        }
        if record.is(part_flag::HINGED) {
            // A part on its hinge swings before it falls: its spin turns it, its weight does not.
            record.pose.rotation = record.pose.rotation.integrate(record.spin, dt);
            if LIFETIME - record.lifetime >= life::HINGE_UPDATES {
                record.flags &= !part_flag::HINGED;
            }
            return;
        }
        record.velocity.z -= GRAVITY * dt;
        let motion = record.velocity * dt;
        let mut heard = None;
        match world.sweep_box(kind.half, record.pose, motion) {
            None => record.pose.position += motion,
            Some(hit) => heard = record.touch(&kind, hit.normal, hit.fraction, motion),
        }
        if record.is(part_flag::LYING) {
            record.lie_down();
        } else {
            record.pose.rotation = record.pose.rotation.integrate(record.spin, dt);
        }
        record.transform = Rigid::from_pose(&record.pose);
        let at = record.pose.position;
        if let Some(volume) = heard.filter(|_| kind.sound != 0) {
            world.play_sound(kind.sound, at, volume);
        }
    }

    /// Caches where each part is, moves the body along, and tells what lies in the trunk.
    // Covers: seed 000, Car_CachePartTransforms (0x00387780) test=parts_move_with_their_car
    pub fn cache_part_transforms(&mut self, world: &mut dyn World, id: TaskId) {
        let Some(pose) = self.manager.head(id).map(|head| Pose::new(head.rotation, head.position)) else { return };
        let outer = Rigid::from_pose(&pose);
        let offsets: Option<[Vec3; PARTS]> = self.car_type(id).map(|kind| kind.parts.each_ref().map(|p| p.offset));
        let (Some(offsets), Some(car)) = (offsets, self.car_mut(id)) else { return };
        for (part, (record, offset)) in car.parts.iter_mut().zip(offsets).enumerate() {
            if car.flying >> part & 1 == 0 {
                let inner = Rigid { origin: offset, ..Rigid::default() };
                record.transform = inner.within(&outer);
            }
        }
        let (body, trunk) = (car.body, car.trunk);
        let lid = car.parts[1].transform.origin;
        if let Some(body) = body {
            world.place_body(self, body);
        }
        if !trunk.is_nil() {
            let at = [Argument::Vec4([lid.x, lid.y, lid.z, 1.0])];
            let _ = self.send_message(world, trunk, number::TRUNK_POSE, &at);
            let _ = self.send_message(world, trunk, number::TRUNK_MOVED, &[]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fake::{FakeWorld, engine};
    use super::super::super::world::BoxHit;
    use super::super::tests::{car, handle};
    use super::*;

    #[test]
    fn a_cleared_part_is_whole_and_in_place() {
        let mut part = CarPart { flags: 3, contacts: 2, lifetime: 9, damage: 5, ..CarPart::default() };
        part.init();
        assert_eq!(part, CarPart::default());
    }

    #[test]
    fn a_reset_part_ends_what_hangs_on_it() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        let smoke = tasks.spawn_test_particle(&mut world, 0);
        tasks.car_mut(id).unwrap().parts[4].attached = tasks.manager.head(smoke).unwrap().handle;
        world.log.clear();
        tasks.reset_car_part(&mut world, id, 4);
        tasks.reset_car_part(&mut world, id, 4);
        assert_eq!(world.log_count("type particle"), 1, "message 0x15, once: {:?}", world.log);
        assert!(world.log[0].ends_with(" 21"));
    }

    #[test]
    fn a_repaired_car_is_whole() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        let target = handle(&tasks, id);
        let record = tasks.car_mut(id).unwrap();
        (record.removed, record.open, record.flying, record.parts[3].damage) = (6, 1, 8, 40);
        assert!(tasks.repair_car(&mut world, target));
        let record = tasks.car(id).unwrap();
        assert_eq!((record.removed, record.open, record.flying, record.parts[3].damage), (0, 0, 0, 0));
        assert!(!tasks.repair_car(&mut world, Handle::NIL));
    }

    #[test]
    fn damage_breaks_a_part_unless_filtered() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        let target = handle(&tasks, id);
        tasks.set_car_damage_filter(target, !(1 << 2));
        assert!(!tasks.set_car_part_damage(&mut world, target, 2, 99), "filtered");
        assert!(!tasks.set_car_part_damage(&mut world, target, 3, 10), "it stands 10");
        assert!(tasks.set_car_part_damage(&mut world, target, 3, 11));
        assert!(!tasks.break_car_part(&mut world, id, 3), "already loose");
        assert!(!tasks.break_car_part(&mut world, id, PARTS));
        let record = tasks.car(id).unwrap();
        assert_eq!((record.flying, record.parts[3].damage, record.parts[2].damage), (1 << 3, 11, 0));
    }

    #[test]
    fn a_loose_part_lives_for_360_updates() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        tasks.detach_car_part(&mut world, id, 3, Vec3::Z, false);
        assert_eq!(tasks.manager.head(id).unwrap().interval, 1, "the car updates every tick while a part flies");
        assert!(tasks.car(id).unwrap().parts[3].spin != Vec3::ZERO);
        for _ in 0..359 {
            tasks.update_loose_part(&mut world, id, 3, 1.0 / 60.0);
        }
        assert_eq!(tasks.car(id).unwrap().removed, 0);
        tasks.update_loose_part(&mut world, id, 3, 1.0 / 60.0);
        let record = tasks.car(id).unwrap();
        assert_eq!((record.removed, record.flying), (1 << 3, 0));
    }

    #[test]
    fn what_hangs_on_a_loose_part_is_told_once_below_91() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        tasks.detach_car_part(&mut world, id, 3, Vec3::Z, false);
        let smoke = tasks.spawn_test_particle(&mut world, 0);
        tasks.car_mut(id).unwrap().parts[3].attached = tasks.manager.head(smoke).unwrap().handle;
        tasks.car_mut(id).unwrap().parts[3].lifetime = 92;
        world.log.clear();
        tasks.update_loose_part(&mut world, id, 3, 1.0 / 60.0);
        assert_eq!(world.log_count("type particle"), 0);
        tasks.update_loose_part(&mut world, id, 3, 1.0 / 60.0);
        tasks.update_loose_part(&mut world, id, 3, 1.0 / 60.0);
        assert_eq!(world.log_count("type particle"), 1);
    }

    #[test]
    fn a_loose_part_falls_bounces_and_lies_flat() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        tasks.detach_car_part(&mut world, id, 3, Vec3::new(0.0, 0.0, -6.0), false);
        let part = &mut tasks.car_mut(id).unwrap().parts[3];
        part.pose.rotation = Quat::from_axis_angle(Vec3::X, 0.5);
        let start = part.pose.position.z;
        tasks.update_loose_part(&mut world, id, 3, 1.0 / 60.0);
        let part = &tasks.car(id).unwrap().parts[3];
        assert!((part.velocity.z + 6.0 + GRAVITY / 60.0).abs() < 1e-5);
        assert!((part.pose.position.z - start - part.velocity.z / 60.0).abs() < 1e-5);
        world.box_hit = Some(BoxHit { fraction: 0.0, normal: Vec3::Z });
        let mut volumes = std::vec::Vec::new();
        for _ in 0..6 {
            tasks.car_mut(id).unwrap().parts[3].velocity = Vec3::new(0.0, 0.0, -6.0);
            world.log.clear();
            tasks.update_loose_part(&mut world, id, 3, 0.0);
            volumes.extend(world.log.iter().filter(|l| l.starts_with("sound")).cloned());
        }
        let part = &tasks.car(id).unwrap().parts[3];
        assert!((part.velocity.z - 6.0 * 0.2 * 0.95).abs() < 1e-5, "restitution 0.2, then 0.95: {:?}", part.velocity);
        assert_eq!((part.spin, part.contacts), (Vec3::ZERO, 6));
        assert_eq!(volumes, ["sound 31 0.5", "sound 31 0.33333334", "sound 31 0.25"], "the first three are heard");
        for _ in 0..10 {
            tasks.update_loose_part(&mut world, id, 3, 0.0);
        }
        let up = tasks.car(id).unwrap().parts[3].pose.rotation.axis_z();
        assert!(up.z > 0.9999, "{up:?}");
    }

    #[test]
    fn a_wall_neither_stops_the_spin_nor_is_heard() {
        let mut part = CarPart { velocity: Vec3::new(3.0, 0.0, 0.0), spin: Vec3::Y, ..CarPart::default() };
        let kind = PartType { restitution: 0.5, ..PartType::default() };
        assert_eq!(part.touch(&kind, -Vec3::X, 0.5, Vec3::new(0.1, 0.0, 0.0)), None);
        assert_eq!((part.spin, part.contacts), (Vec3::Y, 0));
        assert!((part.velocity.x + 1.5 * 0.95).abs() < 1e-6);
        assert!((part.pose.position.x - 0.04).abs() < 1e-6, "0.05 deep less the back-off");
    }

    #[test]
    fn a_removed_part_takes_its_link_along() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        let target = handle(&tasks, id);
        assert!(tasks.remove_car_part(&mut world, target, 2));
        assert_eq!(tasks.car(id).unwrap().removed, 1 << 2 | 1 << 18, "a door takes its window along");
        assert!(!tasks.remove_car_part(&mut world, target, PARTS));
    }

    #[test]
    fn parts_move_with_their_car() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::new(5.0, 0.0, 0.0));
        let origin = tasks.car(id).unwrap().parts[2].transform.origin;
        assert_eq!(origin, Vec3::new(4.0, 0.5, 0.2));
        let trunk = tasks.spawn_test_particle(&mut world, 0);
        tasks.car_mut(id).unwrap().trunk = tasks.manager.head(trunk).unwrap().handle;
        tasks.manager.head_mut(id).unwrap().position = Vec3::ZERO;
        world.log.clear();
        tasks.cache_part_transforms(&mut world, id);
        assert_eq!(tasks.car(id).unwrap().parts[2].transform.origin, Vec3::new(-1.0, 0.5, 0.2));
        assert_eq!(world.log_count("place_body"), 1);
        let told: std::vec::Vec<_> = world.log.iter().filter(|l| l.starts_with("type")).collect();
        assert!(told[0].ends_with(" 53") && told[1].ends_with(" 64"), "0x35 and 0x40: {told:?}");
    }
}
