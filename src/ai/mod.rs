//! Brains: who decides for the humans that no pad drives.
//!
//! A [`brain::Brain`] works on the newest of its [`brain::Goal`]s, and on one [`brain::Action`] at a time; both come from
//! pools that all brains share. On one step in five it thinks, which may change the goal; on every step it
//! updates, which writes what it asks of the locomotion and, when its human's held bits allow, a command into the same field
//! as a pad. Ways to places go through the motion system ([`walk`]), and so do
//! the commands of pads that give some ([`commanded`]). Gangs and formations are the TaskEngine's; [`gang`] says where
//! followers walk, [`news`] what brains and gangs make of what they hear.
//!
//! Source: seed 000, Humans_Update (steps 4 and 5); humans and combat, AI locomotion and Attacks.

pub mod brain;
pub mod brains;
pub mod commanded;
pub mod gang;
pub mod news;
#[cfg(test)]
mod tests;
pub mod walk;

pub use brain::{Action, Brain, Goal, Temper};
pub use brains::Brains;
pub use walk::{Destination, Walk, Way};
