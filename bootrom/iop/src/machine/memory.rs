//! The IOP's memory: who has which block.

use super::critical::Shared;
use bootrom_iop::memory::{Memory, Place};

/// Bytes of memory.
pub const MEMORY_BYTES: u32 = 0x20_0000;
/// The low-memory words, below the image.
const LOW_BYTES: u32 = 0x1000;

/// All blocks.
pub static MEMORY: Shared<Memory> = Shared::new(Memory::new(MEMORY_BYTES, LOW_BYTES));

/// Takes the kernel's own image out of the free memory.
pub fn start() {
    unsafe extern "C" {
        static _image_end: u8;
    }
    let end = core::ptr::addr_of!(_image_end) as u32;
    MEMORY.with(|memory| memory.allocate(Place::At(LOW_BYTES), end - LOW_BYTES));
}
