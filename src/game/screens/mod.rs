//! What a screen without a world says, as data, and how it is drawn.
//!
//! A [`Screen`] is filled by whoever owns its contents (menus, the card, the legal text) and drawn by [`draw`]; a test
//! reads the same value. Text is at least sixteen lines high and stays within the title-safe part of the picture, so that it
//! can be read on a television from three metres.

use crate::ee::gs::general::Rgbaq;
use crate::graphics::canvas::{Canvas, Rect};
use crate::graphics::colour::{self, rgb};
use crate::graphics::font::{Face, LINE_HEIGHT};
use crate::maths::Vec3;
use core::fmt;
use heapless::{String, Vec};

/// Most rows of a screen.
pub const MOST_ROWS: usize = 16;
/// Most lines of running text.
pub const MOST_LINES: usize = 8;
/// Most notes under the list.
pub const MOST_NOTES: usize = 3;
/// Rows that fit one below the other.
pub const ROWS_ON_SCREEN: u8 = 7;

/// What stands behind the words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backdrop {
    /// Nothing.
    #[default]
    Dark,
    /// The boardwalk at night, in full: the title.
    Title,
    /// The boardwalk at night, dimmed.
    Night,
    /// The level as it stands.
    World,
}

/// One line of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// On the left.
    pub label: String<32>,
    /// On the right.
    pub value: String<24>,
    /// Can be chosen.
    pub enabled: bool,
}

/// A screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Screen {
    /// What stands behind.
    pub backdrop: Backdrop,
    /// Over everything.
    pub heading: String<40>,
    /// Running text under the heading.
    pub lines: Vec<String<56>, MOST_LINES>,
    /// The list.
    pub rows: Vec<Row, MOST_ROWS>,
    /// The chosen row of the list.
    pub cursor: Option<u8>,
    /// The first row that is shown.
    pub first_row: u8,
    /// What the chosen row means, under the list.
    pub notes: Vec<String<56>, MOST_NOTES>,
    /// What the buttons do.
    pub foot: String<56>,
    /// How far something is, 0 to 1: a bar over the foot.
    pub bar: Option<f32>,
    /// How dark the picture is, 0 to 1: for fades.
    pub dark: f32,
}

/// Writes into a fixed text; what does not fit is cut.
fn written<const N: usize>(text: fmt::Arguments<'_>) -> String<N> {
    /// Keeps what fits.
    struct Cut<'a, const N: usize>(&'a mut String<N>);
    impl<const N: usize> fmt::Write for Cut<'_, N> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            text.chars().try_for_each(|c| self.0.push(c)).map_err(|_| fmt::Error)
        }
    }
    let mut string = String::new();
    // An error says that the text was cut, which is what is wanted.
    let _cut = fmt::write(&mut Cut(&mut string), text);
    string
}

impl Screen {
    /// A screen with a heading.
    pub fn new(backdrop: Backdrop, heading: &str) -> Self {
        Self { backdrop, heading: written(format_args!("{heading}")), ..Self::default() }
    }

    /// The title's list.
    pub fn front_page() -> Self {
        let mut screen = Self::new(Backdrop::Title, "BOARDWALK");
        for label in ["PLAY", "ARENA", "OPTIONS", "STATISTICS", "SAVE", "LEAVE"] {
            screen.row(label, format_args!(""), true);
        }
        screen
    }

    /// Adds a line of running text; one too many is dropped.
    pub fn line(&mut self, text: fmt::Arguments<'_>) {
        let _full = self.lines.push(written(text));
    }

    /// Adds a row; one too many is dropped.
    pub fn row(&mut self, label: &str, value: fmt::Arguments<'_>, enabled: bool) {
        let row = Row { label: written(format_args!("{label}")), value: written(value), enabled };
        let _full = self.rows.push(row);
    }

    /// Adds a note; one too many is dropped.
    pub fn note(&mut self, text: &str) {
        let _full = self.notes.push(written(format_args!("{text}")));
    }

    /// Sets what the buttons do.
    pub fn foot(&mut self, text: &str) {
        self.foot = written(format_args!("{text}"));
    }
}

impl fmt::Display for Screen {
    /// The screen as text: heading, lines, rows with the cursor's marked, notes, foot.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[{}]", self.heading)?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        for (index, row) in self.rows.iter().enumerate() {
            let mark = if self.cursor == Some(index as u8) { '>' } else { ' ' };
            let lock = if row.enabled { "" } else { " (locked)" };
            writeln!(f, "{mark} {} {}{lock}", row.label, row.value)?;
        }
        for note in &self.notes {
            writeln!(f, "{note}")?;
        }
        writeln!(f, "{}", self.foot)
    }
}

/// Left and right edges of the words, in pixels.
const LEFT: f32 = 84.0;
const RIGHT: f32 = 556.0;
/// Sizes of text: heading, list, running text.
const HEADING: f32 = 1.7;
const LIST: f32 = 1.2;
const TEXT: f32 = 1.0;
/// Lines from one row to the next.
const ROW_STEP: f32 = 34.0;
/// Where the words begin: on a page of its own, and under the title's sign.
const PAGE_TOP: f32 = 46.0;
const TITLE_TOP: f32 = 206.0;
/// The foot's line, alone and under notes, and the first note's.
const FOOT: [f32; 2] = [396.0, 412.0];
const NOTES: f32 = 352.0;
/// Lines from one note to the next.
const NOTE_STEP: f32 = 20.0;
/// The bar over the foot.
const BAR_TOP: f32 = 380.0;
const BAR_HEIGHT: f32 = 6.0;

const WARM: Vec3 = rgb(255, 226, 178);
const PLAIN: Vec3 = rgb(206, 212, 232);
const LOCKED: Vec3 = rgb(112, 118, 142);
const BAR: Vec3 = rgb(255, 150, 60);
/// What the picture is darkened with.
pub const SHADOW: Vec3 = rgb(6, 6, 18);

fn solid(colour: Vec3) -> Rgbaq {
    colour::tint(colour, 1.0)
}

/// Draws a screen's words over what is on the canvas already.
pub fn draw(canvas: &mut Canvas, face: &Face, screen: &Screen) {
    let title = screen.backdrop == Backdrop::Title;
    match screen.backdrop {
        Backdrop::Dark => canvas.vertical_gradient(
            Rect::PICTURE,
            colour::with_alpha(rgb(10, 10, 26), 1.0),
            colour::with_alpha(rgb(24, 20, 40), 1.0),
        ),
        Backdrop::Night => canvas.shade(Rect::PICTURE, colour::with_alpha(SHADOW, 0.72)),
        // The world is dimmed by its viewports' screen effects.
        Backdrop::World | Backdrop::Title => {}
    }
    let mut y = if title { TITLE_TOP } else { PAGE_TOP };
    if !screen.heading.is_empty() && !title {
        face.draw(canvas, &screen.heading, LEFT, y, HEADING, solid(WARM));
        let rule = y + LINE_HEIGHT * HEADING + 4.0;
        canvas.shade(Rect::new(LEFT, rule, RIGHT, rule + 2.0), colour::with_alpha(BAR, 0.8));
        y = rule + 18.0;
    }
    for line in &screen.lines {
        face.draw(canvas, line, LEFT, y, TEXT, solid(PLAIN));
        y += LINE_HEIGHT * TEXT + 6.0;
    }
    if !screen.lines.is_empty() {
        y += 10.0;
    }
    rows(canvas, face, screen, y, title);
    let mut y = NOTES;
    for note in &screen.notes {
        face.draw_centred(canvas, note, 320.0, y, TEXT, solid(WARM));
        y += NOTE_STEP;
    }
    if !screen.foot.is_empty() {
        let y = FOOT[usize::from(!screen.notes.is_empty())];
        face.draw_centred(canvas, &screen.foot, 320.0, y, TEXT, solid(PLAIN * 0.85));
    }
    if let Some(bar) = screen.bar {
        canvas.shade(Rect::new(LEFT, BAR_TOP, RIGHT, BAR_TOP + BAR_HEIGHT), colour::with_alpha(SHADOW, 0.6));
        let end = LEFT + (RIGHT - LEFT) * bar.clamp(0.0, 1.0);
        canvas.shade(Rect::new(LEFT, BAR_TOP, end, BAR_TOP + BAR_HEIGHT), colour::with_alpha(BAR, 0.8));
    }
    if screen.dark > 0.0 {
        canvas.shade(Rect::PICTURE, colour::with_alpha(Vec3::ZERO, screen.dark.min(1.0)));
    }
}

/// Draws the list from `y` down; the title's is narrow and centred on a veil of its own.
fn rows(canvas: &mut Canvas, face: &Face, screen: &Screen, y: f32, title: bool) {
    let first = usize::from(screen.first_row);
    let shown = screen.rows.iter().enumerate().skip(first).take(usize::from(ROWS_ON_SCREEN));
    if title && !screen.rows.is_empty() {
        let height = screen.rows.len().min(usize::from(ROWS_ON_SCREEN)) as f32 * ROW_STEP;
        canvas.shade(Rect::new(196.0, y - 8.0, 444.0, y + height + 4.0), colour::with_alpha(SHADOW, 0.55));
    }
    let hidden = screen.rows.len().saturating_sub(usize::from(ROWS_ON_SCREEN));
    if hidden > 0 {
        // How much of the list there is, and where in it this is.
        let (count, height) = (screen.rows.len() as f32, f32::from(ROWS_ON_SCREEN) * ROW_STEP - 8.0);
        let (top, part) = (y + first as f32 / count * height, f32::from(ROWS_ON_SCREEN) / count * height);
        let bar = |from: f32, to: f32| Rect::new(RIGHT + 22.0, from, RIGHT + 26.0, to);
        canvas.shade(bar(y, y + height), colour::with_alpha(SHADOW, 0.6));
        canvas.shade(bar(top, top + part), colour::with_alpha(BAR, 0.8));
    }
    for (line, (index, row)) in shown.enumerate() {
        let y = y + line as f32 * ROW_STEP;
        let chosen = screen.cursor == Some(index as u8);
        if chosen {
            let (left, right) = if title { (204.0, 436.0) } else { (LEFT - 14.0, RIGHT + 14.0) };
            canvas.shade(Rect::new(left, y - 3.0, right, y + ROW_STEP - 5.0), colour::with_alpha(BAR, 0.62));
        }
        let colour = solid(match (row.enabled, chosen) {
            (false, _) => LOCKED,
            (true, true) => rgb(255, 250, 238),
            (true, false) => PLAIN,
        });
        if title {
            face.draw_centred(canvas, &row.label, 320.0, y, LIST, colour);
        } else {
            face.draw(canvas, &row.label, LEFT, y, LIST, colour);
            face.draw(canvas, &row.value, RIGHT - Face::width(&row.value, LIST), y, LIST, colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn a_screen_reads_as_text() {
        let mut screen = Screen::new(Backdrop::Night, "OPTIONS");
        screen.row("MUSIC", format_args!("{}", 7), true);
        screen.row("BRUTAL", format_args!(""), false);
        screen.cursor = Some(1);
        screen.foot("CROSS CHOOSES");
        assert_eq!(screen.to_string(), "[OPTIONS]\n  MUSIC 7\n> BRUTAL  (locked)\nCROSS CHOOSES\n");
    }

    #[test]
    fn words_that_do_not_fit_are_cut() {
        let mut screen = Screen::new(Backdrop::Dark, &"W".repeat(99));
        for number in 0..MOST_ROWS + 3 {
            screen.row("ROW", format_args!("{number}"), true);
        }
        assert_eq!((screen.heading.len(), screen.rows.len()), (40, MOST_ROWS));
    }
}
