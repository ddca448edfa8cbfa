//! Tunes: notes to stereo samples.
//!
//! ```text
//! tempo 84                                    # beats a minute
//! rate 48000
//! instrument organ partials 1:1 2:0.5 end attack 0.02 release 0.2 level 0.5
//! track organ pan -0.3                        # -1 left, 1 right
//!   c4:1 e4:0.5 r:0.5 c4+e4+g4:2 |            # note:beats, a rest, a chord; bars are for the reader
//!   4x( e3:0.5 g3:0.5 )                       # four times; does not nest
//! layer                                       # the tracks that follow are those of the next layer
//! ```
//! The tune is as long as its longest track and repeats from its begin; what sounds over the end sounds over the begin. It is
//! played a trifle faster or slower so that it fills whole units of the stream.

use super::synth::{Envelope, Filter, Glide, Noise, Shape, filter, oscillate};
use super::text::{Line, lines};
use super::{Samples, peak};
use anyhow::{Context as _, Result, bail, ensure};
use boardwalk_iop::music::{CHANNELS, LAYERS, SIDES};
use std::collections::HashMap;

/// The loudest sample of each layer.
const PEAK: f32 = 0.8;

/// A finished tune.
#[derive(Clone, Debug)]
pub struct Tune {
    /// Samples a second.
    pub rate: u32,
    /// Left and right of each layer, all of the same length.
    pub channels: [Samples; CHANNELS],
    /// Beats of the whole.
    pub beats: u32,
}

#[derive(Clone, Debug)]
struct Instrument {
    shape: Shape,
    envelope: Envelope,
    /// True when a note sounds as long as it is written; else it rings out from its begin, as a bell does.
    sustains: bool,
    level: f32,
    low: Option<f32>,
    /// Tremolo: times a second and depth.
    tremolo: (f32, f32),
}

struct Note {
    /// In beats.
    begin: f32,
    length: f32,
    hertz: f32,
}

struct Track {
    layer: usize,
    instrument: String,
    pan: f32,
    notes: Vec<Note>,
    beats: f32,
}

/// Makes a tune of its notes, a multiple of `unit` samples long.
///
/// # Errors
/// A word that means nothing, or a number out of bounds; the message names the line.
pub fn make(text: &str, unit: usize) -> Result<Tune> {
    let (mut tempo, mut rate) = (100.0, 48_000u32);
    let (mut instruments, mut tracks, mut layer) = (HashMap::new(), Vec::<Track>::new(), 0);
    for mut line in lines(text) {
        let mut peeked = line.clone();
        match peeked.word("a verb")? {
            "tempo" => tempo = peeked.number("the tempo", 20.0, 300.0)?,
            "rate" => rate = peeked.number("the rate", 8000.0, 48_000.0)? as u32,
            "layer" => {
                layer += 1;
                ensure!(layer < LAYERS, "line {}: music has {LAYERS} layers", line.number);
            }
            "instrument" => {
                let name = peeked.word("a name")?.to_owned();
                instruments.insert(name, instrument(&mut peeked)?);
            }
            "track" => {
                let instrument = peeked.word("an instrument")?.to_owned();
                ensure!(instruments.contains_key(&instrument), "line {}: no instrument {instrument}", line.number);
                let pan = match peeked.take() {
                    None => 0.0,
                    Some("pan") => peeked.number("the place", -1.0, 1.0)?,
                    Some(other) => bail!("line {}: {other} is no setting of a track", line.number),
                };
                tracks.push(Track { layer, instrument, pan, notes: Vec::new(), beats: 0.0 });
            }
            _ => {
                let number = line.number;
                let track = tracks.last_mut().with_context(|| format!("line {number}: notes before any track"))?;
                notes(&mut line, track)?;
            }
        }
    }
    let beats = tracks.iter().map(|track| track.beats).fold(0.0, f32::max);
    ensure!(beats > 0.0, "the tune has no notes");
    let written = beats * 60.0 / tempo * rate as f32;
    let count = ((written / unit as f32).round() as usize).max(1) * unit;
    let seconds_a_beat = count as f32 / rate as f32 / beats;
    let mut channels = [const { Vec::new() }; CHANNELS].map(|_: Samples| vec![0.0; count]);
    let (layers, _) = channels.as_chunks_mut::<SIDES>();
    for track in &tracks {
        play(track, &instruments[&track.instrument], seconds_a_beat, rate as f32, &mut layers[track.layer]);
    }
    for layer in layers {
        let loudest = layer.iter().map(|channel| peak(channel)).fold(0.0, f32::max);
        for sample in layer.iter_mut().flatten() {
            *sample *= PEAK / loudest.max(f32::MIN_POSITIVE);
        }
    }
    Ok(Tune { rate, channels, beats: beats.round() as u32 })
}

fn instrument(line: &mut Line<'_>) -> Result<Instrument> {
    let mut instrument = Instrument {
        shape: super::effect::shape(line)?,
        envelope: Envelope { attack: 0.005, hold: 0.0, decay: 0.3 },
        sustains: false,
        level: 1.0,
        low: None,
        tremolo: (0.0, 0.0),
    };
    while let Some(setting) = line.take() {
        match setting {
            "attack" => instrument.envelope.attack = line.number("the attack", 0.0001, 2.0)?,
            "decay" => instrument.envelope.decay = line.number("the decay", 0.001, 6.0)?,
            "release" => {
                instrument.sustains = true;
                instrument.envelope.decay = line.number("the release", 0.001, 6.0)?;
            }
            "level" => instrument.level = line.number("the level", 0.0, 1.0)?,
            "low" => instrument.low = Some(line.number("the filter", 20.0, 20_000.0)?),
            "tremolo" => {
                instrument.tremolo =
                    (line.number("the tremolo's speed", 0.1, 20.0)?, line.number("the tremolo's depth", 0.0, 1.0)?);
            }
            other => bail!("line {}: {other} is no setting of an instrument", line.number),
        }
    }
    Ok(instrument)
}

fn notes(line: &mut Line<'_>, track: &mut Track) -> Result<()> {
    let number = line.number;
    let mut repeat: Option<(u32, Vec<&str>)> = None;
    while let Some(word) = line.take() {
        match (word, &mut repeat) {
            ("|", _) => {}
            (")", Some((times, words))) => {
                for _ in 0..*times {
                    for word in &*words {
                        note(word, track, number)?;
                    }
                }
                repeat = None;
            }
            (word, None) if word.ends_with("x(") => {
                let times = word.trim_end_matches("x(").parse().ok().filter(|times| (1..=64).contains(times));
                let times = times.with_context(|| format!("line {number}: {word} does not say how often"))?;
                repeat = Some((times, Vec::new()));
            }
            (word, Some((_, words))) => words.push(word),
            (word, None) => note(word, track, number)?,
        }
    }
    ensure!(repeat.is_none(), "line {number}: a repetition has no end");
    Ok(())
}

fn note(word: &str, track: &mut Track, line: usize) -> Result<()> {
    let parts = word.split_once(':').and_then(|(names, beats)| Some((names, beats.parse::<f32>().ok()?)));
    let Some((names, length)) = parts.filter(|(_, beats)| (0.01..=64.0).contains(beats)) else {
        bail!("line {line}: a note is NAME:BEATS, not {word}");
    };
    if names != "r" {
        for name in names.split('+') {
            let hertz = hertz(name).with_context(|| format!("line {line}: {name} is no note"))?;
            track.notes.push(Note { begin: track.beats, length, hertz });
        }
    }
    track.beats += length;
    Ok(())
}

/// The frequency of a note as `c#4` in equal temperament, a4 at 440 Hz.
fn hertz(name: &str) -> Option<f32> {
    let mut letters = name.chars();
    let step = match letters.next()? {
        'c' => 0,
        'd' => 2,
        'e' => 4,
        'f' => 5,
        'g' => 7,
        'a' => 9,
        'b' => 11,
        _ => return None,
    };
    let rest = letters.as_str();
    let (change, octave) = match rest.as_bytes().first()? {
        b'#' => (1, &rest[1..]),
        b'b' => (-1, &rest[1..]),
        _ => (0, rest),
    };
    let octave: i32 = octave.parse().ok().filter(|octave| (0..=8).contains(octave))?;
    let from_a4 = step + change + 12 * octave - (9 + 12 * 4);
    Some(440.0 * 2f32.powf(from_a4 as f32 / 12.0))
}

fn play(track: &Track, instrument: &Instrument, beat: f32, rate: f32, channels: &mut [Samples; SIDES]) {
    // Equal power at every place.
    let angle = (track.pan + 1.0) * std::f32::consts::FRAC_PI_4;
    let gains = [angle.cos(), angle.sin()];
    let mut wander = Noise::new(track.notes.len() as u32);
    for (index, note) in track.notes.iter().enumerate() {
        let mut envelope = instrument.envelope;
        if instrument.sustains {
            envelope.hold = (note.length * beat - envelope.attack).max(0.0);
        }
        let count = (envelope.length() * rate) as usize;
        let glide = Glide { from: note.hertz, to: note.hertz };
        let mut samples = oscillate(&instrument.shape, glide, index as u32 + 1, rate, count);
        if let Some(hertz) = instrument.low {
            filter(&mut samples, Filter::Low, hertz, 0.7, rate);
        }
        // A player's hand: no two notes are equally loud.
        let level = instrument.level * (1.0 - 0.08 * wander.sample().abs());
        let begin = (note.begin * beat * rate) as usize;
        for (at, sample) in samples.iter().enumerate() {
            let seconds = at as f32 / rate;
            let (speed, depth) = instrument.tremolo;
            let sway = 1.0 - depth * (0.5 + 0.5 * (std::f32::consts::TAU * speed * seconds).sin());
            let sample = sample * level * envelope.at(seconds) * sway;
            for (channel, gain) in channels.iter_mut().zip(gains) {
                // Over the end means over the begin: the tune repeats.
                let place = (begin + at) % channel.len();
                channel[place] += sample * gain;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BELL: &str = "tempo 60\nrate 8000\ninstrument bell sine decay 0.5\n";

    #[test]
    fn notes_have_the_frequencies_of_equal_temperament() {
        for (name, expected) in [("a4", 440.0), ("c4", 261.63), ("c#5", 554.37), ("bb3", 233.08), ("a0", 27.5)] {
            let got = hertz(name).unwrap();
            assert!((got - expected).abs() < 0.01, "{name}: {got}");
        }
        for bad in ["h4", "c", "c9", "", "c#", "4"] {
            assert_eq!(hertz(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_tune_is_as_long_as_its_longest_track() {
        let tune = make(&format!("{BELL}track bell\nc4:1 r:1\ntrack bell pan 1\n3x( c5:1 )"), 1).unwrap();
        assert_eq!((tune.channels.each_ref().map(Vec::len), tune.beats), ([24_000; 4], 3));
        let whole = make(&format!("{BELL}track bell\nc4:1"), 3000).unwrap();
        assert_eq!(whole.channels[0].len(), 9000);
        assert!((tune.channels.iter().map(|c| peak(c)).fold(0.0, f32::max) - 0.8).abs() < 1e-5);
    }

    #[test]
    fn a_track_at_one_side_is_silent_on_the_other() {
        let tune = make(&format!("{BELL}track bell pan -1\nc4:1"), 1).unwrap();
        assert!(peak(&tune.channels[0]) > 0.7);
        assert!(peak(&tune.channels[1]) < 1e-6);
    }

    #[test]
    fn what_sounds_over_the_end_sounds_over_the_begin() {
        let tune = make(&format!("{BELL}track bell\nr:0.9 c4:0.1"), 1).unwrap();
        assert!(peak(&tune.channels[0][..2000]) > 0.1);
        assert_eq!(peak(&tune.channels[0][4000..7000]), 0.0);
    }

    #[test]
    fn each_layer_has_its_own_channels_and_the_same_loudness() {
        let text = format!("{BELL}track bell\nc4:1 r:1\nlayer\ntrack bell pan 1\nr:1 c5:1");
        let tune = make(&text, 1).unwrap();
        let loud = tune.channels.each_ref().map(|channel| (peak(&channel[..8000]) > 0.1, peak(&channel[8000..]) > 0.3));
        assert_eq!(loud, [(true, false), (true, false), (false, false), (false, true)]);
        assert!((peak(&tune.channels[3]) - PEAK).abs() < 1e-5);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, words) in [
            ("c4:1", "line 4: notes before"),
            ("track flute", "line 4: no instrument flute"),
            ("track bell\nx4:1", "line 5: x4"),
            ("track bell\nc4", "line 5: a note"),
            ("track bell\n2x( c4:1", "line 5: a repetition"),
            ("track bell\n0x( c4:1 )", "line 5: 0x("),
            ("track bell loud", "line 4: loud"),
            ("layer\nlayer", "line 5: music has 2 layers"),
            ("track bell", "no notes"),
        ] {
            let error = make(&format!("{BELL}{text}"), 1).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
