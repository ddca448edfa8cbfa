//! Saving: what is written, and what the card's screens say.

use super::Game;
use super::machine::Machine;
use super::screens::{Backdrop, Screen};
use super::state::{GameState, SAVED_BYTES};
use crate::game_modes::leave::push_save_if_due;
use crate::game_modes::memory_card::image::HEADER_BYTES;
use crate::game_modes::memory_card::{Card, CardHost, CardScreen, CardState, MemoryCard, Reply, Task};
use crate::game_modes::menu::MenuEvent;
use crate::game_modes::{ModeId, ScreenHost as _, Stay};
use crate::pads::{PORTS, button};

/// Bytes of a whole save: header and contents, and room for what a card adds to whole clusters.
pub const BUFFER_BYTES: usize = 1024;

const _: () = assert!(HEADER_BYTES + SAVED_BYTES <= BUFFER_BYTES);

/// Buttons that bring the picture of the console's region back.
const PLAIN_PICTURE: u16 = button::L2 | button::R2;

/// The save screen's items.
mod item {
    pub const SAVE: u8 = 0;
    pub const LOAD: u8 = 1;
    pub const FORGET: u8 = 2;
}

impl<M: Machine> CardHost for Game<M> {
    fn memory_card(&mut self) -> &mut MemoryCard {
        &mut self.modes.card
    }
    fn card(&mut self) -> (&mut dyn Card, &mut [u8]) {
        (self.machine.card(), &mut self.save_buffer)
    }
    fn write_progress(&mut self) -> usize {
        self.state.save(&mut self.save_buffer[HEADER_BYTES..])
    }
    fn read_progress(&mut self, length: usize) {
        let contents = self.save_buffer.get(HEADER_BYTES..).and_then(|rest| rest.get(..length)).unwrap_or_default();
        let loaded = self.state.load(contents);
        self.modes.settings_changed &= !loaded;
        // Whoever sees nothing holds these while the card is read.
        let pads = &self.input.pads;
        if (0..PORTS).any(|port| pads.get(port).is_some_and(|pad| pad.held(PLAIN_PICTURE) == PLAIN_PICTURE)) {
            self.state.settings.video = None;
            self.modes.settings_changed = true;
        }
        self.apply_settings();
        let verdict = if loaded { "loaded" } else { "is none of this version" };
        self.machine.print(format_args!("SAVE of {length} bytes {verdict}"));
    }
    fn save_settled(&mut self) {
        self.modes.save_due = false;
        self.modes.settings_changed = false;
    }
    fn show_card_screen(&mut self, screen: CardScreen) -> Reply {
        if self.card_told != Some(screen) {
            self.card_told = Some(screen);
            self.machine.print(format_args!("CARD {screen:?}"));
        }
        let words = card_screen(screen);
        self.show(words);
        self.read_input();
        let (reply, event) = if self.input.pads.any_pressed(button::CROSS) {
            (Reply::Yes, MenuEvent::Chosen(0))
        } else if self.input.pads.any_pressed(button::TRIANGLE) {
            (Reply::No, MenuEvent::Back)
        } else {
            (Reply::Waiting, MenuEvent::None)
        };
        // What works by itself asks nothing.
        if !matches!(screen, CardScreen::Checking | CardScreen::Saving | CardScreen::Done) {
            self.play_menu_sound(event);
        }
        reply
    }
}

/// What the card's screens say.
fn card_screen(screen: CardScreen) -> Screen {
    const AGAIN: &str = "CROSS: TRY AGAIN   TRIANGLE: GO ON WITHOUT";
    let mut words = Screen::new(Backdrop::Night, "MEMORY CARD");
    let (lines, foot): (&[&str], &str) = match screen {
        CardScreen::Checking => (&["LOOKING AT THE MEMORY CARD IN SLOT 1.", "PLEASE DO NOT REMOVE IT."], ""),
        CardScreen::Saving => (&["SAVING TO THE MEMORY CARD IN SLOT 1.", "PLEASE DO NOT REMOVE IT."], ""),
        CardScreen::Problem(CardState::Absent) => {
            (&["THERE IS NO MEMORY CARD IN SLOT 1.", "WITHOUT IT NOTHING CAN BE SAVED."], AGAIN)
        }
        CardScreen::Problem(CardState::Unformatted) => {
            (&["THE MEMORY CARD IN SLOT 1 IS NOT FORMATTED."], "CROSS: FORMAT IT   TRIANGLE: GO ON WITHOUT")
        }
        CardScreen::Problem(CardState::Full) => (&["THE MEMORY CARD IN SLOT 1 IS FULL.", "SAVING NEEDS 40 KB."], AGAIN),
        CardScreen::Problem(_) => (&["THE MEMORY CARD CANNOT BE USED."], AGAIN),
        CardScreen::AskFormat => (
            &["FORMATTING ERASES EVERYTHING ON THE CARD.", "FORMAT THE MEMORY CARD IN SLOT 1?"],
            "CROSS: FORMAT   TRIANGLE: DO NOT",
        ),
        CardScreen::AskOverwrite => (
            &["THE CARD HOLDS ANOTHER SAVE OF THIS GAME.", "IT WAS NOT LOADED. WRITE OVER IT?"],
            "CROSS: WRITE OVER IT   TRIANGLE: KEEP IT",
        ),
        CardScreen::Failed(_) | CardScreen::Done => (&[], AGAIN),
    };
    if let CardScreen::Failed(error) = screen {
        words.line(format_args!("IT DID NOT WORK: {error}."));
        words.line(format_args!("THE LAST GOOD SAVE IS STILL THERE."));
    }
    for line in lines {
        words.line(format_args!("{line}"));
    }
    words.foot(foot);
    words
}

impl<M: Machine> Game<M> {
    /// What the save screen's item does.
    pub(super) fn choose_save(&mut self, chosen: u8) -> Stay {
        match chosen {
            item::SAVE => {
                self.modes.card.task = Task::Save;
                self.push_mode(ModeId::MemoryCard);
            }
            item::LOAD => {
                self.modes.card.task = Task::BootCheck;
                self.push_mode(ModeId::MemoryCard);
            }
            item::FORGET => {
                // The picture stays: another one might not be seen.
                let video = self.state.settings.video;
                self.state = GameState { qa: self.state.qa, ..GameState::NEW };
                self.state.settings.video = video;
                self.apply_settings();
                // What was forgotten here is not at once forgotten on the card too.
                self.modes.settings_changed = false;
                self.modes.card.forget();
            }
            _ => {}
        }
        Stay::Stay
    }

    /// Sends settings that have changed to the card, unless the player goes on without one; true when the card's mode has come
    /// for that.
    ///
    /// Our choice: the title's list asks for this whenever it is shown, so that no way out of the options, of the picture's or
    /// the first start's question or of a pause loses what was chosen.
    pub(super) fn keep_settings(&mut self) -> bool {
        if !self.modes.settings_changed || self.modes.card.is_declined() {
            return false;
        }
        self.modes.save_due = true;
        push_save_if_due(self);
        self.stack.top() == Some(ModeId::MemoryCard)
    }
}
