//! The table of functions: what the engine calls by name, where the original calls into its scripts and other modules.
//!
//! Zones, cars, lights, scenes, the radio and objects keep the hash of a function's name; [`call`] finds the function in
//! [`table`] and hands it the thing it is called for and a value. A name that is not in the table calls nothing and is counted
//! on the console.
//!
//! Source: settled questions 17; seed 000, World objects, Cars, Lighting, Scenes (message handlers and callbacks).

use super::machine::Machine;
use super::staging;
use super::things::flicker;
use super::world::GameWorld;
use crate::tasks::engine::{TaskEngine, number};
use crate::tasks::handle::Handle;
use crate::tasks::names::name_hash;
use crate::tasks::objects::zones::ZONES;
use crate::tasks::scenes::SCENE_DATA_FREED;
use crate::tasks::script_objects::function;
use crate::tasks::world::World;

/// Hears the messages of the objects of every zone.
pub const ZONE_HEARS: u32 = name_hash("zone_hears");
/// Hears that a car is to go.
pub const CAR_ENDS: u32 = name_hash("car_ends");
/// Hears what a car's stereo says.
pub const RADIO_HEARD: u32 = name_hash("radio_heard");

/// How many functions there are.
pub const FUNCTIONS: usize = 9;

/// A function of the table: it is given the thing it is called for, nil for none, and a value.
pub type Function<M> = fn(&mut GameWorld<'_, M>, &mut TaskEngine, Handle, i32);

/// Every function that the engine may call, by the hash of its name.
pub fn table<M: Machine>() -> [(u32, Function<M>); FUNCTIONS] {
    [
        (flicker::FLICKER, |world, tasks, _, light| flicker::again(world, tasks, light)),
        (staging::STAGE_OVER, |world, tasks, _, _| staging::over(world, tasks)),
        (SCENE_DATA_FREED, |world, _, _, bytes| world.machine.print(format_args!("SCENE frees {bytes} bytes"))),
        (ZONE_HEARS, zone_hears),
        (CAR_ENDS, |world, tasks, car, _| {
            tasks.destroy_car(world, car);
        }),
        (RADIO_HEARD, radio_heard),
        // Our choice: nobody keeps out of spheres here, humans go by paths and by what they meet.
        (function::REMOVE_NO_GO_SPHERE, nothing),
        // Stand-in: of these two the seed knows no more than from where they are called.
        (function::HUMAN_219320, nothing),
        (function::LINK_250C00, nothing),
    ]
}

fn nothing<M: Machine>(_: &mut GameWorld<'_, M>, _: &mut TaskEngine, _: Handle, _: i32) {}

/// Calls a function by its name; says whether there is one.
pub fn call<M: Machine>(
    world: &mut GameWorld<'_, M>,
    tasks: &mut TaskEngine,
    name: u32,
    object: Handle,
    value: i32,
) -> bool {
    let found = table::<M>().into_iter().find(|(own, _)| *own == name);
    match found {
        Some((_, function)) => function(world, tasks, object, value),
        None => world.machine.print(format_args!("CALL {name:#x} is not in the table")),
    }
    found.is_some()
}

/// Sets who hears what in a level.
pub fn set_handlers(tasks: &mut TaskEngine) {
    (0..ZONES as u8).for_each(|zone| tasks.objects.zones.set_handler(zone, ZONE_HEARS));
    tasks.cars.set_handler(number::END as usize, CAR_ENDS);
    tasks.effects.radio_callback = RADIO_HEARD;
}

/// An object of a zone has had a message: a door that moves and a thing that is let fall are heard by who is near.
fn zone_hears<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, object: Handle, message: i32) {
    let heard = [number::DROPPED, number::DOOR_STATE].contains(&(message as u32));
    let Some(id) = tasks.task(object).filter(|_| heard) else { return };
    if let Some(at) = tasks.manager.head(id).map(|head| head.position) {
        world.noise(tasks, at, id);
    }
}

/// The stereo of a car plays or falls silent, and who is near looks up.
fn radio_heard<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, radio: Handle, state: i32) {
    let Some(id) = tasks.task(radio) else { return };
    let at = tasks.pose_now(world, id).position;
    world.machine.print(format_args!("RADIO {}", if state == 0 { "off" } else { "on" }));
    world.noise(tasks, at, id);
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, FakeMachine, game};
    use super::*;
    use crate::boot::start::StartHost as _;
    use crate::maths::Vec3;
    use crate::tasks::cars::life::RADIO;
    use crate::tasks::engine::Creation;
    use crate::tasks::ids::TaskClass;
    use crate::tasks::objects::spawn::SpawnRecord;
    use crate::tasks::objects::types::ObjectType;
    use crate::world::kinds::ParticleKind;
    use std::boxed::Box;

    fn level() -> Box<FakeGame> {
        let mut game = game();
        game.initialize_subsystems().unwrap();
        let tasks = game.tasks.as_deref_mut().unwrap();
        tasks.objects.types.reset();
        tasks.objects.types.add(ObjectType::named("door", 15)).unwrap();
        set_handlers(tasks);
        game
    }

    #[test]
    fn every_name_that_the_engine_may_call_is_in_the_table_once() {
        let names = table::<FakeMachine>().map(|(name, _)| name);
        for name in [
            flicker::FLICKER,
            staging::STAGE_OVER,
            SCENE_DATA_FREED,
            ZONE_HEARS,
            CAR_ENDS,
            RADIO_HEARD,
            function::REMOVE_NO_GO_SPHERE,
            function::HUMAN_219320,
            function::LINK_250C00,
        ] {
            assert_eq!(names.iter().filter(|own| **own == name).count(), 1, "{name:#x}");
        }
    }

    #[test]
    fn a_name_that_is_not_in_the_table_calls_nothing_and_is_told() {
        let mut game = level();
        let called = game.with_tasks(|tasks, world| call(world, tasks, 5, Handle::NIL, 0));
        assert_eq!((called, game.machine.said("CALL 0x5 is not")), (Some(false), 1));
    }

    #[test]
    fn a_car_that_is_told_to_end_is_gone() {
        let mut game = level();
        let gone = game.with_tasks(|tasks, world| {
            let id = tasks.create_car(world, name_hash("car_van"), &Creation::at(Vec3::ZERO)).unwrap();
            let car = tasks.manager.head(id).unwrap().handle;
            tasks.send_message(world, car, number::TRUNK_OPEN, &[]).unwrap();
            let stays = tasks.is_live(id);
            tasks.send_message(world, car, number::END, &[]).unwrap();
            (stays, tasks.is_live(id))
        });
        assert_eq!(gone, Some((true, false)));
    }

    #[test]
    fn a_door_of_a_zone_calls_the_zones_function() {
        let mut game = level();
        game.with_tasks(|tasks, world| {
            let door = tasks.spawn_object("door", SpawnRecord::default());
            tasks.objects.zones.set_handler(0, name_hash("nobody"));
            tasks.resolve(world, door).unwrap();
            tasks.send_message(world, door, number::DOOR_STATE, &[]).unwrap();
        });
        assert_eq!(game.machine.said("CALL"), 1, "the zone's function is asked for by its name");
    }

    #[test]
    fn a_cars_stereo_is_heard() {
        let mut game = level();
        game.things.learn(ParticleKind { name: RADIO, interval: 2, ..ParticleKind::default() });
        game.with_tasks(|tasks, world| {
            let made = tasks.create(world, TaskClass::Particle, RADIO, &Creation::at(Vec3::ZERO));
            let radio = tasks.handle_of(made);
            tasks.send_message(world, radio, number::START, &[]).unwrap();
            tasks.send_message(world, radio, number::STOP, &[]).unwrap();
        });
        assert_eq!((game.machine.said("RADIO on"), game.machine.said("RADIO off")), (1, 1));
    }
}
