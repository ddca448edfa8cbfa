//! What start-up cost: every step with its time and the memory that it keeps.

use super::{FIRST_ROW, LAST_ROW, Look, absent};
use crate::boot::subsystems::{AnyStep, Cost};
use crate::clock::time::TICKS_PER_MILLISECOND;
use crate::overlay::sheet::{Ink, Sheet};

/// Columns from one half of the list to the other.
const HALF: usize = 27;
/// Milliseconds from which a step is worth a look.
const SLOW: u64 = 500;

pub(super) fn write(sheet: &mut Sheet, look: &Look<'_>) {
    let Some(report) = look.subjects.boot.filter(|report| !report.is_empty()) else {
        return absent(sheet, format_args!("START-UP LIST"));
    };
    let ticks: u64 = report.iter().filter(|cost| matches!(cost.step, AnyStep::Game(_))).map(|cost| cost.ticks).sum();
    let (milliseconds, count) = (ticks / TICKS_PER_MILLISECOND, report.len());
    // Both lists together leave no row for a heading of their own.
    sheet.at(0, 6).put(Ink::Title, format_args!("{count} STEPS, {milliseconds} MS"));
    let rows = LAST_ROW - FIRST_ROW + 1;
    for (index, cost) in report.iter().enumerate().take(2 * rows) {
        sheet.at(FIRST_ROW + index % rows, index / rows * HALF);
        step(sheet, index / rows * HALF, cost);
    }
}

/// A step in half a row: name, milliseconds, kilobytes.
fn step(sheet: &mut Sheet, column: usize, cost: &Cost) {
    const NAME: usize = 14;
    let milliseconds = cost.ticks / TICKS_PER_MILLISECOND;
    let ink = if milliseconds >= SLOW { Ink::Warn } else { Ink::Plain };
    let device = matches!(cost.step, AnyStep::Device(_));
    let (indent, name) = (usize::from(device), cost.step.name());
    let name = name.get(..NAME - indent).unwrap_or(name);
    sheet.tab(column + indent).put(Ink::Dim, format_args!("{name}"));
    sheet.tab(column + 15).put(ink, format_args!("{milliseconds:>4}"));
    let kilobytes = cost.bytes / 1024;
    sheet.tab(column + 19).put(Ink::Dim, format_args!("{kilobytes:>5}K"));
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::super::tests::text_of;
    use crate::boot::subsystems::{AnyStep, BootReport, Cost, DeviceStep, Step};
    use crate::clock::time::TICKS_PER_MILLISECOND;
    use crate::overlay::subjects::Subjects;

    #[test]
    fn every_step_of_both_lists_has_its_place() {
        let mut report = BootReport::new();
        let steps = DeviceStep::ALL.map(AnyStep::Device).into_iter().chain(Step::ALL.map(AnyStep::Game));
        for (index, step) in steps.enumerate() {
            let cost = Cost { step, ticks: index as u64 * TICKS_PER_MILLISECOND, bytes: 2048 * index as isize };
            report.push(cost).unwrap();
        }
        let text = text_of(Page::Boot, &Subjects { boot: Some(&report), ..Subjects::default() });
        let shown = Step::ALL.iter().filter(|step| text.contains(step.name().get(..14).unwrap_or(step.name())));
        assert_eq!(shown.count(), 29);
        assert!(text.contains("35 STEPS, 580 MS"));
    }
}
