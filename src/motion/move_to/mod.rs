//! Move-to: walking to a thing or a place, and turning to a thing or a heading (MoveToManager).
//!
//! A movement becomes a short list of nodes, each "turn to this heading" or "go to the target". `start` makes the list,
//! `nodes` begins each node by giving the interpreter a command, `progress` watches it every frame: steers with turns on
//! the side, notices arrival and distance, and goes on to the next node. `finish` covers the end, whether reached,
//! cancelled or lost. A movement to a thing waits for the first report of its place before it makes its list.
//!
//! The functions are methods of [`Mover`](super::Mover).
//!
//! Source: motion notes, MoveToManager.

mod finish;
mod heading;
mod nodes;
mod progress;
mod start;

pub use heading::{Gait, desired_heading, gait_for, heading_diff, heading_greater};
pub use progress::{MIN_PROGRESS_RATE, PROGRESS_WINDOW};

use super::{MotionError, MotionId, MovementParameters, MovementType, ParameterBits, Position, Queue, Time};

/// Nodes that a movement may queue; three are the most that one makes.
pub const MAX_NODES: usize = 8;

/// A step of a movement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveToNode {
    /// Go to the target (type 7).
    Move,
    /// Turn to this heading in degrees (type 9).
    Turn(f32),
}

/// What became of a followed thing.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[repr(u32)]
pub enum TargetStatus {
    /// Nothing known.
    #[default]
    Undefined = 0,
    /// It is where the report says.
    Ok = 1,
    /// It left the world.
    ExitWorld = 2,
    /// It was moved by magic.
    Teleported = 3,
    /// Somebody put it away.
    Contained = 4,
    /// Somebody holds it.
    Parented = 5,
    /// No news of it.
    TimedOut = 6,
}

impl TargetStatus {
    /// The status of a number.
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::Undefined),
            1 => Some(Self::Ok),
            2 => Some(Self::ExitWorld),
            3 => Some(Self::Teleported),
            4 => Some(Self::Contained),
            5 => Some(Self::Parented),
            6 => Some(Self::TimedOut),
            _ => None,
        }
    }
}

/// A report of a followed thing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TargetInfo {
    /// The thing.
    pub object_id: u32,
    /// What became of it.
    pub status: TargetStatus,
    /// Where it is.
    pub target_position: Position,
    /// Where it is drawn, on the way there.
    pub interpolated_position: Position,
}

/// The record of a movement under way.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveToManager {
    /// What is under way; [`MovementType::Invalid`] when nothing is.
    pub movement_type: MovementType,
    /// What is sought, as drawn.
    pub sought_position: Position,
    /// Where it is.
    pub current_target_position: Position,
    /// Where the movement began.
    pub starting_position: Position,
    /// How.
    pub params: MovementParameters,
    /// Degrees left of a turn at the last look. It starts as a difference and goes on as a heading, as in the original, so
    /// that a turn's first look usually counts as no progress.
    pub previous_heading: f32,
    /// Distance at the last progress checkpoint, metres.
    pub previous_distance: f32,
    /// Its moment.
    pub previous_distance_time: Time,
    /// Distance when the node began, metres.
    pub original_distance: f32,
    /// Its moment.
    pub original_distance_time: Time,
    /// Looks without progress; nothing acts on it.
    pub fail_progress_count: u32,
    /// The thing sought.
    pub sought_object_id: u32,
    /// The thing that carries it.
    pub top_level_object_id: u32,
    /// Its radius in metres.
    pub sought_object_radius: f32,
    /// Its height in metres.
    pub sought_object_height: f32,
    /// The command given for the current node, as it was before adjusting.
    pub current_command: MotionId,
    /// The turn given on the side.
    pub aux_command: MotionId,
    /// Whether the current node leads away from the target.
    pub moving_away: bool,
    /// Whether the first report of the target came.
    pub initialized: bool,
    /// Why the last movement ended before it arrived; nothing acts on it.
    pub ended_by: Option<MotionError>,
    /// What is still to do.
    pub pending_actions: Queue<MoveToNode, MAX_NODES>,
}

impl Default for MoveToManager {
    fn default() -> Self {
        Self::new(Time(0))
    }
}

impl MoveToManager {
    /// A manager at rest.
    pub fn new(now: Time) -> Self {
        let mut fresh = Self {
            movement_type: MovementType::Invalid,
            sought_position: Position::default(),
            current_target_position: Position::default(),
            starting_position: Position::default(),
            params: MovementParameters::default(),
            previous_heading: 0.0,
            previous_distance: f32::MAX,
            previous_distance_time: now,
            original_distance: f32::MAX,
            original_distance_time: now,
            fail_progress_count: 0,
            sought_object_id: 0,
            top_level_object_id: 0,
            sought_object_radius: 0.0,
            sought_object_height: 0.0,
            current_command: MotionId::NONE,
            aux_command: MotionId::NONE,
            moving_away: false,
            initialized: false,
            ended_by: None,
            pending_actions: Queue::new(),
        };
        fresh.initialize_local_variables(now);
        fresh
    }

    /// Forgets the movement. The starting position, the parameters apart from bits and context, the last
    /// one's reason to end and the queued nodes stay.
    pub fn initialize_local_variables(&mut self, now: Time) {
        self.movement_type = MovementType::Invalid;
        self.params.bits = ParameterBits::EMPTY;
        self.params.context_id = 0;
        self.previous_heading = 0.0;
        (self.previous_distance, self.previous_distance_time) = (f32::MAX, now);
        (self.original_distance, self.original_distance_time) = (f32::MAX, now);
        self.fail_progress_count = 0;
        self.sought_position = Position::default();
        self.current_target_position = Position::default();
        (self.sought_object_id, self.top_level_object_id) = (0, 0);
        (self.sought_object_radius, self.sought_object_height) = (0.0, 0.0);
        (self.current_command, self.aux_command) = (MotionId::NONE, MotionId::NONE);
        (self.moving_away, self.initialized) = (false, false);
    }

    /// Whether a movement is under way.
    pub fn is_moving_to(&self) -> bool {
        self.movement_type != MovementType::Invalid
    }
}

#[cfg(test)]
mod tests;
