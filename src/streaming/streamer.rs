//! Which part comes next, and which ones go for it.

use super::part::{Part, PartIndex, PartState};
use crate::file_io::{CallbackId, FileError, Region, Request};
use crate::maths::Vec3;
use crate::memory::{self, MemoryManager, PoolId, PoolKind};
use core::fmt::Write as _;
use core::ptr::NonNull;
use heapless::{String, Vec};

/// Parts of a level.
///
/// Our choice: the original's manifests grow on the heap; a level of ours has a part for each stretch of twenty metres.
pub const MAX_PARTS: usize = 64;
/// Alignment of a part's file: what the drive's transfers and the cache need.
const FILE_ALIGN: usize = 64;

#[derive(Debug)]
struct Slot {
    part: Part,
    state: PartState,
    /// The update in which somebody was last near it.
    last_near: u32,
}

/// A part to be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Which one.
    pub part: PartIndex,
    /// Where its file is to go.
    pub region: Region,
    /// Bytes of the file.
    pub bytes: u32,
}

impl Wanted {
    /// The request for its file; the part's number comes back with the answer.
    pub fn request<'n>(&self, name: &'n str) -> Request<'n> {
        Request {
            name,
            destination: Some(self.region),
            length: Some(self.bytes),
            callback: CallbackId(0),
            user: self.part.0.into(),
        }
    }
}

/// A part whose file has come. Its reader may allocate more from the pool, and calls [`Streamer::settle`] then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Which one.
    pub part: PartIndex,
    /// The part's own pool.
    pub pool: PoolId,
    /// Where its file lies.
    pub region: Region,
    /// Bytes of the file.
    pub bytes: u32,
}

/// Bytes of the Sector Pool that no part takes.
#[must_use = "the bytes stay taken until they are given back"]
#[derive(Debug, PartialEq, Eq)]
pub struct Reserve(NonNull<u8>);

impl Reserve {
    /// The bytes' begin, for whoever they were kept for.
    pub const fn base(&self) -> NonNull<u8> {
        self.0
    }

    /// Gives the bytes back.
    ///
    /// # Errors
    /// The pool is gone.
    pub fn give_back(self, memory: &mut MemoryManager) -> Result<(), memory::Error> {
        memory.free(self.0)
    }
}

/// Why a part has not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missed {
    /// All that may go has gone, and there is no block of so many bytes.
    NoRoom(u32),
    /// The file is not there, or is larger than the manifest says it could be.
    Broken(PartIndex),
}

/// The parts of the level.
#[derive(Debug)]
pub struct Streamer {
    slots: Vec<Slot, MAX_PARTS>,
    sector: PoolId,
    /// The pool of a part that was given up while its device was silent, which may still write there.
    held: Option<(PoolId, Region)>,
    update: u32,
    /// Parts that went for others.
    pub evicted: u32,
    /// Times that there was no room.
    pub shortages: u32,
}

impl Streamer {
    /// A streamer over the Sector Pool, without parts.
    pub const fn new(sector: PoolId) -> Self {
        Self { slots: Vec::new(), sector, held: None, update: 0, evicted: 0, shortages: 0 }
    }

    /// Adds a part of the manifest; `None` when there are too many.
    pub fn add(&mut self, part: Part) -> Option<PartIndex> {
        let index = PartIndex(self.slots.len() as u16);
        self.slots.push(Slot { part, state: PartState::Absent, last_near: 0 }).ok().map(|()| index)
    }

    /// A part.
    pub fn part(&self, index: PartIndex) -> Option<&Part> {
        self.slots.get(usize::from(index.0)).map(|slot| &slot.part)
    }

    /// Where a part is.
    pub fn state(&self, index: PartIndex) -> PartState {
        self.slots.get(usize::from(index.0)).map_or(PartState::Absent, |slot| slot.state)
    }

    /// All parts with their states.
    pub fn iter(&self) -> impl Iterator<Item = (PartIndex, &Part, PartState)> {
        self.slots.iter().enumerate().map(|(index, slot)| (PartIndex(index as u16), &slot.part, slot.state))
    }

    /// The parts that are in memory: where their files lie, and their bytes.
    pub fn resident(&self) -> impl Iterator<Item = (PartIndex, Region, u32)> {
        self.iter().filter_map(|(index, _, state)| match state {
            PartState::Resident { region, bytes, .. } => Some((index, region, bytes)),
            _ => None,
        })
    }

    /// True while a part is on its way.
    pub fn is_loading(&self) -> bool {
        self.slots.iter().any(|slot| matches!(slot.state, PartState::Loading { .. }))
    }

    /// Notes which parts somebody is near, as a new update. Called once a frame, for all players' places.
    pub fn look(&mut self, places: &[Vec3], metres: f32) {
        self.update = self.update.wrapping_add(1);
        for slot in &mut self.slots {
            if places.iter().any(|&place| slot.part.distance(place) <= metres) {
                slot.last_near = self.update;
            }
        }
    }

    /// The part to load next: the nearest one of those that somebody is near and that are absent. Makes room for it and opens
    /// its pool. `None` when nothing is missing or a part is on its way. `size` tells a file's bytes.
    ///
    /// # Errors
    /// No room, or a part that cannot be had; both are counted, and the latter is not asked for again.
    pub fn want(
        &mut self,
        memory: &mut MemoryManager,
        places: &[Vec3],
        size: impl Fn(&str) -> Option<u32>,
    ) -> Result<Option<Wanted>, Missed> {
        if self.is_loading() {
            return Ok(None);
        }
        let Some(index) = self.nearest_absent(places) else { return Ok(None) };
        let Some(slot) = self.slots.get_mut(usize::from(index.0)) else { return Ok(None) };
        let file = size(&slot.part.name).and_then(|bytes| Some((bytes, Region::padded(bytes)?)));
        let Some((bytes, padded)) = file.filter(|&(bytes, _)| bytes > 0) else {
            slot.state = PartState::Broken;
            return Err(Missed::Broken(index));
        };
        // The file must fit whatever the manifest says; a part that has been here asks for what it used.
        let need = slot.part.bytes.max(padded).next_multiple_of(FILE_ALIGN as u32);
        let Some((pool, region)) = self.open(memory, index, need, padded) else {
            self.shortages += 1;
            return Err(Missed::NoRoom(need));
        };
        self.slots[usize::from(index.0)].state = PartState::Loading { pool, region };
        Ok(Some(Wanted { part: index, region, bytes }))
    }

    fn nearest_absent(&self, places: &[Vec3]) -> Option<PartIndex> {
        let distance = |part: &Part| places.iter().map(|&place| part.distance(place)).fold(f32::MAX, f32::min);
        let mut best: Option<(f32, PartIndex)> = None;
        for (index, slot) in self.slots.iter().enumerate() {
            let is_missing = slot.state == PartState::Absent && slot.last_near == self.update;
            let metres = distance(&slot.part);
            if is_missing && best.is_none_or(|(least, _)| metres < least) {
                best = Some((metres, PartIndex(index as u16)));
            }
        }
        best.map(|(_, index)| index)
    }

    fn open(
        &mut self,
        memory: &mut MemoryManager,
        index: PartIndex,
        need: u32,
        padded: u32,
    ) -> Option<(PoolId, Region)> {
        if !self.make_room(memory, need as usize) {
            return None;
        }
        let mut name: String<16> = String::new();
        // A name that is cut is still a name.
        let _ = write!(name, "Sectors{}", index.0);
        let pool = memory.create(self.sector, PoolKind::Clump, &name, need as usize).ok()?;
        let block = memory.alloc_in(pool, padded as usize, FILE_ALIGN).ok();
        let region = block.and_then(|block| Region::new(block.as_ptr() as u32, padded));
        if region.is_none() {
            // Made just now, with nothing in it.
            let _ = memory.destroy(pool);
        }
        Some((pool, region?))
    }

    /// Ends parts that nobody is near, those first that nobody was near for longest, until the largest free block suffices.
    ///
    /// Our choice: what somebody is near stays, where the original would take it and want it back in the next frame.
    ///
    /// Source: support systems, Memory (visible behaviour)
    pub fn make_room(&mut self, memory: &mut MemoryManager, bytes: usize) -> bool {
        loop {
            if memory.largest_free_block(self.sector).is_ok_and(|largest| largest >= bytes) {
                return true;
            }
            let update = self.update;
            let resident = |slot: &&mut Slot| matches!(slot.state, PartState::Resident { .. });
            let far = self.slots.iter_mut().filter(resident).filter(|slot| slot.last_near != update);
            let Some(oldest) = far.max_by_key(|slot| update.wrapping_sub(slot.last_near)) else { return false };
            let pool = oldest.state.pool();
            oldest.state = PartState::Absent;
            self.evicted += 1;
            if pool.is_none_or(|pool| memory.destroy(pool).is_err()) {
                return false;
            }
        }
    }

    /// Takes bytes of the Sector Pool that parts are to leave alone, as for a movie. `None` when they cannot be had.
    pub fn reserve(&mut self, memory: &mut MemoryManager, bytes: u32) -> Option<Reserve> {
        let there = self.make_room(memory, bytes as usize);
        let block = there.then(|| memory.alloc_in(self.sector, bytes as usize, FILE_ALIGN).ok()).flatten();
        self.shortages += u32::from(block.is_none());
        block.map(Reserve)
    }

    /// Gives back what was held of a part that was given up, unless it is the memory that a device still has.
    pub fn release(&mut self, memory: &mut MemoryManager, lent: Option<Region>) {
        if let Some((pool, _)) = self.held.take_if(|(_, region)| lent != Some(*region)) {
            // A pool of the streamer's own, in which nothing else was made.
            let _ = memory.destroy(pool);
        }
    }

    /// Takes the end of a part's request; `lent` is the memory that the device still has. The part stands when
    /// [`settle`](Self::settle) has been called.
    pub fn arrived(
        &mut self,
        memory: &mut MemoryManager,
        index: PartIndex,
        result: Result<u32, FileError>,
        lent: Option<Region>,
    ) -> Option<Loaded> {
        self.release(memory, lent);
        let slot = self.slots.get_mut(usize::from(index.0))?;
        let PartState::Loading { pool, region } = slot.state else { return None };
        match result {
            Ok(bytes) => {
                slot.state = PartState::Resident { pool, region, bytes };
                Some(Loaded { part: index, pool, region, bytes })
            }
            Err(error) => {
                // Given up by a person, it may be wanted again; anything else stays wrong.
                let again = matches!(error, FileError::GivenUp(_) | FileError::Busy);
                slot.state = if again { PartState::Absent } else { PartState::Broken };
                // The part's reader has not seen the pool yet; a device may not have heard that nobody wants it.
                if lent == Some(region) {
                    self.held = Some((pool, region));
                } else {
                    let _ = memory.destroy(pool);
                }
                None
            }
        }
    }

    /// Notes what a part has really used, for the next time that it comes.
    pub fn settle(&mut self, memory: &MemoryManager, index: PartIndex) {
        let Some(slot) = self.slots.get_mut(usize::from(index.0)) else { return };
        if let Some(used) = slot.state.pool().and_then(|pool| memory.in_use(pool).ok()) {
            slot.part.bytes = used as u32;
        }
    }

    /// Throws a part away whose contents its reader refuses.
    pub fn refuse(&mut self, memory: &mut MemoryManager, index: PartIndex) {
        let Some(slot) = self.slots.get_mut(usize::from(index.0)) else { return };
        if let Some(pool) = slot.state.pool() {
            // Whoever refuses a part holds nothing of it.
            let _ = memory.destroy(pool);
        }
        slot.state = PartState::Broken;
    }

    /// Ends every part and forgets the manifest; the Sector Pool has its bytes back. A part that is on its way must have
    /// ended before.
    ///
    /// Our choice: memory that a silent device may still write stays taken as long as the program lives. A module that has not
    /// spoken until a level is left will hardly speak again, and what it did then would be nobody's to find.
    pub fn clear(&mut self, memory: &mut MemoryManager, lent: Option<Region>) {
        self.release(memory, lent);
        for slot in &self.slots {
            let is_lent = matches!(slot.state, PartState::Loading { region, .. } if lent == Some(region));
            if let Some(pool) = slot.state.pool().filter(|_| !is_lent) {
                // Parts' pools are never on the heap stack and hold no others.
                let _ = memory.destroy(pool);
            }
        }
        self.slots.clear();
    }
}

#[cfg(test)]
mod tests;
