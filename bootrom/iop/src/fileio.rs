//! FILEIO's transfers: how a read is cut at the EE's 16-byte lines.

/// Bytes of a line: DMA moves whole ones.
pub const LINE: u32 = 16;
/// Bytes of the record that carries what lies outside of whole lines.
pub const EDGES_BYTES: u32 = 48;

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

/// Cuts `size` bytes at `destination`. Less than a line is all head.
///
/// Source: IOP kernel, FILEIO (read detail)
#[must_use]
pub const fn cut(destination: u32, size: u32) -> Cut {
    if size < LINE {
        return Cut { head: size, middle: 0, tail: 0 };
    }
    let head = destination.wrapping_neg() % LINE;
    let rest = size - head;
    Cut { head, middle: rest - rest % LINE, tail: rest % LINE }
}

/// The record of the bytes outside of whole lines, which the EE copies itself.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges {
    /// Bytes before the first boundary.
    pub head_bytes: u32,
    /// Bytes behind the last one.
    pub tail_bytes: u32,
    /// Where the first go.
    pub head_destination: u32,
    /// Where the last go.
    pub tail_destination: u32,
    /// The first bytes.
    pub head: [u8; LINE as usize],
    /// The last bytes.
    pub tail: [u8; LINE as usize],
}

impl Edges {
    /// No bytes.
    pub const EMPTY: Edges =
        Edges { head_bytes: 0, tail_bytes: 0, head_destination: 0, tail_destination: 0, head: [0; 16], tail: [0; 16] };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_covers_every_byte_and_its_middle_is_whole_lines() {
        for destination in 0x10_0000..0x10_0020 {
            for size in 0..200 {
                let Cut { head, middle, tail } = cut(destination, size);
                assert_eq!(head + middle + tail, size);
                assert_eq!(middle % LINE, 0);
                assert!(head < LINE && tail < LINE);
                assert!(middle == 0 || (destination + head) % LINE == 0);
                assert!(tail == 0 || (destination + head + middle) % LINE == 0);
            }
        }
    }

    #[test]
    fn the_record_has_the_size_that_the_ee_expects() {
        assert_eq!(size_of::<Edges>(), EDGES_BYTES as usize);
    }
}
