//! Bytes as letters that a person can copy from a photograph: five bits a letter, in groups of five, with a checksum.
//!
//! The alphabet leaves out I, L, O and U, which look like others; what a person types in their place is understood. The first
//! byte says what the code tells of.

use crate::file_io::name::crc32;
use heapless::{String, Vec};

/// What a code tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Subject {
    /// A crash.
    Crash = 1,
    /// The self-test's results.
    SelfTest = 2,
}

impl Subject {
    /// The subject of a byte.
    const fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::Crash),
            2 => Some(Self::SelfTest),
            _ => None,
        }
    }
}

/// The most bytes that a code carries.
pub const MOST_BYTES: usize = 61;
/// Subject and checksum.
const ADDED: usize = 3;
const MOST_PACKED: usize = MOST_BYTES + ADDED;
/// The most letters and blanks of a code.
pub const MOST_TEXT: usize = LETTERS + LETTERS / GROUP;
const LETTERS: usize = (MOST_PACKED * 8).div_ceil(5);
const GROUP: usize = 5;
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Why a text is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeError {
    /// A character that no code has.
    Character(char),
    /// Too short, or longer than any code.
    Length,
    /// A letter was mistaken for another.
    Checksum,
    /// A subject of a later version.
    Subject(u8),
}

impl core::fmt::Display for CodeError {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Character(found) => write!(formatter, "a code has no `{found}`"),
            Self::Length => formatter.write_str("this is too short or too long for a code"),
            Self::Checksum => {
                formatter.write_str("the checksum is wrong: a letter was mistaken for another, or is missing")
            }
            Self::Subject(number) => write!(formatter, "this code is of a kind ({number}) that is not known here"),
        }
    }
}

fn checksum(bytes: &[u8]) -> [u8; 2] {
    let [a, b, ..] = crc32(bytes).to_le_bytes();
    [a, b]
}

/// The code of some bytes; of more than [`MOST_BYTES`] the rest is cut.
pub fn encode(subject: Subject, bytes: &[u8]) -> String<MOST_TEXT> {
    let mut packed = Vec::<u8, MOST_PACKED>::new();
    // The lengths add up to what fits.
    let _ = packed.push(subject as u8);
    let _ = packed.extend_from_slice(bytes.get(..MOST_BYTES).unwrap_or(bytes));
    let sum = checksum(&packed);
    let _ = packed.extend_from_slice(&sum);
    let mut text = String::new();
    let (mut bits, mut held, mut letters) = (0_u32, 0, 0);
    let mut letter = |value: u32, text: &mut String<MOST_TEXT>| {
        if letters > 0 && letters % GROUP == 0 {
            let _ = text.push(' ');
        }
        letters += 1;
        let _ = text.push(ALPHABET.get(value as usize & 31).map_or('0', |byte| char::from(*byte)));
    };
    for byte in packed {
        bits = bits << 8 | u32::from(byte);
        held += 8;
        while held >= 5 {
            held -= 5;
            letter(bits >> held, &mut text);
        }
    }
    if held > 0 {
        letter(bits << (5 - held), &mut text);
    }
    text
}

/// The value of a letter, with those that people confuse.
fn value(letter: char) -> Option<u32> {
    let letter = match letter.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        'U' => 'V',
        other => other,
    };
    ALPHABET.iter().position(|byte| char::from(*byte) == letter).map(|index| index as u32)
}

/// The subject and bytes of a code; blanks and dashes are ignored.
///
/// # Errors
/// Anything that is no code.
pub fn decode(text: &str) -> Result<(Subject, Vec<u8, MOST_BYTES>), CodeError> {
    let mut packed = Vec::<u8, MOST_PACKED>::new();
    let (mut bits, mut held) = (0_u32, 0);
    for letter in text.chars().filter(|found| !found.is_whitespace() && *found != '-') {
        bits = bits << 5 | value(letter).ok_or(CodeError::Character(letter))?;
        held += 5;
        if held >= 8 {
            held -= 8;
            packed.push((bits >> held) as u8).map_err(|_| CodeError::Length)?;
        }
    }
    let (body, sum) = packed.split_last_chunk::<2>().ok_or(CodeError::Length)?;
    let [subject, bytes @ ..] = body else { return Err(CodeError::Length) };
    if checksum(body) != *sum {
        return Err(CodeError::Checksum);
    }
    let subject = Subject::from_number(*subject).ok_or(CodeError::Subject(*subject))?;
    Ok((subject, Vec::from_slice(bytes).map_err(|_| CodeError::Length)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crash::Report;
    use proptest::prelude::*;

    #[test]
    fn a_crash_takes_eight_groups_of_five() {
        let text = encode(Subject::Crash, &[0; Report::BYTES]);
        assert_eq!(text.split(' ').count(), 8);
        assert!(text.split(' ').all(|group| group.len() == 5), "{text}");
    }

    #[test]
    fn one_wrong_letter_is_found_and_confused_ones_are_understood() {
        let text = encode(Subject::Crash, b"anything at all");
        let plain: std::string::String = text.to_lowercase().replace('0', "o").replace('1', "l").replace(' ', "-");
        assert_eq!(decode(&plain).unwrap().1, b"anything at all");
        let mut wrong = text.as_bytes().to_vec();
        wrong[7] = if wrong[7] == b'A' { b'B' } else { b'A' };
        assert_eq!(decode(core::str::from_utf8(&wrong).unwrap()), Err(CodeError::Checksum));
        assert_eq!(decode("ABC?"), Err(CodeError::Character('?')));
        assert_eq!(decode("AB"), Err(CodeError::Length));
        assert_eq!(decode(&"0".repeat(400)), Err(CodeError::Length));
    }

    proptest! {
        #[test]
        fn whatever_is_encoded_is_decoded(bytes in proptest::collection::vec(any::<u8>(), 0..=MOST_BYTES)) {
            let text = encode(Subject::SelfTest, &bytes);
            let (subject, back) = decode(&text).unwrap();
            prop_assert_eq!(subject, Subject::SelfTest);
            prop_assert_eq!(&back[..], &bytes[..]);
        }

        #[test]
        fn any_text_is_answered(text: std::string::String) {
            let _ = decode(&text);
        }
    }
}
