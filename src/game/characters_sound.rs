//! What people sound like: what has happened to them becomes cues.

use crate::audio::cues::{Gait, Surface, Utterance, Weight};
use crate::audio::{Audio, Cue, Source};
use crate::collision::material::Material;
use crate::combat::attacks::Strength;
use crate::human::numbers::{JOG, RUN, SPRINT};
use crate::human::{Humans, Notice};

/// A landing faster than this is a fall, metres a second.
const FALLS_AT: f32 = 6.5;
/// Strengths of hits from which on somebody utters something, and from which on a blow sounds heavy.
const HURTS: u8 = Strength::Medium as u8;
const HEAVY: u8 = Strength::Heavy as u8;

/// What a material sounds like under a foot.
fn surface(material: u8) -> Surface {
    match Material(material) {
        Material::STEEL | Material::LOW_FENCE | Material::RAILING => Surface::Metal,
        Material::CONCRETE | Material::GLASS => Surface::Stone,
        _ => Surface::Wood,
    }
}

fn gait(number: u8) -> Gait {
    match number {
        SPRINT => Gait::Sprint,
        RUN => Gait::Run,
        JOG => Gait::Jog,
        _ => Gait::Walk,
    }
}

/// Lets a notice be heard. What finds no voice is not.
pub fn play(notice: &Notice, humans: &Humans, audio: &mut Audio) {
    let mut cue = |cue, at| {
        let _plays = audio.cue(cue, Source::At(at));
    };
    match *notice {
        Notice::Step { at, material, gait: number, .. } => cue(Cue::Step(surface(material), gait(number)), at),
        Notice::Landed { at, speed, .. } if speed > FALLS_AT => cue(Cue::Fall, at),
        Notice::Landed { human, at, .. } => {
            let material = humans.people[usize::from(human)].ground_material;
            cue(Cue::Step(surface(material), Gait::Sprint), at);
        }
        Notice::Hit { at, blocked: true, .. } => cue(Cue::Block, at),
        Notice::Hit { human, at, strength, .. } => {
            let weight = match strength {
                strength if strength < HURTS => Weight::Light,
                strength if strength < HEAVY => Weight::Medium,
                _ => Weight::Heavy,
            };
            cue(Cue::Punch(weight), at);
            if strength >= HURTS {
                cue(Cue::Voice(human, Utterance::Pain), at);
            }
        }
        Notice::Down { human, .. } => cue(Cue::Fall, humans.people[usize::from(human)].position),
        Notice::Effort { human, at } => cue(Cue::Voice(human, Utterance::Effort), at),
        Notice::Release { at, .. } => cue(Cue::Swing(Weight::Medium), at),
        Notice::Take { at, .. } => cue(Cue::Cloth, at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_sound_of_what_they_meet_and_how_fast() {
        assert_eq!(surface(Material::CONCRETE.0), Surface::Stone);
        assert_eq!(surface(Material::STEEL.0), Surface::Metal);
        assert_eq!(surface(Material::NONE.0), Surface::Wood);
        assert_eq!([1, 2, 3, 4, 5].map(gait), [Gait::Walk, Gait::Walk, Gait::Jog, Gait::Run, Gait::Sprint]);
    }
}
