//! Where the frame's time goes; the graph is drawn below by the overlay itself.

use super::{Look, figures};
use crate::overlay::meter::Span;
use crate::overlay::number::{Cycles, Fixed};
use crate::overlay::sheet::{Ink, Sheet};

/// Cycles of the EE in one blank at 60 Hz, which is what a bar's whole stands for twice.
const FRAME_CYCLES: f32 = 9_830_400.0;
/// Share of a frame from which a step is worth a look.
const HEAVY: f32 = 0.33;

pub(super) fn write(sheet: &mut Sheet, look: &Look<'_>) {
    let meter = look.meter;
    let latest = meter.latest();
    let share = meter.busy() as f32 / FRAME_CYCLES;
    sheet.put(Ink::Dim, format_args!("BUSY")).tab(5);
    sheet.put(Ink::Plain, format_args!("{:>6} MS {:>3} %", Cycles(meter.busy()), Fixed(share * 100.0, 0)));
    sheet
        .tab(22)
        .put(Ink::Dim, format_args!("GS"))
        .tab(25)
        .put(Ink::Plain, format_args!("{:>6} MS", Cycles(latest.gs)));
    let ink = if latest.is_late() { Ink::Bad } else { Ink::Good };
    sheet.tab(37).put(Ink::Dim, format_args!("BLANKS")).tab(44).put(ink, format_args!("{}", latest.blanks)).end();
    let late = meter.late();
    let ink = if late == 0 { Ink::Good } else { Ink::Warn };
    sheet.put(Ink::Dim, format_args!("FRAMES")).tab(7).put(Ink::Plain, format_args!("{}", meter.frames()));
    sheet.tab(22).put(Ink::Dim, format_args!("LATE")).tab(27).put(ink, format_args!("{late}")).end();
    for pair in Span::ALL.chunks(2) {
        for (span, column) in pair.iter().zip([0, 27]) {
            let figure = meter.figure(*span);
            let share = figure.mean as f32 / FRAME_CYCLES;
            let ink = if share > HEAVY && *span != Span::Present { Ink::Warn } else { Ink::Plain };
            sheet.tab(column).put(Ink::Dim, format_args!("{}", span.name()));
            sheet.tab(column + 10).put(ink, format_args!("{:>6}", Cycles(figure.mean)));
            sheet.tab(column + 17).put(Ink::Dim, format_args!("{:>6}", Cycles(figure.most)));
        }
        sheet.end();
    }
    let rest = look.subjects.graphics.get(..4).unwrap_or(look.subjects.graphics);
    figures(sheet, rest);
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::super::tests::text_of;
    use crate::overlay::subjects::{Figure, Subjects};

    #[test]
    fn every_step_has_its_place() {
        let graphics = [Figure::new("TRIANGLES", 4321)];
        let text = text_of(Page::Frame, &Subjects { graphics: &graphics, ..Subjects::default() });
        for name in ["TICKS", "VIEWPORTS", "PRESENT", "OVERLAY", "4321", "BLANKS"] {
            assert!(text.contains(name), "{name}");
        }
    }
}
