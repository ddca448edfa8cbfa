//! Lamps that flicker: light tasks that fade by their own clock, over and over.
//!
//! What stands around a lamp keeps the light that was baked for it; what moves near it sees it falter, and its halo does.

use super::super::machine::Machine;
use super::super::world::GameWorld;
use super::Things;
use crate::graphics::light::Lamp;
use crate::maths::Vec3;
use crate::tasks::engine::TaskEngine;
use crate::tasks::ids::TaskId;
use crate::tasks::lights::LightParams;
use crate::tasks::names::name_hash;
use crate::world::Level;
use crate::world::chunks::Glimmer;
use alloc::vec::Vec;

/// Name of the function that hears the end of a fade.
pub const FLICKER: u32 = name_hash("flicker");
/// Share of a lamp's light that falters.
const FALTERS: f32 = 0.6;
/// Metres between a halo and the lamp that it belongs to, at most.
const NEAR: f32 = 0.6;
/// Shortest and longest fade, seconds.
const FADES: (f32, f32) = (0.08, 0.7);

/// The level's lamps whose halos flicker.
pub fn flickering(level: &Level) -> Vec<Lamp> {
    let halos: Vec<Vec3> =
        level.glows().filter(|glow| glow.glimmer == Glimmer::Flicker).map(|glow| glow.position).collect();
    let near = |lamp: &Lamp| halos.iter().any(|halo| (*halo - lamp.position).length_squared() < NEAR * NEAR);
    level.lamps().map(crate::world::chunks::Lamp::to_light).filter(near).collect()
}

/// Gives each of `lamps` a light task for the part of its light that falters; answers how many there was room for.
pub fn make<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, lamps: &[Lamp]) -> usize {
    let mut made = 0;
    for lamp in lamps {
        let params = params(world.things, lamp.colour * FALTERS, lamp.reach, made % 2 == 0);
        if tasks.new_light_with(world, FLICKER, lamp.position, &params).is_some() {
            world.things.lighting.dim(lamp.position, 1.0 - FALTERS);
            made += 1;
        }
    }
    made
}

/// A fade is over: the light goes the other way, for a time of its own. `task` is the light's raw identity.
pub fn again<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, task: i32) {
    let id = TaskId::from_row(task as u16);
    let Some((colour, range, was_dark)) = tasks.light(id).map(|light| (light.colour, light.range, light.level <= 0.0))
    else {
        return;
    };
    let params = params(world.things, Vec3::from_array(colour), range, !was_dark);
    if let Some(light) = tasks.light_mut(id) {
        light.set_params(&params);
    }
}

fn params(things: &mut Things, colour: Vec3, range: f32, switches_off: bool) -> LightParams {
    let (shortest, longest) = FADES;
    let share = things.random.share();
    // Short ones are more frequent, so that it stutters and sometimes breathes.
    let fade = shortest + (longest - shortest) * share * share;
    LightParams { colour: colour.to_array(), range, fade, switches_off, callback: FLICKER }
}
