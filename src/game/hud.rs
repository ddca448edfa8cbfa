//! What the HUD is told of the game: the player's vigour, the goal's mark, what is said, what a button would do.

use super::Game;
use super::characters_story::gang;
use super::gangs::Stance;
use super::machine::Machine;
use super::missions::{Goal, Play};
use super::picture;
use crate::graphics::camera::{Camera, Projected};
use crate::hud::captions::Caption;
use crate::hud::{HudInput, TARGETS, Target, TargetKind, Vigour};
use crate::maths::Vec3;
use crate::maths::scalar::atan2;
use heapless::Vec;

/// Seconds from a level's beginning for which its first words stand, and those in which a hint does.
const OPENING_SECONDS: u32 = 5;
const HINT_SECONDS: u32 = 7;
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
        Play::Arena(_) => "As many as you can.",
    }
}

/// What a button does that helps now.
const fn hint(goal: Goal) -> &'static str {
    match goal {
        Goal::Reach => "LEFT STICK  MOVE",
        Goal::Throw(_) => "SQUARE  THROW",
    }
}

impl<M: Machine> Game<M> {
    /// The player's health, stamina and power; nobody's without a level.
    fn vigour(&self) -> Option<Vigour> {
        self.level.as_ref()?;
        if let Some([health, stamina, power]) = self.people.as_deref().and_then(|people| people.vigour(0)) {
            return Some(Vigour { health, stamina, power });
        }
        // The pair of eyes that walks through a level is never hurt and never tired.
        Some(Vigour { health: 1.0, stamina: 1.0, power: 0.0 })
    }

    /// Who and what is marked: the rivals and friends around the player, the nearest first, and the goal.
    fn marks(&self) -> Vec<Target, TARGETS> {
        let mut marks = Vec::new();
        let Some(eyes) = self.picture.views.first() else { return marks };
        let camera = picture::camera(eyes, self.picture.free.as_ref());
        let camera = Camera { stretch: self.video().stretch(), ..camera };
        let mark = |kind, place: Vec3, height: f32, health| {
            let way = place - camera.eye;
            let at = camera.project(place + Vec3::Z * height);
            let at = if at.is_drawable() { at } else { Projected::default() };
            let bearing = atan2(way.dot(camera.right), way.dot(camera.ahead));
            Target { kind, at, bearing, health, distance: way.length() }
        };
        let humans = self.people.as_deref().map_or(&[][..], |people| &people.humans.people[..]);
        for human in humans.iter().filter(|human| human.present && human.spawn.player.is_none() && human.health > 0) {
            let kind = match self.gangs.stance(gang::PLAYER, human.spawn.gang) {
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

    /// Tells the HUD what there is to see, once a frame of a level; `seconds` have passed.
    pub(super) fn step_hud(&mut self, seconds: f32) {
        if self.staging.eye().is_some() {
            let caption = self.staging.caption().filter(|_| self.state.settings.captions);
            let caption = caption.map(|caption| Caption { text: self.words.of(caption.text), ..caption });
            return self.hud.step(&HudInput { caption, ..HudInput::default() }, seconds);
        }
        let Some((play, mission)) = self.rules.play().zip(self.rules.mission()) else {
            self.hud.step(&HudInput::default(), seconds);
            return;
        };
        let (marks, vigour) = (self.marks(), self.vigour());
        let began = self.rules.seconds();
        let words = &self.words;
        // A scene has said it already.
        let speaks = self.state.settings.captions && began < OPENING_SECONDS && !self.staging.has_played();
        let caption = speaks.then(|| Caption { speaker: SPEAKER, text: words.of(opening(play)) });
        let input = HudInput {
            player: vigour,
            task: words.of(self.rules.task()),
            seconds_left: Some(self.rules.seconds_left()),
            money: self.state.money[0].saturating_add(self.state.bank),
            targets: &marks,
            caption,
            hint: if began < HINT_SECONDS { words.of(hint(mission.goal)) } else { "" },
        };
        self.hud.step(&input, seconds);
    }
}
