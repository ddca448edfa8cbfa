//! The things of a level as they are seen: models, particles, and what lights them.
//!
//! The TaskEngine knows what things do; this is what they look like. [`Things`] learns a level's kinds when it is loaded. While
//! tasks run, [`motes`] answers the particles' messages, [`objects`] those of objects and panes, [`flicker`] the lights', [`air`] makes what drifts around the players, and [`doors`] opens doors for who
//! comes; the managers' updates queue models and sprites in [`Things`], and [`Things::draw`] hands the queue to the renderer, once for each viewport.
//!
//! Nothing here is read by the game's rules: its random numbers are its own, so that what is seen never changes what happens.

pub mod air;
mod crowd;
mod doors;
pub mod flicker;
pub mod lights;
pub mod models;
pub mod motes;
pub mod objects;
mod placing;
#[cfg(test)]
mod tests;

use super::world::Random;
use crate::game_modes::VIEWPORTS;
use crate::graphics::camera::Camera;
use crate::graphics::mesh::{Flags, Sphere};
use crate::graphics::render::volume::Volume;
use crate::graphics::render::{self, MAX_FLATS};
use crate::maths::Vec3;
use crate::tasks::clock::{Phase, Ticks};
use crate::tasks::engine::{Creation, TaskEngine};
use crate::tasks::ids::{TaskClass, TaskId};
use crate::tasks::world::{InstanceId, Sprite, World};
use crate::world::Level;
use crate::world::chunks::ThingKind;
use crate::world::kinds::{ParticleKind, particle_flag};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;
use doors::Doors;
use lights::Lighting;
use models::Models;
use motes::Mote;

/// Kinds of particles of a level at most. Our choice.
pub const MOST_KINDS: usize = 64;

/// Metres beyond which no eye sees anything that moves.
const FAR: f32 = 80.0;

/// Pixels from middle to rim of the smallest sprite that is drawn.
const SPECK: f32 = 1.2;

/// What a viewport shows.
#[derive(Clone, Copy, Debug)]
struct Eye {
    volume: Volume,
    at: Vec3,
    focal: f32,
}

impl Eye {
    fn sees(&self, ball: &Sphere, reach: f32) -> bool {
        (ball.centre - self.at).length_squared() <= reach * reach && self.volume.sees(ball)
    }
}

/// A sprite that waits to be drawn.
#[derive(Clone, Copy, Debug)]
struct Seen {
    sprite: render::Sprite,
    /// Its own axes to the right and upwards, for what does not face the eye.
    axes: Option<(Vec3, Vec3)>,
}

/// The things as they are seen.
pub struct Things {
    /// What lights them.
    pub lighting: Lighting,
    /// What they look like.
    pub models: Models,
    /// Doors that open for who comes.
    pub doors: Doors,
    kinds: heapless::Vec<ParticleKind, MOST_KINDS>,
    motes: Box<[Mote]>,
    random: Random,
    /// The air's own, so that what drifts changes nothing else that is seen.
    air: Random,
    /// The wind of a tick, as of the last particle that asked.
    wind: Cell<(Ticks, Vec3)>,
    sprites: Vec<Seen>,
    phase: Phase,
    /// Sprites of play; those of the pause follow them.
    of_play: usize,
    /// Sprites for which there was no room.
    lost: u32,
    /// The eyes that what is queued now will be seen with; none when nobody knows yet.
    eyes: heapless::Vec<Eye, VIEWPORTS>,
    /// The level is kept full of particles.
    pub crowd: bool,
}

impl Default for Things {
    fn default() -> Self {
        let particles = TaskClass::Particle.capacity() + TaskClass::PauseParticle.capacity();
        Self {
            lighting: Lighting::default(),
            models: Models::default(),
            doors: Doors::default(),
            kinds: heapless::Vec::new(),
            motes: vec![Mote::default(); usize::from(particles)].into_boxed_slice(),
            random: Random::new(),
            air: Random::new(),
            wind: Cell::new((0, motes::wind(0))),
            sprites: Vec::with_capacity(MAX_FLATS),
            phase: Phase::Play,
            of_play: 0,
            lost: 0,
            eyes: heapless::Vec::new(),
            crowd: false,
        }
    }
}

impl Things {
    /// Forgets the level and learns another. Memory for its lamps comes from the pool on top of the heap stack.
    pub fn load(&mut self, level: Option<&Level>) {
        self.crowd = false;
        self.eyes.clear();
        self.kinds.clear();
        self.models.load(level);
        self.doors.clear();
        (self.random, self.air) = (Random::new(), Random::new());
        self.begin(Phase::Play);
        self.lighting = level.map_or_else(Lighting::default, Lighting::of_level);
        level.into_iter().flat_map(Level::particle_kinds).for_each(|kind| self.learn(kind));
    }

    /// Nothing drifts yet around the players.
    pub fn reset_air(&mut self) {
        self.air = Random::new();
    }

    /// Learns a kind of particle.
    pub fn learn(&mut self, kind: ParticleKind) {
        let place = self.kinds.partition_point(|known| known.name < kind.name);
        // A level with more kinds goes without the last ones; the build refuses it.
        let _room = self.kinds.insert(place, kind);
    }

    /// The kind of a name.
    pub fn kind(&self, name: u32) -> Option<&ParticleKind> {
        self.kind_index(name).and_then(|index| self.kinds.get(index))
    }

    fn kind_index(&self, name: u32) -> Option<usize> {
        self.kinds.binary_search_by_key(&name, |kind| kind.name).ok()
    }

    /// What is queued from now on will be seen by these cameras, so that what none of them sees may be left out.
    pub fn look_from(&mut self, cameras: &[Camera]) {
        self.eyes.clear();
        // As many as there are viewports.
        self.eyes.extend(cameras.iter().take(VIEWPORTS).map(|camera| Eye {
            volume: Volume::new(camera, FAR),
            at: camera.eye,
            focal: camera.focal,
        }));
    }

    /// Whether any eye may see somebody, `around` metres about a place; yes while nobody knows the eyes.
    pub fn watches(&self, at: Vec3, around: f32) -> bool {
        let ball = Sphere { centre: at, radius: around };
        self.any_eye(|eye| eye.volume.sees(&ball))
    }

    /// Whether any eye may see a sprite of half a side.
    pub fn shows_sprite(&self, at: Vec3, size: f32) -> bool {
        let ball = Sphere { centre: at, radius: 2.0 * size };
        self.any_eye(|eye| eye.sees(&ball, size * eye.focal / SPECK))
    }

    /// Whether any eye may see the model of an instance, or its shadow.
    pub fn shows_instance(&self, instance: InstanceId, at: Vec3) -> bool {
        let Some((radius, around)) = self.models.extent(instance, at) else { return true };
        let ball = Sphere { centre: at, radius: around };
        self.any_eye(|eye| eye.sees(&ball, models::reach(radius, eye.focal) + around))
    }

    /// Whether one of the eyes may see something; yes while nobody knows the eyes.
    fn any_eye(&self, sees: impl Fn(&Eye) -> bool) -> bool {
        self.eyes.is_empty() || self.eyes.iter().any(sees)
    }

    /// Begins what the managers of a phase show; the pause's comes over play's.
    pub fn begin(&mut self, phase: Phase) {
        self.phase = phase;
        if phase == Phase::Play {
            self.of_play = 0;
            self.models.begin();
        }
        self.sprites.truncate(self.of_play);
    }

    /// Takes a sprite for this frame.
    pub fn add_sprite(&mut self, sprite: &Sprite) {
        let Some(kind) = self.kind(sprite.kind).filter(|kind| kind.emits == 0) else { return };
        let light = kind.flags & particle_flag::LIGHT != 0;
        let colour = sprite.colour.to_le_bytes().map(|byte| byte.div_ceil(2));
        let texture = kind.texture;
        if self.sprites.len() == self.sprites.capacity() {
            self.lost = self.lost.saturating_add(1);
            return;
        }
        let axes = sprite.oriented.then(|| (sprite.pose.rotation.axis_x(), sprite.pose.rotation.axis_y()));
        let sprite = render::Sprite {
            texture,
            part: sprite.rect,
            centre: sprite.pose.position,
            half: (sprite.size, sprite.size),
            turn: 0.0,
            colour,
            flags: if light { Flags::ADD } else { Flags::BLEND },
        };
        self.sprites.push(Seen { sprite, axes });
        if self.phase == Phase::Play {
            self.of_play = self.sprites.len();
        }
    }

    /// Draws what was queued.
    pub fn draw(&self, scene: &mut render::Scene<'_, '_, '_>, level: &Level) {
        self.draw_models(scene, level);

        let (eye, focal) = (scene.camera().eye, scene.camera().focal);
        // Specks smaller than this many pixels from middle to rim are nobody's loss.
        let least = focal / SPECK;
        for Seen { sprite, axes } in &self.sprites {
            let seen = sprite.half.0 * least;
            if (sprite.centre - eye).length_squared() > seen * seen {
                continue;
            }
            match axes {
                Some((right, up)) => scene.leaf(sprite, *right, *up),
                None => scene.sprite(sprite),
            }
        }
    }

    /// Sprites in the queue, and those for which there was no room so far.
    pub fn counts(&self) -> (usize, u32) {
        (self.sprites.len(), self.lost)
    }

    /// What is kept of a particle beside its task.
    fn mote(&self, id: TaskId) -> Option<&Mote> {
        self.motes.get(mote_slot(id)?)
    }

    fn mote_mut(&mut self, id: TaskId) -> Option<&mut Mote> {
        self.motes.get_mut(mote_slot(id)?)
    }

    /// The wind at a time, worked out once in a tick.
    fn wind(&self, now: Ticks) -> Vec3 {
        let (at, wind) = self.wind.get();
        if at == now {
            return wind;
        }
        let wind = motes::wind(now);
        self.wind.set((now, wind));
        wind
    }
}

/// The place of what is kept of a particle.
fn mote_slot(id: TaskId) -> Option<usize> {
    match id.index_in(TaskClass::Particle) {
        Some(slot) => Some(slot),
        None => Some(usize::from(TaskClass::Particle.capacity()) + id.index_in(TaskClass::PauseParticle)?),
    }
}

/// Makes the level's sources of particles; answers how many there was room for.
pub fn make_sources(world: &mut dyn World, tasks: &mut TaskEngine, level: &[Source]) -> usize {
    let mut made = 0;
    for source in level {
        let creation =
            Creation { rotation: crate::maths::Quat::from_heading(source.heading), ..Creation::at(source.position) };
        let task = tasks.create(world, TaskClass::Particle, source.kind, &creation);
        if let Ok(id) = task
            && let Some(record) = tasks.particle_mut(id)
        {
            // A source shows nothing, so that its contact point is free to say how far it reaches.
            record.contact = source.half;
            made += 1;
        }
    }
    made
}

/// A source of particles as the level places it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// CRC-32 of its kind's name.
    pub kind: u32,
    /// Its middle, metres.
    pub position: Vec3,
    /// Radians, clockwise from +y.
    pub heading: f32,
    /// Half extents of where it gives, metres.
    pub half: Vec3,
}

/// The sources that a level places.
pub fn sources(level: &Level) -> Vec<Source> {
    let things = level.things(ThingKind::Emitter);
    things
        .map(|thing| Source { kind: thing.name, position: thing.position, heading: thing.heading, half: thing.half })
        .collect()
}
