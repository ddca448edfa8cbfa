//! Single sounds in a recording: on which side each is, and how loud.

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
    /// The first sample behind it.
    pub end: usize,
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
        let (begin, _) = begin.context("nothing is heard")?;
        let mut single = Self { peaks: [0; SIDES], end: 0 };
        let mut quiet = 0;
        for window in begin.. {
            let loud = peaks(window).context("a sound does not end")?;
            quiet = if loud.iter().all(|peak| *peak <= SILENCE) { quiet + 1 } else { 0 };
            single.peaks = [single.peaks[0].max(loud[0]), single.peaks[1].max(loud[1])];
            if quiet == PAUSE {
                single.end = from + (window + 1) * WINDOW;
                break;
            }
        }
        Ok(single)
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
    }
}
