//! A car's life: body, update, landing, trunk, radio, sound, hits, explosion, drawing.

use super::super::clock::Ticks;
use super::super::engine::{Creation, TaskEngine, number};
use super::super::handle::Handle;
use super::super::head::{GRAVITY, flag};
use super::super::ids::{TaskClass, TaskId};
use super::super::manager::Stay;
use super::super::message::Argument;
use super::super::names::name_hash;
use super::super::world::{BodySpec, InstanceId, World};
use super::parts::{PARTS, TRUNK_LID};
use super::{CarTask, Rock};
use crate::maths::{Pose, Quat, Vec3};
use crate::physics::car_parts::SMOKE_POINT;

/// Ticks between updates of a car that nothing happens to. Our choice.
pub const IDLE_INTERVAL: u16 = 20;
/// Ticks between updates while something moves. Source: seed 002, Cars.
pub const BUSY_INTERVAL: u16 = 1;
/// Updates that a part swings on its hinge before it falls. Our choice.
pub const HINGE_UPDATES: u16 = 30;

/// How far above its origin the ray of a falling car begins, metres. Our choice.
const CLEARANCE: f32 = 0.5;

/// The kind of damage that a landing shows. Source: seed 002, Cars.
const LANDING_DAMAGE: i32 = 5;

/// Radius and damage of an exploding car. Our choice: the seed gives neither.
const EXPLOSION_RADIUS: f32 = 6.0;
const EXPLOSION_DAMAGE: i32 = 120;
/// What an exploding car throws up, from so many metres over the ground, and what it leaves. Our choice.
const FIRE: [u32; 2] = [name_hash("flame"), name_hash("spark")];
const FIRE_COUNTS: [u8; 2] = [40, 40];
const FIRE_HEIGHT: f32 = 0.8;
const SMOKE: u32 = name_hash("car_smoke");
/// Upward speed of parts that are blown off, metres a second. Our choice.
const BLOW_UP: f32 = 7.0;

/// How far below the lid a thing in the trunk lies, metres. Our choice.
const BED_DEPTH: f32 = 0.3;

/// Sound of the shock absorbers. Source: seed 000, Cars (Car_StartHitRock).
pub const SHOCKS_SQUEAK: u32 = name_hash("shocks_squeak");
/// Sound of an explosion. Our choice of name.
pub const EXPLOSION_SOUND: u32 = name_hash("car_explode");
/// Type of the stereo. Our choice of name.
pub const RADIO: u32 = name_hash("sub_car_radio");

/// Rocking: radians at the start, swings a second, decay a second. Our choice.
const ROCK_AMPLITUDE: f32 = 0.05;
const ROCK_RATE: f32 = 2.0 * core::f32::consts::TAU;
const ROCK_DECAY: f32 = 2.5;
const ROCK_END: f32 = 0.002;

impl Rock {
    /// The turn of the body now, radians about the axis across the direction.
    pub fn angle(&self) -> f32 {
        let left = self.amplitude - ROCK_DECAY * self.amplitude * self.time;
        if left <= ROCK_END { 0.0 } else { left * crate::maths::scalar::sin(self.time * ROCK_RATE) }
    }

    /// Whether it still moves.
    pub fn is_active(&self) -> bool {
        self.amplitude * (1.0 - ROCK_DECAY * self.time) > ROCK_END
    }
}

impl TaskEngine {
    /// Sets the car's model instance and re-opens what was open.
    // Covers: seed 000, Car_SetInstance (0x00387650) test=tasks::cars::tests::a_cars_instance_comes_and_goes
    pub fn set_car_instance(&mut self, world: &mut dyn World, id: TaskId, instance: InstanceId) {
        self.release_car_instance(world, id);
        let Some(car) = self.car_mut(id) else { return };
        car.instance = Some(instance);
        let open = car.open;
        for part in (0..PARTS).filter(|part| open >> part & 1 == 1) {
            world.open_part(instance, part as u8);
        }
    }

    /// Gives the car's model instance back.
    // Covers: seed 000, Car_ReleaseInstance (0x00387a90) test=tasks::cars::tests::a_cars_instance_comes_and_goes
    pub fn release_car_instance(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some(instance) = self.car_mut(id).and_then(|car| car.instance.take()) {
            world.release_instance(instance);
        }
    }

    pub(super) fn make_car_body(&mut self, world: &mut dyn World, id: TaskId) {
        self.free_car_body(world, id);
        let Some(boxes) = self.car_type(id).map(|kind| kind.boxes) else { return };
        let body = world.create_body(self, id, &BodySpec::Car(boxes));
        if let Some(car) = self.car_mut(id) {
            car.body = body;
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.flags &= !flag::STATIC;
        }
    }

    /// Frees the car's body.
    // Covers: seed 000, Car_FreeBody (0x00387ee0) test=tasks::cars::tests::a_destroyed_car_gives_everything_back
    pub fn free_car_body(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some(body) = self.car_mut(id).and_then(|car| car.body.take()) {
            world.free_body(body);
        }
    }

    /// Ends a car: instance, body, sound, radio, roof lights and what hangs on its parts go.
    // Covers: seed 000, Car_Release (0x00387ad8) test=tasks::cars::tests::a_destroyed_car_gives_everything_back
    pub(in super::super) fn release_car(&mut self, world: &mut dyn World, id: TaskId) {
        self.release_car_instance(world, id);
        self.free_car_body(world, id);
        self.stop_car_sound(world, id);
        self.reset_car_parts(world, id);
        let hangers = self.car_mut(id).map(|car| [core::mem::take(&mut car.radio), core::mem::take(&mut car.lights)]);
        for hanger in hangers.into_iter().flatten() {
            if let Some(task) = self.task(hanger) {
                self.release(world, task);
            }
        }
    }

    /// The car's update: its motion in steps of a tick, its countdown, its loose parts, its sound.
    // Covers: seed 000, CarTask_Update (0x00388c80) test=tasks::cars::tests::an_update_moves_counts_down_and_flies_parts
    pub(in super::super) fn update_car(&mut self, world: &mut dyn World, id: TaskId) -> Stay {
        let now = self.manager.clock.now();
        let Some(head) = self.manager.head(id) else { return Stay::Leave };
        let ticks = now.saturating_sub(head.last_update);
        if self.car_mut(id).is_some_and(|car| core::mem::take(&mut car.landed)) {
            self.land_car(world, id);
        }
        let Some(head) = self.manager.head(id) else { return Stay::Leave };
        if head.needs_integration() {
            for _ in 0..ticks {
                self.integrate_car(world, id);
            }
        } else if let Some(head) = self.manager.head_mut(id) {
            head.last_update = now;
        }
        if self.car(id).is_some_and(|car| car.explodes_at != 0 && car.explodes_at <= now) {
            self.explode_car_now(world, id);
        }
        let flying = self.car(id).map_or(0, |car| car.flying);
        for part in (0..PARTS).filter(|part| flying >> part & 1 == 1) {
            self.update_loose_part(world, id, part);
        }
        if let Some(car) = self.car_mut(id) {
            car.rock.time = now.saturating_sub(car.rock.began) as f32 * super::super::clock::TICK_SECONDS;
        }
        self.update_car_sound(world, id);
        let (Some(car), Some(head)) = (self.car(id), self.manager.head(id)) else { return Stay::Leave };
        let busy = car.is_busy() || head.moves();
        if let Some(head) = self.manager.head_mut(id) {
            head.set_update_interval(if busy { BUSY_INTERVAL } else { IDLE_INTERVAL });
        }
        Stay::Stay
    }

    /// One tick of the car's motion: gravity while airborne, then its velocity, then its spin.
    // Covers: seed 000, Car_Integrate (0x003895d8) test=tasks::cars::tests::an_airborne_car_falls
    pub fn integrate_car(&mut self, world: &mut dyn World, id: TaskId) {
        let (dt, kernels) = (super::super::clock::TICK_SECONDS, self.manager.kernels);
        let mut lands = false;
        let Some(head) = self.manager.head_mut(id) else { return };
        head.last_update = head.last_update.saturating_add(1);
        if head.is_attached() || !head.has(flag::INTEGRATED) {
            return;
        }
        if head.has(flag::AIRBORNE) {
            head.velocity.z -= GRAVITY * dt;
        }
        let mut position = head.position + head.velocity() * dt;
        // Our choice: a car never sweeps its body (seed 002, Cars), so a ray finds the ground that it falls on.
        if head.has(flag::AIRBORNE) && head.velocity.z < 0.0 {
            let fall = head.position.z - position.z;
            let ground = world.ray(head.position + Vec3::Z * CLEARANCE, -Vec3::Z, CLEARANCE + fall);
            if let Some(hit) = ground {
                position.z = head.position.z + CLEARANCE - hit.distance;
                lands = true;
            }
        }
        let rotation = kernels.integrate(head.rotation, head.angular_velocity(), dt);
        if head.moves() {
            self.set_car_pose(world, id, Pose::new(rotation, position));
        }
        if lands {
            self.land_car(world, id);
        }
    }

    /// A car leaves what carried it: it falls from where that has brought it, and from now.
    // Covers: seed 000, Car_OnDetach (0x00389760) test=tasks::cars::tests::an_airborne_car_falls
    pub fn detach_car(&mut self, world: &mut dyn World, id: TaskId) {
        let pose = self.pose_now(world, id);
        self.set_car_pose(world, id, pose);
        let now = self.manager.clock.now();
        let Some(head) = self.manager.head_mut(id) else { return };
        head.last_update = now;
        head.flags = head.flags & !(flag::ATTACHED | flag::GROUNDED) | flag::AIRBORNE;
        head.set_parent(Handle::NIL);
        head.set_update_interval(BUSY_INTERVAL);
        self.manager.schedule(id);
    }

    /// Moves a car.
    // Covers: seed 000, Car_SetPosition (0x003897b0) test=tasks::cars::tests::a_placed_car_takes_its_parts_along
    pub fn set_car_position(&mut self, world: &mut dyn World, id: TaskId, position: Vec3) {
        let rotation = self.manager.head(id).map_or(Quat::IDENTITY, |head| head.rotation);
        self.set_car_pose(world, id, Pose::new(rotation, position));
    }

    /// Turns a car.
    // Covers: seed 000, Car_SetRotation (0x003897c8) test=tasks::cars::tests::a_placed_car_takes_its_parts_along
    pub fn set_car_rotation(&mut self, world: &mut dyn World, id: TaskId, rotation: Quat) {
        let position = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
        self.set_car_pose(world, id, Pose::new(rotation, position));
    }

    /// Moves and turns a car at once.
    // Covers: seed 000, Car_SetPose (0x00389898) test=tasks::cars::tests::a_placed_car_takes_its_parts_along
    pub fn set_car_pose(&mut self, world: &mut dyn World, id: TaskId, pose: Pose) {
        self.manager.set_pose(id, pose);
        self.cache_part_transforms(world, id);
    }

    /// Sets a car's velocity and wakes it.
    // Covers: seed 000, CarTask_SetVelocity (0x003897e0) test=tasks::cars::tests::a_pushed_car_wakes
    pub fn set_car_velocity(&mut self, id: TaskId, velocity: Vec3) {
        if let Some(head) = self.manager.head_mut(id) {
            head.set_velocity(velocity);
        }
        self.manager.wake_if_moving(id);
    }

    /// Sets a car's velocity from three components.
    // Covers: seed 000, Car_SetVelocityXYZ (0x00389800) test=tasks::cars::tests::a_pushed_car_wakes
    pub fn set_car_velocity_xyz(&mut self, id: TaskId, x: f32, y: f32, z: f32) {
        let mut velocity = Vec3::ZERO;
        super::super::matrix::set(&mut velocity, x, y, z);
        self.set_car_velocity(id, velocity);
    }

    /// Notes how far a car is from the camera.
    // Covers: seed 000, Car_NoteStreamingDistance (0x003898d0) test=tasks::cars::tests::a_cars_small_facts_are_kept
    pub fn note_car_distance(&mut self, id: TaskId, distance: f32) {
        if let Some(car) = self.car_mut(id) {
            car.distance = distance;
        }
    }

    /// A car has met the level: it is at rest, and the shared damage effect smokes at its bonnet.
    // Covers: seed 000, Car_OnLanded (0x00389e08) test=tasks::cars::tests::a_landing_stops_the_car_and_smokes
    pub fn land_car(&mut self, world: &mut dyn World, id: TaskId) {
        let Some(head) = self.manager.head_mut(id) else { return };
        head.flags &= !flag::AIRBORNE;
        head.velocity = Vec3::ZERO;
        let (car, effect) = (head.handle, self.cars.shared_damage);
        let Vec3 { x, y, z, .. } = SMOKE_POINT;
        let arguments = [Argument::Handle(car), Argument::Vec4([x, y, z, 1.0]), Argument::Int(LANDING_DAMAGE)];
        let _ = self.send_message(world, effect, number::CAR_DAMAGE, &arguments);
    }

    /// Forwards a trunk message (0x12, 0x13) to what lies in the trunk.
    // Covers: seed 000, Car_ForwardTrunkMessage (0x00389d68) test=tasks::cars::tests::the_trunk_hears_its_messages
    pub fn forward_trunk_message(&mut self, world: &mut dyn World, id: TaskId, number: u32) -> i32 {
        let trunk = self.car(id).map_or(Handle::NIL, |car| car.trunk);
        self.send_message(world, trunk, number, &[]).unwrap_or(0)
    }

    pub(in super::super) fn car_message(&mut self, world: &mut dyn World, id: TaskId, number: u32) -> i32 {
        match number {
            number::TRUNK_OPEN | number::TRUNK_CLOSE => self.forward_trunk_message(world, id, number),
            _ => {
                let handler = self.cars.handler(number as usize);
                if handler != 0 {
                    let handle = self.manager.head(id).map_or(Handle::NIL, |head| head.handle);
                    world.call(self, handler, handle, number as i32);
                }
                world.type_message(self, id, number)
            }
        }
    }

    /// Sets which kind of thing the trunk gives when it is opened.
    // Covers: seed 000, Car_SetTrunkItemKind (0x0038d528) test=tasks::cars::tests::a_cars_small_facts_are_kept
    pub fn set_trunk_item_kind(&mut self, id: TaskId, kind: u8) {
        if let Some(car) = self.car_mut(id) {
            car.trunk_kind = kind;
        }
    }

    /// Sets what lies in the trunk.
    // Covers: seed 000, Car_SetTrunkObject (0x0038d538) test=tasks::cars::tests::the_trunk_hears_its_messages
    pub fn set_trunk_object(&mut self, id: TaskId, object: Handle) {
        if let Some(car) = self.car_mut(id) {
            car.trunk = object;
        }
    }

    /// Places an object in the trunk: it hangs on the car and lies still.
    // Covers: seed 000, Car_PlaceInTrunk (0x0038e098) test=tasks::cars::tests::a_thing_in_the_trunk_hangs_on_the_car
    pub fn place_in_trunk(&mut self, world: &mut dyn World, car: Handle, object: Handle) -> bool {
        let (Some(id), Some(thing)) = (self.as_car(car), self.resolve_task(world, object)) else { return false };
        self.set_trunk_object(id, object);
        let bed = self.car_type(id).map_or(Vec3::ZERO, |kind| kind.parts[TRUNK_LID].offset) - Vec3::Z * BED_DEPTH;
        if let Some(head) = self.manager.head_mut(thing) {
            head.set_parent(car);
            head.reset_motion();
            head.flags = head.flags & !(flag::AIRBORNE | flag::GROUNDED) | flag::STATIC | flag::ATTACHED;
            // What hangs on a parent has its pose in the parent's own space.
            (head.position, head.rotation) = (bed, Quat::IDENTITY);
        }
        // Our choice: nothing meets what lies in a trunk, as nothing meets what is held.
        if thing.class() == Some(TaskClass::Object) {
            world.cancel_settle(thing);
            self.free_object_body(world, thing);
        }
        self.cache_part_transforms(world, id);
        true
    }

    /// Spawns the car's stereo; there is only one.
    // Covers: seed 000, Car_SpawnRadio (0x0038d690) test=tasks::cars::tests::a_car_has_one_radio
    pub fn spawn_car_radio(&mut self, world: &mut dyn World, id: TaskId) -> Handle {
        let Some(car) = self.car(id) else { return Handle::NIL };
        if self.task(car.radio).is_some() {
            return car.radio;
        }
        let Some(head) = self.manager.head(id) else { return Handle::NIL };
        let creation = Creation { parent: head.handle, ..Creation::at(head.position) };
        let made = self.create(world, TaskClass::Particle, RADIO, &creation);
        let radio = self.handle_of(made);
        if let Some(car) = self.car_mut(id) {
            car.radio = radio;
        }
        radio
    }

    /// Plays a sound on the car's handle; the one that plays is stopped.
    // Covers: seed 000, Car_PlaySound (0x0038d6d8) test=tasks::cars::tests::a_cars_sound_goes_with_it
    pub fn play_car_sound(&mut self, world: &mut dyn World, id: TaskId, sound: u32) {
        self.stop_car_sound(world, id);
        let at = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
        let playing = world.play_sound(sound, at, 1.0);
        if let Some(car) = self.car_mut(id) {
            car.sound = playing;
        }
    }

    /// Moves the car's sound to the car.
    // Covers: seed 000, Car_UpdateSoundPosition (0x0038d758) test=tasks::cars::tests::a_cars_sound_goes_with_it
    pub fn update_car_sound(&mut self, world: &mut dyn World, id: TaskId) {
        let at = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
        if let Some(sound) = self.car(id).and_then(|car| car.sound) {
            world.move_sound(sound, at);
        }
    }

    /// Stops the car's sound.
    // Covers: seed 000, Car_StopSound (0x0038d798) test=tasks::cars::tests::a_cars_sound_goes_with_it
    pub fn stop_car_sound(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some(sound) = self.car_mut(id).and_then(|car| car.sound.take()) {
            world.stop_sound(sound);
        }
    }

    /// A human or a held object hits the car: it rocks away from the blow and its shocks squeak.
    // Covers: seed 000, Car_StartHitRock (0x0038b1f8) test=tasks::cars::tests::a_hit_car_rocks_away_and_squeaks
    pub fn start_hit_rock(&mut self, world: &mut dyn World, id: TaskId, from: Vec3) {
        let Some(position) = self.manager.head(id).map(|head| head.position) else { return };
        let direction = (position - from).horizontal().normalize_or_zero();
        // A car at rest was updated some ticks ago: the rock counts from the hit, not from there.
        let began = self.manager.clock.now();
        if let Some(car) = self.car_mut(id) {
            car.rock = Rock { direction, began, time: 0.0, amplitude: ROCK_AMPLITUDE };
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.set_update_interval(BUSY_INTERVAL);
        }
        self.manager.schedule(id);
        world.play_sound(SHOCKS_SQUEAK, position, 1.0);
    }

    /// Lets a car explode after some ticks.
    // Covers: seed 000, Car_Explode (0x0038dfa0) test=tasks::cars::tests::an_exploding_car_loses_parts_and_height
    pub fn explode_car(&mut self, world: &mut dyn World, handle: Handle, ticks: Ticks) -> bool {
        let now = self.manager.clock.now();
        let Some(id) = self.as_car(handle).filter(|id| self.car(*id).is_some_and(|car| !car.exploded)) else {
            return false;
        };
        if ticks == 0 {
            self.explode_car_now(world, id);
        } else {
            if let Some(car) = self.car_mut(id) {
                car.explodes_at = now.saturating_add(ticks);
            }
            if let Some(head) = self.manager.head_mut(id) {
                head.set_update_interval(BUSY_INTERVAL);
            }
            self.manager.schedule(id);
        }
        true
    }

    fn explode_car_now(&mut self, world: &mut dyn World, id: TaskId) {
        let Some(car) = self.car_mut(id) else { return };
        car.explodes_at = 0;
        car.exploded = true;
        let loose = !(car.removed | car.flying);
        if let Some(body) = car.body {
            world.lower_car_body(body);
        }
        let exists = |kind: &super::CarType, part: usize| kind.parts[part].half != Vec3::ZERO;
        for part in (0..PARTS).filter(|part| loose >> part & 1 == 1) {
            if self.car_type(id).is_some_and(|kind| exists(kind, part)) {
                self.detach_car_part(world, id, part, Vec3::new(0.0, 0.0, BLOW_UP), true);
            }
        }
        let at = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
        world.play_sound(EXPLOSION_SOUND, at, 1.0);
        let over = at + Vec3::Z * FIRE_HEIGHT;
        self.spawn_burst(world, over, FIRE, FIRE_COUNTS);
        self.spawn_effect(world, SMOKE, over);
        world.noise(self, at, id);
        self.damage_humans_in_radius(world, at, EXPLOSION_RADIUS, EXPLOSION_DAMAGE);
    }

    /// Prepares the car for drawing: the body with its rock. What is loose or gone the instance knows by its car's slot.
    // Covers: seed 000, CarTask_PreRender (0x00389918) test=tasks::cars::tests::a_car_is_drawn_with_its_rock
    pub fn draw_car(&mut self, world: &mut dyn World, id: TaskId) {
        let Some((instance, rock)) = self.car(id).and_then(|car| Some((car.instance?, car.rock))) else { return };
        let now = self.manager.clock.now();
        if !self.manager.head(id).is_some_and(|head| world.shows_instance(instance, head.position_at(now))) {
            return;
        }
        let pose = self.pose_now(world, id);
        let axis = Vec3::Z.cross(rock.direction);
        let rotation = Quat::from_axis_angle(axis, rock.angle()) * pose.rotation;
        world.draw_instance(instance, Pose::new(rotation, pose.position), u32::MAX);
    }

    /// The car manager's update: distances from the camera, then drawing.
    pub fn update_car_manager(&mut self, world: &mut dyn World) {
        let eye = world.view(0).map(|view| view.position);
        let mut next = self.first_live(TaskClass::Car);
        while let Some(id) = next {
            let position = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
            if let Some(eye) = eye {
                self.note_car_distance(id, (position - eye).length());
            }
            self.draw_car(world, id);
            next = id.index_in(TaskClass::Car).and_then(|n| self.next_live(TaskClass::Car, n as u16 + 1));
        }
    }
}

impl CarTask {
    /// Whether anything about the car moves by itself.
    pub fn is_busy(&self) -> bool {
        self.flying != 0 || self.explodes_at != 0 || self.rock.is_active()
    }
}
