//! A picture of a baked level, painted as the console would paint it: for whoever designs it.
//!
//! The sky first, then what hides, then what veils and adds, then the halos. Not a test's measure: that is what the
//! console itself shows.

mod backdrop;
mod raster;

use super::bake::BakedPatch;
use super::container::{DETAIL, FAR, MIDDLE};
use super::materials::{Blend, Material};
use super::scene::{Scene, Thing};
use crate::texture::Picture;
use boardwalk::maths::{Vec3, scalar};
use raster::{Corner, Raster, Shade};
use std::collections::BTreeMap;

/// Pixels of the picture.
pub const SIZE: (u32, u32) = (640, 448);
/// Pixels that a metre fills at one metre.
const FOCAL: f32 = 470.0;

/// An eye.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    position: Vec3,
    right: Vec3,
    ahead: Vec3,
    up: Vec3,
}

impl Eye {
    /// The eye of a level's view.
    pub fn of(view: &Thing) -> Self {
        let (sin, cos) = scalar::sin_cos(view.heading);
        let level = Vec3::new(sin, cos, 0.0);
        let (dip, flat) = scalar::sin_cos(view.half.x);
        let ahead = level * flat - Vec3::Z * dip;
        let right = Vec3::new(cos, -sin, 0.0);
        Self { position: view.position, right, ahead, up: right.cross(ahead) }
    }

    /// A point's place right, up and ahead of the eye.
    fn own(&self, point: Vec3) -> Vec3 {
        let to = point - self.position;
        Vec3::new(to.dot(self.right), to.dot(self.up), to.dot(self.ahead))
    }
}

/// What was drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Triangles that face the eye and reach the picture.
    pub drawn: u32,
    /// Triangles that were looked at.
    pub seen: u32,
}

/// Paints a view.
pub fn paint(
    scene: &Scene,
    patches: &[BakedPatch],
    pictures: &BTreeMap<String, Picture>,
    eye: &Eye,
) -> (image::RgbImage, Counts) {
    let mut raster = Raster::new(SIZE.0, SIZE.1, FOCAL);
    backdrop::paint(&mut raster, scene, eye);
    let mut counts = Counts::default();
    for pass in [Blend::Opaque, Blend::Cut, Blend::Over, Blend::Add] {
        for patch in patches {
            let material = scene.materials.get(patch.material);
            if material.blend == pass {
                let picture = material.texture.as_ref().and_then(|name| pictures.get(name));
                paint_patch(&mut raster, scene, patch, material, picture, eye, &mut counts);
            }
        }
    }
    for glow in &scene.glows {
        let own = eye.own(glow.position);
        // Halos are seen through haze better than what does not shine.
        let left = if glow.backdrop { 1.0 } else { 1.0 - 0.55 * (1.0 - haze_left(scene, own.z)) };
        raster.halo(own, glow.radius, glow.colour * left);
    }
    (raster.into_image(), counts)
}

/// The share of a colour that is left behind metres of haze.
fn haze_left(scene: &Scene, distance: f32) -> f32 {
    let air = &scene.air;
    1.0 - air.most * ((distance - air.start) / (air.end - air.start)).clamp(0.0, 1.0)
}

fn paint_patch(
    raster: &mut Raster,
    scene: &Scene,
    patch: &BakedPatch,
    material: &Material,
    picture: Option<&Picture>,
    eye: &Eye,
    counts: &mut Counts,
) {
    let own: Vec<Vec3> = patch.vertices.iter().map(|vertex| eye.own(vertex.position)).collect();
    let nearest = own.iter().map(|point| point.length()).fold(f32::MAX, f32::min);
    if (patch.near && nearest > DETAIL)
        || (patch.middle && nearest > MIDDLE)
        || (!patch.backdrop && patch.water.is_none() && nearest > FAR)
    {
        return;
    }
    let corner = |index: usize| {
        let vertex = &patch.vertices[index];
        let left = if patch.backdrop { 1.0 } else { haze_left(scene, own[index].z) };
        Corner { own: own[index], uv: vertex.uv, colour: vertex.colour, left }
    };
    let shade = Shade {
        picture,
        blend: material.blend,
        alpha: material.alpha,
        fog: scene.air.fog,
        two_sided: material.two_sided,
    };
    for triangle in patch.triangles() {
        counts.seen += 1;
        if raster.triangle(triangle.map(corner), &shade) {
            counts.drawn += 1;
        }
    }
}
