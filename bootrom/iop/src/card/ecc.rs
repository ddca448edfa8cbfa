//! The check bytes beside a page.
//!
//! Source: hardware notes, Geometry and ECC

use super::{PAGE_BYTES, SPARE_BYTES};

/// Bytes that share three check bytes.
const CHUNK: usize = 128;
const CHECK_BYTES: usize = 3;
/// What each bit of a byte adds to the column parity; the top bit also says that the byte's own parity is odd.
const COLUMNS: [u8; 8] = [0x87, 0x96, 0xA5, 0xB4, 0xC3, 0xD2, 0xE1, 0xF0];
const ODD: u8 = 0x80;

fn columns(byte: u8) -> u8 {
    (0..8).filter(|bit| byte >> bit & 1 != 0).fold(0, |sum, bit| sum ^ COLUMNS[bit])
}

/// The three check bytes of 128 bytes.
#[must_use]
pub fn check(chunk: &[u8]) -> [u8; CHECK_BYTES] {
    let (mut column, mut line, mut inverse) = (0_u8, 0_u8, 0_u8);
    for (index, byte) in chunk.iter().enumerate() {
        let parity = columns(*byte);
        column ^= parity;
        if parity & ODD != 0 {
            inverse ^= !(index as u8);
            line ^= index as u8;
        }
    }
    [!column & 0x77, !inverse & 0x7F, !line & 0x7F]
}

/// What belongs beside a page with this data.
#[must_use]
pub fn spare_of(data: &[u8; PAGE_BYTES]) -> [u8; SPARE_BYTES] {
    let mut spare = [0; SPARE_BYTES];
    for (slot, chunk) in spare.chunks_exact_mut(CHECK_BYTES).zip(data.chunks_exact(CHUNK)) {
        slot.copy_from_slice(&check(chunk));
    }
    spare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeroes_and_single_bits_have_their_check_bytes() {
        assert_eq!(check(&[0; CHUNK]), [0x77, 0x7F, 0x7F]);
        for place in [0_usize, 5, 127] {
            let mut chunk = [0; CHUNK];
            chunk[place] = 1;
            let [a, b, c] = check(&chunk);
            // The places that differ from the zeroes' check name the byte.
            assert_eq!((a ^ 0x77, c ^ 0x7F, (b ^ 0x7F) ^ (c ^ 0x7F)), (0x07, place as u8, 0x7F));
        }
    }

    #[test]
    fn four_chunks_fill_the_first_twelve_bytes() {
        let mut data = [0; PAGE_BYTES];
        data[CHUNK] = 0xFF;
        let spare = spare_of(&data);
        assert_eq!(spare[..3], [0x77, 0x7F, 0x7F]);
        assert_eq!(spare[3..6], check(&data[CHUNK..2 * CHUNK]));
        assert_eq!(spare[12..], [0; 4]);
    }
}
