//! Modules from files and from memory: placed, relocated, linked, listed.

use super::record::{RECORD_BYTES, Record, append, take_out};
use super::{builtin, on_loader};
use crate::machine::ioman::{self, OPEN_READ};
use crate::machine::libraries::loadcore::{link, unlink};
use crate::machine::memory::{MEMORY, MEMORY_BYTES, may_read, may_write};
use bootrom_iop::errors::Error;
use bootrom_iop::irx::{Module, load, module_of};
use bootrom_iop::memory::{FREE_BIT, Place, place_of};

/// Where a module's image goes.
#[derive(Clone, Copy)]
pub enum Target {
    /// To memory that is allocated there.
    New(Place),
    /// To memory that the caller has allocated: its address, and the distance from it.
    Within(u32, u32),
}

impl Target {
    /// Anywhere.
    pub const ANYWHERE: Self = Self::New(Place::Lowest);

    /// By a caller's address and distance: no address is anywhere, and without a distance the memory is not allocated yet.
    ///
    /// Source: IOP kernel, MODLOAD
    #[must_use]
    pub const fn at(address: u32, distance: u32) -> Self {
        match (address, distance) {
            (0, _) => Self::ANYWHERE,
            (_, 0) => Self::New(Place::At(address)),
            _ => Self::Within(address, distance),
        }
    }
}

/// Loads the module file at `path`; the result is its id.
///
/// # Errors
/// No file, unreadable, no module, no memory, a library missing.
pub fn load_file(path: *const u8, target: Target) -> Result<i32, Error> {
    match builtin::load(path) {
        Some(id) => id,
        None => on_loader(|| with_file(path, |file| load_image(file, target)))?,
    }
}

/// Loads the module that lies in memory at `address`; its end is not known, so its headers say how long it is.
///
/// # Errors
/// As [`load_file`].
pub fn load_memory(address: u32, target: Target) -> Result<i32, Error> {
    on_loader(|| load_image(file_at(address)?, target))?
}

/// Loads the module file in `bytes`; the result is its id.
///
/// # Errors
/// As [`load_file`].
pub fn load_bytes(bytes: &[u8]) -> Result<i32, Error> {
    on_loader(|| load_image(bytes, Target::ANYWHERE))?
}

/// Loads the module that `decrypt` finds in the file at `path`: it gets where the file lies in memory and tells where the
/// module does, 0 for none.
///
/// # Errors
/// As [`load_file`].
pub fn load_decrypted(path: *const u8, decrypt: impl FnOnce(u32) -> u32) -> Result<i32, Error> {
    on_loader(|| {
        with_file(path, |file| match decrypt(file.as_ptr() as u32) {
            0 => Err(Error::IllegalObject),
            address => load_image(file_at(address)?, Target::ANYWHERE),
        })
    })?
}

/// What the module file in memory at `address` says.
///
/// # Errors
/// No module.
pub fn probe(address: u32) -> Result<Module, Error> {
    module_of(file_at(address)?)
}

/// Loads the module file at `address` to the caller's memory at `base`, and writes its record in front of that. It is neither
/// linked nor listed.
///
/// # Errors
/// No module; nothing to load to.
pub fn load_at(address: u32, base: u32) -> Result<Module, Error> {
    let file = file_at(address)?;
    let module = module_of(file)?;
    let bytes = (module.memory_bytes as u32).saturating_add(RECORD_BYTES);
    if base < RECORD_BYTES || !base.is_multiple_of(16) || !may_write(base - RECORD_BYTES, bytes) {
        return Err(Error::IllegalObject);
    }
    // SAFETY: the caller has allocated what the module says that it needs, with its record.
    let memory = unsafe { core::slice::from_raw_parts_mut(base as *mut u8, module.memory_bytes) };
    load(file, &module, memory, base)?;
    // SAFETY: as above.
    unsafe { ((base - RECORD_BYTES) as *mut Record).write(record_of(&module, base)) };
    Ok(module)
}

/// The memory from `address` to where a module file there must end.
///
/// # Errors
/// There is none.
fn file_at(address: u32) -> Result<&'static [u8], Error> {
    let place = place_of(address, MEMORY_BYTES);
    let bytes = MEMORY.with(|memory| {
        let start = memory.block_start(place)? & !FREE_BIT;
        let size = memory.block_size(place)? & !FREE_BIT;
        Some(start + size - place)
    });
    // Outside of the memory there is only the ROM's window.
    let bytes = bytes.unwrap_or(ROM_MODULE_BYTES);
    if !may_read(address, bytes) {
        return Err(Error::IllegalObject);
    }
    // SAFETY: the range lies in one block of memory, or in the ROM.
    Ok(unsafe { core::slice::from_raw_parts(address as *const u8, bytes as usize) })
}

/// Bytes of the ROM behind the place where the emulator puts a module.
const ROM_MODULE_BYTES: u32 = 0x4_0000;

/// Reads a whole file into memory from the top and runs `body` on it.
fn with_file<R>(path: *const u8, body: impl FnOnce(&[u8]) -> Result<R, Error>) -> Result<R, Error> {
    let fd = ioman::open(path, OPEN_READ as i32);
    if fd < 0 {
        return Err(Error::NoFile);
    }
    let size = ioman::lseek(fd, 0, 2);
    let buffer = match u32::try_from(size) {
        Err(_) | Ok(0) => Err(Error::FileError),
        Ok(size) => MEMORY.with(|memory| memory.allocate(Place::Highest, size)).ok_or(Error::NoMemory),
    };
    let result = buffer.and_then(|buffer| {
        let whole = ioman::lseek(fd, 0, 0) == 0 && ioman::read(fd, buffer as *mut u8, size) == size;
        let result = if whole {
            // SAFETY: the buffer was just allocated with that size and filled.
            body(unsafe { core::slice::from_raw_parts(buffer as *const u8, size as usize) })
        } else {
            Err(Error::FileError)
        };
        MEMORY.with(|memory| memory.free(buffer));
        result
    });
    ioman::close(fd);
    result
}

/// The memory for a module of `bytes` with its record, and whether it is the caller's.
fn memory_for(target: Target, bytes: u32) -> Result<(u32, bool), Error> {
    MEMORY.with(|memory| match target {
        Target::New(place) => memory.allocate(place, bytes).map(|block| (block, false)).ok_or(match place {
            Place::At(address) if memory.block_start(address).is_some_and(|start| start & FREE_BIT == 0) => {
                Error::MemoryInUse
            }
            _ => Error::NoMemory,
        }),
        Target::Within(block, distance) => {
            let fits = memory.block_start(block) == Some(block)
                && distance.is_multiple_of(16)
                && memory.room(block).is_some_and(|room| distance.saturating_add(bytes) <= room);
            if fits { Ok((block + distance, true)) } else { Err(Error::NoMemory) }
        }
    })
}

/// Places, relocates and links a module; the result is its id.
fn load_image(file: &[u8], target: Target) -> Result<i32, Error> {
    let module = module_of(file)?;
    let bytes = u32::try_from(module.memory_bytes).ok().and_then(|bytes| bytes.checked_add(RECORD_BYTES));
    let (block, borrowed) = memory_for(target, bytes.ok_or(Error::NoMemory)?)?;
    let base = block + RECORD_BYTES;
    // SAFETY: the block is that large, and nobody else's.
    let memory = unsafe { core::slice::from_raw_parts_mut(base as *mut u8, module.memory_bytes) };
    let loaded = load(file, &module, memory, base).and_then(|()| link(base, module.text_bytes));
    if let Err(error) = loaded {
        if !borrowed {
            MEMORY.with(|memory| memory.free(block));
        }
        return Err(error);
    }
    let record = Record { borrowed: borrowed.into(), ..record_of(&module, base) };
    // SAFETY: the block begins with room for the record.
    Ok(unsafe { append(block as *mut Record, record) }.into())
}

/// The record of a module whose image lies at `base`, relocated.
fn record_of(module: &Module, base: u32) -> Record {
    let (name, version) = match module.identity {
        // SAFETY: the identity lies inside of the image.
        Some(identity) => unsafe {
            let identity = (base + identity) as *const u32;
            (identity.read_unaligned(), identity.add(1).read_unaligned() as u16)
        },
        None => (0, module.version),
    };
    Record {
        name: name_in(module, base, name),
        version,
        entry: base + module.entry,
        gp: base.wrapping_add(module.gp),
        text_start: base,
        text_bytes: module.text_bytes,
        data_bytes: module.data_bytes,
        bss_bytes: module.bss_bytes,
        ..Record::EMPTY
    }
}

/// The name at an address, null unless it lies inside of the image with its end.
fn name_in(module: &Module, base: u32, address: u32) -> *const u8 {
    // SAFETY: the image lies there, loaded.
    let image = unsafe { core::slice::from_raw_parts(base as *const u8, module.memory_bytes) };
    let rest = address.checked_sub(base).and_then(|place| image.get(place as usize..));
    if rest.is_some_and(|rest| rest.contains(&0)) { address as *const u8 } else { core::ptr::null() }
}

/// Takes a module out of the list and frees its memory.
pub fn remove(record: *mut Record) {
    // SAFETY: the record is listed until the next line, and its block this kernel's or its owner's until the last.
    let (start, bytes, borrowed) = unsafe { ((*record).text_start, (*record).text_bytes, (*record).borrowed != 0) };
    if take_out(record) {
        unlink(start, bytes);
        if !borrowed {
            MEMORY.with(|memory| memory.free(record as u32));
        }
    }
}
