//! Health and the lack of it: who staggers, who is wounded, who is out, and who comes back.
//!
//! Blows cost health ([`Humans::wound`]). A heavy one that leaves little makes its victim stagger for a while. Who has none left
//! is dead, or, in a gang that is spared, wounded: either lies where walkers pass over it. Only a heal makes it block them again.
//!
//! Source: seed 002, Human contacts (Who loses BLOCKHUMANS, What gives it back); humans and combat, AI locomotion (hurt).

use super::attacks::{Height, Strength};
use super::hits::direction;
use crate::human::numbers::{AnimState, state};
use crate::human::{Human, Humans, Notice};
use crate::maths::from_heading;
use crate::tasks::humans::gates::{held, state as gate_state};

/// The share of the health below which a heavy blow makes somebody stagger, and for how many steps. Our choice.
const LOW: f32 = 1.0 / 3.0;
const STAGGERS: u16 = 75;

impl Humans {
    /// Health is lost; at none the human is out: dead, or wounded where its gang is [spared](Humans::spared).
    pub fn wound(&mut self, n: usize, damage: i16, by: Option<u8>) {
        let spared = self.spared.checked_shr(self.people[n].spawn.gang.into()).unwrap_or(0) & 1 == 1;
        let human = &mut self.people[n];
        human.health = (human.health - damage).max(0);
        if human.health > 0 || human.is_out() {
            return;
        }
        let only_wounded = spared && human.spawn.player.is_none();
        if only_wounded {
            human.wounded = true;
        } else {
            human.state |= gate_state::DEAD;
        }
        human.set(state::BLOCKING | state::BOTH_STANCES, false);
        let from = by.map_or(human.position - from_heading(human.heading), |by| self.people[usize::from(by)].position);
        let human = &self.people[n];
        let direction = direction(human.heading, human.position, from);
        if human.is_dead() {
            self.notify(Notice::Down { human: n as u8, dead: true });
        }
        self.react(n, Strength::Crushing, Height::High, direction);
    }

    /// Step 9 of somebody who is down: who only fell rises again.
    pub fn update_down(&mut self, n: usize) {
        let cast = self.cast;
        let human = &mut self.people[n];
        if human.is_out() || human.held & held::KNOCK_BACK != 0 {
            return;
        }
        if human.lies > 0 {
            human.lies -= 1;
            if human.lies == 0 {
                let rise = if human.fight.on_face { cast.rise_from_face } else { cast.rise_from_back };
                self.play_then(n, rise, held::KNOCK_BACK, cast.fight_idle, 0.1, 0.1);
            }
        }
    }

    /// The clip of a fall says for how many steps its human lies.
    ///
    /// Our choice: the source names a knock-down's value and not what it counts.
    pub fn lie_for(&mut self, n: usize, steps: i16) {
        let human = &mut self.people[n];
        if human.is(state::DOWN) {
            human.lies = steps.max(1) as u16;
        }
    }

    /// Somebody has risen.
    pub fn risen(&mut self, n: usize) {
        let human = &mut self.people[n];
        human.set(state::DOWN, false);
        human.push_weight = human.own_push_weight();
        human.anim = AnimState::Stance;
    }

    /// Somebody wounded is no longer: it rises, and walkers go on passing through it until it is healed.
    ///
    /// Source: seed 002, Human contacts (Human_EndWounded 0x0022fc00).
    pub fn end_wounded(&mut self, n: usize) {
        let human = &mut self.people[n];
        if core::mem::take(&mut human.wounded) {
            human.health = human.health.max(1);
            human.lies = 1;
        }
    }

    /// Health is given: what it is too little for ends, and a wound with it. Who is dead stays so.
    ///
    /// Source: seed 002, Human contacts (Human_Heal 0x0022eb40).
    pub fn heal(&mut self, n: usize, points: i16) {
        let human = &mut self.people[n];
        if human.is_dead() {
            return;
        }
        human.health = human.health.saturating_add(points).clamp(0, human.max_health);
        if !human.is_low() {
            human.recover();
        }
        human.fight.healed = true;
        self.end_wounded(n);
    }

    /// Somebody who is out comes back with a share of the health.
    pub fn revive(&mut self, n: usize, share: f32) {
        let human = &mut self.people[n];
        let points = ((f32::from(human.max_health) * share) as i16).max(1);
        human.set(gate_state::DEAD, false);
        human.set(state::DOWN, true);
        (human.health, human.lies) = (0, 1);
        self.heal(n, points);
    }
}

impl Human {
    /// Dead or wounded: it lies until somebody revives it.
    pub fn is_out(&self) -> bool {
        self.is_dead() || self.wounded
    }

    /// Little health is left.
    fn is_low(&self) -> bool {
        f32::from(self.health) < f32::from(self.max_health) * LOW
    }

    /// A heavy blow has left little: for a while it only walks, turns slowly and strikes nobody.
    ///
    /// Our choice of when and how long; and players are spared, whose own blows a stagger would refuse.
    pub(super) fn stagger(&mut self) {
        if self.is_low() && self.spawn.player.is_none() {
            self.hurt = STAGGERS;
            self.set(state::HURT, true);
        }
    }

    /// A step of staggering is over.
    pub(crate) fn stagger_on(&mut self) {
        self.hurt = self.hurt.saturating_sub(1);
        if self.hurt == 0 {
            self.recover();
        }
    }

    fn recover(&mut self) {
        self.hurt = 0;
        self.set(state::HURT, false);
    }
}
