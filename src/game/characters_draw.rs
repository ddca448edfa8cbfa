//! Drawing people: meshes by distance, the lamps' light on them, their shadows.
//!
//! A person has three meshes, fewer triangles the further away. One takes over from the other little by little: on the last
//! part of a mesh's way the next one comes up over it, and then it goes from over the next one, so that no step shows.
//!
//! Who stands between a player and his camera is seen through.

use super::characters::People;
use crate::animation::pose::LocalPose;
use crate::animation::skeleton::{BONES, Skeleton, bone};
use crate::ee::gif::Quad;
use crate::graphics::light::{Directional, Lamp, Lights};
use crate::graphics::mesh::{Mesh, Sphere};
use crate::graphics::render::{Bones, Rig, Scene, Shadow, cover_at, cover_over};
use crate::graphics::texture_cache::TextureCache;
use crate::graphics::texture_file::{self, Format, TextureFile};
use crate::human::Human;
use crate::maths::{Pose, Vec3};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Levels of detail of a person.
pub const DETAILS: [&str; 3] = ["near", "middle", "far"];
/// Metres up to which each is drawn.
///
/// Our choice: nearer than the 12 m and 30 m at which people's looks were drawn up, as a fight of sixty has to fit a frame.
const REACHES: [f32; DETAILS.len()] = [7.0, 15.0, 70.0];
/// The last share of the way in which the next one takes over: a run is some ten frames of it.
const TAKES_OVER: [f32; DETAILS.len() - 1] = [0.4, 0.2];
/// Beside the players' own, one person is drawn from near at a time, as a frame's packet has an end: the nearest, and wholly
/// when the next is so many metres further away.
const AHEAD: f32 = 0.6;
/// Metres around somebody's hips that hold the whole of them and their shadow.
const AROUND: f32 = 1.7;
/// Metres behind the eye at which somebody is not worth thirty-four poses.
const BEHIND: f32 = -1.0;
/// How much is left of somebody who stands in the way of a player's picture.
///
/// Our choice: a camera that went around a crowd would turn the stick's directions with it, and one that went up would lose the
/// street; so the camera stays, and who is in the way is thin.
const THIN: f32 = 0.22;
/// Metres beside the line from the eye to the player within which somebody is wholly in the way, and from which not at all.
const IN_THE_WAY: (f32, f32) = (0.4, 0.8);
/// The same along the line, short of the player.
const SHORT_OF: (f32, f32) = (0.75, 0.35);
/// Metres from the eye within which nothing is seen of somebody, and from which everything is.
const BEFORE_THE_EYE: (f32, f32) = (0.7, 1.3);
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

/// How much of each mesh is seen of somebody at a distance, 0 to 1, nearest first. `near` is how much of the nearest one may be
/// seen at most.
pub fn covers(distance: f32, near: f32) -> [f32; DETAILS.len()] {
    let taken = |from: usize| 1.0 - cover_over(distance, REACHES[from], TAKES_OVER[from]);
    let over = [taken(0).max(1.0 - near), taken(1)];
    // While one takes over, first it comes up, then the other goes: in between both are whole.
    let comes = |over: f32| (2.0 * over).min(1.0);
    let goes = |over: f32| (2.0 - 2.0 * over).min(1.0);
    let last = cover_at(distance, REACHES[2]);
    [goes(over[0]), comes(over[0]).min(goes(over[1])), comes(over[1]).min(last)]
}

/// How much of the nearest mesh is seen at most of whom: wholly of the players and of the nearest of the others.
struct Near {
    distances: [f32; 2],
}

impl Near {
    fn of(people: &People, eye: Vec3) -> Self {
        let mut distances = [f32::MAX; 2];
        for (_, human) in people.humans.present().filter(|(_, human)| human.spawn.player.is_none()) {
            let distance = (human.position - eye).length();
            if distance < distances[0] {
                distances = [distance, distances[0]];
            } else if distance < distances[1] {
                distances[1] = distance;
            }
        }
        Self { distances }
    }

    fn share(&self, human: &Human, distance: f32) -> f32 {
        let [first, second] = self.distances;
        match human.spawn.player {
            Some(_) => 1.0,
            None if distance > first => 0.0,
            None => ((second - first) / AHEAD).min(1.0),
        }
    }
}

/// Where a share of 1 is reached between two numbers, the first of which is none.
fn share((none, whole): (f32, f32), at: f32) -> f32 {
    ((at - none) / (whole - none)).clamp(0.0, 1.0)
}

/// How much is seen of somebody at `feet`, 0 to 1, while a player at `player` is watched from `eye`.
fn out_of_the_way(eye: Vec3, player: Vec3, feet: Vec3) -> f32 {
    // People stand: only the ground plane counts.
    let (line, off) = ((player - eye).horizontal(), (feet - eye).horizontal());
    let length = line.length();
    let Some(way) = line.try_normalize() else { return 1.0 };
    let along = off.dot(way);
    let beside = (off - way * along).length();
    let behind = share((length - SHORT_OF.0, length - SHORT_OF.1), along).max(share((0.0, -0.5), along));
    let clear = share(IN_THE_WAY, beside).max(behind);
    (THIN + (1.0 - THIN) * clear) * share(BEFORE_THE_EYE, off.length())
}

/// Draws everybody whom the scene's camera may see; who just comes into sight or is seen through comes last, as what is behind
/// shows through. `watched` are the feet of the player whose camera it is.
pub fn draw(people: &People, scene: &mut Scene<'_, '_, '_>, watched: Option<(usize, Vec3)>) {
    let (eye, ahead) = (scene.camera().eye, scene.camera().ahead);
    let near = Near::of(people, eye);
    for appearing in [false, true] {
        for (n, human) in people.humans.present() {
            let off = human.position - eye;
            let distance = off.length();
            let clear = match watched {
                Some((player, feet)) if player != n => out_of_the_way(eye, feet, human.position),
                _ => 1.0,
            };
            let seen = clear * cover_at(distance, REACHES[DETAILS.len() - 1]);
            if off.dot(ahead) < BEHIND || seen == 0.0 || (seen < 1.0) != appearing {
                continue;
            }
            let hips = human.bones[bone::PELVIS].position;
            if scene.sees(&Sphere { centre: hips, radius: AROUND }) {
                let rig = people.models.rig(hips);
                people.models.draw_person(
                    scene,
                    human.spawn.look,
                    &human.bones,
                    &rig,
                    covers(distance, near.share(human, distance)).map(|cover| cover * clear),
                );
                people.models.draw_shadow(scene, human, &rig, seen);
            }
        }
    }
}

impl Models {
    /// The light on somebody whose hips are at a place.
    pub fn rig(&self, hips: Vec3) -> Rig {
        Rig::at(hips, &Lights { ambient: self.ambient, directional: self.moon, lamps: &self.lamps })
    }

    /// Draws a look with its bones where they are: of each mesh as much as `covers` says, the whole ones first.
    pub fn draw_person(
        &self,
        scene: &mut Scene<'_, '_, '_>,
        look: u8,
        bones: &[Pose; BONES],
        rig: &Rig,
        covers: [f32; DETAILS.len()],
    ) {
        let mut meshes = heapless::Vec::<(Mesh<'_>, f32), { DETAILS.len() }>::new();
        for (detail, cover) in covers.into_iter().enumerate().filter(|(_, cover)| *cover > 0.0) {
            if let Some(mesh) = self.mesh(look, detail) {
                // There is room for each of them.
                let _room = meshes.push((mesh, cover));
            }
        }
        meshes.sort_unstable_by(|(_, a), (_, b)| b.total_cmp(a));
        scene.draw_skinned_with(&meshes, &Bones { now: bones, built: &self.built }, rig);
    }

    fn draw_shadow(&self, scene: &mut Scene<'_, '_, '_>, human: &Human, rig: &Rig, seen: f32) {
        let hips = human.bones[bone::PELVIS].position;
        let height = (human.position.z - human.ground_height).max(0.0);
        let ground = Vec3::new(hips.x, hips.y, human.ground_height);
        let along = rig.away_from_brightest();
        scene.shadow(&Shadow {
            texture: SHADOW_TEXTURE,
            centre: ground + along * (SHADOW.0 * 0.35),
            normal: human.ground_normal,
            half: (SHADOW.0, SHADOW.1),
            along,
            strength: SHADOW.2 * seen * (1.0 - height / SHADOW_GONE).max(0.0),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_is_always_seen_whole_and_no_step_shows_from_mesh_to_mesh() {
        const STEP: f32 = 0.25;
        for near in [0.0, 0.4, 1.0] {
            let mut before = covers(0.5, near);
            for step in 2..280 {
                let distance = step as f32 * STEP;
                let now = covers(distance, near);
                let most = now.iter().fold(0.0_f32, |most, cover| most.max(*cover));
                assert!(most == 1.0 || distance > 0.8 * REACHES[2], "{now:?} at {distance}");
                assert!(now.iter().filter(|cover| **cover > 0.0).count() <= 2, "{now:?} at {distance}");
                let jump = now.iter().zip(before).map(|(now, before)| (now - before).abs()).fold(0.0, f32::max);
                assert!(jump <= 0.18, "{before:?} to {now:?} at {distance}");
                before = now;
            }
        }
        assert_eq!(covers(1.0, 1.0), [1.0, 0.0, 0.0]);
        assert_eq!(covers(1.0, 0.0), [0.0, 1.0, 0.0]);
        assert_eq!(covers(30.0, 1.0), [0.0, 0.0, 1.0]);
        assert_eq!(covers(70.0, 1.0), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn who_stands_between_the_camera_and_the_player_is_seen_through() {
        let (eye, player) = (Vec3::new(0.0, -3.2, 2.1), Vec3::ZERO);
        let seen = |x: f32, y: f32| out_of_the_way(eye, player, Vec3::new(x, y, 0.0));
        assert_eq!((seen(0.0, -1.5), seen(0.2, -1.0)), (THIN, THIN), "before his back");
        assert_eq!((seen(0.9, -1.5), seen(0.0, -0.3), seen(0.0, 1.0)), (1.0, 1.0, 1.0), "beside, at him, behind him");
        assert_eq!((seen(0.0, -3.2), seen(0.4, -3.0)), (0.0, 0.0), "in the eye");
        // Nobody comes or goes at once.
        for step in 0..400 {
            let at = |step: i32| seen(step as f32 * 0.01 - 2.0, -1.5);
            assert!((at(step + 1) - at(step)).abs() < 0.03, "{step}");
        }
        assert_eq!(out_of_the_way(eye, eye, Vec3::ZERO), 1.0);
    }

    #[test]
    fn the_nearest_gives_way_to_another_little_by_little() {
        let near = |second: f32| Near { distances: [2.0, second] };
        let other = Human::new(crate::human::Spawn::default(), crate::human::speeds::Speeds::default());
        let shares = [2.0, 2.3, 2.6, 9.0].map(|second| near(second).share(&other, 2.0));
        assert_eq!(shares.map(|share| (share * 10.0 + 0.5) as i32), [0, 5, 10, 10]);
        assert_eq!(near(2.3).share(&other, 2.3), 0.0);
    }
}
