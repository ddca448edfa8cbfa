//! The first instructions, the exception entry and the context switch.
//!
//! Every switch of threads goes through the exception entry: an interrupt, or the `syscall` by which a thread gives
//! the processor away. It saves the whole context in a frame on the stack that was in use, calls
//! [`exception_dispatch`](super::exceptions::exception_dispatch) on the interrupt stack and resumes from the frame which that returns. So a
//! thread's saved state is one pointer.
//!
//! Load delays are honoured by hand: every loaded register rests for one instruction.

use core::arch::global_asm;

/// Bytes of a saved context, the size that the system's own frames have.
///
/// Source: IOP kernel, INTRMAN (context frame)
pub const FRAME_BYTES: u32 = 0x98;

/// A saved context. General register n is `registers[n]`; slot 0 carries the frame's kind.
///
/// Source: IOP kernel, INTRMAN (context frame)
#[repr(C)]
pub struct Frame {
    /// Slot 0: kind of the frame; 1 to 31: the general registers.
    pub registers: [u32; 32],
    /// High word of the last product.
    pub hi: u32,
    /// Low word of the last product.
    pub lo: u32,
    /// COP0 Status as the exception left it: its old interrupt state is one level down.
    pub status: u32,
    /// Where to go on.
    pub epc: u32,
    /// The interrupt controller's global gate.
    pub gate: u32,
    /// Keeps the frame a multiple of 8.
    pub unused: u32,
}

/// Kind word of a frame that holds every register.
pub const FRAME_FULL: u32 = 0xFFFF_FFFE;

global_asm!(
    ".section .text.start, \"ax\", @progbits",
    ".set noreorder",
    ".set noat",
    ".globl _start",
    "_start:",
    "    mtc0  $0, $12", // interrupts off, exceptions through RAM
    "    lui   $8, %hi(_bss_start)",
    "    addiu $8, $8, %lo(_bss_start)",
    "    lui   $9, %hi(_bss_end)",
    "    addiu $9, $9, %lo(_bss_end)",
    "1:  sw    $0, 0($8)",
    "    addiu $8, $8, 4",
    "    bne   $8, $9, 1b",
    "    nop",
    "    lui   $29, %hi(BOOT_STACK)",
    "    addiu $29, $29, %lo(BOOT_STACK)",
    "    addiu $29, $29, {boot_stack} - 32",
    "    jal   kernel_main",
    "    nop",
    "2:  b     2b",
    "    nop",
    // What is copied to the vectors at 0, 0x40 and 0x80.
    ".globl exception_vector",
    "exception_vector:",
    "    lui   $26, %hi(exception_entry)",
    "    addiu $26, $26, %lo(exception_entry)",
    "    jr    $26",
    "    nop",
    // What is copied to address 0, where a call through a null pointer arrives.
    ".globl null_vector",
    "null_vector:",
    "    lui   $26, %hi(null_call)",
    "    addiu $26, $26, %lo(null_call)",
    "    jr    $26",
    "    move  $4, $31",
    "exception_entry:",
    "    addiu $29, $29, -{frame}",
    "    sw    $1, 4($29)",
    "    sw    $2, 8($29)",
    "    sw    $3, 12($29)",
    "    sw    $4, 16($29)",
    "    sw    $5, 20($29)",
    "    sw    $6, 24($29)",
    "    sw    $7, 28($29)",
    "    sw    $8, 32($29)",
    "    sw    $9, 36($29)",
    "    sw    $10, 40($29)",
    "    sw    $11, 44($29)",
    "    sw    $12, 48($29)",
    "    sw    $13, 52($29)",
    "    sw    $14, 56($29)",
    "    sw    $15, 60($29)",
    "    sw    $16, 64($29)",
    "    sw    $17, 68($29)",
    "    sw    $18, 72($29)",
    "    sw    $19, 76($29)",
    "    sw    $20, 80($29)",
    "    sw    $21, 84($29)",
    "    sw    $22, 88($29)",
    "    sw    $23, 92($29)",
    "    sw    $24, 96($29)",
    "    sw    $25, 100($29)",
    "    sw    $28, 112($29)",
    "    addiu $2, $29, {frame}",
    "    sw    $2, 116($29)",
    "    sw    $30, 120($29)",
    "    sw    $31, 124($29)",
    "    mfhi  $2",
    "    mflo  $3",
    "    sw    $2, 128($29)",
    "    sw    $3, 132($29)",
    "    mfc0  $2, $12",
    "    mfc0  $3, $14",
    "    mfc0  $5, $13",
    "    sw    $2, 136($29)",
    "    sw    $3, 140($29)",
    // Reading the gate closes it; inside a handler it stands open again, while Status keeps interrupts away.
    "    lui   $6, 0xBF80",
    "    lw    $2, 0x1078($6)",
    "    addiu $3, $0, -2",
    "    sw    $2, 144($29)",
    "    sw    $3, 0($29)",
    "    addiu $2, $0, 1",
    "    sw    $2, 0x1078($6)",
    "    move  $4, $29",
    // Take the interrupt stack unless this came from code that already runs on it.
    "    lui   $7, %hi(INTERRUPT_STACK)",
    "    addiu $7, $7, %lo(INTERRUPT_STACK)",
    "    subu  $8, $29, $7",
    "    sltiu $8, $8, {interrupt_stack}",
    "    bne   $8, $0, 3f",
    "    nop",
    "    addiu $29, $7, {interrupt_stack}",
    "3:  addiu $29, $29, -24",
    "    jal   exception_dispatch",
    "    nop",
    "    move  $29, $2",
    ".globl resume_frame",
    "resume_frame:",
    "    lw    $2, 128($29)",
    "    lw    $3, 132($29)",
    "    mthi  $2",
    "    mtlo  $3",
    "    lw    $3, 144($29)",
    "    lui   $2, 0xBF80",
    "    sw    $3, 0x1078($2)",
    "    lw    $2, 136($29)",
    "    lw    $1, 4($29)",
    "    mtc0  $2, $12",
    "    lw    $2, 8($29)",
    "    lw    $3, 12($29)",
    "    lw    $4, 16($29)",
    "    lw    $5, 20($29)",
    "    lw    $6, 24($29)",
    "    lw    $7, 28($29)",
    "    lw    $8, 32($29)",
    "    lw    $9, 36($29)",
    "    lw    $10, 40($29)",
    "    lw    $11, 44($29)",
    "    lw    $12, 48($29)",
    "    lw    $13, 52($29)",
    "    lw    $14, 56($29)",
    "    lw    $15, 60($29)",
    "    lw    $16, 64($29)",
    "    lw    $17, 68($29)",
    "    lw    $18, 72($29)",
    "    lw    $19, 76($29)",
    "    lw    $20, 80($29)",
    "    lw    $21, 84($29)",
    "    lw    $22, 88($29)",
    "    lw    $23, 92($29)",
    "    lw    $24, 96($29)",
    "    lw    $25, 100($29)",
    "    lw    $28, 112($29)",
    "    lw    $30, 120($29)",
    "    lw    $31, 124($29)",
    "    lw    $26, 140($29)",
    "    lw    $29, 116($29)",
    "    jr    $26",
    "    .word 0x42000010", // rfe
    ".set at",
    ".set reorder",
    frame = const FRAME_BYTES,
    boot_stack = const BOOT_STACK_BYTES,
    interrupt_stack = const INTERRUPT_STACK_BYTES,
);

/// Bytes of the stack on which the kernel starts; the idle thread keeps it.
pub const BOOT_STACK_BYTES: usize = 0x1800;

/// Bytes of the stack on which exceptions are served.
///
/// Our choice: twice the usual 2 KiB, because our handlers are compiled for size and not by hand.
pub const INTERRUPT_STACK_BYTES: usize = 0x1000;

/// Memory that only the assembly above uses.
#[repr(C, align(64))]
pub struct Stack<const BYTES: usize>(core::cell::UnsafeCell<[u8; BYTES]>);

// SAFETY: nothing takes a reference to the contents; the assembly uses the address as a stack.
unsafe impl<const BYTES: usize> Sync for Stack<BYTES> {}

/// The boot stack.
#[unsafe(no_mangle)]
pub static BOOT_STACK: Stack<BOOT_STACK_BYTES> = Stack(core::cell::UnsafeCell::new([0; BOOT_STACK_BYTES]));

/// The interrupt stack.
#[unsafe(no_mangle)]
pub static INTERRUPT_STACK: Stack<INTERRUPT_STACK_BYTES> =
    Stack(core::cell::UnsafeCell::new([0; INTERRUPT_STACK_BYTES]));

/// Copies the vector code to its places in low memory.
pub fn install_vectors() {
    unsafe extern "C" {
        static exception_vector: [u32; 4];
        static null_vector: [u32; 4];
    }
    /// Hardware break, general.
    const VECTORS: [usize; 2] = [0xA000_0040, 0xA000_0080];
    /// The vector of a unit that this processor does not have.
    const NULL: usize = 0xA000_0000;
    // SAFETY: as below.
    unsafe { (NULL as *mut [u32; 4]).write_volatile(null_vector) };
    for vector in VECTORS {
        // SAFETY: the four words are in this image, and low memory up to 0x7FF belongs to the vectors.
        unsafe { (vector as *mut [u32; 4]).write_volatile(exception_vector) };
    }
}

/// COP0 Status: interrupts of the controller on.
const STATUS_OPEN: u32 = 0x401;

/// Lets interrupts in, from here on for good.
pub fn open_interrupts() {
    super::critical::resume(1);
    // SAFETY: the vectors and the handlers are in place.
    unsafe { core::arch::asm!("mtc0 $8, $12", "nop", "nop", in("$8") STATUS_OPEN) };
}
