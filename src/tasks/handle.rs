//! Handles: how scripts and objects refer to things that may be gone.
//!
//! A handle is a serial and an index into one table of 2,816 entries. Taking an entry again gives it a new serial, so a
//! handle that outlives its thing resolves to nothing. Serial 0 never lives in the table: it names a spawn record, which
//! the object manager resolves.

use super::ids::{TaskClass, TaskId};
use alloc::boxed::Box;
use alloc::vec;

/// Entries of the handle table. Source: seed 000, Handles.
pub const ENTRIES: usize = 0xb00;

/// A reference by serial and index.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle(u32);

impl Handle {
    /// What scripts compare against. Source: seed 000, Handles (the word at 0x006ebd30).
    pub const NIL: Self = Self(u32::MAX);

    /// A handle from its number.
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// The handle of a spawn record: serial 0.
    pub const fn spawn_record(index: u16) -> Self {
        Self((index as u32) << 16)
    }

    /// The number: serial in the low half, index in the high half.
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// Distinguishes the lives of an entry.
    pub const fn serial(self) -> u16 {
        self.0 as u16
    }

    /// The entry, or the spawn record when the serial is 0.
    pub const fn index(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// True for [`Self::NIL`].
    pub const fn is_nil(self) -> bool {
        self.0 == u32::MAX
    }

    /// The spawn record that the handle names, if it names one.
    pub const fn as_spawn_record(self) -> Option<u16> {
        if self.serial() == 0 { Some(self.index()) } else { None }
    }
}

impl Default for Handle {
    fn default() -> Self {
        Self::NIL
    }
}

impl core::fmt::Debug for Handle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.is_nil() { f.write_str("nil") } else { write!(f, "{}#{}", self.index(), self.serial()) }
    }
}

/// What an entry points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A task of any class.
    Task(TaskId),
    /// A camera, by its number.
    Camera(u16),
    /// A world flag, by its place in the pool.
    Flag(u16),
    /// A volume, turf or player box.
    Box(super::boxes::BoxId),
}

/// Where the search for a free entry starts. Source: seed 000, Handles, the table of finders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0, and never above 59.
    Human,
    /// 60.
    Camera,
    /// 108.
    Flag,
    /// 620.
    Box,
    /// Cars, panes, world objects and particles: a cursor that wraps to 748.
    Cursor,
}

impl Kind {
    /// All kinds, by where they start.
    pub const ALL: [Self; 5] = [Self::Human, Self::Camera, Self::Flag, Self::Box, Self::Cursor];

    /// First index searched.
    pub const fn start(self) -> u16 {
        match self {
            Self::Human => 0,
            Self::Camera => 60,
            Self::Flag => 108,
            Self::Box => 620,
            Self::Cursor => 748,
        }
    }

    /// The kind that a task class takes its handles as; scenes and light tasks have none.
    pub const fn of(class: TaskClass) -> Option<Self> {
        match class {
            TaskClass::Human => Some(Self::Human),
            TaskClass::Scene | TaskClass::Light => None,
            _ => Some(Self::Cursor),
        }
    }
}

/// Humans have entries of their own. Source: seed 000, Handles (0x0038fe88).
const HUMAN_LIMIT: u16 = 60;

#[derive(Clone, Copy, Debug)]
struct Entry {
    target: Option<Target>,
    serial: u16,
}

/// The table.
#[derive(Debug)]
pub struct HandleTable {
    entries: Box<[Entry]>,
    next_serial: u16,
    cursor: u16,
    live: u16,
    refusals: u32,
}

impl Default for HandleTable {
    fn default() -> Self {
        Self::new()
    }
}

impl HandleTable {
    const FIRST_SERIAL: u16 = 1;

    /// An empty table.
    pub fn new() -> Self {
        Self {
            entries: vec![Entry { target: None, serial: 0 }; ENTRIES].into_boxed_slice(),
            next_serial: Self::FIRST_SERIAL,
            cursor: Kind::Cursor.start(),
            live: 0,
            refusals: 0,
        }
    }

    /// Empties every entry. The serial counter runs on, so that no earlier handle resolves again.
    // Covers: seed 000, Handles_Clear (0x0038fdf0) test=clearing_makes_every_handle_stale
    pub fn clear(&mut self) {
        self.entries.fill(Entry { target: None, serial: 0 });
        self.cursor = Kind::Cursor.start();
        self.live = 0;
    }

    /// The first free entry at or after `from`, to the end of the table.
    // Covers: seed 000, Handle_FindFree (0x0038fe28) test=a_full_range_spills_into_the_next_free_entry
    pub fn find_free(&self, from: u16) -> Option<u16> {
        let from = usize::from(from);
        let free = self.entries.get(from..)?.iter().position(|entry| entry.target.is_none())?;
        Some((from + free) as u16)
    }

    /// A free entry for a kind. The cursor kinds go on where they last stopped.
    fn find_for(&mut self, kind: Kind) -> Option<u16> {
        match kind {
            Kind::Human => self.find_free(0).filter(|index| *index < HUMAN_LIMIT),
            Kind::Cursor => {
                let index = self.find_free(self.cursor).or_else(|| self.find_free(Kind::Cursor.start()))?;
                let next = index + 1;
                self.cursor = if usize::from(next) < ENTRIES { next } else { Kind::Cursor.start() };
                Some(index)
            }
            _ => self.find_free(kind.start()),
        }
    }

    /// Gives a thing a handle, or counts a refusal and answers `None` when no entry is free for its kind.
    ///
    /// A human for whom no entry below 60 is free is tried once more after `cull`, which removes a corpse
    /// (Humans_CullCorpses) and frees its handle in the table it is given.
    pub fn assign(&mut self, kind: Kind, target: Target, cull: impl FnOnce(&mut Self)) -> Option<Handle> {
        self.assign_with(kind, |_| target, cull)
    }

    /// As [`Self::assign`], for a thing that is found by the index of its entry.
    pub fn assign_with(
        &mut self,
        kind: Kind,
        target: impl FnOnce(u16) -> Target,
        cull: impl FnOnce(&mut Self),
    ) -> Option<Handle> {
        let mut index = self.find_for(kind);
        if index.is_none() && kind == Kind::Human {
            cull(self);
            index = self.find_for(kind);
        }
        let Some(index) = index else {
            self.refusals = self.refusals.saturating_add(1);
            return None;
        };
        self.assign_at(index, target(index))
    }

    /// Stores a thing at an index under the next serial.
    // Covers: seed 000, Handle_Assign (0x0038ffd0) test=a_serial_counts_up_and_skips_zero
    pub fn assign_at(&mut self, index: u16, target: Target) -> Option<Handle> {
        let serial = self.next_serial;
        let entry = self.entries.get_mut(usize::from(index))?;
        if entry.target.is_none() {
            self.live += 1;
        }
        *entry = Entry { target: Some(target), serial };
        self.next_serial = serial.checked_add(1).unwrap_or(Self::FIRST_SERIAL);
        Some(Handle(u32::from(serial) | u32::from(index) << 16))
    }

    /// Frees the entry of a handle; a stale handle frees nothing. Says whether it did.
    // Covers: seed 000, Handle_Free (0x00390038) test=a_freed_handle_is_stale
    pub fn free(&mut self, handle: Handle) -> bool {
        if self.resolve(handle).is_none() {
            return false;
        }
        self.entries[usize::from(handle.index())].target = None;
        self.live -= 1;
        true
    }

    /// The thing of a handle: `None` for nil, for stale handles and for spawn records.
    #[inline]
    pub fn resolve(&self, handle: Handle) -> Option<Target> {
        if handle.is_nil() || handle.serial() == 0 {
            return None;
        }
        let entry = self.entries.get(usize::from(handle.index()))?;
        if entry.serial == handle.serial() { entry.target } else { None }
    }

    /// The handle that an entry would answer to now, or nil when it is free.
    // Covers: seed 000, Handle_GetByIndex (0x00390150) test=an_index_gives_the_entrys_own_handle
    // Covers: seed 000, Handle_GetByIndexA (0x003900b0) test=an_index_gives_the_entrys_own_handle
    // Covers: seed 000, Handle_GetByIndexB (0x003900d0) test=an_index_gives_the_entrys_own_handle
    // Covers: seed 000, Handle_GetByIndexC (0x003900f0) test=an_index_gives_the_entrys_own_handle
    // Covers: seed 000, Handle_GetByIndexD (0x00390110) test=an_index_gives_the_entrys_own_handle
    // Covers: seed 000, Handle_GetByIndexE (0x00390130) test=an_index_gives_the_entrys_own_handle
    pub fn at_index(&self, index: u16) -> Handle {
        match self.entries.get(usize::from(index)) {
            Some(entry) if entry.target.is_some() => Handle(u32::from(entry.serial) | u32::from(index) << 16),
            _ => Handle::NIL,
        }
    }

    /// The first entry in use of those that are a kind's before any other's; `None` when all of them are free.
    pub fn first_of(&self, kind: Kind) -> Option<u16> {
        let end = Kind::ALL.into_iter().map(Kind::start).find(|start| *start > kind.start());
        (kind.start()..end.unwrap_or(ENTRIES as u16)).find(|index| !self.at_index(*index).is_nil())
    }

    /// Bytes that the table takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.entries)
    }

    /// Entries in use.
    pub fn live(&self) -> u16 {
        self.live
    }

    /// How often no entry was free.
    pub fn refusals(&self) -> u32 {
        self.refusals
    }
}

// Ownership fills the table when the engine is made, so nothing runs before `main`.
// Excused: seed 000, Handles_StaticInit (0x003902c8) reason=destructor or static initialiser
// Excused: seed 000, Handles_StaticInitThunk (0x003902f0) reason=destructor or static initialiser

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn task(n: u16) -> Target {
        Target::Task(TaskId::new(TaskClass::Particle, n))
    }

    fn no_cull(_: &mut HandleTable) {}

    #[test]
    fn a_handle_resolves_until_its_entry_is_taken_again() {
        let mut table = HandleTable::new();
        let old = table.assign(Kind::Camera, task(1), no_cull).unwrap();
        assert_eq!(old.index(), 60);
        assert_eq!(table.resolve(old), Some(task(1)));
        table.free(old);
        let new = table.assign(Kind::Camera, task(2), no_cull).unwrap();
        assert_eq!(new.index(), old.index());
        assert_eq!((table.resolve(old), table.resolve(new)), (None, Some(task(2))));
        assert_eq!(table.resolve(Handle::NIL), None);
        assert_eq!(table.resolve(Handle::spawn_record(60)), None);
        assert_eq!(table.resolve(Handle::from_raw(0xffff_0001)), None, "an index past the table");
    }

    #[test]
    fn a_freed_handle_is_stale() {
        let mut table = HandleTable::new();
        let handle = table.assign(Kind::Flag, task(0), no_cull).unwrap();
        assert!(table.free(handle));
        assert!(!table.free(handle));
        assert_eq!((table.resolve(handle), table.live()), (None, 0));
    }

    #[test]
    fn a_serial_counts_up_and_skips_zero() {
        let mut table = HandleTable::new();
        let mut last = 0;
        for _ in 0..65_535 {
            let handle = table.assign_at(200, task(0)).unwrap();
            assert_eq!(handle.serial(), last + 1);
            last = handle.serial();
        }
        assert_eq!(table.assign_at(200, task(0)).unwrap().serial(), 1);
        assert!(table.assign_at(ENTRIES as u16, task(0)).is_none());
    }

    #[test]
    fn each_kind_starts_its_search_at_its_own_index() {
        let mut table = HandleTable::new();
        assert!(Kind::ALL.iter().all(|kind| table.first_of(*kind).is_none()));
        let found: Vec<_> = Kind::ALL.map(|kind| table.assign(kind, task(0), no_cull).unwrap().index()).into();
        assert_eq!(Kind::ALL.map(|kind| table.first_of(kind).unwrap()), *found);
        assert_eq!(found, [0, 60, 108, 620, 748]);
        assert_eq!(Kind::of(TaskClass::Scene), None);
        assert_eq!(Kind::of(TaskClass::Pane), Some(Kind::Cursor));
    }

    #[test]
    fn a_full_range_spills_into_the_next_free_entry() {
        let mut table = HandleTable::new();
        for n in 0..48 {
            assert_eq!(table.assign(Kind::Camera, task(0), no_cull).unwrap().index(), 60 + n);
        }
        table.assign(Kind::Flag, task(0), no_cull);
        assert_eq!(table.assign(Kind::Camera, task(0), no_cull).unwrap().index(), 109);
        assert_eq!(table.find_free(ENTRIES as u16), None);
    }

    #[test]
    fn the_cursor_moves_on_and_wraps_to_748() {
        let mut table = HandleTable::new();
        let first = table.assign(Kind::Cursor, task(0), no_cull).unwrap();
        table.free(first);
        for index in 749..ENTRIES as u16 {
            assert_eq!(table.assign(Kind::Cursor, task(0), no_cull).unwrap().index(), index);
        }
        assert_eq!(table.assign(Kind::Cursor, task(0), no_cull).unwrap().index(), 748);
        assert_eq!(table.assign(Kind::Cursor, task(0), no_cull), None);
        assert_eq!(table.refusals(), 1);
    }

    #[test]
    fn only_humans_have_a_hard_limit_and_corpses_are_culled_once() {
        let mut table = HandleTable::new();
        let handles: Vec<_> = (0..60).map(|_| table.assign(Kind::Human, task(0), no_cull).unwrap()).collect();
        assert_eq!(table.assign(Kind::Human, task(0), no_cull), None, "entry 60 is free but not for humans");
        let again = table.assign(Kind::Human, task(1), |table| {
            table.free(handles[17]);
        });
        assert_eq!(again.unwrap().index(), 17);
    }

    #[test]
    fn clearing_makes_every_handle_stale() {
        let mut table = HandleTable::new();
        let handle = table.assign(Kind::Box, task(0), no_cull).unwrap();
        table.clear();
        assert_eq!((table.resolve(handle), table.live()), (None, 0));
        assert_ne!(table.assign(Kind::Box, task(0), no_cull), Some(handle));
    }

    #[test]
    fn an_index_gives_the_entrys_own_handle() {
        let mut table = HandleTable::new();
        let handle = table.assign_at(9, task(0)).unwrap();
        assert_eq!(table.at_index(9), handle);
        assert_ne!(table.at_index(9), Handle::NIL);
        assert_eq!((table.at_index(10), table.at_index(u16::MAX)), (Handle::NIL, Handle::NIL));
    }

    #[test]
    fn a_million_takes_and_frees_keep_every_live_handle_and_no_dead_one() {
        let mut table = HandleTable::new();
        let mut live: Vec<(Handle, u16)> = Vec::new();
        let mut dead = Vec::new();
        let mut random = 12345u32;
        for step in 0..1_000_000u32 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if live.len() < 2000 && !(random >> 16).is_multiple_of(3) {
                let n = (step % 1400) as u16;
                live.push((table.assign(Kind::Cursor, task(n), no_cull).unwrap(), n));
            } else if !live.is_empty() {
                let (handle, n) = live.swap_remove(random as usize % live.len());
                assert_eq!(table.resolve(handle), Some(task(n)));
                assert!(table.free(handle));
                if dead.len() < 1000 {
                    dead.push(handle);
                }
            }
        }
        assert_eq!(usize::from(table.live()), live.len());
        assert!(live.iter().all(|(handle, n)| table.resolve(*handle) == Some(task(*n))));
        let revived = dead.iter().filter(|handle| live.iter().any(|(l, _)| l == *handle)).count();
        assert_eq!(dead.iter().filter(|handle| table.resolve(**handle).is_some()).count(), revived);
    }

    proptest::proptest! {
        #[test]
        fn a_table_answers_like_a_map(steps in proptest::collection::vec((0u8..4, 0usize..64), 1..300)) {
            let mut table = HandleTable::new();
            let mut model: Vec<(Handle, u16, bool)> = Vec::new();
            for (n, (operation, pick)) in steps.into_iter().enumerate() {
                if operation < 2 || model.is_empty() {
                    let handle = table.assign(Kind::Box, task(n as u16), no_cull).unwrap();
                    model.push((handle, n as u16, true));
                } else {
                    let place = pick % model.len();
                    let entry = &mut model[place];
                    proptest::prop_assert_eq!(table.free(entry.0), entry.2);
                    entry.2 = false;
                }
            }
            for (handle, n, alive) in model {
                proptest::prop_assert_eq!(table.resolve(handle), alive.then_some(task(n)));
            }
        }
    }
}
