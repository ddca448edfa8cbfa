//! The pools of bodies and shapes: how many of each, and which numbers belong to which pool.
//!
//! Source: seed 002, IPhysics (pool sizes).

use super::ids::{BodyId, ShapeId};
use core::ops::Range;

/// Humans' bodies.
pub const HUMAN_BODIES: usize = 60;
/// World objects' bodies.
pub const OBJECT_BODIES: usize = 416;
/// Glass panes' bodies.
pub const PANE_BODIES: usize = 255;
/// Cars' bodies.
pub const CAR_BODIES: usize = 18;
/// The punch bag's body set.
pub const PUNCH_BAGS: usize = 1;
/// All bodies.
pub const BODIES: usize = HUMAN_BODIES + PUNCH_BAGS + OBJECT_BODIES + PANE_BODIES + CAR_BODIES;

/// Bone shapes of a human.
pub const BONE_SHAPES: usize = 10;
/// Ignore slots.
pub const IGNORE_SLOTS: usize = 60;
/// Settle slots.
pub const SETTLE_SLOTS: usize = 64;
/// Candidates that a query's caller has room for.
pub const CANDIDATES: usize = 512;

/// Kinds of bodies, each with its own pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// A human.
    Human,
    /// The punch bag.
    PunchBag,
    /// A world object.
    Object,
    /// A glass pane.
    Pane,
    /// A car.
    Car,
}

impl BodyKind {
    /// The numbers of the pool's bodies.
    pub const fn bodies(self) -> Range<u16> {
        const BAG: u16 = HUMAN_BODIES as u16;
        const OBJECTS: u16 = BAG + PUNCH_BAGS as u16;
        const PANES: u16 = OBJECTS + OBJECT_BODIES as u16;
        const CARS: u16 = PANES + PANE_BODIES as u16;
        match self {
            Self::Human => 0..BAG,
            Self::PunchBag => BAG..OBJECTS,
            Self::Object => OBJECTS..PANES,
            Self::Pane => PANES..CARS,
            Self::Car => CARS..BODIES as u16,
        }
    }

    /// The pool that a body belongs to.
    pub const fn of(body: BodyId) -> Self {
        let n = body.0;
        if n < Self::Human.bodies().end {
            Self::Human
        } else if n < Self::PunchBag.bodies().end {
            Self::PunchBag
        } else if n < Self::Object.bodies().end {
            Self::Object
        } else if n < Self::Pane.bodies().end {
            Self::Pane
        } else {
            Self::Car
        }
    }
}

/// The pools of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapePool {
    /// 300 spheres: five of each human's bones.
    BoneSpheres,
    /// 300 segments: five of each human's bones.
    BoneSegments,
    /// 60 spheres for weapons' strike spheres.
    StrikeSpheres,
    /// 60 capsules: one of each human.
    Capsules,
    /// 416 spheres of world objects.
    ObjectSpheres,
    /// 416 boxes of world objects.
    ObjectBoxes,
    /// 255 boxes of glass panes.
    PaneBoxes,
    /// 36 boxes of cars.
    CarBoxes,
    /// 30 spheres of 2 m: the humans' push spheres.
    PushSpheres,
    /// The punch bag's capsule.
    BagCapsule,
    /// The punch bag's segment.
    BagSegment,
}

/// The shape pools in the order of their numbers, with their sizes.
const SHAPE_POOLS: [(ShapePool, u16); 11] = [
    (ShapePool::BoneSpheres, 300),
    (ShapePool::BoneSegments, 300),
    (ShapePool::StrikeSpheres, 60),
    (ShapePool::Capsules, 60),
    (ShapePool::ObjectSpheres, 416),
    (ShapePool::ObjectBoxes, 416),
    (ShapePool::PaneBoxes, 255),
    (ShapePool::CarBoxes, 36),
    (ShapePool::PushSpheres, 30),
    (ShapePool::BagCapsule, 1),
    (ShapePool::BagSegment, 1),
];

/// All shapes.
pub const SHAPES: usize = ShapePool::BagSegment.shapes().end as usize;

impl ShapePool {
    /// The numbers of the pool's shapes.
    pub const fn shapes(self) -> Range<u16> {
        let (mut i, mut start) = (0, 0);
        while SHAPE_POOLS[i].0 as u8 != self as u8 {
            start += SHAPE_POOLS[i].1;
            i += 1;
        }
        start..start + SHAPE_POOLS[i].1
    }

    /// The pool's nth shape.
    pub const fn nth(self, n: u16) -> ShapeId {
        ShapeId(self.shapes().start + n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pools_have_the_documents_sizes_and_do_not_overlap() {
        let sizes = SHAPE_POOLS.map(|(pool, size)| (pool.shapes().len(), size as usize));
        assert!(sizes.iter().all(|(a, b)| a == b));
        assert_eq!(SHAPES, 300 + 300 + 60 + 60 + 416 + 416 + 255 + 36 + 30 + 2);
        for pair in SHAPE_POOLS.windows(2) {
            assert_eq!(pair[0].0.shapes().end, pair[1].0.shapes().start);
        }
    }

    #[test]
    fn a_body_knows_its_pool() {
        for kind in [BodyKind::Human, BodyKind::PunchBag, BodyKind::Object, BodyKind::Pane, BodyKind::Car] {
            let bodies = kind.bodies();
            assert_eq!(BodyKind::of(BodyId(bodies.start)), kind);
            assert_eq!(BodyKind::of(BodyId(bodies.end - 1)), kind);
        }
        assert_eq!(BODIES, 750);
    }
}
