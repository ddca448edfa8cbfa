//! The air around the players: litter that blows, fog that creeps over the ground, rain that splashes.
//!
//! Source: seed 000, Humans_Update (step 1). Each is made before a player's camera only, within 15 m and on screen, and only
//! while more than 512 particles are free. Our choice: a level may say by boxes called [`RAINS`] where it rains; without one it
//! rains everywhere or nowhere.

use super::super::machine::Machine;
use super::super::world::GameWorld;
use super::Random;
use super::objects::ground_under;
use crate::maths::{Quat, Vec3};
use crate::tasks::effects::EFFECT_RANGE;
use crate::tasks::engine::TaskEngine;
use crate::tasks::names::name_hash;
use crate::tasks::world::{PLAYERS, View, World};

/// What drifts: its kind of particle, how high over the ground it begins, and how often.
struct Drift {
    kind: u32,
    /// Metres.
    height: f32,
    /// Steps from one to the next.
    every: u32,
    /// How many then.
    count: u32,
}

/// Litter, fog and rain. Our choice of numbers: the level's own sources give the most of what is seen.
const LITTER: Drift = Drift { kind: name_hash("litter_leaf"), height: 0.2, every: 20, count: 1 };
const FOG: Drift = Drift { kind: name_hash("fog_bank"), height: 0.3, every: 90, count: 1 };
const RAIN: Drift = Drift { kind: name_hash("rain_splash"), height: 0.02, every: 1, count: 6 };
/// What a level calls the boxes in which it rains.
pub const RAINS: u32 = name_hash("rain");
/// Metres before the camera at which something may begin; less would be in the eye.
const NEAREST: f32 = 3.0;

/// Step 1: what drifts is made.
// Covers: seed 003, step 11 litter (0x0016fcc8) test=game::characters_tests::litter_fog_and_rain_come_before_the_camera_while_each_is_on_and_there_is_room
// Covers: seed 003, step 11 ground fog (0x00171540) test=game::characters_tests::litter_fog_and_rain_come_before_the_camera_while_each_is_on_and_there_is_room
// Covers: seed 003, step 11 rain (0x00183510) test=game::characters_tests::litter_fog_and_rain_come_before_the_camera_while_each_is_on_and_there_is_room
pub fn step<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) {
    let number = tasks.humans.counter >> 1;
    let on = [(tasks.effects.garbage, LITTER), (tasks.effects.ground_fog, FOG), (tasks.effects.rain, RAIN)];
    for drift in on.into_iter().filter_map(|(on, drift)| on.then_some(drift)) {
        if !number.is_multiple_of(drift.every) {
            continue;
        }
        for _ in 0..drift.count {
            for player in 0..PLAYERS {
                let Some(view) = world.view(player) else { continue };
                let at = before(&view, &mut world.things.air);
                // Over the edge of the pier there is no ground to lie on.
                let Some(ground) = ground_under(world, at) else { continue };
                let at = Vec3::new(at.x, at.y, ground + drift.height);
                if drift.kind == RAIN.kind && !rains_at(tasks, at) {
                    continue;
                }
                tasks.spawn_effect(world, drift.kind, at);
            }
        }
    }
}

/// Whether a place is where the level's rain falls.
fn rains_at(tasks: &TaskEngine, at: Vec3) -> bool {
    let mut places = tasks.boxes.level_boxes().filter(|own| own.name == RAINS).peekable();
    places.peek().is_none() || places.any(|own| own.contains(at))
}

/// A place before a camera at its own height, wherever it looks to.
fn before(view: &View, random: &mut Random) -> Vec3 {
    let ahead = view.forward.horizontal().try_normalize().unwrap_or(Vec3::Y);
    let half = crate::maths::scalar::acos(view.cos_half_angle.clamp(-1.0, 1.0));
    let aside = Quat::from_axis_angle(Vec3::Z, half * (2.0 * random.share() - 1.0));
    view.position + aside.rotate(ahead) * (NEAREST + (EFFECT_RANGE - NEAREST) * random.share())
}
