//! The arena game: two fighters, rounds, and who wins.
//!
//! [`Arena`] is the score and the clock, and knows no people: a frame tells it how the two stand ([`Standing`]), and it answers
//! what is to happen ([`Turn`]). With two controllers both fighters are players and the picture is split; with one the other
//! fighter has a brain. The rest of the file carries turns out: fighters come anew to their places, and every round is called
//! out by a caption of kind 2, over a clock that is frozen for a moment.
//!
//! Our choice of the rules. Source: seed 003, Game mode (modes 0xd, 0x11 and 0x14).

use super::Game;
use super::characters::People;
use super::characters_load::{PLAYER_SCALE, look_of};
use super::characters_story::{HARDER, gang};
use super::machine::Machine;
use super::missions::{Play, SECONDS_A_ROUND};
use super::rules::TICKS_A_SECOND;
use super::world::GameWorld;
use crate::ai::{Goal, Temper};
use crate::combat::Bears;
use crate::human::Spawn;
use crate::maths::{Vec3, heading_of};
use crate::physics::PhysicsWorld;
use crate::tasks::clock::Phase;
use crate::tasks::engine::TaskEngine;
use crate::tasks::names::name_hash;
use crate::world::chunks::ThingKind;

/// Fighters of an arena.
pub const FIGHTERS: usize = 2;
/// Ticks for which a round's end is seen before the next begins.
const END_TICKS: u32 = 3 * TICKS_A_SECOND;
/// The flags of a level where the fighters begin.
const PLACES: [&str; FIGHTERS] = ["fighter_1", "fighter_2"];
/// Metres apart from the level's start where it has no such flags.
const APART: f32 = 2.5;
/// What the second fighter looks like.
const OTHER_LOOK: &str = "gulls_a";

/// How a fighter stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Health of `[0, 1]`.
    pub health: f32,
    /// Out for good.
    pub out: bool,
}

/// What is to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nothing new.
    Goes,
    /// A round begins: fighters to their places.
    Begins,
    /// A round is over; who has won it.
    Ended(Option<u8>),
    /// The game is over.
    Over,
}

/// Where a round is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Nobody is at a place yet.
    #[default]
    Waiting,
    /// The fight is on, until this tick at most.
    Fight(u32),
    /// The round is over, and its end is seen until this tick.
    Ended(u32),
    /// All is over.
    Over,
}

/// The score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arena {
    rounds: u8,
    round: u8,
    won: [u8; FIGHTERS],
    stage: Stage,
    last: Option<u8>,
    now: u32,
    players: u8,
    /// Seconds of a round at most.
    seconds: u16,
    /// The places of the fighters among the humans.
    fighters: [Option<u8>; FIGHTERS],
}

impl Arena {
    /// A game of so many rounds at most between `players` players, of which one plays against the computer.
    pub fn new(rounds: u8, players: u8) -> Self {
        Self { rounds, players: players.clamp(1, FIGHTERS as u8), seconds: SECONDS_A_ROUND, ..Self::default() }
    }

    /// The same with rounds that last this many seconds at most.
    #[must_use]
    pub fn with_rounds_of(self, seconds: u16) -> Self {
        Self { seconds: self.seconds.min(seconds), ..self }
    }

    /// Players, each with a half of the picture when they are two.
    pub const fn players(&self) -> u8 {
        self.players
    }

    /// The fighters' places among the humans, once they have come.
    pub const fn fighters(&self) -> [Option<u8>; FIGHTERS] {
        self.fighters
    }

    /// The number of the round, from 1, and how many there are at most.
    pub const fn round(&self) -> (u8, u8) {
        (self.round, self.rounds)
    }

    /// Rounds that each fighter has won.
    pub const fn won(&self) -> [u8; FIGHTERS] {
        self.won
    }

    /// Who won the round that is over and still seen; nothing while one is fought.
    pub const fn ended(&self) -> Option<Option<u8>> {
        match self.stage {
            Stage::Ended(_) => Some(self.last),
            _ => None,
        }
    }

    /// Who has won more rounds; nobody when they are even.
    pub const fn leader(&self) -> Option<u8> {
        let [first, second] = self.won;
        if first == second { None } else { Some((second > first) as u8) }
    }

    /// True once the last round's end was seen.
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// Seconds that are left of the round.
    pub const fn seconds_left(&self) -> u32 {
        match self.stage {
            Stage::Fight(until) => until.saturating_sub(self.now).div_ceil(TICKS_A_SECOND),
            Stage::Waiting => self.seconds as u32,
            _ => 0,
        }
    }

    /// One frame, at tick `now`.
    pub fn step(&mut self, now: u32, standing: [Standing; FIGHTERS]) -> Turn {
        self.now = now;
        match self.stage {
            Stage::Waiting => self.begin(),
            Stage::Fight(until) => {
                let [first, second] = standing;
                let winner = match (first.out, second.out) {
                    (true, true) => None,
                    (true, false) => Some(1),
                    (false, true) => Some(0),
                    // The time decides for who has more left.
                    (false, false) if now >= until => {
                        let apart = first.health - second.health;
                        if apart == 0.0 { None } else { Some(u8::from(apart < 0.0)) }
                    }
                    (false, false) => return Turn::Goes,
                };
                if let Some(won) = winner.and_then(|winner| self.won.get_mut(usize::from(winner))) {
                    *won += 1;
                }
                (self.last, self.stage) = (winner, Stage::Ended(now + END_TICKS));
                Turn::Ended(winner)
            }
            Stage::Ended(until) if now < until => Turn::Goes,
            Stage::Ended(_) if self.is_decided() => {
                self.stage = Stage::Over;
                Turn::Over
            }
            Stage::Ended(_) => self.begin(),
            Stage::Over => Turn::Goes,
        }
    }

    fn begin(&mut self) -> Turn {
        self.round += 1;
        self.stage = Stage::Fight(self.now + u32::from(self.seconds) * TICKS_A_SECOND);
        Turn::Begins
    }

    /// No round that is left can change who wins.
    fn is_decided(&self) -> bool {
        let left = self.rounds.saturating_sub(self.round);
        let [first, second] = self.won;
        left == 0 || first.abs_diff(second) > left
    }
}

impl People {
    /// How the fighters of an arena stand; who is not there is out.
    fn standings(&self, arena: &Arena) -> [Standing; FIGHTERS] {
        arena.fighters.map(|place| {
            let human =
                place.and_then(|place| self.humans.people.get(usize::from(place))).filter(|human| human.present);
            let out = Standing { health: 0.0, out: true };
            human.map_or(out, |human| Standing { health: human.vigour()[0], out: human.is_dead() })
        })
    }

    /// The fighters come to their places, fresh.
    fn fighters_come(
        &mut self,
        arena: &mut Arena,
        places: [(Vec3, f32); FIGHTERS],
        difficulty: u8,
        tasks: &mut TaskEngine,
        physics: &mut PhysicsWorld,
    ) {
        for place in arena.fighters.iter_mut().filter_map(Option::take) {
            self.dismiss(place.into(), tasks, physics);
        }
        // Whoever came with the level makes room too: the players' places are these.
        for player in 0..FIGHTERS as u8 {
            if let Some(n) = self.humans.player(player) {
                self.dismiss(n, tasks, physics);
            }
        }
        for (number, (position, heading)) in places.into_iter().enumerate() {
            let is_player = number < usize::from(arena.players);
            let share = HARDER[usize::from(difficulty) % HARDER.len()];
            let full = self.humans.table.health(Bears::Player);
            let health = if is_player { full } else { (f32::from(full) * share) as i16 };
            let (gang, look) = if number == 0 { (gang::PLAYER, 0) } else { (gang::GULLS, look_of(OTHER_LOOK)) };
            let player = is_player.then_some(number as u8);
            let spawn = Spawn { position, heading, scale: PLAYER_SCALE, health, player, gang, look };
            let Some(n) = self.spawn(spawn, tasks, physics) else { continue };
            arena.fighters[number] = Some(n as u8);
            if number == 0 {
                self.lead_gang(n as u8);
            } else if !is_player {
                self.brains.enable(n, Temper::Fighter, Goal::Idle);
            }
        }
    }
}

/// The arena's frame, after the people's.
pub(super) fn update<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) {
    let Some(mut arena) = world.rules.arena else { return };
    let now = tasks.manager.clock.time_of(Phase::Play);
    let standings = world.people.as_deref().map_or([Standing::default(); FIGHTERS], |people| people.standings(&arena));
    match arena.step(now, standings) {
        Turn::Begins => {
            let (places, difficulty) = (world.rules.places, world.state.settings.difficulty);
            if let (Some(people), Some(physics)) = (world.people.as_deref_mut(), world.physics.as_deref_mut()) {
                people.fighters_come(&mut arena, places, difficulty, tasks, physics);
            }
            world
                .machine
                .print(format_args!("ARENA round {} of {}, {} players", arena.round, arena.rounds, arena.players));
            world.rules.calls_round = true;
        }
        Turn::Ended(winner) => {
            let [first, second] = arena.won;
            let number = winner.map_or(0, |winner| winner + 1);
            world.machine.print(format_args!("ARENA round {} to {number}, {first} to {second}", arena.round));
        }
        Turn::Over | Turn::Goes => {}
    }
    world.rules.arena = Some(arena);
}

impl<M: Machine> Game<M> {
    /// True when two can play an arena: people live there, and both ports have a controller.
    pub(super) fn can_share(&self) -> bool {
        self.people.is_some() && self.input.pads.connected_count() >= FIGHTERS
    }

    /// Players of what is played now: in an arena as many as there are controllers, unless somebody wants to play alone.
    pub(super) fn players_of(&self, play: Play) -> u8 {
        match play {
            Play::Arena(_) if self.can_share() && !self.modes.alone => FIGHTERS as u8,
            Play::Arena(_) | Play::Mission(_) => 1,
        }
    }

    /// Where the fighters of an arena begin: feet and heading.
    pub(super) fn fighters_places(&self) -> [(Vec3, f32); FIGHTERS] {
        let (start, _) = self.level.as_deref().map_or((Vec3::ZERO, 0.0), |level| level.start);
        let flag = |name| self.world.level().and_then(|level| level.thing(ThingKind::Flag, name_hash(name)));
        let mut places = [start - Vec3::X * APART, start + Vec3::X * APART];
        for (place, name) in places.iter_mut().zip(PLACES) {
            *place = flag(name).map_or(*place, |flag| flag.position);
        }
        let [first, second] = places;
        [(first, heading_of(second - first)), (second, heading_of(first - second))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRESH: Standing = Standing { health: 1.0, out: false };
    const WORN: Standing = Standing { health: 0.4, out: false };
    const DOWN: Standing = Standing { health: 0.0, out: true };

    /// Lets a round begin at a tick and end by this; the tick at which the next begins or all is over.
    fn round(arena: &mut Arena, now: u32, end: [Standing; FIGHTERS]) -> (Turn, Turn, u32) {
        assert_eq!(arena.step(now, [FRESH; 2]), Turn::Goes);
        let ended = arena.step(now + 1, end);
        assert_eq!(arena.step(now + 2, end), Turn::Goes, "its end is seen for a while");
        let next = now + 1 + END_TICKS;
        (ended, arena.step(next, end), next)
    }

    #[test]
    fn the_first_to_win_more_rounds_than_are_left_wins() {
        let mut arena = Arena::new(3, 2);
        assert_eq!((arena.step(10, [FRESH; 2]), arena.round()), (Turn::Begins, (1, 3)));
        let (ended, next, now) = round(&mut arena, 11, [FRESH, DOWN]);
        assert_eq!((ended, next, arena.leader()), (Turn::Ended(Some(0)), Turn::Begins, Some(0)));
        let (ended, next, now) = round(&mut arena, now + 1, [DOWN, WORN]);
        assert_eq!((ended, next, arena.leader(), arena.round().0), (Turn::Ended(Some(1)), Turn::Begins, None, 3));
        let (ended, next, _) = round(&mut arena, now + 1, [DOWN, FRESH]);
        assert_eq!((ended, next, arena.leader(), arena.won()), (Turn::Ended(Some(1)), Turn::Over, Some(1), [1, 2]));
        assert!(arena.is_over());
    }

    #[test]
    fn two_rounds_of_three_to_one_fighter_leave_the_third_out() {
        let mut arena = Arena::new(3, 1);
        arena.step(0, [FRESH; 2]);
        let (_, _, now) = round(&mut arena, 1, [FRESH, DOWN]);
        let (_, next, _) = round(&mut arena, now + 1, [FRESH, DOWN]);
        assert_eq!((next, arena.won()), (Turn::Over, [2, 0]));
    }

    #[test]
    fn a_rounds_time_decides_for_who_has_more_left_and_even_ones_for_nobody() {
        for (end, winner) in [([WORN, FRESH], Some(1)), ([FRESH, WORN], Some(0)), ([WORN; 2], None), ([DOWN; 2], None)]
        {
            let mut arena = Arena::new(1, 2);
            arena.step(0, [FRESH; 2]);
            assert_eq!(arena.seconds_left(), SECONDS_A_ROUND.into());
            let over = u32::from(SECONDS_A_ROUND) * TICKS_A_SECOND;
            assert_eq!(arena.step(over - 1, [FRESH; 2]), Turn::Goes);
            assert_eq!((arena.seconds_left(), arena.step(over, end)), (1, Turn::Ended(winner)));
            assert_eq!((arena.ended(), arena.leader()), (Some(winner), winner));
        }
    }

    #[test]
    fn one_to_four_players_are_one_or_two() {
        assert_eq!([0, 1, 2, 4].map(|players| Arena::new(1, players).players()), [1, 1, 2, 2]);
    }
}
