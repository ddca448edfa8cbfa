//! Counts facts and prints them.

use crate::system;
use core::fmt::{self, Write as _};

/// Bytes of a line at most; the rest is cut.
const LINE: usize = 160;
/// The console's file number.
const CONSOLE: i32 = 1;

/// Counts facts.
pub struct Tally {
    failed: u32,
}

/// A line that is being written.
struct Line {
    bytes: [u8; LINE],
    length: usize,
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // One place is kept for the end of the line.
        let count = text.len().min(LINE - 1 - self.length);
        self.bytes[self.length..][..count].copy_from_slice(&text.as_bytes()[..count]);
        self.length += count;
        Ok(())
    }
}

impl Tally {
    /// Nothing tried yet.
    pub const fn new() -> Self {
        Tally { failed: 0 }
    }

    /// How many facts were not as expected.
    pub const fn failed(&self) -> u32 {
        self.failed
    }

    /// Prints a line.
    pub fn line(&mut self, text: fmt::Arguments<'_>) {
        let mut line = Line { bytes: [0; LINE], length: 0 };
        // Writing to memory does not fail.
        let _ = line.write_fmt(text);
        line.bytes[line.length] = b'\n';
        system::write(CONSOLE, line.bytes.as_ptr(), line.length as i32 + 1);
    }

    /// Prints a fact and whether it is as expected.
    pub fn equal(&mut self, what: &str, found: i32, expected: i32) {
        if found == expected {
            self.line(format_args!("IOP ok {what}"));
        } else {
            self.failed += 1;
            self.line(format_args!("IOP FAILED {what}: {found} ({found:#x}) instead of {expected} ({expected:#x})"));
        }
    }

    /// Prints a fact that only can be so or not.
    pub fn holds(&mut self, what: &str, held: bool) {
        self.equal(what, held.into(), 1);
    }
}
