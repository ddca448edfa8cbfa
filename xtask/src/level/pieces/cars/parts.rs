//! What comes off a car: a model for each part, and what the engine needs to know of it.

use crate::level::catalogue::models;
use crate::level::scene::Patch;
use crate::level::sketch::Sketch;
use anyhow::{Result, ensure};
use boardwalk::maths::Vec3;
use boardwalk::physics::create::CarBox;
use boardwalk::tasks::cars::{MODELS, PartType};
use boardwalk::tasks::names::name_hash;
use boardwalk::world::props::{CAR_BOXES, CarPiece};

/// Numbers of the parts, as the engine's masks have them. Rows of left and right, front before rear.
pub const HOOD: u8 = 0;
pub const TRUNK: u8 = 1;
pub const DOORS: u8 = 2;
pub const BUMPERS: u8 = 6;
pub const WINGS: u8 = 8;
pub const COVERS: u8 = 12;
pub const SCREENS: u8 = 16;
pub const WINDOWS: u8 = 18;
pub const LAMPS: u8 = 22;

/// What a part stands, how it bounces, whether it hangs on a hinge, and what it sounds like.
fn nature(part: u8) -> (i32, f32, bool, &'static str) {
    match part {
        HOOD | TRUNK => (60, 0.25, true, "metal_hit"),
        DOORS..BUMPERS => (80, 0.2, true, "metal_hit"),
        BUMPERS..WINGS => (50, 0.35, false, "metal_hit"),
        WINGS..COVERS => (70, 0.25, false, "metal_hit"),
        COVERS..SCREENS => (25, 0.5, false, "metal_hit"),
        SCREENS..WINDOWS => (18, 0.1, false, "glass"),
        WINDOWS..LAMPS => (10, 0.1, false, "glass"),
        _ => (8, 0.1, false, "glass"),
    }
}

/// The part that goes with another: a door's window.
fn linked(part: u8) -> Option<u8> {
    (DOORS..BUMPERS).contains(&part).then(|| part - DOORS + WINDOWS)
}

/// Keeps a car's models, and its pieces when it is the first of its model.
pub fn keep(sketch: &mut Sketch<'_>, model: &str, boxes: [CarBox; 2], patches: &[Patch]) -> Result<()> {
    let number = MODELS.iter().position(|known| *known == model);
    ensure!(number.is_some(), "{}: the engine knows no car {model}", sketch.place);
    let model = number.unwrap_or_default() as u8;
    let car = sketch.scene.things_of(crate::level::scene::ThingKind::Car).count();
    let whole: Vec<Patch> = patches.iter().filter(|patch| patch.part.is_none()).cloned().collect();
    let body = models::of(&format!("car:{car}"), &whole, &sketch.scene.materials)?;
    sketch.scene.models.push(body);
    let is_first = sketch.scene.car_pieces.iter().all(|piece| piece.model != model);
    let mut pieces = Vec::new();
    for (at, own) in boxes.into_iter().enumerate() {
        let kind = PartType { half: own.half, offset: own.offset, ..PartType::default() };
        pieces.push(CarPiece { model, part: CAR_BOXES + at as u8, kind });
    }
    for part in 0..boardwalk::tasks::cars::parts::PARTS as u8 {
        let mut own: Vec<Patch> = patches.iter().filter(|patch| patch.part == Some(part)).cloned().collect();
        if own.is_empty() {
            continue;
        }
        let (offset, half) = models::extent(own.iter());
        own.iter_mut().flat_map(|patch| &mut patch.corners).for_each(|corner| *corner -= offset);
        sketch.scene.models.push(models::of(&format!("car:{car}.{part}"), &own, &sketch.scene.materials)?);
        let (strength, restitution, hinged, sound) = nature(part);
        let half = half.max(Vec3::splat(0.02));
        let sound = name_hash(sound);
        let kind = PartType { half, offset, restitution, strength, linked: linked(part), hinged, sound };
        pieces.push(CarPiece { model, part, kind });
    }
    if is_first {
        sketch.scene.car_pieces.extend(pieces);
    }
    Ok(())
}
