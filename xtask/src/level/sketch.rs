//! The pencil that pieces draw with: faces, boxes, prisms and beams in a piece's own axes.

use super::materials::MaterialId;
use super::place::Transform;
use super::scene::{Glow, Lamp, Patch, Scene, SolidFace, Thing, ThingKind};
use super::source::{Place, Statement};
use anyhow::{Result, anyhow};
use boardwalk::collision::TriangleFlags;
use boardwalk::maths::{Vec3, scalar};

/// Faces of a box, by bit.
pub mod side {
    /// Towards -x.
    pub const LEFT: u8 = 0x01;
    /// Towards +x.
    pub const RIGHT: u8 = 0x02;
    /// Towards -y.
    pub const BACK: u8 = 0x04;
    /// Towards +y.
    pub const FRONT: u8 = 0x08;
    /// Towards -z.
    pub const BOTTOM: u8 = 0x10;
    /// Towards +z.
    pub const TOP: u8 = 0x20;
    /// All but the bottom.
    pub const STANDING: u8 = 0x2f;
    /// All.
    pub const ALL: u8 = 0x3f;
}

/// Draws a piece.
pub struct Sketch<'a> {
    /// What is drawn into.
    pub scene: &'a mut Scene,
    /// The piece's place.
    pub transform: Transform,
    /// The piece's statement.
    pub place: Place,
    /// What the next faces are made of.
    pub material: MaterialId,
    /// Multiplies the material's colour.
    pub tint: Vec3,
    /// Added to the material's own light.
    pub glow: f32,
    /// The next faces are drawn only from near by.
    pub near: bool,
    /// The next faces are left out from afar.
    pub middle: bool,
    /// The next faces keep light away.
    pub casts: bool,
    /// The next faces are far scenery.
    pub backdrop: bool,
    /// The part of a car that the next faces belong to.
    pub part: Option<u8>,
    /// Area number of solid faces.
    pub area: u8,
}

impl Sketch<'_> {
    /// Chooses a material by its name.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn take(&mut self, name: &str) -> Result<()> {
        self.material =
            self.scene.materials.named(name).ok_or_else(|| anyhow!("{}: no material {name}", self.place))?;
        Ok(())
    }

    /// Chooses the material that a setting names, or the default.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn take_from(&mut self, statement: &Statement, key: &str, default: &str) -> Result<()> {
        self.take(statement.text(key).unwrap_or(default))
    }

    /// Texture coordinates by the plane that a face lies in: a metre is a metre, whatever the face's size.
    fn planar(&self, own: [Vec3; 4], normal: Vec3) -> [[f32; 2]; 4] {
        let material = self.scene.materials.get(self.material);
        let (flat, along) = (normal.z.abs() > 0.7, Vec3::Z.cross(normal).normalize_or_zero());
        let raw = own.map(|p| {
            let (u, v) = if flat { (p.x, -p.y) } else { (p.dot(along), -p.z) };
            let (u, v) = if material.across { (v, u) } else { (u, v) };
            [u / material.scale[0], v / material.scale[1]]
        });
        // Whole pictures do not matter; small numbers keep their precision.
        let base = [0, 1].map(|axis| scalar::floor(raw.iter().map(|uv| uv[axis]).fold(f32::MAX, f32::min)));
        raw.map(|[u, v]| [u - base[0], v - base[1]])
    }

    /// A face with its corners counter-clockwise seen from the front.
    pub fn quad(&mut self, own: [Vec3; 4]) {
        let normal = (own[1] - own[0]).cross(own[3] - own[0]).normalize_or_zero();
        let uv = self.planar(own, normal);
        self.quad_with(own, [normal; 4], uv);
    }

    /// A face that shows a whole picture: its lower left corner first.
    pub fn picture(&mut self, own: [Vec3; 4]) {
        let normal = (own[1] - own[0]).cross(own[3] - own[0]).normalize_or_zero();
        self.quad_with(own, [normal; 4], [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
    }

    /// A face with its own normals and texture coordinates.
    pub fn quad_with(&mut self, own: [Vec3; 4], normals: [Vec3; 4], uv: [[f32; 2]; 4]) {
        let grid = self.scene.materials.get(self.material).grid;
        let longest =
            |a: usize, b: usize, c: usize, d: usize| (own[b] - own[a]).length().max((own[d] - own[c]).length());
        let parts =
            |length: f32| if self.backdrop { 1 } else { scalar::ceil(length / grid - 0.01).clamp(1.0, 200.0) as u16 };
        let parts = [parts(longest(0, 1, 3, 2)), parts(longest(1, 2, 0, 3))];
        self.scene.patches.push(Patch {
            corners: own.map(|corner| self.transform.point(corner)),
            normals: normals.map(|normal| self.transform.direction(normal)),
            uv,
            parts,
            material: self.material,
            tint: self.tint,
            glow: self.glow + self.scene.materials.get(self.material).glow,
            near: self.near,
            middle: self.middle,
            casts: self.casts,
            backdrop: self.backdrop,
            water: None,
            part: self.part,
            place: self.place.clone(),
        });
    }

    /// A triangle.
    pub fn triangle(&mut self, [a, b, c]: [Vec3; 3]) {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let uv = self.planar([a, b, c, c], normal);
        self.quad_with([a, b, c, c], [normal; 4], uv);
        if let Some(patch) = self.scene.patches.last_mut() {
            patch.parts = [1, 1];
        }
    }

    /// The faces `sides` of a box with its sides along the piece's axes.
    pub fn cuboid(&mut self, min: Vec3, max: Vec3, sides: u8) {
        for (bit, corners) in faces(min, max) {
            if sides & bit != 0 {
                self.quad(corners);
            }
        }
    }

    /// A beam of a square section from point to point.
    pub fn beam(&mut self, from: Vec3, to: Vec3, half: f32) {
        let along = (to - from).normalize_or_zero();
        let up = if along.z.abs() > 0.9 { Vec3::Y } else { Vec3::Z };
        let right = along.cross(up).normalize_or_zero() * half;
        let up = right.cross(along).normalize_or_zero() * half;
        let ring = [right + up, up - right, -right - up, right - up];
        for i in 0..4 {
            let (a, b) = (ring[i], ring[(i + 1) % 4]);
            self.quad([from + b, from + a, to + a, to + b]);
        }
    }

    /// A beam as a flat strip that faces the piece's back: enough for what is far.
    pub fn ribbon(&mut self, from: Vec3, to: Vec3, half: f32) {
        let along = to - from;
        let aside = Vec3::new(along.z, 0.0, -along.x).normalize_or_zero() * half;
        let aside = if aside == Vec3::ZERO { Vec3::Z * half } else { aside };
        self.quad([from - aside, to - aside, to + aside, from + aside]);
    }

    /// The mantle of an upright cylinder or cone, shaded round, with its upper end when `capped`.
    pub fn drum(&mut self, centre: Vec3, radii: [f32; 2], height: f32, sides: u16, capped: bool) {
        let at = |i: u16| {
            let (sin, cos) = scalar::sin_cos(f32::from(i) / f32::from(sides) * std::f32::consts::TAU);
            Vec3::new(cos, sin, 0.0)
        };
        let scale = self.scene.materials.get(self.material).scale;
        for i in 0..sides {
            let (a, b) = (at(i), at(i + 1));
            let low = centre;
            let high = centre + Vec3::Z * height;
            let own = [low + a * radii[0], low + b * radii[0], high + b * radii[1], high + a * radii[1]];
            let around = radii[0].max(radii[1]) * std::f32::consts::TAU / f32::from(sides) / scale[0];
            let (u, v) = (f32::from(i) * around, height / scale[1]);
            self.quad_with(own, [a, b, b, a], [[u, v], [u + around, v], [u + around, 0.0], [u, 0.0]]);
            if capped {
                self.triangle([high, high + a * radii[1], high + b * radii[1]]);
            }
        }
    }

    /// A triangle that is met, of the current material.
    pub fn solid(&mut self, own: [Vec3; 3]) {
        let material = self.scene.materials.get(self.material);
        self.scene.solids.push(SolidFace {
            corners: own.map(|corner| self.transform.point(corner)),
            flags: material.flags,
            surface: material.surface,
            area: self.area,
            place: self.place.clone(),
        });
    }

    /// A quadrilateral that is met.
    pub fn solid_quad(&mut self, [a, b, c, d]: [Vec3; 4]) {
        self.solid([a, b, c]);
        self.solid([a, c, d]);
    }

    /// A box that is met, with more flags.
    pub fn solid_box(&mut self, min: Vec3, max: Vec3, sides: u8, flags: TriangleFlags) {
        let first = self.scene.solids.len();
        for (bit, corners) in faces(min, max) {
            if sides & bit != 0 {
                self.solid_quad(corners);
            }
        }
        self.scene.solids[first..].iter_mut().for_each(|face| face.flags = face.flags.with(flags));
    }

    /// A box that is seen and met.
    pub fn block(&mut self, min: Vec3, max: Vec3, sides: u8) {
        self.cuboid(min, max, sides);
        self.solid_box(min, max, sides, TriangleFlags::default());
    }

    /// What `draw` draws, in the piece's own axes and apart from the level.
    pub fn apart(&mut self, draw: impl FnOnce(&mut Self)) -> Vec<Patch> {
        let first = self.scene.patches.len();
        let transform = std::mem::replace(&mut self.transform, Transform::IDENTITY);
        draw(self);
        self.transform = transform;
        self.scene.patches.split_off(first)
    }

    /// A lamp's light at a point of the piece.
    pub fn lamp(&mut self, own: Vec3, colour: Vec3, reach: f32, size: f32) {
        self.scene.lamps.push(Lamp { position: self.transform.point(own), colour, reach, size });
    }

    /// A halo at a point of the piece.
    pub fn halo(&mut self, own: Vec3, glow: Glow) {
        self.scene.glows.push(Glow { position: self.transform.point(own), ..glow });
    }

    /// A thing at a point of the piece.
    pub fn thing(&mut self, kind: ThingKind, name: &str, own: Vec3, half: Vec3) -> &mut Thing {
        self.scene.things.push((
            kind,
            Thing {
                name: name.into(),
                position: self.transform.point(own),
                heading: self.transform.heading(),
                half,
                zone: 0,
                respawn: 0,
                owned: false,
                place: self.place.clone(),
            },
        ));
        let last = self.scene.things.len() - 1;
        &mut self.scene.things[last].1
    }
}

/// The six faces of a box, counter-clockwise seen from outside.
fn faces(a: Vec3, b: Vec3) -> [(u8, [Vec3; 4]); 6] {
    let p = Vec3::new;
    [
        (side::LEFT, [p(a.x, b.y, a.z), p(a.x, a.y, a.z), p(a.x, a.y, b.z), p(a.x, b.y, b.z)]),
        (side::RIGHT, [p(b.x, a.y, a.z), p(b.x, b.y, a.z), p(b.x, b.y, b.z), p(b.x, a.y, b.z)]),
        (side::BACK, [p(a.x, a.y, a.z), p(b.x, a.y, a.z), p(b.x, a.y, b.z), p(a.x, a.y, b.z)]),
        (side::FRONT, [p(b.x, b.y, a.z), p(a.x, b.y, a.z), p(a.x, b.y, b.z), p(b.x, b.y, b.z)]),
        (side::BOTTOM, [p(a.x, b.y, a.z), p(b.x, b.y, a.z), p(b.x, a.y, a.z), p(a.x, a.y, a.z)]),
        (side::TOP, [p(a.x, a.y, b.z), p(b.x, a.y, b.z), p(b.x, b.y, b.z), p(a.x, b.y, b.z)]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_of_a_box_looks_outward() {
        let (min, max) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, 4.0, 6.0));
        let middle = (min + max) * 0.5;
        for (bit, [a, b, _, d]) in faces(min, max) {
            let normal = (b - a).cross(d - a);
            assert!(normal.dot(a - middle) > 0.0, "face {bit:#x}");
        }
    }
}
