//! The tasks as the physics sees them: owners of bodies.
//!
//! Whoever steps the game sweeps a task's body with a [`TaskOwners`] over the engine. Contacts are answered on the spot;
//! what they do beyond the sweep (sounds, wear, smoke) waits in the task until its update goes on. Humans are not the
//! engine's: their part comes from a second store.

use super::engine::TaskEngine;
use super::head::flag;
use super::ids::{TASKS, TaskClass, TaskId};
use super::objects::hits::ObjectContact;
use super::objects::types::ObjectType;
use crate::collision::CollisionMesh;
use crate::maths::{Pose, Quat, Vec3};
use crate::physics::PhysicsWorld;
use crate::physics::car_parts::car_answer;
use crate::physics::contact::Contact;
use crate::physics::flags::{Answer, BodyFlags, TypeMask};
use crate::physics::ids::OwnerId;
use crate::physics::owner::{Attribute, HumanState, Owners, PushedBy};

/// The owner's number of a task.
pub fn owner_of(id: TaskId) -> OwnerId {
    OwnerId(u32::from(id.raw()))
}

/// The task of an owner's number; no task for numbers that are none.
pub fn task_of(owner: OwnerId) -> TaskId {
    if (owner.0 as usize) < TASKS { TaskId::from_row(owner.0 as u16) } else { TaskId::NONE }
}

/// The tasks, and the store of the humans.
pub struct TaskOwners<'a> {
    tasks: &'a mut TaskEngine,
    humans: Option<&'a mut dyn Owners>,
}

impl core::fmt::Debug for TaskOwners<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TaskOwners").field("humans", &self.humans.is_some()).finish_non_exhaustive()
    }
}

impl<'a> TaskOwners<'a> {
    /// The tasks alone.
    pub fn new(tasks: &'a mut TaskEngine) -> Self {
        Self { tasks, humans: None }
    }

    /// The tasks and the humans.
    pub fn with_humans(tasks: &'a mut TaskEngine, humans: &'a mut dyn Owners) -> Self {
        Self { tasks, humans: Some(humans) }
    }

    /// The store of the humans, when the owner is one of them.
    fn human_store(&self, owner: OwnerId) -> Option<&dyn Owners> {
        task_of(owner).index_in(TaskClass::Human)?;
        self.humans.as_deref()
    }

    fn human_store_mut(&mut self, owner: OwnerId) -> Option<&mut (dyn Owners + 'a)> {
        task_of(owner).index_in(TaskClass::Human)?;
        self.humans.as_deref_mut()
    }

    fn object_contact(&mut self, world: &mut PhysicsWorld, id: TaskId, contact: &Contact) -> Answer {
        let now = self.tasks.manager.clock.now();
        let Some((body, thrown)) = self.tasks.object(id).map(|object| (object.body, object.thrown)) else {
            return Answer::PASS;
        };
        let Some(head) = self.tasks.manager.head(id) else { return Answer::PASS };
        let rotation = head.pose_at(now, self.tasks.manager.kernels).rotation;
        let seen = ObjectContact {
            other: contact.other.owner.map(task_of),
            normal: contact.normal,
            point: contact.point,
            speed: (-head.velocity.dot(contact.normal)).max(0.0),
            wears_once: thrown,
        };
        let outcome = self.tasks.object_contact(id, &seen);
        // The throw's hit is taken by what it met first; who threw it is no contact. The flag stays with those whose kind has it.
        let ends = thrown && self.tasks.object(id).is_some_and(|object| !object.thrown);
        let kind = self.tasks.object_type(id).map_or(BodyFlags::NONE, ObjectType::body_flags);
        if let Some(body) = body.filter(|_| ends && !kind.has(BodyFlags::SWEEPS_IN_UPDATE)) {
            let flags = &mut world.body_mut(body).flags;
            *flags = flags.without(BodyFlags::SWEEPS_IN_UPDATE);
        }
        if let Some(axes) = outcome.settles_on
            && world.start_settle(owner_of(id), body, rotation, contact.normal, axes)
        {
            self.tasks.object_settles(id, rotation);
        }
        outcome.answer
    }
}

impl Owners for TaskOwners<'_> {
    fn type_mask(&self, owner: OwnerId) -> TypeMask {
        TypeMask(task_of(owner).class().map_or(0, TaskClass::type_bits))
    }

    fn pose(&self, owner: OwnerId) -> Pose {
        if let Some(humans) = self.human_store(owner) {
            return humans.pose(owner);
        }
        self.tasks.manager.head(task_of(owner)).map_or(Pose::IDENTITY, |head| Pose::new(head.rotation, head.position))
    }

    fn bone(&self, owner: OwnerId, bone: u8) -> Pose {
        self.human_store(owner).map_or_else(|| self.pose(owner), |humans| humans.bone(owner, bone))
    }

    fn held_pose(&self, owner: OwnerId) -> Option<Pose> {
        self.human_store(owner)?.held_pose(owner)
    }

    fn human(&self, owner: OwnerId) -> Option<HumanState> {
        self.human_store(owner)?.human(owner)
    }

    fn attribute(&self, owner: OwnerId, attribute: Attribute) -> f32 {
        if let Some(humans) = self.human_store(owner) {
            return humans.attribute(owner, attribute);
        }
        match self.tasks.object_type(task_of(owner)) {
            Some(kind) => kind.float_property(attribute as u32),
            // Cars, panes and what else has a body push and are pushed like an object.
            None => f32::from(u8::from(attribute == Attribute::PushWeight)),
        }
    }

    fn set_attribute(&mut self, owner: OwnerId, attribute: Attribute, value: f32) {
        if let Some(humans) = self.human_store_mut(owner) {
            humans.set_attribute(owner, attribute, value);
        }
    }

    fn has_attribute(&self, owner: OwnerId, attribute: Attribute) -> bool {
        self.human_store(owner).is_some_and(|humans| humans.has_attribute(owner, attribute))
    }

    fn state_flags(&self, owner: OwnerId) -> u32 {
        self.human_store(owner).map_or(0, |humans| humans.state_flags(owner))
    }

    fn accepts(&self, owner: OwnerId, other: OwnerId) -> bool {
        self.human_store(owner).is_none_or(|humans| humans.accepts(owner, other))
    }

    fn set_position(&mut self, owner: OwnerId, position: Vec3) {
        if let Some(humans) = self.human_store_mut(owner) {
            return humans.set_position(owner, position);
        }
        if let Some(head) = self.tasks.manager.head_mut(task_of(owner)) {
            head.position = position;
        }
    }

    /// Turns a task and stamps its time, as a settle does; nothing happens while it is held.
    fn set_rotation(&mut self, owner: OwnerId, rotation: Quat) {
        if let Some(humans) = self.human_store_mut(owner) {
            return humans.set_rotation(owner, rotation);
        }
        let (id, now) = (task_of(owner), self.tasks.manager.clock.now());
        let Some(head) = self.tasks.manager.head_mut(id).filter(|head| !head.is_attached()) else { return };
        head.last_update = now;
        let pose = Pose::new(rotation, head.position);
        self.tasks.manager.set_pose(id, pose);
    }

    fn set_velocity(&mut self, owner: OwnerId, velocity: Vec3) {
        if let Some(humans) = self.human_store_mut(owner) {
            return humans.set_velocity(owner, velocity);
        }
        if let Some(head) = self.tasks.manager.head_mut(task_of(owner)) {
            head.velocity = velocity;
        }
    }

    fn on_contact(
        &mut self,
        world: &mut PhysicsWorld,
        mesh: Option<&mut CollisionMesh>,
        owner: OwnerId,
        contact: &Contact,
    ) -> Answer {
        if let Some(humans) = self.human_store_mut(owner) {
            return humans.on_contact(world, mesh, owner, contact);
        }
        let id = task_of(owner);
        match id.class() {
            Some(TaskClass::Object) => self.object_contact(world, id, contact),
            Some(TaskClass::Car) => {
                let answered = car_answer(contact);
                if let Some(car) = self.tasks.car_mut(id) {
                    car.landed |= answered.lands;
                }
                answered.answer
            }
            // Panes, lights, particles and scenes make nothing of a contact. Source: seed 002, Contacts.
            _ => Answer::PASS,
        }
    }

    fn on_pushed(&mut self, owner: OwnerId, by: &PushedBy) {
        if let Some(humans) = self.human_store_mut(owner) {
            humans.on_pushed(owner, by);
        }
    }

    fn on_settled(&mut self, owner: OwnerId) {
        if let Some(head) = self.tasks.manager.head_mut(task_of(owner)) {
            head.flags = head.flags & !flag::SETTLING | flag::SETTLED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock::Phase;
    use super::super::engine::Creation;
    use super::super::fake::{BAT, BRICK, FakeWorld, engine};
    use super::super::objects::life::REST_INTERVAL;
    use super::super::objects::life::tests::object;
    use super::super::ticks::PAIR;
    use super::*;
    use crate::collision::scenes::{Scene, floor};
    use crate::physics::bench::{Things, human};
    use std::boxed::Box;
    use std::vec::Vec;

    /// Height of the street that the brick was dropped on.
    const FLOOR: f32 = 0.2231;

    fn street() -> FakeWorld {
        let mesh = Scene::new().with(floor(80.0, FLOOR)).mesh([8, 8, 1]);
        let mut world = FakeWorld::default();
        world.physics = Some((Box::new(PhysicsWorld::new()), mesh));
        world
    }

    /// An object of a type on the street, with its body.
    fn dropped(tasks: &mut TaskEngine, world: &mut FakeWorld, kind: u16, z: f32) -> TaskId {
        // Tilted, so that the settle has something to turn.
        let rotation = Quat::from_axis_angle(Vec3::X, 0.3);
        let at = Creation { rotation, ..Creation::at(Vec3::new(40.0, 41.0, z)) };
        let id = tasks.create_world_object(world, kind, &at).unwrap();
        let handle = tasks.manager.head(id).unwrap().handle;
        tasks.send_message(world, handle, 0x30, &[]).unwrap();
        tasks.send_message(world, handle, 28, &[]).unwrap();
        id
    }

    #[test]
    fn owners_and_tasks_name_each_other() {
        let id = TaskId::new(TaskClass::Pane, 3);
        assert_eq!(task_of(owner_of(id)), id);
        assert!(task_of(OwnerId(u32::MAX)).is_none() && task_of(owner_of(TaskId::NONE)).is_none());
    }

    #[test]
    fn a_brick_dropped_through_the_ticks_has_the_traced_velocities() {
        let (mut tasks, mut world) = (engine(), street());
        tasks.tick(&mut world, Phase::Play, 0);
        let id = dropped(&mut tasks, &mut world, BRICK, 1.30);
        let mut speeds: Vec<f32> = Vec::new();
        for pair in 1..=40 {
            for half in [0, 1] {
                // One tick at a time, so that every update is seen.
                let before = tasks.manager.head(id).unwrap().velocity.z;
                let now = tasks.manager.clock.now() + 1;
                tasks.manager.clock.set_time(now);
                if (pair, half) == (1, 0) {
                    let handle = tasks.manager.head(id).unwrap().handle;
                    tasks.send_message(&mut world, handle, 28, &[]).unwrap();
                }
                tasks.run_bucket(&mut world);
                super::super::world::World::physics_step(&mut world, &mut tasks);
                let after = tasks.manager.head(id).unwrap().velocity.z;
                if after != before {
                    speeds.push(after);
                }
            }
        }
        let traced = [
            -0.2613, -0.784, -1.3067, -1.8293, -2.352, -2.8747, -3.3973, -3.92, -4.4427, -4.9653, 0.5378, 0.2766,
            0.0153, -0.2459, -0.5072, -0.7685, 0.0,
        ];
        assert_eq!(speeds.len(), traced.len(), "{speeds:?}");
        for (n, (found, traced)) in speeds.iter().zip(traced).enumerate() {
            assert!((found - traced).abs() < 0.001, "update {n}: {found}, traced {traced}; all {speeds:?}");
        }
        let head = tasks.manager.head(id).unwrap();
        assert!((head.position.z - (FLOOR + 0.06)).abs() < 1e-3, "rests at {}", head.position.z);
        assert!(head.has(flag::GROUNDED) && !head.has(flag::AIRBORNE | flag::SETTLING | flag::SETTLED));
        assert!((head.rotation.axis_z() - Vec3::Z).length() < 1e-4, "flat: {:?}", head.rotation);
        assert_eq!(head.interval, REST_INTERVAL);
    }

    #[test]
    fn a_game_frame_drops_a_brick_to_rest() {
        let (mut tasks, mut world) = (engine(), street());
        tasks.tick(&mut world, Phase::Play, 0);
        let id = dropped(&mut tasks, &mut world, BRICK, 1.30);
        for frame in 1..=60 {
            tasks.tick(&mut world, Phase::Play, frame * PAIR);
            tasks.update_managers(&mut world, Phase::Play);
        }
        let head = tasks.manager.head(id).unwrap();
        assert!(head.has(flag::GROUNDED), "{head:?}");
        assert!((head.position.z - (FLOOR + 0.06)).abs() < 1e-3);
        let handle = head.handle;
        assert_eq!(tasks.manager.transform(handle.index()).unwrap().position, head.position);
    }

    #[test]
    fn a_thing_whose_kind_sweeps_in_its_update_wears_by_no_contact_unless_it_was_thrown() {
        let (mut tasks, mut world) = (engine(), street());
        // The first is of a kind whose body sweeps in its update for good.
        let [sweeper, plain] = [0x1d, 9].map(|kind| {
            let brick = tasks.objects.types.get(BRICK).unwrap().clone();
            let name = if kind == 9 { "plain" } else { "sweeper" };
            let own = ObjectType { wear: [9, 0], shape: brick.shape, ..ObjectType::named(name, kind) };
            let kind = tasks.objects.types.add(own).unwrap();
            let id = dropped(&mut tasks, &mut world, kind, 1.3);
            let body = tasks.object(id).unwrap().body.unwrap();
            let (mut physics, mesh) = world.physics.take().unwrap();
            let flag = |physics: &PhysicsWorld| physics.body(body).flags.has(BodyFlags::SWEEPS_IN_UPDATE);
            let mut seen = std::vec![(flag(&physics), tasks.object(id).unwrap().wear.first)];
            let contact = Contact { normal: Vec3::X, ..Contact::default() };
            let mut meet = |tasks: &mut TaskEngine, physics: &mut PhysicsWorld| {
                TaskOwners::new(tasks).on_contact(physics, None, owner_of(id), &contact);
                seen.push((flag(physics), tasks.object(id).unwrap().wear.first));
            };
            // Two moves that meet something, then a throw and two more.
            (0..2).for_each(|_| meet(&mut tasks, &mut physics));
            tasks.object_mut(id).unwrap().thrown = true;
            physics.body_mut(body).flags |= BodyFlags::SWEEPS_IN_UPDATE;
            (0..2).for_each(|_| meet(&mut tasks, &mut physics));
            world.physics = Some((physics, mesh));
            seen
        });
        let worn = |n: usize, seen: &[(bool, u8)]| seen[0].1 - seen[n].1;
        assert_eq!((1..5).map(|n| worn(n, &sweeper)).collect::<Vec<_>>(), [0, 0, 1, 1], "{sweeper:?}");
        assert_eq!((1..5).map(|n| worn(n, &plain)).collect::<Vec<_>>(), [0, 0, 1, 1], "{plain:?}");
        assert_eq!(sweeper.iter().map(|(flag, _)| *flag).collect::<Vec<_>>(), [true; 5]);
        assert_eq!(plain.iter().map(|(flag, _)| *flag).collect::<Vec<_>>(), [false; 5]);
    }

    #[test]
    fn a_held_object_passes_everything_and_is_not_turned() {
        let (mut tasks, mut world) = (engine(), street());
        let id = object(&mut tasks, &mut world, BAT, 40.0);
        let (_, holder) = tasks.create_human(|| None).unwrap();
        let head = tasks.manager.head_mut(id).unwrap();
        head.set_parent(holder);
        head.flags |= flag::ATTACHED;
        let (mut physics, _) = world.physics.take().unwrap();
        let mut owners = TaskOwners::new(&mut tasks);
        let contact = Contact { normal: Vec3::Z, ..Contact::default() };
        assert_eq!(owners.on_contact(&mut physics, None, owner_of(id), &contact), Answer::PASS);
        owners.set_rotation(owner_of(id), Quat::from_heading(1.0));
        assert_eq!(owners.pose(owner_of(id)).rotation, Quat::IDENTITY);
    }

    #[test]
    fn a_car_bounces_off_all_and_lands_on_the_level() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = super::super::cars::tests::car(&mut tasks, &mut world, Vec3::ZERO);
        let mut physics = Box::new(PhysicsWorld::new());
        let contact = Contact { normal: Vec3::Z, ..Contact::default() };
        let answer = TaskOwners::new(&mut tasks).on_contact(&mut physics, None, owner_of(id), &contact);
        assert_eq!((answer, tasks.car(id).unwrap().landed), (Answer::BOUNCE, true));
        tasks.manager.schedule_in(id, 0);
        tasks.manager.head_mut(id).unwrap().flags |= flag::AIRBORNE;
        tasks.run_bucket(&mut world);
        assert!(!tasks.car(id).unwrap().landed && !tasks.manager.head(id).unwrap().has(flag::AIRBORNE));
    }

    #[test]
    fn humans_answer_through_their_own_store() {
        let mut tasks = engine();
        let mut people = Things::new();
        let owner = people.add(human(Vec3::new(1.0, 2.0, 3.0)));
        assert_eq!(task_of(owner), TaskId::new(TaskClass::Human, 0));
        let mut owners = TaskOwners::with_humans(&mut tasks, &mut people);
        assert_eq!((owners.pose(owner).position.y, owners.type_mask(owner).0), (2.0, 0x62));
        assert!(owners.human(owner).is_some() && owners.attribute(owner, Attribute::Weight) > 50.0);
        owners.set_velocity(owner, Vec3::X);
        assert_eq!(people.get(owner).velocity, Vec3::X);
        let mut alone = TaskOwners::new(&mut tasks);
        assert_eq!(alone.human(owner), None);
        alone.set_velocity(owner, Vec3::Y);
        assert_eq!(people.get(owner).velocity, Vec3::X);
    }
}
