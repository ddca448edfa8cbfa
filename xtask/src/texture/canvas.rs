//! A picture in the making: colour, opacity and height of every texel; its edges join.

use boardwalk::graphics::wave::noise;
use boardwalk::maths::{Vec3, scalar};

/// A texel in the making.
#[derive(Clone, Copy, Debug)]
pub struct Texel {
    /// Its colour; 1.0 is full.
    pub colour: Vec3,
    /// Its opacity.
    pub alpha: f32,
    /// How far it stands out, for the relief's light.
    pub height: f32,
}

/// The picture in the making.
#[derive(Clone, Debug)]
pub struct Canvas {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Row by row.
    pub texels: Vec<Texel>,
}

impl Canvas {
    /// A grey one.
    pub fn new(width: u32, height: u32) -> Self {
        let grey = Texel { colour: Vec3::splat(0.5), alpha: 1.0, height: 0.0 };
        Self { width, height, texels: vec![grey; (width * height) as usize] }
    }

    /// Changes every texel; `u` and `v` run from 0 to 1, at the texels' middles.
    pub fn each(&mut self, mut change: impl FnMut(&mut Texel, f32, f32)) {
        let (w, h) = (self.width as f32, self.height as f32);
        for (index, texel) in self.texels.iter_mut().enumerate() {
            let (x, y) = (index as u32 % self.width, index as u32 / self.width);
            change(texel, (x as f32 + 0.5) / w, (y as f32 + 0.5) / h);
        }
    }

    /// A texel's height; coordinates repeat.
    pub fn height_at(&self, x: i32, y: i32) -> f32 {
        let (x, y) = (x.rem_euclid(self.width as i32) as u32, y.rem_euclid(self.height as i32) as u32);
        self.texels[(y * self.width + x) as usize].height
    }
}

/// A number of `[0, 1)` for a place on a grid.
pub fn dice(x: i32, y: i32, seed: u32) -> f32 {
    noise((x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca6b) ^ seed.wrapping_mul(0xc2b2_ae35))
}

/// Smooth noise of `[-1, 1]` that repeats after 1, with `scale` cells along each side; each octave halves them.
pub fn smooth(u: f32, v: f32, scale: [u32; 2], octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut weight, mut total) = (0.0, 1.0, 0.0);
    for octave in 0..octaves {
        let cells = scale.map(|cells| (cells << octave).max(1));
        sum += weight * lattice(u, v, cells, seed + octave * 101);
        total += weight;
        weight *= 0.55;
    }
    sum / total
}

fn lattice(u: f32, v: f32, cells: [u32; 2], seed: u32) -> f32 {
    let (x, y) = (u * cells[0] as f32, v * cells[1] as f32);
    let (left, top) = (scalar::floor(x), scalar::floor(y));
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (s, t) = (ease(x - left), ease(y - top));
    let at = |dx: i32, dy: i32| {
        dice((left as i32 + dx).rem_euclid(cells[0] as i32), (top as i32 + dy).rem_euclid(cells[1] as i32), seed)
    };
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    mix(mix(at(0, 0), at(1, 0), s), mix(at(0, 1), at(1, 1), s), t) * 2.0 - 1.0
}

/// 0 below `low`, 1 above `high`, a smooth rise between.
pub fn rise(low: f32, high: f32, value: f32) -> f32 {
    let t = ((value - low) / (high - low).max(1e-6)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
