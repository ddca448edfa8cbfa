//! A running emulator.

use super::console::{GuestLine, Line, Splitter};
use super::display::{VirtualDisplay, own_display};
use super::folder::RunFolder;
use super::keys::Button;
use super::machine::{Display, Machine};
use super::prepare::prepare;
use super::settings::WINDOW_TITLE;
use crate::context::Context;
use crate::process::{Job, POLL, check_interrupted, find_program, run, watch_interrupts};
use crate::setup::{self, EmulatorTree};
use anyhow::{Context as _, Result, bail};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Lines of the emulator's own that are kept, the newest ones.
const CHATTER_KEPT: usize = 4000;
/// Lines of them that an error message shows.
const LAST_WORDS: usize = 40;
/// How long the emulator's window may take to appear.
const WINDOW_WAIT: Duration = Duration::from_secs(10);
/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The guest printed a line.
    Line(GuestLine),
    /// Nothing happened in the time given.
    Quiet,
    /// The emulator has ended, and every line was handed over.
    Ended,
}

/// How [`Session::wait`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The caller had heard enough.
    Heard,
    /// The time was up.
    TimeUp,
    /// The emulator has ended.
    Ended,
}

/// A running emulator with its display and folder. Dropping it, by an error or a panic too, stops and removes all of them.
///
/// The fields are dropped in this order: the emulator, its display, the folder.
#[derive(Debug)]
pub struct Session {
    emulator: Job,
    display: Option<VirtualDisplay>,
    folder: RunFolder,
    tree: Option<EmulatorTree>,
    display_name: String,
    lines: Receiver<Line>,
    chatter: VecDeque<String>,
    started: Instant,
    window: Option<String>,
}

impl Session {
    /// Starts `machine`, setting up what it needs first.
    pub fn start(context: &Context, machine: &Machine) -> Result<Self> {
        watch_interrupts()?;
        let tree = if machine.own.is_none() { Some(setup::emulator(context)?) } else { None };
        let headless = match machine.display {
            Display::Headless => Some(setup::headless(context)?),
            Display::Window => None,
        };
        let mut folder = RunFolder::new(&context.target.join("run"))?;
        let display = headless.as_ref().map(VirtualDisplay::start).transpose()?;
        if let Some(display) = &display {
            folder.guard(display.group())?;
        }
        let display_name = match &display {
            Some(display) => display.name.clone(),
            None => own_display().context("no display: DISPLAY is not set; run headless instead")?,
        };
        let (mut command, splitter) = prepare(machine, tree.as_ref(), &folder.path)?;
        command.env("DISPLAY", &display_name).current_dir(&folder.path);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        command.stderr(fs::File::create(folder.path.join("stderr.txt"))?);
        let started = Instant::now();
        let mut emulator = Job::start(&mut command)?;
        folder.guard(emulator.group())?;
        let output = emulator.child().stdout.take().context("the emulator has no output")?;
        let lines = listen(output, splitter);
        let chatter = VecDeque::new();
        Ok(Self { emulator, display, folder, tree, display_name, lines, chatter, started, window: None })
    }

    /// Time since the emulator was started.
    pub fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// The name of the run's display.
    pub fn display(&self) -> &str {
        &self.display_name
    }

    /// The run's own folder, which goes with it.
    pub fn folder(&self) -> &Path {
        &self.folder.path
    }

    /// Waits up to `time` for the next thing that happens. Fails when the person interrupts.
    pub fn next(&mut self, time: Duration) -> Result<Event> {
        let asked = Instant::now();
        loop {
            check_interrupted()?;
            let left = time.saturating_sub(asked.elapsed());
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok(Line::Guest(line)) => return Ok(Event::Line(line)),
                Ok(Line::Chatter(text)) => self.keep(text),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(Event::Quiet),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Event::Ended),
            }
        }
    }

    /// Hands every guest line to `enough` until that says so, `time` is up, or the emulator ends.
    pub fn wait(&mut self, time: Duration, mut enough: impl FnMut(&GuestLine) -> bool) -> Result<Wait> {
        let until = Instant::now() + time;
        loop {
            match self.next(until.saturating_duration_since(Instant::now()))? {
                Event::Line(line) if enough(&line) => return Ok(Wait::Heard),
                // Lines that come without pause must not keep the clock from being looked at.
                Event::Line(_) if Instant::now() < until => {}
                Event::Line(_) | Event::Quiet => return Ok(Wait::TimeUp),
                Event::Ended => return Ok(Wait::Ended),
            }
        }
    }

    /// Waits until the guest prints exactly `text`. An emulator that ends or stays silent too long is an error.
    pub fn expect(&mut self, text: &str, time: Duration) -> Result<()> {
        match self.wait(time, |line| line.text == text)? {
            Wait::Heard => Ok(()),
            Wait::TimeUp => bail!("the guest did not print \"{text}\" within {:.1} s", time.as_secs_f32()),
            Wait::Ended => bail!("the emulator ended before the guest printed \"{text}\"\n{}", self.last_words()),
        }
    }

    /// Writes what the console shows now to a PNG file. Headless, it has the console's own pixels, 640x448.
    pub fn screenshot(&mut self, png: &Path) -> Result<()> {
        // A person's own emulator may name its window as it likes; on a display of its own, the whole screen will do.
        let window = if self.tree.is_none() && self.display.is_some() { "root".to_owned() } else { self.window()? };
        if let Some(parent) = png.parent() {
            fs::create_dir_all(parent)?;
        }
        let program = setup::import().context("ImageMagick's import is missing; install the package imagemagick")?;
        let mut import = Command::new(&program);
        if program.file_name().is_some_and(|name| name == "magick") {
            import.arg("import");
        }
        let mut target = OsString::from("png:");
        target.push(png);
        import.args(["-silent", "-window", &window]).arg(target).env("DISPLAY", &self.display_name);
        run(&mut import, "taking the picture").map(|_| ())
    }

    /// Holds a button of the first pad down for `time`. The guest sees it only when the emulator runs with its limiter on, or for many of its
    /// frames.
    pub fn press(&mut self, button: Button, time: Duration) -> Result<()> {
        self.press_key(button.key(), time)
    }

    /// The same on the second pad.
    ///
    /// # Errors
    /// A button for which there is no key.
    pub fn press_second(&mut self, button: Button, time: Duration) -> Result<()> {
        self.press_key(button.second_key().with_context(|| format!("the second pad has no key for {button:?}"))?, time)
    }

    fn press_key(&mut self, key: &str, time: Duration) -> Result<()> {
        self.keys(&["keydown", key])?;
        let pressed = Instant::now();
        let mut result = Ok(());
        while pressed.elapsed() < time && result.is_ok() {
            std::thread::sleep(POLL.min(time.saturating_sub(pressed.elapsed())));
            result = check_interrupted();
        }
        self.keys(&["keyup", key])?;
        result
    }

    /// Holds buttons of the first pad down together, until they are released.
    ///
    /// # Errors
    /// A key that cannot be pressed.
    pub fn hold(&mut self, buttons: &[Button]) -> Result<()> {
        buttons.iter().try_for_each(|button| self.keys(&["keydown", button.key()]))
    }

    /// Lets buttons go that were held.
    ///
    /// # Errors
    /// As for [`hold`](Self::hold).
    pub fn release(&mut self, buttons: &[Button]) -> Result<()> {
        buttons.iter().try_for_each(|button| self.keys(&["keyup", button.key()]))
    }

    /// Begins a recording of the sound: every sample as the sound processor made it, at any speed. The machine's sound must be
    /// [`Sound::Recorded`](super::Sound::Recorded). A window that has just come up may not hear the key, so it is pressed until
    /// there is a file.
    ///
    /// # Errors
    /// A key that cannot be pressed, or an emulator that does not record.
    pub fn begin_recording(&mut self) -> Result<()> {
        let path = self.recording();
        self.press_record(|| path.exists())
    }

    /// Ends the recording that runs and answers its file.
    ///
    /// # Errors
    /// As for [`begin_recording`](Self::begin_recording).
    pub fn end_recording(&mut self) -> Result<PathBuf> {
        /// Where the file has the number of its bytes, which it gets when it is whole.
        const SIZE_AT: usize = 40;
        let path = self.recording();
        let is_whole = || {
            let bytes = fs::read(&path).unwrap_or_default();
            bytes.get(SIZE_AT..SIZE_AT + 4).is_some_and(|size| size != [0; 4])
        };
        self.press_record(is_whole)?;
        Ok(path)
    }

    fn recording(&self) -> PathBuf {
        self.folder.path.join("recording.wav")
    }

    /// Presses the key until `done`.
    fn press_record(&mut self, done: impl Fn() -> bool) -> Result<()> {
        /// The emulator's key for it.
        const KEY: &str = "F12";
        const HELD: Duration = Duration::from_millis(300);
        const PATIENCE: Duration = Duration::from_secs(2);
        const TRIES: usize = 5;
        for _ in 0..TRIES {
            self.keys(&["keydown", KEY])?;
            std::thread::sleep(HELD);
            self.keys(&["keyup", KEY])?;
            let pressed = Instant::now();
            while pressed.elapsed() < PATIENCE {
                if done() {
                    return Ok(());
                }
                std::thread::sleep(POLL);
            }
        }
        bail!("the emulator does not hear the key of its recording")
    }

    /// Sends `xdotool` orders to the emulator's window.
    fn keys(&mut self, orders: &[&str]) -> Result<()> {
        let window = self.window()?;
        let mut xdotool = self.xdotool()?;
        xdotool.args(["windowfocus", &window]).args(orders);
        run(&mut xdotool, "pressing a key").map(|_| ())
    }

    fn xdotool(&self) -> Result<Command> {
        let mut command = match &self.tree {
            Some(tree) => tree.xdotool(),
            None => {
                Command::new(find_program("xdotool").context("xdotool is missing; install the package of that name")?)
            }
        };
        command.env("DISPLAY", &self.display_name);
        Ok(command)
    }

    /// The X number of the emulator's game window, once it is there.
    fn window(&mut self) -> Result<String> {
        if let Some(window) = &self.window {
            return Ok(window.clone());
        }
        let asked = Instant::now();
        loop {
            check_interrupted()?;
            let mut search = self.xdotool()?;
            search.args(["search", "--onlyvisible", "--all", "--pid", &self.emulator.group().to_string()]);
            search.args(["--name", WINDOW_TITLE]);
            // The search fails as long as it finds nothing.
            let found = run(&mut search, "looking for the emulator's window").unwrap_or_default();
            if let Some(window) = found.lines().next() {
                self.window = Some(window.to_owned());
                return Ok(window.to_owned());
            }
            if self.emulator.poll()?.is_some() {
                bail!("the emulator has ended\n{}", self.last_words());
            }
            if asked.elapsed() > WINDOW_WAIT {
                bail!("the emulator showed no window within {} s\n{}", WINDOW_WAIT.as_secs(), self.last_words());
            }
            std::thread::sleep(POLL);
        }
    }

    fn keep(&mut self, text: String) {
        if self.chatter.len() == CHATTER_KEPT {
            self.chatter.pop_front();
        }
        self.chatter.push_back(text);
    }

    /// The emulator's own lines so far, such as what its interpreter says of unaligned accesses (`Address error`).
    pub fn chatter(&self) -> impl Iterator<Item = &str> {
        self.chatter.iter().map(String::as_str)
    }

    /// The emulator's own last lines, for an error message. Guest lines that were not asked for yet are dropped.
    pub fn last_words(&mut self) -> String {
        while let Ok(line) = self.lines.try_recv() {
            if let Line::Chatter(text) = line {
                self.keep(text);
            }
        }
        let errors = fs::read_to_string(self.folder.path.join("stderr.txt")).unwrap_or_default();
        let said: Vec<&str> = self.chatter.iter().map(String::as_str).chain(errors.lines()).collect();
        said[said.len().saturating_sub(LAST_WORDS)..].join("\n")
    }

    /// Ends the run: the emulator, its display, its folder. Says whether the emulator ended when it was asked to.
    pub fn stop(mut self) -> bool {
        let willing = self.emulator.stop();
        self.display = None;
        willing
    }
}

/// Reads the emulator's output on a thread of its own, so that a full pipe never holds up the emulator.
fn listen(mut output: ChildStdout, mut splitter: Splitter) -> Receiver<Line> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count) = output.read(&mut buffer) {
            if count == 0 {
                break;
            }
            let mut heard = true;
            splitter.feed(&buffer[..count], |line| heard &= sender.send(line).is_ok());
            if !heard {
                break;
            }
        }
    });
    lines
}
