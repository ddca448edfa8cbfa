//! What the motion system needs of the rest of the game, as traits.
//!
//! Our choice: the clock is no trait but a [`Time`](super::Time) that is handed in with each call. A number is the smaller seam,
//! and no step reads a clock.

use super::{Hook, MotionError, MotionId, MotionResult, MotionTableManager, Position};
use crate::maths::{Quat, Vec3};

/// The physical body of a mover (CPhysicsObj).
///
/// Implementations never call back into the motion system: what a call sets off is its return value, and the caller goes
/// on from there.
pub trait Body {
    /// The thing's id.
    fn id(&self) -> u32;
    /// Whether gravity acts on it (state bit 0x400).
    fn has_gravity(&self) -> bool;
    /// Whether it touches something (transient bit 0x1).
    fn has_contact(&self) -> bool;
    /// Whether what it touches can be walked on (transient bit 0x2).
    fn on_walkable(&self) -> bool;
    /// Whether it is placed in the world.
    fn in_cell(&self) -> bool;
    /// Whether its constraint is stretched beyond nine tenths.
    fn is_fully_constrained(&self) -> bool;
    /// Whether its last move came from this machine's own player (movement_is_autonomous).
    fn movement_is_autonomous(&self) -> bool;
    /// Whether it is gliding towards a reported position.
    fn is_interpolating(&self) -> bool;
    /// Place and heading.
    fn position(&self) -> Position;
    /// Rotation from local to world space.
    fn orientation(&self) -> Quat;
    /// World velocity in metres a second.
    fn velocity(&self) -> Vec3;
    /// Radius of its upright cylinder in metres.
    fn radius(&self) -> f32;
    /// Height of its upright cylinder in metres.
    fn height(&self) -> f32;

    /// Wakes it.
    fn set_active(&mut self);
    /// Says whether the ground carries it. Returns `true` when that took it off the ground, upon which the caller runs the
    /// movement manager's `leave_ground`.
    fn set_on_walkable(&mut self, walkable: bool) -> bool;
    /// Sets the velocity, given in local space in metres a second.
    fn set_local_velocity(&mut self, velocity: Vec3, autonomous: bool);
    /// Turns it to a heading in degrees.
    fn set_heading(&mut self, degrees: f32);

    /// Starts following a thing: its place is reported through the mover's `target_reported`, at first sight and then when
    /// it has moved more than `radius` metres, extrapolated `quantum` seconds. A [`TargetTracker`](super::TargetTracker)
    /// does just that.
    fn set_target(&mut self, context_id: u32, object_id: u32, radius: f32, quantum: f32);
    /// Stops following.
    fn clear_target(&mut self);
    /// How far ahead the reports of the followed thing look, in seconds.
    fn target_quantum(&self) -> f32;
    /// Changes how far ahead they look.
    fn set_target_quantum(&mut self, quantum: f32);

    /// Whether the ground carries it: contact with something walkable.
    // Covers: seed 004, CPhysicsObj::on_ground (0x00527b20) test=motion::interp::tests::gates::contact_and_walkable_make_ground
    fn on_ground(&self) -> bool {
        self.has_contact() && self.on_walkable()
    }
}

/// What a mover is in the game (CWeenieObject). A mover without one counts as a creature and as the player, runs at rate
/// 1, jumps with 10 m/s and pays no stamina.
pub trait Weenie {
    /// Whether it is a creature: only creatures are bound to the ground.
    fn is_creature(&self) -> bool;
    /// Whether it is this machine's player.
    fn is_the_player(&self) -> bool;
    /// Upward speed in metres a second of a jump of this extent (0 to 1); `None` refuses.
    fn jump_velocity(&self, extent: f32) -> Option<f32>;
    /// How many times faster than the walk its run is; `None` keeps the rate that the interpreter saw last.
    fn run_rate(&self) -> Option<f32>;
    /// Whether its load and state allow a jump of this extent.
    fn can_jump(&self, extent: f32) -> bool;
    /// Stamina that a jump of this extent costs; `None` when it cannot pay.
    fn jump_stamina_cost(&self, extent: f32) -> Option<u32>;
}

/// What is asked of the motion table manager, with the motion's speed factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TableMovement {
    /// Play a motion (movement type 2).
    Do(MotionId, f32),
    /// End a motion (movement type 4).
    Stop(MotionId, f32),
    /// End everything (movement type 5).
    StopCompletely,
}

/// The thing that shows the motion (CPartArray): a table manager, a table and a sequence.
pub trait PartArray {
    /// The table manager, once there is one.
    fn table_manager(&mut self) -> Option<&mut MotionTableManager>;
    /// Entries that found one of its lists full.
    fn lost(&self) -> u32;
    /// Plays or ends a motion and queues its node. One for whose animations there is no room is refused and counted as lost,
    /// and changes nothing.
    fn perform_movement(&mut self, movement: TableMovement) -> MotionResult;
    /// Puts table state and sequence to the table's default (InitializeMotionTables).
    fn initialize_state(&mut self);
    /// Takes every link animation out of the sequence.
    fn remove_all_link_animations(&mut self);
    /// Whether the sequence plays anything (HasAnims).
    fn has_anims(&self) -> bool;
    /// Takes the oldest hook that playing set off.
    fn next_hook(&mut self) -> Option<Hook>;
}

/// A call across a seam, as a trace shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Call {
    /// The body was woken.
    SetActive,
    /// A running move-to was cancelled (interrupt_current_movement), with the reason.
    CancelMoveTo(MotionError),
    /// The table was asked to play a motion.
    DoInterpretedMotion(MotionId, f32),
    /// The table was asked to end a motion.
    StopInterpretedMotion(MotionId, f32),
    /// The table was asked to end everything.
    StopCompletelyInternal,
    /// Finished nodes were completed.
    CheckForCompletedMotions,
    /// Table state and sequence went to their default.
    InitializeMotionTables,
    /// Link animations were stripped and their nodes completed.
    RemoveLinkAnimations,
    /// The body let go of what it stuck to.
    UnstickFromObject,
    /// The body was told to stay with a thing: id, radius, height.
    StickTo(u32, f32, f32),
    /// The body was told whether the ground carries it.
    SetOnWalkable(bool),
    /// The body's local velocity was set.
    SetLocalVelocity(Vec3, bool),
    /// The body was turned to a heading in degrees.
    SetHeading(f32),
    /// The body was told to follow a thing: id, radius, quantum.
    SetTarget(u32, f32, f32),
    /// The body was told to stop following.
    ClearTarget,
    /// How far ahead the reports look was changed.
    SetTargetQuantum(f32),
    /// The weenie was asked whether it can jump this far.
    CanJump(f32),
    /// The weenie was asked what a jump of this extent costs.
    JumpStaminaCost(f32),
    /// The weenie was asked how high it jumps.
    JumpVelocity(f32),
    /// The weenie was asked how fast it runs.
    RunRate,
    /// A table node completed: its motion, and whether it played to its end.
    MotionDone(MotionId, bool),
    /// A queue was full and lost an entry.
    QueueOverflow,
}

/// Where the calls across the seams are written down.
pub trait Trace {
    /// Writes one call down.
    fn call(&mut self, call: Call);
}

/// The latest calls, the oldest overwritten first: what the overlay shows.
#[derive(Clone, Debug, Default)]
pub struct CallRing<const N: usize> {
    ring: heapless::HistoryBuf<Call, N>,
}

impl<const N: usize> CallRing<N> {
    /// The remembered calls, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Call> {
        self.ring.oldest_ordered()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.ring.clear();
    }
}

impl<const N: usize> Trace for CallRing<N> {
    fn call(&mut self, call: Call) {
        self.ring.write(call);
    }
}

/// Writes nothing down.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTrace;

impl Trace for NoTrace {
    fn call(&mut self, _: Call) {}
}
