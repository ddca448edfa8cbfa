//! The packed form of bytes: sequences of literal bytes and of copies from what was unpacked before.
//!
//! A sequence begins with a byte that holds two lengths of four bits: of the literals in its upper half, of the copy less
//! [`LEAST_COPY`] in its lower one. A length of 15 goes on in further bytes, which are added up as long as they are 255.
//! The literals follow, then the copy's distance in two bytes, the low one first, then the rest of the copy's length. The last
//! sequence ends behind its literals. A copy may reach into itself.
//!
//! Source: the published description of LZ4's blocks.

/// Bytes of the shortest copy.
pub const LEAST_COPY: usize = 4;
/// The farthest distance of a copy.
pub const FARTHEST: usize = 0xFFFF;
/// A length of four bits that goes on.
pub const LONG: usize = 15;
/// A further byte that is not the last one.
pub const MORE: u8 = 0xFF;

/// Why bytes cannot be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The packed bytes end within a sequence.
    Cut,
    /// They give more bytes than there is room for, or fewer.
    Length,
    /// A copy from before the beginning.
    Distance,
}

/// Packed bytes that are read one after the other.
struct Source<'p> {
    bytes: &'p [u8],
}

impl<'p> Source<'p> {
    fn byte(&mut self) -> Result<u8, Error> {
        let (&byte, rest) = self.bytes.split_first().ok_or(Error::Cut)?;
        self.bytes = rest;
        Ok(byte)
    }

    fn take(&mut self, count: usize) -> Result<&'p [u8], Error> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(Error::Cut)?;
        self.bytes = rest;
        Ok(taken)
    }

    /// The whole of a length of which four bits are known.
    fn length(&mut self, begin: u8) -> Result<usize, Error> {
        let mut length = usize::from(begin);
        if length == LONG {
            loop {
                let more = self.byte()?;
                // Lengths beyond memory are refused where they are used.
                length = length.saturating_add(usize::from(more));
                if more != MORE {
                    break;
                }
            }
        }
        Ok(length)
    }
}

/// Unpacks `packed` so that it fills `out`.
///
/// # Errors
/// Bytes that were not packed so, or not from as many as `out` has. What `out` holds then is of no use.
pub fn unpack(packed: &[u8], out: &mut [u8]) -> Result<(), Error> {
    let mut source = Source { bytes: packed };
    let mut at = 0;
    while !source.bytes.is_empty() {
        let lengths = source.byte()?;
        let count = source.length(lengths >> 4)?;
        let literals = source.take(count)?;
        let end = at + count;
        out.get_mut(at..end).ok_or(Error::Length)?.copy_from_slice(literals);
        at = end;
        if source.bytes.is_empty() {
            break;
        }
        let distance = usize::from(u16::from_le_bytes([source.byte()?, source.byte()?]));
        let count = source.length(lengths & LONG as u8)? + LEAST_COPY;
        let from = at.checked_sub(distance).filter(|_| distance > 0).ok_or(Error::Distance)?;
        let end = at.checked_add(count).filter(|&end| end <= out.len()).ok_or(Error::Length)?;
        copy(out, from, at, end);
        at = end;
    }
    if at == out.len() { Ok(()) } else { Err(Error::Length) }
}

/// Fills `at..end` from `from` on. Where both overlap, what was just written is read again.
fn copy(out: &mut [u8], from: usize, at: usize, end: usize) {
    if end - at <= at - from {
        out.copy_within(from..from + (end - at), at);
        return;
    }
    for place in at..end {
        out[place] = out[place - (at - from)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec;

    #[test]
    fn literals_and_copies_follow_each_other() {
        let mut out = [0; 12];
        // Two literals, a copy of five from two before; five literals at the end.
        unpack(&[0x21, b'a', b'b', 2, 0, 0x50, b'v', b'w', b'x', b'y', b'z'], &mut out).unwrap();
        assert_eq!(&out, b"abababavwxyz");
    }

    #[test]
    fn long_lengths_go_on_in_further_bytes() {
        let mut out = vec![0; 1 + 15 + 255 + 3 + LEAST_COPY];
        unpack(&[0x1F, 7, 1, 0, 255, 3], &mut out).unwrap();
        assert!(out.iter().all(|byte| *byte == 7));
    }

    #[test]
    fn what_is_cut_too_long_or_from_nowhere_is_refused() {
        let mut out = [0; 4];
        assert_eq!(unpack(&[0x40, 1, 2, 3], &mut out), Err(Error::Cut), "literals");
        assert_eq!(unpack(&[0x10, 1, 1], &mut out), Err(Error::Cut), "distance");
        assert_eq!(unpack(&[0xF0, 255], &mut out), Err(Error::Cut), "length");
        assert_eq!(unpack(&[0x50, 1, 2, 3, 4, 5], &mut out), Err(Error::Length), "too many");
        assert_eq!(unpack(&[0x30, 1, 2, 3], &mut out), Err(Error::Length), "too few");
        assert_eq!(unpack(&[0x10, 1, 1, 0], &mut out), Err(Error::Length), "a copy past the end");
        assert_eq!(unpack(&[0x00, 1, 0], &mut out), Err(Error::Distance), "before the beginning");
        assert_eq!(unpack(&[0x10, 1, 0, 0], &mut out), Err(Error::Distance), "itself");
    }

    proptest! {
        #[test]
        fn any_bytes_are_unpacked_or_refused(packed in prop::collection::vec(any::<u8>(), 0..200), length in 0..400_usize) {
            let mut out = vec![0; length];
            let _ = unpack(&packed, &mut out);
        }
    }
}
