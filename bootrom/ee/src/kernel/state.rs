//! The kernel's one piece of state.

use super::cell::Global;
use bootrom_ee::alarms::AlarmTable;
use bootrom_ee::arguments::Arguments;
use bootrom_ee::blank::Blank;
use bootrom_ee::configuration::Configuration;
use bootrom_ee::context::Frame;
use bootrom_ee::handlers::HandlerTable;
use bootrom_ee::scheduler::Scheduler;
use bootrom_ee::sif::Ring;
use bootrom_ee::video::Region;

/// Number of words of the SIF that only the kernel keeps.
pub const SIF_WORDS: usize = 32;
/// Number of SBUS handlers.
pub const SBUS_HANDLERS: usize = 32;

/// Everything that the kernel knows.
pub struct Kernel {
    /// Threads and semaphores.
    pub scheduler: Scheduler,
    /// INTC and DMAC chains.
    pub handlers: HandlerTable,
    /// Alarms.
    pub alarms: AlarmTable,
    /// Arguments for the next program.
    pub arguments: Arguments,
    /// What the console's owner has set.
    pub configuration: Configuration,
    /// Transfers to the IOP.
    pub ring: Ring,
    /// The IOP answered at the kernel's start.
    pub iop_up: bool,
    /// Software registers of the SIF.
    pub sif_words: [u32; SIF_WORDS],
    /// SBUS handlers: function and global pointer.
    pub sbus: [Option<(u32, u32)>; SBUS_HANDLERS],
    /// Where to note the next vertical blank.
    pub blank: Blank,
    /// Last value of the GS's interrupt mask, which cannot be read.
    pub gs_mask: u32,
    /// Television system of this ROM.
    pub region: Region,
    /// Word that fills RAM before a program is loaded.
    pub fill: u32,
}

impl Kernel {
    const fn new() -> Self {
        Self {
            scheduler: Scheduler::new(),
            handlers: HandlerTable::new(),
            alarms: AlarmTable::new(),
            arguments: Arguments::new(),
            configuration: Configuration::new(),
            ring: Ring::new(),
            iop_up: false,
            sif_words: [0; SIF_WORDS],
            sbus: [None; SBUS_HANDLERS],
            blank: Blank::new(),
            gs_mask: 0,
            region: Region::Ntsc,
            fill: 0,
        }
    }
}

static KERNEL: Global<Kernel> = Global::new(Kernel::new());

/// Runs `work` on the kernel's state.
pub fn kernel<R>(work: impl FnOnce(&mut Kernel) -> R) -> R {
    // SAFETY: one processor, interrupts off in kernel mode; `work` never runs a program's code and never calls this
    // function again, so that no second reference exists.
    work(unsafe { &mut *KERNEL.pointer() })
}

/// Registers of the thread that called or was interrupted.
#[unsafe(no_mangle)]
static FRAME_THREAD: Global<Frame> = Global::new(Frame::ZERO);
/// Registers of the caller of a call under a negative number; only the way in and out uses it.
#[unsafe(no_mangle)]
static FRAME_CALL: Global<Frame> = Global::new(Frame::ZERO);
/// Registers at an exception that nothing handles.
#[unsafe(no_mangle)]
static FRAME_FATAL: Global<Frame> = Global::new(Frame::ZERO);

/// Registers of the thread that called or was interrupted.
pub fn thread_frame() -> &'static mut Frame {
    // SAFETY: as for `kernel`; callers do not keep it.
    unsafe { &mut *FRAME_THREAD.pointer() }
}

/// Registers at a fatal exception.
pub fn fatal_frame() -> &'static mut Frame {
    // SAFETY: as for `thread_frame`.
    unsafe { &mut *FRAME_FATAL.pointer() }
}
