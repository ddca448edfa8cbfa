//! The stack of modes and every clock.

use super::{LAST_ROW, Look, absent};
use crate::clock::time;
use crate::game_modes::MOST_MODES;
use crate::overlay::number::Fixed;
use crate::overlay::sheet::{Ink, Sheet};

pub(super) fn write(sheet: &mut Sheet, look: &Look<'_>) {
    let subjects = look.subjects;
    if subjects.modes.is_none() && subjects.clock.is_none() {
        return absent(sheet, format_args!("MODE OR CLOCK"));
    }
    if let Some(modes) = subjects.modes {
        let depth = modes.modes().len();
        sheet.line(Ink::Title, format_args!("STACK OF MODES, {depth} OF {MOST_MODES}"));
        for (above, mode) in modes.modes().iter().rev().enumerate() {
            if sheet.row() > LAST_ROW - 8 {
                sheet.line(Ink::Dim, format_args!("  AND MORE BELOW"));
                break;
            }
            let entered = if modes.is_entered(*mode) { "ENTERED" } else { "WAITS" };
            let ink = if above == 0 { Ink::Good } else { Ink::Plain };
            sheet.put(ink, format_args!("  {:02X} {}", mode.number(), mode.name()));
            sheet.tab(27).put(Ink::Dim, format_args!("{entered}")).end();
        }
    }
    let Some(clock) = subjects.clock else { return };
    sheet.line(Ink::Title, format_args!("GAME TIMER"));
    let pace = if clock.is_fixed() { "FIXED STEP" } else { "REAL TIME" };
    let stand = match (clock.is_frozen(), clock.is_paused()) {
        (true, _) => ("FROZEN", Ink::Warn),
        (_, true) => ("PAUSED", Ink::Warn),
        _ => ("RUNS", Ink::Good),
    };
    sheet.field(0, 24, "STATE", stand.1, stand.0).field(27, 24, "PACE", Ink::Plain, pace).end();
    sheet.field(0, 24, "SECONDS", Ink::Plain, Fixed(clock.seconds(), 2));
    sheet.field(27, 24, "SCALE", Ink::Plain, Fixed(clock.scale(), 2)).end();
    sheet.field(0, 24, "UNSCALED MS", Ink::Plain, clock.unscaled_milliseconds());
    sheet.field(27, 24, "LOST MS", Ink::Plain, time::milliseconds(clock.lost())).end();
    let real = subjects.real;
    sheet.field(0, 24, "REAL SECONDS", Ink::Plain, Fixed(time::seconds(real), 1));
    if let Some(watch) = subjects.stop_watch {
        let ink = if watch.is_running() { Ink::Good } else { Ink::Dim };
        sheet.field(27, 24, "STOP WATCH", ink, Fixed(time::seconds(watch.shown(clock.ticks())), 2));
    }
    sheet.end();
    if let Some(tasks) = subjects.tasks {
        sheet.field(0, 24, "TICK PAIRS", Ink::Plain, tasks.ticks.pairs);
        sheet.field(27, 24, "PAIRS DROPPED", Ink::Plain, tasks.ticks.dropped).end();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::super::tests::text_of;
    use crate::clock::{GameTimer, StopWatch, time};
    use crate::overlay::subjects::Subjects;

    #[test]
    fn a_paused_clock_says_so() {
        let mut clock = GameTimer::starting_at(0);
        let mut watch = StopWatch::new();
        watch.start(0);
        watch.stop(time::TICKS_PER_SECOND * 3);
        let _paused = clock.toggle_pause(0);
        let subjects = Subjects { clock: Some(&clock), stop_watch: Some(&watch), ..Subjects::default() };
        let text = text_of(Page::Modes, &subjects);
        assert!(text.contains("PAUSED") && text.contains("3.00"));
    }
}
