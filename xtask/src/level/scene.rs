//! What the pieces of a level make: patches to be drawn, faces to be met, lights, and things with a place.

use super::catalogue::Catalogue;
use super::catalogue::models::Model;
use super::materials::{MaterialId, Materials};
use super::source::Place;
use boardwalk::collision::TriangleFlags;
use boardwalk::maths::Vec3;
pub use boardwalk::world::chunks::{Glimmer, Glow};
use boardwalk::world::props::CarPiece;

/// A quadrilateral to be drawn, with corners in ring order, counter-clockwise seen from its front. A triangle has its last
/// corner twice.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Corners in metres.
    pub corners: [Vec3; 4],
    /// The surface's unit normal at each corner.
    pub normals: [Vec3; 4],
    /// Texture coordinates of each corner, 1 a whole picture.
    pub uv: [[f32; 2]; 4],
    /// Into how many parts its first and its second side are divided, so that light can vary.
    pub parts: [u16; 2],
    /// What it is made of.
    pub material: MaterialId,
    /// Multiplies the material's colour.
    pub tint: Vec3,
    /// Light of its own, 1.0 the texture's full brightness.
    pub glow: f32,
    /// Drawn only from near by.
    pub near: bool,
    /// Drawn from near by and from the middle distance.
    pub middle: bool,
    /// Keeps light from what lies behind it.
    pub casts: bool,
    /// Far scenery: lit evenly, and seen without the haze, which its colour has already.
    pub backdrop: bool,
    /// One of the two layers of moving water.
    pub water: Option<u8>,
    /// The part of a car that it belongs to.
    pub part: Option<u8>,
    /// The statement that it comes from.
    pub place: Place,
}

/// A triangle to be met.
#[derive(Clone, Debug)]
pub struct SolidFace {
    /// Corners in metres, counter-clockwise seen from the front.
    pub corners: [Vec3; 3],
    /// What it is.
    pub flags: TriangleFlags,
    /// Material number.
    pub surface: u8,
    /// Area number.
    pub area: u8,
    /// The statement that it comes from.
    pub place: Place,
}

/// A lamp that lights what is around it.
#[derive(Clone, Debug)]
pub struct Lamp {
    /// Where its light comes from.
    pub position: Vec3,
    /// Its light close by.
    pub colour: Vec3,
    /// Metres at which half is left.
    pub reach: f32,
    /// Metres across; large sources have soft shadows.
    pub size: f32,
}

/// Something with a name, a place and a heading.
#[derive(Clone, Debug)]
pub struct Thing {
    /// What: an object's type, a flag's name, a view's name.
    pub name: String,
    /// Metres.
    pub position: Vec3,
    /// Radians, clockwise from +y.
    pub heading: f32,
    /// Half extents for boxes, panes and doors, metres.
    pub half: Vec3,
    /// Zone, for objects.
    pub zone: u8,
    /// Seconds until it comes back, for objects; 0 for never.
    pub respawn: u16,
    /// Belongs to somebody, for objects.
    pub owned: bool,
    /// The statement.
    pub place: Place,
}

/// Which list a thing belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThingKind {
    /// An object that the task engine spawns.
    Object,
    /// A parked car.
    Car,
    /// A pane of glass.
    Pane,
    /// A point with a name.
    Flag,
    /// A box that scripts ask about.
    Volume,
    /// A box for players.
    Player,
    /// A gang's ground.
    Turf,
    /// A named view: half is unused, the pitch is in `half.x`.
    View,
    /// Steam, litter and other particles.
    Emitter,
}

/// A way that people walk: points and which follow which.
#[derive(Clone, Debug)]
pub struct Path {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Vec<Vec3>,
    /// The last leads to the first.
    pub closed: bool,
    /// Metres to each side that are free.
    pub width: f32,
    /// The statement.
    pub place: Place,
}

/// The air and the light from far away.
#[derive(Clone, Debug)]
pub struct Air {
    /// What far things fade into.
    pub fog: Vec3,
    /// Metres from which on the haze is seen.
    pub start: f32,
    /// Metres at which it is thickest.
    pub end: f32,
    /// How much it hides there, 0 to 1.
    pub most: f32,
    /// The sky overhead.
    pub zenith: Vec3,
    /// Light from everywhere.
    pub ambient: Vec3,
    /// Towards the moon.
    pub moon_towards: Vec3,
    /// The moon's light.
    pub moon: Vec3,
    /// Height of the sea, metres.
    pub sea: f32,
    /// How the light's noise differs from surface to surface, as a share.
    pub noise: f32,
}

impl Default for Air {
    fn default() -> Self {
        Self {
            fog: Vec3::new(0.18, 0.17, 0.29),
            start: 8.0,
            end: 120.0,
            most: 0.92,
            zenith: Vec3::new(0.03, 0.03, 0.08),
            ambient: Vec3::new(0.14, 0.14, 0.25),
            moon_towards: Vec3::new(-0.70, 0.30, 0.648),
            moon: Vec3::new(0.18, 0.23, 0.38),
            sea: -4.0,
            noise: 0.06,
        }
    }
}

/// Everything that a level is made of.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The level's name.
    pub name: String,
    /// What surfaces are made of.
    pub materials: Materials,
    /// Air and far light.
    pub air: Air,
    /// What is drawn.
    pub patches: Vec<Patch>,
    /// What is met.
    pub solids: Vec<SolidFace>,
    /// What lights.
    pub lamps: Vec<Lamp>,
    /// Halos.
    pub glows: Vec<Glow>,
    /// Things by their lists.
    pub things: Vec<(ThingKind, Thing)>,
    /// Ways.
    pub paths: Vec<Path>,
    /// Zones that are on when the level begins.
    pub zones: Vec<u8>,
    /// Models of what the level itself places: cars and panes.
    pub models: Vec<Model>,
    /// What the cars are made of.
    pub car_pieces: Vec<CarPiece>,
    /// The kinds of things.
    pub catalogue: Catalogue,
}

impl Scene {
    /// The things of a list.
    pub fn things_of(&self, kind: ThingKind) -> impl Iterator<Item = &Thing> {
        self.things.iter().filter(move |(own, _)| *own == kind).map(|(_, thing)| thing)
    }
}
