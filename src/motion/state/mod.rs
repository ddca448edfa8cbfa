//! The two motion states: what was asked (raw) and what it means (interpreted).
//!
//! A raw state keeps the commands as they were given, with their hold keys; an interpreted state keeps what they become
//! once hold keys and mirrored directions are resolved. Both carry a list of actions in flight. [`wire`] packs and
//! unpacks both.

mod interpreted;
mod raw;
pub mod wire;

pub use interpreted::InterpretedMotionState;
pub use raw::RawMotionState;

use super::{MotionId, Queue};

/// Actions that a state remembers; the wire's counter holds 31.
///
/// Our choice: the original's list is unbounded.
pub const MAX_ACTIONS: usize = 32;

/// An action in flight.
///
/// Source: motion notes, State structs and defaults (ActionNode).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActionNode {
    /// The action.
    pub motion: MotionId,
    /// Its speed factor.
    pub speed: f32,
    /// The giver's sequence number.
    pub stamp: u32,
    /// Whether the mover's own player gave it.
    pub autonomous: bool,
}

/// Actions in flight, oldest first.
pub type ActionList = Queue<ActionNode, MAX_ACTIONS>;
