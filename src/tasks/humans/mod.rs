//! The characters' step: when each part of a character's frame runs, who writes commands, and which bits say that a
//! move has handed control back.
//!
//! [`step`] is the order of Humans_Update; what each step does is behind [`step::Characters`]. [`records`] hold the
//! commands that pads and brains write and the dispatcher reads. [`held`] keeps the bits that clips hold while they
//! play, [`gates`] are the readers of those bits. [`lists`] and [`groups`] are the pools of goals, actions, gangs, formations
//! and paths, which the AI fills. [`events`] is the order in which a human's event reaches its handlers,
//! and [`messages`] what a human understands.

pub mod events;
pub mod gates;
pub mod groups;
pub mod held;
pub mod lists;
pub mod messages;
pub mod records;
pub mod step;

/// Characters that may live at once. Source: seed 000, Task classes and pools.
pub const HUMANS: usize = 60;
/// Brains. Source: seed 000, Task classes and pools.
pub const BRAINS: usize = 60;
/// Goals of all brains. Source: seed 000, Task classes and pools.
pub const GOALS: usize = 170;
/// Actions of all brains. Source: seed 000, Task classes and pools.
pub const ACTIONS: usize = 100;
/// Gangs. Source: seed 000, Task classes and pools.
pub const GANGS: usize = 32;
/// Formations. Source: seed 000, Task classes and pools.
pub const FORMATIONS: usize = 41;
/// Paths. Source: seed 000, Task classes and pools.
pub const PATHS: usize = 32;
/// Animation tasks. Source: support systems, Memory.
pub const ANIM_TASKS: usize = 360;
/// Animation cursors. Source: support systems, Memory.
pub const ANIM_CURSORS: usize = 260;
