//! What keeps a program from starting: one line for the console, a screen with a colour for each class.

use crate::program_file::Defect;
use boardwalk::ee::sif::Error;
use bootrom_ee::screen::Colour;
use core::fmt;

/// Why no program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure<'a> {
    /// The IOP or one of its servers is silent.
    Iop(Error),
    /// The drive is empty.
    NoDisc,
    /// SYSTEM.CNF cannot be read.
    NoConfiguration(Error),
    /// SYSTEM.CNF names no program.
    NoProgramNamed,
    /// A disc for the older console.
    OlderConsole,
    /// The program's file cannot be read.
    Unreadable(&'a [u8], Error),
    /// The program's file is no program.
    Defective(&'a [u8], Defect),
    /// The program's file ended early.
    Truncated(&'a [u8]),
    /// A program has ended and nothing else is to start.
    Ended,
}

impl Failure<'_> {
    /// The screen's ground: each class has its own, so that a photograph tells which it was.
    pub const fn colour(&self) -> Colour {
        match self {
            Self::Iop(_) => Colour::new(0x60, 0x10, 0x60),
            Self::NoDisc | Self::NoConfiguration(_) => Colour::new(0x10, 0x20, 0x70),
            Self::NoProgramNamed | Self::OlderConsole => Colour::new(0x70, 0x48, 0x00),
            Self::Unreadable(..) | Self::Truncated(_) => Colour::new(0x00, 0x50, 0x58),
            Self::Defective(..) => Colour::new(0x78, 0x10, 0x10),
            Self::Ended => Colour::new(0x38, 0x38, 0x38),
        }
    }

    /// True for a failure that another disc may end.
    pub const fn waits_for_a_disc(&self) -> bool {
        matches!(self, Self::NoDisc)
    }
}

/// Bytes of a path as text; what is not printable becomes a question mark.
struct Path<'a>(&'a [u8]);

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        self.0
            .iter()
            .try_for_each(|byte| f.write_char(if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '?' }))
    }
}

impl fmt::Display for Failure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Iop(error) => write!(f, "the IOP's servers cannot be used: {error}"),
            Self::NoDisc => f.write_str("no disc in the drive"),
            Self::NoConfiguration(error) => write!(f, "cannot read SYSTEM.CNF on the disc: {error}"),
            Self::NoProgramNamed => f.write_str("SYSTEM.CNF has no BOOT2 line"),
            Self::OlderConsole => f.write_str("SYSTEM.CNF has BOOT but no BOOT2: a disc for the older console"),
            Self::Unreadable(path, error) => write!(f, "cannot load {}: {error}", Path(path)),
            Self::Defective(path, defect) => write!(f, "cannot run {}: {defect}", Path(path)),
            Self::Truncated(path) => write!(f, "cannot run {}: the file ends early", Path(path)),
            Self::Ended => f.write_str("the program has ended"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn a_failure_is_one_printable_line() {
        let line = format!("{}", Failure::Unreadable(b"cdrom0:\\A\nB\xFF;1", Error::Server(-2)));
        assert_eq!(line, "cannot load cdrom0:\\A?B?;1: error -2");
        let line = format!("{}", Failure::Defective(b"X", Defect::Address(0x82000)));
        assert_eq!(line, "cannot run X: a segment at 0x00082000 is outside of a program's memory");
    }

    #[test]
    fn classes_have_their_own_colours() {
        let classes = [
            Failure::Iop(Error::TimeOut),
            Failure::NoDisc,
            Failure::NoProgramNamed,
            Failure::Truncated(b""),
            Failure::Defective(b"", Defect::NotElf),
            Failure::Ended,
        ];
        for (index, class) in classes.iter().enumerate() {
            assert!(classes[..index].iter().all(|other| other.colour() != class.colour()), "{class}");
        }
    }
}
