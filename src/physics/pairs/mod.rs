//! The tables of shape pairs: which test two types of shapes get, moving and at rest.
//!
//! An empty entry never touches. A mirrored entry asks the other order and swaps the halves, so that the normal points at
//! the mover again.
//!
//! Source: seed 002, The shape-pair tables.

mod overlaps;
mod rays;
mod sweeps;

pub use overlaps::{OVERLAPS, overlap};
pub use rays::{RAYS, ray};
pub use sweeps::{SWEEPS, sweep};

use super::kernels::{Kernels, Touch};
use super::shapes::{Geometry, ShapeType};
use crate::maths::Vec3;

/// Rows and columns of the tables: the types count from 1.
pub const TYPES: usize = 5;

/// A test of two shapes at rest.
pub type Overlap = fn(&Geometry, &Geometry) -> Option<Touch>;
/// A test of a moving shape against another one.
pub type Sweep = fn(&Geometry, Vec3, &Geometry, PairRules) -> Option<Touch>;
/// A test of a ray, as origin and whole way, against a shape: the fraction at which it enters.
pub type RayTest = fn(Kernels, Vec3, Vec3, &Geometry) -> Option<f32>;

/// What a pair test must know beside the shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairRules {
    /// Two capsules meet whatever their heights: the other owner's type mask has 0x200.
    pub any_height: bool,
}

#[inline]
fn index(kind: ShapeType) -> usize {
    kind as usize
}

/// A touch seen from the other side: found for `b` moving against a resting `a`, told for `a` moving by `d`.
#[inline]
fn mirrored(touch: Touch, d: Vec3) -> Touch {
    Touch { point: touch.point + d * touch.fraction, normal: -touch.normal, ..touch }
}
