//! Sprites and shadows: rectangles in the world.

use super::super::mesh::{Flags, REVERSED, SKIP};
pub(super) use crate::ee::vu0::rectangles::CORNERS;
use crate::ee::vu0::rectangles::Rectangle;
use crate::ee::vu0::transform::Vertex;
use crate::maths::Vec3;
use alloc::vec::Vec;

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
    /// Parts of it may have to be cut.
    pub reaching: bool,
    pub rectangle: Rectangle,
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
            reaching: true,
            rectangle: Rectangle {
                centre: sprite.centre.to_array(),
                colour: u32::from_le_bytes(sprite.colour),
                right: way(right * sprite.half.0),
                up: way(up * sprite.half.1),
                part: sprite.part,
            },
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
            reaching: true,
            rectangle: Rectangle {
                centre: (lifted + (eye - lifted) * NEARER).to_array(),
                colour: alpha << 24,
                right: way(up.cross(normal) * shadow.half.1),
                up: way(up * shadow.half.0),
                part: [0.0, 0.0, 1.0, 1.0],
            },
        }
    }

    /// Its vertices as a strip.
    pub(super) fn corners(&self) -> [Vertex; CORNERS] {
        let colour = self.rectangle.colour;
        self.rectangle.corners().map(|(position, texture)| Vertex { position, colour, texture, normal: 0, spare: 0 })
    }
}

/// A direction as the kernel takes it.
fn way(direction: Vec3) -> [f32; 4] {
    [direction.x, direction.y, direction.z, 0.0]
}

/// The number of a rectangle, with what decides when it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Ordered {
    /// The layer in the upper two bits; below them what is greater the nearer it is.
    key: u32,
    pub number: u16,
}

impl Ordered {
    const LAYER: u32 = 30;

    fn of(number: usize, flat: &Flat) -> Self {
        // Numbers that are not negative are in the order of their bits.
        let far = flat.order.max(0.0).to_bits() >> 1;
        let below = (1 << Self::LAYER) - 1;
        Self { key: (flat.layer as u32) << Self::LAYER | (below - far), number: number as u16 }
    }
}

/// All rectangles of a picture in the order in which they are drawn: few bytes each, as sorting moves them about.
#[derive(Debug, Default)]
pub(super) struct Ordering(Vec<Ordered>);

impl Ordering {
    /// Room for so many. Memory is taken here only.
    pub(super) fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    /// Takes these, in their own order.
    pub(super) fn take(&mut self, flats: &[Flat]) {
        self.0.clear();
        self.0.extend(flats.iter().enumerate().map(|(number, flat)| Ordered::of(number, flat)));
    }

    /// Puts them into the layers' order, and in each what is furthest first.
    pub(super) fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// All of them.
    pub(super) fn all(&self) -> &[Ordered] {
        &self.0
    }

    /// Those of a layer, once they are sorted.
    pub(super) fn of(&self, layer: Layer) -> &[Ordered] {
        let place = |layer: u32| self.0.partition_point(|ordered| ordered.key >> Ordered::LAYER < layer);
        self.0.get(place(layer as u32)..place(layer as u32 + 1)).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_come_in_their_order_and_in_each_what_is_furthest_first() {
        let sprite = |distance: f32| {
            let sprite = Sprite { flags: Flags::BLEND, ..Sprite::default() };
            Flat::sprite(&sprite, (Vec3::X, Vec3::Z), distance)
        };
        let light = Flat::sprite(&Sprite::default(), (Vec3::X, Vec3::Z), 3.0);
        let ground = Flat { layer: Layer::Ground, ..light };
        let flats = [light, sprite(2.0), sprite(900.0), ground, sprite(-0.5), sprite(2.5)];
        let mut ordering = Ordering::with_capacity(flats.len());
        ordering.take(&flats);
        assert_eq!(ordering.all().iter().map(|own| own.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        ordering.sort();
        let numbers = |layer| ordering.of(layer).iter().map(|own| own.number).collect::<Vec<_>>();
        assert_eq!(
            [numbers(Layer::Ground), numbers(Layer::Blended), numbers(Layer::Light)],
            [alloc::vec![3], alloc::vec![2, 5, 1, 4], alloc::vec![0]]
        );
    }
}
