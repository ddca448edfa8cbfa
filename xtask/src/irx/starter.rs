//! A disc whose program starts a module on the IOP.

use super::{ModuleInfo, convert, read};
use crate::bootargs;
use crate::build::{Built, Program};
use crate::iso::{self, DiscFile};
use anyhow::{Context as _, Result, ensure};
use std::path::Path;

/// The module's place on the disc.
const MODULE_PATH: &str = "MODULE.IRX";

/// Checks a module file of somebody's.
///
/// # Errors
/// A file that cannot be read or that no IOP would load.
pub fn module_file(path: &Path) -> Result<Vec<u8>> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    read(&bytes).with_context(|| format!("{}: no module for the IOP", path.display()))?;
    Ok(bytes)
}

/// The module file of a built program.
///
/// # Errors
/// A program that the loader could not load as it was meant.
pub fn module_of(built: &Built, name: &str, version: u16) -> Result<Vec<u8>> {
    let elf = std::fs::read(&built.elf).with_context(|| format!("cannot read {}", built.elf.display()))?;
    convert(&elf, &ModuleInfo { name: name.into(), version })
        .with_context(|| format!("{} cannot be made an IRX", built.program.package()))
}

/// The files of a disc whose program, the built `client`, starts `module` and is told `arguments` besides; `others` lie
/// beside them.
///
/// # Errors
/// Another program than the client, or arguments that do not fit it.
pub fn files(client: &Built, module: Vec<u8>, arguments: &str, others: Vec<DiscFile>) -> Result<Vec<DiscFile>> {
    ensure!(client.program == Program::IopClient, "{} starts no modules", client.program.package());
    let mut program = std::fs::read(&client.elf).with_context(|| format!("cannot read {}", client.elf.display()))?;
    bootargs::write(&client.elf, &mut program, format!("module=cdrom0:\\{MODULE_PATH};1 {arguments}").trim_end())?;
    let configuration = format!("{}\r\nVER = 1.00\r\nVMODE = NTSC\r\n", iso::boot_line(iso::BOOT_NAME));
    let mut files = vec![
        DiscFile { path: "SYSTEM.CNF".into(), bytes: configuration.into_bytes() },
        DiscFile { path: iso::BOOT_NAME.into(), bytes: program },
        DiscFile { path: MODULE_PATH.into(), bytes: module },
    ];
    files.extend(others);
    Ok(files)
}
