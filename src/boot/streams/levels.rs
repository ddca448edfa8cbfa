//! A level that streams: parts come before the player does, old ones go, and each is what it was written as.

use super::{Archive, Device, Reason, next_frame, rates};
use crate::chunk::{self, ChunkTable, SlicePool, SliceSource, Stacks};
use crate::ee::streams::{ServerHost, arena};
use crate::ee::{cop0, ticks};
use crate::file_io::mounts::{self, FileSystem, Mounts};
use crate::file_io::{
    Callbacks, FileError, FileManager, Finished, HostFiles, NameHash, Region, StreamDevice, StreamFileSystem, Waiter,
};
use crate::maths::Vec3;
use crate::memory::{MemoryManager, PoolKind};
use crate::streaming::{
    Arrivals, LendMemory, Loaded, PRELOAD_METRES, PRELOAD_MS, Part, PartIndex, PartState, Streamer, Wanted, preload,
};
use crate::tty_println;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::ops::ControlFlow;
use heapless::String;

/// Parts along a street, each this far from the last, metres.
const SPACING: f32 = 100.0;
/// Radius of a part, metres.
const RADIUS: f32 = 60.0;
/// Bytes that the manifest says of a part: more than it takes.
const GUESS: u32 = 0x4_0000;
/// Bytes of the Sector Pool: six parts.
const POOL: u32 = 0x14_0000;
/// Bytes beside it, for what the manager itself keeps.
const BESIDE: u32 = 0x1_0000;
/// How far from the player parts are wanted during play, metres.
const REACH: f32 = 100.0;
/// Metres that the player moves in a frame: sixty a second, quicker than any car.
const STEP: f32 = 2.0;
/// Bytes of the largest part.
const LARGEST: usize = 0x4_0000;

/// Reads parts: their chunks go into memory of the check's own.
struct Reader {
    scratch: Vec<u8>,
    stacks: Box<Stacks>,
    table: Box<ChunkTable<()>>,
    read: u32,
}

impl Reader {
    fn new() -> Result<Self, Reason> {
        let mut scratch = Vec::new();
        scratch.try_reserve_exact(LARGEST).map_err(|_| "no memory for a part")?;
        scratch.resize(LARGEST, 0);
        Ok(Self { scratch, stacks: Box::default(), table: Box::default(), read: 0 })
    }
}

impl Arrivals for Reader {
    fn part_loaded(&mut self, loaded: Loaded, bytes: &[u8]) -> bool {
        *self.stacks = Stacks::default();
        let mut pool = SlicePool::new(&mut self.scratch);
        let container = chunk::load(&mut SliceSource(bytes), &self.table, &mut (), &mut self.stacks, &mut pool);
        let good = container.is_ok_and(|container| container.id == u32::from(loaded.part.0));
        self.read += u32::from(good);
        good
    }
}

/// The loading screen of a check: nothing but a clock.
struct Clock;

impl Waiter for Clock {
    fn milliseconds(&mut self) -> u32 {
        // The counter's wrap is a step of the clock that no wait here lives to see.
        cop0::count() / (ticks::PER_SECOND / 1000)
    }

    fn loading(&mut self, _: Option<crate::file_io::Fault>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The clock, and the check's own memory.
struct Loading<'m>(&'m mut MemoryManager);

impl Waiter for Loading<'_> {
    fn milliseconds(&mut self) -> u32 {
        Clock.milliseconds()
    }

    fn loading(&mut self, fault: Option<crate::file_io::Fault>) -> ControlFlow<()> {
        Clock.loading(fault)
    }
}

impl LendMemory for Loading<'_> {
    fn with_memory<T>(&mut self, work: impl FnOnce(&mut MemoryManager) -> T) -> T {
        work(self.0)
    }
}

/// Keeps the end of a request.
#[derive(Default)]
struct Kept(Option<Finished>);

impl<D> Callbacks<D> for Kept {
    fn finished(&mut self, _: &mut FileManager, _: &mut StreamFileSystem<'_, D>, finished: &Finished) {
        self.0 = Some(finished.clone());
    }
}

fn part_name(number: u16) -> String<48> {
    let mut name = String::new();
    // Short enough.
    let _ = write!(name, "test/part{number}.lev");
    name
}

/// Walks a street of parts: preload, then one frame after the other at a console's pace.
pub fn check<'l>(
    mut device: Device<'l>,
    host: ServerHost<'l>,
    region: Region,
    archive: &Archive,
) -> Result<Device<'l>, Reason> {
    if archive.find(&part_name(0)).is_err() {
        tty_println!("FACT stream level absent");
        return Ok(device);
    }
    device.post(&rates::SLOW);
    let mut memory = Box::new(MemoryManager::new());
    let global = memory.init(arena(POOL + BESIDE).ok_or("no arena")?).map_err(|_| "no pools")?;
    let sector = memory.create(global, PoolKind::Heap, "Sector Pool", POOL as usize).map_err(|_| "no sector pool")?;
    let mut streamer = Streamer::new(sector);
    let mut parts = 0;
    while archive.find(&part_name(parts)).is_ok() {
        let centre = Vec3::new(f32::from(parts) * SPACING, 0.0, 0.0);
        let part = Part { name: part_name(parts), centre, radius: RADIUS, bytes: GUESS };
        streamer.add(part).ok_or("too many parts")?;
        parts += 1;
    }
    let mut street = Street {
        streamer,
        memory,
        manager: FileManager::new(region),
        reader: Reader::new()?,
        kept: Kept::default(),
        late: 0,
    };
    let mut files = StreamFileSystem::new(device, archive.index()?);
    street.preload(&mut files)?;
    street.walk(&mut files, f32::from(parts) * SPACING)?;
    street.end(parts.into())?;
    mounts(&mut files, host, region)?;
    Ok(files.into_device())
}

struct Street {
    streamer: Streamer,
    memory: Box<MemoryManager>,
    manager: FileManager,
    reader: Reader,
    kept: Kept,
    late: u32,
}

impl Street {
    fn preload(&mut self, files: &mut StreamFileSystem<'_, Device<'_>>) -> Result<(), Reason> {
        let begun = Clock.milliseconds();
        let places = [Vec3::ZERO];
        let limits = (PRELOAD_METRES, PRELOAD_MS);
        let (streamer, reader) = (&mut self.streamer, &mut self.reader);
        let mut loading = Loading(&mut self.memory);
        let done = preload(streamer, &mut self.manager, files, &mut loading, reader, &places, limits)
            .map_err(|_| "the preload was given up")?;
        tty_println!(
            "FACT stream level preloaded {} broken {} room {} in {} ms",
            done.loaded,
            done.broken,
            !done.no_room,
            Clock.milliseconds().wrapping_sub(begun)
        );
        if done.loaded > 3 && done.broken == 0 && !done.late { Ok(()) } else { Err("the preload brings too little") }
    }

    fn walk(&mut self, files: &mut StreamFileSystem<'_, Device<'_>>, metres: f32) -> Result<(), Reason> {
        let (mut x, mut frame, mut worst) = (0.0, cop0::count(), 0);
        while x < metres {
            let look = cop0::count();
            self.frame(files, Vec3::new(x, 0.0, 0.0))?;
            worst = worst.max(cop0::count().wrapping_sub(look));
            x += STEP;
            next_frame(&mut frame);
        }
        tty_println!(
            "FACT stream level walked parts {} evicted {} shortages {} late {} worst {worst}",
            self.reader.read,
            self.streamer.evicted,
            self.streamer.shortages,
            self.late
        );
        Ok(())
    }

    /// What a frame does: looks who is near, takes what has come, asks for the next one.
    fn frame(&mut self, files: &mut StreamFileSystem<'_, Device<'_>>, place: Vec3) -> Result<(), Reason> {
        let places = [place];
        self.streamer.look(&places, REACH);
        self.manager.service(files, &mut self.kept);
        if let Some(finished) = self.kept.0.take() {
            self.take(files, &finished);
        }
        let size = |name: &str| NameHash::of_file(name).and_then(|name| files.size(name).ok());
        if let Ok(Some(wanted)) = self.streamer.want(&mut self.memory, &places, size) {
            self.request(files, wanted)?;
        }
        let missing = |(_, part, state): (PartIndex, &Part, PartState)| {
            part.distance(place) == 0.0 && !matches!(state, PartState::Resident { .. })
        };
        self.late += u32::from(self.streamer.iter().any(missing));
        Ok(())
    }

    fn request(&mut self, files: &mut StreamFileSystem<'_, Device<'_>>, wanted: Wanted) -> Result<(), Reason> {
        let name = part_name(wanted.part.0);
        let request = wanted.request(&name);
        self.manager.request(request, files, &mut self.kept).map(|_| ()).map_err(|_| "a part's request is refused")
    }

    fn take(&mut self, files: &StreamFileSystem<'_, Device<'_>>, finished: &Finished) {
        let part = PartIndex(finished.user as u16);
        let Some(loaded) = self.streamer.arrived(&mut self.memory, part, finished.result, files.lent()) else { return };
        let bytes = files.landed(loaded.region, loaded.bytes);
        if self.reader.part_loaded(loaded, bytes) {
            self.streamer.settle(&self.memory, part);
        } else {
            self.streamer.refuse(&mut self.memory, part);
        }
    }

    fn end(&mut self, parts: u32) -> Result<(), Reason> {
        let broken = self.streamer.iter().filter(|(_, _, state)| *state == PartState::Broken).count();
        let guesses = self.streamer.iter().filter(|(_, part, _)| part.bytes == GUESS).count();
        self.streamer.clear(&mut self.memory, None);
        tty_println!("FACT stream level broken {broken} guesses-left {guesses} parts {parts}");
        let good = broken == 0 && guesses == 0 && self.late == 0 && self.streamer.evicted > 0;
        if good && self.reader.read >= parts { Ok(()) } else { Err("a level does not stream as it should") }
    }
}

/// The host's file system over the disc's: a file that it does not have is absent there and comes from the disc.
fn mounts(files: &mut StreamFileSystem<'_, Device<'_>>, host: ServerHost<'_>, region: Region) -> Result<(), Reason> {
    let mut host = HostFiles::new(host);
    let mut out = Vec::from([0; 64]);
    let mut found = [None; 2];
    let mut mounts = Mounts::new();
    mounts.mount(FileSystem::Disc);
    mounts.mount(FileSystem::Host);
    for found in &mut found {
        let system = mounts.current().ok_or("nothing is mounted")?;
        let name = part_name(0);
        let came = mounts::load(system, files, &mut host, &mut Clock, region, &name, &mut out);
        tty_println!("FACT stream mounted {system:?} gave {came:?}");
        *found = Some(came);
        mounts.unmount();
    }
    match found {
        [Some(Err(FileError::NotFound)), Some(Ok(64))] => Ok(()),
        _ => Err("a mounted file system is not looked in"),
    }
}
