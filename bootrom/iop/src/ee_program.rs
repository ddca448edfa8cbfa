//! Programs for the EE: what of an ELF goes where.

/// Bytes of the ELF header.
pub const HEADER_BYTES: usize = 52;
/// Bytes of a program header.
pub const SEGMENT_BYTES: usize = 32;
/// Segments that are looked at.
///
/// Source: IOP kernel, LOADFILE
pub const SEGMENTS: usize = 32;
const MAGIC: &[u8] = b"\x7fELF\x01\x01";
const TYPE_EXECUTABLE: u16 = 2;
const MACHINE_MIPS: u16 = 8;
const SEGMENT_LOAD: u32 = 1;
const SEGMENT_REGISTERS: u32 = 0x7000_0000;
/// Place of the global pointer in the register record.
pub const GP_OFFSET: u32 = 20;
/// The EE's physical addresses.
const PHYSICAL: u32 = 0x1FFF_FFFF;
/// Where programs may lie: above the kernel's own memory, inside the 32 MiB.
///
/// Source: EE facts, ELF expectations
const LOWEST: u32 = 0x0008_0000;
const HIGHEST: u32 = 0x0200_0000;

/// True when the lines that DMA writes for `bytes` at the EE's `address`, through whichever window, are all memory of programs.
#[must_use]
pub fn is_programs(address: u32, bytes: u32) -> bool {
    const LINE: u64 = 16;
    let start = address & PHYSICAL;
    let end = u64::from(start) / LINE * LINE + u64::from(bytes).next_multiple_of(LINE);
    start >= LOWEST && end <= u64::from(HIGHEST)
}

/// Why a file is no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// Not an executable ELF for the EE.
    NotExecutable,
    /// More segments than are looked at, or none to load.
    Segments,
    /// A segment outside of the program's memory.
    Address,
}

/// The parts of the ELF header that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// First instruction.
    pub entry: u32,
    /// Place of the program headers in the file.
    pub segments_offset: u32,
    /// How many there are.
    pub segments: usize,
}

/// What a program header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Bytes of the file to be put into memory.
    Load {
        /// Place in the file.
        offset: u32,
        /// Physical address.
        address: u32,
        /// Bytes.
        bytes: u32,
    },
    /// The register record begins here in the file.
    Registers {
        /// Place in the file.
        offset: u32,
    },
    /// Nothing to do.
    Other,
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
/// Not an executable ELF for the EE; too many segments.
pub fn header_of(bytes: &[u8]) -> Result<Header, ProgramError> {
    let read = || {
        let fits = bytes.starts_with(MAGIC)
            && half(bytes, 16)? == TYPE_EXECUTABLE
            && half(bytes, 18)? == MACHINE_MIPS
            && usize::from(half(bytes, 42)?) == SEGMENT_BYTES;
        fits.then_some(Header {
            entry: word(bytes, 24)?,
            segments_offset: word(bytes, 28)?,
            segments: usize::from(half(bytes, 44)?),
        })
    };
    let header = read().ok_or(ProgramError::NotExecutable)?;
    if header.segments == 0 || header.segments > SEGMENTS { Err(ProgramError::Segments) } else { Ok(header) }
}

/// Reads one program header.
///
/// # Errors
/// A segment to load that lies outside of the program's memory, or of the file's addresses.
pub fn segment_of(bytes: &[u8; SEGMENT_BYTES]) -> Result<Segment, ProgramError> {
    let field = |index: usize| word(bytes, index * 4).unwrap_or(0);
    let (kind, offset, address, bytes) = (field(0), field(1), field(2) & PHYSICAL, field(4));
    if kind == SEGMENT_REGISTERS {
        return Ok(Segment::Registers { offset });
    }
    if kind != SEGMENT_LOAD || bytes == 0 {
        return Ok(Segment::Other);
    }
    let end = address.checked_add(bytes).ok_or(ProgramError::Address)?;
    if address < LOWEST || end > HIGHEST || offset.checked_add(bytes).is_none() {
        return Err(ProgramError::Address);
    }
    Ok(Segment::Load { offset, address, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..6].copy_from_slice(MAGIC);
        bytes[16] = 2;
        bytes[18] = 8;
        bytes[24..28].copy_from_slice(&0x0010_0008_u32.to_le_bytes());
        bytes[28] = 52;
        bytes[42] = 32;
        bytes[44] = 2;
        bytes
    }

    fn segment(words: [u32; 5]) -> [u8; SEGMENT_BYTES] {
        let mut bytes = [0; SEGMENT_BYTES];
        for (slot, word) in bytes.chunks_exact_mut(4).zip(words) {
            slot.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn an_executable_for_the_ee_is_taken() {
        let expected = Header { entry: 0x0010_0008, segments_offset: 52, segments: 2 };
        assert_eq!(header_of(&header()), Ok(expected));
    }

    #[test]
    fn other_files_are_refused() {
        assert_eq!(header_of(&[]), Err(ProgramError::NotExecutable));
        assert_eq!(header_of(&header()[..40]), Err(ProgramError::NotExecutable));
        for (at, value) in [(0, 0), (4, 2), (16, 1), (18, 3), (42, 56)] {
            let mut bytes = header();
            bytes[at] = value;
            assert_eq!(header_of(&bytes), Err(ProgramError::NotExecutable));
        }
        for count in [0, 33] {
            let mut bytes = header();
            bytes[44] = count;
            assert_eq!(header_of(&bytes), Err(ProgramError::Segments));
        }
    }

    #[test]
    fn a_segment_goes_to_its_physical_address() {
        let load = Segment::Load { offset: 0x80, address: 0x0010_0000, bytes: 0x40 };
        assert_eq!(segment_of(&segment([1, 0x80, 0x2010_0000, 0, 0x40])), Ok(load));
        assert_eq!(segment_of(&segment([1, 0x80, 0x0010_0000, 0, 0])), Ok(Segment::Other));
        assert_eq!(segment_of(&segment([0x7000_0000, 0x60, 0, 0, 24])), Ok(Segment::Registers { offset: 0x60 }));
    }

    #[test]
    fn nothing_is_sent_over_the_kernel_or_outside_of_memory() {
        for (address, bytes) in [(0x0008_0000, 16), (0x2010_0001, 1), (0x81FF_FFF0, 16), (0x0010_0000, 0x01F0_0000)] {
            assert!(is_programs(address, bytes), "{address:x} {bytes:x}");
        }
        let vectors = [(0, 48), (0x8000_0000, 48), (0x2000_0180, 4), (0x0007_FFF0, 0x20)];
        let outside =
            [(0x7000_0000, 16), (0x1000_0000, 4), (0x01FF_FFF0, 17), (0x0010_0000, u32::MAX), (0x1FFF_FFF0, 64)];
        for (address, bytes) in vectors.into_iter().chain(outside) {
            assert!(!is_programs(address, bytes), "{address:x} {bytes:x}");
        }
    }

    #[test]
    fn a_segment_over_the_kernel_or_outside_of_memory_is_refused() {
        for words in [
            [1, 0, 0x0007_FFF0, 0, 0x20],
            [1, 0, 0x01FF_FFF0, 0, 0x20],
            [1, 0, 0x0010_0000, 0, u32::MAX],
            [1, u32::MAX, 0x0010_0000, 0, 0x20],
        ] {
            assert_eq!(segment_of(&segment(words)), Err(ProgramError::Address));
        }
    }
}
