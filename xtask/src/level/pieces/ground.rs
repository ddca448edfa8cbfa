//! What is walked on: floors, kerbs, steps, slopes.

use super::Draw;
use crate::level::sketch::{Sketch, side};
use crate::level::source::Statement;
use anyhow::{Result, bail};
use boardwalk::collision::TriangleFlags;
use boardwalk::maths::Vec3;

pub(super) fn drawing(verb: &str) -> Option<Draw> {
    Some(match verb {
        "floor" => floor,
        "slab" => slab,
        "box" => block,
        "steps" => steps,
        "slope" => slope,
        "kerb" => kerb,
        "ceiling" => ceiling,
        _ => return None,
    })
}

/// `floor material= from= to= z=`: a level rectangle.
fn floor(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let ((x0, y0), (x1, y1)) = (statement.flat("from")?, statement.flat("to")?);
    let z = statement.number("z", 0.0)?;
    sketch.take(statement.need("material")?)?;
    if x1 <= x0 || y1 <= y0 {
        bail!("{}: a floor goes from its south-west to its north-east corner", statement.place);
    }
    let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Vec3::new(x, y, z));
    if statement.flag("seen", true)? {
        sketch.quad(corners);
    }
    if statement.flag("solid", true)? {
        sketch.solid_quad(corners);
    }
    Ok(())
}

/// `ceiling material= from= to= z=`: a floor seen from below.
fn ceiling(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let ((x0, y0), (x1, y1)) = (statement.flat("from")?, statement.flat("to")?);
    let z = statement.number("z", 3.0)?;
    sketch.take(statement.need("material")?)?;
    let corners = [(x0, y1), (x1, y1), (x1, y0), (x0, y0)].map(|(x, y)| Vec3::new(x, y, z));
    sketch.quad(corners);
    sketch.solid_quad(corners);
    Ok(())
}

/// `slab material= from= to= z= thick= edge=`: a floor with sides.
fn slab(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    floor(sketch, statement)?;
    let ((x0, y0), (x1, y1)) = (statement.flat("from")?, statement.flat("to")?);
    let (z, thick) = (statement.number("z", 0.0)?, statement.number("thick", 0.3)?);
    let material = statement.need("material")?;
    sketch.take_from(statement, "edge", material)?;
    let (min, max) = (Vec3::new(x0, y0, z - thick), Vec3::new(x1, y1, z));
    sketch.block(min, max, side::LEFT | side::RIGHT | side::BACK | side::FRONT);
    Ok(())
}

/// `box material= size= [top=] [solid=]`: a box standing at its place, x and y from its middle.
fn block(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let size = statement.vector("size", Vec3::splat(1.0))?;
    let (min, max) = (Vec3::new(-size.x / 2.0, -size.y / 2.0, 0.0), Vec3::new(size.x / 2.0, size.y / 2.0, size.z));
    let hanging = statement.flag("hanging", false)?;
    let sides = if hanging { side::ALL } else { side::STANDING };
    let material = statement.need("material")?;
    sketch.take_from(statement, "top", material)?;
    sketch.cuboid(min, max, sides & side::TOP);
    sketch.take(material)?;
    sketch.cuboid(min, max, sides & !side::TOP);
    if statement.flag("solid", true)? {
        let climb = if statement.flag("climb", false)? { TriangleFlags::CLIMBABLE } else { TriangleFlags::default() };
        sketch.solid_box(min, max, sides, climb);
    }
    Ok(())
}

/// `steps material= width= rise= run= count=`: a flight that climbs ahead, its foot at its place.
fn steps(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let (width, rise) = (statement.number("width", 3.0)?, statement.number("rise", 0.16)?);
    let run = statement.number("run", 0.32)?;
    let count = statement.count("count", 5, 1, 40)?;
    let material = statement.need("material")?.to_owned();
    let half = width / 2.0;
    for step in 0..count {
        let (y0, y1) = (step as f32 * run, (step + 1) as f32 * run);
        let (z0, z1) = (step as f32 * rise, (step + 1) as f32 * rise);
        sketch.take(&material)?;
        let riser = [(-half, z0), (half, z0), (half, z1), (-half, z1)].map(|(x, z)| Vec3::new(x, y0, z));
        let tread = [(-half, y0), (half, y0), (half, y1), (-half, y1)].map(|(x, y)| Vec3::new(x, y, z1));
        let tint = sketch.tint;
        sketch.tint = tint * 0.8;
        sketch.quad(riser);
        sketch.tint = tint;
        sketch.quad(tread);
        sketch.solid_quad(riser);
        sketch.solid_quad(tread);
        let sides = side::LEFT | side::RIGHT;
        sketch.block(Vec3::new(-half, y0, 0.0), Vec3::new(half, y1, z1), sides);
    }
    let (y, z) = (count as f32 * run, count as f32 * rise);
    if statement.flag("backed", false)? {
        let back = [(half, 0.0), (-half, 0.0), (-half, z), (half, z)].map(|(x, z)| Vec3::new(x, y, z));
        sketch.quad(back);
        sketch.solid_quad(back);
    }
    Ok(())
}

/// `slope material= width= length= rise=`: a ramp that climbs ahead.
fn slope(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let half = statement.number("width", 3.0)? / 2.0;
    let (length, rise) = (statement.number("length", 4.0)?, statement.number("rise", 1.0)?);
    sketch.take(statement.need("material")?)?;
    let p = Vec3::new;
    let top = [p(-half, 0.0, 0.0), p(half, 0.0, 0.0), p(half, length, rise), p(-half, length, rise)];
    sketch.quad(top);
    sketch.solid_quad(top);
    let left = [p(-half, length, 0.0), p(-half, 0.0, 0.0), p(-half, length, rise)];
    let right = [p(half, 0.0, 0.0), p(half, length, 0.0), p(half, length, rise)];
    for wedge in [left, right] {
        sketch.triangle(wedge);
        sketch.solid(wedge);
    }
    if statement.flag("backed", true)? {
        let back = [(half, 0.0), (-half, 0.0), (-half, rise), (half, rise)].map(|(x, z)| p(x, length, z));
        sketch.quad(back);
        sketch.solid_quad(back);
    }
    Ok(())
}

/// `kerb material= from= to= height= width=`: a raised edge to the left of the way.
fn kerb(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let length = super::along(sketch, statement)?;
    let (height, width) = (statement.number("height", 0.15)?, statement.number("width", 0.25)?);
    sketch.take(statement.need("material")?)?;
    sketch.block(Vec3::ZERO, Vec3::new(length, width, height), side::STANDING);
    Ok(())
}
