//! A car's parts: damage, coming loose, flying, and going. How a loose part flies is the physics' business.

use super::super::engine::{TaskEngine, number};
use super::super::handle::Handle;
use super::super::ids::TaskId;
use super::super::matrix::Rigid;
use super::super::message::Argument;
use super::super::world::World;
use super::life;
use crate::maths::{Pose, Quat, Vec3};
use crate::physics::car_parts::{LoosePart, PART_LIFETIME};
use crate::physics::constants::TICK;

/// Parts of a car. Source: seed 000, Cars.
pub const PARTS: usize = 26;
/// The part that is the boot lid, as [`super::zones::part::TRUNK`] has it.
pub const TRUNK_LID: usize = 1;

/// One part. Source: seed 000, Cars (records of 0xa0 bytes).
#[derive(Clone, Debug, Default)]
pub struct CarPart {
    /// Damage so far.
    pub damage: i32,
    /// How it flies, while it is off the car.
    pub loose: Option<LoosePart>,
    /// Where it is in the world, cached for drawing.
    pub transform: Rigid,
    /// What hangs on it.
    pub attached: Handle,
}

impl CarPart {
    /// Clears the record; where the part was stays cached until its car moves.
    // Covers: seed 000, CarPart_Init (0x00387368) test=a_cleared_part_is_whole_and_in_place
    pub fn init(&mut self) {
        self.damage = 0;
        self.loose = None;
        self.attached = Handle::NIL;
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
        let mut loose = LoosePart::new(pose, velocity, spin, kind.half, kind.restitution);
        // What hangs by a hinge swings before it falls.
        loose.flying = !kind.hinged || blown_off;
        car.parts[part].loose = Some(loose);
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

    /// One update of a loose part: it counts down, swings or flies, is heard, and is removed in the end.
    // Covers: seed 000, Car_UpdateLoosePart (0x00387f18) test=a_loose_part_lives_for_360_updates
    pub fn update_loose_part(&mut self, world: &mut dyn World, id: TaskId, part: usize) {
        let Some(sound) = self.car_type(id).and_then(|kind| kind.parts.get(part)).map(|kind| kind.sound) else {
            return;
        };
        let Some(mut loose) = self.car(id).and_then(|car| car.parts[part].loose) else { return };
        if !loose.flying {
            loose.pose.rotation = self.manager.kernels.integrate(loose.pose.rotation, loose.spin, TICK);
            loose.flying = PART_LIFETIME - loose.lifetime() >= life::HINGE_UPDATES;
        }
        let events = world.fly_part(self, &mut loose);
        let Some(record) = self.car_mut(id).map(|car| &mut car.parts[part]) else { return };
        record.loose = Some(loose);
        record.transform = Rigid::from_pose(&loose.pose);
        let attached = record.attached;
        if events.farewell && !attached.is_nil() {
            let _ = self.send_message(world, attached, number::END, &[]);
        }
        if events.removed {
            self.take_part_off(world, id, part);
        }
        if let Some(volume) = events.sound.filter(|_| sound != 0) {
            world.play_sound(sound, loose.pose.position, volume);
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
        let lid = car.parts[TRUNK_LID].transform.origin;
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
    use super::super::tests::{car, handle};
    use super::*;

    fn loose() -> LoosePart {
        LoosePart::new(Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::splat(0.3), 0.2)
    }

    #[test]
    fn a_cleared_part_is_whole_and_in_place() {
        let attached = Handle::from_raw(1);
        let mut part = CarPart { damage: 5, loose: Some(loose()), attached, ..CarPart::default() };
        part.init();
        assert_eq!((part.damage, part.loose.is_none(), part.attached), (0, true, Handle::NIL));
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

    fn updates(tasks: &mut TaskEngine, world: &mut FakeWorld, id: TaskId, part: usize, count: u32) {
        (0..count).for_each(|_| tasks.update_loose_part(world, id, part));
    }

    #[test]
    fn a_loose_part_lives_for_360_updates() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        tasks.detach_car_part(&mut world, id, 3, Vec3::Z, false);
        assert_eq!(tasks.manager.head(id).unwrap().interval, 1, "the car updates every tick while a part flies");
        assert!(tasks.car(id).unwrap().parts[3].loose.unwrap().spin != Vec3::ZERO);
        let start = tasks.car(id).unwrap().parts[3].loose.unwrap().pose.position;
        updates(&mut tasks, &mut world, id, 3, 359);
        let part = &tasks.car(id).unwrap().parts[3];
        assert!(part.loose.unwrap().pose.position.z < start.z - 100.0, "nothing holds it");
        assert_eq!((part.transform.origin, tasks.car(id).unwrap().removed), (part.loose.unwrap().pose.position, 0));
        updates(&mut tasks, &mut world, id, 3, 1);
        let record = tasks.car(id).unwrap();
        assert_eq!((record.removed, record.flying, record.parts[3].loose.is_none()), (1 << 3, 0, true));
    }

    #[test]
    fn what_hangs_on_a_loose_part_is_told_once_below_91() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        tasks.detach_car_part(&mut world, id, 3, Vec3::Z, false);
        let smoke = tasks.spawn_test_particle(&mut world, 0);
        tasks.car_mut(id).unwrap().parts[3].attached = tasks.manager.head(smoke).unwrap().handle;
        world.log.clear();
        updates(&mut tasks, &mut world, id, 3, 269);
        assert_eq!(world.log_count("type particle"), 0);
        updates(&mut tasks, &mut world, id, 3, 90);
        assert_eq!(world.log_count("type particle"), 1);
    }

    #[test]
    fn a_loose_part_is_heard_on_the_floor_and_comes_to_lie_there() {
        use crate::collision::scenes::{Scene, floor};
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
        world.physics = Some((std::boxed::Box::new(crate::physics::PhysicsWorld::new()), mesh));
        let id = car(&mut tasks, &mut world, Vec3::new(40.0, 40.0, 2.0));
        tasks.detach_car_part(&mut world, id, 3, Vec3::ZERO, false);
        updates(&mut tasks, &mut world, id, 3, 300);
        let part = tasks.car(id).unwrap().parts[3].loose.unwrap();
        assert!((part.pose.position.z - 0.3).abs() < 0.05, "{:?}", part.pose);
        assert!(part.pose.rotation.axis_z().z.abs() > 0.999);
        assert!(world.log_count("sound 31") >= 1);
    }

    #[test]
    fn a_hinged_part_swings_before_it_falls() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        let mut kind = tasks.car_type(id).unwrap().clone();
        kind.parts[3].hinged = true;
        tasks.cars.set_type(4, kind);
        tasks.detach_car_part(&mut world, id, 3, Vec3::ZERO, false);
        let start = tasks.car(id).unwrap().parts[3].loose.unwrap().pose;
        updates(&mut tasks, &mut world, id, 3, u32::from(life::HINGE_UPDATES));
        let swung = tasks.car(id).unwrap().parts[3].loose.unwrap().pose;
        assert_eq!(swung.position, start.position);
        assert_ne!(swung.rotation, start.rotation);
        updates(&mut tasks, &mut world, id, 3, 10);
        assert!(tasks.car(id).unwrap().parts[3].loose.unwrap().pose.position.z < start.position.z);
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
