//! The rules of what is played: throwing, the goal, the time, and how a level ends.

use super::arena::{Arena, FIGHTERS};
use super::characters::player_place;
use super::machine::Machine;
use super::missions::{Goal, Mission, Play};
use super::walker::EYES;
use super::world::GameWorld;
use crate::audio::Layer;
use crate::maths::{Quat, Vec3, from_heading};
use crate::pads::button;
use crate::tasks::clock::Phase;
use crate::tasks::engine::{Creation, TaskEngine, number};
use crate::tasks::objects::types::ObjectType;

/// Name of the type that is thrown.
pub const BRICK: &str = "brick";
/// A throw's speed ahead and up, in metres a second.
const THROW: (f32, f32) = (9.0, 3.0);
/// Strength of a throw in the player's hands, and its seconds.
pub(super) const THROW_SHAKE: (f32, f32) = (0.3, 0.12);
/// Metres ahead of the eyes at which a thrown thing begins.
const REACH: f32 = 0.6;
/// Metres from the goal at which it counts as reached.
const GOAL_RADIUS: f32 = 1.6;
/// 60 Hz ticks in a second.
pub(super) const TICKS_A_SECOND: u32 = 60;

/// How a level ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The mission is complete.
    Won,
    /// The time has run out, or the player is out.
    Lost,
}

/// The state of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rules {
    play: Option<Play>,
    goal: Vec3,
    began: u32,
    now: u32,
    thrown: u16,
    /// How the level ended, until somebody takes note of it.
    outcome: Option<Outcome>,
    over: bool,
    /// What is to be done now, when that is something else than the mission's own task.
    task: Option<&'static str>,
    /// The goal does not count yet: somebody is in the way.
    shut: bool,
    /// It ended because the player is out.
    knocked_out: bool,
    /// The arena's score, where one is played.
    pub arena: Option<Arena>,
    /// Where the arena's fighters begin: feet and heading.
    pub places: [(Vec3, f32); FIGHTERS],
    /// A round has begun and is to be called out.
    pub calls_round: bool,
    /// Seconds that whatever is played lasts at most.
    most_seconds: Option<u16>,
}

impl Rules {
    /// The rules of a game that begins now, at tick `now`.
    pub fn starting(play: Play, goal: Vec3, now: u32) -> Self {
        Self { play: Some(play), goal, began: now, now, ..Self::default() }
    }

    /// The same for an arena: how many players there are, and where the fighters begin.
    #[must_use]
    pub fn with_fighters(self, players: u8, places: [(Vec3, f32); FIGHTERS]) -> Self {
        let arena = match self.mission().map(|mission| mission.goal) {
            Some(Goal::Rounds(rounds)) => Some(Arena::new(rounds, players)),
            _ => None,
        };
        Self { arena, places, ..self }
    }

    /// The same with this many seconds at most, for a mission or a round: for whoever does not want to wait.
    #[must_use]
    pub fn within(self, seconds: Option<u16>) -> Self {
        let Some(seconds) = seconds else { return self };
        Self { most_seconds: Some(seconds), arena: self.arena.map(|arena| arena.with_rounds_of(seconds)), ..self }
    }

    /// Players, each with a viewport.
    pub fn players(&self) -> u8 {
        self.arena.map_or(1, |arena| arena.players())
    }

    /// What is played.
    pub const fn play(&self) -> Option<Play> {
        self.play
    }

    /// The mission, if one is played.
    pub fn mission(&self) -> Option<Mission> {
        self.play.map(Play::mission)
    }

    /// What the player is to do now.
    pub fn task(&self) -> &'static str {
        self.task.unwrap_or_else(|| self.mission().map_or("", |mission| mission.task))
    }

    /// Where the goal is, when it is a place.
    pub fn goal_place(&self) -> Option<Vec3> {
        self.mission().filter(|mission| mission.goal == Goal::Reach).map(|_| self.goal)
    }

    /// Seconds that are left.
    pub fn seconds_left(&self) -> u32 {
        if let Some(arena) = &self.arena {
            return arena.seconds_left();
        }
        let all = self.mission().map_or(0, |mission| mission.seconds);
        u32::from(all.min(self.most_seconds.unwrap_or(u16::MAX))).saturating_sub(self.seconds())
    }

    /// Seconds since the beginning.
    pub const fn seconds(&self) -> u32 {
        self.now.saturating_sub(self.began) / TICKS_A_SECOND
    }

    /// Something was thrown.
    pub const fn count_throw(&mut self) {
        self.thrown = self.thrown.saturating_add(1);
    }

    /// Things thrown since the beginning.
    pub const fn thrown(&self) -> u16 {
        self.thrown
    }

    /// It ended because the player is out, and not for the time.
    pub const fn is_knocked_out(&self) -> bool {
        self.knocked_out
    }

    /// Takes note of how the level ended; once.
    pub const fn take_outcome(&mut self) -> Option<Outcome> {
        self.outcome.take()
    }

    /// The clock stands still until `now`: a scene plays.
    pub const fn wait(&mut self, now: u32) {
        self.began = self.began.saturating_add(now.saturating_sub(self.now));
        self.now = now;
    }

    /// The player is out: the mission has failed.
    pub fn lose(&mut self) {
        if self.play.is_some() && !self.over {
            (self.over, self.outcome, self.knocked_out) = (true, Some(Outcome::Lost), true);
        }
    }

    /// The mission is complete, whatever was done.
    pub fn win(&mut self) {
        if self.play.is_some() && !self.over {
            (self.over, self.outcome) = (true, Some(Outcome::Won));
        }
    }

    /// Looks whether the game is over at tick `now` with the player at `position`.
    fn judge(&mut self, now: u32, position: Vec3) {
        self.now = now;
        let Some(mission) = self.mission().filter(|_| !self.over) else { return };
        let apart = position - self.goal;
        let won = match mission.goal {
            Goal::Reach => !self.shut && Vec3::new(apart.x, apart.y, 0.0).length() < GOAL_RADIUS,
            Goal::Throw(count) => self.thrown >= count,
            Goal::Rounds(_) => {
                // The last round's end has been seen.
                if let Some(arena) = self.arena.filter(Arena::is_over) {
                    let outcome = if arena.leader() == Some(0) { Outcome::Won } else { Outcome::Lost };
                    (self.over, self.outcome) = (true, Some(outcome));
                }
                return;
            }
        };
        let outcome = if won {
            Some(Outcome::Won)
        } else if self.seconds_left() == 0 {
            Some(Outcome::Lost)
        } else {
            None
        };
        self.over = outcome.is_some();
        self.outcome = outcome;
    }
}

/// The game's rules, once a frame after the ticks.
pub fn update<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) {
    if world.staging.is_playing() {
        return world.rules.wait(tasks.manager.clock.time_of(Phase::Play));
    }
    // Our choice: in a level that people could not be put into, the pair of eyes that walks through it throws what no hand holds.
    let throwing =
        world.people.as_deref().and_then(|people| people.player_place(0)).is_none() && world.rules.arena.is_none();
    let throws = throwing && world.input.pads.get(0).is_some_and(|pad| pad.pressed(button::SQUARE) != 0);
    if throws && world.rules.play().is_some() && throw_brick(world, tasks) {
        world.rumble.shake(0, THROW_SHAKE.0, THROW_SHAKE.1);
        world.rules.count_throw();
        world.state.statistics.thrown = world.state.statistics.thrown.saturating_add(1);
    }
    let position = player_place(world.people.as_deref(), world.walker).0;
    if let (Some(people), Some(physics)) = (world.people.as_deref_mut(), world.physics.as_deref_mut()) {
        // An arena has no acts: nobody comes but the fighters.
        if world.rules.arena.is_none() {
            people.tell_story(tasks, physics, world.state.settings.difficulty);
        }
        world.rules.shut = people.story.is_shut();
        let task = people.story.task();
        if let Some(words) = task.filter(|_| task != world.rules.task) {
            let there = people.humans.present().count();
            world.machine.print(format_args!("PEOPLE {there} there, task {words}"));
        }
        world.rules.task = task;
        world.audio.want_layer(if people.story.is_fight() || world.rules.arena.is_some() {
            Layer::Fight
        } else {
            Layer::Calm
        });
        if people.is_player_out(0) && world.rules.arena.is_none() {
            world.rules.lose();
        }
    }
    world.rules.judge(tasks.manager.clock.time_of(Phase::Play), position);
}

/// Drops a brick at a place.
pub fn drop_brick<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, at: Vec3, velocity: Vec3) -> bool {
    drop_thing(world, tasks, BRICK, at, velocity)
}

/// Drops a thing of a type at a place.
pub fn drop_thing<M: Machine>(
    world: &mut GameWorld<'_, M>,
    tasks: &mut TaskEngine,
    name: &str,
    at: Vec3,
    velocity: Vec3,
) -> bool {
    let Some(kind) = tasks.objects.types.find_index(name) else { return false };
    // Tilted, so that coming to rest is something to see.
    let rotation = Quat::from_axis_angle(Vec3::X, 0.3);
    let Ok(id) = tasks.create_world_object(world, kind, &Creation { rotation, ..Creation::at(at) }) else {
        return false;
    };
    let Some(handle) = tasks.manager.head(id).map(|head| head.handle) else { return false };
    let body = tasks.send_message(world, handle, number::CREATE_BODY, &[]);
    let fall = tasks.send_message(world, handle, number::DROPPED, &[]);
    if let Some(head) = tasks.manager.head_mut(id) {
        head.velocity = velocity;
    }
    body.is_ok() && fall.is_ok()
}

fn throw_brick<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) -> bool {
    let (feet, heading) = player_place(world.people.as_deref(), world.walker);
    let ahead = from_heading(heading);
    let from = feet + Vec3::Z * EYES + ahead * REACH;
    drop_brick(world, tasks, from, ahead * THROW.0 + Vec3::Z * THROW.1)
}

/// The types that the rules know, to be added to an engine's table; says how many found room.
// Covers: seed 003, step 17 object attributes test=game::tests::each_step_brings_its_subsystem_to_life
pub fn add_types(tasks: &mut TaskEngine) -> usize {
    use crate::physics::create::ObjectShape;
    use crate::physics::settle::RestAxes;
    let shape = ObjectShape::Box { size: BRICK_SIZE, centre: Vec3::ZERO };
    let ObjectType { name, hash, kind, .. } = ObjectType::named(BRICK, BRICK_KIND);
    let brick =
        ObjectType { name, hash, kind, shape, restitution: 0.1, axes: RestAxes::XZ, weight: 2.5, ..Default::default() };
    let added = usize::from(tasks.objects.types.add(brick).is_some());
    tasks.objects.types.resolve_names();
    added
}

/// A brick's sizes in metres. Source: seed 002, Settling (the traced brick).
pub const BRICK_SIZE: Vec3 = Vec3::new(0.07, 0.21, 0.10);
/// The kind of a plain loose thing.
const BRICK_KIND: u8 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::missions::MISSIONS;

    const GOAL: Vec3 = Vec3::new(3.0, 4.0, 0.0);

    #[test]
    fn the_goal_is_reached_on_the_ground_plane_once() {
        let mut rules = Rules::starting(Play::Mission(0), GOAL, 100);
        rules.judge(160, Vec3::ZERO);
        assert_eq!((rules.take_outcome(), rules.seconds()), (None, 1));
        rules.judge(161, GOAL + Vec3::Z * 9.0);
        assert_eq!(rules.take_outcome(), Some(Outcome::Won));
        rules.judge(162, GOAL);
        assert_eq!(rules.take_outcome(), None, "once");
    }

    #[test]
    fn a_mission_fails_when_its_time_has_run_out() {
        let mut rules = Rules::starting(Play::Mission(1), GOAL, 0);
        let end = u32::from(MISSIONS[1].seconds) * TICKS_A_SECOND;
        rules.judge(end - 1, Vec3::ZERO);
        assert_eq!((rules.take_outcome(), rules.seconds_left()), (None, 1));
        rules.judge(end, Vec3::ZERO);
        assert_eq!(rules.take_outcome(), Some(Outcome::Lost));
    }

    #[test]
    fn throws_win_where_throws_are_asked_for() {
        let mut rules = Rules::starting(Play::Mission(1), GOAL, 0);
        rules.thrown = 5;
        rules.judge(1, GOAL);
        assert_eq!(rules.take_outcome(), Some(Outcome::Won));
    }
}
