//! Scalar functions that `core` lacks.
//!
//! Both builds use the same single-float code, so a computation gives the same numbers on the host and, up to the EE's
//! rounding, on the console. Where `libm`'s version goes through doubles, which the EE only has as library calls of thousands
//! of cycles, there is one here. The square root is the one exception: the EE has an instruction for it.

/// Square root. Negative inputs are a caller's bug: the EE takes the root of their magnitude, the host answers NaN.
#[inline]
pub fn sqrt(x: f32) -> f32 {
    #[cfg(target_arch = "mips")]
    {
        core::intrinsics::sqrtf32(x)
    }
    #[cfg(not(target_arch = "mips"))]
    {
        libm::sqrtf(x)
    }
}

/// Beyond this an angle is folded into one turn first: the three-part reduction would lose it.
const REDUCED: f32 = 8192.0;
/// A quarter turn in three parts: the first two have so few bits that their multiples are exact.
const QUARTER: [f32; 3] = [1.570_312_5, 4.837_513e-4, 7.549_79e-8];

/// The angle within an eighth of a turn of a multiple of a quarter turn, and which multiple, modulo 4.
#[inline]
fn reduce(x: f32) -> (f32, i32) {
    let x = if x.abs() < REDUCED { x } else { fmod(x, core::f32::consts::TAU) };
    let turns = x * core::f32::consts::FRAC_2_PI;
    let count = (turns + if turns < 0.0 { -0.5 } else { 0.5 }) as i32;
    let quarters = count as f32;
    (((x - quarters * QUARTER[0]) - quarters * QUARTER[1]) - quarters * QUARTER[2], count & 3)
}

/// Sine within an eighth of a turn of 0: a minimax polynomial.
#[inline]
fn sin_near_zero(x: f32) -> f32 {
    let z = x * x;
    ((-1.951_529_6e-4 * z + 8.332_161e-3) * z - 0.166_666_55) * z * x + x
}

/// Cosine within an eighth of a turn of 0: a minimax polynomial.
#[inline]
fn cos_near_zero(x: f32) -> f32 {
    let z = x * x;
    ((2.443_315_7e-5 * z - 1.388_731_6e-3) * z + 4.166_664_6e-2) * z * z - 0.5 * z + 1.0
}

/// Sine and cosine of an angle in radians, in single floats throughout: the EE has no other kind.
#[inline]
pub fn sin_cos(x: f32) -> (f32, f32) {
    let (r, quarter) = reduce(x);
    let (s, c) = (sin_near_zero(r), cos_near_zero(r));
    match quarter {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// Sine of an angle in radians.
#[inline]
pub fn sin(x: f32) -> f32 {
    sin_cos(x).0
}

/// Cosine of an angle in radians.
#[inline]
pub fn cos(x: f32) -> f32 {
    sin_cos(x).1
}

/// Tangent of an angle in radians.
#[inline]
pub fn tan(x: f32) -> f32 {
    let (s, c) = sin_cos(x);
    s / c
}

/// Arc cosine in radians; the argument is clamped to `[-1, 1]`.
#[inline]
pub fn acos(x: f32) -> f32 {
    libm::acosf(x.clamp(-1.0, 1.0))
}

/// Arc sine in radians; the argument is clamped to `[-1, 1]`.
#[inline]
pub fn asin(x: f32) -> f32 {
    let x = x.clamp(-1.0, 1.0);
    atan2(x, sqrt((1.0 - x) * (1.0 + x)))
}

/// The angle of `(x, y)` in radians, in `(-pi, pi]`.
#[inline]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// Largest whole number not above `x`.
#[inline]
pub fn floor(x: f32) -> f32 {
    libm::floorf(x)
}

/// Smallest whole number not below `x`.
#[inline]
pub fn ceil(x: f32) -> f32 {
    libm::ceilf(x)
}

/// Remainder with the sign of `x`, as C's `fmodf`.
#[inline]
pub fn fmod(x: f32, y: f32) -> f32 {
    libm::fmodf(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::{FRAC_PI_2, PI, TAU};

    /// The largest error against doubles over evenly spread angles.
    fn worst(ours: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64, low: f32, high: f32) -> f64 {
        const STEPS: u32 = 20_000;
        let angle = |step: u32| low + (high - low) * (step as f32 / STEPS as f32);
        (0..=STEPS).map(|step| (f64::from(ours(angle(step))) - exact(f64::from(angle(step)))).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn sine_and_cosine_are_right_to_a_float_over_many_turns() {
        for (low, high) in [(-TAU, TAU), (-100.0, 100.0), (1000.0, 1010.0)] {
            let (s, c) = (worst(sin, libm::sin, low, high), worst(cos, libm::cos, low, high));
            assert!(s < 1.5e-7 && c < 1.5e-7, "{low} to {high}: sine {s:e}, cosine {c:e}");
        }
    }

    #[test]
    fn the_quarters_are_exact_where_it_shows() {
        assert_eq!((sin(0.0), cos(0.0)), (0.0, 1.0));
        assert_eq!((sin(FRAC_PI_2), cos(PI)), (1.0, -1.0));
        assert!(cos(FRAC_PI_2).abs() < 1e-7 && sin(PI).abs() < 1e-6);
    }

    #[test]
    fn arc_sine_and_tangent_are_right_to_a_float() {
        assert!(worst(asin, libm::asin, -1.0, 1.0) < 3e-7);
        assert!(worst(tan, libm::tan, -1.2, 1.2) < 2e-6);
    }

    #[test]
    fn huge_angles_stay_bounded() {
        for angle in [1e5, -3e7, 1e20, -1e30] {
            assert!(sin(angle).abs() <= 1.0 && cos(angle).abs() <= 1.0, "{angle}");
        }
    }
}
