//! Strike shapes: the clips' events switch them, the physics says what they meet.
//!
//! Source: humans and combat, Attacks (Strikes); seed 002, The human body.

use super::attacks::{self, Attack};
use super::deeds::Deed;
use crate::animation::events::{Event, kind};
use crate::human::Humans;
use crate::human::owners::human_of_owner;
use crate::physics::PhysicsWorld;
use crate::physics::human_body::BONES;
use crate::physics::ids::BodyId;
use crate::physics::strikes::{Strike, Strikes};
use crate::tasks::engine::TaskEngine;
use crate::tasks::owners::TaskOwners;

/// Every bone that can strike, a bit each.
const ALL: u64 = {
    let (mut all, mut n) = (0, 0);
    while n < BONES.len() {
        all |= 1 << BONES[n].bone;
        n += 1;
    }
    all
};

impl Humans {
    /// An event that switches shapes.
    pub fn switch_strike(&mut self, n: usize, event: &Event) {
        let bit = 1u64.checked_shl(u32::from(event.bone)).unwrap_or(0) & ALL;
        let fight = &mut self.people[n].fight;
        fight.bones = match event.kind {
            kind::STRIKE_ON => fight.bones | bit,
            kind::STRIKE_OFF => fight.bones & !bit,
            kind::ALL_ON => ALL,
            _ => 0,
        };
    }

    /// After a human's move: its shapes are switched as its events said, and what they meet is hit.
    pub fn strike(&mut self, n: usize, tasks: &mut TaskEngine, physics: &mut PhysicsWorld) {
        let Some(body) = self.people[n].body else { return };
        self.show_shapes(n, body, physics);
        let fight = &mut self.people[n].fight;
        let (met, strikes) = (core::mem::take(&mut fight.met), fight.bones != 0);
        let Some(attack) = fight.attack.and_then(|id| self.table.find(id)) else { return };
        // A charge meets people with its body, and so does an attack in the air: everybody on its way, each once. Who is in
        // the air without an attack has nothing to strike with and only slides along whom it meets first.
        for place in (0..self.people.len()).filter(|place| met >> place & 1 != 0) {
            let at = self.people[place].position;
            self.hit(n, place, &attack, at);
        }
        if !strikes {
            return;
        }
        let capsules = self.strikes_capsules(n);
        let mut found = Strikes::new();
        physics.test_strikes(body, capsules, &TaskOwners::with_humans(tasks, self), &mut found);
        for strike in &found {
            let wielded = physics.strike_spheres(body).any(|sphere| sphere == strike.shape);
            self.land_strike(n, &attack, strike, wielded);
        }
    }

    /// The shapes that its events have switched, in the physics too. A swing's weapon strikes as long as a bone does.
    fn show_shapes(&mut self, n: usize, body: BodyId, physics: &mut PhysicsWorld) {
        let fight = &mut self.people[n].fight;
        if fight.attack.is_none() {
            fight.bones = 0;
        }
        let (wanted, applied) = (fight.bones, fight.applied);
        let in_air = self.people[n].is_airborne();
        // Whom the shapes or a jump have met is met anew once both are over.
        if wanted == 0 && !in_air && physics.body(body).ignores.is_some() {
            physics.stop_ignoring(body, None);
        }
        if wanted == applied {
            return;
        }
        let fight = &mut self.people[n].fight;
        fight.applied = wanted;
        let charges = fight.is_charge();
        let swings = fight.attack == Some(attacks::SWING) && fight.weapon.is_some();
        for shape in BONES {
            let bit = 1u64 << shape.bone;
            if (wanted ^ applied) & bit != 0 {
                physics.set_bone_enabled(body, shape.bone, wanted & bit != 0);
            }
        }
        physics.set_weapon_strikes(body, wanted != 0 && swings);
        physics.set_capsule_strikes(body, wanted != 0 && charges);
    }

    /// What a strike means to whom or what it met.
    fn land_strike(&mut self, n: usize, attack: &Attack, strike: &Strike, wielded: bool) {
        let (by, weapon) = (n as u8, self.people[n].fight.weapon.filter(|_| wielded));
        let damage = weapon.map_or(attack.damage, |weapon| weapon.damage);
        let Some(victim) = human_of_owner(strike.target) else {
            self.did(Deed::Struck { by, target: strike.target, at: strike.touch.point, damage, wielded });
            return;
        };
        match weapon {
            Some(weapon) if weapon.overhead => self.did(Deed::CameDown { by, victim: victim as u8 }),
            _ => {
                let at = self.people[victim].bones[crate::animation::skeleton::bone::CHEST].position;
                self.hit(n, victim, &Attack { damage, ..*attack }, at);
                if weapon.is_some() {
                    self.did(Deed::Wore { by });
                }
            }
        }
    }
}
