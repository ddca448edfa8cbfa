//! Short scenes that print what they see: the same lines on the host and on the console.
//!
//! A scene writes facts, one a line, and no judgement; whoever runs it compares the lines with known ones. Only
//! `tick_split` reads a clock, and it is given one: a function that waits for the next frame and answers the game
//! clock. [`idle_engine`] is what the figures of the wheel and of handles are taken from.

mod full_pools;
mod handle_churn;

use super::boxes::DatabaseSizes;
use super::engine::{CreateError, Creation, TaskEngine};
use super::handle::Handle;
use super::ids::{TaskClass, TaskId};
use super::memory::{Share, of_all};
use super::objects::types::ObjectType;
use super::quiet::QuietWorld;
use super::wheel::BUCKETS;
use crate::maths::Vec3;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// Frames of `tick_split`: 40 seconds at 29.97 Hz. Source: known numbers, Trace scenarios.
const FRAMES: u32 = 1200;
/// Ticks of `wheel_objects`. Source: known numbers, Trace scenarios.
const TICKS: u32 = 120;
/// Types and names that scenes use.
const OBJECT: &str = "scene_object";
const CAR: u32 = super::names::name_hash("car_van");
const PANE: u32 = super::names::name_hash("scene_pane");

/// A clock that waits for the next frame and answers the game clock's ticks.
pub type FrameClock<'a> = &'a mut dyn FnMut() -> u64;

/// A scene and its name.
type Scene = (&'static str, fn(FrameClock<'_>, &mut dyn Write) -> fmt::Result);

/// Every scene.
const SCENES: [Scene; 6] = [
    ("tick_split", tick_split),
    ("wheel_objects", wheel_objects),
    ("full_pools", full_pools::play),
    ("handle_churn", handle_churn::play),
    ("message_nesting", message_nesting),
    ("task_memory", task_memory),
];

/// The names of the scenes.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCENES.into_iter().map(|(name, _)| name)
}

/// Plays a scene and writes its lines; `false` when there is no scene of that name.
///
/// Errors: whatever the writer refuses.
pub fn play(name: &str, clock: FrameClock<'_>, out: &mut dyn Write) -> Result<bool, fmt::Error> {
    let Some((_, scene)) = SCENES.into_iter().find(|(known, _)| *known == name) else { return Ok(false) };
    scene(clock, out)?;
    Ok(true)
}

/// An engine with the types that scenes use and nothing alive.
pub fn empty_engine() -> TaskEngine {
    let mut tasks = TaskEngine::new(&DatabaseSizes { objects: 400, flags: 60, volumes: 60, players: 10, turfs: 20 });
    tasks.objects.types.add(ObjectType::named(OBJECT, 3));
    let pane = super::glass::GlassType { name: PANE, strength: 1, ..super::glass::GlassType::default() };
    tasks.panes.set_type(0, &pane);
    tasks
}

/// The name under which a class's scene task is made; a particle's carries its interval.
fn name_of(class: TaskClass, n: u32) -> u32 {
    match class {
        TaskClass::Particle | TaskClass::PauseParticle => 1 + n % 60,
        TaskClass::Object => super::names::name_hash(OBJECT),
        TaskClass::Car => CAR,
        TaskClass::Pane => PANE,
        _ => n,
    }
}

fn make(tasks: &mut TaskEngine, world: &mut QuietWorld, class: TaskClass, n: u32) -> Result<TaskId, CreateError> {
    tasks.create(world, class, name_of(class, n), &Creation::at(Vec3::new(n as f32, 0.0, 0.0)))
}

/// An engine whose pools are full of tasks with nothing to do: one tick of it is the wheel's own cost.
pub fn idle_engine() -> (TaskEngine, QuietWorld) {
    let (mut tasks, mut world) = (empty_engine(), QuietWorld::default());
    for class in TaskClass::MANAGED {
        for n in 0..u32::from(class.capacity()) {
            // A pool that is full already, as that of particles is by the cars' shared one, refuses the last.
            let _ = make(&mut tasks, &mut world, class, n);
        }
    }
    (tasks, world)
}

/// One 60 Hz tick of the wheel alone.
pub fn idle_tick(tasks: &mut TaskEngine, world: &mut QuietWorld) {
    let next = tasks.manager.clock.now() + 1;
    tasks.manager.clock.set_time(next);
    tasks.run_bucket(world);
}

/// Resolves the handle of every live task of play's particles; answers how many it found.
pub fn resolve_all(tasks: &TaskEngine, handles: &[Handle]) -> usize {
    handles.iter().filter(|handle| tasks.task(**handle).is_some()).count()
}

/// The handles of all live particles of play.
pub fn particle_handles(tasks: &TaskEngine) -> Vec<Handle> {
    let slots = tasks.particles[0].pool.live_slots();
    slots.filter_map(|n| tasks.manager.head(TaskId::new(TaskClass::Particle, n))).map(|head| head.handle).collect()
}

/// How many pairs each frame runs, and where an extra one falls.
fn tick_split(clock: FrameClock<'_>, out: &mut dyn Write) -> fmt::Result {
    let (mut tasks, mut world) = (empty_engine(), QuietWorld::default());
    tasks.tick_game(&mut world, clock());
    let (mut by_pairs, mut extra) = ([0_u32; 5], None);
    for frame in 0..FRAMES {
        let pairs = tasks.tick_game(&mut world, clock());
        by_pairs[(pairs as usize).min(4)] += 1;
        if pairs > 1 && extra.is_none() {
            extra = Some(frame);
        }
    }
    writeln!(out, "frames {FRAMES}")?;
    for (pairs, frames) in by_pairs.iter().enumerate() {
        writeln!(out, "frames with {pairs} pairs {frames}")?;
    }
    match extra {
        Some(frame) => writeln!(out, "first extra pair in frame {frame}")?,
        None => writeln!(out, "no extra pair")?,
    }
    writeln!(out, "ticks {} character steps {}", tasks.manager.clock.now(), world.character_steps)?;
    writeln!(out, "physics steps {} dropped {}", world.physics_steps, tasks.ticks.dropped)
}

/// The updates of 120 ticks, and what intervals and starts say they have to be.
fn wheel_objects(_: FrameClock<'_>, out: &mut dyn Write) -> fmt::Result {
    let (mut tasks, mut world) = (empty_engine(), QuietWorld::default());
    let crowd = [(TaskClass::Particle, 150), (TaskClass::Object, 60), (TaskClass::Scene, 3), (TaskClass::Car, 2)];
    for (class, count) in crowd {
        for n in 0..count {
            idle_tick(&mut tasks, &mut world);
            let _ = make(&mut tasks, &mut world, class, n);
        }
    }
    let _ = tasks.create_human(|| None);
    let phase = tasks.manager.clock.phase();
    let now = i32::from(tasks.manager.wheel(phase).current());
    let mut expected = 0;
    for bucket in 0..BUCKETS {
        let first = (bucket as i32 - now).rem_euclid(BUCKETS as i32) as u32;
        for id in tasks.manager.wheel(phase).bucket(tasks.manager.links(), bucket as u8) {
            let interval = tasks.manager.head(id).map_or(1, |head| u32::from(head.interval.max(1)));
            expected += if first < TICKS { 1 + (TICKS - 1 - first) / interval } else { 0 };
        }
    }
    tasks.updates = [0; TaskClass::ALL.len()];
    (0..TICKS).for_each(|_| idle_tick(&mut tasks, &mut world));
    writeln!(out, "ticks {TICKS} expected {expected} counted {}", tasks.updates.iter().sum::<u32>())?;
    for (class, count) in TaskClass::ALL.iter().zip(tasks.updates) {
        writeln!(out, "{class:?} {count}")?;
    }
    Ok(())
}

/// A task that answers every message with one to itself.
fn message_nesting(_: FrameClock<'_>, out: &mut dyn Write) -> fmt::Result {
    let (mut tasks, mut world) = (empty_engine(), QuietWorld::default());
    let made = make(&mut tasks, &mut world, TaskClass::Particle, 0);
    let target = tasks.handle_of(made);
    world.echo = Some(target);
    world.type_messages = 0;
    let answer = tasks.send_message(&mut world, target, 1, &[]);
    writeln!(out, "answer {answer:?} deepest {}", tasks.messages.deepest())?;
    writeln!(out, "delivered {} refused {}", world.type_messages, world.refused)?;
    writeln!(out, "open frames {}", tasks.messages.depth())
}

/// What the engine takes of memory, and what it may take.
fn task_memory(_: FrameClock<'_>, out: &mut dyn Write) -> fmt::Result {
    for Share { name, bytes, budget } in of_all(&empty_engine()) {
        writeln!(out, "{name} {bytes} of {budget}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::String;

    /// Frames of two fields at 59.94 Hz.
    fn ntsc() -> impl FnMut() -> u64 {
        let mut frame = 0;
        move || {
            frame += 1;
            frame * 294_912_000 * 1001 / 30_000
        }
    }

    fn lines(name: &str) -> String {
        let mut out = String::new();
        assert_eq!(play(name, &mut ntsc(), &mut out), Ok(true));
        out
    }

    #[test]
    fn one_frame_in_about_a_thousand_runs_an_extra_pair() {
        let text = lines("tick_split");
        assert!(text.contains("frames with 0 pairs 0\n") && text.contains("frames with 1 pairs 1199\n"), "{text}");
        assert!(text.contains("frames with 2 pairs 1\n") && text.contains("first extra pair in frame 999\n"), "{text}");
        assert!(text.contains("ticks 2402 character steps 1201\n"), "{text}");
    }

    #[test]
    fn the_wheel_updates_as_often_as_intervals_and_starts_say() {
        let text = lines("wheel_objects");
        let numbers: std::vec::Vec<u32> =
            text.lines().next().unwrap().split(' ').filter_map(|w| w.parse().ok()).collect();
        assert_eq!(numbers[1], numbers[2], "{text}");
        assert!(text.contains("Human 0\n") && text.contains("Scene 360\n"), "{text}");
        let seen = text.lines().skip(1).filter(|line| !line.ends_with(" 0")).count();
        assert_eq!(seen, 4, "particle, object, scene, car: {text}");
    }

    #[test]
    fn messages_nest_to_the_sixth_frame() {
        let text = lines("message_nesting");
        assert_eq!(text, "answer Ok(1) deepest 6\ndelivered 6 refused 1\nopen frames 0\n");
    }

    #[test]
    fn there_is_no_scene_of_another_name() {
        assert_eq!(play("nothing", &mut ntsc(), &mut String::new()), Ok(false));
        assert_eq!(names().count(), 6);
    }

    #[test]
    fn an_idle_engine_has_every_pool_full() {
        let (mut tasks, mut world) = idle_engine();
        assert!(TaskClass::MANAGED.iter().all(|class| tasks.count(*class) == usize::from(class.capacity())));
        let handles = particle_handles(&tasks);
        assert_eq!((handles.len(), resolve_all(&tasks, &handles)), (1400, 1400));
        idle_tick(&mut tasks, &mut world);
        assert!(world.type_messages > 0);
    }
}
