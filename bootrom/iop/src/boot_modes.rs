//! LOADCORE's table of boot modes: records of words by which modules tell each other how the system came up.
//!
//! A record begins with a header: a value in the low half, the record's number, and how many words follow it.
//! Source: IOP kernel, LOADCORE (boot-mode table)

/// Words of the table.
///
/// Our choice: the system's own table has about that room.
pub const WORDS: usize = 64;
/// Record: how the system came up.
pub const START: u8 = 4;
/// Record: the command line of a new start, in one word behind the header.
pub const COMMAND: u8 = 5;

/// A record's header.
#[must_use]
pub const fn header(number: u8, value: u16, words: u8) -> u32 {
    value as u32 | (number as u32) << 16 | (words as u32) << 24
}

fn number_of(header: u32) -> u8 {
    (header >> 16) as u8
}

fn words_of(header: u32) -> usize {
    (header >> 24) as usize
}

/// All records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BootModes {
    words: [u32; WORDS],
    filled: usize,
}

impl BootModes {
    /// No record.
    #[must_use]
    pub const fn new() -> Self {
        BootModes { words: [0; WORDS], filled: 0 }
    }

    /// How many words of the record at `words` there are to read: its header and what that tells.
    #[must_use]
    pub fn length(header: u32) -> usize {
        1 + words_of(header)
    }

    /// Adds a record; false when the table is full or the record is not whole.
    pub fn register(&mut self, record: &[u32]) -> bool {
        let whole = record.first().is_some_and(|header| Self::length(*header) == record.len());
        // The word behind the last record stays zero.
        if !whole || self.filled + record.len() >= WORDS {
            return false;
        }
        self.words[self.filled..][..record.len()].copy_from_slice(record);
        self.filled += record.len();
        true
    }

    /// The words of the table, of which the first [`BootModes::filled`] are in use.
    #[must_use]
    pub fn table(&self) -> &[u32; WORDS] {
        &self.words
    }

    /// Words in use.
    #[must_use]
    pub const fn filled(&self) -> usize {
        self.filled
    }

    /// The place of the first record with this number in the table.
    #[must_use]
    pub fn find(&self, number: u8) -> Option<usize> {
        let mut at = 0;
        while at < self.filled {
            if number_of(self.words[at]) == number {
                return Some(at);
            }
            at += Self::length(self.words[at]);
        }
        None
    }
}

impl Default for BootModes {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_by_their_numbers() {
        let mut modes = BootModes::new();
        assert!(modes.register(&[header(START, 3, 0)]));
        assert!(modes.register(&[header(COMMAND, 0, 1), 0x480]));
        assert_eq!(modes.find(START).map(|at| modes.table()[at] & 0xFFFF), Some(3));
        assert_eq!(modes.find(COMMAND).map(|at| modes.table()[at + 1]), Some(0x480));
        assert_eq!((modes.find(7), modes.filled()), (None, 3));
    }

    #[test]
    fn what_is_not_whole_or_does_not_fit_is_refused() {
        let mut modes = BootModes::new();
        assert!(!modes.register(&[]));
        assert!(!modes.register(&[header(1, 0, 2), 5]));
        for _ in 0..WORDS - 1 {
            assert!(modes.register(&[header(9, 0, 0)]));
        }
        assert!(!modes.register(&[header(9, 0, 0)]));
        assert_eq!(modes.table()[WORDS - 1], 0);
    }
}
