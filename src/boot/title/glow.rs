//! Soft round light: the sprite behind lamps, stars and reflections.

use crate::graphics::camera::Projected;
use crate::graphics::canvas::{Canvas, Rect};
use crate::graphics::colour;
use crate::graphics::texture::{Image, Palette};
use crate::maths::{Vec3, scalar};

const SIDE: u32 = 64;
const TEXELS: Rect = Rect::new(1.0, 1.0, SIDE as f32 - 1.0, SIDE as f32 - 1.0);

/// The distance from the middle, 255 there and 0 at the edge.
pub(super) fn image() -> Image {
    let middle = SIDE as f32 * 0.5;
    Image::from_fn(SIDE, SIDE, |x, y| {
        let (dx, dy) = (x as f32 + 0.5 - middle, y as f32 + 0.5 - middle);
        let distance = scalar::sqrt(dx * dx + dy * dy) / (middle - 2.0);
        (255.0 * (1.0 - distance).max(0.0)) as u8
    })
}

/// White light that falls off steeply, as light in damp air does.
pub(super) fn palette() -> Palette {
    Palette::from_fn(|value| (Vec3::splat(1.0), value * value * (0.35 + 0.65 * value)))
}

/// A round light of `radius` pixels around a point; the texture and adding are set.
pub(super) fn draw(canvas: &mut Canvas, at: &Projected, radius: f32, light: Vec3, strength: f32) {
    draw_oval(canvas, at, radius, radius, light, strength);
}

/// An oval light.
pub(super) fn draw_oval(canvas: &mut Canvas, at: &Projected, width: f32, height: f32, light: Vec3, strength: f32) {
    if at.is_drawable() {
        let place = Rect::around(at.x, at.y, width, height);
        canvas.sprite(place, TEXELS, colour::tint(light * 1.6, strength), at.depth);
    }
}
