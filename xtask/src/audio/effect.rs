//! Sound effects: layers of shaped tones and noise.
//!
//! ```text
//! rate 24000                     # samples a second; 24000 plays at the effects' usual pitch
//! loudness 0.2                   # of its loudest twentieth of a second; less when the peak would be too high
//! peak 0.9                       # the loudest sample at most
//! loop                           # repeats without a seam
//! layer noise low 900 attack 0.001 decay 0.05 level 0.9
//! layer sine from 140 to 45 decay 0.12
//! layer partials 1:1 2.76:0.6 end from 2100 at 0.02 decay 0.4 level 0.3
//! ```
//! Settings of a layer: `from`, `to` (hertz), `at` (seconds), `attack`, `hold`, `decay` (seconds), `level`, `seed`, and the
//! filters `low`, `high` and `band` with a frequency, applied in their order.

use super::synth::{Envelope, Filter, Glide, Noise, Shape, filter, oscillate};
use super::text::{Line, lines};
use super::{Samples, normalise};
use anyhow::{Result, bail, ensure};
use boardwalk_iop::adpcm::BLOCK_SAMPLES;

/// How loud an effect is unless it says so: all are alike, and whoever plays them gives their volumes.
const LOUDNESS: f32 = 0.2;
/// The loudest sample of an effect unless it says so.
const PEAK: f32 = 0.9;
/// Seconds over which loudness is measured.
const WINDOW: f32 = 0.05;
/// How far variants differ, as shares: of frequencies, of times, of the levels of layers.
const VARIES: [f32; 3] = [0.06, 0.14, 0.2];

/// The longest effect in seconds: the sound memory is small.
const LONGEST: f32 = 6.0;

/// A sound effect.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Samples a second.
    pub rate: u32,
    /// It repeats without a seam; its samples are whole blocks then.
    pub loops: bool,
    /// The samples.
    pub samples: Samples,
}

struct Layer {
    shape: Shape,
    glide: Glide,
    at: f32,
    envelope: Envelope,
    level: f32,
    seed: u32,
    filters: Vec<(Filter, f32)>,
}

/// Makes an effect of its description.
///
/// # Errors
/// A word that means nothing, or a number out of bounds; the message names the line.
pub fn make(text: &str) -> Result<Effect> {
    make_variant(text, 0)
}

/// Makes a variant of an effect: 0 is the effect as it is written, others differ a little in pitches, times and levels.
///
/// # Errors
/// As [`make`].
pub fn make_variant(text: &str, variant: u32) -> Result<Effect> {
    let (mut rate, mut loudness, mut most, mut loops, mut layers) =
        (24_000u32, LOUDNESS, PEAK, false, Vec::<Layer>::new());
    for mut line in lines(text) {
        match line.word("a verb")? {
            "rate" => rate = line.number("the rate", 4000.0, 48_000.0)? as u32,
            "loudness" => loudness = line.number("the loudness", 0.01, 0.5)?,
            "peak" => most = line.number("the peak", 0.05, 0.95)?,
            "loop" => loops = true,
            "layer" => layers.push(layer(&mut line, layers.len() as u32)?),
            other => bail!("line {}: {other} is no verb of an effect", line.number),
        }
    }
    ensure!(!layers.is_empty(), "the effect has no layer");
    for layer in &mut layers {
        layer.vary(variant);
    }
    let mut samples = mix(&layers, rate as f32)?;
    if loops {
        samples = without_seam(samples);
    }
    let (loud, peak) = (loudest(&samples, rate), super::peak(&samples));
    let level = if loud > 0.0 { (loudness * peak / loud).min(most) } else { most };
    normalise(&mut samples, level);
    Ok(Effect { rate, loops, samples })
}

impl Layer {
    fn vary(&mut self, variant: u32) {
        if variant == 0 {
            return;
        }
        self.seed += variant * 64;
        let mut noise = Noise::new(variant * 977 + self.seed);
        // The first numbers of neighbouring seeds are alike.
        for _ in 0..8 {
            noise.sample();
        }
        let mut by = |share: f32| 1.0 + share * noise.sample();
        let [frequency, time, level] = VARIES;
        let (pitch, colour) = (by(frequency), by(frequency));
        self.glide = Glide { from: self.glide.from * pitch, to: self.glide.to * pitch };
        self.filters.iter_mut().for_each(|(_, hertz)| *hertz *= colour);
        self.envelope.decay *= by(time);
        self.at *= by(time);
        self.level *= by(level);
    }
}

/// How loud the loudest twentieth of a second is: the root of its mean power.
pub fn loudest(samples: &[f32], rate: u32) -> f32 {
    let window = ((rate as f32 * WINDOW) as usize).max(1);
    let power = |part: &[f32]| part.iter().map(|sample| sample * sample).sum::<f32>() / window as f32;
    let starts = (0..samples.len()).step_by((window / 4).max(1));
    starts.map(|start| power(&samples[start..samples.len().min(start + window)])).fold(0.0, f32::max).sqrt()
}

fn layer(line: &mut Line<'_>, index: u32) -> Result<Layer> {
    let shape = shape(line)?;
    let mut layer = Layer {
        shape,
        glide: Glide { from: 440.0, to: 0.0 },
        at: 0.0,
        envelope: Envelope { attack: 0.002, hold: 0.0, decay: 0.1 },
        level: 1.0,
        seed: index + 1,
        filters: Vec::new(),
    };
    while let Some(setting) = line.take() {
        let mut hertz = || line.number("a frequency", 1.0, 24_000.0);
        match setting {
            "from" => layer.glide.from = hertz()?,
            "to" => layer.glide.to = hertz()?,
            "low" => layer.filters.push((Filter::Low, hertz()?)),
            "high" => layer.filters.push((Filter::High, hertz()?)),
            "band" => layer.filters.push((Filter::Band, hertz()?)),
            "at" => layer.at = line.number("the begin", 0.0, LONGEST)?,
            "attack" => layer.envelope.attack = line.number("the attack", 0.0001, LONGEST)?,
            "hold" => layer.envelope.hold = line.number("the hold", 0.0, LONGEST)?,
            "decay" => layer.envelope.decay = line.number("the decay", 0.001, LONGEST)?,
            "level" => layer.level = line.number("the level", 0.0, 1.0)?,
            "seed" => layer.seed = line.value("the seed")?,
            other => bail!("line {}: {other} is no setting of a layer", line.number),
        }
    }
    if layer.glide.to == 0.0 {
        layer.glide.to = layer.glide.from;
    }
    Ok(layer)
}

/// A shape by its name; partials are pairs up to `end`.
pub(super) fn shape(line: &mut Line<'_>) -> Result<Shape> {
    Ok(match line.word("a shape")? {
        "sine" => Shape::Sine,
        "triangle" => Shape::Triangle,
        "saw" => Shape::Saw,
        "square" => Shape::Square,
        "noise" => Shape::Noise,
        "partials" => {
            let mut partials = Vec::new();
            loop {
                let word = line.word("`end` after the partials")?;
                if word == "end" {
                    break Shape::Partials(partials);
                }
                let pair = word.split_once(':').and_then(|(m, l)| Some((m.parse().ok()?, l.parse().ok()?)));
                let Some(pair) = pair else { bail!("line {}: a partial is MULTIPLE:LEVEL, not {word}", line.number) };
                partials.push(pair);
            }
        }
        other => bail!("line {}: {other} is no shape", line.number),
    })
}

fn mix(layers: &[Layer], rate: f32) -> Result<Samples> {
    let length = layers.iter().map(|layer| layer.at + layer.envelope.length()).fold(0.0, f32::max);
    ensure!(length <= LONGEST, "the effect is {length:.1} s long, at most {LONGEST} s fit");
    let mut mixed = vec![0.0; (length * rate).ceil() as usize];
    for layer in layers {
        let (start, count) = ((layer.at * rate) as usize, (layer.envelope.length() * rate) as usize);
        let mut samples = oscillate(&layer.shape, layer.glide, layer.seed, rate, count);
        for &(kind, hertz) in &layer.filters {
            filter(&mut samples, kind, hertz, 0.7, rate);
        }
        // Filters change loudness by much; a level means the same with and without them.
        normalise(&mut samples, layer.level);
        for (at, (place, sample)) in mixed[start..].iter_mut().zip(samples).enumerate() {
            *place += sample * layer.envelope.at(at as f32 / rate);
        }
    }
    Ok(mixed)
}

/// Folds the last fifth of a sound over its first, so that it can repeat, and cuts it to whole blocks.
fn without_seam(samples: Samples) -> Samples {
    let whole = samples.len() - samples.len() % BLOCK_SAMPLES;
    let fold = whole / 5 / BLOCK_SAMPLES * BLOCK_SAMPLES;
    let kept = whole - fold;
    (0..kept)
        .map(|at| {
            if at >= fold {
                return samples[at];
            }
            // Noise is uncorrelated, so that its powers add: weights whose squares sum to 1.
            let share = at as f32 / fold as f32;
            samples[at] * share.sqrt() + samples[kept + at] * (1.0 - share).sqrt()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audio::peak;

    #[test]
    fn layers_sound_where_and_as_long_as_they_say() {
        let effect =
            make("rate 10000\nloudness 0.5\npeak 0.5\nlayer sine from 500 at 0.1 attack 0.01 hold 0.1 decay 0.1")
                .unwrap();
        assert_eq!((effect.rate, effect.samples.len()), (10_000, 3100));
        assert!((peak(&effect.samples) - 0.5).abs() < 1e-5);
        assert_eq!(peak(&effect.samples[..1000]), 0.0);
        assert!(peak(&effect.samples[3000..]) < 0.01);
    }

    #[test]
    fn a_loop_is_whole_blocks_and_has_no_jump_at_its_seam() {
        let text = "loop\nlayer noise low 200 attack 0.0001 hold 1 decay 0.001";
        let effect = make(text).unwrap();
        assert!(effect.loops);
        assert_eq!(effect.samples.len() % BLOCK_SAMPLES, 0);
        let steps: Vec<f32> = effect.samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
        let largest = steps.iter().copied().fold(0.0, f32::max);
        let seam = (effect.samples[0] - effect.samples[effect.samples.len() - 1]).abs();
        assert!(seam <= largest, "{seam} {largest}");
    }

    #[test]
    fn effects_are_equally_loud_unless_their_peak_would_be_too_high() {
        for text in
            ["layer noise low 800 hold 0.2", "layer sine from 300 hold 0.2", "layer saw level 0.1 hold 0.1 decay 1"]
        {
            let effect = make(text).unwrap();
            let loud = loudest(&effect.samples, effect.rate);
            assert!((loud - LOUDNESS).abs() < 0.001, "{text}: {loud}");
        }
        let click = make("layer noise attack 0.0001 decay 0.002").unwrap();
        assert!((peak(&click.samples) - PEAK).abs() < 1e-4 && loudest(&click.samples, click.rate) < LOUDNESS);
    }

    #[test]
    fn variants_differ_and_the_first_is_as_it_is_written() {
        let text = "layer noise band 900 decay 0.1\nlayer sine from 200 to 100 at 0.02 decay 0.2";
        let variants: Vec<_> = (0..4).map(|variant| make_variant(text, variant).unwrap().samples).collect();
        assert_eq!(variants[0], make(text).unwrap().samples);
        for (number, variant) in variants.iter().enumerate().skip(1) {
            assert!(variants[..number].iter().all(|other| other != variant), "{number}");
            let length = variant.len() as f32 / variants[0].len() as f32;
            assert!((0.8..1.25).contains(&length), "{number}: {length}");
        }
        assert_eq!(variants[2], make_variant(text, 2).unwrap().samples);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, words) in [
            ("layer sine\nlayer wood", "line 2: wood"),
            ("layer sine loud", "line 1: loud"),
            ("layer sine from 0", "line 1"),
            ("layer partials 1:1", "line 1: `end`"),
            ("layer partials 1 end", "MULTIPLE:LEVEL"),
            ("rate 24000", "no layer"),
            ("layer sine decay 5 hold 5", "10.0 s"),
            ("hum", "line 1: hum"),
        ] {
            let error = make(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
