//! The EE kernel's system calls that the game uses.
//!
//! Each is a small function of its own: the number goes to `$v1`, the kernel answers in `$v0`, and because the program
//! *calls* it, the compiler already counts every caller-saved register as lost. Calls whose name begins with `i_` are the
//! negative numbers that interrupt handlers may use; all others come back with interrupts enabled.
//!
//! Source: EE facts, section 4; EE kernel.

use super::interrupt::Handler;
use core::arch::naked_asm;
use core::ffi::{c_char, c_void};

/// What [`create_thread`] reads. Priority 0 is the most urgent of 128.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ThreadParameters {
    /// Unused by the call.
    pub status: i32,
    /// Where the thread starts; it gets the argument of [`start_thread`].
    pub function: unsafe extern "C" fn(*mut c_void),
    /// The stack's lowest address, 16-byte aligned.
    pub stack: *mut c_void,
    /// The stack's size in bytes.
    pub stack_size: i32,
    /// Value of the global pointer.
    pub global_pointer: *mut c_void,
    /// Priority at the start, 0-127.
    pub initial_priority: i32,
    /// Unused by the call.
    pub current_priority: i32,
    /// Stored and reported.
    pub attributes: u32,
    /// Stored and reported.
    pub option: u32,
}

/// What [`create_sema`] reads and [`refer_sema`] fills.
#[derive(Clone, Copy, Default, Debug)]
#[repr(C)]
pub struct SemaParameters {
    /// The count now; filled by a query.
    pub count: i32,
    /// The largest count: stored, never enforced.
    pub max_count: i32,
    /// The count at the start.
    pub initial_count: i32,
    /// Threads that wait; filled by a query.
    pub waiting: i32,
    /// Stored and reported.
    pub attributes: u32,
    /// Stored and reported.
    pub option: u32,
}

/// One transfer of [`sif_set_dma`] to the other processor. Addresses and size are multiples of 16.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SifTransfer {
    /// Address in EE memory, written back.
    pub source: *const c_void,
    /// Address in IOP memory.
    pub destination: u32,
    /// Bytes.
    pub size: i32,
    /// Bit 1 interrupts us, bit 2 the other side, bit 6 ends its chain.
    pub attributes: u32,
}

/// What [`setup_thread`] fills: the program's arguments.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ArgumentBlock {
    /// Number of arguments.
    pub count: i32,
    /// The arguments, zero-terminated, in `payload`.
    pub values: [*const c_char; 16],
    /// The strings.
    pub payload: [u8; 256],
}

/// A DMA channel's handler: gets the channel and the argument given at registration.
pub type DmaHandler = Handler;
/// An alarm's handler: gets the alarm's id, its target line count and the argument.
pub type AlarmHandler = unsafe extern "C" fn(id: i32, time: u16, argument: *mut c_void);

macro_rules! system_calls {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? = $number:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// Pointers must be valid for what the call reads or writes, and stay so as long as the kernel keeps them.
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name($($argument: $kind),*) $(-> $result)? {
            naked_asm!(
                ".set push",
                ".set noreorder",
                "addiu $3, $0, {number}",
                "syscall",
                "jr $31",
                "nop",
                ".set pop",
                number = const $number,
            )
        }
    )*};
}

system_calls! {
    /// Resets parts: DMAC 1, VU1 2, VIF1 4, GIF 8, VU0 0x10, VIF0 0x20, IPU 0x40.
    reset_ee(parts: u32) = 0x01;
    /// Sets the video mode: interlace 0 or 1, mode number, 0 for FIELD or 1 for FRAME.
    set_gs_crt(interlace: i32, mode: i32, field: i32) = 0x02;
    /// Leaves the program for the console's browser.
    exit(code: i32) -> ! = 0x04;
    /// Replaces the program by one from a path.
    load_exec_ps2(path: *const c_char, count: i32, values: *const *const c_char) = 0x06;
    /// Replaces the program by one that is in memory.
    exec_ps2(entry: *const c_void, global_pointer: *const c_void, count: i32, values: *const *const c_char) -> i32 = 0x07;
    /// Sets who is jumped to at one of memory's exceptions, 1-3. Answers the handler, or 0 for another cause.
    set_tlb_refill_handler(cause: i32, handler: *mut c_void) -> *mut c_void = 0x0D;
    /// Sets who is jumped to at an exception of 4-13. Answers the handler, or 0 for another cause.
    set_common_handler(cause: i32, handler: *mut c_void) -> *mut c_void = 0x0E;
    /// Adds an interrupt handler: `next` 0 first, -1 last. Answers its id, or -1.
    add_intc_handler(cause: i32, handler: Handler, next: i32, argument: *mut c_void) -> i32 = 0x10;
    /// Removes an interrupt handler. Answers how many are left, or -1.
    remove_intc_handler(cause: i32, id: i32) -> i32 = 0x11;
    /// Adds a DMA channel's handler: `next` 0 first, -1 last. Answers its id, or -1.
    add_dmac_handler(channel: i32, handler: DmaHandler, next: i32, argument: *mut c_void) -> i32 = 0x12;
    /// Removes a DMA channel's handler. Answers how many are left, or -1.
    remove_dmac_handler(channel: i32, id: i32) -> i32 = 0x13;
    /// Lets a cause interrupt. Answers 1 when that is new.
    enable_intc(cause: i32) -> i32 = 0x14;
    /// Stops a cause from interrupting. Answers 1 when that is new.
    disable_intc(cause: i32) -> i32 = 0x15;
    /// Lets a DMA channel interrupt. Answers 1 when that is new.
    enable_dmac(channel: i32) -> i32 = 0x16;
    /// Stops a DMA channel from interrupting. Answers 1 when that is new.
    disable_dmac(channel: i32) -> i32 = 0x17;
    /// Calls `handler` once after a number of picture lines. Answers the alarm's id, or -1.
    set_alarm(lines: u16, handler: AlarmHandler, argument: *mut c_void) -> i32 = 0xFC;
    /// [`enable_intc`] for handlers.
    i_enable_intc(cause: i32) -> i32 = -0x1A;
    /// [`disable_intc`] for handlers.
    i_disable_intc(cause: i32) -> i32 = -0x1B;
    /// [`enable_dmac`] for handlers.
    i_enable_dmac(channel: i32) -> i32 = -0x1C;
    /// [`disable_dmac`] for handlers.
    i_disable_dmac(channel: i32) -> i32 = -0x1D;
    /// Makes a dormant thread. Answers its id, or -1.
    create_thread(parameters: *const ThreadParameters) -> i32 = 0x20;
    /// Frees a dormant thread.
    delete_thread(id: i32) -> i32 = 0x21;
    /// Starts a dormant thread.
    start_thread(id: i32, argument: *mut c_void) -> i32 = 0x22;
    /// Ends the calling thread; it becomes dormant.
    exit_thread() -> ! = 0x23;
    /// Ends and frees the calling thread.
    exit_delete_thread() -> ! = 0x24;
    /// Ends another thread; it becomes dormant.
    terminate_thread(id: i32) -> i32 = 0x25;
    /// Changes a thread's priority (id 0 is the caller). Answers the old one.
    change_thread_priority(id: i32, priority: i32) -> i32 = 0x29;
    /// Turns the queue of a priority: yields when it is the caller's.
    rotate_thread_ready_queue(priority: i32) -> i32 = 0x2B;
    /// The calling thread's id.
    get_thread_id() -> i32 = 0x2F;
    /// Waits for a wake-up.
    sleep_thread() -> i32 = 0x32;
    /// Wakes another thread, or counts the wake-up.
    wakeup_thread(id: i32) -> i32 = 0x33;
    /// [`wakeup_thread`] for handlers; it may fail on the thread that was interrupted.
    i_wakeup_thread(id: i32) -> i32 = -0x34;
    /// Gives the heap's bounds; size -1 reaches up to the stack. Answers its end.
    setup_heap(start: *mut c_void, size: i32) -> *mut c_void = 0x3D;
    /// The heap's end.
    end_of_heap() -> *mut c_void = 0x3E;
    /// Makes a semaphore. Answers its id, or -1.
    create_sema(parameters: *const SemaParameters) -> i32 = 0x40;
    /// Frees a semaphore.
    delete_sema(id: i32) -> i32 = 0x41;
    /// Counts a semaphore up or releases a waiter.
    signal_sema(id: i32) -> i32 = 0x42;
    /// [`signal_sema`] for handlers.
    i_signal_sema(id: i32) -> i32 = -0x43;
    /// Waits for a semaphore's count.
    wait_sema(id: i32) -> i32 = 0x44;
    /// Takes a semaphore's count if there is one, else -1.
    poll_sema(id: i32) -> i32 = 0x45;
    /// [`poll_sema`] for handlers.
    i_poll_sema(id: i32) -> i32 = -0x46;
    /// Reports a semaphore.
    refer_sema(id: i32, parameters: *mut SemaParameters) -> i32 = 0x47;
    /// The console's settings: language, picture shape, video output.
    get_osd_config_param(word: *mut u32) = 0x4B;
    /// Treats a whole cache: 0 writes data back, 1 and 2 invalidate data or instructions, 3 both.
    flush_cache(operation: i32) = 0x64;
    /// [`flush_cache`] for handlers.
    i_flush_cache(operation: i32) = -0x68;
    /// Stops the transfer from the IOP.
    sif_stop_dma() = 0x6B;
    /// The GS's interrupt mask; its upper word is always 0.
    gs_get_imr() -> u32 = 0x70;
    /// Sets the GS's interrupt mask (bit 31 and the upper word are 0, so one register carries it).
    gs_put_imr(mask: u32) -> u32 = 0x71;
    /// At the next blank `*flag` becomes 1 and `*status` the GS's status; once.
    set_vsync_flag(flag: *mut u32, status: *mut u64) = 0x73;
    /// State of a transfer: below 0 done, 0 running, above 0 waiting.
    sif_dma_stat(id: u32) -> i32 = 0x76;
    /// [`sif_dma_stat`] for handlers.
    i_sif_dma_stat(id: u32) -> i32 = -0x76;
    /// Queues transfers to the IOP. Answers an id, or 0 when there is no room.
    sif_set_dma(list: *const SifTransfer, count: i32) -> u32 = 0x77;
    /// [`sif_set_dma`] for handlers.
    i_sif_set_dma(list: *const SifTransfer, count: i32) -> u32 = -0x77;
    /// Readies the channel from the IOP.
    sif_set_d_chain() = 0x78;
    /// [`sif_set_d_chain`] for handlers.
    i_sif_set_d_chain() = -0x78;
    /// Writes a register shared with the IOP.
    sif_set_reg(register: u32, value: u32) -> u32 = 0x79;
    /// Reads a register shared with the IOP.
    sif_get_reg(register: u32) -> u32 = 0x7A;
    /// The kernel's debug channel.
    deci2_call(function: i32, arguments: *const u32) -> i32 = 0x7C;
    /// The machine's type.
    machine_type() -> i32 = 0x7E;
    /// Bytes of main memory.
    get_memory_size() -> u32 = 0x7F;
}

/// Sets up the main thread: answers the stack's top. `stack` -1 takes the memory's end. Fills `arguments`; a thread's
/// function that returns goes on at `root`.
///
/// # Safety
/// For the start-up code: the answer replaces the stack in use, and `arguments` and `root` must stay for the program's life.
#[unsafe(naked)]
pub unsafe extern "C" fn setup_thread(
    global_pointer: *mut c_void,
    stack: *mut c_void,
    size: i32,
    arguments: *mut ArgumentBlock,
    root: *const c_void,
) -> *mut c_void {
    naked_asm!(
        ".set push",
        ".set noreorder",
        // The fifth argument is on the stack by the calling convention; the kernel wants it in a register.
        "lw $8, 16($29)",
        "addiu $3, $0, 0x3C",
        "syscall",
        "jr $31",
        "nop",
        ".set pop",
    )
}
