//! What a hit does: the reaction by direction, height and strength, blocks, knock-downs, grabs.
//!
//! Source: humans and combat, Attacks; settled questions 20.

use super::attacks::{self, Attack, Height, Strength};
use super::commands::command;
use super::deeds::Deed;
use crate::human::numbers::{AnimState, FULL_POWER, state};
use crate::human::speeds::turn_between;
use crate::human::{Humans, Notice};
use crate::maths::{Vec3, from_heading, heading_of, wrap_heading};
use crate::tasks::humans::gates::held;
use core::f32::consts::{FRAC_PI_2, PI};

/// Steps of stillness for both after a hit. Source: art, People.
const STILLNESS: u8 = 2;
/// Steps that somebody lies who was knocked down.
const LIES: u16 = 40;
/// How far to either side of ahead a block covers, radians. Our choice: two who stand side by side.
pub const BLOCKS: f32 = 1.2;
/// Power that a hit gives, and one that is taken.
const POWER: [f32; 2] = [8.0, 4.0];
/// How far apart a pair stands, in metres.
const PAIR: f32 = 0.72;

/// From which side something comes that is at `from`: 0 ahead, 1 right, 2 behind, 3 left.
pub fn direction(heading: f32, position: Vec3, from: Vec3) -> u8 {
    let off = wrap_heading(turn_between(heading, heading_of(from - position)) + FRAC_PI_2 * 0.5);
    ((off / FRAC_PI_2) as u8) & 3
}

impl Humans {
    /// A strike of `by` has met a human.
    pub fn hit(&mut self, by: usize, n: usize, attack: &Attack, at: Vec3) {
        let from = self.people[by].position;
        let victim = &self.people[n];
        if by == n || victim.is_out() || victim.is(state::DOWN) || victim.spawn.gang == self.people[by].spawn.gang {
            return;
        }
        let direction = direction(victim.heading, victim.position, from);
        let aside = turn_between(victim.heading, heading_of(from - victim.position)).abs();
        let blocked = victim.is(state::BLOCKING) && aside < BLOCKS && attack.strength < Strength::Crushing;
        self.people[by].stillness = STILLNESS;
        self.people[by].power = (self.people[by].power + POWER[0]).min(FULL_POWER);
        let victim = &mut self.people[n];
        victim.stillness = STILLNESS;
        victim.fight.struck_by = Some(by as u8);
        let strength = attack.strength as u8;
        self.notify(Notice::Hit { by: Some(by as u8), human: n as u8, at, strength, blocked });
        self.strikes(by as u8, n as u8);
        if blocked {
            // Our choice: nothing is held by it, so that who has blocked may answer at once, or block on.
            let (clip, block) = (self.cast.block_hit, self.cast.block);
            self.play_then(n, clip, 0, block, 0.1, 0.0667);
            self.give_way(by, n);
            return;
        }
        self.people[n].power = (self.people[n].power + POWER[1]).min(FULL_POWER);
        self.break_hold(n);
        self.wound(n, attack.damage, Some(by as u8));
        if !self.people[n].is_out() {
            self.react(n, attack.strength, attack.height, direction);
        }
    }

    /// Whose blow was blocked gives way: his string breaks off, and he reels on the spot and can do nothing, for as long as that
    /// clip lasts. Whoever blocked it may answer.
    ///
    /// Our choice: the source names a counter's window and not what opens it. A brain and a pad are treated alike, so that in
    /// the arena, too, a block is worth as much as a blow. Who comes flying is not stopped.
    fn give_way(&mut self, by: usize, blocker: usize) {
        let human = &self.people[by];
        if human.is_out() || human.is(state::DOWN) || human.is_airborne() || human.fight.partner.is_some() {
            return;
        }
        let Some(clip) = self.library.find(attacks::GIVES_WAY) else { return };
        self.people[blocker].fight.open = Some(by as u8);
        let human = &mut self.people[by];
        human.fight.end_attack();
        human.rest();
        human.anim = AnimState::Hurt;
        let idle = self.cast.fight_idle;
        self.play_then(by, clip, held::KNOCK_BACK, idle, 0.1, 0.0667);
    }

    /// Something that nobody wields strikes a human: a car, an explosion, a thing that falls from somewhere.
    pub fn struck_by_thing(&mut self, n: usize, damage: i16, strength: Strength, from: Vec3) {
        let Some(victim) = self.people.get_mut(n).filter(|victim| victim.present) else { return };
        if victim.is_out() || victim.is(state::DOWN) {
            return;
        }
        let direction = direction(victim.heading, victim.position, from);
        victim.stillness = STILLNESS;
        let at = victim.bones[crate::animation::skeleton::bone::CHEST].position;
        self.notify(Notice::Hit { by: None, human: n as u8, at, strength: strength as u8, blocked: false });
        self.break_hold(n);
        self.wound(n, damage, None);
        if !self.people[n].is_out() {
            self.react(n, strength, Height::High, direction);
        }
    }

    pub(super) fn react(&mut self, n: usize, strength: Strength, height: Height, direction: u8) {
        let id = attacks::reaction(strength, height, direction);
        let Some(clip) = self.library.find(id) else { return };
        let human = &mut self.people[n];
        human.fight.end_attack();
        human.rest();
        human.set(state::BLOCKING, false);
        let falls = strength == Strength::Crushing;
        if falls {
            let on_face = direction == 2;
            human.fight.on_face = on_face;
            human.set(state::DOWN, true);
            human.push_weight = human.own_push_weight();
            human.lies = LIES;
            human.anim = AnimState::Down;
            if !human.is_dead() {
                self.notify(Notice::Down { human: n as u8, dead: false });
            }
            if self.people[n].fight.weapon.is_some() {
                self.did(Deed::Dropped { by: n as u8 });
            }
            let lie = if on_face { self.cast.lie_on_face } else { self.cast.lie_on_back };
            self.play_then(n, clip, held::KNOCK_BACK, lie, 0.1, 0.0667);
        } else {
            human.anim = AnimState::Hurt;
            if strength >= Strength::Heavy {
                human.stagger();
            }
            let idle = self.cast.fight_idle;
            self.play_then(n, clip, held::KNOCK_BACK, idle, 0.1, 0.0667);
        }
    }

    /// Two become a pair: the second stands before the first and faces it.
    pub fn grab(&mut self, n: usize, other: usize) {
        let cast = self.cast;
        let heading = heading_of(self.people[other].position - self.people[n].position);
        for who in [n, other] {
            self.people[who].fight.end_attack();
            self.people[who].rest();
            self.people[who].set(state::BOTH_STANCES | state::BLOCKING, false);
        }
        self.people[n].heading = heading;
        self.people[n].set(state::GRABBING, true);
        self.people[other].set(state::GRABBED, true);
        let place = self.people[n].position + from_heading(heading) * PAIR;
        self.people[other].position = place;
        self.people[other].heading = wrap_heading(heading + PI);
        self.people[n].fight.partner = Some(other as u8);
        self.people[n].fight.target = Some(other as u8);
        self.people[other].fight.partner = Some(n as u8);
        self.people[n].fight.holds = 100;
        self.play_paired(n, other, cast.grab, held::GRAB, cast.hold, 0.1);
        self.play_paired(other, n, cast.seized, 0, cast.grabbed, 0.1);
    }

    /// The clip of a hold says where the other half is, in the own space at scale 1: what the clips and others moved is made up
    /// for.
    pub fn place_partner(&mut self, n: usize, place: Vec3) {
        let Some(other) = self.people[n].fight.partner.map(usize::from) else { return };
        let human = &self.people[n];
        let at = human.pose().point(place * human.spawn.scale);
        let other = &mut self.people[other].position;
        (other.x, other.y) = (at.x, at.y);
    }

    /// What the one who holds may do: hit, throw, let go.
    pub(super) fn hold_command(&mut self, n: usize, command: u8) {
        let Some(other) = self.people[n].fight.partner.map(usize::from) else {
            self.people[n].set(state::GRABBING, false);
            return;
        };
        let human = &mut self.people[n];
        if human.held & held::GRAB != 0 {
            return;
        }
        human.fight.holds = human.fight.holds.saturating_sub(1);
        let hold = self.cast.hold;
        match command {
            command::SQUARE => {
                if let Some(clip) = self.library.find(214) {
                    self.play_then(n, clip, held::GRAB, hold, 0.1, 0.0667);
                }
            }
            command::CROSS | command::CROSS_LONG | command::CIRCLE => {
                if let Some(clip) = self.library.find(215) {
                    let idle = self.cast.fight_idle;
                    self.play_then(n, clip, held::GRAB, idle, 0.1, 0.0667);
                }
            }
            _ if self.people[n].fight.holds == 0 || self.people[other].is_out() => self.break_hold(n),
            _ => {}
        }
    }

    /// The clip of a hold strikes the partner; a value of 2 throws.
    pub fn hit_partner(&mut self, n: usize, value: i16) {
        let Some(other) = self.people[n].fight.partner.map(usize::from) else { return };
        let at = self.people[other].bones[crate::animation::skeleton::bone::CHEST].position;
        let throws = value == 2;
        let damage = self.table.hold(throws);
        let strength = if throws { Strength::Crushing } else { Strength::Light };
        let notice =
            Notice::Hit { by: Some(n as u8), human: other as u8, at, strength: strength as u8, blocked: false };
        self.notify(notice);
        self.strikes(n as u8, other as u8);
        self.people[other].fight.struck_by = Some(n as u8);
        if throws {
            self.break_hold(n);
            self.wound(other, damage, Some(n as u8));
            if !self.people[other].is_out() {
                self.react(other, Strength::Crushing, Height::High, 0);
            }
            return;
        }
        if let Some(clip) = self.library.find(216) {
            let held_loop = self.cast.grabbed;
            self.play_then(other, clip, 0, held_loop, 0.1, 0.0667);
        }
        self.wound(other, damage, Some(n as u8));
        if self.people[other].is_out() {
            self.break_hold(n);
        }
    }

    /// A pair parts.
    pub fn break_hold(&mut self, n: usize) {
        let Some(other) = self.people[n].fight.partner.map(usize::from) else { return };
        for who in [n, other] {
            let human = &mut self.people[who];
            human.fight.partner = None;
            human.set(state::GRABBING | state::GRABBED, false);
            human.anim = AnimState::Stance;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_comes_from_one_of_four_sides() {
        let at = |x: f32, y: f32, heading: f32| direction(heading, Vec3::ZERO, Vec3::new(x, y, 0.0));
        assert_eq!([at(0.0, 1.0, 0.0), at(1.0, 0.1, 0.0), at(0.1, -1.0, 0.0), at(-1.0, 0.0, 0.0)], [0, 1, 2, 3]);
        assert_eq!(at(1.0, 0.0, FRAC_PI_2), 0);
    }
}
