//! The order of things: which program, load it, hand over; or say why not.

use super::display;
use super::load::{self, Servers};
use boardwalk::ee::sif::Error;
use boardwalk::ee::syscall;
use boardwalk::tty_println;
use bootrom_eeload::configuration::{self, Boot, MOST_BYTES};
use bootrom_eeload::failure::Failure;
use core::cell::UnsafeCell;

/// The path that means: look at the disc.
const START_UP: &[u8] = b"rom0:OSDSYS";
/// The argument of the start-up program after a program has ended.
const BROWSER: &[u8] = b"BootBrowser";
/// The disc's configuration.
const CONFIGURATION: &[u8] = b"cdrom0:\\SYSTEM.CNF;1";
/// The device of a path without one.
const DISC: &[u8] = b"cdrom0:";
/// The file server's error for an empty drive.
const NO_MEDIUM: i32 = -123;
/// Longest path.
const PATH: usize = 256;
/// Most arguments of a program.
const ARGUMENTS: usize = 15;
/// How long to wait before the drive is looked at again, in milliseconds.
const DISC_PAUSE: u32 = 1_000;

/// The text of SYSTEM.CNF, whole cache lines.
#[repr(C, align(64))]
struct Text(UnsafeCell<[u8; MOST_BYTES]>);

// SAFETY: EELOAD has one thread and no handler that uses it.
unsafe impl Sync for Text {}

static TEXT: Text = Text(UnsafeCell::new([0; MOST_BYTES]));

/// A path of its own, with its end mark.
struct Path {
    bytes: [u8; PATH],
    length: usize,
}

impl Path {
    /// A path, with the disc's device where it names none; `None` when it is too long.
    fn new(text: &[u8]) -> Option<Self> {
        let device: &[u8] = if text.contains(&b':') { b"" } else { DISC };
        let length = device.len() + text.len();
        let mut bytes = [0; PATH];
        if length >= PATH {
            return None;
        }
        bytes[..device.len()].copy_from_slice(device);
        bytes[device.len()..length].copy_from_slice(text);
        Some(Self { bytes, length })
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

unsafe extern "C" {
    /// The path that starts when nobody names one. The emulator may have replaced it.
    static eeload_default_path: u8;
}

/// EELOAD's main routine; its caller is part of its fixed shape.
///
/// # Safety
/// `values` holds `count` pointers to strings, as the kernel writes them.
#[unsafe(no_mangle)]
unsafe extern "C" fn eeload_main(count: usize, values: *const *const u8) {
    // SAFETY: the caller vouches for the block.
    let arguments =
        unsafe { core::slice::from_raw_parts(values, if values.is_null() { 0 } else { count.min(ARGUMENTS) }) };
    // SAFETY: as above; the default path has an end mark inside of its room.
    let wanted = unsafe { string(arguments.get(1).copied().unwrap_or(&raw const eeload_default_path)) };
    let rest = arguments.get(2..).unwrap_or_default();
    // SAFETY: as above.
    let browser = rest.first().is_some_and(|first| unsafe { string(*first) } == BROWSER);
    if wanted == START_UP && browser {
        fail(&Failure::Ended);
    }
    let mut servers = match Servers::find() {
        Ok(servers) => servers,
        Err(error) => fail(&Failure::Iop(error)),
    };
    let path = if wanted == START_UP { Some(disc_program(&mut servers)) } else { Path::new(wanted) };
    let Some(path) = path else { fail(&Failure::Unreadable(wanted, Error::TooLong)) };
    match load::load(&mut servers, path.text()) {
        Ok(program) => {
            tty_println!("ROM: starting {}", core::str::from_utf8(path.text()).unwrap_or("a program"));
            servers.close();
            let mut values = [core::ptr::null(); ARGUMENTS];
            values[0] = path.bytes.as_ptr();
            let passed = rest.len().min(ARGUMENTS - 1);
            values[1..=passed].copy_from_slice(&rest[..passed]);
            // SAFETY: the program is in memory; the kernel copies the arguments before it clears anything.
            unsafe {
                syscall::exec_ps2(
                    program.entry as *const _,
                    program.gp as *const _,
                    1 + passed as i32,
                    values.as_ptr().cast(),
                );
            }
        }
        Err(failure) => fail(&failure),
    }
}

/// The program that the disc names. Waits for a disc, and does not come back when the disc names none.
fn disc_program(servers: &mut Servers) -> Path {
    let mut told = false;
    loop {
        // SAFETY: this is the only user of the text.
        let text = unsafe { &mut *TEXT.0.get() };
        let failure = match servers.read_start(CONFIGURATION, text) {
            Ok(length) => match configuration::boot(&text[..length]) {
                Boot::Program(path) => match Path::new(path) {
                    Some(path) => return path,
                    None => Failure::Unreadable(path, Error::TooLong),
                },
                Boot::OlderConsole => Failure::OlderConsole,
                Boot::Nothing => Failure::NoProgramNamed,
            },
            Err(Error::Server(NO_MEDIUM)) => Failure::NoDisc,
            Err(error) => Failure::NoConfiguration(error),
        };
        if !failure.waits_for_a_disc() {
            fail(&failure);
        }
        if !told {
            told = true;
            report(&failure);
        }
        load::pause(DISC_PAUSE);
    }
}

/// A string with an end mark.
///
/// # Safety
/// `text` points to one that stays.
unsafe fn string(text: *const u8) -> &'static [u8] {
    // The emulator changes the default path behind the compiler's back.
    core::hint::black_box(text);
    // SAFETY: the caller vouches for it.
    unsafe { core::ffi::CStr::from_ptr(text.cast()) }.to_bytes()
}

/// One line on the console, and the same on the screen.
fn report(failure: &Failure) {
    match failure {
        Failure::Ended => tty_println!("ROM: {}", failure),
        _ => tty_println!("ROM: error: {}", failure),
    }
    display::show(failure);
}

/// Reports a failure and stops.
fn fail(failure: &Failure) -> ! {
    report(failure);
    stop()
}

/// EELOAD's thread has nothing left to do; the kernel's idle thread runs on.
pub fn stop() -> ! {
    loop {
        // SAFETY: no pointers; nobody wakes this thread.
        unsafe { syscall::sleep_thread() };
    }
}
