//! The sheet on the screen: a dark plate, bars, characters, and the frame page's graph.

use super::meter::Meter;
use super::pages::{LAST_ROW, Page};
use super::sheet::{Bar, COLUMNS, Ink, ROWS, Sheet};
use super::{GRAPH_FRAMES, Overlay};
use crate::ee::gs::general::Rgbaq;
use crate::graphics::canvas::Rect;
use crate::graphics::draw_target::{Paint, Surface};
use crate::graphics::nine_patch::Panel;
use crate::graphics::text;
use embedded_graphics::Drawable as _;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

/// Pixels of a character's column and lines of a row.
const COLUMN: f32 = 11.0;
const ROW: f32 = 20.0;
/// The sheet's corner: the picture's middle holds it, within the title-safe area.
const LEFT: f32 = 34.0;
const TOP: f32 = 24.0;
/// Lines of a character's cell above its row.
const OVERHANG: f32 = 1.0;
/// Pixels of the plate around the sheet.
const MARGIN: i32 = 12;
/// Lines of a bar, and above it in its row.
const BAR: (f32, f32) = (12.0, 5.0);
/// The graph: pixels of a frame, lines of a whole frame's time, the row of its foot.
const GRAPH_STEP: f32 = 4.0;
const GRAPH_HEIGHT: f32 = 84.0;
const GRAPH_FOOT: usize = LAST_ROW + 1;
/// Cycles of the EE in a frame of two blanks at 60 Hz.
const FRAME_CYCLES: f32 = 9_830_400.0;

const fn text_colour(ink: Ink) -> Rgbaq {
    // 0x80 is the face's own light.
    match ink {
        Ink::Plain => Rgbaq::new(0x7A, 0x7C, 0x80, 0x80),
        Ink::Dim => Rgbaq::new(0x4C, 0x54, 0x6C, 0x80),
        Ink::Title => Rgbaq::new(0x80, 0x70, 0x48, 0x80),
        Ink::Good => Rgbaq::new(0x44, 0x78, 0x60, 0x80),
        Ink::Warn => Rgbaq::new(0x80, 0x62, 0x28, 0x80),
        Ink::Bad => Rgbaq::new(0x80, 0x2C, 0x38, 0x80),
        Ink::Chosen => Rgbaq::new(0x30, 0x80, 0x80, 0x80),
    }
}

const fn bar_colour(ink: Ink) -> Rgbaq {
    match ink {
        Ink::Bad => Rgbaq::new(0xE0, 0x3C, 0x50, 0x70),
        Ink::Warn => Rgbaq::new(0xE8, 0xA0, 0x38, 0x70),
        _ => Rgbaq::new(0x48, 0xB0, 0x88, 0x70),
    }
}

/// The plate as it is, and where the world is to be seen behind it.
const PLATE: Rgbaq = Rgbaq::new(0x80, 0x80, 0x80, 0x80);
const VEIL: Rgbaq = Rgbaq::new(0x80, 0x80, 0x80, 0x30);
const BAR_GROUND: Rgbaq = Rgbaq::new(0x50, 0x58, 0x78, 0x30);
const BAR_MARK: Rgbaq = Rgbaq::new(0xF0, 0xF0, 0xF4, 0x70);
const GRAPH_LINE: Rgbaq = Rgbaq::new(0xA0, 0xA8, 0xC8, 0x48);
const GRAPH_GS: Rgbaq = Rgbaq::new(0x60, 0x90, 0xF0, 0x78);

/// The place of a row and column.
fn place(row: usize, column: usize) -> (f32, f32) {
    (LEFT + column as f32 * COLUMN, TOP + row as f32 * ROW)
}

impl Overlay {
    /// Draws the page over everything, if it is open. Answers nothing and keeps nothing: a frame without it costs nothing.
    pub fn draw(&self, surface: &mut Surface<'_, '_, '_>) {
        if !self.is_open() {
            return;
        }
        let corner = Point::new(LEFT as i32 - MARGIN, TOP as i32 - MARGIN);
        let (width, height) = (COLUMNS as f32 * COLUMN, ROWS as f32 * ROW);
        let size = Size::new(width as u32, height as u32) + Size::new_equal(2 * MARGIN as u32);
        // Drawing on the surface cannot fail.
        let veil = if matches!(self.page(), Page::World | Page::Tools) { VEIL } else { PLATE };
        let Ok(()) = Panel::new(Rectangle::new(corner, size)).tinted(veil).draw(surface);
        for bar in self.sheet().bars() {
            draw_bar(surface, bar);
        }
        if self.page() == Page::Frame {
            draw_graph(surface, &self.meter);
        }
        draw_text(surface, self.sheet());
    }
}

fn draw_bar(surface: &mut Surface<'_, '_, '_>, bar: &Bar) {
    let (x, y) = place(bar.row.into(), bar.column.into());
    let width = f32::from(bar.columns) * COLUMN;
    let part = |from: f32, to: f32| Rect::new(x + from, y + BAR.1, x + to, y + BAR.1 + BAR.0);
    surface.fill(part(0.0, width), Paint::Colour(BAR_GROUND));
    surface.fill(part(0.0, width * bar.share), Paint::Colour(bar_colour(bar.ink)));
    if let Some(mark) = bar.mark {
        let at = width * mark.clamp(0.0, 1.0);
        surface.fill(part(at - 1.0, at + 1.0), Paint::Colour(BAR_MARK));
    }
}

fn draw_text(surface: &mut Surface<'_, '_, '_>, sheet: &Sheet) {
    let characters = sheet.characters().map(|(row, column, character, ink)| {
        let (x, y) = place(row, column);
        let area = Rect::new(x, y - OVERHANG, x + text::CELL.0, y - OVERHANG + text::CELL.1);
        (area, character, text_colour(ink))
    });
    surface.characters(sheet.characters().count(), characters);
}

/// The last frames: a column each for the processor, a stroke for the GS, lines at one and two blanks.
fn draw_graph(surface: &mut Surface<'_, '_, '_>, meter: &Meter) {
    let (left, foot) = place(GRAPH_FOOT, 0);
    let right = left + GRAPH_FRAMES as f32 * GRAPH_STEP;
    let height = |cycles: u32| (cycles as f32 * (GRAPH_HEIGHT / FRAME_CYCLES)).min(GRAPH_HEIGHT * 1.2);
    surface.fill(Rect::new(left, foot - GRAPH_HEIGHT, right, foot), Paint::Colour(BAR_GROUND));
    for (index, frame) in meter.graph().enumerate() {
        let x = left + index as f32 * GRAPH_STEP;
        let ink = if frame.is_late() { Ink::Bad } else { Ink::Good };
        let top = foot - height(frame.busy);
        surface.fill(Rect::new(x, top, x + GRAPH_STEP - 1.0, foot), Paint::Colour(bar_colour(ink)));
        if frame.gs != 0 {
            let at = foot - height(frame.gs);
            surface.fill(Rect::new(x, at - 1.0, x + GRAPH_STEP - 1.0, at + 1.0), Paint::Colour(GRAPH_GS));
        }
    }
    for half in [0.5, 1.0] {
        let y = foot - GRAPH_HEIGHT * half;
        surface.fill(Rect::new(left, y - 1.0, right, y), Paint::Colour(GRAPH_LINE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheet_lies_within_the_title_safe_area() {
        const SAFE: Rect = Rect::new(32.0, 22.0, 608.0, 426.0);
        let (left, top) = place(0, 0);
        let (right, foot) = place(ROWS, COLUMNS);
        assert!(left >= SAFE.x0 && top >= SAFE.y0 && right <= SAFE.x1 && foot <= SAFE.y1, "{right} {foot}");
    }

    #[test]
    fn the_graph_stands_below_the_frame_pages_text() {
        let (_, foot) = place(GRAPH_FOOT, 0);
        // Two rows of totals, seven of steps, two of figures.
        let (_, text) = place(super::super::pages::FIRST_ROW + 11, 0);
        assert!(foot - GRAPH_HEIGHT >= text, "{} {text}", foot - GRAPH_HEIGHT);
        assert!(GRAPH_FRAMES as f32 * GRAPH_STEP <= COLUMNS as f32 * COLUMN);
    }
}
