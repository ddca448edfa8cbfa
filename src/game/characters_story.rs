//! Who is where in a level, and what they are up to: the gang, rivals, somebody who runs, people who take a walk.
//!
//! A level's flags say where roles stand, its volumes where acts play, its path where one can get through. [`Story::read`]
//! looks them up once; [`People::tell_story`] lets the people of an act come when the player is near, keeps followers and
//! whoever runs on the path, brings fallen friends back, and takes away those who lie far behind. What the player is to do
//! next comes out as a sentence.

pub use super::characters_acts::{HARDER, gang};

use super::characters::People;
use super::characters_acts::{ACTS, ActPlan, Role, STROLL, Usual};
use super::characters_load::look_of;
use crate::ai::{Goal, Temper};
use crate::human::Spawn;
use crate::human::numbers::RUN;
use crate::maths::Vec3;
use crate::physics::PhysicsWorld;
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::HUMANS;
use crate::tasks::humans::events::kind;
use crate::tasks::names::name_hash;
use crate::world::Level;
use crate::world::chunks::ThingKind;
use heapless::Vec;

/// Metres at which somebody starts to run away.
const STARTLES: f32 = 11.0;
/// Metres within which a point of the path counts as reached.
const PASSED: f32 = 2.0;
/// Further than this behind, in metres, a follower keeps to the path; further still and out of sight it catches up.
const KEEPS_TO_PATH: f32 = 9.0;
const CATCHES_UP: f32 = 34.0;
/// Further than this from the player, in metres, who is out for good is taken away.
const TAKEN_AWAY: f32 = 30.0;
/// Frames after which a friend gets up again when nobody fights near by, with this share of the health.
const RISES: (u16, f32) = (210, 0.6);
/// Metres within which a rival keeps a friend down.
const UNSAFE: f32 = 16.0;
/// Points of a path at most, and people of an act.
const WAY: usize = 24;
const ROLES: usize = 8;

/// An act in a level.
#[derive(Clone, Debug)]
struct Act {
    plan: &'static ActPlan,
    /// Middle and half size of its volume.
    area: Option<(Vec3, Vec3)>,
    /// Its roles with their places.
    places: Vec<(&'static Role, Vec3, f32), ROLES>,
    /// Its humans have come, a bit each.
    members: Option<u64>,
}

/// What happens in a level.
#[derive(Clone, Debug, Default)]
pub struct Story {
    acts: Vec<Act, { ACTS.len() }>,
    way: Vec<Vec3, WAY>,
    /// Who follows the player, and in which place of the formation.
    followers: Vec<(u8, u8), ROLES>,
    /// Who runs, and to which point of the path.
    runner: Option<(u8, usize)>,
    /// Frames for which each friend has been out.
    out: Vec<(u8, u16), ROLES>,
    task: Option<&'static str>,
    /// The act that is played now, who is to be caught in it, and its beginning, until somebody takes note of it.
    current: Option<usize>,
    prey: Option<u8>,
    begun: Option<Begun>,
    shut: bool,
    fight: bool,
}

/// An act that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Its volume.
    pub volume: &'static str,
    /// Rivals of one before it were passed by.
    pub passed_by: bool,
}

impl Story {
    /// Looks up who is where in a level. What a level has no flag for does not happen in it.
    pub fn read(level: &Level) -> Self {
        let mut story = Self::default();
        for plan in &ACTS {
            let area = plan.volume.and_then(|name| level.thing(ThingKind::Volume, name_hash(name)));
            let mut places = Vec::new();
            for role in plan.roles {
                if let Some(flag) = level.thing(ThingKind::Flag, name_hash(role.flag)) {
                    let [x, y] = role.beside;
                    // Both lists are as long as the table is.
                    let _kept = places.push((role, flag.position + Vec3::new(x, y, 0.0), flag.heading));
                }
            }
            let area = area.map(|volume| (volume.position, volume.half));
            if !places.is_empty() && (plan.volume.is_none() || area.is_some()) {
                let _kept = story.acts.push(Act { plan, area, places, members: None });
            }
        }
        if let Some(path) = level.paths().find(|path| path.name == name_hash("promenade")) {
            story.way.extend(path.points().take(WAY));
        }
        story.shut = story.acts.iter().any(|act| act.plan.must);
        story
    }

    /// Somebody is to run along a way, as an act's runner is.
    #[cfg(test)]
    pub(super) fn let_run(&mut self, human: u8, way: &[Vec3]) {
        self.way.clear();
        self.way.extend(way.iter().copied());
        self.runner = Some((human, 1));
    }

    /// What the player is to do now.
    pub fn task(&self) -> Option<&'static str> {
        self.task
    }

    /// Who is to be caught now.
    pub fn prey(&self) -> Option<usize> {
        self.prey.map(usize::from)
    }

    /// Takes note of an act that has begun; once.
    pub const fn take_begun(&mut self) -> Option<Begun> {
        self.begun.take()
    }

    /// The way to the goal is shut: somebody is still to be beaten.
    pub fn is_shut(&self) -> bool {
        self.shut
    }

    /// The stretches of the path.
    pub fn links(&self) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
        self.way.windows(2).map(|pair| (pair[0], pair[1]))
    }

    /// Somebody fights near the player.
    pub fn is_fight(&self) -> bool {
        self.fight
    }

    /// Somebody is no longer there: the place may be somebody else's from now on.
    pub fn forget(&mut self, place: u8) {
        for members in self.acts.iter_mut().filter_map(|act| act.members.as_mut()) {
            *members &= !(1 << place);
        }
        self.followers.retain(|(human, _)| *human != place);
        self.runner = self.runner.filter(|(human, _)| *human != place);
        self.prey = self.prey.filter(|human| *human != place);
        self.out.retain(|(human, _)| *human != place);
    }

    /// The stretch of the path that a place is nearest to: the number of its second point.
    fn stretch(&self, place: Vec3) -> usize {
        stretch(&self.way, place)
    }

    /// Where somebody goes next who wants to get to `to` along the path; `None` when nothing is between them.
    pub fn next_point(&self, from: Vec3, to: Vec3) -> Option<Vec3> {
        let (here, there) = (self.stretch(from), self.stretch(to));
        let ahead = |n: &usize| self.way.get(*n).is_some_and(|point| (*point - from).horizontal().length() > PASSED);
        let point = if here < there { (here..there).find(ahead) } else { (there..here).rev().find(ahead) };
        point.and_then(|n| self.way.get(n).copied())
    }
}

/// The stretch of a way that a place is nearest to: the number of its second point.
fn stretch(way: &[Vec3], place: Vec3) -> usize {
    let mut best = (f32::MAX, 0);
    for (n, pair) in way.windows(2).enumerate() {
        let (along, off) = (pair[1] - pair[0], place - pair[0]);
        let share = (off.dot(along) / along.length_squared().max(1e-3)).clamp(0.0, 1.0);
        let away = (off - along * share).length_squared();
        if away < best.0 {
            best = (away, n + 1);
        }
    }
    best.1
}

/// How far a place is from a volume on the ground, metres.
fn distance_to((middle, half): (Vec3, Vec3), place: Vec3) -> f32 {
    let off = (place - middle).horizontal();
    Vec3::new((off.x.abs() - half.x).max(0.0), (off.y.abs() - half.y).max(0.0), 0.0).length()
}

impl People {
    /// One frame of the story. `difficulty` is 0 to 3.
    pub fn tell_story(&mut self, tasks: &mut TaskEngine, physics: &mut PhysicsWorld, difficulty: u8) {
        let Some(player) = self.humans.player(0) else { return };
        let at = self.humans.people[player].position;
        for n in 0..self.story.acts.len() {
            let act = &self.story.acts[n];
            let near = act.area.is_none_or(|area| distance_to(area, at) < act.plan.within);
            if act.members.is_none() && near {
                self.act_begins(n, player as u8, tasks, physics, difficulty);
            }
        }
        self.run_away(at);
        self.friends_rise(at);
        self.take_away(at, tasks, physics);
        let up = |members| is_anybody_up(&self.humans.people, members);
        self.story.shut = self.story.acts.iter().any(|act| act.plan.must && act.members.is_none_or(up));
        let acts = &self.story.acts;
        let current = acts.iter().rposition(|act| act.members.is_some_and(up));
        self.story.task = current.and_then(|n| acts.get(n)).or(acts.first()).map(|act| act.plan.task);
        let runs = |act: &&Act| act.plan.roles.iter().any(|role| role.usual == Usual::RunAway);
        let prey = current.and_then(|n| acts.get(n)).filter(runs).and_then(|act| act.members);
        self.story.prey = prey.map(|members| members.trailing_zeros() as u8);
        if current > self.story.current
            && let Some((n, volume)) = current.and_then(|n| Some((n, acts.get(n)?.plan.volume?)))
        {
            let passed_by = acts.iter().take(n).any(|act| act.members.is_some_and(up));
            self.story.begun = Some(Begun { volume, passed_by });
        }
        // Going back to those who were passed by is nothing new.
        self.story.current = self.story.current.max(current);
    }

    fn act_begins(&mut self, n: usize, player: u8, tasks: &mut TaskEngine, physics: &mut PhysicsWorld, difficulty: u8) {
        let places = self.story.acts[n].places.clone();
        let mut members = 0;
        for (role, position, heading) in places {
            let share = if role.gang == gang::PLAYER { 1.0 } else { HARDER[usize::from(difficulty) % HARDER.len()] };
            let health = (f32::from(self.humans.table.health(role.bears)) * share) as i16;
            let spawn =
                Spawn { position, heading, health, gang: role.gang, look: look_of(role.look), ..Spawn::default() };
            let Some(human) = self.spawn(spawn, tasks, physics) else { continue };
            let goal = match role.usual {
                Usual::Stand | Usual::RunAway => Goal::Idle,
                Usual::Wander(radius) => Goal::Wander { home: position, radius },
                Usual::Stroll(name) => self.stroll(name, position),
                Usual::Follow(place) => Goal::Follow { leader: player, place },
            };
            self.brains.enable(human, role.temper, goal);
            match role.usual {
                Usual::RunAway => self.story.runner = Some((human as u8, self.story.stretch(position))),
                // There are fewer followers than people in an act.
                Usual::Follow(place) => {
                    let _room = self.story.followers.push((human as u8, place));
                }
                Usual::Stand | Usual::Wander(_) | Usual::Stroll(_) => {}
            }
            if gang::is_rival(role.gang) {
                members |= 1 << human;
            }
        }
        self.story.acts[n].members = Some(members);
    }

    /// A level begins for the player's gang, which the player leads.
    pub fn lead_gang(&mut self, player: u8) {
        if let Some(gang) = self.brains.gangs.get_mut(gang::PLAYER.into()) {
            gang.leader = Some(player);
        }
    }

    /// The goal of somebody who walks a path: on to the point behind the stretch that is nearest.
    fn stroll(&self, name: &str, position: Vec3) -> Goal {
        let path = self.brains.paths.find(name_hash(name));
        let way = path.and_then(|number| Some((number, self.brains.paths.get(number)?)));
        match way {
            Some((number, path)) => Goal::Path { path: number as u8, point: stretch(&path.points, position) as u8 },
            None => Goal::Wander { home: position, radius: STROLL },
        }
    }

    /// Step 7 for one of the player's gang: a follower who is far behind walks along the path; who is out of sight as well
    /// catches up.
    ///
    /// Source: seed 000, Humans_Update, step 7 (the player gang checks). Our choice of what is checked.
    pub fn check_follower(&mut self, n: usize) {
        let Some(place) =
            self.story.followers.iter().find(|(human, _)| usize::from(*human) == n).map(|(_, place)| *place)
        else {
            return;
        };
        let Some(player) = self.humans.player(0) else { return };
        let at = self.humans.people[player].position;
        let seen = self.cameras[0].view();
        let is_seen = |place: Vec3| (place - seen.position).dot(seen.forward) > 0.0;
        let human = &mut self.humans.people[n];
        let far = (human.position - at).horizontal().length();
        if far > CATCHES_UP && !human.is_out() && !is_seen(human.position) {
            let passed = self.story.way.get(self.story.stretch(at).saturating_sub(1));
            if let Some(point) = passed.filter(|point| !is_seen(**point)) {
                human.position = *point;
            }
        }
        let next = self.story.next_point(human.position, at).filter(|_| far > KEEPS_TO_PATH);
        let usual = match next {
            Some(point) => Goal::MoveTo { place: point, gait: RUN },
            None => Goal::Follow { leader: player as u8, place },
        };
        self.brains.change_usual(n, usual);
    }

    /// The story hears an event of one of its people: who is to run away does so when there is a fight.
    ///
    /// Our choice: the story stands where the original has script handlers. Source: settled questions 17.
    pub fn story_hears(&mut self, human: usize, event: u16) {
        let Some((n, point)) = self.story.runner.filter(|(n, _)| usize::from(*n) == human) else { return };
        if matches!(event, kind::NEW_ENEMY | kind::VIOLENCE | kind::ATTACK_WARNING)
            && let Some(place) = self.story.way.get(point).copied()
        {
            self.brains.change_usual(n.into(), Goal::MoveTo { place, gait: RUN });
        }
    }

    /// Who runs to warn the others runs along the path; at its end he fights with them.
    fn run_away(&mut self, at: Vec3) {
        let Some((n, point)) = self.story.runner else { return };
        let human = &self.humans.people[usize::from(n)];
        if !human.present || human.is_out() {
            self.story.runner = None;
            return;
        }
        let runs = matches!(self.brains.usual(n.into()), Goal::MoveTo { .. });
        if !runs && (human.position - at).horizontal().length() > STARTLES {
            return;
        }
        // The last stretch leads past his friends to the goal.
        let last = self.story.way.len().saturating_sub(2);
        let passed =
            self.story.way.get(point).is_none_or(|place| (*place - human.position).horizontal().length() < PASSED);
        let point = if passed { point + 1 } else { point };
        if point >= last {
            self.brains.brains[usize::from(n)].temper = Temper::Fighter;
            self.brains.change_usual(n.into(), Goal::Idle);
            self.story.runner = None;
            return;
        }
        self.story.runner = Some((n, point));
        self.brains.change_usual(n.into(), Goal::MoveTo { place: self.story.way[point], gait: RUN });
    }

    /// Fallen friends get up again when the fight is over.
    fn friends_rise(&mut self, at: Vec3) {
        let people = &self.humans.people;
        let fights = self.humans.present().any(|(_, human)| {
            gang::is_rival(human.spawn.gang) && !human.is_dead() && (human.position - at).horizontal().length() < UNSAFE
        });
        self.story.fight = fights;
        let mut still = Vec::new();
        let mut risen = Vec::<u8, ROLES>::new();
        for n in 0..people.len() as u8 {
            let human = &people[usize::from(n)];
            if !human.present || !human.is_out() || human.spawn.gang != gang::PLAYER || human.spawn.player.is_some() {
                continue;
            }
            let before = self.story.out.iter().find(|(other, _)| *other == n).map_or(0, |(_, frames)| *frames);
            let frames = if fights { before } else { before + 1 };
            if frames > RISES.0 {
                let _room = risen.push(n);
            } else {
                let _room = still.push((n, frames));
            }
        }
        self.story.out = still;
        for n in risen {
            self.humans.revive(usize::from(n), RISES.1);
        }
    }

    /// Who is out for good and far away makes room.
    fn take_away(&mut self, at: Vec3, tasks: &mut TaskEngine, physics: &mut PhysicsWorld) {
        for n in 0..HUMANS {
            let human = &self.humans.people[n];
            let far = (human.position - at).horizontal().length() > TAKEN_AWAY;
            if human.present && human.is_dead() && far && human.spawn.gang != gang::PLAYER {
                self.dismiss(n, tasks, physics);
            }
        }
    }
}

/// Whether any of some humans is neither out nor gone.
fn is_anybody_up(people: &[crate::human::Human], members: u64) -> bool {
    let is_up = |n: usize| people.get(n).is_some_and(|human| human.present && !human.is_out());
    (0..HUMANS).any(|n| members >> n & 1 == 1 && is_up(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ai::Brains;
    use crate::animation::clip::flag;
    use crate::animation::testing::{clip, clips};
    use crate::game::characters_draw::Models;
    use crate::human::{Cast, Humans};

    /// Everybody of a made-up stretch of way: a gang, rivals behind a corner.
    fn people() -> (People, TaskEngine, PhysicsWorld) {
        let ids = Cast::IDS;
        let list: std::vec::Vec<_> = ids.iter().map(|id| clip(*id, flag::CONTINUOUS, 30, 1.0, 0.0, &[])).collect();
        let mut people = People::new(
            Humans::new(clips(&list), crate::combat::FightTable::built_in().unwrap()).unwrap(),
            Brains::new(),
            Models::new(alloc::vec::Vec::new()),
        );
        let place = |plan: &'static ActPlan, area, at: Vec3| {
            let places =
                plan.roles.iter().map(|role| (role, at + Vec3::X * f32::from(role.bears as u8), 0.0)).collect();
            Act { plan, area, places, members: None }
        };
        let half = Vec3::splat(5.0);
        people.story.acts.extend([
            place(&ACTS[0], None, Vec3::new(0.0, -2.0, 0.0)),
            place(&ACTS[3], Some((Vec3::new(0.0, 100.0, 0.0), half)), Vec3::new(0.0, 100.0, 0.0)),
        ]);
        people
            .story
            .way
            .extend([[0.0, 0.0], [0.0, 40.0], [30.0, 60.0], [0.0, 100.0]].map(|[x, y]| Vec3::new(x, y, 0.0)));
        (people, crate::tasks::scenarios::empty_engine(), PhysicsWorld::new())
    }

    #[test]
    fn the_gang_is_there_at_once_and_rivals_come_when_the_player_is_near() {
        let (mut people, mut tasks, mut physics) = people();
        let player = Spawn { player: Some(0), ..Spawn::default() };
        let n = people.spawn(player, &mut tasks, &mut physics).unwrap();
        people.lead_gang(n as u8);
        people.tell_story(&mut tasks, &mut physics, 1);
        assert_eq!((people.humans.present().count(), people.story.followers.len()), (6, 2));
        assert!(people.story.is_shut(), "the rivals are still to be beaten");
        people.humans.people[n].position = Vec3::new(0.0, 75.0, 0.0);
        people.tell_story(&mut tasks, &mut physics, 1);
        assert_eq!(people.humans.present().count(), 12);
        assert_eq!(people.story.task(), Some(ACTS[3].task));
        assert_eq!(people.story.take_begun(), Some(Begun { volume: "arena_2", passed_by: false }));
        people.tell_story(&mut tasks, &mut physics, 1);
        assert_eq!(people.story.take_begun(), None, "told once");
        assert_eq!(people.brains.gangs.get(0).map(|gang| gang.leader), Some(Some(n as u8)));
    }

    #[test]
    fn the_way_opens_when_every_rival_is_beaten_and_who_lies_far_behind_makes_room() {
        let (mut people, mut tasks, mut physics) = people();
        let player = Spawn { player: Some(0), position: Vec3::new(0.0, 90.0, 0.0), ..Spawn::default() };
        let n = people.spawn(player, &mut tasks, &mut physics).unwrap();
        people.tell_story(&mut tasks, &mut physics, 1);
        for human in people.humans.people.iter_mut().filter(|human| human.spawn.gang == gang::GULLS) {
            human.state |= crate::tasks::humans::gates::state::DEAD;
        }
        people.tell_story(&mut tasks, &mut physics, 1);
        assert!(!people.story.is_shut());
        assert_eq!(people.humans.present().count(), 12);
        people.humans.people[n].position.y = 140.0;
        people.tell_story(&mut tasks, &mut physics, 1);
        assert_eq!(people.humans.present().count(), 6, "the gulls are gone");
        assert!(!people.story.is_shut());
    }

    #[test]
    fn who_runs_past_a_fight_is_told_of_it_and_whom_to_catch() {
        let (mut people, mut tasks, mut physics) = people();
        let half = Vec3::splat(5.0);
        people.story.acts.clear();
        for (plan, y) in [(&ACTS[0], 0.0), (&ACTS[1], 50.0), (&ACTS[2], 70.0)] {
            let at = Vec3::new(0.0, y, 0.0);
            let places = plan.roles.iter().map(|role| (role, at, 0.0)).collect();
            people.story.acts.push(Act { plan, area: plan.volume.map(|_| (at, half)), places, members: None }).unwrap();
        }
        let player = Spawn { player: Some(0), ..Spawn::default() };
        let n = people.spawn(player, &mut tasks, &mut physics).unwrap();
        let mut tell = |people: &mut People, y: f32| {
            people.humans.people[n].position.y = y;
            people.tell_story(&mut tasks, &mut physics, 1);
            people.story.take_begun()
        };
        assert_eq!(tell(&mut people, 0.0), None, "nobody is in the way yet");
        assert_eq!(tell(&mut people, 40.0), Some(Begun { volume: "arena_1", passed_by: false }));
        assert_eq!(people.story.prey(), None);
        assert_eq!(tell(&mut people, 65.0), Some(Begun { volume: "chase", passed_by: true }));
        let prey = people.story.prey().expect("somebody runs");
        assert_eq!(people.humans.people[prey].spawn.gang, gang::GULLS);
        people.humans.people[prey].state |= crate::tasks::humans::gates::state::DEAD;
        assert_eq!(tell(&mut people, 66.0), None, "back to the dockers is nothing new");
        assert_eq!((people.story.prey(), people.story.task()), (None, Some(ACTS[1].task)));
    }

    #[test]
    fn followers_who_are_far_behind_go_from_point_to_point() {
        let (people, ..) = people();
        let from = Vec3::new(0.0, 10.0, 0.0);
        assert_eq!(people.story.next_point(from, Vec3::new(2.0, 90.0, 0.0)), Some(Vec3::new(0.0, 40.0, 0.0)));
        assert_eq!(people.story.next_point(from, Vec3::new(0.0, 30.0, 0.0)), None, "the same stretch");
        let back = people.story.next_point(Vec3::new(29.5, 60.5, 0.0), Vec3::ZERO);
        assert_eq!(back, Some(Vec3::new(0.0, 40.0, 0.0)), "the corner that was reached is passed");
    }

    #[test]
    fn friends_get_up_again_when_the_fight_is_over() {
        let (mut people, mut tasks, mut physics) = people();
        people.spawn(Spawn { player: Some(0), ..Spawn::default() }, &mut tasks, &mut physics).unwrap();
        people.tell_story(&mut tasks, &mut physics, 1);
        let (friend, _) = people.story.followers[0];
        people.humans.wound(usize::from(friend), 500, None);
        for _ in 0..=RISES.0 {
            let friend = &people.humans.people[usize::from(friend)];
            assert!(friend.is_out() && !friend.is_dead(), "wounded");
            people.tell_story(&mut tasks, &mut physics, 1);
        }
        assert!(!people.humans.people[usize::from(friend)].is_out());
        assert_eq!(people.humans.people[usize::from(friend)].health, 66);
    }
}
