//! Runs of the genuine PCSX2 with our boot ROM, headless or in a window, and what comes out of them: the guest's console, pictures,
//! and a verdict.
//!
//! A [`Machine`] describes the emulated console. [`Session::start`] writes its settings into a folder of the run's own, starts a virtual
//! display if one is asked for, and the emulator on it; the emulator's coloured output is told apart into the guest's lines and its own
//! chatter ([`console`]). A guardian process stands by and removes processes and folder should this program die without a word.
//! [`run()`] is a whole run as the verbs want it: lines to the terminal, an end by the guest's marker or by time, a picture of the last frame.

pub mod arguments;
pub mod card;
pub mod console;
mod display;
mod folder;
mod ini;
pub mod keys;
mod machine;
pub mod picture;
mod prepare;
mod run;
mod second;
mod session;
mod settings;

pub use console::{Ending, GuestLine, Side};
pub use keys::Button;
pub use machine::{Boot, Display, Machine, Mode, OwnEmulator, Renderer, Sound};
pub use run::{RunOptions, RunOutcome, Verdict, run};
pub use session::{Event, Session, Wait};
