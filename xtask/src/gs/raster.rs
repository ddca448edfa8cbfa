//! From vertices to pixels.
//!
//! A pixel belongs to a triangle or a sprite when its whole coordinates lie inside; left and upper edges count as inside, right
//! and lower ones do not, so that neighbours share no pixel and leave none out. Values between vertices are exact: where the
//! hardware rounds, a channel may differ by one.
//!
//! Source: EE facts, section 10 (rules).

use super::state::{Shape, State};

/// Values that run between vertices, by place.
pub const RED: usize = 0;
/// See [`RED`].
pub const GREEN: usize = 1;
/// See [`RED`].
pub const BLUE: usize = 2;
/// See [`RED`].
pub const ALPHA: usize = 3;
/// Larger is nearer.
pub const DEPTH: usize = 4;
/// 255 for none.
pub const FOG: usize = 5;
/// Texture coordinates: divided by depth, or in texels.
pub const S: usize = 6;
/// See [`S`].
pub const T: usize = 7;
/// Their divisor.
pub const Q: usize = 8;
/// How many there are.
const VALUES: usize = 9;
/// Fraction steps in a pixel.
const SUBPIXELS: i32 = 16;

/// The values of a vertex or a pixel.
pub type Values = [f64; VALUES];

/// A vertex; its place has four fraction bits and is counted from the window's corner.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Vertex {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
    /// What it carries.
    pub values: Values,
}

/// A pixel on its way to the frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fragment {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
    /// What it carries.
    pub values: Values,
    /// How much of it is covered, where edges are smoothed; otherwise 1.
    pub coverage: f64,
}

/// The first whole pixel at or after a place.
const fn first_at(place: i32) -> i32 {
    (place + SUBPIXELS - 1).div_euclid(SUBPIXELS)
}

/// The pixel in which a place lies.
const fn pixel_of(place: i32) -> i32 {
    place.div_euclid(SUBPIXELS)
}

/// A mean of three values by weights.
fn mixed<const N: usize>(parts: [(&Values, f64); N]) -> Values {
    std::array::from_fn(|index| parts.iter().map(|(values, weight)| values[index] * weight).sum())
}

/// Turns one primitive into pixels.
pub fn draw(shape: Shape, corners: &[Vertex], state: &State, mut out: impl FnMut(Fragment)) {
    let mut corners = corners.to_vec();
    let Some(last) = corners.last().copied() else { return };
    if !state.gouraud {
        for corner in &mut corners {
            corner.values[..=ALPHA].copy_from_slice(&last.values[..=ALPHA]);
        }
    }
    match (shape, corners.as_slice()) {
        (Shape::Point, [at]) => {
            out(Fragment { x: pixel_of(at.x), y: pixel_of(at.y), values: at.values, coverage: 1.0 });
        }
        (Shape::Line | Shape::LineStrip, [from, to]) => line(from, to, state.smooth.is_some(), &mut out),
        (Shape::Sprite, [from, to]) => sprite(from, to, state.scissor, &mut out),
        (Shape::Triangle | Shape::TriangleStrip | Shape::TriangleFan, [a, b, c]) => {
            triangle([a, b, c], state.scissor, state.smooth.is_some(), &mut out);
        }
        _ => {}
    }
}

/// A pixel for each step along the longer side, the one in which the line lies there; the end is left out. A smooth one shares its light between two pixels.
fn line(from: &Vertex, to: &Vertex, smooth: bool, out: &mut impl FnMut(Fragment)) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let flat = dx.abs() >= dy.abs();
    let (begin, length) = if flat { (from.x, dx) } else { (from.y, dy) };
    if length == 0 {
        return;
    }
    let (first, end) = if length > 0 {
        (first_at(begin), first_at(begin + length))
    } else {
        ((begin + length).div_euclid(SUBPIXELS) + 1, begin.div_euclid(SUBPIXELS) + 1)
    };
    for step in first..end {
        let along = f64::from(step * SUBPIXELS - begin) / f64::from(length);
        let values = mixed([(&from.values, 1.0 - along), (&to.values, along)]);
        let across = match flat {
            true => f64::from(from.y) + along * f64::from(dy),
            false => f64::from(from.x) + along * f64::from(dx),
        } / f64::from(SUBPIXELS);
        let mut pixel = |across: i32, coverage: f64| {
            let (x, y) = if flat { (step, across) } else { (across, step) };
            out(Fragment { x, y, values, coverage });
        };
        if smooth {
            let part = across - across.floor();
            pixel(across.floor() as i32, 1.0 - part);
            pixel(across.floor() as i32 + 1, part);
        } else {
            pixel(across.floor() as i32, 1.0);
        }
    }
}

/// A rectangle. Colour, depth, fog and divisor are the second corner's; texture coordinates run.
fn sprite(from: &Vertex, to: &Vertex, [left, top, right, bottom]: [i32; 4], out: &mut impl FnMut(Fragment)) {
    let run = |from: i32, to: i32, at: i32| f64::from(at * SUBPIXELS - from) / f64::from(to - from);
    let columns = first_at(from.x.min(to.x)).max(left)..first_at(from.x.max(to.x)).min(right + 1);
    for y in first_at(from.y.min(to.y)).max(top)..first_at(from.y.max(to.y)).min(bottom + 1) {
        let down = run(from.y, to.y, y);
        for x in columns.clone() {
            let along = run(from.x, to.x, x);
            let mut values = to.values;
            values[S] = from.values[S] + (to.values[S] - from.values[S]) * along;
            values[T] = from.values[T] + (to.values[T] - from.values[T]) * down;
            out(Fragment { x, y, values, coverage: 1.0 });
        }
    }
}

/// An edge of a triangle: positive inside.
#[derive(Clone, Copy)]
struct Edge {
    dx: i64,
    dy: i64,
    x: i64,
    y: i64,
    /// Pixels on it are inside.
    included: bool,
}

impl Edge {
    /// The edge from `a` to `b` of a triangle that runs clockwise on the screen.
    fn new(a: &Vertex, b: &Vertex) -> Self {
        let (dx, dy) = (i64::from(b.x - a.x), i64::from(b.y - a.y));
        // Upper edges run to the right, left ones upwards.
        Self { dx, dy, x: i64::from(a.x), y: i64::from(a.y), included: dy < 0 || dy == 0 && dx > 0 }
    }

    fn at(&self, x: i32, y: i32) -> i64 {
        let (x, y) = (i64::from(x * SUBPIXELS) - self.x, i64::from(y * SUBPIXELS) - self.y);
        self.dx * y - self.dy * x
    }

    /// How far a pixel lies inside, in pixels.
    fn distance(&self, value: i64) -> f64 {
        value as f64 / ((self.dx * self.dx + self.dy * self.dy) as f64).sqrt() / f64::from(SUBPIXELS)
    }
}

fn triangle(
    [a, mut b, mut c]: [&Vertex; 3],
    [left, top, right, bottom]: [i32; 4],
    smooth: bool,
    out: &mut impl FnMut(Fragment),
) {
    let area = |b: &Vertex, c: &Vertex| {
        i64::from(b.x - a.x) * i64::from(c.y - a.y) - i64::from(c.x - a.x) * i64::from(b.y - a.y)
    };
    if area(b, c) < 0 {
        std::mem::swap(&mut b, &mut c);
    }
    let whole = area(b, c);
    if whole == 0 {
        return;
    }
    let edges = [Edge::new(b, c), Edge::new(c, a), Edge::new(a, b)];
    let (xs, ys) = ([a.x, b.x, c.x], [a.y, b.y, c.y]);
    let least = |of: [i32; 3]| of.into_iter().min().unwrap_or(0);
    let most = |of: [i32; 3]| of.into_iter().max().unwrap_or(0);
    let margin = i32::from(smooth);
    for y in (first_at(least(ys)) - margin).max(top)..=(first_at(most(ys)) + margin).min(bottom) {
        for x in (first_at(least(xs)) - margin).max(left)..=(first_at(most(xs)) + margin).min(right) {
            let inside = edges.map(|edge| edge.at(x, y));
            let covered = edges.iter().zip(inside).all(|(edge, value)| value > 0 || value == 0 && edge.included);
            let coverage = match smooth {
                true => {
                    let distances = edges.iter().zip(inside).map(|(edge, value)| edge.distance(value));
                    distances.fold(1.0, |coverage: f64, distance| coverage.min((distance + 0.5).clamp(0.0, 1.0)))
                }
                false => f64::from(u8::from(covered)),
            };
            if coverage > 0.0 {
                let weights = inside.map(|value| value as f64 / whole as f64);
                let values = mixed([(&a.values, weights[0]), (&b.values, weights[1]), (&c.values, weights[2])]);
                out(Fragment { x, y, values, coverage });
            }
        }
    }
}
