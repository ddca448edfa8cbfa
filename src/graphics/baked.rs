//! Meshes that the program itself computes at its start: many quadrilaterals and triangles with a colour for each vertex.
//!
//! Colours are baked when the mesh is built; drawing projects every vertex once, mixes it with the fog and emits the faces.

use super::camera::Camera;
use super::canvas::{Canvas, Corner};
use super::clip::{self, ClipPoint};
use super::colour::{self, OPAQUE};
use super::light::{Fog, Lights};
use crate::ee::vu0::project::{PictureVertex, Projection, WorldVertex, project};
use crate::maths::Vec3;
use alloc::vec::Vec;

/// Faces with baked colours. Memory is taken while building, none while drawing.
#[derive(Default)]
pub struct Mesh {
    vertices: Vec<WorldVertex>,
    triangles: Vec<[u16; 3]>,
    picture: Vec<PictureVertex>,
    corners: Vec<Corner>,
}

/// A box with its sides along the axes.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The corner with the smallest coordinates.
    pub min: Vec3,
    /// The corner with the largest coordinates.
    pub max: Vec3,
}

impl Mesh {
    /// Adds a vertex with its light and answers its index; at most 65,536.
    pub fn vertex(&mut self, position: Vec3, colour: Vec3) -> u16 {
        let index = self.vertices.len() as u16;
        let colour = (colour * 255.0).min(Vec3::splat(255.0)).max(Vec3::ZERO);
        self.vertices.push(WorldVertex { position, colour });
        self.picture.push(PictureVertex::default());
        self.corners.push(Corner::HIDDEN);
        index
    }

    /// Adds a triangle of vertices that are there.
    pub fn triangle(&mut self, corners: [u16; 3]) {
        self.triangles.push(corners);
    }

    /// Adds a quadrilateral with corners in ring order, lit at each corner for a surface of colour `surface` that faces
    /// `normal`.
    pub fn quad(&mut self, corners: [Vec3; 4], normal: Vec3, surface: Vec3, lights: &Lights) {
        let [a, b, c, d] = corners.map(|corner| self.vertex(corner, surface.scale(lights.at(corner, normal))));
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    /// Adds a block's faces except the lower one.
    pub fn block(&mut self, block: Block, surface: Vec3, lights: &Lights) {
        self.upright(block, surface, lights);
        let Block { min: a, max: b } = block;
        let corner = |x: f32, z: f32| Vec3::new(x, b.y, z);
        self.quad([corner(a.x, a.z), corner(b.x, a.z), corner(b.x, b.z), corner(a.x, b.z)], Vec3::Y, surface, lights);
    }

    /// Adds the faces of a block that are seen from the south and above: its front, its sides and its top.
    pub fn upright(&mut self, block: Block, surface: Vec3, lights: &Lights) {
        self.front_and_sides(block, surface, lights);
        self.level(block, block.max.z, Vec3::Z, surface, lights);
    }

    /// Adds the faces of a block that are seen from the south and below: its front, its sides and its underside.
    pub fn overhead(&mut self, block: Block, surface: Vec3, lights: &Lights) {
        self.front_and_sides(block, surface, lights);
        self.level(block, block.min.z, -Vec3::Z, surface, lights);
    }

    fn level(&mut self, block: Block, z: f32, normal: Vec3, surface: Vec3, lights: &Lights) {
        let Block { min: a, max: b } = block;
        let corners = [(a.x, a.y), (b.x, a.y), (b.x, b.y), (a.x, b.y)].map(|(x, y)| Vec3::new(x, y, z));
        self.quad(corners, normal, surface, lights);
    }

    fn front_and_sides(&mut self, block: Block, surface: Vec3, lights: &Lights) {
        let Block { min: a, max: b } = block;
        let p = Vec3::new;
        let faces = [
            ([p(a.x, a.y, a.z), p(b.x, a.y, a.z), p(b.x, a.y, b.z), p(a.x, a.y, b.z)], -Vec3::Y),
            ([p(a.x, a.y, a.z), p(a.x, b.y, a.z), p(a.x, b.y, b.z), p(a.x, a.y, b.z)], -Vec3::X),
            ([p(b.x, a.y, a.z), p(b.x, b.y, a.z), p(b.x, b.y, b.z), p(b.x, a.y, b.z)], Vec3::X),
        ];
        for (corners, normal) in faces {
            self.quad(corners, normal, surface, lights);
        }
    }

    /// Adds the three faces of a long block along y that are seen from between two of them: its sides and its top.
    pub fn beam(&mut self, block: Block, surface: Vec3, lights: &Lights) {
        let Block { min: a, max: b } = block;
        let along = |x: f32, z: f32, x2: f32, z2: f32| {
            [Vec3::new(x, a.y, z), Vec3::new(x, b.y, z), Vec3::new(x2, b.y, z2), Vec3::new(x2, a.y, z2)]
        };
        self.quad(along(a.x, a.z, a.x, b.z), -Vec3::X, surface, lights);
        self.quad(along(b.x, a.z, b.x, b.z), Vec3::X, surface, lights);
        self.quad(along(a.x, b.z, b.x, b.z), Vec3::Z, surface, lights);
    }

    /// Number of triangles.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// True when there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Draws every triangle that the camera can draw.
    pub fn draw(&mut self, canvas: &mut Canvas, camera: &Camera, fog: &Fog) {
        let projection = camera.projection(fog);
        project(&projection, &self.vertices, &mut self.picture);
        for (point, corner) in self.picture.iter().zip(&mut self.corners) {
            *corner = to_corner(point, camera.near);
        }
        canvas.triangles(&self.corners, &self.triangles);
        if self.corners.iter().any(|corner| !corner.is_drawable()) {
            self.draw_cut(canvas, &projection, camera.near);
        }
    }

    /// Draws what is left of the triangles that have a hidden corner.
    fn draw_cut(&self, canvas: &mut Canvas, projection: &Projection, near: f32) {
        for triangle in &self.triangles {
            let picture = triangle.map(|index| self.picture.get(usize::from(index)));
            let corners = triangle.map(|index| self.corners.get(usize::from(index)));
            let ([Some(a), Some(b), Some(c)], [Some(d), Some(e), Some(f)]) = (picture, corners) else { continue };
            let all_drawable = d.is_drawable() && e.is_drawable() && f.is_drawable();
            if all_drawable || [a, b, c].iter().all(|point| point.distance < near) {
                continue;
            }
            let points = triangle.map(|index| self.vertices.get(usize::from(index)));
            let [Some(a), Some(b), Some(c)] = points else { continue };
            let rest = clip::triangle([a, b, c].map(|vertex| ClipPoint::new(projection, vertex)), near);
            let [first, others @ ..] = rest.as_slice() else { continue };
            let first = cut_corner(first, projection);
            for pair in others.windows(2) {
                if let [second, third] = pair {
                    canvas.triangle([&first, &cut_corner(second, projection), &cut_corner(third, projection)]);
                }
            }
        }
    }
}

/// Packs a corner that cutting left or made.
fn cut_corner(point: &ClipPoint, projection: &Projection) -> Corner {
    const SUBPIXELS: f32 = 16.0;
    let inverse = 1.0 / point.distance;
    let [red, green, blue, half_squared] = projection.fog;
    let left = half_squared / (half_squared + point.distance * point.distance);
    let fog = Vec3::new(red, green, blue);
    let colour = (fog + (point.colour - fog) * left) * (1.0 / 255.0);
    let plane = |value: f32| (value * inverse * SUBPIXELS).clamp(0.0, 65_535.0) as u32;
    let depth = (projection.rows[3][2] * inverse) as u32;
    Corner::new(plane(point.x), plane(point.y), depth, colour::vertex(colour).0 as u32)
}

/// Packs a projected vertex; hidden when it is too near or outside the drawing plane.
#[inline]
fn to_corner(point: &PictureVertex, near: f32) -> Corner {
    const PLANE: u32 = 0x1_0000;
    let (x, y) = (point.x as u32, point.y as u32);
    // Floats above zero compare like their bits, which spares the coprocessor's branch delay.
    let near_enough = point.distance.to_bits() as i32 >= near.to_bits() as i32;
    if !near_enough || x >= PLANE || y >= PLANE {
        return Corner::HIDDEN;
    }
    let [red, green, blue, _] = point.colour.map(|channel| channel as u32);
    Corner::new(x, y, point.depth as u32, red | green << 8 | blue << 16 | (OPAQUE as u32) << 24)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ee::gif::{Line, Packet};
    use crate::graphics::light::Directional;

    const DARK: Lights = Lights {
        ambient: Vec3::new(0.5, 0.5, 0.5),
        directional: Directional { towards: Vec3::Z, colour: Vec3::new(0.5, 0.5, 0.5) },
        lamps: &[],
    };

    #[test]
    fn a_blocks_top_is_lit_more_than_its_sides_by_light_from_above() {
        let mut mesh = Mesh::default();
        mesh.block(Block { min: Vec3::ZERO, max: Vec3::splat(1.0) }, Vec3::splat(1.0), &DARK);
        assert_eq!(mesh.len(), 10);
        assert_eq!(mesh.vertices[0].colour.x, 127.5);
        assert_eq!(mesh.vertices[12].colour.x, 255.0);
    }

    #[test]
    fn a_floor_that_reaches_under_the_eye_is_cut_and_drawn() {
        let mut mesh = Mesh::default();
        let corners = [(-1.0, -4.0), (1.0, -4.0), (1.0, 9.0), (-1.0, 9.0)].map(|(x, y)| Vec3::new(x, y, -1.5));
        mesh.quad(corners, Vec3::Z, Vec3::splat(1.0), &DARK);
        let mut memory = [Line::default(); 64];
        let mut packet = Packet::new(&mut memory);
        let mut canvas = Canvas::begin(&mut packet, 0);
        let camera = Camera::new(Vec3::ZERO, 0.0, 500.0, 224.0);
        mesh.draw(&mut canvas, &camera, &Fog { colour: Vec3::ZERO, half: 100.0 });
        let with_floor = packet.used();
        let mut memory = [Line::default(); 64];
        let mut packet = Packet::new(&mut memory);
        Canvas::begin(&mut packet, 0);
        assert!(with_floor - packet.used() >= 12, "at least three triangles with their tag");
    }

    #[test]
    fn drawing_emits_the_triangles_in_front_of_the_camera_only() {
        let mut mesh = Mesh::default();
        for y in [5.0, -5.0] {
            let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, z)| Vec3::new(x, y, z));
            mesh.quad(corners, -Vec3::Y, Vec3::splat(1.0), &DARK);
        }
        let mut memory = [Line::default(); 64];
        let mut packet = Packet::new(&mut memory);
        let mut canvas = Canvas::begin(&mut packet, 0);
        let camera = Camera::new(Vec3::ZERO, 0.0, 500.0, 224.0);
        mesh.draw(&mut canvas, &camera, &Fog { colour: Vec3::ZERO, half: 100.0 });
        let with_quads = packet.used();
        // Two triangles of three vertices, one tag, and PRIM with its tag.
        let mut memory = [Line::default(); 64];
        let mut packet = Packet::new(&mut memory);
        Canvas::begin(&mut packet, 0);
        assert_eq!(with_quads - packet.used(), 6 + 1 + 1);
    }
}
