//! Small bodies for what is picked up and thrown: turned ones, and boxes with broken edges.

use super::Draw;
use crate::level::sketch::Sketch;
use crate::level::source::{Statement, numbers};
use anyhow::{Context as _, Result, ensure};
use boardwalk::maths::{Vec3, scalar};

pub(super) fn drawing(verb: &str) -> Option<Draw> {
    Some(match verb {
        "lathe" => lathe,
        "chamfer" => chamfer,
        "card" => card,
        _ => return None,
    })
}

/// `lathe material= points=R,Z/R,Z/... sides= along=x|y|z`: what turns about an axis, from its lower end to its upper.
fn lathe(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let place = &statement.place;
    let words = statement.need("points")?.split('/');
    let points = words.map(numbers::<2>).collect::<Result<Vec<[f32; 2]>>>();
    let points = points.with_context(|| format!("{place}: points="))?;
    ensure!(points.len() >= 2, "{place}: points= has at least two points");
    let sides = statement.count("sides", 7, 3, 16)? as u16;
    let along = statement.text("along").unwrap_or("z").to_owned();
    sketch.take_from(statement, "material", "iron")?;
    let turned = |p: Vec3| match along.as_str() {
        "x" => Vec3::new(p.z, p.x, p.y),
        "y" => Vec3::new(p.y, p.z, p.x),
        _ => p,
    };
    let at = |i: u16| {
        let (sin, cos) = scalar::sin_cos(f32::from(i) / f32::from(sides) * std::f32::consts::TAU);
        Vec3::new(cos, sin, 0.0)
    };
    let length: f32 = points.windows(2).map(|pair| (pair[1][1] - pair[0][1]).abs()).sum();
    let mut done = 0.0;
    for pair in points.windows(2) {
        let [[r0, z0], [r1, z1]] = [pair[0], pair[1]];
        // The normal of the profile leans with its slope.
        let slope = Vec3::new(z1 - z0, 0.0, r0 - r1).normalize_or_zero();
        let v = |z: f32| z / length.max(1e-3);
        let (low, high) = (v(done), v(done + (z1 - z0).abs()));
        done += (z1 - z0).abs();
        for i in 0..sides {
            let (a, b) = (at(i), at(i + 1));
            let ring = |dir: Vec3, r: f32, z: f32| turned(dir * r + Vec3::Z * z);
            let normal = |dir: Vec3| turned(dir * slope.x + Vec3::Z * slope.z);
            let (u0, u1) = (f32::from(i) / f32::from(sides), f32::from(i + 1) / f32::from(sides));
            let uv = [[u0, 1.0 - low], [u1, 1.0 - low], [u1, 1.0 - high], [u0, 1.0 - high]];
            let (na, nb) = (normal(a), normal(b));
            if r1 < 1e-4 {
                let own = [ring(a, r0, z0), ring(b, r0, z0), ring(a, 0.0, z1)];
                sketch.quad_with([own[0], own[1], own[2], own[2]], [na, nb, na, na], uv);
            } else if r0 < 1e-4 {
                let own = [ring(a, 0.0, z0), ring(b, r1, z1), ring(a, r1, z1)];
                sketch.quad_with([own[0], own[1], own[2], own[2]], [na, nb, na, na], [uv[0], uv[2], uv[3], uv[3]]);
            } else {
                let own = [ring(a, r0, z0), ring(b, r0, z0), ring(b, r1, z1), ring(a, r1, z1)];
                sketch.quad_with(own, [na, nb, nb, na], uv);
            }
        }
    }
    Ok(())
}

/// `chamfer material= size= bevel= lift=`: a box about its middle whose edges are broken, so that they catch the
/// light; plain without a bevel.
fn chamfer(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let half = statement.vector("size", Vec3::splat(0.5))? * 0.5;
    let bevel = statement.number("bevel", 0.02)?.min(half.x.min(half.y).min(half.z) * 0.9);
    let whole = statement.flag("picture", false)?;
    sketch.take_from(statement, "material", "crate")?;
    let sign = |bit: u8| if bit == 0 { -1.0 } else { 1.0 };
    // Each corner of the box has three points, one on each face that it belongs to.
    let point = |corner: [u8; 3], face: usize| {
        let mut p = [0.0; 3];
        for axis in 0..3 {
            let reach = half.to_array()[axis] - if axis == face { 0.0 } else { bevel };
            p[axis] = sign(corner[axis]) * reach;
        }
        Vec3::from_array(p)
    };
    for face in 0..3 {
        for out in 0..2 {
            let (u, v) = ((face + 1) % 3, (face + 2) % 3);
            let ring = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(a, b)| {
                let mut corner = [0; 3];
                (corner[face], corner[u], corner[v]) = (out, a, b);
                point(corner, face)
            });
            let ring = if out == 1 { ring } else { [ring[3], ring[2], ring[1], ring[0]] };
            if whole {
                sketch.picture(ring);
            } else {
                sketch.quad(ring);
            }
        }
    }
    if bevel == 0.0 {
        return Ok(());
    }
    // The edges: one strip for each pair of faces.
    for along in 0..3 {
        let (u, v) = ((along + 1) % 3, (along + 2) % 3);
        for (a, b) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
            let mut low = [0; 3];
            (low[u], low[v]) = (a, b);
            let mut high = low;
            high[along] = 1;
            let strip = [point(low, u), point(high, u), point(high, v), point(low, v)];
            let out = strip.iter().fold(Vec3::ZERO, |sum, p| sum + *p);
            let normal = (strip[1] - strip[0]).cross(strip[3] - strip[0]);
            let away =
                Vec3::from_array(std::array::from_fn(|axis| if axis == along { 0.0 } else { out.to_array()[axis] }));
            sketch.quad(if normal.dot(away) > 0.0 { strip } else { [strip[3], strip[2], strip[1], strip[0]] });
        }
    }
    // And the corners.
    for bits in 0..8_u8 {
        let corner = [bits & 1, bits >> 1 & 1, bits >> 2 & 1];
        let three = [0, 1, 2].map(|face| point(corner, face));
        let normal = (three[1] - three[0]).cross(three[2] - three[0]);
        sketch.triangle(if normal.dot(three[0]) > 0.0 { three } else { [three[0], three[2], three[1]] });
    }
    Ok(())
}

/// `card material= size=W,0,H`: a flat picture about its middle, seen from both sides when its material is.
fn card(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let half = statement.vector("size", Vec3::splat(0.3))? * 0.5;
    sketch.take_from(statement, "material", "paper")?;
    let back = statement.flag("back", false)?;
    let front = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, z): (f32, f32)| Vec3::new(x * half.x, 0.0, z * half.z));
    sketch.picture(front);
    if back {
        sketch.picture([front[1], front[0], front[3], front[2]]);
    }
    Ok(())
}
