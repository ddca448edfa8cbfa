//! A recording of the console's sound against the music that it was to play.
//!
//! The music's blocks are decoded as the hardware does it and read at the voices' pitch, which gives what the output should
//! be but for its begin and its loudness. [`Heard::of`] finds both and compares every sample: a gap, a group twice or a click
//! at a seam is a difference as large as the music itself.

use anyhow::{Context as _, Result, ensure};
use boardwalk_iop::adpcm::{BLOCK_BYTES, History, PITCH_48K, decode};
use boardwalk_iop::music::{CHANNEL_BYTES, CHANNEL_SAMPLES, CHANNELS, HEADER_BYTES, Header, SIDES};

/// Samples of the output in a point of the loudness that the begin is looked for with.
const POINT: usize = 480;
/// Points of the recording that are laid against the music.
const POINTS: usize = 800;
/// Samples of the output that are laid against the music once the point is known.
const EXACT: usize = 8192;

/// A place of the music, in parts of a sample as a voice counts them.
type Place = u64;
/// Places of a sample.
const SAMPLE: Place = PITCH_48K as Place;

/// A stereo recording at 48,000 samples a second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Left and right.
    pub sides: [Vec<i16>; SIDES],
}

impl Recording {
    /// Reads a WAV file of two channels of 16 bits.
    ///
    /// # Errors
    /// Anything else.
    pub fn read(wav: &[u8]) -> Result<Self> {
        const FORM: usize = 12;
        ensure!(wav.starts_with(b"RIFF") && wav.get(8..FORM) == Some(b"WAVE"), "no WAV file");
        let mut at = FORM;
        while let Some(header) = wav.get(at..at + 8) {
            let size = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
            let body = at + 8;
            if header.starts_with(b"fmt ") {
                ensure!(wav.get(body..body + 4) == Some(&[1, 0, 2, 0]), "not two channels of plain samples");
            }
            if header.starts_with(b"data") {
                // A recording that was not ended well has no size yet.
                let end = if size == 0 { wav.len() } else { wav.len().min(body + size) };
                let (frames, _) = wav[body..end].as_chunks::<4>();
                let side =
                    |at: usize| frames.iter().map(|frame| i16::from_le_bytes([frame[at], frame[at + 1]])).collect();
                return Ok(Self { sides: [side(0), side(2)] });
            }
            at = body + size + size % 2;
        }
        anyhow::bail!("a WAV file without samples")
    }
}

/// What the output should be.
#[derive(Clone, Debug)]
pub struct Expected {
    sides: [Vec<f32>; SIDES],
    pitch: u16,
    seam: usize,
}

impl Expected {
    /// The music of a file, all layers at one volume.
    ///
    /// # Errors
    /// A file that is no music.
    pub fn of_music(file: &[u8]) -> Result<Self> {
        let header = Header::from_bytes(file, u32::try_from(file.len())?).context("no music")?;
        let mut sides = [const { Vec::new() }; SIDES];
        for (number, side) in (0..CHANNELS).map(|number| (number, number % SIDES)) {
            // Going round: the first time, out of silence, differs by some samples.
            let mut history = end_of(file, header, number);
            let mut at = 0;
            for group in 0..header.groups {
                let begin = Header::group_offset(group) as usize + number * CHANNEL_BYTES;
                debug_assert!(begin >= HEADER_BYTES);
                for block in file[begin..begin + CHANNEL_BYTES].as_chunks::<BLOCK_BYTES>().0 {
                    for sample in decode(block, &mut history) {
                        let side: &mut Vec<f32> = &mut sides[side];
                        match side.get_mut(at) {
                            Some(sum) => *sum += f32::from(sample),
                            None => side.push(f32::from(sample)),
                        }
                        at += 1;
                    }
                }
            }
        }
        Ok(Self { sides, pitch: header.pitch, seam: CHANNEL_SAMPLES })
    }

    /// Samples of the output until the music begins anew.
    fn length(&self) -> usize {
        self.sides[0].len() * usize::from(PITCH_48K) / usize::from(self.pitch)
    }

    /// Where in the music the output's sample `at` lies, counted from its begin without end.
    fn place(&self, at: usize) -> Place {
        at as Place * Place::from(self.pitch)
    }

    /// What is heard at a place of the music: between two samples a straight line.
    fn sample(&self, side: usize, place: Place) -> f32 {
        let samples = &self.sides[side];
        let (whole, part) = ((place / SAMPLE) as usize, (place % SAMPLE) as f32);
        let (first, second) = (samples[whole % samples.len()], samples[(whole + 1) % samples.len()]);
        first + (second - first) * part / SAMPLE as f32
    }

    /// Which group of the music a place belongs to, counted without end.
    fn group(&self, place: Place) -> usize {
        (place / SAMPLE) as usize / self.seam
    }
}

/// What a channel's voice predicts from when the music begins anew.
fn end_of(file: &[u8], header: Header, channel: usize) -> History {
    let mut history = History::default();
    let begin = Header::group_offset(header.groups - 1) as usize + channel * CHANNEL_BYTES;
    for block in file[begin..begin + CHANNEL_BYTES].as_chunks::<BLOCK_BYTES>().0 {
        decode(block, &mut history);
    }
    history
}

/// What came of a comparison.
///
/// The emulator's mixer rounds and smooths, so that samples differ by a little everywhere. What cannot come of that is looked
/// for: music that is not the one of this moment, silence within it, a jump where two halves meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heard {
    /// Samples of a side that were compared.
    pub samples: usize,
    /// Seams between two halves of the channels' rings among them.
    pub seams: usize,
    /// How alike the least alike stretch is, 1 for the same, at most [`LATE`] from its time.
    pub least_alike: f32,
    /// Most samples one after the other that stand still while the music goes on.
    pub longest_still: usize,
    /// The largest jump at a seam against the largest one around it.
    pub seam_jump: f32,
}

/// Samples of a stretch, a twentieth of a second.
const STRETCH: usize = 2400;
/// How far from its time a stretch is looked for, in quarters of a sample of the music.
pub const LATE: Place = 32;
const QUARTER: Place = SAMPLE / 4;
/// Samples on either side of a seam that count as it, and as its surroundings.
const AT_SEAM: usize = 6;
const AROUND: usize = 2400;
/// What is quieter than this says nothing: the loudness of the recording's rounding.
const QUIET: f32 = 200.0;

impl Heard {
    /// Compares from where the music can be heard up to the recording's last `unheard` samples.
    ///
    /// # Errors
    /// A recording in which the music is not to be found.
    pub fn of(recording: &Recording, expected: &Expected, unheard: usize) -> Result<Self> {
        let begin = recording.sides[0].iter().position(|sample| sample.unsigned_abs() > 64).context("it is silent")?;
        // Not from the very begin: the voices may start within a point, and a loud place tells more.
        let begin = begin + 50 * POINT;
        let end = recording.sides[0].len().saturating_sub(unheard);
        ensure!(begin + (POINTS + 2) * POINT < end, "only {} samples were recorded", end.saturating_sub(begin));
        let point = coarse(&recording.sides[0][begin..end], expected);
        let at = fine(&recording.sides[0][begin..end], expected, point * POINT).context("the music is not found")?;
        let mut heard = Self { samples: end - begin, seams: 0, least_alike: 1.0, longest_still: 0, seam_jump: 0.0 };
        for side in 0..SIDES {
            let recorded = &recording.sides[side][begin..end];
            heard.stretches(recorded, expected, side, at);
            heard.stillness(recorded, expected, side, at);
            heard.seams = heard.jumps(recorded, expected, at);
        }
        Ok(heard)
    }

    /// Looks for every stretch near its time.
    fn stretches(&mut self, recorded: &[i16], expected: &Expected, side: usize, at: Place) {
        for (number, stretch) in recorded.chunks_exact(STRETCH).enumerate() {
            let begin = at + expected.place(number * STRETCH);
            let loudness = stretch.iter().map(|sample| f32::from(*sample).abs()).sum::<f32>() / STRETCH as f32;
            if loudness < QUIET {
                continue;
            }
            let likeness = |from: Place| {
                let pairs = stretch.iter().enumerate();
                alike(pairs.map(|(at, heard)| (f32::from(*heard), expected.sample(side, from + expected.place(at)))))
            };
            let tries = (0..=2 * LATE).map(|step| likeness(begin + step * QUARTER - LATE * QUARTER));
            self.least_alike = self.least_alike.min(tries.fold(0.0, f32::max));
        }
    }

    /// Counts samples that stand still although the music moves.
    fn stillness(&mut self, recorded: &[i16], expected: &Expected, side: usize, at: Place) {
        let mut still = 0;
        for (offset, pair) in recorded.windows(2).enumerate() {
            let sample = |offset| expected.sample(side, at + expected.place(offset));
            let moves = (sample(offset + 1) - sample(offset)).abs() > QUIET;
            still = if pair[0] != pair[1] { 0 } else { still + usize::from(moves) };
            self.longest_still = self.longest_still.max(still);
        }
    }

    /// Compares the jumps at the seams with those around them, that where the music begins anew among them; how many seams
    /// there are.
    fn jumps(&mut self, recorded: &[i16], expected: &Expected, at: Place) -> usize {
        let jump = |range: std::ops::Range<usize>| {
            let samples = recorded[range].windows(3);
            let bends = samples.map(|s| (f32::from(s[0]) - 2.0 * f32::from(s[1]) + f32::from(s[2])).abs());
            bends.fold(0.0_f32, f32::max)
        };
        let group = |offset: usize| expected.group(at + expected.place(offset));
        let mut seams = 0;
        for seam in (AROUND..recorded.len() - AROUND).filter(|offset| group(*offset) != group(*offset - 1)) {
            seams += 1;
            let around = jump(seam - AROUND..seam - AT_SEAM).max(jump(seam + AT_SEAM..seam + AROUND));
            let here = jump(seam - AT_SEAM..seam + AT_SEAM);
            self.seam_jump = self.seam_jump.max(here / around.max(QUIET));
        }
        seams
    }
}

/// The point of the music whose loudness the recording's follows best.
fn coarse(recorded: &[i16], expected: &Expected) -> usize {
    let loudness = |samples: &mut dyn Iterator<Item = f32>| samples.map(f32::abs).sum::<f32>();
    let heard: Vec<f32> = recorded
        .chunks_exact(POINT)
        .take(POINTS)
        .map(|point| loudness(&mut point.iter().map(|sample| f32::from(*sample))))
        .collect();
    let points = expected.length() / POINT;
    let sample = |at: usize| expected.sample(0, expected.place(at));
    let music: Vec<f32> =
        (0..points).map(|point| loudness(&mut (0..POINT).map(|at| sample(point * POINT + at)))).collect();
    let likeness = |begin: usize| {
        let pairs = heard.iter().enumerate().map(|(at, heard)| (*heard, music[(begin + at) % points]));
        alike(pairs)
    };
    (0..points).max_by(|a, b| likeness(*a).total_cmp(&likeness(*b))).unwrap_or_default()
}

/// The place of the music that the recording begins with, near the output's sample `about`.
///
/// The voices' counters begin with whole samples of the music, which need not be whole ones of the output: first the sample of
/// the output is looked for, then the fine place around it.
fn fine(recorded: &[i16], expected: &Expected, about: usize) -> Option<Place> {
    /// Below that two sounds have nothing to do with each other.
    const SAME: f32 = 0.9;
    let likeness = |begin: Place| {
        let pairs = recorded.iter().take(EXACT).enumerate();
        alike(pairs.map(|(at, heard)| (f32::from(*heard), expected.sample(0, begin + expected.place(at)))))
    };
    let best = |places: &mut dyn Iterator<Item = Place>| -> Option<(f32, Place)> {
        places.map(|place| (likeness(place), place)).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    // Once around, so that nothing lies before the begin.
    let from = about + expected.length() - POINT - POINT / 2;
    let (_, near) = best(&mut (0..3 * POINT).map(|step| expected.place(from + step)))?;
    let (coarsely, step) = (near - 2 * SAMPLE, SAMPLE / 64);
    let (_, near) = best(&mut (0..4 * 64).map(|index| coarsely + index * step))?;
    let (same, place) = best(&mut (0..2 * step).map(|index| near - step + index))?;
    (same > SAME).then_some(place)
}

/// How alike two rows of numbers are, 1 for one that is a multiple of the other.
fn alike(pairs: impl Iterator<Item = (f32, f32)>) -> f32 {
    let (mut both, mut first, mut second) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        both += a * b;
        first += a * a;
        second += b * b;
    }
    if first > 0.0 && second > 0.0 { both / (first * second).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audio::synth::Noise;

    /// Music of some groups, each with a loudness of its own.
    fn expected() -> Expected {
        let mut noise = Noise::new(3);
        let samples = 12 * CHANNEL_SAMPLES;
        let mut slow = 0.0;
        let side: Vec<f32> = (0..samples)
            .map(|at| {
                slow += (noise.sample() - slow) * 0.2;
                20_000.0 * slow * (0.2 + 0.8 * ((at * at / 90_000) % 7) as f32 / 7.0)
            })
            .collect();
        Expected { sides: [side.clone(), side], pitch: 0x0AAB, seam: CHANNEL_SAMPLES }
    }

    fn played(expected: &Expected, change: impl Fn(usize) -> Option<usize>) -> Recording {
        let side: Vec<i16> = (0..20 * 48_000_usize)
            .map(|at| {
                let at = at.checked_sub(3_000).and_then(&change);
                at.map_or(0.0, |at| 0.5 * expected.sample(0, expected.place(at) + 1_234)) as i16
            })
            .collect();
        Recording { sides: [side.clone(), side] }
    }

    #[test]
    fn music_as_it_should_be_is_found_whole() {
        let expected = expected();
        let heard = Heard::of(&played(&expected, Some), &expected, 1_000).unwrap();
        assert!(heard.least_alike > 0.99 && heard.longest_still < 8, "{heard:?}");
        assert!(heard.seams > 30 && heard.seam_jump < 1.5, "{heard:?}");
    }

    #[test]
    fn a_gap_and_music_of_another_moment_are_found() {
        let expected = expected();
        let gap = played(&expected, |at| (!(600_000..600_300).contains(&at)).then_some(at));
        assert!(Heard::of(&gap, &expected, 1_000).unwrap().longest_still > 50);
        // A half of the ring that was not filled in time: the group before last once more.
        let seam = |group: usize| group * CHANNEL_SAMPLES * 4096 / 0x0AAB;
        let stale = played(&expected, |at| Some(if (seam(20)..seam(21)).contains(&at) { at - seam(2) } else { at }));
        let heard = Heard::of(&stale, &expected, 1_000).unwrap();
        assert!(heard.least_alike < 0.7, "{heard:?}");
    }

    #[test]
    fn a_jump_at_a_seam_is_larger_than_those_around_it() {
        let expected = expected();
        let mut recording = played(&expected, Some);
        let heard = Heard::of(&recording, &expected, 1_000).unwrap();
        // The seam of group 20, on the way to which the recording has 3,000 samples of silence.
        let seam = (20 * CHANNEL_SAMPLES * 4096 - 1_234) / 0x0AAB + 3_000;
        for side in &mut recording.sides {
            side[seam] = side[seam].saturating_add(20_000);
        }
        let clicks = Heard::of(&recording, &expected, 1_000).unwrap();
        assert!(clicks.seam_jump > 2.0 * heard.seam_jump.max(1.0), "{heard:?} {clicks:?}");
    }

    #[test]
    fn other_music_is_not_taken_for_it() {
        let expected = expected();
        let mut other = expected.clone();
        other.sides.iter_mut().for_each(|side| side.reverse());
        assert!(Heard::of(&played(&other, Some), &expected, 1_000).is_err());
    }

    #[test]
    fn a_recording_is_read_from_its_file() {
        let mut wav = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0".to_vec();
        wav.extend([0; 12]);
        wav.extend(b"data\x08\0\0\0\x01\0\x02\0\xFF\xFF\0\x80");
        let recording = Recording::read(&wav).unwrap();
        assert_eq!(recording.sides, [vec![1, -1], vec![2, i16::MIN]]);
        assert!(Recording::read(&wav[..20]).is_err() && Recording::read(b"RIFX").is_err());
    }
}
