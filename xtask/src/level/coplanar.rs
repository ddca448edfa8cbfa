//! Surfaces that fight for the same pixels: two that lie in one plane, over each other, and are seen from the same side.
//!
//! The depth buffer tells surfaces apart that are a few millimetres from each other; nearer ones flicker from pixel to pixel and
//! from frame to frame. So whatever lies on something else is lifted a little where it is drawn.

use super::materials::{Blend, Materials};
use super::scene::Patch;
use super::source::Place;
use anyhow::{Result, bail};
use boardwalk::maths::{Vec3, scalar};
use std::collections::HashMap;
use std::fmt;

/// Metres by which surfaces are apart at least. Our choice: twice what the depth buffer's steps are at 60 m, from where on small
/// things are left out.
pub const APART: f32 = 0.002;
/// Square metres that are seen: a hundredth of a metre's square is a pixel at five metres.
const SEEN: f32 = 1e-4;
/// How much two planes may be turned against each other and still count as one, as the cosine.
const ALIKE: f32 = 0.9999;
/// Metres of a side of the squares into which triangles are sorted.
const SQUARE: f32 = 4.0;

/// Two surfaces that fight.
#[derive(Clone, Debug)]
pub struct Fight {
    /// Both: the material's name, and the statement that drew it.
    pub surfaces: [(String, Place); 2],
    /// The middle of what they share.
    pub at: Vec3,
    /// Square metres that they share.
    pub area: f32,
}

impl fmt::Display for Fight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(a, first), (b, second)] = &self.surfaces;
        let Vec3 { x, y, z, .. } = self.at;
        write!(f, "{a} of {first} and {b} of {second} share {:.4} m2 around {x:.2},{y:.2},{z:.2}", self.area)
    }
}

/// A triangle of a patch.
struct Face {
    patch: usize,
    corners: [Vec3; 3],
    normal: Vec3,
    both_sides: bool,
    blended: bool,
}

impl Face {
    fn bounds(&self) -> (Vec3, Vec3) {
        let [a, b, c] = self.corners;
        (a.min(b).min(c) - Vec3::splat(APART), a.max(b).max(c) + Vec3::splat(APART))
    }
}

/// Refuses patches that fight.
///
/// # Errors
/// The first of them, by material and place, and how many there are.
pub fn check(patches: &[Patch], materials: &Materials) -> Result<()> {
    let fights = fights(patches, materials);
    if let Some(first) = fights.first() {
        bail!("{first} (in all {} pairs of surfaces lie in one plane)", fights.len());
    }
    Ok(())
}

/// Every pair of patches that fight, the largest share first.
pub fn fights(patches: &[Patch], materials: &Materials) -> Vec<Fight> {
    let faces = faces(patches, materials);
    let mut squares: HashMap<[i32; 3], Vec<usize>> = HashMap::new();
    for (number, face) in faces.iter().enumerate() {
        let (low, high) = face.bounds();
        for square in squares_of(low, high) {
            squares.entry(square).or_default().push(number);
        }
    }
    let mut shared: HashMap<(usize, usize), (f32, Vec3)> = HashMap::new();
    for (square, numbers) in &squares {
        for (at, &first) in numbers.iter().enumerate() {
            for &second in &numbers[at + 1..] {
                let (a, b) = (&faces[first], &faces[second]);
                let of_one_colour = plain(&patches[a.patch], &patches[b.patch], materials);
                if a.patch == b.patch || (a.blended && b.blended) || of_one_colour || home(a, b) != *square {
                    continue;
                }
                if let Some((area, middle)) = overlap(a, b) {
                    let pair = (a.patch.min(b.patch), a.patch.max(b.patch));
                    let entry = shared.entry(pair).or_insert((0.0, middle));
                    entry.0 += area;
                }
            }
        }
    }
    let surface = |number: usize| {
        let patch = &patches[number];
        (materials.get(patch.material).name.clone(), patch.place.clone())
    };
    let mut fights: Vec<((usize, usize), Fight)> = shared
        .into_iter()
        .filter(|(_, (area, _))| *area > SEEN)
        .map(|(pair, (area, at))| (pair, Fight { surfaces: [surface(pair.0), surface(pair.1)], at, area }))
        .collect();
    fights.sort_by(|(pair, a), (other, b)| b.area.total_cmp(&a.area).then(pair.cmp(other)));
    fights.into_iter().map(|(_, fight)| fight).collect()
}

/// Whether two patches have one colour and no picture, so that nobody sees which of them is in front.
fn plain(a: &Patch, b: &Patch, materials: &Materials) -> bool {
    a.material == b.material
        && materials.get(a.material).texture.is_none()
        && (a.tint, a.glow, a.part) == (b.tint, b.glow, b.part)
}

fn faces(patches: &[Patch], materials: &Materials) -> Vec<Face> {
    let mut faces = Vec::new();
    for (number, patch) in patches.iter().enumerate() {
        let material = materials.get(patch.material);
        let [a, b, c, d] = patch.corners;
        for corners in [[a, b, c], [a, c, d]] {
            let [a, b, c] = corners;
            let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
            let blended = matches!(material.blend, Blend::Over | Blend::Add);
            faces.push(Face { patch: number, corners, normal, both_sides: material.two_sided, blended });
        }
    }
    faces
}

/// The squares that a box touches.
fn squares_of(low: Vec3, high: Vec3) -> impl Iterator<Item = [i32; 3]> {
    let (low, high) = (square_at(low), square_at(high));
    let range = move |axis: usize| low[axis]..=high[axis];
    range(0).flat_map(move |x| range(1).flat_map(move |y| range(2).map(move |z| [x, y, z])))
}

fn square_at(point: Vec3) -> [i32; 3] {
    point.to_array().map(|v| scalar::floor(v / SQUARE) as i32)
}

/// The one square in which a pair is looked at: where their boxes' common part begins.
fn home(a: &Face, b: &Face) -> [i32; 3] {
    square_at(a.bounds().0.max(b.bounds().0))
}

/// How much two triangles share when they fight, in square metres, and the middle of it.
fn overlap(a: &Face, b: &Face) -> Option<(f32, Vec3)> {
    let facing = a.normal.dot(b.normal);
    let same_side = if a.both_sides || b.both_sides { facing.abs() } else { facing };
    if same_side < ALIKE {
        return None;
    }
    let (middle, origin) =
        (b.corners[0] + (b.corners[1] + b.corners[2] - b.corners[0] * 2.0) * (1.0 / 3.0), a.corners[0]);
    if (middle - origin).dot(a.normal).abs() > APART {
        return None;
    }
    // The second triangle, cut by the first one's sides.
    let mut polygon: Vec<Vec3> = b.corners.to_vec();
    for side in 0..3 {
        let (from, to) = (a.corners[side], a.corners[(side + 1) % 3]);
        let inwards = a.normal.cross(to - from);
        let height = |point: Vec3| (point - from).dot(inwards);
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (at, &point) in polygon.iter().enumerate() {
            let next = polygon[(at + 1) % polygon.len()];
            let (here, there) = (height(point), height(next));
            if here >= 0.0 {
                kept.push(point);
            }
            if (here < 0.0) != (there < 0.0) {
                kept.push(point.lerp(next, here / (here - there)));
            }
        }
        polygon = kept;
        if polygon.len() < 3 {
            return None;
        }
    }
    let first = polygon[0];
    let doubled =
        polygon.windows(2).skip(1).fold(Vec3::ZERO, |sum, pair| sum + (pair[0] - first).cross(pair[1] - first));
    let centre = polygon.iter().fold(Vec3::ZERO, |sum, point| sum + *point) * (1.0 / polygon.len() as f32);
    Some((doubled.dot(a.normal).abs() * 0.5, centre))
}

#[cfg(test)]
mod tests {
    use super::super::tests::scene_of;
    use super::*;

    fn found(text: &str) -> Vec<Fight> {
        let scene = scene_of(text);
        fights(&scene.patches, &scene.materials)
    }

    #[test]
    fn two_boxes_that_share_a_face_s_plane_fight_and_both_are_named() {
        let fights = found("box material=stone size=2,2,1;box material=iron at=0.5,0,0 size=2,2,1");
        let told: Vec<String> = fights.iter().map(ToString::to_string).collect();
        let top = fights.iter().find(|fight| (fight.at.z - 1.0).abs() < 1e-3).unwrap_or_else(|| panic!("{told:?}"));
        assert!((top.area - 3.0).abs() < 0.01, "{top}");
        assert_eq!(top.surfaces.each_ref().map(|(name, _)| name.as_str()), ["stone", "iron"]);
        assert_ne!(top.surfaces[0].1.line, top.surfaces[1].1.line);
    }

    #[test]
    fn what_is_lifted_stands_beside_or_faces_away_does_not() {
        for text in [
            "box material=stone size=2,2,1;box material=iron size=1,1,1.003",
            "box material=stone size=2,2,1;box material=iron at=2,0,0 size=2,2,1",
            "box material=stone size=2,2,1;box material=iron at=0,0,1 size=1,1,1",
        ] {
            let told: Vec<String> = found(text).iter().map(ToString::to_string).collect();
            // The undersides of boxes are not drawn.
            assert_eq!(told, Vec::<String>::new(), "{text}");
        }
    }
}
