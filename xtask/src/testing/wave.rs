//! What the console sounds like, recorded sample by sample by the emulator: music against its file, and effects one by one.

use super::console::judge;
use super::{Counts, Rig, streams};
use crate::archive::Archive;
use crate::audio::heard::{Expected, Heard, Recording};
use crate::audio::sides::Single;
use crate::emulator::{Boot, Machine, Session, Sound, Wait};
use crate::rom::RomOptions;
use anyhow::{Context as _, Result, bail, ensure};
use std::time::Duration;

/// The music that is played.
const MUSIC: &str = "sound/pier.music";
/// How long a guest minute and the effects behind it may take on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(300);
/// What the console says of the sound that loops, and the last line of a minute of music and of the effects behind it.
const LOOPING: &str = "FACT stream looping of ";
const EFFECTS_PLAYED: &str = "FACT stream effects played";
/// What its figures begin with, and the line of a program that has ended before.
const FACT: &str = "FACT stream ";
const END: &str = "BOARDWALK END";
/// Samples at the end in which the music has been ended and effects are played.
const UNHEARD: usize = 28 * SAMPLES_A_SECOND;
/// Samples of a second.
const SAMPLES_A_SECOND: usize = 48_000;

/// What was recorded, and how many frames the looping sound lasts once and was played for.
struct Recorded {
    sound: Recording,
    looping: [u32; 2],
}

/// Music beside data, then effects: what is heard is what was asked for.
pub fn wave(rig: &mut Rig) -> Result<Counts> {
    let disc = rig.disc_with("wave", "stream=1 hold", &[streams::filler()])?;
    let rom = rig.rom(RomOptions::default())?;
    let machine = Machine { sound: Sound::Recorded, ..Machine::headless(rom, Boot::Disc(disc.path)) };
    let kept = rig.context.target.join("tests/wave.wav");
    let mut session = Session::start(&rig.context, &machine)?;
    let mut record = || -> Result<Recorded> {
        session.wait(PATIENCE, |line| line.text.starts_with("BOARDWALK START"))?;
        session.begin_recording()?;
        let (mut looping, mut last) = (String::new(), String::new());
        let ended = session.wait(PATIENCE, |line| {
            if line.text.starts_with(LOOPING) {
                looping.clone_from(&line.text);
            }
            if line.text.starts_with(FACT) {
                println!("  {}", line.text);
            }
            last.clone_from(&line.text);
            line.text.starts_with(EFFECTS_PLAYED) || line.text.starts_with(END)
        })?;
        ensure!(ended == Wait::Heard && last == EFFECTS_PLAYED, "it ended with `{last}`");
        let path = session.end_recording()?;
        let wav = std::fs::read(&path).with_context(|| format!("no {}", path.display()))?;
        // For a person to listen to.
        std::fs::write(&kept, &wav)?;
        let figures: Vec<u32> = looping.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [once, played] = figures[..] else { bail!("`{looping}` has other figures") };
        Ok(Recorded { sound: Recording::read(&wav)?, looping: [once, played] })
    };
    let recorded = record();
    session.stop();
    let recorded = recorded.as_ref().map_err(|error| anyhow::anyhow!("{error:#}"));
    let mut counts = Counts::default();
    let effects = match &recorded {
        Ok(recorded) => last_effects(&recorded.sound),
        Err(error) => Err(anyhow::anyhow!("{error:#}")),
    };
    let effects = effects.as_ref().map_err(|error| anyhow::anyhow!("{error:#}"));
    let each = |judge: &dyn Fn(&Effects) -> Result<()>| match &effects {
        Ok(effects) => judge(effects),
        Err(error) => Err(anyhow::anyhow!("{error:#}")),
    };
    counts +=
        judge("an effect is heard on its side, as loud as it was asked for", each(&|effects| effects.on_its_side()));
    counts +=
        judge("at half the pitch it sounds an octave lower and twice as long", each(&|effects| effects.an_octave()));
    let looping = recorded.as_ref().map_or([0; 2], |recorded| recorded.looping);
    counts += judge("one that loops goes on beyond its end, and one that is stopped is silent at once", {
        each(&|effects| effects.loops_until_stopped(looping))
    });
    let music = recorded.and_then(|recorded| is_the_music(&recorded.sound, &disc.archive));
    counts += judge("the recorded wave is the music, whole and in time, without gap or click at a seam", music);
    Ok(counts)
}

/// The music of a recording against its file.
fn is_the_music(recording: &Recording, archive: &Archive) -> Result<()> {
    /// How alike a twentieth of a second must be at least. The emulator's mixer smooths, and its voices begin some samples apart.
    const ALIKE: f32 = 0.85;
    /// Samples that may stand still while the music goes on.
    const STILL: usize = 8;
    /// A jump at a seam against those around it.
    const JUMP: f32 = 1.5;
    /// Seconds that are to be compared at least, of the minute that is played.
    const SECONDS: usize = 40;
    let music = archive.files.iter().find(|file| file.name == MUSIC).context("no music")?;
    let music = &archive.data[music.entry.offset as usize..][..music.entry.size as usize];
    let heard = Heard::of(recording, &Expected::of_music(music)?, UNHEARD)?;
    println!("  {heard:?}");
    ensure!(heard.samples >= SECONDS * SAMPLES_A_SECOND, "only {} samples", heard.samples);
    ensure!(heard.least_alike >= ALIKE, "a stretch is not the music's");
    ensure!(heard.longest_still <= STILL, "there is a gap");
    ensure!(heard.seam_jump <= JUMP, "there is a click at a seam");
    Ok(())
}

/// The effects behind the music.
struct Effects {
    /// Left, right, and half as loud on the left.
    sides: [Single; 3],
    /// Notes at their own pitch and at half of it.
    notes: [Single; 2],
    /// The sound that loops, until it is stopped.
    looping: Single,
}

/// The last sounds of a recording.
fn last_effects(recording: &Recording) -> Result<Effects> {
    let singles = Single::all(recording);
    let [.., left, right, half, high, low, looping] = singles[..] else { bail!("only {} sounds", singles.len()) };
    Ok(Effects { sides: [left, right, half], notes: [high, low], looping })
}

/// True when a figure is the wanted one, a tenth more or less.
fn is_about(figure: f64, wanted: f64) -> bool {
    (figure / wanted - 1.0).abs() < 0.1
}

impl Effects {
    fn on_its_side(&self) -> Result<()> {
        /// How much louder the side that a sound is on is than the other. The emulator's mixer lets a seventh of each side through to
        /// the other, smoothed.
        const APART: u16 = 5;
        let [left, right, half] = self.sides.map(|single| single.peaks);
        println!("  left {left:?} right {right:?} half {half:?}");
        let ([on, off], [other_off, other_on], [soft, soft_off]) = (left, right, half);
        ensure!(
            on > off * APART && other_on > other_off * APART && soft > soft_off * APART,
            "a sound is on the wrong side"
        );
        let alike = |loud: u16, wanted: u16| is_about(f64::from(loud), f64::from(wanted));
        ensure!(alike(other_on, on) && alike(soft, on / 2), "a sound has another volume");
        Ok(())
    }

    /// At half the pitch as many waves take twice the time.
    fn an_octave(&self) -> Result<()> {
        let [high, low] = self.notes;
        let hertz = |single: Single| single.waves as f64 * SAMPLES_A_SECOND as f64 / single.samples() as f64;
        println!(
            "  {:.0} and {:.0} waves a second, {} and {} samples long",
            hertz(high),
            hertz(low),
            high.samples(),
            low.samples()
        );
        ensure!(high.waves > 100, "only {} waves", high.waves);
        ensure!(is_about(hertz(high) / hertz(low), 2.0), "another pitch");
        ensure!(is_about(low.samples() as f64 / high.samples() as f64, 2.0), "another length");
        Ok(())
    }

    /// The looping sound is heard for as long as it was played, which is longer than it is, and no longer.
    fn loops_until_stopped(&self, [once, played]: [u32; 2]) -> Result<()> {
        /// Frames that a command may take to be heard of, and the windows of a recording.
        const LATE: f64 = 5.0;
        let heard = self.looping.samples() as f64 * 30.0 / SAMPLES_A_SECOND as f64;
        println!("  a sound of {once} frames is heard for {heard:.1} of {played}");
        ensure!(heard > f64::from(once) * 1.1, "it ends with its samples");
        ensure!((heard - f64::from(played)).abs() < LATE, "it is not stopped when it was asked to be");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(peaks: [u16; 2], seconds: f64, waves: usize) -> Single {
        // A tenth of a second of silence ends it.
        let samples = ((seconds + 0.1) * SAMPLES_A_SECOND as f64) as usize;
        Single { peaks, begin: 0, end: samples, waves }
    }

    fn effects() -> Effects {
        Effects {
            sides: [single([9000, 900], 0.3, 9), single([900, 9000], 0.3, 9), single([4500, 450], 0.3, 9)],
            notes: [single([9000; 2], 0.35, 200), single([9000; 2], 0.7, 200)],
            looping: single([9000; 2], 7.0, 500),
        }
    }

    #[test]
    fn effects_as_they_were_asked_for_pass() {
        let effects = effects();
        effects.on_its_side().and_then(|()| effects.an_octave()).unwrap();
        effects.loops_until_stopped([150, 210]).unwrap();
    }

    #[test]
    fn wrong_sides_pitches_loops_and_stops_are_told() {
        let good = effects();
        let [left, right, half] = good.sides;
        assert!(Effects { sides: [right, left, half], ..effects() }.on_its_side().is_err());
        assert!(Effects { sides: [left, right, left], ..effects() }.on_its_side().is_err());
        assert!(Effects { notes: [good.notes[0]; 2], ..effects() }.an_octave().is_err());
        let ends = Effects { looping: single([9000; 2], 5.0, 500), ..effects() };
        assert!(ends.loops_until_stopped([150, 210]).is_err(), "it does not loop");
        let goes_on = Effects { looping: single([9000; 2], 9.0, 500), ..effects() };
        assert!(goes_on.loops_until_stopped([150, 210]).is_err(), "it is not stopped");
    }
}
