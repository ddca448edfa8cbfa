//! How a level ends: what was won counts, the world runs on for a moment, and the mode that fits tells it.

use super::Game;
use super::machine::Machine;
use super::missions::{MISSION_COUNT, Play};
use super::modes::Function;
use super::rules::Outcome;
use super::staging::{ENDING, is_told};
use crate::game_modes::leave::LeaveHost;
use crate::game_modes::{ModeId, launch_mission_complete, push_freeze};

/// Milliseconds of game time between a level's end and the screen that tells it.
const END_FREEZE_MS: u32 = 1200;
/// Frames for which the end of a level is shown that an autopilot has played.
const END_SEEN: u32 = 90;
/// The reasons to leave that go on to a level by its name and to the next one, and the one that selects nothing.
const TO_LEVEL_BY_NAME: u8 = 2;
const TO_NEXT_LEVEL: u8 = 3;
const TO_FRONT_END: u8 = 1;

impl<M: Machine> Game<M> {
    /// Looks whether the level is over, and lets the world run on for a moment before that is shown.
    pub(super) fn end_level_if_over(&mut self) {
        if self.staging.take_end() && self.modes.outcome.is_some() {
            return self.freeze_end();
        }
        if self.options.win == Some(self.frames) {
            self.rules.win();
        }
        let Some(outcome) = self.rules.take_outcome() else { return };
        let money = self.rules.mission().map_or(0, |mission| mission.money);
        let statistics = &mut self.state.statistics;
        statistics.seconds = statistics.seconds.saturating_add(self.rules.seconds());
        match outcome {
            Outcome::Won => {
                let is_mission = matches!(self.rules.play(), Some(Play::Mission(_)));
                statistics.won = statistics.won.saturating_add(is_mission.into());
                self.state.money[0] = self.state.money[0].saturating_add(money);
            }
            // An arena is no mission, and its second player may have won.
            Outcome::Lost if self.rules.arena.is_some() => {
                let has_won = self.rules.arena.is_some_and(|arena| arena.players() > 1 && arena.leader() == Some(1));
                self.state.money[1] = self.state.money[1].saturating_add(if has_won { money } else { 0 });
            }
            Outcome::Lost => statistics.lost = statistics.lost.saturating_add(1),
        }
        self.modes.outcome = Some(outcome);
        let told = outcome == Outcome::Won && self.rules.play().is_some_and(is_told);
        let goal = self.rules.goal_place().filter(|_| told);
        // A mission that has a scene for its end shows it first.
        if !goal.is_some_and(|goal| self.stage(ENDING, (goal, 0.0), true)) {
            self.freeze_end();
        }
    }

    /// What was won counts, and is to be saved.
    pub(super) fn count_win(&mut self) {
        if let Some(Play::Mission(number)) = self.rules.play() {
            self.state.complete(number, MISSION_COUNT);
        }
        self.modes.save_due |= self.rules.play().is_some();
    }

    /// The level is left before its end was shown: what was won in it is won all the same.
    pub(super) fn keep_win(&mut self) {
        if self.modes.outcome.take() == Some(Outcome::Won) {
            self.count_win();
        }
    }

    /// The world runs on for a moment before the level's end is shown.
    fn freeze_end(&mut self) {
        if let Err(error) = push_freeze(self, END_FREEZE_MS, Function::ShowEnd) {
            LeaveHost::report(self, error);
        }
    }

    /// The reason to leave a mission that is won: another place begins with its first mission, which its name is enough for.
    pub(super) fn what_follows(&mut self, play: Option<Play>) -> u8 {
        let Some((won, next)) = play.zip(play.and_then(Play::next)) else { return TO_FRONT_END };
        let place = next.mission().place;
        if place == won.mission().place || Play::at(place) != Some(next) {
            return TO_NEXT_LEVEL;
        }
        self.modes.named = Some(place);
        TO_LEVEL_BY_NAME
    }

    /// The level's end is shown.
    pub(super) fn show_end(&mut self) {
        self.tell_times();
        if self.options.pilot.is_some() {
            // Nobody chooses what comes next: the program ends once the end has been seen.
            self.options.frames = Some(self.frames + END_SEEN);
        }
        let (play, outcome) = (self.rules.play(), self.modes.outcome.take());
        let shown = match (play, outcome) {
            // Of two players one has won, whoever it is.
            (Some(Play::Arena(_)), Some(_)) if self.rules.players() > 1 => self.push_mode(ModeId::ArenaResult),
            (Some(Play::Arena(_)), Some(Outcome::Won)) => self.push_mode(ModeId::ArenaResult),
            (Some(Play::Arena(_)), Some(Outcome::Lost)) => self.push_mode(ModeId::ArcadeGameOver),
            (_, Some(Outcome::Won)) => {
                let kind = self.what_follows(play);
                // The mode counts it when it is entered; whoever is led away before that has won all the same.
                self.modes.outcome = Some(Outcome::Won);
                launch_mission_complete(self, kind).is_ok()
            }
            (_, Some(Outcome::Lost)) => self.push_mode(ModeId::MissionFailed),
            (_, None) => true,
        };
        if !shown {
            self.return_to_title();
        }
    }
}
