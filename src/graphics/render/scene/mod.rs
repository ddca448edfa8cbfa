//! A picture under construction. `skinned` draws what moves with bones, `careful` what has to be cut.

mod careful;
mod skinned;
#[cfg(test)]
mod tests;

use super::super::camera::Camera;
use super::super::canvas::Canvas;
use super::super::light::Lights;
use super::super::mesh::{Batch, Flags, Material, Mesh, Sphere};
use super::super::texture_cache;
use super::lights::Rig;
use super::quads::{CORNERS, CORNERS_AT_ONCE, Flat, INDICES, Layer, Ordered, Shadow, Sprite};
use super::state::{State, WHOLE};
use super::volume::{Place, Volume};
use super::{Counters, MAX_FLATS, Renderer, View, sent};
use crate::ee::gif::Packet;
use crate::ee::strips::emit;
use crate::ee::vu0::rectangles::{self, Rectangle};
use crate::ee::vu0::transform::placing::{Lens, place};
use crate::ee::vu0::transform::{Constants, Directions, Shades, Vertex, light, transform};
use crate::maths::{Pose, Vec3};
use heapless::Vec;

/// Blended batches that are kept for the end.
const MAX_KEPT: usize = 96;
/// Sprites and shadows that are drawn together.
const FLATS_AT_ONCE: usize = CORNERS_AT_ONCE / CORNERS;

/// How a static mesh is drawn besides its materials.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look {
    /// What is added to its texture coordinates: moving water, moving fog.
    pub scroll: (f32, f32),
    /// How much of it is seen, 0 to 1: what comes into reach appears little by little.
    pub cover: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self { scroll: (0.0, 0.0), cover: 1.0 }
    }
}

/// How much is seen of something that is `distance` metres away and drawn up to `reach` metres, 0 to 1: it fades in over the
/// last fifth of the way.
pub fn cover_at(distance: f32, reach: f32) -> f32 {
    const FADES: f32 = 0.2;
    cover_over(distance, reach, FADES)
}

/// The same over another share of the way.
pub fn cover_over(distance: f32, reach: f32, fades: f32) -> f32 {
    ((reach - distance) / (reach * fades).max(1e-3)).clamp(0.0, 1.0)
}

/// A blended batch that waits for the end, in the world's coordinates.
#[derive(Clone, Copy)]
struct Kept<'f> {
    batch: Batch<'f>,
    place: Place,
    scroll: (f32, f32),
    distance: f32,
    cover: u8,
}

/// A picture under construction; made by [`Renderer::begin`]. `'f` is how long the static meshes stay.
pub struct Scene<'s, 'p, 'f> {
    renderer: &'s mut Renderer,
    packet: &'s mut Packet<'p>,
    camera: Camera,
    volume: Volume,
    haze: Vec3,
    fog: [f32; 4],
    lens: Lens,
    /// The matrix of what has the world's coordinates.
    world: [[f32; 4]; 4],
    state: State,
    /// How much of what is drawn now is seen, of [`WHOLE`].
    cover: u8,
    kept: Vec<Kept<'f>, MAX_KEPT>,
    counters: Counters,
    first_quad: usize,
    sent_before: texture_cache::Counters,
}

impl<'s, 'p, 'f> Scene<'s, 'p, 'f> {
    pub(super) fn begin(renderer: &'s mut Renderer, packet: &'s mut Packet<'p>, page: u32, view: &View) -> Self {
        const MOST: f32 = 255.0;
        let first_quad = packet.used();
        let mut canvas = Canvas::begin_within(packet, page, view.camera.window);
        view.sky.draw(&mut canvas, &view.camera);
        let haze = view.haze;
        let slope = -MOST * haze.most / (haze.end - haze.start).max(1e-3);
        let sent_before = renderer.textures.counters();
        Self {
            renderer,
            packet,
            camera: view.camera,
            volume: Volume::new(&view.camera, view.far),
            haze: haze.colour,
            lens: view.camera.lens(),
            world: view.camera.rows(&Pose::IDENTITY),
            fog: [MOST, MOST * (1.0 - haze.most), slope, MOST - slope * haze.start],
            state: State::default(),
            cover: WHOLE,
            kept: Vec::new(),
            counters: Counters::default(),
            first_quad,
            sent_before,
        }
    }

    /// The eye.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Draws a mesh of the level, whose vertices are in the world's coordinates and have their light.
    pub fn draw_static(&mut self, mesh: &Mesh<'f>) {
        self.draw_static_with(mesh, &Look::default());
    }

    /// The same with a look of its own.
    pub fn draw_static_with(&mut self, mesh: &Mesh<'f>, look: &Look) {
        let whole = self.volume.place(&mesh.sphere());
        if whole == Place::Hidden {
            self.counters.hidden += 1;
            return;
        }
        let constants = self.constants(look.scroll);
        let cover = cover_byte(look.cover);
        if cover == 0 {
            return;
        }
        self.cover = cover;
        for batch in mesh.batches() {
            let place = self.volume.place(&batch.sphere);
            if place == Place::Hidden {
                self.counters.hidden += 1;
            } else if batch.material.flags.is_blended() {
                let distance = (batch.sphere.centre - self.camera.eye).length();
                let kept = Kept { batch, place, scroll: look.scroll, distance, cover };
                self.counters.lost += u32::from(self.kept.push(kept).is_err());
            } else {
                self.draw_batch(&batch, &constants, None, place);
            }
        }
        self.cover = WHOLE;
    }

    /// Draws a thing at `pose`. Its blended batches are drawn at once: draw things with glass after the level.
    pub fn draw_object(&mut self, mesh: &Mesh, pose: &Pose, lights: &Lights) {
        self.draw_object_with(mesh, pose, lights, 1.0);
    }

    /// The same of a thing of which only a share is seen, 0 to 1.
    pub fn draw_object_with(&mut self, mesh: &Mesh, pose: &Pose, lights: &Lights, cover: f32) {
        let placed = |ball: Sphere| Sphere { centre: pose.point(ball.centre), radius: ball.radius };
        let ball = placed(mesh.sphere());
        if self.volume.place(&ball) == Place::Hidden {
            self.counters.hidden += 1;
            return;
        }
        let (directions, shades) = Rig::at(ball.centre, lights).world();
        let placed_there = place(&self.lens, &directions, pose);
        let constants = Constants { rows: placed_there.rows, ..self.constants((0.0, 0.0)) };
        let lights = (&placed_there.directions, &shades);
        let cover = cover_byte(cover);
        if cover == 0 {
            return;
        }
        self.cover = cover;
        for batch in mesh.batches() {
            match self.volume.place(&placed(batch.sphere)) {
                Place::Hidden => self.counters.hidden += 1,
                place => self.draw_batch(&batch, &constants, Some(lights), place),
            }
        }
        self.cover = WHOLE;
    }

    /// True when a ball may be seen.
    pub fn sees(&self, ball: &Sphere) -> bool {
        self.volume.sees(ball)
    }

    /// Draws a mesh of the level as still water at the height `plane` mirrors it: dim, a share `cover` of it, from both sides,
    /// hiding nothing that is drawn later. Blended batches are left out, and what lies under the water.
    pub fn draw_mirrored(&mut self, mesh: &Mesh<'f>, plane: f32, cover: f32) {
        const DIM: f32 = 0.75;
        let mirrored =
            |ball: Sphere| Sphere { centre: ball.centre + Vec3::Z * (2.0 * (plane - ball.centre.z)), ..ball };
        if !self.sees(&mirrored(mesh.sphere())) {
            self.counters.hidden += 1;
            return;
        }
        let mut constants = self.constants((0.0, 0.0));
        let [_, _, up, origin] = &mut constants.rows;
        for (up, origin) in up.iter_mut().zip(origin) {
            *origin += 2.0 * plane * *up;
            *up = -*up;
        }
        self.cover = cover_byte(cover * DIM);
        let is_over = |batch: &Batch| batch.sphere.centre.z > plane && !batch.material.flags.is_blended();
        for batch in mesh.batches().filter(is_over) {
            match self.volume.place(&mirrored(batch.sphere)) {
                Place::Hidden => self.counters.hidden += 1,
                place => {
                    transform(&constants, batch.vertices, &mut self.renderer.vertices[..]);
                    let flags = batch.material.flags.with(Flags::TWO_SIDED).with(Flags::NO_DEPTH);
                    let material = Material { flags, ..batch.material };
                    self.draw_transformed(
                        material,
                        batch.vertices,
                        (batch.indices, batch.triangles),
                        &constants,
                        place,
                    );
                }
            }
        }
        self.cover = WHOLE;
    }

    /// Draws the sprites added so far at once, for what is to come over them.
    pub fn draw_sprites_behind(&mut self) {
        let mut ordered = core::mem::take(&mut self.renderer.ordered);
        ordered.take(&self.renderer.flats);
        self.draw_flats(ordered.all());
        self.renderer.ordered = ordered;
        self.renderer.flats.clear();
    }

    /// Adds a sprite; drawn at the end.
    pub fn sprite(&mut self, sprite: &Sprite) {
        self.leaf(sprite, self.camera.right, self.camera.up);
    }

    /// Adds a sprite that has its own axes to the right and upwards, as a leaf in the wind.
    pub fn leaf(&mut self, sprite: &Sprite, right: Vec3, up: Vec3) {
        let distance = (sprite.centre - self.camera.eye).dot(self.camera.ahead);
        let radius = sprite.half.0 + sprite.half.1;
        let place = self.volume.place(&Sphere { centre: sprite.centre, radius });
        self.add(Flat::sprite(sprite, (right, up), distance), place);
    }

    /// Adds a shadow; drawn over everything solid.
    pub fn shadow(&mut self, shadow: &Shadow) {
        let radius = shadow.half.0 + shadow.half.1;
        let place = self.volume.place(&Sphere { centre: shadow.centre, radius });
        self.add(Flat::shadow(shadow, self.camera.eye), place);
    }

    fn add(&mut self, mut flat: Flat, place: Place) {
        if place == Place::Hidden {
            self.counters.hidden += 1;
        } else if self.renderer.flats.len() < MAX_FLATS {
            flat.reaching = place == Place::Reaching;
            self.renderer.flats.push(flat);
        } else {
            self.counters.lost += 1;
        }
    }

    /// Draws what was kept and leaves the registers as a [`Canvas`] expects them.
    pub fn end(mut self) -> Counters {
        let mut ordered = core::mem::take(&mut self.renderer.ordered);
        ordered.take(&self.renderer.flats);
        ordered.sort();
        let mut kept = core::mem::take(&mut self.kept);
        kept.sort_unstable_by_key(|kept| (kept.batch.material.flags.contains(Flags::ADD), Far(kept.distance)));
        self.draw_flats(ordered.of(Layer::Ground));
        for Kept { batch, place, scroll, cover, .. } in &kept {
            let constants = self.constants(*scroll);
            self.cover = *cover;
            self.draw_batch(batch, &constants, None, *place);
        }
        self.cover = WHOLE;
        self.draw_flats(ordered.of(Layer::Blended));
        self.draw_flats(ordered.of(Layer::Light));
        self.renderer.ordered = ordered;
        State::finish(self.packet);
        self.counters.packet_quads = (self.packet.used() - self.first_quad) as u32;
        (self.counters.uploads, self.counters.upload_quads) = sent(self.sent_before, self.renderer.textures.counters());
        self.counters
    }

    /// What the kernels compute with for what has the world's coordinates.
    fn constants(&self, scroll: (f32, f32)) -> Constants {
        Constants { rows: self.world, fog: self.fog, scroll: [scroll.0, scroll.1, 0.0, 0.0] }
    }

    fn draw_batch(
        &mut self,
        batch: &Batch,
        constants: &Constants,
        lights: Option<(&Directions, &Shades)>,
        place: Place,
    ) {
        match lights {
            Some(lights) if !batch.material.flags.contains(Flags::UNLIT) => {
                light(constants, lights, batch.vertices, &mut self.renderer.vertices[..]);
            }
            _ => transform(constants, batch.vertices, &mut self.renderer.vertices[..]),
        }
        if self.cover < WHOLE && batch.material.flags.is_blended() {
            // What is blended by its own alpha fades by it.
            for record in self.renderer.vertices.iter_mut().take(batch.vertices.len()) {
                record.colour[3] = record.colour[3] * i32::from(self.cover) / i32::from(WHOLE);
            }
        }
        self.draw_transformed(batch.material, batch.vertices, (batch.indices, batch.triangles), constants, place);
    }

    /// Draws sprites and shadows by their numbers, equal ones in a row together.
    fn draw_flats(&mut self, numbers: &[Ordered]) {
        let constants = self.constants((0.0, 0.0));
        let flats = core::mem::take(&mut self.renderer.flats);
        let of = |ordered: &Ordered| flats.get(usize::from(ordered.number));
        let look = |ordered: &Ordered| of(ordered).map(|flat| (flat.texture, flat.flags, flat.reaching));
        let alike = |a: &Ordered, b: &Ordered| look(a) == look(b);
        for group in numbers.chunk_by(alike).flat_map(|group| group.chunks(FLATS_AT_ONCE)) {
            let Some((texture, flags, reaching)) = group.first().and_then(look) else { continue };
            let material = Material { texture, flags: flags.with(Flags::TWO_SIDED) };
            let together: Vec<&Flat, FLATS_AT_ONCE> = group.iter().filter_map(of).collect();
            if reaching {
                self.draw_reaching(material, &together, &constants);
            } else {
                self.draw_rectangles(material, &together, &constants);
            }
            self.counters.flats += together.len() as u32;
        }
        self.renderer.flats = flats;
    }

    /// Draws equal sprites or shadows that lie wholly where the hardware can draw them.
    fn draw_rectangles(&mut self, material: Material, flats: &[&Flat], constants: &Constants) {
        let prim = self.state.select(self.packet, &mut self.renderer.textures, material, (self.haze, self.cover));
        let rectangles: Vec<&Rectangle, FLATS_AT_ONCE> = flats.iter().map(|flat| &flat.rectangle).collect();
        let corners = rectangles.len() * CORNERS;
        let triangles = 2 * rectangles.len() as u32;
        self.counters.batches += 1;
        self.counters.vertices += corners as u32;
        let mut drawn = 0;
        self.packet.packed(prim, corners, |places| {
            rectangles::place(constants, &rectangles, places);
            drawn = triangles;
        });
        self.count(triangles, drawn, 0);
    }

    /// Draws equal sprites or shadows of which parts may have to be cut.
    fn draw_reaching(&mut self, material: Material, flats: &[&Flat], constants: &Constants) {
        let mut corners = core::mem::take(&mut self.renderer.corners);
        for (flat, place) in flats.iter().zip(corners.chunks_exact_mut(CORNERS)) {
            place.copy_from_slice(&flat.corners());
        }
        let count = flats.len() * CORNERS;
        let vertices = corners.get(..count).unwrap_or_default();
        transform(constants, vertices, &mut self.renderer.vertices[..]);
        let indices = INDICES.get(..count).unwrap_or_default();
        let triangles = 2 * flats.len() as u32;
        self.draw_transformed(material, vertices, (indices, triangles), constants, Place::Reaching);
        self.renderer.corners = corners;
    }

    /// Copies strips of transformed vertices and of so many triangles into the packet.
    fn draw_transformed(
        &mut self,
        material: Material,
        vertices: &[Vertex],
        (indices, triangles): (&[u16], u32),
        constants: &Constants,
        place: Place,
    ) {
        let prim = self.state.select(self.packet, &mut self.renderer.textures, material, (self.haze, self.cover));
        let cull = !material.flags.contains(Flags::TWO_SIDED);
        self.counters.batches += 1;
        self.counters.vertices += vertices.len() as u32;
        if place == Place::Reaching && self.mark_outside(vertices.len()) {
            self.draw_cut(prim, vertices, (indices, triangles), constants, cull);
            return;
        }
        let records = &self.renderer.vertices;
        let mut drawn = 0;
        self.packet.packed(prim, indices.len(), |places| drawn = emit(indices, records, places, cull));
        self.count(triangles, drawn as u32, 0);
    }

    fn count(&mut self, triangles: u32, drawn: u32, cut: u32) {
        self.counters.triangles += drawn;
        self.counters.cut += cut;
        self.counters.culled += triangles.saturating_sub(drawn + cut);
    }
}

/// A share as the GS takes it.
fn cover_byte(cover: f32) -> u8 {
    (cover.clamp(0.0, 1.0) * f32::from(WHOLE)) as u8
}

/// Distances in the order in which things are drawn: the greatest first.
#[derive(Clone, Copy, PartialEq)]
struct Far(f32);

impl Eq for Far {}

impl PartialOrd for Far {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Far {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        other.0.total_cmp(&self.0)
    }
}
