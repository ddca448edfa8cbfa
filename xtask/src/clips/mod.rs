//! Clips: readable sources in `iso/clips/`, compiled for the game.
//!
//! A source names poses and clips by controls that an animator thinks in: hips, spine, head, where hands and feet are
//! ([`controls`]). [`source`] reads the text, [`curve`] runs smoothly through the keys, [`gait`] adds the cycle of a walk or
//! run, [`steps`] lifts feet that move, [`body`] turns the controls of one frame into rotations of bones (feet and hands by inverse kinematics, so that a
//! planted foot stays where it is), and [`mod@compile`] makes whole clips of it in the engine's format. [`sheet`] draws a contact
//! sheet of every clip, to be looked at.

pub mod body;
pub mod compile;
pub mod controls;
pub mod curve;
pub mod gait;
pub mod sheet;
pub mod source;
pub mod steps;
#[cfg(test)]
mod tests;

pub use compile::{compile, compile_folder};
pub use source::{Source, read};
