//! The numbers of the physics world, in one place.
//!
//! Source: seed 002; support systems, Collision mesh.

/// Gravity of humans, objects and car parts in m/s2.
pub const GRAVITY: f32 = 15.68;
/// A falling human's lowest vertical velocity in m/s.
pub const LOWEST_FALL_SPEED: f32 = -50.0;
/// A human velocity longer than this times the scale, in m/s, is zeroed before gravity.
pub const WILD_SPEED: f32 = 50.0;
/// A face whose normal's z is within this of 0 is a wall; above it a human lands.
pub const WALL_UPRIGHT: f32 = 0.65;
/// A face whose normal's z is above this is a floor for objects and car parts.
pub const FLOOR_UPRIGHT: f32 = 0.7;
/// A sphere's centre nearer to a plane than this, in metres, is behind it.
pub const SIDE_EPSILON: f32 = 1e-6;
/// A move must go into a wall by more than this many metres to meet it.
pub const GOES_IN: f32 = -0.001;
/// Walls whose steepest edge rises less than this many metres are steps.
pub const LOW_WALL: f32 = 0.25;
/// The longest edge of a thin face is not upright: its unit z is below this.
pub const THIN_UPRIGHT: f32 = 0.8;
/// A face narrower than this many metres beside its longest edge is thin.
pub const THIN_WIDTH: f32 = 0.25;
/// Height of a walking sphere's bottom above the feet in metres.
pub const WALK_CLEARANCE: f32 = 0.05;
/// What the resolver leaves between a body and what it touches, in metres.
pub const BACK_OFF: f32 = 0.01;
/// Passes of a body sweep.
pub const PASSES: usize = 3;
/// Share of the mover's move that a pushed body gets.
pub const PUSH_SHARE: f32 = 0.5;
/// A human's attribute 1.
pub const HUMAN_WEIGHT: f32 = 82.0;
/// Push weight of a human that nobody can push.
pub const IMMOVABLE: f32 = 1e9;
/// Contact scale of a body that meets a body.
pub const BODY_CONTACT_SCALE: f32 = 1.0;
/// Contact scale of a body that meets the mesh.
pub const MESH_CONTACT_SCALE: f32 = 0.98;
/// Contact scale of an airborne human.
pub const AIRBORNE_CONTACT_SCALE: f32 = 0.25;
/// How far a push sphere nudges a bystander, in metres.
pub const NUDGE: f32 = 0.25;
/// Radius of a push sphere in metres.
pub const PUSH_SPHERE_RADIUS: f32 = 2.0;
/// A human capsule's radius in metres at scale 1.
pub const HUMAN_RADIUS: f32 = 0.35;
/// A human capsule's height in metres when it is made, at scale 1.
pub const HUMAN_HEIGHT: f32 = 2.0;
/// A player's body scale across the ground.
pub const PLAYER_BODY_SCALE: f32 = 0.5 / 0.35;
/// Radius of a player's airborne push-out sphere in metres at scale 1.
pub const PLAYER_AIR_RADIUS: f32 = 0.5;
/// Acceleration of a settle per tick squared.
pub const SETTLE_ACCELERATION: f32 = 0.02;
/// Ticks between two refreshes of the widest-body bound.
pub const BOUND_REFRESH_TICKS: u16 = 120;
/// Seconds of a tick.
pub const TICK: f32 = 1.0 / 60.0;
/// Seconds of a characters' step.
pub const STEP: f32 = 1.0 / 30.0;
/// A hit of the landing segment nearer than this many metres is a landing at once.
pub const LANDING_RISE: f32 = 1.0;
