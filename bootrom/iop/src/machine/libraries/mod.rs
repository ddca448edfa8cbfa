//! The libraries that modules import: tables of functions under the numbers that modules know.
//!
//! Each file holds one library: its table first, then functions that turn a caller's pointers and numbers into calls of the kernel.
//! [`loadcore`] registers the tables and links modules to them.

pub mod cdvdman;
mod dmacman;
mod excepman;
mod heaplib;
mod intrman;
mod ioman;
pub mod loadcore;
mod modload;
mod romdrv;
mod secrman;
mod sifcmd;
mod sifman;
pub mod sio2man;
mod ssbusc;
mod stdio;
mod sysclib;
pub mod sysmem;
mod thbase;
mod thevent;
mod thmsgbx;
mod thpool;
mod thsemap;
mod timrman;
mod vblank;

use super::critical::critical;
use super::ioman as files;
use super::memory;
use super::threads::{THREADS, call, call_blocking, in_interrupt};
use bootrom_iop::errors::{Error, code_of};
use bootrom_iop::loadcore::EXPORT_MAGIC;
use bootrom_iop::threads::{Threads, Waited};
use core::cell::UnsafeCell;

/// A function's address, as tables hold it.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Function(*const ());

/// An export table: magic, clients, version and mode, name, functions by number, and a zero behind them.
///
/// Source: IOP facts, Import and export tables
#[repr(C, align(4))]
pub struct Exports<const N: usize> {
    /// The magic number and the list of clients, which registering changes.
    header: UnsafeCell<[u32; 2]>,
    version: u16,
    mode: u16,
    name: [u8; 8],
    functions: [Function; N],
    end: u32,
}

// SAFETY: the header is only changed by the registration, under held interrupts; the rest is constant.
unsafe impl<const N: usize> Sync for Exports<N> {}

/// A table of `N` numbers; those without a function of their own return 0.
pub const fn exports<const N: usize, const M: usize>(
    name: &[u8],
    version: u16,
    named: [(usize, *const ()); M],
) -> Exports<N> {
    let mut padded = [0; 8];
    let mut index = 0;
    while index < name.len() {
        padded[index] = name[index];
        index += 1;
    }
    let mut functions = [Function(nothing as *const ()); N];
    let mut index = 0;
    while index < M {
        functions[named[index].0] = Function(named[index].1);
        index += 1;
    }
    Exports { header: UnsafeCell::new([EXPORT_MAGIC, 0]), version, mode: 0, name: padded, functions, end: 0 }
}

impl<const N: usize> Exports<N> {
    /// Where the table lies.
    pub fn address(&'static self) -> u32 {
        self as *const Self as u32
    }

    /// Registers the table.
    fn register(&'static self) {
        let address = self as *const Self as u32;
        if let Err(error) = loadcore::register(address) {
            super::console::log!("IOP: error: library at {address:08x} is not registered: {error:?}");
        }
    }
}

/// Registers the table of a library that comes with a driver.
///
/// # Errors
/// It is registered already.
pub fn register_late<const N: usize>(table: &'static Exports<N>) -> Result<(), Error> {
    loadcore::register(table as *const Exports<N> as u32)
}

/// Every number without a function of its own.
pub extern "C" fn nothing() -> i32 {
    0
}

/// Registers every library of the kernel.
pub fn start() {
    // In this order: other software knows the loader's table by the one before it.
    sysmem::TABLE.register();
    loadcore::TABLE.register();
    excepman::TABLE.register();
    intrman::TABLE.register();
    ssbusc::TABLE.register();
    dmacman::TABLE.register();
    thbase::TABLE.register();
    thsemap::TABLE.register();
    thevent::TABLE.register();
    thmsgbx::TABLE.register();
    thpool::FIXED.register();
    thpool::VARIABLE.register();
    heaplib::TABLE.register();
    timrman::TABLE.register();
    sifman::TABLE.register();
    sifcmd::TABLE.register();
    ioman::TABLE.register();
    files::link_own_calls();
    modload::TABLE.register();
    romdrv::TABLE.register();
    secrman::TABLE.register();
    stdio::TABLE.register();
    sysclib::TABLE.register();
    vblank::TABLE.register();
    vblank::start();
}

/// Waits for the next vertical blank to begin. For threads.
pub fn wait_vertical_blank() {
    // An ended wait is a shorter one.
    let _ = vblank::wait_start();
}

/// Work that only threads may ask for: an interrupt handler is refused.
///
/// Source: IOP kernel, THREADMAN (functions called in the wrong place)
fn for_threads(work: impl FnOnce() -> Result<i32, Error>) -> i32 {
    code_of(if in_interrupt() { Err(Error::IllegalContext) } else { work() })
}

/// Work that only interrupt handlers may ask for: a thread is refused.
///
/// Source: IOP kernel, THREADMAN (functions called in the wrong place)
fn for_handlers(work: impl FnOnce() -> Result<i32, Error>) -> i32 {
    code_of(if in_interrupt() { work() } else { Err(Error::IllegalContext) })
}

/// A call from a thread that may make another one more urgent.
fn from_thread(body: impl FnOnce(&mut Threads) -> Result<i32, Error>) -> i32 {
    for_threads(|| call(body))
}

/// A call from a thread that changes nobody's turn.
fn asked_by_thread(body: impl FnOnce(&mut Threads) -> Result<i32, Error>) -> i32 {
    for_threads(|| THREADS.with(body))
}

/// A call from an interrupt handler.
fn from_interrupt(body: impl FnOnce(&mut Threads) -> Result<i32, Error>) -> i32 {
    for_handlers(|| THREADS.with(body))
}

/// A call that may block; `store` gets the value that the wait came to.
fn blocking(body: impl FnOnce(&mut Threads) -> Result<Waited, Error>, store: impl FnOnce(u32)) -> i32 {
    match call_blocking(body) {
        Ok(value) => {
            store(value);
            0
        }
        Err(error) => error.code(),
    }
}

/// A call that may block and returns the value that the wait came to, which is an address.
fn blocking_value(body: impl FnOnce(&mut Threads) -> Result<Waited, Error>) -> i32 {
    code_of(call_blocking(body).map(|value| value as i32))
}

/// Writes a result to a caller's pointer, unless that is null; 0 when it could be written, for calls that return just that.
///
/// A place that is not the caller's to [name](memory::may_write) is refused.
fn tell<T>(target: *mut T, value: T) -> Result<i32, Error> {
    if store(target, value) { Ok(0) } else { Err(Error::IllegalAddress) }
}

/// Refuses a pointer that [`tell`] would not write to.
fn may_tell<T>(target: *const T) -> Result<(), Error> {
    let may = target.is_null() || memory::may_write(target as u32, size_of::<T>() as u32);
    if may { Ok(()) } else { Err(Error::IllegalAddress) }
}

/// Writes `value` to a caller's pointer, unless that is null; false for a place that is not the caller's to
/// [name](memory::may_write), which stays as it is.
pub fn store<T>(target: *mut T, value: T) -> bool {
    let may = may_tell(target).is_ok();
    if may && !target.is_null() {
        // SAFETY: pointers that callers pass are theirs to be written.
        critical(|| unsafe { target.write_unaligned(value) });
    }
    may
}

/// Reads a caller's record.
///
/// # Errors
/// It is not the caller's to [name](memory::may_read).
pub fn fetch<T: Copy>(source: *const T) -> Result<T, Error> {
    if !memory::may_read(source as u32, size_of::<T>() as u32) {
        return Err(Error::IllegalAddress);
    }
    // SAFETY: memory, as was asked; plain data.
    Ok(unsafe { source.read_unaligned() })
}
