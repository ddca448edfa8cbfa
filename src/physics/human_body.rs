//! What a human's body does beside: bone shapes, weapon spheres, the broad bound and the push sphere.
//!
//! Source: seed 002, The human body.

use super::PhysicsWorld;
use super::aabb::Aabb;
use super::collide::ShapeQuery;
use super::constants::{HUMAN_RADIUS, HUMAN_WEIGHT, NUDGE, PLAYER_AIR_RADIUS, WALK_CLEARANCE};
use super::contact::ContactList;
use super::flags::{BodyFlags, QueryOptions, ShapeFlags, TypeMask};
use super::ids::{BodyId, OwnerId, ShapeId};
use super::mesh::push_out_of_walls;
use super::owner::{Attribute, Owners};
use super::pools::ShapePool;
use super::shape::Shape;
use super::shapes::{Geometry, Sphere};
use crate::collision::CollisionMesh;
use crate::maths::{Pose, Vec3};

/// How far a human reaches for the broad bound, in metres at scale 1.
const REACH: f32 = 0.8;
/// Height of the broad bound in metres.
const REACH_HEIGHT: f32 = 2.0;

/// The form of a bone shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneForm {
    /// A sphere.
    Sphere,
    /// A segment along the bone.
    Segment,
}

/// A bone shape at scale 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneShape {
    /// The bone.
    pub bone: u8,
    /// Sphere or segment.
    pub form: BoneForm,
    /// Offset in the bone's frame in metres.
    pub offset: [f32; 3],
    /// Radius in metres.
    pub radius: f32,
    /// Length of a segment in metres.
    pub length: f32,
    /// Its flags: 0x6 for what strikes of others aim at, else 0x2.
    pub flags: ShapeFlags,
}

const fn bone(bone: u8, form: BoneForm, offset: [f32; 3], radius: f32, length: f32, flags: u8) -> BoneShape {
    BoneShape { bone, form, offset, radius, length, flags: ShapeFlags(flags) }
}

/// The ten bone shapes: spine, head, and forearm, hand, shin and foot of each side.
///
/// Source: seed 002, The human body.
pub const BONES: [BoneShape; 10] = [
    bone(3, BoneForm::Segment, [-0.07, 0.0, 0.05], 0.18, 0.38, 0x6),
    bone(6, BoneForm::Sphere, [0.05, 0.0, 0.03], 0.15, 0.0, 0x6),
    bone(18, BoneForm::Segment, [0.0; 3], 0.07, 0.20, 0x2),
    bone(19, BoneForm::Sphere, [0.08, 0.0, 0.0], 0.09, 0.0, 0x2),
    bone(24, BoneForm::Segment, [0.0; 3], 0.07, 0.20, 0x2),
    bone(25, BoneForm::Sphere, [0.08, 0.0, 0.0], 0.09, 0.0, 0x2),
    bone(29, BoneForm::Segment, [0.0; 3], 0.10, 0.40, 0x2),
    bone(30, BoneForm::Sphere, [0.0; 3], 0.15, 0.0, 0x2),
    bone(32, BoneForm::Segment, [0.0; 3], 0.10, 0.40, 0x2),
    bone(33, BoneForm::Sphere, [0.0; 3], 0.15, 0.0, 0x2),
];

impl PhysicsWorld {
    /// Multiplies a human's capsule and bone shapes by its scale.
    ///
    /// Source: seed 002, The human body (PhysicsBody_ApplyHumanScale 0x00341f28).
    // Covers: seed 002, PhysicsBody_ApplyHumanScale (0x00341f28) test=a_humans_shapes_are_scaled_once
    pub(super) fn apply_human_scale(&mut self, id: BodyId, scale: f32) {
        let bones = self.humans[id.0 as usize].bones;
        let capsule = self.body(id).first_shape;
        for shape in bones.into_iter().chain([capsule]).flatten() {
            self.shape_mut(shape).scale_by(scale);
        }
    }

    /// Whether any strike of the human is on.
    pub fn is_striking(&self, id: BodyId) -> bool {
        self.human_parts(id).is_some_and(|parts| parts.switched_on != 0 || parts.weapon_strikes)
    }

    /// A human's update: capsule, weapon spheres, broad bound, bone shapes, push sphere.
    ///
    /// Source: seed 002, The human body (Update 0x003422d0).
    // Covers: seed 002, PhysicsHumanBody_Update (0x003422d0) test=the_broad_bound_reaches_for_the_attack_or_the_weapon
    pub(super) fn update_human_body(&mut self, id: BodyId, owner: OwnerId, owners: &dyn Owners) {
        let flags = self.body(id).flags;
        if flags.has(BodyFlags::KEEPS_POSE) {
            return;
        }
        let dirty = flags.has(BodyFlags::DIRTY);
        if dirty {
            self.pose_chain(id, owner, owners);
        }
        self.pose_strike_spheres(id, owner, owners);
        if dirty || self.is_striking(id) {
            self.humans[id.0 as usize].broad = self.broad_bound(id, owner, owners);
            let parts = self.humans[id.0 as usize];
            for shape in parts.bones.into_iter().flatten() {
                let active = ShapeFlags::ENABLED | ShapeFlags::STRIKE_TARGET;
                if self.shape(shape).flags.has(active) {
                    self.pose_shape(shape, owner, owners);
                }
            }
            if let Some(sphere) = parts.push_sphere {
                self.pose_shape(sphere, owner, owners);
            }
        }
        if dirty {
            self.refresh_bounds(id);
        }
    }

    fn broad_bound(&self, id: BodyId, owner: OwnerId, owners: &dyn Owners) -> Aabb {
        let at = owners.pose(owner).position;
        let (scale, attack) = owners.human(owner).map_or((1.0, 0.0), |human| (human.scale, human.attack_reach));
        let mut reach = (REACH * scale).max(attack);
        if let Some(first) = self.human_parts(id).and_then(|parts| parts.strike_spheres)
            && let Geometry::Sphere(sphere) = self.geometry(first)
        {
            reach = (sphere.centre - at).horizontal().length() + sphere.radius;
        }
        upright_bound(at, reach)
    }

    /// A human was teleported: the broad bound is rebuilt, and each active bone shape is set from the new matrix, so that
    /// the next pose sweeps a sphere from the new origin and a segment from its old start.
    ///
    /// Source: seed 002, The human body (Moved 0x00342828).
    // Covers: seed 002, PhysicsHumanBody_Moved (0x00342828) test=after_a_teleport_spheres_sweep_from_the_new_origin_and_segments_from_their_old_start
    pub(super) fn human_moved(&mut self, id: BodyId, pose: &Pose) {
        self.humans[id.0 as usize].broad = upright_bound(pose.position, REACH);
        for shape in self.humans[id.0 as usize].bones.into_iter().flatten() {
            let active = ShapeFlags::ENABLED | ShapeFlags::STRIKE_TARGET;
            if self.shape(shape).flags.has(active) {
                self.shape_mut(shape).set_from(pose);
            }
        }
    }

    /// Adds a weapon's strike sphere to a human, at an offset in the held thing's frame; answers whether one was free.
    ///
    /// Source: seed 002, The human body (_AddStrikeSphere 0x00342158, _FindFreeStrikeSphere 0x003408d8).
    // Covers: seed 002, IPhysics_FindFreeStrikeSphere (0x003408d8) test=the_broad_bound_reaches_for_the_attack_or_the_weapon
    // Covers: seed 002, PhysicsHumanBody_AddStrikeSphere (0x00342158) test=the_broad_bound_reaches_for_the_attack_or_the_weapon
    pub fn add_strike_sphere(&mut self, id: BodyId, offset: Vec3, radius: f32) -> bool {
        if self.human_parts(id).is_none() {
            return false;
        }
        let Some(shape) = self.alloc_shape(ShapePool::StrikeSpheres, Shape::sphere(radius), offset) else {
            return false;
        };
        let next = self.humans[id.0 as usize].strike_spheres.replace(shape);
        let shape = self.shape_mut(shape);
        shape.next = next;
        shape.flags |= ShapeFlags::STRIKES;
        true
    }

    /// Gives a human's weapon strike spheres back.
    ///
    /// Source: seed 002, The human body (_ClearStrikeSpheres 0x00342168).
    // Covers: seed 002, PhysicsHumanBody_ClearStrikeSpheres (0x00342168) test=the_broad_bound_reaches_for_the_attack_or_the_weapon
    pub fn clear_strike_spheres(&mut self, id: BodyId) {
        let mut at = self.human_parts_mut(id).and_then(|parts| parts.strike_spheres.take());
        while let Some(shape) = at {
            at = self.shape_mut(shape).next.take();
            self.shape_mut(shape).set_enabled(false);
            self.free_shape(shape);
        }
    }

    /// Switches a human's weapon strikes: its spheres sweep from where they are next posed.
    ///
    /// Source: seed 002, The human body (+0xc4, +0xd0).
    pub fn set_weapon_strikes(&mut self, id: BodyId, on: bool) {
        let Some(parts) = self.human_parts_mut(id).filter(|parts| parts.weapon_strikes != on) else { return };
        parts.weapon_strikes = on;
        let mut at = parts.strike_spheres;
        while let Some(shape) = at {
            let shape = self.shape_mut(shape);
            shape.set_enabled(on);
            at = shape.next;
        }
    }

    /// Lets a human's capsule strike, as a charge's does: its sweeps meet what charges meet.
    ///
    /// Source: seed 002, Sweeping a body (the capsule's flag 0x2).
    pub fn set_capsule_strikes(&mut self, id: BodyId, on: bool) {
        if let Some(capsule) = self.body(id).first_shape {
            let shape = self.shape_mut(capsule);
            shape.flags = shape.flags.set(ShapeFlags::STRIKES, on);
        }
    }

    /// A human's weapon strike spheres.
    pub fn strike_spheres(&self, id: BodyId) -> impl Iterator<Item = ShapeId> + '_ {
        let first = self.human_parts(id).and_then(|parts| parts.strike_spheres);
        core::iter::successors(first, |&shape| self.shape(shape).next)
    }

    fn pose_strike_spheres(&mut self, id: BodyId, owner: OwnerId, owners: &dyn Owners) {
        let mut at = self.humans[id.0 as usize].strike_spheres;
        let Some(held) = owners.held_pose(owner) else { return };
        let kernels = self.kernels;
        while let Some(id) = at {
            let shape = self.shape_mut(id);
            at = shape.next;
            if let Geometry::Sphere(s) = shape.geometry {
                shape.pose(Geometry::Sphere(Sphere { centre: kernels.point(&held, shape.offset), ..s }));
            }
        }
    }

    /// Pushes a human in the air out of the nearest wall on its next sweep. The push counts as divided by the push weight, and
    /// so does whatever else is pending.
    ///
    /// The caller decides which states push: in the air and in a few held ones, not in a long fall.
    ///
    /// Source: seed 002, Sweeping a body (PhysicsBody_PushOutOfWalls 0x003477c0); the radii are those of the airborne
    /// push-out.
    pub fn push_out_in_air(&mut self, id: BodyId, mesh: &mut CollisionMesh, owners: &dyn Owners) {
        let Some(owner) = self.body(id).owner else { return };
        let Some(human) = owners.human(owner) else { return };
        let radius = if human.player.is_some() { PLAYER_AIR_RADIUS } else { HUMAN_RADIUS } * human.scale;
        let raised = Vec3::new(0.0, 0.0, radius + WALK_CLEARANCE);
        let centre = owners.pose(owner).position + raised;
        if let Some(push) = push_out_of_walls(self.kernels, mesh, &Sphere { centre, radius }) {
            let body = self.body_mut(id);
            body.push += push;
            body.flags |= BodyFlags::PUSH_DIVIDED;
        }
    }

    /// Nudges bystanders out of the way of a grab or tackle: each other human that the push sphere reaches, except the
    /// target, players and the unpushable, gets a quarter metre over its push weight, away from this human in space.
    ///
    /// Source: seed 002, The human body (_PushAwayHumans 0x003425c0).
    // Covers: seed 002, PhysicsHumanBody_PushAwayHumans (0x003425c0) test=the_push_sphere_nudges_bystanders_in_space_and_spares_target_player_and_unpushable
    pub fn push_away_humans(&mut self, id: BodyId, mesh: Option<&mut CollisionMesh>, owners: &mut dyn Owners) {
        let parts = self.human_parts(id).copied();
        let (Some(sphere), Some(owner)) = (parts.and_then(|parts| parts.push_sphere), self.body(id).owner) else {
            return;
        };
        let query = ShapeQuery {
            options: QueryOptions::PUSH_SPHERE | QueryOptions::GIVEN_SHAPE,
            type_mask: TypeMask::HUMAN,
            ignored_owner: Some(owner),
            ..ShapeQuery::of_shape(*self.geometry(sphere))
        };
        let mut found = ContactList::new();
        self.overlap_shape(&query, mesh, owners, &mut found);
        let at = owners.pose(owner).position;
        let target = owners.human(owner).and_then(|human| human.target);
        for contact in found.as_slice() {
            let (Some(other), Some(body)) = (contact.other.owner, contact.other.body) else { continue };
            let is_player = owners.human(other).is_none_or(|human| human.player.is_some());
            if Some(other) == target || is_player || self.body(body).flags.has(BodyFlags::NOT_PUSHABLE) {
                continue;
            }
            let weight = |who| owners.attribute(who, Attribute::Weight).max(f32::MIN_POSITIVE);
            let share = weight(owner) / (weight(other) * owners.attribute(other, Attribute::PushWeight));
            let away = (owners.pose(other).position - at).normalize_or_zero();
            self.body_mut(body).push += away * (NUDGE * share);
        }
    }
}

/// The upright box around a human's feet that reaches out by `reach` and two metres up.
fn upright_bound(feet: Vec3, reach: f32) -> Aabb {
    let out = Vec3::new(reach, reach, 0.0);
    Aabb { min: feet - out, max: feet + out + Vec3::new(0.0, 0.0, REACH_HEIGHT) }
}

/// A human's attributes, for owners to answer with: weight, push weight and nothing else.
///
/// Source: seed 002, Attributes (0x00221260).
// Covers: seed 002, Human_GetAttribute (0x00221260) test=a_human_answers_its_attributes
pub fn human_attribute(attribute: Attribute, push_weight: f32) -> f32 {
    match attribute {
        Attribute::Weight => HUMAN_WEIGHT,
        Attribute::PushWeight => push_weight,
        Attribute::Second | Attribute::Restitution => 0.0,
    }
}

/// Whether a human has an attribute at all: the second one only.
///
/// Source: seed 002, Attributes (Human_HasAttribute2 0x002212a0).
// Covers: seed 002, Human_HasAttribute2 (0x002212a0) test=a_human_answers_its_attributes
pub fn human_has_attribute(attribute: Attribute) -> bool {
    attribute == Attribute::Second
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::bench::{Things, human};
    use crate::physics::constants::IMMOVABLE;

    fn with_human(scale: f32) -> (PhysicsWorld, Things, OwnerId, BodyId) {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let mut man = human(Vec3::ZERO);
        man.state.as_mut().unwrap().scale = scale;
        let owner = things.add(man);
        let body = world.create_human_body(owner, &things).unwrap();
        (world, things, owner, body)
    }

    #[test]
    fn a_humans_shapes_are_scaled_once() {
        let (world, _, _, body) = with_human(0.97);
        let Geometry::Capsule(c) = *world.geometry(world.body(body).first_shape.unwrap()) else { panic!("a capsule") };
        assert!((c.radius - 0.3395).abs() < 1e-6 && (c.height - 1.94).abs() < 1e-6, "{c:?}");
        let head = world.human_parts(body).unwrap().bones[1].unwrap();
        let Geometry::Sphere(s) = *world.geometry(head) else { panic!("a sphere") };
        assert!((s.radius - 0.1455).abs() < 1e-6);
        assert!((world.shape(head).offset.x - 0.0485).abs() < 1e-6);
    }

    #[test]
    fn the_chain_that_blocks_is_the_capsule_alone() {
        let (world, _, _, body) = with_human(1.0);
        assert_eq!(world.shapes_of(body).count(), 1);
        assert_eq!(world.human_parts(body).unwrap().bones.iter().flatten().count(), 10);
    }

    #[test]
    fn a_bones_switch_sets_its_bit_and_shape() {
        let (mut world, _, _, body) = with_human(1.0);
        world.set_bone_enabled(body, 19, true);
        assert_eq!(world.human_parts(body).unwrap().switched_on, 1 << 17);
        assert!(world.is_striking(body));
        let hand = world.human_parts(body).unwrap().bones[3].unwrap();
        assert!(world.shape(hand).is_enabled());
        world.set_bone_enabled(body, 19, false);
        assert!(!world.is_striking(body) && !world.shape(hand).is_enabled());
    }

    #[test]
    fn the_broad_bound_reaches_for_the_attack_or_the_weapon() {
        let (mut world, mut things, owner, body) = with_human(1.0);
        let reach = |world: &mut PhysicsWorld, things: &mut Things| {
            world.mark_dirty(body);
            world.update_body(body, things);
            world.human_parts(body).unwrap().broad.max.x
        };
        assert!((reach(&mut world, &mut things) - 0.8).abs() < 1e-6);
        things.get_mut(owner).state.as_mut().unwrap().attack_reach = 1.5;
        assert!((reach(&mut world, &mut things) - 1.5).abs() < 1e-6);
        assert!(world.add_strike_sphere(body, Vec3::new(0.0, 0.5, 0.0), 0.1));
        things.get_mut(owner).held = Some(Pose::new(Default::default(), Vec3::Y));
        assert!((reach(&mut world, &mut things) - 1.6).abs() < 1e-6);
        world.clear_strike_spheres(body);
        assert_eq!(world.strike_spheres(body).count(), 0);
    }

    #[test]
    fn after_a_teleport_spheres_sweep_from_the_new_origin_and_segments_from_their_old_start() {
        let (mut world, mut things, owner, body) = with_human(1.0);
        things.get_mut(owner).bones[3].position = Vec3::Z;
        things.get_mut(owner).bones[6].position = Vec3::Z * 1.6;
        world.update_body(body, &mut things);
        let [spine, head] = [0, 1].map(|i| world.human_parts(body).unwrap().bones[i].unwrap());
        let (old_start, old_previous) = (world.shape_position(spine), world.shape(head).previous);

        let there = Vec3::new(10.0, 0.0, 0.0);
        things.get_mut(owner).pose.position = there;
        things.get_mut(owner).bones[3].position = there + Vec3::Z;
        things.get_mut(owner).bones[6].position = there + Vec3::Z * 1.6;
        world.body_moved(body, &things);
        assert_eq!((world.shape_position(head), world.shape(head).previous), (there, old_previous));
        assert_eq!(world.human_parts(body).unwrap().broad.max, there + Vec3::new(0.8, 0.8, 2.0));
        world.update_body(body, &mut things);
        assert_eq!(world.shape(head).previous, there);
        assert_eq!(world.shape(spine).previous, old_start);
    }

    #[test]
    fn a_climbing_body_keeps_its_shapes_where_they_are() {
        let (mut world, mut things, owner, body) = with_human(1.0);
        world.update_body(body, &mut things);
        things.get_mut(owner).pose.position = Vec3::X;
        world.body_mut(body).flags |= BodyFlags::KEEPS_POSE | BodyFlags::DIRTY;
        world.update_body(body, &mut things);
        assert_eq!(world.shape_position(world.body(body).first_shape.unwrap()), Vec3::ZERO);
    }

    #[test]
    fn the_push_sphere_nudges_bystanders_in_space_and_spares_target_player_and_unpushable() {
        let (mut world, mut things, owner, body) = with_human(1.0);
        let mut others = alloc::vec::Vec::new();
        for x in [1.0, 1.2, 1.4, 1.6, 1.8, 9.0] {
            let other = things.add(human(Vec3::new(x, 0.0, 0.0)));
            others.push((other, world.create_human_body(other, &things).unwrap()));
        }
        things.get_mut(owner).state.as_mut().unwrap().target = Some(others[1].0);
        things.get_mut(others[2].0).state.as_mut().unwrap().player = Some(0);
        world.body_mut(others[3].1).flags |= BodyFlags::NOT_PUSHABLE;
        things.set_attribute(others[4].0, Attribute::PushWeight, IMMOVABLE);
        world.set_push_sphere(body, true);
        for id in world.live_bodies().to_vec() {
            world.update_body(id, &mut things);
        }
        world.push_away_humans(body, None, &mut things);
        let pushes = others.iter().map(|(_, body)| world.body(*body).push.x).collect::<alloc::vec::Vec<_>>();
        assert!((pushes[0] - 0.25).abs() < 1e-6, "{pushes:?}");
        assert_eq!(pushes[1..4], [0.0; 3]);
        assert!(pushes[4] < 1e-6 && pushes[5] == 0.0, "{pushes:?}");
    }

    #[test]
    fn a_human_in_the_air_is_pushed_out_of_a_wall_whatever_its_push_weight() {
        use crate::collision::scenes::{Scene, wall};
        let mut mesh = Scene::new().with(wall([-9.0, 0.3], [9.0, 0.3], [-3.0, 3.0])).mesh([4, 4, 1]);
        for (player, expected) in [(None, -0.05), (Some(0), -0.2)] {
            let (mut world, mut things, owner, body) = with_human(1.0);
            things.get_mut(owner).state.as_mut().unwrap().player = player;
            things.set_attribute(owner, Attribute::PushWeight, IMMOVABLE);
            world.push_out_in_air(body, &mut mesh, &things);
            assert!((world.body(body).push.y - expected).abs() < 1e-5, "{:?}", world.body(body).push);
            world.sweep_body(body, Vec3::ZERO, 1.0 / 30.0, None, &mut things);
            assert!((things.get(owner).pose.position.y - expected).abs() < 1e-5);
        }
    }

    #[test]
    fn a_human_answers_its_attributes() {
        assert_eq!(human_attribute(Attribute::Weight, 1.0), 82.0);
        assert_eq!(human_attribute(Attribute::PushWeight, 1e9), 1e9);
        assert_eq!(human_attribute(Attribute::Restitution, 1.0), 0.0);
        assert!(human_has_attribute(Attribute::Second) && !human_has_attribute(Attribute::Weight));
    }
}
