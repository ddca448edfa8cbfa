//! A cheap sine and cheap noise for things that shimmer.
//!
//! Our choice: not the maths library's sine, which costs the EE thousands of cycles because it computes in doubles; a water
//! surface needs hundreds a frame and no accuracy.

/// `sin(2 pi turns)` within 0.002, for turns within 30,000 of 0.
#[inline]
pub fn sine(turns: f32) -> f32 {
    // At this size a float's last bit is one: adding drops the fraction, on the EE downwards, elsewhere to the nearest.
    const WHOLE: f32 = 12_582_912.0;
    let whole = (turns + WHOLE) - WHOLE;
    let mut part = turns - whole;
    if part < 0.0 {
        part += 1.0;
    }
    // A parabola through the zeros and peaks, then one step towards the sine's shape.
    let t = part - 0.5;
    let parabola = -8.0 * t * (1.0 - 2.0 * t.abs());
    0.225 * (parabola * parabola.abs() - parabola) + parabola
}

/// A number of `[0, 1)` that looks random and depends on `seed` alone.
#[inline]
pub const fn noise(seed: u32) -> f32 {
    let mut x = seed.wrapping_mul(0x9E37_79B1) ^ 0x5BD1_E995;
    x ^= x >> 15;
    x = x.wrapping_mul(0x85EB_CA6B);
    x ^= x >> 13;
    x = x.wrapping_mul(0xC2B2_AE35);
    x ^= x >> 16;
    (x >> 8) as f32 / 16_777_216.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_stays_close_to_the_real_one() {
        for step in -400..400 {
            let turns = step as f32 / 97.0;
            let real = (turns * core::f32::consts::TAU).sin();
            assert!((sine(turns) - real).abs() < 0.002, "{turns}: {} is not {real}", sine(turns));
        }
    }

    #[test]
    fn noise_fills_its_range_evenly() {
        let mean = (0..4096).map(noise).sum::<f32>() / 4096.0;
        assert!((mean - 0.5).abs() < 0.02, "mean {mean}");
        assert!((0..4096).all(|seed| (0.0..1.0).contains(&noise(seed))));
    }
}
