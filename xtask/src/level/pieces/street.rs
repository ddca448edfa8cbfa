//! What stands around: lamps, benches, bins, crates, booths.

use super::Draw;
use crate::level::scene::{Glimmer, Glow};
use crate::level::sketch::{Sketch, side};
use crate::level::source::Statement;
use anyhow::Result;
use boardwalk::collision::TriangleFlags;
use boardwalk::maths::{Vec3, scalar};

pub(super) fn drawing(verb: &str) -> Option<Draw> {
    Some(match verb {
        "lamp" => lamp,
        "walllamp" => wall_lamp,
        "bench" => bench,
        "bin" => bin,
        "crates" => crates,
        "barrel" => barrel,
        "booth" => booth,
        "machine" => machine,
        "telescope" => telescope,
        "planter" => planter,
        "table" => table,
        "pipe" => pipe,
        _ => return None,
    })
}

const P: fn(f32, f32, f32) -> Vec3 = Vec3::new;

/// The warm light of the lamps by the sea.
const WARM: Vec3 = Vec3::new(1.0, 0.69, 0.36);

/// A halo of a lamp's colour.
fn halos(sketch: &mut Sketch<'_>, own: Vec3, colour: Vec3, size: f32, glimmer: Glimmer) {
    for (radius, strength) in [(2.3, 0.36), (0.85, 0.75), (0.28, 1.0)] {
        let colour = if radius < 0.5 { colour.lerp(Vec3::splat(1.0), 0.5) } else { colour };
        let glow =
            Glow { position: Vec3::ZERO, radius: radius * size, colour: colour * strength, glimmer, backdrop: false };
        sketch.halo(own, glow);
    }
}

/// `lamp height= heads=1|2 colour= bright= reach= flicker=`: a post with a globe, or two on arms.
fn lamp(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let height = statement.number("height", 3.6)?;
    let heads = statement.count("heads", 1, 1, 2)?;
    let colour = statement.colour("colour", WARM)?;
    let bright = statement.number("bright", 2.9)?;
    let reach = statement.number("reach", 3.2)?;
    let glimmer = if statement.flag("flicker", false)? { Glimmer::Flicker } else { Glimmer::Steady };
    sketch.take_from(statement, "material", "iron")?;
    sketch.casts = false;
    sketch.drum(P(0.0, 0.0, 0.0), [0.17, 0.13], 0.45, 5, false);
    // A post is seen as far as its light is.
    let middle = std::mem::replace(&mut sketch.middle, false);
    sketch.drum(P(0.0, 0.0, 0.45), [0.07, 0.055], height - 0.45, 4, false);
    sketch.middle = middle;
    let globes: Vec<Vec3> = match heads {
        1 => vec![P(0.0, 0.0, height + 0.16)],
        _ => vec![P(-0.62, 0.0, height - 0.12), P(0.62, 0.0, height - 0.12)],
    };
    if heads == 2 {
        sketch.beam(P(-0.62, 0.0, height - 0.3), P(0.62, 0.0, height - 0.3), 0.03);
        sketch.drum(P(0.0, 0.0, height), [0.06, 0.0], 0.35, 4, false);
    }
    for &globe in &globes {
        sketch.take_from(statement, "material", "iron")?;
        let near = std::mem::replace(&mut sketch.near, true);
        sketch.drum(globe - P(0.0, 0.0, 0.22), [0.06, 0.11], 0.08, 5, false);
        sketch.near = near;
        sketch.drum(globe + P(0.0, 0.0, 0.13), [0.19, 0.03], 0.1, 5, false);
        sketch.take_from(statement, "globe", "globe")?;
        let middle = std::mem::replace(&mut sketch.middle, false);
        sketch.drum(globe - P(0.0, 0.0, 0.14), [0.12, 0.16], 0.27, 6, false);
        sketch.middle = middle;
        sketch.lamp(globe, colour * (bright / heads as f32), reach, 0.3);
        halos(sketch, globe, colour, 1.0, glimmer);
    }
    sketch.take_from(statement, "material", "iron")?;
    let half = P(0.11, 0.11, 0.0);
    sketch.solid_box(-half, half + Vec3::Z * height, side::STANDING, TriangleFlags::default());
    Ok(())
}

/// `walllamp colour= bright= reach= flicker=`: a shaded lamp on a wall, at its height.
fn wall_lamp(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let colour = statement.colour("colour", WARM)?;
    let (bright, reach) = (statement.number("bright", 1.6)?, statement.number("reach", 2.4)?);
    let glimmer = if statement.flag("flicker", false)? { Glimmer::Flicker } else { Glimmer::Steady };
    sketch.take_from(statement, "material", "iron")?;
    sketch.casts = false;
    sketch.beam(P(0.0, 0.0, 0.25), P(0.0, -0.4, 0.3), 0.025);
    sketch.drum(P(0.0, -0.4, 0.12), [0.22, 0.06], 0.16, 6, true);
    let bulb = P(0.0, -0.4, 0.06);
    sketch.lamp(bulb - P(0.0, 0.1, 0.05), colour * bright, reach, 0.2);
    halos(sketch, bulb, colour, 0.6, glimmer);
    Ok(())
}

/// `bench length=`: slats on iron feet, its back behind the sitter, who looks ahead.
fn bench(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let half = statement.number("length", 1.8)? / 2.0;
    sketch.take_from(statement, "material", "slats")?;
    for slat in 0..3 {
        let y = -0.2 + slat as f32 * 0.15;
        sketch.cuboid(P(-half, y, 0.42), P(half, y + 0.11, 0.46), side::ALL & !side::BOTTOM);
    }
    for (y, z) in [(-0.3, 0.58), (-0.33, 0.74)] {
        sketch.cuboid(P(-half, y, z), P(half, y + 0.04, z + 0.12), side::ALL & !side::BOTTOM);
    }
    sketch.take_from(statement, "feet", "iron")?;
    for x in [-half + 0.15, half - 0.2] {
        sketch.cuboid(P(x, -0.26, 0.0), P(x + 0.05, 0.24, 0.42), side::STANDING & !side::TOP);
        sketch.cuboid(P(x, -0.34, 0.42), P(x + 0.05, -0.28, 0.88), side::STANDING);
    }
    sketch.take_from(statement, "material", "slats")?;
    sketch.solid_box(P(-half, -0.34, 0.0), P(half, 0.26, 0.46), side::STANDING, TriangleFlags::default());
    sketch.solid_box(P(-half, -0.36, 0.46), P(half, -0.27, 0.88), side::STANDING, TriangleFlags::default());
    Ok(())
}

/// `bin`: an iron basket.
fn bin(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    sketch.take_from(statement, "material", "iron")?;
    sketch.drum(P(0.0, 0.0, 0.0), [0.24, 0.3], 0.85, 8, false);
    sketch.drum(P(0.0, 0.0, 0.85), [0.33, 0.33], 0.07, 8, false);
    sketch.tint *= 0.25;
    sketch.drum(P(0.0, 0.0, 0.72), [0.3, 0.3], 0.01, 8, true);
    sketch.solid_box(P(-0.27, -0.27, 0.0), P(0.27, 0.27, 0.9), side::STANDING, TriangleFlags::default());
    Ok(())
}

/// `crates count= size=`: a stack of boxes: a lower row, then what is left on top.
fn crates(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let count = statement.count("count", 3, 1, 9)?;
    let size = statement.number("size", 0.8)?;
    sketch.take_from(statement, "material", "crate")?;
    let lower = count.div_ceil(2).max(1);
    for number in 0..count {
        let row = number >= lower;
        let place = if row { number - lower } else { number };
        let shift = if row { size * 0.5 } else { 0.0 };
        let own = 0.9 + 0.1 * super::chance(sketch, number);
        let x = place as f32 * (size + 0.06) + shift - lower as f32 * size / 2.0;
        let y = (super::chance(sketch, number + 7) - 0.5) * 0.14;
        let z = if row { size } else { 0.0 };
        let (min, max) = (P(x, y - size * own / 2.0, z), P(x + size * own, y + size * own / 2.0, z + size * own));
        for (bit, face) in [(side::LEFT, 0), (side::RIGHT, 1), (side::BACK, 2), (side::FRONT, 3), (side::TOP, 4)] {
            let tint = sketch.tint;
            sketch.tint = tint * (0.85 + 0.25 * super::chance(sketch, number * 5 + face));
            picture_side(sketch, min, max, bit);
            sketch.tint = tint;
        }
        sketch.solid_box(min, max, side::STANDING, TriangleFlags::CLIMBABLE);
    }
    Ok(())
}

/// One face of a box with a whole picture on it.
fn picture_side(sketch: &mut Sketch<'_>, a: Vec3, b: Vec3, bit: u8) {
    let corners = match bit {
        side::LEFT => [P(a.x, b.y, a.z), P(a.x, a.y, a.z), P(a.x, a.y, b.z), P(a.x, b.y, b.z)],
        side::RIGHT => [P(b.x, a.y, a.z), P(b.x, b.y, a.z), P(b.x, b.y, b.z), P(b.x, a.y, b.z)],
        side::BACK => [P(a.x, a.y, a.z), P(b.x, a.y, a.z), P(b.x, a.y, b.z), P(a.x, a.y, b.z)],
        side::FRONT => [P(b.x, b.y, a.z), P(a.x, b.y, a.z), P(a.x, b.y, b.z), P(b.x, b.y, b.z)],
        _ => [P(a.x, a.y, b.z), P(b.x, a.y, b.z), P(b.x, b.y, b.z), P(a.x, b.y, b.z)],
    };
    sketch.picture(corners);
}

/// `barrel`: a drum of oil, or a fire basket with `fire=yes`.
fn barrel(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    sketch.take_from(statement, "material", "rust")?;
    let (radius, height) = (0.3, 0.9);
    sketch.drum(Vec3::ZERO, [radius, radius], height, 8, true);
    sketch.drum(P(0.0, 0.0, height * 0.33), [radius + 0.02, radius + 0.02], 0.05, 8, false);
    sketch.drum(P(0.0, 0.0, height * 0.66), [radius + 0.02, radius + 0.02], 0.05, 8, false);
    sketch.solid_box(P(-0.27, -0.27, 0.0), P(0.27, 0.27, height), side::STANDING, TriangleFlags::CLIMBABLE);
    if statement.flag("fire", false)? {
        let colour = P(1.0, 0.5, 0.16);
        sketch.lamp(P(0.0, 0.0, height + 0.35), colour * 2.0, 2.4, 0.4);
        halos(sketch, P(0.0, 0.0, height + 0.2), colour, 0.7, Glimmer::Flicker);
    }
    Ok(())
}

/// `booth radius= height= sides= counter= roof= wall=`: a round stall with a striped tent roof and an open front.
fn booth(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let (radius, height) = (statement.number("radius", 2.0)?, statement.number("height", 2.6)?);
    let sides = statement.count("sides", 8, 5, 16)? as u16;
    let counter = statement.number("counter", 1.05)?;
    let colour = statement.colour("light", WARM)?;
    let ring = |i: u16, r: f32, z: f32| {
        let turn = (f32::from(i) + 0.5) / f32::from(sides) * std::f32::consts::TAU;
        let (sin, cos) = scalar::sin_cos(turn);
        P(cos * r, sin * r, z)
    };
    for i in 0..sides {
        let (a, b) = (ring(i, radius, 0.0), ring(i + 1, radius, 0.0));
        let up = |p: Vec3, z: f32| P(p.x, p.y, z);
        sketch.take_from(statement, "wall", "paint")?;
        let wall = [a, b, up(b, counter), up(a, counter)];
        sketch.quad(wall);
        sketch.solid_quad([a, b, up(b, height), up(a, height)]);
        // The counter's board, and the post at each corner.
        let (c, d) = (ring(i, radius + 0.16, counter), ring(i + 1, radius + 0.16, counter));
        sketch.take_from(statement, "board", "slats")?;
        sketch.quad([c, d, up(b, counter + 0.02) * 0.9, up(a, counter + 0.02) * 0.9]);
        sketch.beam(up(a, counter), up(a, height), 0.05);
        // The inside is seen over the counter.
        sketch.take_from(statement, "inside", "paint")?;
        let tint = std::mem::replace(&mut sketch.tint, Vec3::new(0.5, 0.42, 0.36));
        let (e, f) = (a * 0.4, b * 0.4);
        sketch.quad([up(e, 0.0), up(f, 0.0), up(f, height), up(e, height)]);
        sketch.tint = tint;
        sketch.take_from(statement, "roof", "awning")?;
        let (rim_a, rim_b) = (ring(i, radius + 0.5, height - 0.1), ring(i + 1, radius + 0.5, height - 0.1));
        let top = P(0.0, 0.0, height + radius * 0.62);
        let stripe = f32::from(i % 2) * 0.5;
        let normal = (rim_b - rim_a).cross(top - rim_a).normalize_or_zero();
        let uv = [[stripe + 0.05, 0.75], [stripe + 0.45, 0.75], [stripe + 0.25, 0.05], [stripe + 0.25, 0.05]];
        sketch.quad_with([rim_a, rim_b, top, top], [normal; 4], uv);
        let drop = P(0.0, 0.0, 0.3);
        let lip = [[stripe + 0.05, 1.0], [stripe + 0.45, 1.0], [stripe + 0.45, 0.8], [stripe + 0.05, 0.8]];
        let out = (rim_a + rim_b).horizontal().normalize_or_zero();
        sketch.quad_with([rim_a - drop, rim_b - drop, rim_b, rim_a], [out; 4], lip);
        let halo = Glow { position: Vec3::ZERO, radius: 0.22, colour, glimmer: Glimmer::Chase, backdrop: false };
        sketch.halo(rim_a - drop, halo);
        sketch.halo((rim_a + rim_b) * 0.5 - drop, halo);
    }
    for quarter in 0..4 {
        let (sin, cos) = scalar::sin_cos(quarter as f32 * std::f32::consts::FRAC_PI_2 + 0.4);
        sketch.lamp(P(cos * (radius + 0.5), sin * (radius + 0.5), height - 0.4), colour * 0.55, 2.0, 0.5);
    }
    sketch.lamp(P(0.0, 0.0, height + 0.4), colour * 0.5, 1.5, 0.3);
    Ok(())
}

/// `machine picture= light=`: a vending or gaming machine whose front shines, at the piece's back.
fn machine(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let size = statement.vector("size", P(0.9, 0.75, 1.9))?;
    let half = size.x / 2.0;
    sketch.take_from(statement, "material", "paint")?;
    sketch.cuboid(P(-half, 0.0, 0.0), P(half, size.y, size.z), side::STANDING & !side::BACK);
    sketch.solid_box(P(-half, 0.0, 0.0), P(half, size.y, size.z), side::STANDING, TriangleFlags::default());
    sketch.take(statement.need("picture")?)?;
    sketch.picture([(-half, 0.0), (half, 0.0), (half, size.z), (-half, size.z)].map(|(x, z)| P(x, 0.0, z)));
    let colour = statement.colour("light", P(0.5, 0.7, 1.0))?;
    sketch.lamp(P(0.0, -0.5, size.z * 0.65), colour * 0.9, 1.3, 0.4);
    let halo =
        Glow { position: Vec3::ZERO, radius: 1.0, colour: colour * 0.18, glimmer: Glimmer::Flicker, backdrop: false };
    sketch.halo(P(0.0, -0.05, size.z * 0.65), halo);
    Ok(())
}

/// `telescope`: for a coin, over the sea.
fn telescope(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    sketch.take_from(statement, "material", "iron")?;
    sketch.drum(Vec3::ZERO, [0.16, 0.06], 0.3, 6, false);
    sketch.drum(P(0.0, 0.0, 0.3), [0.06, 0.06], 0.85, 6, false);
    sketch.take_from(statement, "body", "paint")?;
    sketch.beam(P(0.0, -0.32, 1.22), P(0.0, 0.3, 1.34), 0.13);
    sketch.drum(P(0.0, -0.05, 1.1), [0.15, 0.1], 0.1, 6, false);
    sketch.solid_box(P(-0.14, -0.14, 0.0), P(0.14, 0.14, 1.4), side::STANDING, TriangleFlags::default());
    Ok(())
}

/// `planter length= width= height=`: a low box of brick with shrubs.
fn planter(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let (length, width) = (statement.number("length", 2.0)?, statement.number("width", 0.8)?);
    let height = statement.number("height", 0.5)?;
    sketch.take_from(statement, "material", "brick")?;
    sketch.block(P(-length / 2.0, -width / 2.0, 0.0), P(length / 2.0, width / 2.0, height), side::STANDING);
    sketch.take_from(statement, "leaves", "leaves")?;
    sketch.casts = false;
    let tufts = (length / 0.55).round().max(1.0) as u32;
    for tuft in 0..tufts {
        let x = ((tuft as f32 + 0.5) / tufts as f32 - 0.5) * (length - 0.3);
        let tall = 0.45 + 0.35 * super::chance(sketch, tuft);
        for turn in [0.5_f32, 2.1] {
            let (sin, cos) = scalar::sin_cos(turn + tuft as f32);
            let side = P(cos, sin, 0.0) * 0.42;
            let foot = P(x, 0.0, height - 0.05);
            sketch.picture([foot - side, foot + side, foot + side + Vec3::Z * tall, foot - side + Vec3::Z * tall]);
        }
    }
    Ok(())
}

/// `table`: a round table with stools.
fn table(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    sketch.take_from(statement, "top", "slats")?;
    sketch.drum(P(0.0, 0.0, 0.7), [0.45, 0.45], 0.05, 8, true);
    sketch.take_from(statement, "foot", "iron")?;
    sketch.drum(Vec3::ZERO, [0.05, 0.05], 0.7, 5, false);
    sketch.solid_box(P(-0.4, -0.4, 0.0), P(0.4, 0.4, 0.75), side::STANDING, TriangleFlags::default());
    Ok(())
}

/// `pipe points=X,Y,Z/X,Y,Z/... radius=`: a run of pipe, seen only.
fn pipe(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let radius = statement.number("radius", 0.06)?;
    sketch.take_from(statement, "material", "steel")?;
    let points = super::marks::points(statement)?;
    for pair in points.windows(2) {
        if let [from, to] = pair {
            sketch.beam(*from, *to, radius);
        }
    }
    Ok(())
}
