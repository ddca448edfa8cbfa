use super::write::{NewChunk, container, package};
use super::*;
use crate::file_io::name::crc32;
use proptest::prelude::*;
use std::boxed::Box;
use std::vec;
use std::vec::Vec;

fn kind(number: u32) -> ChunkType {
    ChunkType::new(number).unwrap()
}

fn chunk(number: u32, size: usize) -> NewChunk {
    NewChunk { kind: kind(number), id: number + 0x100, data: (0..size).map(|at| at as u8 ^ number as u8).collect() }
}

/// What the handlers of the tests saw.
#[derive(Default)]
struct Seen {
    loaded: Vec<u8>,
    read: Vec<u8>,
    skip: u32,
}

fn note(seen: &mut Seen, chunk: Chunk, _: &mut Stacks, _: &mut dyn ChunkPool) -> Result<(), ChunkError> {
    seen.loaded.push(chunk.kind.number());
    Ok(())
}

/// Reads four bytes, skips as many as the test says and leaves the rest.
fn read(
    seen: &mut Seen,
    _: Chunk,
    source: &mut Bounded<'_>,
    _: &mut Stacks,
    _: &mut dyn ChunkPool,
) -> Result<(), ChunkError> {
    let mut bytes = [0; 4];
    source.read(&mut bytes)?;
    seen.read.extend(bytes);
    source.skip(seen.skip)
}

fn load_bytes(
    bytes: &[u8],
    table: &ChunkTable<Seen>,
    seen: &mut Seen,
) -> (Box<Stacks>, Result<ContainerHeader, ChunkError>) {
    let mut memory = vec![0; 4096];
    let mut pool = SlicePool::new(&mut memory);
    let mut stacks = Box::<Stacks>::default();
    let result = load(&mut SliceSource(bytes), table, seen, &mut stacks, &mut pool);
    (stacks, result)
}

#[test]
fn a_container_s_chunks_are_popped_in_reverse() {
    let file = container(0x99, &[chunk(4, 16), chunk(5, 0), chunk(3, 32)]);
    assert_eq!(file[..16], [3, 0, 0, 0, 48, 0, 0, 0, 0, 0, 0, 0, 0x99, 0, 0, 0]);
    let mut memory = vec![0; 256];
    let mut pool = SlicePool::new(&mut memory);
    let mut stacks = Box::<Stacks>::default();
    let header = load(&mut SliceSource(&file), &ChunkTable::default(), &mut (), &mut stacks, &mut pool).unwrap();
    assert_eq!(header, ContainerHeader { count: 3, payload: 48, id: 0x99 });
    let collision = stacks.chunks.pop(ChunkType::COLLISION).unwrap();
    assert_eq!(pool.bytes(collision), chunk(3, 32).data);
    assert_eq!(collision.offset % 16, 0);
    assert_eq!(stacks.chunks.pop(ChunkType::COLLISION_LISTS).unwrap().bytes, 0);
    assert_eq!(pool.bytes(stacks.chunks.pop(ChunkType::COLLISION_TRIANGLES).unwrap()), chunk(4, 16).data);
    assert_eq!(stacks.chunks.peek(), ChunkType::NONE);
    assert_eq!(stacks.chunks.pop(ChunkType::COLLISION), Err(ChunkError::Missing(ChunkType::COLLISION)));
}

#[test]
fn a_pop_of_the_wrong_type_leaves_the_stack() {
    let mut stack = ObjectStack::default();
    stack.push(Object(7), kind(0x17)).unwrap();
    let error = ChunkError::Expected { wanted: kind(3), found: kind(0x17) };
    assert_eq!(stack.pop(kind(3)), Err(error));
    assert_eq!(stack.pop(kind(0x17)), Ok(Object(7)));
}

#[test]
fn a_full_stack_says_so() {
    let mut stack = TypedStack::<u32, 2>::default();
    stack.push(1, kind(1)).unwrap();
    stack.push(2, kind(1)).unwrap();
    assert_eq!(stack.push(3, kind(1)), Err(ChunkError::StackFull));
    assert_eq!(stack.len(), 2);
}

#[test]
fn three_types_count_as_one() {
    let file = container(1, &[chunk(0x0e, 4), chunk(0x30, 4), chunk(0x14, 4), chunk(0x15, 4)]);
    let (mut stacks, result) = load_bytes(&file, &ChunkTable::default(), &mut Seen::default());
    result.unwrap();
    stacks.chunks.pop(kind(0x15)).unwrap();
    for _ in 0..3 {
        stacks.chunks.pop(ChunkType::RETAGGED).unwrap();
    }
    assert!(stacks.chunks.is_empty());
}

#[test]
fn a_handler_reads_only_its_chunk_and_the_rest_of_it_is_skipped() {
    let mut table = ChunkTable::default();
    table.register(kind(9), Record { name: "nine", on_loaded: Some(note), read_from_stream: Some(read) }).unwrap();
    table.register(kind(10), Record { name: "ten", on_loaded: Some(note), read_from_stream: None }).unwrap();
    let file = container(1, &[chunk(9, 64), chunk(10, 4)]);
    for (skip, expected) in [(0, Ok(())), (60, Ok(())), (61, Err(ChunkError::OutOfChunk))] {
        let mut seen = Seen { skip, ..Seen::default() };
        let (stacks, result) = load_bytes(&file, &table, &mut seen);
        assert_eq!(result.map(drop), expected, "skip {skip}");
        assert_eq!(seen.read, chunk(9, 4).data);
        if expected.is_ok() {
            assert_eq!(seen.loaded, [9, 10]);
            assert_eq!((stacks.chunks.len(), stacks.chunks.peek()), (1, kind(10)));
        }
    }
}

#[test]
fn two_systems_cannot_claim_one_type() {
    let record = || Record::<Seen> { name: "x", on_loaded: Some(note), read_from_stream: None };
    let mut table = ChunkTable::default();
    table.register(kind(3), record()).unwrap();
    assert_eq!(table.register(kind(3), record()), Err(ChunkError::Registered(kind(3))));
}

#[test]
fn files_that_do_not_fit_together_are_refused_with_the_reason() {
    let good = container(1, &[chunk(4, 16)]);
    let with = |at: usize, word: u32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        load_bytes(&bytes, &ChunkTable::default(), &mut Seen::default()).1
    };
    assert_eq!(with(0, 0x1000_0000), Err(ChunkError::Count(0x1000_0000)));
    assert_eq!(with(0, 2), Err(ChunkError::Truncated));
    assert_eq!(with(4, 15), Err(ChunkError::Payload));
    assert_eq!(with(16, 0x54), Err(ChunkError::Type(0x54)));
    assert_eq!(with(20, 0xFFFF_FFF0), Err(ChunkError::Truncated));
    for length in 0..good.len() {
        let result = load_bytes(&good[..length], &ChunkTable::default(), &mut Seen::default()).1;
        assert!(result.is_err(), "{length} bytes");
    }
}

#[test]
fn a_chunk_that_the_pool_cannot_hold_is_an_error() {
    let file = container(1, &[chunk(4, 5000)]);
    let result = load_bytes(&file, &ChunkTable::default(), &mut Seen::default()).1;
    assert_eq!(result, Err(ChunkError::Pool(5000)));
}

/// Resources of the tests: 1 is resident, 2 and 3 wanted, 4 too large.
struct Shelf {
    memory: Vec<u8>,
    evictions: u32,
    /// Milliseconds that pass at each look.
    step: u32,
    now: u32,
    log: Vec<(u32, GroupOutcome)>,
    closed: Vec<(u32, Result<(), ChunkError>)>,
    opened: usize,
    pool: Option<SlicePool<'static>>,
}

impl Groups for Shelf {
    fn plan(&mut self, resource: u32) -> Plan {
        match resource {
            1 => Plan::Resident,
            2 | 3 => Plan::Load(1000),
            4 => Plan::Load(u32::MAX - 5),
            _ => Plan::Unknown,
        }
    }

    fn make_room(&mut self, bytes: u32) -> bool {
        assert_eq!(bytes, 1000 + ROOM_BYTES);
        self.evictions = self.evictions.saturating_sub(1);
        self.evictions == 0
    }

    fn milliseconds(&mut self) -> u32 {
        self.now = self.now.wrapping_add(self.step);
        self.now
    }

    fn open(&mut self, _: u32, bytes: u32) -> Option<&mut dyn ChunkPool> {
        if bytes > 1000 {
            return None;
        }
        self.opened += 1;
        let memory = Box::leak(core::mem::replace(&mut self.memory, vec![0; 1000]).into_boxed_slice());
        Some(self.pool.insert(SlicePool::new(memory)))
    }

    fn close(&mut self, resource: u32, loaded: Result<(), ChunkError>) {
        self.closed.push((resource, loaded));
    }

    fn ended(&mut self, resource: u32, outcome: GroupOutcome) {
        self.log.push((resource, outcome));
    }
}

fn shelf(evictions: u32, step: u32) -> Shelf {
    let memory = vec![0; 1000];
    Shelf { memory, evictions, step, now: u32::MAX - 50, log: vec![], closed: vec![], opened: 0, pool: None }
}

fn load_groups(bytes: &[u8], shelf: &mut Shelf) -> (Box<Stacks>, Result<u32, ChunkError>) {
    let mut stacks = Box::<Stacks>::default();
    let table = ChunkTable::default();
    let result = load_package(&mut SliceSource(bytes), &table, &mut (), &mut stacks, shelf);
    (stacks, result)
}

#[test]
fn a_package_s_wanted_groups_are_loaded_and_the_others_skipped() {
    assert_eq!(PACKAGE, 0xDE68_6795);
    assert_eq!(PACKAGE, crc32(b"package"));
    let file =
        package(&[(2, &[chunk(4, 16), chunk(5, 8)]), (1, &[chunk(6, 8)]), (9, &[chunk(6, 7)]), (3, &[chunk(7, 4)])]);
    let mut shelf = shelf(0, 1);
    let (stacks, result) = load_groups(&file, &mut shelf);
    assert_eq!(result, Ok(2));
    let expected =
        [(2, GroupOutcome::Loaded), (1, GroupOutcome::Resident), (9, GroupOutcome::Unknown), (3, GroupOutcome::Loaded)];
    assert_eq!(shelf.log, expected);
    assert_eq!(shelf.closed, [(2, Ok(())), (3, Ok(()))]);
    assert_eq!((stacks.chunks.len(), stacks.chunks.peek()), (3, kind(7)));
}

#[test]
fn room_is_made_for_200_milliseconds_and_then_the_group_is_skipped() {
    let file = package(&[(2, &[chunk(4, 16)]), (4, &[])]);
    for (evictions, step, outcome) in [
        (10, 15, GroupOutcome::Loaded),
        (100, 15, GroupOutcome::NoRoom),
        (2, 100, GroupOutcome::Loaded),
        (3, 100, GroupOutcome::NoRoom),
    ] {
        let mut shelf = shelf(evictions, step);
        load_groups(&file, &mut shelf).1.unwrap();
        assert_eq!(shelf.log, [(2, outcome), (4, GroupOutcome::NoRoom)], "{evictions} evictions of {step} ms");
        assert_eq!(shelf.opened, shelf.closed.len(), "what was opened is closed");
    }
}

#[test]
fn a_broken_group_is_closed_with_its_error() {
    let mut file = package(&[(2, &[chunk(4, 16)])]);
    file[32 + 4..32 + 8].copy_from_slice(&0x1000_u32.to_le_bytes());
    let mut shelf = shelf(0, 1);
    assert_eq!(load_groups(&file, &mut shelf).1, Err(ChunkError::Truncated));
    assert_eq!(shelf.closed, [(2, Err(ChunkError::Truncated))]);
}

#[test]
fn a_flat_container_is_no_package() {
    assert_eq!(load_groups(&container(1, &[]), &mut shelf(0, 1)).1, Err(ChunkError::NoPackage));
}

proptest! {
    #[test]
    fn hostile_files_end_in_a_value(bytes in proptest::collection::vec(any::<u8>(), 0..400), count in 0u8..6, kinds in proptest::collection::vec(0u8..0x60, 6)) {
        // Random bytes with plausible headers reach further into the loader than random bytes alone.
        let mut file = bytes;
        if file.len() >= 16 {
            file[..16].copy_from_slice(&ContainerHeader { count: count.into(), payload: 0, id: 1 }.to_bytes());
        }
        let mut at = 16;
        for number in kinds {
            if let Some(header) = file.get_mut(at..at + 8) {
                header.copy_from_slice(&[number, 0, 0, 0, header[4] % 32, 0, 0, 0]);
                at += 16 + usize::from(header[4]);
            }
        }
        let mut table = ChunkTable::default();
        table.register(kind(9), Record { name: "", on_loaded: Some(note), read_from_stream: Some(read) }).unwrap();
        let (stacks, _) = load_bytes(&file, &table, &mut Seen::default());
        prop_assert!(stacks.chunks.len() <= usize::from(count));
        if let Some(first) = file.get_mut(12..16) {
            first.copy_from_slice(&PACKAGE.to_le_bytes());
        }
        let _ = load_groups(&file, &mut shelf(0, 300));
    }
}
