//! A running emulator.

use super::arguments::{self, Generation};
use super::card;
use super::console::{GuestLine, Line, Splitter};
use super::display::{VirtualDisplay, own_display};
use super::folder::RunFolder;
use super::machine::{Boot, Display, Machine, Sound};
use super::settings::{self, Button, WINDOW_TITLE};
use crate::context::Context;
use crate::process::{Job, POLL, check_interrupted, run, watch_interrupts};
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
/// Where a distribution or a build of the first generation keeps its plugins.
const PLUGIN_FOLDERS: [&str; 4] =
    ["/usr/lib/i386-linux-gnu/pcsx2", "/usr/lib/pcsx2", "/usr/lib32/pcsx2", "/usr/lib/x86_64-linux-gnu/pcsx2"];

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
        self.keys(&["keydown", button.key()])?;
        let pressed = Instant::now();
        let mut result = Ok(());
        while pressed.elapsed() < time && result.is_ok() {
            std::thread::sleep(POLL.min(time.saturating_sub(pressed.elapsed())));
            result = check_interrupted();
        }
        self.keys(&["keyup", button.key()])?;
        result
    }

    /// Sends `xdotool` orders to the emulator's window.
    fn keys(&mut self, orders: &[&str]) -> Result<()> {
        let window = self.window()?;
        let mut xdotool = self.xdotool();
        xdotool.args(["windowfocus", &window]).args(orders);
        run(&mut xdotool, "pressing a key").map(|_| ())
    }

    fn xdotool(&self) -> Command {
        let mut command = self.tree.as_ref().map_or_else(|| Command::new("xdotool"), EmulatorTree::xdotool);
        command.env("DISPLAY", &self.display_name);
        command
    }

    /// The X number of the emulator's game window, once it is there.
    fn window(&mut self) -> Result<String> {
        if let Some(window) = &self.window {
            return Ok(window.clone());
        }
        let asked = Instant::now();
        loop {
            check_interrupted()?;
            let mut search = self.xdotool();
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
                bail!("the emulator showed no window within {} s", WINDOW_WAIT.as_secs());
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

/// Writes the run's settings into `folder` and returns the emulator's command and the reader that fits its output.
fn prepare(machine: &Machine, tree: Option<&EmulatorTree>, folder: &Path) -> Result<(Command, Splitter)> {
    let machine = &with_whole_paths(machine)?;
    let home = folder.join("home/.config/PCSX2");
    for part in ["inis", "bios", "logs", "memcards", "snaps", "sstates"] {
        fs::create_dir_all(home.join(part))?;
    }
    fs::create_dir_all(folder.join("tmp"))?;
    let rom = machine.own.as_ref().map_or(&machine.rom, |own| &own.bios);
    let bios = home.join("bios/rom.bin");
    fs::copy(rom, &bios).with_context(|| format!("cannot read the ROM {}", rom.display()))?;
    for (slot, card) in machine.cards.iter().enumerate() {
        if let Some(card) = card {
            insert_card(card, &home.join("memcards").join(settings::card_name(slot)))?;
        }
    }
    let own = machine.own.as_ref();
    let generation = own.map_or(Generation::One, |own| Generation::of(&own.pcsx2));
    let (files, arguments, splitter) = match generation {
        Generation::One => {
            let plugins = match (tree, own) {
                (Some(tree), _) => tree.plugins(),
                (None, Some(own)) => plugin_folder(&own.pcsx2)?,
                (None, None) => bail!("no emulator"),
            };
            let files = settings::files(machine, &plugins, &home, &bios, sound_server().is_some());
            (files, arguments::first_generation(machine), Splitter::coloured())
        }
        Generation::Two => {
            let arguments = arguments::second_generation(machine, &home, &home.join("logs/emulog.txt"));
            (vec![settings::second_generation(machine, &home, &bios)], arguments, Splitter::plain())
        }
    };
    for (name, text) in files {
        fs::write(home.join(name), text)?;
    }
    let mut command = match (tree, own) {
        (Some(tree), _) => {
            let mut command = tree.command(&tree.pcsx2());
            command.env("LIBGL_DRIVERS_PATH", tree.drivers()).env("LIBGL_ALWAYS_SOFTWARE", "1");
            command
        }
        (None, Some(own)) => Command::new(&own.pcsx2),
        (None, None) => bail!("no emulator"),
    };
    environment(&mut command, machine, folder);
    command.args(arguments);
    Ok((command, splitter))
}

/// Gives the emulator a home of its own and keeps the desktop's services out of the way.
fn environment(command: &mut Command, machine: &Machine, folder: &Path) {
    let home = folder.join("home");
    if machine.display == Display::Window && std::env::var_os("XAUTHORITY").is_none() {
        // X programs look for the display's key in the home folder, which is about to be another one.
        if let Some(own) = std::env::var_os("HOME") {
            command.env("XAUTHORITY", Path::new(&own).join(".Xauthority"));
        }
    }
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"] {
        command.env_remove(name);
    }
    command.env("HOME", &home).env("TMPDIR", folder.join("tmp")).env("LC_ALL", "C.UTF-8");
    command.env("NO_AT_BRIDGE", "1").env("GDK_BACKEND", "x11");
    if machine.display == Display::Headless {
        command.env("XDG_RUNTIME_DIR", folder.join("tmp"));
    }
    match &machine.sound {
        Sound::File(file) => {
            command.env("SDL_DISKAUDIOFILE", file);
        }
        Sound::Speakers => {
            if let Some(server) = sound_server() {
                command.env("PULSE_SERVER", server);
            }
        }
        Sound::Off => {}
    }
}

/// The address of the person's sound server, if one runs.
fn sound_server() -> Option<String> {
    if let Some(server) = std::env::var("PULSE_SERVER").ok().filter(|server| !server.is_empty()) {
        return Some(server);
    }
    let socket = Path::new(&std::env::var_os("XDG_RUNTIME_DIR")?).join("pulse/native");
    socket.exists().then(|| format!("unix:{}", socket.display()))
}

/// The same machine with paths that hold in any working folder. Missing files are told here, before anything starts.
fn with_whole_paths(machine: &Machine) -> Result<Machine> {
    let whole = |path: &PathBuf| fs::canonicalize(path).with_context(|| format!("cannot find {}", path.display()));
    let mut machine = machine.clone();
    machine.boot = match &machine.boot {
        Boot::Disc(path) => Boot::Disc(whole(path)?),
        Boot::Elf(path) => Boot::Elf(whole(path)?),
        Boot::Irx(path) => Boot::Irx(whole(path)?),
        Boot::NoDisc => Boot::NoDisc,
    };
    if let Some(own) = &mut machine.own {
        own.pcsx2 = whole(&own.pcsx2)?;
        own.bios = whole(&own.bios)?;
    }
    if let Sound::File(file) = &mut machine.sound {
        *file = std::path::absolute(&file)?;
    }
    Ok(machine)
}

/// Makes the card `file` reachable as `place`, and makes it at all when it is not there.
fn insert_card(file: &Path, place: &Path) -> Result<()> {
    let file = std::path::absolute(file)?;
    if !file.exists() {
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&file, card::formatted()).with_context(|| format!("cannot write {}", file.display()))?;
    }
    std::os::unix::fs::symlink(&file, place).with_context(|| format!("cannot insert {}", file.display()))
}

/// The plugins of a person's own emulator of the first generation.
fn plugin_folder(pcsx2: &Path) -> Result<PathBuf> {
    let beside = pcsx2.parent().map(|folder| folder.join("plugins"));
    let folders = beside.into_iter().chain(PLUGIN_FOLDERS.iter().map(PathBuf::from));
    folders
        .into_iter()
        .find(|folder| folder.join("libGSdx.so").is_file())
        .with_context(|| format!("{} has no plugins that we can find (libGSdx.so)", pcsx2.display()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_that_is_not_there_is_made_formatted_and_an_old_one_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (file, place) = (folder.path().join("saves/card.ps2"), folder.path().join("Mcd001.ps2"));
        insert_card(&file, &place).unwrap();
        assert_eq!(fs::metadata(&place).unwrap().len(), card::SIZE as u64);
        assert!(fs::read(&place).unwrap() == card::formatted());
        fs::write(&file, "played").unwrap();
        fs::remove_file(&place).unwrap();
        insert_card(&file, &place).unwrap();
        assert_eq!(fs::read_to_string(&place).unwrap(), "played");
    }

    #[test]
    fn a_missing_disc_is_told_before_anything_starts() {
        let machine = Machine::headless("rom.bin".into(), Boot::Disc("/nowhere/disc.iso".into()));
        let error = format!("{:#}", with_whole_paths(&machine).unwrap_err());
        assert!(error.contains("/nowhere/disc.iso"), "{error}");
    }

    #[test]
    fn settings_and_command_are_prepared_in_the_run_s_folder() {
        let folder = tempfile::tempdir().unwrap();
        let rom = folder.path().join("own.bin");
        fs::write(&rom, "rom").unwrap();
        let tree = EmulatorTree { root: PathBuf::from("/t") };
        let machine = Machine::headless(rom, Boot::NoDisc);
        let (command, _) = prepare(&machine, Some(&tree), folder.path()).unwrap();
        let home = folder.path().join("home/.config/PCSX2");
        assert_eq!(fs::read_to_string(home.join("bios/rom.bin")).unwrap(), "rom");
        assert!(fs::read_to_string(home.join("inis/PCSX2_ui.ini")).unwrap().contains("BIOS=/"));
        assert!(command.get_args().any(|argument| argument == "--nodisc"));
        let home = folder.path().join("home");
        assert!(command.get_envs().any(|(name, value)| name == "HOME" && value == Some(home.as_os_str())));
    }
}
