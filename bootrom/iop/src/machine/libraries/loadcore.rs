//! `loadcore` 1.1: libraries, modules' records, boot modes, caches.

use super::{Exports, exports, fetch, store};
use crate::machine::critical::Shared;
use crate::machine::memory::{may_look, may_use, may_write};
use crate::machine::modules::{self, Record};
use crate::machine::post_boot;
use bootrom_iop::boot_modes::{BootModes, WORDS};
use bootrom_iop::errors::{Error, code_of};
use bootrom_iop::loadcore::{Libraries, Words};
use core::arch::global_asm;
use core::ptr::null_mut;

/// Library functions by number. Other software finds the table by the one that was registered before, at 0x830.
#[unsafe(link_section = ".low.loader_table")]
pub static TABLE: Exports<25> = exports(
    b"loadcore",
    0x0101,
    [
        // Covers: iop, loadcore 3 GetLibraryEntryTable test=a library is found in the list of all
        // Covers: iop, loadcore 3 GetLoadcoreInternalData test=and as many as it says
        (3, loadcore_internal_data as *const ()),
        // Covers: iop, loadcore 4 FlushIcache test=code that was written runs behind a flush
        (4, flush as *const ()),
        // Covers: iop, loadcore 5 FlushDcache test=what was written is in memory behind a flush
        (5, flush as *const ()),
        // Covers: iop, loadcore 6 RegisterLibraryEntries test=loadcore::tests::stubs_become_jumps_to_the_functions_of_their_numbers
        (6, register_entries as *const ()),
        // Covers: iop, loadcore 7 ReleaseLibraryEntries test=loadcore::tests::stubs_become_jumps_to_the_functions_of_their_numbers
        (7, release_entries as *const ()),
        // Covers: iop, loadcore 8 LinkLibraryEntries test=loadcore::tests::a_missing_library_undoes_the_links_made_before
        (8, link_entries as *const ()),
        // Covers: iop, loadcore 9 UnLinkLibraryEntries test=loadcore::tests::stubs_become_jumps_to_the_functions_of_their_numbers
        (9, unlink_entries as *const ()),
        // Covers: iop, loadcore 10 RegisterNonAutoLinkEntries test=loadcore::tests::a_library_that_is_not_linked_is_found_by_asking
        (10, register_unlinked_entries as *const ()),
        // Covers: iop, loadcore 11 QueryLibraryEntryTable test=loadcore::tests::a_library_that_is_not_linked_is_found_by_asking
        (11, query_table as *const ()),
        // Covers: iop, loadcore 12 QueryBootMode test=the system tells how it came up
        (12, query_boot_mode as *const ()),
        // Covers: iop, loadcore 13 RegisterBootMode test=a record is found as it was made
        (13, register_boot_mode as *const ()),
        // Covers: iop, loadcore 14 LockLibraryClient test=loadcore::tests::a_locked_client_stays_with_its_library
        (14, lock_clients as *const ()),
        // Covers: iop, loadcore 15 UnLockLibraryClient test=loadcore::tests::a_locked_client_stays_with_its_library
        (15, unlock_clients as *const ()),
        // Covers: iop, loadcore 16 RegisterModule test=a module that is registered is found
        (16, register_module as *const ()),
        // Covers: iop, loadcore 17 ReleaseModule test=a module that is released is not
        (17, release_module as *const ()),
        // Covers: iop, loadcore 20 AddRebootNotifyHandler test=a notice behind the boot comes at once
        (20, register_post_boot as *const ()),
        // Covers: iop, loadcore 21 SetCacheCtrl test=memory holds what is written behind a change of the caches
        (21, set_cache_control as *const ()),
        // Covers: iop, loadcore 22 ProbeExecutableObject test=an object in memory is a module
        (22, probe as *const ()),
        // Covers: iop, loadcore 23 LoadExecutableObject test=and its words are relocated
        (23, load as *const ()),
        // Covers: iop, loadcore 24 SearchModuleCBByAddr test=a module's record lies before its code
        (24, find_module as *const ()),
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
#[unsafe(link_section = ".low.lists")]
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

/// Number of the function by which a library is told that the system ends.
const SHUT_DOWN: u32 = 2;

/// Tells every library that the system ends.
///
/// Source: IOP kernel, MODLOAD (ReBootStart)
pub fn shut_down() {
    let mut next = LISTS.with(|lists| lists.libraries.newest);
    while next != 0 {
        let (library, end) = (next, LISTS.with(|lists| lists.libraries.function(&Ram, next, SHUT_DOWN)));
        next = Ram.read(library);
        if end != 0 {
            // SAFETY: a library's third function takes one word; that is the convention.
            let end: extern "C" fn(u32) -> i32 = unsafe { core::mem::transmute(end as usize) };
            end(0);
        }
    }
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

global_asm!(
    // Start-up code of the public SDK reads the lists' address out of the first two instructions, from the EE.
    ".section .text.low, \"ax\", @progbits",
    ".set noreorder",
    ".globl loadcore_internal_data",
    ".type loadcore_internal_data, @function",
    "loadcore_internal_data:",
    "lui $2, %hi({lists})",
    "addiu $2, $2, %lo({lists})",
    "jr $31",
    "nop",
    ".set reorder",
    ".text",
    lists = sym LISTS,
);

unsafe extern "C" {
    fn loadcore_internal_data() -> u32;
}

/// Refuses what is not memory for an export table of a caller's.
fn table_of(table: u32) -> Result<u32, Error> {
    if may_use(table as *const [u32; TABLE_WORDS]) { Ok(table) } else { Err(Error::IllegalLibrary) }
}

/// Words of the shortest table: its head and the end.
const TABLE_WORDS: usize = 6;

extern "C" fn register_entries(table: u32) -> i32 {
    code_of(table_of(table).and_then(register).map(|()| 0))
}

extern "C" fn release_entries(table: u32) -> i32 {
    code_of(LISTS.with(|lists| lists.libraries.release(&mut Ram, table)).map(|()| 0))
}

extern "C" fn link_entries(start: u32, bytes: u32) -> i32 {
    // The system's own number for a missing library.
    if may_write(start, bytes) { link(start, bytes).map_or(-1, |()| 0) } else { -1 }
}

extern "C" fn unlink_entries(start: u32, bytes: u32) -> i32 {
    if !may_write(start, bytes) {
        return -1;
    }
    unlink(start, bytes);
    0
}

extern "C" fn query_table(table: u32) -> u32 {
    /// Words of a table's head.
    const HEAD: usize = 5;
    if !may_look(table as *const [u32; HEAD]) {
        return 0;
    }
    LISTS.with(|lists| lists.libraries.query(&Ram, table))
}

/// Flushes a cache.
///
/// Our choice: nothing; the ROM runs where there is none, and stores take back translated code.
extern "C" fn flush() {}

/// Sets how the caches work, by the register that says so.
///
/// Source: hardware notes, Caches
extern "C" fn set_cache_control(value: u32) {
    const CACHE_CONTROL: u32 = 0xFFFE_0130;
    // SAFETY: a register of the processor's, which is always there.
    unsafe { (CACHE_CONTROL as *mut u32).write_volatile(value) };
}

extern "C" fn register_unlinked_entries(table: u32) -> i32 {
    let registered = |table| LISTS.with(|lists| lists.libraries.register_unlinked(&mut Ram, table));
    code_of(table_of(table).and_then(registered).map(|()| 0))
}

static BOOT_MODES: Shared<BootModes> = Shared::new(BootModes::new());
/// Words of low memory that say where the records begin and end.
///
/// Source: IOP kernel, low memory map
const BOOT_MODES_BEGIN: u32 = 0x3F0;
const BOOT_MODES_END: u32 = 0x3F4;

/// Adds a record to the boot modes.
pub fn add_boot_mode(record: &[u32]) {
    BOOT_MODES.with(|modes| {
        modes.register(record);
        let begin = modes.table().as_ptr() as u32;
        Ram.write(BOOT_MODES_BEGIN, begin);
        Ram.write(BOOT_MODES_END, begin + 4 * modes.filled() as u32);
    });
}

extern "C" fn query_boot_mode(number: u32) -> *const u32 {
    BOOT_MODES.with(|modes| {
        let place = u8::try_from(number).ok().and_then(|number| modes.find(number));
        place.map_or(core::ptr::null(), |place| &raw const modes.table()[place])
    })
}

extern "C" fn register_boot_mode(record: *const u32) {
    let mut words = [0; WORDS];
    let Ok(header) = fetch(record) else { return };
    let Some(words) = words.get_mut(..BootModes::length(header)) else { return };
    for (index, word) in words.iter_mut().enumerate() {
        let Ok(given) = fetch(record.wrapping_add(index)) else { return };
        *word = given;
    }
    add_boot_mode(words);
}

extern "C" fn lock_clients(library: u32) {
    LISTS.with(|lists| lists.libraries.lock_clients(&mut Ram, library, true));
}

extern "C" fn unlock_clients(library: u32) {
    LISTS.with(|lists| lists.libraries.lock_clients(&mut Ram, library, false));
}

extern "C" fn register_module(record: *mut Record) {
    if may_use(record) {
        // SAFETY: the caller's record, which it keeps until it releases it.
        unsafe { modules::list(record) };
    }
}

extern "C" fn release_module(record: *mut Record) {
    modules::take_out(record);
}

/// A function for after the boot, or for now when that is over; it gets what its result may change, and whether it waited.
extern "C" fn register_post_boot(function: post_boot::Function, priority: u32, result: *mut i32) -> i32 {
    match post_boot::register(function, priority) {
        Some(value) => {
            store(result, value);
            0
        }
        None => 1,
    }
}

/// A module's kind: one that is relocated.
const KIND_MODULE: i32 = 4;

/// What a file says about its module.
#[repr(C)]
#[derive(Clone, Copy)]
struct FileInfo {
    kind: i32,
    entry: u32,
    gp: u32,
    text_start: u32,
    text_bytes: u32,
    data_bytes: u32,
    bss_bytes: u32,
    memory_bytes: u32,
    information: u32,
}

/// Reads what the module file at `image` says; its kind, or -1 for none.
extern "C" fn probe(image: u32, told: *mut FileInfo) -> i32 {
    match modules::probe(image) {
        Ok(module) => {
            store(
                told,
                FileInfo {
                    kind: KIND_MODULE,
                    entry: module.entry,
                    gp: module.gp,
                    text_start: 0,
                    text_bytes: module.text_bytes,
                    data_bytes: module.data_bytes,
                    bss_bytes: module.bss_bytes,
                    memory_bytes: module.memory_bytes as u32,
                    information: image,
                },
            );
            KIND_MODULE
        }
        Err(_) => -1,
    }
}

/// Loads the module file at `image` to the address that was put into what it says; its record lies in front of that.
extern "C" fn load(image: u32, told: *mut FileInfo) -> i32 {
    let Some(file) = fetch(told).ok().filter(|_| may_use(told)) else { return Error::IllegalObject.code() };
    match modules::load_at(image, file.text_start) {
        Ok(module) => {
            let (entry, gp) = (file.text_start + module.entry, file.text_start.wrapping_add(module.gp));
            store(told, FileInfo { entry, gp, ..file });
            KIND_MODULE
        }
        Err(_) => Error::IllegalObject.code(),
    }
}

extern "C" fn find_module(address: u32) -> *mut Record {
    modules::by_address(address).unwrap_or(null_mut())
}
