//! One human: its record, its words decoded to names, its stack of tasks, its clip.

use super::{Choice, LAST_ROW, Look, absent};
use crate::human::numbers::{AnimState, code, state as human_state};
use crate::overlay::number::Fixed;
use crate::overlay::sheet::{COLUMNS, Ink, Sheet};
use crate::tasks::humans::gates::{Gate, held, state};
use crate::tasks::humans::held::event;

/// Names of the held flags' bits. Source: humans and combat, Data.
const HELD: [(u32, &str); 18] = [
    (held::WIND_UP, "WINDUP"),
    (held::WINDOW, "WINDOW"),
    (held::END, "END"),
    (held::SECOND_END, "END2"),
    (held::GRAB, "GRAB"),
    (held::CLIMBING, "CLIMB"),
    (held::TACKLING, "TACKLE"),
    (held::DEAD, "DEAD"),
    (held::DUCK, "DUCK"),
    (held::COUNTER, "COUNTER"),
    (held::TACKLED, "TACKLED"),
    (held::RECOVERY, "RECOVER"),
    (held::STEP, "STEP"),
    (held::KNOCK_BACK, "KNOCKED"),
    (held::LANDING, "LANDING"),
    (held::START, "START"),
    (held::TURN, "TURN"),
    (held::FIGHT_TO_NEUTRAL, "CALMING"),
];

/// Names of the state word's bits. Source: humans and combat, Data.
const STATES: [(u64, &str); 23] = [
    (human_state::STANCE, "STANCE"),
    (human_state::STANCE_SECOND, "STANCE2"),
    (human_state::TARGET, "TARGET"),
    (human_state::GRABBED, "GRABBED"),
    (human_state::GRABBED_SECOND, "GRABBED2"),
    (human_state::GRABBING, "GRABS"),
    (human_state::GRABBING_SECOND, "GRABS2"),
    (human_state::MUGGING, "MUGS"),
    (human_state::MUGGED, "MUGGED"),
    (human_state::TACKLING, "TACKLES"),
    (human_state::TACKLED, "TACKLED"),
    (human_state::POWER_MOVE, "POWER"),
    (human_state::BLOCKING, "BLOCKS"),
    (human_state::HURT, "HURT"),
    (human_state::DOWN, "DOWN"),
    (state::CARRIED, "CARRIED"),
    (human_state::SPRINT, "SPRINT"),
    (state::BUSY_SECOND, "BUSY"),
    (state::DEAD, "DEAD"),
    (state::JUMPING, "JUMPING"),
    (state::FALLING, "FALLING"),
    (state::LONG_FALL, "LONGFALL"),
    (human_state::LANDING, "LANDING"),
];

/// Names of state codes. Source: humans and combat, Locomotion.
const CODES: [(u32, &str); 5] = [
    (code::NONE, "NONE"),
    (code::STARTS, "STARTS"),
    (code::TURNS, "TURNS"),
    (code::RUNS, "RUNS"),
    (code::SKIDS, "SKIDS"),
];

/// What an anim state is called.
const fn anim_name(anim: AnimState) -> &'static str {
    match anim {
        AnimState::Idle => "IDLE",
        AnimState::Move => "MOVE",
        AnimState::Stance => "STANCE",
        AnimState::StanceMove => "STANCE MOVE",
        AnimState::Block => "BLOCK",
        AnimState::Jump => "JUMP",
        AnimState::Fall => "FALL",
        AnimState::Land => "LAND",
        AnimState::Hurt => "HURT",
        AnimState::Down => "DOWN",
    }
}

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
    let (at, speed) = (human.position, human.velocity.length());
    sheet.put(Ink::Dim, format_args!("AT"));
    sheet.tab(4).put(Ink::Plain, format_args!("{:>8} {:>8} {:>8}", Fixed(at.x, 2), Fixed(at.y, 2), Fixed(at.z, 2)));
    sheet.tab(33).put(Ink::Dim, format_args!("M/S"));
    sheet.tab(37).put(Ink::Plain, format_args!("{:>6}", Fixed(speed, 2))).end();
    let gate = &human.gate;
    let code = CODES.iter().find(|(code, _)| *code == gate.code).map_or("", |(_, name)| *name);
    sheet.put(Ink::Dim, format_args!("CODE")).tab(6).put(Ink::Plain, format_args!("{:>2} {code}", gate.code));
    sheet.tab(27).put(Ink::Dim, format_args!("SHOWS")).tab(33);
    sheet.put(Ink::Plain, format_args!("{:>2} {}", human.anim as u8, anim_name(human.anim))).end();
    sheet.put(Ink::Dim, format_args!("HELD")).tab(6).put(Ink::Plain, format_args!("{:08X}", gate.held)).tab(16);
    names(sheet, HELD.iter().filter(|(bit, _)| gate.held & bit != 0).map(|(_, name)| *name));
    sheet.put(Ink::Dim, format_args!("STATE")).tab(6).put(Ink::Plain, format_args!("{:012X}", gate.state)).tab(20);
    names(sheet, STATES.iter().filter(|(bit, _)| gate.state & bit != 0).map(|(_, name)| *name));
    sheet.put(Ink::Dim, format_args!("GATES")).tab(6);
    names(sheet, GATES.iter().filter(|(gate_of, _)| gate_of(gate)).map(|(_, name)| *name));
    sheet.line(Ink::Title, format_args!("STACK OF TASKS"));
    let room = LAST_ROW.saturating_sub(sheet.row()).min(4);
    for task in human.stack.iter().take(room) {
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
    use crate::maths::Vec3;
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
            position: Vec3::new(1.0, -2.5, 0.0),
            velocity: Vec3::new(3.0, 4.0, 0.0),
            anim: AnimState::Stance,
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
    fn every_bit_of_the_records_two_words_has_a_name() {
        let states = [
            0x1,
            0x2,
            0x4,
            0x10,
            0x20,
            0x40,
            0x80,
            0x100,
            0x200,
            0x400,
            0x800,
            0x1000,
            0x8000,
            0x1_0000,
            0x8_0000,
            0x100_0000,
            0x2_0000_0000,
            0x4_0000_0000,
            0x8_0000_0000,
            0x10_0000_0000,
            0x20_0000_0000_u64,
        ];
        for bit in states {
            assert!(STATES.iter().any(|(named, _)| *named == bit), "state {bit:#x}");
        }
        let held = [
            0x1,
            0x2,
            0x4,
            0x10,
            0x40,
            0x200,
            0x800,
            0x1000,
            0x2000,
            0x1_0000,
            0x4_0000,
            0x8_0000,
            0x40_0000,
            0x100_0000,
            0x1000_0000,
            0x2000_0000,
            0x4000_0000_u32,
        ];
        for bit in held {
            assert!(HELD.iter().any(|(named, _)| *named == bit), "held {bit:#x}");
        }
    }

    #[test]
    fn place_speed_code_and_what_is_shown_are_told() {
        let text = text(Gate { code: code::TURNS, ..Gate::default() });
        for words in ["1.00    -2.50", "M/S   5.00", "CODE   5 TURNS", "SHOWS 11 STANCE"] {
            assert!(text.contains(words), "{words}");
        }
    }

    #[test]
    fn every_bit_at_once_still_fits() {
        let _fits = text(Gate { held: u32::MAX, state: u64::MAX, ..Gate::default() });
    }
}
