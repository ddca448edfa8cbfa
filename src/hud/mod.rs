//! What a player sees over the world: health, stamina and power, whom they fight, where to go, and what is said.
//!
//! The game fills a [`HudInput`] of plain values once a frame; [`Hud::step`] eases what is shown towards it (a bar that
//! was hit trails behind, captions fade), and [`Hud::draw`] puts it on a surface, all of it inside the title-safe area.
//! [`captions`] breaks what is said into rows. Nothing allocates and nothing here knows the game.
//!
//! Source: seed 003, main, step 6 (subtitles); the looks are our own.

pub mod captions;
pub mod demo;
mod screen;

use crate::graphics::camera::Projected;
use captions::{Caption, CaptionKind};
pub use screen::Area;

/// Targets that are marked at once.
pub const TARGETS: usize = 6;
/// Seconds for which a bar shows what was lost before it follows.
const TRAIL_SECONDS: f32 = 0.6;
/// Shares of a bar that the trail closes in a second.
const TRAIL_SPEED: f32 = 0.8;
/// Seconds in which captions and hints come and go.
const FADE_SECONDS: f32 = 0.25;
/// Share of health from which the bar beats.
const LOW: f32 = 0.25;

/// Letters of a bar's name at most.
const NAME: usize = 12;
/// Names of the bars and the mark of whom to catch, in the player's language.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    /// The bars, as they come from above.
    pub bars: [&'a str; 3],
    /// What is to be done with [`TargetKind::Prey`].
    pub prey: &'a str,
}

/// Health, stamina and a charge, each of `[0, 1]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vigour {
    /// Health.
    pub health: f32,
    /// Stamina, which running and jumping spend.
    pub stamina: f32,
    /// How far a jump is charged, while one is. Our choice: the third bar is there with what it shows, as the power that hits
    /// earn buys nothing that a player would wait for.
    pub charge: Option<f32>,
}

/// What a marked thing is to the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// Somebody to fight.
    Foe,
    /// One of the own gang.
    Friend,
    /// Where to go.
    Goal,
    /// Whom to catch.
    Prey,
}

/// A thing that is marked on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// What it is.
    pub kind: TargetKind,
    /// Where it is in the picture; not drawable when it is behind.
    pub at: Projected,
    /// To the right of the way the camera looks, in radians: where the mark goes when the thing is out of the picture.
    pub bearing: f32,
    /// Its health of `[0, 1]`, where it has any.
    pub health: Option<f32>,
    /// Metres from the player.
    pub distance: f32,
}

/// What the game says once a frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct HudInput<'a> {
    /// The player; none while a scene plays.
    pub player: Option<Vigour>,
    /// What is to be done, in a few words.
    pub task: &'a str,
    /// Seconds left, where time is short.
    pub seconds_left: Option<u32>,
    /// What stands for the money; empty without any.
    pub money: &'a str,
    /// What bars and marks are called.
    pub names: Names<'a>,
    /// Who and what is marked, the nearest first; beyond [`TARGETS`] they are left out.
    pub targets: &'a [Target],
    /// What is said now.
    pub caption: Option<Caption<'a>>,
    /// What a button would do here.
    pub hint: &'a str,
    /// What is to be done, said once more to whoever seems not to know.
    pub reminder: &'a str,
}

/// A bar that shows what was lost before it follows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bar {
    value: f32,
    trail: f32,
    wait: f32,
}

impl Bar {
    /// Moves on by `seconds` towards `value`.
    fn step(&mut self, value: f32, seconds: f32) {
        let value = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        if value < self.value {
            self.wait = TRAIL_SECONDS;
        }
        self.value = value;
        self.wait -= seconds;
        if self.wait <= 0.0 {
            self.trail -= TRAIL_SPEED * seconds;
        }
        // What is gained shows at once.
        self.trail = self.trail.max(self.value);
    }
}

/// Moves `shown` towards 1 or 0.
fn fade(shown: &mut f32, on: bool, seconds: f32) {
    let step = seconds / FADE_SECONDS;
    *shown = if on { (*shown + step).min(1.0) } else { (*shown - step).max(0.0) };
}

/// Kept words: a caption or a hint that goes on being drawn while it fades.
type Words = heapless::String<{ captions::MOST_BYTES }>;

/// What is shown.
#[derive(Clone, Debug, Default)]
pub struct Hud {
    bars: [Bar; 3],
    bar_names: [heapless::String<NAME>; 3],
    /// How much of the third bar is there, of `[0, 1]`.
    charge_presence: f32,
    /// How much of the bars is there, of `[0, 1]`.
    presence: f32,
    task: Words,
    seconds_left: Option<u32>,
    money: heapless::String<24>,
    targets: heapless::Vec<Target, TARGETS>,
    prey: heapless::String<NAME>,
    speaker: heapless::String<16>,
    caption: Words,
    caption_kind: CaptionKind,
    caption_presence: f32,
    hint: Words,
    hint_presence: f32,
    reminder: Words,
    reminder_presence: f32,
    /// Nobody is controlled: the words have the picture's foot to themselves.
    staged: bool,
    /// Seconds since the beginning, for what beats.
    seconds: f32,
}

impl Hud {
    /// Moves on by `seconds` to what the game says.
    pub fn step(&mut self, input: &HudInput<'_>, seconds: f32) {
        self.seconds += seconds;
        fade(&mut self.presence, input.player.is_some(), seconds);
        if let Some(player) = input.player {
            let charge = player.charge.unwrap_or(self.bars[2].value);
            for (bar, value) in self.bars.iter_mut().zip([player.health, player.stamina, charge]) {
                bar.step(value, seconds);
            }
            fade(&mut self.charge_presence, player.charge.is_some(), seconds);
        }
        set(&mut self.task, input.task);
        set(&mut self.money, input.money);
        self.seconds_left = input.seconds_left;
        for (kept, name) in self.bar_names.iter_mut().zip(input.names.bars) {
            set(kept, name);
        }
        set(&mut self.prey, input.names.prey);
        // What is fading out stays where it was.
        if input.player.is_some() || input.caption.is_some() {
            self.staged = input.player.is_none();
        }
        self.targets = input.targets.iter().take(TARGETS).copied().collect();
        fade(&mut self.caption_presence, input.caption.is_some(), seconds);
        if let Some(caption) = &input.caption {
            set(&mut self.speaker, caption.speaker);
            set(&mut self.caption, caption.text);
            self.caption_kind = caption.kind;
        }
        let hints = [
            (&mut self.hint, &mut self.hint_presence, input.hint),
            (&mut self.reminder, &mut self.reminder_presence, input.reminder),
        ];
        for (kept, presence, words) in hints {
            fade(presence, !words.is_empty(), seconds);
            if !words.is_empty() {
                set(kept, words);
            }
        }
    }
}

/// Keeps as much of `words` as there is room for.
fn set<const N: usize>(kept: &mut heapless::String<N>, words: &str) {
    if kept.as_str() != words {
        kept.clear();
        for letter in words.chars() {
            if kept.push(letter).is_err() {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f32 = 1.0 / 30.0;

    fn input(health: f32) -> HudInput<'static> {
        HudInput { player: Some(Vigour { health, stamina: 1.0, charge: None }), ..HudInput::default() }
    }

    #[test]
    fn a_hit_shows_at_once_and_what_was_lost_trails_behind() {
        let mut hud = Hud::default();
        hud.step(&input(1.0), STEP);
        hud.step(&input(0.4), STEP);
        assert_eq!((hud.bars[0].value, hud.bars[0].trail), (0.4, 1.0));
        for _ in 0..17 {
            hud.step(&input(0.4), STEP);
        }
        assert!(hud.bars[0].trail > 0.95, "it waits: {}", hud.bars[0].trail);
        for _ in 0..60 {
            hud.step(&input(0.4), STEP);
        }
        assert_eq!(hud.bars[0].trail, 0.4);
        hud.step(&input(0.9), STEP);
        assert_eq!((hud.bars[0].value, hud.bars[0].trail), (0.9, 0.9), "what is gained shows at once");
    }

    #[test]
    fn values_out_of_range_stay_in_the_bar() {
        let mut hud = Hud::default();
        for health in [f32::NAN, -3.0, 7.0] {
            hud.step(&input(health), STEP);
            assert!((0.0..=1.0).contains(&hud.bars[0].value), "{health}");
        }
    }

    #[test]
    fn captions_stay_while_they_fade() {
        let mut hud = Hud::default();
        let said = HudInput {
            caption: Some(Caption { speaker: "JO", text: "Over here.", ..Caption::default() }),
            ..HudInput::default()
        };
        for _ in 0..10 {
            hud.step(&said, STEP);
        }
        assert_eq!(hud.caption_presence, 1.0);
        hud.step(&HudInput::default(), STEP);
        assert!(hud.caption.as_str() == "Over here." && hud.caption_presence < 1.0 && hud.caption_presence > 0.5);
    }

    #[test]
    fn the_bars_leave_while_a_scene_plays() {
        let mut hud = Hud::default();
        for _ in 0..10 {
            hud.step(&input(1.0), STEP);
        }
        assert_eq!(hud.presence, 1.0);
        for _ in 0..10 {
            hud.step(&HudInput::default(), STEP);
        }
        assert_eq!(hud.presence, 0.0);
    }

    #[test]
    fn more_targets_than_places_are_left_out() {
        let target =
            Target { kind: TargetKind::Foe, at: Projected::default(), bearing: 0.0, health: None, distance: 1.0 };
        let mut hud = Hud::default();
        hud.step(&HudInput { targets: &[target; TARGETS + 3], ..HudInput::default() }, STEP);
        assert_eq!(hud.targets.len(), TARGETS);
    }
}
