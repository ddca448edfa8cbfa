//! The packer for [`boardwalk_unpack::lz`]: finds the shortest way to write the bytes down.
//!
//! For every place the longest copy from before is looked for along a chain of places that begin alike; then, from the end to
//! the beginning, the cheapest way from each place to the end is chosen.

use boardwalk_unpack::lz::{FARTHEST, LEAST_COPY, LONG, MORE};

/// Places that are looked at for a copy.
const LOOKS: usize = 128;
/// A copy of so many bytes is not looked to be bettered.
const ENOUGH: usize = 512;
/// Bytes of the longest copy.
const LONGEST: usize = 4096;
/// Shorter forms of a copy that are weighed against the longest.
const SHORTER: usize = 64;
/// Bits of the table of beginnings.
const HASH_BITS: u32 = 16;

/// What comes next: a literal, or a copy of so many bytes from so far back.
#[derive(Clone, Copy, Debug, Default)]
struct Copy {
    bytes: usize,
    distance: usize,
}

/// Packs `bytes`.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let copies = cheapest(&longest(bytes));
    let mut packed = Vec::with_capacity(bytes.len() / 2);
    let (mut at, mut literals) = (0, 0);
    while at < bytes.len() {
        let copy = copies[at];
        if copy.bytes == 0 {
            at += 1;
            continue;
        }
        sequence(&mut packed, &bytes[literals..at], Some(copy));
        at += copy.bytes;
        literals = at;
    }
    if literals < bytes.len() {
        sequence(&mut packed, &bytes[literals..], None);
    }
    packed
}

/// The longest copy for every place.
fn longest(bytes: &[u8]) -> Vec<Copy> {
    const NOWHERE: usize = usize::MAX;
    let mut newest = vec![NOWHERE; 1 << HASH_BITS];
    let mut older = vec![NOWHERE; bytes.len()];
    let mut found = vec![Copy::default(); bytes.len()];
    for at in 0..bytes.len().saturating_sub(LEAST_COPY - 1) {
        let begin = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let slot = &mut newest[(begin.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize];
        let mut place = *slot;
        for _ in 0..LOOKS {
            if place == NOWHERE || at - place > FARTHEST {
                break;
            }
            let alike = bytes[at..].iter().zip(&bytes[place..]).take(LONGEST).take_while(|(a, b)| a == b).count();
            if alike >= LEAST_COPY && alike > found[at].bytes {
                found[at] = Copy { bytes: alike, distance: at - place };
                if alike >= ENOUGH {
                    break;
                }
            }
            place = older[place];
        }
        older[at] = *slot;
        *slot = at;
    }
    found
}

/// Bytes that the rest of a length takes.
const fn rest(length: usize) -> usize {
    if length < LONG { 0 } else { 1 + (length - LONG) / MORE as usize }
}

/// Chooses for every place what the shortest way from there to the end begins with.
fn cheapest(longest: &[Copy]) -> Vec<Copy> {
    /// A sequence's first byte and its distance.
    const FRAME: usize = 3;
    let mut cost = vec![0; longest.len() + 1];
    let mut chosen = vec![Copy::default(); longest.len()];
    for at in (0..longest.len()).rev() {
        // Literals cost themselves; their lengths' further bytes are too rare to count.
        cost[at] = cost[at + 1] + 1;
        let whole = longest[at];
        let shorter = LEAST_COPY..whole.bytes.min(SHORTER);
        for bytes in shorter.chain([whole.bytes]).filter(|bytes| *bytes >= LEAST_COPY) {
            let copied = cost[at + bytes] + FRAME + rest(bytes - LEAST_COPY);
            if copied < cost[at] {
                cost[at] = copied;
                chosen[at] = Copy { bytes, ..whole };
            }
        }
    }
    chosen
}

fn sequence(packed: &mut Vec<u8>, literals: &[u8], copy: Option<Copy>) {
    let copied = copy.map_or(0, |copy| copy.bytes - LEAST_COPY);
    packed.push((literals.len().min(LONG) << 4 | copied.min(LONG)) as u8);
    length(packed, literals.len());
    packed.extend(literals);
    if let Some(copy) = copy {
        packed.extend((copy.distance as u16).to_le_bytes());
        length(packed, copied);
    }
}

fn length(packed: &mut Vec<u8>, length: usize) {
    if let Some(mut left) = length.checked_sub(LONG) {
        while left >= usize::from(MORE) {
            packed.push(MORE);
            left -= usize::from(MORE);
        }
        packed.push(left as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwalk_unpack::lz::unpack;
    use proptest::prelude::*;

    fn back(bytes: &[u8]) -> usize {
        let packed = pack(bytes);
        let mut out = vec![0xAA; bytes.len()];
        unpack(&packed, &mut out).unwrap();
        assert!(out == bytes, "{} bytes come back as others", bytes.len());
        packed.len()
    }

    #[test]
    fn what_repeats_gets_short_and_what_does_not_hardly_longer() {
        let text: Vec<u8> = b"a walk along the board, ".iter().copied().cycle().take(4_000).collect();
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let noise: Vec<u8> = (0..4_000).map(|_| random()).collect();
        let sizes = [back(&text), back(&[0; 100_000]), back(&noise)];
        assert!(sizes[0] < 60 && sizes[1] < 480 && sizes[2] < 4_020, "{sizes:?}");
    }

    #[test]
    fn lengths_around_their_limits_come_back() {
        for length in [0, 1, 3, 4, 14, 15, 16, 18, 19, 20, 269, 270, 271, 273, 274, 275, 525, 529, 530] {
            back(&vec![7; length]);
            back(&(0..length).map(|index| (index * index / 3) as u8).collect::<Vec<_>>());
        }
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes in prop::collection::vec(0_u8..4, 0..600)) {
            back(&bytes);
        }
    }
}
