//! What the overlay looks at: references to the game's own values, and plain facts where there is no value to lend.
//!
//! Everything is optional, so that the overlay runs in any scene: a page whose subject is missing says so.

use crate::boot::subsystems::BootReport;
use crate::clock::{GameTimer, StopWatch};
use crate::collision::CollisionMesh;
use crate::ee::identity::Identity;
use crate::file_io::FileManager;
use crate::game_modes::ModeStack;
use crate::human::numbers::AnimState;
use crate::maths::Vec3;
use crate::memory::{MemoryManager, PoolId};
use crate::motion::{MotionTableManager, MovementManager};
use crate::physics::PhysicsWorld;
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::gates::Gate;
use crate::tasks::humans::held::ClipEvent;
use crate::tasks::humans::records::PlayerRecord;

/// Most pools that the memory page knows.
const POOLS: usize = 24;

/// A named number of a subsystem that lends no value of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figure {
    /// Its name.
    pub name: &'static str,
    /// The number.
    pub value: u32,
    /// The number that it must not reach, if there is one.
    pub limit: Option<u32>,
}

impl Figure {
    /// A number.
    pub const fn new(name: &'static str, value: u32) -> Self {
        Self { name, value, limit: None }
    }

    /// A number of at most `limit`.
    pub const fn of(name: &'static str, value: u32, limit: u32) -> Self {
        Self { name, value, limit: Some(limit) }
    }

    /// A count that should stay 0.
    pub const fn fault(name: &'static str, value: u32) -> Self {
        Self::of(name, value, 1)
    }
}

/// One pool as it was when somebody looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolFacts {
    /// The pool; none for a made figure.
    pub id: Option<PoolId>,
    /// Its name.
    pub name: crate::memory::Name,
    /// How deep it lies in the tree.
    pub depth: u8,
    /// Bytes that it can hand out.
    pub usable: usize,
    /// Bytes in use.
    pub in_use: usize,
    /// The most that was seen in use.
    pub most: usize,
}

/// All pools as they were when somebody looked: taken where the memory manager is lent, read where it is not.
#[derive(Clone, Debug, Default)]
pub struct MemoryFacts {
    /// The pools, each behind the one that it lies in.
    pub pools: heapless::Vec<PoolFacts, POOLS>,
    /// Pools beyond the ones listed.
    pub more: usize,
    /// Requests that were refused.
    pub shortages: u32,
    /// The latest of them.
    pub latest: heapless::Vec<crate::memory::Shortage, 4>,
}

impl MemoryFacts {
    /// Looks at the pools again; allocates nothing.
    pub fn look(&mut self, memory: &MemoryManager) {
        let old = core::mem::take(&mut self.pools);
        self.more = 0;
        for (depth, id) in memory.registry().walk() {
            let (Some(record), Ok(usable), Ok(in_use)) = (memory.record(id), memory.usable(id), memory.in_use(id))
            else {
                continue;
            };
            let before = old.iter().find(|pool| pool.id == Some(id)).map_or(0, |pool| pool.most);
            let facts = PoolFacts {
                id: Some(id),
                name: *record.name(),
                depth: depth as u8,
                usable,
                in_use,
                most: before.max(in_use),
            };
            self.more += usize::from(self.pools.push(facts).is_err());
        }
        self.shortages = memory.shortages().count();
        self.latest = memory.shortages().latest().take(4).copied().collect();
    }
}

/// A clip that plays on a human.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClipFacts<'a> {
    /// Its id.
    pub id: u16,
    /// Frames played and frames in all.
    pub time: f32,
    /// Frames in all.
    pub length: f32,
    /// Frames a second over 30.
    pub rate: f32,
    /// Its events.
    pub events: &'a [ClipEvent],
}

/// A task of a human's stack.
#[derive(Clone, Copy, Debug, Default)]
pub struct StackedTask {
    /// What kind it is.
    pub name: &'static str,
    /// The held flags that it keeps.
    pub keeps: u32,
    /// How much it counts in the blend, of `[0, 1]`; of a fade, what goes out through it still has.
    pub weight: f32,
}

/// One human.
#[derive(Clone, Copy, Debug)]
pub struct HumanFacts<'a> {
    /// Its place in the pool.
    pub index: u16,
    /// Its record.
    pub record: &'a PlayerRecord,
    /// The words that the gates read.
    pub gate: Gate,
    /// Its feet, in metres.
    pub position: Vec3,
    /// Metres a second.
    pub velocity: Vec3,
    /// What it shows at large.
    pub anim: AnimState,
    /// The clip that plays.
    pub clip: Option<ClipFacts<'a>>,
    /// Its stack of tasks, the top first.
    pub stack: &'a [StackedTask],
    /// Health, stamina and power of `[0, 1]`.
    pub vigour: [f32; 3],
}

/// One thing that commands move.
#[derive(Clone, Copy, Debug)]
pub struct MoverFacts<'a> {
    /// Interpreter and move-to.
    pub movement: &'a MovementManager,
    /// The table's side.
    pub table: Option<&'a MotionTableManager>,
    /// The thing that its grip holds.
    pub sticks_to: Option<u32>,
    /// Entries that found a list of the table's side full, and frames of its clips that nobody heard.
    pub lost: u32,
}

/// A link of the AI's navigation.
pub type NavigationLink = (Vec3, Vec3);

/// What the overlay looks at.
#[derive(Clone, Copy, Default)]
pub struct Subjects<'a> {
    /// The TaskEngine.
    pub tasks: Option<&'a TaskEngine>,
    /// The physics world.
    pub physics: Option<&'a PhysicsWorld>,
    /// The level's collision mesh.
    pub mesh: Option<&'a CollisionMesh>,
    /// The chosen human.
    pub human: Option<HumanFacts<'a>>,
    /// Humans to choose from.
    pub humans: u16,
    /// The chosen mover.
    pub mover: Option<MoverFacts<'a>>,
    /// Movers to choose from.
    pub movers: u16,
    /// The pools.
    pub memory: Option<&'a MemoryFacts>,
    /// The modes.
    pub modes: Option<&'a ModeStack>,
    /// Game time.
    pub clock: Option<&'a GameTimer>,
    /// The stop watch.
    pub stop_watch: Option<&'a StopWatch>,
    /// Real time in ticks.
    pub real: u64,
    /// What start-up cost.
    pub boot: Option<&'a BootReport>,
    /// The queue of files.
    pub files: Option<&'a FileManager>,
    /// Figures of drawing: packets, triangles, uploads.
    pub graphics: &'a [Figure],
    /// Figures of the I/O processor and of streams.
    pub streams: &'a [Figure],
    /// Controllers that give input.
    pub pads: u32,
    /// Figures of this console.
    pub hardware: &'a [Figure],
    /// Which console it is.
    pub identity: Option<&'a Identity>,
    /// The video mode's name.
    pub video: &'a str,
    /// Whether the physics kernels run on VU0; none where there is no choice.
    pub vu0: Option<bool>,
    /// The player's feet and heading.
    pub player: Option<(Vec3, f32)>,
    /// Names of what can be spawned.
    pub spawnable: &'a [&'static str],
    /// The AI's navigation.
    pub navigation: &'a [NavigationLink],
}

/// Names of stream figures that are watched as well as shown.
pub mod stream_figure {
    /// Reads that were tried again.
    pub const RETRIES: &str = "RETRIES";
    /// The drive's last fault.
    pub const READ_FAULT: &str = "READ FAULT";
    /// The music is on.
    pub const MUSIC_PLAYS: &str = "MUSIC PLAYS";
    /// Times that the music had nothing to play.
    pub const UNDERRUNS: &str = "UNDERRUNS";
    /// Requests that the module did not understand.
    pub const NOT_UNDERSTOOD: &str = "NOT UNDERSTOOD";
}

/// Names of drawing's figures that are watched as well as shown.
pub mod drawing_figure {
    /// What the renderer had no room for.
    pub const LOST: &str = "LOST";
    /// What the packet had no room for.
    pub const DROPPED: &str = "DROPPED";
    /// Textures that the packet had no room for.
    pub const UNSENT: &str = "UNSENT";
}

impl Subjects<'_> {
    /// The figure of streams with a name; 0 where there is none.
    pub fn stream_figure(&self, name: &str) -> u32 {
        named(self.streams, name)
    }

    /// The figure of drawing with a name; 0 where there is none.
    pub fn drawing_figure(&self, name: &str) -> u32 {
        named(self.graphics, name)
    }
}

fn named(figures: &[Figure], name: &str) -> u32 {
    figures.iter().find(|figure| figure.name == name).map_or(0, |figure| figure.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::testing::Arena;
    use crate::memory::{PoolKind, pools};

    #[test]
    fn pools_are_listed_as_a_tree_with_what_they_hold_at_most() {
        let mut arena = Arena::new(8 * 1024 * 1024, 128);
        let mut memory = std::boxed::Box::new(MemoryManager::new());
        let global = memory.init(arena.region()).unwrap();
        pools::create_device_pools(&mut memory).unwrap();
        let heap = memory.create(global, PoolKind::Heap, "Level", 64 * 1024).unwrap();
        let mut facts = MemoryFacts::default();
        let taken = memory.alloc_in(heap, 10_000, 16).unwrap();
        facts.look(&memory);
        memory.free(taken).unwrap();
        facts.look(&memory);
        let level = facts.pools.iter().find(|pool| pool.id == Some(heap)).unwrap();
        println(level);
        assert!(level.in_use <= 1_024 && level.most >= 10_000 && level.usable <= 64 * 1024);
        let depth = |id| facts.pools.iter().find(|pool| pool.id == Some(id)).map(|pool| pool.depth);
        assert!(depth(heap) > depth(global));
        assert!(memory.alloc_in(heap, 1 << 20, 16).is_err());
        facts.look(&memory);
        assert_eq!((facts.shortages, facts.latest[0].wanted), (1, 1 << 20));
    }

    fn println(pool: &PoolFacts) {
        std::println!("{}: {} of {}, at most {}", pool.name.as_str(), pool.in_use, pool.usable, pool.most);
    }
}
