//! The pieces that a level is built of, each a small parametrised drawing.
//!
//! [`draw`] looks a statement's verb up in the piece files: `ground` (what is walked on), `walls`, `fences`, `shops`
//! (what shops show), `street` (what stands around), `cars`, `skyline` (what is far), `props` (what is carried), `marks` (lights, things,
//! boxes, ways: what is not seen). A piece has its own axes: x to the right, y ahead, z up, placed by `at=` and `turn=`;
//! pieces with `from=` and `to=` run along their x and show their front to the right of that way.

mod cars;
mod fences;
mod ground;
mod marks;
mod props;
mod shops;
mod skyline;
mod street;
mod walls;

use super::place::Transform;
use super::scene::Scene;
use super::sketch::Sketch;
use super::source::{Placed, Statement};
use anyhow::{Result, bail};
use boardwalk::maths::{Vec3, scalar};

/// Draws a statement's piece.
type Draw = fn(&mut Sketch<'_>, &Statement) -> Result<()>;

/// Pieces that are small: from afar they are left out, and of lamps only the light is left.
const SMALL: [&str; 16] = [
    "lamp",
    "walllamp",
    "bench",
    "bin",
    "crates",
    "barrel",
    "machine",
    "telescope",
    "planter",
    "table",
    "pipe",
    "piles",
    "bollards",
    "bulbs",
    "cornice",
    "poster",
];

/// How a verb is drawn.
fn drawing(verb: &str) -> Option<Draw> {
    [
        ground::drawing,
        walls::drawing,
        fences::drawing,
        shops::drawing,
        street::drawing,
        cars::drawing,
        skyline::drawing,
        marks::drawing,
        props::drawing,
    ]
    .iter()
    .find_map(|find| find(verb))
}

/// Draws a level's statements into a scene.
///
/// # Errors
/// Names the statement at fault.
pub fn draw(placed: &[Placed], scene: &mut Scene) -> Result<()> {
    for Placed { statement, transform } in placed {
        if marks::setting(scene, statement)? {
            statement.finish()?;
            continue;
        }
        let Some(draw) = drawing(&statement.verb) else {
            bail!("{}: there is no piece {}", statement.place, statement.verb)
        };
        let own = Transform::new(statement.vector("at", Vec3::ZERO)?, statement.number("turn", 0.0)?);
        let tint = statement.vector("tint", Vec3::splat(1.0))?;
        let near = statement.flag("near", false)?;
        let casts = statement.flag("casts", true)?;
        let area = statement.count("area", 0, 0, 255)? as u8;
        let mut sketch = Sketch {
            scene,
            transform: transform.of(&own),
            place: statement.place.clone(),
            material: Default::default(),
            tint,
            glow: 0.0,
            near,
            middle: SMALL.contains(&statement.verb.as_str()),
            casts,
            backdrop: false,
            part: None,
            area,
        };
        draw(&mut sketch, statement)?;
        statement.finish()?;
    }
    Ok(())
}

/// Turns the sketch so that its x runs from `from=` to `to=` at the height `z=`; the way's length.
fn along(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<f32> {
    let (from, to) = (statement.flat("from")?, statement.flat("to")?);
    let z = statement.number("z", 0.0)?;
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = scalar::sqrt(dx * dx + dy * dy);
    if length < 0.01 {
        bail!("{}: from= and to= are the same point", statement.place);
    }
    let turn = scalar::atan2(-dy, dx).to_degrees();
    // Ways along the axes stay exact.
    let turn = if (turn / 90.0 - (turn / 90.0).round()).abs() < 1e-5 { (turn / 90.0).round() * 90.0 } else { turn };
    sketch.transform = sketch.transform.of(&Transform::new(Vec3::new(from.0, from.1, z), turn));
    Ok(length)
}

/// A number from the place of a piece, of `[0, 1)`: the same in every build.
fn chance(sketch: &Sketch<'_>, salt: u32) -> f32 {
    let p = sketch.transform.position;
    let cell = |v: f32| (v * 16.0) as i32 as u32;
    let seed =
        cell(p.x).wrapping_mul(0x9e37_79b1) ^ cell(p.y).wrapping_mul(0x85eb_ca6b) ^ salt.wrapping_mul(0xc2b2_ae35);
    boardwalk::graphics::wave::noise(seed)
}
