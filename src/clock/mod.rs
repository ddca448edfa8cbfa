//! Time: the console's counter as ticks, and the game's own clock over it.
//!
//! A [`Timer`] turns readings of the 32-bit cycle counter into a 64-bit total; a [`Source`] decides whether a frame's real
//! time is that total or, for runs that must repeat exactly, one fixed step a frame. The [`GameTimer`] makes game time of
//! real time: fixed steps or real ones, scaled, capped, paused and frozen; a [`StopWatch`] counts parts of it. Once a frame the real time and a few facts of
//! the world go in as arguments, game time comes out, and nothing below a frame reads a clock.
//!
//! Everything counts ticks of 294,912,000 a second ([`time`]).
//!
//! Source: seed 003, Timers; support systems, GameTimer, mode stack, frame; settled questions 1, 6, 7 and 8.

mod game_timer;
mod source;
mod stop_watch;
pub mod time;
mod timer;

#[cfg(test)]
mod sentences;

pub use game_timer::{Conditions, ContinueButton, GameTimer, PauseChange, PlayerCamera};
pub use source::Source;
pub use stop_watch::StopWatch;
pub use timer::Timer;
