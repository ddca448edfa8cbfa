//! Plain geometry in double precision, by distances alone.

/// A point or a direction.
pub type P = [f64; 3];

/// Metres by which single precision may miss a touch or find one.
const GRAZE: f64 = 4e-5;
/// Steps of an advance; it ends long before, save for a move along a face.
const STEPS: usize = 4000;

/// Something that a ball or a ray meets.
#[derive(Clone)]
pub enum Solid {
    Triangle([P; 3]),
    Box {
        centre: P,
        axes: [P; 3],
        half: P,
    },
    /// A segment with a radius; a ball when its ends are one.
    Segment([P; 2], f64),
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

fn point_segment(p: P, [a, b]: [P; 2]) -> f64 {
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
    point_segment(p, [a, b]).min(point_segment(p, [b, c])).min(point_segment(p, [c, a]))
}

impl Solid {
    fn distance(&self, p: P) -> f64 {
        match self {
            Self::Triangle(corners) => point_triangle(p, *corners),
            Self::Segment(ends, radius) => point_segment(p, *ends) - radius,
            Self::Box { centre, axes, half } => {
                let m = sub(p, *centre);
                let beyond = [0, 1, 2].map(|i| dot(m, axes[i]).abs() - half[i]);
                let deepest = beyond.into_iter().fold(f64::MIN, f64::max);
                if deepest < 0.0 { deepest } else { length(beyond.map(|part| part.max(0.0))) }
            }
        }
    }
}

/// When a ball first touches one of the solids, as a share of its move: not before the first answer, and by the second
/// one for certain. A ray is a ball without a radius.
pub fn first_touch(solids: &[Solid], c: P, d: P, r: f64) -> (Option<f64>, Option<f64>) {
    let advance = |r: f64| advance(solids, c, d, r);
    // A ray pierces a triangle, and a point comes no nearer to one than the graze.
    let late = if r == 0.0 && solids.iter().any(|solid| matches!(solid, Solid::Triangle(_))) {
        pierce(solids, c, d)
    } else {
        advance(r - GRAZE)
    };
    (advance(r + GRAZE), late)
}

/// Where a ray goes through the inner part of a triangle first.
fn pierce(solids: &[Solid], o: P, d: P) -> Option<f64> {
    let each = solids.iter().filter_map(|solid| {
        let Solid::Triangle([a, b, c]) = *solid else { return None };
        let (e1, e2) = (sub(b, a), sub(c, a));
        let p = cross(d, e2);
        let determinant = dot(e1, p);
        // The program's rays pass triangles that they see edge on.
        if determinant.abs() < 1e-5 * length(d) {
            return None;
        }
        let s = sub(o, a);
        let q = cross(s, e1);
        let (u, v, t) = (dot(s, p) / determinant, dot(d, q) / determinant, dot(e2, q) / determinant);
        (u >= GRAZE && v >= GRAZE && u + v <= 1.0 - GRAZE && (0.0..=1.0 - GRAZE).contains(&t)).then_some(t)
    });
    each.reduce(f64::min)
}

/// Walks along the move by the distance that is free, until less than nothing is.
fn advance(solids: &[Solid], c: P, d: P, r: f64) -> Option<f64> {
    let way = length(d);
    let mut t = 0.0;
    for _ in 0..STEPS {
        let at = add_scaled(c, d, t);
        let free = solids.iter().map(|solid| solid.distance(at)).fold(f64::MAX, f64::min) - r;
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

/// How far two segments are apart: the least over fine steps along one of them, made finer around the best.
pub fn segments_apart([a, b]: [P; 2], other: [P; 2]) -> f64 {
    let at = |t: f64| point_segment(add_scaled(a, sub(b, a), t), other);
    // The distance is convex along a segment.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(left) < at(right) {
            high = right;
        } else {
            low = left;
        }
    }
    at((low + high) * 0.5)
}
