//! Scalar functions that `core` lacks.
//!
//! Both builds use the same polynomial code (`libm`), so a computation gives the same numbers on the host and, up to the
//! EE's rounding, on the console. The square root is the one exception: the EE has an instruction for it.

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

/// Sine of an angle in radians.
#[inline]
pub fn sin(x: f32) -> f32 {
    libm::sinf(x)
}

/// Cosine of an angle in radians.
#[inline]
pub fn cos(x: f32) -> f32 {
    libm::cosf(x)
}

/// Tangent of an angle in radians.
#[inline]
pub fn tan(x: f32) -> f32 {
    libm::tanf(x)
}

/// Arc cosine in radians; the argument is clamped to `[-1, 1]`.
#[inline]
pub fn acos(x: f32) -> f32 {
    libm::acosf(x.clamp(-1.0, 1.0))
}

/// Arc sine in radians; the argument is clamped to `[-1, 1]`.
#[inline]
pub fn asin(x: f32) -> f32 {
    libm::asinf(x.clamp(-1.0, 1.0))
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
