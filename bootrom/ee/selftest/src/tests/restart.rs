//! A program that starts itself anew from wherever it came to grief: out of an exception, out of an exception in an interrupt
//! handler, with interrupts held, and while the IOP starts anew, as a crash screen does that offers to go on.
//!
//! Each try ends in LoadExecPS2 of this program with the number of the next one.

use super::Tally;
use boardwalk::crash::Record;
use boardwalk::ee::crt0::Arguments;
use boardwalk::ee::interrupt::Handler;
use boardwalk::ee::sif::files::Files;
use boardwalk::ee::sif::link::{Link, Patience};
use boardwalk::ee::sif::{Error, packet};
use boardwalk::ee::{cache, critical, exceptions, syscall};
use core::ffi::{CStr, c_char, c_void};
use core::sync::atomic::{AtomicUsize, Ordering};

/// Where the program lies, and a file that is surely on its disc.
const PATH: &CStr = c"cdrom0:\\RESTART.ELF;1";
const FILE: &[u8] = b"cdrom0:\\SYSTEM.CNF;1";
/// Milliseconds until nothing more is expected to happen.
const PATIENCE: u32 = 5_000;
/// INTC cause of the blank's start.
const BLANK: i32 = 2;

/// What the program that was started has proved by running, and what it does next.
const TRIES: [(&str, fn()); 6] = [
    ("restart: the first program runs", from_exception),
    ("restart: from an exception, the IOP anew", with_interrupts_held),
    ("restart: with interrupts held", from_exception_in_handler),
    ("restart: from an exception in an interrupt handler", from_handler),
    ("restart: by the call itself in an interrupt handler", while_the_iop_starts),
    ("restart: while the IOP starts anew", || ()),
];
/// The programs' arguments by their numbers.
const NUMBERS: [&CStr; TRIES.len()] = [c"0", c"1", c"2", c"3", c"4", c"5"];

static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// The program's main.
pub fn run(tally: &mut Tally, arguments: &Arguments) {
    let number = arguments.iter().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0).min(TRIES.len() - 1);
    NUMBER.store(number, Ordering::Relaxed);
    let (fact, go) = TRIES[number];
    tally.equal(fact, works(), Ok(()));
    if number + 1 < TRIES.len() && tally.failed == 0 {
        go();
        wait();
    }
}

/// Reads the disc through a link of its own, for which handlers, interrupts and both sides' words must be in order.
fn works() -> Result<(), Error> {
    let mut link = Link::start()?;
    let files = Files::bind(&mut link)?;
    let file = files.open(&mut link, FILE)?;
    #[repr(C, align(64))]
    struct Line([u8; 64]);
    let mut buffer = Line([0; 64]);
    let count = files.read(&mut link, &file, &mut buffer.0)?;
    files.close(&mut link, file)?;
    link.close();
    if count > 0 && buffer.0.starts_with(b"BOOT2") { Ok(()) } else { Err(Error::TimeOut) }
}

/// Waits for an interrupt to do what is to be done.
fn wait() {
    let mut patience = Patience::milliseconds(PATIENCE);
    while patience.lasts() {}
}

/// Starts the next one.
fn start_next() {
    let next = NUMBERS[(NUMBER.load(Ordering::Relaxed) + 1).min(NUMBERS.len() - 1)];
    let values: [*const c_char; 1] = [next.as_ptr()];
    // SAFETY: the kernel copies path and arguments before it clears memory.
    unsafe { syscall::load_exec_ps2(PATH.as_ptr(), 1, values.as_ptr()) };
}

/// What a crash screen does: has the IOP started anew, reads something, and starts the program again. The link stays open.
fn crash_screen(_record: &Record) -> ! {
    critical::enable_interrupts();
    if let Ok(mut link) = Link::start().and_then(|link| link.restart_iop(b"")) {
        let _ = Files::bind(&mut link).and_then(|files| files.open(&mut link, FILE));
    }
    start_next();
    unreachable!("the program was not replaced")
}

/// The same, as fast as it can.
fn bare_screen(_record: &Record) -> ! {
    start_next();
    unreachable!("the program was not replaced")
}

fn from_exception() {
    exceptions::install(crash_screen);
    exceptions::provoke();
}

fn with_interrupts_held() {
    let _held = critical::enter();
    start_next();
}

unsafe extern "C" fn breaks(_cause: i32, _argument: *mut c_void) -> i32 {
    exceptions::provoke();
    0
}

unsafe extern "C" fn calls(_cause: i32, _argument: *mut c_void) -> i32 {
    start_next();
    0
}

fn handle_blank(handler: Handler) {
    // SAFETY: the handler never comes back.
    unsafe {
        syscall::add_intc_handler(BLANK, handler, 0, core::ptr::null_mut());
        syscall::enable_intc(BLANK);
    }
}

fn from_exception_in_handler() {
    exceptions::install(bare_screen);
    handle_blank(breaks);
}

fn from_handler() {
    handle_blank(calls);
}

/// Sends the packet that starts the IOP anew, as the public SDK does, and does not wait for what comes of it.
fn while_the_iop_starts() {
    /// Registers of the link: the IOP's buffer, its flags, and the kernel's own words for buffer and calls.
    const BUFFER: u32 = 2;
    const FLAGS: u32 = 4;
    const KNOWN_BUFFER: u32 = 0x8000_0000;
    const KNOWN_CALLS: u32 = 0x8000_0002;
    /// Flags: the channel is up, commands are taken, the start is over.
    const UP: [u32; 2] = [0x1_0000, 0x2_0000];
    const BOOT_END: u32 = 0x4_0000;
    /// The packet interrupts the IOP and ends its chain.
    const ATTRIBUTES: u32 = 0x44;
    #[repr(C, align(64))]
    struct Words(packet::LongPacket);
    let Some(words) = packet::reset(b"", 0) else { return };
    let words = Words(words);
    cache::write_back(words.0.as_ptr().cast(), size_of::<Words>());
    // SAFETY: plain numbers, and a packet that stays until it has left.
    unsafe {
        let transfer = syscall::SifTransfer {
            source: words.0.as_ptr().cast(),
            destination: syscall::sif_get_reg(BUFFER),
            size: packet::RESET_BYTES.next_multiple_of(16) as i32,
            attributes: ATTRIBUTES,
        };
        syscall::sif_stop_dma();
        syscall::sif_set_reg(FLAGS, BOOT_END);
        let id = syscall::sif_set_dma(&raw const transfer, 1);
        while syscall::sif_dma_stat(id) >= 0 {}
        for flag in UP {
            syscall::sif_set_reg(FLAGS, flag);
        }
        syscall::sif_set_reg(KNOWN_CALLS, 0);
        syscall::sif_set_reg(KNOWN_BUFFER, 0);
    }
    start_next();
}
