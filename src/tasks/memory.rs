//! What the TaskEngine takes of memory, against what it may take: the tasks' pools, and those of the characters that its step
//! runs over.

use super::engine::TaskEngine;
use crate::ai::Brains;
use crate::animation::pool::AnimPool;
use crate::human::Human;
use crate::motion::table::build::sample;

/// One part of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// What.
    pub name: &'static str,
    /// What it takes.
    pub bytes: usize,
    /// What it may take.
    pub budget: usize,
}

/// What each part may take, in bytes, at the sizes of a level with 400 placed objects, 60 flags and 90 boxes.
///
/// Our choice: what each takes on the host, whose pointers are twice as wide as the console's, and a little above it. The
/// original's records, as far as the seed sizes them, come to 950 KB.
mod budget {
    const KB: usize = 1024;
    /// In the original a head is a part of its record; here all heads stand together, with links and transforms.
    pub const HEADS: usize = 320 * KB;
    /// In the original 22 KB: 2,816 of 8 bytes.
    pub const HANDLES: usize = 20 * KB;
    /// Six frames of 0x410 bytes in the original; here an argument carries its type.
    pub const MESSAGES: usize = 8 * KB;
    /// In the original 120 KB: 384 of 0x140 bytes.
    pub const OBJECTS: usize = 100 * KB;
    /// 1,536 types: 1,371 in the seed's largest level, and some in reserve; 216 KB of the original's 0x90 bytes.
    pub const OBJECT_TYPES: usize = 320 * KB;
    /// In the original 36 KB: 900 of 0x28 bytes.
    pub const SPAWNS: usize = 44 * KB;
    /// In the original 95 KB: 18 of 0x1310 bytes and six types of 0x5f0.
    pub const CARS: usize = 124 * KB;
    /// In the original 352 KB: 1,500 of 0xf0 bytes.
    pub const PARTICLES: usize = 100 * KB;
    /// In the original 33 KB: 100 of 0x100, 28 of 0xb0, 12 of 0x100 bytes. Half of ours are the linked panes' poses.
    pub const REST: usize = 11 * KB;
    /// 32 types of glass, and the effects' tanks.
    pub const GLASS_AND_TANKS: usize = 2 * KB;
    /// In the original 57 KB: 64 of 0xf0, 60 and 20 of 0x1f0, 10 of 0x100 bytes.
    pub const BOXES: usize = 8 * KB;
    /// Lists, counters, and the characters' records.
    pub const ENGINE: usize = 6 * KB;
    /// In the original 102 KB: 60 of 0x6d0 bytes.
    pub const HUMANS: usize = 120 * KB;
    /// 60 brains. In the original their sizes are not known, nor those of goals, actions and paths.
    pub const BRAINS: usize = 5 * KB;
    /// 60 ways by which brains' humans walk: the motion system of each.
    pub const WALKS: usize = 320 * KB;
    /// 170 goals and 100 actions, with the lists of 60 owners.
    pub const GOALS: usize = 10 * KB;
    /// In the original 88 KB: 32 of 0xb10 bytes.
    pub const GANGS: usize = KB;
    /// In the original 26 KB: 41 of 0x280 bytes.
    pub const FORMATIONS: usize = 8 * KB;
    /// 32 paths of 16 points.
    pub const PATHS: usize = 10 * KB;
    /// 360 animation tasks with their 260 cursors.
    pub const ANIMATION: usize = 56 * KB;
    /// Everything. Below the sum of the parts, since they are not to be at their limits together.
    pub const ALL: usize = 1532 * KB;
}

impl TaskEngine {
    /// What the engine's own parts take.
    pub fn memory(&self) -> [Share; 12] {
        let share = |name, bytes, budget| Share { name, bytes, budget };
        let particles = self.particles.iter().map(|manager| manager.pool.bytes()).sum();
        let rest = self.panes.pool.bytes() + self.lights.pool.bytes() + self.scenes.pool.bytes();
        [
            share("heads, links and transforms", self.manager.bytes(), budget::HEADS),
            share("handles", self.handles.bytes(), budget::HANDLES),
            share("messages", self.messages.bytes(), budget::MESSAGES),
            share("objects", self.objects.pool.bytes(), budget::OBJECTS),
            share("object types", self.objects.types.bytes(), budget::OBJECT_TYPES),
            share("spawn records", self.objects.spawns.bytes(), budget::SPAWNS),
            share("cars", self.cars.pool.bytes() + self.cars.type_bytes(), budget::CARS),
            share("particles", particles, budget::PARTICLES),
            share("panes, lights and scenes", rest, budget::REST),
            share(
                "glass types and tanks",
                self.panes.type_bytes() + self.effects.tank_bytes(),
                budget::GLASS_AND_TANKS,
            ),
            share("flags and boxes", self.boxes.bytes(), budget::BOXES),
            share("the engine itself", size_of::<Self>() + self.humans.records.bytes(), budget::ENGINE),
        ]
    }
}

/// What the characters' pools take, which the characters' modules own.
pub fn of_characters(humans: &[Human], brains: &Brains, animation: &AnimPool) -> [Share; 8] {
    let share = |name, bytes, budget| Share { name, bytes, budget };
    [
        share("humans", size_of_val(humans), budget::HUMANS),
        share("brains", size_of_val(&*brains.brains), budget::BRAINS),
        share("brains' walks", brains.walks.as_deref().map_or(0, size_of_val), budget::WALKS),
        share("goals and actions", brains.goals.bytes() + brains.actions.bytes(), budget::GOALS),
        share("gangs", brains.gangs.bytes(), budget::GANGS),
        share("formations", brains.formations.bytes(), budget::FORMATIONS),
        share("paths", brains.paths.bytes(), budget::PATHS),
        share("animation tasks and cursors", animation.bytes(), budget::ANIMATION),
    ]
}

/// The sum of some parts, against what all of them may take.
pub fn in_all<'a>(parts: impl IntoIterator<Item = &'a Share>) -> Share {
    Share { name: "in all", bytes: parts.into_iter().map(|share| share.bytes).sum(), budget: budget::ALL }
}

/// Every part of a new engine and of the characters that belong to it, and the sum of all last.
pub fn of_all(tasks: &TaskEngine) -> impl Iterator<Item = Share> {
    let nobody: alloc::vec::Vec<Human> = alloc::vec![Human::nobody(); super::humans::HUMANS];
    let own = tasks.memory();
    let mut brains = Brains::new();
    // Any table does: everybody's ways are as large with one as with another.
    if let Ok(table) = sample().build() {
        brains.use_motions(table);
    }
    let characters = of_characters(&nobody, &brains, &AnimPool::new());
    let all = in_all(own.iter().chain(&characters));
    own.into_iter().chain(characters).chain([all])
}

#[cfg(test)]
mod tests {
    use super::super::scenarios::empty_engine;
    use super::*;
    use crate::motion::MotionTable;

    #[test]
    fn every_pool_of_the_characters_is_counted() {
        let parts: std::vec::Vec<Share> = of_all(&empty_engine()).collect();
        let of = |name| parts.iter().find(|share| share.name == name).unwrap().bytes;
        assert_eq!(of("humans"), 60 * size_of::<Human>());
        assert!(of("goals and actions") >= 170 * size_of::<crate::ai::Goal>() + 100 * size_of::<crate::ai::Action>());
        assert!(of("gangs") == 32 * size_of::<crate::tasks::humans::groups::Gang>());
        assert!(of("formations") >= 41 * size_of::<crate::tasks::humans::groups::Formation>());
        assert!(of("brains' walks") >= 60 * size_of::<crate::ai::Walk<MotionTable<'static>>>());
        assert!(of("glass types and tanks") >= 32 * size_of::<crate::tasks::glass::GlassType>());
        assert!(of("paths") >= 32 * size_of::<crate::tasks::humans::groups::Path>());
        let (sum, all) = (parts[..parts.len() - 1].iter().map(|share| share.bytes).sum::<usize>(), of("in all"));
        assert_eq!((sum, parts.len()), (all, 12 + 8 + 1));
    }

    #[test]
    fn no_part_of_the_engine_is_above_its_budget() {
        // The host's pointers are twice as wide as the console's, so what fits here fits there.
        for Share { name, bytes, budget } in of_all(&empty_engine()) {
            std::println!("{name} {bytes} of {budget}");
            assert!(bytes <= budget, "{name}: {bytes} bytes of {budget}");
            assert!(bytes * 4 > budget, "{name}: a budget of {budget} for {bytes} bytes limits nothing");
        }
    }
}
