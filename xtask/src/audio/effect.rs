//! Sound effects: layers of shaped tones and noise.
//!
//! ```text
//! rate 24000                     # samples a second; 24000 plays at the effects' usual pitch
//! peak 0.8                       # the loudest sample
//! loop                           # repeats without a seam
//! layer noise low 900 attack 0.001 decay 0.05 level 0.9
//! layer sine from 140 to 45 decay 0.12
//! layer partials 1:1 2.76:0.6 end from 2100 at 0.02 decay 0.4 level 0.3
//! ```
//! Settings of a layer: `from`, `to` (hertz), `at` (seconds), `attack`, `hold`, `decay` (seconds), `level`, `seed`, and the
//! filters `low`, `high` and `band` with a frequency, applied in their order.

use super::synth::{Envelope, Filter, Glide, Shape, filter, oscillate};
use super::text::{Line, lines};
use super::{Samples, normalise};
use anyhow::{Result, bail, ensure};
use boardwalk_iop::adpcm::BLOCK_SAMPLES;

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
    let (mut rate, mut peak, mut loops, mut layers) = (24_000u32, 0.8, false, Vec::new());
    for mut line in lines(text) {
        match line.word("a verb")? {
            "rate" => rate = line.number("the rate", 4000.0, 48_000.0)? as u32,
            "peak" => peak = line.number("the peak", 0.05, 0.95)?,
            "loop" => loops = true,
            "layer" => layers.push(layer(&mut line, layers.len() as u32)?),
            other => bail!("line {}: {other} is no verb of an effect", line.number),
        }
    }
    ensure!(!layers.is_empty(), "the effect has no layer");
    let mut samples = mix(&layers, rate as f32)?;
    if loops {
        samples = without_seam(samples);
    }
    normalise(&mut samples, peak);
    Ok(Effect { rate, loops, samples })
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
        let effect = make("rate 10000\npeak 0.5\nlayer sine from 500 at 0.1 attack 0.01 hold 0.1 decay 0.1").unwrap();
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
