//! From the loader to the program's `main`.
//!
//! The steps and their order are the seed's: clear `.bss` in quadwords, set up the main thread and the heap, start-up,
//! flush the cache, interrupts on, `main`, and its value to the kernel's exit call. [`entry!`](crate::entry) names the
//! function that plays `main`.
//!
//! Source: seed 003, entry (crt0).

use super::entry::{EntryHost, enter};
use super::syscall::ArgumentBlock;
use super::{boot_arguments, cache, critical, heap, syscall};
use core::arch::global_asm;
use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char, c_void};

/// Bytes of the main thread's stack.
///
/// Source: seed 003, entry (64 KB).
pub const STACK_SIZE: usize = 64 * 1024;
/// Most arguments that a loader passes.
pub const MAX_ARGUMENTS: usize = 16;
/// Where user programs may have memory; an argument pointer outside is none.
const USER_MEMORY: core::ops::Range<usize> = 0x0008_0000..0x0200_0000;

/// The program's arguments; the first is its own path when the loader gives one.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    values: [&'static str; MAX_ARGUMENTS],
    count: usize,
    /// The first one as the loader wrote it.
    own_path: Option<&'static CStr>,
}

impl Arguments {
    /// The arguments in order.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.values.iter().take(self.count).copied()
    }

    /// True when a host on the network started the program: its loader lives on the IOP, which then must not be started anew.
    ///
    /// Source: settled questions 24.
    pub fn from_host(&self) -> bool {
        self.iter().next().is_some_and(|path| path.starts_with("host:"))
    }

    /// The program's own path, when the loader gave one.
    pub const fn own_path(&self) -> Option<&'static CStr> {
        self.own_path
    }

    /// The value of the first argument that reads `name=value`.
    pub fn value_of(&self, name: &str) -> Option<&'static str> {
        self.iter().find_map(|argument| argument.strip_prefix(name)?.strip_prefix('='))
    }

    /// Collects zero-terminated strings; those that are not text are skipped.
    ///
    /// # Safety
    /// `values` must hold `count` pointers to strings that stay for the program's life.
    unsafe fn collect(values: *const *const c_char, count: usize) -> Self {
        let mut all = Self::none();
        for index in 0..count.min(MAX_ARGUMENTS) {
            // SAFETY: the caller vouches for the list and, where a pointer is plausible, for the string.
            let text = unsafe {
                let text = *values.add(index);
                if !USER_MEMORY.contains(&(text as usize)) {
                    continue;
                }
                CStr::from_ptr(text)
            };
            if index == 0 {
                all.own_path = Some(text);
            }
            if let Ok(text) = text.to_str() {
                all.push(text);
            }
        }
        all
    }

    /// No arguments.
    const fn none() -> Self {
        Self { values: [""; MAX_ARGUMENTS], count: 0, own_path: None }
    }

    /// Adds an argument; one too many is dropped.
    fn push(&mut self, text: &'static str) {
        if let Some(place) = self.values.get_mut(self.count) {
            *place = text;
            self.count += 1;
        }
    }
}

/// What the network loader leaves behind the pointer in `$a0`.
///
/// Source: EE facts, section 4 (crt0 order).
#[repr(C)]
struct LoaderArguments {
    process: i32,
    count: i32,
    values: [*const c_char; MAX_ARGUMENTS],
}

/// A block that the kernel fills before any Rust code runs.
#[repr(transparent)]
struct KernelFilled(UnsafeCell<ArgumentBlock>);

// SAFETY: the kernel's SetupThread writes it before Rust runs; afterwards it is only read.
unsafe impl Sync for KernelFilled {}

/// Filled by the kernel's SetupThread; read once by [`start`].
#[unsafe(no_mangle)]
static CRT0_ARGUMENTS: KernelFilled = KernelFilled(UnsafeCell::new(ArgumentBlock {
    count: 0,
    values: [core::ptr::null(); MAX_ARGUMENTS],
    payload: [0; 256],
}));

unsafe extern "Rust" {
    /// The program's `main`, defined by [`entry!`](crate::entry).
    fn boardwalk_main(arguments: &Arguments) -> i32;
}

unsafe extern "C" {
    /// The end of the program's own memory, from the linker script.
    static _end: u8;
}

global_asm!(
    ".section .text._start, \"ax\", @progbits",
    ".globl _start",
    ".ent _start",
    "_start:",
    ".set push",
    ".set noreorder",
    ".set noat",
    // The network loader's argument pointer must outlive the calls below.
    "or $16, $4, $0",
    // 1. Clear .bss; both bounds are 16-byte aligned.
    "lui $8, %hi(_fbss)",
    "addiu $8, $8, %lo(_fbss)",
    "lui $9, %hi(_end)",
    "addiu $9, $9, %lo(_end)",
    "1: sltu $10, $8, $9",
    "beq $10, $0, 2f",
    "nop",
    ".word {store_zero}",
    "addiu $8, $8, 16",
    "b 1b",
    "nop",
    // 2. The main thread: no global pointer, the stack at the memory's end.
    "2: or $4, $0, $0",
    "addiu $5, $0, -1",
    "lui $6, {stack_high}",
    "lui $7, %hi(CRT0_ARGUMENTS)",
    "addiu $7, $7, %lo(CRT0_ARGUMENTS)",
    "lui $8, %hi(crt0_thread_end)",
    "addiu $8, $8, %lo(crt0_thread_end)",
    "addiu $3, $0, 0x3C",
    "syscall",
    "or $29, $2, $0",
    // 3. The heap: from the program's end up to the stack.
    "lui $4, %hi(_end)",
    "addiu $4, $4, %lo(_end)",
    "addiu $5, $0, -1",
    "addiu $3, $0, 0x3D",
    "syscall",
    "or $4, $16, $0",
    "addiu $29, $29, -16",
    "j {start}",
    "nop",
    ".set pop",
    ".end _start",
    // Where a thread goes whose function returns.
    ".globl crt0_thread_end",
    "crt0_thread_end:",
    ".set push",
    ".set noreorder",
    "addiu $3, $0, 0x23",
    "syscall",
    "nop",
    ".set pop",
    store_zero = const super::encode::sq(0, 8, 0),
    stack_high = const STACK_SIZE >> 16,
    start = sym start,
);

/// The program on the main thread's own stack.
struct Program {
    loader: *const LoaderArguments,
    arguments: Arguments,
}

impl EntryHost for Program {
    fn start_up(&mut self) {
        // SAFETY: the bounds are the ones given to SetupHeap, and nothing else uses that memory.
        unsafe { heap::start((&raw const _end).cast_mut(), syscall::end_of_heap().cast()) };
        // SAFETY: the kernel or the loader filled the block before, and nothing writes it again.
        self.arguments = unsafe { arguments(self.loader) };
        boot_arguments::words().for_each(|word| self.arguments.push(word));
    }
    fn flush_cache(&mut self) {
        cache::flush(cache::Flush::WriteBackData);
    }
    fn enable_interrupts(&mut self) {
        critical::enable_interrupts();
    }
    fn main(&mut self) -> i32 {
        // SAFETY: defined once, by `entry!`.
        unsafe { boardwalk_main(&self.arguments) }
    }
}

/// Continues in Rust on the main thread's own stack: steps 4 to 6, and the kernel's exit call.
unsafe extern "C" fn start(loader: *const LoaderArguments) -> ! {
    let value = enter(&mut Program { loader, arguments: Arguments::none() });
    // SAFETY: the kernel's exit call does not return.
    unsafe { syscall::exit(value) }
}

/// The kernel's arguments, or the network loader's when the kernel has none.
unsafe fn arguments(loader: *const LoaderArguments) -> Arguments {
    // SAFETY: one thread runs, and the pointers are checked to be aligned user memory before they are followed.
    unsafe {
        let block = CRT0_ARGUMENTS.0.get().cast_const();
        if (*block).count > 0 {
            return Arguments::collect((&raw const (*block).values).cast(), (*block).count as usize);
        }
        let plausible = USER_MEMORY.contains(&(loader as usize)) && loader.is_aligned();
        if plausible && (1..=MAX_ARGUMENTS as i32).contains(&(*loader).count) {
            return Arguments::collect((&raw const (*loader).values).cast(), (*loader).count as usize);
        }
    }
    Arguments::none()
}

/// Names the program's `main`: a function from [`Arguments`] to the exit value.
#[macro_export]
macro_rules! entry {
    ($main:path) => {
        #[unsafe(no_mangle)]
        fn boardwalk_main(arguments: &$crate::ee::crt0::Arguments) -> i32 {
            let main: fn(&$crate::ee::crt0::Arguments) -> i32 = $main;
            main(arguments)
        }
    };
}

// The kernel fills the block by these offsets.
const _: () = assert!(core::mem::offset_of!(ArgumentBlock, payload) == 4 + MAX_ARGUMENTS * size_of::<*const c_void>());
