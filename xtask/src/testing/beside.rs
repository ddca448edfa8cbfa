//! Data beside music while the game is played: how much comes, and what it costs the EE.

use super::console::{ended_well, no_complaints};
use super::rig::{Boots, Job, Seen};
use super::{Rig, streams};
use anyhow::{Context as _, Result, ensure};

/// Along the boardwalk with a file read beside it from a frame on, and as many frames as that takes.
const PLAY: &str = "quick lockstep mission=2 beside=420 frames=1800 script=160t,30n*200 hold";
/// Cycles of a frame at 30 frames a second.
const FRAME: f64 = 294_912_000.0 / 30.0;
/// Shown frames of a second.
const FRAMES_A_SECOND: f64 = 30_000.0 / 1001.0;
/// What must come beside music.
const WANTED_BYTES: f64 = 1_200_000.0;
/// The share of a frame that it may cost: 3 % on a console, so half of it in the emulator.
///
/// Source: console rules 13.
const SHARE: f64 = 0.015;

/// What some frames have cost, as the game tells it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sum {
    frames: f64,
    bytes: f64,
    busy: f64,
    files: f64,
    worst: f64,
}

/// The figure behind a word of a line.
fn figure(line: &str, word: &str) -> Result<f64> {
    let mut words = line.split_whitespace().skip_while(|found| *found != word);
    words.nth(1).and_then(|figure| figure.parse().ok()).with_context(|| format!("no {word} in `{line}`"))
}

fn line<'s>(lines: &'s [String], name: &str) -> Result<&'s String> {
    let begin = format!("BESIDE {name} ");
    lines.iter().find(|line| line.starts_with(&begin)).with_context(|| format!("no line `{begin}`"))
}

impl Sum {
    fn of(lines: &[String], name: &str) -> Result<Self> {
        let line = line(lines, name)?;
        println!("  {line}");
        let of = |word| figure(line, word);
        Ok(Self {
            frames: of("frames")?,
            bytes: of("bytes")?,
            busy: of("busy")?,
            files: of("files")?,
            worst: of("worst")?,
        })
    }

    /// Bytes a second.
    fn rate(&self) -> f64 {
        self.bytes / (self.frames / FRAMES_A_SECOND)
    }
}

/// Reads a long file beside the boardwalk, from a quick drive by turns and from a console's.
pub fn beside(rig: &mut Rig) -> Result<()> {
    let job = Job { seconds: 240, ..Job::new("beside", PLAY) };
    let disc = rig.disc_with(&job.name, &job.arguments, &[streams::filler()])?;
    let seen = rig.boot(&Job { boots: Boots::Image(disc.path), ..job })?;
    ended_well(&seen)?;
    no_complaints(&seen)?;
    judge(&seen)
}

/// Enough data, at little cost, without a late frame or a gap in the music.
fn judge(seen: &Seen) -> Result<()> {
    let [without, with, slow] = ["without", "with", "slow"].map(|name| Sum::of(&seen.lines, name));
    let (without, with, slow) = (without?, with?, slow?);
    let more = (with.busy - without.busy) / FRAME;
    println!(
        "  {:.0} bytes a second by turns, {:.0} from a slow drive; the whole frame {:.2} % with and {:.2} % without, file service {:.2} %, \
         {:.2} % from a slow drive, the dearest {:.2} % (emulated)",
        with.rate(),
        slow.rate(),
        with.busy / FRAME * 100.0,
        without.busy / FRAME * 100.0,
        with.files / FRAME * 100.0,
        slow.files / FRAME * 100.0,
        with.worst.max(slow.worst) / FRAME * 100.0
    );
    ensure!(without.bytes == 0.0, "data came in the turns without");
    for (name, sum) in [("by turns", with), ("from a slow drive", slow)] {
        ensure!(sum.rate() >= WANTED_BYTES, "{:.0} bytes a second {name}", sum.rate());
        ensure!(sum.files / FRAME < SHARE && sum.worst / FRAME < SHARE, "{sum:?} {name}");
    }
    ensure!(more < SHARE, "a frame costs {:.2} % more", more * 100.0);
    let missed = line(&seen.lines, "missed")?;
    println!("  {missed}");
    ensure!(missed == "BESIDE missed 0 music true underruns 0", "`{missed}`");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(with: [u64; 4], slow: [u64; 4], missed: &str) -> Seen {
        let line = |name: &str, [bytes, busy, files, worst]: [u64; 4]| {
            format!("BESIDE {name} frames 300 bytes {bytes} busy {busy} files {files} worst {worst}")
        };
        let lines =
            vec![line("without", [0, 4_000_000, 0, 0]), line("with", with), line("slow", slow), missed.to_owned()];
        Seen { lines, chatter: vec![], picture: None, died: false, lasted: 0.0 }
    }

    #[test]
    fn too_little_data_dear_frames_and_late_ones_are_told() {
        let good = [12_100_000, 4_050_000, 30_000, 90_000];
        let fine = "BESIDE missed 0 music true underruns 0";
        assert!(judge(&seen(good, good, fine)).is_ok());
        assert!(judge(&seen(good, [11_900_000, 4_050_000, 30_000, 90_000], fine)).is_err(), "too slow");
        assert!(judge(&seen([12_100_000, 4_150_000, 30_000, 90_000], good, fine)).is_err(), "the frame is dearer");
        assert!(judge(&seen([12_100_000, 4_050_000, 30_000, 150_000], good, fine)).is_err(), "one frame is dear");
        assert!(judge(&seen(good, good, "BESIDE missed 1 music true underruns 0")).is_err(), "late");
        assert!(judge(&seen(good, good, "BESIDE missed 0 music true underruns 2")).is_err(), "a gap");
    }
}
