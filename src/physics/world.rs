//! The one owner of bodies, shapes, ignore slots and settles.

use super::body::{Body, HumanParts};
use super::flags::{BodyFlags, ShapeFlags};
use super::ids::{BodyId, OwnerId, ShapeId};
use super::kernels::Kernels;
use super::pools::{BODIES, HUMAN_BODIES, IGNORE_SLOTS, PUNCH_BAGS, SETTLE_SLOTS, SHAPES, ShapePool};
use super::recent::Recent;
use super::settle::SettleSlot;
use super::shape::Shape;
use super::shapes::Geometry;
use crate::maths::Vec3;
use alloc::boxed::Box;
use alloc::vec;

/// An ignored owner of a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IgnoreSlot {
    /// The body; free without one.
    pub body: Option<BodyId>,
    pub owner: Option<OwnerId>,
    pub next: Option<u8>,
}

/// How often something ran out or was cut short since the world was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Bodies asked for and not given.
    pub bodies_refused: u32,
    /// Shapes asked for and not given.
    pub shapes_refused: u32,
    /// Ignores that found no slot.
    pub ignores_refused: u32,
    /// Settles that found no slot.
    pub settles_refused: u32,
    /// Candidates beyond a query's room.
    pub candidates_dropped: u32,
    /// Contacts beyond a list's room.
    pub contacts_dropped: u32,
    /// Strikes beyond a test's room.
    pub strikes_dropped: u32,
    /// Sweeps that ended without a move.
    pub stuck_sweeps: u32,
    /// Advances that went along the move, because along the normal they would have gone into a wall.
    pub advances_turned: u32,
}

/// The physics world of a level. Its pools are taken once, when it is made; nothing allocates afterwards.
///
/// Source: seed 002, IPhysics.
pub struct PhysicsWorld {
    pub(super) bodies: Box<[Body]>,
    pub(super) humans: Box<[HumanParts]>,
    pub(super) shapes: Box<[Shape]>,
    /// Every live body in the order in which it came.
    pub(super) live: heapless::Vec<BodyId, BODIES>,
    /// Head of the list sorted by the bounds' lowest x.
    pub(super) first: Option<BodyId>,
    pub(super) first_human: Option<BodyId>,
    pub(super) last_group: u16,
    /// Ticks since the bound was last refreshed.
    pub(super) refresh: u16,
    /// Width in x of the widest body.
    pub(super) widest: f32,
    pub(super) ignores: [IgnoreSlot; IGNORE_SLOTS],
    pub(super) settles: [SettleSlot; SETTLE_SLOTS],
    pub(super) counters: Counters,
    pub(super) recent: Recent,
    pub(super) kernels: Kernels,
}

/// A walk along a body's chain of shapes.
#[derive(Clone, Debug, Default)]
pub struct ShapeChain<'a> {
    shapes: &'a [Shape],
    next: Option<ShapeId>,
}

impl Iterator for ShapeChain<'_> {
    type Item = ShapeId;

    fn next(&mut self) -> Option<ShapeId> {
        let shape = self.next?;
        self.next = self.shapes.get(shape.0 as usize).and_then(|shape| shape.next);
        Some(shape)
    }
}

impl Default for PhysicsWorld {
    fn default() -> Self {
        Self::new()
    }
}

impl PhysicsWorld {
    /// An empty world.
    ///
    /// Source: seed 002, Original structure (IPhysics_Construct 0x0033c288).
    // Covers: seed 002, IPhysics_Construct (0x0033c288) test=a_new_world_is_empty_and_its_strike_spheres_are_marked default=Self::bare()
    pub fn new() -> Self {
        let mut world = Self::bare();
        for id in ShapePool::StrikeSpheres.shapes() {
            world.shapes[id as usize].flags = ShapeFlags::STRIKES;
        }
        world
    }

    /// Every pool free, with nothing marked.
    fn bare() -> Self {
        Self {
            bodies: vec![Body::FREE; BODIES].into_boxed_slice(),
            humans: vec![HumanParts::NONE; HUMAN_BODIES + PUNCH_BAGS].into_boxed_slice(),
            shapes: vec![Shape::new(Shape::sphere(0.0)); SHAPES].into_boxed_slice(),
            live: heapless::Vec::new(),
            first: None,
            first_human: None,
            last_group: 0,
            refresh: 0,
            widest: 0.0,
            ignores: [IgnoreSlot::default(); IGNORE_SLOTS],
            settles: [SettleSlot::FREE; SETTLE_SLOTS],
            counters: Counters::default(),
            recent: Recent::default(),
            kernels: Kernels::default(),
        }
    }

    /// A body's record.
    #[inline]
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0 as usize]
    }

    /// A body's record, to be changed.
    #[inline]
    pub fn body_mut(&mut self, id: BodyId) -> &mut Body {
        &mut self.bodies[id.0 as usize]
    }

    /// A shape's record.
    #[inline]
    pub fn shape(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    /// A shape's record, to be changed.
    #[inline]
    pub fn shape_mut(&mut self, id: ShapeId) -> &mut Shape {
        &mut self.shapes[id.0 as usize]
    }

    /// What a human's body has beside, or nothing for other bodies.
    #[inline]
    pub fn human_parts(&self, id: BodyId) -> Option<&HumanParts> {
        self.humans.get(id.0 as usize)
    }

    /// The same, to be changed.
    #[inline]
    pub fn human_parts_mut(&mut self, id: BodyId) -> Option<&mut HumanParts> {
        self.humans.get_mut(id.0 as usize)
    }

    /// Every live body in the order in which it came.
    #[inline]
    pub fn live_bodies(&self) -> &[BodyId] {
        &self.live
    }

    /// Width in metres of the widest body met since the last refresh.
    pub fn widest(&self) -> f32 {
        self.widest
    }

    /// What ran out so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Which twins of the hot kernels this world uses.
    #[inline]
    pub fn kernels(&self) -> Kernels {
        self.kernels
    }

    /// Chooses the twins, from the next test on.
    pub fn set_kernels(&mut self, kernels: Kernels) {
        self.kernels = kernels;
    }

    /// What sweeping did lately.
    #[inline]
    pub fn recent(&self) -> &Recent {
        &self.recent
    }

    /// The shapes of a body's chain, first one first.
    // Covers: seed 002, PhysicsBody_GetShapes (0x00341ae0) test=physics::human_body::tests::the_chain_that_blocks_is_the_capsule_alone
    // Covers: seed 002, PhysicsHumanBody_GetShapes (0x003420c8) test=physics::human_body::tests::the_chain_that_blocks_is_the_capsule_alone
    pub fn shapes_of(&self, body: BodyId) -> ShapeChain<'_> {
        ShapeChain { shapes: &self.shapes, next: self.body(body).first_shape }
    }

    /// The live humans, latest first.
    pub fn human_bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        core::iter::successors(self.first_human, |&body| self.humans[body.0 as usize].next)
    }

    /// A group number that no pair has had for a while: 1 to 0xfffe, round and round.
    ///
    /// Source: seed 002, Human contacts (Groups).
    pub fn next_group(&mut self) -> u16 {
        const LAST: u16 = 0xfffe;
        self.last_group = if self.last_group >= LAST { 1 } else { self.last_group + 1 };
        self.last_group
    }

    /// The body that an owner has, if it has one.
    pub fn body_of(&self, owner: OwnerId) -> Option<BodyId> {
        self.live.iter().copied().find(|&id| self.body(id).owner == Some(owner))
    }

    /// Marks a body for its next update.
    #[inline]
    pub fn mark_dirty(&mut self, body: BodyId) {
        self.body_mut(body).flags |= BodyFlags::DIRTY;
    }

    /// Switches a shape of a human's bone, and the bone's bit.
    ///
    /// Source: seed 002, The human body (PhysBody_SetShapeEnabled 0x003428d0).
    // Covers: seed 002, PhysBody_SetShapeEnabled (0x003428d0) test=physics::human_body::tests::a_bones_switch_sets_its_bit_and_shape
    pub fn set_bone_enabled(&mut self, body: BodyId, bone: u8, enabled: bool) {
        let Some(parts) = self.humans.get_mut(body.0 as usize) else { return };
        let bit = 1_u32.checked_shl(u32::from(bone).wrapping_sub(2)).unwrap_or(0);
        parts.switched_on = if enabled { parts.switched_on | bit } else { parts.switched_on & !bit };
        for shape in parts.bones.into_iter().flatten() {
            let shape = &mut self.shapes[shape.0 as usize];
            if shape.bone == Some(bone) {
                shape.set_enabled(enabled);
            }
        }
    }

    /// The position of a shape in the world.
    #[inline]
    pub fn shape_position(&self, shape: ShapeId) -> Vec3 {
        self.shape(shape).geometry.position()
    }

    /// The posed geometry of a shape.
    #[inline]
    pub fn geometry(&self, shape: ShapeId) -> &Geometry {
        &self.shape(shape).geometry
    }
}

// Excused: seed 002, Physics_StaticInit (0x0034f6c0) reason=destructor or static initialiser
// Excused: seed 002, Physics_StaticInitStub (0x0034f718) reason=destructor or static initialiser

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_numbers_run_from_1_to_fffe_and_round() {
        let mut world = PhysicsWorld::new();
        assert_eq!([world.next_group(), world.next_group()], [1, 2]);
        world.last_group = 0xfffd;
        assert_eq!([world.next_group(), world.next_group()], [0xfffe, 1]);
    }

    #[test]
    fn a_new_world_is_empty_and_its_strike_spheres_are_marked() {
        let world = PhysicsWorld::new();
        assert!(world.live_bodies().is_empty() && world.human_bodies().next().is_none());
        assert_eq!(world.shape(ShapePool::StrikeSpheres.nth(59)).flags, ShapeFlags::STRIKES);
    }
}
