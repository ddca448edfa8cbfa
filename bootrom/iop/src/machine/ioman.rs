//! IOMAN: devices by name, open files by number.
//!
//! The kernel's own servers call it through an import table like any module, because the emulator recognises such
//! calls and answers `host:` files itself.

use super::console::log;
use super::critical::Shared;
use super::libraries::loadcore;
use super::memory::{may_look, may_read, may_write};
use bootrom_iop::file_status::{RECORD_BYTES, STATUS_BYTES};
use bootrom_iop::path::{DevicePath, split};
use core::arch::global_asm;
use core::ffi::CStr;
use core::ptr::null_mut;

/// Devices at a time.
const DEVICES: usize = 16;
/// Open files at a time.
const FILES: usize = 16;
/// Open flag: for reading.
pub const OPEN_READ: u32 = 1;
/// Open flag: for writing.
pub const OPEN_WRITE: u32 = 2;

/// Errors that callers see, negative.
///
/// Source: IOP kernel, IOMAN
pub mod errno {
    /// No such file.
    pub const NO_ENTRY: i32 = -2;
    /// The device does not answer.
    pub const IO: i32 = -5;
    /// No such unit.
    pub const NO_UNIT: i32 = -6;
    /// Not an open file.
    pub const BAD_FILE: i32 = -9;
    /// No place left.
    pub const NO_MEMORY: i32 = -12;
    /// Not allowed.
    pub const ACCESS: i32 = -13;
    /// No such device.
    pub const NO_DEVICE: i32 = -19;
    /// Bad argument, or not possible on this device.
    pub const INVALID: i32 = -22;
    /// Too many open files.
    pub const MANY_FILES: i32 = -24;
    /// No room left.
    pub const NO_SPACE: i32 = -28;
    /// No disc in the drive.
    pub const NO_MEDIUM: i32 = -123;
}

/// An open file, as drivers see it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct File {
    /// Open flags, 0 for a free place.
    pub mode: u32,
    /// Unit of the device.
    pub unit: u32,
    /// The device.
    pub device: *mut Device,
    /// The driver's own.
    pub private: u32,
}

/// A device driver, as it registers itself.
#[repr(C)]
pub struct Device {
    /// Name without a unit number.
    pub name: *const u8,
    /// Kind of device.
    pub kind: u32,
    /// Version.
    pub version: u32,
    /// What it is, for people.
    pub description: *const u8,
    /// Its functions.
    pub operations: *const Operations,
}

/// A driver's functions; null where it has none.
#[repr(C)]
pub struct Operations {
    /// Called when it is added.
    pub init: Option<extern "C" fn(*mut Device) -> i32>,
    /// Called when it is removed.
    pub deinit: Option<extern "C" fn(*mut Device) -> i32>,
    /// Formats a unit.
    pub format: Option<extern "C" fn(*mut File) -> i32>,
    /// Opens a file.
    pub open: Option<extern "C" fn(*mut File, *const u8, i32) -> i32>,
    /// Closes it.
    pub close: Option<extern "C" fn(*mut File) -> i32>,
    /// Reads from it.
    pub read: Option<extern "C" fn(*mut File, *mut u8, i32) -> i32>,
    /// Writes to it.
    pub write: Option<extern "C" fn(*mut File, *const u8, i32) -> i32>,
    /// Moves in it.
    pub lseek: Option<extern "C" fn(*mut File, i32, i32) -> i32>,
    /// Anything else.
    pub ioctl: Option<extern "C" fn(*mut File, i32, *mut u8) -> i32>,
    /// Removes a file.
    pub remove: Option<extern "C" fn(*mut File, *const u8) -> i32>,
    /// Makes a directory.
    pub mkdir: Option<extern "C" fn(*mut File, *const u8) -> i32>,
    /// Removes a directory.
    pub rmdir: Option<extern "C" fn(*mut File, *const u8) -> i32>,
    /// Opens a directory.
    pub dopen: Option<extern "C" fn(*mut File, *const u8) -> i32>,
    /// Closes it.
    pub dclose: Option<extern "C" fn(*mut File) -> i32>,
    /// Reads an entry of it.
    pub dread: Option<extern "C" fn(*mut File, *mut u8) -> i32>,
    /// Tells about a file.
    pub getstat: Option<extern "C" fn(*mut File, *const u8, *mut u8) -> i32>,
    /// Changes what is told about it.
    pub chstat: Option<extern "C" fn(*mut File, *const u8, *mut u8, u32) -> i32>,
}

impl Operations {
    /// No functions.
    pub const NONE: Operations = Operations {
        init: None,
        deinit: None,
        format: None,
        open: None,
        close: None,
        read: None,
        write: None,
        lseek: None,
        ioctl: None,
        remove: None,
        mkdir: None,
        rmdir: None,
        dopen: None,
        dclose: None,
        dread: None,
        getstat: None,
        chstat: None,
    };
}

// SAFETY: operations are functions, and constant.
unsafe impl Sync for Operations {}

/// Devices and files where the first releases of the public SDK's own file manager take them over from: behind 16 bytes of
/// what follows the module's code and data.
///
/// Source: public SDK (the file manager that takes the system's place)
#[repr(C)]
struct Table {
    unused: [u32; 4],
    devices: [*mut Device; DEVICES],
    files: [File; FILES],
}

const FREE: File = File { mode: 0, unit: 0, device: null_mut(), private: 0 };

static TABLE: Shared<Table> =
    Shared::new(Table { unused: [0; 4], devices: [null_mut(); DEVICES], files: [FREE; FILES] });

/// Where the module's variables lie, as its record tells.
pub fn variables() -> u32 {
    TABLE.address()
}

/// The bytes of a C string, none where there is no memory.
///
/// # Safety
/// What `text` points to, if that is memory, stays as it is.
pub unsafe fn text_of<'a>(text: *const u8) -> &'a [u8] {
    if !may_read(text as u32, 1) {
        return &[];
    }
    // SAFETY: passed on to the caller.
    unsafe { CStr::from_ptr(text.cast()) }.to_bytes()
}

/// Adds a device; 0, or -1 when the table is full or the driver refuses.
pub extern "C" fn add_device(device: *mut Device) -> i32 {
    // SAFETY: a record that may be read.
    if !may_look(device) || !may_look(unsafe { (*device).operations }) {
        return -1;
    }
    let place = TABLE.with(|table| {
        let place = table.devices.iter().position(|device| device.is_null())?;
        table.devices[place] = device;
        Some(place)
    });
    let Some(place) = place else { return -1 };
    // SAFETY: a driver's record and functions stay valid while it is registered.
    let result = unsafe { (*(*device).operations).init.map_or(0, |init| init(device)) };
    if result < 0 {
        TABLE.with(|table| table.devices[place] = null_mut());
        return -1;
    }
    0
}

/// Removes a device by its name; 0, or -1 when there is none.
pub extern "C" fn remove_device(name: *const u8) -> i32 {
    // SAFETY: the caller passes a string.
    let name = unsafe { text_of(name) };
    let found = TABLE.with(|table| {
        let place = table.place_of(name)?;
        Some(core::mem::take(&mut table.devices[place]))
    });
    match found {
        Some(device) => {
            // SAFETY: as in `add_device`.
            unsafe { (*(*device).operations).deinit.map(|deinit| deinit(device)) };
            0
        }
        None => -1,
    }
}

impl Table {
    fn place_of(&self, name: &[u8]) -> Option<usize> {
        self.devices.iter().position(|device| {
            // SAFETY: registered records stay valid, their names too.
            !device.is_null() && unsafe { text_of((**device).name) } == name
        })
    }
}

/// The device, unit and rest of a path.
fn device_of(path: &[u8]) -> Result<(*mut Device, DevicePath<'_>), i32> {
    let parts = split(path).ok_or(errno::NO_DEVICE)?;
    let device = TABLE.with(|table| table.place_of(parts.device).map(|place| table.devices[place]));
    device.map(|device| (device, parts)).ok_or(errno::NO_DEVICE)
}

/// Takes a free place for a file of `device`.
fn take_file(device: *mut Device, unit: u32, mode: u32) -> Option<(usize, *mut File)> {
    TABLE.with(|table| {
        let place = table.files.iter().position(|file| file.device.is_null())?;
        table.files[place] = File { mode, unit, device, private: 0 };
        Some((place, &raw mut table.files[place]))
    })
}

fn release_file(place: usize) {
    TABLE.with(|table| table.files[place] = FREE);
}

/// The open file `fd` with its driver's functions, if it was opened with `mode`'s bits.
fn file_of(fd: i32, mode: u32) -> Result<(usize, *mut File, &'static Operations), i32> {
    let place = usize::try_from(fd).map_err(|_| errno::BAD_FILE)?;
    TABLE.with(|table| {
        let file = table.files.get_mut(place).filter(|file| !file.device.is_null()).ok_or(errno::BAD_FILE)?;
        if file.mode & mode != mode {
            return Err(errno::BAD_FILE);
        }
        // SAFETY: the device is registered, so its functions are valid.
        let operations = unsafe { &*(*file.device).operations };
        Ok((place, file as *mut File, operations))
    })
}

/// The value of either side: results and errors share one number.
fn either(result: Result<i32, i32>) -> i32 {
    result.unwrap_or_else(|error| error)
}

/// Opens a file; its number, or an error.
#[unsafe(no_mangle)]
pub extern "C" fn ioman_open(path: *const u8, mode: i32) -> i32 {
    // SAFETY: the caller passes a string.
    let path = unsafe { text_of(path) };
    either(device_of(path).and_then(|(device, parts)| {
        // SAFETY: the device is registered.
        let open = unsafe { (*(*device).operations).open }.ok_or(errno::INVALID)?;
        let (place, file) = take_file(device, parts.unit, mode as u32).ok_or(errno::MANY_FILES)?;
        // The rest of a string's bytes ends where the string does.
        let result = open(file, parts.rest.as_ptr(), mode);
        if result < 0 {
            release_file(place);
            return Err(result);
        }
        Ok(place as i32)
    }))
}

/// Closes a file.
#[unsafe(no_mangle)]
pub extern "C" fn ioman_close(fd: i32) -> i32 {
    either(file_of(fd, 0).map(|(place, file, operations)| {
        let result = operations.close.map_or(0, |close| close(file));
        release_file(place);
        result
    }))
}

/// Reads up to `size` bytes; how many, or an error.
#[unsafe(no_mangle)]
pub extern "C" fn ioman_read(fd: i32, buffer: *mut u8, size: i32) -> i32 {
    either(file_of(fd, OPEN_READ).and_then(|(_, file, operations)| {
        let read = operations.read.ok_or(errno::INVALID)?;
        if size < 0 || size > 0 && !may_write(buffer as u32, size as u32) {
            return Err(errno::INVALID);
        }
        Ok(read(file, buffer, size))
    }))
}

/// Writes up to `size` bytes; how many, or an error.
#[unsafe(no_mangle)]
pub extern "C" fn ioman_write(fd: i32, buffer: *const u8, size: i32) -> i32 {
    either(file_of(fd, OPEN_WRITE).and_then(|(_, file, operations)| {
        let write = operations.write.ok_or(errno::INVALID)?;
        if size < 0 || size > 0 && !may_read(buffer as u32, size as u32) {
            return Err(errno::INVALID);
        }
        Ok(write(file, buffer, size))
    }))
}

/// Moves in a file from its start (0), place (1) or end (2); the new place, or an error.
#[unsafe(no_mangle)]
pub extern "C" fn ioman_lseek(fd: i32, offset: i32, whence: i32) -> i32 {
    either(file_of(fd, 0).and_then(|(_, file, operations)| {
        let lseek = operations.lseek.ok_or(errno::INVALID)?;
        if (0..=2).contains(&whence) { Ok(lseek(file, offset, whence)) } else { Err(errno::INVALID) }
    }))
}

/// Calls a driver's function for an open file.
fn on_file(fd: i32, body: impl FnOnce(*mut File, &Operations) -> Option<i32>) -> i32 {
    either(file_of(fd, 0).and_then(|(_, file, operations)| body(file, operations).ok_or(errno::INVALID)))
}

/// Calls a driver's function for a path, with a file record that lasts as long as the call.
fn on_path(path: *const u8, body: impl FnOnce(*mut File, *const u8, &Operations) -> Option<i32>) -> i32 {
    // SAFETY: the caller passes a string.
    let path = unsafe { text_of(path) };
    either(device_of(path).and_then(|(device, parts)| {
        // SAFETY: the device is registered.
        let operations = unsafe { &*(*device).operations };
        let (place, file) = take_file(device, parts.unit, OPEN_READ).ok_or(errno::MANY_FILES)?;
        let result = body(file, parts.rest.as_ptr(), operations);
        release_file(place);
        result.ok_or(errno::INVALID)
    }))
}

/// Anything else that a driver offers for an open file.
pub extern "C" fn ioctl(fd: i32, command: i32, argument: *mut u8) -> i32 {
    on_file(fd, |file, operations| Some(operations.ioctl?(file, command, argument)))
}

/// Removes a file.
pub extern "C" fn remove(path: *const u8) -> i32 {
    on_path(path, |file, rest, operations| Some(operations.remove?(file, rest)))
}

/// Makes a directory.
pub extern "C" fn mkdir(path: *const u8) -> i32 {
    on_path(path, |file, rest, operations| Some(operations.mkdir?(file, rest)))
}

/// Removes a directory.
pub extern "C" fn rmdir(path: *const u8) -> i32 {
    on_path(path, |file, rest, operations| Some(operations.rmdir?(file, rest)))
}

/// Formats a unit of a device.
pub extern "C" fn format(path: *const u8) -> i32 {
    on_path(path, |file, _, operations| Some(operations.format?(file)))
}

/// Opens a directory; its number, or an error.
pub extern "C" fn dopen(path: *const u8) -> i32 {
    // SAFETY: the caller passes a string.
    let path = unsafe { text_of(path) };
    either(device_of(path).and_then(|(device, parts)| {
        // SAFETY: the device is registered.
        let open = unsafe { (*(*device).operations).dopen }.ok_or(errno::INVALID)?;
        let (place, file) = take_file(device, parts.unit, OPEN_READ).ok_or(errno::MANY_FILES)?;
        let result = open(file, parts.rest.as_ptr());
        if result < 0 {
            release_file(place);
            return Err(result);
        }
        Ok(place as i32)
    }))
}

/// Closes a directory.
pub extern "C" fn dclose(fd: i32) -> i32 {
    either(file_of(fd, 0).map(|(place, file, operations)| {
        let result = operations.dclose.map_or(0, |close| close(file));
        release_file(place);
        result
    }))
}

/// Reads a directory's next entry; 0 at its end.
pub extern "C" fn dread(fd: i32, entry: *mut u8) -> i32 {
    if !may_write(entry as u32, RECORD_BYTES as u32) {
        return errno::INVALID;
    }
    on_file(fd, |file, operations| Some(operations.dread?(file, entry)))
}

/// Tells about a file.
pub extern "C" fn getstat(path: *const u8, status: *mut u8) -> i32 {
    if !may_write(status as u32, STATUS_BYTES as u32) {
        return errno::INVALID;
    }
    on_path(path, |file, rest, operations| Some(operations.getstat?(file, rest, status)))
}

/// Changes what is told about a file.
pub extern "C" fn chstat(path: *const u8, status: *mut u8, which: u32) -> i32 {
    on_path(path, |file, rest, operations| Some(operations.chstat?(file, rest, status, which)))
}

global_asm!(
    ".section .text.imports, \"ax\", @progbits",
    ".set noreorder",
    ".balign 4",
    ".globl ioman_imports",
    "ioman_imports:",
    ".word 0x41E00000, 0, 0x0102",
    ".ascii \"ioman\\0\\0\\0\"",
    ".globl import_open",
    "import_open:  j ioman_open",
    "addiu $0, $0, 4",
    ".globl import_close",
    "import_close: j ioman_close",
    "addiu $0, $0, 5",
    ".globl import_read",
    "import_read:  j ioman_read",
    "addiu $0, $0, 6",
    ".globl import_write",
    "import_write: j ioman_write",
    "addiu $0, $0, 7",
    ".globl import_lseek",
    "import_lseek: j ioman_lseek",
    "addiu $0, $0, 8",
    ".word 0, 0",
    // Zeroes up to where code begins, so that the linker puts no words of its own between.
    ".balign 16, 0",
    ".set reorder",
);

unsafe extern "C" {
    safe fn import_open(path: *const u8, mode: i32) -> i32;
    safe fn import_close(fd: i32) -> i32;
    safe fn import_read(fd: i32, buffer: *mut u8, size: i32) -> i32;
    safe fn import_write(fd: i32, buffer: *const u8, size: i32) -> i32;
    safe fn import_lseek(fd: i32, offset: i32, whence: i32) -> i32;
}

/// Makes the kernel's own calls clients of the library like a module's, so that whoever takes the library's place gets them, too.
pub fn link_own_calls() {
    /// The table's head, five functions, the end.
    const BYTES: u32 = 20 + 5 * 8 + 8;
    unsafe extern "C" {
        static ioman_imports: u8;
    }
    if let Err(error) = loadcore::link(&raw const ioman_imports as u32, BYTES) {
        log!("IOP: error: the kernel's own calls of files are not linked: {error:?}");
    }
}

/// [`ioman_open`] as a module calls it.
pub fn open(path: *const u8, mode: i32) -> i32 {
    import_open(path, mode)
}

/// [`ioman_close`] as a module calls it.
pub fn close(fd: i32) -> i32 {
    import_close(fd)
}

/// [`ioman_read`] as a module calls it.
pub fn read(fd: i32, buffer: *mut u8, size: i32) -> i32 {
    import_read(fd, buffer, size)
}

/// [`ioman_write`] as a module calls it.
pub fn write(fd: i32, buffer: *const u8, size: i32) -> i32 {
    import_write(fd, buffer, size)
}

/// [`ioman_lseek`] as a module calls it.
pub fn lseek(fd: i32, offset: i32, whence: i32) -> i32 {
    import_lseek(fd, offset, whence)
}
