//! What holds for every order of requests.

use super::testing::Arena;
use super::{Clump, FreeList, Heap, MemoryManager, PoolId, PoolKind};
use core::ptr::NonNull;
use proptest::prelude::*;
use std::boxed::Box;
use std::vec::Vec;

#[derive(Clone, Debug)]
enum Request {
    Take { size: usize, align_log2: u32 },
    GiveBack(usize),
}

fn request() -> impl Strategy<Value = Request> {
    let size = prop_oneof![4 => 0_usize..600, 2 => 500_usize..5000, 1 => 5000_usize..40_000];
    prop_oneof![
        3 => (size, 0_u32..=10).prop_map(|(size, align_log2)| Request::Take { size, align_log2 }),
        2 => any::<usize>().prop_map(Request::GiveBack),
    ]
}

struct Piece {
    place: NonNull<u8>,
    size: usize,
    mark: u8,
}

impl Piece {
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the heap gave this many bytes, and the piece is not given back while it is looked at.
        unsafe { core::slice::from_raw_parts_mut(self.place.as_ptr(), self.size) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn pieces_never_overlap_are_aligned_and_everything_returns(requests in prop::collection::vec(request(), 1..200)) {
        let mut arena = Arena::skewed(256 * 1024, 1024, 208);
        let mut heap = Heap::new(arena.region()).unwrap();
        let (empty, largest) = (heap.free_bytes(), heap.largest_free_block());
        let mut pieces: Vec<Piece> = Vec::new();
        for (number, request) in requests.into_iter().enumerate() {
            match request {
                Request::Take { size, align_log2 } => {
                    let Ok(place) = heap.alloc(size, 1 << align_log2) else {
                        // The size takes part in its alignment, so the largest block must be too small for both.
                        prop_assert!(heap.largest_free_block() < size.max(1).next_multiple_of(1 << align_log2));
                        continue;
                    };
                    prop_assert_eq!(place.as_ptr() as usize % (1 << align_log2), 0);
                    prop_assert!(heap.held(place).unwrap() >= size);
                    let first = heap.block().first();
                    let start = place.as_ptr() as usize;
                    prop_assert!(start >= first && start + size <= heap.block().end());
                    let mut piece = Piece { place, size, mark: number as u8 };
                    let mark = piece.mark;
                    piece.bytes().fill(mark);
                    pieces.push(piece);
                }
                Request::GiveBack(which) if !pieces.is_empty() => {
                    let piece = pieces.swap_remove(which % pieces.len());
                    prop_assert!(heap.free(piece.place).is_ok());
                }
                Request::GiveBack(_) => {}
            }
            for piece in &mut pieces {
                let mark = piece.mark;
                prop_assert!(piece.bytes().iter().all(|byte| *byte == mark), "a piece was overwritten");
            }
            prop_assert_eq!(heap.live() as usize, pieces.len());
        }
        for piece in pieces {
            prop_assert!(heap.free(piece.place).is_ok());
        }
        prop_assert_eq!((heap.free_bytes(), heap.largest_free_block(), heap.is_empty()), (empty, largest, true));
    }

    #[test]
    fn what_a_clump_hands_out_never_overlaps_is_aligned_and_everything_returns_at_once(
        requests in prop::collection::vec(request(), 1..200), counts in any::<bool>(),
    ) {
        let mut arena = Arena::skewed(64 * 1024, 128, 48);
        let mut clump = Clump::new(arena.region());
        clump.count_frees(counts);
        let all = clump.free_bytes();
        let (mut end, mut live) = (clump.block().first(), 0_u32);
        for request in requests {
            match request {
                Request::Take { size, align_log2 } => {
                    let (used, align) = (clump.used(), 1_usize << align_log2);
                    match clump.alloc(size, align) {
                        Ok(place) => {
                            let start = place.as_ptr() as usize;
                            prop_assert_eq!(start % align, 0);
                            prop_assert!(start >= end, "it overlaps the one before");
                            prop_assert!(start - end < align, "more is left out than the alignment asks for");
                            end = start + size;
                            prop_assert!(end <= clump.block().end());
                            live += 1;
                        }
                        Err(_) => {
                            prop_assert_eq!(clump.used(), used, "a refusal changes nothing");
                            prop_assert!(end.next_multiple_of(align) + size > clump.block().end());
                        }
                    }
                }
                Request::GiveBack(_) => {
                    let used = clump.used();
                    clump.free();
                    live -= u32::from(counts && live > 0);
                    if counts && live == 0 {
                        end = clump.block().first();
                        prop_assert_eq!(clump.used(), 0, "the last one gives everything back");
                    } else {
                        prop_assert_eq!(clump.used(), used);
                    }
                }
            }
            prop_assert_eq!((clump.live(), clump.used() + clump.free_bytes()), (live, all));
        }
        prop_assert_eq!(clump.into_block().bytes(), all);
    }

    #[test]
    fn records_of_a_free_list_are_one_persons_at_a_time_and_all_return(
        capacity in 1_u16..80, bytes in 1_usize..70, requests in prop::collection::vec(any::<(bool, usize)>(), 1..300),
    ) {
        let room = FreeList::bytes(capacity, bytes);
        let mut arena = Arena::new(room, 16);
        let mut list = FreeList::new(arena.region(), capacity, bytes).unwrap();
        let first = list.address(0).unwrap().as_ptr() as usize;
        let mut taken: Vec<u16> = Vec::new();
        let mut refusals = 0;
        for (take, which) in requests {
            if take {
                match list.take() {
                    Some(slot) => {
                        prop_assert!(slot < capacity && !taken.contains(&slot), "{slot} is somebody's");
                        let place = list.address(slot).unwrap();
                        let start = place.as_ptr() as usize;
                        prop_assert_eq!(start, first + usize::from(slot) * bytes, "records do not overlap");
                        prop_assert!(start + bytes <= first + room);
                        // SAFETY: the record was taken just now and has this many bytes.
                        unsafe { place.write_bytes(0xa5, bytes) };
                        taken.push(slot);
                    }
                    None => {
                        refusals += 1;
                        prop_assert_eq!(taken.len(), usize::from(capacity), "a refusal of a list with room");
                    }
                }
            } else if !taken.is_empty() {
                let slot = taken.swap_remove(which % taken.len());
                prop_assert!(list.give(slot));
                prop_assert!(!list.give(slot), "twice");
            }
            prop_assert_eq!(usize::from(list.room()) + taken.len(), usize::from(capacity));
            prop_assert_eq!(list.refusals(), refusals);
        }
        for slot in taken {
            prop_assert!(list.give(slot));
        }
        prop_assert_eq!(list.room(), capacity);
    }

    #[test]
    fn the_tree_is_always_that_of_the_ranges(
        steps in prop::collection::vec((any::<prop::sample::Index>(), 1_usize..24, any::<bool>(), any::<bool>()), 1..60),
    ) {
        let mut arena = Arena::new(512 * 1024, 1024);
        let mut memory = Box::new(MemoryManager::new());
        let global = memory.init(arena.region()).unwrap();
        let before = memory.free_bytes(global);
        let mut pools: Vec<PoolId> = std::vec![global];
        for (which, kilobytes, heap, destroy) in steps {
            let chosen = *which.get(&pools);
            if destroy {
                if memory.destroy(chosen).is_ok() {
                    pools.retain(|id| *id != chosen);
                }
            } else {
                // A pool that fills its parent has the same range, and either would hold the other.
                if kilobytes * 1024 >= memory.record(chosen).unwrap().range().len() {
                    continue;
                }
                let kind = if heap { PoolKind::Heap } else { PoolKind::Clump };
                pools.extend(memory.create(chosen, kind, "pool", kilobytes * 1024).ok());
            }
            let registry = memory.registry();
            prop_assert_eq!(registry.walk().count(), pools.len() + 1, "the clump of all memory and those made here");
            for id in &pools {
                let range = registry.get(*id).unwrap().range();
                let smallest = pools
                    .iter()
                    .filter(|other| *other != id)
                    .filter(|other| {
                        let outer = registry.get(**other).unwrap().range();
                        outer.start <= range.start && range.end <= outer.end
                    })
                    .min_by_key(|other| registry.get(**other).unwrap().range().len());
                if let Some(smallest) = smallest {
                    prop_assert_eq!(registry.parent(*id), Some(*smallest));
                }
                let starts: Vec<_> = registry.inside(Some(*id)).map(|child| registry.get(child).unwrap().range().start).collect();
                prop_assert!(starts.is_sorted());
            }
        }
        while pools.len() > 1 {
            pools.retain(|id| *id == global || memory.destroy(*id).is_err());
        }
        // A clump that lies in a clump leaves its place used; only the heap's own account is checked.
        prop_assert_eq!(memory.free_bytes(global), before);
    }
}
