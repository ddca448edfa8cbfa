//! The motion interpreter: how commands become motion.
//!
//! A controller gives commands ("walk forward", "turn left", "sit", a punch); a [`MovementManager`] hands them to the
//! [interpreter](interp), or, when they name a place or a thing to reach, to [move-to](move_to), which gives commands of its
//! own. The interpreter asks the [part array](seams::PartArray) to play what is allowed: its [motion table](table) picks
//! links and cycles, its [`Sequence`] plays them, and its [`MotionTableManager`] notices when they end, which pops the
//! motions in flight. Everything happens through a [`Mover`], a bundle of borrows made for one call; [`MotionObject`] owns
//! the records and is what the rest of the game holds.
//!
//! Body, weenie and part array are [traits](seams); time is a number handed in. Nothing allocates: all queues are bounded
//! and count what they lose. Angles are degrees clockwise from +y in here, and the adapters convert.
//!
//! Source: seed 004; motion notes.

pub mod bench;
mod controls;
mod error;
mod ids;
pub mod interp;
mod locomotion;
mod manager;
mod motion_state;
mod move_to;
mod mover;
mod object;
mod params;
mod parts;
mod player;
mod position;
mod queue;
pub mod scenarios;
pub mod seams;
mod sequence;
pub mod state;
mod sticky;
pub mod table;
mod table_manager;
mod target;
mod time;

pub use controls::{CommandInput, CommandOutcome, CommandScheme, FULL_CHARGE_SECONDS};
pub use error::{MotionError, MotionResult, code_of};
pub use ids::{MotionClass, MotionId};
pub use locomotion::{AskedGait, LocomotionRequest};
pub use manager::MovementManager;
pub use motion_state::{MAX_MODIFIERS, MotionState, PlayedMotion};
pub use move_to::{
    Gait, MAX_NODES, MIN_PROGRESS_RATE, MoveToManager, MoveToNode, PROGRESS_WINDOW, TargetInfo, TargetStatus,
    desired_heading, gait_for, heading_diff, heading_greater,
};
pub use mover::Mover;
pub use object::{MotionObject, Surroundings};
pub use params::{HoldKey, Movement, MovementParameters, MovementType, ParameterBits};
pub use parts::{ObjectMotions, TablePartArray};
pub use player::{CharacterWeenie, FULL_JUMP_STAMINA, FULL_JUMP_V_Z, RUN_RATE};
pub use position::{
    EPSILON, FULL_TURN, Position, cylinder_distance, degrees_of_heading, heading_between, heading_of_degrees,
    wrap_degrees,
};
pub use queue::Queue;
pub use seams::{Body, Weenie};
pub use sequence::{AnimRange, Hook, MAX_SEQUENCE, Sequence, SequenceMotion};
pub use sticky::{STICKY_RADIUS, STICKY_TIMEOUT, StickyManager, StickyStep};
pub use table::MotionTable;
pub use table_manager::{AnimationNode, MotionTableManager};
pub use target::{FIRST_SIGHT_TIMEOUT, LOOK_INTERVAL, TargetTracker};
pub use time::{TICKS_PER_SECOND, Time};
