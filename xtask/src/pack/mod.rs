//! A packed program: one part of memory with start code and the packed program behind it, for loaders that read slowly.
//!
//! [`program`] packs an ELF file by [`lz`] and puts it behind the start code, which is a program of its own. What it makes is an
//! ELF file as well, so that every loader takes it.

mod lz;

use anyhow::{Context as _, Result, ensure};
use boardwalk_unpack::{HEADER_BYTES, MAGIC, PART_BYTES};
use object::elf::{EM_MIPS, FileHeader32};
use object::read::elf::FileHeader as _;
use object::{LittleEndian, Object as _, ObjectSegment as _, ObjectSymbol as _};
use std::ops::Range;

/// The start code's symbol where the load belongs.
const LOAD: &str = "unpack_load";
/// What a loader may fill: above the kernel and network loaders, below the stacks at the end of memory.
const MEMORY: Range<u32> = 0x0010_0000..0x01F0_0000;
/// Where the file's only segment begins, as aligned as memory's lines.
const SEGMENT_AT: u32 = 0x80;
const HEADER: u16 = 52;
const PROGRAM_HEADER: u16 = 32;

/// A part of a program as it is in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    address: u32,
    memory: u32,
    bytes: Vec<u8>,
}

impl Part {
    fn range(&self) -> Range<u32> {
        self.address..self.address + self.memory
    }
}

/// An ELF file's parts in memory, its entry and the flags of its header.
struct Program {
    parts: Vec<Part>,
    entry: u32,
    flags: u32,
}

impl Program {
    fn read(elf: &[u8]) -> Result<Self> {
        let file = object::read::elf::ElfFile32::<LittleEndian>::parse(elf).context("no ELF file of 32 bits")?;
        let header: &FileHeader32<LittleEndian> = file.elf_header();
        ensure!(header.e_machine(LittleEndian) == EM_MIPS, "no program for MIPS");
        let mut parts = Vec::new();
        for segment in file.segments().filter(|segment| segment.size() > 0) {
            let (address, memory) = (u32::try_from(segment.address())?, u32::try_from(segment.size())?);
            parts.push(Part { address, memory, bytes: segment.data()?.to_vec() });
        }
        let flags = header.e_flags.get(LittleEndian).0;
        Ok(Self { parts, entry: u32::try_from(file.entry())?, flags })
    }
}

/// Packs the program `elf` behind the start code `stub`, both ELF files; the latter with its symbols.
///
/// # Errors
/// Files that are no such programs, or parts that would lie on each other in memory.
pub fn program(stub: &[u8], elf: &[u8]) -> Result<Vec<u8>> {
    let (start, program) = (Program::read(stub).context("the start code")?, Program::read(elf)?);
    let base = start.parts.iter().map(|part| part.address).min().context("the start code is empty")?;
    let load_at = symbol(stub, LOAD)?;
    let mut image = vec![0; usize::try_from(load_at.checked_sub(base).context("the load lies before the code")?)?];
    for part in &start.parts {
        let at = (part.address - base) as usize;
        let place = image.get_mut(at..at + part.bytes.len()).context("the start code reaches into the load")?;
        place.copy_from_slice(&part.bytes);
    }
    image.extend(load(&program)?);
    let whole = base..base + u32::try_from(image.len())?;
    let ranges = program.parts.iter().map(Part::range);
    let mut ranges: Vec<Range<u32>> = ranges.chain([whole]).collect();
    ranges.sort_by_key(|range| range.start);
    for pair in ranges.windows(2) {
        ensure!(pair[0].end <= pair[1].start, "{:x?} and {:x?} lie on each other", pair[0], pair[1]);
    }
    for range in &ranges {
        ensure!(MEMORY.start <= range.start && range.end <= MEMORY.end, "{range:x?} is not a program's memory");
    }
    Ok(file(start.entry, program.flags, base, &image))
}

fn symbol(elf: &[u8], name: &str) -> Result<u32> {
    let file = object::File::parse(elf)?;
    let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name));
    Ok(u32::try_from(symbol.with_context(|| format!("the start code has no {name}"))?.address())?)
}

fn words(words: &[u32]) -> impl Iterator<Item = u8> + '_ {
    words.iter().flat_map(|word| word.to_le_bytes())
}

/// Header, records, packed parts.
fn load(program: &Program) -> Result<Vec<u8>> {
    let packed: Vec<Vec<u8>> = program.parts.iter().map(|part| lz::pack(&part.bytes)).collect();
    let bytes = HEADER_BYTES + packed.iter().map(|packed| PART_BYTES + packed.len()).sum::<usize>();
    let header = [u32::from_le_bytes(MAGIC), u32::try_from(bytes)?, program.entry, u32::try_from(packed.len())?];
    let mut load: Vec<u8> = words(&header).collect();
    for (part, packed) in program.parts.iter().zip(&packed) {
        let own = u32::try_from(part.bytes.len())?;
        load.extend(words(&[part.address, part.memory, own, u32::try_from(packed.len())?]));
    }
    load.extend(packed.into_iter().flatten());
    Ok(load)
}

/// An ELF file of one segment.
///
/// Source: the published ELF format.
fn file(entry: u32, flags: u32, base: u32, image: &[u8]) -> Vec<u8> {
    const IDENTITY: [u8; 16] = [0x7F, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const EXECUTABLE: u16 = 2;
    const LOADED: u32 = 1;
    const ALL_RIGHTS: u32 = 7;
    let size = image.len() as u32;
    let mut file = IDENTITY.to_vec();
    file.extend([EXECUTABLE, EM_MIPS.0].iter().flat_map(|half| half.to_le_bytes()));
    file.extend(words(&[1, entry, HEADER.into(), 0, flags]));
    file.extend([HEADER, PROGRAM_HEADER, 1, 0, 0, 0].iter().flat_map(|half| half.to_le_bytes()));
    file.extend(words(&[LOADED, SEGMENT_AT, base, base, size, size, ALL_RIGHTS, SEGMENT_AT]));
    file.resize(SEGMENT_AT as usize, 0);
    file.extend(image);
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwalk_unpack::{Load, lz as unpacked};

    const BASE: u32 = 0x01D0_0000;

    /// Start code with the symbol, as a linker would make it.
    fn stub() -> Vec<u8> {
        use object::write::{Object, Symbol, SymbolSection};
        use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};
        let mut object = Object::new(BinaryFormat::Elf, Architecture::Mips, Endianness::Little);
        object.add_symbol(Symbol {
            name: LOAD.into(),
            value: u64::from(BASE + 64),
            size: 0,
            kind: SymbolKind::Data,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Absolute,
            flags: SymbolFlags::None,
        });
        let mut bytes = object.write().unwrap();
        // A segment of 48 bytes behind everything else.
        let at = bytes.len() as u32;
        let segment: Vec<u8> = words(&[1, at + 32, BASE, BASE, 48, 64, 7, 16]).collect();
        bytes.extend(segment);
        bytes.extend((0..48).map(|byte| byte ^ 0x5A));
        bytes[24..28].copy_from_slice(&BASE.to_le_bytes());
        bytes[28..32].copy_from_slice(&at.to_le_bytes());
        bytes[42..44].copy_from_slice(&PROGRAM_HEADER.to_le_bytes());
        bytes[44..46].copy_from_slice(&1_u16.to_le_bytes());
        bytes
    }

    fn game(address: u32) -> Vec<u8> {
        let image: Vec<u8> = (0..5_000_u32).map(|index| (index / 7) as u8).collect();
        file(address + 8, 0x2092_4001, address, &image)
    }

    #[test]
    fn a_packed_program_unpacks_to_the_program() {
        let game = game(0x10_0000);
        let packed = program(&stub(), &game).unwrap();
        assert!(packed.len() < game.len(), "{} bytes of {}", packed.len(), game.len());
        let whole = Program::read(&packed).unwrap();
        let original = Program::read(&game).unwrap();
        assert_eq!((whole.parts.len(), whole.entry, whole.flags), (1, BASE, original.flags));
        let image = &whole.parts[0].bytes;
        assert_eq!((image[0], image[47], image[48]), (0x5A, 47 ^ 0x5A, 0));
        let load = Load::read(&image[64..]).unwrap();
        assert_eq!(load.entry, 0x10_0008);
        let parts: Vec<Part> = load
            .parts()
            .map(|part| {
                let part = part.unwrap();
                let mut bytes = vec![0; part.bytes as usize];
                unpacked::unpack(part.packed, &mut bytes).unwrap();
                Part { address: part.address, memory: part.memory, bytes }
            })
            .collect();
        assert_eq!(parts, original.parts);
    }

    #[test]
    fn parts_that_lie_on_each_other_or_outside_of_memory_are_refused() {
        let error = |address| program(&stub(), &game(address)).unwrap_err().to_string();
        assert!(error(BASE - 100).contains("lie on each other"), "{}", error(BASE - 100));
        assert!(error(0x8_0000).contains("not a program's memory"), "{}", error(0x8_0000));
    }
}
