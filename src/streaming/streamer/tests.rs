use super::super::preload::{Arrivals, LendMemory, PRELOAD_METRES, Preloaded, preload};
use super::*;
use crate::file_io::device::{DeviceState, Fault, Read, StreamDevice};
use crate::file_io::{FileManager, StreamFileSystem, Waiter};
use crate::memory::testing::Arena;
use core::ops::ControlFlow;
use std::boxed::Box;
use std::format;
use std::vec;
use std::vec::Vec as List;

const KILO: u32 = 1024;

/// A manager whose global heap stands for the Sector Pool, and the arena it lies in.
fn memory(kilobytes: usize) -> (Arena, Box<MemoryManager>, PoolId) {
    let mut arena = Arena::new((kilobytes + 8) * 1024, 1024);
    let mut memory = Box::new(MemoryManager::new());
    let global = memory.init(arena.region()).unwrap();
    (arena, memory, global)
}

/// Parts of 100 KB, 100 m apart on the x axis, each within 10 m of its middle.
fn streamer(sector: PoolId, parts: u16) -> Streamer {
    let mut streamer = Streamer::new(sector);
    for number in 0..parts {
        let name = String::try_from(format!("part{number}").as_str()).unwrap();
        let centre = Vec3::new(f32::from(number) * 100.0, 0.0, 0.0);
        streamer.add(Part { name, centre, radius: 10.0, bytes: 110 * KILO }).unwrap();
    }
    streamer
}

fn size(_: &str) -> Option<u32> {
    Some(100 * KILO)
}

/// Stands at a place until nothing is wanted any more; the numbers of the parts that came.
fn stand(streamer: &mut Streamer, memory: &mut MemoryManager, x: f32, metres: f32) -> List<u16> {
    let places = [Vec3::new(x, 0.0, 0.0)];
    streamer.look(&places, metres);
    let mut came = List::new();
    while let Ok(Some(wanted)) = streamer.want(memory, &places, size) {
        assert_eq!(streamer.want(memory, &places, size), Ok(None), "one at a time");
        streamer.arrived(memory, wanted.part, Ok(wanted.bytes), None).unwrap();
        streamer.settle(memory, wanted.part);
        came.push(wanted.part.0);
    }
    came
}

fn resident(streamer: &Streamer) -> List<u16> {
    let is_resident = |state| matches!(state, PartState::Resident { .. });
    streamer.iter().filter(|(_, _, state)| is_resident(*state)).map(|(index, _, _)| index.0).collect()
}

#[test]
fn the_nearest_part_comes_first_and_only_what_is_near() {
    let (_arena, mut memory, sector) = memory(2000);
    let mut streamer = streamer(sector, 8);
    assert_eq!(stand(&mut streamer, &mut memory, 220.0, 150.0), [2, 3, 1]);
    assert_eq!(stand(&mut streamer, &mut memory, 220.0, 150.0), [0_u16; 0]);
}

#[test]
fn those_that_nobody_was_near_for_longest_go_first_and_no_more_than_must() {
    // Room for four parts.
    let (_arena, mut memory, sector) = memory(470);
    let mut streamer = streamer(sector, 8);
    for x in [0.0, 100.0, 200.0, 300.0, 100.0] {
        stand(&mut streamer, &mut memory, x, 20.0);
    }
    assert_eq!((resident(&streamer), streamer.evicted), (vec![0, 1, 2, 3], 0));
    stand(&mut streamer, &mut memory, 400.0, 20.0);
    assert_eq!((resident(&streamer), streamer.evicted), (vec![1, 2, 3, 4], 1));
    stand(&mut streamer, &mut memory, 500.0, 20.0);
    assert_eq!(resident(&streamer), [1, 3, 4, 5], "part 1 was visited after part 2");
}

#[test]
fn what_somebody_is_near_never_goes() {
    let (_arena, mut memory, sector) = memory(470);
    let mut streamer = streamer(sector, 8);
    let places = [Vec3::ZERO];
    assert_eq!(stand(&mut streamer, &mut memory, 0.0, 1000.0), [0, 1, 2, 3]);
    streamer.look(&places, 1000.0);
    // After the first visit a part needs its file's whole kilobytes only, but there is no block for a fifth.
    assert_eq!(streamer.want(&mut memory, &places, size), Err(Missed::NoRoom(110 * KILO)));
    assert_eq!((resident(&streamer).len(), streamer.evicted, streamer.shortages), (4, 0, 2));
}

#[test]
fn a_part_asks_for_what_it_has_used_the_next_time() {
    let (_arena, mut memory, sector) = memory(300);
    let mut streamer = streamer(sector, 8);
    stand(&mut streamer, &mut memory, 0.0, 20.0);
    assert_eq!(streamer.part(PartIndex(0)).unwrap().bytes, 100 * KILO);
    for x in [100.0, 200.0, 300.0] {
        stand(&mut streamer, &mut memory, x, 20.0);
    }
    stand(&mut streamer, &mut memory, 0.0, 20.0);
    let pool = streamer.state(PartIndex(0)).pool().unwrap();
    assert_eq!(memory.usable(pool), Ok(100 * KILO as usize));
}

#[test]
fn files_that_are_not_there_or_fail_are_not_asked_for_again() {
    let (_arena, mut memory, sector) = memory(1000);
    let before = memory.in_use(sector);
    let mut streamer = streamer(sector, 2);
    let places = [Vec3::ZERO];
    streamer.look(&places, 500.0);
    assert_eq!(streamer.want(&mut memory, &places, |_| None), Err(Missed::Broken(PartIndex(0))));
    let wanted = streamer.want(&mut memory, &places, size).unwrap().unwrap();
    assert_eq!(wanted.part, PartIndex(1));
    assert_eq!(streamer.arrived(&mut memory, wanted.part, Err(FileError::GivenUp(None)), None), None);
    let again = streamer.want(&mut memory, &places, size).unwrap().unwrap();
    streamer.arrived(&mut memory, again.part, Err(FileError::Device(Fault::Refused)), None);
    assert_eq!(streamer.want(&mut memory, &places, size), Ok(None));
    assert_eq!(memory.in_use(sector), before, "no pool is left");
}

#[test]
fn a_part_s_memory_stays_taken_until_a_silent_device_has_spoken() {
    let (_arena, mut memory, sector) = memory(1000);
    let before = memory.in_use(sector);
    let mut streamer = streamer(sector, 2);
    let places = [Vec3::ZERO];
    streamer.look(&places, 500.0);
    let wanted = streamer.want(&mut memory, &places, size).unwrap().unwrap();
    let given_up = Err(FileError::GivenUp(Some(Fault::Silent)));
    assert_eq!(streamer.arrived(&mut memory, wanted.part, given_up, Some(wanted.region)), None);
    assert_eq!(streamer.state(wanted.part), PartState::Absent);
    assert_ne!(memory.in_use(sector), before, "it may still be written to");
    streamer.release(&mut memory, Some(wanted.region));
    assert_ne!(memory.in_use(sector), before);
    streamer.release(&mut memory, None);
    assert_eq!(memory.in_use(sector), before);
}

#[test]
fn a_level_s_end_leaves_a_silent_device_the_memory_that_it_may_write() {
    let (_arena, mut memory, sector) = memory(1000);
    for part_ends in [false, true] {
        let mut streamer = streamer(sector, 2);
        let places = [Vec3::ZERO];
        streamer.look(&places, 500.0);
        let taken = memory.in_use(sector).unwrap();
        let wanted = streamer.want(&mut memory, &places, size).unwrap().unwrap();
        if part_ends {
            streamer.arrived(&mut memory, wanted.part, Err(FileError::GivenUp(None)), Some(wanted.region));
        }
        streamer.clear(&mut memory, Some(wanted.region));
        assert!(memory.in_use(sector).unwrap() > taken, "ended {part_ends}");
    }
}

#[test]
fn what_is_reserved_for_a_movie_stays_out_of_the_parts_way() {
    let (_arena, mut memory, sector) = memory(470);
    let mut streamer = streamer(sector, 8);
    let reserve = streamer.reserve(&mut memory, 250 * KILO).unwrap();
    assert_eq!(stand(&mut streamer, &mut memory, 0.0, 1000.0), [0, 1]);
    assert_eq!(streamer.reserve(&mut memory, 250 * KILO), None, "the parts stay: somebody is near");
    reserve.give_back(&mut memory).unwrap();
    assert_eq!(stand(&mut streamer, &mut memory, 0.0, 1000.0), [2, 3]);
}

#[test]
fn a_level_s_end_gives_every_byte_back() {
    let (_arena, mut memory, sector) = memory(1000);
    let free = memory.free_bytes(sector).unwrap();
    let mut streamer = streamer(sector, 8);
    stand(&mut streamer, &mut memory, 300.0, 500.0);
    assert!(resident(&streamer).len() > 5);
    streamer.clear(&mut memory, None);
    assert_eq!((memory.free_bytes(sector), streamer.iter().count()), (Ok(free), 0));
}

/// A device that brings anything at once, to nowhere.
struct Quick {
    end: DeviceState,
}

impl StreamDevice for Quick {
    fn open(&mut self, _: &str) -> Result<(), Fault> {
        Ok(())
    }
    fn start(&mut self, read: Read) -> Result<(), Fault> {
        self.end = DeviceState::Done(read.length);
        Ok(())
    }
    fn poll(&mut self) -> DeviceState {
        self.end
    }
    fn cancel(&mut self) {}
    fn is_ready(&mut self) -> bool {
        true
    }
    fn landed(&self, _: Region, _: u32) -> &[u8] {
        &[]
    }
}

/// A clock that a second passes on at every look, and memory.
struct Slow(u32, Box<MemoryManager>);

impl LendMemory for Slow {
    fn with_memory<T>(&mut self, work: impl FnOnce(&mut MemoryManager) -> T) -> T {
        work(&mut self.1)
    }
}

impl Waiter for Slow {
    fn milliseconds(&mut self) -> u32 {
        self.0 += 1000;
        self.0
    }
    fn loading(&mut self, _: Option<Fault>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Refuses one part, and counts.
struct Reader {
    refuses: u16,
    seen: List<u16>,
}

impl Arrivals for Reader {
    fn part_loaded(&mut self, loaded: Loaded, _: &[u8]) -> bool {
        self.seen.push(loaded.part.0);
        loaded.part.0 != self.refuses
    }
}

fn preloaded(kilobytes: usize, parts: u16, milliseconds: u32) -> (Preloaded, List<u16>, List<u16>) {
    let (_arena, memory, sector) = memory(kilobytes);
    let mut streamer = streamer(sector, parts);
    let names: List<_> = (0..parts).map(|number| format!("part{number}")).collect();
    let disc = crate::file_io::fake::Disc::new(
        &names.iter().map(|name| (name.as_str(), 100 * KILO as usize)).collect::<List<_>>(),
    );
    let mut files = disc.files_on(Quick { end: DeviceState::Idle });
    let mut manager = FileManager::new(Region::new(0x10_0000, 0x1_0000).unwrap());
    let mut reader = Reader { refuses: 2, seen: List::new() };
    let (files, waiter): (&mut StreamFileSystem<'_, Quick>, _) = (&mut files, &mut Slow(0, memory));
    let places = [Vec3::new(0.0, 0.0, 0.0)];
    let limits = (PRELOAD_METRES, milliseconds);
    let done = preload(&mut streamer, &mut manager, files, waiter, &mut reader, &places, limits).unwrap();
    let stays = resident(&streamer);
    (done, reader.seen, stays)
}

#[test]
fn a_preload_brings_everything_within_its_distance() {
    let (done, seen, stays) = preloaded(2000, 9, 30_000);
    assert_eq!(seen, [0, 1, 2, 3, 4, 5], "part 5 begins 490 m away, part 6 590 m");
    assert_eq!(stays, [0, 1, 3, 4, 5]);
    assert_eq!(done, Preloaded { loaded: 5, broken: 1, no_room: false, late: false });
}

#[test]
fn a_preload_ends_when_its_time_or_its_room_is_over() {
    let (done, seen, _) = preloaded(2000, 9, 5_000);
    assert!(done.late && !seen.is_empty() && seen.len() < 5, "{done:?} {seen:?}");
    let (done, seen, _) = preloaded(240, 9, 30_000);
    assert_eq!((done.no_room, seen.len()), (true, 2), "{done:?}");
}
