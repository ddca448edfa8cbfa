//! What is left to say when the program cannot go on: registers, the way that led there, and a short code.
//!
//! A [`Record`] is taken where the crash happened, by the exception's handler or by the panic itself. [`unwind`] follows the
//! stack from it by reading the prologues of the functions, [`symbols`] gives addresses their names when the disc brings
//! them, and [`Report`] packs the essence for [`short_code`], which a person can type from a photograph and `cargo xtask
//! decode` turns back. [`recent`] keeps what happened last in each subsystem, [`page`] says what stands where on the screen,
//! and [`WayBack`] what a button does then. Nothing here allocates or trusts what it reads.

#[cfg(any(not(target_arch = "mips"), feature = "program"))]
pub mod page;
#[cfg(any(not(target_arch = "mips"), feature = "program"))]
pub mod recent;
pub mod short_code;
pub mod symbols;
pub mod unwind;
mod way_back;

pub use way_back::{DISC_PROGRAM, WayBack, program_to_begin};

use core::fmt;

/// Registers at a crash: the general ones' low words, and what the processor says of the exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Record {
    /// `$0` to `$31`.
    pub general: [u32; 32],
    /// Where it happened.
    pub program_counter: u32,
    /// The cause register.
    pub cause: u32,
    /// The address that could not be used, for those causes that have one.
    pub bad_address: u32,
    /// The status register.
    pub status: u32,
}

impl Record {
    /// Nothing recorded.
    pub const EMPTY: Self = Self { general: [0; 32], program_counter: 0, cause: 0, bad_address: 0, status: 0 };
    /// Number of the stack pointer.
    pub const STACK: usize = 29;
    /// Number of the frame pointer.
    pub const FRAME: usize = 30;
    /// Number of the return address.
    pub const RETURN: usize = 31;
    /// Bit of the cause register: the instruction stands in a branch's delay slot, the counter names the branch.
    const DELAY_SLOT: u32 = 1 << 31;

    /// The kind of exception.
    pub fn kind(&self) -> Kind {
        Kind::Exception((self.cause >> 2 & 31) as u8)
    }

    /// Where the instruction at fault stands.
    pub fn at(&self) -> u32 {
        self.program_counter.wrapping_add(if self.cause & Self::DELAY_SLOT != 0 { 4 } else { 0 })
    }
}

/// Why the program stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The program found a fault in itself.
    Panic,
    /// The processor did, by the exception's number.
    Exception(u8),
}

impl Kind {
    /// The kind as a byte.
    pub const fn number(self) -> u8 {
        match self {
            Self::Panic => 0xFF,
            Self::Exception(number) => number,
        }
    }

    /// The kind of a byte.
    pub const fn from_number(number: u8) -> Self {
        if number == 0xFF { Self::Panic } else { Self::Exception(number) }
    }

    /// Whether the bad address means something.
    pub const fn has_address(self) -> bool {
        matches!(self, Self::Exception(1..=5))
    }
}

impl fmt::Display for Kind {
    /// The processor's manual's words.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 14] = [
            "interrupt",
            "write to a read-only page",
            "no page to read",
            "no page to write",
            "bad address to read",
            "bad address to write",
            "bus error at an instruction",
            "bus error at data",
            "system call",
            "breakpoint",
            "unknown instruction",
            "coprocessor unusable",
            "integer overflow",
            "trap",
        ];
        match self {
            Self::Panic => formatter.write_str("panic"),
            Self::Exception(number) => match NAMES.get(usize::from(*number)) {
                Some(name) => formatter.write_str(name),
                None => write!(formatter, "exception {number}"),
            },
        }
    }
}

/// The essence of a crash, small enough for a photograph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Why.
    pub kind: Kind,
    /// Tells this program from others: the low half of its code's CRC-32.
    pub build: u16,
    /// Where, innermost first; 0 where the way is not known.
    pub frames: [u32; Self::FRAMES],
    /// The address that could not be used, 0 for kinds without one.
    pub bad_address: u32,
}

impl Report {
    /// Places of the way that are kept.
    pub const FRAMES: usize = 5;
    /// Bytes of a packed report.
    pub const BYTES: usize = 1 + 2 + 3 * Self::FRAMES + 4;
    /// Words of memory in the 24 bits of a packed place.
    const PLACE_SHIFT: u32 = 2;

    /// Takes the essence.
    pub fn new(kind: Kind, build: u16, frames: &[u32], bad_address: u32) -> Self {
        let frames = core::array::from_fn(|index| frames.get(index).copied().unwrap_or(0));
        Self { kind, build, frames, bad_address: if kind.has_address() { bad_address } else { 0 } }
    }

    /// The report as bytes: kind, build, frames in words from 0 up, address; little-endian. A place above 64 MiB is lost.
    pub fn pack(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let build = self.build.to_le_bytes();
        let places = self.frames.iter().flat_map(|place| {
            let words = place >> Self::PLACE_SHIFT;
            let [a, b, c, above] = words.to_le_bytes();
            if above == 0 { [a, b, c] } else { [0; 3] }
        });
        let all = [self.kind.number()].into_iter().chain(build).chain(places).chain(self.bad_address.to_le_bytes());
        for (byte, value) in bytes.iter_mut().zip(all) {
            *byte = value;
        }
        bytes
    }

    /// Reads a packed report.
    pub fn unpack(bytes: &[u8; Self::BYTES]) -> Self {
        let [kind, low, high, rest @ ..] = bytes;
        let (places, address) = rest.split_at(3 * Self::FRAMES);
        let mut frames = [0; Self::FRAMES];
        for (frame, place) in frames.iter_mut().zip(places.chunks_exact(3)) {
            if let [a, b, c] = place {
                *frame = u32::from_le_bytes([*a, *b, *c, 0]) << Self::PLACE_SHIFT;
            }
        }
        let bad_address = address.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        Self { kind: Kind::from_number(*kind), build: u16::from_le_bytes([*low, *high]), frames, bad_address }
    }
}

// Code that is no Rust writes the record by these places.
const _: () =
    assert!(core::mem::offset_of!(Record, general) == 0 && core::mem::offset_of!(Record, program_counter) == 128);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::string::ToString;

    #[test]
    fn a_report_survives_being_packed() {
        let frames = [0x0010_1238, 0x0010_0004, 0x01FF_FFFC];
        let report = Report::new(Kind::Exception(4), 0xBEEF, &frames, 0xDEAD_BEEF);
        assert_eq!(report.frames[3], 0);
        assert_eq!(Report::unpack(&report.pack()), report);
    }

    #[test]
    fn only_kinds_with_an_address_report_one() {
        assert_eq!(Report::new(Kind::Panic, 0, &[], 7).bad_address, 0);
        assert_eq!(Report::new(Kind::Exception(10), 0, &[], 7).bad_address, 0);
        assert_eq!(Report::new(Kind::Exception(2), 0, &[], 7).bad_address, 7);
    }

    #[test]
    fn the_instruction_in_a_delay_slot_is_the_one_behind_the_branch() {
        let record = Record { program_counter: 0x10_0000, cause: 0x8000_0010, ..Record::EMPTY };
        assert_eq!((record.at(), record.kind()), (0x10_0004, Kind::Exception(4)));
        assert_eq!(record.kind().to_string(), "bad address to read");
        assert_eq!(Kind::Exception(23).to_string(), "exception 23");
    }

    proptest! {
        #[test]
        fn any_bytes_unpack_and_pack_again(bytes: [u8; Report::BYTES]) {
            prop_assert_eq!(Report::unpack(&bytes).pack(), bytes);
        }
    }
}
