//! `sysmem` 1.1: memory in blocks of 256 bytes, and the kernel's own printing.

use super::stdio::{Forward, print_forwarded};
use super::{Exports, exports};
use crate::machine::console::Console;
use crate::machine::critical::Shared;
use crate::machine::memory::MEMORY;
use bootrom_iop::memory::Place;
use core::arch::global_asm;

/// Library functions by number. Other software knows the table's place, 0x830.
#[unsafe(link_section = ".low.memory_table")]
pub static TABLE: Exports<16> = exports(
    b"sysmem",
    0x0101,
    [
        // Covers: iop, sysmem 3 GetSysmemInternalData test=the list of blocks adds up to all of the memory
        (3, internal_data as *const ()),
        // Covers: iop, sysmem 4 AllocSysMemory test=the lowest memory lies below the highest
        (4, allocate as *const ()),
        // Covers: iop, sysmem 5 FreeSysMemory test=a block is given back once
        (5, free as *const ()),
        // Covers: iop, sysmem 6 QueryMemSize test=all of the memory is told
        (6, total as *const ()),
        // Covers: iop, sysmem 7 QueryMaxFreeMemSize test=memory::tests::freed_neighbours_become_one_block_again
        (7, largest_free as *const ()),
        // Covers: iop, sysmem 8 QueryTotalFreeMemSize test=two blocks are taken
        (8, total_free as *const ()),
        // Covers: iop, sysmem 9 QueryBlockTopAddress test=a block tells its start
        (9, block_start as *const ()),
        // Covers: iop, sysmem 10 QueryBlockSize test=memory comes in units of 256 bytes
        (10, block_size as *const ()),
        // Covers: iop, sysmem 14 Kprintf test=the kernel prints by its format
        (14, kernel_print as *const ()),
        // Covers: iop, sysmem 15 KprintfSet test=which gets format, values and its word
        (15, set_print as *const ()),
    ],
);

/// Elements of a table of the list.
const ELEMENTS: usize = 31;
/// Tables that are told.
///
/// Our choice: more blocks than any program has; what is beyond them is not told.
const TABLES: usize = 8;

/// Part of the list of blocks, as other software walks it: each element names the next one and tells of a block.
///
/// Source: public headers of the system's later versions
#[repr(C)]
#[derive(Clone, Copy)]
struct Table {
    next: u32,
    elements: [[u32; 2]; ELEMENTS],
    unused: u32,
}

/// What is told of the memory: its bytes, the first table, two words of the system's own, the blocks.
#[repr(C)]
struct Told {
    bytes: u32,
    first: u32,
    unused: u32,
    count: u32,
    cursor: u32,
    tables: [Table; TABLES],
}

static TOLD: Shared<Told> = Shared::new(Told {
    bytes: 0,
    first: 0,
    unused: 0,
    count: 0,
    cursor: 0,
    tables: [Table { next: 0, elements: [[0; 2]; ELEMENTS], unused: 0 }; TABLES],
});

/// The list of blocks as it is now.
///
/// Our choice: a copy; this kernel keeps its blocks elsewhere.
extern "C" fn internal_data() -> u32 {
    TOLD.with(|told| {
        MEMORY.with(|memory| {
            told.bytes = memory.total();
            told.count = 0;
            while let Some(element) =
                memory.element(told.count as usize).filter(|_| (told.count as usize) < TABLES * ELEMENTS)
            {
                told.tables[told.count as usize / ELEMENTS].elements[told.count as usize % ELEMENTS] = [0, element];
                told.count += 1;
            }
        });
        let place =
            |told: &Told, index: usize| &raw const told.tables[index / ELEMENTS].elements[index % ELEMENTS] as u32;
        for index in 1..told.count as usize {
            let next = place(told, index);
            told.tables[(index - 1) / ELEMENTS].elements[(index - 1) % ELEMENTS][0] = next;
        }
        for index in 1..TABLES {
            let used = index * ELEMENTS < told.count as usize;
            told.tables[index - 1].next = if used { &raw const told.tables[index] as u32 } else { 0 };
        }
        told.first = &raw const told.tables as u32;
        told.cursor = told.first;
        told as *const Told as u32
    })
}

/// Allocation modes.
const MODE_LOWEST: i32 = 0;
const MODE_HIGHEST: i32 = 1;
const MODE_ADDRESS: i32 = 2;

/// Memory for a caller, 0 when there is none.
pub extern "C" fn allocate(mode: i32, bytes: u32, address: u32) -> u32 {
    let place = match mode {
        MODE_LOWEST => Place::Lowest,
        MODE_HIGHEST => Place::Highest,
        MODE_ADDRESS => Place::At(address),
        _ => return 0,
    };
    MEMORY.with(|memory| memory.allocate(place, bytes)).unwrap_or(0)
}

/// Gives a caller's memory back; 0, or -1 when it is none.
pub extern "C" fn free(address: u32) -> i32 {
    if MEMORY.with(|memory| memory.free(address)) { 0 } else { -1 }
}

extern "C" fn total() -> u32 {
    MEMORY.with(|memory| memory.total())
}

extern "C" fn largest_free() -> u32 {
    MEMORY.with(|memory| memory.largest_free())
}

extern "C" fn total_free() -> u32 {
    MEMORY.with(|memory| memory.total_free())
}

extern "C" fn block_start(address: u32) -> u32 {
    MEMORY.with(|memory| memory.block_start(address)).unwrap_or(u32::MAX)
}

extern "C" fn block_size(address: u32) -> u32 {
    MEMORY.with(|memory| memory.block_size(address)).unwrap_or(u32::MAX)
}

global_asm!(
    ".set noreorder",
    ".globl kernel_print",
    "kernel_print:",
    "    sw    $5, 4($29)",
    "    sw    $6, 8($29)",
    "    sw    $7, 12($29)",
    "    addiu $5, $29, 4",
    "    j     kernel_print_list",
    "    nop",
    ".set reorder",
);

unsafe extern "C" {
    /// Prints to the debug console; its values follow the format.
    fn kernel_print(format: *const u8);
}

/// A function that prints in the console's place: its own word, format and values.
type Printer = extern "C" fn(u32, *const u8, Forward) -> i32;

static PRINTER: Shared<Option<(Printer, u32)>> = Shared::new(None);

extern "C" fn set_print(printer: Option<Printer>, context: u32) {
    PRINTER.with(|set| *set = printer.map(|printer| (printer, context)));
}

#[unsafe(no_mangle)]
extern "C" fn kernel_print_list(format: *const u8, values: Forward) -> i32 {
    if let Some((printer, context)) = PRINTER.with(|set| *set) {
        return printer(context, format, values);
    }
    print_forwarded(format, values, |byte| Console.write_bytes(&[byte]))
}
