//! The table of system calls and the tables behind it, at the address where programs look for them.
//!
//! Programs replace entries (SetSyscall) and even reach the tables behind the calls by numbers past 255: number 0x12C is
//! the routine of INTC cause 12. So the order and the place are the original's. Source: EE kernel semantics, section 2.

use super::calls::{alarms, gs, handlers, memory, semaphores, sif, system, threads};
use super::cell::Global;
use super::{entry, interrupts, programs, vectors};

/// Address of the table of calls. Its low half is below 0x8000, because programs put it together without carry.
pub const CALLS_ADDRESS: u32 = 0x8001_1F80;
/// Address of the table of exception handlers, by exception code.
pub const VECTORS_ADDRESS: u32 = CALLS_ADDRESS + 0x400;
/// Address of the table of interrupt handlers, by line.
pub const INTERRUPTS_ADDRESS: u32 = CALLS_ADDRESS + 0x440;

/// Number of calls.
pub const CALLS: usize = 256;

/// A function of the kernel or, after SetSyscall, of a program. What arguments it takes is its caller's business.
pub type Routine = *const ();

/// All tables in their order.
#[repr(C)]
pub struct Tables {
    /// System calls by number; null: unknown.
    pub calls: [Routine; CALLS],
    /// Exception handlers by code: jumped to with $26 and $27 free.
    pub vectors: [Routine; 16],
    /// Interrupt handlers by line of Cause.
    pub interrupts: [Routine; 8],
    reserved: [Routine; 8],
    /// Routines of the INTC's causes.
    pub intc: [Routine; 16],
    /// Routines of the DMAC's channels.
    pub dmac: [Routine; 16],
    /// Handler of the COP0 timer.
    pub cpu_timer: Routine,
}

const _: () = {
    assert!(core::mem::offset_of!(Tables, vectors) == (VECTORS_ADDRESS - CALLS_ADDRESS) as usize);
    assert!(core::mem::offset_of!(Tables, interrupts) == (INTERRUPTS_ADDRESS - CALLS_ADDRESS) as usize);
    assert!(core::mem::offset_of!(Tables, intc) == 0x480);
    assert!(core::mem::offset_of!(Tables, dmac) == 0x4C0);
    assert!(core::mem::offset_of!(Tables, cpu_timer) == 0x500);
};

#[unsafe(link_section = ".kernel.tables")]
#[used]
static TABLES: Global<Tables> = Global::new(Tables {
    calls: calls(),
    vectors: by_code(),
    interrupts: lines(),
    reserved: [core::ptr::null(); 8],
    intc: intc(),
    dmac: [interrupts::dmac_chain as Routine; 16],
    cpu_timer: interrupts::cpu_timer as Routine,
});

/// Exception code of a system call.
const SYSTEM_CALL: usize = 8;

const fn by_code() -> [Routine; 16] {
    let mut table = [entry::exception_fatal as Routine; 16];
    table[SYSTEM_CALL] = entry::syscall_entry as Routine;
    table
}

const fn lines() -> [Routine; 8] {
    let mut table = [interrupts::unexpected_line as Routine; 8];
    table[2] = interrupts::intc as Routine;
    table[3] = interrupts::dmac as Routine;
    table[7] = interrupts::cpu_timer_line as Routine;
    table
}

const fn intc() -> [Routine; 16] {
    let mut table = [interrupts::intc_chain as Routine; 16];
    table[1] = interrupts::sbus as Routine;
    table[2] = interrupts::vertical_blank as Routine;
    table[12] = interrupts::alarm as Routine;
    table
}

/// Numbers that are not here: 0x54, 0x5A and 0x5B belong to programs' patches, 0x72 is for the older console's mode, 0x85 and
/// 0x87 are of a later console, and 0x87 must be empty (programs take a function there for its sign); 0x3B and the like
/// were never used.
// Excused: ee, 0x5A Copy reason=belongs to programs' patches
// Excused: ee, 0x5B GetEntryAddress reason=belongs to programs' patches
// Excused: ee, 0x72 SetPgifHandler reason=of another console
// Excused: ee, 0x85 SetMemoryMode reason=of another console
const fn calls() -> [Routine; CALLS] {
    let mut table = [core::ptr::null(); CALLS];
    macro_rules! set {
        ($($number:literal => $function:path),* $(,)?) => { $( table[$number] = $function as Routine; )* };
    }
    set! {
        0x01 => system::reset_ee,
        0x02 => gs::set_gs_crt,
        0x04 => programs::exit,
        0x05 => entry::end_of_handler,
        0x06 => programs::load_exec_ps2,
        0x07 => programs::exec_ps2,
        0x08 => entry::end_of_handler,
        0x0A => handlers::add_sbus_handler,
        0x0B => handlers::remove_sbus_handler,
        0x0C => handlers::interrupt_to_iop,
        0x0D => vectors::set_refill_handler,
        0x0E => vectors::set_common_handler,
        0x0F => vectors::set_interrupt_handler,
        0x10 => handlers::add_intc_handler,
        0x11 => handlers::remove_intc_handler,
        0x12 => handlers::add_dmac_handler,
        0x13 => handlers::remove_dmac_handler,
        0x14 => handlers::enable_intc,
        0x15 => handlers::disable_intc,
        0x16 => handlers::enable_dmac,
        0x17 => handlers::disable_dmac,
        0x18 => alarms::set_alarm,
        0x19 => alarms::release_alarm,
        0x1A => handlers::enable_intc,
        0x1B => handlers::disable_intc,
        0x1C => handlers::enable_dmac,
        0x1D => handlers::disable_dmac,
        0x1E => alarms::set_alarm,
        0x1F => alarms::release_alarm,
        0x20 => threads::create_thread,
        0x21 => threads::delete_thread,
        0x22 => threads::start_thread,
        0x23 => threads::exit_thread,
        0x24 => threads::exit_delete_thread,
        0x25 => threads::terminate_thread,
        0x26 => threads::i_terminate_thread,
        0x27 => threads::disable_dispatch,
        0x28 => threads::enable_dispatch,
        0x29 => threads::change_priority,
        0x2A => threads::i_change_priority,
        0x2B => threads::rotate_ready_queue,
        0x2C => threads::i_rotate_ready_queue,
        0x2D => threads::release_wait,
        0x2E => threads::release_wait,
        0x2F => threads::get_thread_id,
        0x30 => threads::refer_thread_status,
        0x31 => threads::refer_thread_status,
        0x32 => threads::sleep_thread,
        0x33 => threads::wakeup_thread,
        0x34 => threads::i_wakeup_thread,
        0x35 => threads::cancel_wakeup,
        0x36 => threads::cancel_wakeup,
        0x37 => threads::suspend_thread,
        0x38 => threads::i_suspend_thread,
        0x39 => threads::resume_thread,
        0x3A => threads::i_resume_thread,
        0x3C => programs::setup_thread,
        0x3D => programs::setup_heap,
        0x3E => programs::end_of_heap,
        0x40 => semaphores::create_sema,
        0x41 => semaphores::delete_sema,
        0x42 => semaphores::signal_sema,
        0x43 => semaphores::signal_sema,
        0x44 => semaphores::wait_sema,
        0x45 => semaphores::poll_sema,
        0x46 => semaphores::poll_sema,
        0x47 => semaphores::refer_sema,
        0x48 => semaphores::refer_sema,
        0x49 => semaphores::delete_sema,
        0x4A => system::set_osd_configuration,
        0x4B => system::get_osd_configuration,
        0x4C => gs::get_horizontal,
        0x4D => gs::get_vertical,
        0x4E => gs::set_horizontal,
        0x4F => gs::set_vertical,
        0x50 => system::threads_in_use,
        0x51 => system::semaphores_in_use,
        0x52 => system::handlers_in_use,
        0x53 => system::alarms_in_use,
        0x55 => memory::put_tlb_entry,
        0x56 => memory::set_tlb_entry,
        0x57 => memory::get_tlb_entry,
        0x58 => memory::probe_tlb_entry,
        0x59 => memory::expand_scratchpad,
        0x5C => handlers::enable_intc_handler,
        0x5D => handlers::disable_intc_handler,
        0x5E => handlers::enable_dmac_handler,
        0x5F => handlers::disable_dmac_handler,
        0x60 => memory::kseg0,
        0x61 => memory::enable_cache,
        0x62 => memory::disable_cache,
        0x63 => memory::get_cop0,
        0x64 => memory::flush_cache,
        0x66 => memory::cpu_config,
        0x67 => memory::get_cop0,
        0x68 => memory::flush_cache,
        0x6A => memory::cpu_config,
        0x6B => sif::stop_dma,
        0x6C => system::set_cpu_timer_handler,
        0x6D => system::set_cpu_timer,
        0x6E => system::set_osd_configuration2,
        0x6F => system::get_osd_configuration2,
        0x70 => gs::get_imr,
        0x71 => gs::put_imr,
        0x73 => gs::set_vsync_flag,
        0x74 => system::set_syscall,
        0x75 => system::print,
        0x76 => sif::dma_status,
        0x77 => sif::set_dma,
        0x78 => sif::set_receive_chain,
        0x79 => sif::set_register,
        0x7A => sif::get_register,
        0x7B => programs::exec_osd,
        0x7C => system::deci2_call,
        0x7D => system::playstation_mode,
        0x7E => system::machine_type,
        0x7F => system::memory_size,
        0x80 => gs::get_display_offset,
        0x82 => memory::init_tlb,
        0x83 => memory::find_address,
        0xFC => alarms::set_alarm,
        0xFD => alarms::set_alarm,
        0xFE => alarms::release_alarm,
        0xFF => alarms::release_alarm,
    }
    table
}

/// A routine of a table, as it is now: programs may have replaced it.
pub fn routine(choose: impl FnOnce(&Tables) -> *const Routine) -> Routine {
    // SAFETY: the tables live for ever and only kernel code, which does not run twice at a time, touches them; the
    // volatile read sees what a program's patch wrote.
    unsafe { choose(&*TABLES.pointer()).read_volatile() }
}

/// SetSyscall's store. The number is not checked: programs use numbers past the table on purpose.
pub fn replace_call(number: u32, function: u32) {
    let address = CALLS_ADDRESS.wrapping_add(number.wrapping_mul(4));
    super::hardware::write(address & !3, function);
}

/// Sets the COP0 timer's handler.
pub fn set_cpu_timer(function: u32) {
    super::hardware::write(CALLS_ADDRESS + core::mem::offset_of!(Tables, cpu_timer) as u32, function);
}
