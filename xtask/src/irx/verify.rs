//! Proves a written module against the program it was made from.
//!
//! What each word must be at a load address follows from the linker's own pairing and the program's bytes alone; the
//! module's bytes come from its file through the loader's algorithm. They must agree at every address tried, and all
//! other bytes must be the program's.

use super::Irx;
use super::linked::Linked;
use super::pairing::partner;
use super::relocate::{HALF, JUMP_TARGET, Kind, joined, upper_half, word};
use anyhow::{Context as _, Result, ensure};

/// Load addresses to try: none, the first possible, both sides of a carry into the upper half, and far up.
const BASES: [u32; 7] = [0, 0x30, 0x7FF0, 0x8000, 0xFFF0, 0x0001_2330, 0x001E_0030];

/// Compares a module with its program.
///
/// # Errors
/// The first word that differs.
pub fn verify(program: &Linked, module: &Irx) -> Result<()> {
    for base in BASES {
        let mut expected = expected(program, base)?;
        expected.resize(expected.len() + program.bss_size as usize, 0);
        let found = module.relocated(base);
        ensure!(found.len() == expected.len(), "the module takes {} bytes, not {}", found.len(), expected.len());
        if let Some(at) = found.iter().zip(&expected).position(|(found, expected)| found != expected) {
            let at = at as u32 & !3;
            let show = |image: &[u8]| word(image, at).map(|word| format!("{word:08x}")).unwrap_or_default();
            let (found, expected) = (show(&found), show(&expected));
            anyhow::bail!("loaded at {base:#x}, the word at {at:#x} becomes {found} instead of {expected}");
        }
    }
    Ok(())
}

/// The program's bytes at a load address.
fn expected(program: &Linked, base: u32) -> Result<Vec<u8>> {
    let mut memory = program.image.clone();
    let old = |offset: u32| word(&program.image, offset).context("a relocation lies outside the image");
    for (index, relocation) in program.relocations.iter().enumerate() {
        let before = old(relocation.offset)?;
        let after = match relocation.kind {
            Kind::Nothing => continue,
            Kind::Word => before.wrapping_add(base),
            Kind::Jump => {
                let target = ((before & JUMP_TARGET) << 2).wrapping_add(base);
                before & !JUMP_TARGET | target >> 2 & JUMP_TARGET
            }
            Kind::High => {
                let low = old(program.relocations[partner(&program.relocations, index)?].offset)?;
                before & !HALF | upper_half(joined(before, low).wrapping_add(base))
            }
            Kind::Low => before & !HALF | (before & HALF).wrapping_add(base) & HALF,
        };
        memory[relocation.offset as usize..][..4].copy_from_slice(&after.to_le_bytes());
    }
    Ok(memory)
}
