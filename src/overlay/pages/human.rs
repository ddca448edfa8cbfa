//! One human: its record, its words decoded to names, its stack of tasks, its clip.

use super::{Choice, LAST_ROW, Look, absent};
use crate::overlay::number::Fixed;
use crate::overlay::sheet::{COLUMNS, Ink, Sheet};
use crate::tasks::humans::gates::{Gate, held, state};
use crate::tasks::humans::held::event;

/// Names of the held flags' bits. Source: humans and combat, Data.
const HELD: [(u32, &str); 15] = [
    (held::WIND_UP, "WINDUP"),
    (held::WINDOW, "WINDOW"),
    (held::END, "END"),
    (held::SECOND_END, "END2"),
    (held::GRAB, "GRAB"),
    (held::DEAD, "DEAD"),
    (held::DUCK, "DUCK"),
    (held::COUNTER, "COUNTER"),
    (held::RECOVERY, "RECOVER"),
    (held::STEP, "STEP"),
    (held::KNOCK_BACK, "KNOCKED"),
    (held::LANDING, "LANDING"),
    (held::START, "START"),
    (held::TURN, "TURN"),
    (held::FIGHT_TO_NEUTRAL, "CALMING"),
];

/// Names of the state word's bits. Source: humans and combat, Data.
const STATES: [(u64, &str); 6] = [
    (state::JUMPING, "JUMPING"),
    (state::FALLING, "FALLING"),
    (state::LONG_FALL, "LONGFALL"),
    (state::DEAD, "DEAD"),
    (state::BUSY_SECOND, "BUSY"),
    (state::CARRIED, "CARRIED"),
];

/// What a gate says of a human.
type Question = fn(&Gate) -> bool;

/// What the gates say, in the order of the page.
const GATES: [(Question, &str); 7] = [
    (Gate::is_busy, "BUSY"),
    (Gate::zeroes_velocity, "NO VELOCITY"),
    (Gate::skips_stick, "NO STICK"),
    (Gate::runs_dispatcher, "DISPATCH"),
    (Gate::takes_chain_press, "CHAIN"),
    (Gate::takes_grab, "GRAB"),
    (Gate::takes_ai_attack, "AI ATTACK"),
];

/// Names of clip events. Source: seed 000, held flags.
const EVENTS: [(u16, &str); 4] =
    [(event::WINDOW, "WINDOW"), (event::END, "END"), (event::COUNTER, "COUNTER"), (event::RECOVERY, "RECOVERY")];

pub(super) fn write(sheet: &mut Sheet, look: &Look<'_>) {
    let Some(human) = &look.subjects.human else { return absent(sheet, format_args!("HUMAN")) };
    let ink = look.ink(Choice::Human, Ink::Title);
    sheet.put(ink, format_args!("< HUMAN {} OF {} >", human.index, look.subjects.humans)).tab(27);
    for (value, name) in human.vigour.into_iter().zip(["HP", "ST", "PW"]) {
        sheet.put(Ink::Dim, format_args!("{name}")).bar(5, value, None, Ink::Good).put(Ink::Dim, format_args!(" "));
    }
    sheet.end();
    let record = human.record;
    let who = if record.pad_controlled { "PAD" } else { "BRAIN" };
    sheet.field(0, 24, "COMMAND FROM", Ink::Plain, who).field(27, 24, "COMMAND", Ink::Plain, record.command).end();
    let [angle, magnitude] = [record.input.angle[0], record.input.magnitude[0]];
    sheet
        .field(0, 24, "STICK", Ink::Plain, Fixed(magnitude, 2))
        .field(27, 24, "ANGLE", Ink::Plain, Fixed(angle, 2))
        .end();
    if let Some(head) = human.head {
        let (at, velocity) = (head.position, head.velocity());
        sheet.put(Ink::Dim, format_args!("AT"));
        sheet.tab(4).put(Ink::Plain, format_args!("{:>8} {:>8} {:>8}", Fixed(at.x, 2), Fixed(at.y, 2), Fixed(at.z, 2)));
        sheet.tab(33).put(Ink::Dim, format_args!("M/S"));
        sheet.tab(37).put(Ink::Plain, format_args!("{:>6}", Fixed(velocity.length(), 2))).end();
    }
    let gate = &human.gate;
    sheet.put(Ink::Dim, format_args!("HELD")).tab(6).put(Ink::Plain, format_args!("{:08X}", gate.held)).tab(16);
    names(sheet, HELD.iter().filter(|(bit, _)| gate.held & bit != 0).map(|(_, name)| *name));
    sheet.put(Ink::Dim, format_args!("STATE")).tab(6).put(Ink::Plain, format_args!("{:012X}", gate.state)).tab(20);
    names(sheet, STATES.iter().filter(|(bit, _)| gate.state & bit != 0).map(|(_, name)| *name));
    sheet.put(Ink::Dim, format_args!("GATES")).tab(6);
    names(sheet, GATES.iter().filter(|(gate_of, _)| gate_of(gate)).map(|(_, name)| *name));
    sheet.line(Ink::Title, format_args!("STACK OF TASKS"));
    for task in human.stack.iter().take(4) {
        sheet.tab(1).put(Ink::Plain, format_args!("{:<14}", task.name));
        sheet.tab(16).bar(10, task.weight, None, Ink::Good);
        sheet.tab(28).put(Ink::Dim, format_args!("KEEPS {:08X}", task.keeps)).end();
    }
    let Some(clip) = &human.clip else { return };
    let share = if clip.length > 0.0 { clip.time / clip.length } else { 0.0 };
    sheet.put(Ink::Title, format_args!("CLIP {}", clip.id)).tab(10).bar(20, share, None, Ink::Good);
    sheet
        .tab(31)
        .put(Ink::Plain, format_args!("{} / {} X{}", Fixed(clip.time, 1), Fixed(clip.length, 0), Fixed(clip.rate, 2)));
    sheet.end();
    for clip_event in clip.events {
        if sheet.row() > LAST_ROW {
            break;
        }
        let name = EVENTS.iter().find(|(kind, _)| *kind == clip_event.kind).map_or("", |(_, name)| *name);
        let ink = if clip.time >= f32::from(clip_event.frame) { Ink::Dim } else { Ink::Plain };
        sheet.line(ink, format_args!(" FRAME {:<4} {:02X} {name}", clip_event.frame, clip_event.kind));
    }
}

/// Names in a row, going on in the next row where one would be cut.
fn names<'n>(sheet: &mut Sheet, names: impl Iterator<Item = &'n str>) {
    let mut room = COLUMNS - sheet.column();
    for name in names {
        if name.len() > room {
            sheet.end().tab(6);
            room = COLUMNS - 6;
        }
        sheet.put(Ink::Warn, format_args!("{name} "));
        room = room.saturating_sub(name.len() + 1);
    }
    sheet.end();
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::super::tests::text_of;
    use super::*;
    use crate::overlay::subjects::{ClipFacts, HumanFacts, StackedTask, Subjects};
    use crate::tasks::humans::held::ClipEvent;
    use crate::tasks::humans::records::PlayerRecord;

    fn text(gate: Gate) -> std::string::String {
        let record = PlayerRecord::default();
        let events = [ClipEvent { frame: 9, kind: event::WINDOW }, ClipEvent { frame: 15, kind: event::RECOVERY }];
        let clip = ClipFacts { id: 201, time: 10.0, length: 24.0, rate: 1.0, events: &events };
        let stack = [StackedTask { name: "ATTACK", keeps: 5, weight: 1.0 }];
        let human = HumanFacts {
            index: 3,
            record: &record,
            gate,
            head: None,
            clip: Some(clip),
            stack: &stack,
            vigour: [1.0, 0.5, 0.0],
        };
        text_of(Page::Human, &Subjects { human: Some(human), humans: 12, ..Subjects::default() })
    }

    #[test]
    fn words_are_decoded_to_names() {
        let text = text(Gate { held: held::WINDOW | held::RECOVERY, state: state::FALLING, ..Gate::default() });
        for word in ["HUMAN 3 OF 12", "WINDOW", "RECOVER", "FALLING", "CLIP 201", "2C WINDOW", "48 RECOVERY", "ATTACK"]
        {
            assert!(text.contains(word), "{word}");
        }
        assert!(!text.contains("KNOCKED"));
    }

    #[test]
    fn every_bit_at_once_still_fits() {
        let _fits = text(Gate { held: u32::MAX, state: u64::MAX, ..Gate::default() });
    }
}
