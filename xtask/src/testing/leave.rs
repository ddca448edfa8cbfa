//! Leaving the game for the browser: by the menu with a real controller, and out of a level whose parts are being read.

use super::console::{judge, no_complaints};
use super::rig::Job;
use super::{Counts, Rig};
use crate::emulator::{Boot, Button, GuestLine, Machine, Session, Wait};
use crate::rom::RomOptions;
use anyhow::{Context as _, Result, ensure};
use std::time::{Duration, Instant};

/// What the boot ROM says of a program that ended well: a console's kernel goes on with its browser there.
const ENDED: &str = "ROM: program ended with 0";
/// What the game says of its streams when it gives the console back.
const STREAMS: &str = "STREAMS ";
/// A boardwalk that streams, walked along: what is near alone is there, from a drive as slow as a console's.
const STREAMING: &str = "quick lockstep mission=2 near=15 script=160t,30n*650";
/// What the game says of a part that has come while it is played.
const PART_CAME: &str = " bytes in frame ";
/// Frames before a part's arrival in which its first piece is on its way: a seek and a hundred kilobytes take longer.
const ON_ITS_WAY: u32 = 6;

/// The program's end as a person brings it about.
pub fn leave(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    counts += judge("LEAVE in the menu ends music and reads, then the program", by_menu(rig));
    counts +=
        judge("what is being read of a level has ended, or was given up, before the program ends", out_of_a_level(rig));
    Ok(counts)
}

/// Chooses LEAVE with the real controller.
fn by_menu(rig: &mut Rig) -> Result<()> {
    const PATIENCE: Duration = Duration::from_secs(40);
    let rom = rig.rom(RomOptions::default())?;
    let disc = rig.disc("leave", "quick")?.path;
    let machine = Machine { limiter: true, ..Machine::headless(rom, Boot::Disc(disc)) };
    let mut session = Session::start(&rig.context, &machine)?;
    let mut lines = Vec::new();
    let mut choose = || -> Result<()> {
        let mut keep = |line: &GuestLine| lines.push(line.text.clone());
        session.wait(PATIENCE, |line| {
            keep(line);
            line.text == "MODE memory card"
        })?;
        press_until(&mut session, &mut keep, &[Button::Triangle], "MODE profile manager")?;
        // Above the first item is the last one. Wherever a press that was not heard has led, triangle leads back, and the way up comes
        // round to it.
        press_until(&mut session, &mut keep, &[Button::Triangle, Button::Up, Button::Cross], STREAMS)?;
        let ended = session.wait(PATIENCE, |line| {
            keep(line);
            line.text.starts_with(ENDED)
        })?;
        ensure!(ended == Wait::Heard, "the boot ROM did not hear of the end");
        Ok(())
    };
    let outcome = choose();
    session.stop();
    outcome?;
    let played = lines.iter().position(|line| line.starts_with("SOUND ") && line.contains(" music true "));
    ensure!(played.is_some(), "no music was played before");
    let last = lines.last();
    ensure!(last.is_some_and(|line| line == ENDED), "it ended with {last:?}");
    stand(&lines).map(|line| println!("  {line}"))
}

/// Presses buttons one after the other, again and again until a line comes that begins as the answer.
fn press_until(
    session: &mut Session,
    keep: &mut impl FnMut(&GuestLine),
    buttons: &[Button],
    answer: &str,
) -> Result<()> {
    const HELD: Duration = Duration::from_millis(300);
    const ANSWER: Duration = Duration::from_secs(3);
    const PATIENCE: Duration = Duration::from_secs(100);
    let asked = Instant::now();
    let mut came = Vec::new();
    loop {
        for button in buttons {
            session.press(*button, HELD)?;
            std::thread::sleep(HELD);
        }
        let heard = session.wait(ANSWER, |line| {
            keep(line);
            if line.text.starts_with("MODE ") {
                came.push(line.text.clone());
            }
            line.text.starts_with(answer)
        })?;
        if heard == Wait::Heard {
            return Ok(());
        }
        ensure!(asked.elapsed() < PATIENCE, "no `{answer}` after {buttons:?}, but {came:?}");
    }
}

/// What the game said of its streams, which stand.
fn stand(lines: &[String]) -> Result<&String> {
    let line = lines.iter().rfind(|line| line.starts_with(STREAMS)).context("nothing was said of the streams")?;
    let still = line.starts_with("STREAMS stand: music false, read ") && !line.contains("read Busy");
    ensure!(still, "`{line}`");
    Ok(line)
}

/// Ends a run in a frame in which a part is on its way, which an earlier run has told.
fn out_of_a_level(rig: &mut Rig) -> Result<()> {
    let way = rig.boot(&Job { until: PART_CAME, ..Job::new("leave-way", STREAMING) })?;
    let came = way.lines.iter().find_map(|line| line.split_once(PART_CAME)).context("no part came in play")?.1;
    let frame: u32 = came.split(',').next().unwrap_or_default().parse()?;
    let frames = frame.checked_sub(ON_ITS_WAY).context("a part that came too early")?;
    let arguments = format!("{STREAMING} frames={frames}");
    let seen = rig.boot(&Job { until: "ROM: program ended", ..Job::new("leave-level", &arguments) })?;
    no_complaints(&seen)?;
    ensure!(seen.lines.iter().any(|line| line == ENDED), "the last lines were {:?}", seen.last_lines());
    ensure!(seen.lines.iter().any(|line| line == "STREAMS a read was under way"), "nothing was read in frame {frames}");
    stand(&seen.lines).map(|line| println!("  frame {frames}: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_that_go_on_are_told() {
        let say = |line: &str| stand(&[line.to_owned()]).is_ok();
        assert!(say("STREAMS stand: music false, read Failed of 2048 bytes, underruns 0"));
        assert!(!say("STREAMS stand: music false, read Busy of 2048 bytes, underruns 0"));
        assert!(!say("STREAMS do not stand: music true, read Done of 2048 bytes, underruns 0"));
        assert!(!say("STREAMS a read was under way") && stand(&[]).is_err());
    }
}
