//! One program after another: ExecPS2, LoadExecPS2, Exit, and what a program's start-up code asks for.
//!
//! Source: EE kernel semantics, sections 2, 8, 9 and 12.

use super::calls::{gs, memory, sif as sif_calls, system};
use super::console::report;
use super::hardware::{
    INTC_MASK, INTC_STAT, SIF_SMFLG, TIMER, TIMER_STRIDE, read, read_settled, timer, uncached, wait_until, write,
};
use super::interrupts::{ALARM, ALARM_IDLE_MODE, SBUS, VERTICAL_BLANK};
use super::state::{kernel, thread_frame};
use super::{switch, user};
use bootrom_ee::Refused;
use bootrom_ee::arguments::{ARGUMENTS, Arguments, BLOCK_POINTERS, BLOCK_TEXT, TEXT};
use bootrom_ee::blank::Blank;
use bootrom_ee::context::{CONTEXT_SIZE, Context, register};
use bootrom_ee::romdir::RomDirectory;

/// Bytes of RAM.
pub const MEMORY_SIZE: u32 = 0x0200_0000;
/// The main thread's stack ends this far below the end of RAM.
const STACK_GAP: u32 = 0x1000;
/// Where the idle thread loops, in user mode.
pub const IDLE_LOOP: u32 = 0x0008_1FC0;
/// Where handlers return to, in user mode; the stack below [`IDLE_LOOP`] is theirs.
const DISPATCHER: u32 = 0x0008_1FE0;
/// Where EELOAD runs, and the first byte that a new program's clean-up clears.
const EELOAD: u32 = 0x0008_2000;
/// The scratchpad.
const SCRATCHPAD: (u32, u32) = (0x7000_0000, 0x4000);
/// The ROM for this processor.
const ROM: (u32, usize) = (0xBFC0_0000, 0x40_0000);
/// SMFLG: the IOP has started all its modules.
const BOOT_END: u32 = 0x4_0000;
/// How long a program may wait for the IOP before it is told, in milliseconds.
const IOP_PATIENCE: u32 = 10_000;

/// The ROM's files.
pub fn rom() -> Option<RomDirectory<'static>> {
    // SAFETY: the ROM is mapped there for ever and never changes.
    RomDirectory::find(unsafe { core::slice::from_raw_parts(ROM.0 as *const u8, ROM.1) })
}

/// Writes the two small user-mode routines: the idle loop and the end of handlers.
pub fn install_user_routines() {
    const IDLE: [u32; 2] = [
        0x1000_FFFF, // b .
        0,
    ];
    const DISPATCH: [u32; 5] = [
        0x0060_F809, // jalr $3
        0,
        0x2403_FFFB, // li $3, -5
        0x0000_000C, // syscall
        0,
    ];
    for (index, word) in IDLE.into_iter().enumerate() {
        write(uncached(IDLE_LOOP) + 4 * index as u32, word);
    }
    for (index, word) in DISPATCH.into_iter().enumerate() {
        write(uncached(DISPATCHER) + 4 * index as u32, word);
    }
}

/// Reads a program's argv.
fn read_arguments(arguments: &mut Arguments, count: u32, argv: u32) {
    for index in 0..count.min(ARGUMENTS as u32) {
        let text = user::read::<u32>(argv.wrapping_add(4 * index)).unwrap_or(0);
        if text == 0 || !arguments.push(user::string(text, TEXT as u32)) {
            break;
        }
    }
}

/// Puts the machine into the state in which a program starts: one thread, no handlers, units reset.
fn clean_up() {
    /// INTC causes that stay: SBUS, and 13, which no one may touch.
    const KEPT: u32 = 1 << SBUS | 1 << 13;
    /// Modes of the timers at a program's start: stopped with flags cleared, and the two that count.
    const MODES: [u32; 4] = [0xC00, 0xC00, 0xC80, 0xC83];
    /// Milliseconds for one vertical blank.
    const BLANK_PATIENCE: u32 = 50;

    kernel(|kernel| {
        kernel.scheduler.keep_only_current();
        kernel.handlers.clear();
        kernel.alarms.clear();
        kernel.blank = Blank::new();
    });
    write(INTC_STAT, 1 << VERTICAL_BLANK);
    wait_until(BLANK_PATIENCE, || read(INTC_STAT) & (1 << VERTICAL_BLANK) != 0);
    gs::reset();
    write(INTC_MASK, read(INTC_MASK) & !KEPT & 0xFFFF);
    write(INTC_STAT, !KEPT & 0xFFFF);
    for (number, mode) in MODES.into_iter().enumerate() {
        let base = TIMER + TIMER_STRIDE * number as u32;
        write(base + timer::COUNT, 0);
        write(base + timer::COMPARE, 0xFFFF);
        write(base + timer::MODE, mode);
        if number < 2 {
            write(base + timer::HOLD, 0);
        }
    }
    write(TIMER + 3 * TIMER_STRIDE + timer::MODE, ALARM_IDLE_MODE);
    enable_kernel_causes();
    system::reset_ee(system::RESET_ALL);
    user::fill(SCRATCHPAD.0, SCRATCHPAD.1, 0);
    memory::flush_cache(3);
}

/// SBUS and timer 3 are the kernel's.
pub fn enable_kernel_causes() {
    let wanted = 1 << SBUS | 1 << ALARM;
    write(INTC_MASK, wanted & !read(INTC_MASK));
}

/// The caller goes on as the main thread of a program.
fn enter(entry: u32, gp: u32) {
    let frame = thread_frame();
    frame.context = Context::ZERO;
    frame.context.set(register::GP, gp);
    frame.epc = entry;
    switch::load_float(&frame.context);
    kernel(|kernel| {
        let current = kernel.scheduler.current();
        let thread = kernel.scheduler.thread_mut(current);
        thread.entry = entry;
        thread.gp = gp;
    });
}

/// 07h ExecPS2(entry, gp, argc, argv): a program that is in memory takes the caller's place.
// Covers: ee, 0x07 ExecPS2 test=second: arguments
pub extern "C" fn exec_ps2(entry: u32, gp: u32, argc: u32, argv: u32) -> i32 {
    let mut arguments = Arguments::new();
    read_arguments(&mut arguments, argc, argv);
    kernel(|kernel| kernel.arguments = arguments);
    clean_up();
    enter(entry, gp);
    0
}

/// 06h LoadExecPS2(path, argc, argv): EELOAD loads a program and starts it.
// Covers: ee, 0x06 LoadExecPS2 test=third: arguments
pub extern "C" fn load_exec_ps2(path: u32, argc: u32, argv: u32) -> i32 {
    let mut arguments = Arguments::new();
    arguments.push(*b"EELOAD");
    arguments.push(user::string(path, TEXT as u32));
    read_arguments(&mut arguments, argc, argv);
    start_eeload(arguments);
    0
}

/// 04h Exit(code): back to the start-up program.
// Covers: ee, 0x04 Exit test=the boot ROM hears of the program's end
pub extern "C" fn exit(code: i32) -> i32 {
    report!("program ended with {code}");
    let mut arguments = Arguments::new();
    arguments.push(*b"EELOAD");
    arguments.push(*b"rom0:OSDSYS");
    arguments.push(*b"BootBrowser");
    start_eeload(arguments);
    0
}

/// 7Bh ExecOSD(argc, argv): the start-up program with arguments.
// Covers: ee, 0x7B ExecOSD test=fourth: the start-up program hands its arguments on
pub extern "C" fn exec_osd(argc: u32, argv: u32) -> i32 {
    let mut arguments = Arguments::new();
    arguments.push(*b"EELOAD");
    arguments.push(*b"rom0:OSDSYS");
    read_arguments(&mut arguments, argc, argv);
    start_eeload(arguments);
    0
}

/// Clears memory, copies EELOAD from the ROM and makes the caller its main thread.
pub fn start_eeload(arguments: Arguments) {
    kernel(|kernel| kernel.arguments = arguments);
    clean_up();
    let (fill, iop_up) = kernel(|kernel| (kernel.fill, kernel.iop_up));
    user::fill(uncached(EELOAD), MEMORY_SIZE - EELOAD, fill);
    if iop_up && !wait_until(IOP_PATIENCE, || read_settled(SIF_SMFLG) & BOOT_END != 0) {
        report!("error: the IOP has not finished its start after {} s", IOP_PATIENCE / 1000);
    }
    match rom().and_then(|rom| rom.file("EELOAD")) {
        Some(file) => {
            for (index, word) in file.chunks(4).enumerate() {
                let mut bytes = [0; 4];
                bytes[..word.len()].copy_from_slice(word);
                write(uncached(EELOAD) + 4 * index as u32, u32::from_le_bytes(bytes));
            }
        }
        None => {
            report!("error: the ROM holds no EELOAD");
            write(uncached(EELOAD), read(uncached(IDLE_LOOP)));
        }
    }
    memory::forget_instructions();
    sif_calls::set_receive_chain();
    enter(EELOAD, 0);
}

/// 3Ch SetupThread(gp, stack, size, block, root): the stack pointer. `stack` −1 is the end of memory.
// Covers: ee, 0x3C SetupThread test=stack top is 01FFF000 - 2A0
pub extern "C" fn setup_thread(gp: u32, stack: i32, size: u32, block: u32, root: u32) -> u32 {
    let base = if stack == -1 { MEMORY_SIZE.wrapping_sub(STACK_GAP).wrapping_sub(size) } else { stack as u32 };
    let arguments = kernel(|kernel| {
        let current = kernel.scheduler.current();
        let thread = kernel.scheduler.thread_mut(current);
        thread.gp = gp;
        thread.stack = base;
        thread.stack_size = size;
        thread.root = root;
        kernel.arguments.clone()
    });
    // A block that is none leaves the program without arguments; it has its stack all the same.
    let _ = write_block(block, &arguments);
    base.wrapping_add(size).wrapping_sub(CONTEXT_SIZE)
}

/// Writes the argument block: the count, pointers to the strings, the strings.
fn write_block(block: u32, arguments: &Arguments) -> Result<(), Refused> {
    user::check(block, BLOCK_TEXT + arguments.text().len() as u32, 4)?;
    user::write(block, arguments.len() as u32)?;
    for (index, offset) in arguments.offsets().iter().enumerate() {
        user::write(block + BLOCK_POINTERS + 4 * index as u32, block + BLOCK_TEXT + u32::from(*offset))?;
    }
    user::copy(block + BLOCK_TEXT, arguments.text())
}

/// 3Dh SetupHeap(start, size): the heap's end. A negative size is all up to the stack.
// Covers: ee, 0x3D SetupHeap test=SetupHeap tells the heap's end
pub extern "C" fn setup_heap(start: u32, size: i32) -> u32 {
    kernel(|kernel| {
        let current = kernel.scheduler.current();
        let thread = kernel.scheduler.thread_mut(current);
        thread.heap_end = if size < 0 { thread.stack } else { start.wrapping_add(size as u32) };
        thread.heap_end
    })
}

/// 3Eh EndOfHeap(): what SetupHeap said.
// Covers: ee, 0x3E EndOfHeap test=EndOfHeap remembers it
pub extern "C" fn end_of_heap() -> u32 {
    kernel(|kernel| {
        let current = kernel.scheduler.current();
        kernel.scheduler.thread(current).heap_end
    })
}
