//! Shapes for signs: letters, tubes, stripes, discs, frames, lit windows. Lengths are shares of the picture's height.

use super::canvas::{Canvas, dice, rise};
use crate::level::source::{Statement, numbers};
use anyhow::{Context as _, Result};
use boardwalk::graphics::font::strokes::{GRID_HEIGHT, GRID_WIDTH, glyph, segments};
use boardwalk::maths::{Vec3, scalar};

/// Draws a statement; false when it is none of these shapes.
pub(super) fn draw(canvas: &mut Canvas, statement: &Statement) -> Result<bool> {
    match statement.verb.as_str() {
        "text" => text(canvas, statement)?,
        "line" => line(canvas, statement)?,
        "stripes" => stripes(canvas, statement)?,
        "disc" => disc(canvas, statement)?,
        "rect" => rect(canvas, statement)?,
        "bulbs" => bulbs(canvas, statement)?,
        "windows" => windows(canvas, statement)?,
        "clear" => clear(canvas, statement)?,
        "spot" => spot(canvas, statement)?,
        _ => return Ok(false),
    }
    Ok(true)
}

type Segment = ((f32, f32), (f32, f32));

fn apart((px, py): (f32, f32), ((ax, ay), (bx, by)): Segment) -> f32 {
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx * dx + dy * dy;
    let t = if length > 0.0 { (((px - ax) * dx + (py - ay) * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    let (x, y) = (px - ax - dx * t, py - ay - dy * t);
    scalar::sqrt(x * x + y * y)
}

/// How a tube or a painted stroke looks.
struct Tube {
    colour: Vec3,
    thick: f32,
    glow: f32,
    halo: f32,
    core: f32,
}

impl Tube {
    fn read(statement: &Statement) -> Result<Self> {
        Ok(Self {
            colour: statement.colour("colour", Vec3::new(1.0, 0.9, 0.7))?,
            thick: statement.number("thick", 0.03)?,
            glow: statement.number("glow", 0.0)?,
            halo: statement.number("halo", 0.6)?,
            core: statement.number("core", 0.0)?,
        })
    }

    fn draw(&self, canvas: &mut Canvas, lines: &[Segment]) {
        let aspect = canvas.width as f32 / canvas.height as f32;
        let soft = 0.7 / canvas.height as f32;
        canvas.each(|texel, u, v| {
            let point = (u * aspect, v);
            let distance = lines.iter().map(|segment| apart(point, *segment)).fold(f32::MAX, f32::min);
            if self.glow > 0.0 {
                let share = (1.0 - distance / self.glow).clamp(0.0, 1.0);
                texel.colour += self.colour * (self.halo * share * share);
                texel.alpha = texel.alpha.max(share * share);
            }
            let face = 1.0 - rise(self.thick - soft, self.thick + soft, distance);
            let white = (1.0 - distance / self.thick.max(1e-4)).clamp(0.0, 1.0) * self.core;
            texel.colour = texel.colour.lerp(self.colour.lerp(Vec3::splat(1.0), white), face);
            texel.alpha = texel.alpha.max(face);
        });
    }
}

/// `text WORD say="..." at=U,V high= wide= thick= glow= core= colour=`: letters with their middle at a place.
fn text(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let words = statement.need("say")?;
    let (u, v) = statement.flat("at")?;
    let high = statement.number("high", 0.5)?;
    let wide = statement.number("wide", 0.62)?;
    let slant = statement.number("slant", 0.0)?;
    let aspect = canvas.width as f32 / canvas.height as f32;
    let step = (high * wide / GRID_WIDTH, high / GRID_HEIGHT);
    let advance = high * wide * 1.45;
    let count = words.chars().count() as f32;
    let left = u * aspect - (count * advance - high * wide * 0.45) / 2.0;
    let mut lines = Vec::new();
    for (index, letter) in words.chars().enumerate() {
        for ((x0, y0), (x1, y1)) in segments(glyph(letter)) {
            let place = |x: f32, y: f32| {
                let lean = slant * (GRID_HEIGHT / 2.0 - y) * step.1;
                (left + index as f32 * advance + x * step.0 + lean, v + (y - GRID_HEIGHT / 2.0) * step.1)
            };
            lines.push((place(x0, y0), place(x1, y1)));
        }
    }
    Tube::read(statement)?.draw(canvas, &lines);
    Ok(())
}

/// `line points=U,V/U,V/... thick= glow= colour=`
fn line(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let aspect = canvas.width as f32 / canvas.height as f32;
    let points = statement.need("points")?.split('/');
    let points = points.map(|word| numbers::<2>(word).map(|[u, v]| (u * aspect, v))).collect::<Result<Vec<_>>>();
    let points = points.with_context(|| format!("{}: points=", statement.place))?;
    let lines: Vec<Segment> = points.windows(2).map(|pair| (pair[0], pair[1])).collect();
    Tube::read(statement)?.draw(canvas, &lines);
    Ok(())
}

/// `stripes count= colour= share= across=`: bands of a colour.
fn stripes(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let count = statement.count("count", 4, 1, 64)? as f32;
    let (share, across) = (statement.number("share", 0.5)?, statement.flag("across", false)?);
    let lean = statement.number("lean", 0.0)?;
    let colour = statement.colour("colour", Vec3::splat(1.0))?;
    let soft = count * 0.6 / canvas.width.min(canvas.height) as f32;
    canvas.each(|texel, u, v| {
        let at = if across { v + lean * u } else { u + lean * v } * count;
        let part = at - scalar::floor(at);
        let band = rise(-soft, soft, part) * (1.0 - rise(share - soft, share + soft, part))
            + rise(1.0 - soft, 1.0 + soft, part);
        texel.colour = texel.colour.lerp(colour, band.clamp(0.0, 1.0));
    });
    Ok(())
}

/// `disc at=U,V radius= colour= ring=`: a disc, or a ring of some thickness.
fn disc(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let (u0, v0) = statement.flat("at")?;
    let (radius, ring) = (statement.number("radius", 0.3)?, statement.number("ring", 0.0)?);
    let colour = statement.colour("colour", Vec3::splat(1.0))?;
    let glow = statement.number("glow", 0.0)?;
    let aspect = canvas.width as f32 / canvas.height as f32;
    let soft = 0.7 / canvas.height as f32;
    canvas.each(|texel, u, v| {
        let (dx, dy) = ((u - u0) * aspect, v - v0);
        let distance = scalar::sqrt(dx * dx + dy * dy);
        let off = if ring > 0.0 { (distance - radius).abs() - ring / 2.0 } else { distance - radius };
        let face = 1.0 - rise(-soft, soft, off);
        if glow > 0.0 {
            let share = (1.0 - off.max(0.0) / glow).clamp(0.0, 1.0);
            texel.colour += colour * (0.6 * share * share);
            texel.alpha = texel.alpha.max(share * share);
        }
        texel.colour = texel.colour.lerp(colour, face);
        texel.alpha = texel.alpha.max(face);
    });
    Ok(())
}

/// `rect from=U,V to=U,V colour= ring=`: a rectangle, or its outline.
fn rect(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let ((u0, v0), (u1, v1)) = (statement.flat("from")?, statement.flat("to")?);
    let colour = statement.colour("colour", Vec3::splat(1.0))?;
    let ring = statement.number("ring", 0.0)?;
    let amount = statement.number("amount", 1.0)?;
    let height = statement.number("height", 0.0)?;
    let aspect = canvas.width as f32 / canvas.height as f32;
    let soft = 0.5 / canvas.height as f32;
    canvas.each(|texel, u, v| {
        let inside = ((u - u0).min(u1 - u) * aspect).min((v - v0).min(v1 - v));
        let mut face = rise(-soft, soft, inside);
        if ring > 0.0 {
            face *= 1.0 - rise(ring - soft, ring + soft, inside);
        }
        texel.height += height * face;
        texel.colour = texel.colour.lerp(colour, face * amount);
        texel.alpha = texel.alpha.max(face * amount);
    });
    Ok(())
}

/// `bulbs count=COLUMNS,ROWS inset= radius= colour=`: bulbs around the picture's edge.
fn bulbs(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let (columns, rows) = statement.flat("count")?;
    let (inset, radius) = (statement.number("inset", 0.07)?, statement.number("radius", 0.03)?);
    let colour = statement.colour("colour", Vec3::new(1.0, 0.85, 0.5))?;
    let aspect = canvas.width as f32 / canvas.height as f32;
    let mut places = Vec::new();
    let (w, h) = (aspect - 2.0 * inset, 1.0 - 2.0 * inset);
    for column in 0..=columns as u32 {
        let x = inset + w * column as f32 / columns.max(1.0);
        places.extend([(x, inset), (x, 1.0 - inset)]);
    }
    for row in 1..rows as u32 {
        let y = inset + h * row as f32 / rows.max(1.0);
        places.extend([(inset, y), (aspect - inset, y)]);
    }
    canvas.each(|texel, u, v| {
        let (x, y) = (u * aspect, v);
        let squared = places.iter().map(|(a, b)| (x - a) * (x - a) + (y - b) * (y - b)).fold(f32::MAX, f32::min);
        let distance = scalar::sqrt(squared);
        let halo = (1.0 - distance / (radius * 3.0)).clamp(0.0, 1.0);
        texel.colour += colour * (0.5 * halo * halo);
        let face = 1.0 - rise(radius * 0.7, radius * 1.2, distance);
        texel.colour = texel.colour.lerp(colour.lerp(Vec3::splat(1.0), 0.4), face);
    });
    Ok(())
}

/// `windows columns= rows= size= lit= colour= dark=`: windows in a wall, some of them lit.
fn windows(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let (columns, rows) = (statement.count("columns", 4, 1, 32)?, statement.count("rows", 4, 1, 32)?);
    let (wide, high) = (statement.number("wide", 0.5)?, statement.number("high", 0.6)?);
    let lit = statement.number("lit", 0.4)?;
    let colour = statement.colour("colour", Vec3::new(1.0, 0.75, 0.4))?;
    let dark = statement.colour("dark", Vec3::new(0.06, 0.07, 0.12))?;
    let frame = statement.colour("frame", Vec3::splat(0.3))?;
    let seed = statement.count("seed", 1, 0, 9999)?;
    canvas.each(|texel, u, v| {
        let (x, y) = (u * columns as f32, v * rows as f32);
        let (column, row) = (scalar::floor(x) as i32, scalar::floor(y) as i32);
        let (along, up) = ((x - scalar::floor(x) - 0.5).abs() * 2.0, (y - scalar::floor(y) - 0.5).abs() * 2.0);
        if along > wide || up > high {
            return;
        }
        let edge =
            along > wide - 0.09 || up > high - 0.08 || along < 0.05 || (y - scalar::floor(y) - 0.45).abs() < 0.025;
        let light = dice(column, row, seed) < lit;
        let warmth = 0.7 + 0.5 * dice(column, row, seed + 2);
        let pane = if light { colour * (warmth * (0.75 + 0.5 * (y - scalar::floor(y)))) } else { dark * warmth };
        texel.colour = if edge { frame } else { pane };
    });
    Ok(())
}

/// `clear`: everything becomes transparent; later shapes bring opacity.
fn clear(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let colour = statement.colour("colour", Vec3::ZERO)?;
    canvas.each(|texel, _, _| (texel.alpha, texel.colour) = (0.0, colour));
    Ok(())
}

/// `spot colour= soft=`: light that fades from the middle to nothing at the rim; with `soft=yes` a veil that does.
fn spot(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let colour = statement.colour("colour", Vec3::splat(1.0))?;
    let soft = statement.flag("soft", false)?;
    canvas.each(|texel, u, v| {
        let (dx, dy) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        let share = (1.0 - scalar::sqrt(dx * dx + dy * dy)).max(0.0);
        if soft {
            // What was drawn before shows through it as its grain.
            (texel.colour, texel.alpha) = (texel.colour.scale(colour), share * share * (3.0 - 2.0 * share));
        } else {
            (texel.colour, texel.alpha) = (colour * (share * share), 1.0);
        }
    });
    Ok(())
}
