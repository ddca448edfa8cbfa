//! Every class of pool filled to its last place and asked once more.

use super::{QuietWorld, empty_engine, make};
use crate::ai::{Action, Brains, Goal, Temper};
use crate::animation::pool::AnimPool;
use crate::animation::task::{AnimTask, Play};
use crate::maths::Vec3;
use crate::tasks::boxes::{LevelBox, WorldFlag};
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::{BRAINS, HUMANS};
use crate::tasks::ids::TaskClass;
use crate::tasks::objects::spawn::SpawnRecord;
use crate::tasks::objects::zones::ZONES;
use core::fmt::{self, Write};

/// Kinds by which scripts ask for volume, player and turf boxes. Source: seed 000, Boxes.
const BOX_KINDS: [(u32, &str); 3] = [(0, "VolumeBox"), (2, "PlayerBox"), (3, "TurfBox")];

/// Asks for as many as there should be and for one more, and writes what came of it.
fn fill(out: &mut dyn Write, name: &str, capacity: usize, mut take: impl FnMut(usize) -> bool) -> fmt::Result {
    let made = (0..capacity).filter(|n| take(*n)).count();
    let once_more = take(capacity);
    write!(out, "{name} capacity {capacity} made {made} one more {once_more}")
}

/// Fills all pools, then empties those of tasks.
pub(super) fn play(_: super::FrameClock<'_>, out: &mut dyn Write) -> fmt::Result {
    let (mut tasks, mut world) = (empty_engine(), QuietWorld::default());
    fill(out, "Human", HUMANS, |_| tasks.create_human(|| None).is_ok())?;
    writeln!(out, " refused {}", tasks.human_refusals)?;
    for class in TaskClass::MANAGED {
        fill(out, class_name(class), class.capacity().into(), |n| {
            make(&mut tasks, &mut world, class, n as u32).is_ok()
        })?;
        writeln!(out, " refused {}", tasks.refusals(class))?;
    }
    things_with_handles(out, &mut tasks)?;
    let spawns = &mut tasks.objects.spawns;
    fill(out, "SpawnRecord", spawns.capacity(), |_| spawns.add(SpawnRecord::default()).is_some())?;
    writeln!(out, " refused {}", tasks.objects.spawns.refusals())?;
    let zones = &mut tasks.objects.zones;
    fill(out, "ObjectZone", ZONES, |n| {
        zones.enable(n as u8);
        zones.is_enabled(n as u8)
    })?;
    // A zone is a bit, not a record that could be missing.
    writeln!(out)?;
    minds(out)?;
    animation(out)?;
    writeln!(out, "handles live {} refused {}", tasks.handles.live(), tasks.handles.refusals())?;
    (0..HUMANS).for_each(|n| {
        tasks.release_human(n as u16);
    });
    tasks.reset(&mut world);
    let left: usize = TaskClass::MANAGED.iter().map(|class| tasks.count(*class)).sum();
    writeln!(out, "after a reset tasks {left} handles live {}", tasks.handles.live())
}

const fn class_name(class: TaskClass) -> &'static str {
    match class {
        TaskClass::Human => "Human",
        TaskClass::Object => "Object",
        TaskClass::Particle => "Particle",
        TaskClass::PauseParticle => "PauseParticle",
        TaskClass::Scene => "Scene",
        TaskClass::Car => "Car",
        TaskClass::Pane => "Pane",
        TaskClass::Light => "Light",
    }
}

/// World flags and the three kinds of boxes, at the sizes of the scene's level.
fn things_with_handles(out: &mut dyn Write, tasks: &mut TaskEngine) -> fmt::Result {
    let TaskEngine { boxes, handles, .. } = tasks;
    let [flags, sized @ ..] = boxes.capacities();
    fill(out, "WorldFlag", flags, |_| !boxes.add_flag(handles, WorldFlag::default()).is_nil())?;
    writeln!(out, " refused {}", boxes.refusals()[0])?;
    for (n, ((kind, name), capacity)) in BOX_KINDS.into_iter().zip(sized).enumerate() {
        fill(out, name, capacity, |_| !boxes.add_box(handles, kind, LevelBox::default()).is_nil())?;
        writeln!(out, " refused {}", boxes.refusals()[n + 1])?;
    }
    Ok(())
}

/// The pools of those who think, and of those who stand together.
fn minds(out: &mut dyn Write) -> fmt::Result {
    let mut brains = Brains::new();
    fill(out, "Brain", BRAINS, |n| {
        brains.enable(n, Temper::Civilian, Goal::Idle);
        brains.brains.get(n).is_some_and(|brain| brain.enabled)
    })?;
    writeln!(out, " refused {}", brains.refusals)?;
    (0..BRAINS).for_each(|n| {
        brains.goals.clear(n);
    });
    let goals = &mut brains.goals;
    fill(out, "Goal", goals.capacity(), |n| goals.push(n % BRAINS, Goal::Idle))?;
    writeln!(out, " refused {}", goals.refusals())?;
    let actions = &mut brains.actions;
    fill(out, "Action", actions.capacity(), |n| actions.push(n % BRAINS, Action::default()))?;
    writeln!(out, " refused {}", actions.refusals())?;
    let gangs = &mut brains.gangs;
    fill(out, "Gang", gangs.capacity(), |n| gangs.get_mut(n).is_some())?;
    writeln!(out, " refused {}", gangs.refusals())?;
    let formations = &mut brains.formations;
    fill(out, "Formation", formations.capacity(), |n| formations.join(n as u8, 0, n as u8))?;
    writeln!(out, " refused {}", formations.refusals())?;
    let paths = &mut brains.paths;
    fill(out, "Path", paths.capacity(), |n| paths.add(n as u32, false, [Vec3::ZERO]).is_some())?;
    writeln!(out, " refused {}", paths.refusals())
}

/// Animation tasks, and the cursors with which those that are no fades play.
fn animation(out: &mut dyn Write) -> fmt::Result {
    let fade = AnimTask::fade(1.0, 0);
    let mut looping = fade;
    looping.play = Play::Loop;
    for (name, capacity, task) in [
        ("AnimTask", crate::tasks::humans::ANIM_TASKS, fade),
        ("AnimCursor", crate::tasks::humans::ANIM_CURSORS, looping),
    ] {
        let mut pool = AnimPool::new();
        fill(out, name, capacity, |_| pool.take(task).is_some())?;
        writeln!(out, " refused {}", pool.shortages)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    #[test]
    fn every_class_has_the_seeds_size_and_refuses_or_frees_one_more() {
        let mut text = String::new();
        super::play(&mut || 0, &mut text).unwrap();
        let mut lines = text.lines();
        let sizes = [
            ("Human", 60),
            ("Particle", 1400),
            ("PauseParticle", 100),
            ("Object", 384),
            ("Car", 18),
            ("Light", 28),
            ("Pane", 100),
            ("Scene", 12),
            ("WorldFlag", 64),
            ("VolumeBox", 60),
            ("PlayerBox", 10),
            ("TurfBox", 20),
            ("SpawnRecord", 900),
            ("ObjectZone", 255),
            ("Brain", 60),
            ("Goal", 170),
            ("Action", 100),
            ("Gang", 32),
            ("Formation", 41),
            ("Path", 32),
            ("AnimTask", 360),
            ("AnimCursor", 260),
        ];
        for (name, size) in sizes {
            // One more object finds the slot that is freed for it; a zone is a bit.
            let (one_more, rest) = match name {
                "Object" => (true, " refused 0"),
                "ObjectZone" => (false, ""),
                _ => (false, " refused 1"),
            };
            let expected = std::format!("{name} capacity {size} made {size} one more {one_more}{rest}");
            assert_eq!(lines.next(), Some(expected.as_str()));
        }
        let rest: Vec<&str> = lines.collect();
        assert_eq!(rest[1], "after a reset tasks 0 handles live 0", "{rest:?}");
    }
}
