//! All textures on one picture, each twice side by side so that its joins show: for whoever designs them.

use super::{FOLDER, Picture, names, read};
use crate::level::loader;
use anyhow::Result;
use std::path::Path;

/// Pixels of a texture's place on the sheet.
const PLACE: u32 = 264;
/// Textures in a row.
const COLUMNS: u32 = 5;

/// Paints one texture below `iso`, or all of them.
///
/// # Errors
/// A recipe that cannot be made.
pub fn paint(iso: &Path, only: Option<&str>) -> Result<image::RgbImage> {
    let names = match only {
        Some(name) => vec![name.to_owned()],
        None => names(&iso.join(FOLDER))?,
    };
    let columns = COLUMNS.min(names.len().max(1) as u32);
    let rows = (names.len() as u32).div_ceil(columns).max(1);
    let mut sheet = image::RgbImage::from_pixel(columns * PLACE, rows * PLACE, image::Rgb([40, 40, 52]));
    for (index, name) in names.iter().enumerate() {
        let picture = read(name, &loader(iso))?;
        let corner = (index as u32 % columns * PLACE + 4, index as u32 / columns * PLACE + 4);
        place(&mut sheet, &picture, corner);
    }
    Ok(sheet)
}

fn place(sheet: &mut image::RgbImage, picture: &Picture, corner: (u32, u32)) {
    let side = PLACE - 8;
    let zoom = side as f32 / (2 * picture.width.max(picture.height)) as f32;
    let image = picture.image();
    for y in 0..side {
        for x in 0..side {
            let (u, v) = ((x as f32 / zoom) as u32, (y as f32 / zoom) as u32);
            if u >= 2 * picture.width || v >= 2 * picture.height {
                continue;
            }
            let [r, g, b, a] = image.get_pixel(u % picture.width, v % picture.height).0;
            let under = sheet.get_pixel(corner.0 + x, corner.1 + y).0;
            let mix = |over: u8, under: u8| {
                ((u32::from(over) * u32::from(a) + u32::from(under) * (255 - u32::from(a))) / 255) as u8
            };
            let mixed = [mix(r, under[0]), mix(g, under[1]), mix(b, under[2])];
            sheet.put_pixel(corner.0 + x, corner.1 + y, image::Rgb(mixed));
        }
    }
}
