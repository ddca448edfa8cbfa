//! The second part of the boot: what starts on top of the kernel, in the order of a list.
//!
//! On consoles every part of the system is a module of its own, and an image of modules may bring a newer one of any. Here the
//! kernel is one program. So an image's modules take the places of the drivers and servers that only use the kernel, and
//! whatever the list names besides is loaded from the image, too; the parts of the kernel itself stay.

use super::console::log;
use super::critical::Shared;
use super::ioman::{self, OPEN_READ};
use super::libraries::{cdvdman as cdvdman_library, loadcore};
use super::memory::MEMORY;
use super::{cdvdfsv, cdvdman, devices, fileio, iopheap, loadfile, modules, post_boot};
use bootrom_iop::boot_modes::{self, header};
use bootrom_iop::errors::Error;
use bootrom_iop::ioprp::{Entry, IMAGES, Image, NOTE_WORDS, Note, for_each, newest};
use bootrom_iop::memory::Place;
use bootrom_iop::reboot::{COMMAND_BYTES, CommandLine};
use core::ptr::null;

/// A part of this ROM that an image's module of the same name takes the place of.
struct Part {
    name: &'static [u8],
    start: fn() -> Result<(), Error>,
    /// Another part without whose replacement this one stays.
    only_with: &'static [u8],
}

/// The drive's driver and its server know each other here: an image must bring both.
const PARTS: &[Part] = &[
    Part { name: b"LOADFILE", start: start_loader, only_with: b"LOADFILE" },
    Part { name: b"CDVDMAN", start: start_drive, only_with: b"CDVDFSV" },
    Part { name: b"CDVDFSV", start: start_drive_server, only_with: b"CDVDMAN" },
    Part { name: b"FILEIO", start: start_files, only_with: b"FILEIO" },
];

/// Modules that are the kernel itself.
///
/// Source: IOP kernel, UDNL and IOPRP (boot list)
const KERNEL: &[&[u8]] = &[
    b"SYSMEM",
    b"LOADCORE",
    b"EXCEPMAN",
    b"INTRMANP",
    b"INTRMANI",
    b"SSBUSC",
    b"DMACMAN",
    b"TIMEMANP",
    b"TIMEMANI",
    b"SYSCLIB",
    b"HEAPLIB",
    b"EECONF",
    b"THREADMAN",
    b"VBLANK",
    b"IOMAN",
    b"MODLOAD",
    b"ROMDRV",
    b"STDIO",
    b"SIFMAN",
    b"IGREETING",
    b"SIFCMD",
    b"REBOOT",
    b"SIFINIT",
    b"SECRMAN",
    b"EESYNC",
];

/// What starts when no image says otherwise.
const USUAL: &[u8] = b"LOADFILE\nCDVDMAN\nCDVDFSV\nFILEIO\n";

fn start_loader() -> Result<(), Error> {
    loadfile::start();
    Ok(())
}

fn start_drive() -> Result<(), Error> {
    cdvdman::start()?;
    cdvdman_library::start();
    devices::start_disc();
    Ok(())
}

fn start_drive_server() -> Result<(), Error> {
    cdvdfsv::start();
    Ok(())
}

fn start_files() -> Result<(), Error> {
    fileio::start();
    iopheap::start();
    Ok(())
}

/// Low memory: the command line of a new start, and behind it the note about images.
///
/// Source: IOP kernel, low memory map (the command line's place)
const COMMAND_PLACE: u32 = 0x480;
const NOTE_PLACE: u32 = 0x500;

/// The note that the start before this one left.
static NOTE: Shared<Option<Note>> = Shared::new(None);

/// How the system comes up.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum Start {
    /// With power.
    Cold = 0,
    /// Anew.
    Again = 1,
    /// Anew with images.
    Updated = 3,
}

/// Takes the note and keeps the memory of the images that it names. To be called while all other memory is free.
pub fn read_note() -> Start {
    let place = NOTE_PLACE as *mut [u32; NOTE_WORDS];
    // SAFETY: low memory above the vectors is this kernel's own.
    let words = unsafe { place.read_volatile() };
    // SAFETY: as above. The note is good for one start.
    unsafe { place.write_volatile([0; NOTE_WORDS]) };
    let Some(note) = Note::of(&words) else { return Start::Cold };
    for (address, bytes) in note.images {
        MEMORY.with(|memory| memory.allocate(Place::At(address), bytes));
    }
    NOTE.with(|kept| *kept = Some(note));
    if note.count > 0 { Start::Updated } else { Start::Again }
}

/// Leaves a note for the next start: its command line, and the images that the line names, read into memory.
pub fn leave_note(line: &CommandLine) {
    let mut note = Note::default();
    for path in line.images() {
        let mut text = [0; COMMAND_BYTES + 1];
        text[..path.len()].copy_from_slice(path);
        let name = core::str::from_utf8(path).unwrap_or("?");
        match read_image(text.as_ptr()) {
            Ok((address, bytes)) if note.add(address, bytes) => {}
            Ok(_) => log!("IOP: error: {name} is one image too many"),
            Err(error) => log!("IOP: error: {name} is not read: {error:?}"),
        }
    }
    let mut text = [0; COMMAND_BYTES + 1];
    text[..line.text().len()].copy_from_slice(line.text());
    // SAFETY: low memory above the vectors is this kernel's own.
    unsafe {
        (COMMAND_PLACE as *mut [u8; COMMAND_BYTES + 1]).write_volatile(text);
        (NOTE_PLACE as *mut [u32; NOTE_WORDS]).write_volatile(note.words());
    }
}

/// Reads a whole file to the top of memory; its address and size.
fn read_image(path: *const u8) -> Result<(u32, u32), Error> {
    let fd = ioman::open(path, OPEN_READ as i32);
    if fd < 0 {
        return Err(Error::NoFile);
    }
    let size = ioman::lseek(fd, 0, 2);
    let read = u32::try_from(size).map_err(|_| Error::FileError).and_then(|bytes| {
        let address = MEMORY.with(|memory| memory.allocate(Place::Highest, bytes)).ok_or(Error::NoMemory)?;
        let whole = ioman::lseek(fd, 0, 0) == 0 && ioman::read(fd, address as *mut u8, size) == size;
        if whole { Ok((address, bytes)) } else { Err(Error::FileError) }
    });
    ioman::close(fd);
    read
}

/// Tells modules how the system came up.
pub fn tell_modes(start: Start) {
    loadcore::add_boot_mode(&[header(boot_modes::START, start as u16, 0)]);
    if start != Start::Cold {
        loadcore::add_boot_mode(&[header(boot_modes::COMMAND, 0, 1), COMMAND_PLACE]);
    }
}

/// Starts everything on top of the kernel.
pub fn run() {
    let note = NOTE.with(Option::take).unwrap_or_default();
    let waiting = &note.images[..note.count];
    let mut images = [const { None }; IMAGES];
    for (slot, (address, bytes)) in images.iter_mut().zip(waiting) {
        // SAFETY: the images' memory was kept at the start.
        *slot = Image::new(unsafe { core::slice::from_raw_parts(*address as *const u8, *bytes as usize) });
        if slot.is_none() {
            log!("IOP: error: an image without a directory");
        }
    }
    let mut list = [const { Image::EMPTY }; IMAGES];
    let mut count = 0;
    for image in images.into_iter().flatten() {
        list[count] = image;
        count += 1;
    }
    let list = &list[..count];
    let mut kept = 0_u32;
    for_each(list, USUAL, &mut |entry| match entry {
        Entry::Module(name) => kept += u32::from(start_named(list, name)),
        Entry::Memory(address) => {
            report(b"!addr", start_module(|| modules::load_memory(address, modules::Target::ANYWHERE)))
        }
    });
    if kept > 0 {
        log!("IOP: {kept} modules of the images are parts of this kernel, which stay");
    }
    for (address, _) in waiting {
        MEMORY.with(|memory| memory.free(*address));
    }
    post_boot::run();
}

/// Starts what the list calls `name`; true when that is the kernel's although an image has one.
fn start_named(images: &[Image<'_>], name: &[u8]) -> bool {
    let replacement = newest(images, name);
    if KERNEL.contains(&name) {
        return replacement.is_some();
    }
    let part = PARTS.iter().find(|part| part.name == name);
    let replacement = replacement.filter(|_| part.is_none_or(|part| newest(images, part.only_with).is_some()));
    let started = match (replacement, part) {
        (Some(file), _) => start_module(|| modules::load_bytes(file)),
        (None, Some(part)) => (part.start)(),
        // Drivers that come with this kernel have no file; a list may start them all the same.
        (None, None) => start_builtin(name),
    };
    report(name, started);
    false
}

fn report(name: &[u8], started: Result<(), Error>) {
    if let Err(error) = started {
        log!("IOP: error: {} does not start: {error:?}", core::str::from_utf8(name).unwrap_or("?"));
    }
}

/// Bytes of a path to a file of the ROM.
const PATH_BYTES: usize = 20;

fn start_builtin(name: &[u8]) -> Result<(), Error> {
    const DEVICE: &[u8] = b"rom0:";
    let mut path = [0; PATH_BYTES];
    let end = DEVICE.len() + name.len();
    if end >= PATH_BYTES {
        return Err(Error::NoFile);
    }
    path[..DEVICE.len()].copy_from_slice(DEVICE);
    path[DEVICE.len()..end].copy_from_slice(name);
    start_module(|| modules::load_file(path.as_ptr(), modules::Target::ANYWHERE))
}

/// Priority of a function that a module's start asks for by its result.
///
/// Source: IOP kernel, LOADCORE
const ASKED_PRIORITY: u32 = 2;
const ADDRESS_BITS: i32 = !3;

/// Loads and starts a module as the boot does: without arguments. Its result may be a function for the boot's end.
fn start_module(load: impl FnOnce() -> Result<i32, Error>) -> Result<(), Error> {
    let id = load()?;
    let result = modules::start_module(id, null(), null(), 0)?;
    if result & ADDRESS_BITS != 0 {
        let address = (result & ADDRESS_BITS) as usize;
        // SAFETY: beside the two low bits the result is a function's address; that is the contract.
        let function = unsafe { core::mem::transmute::<usize, post_boot::Function>(address) };
        post_boot::register(function, ASKED_PRIORITY);
    }
    Ok(())
}
