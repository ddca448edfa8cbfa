//! Game modes: which screen or state of the game is on, and the frame that it runs.
//!
//! A mode is a set of functions over the game ([`GameMode`]); its state lives in the game like everything else. The
//! [`ModeStack`] says which modes are on and which of them runs: the one on top. The program's main loop is
//! [`run_until_empty`], which enters the top mode when it is new, calls its update, and pops it when the update says so.
//! There is no other loop and no pacing in it: each update draws and presents its own frame. [`frame`] is the frame of a
//! mode that runs the world; [`leave`] is what follows when a mission is over. [`menu`] is what the modes share that are menus, and
//! [`memory_card`] is saving.
//!
//! Modes push and pop each other from inside their updates. Since a push only names a mode and all state is the game's, the
//! functions take effect at once, as the originals do.
//!
//! Source: seed 003, Game mode and The main loop; support systems, GameTimer, mode stack, frame.

mod counter;
pub mod effect;
mod error_screen;
pub mod frame;
mod freeze;
mod gameplay;
mod id;
pub mod leave;
mod legal;
mod level_flow;
pub mod memory_card;
pub mod menu;
mod mission;
mod mode;
mod pause;
mod screens;
mod stack;

#[cfg(test)]
pub(crate) mod fake;

pub use counter::{FrameCounter, TEXT_BYTES as COUNTER_BYTES};
pub use error_screen::{ErrorHost, ErrorScreen, push_error_if_needed};
pub use freeze::{Freeze, FreezeHost, push_freeze};
pub use gameplay::{Gameplay, GameplayHost, LEVEL_END_COUNTDOWN};
pub use id::ModeId;
pub use legal::{HOLD_MS, LegalHost, LegalScreen};
pub use level_flow::{LevelFlow, LevelFlowHost};
pub use mission::{FailedChoice, MissionComplete, MissionFailed, MissionHost, launch_mission_complete};
pub use mode::{GameMode, ModeClock, ModeHost, ModeTable, Stay, VIEWPORTS};
pub use pause::{Pause, PauseHost, PauseOutcome};
pub use screens::{
    ArcadeGameOver, ArenaMenus, ArenaResult, MissionSelect, ProfileManager, SaveScreens, ScreenHost, Statistics,
};

/// Room for an array that is indexed by a mode's number.
pub const MODE_NUMBERS: usize = ModeId::NUMBERS;
pub use stack::{MOST_MODES, ModeError, ModeStack, elapsed_since_last, pop, push, run_once, run_until_empty};
