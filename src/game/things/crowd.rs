//! The worst case: a level filled to the last place of the pools, to see what a frame of it costs.

use super::super::Game;
use super::super::characters_load::LOOKS;
use super::super::characters_story::gang;
use super::super::machine::Machine;
use super::super::world::GameWorld;
use crate::ai::{Goal, Temper};
use crate::human::Spawn;
use crate::maths::Vec3;
use crate::physics::create::ObjectShape;
use crate::tasks::cars::MODELS;
use crate::tasks::engine::{Creation, TaskEngine, number};
use crate::tasks::ids::TaskClass;
use crate::tasks::names::name_hash;
use crate::tasks::objects::types::Touch;
use crate::world::chunks::ThingKind;

/// Metres between things, and things in a row.
const APART: f32 = 2.3;
const IN_A_ROW: usize = 20;
/// Every so many things one is dropped from a height, so that some always move at the beginning.
const DROPPED_EVERY: usize = 8;
const HEIGHT: f32 = 2.5;
/// Metres between people, how many stand in a row, and how far each wanders about.
const PEOPLE_APART: f32 = 3.1;
const PEOPLE_IN_A_ROW: usize = 8;
const WANDERS: f32 = 4.0;
/// Particles made in a frame at most.
const AT_ONCE: usize = 60;
/// What they are.
const PARTICLE: u32 = name_hash("litter_leaf");

/// The place of the `number`-th of many things, around the level's origin.
fn place(number: usize) -> Vec3 {
    in_rows(number, IN_A_ROW, APART)
}

/// The place of the `number`-th of what stands `apart` metres from each other in rows around the level's origin.
fn in_rows(number: usize, in_a_row: usize, apart: f32) -> Vec3 {
    let (column, row) = (number % in_a_row, number / in_a_row);
    let half = apart * in_a_row as f32 / 2.0;
    Vec3::new(column as f32 * apart - half, row as f32 * apart - half, 0.0)
}

impl<M: Machine> Game<M> {
    /// Fills the places of people, and the pools of objects, cars and particles.
    pub(in super::super) fn fill_level(&mut self) {
        let cars = self.world.level().map_or(0, |level| level.things(ThingKind::Car).count());
        self.things.crowd = true;
        let made = self.with_tasks(|tasks, world| {
            fill_cars(world, tasks, cars);
            fill_objects(world, tasks);
            (tasks.count(TaskClass::Object), tasks.count(TaskClass::Car))
        });
        let people = self.fill_people();
        if let Some((objects, cars)) = made {
            self.machine.print(format_args!("CROWD {people} people {objects} objects {cars} cars"));
        }
    }

    /// People who take a walk, as many as there are places; answers how many are there.
    fn fill_people(&mut self) -> usize {
        let parts = (self.people.as_deref_mut(), self.tasks.as_deref_mut(), self.physics.as_deref_mut());
        let (Some(people), Some(tasks), Some(physics)) = parts else { return 0 };
        for number in 0..people.humans.people.len() {
            let position = in_rows(number, PEOPLE_IN_A_ROW, PEOPLE_APART);
            let look = (number % LOOKS.len()) as u8;
            let spawn = Spawn { position, gang: gang::WALKERS, look, ..Spawn::default() };
            let Some(human) = people.spawn(spawn, tasks, physics) else { break };
            people.brains.enable(human, Temper::Civilian, Goal::Wander { home: position, radius: WANDERS });
        }
        people.humans.present().count()
    }
}

fn fill_cars<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, looks: usize) {
    let room = usize::from(TaskClass::Car.capacity());
    for number in tasks.count(TaskClass::Car)..room {
        let at = place(number * IN_A_ROW / 3 + IN_A_ROW / 2);
        let Ok(id) = tasks.create_car(world, name_hash(MODELS[0]), &Creation::at(at)) else { return };
        let offsets = tasks.car_type(id).map(|kind| kind.parts.each_ref().map(|part| part.offset));
        let look = offsets.and_then(|offsets| world.things.models.take_car(number % looks.max(1), offsets));
        if let Some(instance) = look {
            tasks.set_car_instance(world, id, instance);
        }
    }
}

fn fill_objects<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) {
    let loose = |kind: u16| {
        let kind = tasks.objects.types.get(kind);
        kind.filter(|kind| !kind.is_door() && kind.touch == Touch::Nothing && kind.model != 0).is_some()
    };
    let kinds: heapless::Vec<u16, 64> =
        (0..tasks.objects.types.len() as u16).filter(|kind| loose(*kind)).take(64).collect();
    if kinds.is_empty() {
        return;
    }
    let mut number = 0;
    while tasks.objects.pool.room() > 0 {
        let kind = kinds[number % kinds.len()];
        let stands = match tasks.objects.types.get(kind).map(|kind| kind.shape) {
            Some(ObjectShape::Box { size, centre }) => size.z * 0.5 - centre.z,
            _ => 0.0,
        };
        let falls = number % DROPPED_EVERY == 0;
        let at = place(number) + Vec3::Z * (stands + if falls { HEIGHT } else { 0.0 });
        number += 1;
        let Ok(id) = tasks.create_world_object(world, kind, &Creation::at(at)) else { return };
        let handle = tasks.manager.head(id).map(|head| head.handle).filter(|_| falls);
        if let Some(handle) = handle {
            // Messages of their own cannot nest too deep here.
            let _dropped = tasks.send_message(world, handle, number::DROPPED, &[]);
        }
    }
}

/// Keeps the pool of particles full.
pub(super) fn refill<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) {
    for _ in 0..AT_ONCE.min(tasks.particles[0].pool.room()) {
        let random = &mut world.things.random;
        let mut side = || random.share() * 40.0 - 20.0;
        let at = Vec3::new(side(), side(), 1.0);
        let _made = tasks.create(world, TaskClass::Particle, PARTICLE, &Creation::at(at));
    }
}
