//! The registry: every pool by name and address, as a tree of ranges.
//!
//! A pool stands below the smallest registered pool whose range contains it, beside its neighbours in the order of their
//! addresses. So the pool that an address belongs to is found from the root down.
//!
//! Source: support systems, Memory, Registry record.

use super::clump::Clump;
use super::error::Error;
use super::heap::Heap;
use super::region::Region;
use core::fmt;

/// Records of the registry. Source: seed 003, Device initialisation, step 4.
pub const RECORDS: usize = 512;
/// Characters kept of a pool's name.
pub const NAME_LENGTH: usize = 15;

/// A pool's name: up to 15 characters, with spaces and underscores written as hyphens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    bytes: [u8; NAME_LENGTH],
    length: u8,
}

impl Name {
    /// The first 15 bytes of a name; what is no plain ASCII becomes a question mark.
    pub const fn new(name: &str) -> Self {
        let (name, mut bytes, mut length) = (name.as_bytes(), [0; NAME_LENGTH], 0);
        while length < name.len() && length < NAME_LENGTH {
            bytes[length] = match name[length] {
                b' ' | b'_' => b'-',
                graphic if graphic.is_ascii_graphic() => graphic,
                _ => b'?',
            };
            length += 1;
        }
        Self { bytes, length: length as u8 }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Names a registered pool. A pool that is gone leaves its id naming nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolId {
    index: u16,
    serial: u16,
}

/// The pool of a record.
#[derive(Debug)]
pub(super) enum Pool {
    Heap(Heap),
    Clump(Clump),
}

impl Pool {
    pub(super) const fn block(&self) -> &Region {
        match self {
            Self::Heap(heap) => heap.block(),
            Self::Clump(clump) => clump.block(),
        }
    }

    pub(super) fn into_block(self) -> Region {
        match self {
            Self::Heap(heap) => heap.into_block(),
            Self::Clump(clump) => clump.into_block(),
        }
    }
}

const NONE: u16 = u16::MAX;

/// One registered pool.
#[derive(Debug)]
pub struct Record {
    pub(super) pool: Option<Pool>,
    name: Name,
    serial: u16,
    parent: u16,
    first_child: u16,
    previous: u16,
    next: u16,
}

impl Record {
    const FREE: Self = Self {
        pool: None,
        name: Name::new(""),
        serial: 0,
        parent: NONE,
        first_child: NONE,
        previous: NONE,
        next: NONE,
    };

    /// The pool's name.
    pub const fn name(&self) -> &Name {
        &self.name
    }

    /// Addresses of the pool's first byte and behind its last.
    pub fn range(&self) -> core::ops::Range<usize> {
        self.pool.as_ref().map_or(0..0, |pool| pool.block().first()..pool.block().end())
    }

    fn holds(&self, other: &core::ops::Range<usize>) -> bool {
        let range = self.range();
        range.start <= other.start && other.end <= range.end
    }
}

/// All records.
///
/// Our choice: the records stand in the registry itself, where the original takes them from the heap that they describe.
#[derive(Debug)]
pub struct Registry {
    records: [Record; RECORDS],
    root: u16,
    live: u16,
}

impl Registry {
    /// No pools.
    pub const fn new() -> Self {
        Self { records: [const { Record::FREE }; RECORDS], root: NONE, live: 0 }
    }

    /// Registers a pool under a name, where its range belongs.
    ///
    /// Pools that are already registered and lie inside the new one's range move below it. Errors give the pool back.
    pub(super) fn insert(&mut self, pool: Pool, name: &str) -> Result<PoolId, (Error, Pool)> {
        let Some(free) = self.records.iter().position(|record| record.pool.is_none()) else {
            return Err((Error::RegistryFull, pool));
        };
        let range = pool.block().first()..pool.block().end();
        let parent = self.smallest_holding(&range);
        let crosses = self.siblings(self.first_below(parent)).any(|index| {
            let other = self.records[usize::from(index)].range();
            let apart = other.end <= range.start || range.end <= other.start;
            let inside = range.start <= other.start && other.end <= range.end;
            !apart && !inside
        });
        if crosses {
            return Err((Error::Overlap, pool));
        }
        let serial = self.records[free].serial.wrapping_add(1);
        self.records[free] = Record { pool: Some(pool), name: Name::new(name), serial, ..Record::FREE };
        let index = free as u16;
        let mut child = self.first_below(parent);
        while child != NONE {
            let next = self.records[usize::from(child)].next;
            if self.records[free].holds(&self.records[usize::from(child)].range()) {
                self.unlink(child);
                self.link(child, index);
            }
            child = next;
        }
        self.link(index, parent);
        self.live += 1;
        Ok(PoolId { index, serial })
    }

    /// Takes a pool out; its record is free. Pools inside it must be gone.
    pub(super) fn remove(&mut self, id: PoolId) -> Result<Pool, Error> {
        let record = self.get(id).ok_or(Error::NoSuchPool)?;
        if record.first_child != NONE {
            return Err(Error::HasPoolsInside);
        }
        self.unlink(id.index);
        self.live -= 1;
        self.records[usize::from(id.index)].pool.take().ok_or(Error::NoSuchPool)
    }

    /// The record of a pool.
    pub fn get(&self, id: PoolId) -> Option<&Record> {
        let record = self.records.get(usize::from(id.index))?;
        (record.serial == id.serial && record.pool.is_some()).then_some(record)
    }

    pub(super) fn pool_mut(&mut self, id: PoolId) -> Result<&mut Pool, Error> {
        let record = self.records.get_mut(usize::from(id.index)).filter(|record| record.serial == id.serial);
        record.and_then(|record| record.pool.as_mut()).ok_or(Error::NoSuchPool)
    }

    /// The pool that an address belongs to: the smallest whose range holds it.
    pub fn holding(&self, address: usize) -> Option<PoolId> {
        self.id(self.smallest_holding(&(address..address.checked_add(1)?)))
    }

    /// The pool that a pool stands below.
    pub fn parent(&self, id: PoolId) -> Option<PoolId> {
        self.id(self.get(id)?.parent)
    }

    /// The pools directly inside a pool, or those that are inside none, by address.
    pub fn inside(&self, id: Option<PoolId>) -> impl Iterator<Item = PoolId> + '_ {
        let first = match id {
            Some(id) => self.get(id).map_or(NONE, |record| record.first_child),
            None => self.root,
        };
        self.siblings(first).filter_map(|index| self.id(index))
    }

    /// Every pool in the tree's order with its depth: each one before those inside it.
    pub fn walk(&self) -> impl Iterator<Item = (usize, PoolId)> + '_ {
        let mut at = self.root;
        let mut depth = 0;
        core::iter::from_fn(move || {
            let found = (depth, self.id(at)?);
            let record = &self.records[usize::from(at)];
            at = record.first_child;
            depth += 1;
            let mut up = found.1.index;
            while at == NONE && up != NONE {
                depth -= 1;
                at = self.records[usize::from(up)].next;
                up = self.records[usize::from(up)].parent;
            }
            Some(found)
        })
    }

    /// Registered pools.
    pub const fn live(&self) -> u16 {
        self.live
    }

    fn id(&self, index: u16) -> Option<PoolId> {
        let record = self.records.get(usize::from(index))?;
        Some(PoolId { index, serial: record.serial })
    }

    fn siblings(&self, first: u16) -> impl Iterator<Item = u16> + '_ {
        let at = Some(first).filter(|index| *index != NONE);
        core::iter::successors(at, |index| Some(self.records[usize::from(*index)].next).filter(|next| *next != NONE))
    }

    fn first_below(&self, parent: u16) -> u16 {
        self.records.get(usize::from(parent)).map_or(self.root, |record| record.first_child)
    }

    fn smallest_holding(&self, range: &core::ops::Range<usize>) -> u16 {
        let mut parent = NONE;
        let holds = |index: &u16| self.records[usize::from(*index)].holds(range);
        while let Some(index) = self.siblings(self.first_below(parent)).find(holds) {
            parent = index;
        }
        parent
    }

    fn set_first_below(&mut self, parent: u16, first: u16) {
        match self.records.get_mut(usize::from(parent)) {
            Some(record) => record.first_child = first,
            None => self.root = first,
        }
    }

    /// Puts a record among the children of `parent`, by address.
    fn link(&mut self, index: u16, parent: u16) {
        let start = self.records[usize::from(index)].range().start;
        let (mut previous, mut next) = (NONE, self.first_below(parent));
        while let Some(record) = self.records.get(usize::from(next)).filter(|record| record.range().start < start) {
            (previous, next) = (next, record.next);
        }
        let record = &mut self.records[usize::from(index)];
        (record.parent, record.previous, record.next) = (parent, previous, next);
        match self.records.get_mut(usize::from(previous)) {
            Some(before) => before.next = index,
            None => self.set_first_below(parent, index),
        }
        if let Some(after) = self.records.get_mut(usize::from(next)) {
            after.previous = index;
        }
    }

    fn unlink(&mut self, index: u16) {
        let Record { parent, previous, next, .. } = self.records[usize::from(index)];
        match self.records.get_mut(usize::from(previous)) {
            Some(before) => before.next = next,
            None => self.set_first_below(parent, next),
        }
        if let Some(after) = self.records.get_mut(usize::from(next)) {
            after.previous = previous;
        }
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ptr::NonNull;
    use std::boxed::Box;
    use std::vec::Vec;

    /// A clump that nobody allocates from, so that its addresses need no memory.
    fn range(first: usize, bytes: usize) -> Pool {
        let base = NonNull::new(core::ptr::without_provenance_mut(first)).unwrap();
        // SAFETY: nothing reads or writes through the region.
        Pool::Clump(Clump::new(unsafe { Region::new(base, bytes) }))
    }

    fn names(registry: &Registry) -> Vec<(usize, &str)> {
        registry.walk().map(|(depth, id)| (depth, registry.get(id).unwrap().name().as_str())).collect()
    }

    #[test]
    fn a_name_keeps_fifteen_characters_and_no_spaces() {
        assert_eq!(Name::new("File Stream_Buf").as_str(), "File-Stream-Buf");
        assert_eq!(Name::new("Level Dynamic & LUA Pool").as_str(), "Level-Dynamic-&");
        assert_eq!(Name::new("caf\u{e9}").as_str(), "caf??");
    }

    #[test]
    fn pools_stand_below_the_smallest_pool_that_holds_them_by_address() {
        let mut registry = Box::new(Registry::new());
        for (first, bytes, name) in
            [(0x1000, 0x1000, "all"), (0x1800, 0x100, "b"), (0x1100, 0x400, "a"), (0x1200, 0x10, "a1")]
        {
            registry.insert(range(first, bytes), name).unwrap();
        }
        assert_eq!(names(&registry), [(0, "all"), (1, "a"), (2, "a1"), (1, "b")]);
        let at = |address| registry.holding(address).map(|id| registry.get(id).unwrap().name().as_str());
        assert_eq!([0x1000, 0x1205, 0x1210, 0x18ff].map(at), [Some("all"), Some("a1"), Some("a"), Some("b")]);
        assert_eq!((at(0xfff), at(0x2000)), (None, None));
    }

    #[test]
    fn a_pool_takes_over_those_that_lie_inside_it() {
        let mut registry = Box::new(Registry::new());
        registry.insert(range(0x1000, 0x1000), "all").unwrap();
        for (first, name) in [(0x1100, "x"), (0x1200, "y"), (0x1300, "z")] {
            registry.insert(range(first, 0x80), name).unwrap();
        }
        registry.insert(range(0x1200, 0x200), "late").unwrap();
        assert_eq!(names(&registry), [(0, "all"), (1, "x"), (1, "late"), (2, "y"), (2, "z")]);
    }

    #[test]
    fn a_pool_across_a_border_is_refused_and_given_back() {
        let mut registry = Box::new(Registry::new());
        registry.insert(range(0x1000, 0x100), "a").unwrap();
        let (error, pool) = registry.insert(range(0x1080, 0x100), "b").unwrap_err();
        assert_eq!((error, pool.block().first(), registry.live()), (Error::Overlap, 0x1080, 1));
    }

    #[test]
    fn a_removed_pool_leaves_its_id_naming_nothing() {
        let mut registry = Box::new(Registry::new());
        let outer = registry.insert(range(0x1000, 0x1000), "outer").unwrap();
        let inner = registry.insert(range(0x1000, 0x100), "inner").unwrap();
        assert_eq!(registry.remove(outer).unwrap_err(), Error::HasPoolsInside);
        registry.remove(inner).unwrap();
        let again = registry.insert(range(0x1400, 0x100), "again").unwrap();
        assert!(registry.get(inner).is_none() && registry.get(again).is_some());
        assert_eq!(registry.remove(inner).unwrap_err(), Error::NoSuchPool);
        assert_eq!(registry.parent(again), Some(outer));
    }

    #[test]
    fn the_registry_holds_512_pools() {
        let mut registry = Box::new(Registry::new());
        for index in 0..RECORDS {
            registry.insert(range(0x1000 + index * 16, 16), "p").unwrap();
        }
        assert_eq!(registry.insert(range(0x10, 16), "p").unwrap_err().0, Error::RegistryFull);
        assert_eq!((registry.live(), registry.walk().count()), (512, 512));
    }
}
