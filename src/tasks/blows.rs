//! What a blow does to a thing, by its class: panes crack and break, cars rock and their parts give, objects wear and break.

use super::cars::zones::hit_zone;
use super::engine::TaskEngine;
use super::ids::{TaskClass, TaskId};
use super::world::World;
use crate::maths::Vec3;

/// A blow by a human, or by what a human holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThingBlow {
    /// Where it lands, metres.
    pub at: Vec3,
    /// Where it comes from, metres.
    pub from: Vec3,
    /// How hard it is, in points of what a human would lose.
    pub damage: i32,
}

impl TaskEngine {
    /// A thing takes a blow. Says whether something gave: a pane or an object broke, a part came loose, a door opened.
    ///
    /// Lamps, particles and scenes make nothing of one. Source: seed 000, World objects, Cars and Glass.
    pub fn take_blow(&mut self, world: &mut dyn World, id: TaskId, blow: &ThingBlow) -> bool {
        match id.class() {
            Some(TaskClass::Pane) => self.damage_pane(world, id, blow.damage),
            Some(TaskClass::Car) => self.strike_car(world, id, blow),
            Some(TaskClass::Object) => self.strike_object(world, id, blow),
            _ => false,
        }
    }

    /// A car rocks away from the blow, and the part that it meets by zone and height takes its damage.
    ///
    /// Source: seed 000, Cars (Car_StartHitRock, Car_GetHitZoneFromPoint, Car_SetPartDamage).
    fn strike_car(&mut self, world: &mut dyn World, id: TaskId, blow: &ThingBlow) -> bool {
        let Some(handle) = self.manager.head(id).map(|head| head.handle) else { return false };
        let at = self.pose_now(world, id).local(blow.at);
        let part = self.car(id).and_then(|car| {
            let part = car.part_of_zone(hit_zone(at), at.z)?;
            Some((part, car.parts.get(part)?.damage))
        });
        self.start_hit_rock(world, id, blow.from);
        part.is_some_and(|(part, damage)| {
            self.set_car_part_damage(world, handle, part, damage.saturating_add(blow.damage))
        })
    }

    /// An object that can be struck shows it and takes a hit.
    ///
    /// Source: seed 000, World objects (Object_IsStrikeTarget, WorldObject_TakeHit, WorldObject_HitEffectsByModel).
    fn strike_object(&mut self, world: &mut dyn World, id: TaskId, blow: &ThingBlow) -> bool {
        let Some(handle) = self.manager.head(id).map(|head| head.handle) else { return false };
        if !self.is_strike_target(handle) {
            return false;
        }
        if !self.object_take_hit(world, id, blow.at) {
            self.hit_effects_by_model(world, id, blow.at);
            return false;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::cars::tests::car;
    use super::super::engine::Creation;
    use super::super::fake::{BAT, FakeWorld, PANE, engine};
    use super::super::objects::life::tests::object;
    use super::*;

    fn blow(x: f32, z: f32, damage: i32) -> ThingBlow {
        ThingBlow { at: Vec3::new(x, 0.0, z), from: Vec3::new(x, -3.0, 0.0), damage }
    }

    #[test]
    fn a_pane_breaks_when_blows_have_added_up_to_its_strength() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = tasks.create(&mut world, TaskClass::Pane, PANE, &Creation::at(Vec3::ZERO)).unwrap();
        let gave = [12, 5, 5].map(|damage| tasks.take_blow(&mut world, id, &blow(0.0, 1.0, damage)));
        assert_eq!(gave, [false, false, true], "it stands 20");
        assert!(tasks.pane(id).unwrap().broken);
    }

    #[test]
    fn a_struck_car_rocks_away_and_the_part_by_zone_and_height_gives_at_last() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::ZERO);
        let strength = tasks.car_type(id).unwrap().parts[3].strength;
        // Before the middle on the right: the front right door, until it is gone.
        let place = Vec3::new(1.0, 0.5, 0.5);
        let strike = ThingBlow { at: place, from: place + Vec3::X * 2.0, damage: strength };
        assert!(!tasks.take_blow(&mut world, id, &strike), "as much as it stands");
        let record = tasks.car(id).unwrap();
        assert!(record.rock.is_active() && record.rock.direction.x < -0.9, "{:?}", record.rock);
        let damaged: std::vec::Vec<usize> = (0..26).filter(|part| record.parts[*part].damage > 0).collect();
        assert_eq!(damaged, [3]);
        assert!(tasks.take_blow(&mut world, id, &ThingBlow { damage: 1, ..strike }));
        assert_eq!(tasks.car(id).unwrap().flying, 1 << 3);
    }

    #[test]
    fn an_object_takes_one_hit_a_blow_and_only_while_it_can_be_struck() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BAT, 0.0);
        assert!(!tasks.take_blow(&mut world, id, &blow(0.0, 0.0, 50)), "no body to be struck");
        assert_eq!(tasks.object(id).unwrap().wear.second, 2);
        tasks.create_object_body(&mut world, id);
        let gave = [(); 3].map(|()| tasks.take_blow(&mut world, id, &blow(0.0, 0.0, 50)));
        assert_eq!(gave, [false, true, false], "a bat stands two hits, and a broken one is struck no more");
    }

    #[test]
    fn nothing_else_makes_anything_of_a_blow() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = tasks.spawn_test_particle(&mut world, 0);
        world.log.clear();
        assert!(!tasks.take_blow(&mut world, id, &blow(0.0, 0.0, 99)));
        assert!(world.log.is_empty());
    }
}
