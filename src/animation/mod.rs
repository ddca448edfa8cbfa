//! Animation: clips from the disc become poses, motion and events.
//!
//! A [`library::ClipLibrary`] holds all [`clip`]s as they came from the disc, their keys read in place. A human has an
//! [`stack::AnimStack`] of [`task`]s from a [`pool`] that all share; a step advances them, which answers how the human is
//! carried and fires [`events`], and moves the human's held bits. The stack's [`pose::LocalPose`] and a
//! [`skeleton::Skeleton`] give the places of 34 bones in the world, which the strike shapes and the drawing read.
//!
//! Source: humans and combat, Animation tasks; seed 000, Held flags.

pub mod clip;
pub mod events;
pub mod library;
pub mod pool;
pub mod pose;
pub mod skeleton;
pub mod stack;
pub mod task;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod write;
