//! Tests of blows, impacts, breaking and explosions.

use super::super::super::fake::{BARREL, BAT, BRICK, CHAIR, FakeWorld, PANE, engine};
use super::super::super::ids::TaskClass;
use super::super::super::world::{Person, View};
use super::super::life::tests::object;
use super::*;

fn people(world: &mut FakeWorld, at: &[f32]) {
    for (n, x) in at.iter().enumerate() {
        world.persons.insert(n as u16, Person { position: Vec3::new(*x, 0.0, 0.0), ..Person::default() });
    }
}

fn watch(world: &mut FakeWorld) {
    let position = Vec3::new(0.0, -5.0, 0.0);
    world.views[0] = Some(View { position, forward: Vec3::Y, cos_half_angle: 0.5, far: 50.0 });
}

#[test]
fn an_explosion_hurts_less_with_distance() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    people(&mut world, &[0.0, 2.0, 3.9, 4.0]);
    assert_eq!(tasks.damage_humans_in_radius(&mut world, Vec3::ZERO, 4.0, 100), 3);
    assert_eq!(world.hurts, [(0, 100), (1, 50), (2, 2)]);
}

#[test]
fn the_hit_mode_decides_what_a_hit_does() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BAT, 0.0);
    tasks.set_hit_mode(id, hit_mode::SOLID);
    assert!((0..9).all(|_| !tasks.object_take_hit(&mut world, id, Vec3::X)));
    tasks.set_hit_mode(id, hit_mode::WEARS);
    assert!(!tasks.object_take_hit(&mut world, id, Vec3::X));
    assert!(tasks.object_take_hit(&mut world, id, Vec3::X), "a bat stands two hits");
    assert!(!tasks.object_take_hit(&mut world, id, Vec3::X), "broken already");
    let brick = object(&mut tasks, &mut world, BRICK, 0.0);
    tasks.set_hit_mode(brick, hit_mode::FRAGILE);
    assert!(tasks.object_take_hit(&mut world, brick, Vec3::X));
}

#[test]
fn an_impact_is_heard_wears_and_may_be_a_crime() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let ids = [BRICK, BARREL].map(|kind| object(&mut tasks, &mut world, kind, 0.0));
    let contact = |speed| ObjectContact { normal: Vec3::Z, point: Vec3::Y, speed, ..ObjectContact::default() };
    world.log.clear();
    assert!(!tasks.object_on_impact(&mut world, ids[0], &contact(1.0)));
    assert!(world.log.is_empty(), "too slow to be heard");
    tasks.object_on_impact(&mut world, ids[0], &contact(5.0));
    assert_eq!((world.log_count("sound 41 0.5"), world.log_count("noise"), world.log_count("crime")), (1, 1, 0));
    assert_eq!(tasks.object(ids[0]).unwrap().contact, Vec3::Y);
    assert!(tasks.object_on_impact(&mut world, ids[1], &contact(9.0)), "a barrel stands one impact");
    assert!(world.log_count("crime") > 0);
}

#[test]
fn what_flies_breaks_the_pane_and_rocks_the_car_that_it_meets() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let bat = object(&mut tasks, &mut world, BAT, 0.0);
    let pane = tasks.create(&mut world, TaskClass::Pane, PANE, &Creation::at(Vec3::ZERO)).unwrap();
    let car = super::super::super::cars::tests::car(&mut tasks, &mut world, Vec3::ZERO);
    let hit = |other, speed| ObjectContact { other: Some(other), normal: Vec3::X, speed, ..ObjectContact::default() };
    tasks.object_on_impact(&mut world, bat, &hit(pane, 5.0));
    assert_eq!(tasks.pane(pane).unwrap().damage, 0, "too slow to do harm");
    tasks.object_on_impact(&mut world, bat, &hit(pane, 8.0));
    assert_eq!(tasks.pane(pane).unwrap().damage, 12, "a bat's 15 by the speed");
    tasks.object_mut(bat).unwrap().broken = false;
    tasks.object_on_impact(&mut world, bat, &hit(car, 12.0));
    let rock = tasks.car(car).unwrap().rock;
    assert!(rock.is_active());
}

#[test]
fn a_broken_object_has_no_body_and_tells_its_type() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    tasks.create_object_body(&mut world, id);
    tasks.manager.head_mut(id).unwrap().flags |= flag::AIRBORNE;
    tasks.manager.head_mut(id).unwrap().velocity = Vec3::X;
    world.log.clear();
    assert!(tasks.break_object(&mut world, id, Handle::NIL));
    assert!(!tasks.break_object(&mut world, id, Handle::NIL));
    assert_eq!(tasks.object(id).unwrap().body, None);
    assert!(!tasks.manager.head(id).unwrap().has(flag::AIRBORNE));
    assert_eq!((world.log_count("type object0 65"), world.log_count("cancel_settle")), (1, 1));
}

#[test]
fn breaking_makes_the_types_particles() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    assert_eq!(tasks.object_break_effects(&mut world, id), 0, "nobody looks");
    watch(&mut world);
    assert_eq!(tasks.object_break_effects(&mut world, id), 11);
    assert_eq!(tasks.particles[0].count(), 11);
}

#[test]
fn an_exploding_object_hurts_and_is_heard() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    people(&mut world, &[1.0, 9.0]);
    let id = object(&mut tasks, &mut world, BARREL, 0.0);
    assert!(tasks.break_object(&mut world, id, Handle::NIL), "the explosive kind explodes when it breaks");
    assert_eq!(world.hurts.len(), 1);
    assert_eq!(tasks.explode_object(&mut world, id, Handle::NIL), 1);
    assert_eq!((world.log_count("noise"), world.log_count("crime")), (2, 2));
    assert_eq!(tasks.explode_object(&mut world, TaskId::NONE, Handle::NIL), 0);
}

#[test]
fn a_held_weapon_hurts_and_wears() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    people(&mut world, &[0.0, 1.0]);
    let id = object(&mut tasks, &mut world, BAT, 0.0);
    assert!(!tasks.overhead_contact_damage(&mut world, id, 1), "nobody holds it");
    let (_, holder) = tasks.create_human(|| None).unwrap();
    let head = tasks.manager.head_mut(id).unwrap();
    head.set_parent(holder);
    head.flags |= flag::ATTACHED;
    assert!(!tasks.overhead_contact_damage(&mut world, id, 0), "never the holder");
    assert!(tasks.overhead_contact_damage(&mut world, id, 1));
    assert_eq!(world.hurts, [(1, 15)]);
    assert!(!tasks.object(id).unwrap().broken);
    tasks.overhead_contact_damage(&mut world, id, 1);
    assert!(tasks.object(id).unwrap().broken);
}

#[test]
fn a_floor_settles_a_flying_object_once_and_rests_a_settled_one() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let ids = [BRICK, CHAIR].map(|kind| object(&mut tasks, &mut world, kind, 0.0));
    let floor = ObjectContact { normal: Vec3::Z, ..ObjectContact::default() };
    let wall = ObjectContact { normal: Vec3::X, ..ObjectContact::default() };
    assert_eq!(tasks.object_contact(ids[0], &wall).answer, Answer::BOUNCE);
    let first = tasks.object_contact(ids[0], &floor);
    assert_eq!((first.answer.0, first.settles_on), (0x2_0002, Some(RestAxes::XZ)));
    tasks.object_settles(ids[0], Quat::IDENTITY);
    assert!(tasks.manager.head(ids[0]).unwrap().has(flag::SETTLING));
    assert_eq!(tasks.object_contact(ids[0], &floor).settles_on, None, "while it settles nothing starts anew");
    assert_eq!(tasks.object_contact(ids[1], &floor).settles_on, None, "axis 0 never settles");
    let head = tasks.manager.head_mut(ids[0]).unwrap();
    head.flags = head.flags & !flag::SETTLING | flag::SETTLED | flag::AIRBORNE;
    head.velocity = Vec3::X;
    assert_eq!(tasks.object_contact(ids[0], &floor).answer.0, 0x1_0003);
    let head = tasks.manager.head(ids[0]).unwrap();
    let (airborne, grounded) = (head.has(flag::AIRBORNE | flag::SETTLED), head.has(flag::GROUNDED));
    assert_eq!((head.velocity, airborne, grounded), (Vec3::ZERO, false, true));
}

#[test]
fn a_contact_that_breaks_ends_the_walk_and_breaks_after_the_sweep() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BARREL, 0.0);
    let hard = ObjectContact { normal: Vec3::Z, speed: 9.0, ..ObjectContact::default() };
    assert_eq!(tasks.object_contact(id, &hard).answer, Answer::GO_ON);
    assert!(!tasks.object(id).unwrap().broken);
    tasks.after_contacts(&mut world, id);
    assert!(tasks.object(id).unwrap().broken);
    let log = world.log.len();
    tasks.after_contacts(&mut world, id);
    assert_eq!(world.log.len(), log, "an impact is heard once");
}

#[test]
fn only_a_shown_whole_object_with_a_body_is_struck() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = object(&mut tasks, &mut world, BRICK, 0.0);
    let handle = tasks.manager.head(id).unwrap().handle;
    assert!(!tasks.is_strike_target(handle), "no body yet");
    tasks.create_object_body(&mut world, id);
    assert!(tasks.is_strike_target(handle));
    tasks.object_mut(id).unwrap().hidden = true;
    assert!(!tasks.is_strike_target(handle));
    tasks.object_mut(id).unwrap().hidden = false;
    tasks.manager.head_mut(id).unwrap().flags |= flag::ATTACHED;
    assert!(!tasks.is_strike_target(handle));
}

#[test]
fn the_model_chooses_the_effect_of_a_hit() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    watch(&mut world);
    let ids = [BRICK, BAT, CHAIR].map(|kind| object(&mut tasks, &mut world, kind, 0.0));
    let made = ids.map(|id| tasks.hit_effects_by_model(&mut world, id, Vec3::ZERO));
    assert_eq!(made, [1, 7, 6], "debris, splinters, particles");
    assert_eq!(tasks.objects.pool.count(), 4);
}

#[test]
fn thrown_debris_has_a_body_and_flies() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let handle = tasks.spawn_thrown_debris(&mut world, BRICK, Vec3::X, Vec3::new(0.0, 0.0, 3.0));
    let id = tasks.as_object(handle).unwrap();
    assert_eq!(id.class(), Some(TaskClass::Object));
    assert!(tasks.object(id).unwrap().body.is_some());
    let head = tasks.manager.head(id).unwrap();
    assert_eq!((head.velocity.z, head.has(flag::AIRBORNE), tasks.manager.links().get(id).bucket), (3.0, true, 0));
    assert!(tasks.spawn_thrown_debris(&mut world, 999, Vec3::X, Vec3::Z).is_nil());
}
