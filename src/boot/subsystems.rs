//! The order in which the game's subsystems come to life.
//!
//! Two lists, and one runner that walks them and measures every step: how long it took and how much memory it left behind.
//! The second step of the game's list is the whole of the device's. What a step does is the host's matter; which step
//! follows which is this file's.
//!
//! Source: seed 003, Game_InitializeSubsystems and Device initialisation.

use crate::clock::time;
use core::fmt;

/// A step of the device's start-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceStep {
    /// No file system is mounted.
    FileSystemStack,
    /// The I/O processor: restart it, wait, load its modules, each until it loads.
    Iop,
    /// The arena, the global heap, the filter pool, the debug heap, the registry of pools.
    Memory,
    /// Both controller ports and the audio device.
    PadsAndAudio,
    /// The renderer, in 4:3, interlaced.
    Renderer,
    /// The stream file system, the file system over it, and the development machine's.
    FileSystems,
}

impl DeviceStep {
    /// Every step, in order. Source: seed 003, Device initialisation (its third step is empty).
    pub const ALL: [Self; 6] =
        [Self::FileSystemStack, Self::Iop, Self::Memory, Self::PadsAndAudio, Self::Renderer, Self::FileSystems];

    /// A name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FileSystemStack => "file system stack",
            Self::Iop => "IOP",
            Self::Memory => "memory",
            Self::PadsAndAudio => "pads and audio",
            Self::Renderer => "renderer",
            Self::FileSystems => "file systems",
        }
    }
}

/// A step of the game's initialisation, by the seed's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Step {
    /// Clears the table of registered pools.
    PoolTable = 1,
    /// The device's start-up.
    Device,
    /// Free lists and the heap for a level's dynamic things.
    GamePools,
    /// The file manager and its stream buffer.
    FileManager,
    /// Real time.
    Timer,
    /// Game time.
    GameTimer,
    /// The stop watch.
    StopWatch,
    /// The archive of files and its index.
    Archive,
    /// The handler of a level's header.
    LevelHeader,
    /// The physics world.
    Physics,
    /// Litter, ground fog and rain around the camera.
    CameraEffects,
    /// The table of script functions.
    Scripts,
    /// The list of scenes.
    Scenes,
    /// The gangs' attributes.
    GangAttributes,
    /// Animation, and the handler of its data.
    Animation,
    /// The task manager.
    TaskManager,
    /// The objects' attributes.
    ObjectAttributes,
    /// Two tables of the characters' thinking.
    ThinkingTables,
    /// Screen effects.
    ScreenEffects,
    /// What characters can act on.
    Actionables,
    /// The pools for the levels' data.
    SectorPools,
    /// The resource manager and what is always resident.
    Resources,
    /// The characters' tables.
    CharacterTables,
    /// The game's state.
    GameState,
    /// Lights.
    Lights,
    /// The world manager and the data of all levels.
    World,
    /// Cameras.
    Cameras,
    /// Music and volumes.
    Audio,
    /// Saving.
    SaveSystem,
}

impl Step {
    /// Every step, in order.
    pub const ALL: [Self; 29] = [
        Self::PoolTable,
        Self::Device,
        Self::GamePools,
        Self::FileManager,
        Self::Timer,
        Self::GameTimer,
        Self::StopWatch,
        Self::Archive,
        Self::LevelHeader,
        Self::Physics,
        Self::CameraEffects,
        Self::Scripts,
        Self::Scenes,
        Self::GangAttributes,
        Self::Animation,
        Self::TaskManager,
        Self::ObjectAttributes,
        Self::ThinkingTables,
        Self::ScreenEffects,
        Self::Actionables,
        Self::SectorPools,
        Self::Resources,
        Self::CharacterTables,
        Self::GameState,
        Self::Lights,
        Self::World,
        Self::Cameras,
        Self::Audio,
        Self::SaveSystem,
    ];

    /// A name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PoolTable => "pool table",
            Self::Device => "device",
            Self::GamePools => "game pools",
            Self::FileManager => "file manager",
            Self::Timer => "timer",
            Self::GameTimer => "game timer",
            Self::StopWatch => "stop watch",
            Self::Archive => "archive",
            Self::LevelHeader => "level header",
            Self::Physics => "physics",
            Self::CameraEffects => "camera effects",
            Self::Scripts => "scripts",
            Self::Scenes => "scenes",
            Self::GangAttributes => "gang attributes",
            Self::Animation => "animation",
            Self::TaskManager => "task manager",
            Self::ObjectAttributes => "object attributes",
            Self::ThinkingTables => "thinking tables",
            Self::ScreenEffects => "screen effects",
            Self::Actionables => "actionables",
            Self::SectorPools => "sector pools",
            Self::Resources => "resources",
            Self::CharacterTables => "character tables",
            Self::GameState => "game state",
            Self::Lights => "lights",
            Self::World => "world",
            Self::Cameras => "cameras",
            Self::Audio => "audio",
            Self::SaveSystem => "save system",
        }
    }
}

/// Either list's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyStep {
    /// The device's.
    Device(DeviceStep),
    /// The game's.
    Game(Step),
}

impl AnyStep {
    /// A name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Device(step) => step.name(),
            Self::Game(step) => step.name(),
        }
    }
}

impl AnyStep {
    /// Bytes of the global heap that a step may take, for what it keeps and for the pools that it makes: what must be free before
    /// it begins. What it makes has no way to say that there is no room, so that is asked first.
    ///
    /// Our choice: what each step takes and about a tenth above it. Steps that pay out of pools of their own need nothing.
    pub const fn may_take(self) -> usize {
        match self {
            Self::Device(DeviceStep::Renderer) => 3_600_000,
            Self::Game(Step::GamePools) => 2_250_000,
            Self::Game(Step::FileManager | Step::Physics) => 480_000,
            Self::Game(Step::Animation) => 2_000_000,
            Self::Game(Step::TaskManager) => 1024 * 1024,
            _ => 0,
        }
    }
}

/// What one step cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Which step.
    pub step: AnyStep,
    /// Real time that it took, in ticks.
    pub ticks: u64,
    /// Bytes that it keeps, of whatever pool pays; below 0 when it gave memory back. Pools that it made are nobody's until
    /// something is taken from them.
    pub bytes: isize,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = if matches!(self.step, AnyStep::Device(_)) { "  " } else { "" };
        let tenths = self.ticks * 10 / time::TICKS_PER_MILLISECOND;
        write!(f, "{indent}{} {}.{} ms {} bytes", self.step.name(), tenths / 10, tenths % 10, self.bytes)
    }
}

/// Steps of both lists.
pub const STEPS: usize = Step::ALL.len() + DeviceStep::ALL.len();

/// What start-up cost, for the overlay's boot page. The device's steps stand before the step that they are part of.
pub type BootReport = heapless::Vec<Cost, STEPS>;

/// Who makes the subsystems.
pub trait SubsystemHost {
    /// Why a step failed.
    type Error;
    /// Does a step of the device's start-up.
    fn device(&mut self, step: DeviceStep) -> Result<(), Self::Error>;
    /// Does a step of the game's initialisation; [`Step::Device`] is never asked for.
    fn subsystem(&mut self, step: Step) -> Result<(), Self::Error>;
    /// Real time now, in ticks.
    fn now(&mut self) -> u64;
    /// Bytes that are kept so far, in all pools together; pools themselves do not count.
    fn kept(&mut self) -> usize;
    /// A step is done: where to print what it cost.
    fn done(&mut self, cost: &Cost);
}

/// Brings every subsystem to life, in the seed's order, and stops at the first that fails.
// Covers: seed 003, Game_InitializeSubsystems (0x00160df8) test=the_device_starts_between_the_pool_table_and_the_pools_in_the_seeds_order
pub fn initialize_subsystems<H: SubsystemHost>(
    host: &mut H,
    report: &mut BootReport,
) -> Result<(), (AnyStep, H::Error)> {
    for step in Step::ALL {
        measured(host, report, AnyStep::Game(step))?;
    }
    Ok(())
}

/// The device's start-up, in the seed's order.
// Covers: seed 003, DS_PS2Device_Init (0x00145790) test=the_device_starts_between_the_pool_table_and_the_pools_in_the_seeds_order
// Covers: seed 003, step 2 device test=the_device_starts_between_the_pool_table_and_the_pools_in_the_seeds_order
pub fn initialize_device<H: SubsystemHost>(host: &mut H, report: &mut BootReport) -> Result<(), (AnyStep, H::Error)> {
    for step in DeviceStep::ALL {
        measured(host, report, AnyStep::Device(step))?;
    }
    Ok(())
}

fn measured<H: SubsystemHost>(host: &mut H, report: &mut BootReport, step: AnyStep) -> Result<(), (AnyStep, H::Error)> {
    let (start, kept) = (host.now(), host.kept());
    match step {
        AnyStep::Device(device) => host.device(device).map_err(|error| (step, error))?,
        AnyStep::Game(Step::Device) => initialize_device(host, report)?,
        AnyStep::Game(game) => host.subsystem(game).map_err(|error| (step, error))?,
    }
    let bytes = host.kept() as isize - kept as isize;
    let cost = Cost { step, ticks: host.now().saturating_sub(start), bytes };
    host.done(&cost);
    // There is a place for each step, and each runs once.
    let _one_for_each = report.push(cost);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::String;
    use std::vec::Vec;

    /// A host whose steps take a millisecond and keep a kilobyte each.
    #[derive(Default)]
    struct Host {
        names: Vec<&'static str>,
        printed: Vec<String>,
        now: u64,
        kept: usize,
        failing: Option<Step>,
    }

    impl Host {
        fn work(&mut self, name: &'static str) {
            self.names.push(name);
            self.now += time::TICKS_PER_MILLISECOND;
            self.kept += 1024;
        }
    }

    impl SubsystemHost for Host {
        type Error = &'static str;
        fn device(&mut self, step: DeviceStep) -> Result<(), &'static str> {
            self.work(step.name());
            Ok(())
        }
        fn subsystem(&mut self, step: Step) -> Result<(), &'static str> {
            if self.failing == Some(step) {
                return Err("no disc");
            }
            self.work(step.name());
            Ok(())
        }
        fn now(&mut self) -> u64 {
            self.now
        }
        fn kept(&mut self) -> usize {
            self.kept
        }
        fn done(&mut self, cost: &Cost) {
            self.printed.push(format!("{cost}"));
        }
    }

    #[test]
    fn the_steps_have_the_seeds_numbers() {
        for (index, step) in Step::ALL.into_iter().enumerate() {
            assert_eq!(step as usize, index + 1, "{}", step.name());
        }
    }

    #[test]
    fn the_device_starts_between_the_pool_table_and_the_pools_in_the_seeds_order() {
        let mut host = Host::default();
        initialize_subsystems(&mut host, &mut BootReport::new()).unwrap();
        let begin = [
            "pool table",
            "file system stack",
            "IOP",
            "memory",
            "pads and audio",
            "renderer",
            "file systems",
            "game pools",
            "file manager",
            "timer",
        ];
        assert_eq!(host.names[..begin.len()], begin);
        assert_eq!((host.names.len(), host.names.last()), (STEPS - 1, Some(&"save system")));
    }

    #[test]
    fn every_step_is_measured_once() {
        let mut host = Host::default();
        let mut report = BootReport::new();
        initialize_subsystems(&mut host, &mut report).unwrap();
        assert_eq!(report.len(), STEPS);
        let of = |step| *report.iter().find(|cost| cost.step == step).unwrap();
        let device = of(AnyStep::Game(Step::Device));
        assert_eq!(
            (device.ticks, device.bytes),
            (6 * time::TICKS_PER_MILLISECOND, 6 * 1024),
            "the sum of its own steps"
        );
        let pools = of(AnyStep::Game(Step::GamePools));
        assert_eq!((pools.ticks, pools.bytes), (time::TICKS_PER_MILLISECOND, 1024));
        assert!(
            host.printed.contains(&"  IOP 1.0 ms 1024 bytes".into())
                && host.printed.contains(&"physics 1.0 ms 1024 bytes".into())
        );
    }

    #[test]
    fn a_step_that_fails_ends_start_up_and_is_named() {
        let mut host = Host { failing: Some(Step::Archive), ..Host::default() };
        let error = initialize_subsystems(&mut host, &mut BootReport::new());
        assert_eq!(error, Err((AnyStep::Game(Step::Archive), "no disc")));
        assert_eq!(host.names.last(), Some(&"stop watch"));
    }
}
