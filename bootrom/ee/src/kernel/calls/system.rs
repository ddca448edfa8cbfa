//! Calls about the console as a whole: resets, configuration, timers, the table itself. Source: EE kernel semantics,
//! sections 2, 5.4, 12 and 13.

use super::kernel;
use crate::kernel::console::Console;
use crate::kernel::hardware::{
    D_STAT, DMA_CHANNELS, GIF_CTRL, INTC_MASK, IPU_CTRL, VIF_ERR, VIF_FBRST, channel, cop0, read, write,
};
use crate::kernel::{table, user};
use bootrom_ee::{Refused, addresses, print};

/// Units of ResetEE's mask.
mod unit {
    pub const DMAC: u32 = 1 << 0;
    pub const VU1: u32 = 1 << 1;
    pub const VIF1: u32 = 1 << 2;
    pub const GIF: u32 = 1 << 3;
    pub const VU0: u32 = 1 << 4;
    pub const VIF0: u32 = 1 << 5;
    pub const IPU: u32 = 1 << 6;
    pub const ALL: u32 = 0x7F;
}

/// ResetEE's mask for everything.
pub const RESET_ALL: u32 = unit::ALL;

/// Channels that ResetEE stops: all but the three of the SIF.
const RESET_CHANNELS: u32 = 0x31F;

/// 01h ResetEE(units).
// Covers: ee, 0x01 ResetEE test=ResetEE clears the channels but those of the SIF
pub extern "C" fn reset_ee(units: u32) -> i32 {
    /// INTC causes of the units, from VU1 on by bit of the mask.
    const CAUSES: [(u32, u32); 5] =
        [(unit::VU1, 1 << 7), (unit::VIF1, 1 << 5), (unit::VU0, 1 << 6), (unit::VIF0, 1 << 4), (unit::IPU, 1 << 8)];
    /// FBRST of the VUs: reset bit of each.
    const VU_RESET: [u32; 2] = [0x002, 0x200];
    const RESET: u32 = 1;
    const IPU_RESET: u32 = 1 << 30;
    /// The VIF's error mask: stops on nothing but mismatch.
    const VIF_ERROR_MASK: u32 = 2;

    if units & unit::DMAC != 0 {
        for (number, base) in DMA_CHANNELS.into_iter().enumerate() {
            if RESET_CHANNELS >> number & 1 != 0 {
                for offset in [channel::CHCR, channel::MADR, channel::QWC, channel::TADR, channel::ASR0, channel::ASR1]
                {
                    write(base + offset, 0);
                }
                if number >= 8 {
                    write(base + channel::SADR, 0);
                }
            }
        }
        let masks = read(D_STAT) & RESET_CHANNELS << 16;
        write(D_STAT, RESET_CHANNELS | masks);
    }
    let vu = |number: usize| {
        // SAFETY: writes a control register of the vector units; no program's vector code runs in the kernel.
        unsafe {
            core::arch::asm!(
                // ctc2 $8, $vi28
                ".word 0x48C8E000", in("$8") VU_RESET[number], options(nostack)
            );
        }
    };
    if units & unit::VU1 != 0 {
        vu(1);
    }
    if units & unit::VIF1 != 0 {
        write(VIF_FBRST[1], RESET);
        write(VIF_ERR[1], VIF_ERROR_MASK);
    }
    if units & unit::GIF != 0 {
        write(GIF_CTRL, RESET);
    }
    if units & unit::VU0 != 0 {
        vu(0);
    }
    if units & unit::VIF0 != 0 {
        write(VIF_FBRST[0], RESET);
        write(VIF_ERR[0], VIF_ERROR_MASK);
    }
    if units & unit::IPU != 0 {
        write(IPU_CTRL, IPU_RESET);
    }
    let causes = CAUSES.iter().filter(|(unit, _)| units & unit != 0).fold(0, |bits, (_, cause)| bits | cause);
    write(INTC_MASK, read(INTC_MASK) & causes);
    0
}

/// 0, or −1 for a pointer that was refused.
fn status(outcome: Result<(), Refused>) -> i32 {
    if outcome.is_ok() { 0 } else { -1 }
}

/// 4Ah SetOsdConfigParam(&word). All bits are kept; programs tell kernels apart by the version field.
// Covers: ee, 0x4A SetOsdConfigParam test=the configuration word keeps its version
pub extern "C" fn set_osd_configuration(word: u32) -> i32 {
    let Ok(word) = user::read(word) else { return -1 };
    kernel(|kernel| kernel.configuration.set_word(word));
    0
}

/// 4Bh GetOsdConfigParam(&word).
// Covers: ee, 0x4B GetOsdConfigParam test=the configuration word keeps its version
pub extern "C" fn get_osd_configuration(word: u32) -> i32 {
    status(user::write(word, kernel(|kernel| kernel.configuration.word())))
}

/// 6Eh SetOsdConfigParam2(area, size, offset).
// Covers: ee, 0x6E SetOsdConfigParam2 test=the second configuration area is kept
pub extern "C" fn set_osd_configuration2(area: u32, size: u32, offset: u32) -> i32 {
    status(kernel(|kernel| {
        kernel.configuration.part(size, offset).iter_mut().zip(area..).try_for_each(|(byte, place)| {
            *byte = user::read(place)?;
            Ok(())
        })
    }))
}

/// 6Fh GetOsdConfigParam2(area, size, offset).
// Covers: ee, 0x6F GetOsdConfigParam2 test=the second configuration area is kept
pub extern "C" fn get_osd_configuration2(area: u32, size: u32, offset: u32) -> i32 {
    status(kernel(|kernel| user::copy(area, kernel.configuration.part(size, offset))))
}

/// 50h: number of threads.
// Covers: ee, 0x50 threads in use test=a thread is counted until it is deleted
pub extern "C" fn threads_in_use() -> u32 {
    kernel(|kernel| kernel.scheduler.threads_in_use())
}

/// 51h: number of semaphores.
// Covers: ee, 0x51 semaphores in use test=a semaphore is counted
pub extern "C" fn semaphores_in_use() -> u32 {
    kernel(|kernel| kernel.scheduler.semaphores_in_use())
}

/// 52h: number of handlers.
// Covers: ee, 0x52 handlers in use test=handlers are counted
pub extern "C" fn handlers_in_use() -> u32 {
    kernel(|kernel| kernel.handlers.in_use())
}

/// 53h: number of alarms.
// Covers: ee, 0x53 alarms in use test=alarms are counted
pub extern "C" fn alarms_in_use() -> u32 {
    kernel(|kernel| kernel.alarms.in_use())
}

/// 6Ch SetCPUTimerHandler(function).
// Covers: ee, 0x6C SetCPUTimerHandler test=SetCPUTimerHandler fills its place in the tables
pub extern "C" fn set_cpu_timer_handler(function: u32) -> i32 {
    table::set_cpu_timer(function);
    0
}

/// 6Dh SetCPUTimer(count): negative starts, 0 stops, positive sets the compare value.
// Covers: ee, 0x6D SetCPUTimer test=SetCPUTimer(0) holds the COP0 timer
pub extern "C" fn set_cpu_timer(count: i32) -> i32 {
    /// Status: interrupts on, COP0 timer unmasked.
    const TIMER_ON: u32 = 0x1_8001;
    const TIMER_MASK: u32 = 0x8000;
    match count {
        ..0 => {
            cop0!("12", cop0!("12") | TIMER_ON & !1);
            cop0!("9", 0u32);
        }
        0 => cop0!("12", cop0!("12") & !TIMER_MASK),
        _ => {
            cop0!("11", count as u32);
            cop0!("9", 0u32);
        }
    }
    0
}

/// 74h SetSyscall(number, function).
// Covers: ee, 0x74 SetSyscall test=SetSyscall adds a call
pub extern "C" fn set_syscall(number: u32, function: u32) -> i32 {
    table::replace_call(number, function);
    0
}

/// 75h print(format, …): a line of a program on the console.
// Covers: ee, 0x75 print test=print writes its text
pub extern "C" fn print(format: u32, a: u32, b: u32, c: u32, d: u32, e: u32, f: u32, g: u32) -> i32 {
    let byte = |address: u32| addresses::of_program(address, 1, 1).then(|| user::read(address).unwrap_or(0));
    // The console takes everything.
    let _ = print::print(&mut Console, format, [a, b, c, d, e, f, g], byte);
    0
}

/// 7Ch Deci2Call(what, arguments): as without a debugger. The emulator prints what goes through it by itself.
// Covers: ee, 0x7C Deci2Call test=Deci2Call opens a socket
pub extern "C" fn deci2_call(what: u32) -> i32 {
    const OPEN: u32 = 1;
    i32::from(what == OPEN)
}

/// 7Dh PSMode(): refused; this ROM has no such mode.
// Covers: ee, 0x7D PSMode test=there is no mode of the older console
pub extern "C" fn playstation_mode() -> i32 {
    -1
}

/// 7Eh MachineType().
// Covers: ee, 0x7E MachineType test=the machine has the usual type
pub extern "C" fn machine_type() -> u32 {
    0
}

/// 7Fh GetMemorySize(): bytes.
// Covers: ee, 0x7F GetMemorySize test=memory size in bytes
pub extern "C" fn memory_size() -> u32 {
    crate::kernel::programs::MEMORY_SIZE
}
