//! The end of a program that cannot go on: what happened and where, on the console and on the screen.
//!
//! Panics and the processor's exceptions both come here. It works from any state of the program: it allocates nothing, trusts nothing
//! that was set up before, resets the drawing hardware and draws the letters' strokes as lines, so that no texture has to be
//! there. Once the first picture stands, the IOP is started anew to read the functions' names from the disc; when that
//! fails the addresses stay what they are. Source: support systems, Error handling; console rules 3 and 7.

mod events;
mod names;
mod restart;

pub use events::keep as keep_events;

use crate::crash::page::{self, Cut, Row, Tally, Tone};
use crate::crash::recent::{KEPT, RecentEvents};
use crate::crash::short_code::{self, Subject};
use crate::crash::symbols::Names;
use crate::crash::unwind::{self, unwind};
use crate::crash::{Kind, Record, Report, WayBack};
use crate::ee::gif::{Line, Packet};
use crate::ee::gs::general::Rgbaq;
use crate::ee::gs::memory::FRAMES;
use crate::ee::tty::{self, Recent};
use crate::ee::video::{VideoMode, VideoOptions};
use crate::ee::{critical, display, exceptions};
use crate::file_io::name::crc32;
use crate::graphics::canvas::{Canvas, Depth, Rect};
use crate::graphics::colour::{self, rgb};
use crate::graphics::font;
use crate::maths::Vec3;
use crate::tty_println;
use core::ffi::CStr;
use core::fmt::Write;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};
use heapless::{String, Vec};

/// Cache lines of a packet: enough for the picture's registers and for any letter.
const PACKET_LINES: usize = 32;
const BACKGROUND: Vec3 = rgb(18, 20, 52);
const HEADING: Vec3 = rgb(255, 120, 96);
const TEXT: Vec3 = rgb(226, 228, 240);
const QUIET: Vec3 = rgb(150, 156, 190);
const CODE: Vec3 = rgb(255, 214, 120);

/// What is told.
struct Story<'a> {
    record: &'a Record,
    kind: Kind,
    /// The panic's place and words; empty for an exception.
    place: &'a str,
    words: &'a str,
    way: Vec<u32, { unwind::DEPTH }>,
    code: String<{ short_code::MOST_TEXT }>,
    /// The functions' names, once the disc has told them.
    names: Option<Names<'static>>,
    /// The last lines that the program said.
    before: Recent,
    /// What happened last in the subsystems.
    events: RecentEvents,
    /// What a button does.
    way_back: WayBack,
}

/// A story is being told; whatever goes wrong meanwhile must not begin another.
static TELLING: AtomicBool = AtomicBool::new(false);

/// Ends here for good when a story is being told already; else what the program said before.
fn begin_telling() -> Recent {
    if TELLING.load(Ordering::Relaxed) {
        tty_println!("CRASH again: nothing more can be told");
        halt();
    }
    TELLING.store(true, Ordering::Relaxed);
    tty::recent()
}

fn halt() -> ! {
    let _held = critical::enter();
    loop {
        core::hint::spin_loop();
    }
}

/// Reports a panic and stops.
#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    let record = exceptions::here();
    let _held = critical::enter();
    let before = begin_telling();
    let mut words = String::<{ page::COLUMNS * page::ROWS_OF_WORDS }>::new();
    // Text that does not fit is cut: the beginning says the most.
    let _ = write!(Cut(&mut words), "{}", info.message());
    let mut place = String::<192>::new();
    if let Some(location) = info.location() {
        let _ = write!(Cut(&mut place), "{}:{}", location.file(), location.line());
    }
    tty_println!("BOARDWALK END failed: panic {place}: {words}");
    tell(&record, Kind::Panic, &place, &words, before)
}

/// Whether a host on the network started the program.
static FROM_HOST: AtomicBool = AtomicBool::new(false);

/// Lets every exception end on the crash screen, which starts the program at `path` anew. False when the kernel keeps some
/// exceptions for itself.
pub(super) fn watch(from_host: bool, path: Option<&'static CStr>) -> bool {
    restart::remember(path);
    FROM_HOST.store(from_host, Ordering::Relaxed);
    exceptions::install(exception)
}

/// Reports an exception of the processor and stops.
fn exception(record: &Record) -> ! {
    let _held = critical::enter();
    let before = begin_telling();
    let kind = record.kind();
    let mut words = String::<48>::new();
    let _ = write!(words, "{kind}");
    if kind.has_address() {
        let _ = write!(words, " {:08x}", record.bad_address);
    }
    tty_println!("BOARDWALK END failed: exception at {:08x}: {words}", record.at());
    tell(record, kind, "", &words, before)
}

/// Tells a code of this program from others', and a broken one from a whole.
fn build() -> u16 {
    crc32(exceptions::code()) as u16
}

/// Shows what happened, then again with names once the disc has told them.
fn tell(record: &Record, kind: Kind, place: &str, words: &str, before: Recent) -> ! {
    let mut story = Story {
        record,
        kind,
        place,
        words,
        way: unwind(record, exceptions::code_range(), exceptions::word, |_| None),
        code: String::new(),
        before,
        events: events::recent(),
        names: None,
        way_back: WayBack::None,
    };
    encode(&mut story);
    print(&story);
    let video = readable(display::chosen());
    tty_println!("CRASH shown with {}", video.mode.name());
    display::take_over(video.mode);
    draw(&story);
    display::show(&video, FRAMES[0]);
    // A host's own programs would be lost with the IOP.
    let is_hosts = FROM_HOST.load(Ordering::Relaxed);
    let mut link = if is_hosts { None } else { names::start_iop() };
    story.names = link.as_mut().and_then(names::read).and_then(Names::read);
    if let Some(names) = story.names {
        let start = |address| names.find(address).map(|found| found.start);
        story.way = unwind(record, exceptions::code_range(), exceptions::word, start);
        encode(&mut story);
        print(&story);
    }
    let pads = link.as_mut().and_then(restart::controllers);
    let program = link.as_mut().and_then(restart::program);
    story.way_back = match (&pads, program) {
        _ if is_hosts => WayBack::Host,
        (None, _) => WayBack::None,
        (Some(_), Some(_)) => WayBack::Anew,
        (Some(_), None) => WayBack::Browser,
    };
    let tally = draw(&story);
    tty_println!(
        "CRASH screen rows {} left out {} way {} of {}",
        tally.rows,
        tally.left_out,
        tally.places,
        story.way.len()
    );
    tty_println!("CRASH told {}", story.way_back.words());
    tty_println!("CRASH end");
    match pads {
        Some(pads) => restart::wait(&pads, program),
        None => halt(),
    }
}

/// The picture that the crash screen has, after the one that the program had.
///
/// Our choice: 50 Hz stay 50 Hz, as some screens know nothing else, and the picture stays where it was moved to. 480p becomes 60 Hz,
/// which every screen shows that takes 480p: it may have been on trial.
fn readable(before: VideoOptions) -> VideoOptions {
    let mode = match before.mode {
        VideoMode::Pal => VideoMode::Pal,
        VideoMode::Ntsc | VideoMode::Progressive => VideoMode::Ntsc,
    };
    VideoOptions { shift: before.shift, ..VideoOptions::new(mode) }
}

fn encode(story: &mut Story) {
    let report = Report::new(story.kind, build(), &story.way, story.record.bad_address);
    story.code = short_code::encode(Subject::Crash, &report.pack());
}

fn print(story: &Story) {
    if story.names.is_none() {
        for row in page::register_rows(story.record) {
            tty_println!("CRASH {row}");
        }
        for line in (0..KEPT).flat_map(|ago| story.events.lines(ago)) {
            tty_println!("CRASH event {line}");
        }
    }
    for address in &story.way {
        tty_println!("CRASH from {}", page::place_of(*address, story.names.as_ref()));
    }
    tty_println!("CRASH code {}", story.code);
}

/// A row's colour.
const fn colour_of(tone: Tone) -> Vec3 {
    match tone {
        Tone::Heading => HEADING,
        Tone::Plain => TEXT,
        Tone::Quiet => QUIET,
        Tone::Code => CODE,
    }
}

fn draw(story: &Story) -> Tally {
    let mut memory = [Line::default(); PACKET_LINES];
    display::send(&mut memory, |packet| {
        let mut canvas = Canvas::begin(packet, FRAMES[0]);
        canvas.rect(Rect::PICTURE, colour::vertex(BACKGROUND));
    });
    let told = page::Story {
        place: story.place,
        words: story.words,
        way: &story.way,
        names: story.names,
        record: story.record,
        events: &story.events,
        before: &story.before,
        way_back: story.way_back,
        code: &story.code,
    };
    page::lay_out(&told, |row| write(&mut memory, row))
}

fn write(memory: &mut [Line; PACKET_LINES], row: Row<'_>) {
    let colour: Rgbaq = colour::vertex(colour_of(row.tone));
    for (column, character) in row.text.chars().enumerate() {
        let at = (page::LEFT + column as f32 * font::ADVANCE * page::WIDEN * row.size, row.y);
        // One packet for each letter, as memory for more would have to be trusted.
        display::send(memory, |packet: &mut Packet| {
            let mut canvas = Canvas::resume(packet);
            canvas.depth(Depth::Ignored);
            font::draw_strokes(&mut canvas, character, at, row.size, colour);
        });
    }
}
