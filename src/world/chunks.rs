//! What lies in a level's file: chunk types and records, for the reader and for the build.
//!
//! | chunk | holds | id |
//! | --- | --- | --- |
//! | 0x17 | [`Header`] | CRC-32 of the level's name |
//! | 0x52 0x07 0x04 0x05 0x06 0x03 | the collision mesh, in this order | |
//! | 0x40 | a [`mesh`](crate::graphics::mesh) of a cell | the cell's number with bits of [`cell`] |
//! | 0x41 | a [texture](crate::graphics::texture_file) | CRC-32 of its name |
//! | 0x42 | [`Thing`]s | |
//! | 0x43 | [`Glow`]s | |
//! | 0x44 | [`Lamp`]s | |
//! | 0x46 | ways: a record of name, count, closed, width, then so many points | |
//! | 0x47 | [`ParticleKind`](super::kinds::ParticleKind)s | |
//! | 0x48 | a [`mesh`](crate::graphics::mesh) of what moves | CRC-32 of its name |
//! | 0x49 | [`ObjectType`](crate::tasks::objects::types::ObjectType)s | |
//! | 0x4a | [`GlassType`](crate::tasks::glass::GlassType)s | |
//! | 0x4b | [`CarPiece`](super::props::CarPiece)s | |
//! | 0x4c | [`PartRecord`]s: what lies in files of its own | |
//! | 0x24 0x23 0x22 | placed objects, as the TaskEngine reads them | |
//!
//! All records are whole quadwords of little-endian words and floats.
//!
//! Source: support systems, Chunk system (0x17 and the mesh's chunks); seed 000, The level's placed objects. Our choice:
//! types 0x40 to 0x4c, which the documents leave unnamed, and every record's layout.

use crate::chunk::ChunkType;
use crate::graphics::light;
use crate::maths::Vec3;
use alloc::vec::Vec;

const fn kind(number: u32) -> ChunkType {
    match ChunkType::new(number) {
        Some(kind) => kind,
        None => ChunkType::NONE,
    }
}

/// A cell's mesh.
pub const CELL: ChunkType = kind(0x40);
/// A texture.
pub const TEXTURE: ChunkType = kind(0x41);
/// Things.
pub const THINGS: ChunkType = kind(0x42);
/// Halos.
pub const GLOWS: ChunkType = kind(0x43);
/// Lamps.
pub const LAMPS: ChunkType = kind(0x44);
/// Ways.
pub const PATHS: ChunkType = kind(0x46);
/// A model, its name's hash its id; the coarse form of one has that id turned over, see [`coarse`].
pub const MODEL: ChunkType = kind(0x48);
/// Types of objects.
pub const OBJECT_TYPES: ChunkType = kind(0x49);
/// Types of glass.
pub const GLASS_TYPES: ChunkType = kind(0x4a);
/// What cars are made of.
pub const CAR_PIECES: ChunkType = kind(0x4b);
/// The level's parts.
pub const PARTS: ChunkType = kind(0x4c);
/// Kinds of particles.
pub const PARTICLES: ChunkType = kind(0x47);
/// Names of placed objects' types, placements and zones. Source: seed 000, The level's placed objects.
pub const OBJECTS: [ChunkType; 3] = [kind(0x24), kind(0x23), kind(0x22)];

/// The id of a model's coarse form, which is seen from afar.
pub const fn coarse(model: u32) -> u32 {
    !model
}

/// Bits of a cell's id beside its number.
pub mod cell {
    /// The number.
    pub const NUMBER: u32 = 0xffff;
    /// Small things, drawn from near by only.
    pub const DETAIL: u32 = 0x1_0000;
    /// Things that are left out from afar.
    pub const MIDDLE: u32 = 0x8_0000;
    /// Far scenery, always drawn.
    pub const BACKDROP: u32 = 0x2_0000;
    /// Moving water.
    pub const WATER: u32 = 0x4_0000;
    /// Wet ground, flat and level, in which lights and things are seen mirrored.
    pub const WET: u32 = 0x10_0000;
}

/// The first word of a header: `BLVL`.
pub const MAGIC: u32 = u32::from_le_bytes(*b"BLVL");
/// The layout's version.
pub const VERSION: u32 = 1;
/// Floats further out than this are no places but damage. Metres.
pub const FURTHEST: f32 = 1e6;

/// Words of a record, and from them again.
pub trait Record: Sized {
    /// Bytes of a record.
    const BYTES: usize;
    /// The record's words.
    fn to_words(&self) -> Vec<u32>;
    /// The record of these words; `None` when a number in it cannot be.
    fn from_words(words: &[u32]) -> Option<Self>;
}

/// The bytes of records.
pub fn bytes<R: Record>(records: &[R]) -> Vec<u8> {
    records.iter().flat_map(|record| record.to_words()).flat_map(u32::to_le_bytes).collect()
}

/// The records in a chunk's bytes; `None` for one that is damaged.
pub fn records<R: Record>(bytes: &[u8]) -> impl ExactSizeIterator<Item = Option<R>> + '_ {
    bytes.chunks_exact(R::BYTES).map(|record| {
        let mut words = [0; MOST_WORDS];
        for (word, bytes) in words.iter_mut().zip(record.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        R::from_words(words.get(..R::BYTES / 4)?)
    })
}

/// Words of the largest record.
const MOST_WORDS: usize = 32;

fn put(vector: Vec3, fourth: f32) -> [u32; 4] {
    [vector.x, vector.y, vector.z, fourth].map(f32::to_bits)
}

/// A float from its bits, unless it is none or out of the world.
pub(super) fn float(bits: u32) -> Option<f32> {
    const EXPONENT: u32 = 0x7f80_0000;
    let value = f32::from_bits(bits);
    (bits & EXPONENT != EXPONENT && value.abs() <= FURTHEST).then_some(value)
}

/// The vector and the fourth float of the quadword at `at`.
fn quad(words: &[u32], at: usize) -> Option<(Vec3, f32)> {
    let &[x, y, z, w] = words.get(at * 4..)?.first_chunk::<4>()?;
    Some((Vec3::new(float(x)?, float(y)?, float(z)?), float(w)?))
}

/// A part of a level, which has a file of its own with the meshes of its cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartRecord {
    /// Middle of the ball around all that it shows, metres.
    pub centre: Vec3,
    /// Radius of that ball, metres.
    pub radius: f32,
    /// Bytes that it takes at most.
    pub bytes: u32,
    /// Cells in it.
    pub cells: u32,
}

impl Record for PartRecord {
    const BYTES: usize = 32;

    fn to_words(&self) -> Vec<u32> {
        let mut words = Vec::from(put(self.centre, self.radius));
        words.extend([self.bytes, self.cells, 0, 0]);
        words
    }

    fn from_words(words: &[u32]) -> Option<Self> {
        let (centre, radius) = quad(words, 0)?;
        let &[bytes, cells, ..] = words.get(4..)?.first_chunk::<4>()?;
        (radius >= 0.0 && cells <= cell::NUMBER).then_some(Self { centre, radius, bytes, cells })
    }
}

/// A level's header.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Header {
    /// CRC-32 of the level's name.
    pub name: u32,
    /// The lowest corner of all that is met, metres.
    pub min: Vec3,
    /// The highest corner.
    pub max: Vec3,
    /// Height of the sea, metres.
    pub sea: f32,
    /// Metres beyond which cells are not drawn.
    pub far: f32,
    /// Metres beyond which things are left out.
    pub middle: f32,
    /// Metres beyond which small things are not drawn.
    pub detail: f32,
    /// What far things fade into.
    pub haze: Vec3,
    /// Metres from which on the haze is seen.
    pub haze_start: f32,
    /// Metres at which it is thickest.
    pub haze_end: f32,
    /// How much it hides there, 0 to 1.
    pub haze_most: f32,
    /// The sky overhead.
    pub zenith: Vec3,
    /// Light from everywhere, for what moves.
    pub ambient: Vec3,
    /// Unit vector to the moon.
    pub moon_towards: Vec3,
    /// The moon's light.
    pub moon: Vec3,
}

impl Record for Header {
    const BYTES: usize = 128;

    fn to_words(&self) -> Vec<u32> {
        let mut words = Vec::from([MAGIC, VERSION, self.name, 0]);
        words.extend(put(self.min, self.sea));
        words.extend(put(self.max, self.far));
        words.extend(put(self.haze, self.haze_start));
        words.extend(put(self.zenith, self.haze_end));
        words.extend(put(self.ambient, self.haze_most));
        words.extend(put(self.moon_towards, self.detail));
        words.extend(put(self.moon, self.middle));
        words
    }

    fn from_words(words: &[u32]) -> Option<Self> {
        let &[magic, version, name, _] = words.first_chunk::<4>()?;
        if magic != MAGIC || version != VERSION {
            return None;
        }
        let (min, sea) = quad(words, 1)?;
        let (max, far) = quad(words, 2)?;
        let (haze, haze_start) = quad(words, 3)?;
        let (zenith, haze_end) = quad(words, 4)?;
        let (ambient, haze_most) = quad(words, 5)?;
        let (moon_towards, detail) = quad(words, 6)?;
        let (moon, middle) = quad(words, 7)?;
        Some(Self {
            name,
            min,
            max,
            sea,
            far,
            middle,
            detail,
            haze,
            haze_start,
            haze_end,
            haze_most,
            zenith,
            ambient,
            moon_towards,
            moon,
        })
    }
}

/// Lists of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum ThingKind {
    /// A parked car.
    Car = 1,
    /// A pane of glass.
    Pane = 2,
    /// A point with a name.
    Flag = 3,
    /// A box that scripts ask about.
    Volume = 4,
    /// A box for players.
    Player = 5,
    /// A gang's ground.
    Turf = 6,
    /// A named view; the first half extent is the angle by which it looks down, in radians.
    View = 7,
    /// Steam, litter and other particles.
    Emitter = 8,
}

impl ThingKind {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Car, Self::Pane, Self::Flag, Self::Volume, Self::Player, Self::Turf, Self::View, Self::Emitter];

    fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u32 == number)
    }
}

/// Something with a name, a place and a heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thing {
    /// Which list it belongs to.
    pub kind: ThingKind,
    /// CRC-32 of its name.
    pub name: u32,
    /// Metres.
    pub position: Vec3,
    /// Radians, clockwise from +y.
    pub heading: f32,
    /// Half extents, metres.
    pub half: Vec3,
}

impl Record for Thing {
    const BYTES: usize = 48;

    fn to_words(&self) -> Vec<u32> {
        let mut words = Vec::from([self.kind as u32, self.name, 0, 0]);
        words.extend(put(self.position, self.heading));
        words.extend(put(self.half, 0.0));
        words
    }

    fn from_words(words: &[u32]) -> Option<Self> {
        let &[kind, name, _, _] = words.first_chunk::<4>()?;
        let (position, heading) = quad(words, 1)?;
        let (half, _) = quad(words, 2)?;
        Some(Self { kind: ThingKind::of(kind)?, name, position, heading, half })
    }
}

/// What a halo does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Glimmer {
    /// Burns evenly.
    Steady = 0,
    /// Breathes and sometimes fails for a moment.
    Flicker = 1,
    /// One of a chain of bulbs along which light runs.
    Chase = 2,
}

/// A halo around a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glow {
    /// Its middle, metres.
    pub position: Vec3,
    /// Metres from its middle to its rim.
    pub radius: f32,
    /// Its colour.
    pub colour: Vec3,
    /// What it does.
    pub glimmer: Glimmer,
    /// Belongs to the far scenery.
    pub backdrop: bool,
}

const GLOW_BACKDROP: u32 = 0x100;

impl Record for Glow {
    const BYTES: usize = 32;

    fn to_words(&self) -> Vec<u32> {
        let mut words = Vec::from(put(self.position, self.radius));
        let [x, y, z, _] = put(self.colour, 0.0);
        words.extend([x, y, z, self.glimmer as u32 | if self.backdrop { GLOW_BACKDROP } else { 0 }]);
        words
    }

    fn from_words(words: &[u32]) -> Option<Self> {
        let (position, radius) = quad(words, 0)?;
        let &[x, y, z, bits] = words.get(4..)?.first_chunk::<4>()?;
        let glimmer = match bits & !GLOW_BACKDROP {
            0 => Glimmer::Steady,
            1 => Glimmer::Flicker,
            2 => Glimmer::Chase,
            _ => return None,
        };
        let colour = Vec3::new(float(x)?, float(y)?, float(z)?);
        Some(Self { position, radius, colour, glimmer, backdrop: bits & GLOW_BACKDROP != 0 })
    }
}

/// A lamp, for what moves near it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// Its light comes from here, metres.
    pub position: Vec3,
    /// Metres at which half of its light is left.
    pub reach: f32,
    /// Its light close by.
    pub colour: Vec3,
}

impl Lamp {
    /// The renderer's lamp.
    pub const fn to_light(self) -> light::Lamp {
        light::Lamp { position: self.position, colour: self.colour, reach: self.reach }
    }
}

impl Record for Lamp {
    const BYTES: usize = 32;

    fn to_words(&self) -> Vec<u32> {
        let mut words = Vec::from(put(self.position, self.reach));
        words.extend(put(self.colour, 0.0));
        words
    }

    fn from_words(words: &[u32]) -> Option<Self> {
        let (position, reach) = quad(words, 0)?;
        let (colour, _) = quad(words, 1)?;
        Some(Self { position, reach, colour })
    }
}

/// A way that people walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path<'a> {
    /// CRC-32 of its name.
    pub name: u32,
    /// Its last point leads to its first.
    pub closed: bool,
    /// Metres to each side that are free.
    pub width: f32,
    points: &'a [u8],
}

/// Bytes of a way's record, and of each point behind it.
const PATH_BYTES: usize = 16;

impl<'a> Path<'a> {
    /// Its points, metres.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Vec3> + use<'a> {
        self.points.chunks_exact(PATH_BYTES).map(|point| {
            let axis = |at: usize| f32::from_le_bytes([point[at], point[at + 1], point[at + 2], point[at + 3]]);
            Vec3::new(axis(0), axis(4), axis(8))
        })
    }

    /// The bytes of a way.
    pub fn write(name: u32, closed: bool, width: f32, points: &[Vec3]) -> Vec<u8> {
        let mut words = Vec::from([name, points.len() as u32, u32::from(closed), width.to_bits()]);
        words.extend(points.iter().flat_map(|point| put(*point, 0.0)));
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }
}

/// The ways in a chunk's bytes; ends at the first that is damaged.
pub fn paths(mut bytes: &[u8]) -> impl Iterator<Item = Path<'_>> {
    core::iter::from_fn(move || {
        let (record, rest) = bytes.split_at_checked(PATH_BYTES)?;
        let word = |at: usize| u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
        let (points, rest) = rest.split_at_checked((word(4) as usize).checked_mul(PATH_BYTES)?)?;
        let sound = points
            .chunks_exact(4)
            .all(|bits| float(u32::from_le_bytes([bits[0], bits[1], bits[2], bits[3]])).is_some());
        let width = float(word(12)).filter(|_| sound)?;
        bytes = rest;
        Some(Path { name: word(0), closed: word(8) != 0, width, points })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_as_they_were_written() {
        let header = Header { name: 7, far: 130.0, haze: Vec3::X, haze_most: 0.9, ..Header::default() };
        assert_eq!(records::<Header>(&bytes(&[header])).next(), Some(Some(header)));
        let thing = Thing { kind: ThingKind::Pane, name: 9, position: Vec3::Y, heading: 1.5, half: Vec3::splat(2.0) };
        let all: Vec<Option<Thing>> = records(&bytes(&[thing, thing])).collect();
        assert_eq!(all, [Some(thing); 2]);
        let glow = Glow { position: Vec3::Z, radius: 2.0, colour: Vec3::X, glimmer: Glimmer::Chase, backdrop: true };
        assert_eq!(records::<Glow>(&bytes(&[glow])).next(), Some(Some(glow)));
        let lamp = Lamp { position: Vec3::Z, reach: 3.0, colour: Vec3::splat(2.0) };
        assert_eq!(records::<Lamp>(&bytes(&[lamp])).next(), Some(Some(lamp)));
    }

    #[test]
    fn ways_come_back_with_their_points_and_end_at_damage() {
        let mut all = Path::write(3, true, 1.5, &[Vec3::X, Vec3::Y]);
        all.extend(Path::write(4, false, 2.0, &[Vec3::Z]));
        let read: Vec<(u32, bool, usize)> =
            paths(&all).map(|path| (path.name, path.closed, path.points().len())).collect();
        assert_eq!(read, [(3, true, 2), (4, false, 1)]);
        assert_eq!(paths(&all).next().unwrap().points().last(), Some(Vec3::Y));
        assert_eq!(paths(&all[..all.len() - 1]).count(), 1);
        all[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(paths(&all).count(), 0);
    }

    #[test]
    fn numbers_that_cannot_be_make_a_record_damaged() {
        let mut glow = bytes(&[Lamp { position: Vec3::Z, reach: 3.0, colour: Vec3::X }]);
        glow[0..4].copy_from_slice(&0x7f80_0001_u32.to_le_bytes());
        assert_eq!(records::<Lamp>(&glow).next(), Some(None));
        glow[0..4].copy_from_slice(&1e9_f32.to_le_bytes());
        assert_eq!(records::<Lamp>(&glow).next(), Some(None));
        assert_eq!(records::<Thing>(&[0; 48]).next(), Some(None));
    }
}
