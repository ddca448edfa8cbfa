//! An independent judge for the sweeps that are plain geometry: conservative advancement in double precision.
//!
//! It knows only the distance from a point to the other shape, walks along the move by that distance, and so shares no
//! algebra with the kernels.

use crate::maths::Vec3;

type P = [f64; 3];

fn of(v: Vec3) -> P {
    v.to_array().map(f64::from)
}
fn sub(a: P, b: P) -> P {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn add_scaled(a: P, b: P, s: f64) -> P {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}
fn dot(a: P, b: P) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn length(a: P) -> f64 {
    dot(a, a).sqrt()
}

/// Distance of a point to a segment.
pub fn point_segment(p: P, a: Vec3, b: Vec3) -> f64 {
    let (a, b) = (of(a), of(b));
    let along = sub(b, a);
    let t = if dot(along, along) > 0.0 { (dot(sub(p, a), along) / dot(along, along)).clamp(0.0, 1.0) } else { 0.0 };
    length(sub(p, add_scaled(a, along, t)))
}

/// Distance of a point to a solid triangle, by barycentric coordinates.
pub fn point_triangle(p: P, corners: [Vec3; 3]) -> f64 {
    let [a, b, c] = corners.map(of);
    let (e1, e2, w) = (sub(b, a), sub(c, a), sub(p, a));
    let (d11, d12, d22) = (dot(e1, e1), dot(e1, e2), dot(e2, e2));
    let (w1, w2) = (dot(w, e1), dot(w, e2));
    let denominator = d11 * d22 - d12 * d12;
    let (u, v) = ((d22 * w1 - d12 * w2) / denominator, (d11 * w2 - d12 * w1) / denominator);
    if u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
        return length(sub(w, add_scaled(add_scaled([0.0; 3], e1, u), e2, v)));
    }
    let edge = |a: Vec3, b: Vec3| point_segment(p, a, b);
    edge(corners[0], corners[1]).min(edge(corners[1], corners[2])).min(edge(corners[2], corners[0]))
}

/// Distance of a point to a solid box given by its centre, axes and half extents.
pub fn point_box(p: P, centre: Vec3, axes: [Vec3; 3], half: Vec3) -> f64 {
    let w = sub(p, of(centre));
    let mut squared = 0.0;
    for i in 0..3 {
        let along = dot(w, of(axes[i]));
        let out = (along.abs() - f64::from(half[i])).max(0.0);
        squared += out * out;
    }
    squared.sqrt()
}

/// How far `found`, the fraction at which a sphere of radius `r` moving from `c` by `d` is said to touch the shape, is
/// from the truth. Grazing contacts, where the smallest change of the radius decides, count as right either way.
pub fn compare(found: Option<f32>, c: Vec3, d: Vec3, r: f32, distance: impl Fn(P) -> f64) -> f64 {
    // A few parts in 10^5 of the scene's size: what single precision may take for a touch or for none.
    const GRAZE: f64 = 4e-5;
    let first = |r: f64| first_touch(of(c), of(d), r, &distance);
    match (found, first(f64::from(r))) {
        (None, None) => 0.0,
        (Some(found), Some(truth)) => {
            let (early, late) = (first(f64::from(r) + GRAZE), first(f64::from(r) - GRAZE));
            let found = f64::from(found);
            let off = (found - truth).abs();
            match (early, late) {
                (Some(early), Some(late)) if found >= early && found <= late => 0.0,
                (Some(early), None) if found >= early => 0.0,
                _ => off,
            }
        }
        (Some(_), None) => {
            if first(f64::from(r) + GRAZE).is_some() {
                0.0
            } else {
                1.0
            }
        }
        (None, Some(_)) => {
            if first(f64::from(r) - GRAZE).is_none() {
                0.0
            } else {
                1.0
            }
        }
    }
}

fn first_touch(c: P, d: P, r: f64, distance: &impl Fn(P) -> f64) -> Option<f64> {
    let speed = length(d);
    let mut t = 0.0;
    for _ in 0..100_000 {
        let gap = distance(add_scaled(c, d, t)) - r;
        if gap <= 1e-9 {
            return Some(t);
        }
        t += gap / speed;
        if t > 1.0 {
            return None;
        }
    }
    Some(t)
}
