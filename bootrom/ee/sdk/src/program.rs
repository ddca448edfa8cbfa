//! The program's main function: one line for each fact.

use crate::libraries::{self, Pad};
use crate::patches;
use crate::start::STACK;
use crate::stdout::Stdout;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::files::{Files, From};
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::sif::loader::Loader;
use boardwalk::ee::syscall;
use boardwalk::tty_println;
use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char};
use core::fmt::Debug;

/// What main returns when all was as it should be.
const GOOD: i32 = 3;
/// Where the main thread's stack ends, and bytes of a context below that.
const STACK_END: u32 = 0x01FF_F000;
const CONTEXT: u32 = 0x2A0;
/// Where programs look for the letter of the console's region.
const REGION_LETTER: u32 = 0x1FC7_FF52;
/// Drivers that programs load out of the ROM.
const DRIVERS: [&[u8]; 5] = [b"rom0:SIO2MAN", b"rom0:PADMAN", b"rom0:MCMAN", b"rom0:MCSERV", b"rom0:LIBSD"];

/// The second generation of two of them.
const NEW_DRIVERS: [&[u8]; 2] = [b"rom0:XSIO2MAN", b"rom0:XPADMAN"];

/// Memory that start-up has cleared.
struct Cleared(UnsafeCell<[u32; 1000]>);
// SAFETY: nothing writes it.
unsafe impl Sync for Cleared {}
static CLEARED: Cleared = Cleared(UnsafeCell::new([0; 1000]));

/// Facts, printed by the library's way.
struct Facts {
    link: Link,
    stdout: Stdout,
    failed: u32,
}

impl Facts {
    fn equal<T: PartialEq + Debug>(&mut self, what: &str, found: T, expected: T) -> Result<(), Error> {
        if found == expected {
            return self.stdout.line(&mut self.link, format_args!("SDK ok {what}"));
        }
        self.failed += 1;
        self.stdout.line(&mut self.link, format_args!("SDK FAILED {what}: {found:?} instead of {expected:?}"))
    }
}

/// Called by the start-up code.
#[unsafe(no_mangle)]
extern "C" fn sdk_main(count: i32, values: *const *const c_char, stack: u32, heap_end: u32) -> i32 {
    let path = match count {
        // SAFETY: the kernel's block, whose strings end with a zero.
        1.. => unsafe { CStr::from_ptr(*values) }.to_bytes(),
        _ => b"",
    };
    match run(count, path, stack, heap_end) {
        Ok(0) => GOOD,
        Ok(_) => 1,
        Err(error) => {
            tty_println!("SDK FAILED {}", error);
            1
        }
    }
}

fn run(count: i32, path: &[u8], stack: u32, heap_end: u32) -> Result<u32, Error> {
    let mut link = Link::start()?;
    let stdout = Stdout::find(&mut link)?;
    let mut facts = Facts { link, stdout, failed: 0 };
    facts.equal("a stack at the end of memory", stack, STACK_END - CONTEXT)?;
    facts.equal("a heap up to the stack", heap_end, STACK_END - STACK)?;
    // SAFETY: nothing writes it.
    let cleared = unsafe { (*CLEARED.0.get()).iter().all(|word| *core::hint::black_box(word) == 0) };
    facts.equal("memory that is cleared", cleared, true)?;
    // SAFETY: a place of the ROM, which the kernel maps for programs.
    let letter = unsafe { (REGION_LETTER as *const u8).read_volatile() };
    facts.equal("a letter for the region where programs look for it", letter.is_ascii_uppercase(), true)?;
    facts.equal("one argument", count, 1)?;
    facts.equal("which is a file", path.windows(4).any(|four| four.eq_ignore_ascii_case(b".elf")), true)?;
    texts(&mut facts)?;
    // The IOP anew, as nearly every program begins.
    let Facts { link, failed, .. } = facts;
    let mut link = link.restart_iop(b"")?;
    let stdout = Stdout::find(&mut link)?;
    let mut facts = Facts { link, stdout, failed };
    facts.equal("the IOP comes back", true, true)?;
    let found = patches::apply(&facts.link)?;
    facts.equal("the loader's library is found from here", found.loader, true)?;
    facts.equal("its server is found as a module", found.server > 2, true)?;
    facts.equal("a function of the loader is written over", found.patched, true)?;
    let loader = Loader::bind(&mut facts.link)?;
    for driver in DRIVERS {
        let loaded = loader.load_module(&mut facts.link, driver, b"");
        let name = core::str::from_utf8(driver).unwrap_or("a driver");
        facts.equal(name, loaded.is_ok_and(|module| module.id > 0), true)?;
    }
    let pad = libraries::pad(&mut facts.link)?;
    let usual = Pad { state: 6, kind: pad.kind, buttons: 0xFFFF };
    facts.equal("a pad is set up", pad, usual)?;
    facts.equal("of a known kind", matches!(pad.kind, 0x41 | 0x73 | 0x79), true)?;
    let (is_old, card) = libraries::cards(&mut facts.link)?;
    facts.equal("the cards' server is the old one", is_old, true)?;
    facts.equal("and finds no card", card < -9, true)?;
    let (begun, ready) = libraries::drive(&mut facts.link)?;
    facts.equal("the drive's server answers", begun, 1)?;
    facts.equal("without a disc it is not ready", matches!(ready, 2 | 6), true)?;
    if path.starts_with(b"cdrom0:") {
        let good = libraries::reads(&mut facts.link)?;
        facts.equal("sectors are read to addresses of all kinds", good, libraries::READS.len() as u32)?;
    }
    threads(&mut facts)?;
    // The second drivers take the place of the first, on an IOP that has neither.
    let Facts { link, failed, .. } = facts;
    let mut link = link.restart_iop(b"")?;
    let stdout = Stdout::find(&mut link)?;
    let mut facts = Facts { link, stdout, failed };
    let loader = Loader::bind(&mut facts.link)?;
    for driver in NEW_DRIVERS {
        let loaded = loader.load_module(&mut facts.link, driver, b"");
        let name = core::str::from_utf8(driver).unwrap_or("a driver");
        facts.equal(name, loaded.is_ok_and(|module| module.id > 0), true)?;
    }
    let pad = libraries::new_pad(&mut facts.link)?;
    facts.equal("the second pads' server sets a pad up", pad.settled, [6, 0, 1, 2])?;
    facts.equal("and tells modes, motors and their combinations", (pad.told, pad.modes), ([2, 2, 1], [4, 7]))?;
    facts.equal("it tells what is connected, also where nobody has opened", pad.table.0, true)?;
    facts.equal("which is the first pad", pad.table.1[0], 1)?;
    facts.equal("and puts the sticks on and locks them", pad.sticks, (1, [0x73, 1, 3]))?;
    facts.equal("its end is its end", pad.ended, (1, true))?;
    if path.starts_with(b"host:") {
        host(&mut facts, &loader, path)?;
    }
    Ok(facts.failed)
}

/// Files of the host by the file server and the loader: this program's own, and a module beside it.
fn host(facts: &mut Facts, loader: &Loader, path: &[u8]) -> Result<(), Error> {
    const PATH: usize = 200;
    const MODULE: &[u8] = b"given.irx";
    let files = Files::bind(&mut facts.link)?;
    let file = files.open(&mut facts.link, path)?;
    #[repr(C, align(64))]
    struct Line([u8; 64]);
    let mut line = Line([0; 64]);
    let count = files.read(&mut facts.link, &file, &mut line.0)?;
    facts.equal("the host's file is read by the file server", (count, &line.0[..4]), (64, &b"\x7FELF"[..]))?;
    let place = files.seek(&mut facts.link, &file, 16, From::Start);
    facts.equal("and sought in", place, Ok(16))?;
    let count = files.read(&mut facts.link, &file, &mut line.0)?;
    facts.equal("where it goes on: a program", (count, line.0[0]), (64, 2))?;
    let closed = files.close(&mut facts.link, file);
    facts.equal("and closed", closed, Ok(()))?;
    // Beside this program.
    let folder = path.iter().rposition(|byte| matches!(byte, b'/' | b':')).map_or(0, |place| place + 1);
    let mut beside = [0; PATH];
    let end = folder + MODULE.len();
    let fits = end <= PATH;
    facts.equal("the module's path fits", fits, true)?;
    if !fits {
        return Ok(());
    }
    beside[..folder].copy_from_slice(&path[..folder]);
    beside[folder..end].copy_from_slice(MODULE);
    beside[end - 1] = b'?';
    let missing = files.open(&mut facts.link, &beside[..end]).is_err();
    facts.equal("a file that the host does not have", missing, true)?;
    let missing = loader.load_module(&mut facts.link, &beside[..end], b"");
    facts.equal("nor as a module", missing.is_ok_and(|module| module.id > 0), false)?;
    beside[end - 1] = MODULE[MODULE.len() - 1];
    let loaded = loader.load_module(&mut facts.link, &beside[..end], b"");
    facts.equal("the host's module is loaded by the loader", loaded.is_ok_and(|module| module.id > 0), true)
}

/// Prints the same text from every place in a line.
fn texts(facts: &mut Facts) -> Result<(), Error> {
    for start in 0..17 {
        let text = &"abcdefghijklmnopqrstuvwxyz0123456789"[..start * 2 + 1];
        let written = facts.stdout.line_at(&mut facts.link, start, format_args!("SDK text {text}"))?;
        facts.equal("written as long as it is", written, text.len() + 10)?;
    }
    Ok(())
}

/// Semaphores as the libraries use them: one made with a count, waited for, signalled, polled.
fn threads(facts: &mut Facts) -> Result<(), Error> {
    let parameters = syscall::SemaParameters { max_count: 1, initial_count: 1, ..Default::default() };
    // SAFETY: a pointer to a local, and numbers.
    let found = unsafe {
        let id = syscall::create_sema(&raw const parameters);
        let found = [syscall::wait_sema(id) - id, syscall::signal_sema(id) - id, syscall::wait_sema(id) - id];
        syscall::delete_sema(id);
        found
    };
    facts.equal("a semaphore is waited for and signalled", found, [0; 3])
}

/// The engine's library is linked with `alloc`, which wants an allocator; nothing here allocates.
mod allocator {
    use core::alloc::{GlobalAlloc, Layout};

    struct Refusing;

    #[global_allocator]
    static REFUSING: Refusing = Refusing;

    // SAFETY: every allocation is refused, so that there is nothing to free.
    unsafe impl GlobalAlloc for Refusing {
        unsafe fn alloc(&self, _layout: Layout) -> *mut u8 {
            core::ptr::null_mut()
        }

        unsafe fn dealloc(&self, _block: *mut u8, _layout: Layout) {}
    }
}

/// A bug of this program.
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    tty_println!("SDK FAILED {}", info);
    loop {
        // SAFETY: no pointers; nobody wakes this thread.
        unsafe { syscall::sleep_thread() };
    }
}
