//! A level's picture: cells by distance, water that moves, halos that glimmer.

use super::chunks::{Glimmer, Glow, ThingKind, cell};
use super::level::Level;
use super::parts::PartBytes;
use crate::graphics::camera::Camera;
use crate::graphics::mesh::{Flags, Mesh};
use crate::graphics::render::{Haze, Look, Scene, Sky, Sprite, View, cover_at};
use crate::graphics::texture_cache::{TextureCache, TooManyTextures};
use crate::graphics::wave::{noise, sine};
use crate::maths::{Vec3, scalar};
use crate::tasks::names::name_hash;

/// The halos' texture: a soft white spot.
pub const GLOW_TEXTURE: u32 = name_hash("glow");
/// Metres beyond which the backdrop's scenery ends.
const BACKDROP_FAR: f32 = 700.0;
/// How far a halo is drawn before its lamp, metres, so that the lamp's own glass does not cut it.
const BEFORE: f32 = 0.35;
/// Halos smaller than this many pixels from middle to rim are left out, and those of the backdrop.
const SMALLEST: f32 = 1.8;
const SMALLEST_FAR: f32 = 0.8;
/// How fast a halo that is growing appears: whole once it is a third larger than the smallest.
const APPEARS: f32 = 3.0;
/// Share of the haze that a halo is seen through: light carries further than what it shines on.
const PIERCING: f32 = 0.55;
/// Metres within which things are seen mirrored in wet ground.
const MIRRORED: f32 = 10.0;
/// Lights smaller than this many pixels from middle to rim are not.
const MIRRORED_HALO: f32 = 6.0;
/// How much wet ground hides of what it mirrors.
const WET_COVER: f32 = 0.7;
/// Width and height of a mirrored light, of its own.
const STREAK: (f32, f32) = (0.7, 2.4);
/// What water's texture coordinates move by, in pictures a second, for its two layers.
const DRIFT: [(f32, f32); 2] = [(0.011, 0.006), (-0.017, 0.023)];
/// Picture turns in a second at which light runs along a chain, and of the chain that a bulb is apart.
const CHASE: (f32, f32) = (0.7, 0.125);

impl Level {
    /// Makes the level's textures known to the renderer. They lie in the level's memory: see [`TextureCache::add`].
    ///
    /// # Errors
    /// [`TooManyTextures`].
    pub fn add_textures(&self, cache: &mut TextureCache) -> Result<(), TooManyTextures> {
        self.textures().try_for_each(|texture| cache.add(&texture))
    }

    /// What a camera sees the level through.
    pub fn view(&self, camera: Camera) -> View {
        let header = &self.header;
        View {
            camera,
            far: BACKDROP_FAR,
            haze: Haze { colour: header.haze, start: header.haze_start, end: header.haze_end, most: header.haze_most },
            sky: Sky { zenith: header.zenith, horizon: header.haze, ground: header.haze * 0.7 },
        }
    }

    /// The camera of a named view, with `focal` pixels that a metre fills at one metre.
    pub fn camera_of(&self, view: u32, focal: f32) -> Option<Camera> {
        let thing = self.thing(ThingKind::View, view)?;
        let (dip, flat) = scalar::sin_cos(thing.half.x);
        let ahead = crate::maths::from_heading(thing.heading) * flat - Vec3::Z * dip;
        Some(Camera::towards(thing.position, thing.position + ahead, focal))
    }

    /// Draws the level as it is `seconds` after its start, with those of its parts whose bytes are there. What is just coming into reach is left to
    /// [`draw_appearing`](Self::draw_appearing).
    pub fn draw<'f>(&'f self, parts: &'f PartBytes<'f>, scene: &mut Scene<'_, '_, 'f>, seconds: f32) {
        self.draw_wet(parts, scene, seconds);
        for (id, mesh) in self.cells(parts) {
            if id & cell::WET != 0 || self.cover(id, &mesh, scene.camera().eye) < 1.0 {
                continue;
            }
            let (u, v) = if id & cell::WATER == 0 { (0.0, 0.0) } else { DRIFT[(id & 1) as usize] };
            let scroll = (turned(u * seconds), turned(v * seconds));
            scene.draw_static_with(&mesh, &Look { scroll, ..Look::default() });
        }
        for (number, glow) in self.glows().enumerate() {
            if let Some(sprite) = self.halo(&glow, number as u32, scene.camera(), seconds) {
                scene.sprite(&sprite);
            }
        }
    }

    /// Draws what is just coming into reach, large things first. Comes after everything solid, which shows through it.
    pub fn draw_appearing<'f>(&'f self, parts: &'f PartBytes<'f>, scene: &mut Scene<'_, '_, 'f>) {
        for kind in [0, cell::MIDDLE, cell::DETAIL] {
            for (id, mesh) in self.cells(parts).filter(|(id, _)| id & !cell::NUMBER == kind) {
                let cover = self.cover(id, &mesh, scene.camera().eye);
                if (f32::MIN_POSITIVE..1.0).contains(&cover) {
                    scene.draw_static_with(&mesh, &Look { cover, ..Look::default() });
                }
            }
        }
    }

    /// Draws the lights and things that wet ground mirrors, and over them the wet ground itself. Comes first: whatever hides
    /// the mirrored things is drawn over them later, and the ground lets through only its own share of them.
    fn draw_wet<'f>(&'f self, parts: &'f PartBytes<'f>, scene: &mut Scene<'_, '_, 'f>, seconds: f32) {
        let eye = scene.camera().eye;
        let wet = || self.cells(parts).filter(|(id, _)| id & !cell::NUMBER == cell::WET);
        // Our choice: one plane, that of the wet ground that is nearest. Levels have their wet ground at one height.
        let distance = |mesh: &Mesh<'_>| (mesh.sphere().centre - eye).length();
        let seen = wet().filter(|(_, mesh)| scene.sees(&mesh.sphere()));
        let nearest = seen.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        let Some(plane) = nearest.map(|(_, mesh)| mesh.sphere().centre.z).filter(|plane| *plane < eye.z) else {
            return;
        };
        for (_, mesh) in self.cells(parts).filter(|(id, _)| id & !cell::NUMBER == cell::MIDDLE) {
            let cover = cover_at(distance(&mesh) - mesh.sphere().radius, MIRRORED);
            if cover > 0.0 {
                scene.draw_mirrored(&mesh, plane, cover);
            }
        }
        let least = scene.camera().focal / MIRRORED_HALO;
        for (number, glow) in self.glows().enumerate().filter(|(_, glow)| !glow.backdrop) {
            let seen = cover_at((glow.position - eye).length(), glow.radius * least);
            if seen == 0.0 {
                continue;
            }
            let position = glow.position + Vec3::Z * (2.0 * (plane - glow.position.z));
            let mirrored = Glow { position, colour: glow.colour * seen, ..glow };
            if let Some(halo) = self.halo(&mirrored, number as u32, scene.camera(), seconds) {
                let (across, up) = halo.half;
                // Ripples draw a light out to a streak.
                scene.sprite(&Sprite { half: (across * STREAK.0, up * STREAK.1), ..halo });
            }
        }
        scene.draw_sprites_behind();
        for (id, mesh) in wet() {
            let cover = WET_COVER * self.cover(id, &mesh, eye);
            scene.draw_static_with(&mesh, &Look { cover, ..Look::default() });
        }
    }

    /// How much of a cell's mesh is seen from `eye`, 0 to 1.
    fn cover(&self, id: u32, mesh: &Mesh<'_>, eye: Vec3) -> f32 {
        let reach = match id & !cell::NUMBER {
            cell::DETAIL => self.header.detail,
            cell::MIDDLE => self.header.middle,
            0 | cell::WET => self.header.far,
            // The sea, and what stands behind everything.
            _ => return 1.0,
        };
        let ball = mesh.sphere();
        cover_at((ball.centre - eye).length() - ball.radius, reach)
    }

    /// A halo's sprite, unless it is too small to be seen.
    fn halo(&self, glow: &Glow, number: u32, camera: &Camera, seconds: f32) -> Option<Sprite> {
        let to_eye = camera.eye - glow.position;
        let distance = to_eye.length();
        let smallest = if glow.backdrop { SMALLEST_FAR } else { SMALLEST };
        let size = glow.radius * camera.focal / distance.max(BEFORE);
        if size < smallest || (!glow.backdrop && distance > self.header.far) {
            return None;
        }
        // The smallest begin in the dark, so that none jumps into view.
        let appears = ((size / smallest - 1.0) * APPEARS).min(1.0);
        let header = &self.header;
        let thick = (distance - header.haze_start) / (header.haze_end - header.haze_start).max(1.0);
        let left = if glow.backdrop { 1.0 } else { 1.0 - header.haze_most * PIERCING * thick.clamp(0.0, 1.0) };
        let reached = if glow.backdrop { 1.0 } else { cover_at(distance, header.far) };
        let colour = glow.colour * (left * appears * reached * strength(glow.glimmer, number, seconds));
        let byte = |channel: f32| (channel * 128.0).clamp(0.0, 255.0) as u8;
        Some(Sprite {
            texture: GLOW_TEXTURE,
            centre: glow.position + to_eye * (BEFORE / distance.max(BEFORE)),
            half: (glow.radius, glow.radius),
            colour: [byte(colour.x), byte(colour.y), byte(colour.z), 0x80],
            flags: Flags::ADD.with(Flags::NO_FOG),
            ..Sprite::default()
        })
    }
}

/// The part of a number of turns that counts.
fn turned(turns: f32) -> f32 {
    turns - scalar::floor(turns)
}

/// How bright a halo is, of 1.
fn strength(glimmer: Glimmer, number: u32, seconds: f32) -> f32 {
    match glimmer {
        Glimmer::Steady => 1.0,
        Glimmer::Chase => 0.72 + 0.28 * sine(turned(seconds * CHASE.0 - number as f32 * CHASE.1)),
        Glimmer::Flicker => {
            let breath = 0.92 + 0.08 * sine(turned(seconds * 3.1 + noise(number)));
            // A tenth of a second in which it fails, now and then.
            let moment = (seconds * 10.0) as u32;
            if noise(moment.wrapping_mul(31) ^ number) > 0.94 { breath * 0.45 } else { breath }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::level::tests::{file, read};
    use super::*;
    use crate::ee::gif::{Line, Packet};
    use crate::graphics::render::Renderer;

    fn drawn(eye: Vec3) -> crate::graphics::render::Counters {
        let level = read(&file()).unwrap();
        let mut memory = alloc::vec![Line::default(); 512];
        let mut packet = Packet::new(&mut memory);
        let mut renderer = Renderer::new(crate::ee::gs::memory::TEXTURES);
        level.add_textures(&mut renderer.textures).unwrap();
        let camera = Camera::towards(eye, Vec3::new(0.5, 0.5, 0.0), 500.0);
        let mut scene = renderer.begin(&mut packet, 0, &level.view(camera));
        level.draw(&[], &mut scene, 1.0);
        level.draw_appearing(&[], &mut scene);
        scene.end()
    }

    #[test]
    fn small_things_are_left_out_from_afar_and_everything_beyond_the_level_s_reach() {
        assert_eq!(drawn(Vec3::new(1.0, -10.0, 4.0)).triangles, 2 + 2 + 2, "cell, detail and halo");
        assert_eq!(drawn(Vec3::new(1.0, -40.0, 4.0)).triangles, 2 + 2, "cell and halo");
        assert_eq!(drawn(Vec3::new(1.0, -140.0, 4.0)).triangles, 0);
    }

    #[test]
    fn what_comes_into_reach_is_drawn_last_and_only_once() {
        let level = read(&file()).unwrap();
        let covers = |y: f32| -> alloc::vec::Vec<f32> {
            let eye = Vec3::new(1.0, y, 4.0);
            level.cells(&[]).map(|(id, mesh)| level.cover(id, &mesh, eye)).collect()
        };
        let near = covers(-10.0);
        assert!(near.iter().all(|cover| *cover == 1.0), "{near:?}");
        let seen: alloc::vec::Vec<_> = (10..40).map(|y| covers(-(y as f32))).collect();
        let fading = |covers: &&alloc::vec::Vec<f32>| covers.iter().any(|cover| *cover > 0.0 && *cover < 1.0);
        assert!(seen.iter().filter(fading).count() >= 3, "{seen:?}");
        for y in 10..40 {
            let triangles = drawn(Vec3::new(1.0, -(y as f32), 4.0)).triangles;
            assert!((4..=6).contains(&triangles), "{triangles} at {y}");
        }
    }

    #[test]
    fn chains_run_lamps_fail_and_steady_lights_do_neither() {
        let all = |glimmer| (0..200).map(move |i| strength(glimmer, 3, i as f32 * 0.05));
        assert!(all(Glimmer::Steady).all(|value| value == 1.0));
        let (low, high) = all(Glimmer::Chase).fold((9.0_f32, 0.0_f32), |(l, h), v| (l.min(v), h.max(v)));
        assert!(low < 0.5 && high > 0.98, "{low} {high}");
        assert!(all(Glimmer::Flicker).any(|value| value < 0.5));
        assert!(all(Glimmer::Flicker).filter(|value| *value > 0.8).count() > 150);
    }
}
