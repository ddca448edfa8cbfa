//! The motion table manager: which of the motions in flight still have animations to play (MotionTableManager).
//!
//! Every motion that the table took becomes a node with the number of animations that must end before it is done. Each
//! ended link animation ticks a counter; a node whose number is reached is done, and its news goes up to the interpreter,
//! which pops the matching pending motion. The queue is data; what completes nodes are methods of [`Mover`], because the
//! news may come back around and change the queue.
//!
//! Source: seed 004, section 7; motion notes, MotionTableManager.

use super::interp::MAX_PENDING;
use super::{Hook, MotionClass, MotionId, MotionState, Mover, Queue};

/// A motion in flight and the animations it still waits for.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct AnimationNode {
    /// The motion.
    pub motion: MotionId,
    /// Ended animations that complete it; 0 is complete at once.
    pub num_anims: u32,
}

/// The manager's record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionTableManager {
    /// What the table plays.
    pub state: MotionState,
    /// Animations ended since the last node completed.
    pub animation_counter: u32,
    /// Nodes in flight, oldest first.
    pub pending_animations: Queue<AnimationNode, MAX_PENDING>,
}

/// Classes that a search for a redundant cycle does not look past.
const BLOCKS_CYCLE: MotionClass = MotionClass::STYLE.or(MotionClass::MODIFIER).or(MotionClass::ACTION);
/// Classes that a search for a redundant style does not look past.
const BLOCKS_STYLE: MotionClass = MotionClass::SUB_STATE.or(MotionClass::MODIFIER).or(MotionClass::ACTION);

impl MotionTableManager {
    /// Entries that found one of the manager's lists full.
    pub fn lost(&self) -> u32 {
        self.pending_animations.lost().saturating_add(self.state.lost())
    }

    /// Appends a node and drops the links that it makes redundant; returns how many link animations the sequence has to
    /// drop with them.
    pub fn add_to_queue(&mut self, motion: MotionId, num_anims: u32) -> u32 {
        self.pending_animations.push(AnimationNode { motion, num_anims });
        self.remove_redundant_links()
    }

    /// Drops the way back to a motion that is already on its way: when the newest playing node repeats an older one with
    /// nothing weightier between them, everything after the older one need not be played. Returns how many link animations
    /// the sequence has to drop. Only the newest playing node is looked at.
    pub fn remove_redundant_links(&mut self) -> u32 {
        let nodes = self.pending_animations.as_slice();
        let Some(newest) = nodes.iter().rposition(|node| node.num_anims != 0) else { return 0 };
        let tail = nodes[newest].motion;
        let older = || nodes[..newest].iter().enumerate().rev();
        let found = if tail.is(MotionClass::SUB_STATE) && !tail.is(MotionClass::MODIFIER) {
            older()
                .find(|(_, node)| node.num_anims != 0 && (node.motion == tail || node.motion.is(BLOCKS_CYCLE)))
                .filter(|(_, node)| node.motion == tail)
        } else if tail.is(MotionClass::STYLE) {
            older()
                .find(|(_, node)| node.motion == tail || (node.num_anims != 0 && node.motion.is(BLOCKS_STYLE)))
                .filter(|(_, node)| node.motion == tail)
        } else {
            None
        };
        match found {
            Some((index, _)) => self.truncate_animation_list(index),
            None => 0,
        }
    }

    /// Makes every node after this one complete at once and returns the animations they waited for, 0 when there is no
    /// such node to keep.
    pub fn truncate_animation_list(&mut self, keep: usize) -> u32 {
        let nodes = self.pending_animations.as_mut_slice();
        let reached = keep < nodes.len();
        let dropped = if reached { &mut nodes[keep + 1..] } else { nodes };
        let mut sum: u32 = 0;
        for node in dropped {
            sum = sum.saturating_add(node.num_anims);
            node.num_anims = 0;
        }
        if reached { sum } else { 0 }
    }

    /// Whether the oldest node is done after `ended` animations.
    fn head_is_done(&self, ended: u32) -> Option<AnimationNode> {
        self.pending_animations.front().copied().filter(|head| head.num_anims <= ended)
    }
}

impl Mover<'_> {
    fn table_manager(&mut self) -> Option<&mut MotionTableManager> {
        self.parts.as_deref_mut().and_then(|parts| parts.table_manager())
    }

    /// Reports a node as done, its action off the table's list first.
    fn complete(&mut self, node: AnimationNode, success: bool) {
        if node.motion.is_action()
            && let Some(manager) = self.table_manager()
        {
            manager.state.remove_action_head();
        }
        self.body_motion_done(node.motion, success);
    }

    /// An animation ended: counts it, and completes every node that has waited for as many.
    // Covers: seed 004, MotionTableManager::AnimationDone (0x0051bce0) test=animation_ticks_complete_nodes_in_order
    pub fn animation_done(&mut self, success: bool) {
        let Some(manager) = self.table_manager() else { return };
        if manager.pending_animations.is_empty() {
            return;
        }
        manager.animation_counter = manager.animation_counter.saturating_add(1);
        while let Some(node) = self.table_manager().and_then(|manager| manager.head_is_done(manager.animation_counter))
        {
            self.complete(node, success);
            // The news may have come back and completed this very node, so whatever is oldest now goes.
            if let Some(manager) = self.table_manager() {
                manager.animation_counter = manager.animation_counter.saturating_sub(node.num_anims);
                manager.pending_animations.pop();
            }
        }
        if let Some(manager) = self.table_manager()
            && manager.pending_animations.is_empty()
        {
            manager.animation_counter = 0;
        }
    }

    /// Completes the nodes at the head that wait for nothing; the counter stays.
    // Covers: seed 004, MotionTableManager::CheckForCompletedMotions (0x0051be00) test=nodes_without_animations_complete_at_once
    // Covers: seed 004, CPartArray::CheckForCompletedMotions (0x00517d50) test=nodes_without_animations_complete_at_once
    // Covers: seed 004, CPartArray::HandleMovement (0x00517d60) test=nodes_without_animations_complete_at_once
    pub fn parts_check_for_completed_motions(&mut self) {
        while let Some(node) = self.table_manager().and_then(|manager| manager.head_is_done(0)) {
            self.complete(node, true);
            if let Some(manager) = self.table_manager() {
                manager.pending_animations.pop();
            }
        }
    }

    /// The body entered the world: links are not played any more and every node is done.
    // Covers: seed 004, MotionTableManager::HandleEnterWorld (0x0051bdd0) test=entering_the_world_strips_links_and_drains
    // Covers: seed 004, CPartArray::HandleEnterWorld (0x00517d70) test=entering_the_world_strips_links_and_drains
    pub fn parts_handle_enter_world(&mut self) {
        if let Some(parts) = self.parts.as_deref_mut() {
            parts.remove_all_link_animations();
        }
        self.parts_handle_exit_world();
    }

    /// The body left the world: every node is done, none of them played to its end.
    // Covers: seed 004, MotionTableManager::HandleExitWorld (0x0051bda0) test=leaving_the_world_drains_the_table
    // Covers: seed 004, CPartArray::HandleExitWorld (0x00517d90) test=leaving_the_world_drains_the_table
    pub fn parts_handle_exit_world(&mut self) {
        while let Some(head) = self.table_manager().and_then(|manager| manager.pending_animations.front().copied()) {
            if let Some(manager) = self.table_manager() {
                // Our choice: the counter jumps to one before the head's number, where the original ticks its way there.
                manager.animation_counter = manager.animation_counter.max(head.num_anims.saturating_sub(1));
            }
            self.animation_done(false);
        }
    }

    /// Works off the hooks that playing set off: ended links complete motions, passed frames go to `on_frame`.
    pub fn process_hooks(&mut self, on_frame: &mut dyn FnMut(Hook)) {
        while let Some(hook) = self.parts.as_deref_mut().and_then(|parts| parts.next_hook()) {
            match hook {
                Hook::AnimDone => self.keeping_pairs(Self::hook_anim_done),
                Hook::Frame { .. } => on_frame(hook),
            }
        }
    }

    /// An animation hook says that a link ended (Hook_AnimDone).
    // Covers: seed 004, CPhysicsObj::Hook_AnimDone (0x0050fda0) test=a_link_that_ends_ticks_the_counter
    // Covers: seed 004, CPartArray::AnimationDone (0x00517d30) test=a_link_that_ends_ticks_the_counter
    pub fn hook_anim_done(&mut self) {
        self.animation_done(true);
    }
}

#[cfg(test)]
mod tests;
