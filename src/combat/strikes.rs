//! Strike shapes: the clips' events switch them, the physics says what they meet.
//!
//! Source: humans and combat, Attacks (Strikes); seed 002, The human body.

use super::attacks;
use crate::animation::events::{Event, kind};
use crate::human::Humans;
use crate::human::numbers::state;
use crate::human::owners::human_of_owner;
use crate::physics::PhysicsWorld;
use crate::physics::human_body::BONES;
use crate::physics::strikes::Strikes;
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
        fight.committed = true;
    }

    /// After a human's move: its shapes are switched as its events said, and what they meet is hit.
    pub fn strike(&mut self, n: usize, tasks: &mut TaskEngine, physics: &mut PhysicsWorld) {
        let Some(body) = self.people[n].body else { return };
        self.let_go(n, physics);
        let fight = &mut self.people[n].fight;
        if fight.attack.is_none() {
            fight.bones = 0;
        }
        let (wanted, applied) = (fight.bones, fight.applied);
        if wanted != applied {
            fight.applied = wanted;
            for shape in BONES {
                let bit = 1u64 << shape.bone;
                if (wanted ^ applied) & bit != 0 {
                    physics.set_bone_enabled(body, shape.bone, wanted & bit != 0);
                }
            }
            if wanted == 0 {
                physics.stop_ignoring(body, None);
            }
        }
        if wanted == 0 {
            return;
        }
        let Some(attack) = self.people[n].fight.attack.and_then(attacks::find) else { return };
        let capsules = self.strikes_capsules(n);
        let mut found = Strikes::new();
        physics.test_strikes(body, capsules, &TaskOwners::with_humans(tasks, self), &mut found);
        for strike in &found {
            if let Some(victim) = human_of_owner(strike.target) {
                let at = self.people[victim].bones[crate::animation::skeleton::bone::CHEST].position;
                self.hit(n, victim, attack, at);
            }
        }
        // A charge meets people with its body.
        if let Some(met) = self.people[n].fight.met.take()
            && self.people[n].fight.is_charge()
        {
            let at = self.people[usize::from(met)].position;
            self.hit(n, usize::from(met), attack, at);
        }
    }

    /// Who is knocked out blocks nobody; who is up again does.
    fn let_go(&mut self, n: usize, physics: &mut PhysicsWorld) {
        let human = &mut self.people[n];
        let down = human.is_dead() || human.is(state::DOWN);
        let Some(body) = human.body.filter(|_| down != human.fight.let_go) else { return };
        human.fight.let_go = down;
        if down {
            physics.knock_out(body);
        } else {
            physics.unarrest(body);
        }
    }
}
