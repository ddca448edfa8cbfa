//! The IOP's memory: who has which block.

use super::console::log;
use super::critical::Shared;
use super::start::{BOOT_STACK, BOOT_STACK_BYTES, INTERRUPT_STACK, INTERRUPT_STACK_BYTES};
use bootrom_iop::memory::{self, Access, Memory};

/// Bytes of memory.
pub const MEMORY_BYTES: u32 = 0x20_0000;
/// The low-memory words, below the image.
const LOW_BYTES: u32 = 0x1000;

/// All blocks.
pub static MEMORY: Shared<Memory> = Shared::new(Memory::new(MEMORY_BYTES, LOW_BYTES));

/// The end of the kernel's image, which begins with the vectors.
fn image_end() -> u32 {
    unsafe extern "C" {
        static _image_end: u8;
    }
    core::ptr::addr_of!(_image_end) as u32
}

/// Takes the kernel's own image out of the free memory.
pub fn start() {
    MEMORY.with(|memory| memory.keep(image_end()));
}

/// True when `bytes` at `address`, through whichever window, begin in the vectors or the kernel's image and not in one of the
/// stacks of that image, on which code of modules runs as well.
pub fn is_kernels(address: u32, bytes: u32) -> bool {
    let stacks = [
        (core::ptr::addr_of!(BOOT_STACK) as u32, BOOT_STACK_BYTES as u32),
        (core::ptr::addr_of!(INTERRUPT_STACK) as u32, INTERRUPT_STACK_BYTES as u32),
    ];
    memory::is_kernels(memory::place_of(address, MEMORY_BYTES), bytes, image_end(), &stacks)
}

/// True when `bytes` at `address`, through whichever window, are memory, beyond the low words.
pub fn is_memory(address: u32, bytes: u32) -> bool {
    let place = memory::place_of(address, MEMORY_BYTES);
    place >= LOW_BYTES && place.saturating_add(bytes) <= MEMORY_BYTES
}

/// Whether a caller's `bytes` at `address` may be read for it. No caller has anything at 0.
///
/// Our choice: the console's kernel reads anywhere. Here what is no memory, or is not all of it, is told on the console and the call
/// refused.
pub fn may_read(address: u32, bytes: u32) -> bool {
    let may = address != 0 && memory::is_reachable(address, bytes, MEMORY_BYTES, Access::Read);
    if !may {
        log!("IOP: refused: to read {bytes} bytes at {address:08x}");
    }
    may
}

/// Whether a caller's `bytes` at `address` may be written for it.
///
/// Our choice: the console's kernel writes anywhere. Here the vectors, the kernel's own memory and what is no memory are not
/// written, which is told on the console.
pub fn may_write(address: u32, bytes: u32) -> bool {
    let may = memory::is_reachable(address, bytes, MEMORY_BYTES, Access::Write) && !is_kernels(address, bytes);
    if !may {
        log!("IOP: refused: to write {bytes} bytes at {address:08x}");
    }
    may
}

/// Whether a caller's record at `record` may be read and written for it: there is one, at a multiple of four, and it is its memory.
pub fn may_use<T>(record: *const T) -> bool {
    (record as usize).is_multiple_of(4) && may_write(record as u32, size_of::<T>() as u32)
}

/// The same for one that is read alone.
pub fn may_look<T>(record: *const T) -> bool {
    (record as usize).is_multiple_of(4) && may_read(record as u32, size_of::<T>() as u32)
}
