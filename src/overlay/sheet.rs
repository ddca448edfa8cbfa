//! The overlay's sheet: a fixed grid of characters that pages write and the screen shows.
//!
//! A page writes rows of text, fields and bars; nothing here knows the screen, so a page's content is tested as text on the
//! host. Text beyond the right edge is cut and rows beyond the foot are dropped, both counted.

use core::fmt::{self, Write};

/// Characters in a row: what fits the title-safe width at full size.
pub const COLUMNS: usize = 52;
/// Rows of a page: what fits the title-safe height.
pub const ROWS: usize = 20;
/// Bars of a page.
const BARS: usize = 48;

/// What a text means, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ink {
    /// A figure.
    #[default]
    Plain,
    /// What names a figure.
    Dim,
    /// A heading.
    Title,
    /// As it should be.
    Good,
    /// Worth a look.
    Warn,
    /// Wrong.
    Bad,
    /// What the pad's cursor is on.
    Chosen,
}

/// A bar over a part of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bar {
    /// Its row.
    pub row: u8,
    /// Its first column.
    pub column: u8,
    /// Columns of the whole.
    pub columns: u8,
    /// How much is filled, of `[0, 1]`.
    pub share: f32,
    /// A mark at a share of its own, as for a most that was reached.
    pub mark: Option<f32>,
    /// The colour of what is filled.
    pub ink: Ink,
}

/// The grid.
pub struct Sheet {
    cells: [[u8; COLUMNS]; ROWS],
    inks: [[Ink; COLUMNS]; ROWS],
    bars: heapless::Vec<Bar, BARS>,
    row: usize,
    column: usize,
    ink: Ink,
    /// Characters that found no room.
    cut: u32,
}

impl Default for Sheet {
    fn default() -> Self {
        Self {
            cells: [[b' '; COLUMNS]; ROWS],
            inks: [[Ink::Plain; COLUMNS]; ROWS],
            bars: heapless::Vec::new(),
            row: 0,
            column: 0,
            ink: Ink::Plain,
            cut: 0,
        }
    }
}

impl Sheet {
    /// Makes the sheet empty.
    pub fn clear(&mut self) {
        for row in &mut self.cells {
            row.fill(b' ');
        }
        self.bars.clear();
        (self.row, self.column, self.ink, self.cut) = (0, 0, Ink::Plain, 0);
    }

    /// Goes to a row and a column.
    pub fn at(&mut self, row: usize, column: usize) -> &mut Self {
        (self.row, self.column) = (row, column);
        self
    }

    /// The row that is written next.
    pub fn row(&self) -> usize {
        self.row
    }

    /// The column that is written next.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Writes with `ink` where the cursor is.
    pub fn put(&mut self, ink: Ink, text: fmt::Arguments<'_>) -> &mut Self {
        self.ink = ink;
        // Writing on a sheet never fails: what does not fit is counted.
        let _ = self.write_fmt(text);
        self
    }

    /// Goes on in `column`.
    pub fn tab(&mut self, column: usize) -> &mut Self {
        self.column = column;
        self
    }

    /// Goes to the next row's beginning.
    pub fn end(&mut self) -> &mut Self {
        self.row += 1;
        self.column = 0;
        self
    }

    /// A row of its own.
    pub fn line(&mut self, ink: Ink, text: fmt::Arguments<'_>) -> &mut Self {
        self.put(ink, text).end()
    }

    /// A named figure: the name dim from `column` on, the figure right-aligned to end before `column + width`.
    pub fn field(&mut self, column: usize, width: usize, name: &str, ink: Ink, value: impl fmt::Display) -> &mut Self {
        self.tab(column).put(Ink::Dim, format_args!("{name}"));
        let room = width.saturating_sub(name.len());
        self.tab(column + name.len()).put(ink, format_args!("{value:>room$}"))
    }

    /// A bar from the cursor on; the cursor moves behind it.
    pub fn bar(&mut self, columns: usize, share: f32, mark: Option<f32>, ink: Ink) -> &mut Self {
        let bar = Bar {
            row: self.row as u8,
            column: self.column as u8,
            columns: columns as u8,
            share: share.clamp(0.0, 1.0),
            mark,
            ink,
        };
        if self.row >= ROWS || self.bars.push(bar).is_err() {
            self.cut += 1;
        }
        self.column += columns;
        self
    }

    /// The bars.
    pub fn bars(&self) -> &[Bar] {
        &self.bars
    }

    /// The characters with ink: row, column, character and what it means.
    pub fn characters(&self) -> impl Iterator<Item = (usize, usize, u8, Ink)> + '_ {
        let rows = self.cells.iter().zip(&self.inks).enumerate();
        rows.flat_map(|(row, (cells, inks))| {
            let cells = cells.iter().zip(inks).enumerate().filter(|(_, (cell, _))| **cell > b' ');
            cells.map(move |(column, (&cell, &ink))| (row, column, cell, ink))
        })
    }

    /// The rows as text, trailing spaces left out.
    pub fn rows(&self) -> impl Iterator<Item = &str> {
        // Cells hold printable ASCII alone, so every row is a text.
        self.cells.iter().map(|row| core::str::from_utf8(row).unwrap_or_default().trim_end())
    }

    /// Characters and bars that found no room.
    pub fn cut(&self) -> u32 {
        self.cut
    }
}

impl Write for Sheet {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            let place = self.cells.get_mut(self.row).and_then(|row| row.get_mut(self.column));
            let ink = self.inks.get_mut(self.row).and_then(|row| row.get_mut(self.column));
            if let (Some(place), Some(ink)) = (place, ink) {
                *place = if (b' '..=b'~').contains(&byte) { byte } else { b'?' };
                *ink = self.ink;
            } else {
                self.cut += 1;
            }
            self.column += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn text_goes_where_the_cursor_is() {
        let mut sheet = Sheet::default();
        sheet.line(Ink::Title, format_args!("HEAD"));
        sheet.put(Ink::Dim, format_args!("A")).tab(10).put(Ink::Plain, format_args!("B{}", 7)).end();
        let rows: Vec<&str> = sheet.rows().take(2).collect();
        assert_eq!(rows, ["HEAD", "A         B7"]);
        let inked: Vec<_> = sheet.characters().filter(|(row, ..)| *row == 1).collect();
        assert_eq!(inked, [(1, 0, b'A', Ink::Dim), (1, 10, b'B', Ink::Plain), (1, 11, b'7', Ink::Plain)]);
    }

    #[test]
    fn fields_end_in_their_column() {
        let mut sheet = Sheet::default();
        sheet.field(0, 12, "BODIES", Ink::Plain, 7).field(14, 10, "X", Ink::Plain, 1234);
        assert_eq!(sheet.rows().next(), Some("BODIES     7  X     1234"));
    }

    #[test]
    fn what_does_not_fit_is_cut_and_counted() {
        let mut sheet = Sheet::default();
        sheet.at(0, COLUMNS - 2).put(Ink::Plain, format_args!("ABCD"));
        sheet.at(ROWS, 0).put(Ink::Plain, format_args!("E"));
        assert_eq!(sheet.cut(), 3);
        assert!(sheet.rows().next().is_some_and(|row| row.ends_with("AB")));
        sheet.clear();
        assert_eq!((sheet.cut(), sheet.characters().count()), (0, 0));
    }

    #[test]
    fn other_characters_than_the_faces_are_question_marks() {
        let mut sheet = Sheet::default();
        sheet.put(Ink::Plain, format_args!("\u{e9}\n"));
        assert_eq!(sheet.rows().next(), Some("???"));
    }

    #[test]
    fn bars_keep_to_their_whole() {
        let mut sheet = Sheet::default();
        sheet.at(3, 5).bar(10, 1.7, None, Ink::Bad);
        assert_eq!(sheet.bars()[0], Bar { row: 3, column: 5, columns: 10, share: 1.0, mark: None, ink: Ink::Bad });
    }
}
