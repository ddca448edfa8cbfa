//! Divisions and wide products by hand.
//!
//! The processor must not begin a product or a quotient within two instructions of reading the last one; an interrupt between
//! them would spoil it. The compiler does not keep that distance around wide products, which it also uses to divide by
//! constants, nor does its library around wide quotients. What needs either goes through these functions.
//! Source: IOP facts, R3000A notes

/// Quotient and remainder by shifts and subtractions. A divisor of 0 gives the largest quotient.
#[must_use]
pub const fn divide_wide(value: u64, by: u32) -> (u64, u32) {
    let by = by as u64;
    let mut quotient = 0_u64;
    let mut rest = 0_u64;
    let mut bit = 64;
    while bit > 0 {
        bit -= 1;
        rest = rest << 1 | value >> bit & 1;
        quotient <<= 1;
        if rest >= by {
            rest -= by;
            quotient |= 1;
        }
    }
    (quotient, rest as u32)
}

/// Quotient and remainder by shifts and subtractions. A divisor of 0 gives the largest quotient.
#[must_use]
pub const fn divide(value: u32, by: u32) -> (u32, u32) {
    let mut quotient = 0_u32;
    let mut rest = 0_u32;
    let mut bit = 32;
    while bit > 0 {
        bit -= 1;
        // The bit that a shift pushes out is part of the rest, too.
        let carry = rest >> 31;
        rest = rest << 1 | value >> bit & 1;
        quotient <<= 1;
        if carry != 0 || rest >= by {
            rest = rest.wrapping_sub(by);
            quotient |= 1;
        }
    }
    (quotient, rest)
}

/// The wide product of two words; never inlined, so that its return keeps the distance.
#[must_use]
#[inline(never)]
pub const fn multiply_wide(a: u32, b: u32) -> u64 {
    a as u64 * b as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn divisions_agree_with_the_processors_own(value: u64, by in 1_u32..) {
            prop_assert_eq!(divide_wide(value, by), (value / u64::from(by), (value % u64::from(by)) as u32));
            let low = value as u32;
            prop_assert_eq!(divide(low, by), (low / by, low % by));
            prop_assert_eq!(multiply_wide(low, by), u64::from(low) * u64::from(by));
        }
    }
}
