//! Level streaming: which parts of a level are in memory.
//!
//! A level is one file that is always there and [`Part`]s that come and go with the players' places. The [`Streamer`] names
//! the part that is to come next, makes room for it in the Sector Pool by ending those that nobody was near for longest, and
//! opens a pool of the part's own for it; the file manager brings the bytes, and whoever reads them says when the part
//! stands. [`preload()`] does so before play, waiting, for everything within [`PRELOAD_METRES`]; during play the frame asks for
//! one part at a time. [`init_level()`] is the order in which a level begins, over a [`LevelHost`] that does the steps.
//!
//! Data flows: manifest -> streamer -> request -> file manager -> region of the part's pool -> reader of the part.
//!
//! Source: support systems, Memory and Level loading order.

mod init_level;
mod loading;
mod part;
mod preload;
mod streamer;

pub use init_level::{INTRO_MOVIE_BYTES, LevelHost, LevelStart, init_level};
pub use loading::{ARENA_MS, FADE_MS, LoadingScreen, STORY_MS};
pub use part::{Part, PartIndex, PartState};
pub use preload::{
    Arrivals, LendMemory, PRELOAD_METRES, PRELOAD_MS, PRELOAD_SHORT_MS, Preloaded, preload, preload_budget,
};
pub use streamer::{Loaded, MAX_PARTS, Missed, Reserve, Streamer, Wanted};
