//! Models of what moves: instances that tasks hold, and the queue of what is seen this frame.

use super::Things;
use crate::graphics::light::{Lamp, Lights};
use crate::graphics::mesh::Sphere;
use crate::graphics::render::{Scene, Shadow, cover_at};
use crate::maths::{Pose, Quat, Vec3};
use crate::tasks::cars::MODELS;
use crate::tasks::cars::parts::PARTS;
use crate::tasks::cars::zones::part;
use crate::tasks::engine::TaskEngine;
use crate::tasks::ids::TaskClass;
use crate::tasks::names::name_hash;
use crate::tasks::world::InstanceId;
use crate::world::Level;
use crate::world::chunks::{Thing, ThingKind, coarse};
use crate::world::props::CAR_BOXES;
use core::fmt::Write as _;
use heapless::{String, Vec};

/// Instances at a time: every object and every car at once, and some for scenes.
pub const INSTANCES: usize = 448;
/// Things that are drawn in a frame at most; a car counts with each of its parts.
pub const MOST_DRAWN: usize = 1024;
/// Things that come into reach at the same time at most.
const APPEARING: usize = 64;
/// Lamps near the eye that light things.
const NEAR_LAMPS: usize = 48;
/// Metres from the eye within which lamps are looked at, and beyond which things are left out.
const LAMP_RANGE: f32 = 34.0;
const SEEN_RANGE: f32 = 60.0;
/// Things smaller than this many pixels from middle to rim are left out.
const SMALLEST: f32 = 3.0;
/// Metres from which on a thing's coarse form is drawn: broken edges are a pixel wide there.
const COARSE_FROM: f32 = 9.0;
/// Metres within which a thing has a shadow, and how dark it is.
const SHADOW_RANGE: f32 = 26.0;
const SHADOW: f32 = 0.6;
/// Width of a car's shadow, as a share of its length.
const CAR_WIDTH: f32 = 0.52;
/// The shadow's texture: a soft veil.
const SHADE: u32 = name_hash("shade");
/// Radians by which an open bonnet or boot lid stands up.
const OPEN: f32 = 0.9;
/// No model.
const NONE: u16 = u16::MAX;

/// Metres from the eye up to which something of a radius is seen, by its size and by the haze.
pub(super) fn reach(radius: f32, focal: f32) -> f32 {
    SEEN_RANGE.min(radius * focal / SMALLEST)
}

/// An instance that a task holds.
#[derive(Clone, Copy, Debug, Default)]
struct Instance {
    model: u16,
    taken: bool,
    /// It is the body of a car.
    is_car: bool,
    /// Parts that stand open, by bit.
    open: u32,
    /// Parts that are no longer on the car, by bit.
    missing: u32,
    /// Where it stood when the ground under it was looked for, and how high that is.
    at: Vec3,
    ground: Option<f32>,
}

/// A car of the level as it is drawn.
#[derive(Clone, Copy, Debug)]
struct CarLook {
    body: u16,
    parts: [u16; PARTS],
    offsets: [Vec3; PARTS],
}

/// Something that is drawn in this frame.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    model: u16,
    pose: Pose,
    /// Height of the ground that its shadow falls on.
    ground: Option<f32>,
    /// It is long, as a car is.
    long: bool,
}

impl Drawn {
    /// A thing without a shadow.
    const fn plain(model: u16, pose: Pose) -> Self {
        Self { model, pose, ground: None, long: false }
    }
}

/// The models of a level and what is seen of them.
pub struct Models {
    names: alloc::vec::Vec<u32>,
    /// The coarse form of each of them, or itself where it has none.
    coarse: alloc::vec::Vec<u16>,
    /// What holds each of them: its radius, and metres around its origin.
    extents: alloc::vec::Vec<(f32, f32)>,
    cars: Vec<CarLook, 18>,
    panes: [u16; TaskClass::Pane.capacity() as usize],
    instances: alloc::boxed::Box<[Instance]>,
    drawn: alloc::vec::Vec<Drawn>,
    glass: alloc::vec::Vec<Drawn>,
    lost: u32,
}

impl Default for Models {
    fn default() -> Self {
        Self {
            names: alloc::vec::Vec::new(),
            coarse: alloc::vec::Vec::new(),
            extents: alloc::vec::Vec::new(),
            cars: Vec::new(),
            panes: [NONE; TaskClass::Pane.capacity() as usize],
            instances: alloc::vec![Instance::default(); INSTANCES].into_boxed_slice(),
            drawn: alloc::vec::Vec::with_capacity(MOST_DRAWN),
            glass: alloc::vec::Vec::with_capacity(TaskClass::Pane.capacity().into()),
            lost: 0,
        }
    }
}

impl Models {
    /// Learns a level's models. Memory for their names comes from the pool on top of the heap stack.
    pub fn load(&mut self, level: Option<&Level>) {
        self.names = level.map_or_else(alloc::vec::Vec::new, |level| level.model_names().collect());
        self.coarse =
            self.names.iter().enumerate().map(|(own, name)| self.find(coarse(*name)).unwrap_or(own as u16)).collect();
        self.extents = level.map_or_else(alloc::vec::Vec::new, |level| {
            let ball = |model: usize| level.model(model as u16).map_or_else(Sphere::default, |mesh| mesh.sphere());
            let balls = (0..self.names.len()).map(ball);
            balls.map(|ball| (ball.radius, ball.centre.length() + ball.radius)).collect()
        });
        self.cars.clear();
        self.panes.fill(NONE);
        self.instances.fill(Instance::default());
        self.begin();
    }

    /// The place of a name's model.
    fn find(&self, name: u32) -> Option<u16> {
        self.names.binary_search(&name).ok().map(|at| at as u16)
    }

    /// The model of a placed thing: `car` or `pane`, its number, and for a part of it the part's.
    fn placed(&self, what: &str, number: usize, part: Option<usize>) -> u16 {
        let mut name = String::<24>::new();
        // Two numbers of three digits have room.
        let _written = match part {
            Some(part) => write!(name, "{what}:{number}.{part}"),
            None => write!(name, "{what}:{number}"),
        };
        self.find(name_hash(&name)).unwrap_or(NONE)
    }

    /// An instance of a name's model.
    pub fn take(&mut self, name: u32) -> Option<InstanceId> {
        let model = self.find(name)?;
        self.take_at(model)
    }

    fn take_at(&mut self, model: u16) -> Option<InstanceId> {
        let slot = self.instances.iter().position(|instance| !instance.taken)?;
        self.instances[slot] = Instance { model, taken: true, ..Instance::default() };
        Some(InstanceId(slot as u16))
    }

    /// An instance of the car that the level places as its number `car`; `offsets` are its parts' places.
    pub fn take_car(&mut self, car: usize, offsets: [Vec3; PARTS]) -> Option<InstanceId> {
        let body = self.placed("car", car, None);
        if body == NONE {
            return None;
        }
        let parts = core::array::from_fn(|part| self.placed("car", car, Some(part)));
        self.cars.push(CarLook { body, parts, offsets }).ok()?;
        let instance = self.take_at(body)?;
        if let Some(own) = self.instances.get_mut(usize::from(instance.0)) {
            own.is_car = true;
        }
        Some(instance)
    }

    /// Queues the level's cars and panes as they are placed, for looking at a level in which nothing lives.
    pub fn show(&mut self, level: &Level) {
        let placed = |thing: Thing| Pose::new(Quat::from_heading(thing.heading), thing.position);
        for (number, car) in level.things(ThingKind::Car).enumerate() {
            let kind = MODELS.iter().position(|model| name_hash(model) == car.name).map(|kind| kind as u8);
            self.push(Drawn {
                ground: Some(car.position.z),
                long: true,
                ..Drawn::plain(self.placed("car", number, None), placed(car))
            });
            for piece in level.car_pieces().filter(|piece| Some(piece.model) == kind && piece.part < CAR_BOXES) {
                let model = self.placed("car", number, Some(piece.part.into()));
                self.push(Drawn::plain(model, placed(car) * Pose::new(Quat::IDENTITY, piece.kind.offset)));
            }
        }
        for (number, pane) in level.things(ThingKind::Pane).enumerate() {
            let model = self.placed("pane", number, None);
            if model != NONE && self.glass.len() < self.glass.capacity() {
                self.glass.push(Drawn::plain(model, placed(pane)));
            }
        }
    }

    /// The pane task in a slot looks like the pane that the level places as its number `pane`.
    pub fn set_pane(&mut self, slot: usize, pane: usize) {
        let model = self.placed("pane", pane, None);
        if let Some(place) = self.panes.get_mut(slot) {
            *place = model;
        }
    }

    /// Takes an instance back.
    pub fn release(&mut self, instance: InstanceId) {
        if let Some(place) = self.instances.get_mut(usize::from(instance.0)) {
            *place = Instance::default();
        }
    }

    /// Opens a part of a car.
    pub fn open_part(&mut self, instance: InstanceId, part: u8) {
        if let Some(place) = self.instances.get_mut(usize::from(instance.0)) {
            place.open |= 1_u32.checked_shl(part.into()).unwrap_or(0);
        }
    }

    /// Begins a frame.
    pub fn begin(&mut self) {
        self.drawn.clear();
        self.glass.clear();
    }

    /// Whether the ground under an instance has to be looked for: it has moved since that was done last.
    pub fn wants_ground(&self, instance: InstanceId, pose: Pose) -> bool {
        const MOVED: f32 = 0.02;
        let own = self.instances.get(usize::from(instance.0));
        own.is_some_and(|own| own.taken && (own.at - pose.position).length_squared() > MOVED * MOVED)
    }

    /// Keeps the ground under an instance; `None` where there is none.
    pub fn set_ground(&mut self, instance: InstanceId, pose: Pose, ground: Option<f32>) {
        if let Some(own) = self.instances.get_mut(usize::from(instance.0)) {
            (own.at, own.ground) = (pose.position, ground);
        }
    }

    /// The radius of an instance's model, and how far around its place it and its shadow may be seen, metres.
    pub fn extent(&self, instance: InstanceId, at: Vec3) -> Option<(f32, f32)> {
        /// How much wider than its body a car with its parts is.
        const CAR_PARTS: f32 = 1.4;
        let own = self.instances.get(usize::from(instance.0)).filter(|own| own.taken)?;
        let &(radius, around) = self.extents.get(usize::from(own.model))?;
        let above = own.ground.map_or(0.0, |ground| (at.z - ground).abs());
        let wide = if own.is_car { around * CAR_PARTS } else { around };
        Some((radius, wide + above))
    }

    /// Takes an instance for this frame.
    pub fn draw_instance(&mut self, instance: InstanceId, pose: Pose) {
        let Some(own) = self.instances.get(usize::from(instance.0)).filter(|own| own.taken).copied() else { return };
        self.push(Drawn { model: own.model, pose, ground: own.ground, long: own.is_car });
        let Some(car) = self.cars.iter().find(|car| own.is_car && car.body == own.model).copied() else { return };
        for number in (0..PARTS).filter(|number| own.missing >> number & 1 == 0) {
            let turn = match 1 << number {
                part::HOOD if own.open >> number & 1 == 1 => Quat::from_axis_angle(Vec3::X, OPEN),
                part::TRUNK if own.open >> number & 1 == 1 => Quat::from_axis_angle(Vec3::X, -OPEN),
                _ => Quat::IDENTITY,
            };
            self.push(Drawn::plain(car.parts[number], pose * Pose::new(turn, car.offsets[number])));
        }
    }

    /// Takes what shows without an instance: parts that have come off cars, and panes that are whole.
    pub fn note(&mut self, tasks: &TaskEngine) {
        let mut next = tasks.first_live(TaskClass::Car);
        while let Some(id) = next {
            next = id.index_in(TaskClass::Car).and_then(|slot| tasks.next_live(TaskClass::Car, slot as u16 + 1));
            let Some((car, instance)) = tasks.car(id).and_then(|car| Some((car, car.instance?))) else { continue };
            let Some(own) = self.instances.get_mut(usize::from(instance.0)) else { continue };
            own.missing = car.removed | car.flying;
            let (model, flying) = (own.model, car.flying & !car.removed);
            let Some(look) = self.cars.iter().find(|look| look.body == model).copied() else { continue };
            for number in (0..PARTS).filter(|number| flying >> number & 1 == 1) {
                if let Some(loose) = &car.parts[number].loose {
                    self.push(Drawn::plain(look.parts[number], loose.pose));
                }
            }
        }
        let mut next = tasks.first_live(TaskClass::Pane);
        while let Some(id) = next {
            let Some(slot) = id.index_in(TaskClass::Pane) else { break };
            next = tasks.next_live(TaskClass::Pane, slot as u16 + 1);
            let (Some(pane), Some(head)) = (tasks.pane(id), tasks.manager.head(id)) else { continue };
            let model = self.panes.get(slot).copied().unwrap_or(NONE);
            if !pane.broken && model != NONE && self.glass.len() < self.glass.capacity() {
                let pose = Pose::new(head.rotation, head.position);
                self.glass.push(Drawn::plain(model, pose));
            }
        }
    }

    fn push(&mut self, drawn: Drawn) {
        if drawn.model == NONE {
            return;
        }
        if self.drawn.len() == self.drawn.capacity() {
            self.lost = self.lost.saturating_add(1);
        } else {
            self.drawn.push(drawn);
        }
    }

    /// Things in the queue.
    pub fn count(&self) -> usize {
        self.drawn.len() + self.glass.len()
    }

    /// Things for which there was no room so far.
    pub fn lost(&self) -> u32 {
        self.lost
    }
}

impl Things {
    /// Draws the models that were queued, glass last.
    pub(super) fn draw_models(&self, scene: &mut Scene<'_, '_, '_>, level: &Level) {
        let (eye, focal) = (scene.camera().eye, scene.camera().focal);
        let all = self.lighting.lights();
        let mut near = Vec::<Lamp, NEAR_LAMPS>::new();
        let lit = |lamp: &&Lamp| {
            lamp.colour != Vec3::ZERO && (lamp.position - eye).length_squared() < LAMP_RANGE * LAMP_RANGE
        };
        // With more lamps than that the last ones light nothing; nobody sees which.
        all.lamps.iter().filter(lit).take(NEAR_LAMPS).for_each(|lamp| {
            let _room = near.push(*lamp);
        });
        let lights = Lights { lamps: &near, ..all };
        // What is just coming into reach shows what is behind it and so is drawn last.
        let mut appearing = Vec::<(&Drawn, f32), APPEARING>::new();
        for drawn in self.models.drawn.iter().chain(&self.models.glass) {
            let Drawn { model, pose, ground, long } = drawn;
            let Some(mut mesh) = level.model(*model) else { continue };
            let ball = mesh.sphere();
            let middle = pose.point(ball.centre);
            let distance = (middle - eye).length();
            let reach = reach(ball.radius, focal);
            if distance > reach {
                continue;
            }
            if distance > COARSE_FROM
                && let Some(coarse) = self.models.coarse.get(usize::from(*model)).filter(|coarse| **coarse != *model)
            {
                mesh = level.model(*coarse).unwrap_or(mesh);
            }
            let cover = cover_at(distance, reach);
            // With more of them at once than that the others are seen whole a little early.
            if cover == 1.0 || appearing.push((drawn, cover)).is_err() {
                scene.draw_object(&mesh, pose, &lights);
            }
            let shadow = cover_at(distance, SHADOW_RANGE.min(reach));
            if let Some(ground) = ground.filter(|_| shadow > 0.0) {
                let width = if *long { ball.radius * CAR_WIDTH } else { ball.radius };
                scene.shadow(&Shadow {
                    texture: SHADE,
                    centre: Vec3::new(middle.x, middle.y, ground),
                    normal: Vec3::Z,
                    half: (ball.radius, width),
                    along: pose.rotation.axis_y(),
                    strength: SHADOW * shadow,
                });
            }
        }
        for (Drawn { model, pose, .. }, cover) in appearing {
            if let Some(mesh) = level.model(*model) {
                scene.draw_object_with(&mesh, pose, &lights, cover);
            }
        }
    }
}
