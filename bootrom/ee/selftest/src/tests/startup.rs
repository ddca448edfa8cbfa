//! What start-up code of programs that are built with the public SDK does to the running kernel, step by step: a copy
//! routine as a call of its own, routines copied into the kernel's memory and asked for their addresses, calls replaced
//! by them, an alarm routine with its dispatcher, and a thread that does the work of handlers.
//!
//! The routines here are our own; the steps, numbers and addresses are the SDK's. Source: EE kernel semantics, section 2.

use super::Tally;
use super::calls::{call, call_with, kernel_word};
use super::setup::{Stack, with_handler};
use boardwalk::ee::syscall::{self, SemaParameters};
use boardwalk::ee::{cop0, interrupt};
use core::arch::global_asm;
use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// Where the SDK's routines go: the TLB's, the alarms', and the alarms' dispatcher in user mode.
const TLB_ROUTINES: u32 = 0x8007_5000;
const ALARM_ROUTINES: u32 = 0x8007_6000;
const DISPATCHER: u32 = 0x8008_2000;
/// Calls: copying, asking a copied piece for its addresses.
const COPY: u32 = 0x5A;
const ENTRY_ADDRESS: u32 = 0x5B;
/// SetSyscall's number for the routine of timer 3.
const TIMER_ROUTINE: u32 = 0x12C;
/// The call that ends the dispatcher.
const END: u32 = 0x08;
/// Start of the kernel's table of calls.
const CALLS_TABLE: u32 = 0x8001_1F80;
/// Timer 3 in user mode.
const TIMER3: usize = 0x1000_1800;
/// INTC cause of the blank's start.
const BLANK: i32 = 2;
/// Cycles of a frame's field, roughly.
const FIELD: u32 = 4_920_120;

static CALLED: AtomicU32 = AtomicU32::new(0);
static QUEUE: AtomicI32 = AtomicI32::new(-1);
static WOKEN: AtomicU32 = AtomicU32::new(0);

#[unsafe(no_mangle)]
extern "C" fn selftest_alarm(id: u32, target: u32, common: u32) {
    CALLED.store(id << 24 | (target & 0xFF) << 16 | common, Ordering::Relaxed);
}

/// Runs in kernel mode as a call of its own.
extern "C" fn copy(to: u32, from: u32, bytes: u32) -> u32 {
    for offset in (0..bytes).step_by(4) {
        // SAFETY: the test passes memory that the kernel keeps free for this, and code of its own.
        unsafe { ((to + offset) as *mut u32).write_volatile(((from + offset) as *const u32).read_volatile()) };
    }
    to
}

global_asm!(
    // Data of this program: it runs where it is copied to.
    ".section .rodata.startup, \"a\", @progbits",
    ".set push",
    ".set noreorder",
    ".set noat",
    ".set mips3",
    ".balign 64",
    // The first word's routine answers with the address of the numbered one.
    ".globl startup_tlb",
    "startup_tlb:",
    "sltiu $2, $4, 2",
    "beqz $2, 1f",
    "move $2, $0",
    "sll $4, $4, 2",
    "lui $2, 0x8007",
    "ori $2, $2, 0x5000",
    "addu $2, $2, $4",
    "jr $31",
    "lw $2, 0x40($2)",
    "1:",
    "jr $31",
    "nop",
    ".org startup_tlb + 0x40",
    ".word 0x80075080, 0x800750C0",
    ".org startup_tlb + 0x80",
    // SetTLBEntry(index, mask, high, low0, low1)
    "mtc0 $4, $0",
    "mtc0 $5, $5",
    "mtc0 $6, $10",
    "mtc0 $7, $2",
    "mtc0 $8, $3",
    ".word 0x0000040F",
    "tlbwi",
    ".word 0x0000040F",
    "jr $31",
    "addiu $2, $4, 0x100",
    ".org startup_tlb + 0xC0",
    "jr $31",
    "addiu $2, $4, 1",
    ".globl startup_tlb_end",
    "startup_tlb_end:",
    // In kernel mode, EXL set, $4 the cause: to the dispatcher in user mode. Its words lie at +0x100: return address and
    // stack, then the callback with its three arguments.
    ".balign 64",
    ".globl startup_alarm",
    "startup_alarm:",
    "lui $8, 0x8007",
    "ori $8, $8, 0x6100",
    "sw $31, 0($8)",
    "sw $29, 4($8)",
    "lui $9, 0xB000",
    "ori $9, $9, 0x1810",
    "addiu $10, $0, 0x483",
    "sw $10, 0($9)",
    "lui $9, 0x0008",
    "ori $9, $9, 0x2000",
    "mtc0 $9, $14",
    "lw $3, 8($8)",
    "lw $4, 12($8)",
    "lw $5, 16($8)",
    "lw $6, 20($8)",
    "mfc0 $10, $12",
    "ori $10, $10, 0x12",
    "mtc0 $10, $12",
    ".word 0x0000040F",
    "lui $29, 0x0008",
    "ori $29, $29, 0x1FC0",
    "eret",
    "nop",
    ".org startup_alarm + 0x80",
    "mfc0 $9, $12",
    "addiu $10, $0, -0x1C",
    "and $9, $9, $10",
    "mtc0 $9, $12",
    ".word 0x0000040F",
    "lui $8, 0x8007",
    "ori $8, $8, 0x6100",
    "lw $31, 0($8)",
    "lw $29, 4($8)",
    "nop",
    "jr $31",
    "nop",
    ".org startup_alarm + 0x100",
    ".word 0, 0, selftest_alarm, 5, 0x1234, 0xBEE",
    ".globl startup_alarm_end",
    "startup_alarm_end:",
    ".globl startup_dispatcher",
    "startup_dispatcher:",
    "addiu $29, $29, -32",
    "jalr $3",
    "nop",
    "addiu $3, $0, -8",
    "syscall",
    "nop",
    ".globl startup_dispatcher_end",
    "startup_dispatcher_end:",
    ".set pop",
    ".text",
);

unsafe extern "C" {
    fn startup_tlb();
    fn startup_tlb_end();
    fn startup_alarm();
    fn startup_alarm_end();
    fn startup_dispatcher();
    fn startup_dispatcher_end();
}

fn put(to: u32, start: unsafe extern "C" fn(), end: unsafe extern "C" fn()) -> u32 {
    let (start, end) = (start as *const () as u32, end as *const () as u32);
    let copied = call_with(COPY as i32, [to, start, end - start]) as u32;
    call(0x64, 0, 0);
    call(0x64, 2, 0);
    copied
}

fn register(offset: usize) -> *mut u32 {
    (TIMER3 + offset) as *mut u32
}

pub fn run(tally: &mut Tally) {
    let before: [(u32, u32); 4] =
        [0x56, COPY, ENTRY_ADDRESS, END].map(|number| (number, kernel_word(CALLS_TABLE + 4 * number)));
    let timer = kernel_word(CALLS_TABLE + 4 * TIMER_ROUTINE);
    call(0x74, COPY, copy as *const () as u32);
    tally.equal(
        "start-up: pieces are copied into the kernel's memory",
        put(TLB_ROUTINES, startup_tlb, startup_tlb_end),
        TLB_ROUTINES,
    );
    call(0x74, ENTRY_ADDRESS, TLB_ROUTINES);
    let addresses = [0, 1, 2].map(|index| call(ENTRY_ADDRESS as i32, index, 0) as u32);
    tally.equal("start-up: a copied piece tells its routines", addresses, [0x8007_5080, 0x8007_50C0, 0]);
    call(0x74, 0x56, addresses[0]);
    let written = call_with(0x56, [40, 0, 0x4000_0000, 0x4_001F, 0x4_005F]);
    let mut high = 0u32;
    let mut others = [0u32; 3];
    let [mask, low0, low1] = &mut others;
    let [high_at, mask, low0, low1] = [&mut high, mask, low0, low1].map(|place| &raw mut *place as u32);
    call_with(0x57, [40, mask, high_at, low0, low1]);
    // SAFETY: the kernel has filled it behind the compiler's back.
    let high = unsafe { (high_at as *const u32).read_volatile() };
    tally.equal("start-up: a replaced call runs in the kernel's place", (written, high), (0x128, 0x4000_0000));
    call(0x82, 0, 0);
    alarm(tally);
    top_thread(tally);
    for (number, function) in before {
        call(0x74, number, function);
    }
    call(0x74, TIMER_ROUTINE, timer);
}

fn alarm(tally: &mut Tally) {
    // SAFETY: reads a register that the kernel maps.
    let compares = unsafe { register(0x10).read_volatile() } & 0x100 != 0;
    tally.equal("start-up: timer 3 shows that it may be taken over", compares, false);
    put(ALARM_ROUTINES, startup_alarm, startup_alarm_end);
    put(DISPATCHER, startup_dispatcher, startup_dispatcher_end);
    call(0x74, TIMER_ROUTINE, ALARM_ROUTINES);
    call(0x74, END, ALARM_ROUTINES + 0x80);
    // SAFETY: timer 3 is the routine's.
    unsafe {
        let soon = register(0).read_volatile().wrapping_add(20) & 0xFFFF;
        register(0x20).write_volatile(soon);
        register(0x10).write_volatile(0x583);
    }
    let start = cop0::count();
    while cop0::count().wrapping_sub(start) < FIELD && CALLED.load(Ordering::Relaxed) == 0 {
        core::hint::spin_loop();
    }
    tally.equal(
        "start-up: the alarm's callback runs through its dispatcher",
        CALLED.load(Ordering::Relaxed),
        0x0534_0BEE,
    );
}

static STACK_OF_TOP: Stack = Stack::new();

/// Does by ordinary calls what handlers ask for.
unsafe extern "C" fn work_for_handlers(main: *mut c_void) {
    loop {
        // SAFETY: numbers only.
        unsafe {
            syscall::wait_sema(QUEUE.load(Ordering::Relaxed));
            syscall::wakeup_thread(main as i32);
        }
        WOKEN.store(WOKEN.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

unsafe extern "C" fn ask(_cause: i32, _argument: *mut c_void) -> i32 {
    call(-0x43, QUEUE.load(Ordering::Relaxed) as u32, 0);
    interrupt::finish();
    0
}

fn top_thread(tally: &mut Tally) {
    // SAFETY: pointers to locals, a stack of the thread's own, a handler that keeps the rules.
    unsafe {
        let parameters = SemaParameters { max_count: 255, ..Default::default() };
        QUEUE.store(syscall::create_sema(&raw const parameters), Ordering::Relaxed);
        let top = STACK_OF_TOP.thread(work_for_handlers, 0);
        let main = syscall::get_thread_id();
        syscall::change_thread_priority(main, 1);
        syscall::start_thread(top, main as *mut c_void);
        let slept = with_handler(BLANK, ask, || [0; 3].map(|_| syscall::sleep_thread()));
        tally.equal("start-up: a thread above all does the handlers' work", slept, [main; 3]);
        tally.equal("start-up: once for each time", WOKEN.load(Ordering::Relaxed), 3);
        syscall::terminate_thread(top);
        syscall::delete_thread(top);
        syscall::delete_sema(QUEUE.load(Ordering::Relaxed));
    }
}
