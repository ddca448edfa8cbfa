//! All brains, what they see, and the pools that they share.

use super::brain::{ARRIVED, Action, Brain, Goal, SAFE, Scene, Temper};
use super::gang::formation_place;
use super::walk::{Destination, Walk, Way};
use crate::human::Humans;
use crate::human::numbers::{RUN, state};
use crate::human::person::Asked;
use crate::maths::Vec3;
use crate::motion::{MotionTable, Position, degrees_of_heading};
use crate::tasks::humans::groups::{Formations, Gangs, PLACES, Paths};
use crate::tasks::humans::lists::Lists;
use crate::tasks::humans::records::PlayerRecords;
use crate::tasks::humans::{ACTIONS, BRAINS, GANGS, GOALS};
use alloc::boxed::Box;
use alloc::vec;

/// Metres within which an enemy is seen.
const SIGHT: f32 = 14.0;
/// Metres within which somebody comes to fight whom the gang was told of.
const CALLED: f32 = 20.0;

/// Our choice: a place beside somebody who walks is aimed for where it will be in so many seconds, so that a way there does not
/// end while he walks.
const AHEAD: f32 = 0.5;

/// Where the brains' chances begin in every level.
const FIRST_RANDOM: u32 = 0x2545_f491;

/// All brains; a brain's number is its human's.
#[derive(Debug)]
pub struct Brains {
    /// The brains.
    pub brains: Box<[Brain]>,
    /// What each brain wants; the newest goal is the one that it works on, the oldest is what it usually does.
    pub goals: Lists<Goal>,
    /// What each brain is in the middle of.
    pub actions: Lists<Action>,
    /// The gangs.
    pub gangs: Gangs,
    /// The formations, made as followers come.
    pub formations: Formations,
    /// The level's paths.
    pub paths: Paths,
    /// How often a brain was asked for that is none.
    pub refusals: u32,
    /// Their ways, once there is a motion table to walk by.
    pub walks: Option<Box<[Walk<MotionTable<'static>>]>>,
    /// Whose pad holds the button that takes things, in the command-driven scheme.
    pub(super) takes: [bool; BRAINS],
    random: u32,
}

impl Default for Brains {
    fn default() -> Self {
        Self::new()
    }
}

impl Brains {
    /// Nobody thinks yet. Memory is taken here only.
    pub fn new() -> Self {
        Self {
            brains: vec![Brain::default(); BRAINS].into_boxed_slice(),
            goals: Lists::new(GOALS, BRAINS),
            actions: Lists::new(ACTIONS, BRAINS),
            gangs: Gangs::default(),
            formations: Formations::default(),
            paths: Paths::default(),
            refusals: 0,
            walks: None,
            takes: [false; BRAINS],
            random: FIRST_RANDOM,
        }
    }

    /// Gives a human a brain with something that it usually does; there are 60, and asking for another is counted.
    pub fn enable(&mut self, n: usize, temper: Temper, usual: Goal) {
        let Some(brain) = self.brains.get_mut(n) else {
            self.refusals = self.refusals.saturating_add(1);
            return;
        };
        *brain = Brain { enabled: true, temper, ..Brain::default() };
        if let Some(walk) = self.walks.as_mut().and_then(|walks| walks.get_mut(n)) {
            walk.leave_world();
        }
        self.goals.clear(n);
        self.actions.clear(n);
        self.formations.leave(n as u8);
        // A pool that is full, which it counts, leaves a brain that stands.
        self.goals.push(n, usual);
        if let Goal::Follow { leader, place } = usual {
            self.formations.join(leader, usize::from(place) % PLACES, n as u8);
        }
    }

    /// What a brain works on.
    pub fn goal(&self, n: usize) -> Goal {
        self.goals.top(n).unwrap_or_default()
    }

    /// What a brain goes back to.
    pub fn usual(&self, n: usize) -> Goal {
        self.goals.bottom(n).unwrap_or_default()
    }

    /// Changes what a brain usually does; what it is busy with meanwhile stays.
    pub fn change_usual(&mut self, n: usize, usual: Goal) {
        if usual == self.usual(n) {
            return;
        }
        let busy = Some(self.goal(n)).filter(|goal| *goal != self.usual(n));
        self.goals.clear(n);
        self.goals.push(n, usual);
        if let Some(goal) = busy {
            self.goals.push(n, goal);
        }
    }

    /// Nobody thinks any more, and nobody stands with anybody; chances begin anew, so that a level does not depend on the last one.
    pub fn forget_all(&mut self) {
        self.random = FIRST_RANDOM;
        (0..self.brains.len()).for_each(|n| self.forget(n as u8));
        for slot in 0..GANGS {
            if let Some(gang) = self.gangs.get_mut(slot) {
                *gang = Default::default();
            }
        }
        self.paths.clear();
        self.random = FIRST_RANDOM;
    }

    /// Puts a goal above what a brain usually does, in place of the one that was there.
    fn want(&mut self, n: usize, goal: Goal) {
        if goal != self.goal(n) {
            self.goals.truncate(n, 1);
            if goal != self.usual(n) {
                self.goals.push(n, goal);
            }
        }
    }

    /// Step 2 for one formation: its places go where its leader is.
    ///
    /// Source: seed 000, Humans_Update, step 2.
    pub fn update_formation(&mut self, slot: usize, humans: &Humans) {
        let Some(formation) = self.formations.get_mut(slot) else { return };
        let leader = &humans.people[usize::from(formation.leader)];
        if leader.present {
            let place = |number| formation_place(leader.position, leader.heading, number);
            formation.places = Some(core::array::from_fn(place));
        }
    }

    /// The point that a brain on a path walks to: the next one once it has come to a point. Who comes to the end of a path
    /// that is not closed has done with that goal.
    fn walk_path(&mut self, n: usize, path: u8, point: u8, position: Vec3) -> Option<Vec3> {
        let way = self.paths.get(path.into()).filter(|way| !way.shut)?;
        let at = *way.points.get(usize::from(point))?;
        if (at - position).horizontal().length() >= ARRIVED {
            return Some(at);
        }
        let next = way.after(point.into());
        self.goals.pop(n);
        let next = next?;
        self.goals.push(n, Goal::Path { path, point: next as u8 });
        self.paths.get(path.into())?.points.get(next).copied()
    }

    /// From now on ways to places are walked by the motion system. Memory is taken here only.
    pub fn use_motions(&mut self, table: MotionTable<'static>) {
        self.walks = Some((0..BRAINS as u8).map(|human| Walk::new(human, table)).collect());
    }

    fn chance(&mut self) -> u16 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        (self.random >> 8 & 0xff) as u16
    }

    /// Whether a brain runs for a human that is there and up.
    pub fn is_enabled(&self, n: usize, humans: &Humans) -> bool {
        self.brains[n].enabled && humans.people[n].present && !humans.people[n].is_out()
    }

    /// A brain's turn to think: enemies near, blows received, friends in need, else what it usually does.
    pub fn think(&mut self, n: usize, humans: &Humans) {
        let me = &humans.people[n];
        let gang = self.gangs.get(usize::from(me.spawn.gang) % GANGS).copied().unwrap_or_default();
        let usual = self.usual(n);
        let brain = &self.brains[n];
        let struck_by = me.fight.struck_by.or(brain.afraid.map(|(of, _)| of)).filter(|by| is_up(humans, *by));
        let told_of = gang.target.filter(|enemy| distance(humans, n, *enemy) < CALLED);
        let enemy = nearest(humans, n, |other| gang.enemies >> other & 1 == 1).or(told_of);
        let goal = match (brain.temper, struck_by) {
            (Temper::Coward, Some(by)) if distance(humans, n, by) < SAFE => Goal::Flee { from: by },
            (Temper::Civilian | Temper::Fighter, Some(by)) if distance(humans, n, by) < SIGHT => {
                Goal::Attack { target: by }
            }
            (Temper::Fighter, _) => match (enemy, self.friend_in_need(n, humans)) {
                (Some(target), _) => Goal::Attack { target },
                (None, Some(friend)) => Goal::Help { friend },
                (None, None) => usual,
            },
            _ => usual,
        };
        let first_line = match goal {
            Goal::Attack { target } => self.is_first_line(n, target, humans),
            Goal::Help { .. } => true,
            _ => false,
        };
        self.want(n, goal);
        self.brains[n].first_line = first_line;
    }

    /// Somebody of the same gang who is being fought.
    fn friend_in_need(&self, n: usize, humans: &Humans) -> Option<u8> {
        let me = &humans.people[n];
        let friends = humans.present().filter(|(other, human)| *other != n && human.spawn.gang == me.spawn.gang);
        let mut in_need = friends.filter(|(other, human)| {
            human.fight.struck_by.is_some_and(|by| is_up(humans, by)) && distance(humans, n, *other as u8) < SIGHT
        });
        in_need.next().map(|(other, _)| other as u8)
    }

    /// Whether somebody is among the nearest of those who fight one and the same.
    fn is_first_line(&self, n: usize, target: u8, humans: &Humans) -> bool {
        let own = distance(humans, n, target);
        let nearer = (0..self.brains.len()).filter(|other| {
            *other != n
                && self.is_enabled(*other, humans)
                && !humans.people[*other].is(state::DOWN)
                && self.goal(*other) == Goal::Attack { target }
                && (distance(humans, *other, target), *other) < (own, n)
        });
        nearer.count() < usize::from(humans.table.pace().line)
    }

    /// A brain's update: its command goes to the record.
    ///
    /// Our choice: what it asks of the locomotion stands with its human, whose locomotion is the only one to read it. Source:
    /// settled questions 15.
    pub fn update(&mut self, n: usize, humans: &mut Humans, records: &mut PlayerRecords) {
        let chance = self.chance();
        let place = match self.goal(n) {
            Goal::Follow { .. } => self.formations.place_of(n as u8),
            Goal::Path { path, point } => self.walk_path(n, path, point, humans.people[n].position),
            _ => None,
        };
        let goal = self.goal(n);
        let named = match goal {
            Goal::Attack { target } => Some(target),
            Goal::Flee { from } => Some(from),
            Goal::Follow { leader, .. } => Some(leader),
            Goal::Help { friend } => humans.people[usize::from(friend)].fight.struck_by,
            _ => None,
        };
        let other = named.map(|other| &humans.people[usize::from(other)]).filter(|other| other.present);
        // Who is in no formation knows his place all the same.
        let place = match (goal, other) {
            (Goal::Follow { place: number, .. }, Some(leader)) => {
                place.or_else(|| Some(formation_place(leader.position, leader.heading, number.into())))
            }
            _ => place,
        };
        let scene = Scene { me: &humans.people[n], named, other, place, chance, pace: humans.table.pace() };
        let fights = matches!(goal, Goal::Attack { .. } | Goal::Help { .. });
        let mut action = self.actions.pop(n);
        let (mut asked, command) = self.brains[n].update(goal, &mut action, &scene);
        if let Some(action) = action {
            self.actions.push(n, action);
        }
        // Our choice: without motion tables, as on a disc that cannot be read, a brain goes by its eyes.
        if let Some(walk) = self.walks.as_mut().and_then(|walks| walks.get_mut(n)) {
            let way = self.brains[n].way(goal, &scene, asked, walk.way());
            asked = walk_on(walk, way, &scene, asked);
        }
        let me = &mut humans.people[n];
        me.asked = asked;
        (me.fight.warned_by, me.fight.open) = (None, None);
        if fights {
            me.fight.target = named;
        }
        if me.fight.struck_by.is_some_and(|by| goal == self.usual(n) && usize::from(by) != n) && !fights {
            me.fight.struck_by = me.fight.struck_by.filter(|_| me.held != 0);
        }
        if command != 0 {
            records.set_command(n, command);
        }
    }
}

/// One step on a way by the motion system. What was asked by sight says only how fast, and whether in the stance.
fn walk_on(walk: &mut Walk<MotionTable<'static>>, way: Option<Way>, scene: &Scene<'_>, by_sight: Asked) -> Asked {
    let stays = Asked { heading: scene.me.heading, stance: by_sight.stance, ..Asked::default() };
    let Some(way) = way else {
        walk.rest(scene.me);
        return stays;
    };
    // Who keeps up with a runner runs until that one does not.
    let leader_runs = || scene.other.is_some_and(|leader| leader.gait >= RUN);
    let keeps_pace = matches!(way.to, Destination::Formation(_)) && scene.me.gait >= RUN && leader_runs();
    let runs = by_sight.gait >= RUN || keeps_pace;
    // Whom the motion system refuses a way stays where it is.
    if walk.way() != Some(way) && walk.start(scene.me, way, runs).is_err() {
        return stays;
    }
    let asked = walk.step(scene.me, seen(way, scene), runs).unwrap_or(stays);
    // Our choice: the motion system knows no sprint, and a chase without one never ends. Whoever should sprint does so along
    // its way where move-to runs; the heading stays move-to's.
    let gait = if asked.gait >= RUN { asked.gait.max(by_sight.gait) } else { asked.gait };
    Asked { gait, stance: by_sight.stance, ..asked }
}

/// Where the one is whom a way leads to or from, or the place beside him, and how fast.
fn seen(way: Way, scene: &Scene<'_>) -> Option<(Position, Vec3)> {
    let other = scene.other.filter(|_| way.to.human().is_some())?;
    let point = match (way.to, scene.place) {
        (Destination::Formation(_), Some(place)) => place + other.velocity.horizontal() * AHEAD,
        _ => other.position,
    };
    Some((Position { point, heading: degrees_of_heading(other.heading) }, other.velocity))
}

pub(super) fn is_up(humans: &Humans, n: u8) -> bool {
    let human = &humans.people[usize::from(n)];
    human.present && !human.is_out()
}

fn distance(humans: &Humans, n: usize, other: u8) -> f32 {
    (humans.people[usize::from(other)].position - humans.people[n].position).horizontal().length()
}

/// The nearest who is up, in sight and of such a gang.
fn nearest(humans: &Humans, n: usize, is_enemy: impl Fn(u8) -> bool) -> Option<u8> {
    let mut best: Option<(f32, u8)> = None;
    for (other, human) in humans.present() {
        let away = distance(humans, n, other as u8);
        let counts = other != n && is_enemy(human.spawn.gang) && !human.is_out() && away < SIGHT;
        if counts && best.is_none_or(|(least, _)| away < least) {
            best = Some((away, other as u8));
        }
    }
    best.map(|(_, other)| other)
}
