//! Sprites and shadows: rectangles in the world.

use super::super::mesh::{Flags, REVERSED, SKIP};
use crate::ee::vu0::transform::Vertex;
use crate::maths::Vec3;

/// Vertices of a rectangle.
pub(super) const CORNERS: usize = 4;
/// Vertices of the rectangles that are transformed together.
pub(super) const CORNERS_AT_ONCE: usize = 240;

/// A picture that always faces the eye: a glow, a spark, a puff.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprite {
    /// Its texture, see [`texture_file::name`](super::super::texture_file::name); 0 for none.
    pub texture: u32,
    /// The texture's part: left, upper, right and lower, 0 to 1.
    pub part: [f32; 4],
    /// Its middle.
    pub centre: Vec3,
    /// Half its width and height in metres.
    pub half: (f32, f32),
    /// How far it is turned, in radians, clockwise as seen.
    pub turn: f32,
    /// Red, green, blue and alpha; 0x80 leaves the texture as it is.
    pub colour: [u8; 4],
    /// [`Flags::ADD`] for light, [`Flags::BLEND`] for smoke, and what else a material may have.
    pub flags: Flags,
}

impl Default for Sprite {
    fn default() -> Self {
        Self {
            texture: 0,
            part: [0.0, 0.0, 1.0, 1.0],
            centre: Vec3::ZERO,
            half: (0.5, 0.5),
            turn: 0.0,
            colour: [0x80; 4],
            flags: Flags::ADD,
        }
    }
}

/// A soft shadow on the ground.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shadow {
    /// The shadow's texture: white, its alpha the shadow's depth; 0 for none.
    pub texture: u32,
    /// Its middle on the ground.
    pub centre: Vec3,
    /// The ground's normal.
    pub normal: Vec3,
    /// Half its length along [`along`](Self::along) and half its width, in metres.
    pub half: (f32, f32),
    /// The direction in which it is stretched: away from the nearest lamp.
    pub along: Vec3,
    /// How dark it is, 0 to 1.
    pub strength: f32,
}

/// When a rectangle is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Layer {
    /// On the ground, before anything blended.
    Ground,
    /// With what is blended, far before near.
    Blended,
    /// Light, last.
    Light,
}

/// A rectangle, ready to be drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flat {
    pub layer: Layer,
    /// What is greatest is drawn first: the distance, or what brings equal textures together where order means nothing.
    pub order: f32,
    pub texture: u32,
    pub flags: Flags,
    colour: u32,
    part: [f32; 4],
    centre: Vec3,
    right: Vec3,
    up: Vec3,
}

/// How far over the ground shadows lie, in metres, so that the ground does not swallow them.
const LIFT: f32 = 0.015;
/// How much nearer to the eye than the ground shadows are drawn, as a share.
const NEARER: f32 = 0.004;

impl Flat {
    /// A sprite as an eye with `right` and `up` sees it, `distance` metres away.
    pub(super) fn sprite(sprite: &Sprite, (right, up): (Vec3, Vec3), distance: f32) -> Self {
        let (right, up) = if sprite.turn == 0.0 {
            (right, up)
        } else {
            let (sin, cos) = crate::maths::scalar::sin_cos(sprite.turn);
            (right * cos - up * sin, right * sin + up * cos)
        };
        let (layer, order) = if sprite.flags.contains(Flags::ADD) {
            (Layer::Light, sprite.texture as f32)
        } else {
            (Layer::Blended, distance)
        };
        Self {
            layer,
            order,
            texture: sprite.texture,
            flags: sprite.flags.with(Flags::CLAMP_S).with(Flags::CLAMP_T),
            colour: u32::from_le_bytes(sprite.colour),
            part: sprite.part,
            centre: sprite.centre,
            right: right * sprite.half.0,
            up: up * sprite.half.1,
        }
    }

    /// A shadow as an eye at `eye` sees it.
    pub(super) fn shadow(shadow: &Shadow, eye: Vec3) -> Self {
        let normal = shadow.normal;
        let flat = shadow.along - normal * shadow.along.dot(normal);
        let up = flat.try_normalize().unwrap_or_else(|| normal.cross(Vec3::X).try_normalize().unwrap_or(Vec3::Y));
        let lifted = shadow.centre + normal * LIFT;
        let alpha = (shadow.strength.clamp(0.0, 1.0) * 128.0) as u32;
        Self {
            layer: Layer::Ground,
            order: shadow.texture as f32,
            texture: shadow.texture,
            flags: Flags::BLEND.with(Flags::CLAMP_S).with(Flags::CLAMP_T),
            colour: alpha << 24,
            part: [0.0, 0.0, 1.0, 1.0],
            centre: lifted + (eye - lifted) * NEARER,
            right: up.cross(normal) * shadow.half.1,
            up: up * shadow.half.0,
        }
    }

    /// Its vertices as a strip: lower left, lower right, upper left, upper right.
    pub(super) fn corners(&self) -> [Vertex; CORNERS] {
        let [left, top, right, bottom] = self.part;
        let corner = |across: f32, upwards: f32, texture: [f32; 2]| {
            let position = self.centre + self.right * across + self.up * upwards;
            Vertex { position: position.to_array(), colour: self.colour, texture, normal: 0, spare: 0 }
        };
        [
            corner(-1.0, -1.0, [left, bottom]),
            corner(1.0, -1.0, [right, bottom]),
            corner(-1.0, 1.0, [left, top]),
            corner(1.0, 1.0, [right, top]),
        ]
    }
}

/// The strips of all rectangles that are transformed together.
pub(super) const INDICES: [u16; CORNERS_AT_ONCE] = {
    let mut indices = [0; CORNERS_AT_ONCE];
    let mut at = 0;
    while at < CORNERS_AT_ONCE {
        let flags = match at % CORNERS {
            0 | 1 => SKIP,
            2 => 0,
            _ => REVERSED,
        };
        indices[at] = at as u16 | flags;
        at += 1;
    }
    indices
};
