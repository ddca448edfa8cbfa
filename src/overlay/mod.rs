//! The debug overlay, on the console's own screen.
//!
//! An [`Overlay`] is opened by Select, or by L3 and R3 together, and shows one of its [`Page`]s. Data flows one way: whoever
//! runs the frame lends [`Subjects`], references to the game's own values; a page in [`pages`] writes what it reads there on
//! a [`Sheet`] of characters, a few times a second; [`screen`] draws the sheet every frame as sprites in one batch, and
//! [`lines`] draws the world's invisible things as lines. The overlay changes nothing: what a person does on its pages comes
//! out of [`Overlay::step`] as [`Command`]s that the game root carries out. Its [`Meter`] and its rings of [`Events`] run
//! whether it is open or not.
//!
//! Nothing allocates, and everything but the pixels is tested on the host as text.
//!
//! Source: our own; the switches are seed 000, Humans_Update.

mod command;
pub mod demo;
mod events;
pub mod figures;
mod lens;
pub mod lines;
mod meter;
mod number;
pub mod pages;
mod screen;
mod sheet;
mod subjects;
mod tools;
mod watch;

pub use command::{Choice, Command, Layer, Layers, SWITCHES};
pub use events::{Event, Events, KEPT, Subsystem};
pub use meter::{Figure as SpanFigure, Frame, GRAPH_FRAMES, Meter, Span};
pub use number::{Bytes, Cycles, Fixed};
pub use pages::Page;
pub use sheet::{COLUMNS, Ink, ROWS, Sheet};
pub use subjects::{
    ClipFacts, Figure, HumanFacts, MemoryFacts, MoverFacts, NavigationLink, PoolFacts, StackedTask, Subjects,
    stream_figure,
};
pub use tools::{FreeCamera, SPAWNABLE, SPEEDS, Tools};

use crate::graphics::camera::Camera;
use crate::graphics::canvas::Canvas;
use crate::pads::button::{self, Buttons};
use crate::pads::{Direction, PadRecord};
use crate::tasks::world::View;
use lines::NearMesh;
use watch::Watch;

/// Frames from one writing of the page to the next: figures that change faster cannot be read.
const REFRESH_FRAMES: u32 = 6;
/// Buttons that open and close the overlay together.
const STICKS: Buttons = button::L3 | button::R3;
/// Buttons that make Select part of something else.
const SHOULDERS: Buttons = button::L1 | button::L2 | button::R1 | button::R2;
/// Buttons that the overlay reads while it is open.
const OWN: Buttons = button::UP
    | button::DOWN
    | button::LEFT
    | button::RIGHT
    | button::CROSS
    | button::L1
    | button::R1
    | button::SELECT
    | STICKS;

/// Requests of one step: more than one press never comes.
pub type Commands = heapless::Vec<Command, 4>;

/// The overlay.
#[derive(Default)]
pub struct Overlay {
    /// Where the frame's time goes.
    pub meter: Meter,
    /// What happened lately.
    pub events: Events,
    open: bool,
    page: Page,
    cursor: usize,
    human: u16,
    mover: u16,
    first_pool: u16,
    layers: Layers,
    tools: Tools,
    sheet: Sheet,
    watch: Watch,
    near: NearMesh,
    frames: u32,
    written: Option<(Page, u32)>,
}

impl Overlay {
    /// Whether it is shown.
    pub const fn is_open(&self) -> bool {
        self.open
    }

    /// Whether it is shown once it has stepped with this pad: what its pages say must be known by then.
    pub fn is_open_after(&self, pad: &PadRecord) -> bool {
        self.open != turns(pad)
    }

    /// Opens it on a page.
    pub fn open(&mut self, page: Page) {
        self.open = true;
        self.turn_to(page);
    }

    /// The page that is shown.
    pub const fn page(&self) -> Page {
        self.page
    }

    /// Which human the root should lend, and which mover.
    pub const fn wanted(&self) -> (u16, u16) {
        (self.human, self.mover)
    }

    /// True when the memory page wants its pools looked at.
    pub fn wants_memory(&self) -> bool {
        self.is_due() && self.page == Page::Memory
    }

    /// What the free camera sees while it flies; the game draws from there.
    pub fn camera(&self) -> Option<View> {
        self.tools.camera.map(|camera| camera.view())
    }

    /// The free camera while it flies.
    pub const fn flying(&self) -> Option<FreeCamera> {
        self.tools.camera
    }

    /// What is drawn in the world.
    pub const fn layers(&self) -> Layers {
        self.layers
    }

    /// Draws these layers from now on.
    pub const fn set_layers(&mut self, layers: Layers) {
        self.layers = layers;
    }

    /// Buttons that the game must not see now: the overlay's own while it is open. Sticks stay the game's unless the camera
    /// flies.
    pub const fn taken_buttons(&self) -> Buttons {
        if self.open { OWN } else { 0 }
    }

    /// Whether the sticks fly the camera instead of moving the player.
    pub const fn takes_sticks(&self) -> bool {
        self.tools.camera.is_some()
    }

    /// Reads the pad: opens, closes, turns pages, moves the cursor and gives what was asked for. `seconds` is real time.
    pub fn step(&mut self, pad: &PadRecord, seconds: f32, subjects: &Subjects<'_>) -> Commands {
        let mut commands = Commands::new();
        if turns(pad) {
            self.open = !self.open;
            self.written = None;
        }
        if let Some(camera) = &mut self.tools.camera {
            camera.fly(pad.reading(), pad.held(button::R2) != 0, seconds);
        }
        if !self.open {
            return commands;
        }
        for (shoulder, by) in [(button::L1, -1), (button::R1, 1)] {
            if pad.newly_pressed(shoulder) {
                self.turn_to(self.page.turned(by));
            }
        }
        let choices = self.page.choices();
        let Some(choice) = choices.get(self.cursor).copied() else { return commands };
        let last = choices.len() - 1;
        if pad.repeats(Direction::Up) {
            self.cursor = self.cursor.checked_sub(1).unwrap_or(last);
            self.written = None;
        }
        if pad.repeats(Direction::Down) {
            self.cursor = if self.cursor == last { 0 } else { self.cursor + 1 };
            self.written = None;
        }
        for (direction, by) in [(Direction::Left, -1), (Direction::Right, 1)] {
            if pad.repeats(direction) {
                commands.extend(self.adjust(choice, by, subjects));
                self.written = None;
            }
        }
        if pad.newly_pressed(button::CROSS) {
            commands.extend(self.activate(choice, subjects));
            self.written = None;
        }
        commands
    }

    fn turn_to(&mut self, page: Page) {
        self.page = page;
        self.cursor = 0;
        self.written = None;
    }

    fn activate(&mut self, choice: Choice, subjects: &Subjects<'_>) -> Option<Command> {
        match choice {
            Choice::Step(switch) => Some(Command::StepSwitch(switch, !subjects.tasks?.humans.is_on(switch))),
            Choice::Vu0 => Some(Command::UseVu0(!subjects.vu0?)),
            Choice::Human | Choice::Mover | Choice::Pools => self.adjust(choice, 1, subjects),
            Choice::Layer(layer) => {
                self.layers.toggle(layer);
                None
            }
            _ => self.tools.activate(choice, subjects),
        }
    }

    fn adjust(&mut self, choice: Choice, by: i16, subjects: &Subjects<'_>) -> Option<Command> {
        let turned = |index: u16, count: u16| (index as i16 + by).rem_euclid(count.max(1) as i16) as u16;
        match choice {
            Choice::Human => self.human = turned(self.human, subjects.humans),
            Choice::Mover => self.mover = turned(self.mover, subjects.movers),
            Choice::Pools => {
                let pools = subjects.memory.map_or(0, |memory| memory.pools.len());
                self.first_pool = turned(self.first_pool, pools as u16);
            }
            Choice::Layer(_) | Choice::Step(_) | Choice::Vu0 => return self.activate(choice, subjects),
            _ => return self.tools.adjust(choice, by.into(), subjects),
        }
        None
    }

    /// Whether the page is written in this frame.
    fn is_due(&self) -> bool {
        self.open
            && self
                .written
                .is_none_or(|(page, frame)| page != self.page || self.frames.wrapping_sub(frame) >= REFRESH_FRAMES)
    }

    /// Looks at the game once a frame: notes what happened, and writes the page when its time has come.
    pub fn look(&mut self, subjects: &Subjects<'_>) {
        self.frames = self.frames.wrapping_add(1);
        self.events.set_frame(self.frames);
        self.watch.look(subjects, self.meter.late(), &mut self.events);
        if self.is_due() {
            self.write(subjects);
            self.written = Some((self.page, self.frames));
        }
    }

    fn write(&mut self, subjects: &Subjects<'_>) {
        let sheet = &mut self.sheet;
        sheet.clear();
        let number = self.page as usize + 1;
        sheet.put(Ink::Title, format_args!("{}", self.page.title()));
        let count = Page::ALL.len();
        sheet.tab(COLUMNS - 7).put(Ink::Dim, format_args!("{number:>2} / {count}"));
        let chosen = self.page.choices().get(self.cursor).copied();
        let look = pages::Look {
            subjects,
            meter: &self.meter,
            events: &self.events,
            chosen,
            layers: self.layers,
            first_pool: self.first_pool.into(),
            tools: &self.tools,
        };
        pages::write(self.page, sheet, &look);
        let hint = if chosen.is_some() { "L1 R1 PAGE   UP DOWN CHOOSE   X CHANGE" } else { "L1 R1 PAGE" };
        sheet.at(ROWS - 1, 0).put(Ink::Dim, format_args!("{hint}"));
        sheet.tab(COLUMNS - 12).put(Ink::Dim, format_args!("SELECT CLOSE"));
    }

    /// Draws the chosen layers of the world as `camera` sees it; the canvas must ignore depth. Answers the lines drawn.
    pub fn draw_world(&mut self, canvas: &mut Canvas<'_, '_>, camera: &Camera, subjects: &Subjects<'_>) -> usize {
        if self.layers.is_empty() {
            return 0;
        }
        lines::draw(self.layers, subjects, &mut self.near, canvas, camera)
    }

    /// What is on the screen, as text.
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }
}

/// Whether the pad asks for an overlay that is shut, or would shut an open one.
fn turns(pad: &PadRecord) -> bool {
    let select = pad.newly_pressed(button::SELECT) && pad.held(SHOULDERS) == 0;
    select || pad.combo_pressed(STICKS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::time;
    use crate::maths::Vec3;
    use crate::pads::Reading;
    use crate::tasks::humans::step::Switch;
    use crate::tasks::scenarios::empty_engine;

    /// A person at the overlay.
    struct Person {
        overlay: Overlay,
        pad: PadRecord,
        now: u64,
    }

    impl Person {
        fn new() -> Self {
            Self { overlay: Overlay::default(), pad: PadRecord::default(), now: 0 }
        }

        fn press(&mut self, buttons: Buttons, subjects: &Subjects<'_>) -> Commands {
            let mut all = Commands::new();
            for buttons in [buttons, 0] {
                self.now += time::STEP;
                self.pad.sample(Some(Reading { buttons, ..Reading::default() }), self.now);
                let open = self.overlay.is_open_after(&self.pad);
                all.extend(self.overlay.step(&self.pad, 1.0 / 30.0, subjects));
                assert_eq!(open, self.overlay.is_open(), "it is known before the step");
                self.overlay.look(subjects);
            }
            all
        }

        fn row(&self, index: usize) -> &str {
            self.overlay.sheet().rows().nth(index).unwrap_or_default()
        }
    }

    #[test]
    fn select_and_both_sticks_open_and_close_it() {
        let mut person = Person::new();
        let nothing = Subjects::default();
        for buttons in [button::SELECT, STICKS] {
            person.press(buttons, &nothing);
            assert!(person.overlay.is_open() && person.overlay.taken_buttons() & button::CROSS != 0);
            person.press(buttons, &nothing);
            assert!(!person.overlay.is_open() && person.overlay.taken_buttons() == 0);
        }
        person.press(button::RESET, &nothing);
        assert!(!person.overlay.is_open(), "the reset combination has Select in it");
    }

    #[test]
    fn shoulders_turn_the_pages_around() {
        let mut person = Person::new();
        person.press(button::SELECT, &Subjects::default());
        for page in Page::ALL {
            assert_eq!(person.overlay.page(), page);
            assert!(person.row(0).starts_with(page.title()), "{}", person.row(0));
            person.press(button::R1, &Subjects::default());
        }
        assert_eq!(person.overlay.page(), Page::Frame);
        person.press(button::L1, &Subjects::default());
        assert_eq!(person.overlay.page(), Page::Build);
    }

    #[test]
    fn a_switch_is_asked_for_and_shown_once_it_is_turned() {
        let mut tasks = empty_engine();
        let mut person = Person::new();
        person.overlay.open(Page::Steps);
        person.press(button::DOWN, &Subjects { tasks: Some(&tasks), ..Subjects::default() });
        let commands = person.press(button::CROSS, &Subjects { tasks: Some(&tasks), ..Subjects::default() });
        assert_eq!(commands[..], [Command::StepSwitch(Switch::Pads, false)]);
        tasks.humans.set_switch(Switch::Pads, false);
        for _ in 0..REFRESH_FRAMES {
            person.press(0, &Subjects { tasks: Some(&tasks), ..Subjects::default() });
        }
        let row = (0..ROWS).map(|row| person.row(row)).find(|row| row.contains("2 PADS")).unwrap();
        assert!(row.starts_with('>') && row.ends_with("OFF"), "{row}");
    }

    #[test]
    fn the_page_is_written_a_few_times_a_second_and_at_once_when_something_is_pressed() {
        let mut person = Person::new();
        person.overlay.open(Page::Frame);
        let mut written = 0;
        for _ in 0..30 {
            let before = person.overlay.written;
            person.overlay.look(&Subjects::default());
            written += u32::from(person.overlay.written != before);
        }
        assert_eq!(written, 30 / REFRESH_FRAMES);
        person.press(button::R1, &Subjects::default());
        assert!(person.row(0).starts_with("MEMORY"));
    }

    #[test]
    fn the_camera_takes_the_sticks_while_it_flies() {
        let mut person = Person::new();
        let subjects = Subjects { player: Some((Vec3::ZERO, 0.0)), ..Subjects::default() };
        person.overlay.open(Page::Tools);
        for _ in 0..3 {
            person.press(button::DOWN, &subjects);
        }
        assert!(person.press(button::CROSS, &subjects).is_empty());
        assert!(person.overlay.takes_sticks() && person.overlay.camera().is_some());
    }

    #[test]
    fn every_pool_comes_into_sight_however_many_there_are() {
        let mut person = Person::new();
        let name = |number: usize| {
            let mut name = std::string::String::from("pool-");
            name.push(char::from(b'a' + number as u8));
            name
        };
        let pool = |number| PoolFacts {
            id: None,
            name: crate::memory::Name::new(&name(number)),
            depth: 0,
            usable: 100,
            in_use: 1,
            most: 1,
        };
        let memory = MemoryFacts { pools: (0..20).map(pool).collect(), ..MemoryFacts::default() };
        let subjects = Subjects { memory: Some(&memory), ..Subjects::default() };
        let mut seen = std::collections::BTreeSet::new();
        person.overlay.open(Page::Memory);
        for _ in 0..20 {
            person.press(button::RIGHT, &subjects);
            seen.extend((0..20).filter(|&number| (0..ROWS).any(|row| person.row(row).contains(&name(number)))));
        }
        assert_eq!(seen.len(), 20);
        assert_eq!(person.overlay.first_pool, 0, "around the end");
    }

    #[test]
    fn humans_and_movers_are_chosen_around_both_ends() {
        let mut person = Person::new();
        let subjects = Subjects { humans: 3, movers: 0, ..Subjects::default() };
        person.overlay.open(Page::Human);
        person.press(button::LEFT, &subjects);
        assert_eq!(person.overlay.wanted(), (2, 0));
        person.press(button::RIGHT, &subjects);
        assert_eq!(person.overlay.wanted(), (0, 0));
        person.overlay.open(Page::Motion);
        person.press(button::RIGHT, &subjects);
        assert_eq!(person.overlay.wanted(), (0, 0));
    }
}
