//! A thread's saved context, as it lies on the thread's own stack.
//!
//! Programs may look into it, so its layout is the original's. Source: EE kernel semantics, section 3.2.

/// Bytes of a saved context; it lies this far below the stack pointer.
pub const CONTEXT_SIZE: u32 = 0x2A0;
/// A new thread's stack pointer is this far below the top of its stack.
pub const STACK_RESERVE: u32 = 0x20;

/// A 128-bit register: two halves, low first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Quad {
    /// Bits 63-0; what ordinary instructions see.
    pub low: u64,
    /// Bits 127-64.
    pub high: u64,
}

impl Quad {
    /// A 32-bit value as the processor keeps it: sign-extended.
    pub const fn word(value: u32) -> Self {
        Self { low: value as i32 as i64 as u64, high: 0 }
    }
}

/// Register numbers, which are also slots of [`Context::general`].
pub mod register {
    /// This slot holds SA: register 0 needs none.
    pub const SA: usize = 0;
    /// Result.
    pub const V0: usize = 2;
    /// Number of the system call.
    pub const V1: usize = 3;
    /// First argument.
    pub const A0: usize = 4;
    /// This slot holds the HI pair: $26 is the kernel's.
    pub const HI: usize = 26;
    /// This slot holds the LO pair: $27 is the kernel's.
    pub const LO: usize = 27;
    /// Global pointer.
    pub const GP: usize = 28;
    /// Stack pointer.
    pub const SP: usize = 29;
    /// Frame pointer.
    pub const FP: usize = 30;
    /// Return address.
    pub const RA: usize = 31;
}

/// Everything of a thread but its program counter. VU0 is not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Context {
    /// Slots as [`register`] names them.
    pub general: [Quad; 32],
    /// Floating point registers.
    pub float: [u32; 32],
    /// FCR31.
    pub float_control: u32,
    /// Accumulator of the FPU.
    pub float_accumulator: u32,
    padding: [u32; 6],
}

impl Context {
    /// All registers zero.
    pub const ZERO: Self = Self {
        general: [Quad { low: 0, high: 0 }; 32],
        float: [0; 32],
        float_control: 0,
        float_accumulator: 0,
        padding: [0; 6],
    };

    /// The registers of a thread at its entry.
    pub fn at_entry(stack: u32, stack_size: u32, gp: u32, root: u32, argument: u32) -> Self {
        let top = stack.wrapping_add(stack_size).wrapping_sub(STACK_RESERVE) & !0xF;
        let mut context = Self::ZERO;
        context.set(register::SP, top);
        context.set(register::FP, top);
        context.set(register::GP, gp);
        context.set(register::RA, root);
        context.set(register::A0, argument);
        context
    }

    /// Low word of a register.
    pub fn get(&self, register: usize) -> u32 {
        self.general[register].low as u32
    }

    /// Sets a register to a sign-extended word.
    pub fn set(&mut self, register: usize, value: u32) {
        self.general[register] = Quad::word(value);
    }
}

/// A context in the kernel's own memory with what the exception left in COP0.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Frame {
    /// The registers.
    pub context: Context,
    /// Where the program goes on.
    pub epc: u32,
    /// COP0 Status at the exception.
    pub status: u32,
    /// COP0 Cause.
    pub cause: u32,
    /// COP0 BadVAddr.
    pub bad_address: u32,
    /// COP0 ErrorEPC.
    pub error_epc: u32,
}

impl Frame {
    /// All zero.
    pub const ZERO: Self = Self { context: Context::ZERO, epc: 0, status: 0, cause: 0, bad_address: 0, error_epc: 0 };
}

const _: () = {
    assert!(size_of::<Context>() == CONTEXT_SIZE as usize);
    assert!(core::mem::offset_of!(Context, float) == 0x200);
    assert!(core::mem::offset_of!(Context, float_control) == 0x280);
    assert!(core::mem::offset_of!(Context, float_accumulator) == 0x284);
    assert!(core::mem::offset_of!(Frame, epc) == 0x2A0);
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_thread_finds_its_stack_root_and_argument_in_its_registers() {
        let context = Context::at_entry(0x0020_0000, 0x1000, 0x0030_7FF0, 0x0010_0000, 0x8000_0001);
        assert_eq!(context.get(register::SP), 0x0020_0FE0);
        assert_eq!(context.get(register::FP), 0x0020_0FE0);
        assert_eq!(context.get(register::GP), 0x0030_7FF0);
        assert_eq!(context.get(register::RA), 0x0010_0000);
        assert_eq!(context.general[register::A0].low, 0xFFFF_FFFF_8000_0001);
    }
}
