//! Mode 6: the memory card, checked at start-up and written when progress is to be saved.
//!
//! [`image`] is how a save looks as bytes: a header with a generation and a checksum before the contents. The card holds
//! two of them, and [`mod@choose`] says which one is read and which one the next save overwrites: always the older, so that a
//! card that is pulled during a write still holds the save before. [`MemoryCard`] is the mode's course from screen to
//! screen. The [`Card`] is [`folder`], which speaks to the cards' server, with an [`icon`] for the console's browser.
//!
//! Source: seed 003, Game mode (Gm_MemoryCard) and main, step 9; settled questions 23.

pub mod choose;
pub mod folder;
pub mod icon;
pub mod image;
mod mode;

#[cfg(test)]
pub(crate) mod tests;

pub use choose::FILES;
pub use mode::{Card, CardError, CardHost, CardScreen, CardState, MemoryCard, Reply, Task};
