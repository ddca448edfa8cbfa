//! The renderer: meshes, sprites and shadows of a scene into the frame's packet.
//!
//! ```text
//! let mut scene = renderer.begin(packet, page, &View { camera, haze, sky });
//! scene.draw_static(&cell);                   // each visible cell of the level
//! scene.draw_object(&car, &pose, &lights);
//! scene.draw_skinned(&person, &bones, &lights);
//! scene.shadow(&Shadow { .. });
//! scene.sprite(&Sprite { .. });
//! let counters = scene.end();
//! ```
//!
//! Calls may come in any order. Solid batches go into the packet at once; blended ones, shadows and sprites are kept and drawn
//! by [`Scene::end`] over them, far before near, light last. A batch flows through four steps: the view's volume decides
//! whether it is seen at all ([`volume`]), a kernel on VU0 transforms and lights its vertices into scratch memory
//! ([`crate::ee::vu0::transform`]), and its strips are copied from there into the packet without the triangles that face away
//! ([`crate::ee::strips`]). Only batches that reach behind the eye or beyond the drawing plane take the careful way, which
//! cuts triangles ([`cut`]).
//!
//! Source: support systems, Graphics and frame pacing; EE facts, sections 3, 8 and 10.

pub mod cut;
pub mod lights;
mod quads;
mod scene;
mod sky;
mod state;
pub mod volume;

pub use lights::{Bones, Rig};
pub use quads::{Shadow, Sprite};
pub use scene::{Look, Scene, cover_at, cover_over};
pub use sky::Sky;

use super::camera::Camera;
use super::mesh::Vertex;
use super::texture_cache::{self, TextureCache};
use crate::ee::gif::Packet;
use crate::ee::scratch::Scratch;
use crate::ee::strips::NAMED;
use crate::maths::Vec3;
use alloc::boxed::Box;
use alloc::vec;
use quads::{Flat, Ordering};

/// Sprites and shadows of a frame at most.
pub const MAX_FLATS: usize = 1600;

/// Air that hides what is far away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Haze {
    /// Its colour.
    pub colour: Vec3,
    /// Metres from which on it is seen.
    pub start: f32,
    /// Metres at which it is thickest.
    pub end: f32,
    /// How much of a thing it hides there, 0 to 1.
    pub most: f32,
}

/// What a frame is seen through.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The eye.
    pub camera: Camera,
    /// Metres beyond which nothing is drawn.
    pub far: f32,
    /// The air.
    pub haze: Haze,
    /// What is behind everything.
    pub sky: Sky,
}

/// Memory for what a frame keeps until it is sorted and drawn: sprites and shadows.
pub struct Room(vec::Vec<Flat>);

impl Room {
    /// Bytes that it takes.
    pub const BYTES: usize = MAX_FLATS * size_of::<Flat>();

    /// Takes the memory, from whoever pays now.
    pub fn take() -> Self {
        Self(vec::Vec::with_capacity(MAX_FLATS))
    }
}

/// What a frame took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Triangles that the GS draws.
    pub triangles: u32,
    /// Triangles that faced away.
    pub culled: u32,
    /// Triangles that were cut.
    pub cut: u32,
    /// Vertices transformed.
    pub vertices: u32,
    /// Batches drawn.
    pub batches: u32,
    /// Meshes and batches that were out of sight.
    pub hidden: u32,
    /// Sprites and shadows.
    pub flats: u32,
    /// Sprites, shadows, blended batches and cut triangles for which there was no room.
    pub lost: u32,
    /// Quadwords of the packet.
    pub packet_quads: u32,
    /// Textures sent.
    pub uploads: u32,
    /// Quadwords of those textures.
    pub upload_quads: u32,
}

impl core::ops::AddAssign for Counters {
    fn add_assign(&mut self, other: Self) {
        self.triangles += other.triangles;
        self.culled += other.culled;
        self.cut += other.cut;
        self.vertices += other.vertices;
        self.batches += other.batches;
        self.hidden += other.hidden;
        self.flats += other.flats;
        self.lost += other.lost;
        self.packet_quads += other.packet_quads;
        self.uploads += other.uploads;
        self.upload_quads += other.upload_quads;
    }
}

/// What the renderer keeps from frame to frame: scratch memory and textures.
pub struct Renderer {
    /// The textures that materials refer to.
    pub textures: TextureCache,
    vertices: Scratch,
    outcodes: Box<[u8; NAMED]>,
    corners: Box<[Vertex]>,
    flats: vec::Vec<Flat>,
    ordered: Ordering,
}

impl Renderer {
    /// A renderer whose textures live from `page` of the GS's memory on. All memory is taken here.
    pub fn new(page: u32) -> Self {
        Self::with_room(page, Room::take())
    }

    /// The same with room that was taken before.
    pub fn with_room(page: u32, room: Room) -> Self {
        Self {
            textures: TextureCache::new(page),
            vertices: Scratch::take(),
            outcodes: Box::new([0; NAMED]),
            corners: vec![Vertex::default(); quads::CORNERS_AT_ONCE].into_boxed_slice(),
            flats: room.0,
            ordered: Ordering::with_capacity(MAX_FLATS),
        }
    }

    /// Begins a picture in the frame buffer at `page`: clears it and the depth and draws the sky.
    pub fn begin<'s, 'p, 'f>(&'s mut self, packet: &'s mut Packet<'p>, page: u32, view: &View) -> Scene<'s, 'p, 'f> {
        self.flats.clear();
        self.textures.next_frame();
        Scene::begin(self, packet, page, view)
    }
}

/// What a cache has sent between two looks at its counters.
fn sent(before: texture_cache::Counters, after: texture_cache::Counters) -> (u32, u32) {
    (after.uploads.wrapping_sub(before.uploads), after.quads.wrapping_sub(before.quads))
}
