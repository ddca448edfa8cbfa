//! Triangles and halos in a frame with depth.

use crate::level::materials::Blend;
use crate::texture::Picture;
use boardwalk::maths::{Vec3, scalar};

/// Nearest distance that is drawn, metres.
const NEAR: f32 = 0.15;
/// Opacity from which a cut picture hides what is behind it.
const DENSE: f32 = 0.5;

/// A corner in the eye's axes: right, up, ahead.
#[derive(Clone, Copy)]
pub struct Corner {
    /// Metres right, up, ahead.
    pub own: Vec3,
    /// Texture coordinates.
    pub uv: [f32; 2],
    /// Vertex colour.
    pub colour: Vec3,
    /// The share of the colour that the fog leaves.
    pub left: f32,
}

impl Corner {
    fn mix(&self, o: &Self, t: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * t;
        Self {
            own: self.own.lerp(o.own, t),
            uv: [mix(self.uv[0], o.uv[0]), mix(self.uv[1], o.uv[1])],
            colour: self.colour.lerp(o.colour, t),
            left: mix(self.left, o.left),
        }
    }
}

/// How a triangle's points get their colour.
pub struct Shade<'a> {
    /// The texture.
    pub picture: Option<&'a Picture>,
    /// How it goes over what is there.
    pub blend: Blend,
    /// Opacity.
    pub alpha: f32,
    /// The fog's colour.
    pub fog: Vec3,
    /// The back is drawn too.
    pub two_sided: bool,
}

/// The frame.
pub struct Raster {
    width: u32,
    height: u32,
    focal: f32,
    colours: Vec<Vec3>,
    /// One over the distance.
    depths: Vec<f32>,
}

/// A corner in the picture, its values divided by the distance.
#[derive(Clone, Copy)]
struct Spot {
    x: f32,
    y: f32,
    inverse: f32,
    u: f32,
    v: f32,
    colour: Vec3,
    left: f32,
}

impl Raster {
    /// An empty frame.
    pub fn new(width: u32, height: u32, focal: f32) -> Self {
        let count = (width * height) as usize;
        Self { width, height, focal, colours: vec![Vec3::ZERO; count], depths: vec![0.0; count] }
    }

    /// Sets every point by the direction in which it lies: right, up, 1 ahead.
    pub fn fill(&mut self, colour: impl Fn(Vec3) -> Vec3) {
        let (w, h) = (self.width as f32, self.height as f32);
        for (index, point) in self.colours.iter_mut().enumerate() {
            let (x, y) = ((index as u32 % self.width) as f32 + 0.5, (index as u32 / self.width) as f32 + 0.5);
            *point = colour(Vec3::new((x - w / 2.0) / self.focal, (h / 2.0 - y) / self.focal, 1.0));
        }
    }

    fn spot(&self, corner: &Corner) -> Spot {
        let inverse = 1.0 / corner.own.z;
        Spot {
            x: self.width as f32 / 2.0 + corner.own.x * inverse * self.focal,
            y: self.height as f32 / 2.0 - corner.own.y * inverse * self.focal,
            inverse,
            u: corner.uv[0] * inverse,
            v: corner.uv[1] * inverse,
            colour: corner.colour,
            left: corner.left,
        }
    }

    /// Draws a triangle; whether it reached the picture.
    pub fn triangle(&mut self, corners: [Corner; 3], shade: &Shade<'_>) -> bool {
        let mut kept: Vec<Corner> = Vec::with_capacity(4);
        for i in 0..3 {
            let (a, b) = (&corners[i], &corners[(i + 1) % 3]);
            if a.own.z >= NEAR {
                kept.push(*a);
            }
            if (a.own.z >= NEAR) != (b.own.z >= NEAR) {
                kept.push(a.mix(b, (NEAR - a.own.z) / (b.own.z - a.own.z)));
            }
        }
        let spots: Vec<Spot> = kept.iter().map(|corner| self.spot(corner)).collect();
        let mut drawn = false;
        for i in 2..spots.len() {
            drawn |= self.flat([spots[0], spots[i - 1], spots[i]], shade);
        }
        drawn
    }

    fn flat(&mut self, [a, mut b, mut c]: [Spot; 3], shade: &Shade<'_>) -> bool {
        let mut area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        // The picture's y runs down, so fronts turn the other way.
        if area > 0.0 {
            if !shade.two_sided {
                return false;
            }
            (b, c) = (c, b);
            area = -area;
        }
        if area > -1e-6 {
            return false;
        }
        let low = |p: f32, q: f32, r: f32| p.min(q).min(r).max(0.0) as u32;
        let high = |p: f32, q: f32, r: f32, most: u32| p.max(q).max(r).clamp(0.0, most as f32) as u32;
        let (x0, x1) = (low(a.x, b.x, c.x), high(a.x, b.x, c.x, self.width - 1));
        let (y0, y1) = (low(a.y, b.y, c.y), high(a.y, b.y, c.y, self.height - 1));
        let edge = |p: &Spot, q: &Spot, x: f32, y: f32| ((q.x - p.x) * (y - p.y) - (x - p.x) * (q.y - p.y)) / area;
        let mut drawn = false;
        for y in y0..=y1 {
            for x in x0..=x1 {
                let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
                let (wa, wb, wc) = (edge(&b, &c, px, py), edge(&c, &a, px, py), edge(&a, &b, px, py));
                if wa < 0.0 || wb < 0.0 || wc < 0.0 {
                    continue;
                }
                let mix = |p: f32, q: f32, r: f32| p * wa + q * wb + r * wc;
                let inverse = mix(a.inverse, b.inverse, c.inverse);
                let index = (y * self.width + x) as usize;
                if inverse < self.depths[index] {
                    continue;
                }
                let uv = [mix(a.u, b.u, c.u) / inverse, mix(a.v, b.v, c.v) / inverse];
                let colour = a.colour * wa + b.colour * wb + c.colour * wc;
                drawn |= self.point(index, inverse, uv, colour, mix(a.left, b.left, c.left), shade);
            }
        }
        drawn
    }

    fn point(&mut self, index: usize, inverse: f32, uv: [f32; 2], colour: Vec3, left: f32, shade: &Shade<'_>) -> bool {
        let (texel, alpha) = shade.picture.map_or((Vec3::splat(1.0), 1.0), |picture| picture.sample(uv));
        let alpha = alpha * shade.alpha;
        if shade.blend == Blend::Cut && alpha < DENSE {
            return false;
        }
        let lit = texel.scale(colour).min(Vec3::splat(1.0));
        let behind = self.colours[index];
        self.colours[index] = match shade.blend {
            Blend::Opaque | Blend::Cut => {
                self.depths[index] = inverse;
                shade.fog.lerp(lit, left)
            }
            Blend::Over => behind.lerp(shade.fog.lerp(lit, left), alpha),
            Blend::Add => behind + lit * (alpha * left),
        };
        true
    }

    /// A round halo of added light, tested against the depth at its middle.
    pub fn halo(&mut self, own: Vec3, radius: f32, colour: Vec3) {
        if own.z < NEAR {
            return;
        }
        let inverse = 1.0 / own.z;
        let (x, y) = (
            self.width as f32 / 2.0 + own.x * inverse * self.focal,
            self.height as f32 / 2.0 - own.y * inverse * self.focal,
        );
        let reach = (radius * inverse * self.focal).max(1.0);
        let front = 1.0 / (own.z - 0.3).max(NEAR);
        for py in (y - reach).max(0.0) as u32..=(y + reach).clamp(0.0, self.height as f32 - 1.0) as u32 {
            for px in (x - reach).max(0.0) as u32..=(x + reach).clamp(0.0, self.width as f32 - 1.0) as u32 {
                let index = (py * self.width + px) as usize;
                let (dx, dy) = (px as f32 + 0.5 - x, py as f32 + 0.5 - y);
                let share = 1.0 - scalar::sqrt(dx * dx + dy * dy) / reach;
                if share > 0.0 && self.depths[index] <= front {
                    self.colours[index] += colour * (share * share);
                }
            }
        }
    }

    /// The finished picture.
    pub fn into_image(self) -> image::RgbImage {
        let byte = |v: f32| (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        image::RgbImage::from_fn(self.width, self.height, |x, y| {
            let colour = self.colours[(y * self.width + x) as usize];
            image::Rgb([byte(colour.x), byte(colour.y), byte(colour.z)])
        })
    }
}
