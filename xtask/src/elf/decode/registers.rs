//! A set of registers.

use std::ops::{BitOr, BitOrAssign};

/// A set of general registers and of the special ones that a rule follows. `$0` is never a member: nothing can wait
/// for it and nothing can change it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers(u64);

impl Registers {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// The return address, `$31`.
    pub const RA: Self = Self::gpr(31);
    /// High half of a product, or a remainder.
    pub const HI: Self = Self(1 << 32);
    /// Low half of a product, or a quotient.
    pub const LO: Self = Self(1 << 33);
    /// HI and LO.
    pub const HI_LO: Self = Self(Self::HI.0 | Self::LO.0);
    /// HI of the second pipeline (R5900).
    pub const HI1: Self = Self(1 << 34);
    /// LO of the second pipeline (R5900).
    pub const LO1: Self = Self(1 << 35);
    /// HI1 and LO1.
    pub const HI_LO_1: Self = Self(Self::HI1.0 | Self::LO1.0);
    /// Shift amount of the funnel shift (R5900).
    pub const SA: Self = Self(1 << 36);
    /// Condition bit of the FPU.
    pub const FPU_CONDITION: Self = Self(1 << 37);
    /// VU0's quotient.
    pub const VU_Q: Self = Self(1 << 38);
    /// VU0's clip flags.
    pub const VU_CLIP: Self = Self(1 << 39);

    /// The set of one general register; empty for `$0`. Only the low five bits of `number` count.
    pub const fn gpr(number: u32) -> Self {
        Self((1_u64 << (number & 31)) & !1)
    }

    /// Whether the two sets have a member in common.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The lowest general register of the set.
    pub fn first_gpr(self) -> Option<u32> {
        let general = self.0 as u32;
        (general != 0).then(|| general.trailing_zeros())
    }
}

impl BitOr for Registers {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Registers {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
