//! Combat: commands start attacks, attacks' events switch strike shapes, strikes hurt.
//!
//! [`commands`] turns a pad's record into one command. [`dispatch`] reads a human's command and starts what its gates allow,
//! from the [`table`] of [`attacks`]; clips' events then move the held bits and switch bones in [`strikes`], which asks the
//! physics what they meet; [`hits`] is what a hit does to who is struck, [`wounds`] what it leaves, [`deeds`] what reaches things, and [`bodies`] what a
//! fight does to bodies. A brain's command comes the same way as a pad's.
//!
//! Source: humans and combat, Attacks; seed 000, Held flags.

pub mod attacks;
pub mod bodies;
pub mod commands;
pub mod deeds;
pub mod dispatch;
pub mod fight;
pub mod hits;
pub mod strikes;
pub mod table;
pub mod wounds;

pub use fight::Fight;
pub use table::{Bears, FightTable, Pace};
