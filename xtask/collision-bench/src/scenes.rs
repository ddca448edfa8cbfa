//! Scenes of about 20,000 two-sided triangles each: rolling ground, streets of houses, and a cloud of loose triangles.

use boardwalk::collision::build::{SourceTriangle, build_fitting};
use boardwalk::collision::scenes::Random;
use boardwalk::collision::{CollisionMesh, TriangleFlags};
use boardwalk::maths::Vec3;

/// Triangles that both libraries read.
#[derive(Default)]
pub struct Triangles {
    /// Corners' places in metres.
    pub vertices: Vec<Vec3>,
    /// Three vertices a triangle.
    pub corners: Vec<[u32; 3]>,
    /// Box from which queries start: its centre and half extents.
    within: (Vec3, Vec3),
}

impl Triangles {
    /// Our mesh of them.
    pub fn mesh(&self) -> CollisionMesh {
        let triangle =
            |&corners: &[u32; 3]| SourceTriangle { corners, flags: TriangleFlags::TWO_SIDED, material: 5, area: 0 };
        let source: Vec<_> = self.corners.iter().map(triangle).collect();
        build_fitting(&self.vertices, &source).expect("the scene is sound")
    }

    /// A random start of a query.
    pub fn place(&self, random: &mut Random) -> Vec3 {
        self.within.0 + random.vec3(1.0).scale(self.within.1)
    }

    fn quad(&mut self, corners: [Vec3; 4]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(corners);
        self.corners.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
}

/// A hundred by a hundred metres of rolling ground, two triangles a square metre.
pub fn hills() -> Triangles {
    const SIDE: u32 = 100;
    let mut random = Random::new(1);
    let mut triangles =
        Triangles { within: (Vec3::new(50.0, 50.0, 1.0), Vec3::new(48.0, 48.0, 2.0)), ..Triangles::default() };
    for y in 0..=SIDE {
        for x in 0..=SIDE {
            let (x, y) = (x as f32, y as f32);
            let z = (x * 0.13).sin() * 1.5 + (y * 0.17).cos() + random.range(-0.15, 0.15);
            triangles.vertices.push(Vec3::new(x, y, z));
        }
    }
    for y in 0..SIDE {
        for x in 0..SIDE {
            let at = y * (SIDE + 1) + x;
            let (right, up) = (at + 1, at + SIDE + 1);
            triangles.corners.extend([[at, right, up + 1], [at, up + 1, up]]);
        }
    }
    triangles
}

/// Streets: paving, houses with walls in pieces, and boxes to step on or walk into between them.
pub fn town() -> Triangles {
    const BLOCKS: u32 = 20;
    const BLOCK: f32 = 8.0;
    let mut random = Random::new(2);
    let side = BLOCKS as f32 * BLOCK;
    let half = Vec3::new(side * 0.5 - 1.0, side * 0.5 - 1.0, 2.0);
    let mut triangles = Triangles { within: (Vec3::new(side * 0.5, side * 0.5, 2.1), half), ..Triangles::default() };
    for by in 0..BLOCKS {
        for bx in 0..BLOCKS {
            let corner = Vec3::new(bx as f32 * BLOCK, by as f32 * BLOCK, 0.0);
            for i in 0..4 {
                let at = corner + Vec3::new((i % 2) as f32 * 4.0, (i / 2) as f32 * 4.0, 0.0);
                triangles.quad([at, at + Vec3::X * 4.0, at + Vec3::new(4.0, 4.0, 0.0), at + Vec3::Y * 4.0]);
            }
            let (low, size) = (corner + Vec3::new(1.5, 1.5, 0.0), Vec3::new(4.0, 4.0, random.range(3.0, 8.0)));
            walls(&mut triangles, low, size, 3);
            let step = Vec3::new(random.range(0.3, 1.2), random.range(0.3, 1.2), random.range(0.15, 1.0));
            walls(&mut triangles, corner + Vec3::new(6.2, 3.0, 0.0), step, 2);
        }
    }
    triangles
}

/// Four walls in pieces and a roof.
fn walls(triangles: &mut Triangles, low: Vec3, size: Vec3, pieces: u32) {
    let up = Vec3::Z * size.z;
    let feet = [low, low + Vec3::X * size.x, low + Vec3::new(size.x, size.y, 0.0), low + Vec3::Y * size.y];
    for i in 0..4 {
        let (a, along) = (feet[i], (feet[(i + 1) % 4] - feet[i]) * (1.0 / pieces as f32));
        for piece in 0..pieces {
            let from = a + along * piece as f32;
            triangles.quad([from, from + along, from + along + up, from + up]);
        }
    }
    triangles.quad(feet.map(|foot| foot + up));
}

/// Loose triangles, crowded.
pub fn soup() -> Triangles {
    let mut random = Random::new(3);
    let mut triangles = Triangles { within: (Vec3::ZERO, Vec3::splat(30.0)), ..Triangles::default() };
    for number in 0..20_000 {
        let at = random.vec3(30.0);
        triangles.vertices.extend([at, at + random.vec3(1.0), at + random.vec3(1.0)]);
        triangles.corners.push([0, 1, 2].map(|corner| number * 3 + corner));
    }
    triangles
}
