//! A scene for the overlay: engine parts at work and figures that never change, so that every page has something to say
//! and its picture can be compared.
//!
//! Tasks, physics and motion are the engine's own scenes, stepped a fixed number of times; what only a running game has
//! (its frame times, its pools, its human) are made figures, marked as such.

use super::events::Events;
use super::figures::{self, ConsoleCounts, Drawing};
use super::meter::{Meter, Span};
use super::subjects::{ClipFacts, Figure, HumanFacts, MemoryFacts, MoverFacts, PoolFacts, StackedTask, Subjects};
use super::{Layers, Overlay, Page, SPAWNABLE, Subsystem};
use crate::boot::subsystems::{AnyStep, BootReport, Cost, DeviceStep, Step};
use crate::clock::{Conditions, GameTimer, StopWatch, time};
use crate::ee::identity::{Chip, Identity};
use crate::file_io::{FileManager, Region};
use crate::graphics::render::Counters;
use crate::graphics::texture_cache;
use crate::human::numbers::AnimState;
use crate::maths::Vec3;
use crate::memory::{Name, Shortage};
use crate::motion::bench::{Bench, BenchWeenie};
use crate::motion::{MotionId, MovementParameters, RUN_RATE};
use crate::physics::scenarios::WallWalk;
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::gates::{Gate, held, state};
use crate::tasks::humans::held::{ClipEvent, event};
use crate::tasks::humans::records::PlayerRecord;
use crate::tasks::humans::step::Switch;
use crate::tasks::quiet::QuietWorld;
use crate::tasks::scenarios::{idle_engine, idle_tick};
use boardwalk_iop::protocol::Status;

/// Where the made file manager would read to, and how much: it never does.
const BUFFER: (u32, u32) = (0x0010_0000, 0x6_0000);
/// Made links of the navigation around the scene.
const LINKS: [(Vec3, Vec3); 2] =
    [(Vec3::new(-2.0, 0.0, 0.1), Vec3::new(-2.0, 3.0, 0.1)), (Vec3::new(-2.0, 3.0, 0.1), Vec3::new(2.0, 3.0, 0.1))];
/// Steps that the scene has taken.
const STEPS: u32 = 45;

/// The scene.
pub struct Demo {
    tasks: TaskEngine,
    _world: QuietWorld,
    walk: WallWalk,
    bench: Bench,
    clock: GameTimer,
    watch: StopWatch,
    boot: BootReport,
    memory: MemoryFacts,
    files: FileManager,
    identity: Identity,
    record: PlayerRecord,
}

const CLIP_EVENTS: [ClipEvent; 3] = [
    ClipEvent { frame: 6, kind: event::WINDOW },
    ClipEvent { frame: 11, kind: event::END },
    ClipEvent { frame: 16, kind: event::RECOVERY },
];
const STACK: [StackedTask; 2] = [
    StackedTask { name: "ATTACK", keeps: held::WINDOW, weight: 0.75 },
    StackedTask { name: "LOCOMOTION", keeps: 0, weight: 0.25 },
];
/// Made figures of the module, of drawing and of a console.
const STREAMS: [Figure; figures::STREAMS] = figures::streams(&Status {
    serial: 318,
    delivered: 65_536,
    file_bytes: 41_943_040,
    ready: true,
    music: true,
    music_sample: 1_204_224,
    ..Status::IDLE
});
const GRAPHICS: [Figure; figures::DRAWING] = figures::drawing(&Drawing {
    frame: Counters {
        triangles: 6_204,
        culled: 2_871,
        cut: 46,
        vertices: 9_730,
        batches: 203,
        hidden: 118,
        flats: 96,
        lost: 0,
        packet_quads: 21_100,
        uploads: 12,
        upload_quads: 3_840,
    },
    textures: texture_cache::Counters { uploads: 61, quads: 24_400, evictions: 0, repeats: 0, unknown: 0, unsent: 0 },
    lost: 0,
    dropped: 0,
    quads: 21_377,
    lines: 0,
});
const HARDWARE: [Figure; figures::CONSOLE] = figures::console(&ConsoleCounts {
    free_bytes: 11_534_336,
    frames: 1_350,
    missed: 0,
    seconds: 45,
    sixty_blanks: 295_207_200,
    pads: 1,
});

impl Demo {
    /// The scene after its steps; none when the physics has no room, which an empty world has.
    pub fn new() -> Option<Self> {
        let (mut tasks, mut world) = idle_engine();
        let mut walk = WallWalk::new()?;
        let mut bench = Bench::accepting();
        bench.weenie = Some(BenchWeenie { run_rate: Some(RUN_RATE), ..BenchWeenie::default() });
        bench.mover().enter_default_state();
        bench.mover().set_hold_run(true, true);
        let mut clock = GameTimer::starting_at(0);
        clock.set_fixed(true, 0);
        let mut watch = StopWatch::new();
        watch.start(0);
        for step in 0..STEPS {
            idle_tick(&mut tasks, &mut world);
            walk.step();
            if step == STEPS - 1 {
                // Refused or not, the states show what came of it.
                let _code = bench.mover().do_motion(MotionId::WALK_FORWARD, &MovementParameters::default());
                let _code = bench.mover().do_motion(MotionId::TURN_LEFT, &MovementParameters::default());
            }
            clock.update(u64::from(step + 1) * time::STEP, &Conditions::default());
        }
        tasks.humans.set_switch(Switch::Gangs, false);
        Some(Self {
            tasks,
            _world: world,
            walk,
            bench,
            clock,
            watch,
            boot: boot(),
            memory: memory(),
            files: FileManager::new(Region::new(BUFFER.0, BUFFER.1)?),
            identity: identity(),
            record: PlayerRecord::default(),
        })
    }

    /// What the overlay is lent.
    pub fn subjects(&self) -> Subjects<'_> {
        let (physics, mesh) = self.walk.scene();
        let clip = ClipFacts { id: 201, time: 9.5, length: 24.0, rate: 1.15, events: &CLIP_EVENTS };
        let gate = Gate { held: held::WINDOW | held::RECOVERY, state: state::BUSY_SECOND, code: 5, ..Gate::default() };
        Subjects {
            tasks: Some(&self.tasks),
            physics: Some(physics),
            mesh: Some(mesh),
            human: Some(HumanFacts {
                index: 0,
                record: &self.record,
                gate,
                position: Vec3::new(3.5, -12.25, 0.0),
                velocity: Vec3::new(0.0, 1.2, 0.0),
                anim: AnimState::Stance,
                clip: Some(clip),
                stack: &STACK,
                vigour: [0.8, 0.55, 0.3],
            }),
            humans: 12,
            mover: Some(MoverFacts { movement: &self.bench.movement, table: None, sticks_to: None, lost: 0 }),
            movers: 1,
            memory: Some(&self.memory),
            clock: Some(&self.clock),
            stop_watch: Some(&self.watch),
            real: u64::from(STEPS) * time::STEP,
            boot: Some(&self.boot),
            graphics: &GRAPHICS,
            streams: &STREAMS,
            hardware: &HARDWARE,
            video: "NTSC 640X448I",
            vu0: Some(true),
            player: Some((self.walk.feet(), 0.0)),
            spawnable: &SPAWNABLE,
            pads: 1,
            files: Some(&self.files),
            identity: Some(&self.identity),
            navigation: &LINKS,
            ..Subjects::default()
        }
    }

    /// An overlay that has watched the scene, open on `page`.
    pub fn overlay(&self, page: Page) -> Overlay {
        let mut overlay = Overlay { meter: meter(), events: events(), ..Overlay::default() };
        overlay.open(page);
        if page == Page::World {
            overlay.set_layers(Layers::ALL);
        }
        overlay.look(&self.subjects());
        overlay
    }
}

/// A made console.
fn identity() -> Identity {
    Identity {
        // It fits.
        rom: heapless::String::try_from("0160EC20010704").unwrap_or_default(),
        processor: Chip { number: 0x2E, revision: 0x31 },
        synthesizer: Chip { number: 0x55, revision: 0x1B },
    }
}

/// Made frame times: a steady load with two late frames.
fn meter() -> Meter {
    const CYCLES: [(Span, u32); 8] = [
        (Span::Clock, 9_000),
        (Span::Ticks, 1_900_000),
        (Span::Managers, 160_000),
        (Span::World, 220_000),
        (Span::Viewports, 2_700_000),
        (Span::Overlays, 90_000),
        (Span::Debug, 310_000),
        (Span::Files, 40_000),
    ];
    const WAITED: u32 = 3_600_000;
    let mut meter = Meter::default();
    for frame in 0..128_u32 {
        meter.begin(0);
        let late = frame == 60 || frame == 61;
        let swell = 100 + (frame * 7 % 23) + if late { 120 } else { 0 };
        let mut count = 0;
        for (span, cycles) in CYCLES {
            count += cycles / 100 * swell;
            meter.mark(span, count);
        }
        meter.mark(Span::Present, count + WAITED);
        meter.end(if late { 3 } else { 2 }, 3_000_000 + swell * 9_000);
    }
    meter
}

/// Made events.
fn events() -> Events {
    let mut events = Events::default();
    for (frame, subsystem, what, numbers) in [
        (12, Subsystem::Memory, "REQUESTS REFUSED", [1, 1]),
        (12, Subsystem::Files, "READING, IN QUEUE", [3, 0]),
        (31, Subsystem::Files, "READ, IN QUEUE", [0, 0]),
        (40, Subsystem::Modes, "gameplay", [2, 0]),
        (44, Subsystem::Tasks, "OBJECTS LIVE", [384, 1]),
        (47, Subsystem::Physics, "SETTLING", [1, 1]),
        (58, Subsystem::Physics, "SETTLING", [0, -1]),
        (59, Subsystem::Humans, "MOTIONS PENDING", [2, 1]),
        (60, Subsystem::Graphics, "LATE FRAMES", [2, 1]),
        (61, Subsystem::Devices, "PADS HERE", [1, 1]),
    ] {
        events.set_frame(frame);
        events.note(subsystem, what, numbers);
    }
    events
}

/// Made costs of every step.
fn boot() -> BootReport {
    let mut report = BootReport::new();
    for (index, step) in
        DeviceStep::ALL.map(AnyStep::Device).into_iter().chain(Step::ALL.map(AnyStep::Game)).enumerate()
    {
        let index = index as u64;
        let milliseconds = if index == 1 { 812 } else { index * index % 37 };
        let cost =
            Cost { step, ticks: milliseconds * time::TICKS_PER_MILLISECOND, bytes: (index as isize % 9) * 6_144 };
        // The report has room for every step.
        let _kept = report.push(cost);
    }
    report
}

/// Made pools.
fn memory() -> MemoryFacts {
    const POOLS: [(&str, u8, usize, usize, usize); 9] = [
        ("All System", 0, 26_049_684, 26_049_684, 26_049_684),
        ("Global Memory", 1, 25_800_000, 12_300_000, 12_700_000),
        ("Filter Pool", 2, 0x29000, 2_048, 90_112),
        ("Debug Heap", 2, 1024, 512, 1_000),
        ("Level Dynamic", 2, 0x1ef000, 1_402_880, 1_958_912),
        ("File Stream", 2, 384 * 1024, 393_216, 393_216),
        ("Global Data", 2, 614_400, 601_088, 601_088),
        ("Sector Pool", 2, 9_216_000, 5_111_808, 6_815_744),
        ("World Level", 3, 4_194_304, 4_100_096, 4_100_096),
    ];
    let mut facts = MemoryFacts { shortages: 1, ..MemoryFacts::default() };
    facts.pools = POOLS
        .into_iter()
        .map(|(name, depth, usable, in_use, most)| PoolFacts {
            id: None,
            name: Name::new(name),
            depth,
            usable,
            in_use,
            most,
        })
        .collect();
    let shortage = Shortage { pool: Name::new("Level Dynamic"), wanted: 81_920, largest: 65_536 };
    // One fits.
    let _kept = facts.latest.push(shortage);
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_something_to_say_of_the_scene() {
        let demo = Demo::new().expect("an empty world has room");
        for page in Page::ALL {
            let overlay = demo.overlay(page);
            assert_eq!(overlay.sheet().cut(), 0, "{page:?} is larger than the sheet");
            let rows: std::vec::Vec<&str> = overlay.sheet().rows().collect();
            assert!(rows.iter().filter(|row| !row.is_empty()).count() > 5, "{page:?}: {rows:#?}");
            assert!(!rows.iter().any(|row| row.contains("THERE IS NO")), "{page:?}");
        }
    }
}
