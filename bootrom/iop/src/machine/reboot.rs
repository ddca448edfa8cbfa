//! REBOOT: starts this processor anew when the EE asks for it.

use super::boot_list;
use super::critical::{Shared, resume, suspend};
use super::ioman::text_of;
use super::libraries::loadcore;
use super::registers::{dma, interrupt};
use super::sifcmd;
use super::threads::{self, THREADS, call, call_blocking, delay, set_system_event, system_event};
use bootrom_iop::errors::Error;
use bootrom_iop::reboot::CommandLine;
use bootrom_iop::sif::{PACKET_WORDS, command};

/// Priority and stack of the thread that does it.
///
/// Source: IOP kernel, corrections (server thread priorities)
const PRIORITY: u32 = 10;
const STACK: u32 = 0x1000;
/// Time for the EE to clear the flags that the new start sets again.
///
/// Our choice: the ROM's start is quicker than the real one's, which gives that time by itself.
const GRACE_MICROSECONDS: u32 = 3000;
/// Where both processors begin.
const RESET: usize = 0xBFC0_0000;

static COMMAND: Shared<Option<CommandLine>> = Shared::new(None);
static THREAD: Shared<i32> = Shared::new(0);

/// Starts to listen.
///
/// # Errors
/// No record or no memory.
pub fn start() -> Result<(), Error> {
    let thread = threads::spawn(run, PRIORITY, STACK, 0)?;
    THREAD.with(|stored| *stored = thread);
    sifcmd::add_handler(command::RESET, asked as sifcmd::CommandHandler as usize as u32, 0);
    Ok(())
}

extern "C" fn asked(packet: *mut u32, _argument: u32) {
    // SAFETY: the packet layer hands out arrays of exactly that many words.
    let line = CommandLine::of(unsafe { &*packet.cast::<[u32; PACKET_WORDS]>() });
    COMMAND.with(|command| *command = Some(line));
    set_system_event(system_event::REBOOT);
    let thread = THREAD.with(|thread| *thread);
    // It sleeps until this call.
    let _ = THREADS.with(|threads| threads.interrupt_wakeup(thread));
}

/// Starts anew with `command`, a string or null, as if the EE had asked for it; it does not return.
pub fn restart_with(command: *const u8) -> ! {
    // SAFETY: the caller passes a string.
    let text = if command.is_null() { &[] } else { unsafe { text_of(command) } };
    COMMAND.with(|stored| *stored = Some(CommandLine::from_text(text)));
    let thread = THREAD.with(|thread| *thread);
    // It sleeps until this call.
    let _ = call(|threads| threads.wakeup(thread));
    loop {
        // Until then nothing of this thread runs any more, whoever wakes it.
        let _ = call_blocking(|threads| Ok(threads.sleep()));
    }
}

extern "C" fn run(_argument: u32) -> i32 {
    loop {
        // A released sleep looks for a command like a waking.
        let _ = call_blocking(|threads| Ok(threads.sleep()));
        if let Some(line) = COMMAND.with(Option::take) {
            boot_list::leave_note(&line);
            loadcore::shut_down();
            let _ = delay(GRACE_MICROSECONDS);
            restart();
        }
    }
}

/// Stops everything that could still write to memory and begins at the reset code.
fn restart() -> ! {
    suspend();
    interrupt::MASK.write(0);
    for channel in [dma::CDVD, dma::SPU0, dma::SPU1, dma::SIF0, dma::SIF1, dma::SIO2_OUT, dma::SIO2_IN] {
        channel.control.write(0);
    }
    resume(0);
    // SAFETY: the reset code is a function without arguments that never returns; it takes over the whole machine.
    let reset: extern "C" fn() -> ! = unsafe { core::mem::transmute(RESET) };
    reset()
}
