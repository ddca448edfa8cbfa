//! Contact sheets: a row of figures for each clip, to be looked at.
//!
//! A figure is a clay doll: spheres along the bones, shaded, nearer ones in front. The left side is blue, the right red.

use super::body::HEEL_FROM_BALL;
use super::compile::Baked;
use boardwalk::animation::skeleton::{BONES, PARENTS, Skeleton, bone};
use boardwalk::maths::{Pose, Quat, Vec3};
use image::{Rgb, RgbImage};

/// A figure's cell.
const CELL: (u32, u32) = (104, 132);
/// Figures in a row.
const COLUMNS: u32 = 12;
const PIXELS_PER_METRE: f32 = 54.0;
const BACKGROUND: Rgb<u8> = Rgb([34, 36, 44]);
const GROUND: Rgb<u8> = Rgb([60, 62, 72]);

/// Thickness of the stretch from a bone's parent to the bone.
fn radius(n: usize) -> f32 {
    match n {
        bone::PELVIS | bone::SPINE => 0.125,
        bone::MIDDLE => 0.12,
        bone::CHEST => 0.125,
        bone::HEAD => 0.055,
        7 => 0.095,
        17 | 23 => 0.07,
        18 | 24 => 0.048,
        19 | 25 => 0.038,
        20 | 26 => 0.042,
        28 | 31 => 0.095,
        29 | 32 => 0.075,
        30 | 33 => 0.05,
        _ => 0.0,
    }
}

fn colour(n: usize) -> [f32; 3] {
    match n {
        7 | 20 | 26 => [230.0, 190.0, 160.0],
        16..=21 | 28..=30 => [110.0, 150.0, 230.0],
        22..=27 | 31..=33 => [230.0, 110.0, 100.0],
        _ => [190.0, 190.0, 185.0],
    }
}

struct Cell {
    depth: Vec<f32>,
    x: u32,
    y: u32,
}

impl Cell {
    fn sphere(&mut self, picture: &mut RgbImage, at: Vec3, radius: f32, colour: [f32; 3]) {
        let (w, h) = (CELL.0 as i32, CELL.1 as i32);
        let centre = (at.x * PIXELS_PER_METRE + w as f32 / 2.0, h as f32 - 14.0 - at.z * PIXELS_PER_METRE);
        let r = radius * PIXELS_PER_METRE;
        for y in (centre.1 - r).floor() as i32..=(centre.1 + r).ceil() as i32 {
            for x in (centre.0 - r).floor() as i32..=(centre.0 + r).ceil() as i32 {
                if !(0..w).contains(&x) || !(0..h).contains(&y) {
                    continue;
                }
                let (dx, dy) = ((x as f32 - centre.0) / r, (y as f32 - centre.1) / r);
                let inside = 1.0 - dx * dx - dy * dy;
                if inside <= 0.0 {
                    continue;
                }
                let n = Vec3::new(dx, -inside.sqrt(), -dy);
                let depth = at.y + n.y * radius;
                let place = &mut self.depth[(y * w + x) as usize];
                if depth < *place {
                    *place = depth;
                    let light = 0.35 + 0.65 * n.dot(Vec3::new(-0.4, -0.6, 0.7).normalize_or_zero()).max(0.0);
                    let pixel = colour.map(|c| (c * light) as u8);
                    picture.put_pixel(self.x + x as u32, self.y + y as u32, Rgb(pixel));
                }
            }
        }
    }
}

/// Draws the figure of a frame, seen from `heading` radians beside its way, into a cell.
fn figure(picture: &mut RgbImage, cell: &mut Cell, baked: &Baked, frame: usize, heading: f32) {
    let skeleton = Skeleton::new();
    let mut bones = [Pose::IDENTITY; BONES];
    let turn = Quat::from_heading(baked.turn[frame]);
    skeleton.place(&baked.frames[frame].pose, &Pose::new(turn, Vec3::ZERO), 1.0, &mut bones);
    // Looked at a little from above.
    let view = Quat::from_axis_angle(Vec3::X, 0.18) * Quat::from_heading(heading);
    for n in 2..BONES {
        let r = radius(n);
        if r == 0.0 {
            continue;
        }
        let parent = if n == bone::PELVIS { n } else { PARENTS[n] as usize };
        let (from, to) = (bones[parent].position, bones[n].position);
        for step in 0..=6 {
            cell.sphere(picture, view.rotate(from.lerp(to, step as f32 / 6.0)), r, colour(n));
        }
    }
    // The chest is broad, the head round, feet have toes.
    for s in [-1.0, 1.0] {
        let chest = bones[bone::CHEST].rotation;
        let at = bones[bone::CHEST].position + chest.axis_x() * 0.08 + chest.axis_y() * (0.07 * s);
        cell.sphere(picture, view.rotate(at), 0.11, colour(bone::CHEST));
    }
    let head = &bones[bone::HEAD];
    cell.sphere(picture, view.rotate(head.point(Vec3::new(0.1, 0.0, 0.02))), 0.105, colour(7));
    cell.sphere(picture, view.rotate(head.point(Vec3::new(0.06, 0.0, 0.12))), 0.03, [250.0, 160.0, 130.0]);
    for (n, hand) in
        [(bone::LEFT_FOOT, false), (bone::RIGHT_FOOT, false), (bone::LEFT_HAND, true), (bone::RIGHT_HAND, true)]
    {
        let along = if hand { (0.0, 0.08) } else { (HEEL_FROM_BALL.y + 0.13, 0.16) };
        for step in 0..=5 {
            let t = along.0 + (along.1 - along.0) * step as f32 / 5.0;
            let down = if hand { 0.0 } else { -0.05 };
            cell.sphere(picture, view.rotate(bones[n].point(Vec3::new(t, 0.0, down))), 0.042, colour(n));
        }
    }
}

/// A picture with a row for each clip, two for those that `both` asks to see from ahead too.
pub fn draw(clips: &[Baked], headings: &[f32]) -> RgbImage {
    let rows = (clips.len() * headings.len()) as u32;
    let mut picture = RgbImage::from_pixel(CELL.0 * COLUMNS, CELL.1 * rows, BACKGROUND);
    for (n, baked) in clips.iter().enumerate() {
        for (view, heading) in headings.iter().enumerate() {
            let row = (n * headings.len() + view) as u32;
            for column in 0..COLUMNS {
                let frame = ((baked.frames.len() - 1) as f32 * column as f32 / (COLUMNS - 1) as f32).round() as usize;
                let (x, y) = (column * CELL.0, row * CELL.1);
                for px in 0..CELL.0 {
                    picture.put_pixel(x + px, y + CELL.1 - 14, GROUND);
                }
                let mut cell = Cell { depth: vec![f32::MAX; (CELL.0 * CELL.1) as usize], x, y };
                figure(&mut picture, &mut cell, baked, frame, *heading);
            }
        }
    }
    picture
}
