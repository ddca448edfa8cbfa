use super::*;
use crate::collision::scenes::{Scene, floor, wall};
use crate::physics::bench::{Things, human, world_object};
use crate::physics::create::ObjectShape;

const FLOOR: f32 = 0.2231;
const BRICK: ObjectShape = ObjectShape::Box { size: Vec3::new(0.07, 0.21, 0.10), centre: Vec3::ZERO };

struct Street {
    world: PhysicsWorld,
    things: Things,
    mesh: CollisionMesh,
    next: u32,
}

impl Street {
    fn new(floor_z: f32) -> Self {
        let mesh = Scene::new().with(floor(80.0, floor_z)).mesh([8, 8, 1]);
        Self { world: PhysicsWorld::new(), things: Things::new(), mesh, next: 0 }
    }

    fn object(&mut self, pose: Pose, shape: ObjectShape, axes: RestAxes) -> OwnerId {
        let owner = self.things.add(world_object(WorldObject { axes, ..WorldObject::new(pose) }));
        let body = self.world.create_object_body(owner, shape, 1, BodyFlags::NONE, &self.things);
        self.state(owner).body = body;
        owner
    }

    fn state(&mut self, owner: OwnerId) -> &mut WorldObject {
        self.things.object_mut(owner).expect("a world object")
    }

    /// One tick: the wheel updates the object when it is due, then the physics step runs.
    fn tick(&mut self, owner: OwnerId, now: u32) -> bool {
        self.things.now = now;
        let due = now >= self.next;
        if due {
            update_object(&mut self.world, &mut self.mesh, &mut self.things, owner, now);
            let body = self.state(owner).body.map_or(BodyFlags::NONE, |body| self.world.body(body).flags);
            self.next = now + self.state(owner).interval(body);
        }
        self.world.step(&mut self.things);
        due
    }
}

fn at(z: f32) -> Pose {
    Pose::new(Quat::IDENTITY, Vec3::new(40.0, 41.0, z))
}

#[test]
fn a_dropped_brick_gives_the_traced_velocities() {
    let mut street = Street::new(FLOOR);
    // The height from which the eleventh update is the one that meets the floor, as in the trace.
    let tilt = Quat::from_axis_angle(Vec3::X, 0.3);
    let brick = street.object(Pose::new(tilt, at(1.30).position), BRICK, RestAxes::XZ);
    street.state(brick).drop_at(0);
    let mut speeds = alloc::vec::Vec::new();
    let mut rest = None;
    for now in 0..=60 {
        if street.tick(brick, now) {
            speeds.push(street.state(brick).velocity.z);
        }
        let flags = street.state(brick).flags;
        if rest.is_none() && flags.has(ObjectFlags::GROUNDED) {
            rest = Some(now);
            assert!(!flags.has(ObjectFlags::AIRBORNE) && !flags.has(ObjectFlags::SETTLED));
        }
    }
    let expected = [
        -0.2613, -0.784, -1.3067, -1.8293, -2.352, -2.8747, -3.3973, -3.92, -4.4427, -4.9653, 0.5378, 0.2766, 0.0153,
        -0.2459, -0.5072, -0.7685, 0.0,
    ];
    for (n, (found, expected)) in speeds.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 0.001, "update {n}: {found}, traced {expected}; all {speeds:?}");
    }
    assert_eq!(rest, Some(32));
    let state = street.state(brick);
    assert!((state.pose.position.z - (FLOOR + 0.06)).abs() < 1e-3, "rests at {}", state.pose.position.z);
    assert!((state.pose.rotation.axis_z() - Vec3::Z).length() < 1e-4);
    assert_eq!(state.interval(BodyFlags::NONE), RESTING_INTERVAL);
}

#[test]
fn a_tilted_brick_bounces_once_and_rests_flat() {
    let mut street = Street::new(0.0);
    let tilt = Quat::from_axis_angle(Vec3::X, 15.0_f32.to_radians());
    let brick = street.object(Pose::new(tilt, at(1.18).position), BRICK, RestAxes::XZ);
    street.state(brick).drop_at(0);
    let (mut last, mut bounces) = (0.0_f32, 0);
    for now in 0..=60 {
        street.tick(brick, now);
        let v = street.state(brick).velocity.z;
        if last < -1.0 && v > 0.0 {
            bounces += 1;
            let impact = last - GRAVITY / 30.0;
            assert!((v + impact * 0.1 * 0.98).abs() < 1e-3, "{impact} came back as {v}");
        }
        last = v;
    }
    assert_eq!(bounces, 1);
    let pose = street.state(brick).pose;
    assert!((pose.position.z - 0.06).abs() < 1e-3, "rests at {}", pose.position.z);
    assert!((pose.rotation.axis_z() - Vec3::Z).length() < 1e-4);
}

#[test]
fn a_type_without_rest_axes_never_settles() {
    let mut street = Street::new(0.0);
    let chair = street.object(at(1.0), BRICK, RestAxes::NONE);
    street.state(chair).drop_at(0);
    for now in 0..120 {
        street.tick(chair, now);
    }
    let flags = street.state(chair).flags;
    assert!(flags.has(ObjectFlags::AIRBORNE) && !flags.has(ObjectFlags::SETTLING), "{flags:?}");
    assert_eq!(street.world.settling(), 0);
}

#[test]
fn a_wall_bounces_without_friction_or_scale() {
    let mut street = Street::new(-50.0);
    street.mesh = Scene::new().with(wall([41.0, 80.0], [41.0, 0.0], [0.0, 30.0])).mesh([8, 8, 1]);
    let ball = ObjectShape::Sphere { size: Vec3::splat(0.2), centre: Vec3::ZERO };
    let id = street.object(Pose::new(Quat::IDENTITY, Vec3::new(40.8, 40.0, 10.0)), ball, RestAxes::Z);
    street.state(id).drop_at(0);
    street.state(id).velocity = Vec3::new(6.0, 1.0, GRAVITY / 60.0);
    // The first update is one tick: 0.1 m takes the ball to the wall's face exactly.
    street.tick(id, 0);
    street.tick(id, 2);
    let v = street.state(id).velocity;
    assert!((v.x + 0.6).abs() < 1e-4 && (v.y - 1.0).abs() < 1e-5, "{v:?}");
    assert_eq!(street.world.settling(), 0);
}

#[test]
fn a_released_throw_starts_at_the_hand_with_a_step_of_one_tick() {
    let mut street = Street::new(0.0);
    let ball = ObjectShape::Sphere { size: Vec3::splat(0.2), centre: Vec3::ZERO };
    let id = street.object(at(1.0), ball, RestAxes::NONE);
    let release = Release { position: Vec3::new(40.0, 40.0, 5.0), velocity: Vec3::X * 6.0 };
    street.state(id).throw_at(7, release, Vec3::ZERO);
    street.tick(id, 20);
    let position = street.state(id).pose.position;
    assert!((position - Vec3::new(40.1, 40.0, 5.0 - GRAVITY / 3600.0)).length() < 1e-5, "{position:?}");
}

#[test]
fn a_thrown_object_aborts_on_a_human_and_passes_its_holder() {
    let mut street = Street::new(0.0);
    let ball = ObjectShape::Sphere { size: Vec3::splat(0.2), centre: Vec3::ZERO };
    let man = street.things.add(human(Vec3::new(40.5, 40.0, 0.0)));
    let body = street.world.create_human_body(man, &street.things).unwrap();
    street.world.update_body(body, &mut street.things);
    let id = street.object(at(1.0), ball, RestAxes::NONE);
    let release = Release { position: Vec3::new(40.0, 40.0, 1.0), velocity: Vec3::X * 30.0 };
    street.state(id).throw_at(0, release, Vec3::ZERO);
    street.tick(id, 0);
    assert_eq!(street.state(id).event, Some(ObjectEvent::HitHuman(man)));
    assert!((street.state(id).pose.position.x - 40.0).abs() < 1e-6, "the move is aborted");

    street.state(id).throw_at(10, release, Vec3::ZERO);
    street.state(id).holder = Some(man);
    street.next = 0;
    street.tick(id, 10);
    assert!(street.state(id).pose.position.x > 40.4);
}

#[test]
fn a_throw_wears_once_and_a_worn_object_breaks_without_a_bounce() {
    let mut street = Street::new(0.0);
    let id = street.object(at(0.06), BRICK, RestAxes::Z);
    let body = street.state(id).body.unwrap();
    street.world.body_mut(body).flags |= BodyFlags::SWEEPS_IN_UPDATE;
    street.state(id).wear = Wear::from_type(0, 2);
    street.state(id).drop_at(0);
    street.state(id).velocity.z = -3.0;
    street.tick(id, 0);
    assert_eq!(street.state(id).wear, Wear { first: 0xff, second: 1 });
    assert!(!street.world.body(body).flags.has(BodyFlags::SWEEPS_IN_UPDATE));
    street.world.body_mut(body).flags |= BodyFlags::SWEEPS_IN_UPDATE;
    street.state(id).velocity.z = -3.0;
    street.next = 0;
    street.tick(id, 1);
    assert_eq!(street.state(id).event, Some(ObjectEvent::Broke));
    assert_eq!(street.state(id).velocity, Vec3::ZERO);
}

#[test]
fn a_held_object_is_not_turned_and_does_not_settle() {
    let mut street = Street::new(0.0);
    let id = street.object(at(0.06), BRICK, RestAxes::Z);
    street.state(id).flags = ObjectFlags::HELD.with(ObjectFlags::AIRBORNE);
    let turned = Quat::from_axis_angle(Vec3::X, 1.0);
    street.state(id).settle_turn(turned, 9);
    assert_eq!(street.state(id).pose.rotation, Quat::IDENTITY);
    street.state(id).velocity.z = -3.0;
    street.tick(id, 1);
    assert_eq!(street.world.settling(), 0);
}

#[test]
fn sixty_five_landings_start_sixty_four_settles() {
    let mut street = Street::new(0.0);
    let mut bricks = alloc::vec::Vec::new();
    for n in 0..65 {
        let place = Vec3::new(3.0 + (n % 9) as f32, 40.0 + (n / 9) as f32, 0.08);
        let pose = Pose::new(Quat::from_axis_angle(Vec3::X, 0.1), place);
        let id = street.object(pose, BRICK, RestAxes::XZ);
        street.state(id).drop_at(0);
        street.state(id).velocity.z = -3.0;
        bricks.push(id);
    }
    for &id in &bricks {
        update_object(&mut street.world, &mut street.mesh, &mut street.things, id, 0);
    }
    let settling = bricks.iter().filter(|&&id| street.state(id).flags.has(ObjectFlags::SETTLING)).count();
    assert_eq!((settling, street.world.settling(), street.world.counters().settles_refused), (64, 64, 1));
}

#[test]
fn removing_an_object_ends_its_settle_and_frees_its_body() {
    let mut street = Street::new(0.0);
    let id = street.object(at(0.06), BRICK, RestAxes::Z);
    street.state(id).drop_at(0);
    street.state(id).velocity.z = -3.0;
    street.tick(id, 0);
    assert_eq!(street.world.settling(), 1);
    remove_object(&mut street.world, &mut street.things, id);
    assert_eq!((street.world.settling(), street.world.live_bodies().len()), (0, 0));
    assert_eq!(street.state(id).body, None);
}
