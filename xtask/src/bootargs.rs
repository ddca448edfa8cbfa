//! Arguments for a program that nothing passes any: a block in its data that is filled in before it goes on a disc.
//!
//! A console starts a disc's program without arguments. A test that wants the game to do something of its own writes
//! them into the program's `BOOT_ARGUMENTS`, so that the very same image would do the same on a console.

use anyhow::{Context as _, Result, ensure};
use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};
use std::path::Path;

/// The symbol of the block.
const SYMBOL: &str = "BOOT_ARGUMENTS";
/// The block's first bytes; the arguments follow, separated by blanks and ended by a zero byte.
const MAGIC: &[u8] = b"BWARGS:";

/// Writes `arguments` into the stripped `program`, whose symbols are in `symbols`.
///
/// # Errors
/// A program without the block, or arguments that do not fit it.
pub fn write(symbols: &Path, program: &mut [u8], arguments: &str) -> Result<()> {
    let with_symbols = std::fs::read(symbols).with_context(|| format!("cannot read {}", symbols.display()))?;
    let file = object::File::parse(&*with_symbols)?;
    let symbol = file.symbols().find(|symbol| symbol.name() == Ok(SYMBOL));
    let symbol = symbol.with_context(|| format!("{} has no symbol {SYMBOL}", symbols.display()))?;
    let at = offset_of(program, symbol.address()).with_context(|| format!("{SYMBOL} is not in the program's data"))?;
    fill(program.get_mut(at..at + symbol.size() as usize).context("the block reaches past the file")?, arguments)
}

fn offset_of(program: &[u8], address: u64) -> Option<usize> {
    let file = object::File::parse(program).ok()?;
    file.segments().find_map(|segment| {
        let (offset, size) = segment.file_range();
        let inside = address.checked_sub(segment.address()).filter(|&inside| inside < size)?;
        usize::try_from(offset + inside).ok()
    })
}

fn fill(block: &mut [u8], arguments: &str) -> Result<()> {
    ensure!(block.starts_with(MAGIC), "{SYMBOL} does not begin with its magic");
    let room = block.len() - MAGIC.len() - 1;
    ensure!(arguments.len() <= room, "the arguments take {} bytes; {room} fit", arguments.len());
    let (text, rest) = block[MAGIC.len()..].split_at_mut(arguments.len());
    text.copy_from_slice(arguments.as_bytes());
    rest.fill(0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_written_behind_the_magic_and_ended() {
        let mut block = *b"BWARGS:leftover-";
        fill(&mut block, "frames=5").unwrap();
        assert_eq!(&block, b"BWARGS:frames=5\0");
    }

    #[test]
    fn what_does_not_fit_or_is_no_block_is_refused() {
        assert!(fill(&mut b"BWARGS:1234\0".to_vec(), "12345").is_err());
        assert!(fill(&mut [0; 64], "x").is_err());
    }
}
