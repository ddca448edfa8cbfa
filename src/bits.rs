//! Sets of bits with names: the operations that every one of them has.

/// Gives a wrapper around an integer the operations of a set of bits.
macro_rules! bit_set {
    ($name:ident) => {
        impl $name {
            /// No bit.
            pub const NONE: Self = Self(0);

            /// True when any of `bits` is set.
            #[inline]
            pub const fn has(self, bits: Self) -> bool {
                self.0 & bits.0 != 0
            }

            /// With `bits` set.
            #[inline]
            pub const fn with(self, bits: Self) -> Self {
                Self(self.0 | bits.0)
            }

            /// With `bits` cleared.
            #[inline]
            pub const fn without(self, bits: Self) -> Self {
                Self(self.0 & !bits.0)
            }

            /// With `bits` set or cleared.
            #[inline]
            pub const fn set(self, bits: Self, on: bool) -> Self {
                if on { self.with(bits) } else { self.without(bits) }
            }
        }

        impl ::core::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, o: Self) -> Self {
                Self(self.0 | o.0)
            }
        }

        impl ::core::ops::BitOrAssign for $name {
            fn bitor_assign(&mut self, o: Self) {
                self.0 |= o.0;
            }
        }

        impl ::core::ops::BitAnd for $name {
            type Output = Self;
            fn bitand(self, o: Self) -> Self {
                Self(self.0 & o.0)
            }
        }

        impl ::core::ops::Not for $name {
            type Output = Self;
            fn not(self) -> Self {
                Self(!self.0)
            }
        }
    };
}

pub(crate) use bit_set;
