//! The IOP's memory-mapped registers that the kernel uses, by their names.

use core::marker::PhantomData;

/// Keeps the compiler from moving memory accesses across: an interrupt gate or a DMA start has to stay between what is
/// written before and read behind it, and volatile accesses alone order only each other.
fn keep_order() {
    // SAFETY: there is no instruction.
    unsafe { core::arch::asm!("", options(nostack, preserves_flags)) };
}

/// One register, read and written whole.
#[derive(Clone, Copy)]
pub struct Register<T> {
    address: usize,
    width: PhantomData<fn() -> T>,
}

impl<T> Register<T> {
    const fn at(address: usize) -> Self {
        Register { address, width: PhantomData }
    }

    /// The register `bytes` behind this one, in a row of equal ones.
    const fn plus(self, bytes: usize) -> Self {
        Register { address: self.address + bytes, width: PhantomData }
    }

    /// Reads the register. What the program reads of memory behind this call is read behind it.
    pub fn read(self) -> T {
        // SAFETY: every value of this type is made in this file and names a register of that width.
        let value = unsafe { (self.address as *const T).read_volatile() };
        keep_order();
        value
    }

    /// Writes the register. What the program wrote to memory before this call is written before it.
    pub fn write(self, value: T) {
        keep_order();
        // SAFETY: as in `read`; what a write sets off is the business of the caller's unit.
        unsafe { (self.address as *mut T).write_volatile(value) }
    }
}

/// The interrupt controller.
///
/// Source: hardware notes, Interrupt controller
pub mod interrupt {
    use super::Register;
    /// Pending lines; a written 0 acknowledges.
    pub const STATUS: Register<u32> = Register::at(0xBF80_1070);
    /// Enabled lines.
    pub const MASK: Register<u32> = Register::at(0xBF80_1074);
    /// The global gate. Reading closes it and tells how it was.
    pub const GATE: Register<u32> = Register::at(0xBF80_1078);
}

/// The DMA controller.
///
/// Source: hardware notes, DMA controller
pub mod dma {
    use super::Register;
    /// Priorities and enables of channels 0 to 6.
    pub const CONTROL: Register<u32> = Register::at(0xBF80_10F0);
    /// Interrupts of channels 0 to 6.
    pub const INTERRUPTS: Register<u32> = Register::at(0xBF80_10F4);
    /// Priorities and enables of channels 7 to 12.
    pub const CONTROL_2: Register<u32> = Register::at(0xBF80_1570);
    /// Interrupts of channels 7 to 12.
    pub const INTERRUPTS_2: Register<u32> = Register::at(0xBF80_1574);

    /// One channel's registers.
    #[derive(Clone, Copy)]
    pub struct Channel {
        /// Memory address.
        pub address: Register<u32>,
        /// Words a block (low half), blocks (high half).
        pub blocks: Register<u32>,
        /// Direction, mode, start.
        pub control: Register<u32>,
        /// Address of the next tag.
        pub tag: Register<u32>,
    }

    impl Channel {
        const fn at(base: usize) -> Self {
            Channel {
                address: Register::at(base),
                blocks: Register::at(base + 4),
                control: Register::at(base + 8),
                tag: Register::at(base + 12),
            }
        }
    }

    /// Channel 2, which carries SIF2.
    pub const SIF2: Channel = Channel::at(0xBF80_10A0);
    /// Channel 3: the disc drive.
    pub const CDVD: Channel = Channel::at(0xBF80_10B0);
    /// Channel 11: to the serial interface.
    pub const SIO2_OUT: Channel = Channel::at(0xBF80_1540);
    /// Channel 12: from the serial interface.
    pub const SIO2_IN: Channel = Channel::at(0xBF80_1550);
    /// Set while a channel is busy.
    pub const BUSY: u32 = 1 << 24;
    /// Channel 4: the sound unit's first core.
    pub const SPU0: Channel = Channel::at(0xBF80_10C0);
    /// Channel 7: its second core.
    pub const SPU1: Channel = Channel::at(0xBF80_1500);
    /// Channel 9: SIF0, to the EE.
    pub const SIF0: Channel = Channel::at(0xBF80_1520);
    /// Channel 10: SIF1, from the EE.
    pub const SIF1: Channel = Channel::at(0xBF80_1530);
}

/// The interface between the two processors.
///
/// Source: hardware notes, SIF registers
pub mod sif {
    use super::Register;
    /// A word from the EE.
    pub const MAIN_WORD: Register<u32> = Register::at(0xBD00_0000);
    /// A word to the EE.
    pub const SUB_WORD: Register<u32> = Register::at(0xBD00_0010);
    /// Flags from the EE; a written 1 clears.
    pub const MAIN_FLAGS: Register<u32> = Register::at(0xBD00_0020);
    /// Flags to the EE; a written 1 sets.
    pub const SUB_FLAGS: Register<u32> = Register::at(0xBD00_0030);
    /// Which directions are armed.
    pub const CONTROL: Register<u32> = Register::at(0xBD00_0040);
    /// Bus enable of the interface.
    pub const BUS: Register<u32> = Register::at(0xBF80_1450);
}

/// The disc drive.
///
/// Source: hardware notes, CDVD registers
pub mod drive {
    use super::Register;
    /// Starts a command; reads as the last one.
    pub const COMMAND: Register<u8> = Register::at(0xBF40_2004);
    /// Ready and busy bits; takes parameters.
    pub const STATUS: Register<u8> = Register::at(0xBF40_2005);
    /// Error of the last command; takes the transfer format.
    pub const ERROR: Register<u8> = Register::at(0xBF40_2006);
    /// Breaks a command off.
    pub const BREAK: Register<u8> = Register::at(0xBF40_2007);
    /// Why the drive interrupts; a written 1 acknowledges.
    pub const INTERRUPT: Register<u8> = Register::at(0xBF40_2008);
    /// What the drive does.
    pub const STATE: Register<u8> = Register::at(0xBF40_200A);
    /// Type of the disc.
    pub const DISC: Register<u8> = Register::at(0xBF40_200F);
    /// Starts a system command.
    pub const SYSTEM_COMMAND: Register<u8> = Register::at(0xBF40_2016);
    /// Busy and empty bits of system commands; takes parameters.
    pub const SYSTEM_STATUS: Register<u8> = Register::at(0xBF40_2017);
    /// Results of system commands.
    pub const SYSTEM_RESULT: Register<u8> = Register::at(0xBF40_2018);
    /// Byte `index` of key number `part` of the disc.
    pub const fn key(part: usize, index: usize) -> Register<u8> {
        Register::at(0xBF40_2020).plus(part * 8 + index)
    }
    /// Which keys are there.
    pub const KEYS_VALID: Register<u8> = Register::at(0xBF40_2038);
    /// What lies over the keys' bytes.
    pub const KEYS_MASK: Register<u8> = Register::at(0xBF40_2039);
    /// How sectors are decrypted.
    pub const DECRYPTION: Register<u8> = Register::at(0xBF40_203A);
}

/// The serial interface to controllers and cards.
///
/// Source: hardware notes, SIO2
pub mod sio2 {
    use super::Register;
    /// The command in place `index` of the queue.
    pub const fn queue(index: usize) -> Register<u32> {
        Register::at(0xBF80_8200).plus(index * 4)
    }
    /// First timing register of a port.
    pub const fn timing(port: usize) -> Register<u32> {
        Register::at(0xBF80_8240).plus(port * 8)
    }
    /// Second timing register of a port.
    pub const fn timing_2(port: usize) -> Register<u32> {
        Register::at(0xBF80_8244).plus(port * 8)
    }
    /// Takes bytes to be sent.
    pub const OUT: Register<u8> = Register::at(0xBF80_8260);
    /// Gives received bytes.
    pub const IN: Register<u8> = Register::at(0xBF80_8264);
    /// Resets and starts.
    pub const CONTROL: Register<u32> = Register::at(0xBF80_8268);
    /// Result of the queue.
    pub const RESULT: Register<u32> = Register::at(0xBF80_826C);
    /// Interrupt status.
    pub const INTERRUPT: Register<u32> = Register::at(0xBF80_8280);
}

/// The sound unit: registers of 16 bits.
///
/// Source: hardware notes, SPU2
pub mod sound {
    use super::Register;
    /// The register at a byte offset.
    pub const fn register(offset: u32) -> Register<u16> {
        Register::at(0xBF90_0000).plus(offset as usize)
    }
}

/// The register at a physical address, for libraries that hand registers out by their numbers.
pub const fn raw(address: u32) -> Register<u32> {
    Register::at(0xA000_0000).plus(address as usize)
}

/// Timer 5, which is the system clock.
///
/// Source: hardware notes, Timers
pub mod clock_timer {
    use super::Register;
    /// Counts up.
    pub const COUNT: Register<u32> = Register::at(0xBF80_14A0);
    /// Mode; writing it zeroes the count.
    pub const MODE: Register<u32> = Register::at(0xBF80_14A4);
    /// Compare value.
    pub const TARGET: Register<u32> = Register::at(0xBF80_14A8);
}

/// The debug console's output byte.
///
/// Source: emulator notes, Output
pub const CONSOLE_BYTE: Register<u8> = Register::at(0xBF80_380C);
