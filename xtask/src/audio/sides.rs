//! Single sounds in a recording: on which side each is, how loud, how long and how high.

use super::heard::Recording;
use anyhow::{Context as _, Result};
use boardwalk_iop::music::SIDES;

/// Samples of a window: ten milliseconds.
const WINDOW: usize = 480;
/// What is louder is a sound.
const SILENCE: u16 = 24;
/// Windows of silence that end a sound.
const PAUSE: usize = 10;

/// A sound between two silences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Single {
    /// The loudest sample of each side.
    pub peaks: [u16; SIDES],
    /// Its first sample, to the window.
    pub begin: usize,
    /// The first sample behind it and the silence that ends it.
    pub end: usize,
    /// How often the louder side crosses nothing upwards.
    pub waves: usize,
}

impl Single {
    /// The sound that begins at sample `from` or later.
    ///
    /// # Errors
    /// There is none, or it does not end.
    pub fn after(recording: &Recording, from: usize) -> Result<Self> {
        let peaks = |window: usize| {
            let from = from + window * WINDOW;
            let samples = |side: usize| recording.sides[side].get(from..from + WINDOW);
            let peak = |samples: &[i16]| samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap_or(0);
            Some([peak(samples(0)?), peak(samples(1)?)])
        };
        let is_silent = |window: usize| peaks(window).map(|peaks| peaks.iter().all(|peak| *peak <= SILENCE));
        let begin = (0..).map_while(|window| Some((window, is_silent(window)?))).find(|(_, silent)| !silent);
        let (first, _) = begin.context("nothing is heard")?;
        let begin = from + first * WINDOW;
        let mut single = Self { peaks: [0; SIDES], begin, end: 0, waves: 0 };
        let mut quiet = 0;
        for window in first.. {
            let loud = peaks(window).context("a sound does not end")?;
            quiet = if loud.iter().all(|peak| *peak <= SILENCE) { quiet + 1 } else { 0 };
            single.peaks = [single.peaks[0].max(loud[0]), single.peaks[1].max(loud[1])];
            if quiet == PAUSE {
                single.end = from + (window + 1) * WINDOW;
                break;
            }
        }
        let louder = usize::from(single.peaks[1] > single.peaks[0]);
        let samples = recording.sides[louder].get(begin..single.end).unwrap_or_default();
        single.waves = samples.windows(2).filter(|pair| pair[0] < 0 && pair[1] >= 0).count();
        Ok(single)
    }

    /// Every sound of a recording.
    pub fn all(recording: &Recording) -> Vec<Self> {
        let mut singles: Vec<Self> = Vec::new();
        while let Ok(next) = Self::after(recording, singles.last().map_or(0, |last| last.end)) {
            singles.push(next);
        }
        singles
    }

    /// Its samples, without the silence that ends it.
    pub const fn samples(&self) -> usize {
        (self.end - self.begin).saturating_sub(PAUSE * WINDOW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sounds_are_told_apart_by_silence_and_by_side() {
        let sound = |loud: i16| (0..4800).map(move |at| if at % 2 == 0 { loud } else { -loud });
        let pause = || std::iter::repeat_n(0, 9600);
        let side =
            |first: i16, second: i16| pause().chain(sound(first)).chain(pause()).chain(sound(second)).chain(pause());
        let recording = Recording { sides: [side(9000, 0).collect(), side(0, 4500).collect()] };
        let first = Single::after(&recording, 0).unwrap();
        let second = Single::after(&recording, first.end).unwrap();
        assert_eq!([first.peaks, second.peaks], [[9000, 0], [0, 4500]]);
        assert!((14_400..24_000).contains(&first.end), "{first:?}");
        assert!(Single::after(&recording, second.end).is_err());
        assert_eq!(Single::all(&recording), [first, second]);
    }

    #[test]
    fn a_sound_of_half_the_pitch_is_twice_as_long_and_has_as_many_waves() {
        let sound = |wave: usize| (0..100 * wave).map(move |at| if at % wave < wave / 2 { 9000 } else { -9000 });
        let pause = || std::iter::repeat_n(0, 9600);
        let side: Vec<i16> = pause().chain(sound(48)).chain(pause()).chain(sound(96)).chain(pause()).collect();
        let [high, low] = Single::all(&Recording { sides: [side.clone(), side] })[..] else { panic!("two sounds") };
        assert_eq!([high.samples(), low.samples()], [4800, 9600]);
        assert!(high.waves.abs_diff(low.waves) <= 1 && high.waves > 90, "{high:?} {low:?}");
    }
}
