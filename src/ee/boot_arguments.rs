//! Arguments that come with the program itself.
//!
//! A console starts a disc's program without arguments. Whoever builds a disc that is to do something of its own, as the
//! tests do, fills [`BOOT_ARGUMENTS`] in the finished program; the disc that people get has it empty.

use core::cell::UnsafeCell;

/// What the block begins with; the builder of a disc looks for it.
const MAGIC: &[u8; 7] = b"BWARGS:";
/// Bytes of the whole block: the magic, the text, and at least one zero.
const SIZE: usize = 256;

/// A block that is filled after the program was linked, so the compiler must not know what is in it.
#[repr(C)]
pub struct Block(UnsafeCell<[u8; SIZE]>);

// SAFETY: nothing writes the block while the program runs.
unsafe impl Sync for Block {}

/// The magic and then the arguments, separated by blanks and ended by a zero byte.
#[unsafe(no_mangle)]
pub static BOOT_ARGUMENTS: Block = Block(UnsafeCell::new({
    let mut block = [0; SIZE];
    let mut at = 0;
    while at < MAGIC.len() {
        block[at] = MAGIC[at];
        at += 1;
    }
    block
}));

/// The arguments in order.
pub fn words() -> impl Iterator<Item = &'static str> {
    // SAFETY: nothing writes the block while the program runs. The read is volatile in effect: the cell's content is
    // unknown to the compiler.
    let block: &'static [u8; SIZE] = unsafe { &*BOOT_ARGUMENTS.0.get() };
    let text = block.get(MAGIC.len()..).unwrap_or_default();
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    core::str::from_utf8(text).unwrap_or_default().split_ascii_whitespace()
}
