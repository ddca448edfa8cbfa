//! What an interrupt that takes the processor from a thread must give back: the registers beyond those of plain code.
//!
//! One thread holds a pattern in them and turns in a loop without a call. At each blank a handler lets a more urgent thread
//! run, which holds another pattern while it waits.

use super::Tally;
use super::setup::{Stack, with_handler};
use boardwalk::ee::syscall::{self, SemaParameters};
use boardwalk::ee::{encode, interrupt};
use core::arch::naked_asm;
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// INTC cause of the blank's start.
const BLANK: i32 = 2;
/// How often the one thread takes the processor from the other.
const ROUNDS: u32 = 4;
/// Bits of FCR31 that a program can set: condition, causes, sticky flags.
const FCR31: u32 = 0x0083_C078;
static STACK_OF_URGENT: Stack = Stack::new();

static SEMAPHORE: AtomicI32 = AtomicI32::new(0);
static TAKEN: AtomicU32 = AtomicU32::new(0);
static WRONG: AtomicU32 = AtomicU32::new(0);

/// Registers that plain code seldom uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
struct Registers {
    /// HI and HI1.
    hi: [u64; 2],
    /// LO and LO1.
    lo: [u64; 2],
    /// Two general registers, whole.
    quads: [[u64; 2]; 2],
    /// SA: bytes of a funnel shift.
    sa: u32,
    /// The FPU's accumulator.
    accumulator: f32,
    fcr31: u32,
    float: f32,
}

/// What the registers are set to, then what was found in them.
#[repr(C)]
struct Held {
    set: Registers,
    found: Registers,
}

/// Sets the registers, waits, and reads them again. It waits for a semaphore, or if that is negative in a loop until
/// `*word` is `target`.
///
/// # Safety
/// Pointers to what they name; `held` is nobody else's meanwhile.
#[unsafe(naked)]
unsafe extern "C" fn hold(held: *mut Held, word: *const u32, target: u32, semaphore: i32) {
    naked_asm!(
        ".set push",
        ".set noreorder",
        ".set noat",
        "cfc1 $25, $31",
        ".word {set_hi}",
        ".word 0x70400229", // pmthi $2
        ".word {set_lo}",
        ".word 0x70400269", // pmtlo $2
        ".word {set_8}",
        ".word {set_9}",
        "lw $2, 0x40($4)",
        "lwc1 $f0, 0x44($4)",
        ".word 0x00400029", // mtsa $2
        "mtc1 $0, $f1",
        "lw $2, 0x48($4)",
        ".word 0x46010018", // adda.s $f0, $f1
        "lwc1 $f2, 0x4C($4)",
        "ctc1 $2, $31",
        "bltz $7, 1f",
        "move $24, $4",
        "move $4, $7",
        "addiu $3, $0, 0x44", // WaitSema
        "syscall",
        "b 2f",
        "move $4, $24",
        "1:",
        "lw $2, 0($5)",
        "nop",
        "sltu $2, $2, $6",
        "nop",
        "nop",
        "bnez $2, 1b",
        "nop",
        "2:",
        ".word 0x70001209", // pmfhi $2
        ".word {get_hi}",
        ".word 0x70001249", // pmflo $2
        ".word {get_lo}",
        ".word {get_8}",
        ".word {get_9}",
        ".word 0x00001028", // mfsa $2
        "sw $2, 0x90($4)",
        "cfc1 $2, $31",
        "mtc1 $0, $f1",
        "sw $2, 0x98($4)",
        ".word 0x4601081C", // madd.s $f0, $f1, $f1
        "swc1 $f2, 0x9C($4)",
        "swc1 $f0, 0x94($4)",
        "ctc1 $25, $31",
        "jr $31",
        "nop",
        ".set pop",
        set_hi = const encode::lq(2, 4, 0x00),
        set_lo = const encode::lq(2, 4, 0x10),
        set_8 = const encode::lq(8, 4, 0x20),
        set_9 = const encode::lq(9, 4, 0x30),
        get_hi = const encode::sq(2, 4, 0x50),
        get_lo = const encode::sq(2, 4, 0x60),
        get_8 = const encode::sq(8, 4, 0x70),
        get_9 = const encode::sq(9, 4, 0x80),
    )
}

impl Held {
    fn new(pattern: u32, sa: u32, fcr31: u32, float: f32) -> Self {
        let wide = u64::from(pattern) << 32 | u64::from(!pattern);
        let set = Registers {
            hi: [wide, wide + 1],
            lo: [wide + 2, wide + 3],
            quads: [[wide + 4, wide + 5], [wide + 6, wide + 7]],
            sa,
            accumulator: float,
            fcr31,
            float: -float,
        };
        Self { set, found: Registers::default() }
    }

    /// What was found, without the bits of FCR31 that are always set.
    fn found(&self) -> Registers {
        Registers { fcr31: self.found.fcr31 & FCR31, ..self.found }
    }
}

unsafe extern "C" fn signal(_cause: i32, _argument: *mut c_void) -> i32 {
    // SAFETY: a call for handlers.
    unsafe { syscall::i_signal_sema(SEMAPHORE.load(Ordering::Relaxed)) };
    interrupt::finish();
    0
}

unsafe extern "C" fn urgent(_: *mut c_void) {
    for round in 0..ROUNDS {
        let mut held = Held::new(0x0BAD_0000 + round, 9, 0x0002_4050, 77.25);
        // SAFETY: a local, and a semaphore that lives as long as this thread.
        unsafe { hold(&raw mut held, core::ptr::null(), 0, SEMAPHORE.load(Ordering::Relaxed)) };
        if held.found() != held.set {
            WRONG.store(WRONG.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
        TAKEN.store(TAKEN.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

pub fn run(tally: &mut Tally) {
    let mut held = Held::new(0x1234_5678, 5, 0x0080_8028, 1234.5);
    // SAFETY: a handler that keeps the rules, pointers to locals and statics, a stack of its own.
    unsafe {
        SEMAPHORE
            .store(syscall::create_sema(&SemaParameters { max_count: 1, ..Default::default() }), Ordering::Relaxed);
        let thread = STACK_OF_URGENT.thread(urgent, 1);
        syscall::start_thread(thread, null_mut());
        with_handler(BLANK, signal, || hold(&raw mut held, TAKEN.as_ptr(), ROUNDS, -1));
        syscall::delete_thread(thread);
        syscall::delete_sema(SEMAPHORE.load(Ordering::Relaxed));
    }
    tally.equal("HI1, LO1, SA, ACC and FCR31 survive a preemption", held.found(), held.set);
    tally.equal("and a wait of the thread that took the processor", WRONG.load(Ordering::Relaxed), 0);
}
