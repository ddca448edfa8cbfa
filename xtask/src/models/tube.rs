//! Tubes: rings of corners along the bones, of which a body is made.

use super::person::Colour;
use boardwalk::graphics::mesh::{Builder, Corner, Material};
use boardwalk::maths::Vec3;
use std::f32::consts::TAU;

/// How finely a body is made. Source: art, People.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// About 80 triangles, from 30 m.
    Far,
    /// About 300, from 12 m.
    Middle,
    /// About 900.
    Near,
}

impl Detail {
    /// The detail of a name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "near" => Some(Self::Near),
            "middle" => Some(Self::Middle),
            "far" => Some(Self::Far),
            _ => None,
        }
    }

    /// One of three numbers: for near, middle and far.
    pub fn pick(self, near: usize, middle: usize, far: usize) -> usize {
        match self {
            Self::Near => near,
            Self::Middle => middle,
            Self::Far => far,
        }
    }
}

/// Which bones move a ring.
#[derive(Clone, Copy, Debug)]
pub enum Bones {
    /// The first with this share, the other with the rest.
    Two(usize, usize, f32),
    /// A hem: the pelvis, and towards each side the thigh there with at most this share.
    Hem {
        /// The pelvis.
        pelvis: usize,
        /// Left and right thigh.
        thighs: [usize; 2],
        /// Their share at the sides, 0 to 1.
        share: f32,
    },
}

impl Bones {
    /// Moved by one bone alone.
    pub const fn one(bone: usize) -> Self {
        Self::Two(bone, bone, 1.0)
    }

    /// First bone, other bone and the first one's weight for a corner so far to the right, -1 to 1.
    fn of(self, right: f32) -> [u8; 3] {
        let (first, other, share) = match self {
            Self::Two(first, other, share) => (first, other, share),
            Self::Hem { pelvis, thighs, share } => {
                let thigh = thighs[usize::from(right > 0.0)];
                let by_thigh = share * right.abs().min(0.5) * 2.0;
                (pelvis, thigh, 1.0 - by_thigh)
            }
        };
        [first as u8, other as u8, (share * 255.0) as u8]
    }
}

/// A ring of a tube.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    /// Its middle.
    pub middle: Vec3,
    /// Half sizes across and along the ring's plane.
    pub half: [f32; 2],
    /// Who moves it.
    pub bones: Bones,
    /// Colour of the faces that follow it, where nothing else is painted.
    pub colour: Colour,
    /// The coarsest detail that has it.
    pub least: Detail,
}

/// A ring.
pub fn ring(at: [f32; 3], half: [f32; 2], bones: Bones, colour: Colour, least: Detail) -> Ring {
    Ring { middle: Vec3::from_array(at), half, bones, colour, least }
}

/// The plane of a tube's rings: the two axes round which corners go, so that they run anticlockwise seen from the tube's end.
#[derive(Clone, Copy, Debug)]
pub struct Plane(Vec3, Vec3);

/// Rings lie: tubes go up.
pub const LYING: Plane = Plane(Vec3::X, Vec3::Y);
/// Rings stand across: tubes go ahead.
pub const ACROSS: Plane = Plane(Vec3::new(-1.0, 0.0, 0.0), Vec3::Z);

/// A face of a tube, for the painter.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// Where its middle is.
    pub middle: Vec3,
    /// The way it looks in the ring's plane: right and ahead for tubes that go up, left and up for those that go ahead.
    pub way: [f32; 2],
    /// The colour of its ring.
    pub colour: Colour,
}

/// What a tube is like beside its rings.
pub struct Tube<'a> {
    /// The plane of its rings.
    pub plane: Plane,
    /// Corners of a ring.
    pub sides: usize,
    /// Which ends are closed.
    pub closed: [bool; 2],
    /// The colour of a face; none leaves it away.
    pub paint: &'a dyn Fn(&Face) -> Option<Colour>,
}

impl Tube<'static> {
    /// A closed tube that goes up, in its rings' colours.
    pub fn new(sides: usize) -> Self {
        Self { plane: LYING, sides, closed: [true; 2], paint: &|face| Some(face.colour) }
    }
}

/// A darker or, by more than 1, a lighter colour.
pub fn shaded(colour: Colour, by: f32) -> Colour {
    colour.map(|c| (f32::from(c) * by).min(255.0) as u8)
}

/// A colour that is opaque.
pub fn opaque([r, g, b]: Colour) -> [u8; 4] {
    [r, g, b, 0x80]
}

impl Tube<'_> {
    /// Adds the tube through the rings that a detail has.
    pub fn add(&self, builder: &mut Builder, rings: &[Ring], detail: Detail) {
        let rings: Vec<Ring> = rings.iter().filter(|ring| ring.least <= detail).copied().collect();
        for pair in rings.windows(2) {
            for side in 0..self.sides {
                let Some(colour) = (self.paint)(&self.face(pair, side)) else { continue };
                let [a, b] = [side, side + 1].map(|side| self.corner(&pair[0], side, colour));
                let [c, d] = [side + 1, side].map(|side| self.corner(&pair[1], side, colour));
                builder.quad(Material::default(), [a, b, c, d]);
            }
        }
        let way = rings.last().zip(rings.first()).map_or(Vec3::Z, |(last, first)| last.middle - first.middle);
        let way = way.normalize_or_zero();
        let ends = [rings.first().map(|ring| (ring, -way, true)), rings.last().map(|ring| (ring, way, false))];
        for (ring, normal, turned) in ends.into_iter().zip(self.closed).filter(|end| end.1).filter_map(|end| end.0) {
            let flat = |side: usize| Corner { normal, ..self.corner(ring, side, ring.colour) };
            for side in 1..self.sides - 1 {
                let [a, b, c] = [flat(0), flat(side), flat(side + 1)];
                builder.triangle(Material::default(), if turned { [a, c, b] } else { [a, b, c] });
            }
        }
    }

    /// Sine and cosine of a corner; half a side off, so that a face looks straight ahead.
    fn turn(&self, side: f32) -> (f32, f32) {
        let quarter = TAU / 4.0;
        (quarter + (side - 0.5) / self.sides as f32 * TAU).sin_cos()
    }

    fn corner(&self, ring: &Ring, side: usize, colour: Colour) -> Corner {
        let Plane(across, along) = self.plane;
        let (s, c) = self.turn((side % self.sides) as f32);
        let [a, b] = ring.half;
        Corner {
            position: ring.middle + across * (c * a) + along * (s * b),
            colour: opaque(colour),
            normal: (across * (c / a) + along * (s / b)).normalize_or_zero(),
            bones: ring.bones.of(c),
            ..Corner::default()
        }
    }

    fn face(&self, pair: &[Ring], side: usize) -> Face {
        let corners = [(0, side), (0, side + 1), (1, side + 1), (1, side)];
        let colour = pair[0].colour;
        let sum =
            corners.iter().fold(Vec3::ZERO, |sum, (n, side)| sum + self.corner(&pair[*n], *side, colour).position);
        let (s, c) = self.turn(side as f32 + 0.5);
        Face { middle: sum * 0.25, way: [c, s], colour }
    }
}
