//! The DMA controller, the GS, the SIF's channel, exceptions and the console.

use super::Tally;
use super::calls::{call, call_with, kernel_word};
use boardwalk::ee::{cache, cop0, interrupt, syscall};
use core::arch::global_asm;
use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

/// DMA channel to the scratchpad.
const TO_SCRATCHPAD: i32 = 9;
/// Registers of the channels from and to it.
const CHANNELS: [usize; 2] = [0x1000_D000, 0x1000_D400];
/// Register offsets of a channel.
const MADR: usize = 0x10;
const QWC: usize = 0x20;
const SADR: usize = 0x80;
/// CHCR: running, normal mode; from memory for the second.
const START: u32 = 0x100;
/// DMAC control and status.
const D_CTRL: usize = 0x1000_E000;
const D_STAT: usize = 0x1000_E010;
/// Control of the channel from the IOP.
const FROM_IOP: usize = 0x1000_C000;
/// Cycles that are enough for a small transfer.
const PATIENCE: u32 = 1_000_000;

static CALLED: AtomicU32 = AtomicU32::new(0);

#[repr(C, align(64))]
struct Lines(UnsafeCell<[u32; 32]>);
// SAFETY: one thread uses it.
unsafe impl Sync for Lines {}
static LINES: Lines = Lines(UnsafeCell::new([0; 32]));

unsafe extern "C" fn note(cause: i32, argument: *mut c_void) -> i32 {
    CALLED.store(CALLED.load(Ordering::Relaxed) << 8 | (cause as u32) << 4 | argument as u32, Ordering::Relaxed);
    interrupt::finish();
    0
}

fn take_called() -> u32 {
    let called = CALLED.load(Ordering::Relaxed);
    CALLED.store(0, Ordering::Relaxed);
    called
}

fn read(address: usize) -> u32 {
    // SAFETY: callers pass registers that the kernel maps.
    unsafe { (address as *const u32).read_volatile() }
}

fn write(address: usize, value: u32) {
    // SAFETY: as for `read`; the tests own the units.
    unsafe { (address as *mut u32).write_volatile(value) }
}

pub fn run(tally: &mut Tally) {
    dma(tally);
    switches(tally);
    resets(tally);
    screen(tally);
    sif(tally);
    exceptions(tally);
    // The format prints as a fact of its own.
    call_with(0x75, [c"KERNEL ok %s (%d)\n".as_ptr() as u32, c"print writes its text".as_ptr() as u32, 42]);
}

fn copy_to_scratchpad() {
    let source = LINES.0.get() as u32;
    cache::write_back(source as *const u8, 128);
    write(CHANNELS[1] + MADR, source);
    write(CHANNELS[1] + SADR, 0);
    write(CHANNELS[1] + QWC, 1);
    write(CHANNELS[1], START | 1);
    let start = cop0::count();
    while read(CHANNELS[1]) & START != 0 && cop0::count().wrapping_sub(start) < PATIENCE {}
}

fn dma(tally: &mut Tally) {
    write(D_CTRL, read(D_CTRL) | 1);
    write(D_STAT, 1 << TO_SCRATCHPAD);
    // SAFETY: handlers that keep the rules.
    unsafe {
        let add =
            |next: i32, argument: usize| syscall::add_dmac_handler(TO_SCRATCHPAD, note, next, argument as *mut c_void);
        let ids = [add(-1, 2), add(0, 1)];
        tally.equal("AddDmacHandler gives ids", ids.map(|id| id > 0), [true; 2]);
        tally.equal("a channel beyond the table", syscall::add_dmac_handler(16, note, 0, core::ptr::null_mut()), -1);
        let enable = || syscall::enable_dmac(TO_SCRATCHPAD);
        tally.equal("EnableDmac is a change once", (enable(), enable()), (1, 0));
        copy_to_scratchpad();
        let start = cop0::count();
        while CALLED.load(Ordering::Relaxed) < 0x100 && cop0::count().wrapping_sub(start) < PATIENCE {
            core::hint::spin_loop();
        }
        tally.equal("a channel's end calls its handlers in their order", take_called(), 0x9192);
        tally.equal("DisableDmacHandler switches one off", call(0x5F, 9, ids[1] as u32), ids[1]);
        copy_to_scratchpad();
        tally.equal("the others are called", take_called(), 0x92);
        tally.equal("iEnableDmacHandler switches it on", call(-0x5E, 9, ids[1] as u32), ids[1]);
        tally.equal(
            "iDisableDmacHandler and EnableDmacHandler work, too",
            (call(-0x5F, 9, ids[1] as u32), call(0x5E, 9, ids[1] as u32)),
            (ids[1], ids[1]),
        );
        copy_to_scratchpad();
        tally.equal("and all are called again", take_called(), 0x9192);
        let disable = || syscall::disable_dmac(TO_SCRATCHPAD);
        tally.equal("DisableDmac is a change once", (disable(), disable()), (1, 0));
        let left = [ids[0], ids[1]].map(|id| syscall::remove_dmac_handler(TO_SCRATCHPAD, id));
        tally.equal("RemoveDmacHandler tells how many are left", left, [1, 0]);
    }
}

fn switches(tally: &mut Tally) {
    let twice =
        |on: i32, off: i32, what: u32| [call(on, what, 0), call(on, what, 0), call(off, what, 0), call(off, what, 0)];
    tally.equal("iEnableIntc and iDisableIntc switch a cause", twice(-0x1A, -0x1B, 9), [1, 0, 1, 0]);
    tally.equal("iEnableDmac and iDisableDmac switch a channel", twice(-0x1C, -0x1D, 3), [1, 0, 1, 0]);
    let function = note as *const () as u32;
    let added = [call(0x0A, 3, function), call(0x0A, 3, function), call(0x0A, 16, function)];
    tally.equal("AddSbusIntcHandler takes a free cause below 16", added, [3, -1, -1]);
    tally.equal("RemoveSbusIntcHandler gives the cause back", [call(0x0B, 3, 0), call(0x0B, 16, 0)], [3, -1]);
    tally.equal("Interrupt2Iop raises its flag", (call(0x0C, 15, 0), call(0x7A, 3, 0) & 0x8000), (15, 0x8000));
    tally.equal("there is no seventeenth cause", call(0x0C, 16, 0), -1);
}

fn resets(tally: &mut Tally) {
    write(CHANNELS[0] + MADR, 0x0010_0000);
    call(0x14, 4, 0);
    call(0x01, 1, 0);
    tally.equal(
        "ResetEE clears the channels but those of the SIF",
        (read(CHANNELS[0] + MADR), read(FROM_IOP) & START),
        (0, START),
    );
    tally.equal("and leaves other units alone", call(0x14, 4, 0), 0);
    call(0x01, 0x20, 0);
    tally.equal("ResetEE masks the interrupts of what it resets", call(0x15, 4, 0), 0);
    write(D_CTRL, read(D_CTRL) | 1);
}

fn screen(tally: &mut Tally) {
    tally.equal(
        "SetGsCrt knows the television, computer and film modes",
        [call_with(0x02, [0, 0x1A, 0]), call_with(0x02, [0, 0x50, 0]), call_with(0x02, [1, 0x72, 1])],
        [0; 3],
    );
    tally.equal("SetGsCrt refuses what is no mode", call_with(0x02, [1, 0x60, 0]), -1);
    call_with(0x02, [1, 2, 1]);
    tally.equal("iGsPutIMR sets the mask", call(-0x71, 0x7F00, 0), 0x7F00);
    tally.equal("iGsGetIMR reads it", call(-0x70, 0, 0), 0x7F00);
}

fn sif(tally: &mut Tally) {
    call(0x6B, 0, 0);
    tally.equal("SifStopDma stops the channel from the IOP", read(FROM_IOP) & START, 0);
    let ready = [0x78, -0x78].map(|number| {
        call(0x6B, 0, 0);
        call(number, 0, 0);
        read(FROM_IOP) & START
    });
    tally.equal("SifSetDChain readies it", ready[0], START);
    tally.equal("iSifSetDChain does, too", ready[1], START);
    let mut socket = [0u32; 16];
    let inner = [0u32; 16];
    socket[1] = inner.as_ptr() as u32;
    socket[3] = inner.as_ptr() as u32;
    tally.equal("Deci2Call opens a socket", call(0x7C, 1, socket.as_ptr() as u32), 1);
}

global_asm!(
    ".section .text.units, \"ax\", @progbits",
    ".set push",
    ".set noreorder",
    ".set noat",
    ".set mips3",
    // Jumped to with $26 and $27 free: goes on behind the instruction.
    ".globl selftest_breakpoint",
    "selftest_breakpoint:",
    "mfc0 $26, $14",
    "addiu $26, $26, 4",
    "mtc0 $26, $14",
    "lui $26, %hi(selftest_breaks)",
    "lw $27, %lo(selftest_breaks)($26)",
    "nop",
    "addiu $27, $27, 1",
    "sw $27, %lo(selftest_breaks)($26)",
    ".word 0x0000040F",
    "nop",
    "eret",
    "nop",
    ".set pop",
    ".section .data.units, \"aw\", @progbits",
    ".balign 4",
    ".globl selftest_breaks",
    "selftest_breaks: .word 0",
    ".text",
);

unsafe extern "C" {
    fn selftest_breakpoint();
    static selftest_breaks: u32;
}

fn exceptions(tally: &mut Tally) {
    /// Behind the table of calls: handlers by exception code, and by interrupt line.
    const BY_CODE: u32 = 0x8001_2380;
    const BY_LINE: u32 = 0x8001_23C0;
    const BREAKPOINT: u32 = 9;
    let before = kernel_word(BY_CODE + 4 * BREAKPOINT);
    let handler = selftest_breakpoint as *const () as u32;
    tally.equal("SetVCommonHandler gives the handler back", call(0x0E, BREAKPOINT, handler) as u32, handler);
    // SAFETY: the handler above goes on behind the instruction.
    let count = unsafe {
        core::arch::asm!("break", options(nostack));
        (&raw const selftest_breaks).read_volatile()
    };
    call(0x0E, BREAKPOINT, before);
    tally.equal("a handler of an exception goes on behind it", count, 1);
    tally.equal("SetVCommonHandler refuses other codes", [call(0x0E, 3, handler), call(0x0E, 14, handler)], [0; 2]);
    let line = kernel_word(BY_LINE);
    tally.equal(
        "SetVInterruptHandler fills its table",
        (call(0x0F, 0, handler) as u32, kernel_word(BY_LINE)),
        (handler, handler),
    );
    call(0x0F, 0, line);
    tally.equal("there is no ninth line", call(0x0F, 8, handler), 0);
    tally.equal(
        "the end of a handler where there is none",
        (call(-5, 0, 0), call(5, 0, 0), call(-8, 0, 0)),
        (-1, -1, -1),
    );
}
