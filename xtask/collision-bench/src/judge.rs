//! The truth about a query, in double precision and by testing every triangle.

use crate::scenes::Triangles;
use boardwalk::collision::Ray;
use boardwalk::maths::Vec3;
use boardwalk::physics::shapes::Sphere;

type P = [f64; 3];

/// Metres by which single precision may miss a touch or find one.
const GRAZE: f64 = 4e-5;
/// Steps of an advance; it ends long before, save for a move along a face.
const STEPS: usize = 4000;

/// The answers between which single precision decides: the earliest and the latest, or no hit at all.
pub struct Bounds {
    early: Option<f64>,
    late: Option<f64>,
}

impl Bounds {
    /// Whether an answer is within the bounds, give or take `tolerance`.
    pub fn allow(&self, answer: Option<f32>, tolerance: f32) -> bool {
        let slack = f64::from(tolerance);
        match (answer.map(f64::from), self.early, self.late) {
            (None, _, late) => late.is_none(),
            (Some(_), None, _) => false,
            (Some(found), Some(early), None) => found >= early - slack,
            (Some(found), Some(early), Some(late)) => found >= early - slack && found <= late + slack,
        }
    }
}

/// When a sphere first touches a triangle, as a share of its move.
pub fn first_touch(triangles: &Triangles, sphere: &Sphere, by: Vec3) -> Bounds {
    let r = f64::from(sphere.radius);
    let advance = |r: f64| advance(triangles, of(sphere.centre), of(by), r);
    Bounds { early: advance(r + GRAZE), late: advance(r - GRAZE) }
}

/// Where a ray first hits a triangle, as a share of its length.
pub fn first_hit(triangles: &Triangles, ray: &Ray) -> Bounds {
    let (o, d) = (of(ray.origin), of(ray.direction));
    let length = f64::from(ray.length);
    let hit = |slack: f64| {
        let each = triangles.corners.iter().filter_map(|corners| {
            let [a, b, c] = corners.map(|corner| of(triangles.vertices[corner as usize]));
            let (e1, e2) = (sub(b, a), sub(c, a));
            let p = cross(d, e2);
            let determinant = dot(e1, p);
            if determinant == 0.0 {
                return None;
            }
            let s = sub(o, a);
            let (u, q) = (dot(s, p) / determinant, cross(s, e1));
            let (v, t) = (dot(d, q) / determinant, dot(e2, q) / determinant);
            let inside = u >= -slack && v >= -slack && u + v <= 1.0 + slack;
            (inside && t >= -slack && t <= length + slack).then_some(t / length)
        });
        each.reduce(f64::min)
    };
    Bounds { early: hit(GRAZE), late: hit(-GRAZE) }
}

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
fn cross(a: P, b: P) -> P {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn length(a: P) -> f64 {
    dot(a, a).sqrt()
}

fn point_segment(p: P, a: P, b: P) -> f64 {
    let along = sub(b, a);
    let square = dot(along, along);
    let t = if square > 0.0 { (dot(sub(p, a), along) / square).clamp(0.0, 1.0) } else { 0.0 };
    length(sub(p, add_scaled(a, along, t)))
}

fn point_triangle(p: P, [a, b, c]: [P; 3]) -> f64 {
    let normal = cross(sub(b, a), sub(c, a));
    let area = length(normal);
    let outside = |a: P, b: P| dot(cross(sub(b, a), sub(p, a)), normal) < 0.0;
    if area > 0.0 && !outside(a, b) && !outside(b, c) && !outside(c, a) {
        return dot(normal, sub(p, a)).abs() / area;
    }
    point_segment(p, a, b).min(point_segment(p, b, c)).min(point_segment(p, c, a))
}

/// Walks along the move by the distance that is free, until less than nothing is.
fn advance(triangles: &Triangles, c: P, d: P, r: f64) -> Option<f64> {
    let way = length(d);
    let near: Vec<[P; 3]> = triangles
        .corners
        .iter()
        .map(|corners| corners.map(|corner| of(triangles.vertices[corner as usize])))
        .filter(|&corners| point_triangle(c, corners) <= way + r)
        .collect();
    let mut t = 0.0;
    for _ in 0..STEPS {
        let at = add_scaled(c, d, t);
        let free = near.iter().map(|&corners| point_triangle(at, corners)).fold(f64::MAX, f64::min) - r;
        if free <= 1e-9 {
            return Some(t);
        }
        t += free / way;
        if t > 1.0 {
            return None;
        }
    }
    Some(t)
}
