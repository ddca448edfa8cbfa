//! What the HUD is told of the game: the player's vigour, the goal's mark, what is said, what a button would do.

use super::Game;
use super::machine::Machine;
use super::missions::{Goal, Play};
use super::picture;
use crate::graphics::camera::{Camera, Projected};
use crate::hud::captions::Caption;
use crate::hud::{HudInput, Target, TargetKind, Vigour};
use crate::maths::Vec3;

/// Seconds from a level's beginning for which its first words stand, and those in which a hint does.
const OPENING_SECONDS: u32 = 5;
const HINT_SECONDS: u32 = 7;
/// Height of a goal's mark over its place, in metres.
const MARK_HEIGHT: f32 = 2.4;
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
    ///
    /// Stand-in: the pair of eyes that walks through a level is never hurt and never tired.
    fn vigour(&self) -> Option<Vigour> {
        self.level.is_some().then_some(Vigour { health: 1.0, stamina: 1.0, power: 0.0 })
    }

    /// The goal, where there is one to be reached.
    fn goal_mark(&self) -> Option<Target> {
        let goal = self.rules.goal_place()?;
        let eyes = self.picture.views.first()?;
        let camera = picture::camera(eyes, self.picture.free.as_ref());
        let camera = Camera { stretch: self.video().stretch(), ..camera };
        let way = goal - camera.eye;
        let at = camera.project(goal + Vec3::Z * MARK_HEIGHT);
        let at = if at.is_drawable() { at } else { Projected::default() };
        let bearing = crate::maths::scalar::atan2(way.dot(camera.right), way.dot(camera.ahead));
        let distance = (goal - eyes.position).length();
        Some(Target { kind: TargetKind::Goal, at, bearing, health: None, distance })
    }

    /// Tells the HUD what there is to see, once a frame of a level; `seconds` have passed.
    pub(super) fn step_hud(&mut self, seconds: f32) {
        let Some((play, mission)) = self.rules.play().zip(self.rules.mission()) else {
            self.hud.step(&HudInput::default(), seconds);
            return;
        };
        let (mark, vigour) = (self.goal_mark(), self.vigour());
        let began = self.rules.seconds();
        let words = &self.words;
        let speaks = self.state.settings.captions && began < OPENING_SECONDS;
        let caption = speaks.then(|| Caption { speaker: SPEAKER, text: words.of(opening(play)) });
        let input = HudInput {
            player: vigour,
            task: words.of(mission.task),
            seconds_left: Some(self.rules.seconds_left()),
            money: self.state.money[0].saturating_add(self.state.bank),
            targets: mark.as_slice(),
            caption,
            hint: if began < HINT_SECONDS { words.of(hint(mission.goal)) } else { "" },
        };
        self.hud.step(&input, seconds);
    }
}
