//! LOADCORE's boot modes, EXCEPMAN, INTRMAN, HEAPLIB, TIMRMAN, DMACMAN, SYSCLIB.

use crate::system;
use crate::tally::Tally;
use core::cell::UnsafeCell;

pub fn run(tally: &mut Tally) {
    boot_modes(tally);
    exceptions(tally);
    interrupts(tally);
    heaps(tally);
    timers(tally);
    channels(tally);
    characters(tally);
}

fn boot_modes(tally: &mut Tally) {
    let start = system::QueryBootMode(4);
    tally.holds("the system tells how it came up", !start.is_null());
    // A record of number 0x7E with one word behind its header.
    let record = [0x017E_1234, 0x5678];
    tally.holds("no record before it is made", system::QueryBootMode(0x7E).is_null());
    system::RegisterBootMode(record.as_ptr());
    let found = system::QueryBootMode(0x7E);
    // SAFETY: a record of two words.
    let words = if found.is_null() { [0; 2] } else { unsafe { [found.read(), found.add(1).read()] } };
    tally.holds("a record is found as it was made", words == record);
    // SAFETY: low memory is there.
    let (begin, end) = unsafe { ((0x3F0 as *const u32).read_volatile(), (0x3F4 as *const u32).read_volatile()) };
    let inside = (begin..end).contains(&(found as u32)) && (begin..end).contains(&(start as u32));
    tally.holds("low memory tells where records lie", inside);
}

const BREAKPOINT: u32 = 9;
const BAD_CODE: i32 = -50;
const NOT_FOUND: i32 = -51;
const PRESENT: i32 = -52;

core::arch::global_asm!(
    ".set noreorder",
    ".set noat",
    ".balign 8",
    // Link and information, then the code: counts, and goes on behind the instruction.
    ".globl selftest_exception",
    "selftest_exception:",
    ".word 0, 0",
    "    lui   $26, %hi(selftest_breaks)",
    "    lw    $27, %lo(selftest_breaks)($26)",
    "    nop",
    "    addiu $27, $27, 1",
    "    sw    $27, %lo(selftest_breaks)($26)",
    "    mfc0  $26, $14",
    "    nop",
    "    addiu $26, $26, 4",
    "    jr    $26",
    "    .word 0x42000010", // rfe
    ".set at",
    ".set reorder",
);

unsafe extern "C" {
    static selftest_exception: [u32; 2];
}

#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
static selftest_breaks: Word = Word(UnsafeCell::new(0));

fn exceptions(tally: &mut Tally) {
    let record = (&raw const selftest_exception).cast::<u32>();
    tally.equal("a cause that there is not", system::RegisterExceptionHandler(16, record), BAD_CODE);
    tally.equal("a handler that is not there", system::ReleaseExceptionHandler(BREAKPOINT, record), NOT_FOUND);
    tally.equal("a handler", system::RegisterPriorityExceptionHandler(BREAKPOINT, 0, record), 0);
    tally.equal("a handler twice", system::RegisterExceptionHandler(BREAKPOINT, record), PRESENT);
    let kept: u32;
    // SAFETY: the handler goes on behind the instruction and changes two registers that no program keeps anything in.
    unsafe { core::arch::asm!("li $8, 0x1357", "break", "move {kept}, $8", kept = out(reg) kept, out("$8") _) };
    tally.equal("is called", selftest_breaks.get() as i32, 1);
    tally.equal("and the code goes on with its registers", kept as i32, 0x1357);
    tally.equal("the handler is taken back", system::ReleaseExceptionHandler(BREAKPOINT, record), 0);
}

/// A word that an interrupt handler writes.
struct Word(UnsafeCell<u32>);
// SAFETY: whole words, written by handlers and read by the thread, through volatile accesses.
unsafe impl Sync for Word {}

impl Word {
    fn get(&self) -> u32 {
        // SAFETY: the word is always there.
        unsafe { self.0.get().read_volatile() }
    }

    fn add(&self, value: u32) {
        // SAFETY: handlers do not interrupt each other.
        unsafe { self.0.get().write_volatile(self.get() + value) };
    }
}

const ILLEGAL_LINE: i32 = -101;
const NOT_ENABLED: i32 = -103;
const HANDLER_THERE: i32 = -104;
const NO_HANDLER: i32 = -105;
/// A line that nothing of the emulated machine or of the system uses.
const FREE_LINE: i32 = 10;

extern "C" fn handler(_argument: u32) -> i32 {
    1
}

fn interrupts(tally: &mut Tally) {
    let mut result = 0;
    tally.equal("a thread is no handler", system::QueryIntrContext(), 0);
    tally.equal("no such line", system::RegisterIntrHandler(0x40, 1, handler, 0), ILLEGAL_LINE);
    tally.equal("a line's handler", system::RegisterIntrHandler(FREE_LINE, 1, handler, 0), 0);
    tally.equal("one for each line", system::RegisterIntrHandler(FREE_LINE, 1, handler, 0), HANDLER_THERE);
    tally.equal("a line is enabled", system::EnableIntr(FREE_LINE), 0);
    tally.equal("and disabled", system::DisableIntr(FREE_LINE, &raw mut result), 0);
    tally.equal("the result is for enabling it again", result, FREE_LINE);
    tally.equal("disabled twice", system::DisableIntr(FREE_LINE, &raw mut result), NOT_ENABLED);
    tally.equal("no such line to enable", system::EnableIntr(0x3F), ILLEGAL_LINE);
    tally.equal("a handler goes", system::ReleaseIntrHandler(FREE_LINE), 0);
    tally.equal("once", system::ReleaseIntrHandler(FREE_LINE), NO_HANDLER);
}

fn heaps(tally: &mut Tally) {
    const MAY_GROW: u32 = 1;
    let before = system::QueryTotalFreeMemSize();
    let heap = system::CreateHeap(0x400, MAY_GROW);
    let first = system::AllocHeapMemory(heap, 100);
    let second = system::AllocHeapMemory(heap, 0x1000);
    tally.holds("a heap grows", heap != 0 && first != 0 && second != 0);
    tally.equal("freeing elsewhere", system::FreeHeapMemory(heap, 0x1F_0000), -1);
    tally.equal("freeing what is none", system::FreeHeapMemory(heap, first + 8), -3);
    tally.equal("freeing of no heap", system::FreeHeapMemory(heap + 4, first), -4);
    let grown = system::QueryTotalFreeMemSize();
    tally.equal("freeing", system::FreeHeapMemory(heap, second), 0);
    tally.holds("what it has grown by goes back", system::QueryTotalFreeMemSize() > grown);
    tally.equal("freeing the rest", system::FreeHeapMemory(heap, first), 0);
    tally.equal("freeing twice", system::FreeHeapMemory(heap, first), -3);
    let last = system::AllocHeapMemory(heap, 16);
    // The head of the next cell is overwritten, as by a program that writes too far.
    // SAFETY: memory of the heap that is ours.
    unsafe { ((last + 16) as *mut u32).write_volatile(0xFFFF_FFFF) };
    tally.equal("freeing behind damage", system::FreeHeapMemory(heap, last + 24), -2);
    system::DeleteHeap(heap);
    tally.equal("all its memory goes back", system::QueryTotalFreeMemSize() as i32, before as i32);
    tally.equal("a heap that is gone", system::HeapTotalFreeSize(heap), -4);
}

static TICKS: Word = Word(UnsafeCell::new(0));
/// The timer's interval in ticks of the system clock: a tenth of a millisecond.
const INTERVAL: u32 = 3_686;

extern "C" fn tick(argument: u32) -> u32 {
    TICKS.add(argument);
    INTERVAL
}

fn timers(tally: &mut Tally) {
    const SYSTEM_CLOCK: u32 = 1;
    let id = system::AllocHardTimer(SYSTEM_CLOCK, 32, 1);
    tally.holds("a timer", id > 0);
    tally.equal("that was not set up", system::StartHardTimer(id), -153);
    tally.equal("does not divide by 5", system::SetupHardTimer(id, SYSTEM_CLOCK, 0, 5), -152);
    tally.equal("is set up", system::SetupHardTimer(id, SYSTEM_CLOCK, 0, 1), 0);
    tally.equal("gets a handler", system::SetTimerHandler(id, INTERVAL, tick, 1), 0);
    tally.equal("starts", system::StartHardTimer(id), 0);
    tally.equal("once", system::StartHardTimer(id), -154);
    system::DelayThread(10_000);
    tally.equal("stops", system::StopHardTimer(id), 0);
    let ticks = TICKS.get();
    tally.holds("has called its handler about a hundred times", (90..=110).contains(&ticks));
    system::DelayThread(1_000);
    tally.equal("and then no more", TICKS.get() as i32, ticks as i32);
    tally.equal("goes back", system::FreeHardTimer(id), 0);
    tally.equal("once only", system::FreeHardTimer(id), -151);
}

fn channels(tally: &mut Tally) {
    /// The expansion device's channel, which nothing here uses.
    const CHANNEL: u32 = 8;
    system::dmac_ch_set_madr(CHANNEL, 0x1234);
    tally.equal("a channel's address", system::dmac_ch_get_madr(CHANNEL) as i32, 0x1234);
    tally.equal("no such channel", system::dmac_ch_get_madr(99) as i32, 0);
    system::sceSetDMAPriority(CHANNEL, 3);
    tally.equal("a channel's priority", (system::dmac_get_dpcr2() >> 4 & 7) as i32, 3);
}

fn characters(tally: &mut Tally) {
    tally.equal("a letter that is a digit", system::look_ctype_table(b'b'.into()), 0x42);
    tally.equal("no character", system::look_ctype_table(1000), 0);
    let (text, mut value) = (c" -123x", 0);
    let end = system::atob(text.as_ptr().cast(), &raw mut value);
    tally.equal("a number's value", value, -123);
    tally.equal("and its end", end as i32 - text.as_ptr() as i32, 5);
}
