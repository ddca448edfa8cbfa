//! The world's own step, once a 60 Hz tick after the wheel.

use super::PhysicsWorld;
use super::constants::BOUND_REFRESH_TICKS;
use super::owner::Owners;

impl PhysicsWorld {
    /// Refreshes the widest-body bound every two seconds and turns what is settling. It moves nobody and decides no hit.
    ///
    /// Source: seed 002, The step (IPhysics_Step 0x00340918).
    // Covers: seed 002, IPhysics_Step (0x00340918) test=the_bound_only_grows_until_it_is_refreshed_every_120_ticks
    pub fn step(&mut self, owners: &mut dyn Owners) {
        self.refresh_bound();
        self.step_settles(owners);
    }

    fn refresh_bound(&mut self) {
        self.refresh += 1;
        if self.refresh >= BOUND_REFRESH_TICKS {
            self.refresh = 0;
            self.widest = self.sorted_bodies().map(|id| self.body(id).bounds.width()).fold(0.0, f32::max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Vec3;
    use crate::physics::bench::Things;
    use crate::physics::ids::BodyId;

    #[test]
    fn the_bound_only_grows_until_it_is_refreshed_every_120_ticks() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        world.body_mut(BodyId(0)).bounds.max = Vec3::X * 9.0;
        world.add_body(BodyId(0));
        world.body_mut(BodyId(0)).bounds.max = Vec3::X * 2.0;
        world.list_reinsert(BodyId(0));
        for _ in 0..119 {
            world.step(&mut things);
        }
        assert_eq!(world.widest(), 9.0);
        world.step(&mut things);
        assert_eq!(world.widest(), 2.0);
    }
}
