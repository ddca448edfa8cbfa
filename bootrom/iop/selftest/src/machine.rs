//! The module's start, and the thread that tries the facts.

use crate::facts::{self, modules};
use crate::refuse;
use crate::system::{self, ThreadParameters};
use crate::tally::Tally;
use core::cell::UnsafeCell;
use core::ffi::CStr;
use core::panic::PanicInfo;

/// Name and version of the module, for the console's list.
#[repr(C)]
struct Id {
    name: *const u8,
    version: u16,
}

// SAFETY: the name is a constant.
unsafe impl Sync for Id {}

/// Major 1, minor 0.
const VERSION: u16 = 0x0100;

#[unsafe(no_mangle)]
#[used]
#[allow(non_upper_case_globals)]
static _irx_id: Id = Id { name: c"selftest".as_ptr().cast(), version: VERSION };

/// Added to the number of failed facts once all were tried.
pub const DONE: u32 = 0x1_0000;
const PRIORITY: u32 = 60;
const STACK: u32 = 0x4000;
/// The module stays. At the boot, any bits above would name a function to be called later.
const RESIDENT: i32 = 0;
/// The module is thrown away; as the answer to a stop: it has stopped.
const UNLOAD: i32 = 1;
/// The module can be stopped; as the answer to a stop: it refuses.
const REMOVABLE: i32 = 2;
const CODE_IN_C: u32 = 0x0200_0000;

/// The word that whoever started the module looks at.
struct Verdict(UnsafeCell<u32>);
// SAFETY: only the facts' thread writes it; others look at its memory from outside.
unsafe impl Sync for Verdict {}
static VERDICT: Verdict = Verdict(UnsafeCell::new(0));

const PATH_BYTES: usize = 64;

/// The path of the module's own file: the loader's copy lasts only until the start function returns.
struct Path(UnsafeCell<[u8; PATH_BYTES]>);
// SAFETY: it is written before there is a second thread.
unsafe impl Sync for Path {}
static PATH: Path = Path(UnsafeCell::new([0; PATH_BYTES]));

/// What the loader calls. The facts run on a thread of their own: what waits for the loader must not be the loader.
#[unsafe(no_mangle)]
extern "C" fn _start(count: i32, arguments: *const *const u8) -> i32 {
    if count < 0 {
        return if is_told(-count, arguments, modules::REFUSE) { REMOVABLE } else { UNLOAD };
    }
    if is_told(count, arguments, modules::GUEST) {
        return REMOVABLE;
    }
    if is_told(count, arguments, RESTART) {
        return begin(restart, PRIORITY);
    }
    if is_told(count, arguments, STACK_OUT) {
        return begin(spend_stack, PRIORITY);
    }
    if count == 0 {
        // The boot passes nothing: the module came with an image. Its client only looks whether it is there, or finds a loader
        // in it that refuses everything.
        begin(refuse::serve, refuse::PRIORITY);
        return RESIDENT;
    }
    // SAFETY: the first argument is the path.
    let path = unsafe { CStr::from_ptr((*arguments).cast()) }.to_bytes_with_nul();
    let count = path.len().min(PATH_BYTES - 1);
    // SAFETY: nothing else of this module runs yet.
    unsafe { (&mut *PATH.0.get())[..count].copy_from_slice(&path[..count]) };
    begin(run, PRIORITY)
}

/// Starts the module's thread. A word's address has no bits of a start function's verdict: the module stays.
fn begin(entry: extern "C" fn(u32), priority: u32) -> i32 {
    let parameters = ThreadParameters { attributes: CODE_IN_C, option: 0, entry, stack_bytes: STACK, priority };
    let thread = system::CreateThread(&raw const parameters);
    if system::StartThread(thread, 0) == 0 { VERDICT.0.get() as i32 } else { UNLOAD }
}

/// What a copy is told that starts the processor anew, and the microseconds that it leaves its client to get ready.
const RESTART: &CStr = c"restart";
const TIME_TO_GET_READY: u32 = 200_000;

extern "C" fn restart(_argument: u32) {
    system::DelayThread(TIME_TO_GET_READY);
    system::ReBootStart(c"rom0:UDNL cdrom0:\\IOPRP.IMG;1".as_ptr().cast(), 0);
}

/// What a copy is told that uses its stack up, until the kernel ends it.
const STACK_OUT: &CStr = c"stack";

extern "C" fn spend_stack(_argument: u32) {
    spend(0);
}

/// Goes deeper and asks how much is left, for ever.
fn spend(depth: u32) -> u32 {
    let mut room = [depth; 8];
    core::hint::black_box(&mut room);
    if system::CheckThreadStack() < 0 {
        return depth;
    }
    room[0].wrapping_add(spend(depth + 1))
}

/// Whether the first argument behind the path is `word`.
fn is_told(count: i32, arguments: *const *const u8, word: &CStr) -> bool {
    // SAFETY: the loader passes that many strings.
    count > 1 && unsafe { CStr::from_ptr((*arguments.add(1)).cast()) } == word
}

extern "C" fn run(_argument: u32) {
    let mut tally = Tally::new();
    facts::run(&mut tally, PATH.0.get().cast());
    // SAFETY: nobody else writes the word.
    unsafe { VERDICT.0.get().write_volatile(DONE + tally.failed()) };
    system::ExitThread();
}

/// Tells of it and stops the thread; whoever waits for the verdict runs into their time-out.
#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let mut tally = Tally::new();
    tally.line(format_args!("IOP FAILED {info}"));
    loop {
        system::SleepThread();
    }
}
