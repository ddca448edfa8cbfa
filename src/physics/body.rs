//! A body: its bounds, its place in the lists, its flags and pending push.

use super::aabb::Aabb;
use super::flags::{BodyFlags, TypeMask};
use super::ids::{BodyId, OwnerId, ShapeId};
use super::pools::BONE_SHAPES;
use crate::maths::Vec3;

/// A body record.
///
/// Source: seed 002, Bodies.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Bounds of its shapes.
    pub bounds: Aabb,
    /// Place in the vector of live bodies. Removing a body leaves it as it is.
    pub index: Option<u16>,
    /// Neighbour with a lower bound in x.
    pub previous: Option<BodyId>,
    /// Neighbour with a higher one.
    pub next: Option<BodyId>,
    /// First shape.
    pub first_shape: Option<ShapeId>,
    /// Who owns it; free without one.
    pub owner: Option<OwnerId>,
    /// First ignore slot.
    pub ignores: Option<u8>,
    /// Two bodies of the same non-zero group never touch.
    pub group: u16,
    /// What meets it and how it behaves.
    pub flags: BodyFlags,
    /// The owner's kind.
    pub kinds: TypeMask,
    /// Pending push-out in metres, added to the next sweep's move.
    pub push: Vec3,
    /// Scale per axis: a player's walking sphere is larger than its capsule.
    pub scale: Vec3,
    /// Sweeps in a row that could not move it.
    pub stuck: u32,
}

impl Default for Body {
    fn default() -> Self {
        Self::FREE
    }
}

impl Body {
    /// A free record.
    ///
    /// Source: seed 002, Bodies (PhysicsBody_Construct 0x003418f8).
    pub const FREE: Self = Self {
        bounds: Aabb { min: Vec3::ZERO, max: Vec3::ZERO },
        index: None,
        previous: None,
        next: None,
        first_shape: None,
        owner: None,
        ignores: None,
        group: 0,
        flags: BodyFlags::NONE,
        kinds: TypeMask::NONE,
        push: Vec3::ZERO,
        scale: Vec3::splat(1.0),
        stuck: 0,
    };

    /// Whether it belongs to a human.
    #[inline]
    pub fn is_human(&self) -> bool {
        self.kinds.has(TypeMask::HUMAN)
    }

    /// Whether the two bodies are linked and pass through each other.
    #[inline]
    pub fn shares_group(&self, other: &Self) -> bool {
        self.group != 0 && self.group == other.group
    }
}

/// What a human's body has beside.
///
/// Source: seed 002, The human body.
#[derive(Clone, Copy, Debug)]
pub struct HumanParts {
    /// Its bone shapes; they are in no chain, so that they never block.
    pub bones: [Option<ShapeId>; BONE_SHAPES],
    /// Its push sphere while it has one.
    pub push_sphere: Option<ShapeId>,
    /// Bounds of everything with which it may strike.
    pub broad: Aabb,
    /// A bit for each switched-on bone: `1 << (bone - 2)`.
    pub switched_on: u32,
    /// First weapon strike sphere.
    pub strike_spheres: Option<ShapeId>,
    /// Next in the human list.
    pub next: Option<BodyId>,
    /// Previous in the human list.
    pub previous: Option<BodyId>,
    /// A weapon's strike is on.
    pub weapon_strikes: bool,
    /// The level does not stop it.
    pub ignores_level: bool,
}

impl HumanParts {
    /// Nothing.
    pub const NONE: Self = Self {
        bones: [None; BONE_SHAPES],
        push_sphere: None,
        broad: Aabb::EMPTY,
        switched_on: 0,
        strike_spheres: None,
        next: None,
        previous: None,
        weapon_strikes: false,
        ignores_level: false,
    };
}
