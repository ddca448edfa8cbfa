//! What objects and panes do when something happens to them, and what a touch gives.

use super::super::machine::Machine;
use super::super::world::GameWorld;
use crate::maths::Vec3;
use crate::tasks::engine::{TaskEngine, number};
use crate::tasks::ids::{TaskClass, TaskId};
use crate::tasks::names::name_hash;
use crate::tasks::objects::types::Touch;
use crate::tasks::world::{Gift, World};

/// What a purse holds.
const PURSE: u32 = 20;
/// The type of a purse.
const MONEY: u32 = name_hash("money");
/// Splinters of a pane for each square metre, and at most.
const SHARDS: (f32, u32) = (9.0, 40);
/// Metres below a thing within which the ground is looked for.
const GROUND: f32 = 4.0;
/// Pieces that a broken thing falls into.
const DEBRIS: usize = 3;
/// Speed of those pieces, metres a second.
const DEBRIS_SPEED: f32 = 2.4;

/// A message to an object or a pane.
pub fn message<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId, number: u32) -> i32 {
    match number {
        number::CREATED if id.class() == Some(TaskClass::Object) => created(world, tasks, id),
        number::BROKEN => broken(world, tasks, id),
        number::PANE_BROKEN => shatter(world, tasks, id),
        _ => return 0,
    }
    1
}

/// An object has come into being: it is met from now on, unless it is a door or only to be touched.
fn created<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId) {
    let Some(kind) = tasks.object_type(id) else { return };
    if kind.is_door() {
        super::doors::created(world, tasks, id);
    } else if kind.touch == Touch::Nothing {
        tasks.create_object_body(world, id);
        if let Some(body) = tasks.object(id).and_then(|object| object.body) {
            world.place_body(tasks, body);
        }
    }
}

/// A broken object falls into what its type becomes; what is left of it is gone with the next update.
fn broken<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId) {
    let at = tasks.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
    if let Some(kind) = tasks.object_type(id) {
        world.machine.print(format_args!("BREAK {}", kind.name()));
    }
    let debris = tasks.object_type(id).and_then(|kind| kind.second_type);
    let now = tasks.manager.clock.now();
    tasks.hide_object(world, id);
    let Some(object) = tasks.object_mut(id) else { return };
    object.unload_at = now + 1;
    if let Some(record) = object.record.take() {
        // It comes back after its time, if it has one: else it is gone for good.
        tasks.objects.spawns.set_gone(record, true, now);
    }
    let Some(kind) = debris else { return };
    for piece in 0..DEBRIS {
        let mut side = || world.random(200) as f32 / 100.0 - 1.0;
        let velocity = Vec3::new(side(), side(), 1.0) * DEBRIS_SPEED;
        let from = at + Vec3::Z * (0.15 * piece as f32);
        tasks.spawn_thrown_debris(world, kind, from, velocity);
    }
}

/// A pane falls in splinters over all of its face, as far as they are seen from near.
fn shatter<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId) {
    let Some((kind, head)) = tasks.pane(id).map(|pane| pane.kind).zip(tasks.manager.head(id)) else { return };
    let Some(kind) = tasks.panes.kind(kind).copied() else { return };
    world.machine.print(format_args!("BREAK pane"));
    let (middle, rotation) = (head.position, head.rotation);
    let count = ((4.0 * kind.half.x * kind.half.z * SHARDS.0) as u32).min(SHARDS.1);
    for _ in 0..count {
        let mut side = || world.random(2000) as f32 / 1000.0 - 1.0;
        let at = middle + rotation.rotate(Vec3::new(side() * kind.half.x, side() * 0.1, side() * kind.half.z));
        tasks.spawn_effect(world, kind.splinters, at);
    }
}

/// The height of the ground under a point.
pub fn ground_under<M: Machine>(world: &GameWorld<'_, M>, point: Vec3) -> Option<f32> {
    const OVER: f32 = 0.3;
    let from = point + Vec3::Z * OVER;
    world.ray(from, -Vec3::Z, GROUND).map(|hit| from.z - hit.distance)
}

/// A human takes what a pick-up holds; says whether it did.
pub fn give<M: Machine>(world: &mut GameWorld<'_, M>, human: u16, gift: Gift) -> bool {
    match gift {
        Gift::Item(MONEY) => {
            let player = world.person_of(human).and_then(|person| person.player);
            let purse = player.and_then(|player| world.state.money.get_mut(usize::from(player)));
            let Some(purse) = purse else { return false };
            *purse = purse.saturating_add(PURSE);
            let sum = *purse;
            world.machine.print(format_args!("TAKEN money, {sum} in hand"));
            true
        }
        Gift::Health(points) => {
            world.machine.print(format_args!("TAKEN health, {points} points"));
            true
        }
        Gift::Item(_) => false,
    }
}

/// Once a frame: pick-ups are touched, and doors open for who comes.
pub fn update<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) {
    let players = world.player_humans();
    let mut next = tasks.first_live(TaskClass::Object);
    while let Some(id) = next {
        next = id.index_in(TaskClass::Object).and_then(|slot| tasks.next_live(TaskClass::Object, slot as u16 + 1));
        if tasks.forget_orphan(world, id) {
            continue;
        }
        if tasks.object_type(id).is_some_and(|kind| kind.touch != Touch::Nothing) {
            spin(tasks, id);
            // Our choice: players alone take by touch; the others would empty the level before they come.
            let _taken = players.iter().any(|human| tasks.try_touch_pick_up(world, id, *human));
        }
    }
    super::doors::update(world, tasks, &players);
    if world.things.crowd {
        super::crowd::refill(world, tasks);
    }
}

/// What may be taken by touch turns slowly, so that it is seen.
fn spin(tasks: &mut TaskEngine, id: TaskId) {
    const TURN: f32 = 1.6;
    if let Some(head) = tasks.manager.head_mut(id)
        && head.angular_velocity() == Vec3::ZERO
    {
        head.set_angular_velocity(Vec3::Z * TURN);
    }
}
