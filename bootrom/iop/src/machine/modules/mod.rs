//! MODLOAD: modules from files and from memory, on a thread of their own.
//!
//! A module's start function runs on the loader's thread, whoever asked for it: it has that thread's stack and priority, and
//! while it runs no other module is loaded or started. [`load`] brings a module into memory and writes its [`record`];
//! [`running`] starts and stops it; [`builtin`] does so for the drivers that are part of this kernel.

mod builtin;
mod load;
mod record;
mod running;

pub use builtin::Builtin;
pub use load::{Target, load_at, load_bytes, load_decrypted, load_file, load_memory, probe};
pub use record::{Record, Status, by_address, find_by_address, find_by_name, ids, list, status, take_out};
pub use running::{set_flags, start_module, stop_module, stop_own, unload_module, unload_own};

use super::console::log;
use super::critical::Shared;
use super::threads::{self, THREADS, call, call_blocking};
use bootrom_iop::errors::Error;

/// Priority and stack of the loader's thread.
///
/// Source: IOP kernel, MODLOAD
const LOADER_PRIORITY: u32 = 8;
/// Our choice: twice the usual 4 KiB, because our own drivers start on it as well.
const LOADER_STACK: u32 = 0x2000;

struct Loader {
    /// Held by whoever has a request with the loader.
    lock: i32,
    /// Signalled for the loader, and by it.
    request: i32,
    done: i32,
    thread: i32,
    work: Option<(fn(u32), u32)>,
}

static LOADER: Shared<Loader> = Shared::new(Loader { lock: 0, request: 0, done: 0, thread: 0, work: None });

/// Starts the loader.
///
/// # Errors
/// No record or no memory.
pub fn start(builtins: &'static [Builtin]) -> Result<(), Error> {
    builtin::set(builtins);
    record::add_system();
    let (lock, request, done) = THREADS.with(|threads| {
        Ok((
            threads.create_semaphore(0, 0, 1, 1)?,
            threads.create_semaphore(0, 0, 0, 1)?,
            threads.create_semaphore(0, 0, 0, 1)?,
        ))
    })?;
    LOADER.with(|loader| (loader.lock, loader.request, loader.done) = (lock, request, done));
    let thread = threads::spawn(run_loader, LOADER_PRIORITY, LOADER_STACK, 0)?;
    LOADER.with(|loader| loader.thread = thread);
    Ok(())
}

extern "C" fn run_loader(_argument: u32) -> i32 {
    let (request, done) = LOADER.with(|loader| (loader.request, loader.done));
    loop {
        if call_blocking(|threads| threads.wait_semaphore(request)).is_err() {
            continue;
        }
        if let Some((work, argument)) = LOADER.with(|loader| loader.work.take()) {
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
    let (lock, request, done, thread) = LOADER.with(|loader| (loader.lock, loader.request, loader.done, loader.thread));
    // A module's start function may load another one: that is the loader's thread already.
    if THREADS.with(|threads| threads.current_id()) == thread {
        return Ok(body());
    }
    call_blocking(|threads| threads.wait_semaphore(lock))?;
    let mut job = Job { body: Some(body), result: None };
    let work = work_of(&job);
    LOADER.with(|loader| loader.work = Some((work, &raw mut job as u32)));
    let _ = call(|threads| threads.signal_semaphore(request));
    // The job is on this stack: leave only when it is done, even if somebody ends the wait.
    while call_blocking(|threads| threads.wait_semaphore(done)).is_err() {}
    let _ = call(|threads| threads.signal_semaphore(lock));
    job.result.ok_or(Error::IllegalContext)
}

/// Loads and starts the module file at `path`: its id, and what its start function returned.
///
/// # Errors
/// As [`load_file`].
pub fn load_and_start(path: *const u8, arguments: *const u8, bytes: u32) -> Result<(i32, i32), Error> {
    let id = load_file(path, Target::ANYWHERE)?;
    let result = start_module(id, path, arguments, bytes)?;
    Ok((id, result))
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
    let started = load_memory(PLACE, Target::ANYWHERE)
        .and_then(|id| start_module(id, c"".as_ptr().cast(), c"".as_ptr().cast(), 0));
    match started {
        Ok(result) => log!("IOP: the given module returned {result}"),
        Err(error) => log!("IOP: error: the given module does not start: {error:?}"),
    }
}
