//! Cuts triangles that reach behind the eye or beyond the drawing plane, without cracks.
//!
//! A corner that needs no cutting stays the very vertex that its neighbours draw. A new corner lies on an edge and is always
//! computed from the edge's inner end towards its outer end, so that both triangles of the edge get the same one.

use super::volume::PLANE;
use crate::ee::gif::Quad;
use crate::ee::strips::{NO_DRAW, QUADS, packed};
use crate::ee::vu0::transform::{Constants, Transformed, Vertex};
use heapless::Vec;

/// Planes to cut at: near, left, right, upper and lower.
pub const PLANES: usize = 5;
/// Corners of what is left of a triangle at most.
pub const MAX_CORNERS: usize = 3 + PLANES;

/// A corner before the division by its distance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Corner {
    /// Plane x and y and depth, each times the distance, and the distance.
    pub clip: [f32; 4],
    /// Red, green, blue and alpha of 0-255.
    pub colour: [f32; 4],
    /// Texture coordinates.
    pub texture: [f32; 2],
    /// The vertex that it still is.
    pub vertex: Option<u8>,
}

/// What is left of a triangle, in ring order.
pub type Polygon = Vec<Corner, MAX_CORNERS>;

/// How far inside each plane a point lies.
#[inline]
pub fn inside(clip: &[f32; 4], near: f32) -> [f32; PLANES] {
    let &[x, y, _, w] = clip;
    [w - near, x - PLANE.start * w, PLANE.end * w - x, y - PLANE.start * w, PLANE.end * w - y]
}

/// A bit for each plane that a point lies outside of.
#[inline]
pub fn outcode(clip: &[f32; 4], near: f32) -> u8 {
    let mut code = 0;
    for (plane, distance) in inside(clip, near).into_iter().enumerate() {
        code |= u8::from(distance < 0.0) << plane;
    }
    code
}

/// True when a triangle of which parts may be behind the eye is seen from its front.
pub fn faces_front(corners: [&[f32; 4]; 3], reversed: bool) -> bool {
    // Around the plane's middle numbers are smallest and exactest.
    const MIDDLE: f32 = 2048.0;
    let [a, b, c] = corners.map(|&[x, y, _, w]| [x - MIDDLE * w, y - MIDDLE * w, w]);
    let volume =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    (volume < 0.0) != reversed
}

impl Corner {
    /// A vertex of a batch, transformed, by its number.
    pub fn of(number: u8, vertex: &Vertex, transformed: &Transformed, constants: &Constants) -> Self {
        let [s, t] = vertex.texture;
        Self {
            clip: transformed.clip,
            colour: transformed.colour.map(|channel| channel as f32),
            texture: [s + constants.scroll[0], t + constants.scroll[1]],
            vertex: Some(number),
        }
    }

    /// The corner a share of the way to another one.
    fn towards(&self, other: &Self, share: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * share;
        Self {
            clip: core::array::from_fn(|i| mix(self.clip[i], other.clip[i])),
            colour: core::array::from_fn(|i| mix(self.colour[i], other.colour[i])),
            texture: core::array::from_fn(|i| mix(self.texture[i], other.texture[i])),
            vertex: None,
        }
    }

    /// The packet's form of a new corner.
    fn packed(&self, constants: &Constants, draw: bool) -> [Quad; QUADS] {
        const STEPS: f32 = 16.0;
        const PLANE_END: f32 = 65_535.0;
        const WHOLE_DEPTH: f32 = 268_435_440.0;
        let inverse = 1.0 / self.clip[3];
        let [most, least, slope, base] = constants.fog;
        let fog = (base + self.clip[3] * slope).min(most).max(least);
        let place = |value: f32, end: f32| (value * inverse * STEPS).clamp(0.0, end) as u32;
        let flag = if draw { 0 } else { NO_DRAW };
        [
            Quad::floats([self.texture[0] * inverse, self.texture[1] * inverse, inverse, 0.0]),
            Quad(self.colour.map(|channel| channel as u32)),
            Quad([
                place(self.clip[0], PLANE_END),
                place(self.clip[1], PLANE_END),
                place(self.clip[2], WHOLE_DEPTH),
                (fog * STEPS) as u32 | flag,
            ]),
        ]
    }
}

/// What is left of a triangle; fewer than three corners when nothing is.
pub fn triangle(corners: [Corner; 3], near: f32) -> Polygon {
    let mut polygon = Polygon::new();
    polygon.extend(corners);
    for plane in 0..PLANES {
        let mut kept = Polygon::new();
        for (index, corner) in polygon.iter().enumerate() {
            let next = &polygon[(index + 1) % polygon.len()];
            let (here, there) = (inside(&corner.clip, near)[plane], inside(&next.clip, near)[plane]);
            // A plane adds at most one corner, so there is always room.
            if here >= 0.0 {
                let _ = kept.push(*corner);
            }
            if here >= 0.0 && there < 0.0 {
                let _ = kept.push(corner.towards(next, here / (here - there)));
            } else if here < 0.0 && there >= 0.0 {
                let _ = kept.push(next.towards(corner, there / (there - here)));
            }
        }
        polygon = kept;
    }
    polygon
}

/// Writes a polygon as one strip, from side to side: three quadwords a corner.
pub fn emit(polygon: &Polygon, vertices: &[Transformed], constants: &Constants, out: &mut [Quad]) {
    for (place, quads) in out.chunks_exact_mut(QUADS).enumerate().take(polygon.len()) {
        // 0, 1, last, 2, last but one, ...
        let index = match place {
            0 | 1 => place,
            _ if place % 2 == 0 => polygon.len() - place / 2,
            _ => place / 2 + 1,
        };
        let Some(corner) = polygon.get(index) else { continue };
        let draw = place >= 2;
        let known = corner.vertex.and_then(|number| vertices.get(usize::from(number)));
        quads.copy_from_slice(&known.map_or_else(|| corner.packed(constants, draw), |vertex| packed(vertex, draw)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn corner(number: u8, x: f32, y: f32, w: f32) -> Corner {
        Corner { clip: [x * w, y * w, 1000.0, w], colour: [w; 4], texture: [x, y], vertex: Some(number) }
    }

    #[test]
    fn a_triangle_on_the_plane_stays_as_it_is() {
        let corners = [corner(0, 2000.0, 2000.0, 3.0), corner(1, 2100.0, 2000.0, 4.0), corner(2, 2000.0, 2100.0, 5.0)];
        assert_eq!(triangle(corners, 0.5)[..], corners);
        assert!(corners.iter().all(|corner| outcode(&corner.clip, 0.5) == 0));
    }

    #[test]
    fn an_edge_is_cut_in_the_same_place_from_both_sides() {
        let (a, b) = (corner(0, 2000.3, 2011.7, 3.1), corner(1, 2090.9, 2047.3, 0.0123));
        let (c, d) = (corner(2, 1990.1, 2100.7, 2.9), corner(3, 2200.5, 1900.3, 4.7));
        let new = |polygon: &Polygon| -> vec::Vec<Corner> {
            polygon.iter().filter(|corner| corner.vertex.is_none()).copied().collect()
        };
        let (one, other) = (new(&triangle([a, b, c], 0.2)), new(&triangle([b, a, d], 0.2)));
        assert!(one.iter().any(|corner| other.contains(corner)), "{one:?} {other:?}");
    }

    #[test]
    fn what_lies_wholly_outside_leaves_nothing() {
        let left = [corner(0, -900.0, 2000.0, 2.0), corner(1, -100.0, 2000.0, 2.0), corner(2, -500.0, 2200.0, 3.0)];
        assert!(triangle(left, 0.5).len() < 3);
        let codes = left.map(|corner| outcode(&corner.clip, 0.5));
        assert_ne!(codes[0] & codes[1] & codes[2], 0);
    }

    #[test]
    fn a_triangle_larger_than_the_plane_is_cut_to_it() {
        let huge =
            [corner(0, -9000.0, -9000.0, 2.0), corner(1, 20_000.0, -9000.0, 2.0), corner(2, 2000.0, 20_000.0, 2.0)];
        let left = triangle(huge, 0.5);
        assert!((4..=MAX_CORNERS).contains(&left.len()));
        let constants = Constants { fog: [255.0, 0.0, 0.0, 255.0], ..Constants::default() };
        let mut out = vec![Quad::default(); left.len() * QUADS];
        emit(&left, &[], &constants, &mut out);
        for vertex in out.chunks(QUADS) {
            let [x, y, ..] = vertex[2].0;
            assert!(
                (8 * 16 - 1..=4088 * 16 + 1).contains(&x) && (8 * 16 - 1..=4088 * 16 + 1).contains(&y),
                "({x}, {y})"
            );
        }
    }

    #[test]
    fn a_strip_from_side_to_side_covers_the_whole_polygon() {
        let ring = [(2000.0, 2000.0), (2100.0, 2000.0), (2200.0, 2100.0), (2100.0, 2200.0), (2000.0, 2200.0)];
        let mut polygon = Polygon::new();
        polygon.extend(ring.map(|(x, y)| Corner { vertex: None, ..corner(0, x, y, 1.0) }));
        let mut out = vec![Quad::default(); polygon.len() * QUADS];
        emit(&polygon, &[], &Constants { fog: [255.0, 0.0, 0.0, 255.0], ..Constants::default() }, &mut out);
        let points: vec::Vec<[f32; 2]> =
            out.chunks(QUADS).map(|v| [v[2].0[0], v[2].0[1]].map(|p| p as f32 / 16.0)).collect();
        let area = |a: [f32; 2], b: [f32; 2], c: [f32; 2]| {
            ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])).abs() / 2.0
        };
        let covered: f32 = points.windows(3).map(|p| area(p[0], p[1], p[2])).sum();
        let whole: f32 = (1..4).map(|i| area([2000.0, 2000.0], ring[i].into(), ring[i + 1].into())).sum();
        assert_eq!(covered, whole);
    }

    #[test]
    fn the_front_is_known_even_with_a_corner_behind_the_eye() {
        // A floor 1.7 m under the eye, its corners anticlockwise from above; the last lies behind.
        let clip = |right: f32, ahead: f32| [right * 500.0 + 2048.0 * ahead, 2048.0 * ahead + 1.7 * 500.0, 0.0, ahead];
        let corners = [clip(-1.0, 5.0), clip(0.0, -3.0), clip(1.0, 5.0)];
        assert!(faces_front(corners.each_ref(), false));
        assert!(!faces_front(corners.each_ref(), true));
    }
}
