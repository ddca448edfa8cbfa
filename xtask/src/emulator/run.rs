//! A whole run, as the verbs offer it.

use super::console::{Ending, GuestLine};
use super::display::own_display;
use super::machine::{Boot, Display, Machine, Mode, OwnEmulator};
use super::session::{Event, Session};
use crate::context::Context;
use crate::process::{after_interruption, interrupted};
use crate::progress::say;
use anyhow::{Context as _, Result};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long a run without a display lasts when neither the person nor the guest ends it, seconds.
const HEADLESS_SECONDS: u64 = 30;
/// How long the guest may go on printing after its last word, so that what belongs to it is seen.
const AFTERWORD: Duration = Duration::from_millis(50);

/// What a person asks of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Our boot ROM; not used with `own`.
    pub rom: PathBuf,
    /// What the console starts with.
    pub boot: Boot,
    /// Without a window (`true`) or with one (`false`); left open, a window where there is a display.
    pub headless: Option<bool>,
    /// End after this many seconds.
    pub seconds: Option<u64>,
    /// Where a run without a window writes its last picture; left open, `last-frame.png` in the build folder.
    pub png: Option<PathBuf>,
    /// A person's own emulator and BIOS.
    pub own: Option<OwnEmulator>,
    /// How the processors are emulated.
    pub mode: Mode,
    /// Keep the console's speed (`true`) or not (`false`); left open, with a window only.
    pub limiter: Option<bool>,
    /// Print nothing: neither the guest's lines nor where the picture is.
    pub quiet: bool,
}

impl RunOptions {
    /// A run with everything left open.
    pub fn new(rom: PathBuf, boot: Boot) -> Self {
        let mode = Mode::default();
        Self { rom, boot, headless: None, seconds: None, png: None, own: None, mode, limiter: None, quiet: false }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// By the guest's own word.
    Guest(Ending),
    /// By the clock. `asked` tells whether the person had set the time.
    TimeUp {
        /// Whether the person had set the time.
        asked: bool,
    },
    /// The person closed the window.
    Closed,
    /// The emulator ended by itself, without a window that a person could have closed; with its last lines.
    Died(String),
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// How it ended.
    pub verdict: Verdict,
    /// Every line of the guest's.
    pub lines: Vec<GuestLine>,
    /// Where the last picture is, when one was taken.
    pub picture: Option<PathBuf>,
    /// From the emulator's start to the guest's first line.
    pub first_line: Option<Duration>,
    /// From the emulator's start to the end.
    pub lasted: Duration,
}

impl RunOutcome {
    /// Whether the run ended as it should: by the guest's good word, by the person, or by the time that the person set.
    pub fn is_ok(&self) -> bool {
        match &self.verdict {
            Verdict::Guest(ending) => ending.is_ok(),
            Verdict::TimeUp { asked } => *asked,
            Verdict::Closed => true,
            Verdict::Died(_) => false,
        }
    }
}

/// Runs the console until the guest says that it is done, the time is up, or the window is closed. A run without a window
/// leaves its last picture when the person interrupts it, too.
pub fn run(context: &Context, options: &RunOptions) -> Result<RunOutcome> {
    let headless = options.headless.unwrap_or_else(|| own_display().is_none());
    let machine = machine(options, headless);
    let mut session = Session::start(context, &machine)?;
    let limit = time_limit(options.seconds, headless).map(Duration::from_secs);
    let mut lines = Vec::new();
    let mut first_line = None;
    let mut ending: Option<(Ending, Instant)> = None;
    let verdict = loop {
        let left = limit.map_or(Duration::from_secs(1), |limit| limit.saturating_sub(session.age()));
        let wait = if ending.is_some() { AFTERWORD } else { left };
        let event = match session.next(wait) {
            Err(error) if headless && interrupted() => {
                after_interruption(|| last_picture(context, options, &mut session))?;
                return Err(error);
            }
            event => event?,
        };
        match event {
            Event::Line(line) => {
                first_line.get_or_insert(session.age());
                if !options.quiet {
                    // A reader that has seen enough (`| head`) ends the run; it is no bug of ours.
                    writeln!(std::io::stdout(), "{}", line.text).context("nobody reads the guest's lines any more")?;
                }
                if ending.is_none() {
                    ending = line.ending().map(|ending| (ending, Instant::now()));
                }
                lines.push(line);
            }
            Event::Ended => {
                break match ending.take() {
                    Some((ending, _)) => Verdict::Guest(ending),
                    // A person closes what has shown something; what never came up was not closed.
                    None if headless || (lines.is_empty() && options.own.is_none()) => {
                        Verdict::Died(session.last_words())
                    }
                    None => Verdict::Closed,
                };
            }
            Event::Quiet => {}
        }
        if let Some((said, when)) = &ending {
            if when.elapsed() >= AFTERWORD {
                break Verdict::Guest(said.clone());
            }
        } else if limit.is_some_and(|limit| session.age() >= limit) {
            break Verdict::TimeUp { asked: options.seconds.is_some() };
        }
    };
    let picture = match (headless, &options.png, &verdict) {
        (_, _, Verdict::Died(_) | Verdict::Closed) | (false, None, _) => None,
        _ => Some(last_picture(context, options, &mut session)?),
    };
    let lasted = session.age();
    session.stop();
    Ok(RunOutcome { verdict, lines, picture, first_line, lasted })
}

/// Takes the last picture, where the person wants it or in the build folder, and says where it is.
fn last_picture(context: &Context, options: &RunOptions, session: &mut Session) -> Result<PathBuf> {
    let png = options.png.clone().unwrap_or_else(|| context.target.join("last-frame.png"));
    session.screenshot(&png)?;
    if !options.quiet {
        say(&format!("Last frame: {}", png.display()));
    }
    Ok(png)
}

/// The machine for a person's wishes.
fn machine(options: &RunOptions, headless: bool) -> Machine {
    let base = if headless { Machine::headless } else { Machine::window };
    let mut machine = base(options.rom.clone(), options.boot.clone());
    machine.mode = options.mode;
    machine.own = options.own.clone();
    machine.limiter = options.limiter.unwrap_or(machine.limiter);
    if machine.display == Display::Window {
        machine.cards = player_cards(saves_folder());
    }
    machine
}

/// The cards that a person plays with, kept from run to run.
fn player_cards(saves: Option<PathBuf>) -> [Option<PathBuf>; 2] {
    [1, 2].map(|slot| saves.as_ref().map(|folder| folder.join(format!("card{slot}.ps2"))))
}

/// Where a person's saves are kept: the XDG data folder.
fn saves_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")))?;
    Some(base.join("boardwalk"))
}

/// How long a run may last, seconds; a window stays until it is closed.
fn time_limit(asked: Option<u64>, headless: bool) -> Option<u64> {
    asked.or(headless.then_some(HEADLESS_SECONDS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::machine::Sound;

    fn outcome(verdict: Verdict) -> RunOutcome {
        RunOutcome { verdict, lines: Vec::new(), picture: None, first_line: None, lasted: Duration::ZERO }
    }

    #[test]
    fn only_the_guest_or_the_person_can_make_a_run_good() {
        assert!(outcome(Verdict::Guest(Ending::Ok)).is_ok());
        assert!(outcome(Verdict::Guest(Ending::Program(0))).is_ok());
        assert!(!outcome(Verdict::Guest(Ending::Program(1))).is_ok());
        assert!(!outcome(Verdict::Guest(Ending::Failed("why".to_owned()))).is_ok());
        assert!(outcome(Verdict::TimeUp { asked: true }).is_ok());
        assert!(!outcome(Verdict::TimeUp { asked: false }).is_ok());
        assert!(!outcome(Verdict::Died(String::new())).is_ok());
    }

    #[test]
    fn windows_stay_and_headless_runs_end() {
        assert_eq!(time_limit(None, false), None);
        assert_eq!(time_limit(None, true), Some(HEADLESS_SECONDS));
        assert_eq!(time_limit(Some(5), false), Some(5));
    }

    #[test]
    fn a_person_plays_with_cards_and_a_test_without() {
        let options = RunOptions::new("rom".into(), Boot::NoDisc);
        let test = machine(&options, true);
        assert_eq!((test.cards, test.limiter, test.sound), ([None, None], false, Sound::Off));
        let play = machine(&options, false);
        assert!(play.limiter && play.sound == Sound::Speakers);
        let cards = player_cards(Some("/data".into()));
        assert_eq!(cards, [Some("/data/card1.ps2".into()), Some("/data/card2.ps2".into())]);
    }
}
