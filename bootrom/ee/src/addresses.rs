//! Which addresses a program may hand to the kernel.
//!
//! Kernel code reaches all memory, its own included, so a program's wrong pointer could make a call write over the
//! kernel. Every pointer is looked at before it is used. Source: EE facts, section 5; EE kernel semantics, section 11.

/// End of RAM, physically.
const RAM_END: u32 = 0x0200_0000;
/// Start of what programs may use: what lies below is the kernel's and has no user mapping.
const RAM_START: u32 = 0x0008_0000;
/// The scratchpad with the two pages that ExpandScratchPad may put behind it.
const SCRATCHPAD: core::ops::Range<u32> = 0x7000_0000..0x7000_6000;

/// Windows onto RAM by the uppermost four bits of an address: cached, uncached, uncached accelerated, and the two of kernel
/// mode, which programs name that run a part of themselves there.
const WINDOWS: [u32; 5] = [0x0, 0x2, 0x3, 0x8, 0xA];

/// True when a program owns all of `size` bytes from `address` on and the address is a multiple of `alignment`.
pub fn of_program(address: u32, size: u32, alignment: u32) -> bool {
    if alignment > 1 && !address.is_multiple_of(alignment) {
        return false;
    }
    let within = |start: u32, end: u32, place: u32| place >= start && place <= end && size <= end - place;
    if SCRATCHPAD.contains(&address) {
        return within(SCRATCHPAD.start, SCRATCHPAD.end, address);
    }
    WINDOWS.contains(&(address >> 28)) && within(RAM_START, RAM_END, address & 0x0FFF_FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_programs_memory_is_known_in_every_window() {
        for address in [0x0010_0000, 0x2010_0000, 0x3010_0000, 0x8010_0000, 0xA010_0000, 0x7000_0000, 0x7000_3FF0] {
            assert!(of_program(address, 16, 16), "{address:#x}");
        }
        assert!(of_program(0x01FF_FFFC, 4, 4));
        assert!(of_program(0x0008_0000, 0x01F8_0000, 4));
    }

    #[test]
    fn the_kernels_memory_registers_and_holes_are_refused() {
        for address in [
            0,
            4,
            0x0007_FFFC,
            0x8000_0180,
            0x8001_1F80,
            0xA007_FFFC,
            0x0200_0000,
            0x1000_F000,
            0x1C00_0000,
            0xBFC0_0000,
            0x7000_6000,
            0xC010_0000,
            0xFFFF_FFFC,
        ] {
            assert!(!of_program(address, 4, 4), "{address:#x}");
        }
    }

    #[test]
    fn ranges_that_leave_a_programs_memory_are_refused() {
        assert!(!of_program(0x01FF_FFFC, 8, 4));
        assert!(!of_program(0x0010_0000, u32::MAX, 4));
        assert!(!of_program(0x7000_5FFC, 8, 4));
        assert!(!of_program(0x0010_0002, 4, 4));
        assert!(of_program(0x0010_0001, 3, 1));
    }
}
