//! Memory that a device writes.

/// Bytes of a cache line of the EE: what a device writes must own whole ones.
pub const LINE_BYTES: u32 = 64;

/// A range of main memory that belongs to a read until it has ended, by address. Where it came from, a pool or the stream
/// buffer, is its owner's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    address: u32,
    bytes: u32,
}

impl Region {
    /// A range of whole cache lines. `None` when an end lies within a line, when it is empty, or past the last address.
    ///
    /// Source: console rule 6
    pub const fn new(address: u32, bytes: u32) -> Option<Self> {
        let whole = address.is_multiple_of(LINE_BYTES) && bytes.is_multiple_of(LINE_BYTES) && bytes > 0;
        if whole && address.checked_add(bytes).is_some() { Some(Self { address, bytes }) } else { None }
    }

    /// Its first byte.
    pub const fn address(self) -> u32 {
        self.address
    }

    /// Its bytes.
    pub const fn bytes(self) -> u32 {
        self.bytes
    }

    /// Bytes of the region that `length` bytes need: whole lines.
    pub const fn padded(length: u32) -> Option<u32> {
        length.checked_next_multiple_of(LINE_BYTES)
    }

    /// True when `length` bytes of a device fit.
    pub const fn holds(self, length: u32) -> bool {
        matches!(Self::padded(length), Some(padded) if padded <= self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_make_a_region() {
        assert!(Region::new(0x10_0000, 64).is_some());
        for (address, bytes) in [(0x10_0010, 64), (0x10_0000, 100), (0x10_0000, 0), (0xFFFF_FFC0, 64)] {
            assert_eq!(Region::new(address, bytes), None, "{address:#x} {bytes}");
        }
    }

    #[test]
    fn a_read_that_ends_within_a_line_needs_the_whole_line() {
        let region = Region::new(0x10_0000, 128).unwrap();
        assert!(region.holds(128) && region.holds(65) && region.holds(0));
        assert!(!region.holds(129) && !region.holds(u32::MAX));
    }
}
