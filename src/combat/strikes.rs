//! Strike shapes: the clips' events switch them, the physics says what they meet.
//!
//! Source: humans and combat, Attacks (Strikes); seed 002, The human body.

use super::attacks::{self, Attack};
use super::deeds::Deed;
use super::fight::StrikesWith;
use crate::animation::events::{Event, kind};
use crate::human::Humans;
use crate::human::numbers::{RUN, state};
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
        if met != 0 && !self.people[n].is_out() && !self.people[n].is(state::DOWN) {
            // A charge meets people with its body, and so does who flies: everybody on the way, each once.
            let attack = self.body_attack(n);
            for place in (0..self.people.len()).filter(|place| met >> place & 1 != 0) {
                let at = self.people[place].position;
                self.hit(n, place, &attack, at);
            }
        }
        let attack = self.people[n].fight.attack.and_then(|id| self.table.find(id));
        let Some(attack) = attack.filter(|_| strikes) else { return };
        let capsules = self.strikes_capsules(n);
        let mut found = Strikes::new();
        physics.test_strikes(body, capsules, &TaskOwners::with_humans(tasks, self), &mut found);
        for strike in &found {
            let wielded = physics.strike_spheres(body).any(|sphere| sphere == strike.shape);
            self.land_strike(n, &attack, strike, wielded);
        }
    }

    /// What a human's body does to who or what it strikes: the attack's, else that of a body in flight or at a run.
    pub fn body_attack(&self, n: usize) -> Attack {
        let human = &self.people[n];
        let attack = human.fight.attack.and_then(|id| self.table.find(id));
        attack.unwrap_or_else(|| self.table.body(human.is_airborne()))
    }

    /// Whom a body has met is met anew once it strikes with something else: other shapes, a flight, a run, or with nothing.
    pub(super) fn strike_anew(&mut self, n: usize, body: BodyId, physics: &mut PhysicsWorld) {
        let human = &mut self.people[n];
        let with = if human.fight.applied != 0 {
            StrikesWith::Shapes
        } else if human.is_airborne() {
            StrikesWith::Flight
        } else if human.gait >= RUN {
            StrikesWith::Run
        } else {
            StrikesWith::Nothing
        };
        let changed = core::mem::replace(&mut human.fight.strikes_with, with) != with;
        if changed && physics.body(body).ignores.is_some() {
            physics.stop_ignoring(body, None);
        }
    }

    /// The shapes that its events have switched, in the physics too. A swing's weapon strikes as long as a bone does.
    fn show_shapes(&mut self, n: usize, body: BodyId, physics: &mut PhysicsWorld) {
        let fight = &mut self.people[n].fight;
        if fight.attack.is_none() {
            fight.bones = 0;
        }
        let (wanted, applied) = (fight.bones, fight.applied);
        fight.applied = wanted;
        self.strike_anew(n, body, physics);
        if wanted == applied {
            return;
        }
        let fight = &self.people[n].fight;
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
