//! `loadcore` 1.1: libraries and caches.

use super::{Exports, exports};
use crate::machine::critical::Shared;
use crate::machine::modules::Record;
use bootrom_iop::errors::{Error, code_of};
use bootrom_iop::loadcore::{Libraries, Words};

/// Library functions by number.
pub static TABLE: Exports<25> = exports(
    b"loadcore",
    0x0101,
    [
        (3, internal_data as *const ()),
        (6, register_entries as *const ()),
        (7, release_entries as *const ()),
        (8, link_entries as *const ()),
        (9, unlink_entries as *const ()),
        (10, register_entries as *const ()),
        (11, query_table as *const ()),
        (12, query_boot_mode as *const ()),
    ],
);

/// The lists of libraries and modules, for software that walks them.
///
/// Source: IOP kernel, LOADCORE (GetLoadcoreInternalData)
#[repr(C)]
pub struct Lists {
    libraries: Libraries,
    /// The first module's record.
    pub modules: *mut Record,
    unused: [u32; 2],
    /// Modules there are.
    pub module_count: u32,
    /// The last module's number; none is given twice.
    pub module_index: u32,
}

/// The registered libraries and the loaded modules.
pub static LISTS: Shared<Lists> = Shared::new(Lists {
    libraries: Libraries::new(),
    modules: core::ptr::null_mut(),
    unused: [0; 2],
    module_count: 0,
    module_index: 0,
});

/// The machine's own memory.
pub struct Ram;

impl Words for Ram {
    fn read(&self, address: u32) -> u32 {
        // SAFETY: addresses come from registered tables and from loaded modules, which are in memory.
        unsafe { ((address & !3) as *const u32).read_volatile() }
    }

    fn write(&mut self, address: u32, value: u32) {
        // SAFETY: as in `read`.
        unsafe { ((address & !3) as *mut u32).write_volatile(value) }
    }
}

/// Registers the export table at `table`.
///
/// # Errors
/// As [`Libraries::register`].
pub fn register(table: u32) -> Result<(), Error> {
    LISTS.with(|lists| lists.libraries.register(&mut Ram, table))
}

/// Links the import tables in `bytes` at `start`.
///
/// # Errors
/// As [`Libraries::link`].
pub fn link(start: u32, bytes: u32) -> Result<(), Error> {
    LISTS.with(|lists| lists.libraries.link(&mut Ram, start, bytes))
}

/// Undoes [`link`].
pub fn unlink(start: u32, bytes: u32) {
    LISTS.with(|lists| lists.libraries.unlink(&mut Ram, start, bytes));
}

extern "C" fn internal_data() -> u32 {
    LISTS.with(|lists| lists as *const Lists as u32)
}

extern "C" fn register_entries(table: u32) -> i32 {
    code_of(register(table).map(|()| 0))
}

extern "C" fn release_entries(table: u32) -> i32 {
    code_of(LISTS.with(|lists| lists.libraries.release(&mut Ram, table)).map(|()| 0))
}

extern "C" fn link_entries(start: u32, bytes: u32) -> i32 {
    // The system's own number for a missing library.
    link(start, bytes).map_or(-1, |()| 0)
}

extern "C" fn unlink_entries(start: u32, bytes: u32) -> i32 {
    unlink(start, bytes);
    0
}

extern "C" fn query_table(table: u32) -> u32 {
    LISTS.with(|lists| lists.libraries.query(&Ram, table))
}

/// A boot mode's record: none is kept.
///
/// Our choice: the boot has one mode, and who asks takes the defaults without a record.
extern "C" fn query_boot_mode(_mode: i32) -> u32 {
    0
}
