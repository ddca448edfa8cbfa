//! Drawing people: meshes by distance, the lamps' light on them, their shadows.

use super::characters::People;
use crate::animation::pose::LocalPose;
use crate::animation::skeleton::{BONES, Skeleton, bone};
use crate::ee::gif::Quad;
use crate::graphics::light::{Directional, Lamp, Lights};
use crate::graphics::mesh::Mesh;
use crate::graphics::render::{Scene, Shadow, bone_poses};
use crate::graphics::texture_cache::TextureCache;
use crate::graphics::texture_file::{self, Format, TextureFile};
use crate::maths::{Pose, Vec3};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Levels of detail of a person.
pub const DETAILS: [&str; 3] = ["near", "middle", "far"];
/// Metres up to which each is drawn. Source: art, People.
const REACHES: [f32; DETAILS.len()] = [5.0, 15.0, 70.0];
/// Beside the players' own, so many are drawn from near at a time: a frame's packet has an end.
const NEAR: usize = 1;
/// Half the length and width of the shadow under somebody, metres, and how dark it is.
const SHADOW: (f32, f32, f32) = (0.62, 0.42, 0.62);
/// Metres over the ground at which a shadow has gone.
const SHADOW_GONE: f32 = 4.0;
/// The shadow's picture, and log2 of its sides.
const SHADOW_TEXTURE: u32 = texture_file::name("people/shadow");
const SHADOW_SIDE: u8 = 5;
/// Lamps of a level that shine on people at most.
const LAMPS: usize = 160;

/// What people look like, and the light that they stand in.
#[derive(Debug)]
pub struct Models {
    /// Meshes of each look, nearest first.
    looks: Vec<[Box<[Quad]>; DETAILS.len()]>,
    /// How the meshes were built.
    built: [Pose; BONES],
    lamps: Vec<Lamp>,
    shadow: Vec<Quad>,
    ambient: Vec3,
    moon: Directional,
}

impl Models {
    /// People of these looks. Memory is taken here only.
    pub fn new(looks: Vec<[Box<[Quad]>; DETAILS.len()]>) -> Self {
        let skeleton = Skeleton::new();
        let mut built = [Pose::IDENTITY; BONES];
        skeleton.place(&LocalPose::reference(&skeleton), &Pose::IDENTITY, 1.0, &mut built);
        let moon = Directional { towards: Vec3::Z, colour: Vec3::ZERO };
        Self { looks, built, lamps: Vec::with_capacity(LAMPS), shadow: shadow(), ambient: Vec3::splat(0.3), moon }
    }

    /// Looks that there are.
    pub fn look_count(&self) -> usize {
        self.looks.len()
    }

    /// From now on people stand in a level's light.
    pub fn take_light(&mut self, level: &crate::world::Level) {
        self.lamps.clear();
        self.lamps.extend(level.lamps().map(|lamp| lamp.to_light()).take(LAMPS));
        self.ambient = level.header.ambient;
        self.moon = Directional { towards: level.header.moon_towards, colour: level.header.moon };
    }

    /// Makes the shadow's picture known to a renderer that may have forgotten it.
    pub fn add_textures(&self, cache: &mut TextureCache) {
        if let Ok(file) = TextureFile::read(&self.shadow) {
            // A level that leaves no room has people without shadows.
            let _room = cache.add(&file);
        }
    }

    /// The mesh of a look in a detail.
    fn mesh(&self, look: u8, detail: usize) -> Option<Mesh<'_>> {
        let look = self.looks.get(usize::from(look) % self.looks.len().max(1))?;
        Mesh::read(&look[detail]).ok()
    }

    /// The way from the lamp that shines brightest on a place, along the ground.
    fn away_from_light(&self, place: Vec3) -> Vec3 {
        let brightness = |lamp: &Lamp| {
            let strength = lamp.colour.x + lamp.colour.y + lamp.colour.z;
            strength / (1.0 + (lamp.position - place).length_squared() / (lamp.reach * lamp.reach))
        };
        let brightest = self.lamps.iter().max_by(|a, b| brightness(a).total_cmp(&brightness(b)));
        let away = brightest.map_or(Vec3::Y, |lamp| (place - lamp.position).horizontal());
        away.try_normalize().unwrap_or(Vec3::Y)
    }
}

/// A soft dark spot: white, with the shadow's depth in its alpha.
fn shadow() -> Vec<Quad> {
    const SIDE: u32 = 1 << SHADOW_SIDE;
    let middle = (SIDE - 1) as f32 * 0.5;
    let depth = |n: u32| {
        let (dx, dy) = ((n % SIDE) as f32 - middle, (n / SIDE) as f32 - middle);
        let left = (1.0 - (dx * dx + dy * dy) / (middle * middle)).max(0.0);
        (crate::maths::scalar::sqrt(left) * left * 255.0) as u32
    };
    let texels: Vec<u32> = (0..SIDE * SIDE).map(depth).collect();
    let palette: Vec<u32> = (0..=255).map(|n: u32| n.div_ceil(2) << 24 | 0xff_ffff).collect();
    texture_file::write(SHADOW_TEXTURE, Format::Index8, (SHADOW_SIDE, SHADOW_SIDE), &texels, &palette)
        .unwrap_or_default()
}

/// Draws everybody whom the scene's camera may see.
pub fn draw(people: &People, scene: &mut Scene<'_, '_, '_>) {
    let models = &people.models;
    let lights = Lights { ambient: models.ambient, directional: models.moon, lamps: &models.lamps };
    let (eye, ahead) = (scene.camera().eye, scene.camera().ahead);
    let mut near = NEAR;
    for (_, human) in people.humans.present() {
        let off = human.position - eye;
        // Somebody behind the eye is not worth thirty-four poses.
        if off.dot(ahead) < -1.0 {
            continue;
        }
        // Nobody can be made out from further away than the last.
        let distance = off.length();
        let Some(mut detail) = REACHES.iter().position(|reach| distance < *reach) else { continue };
        if detail == 0 && human.spawn.player.is_none() {
            (near, detail) = if near > 0 { (near - 1, 0) } else { (0, 1) };
        }
        let Some(mesh) = models.mesh(human.spawn.look, detail) else { continue };
        scene.draw_skinned(&mesh, &bone_poses(&human.bones, &models.built), &lights);
        let hips = human.bones[bone::PELVIS].position;
        let height = (human.position.z - human.ground_height).max(0.0);
        let ground = Vec3::new(hips.x, hips.y, human.ground_height);
        let along = models.away_from_light(human.position);
        scene.shadow(&Shadow {
            texture: SHADOW_TEXTURE,
            centre: ground + along * (SHADOW.0 * 0.35),
            normal: human.ground_normal,
            half: (SHADOW.0, SHADOW.1),
            along,
            strength: SHADOW.2 * (1.0 - height / SHADOW_GONE).max(0.0),
        });
    }
}
