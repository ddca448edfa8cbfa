//! What the steps share: folders, toolchain, programs, ROMs, and a way to run the console. Each is made when first needed.

use crate::archive::ArchiveFile;
use crate::build::{self, Built, Program};
use crate::context::Context;
use crate::disc::{self, Content, DiscOptions};
use crate::emulator::{Boot, Button, Event, Machine, Mode, Renderer, Session, Wait};
use crate::iso::{self, DiscFile};
use crate::rom::{self, RomOptions};
use crate::setup::{self, Toolchain};
use anyhow::{Context as _, Result, bail};
use std::path::PathBuf;
use std::time::Duration;

/// Seconds a run may take unless its job says more: many times what it should.
const SECONDS: u64 = 90;

/// What the game's lines begin with where it stops and goes on.
const STOP: &str = "STOP ";
const GO: &str = "GO ";

/// How long a screen that should be lit may take to come up.
const LIT_PATIENCE: Duration = Duration::from_secs(10);
/// The brightest channel of what still counts as black.
const DARK: u8 = 24;

/// The shared state of one run of the tests.
pub struct Rig {
    /// The folders.
    pub context: Context,
    /// Parts of the names of the unit tests that are wanted; all when empty.
    pub host_filters: Vec<String>,
    /// Golden pictures are written instead of compared.
    pub bless: bool,
    toolchain: Option<Toolchain>,
    programs: Vec<Built>,
    content: Option<Content>,
}

/// What is in the drive.
#[derive(Debug, Clone)]
pub enum Boots {
    /// The game's disc.
    Game,
    /// An image that has been written already.
    Image(PathBuf),
    /// A disc with only these files.
    Files(Vec<DiscFile>),
    /// A program of the host's, as `run --elf` starts it.
    Elf(PathBuf),
    /// A module of the host's, as the emulator's own command line starts it.
    Irx(PathBuf),
    /// Nothing.
    NoDisc,
}

impl Boots {
    /// A disc with only these files.
    pub fn files<const N: usize>(files: [(&str, Vec<u8>); N]) -> Self {
        Self::Files(files.map(|(path, bytes)| DiscFile { path: path.into(), bytes }).into())
    }
}

/// One run of the console.
#[derive(Debug, Clone)]
pub struct Job {
    /// Names its files under `target/`.
    pub name: String,
    /// What is in the drive.
    pub boots: Boots,
    /// What the game is told.
    pub arguments: String,
    /// How the processors are emulated.
    pub mode: Mode,
    /// What draws inside the emulator.
    pub renderer: Renderer,
    /// Fill RAM with a pattern first.
    pub fill_ram: bool,
    /// A guest line with this in it ends the run.
    pub until: &'static str,
    /// How many such lines it takes.
    pub times: usize,
    /// After this many seconds it ends anyhow.
    pub seconds: u64,
    /// The files that stand for the cards in both slots.
    pub cards: [Option<PathBuf>; 2],
    /// What the pictures are called that are taken on the way, where the game stops (`stops=`) until START is pressed.
    pub stops: Vec<String>,
    /// The picture is taken when most of the screen is lit, for screens that come up after the line that tells of them.
    pub lit: bool,
}

impl Job {
    /// A run of the game as people boot it, until its end marker.
    pub fn new(name: &str, arguments: &str) -> Self {
        Self {
            name: name.to_owned(),
            boots: Boots::Game,
            arguments: arguments.to_owned(),
            mode: Mode::Recompiler,
            renderer: Renderer::default(),
            fill_ram: false,
            until: "BOARDWALK END",
            times: 1,
            seconds: SECONDS,
            cards: [None, None],
            stops: Vec::new(),
            lit: false,
        }
    }

    /// Stops every so many of the run's `frames` and takes a picture there, `NAME-001` and so on; never when `every` is 0.
    pub fn photographed(mut self, every: u32, frames: u32) -> Self {
        if let Some(pictures) = frames.checked_div(every) {
            self.stops = (1..=pictures).map(|picture| format!("{}-{picture:03}", self.name)).collect();
            self.arguments.push_str(&format!(" stops-every={every}"));
        }
        self
    }
}

/// What came of a run.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The guest's lines.
    pub lines: Vec<String>,
    /// What the emulator itself said.
    pub chatter: Vec<String>,
    /// The last picture.
    pub picture: Option<PathBuf>,
    /// The emulator ended by itself.
    pub died: bool,
    /// Seconds of real time.
    pub lasted: f64,
}

impl Seen {
    /// The last few lines, for messages.
    pub fn last_lines(&self) -> &[String] {
        &self.lines[self.lines.len().saturating_sub(5)..]
    }

    /// The emulator's last words, when it ended by itself.
    pub fn obituary(&self) -> String {
        if !self.died {
            return String::new();
        }
        let last = &self.chatter[self.chatter.len().saturating_sub(8)..];
        format!("; the emulator ended by itself and said: {}", last.join(" / "))
    }
}

impl Rig {
    /// A rig with nothing built.
    pub fn new(context: Context, bless: bool) -> Self {
        Self { context, host_filters: Vec::new(), bless, toolchain: None, programs: Vec::new(), content: None }
    }

    /// The console's toolchain.
    ///
    /// # Errors
    /// When none is there and none can be installed.
    pub fn toolchain(&mut self) -> Result<Toolchain> {
        match &self.toolchain {
            Some(found) => Ok(found.clone()),
            None => Ok(self.toolchain.insert(setup::toolchain(&self.context)?).clone()),
        }
    }

    /// Every program of the console, built and checked.
    ///
    /// # Errors
    /// A failed build or check.
    pub fn programs(&mut self) -> Result<&[Built]> {
        if self.programs.is_empty() {
            let toolchain = self.toolchain()?;
            let all = Program::ALL.into_iter().map(|program| build::program(&self.context, &toolchain, program));
            self.programs = all.collect::<Result<_>>()?;
        }
        Ok(&self.programs)
    }

    /// The boot ROM.
    ///
    /// # Errors
    /// A failed build, or programs that do not fit.
    pub fn rom(&mut self, options: RomOptions) -> Result<PathBuf> {
        let folder = self.folder()?;
        let bytes = rom::pack(self.programs()?, &[], options)?;
        let path = folder.join(if options.fill_ram { "rom-filled.bin" } else { "rom.bin" });
        rom::write(&path, &bytes)?;
        Ok(path)
    }

    /// The game's disc, told `arguments`, named `name`.
    ///
    /// # Errors
    /// A failed build or write.
    pub fn disc(&mut self, name: &str, arguments: &str) -> Result<disc::Disc> {
        self.disc_with(name, arguments, &[])
    }

    /// The game's disc with more files in its archive.
    ///
    /// # Errors
    /// A failed build or write.
    pub fn disc_with(&mut self, name: &str, arguments: &str, more: &[ArchiveFile]) -> Result<disc::Disc> {
        let options = DiscOptions { arguments: arguments.to_owned(), name: Some(format!("tests/{name}")) };
        self.content()?;
        let content = self.content.as_ref().context("the disc has no content")?;
        match more {
            [] => disc::write(&self.context, content, &options),
            more => disc::write(&self.context, &content.and(more)?, &options),
        }
    }

    /// What goes on every disc.
    ///
    /// # Errors
    /// A failed build.
    pub fn content(&mut self) -> Result<&Content> {
        if self.content.is_none() {
            let toolchain = self.toolchain()?;
            let game = self.built(Program::Game)?;
            self.content = Some(Content::gather(&self.context, &toolchain, &game)?);
        }
        self.content.as_ref().context("the disc has no content")
    }

    /// One of the programs.
    ///
    /// # Errors
    /// A failed build.
    pub fn built(&mut self, program: Program) -> Result<Built> {
        let built = self.programs()?.iter().find(|built| built.program == program).cloned();
        built.with_context(|| format!("{} has not been built", program.package()))
    }

    /// Makes the next disc gather its content anew.
    pub fn forget_content(&mut self) {
        self.content = None;
    }

    /// Runs the console until the job's line or its time.
    ///
    /// # Errors
    /// A failed build, or an emulator that cannot be started. A guest that fails is for the caller to judge.
    pub fn boot(&mut self, job: &Job) -> Result<Seen> {
        let rom = self.rom(RomOptions { fill_ram: job.fill_ram })?;
        let boot = match &job.boots {
            Boots::Game => Boot::Disc(self.disc(&job.name, &job.arguments)?.path),
            Boots::Image(path) => Boot::Disc(path.clone()),
            Boots::Elf(path) => Boot::Elf(path.clone()),
            Boots::Irx(path) => Boot::Irx(path.clone()),
            Boots::NoDisc => Boot::NoDisc,
            Boots::Files(files) => {
                let path = self.folder()?.join(format!("{}.iso", job.name));
                iso::write(&path, files)?;
                Boot::Disc(path)
            }
        };
        let machine = Machine {
            mode: job.mode,
            renderer: job.renderer,
            cards: job.cards.clone(),
            ..Machine::headless(rom, boot)
        };
        let mut session = Session::start(&self.context, &machine)?;
        let limit = Duration::from_secs(job.seconds);
        let mut lines = Vec::new();
        let mut alive = true;
        let mut missing = job.times;
        let mut stops = job.stops.iter().map(|name| self.picture_path(name));
        for old in stops.clone() {
            // There may be none.
            let _gone = std::fs::remove_file(old);
        }
        while missing > 0 && session.age() < limit {
            match session.next(limit.saturating_sub(session.age()))? {
                Event::Line(line) => {
                    missing -= usize::from(line.text.contains(job.until));
                    let stopped = line.text.starts_with(STOP);
                    lines.push(line.text);
                    if stopped && let Some(picture) = stops.next() {
                        session.screenshot(&picture)?;
                        go_on(&mut session, &mut lines)?;
                    }
                }
                Event::Ended => {
                    alive = false;
                    break;
                }
                Event::Quiet => {}
            }
        }
        let lasted = session.age().as_secs_f64();
        let picture = self.picture_path(&job.name);
        let picture = match alive {
            true => take_picture(&mut session, picture, job.lit)?,
            false => None,
        };
        let chatter = session.chatter().map(str::to_owned).collect();
        session.stop();
        Ok(Seen { lines, chatter, picture, died: !alive, lasted })
    }

    /// Where the picture of a run or of a stop is kept.
    pub fn picture_path(&self, name: &str) -> PathBuf {
        self.context.target.join("pictures").join(format!("{name}.png"))
    }

    fn folder(&self) -> Result<PathBuf> {
        let folder = self.context.target.join("tests");
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }
}

/// Presses START until the game says that it goes on; what it says meanwhile is kept.
fn go_on(session: &mut Session, lines: &mut Vec<String>) -> Result<()> {
    const TRIES: usize = 20;
    const HELD: Duration = Duration::from_millis(100);
    const ANSWER: Duration = Duration::from_millis(500);
    for _ in 0..TRIES {
        session.press(Button::Start, HELD)?;
        let mut goes = false;
        let heard = session.wait(ANSWER, |line| {
            lines.push(line.text.clone());
            goes = line.text.starts_with(GO);
            goes
        })?;
        if goes || heard == Wait::Ended {
            return Ok(());
        }
    }
    bail!("the game does not go on behind its stop; the last line was {:?}", lines.last())
}

/// The picture, taken again for a while when it should be lit and is not. None when there is nothing to see.
fn take_picture(session: &mut Session, path: PathBuf, lit: bool) -> Result<Option<PathBuf>> {
    let limit = session.age() + LIT_PATIENCE;
    loop {
        if session.screenshot(&path).is_err() {
            return Ok(None);
        }
        if !lit || session.age() > limit || is_lit(&path)? {
            return Ok(Some(path));
        }
    }
}

/// Whether most of a picture is not black.
pub fn is_lit(path: &std::path::Path) -> Result<bool> {
    let pixels = image::open(path)?.into_rgb8();
    let bright = pixels.pixels().filter(|pixel| pixel.0.iter().any(|&channel| channel > DARK)).count();
    Ok(bright * 2 > pixels.pixels().count())
}
