//! What is not seen: air, lights by themselves, objects, flags, boxes, views, ways.

use super::Draw;
use crate::level::scene::{Glimmer, Glow, Path, Scene, ThingKind};
use crate::level::sketch::{Sketch, side};
use crate::level::source::{Statement, numbers};
use anyhow::{Context as _, Result, bail};
use boardwalk::collision::TriangleFlags;
use boardwalk::maths::Vec3;

/// Settings of the whole level; true when the statement was one.
pub(super) fn setting(scene: &mut Scene, statement: &Statement) -> Result<bool> {
    match statement.verb.as_str() {
        "level" => scene.name = statement.name()?.to_owned(),
        "material" => scene.materials.define(statement)?,
        "air" => air(scene, statement)?,
        "zone" => scene.zones.push(statement.count("number", 0, 1, 254)? as u8),
        _ => return Ok(false),
    }
    Ok(true)
}

fn air(scene: &mut Scene, statement: &Statement) -> Result<()> {
    let air = &mut scene.air;
    air.fog = statement.colour("fog", air.fog)?;
    air.start = statement.number("start", air.start)?;
    air.end = statement.number("end", air.end)?;
    air.most = statement.number("most", air.most)?;
    air.zenith = statement.colour("zenith", air.zenith)?;
    air.ambient = statement.colour("ambient", air.ambient)?;
    air.moon = statement.colour("moon", air.moon)?;
    air.moon_towards = statement.vector("towards", air.moon_towards)?.normalize_or_zero();
    air.sea = statement.number("sea", air.sea)?;
    air.noise = statement.number("noise", air.noise)?;
    if !(air.end > air.start && air.moon_towards != Vec3::ZERO) {
        bail!("{}: end= is behind start= and towards= is a direction", statement.place);
    }
    Ok(())
}

pub(super) fn drawing(verb: &str) -> Option<Draw> {
    Some(match verb {
        "light" => light,
        "object" => object,
        "flag" => |sketch, statement| named(sketch, statement, ThingKind::Flag),
        "volume" => |sketch, statement| named(sketch, statement, ThingKind::Volume),
        "playerbox" => |sketch, statement| named(sketch, statement, ThingKind::Player),
        "turf" => |sketch, statement| named(sketch, statement, ThingKind::Turf),
        "view" => view,
        "path" => path,
        "emitter" => |sketch, statement| named(sketch, statement, ThingKind::Emitter),
        "barrier" => barrier,
        _ => return None,
    })
}

/// `light colour= bright= reach= size= halo=`: light without a lamp.
fn light(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let colour = statement.colour("colour", Vec3::splat(1.0))?;
    let bright = statement.number("bright", 1.0)?;
    sketch.lamp(Vec3::ZERO, colour * bright, statement.number("reach", 3.0)?, statement.number("size", 0.3)?);
    let radius = statement.number("halo", 0.0)?;
    if radius > 0.0 {
        let glow =
            Glow { position: Vec3::ZERO, radius, colour: colour * 0.3, glimmer: Glimmer::Steady, backdrop: false };
        sketch.halo(Vec3::ZERO, glow);
    }
    Ok(())
}

/// `object NAME zone= respawn= owned=`: what the task engine spawns.
fn object(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let (zone, respawn) = (statement.count("zone", 0, 0, 255)?, statement.count("respawn", 0, 0, 65_535)?);
    let owned = statement.flag("owned", false)?;
    let thing = sketch.thing(ThingKind::Object, statement.name()?, Vec3::ZERO, Vec3::ZERO);
    (thing.zone, thing.respawn, thing.owned) = (zone as u8, respawn as u16, owned);
    Ok(())
}

/// A named point, or a box with `size=`.
fn named(sketch: &mut Sketch<'_>, statement: &Statement, kind: ThingKind) -> Result<()> {
    let size = statement.vector("size", Vec3::ZERO)?;
    sketch.thing(kind, statement.name()?, Vec3::ZERO, size * 0.5);
    Ok(())
}

/// `view NAME pitch=`: where an eye is, which way it looks, and degrees that it looks down.
fn view(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let pitch = statement.number("pitch", 6.0)?;
    sketch.thing(ThingKind::View, statement.name()?, Vec3::ZERO, Vec3::new(pitch.to_radians(), 0.0, 0.0));
    Ok(())
}

/// Points of `points=X,Y,Z/X,Y,Z/...`, two of them at least.
pub(super) fn points(statement: &Statement) -> Result<Vec<Vec3>> {
    let words = statement.need("points")?.split('/');
    let points = words.map(|word| numbers::<3>(word).map(Vec3::from_array)).collect::<Result<Vec<Vec3>>>();
    let points = points.with_context(|| format!("{}: points=", statement.place))?;
    if points.len() < 2 {
        bail!("{}: points= has at least two points", statement.place);
    }
    Ok(points)
}

/// `path NAME points= closed= width=`: a way that people walk.
fn path(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let points = points(statement)?.into_iter().map(|point| sketch.transform.point(point)).collect();
    sketch.scene.paths.push(Path {
        name: statement.name()?.to_owned(),
        points,
        closed: statement.flag("closed", false)?,
        width: statement.number("width", 1.5)?,
        place: statement.place.clone(),
    });
    Ok(())
}

/// `barrier size=`: an invisible box that stops walkers and nothing else.
fn barrier(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let size = statement.vector("size", Vec3::new(1.0, 1.0, 3.0))?;
    sketch.take_from(statement, "material", "concrete")?;
    let half = Vec3::new(size.x / 2.0, size.y / 2.0, 0.0);
    let flags = TriangleFlags::SPHERES_PASS;
    sketch.solid_box(-half, half + Vec3::Z * size.z, side::STANDING & !side::TOP, flags);
    Ok(())
}
