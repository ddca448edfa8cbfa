//! How far pictures swim on the floors that they lie on: what the model draws at a pixel against what lies there in the world.
//!
//! A floor has a picture whose shade says which of its columns it is. Each pixel's shade tells what the hardware found there, and
//! the eye's geometry what should be found. The difference is the hardware's own: corners at sixteenths of a pixel, coordinates
//! with a float's bits. What it does from step to step as the eye moves is what a person would see swim.

use super::scenes::Console;
use anyhow::{Result, anyhow, ensure};
use boardwalk::ee::gs::memory::TEXTURES;
use boardwalk::graphics::camera::Camera;
use boardwalk::graphics::mesh::{Builder, Corner, Flags, Material, Mesh};
use boardwalk::graphics::render::{Haze, Renderer, Sky, View};
use boardwalk::graphics::texture_file::{Format, TextureFile, name, write};
use boardwalk::maths::Vec3;
use image::RgbImage;

/// Columns of the picture, and by how much the next one is brighter.
const COLUMNS: f32 = 64.0;
const STEP: f32 = 4.0;
/// Metres that a picture spans, as on the boardwalk's boards, and of a part of the floor that is lit for itself.
const SPAN: f32 = 2.0;
/// Metres from the floor's middle to its sides, and to its far end.
const FLOOR: (i16, i16) = (8, 24);
/// Metres from the eye between which the floor is looked at.
const LOOKED_AT: std::ops::Range<f32> = 3.0..16.0;
/// Columns beside the picture's edges in which both edges are mixed.
const EDGE: f32 = 2.0;
/// Pixels that a metre fills at one metre.
const FOCAL: f32 = 470.0;

/// What was found, in columns of the picture: 32 of them are a metre.
#[derive(Clone, Copy, Debug, Default)]
pub struct Swimming {
    /// How far a pixel's column is from where it should be, at most.
    pub most_off: f32,
    /// How much that changes from one step to the next at the same place of the picture, in the mean.
    pub mean_change: f32,
    /// Pixels that were looked at.
    pub pixels: usize,
}

/// Walks `steps` steps of `metres` over the floor.
///
/// # Errors
/// Something found no room, or nothing was seen.
pub fn measure(steps: u32, metres: f32) -> Result<Swimming> {
    let texture = name("swimming/columns");
    let texels: Vec<u32> = (0..64 * 64).map(|texel| texel % 64).collect();
    let shade = |column: u32| (column as f32 * STEP) as u8;
    let palette: Vec<u32> = (0..256_u32)
        .map(|entry| shade(entry % 64))
        .map(|shade| u32::from_le_bytes([shade, shade, shade, 0x80]))
        .collect();
    let picture = write(texture, Format::Index8, (6, 6), &texels, &palette).map_err(|error| anyhow!("{error:?}"))?;
    let floor = floor(texture)?;
    let (mut found, mut before, mut changes) = (Swimming::default(), Vec::new(), (0.0_f64, 0_usize));
    for step in 0..steps {
        let eye = Vec3::new(0.13, metres * step as f32, 1.7);
        let camera = Camera::towards(eye, eye + Vec3::new(0.4, 4.0, -1.0), FOCAL);
        let offs = offs(&seen(&camera, &picture, &floor)?, &camera);
        found.pixels += offs.iter().flatten().count();
        found.most_off = offs.iter().flatten().fold(found.most_off, |most, off| most.max(off.abs()));
        for (now, then) in offs.iter().zip(&before) {
            if let (Some(now), Some(then)) = (now, then) {
                changes = (changes.0 + f64::from(now - then).abs(), changes.1 + 1);
            }
        }
        before = offs;
    }
    ensure!(changes.1 > 1000, "hardly a pixel shows the floor");
    found.mean_change = (changes.0 / changes.1 as f64) as f32;
    Ok(found)
}

fn floor(texture: u32) -> Result<Vec<boardwalk::ee::gif::Quad>> {
    let mut builder = Builder::new();
    let part = SPAN as i16;
    for x in (-FLOOR.0..FLOOR.0).step_by(part as usize) {
        for y in (0..FLOOR.1).step_by(part as usize) {
            let corner = |dx: i16, dy: i16| Corner {
                position: Vec3::new(f32::from(x + dx), f32::from(y + dy), 0.0),
                texture: [f32::from(dx) / SPAN, f32::from(dy) / SPAN],
                ..Corner::default()
            };
            let ring = [corner(0, 0), corner(part, 0), corner(part, part), corner(0, part)];
            builder.quad(Material { texture, flags: Flags::NONE }, ring);
        }
    }
    builder.build().map_err(|error| anyhow!("{error:?}"))
}

fn seen(camera: &Camera, picture: &[boardwalk::ee::gif::Quad], floor: &[boardwalk::ee::gif::Quad]) -> Result<RgbImage> {
    let file = TextureFile::read(picture).map_err(|error| anyhow!("{error:?}"))?;
    let mesh = Mesh::read(floor).map_err(|error| anyhow!("{error:?}"))?;
    let mut renderer = Renderer::new(TEXTURES);
    renderer.textures.add(&file).map_err(|_| anyhow!("too many textures"))?;
    let mut console = Console::default();
    console.add_quads(picture);
    let (haze, dark) = (Haze { colour: Vec3::ZERO, start: 100.0, end: 200.0, most: 0.0 }, Vec3::ZERO);
    let sky = Sky { zenith: dark, horizon: dark, ground: dark };
    let mut lost = 0;
    console.frame(|packet, page| {
        let mut scene = renderer.begin(packet, page, &View { camera: *camera, far: 100.0, haze, sky });
        scene.draw_static(&mesh);
        lost += scene.end().lost;
    });
    ensure!(lost == 0, "{lost} triangles found no room");
    Ok(console.show().picture)
}

/// How far each pixel's column is from where it should be; nothing where the floor is not looked at.
fn offs(picture: &RgbImage, camera: &Camera) -> Vec<Option<f32>> {
    let off = |(x, y, pixel): (u32, u32, &image::Rgb<u8>)| {
        let across = (x as f32 - picture.width() as f32 * 0.5) / camera.focal;
        let upwards = (camera.horizon - y as f32) / camera.focal;
        let way = camera.ahead + camera.right * across + camera.up * upwards;
        let distance = -camera.eye.z / way.z;
        let place = camera.eye + way * distance;
        if !LOOKED_AT.contains(&distance) || place.x.abs() > f32::from(FLOOR.0 - 1) {
            return None;
        }
        let column = (place.x / SPAN).rem_euclid(1.0) * COLUMNS;
        let inside = EDGE..COLUMNS - EDGE;
        // A column's own shade is in its middle.
        inside.contains(&column).then(|| f32::from(pixel.0[0]) / STEP + 0.5 - column)
    };
    picture.enumerate_pixels().map(off).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_s_picture_lies_still_under_an_eye_that_moves() {
        let found = measure(6, 0.011).unwrap();
        println!("{found:?}");
        assert!(found.pixels > 100_000, "{found:?}");
        assert!(found.most_off < 1.0 && found.mean_change < 0.2, "{found:?}");
    }
}
