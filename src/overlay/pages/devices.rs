//! The I/O processor and streams, recent events, build and hardware.

use super::{LAST_ROW, Look, figures};
use crate::file_io::QUEUE;
use crate::overlay::events::Subsystem;
use crate::overlay::sheet::{Ink, Sheet};

/// Events of a subsystem that are shown.
const EVENTS_SHOWN: usize = 4;

pub(super) fn write_streams(sheet: &mut Sheet, look: &Look<'_>) {
    sheet.line(Ink::Title, format_args!("FILES"));
    match look.subjects.files {
        Some(files) => {
            super::occupancy(sheet, "QUEUE", files.pending(), QUEUE, files.refused);
            let state = if files.is_busy() { ("READING", Ink::Warn) } else { ("IDLE", Ink::Good) };
            sheet.put(Ink::Dim, format_args!("STATE")).tab(16).put(state.1, format_args!("{}", state.0)).end();
        }
        None => {
            sheet.line(Ink::Dim, format_args!("NO FILE MANAGER"));
        }
    }
    sheet.end().line(Ink::Title, format_args!("STREAMS AND THE I/O PROCESSOR"));
    if look.subjects.streams.is_empty() {
        sheet.line(Ink::Dim, format_args!("NO FIGURES IN THIS SCENE"));
    }
    figures(sheet, look.subjects.streams);
}

pub(super) fn write_events(sheet: &mut Sheet, look: &Look<'_>) {
    for pair in Subsystem::ALL.chunks(2) {
        let row = sheet.row();
        for (subsystem, column) in pair.iter().zip([0, 27]) {
            sheet.at(row, column).put(Ink::Title, format_args!("{}", subsystem.name()));
            sheet.put(Ink::Dim, format_args!(" {}", look.events.count(*subsystem)));
            let shown = (LAST_ROW - row).min(EVENTS_SHOWN - 1);
            for (ago, event) in look.events.latest(*subsystem).take(shown).enumerate() {
                let mut text = heapless::String::<64>::new();
                // A line that is cut short is still a line.
                let _ = core::fmt::write(&mut text, format_args!("{event}"));
                let text = text.get(..25).unwrap_or(&text);
                let ink = if ago == 0 { Ink::Plain } else { Ink::Dim };
                sheet.at(row + 1 + ago, column).put(ink, format_args!("{text}"));
            }
        }
        sheet.at(row + EVENTS_SHOWN, 0);
    }
}

pub(super) fn write_build(sheet: &mut Sheet, look: &Look<'_>) {
    let profile = if cfg!(debug_assertions) { "CHECKED" } else { "RELEASE" };
    sheet.line(Ink::Title, format_args!("BOARDWALK {} {profile}", env!("CARGO_PKG_VERSION")));
    let target = if cfg!(target_arch = "mips") { "EE, R5900" } else { "HOST" };
    sheet.put(Ink::Dim, format_args!("BUILT FOR")).tab(12).put(Ink::Plain, format_args!("{target}")).end();
    sheet.put(Ink::Dim, format_args!("VIDEO")).tab(12).put(Ink::Plain, format_args!("{}", look.subjects.video)).end();
    sheet.line(Ink::Title, format_args!("THIS CONSOLE"));
    if let Some(identity) = look.subjects.identity {
        let rom = if identity.rom.is_empty() { "NONE" } else { identity.rom.as_str() };
        sheet.put(Ink::Dim, format_args!("ROM")).tab(4).put(Ink::Plain, format_args!("{rom}"));
        sheet.tab(21).put(Ink::Dim, format_args!("EE")).tab(24);
        sheet.put(Ink::Plain, format_args!("{}", identity.processor));
        sheet.end().tab(21).put(Ink::Dim, format_args!("GS")).tab(24);
        sheet.put(Ink::Plain, format_args!("{}", identity.synthesizer)).end();
    }
    figures(sheet, look.subjects.hardware);
    sheet.line(Ink::Title, format_args!("DRAWING"));
    figures(sheet, look.subjects.graphics);
}

#[cfg(test)]
mod tests {
    use super::super::tests::text_of;
    use super::super::{Look, Page, write};
    use super::*;
    use crate::overlay::command::Layers;
    use crate::overlay::events::Events;
    use crate::overlay::meter::Meter;
    use crate::overlay::subjects::{Figure, Subjects};
    use crate::overlay::tools::Tools;

    #[test]
    fn figures_stand_in_two_columns() {
        let streams = [Figure::new("SECTORS READ", 4096), Figure::fault("TIMEOUTS", 0), Figure::new("VOICES", 3)];
        let text = text_of(Page::Streams, &Subjects { streams: &streams, ..Subjects::default() });
        let both = text.lines().find(|line| line.contains("SECTORS READ")).unwrap();
        assert!(both.contains("4096") && both.contains("TIMEOUTS"));
    }

    #[test]
    fn a_console_is_told_by_its_rom_and_chips_and_all_figures_find_room() {
        use crate::ee::identity::Identity;
        use crate::overlay::figures::{ConsoleCounts, Drawing, console, drawing};
        let identity = Identity::new(&[], 0x2E31, 0x551B_0000);
        let counts = ConsoleCounts { sixty_blanks: 295_207_200, ..ConsoleCounts::default() };
        let drawn = Drawing { dropped: 7, ..Drawing::default() };
        let (hardware, graphics) = (console(&counts), drawing(&drawn));
        let subjects =
            Subjects { identity: Some(&identity), hardware: &hardware, graphics: &graphics, ..Subjects::default() };
        let text = text_of(Page::Build, &subjects);
        for words in ["2E REVISION 31", "55 REVISION 1B", "295207200", "DROPPED", "UNKNOWN TEXTURES"] {
            assert!(text.contains(words), "{words}");
        }
    }

    #[test]
    fn the_latest_events_of_every_subsystem_fit_the_page() {
        let (mut sheet, mut events) = (Sheet::default(), Events::default());
        for subsystem in Subsystem::ALL {
            for index in 0..10 {
                events.set_frame(100_000 + index as u32);
                events.note(subsystem, "SOMETHING THAT TAKES MANY WORDS", [index, -index]);
            }
        }
        let (subjects, meter, tools) = (Subjects::default(), Meter::default(), Tools::default());
        let look = Look {
            subjects: &subjects,
            meter: &meter,
            events: &events,
            chosen: None,
            layers: Layers::default(),
            first_pool: 0,
            tools: &tools,
        };
        write(Page::Events, &mut sheet, &look);
        assert_eq!(sheet.cut(), 0);
        let text: std::vec::Vec<&str> = sheet.rows().collect();
        assert_eq!(text.iter().filter(|row| row.contains("100009")).count(), 4, "two subsystems a row");
    }
}
