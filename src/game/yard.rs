//! The yard: a square of ground with walls around it, a few steps and a lamp.

use crate::collision::CollisionMesh;
use crate::collision::scenes::{Corners, Scene, floor, quad, wall};
use crate::graphics::baked::Mesh;
use crate::graphics::colour::rgb;
use crate::graphics::light::{Directional, Fog, Lamp, Lights};
use crate::maths::Vec3;

/// Metres of a side.
const SIDE: f32 = 40.0;
/// Height of the walls in metres.
const WALL: f32 = 3.2;
/// Metres of a slab of the ground and of a piece of wall.
const SLAB: f32 = 2.0;
/// The block in the middle: west, south, east, north, height in metres.
const BLOCK: [f32; 5] = [17.0, 17.0, 23.0, 21.0, 1.2];
/// The lamp's foot, which is the goal.
pub const GOAL: Vec3 = Vec3::new(20.0, 37.0, 0.0);
/// Where the player begins.
pub const START: (Vec3, f32) = (Vec3::new(20.0, 5.0, 0.0), 0.0);
/// Where bricks are dropped at the beginning.
pub const BRICKS: [Vec3; 6] = [
    Vec3::new(18.6, 10.0, 1.4),
    Vec3::new(19.4, 10.4, 2.0),
    Vec3::new(20.2, 10.1, 2.6),
    Vec3::new(21.0, 10.5, 3.2),
    Vec3::new(21.8, 10.2, 3.8),
    Vec3::new(20.0, 19.0, 4.4),
];
/// The air.
pub const FOG: Fog = Fog { colour: rgb(46, 44, 74), half: 38.0 };

const LAMP_HEIGHT: f32 = 3.4;
const LAMP_LIGHT: Vec3 = rgb(255, 176, 92);
const MOON: Directional = Directional { towards: Vec3::new(-0.60, -0.35, 0.719), colour: rgb(58, 70, 112) };
const AMBIENT: Vec3 = rgb(40, 40, 68);
const GROUND: Vec3 = rgb(150, 146, 150);
const GROUND_DARK: Vec3 = rgb(118, 114, 122);
const BRICKWORK: Vec3 = rgb(168, 118, 104);
const STONE: Vec3 = rgb(150, 150, 158);
const IRON: Vec3 = rgb(84, 92, 104);

/// What bodies meet.
pub fn collision() -> CollisionMesh {
    let [west, south, east, north, top] = BLOCK;
    let roof: [Corners; 2] = quad([west, south, top], [east, south, top], [east, north, top], [west, north, top]);
    Scene::new()
        .with(floor(SIDE, 0.0))
        .with(wall([0.0, 0.0], [0.0, SIDE], [0.0, WALL]))
        .with(wall([0.0, SIDE], [SIDE, SIDE], [0.0, WALL]))
        .with(wall([SIDE, SIDE], [SIDE, 0.0], [0.0, WALL]))
        .with(wall([SIDE, 0.0], [0.0, 0.0], [0.0, WALL]))
        .with(wall([west, south], [east, south], [0.0, top]))
        .with(wall([east, south], [east, north], [0.0, top]))
        .with(wall([east, north], [west, north], [0.0, top]))
        .with(wall([west, north], [west, south], [0.0, top]))
        .with(roof)
        .mesh([8, 8, 2])
}

/// What is seen.
pub fn picture() -> Mesh {
    let lamp = |x: f32, y: f32, strength: f32| Lamp {
        position: Vec3::new(x, y, LAMP_HEIGHT),
        colour: LAMP_LIGHT * strength,
        reach: 4.0,
    };
    let lamps = [lamp(GOAL.x, GOAL.y, 2.4), lamp(3.0, 3.0, 1.1), lamp(37.0, 3.0, 1.1)];
    let lights = Lights { ambient: AMBIENT, directional: MOON, lamps: &lamps };
    let mut mesh = Mesh::default();
    let slabs = (SIDE / SLAB) as u32;
    for index in 0..slabs * slabs {
        let (x, y) = ((index % slabs) as f32 * SLAB, (index / slabs) as f32 * SLAB);
        let surface = if (index % slabs + index / slabs).is_multiple_of(2) { GROUND } else { GROUND_DARK };
        let at = |dx: f32, dy: f32| Vec3::new(x + dx, y + dy, 0.0);
        mesh.quad([at(0.0, 0.0), at(SLAB, 0.0), at(SLAB, SLAB), at(0.0, SLAB)], Vec3::Z, surface, &lights);
    }
    let corners = [Vec3::ZERO, Vec3::Y * SIDE, Vec3::new(SIDE, SIDE, 0.0), Vec3::X * SIDE];
    for side in 0..corners.len() {
        let (from, to) = (corners[side], corners[(side + 1) % corners.len()]);
        pieces(&mut mesh, from, to, WALL, BRICKWORK, &lights);
    }
    let [west, south, east, north, top] = BLOCK;
    let ring = [[west, south], [east, south], [east, north], [west, north]].map(|[x, y]| Vec3::new(x, y, 0.0));
    for side in 0..ring.len() {
        pieces(&mut mesh, ring[side], ring[(side + 1) % ring.len()], top, STONE, &lights);
    }
    mesh.quad(ring.map(|corner| corner + Vec3::Z * top), Vec3::Z, STONE, &lights);
    post(&mut mesh, &lights);
    mesh
}

/// A wall in pieces, seen from its right side, so that the lamps' light falls off along it.
fn pieces(mesh: &mut Mesh, from: Vec3, to: Vec3, height: f32, surface: Vec3, lights: &Lights) {
    let way = to - from;
    let count = (way.length() / SLAB).max(1.0) as u32;
    let step = way * (1.0 / count as f32);
    let normal = Vec3::new(way.y, -way.x, 0.0).normalize_or_zero();
    let up = Vec3::Z * height;
    for piece in 0..count {
        let a = from + step * piece as f32;
        let b = a + step;
        mesh.quad([a, b, b + up, a + up], normal, surface, lights);
    }
}

/// The lamp's post.
fn post(mesh: &mut Mesh, lights: &Lights) {
    const HALF: f32 = 0.09;
    let corners = [(-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)];
    let ring = corners.map(|(x, y)| GOAL + Vec3::new(x, y, 0.0));
    for side in 0..ring.len() {
        pieces(mesh, ring[side], ring[(side + 1) % ring.len()], LAMP_HEIGHT, IRON, lights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::RayFilter;

    #[test]
    fn start_goal_and_bricks_are_over_the_ground_and_within_the_walls() {
        let mut mesh = collision();
        for at in BRICKS.into_iter().chain([START.0 + Vec3::Z, GOAL + Vec3::Z]) {
            let mut feet = at;
            assert!(mesh.drop_to_ground(&mut feet, 5.0, &RayFilter::default()).is_some(), "{at:?}");
            assert!((1.0..SIDE - 1.0).contains(&at.x) && (1.0..SIDE - 1.0).contains(&at.y));
        }
    }

    #[test]
    fn walls_face_the_yard_and_the_blocks_sides_face_out() {
        let mut mesh = collision();
        let push = mesh.sphere_push(Vec3::new(0.2, 10.0, 1.0), 0.4).unwrap();
        assert_eq!(push.normal, Vec3::X);
        let push = mesh.sphere_push(Vec3::new(20.0, BLOCK[1] - 0.2, 0.6), 0.4).unwrap();
        assert_eq!(push.normal, -Vec3::Y);
    }
}
