//! IOP modules: a linked ELF program to an IRX file, and back.
//!
//! The module is linked at address 0 with its relocations kept (`--emit-relocs`). [`linked`] reads that program and
//! [`pairing`] puts its relocations into the order that the IOP's loader needs; [`mod@write`] lays the file out and
//! [`read()`] takes it apart again, checking everything the loader relies on. [`relocate`] does to an image what the
//! loader does, and [`verify`] uses it to prove each conversion at several load addresses before [`convert`] hands it
//! out. [`starter`] makes the disc that starts a module, [`ioprp`] an image of modules. [`tables`] finds the import and export tables in the code. Source: IOP facts 1 and 2.
//!
//! # What a module must look like
//! - Output sections in the order code, constants, data, zeroed data, from address 0 on, none aligned to more than 16
//!   bytes: the loader puts the image 0x30 bytes into its own block, so that no larger alignment would hold.
//! - Import tables lie in the code, because the loader looks for them nowhere else.
//! - A static with the symbol name `_irx_id` of the form `{ name: *const u8, version: u16 }` names the module on the
//!   console. It is optional; with it, name and version must be those of the [`ModuleInfo`].
//! - Linker script symbols whose address is taken are defined inside an output section, so that they move with it.

mod format;
pub mod ioprp;
pub mod linked;
mod pairing;
pub mod read;
pub mod relocate;
pub mod starter;
pub mod tables;
pub mod verify;
mod write;

pub use read::read;
pub use relocate::{Kind, Relocation};

use anyhow::{Context as _, Result, ensure};
use tables::{Export, Import};

/// What a module is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleInfo {
    /// Name in the console's module list; ASCII, without a zero byte.
    pub name: String,
    /// Major version in the high byte, minor in the low one.
    pub version: u16,
}

/// A module as the loader sees it. Addresses count from the begin of the image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Irx {
    /// Name and version from the file's own record.
    pub info: ModuleInfo,
    /// Where the image holds name pointer and version, when it does.
    pub id: Option<u32>,
    /// First instruction.
    pub entry: u32,
    /// Global pointer.
    pub gp: u32,
    /// Bytes of code; the loader looks for import tables in them.
    pub text_size: u32,
    /// Bytes of constants and data behind the code.
    pub data_size: u32,
    /// Zeroed bytes behind the data.
    pub bss_size: u32,
    /// Code and data.
    pub image: Vec<u8>,
    /// Relocations in the loader's order.
    pub relocations: Vec<Relocation>,
    /// Libraries the module calls.
    pub imports: Vec<Import>,
    /// Libraries the module offers.
    pub exports: Vec<Export>,
}

impl Irx {
    /// Code, data and zeroed data as the loader leaves them at a load address, imports not yet linked.
    pub fn relocated(&self, base: u32) -> Vec<u8> {
        let mut memory = self.image.clone();
        relocate::apply(&mut memory, &self.relocations, base);
        memory.resize(memory.len() + self.bss_size as usize, 0);
        memory
    }
}

/// Converts a program that was linked at 0 with its relocations into an IRX file, and proves the file before it
/// returns it.
///
/// # Errors
/// A program that the loader could not load as it was meant; the message names the place and what to change.
pub fn convert(elf: &[u8], info: &ModuleInfo) -> Result<Vec<u8>> {
    ensure!(
        info.name.bytes().all(|byte| byte.is_ascii_graphic()) && !info.name.is_empty(),
        "a module's name is made of visible ASCII letters, not {:?}",
        info.name
    );
    let program = linked::read(elf)?;
    program.check_id(info)?;
    let bytes = write::write(&program, info, &pairing::in_loader_order(&program.relocations)?);
    let module = read(&bytes).context("the written module cannot be read back")?;
    verify::verify(&program, &module)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
