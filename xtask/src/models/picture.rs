//! Pictures of people: meshes in poses of clips, drawn simply, to be looked at.

use boardwalk::animation::pose::LocalPose;
use boardwalk::animation::skeleton::{BONES, Skeleton};
use boardwalk::ee::gif::Quad;
use boardwalk::graphics::mesh::{Mesh, REVERSED, SKIP, VERTEX};
use boardwalk::maths::{Pose, Quat, Vec3};
use image::{Rgb, RgbImage};

/// Size of a figure's cell.
pub const CELL: (u32, u32) = (150, 210);
const PIXELS_PER_METRE: f32 = 98.0;
const BACKGROUND: Rgb<u8> = Rgb([24, 26, 36]);

/// A figure to draw.
pub struct Figure<'a> {
    /// Its mesh.
    pub mesh: &'a [Quad],
    /// Its pose.
    pub pose: LocalPose,
    /// From where it is seen, radians.
    pub heading: f32,
}

/// Draws figures in rows.
pub fn draw(figures: &[Figure<'_>], columns: u32) -> RgbImage {
    let rows = (figures.len() as u32).div_ceil(columns);
    let mut picture = RgbImage::from_pixel(CELL.0 * columns, CELL.1 * rows, BACKGROUND);
    for (n, figure) in figures.iter().enumerate() {
        let n = n as u32;
        one(&mut picture, figure, (n % columns * CELL.0, n / columns * CELL.1));
    }
    picture
}

fn one(picture: &mut RgbImage, figure: &Figure<'_>, corner: (u32, u32)) {
    let Ok(mesh) = Mesh::read(figure.mesh) else { return };
    let skeleton = Skeleton::new();
    let (mut now, mut built) = ([Pose::IDENTITY; BONES], [Pose::IDENTITY; BONES]);
    skeleton.place(&figure.pose, &Pose::IDENTITY, 1.0, &mut now);
    skeleton.place(&LocalPose::reference(&skeleton), &Pose::IDENTITY, 1.0, &mut built);
    let view = Quat::from_axis_angle(Vec3::X, 0.2) * Quat::from_heading(figure.heading);
    let mut depth = vec![f32::MAX; (CELL.0 * CELL.1) as usize];
    for batch in mesh.batches() {
        let mut places = Vec::new();
        for run in batch.runs() {
            for _ in 0..run.count {
                let vertex = &batch.vertices[places.len()];
                let at = Vec3::new(vertex.position[0], vertex.position[1], vertex.position[2]);
                let by = |n: u8| {
                    let n = usize::from(n);
                    now[n].point(built[n].local(at))
                };
                let place = by(run.bones[1]).lerp(by(run.bones[0]), f32::from(run.weight) / 255.0);
                places.push((view.rotate(place), vertex.colour));
            }
        }
        for n in 2..batch.indices.len() {
            let [a, b, c] = [batch.indices[n - 2], batch.indices[n - 1], batch.indices[n]];
            if c & SKIP != 0 {
                continue;
            }
            let (a, b) = if c & REVERSED != 0 { (b, a) } else { (a, b) };
            let corners = [a, b, c].map(|index| places[usize::from(index & VERTEX)]);
            triangle(picture, &mut depth, corner, corners);
        }
    }
}

fn triangle(picture: &mut RgbImage, depth: &mut [f32], corner: (u32, u32), corners: [(Vec3, u32); 3]) {
    let points = corners.map(|(at, _)| {
        (at.x * PIXELS_PER_METRE + CELL.0 as f32 / 2.0, CELL.1 as f32 - 16.0 - at.z * PIXELS_PER_METRE, at.y)
    });
    let normal = (corners[1].0 - corners[0].0).cross(corners[2].0 - corners[0].0).normalize_or_zero();
    // The eye looks along +y: what faces away is not seen.
    if normal.y >= 0.0 {
        return;
    }
    let light = 0.42 + 0.58 * normal.dot(Vec3::new(-0.5, -0.55, 0.67)).max(0.0);
    let [a, b, c] = points;
    let area = (b.0 - a.0) * (c.1 - a.1) - (c.0 - a.0) * (b.1 - a.1);
    let (left, right) = (a.0.min(b.0).min(c.0).floor() as i32, a.0.max(b.0).max(c.0).ceil() as i32);
    let (upper, lower) = (a.1.min(b.1).min(c.1).floor() as i32, a.1.max(b.1).max(c.1).ceil() as i32);
    for y in upper.max(0)..=lower.min(CELL.1 as i32 - 1) {
        for x in left.max(0)..=right.min(CELL.0 as i32 - 1) {
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            let w0 = ((b.0 - px) * (c.1 - py) - (c.0 - px) * (b.1 - py)) / area;
            let w1 = ((c.0 - px) * (a.1 - py) - (a.0 - px) * (c.1 - py)) / area;
            let w2 = 1.0 - w0 - w1;
            if w0 < 0.0 || w1 < 0.0 || w2 < 0.0 {
                continue;
            }
            let z = w0 * a.2 + w1 * b.2 + w2 * c.2;
            let place = &mut depth[(y as u32 * CELL.0 + x as u32) as usize];
            if z < *place {
                *place = z;
                let [r, g, b, _] = corners[0].1.to_le_bytes();
                let pixel = [r, g, b].map(|v| (f32::from(v) * light) as u8);
                picture.put_pixel(corner.0 + x as u32, corner.1 + y as u32, Rgb(pixel));
            }
        }
    }
}
