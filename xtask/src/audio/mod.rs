//! Makes the game's sounds: text to samples to the blocks that the console plays.
//!
//! [`effect`] turns a description of layers into one sound, [`tune`] turns notes into stereo music; both are made of the
//! [`synth`]'s oscillators, filters and envelopes. [`encode`] makes blocks of samples, [`bank`] and [`music`] the files of
//! them. [`heard`] compares what a console played with what it was to play. Nothing here is random: noise comes from a counted generator, so the same text gives the same bytes.

pub mod bank;
pub mod effect;
pub mod encode;
pub mod heard;
pub mod music;
pub mod sides;
pub mod synth;
pub mod text;
pub mod tune;

/// Samples between -1 and 1.
pub type Samples = Vec<f32>;

/// The largest absolute sample.
pub fn peak(samples: &[f32]) -> f32 {
    samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
}

/// Scales samples so that the loudest of them is `level`; silence stays.
pub fn normalise(samples: &mut [f32], level: f32) {
    let peak = peak(samples);
    if peak > 0.0 {
        for sample in samples {
            *sample *= level / peak;
        }
    }
}

/// Samples as the encoder takes them. What is out of range is clamped.
pub fn to_integers(samples: &[f32]) -> Vec<i16> {
    samples.iter().map(|sample| (sample * 32767.0).round().clamp(-32768.0, 32767.0) as i16).collect()
}
