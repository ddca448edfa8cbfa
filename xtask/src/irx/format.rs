//! Numbers of the IRX file format, an ELF file with types of its own. Source: IOP facts 1.

/// `e_type` of a relocatable IOP program.
pub const TYPE: u16 = 0xFF80;
/// Type of the first program header and of the section that hold the module's record.
pub const RECORD_TYPE: u32 = 0x7000_0080;
/// The loader takes files with exactly this many program headers.
pub const PROGRAM_HEADERS: u16 = 2;
/// Bytes of the ELF header.
pub const HEADER_BYTES: usize = 52;
/// Bytes of a program header.
pub const PROGRAM_HEADER_BYTES: usize = 32;
/// Bytes of a section header.
pub const SECTION_HEADER_BYTES: usize = 40;
/// Bytes of the module's record up to its name.
pub const RECORD_BYTES: usize = 26;
/// Bytes of a relocation.
pub const RELOCATION_BYTES: usize = 8;
/// "No id in the image" in the module's record.
pub const NO_ID: u32 = u32::MAX;
/// The most that code, data and zeroed data may take: the IOP's memory.
pub const MEMORY_BYTES: u32 = 0x20_0000;
/// The largest alignment that holds at run time.
pub const ALIGNMENT: u32 = 16;
/// The global pointer's usual place behind the end of the data.
pub const GP_OFFSET: u32 = 0x7FF0;
