//! The part array: a table manager and a sequence that a motion table plays on.

use super::seams::{PartArray, TableMovement};
use super::sequence::{Hook, Sequence, SequenceMotion};
use super::{MotionError, MotionId, MotionResult, MotionState, MotionTableManager};

/// What turns motions into sequences: a [`MotionTable`](super::MotionTable), or a stand-in for it.
///
/// Every answer is the number of animations that must end before the motion is reached; `None` means that the table has
/// nothing for the motion.
pub trait ObjectMotions {
    /// Starts over with the default stance and its cycle (SetDefaultState).
    fn set_default_state(&self, state: &mut MotionState, sequence: &mut Sequence) -> Option<u32>;
    /// Plays a motion (DoObjectMotion).
    fn do_object_motion(
        &self,
        motion: MotionId,
        state: &mut MotionState,
        sequence: &mut Sequence,
        speed: f32,
    ) -> Option<u32>;
    /// Ends a motion (StopObjectMotion).
    fn stop_object_motion(&self, motion: MotionId, state: &mut MotionState, sequence: &mut Sequence) -> Option<u32>;
    /// Ends every modifier and the cycle (StopObjectCompletely).
    fn stop_object_completely(&self, state: &mut MotionState, sequence: &mut Sequence) -> u32;
}

/// A part array over a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePartArray<T> {
    /// The table; without one every motion is refused.
    pub table: Option<T>,
    /// Which motions are in flight.
    pub manager: MotionTableManager,
    /// What plays.
    pub sequence: Sequence,
}

impl<T: ObjectMotions> TablePartArray<T> {
    /// A part array that plays nothing yet.
    pub fn new(table: Option<T>) -> Self {
        Self { table, manager: MotionTableManager::default(), sequence: Sequence::default() }
    }

    fn queue(&mut self, motion: MotionId, num_anims: u32) {
        let redundant = self.manager.add_to_queue(motion, num_anims);
        self.sequence.remove_link_animations(redundant);
    }

    /// Plays for `dt` seconds and returns how the body moves meanwhile. The hooks that this sets off wait for
    /// [`Mover::process_hooks`](super::Mover::process_hooks).
    pub fn update(&mut self, dt: f32) -> SequenceMotion {
        self.sequence.update(dt)
    }
}

// Excused: seed 004, CBaseFilter::GetPinVersion (0x00527b10) reason=purpose not traced
// Excused: seed 004, CPhysicsObj::IsAnimating reason=purpose not traced
// Excused: seed 004, CPhysicsObj::IsMovingOrAnimating reason=purpose not traced
impl<T: ObjectMotions> PartArray for TablePartArray<T> {
    fn table_manager(&mut self) -> Option<&mut MotionTableManager> {
        Some(&mut self.manager)
    }

    fn lost(&self) -> u32 {
        self.manager.lost().saturating_add(self.sequence.lost())
    }

    fn perform_movement(&mut self, movement: TableMovement) -> MotionResult {
        let Some(table) = &self.table else { return Err(MotionError::NoAnimationTable) };
        let before = (self.manager.state.clone(), self.sequence.clone());
        let (state, sequence) = (&mut self.manager.state, &mut self.sequence);
        let (motion, num_anims) = match movement {
            TableMovement::Do(motion, speed) => (motion, table.do_object_motion(motion, state, sequence, speed)),
            TableMovement::Stop(motion, _) => (MotionId::READY, table.stop_object_motion(motion, state, sequence)),
            TableMovement::StopCompletely => (MotionId::READY, Some(table.stop_object_completely(state, sequence))),
        };
        if self.sequence.overflowed() != before.1.overflowed() {
            // A motion whose animations do not all fit would never end, so it does not begin.
            (self.manager.state, self.sequence) = before;
            self.sequence.count_refusal();
            return Err(MotionError::NoMotionData);
        }
        let num_anims = num_anims.ok_or(MotionError::NoMotionData)?;
        self.queue(motion, num_anims);
        Ok(())
    }

    fn initialize_state(&mut self) {
        let (state, sequence) = (&mut self.manager.state, &mut self.sequence);
        let num_anims = self.table.as_ref().and_then(|table| table.set_default_state(state, sequence));
        self.queue(MotionId::READY, num_anims.unwrap_or(0));
    }

    fn remove_all_link_animations(&mut self) {
        self.sequence.remove_all_link_animations();
    }

    // Covers: seed 004, CPartArray::HasAnims (0x00517d40) test=motion::table::tests::the_default_state_plays_the_default_cycle
    fn has_anims(&self) -> bool {
        self.sequence.has_anims()
    }

    fn next_hook(&mut self) -> Option<Hook> {
        self.sequence.next_hook()
    }
}
