//! What shops show to the street: awnings, signs, shutters.

use super::Draw;
use crate::level::scene::{Glimmer, Glow};
use crate::level::sketch::{Sketch, side};
use crate::level::source::Statement;
use anyhow::Result;
use boardwalk::maths::Vec3;

pub(super) fn drawing(verb: &str) -> Option<Draw> {
    Some(match verb {
        "awning" => awning,
        "sign" => sign,
        "poster" => poster,
        "cornice" => cornice,
        "bulbs" => bulbs,
        _ => return None,
    })
}

/// `awning material= from= to= z= deep= drop= edge=`: cloth on a frame in front of a wall.
fn awning(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let length = super::along(sketch, statement)?;
    let (deep, drop) = (statement.number("deep", 1.6)?, statement.number("drop", 0.7)?);
    let edge = statement.number("edge", 0.28)?;
    sketch.take_from(statement, "material", "awning")?;
    let p = Vec3::new;
    let stripe = 1.0 / sketch.scene.materials.get(sketch.material).scale[0];
    let cloth = |v0: f32, v1: f32| {
        let u = length * stripe;
        [[0.0, v1], [u, v1], [u, v0], [0.0, v0]]
    };
    let top = [p(0.0, -deep, -drop), p(length, -deep, -drop), p(length, 0.0, 0.0), p(0.0, 0.0, 0.0)];
    let normal = (top[1] - top[0]).cross(top[3] - top[0]).normalize_or_zero();
    sketch.quad_with(top, [normal; 4], cloth(0.0, 0.8));
    let valance = [p(0.0, -deep, -drop - edge), p(length, -deep, -drop - edge), top[1], top[0]];
    sketch.quad_with(valance, [-Vec3::Y; 4], cloth(0.8, 1.0));
    // Its underside glows a little with the light of the shop.
    let under = [top[3], top[2], top[1], top[0]];
    sketch.tint *= 0.6;
    sketch.casts = false;
    sketch.quad_with(under, [-normal; 4], cloth(0.0, 0.8));
    for x in [0.0, length] {
        let (a, b, c) = (p(x, -deep, -drop), p(x, 0.0, 0.0), p(x, -deep, -drop - edge));
        sketch.triangle([a, b, c]);
        sketch.triangle([a, c, b]);
    }
    Ok(())
}

/// `sign picture= size=W,D,H glow= light=`: a board with a picture that shines, its back at its place.
fn sign(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let size = statement.vector("size", Vec3::new(3.0, 0.12, 0.7))?;
    let (half, deep) = (size.x / 2.0, size.y);
    let p = Vec3::new;
    sketch.casts = false;
    sketch.take_from(statement, "frame", "iron")?;
    sketch.cuboid(p(-half, -deep, 0.0), p(half, 0.0, size.z), side::LEFT | side::RIGHT | side::BOTTOM | side::TOP);
    sketch.take(statement.need("picture")?)?;
    sketch.picture([(-half, 0.0), (half, 0.0), (half, size.z), (-half, size.z)].map(|(x, z)| p(x, -deep, z)));
    if statement.flag("both", false)? {
        sketch.picture([(half, 0.0), (-half, 0.0), (-half, size.z), (half, size.z)].map(|(x, z)| p(x, 0.0, z)));
    }
    if statement.text("light").is_some() {
        let colour = statement.colour("light", Vec3::ZERO)?;
        let reach = statement.number("reach", 2.0)?;
        let parts = (size.x / 2.5).round().max(1.0) as u32;
        for part in 0..parts {
            let x = ((part as f32 + 0.5) / parts as f32 - 0.5) * size.x;
            sketch.lamp(p(x, -deep - 0.5, size.z / 2.0), colour * (1.0 / parts as f32), reach, 0.6);
        }
        let glimmer = if statement.flag("flicker", false)? { Glimmer::Flicker } else { Glimmer::Steady };
        let halo =
            Glow { position: Vec3::ZERO, radius: half.max(size.z), colour: colour * 0.16, glimmer, backdrop: false };
        sketch.halo(p(0.0, -deep - 0.05, size.z / 2.0), halo);
    }
    Ok(())
}

/// `poster picture= size=W,0,H`: a picture on a wall.
fn poster(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let size = statement.vector("size", Vec3::new(0.8, 0.0, 1.1))?;
    let half = size.x / 2.0;
    sketch.take(statement.need("picture")?)?;
    sketch.casts = false;
    sketch.picture([(-half, 0.0), (half, 0.0), (half, size.z), (-half, size.z)].map(|(x, z)| Vec3::new(x, -0.02, z)));
    Ok(())
}

/// `cornice material= from= to= z= height= proud=`: a moulding along the top of a wall.
fn cornice(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let length = super::along(sketch, statement)?;
    let (height, proud) = (statement.number("height", 0.35)?, statement.number("proud", 0.22)?);
    sketch.take(statement.need("material")?)?;
    let p = Vec3::new;
    let seen = side::ALL & !side::FRONT;
    sketch.cuboid(p(0.0, -proud, height * 0.5), p(length, 0.3, height), seen);
    sketch.cuboid(p(0.0, -proud * 0.5, 0.0), p(length, 0.3, height * 0.5), seen & !side::TOP);
    Ok(())
}

/// `bulbs from= to= z= z2= sag= count= colour= size=`: a cable of bulbs that hangs between two points.
fn bulbs(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let length = super::along(sketch, statement)?;
    let (sag, rise) = (statement.number("sag", 0.6)?, statement.number("rise", 0.0)?);
    let count = statement.count("count", 10, 2, 200)?;
    let colour = statement.colour("colour", Vec3::new(1.0, 0.72, 0.38))?;
    let radius = statement.number("size", 0.2)?;
    let light = statement.number("light", 0.5)?;
    let glimmer = if statement.flag("chase", false)? { Glimmer::Chase } else { Glimmer::Steady };
    sketch.take_from(statement, "cable", "cable")?;
    sketch.casts = false;
    let at = |share: f32| Vec3::new(length * share, 0.0, rise * share - 4.0 * sag * share * (1.0 - share));
    const SEGMENTS: u32 = 6;
    sketch.near = true;
    for part in 0..SEGMENTS {
        let share = |n: u32| n as f32 / SEGMENTS as f32;
        let (from, to) = (at(share(part)), at(share(part + 1)));
        let up = Vec3::Z * 0.03;
        sketch.quad([from, to, to + up, from + up]);
        sketch.quad([to, from, from + up, to + up]);
    }
    for bulb in 0..count {
        let own = at((bulb as f32 + 0.5) / count as f32) - Vec3::Z * 0.08;
        sketch.halo(own, Glow { position: Vec3::ZERO, radius, colour, glimmer, backdrop: false });
        if light > 0.0 && bulb % 3 == 1 {
            sketch.lamp(own, colour * light, 1.6, 0.1);
        }
    }
    Ok(())
}
