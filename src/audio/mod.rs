//! Sound from the game's side.
//!
//! Sounds lie in the sound memory as one [`bank`], loaded once; music is streamed from the disc by the module on the IOP. The
//! game asks for sounds by name.
//!
//! Source: settled questions 22.

pub mod bank;
