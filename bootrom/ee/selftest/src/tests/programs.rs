//! What follows a program.

use super::Tally;
use super::calls::{call, call_with};
use boardwalk::ee::crt0::Arguments;
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::syscall;
use boardwalk::tty_println;
use core::ffi::c_char;

unsafe extern "C" {
    fn _start();
}

/// A zero-terminated copy of a text.
fn terminated(text: &str) -> [u8; 256] {
    let mut bytes = [0; 256];
    let length = text.len().min(255);
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    bytes
}

/// Starts this program again with another argument, without loading it.
pub fn replace_by_second(path: &str) {
    let path = terminated(path);
    let values: [*const c_char; 2] = [path.as_ptr().cast(), c"second".as_ptr()];
    // SAFETY: the program's first instruction clears its own memory; the kernel copies the arguments before.
    unsafe { syscall::exec_ps2(_start as *const _, core::ptr::null(), 2, values.as_ptr()) };
}

/// What a program finds that took another one's place.
pub fn second(tally: &mut Tally, arguments: &Arguments) {
    tally.equal("second: arguments", arguments.iter().nth(1), Some("second"));
    started(tally);
    tally.equal("second: threads of the first are gone", call(0x30, 2, 0), 0);
}

fn started(tally: &mut Tally) {
    // SAFETY: numbers only.
    unsafe {
        tally.equal("the main thread is 1", syscall::get_thread_id(), 1);
        tally.equal("at priority 0", syscall::change_thread_priority(0, 0), 0);
    }
    let timer_mode = |number: usize| {
        // SAFETY: reads a register that the kernel maps.
        unsafe { ((0x1000_0010 + number * 0x800) as *const u32).read_volatile() & 0x3FF }
    };
    tally.equal("timers 0 and 1 stand, 2 and 3 count", [0, 1, 2, 3].map(timer_mode), [0, 0, 0x80, 0x83]);
    // SAFETY: reads a register that the kernel maps.
    let mask = unsafe { (0x1000_F010 as *const u32).read_volatile() };
    tally.equal("only SBUS and timer 3 interrupt", mask & 0x7FFF, 0x1002);
}

/// Has EELOAD load this program again.
pub fn load_third(path: &str) {
    let path = terminated(path);
    let values: [*const c_char; 1] = [c"third".as_ptr()];
    // SAFETY: the kernel copies path and arguments before it clears memory.
    unsafe { syscall::load_exec_ps2(path.as_ptr().cast(), 1, values.as_ptr()) };
}

/// What a program finds that EELOAD has loaded.
pub fn third(tally: &mut Tally, arguments: &Arguments) {
    tally.equal("third: arguments", arguments.iter().nth(1), Some("third"));
    started(tally);
    // SAFETY: memory behind this program that nobody has touched since it was cleared.
    let far = unsafe { (0x0100_0000 as *const u32).read_volatile() };
    tty_println!("KERNEL memory behind the program holds {:#x}", far);
}

/// Starts what the disc names, as the browser would, with an argument.
pub fn start_fourth() {
    let values: [*const c_char; 1] = [c"fourth".as_ptr()];
    call(0x7B, 1, values.as_ptr() as u32);
}

/// What the start-up program has started.
pub fn fourth(tally: &mut Tally, arguments: &Arguments) {
    tally.equal("fourth: the start-up program hands its arguments on", arguments.iter().nth(1), Some("fourth"));
    started(tally);
}

/// Arguments of which the kernel can read the first two, and no other.
fn unreadable(first: &'static core::ffi::CStr, second: &'static core::ffi::CStr) -> [u32; 20] {
    const NOWHERE: [u32; 6] = [0x8000_0000, 1, 0x7000_3FFF, 0x1000_F000, u32::MAX, 0x01FF_FFFF];
    let mut values = core::array::from_fn(|index| NOWHERE[index % NOWHERE.len()]);
    values[..2].copy_from_slice(&[first, second].map(|text| text.as_ptr() as u32));
    values
}

/// Starts what the disc names, then this program, then nothing at all, each with arguments and a number of them that make no sense.
pub fn replace_wrongly(tally: &mut Tally, arguments: &Arguments) {
    const NO_POINTER: u32 = 0xDEAD_BEEE;
    const BAD_PATH: u32 = 0x8000_0000;
    const BAD_LIST: u32 = 0x7000_3FFD;
    // A number of arguments that no list has; the kernel's own limit ends it.
    let within_limit = arguments.iter().count() <= 16;
    match arguments.iter().nth(1) {
        None => {
            // The start-up program puts its own path first.
            call(0x7B, u32::MAX, unreadable(c"osd", c"osd").as_ptr() as u32);
        }
        Some("osd") => {
            tally.equal("ExecOSD starts what the disc names whatever the arguments are", within_limit, true);
            let values = unreadable(c"EXECBAD", c"exec");
            call_with(0x07, [_start as *const () as u32, NO_POINTER, u32::MAX, values.as_ptr() as u32]);
        }
        Some(_) => {
            tally.equal("ExecPS2 enters a program whatever the arguments are", within_limit, true);
            started(tally);
            call_with(0x06, [BAD_PATH, u32::MAX, BAD_LIST]);
        }
    }
    tty_println!("KERNEL FAILED a program was not replaced");
}

/// Starts a program where the IOP's loader is one that loads nothing.
pub fn without_loader() {
    const IMAGE: &[u8] = b"rom0:UDNL cdrom0:\\IOPRP.IMG;1";
    match Link::start().and_then(|link| link.restart_iop(IMAGE)) {
        Ok(mut link) => link.close(),
        Err(error) => tty_println!("KERNEL FAILED the IOP with an image: {}", error),
    }
    // SAFETY: the path is a string.
    unsafe { syscall::load_exec_ps2(c"cdrom0:\\GP.ELF;1".as_ptr(), 0, core::ptr::null()) };
}
