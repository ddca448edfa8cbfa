//! The geometry that everything else asks: pure functions of posed shapes, a move and a triangle.
//!
//! [`scalar`] is the definition. A hot kernel has a twin for the vector unit in [`vu0`], and [`Kernels`] chooses between the
//! two; [`twins`] runs both over the same inputs, on the console to hold them together. Every sweep answers the first
//! [`Touch`] of a move, or nothing.
//!
//! Source: seed 002, Geometry kernels.

mod choice;
pub mod scalar;
pub mod twins;
pub mod vu0;

pub use choice::Kernels;

use crate::maths::Vec3;

/// Where and when a moving shape first touches another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// Share of the move, 0 to 1.
    pub fraction: f32,
    /// A point of the touch in metres.
    pub point: Vec3,
    /// Unit normal that points at the mover; zero where the shapes give none.
    pub normal: Vec3,
}
