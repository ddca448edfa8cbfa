//! What is far: the wheel, the coaster, hills with lights, the sea, moon and stars.

use super::Draw;
use crate::level::scene::{Glimmer, Glow};
use crate::level::sketch::Sketch;
use crate::level::source::Statement;
use anyhow::Result;
use boardwalk::maths::{Vec3, scalar};

pub(super) fn drawing(verb: &str) -> Option<Draw> {
    Some(match verb {
        "wheel" => wheel,
        "coaster" => coaster,
        "ridge" => ridge,
        "sea" => sea,
        "moon" => moon,
        "stars" => stars,
        _ => return None,
    })
}

fn bulb(sketch: &mut Sketch<'_>, own: Vec3, radius: f32, colour: Vec3, glimmer: Glimmer) {
    sketch.halo(own, Glow { position: Vec3::ZERO, radius, colour, glimmer, backdrop: true });
}

/// `wheel radius= hub= spokes= colour= rim=`: a Ferris wheel that faces the piece's back, its axle `hub` metres up.
fn wheel(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let (radius, hub) = (statement.number("radius", 16.0)?, statement.number("hub", 19.0)?);
    let spokes = statement.count("spokes", 12, 4, 32)?;
    let colour = statement.colour("colour", Vec3::new(1.0, 0.35, 0.65))?;
    let second = statement.colour("second", Vec3::new(0.35, 0.8, 1.0))?;
    sketch.take_from(statement, "material", "silhouette")?;
    sketch.backdrop = true;
    sketch.casts = false;
    let rim_parts = spokes * 2;
    let at = |part: f32, parts: u32, r: f32, y: f32| {
        let (sin, cos) = scalar::sin_cos(part / parts as f32 * std::f32::consts::TAU);
        Vec3::new(sin * r, y, hub + cos * r)
    };
    for part in 0..rim_parts {
        for (y, r) in [(-1.2, radius), (-1.2, radius * 0.72), (1.2, radius)] {
            sketch.ribbon(at(part as f32, rim_parts, r, y), at(part as f32 + 1.0, rim_parts, r, y), 0.16);
        }
        let lit = if part % 2 == 0 { colour } else { second };
        bulb(sketch, at(part as f32, rim_parts, radius + 0.1, -1.4), 0.85, lit, Glimmer::Chase);
        bulb(sketch, at(part as f32 + 0.5, rim_parts, radius + 0.1, -1.4), 0.6, lit * 0.8, Glimmer::Chase);
    }
    for spoke in 0..spokes {
        let spoke = spoke as f32;
        for y in [-1.2, 1.2] {
            sketch.ribbon(Vec3::new(0.0, y * 0.6, hub), at(spoke, spokes, radius, y), 0.1);
        }
        for step in 1..7 {
            let share = step as f32 / 7.0;
            bulb(sketch, at(spoke, spokes, radius * share, -1.3), 0.42, second.lerp(colour, share), Glimmer::Chase);
        }
        gondola(sketch, at(spoke, spokes, radius, 0.0));
    }
    for x in [-1.0_f32, 1.0] {
        for y in [-2.4, 2.4] {
            sketch.ribbon(Vec3::new(x * radius * 0.42, y, -3.0), Vec3::new(0.0, y * 0.7, hub), 0.34);
        }
    }
    bulb(sketch, Vec3::new(0.0, -2.0, hub), 3.4, colour * 0.9, Glimmer::Steady);
    bulb(sketch, Vec3::new(0.0, -2.0, hub), radius * 1.25, (colour + second) * 0.07, Glimmer::Steady);
    Ok(())
}

/// A cabin that hangs at the rim.
fn gondola(sketch: &mut Sketch<'_>, hook: Vec3) {
    let p = Vec3::new;
    let floor = hook - p(0.0, 0.0, 2.1);
    let seen = crate::level::sketch::side::BACK;
    sketch.cuboid(floor - p(0.8, 0.8, 0.0), floor + p(0.8, 0.8, 0.9), seen);
    sketch.cuboid(floor + p(-0.9, -0.9, 1.7), floor + p(0.9, 0.9, 1.85), seen);
    sketch.ribbon(floor + p(0.0, 0.0, 0.9), hook, 0.07);
}

/// `coaster points=X,Y,Z/... `: a track on trestles through the points.
fn coaster(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let points = super::marks::points(statement)?;
    let foot = statement.number("foot", -3.0)?;
    let colour = statement.colour("colour", Vec3::new(1.0, 0.75, 0.4))?;
    sketch.take_from(statement, "material", "silhouette")?;
    sketch.backdrop = true;
    sketch.casts = false;
    let smooth = spline(&points, 5);
    for (number, pair) in smooth.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let side = (to - from).cross(Vec3::Z).normalize_or_zero() * 0.7;
        for offset in [side, -side] {
            sketch.ribbon(from + offset, to + offset, 0.14);
        }
        if number % 2 == 0 {
            let down = |p: Vec3| Vec3::new(p.x, p.y, foot);
            sketch.ribbon(down(from) + side * 1.6, from + side, 0.12);
            sketch.ribbon(down(from) - side * 1.6, from - side, 0.12);
            let middle = |share: f32| down(from).lerp(from, share);
            sketch.ribbon(middle(0.25) - side * 1.4, middle(0.75) + side * 1.1, 0.08);
        }
        bulb(sketch, from + Vec3::Z * 0.3, 0.45, colour * 0.8, Glimmer::Chase);
    }
    Ok(())
}

/// A smooth way through points (Catmull-Rom), `parts` pieces between two.
fn spline(points: &[Vec3], parts: u32) -> Vec<Vec3> {
    let at = |i: isize| points[i.clamp(0, points.len() as isize - 1) as usize];
    let mut way = Vec::new();
    for i in 0..points.len() as isize - 1 {
        let [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
        for part in 0..parts {
            let t = part as f32 / parts as f32;
            let (t2, t3) = (t * t, t * t * t);
            way.push(
                (b * 2.0 + (c - a) * t + (a * 2.0 - b * 5.0 + c * 4.0 - d) * t2 + (b * 3.0 - a - c * 3.0 + d) * t3)
                    * 0.5,
            );
        }
    }
    way.extend(points.last());
    way
}

/// `ridge points=X,Y,Z/... foot= lights=`: a dark outline of hills or roofs with windows' lights.
fn ridge(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let points = super::marks::points(statement)?;
    let foot = statement.number("foot", -4.0)?;
    let lights = statement.count("lights", 0, 0, 200)?;
    let colour = statement.colour("colour", Vec3::new(1.0, 0.7, 0.35))?;
    sketch.take_from(statement, "material", "silhouette")?;
    sketch.backdrop = true;
    sketch.casts = false;
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let low = |p: Vec3| Vec3::new(p.x, p.y, foot);
        sketch.quad([low(a), low(b), b, a]);
    }
    let segments = points.len().saturating_sub(1).max(1);
    for light in 0..lights {
        let chance = |salt: u32| boardwalk::graphics::wave::noise(light * 17 + salt);
        let segment = (chance(1) * segments as f32) as usize;
        let share = chance(2);
        let top = points[segment].lerp(points[segment + 1], share);
        let z = foot + (top.z - foot) * (0.15 + 0.6 * chance(3));
        let (own, size) = (Vec3::new(top.x, top.y, z), 0.5 + 0.5 * chance(4));
        let inward = (Vec3::ZERO - own).horizontal().normalize_or_zero();
        bulb(sketch, own + inward, size, colour * (0.4 + 0.5 * chance(5)), Glimmer::Steady);
    }
    Ok(())
}

/// `sea material= glint= from= to=`: water in two layers that drift, in squares that grow with the distance from the land.
fn sea(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let ((x0, y0), (x1, y1)) = (statement.flat("from")?, statement.flat("to")?);
    let side = statement.number("square", 32.0)?.max(8.0);
    let z = sketch.scene.air.sea;
    sketch.casts = false;
    for (layer, key, lift) in [(0, "material", 0.0), (1, "glint", 0.03)] {
        sketch.take(statement.need(key)?)?;
        let first = sketch.scene.patches.len();
        let (columns, rows) = (((x1 - x0) / side).ceil() as u32, ((y1 - y0) / side).ceil() as u32);
        for number in 0..columns * rows {
            let (x, y) = (x0 + (number % columns) as f32 * side, y0 + (number / columns) as f32 * side);
            sketch.quad(
                [(x, y), (x + side, y), (x + side, y + side), (x, y + side)].map(|(x, y)| Vec3::new(x, y, z + lift)),
            );
        }
        for patch in &mut sketch.scene.patches[first..] {
            patch.water = Some(layer);
        }
    }
    Ok(())
}

/// `moon radius=`: a disc that faces the level's middle, with the light around it.
fn moon(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let radius = statement.number("radius", 12.0)?;
    sketch.take_from(statement, "material", "moon")?;
    sketch.backdrop = true;
    sketch.casts = false;
    let centre = sketch.transform.position;
    let ahead = centre.normalize_or_zero();
    let right = ahead.cross(Vec3::Z).normalize_or_zero();
    let up = right.cross(ahead);
    sketch.transform = crate::level::place::Transform::IDENTITY;
    let corner = |x: f32, y: f32| centre + right * (x * radius) + up * (y * radius);
    sketch.picture([corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]);
    let colour = Vec3::new(0.62, 0.66, 0.86);
    // The light around it lies before its disc.
    let before = centre * 0.95;
    bulb(sketch, before, radius * 6.5, colour * 0.34, Glimmer::Steady);
    bulb(sketch, before, radius * 2.6, colour * 0.4, Glimmer::Steady);
    Ok(())
}

/// `stars count= far=`: stars over the whole sky, faint near the horizon.
fn stars(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let count = statement.count("count", 120, 1, 400)?;
    let far = statement.number("far", 560.0)?;
    for star in 0..count {
        let chance = |salt: u32| boardwalk::graphics::wave::noise(star * 13 + salt);
        let height = 0.12 + 0.8 * chance(1) * chance(1);
        let (sin, cos) = scalar::sin_cos(chance(2) * std::f32::consts::TAU);
        let out = scalar::sqrt(1.0 - height * height);
        let colour = Vec3::new(0.8, 0.86, 1.0).lerp(Vec3::new(1.0, 0.86, 0.7), chance(4));
        let bright = (0.3 + 0.7 * chance(3) * chance(3)) * (height * 3.0).min(1.0);
        let size = 1.7 + 1.2 * chance(5);
        let place = Vec3::new(sin * out, cos * out, height) * far + Vec3::new(0.0, 100.0, 0.0);
        let glimmer = if chance(6) > 0.7 { Glimmer::Flicker } else { Glimmer::Steady };
        bulb(sketch, place, size, colour * bright, glimmer);
    }
    Ok(())
}
