//! The crash screen's rows: what stands where, so that the longest story still fits.
//!
//! Everything but the way has a most; the way takes what room is left, and has [`LEAST_WAY`] rows of it in the longest story.
//! Nothing is left out in silence: [`lay_out`] counts what found no room, and the program says so on the console. Letters are
//! drawn by whoever calls.

use super::recent::RecentEvents;
use super::symbols::Names;
use super::{Record, WayBack};
use crate::graphics::font;
use core::fmt::Write as _;
use heapless::String;

/// Where the text begins and ends, inside the title-safe area.
pub const LEFT: f32 = 46.0;
const TOP: f32 = 30.0;
const BOTTOM: f32 = 427.0;
/// Space between letters that are lines: a little more than the atlas's.
pub const WIDEN: f32 = 1.15;
/// Sizes of the heading, of the rows and of the code.
const LARGE: f32 = 1.0;
const SMALL: f32 = 0.6;
const MIDDLE: f32 = 0.9;
/// Characters in a row of small text.
pub const COLUMNS: usize = 71;
/// Rows of a panic's words.
pub const ROWS_OF_WORDS: usize = 3;
/// Rows of the way that there is always room for.
pub const LEAST_WAY: usize = 5;
/// Rows of what the program said last.
pub const ROWS_OF_LINES: usize = 2;
/// Where the code stands, whatever there is to say above it.
const CODE_TOP: f32 = 390.0;
/// Between the way, the registers and what happened last.
const GAP: f32 = 6.0;
/// Small rows from the heading to the code.
const ROWS: usize = ((CODE_TOP - TOP - font::LINE_HEIGHT * LARGE - 3.0 * GAP) / (font::LINE_HEIGHT * SMALL)) as usize;
/// Where the second of two events in a row begins, in characters.
const SECOND_COLUMN: usize = 36;
/// Characters of either.
const FIRST_WIDTH: usize = SECOND_COLUMN - 1;
const SECOND_WIDTH: usize = COLUMNS - SECOND_COLUMN;
const REGISTERS_IN_A_ROW: usize = 6;
/// Groups of five letters, each with its blank, of the code.
const GROUPS_IN_A_ROW: usize = 8;

/// A row's text.
pub type Text = String<COLUMNS>;

/// Writes into a text what fits and cuts the rest: the beginning says the most.
#[derive(Debug)]
pub struct Cut<'a, const N: usize>(pub &'a mut String<N>);

impl<const N: usize> core::fmt::Write for Cut<'_, N> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        // The first character that does not fit ends it.
        text.chars().try_for_each(|character| self.0.push(character)).map_err(|_| core::fmt::Error)
    }
}

/// How a row is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// What it is all about.
    Heading,
    /// What tells the most.
    Plain,
    /// What only few read.
    Quiet,
    /// The code.
    Code,
}

/// A row as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<'a> {
    /// What it says.
    pub text: &'a str,
    /// Its upper edge, in lines.
    pub y: f32,
    /// The letters' size.
    pub size: f32,
    /// Its colour.
    pub tone: Tone,
}

/// What is told.
#[derive(Clone, Copy, Debug)]
pub struct Story<'a> {
    /// The panic's place, empty for an exception.
    pub place: &'a str,
    /// What happened.
    pub words: &'a str,
    /// The way that led there, innermost first.
    pub way: &'a [u32],
    /// The functions' names, when the disc has told them.
    pub names: Option<Names<'a>>,
    /// Registers.
    pub record: &'a Record,
    /// What happened last in the subsystems.
    pub events: &'a RecentEvents,
    /// What the program said last.
    pub before: &'a str,
    /// What a button does.
    pub way_back: WayBack,
    /// The short code.
    pub code: &'a str,
}

/// What came of the laying out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows on the screen.
    pub rows: usize,
    /// Rows that found no room, the way's outer places not among them.
    pub left_out: usize,
    /// Places of the way on the screen.
    pub places: usize,
}

/// Rows from the top on.
struct Page<P> {
    put: P,
    y: f32,
    /// What would end below this is left out.
    bottom: f32,
    tally: Tally,
}

impl<P: FnMut(Row<'_>)> Page<P> {
    fn row(&mut self, text: &str, size: f32, tone: Tone) {
        let end = self.y + font::LINE_HEIGHT * size;
        if end > self.bottom {
            self.tally.left_out += 1;
            return;
        }
        (self.put)(Row { text, y: self.y, size, tone });
        self.y = end;
        self.tally.rows += 1;
    }
}

/// Hands every row of the screen to `put`, from the top on.
pub fn lay_out(story: &Story<'_>, put: impl FnMut(Row<'_>)) -> Tally {
    let mut page = Page { put, y: TOP, bottom: CODE_TOP, tally: Tally::default() };
    page.row("BOARDWALK HAS STOPPED", LARGE, Tone::Heading);
    if !story.place.is_empty() {
        page.row(end_of(story.place, COLUMNS), SMALL, Tone::Plain);
    }
    for row in broken(story.words).take(ROWS_OF_WORDS) {
        page.row(row, SMALL, Tone::Plain);
    }
    page.tally.left_out += broken(story.words).skip(ROWS_OF_WORDS).count();
    page.y += GAP;
    for address in story.way.iter().take(room_for_way(story)) {
        page.row(&place_of(*address, story.names.as_ref()), SMALL, Tone::Plain);
        page.tally.places += 1;
    }
    page.y += GAP;
    for row in register_rows(story.record) {
        page.row(&row, SMALL, Tone::Quiet);
    }
    page.y += GAP;
    let mut latest = story.events.lines(0);
    while let Some(first) = latest.next() {
        let second = latest.next().unwrap_or_default();
        let mut row = Text::new();
        // What does not fit is cut.
        let _ = write!(row, "{first:<SECOND_COLUMN$.FIRST_WIDTH$}{second:.SECOND_WIDTH$}");
        page.row(&row, SMALL, Tone::Plain);
    }
    for line in last_lines(story.before) {
        page.row(beginning_of(line, COLUMNS), SMALL, Tone::Plain);
    }
    (page.y, page.bottom) = (CODE_TOP, BOTTOM);
    page.row(story.way_back.words(), SMALL, Tone::Quiet);
    // Groups are not torn.
    let mut rest = story.code;
    while !rest.is_empty() {
        let (row, behind) = rest.split_at_checked(GROUPS_IN_A_ROW * 6).unwrap_or((rest, ""));
        page.row(row, MIDDLE, Tone::Code);
        rest = behind;
    }
    page.tally
}

/// Rows that everything else leaves for the way.
fn room_for_way(story: &Story<'_>) -> usize {
    let words = broken(story.words).count().min(ROWS_OF_WORDS);
    let others = usize::from(!story.place.is_empty())
        + words
        + register_rows(story.record).count()
        + story.events.lines(0).count().div_ceil(2)
        + last_lines(story.before).count();
    ROWS.saturating_sub(others)
}

/// A text's rows: one for each of its lines, and more for lines that are too long.
fn broken(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| {
        let mut rest = Some(line);
        core::iter::from_fn(move || {
            let text = rest?;
            let row = beginning_of(text, COLUMNS);
            rest = text.get(row.len()..).filter(|behind| !behind.is_empty());
            Some(row)
        })
    })
}

/// So many characters of a text's beginning.
fn beginning_of(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// So many characters of a text's end: of a long path or name it says more than the beginning.
fn end_of(text: &str, most: usize) -> &str {
    let first = most.checked_sub(1).and_then(|before| text.char_indices().nth_back(before));
    first.and_then(|(at, _)| text.get(at..)).unwrap_or(text)
}

/// One place of the way.
pub fn place_of(address: u32, names: Option<&Names<'_>>) -> Text {
    /// Address and blank, and what follows the name.
    const BESIDES: usize = 9 + 8;
    let mut text = Text::new();
    let _ = write!(text, "{address:08x}");
    if let Some(found) = names.and_then(|names| names.find(address)) {
        let added = address - found.start;
        let _ = write!(text, " {}+{added:x}", end_of(found.name, COLUMNS - BESIDES));
    }
    text
}

/// Name and value of every register that tells something, a few to a row.
pub fn register_rows(record: &Record) -> impl Iterator<Item = Text> + '_ {
    const NAMES: [&str; 32] = [
        "zr", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "s0", "s1",
        "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra",
    ];
    const KERNELS: core::ops::RangeInclusive<usize> = 26..=27;
    let general = (1..32).filter(|index| !KERNELS.contains(index)).map(|index| (NAMES[index], record.general[index]));
    let others = [("st", record.status), ("ca", record.cause)];
    let mut all = general.chain(others);
    core::iter::from_fn(move || {
        let mut row = Text::new();
        for (index, (name, value)) in all.by_ref().take(REGISTERS_IN_A_ROW).enumerate() {
            let blank = if index == 0 { "" } else { " " };
            let _ = write!(row, "{blank}{name} {value:08x}");
        }
        (!row.is_empty()).then_some(row)
    })
}

/// The last whole lines, oldest first.
fn last_lines(before: &str) -> impl Iterator<Item = &str> {
    let lines = before.split('\n').filter(|line| !line.is_empty());
    let count = lines.clone().count();
    // The oldest one may have lost its beginning.
    lines.skip(count.saturating_sub(ROWS_OF_LINES).max(usize::from(count > 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crash::unwind::DEPTH;
    use crate::crash::{Kind, Report, short_code};
    use crate::overlay::{Events, Subsystem};
    use std::string::String;
    use std::vec::Vec;

    /// An event of every subsystem.
    fn full_events() -> RecentEvents {
        let mut events = Events::default();
        for subsystem in Subsystem::ALL {
            events.set_frame(99_999);
            events.note(subsystem, "SOMETHING OF A LENGTH", [1_000_000, -1_000_000]);
        }
        RecentEvents::of(&events)
    }

    struct Drawn {
        rows: Vec<(String, f32, f32, Tone)>,
        tally: Tally,
    }

    fn drawn(place: &str, words: &str) -> Drawn {
        let way: Vec<u32> = (0..DEPTH as u32).map(|place| 0x0010_0000 + 4 * place).collect();
        let report = Report::new(Kind::Panic, 0xBEEF, &way, 0);
        let code = short_code::encode(short_code::Subject::Crash, &report.pack());
        let story = Story {
            place,
            words,
            way: &way,
            names: None,
            record: &Record::EMPTY,
            events: &full_events(),
            before: "cut off\nthe line before the last\nthe last line\n",
            way_back: WayBack::Browser,
            code: &code,
        };
        let mut rows = Vec::new();
        let tally = lay_out(&story, |row| rows.push((row.text.into(), row.y, row.size, row.tone)));
        Drawn { rows, tally }
    }

    #[test]
    fn the_longest_story_leaves_nothing_out() {
        let words = "w".repeat(COLUMNS * ROWS_OF_WORDS);
        let Drawn { rows, tally } = drawn("src/somewhere/in/the/program.rs:1234", &words);
        assert_eq!((tally.left_out, tally.rows), (0, rows.len()), "{rows:#?}");
        assert!(tally.places >= LEAST_WAY, "{tally:?}");
        let all = rows.iter().map(|(text, ..)| text.as_str()).collect::<Vec<_>>().join("\n");
        for told in ["st 0", "ca 0", "the line before the last", "the last line", "ra 0", WayBack::Browser.words()] {
            assert!(all.contains(told), "{told} in {all}");
        }
        assert!(Subsystem::ALL.into_iter().all(|subsystem| all.contains(subsystem.name())), "{all}");
        assert!(!all.contains("cut off"), "{all}");
        let ends = rows.iter().map(|(_, y, size, _)| y + font::LINE_HEIGHT * size).collect::<Vec<_>>();
        assert!(ends.is_sorted() && ends.last().is_some_and(|end| *end <= BOTTOM), "{ends:?}");
        assert!(rows.windows(2).all(|pair| pair[1].1 >= pair[0].1 + font::LINE_HEIGHT * pair[0].2 - 0.01));
    }

    #[test]
    fn every_row_ends_on_the_screen() {
        const RIGHT: f32 = 640.0 - LEFT;
        let Drawn { rows, .. } = drawn(&"p".repeat(90), "two\nrows");
        for (text, _, size, _) in rows {
            let end = LEFT + text.chars().count() as f32 * font::ADVANCE * WIDEN * size;
            assert!(end <= RIGHT, "{text} ends at {end}");
        }
    }

    #[test]
    fn a_short_story_shows_more_of_the_way() {
        let (long, short) = (drawn("a.rs:1", "one\ntwo\nthree"), drawn("", "breakpoint"));
        assert_eq!(short.tally.places, long.tally.places + 3);
        assert_eq!((long.tally.left_out, short.tally.left_out), (0, 0));
    }

    #[test]
    fn words_beyond_their_rows_are_counted() {
        assert_eq!(drawn("a.rs:1", "1\n2\n3\n4\n5").tally.left_out, 2);
    }

    #[test]
    fn of_a_long_place_the_line_is_kept() {
        let place = std::format!("{}/file.rs:77", "folder/".repeat(20));
        let Drawn { rows, .. } = drawn(&place, "words");
        assert!(rows[1].0.ends_with("/file.rs:77") && rows[1].0.len() == COLUMNS, "{}", rows[1].0);
    }

    #[test]
    fn what_does_not_fit_is_cut_and_not_lost_whole() {
        let mut text = heapless::String::<4>::new();
        assert!(write!(Cut(&mut text), "ab{}", "cdef".repeat(2)).is_err());
        assert_eq!(text, "abcd");
    }

    #[test]
    fn texts_are_broken_between_characters() {
        let text = "ä".repeat(COLUMNS + 1);
        assert_eq!(broken(&text).map(|row| row.chars().count()).collect::<Vec<_>>(), [COLUMNS, 1]);
        assert_eq!(broken("a\n\nb").collect::<Vec<_>>(), ["a", "", "b"]);
        assert_eq!((end_of("name", 2), end_of("name", 9), beginning_of("name", 2)), ("me", "name", "na"));
    }
}
