//! One mover at work: its motion records and everything they act on, borrowed for the length of a call.

use super::seams::{Call, PartArray, TableMovement, Trace};
use super::{
    Body, MotionError, MotionId, MotionResult, MovementManager, Position, StickyManager, TargetInfo, Time, Weenie,
};

/// Everything that one character's motion calls work with.
///
/// The original's objects hold pointers to each other and call in circles: a stop strips links, stripped links complete
/// motions, a completed motion releases a grip, which cancels a move-to, which stops. Here the records are plain data and
/// this bundle of borrows is what calls in circles, so every step of such a circle sees the same state.
pub struct Mover<'a> {
    /// Interpreter and move-to.
    pub movement: &'a mut MovementManager,
    /// What the body sticks to.
    pub sticky: &'a mut StickyManager,
    /// The body; without one nearly everything is refused.
    pub body: Option<&'a mut dyn Body>,
    /// What the mover is in the game.
    pub weenie: Option<&'a dyn Weenie>,
    /// What shows the motion.
    pub parts: Option<&'a mut dyn PartArray>,
    /// The moment of the call.
    pub now: Time,
    /// Where calls are written down.
    pub trace: &'a mut dyn Trace,
}

impl Mover<'_> {
    /// Writes a call down.
    pub(super) fn note(&mut self, call: Call) {
        self.trace.call(call);
    }

    /// Whether a weenie, if there is one, is a creature.
    pub(super) fn is_creature(&self) -> bool {
        self.weenie.is_none_or(|weenie| weenie.is_creature())
    }

    /// Whether a weenie, if there is one, is this machine's player.
    pub(super) fn is_the_player(&self) -> bool {
        self.weenie.is_none_or(|weenie| weenie.is_the_player())
    }

    /// Whether a weenie, if there is one, can jump this far.
    pub(super) fn can_jump(&mut self, extent: f32) -> bool {
        let Some(weenie) = self.weenie else { return true };
        self.note(Call::CanJump(extent));
        weenie.can_jump(extent)
    }

    /// Ends a running move-to because a newer command came (interrupt_current_movement).
    pub(super) fn interrupt_current_movement(&mut self) {
        self.note(Call::CancelMoveTo(MotionError::ActionCancelled));
        self.cancel_move_to(MotionError::ActionCancelled);
    }

    /// Asks the part array to play or end something.
    ///
    /// Our choice: the original's lists are unbounded. When one is full, what waits in it is cut short, as by a landing, and the
    /// motion is played after all.
    fn ask_table(&mut self, movement: TableMovement) -> MotionResult {
        let (result, overflowed) = self.ask_table_once(movement)?;
        if result.is_ok() || !overflowed {
            return result;
        }
        self.remove_link_animations();
        self.ask_table_once(movement)?.0
    }

    /// What the part array answers, and whether one of its lists was too short.
    fn ask_table_once(&mut self, movement: TableMovement) -> Result<(MotionResult, bool), MotionError> {
        let parts = self.parts.as_deref_mut().ok_or(MotionError::GeneralMovementFailure)?;
        let lost = parts.lost();
        let result = parts.perform_movement(movement);
        let overflowed = parts.lost() != lost;
        if overflowed {
            self.note(Call::QueueOverflow);
        }
        Ok((result, overflowed))
    }

    /// Has the table play a motion (CPhysicsObj::DoInterpretedMotion).
    pub(super) fn table_do(&mut self, motion: MotionId, speed: f32) -> MotionResult {
        self.note(Call::DoInterpretedMotion(motion, speed));
        self.ask_table(TableMovement::Do(motion, speed))
    }

    /// Has the table end a motion (CPhysicsObj::StopInterpretedMotion).
    pub(super) fn table_stop(&mut self, motion: MotionId, speed: f32) -> MotionResult {
        self.note(Call::StopInterpretedMotion(motion, speed));
        self.ask_table(TableMovement::Stop(motion, speed))
    }

    /// Has the table end everything (CPhysicsObj::StopCompletely_Internal).
    pub(super) fn table_stop_completely(&mut self) -> MotionResult {
        self.note(Call::StopCompletelyInternal);
        self.ask_table(TableMovement::StopCompletely)
    }

    /// Puts table state and sequence to their default; `false` when the mover has no parts.
    pub(super) fn initialize_motion_tables(&mut self) -> bool {
        self.note(Call::InitializeMotionTables);
        let Some(parts) = self.parts.as_deref_mut() else { return false };
        parts.initialize_state();
        true
    }

    /// Strips the link animations and completes every node of the table's queue, and so every pending motion with it.
    ///
    /// Source: motion notes, Re-application (RemoveLinkAnimations).
    // Covers: seed 004, CPhysicsObj::RemoveLinkAnimations (0x0050fe20) test=motion::table_manager::tests::removing_links_empties_both_queues
    pub fn remove_link_animations(&mut self) {
        self.note(Call::RemoveLinkAnimations);
        self.parts_handle_enter_world();
    }

    /// What must follow every played or ended motion: a body outside the world plays no links.
    pub(super) fn strip_links_outside_the_world(&mut self) {
        if self.body.as_deref().is_some_and(|body| !body.in_cell()) {
            self.remove_link_animations();
        }
    }

    /// Completes the table's nodes that take no time.
    // Covers: seed 004, CPhysicsObj::CheckForCompletedMotions (0x0050fe30) test=motion::table_manager::tests::nodes_without_animations_complete_at_once
    pub fn check_for_completed_motions(&mut self) {
        self.note(Call::CheckForCompletedMotions);
        self.keeping_pairs(Self::parts_check_for_completed_motions);
    }

    /// A table node completed (CPhysicsObj::MotionDone).
    // Covers: seed 004, CPhysicsObj::MotionDone (0x0050fdb0) test=motion::table_manager::tests::animation_ticks_complete_nodes_in_order
    pub fn body_motion_done(&mut self, motion: MotionId, success: bool) {
        self.note(Call::MotionDone(motion, success));
        self.motion_done(success);
    }

    /// Whether the body's last move came from this machine's own player.
    // Covers: seed 004, CPhysicsObj::movement_is_autonomous (0x0050eb30) test=motion::interp::tests::reapply::only_an_autonomous_player_reapplies_its_raw_state
    pub(super) fn movement_is_autonomous(&self) -> bool {
        self.body.as_deref().is_some_and(|body| body.movement_is_autonomous())
    }

    /// Lets go of what the body sticks to. A grip that really was let go also ends a running move-to.
    pub fn unstick_from_object(&mut self) {
        self.note(Call::UnstickFromObject);
        if self.sticky.release() {
            self.clear_target();
            self.interrupt_current_movement();
        }
    }

    /// Stays with a thing from now on, in place of any other.
    pub fn stick_to(&mut self, object_id: u32, radius: f32, height: f32) {
        self.note(Call::StickTo(object_id, radius, height));
        if self.sticky.release() {
            self.clear_target();
        }
        self.sticky.stick_to(object_id, radius, self.now);
        self.set_target(object_id, super::sticky::TARGET_RADIUS, super::sticky::TARGET_QUANTUM);
    }

    pub(super) fn set_target(&mut self, object_id: u32, radius: f32, quantum: f32) {
        self.note(Call::SetTarget(object_id, radius, quantum));
        if let Some(body) = self.body.as_deref_mut() {
            body.set_target(0, object_id, radius, quantum);
        }
    }

    pub(super) fn clear_target(&mut self) {
        self.note(Call::ClearTarget);
        if let Some(body) = self.body.as_deref_mut() {
            body.clear_target();
        }
    }

    /// The followed thing's place was reported: both followers hear of it.
    pub fn target_reported(&mut self, info: &TargetInfo) {
        self.handle_update_target(info);
        if self.sticky.update_target(info) {
            self.clear_target();
        }
    }

    /// The body's place, the origin without a body.
    pub(super) fn position(&self) -> Position {
        self.body.as_deref().map_or(Position::default(), |body| body.position())
    }

    /// Whether both queues of motions in flight hold the same motions in the same order.
    ///
    /// Every played or ended motion adds one node to each, so completions can be matched by position alone. The promise
    /// breaks only where the original breaks it: a full stop without a motion table queues a pending motion that no node
    /// completes, and so does a default state without parts; the interpreter counts these. Test and debug builds
    /// check after every movement and every completion that it did not break otherwise, and at the end of every frame.
    ///
    /// Source: motion notes, The three action queues and pairing.
    pub fn queues_are_paired(&mut self) -> bool {
        let pending = &self.movement.interpreter.pending_motions;
        let Some(manager) = self.parts.as_deref_mut().and_then(|parts| parts.table_manager()) else {
            return pending.is_empty();
        };
        let nodes = &manager.pending_animations;
        pending.len() == nodes.len() && pending.iter().zip(nodes.iter()).all(|(a, b)| a.motion == b.motion)
    }

    /// Does something that must leave the queues paired when they were before.
    pub(super) fn keeping_pairs<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        #[cfg(any(test, debug_assertions))]
        let held = self.pairing_holds();
        let answer = act(self);
        #[cfg(any(test, debug_assertions))]
        assert!(!held || self.pairing_holds(), "pending {:?}", self.movement.interpreter.pending_motions);
        answer
    }

    /// Whatever was called since the last frame, the queues are paired at its end.
    #[cfg(any(test, debug_assertions))]
    pub(super) fn check_pairs(&mut self) {
        assert!(self.pairing_holds(), "pending {:?}", self.movement.interpreter.pending_motions);
    }

    /// Whether the queues are paired, unless something was lost or queued alone.
    #[cfg(any(test, debug_assertions))]
    pub(super) fn pairing_holds(&mut self) -> bool {
        let interpreter = &self.movement.interpreter;
        let pending = &interpreter.pending_motions;
        let lost = pending.lost() != 0 || self.parts.as_deref().is_some_and(|parts| parts.lost() != 0);
        lost || interpreter.unpaired_motions != 0 || self.queues_are_paired()
    }
}
