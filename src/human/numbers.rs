//! The characters' bits and numbers that the gates do not read themselves.
//!
//! Source: humans and combat, Data, Locomotion, and Moving, ground, air.

/// Further bits of a human's state word; the gates' are in [`crate::tasks::humans::gates::state`].
pub mod state {
    /// In the fighting stance. A player sets only this one of the two.
    pub const STANCE: u64 = 0x1;
    /// In the fighting stance: what others than players set beside the first.
    pub const STANCE_SECOND: u64 = 0x2;
    /// In the fighting stance: what a brain sets.
    pub const BOTH_STANCES: u64 = STANCE | STANCE_SECOND;
    /// Has a target.
    pub const TARGET: u64 = 0x4;
    /// Is grabbed.
    pub const GRABBED: u64 = 0x10;
    /// The same of the second kind of grab.
    pub const GRABBED_SECOND: u64 = 0x20;
    /// Grabs.
    pub const GRABBING: u64 = 0x40;
    /// The same of the second kind of grab.
    pub const GRABBING_SECOND: u64 = 0x80;
    /// Mugs.
    pub const MUGGING: u64 = 0x100;
    /// Is mugged.
    pub const MUGGED: u64 = 0x200;
    /// Tackles.
    pub const TACKLING: u64 = 0x400;
    /// Is tackled.
    pub const TACKLED: u64 = 0x800;
    /// A power move.
    pub const POWER_MOVE: u64 = 0x1000;
    /// Blocks.
    pub const BLOCKING: u64 = 0x8000;
    /// Is hurt, and walks.
    pub const HURT: u64 = 0x1_0000;
    /// Knocked down.
    pub const DOWN: u64 = 0x8_0000;
    /// Asks for a sprint.
    pub const SPRINT: u64 = 0x100_0000;
    /// Lands.
    pub const LANDING: u64 = 0x20_0000_0000;
}

/// State codes. Source: humans and combat, Locomotion.
pub mod code {
    /// Nothing.
    pub const NONE: u32 = 0;
    /// A start clip was taken.
    pub const STARTS: u32 = 3;
    /// Turns in place; for an AI, starts to walk.
    pub const TURNS: u32 = 5;
    /// Starts to run.
    pub const RUNS: u32 = 6;
    /// Skids.
    pub const SKIDS: u32 = 9;
}

/// What a human shows at large. The numbers are the original's where one is known.
///
/// Source: humans and combat, Locomotion (anim state).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum AnimState {
    /// Stands.
    #[default]
    Idle = 0,
    /// Starts, walks, runs.
    Move = 4,
    /// Stands in the stance, or attacks.
    Stance = 11,
    /// Moves in the stance.
    StanceMove = 14,
    /// Blocks.
    Block = 21,
    /// Jumps.
    Jump = 25,
    /// Falls.
    Fall = 26,
    /// Lands.
    Land = 27,
    /// Reacts to a hit. Our choice of number.
    Hurt = 28,
    /// Lies or rises. Our choice of number.
    Down = 29,
}

/// Gaits, slowest first: 0 stands, then sneak, walk, jog, run, sprint.
pub const GAITS: usize = 6;
/// The gait that sneaks.
pub const SNEAK: u8 = 1;
/// The gait that walks.
pub const WALK: u8 = 2;
/// The gait that jogs.
pub const JOG: u8 = 3;
/// The gait that runs.
pub const RUN: u8 = 4;
/// The gait that sprints.
pub const SPRINT: u8 = 5;

/// A stick below this is at rest.
pub const DEAD_ZONE: f32 = 0.12;
/// A stick above this runs.
pub const RUN_ZONE: f32 = 0.95;
/// Metres a second gained in a step.
pub const GAIN: f32 = 0.8;
/// Full stamina.
pub const STAMINA: f32 = 135.0;
/// Full power.
pub const FULL_POWER: f32 = 100.0;
/// Stamina that a second of sprinting costs, and one without gives back.
pub const STAMINA_RATES: [f32; 2] = [20.0, 40.0];
/// Upward speed of a jump in m/s.
pub const JUMP_SPEED: f32 = 5.5;
/// A jump needs more than this speed, in m/s.
pub const JUMP_FROM: f32 = 3.3;
/// Vertical speed in m/s at which a landing begins to hurt, and at which it kills.
pub const FALL_HURTS: [f32; 2] = [-14.9, -20.5];
/// Lower than this under the level's lowest vertex, in metres, is out of the world.
pub const OUT_OF_WORLD: f32 = 20.0;
