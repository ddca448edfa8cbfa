//! Every call with arguments that make no sense, from a program that must still be there afterwards, with the kernel whole.
//!
//! Left out are the calls whose very purpose is to end the program (those that start another one come in [`super::programs`]) or to change what runs in kernel mode, and arguments by which
//! a program would pull its own memory or its rescue away. Everything else is tried: numbers nobody has, ids beyond the
//! tables, pointers into the kernel, into registers, into nothing.

use super::calls::{by_number, call, call_with, kernel_word};
use super::{Tally, negative};
use boardwalk::ee::{interrupt, syscall};
use boardwalk::tty_println;
use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

/// Seeds of the arguments: every call is tried with those of each.
const SEEDS: [u32; 3] = [0x1234_5677, 0x0BAD_5EED, 0xC0FF_EE11];
/// Tries of each call under each sign.
const TRIES: u32 = 12;
/// INTC causes that the rescue and the alarms need.
const BLANK: u32 = 2;
const ALARM: u32 = 12;
/// The program's thread.
const MAIN: u32 = 1;
/// Calls that end the program or the thread: Exit, LoadExecPS2, ExecPS2, ExitThread, ExitDeleteThread, ExecOSD.
const ENDS: [u32; 6] = [0x04, 0x06, 0x07, 0x23, 0x24, 0x7B];
/// Calls that replace code of the kernel, as asked: three setters of vectors, SetSyscall.
const REPLACES: [u32; 4] = [0x0D, 0x0E, 0x0F, 0x74];
/// SetCPUTimer: emulators raise its timer whatever the kernel does at the moment, even where nothing can come back to.
const EMULATED: [u32; 1] = [0x6D];
/// Deci2Call, and those of its functions whose arguments emulators follow by themselves: to open, and to print.
const DECI2: u32 = 0x7C;
const FOLLOWED: [u32; 2] = [1, 0x10];

/// Regions of the kernel that never change: the vectors, the tables, the beginning of its code.
const WHOLE: [(u32, u32); 3] = [(0x8000_0000, 0x8000_0300), (0x8001_1F80, 0x8001_2480), (0x8001_2500, 0x8001_6500)];

static RESCUES: AtomicU32 = AtomicU32::new(0);

#[repr(C, align(64))]
struct Words(UnsafeCell<[u32; 64]>);
// SAFETY: one thread uses it.
unsafe impl Sync for Words {}
/// A record full of ones, and one full of the highest number.
static ONES: Words = Words(UnsafeCell::new([1; 64]));
static HIGHEST: Words = Words(UnsafeCell::new([u32::MAX; 64]));

/// At each blank: whatever holds the program's thread is taken back.
unsafe extern "C" fn rescue(_cause: i32, _argument: *mut c_void) -> i32 {
    RESCUES.store(RESCUES.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    for number in [-0x3A, -0x2E, -0x34] {
        call(number, MAIN, 0);
    }
    interrupt::finish();
    0
}

unsafe extern "C" fn harmless(_cause: i32, _argument: *mut c_void) -> i32 {
    interrupt::finish();
    0
}

struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    fn argument(&mut self) -> u32 {
        const HOSTILE: [u32; 20] = [
            0,
            1,
            2,
            3,
            15,
            16,
            127,
            128,
            255,
            256,
            0x7FFF_FFFF,
            0x8000_0000,
            u32::MAX,
            0x8001_0000,
            0x8007_4000,
            0x1000_F000,
            0x1200_0000,
            0xBFC0_0000,
            0x01FF_FFFD,
            0x7000_3FFF,
        ];
        let pick = self.next() as usize % (HOSTILE.len() + 4);
        match HOSTILE.get(pick) {
            Some(word) => *word,
            None if pick == HOSTILE.len() => ONES.0.get() as u32,
            None if pick == HOSTILE.len() + 1 => HIGHEST.0.get() as u32,
            None if pick == HOSTILE.len() + 2 => HIGHEST.0.get() as u32 + 1,
            None => self.next(),
        }
    }
}

/// Changes arguments by which the program would only hurt itself.
fn spare(number: u32, arguments: &mut [u32; 8]) {
    let [first, second, third, ..] = arguments;
    match number {
        // The rescue stays in its chain, and the alarms' cause on.
        0x11 | 0x15 | 0x1B | 0x5D if matches!(*first & 0xF, BLANK | ALARM) => *first = 9,
        // Handlers are called: they must be code.
        0x0A | 0x10 | 0x12 | 0x18 | 0x1E | 0xFC | 0xFD => *second = harmless as *const () as u32,
        DECI2 if FOLLOWED.contains(first) => *first = 2,
        // Threads that were made of a record of ones have no code.
        0x22 => *first |= 0x100,
        // A handler's call may end the thread that it interrupted, which here is the caller.
        0x26 if *first == MAIN => *first = 0,
        // Entries of the TLB for memory that nobody has.
        0x55 => *second = 0x4000_0000,
        0x56 => {
            *first = 47;
            *third = 0x4000_0000;
        }
        // The IOP's flags are the link's.
        0x79 if *first == 4 => *first = 5,
        _ => {}
    }
}

fn sum_of_kernel() -> u32 {
    WHOLE.iter().fold(0, |sum, (start, end)| {
        (*start..*end).step_by(4).fold(sum, |sum: u32, place| sum.rotate_left(1) ^ kernel_word(place))
    })
}

/// Makes every call with arguments out of `random`; how many.
fn try_all(random: &mut Random) -> u32 {
    let mut made = 0;
    for number in 0..0x180 {
        if [&ENDS[..], &REPLACES, &EMULATED].iter().any(|list| list.contains(&number)) {
            continue;
        }
        // The last of these lines names the call that does not come back.
        tty_println!("KERNEL trying {:#x}", number);
        let unknown = (0x84..0xFC).contains(&number) || number > 0xFF;
        for try_number in 0..if unknown { 2 } else { 2 * TRIES } {
            let negative = try_number % 2 != 0;
            let mut arguments = [0; 8].map(|_: u32| random.argument());
            spare(number, &mut arguments);
            // SAFETY: nothing of this is safe by itself; that the kernel makes it so is what is tested.
            unsafe { by_number(&raw const arguments, if negative { -(number as i32) } else { number as i32 }) };
            made += 1;
        }
    }
    made
}

pub fn run(tally: &mut Tally) {
    // SAFETY: handlers that keep the rules.
    let id = unsafe { syscall::add_intc_handler(BLANK as i32, rescue, 0, core::ptr::null_mut()) };
    call(0x14, BLANK, 0);
    let before = sum_of_kernel();
    let mut made = 0;
    for seed in SEEDS {
        made += try_all(&mut Random(seed));
    }
    tty_println!("KERNEL {} hostile calls, {} blanks", made, RESCUES.load(Ordering::Relaxed));
    restore();
    tally.equal("the kernel is whole after hostile calls", sum_of_kernel(), before);
    tally.equal("the thread is the one it was", call(0x2F, 0, 0), 1);
    // SAFETY: a number that the kernel gave.
    unsafe {
        syscall::disable_intc(BLANK as i32);
        syscall::remove_intc_handler(BLANK as i32, id);
    }
    // The rescue's wakeups.
    call(0x35, MAIN, 0);
    negative::run(tally);
}

/// Gives everything back that the calls have taken.
fn restore() {
    for id in 2..256 {
        call(0x25, id, 0);
        call(0x21, id, 0);
    }
    for id in 0..256 {
        call(0x41, id, 0);
    }
    for id in 0..64 {
        call(0xFE, id, 0);
    }
    for cause in (0..15).filter(|cause| *cause != BLANK) {
        for id in 1..129 {
            call(0x11, cause, id);
        }
        if !matches!(cause, 1 | ALARM) {
            call(0x15, cause, 0);
        }
    }
    for channel in 0..16 {
        for id in 1..129 {
            call(0x13, channel, id);
        }
        call(0x17, channel, 0);
    }
    for cause in 0..16 {
        call(0x0B, cause, 0);
    }
    call(0x59, 0, 0);
    call(0x82, 0, 0);
    call(0x61, 3, 0);
    call(0x60, 3, 0);
    for bit in 0..3 {
        call(0x66, bit, 0);
    }
    call_with(0x02, [1, 2, 1]);
    call(0x71, 0x7F00, 0);
    call(0x29, 0, 10);
}
