//! Kinds of solid things in a level's file: objects, glass, and what cars are made of.
//!
//! Source: seed 000, World objects: Object types; seed 002, Cars. Our choice: the records' layout.

use super::chunks::{Record, float};
use crate::maths::Vec3;
use crate::physics::create::{CarBox, ObjectShape};
use crate::physics::settle::RestAxes;
use crate::tasks::cars::{CarType, PartType};
use crate::tasks::glass::GlassType;
use crate::tasks::names::name_hash;
use crate::tasks::objects::types::{ObjectType, Touch};
use alloc::vec::Vec;

/// Words of a name, and its bytes: the original's record has room for 26 letters.
const NAME_WORDS: usize = 7;
const NAME_BYTES: usize = NAME_WORDS * 4;

/// Numbers of a body's shape.
mod shape {
    pub const NONE: f32 = 0.0;
    pub const BOX: f32 = 1.0;
    pub const SPHERE: f32 = 2.0;
    pub const SPECIAL: f32 = 3.0;
}

/// Numbers of what a touch gives.
mod touch {
    pub const NOTHING: u16 = 0;
    pub const HEALTH: u16 = 1;
    pub const ITEM: u16 = 2;
}

/// A bit beside the wear: it can be picked up by hand.
const PICKABLE: u32 = 1 << 16;

fn name_words(name: &str) -> [u32; NAME_WORDS] {
    let mut bytes = [0; NAME_BYTES];
    bytes.iter_mut().zip(name.bytes()).for_each(|(to, from)| *to = from);
    core::array::from_fn(|at| {
        u32::from_le_bytes([bytes[4 * at], bytes[4 * at + 1], bytes[4 * at + 2], bytes[4 * at + 3]])
    })
}

/// The name in words; empty for what is none.
fn name_of(words: &[u32]) -> heapless::String<26> {
    let bytes = words.iter().take(NAME_WORDS).flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0);
    let mut name = heapless::String::new();
    for byte in bytes.filter(u8::is_ascii_graphic) {
        // A longer name is cut, as the record's is.
        let _room = name.push(char::from(byte));
    }
    name
}

impl Record for ObjectType {
    const BYTES: usize = 128;

    fn to_words(&self) -> Vec<u32> {
        let f = f32::to_bits;
        let (form, size, centre) = match self.shape {
            ObjectShape::None => (shape::NONE, Vec3::ZERO, Vec3::ZERO),
            ObjectShape::Box { size, centre } => (shape::BOX, size, centre),
            ObjectShape::Sphere { size, centre } => (shape::SPHERE, size, centre),
            ObjectShape::Special => (shape::SPECIAL, Vec3::ZERO, Vec3::ZERO),
        };
        let (gives, amount) = match self.touch {
            Touch::Nothing => (touch::NOTHING, 0),
            Touch::Health(points) => (touch::HEALTH, points),
            Touch::Item => (touch::ITEM, 0),
        };
        let [first, second] = self.wear;
        let mut words = Vec::from(name_words(&self.name));
        words.extend(name_words(&self.second_name));
        words.extend([
            u32::from_le_bytes([self.kind, self.axes.0, first, second]),
            u32::from(self.physics_flags) | if self.pickable { PICKABLE } else { 0 },
            u32::from(gives) | (amount as u32) << 16,
            self.contact_damage as u32,
            f(size.x),
            f(size.y),
            f(size.z),
            f(form),
            f(centre.x),
            f(centre.y),
            f(centre.z),
            f(self.weight),
            f(self.restitution),
            self.model,
            self.break_effects[0],
            self.break_effects[1],
            self.impact_sound,
            0,
        ]);
        words
    }

    fn from_words(words: &[u32]) -> Option<Self> {
        let (name, rest) = words.split_at_checked(NAME_WORDS)?;
        let (second_name, rest) = rest.split_at_checked(NAME_WORDS)?;
        let word = |at: usize| rest.get(at).copied();
        let number = |at: usize| float(word(at)?);
        let vector = |at: usize| Some(Vec3::new(number(at)?, number(at + 1)?, number(at + 2)?));
        let [kind, axes, first, second] = word(0)?.to_le_bytes();
        let (size, centre) = (vector(4)?, vector(8)?);
        let shape = match number(7)? {
            form if form == shape::BOX => ObjectShape::Box { size, centre },
            form if form == shape::SPHERE => ObjectShape::Sphere { size, centre },
            form if form == shape::SPECIAL => ObjectShape::Special,
            _ => ObjectShape::None,
        };
        let gives = word(2)?;
        let name = name_of(name);
        Some(Self {
            hash: name_hash(&name),
            second_name: name_of(second_name),
            kind,
            shape,
            weight: number(11)?,
            restitution: number(12)?,
            axes: RestAxes(axes),
            physics_flags: word(1)? as u16,
            wear: [first, second],
            model: word(13)?,
            touch: match gives as u16 {
                touch::HEALTH => Touch::Health((gives >> 16) as i32),
                touch::ITEM => Touch::Item,
                _ => Touch::Nothing,
            },
            pickable: word(1)? & PICKABLE != 0,
            break_effects: [word(14)?, word(15)?],
            impact_sound: word(16)?,
            contact_damage: word(3)? as i32,
            name,
            ..Self::default()
        })
    }
}

impl Record for GlassType {
    const BYTES: usize = 32;

    fn to_words(&self) -> Vec<u32> {
        let [x, y, z] = self.half.to_array().map(f32::to_bits);
        Vec::from([self.name, self.strength as u32, self.splinters, self.sound, x, y, z, 0])
    }

    fn from_words(words: &[u32]) -> Option<Self> {
        let &[name, strength, splinters, sound, x, y, z, _] = words.first_chunk::<8>()?;
        let half = Vec3::new(float(x)?, float(y)?, float(z)?);
        Some(Self { name, half, strength: strength as i32, splinters, sound })
    }
}

/// One part, or one of the two boxes, of a car's model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CarPiece {
    /// The model's number.
    pub model: u8,
    /// Which part, or [`CAR_BOXES`] and up for its boxes.
    pub part: u8,
    /// What the part is; a box uses its extents and offset alone.
    pub kind: PartType,
}

/// Numbers of [`CarPiece::part`] from here on are a car's two boxes.
pub const CAR_BOXES: u8 = 0x80;
/// A part that goes with no other.
const NO_LINK: u8 = 0xff;
/// Bit beside the link: the part swings on a hinge first.
const HINGED: u32 = 1 << 8;

impl CarPiece {
    /// Puts it into a type.
    pub fn add_to(&self, kind: &mut CarType) {
        if self.part >= CAR_BOXES {
            if let Some(place) = kind.boxes.get_mut(usize::from(self.part - CAR_BOXES)) {
                *place = CarBox { half: self.kind.half, offset: self.kind.offset };
            }
        } else if let Some(place) = kind.parts.get_mut(usize::from(self.part)) {
            *place = self.kind;
        }
    }
}

impl Record for CarPiece {
    const BYTES: usize = 48;

    fn to_words(&self) -> Vec<u32> {
        let f = f32::to_bits;
        let kind = &self.kind;
        let linked = u32::from(kind.linked.unwrap_or(NO_LINK)) | if kind.hinged { HINGED } else { 0 };
        Vec::from([
            u32::from_le_bytes([self.model, self.part, 0, 0]),
            linked,
            kind.strength as u32,
            kind.sound,
            f(kind.half.x),
            f(kind.half.y),
            f(kind.half.z),
            f(kind.restitution),
            f(kind.offset.x),
            f(kind.offset.y),
            f(kind.offset.z),
            0,
        ])
    }

    fn from_words(words: &[u32]) -> Option<Self> {
        let &[place, linked, strength, sound, hx, hy, hz, restitution, ox, oy, oz, _] = words.first_chunk::<12>()?;
        let vector = |x, y, z| Some(Vec3::new(float(x)?, float(y)?, float(z)?));
        let [model, part, ..] = place.to_le_bytes();
        let kind = PartType {
            half: vector(hx, hy, hz)?,
            offset: vector(ox, oy, oz)?,
            restitution: float(restitution)?,
            strength: strength as i32,
            linked: Some(linked as u8).filter(|part| *part != NO_LINK),
            hinged: linked & HINGED != 0,
            sound,
        };
        Some(Self { model, part, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunks::{bytes, records};
    use super::*;

    #[test]
    fn object_types_come_back_as_they_were_written() {
        let shape = ObjectShape::Box { size: Vec3::new(0.1, 0.2, 0.3), centre: Vec3::Z };
        let bat = ObjectType {
            shape,
            weight: 3.0,
            restitution: 0.2,
            axes: RestAxes::XZ,
            wear: [4, 0],
            model: 77,
            pickable: true,
            touch: Touch::Health(25),
            break_effects: [5, 6],
            contact_damage: 12,
            ..ObjectType::named("bat", 3)
        };
        let door = ObjectType { second_name: bat.name.clone(), ..ObjectType::named("door_wood", 15) };
        let all: Vec<Option<ObjectType>> = records(&bytes(&[bat.clone(), door.clone()])).collect();
        assert_eq!(all, [Some(bat), Some(door)]);
    }

    #[test]
    fn glass_and_car_pieces_come_back_as_they_were_written() {
        let glass = GlassType { name: 4, half: Vec3::X, strength: 30, splinters: 9, sound: 2 };
        assert_eq!(records::<GlassType>(&bytes(&[glass])).next(), Some(Some(glass)));
        let kind = PartType { half: Vec3::X, offset: Vec3::Y, strength: 40, linked: Some(3), ..PartType::default() };
        let piece = CarPiece { model: 2, part: 5, kind };
        assert_eq!(records::<CarPiece>(&bytes(&[piece])).next(), Some(Some(piece)));
        let lone = CarPiece { kind: PartType { linked: None, hinged: true, ..kind }, ..piece };
        assert_eq!(records::<CarPiece>(&bytes(&[lone])).next(), Some(Some(lone)));
        let mut record = CarType::default();
        piece.add_to(&mut record);
        CarPiece { part: CAR_BOXES + 1, ..piece }.add_to(&mut record);
        assert_eq!((record.parts[5], record.boxes[1].half), (kind, Vec3::X));
    }
}
