//! What a motion table plays at the moment.

use super::{MotionId, Queue};
use heapless::Vec;

/// Modifiers that play at once.
///
/// Our choice: the original's list is unbounded; a modifier too many is refused like one that plays already.
pub const MAX_MODIFIERS: usize = 16;
/// Table actions in flight; as many as motions in flight.
const MAX_TABLE_ACTIONS: usize = super::interp::MAX_PENDING;

/// A motion and its speed factor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayedMotion {
    /// The motion.
    pub motion: MotionId,
    /// Its speed factor.
    pub speed: f32,
}

/// The table's own state: stance, cycle, modifiers, actions.
///
/// Source: motion notes, MotionTableManager (MotionState).
#[derive(Clone, Debug, PartialEq)]
pub struct MotionState {
    /// The stance; none before the default state.
    pub style: MotionId,
    /// The cycle.
    pub substate: MotionId,
    /// Its speed factor.
    pub substate_mod: f32,
    /// Modifiers, the newest first.
    modifiers: Vec<PlayedMotion, MAX_MODIFIERS>,
    /// Modifiers that found the list full.
    lost_modifiers: u32,
    /// Actions in flight, oldest first.
    pub actions: Queue<PlayedMotion, MAX_TABLE_ACTIONS>,
}

impl Default for MotionState {
    fn default() -> Self {
        Self {
            style: MotionId::NONE,
            substate: MotionId::NONE,
            substate_mod: 1.0,
            modifiers: Vec::new(),
            lost_modifiers: 0,
            actions: Queue::new(),
        }
    }
}

impl MotionState {
    /// The modifiers, the newest first.
    pub fn modifiers(&self) -> &[PlayedMotion] {
        &self.modifiers
    }

    /// Adds a modifier; `false` when it plays already, is the cycle itself, or the list is full.
    pub fn add_modifier(&mut self, motion: MotionId, speed: f32) -> bool {
        if motion == self.substate || self.modifiers.iter().any(|modifier| modifier.motion == motion) {
            return false;
        }
        self.push_modifier(motion, speed)
    }

    /// Adds a modifier without asking whether it plays already; `false` when the list is full.
    pub(super) fn push_modifier(&mut self, motion: MotionId, speed: f32) -> bool {
        let kept = self.modifiers.insert(0, PlayedMotion { motion, speed }).is_ok();
        self.lost_modifiers = self.lost_modifiers.saturating_add(u32::from(!kept));
        kept
    }

    /// Modifiers and actions that found their list full.
    pub fn lost(&self) -> u32 {
        self.lost_modifiers.saturating_add(self.actions.lost())
    }

    /// The newest modifier.
    pub(super) fn modifier_head(&self) -> Option<PlayedMotion> {
        self.modifiers.first().copied()
    }

    /// Takes a modifier out.
    pub(super) fn remove_modifier(&mut self, motion: MotionId) {
        if let Some(index) = self.modifiers.iter().position(|modifier| modifier.motion == motion) {
            self.modifiers.remove(index);
        }
    }

    /// Takes every modifier out.
    pub(super) fn clear_modifiers(&mut self) {
        self.modifiers.clear();
    }

    /// Appends an action in flight.
    pub fn add_action(&mut self, motion: MotionId, speed: f32) {
        self.actions.push(PlayedMotion { motion, speed });
    }

    /// Drops the oldest action.
    pub fn remove_action_head(&mut self) -> Option<PlayedMotion> {
        self.actions.pop()
    }
}
