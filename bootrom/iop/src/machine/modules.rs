//! MODLOAD: modules from files and from memory, on a thread of their own.
//!
//! A module's start function runs on the loader's thread, whoever asked for it: it has that thread's stack and priority, and
//! while it runs no other module is loaded or started.

use super::console::log;
use super::critical::{Shared, critical};
use super::ioman::{self, OPEN_READ, text_of};
use super::libraries::loadcore::{link, unlink};
use super::memory::MEMORY;
use super::threads::{self, THREADS, call, call_blocking};
use bootrom_iop::errors::Error;
use bootrom_iop::irx::{load, module_of};
use bootrom_iop::memory::Place;
use core::ptr::null_mut;

/// Bytes of the record in front of a module's image.
const RECORD_BYTES: u32 = 0x30;
/// Priority and stack of the loader's thread.
///
/// Source: IOP kernel, MODLOAD
const LOADER_PRIORITY: u32 = 8;
/// Our choice: twice the usual 4 KiB, because our own drivers start on it as well.
const LOADER_STACK: u32 = 0x2000;
/// Arguments of a start function.
const ARGUMENTS: usize = 32;
/// Start results: resident, not resident, removable.
const RESULT_MASK: i32 = 3;
const RESULT_NOT_RESIDENT: i32 = 1;
const RESULT_REMOVABLE: i32 = 2;
/// States of a module, in the low bits of its flags.
const STATE_LOADED: u16 = 1;
const STATE_STARTING: u16 = 2;
const STATE_STARTED: u16 = 3;
const STATE_MASK: u16 = 0xF;
/// Flag: it may be stopped.
const FLAG_REMOVABLE: u16 = 0x10;

/// The record of a module, as other software reads it.
#[repr(C)]
struct Record {
    next: *mut Record,
    name: *const u8,
    version: u16,
    new_flags: u16,
    id: u16,
    flags: u16,
    entry: u32,
    gp: u32,
    text_start: u32,
    text_bytes: u32,
    data_bytes: u32,
    bss_bytes: u32,
    unused: [u32; 2],
}

/// A module that is part of this kernel and is there once it is asked for by its ROM name.
pub struct Builtin {
    /// Its name in the ROM.
    pub name: &'static [u8],
    /// What starting it does.
    pub start: fn() -> Result<(), Error>,
}

struct Modules {
    first: *mut Record,
    next_id: u16,
    /// Held by whoever has a request with the loader.
    lock: i32,
    /// Signalled for the loader, and by it.
    request: i32,
    done: i32,
    loader: i32,
    work: Option<(fn(u32), u32)>,
    builtins: &'static [Builtin],
    /// The last id of each built-in module, and whether it runs.
    builtin_ids: [u16; BUILTINS],
    builtin_runs: [bool; BUILTINS],
}

const BUILTINS: usize = 16;

/// Ids that the modules of the boot have, before any that is loaded.
///
/// Source: IOP kernel, UDNL and IOPRP (a boot list of some 30 modules)
const BOOT_MODULES: u16 = 32;

static MODULES: Shared<Modules> = Shared::new(Modules {
    first: null_mut(),
    next_id: BOOT_MODULES,
    lock: 0,
    request: 0,
    done: 0,
    loader: 0,
    work: None,
    builtins: &[],
    builtin_ids: [0; BUILTINS],
    builtin_runs: [false; BUILTINS],
});

/// Starts the loader.
///
/// # Errors
/// No record or no memory.
pub fn start(builtins: &'static [Builtin]) -> Result<(), Error> {
    let (lock, request, done) = THREADS.with(|threads| {
        Ok((
            threads.create_semaphore(0, 0, 1, 1)?,
            threads.create_semaphore(0, 0, 0, 1)?,
            threads.create_semaphore(0, 0, 0, 1)?,
        ))
    })?;
    MODULES.with(|modules| {
        (modules.lock, modules.request, modules.done, modules.builtins) = (lock, request, done, builtins)
    });
    let loader = threads::spawn(run_loader, LOADER_PRIORITY, LOADER_STACK, 0)?;
    MODULES.with(|modules| modules.loader = loader);
    Ok(())
}

extern "C" fn run_loader(_argument: u32) -> i32 {
    let (request, done) = MODULES.with(|modules| (modules.request, modules.done));
    loop {
        if call_blocking(|threads| threads.wait_semaphore(request)).is_err() {
            continue;
        }
        if let Some((work, argument)) = MODULES.with(|modules| modules.work.take()) {
            work(argument);
        }
        // Exactly one request waits for it.
        let _ = call(|threads| threads.signal_semaphore(done));
    }
}

/// Runs `body` on the loader's thread and waits for its result.
fn on_loader<R>(body: impl FnOnce() -> R) -> Result<R, Error> {
    struct Job<F, R> {
        body: Option<F>,
        result: Option<R>,
    }
    fn work<F: FnOnce() -> R, R>(argument: u32) {
        // SAFETY: `on_loader` keeps the job on its own stack until the loader is done with it.
        let job = unsafe { &mut *(argument as *mut Job<F, R>) };
        job.result = job.body.take().map(|body| body());
    }
    fn work_of<F: FnOnce() -> R, R>(_job: &Job<F, R>) -> fn(u32) {
        work::<F, R>
    }
    let (lock, request, done, loader) =
        MODULES.with(|modules| (modules.lock, modules.request, modules.done, modules.loader));
    // A module's start function may load another one: that is the loader's thread already.
    if THREADS.with(|threads| threads.current_id()) == loader {
        return Ok(body());
    }
    call_blocking(|threads| threads.wait_semaphore(lock))?;
    let mut job = Job { body: Some(body), result: None };
    let work = work_of(&job);
    MODULES.with(|modules| modules.work = Some((work, &raw mut job as u32)));
    let _ = call(|threads| threads.signal_semaphore(request));
    // The job is on this stack: leave only when it is done, even if somebody ends the wait.
    while call_blocking(|threads| threads.wait_semaphore(done)).is_err() {}
    let _ = call(|threads| threads.signal_semaphore(lock));
    job.result.ok_or(Error::IllegalContext)
}

/// Loads the module file at `path`; the result is its id.
///
/// # Errors
/// No file, unreadable, no module, no memory, a library missing.
pub fn load_file(path: *const u8) -> Result<i32, Error> {
    if let Some(id) = builtin(path) {
        return Ok(id);
    }
    on_loader(|| with_file(path, |file| load_image(file, None)))?
}

/// A new id for the built-in module that `path` names, if it names one.
fn builtin(path: *const u8) -> Option<i32> {
    // SAFETY: the caller passes a string.
    let name = unsafe { text_of(path) }.strip_prefix(b"rom0:")?;
    MODULES.with(|modules| {
        let place = modules.builtins.iter().position(|builtin| builtin.name == name)?;
        modules.builtin_ids[place] = modules.next_id;
        modules.next_id += 1;
        Some(modules.builtin_ids[place].into())
    })
}

/// Starts the built-in module `id`, if it is one. As with any module, a second start finds its libraries there and does not
/// stay resident.
fn start_builtin(id: i32) -> Option<Result<i32, Error>> {
    let place =
        MODULES.with(|modules| modules.builtin_ids.iter().position(|known| i32::from(*known) == id && id != 0))?;
    let (start, runs) = MODULES.with(|modules| {
        let runs = core::mem::replace(&mut modules.builtin_runs[place], true);
        (modules.builtins[place].start, runs)
    });
    if runs {
        return Some(Ok(RESULT_NOT_RESIDENT));
    }
    Some(on_loader(start).and_then(|started| started.map(|()| 0)))
}

/// Loads the module that lies in memory at `address`; its end is not known, so its headers say how long it is.
///
/// # Errors
/// As [`load_file`].
pub fn load_memory(address: u32) -> Result<i32, Error> {
    let bytes = MEMORY.with(|memory| {
        let start = memory.block_start(address)? & !bootrom_iop::memory::FREE_BIT;
        let size = memory.block_size(address)? & !bootrom_iop::memory::FREE_BIT;
        Some(start + size - address)
    });
    // Outside of the memory there is only the ROM's window.
    let bytes = bytes.unwrap_or(ROM_MODULE_BYTES);
    on_loader(|| {
        // SAFETY: the range lies in one block of memory, or in the ROM.
        load_image(unsafe { core::slice::from_raw_parts(address as *const u8, bytes as usize) }, None)
    })?
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

/// Places, relocates and links a module; the result is its id.
fn load_image(file: &[u8], at: Option<u32>) -> Result<i32, Error> {
    let module = module_of(file)?;
    let bytes = module.memory_bytes as u32 + RECORD_BYTES;
    let place = at.map_or(Place::Lowest, Place::At);
    let block = MEMORY.with(|memory| memory.allocate(place, bytes)).ok_or(Error::NoMemory)?;
    let base = block + RECORD_BYTES;
    // SAFETY: the block was just allocated with that size.
    let memory = unsafe { core::slice::from_raw_parts_mut(base as *mut u8, module.memory_bytes) };
    let loaded = load(file, &module, memory, base).and_then(|()| link(base, module.text_bytes));
    if let Err(error) = loaded {
        MEMORY.with(|memory| memory.free(block));
        return Err(error);
    }
    let (name, version) = match module.identity {
        // SAFETY: the identity lies inside of the image, relocated.
        Some(identity) => unsafe {
            let identity = (base + identity) as *const u32;
            (identity.read_unaligned(), identity.add(1).read_unaligned() as u16)
        },
        None => (0, module.version),
    };
    let id = MODULES.with(|modules| {
        let id = modules.next_id;
        modules.next_id += 1;
        let record = Record {
            next: null_mut(),
            name: name as *const u8,
            version,
            new_flags: STATE_LOADED,
            id,
            flags: 0,
            entry: base + module.entry,
            gp: base.wrapping_add(module.gp),
            text_start: base,
            text_bytes: module.text_bytes,
            data_bytes: module.data_bytes,
            bss_bytes: module.bss_bytes,
            unused: [0; 2],
        };
        let mut end = &raw mut modules.first;
        // SAFETY: the record's place was just allocated; listed records stay valid, and interrupts are held.
        unsafe {
            (block as *mut Record).write(record);
            while !(*end).is_null() {
                end = &raw mut (**end).next;
            }
            *end = block as *mut Record;
        }
        id
    });
    flush();
    Ok(id.into())
}

/// Makes new code visible to the processor.
///
/// Our choice: nothing; the ROM runs where there is no instruction cache, and stores take back translated code.
fn flush() {}

/// The record of module `id`.
fn record_of(id: i32) -> Option<*mut Record> {
    critical(|| {
        let mut record = MODULES.with(|modules| modules.first);
        // SAFETY: listed records stay valid, and interrupts are held.
        unsafe {
            while !record.is_null() && i32::from((*record).id) != id {
                record = (*record).next;
            }
        }
        (!record.is_null()).then_some(record)
    })
}

unsafe extern "C" {
    /// Calls a start function with the module's global pointer.
    fn call_module(entry: u32, gp: u32, count: i32, arguments: *const u32, record: *mut Record) -> i32;
}

core::arch::global_asm!(
    ".set noreorder",
    ".globl call_module",
    "call_module:",
    "    addiu $29, $29, -32",
    "    sw    $31, 28($29)",
    "    sw    $28, 24($29)",
    "    lw    $8, 48($29)",
    "    move  $9, $4",
    "    move  $28, $5",
    "    move  $4, $6",
    "    move  $5, $7",
    "    move  $6, $0",
    "    move  $7, $8",
    "    jalr  $9",
    "    nop",
    "    lw    $31, 28($29)",
    "    lw    $28, 24($29)",
    "    addiu $29, $29, 32",
    "    jr    $31",
    "    nop",
    ".set reorder",
);

/// Starts module `id` with its name and the `bytes` of strings, each ended, at `arguments`; the result is what its start
/// function returned.
///
/// # Errors
/// Unknown; started already.
pub fn start_module(id: i32, name: *const u8, arguments: *const u8, bytes: u32) -> Result<i32, Error> {
    if let Some(result) = start_builtin(id) {
        return result;
    }
    let record = record_of(id).ok_or(Error::UnknownModule)?;
    on_loader(|| {
        // SAFETY: listed records stay valid; only the loader starts and removes modules.
        let (entry, gp) = unsafe {
            if (*record).new_flags & STATE_MASK != STATE_LOADED {
                return Err(Error::AlreadyStarted);
            }
            (*record).new_flags = STATE_STARTING;
            ((*record).entry, (*record).gp)
        };
        let mut list = [0; ARGUMENTS + 1];
        list[0] = name as u32;
        let mut count = 1;
        let mut begins = true;
        for index in 0..bytes {
            let at = arguments.wrapping_add(index as usize);
            if begins && count < ARGUMENTS {
                list[count] = at as u32;
                count += 1;
            }
            // SAFETY: the caller passes that many bytes.
            begins = unsafe { at.read() } == 0;
        }
        // SAFETY: the module was checked, relocated and linked.
        let result = unsafe { call_module(entry, gp, count as i32, list.as_ptr(), record) };
        match result & RESULT_MASK {
            RESULT_NOT_RESIDENT => remove(record),
            resident => {
                let removable = if resident == RESULT_REMOVABLE { FLAG_REMOVABLE } else { 0 };
                // SAFETY: as above.
                unsafe { (*record).new_flags = STATE_STARTED | removable };
            }
        }
        Ok(result)
    })?
}

/// Takes a module out of the list and frees its memory.
fn remove(record: *mut Record) {
    critical(|| {
        MODULES.with(|modules| {
            let mut link = &raw mut modules.first;
            // SAFETY: listed records stay valid, and interrupts are held.
            unsafe {
                while !(*link).is_null() && *link != record {
                    link = &raw mut (**link).next;
                }
                if !(*link).is_null() {
                    *link = (*record).next;
                }
            }
        });
        // SAFETY: the record is not listed any more, and its block still ours.
        let (start, bytes) = unsafe { ((*record).text_start, (*record).text_bytes) };
        unlink(start, bytes);
        MEMORY.with(|memory| memory.free(record as u32));
    });
}

/// Loads and starts the module file at `path`: its id, and what its start function returned.
///
/// # Errors
/// As [`load_file`].
pub fn load_and_start(path: *const u8, arguments: *const u8, bytes: u32) -> Result<(i32, i32), Error> {
    let id = load_file(path)?;
    let result = start_module(id, path, arguments, bytes)?;
    Ok((id, result))
}

/// The id of the first module called `name`.
///
/// # Errors
/// No such module.
pub fn find_by_name(name: *const u8) -> Result<i32, Error> {
    // SAFETY: the caller passes a string.
    let wanted = unsafe { text_of(name) };
    critical(|| {
        let mut record = MODULES.with(|modules| modules.first);
        // SAFETY: listed records stay valid, and interrupts are held.
        unsafe {
            while !record.is_null() {
                if !(*record).name.is_null() && text_of((*record).name) == wanted {
                    return Ok((*record).id.into());
                }
                record = (*record).next;
            }
        }
        Err(Error::UnknownModule)
    })
}

/// Starts the module that the emulator was given on its command line, if there is one.
///
/// Source: emulator notes, What the ROM must be
pub fn start_given_module() {
    const PLACE: u32 = 0xBFFC_0000;
    const ELF: u32 = u32::from_le_bytes(*b"\x7fELF");
    // SAFETY: the place lies in the ROM's window.
    if unsafe { (PLACE as *const u32).read_volatile() } != ELF {
        return;
    }
    let started = load_memory(PLACE).and_then(|id| start_module(id, c"".as_ptr().cast(), c"".as_ptr().cast(), 0));
    match started {
        Ok(result) => log!("IOP: the given module returned {result}"),
        Err(error) => log!("IOP: error: the given module does not start: {error:?}"),
    }
}
