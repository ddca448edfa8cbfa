//! Walls with openings, and what fills them: panes and doors.

use super::Draw;
use crate::level::catalogue::models;
use crate::level::scene::ThingKind;
use crate::level::sketch::{Sketch, side};
use crate::level::source::{Statement, numbers};
use anyhow::{Context as _, Result, bail};
use boardwalk::collision::TriangleFlags;
use boardwalk::maths::Vec3;

pub(super) fn drawing(verb: &str) -> Option<Draw> {
    Some(match verb {
        "wall" => wall,
        "pane" => pane,
        "door" => door,
        "roof" => roof,
        _ => return None,
    })
}

/// An opening: its start along the wall, its width, its lower and its upper edge.
#[derive(Clone, Copy, Debug)]
struct Gap {
    start: f32,
    end: f32,
    low: f32,
    high: f32,
}

fn gaps(statement: &Statement, length: f32, height: f32) -> Result<Vec<Gap>> {
    let mut gaps = Vec::new();
    for text in statement.all("gap") {
        let [start, width, low, high] = numbers::<4>(text).with_context(|| format!("{}: gap=", statement.place))?;
        let gap = Gap { start, end: start + width, low, high };
        let before = gaps.last().map_or(0.0, |gap: &Gap| gap.end);
        if !(start >= before && gap.end <= length && low >= 0.0 && low < high && high <= height) {
            bail!("{}: the gap {text} is not in the wall, or not behind the one before", statement.place);
        }
        gaps.push(gap);
    }
    Ok(gaps)
}

/// `wall material= from= to= z= height= thick= gap=START,WIDTH,LOW,HIGH ...`: its front lies on the way, its body to the left.
fn wall(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let length = super::along(sketch, statement)?;
    let (height, thick) = (statement.number("height", 3.0)?, statement.number("thick", 0.25)?);
    let gaps = gaps(statement, length, height)?;
    let material = statement.need("material")?.to_owned();
    let ends = statement.flag("ends", true)?;
    let trim = statement.text("trim");
    let back = statement.flag("back", true)?;
    sketch.take(&material)?;
    let p = Vec3::new;
    let both = if back { side::BACK | side::FRONT } else { side::BACK };
    let mut x = 0.0;
    for gap in &gaps {
        sketch.block(p(x, 0.0, 0.0), p(gap.start, thick, height), both);
        if gap.low > 0.0 {
            sketch.block(p(gap.start, 0.0, 0.0), p(gap.end, thick, gap.low), both | side::TOP);
        }
        if gap.high < height {
            sketch.block(p(gap.start, 0.0, gap.high), p(gap.end, thick, height), both | side::BOTTOM);
        }
        reveals(sketch, gap, thick);
        x = gap.end;
    }
    sketch.block(p(x, 0.0, 0.0), p(length, thick, height), both);
    sketch.block(
        p(0.0, 0.0, 0.0),
        p(length, thick, height),
        side::TOP | if ends { side::LEFT | side::RIGHT } else { 0 },
    );
    if let Some(trim) = trim {
        frames(sketch, &gaps, trim)?;
    }
    Ok(())
}

/// The sides of an opening.
fn reveals(sketch: &mut Sketch<'_>, gap: &Gap, thick: f32) {
    let p = Vec3::new;
    let (low, high) = (p(gap.start, 0.0, gap.low), p(gap.start, thick, gap.high));
    let left = [p(low.x, low.y, low.z), p(low.x, high.y, low.z), p(low.x, high.y, high.z), p(low.x, low.y, high.z)];
    let right = left.map(|corner| p(gap.end, corner.y, corner.z));
    let right = [right[1], right[0], right[3], right[2]];
    for face in [left, right] {
        sketch.quad(face);
        sketch.solid_quad(face);
    }
}

/// Boards around the openings, a little proud of the wall.
fn frames(sketch: &mut Sketch<'_>, gaps: &[Gap], material: &str) -> Result<()> {
    const WIDE: f32 = 0.09;
    const PROUD: f32 = 0.04;
    sketch.take(material)?;
    let p = Vec3::new;
    for gap in gaps {
        let sides = side::BACK | side::LEFT | side::RIGHT;
        for x in [gap.start - WIDE, gap.end] {
            sketch.cuboid(p(x, -PROUD, gap.low), p(x + WIDE, 0.0, gap.high), sides);
        }
        let (left, right) = (gap.start - WIDE, gap.end + WIDE);
        sketch.cuboid(p(left, -PROUD, gap.high), p(right, 0.0, gap.high + WIDE), side::ALL & !side::FRONT);
        if gap.low > 0.0 {
            sketch.cuboid(p(left, -PROUD * 2.0, gap.low - WIDE), p(right, 0.0, gap.low), side::ALL & !side::FRONT);
        }
    }
    Ok(())
}

/// `pane material= name= size=W,THICK,H`: a pane of glass standing on its place, its middle ahead of it.
fn pane(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let size = statement.vector("size", Vec3::new(2.0, 0.02, 1.5))?;
    let name = statement.text("name").unwrap_or("pane").to_owned();
    sketch.take_from(statement, "material", "glass")?;
    sketch.casts = false;
    let half = size.x / 2.0;
    let corners = [(-half, 0.0), (half, 0.0), (half, size.z), (-half, size.z)].map(|(x, z)| Vec3::new(x, 0.0, z));
    let fixed = statement.flag("fixed", false)?;
    if statement.flag("seen", fixed)? {
        sketch.quad(corners);
    }
    if fixed {
        sketch.solid_quad(corners);
    } else {
        sketch.thing(ThingKind::Pane, &name, Vec3::new(0.0, 0.0, size.z / 2.0), size * 0.5);
        // The pane itself is no part of the level: it breaks.
        let number = sketch.scene.things_of(ThingKind::Pane).count() - 1;
        let high = size.z / 2.0;
        let about = [(-half, -high), (half, -high), (half, high), (-half, high)].map(|(x, z)| Vec3::new(x, 0.0, z));
        let patches = sketch.apart(|sketch| {
            sketch.quad(about);
            sketch.quad([about[1], about[0], about[3], about[2]]);
        });
        let model = models::of(&format!("pane:{number}"), &patches, &sketch.scene.materials)?;
        sketch.scene.models.push(model);
    }
    Ok(())
}

/// `door name= size=W,THICK,H`: a leaf that hangs at its place and closes to the right; its triangles are marked as a door's.
fn door(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let size = statement.vector("size", Vec3::new(1.0, 0.06, 2.1))?;
    let name = statement.text("name").unwrap_or("door_wood").to_owned();
    sketch.take_from(statement, "material", "door")?;
    let (min, max) = (Vec3::new(0.0, -size.y / 2.0, 0.0), Vec3::new(size.x, size.y / 2.0, size.z));
    if statement.flag("seen", false)? {
        sketch.cuboid(min, max, side::ALL);
    }
    let flags = TriangleFlags::DOOR.with(TriangleFlags::DOOR_LEAF);
    sketch.solid_box(min, max, side::BACK | side::FRONT, flags);
    let zone = statement.count("zone", 0, 0, 255)? as u8;
    sketch.thing(ThingKind::Object, &name, Vec3::ZERO, size * 0.5).zone = zone;
    Ok(())
}

/// `roof material= from= to= z= rise= over=`: a gabled roof along y over a rectangle.
fn roof(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let ((x0, y0), (x1, y1)) = (statement.flat("from")?, statement.flat("to")?);
    let (z, rise) = (statement.number("z", 3.0)?, statement.number("rise", 1.5)?);
    let over = statement.number("over", 0.3)?;
    sketch.take(statement.need("material")?)?;
    let p = Vec3::new;
    let middle = (x0 + x1) / 2.0;
    let drop = over * rise / ((x1 - x0) / 2.0);
    let (left, right, south, north) = (x0 - over, x1 + over, y0 - over, y1 + over);
    let ridge = z + rise;
    let west = [p(left, north, z - drop), p(left, south, z - drop), p(middle, south, ridge), p(middle, north, ridge)];
    let east = [p(right, south, z - drop), p(right, north, z - drop), p(middle, north, ridge), p(middle, south, ridge)];
    for face in [west, east] {
        sketch.quad(face);
        sketch.solid_quad(face);
    }
    sketch.triangle([p(x0, y0, z), p(x1, y0, z), p(middle, y0, ridge)]);
    sketch.triangle([p(x1, y1, z), p(x0, y1, z), p(middle, y1, ridge)]);
    Ok(())
}
