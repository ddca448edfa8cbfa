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

use crate::crash::recent::{KEPT, RecentEvents};
use crate::crash::short_code::{self, Subject};
use crate::crash::symbols::Names;
use crate::crash::unwind::{self, unwind};
use crate::crash::{Kind, Record, Report};
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
/// Where the text begins and ends, inside the title-safe area.
const LEFT: f32 = 46.0;
const TOP: f32 = 30.0;
/// Characters in a row of full-size and of small text.
const COLUMNS: usize = 43;
const SMALL_COLUMNS: usize = 66;
const SMALL: f32 = 0.65;
/// Space between letters that are lines: a little more than the atlas's.
const WIDEN: f32 = 1.15;
/// Places of the way that the screen has rows for.
const ROWS_OF_WAY: usize = 7;
/// Where the code stands, whatever there is to say above it, and where the screen ends.
const CODE_TOP: f32 = 354.0;
const BOTTOM: f32 = 448.0;
/// Rows of what the program said last.
const ROWS_OF_LINES: usize = 2;
/// Where the second of two events in a row begins, in characters.
const SECOND_COLUMN: usize = 33;
/// Characters of either.
const FIRST_WIDTH: usize = SECOND_COLUMN - 1;
const SECOND_WIDTH: usize = SMALL_COLUMNS - SECOND_COLUMN;
const REGISTERS_IN_A_ROW: usize = 5;
/// Groups of five letters, each with its blank, of the code.
const GROUPS_IN_A_ROW: usize = 4;
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
    /// The last lines that the program said.
    before: Recent,
    /// What happened last in the subsystems.
    events: RecentEvents,
    /// A button leads on.
    way_back: bool,
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
    let mut words = String::<256>::new();
    // Text that does not fit is cut: the beginning says the most.
    let _ = write!(words, "{}", info.message());
    let mut place = String::<96>::new();
    if let Some(location) = info.location() {
        let _ = write!(place, "{}:{}", location.file(), location.line());
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
        way_back: false,
    };
    encode(&mut story);
    print(&story, None);
    // The program may have set another mode; the kernel's calls do not tell which.
    display::take_over(VideoMode::Ntsc);
    draw(&story, None);
    display::show(&VideoOptions::new(VideoMode::Ntsc), FRAMES[0]);
    // A host's own programs would be lost with the IOP.
    let mut link = if FROM_HOST.load(Ordering::Relaxed) { None } else { names::start_iop() };
    let names = link.as_mut().and_then(names::read).and_then(Names::read);
    if let Some(names) = &names {
        let start = |address| names.find(address).map(|found| found.start);
        story.way = unwind(record, exceptions::code_range(), exceptions::word, start);
        encode(&mut story);
        print(&story, Some(names));
    }
    let pads = link.as_mut().and_then(restart::controllers);
    story.way_back = pads.is_some();
    draw(&story, names.as_ref());
    tty_println!("CRASH end");
    match pads {
        Some(pads) => restart::wait(&pads),
        None => halt(),
    }
}

fn encode(story: &mut Story) {
    let report = Report::new(story.kind, build(), &story.way, story.record.bad_address);
    story.code = short_code::encode(Subject::Crash, &report.pack());
}

/// One place of the way.
fn place_of(address: u32, names: Option<&Names>) -> String<SMALL_COLUMNS> {
    let mut text = String::new();
    let _ = write!(text, "{address:08x}");
    if let Some(found) = names.and_then(|names| names.find(address)) {
        let added = address - found.start;
        // Of a long name the end says more than the beginning.
        let room = SMALL_COLUMNS - 9 - 8;
        let cut = found.name.len().saturating_sub(room);
        let name = found.name.get(cut..).unwrap_or(found.name);
        let _ = write!(text, " {name}+{added:x}");
    }
    text
}

fn print(story: &Story, names: Option<&Names>) {
    if names.is_none() {
        for row in register_rows(story.record) {
            tty_println!("CRASH {row}");
        }
        for line in (0..KEPT).flat_map(|ago| story.events.lines(ago)) {
            tty_println!("CRASH event {line}");
        }
    }
    for address in &story.way {
        tty_println!("CRASH from {}", place_of(*address, names));
    }
    tty_println!("CRASH code {}", story.code);
}

/// Name and value of every register that tells something, a few to a row.
fn register_rows(record: &Record) -> impl Iterator<Item = String<SMALL_COLUMNS>> + '_ {
    const NAMES: [&str; 32] = [
        "zr", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "s0", "s1",
        "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra",
    ];
    const KERNELS: core::ops::RangeInclusive<usize> = 26..=27;
    let general = (1..32).filter(|index| !KERNELS.contains(index)).map(|index| (NAMES[index], record.general[index]));
    let others = [("st", record.status), ("ca", record.cause)];
    let mut all = general.chain(others);
    core::iter::from_fn(move || {
        let mut row = String::new();
        for (name, value) in all.by_ref().take(REGISTERS_IN_A_ROW) {
            let _ = write!(row, "{name} {value:08x}  ");
        }
        (!row.is_empty()).then_some(row)
    })
}

/// Rows of text from the top on.
struct Page {
    memory: [Line; PACKET_LINES],
    y: f32,
    /// What would begin below this is left out.
    bottom: f32,
}

impl Page {
    /// Writes one text, broken into as many rows as it takes but at most `most`.
    fn write(&mut self, text: &str, size: f32, most: usize, colour: Vec3) {
        let columns = if size < 1.0 { SMALL_COLUMNS } else { COLUMNS };
        if self.y + font::LINE_HEIGHT * size > self.bottom {
            return;
        }
        let colour: Rgbaq = colour::vertex(colour);
        let (mut column, mut rows) = (0, 1);
        for character in text.chars() {
            if character == '\n' || column == columns {
                if rows == most {
                    break;
                }
                rows += 1;
                column = 0;
                self.y += font::LINE_HEIGHT * size;
            }
            if character == '\n' {
                continue;
            }
            let at = (LEFT + column as f32 * font::ADVANCE * WIDEN * size, self.y);
            // One packet for each letter, as memory for more would have to be trusted.
            display::send(&mut self.memory, |packet: &mut Packet| {
                let mut canvas = Canvas::resume(packet);
                canvas.depth(Depth::Ignored);
                font::draw_strokes(&mut canvas, character, at, size, colour);
            });
            column += 1;
        }
        self.y += font::LINE_HEIGHT * size;
    }
}

fn draw(story: &Story, names: Option<&Names>) {
    let mut page = Page { memory: [Line::default(); PACKET_LINES], y: TOP, bottom: CODE_TOP };
    display::send(&mut page.memory, |packet| {
        let mut canvas = Canvas::begin(packet, FRAMES[0]);
        canvas.rect(Rect::PICTURE, colour::vertex(BACKGROUND));
    });
    page.write("BOARDWALK HAS STOPPED", 1.0, 1, HEADING);
    if !story.place.is_empty() {
        page.write(story.place, 1.0, 1, TEXT);
    }
    page.write(story.words, 1.0, 3, TEXT);
    page.y += 6.0;
    for address in story.way.iter().take(ROWS_OF_WAY) {
        page.write(&place_of(*address, names), SMALL, 1, TEXT);
    }
    page.y += 6.0;
    for row in register_rows(story.record) {
        page.write(&row, SMALL, 1, QUIET);
    }
    page.y += 6.0;
    let mut latest = story.events.lines(0);
    while let Some(first) = latest.next() {
        let mut row = String::<SMALL_COLUMNS>::new();
        let second = latest.next().unwrap_or_default();
        // What does not fit is cut.
        let _ = write!(row, "{first:<SECOND_COLUMN$.FIRST_WIDTH$}{second:.SECOND_WIDTH$}");
        page.write(&row, SMALL, 1, TEXT);
    }
    for line in last_lines(&story.before) {
        page.write(line, SMALL, 1, TEXT);
    }
    (page.y, page.bottom) = (CODE_TOP, BOTTOM);
    let told = if story.way_back {
        "SEND A PHOTOGRAPH, OR THIS CODE. START BEGINS ANEW."
    } else {
        "SEND A PHOTOGRAPH, OR THIS CODE:"
    };
    page.write(told, SMALL, 1, QUIET);
    // Groups are not torn.
    let (first, rest) = story.code.split_at_checked(GROUPS_IN_A_ROW * 6).unwrap_or((&story.code, ""));
    page.write(first, 1.0, 1, CODE);
    page.write(rest, 1.0, 1, CODE);
}

/// The last whole lines, oldest first.
fn last_lines(before: &Recent) -> impl Iterator<Item = &str> {
    let lines = before.split('\n').filter(|line| !line.is_empty());
    let count = lines.clone().count();
    // The oldest one may have lost its beginning.
    lines.skip(count.saturating_sub(ROWS_OF_LINES).max(usize::from(count > 1)))
}
