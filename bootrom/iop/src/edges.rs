//! How a transfer to the EE is cut at the lines that DMA moves whole.
//!
//! What lies before the first boundary and behind the last one goes in a record of its own, which the EE takes apart.

/// Bytes of a line for file reads.
pub const LINE: u32 = 16;
/// Bytes of a line for reads of the drive.
pub const DRIVE_LINE: u32 = 64;

/// A destination cut at lines: some bytes up to the first boundary, whole lines, some bytes behind the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Bytes before the first boundary.
    pub head: u32,
    /// Bytes of whole lines.
    pub middle: u32,
    /// Bytes behind the last boundary.
    pub tail: u32,
}

/// Cuts `size` bytes at `destination` at multiples of `line`, a power of two. Less than a line is all head.
///
/// Source: IOP kernel, FILEIO (read detail) and CDVD servers
#[must_use]
pub const fn cut(destination: u32, size: u32, line: u32) -> Cut {
    if size < line {
        return Cut { head: size, middle: 0, tail: 0 };
    }
    let head = destination.wrapping_neg() & (line - 1);
    let rest = size - head;
    let tail = rest & (line - 1);
    Cut { head, middle: rest - tail, tail }
}

/// The record of the bytes outside of whole lines, which the EE copies itself.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges<const LINE: usize> {
    /// Bytes before the first boundary.
    pub head_bytes: u32,
    /// Bytes behind the last one.
    pub tail_bytes: u32,
    /// Where the first go.
    pub head_destination: u32,
    /// Where the last go.
    pub tail_destination: u32,
    /// The first bytes.
    pub head: [u8; LINE],
    /// The last bytes.
    pub tail: [u8; LINE],
}

impl<const LINE: usize> Edges<LINE> {
    /// No bytes.
    pub const EMPTY: Self = Edges {
        head_bytes: 0,
        tail_bytes: 0,
        head_destination: 0,
        tail_destination: 0,
        head: [0; LINE],
        tail: [0; LINE],
    };
    /// Bytes of the record.
    pub const BYTES: u32 = size_of::<Self>() as u32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_covers_every_byte_and_its_middle_is_whole_lines() {
        for line in [LINE, DRIVE_LINE] {
            for destination in 0x10_0000..0x10_0080 {
                for size in 0..300 {
                    let Cut { head, middle, tail } = cut(destination, size, line);
                    assert_eq!(head + middle + tail, size);
                    assert_eq!(middle % line, 0);
                    assert!(head < line && tail < line);
                    assert!(middle == 0 || (destination + head).is_multiple_of(line));
                    assert!(tail == 0 || (destination + head + middle).is_multiple_of(line));
                }
            }
        }
    }

    #[test]
    fn the_records_have_the_sizes_that_the_ee_expects() {
        assert_eq!((Edges::<16>::BYTES, Edges::<64>::BYTES), (48, 144));
    }
}
