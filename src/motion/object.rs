//! The motion records of one thing, and the relays that the rest of the game calls (CPhysicsObj's part of it).

use super::seams::{Body, PartArray, Trace, Weenie};
use super::state::{InterpretedMotionState, RawMotionState};
use super::{MotionId, MovementManager, Mover, StickyManager, Time};

/// Everything that a call needs besides the records.
pub struct Surroundings<'a> {
    /// The body.
    pub body: Option<&'a mut dyn Body>,
    /// What the thing is in the game.
    pub weenie: Option<&'a dyn Weenie>,
    /// The moment of the call.
    pub now: Time,
    /// Where calls are written down.
    pub trace: &'a mut dyn Trace,
}

/// The motion records of one thing. Things that never move have neither manager nor parts, and every relay then does
/// nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionObject<P> {
    /// Interpreter and move-to, for things that commands move.
    pub movement: Option<MovementManager>,
    /// What shows the motion, for things that are shown moving.
    pub parts: Option<P>,
    /// What the thing sticks to.
    pub sticky: StickyManager,
}

impl<P> Default for MotionObject<P> {
    fn default() -> Self {
        Self { movement: None, parts: None, sticky: StickyManager::default() }
    }
}

impl<P: PartArray> MotionObject<P> {
    /// The bundle to call on; `None` for a thing without a movement manager.
    pub fn mover<'a, 'b: 'a>(&'a mut self, around: Surroundings<'b>) -> Option<Mover<'a>> {
        let Surroundings { body, weenie, now, trace } = around;
        Some(Mover {
            movement: self.movement.as_mut()?,
            sticky: &mut self.sticky,
            body: body.map(|body| body as &mut dyn Body),
            weenie,
            parts: self.parts.as_mut().map(|parts| parts as &mut dyn PartArray),
            now,
            trace,
        })
    }

    /// Gives the thing a movement manager with neither part made, or in its default state if asked to
    /// (MakeMovementManager).
    // Covers: seed 004, MovementManager::Create (0x00524050) test=relays_reach_a_thing_with_a_manager
    pub fn make_movement_manager(&mut self, around: Surroundings<'_>, init: bool) {
        if self.movement.is_some() {
            return;
        }
        self.movement = Some(MovementManager::new());
        if let Some(mut mover) = self.mover(around) {
            if init {
                mover.enter_default_state();
            }
            if let Some(body) = mover.body.as_deref_mut() {
                body.set_active();
            }
        }
    }

    /// A motion completed.
    pub fn motion_done(&mut self, around: Surroundings<'_>, motion: MotionId, success: bool) {
        if let Some(mut mover) = self.mover(around) {
            mover.body_motion_done(motion, success);
        }
    }

    /// Stamina ran out.
    // Covers: seed 004, CPhysicsObj::report_exhaustion (0x0050fdd0) test=relays_reach_a_thing_with_a_manager
    pub fn report_exhaustion(&mut self, around: Surroundings<'_>) {
        if let Some(mut mover) = self.mover(around) {
            mover.report_exhaustion();
        }
    }

    /// The raw state, if the thing has a movement manager; makes the interpreter.
    // Covers: seed 004, CPhysicsObj::InqRawMotionState (0x0050fde0) test=relays_reach_a_thing_with_a_manager
    pub fn raw_motion_state(&mut self, around: Surroundings<'_>) -> Option<&RawMotionState> {
        self.mover(around)?.ensure_interpreter();
        self.movement.as_ref().map(|movement| &movement.interpreter.raw_state)
    }

    /// The interpreted state, if the thing has a movement manager; makes the interpreter.
    // Covers: seed 004, CPhysicsObj::InqInterpretedMotionState (0x0050fe00) test=relays_reach_a_thing_with_a_manager
    pub fn interpreted_motion_state(&mut self, around: Surroundings<'_>) -> Option<&InterpretedMotionState> {
        self.mover(around)?.ensure_interpreter();
        self.movement.as_ref().map(|movement| &movement.interpreter.interpreted_state)
    }

    /// One frame of motion after the body has moved: hooks, move-to, then the nodes that take no time, then the grip.
    ///
    /// Source: motion notes, MovementManager (Frame cadence).
    pub fn update(&mut self, around: Surroundings<'_>) {
        let Some(mut mover) = self.mover(around) else { return };
        mover.process_hooks(&mut |_| {});
        mover.use_time();
        mover.check_for_completed_motions();
        if mover.sticky.has_expired(mover.now) {
            mover.unstick_from_object();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, BenchBody, BenchParts};
    use super::*;
    use crate::motion::seams::NoTrace;

    #[test]
    fn relays_do_nothing_for_a_thing_without_a_manager() {
        let mut object: MotionObject<BenchParts> = MotionObject::default();
        let mut body = BenchBody::default();
        macro_rules! around {
            () => {
                Surroundings { body: Some(&mut body), weenie: None, now: Time(0), trace: &mut NoTrace }
            };
        }
        object.motion_done(around!(), MotionId::READY, true);
        object.report_exhaustion(around!());
        object.update(around!());
        assert_eq!(object.raw_motion_state(around!()), None);
        assert_eq!(object.interpreted_motion_state(around!()), None);
        assert_eq!(object, MotionObject::default());
    }

    #[test]
    fn relays_reach_a_thing_with_a_manager() {
        let mut object: MotionObject<BenchParts> =
            MotionObject { parts: Bench::accepting().parts, ..Default::default() };
        let (mut body, mut trace) = (BenchBody::default(), Bench::default().trace);
        macro_rules! around {
            () => {
                Surroundings { body: Some(&mut body), weenie: None, now: Time(0), trace: &mut trace }
            };
        }
        object.make_movement_manager(around!(), false);
        assert_eq!(object.raw_motion_state(around!()), Some(&RawMotionState::default()));
        assert_eq!(object.interpreted_motion_state(around!()), Some(&InterpretedMotionState::default()));
        let before = object.movement.as_ref().unwrap().interpreter.pending_motions.len();
        object.report_exhaustion(around!());
        let after = object.movement.as_ref().unwrap().interpreter.pending_motions.len();
        assert!(after > before, "exhaustion plays the state again: {before} -> {after}");
        object.motion_done(around!(), MotionId::READY, true);
        assert_eq!(object.movement.as_ref().unwrap().interpreter.pending_motions.len(), after - 1);
    }
}
