//! Strokes for surfaces: grain, boards, bricks, wire, stains, relief.

use super::canvas::{Canvas, dice, rise, smooth};
use crate::level::source::Statement;
use anyhow::Result;
use boardwalk::maths::{Vec3, scalar};

/// Draws a statement; false when it is none of these strokes.
pub(super) fn draw(canvas: &mut Canvas, statement: &Statement) -> Result<bool> {
    match statement.verb.as_str() {
        "fill" => fill(canvas, statement)?,
        "noise" => noise(canvas, statement)?,
        "boards" => boards(canvas, statement)?,
        "bricks" => bricks(canvas, statement)?,
        "wire" => wire(canvas, statement)?,
        "ribs" => ribs(canvas, statement)?,
        "tiles" => tiles(canvas, statement)?,
        "stains" => stains(canvas, statement)?,
        "relief" => relief(canvas, statement)?,
        "leaves" => leaves(canvas, statement)?,
        "gradient" => gradient(canvas, statement)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn seed(statement: &Statement) -> Result<u32> {
    statement.count("seed", 1, 0, 9999)
}

fn cells(statement: &Statement, default: [u32; 2]) -> Result<[u32; 2]> {
    Ok(match statement.text("scale") {
        None => default,
        Some(_) => {
            let (x, y) = statement.flat("scale")?;
            [x as u32, y as u32].map(|cells| cells.clamp(1, 128))
        }
    })
}

/// `fill colour= alpha=`
fn fill(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let colour = statement.colour("colour", Vec3::splat(0.5))?;
    let alpha = statement.number("alpha", 1.0)?;
    canvas.each(|texel, _, _| (texel.colour, texel.alpha) = (colour, alpha));
    Ok(())
}

/// `noise scale=X,Y octaves= amount= colour=`: brightens and darkens, or mixes a colour in.
fn noise(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let (scale, octaves) = (cells(statement, [8, 8])?, statement.count("octaves", 3, 1, 6)?);
    let (amount, seed) = (statement.number("amount", 0.2)?, seed(statement)?);
    let colour = statement.text("colour").map(|_| statement.colour("colour", Vec3::ZERO)).transpose()?;
    let height = statement.number("height", 0.0)?;
    let from = statement.number("from", -0.4)?;
    canvas.each(|texel, u, v| {
        let value = smooth(u, v, scale, octaves, seed);
        texel.height += height * value;
        texel.colour = match colour {
            None => texel.colour * (1.0 + amount * value),
            Some(colour) => texel.colour.lerp(colour, amount * rise(from, from + 0.7, value)),
        };
    });
    Ok(())
}

/// `boards count= gap= tone= joints= grain= nails=`: boards across the picture, each with its own tone.
fn boards(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let count = statement.count("count", 6, 1, 32)?;
    let gap = statement.number("gap", 0.08)?;
    let (tone, grain) = (statement.number("tone", 0.2)?, statement.number("grain", 0.2)?);
    let joints = statement.count("joints", 1, 0, 4)?;
    let nails = statement.flag("nails", true)?;
    let dark = statement.colour("dark", Vec3::splat(0.03))?;
    let seed = seed(statement)?;
    let (w, h) = (canvas.width as f32, canvas.height as f32);
    canvas.each(|texel, u, v| {
        let row = v * count as f32;
        let (board, across) = (scalar::floor(row) as i32, row - scalar::floor(row));
        let own = |salt: i32| dice(board, salt, seed);
        // Which length of board: joints lie at places of the row's own.
        let piece = (0..joints as i32).filter(|joint| u > joint_at(own(*joint + 20), *joint, joints)).count() as i32;
        let piece = piece % joints.max(1) as i32;
        let shade = 1.0 + tone * (dice(board, piece + 50, seed) * 2.0 - 1.0);
        let drift = dice(board, piece + 90, seed);
        let lines = smooth((u * 0.5 + drift).fract(), (v + drift).fract(), [3, count * 6], 2, seed + 7);
        let fine = smooth((u + drift).fract(), v, [6, count * 14], 1, seed + 9);
        let mut colour = texel.colour * (shade * (1.0 + grain * (0.7 * lines + 0.5 * fine)));
        // The board's edges are worn and the gap beside it is dark.
        let edge = across.min(1.0 - across);
        let worn = rise(gap * 0.5, gap * 0.5 + 0.16, edge);
        colour *= 0.72 + 0.28 * worn;
        let near_joint = (0..joints as i32)
            .map(|joint| {
                let apart = (u - joint_at(own(joint + 20), joint, joints)).abs();
                apart.min(1.0 - apart) * w
            })
            .fold(f32::MAX, f32::min);
        let open = rise(gap * 0.5 - 0.5 * count as f32 / h, gap * 0.5 + 0.5 * count as f32 / h, edge);
        let open = open * rise(0.2, 1.1, near_joint);
        if nails && near_joint > 2.0 && near_joint < 4.0 && (across - 0.5).abs() > 0.18 && (across - 0.5).abs() < 0.3 {
            colour *= 0.5;
        }
        texel.height += open;
        texel.colour = dark.lerp(colour, open);
    });
    Ok(())
}

fn joint_at(chance: f32, joint: i32, joints: u32) -> f32 {
    (joint as f32 + 0.15 + 0.7 * chance) / joints.max(1) as f32
}

/// `bricks rows= columns= mortar= tone= joint=`: courses in running bond.
fn bricks(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let (rows, columns) = (statement.count("rows", 8, 1, 64)?, statement.count("columns", 4, 1, 64)?);
    let (mortar, tone) = (statement.number("mortar", 0.12)?, statement.number("tone", 0.25)?);
    let joint = statement.colour("joint", Vec3::splat(0.35))?;
    let seed = seed(statement)?;
    let aspect = columns as f32 * canvas.height as f32 / (rows as f32 * canvas.width as f32);
    canvas.each(|texel, u, v| {
        let y = v * rows as f32;
        let row = scalar::floor(y) as i32;
        let x = u * columns as f32 + if row % 2 == 0 { 0.0 } else { 0.5 };
        let (column, along, up) = (scalar::floor(x) as i32, x - scalar::floor(x), y - scalar::floor(y));
        let column = column.rem_euclid(columns as i32);
        let edge = (along.min(1.0 - along) / aspect).min(up.min(1.0 - up));
        let brick = rise(mortar * 0.35, mortar * 0.75, edge);
        let shade = 1.0 + tone * (dice(column, row, seed) * 2.0 - 1.0);
        // A few burnt ones.
        let burnt = if dice(column, row, seed + 3) > 0.86 { 0.72 } else { 1.0 };
        texel.height += brick;
        texel.colour = joint.lerp(texel.colour * (shade * burnt), brick);
    });
    Ok(())
}

/// `wire count= thick= colour=`: crossed wires, clear between them.
fn wire(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let count = statement.count("count", 4, 1, 32)? as f32;
    let thick = statement.number("thick", 0.14)?;
    let colour = statement.colour("colour", Vec3::splat(0.6))?;
    canvas.each(|texel, u, v| {
        let near = |value: f32| {
            let part = value - scalar::floor(value);
            (part - 0.5).abs()
        };
        let (a, b) = (near((u + v) * count), near((u - v) * count));
        let wire = 1.0 - rise(thick * 0.6, thick * 1.3, a.min(b));
        texel.alpha = wire;
        texel.colour = colour * (0.75 + 0.35 * (1.0 - a.min(b) / thick.max(0.01)).clamp(0.0, 1.0));
    });
    Ok(())
}

/// `ribs count= depth= across=`: rounded ribs, as of corrugated iron and shutters.
fn ribs(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let count = statement.count("count", 8, 1, 64)? as f32;
    let (depth, across) = (statement.number("depth", 0.3)?, statement.flag("across", false)?);
    canvas.each(|texel, u, v| {
        let at = if across { v } else { u } * count;
        let wave = scalar::sin(at * std::f32::consts::TAU);
        texel.height += wave;
        texel.colour *= 1.0 + depth * wave;
    });
    Ok(())
}

/// `tiles rows= columns= gap= tone= second=`: square tiles, chequered when there is a second colour.
fn tiles(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let (rows, columns) = (statement.count("rows", 4, 1, 64)?, statement.count("columns", 4, 1, 64)?);
    let (gap, tone) = (statement.number("gap", 0.06)?, statement.number("tone", 0.1)?);
    let joint = statement.colour("joint", Vec3::splat(0.15))?;
    let second = statement.text("second").map(|_| statement.colour("second", Vec3::ZERO)).transpose()?;
    let seed = seed(statement)?;
    canvas.each(|texel, u, v| {
        let (x, y) = (u * columns as f32, v * rows as f32);
        let (column, row) = (scalar::floor(x) as i32, scalar::floor(y) as i32);
        let (along, up) = (x - scalar::floor(x), y - scalar::floor(y));
        let edge = along.min(1.0 - along).min(up.min(1.0 - up));
        let tile = rise(gap * 0.3, gap * 0.9, edge);
        let base = second.filter(|_| (column + row) % 2 == 0).unwrap_or(texel.colour);
        let shade = 1.0 + tone * (dice(column, row, seed) * 2.0 - 1.0);
        texel.height += tile;
        texel.colour = joint.lerp(base * shade, tile);
    });
    Ok(())
}

/// `stains count= size= colour= amount=`: soft blots, fewer or more.
fn stains(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let count = statement.count("count", 6, 1, 200)?;
    let (size, amount) = (statement.number("size", 0.15)?, statement.number("amount", 0.5)?);
    let colour = statement.colour("colour", Vec3::ZERO)?;
    let stretch = statement.number("stretch", 1.0)?;
    let seed = seed(statement)?;
    canvas.each(|texel, u, v| {
        let ragged = 0.35 * smooth(u, v, [9, 9], 2, seed + 5);
        let mut most = 0.0_f32;
        for blot in 0..count as i32 {
            let (x, y) = (dice(blot, 1, seed), dice(blot, 2, seed));
            let radius = size * (0.4 + 0.8 * dice(blot, 3, seed));
            let apart = |a: f32, b: f32| {
                let d = (a - b).abs();
                d.min(1.0 - d)
            };
            let (dx, dy) = (apart(u, x), apart(v, y) / stretch);
            let reach = scalar::sqrt(dx * dx + dy * dy) / radius + ragged;
            most = most.max(1.0 - rise(0.45, 1.0, reach));
        }
        texel.colour = texel.colour.lerp(colour, amount * most);
    });
    Ok(())
}

/// `relief amount=`: light from the upper left on the heights.
fn relief(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let amount = statement.number("amount", 0.3)?;
    let (w, heights) = (canvas.width, canvas.clone());
    for (index, texel) in canvas.texels.iter_mut().enumerate() {
        let (x, y) = ((index as u32 % w) as i32, (index as u32 / w) as i32);
        let slope = heights.height_at(x + 1, y + 1) - heights.height_at(x - 1, y - 1);
        texel.colour *= 1.0 + amount * slope.clamp(-1.0, 1.0);
    }
    Ok(())
}

/// `leaves count= size= colour= second=`: foliage, clear between the leaves; denser below.
fn leaves(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let count = statement.count("count", 60, 1, 400)?;
    let size = statement.number("size", 0.09)?;
    let colour = statement.colour("colour", Vec3::new(0.2, 0.35, 0.15))?;
    let second = statement.colour("second", Vec3::new(0.1, 0.2, 0.12))?;
    let seed = seed(statement)?;
    canvas.each(|texel, _, _| (texel.alpha, texel.colour) = (0.0, (colour + second) * 0.5));
    for leaf in 0..count as i32 {
        let (x, y) = (0.12 + 0.76 * dice(leaf, 1, seed), 0.08 + 0.9 * scalar::sqrt(dice(leaf, 2, seed)));
        let turn = dice(leaf, 3, seed) * std::f32::consts::TAU;
        let (sin, cos) = scalar::sin_cos(turn);
        let shade = colour.lerp(second, dice(leaf, 4, seed));
        canvas.each(|texel, u, v| {
            let (dx, dy) = (u - x, v - y);
            let (along, aside) = ((dx * cos + dy * sin) / size, (dy * cos - dx * sin) / (size * 0.45));
            if along * along + aside * aside < 1.0 {
                texel.alpha = 1.0;
                texel.colour = shade * (0.8 + 0.3 * aside);
            }
        });
    }
    Ok(())
}

/// `gradient top= bottom= amount=`: from colour to colour, downward.
fn gradient(canvas: &mut Canvas, statement: &Statement) -> Result<()> {
    let (top, bottom) = (statement.colour("top", Vec3::splat(1.0))?, statement.colour("bottom", Vec3::ZERO)?);
    let amount = statement.number("amount", 1.0)?;
    let multiply = statement.flag("multiply", false)?;
    canvas.each(|texel, _, v| {
        let there = top.lerp(bottom, v);
        let wanted = if multiply { texel.colour.scale(there) } else { there };
        texel.colour = texel.colour.lerp(wanted, amount);
    });
    Ok(())
}
