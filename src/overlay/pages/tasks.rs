//! The TaskEngine: wheels, handles, pools, ticks; and the character step's switches.

use super::{Choice, Look, SWITCHES, absent, occupancy};
use crate::overlay::sheet::{Ink, Sheet};
use crate::tasks::clock::Phase;
use crate::tasks::handle::ENTRIES;
use crate::tasks::ids::TaskClass;
use crate::tasks::message::FRAMES;
use crate::tasks::wheel::BUCKETS;

/// Buckets that one character of a wheel's row stands for.
const BUCKETS_SHOWN: usize = BUCKETS / 8;

pub(super) fn write(sheet: &mut Sheet, look: &Look<'_>) {
    let Some(tasks) = look.subjects.tasks else { return absent(sheet, format_args!("TASK ENGINE")) };
    for (phase, name) in Phase::ALL.into_iter().zip(["WHEEL PLAY ", "WHEEL PAUSE"]) {
        let wheel = tasks.manager.wheel(phase);
        let current = usize::from(wheel.current());
        sheet.put(Ink::Title, format_args!("{name}"));
        sheet.tab(12);
        let mut all = 0;
        for column in 0..BUCKETS_SHOWN {
            let buckets = column * 8..(column + 1) * 8;
            let count: usize =
                buckets.clone().map(|bucket| wheel.bucket(tasks.manager.links(), bucket as u8).count()).sum();
            all += count;
            let ink = if buckets.contains(&current) { Ink::Chosen } else { Ink::Plain };
            let glyph = match count {
                0 if ink == Ink::Chosen => '|',
                0 => '.',
                1..=9 => char::from(b'0' + count as u8),
                _ => '#',
            };
            sheet.put(ink, format_args!("{glyph}"));
        }
        sheet.tab(45).put(Ink::Plain, format_args!("{all:>6}")).end();
    }
    for class in TaskClass::ALL {
        let count = if class == TaskClass::Human { humans(look) } else { tasks.count(class) };
        occupancy(sheet, class_name(class), count, class.capacity().into(), tasks.refusals(class));
    }
    let live = tasks.handles.live();
    occupancy(sheet, "HANDLES", live.into(), ENTRIES, tasks.handles.refusals());
    let spawns = &tasks.objects.spawns;
    occupancy(sheet, "SPAWN RECORDS", spawns.used().count(), spawns.capacity(), spawns.refusals());
    occupancy(sheet, "MESSAGE FRAMES", tasks.messages.deepest(), FRAMES, tasks.messages.refusals());
    sheet.end();
    let ticks = &tasks.ticks;
    let dropped = if ticks.dropped == 0 { Ink::Good } else { Ink::Warn };
    sheet
        .field(0, 24, "TICK PAIRS", Ink::Plain, ticks.pairs)
        .field(27, 24, "PAIRS DROPPED", dropped, ticks.dropped)
        .end();
    sheet.field(0, 24, "TICKS PLAY", Ink::Plain, tasks.manager.clock.time_of(Phase::Play));
    sheet.field(27, 24, "TICKS PAUSE", Ink::Plain, tasks.manager.clock.time_of(Phase::Pause)).end();
    let step = tasks.humans.counter;
    sheet.field(0, 24, "CHARACTER STEP", Ink::Plain, step).field(
        27,
        24,
        "MOVED",
        Ink::Plain,
        tasks.manager.moved().len(),
    );
}

fn humans(look: &Look<'_>) -> usize {
    use crate::tasks::ids::TaskId;
    let Some(tasks) = look.subjects.tasks else { return 0 };
    let human = |slot| TaskId::new(TaskClass::Human, slot);
    (0..TaskClass::Human.capacity()).filter(|&slot| tasks.is_live(human(slot))).count()
}

const fn class_name(class: TaskClass) -> &'static str {
    match class {
        TaskClass::Human => "HUMANS",
        TaskClass::Object => "OBJECTS",
        TaskClass::Particle => "PARTICLES",
        TaskClass::PauseParticle => "PAUSE PARTICLES",
        TaskClass::Scene => "SCENES",
        TaskClass::Car => "CARS",
        TaskClass::Pane => "PANES",
        TaskClass::Light => "LIGHTS",
    }
}

/// The steps of Humans_Update behind their switches. Source: seed 000, Humans_Update.
pub(super) fn write_steps(sheet: &mut Sheet, look: &Look<'_>) {
    let Some(tasks) = look.subjects.tasks else { return absent(sheet, format_args!("TASK ENGINE")) };
    sheet.line(Ink::Title, format_args!("STEPS OF HUMANS_UPDATE, EACH BEHIND ITS SWITCH"));
    sheet.end();
    for (switch, name) in SWITCHES {
        let on = tasks.humans.is_on(switch);
        let choice = Choice::Step(switch);
        let cursor = if look.chosen == Some(choice) { ">" } else { " " };
        sheet.put(look.ink(choice, Ink::Plain), format_args!("{cursor} {name}"));
        sheet
            .tab(24)
            .put(if on { Ink::Good } else { Ink::Bad }, format_args!("{}", if on { "ON" } else { "OFF" }))
            .end();
    }
    sheet.end();
    let body = if tasks.humans.counter.is_multiple_of(2) { "HAD ITS BODY" } else { "WAITED" };
    sheet.line(Ink::Dim, format_args!("CALL {} {body}", tasks.humans.counter));
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::super::tests::text_of;
    use crate::overlay::subjects::Subjects;
    use crate::tasks::humans::step::Switch;
    use crate::tasks::scenarios::{idle_engine, idle_tick};

    #[test]
    fn the_page_shows_full_pools_and_their_wheel() {
        let (mut tasks, mut world) = idle_engine();
        idle_tick(&mut tasks, &mut world);
        let text = text_of(Page::Tasks, &Subjects { tasks: Some(&tasks), ..Subjects::default() });
        assert!(text.contains("  384 / 384"), "objects");
        assert!(text.contains(" 1400 / 1400"), "particles");
        assert!(text.lines().any(|line| line.starts_with("WHEEL PLAY") && line.contains('#')));
    }

    #[test]
    fn a_switch_that_is_off_says_so() {
        let (mut tasks, _) = idle_engine();
        tasks.humans.set_switch(Switch::Brains, false);
        let text = text_of(Page::Steps, &Subjects { tasks: Some(&tasks), ..Subjects::default() });
        let line = |word: &str| text.lines().find(|line| line.contains(word)).unwrap().trim_end().to_owned();
        assert!(line("5 BRAINS").ends_with("OFF") && line("4 GANGS").ends_with("ON"));
        assert!(line("1 EFFECTS").starts_with('>'));
    }

    use std::borrow::ToOwned as _;
}
