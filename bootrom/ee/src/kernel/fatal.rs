//! An exception that nothing handles: registers, cause and the code around it on the console, the most of it on the
//! screen, too. Source: EE kernel semantics, section 1; PS2 hardware facts, section 6.1.

use super::cell::Global;
use super::console::{Console, report};
use super::hardware::cop0;
use super::screen;
use super::state::{fatal_frame, kernel, thread_frame};
use bootrom_ee::context::{Frame, register};
use bootrom_ee::fatal::{self, REGISTERS};
use bootrom_ee::screen::{Colour, Text};
use core::fmt::Write as _;

/// Names of the exception codes.
const NAMES: [&str; 16] = [
    "interrupt",
    "TLB modified",
    "TLB miss on load or fetch",
    "TLB miss on store",
    "address error on load or fetch",
    "address error on store",
    "bus error on fetch",
    "bus error on data",
    "system call of a thread in an interrupt handler",
    "breakpoint",
    "reserved instruction",
    "coprocessor unusable",
    "overflow",
    "trap",
    "code 14",
    "code 15",
];

/// From the vectors; the registers are in the fatal frame.
#[unsafe(no_mangle)]
extern "C" fn fatal_exception() -> ! {
    if begins_again() {
        report!("error: another exception during the report");
        stop();
    }
    let code = fatal_frame().cause >> 2 & 0xF;
    let thread = kernel(|kernel| kernel.scheduler.current());
    dump(format_args!("exception {code} ({})", NAMES[code as usize]), thread)
}

/// A thread's stack pointer is no memory of programs, so that its registers cannot be kept: the end of the program. They are
/// still in the thread's frame.
pub fn no_stack(thread: u16) -> ! {
    let (from, to) = (thread_frame(), fatal_frame());
    to.context = from.context;
    (to.epc, to.bad_address) = (from.epc, from.context.get(register::SP));
    (to.status, to.cause, to.error_epc) = (cop0!("12"), cop0!("13"), cop0!("30"));
    dump(format_args!("no stack to keep registers on"), thread)
}

fn dump(what: core::fmt::Arguments<'_>, thread: u16) -> ! {
    let frame = fatal_frame();
    report!("error: {what} at {:#010x}, address {:#010x}, thread {thread}", frame.epc, frame.bad_address);
    report!("status {:#010x} cause {:#010x} error epc {:#010x}", frame.status, frame.cause, frame.error_epc);
    for (row, names) in REGISTERS.chunks(4).enumerate() {
        let mut console = Console;
        let _ = console.write_str("ROM:");
        for (column, name) in names.iter().enumerate() {
            let quad = frame.context.general[4 * row + column];
            let _ = write!(console, " {name} {:08x}_{:016x}", quad.high as u32, quad.low);
        }
        let _ = console.write_str("\n");
    }
    dump_code(frame.epc);
    show(frame, what, thread);
    stop();
}

/// Set while a report is made, so that a fault of the report itself does not start another one for ever.
static REPORTING: Global<bool> = Global::new(false);

fn begins_again() -> bool {
    // SAFETY: one processor; only the reports use it, and they do not return.
    unsafe { REPORTING.pointer().replace(true) }
}

fn stop() -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// The same on the screen, as far as it has room.
fn show(frame: &Frame, what: core::fmt::Arguments<'_>, thread: u16) {
    const GROUND: Colour = Colour::new(0x88, 0x08, 0x08);
    let code = code_place(frame.epc).map(|place| [place - 4, place, place + 4].map(code_word));
    let mut text = Text::<1024>::new();
    fatal::write(&mut text, what, thread, frame, code);
    screen::show(GROUND, text.as_bytes());
}

/// Eight words before and after the instruction.
fn dump_code(pc: u32) {
    let Some(place) = code_place(pc) else { return };
    for row in [place - 0x20, place - 0x10, place, place + 0x10] {
        let [first, second, third, fourth] = [0, 4, 8, 12].map(|offset| code_word(row + offset));
        report!("{row:#010x}: {first:08x} {second:08x} {third:08x} {fourth:08x}");
    }
}

/// Physical address of the instruction at `pc`, where it is one of RAM with as much around it as the report shows.
fn code_place(pc: u32) -> Option<u32> {
    /// RAM's end as the processor sees it physically.
    const RAM_END: u32 = super::programs::MEMORY_SIZE;
    let place = super::hardware::physical(pc) & !3;
    (0x20..RAM_END - 0x20).contains(&place).then_some(place)
}

/// The word at a physical address of RAM.
fn code_word(place: u32) -> u32 {
    super::hardware::read(super::hardware::uncached(place))
}

/// A bug of the kernel itself.
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    const GROUND: Colour = Colour::new(0x88, 0x08, 0x58);
    report!("error: the EE kernel panicked: {info}");
    if !begins_again() {
        let mut text = Text::<512>::new();
        let _ = write!(text, "the EE kernel panicked\n{info}");
        screen::show(GROUND, text.as_bytes());
    }
    stop();
}
