//! The records of modules, one list that other software reads as well.

use crate::machine::critical::critical;
use crate::machine::ioman::{self, text_of};
use crate::machine::libraries::loadcore::{self, LISTS};
use crate::machine::libraries::sysmem;
use crate::machine::memory::MEMORY;
use bootrom_iop::errors::Error;
use bootrom_iop::lists;
use bootrom_iop::memory::Place;
use bootrom_iop::module_state::ModuleFlags;
use core::cell::UnsafeCell;

/// Records that are followed.
///
/// Our choice: a bound for a list whose records were written over; memory has no room for as many modules.
const LONGEST: usize = 4096;

/// Bytes of the record in front of a module's image.
pub const RECORD_BYTES: u32 = 0x30;

/// The record of a module, as other software reads it.
///
/// Source: IOP kernel, MODLOAD
#[repr(C)]
pub struct Record {
    /// The next one, null for none; [`append`] writes it.
    pub next: *mut Record,
    /// Its name, null for none.
    pub name: *const u8,
    /// Its version.
    pub version: u16,
    /// Its state.
    pub flags: ModuleFlags,
    /// Its number; [`append`] writes it.
    pub id: u16,
    /// The state's place in older systems; unused.
    pub old_flags: u16,
    /// Its start function, which is its stop function, too.
    pub entry: u32,
    /// Its global pointer.
    pub gp: u32,
    /// Where its code begins.
    pub text_start: u32,
    /// Bytes of code, data and zeroes.
    pub text_bytes: u32,
    /// See `text_bytes`.
    pub data_bytes: u32,
    /// See `text_bytes`.
    pub bss_bytes: u32,
    /// Our choice: 1 plus the place of a driver that is part of this kernel, in a word that nobody uses.
    pub builtin: u32,
    /// Our choice: set when the memory is the caller's, in the other such word.
    pub borrowed: u32,
}

const _: () = assert!(size_of::<Record>() == RECORD_BYTES as usize);

impl Record {
    /// A record without code.
    pub const EMPTY: Record = Record {
        next: core::ptr::null_mut(),
        name: core::ptr::null(),
        version: 0,
        flags: ModuleFlags::NEW,
        id: 0,
        old_flags: 0,
        entry: 0,
        gp: 0,
        text_start: 0,
        text_bytes: 0,
        data_bytes: 0,
        bss_bytes: 0,
        builtin: 0,
        borrowed: 0,
    };

    fn holds(&self, address: u32) -> bool {
        address.wrapping_sub(self.text_start)
            < self.text_bytes.saturating_add(self.data_bytes).saturating_add(self.bss_bytes)
    }
}

/// Bytes of a name.
const SYSTEM_NAME_BYTES: usize = 32;

/// A name and a version. The EE fetches names by transfers, which begin at whole lines.
#[repr(C, align(16))]
struct Name {
    text: [u8; SYSTEM_NAME_BYTES],
    version: u16,
}

const fn name(text: &str, version: u16) -> Name {
    let mut bytes = [0; SYSTEM_NAME_BYTES];
    let mut index = 0;
    while index < text.len() {
        bytes[index] = text.as_bytes()[index];
        index += 1;
    }
    Name { text: bytes, version }
}

/// Modules of the system itself, in the order of its boot list: names and versions as on consoles, whose loaders compare
/// them. They are one program here; a record of each tells who asks that it is there.
///
/// Source: IOP kernel, UDNL and IOPRP (boot list)
static SYSTEM: [Name; 23] = [
    name("System_Memory_Manager", 0x0101),
    name("Module_Manager", 0x0101),
    name("Exception_Manager", 0x0101),
    name("Interrupt_Manager", 0x0101),
    name("ssbus_service", 0x0101),
    name("dmacman", 0x0101),
    name("Timer_Manager", 0x0101),
    name("System_C_lib", 0x0101),
    name("Heap_lib", 0x0101),
    name("Multi_Thread_Manager", 0x0101),
    name("Vblank_service", 0x0101),
    name("IO/File_Manager", 0x0101),
    name("Moldule_File_loader", 0x0101),
    name("ROM_file_driver", 0x0101),
    name("Stdio", 0x0101),
    name("IOP_SIF_manager", 0x0101),
    name("IOP_SIF_rpc_interface", 0x0101),
    name("LoadModuleByEE", 0x0101),
    name("cdvd_driver", 0x0101),
    name("cdvd_ee_driver", 0x0101),
    name("FILEIO_service", 0x0101),
    name("secrman_for_cex", 0x0101),
    name("SyncEE", 0x0101),
];
/// The manager of files, whose variables other software takes over: its record tells where they are.
const FILE_MANAGER: &[u8] = b"IO/File_Manager";

/// A record in low memory.
#[repr(transparent)]
struct Fixed(UnsafeCell<Record>);

// SAFETY: records are only touched as the list's, whose users hold interrupts.
unsafe impl Sync for Fixed {}

/// The first record, at 0x800, and the one that it leads to: there start-up code of the public SDK begins to look, from the EE,
/// for modules and, in the 512 bytes at the end of the second one's code, for the table of its library.
///
/// Source: public SDK (patches of the IOP's loader)
#[unsafe(link_section = ".low.memory_record")]
static MEMORY_MANAGER: Fixed = Fixed(UnsafeCell::new(Record::EMPTY));
#[unsafe(link_section = ".low.loader_record")]
static MODULE_MANAGER: Fixed = Fixed(UnsafeCell::new(Record::EMPTY));
/// What the second one tells as the size of its code, which begins with the table.
const LOADER_BYTES: u32 = 0x200;

/// Puts the system's own modules into the list.
pub fn add_system() {
    let others = SYSTEM.len() - 2;
    let Some(rest) = MEMORY.with(|memory| memory.allocate(Place::Lowest, others as u32 * RECORD_BYTES)) else {
        return;
    };
    for (index, Name { text, version }) in SYSTEM.iter().enumerate() {
        let (name, version) = (text.as_ptr(), *version);
        let mut record = Record { name, version, flags: ModuleFlags::RESIDENT, ..Record::EMPTY };
        let place = match index {
            0 => {
                (record.text_start, record.text_bytes) = (sysmem::TABLE.address(), size_of_val(&sysmem::TABLE) as u32);
                MEMORY_MANAGER.0.get()
            }
            1 => {
                (record.text_start, record.text_bytes) = (loadcore::TABLE.address(), LOADER_BYTES);
                MODULE_MANAGER.0.get()
            }
            _ => (rest + (index as u32 - 2) * RECORD_BYTES) as *mut Record,
        };
        if text.starts_with(FILE_MANAGER) {
            record.text_start = ioman::variables();
        }
        // SAFETY: two places of their own, and a block that was just allocated with room for all others.
        unsafe { append(place, record) };
    }
}

/// Writes `record` to `place` and puts it at the list's end under the next number, which is the result.
///
/// # Safety
/// `place` is memory for a record that nobody else uses until [`take_out`].
pub unsafe fn append(place: *mut Record, record: Record) -> u16 {
    // SAFETY: passed on to the caller.
    unsafe {
        place.write(record);
        list(place)
    }
}

/// Puts a record that has been written at the list's end under the next number, which is the result. One that is in the list
/// moves there.
///
/// Our choice: where the console's loader registers a record twice, its list has no end.
///
/// # Safety
/// As for [`append`].
pub unsafe fn list(place: *mut Record) -> u16 {
    critical(|| {
        take_out(place);
        let (first, id) = LISTS.with(|lists| {
            lists.module_count += 1;
            lists.module_index += 1;
            (&raw mut lists.modules, lists.module_index as u16)
        });
        // SAFETY: listed records stay valid, the new one by the caller's word, and interrupts are held.
        unsafe {
            (*place).next = core::ptr::null_mut();
            (*place).id = id;
            *lists::link_to(first, core::ptr::null(), LONGEST, |record| &raw mut (*record).next) = place;
        }
        id
    })
}

/// Takes a record out of the list; false when it is not in it.
pub fn take_out(record: *mut Record) -> bool {
    critical(|| {
        let first = LISTS.with(|lists| &raw mut lists.modules);
        // SAFETY: listed records stay valid, and interrupts are held.
        let found = unsafe { lists::take_out(first, record, LONGEST, |record| &raw mut (*record).next) };
        if found {
            LISTS.with(|lists| lists.module_count -= 1);
        }
        found
    })
}

/// The first record that `wanted` is true for.
pub fn find(wanted: impl Fn(&Record) -> bool) -> Option<*mut Record> {
    let mut found = None;
    for_each(|record| {
        if found.is_none() && wanted(record) {
            found = Some(record as *const Record as *mut Record);
        }
    });
    found
}

/// Calls `each` with every record, interrupts held.
fn for_each(mut each: impl FnMut(&Record)) {
    critical(|| {
        let mut record = LISTS.with(|lists| lists.modules);
        for _ in 0..LONGEST {
            // SAFETY: listed records stay valid, and interrupts are held.
            let Some(here) = (unsafe { record.as_ref() }) else { break };
            each(here);
            record = here.next;
        }
    });
}

/// The record of module `id`.
///
/// # Errors
/// No such module.
pub fn by_id(id: i32) -> Result<*mut Record, Error> {
    find(|record| i32::from(record.id) == id).ok_or(Error::UnknownModule)
}

/// The record of the module in whose image `address` lies.
///
/// # Errors
/// No such module.
pub fn by_address(address: u32) -> Result<*mut Record, Error> {
    find(|record| record.holds(address)).ok_or(Error::UnknownModule)
}

fn is_named(record: &Record, name: &[u8]) -> bool {
    // SAFETY: the names of listed records are strings.
    !record.name.is_null() && unsafe { text_of(record.name) } == name
}

/// The id of the first module called `name`.
///
/// # Errors
/// No such module.
pub fn find_by_name(name: *const u8) -> Result<i32, Error> {
    // SAFETY: the caller passes a string.
    let name = unsafe { text_of(name) };
    id_of(find(|record| is_named(record, name)).ok_or(Error::UnknownModule))
}

/// The id of the module in whose image `address` lies.
///
/// # Errors
/// No such module.
pub fn find_by_address(address: u32) -> Result<i32, Error> {
    id_of(by_address(address))
}

fn id_of(record: Result<*mut Record, Error>) -> Result<i32, Error> {
    // SAFETY: listed records stay valid.
    record.map(|record| unsafe { (*record).id.into() })
}

/// Writes the ids of all modules, or of those called `name`, to up to `room` words at `list`; the results are how many were
/// written and how many there are.
pub fn ids(name: Option<*const u8>, list: *mut i32, room: u32) -> (u32, u32) {
    // SAFETY: the caller passes a string.
    let name = name.map(|name| unsafe { text_of(name) });
    let mut total = 0;
    for_each(|record| {
        if name.is_none_or(|name| is_named(record, name)) {
            if total < room {
                // SAFETY: the caller's list has that much room.
                unsafe { list.add(total as usize).write_unaligned(record.id.into()) };
            }
            total += 1;
        }
    });
    (total.min(room), total)
}

/// Bytes of a name in a [`Status`], its end included.
const NAME_BYTES: usize = 56;

/// What is told about a module.
///
/// Source: IOP kernel, MODLOAD (ReferModuleStatus)
#[repr(C)]
pub struct Status {
    name: [u8; NAME_BYTES],
    version: u16,
    flags: u16,
    id: i32,
    entry: u32,
    gp: u32,
    text_start: u32,
    text_bytes: u32,
    data_bytes: u32,
    bss_bytes: u32,
    unused: [u32; 2],
}

/// What there is to tell about module `id`.
///
/// # Errors
/// No such module.
pub fn status(id: i32) -> Result<Status, Error> {
    let record = by_id(id)?;
    // SAFETY: listed records stay valid.
    let record = unsafe { &*record };
    let mut name = [0; NAME_BYTES];
    if !record.name.is_null() {
        // SAFETY: the names of listed records are strings.
        let text = unsafe { text_of(record.name) };
        let count = text.len().min(NAME_BYTES - 1);
        name[..count].copy_from_slice(&text[..count]);
    }
    Ok(Status {
        name,
        version: record.version,
        flags: record.flags.0,
        id,
        entry: record.entry,
        gp: record.gp,
        text_start: record.text_start,
        text_bytes: record.text_bytes,
        data_bytes: record.data_bytes,
        bss_bytes: record.bss_bytes,
        unused: [0; 2],
    })
}
