//! The pages: each writes one subject on the sheet.
//!
//! A page reads plain references and writes text, so what it says is tested on the host; it never changes what it shows.
//! Rows that can be chosen are named by [`Page::choices`] in the order of the cursor.

mod boot;
mod devices;
mod frame;
mod human;
mod memory;
mod modes;
mod motion;
mod physics;
mod tasks;
mod tools;

use super::command::{Choice, Layer, Layers, SWITCHES};
use super::events::Events;
use super::meter::Meter;
use super::sheet::{Ink, Sheet};
use super::subjects::{Figure, Subjects};
use core::fmt;

/// The overlay's pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Page {
    /// Where the frame's time goes.
    #[default]
    Frame,
    /// The pools.
    Memory,
    /// The TaskEngine.
    Tasks,
    /// Its character step, switch by switch.
    Steps,
    /// The physics world.
    Physics,
    /// One human.
    Human,
    /// One mover of the motion system.
    Motion,
    /// Modes and timers.
    Modes,
    /// Start-up.
    Boot,
    /// The I/O processor and streams.
    Streams,
    /// Recent events.
    Events,
    /// What is drawn in the world.
    World,
    /// Freeze, step, slow motion, camera, teleport, spawn.
    Tools,
    /// Build and hardware.
    Build,
}

impl Page {
    /// Every page in order.
    pub const ALL: [Self; 14] = [
        Self::Frame,
        Self::Memory,
        Self::Tasks,
        Self::Steps,
        Self::Physics,
        Self::Human,
        Self::Motion,
        Self::Modes,
        Self::Boot,
        Self::Streams,
        Self::Events,
        Self::World,
        Self::Tools,
        Self::Build,
    ];

    /// Its name, in capitals for the screen.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Frame => "FRAME",
            Self::Memory => "MEMORY",
            Self::Tasks => "TASKS",
            Self::Steps => "CHARACTER STEP",
            Self::Physics => "PHYSICS",
            Self::Human => "HUMAN",
            Self::Motion => "MOTION",
            Self::Modes => "MODES AND TIMERS",
            Self::Boot => "BOOT",
            Self::Streams => "IOP AND STREAMS",
            Self::Events => "EVENTS",
            Self::World => "WORLD DRAWING",
            Self::Tools => "TOOLS",
            Self::Build => "BUILD AND HARDWARE",
        }
    }

    /// Its name as arguments spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Memory => "memory",
            Self::Tasks => "tasks",
            Self::Steps => "steps",
            Self::Physics => "physics",
            Self::Human => "human",
            Self::Motion => "motion",
            Self::Modes => "modes",
            Self::Boot => "boot",
            Self::Streams => "streams",
            Self::Events => "events",
            Self::World => "world",
            Self::Tools => "tools",
            Self::Build => "build",
        }
    }

    /// The page of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|page| page.name() == name)
    }

    /// The page `by` pages further, around the end.
    pub fn turned(self, by: isize) -> Self {
        let count = Self::ALL.len() as isize;
        let index = (self as isize + by).rem_euclid(count);
        Self::ALL.get(index as usize).copied().unwrap_or_default()
    }

    /// What can be chosen on it, from the top down.
    pub fn choices(self) -> heapless::Vec<Choice, { SWITCHES.len() }> {
        match self {
            Self::Steps => SWITCHES.into_iter().map(|(switch, _)| Choice::Step(switch)).collect(),
            Self::Memory => [Choice::Pools].into_iter().collect(),
            Self::Physics => [Choice::Vu0].into_iter().collect(),
            Self::Human => [Choice::Human].into_iter().collect(),
            Self::Motion => [Choice::Mover].into_iter().collect(),
            Self::World => Layer::ALL.into_iter().map(Choice::Layer).collect(),
            Self::Tools => {
                [Choice::Freeze, Choice::SingleStep, Choice::Slow, Choice::FreeCamera, Choice::Teleport, Choice::Spawn]
                    .into_iter()
                    .collect()
            }
            _ => heapless::Vec::new(),
        }
    }
}

/// What a page reads.
pub struct Look<'a> {
    /// The game.
    pub subjects: &'a Subjects<'a>,
    /// The frame's time.
    pub meter: &'a Meter,
    /// The rings.
    pub events: &'a Events,
    /// What the cursor is on.
    pub chosen: Option<Choice>,
    /// What is drawn in the world.
    pub layers: Layers,
    /// The first pool of the list that is shown.
    pub first_pool: usize,
    /// The tools' state.
    pub tools: &'a super::tools::Tools,
}

impl Look<'_> {
    /// Bright for what the cursor is on, else `ink`.
    fn ink(&self, choice: Choice, ink: Ink) -> Ink {
        if self.chosen == Some(choice) { Ink::Chosen } else { ink }
    }
}

/// Writes `page` on the sheet below its first row.
pub fn write(page: Page, sheet: &mut Sheet, look: &Look<'_>) {
    sheet.at(FIRST_ROW, 0);
    match page {
        Page::Frame => frame::write(sheet, look),
        Page::Memory => memory::write(sheet, look),
        Page::Tasks => tasks::write(sheet, look),
        Page::Steps => tasks::write_steps(sheet, look),
        Page::Physics => physics::write(sheet, look),
        Page::Human => human::write(sheet, look),
        Page::Motion => motion::write(sheet, look),
        Page::Modes => modes::write(sheet, look),
        Page::Boot => boot::write(sheet, look),
        Page::Streams => devices::write_streams(sheet, look),
        Page::Events => devices::write_events(sheet, look),
        Page::World => tools::write_layers(sheet, look),
        Page::Tools => tools::write(sheet, look),
        Page::Build => devices::write_build(sheet, look),
    }
}

/// The first row that pages write on, and the last.
pub const FIRST_ROW: usize = 1;
/// The last row that pages write on.
pub const LAST_ROW: usize = super::sheet::ROWS - 2;

/// Says that a page has no subject in this scene.
fn absent(sheet: &mut Sheet, what: fmt::Arguments<'_>) {
    sheet.at(8, 4).put(Ink::Dim, format_args!("THERE IS NO {what} IN THIS SCENE"));
}

/// A row with a name, a count of a capacity and a bar.
fn occupancy(sheet: &mut Sheet, name: &str, count: usize, capacity: usize, refused: u32) {
    const BAR: usize = 16;
    let share = if capacity == 0 { 0.0 } else { count as f32 / capacity as f32 };
    let ink = match share {
        share if share >= 1.0 => Ink::Bad,
        share if share >= 0.85 => Ink::Warn,
        _ => Ink::Good,
    };
    sheet.tab(0).put(Ink::Dim, format_args!("{name}"));
    sheet.tab(16).put(Ink::Plain, format_args!("{count:>5} / {capacity:<5}"));
    sheet.tab(30).bar(BAR, share, None, ink);
    if refused != 0 {
        sheet.tab(47).put(Ink::Bad, format_args!("-{refused}"));
    }
    sheet.end();
}

/// Named numbers in two columns.
fn figures(sheet: &mut Sheet, figures: &[Figure]) {
    const WIDTH: usize = 25;
    for pair in figures.chunks(2) {
        if sheet.row() > LAST_ROW {
            break;
        }
        for (figure, column) in pair.iter().zip([0, WIDTH + 2]) {
            let ink = match figure.limit {
                Some(limit) if figure.value >= limit => Ink::Bad,
                _ => Ink::Plain,
            };
            sheet.field(column, WIDTH, figure.name, ink, figure.value);
        }
        sheet.end();
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::tools::Tools;
    use super::*;
    use std::string::String;

    /// What a page says of some subjects.
    pub fn text_of(page: Page, subjects: &Subjects<'_>) -> String {
        let (mut sheet, meter, events, tools) =
            (Sheet::default(), Meter::default(), Events::default(), Tools::default());
        let chosen = page.choices().first().copied();
        let look = Look {
            subjects,
            meter: &meter,
            events: &events,
            chosen,
            layers: Layers::default(),
            first_pool: 0,
            tools: &tools,
        };
        write(page, &mut sheet, &look);
        assert_eq!(sheet.cut(), 0, "{page:?} is larger than the sheet");
        let text = sheet.rows().fold(String::new(), |text, row| text + row + "\n");
        std::println!("{text}");
        text
    }

    #[test]
    fn pages_turn_around_both_ends() {
        assert_eq!(Page::Frame.turned(-1), Page::Build);
        assert_eq!(Page::Build.turned(1), Page::Frame);
        assert!(Page::ALL.into_iter().enumerate().all(|(index, page)| page as usize == index));
    }

    #[test]
    fn every_page_is_found_by_its_name_and_says_something_without_subjects() {
        for page in Page::ALL {
            assert_eq!(Page::from_name(page.name()), Some(page));
            assert!(text_of(page, &Subjects::default()).trim().len() > 10, "{page:?}");
        }
    }

    #[test]
    fn full_pools_stand_out() {
        let mut sheet = Sheet::default();
        occupancy(&mut sheet, "FULL", 60, 60, 2);
        occupancy(&mut sheet, "HALF", 30, 60, 0);
        let inks: std::vec::Vec<Ink> = sheet.bars().iter().map(|bar| bar.ink).collect();
        assert_eq!(inks, [Ink::Bad, Ink::Good]);
        assert!(sheet.rows().next().is_some_and(|row| row.ends_with("-2")));
    }
}
