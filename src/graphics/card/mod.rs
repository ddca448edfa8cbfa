//! The test card: every primitive, texture format, way of blending and way of cutting, in places that a picture shows.
//!
//! Page 1 ([`flat`]) speaks to the GS directly, one case a field. Page 2 ([`solid`]) is a small yard that the renderer draws:
//! a floor that reaches under the eye, walls that pass beside it, lit and skinned meshes, a net, glass, light, smoke and
//! shadows. Nothing on the card moves, so that a run draws the same picture again.

pub mod flat;
pub mod solid;
mod textures;

use super::camera::Camera;
use super::canvas::Canvas;
use super::font::{self, Face};
use super::light::{Directional, Lights};
use super::render::{Counters, Renderer};
use super::texture::{Image, OutOfTextureMemory, Palette, TextureMemory};
use super::texture_file::TextureFile;
use crate::ee::gif::{Line, Packet, Quad};
use crate::maths::Vec3;
use alloc::vec::Vec;

/// Pages of the card.
pub const PAGES: u32 = 2;

/// The card's things, ready to be drawn.
pub struct Card {
    face: Face,
    pictures: (Image, Palette),
    renderer: Renderer,
    yard: solid::Yard,
    // The cache refers to them.
    textures: Vec<Vec<Quad>>,
}

impl Card {
    /// Makes meshes and textures.
    ///
    /// # Errors
    /// [`OutOfTextureMemory`] when the typeface does not fit.
    pub fn new() -> Result<Self, OutOfTextureMemory> {
        let pictures = (font::face_image(), font::face_palette());
        let mut memory = TextureMemory::default();
        let face = Face { texture: memory.reserve(&pictures.0)? };
        let mut renderer = Renderer::new(memory.free_page());
        let textures = textures::all();
        for data in &textures {
            if let Ok(file) = TextureFile::read(data) {
                renderer.textures.add(&file).map_err(|_| OutOfTextureMemory)?;
            }
        }
        Ok(Self { face, pictures, renderer, yard: solid::Yard::new(), textures })
    }

    /// What an upload of the typeface refers to.
    pub fn memory(&self) -> impl Iterator<Item = &[Line]> {
        [self.pictures.0.lines(), self.pictures.1.lines()].into_iter()
    }

    /// What uploads of the pages' textures refer to.
    pub fn texture_memory(&self) -> impl Iterator<Item = &[Quad]> {
        self.textures.iter().map(Vec::as_slice)
    }

    /// Sends the typeface to the GS's memory.
    pub fn upload<'a>(&'a self, packet: &mut Packet<'a>) {
        self.face.texture.upload(packet, &self.pictures.0);
        self.face.texture.upload_palette(packet, &self.pictures.1);
    }

    /// Draws a page, counted from 1, into the frame buffer at `frame`; what the renderer counted, where it drew.
    pub fn draw(&mut self, packet: &mut Packet, frame: u32, page: u32) -> Counters {
        if page == 2 {
            let counters = self.yard.draw(&mut self.renderer, packet, frame);
            self.yard.label(&mut Canvas::resume(packet), &self.face);
            return counters;
        }
        flat::draw(packet, frame, &mut self.renderer.textures, &self.face);
        Counters::default()
    }

    /// Draws the yard crowded with some ten thousand triangles: the heaviest view that the game's budget allows.
    pub fn draw_crowd(&mut self, packet: &mut Packet, frame: u32) -> Counters {
        self.yard.draw_crowd(&mut self.renderer, packet, frame)
    }
}

/// The eye of page 2.
fn eye() -> Camera {
    Camera::towards(Vec3::new(0.0, -1.0, 1.7), Vec3::new(0.0, 9.0, 1.0), 480.0)
}

/// The light of page 2 but for its lamps.
const DUSK: Lights = Lights {
    ambient: Vec3::new(0.30, 0.32, 0.42),
    directional: Directional { towards: Vec3::new(-0.6, -0.48, 0.64), colour: Vec3::new(0.55, 0.5, 0.45) },
    lamps: &[],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ee::gif::Line;
    use alloc::vec;

    #[test]
    fn every_page_fits_a_packet_and_every_texture_is_known() {
        let mut card = Card::new().expect("a card");
        for page in 1..=PAGES {
            let mut memory = vec![Line::default(); 8192];
            let mut packet = Packet::new(&mut memory);
            let counters = card.draw(&mut packet, 0, page);
            assert_eq!((packet.dropped(), counters.lost), (0, 0), "page {page}");
        }
        assert_eq!(card.renderer.textures.counters().unknown, 0);
        assert_eq!(card.renderer.textures.counters().repeats, 0);
    }
}
