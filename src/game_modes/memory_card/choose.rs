//! Which of the two files is read, and which is written.

/// Files of a save.
pub const FILES: usize = 2;

/// What follows from the generations of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The file to read: the newest that is whole.
    pub read: Option<usize>,
    /// The file that the next save overwrites: never the one to read.
    pub write: usize,
    /// The next save's generation.
    pub generation: u32,
}

/// Chooses by the generations of the files that are whole; `None` for a file that is missing or damaged.
///
/// Generations count up and around, so the newer of two is the one that is less than half the way ahead.
pub const fn choose(generations: [Option<u32>; FILES]) -> Choice {
    let read = match generations {
        [Some(first), Some(second)] => Some(if (second.wrapping_sub(first) as i32) > 0 { 1 } else { 0 }),
        [Some(_), None] => Some(0),
        [None, Some(_)] => Some(1),
        [None, None] => None,
    };
    match read {
        Some(read) => {
            let newest = match generations[read] {
                Some(generation) => generation,
                None => 0,
            };
            Choice { read: Some(read), write: 1 - read, generation: newest.wrapping_add(1) }
        }
        None => Choice { read: None, write: 0, generation: 1 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_whole_file_is_read_and_the_other_is_written() {
        let chosen = |generations| {
            let Choice { read, write, generation } = choose(generations);
            (read, write, generation)
        };
        assert_eq!(chosen([None, None]), (None, 0, 1));
        assert_eq!(chosen([Some(5), None]), (Some(0), 1, 6));
        assert_eq!(chosen([None, Some(5)]), (Some(1), 0, 6));
        assert_eq!(chosen([Some(5), Some(6)]), (Some(1), 0, 7));
        assert_eq!(chosen([Some(7), Some(6)]), (Some(0), 1, 8));
        assert_eq!(chosen([Some(u32::MAX), Some(0)]), (Some(1), 0, 1), "the count goes around");
    }
}
