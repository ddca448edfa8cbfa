//! The questions that other code asks: a shape along a move, a shape at rest, a ray.

use super::PhysicsWorld;
use super::aabb::Aabb;
use super::contact::{Contact, ContactList, Half};
use super::flags::{BodyFlags, QueryOptions, TypeMask};
use super::ids::{BodyId, OwnerId, ShapeId};
use super::kernels::{Kernels, Touch};
use super::mesh::{SphereFilter, Walker, overlap_sphere, sweep_box, sweep_capsule, sweep_sphere};
use super::owner::Owners;
use super::pairs::{self, PairRules};
use super::pools::CANDIDATES;
use super::query::{BodyQuery, Candidates};
use super::shapes::Geometry;
use crate::collision::{CollisionMesh, Ray, TriangleFlags};
use crate::maths::Vec3;

/// A question about a shape.
#[derive(Clone, Copy, Debug)]
pub struct ShapeQuery {
    /// The shape, when it is given ([`QueryOptions::GIVEN_SHAPE`]).
    pub geometry: Geometry,
    /// The asking body; without a given shape its first one is used.
    pub body: Option<BodyId>,
    /// What to look at.
    pub options: QueryOptions,
    /// Kinds of owners, read with [`QueryOptions::TYPE_MASK`].
    pub type_mask: TypeMask,
    /// Body flags of which one must be set; none means any body.
    pub flag_mask: BodyFlags,
    /// An owner whose bodies are left out.
    pub ignored_owner: Option<OwnerId>,
    /// The interval of a triangle normal's z that a sphere meets.
    pub upright: (f32, f32),
}

impl ShapeQuery {
    /// A question about a given shape, with no option set.
    // Covers: seed 002, PhysicsBody_ConstructForOwner (0x00341970) test=a_shape_at_rest_meets_what_it_overlaps default=Self { geometry: super::shape::Shape::sphere(0.0), body: None, options: QueryOptions::NONE, type_mask: TypeMask::NONE, flag_mask: BodyFlags::NONE, ignored_owner: None, upright: (0.0, 0.0) }
    pub fn of_shape(geometry: Geometry) -> Self {
        Self {
            geometry,
            body: None,
            options: QueryOptions::GIVEN_SHAPE,
            type_mask: TypeMask::ALL,
            flag_mask: BodyFlags::NONE,
            ignored_owner: None,
            upright: SphereFilter::ALL.upright,
        }
    }

    fn filter(&self) -> SphereFilter {
        let passes = if self.options.has(QueryOptions::SPHERES_PASS) {
            TriangleFlags::SPHERES_PASS
        } else {
            TriangleFlags::default()
        };
        SphereFilter { passes, upright: self.upright }
    }

    fn bodies(&self, bounds: Aabb) -> BodyQuery {
        let type_mask = if self.options.has(QueryOptions::TYPE_MASK) { self.type_mask } else { TypeMask::ALL };
        let Self { body: start, ignored_owner, flag_mask, .. } = *self;
        BodyQuery { bounds, start, ignored_owner, type_mask, flag_mask }
    }
}

/// Which of the candidates' shapes are tested.
#[derive(Clone, Copy)]
struct Rules {
    skip_group: bool,
    ask_owner: bool,
    enabled_only: bool,
    first_only: bool,
}

impl Rules {
    /// A body's own sweep: one contact a body, everything asked.
    const SWEEP: Self = Self { skip_group: true, ask_owner: true, enabled_only: true, first_only: true };

    /// A swept query: the asker's group and owners that refuse are left out whatever the options say.
    fn of_sweep(options: QueryOptions) -> Self {
        Self { skip_group: true, ask_owner: true, ..Self::of_overlap(options) }
    }

    /// A query at rest: the group and the owners only where an option says so.
    fn of_overlap(options: QueryOptions) -> Self {
        Self {
            skip_group: options.has(QueryOptions::SKIP_GROUP),
            ask_owner: options.has(QueryOptions::ASK_OWNER),
            enabled_only: options.has(QueryOptions::ENABLED_SHAPES),
            first_only: false,
        }
    }
}

/// The nearest body on a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayBodyHit {
    /// Whose body.
    pub owner: OwnerId,
    /// The body.
    pub body: BodyId,
    /// Its shape.
    pub shape: ShapeId,
    /// Share of the ray's length.
    pub fraction: f32,
}

impl PhysicsWorld {
    /// Sweeps a shape along `d` metres against the mesh (option 0x1) and the bodies (option 0x2) and keeps the first `max`
    /// contacts by fraction. Bodies of the asker's non-zero group and owners that refuse it are left out always: their option
    /// bits are the overlap's.
    ///
    /// Source: seed 002, Queries: the sort-and-sweep (IPhysics_CollideShape 0x0033e7f0).
    // Covers: seed 002, IPhysics_CollideShape (0x0033e7f0) test=a_swept_shape_meets_bodies_by_fraction_and_keeps_the_first_ones
    pub fn collide_shape(
        &mut self,
        query: &ShapeQuery,
        d: Vec3,
        mesh: Option<&mut CollisionMesh>,
        owners: &dyn Owners,
        max: usize,
        out: &mut ContactList,
    ) {
        let (geometry, mover) = self.asking_shape(query);
        let dropped = out.dropped();
        if let (true, Some(mesh)) = (query.options.has(QueryOptions::MESH), mesh) {
            sweep_shape_against_mesh(self.kernels, mesh, &geometry, d, &query.filter(), mover, out);
        }
        if query.options.has(QueryOptions::BODIES) {
            let bodies = query.bodies(Aabb::of(&geometry).extended_by(d));
            let rules = Rules::of_sweep(query.options);
            self.test_bodies(&bodies, rules, mover, owners, out, |other, pair| pairs::sweep(&geometry, d, other, pair));
        }
        // The list may be one that an earlier query has filled.
        self.counters.contacts_dropped += out.dropped() - dropped;
        out.truncate(max);
    }

    /// The same for a shape at rest.
    ///
    /// Source: seed 002, Queries: the sort-and-sweep (IPhysics_OverlapShape 0x0033ebb8).
    // Covers: seed 002, IPhysics_OverlapShape (0x0033ebb8) test=a_shape_at_rest_meets_what_it_overlaps
    pub fn overlap_shape(
        &mut self,
        query: &ShapeQuery,
        mesh: Option<&mut CollisionMesh>,
        owners: &dyn Owners,
        out: &mut ContactList,
    ) {
        let (geometry, mover) = self.asking_shape(query);
        let dropped = out.dropped();
        if let (true, Some(mesh), Geometry::Sphere(sphere)) = (query.options.has(QueryOptions::MESH), mesh, geometry) {
            // Boxes and capsules have no overlap with the mesh: their table entries answer nothing.
            overlap_sphere(
                self.kernels,
                mesh,
                &sphere,
                &SphereFilter { upright: query.upright, ..SphereFilter::ALL },
                mover,
                out,
            );
        }
        if query.options.has(QueryOptions::BODIES) {
            let bodies = query.bodies(Aabb::of(&geometry));
            let rules = Rules::of_overlap(query.options);
            self.test_bodies(&bodies, rules, mover, owners, out, |other, _| pairs::overlap(&geometry, other));
        }
        self.counters.contacts_dropped += out.dropped() - dropped;
    }

    /// The nearest enabled box or capsule of a RAYCASTTARGET body on a ray; neither point nor normal is answered.
    ///
    /// Source: seed 002, Queries: the sort-and-sweep (IPhysics_RayCastBodies 0x0033eee0).
    // Covers: seed 002, IPhysics_RayCastBodies (0x0033eee0) test=a_ray_finds_the_nearest_raycast_target
    pub fn ray_cast_bodies(
        &mut self,
        ray: &Ray,
        type_mask: TypeMask,
        ignored_owner: Option<OwnerId>,
    ) -> Option<RayBodyHit> {
        let end = ray.end();
        let bounds = Aabb { min: ray.origin.min(end), max: ray.origin.max(end) };
        let flag_mask = BodyFlags::RAYCAST_TARGET;
        let mut candidates = Candidates::new();
        self.query_box(&BodyQuery { bounds, start: None, ignored_owner, type_mask, flag_mask }, &mut candidates);
        self.note_candidates(&candidates);
        let mut nearest: Option<RayBodyHit> = None;
        for &body in candidates.as_slice() {
            let Some(owner) = self.body(body).owner else { continue };
            for shape in self.shapes_of(body).filter(|&shape| self.shape(shape).is_enabled()) {
                if let Some(fraction) = pairs::ray(self.kernels, ray.origin, end - ray.origin, self.geometry(shape))
                    && nearest.is_none_or(|best| fraction < best.fraction)
                {
                    nearest = Some(RayBodyHit { owner, body, shape, fraction });
                }
            }
        }
        nearest
    }

    /// A body's own sweep against the candidates of `query`: one contact for each body that it meets.
    ///
    /// Source: seed 002, Sweeping a body (PhysicsBody_SweepHumanMask 0x0033d498).
    pub(super) fn sweep_bodies(
        &mut self,
        geometry: &Geometry,
        d: Vec3,
        mover: Half,
        query: &BodyQuery,
        owners: &dyn Owners,
        out: &mut ContactList,
    ) {
        self.test_bodies(query, Rules::SWEEP, mover, owners, out, |other, pair| pairs::sweep(geometry, d, other, pair));
    }

    /// Counts what a search found and what it had no room for.
    pub(super) fn note_candidates(&mut self, candidates: &Candidates) {
        self.counters.candidates_dropped += candidates.dropped();
        self.recent.candidates = self.recent.candidates.wrapping_add(candidates.as_slice().len() as u32);
    }

    fn asking_shape(&self, query: &ShapeQuery) -> (Geometry, Half) {
        let owner = query.body.and_then(|body| self.body(body).owner);
        let own = query.body.and_then(|body| self.body(body).first_shape);
        let shape = if query.options.has(QueryOptions::GIVEN_SHAPE) { None } else { own };
        let geometry = shape.map_or(query.geometry, |shape| *self.geometry(shape));
        (geometry, Half { owner, body: query.body, shape })
    }

    fn test_bodies(
        &mut self,
        query: &BodyQuery,
        rules: Rules,
        mover: Half,
        owners: &dyn Owners,
        out: &mut ContactList,
        test: impl Fn(&Geometry, PairRules) -> Option<Touch>,
    ) {
        let mut found = 0;
        self.each_candidate(query, |id| {
            found += 1;
            if found <= CANDIDATES {
                self.test_body(id, rules, mover, owners, out, &test);
            }
        });
        self.counters.candidates_dropped += found.saturating_sub(CANDIDATES) as u32;
        self.recent.candidates = self.recent.candidates.wrapping_add(found.min(CANDIDATES) as u32);
    }

    fn test_body(
        &self,
        id: BodyId,
        rules: Rules,
        mover: Half,
        owners: &dyn Owners,
        out: &mut ContactList,
        test: &impl Fn(&Geometry, PairRules) -> Option<Touch>,
    ) {
        let other = self.body(id);
        let Some(owner) = other.owner else { return };
        let linked = mover.body.is_some_and(|own| own == id || self.body(own).shares_group(other));
        let refuses = || mover.owner.is_some_and(|own| !owners.accepts(owner, own));
        if (rules.skip_group && linked) || mover.body == Some(id) || (rules.ask_owner && refuses()) {
            return;
        }
        let pair = PairRules { any_height: other.kinds.has(TypeMask::ANY_HEIGHT) };
        for shape in self.shapes_of(id) {
            if rules.enabled_only && !self.shape(shape).is_enabled() {
                continue;
            }
            let Some(touch) = test(self.geometry(shape), pair) else { continue };
            out.insert(Contact {
                normal: touch.normal,
                point: touch.point,
                fraction: touch.fraction,
                mover,
                other: Half { owner: Some(owner), body: Some(id), shape: Some(shape) },
                ..Contact::default()
            });
            if rules.first_only {
                return;
            }
        }
    }
}

/// A shape's mesh sweep by its type: a capsule as a walker of its own radius, a segment never.
///
/// Source: seed 002, The shape-pair tables (per type); Sweeping a body (IPhysics_SweepShapeVsMesh 0x0033d2d8).
// Covers: seed 002, IPhysics_SweepShapeVsMesh (0x0033d2d8) test=the_options_choose_mesh_bodies_kinds_groups_owners_and_disabled_shapes
pub fn sweep_shape_against_mesh(
    kernels: Kernels,
    mesh: &mut CollisionMesh,
    geometry: &Geometry,
    d: Vec3,
    filter: &SphereFilter,
    mover: Half,
    out: &mut ContactList,
) {
    match geometry {
        Geometry::Box(b) => sweep_box(kernels, mesh, b, d, mover, out),
        Geometry::Sphere(s) => sweep_sphere(kernels, mesh, s, d, filter, mover, out),
        Geometry::Capsule(c) => {
            let walker = Walker { capsule: *c, radius: c.radius, slides: false };
            sweep_capsule(kernels, mesh, &walker, d, mover, out);
        }
        Geometry::Segment(_) => {}
    }
}

// Excused: seed 002, PhysicsMesh_OverlapBox (0x003473b8) reason=empty stub
// Excused: seed 002, PhysicsMesh_OverlapCapsule (0x003473c0) reason=empty stub

#[cfg(test)]
mod tests;
