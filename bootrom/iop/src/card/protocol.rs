//! What a card is told and how its answers are checked, as bytes.
//!
//! Source: hardware notes, Memory card commands

/// First byte of every command to a card.
const ADDRESS: u8 = 0x81;
/// Command numbers.
mod number {
    pub const PROBE: u8 = 0x11;
    pub const ERASE_ADDRESS: u8 = 0x21;
    pub const WRITE_ADDRESS: u8 = 0x22;
    pub const READ_ADDRESS: u8 = 0x23;
    pub const SPECIFICATION: u8 = 0x26;
    pub const SET_TERMINATOR: u8 = 0x27;
    pub const TERMINATOR: u8 = 0x28;
    pub const WRITE: u8 = 0x42;
    pub const READ: u8 = 0x43;
    pub const END: u8 = 0x81;
    pub const ERASE: u8 = 0x82;
}
/// The terminator that marks a card as known.
pub const KNOWN: u8 = 0x5A;
/// Answer byte of a good command.
const GOOD: u8 = 0x2B;
/// Bytes that one command moves.
pub const CHUNK: usize = 128;
/// Bytes of a command around its data.
const FRAME: usize = 6;

/// A command's bytes and how many of them.
pub type Command<const N: usize> = ([u8; N], u32);

fn command<const N: usize>(length: usize, number: u8, data: &[u8]) -> Command<N> {
    let mut bytes = [0; N];
    bytes[..2].copy_from_slice(&[ADDRESS, number]);
    bytes[2..2 + data.len()].copy_from_slice(data);
    (bytes, length as u32)
}

fn addressed<const N: usize>(number: u8, page: u32) -> Command<N> {
    let [a, b, c, d] = page.to_le_bytes();
    command(9, number, &[a, b, c, d, a ^ b ^ c ^ d])
}

/// Asks for the first answer of all.
#[must_use]
pub fn probe<const N: usize>() -> Command<N> {
    command(4, number::PROBE, &[])
}

/// Asks for the terminator.
#[must_use]
pub fn terminator<const N: usize>() -> Command<N> {
    command(5, number::TERMINATOR, &[])
}

/// The terminator out of the answer; None when the card does not know the command.
#[must_use]
pub fn terminator_of(answer: &[u8]) -> Option<u8> {
    (answer.get(2) == Some(&GOOD)).then(|| answer.get(3).copied()).flatten()
}

/// Marks the card as known.
#[must_use]
pub fn mark_known<const N: usize>() -> Command<N> {
    command(5, number::SET_TERMINATOR, &[KNOWN])
}

/// Asks for sizes.
#[must_use]
pub fn specification<const N: usize>() -> Command<N> {
    command(13, number::SPECIFICATION, &[])
}

/// True when the answer names the usual page size.
#[must_use]
pub fn is_usual(answer: &[u8]) -> bool {
    answer.get(2) == Some(&GOOD) && answer.get(3..5) == Some(&512_u16.to_le_bytes())
}

/// The page that is read next.
#[must_use]
pub fn read_address<const N: usize>(page: u32) -> Command<N> {
    addressed(number::READ_ADDRESS, page)
}

/// The page that is written next.
#[must_use]
pub fn write_address<const N: usize>(page: u32) -> Command<N> {
    addressed(number::WRITE_ADDRESS, page)
}

/// The block that is erased next.
#[must_use]
pub fn erase_address<const N: usize>(page: u32) -> Command<N> {
    addressed(number::ERASE_ADDRESS, page)
}

/// Reads `bytes` at the address.
#[must_use]
pub fn read<const N: usize>(bytes: usize) -> Command<N> {
    command(bytes + FRAME, number::READ, &[bytes as u8])
}

/// The data of an answer to [`read`]; None when it does not fit its check byte.
#[must_use]
pub fn data_of(answer: &[u8], bytes: usize) -> Option<&[u8]> {
    let data = answer.get(4..4 + bytes)?;
    let sum = data.iter().fold(0, |sum, byte| sum ^ byte);
    (answer.get(4 + bytes) == Some(&sum)).then_some(data)
}

/// Writes `data` at the address.
#[must_use]
pub fn write<const N: usize>(data: &[u8]) -> Command<N> {
    let (mut bytes, length) = command::<N>(data.len() + FRAME, number::WRITE, &[data.len() as u8]);
    bytes[3..3 + data.len()].copy_from_slice(data);
    bytes[3 + data.len()] = data.iter().fold(0, |sum, byte| sum ^ byte);
    (bytes, length)
}

/// Erases the block at the address.
#[must_use]
pub fn erase<const N: usize>() -> Command<N> {
    command(4, number::ERASE, &[])
}

/// Ends a sequence.
#[must_use]
pub fn end<const N: usize>() -> Command<N> {
    command(4, number::END, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 0x90;

    #[test]
    fn addresses_carry_their_sum() {
        let (bytes, length) = read_address::<N>(0x0102_0304);
        assert_eq!((bytes[..7].to_owned_array(), length), ([0x81, 0x23, 4, 3, 2, 1, 4], 9));
    }

    trait ToArray {
        fn to_owned_array(&self) -> [u8; 7];
    }

    impl ToArray for [u8] {
        fn to_owned_array(&self) -> [u8; 7] {
            core::array::from_fn(|index| self[index])
        }
    }

    #[test]
    fn written_data_carries_its_sum_and_read_data_is_checked_by_it() {
        let (bytes, length) = write::<N>(&[1, 2, 4]);
        assert_eq!((bytes[..7].to_owned_array(), length), ([0x81, 0x42, 3, 1, 2, 4, 7], 9));
        assert_eq!(data_of(&[0, 0, 0, 0x2B, 1, 2, 4, 7], 3), Some(&[1, 2, 4][..]));
        assert_eq!(data_of(&[0, 0, 0, 0x2B, 1, 2, 4, 6], 3), None);
        assert_eq!(data_of(&[0, 0, 0, 0x2B, 1], 3), None);
    }

    #[test]
    fn a_known_card_and_the_usual_sizes_are_told_by_their_answers() {
        assert_eq!(terminator_of(&[0xFF, 0xFF, 0x2B, 0x5A, 0x5A]), Some(KNOWN));
        assert_eq!(terminator_of(&[0xFF, 0xFF, 0xFF, 0x5A]), None);
        assert!(is_usual(&[0, 0, 0x2B, 0, 2]));
        assert!(!is_usual(&[0, 0, 0x2B, 0, 4]));
    }
}
