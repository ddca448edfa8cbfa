//! Programs for the EE as files: ELF, 32 bits, little-endian, executable, MIPS.
//!
//! Everything is checked before a byte is loaded, because a wrong segment would overwrite the loader itself. Source: EE
//! facts, section 14; disc notes, section 1.

use core::fmt;

/// Bytes of the ELF header.
pub const HEADER_BYTES: usize = 52;
/// Bytes of a program header.
pub const SEGMENT_BYTES: usize = 32;
/// Most program headers.
pub const SEGMENTS: usize = 32;
/// Memory that a program's parts may cover: behind this loader, up to the end of RAM. Programs are linked from 0x100000 on;
/// loaders that stay resident lie below that.
pub const MEMORY: core::ops::Range<u32> = 0x0009_4000..0x0200_0000;

/// Why a file is no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// It ends before its headers do.
    Short,
    /// It does not start as an ELF does.
    NotElf,
    /// An ELF, but not a 32-bit little-endian executable for MIPS.
    NotForEe,
    /// No loadable segment, or more headers than are looked at.
    Segments,
    /// A segment lies outside of a program's memory; its address.
    Address(u32),
    /// The first instruction lies in no segment; its address.
    Entry(u32),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short => f.write_str("the file ends before its headers do"),
            Self::NotElf => f.write_str("the file is no ELF"),
            Self::NotForEe => f.write_str("the ELF is no 32-bit little-endian executable for MIPS"),
            Self::Segments => f.write_str("the ELF has nothing to load, or too many segments"),
            Self::Address(address) => write!(f, "a segment at {address:#010x} is outside of a program's memory"),
            Self::Entry(address) => write!(f, "the entry {address:#010x} is in no segment"),
        }
    }
}

/// What the ELF header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// First instruction.
    pub entry: u32,
    /// Place of the program headers in the file.
    pub segments_at: u32,
    /// How many there are.
    pub segments: usize,
}

/// A part of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Place in the file.
    pub offset: u32,
    /// Place in memory.
    pub address: u32,
    /// Bytes in the file.
    pub file_bytes: u32,
    /// Bytes in memory; those behind the file's must be zero.
    pub memory_bytes: u32,
}

/// A program's parts.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// First instruction.
    pub entry: u32,
    /// Place in the file of the word for the global pointer, where the program names one.
    pub gp_at: Option<u32>,
    segments: [Segment; SEGMENTS],
    count: usize,
}

impl Plan {
    /// The loadable parts, in the file's order of headers.
    pub fn segments(&self) -> &[Segment] {
        &self.segments[..self.count]
    }
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Reads the ELF header.
///
/// # Errors
/// A file that is no program.
pub fn header(bytes: &[u8]) -> Result<Header, Defect> {
    const CLASS_32: u8 = 1;
    const LITTLE_ENDIAN: u8 = 1;
    const EXECUTABLE: u16 = 2;
    const MIPS: u16 = 8;
    if !bytes.starts_with(b"\x7FELF") {
        return Err(if bytes.len() < 4 { Defect::Short } else { Defect::NotElf });
    }
    if bytes.len() < HEADER_BYTES {
        return Err(Defect::Short);
    }
    let kind = (bytes[4], bytes[5], half(bytes, 16), half(bytes, 18));
    if kind != (CLASS_32, LITTLE_ENDIAN, Some(EXECUTABLE), Some(MIPS)) {
        return Err(Defect::NotForEe);
    }
    let (Some(entry), Some(segments_at)) = (word(bytes, 24), word(bytes, 28)) else { return Err(Defect::Short) };
    let (Some(size), Some(count)) = (half(bytes, 42), half(bytes, 44)) else { return Err(Defect::Short) };
    if usize::from(size) != SEGMENT_BYTES || !(1..=SEGMENTS).contains(&usize::from(count)) {
        return Err(Defect::Segments);
    }
    Ok(Header { entry, segments_at, segments: usize::from(count) })
}

/// Reads the program headers, `bytes` from [`Header::segments_at`] on, and checks where everything would go.
///
/// # Errors
/// A program that must not be loaded.
pub fn plan(header: &Header, bytes: &[u8]) -> Result<Plan, Defect> {
    const LOAD: u32 = 1;
    /// What the registers hold at the entry: a mask for the general ones, four for the coprocessors', the global pointer.
    const REGISTERS: u32 = 0x7000_0000;
    const REGISTERS_BYTES: u32 = 24;
    const GLOBAL_POINTER: u32 = 20;
    if bytes.len() < header.segments * SEGMENT_BYTES {
        return Err(Defect::Short);
    }
    let mut plan = Plan { entry: header.entry, gp_at: None, segments: [Segment::default(); SEGMENTS], count: 0 };
    for index in 0..header.segments {
        let at = index * SEGMENT_BYTES;
        let field = |offset: usize| word(bytes, at + offset).ok_or(Defect::Short);
        if field(0)? == REGISTERS && field(16)? >= REGISTERS_BYTES {
            plan.gp_at = field(4)?.checked_add(GLOBAL_POINTER);
        }
        if field(0)? != LOAD {
            continue;
        }
        let segment = Segment {
            offset: field(4)?,
            address: field(8)?,
            file_bytes: field(16)?,
            memory_bytes: field(20)?.max(field(16)?),
        };
        if segment.memory_bytes == 0 {
            continue;
        }
        let end = segment.address.checked_add(segment.memory_bytes);
        if segment.address < MEMORY.start || end.is_none_or(|end| end > MEMORY.end) {
            return Err(Defect::Address(segment.address));
        }
        plan.segments[plan.count] = segment;
        plan.count += 1;
    }
    let holds = |segment: &Segment| plan.entry.wrapping_sub(segment.address) < segment.memory_bytes;
    if plan.count == 0 {
        Err(Defect::Segments)
    } else if !plan.entry.is_multiple_of(4) || !plan.segments().iter().any(holds) {
        Err(Defect::Entry(plan.entry))
    } else {
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn file(entry: u32, segments: &[(u32, Segment)]) -> Vec<u8> {
        let mut bytes = b"\x7FELF\x01\x01\x01".to_vec();
        bytes.resize(16, 0);
        for value in [2u16, 8] {
            bytes.extend(value.to_le_bytes());
        }
        for value in [1, entry, HEADER_BYTES as u32, 0, 0x2092_4001] {
            bytes.extend(value.to_le_bytes());
        }
        for value in [HEADER_BYTES as u16, SEGMENT_BYTES as u16, segments.len() as u16, 0, 0, 0] {
            bytes.extend(value.to_le_bytes());
        }
        for (kind, segment) in segments {
            let Segment { offset, address, file_bytes, memory_bytes } = *segment;
            for value in [*kind, offset, address, address, file_bytes, memory_bytes, 7, 16] {
                bytes.extend(value.to_le_bytes());
            }
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Plan, Defect> {
        let header = header(bytes)?;
        plan(&header, bytes.get(header.segments_at as usize..).unwrap_or_default())
    }

    const TEXT: Segment = Segment { offset: 0x80, address: 0x0010_0000, file_bytes: 0x1000, memory_bytes: 0x3000 };

    #[test]
    fn loadable_segments_are_found() {
        let note = Segment { address: 0, ..TEXT };
        let plan = read(&file(0x0010_0008, &[(0x7000_0000, note), (1, TEXT)])).unwrap();
        assert_eq!(plan.segments(), [TEXT]);
        assert_eq!(plan.entry, 0x0010_0008);
    }

    #[test]
    fn the_global_pointer_is_found_where_the_program_names_one() {
        let code = (1, Segment { offset: 0x1000, address: 0x10_0000, file_bytes: 16, memory_bytes: 16 });
        let registers = |file_bytes: u32| (0x7000_0000, Segment { offset: 0x200, file_bytes, ..Segment::default() });
        assert_eq!(read(&file(0x10_0000, &[registers(24), code])).unwrap().gp_at, Some(0x214));
        assert_eq!(read(&file(0x10_0000, &[registers(20), code])).unwrap().gp_at, None);
        assert_eq!(read(&file(0x10_0000, &[code])).unwrap().gp_at, None);
    }

    #[test]
    fn segments_over_the_loader_or_past_memory_are_refused() {
        for address in [0, 0x0008_2000, 0x0009_3FF0, 0x01FF_F000, 0xFFFF_F000, 0x8001_0000] {
            let segment = Segment { address, ..TEXT };
            assert_eq!(read(&file(address, &[(1, segment)])).unwrap_err(), Defect::Address(address));
        }
    }

    #[test]
    fn an_entry_outside_of_every_segment_is_refused() {
        for entry in [0, 0x0010_0002, 0x0010_3000] {
            assert_eq!(read(&file(entry, &[(1, TEXT)])).unwrap_err(), Defect::Entry(entry));
        }
    }

    #[test]
    fn other_files_are_told_apart() {
        assert_eq!(read(b"").unwrap_err(), Defect::Short);
        assert_eq!(read(b"MZ\x90\0").unwrap_err(), Defect::NotElf);
        assert_eq!(read(b"\x7FELF").unwrap_err(), Defect::Short);
        let mut big_endian = file(0x0010_0000, &[(1, TEXT)]);
        big_endian[5] = 2;
        assert_eq!(read(&big_endian).unwrap_err(), Defect::NotForEe);
        assert_eq!(read(&file(0x0010_0000, &[])).unwrap_err(), Defect::Segments);
        let whole = file(0x0010_0000, &[(1, TEXT)]);
        assert_eq!(read(&whole[..whole.len() - 1]).unwrap_err(), Defect::Short);
    }

    proptest! {
        #[test]
        fn damaged_programs_are_refused_or_stay_in_memory(
            damage in proptest::collection::vec((0usize..116, any::<u8>()), 0..6)
        ) {
            let mut bytes = file(0x0010_0000, &[(1, TEXT), (1, Segment { address: 0x0020_0000, ..TEXT })]);
            for (at, value) in damage {
                bytes[at] = value;
            }
            if let Ok(plan) = read(&bytes) {
                for segment in plan.segments() {
                    prop_assert!(segment.address >= MEMORY.start);
                    prop_assert!(segment.address + segment.memory_bytes <= MEMORY.end);
                    prop_assert!(segment.file_bytes <= segment.memory_bytes);
                }
            }
        }
    }
}
