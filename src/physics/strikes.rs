//! Striking: a human's switched-on bone shapes and weapon spheres against what is near.

use super::PhysicsWorld;
use super::flags::{BodyFlags, ShapeFlags};
use super::ids::{BodyId, OwnerId, ShapeId};
use super::kernels::Touch;
use super::owner::Owners;
use super::pairs::{self, PairRules};
use super::query::{BodyQuery, Candidates};

/// Strikes that one test reports.
pub const STRIKES: usize = 16;

/// A strike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strike {
    /// The shape that struck.
    pub shape: ShapeId,
    /// Who was struck.
    pub target: OwnerId,
    /// The body.
    pub body: BodyId,
    /// Its shape.
    pub target_shape: ShapeId,
    /// Where, on the shape's way from its last pose to this one.
    pub touch: Touch,
}

/// The strikes of one test.
pub type Strikes = heapless::Vec<Strike, STRIKES>;

impl PhysicsWorld {
    /// Sweeps each switched-on strike shape of a human from its last pose to this one against each body within its broad
    /// bound; the first touch with a body is a strike, and the body is ignored from then on.
    ///
    /// A human is met on the shapes that strikes aim at, or on its capsule when the attack says so (`at_capsules`);
    /// everything else on its own shapes. The caller lets go of the ignored ones when the shapes go off.
    ///
    /// Source: seed 002, The shape-pair tables and The human body (Human_TestStrikes 0x0033f110).
    // Covers: seed 002, Human_TestStrikes (0x0033f110) test=a_fist_strikes_a_spine_on_its_way_once_until_it_is_let_go
    pub fn test_strikes(&mut self, id: BodyId, at_capsules: bool, owners: &dyn Owners, out: &mut Strikes) {
        let (Some(parts), Some(owner)) = (self.human_parts(id).copied(), self.body(id).owner) else { return };
        if !self.is_striking(id) {
            return;
        }
        let query = BodyQuery {
            bounds: parts.broad,
            start: Some(id),
            ignored_owner: Some(owner),
            flag_mask: BodyFlags::MELEE_TARGET.set(BodyFlags::WEAPON_TARGET, parts.weapon_strikes),
            ..BodyQuery::ALL
        };
        let mut candidates = Candidates::new();
        self.query_box(&query, &mut candidates);
        self.note_candidates(&candidates);
        for &body in candidates.as_slice() {
            let Some(target) = self.body(body).owner else { continue };
            if self.is_ignoring(id, Some(target), owners) {
                continue;
            }
            if let Some((shape, target_shape, touch)) = self.first_strike(id, body, at_capsules) {
                self.ignore(id, Some(target));
                // A list that is full loses the strike, not the rule that it counts once.
                if out.push(Strike { shape, target, body, target_shape, touch }).is_err() {
                    self.counters.strikes_dropped += 1;
                }
            }
        }
    }

    fn first_strike(&self, id: BodyId, body: BodyId, at_capsules: bool) -> Option<(ShapeId, ShapeId, Touch)> {
        let parts = self.human_parts(id)?;
        let on = |&shape: &ShapeId| self.shape(shape).is_enabled();
        let bones = parts.bones.into_iter().flatten().filter(on);
        let weapon = self.strike_spheres(id).filter(|_| parts.weapon_strikes).filter(on);
        bones.chain(weapon).find_map(|shape| {
            let now = *self.geometry(shape);
            let d = now.position() - self.shape(shape).previous;
            let before = now.moved(-d);
            let test = |other: ShapeId| {
                let touch = pairs::sweep(&before, d, self.geometry(other), PairRules::default())?;
                Some((shape, other, touch))
            };
            match self.human_parts(body).filter(|_| !at_capsules) {
                Some(target) => {
                    let aimed = |&shape: &ShapeId| self.shape(shape).flags.has(ShapeFlags::STRIKE_TARGET);
                    target.bones.into_iter().flatten().filter(aimed).find_map(test)
                }
                None => self.shapes_of(body).filter(on).find_map(test),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::{Pose, Quat, Vec3};
    use crate::physics::bench::{Things, human, object};
    use crate::physics::create::{CarBox, ObjectShape};

    const HAND: u8 = 19;
    const FOREARM: u8 = 18;
    const SPINE: usize = 3;

    struct Fight {
        world: PhysicsWorld,
        things: Things,
    }

    impl Fight {
        fn new() -> Self {
            Self { world: PhysicsWorld::new(), things: Things::new() }
        }

        fn fighter(&mut self, x: f32) -> (OwnerId, BodyId) {
            let mut man = human(Vec3::X * x);
            for bone in &mut man.bones {
                bone.position = Vec3::new(x, 0.0, 1.0);
            }
            man.bones[SPINE].position = Vec3::new(x, -0.2, 1.0);
            man.bones[SPINE].rotation = Quat::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_2);
            let owner = self.things.add(man);
            let body = self.world.create_human_body(owner, &self.things).unwrap();
            self.world.update_body(body, &mut self.things);
            (owner, body)
        }

        /// Moves a bone and lets the body follow, then tests.
        fn swing(&mut self, (owner, body): (OwnerId, BodyId), bone: u8, x: f32, at_capsules: bool) -> Strikes {
            self.things.get_mut(owner).bones[bone as usize].position = Vec3::new(x, 0.0, 1.0);
            self.world.update_body(body, &mut self.things);
            let mut out = Strikes::new();
            self.world.test_strikes(body, at_capsules, &self.things, &mut out);
            out
        }
    }

    #[test]
    fn a_fist_strikes_a_spine_on_its_way_once_until_it_is_let_go() {
        let mut fight = Fight::new();
        let (me, other) = (fight.fighter(0.0), fight.fighter(0.7));
        assert!(fight.swing(me, HAND, 0.2, false).is_empty(), "the hand is not switched on");
        fight.world.set_bone_enabled(me.1, HAND, true);
        assert!(fight.swing(me, HAND, 0.2, false).is_empty());
        let strikes = fight.swing(me, HAND, 1.6, false);
        assert_eq!((strikes.len(), strikes[0].target), (1, other.0));
        assert!(strikes[0].touch.fraction > 0.0 && strikes[0].touch.fraction < 0.5);
        assert!(fight.swing(me, HAND, 0.2, false).is_empty());
        fight.world.stop_ignoring(me.1, None);
        assert_eq!(fight.swing(me, HAND, 1.6, false).len(), 1);
    }

    #[test]
    fn an_attack_at_capsules_meets_one_where_no_aimed_shape_is() {
        let mut fight = Fight::new();
        let (me, other) = (fight.fighter(0.0), fight.fighter(0.7));
        for bone in [SPINE, 6] {
            fight.things.get_mut(other.0).bones[bone].position = Vec3::new(0.7, 0.0, 9.0);
        }
        fight.world.mark_dirty(other.1);
        fight.world.update_body(other.1, &mut fight.things);
        fight.world.set_bone_enabled(me.1, HAND, true);
        fight.swing(me, HAND, 0.1, false);
        assert!(fight.swing(me, HAND, 0.6, false).is_empty());
        fight.swing(me, HAND, 0.1, false);
        assert_eq!(fight.swing(me, HAND, 0.6, true).len(), 1);
    }

    #[test]
    fn a_hand_reaches_a_cars_box_and_a_forearm_never_does() {
        let mut fight = Fight::new();
        let me = fight.fighter(0.0);
        let thing = fight.things.add(object(Pose::new(Quat::IDENTITY, Vec3::new(1.6, 0.0, 1.0))));
        let side = CarBox { half: Vec3::splat(1.0), offset: Vec3::ZERO };
        let car = fight.world.create_car_body(thing, [side; 2], &fight.things).unwrap();
        fight.world.update_body(car, &mut fight.things);
        for (bone, expected) in [(FOREARM, 0), (HAND, 1)] {
            fight.world.set_bone_enabled(me.1, bone, true);
            fight.swing(me, bone, 0.2, false);
            assert_eq!(fight.swing(me, bone, 0.7, false).len(), expected, "bone {bone}");
        }
        fight.world.stop_ignoring(me.1, None);
        let boxes: alloc::vec::Vec<ShapeId> = fight.world.shapes_of(car).collect();
        boxes.into_iter().for_each(|shape| fight.world.shape_mut(shape).set_enabled(false));
        fight.swing(me, HAND, 0.2, false);
        assert!(fight.swing(me, HAND, 0.7, false).is_empty(), "boxes that are off are met by nobody");
    }

    #[test]
    fn strikes_past_the_room_for_them_are_counted_and_met_once_all_the_same() {
        let mut fight = Fight::new();
        let me = fight.fighter(0.0);
        for _ in 0..STRIKES + 2 {
            fight.fighter(0.7);
        }
        fight.world.set_bone_enabled(me.1, HAND, true);
        fight.swing(me, HAND, 0.1, false);
        assert_eq!(fight.swing(me, HAND, 1.6, false).len(), STRIKES);
        assert_eq!(fight.world.counters().strikes_dropped, 2);
        assert!(fight.swing(me, HAND, 0.2, false).is_empty());
    }

    #[test]
    fn a_weapons_spheres_strike_weapon_targets() {
        let mut fight = Fight::new();
        let me = fight.fighter(0.0);
        let thing = fight.things.add(object(Pose::new(Quat::IDENTITY, Vec3::new(1.5, 0.0, 1.0))));
        let shape = ObjectShape::Box { size: Vec3::splat(0.4), centre: Vec3::ZERO };
        const WEAPON_TARGET_LAYER: u16 = 8;
        let body =
            fight.world.create_object_body(thing, shape, WEAPON_TARGET_LAYER, BodyFlags::NONE, &fight.things).unwrap();
        fight.world.update_body(body, &mut fight.things);
        assert!(fight.world.add_strike_sphere(me.1, Vec3::ZERO, 0.1));
        fight.world.human_parts_mut(me.1).unwrap().weapon_strikes = true;
        for (x, expected) in [(0.9, 0), (1.3, 1)] {
            fight.things.get_mut(me.0).held = Some(Pose::new(Quat::IDENTITY, Vec3::new(x, 0.0, 1.0)));
            assert_eq!(fight.swing(me, HAND, 0.1, false).len(), expected, "held at {x}");
        }
    }
}
