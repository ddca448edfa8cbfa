//! Oscillators, filters, envelopes: what sounds are made of.

use super::Samples;
use std::f32::consts::TAU;

/// A shape that repeats.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A pure tone.
    Sine,
    /// Odd overtones that fall quickly.
    Triangle,
    /// All overtones.
    Saw,
    /// Odd overtones.
    Square,
    /// White noise; the frequency does not matter.
    Noise,
    /// Tones at these multiples of the frequency and levels; bells, glass and organ pipes.
    Partials(Vec<(f32, f32)>),
}

/// A tone's course: from one frequency to another, in hertz, evenly in pitch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glide {
    /// At the begin.
    pub from: f32,
    /// At the end.
    pub to: f32,
}

/// White noise that is the same each time.
#[derive(Clone, Debug)]
pub struct Noise(u32);

impl Noise {
    /// A course of noise of its own for each seed.
    pub const fn new(seed: u32) -> Self {
        // Never 0, which would stay 0.
        Self(seed.wrapping_mul(0x9E37_79B9) | 1)
    }

    /// The next sample.
    pub const fn sample(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 as i32 as f32 / 2_147_483_648.0
    }
}

/// Samples of a shape.
pub fn oscillate(shape: &Shape, glide: Glide, seed: u32, rate: f32, count: usize) -> Samples {
    let mut noise = Noise::new(seed);
    // Turns since the begin, in double precision: long tones must not drift.
    let mut turn = 0.0f64;
    (0..count)
        .map(|at| {
            let sample = match shape {
                Shape::Noise => noise.sample(),
                Shape::Partials(partials) => partials
                    .iter()
                    .map(|(multiple, level)| level * (TAU * ((turn * f64::from(*multiple)).fract()) as f32).sin())
                    .sum(),
                Shape::Sine => (TAU * turn.fract() as f32).sin(),
                Shape::Triangle => 4.0 * (turn.fract() as f32 - 0.5).abs() - 1.0,
                Shape::Saw => 2.0 * turn.fract() as f32 - 1.0,
                Shape::Square => {
                    if turn.fract() < 0.5 {
                        1.0
                    } else {
                        -1.0
                    }
                }
            };
            let share = at as f32 / count.max(1) as f32;
            let hertz = glide.from * (glide.to / glide.from).powf(share);
            turn += f64::from(hertz / rate);
            sample
        })
        .collect()
}

/// Loudness over time, in seconds: a rise, a plateau, an exponential fall to a 1000th in `decay`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Envelope {
    /// From silence to full.
    pub attack: f32,
    /// At full.
    pub hold: f32,
    /// From full to a 1000th.
    pub decay: f32,
}

impl Envelope {
    /// Loudness at a time.
    pub fn at(&self, seconds: f32) -> f32 {
        if seconds < self.attack {
            return seconds / self.attack;
        }
        let falling = seconds - self.attack - self.hold;
        if falling <= 0.0 { 1.0 } else { 0.001f32.powf(falling / self.decay) }
    }

    /// When it is over.
    pub fn length(&self) -> f32 {
        self.attack + self.hold + self.decay
    }
}

/// Filters of two poles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filter {
    /// Keeps what is below.
    Low,
    /// Keeps what is above.
    High,
    /// Keeps what is near.
    Band,
}

/// Filters samples in place at a frequency in hertz with resonance `q` (0.7 has none). A state-variable filter in its
/// trapezoidal form, which stays stable up to half the rate.
pub fn filter(samples: &mut [f32], kind: Filter, hertz: f32, q: f32, rate: f32) {
    let g = (std::f32::consts::PI * (hertz / rate).clamp(0.0001, 0.49)).tan();
    let k = 1.0 / q;
    let a = 1.0 / (1.0 + g * (g + k));
    let (mut first, mut second) = (0.0, 0.0);
    for sample in samples {
        let v3 = *sample - second;
        let band = a * (first + g * v3);
        let low = second + g * band;
        first = 2.0 * band - first;
        second = 2.0 * low - second;
        *sample = match kind {
            Filter::Low => low,
            Filter::Band => k * band,
            Filter::High => *sample - k * band - low,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audio::peak;

    const RATE: f32 = 48_000.0;

    fn sine(hertz: f32) -> Samples {
        oscillate(&Shape::Sine, Glide { from: hertz, to: hertz }, 0, RATE, 9600)
    }

    #[test]
    fn a_tone_crosses_zero_as_often_as_its_frequency_says() {
        for shape in [Shape::Sine, Shape::Triangle, Shape::Saw, Shape::Square, Shape::Partials(vec![(1.0, 1.0)])] {
            let samples = oscillate(&shape, Glide { from: 440.0, to: 440.0 }, 0, RATE, 48_000);
            let rises = samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
            assert!((439..=441).contains(&rises), "{shape:?}: {rises}");
            assert!(peak(&samples) <= 1.0 + 1e-5);
        }
    }

    #[test]
    fn filters_keep_their_side_of_the_spectrum() {
        for (kind, low, high) in [(Filter::Low, 1.0, 0.02), (Filter::High, 0.02, 1.0), (Filter::Band, 0.2, 0.2)] {
            for (hertz, expected) in [(100.0, low), (10_000.0, high)] {
                let mut samples = sine(hertz);
                filter(&mut samples, kind, 1000.0, 0.7, RATE);
                let peak = peak(&samples[4800..]);
                assert!((peak - expected).abs() < 0.13, "{kind:?} at {hertz} Hz: {peak}");
            }
        }
    }

    #[test]
    fn noise_is_the_same_each_time_and_differs_by_seed() {
        let noise = |seed| oscillate(&Shape::Noise, Glide { from: 1.0, to: 1.0 }, seed, RATE, 1000);
        assert_eq!(noise(1), noise(1));
        assert_ne!(noise(1), noise(2));
        let mean = noise(3).iter().sum::<f32>() / 1000.0;
        assert!(mean.abs() < 0.06, "{mean}");
    }

    #[test]
    fn an_envelope_rises_holds_and_falls_to_a_thousandth() {
        let envelope = Envelope { attack: 0.1, hold: 0.2, decay: 0.5 };
        let at: Vec<f32> = [0.0, 0.05, 0.2, 0.8].map(|seconds| envelope.at(seconds)).into();
        for (got, expected) in at.iter().zip([0.0, 0.5, 1.0, 0.001]) {
            assert!((got - expected).abs() < 1e-4, "{at:?}");
        }
    }
}
