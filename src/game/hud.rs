//! What the HUD is told of the game: the player's vigour, the goal's mark, what is said, what a button would do.

use super::Game;
use super::captions::{Captions, SPEAKER};
use super::characters_story::gang;
use super::gangs::Stance;
use super::hints::{Doing, Hint};
use super::machine::Machine;
use super::missions::{Goal, Play};
use crate::graphics::camera::{Camera, Projected};
use crate::hud::captions::{Caption, CaptionKind};
use crate::hud::{HudInput, Names, TARGETS, Target, TargetKind, Vigour};
use crate::maths::Vec3;
use crate::maths::scalar::atan2;
use crate::pads::button::{self, Buttons};
use core::fmt::Write as _;
use heapless::{String, Vec};

/// Seconds from a level's beginning for which its first words stand.
const OPENING_SECONDS: u32 = 6;
/// Frames for which a demo's invitation stands, and is gone.
const DEMO_BLINKS: u32 = 24;
/// Heights of a goal's mark over its place and of a human's over the feet, in metres.
const GOAL_HEIGHT: f32 = 2.4;
const HEAD: f32 = 2.05;
/// Metres within which people are marked.
const MARKED_WITHIN: f32 = 16.0;
/// Metres from the eye within which somebody is to be fought now.
const FIGHTS_WITHIN: f32 = 7.5;
/// How far a stick is pushed by whoever means it, and the speed of somebody who is on the way, metres a second.
const PUSHED: f32 = 0.3;
const ON_THE_WAY: f32 = 0.5;
/// Buttons of a fight, and those that do something at all.
const FIGHTS: Buttons = button::SQUARE | button::R1 | button::CIRCLE;
const DOES: Buttons = FIGHTS | button::TRIANGLE | button::CROSS | button::L1 | button::L2 | button::R2;
/// Who speaks in scenes, where a name is one word.
const IN_SCENES: &str = "JO";
/// What bars and marks are called.
const NAMES: Names<'static> = Names { bars: ["HEALTH", "STAMINA", "JUMP"], prey: "CATCH" };
const MOVE: &str = "LEFT STICK  MOVE";
const FIGHT: &str = "SQUARE STRIKE   R1 BLOCK   CIRCLE GRAB";

/// Every word of the HUD's own, for the languages' test.
#[cfg(test)]
pub(super) fn all_words() -> impl Iterator<Item = &'static str> {
    let said = (0..3).map(|mission| opening(Play::Mission(mission)));
    said.chain(NAMES.bars).chain([NAMES.prey, MOVE, FIGHT, "MONEY $20"])
}

/// What is said when something begins.
const fn opening(play: Play) -> &'static str {
    match play {
        Play::Mission(0) => "Meet me at the lamp at the far wall. The yellow mark shows where.",
        Play::Mission(1) => "Take and throw five bricks before the minute is up.",
        Play::Mission(_) => "The last ferry is gone. Follow the yellow mark to the wheel. I wait there.",
        // A round is called out, which says it all.
        Play::Arena(_) => "",
    }
}

impl<M: Machine> Game<M> {
    /// A player's health, stamina and power; nobody's without a level.
    fn vigour(&self, player: u8) -> Option<Vigour> {
        self.level.as_ref()?;
        if let Some(([health, stamina], charge)) = self.people.as_deref().and_then(|people| people.vigour(player)) {
            return Some(Vigour { health, stamina, charge });
        }
        // The pair of eyes that walks through a level is never hurt and never tired.
        Some(Vigour { health: 1.0, stamina: 1.0, charge: None })
    }

    /// Who and what is marked for a player: the rivals and friends around, the nearest first, and last whom to catch, or
    /// else the goal.
    fn marks(&self, player: u8) -> Vec<Target, TARGETS> {
        let mut marks = Vec::new();
        let Some(camera) = self.picture.camera(player.into()) else { return marks };
        let camera = Camera { stretch: self.video().stretch(), ..camera };
        let own = self.people.as_deref().and_then(|people| people.humans.player(player));
        let own = own.and_then(|n| self.people.as_deref().map(|people| people.humans.people[n].spawn.gang));
        let own = own.unwrap_or(gang::PLAYER);
        let mark = |kind, place: Vec3, height: f32, health| {
            let way = place - camera.eye;
            let at = camera.project(place + Vec3::Z * height);
            let at = if at.is_drawable() { at } else { Projected::default() };
            let bearing = atan2(way.dot(camera.right), way.dot(camera.ahead));
            Target { kind, at, bearing, health, distance: way.length() }
        };
        let humans = self.people.as_deref().map_or(&[][..], |people| &people.humans.people[..]);
        let prey = self.people.as_deref().and_then(|people| people.story.prey());
        let others = humans.iter().enumerate().filter(|(n, human)| {
            human.present && human.spawn.player != Some(player) && human.health > 0 && Some(*n) != prey
        });
        for (_, human) in others {
            let kind = match self.gangs.stance(own, human.spawn.gang) {
                Stance::Friend => TargetKind::Friend,
                Stance::Foe => TargetKind::Foe,
                Stance::Stranger => continue,
            };
            let target = mark(kind, human.position, HEAD, Some(human.vigour()[0]));
            if target.distance > MARKED_WITHIN {
                continue;
            }
            let place = marks.iter().position(|other| other.distance > target.distance).unwrap_or(marks.len());
            if marks.is_full() && place < marks.len() {
                let _farthest = marks.pop();
            }
            // Without room there are nearer ones.
            let _full = marks.insert(place, target);
        }
        let prey = prey.and_then(|n| humans.get(n)).filter(|human| human.present && human.health > 0);
        let last = match prey {
            Some(human) => Some(mark(TargetKind::Prey, human.position, HEAD, Some(human.vigour()[0]))),
            None => self.rules.goal_place().map(|goal| mark(TargetKind::Goal, goal, GOAL_HEIGHT, None)),
        };
        if let Some(last) = last {
            // Where to go is always there, however far.
            if marks.is_full() {
                let _farthest = marks.pop();
            }
            let _room = marks.push(last);
        }
        marks
    }

    /// What stands where a task does: in an arena the round and its score.
    fn task_words(&self) -> String<40> {
        let mut words = String::new();
        // What does not fit is cut.
        let _cut = match &self.rules.arena {
            Some(arena) => {
                let ((round, rounds), [first, second]) = (arena.round(), arena.won());
                words.write_fmt(format_args!("ROUND {round} OF {rounds}, {first} : {second}"))
            }
            None => words.write_str(self.rules.task()),
        };
        self.words.say(&mut words);
        words
    }

    /// What a player does, by what is in the hands and who is around.
    fn doing(&self, player: u8, marks: &[Target]) -> Doing {
        let pad = self.input.pads.get(player.into()).map(|pad| *pad.reading()).unwrap_or_default();
        let people = self.people.as_deref().map(|people| &people.humans);
        let human = people.and_then(|humans| humans.people.get(humans.player(player)?));
        let runs = |human: &crate::human::Human| human.velocity.horizontal().length() > ON_THE_WAY;
        Doing {
            plays: self.is_played()
                && !self.clock.is_frozen()
                && self.input.demo.is_none()
                && human.is_none_or(|human| !human.is_out()),
            moves: pad.left.magnitude() > PUSHED || pad.buttons & DOES != 0 || human.is_some_and(runs),
            fights: pad.buttons & FIGHTS != 0 || human.is_some_and(|human| human.fight.attack.is_some()),
            foe_near: marks
                .iter()
                .any(|mark| matches!(mark.kind, TargetKind::Foe | TargetKind::Prey) && mark.distance < FIGHTS_WITHIN),
        }
    }

    /// Whether the first words of what is played are said now.
    pub(super) fn is_opening_said(&self) -> bool {
        // A scene has said it already.
        let speaks =
            self.state.settings.captions && self.rules.seconds() < OPENING_SECONDS && !self.staging.has_played();
        speaks && self.rules.play().is_some_and(|play| !opening(play).is_empty())
    }

    /// What a button would do, or what a round has come to; what is left undone is hinted at.
    fn hint_words(&self, undone: Hint) -> &'static str {
        // Whoever passes by a demo is asked in, again and again.
        if self.input.demo.is_some() {
            return if (self.frames / DEMO_BLINKS).is_multiple_of(2) { "PRESS ANY BUTTON" } else { "" };
        }
        if let Some(hint) = self.captions.as_deref().map(Captions::hint).filter(|hint| !hint.is_empty()) {
            return hint;
        }
        if let Some(arena) = &self.rules.arena {
            return match (arena.ended(), arena.players()) {
                (Some(None), _) => "NOBODY WINS THE ROUND",
                (Some(Some(0)), 1) => "THE ROUND IS YOURS",
                (Some(Some(_)), 1) => "THE ROUND IS LOST",
                (Some(Some(0)), _) => "THE ROUND GOES TO PLAYER 1",
                (Some(Some(_)), _) => "THE ROUND GOES TO PLAYER 2",
                (None, _) if undone == Hint::Fight => FIGHT,
                (None, _) => "",
            };
        }
        match (self.rules.mission().map(|mission| mission.goal), undone) {
            (Some(Goal::Throw(_)), Hint::Nothing | Hint::Fight) => self.throwing_hint(),
            (Some(Goal::Throw(_)), Hint::Move) if self.has_in_hand() => self.throwing_hint(),
            (Some(_), Hint::Move) => MOVE,
            (Some(_), Hint::Fight) => FIGHT,
            _ => "",
        }
    }

    /// Whether the first player has something to throw in the hand.
    fn has_in_hand(&self) -> bool {
        let humans = self.people.as_deref().map(|people| &people.humans);
        humans.is_none_or(|humans| {
            humans.player(0).and_then(|n| humans.people.get(n)).is_none_or(|human| human.fight.weapon.is_some())
        })
    }

    /// The button by which the first player comes to a thing, or throws it: it stands as long as throws are asked for.
    fn throwing_hint(&self) -> &'static str {
        let humans = self.people.as_deref().map(|people| &people.humans);
        match humans.and_then(|humans| humans.people.get(humans.player(0)?)) {
            Some(human) if human.fight.weapon.is_some() => "CIRCLE  THROW",
            Some(human) if human.driven.is_some() => "R2  TAKE",
            Some(_) => "TRIANGLE  TAKE",
            None => "SQUARE  THROW",
        }
    }

    /// Tells each player's HUD what there is to see, once a frame of a level; `seconds` have passed.
    pub(super) fn step_hud(&mut self, seconds: f32) {
        for player in 0..self.rules.players() {
            self.step_hud_of(player, seconds);
        }
    }

    fn step_hud_of(&mut self, player: u8, seconds: f32) {
        let Some(hud) = self.huds.get(usize::from(player)).map(|_| usize::from(player)) else { return };
        if self.staging.eye().is_some() {
            let caption = self.staging.caption().filter(|_| self.state.settings.captions);
            let caption = caption.map(|caption| {
                let speaker = if caption.speaker == IN_SCENES { SPEAKER } else { caption.speaker };
                Caption { text: self.words.of(caption.text), speaker: self.words.of(speaker), ..caption }
            });
            return self.huds[hud].step(&HudInput { caption, ..HudInput::default() }, seconds);
        }
        let Some(play) = self.rules.play().filter(|_| self.rules.mission().is_some()) else {
            self.huds[hud].step(&HudInput::default(), seconds);
            return;
        };
        let (marks, vigour) = (self.marks(player), self.vigour(player));
        let task = self.task_words();
        let doing = self.doing(player, &marks);
        let to_do = if self.rules.arena.is_some() { "" } else { self.rules.task() };
        let undone = self.hints.get_mut(hud).map_or(Hint::Nothing, |hints| {
            hints.step(doing, to_do, seconds);
            hints.hint(doing)
        });
        let words = &self.words;
        let set = self.captions.as_deref().and_then(Captions::shown);
        let set = set.map(|caption| Caption { speaker: words.of(caption.speaker), ..caption });
        let opening = Caption { kind: CaptionKind::SPOKEN, speaker: words.of(SPEAKER), text: words.of(opening(play)) };
        let caption = set.or_else(|| self.is_opening_said().then_some(opening));
        // What is said goes first: one thing at a time is read.
        let has_room = caption.is_none();
        let reminds = has_room && self.hints.get(hud).is_some_and(|hints| hints.reminds(doing));
        let hint = self.hint_words(if has_room { undone } else { Hint::Nothing });
        let mut money = String::<24>::new();
        let all = self.state.money[hud].saturating_add(self.state.bank);
        if all != 0 {
            // There is room for any number.
            let _fits = money.write_fmt(format_args!("MONEY ${all}"));
            words.say(&mut money);
        }
        let input = HudInput {
            player: vigour,
            task: &task,
            seconds_left: Some(self.rules.seconds_left()),
            money: &money,
            names: Names { bars: NAMES.bars.map(|name| words.of(name)), prey: words.of(NAMES.prey) },
            targets: &marks,
            caption,
            hint: words.of(hint),
            reminder: if reminds { words.of(to_do) } else { "" },
        };
        self.huds[hud].step(&input, seconds);
    }
}
