//! Gathering candidate bodies with a box: the sort-and-sweep.

use super::PhysicsWorld;
use super::aabb::Aabb;
use super::body::Body;
use super::flags::{BodyFlags, TypeMask};
use super::ids::{BodyId, OwnerId};
use super::kernels::Kernels;
use super::owner::Owners;
use super::pools::CANDIDATES;

/// Which bodies a query wants.
#[derive(Clone, Copy, Debug)]
pub struct BodyQuery {
    /// The box they must reach.
    pub bounds: Aabb,
    /// The asking body; it is a candidate too.
    pub start: Option<BodyId>,
    /// An owner whose bodies are left out.
    pub ignored_owner: Option<OwnerId>,
    /// Kinds of owners; none finds nothing.
    pub type_mask: TypeMask,
    /// Body flags of which one must be set; none means any body.
    pub flag_mask: BodyFlags,
}

impl BodyQuery {
    /// Every body, anywhere a caller sets bounds.
    pub const ALL: Self = Self {
        bounds: Aabb::EMPTY,
        start: None,
        ignored_owner: None,
        type_mask: TypeMask::ALL,
        flag_mask: BodyFlags::NONE,
    };

    #[inline]
    fn wants(&self, body: &Body, kernels: Kernels) -> bool {
        kernels.reaches(&body.bounds, &self.bounds)
            && (self.ignored_owner.is_none() || body.owner != self.ignored_owner)
            && body.kinds.has(self.type_mask)
            && (self.flag_mask == BodyFlags::NONE || body.flags.has(self.flag_mask))
    }
}

/// What a filtered query leaves out beside.
#[derive(Clone, Copy)]
pub struct BodyFilter<'a> {
    /// Bodies with any of these flags.
    pub excluded_flags: BodyFlags,
    /// Owners whose state has any of these bits.
    pub excluded_state: u32,
    /// Pairs that this refuses: the asking body, the candidate.
    pub accepts: Option<&'a dyn Fn(Option<BodyId>, BodyId) -> bool>,
}

/// The bodies that a query found, in its order.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    ids: heapless::Vec<BodyId, CANDIDATES>,
    dropped: u32,
}

impl Candidates {
    /// No body.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bodies: those before the asking one first, nearest to it first, then the ones from it on.
    pub fn as_slice(&self) -> &[BodyId] {
        &self.ids
    }

    /// Candidates that found no room.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    fn push(&mut self, id: BodyId) {
        // The original has no check here; ours counts instead of writing on.
        if self.ids.push(id).is_err() {
            self.dropped += 1;
        }
    }
}

/// What is added to the widest body's width: metres, and a share of the place along x.
const NEARLY: (f32, f32) = (0.01, 1e-6);

impl PhysicsWorld {
    /// Gathers the bodies that a box reaches.
    ///
    /// With an asking body the list is walked backward from it to the head first, then forward from it; without one, from
    /// the head. Forward it ends at the first body whose lowest x is past the box. Backward the original's stop, the
    /// widest-body bound, is looked at only by a body that reaches the box, and so never acts while the bound is current.
    ///
    /// Our choice: the walk backward ends where even the widest body would not reach the box. Every answer is that of a walk
    /// to the head; what is left out is most of its way.
    ///
    /// Source: seed 002, Queries: the sort-and-sweep (IPhysics_QueryBox 0x0033feb0).
    // Covers: seed 002, IPhysics_QueryBox (0x0033feb0) test=with_an_asking_body_those_before_it_come_first_in_reverse
    pub fn query_box(&self, query: &BodyQuery, out: &mut Candidates) {
        self.each_candidate(query, |id| out.push(id));
    }

    /// The same without a list: a list of 512 costs more than most queries find.
    #[inline]
    pub(super) fn each_candidate(&self, query: &BodyQuery, mut visit: impl FnMut(BodyId)) {
        // Further before the box than the widest body is wide, give or take rounding.
        let furthest = self.widest + NEARLY.0 + NEARLY.1 * query.bounds.min.x.abs();
        let mut at = query.start.and_then(|start| self.body(start).previous);
        while let Some(id) = at {
            let body = self.body(id);
            if query.bounds.min.x - body.bounds.min.x > furthest {
                break;
            }
            if query.wants(body, self.kernels) {
                visit(id);
            }
            at = body.previous;
        }
        let mut at = query.start.or(self.first);
        while let Some(id) = at {
            let body = self.body(id);
            if body.bounds.min.x > query.bounds.max.x {
                break;
            }
            if query.wants(body, self.kernels) {
                visit(id);
            }
            at = body.next;
        }
    }

    /// The same with the filtered form's further exclusions.
    ///
    /// Source: seed 002, Queries: the sort-and-sweep (0x00340120).
    // Covers: seed 002, IPhysics_QueryBoxFiltered (0x00340120) test=the_filtered_form_excludes_flags_states_and_refused_pairs
    pub fn query_box_filtered(
        &self,
        query: &BodyQuery,
        filter: &BodyFilter<'_>,
        owners: &dyn Owners,
        out: &mut Candidates,
    ) {
        let mut all = Candidates::new();
        self.query_box(query, &mut all);
        out.dropped += all.dropped;
        for &id in all.as_slice() {
            let body = self.body(id);
            let state = body.owner.map_or(0, |owner| owners.state_flags(owner));
            let accepted = filter.accepts.is_none_or(|accepts| accepts(query.start, id));
            if !body.flags.has(filter.excluded_flags) && state & filter.excluded_state == 0 && accepted {
                out.push(id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Vec3;
    use crate::physics::bench::Things;

    /// Bodies one metre wide whose lowest x is given; the owner's number is the body's.
    fn world_with(lows: &[f32]) -> PhysicsWorld {
        let mut world = PhysicsWorld::new();
        for (i, &low) in lows.iter().enumerate() {
            let body = &mut world.bodies[i];
            body.bounds = Aabb { min: Vec3::X * low, max: Vec3::X * (low + 1.0) };
            body.kinds = TypeMask::HUMAN;
            body.owner = Some(OwnerId(i as u32));
            world.add_body(BodyId(i as u16));
        }
        world
    }

    fn found(world: &PhysicsWorld, query: &BodyQuery) -> alloc::vec::Vec<u16> {
        let mut out = Candidates::new();
        world.query_box(query, &mut out);
        out.as_slice().iter().map(|id| id.0).collect()
    }

    fn between(low: f32, high: f32) -> BodyQuery {
        BodyQuery { bounds: Aabb { min: Vec3::X * low, max: Vec3::X * high }, ..BodyQuery::ALL }
    }

    #[test]
    fn without_an_asking_body_the_order_is_the_lists() {
        let world = world_with(&[4.0, 0.0, 2.0, 9.0]);
        assert_eq!(found(&world, &between(0.5, 4.5)), [1, 2, 0]);
    }

    #[test]
    fn with_an_asking_body_those_before_it_come_first_in_reverse() {
        let world = world_with(&[4.0, 0.0, 2.0, 9.0, 5.0]);
        let query = BodyQuery { start: Some(BodyId(0)), ..between(0.5, 5.5) };
        assert_eq!(found(&world, &query), [2, 1, 0, 4]);
    }

    #[test]
    fn the_backward_walk_reaches_a_wide_body_at_the_head() {
        let mut world = world_with(&[4.0, 0.0, 2.0]);
        world.bodies[1].bounds.max.x = 8.0;
        world.list_reinsert(BodyId(1));
        let query = BodyQuery { start: Some(BodyId(0)), ..between(4.0, 4.5) };
        assert_eq!(found(&world, &query), [1, 0]);
    }

    #[test]
    fn the_backward_walk_also_finds_bodies_that_begin_past_the_box() {
        let world = world_with(&[0.0, 4.0, 9.0, 10.0]);
        let query = BodyQuery { start: Some(BodyId(2)), ..between(0.5, 2.0) };
        // Going back there is no test of where a body begins: the one at 4 is answered although the box ends at 2. Going
        // forward there is, so the asking body at 9 is not.
        assert_eq!(found(&world, &query), [1, 0]);
        assert_eq!(found(&world, &between(0.5, 2.0)), [0]);
    }

    #[test]
    fn masks_and_the_ignored_owner_leave_bodies_out() {
        let mut world = world_with(&[0.0, 1.0, 2.0]);
        world.bodies[1].flags = BodyFlags::BLOCK_HUMANS;
        let query = between(0.0, 3.0);
        assert_eq!(found(&world, &BodyQuery { flag_mask: BodyFlags::BLOCK_HUMANS, ..query }), [1]);
        assert_eq!(found(&world, &BodyQuery { ignored_owner: Some(OwnerId(1)), ..query }), [0, 2]);
        assert_eq!(found(&world, &BodyQuery { type_mask: TypeMask(0), ..query }), [0_u16; 0]);
        assert_eq!(found(&world, &BodyQuery { type_mask: TypeMask(0x8), ..query }), [0_u16; 0]);
    }

    #[test]
    fn y_and_z_must_overlap_too() {
        let mut world = world_with(&[0.0, 0.0]);
        world.bodies[0].bounds.min.z = 5.0;
        world.bodies[0].bounds.max.z = 6.0;
        assert_eq!(found(&world, &between(0.0, 3.0)), [1]);
    }

    #[test]
    fn the_filtered_form_excludes_flags_states_and_refused_pairs() {
        let mut world = world_with(&[0.0, 1.0, 2.0, 3.0]);
        world.bodies[0].flags = BodyFlags::NOT_PUSHABLE;
        let mut things = Things::new();
        for state in [0, 0, 0x10, 0] {
            let owner = things.add(crate::physics::bench::human(Vec3::ZERO));
            things.get_mut(owner).state_flags = state;
        }
        let refuse = |_: Option<BodyId>, other: BodyId| other != BodyId(3);
        let filter =
            BodyFilter { excluded_flags: BodyFlags::NOT_PUSHABLE, excluded_state: 0x10, accepts: Some(&refuse) };
        let mut out = Candidates::new();
        world.query_box_filtered(&between(0.0, 5.0), &filter, &things, &mut out);
        assert_eq!(out.as_slice(), [BodyId(1)]);
    }

    #[test]
    fn a_full_list_counts_what_it_drops() {
        let world = world_with(&[0.0; 600]);
        let mut out = Candidates::new();
        world.query_box(&between(0.0, 1.0), &mut out);
        assert_eq!((out.as_slice().len(), out.dropped()), (512, 88));
    }
}
