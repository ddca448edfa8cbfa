//! Colours as light: three floats, 1.0 the brightest that the screen shows.

use crate::ee::gs::general::Rgbaq;
use crate::maths::Vec3;

/// Alpha 1.0 as the GS counts it.
pub const OPAQUE: u8 = 0x80;

/// A colour from the eight-bit channels of the screen.
pub const fn rgb(red: u8, green: u8, blue: u8) -> Vec3 {
    Vec3::new(red as f32 / 255.0, green as f32 / 255.0, blue as f32 / 255.0)
}

/// A channel of `[0, 1]` as the screen's byte; brighter light saturates.
#[inline]
pub fn byte(channel: f32) -> u8 {
    whole(channel * 255.0)
}

/// The whole number of a value, cut to a byte.
#[inline]
fn whole(value: f32) -> u8 {
    // At this size a float's last bit is one, so its mantissa is the whole number; cheaper than a checked conversion.
    const WHOLE: f32 = 8_388_608.0;
    (value.clamp(0.0, 255.0) + WHOLE).to_bits() as u8
}

/// Opaque vertex colour of a light.
#[inline]
pub fn vertex(colour: Vec3) -> Rgbaq {
    Rgbaq::new(byte(colour.x), byte(colour.y), byte(colour.z), OPAQUE)
}

/// Vertex colour with an alpha of `[0, 1]`.
#[inline]
pub fn with_alpha(colour: Vec3, alpha: f32) -> Rgbaq {
    Rgbaq::new(byte(colour.x), byte(colour.y), byte(colour.z), alpha_byte(alpha))
}

/// Vertex colour that a texture multiplies: 1.0 leaves the texel as it is.
#[inline]
pub fn tint(colour: Vec3, alpha: f32) -> Rgbaq {
    let half = |channel: f32| whole(channel * 128.0);
    Rgbaq::new(half(colour.x), half(colour.y), half(colour.z), alpha_byte(alpha))
}

fn alpha_byte(alpha: f32) -> u8 {
    whole(alpha.clamp(0.0, 1.0) * 128.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_beyond_the_screens_range_saturates() {
        assert_eq!(vertex(Vec3::new(2.0, -1.0, 0.2)), Rgbaq::new(255, 0, 51, 0x80));
        assert_eq!(tint(Vec3::splat(1.0), 1.0), Rgbaq::new(128, 128, 128, 128));
    }
}
