//! A made-up level with the game's own objects on it: tasks on the wheel, bodies in the world, contacts answered by the
//! engine. For scenes that print facts, for figures and for tests; nothing else is on it, and nobody hears anything.

use super::PhysicsWorld;
use super::create::ObjectShape;
use super::kernels::Kernels;
use super::settle::RestAxes;
use crate::collision::CollisionMesh;
use crate::maths::{Pose, Vec3};
use crate::tasks::engine::{Creation, TaskEngine};
use crate::tasks::head::{TaskHead, flag};
use crate::tasks::ids::TaskId;
use crate::tasks::objects::types::ObjectType;
use crate::tasks::quiet::{QuietWorld, Stage};
use crate::tasks::scenarios::empty_engine;
use crate::tasks::world::World as _;
use alloc::boxed::Box;

/// The layer by which flying objects meet each other (PHYFLAG BLOCKOBJECTS).
const MEETS_OBJECTS: u16 = 1;

/// The street: one engine, one physics, one mesh.
pub struct Street {
    /// The tasks.
    pub tasks: Box<TaskEngine>,
    /// What they ask of the world.
    pub world: QuietWorld,
}

impl Street {
    /// A street on a mesh, without anything on it.
    pub fn new(mesh: CollisionMesh) -> Self {
        let stage = Some(Box::new(Stage { physics: PhysicsWorld::new(), mesh }));
        Self { tasks: Box::new(empty_engine()), world: QuietWorld { stage, ..QuietWorld::default() } }
    }

    /// A type of things that bounce with 0.1, as most do, and never wear; `None` when there are too many types.
    pub fn kind(&mut self, shape: ObjectShape, axes: RestAxes) -> Option<u16> {
        /// Kind 3: loose things without a rule of their own.
        const LOOSE: u8 = 3;
        let types = &mut self.tasks.objects.types;
        let named = ObjectType::named("thing", LOOSE);
        // Types are found by their hash: each has one of its own.
        let hash = named.hash.wrapping_add(types.len() as u32);
        let (weight, restitution, physics_flags) = (10.0, 0.1, MEETS_OBJECTS);
        types.add(ObjectType { hash, shape, axes, weight, restitution, physics_flags, ..named })
    }

    /// Something of a type, with its body, in the air from now on; `None` when it cannot be made.
    pub fn drop_thing(&mut self, kind: u16, pose: Pose) -> Option<TaskId> {
        let Self { tasks, world } = self;
        let at = Creation { rotation: pose.rotation, ..Creation::at(pose.position) };
        let id = tasks.create_world_object(world, kind, &at).ok()?;
        tasks.create_object_body(world, id);
        if let Some(body) = tasks.object(id).and_then(|object| object.body) {
            world.place_body(tasks, body);
        }
        tasks.drop_object(id);
        Some(id)
    }

    /// Gives something a velocity in metres a second and a spin in radians a second.
    pub fn push(&mut self, id: TaskId, velocity: Vec3, spin: Vec3) {
        self.tasks.set_object_velocity(id, velocity);
        if let Some(head) = self.tasks.manager.head_mut(id) {
            head.set_angular_velocity(spin);
        }
    }

    /// The next tick begins; what is dropped from now on falls in it.
    pub fn begin_tick(&mut self) {
        let next = self.tasks.manager.clock.now().wrapping_add(1);
        self.tasks.manager.clock.set_time(next);
    }

    /// The tick's bucket of the wheel: whose turn it is moves.
    pub fn run_wheel(&mut self) {
        self.tasks.run_bucket(&mut self.world);
    }

    /// The world's own step, which ends the tick.
    pub fn step(&mut self) {
        self.world.physics_step(&mut self.tasks);
    }

    /// A whole tick.
    pub fn tick(&mut self) {
        self.begin_tick();
        self.run_wheel();
        self.step();
    }

    /// A thing's head, while it is there.
    pub fn head(&self, id: TaskId) -> Option<&TaskHead> {
        self.tasks.manager.head(id)
    }

    /// The bits of a thing's flags by which it flies, settles and rests; none when it is gone.
    pub fn motion(&self, id: TaskId) -> u32 {
        const MOTION: u32 = flag::AIRBORNE | flag::SETTLING | flag::SETTLED | flag::GROUNDED;
        self.head(id).map_or(0, |head| head.flags & MOTION)
    }

    /// The physics.
    pub fn physics(&mut self) -> Option<&mut PhysicsWorld> {
        self.world.stage.as_deref_mut().map(|stage| &mut stage.physics)
    }

    /// Chooses the kernels' twins.
    pub fn set_kernels(&mut self, kernels: Kernels) {
        self.tasks.manager.kernels = kernels;
        if let Some(physics) = self.physics() {
            physics.set_kernels(kernels);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Scene, floor};
    use crate::maths::Quat;
    use crate::physics::constants::{GRAVITY, STEP};

    const BRICK: ObjectShape = ObjectShape::Box { size: Vec3::new(0.07, 0.21, 0.10), centre: Vec3::ZERO };

    /// A tilted thing that falls from a height in metres onto a floor at 0.
    fn falling(axes: RestAxes, height: f32, tilt: f32) -> (Street, TaskId) {
        let mut street = Street::new(Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]));
        let kind = street.kind(BRICK, axes).unwrap();
        let pose = Pose::new(Quat::from_axis_angle(Vec3::X, tilt), Vec3::new(40.0, 41.0, height));
        let id = street.drop_thing(kind, pose).unwrap();
        (street, id)
    }

    #[test]
    fn a_tilted_brick_bounces_once_and_rests_flat() {
        let (mut street, brick) = falling(RestAxes::XZ, 1.18, 15.0_f32.to_radians());
        let (mut last, mut bounces) = (0.0_f32, 0);
        for _ in 0..=60 {
            street.tick();
            let v = street.head(brick).unwrap().velocity.z;
            if last < -1.0 && v > 0.0 {
                bounces += 1;
                let impact = last - GRAVITY * STEP;
                assert!((v + impact * 0.1 * 0.98).abs() < 1e-3, "{impact} came back as {v}");
            }
            last = v;
        }
        assert_eq!(bounces, 1);
        let head = street.head(brick).unwrap();
        assert!((head.position.z - 0.06).abs() < 1e-3, "rests at {}", head.position.z);
        assert!((head.rotation.axis_z() - Vec3::Z).length() < 1e-4);
        assert_eq!(street.motion(brick), flag::GROUNDED);
    }

    #[test]
    fn a_type_without_rest_axes_never_settles() {
        let (mut street, chair) = falling(RestAxes::NONE, 1.0, 0.0);
        for _ in 0..120 {
            street.tick();
            assert_eq!(street.motion(chair), flag::AIRBORNE);
        }
        assert_eq!(street.physics().unwrap().settling(), 0);
    }

    #[test]
    fn removing_an_object_ends_its_settle_and_frees_its_body() {
        let (mut street, id) = falling(RestAxes::Z, 0.08, 0.1);
        street.push(id, Vec3::Z * -3.0, Vec3::ZERO);
        street.tick();
        let physics = street.physics().unwrap();
        assert_eq!((physics.settling(), physics.live_bodies().len()), (1, 1));
        street.tasks.release(&mut street.world, id);
        let physics = street.physics().unwrap();
        assert_eq!((physics.settling(), physics.live_bodies().len()), (0, 0));
    }

    #[test]
    fn what_its_owner_carries_about_sweeps_what_is_in_its_way_at_its_own_updates() {
        /// One of the kinds whose bodies start with 0x801.
        const CARRIED: u8 = 0x1d;
        let mut street = Street::new(Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]));
        let ball = ObjectShape::Sphere { size: Vec3::splat(1.0), centre: Vec3::ZERO };
        let kinds = [street.kind(ball, RestAxes::NONE), street.kind(ball, RestAxes::NONE)].map(Option::unwrap);
        let carried = street.tasks.objects.types.get(kinds[0]).unwrap();
        let carried = ObjectType { kind: CARRIED, hash: 1, ..carried.clone() };
        let carried = street.tasks.objects.types.add(carried).unwrap();
        let [id, other] = [(carried, 40.0), (kinds[1], 41.5)].map(|(kind, x)| {
            let id = street.drop_thing(kind, Pose::new(Quat::IDENTITY, Vec3::new(x, 41.0, 5.0))).unwrap();
            // Neither falls.
            street.tasks.manager.head_mut(id).unwrap().flags &= !flag::AIRBORNE;
            id
        });
        street.tick();
        // Whoever carries it on tells nobody.
        street.tasks.manager.head_mut(id).unwrap().position.x = 40.8;
        (0..2).for_each(|_| street.tick());
        let x = [id, other].map(|id| street.head(id).unwrap().position.x);
        assert!((x[0] - 40.49).abs() < 1e-4 && x[1] == 41.5, "it stops short of the other: {x:?}");
    }
}
