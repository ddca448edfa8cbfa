//! Parked cars: a body of two profiles, wheels, lights, and the shell that walkers meet. A car is no part of the level's picture:
//! [`parts`] makes models of its body and of what comes off it.

mod parts;

use super::Draw;
use crate::level::scene::{Glimmer, Glow, ThingKind};
use crate::level::sketch::{Sketch, side};
use crate::level::source::Statement;
use anyhow::{Result, bail};
use boardwalk::collision::TriangleFlags;
use boardwalk::maths::{Vec3, scalar};
use boardwalk::physics::create::CarBox;

pub(super) fn drawing(verb: &str) -> Option<Draw> {
    (verb == "car").then_some(car as Draw)
}

/// The shape of a model: y and z along its length, from bumper to bumper, metres.
struct Shape {
    name: &'static str,
    half_width: f32,
    /// The lower body's outline: y, z of its upper edge.
    hull: &'static [(f32, f32)],
    /// The cabin: y, z of its outline above the hull.
    cabin: [(f32, f32); 4],
    wheels: [f32; 2],
}

/// Length ahead is +y; the outline runs from the tail to the nose.
const SHAPES: [Shape; 3] = [
    Shape {
        name: "car_osedan",
        half_width: 0.9,
        hull: &[
            (-2.35, 0.38),
            (-2.35, 0.78),
            (-2.2, 0.93),
            (-1.35, 0.98),
            (0.75, 0.98),
            (2.1, 0.86),
            (2.32, 0.7),
            (2.32, 0.36),
        ],
        cabin: [(-1.7, 0.97), (-1.05, 1.44), (0.15, 1.46), (0.85, 0.97)],
        wheels: [-1.45, 1.4],
    },
    Shape {
        name: "car_coupe",
        half_width: 0.86,
        hull: &[
            (-2.1, 0.36),
            (-2.1, 0.74),
            (-1.95, 0.9),
            (-1.2, 0.92),
            (0.55, 0.92),
            (1.95, 0.8),
            (2.15, 0.64),
            (2.15, 0.34),
        ],
        cabin: [(-1.6, 0.9), (-0.75, 1.3), (0.0, 1.32), (0.75, 0.91)],
        wheels: [-1.3, 1.3],
    },
    Shape {
        name: "car_van",
        half_width: 0.95,
        hull: &[(-2.4, 0.4), (-2.4, 1.05), (-2.38, 1.12), (-1.5, 1.12), (1.2, 1.1), (2.1, 1.0), (2.3, 0.8), (2.3, 0.4)],
        cabin: [(-2.36, 1.12), (-2.25, 2.0), (0.85, 2.0), (1.55, 1.08)],
        wheels: [-1.5, 1.45],
    },
];

/// The height of a body's underside.
const SILL: f32 = 0.3;
/// How far the cabin's roof is drawn in on each side.
const TUMBLE: f32 = 0.16;

/// `car model= colour= lights=`: a parked car; its shell is part of the level's mesh, as walkers stop there.
///
/// Source: settled questions 19.
fn car(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let model = statement.text("model").unwrap_or("car_osedan").to_owned();
    let Some(shape) = SHAPES.iter().find(|shape| shape.name == model) else {
        bail!("{}: no car {model}", statement.place)
    };
    let paint = statement.colour("colour", Vec3::new(0.45, 0.12, 0.1))?;
    sketch.take_from(statement, "material", "carpaint")?;
    let mut drawn = Ok(());
    let patches = sketch.apart(|sketch| {
        body(sketch, shape, paint);
        drawn = cabin(sketch, shape, paint, statement).and_then(|()| trim(sketch, shape, statement));
    });
    drawn?;
    parts::keep(sketch, shape.name, shape_boxes(shape), &patches)?;
    shell(sketch, shape);
    let length = shape.hull.iter().map(|(y, _)| y.abs()).fold(0.0, f32::max);
    let half = Vec3::new(shape.half_width, length, shape.cabin[1].1 / 2.0);
    sketch.thing(ThingKind::Car, shape.name, Vec3::ZERO, half);
    if statement.flag("lights", false)? {
        for x in [-0.62, 0.62] {
            let colour = Vec3::new(1.0, 0.9, 0.7);
            let nose = Vec3::new(x, length + 0.05, 0.62);
            sketch.halo(
                nose,
                Glow { position: Vec3::ZERO, radius: 0.55, colour, glimmer: Glimmer::Steady, backdrop: false },
            );
            sketch.lamp(nose + Vec3::new(0.0, 1.2, 0.0), colour * 0.8, 2.2, 0.3);
        }
    }
    Ok(())
}

/// The two boxes that bodies meet.
fn shape_boxes(shape: &Shape) -> [CarBox; 2] {
    let (tail, nose) = (shape.hull[0].0, shape.hull[shape.hull.len() - 1].0);
    let [a, b, c, d] = shape.cabin;
    let about = |y0: f32, y1: f32, z0: f32, z1: f32, half_width: f32| CarBox {
        half: Vec3::new(half_width, (y1 - y0) / 2.0, (z1 - z0) / 2.0),
        offset: Vec3::new(0.0, (y0 + y1) / 2.0, (z0 + z1) / 2.0),
    };
    [
        about(tail, nose, SILL, a.1, shape.half_width),
        about((a.0 + b.0) / 2.0, (c.0 + d.0) / 2.0, a.1, b.1, shape.half_width - TUMBLE),
    ]
}

/// Where along the car its front doors end and its rear ones begin.
const DOOR_SPLIT: f32 = -0.3;

fn body(sketch: &mut Sketch<'_>, shape: &Shape, paint: Vec3) {
    let w = shape.half_width;
    sketch.tint = paint;
    let p = Vec3::new;
    let mut outline = shape.hull.to_vec();
    // The long middle is two doors.
    if let Some(at) = outline.windows(2).position(|pair| pair[0].0 < DOOR_SPLIT && pair[1].0 > DOOR_SPLIT) {
        let ((y0, z0), (y1, z1)) = (outline[at], outline[at + 1]);
        let share = (DOOR_SPLIT - y0) / (y1 - y0);
        outline.insert(at + 1, (DOOR_SPLIT, z0 + (z1 - z0) * share));
    }
    let (back, front) = (shape.cabin[0].0.max(shape.wheels[0] + 0.3), shape.cabin[3].0.min(shape.wheels[1] - 0.3));
    for pair in outline.windows(2) {
        let [(y0, z0), (y1, z1)] = [pair[0], pair[1]];
        let middle = (y0 + y1) / 2.0;
        sketch.part = match middle {
            y if y > shape.cabin[3].0 => Some(parts::HOOD),
            y if y < shape.cabin[0].0 => Some(parts::TRUNK),
            _ => None,
        };
        let corners = [p(w, y0, z0), p(w, y1, z1), p(-w, y1, z1), p(-w, y0, z0)];
        sketch.quad([corners[3], corners[0], corners[1], corners[2]]);
        if y1 > y0 {
            // The flanks, with a shoulder that catches the light.
            for side in [-1.0_f32, 1.0] {
                let right = u8::from(side > 0.0);
                sketch.part = Some(match middle {
                    y if y > front => parts::WINGS + right,
                    y if y < back => parts::WINGS + 2 + right,
                    y if y > DOOR_SPLIT => parts::DOORS + right,
                    _ => parts::DOORS + 2 + right,
                });
                let at = |y: f32, z: f32, out: f32| p(side * (w + out), y, z);
                let (low, mid) = (
                    [at(y0, SILL, -0.06), at(y1, SILL, -0.06)],
                    [at(y0, z0.min(0.66), 0.0), at(y1, z1.min(0.66), 0.0)],
                );
                let high = [at(y0, z0, -0.02), at(y1, z1, -0.02)];
                for (a, b) in [(low, mid), (mid, high)] {
                    let face = [a[0], a[1], b[1], b[0]];
                    sketch.quad(if side > 0.0 { face } else { [face[1], face[0], face[3], face[2]] });
                }
            }
        }
    }
    sketch.part = None;
    // Between the wheels it is dark, and under what comes off.
    sketch.tint = Vec3::splat(0.08);
    let (tail, nose) = (shape.hull[0].0, shape.hull[shape.hull.len() - 1].0);
    sketch.cuboid(p(-w + 0.1, tail + 0.1, 0.16), p(w - 0.1, nose - 0.1, SILL + 0.05), side::STANDING & !side::TOP);
    sketch.cuboid(p(-w + 0.14, tail + 0.16, SILL), p(w - 0.14, nose - 0.16, 0.62), side::STANDING);
}

fn cabin(sketch: &mut Sketch<'_>, shape: &Shape, paint: Vec3, statement: &Statement) -> Result<()> {
    let [a, b, c, d] = shape.cabin;
    let w = shape.half_width - 0.06;
    let t = w - TUMBLE;
    let p = |x: f32, (y, z): (f32, f32)| Vec3::new(x, y, z);
    sketch.tint = paint;
    sketch.quad([p(-t, b), p(t, b), p(t, c), p(-t, c)]);
    sketch.take_from(statement, "glass", "carglass")?;
    sketch.tint = Vec3::splat(1.0);
    sketch.part = Some(parts::SCREENS + 1);
    sketch.quad([p(-w, a), p(w, a), p(t, b), p(-t, b)]);
    sketch.part = Some(parts::SCREENS);
    sketch.quad([p(w, d), p(-w, d), p(-t, c), p(t, c)]);
    let half = |low: (f32, f32), high: (f32, f32)| ((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0);
    let (foot, head) = (half(a, d), half(b, c));
    for (place, low, high) in [(2, [a, foot], [b, head]), (0, [foot, d], [head, c])] {
        sketch.part = Some(parts::WINDOWS + place + 1);
        sketch.quad([p(w, low[0]), p(w, low[1]), p(t, high[1]), p(t, high[0])]);
        sketch.part = Some(parts::WINDOWS + place);
        sketch.quad([p(-w, low[1]), p(-w, low[0]), p(-t, high[0]), p(-t, high[1])]);
    }
    // What is seen through a window that is gone.
    sketch.part = None;
    sketch.tint = Vec3::splat(0.35);
    let inner = |x: f32, (y, z): (f32, f32)| Vec3::new(x * 0.93, y * 0.96, z - 0.03);
    sketch.quad([inner(w, a), inner(w, d), inner(t, c), inner(t, b)]);
    sketch.quad([inner(-w, d), inner(-w, a), inner(-t, b), inner(-t, c)]);
    sketch.quad([inner(-w, a), inner(w, a), inner(t, b), inner(-t, b)]);
    sketch.quad([inner(w, d), inner(-w, d), inner(-t, c), inner(t, c)]);
    sketch.tint = Vec3::splat(1.0);
    // Pillars of the car's colour on the glass.
    sketch.take_from(statement, "material", "carpaint")?;
    sketch.tint = paint * 0.9;
    sketch.near = true;
    for x in [-1.0_f32, 1.0] {
        for (low, high) in [(a, b), (d, c)] {
            sketch.beam(p(x * w, low), p(x * t, high), 0.035);
        }
        let middle = |low: f32, high: f32| (low + high) / 2.0;
        let (foot, head) = ((middle(a.0, d.0), a.1), (middle(b.0, c.0), b.1));
        sketch.beam(p(x * w, foot), p(x * t, head), 0.03);
    }
    sketch.near = false;
    Ok(())
}

fn trim(sketch: &mut Sketch<'_>, shape: &Shape, statement: &Statement) -> Result<()> {
    let w = shape.half_width;
    let (tail, nose) = (shape.hull[0].0, shape.hull[shape.hull.len() - 1].0);
    let p = Vec3::new;
    sketch.tint = Vec3::splat(1.0);
    sketch.take_from(statement, "chrome", "chrome")?;
    let bumper = side::ALL & !side::BOTTOM;
    sketch.part = Some(parts::BUMPERS);
    sketch.cuboid(p(-w, nose, 0.36), p(w, nose + 0.1, 0.5), bumper);
    sketch.part = Some(parts::BUMPERS + 1);
    sketch.cuboid(p(-w, tail - 0.1, 0.38), p(w, tail, 0.52), bumper);
    sketch.part = None;
    sketch.near = true;
    sketch.cuboid(p(-0.4, nose, 0.55), p(0.4, nose + 0.02, 0.66), side::FRONT);
    sketch.near = false;
    sketch.take_from(statement, "lens", "lens")?;
    for x in [-0.68, 0.68] {
        sketch.tint = p(1.0, 0.95, 0.8);
        sketch.part = Some(parts::LAMPS + u8::from(x > 0.0));
        sketch.cuboid(p(x - 0.13, nose, 0.55), p(x + 0.13, nose + 0.03, 0.7), side::ALL & !side::BACK);
        sketch.tint = p(0.9, 0.08, 0.05);
        sketch.part = None;
        sketch.cuboid(p(x - 0.16, tail - 0.03, 0.58), p(x + 0.16, tail, 0.72), side::ALL & !side::FRONT);
    }
    sketch.take_from(statement, "tyre", "tyre")?;
    for y in shape.wheels {
        for side in [-1.0_f32, 1.0] {
            let cover = parts::COVERS + if y > 0.0 { 0 } else { 2 } + u8::from(side > 0.0);
            wheel(sketch, p(side * (w - 0.02), y, 0.32), side, cover);
        }
    }
    Ok(())
}

/// A wheel: a flat drum on its side.
fn wheel(sketch: &mut Sketch<'_>, centre: Vec3, side: f32, cover: u8) {
    const SIDES: u32 = 10;
    const RADIUS: f32 = 0.33;
    let rim = |i: u32, r: f32, x: f32| {
        let (sin, cos) = scalar::sin_cos(i as f32 / SIDES as f32 * std::f32::consts::TAU);
        centre + Vec3::new(side * x, cos * r, sin * r)
    };
    for i in 0..SIDES {
        let turn = |face: [Vec3; 4]| if side > 0.0 { face } else { [face[1], face[0], face[3], face[2]] };
        sketch.tint = Vec3::splat(0.5);
        sketch.quad(turn([rim(i, RADIUS, 0.0), rim(i + 1, RADIUS, 0.0), rim(i + 1, 0.2, 0.02), rim(i, 0.2, 0.02)]));
        sketch.quad(turn([
            rim(i + 1, RADIUS, 0.0),
            rim(i, RADIUS, 0.0),
            rim(i, RADIUS, -0.2),
            rim(i + 1, RADIUS, -0.2),
        ]));
        sketch.tint = Vec3::splat(1.6);
        let hub = centre + Vec3::new(side * 0.03, 0.0, 0.0);
        let (a, b) = (rim(i, 0.2, 0.02), rim(i + 1, 0.2, 0.02));
        sketch.part = Some(cover);
        sketch.triangle(if side > 0.0 { [hub, a, b] } else { [hub, b, a] });
        sketch.part = None;
    }
    sketch.tint = Vec3::splat(1.0);
}

/// The shell: hull and cabin as boxes with sloped ends, flagged as the original's cars are.
fn shell(sketch: &mut Sketch<'_>, shape: &Shape) {
    let w = shape.half_width;
    let first = sketch.scene.solids.len();
    let (tail, nose) = (shape.hull[0].0, shape.hull[shape.hull.len() - 1].0);
    let deck = shape.cabin[0].1;
    let p = Vec3::new;
    sketch.solid_box(p(-w, tail, 0.0), p(w, nose, deck), side::STANDING, TriangleFlags::default());
    let [a, b, c, d] = shape.cabin;
    let t = w - TUMBLE;
    let at = |x: f32, (y, z): (f32, f32)| p(x, y, z);
    for face in [
        [at(-t, b), at(t, b), at(t, c), at(-t, c)],
        [at(-w, a), at(w, a), at(t, b), at(-t, b)],
        [at(w, d), at(-w, d), at(-t, c), at(t, c)],
        [at(w, a), at(w, d), at(t, c), at(t, b)],
        [at(-w, d), at(-w, a), at(-t, b), at(-t, c)],
    ] {
        sketch.solid_quad(face);
    }
    sketch.scene.solids[first..].iter_mut().for_each(|face| face.flags = TriangleFlags::CAR_SHELL);
}
