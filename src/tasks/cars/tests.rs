//! Tests of cars as a whole; also how other tests make one.

use super::super::fake::{BARREL, BAT, FakeWorld, engine};
use super::super::head::flag;
use super::super::objects::life::tests::object as prop;
use super::super::world::{Person, View};
use super::life::{EXPLOSION_SOUND, IDLE_INTERVAL, SHOCKS_SQUEAK};
use super::*;
use crate::maths::{Pose, Quat};
use crate::physics::car_parts::PART_LIFETIME;
use std::format;

/// A van with a bonnet, a boot lid, doors that take their windows along, and nothing else.
pub fn car(tasks: &mut TaskEngine, world: &mut FakeWorld, at: Vec3) -> TaskId {
    let mut kind = CarType::default();
    let part = PartType { half: Vec3::splat(0.3), restitution: 0.2, strength: 10, sound: 31, ..PartType::default() };
    for n in [0, 1, 2, 3] {
        kind.parts[n] = PartType { offset: Vec3::new(if n == 2 { -1.0 } else { 1.0 }, 0.5, 0.2), ..part };
    }
    kind.parts[2].linked = Some(18);
    tasks.cars.set_type(4, kind);
    tasks.create_car(world, name_hash("car_van"), &Creation::at(at)).unwrap()
}

/// A car's handle.
pub fn handle(tasks: &TaskEngine, id: TaskId) -> Handle {
    tasks.manager.head(id).unwrap().handle
}

fn tick(tasks: &mut TaskEngine, world: &mut FakeWorld) {
    let now = tasks.manager.clock.now() + 1;
    tasks.manager.clock.set_time(now);
    tasks.run_bucket(world);
}

#[test]
fn a_type_record_is_found_by_kind() {
    let mut tasks = engine();
    assert!(tasks.cars.set_type(4, CarType { model: 9, ..CarType::default() }));
    assert!(!tasks.cars.set_type(6, CarType::default()));
    assert_eq!((tasks.cars.type_record(4).model, tasks.cars.type_record(0).model), (9, 0));
}

#[test]
fn handlers_are_set_and_cleared() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    let target = handle(&tasks, id);
    tasks.cars.set_handler(5, 700);
    tasks.cars.set_handler(HANDLERS, 1);
    tasks.send_message(&mut world, target, 5, &[]).unwrap();
    assert_eq!(world.log_count("call 700"), 1);
    tasks.cars.clear_handlers();
    assert_eq!(tasks.cars.handler(5), 0);
}

#[test]
fn the_first_car_makes_the_shared_effect() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let ids = [car(&mut tasks, &mut world, Vec3::ZERO), car(&mut tasks, &mut world, Vec3::X)];
    assert_eq!(tasks.particles[0].count(), 1);
    assert!(tasks.task(tasks.cars.shared_damage).is_some());
    let cop = tasks.spawn_car(&mut world, "car_copcar", &Creation::at(Vec3::Y));
    assert_eq!(tasks.particles[0].count(), 2, "the cop car has lights of its own");
    let cop = tasks.as_car(cop).unwrap();
    assert!(tasks.task(tasks.car(cop).unwrap().lights).is_some());
    assert_eq!(ids.map(|id| tasks.car(id).unwrap().kind), [4, 4]);
    assert!(tasks.spawn_car(&mut world, "car_tank", &Creation::at(Vec3::Y)).is_nil());
}

#[test]
fn a_car_has_one_body_of_two_boxes() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    assert_eq!(world.log_count("body car0 Car"), 1);
    assert_eq!(tasks.manager.head(id).unwrap().interval, IDLE_INTERVAL);
}

#[test]
fn a_destroyed_car_gives_everything_back() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    let target = handle(&tasks, id);
    tasks.set_car_instance(&mut world, id, InstanceId(9));
    tasks.play_car_sound(&mut world, id, 5);
    let radio = tasks.spawn_car_radio(&mut world, id);
    assert!(tasks.destroy_car(&mut world, target));
    assert!(!tasks.destroy_car(&mut world, target));
    for line in ["release_instance 9", "free_body 0", "stop_sound 1"] {
        assert_eq!(world.log_count(line), 1, "{line}");
    }
    assert_eq!((tasks.task(radio), tasks.cars.pool.count()), (None, 0));
}

#[test]
fn a_reset_releases_every_car() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    for _ in 0..3 {
        car(&mut tasks, &mut world, Vec3::ZERO);
    }
    tasks.reset_cars(&mut world);
    assert_eq!((tasks.cars.pool.count(), tasks.cars.shared_damage), (0, Handle::NIL));
}

#[test]
fn cars_are_found_by_distance() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let ids = [9.0, 2.0, 4.0].map(|x| car(&mut tasks, &mut world, Vec3::new(x, 0.0, 0.0)));
    assert_eq!(tasks.nearest_car(Vec3::ZERO), Some(ids[1]));
    let mut out = [TaskId::NONE; 4];
    assert_eq!(tasks.cars_in_range(Vec3::ZERO, 4.0, &mut out), 2);
    assert_eq!(out[..2], ids[1..]);
}

#[test]
fn a_cars_instance_comes_and_goes() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    tasks.car_mut(id).unwrap().open = 0b101;
    world.log.clear();
    tasks.set_car_instance(&mut world, id, InstanceId(3));
    assert_eq!(world.log, ["open_part 3 0", "open_part 3 2"]);
    tasks.release_car_instance(&mut world, id);
    tasks.release_car_instance(&mut world, id);
    assert_eq!(world.log_count("release_instance 3"), 1);
}

#[test]
fn an_airborne_car_falls() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    tasks.integrate_car(&mut world, id);
    assert_eq!(tasks.manager.head(id).unwrap().velocity, Vec3::ZERO);
    // Carried at a metre over something that stands far from where the car was made, and let go after a third of a second.
    let carrier = tasks.spawn_test_particle(&mut world, 100);
    let parent = handle(&tasks, carrier);
    let head = tasks.manager.head_mut(id).unwrap();
    (head.flags, head.position) = (head.flags | flag::ATTACHED, Vec3::Z);
    head.set_parent(parent);
    tasks.manager.clock.set_time(20);
    tasks.detach_car(&mut world, id);
    let head = tasks.manager.head(id).unwrap();
    assert_eq!((head.has(flag::AIRBORNE), head.is_attached(), head.interval), (true, false, 1));
    assert_eq!((head.position, head.velocity), (Vec3::new(100.0, 0.0, 1.0), Vec3::ZERO));
    (0..2).for_each(|_| tick(&mut tasks, &mut world));
    let head = tasks.manager.head(id).unwrap();
    assert!((head.velocity.z + 2.0 * 15.68 / 60.0).abs() < 1e-5, "two ticks of fall: {:?}", head.velocity);
    assert!(head.position.z < 1.0 && head.position.x == 100.0);
    world.floor_height = Some(-2.0);
    (0..60).for_each(|_| tasks.integrate_car(&mut world, id));
    let head = tasks.manager.head(id).unwrap();
    assert_eq!((head.has(flag::AIRBORNE), head.velocity), (false, Vec3::ZERO), "and lands on what is below it");
    assert!((head.position.z + 2.0).abs() < 1e-4, "{}", head.position.z);
}

#[test]
fn a_placed_car_takes_its_parts_along() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    let door = |tasks: &TaskEngine| tasks.car(id).unwrap().parts[2].transform.origin;
    tasks.set_car_position(&mut world, id, Vec3::new(10.0, 0.0, 0.0));
    assert!((door(&tasks) - Vec3::new(9.0, 0.5, 0.2)).length() < 1e-5);
    tasks.set_car_rotation(&mut world, id, Quat::from_heading(core::f32::consts::PI));
    assert!((door(&tasks) - Vec3::new(11.0, -0.5, 0.2)).length() < 1e-5);
    tasks.set_car_pose(&mut world, id, Pose::new(Quat::IDENTITY, Vec3::Z));
    assert!((door(&tasks) - Vec3::new(-1.0, 0.5, 1.2)).length() < 1e-5);
}

#[test]
fn a_pushed_car_wakes() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    tasks.set_car_velocity(id, Vec3::Y);
    assert_eq!((tasks.manager.head(id).unwrap().velocity, tasks.manager.links().get(id).bucket), (Vec3::Y, 0));
    tasks.manager.unschedule(id);
    tasks.set_car_velocity_xyz(id, 1.0, 2.0, 3.0);
    let head = tasks.manager.head(id).unwrap();
    assert_eq!((head.velocity, tasks.manager.links().get(id).bucket), (Vec3::new(1.0, 2.0, 3.0), 0));
}

#[test]
fn a_cars_small_facts_are_kept() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    tasks.note_car_distance(id, 6.5);
    tasks.set_trunk_item_kind(id, 4);
    assert_eq!((tasks.car(id).unwrap().distance, tasks.car(id).unwrap().trunk_kind), (6.5, 4));
}

#[test]
fn a_landing_stops_the_car_and_smokes() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    let head = tasks.manager.head_mut(id).unwrap();
    head.flags |= flag::AIRBORNE;
    head.velocity = Vec3::new(0.0, 3.0, -4.0);
    world.log.clear();
    tasks.land_car(&mut world, id);
    let head = tasks.manager.head(id).unwrap();
    assert_eq!((head.velocity, head.has(flag::AIRBORNE)), (Vec3::ZERO, false));
    assert_eq!((world.log_count("type particle0 63"), world.last_int), (1, Some(5)));
}

#[test]
fn the_trunk_hears_its_messages() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    let thing = tasks.spawn_test_particle(&mut world, 0);
    let object = handle(&tasks, thing);
    tasks.set_trunk_object(id, object);
    let target = handle(&tasks, id);
    world.answer = 3;
    world.log.clear();
    for number in [0x12, 0x13] {
        assert_eq!(tasks.send_message(&mut world, target, number, &[]), Ok(3));
    }
    assert_eq!(world.log, ["type particle1 18", "type particle1 19"]);
    assert_eq!(tasks.forward_trunk_message(&mut world, id, 0x12), 3);
}

#[test]
fn a_thing_in_the_trunk_hangs_on_the_car() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    let thing = tasks.spawn_test_particle(&mut world, 0);
    let (car, object) = (handle(&tasks, id), handle(&tasks, thing));
    assert!(tasks.place_in_trunk(&mut world, car, object));
    assert!(!tasks.place_in_trunk(&mut world, object, car));
    assert_eq!(tasks.car(id).unwrap().trunk, object);
    let head = tasks.manager.head(thing).unwrap();
    assert_eq!((head.parent(), head.has(flag::STATIC), head.is_attached()), (car, true, true));
    tasks.set_car_position(&mut world, id, Vec3::new(30.0, 4.0, 1.0));
    let (there, bed) = (tasks.pose_now(&world, thing).position, tasks.manager.head(thing).unwrap().position);
    assert!((there - Vec3::new(30.0, 4.0, 1.0) - bed).length() < 1e-4, "it goes where the car goes: {there:?}");
    let bat = prop(&mut tasks, &mut world, BAT, 0.0);
    tasks.create_object_body(&mut world, bat);
    let own = handle(&tasks, bat);
    world.persons.insert(0, Person::default());
    assert!(tasks.can_be_picked_by(&world, bat, 0) && tasks.is_strike_target(own));
    assert!(tasks.place_in_trunk(&mut world, car, own));
    assert!(!tasks.can_be_picked_by(&world, bat, 0) && !tasks.is_strike_target(own));
    assert_eq!(tasks.object(bat).unwrap().body, None);
}

#[test]
fn a_car_has_one_radio() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::new(3.0, 0.0, 0.0));
    let radio = tasks.spawn_car_radio(&mut world, id);
    assert_eq!(tasks.spawn_car_radio(&mut world, id), radio);
    let task = tasks.task(radio).unwrap();
    assert_eq!(tasks.manager.head(task).unwrap().parent(), handle(&tasks, id));
}

#[test]
fn a_cars_sound_goes_with_it() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::new(3.0, 0.0, 0.0));
    world.log.clear();
    tasks.play_car_sound(&mut world, id, 6);
    tasks.update_car_sound(&mut world, id);
    tasks.stop_car_sound(&mut world, id);
    tasks.stop_car_sound(&mut world, id);
    assert_eq!(world.log, ["sound 6 1", "move_sound 1 3", "stop_sound 1"]);
}

#[test]
fn a_hit_car_rocks_away_and_squeaks() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    world.log.clear();
    tasks.start_hit_rock(&mut world, id, Vec3::new(-3.0, 0.0, 1.0));
    assert_eq!(world.log, [format!("sound {SHOCKS_SQUEAK} 1")]);
    let rock = tasks.car(id).unwrap().rock;
    assert_eq!(rock.direction, Vec3::X);
    assert!(rock.is_active());
    for _ in 0..60 {
        tick(&mut tasks, &mut world);
    }
    assert!(!tasks.car(id).unwrap().rock.is_active());
    assert_eq!(tasks.manager.head(id).unwrap().interval, IDLE_INTERVAL, "a car at rest is left alone");
    // However long it has stood, the rock begins with the hit.
    for stood in 1..=IDLE_INTERVAL {
        tick(&mut tasks, &mut world);
        tasks.start_hit_rock(&mut world, id, Vec3::new(-3.0, 0.0, 1.0));
        (0..2).for_each(|_| tick(&mut tasks, &mut world));
        let time = tasks.car(id).unwrap().rock.time * 60.0;
        assert!((time - 2.0).abs() < 1e-3, "after {stood} ticks: {time}");
        (0..60 + stood).for_each(|_| tick(&mut tasks, &mut world));
    }
}

#[test]
fn a_car_is_drawn_with_its_rock() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    tasks.draw_car(&mut world, id);
    assert_eq!(world.log_count("draw"), 0, "no instance");
    tasks.set_car_instance(&mut world, id, InstanceId(3));
    tasks.car_mut(id).unwrap().rock = Rock { direction: Vec3::X, began: 0, time: 0.125, amplitude: 0.05 };
    tasks.draw_car(&mut world, id);
    let tilt: f32 = 0.05 * (1.0 - 2.5 * 0.125);
    assert_eq!(world.log.last().unwrap(), &format!("draw 3 0 {:.3} 0xffffffff", tilt.sin()), "it leans away");
}

#[test]
fn an_exploding_car_loses_parts_and_height() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    world.persons.insert(0, Person { position: Vec3::X, ..Person::default() });
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    let target = handle(&tasks, id);
    assert!(tasks.explode_car(&mut world, target, 10));
    assert!(!tasks.car(id).unwrap().exploded);
    (0..11).for_each(|_| tick(&mut tasks, &mut world));
    let record = tasks.car(id).unwrap();
    assert_eq!((record.exploded, record.flying), (true, 0b1111), "only what exists flies off");
    assert_eq!(world.log_count("lower_car_body 0"), 1);
    assert_eq!(world.log_count(&format!("sound {EXPLOSION_SOUND}")), 1);
    assert_eq!(world.hurts.len(), 1);
    assert!(!tasks.explode_car(&mut world, target, 0), "a car explodes once");
}

#[test]
fn an_update_moves_counts_down_and_flies_parts() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::ZERO);
    tasks.detach_car_part(&mut world, id, 0, Vec3::Z, false);
    tasks.play_car_sound(&mut world, id, 6);
    tasks.set_car_velocity(id, Vec3::new(6.0, 0.0, 0.0));
    world.log.clear();
    (0..30).for_each(|_| tick(&mut tasks, &mut world));
    let position = tasks.manager.head(id).unwrap().position;
    assert!((position.x - 3.0).abs() < 1e-3, "{position:?}");
    let part = &tasks.car(id).unwrap().parts[0];
    assert_eq!((part.loose.unwrap().lifetime(), world.log_count("move_sound")), (PART_LIFETIME - 30, 30));
    tasks.set_car_velocity(id, Vec3::ZERO);
    (0..PART_LIFETIME).for_each(|_| tick(&mut tasks, &mut world));
    assert_eq!(tasks.car(id).unwrap().removed, 1, "a loose part is gone after six seconds");
}

#[test]
fn the_managers_update_notes_distances() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = car(&mut tasks, &mut world, Vec3::new(7.0, 0.0, 0.0));
    world.views[0] = Some(View::default());
    tasks.update_car_manager(&mut world);
    assert_eq!(tasks.car(id).unwrap().distance, 7.0);
}

#[test]
fn a_car_beside_something_that_explodes_follows_a_moment_later_and_one_further_off_does_not() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let drum = prop(&mut tasks, &mut world, BARREL, 0.0);
    let cars = [3.0, 8.0].map(|x| car(&mut tasks, &mut world, Vec3::new(x, 0.0, 0.0)));
    assert!(tasks.break_object(&mut world, drum, Handle::NIL));
    let exploded = |tasks: &TaskEngine| cars.map(|id| tasks.car(id).unwrap().exploded);
    assert_eq!(exploded(&tasks), [false, false]);
    (0..60).for_each(|_| tick(&mut tasks, &mut world));
    assert_eq!(exploded(&tasks), [true, false]);
}
