//! Tests of an object's life; also how other tests make one.

use super::super::super::engine::Creation;
use super::super::super::fake::{BRICK, CHAIR, FakeWorld, engine};
use super::super::super::ids::TaskClass;
use super::super::super::message::Argument;
use super::super::super::world::{Person, View};
use super::super::types::ObjectType;
use super::*;
use crate::physics::objects::Release;
use std::vec::Vec;

/// An object of a type at a place on the x axis.
pub fn object(tasks: &mut TaskEngine, world: &mut FakeWorld, kind: u16, x: f32) -> TaskId {
    tasks.create_world_object(world, kind, &Creation::at(Vec3::new(x, 0.0, 0.0))).unwrap()
}

fn tick(tasks: &mut TaskEngine, world: &mut FakeWorld) {
    let now = tasks.manager.clock.now() + 1;
    tasks.manager.clock.set_time(now);
    tasks.run_bucket(world);
}

fn handle(tasks: &TaskEngine, id: TaskId) -> Handle {
    tasks.manager.head(id).unwrap().handle
}

#[test]
fn only_objects_are_objects() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let ids = [object(&mut tasks, &mut world, BRICK, 0.0), tasks.spawn_test_particle(&mut world, 0)];
    assert_eq!(ids.map(|id| tasks.as_object(handle(&tasks, id))), [Some(ids[0]), None]);
}

#[test]
fn a_body_comes_and_goes_with_message_0x30() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    let target = handle(&tasks, id);
    world.log.clear();
    assert_eq!(tasks.send_message(&mut world, target, 0x30, &[]), Ok(1));
    assert_eq!(world.log, ["body object0 Object", "springs 0 [0.0, 0.0, 0.0]"]);
    tasks.free_object_body(&mut world, id);
    tasks.free_object_body(&mut world, id);
    assert_eq!(world.log_count("free_body 0"), 1);
    world.answer = 4;
    assert_eq!(tasks.send_message(&mut world, target, 0x66, &[Argument::Int(1)]), Ok(4), "others go to the type");
}

#[test]
fn a_zones_handler_hears_its_objects_messages() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    tasks.objects.zones.enable(5);
    tasks.objects.zones.set_handler(5, 321);
    let record = super::super::spawn::SpawnRecord { zone: 5, ..Default::default() };
    let record = tasks.spawn_object("brick", record);
    tasks.send_message(&mut world, record, 0x66, &[]).unwrap();
    assert_eq!(world.log_count("call 321"), 1);
}

#[test]
fn a_pushed_object_wakes() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    tasks.manager.unschedule(id);
    tasks.set_object_velocity(id, Vec3::ZERO);
    assert_eq!(tasks.manager.links().get(id).bucket, -1);
    tasks.set_object_velocity(id, Vec3::X);
    assert_eq!((tasks.manager.links().get(id).bucket, tasks.manager.head(id).unwrap().velocity), (0, Vec3::X));
}

#[test]
fn six_kinds_start_with_flags_of_their_own() {
    let given = [(0x0f, 0x802), (0x21, 0x802), (0x1d, 0x801), (0x22, 0x800), (0x1a, 0x100), (0x1f, 0), (9, 0)];
    for (kind, extra) in given {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let shape = tasks.objects.types.get(BRICK).unwrap().shape;
        let made = ObjectType { shape, physics_flags: 4, ..ObjectType::named("of_a_kind", kind) };
        let made = tasks.objects.types.add(made).unwrap();
        let id = object(&mut tasks, &mut world, made, 0.0);
        tasks.create_object_body(&mut world, id);
        let body = tasks.object(id).unwrap().body.unwrap();
        assert_eq!(world.body_flags(body), 0x8000_0500 | 0x10 | extra, "kind {kind:#x}");
        assert_eq!(tasks.manager.head(id).unwrap().has(flag::STATIC), kind == 0x1f, "kind {kind:#x}");
    }
}

#[test]
fn a_placed_object_takes_its_body_along() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    tasks.create_object_body(&mut world, id);
    tasks.set_object_pose(&mut world, id, Pose::new(Quat::IDENTITY, Vec3::new(7.0, 0.0, 0.0)));
    assert_eq!(world.log.last().unwrap(), "place_body 0 7");
    assert_eq!(tasks.manager.head(id).unwrap().position.x, 7.0);
}

#[test]
fn the_attach_offset_is_kept() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    assert_eq!(tasks.attach_offset(id), Vec3::ZERO);
    tasks.set_attach_offset(id, Vec3::Y);
    assert_eq!(tasks.attach_offset(id), Vec3::Y);
}

#[test]
fn a_slot_marks_the_body() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    tasks.create_object_body(&mut world, id);
    let body = tasks.object(id).unwrap().body.unwrap();
    tasks.set_object_slot(&mut world, id, 2);
    assert_eq!((tasks.object(id).unwrap().slot, world.body_flags(body) & 0x10), (2, 0x10));
    tasks.set_object_slot(&mut world, id, -1);
    assert_eq!(world.body_flags(body) & 0x10, 0);
    tasks.clear_body_flags(&mut world, id, 0x500);
    assert_eq!(world.body_flags(body), 0x8000_0000);
}

#[test]
fn a_held_object_knows_its_holder_until_it_is_let_go() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, super::super::super::fake::BAT, 0.0);
    let (_, holder) = tasks.create_human(|| None).unwrap();
    world.persons.insert(0, Person::default());
    assert_eq!(tasks.object_holder(id), None);
    assert!(tasks.pick_up(&mut world, id, 0, holder, 1));
    assert_eq!(tasks.object_holder(id), Some(0));
    world.hand = Some(Pose::new(Quat::IDENTITY, Vec3::new(0.0, 5.0, 1.5)));
    tasks.detach_object(&mut world, id);
    let head = tasks.manager.head(id).unwrap();
    assert_eq!((head.position.y, head.position.z, head.has(flag::AIRBORNE)), (5.0, 1.5, true));
    assert_eq!((tasks.object_holder(id), tasks.object(id).unwrap().slot), (None, -1));
}

#[test]
fn a_dropped_brick_falls_settles_and_rests_as_measured() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    tasks.create_object_body(&mut world, id);
    tasks.manager.head_mut(id).unwrap().position.z = 1.0;
    tasks.manager.clock.set_time(100);
    world.floor_height = Some(0.05);
    let drop = handle(&tasks, id);
    tasks.manager.clock.set_time(101);
    tasks.send_message(&mut world, drop, 28, &[]).unwrap();
    let mut speeds = Vec::new();
    let mut settle_ends = None;
    for now in 101..150 {
        tasks.manager.clock.set_time(now);
        let before = tasks.manager.head(id).unwrap().velocity.z;
        tasks.run_bucket(&mut world);
        let head = tasks.manager.head_mut(id).unwrap();
        if head.velocity.z != before {
            speeds.push(head.velocity.z);
        }
        // The settle's turn re-poses the object on every tick, which stamps its time.
        if head.has(flag::SETTLING) {
            let end = *settle_ends.get_or_insert(now + 11);
            head.last_update = now;
            if now >= end {
                head.flags = head.flags & !flag::SETTLING | flag::SETTLED;
            }
        }
    }
    let near = |a: f32, b: f32| (a - b).abs() < 0.001;
    assert!(near(speeds[0], -0.2613) && near(speeds[1], -0.784), "{speeds:?}");
    assert!(speeds[..10].windows(2).all(|pair| near(pair[1] - pair[0], -0.522_67)), "{speeds:?}");
    let contact = world.log.iter().find(|line| line.starts_with("contact")).unwrap();
    assert!(contact.starts_with("contact -5.48") && contact.ends_with("0x20002"), "{contact}");
    assert!(near(speeds[10], 0.5379), "{speeds:?}");
    let settling = [0.2766, 0.0153, -0.2459, -0.5072, -0.7685];
    assert!(settling.iter().zip(&speeds[11..]).all(|(a, b)| near(*a, *b)), "{speeds:?}");
    assert_eq!(speeds.last(), Some(&0.0));
    let head = tasks.manager.head(id).unwrap();
    assert!(head.has(flag::GROUNDED) && !head.has(flag::AIRBORNE | flag::SETTLED));
    assert!(near(head.position.z, 0.06) && head.interval == REST_INTERVAL);
    assert_eq!(world.log_count("settle object0"), 1);
}

#[test]
fn a_throw_starts_where_and_as_fast_as_it_was_aimed() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    tasks.create_object_body(&mut world, id);
    tasks.drop_object(id);
    let throw = Release { position: Vec3::new(0.0, 0.0, 2.0), velocity: Vec3::new(12.0, 0.0, 0.0) };
    tasks.object_mut(id).unwrap().throw = Some(throw);
    tasks.manager.clock.set_time(50);
    tasks.run_bucket(&mut world);
    let head = tasks.manager.head(id).unwrap();
    assert!((head.position.x - 0.2).abs() < 1e-5, "the first sweep is a sixtieth: {:?}", head.position);
    assert!((head.velocity.z + GRAVITY / 60.0).abs() < 1e-5);
    assert_eq!((tasks.object(id).unwrap().throw, head.interval), (None, FLYING_INTERVAL));
}

#[test]
fn an_object_at_rest_updates_every_20_ticks() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, CHAIR, 0.0);
    (0..21).for_each(|_| tick(&mut tasks, &mut world));
    assert_eq!(world.log_count("type object0 1"), 1);
    tasks.create_object_body(&mut world, id);
    let body = tasks.object(id).unwrap().body.unwrap();
    world.change_body_flags(body, 0x800, 0);
    (0..20).for_each(|_| tick(&mut tasks, &mut world));
    assert_eq!(tasks.manager.head(id).unwrap().interval, 2, "a body that updates every time asks for it");
}

#[test]
fn an_object_is_drawn_with_its_tint_while_shown() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 4.0);
    tasks.draw_object(&mut world, id);
    assert_eq!(world.log_count("draw"), 0, "no model yet");
    tasks.update_object_render(&mut world, id);
    tasks.update_object_render(&mut world, id);
    let own = handle(&tasks, id);
    tasks.set_object_tint(&mut world, own, 0xff);
    tasks.draw_object(&mut world, id);
    assert_eq!(world.log.last().unwrap(), "draw 1 4 0.000 0xff");
    tasks.release_object_instance(&mut world, id);
    assert_eq!((world.log_count("release_instance 1"), tasks.object(id).unwrap().instance), (1, None));
    tasks.update_object_render(&mut world, id);
    tasks.object_mut(id).unwrap().hidden = true;
    tasks.update_object_render(&mut world, id);
    assert_eq!(world.log_count("release_instance 2"), 1);
}

#[test]
fn the_managers_update_notes_distances_and_draws() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let ids = [3.0, 9.0].map(|x| object(&mut tasks, &mut world, BRICK, x));
    world.views[0] = Some(View::default());
    tasks.object_mut(ids[1]).unwrap().unload_at = 5;
    tasks.update_object_manager(&mut world);
    assert_eq!(ids.map(|id| tasks.object(id).unwrap().distance), [3.0, 9.0]);
    assert_eq!(world.log_count("draw"), 2);
    tasks.manager.clock.set_time(5);
    tasks.update_object_manager(&mut world);
    assert_eq!(ids.map(|id| tasks.is_live(id)), [true, false], "its time is up");
}

#[test]
fn a_destroyed_object_is_gone() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    tasks.create_object_body(&mut world, id);
    tasks.play_object_sound(&mut world, id, 3);
    let old = handle(&tasks, id);
    assert!(tasks.destroy_object(&mut world, id));
    assert!(!tasks.destroy_object(&mut world, id));
    assert_eq!((tasks.task(old), tasks.objects.pool.count()), (None, 0));
    for ending in ["free_body 0", "stop_sound 1", "cancel_settle object0"] {
        assert_eq!(world.log_count(ending), 1, "{ending}");
    }
}

#[test]
fn a_full_pool_frees_the_farthest_slot() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    world.persons.insert(0, Person { player: Some(0), ..Person::default() });
    let ids: Vec<TaskId> = (0..384).map(|n| object(&mut tasks, &mut world, BRICK, n as f32)).collect();
    tasks.object_mut(ids[383]).unwrap().owned = true;
    tasks.manager.head_mut(ids[382]).unwrap().flags |= flag::ATTACHED;
    let more = tasks.create_world_object(&mut world, BRICK, &Creation::at(Vec3::ZERO)).unwrap();
    assert_eq!(more, ids[381], "the farthest that is neither owned nor held gave its slot");
    assert_eq!((tasks.objects.pool.count(), tasks.objects.pool.refusals()), (384, 0));
    for id in &ids {
        tasks.object_mut(*id).unwrap().owned = true;
    }
    assert!(tasks.create_world_object(&mut world, BRICK, &Creation::at(Vec3::ZERO)).is_err());
    assert_eq!(tasks.objects.pool.refusals(), 1);
    assert_eq!(more.class(), Some(TaskClass::Object));
}
