//! What the HUD is told of the game: the player's vigour, the goal's mark, what is said, what a button would do.

use super::Game;
use super::captions::Captions;
use super::characters_story::gang;
use super::gangs::Stance;
use super::machine::Machine;
use super::missions::{Goal, Play};
use crate::graphics::camera::{Camera, Projected};
use crate::hud::captions::{Caption, CaptionKind};
use crate::hud::{HudInput, TARGETS, Target, TargetKind, Vigour};
use crate::maths::Vec3;
use crate::maths::scalar::atan2;
use core::fmt::Write as _;
use heapless::{String, Vec};

/// Seconds from a level's beginning for which its first words stand, and those in which a hint does.
const OPENING_SECONDS: u32 = 5;
const HINT_SECONDS: u32 = 7;
/// Frames for which a demo's invitation stands, and is gone.
const DEMO_BLINKS: u32 = 24;
/// Heights of a goal's mark over its place and of a human's over the feet, in metres.
const GOAL_HEIGHT: f32 = 2.4;
const HEAD: f32 = 2.05;
/// Metres within which people are marked.
const MARKED_WITHIN: f32 = 16.0;
/// Who speaks at a level's beginning.
const SPEAKER: &str = "JO";

/// What is said when something begins.
const fn opening(play: Play) -> &'static str {
    match play {
        Play::Mission(0) => "The lamp at the far wall. I'll be there.",
        Play::Mission(1) => "Five bricks before the minute is up.",
        Play::Mission(_) => "The last ferry is gone. All the way along, and stay out of the dark.",
        // A round is called out, which says it all.
        Play::Arena(_) => "",
    }
}

impl<M: Machine> Game<M> {
    /// A player's health, stamina and power; nobody's without a level.
    fn vigour(&self, player: u8) -> Option<Vigour> {
        self.level.as_ref()?;
        if let Some([health, stamina, power]) = self.people.as_deref().and_then(|people| people.vigour(player)) {
            return Some(Vigour { health, stamina, power });
        }
        // The pair of eyes that walks through a level is never hurt and never tired.
        Some(Vigour { health: 1.0, stamina: 1.0, power: 0.0 })
    }

    /// Who and what is marked for a player: the rivals and friends around, the nearest first, and the goal.
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
        for human in
            humans.iter().filter(|human| human.present && human.spawn.player != Some(player) && human.health > 0)
        {
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
        if let Some(goal) = self.rules.goal_place() {
            // Where to go is always there, and farther than whom to fight.
            if marks.is_full() {
                let _farthest = marks.pop();
            }
            let _room = marks.push(mark(TargetKind::Goal, goal, GOAL_HEIGHT, None));
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

    /// What a button would do, or what a round has come to.
    fn hint_words(&self) -> &'static str {
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
                (None, _) => "",
            };
        }
        match self.rules.mission().map(|mission| mission.goal) {
            Some(Goal::Throw(_)) => self.throwing_hint(),
            Some(Goal::Reach) if self.rules.seconds() < HINT_SECONDS => "LEFT STICK  MOVE",
            _ => "",
        }
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
            let caption = caption.map(|caption| Caption { text: self.words.of(caption.text), ..caption });
            return self.huds[hud].step(&HudInput { caption, ..HudInput::default() }, seconds);
        }
        let Some(play) = self.rules.play().filter(|_| self.rules.mission().is_some()) else {
            self.huds[hud].step(&HudInput::default(), seconds);
            return;
        };
        let (marks, vigour) = (self.marks(player), self.vigour(player));
        let (task, hint) = (self.task_words(), self.hint_words());
        let words = &self.words;
        // A scene has said it already.
        let speaks =
            self.state.settings.captions && self.rules.seconds() < OPENING_SECONDS && !self.staging.has_played();
        let opening = Caption { kind: CaptionKind::SPOKEN, speaker: SPEAKER, text: words.of(opening(play)) };
        let set = self.captions.as_deref().and_then(Captions::shown);
        let input = HudInput {
            player: vigour,
            task: &task,
            seconds_left: Some(self.rules.seconds_left()),
            money: self.state.money[usize::from(player)].saturating_add(self.state.bank),
            targets: &marks,
            caption: set.or(Some(opening).filter(|opening| speaks && !opening.text.is_empty())),
            hint: words.of(hint),
        };
        self.huds[hud].step(&input, seconds);
    }
}
