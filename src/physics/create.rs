//! Creating and freeing bodies, each kind with the original's steps and omissions.
//!
//! Source: seed 002, Bodies; the omissions are those that it lists for Unit 9.

use super::PhysicsWorld;
use super::body::{Body, HumanParts};
use super::flags::{BodyFlags, ShapeFlags};
use super::human_body::{BONES, BoneForm};
use super::ids::{BodyId, OwnerId, ShapeId};
use super::owner::Owners;
use super::pools::{BodyKind, ShapePool};
use super::shape::Shape;
use crate::maths::Vec3;
use crate::physics::constants::{HUMAN_HEIGHT, HUMAN_RADIUS, PUSH_SPHERE_RADIUS};

/// Radius in metres of the sphere that one class of objects gets although its type has no shape.
pub const SPECIAL_SPHERE_RADIUS: f32 = 0.75;
/// Height in metres that an exploded car's first box loses.
const EXPLOSION_LOSS: f32 = 0.25;
/// The punch bag's radius, length and capsule height in metres, and its bone.
const BAG: (f32, f32, f32, u8) = (0.35, 1.5, 1.787, 3);

/// The shape that an object's type gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectShape {
    /// A box by its sizes, about a centre in the object's frame, in metres.
    Box {
        /// Sizes along the axes.
        size: Vec3,
        /// Where its middle is.
        centre: Vec3,
    },
    /// A sphere of radius `size.x / 2`.
    Sphere {
        /// Sizes along the axes.
        size: Vec3,
        /// Where its middle is.
        centre: Vec3,
    },
    /// The sphere of the one class that gets a body without a shape.
    Special,
    /// No body.
    None,
}

/// One of a car's boxes: half sizes and offset in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarBox {
    /// Half sizes along the car's axes.
    pub half: Vec3,
    /// Its middle in the car's frame.
    pub offset: Vec3,
}

impl PhysicsWorld {
    /// Gives a human the first free body of its pool, with its capsule and ten bone shapes at its scale.
    ///
    /// Source: seed 002, Bodies (IPhysics_CreateHumanBody 0x0033cc48).
    // Covers: seed 002, IPhysics_CreateHumanBody (0x0033cc48) test=each_kind_starts_with_its_flags
    // Covers: seed 002, PhysicsHumanBody_Construct (0x00341e98) test=physics::human_body::tests::the_chain_that_blocks_is_the_capsule_alone
    pub fn create_human_body(&mut self, owner: OwnerId, owners: &dyn Owners) -> Option<BodyId> {
        let id = self.take_body(BodyKind::Human, owner, BodyFlags::NEW_HUMAN, owners)?;
        let capsule = ShapePool::Capsules.nth(id.0);
        *self.shape_mut(capsule) = Shape::new(Shape::capsule(HUMAN_RADIUS, HUMAN_HEIGHT));
        self.shape_mut(capsule).set_enabled(true);
        self.body_mut(id).first_shape = Some(capsule);
        let bones = core::array::from_fn(|i| Some(self.add_bone_shape(id, i)));
        self.humans[id.0 as usize] = HumanParts { bones, ..HumanParts::NONE };
        self.add_body(id);
        self.add_human(id);
        let scale = owners.human(owner).map_or(1.0, |human| human.scale);
        self.apply_human_scale(id, scale);
        Some(id)
    }

    /// Source: seed 002, The human body (_AddBoneShape 0x003429e8).
    // Covers: seed 002, PhysicsHumanBody_AddBoneShape (0x003429e8) test=physics::human_body::tests::a_humans_shapes_are_scaled_once default=ShapeId(0)
    fn add_bone_shape(&mut self, body: BodyId, index: usize) -> ShapeId {
        const EACH: u16 = 5;
        let bone = &BONES[index];
        // The forms alternate, so that every second bone shape is a sphere.
        let nth = body.0 * EACH + index as u16 / 2;
        let (id, geometry) = match bone.form {
            BoneForm::Sphere => (ShapePool::BoneSpheres.nth(nth), Shape::sphere(bone.radius)),
            BoneForm::Segment => (ShapePool::BoneSegments.nth(nth), Shape::segment(bone.radius)),
        };
        let (offset, length, flags) = (Vec3::from_array(bone.offset), bone.length, bone.flags);
        *self.shape_mut(id) = Shape { bone: Some(bone.bone), offset, length, flags, ..Shape::new(geometry) };
        id
    }

    /// Frees a human's body. Its own shapes keep their bits.
    ///
    /// Our choice: the push sphere and the weapon's strike spheres go back to their pools. The original clears no shape's bit
    /// here and relies on the ends of grabs and weapons; ours may free a human in the middle of either, and what nobody gives
    /// back is lost for good.
    ///
    /// Source: seed 002, Bodies (_FreeHumanBody 0x0033ce00).
    // Covers: seed 002, IPhysics_FreeHumanBody (0x0033ce00) test=a_human_and_a_pane_are_freed_with_the_originals_omissions
    pub fn free_human_body(&mut self, id: BodyId) {
        self.stop_ignoring(id, None);
        self.set_push_sphere(id, false);
        self.clear_strike_spheres(id);
        self.remove_body(id);
        self.remove_human(id);
        self.body_mut(id).owner = None;
    }

    /// Gives the punch bag its own body set: one segment on bone 3 and a capsule.
    ///
    /// Source: seed 002, Bodies (IPhysics_CreatePunchBagBody 0x0033cb08).
    // Covers: seed 002, IPhysics_CreatePunchBagBody (0x0033cb08) test=the_punch_bag_has_one_segment_that_hangs_down_and_a_capsule
    pub fn create_punch_bag_body(&mut self, owner: OwnerId, owners: &dyn Owners) -> Option<BodyId> {
        let (radius, length, height, bone) = BAG;
        let id = self.take_body(BodyKind::PunchBag, owner, BodyFlags::NEW_PUNCH_BAG, owners)?;
        let (capsule, segment) = (ShapePool::BagCapsule.nth(0), ShapePool::BagSegment.nth(0));
        *self.shape_mut(capsule) = Shape::new(Shape::capsule(radius, height));
        self.shape_mut(capsule).set_enabled(true);
        let flags = ShapeFlags::STRIKES | ShapeFlags::STRIKE_TARGET;
        *self.shape_mut(segment) = Shape { bone: Some(bone), length, flags, ..Shape::new(Shape::segment(radius)) };
        self.body_mut(id).first_shape = Some(capsule);
        let mut bones = [None; super::pools::BONE_SHAPES];
        bones[0] = Some(segment);
        self.humans[id.0 as usize] = HumanParts { bones, ..HumanParts::NONE };
        self.add_body(id);
        self.add_human(id);
        Some(id)
    }

    /// Frees the punch bag's body set.
    ///
    /// Source: seed 002, Bodies (_FreePunchBagBody 0x0033cbf0).
    // Covers: seed 002, IPhysics_FreePunchBagBody (0x0033cbf0) test=the_punch_bag_has_one_segment_that_hangs_down_and_a_capsule
    pub fn free_punch_bag_body(&mut self, id: BodyId) {
        self.stop_ignoring(id, None);
        self.remove_body(id);
        self.remove_human(id);
        self.body_mut(id).owner = None;
    }

    /// Gives a world object the body of its type. `layers` is the type's PHYFLAG number, `extra` what its kind adds.
    ///
    /// Source: seed 002, Bodies (IPhysics_CreateObjectBody 0x0033ce58, Obj_CreatePhysicsBody).
    // Covers: seed 002, IPhysics_CreateObjectBody (0x0033ce58) test=an_objects_box_has_half_its_types_size_about_its_centre
    pub fn create_object_body(
        &mut self,
        owner: OwnerId,
        shape: ObjectShape,
        layers: u16,
        extra: BodyFlags,
        owners: &dyn Owners,
    ) -> Option<BodyId> {
        let (pool, geometry, offset, more) = match shape {
            ObjectShape::None => return None,
            ObjectShape::Box { size, centre } => {
                (ShapePool::ObjectBoxes, Shape::sized_box(size), centre, BodyFlags::NONE)
            }
            ObjectShape::Sphere { size, centre } => {
                (ShapePool::ObjectSpheres, Shape::sphere(size.x * 0.5), centre, BodyFlags::NONE)
            }
            ObjectShape::Special => {
                (ShapePool::ObjectSpheres, Shape::sphere(SPECIAL_SPHERE_RADIUS), Vec3::ZERO, BodyFlags::BLOCK_HUMANS)
            }
        };
        let shape = self.alloc_shape(pool, geometry, offset)?;
        let flags = BodyFlags::NEW_OBJECT | BodyFlags::from_layers(layers) | extra | more;
        let Some(id) = self.take_body(BodyKind::Object, owner, flags, owners) else {
            self.free_shape(shape);
            return None;
        };
        self.body_add_shape(id, shape);
        self.add_body(id);
        Some(id)
    }

    /// Frees a world object's body and its shape.
    ///
    /// Source: seed 002, Bodies (_FreeObjectBody 0x0033cf00).
    // Covers: seed 002, IPhysics_FreeObjectBody (0x0033cf00) test=physics::street::tests::removing_an_object_ends_its_settle_and_frees_its_body
    pub fn free_object_body(&mut self, id: BodyId) {
        self.stop_ignoring(id, None);
        self.free_with_shapes(id);
    }

    /// Gives a car its body of two boxes.
    ///
    /// Source: seed 002, Bodies (IPhysics_CreateCarBody 0x0033cf68) and How things actually move (Car_MakeBodies).
    // Covers: seed 002, IPhysics_CreateCarBody (0x0033cf68) test=each_kind_starts_with_its_flags
    pub fn create_car_body(&mut self, owner: OwnerId, boxes: [CarBox; 2], owners: &dyn Owners) -> Option<BodyId> {
        let mut shapes = [None; 2];
        for (shape, b) in shapes.iter_mut().zip(boxes) {
            *shape = self.alloc_shape(ShapePool::CarBoxes, Shape::sized_box(b.half * 2.0), b.offset);
        }
        // The body comes after its boxes: without both it is not taken.
        let flags = BodyFlags::NEW_CAR | BodyFlags::CAR_BOXES;
        let both = shapes.iter().all(Option::is_some);
        let id = both.then(|| self.take_body(BodyKind::Car, owner, flags, owners)).flatten();
        let ([Some(first), Some(second)], Some(id)) = (shapes, id) else {
            shapes.into_iter().flatten().for_each(|shape| self.free_shape(shape));
            return None;
        };
        // Each goes to the chain's head.
        self.body_add_shape(id, second);
        self.body_add_shape(id, first);
        self.add_body(id);
        Some(id)
    }

    /// Frees a car's body and its boxes.
    ///
    /// Source: seed 002, Bodies (_FreeCarBody 0x0033cff8).
    // Covers: seed 002, IPhysics_FreeCarBody (0x0033cff8) test=freeing_gives_the_shape_back_and_a_car_that_finds_no_boxes_keeps_none
    pub fn free_car_body(&mut self, id: BodyId) {
        self.stop_ignoring(id, None);
        self.free_with_shapes(id);
    }

    /// An exploding car's first box loses a quarter metre of height.
    ///
    /// Source: seed 002, How things actually move (Cars).
    pub fn lower_exploded_car(&mut self, id: BodyId) {
        let Some(shape) = self.body(id).first_shape else { return };
        if let super::shapes::Geometry::Box(b) = &mut self.shape_mut(shape).geometry {
            b.half.z = (b.half.z - 0.5 * EXPLOSION_LOSS).max(0.0);
        }
        self.mark_dirty(id);
    }

    /// Gives a glass pane its body of one box by its sizes.
    ///
    /// Source: seed 002, Bodies (Physics_CreateBoxBody 0x0033d070).
    // Covers: seed 002, Physics_CreateBoxBody (0x0033d070) test=each_kind_starts_with_its_flags
    pub fn create_pane_body(&mut self, owner: OwnerId, size: Vec3, owners: &dyn Owners) -> Option<BodyId> {
        let shape = self.alloc_shape(ShapePool::PaneBoxes, Shape::sized_box(size), Vec3::ZERO)?;
        let Some(id) = self.take_body(BodyKind::Pane, owner, BodyFlags::NEW_PANE, owners) else {
            self.free_shape(shape);
            return None;
        };
        self.body_add_shape(id, shape);
        self.add_body(id);
        Some(id)
    }

    /// Frees a pane's body and its box. Unlike the others it stops ignoring nobody.
    ///
    /// Source: seed 002, Bodies (IPhysics_FreeBoxBody 0x0033d158).
    // Covers: seed 002, IPhysics_FreeBoxBody (0x0033d158) test=a_human_and_a_pane_are_freed_with_the_originals_omissions
    pub fn free_pane_body(&mut self, id: BodyId) {
        self.free_with_shapes(id);
    }

    /// Puts a shape at the head of a body's chain.
    ///
    /// Source: seed 002, Bodies (_AddShape 0x00341aa8).
    // Covers: seed 002, PhysicsBody_AddShape (0x00341aa8) test=an_exploded_car_is_a_quarter_metre_lower
    pub fn body_add_shape(&mut self, body: BodyId, shape: ShapeId) {
        let next = self.body(body).first_shape;
        self.shape_mut(shape).next = next;
        self.body_mut(body).first_shape = Some(shape);
    }

    /// Takes the pool's first shape that is not in use, switched on.
    ///
    /// Source: seed 002, Original structure (IPhysics_AllocObjectSphere, _AllocObjectBox, _AllocCarBox, _AllocBigSphere).
    // Covers: seed 002, IPhysics_AllocObjectSphere (0x0033d1a0) test=an_object_without_a_shape_has_no_body_but_the_special_class_does
    // Covers: seed 002, IPhysics_AllocObjectBox (0x0033d1e8) test=an_objects_box_has_half_its_types_size_about_its_centre
    // Covers: seed 002, IPhysics_AllocCarBox (0x0033d230) test=freeing_gives_the_shape_back_and_a_car_that_finds_no_boxes_keeps_none
    // Covers: seed 002, IPhysics_AllocBigSphere (0x0033d278) test=a_push_sphere_is_taken_from_its_pool_and_given_back
    pub fn alloc_shape(&mut self, pool: ShapePool, geometry: super::shapes::Geometry, offset: Vec3) -> Option<ShapeId> {
        let free = pool.shapes().find(|&n| !self.shapes[n as usize].flags.has(ShapeFlags::ALLOCATED));
        let Some(free) = free else {
            self.counters.shapes_refused += 1;
            return None;
        };
        let flags = ShapeFlags::ALLOCATED | ShapeFlags::ENABLE;
        self.shapes[free as usize] = Shape { offset, flags, ..Shape::new(geometry) };
        Some(ShapeId(free))
    }

    /// Gives a shape back to its pool.
    ///
    /// Source: seed 002, Original structure (_FreeShape 0x0033d2c8).
    // Covers: seed 002, IPhysics_FreeShape (0x0033d2c8) test=a_push_sphere_is_taken_from_its_pool_and_given_back
    pub fn free_shape(&mut self, shape: ShapeId) {
        let shape = self.shape_mut(shape);
        shape.flags = shape.flags.without(ShapeFlags::ALLOCATED);
    }

    /// Switches a human's 2 m push sphere. Grabs and tackles switch it on, everybody else off.
    ///
    /// Source: seed 002, The human body (PhysicsHumanBody_SetPushSphere 0x003420d0).
    // Covers: seed 002, PhysicsHumanBody_SetPushSphere (0x003420d0) test=a_push_sphere_is_taken_from_its_pool_and_given_back
    pub fn set_push_sphere(&mut self, id: BodyId, on: bool) {
        let Some(old) = self.human_parts(id).map(|parts| parts.push_sphere) else { return };
        let new = match (on, old) {
            (true, None) => self.alloc_shape(ShapePool::PushSpheres, Shape::sphere(PUSH_SPHERE_RADIUS), Vec3::ZERO),
            (true, kept) => kept,
            (false, Some(shape)) => {
                self.free_shape(shape);
                None
            }
            (false, None) => None,
        };
        self.humans[id.0 as usize].push_sphere = new;
    }

    /// The first body of a pool that has no owner, given to one.
    ///
    /// Source: seed 002, Bodies (PhysicsBody_SetOwner 0x00341a68).
    // Covers: seed 002, PhysicsNode_Init (0x00341158) test=each_kind_starts_with_its_flags
    // Covers: seed 002, PhysicsBody_Construct (0x003418f8) test=each_kind_starts_with_its_flags
    // Covers: seed 002, PhysicsBody_SetOwner (0x00341a68) test=each_kind_starts_with_its_flags
    fn take_body(&mut self, kind: BodyKind, owner: OwnerId, flags: BodyFlags, owners: &dyn Owners) -> Option<BodyId> {
        let Some(free) = kind.bodies().find(|&n| self.bodies[n as usize].owner.is_none()) else {
            self.counters.bodies_refused += 1;
            return None;
        };
        let kinds = owners.type_mask(owner);
        self.bodies[free as usize] = Body { owner: Some(owner), flags, kinds, ..Body::FREE };
        Some(BodyId(free))
    }

    fn free_with_shapes(&mut self, id: BodyId) {
        self.remove_body(id);
        let mut shape = self.body_mut(id).first_shape.take();
        while let Some(at) = shape {
            shape = self.shape_mut(at).next.take();
            self.free_shape(at);
        }
        self.body_mut(id).owner = None;
    }
}

// Excused: seed 002, PhysicsBody_Destroy (0x00341a00) reason=destructor or static initialiser
// Excused: seed 002, PhysicsHumanBody_Destroy (0x00341f00) reason=destructor or static initialiser

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Pose;
    use crate::physics::bench::{Things, human, object};
    use crate::physics::pools::HUMAN_BODIES;
    use crate::physics::shapes::Geometry;

    #[test]
    fn each_kind_starts_with_its_flags() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let man = things.add(human(Vec3::ZERO));
        let thing = things.add(object(Pose::IDENTITY));
        let id = world.create_human_body(man, &things).unwrap();
        assert_eq!(world.body(id).flags.0, 0x8002_243f);
        let bag = world.create_punch_bag_body(man, &things).unwrap();
        assert_eq!(world.body(bag).flags.0, 0x8000_243f);
        let sphere = ObjectShape::Sphere { size: Vec3::splat(0.4), centre: Vec3::ZERO };
        let ball = world.create_object_body(thing, sphere, 3, BodyFlags::NONE, &things).unwrap();
        assert_eq!(world.body(ball).flags.0, 0x8000_0506);
        let side = CarBox { half: Vec3::splat(1.0), offset: Vec3::ZERO };
        let car = world.create_car_body(thing, [side; 2], &things).unwrap();
        assert_eq!(world.body(car).flags.0, 0x8002_211a);
        let pane = world.create_pane_body(thing, Vec3::splat(1.0), &things).unwrap();
        assert_eq!(world.body(pane).flags.0, 0x8000_007a);
    }

    #[test]
    fn an_objects_box_has_half_its_types_size_about_its_centre() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let thing = things.add(object(Pose::IDENTITY));
        let shape = ObjectShape::Box { size: Vec3::new(0.84, 0.74, 0.97), centre: Vec3::new(0.0, 0.0, 0.485) };
        let id = world.create_object_body(thing, shape, 0, BodyFlags::NONE, &things).unwrap();
        world.update_body(id, &mut things);
        let Geometry::Box(b) = *world.geometry(world.body(id).first_shape.unwrap()) else { panic!("a box") };
        assert!((b.half.x - 0.42).abs() < 1e-6 && (b.centre.z - 0.485).abs() < 1e-6, "{b:?}");
    }

    #[test]
    fn an_object_without_a_shape_has_no_body_but_the_special_class_does() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let thing = things.add(object(Pose::IDENTITY));
        assert_eq!(world.create_object_body(thing, ObjectShape::None, 0, BodyFlags::NONE, &things), None);
        let id = world.create_object_body(thing, ObjectShape::Special, 0, BodyFlags::NONE, &things).unwrap();
        assert_eq!(world.body(id).flags.0, 0x8000_0504);
        let Geometry::Sphere(s) = *world.geometry(world.body(id).first_shape.unwrap()) else { panic!("a sphere") };
        assert_eq!(s.radius, 0.75);
    }

    #[test]
    fn a_pool_that_has_run_out_refuses_and_counts() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        for _ in 0..HUMAN_BODIES {
            let man = things.add(human(Vec3::ZERO));
            assert!(world.create_human_body(man, &things).is_some());
        }
        let man = things.add(human(Vec3::ZERO));
        assert_eq!(world.create_human_body(man, &things), None);
        assert_eq!(world.counters().bodies_refused, 1);
    }

    #[test]
    fn freeing_gives_the_shape_back_and_a_car_that_finds_no_boxes_keeps_none() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let side = CarBox { half: Vec3::splat(1.0), offset: Vec3::ZERO };
        let mut cars = alloc::vec::Vec::new();
        for _ in 0..18 {
            let thing = things.add(object(Pose::IDENTITY));
            cars.push(world.create_car_body(thing, [side; 2], &things).unwrap());
        }
        let thing = things.add(object(Pose::IDENTITY));
        assert_eq!(world.create_car_body(thing, [side; 2], &things), None);
        world.free_car_body(cars[4]);
        // One box is gone: a body alone is no car, and stays free.
        let lost = world.alloc_shape(ShapePool::CarBoxes, Shape::sized_box(Vec3::X), Vec3::ZERO).unwrap();
        assert_eq!(world.create_car_body(thing, [side; 2], &things), None);
        assert_eq!(world.body(cars[4]).owner, None);
        world.free_shape(lost);
        assert_eq!(world.create_car_body(thing, [side; 2], &things), Some(cars[4]));
    }

    #[test]
    fn a_human_and_a_pane_are_freed_with_the_originals_omissions() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let man = things.add(human(Vec3::ZERO));
        let thing = things.add(object(Pose::IDENTITY));
        let pane = world.create_pane_body(thing, Vec3::splat(1.0), &things).unwrap();
        world.ignore(pane, Some(man));
        world.free_pane_body(pane);
        assert!(world.is_ignoring(pane, Some(man), &things), "the pane still ignores");
        assert_eq!(world.body(pane).owner, None);

        let body = world.create_human_body(man, &things).unwrap();
        let capsule = world.body(body).first_shape.unwrap();
        world.ignore(body, Some(thing));
        world.free_human_body(body);
        assert!(!world.is_ignoring(body, Some(thing), &things));
        assert!(world.shape(capsule).is_enabled(), "the human's shapes keep their bits");
        assert!(world.human_bodies().next().is_none() && world.live_bodies().is_empty());
    }

    #[test]
    fn a_human_that_is_freed_gives_its_push_and_strike_spheres_back() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let man = things.add(human(Vec3::ZERO));
        // More often than either pool has spheres.
        for _ in 0..70 {
            let body = world.create_human_body(man, &things).unwrap();
            world.set_push_sphere(body, true);
            assert!(world.human_parts(body).unwrap().push_sphere.is_some());
            assert!(world.add_strike_sphere(body, Vec3::ZERO, 0.1));
            world.free_human_body(body);
        }
        assert_eq!(world.counters().shapes_refused, 0);
    }

    #[test]
    fn a_push_sphere_is_taken_from_its_pool_and_given_back() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let man = things.add(human(Vec3::ZERO));
        let body = world.create_human_body(man, &things).unwrap();
        for _ in 0..40 {
            world.set_push_sphere(body, true);
            world.set_push_sphere(body, true);
            assert!(world.human_parts(body).unwrap().push_sphere.is_some());
            world.set_push_sphere(body, false);
            assert!(world.human_parts(body).unwrap().push_sphere.is_none());
        }
        assert_eq!(world.counters().shapes_refused, 0);
    }

    #[test]
    fn the_punch_bag_has_one_segment_that_hangs_down_and_a_capsule() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let mut bag = human(Vec3::ZERO);
        bag.state.as_mut().unwrap().head_height = 1.587;
        let down = crate::maths::Quat::from_axis_angle(Vec3::Y, core::f32::consts::FRAC_PI_2);
        bag.bones[3] = Pose::new(down, Vec3::Z * 2.15);
        let owner = things.add(bag);
        let id = world.create_punch_bag_body(owner, &things).unwrap();
        world.update_body(id, &mut things);
        let Geometry::Capsule(c) = *world.geometry(world.body(id).first_shape.unwrap()) else { panic!("a capsule") };
        assert!((c.radius - 0.35).abs() < 1e-6 && (c.height - 1.787).abs() < 1e-5, "{c:?}");
        let bones: alloc::vec::Vec<_> = world.human_parts(id).unwrap().bones.iter().flatten().copied().collect();
        assert_eq!(bones.len(), 1);
        let Geometry::Segment(s) = *world.geometry(bones[0]) else { panic!("a segment") };
        assert!((s.start.z - 2.15).abs() < 1e-5 && (s.end.z - 0.65).abs() < 1e-5 && s.radius == 0.35, "{s:?}");
        assert_eq!(world.create_punch_bag_body(owner, &things), None);
        world.free_punch_bag_body(id);
        assert!(world.human_bodies().next().is_none() && world.live_bodies().is_empty());
        assert_eq!(world.create_punch_bag_body(owner, &things), Some(id));
    }

    #[test]
    fn an_exploded_car_is_a_quarter_metre_lower() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let thing = things.add(object(Pose::IDENTITY));
        let side = CarBox { half: Vec3::splat(1.0), offset: Vec3::ZERO };
        let car = world.create_car_body(thing, [side; 2], &things).unwrap();
        world.lower_exploded_car(car);
        let heights = world.shapes_of(car).map(|shape| match world.geometry(shape) {
            Geometry::Box(b) => b.half.z * 2.0,
            _ => 0.0,
        });
        assert_eq!(heights.collect::<alloc::vec::Vec<_>>(), [1.75, 2.0]);
    }
}
