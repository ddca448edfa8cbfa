//! What happens that is heard, and which sounds stand for it.
//!
//! A cue names a family of sounds; the bank has one or more variants of each, `NAME_1`, `NAME_2` and so on, which are played in
//! turn and never quite at the same pitch.

use crate::tasks::names::name_hash;

/// Cues' families in the bank, in the order of [`Manner::family`].
pub const FAMILIES: [&str; 32] = [
    "step_wood_walk",
    "step_wood_run",
    "step_stone_walk",
    "step_stone_run",
    "step_sand_walk",
    "step_sand_run",
    "step_metal_walk",
    "step_metal_run",
    "punch_light",
    "punch_medium",
    "punch_heavy",
    "swing",
    "block",
    "fall",
    "glass",
    "wood_hit",
    "metal_hit",
    "wood_break",
    "bounce_soft",
    "bounce_hard",
    "bottle",
    "menu_move",
    "menu_choose",
    "menu_back",
    "menu_refuse",
    "voice_effort",
    "voice_pain",
    "voice_taunt",
    "cloth",
    "steam",
    "explosion",
    "squeak",
];
/// Names by which the world asks for a sound that the bank keeps under another: their hashes, and the family's place.
const OTHER_NAMES: [(u32, usize); 3] =
    [(name_hash("object_explode"), 30), (name_hash("car_explode"), 30), (name_hash("shocks_squeak"), 31)];

/// The family that a name's hash stands for, as levels and objects have it.
///
/// Source: support systems, File I/O (names as numbers).
pub fn family_of(name: u32) -> Option<usize> {
    const HASHES: [u32; FAMILIES.len()] = {
        let mut hashes = [0; FAMILIES.len()];
        let mut family = 0;
        while family < FAMILIES.len() {
            hashes[family] = name_hash(FAMILIES[family]);
            family += 1;
        }
        hashes
    };
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, family)| *family);
    HASHES.iter().position(|hash| *hash == name).or(other)
}

/// Variants of a family at most.
pub const VARIANTS: usize = 4;

/// What is stepped on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Planks.
    Wood,
    /// Concrete, bricks, asphalt.
    Stone,
    /// Sand and litter.
    Sand,
    /// Gratings and cars.
    Metal,
}

/// How it is stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// Walking.
    Walk,
    /// Jogging.
    Jog,
    /// Running.
    Run,
    /// As fast as one can.
    Sprint,
}

/// How hard somebody is hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// A jab.
    Light,
    /// A hook.
    Medium,
    /// A finisher.
    Heavy,
}

/// What a menu says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuSound {
    /// Another line.
    Move,
    /// Chosen.
    Choose,
    /// One page back.
    Back,
    /// That cannot be.
    Refuse,
}

/// What somebody utters; no words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utterance {
    /// With a blow.
    Effort,
    /// When hit.
    Pain,
    /// Before a fight.
    Taunt,
}

/// What happens that is heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cue {
    /// A foot comes down.
    Step(Surface, Gait),
    /// A blow lands.
    Punch(Weight),
    /// A blow goes through the air.
    Swing(Weight),
    /// A blow meets an arm.
    Block,
    /// A body meets the ground.
    Fall,
    /// A pane breaks.
    Glass,
    /// A bottle breaks.
    Bottle,
    /// Something hits wood.
    WoodHit,
    /// Something hits metal.
    MetalHit,
    /// Something of wood breaks.
    WoodBreak,
    /// A thing bounces, at metres a second.
    Bounce(f32),
    /// A menu.
    Menu(MenuSound),
    /// Somebody utters something; by a number of who it is.
    Voice(u8, Utterance),
    /// Clothes move.
    Cloth,
    /// A vent blows.
    Steam,
    /// Something explodes.
    Explosion,
    /// Springs give way.
    Squeak,
}

/// How a cue is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// Place in [`FAMILIES`].
    pub family: usize,
    /// 0 to 1.
    pub volume: f32,
    /// Times the sounds' own pitch.
    pub pitch: f32,
    /// Importance.
    pub priority: u8,
}

/// From this speed on a bounce is a hard one, metres a second.
const HARD_BOUNCE: f32 = 4.0;
/// A bounce at this speed is as loud as any.
const LOUDEST_BOUNCE: f32 = 9.0;
/// Slower than this nothing is heard of a bounce.
const SILENT_BOUNCE: f32 = 0.4;
/// Pitches of people's voices, by their number.
const VOICE_PITCHES: [f32; 8] = [1.0, 0.84, 1.12, 0.92, 1.2, 0.78, 1.06, 0.88];

impl Cue {
    /// How it is played. `None` for what is not heard.
    pub fn manner(self) -> Option<Manner> {
        let manner = |family: usize, volume: f32, pitch: f32, priority: u8| Manner { family, volume, pitch, priority };
        Some(match self {
            Self::Step(surface, gait) => {
                let (faster, volume, pitch) = match gait {
                    Gait::Walk => (0, 0.45, 1.0),
                    Gait::Jog => (1, 0.55, 0.97),
                    Gait::Run => (1, 0.7, 1.0),
                    Gait::Sprint => (1, 0.85, 1.06),
                };
                manner(surface as usize * 2 + faster, volume, pitch, 40)
            }
            Self::Punch(weight) => manner(8 + weight as usize, [0.8, 0.9, 1.0][weight as usize], 1.0, 200),
            Self::Swing(weight) => manner(11, [0.4, 0.5, 0.6][weight as usize], [1.15, 1.0, 0.85][weight as usize], 80),
            Self::Block => manner(12, 0.7, 1.0, 160),
            Self::Fall => manner(13, 0.9, 1.0, 180),
            Self::Glass => manner(14, 1.0, 1.0, 190),
            Self::WoodHit => manner(15, 0.8, 1.0, 120),
            Self::MetalHit => manner(16, 0.8, 1.0, 120),
            Self::WoodBreak => manner(17, 0.9, 1.0, 170),
            Self::Bounce(speed) => {
                if speed < SILENT_BOUNCE {
                    return None;
                }
                let loud = (speed / LOUDEST_BOUNCE).min(1.0);
                // Slow ones sound smaller, too.
                manner(18 + usize::from(speed >= HARD_BOUNCE), 0.15 + 0.75 * loud, 1.1 - 0.15 * loud, 60)
            }
            Self::Bottle => manner(20, 0.9, 1.0, 150),
            Self::Menu(sound) => manner(21 + sound as usize, 0.7, 1.0, 255),
            Self::Voice(who, utterance) => {
                let pitch = VOICE_PITCHES[usize::from(who) % VOICE_PITCHES.len()];
                manner(25 + utterance as usize, 0.8, pitch, [110, 140, 130][utterance as usize])
            }
            Self::Cloth => manner(28, 0.25, 1.0, 10),
            Self::Steam => manner(29, 0.5, 1.0, 20),
            Self::Explosion => manner(30, 1.0, 1.0, 210),
            Self::Squeak => manner(31, 0.4, 1.0, 50),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(cue: Cue) -> &'static str {
        FAMILIES[cue.manner().unwrap().family]
    }

    #[test]
    fn cues_name_the_family_that_they_sound_like() {
        for (cue, expected) in [
            (Cue::Step(Surface::Wood, Gait::Walk), "step_wood_walk"),
            (Cue::Step(Surface::Sand, Gait::Jog), "step_sand_run"),
            (Cue::Step(Surface::Metal, Gait::Sprint), "step_metal_run"),
            (Cue::Punch(Weight::Light), "punch_light"),
            (Cue::Punch(Weight::Heavy), "punch_heavy"),
            (Cue::Swing(Weight::Heavy), "swing"),
            (Cue::Block, "block"),
            (Cue::Fall, "fall"),
            (Cue::Glass, "glass"),
            (Cue::WoodHit, "wood_hit"),
            (Cue::MetalHit, "metal_hit"),
            (Cue::WoodBreak, "wood_break"),
            (Cue::Bounce(1.0), "bounce_soft"),
            (Cue::Bounce(6.0), "bounce_hard"),
            (Cue::Bottle, "bottle"),
            (Cue::Menu(MenuSound::Move), "menu_move"),
            (Cue::Menu(MenuSound::Refuse), "menu_refuse"),
            (Cue::Voice(3, Utterance::Effort), "voice_effort"),
            (Cue::Voice(3, Utterance::Taunt), "voice_taunt"),
            (Cue::Cloth, "cloth"),
            (Cue::Steam, "steam"),
            (Cue::Explosion, "explosion"),
            (Cue::Squeak, "squeak"),
        ] {
            assert_eq!(family(cue), expected, "{cue:?}");
        }
    }

    #[test]
    fn bounces_grow_with_their_speed_and_rolling_is_silent() {
        assert_eq!(Cue::Bounce(0.2).manner(), None);
        let volumes = [0.5, 2.0, 3.9, 4.1, 8.0, 50.0].map(|speed| Cue::Bounce(speed).manner().unwrap().volume);
        assert!(volumes.windows(2).all(|pair| pair[0] < pair[1]), "{volumes:?}");
        assert!(volumes.iter().all(|volume| *volume <= 1.0));
    }

    #[test]
    fn faster_steps_are_louder() {
        let volume = |gait| Cue::Step(Surface::Stone, gait).manner().unwrap().volume;
        let volumes = [Gait::Walk, Gait::Jog, Gait::Run, Gait::Sprint].map(volume);
        assert!(volumes.is_sorted(), "{volumes:?}");
    }
}
