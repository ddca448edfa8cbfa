//! What people do to things and to one another's bodies in the whole game, on a console of memory.

use super::characters_story::gang;
use super::characters_tests::{come, level, people, steps, with};
use super::fake::FakeGame;
use crate::combat::attacks;
use crate::combat::commands::command;
use crate::human::numbers::state;
use crate::maths::Vec3;
use crate::physics::constants::IMMOVABLE;
use crate::physics::create::ObjectShape;
use crate::physics::flags::BodyFlags;
use crate::tasks::engine::Creation;
use crate::tasks::glass::GlassType;
use crate::tasks::head::flag;
use crate::tasks::humans::gates::state as gate_state;
use crate::tasks::humans::step::Characters as _;
use crate::tasks::ids::{TaskClass, TaskId};
use crate::tasks::objects::types::ObjectType;
use crate::tasks::owners::TaskOwners;
use crate::tasks::world::World as _;
use std::vec::Vec;

/// PHYFLAG number of what strikes and thrown things meet.
pub(super) const STRUCK: u16 = 1 | 4 | 8;

/// Where the player stands in these tests, looking along y.
pub(super) const PLACE: Vec3 = Vec3::new(5.0, 5.0, 0.0);

/// The hands, by their bones.
const LEFT_HAND: u64 = 19;
const HANDS: u64 = 1 << LEFT_HAND | 1 << 25;

pub(super) fn stand(game: &mut FakeGame) {
    people(game).teleport(0, PLACE, 0.0);
    steps(game, 2);
    people(game).teleport(0, PLACE, 0.0);
}

/// Makes a thing of a type, which it adds.
pub(super) fn make(game: &mut FakeGame, kind: ObjectType, at: Vec3) -> TaskId {
    with(game, |tasks, world| {
        let kind = tasks.objects.types.add(kind).unwrap();
        tasks.objects.types.resolve_names();
        tasks.create_world_object(world, kind, &Creation::at(at)).unwrap()
    })
}

pub(super) fn boxed(name: &str, size: Vec3) -> ObjectType {
    let shape = ObjectShape::Box { size, centre: Vec3::ZERO };
    ObjectType { shape, weight: 2.0, restitution: 0.1, ..ObjectType::named(name, 9) }
}

/// One blow of the player with some of the bones that strike, on the way from where he stands a step ahead.
fn blow(game: &mut FakeGame, attack: u16, bones: u64, ahead: f32) {
    stand(game);
    strike(game, attack, bones, ahead);
}

/// The same from where the player stands already.
fn strike(game: &mut FakeGame, attack: u16, bones: u64, ahead: f32) {
    let update = |game: &mut FakeGame| with(game, |tasks, world| world.update_state(tasks, 0));
    people(game).humans.attack(0, attack);
    people(game).humans.people[0].fight.bones = bones;
    // Shapes that are switched on sweep from where they are posed next.
    (0..2).for_each(|_| update(game));
    let player = &mut people(game).humans.people[0];
    player.position += Vec3::Y * ahead;
    player.bones.iter_mut().for_each(|bone| bone.position += Vec3::Y * ahead);
    update(game);
    people(game).humans.people[0].fight.end_attack();
    update(game);
}

#[test]
fn a_blow_breaks_a_pane_as_soon_as_blows_have_added_up() {
    let mut game = level();
    let id = with(&mut game, |tasks, world| {
        let half = Vec3::new(1.0, 0.01, 1.0);
        tasks.panes.set_type(0, &GlassType { name: 9, half, strength: 9, splinters: 0, sound: 0 });
        let at = PLACE + Vec3::new(0.0, 0.5, 1.0);
        let id = tasks.create(world, TaskClass::Pane, 9, &Creation::at(at)).unwrap();
        let body = tasks.pane_body(id).unwrap();
        world.place_body(tasks, body);
        id
    });
    let broken = |game: &mut FakeGame| game.tasks.as_deref().unwrap().pane(id).unwrap().broken;
    blow(&mut game, attacks::S1, HANDS, 0.2);
    assert_eq!(game.tasks.as_deref().unwrap().pane(id).unwrap().damage, 0, "out of reach");
    blow(&mut game, attacks::S1, HANDS, 0.8);
    assert!(!broken(&mut game) && game.tasks.as_deref().unwrap().pane(id).unwrap().damage == 5, "one blow is one hit");
    blow(&mut game, attacks::S1, HANDS, 0.8);
    assert!(broken(&mut game));
}

#[test]
fn blows_break_a_crate_into_its_planks_and_spare_what_takes_none() {
    let mut game = level();
    make(&mut game, boxed("plank", Vec3::new(0.1, 1.0, 0.04)), Vec3::new(20.0, 20.0, 0.5));
    let crate_type = ObjectType {
        wear: [2, 0],
        physics_flags: STRUCK,
        second_name: ObjectType::named("plank", 3).name,
        ..boxed("crate", Vec3::splat(0.5))
    };
    let id = make(&mut game, crate_type, PLACE + Vec3::new(0.2, 0.6, 0.9));
    let ghost = ObjectType { wear: [1, 0], ..boxed("ghost", Vec3::splat(0.5)) };
    let ghost = make(&mut game, ghost, PLACE + Vec3::new(-0.2, 0.6, 0.9));
    let count = |game: &FakeGame| game.tasks.as_deref().unwrap().objects.pool.count();
    let before = count(&game);
    blow(&mut game, attacks::S1, HANDS, 0.7);
    let wear = game.tasks.as_deref().unwrap().object(id).unwrap().wear;
    assert_eq!((wear.first, count(&game) - before <= 1), (1, true));
    let before = count(&game);
    blow(&mut game, attacks::S1, HANDS, 0.7);
    let tasks = game.tasks.as_deref().unwrap();
    assert!(tasks.object(id).unwrap().broken && count(&game) == before + 3);
    assert!(!tasks.object(ghost).unwrap().broken, "no layer of it is for strikes");
}

/// The player takes what lies before him and holds it.
fn take(game: &mut FakeGame) {
    with(game, |tasks, world| world.dispatch(tasks, 0, command::TRIANGLE));
    for _ in 0..12 {
        with(game, |tasks, world| world.animate(tasks, 0));
    }
}

fn finish_clips(game: &mut FakeGame) {
    finish_clips_of(game, 0);
}

fn finish_clips_of(game: &mut FakeGame, n: usize) {
    for _ in 0..60 {
        with(game, |tasks, world| world.animate(tasks, n));
    }
}

fn tick(game: &mut FakeGame) {
    with(game, |tasks, world| {
        let now = tasks.manager.clock.now() + 1;
        tasks.manager.clock.set_time(now);
        tasks.run_bucket(world);
        world.physics_step(tasks);
    });
}

fn stone(wear: u8) -> ObjectType {
    ObjectType { pickable: true, contact_damage: 30, wear: [wear, 0], ..boxed("stone", Vec3::splat(0.12)) }
}

#[test]
fn what_lies_before_the_player_is_taken_carried_and_let_fall() {
    let mut game = level();
    stand(&mut game);
    let behind = make(&mut game, stone(0), PLACE - Vec3::Y * 0.8);
    take(&mut game);
    assert_eq!(people(&mut game).humans.people[0].fight.weapon, None, "behind the back");
    let id = make(&mut game, stone(0), PLACE + Vec3::Y * 0.8);
    take(&mut game);
    let held = people(&mut game).humans.people[0].fight.weapon.unwrap();
    let tasks = game.tasks.as_deref().unwrap();
    assert_eq!((tasks.as_object(held.thing), tasks.object_holder(id)), (Some(id), Some(0)));
    assert_eq!((held.damage, held.overhead), (30, false));
    finish_clips(&mut game);
    people(&mut game).teleport(0, PLACE + Vec3::X * 3.0, 1.0);
    steps(&mut game, 2);
    let hand = people(&mut game).humans.people[0].bones[25].position;
    let at = with(&mut game, |tasks, world| tasks.pose_now(world, id).position);
    assert!((at - hand).length() < 0.25 && (at.x - 8.0).abs() < 0.8, "{at:?} {hand:?}");
    let again = with(&mut game, |tasks, world| tasks.can_be_picked_by(world, behind, 0));
    assert!(!again, "the hand is full");
    with(&mut game, |tasks, world| world.dispatch(tasks, 0, command::TRIANGLE));
    let tasks = game.tasks.as_deref().unwrap();
    assert!(tasks.object_holder(id).is_none() && tasks.manager.head(id).unwrap().has(flag::AIRBORNE));
    assert!((tasks.manager.head(id).unwrap().position - at).length() < 0.05, "from where the hand is");
    assert_eq!(people(&mut game).humans.people[0].fight.weapon, None);
}

#[test]
fn a_thrown_stone_hits_a_rival_hurts_by_its_speed_names_the_thrower_and_wears() {
    let mut game = level();
    stand(&mut game);
    let rival = come(&mut game, 5.0, 10.0, gang::GULLS).unwrap();
    steps(&mut game, 1);
    let id = make(&mut game, stone(1), PLACE + Vec3::Y * 0.8);
    take(&mut game);
    finish_clips(&mut game);
    with(&mut game, |tasks, world| world.dispatch(tasks, 0, command::CIRCLE));
    for _ in 0..12 {
        with(&mut game, |tasks, world| world.animate(tasks, 0));
    }
    assert_eq!(game.machine.said("HAND 0 throws stone"), 1, "{:?}", game.machine.log);
    assert_eq!((game.rules.thrown(), game.state.statistics.thrown), (1, 1));
    let health = people(&mut game).humans.people[rival].health;
    let mut flown = Vec::new();
    for _ in 0..120 {
        tick(&mut game);
        let tasks = game.tasks.as_deref().unwrap();
        match tasks.object(id) {
            Some(object) if !object.broken => flown.push(tasks.manager.head(id).unwrap().position),
            _ => break,
        }
    }
    let human = &people(&mut game).humans.people[rival];
    assert!(flown.last().unwrap().y > 9.0, "{:?}", flown.last());
    assert!(health - human.health > 20, "{} of {health}", human.health);
    assert_eq!(human.fight.struck_by, Some(0));
    assert_eq!(
        people(&mut game).brains.gangs.get(gang::GULLS.into()).unwrap().target,
        Some(0),
        "the gang knows who it was"
    );
}

#[test]
fn a_throw_spares_ones_own_gang_and_the_thrower() {
    let mut game = level();
    stand(&mut game);
    let friend = come(&mut game, 5.0, 8.0, gang::PLAYER).unwrap();
    steps(&mut game, 1);
    make(&mut game, stone(3), PLACE + Vec3::Y * 0.8);
    take(&mut game);
    finish_clips(&mut game);
    with(&mut game, |tasks, world| world.dispatch(tasks, 0, command::CIRCLE));
    for _ in 0..12 {
        with(&mut game, |tasks, world| world.animate(tasks, 0));
    }
    (0..90).for_each(|_| tick(&mut game));
    let all = &people(&mut game).humans.people;
    assert_eq!([0, friend].map(|n| all[n].health), [0, friend].map(|n| all[n].max_health));
}

/// Somebody's body and bones are elsewhere, whatever the ground says.
fn lower(game: &mut FakeGame, n: usize, to: Vec3) {
    with(game, |tasks, world| {
        let (people, physics) = (world.people.as_deref_mut().unwrap(), world.physics.as_deref_mut().unwrap());
        let human = &mut people.humans.people[n];
        let by = to - human.position;
        human.position = to;
        human.bones.iter_mut().for_each(|bone| bone.position += by);
        let body = human.body.unwrap();
        physics.mark_dirty(body);
        physics.update_body(body, &mut TaskOwners::with_humans(tasks, &mut people.humans));
    });
}

#[test]
fn a_swung_bat_costs_its_own_damage_and_breaks_when_it_is_worn_out() {
    let mut game = level();
    stand(&mut game);
    let bat =
        ObjectType { pickable: true, contact_damage: 18, wear: [2, 0], ..boxed("bat", Vec3::new(0.07, 0.84, 0.07)) };
    let id = make(&mut game, bat, PLACE + Vec3::Y * 0.8);
    take(&mut game);
    finish_clips(&mut game);
    assert_eq!(game.tasks.as_deref().unwrap().object_holder(id), Some(0));
    // He stands so deep that the hanging bat comes at the height of his chest.
    let low = Vec3::new(5.25, 6.2, -0.5);
    let rival = come(&mut game, low.x, low.y, gang::GULLS).unwrap();
    for (swing, whole) in [(1, true), (2, false)] {
        people(&mut game).humans.people[rival].health = 100;
        stand(&mut game);
        lower(&mut game, rival, low);
        strike(&mut game, attacks::SWING, 1 << LEFT_HAND, 0.7);
        let health = people(&mut game).humans.people[rival].health;
        assert_eq!((health, !game.tasks.as_deref().unwrap().object(id).unwrap().broken), (82, whole), "swing {swing}");
    }
    assert_eq!(people(&mut game).humans.people[0].fight.weapon, None);
    let body = people(&mut game).humans.people[0].body.unwrap();
    assert_eq!(game.physics.as_deref().unwrap().strike_spheres(body).count(), 0);
}

#[test]
fn who_is_knocked_down_keeps_blocking_and_cannot_be_moved_and_who_is_out_has_no_body_until_healed() {
    let mut game = level();
    stand(&mut game);
    let n = come(&mut game, 5.0, 8.0, gang::GULLS).unwrap();
    // The push weight, and whether there is a body that blocks.
    let look = |game: &mut FakeGame| {
        with(game, |tasks, world| {
            if world.state_is_ready(n) {
                world.update_state(tasks, n);
            }
        });
        let human = &people(game).humans.people[n];
        let (weight, body) = (human.push_weight, human.body);
        let blocks = body.map(|body| game.physics.as_deref().unwrap().body(body).flags.has(BodyFlags::BLOCK_HUMANS));
        (weight, blocks)
    };
    assert_eq!(look(&mut game), (1.0, Some(true)));
    let crushing = people(&mut game).humans.table.find(attacks::CHARGE).unwrap();
    people(&mut game).humans.hit(0, n, &crushing, PLACE);
    assert!(people(&mut game).humans.people[n].is(state::DOWN));
    assert_eq!(look(&mut game), (IMMOVABLE, Some(true)), "down");
    people(&mut game).humans.risen(n);
    assert_eq!(look(&mut game), (1.0, Some(true)), "up again");
    people(&mut game).humans.wound(n, 1000, None);
    assert_eq!(look(&mut game), (IMMOVABLE, Some(false)), "out, and falling");
    finish_clips_of(&mut game, n);
    people(&mut game).humans.people[n].state |= gate_state::FALLING;
    assert_eq!(look(&mut game).1, Some(false), "in the air");
    people(&mut game).humans.people[n].state &= !gate_state::AIRBORNE;
    let bodies = |game: &FakeGame| game.physics.as_deref().unwrap().human_bodies().count();
    let before = bodies(&game);
    assert_eq!((look(&mut game), bodies(&game)), ((IMMOVABLE, None), before - 1), "lying");
    people(&mut game).humans.revive(n, 0.5);
    assert_eq!(look(&mut game), (IMMOVABLE, Some(true)), "healed, and still lying");
}

#[test]
fn what_goes_with_its_holder_is_no_longer_in_the_level() {
    let mut game = level();
    stand(&mut game);
    let id = make(&mut game, stone(0), PLACE + Vec3::Y * 0.8);
    take(&mut game);
    with(&mut game, |tasks, world| {
        let (people, physics) = (world.people.as_deref_mut().unwrap(), world.physics.as_deref_mut().unwrap());
        people.dismiss(0, tasks, physics);
        assert!(tasks.is_live(id));
        super::things::objects::update(world, tasks);
        assert!(!tasks.is_live(id));
    });
}

#[test]
fn a_shake_that_a_script_asks_for_moves_its_players_eye_and_dies_away() {
    let mut game = level();
    stand(&mut game);
    let eye = |game: &mut FakeGame| {
        steps(game, 1);
        people(game).camera(0).unwrap().view().position.z
    };
    (0..60).for_each(|_| {
        eye(&mut game);
    });
    let still = eye(&mut game);
    with(&mut game, |_, world| world.shake(0, Some(1.0), Some(0.5)));
    let shaken: Vec<f32> = (0..60).map(|_| (eye(&mut game) - still).abs()).collect();
    assert!(shaken[..3].iter().any(|&off| off > 0.05), "{shaken:?}");
    assert!(shaken[40..].iter().all(|&off| off < 0.01), "{shaken:?}");
}
