//! Ids of threads and objects: what kind, which slot, and a serial number against stale ones.

/// The kinds of things that have ids, with the tags the system gives them.
///
/// Source: IOP kernel, THREADMAN (type tags)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A thread.
    Thread = 1,
    /// A semaphore.
    Semaphore = 2,
    /// An event flag.
    EventFlag = 3,
    /// A message box.
    MessageBox = 4,
    /// A variable-size pool.
    VariablePool = 5,
    /// A fixed-size pool.
    FixedPool = 6,
}

/// Bits of the serial number.
pub(super) const SERIAL_MASK: u8 = 0x3F;
const SERIAL_SHIFT: u32 = 1;
const INDEX_SHIFT: u32 = 7;
const INDEX_MASK: u32 = 0xFF;
const KIND_SHIFT: u32 = 15;

/// An id as callers hold it: odd, never small, different for each re-use of a slot.
///
/// Our choice: kind and slot stand where the system has the record's address; both are opaque to callers.
/// Source: IOP kernel, THREADMAN (ids are handles)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id(i32);

impl Id {
    pub(super) fn new(kind: Kind, index: usize, serial: u8) -> Self {
        let raw = (kind as u32) << KIND_SHIFT
            | (index as u32 & INDEX_MASK) << INDEX_SHIFT
            | u32::from(serial & SERIAL_MASK) << SERIAL_SHIFT
            | 1;
        Id(raw as i32)
    }

    /// The id in `raw`, if it has the shape of one of this kind.
    pub(super) fn from_raw(raw: i32, kind: Kind) -> Option<Self> {
        (raw > 0 && raw & 1 == 1 && raw as u32 >> KIND_SHIFT == kind as u32).then_some(Id(raw))
    }

    /// The number that callers hold.
    #[must_use]
    pub const fn raw(self) -> i32 {
        self.0
    }

    pub(super) const fn index(self) -> usize {
        (self.0 as u32 >> INDEX_SHIFT & INDEX_MASK) as usize
    }

    pub(super) const fn serial(self) -> u8 {
        (self.0 as u32 >> SERIAL_SHIFT) as u8 & SERIAL_MASK
    }
}
