//! Spawn records: where placed objects stand, live or not.
//!
//! A record is 0x28 bytes in the original: a pose, a type, a zone, and a word of flags whose low half is the handle
//! index of the live object. What spawns and removes the objects is [`super::spawning`].

use super::super::clock::Ticks;
use crate::maths::Vec3;
use alloc::boxed::Box;
use alloc::vec;

/// Records beyond the level's own. Source: seed 000, Task classes and pools.
pub const SPARE_RECORDS: u16 = 500;

/// Words of each of the two per-level lists. Source: seed 000, World objects: Spawn records.
const LEVEL_LIST: usize = 35;

/// Bits of a record's flags; the low half is a handle index.
pub mod record_flag {
    /// The handle index of the live object.
    pub const INDEX: u32 = 0xffff;
    /// An object is live. Source: seed 000, Handles.
    pub const LIVE: u32 = 0x2_0000;
    /// Gone for good: the handle is nil. Source: seed 000, Handles.
    pub const GONE: u32 = 0x4_0000;
    /// Owned: stays when no player is near. Source: seed 000, World objects: Spawn records.
    pub const OWNED: u32 = 0x8_0000;
    /// Its zone has been marked: goes at the next timed unload. Our choice of bit.
    pub const MARKED: u32 = 0x10_0000;
    /// The record is in use. Our choice of bit.
    pub const USED: u32 = 0x20_0000;
}

/// One record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpawnRecord {
    /// Metres.
    pub position: Vec3,
    /// Radians, clockwise from +y.
    pub heading: f32,
    /// Index into the object types.
    pub kind: u16,
    /// Zone.
    pub zone: u8,
    /// Bits of [`record_flag`].
    pub flags: u32,
    /// Not spawned before this time.
    pub not_before: Ticks,
    /// Ticks from its object's end to the next; 0 for never.
    pub respawn: Ticks,
    /// When a timed object is unloaded; 0 for never.
    pub unload_at: Ticks,
}

/// All records of a level.
#[derive(Debug)]
pub struct SpawnTable {
    records: Box<[SpawnRecord]>,
    level_lists: [[u32; LEVEL_LIST]; 2],
    refusals: u32,
    next_free: u16,
}

impl SpawnTable {
    /// Records for a level: its count plus 500.
    // Covers: seed 000, ObjectManager_AllocSpawnRecords (0x00397e08) test=a_level_has_500_records_more_than_it_places default=Self{records:Box::default(),level_lists:[[0;LEVEL_LIST];2],refusals:0,next_free:0}
    pub fn new(placed: u16) -> Self {
        let count = usize::from(placed) + usize::from(SPARE_RECORDS);
        Self {
            records: vec![SpawnRecord::default(); count].into_boxed_slice(),
            level_lists: [[0; LEVEL_LIST]; 2],
            refusals: 0,
            next_free: 0,
        }
    }

    /// Records in all.
    pub fn capacity(&self) -> usize {
        self.records.len()
    }

    /// Bytes that the records take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.records)
    }

    /// How often no record was free.
    pub fn refusals(&self) -> u32 {
        self.refusals
    }

    /// Clears the two per-level lists.
    // Covers: seed 000, ObjectManager_ResetLevelLists (0x00397f28) test=tasks::objects::spawning::tests::a_cleared_level_has_no_records_or_lists
    pub fn reset_level_lists(&mut self) {
        self.level_lists = [[0; LEVEL_LIST]; 2];
    }

    /// A word of a per-level list.
    pub fn level_word(&mut self, list: usize, word: usize) -> Option<&mut u32> {
        self.level_lists.get_mut(list)?.get_mut(word)
    }

    /// Takes a free record, cleared.
    // Covers: seed 000, SpawnTable_AllocRecord (0x003984f8) test=a_full_table_refuses_and_counts
    pub fn alloc(&mut self) -> Option<u16> {
        let count = self.records.len() as u16;
        let order = (self.next_free..count).chain(0..self.next_free.min(count));
        let free = order.into_iter().find(|n| self.records[usize::from(*n)].flags & record_flag::USED == 0);
        let Some(index) = free else {
            self.refusals = self.refusals.saturating_add(1);
            return None;
        };
        self.next_free = index + 1;
        self.records[usize::from(index)] = SpawnRecord { flags: record_flag::USED, ..SpawnRecord::default() };
        Some(index)
    }

    /// Takes a record and fills it.
    pub fn add(&mut self, record: SpawnRecord) -> Option<u16> {
        let index = self.alloc()?;
        let flags = record.flags & !(record_flag::INDEX | record_flag::LIVE) | record_flag::USED;
        self.records[usize::from(index)] = SpawnRecord { flags, ..record };
        Some(index)
    }

    /// A record in use.
    // Covers: seed 000, SpawnTable_FindRecord (0x00399cd0) test=records_are_found_by_index_and_by_object
    pub fn get(&self, index: u16) -> Option<&SpawnRecord> {
        self.records.get(usize::from(index)).filter(|record| record.flags & record_flag::USED != 0)
    }

    /// A record in use.
    pub fn get_mut(&mut self, index: u16) -> Option<&mut SpawnRecord> {
        self.records.get_mut(usize::from(index)).filter(|record| record.flags & record_flag::USED != 0)
    }

    /// A record whose object is live.
    // Covers: seed 000, SpawnTable_GetLiveRecord (0x00399d60) test=records_are_found_by_index_and_by_object
    pub fn live(&self, index: u16) -> Option<&SpawnRecord> {
        self.get(index).filter(|record| record.flags & record_flag::LIVE != 0)
    }

    /// The index of the record whose live object has a handle index.
    // Covers: seed 000, SpawnTable_GetRecordIndex (0x00399bf0) test=records_are_found_by_index_and_by_object
    pub fn index_of(&self, handle_index: u16) -> Option<u16> {
        let live = |r: &SpawnRecord| {
            r.flags & record_flag::LIVE != 0 && r.flags & record_flag::INDEX == u32::from(handle_index)
        };
        self.used().find(|(_, record)| live(record)).map(|(index, _)| index)
    }

    /// Records in use, ascending.
    pub fn used(&self) -> impl Iterator<Item = (u16, &SpawnRecord)> {
        let records = self.records.iter().enumerate().map(|(n, record)| (n as u16, record));
        records.filter(|(_, record)| record.flags & record_flag::USED != 0)
    }

    /// A record's zone; 0 for a record that is not in use.
    // Covers: seed 000, ObjectManager_GetSpawnZone (0x00398f60) test=flags_of_a_record_are_cleared_one_by_one
    pub fn zone(&self, index: u16) -> u8 {
        self.get(index).map_or(0, |record| record.zone)
    }

    /// Clears a record's owned bit.
    // Covers: seed 000, SpawnTable_ClearOwnedBit (0x00398ec8) test=flags_of_a_record_are_cleared_one_by_one
    pub fn clear_owned(&mut self, index: u16) {
        self.clear_flag(index, record_flag::OWNED);
    }

    /// Clears a flag of a record.
    // Covers: seed 000, SpawnTable_DisableRecordFlag (0x0039ada0) test=flags_of_a_record_are_cleared_one_by_one
    pub fn clear_flag(&mut self, index: u16, flag: u32) {
        if let Some(record) = self.get_mut(index) {
            record.flags &= !(flag & !record_flag::INDEX);
        }
    }

    /// Marks the records of a zone; answers how many.
    // Covers: seed 000, ObjZone_MarkRecords (0x003983b0) test=tasks::objects::zones::tests::a_marked_zone_is_off_and_its_records_are_marked
    pub fn mark_zone(&mut self, zone: u8) -> usize {
        let used = |r: &&mut SpawnRecord| r.flags & record_flag::USED != 0 && r.zone == zone;
        self.records.iter_mut().filter(used).map(|record| record.flags |= record_flag::MARKED).count()
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.records.fill(SpawnRecord::default());
        self.next_free = 0;
        self.reset_level_lists();
    }

    /// Notes that a record's object is live under a handle index.
    pub(super) fn set_live(&mut self, index: u16, handle_index: u16) {
        if let Some(record) = self.get_mut(index) {
            record.flags = record.flags & !record_flag::INDEX | record_flag::LIVE | u32::from(handle_index);
        }
    }

    /// Notes that a record's object has gone: for good, until a respawn, or just out of range.
    pub fn set_gone(&mut self, index: u16, for_good: bool, now: Ticks) {
        let Some(record) = self.get_mut(index) else { return };
        record.flags &= !(record_flag::LIVE | record_flag::INDEX);
        if for_good && record.respawn == 0 {
            record.flags |= record_flag::GONE;
        } else if for_good {
            record.not_before = now.saturating_add(record.respawn);
        }
    }

    /// The records that are due for unloading: marked ones and those whose time is up.
    pub(super) fn next_due(&self, from: u16, now: Ticks) -> Option<u16> {
        let due = |r: &SpawnRecord| r.flags & record_flag::MARKED != 0 || r.unload_at != 0 && r.unload_at <= now;
        self.used().find(|(index, record)| *index >= from && due(record)).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32) -> SpawnRecord {
        SpawnRecord { position: Vec3::new(x, 0.0, 0.0), ..SpawnRecord::default() }
    }

    #[test]
    fn a_level_has_500_records_more_than_it_places() {
        assert_eq!(SpawnTable::new(120).capacity(), 620);
    }

    #[test]
    fn a_full_table_refuses_and_counts() {
        let mut table = SpawnTable::new(0);
        for n in 0..500 {
            assert_eq!(table.alloc(), Some(n));
        }
        assert_eq!((table.alloc(), table.refusals()), (None, 1));
        *table.get_mut(7).unwrap() = SpawnRecord::default();
        assert_eq!(table.alloc(), Some(7));
    }

    #[test]
    fn records_are_found_by_index_and_by_object() {
        let mut table = SpawnTable::new(0);
        let index = table.add(at(1.0)).unwrap();
        assert_eq!((table.get(index).unwrap().position.x, table.get(index + 1)), (1.0, None));
        assert!(table.live(index).is_none());
        table.set_live(index, 900);
        assert!(table.live(index).is_some());
        assert_eq!((table.index_of(900), table.index_of(901)), (Some(index), None));
    }

    #[test]
    fn flags_of_a_record_are_cleared_one_by_one() {
        let mut table = SpawnTable::new(0);
        let flags = record_flag::OWNED | record_flag::GONE;
        let index = table.add(SpawnRecord { zone: 9, flags, ..at(0.0) }).unwrap();
        table.clear_owned(index);
        assert_eq!(table.get(index).unwrap().flags, record_flag::GONE | record_flag::USED);
        table.clear_flag(index, record_flag::GONE);
        assert_eq!(table.get(index).unwrap().flags, record_flag::USED);
        assert_eq!((table.zone(index), table.zone(400)), (9, 0));
    }
}
