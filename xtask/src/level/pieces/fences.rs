//! What keeps people in: railings, fences, posts.

use super::Draw;
use crate::level::sketch::{Sketch, side};
use crate::level::source::Statement;
use anyhow::{Result, bail};
use boardwalk::collision::TriangleFlags;
use boardwalk::maths::Vec3;

pub(super) fn drawing(verb: &str) -> Option<Draw> {
    Some(match verb {
        "railing" => railing,
        "fence" => fence,
        "piles" => piles,
        "bollards" => bollards,
        _ => return None,
    })
}

/// A thin standing face that is met from both sides.
fn barrier(sketch: &mut Sketch<'_>, length: f32, height: f32, flags: TriangleFlags) {
    let first = sketch.scene.solids.len();
    sketch.solid_quad([(0.0, 0.0), (length, 0.0), (length, height), (0.0, height)].map(|(x, z)| Vec3::new(x, 0.0, z)));
    let flags = flags.with(TriangleFlags::TWO_SIDED);
    sketch.scene.solids[first..].iter_mut().for_each(|face| face.flags = face.flags.with(flags));
}

/// How a railing ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// At a post of its own.
    Post,
    /// At a post of its own over which its rails go on, where another one meets it.
    Corner,
    /// At another one's post.
    Met,
}

impl End {
    fn of(statement: &Statement, key: &str) -> Result<Self> {
        Ok(match statement.text(key) {
            None => Self::Post,
            Some("corner") => Self::Corner,
            Some("met") => Self::Met,
            Some(other) => bail!("{}: {key}= is corner or met, not {other}", statement.place),
        })
    }

    /// How far a rail of half a width goes on over the end.
    fn over(self, half: f32) -> f32 {
        match self {
            Self::Post => 0.0,
            Self::Corner => half,
            Self::Met => -half,
        }
    }
}

/// `railing from= to= z= height= post= begins=corner|met ends=corner|met`: posts, a hand rail, lower rails and a foot board.
fn railing(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let length = super::along(sketch, statement)?;
    let (height, gap) = (statement.number("height", 1.1)?, statement.number("post", 2.0)?);
    let (begins, ends) = (End::of(statement, "begins")?, End::of(statement, "ends")?);
    sketch.take_from(statement, "rail", "paint")?;
    let p = Vec3::new;
    let cap = |end: End, face: u8| if end == End::Corner { face } else { 0 };
    let all_round = side::BACK | side::FRONT | side::TOP | cap(begins, side::LEFT) | cap(ends, side::RIGHT);
    let rail = |sketch: &mut Sketch<'_>, half: f32, low: f32, high: f32| {
        let (from, to) = (-begins.over(half), length + ends.over(half));
        sketch.cuboid(p(from, -half, low), p(to, half, high), all_round);
    };
    rail(sketch, 0.07, height - 0.06, height);
    sketch.near = true;
    for z in [0.34, 0.68] {
        rail(sketch, 0.025, z * height, z * height + 0.05);
    }
    rail(sketch, 0.08, 0.0, 0.13);
    sketch.near = false;
    sketch.middle = true;
    let posts = (length / gap).round().max(1.0) as u32;
    let own = u32::from(begins == End::Met)..=posts - u32::from(ends == End::Met);
    for post in own {
        let x = length * post as f32 / posts as f32;
        sketch.cuboid(p(x - 0.06, -0.06, 0.0), p(x + 0.06, 0.06, height - 0.06), side::STANDING & !side::TOP);
    }
    sketch.take_from(statement, "surface", "railing")?;
    barrier(sketch, length, height, TriangleFlags::CLIMBABLE);
    Ok(())
}

/// `fence from= to= height= mesh= post=`: wire or boards between posts.
fn fence(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let length = super::along(sketch, statement)?;
    let (height, gap) = (statement.number("height", 2.2)?, statement.number("post", 2.4)?);
    let p = Vec3::new;
    sketch.take_from(statement, "mesh", "chainlink")?;
    let front = [(0.0, 0.0), (length, 0.0), (length, height), (0.0, height)].map(|(x, z)| p(x, 0.0, z));
    let casts = std::mem::replace(&mut sketch.casts, false);
    sketch.quad(front);
    sketch.casts = casts;
    barrier(sketch, length, height, TriangleFlags::CLIMBABLE.with(TriangleFlags::PLAYER_CLIMBABLE));
    sketch.take_from(statement, "posts", "steel")?;
    let posts = (length / gap).round().max(1.0) as u32;
    for post in 0..=posts {
        let x = length * post as f32 / posts as f32;
        sketch.cuboid(p(x - 0.035, -0.035, 0.0), p(x + 0.035, 0.035, height + 0.08), side::STANDING);
    }
    sketch.cuboid(p(0.0, -0.03, height - 0.03), p(length, 0.03, height + 0.03), side::BACK | side::FRONT | side::TOP);
    Ok(())
}

/// `piles from= to= top= foot= gap= half= first=`: the posts that carry a pier, with a beam along their heads; without the first
/// post where other piles end there.
fn piles(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let length = super::along(sketch, statement)?;
    let (top, foot) = (statement.number("top", -0.2)?, statement.number("foot", -5.0)?);
    let (gap, half) = (statement.number("gap", 4.0)?, statement.number("half", 0.16)?);
    sketch.take_from(statement, "material", "pile")?;
    let posts = (length / gap).round().max(1.0) as u32;
    for post in u32::from(!statement.flag("first", true)?)..=posts {
        let x = length * post as f32 / posts as f32;
        sketch.drum(Vec3::new(x, 0.0, foot), [half, half], top - foot, 4, false);
    }
    sketch.cuboid(
        Vec3::new(0.0, -0.12, top - 0.1),
        Vec3::new(length, 0.12, top + 0.2),
        side::BACK | side::FRONT | side::BOTTOM,
    );
    Ok(())
}

/// `bollards from= to= gap=`: a row of low posts.
fn bollards(sketch: &mut Sketch<'_>, statement: &Statement) -> Result<()> {
    let length = super::along(sketch, statement)?;
    let gap = statement.number("gap", 1.6)?;
    sketch.take_from(statement, "material", "iron")?;
    let posts = (length / gap).round().max(1.0) as u32;
    for post in 0..=posts {
        let x = length * post as f32 / posts as f32;
        sketch.drum(Vec3::new(x, 0.0, 0.0), [0.12, 0.09], 0.75, 6, false);
        sketch.drum(Vec3::new(x, 0.0, 0.75), [0.13, 0.05], 0.12, 6, true);
        let half = Vec3::new(0.1, 0.1, 0.0);
        let centre = Vec3::new(x, 0.0, 0.0);
        sketch.solid_box(centre - half, centre + half + Vec3::Z * 0.87, side::STANDING, TriangleFlags::default());
    }
    Ok(())
}
