//! What the EE's float unit is documented to give where other processors give something else.
//!
//! Every case is a fact of the silicon: no infinities and no NaN, truncation, denormals read as zero. An emulator that computes
//! with its host's floats differs here without being broken.
//!
//! Source: EE facts, section 2

/// An operation on floats as bit patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `a + b`.
    Add,
    /// `a * b`.
    Multiply,
    /// `a / b`.
    Divide,
    /// The root of `b`.
    Root,
    /// `a` over the root of `b`.
    InverseRoot,
    /// The larger.
    Larger,
    /// The smaller.
    Smaller,
    /// `a` to a whole number.
    ToWhole,
    /// The whole number `a` to a float.
    ToFloat,
}

/// One case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The operation.
    pub operation: Operation,
    /// Its operands' bits.
    pub operands: (u32, u32),
    /// The result's bits on a console.
    pub result: u32,
}

const fn case(operation: Operation, a: u32, b: u32, result: u32) -> Case {
    Case { operation, operands: (a, b), result }
}

/// The largest float, which no overflow leaves.
const LARGEST: u32 = 0x7FFF_FFFF;
const ONE: u32 = 0x3F80_0000;
const MINUS_ONE: u32 = 0xBF80_0000;
const MINUS_ZERO: u32 = 0x8000_0000;
const HALF: u32 = 0x3F00_0000;
const THREE: u32 = 0x4040_0000;
/// Where other processors have infinity, the EE has an ordinary number.
const PAST_IEEE: u32 = 0x7F80_0000;
const DENORMAL: u32 = 0x0040_0000;
const SMALLEST: u32 = 0x0080_0000;

/// Every case; the bit of a differing one in the results' mask is its place here.
pub const CASES: [Case; 26] = [
    case(Operation::Divide, ONE, 0, LARGEST),
    case(Operation::Divide, MINUS_ONE, 0, LARGEST | MINUS_ZERO),
    case(Operation::Divide, 0, 0, LARGEST),
    case(Operation::Divide, ONE, THREE, 0x3EAA_AAAA),
    case(Operation::Add, LARGEST, LARGEST, LARGEST),
    case(Operation::Add, PAST_IEEE, 0, PAST_IEEE),
    case(Operation::Add, ONE, 0x33C0_0000, ONE),
    case(Operation::Add, ONE, MINUS_ZERO, ONE),
    case(Operation::Add, MINUS_ZERO, MINUS_ZERO, MINUS_ZERO),
    case(Operation::Add, DENORMAL, DENORMAL, 0),
    case(Operation::Multiply, 0x7F00_0000, 0x7F00_0000, LARGEST),
    case(Operation::Multiply, DENORMAL, ONE, 0),
    case(Operation::Multiply, SMALLEST, HALF, 0),
    case(Operation::Root, 0, MINUS_ONE, ONE),
    case(Operation::Root, 0, LARGEST, 0x5FB5_04F3),
    case(Operation::Root, 0, DENORMAL, 0),
    case(Operation::InverseRoot, ONE, 0, LARGEST),
    case(Operation::InverseRoot, ONE, 0x4080_0000, HALF),
    case(Operation::Larger, 0, MINUS_ZERO, 0),
    case(Operation::Smaller, 0, MINUS_ZERO, MINUS_ZERO),
    case(Operation::Larger, DENORMAL, 0, DENORMAL),
    case(Operation::ToWhole, 0x3FFF_FFFF, 0, 1),
    case(Operation::ToWhole, 0x4F00_0000, 0, 0x7FFF_FFFF),
    case(Operation::ToWhole, 0xCF80_0000, 0, 0x8000_0000),
    case(Operation::ToFloat, 0x7FFF_FFFF, 0, 0x4EFF_FFFF),
    case(Operation::ToFloat, 3, 0, THREE),
];

const _: () = assert!(CASES.len() <= 32, "a bit for each case");

/// The bits of the cases whose result differs from a console's, with `compute` as the unit at hand.
pub fn unlike(mut compute: impl FnMut(&Case) -> u32) -> u32 {
    CASES.iter().enumerate().fold(0, |bits, (place, case)| bits | u32::from(compute(case) != case.result) << place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a processor with ordinary floats gives.
    fn ordinary(case: &Case) -> u32 {
        let (a, b) = (f32::from_bits(case.operands.0), f32::from_bits(case.operands.1));
        let float = match case.operation {
            Operation::Add => a + b,
            Operation::Multiply => a * b,
            Operation::Divide => a / b,
            Operation::Root => libm::sqrtf(b),
            Operation::InverseRoot => a / libm::sqrtf(b),
            Operation::Larger => a.max(b),
            Operation::Smaller => a.min(b),
            Operation::ToWhole => return a as i32 as u32,
            Operation::ToFloat => case.operands.0 as i32 as f32,
        };
        float.to_bits()
    }

    #[test]
    fn an_ordinary_processor_differs_where_the_ee_is_peculiar() {
        let unlike = unlike(ordinary);
        let place = |wanted: Case| CASES.iter().position(|case| *case == wanted).unwrap();
        for peculiar in [case(Operation::Divide, ONE, 0, LARGEST), case(Operation::Divide, ONE, THREE, 0x3EAA_AAAA)] {
            assert!(unlike >> place(peculiar) & 1 == 1, "{peculiar:?}");
        }
        assert_eq!(unlike >> place(case(Operation::ToFloat, 3, 0, THREE)) & 1, 0);
        assert_eq!(unlike >> place(case(Operation::InverseRoot, ONE, 0x4080_0000, HALF)) & 1, 0);
    }

    #[test]
    fn a_unit_that_gives_every_documented_result_is_like_a_console() {
        assert_eq!(super::unlike(|case| case.result), 0);
    }
}
