//! Loading what is near before play begins.

use super::part::PartState;
use super::streamer::{Loaded, Missed, Streamer};
use crate::file_io::{Callbacks, FileError, FileManager, Finished, NameHash, StreamDevice, StreamFileSystem, Waiter};
use crate::maths::Vec3;
use crate::memory::MemoryManager;

/// How far from the players' places everything is loaded, metres.
///
/// Source: support systems, Level loading order (step 10)
pub const PRELOAD_METRES: f32 = 500.0;
/// How long that may take, milliseconds.
pub const PRELOAD_MS: u32 = 30_000;
/// How long it may take in the levels with numbers below [`SHORT_BELOW`].
pub const PRELOAD_SHORT_MS: u32 = 15_000;
/// See [`PRELOAD_SHORT_MS`].
const SHORT_BELOW: u32 = 101;

/// How long the preload of a level may take, by the number in its record.
///
/// Source: support systems, Level loading order (step 10)
pub const fn preload_budget(number: u32) -> u32 {
    if number < SHORT_BELOW { PRELOAD_SHORT_MS } else { PRELOAD_MS }
}

/// Who reads the parts that come.
pub trait Arrivals {
    /// A part's file has come: read it. False refuses it.
    fn part_loaded(&mut self, loaded: Loaded, bytes: &[u8]) -> bool;
}

/// Who has the memory manager, and waits for the drive in between.
pub trait LendMemory {
    /// Lends it for one step of a load.
    fn with_memory<T>(&mut self, work: impl FnOnce(&mut MemoryManager) -> T) -> T;
}

/// What a preload did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preloaded {
    /// Parts that have come.
    pub loaded: u32,
    /// Parts that are broken.
    pub broken: u32,
    /// There was no room for all.
    pub no_room: bool,
    /// The time was over before all had come.
    pub late: bool,
}

/// Keeps the end of the one request under way.
struct Kept(Option<Finished>);

impl<D> Callbacks<D> for Kept {
    fn finished(&mut self, _: &mut FileManager, _: &mut StreamFileSystem<'_, D>, finished: &Finished) {
        self.0 = Some(finished.clone());
    }
}

/// Loads every part within `metres` of the places, nearest first, waiting for each, for so many milliseconds at most. The
/// file manager must have nothing else to do.
///
/// # Errors
/// The waiter gave up.
pub fn preload<D: StreamDevice, W: Waiter + LendMemory>(
    streamer: &mut Streamer,
    manager: &mut FileManager,
    files: &mut StreamFileSystem<'_, D>,
    waiter: &mut W,
    arrivals: &mut impl Arrivals,
    places: &[Vec3],
    (metres, milliseconds): (f32, u32),
) -> Result<Preloaded, FileError> {
    let begun = waiter.milliseconds();
    let mut done = Preloaded::default();
    streamer.look(places, metres);
    loop {
        if waiter.milliseconds().wrapping_sub(begun) >= milliseconds {
            // What is missing comes during play.
            done.late = streamer.iter().any(|(_, part, state)| {
                state == PartState::Absent && places.iter().any(|&place| part.distance(place) <= metres)
            });
            return Ok(done);
        }
        let lent = files.lent();
        waiter.with_memory(|memory| streamer.release(memory, lent));
        let size = |name: &str| NameHash::of_file(name).and_then(|name| files.size(name).ok());
        let wanted = match waiter.with_memory(|memory| streamer.want(memory, places, size)) {
            Ok(Some(wanted)) => wanted,
            Ok(None) => return Ok(done),
            Err(Missed::NoRoom(_)) => return Ok(Preloaded { no_room: true, ..done }),
            Err(Missed::Broken(_)) => {
                done.broken += 1;
                continue;
            }
        };
        let mut kept = Kept(None);
        let name = streamer.part(wanted.part).map(|part| part.name.clone()).unwrap_or_default();
        let request = wanted.request(&name);
        // A queue that is full for the one request of an idle manager cannot be; the part would be asked for again.
        let served = manager.request(request, files, &mut kept).map(|_| manager.service_all(files, waiter, &mut kept));
        let result = kept.0.map_or(Err(FileError::Busy), |finished| finished.result);
        let lent = files.lent();
        let arrived = waiter.with_memory(|memory| streamer.arrived(memory, wanted.part, result, lent));
        if let Some(loaded) = arrived {
            let bytes = files.landed(loaded.region, loaded.bytes);
            if arrivals.part_loaded(loaded, bytes) {
                waiter.with_memory(|memory| streamer.settle(memory, loaded.part));
                done.loaded += 1;
            } else {
                waiter.with_memory(|memory| streamer.refuse(memory, loaded.part));
                done.broken += 1;
            }
        }
        if let Ok(Err(given_up)) = served {
            return Err(given_up);
        }
    }
}
