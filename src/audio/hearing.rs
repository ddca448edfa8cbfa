//! How loud a sound is for who listens, and on which side.

use crate::maths::{Vec3, scalar};
use core::f32::consts::FRAC_PI_4;

/// Within so many metres a sound is as loud as it gets.
pub const NEAR_METRES: f32 = 2.5;
/// From so many metres on nothing is heard.
pub const FAR_METRES: f32 = 45.0;
/// From this share of [`FAR_METRES`] on, sounds fade towards silence.
const FADE_FROM: f32 = 0.5;

/// Who listens: the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listener {
    /// Where it is.
    pub place: Vec3,
    /// The direction to its right, of length 1.
    pub right: Vec3,
}

impl Default for Listener {
    fn default() -> Self {
        Self { place: Vec3::ZERO, right: Vec3::X }
    }
}

/// Where a sound comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// From nowhere in the world: -1 is left, 1 is right.
    Pan(f32),
    /// From a place in the world.
    At(Vec3),
}

impl Source {
    /// From nowhere in the world, on both sides.
    pub const MIDDLE: Self = Self::Pan(0.0);
}

/// How loud a sound of volume 1 is at a distance, 1 to 0: it falls with the distance, and fades out before the far end.
///
/// Our choice: sound in the open falls so; the original's curve is data of its sounds.
pub fn loudness(metres: f32) -> f32 {
    let fades = (FAR_METRES - metres) / (FAR_METRES * (1.0 - FADE_FROM));
    (NEAR_METRES / metres.max(NEAR_METRES)) * fades.clamp(0.0, 1.0)
}

/// Loudness to the left and to the right. The sum of their squares is the loudness' square, wherever the sound comes from.
pub fn hear(source: Source, listener: &Listener) -> [f32; 2] {
    let (loudness, side) = match source {
        Source::Pan(side) => (1.0, side.clamp(-1.0, 1.0)),
        Source::At(place) => {
            let away = place - listener.place;
            let metres = away.length();
            // What is at one's feet is on no side.
            (loudness(metres), (away.dot(listener.right) / metres.max(NEAR_METRES)).clamp(-1.0, 1.0))
        }
    };
    let (sine, cosine) = scalar::sin_cos((side + 1.0) * FRAC_PI_4);
    [loudness * cosine, loudness * sine]
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::FRAC_1_SQRT_2;

    fn near(got: f32, expected: f32) {
        assert!((got - expected).abs() < 1e-3, "{got} {expected}");
    }

    #[test]
    fn sounds_fall_with_the_distance_and_end() {
        let got = [0.0, 2.5, 5.0, 22.5, 30.0, 45.0, 100.0].map(loudness);
        for (got, expected) in got.into_iter().zip([1.0, 1.0, 0.5, 0.1111, 0.0556, 0.0, 0.0]) {
            near(got, expected);
        }
        let all: std::vec::Vec<f32> = (0..500).map(|step| loudness(step as f32 * 0.1)).collect();
        assert!(all.windows(2).all(|pair| pair[1] <= pair[0]), "never louder further away");
    }

    #[test]
    fn sounds_come_from_their_side_and_are_as_loud_on_each() {
        let listener = Listener { place: Vec3::new(10.0, 0.0, 1.0), right: Vec3::X };
        for (x, left, right) in [(12.5, 0.0, 1.0), (7.5, 1.0, 0.0), (10.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2)] {
            let [l, r] = hear(Source::At(Vec3::new(x, 0.0, 1.0)), &listener);
            near(l, left);
            near(r, right);
        }
        for side in [-1.0, -0.3, 0.0, 0.8, 1.0, 3.0] {
            let [l, r] = hear(Source::Pan(side), &listener);
            near(l * l + r * r, 1.0);
        }
    }
}
