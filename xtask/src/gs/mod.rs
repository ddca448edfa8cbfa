//! A Graphics Synthesizer on the host, after the hardware's documents alone.
//!
//! The emulator that draws the golden pictures is one reading of the hardware. This is a second one by other hands: what both
//! draw alike does not depend on one's habits, and where the documents leave something open, or forbid it, this one notes a
//! [`Doubt`]. Quadwords of a packet's chain ([`gif`]) become registers ([`state`]) and vertices; [`raster`] turns
//! those into pixels, [`pixel`] gives them [`texture`], fog, tests and blending and writes them to [`memory`], which
//! [`transfer`] fills with pictures and [`screen`] shows. It is exact where the hardware rounds, and slow. [`scenes`] draws what
//! the engine draws on the console, and [`swimming`] measures how still pictures lie on a floor.
//!
//! Source: EE facts, sections 6 and 8-11.

#[cfg(test)]
mod cracks;
pub mod doubt;
pub mod gif;
pub mod memory;
pub mod pixel;
pub mod raster;
pub mod scenes;
pub mod screen;
pub mod state;
pub mod swimming;
#[cfg(test)]
mod tests;
pub mod texture;
pub mod transfer;

use boardwalk::ee::gif::{Chain, Quad};
use boardwalk::ee::video::VideoOptions;
use doubt::{Doubt, Doubts};
use gif::{Gif, MainMemory, Order, read_chain};
use image::RgbImage;
use memory::Memory;
use raster::Vertex;
use screen::Through;
use state::{Registers, Shape, State, bits, number};
use texture::Palette;
use transfer::Upload;

/// The Graphics Synthesizer.
#[derive(Clone, Debug)]
pub struct Synthesizer {
    /// Its memory.
    pub memory: Memory,
    /// What it could not be sure of.
    pub doubts: Doubts,
    /// FINISH commands so far.
    pub finished: u32,
    registers: Registers,
    palette: Palette,
    upload: Option<Upload>,
    vertices: Vec<Vertex>,
    /// Something was written to memory that the texture unit may not see yet.
    unflushed: bool,
    /// What the registers mean, until one of them changes.
    state: Option<State>,
    /// Nothing is drawn.
    blind: bool,
}

impl Default for Synthesizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Synthesizer {
    /// As after power-on: memory full of leftovers, no register set.
    pub fn new() -> Self {
        Self {
            memory: Memory::with_leftovers(),
            doubts: Doubts::default(),
            finished: 0,
            registers: Registers::default(),
            palette: Palette::default(),
            upload: None,
            vertices: Vec::new(),
            unflushed: false,
            state: None,
            blind: false,
        }
    }

    /// Takes a whole chain.
    pub fn run(&mut self, chain: &Chain, main: &MainMemory) {
        let mut quads = vec![];
        read_chain(main, chain.address, &mut self.doubts, |quad, _| quads.push(quad));
        self.run_quads(quads);
    }

    /// Takes the quadwords of a whole chain as they come to the GIF.
    pub fn run_quads(&mut self, quads: Vec<Quad>) {
        let (mut gif, mut orders) = (Gif::default(), vec![]);
        for quad in quads {
            gif.feed(quad, &mut self.doubts, |order, _| orders.push(order));
            for order in orders.drain(..) {
                self.take(order);
            }
        }
        self.doubts.add_if(!gif.is_idle(), Doubt::OpenPacket);
    }

    /// The same without drawing anything: what stays is what was sent into the memory, and the registers.
    pub fn run_blindly(&mut self, quads: Vec<Quad>) {
        self.blind = true;
        self.run_quads(quads);
        self.blind = false;
    }

    /// The first page of the frame buffer that was drawn into last.
    pub fn frame_page(&mut self) -> u32 {
        bits(self.registers.get(number::FRAME, &mut self.doubts), 0, 8) as u32
    }

    /// The picture that a screen shows of the frame at `page`.
    pub fn picture(&self, video: &VideoOptions, page: u32, through: Through) -> RgbImage {
        screen::picture(&self.memory, video, page, through)
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::Write(register, value) => self.write(register, value),
            Order::Pixels(quad) => match &mut self.upload {
                Some(upload) => upload.feed(quad, &mut self.memory, &mut self.doubts),
                None => self.doubts.add(Doubt::TooManyPixels),
            },
        }
    }

    fn write(&mut self, register: u8, value: u64) {
        match register {
            number::XYZF2 | number::XYZ2 | number::XYZF3 | number::XYZ3 => return self.vertex(register, value),
            number::RGBAQ | number::ST | number::UV | number::FOG => return self.registers.set(register, value),
            number::NOTHING | number::NO_ADDRESS | number::SIGNAL | number::LABEL => return,
            number::FINISH => {
                self.end_upload();
                self.finished += 1;
                return;
            }
            number::PRIM => self.vertices.clear(),
            number::TEX0 | number::TEX0_2 => {
                let loaded = self.palette.select(value, &self.memory, &mut self.doubts);
                self.doubts.add_if(loaded && self.unflushed, Doubt::NotFlushed);
            }
            number::TEXFLUSH => self.unflushed = false,
            number::TRXDIR => {
                self.end_upload();
                self.upload = transfer::begin(value, &self.registers, &mut self.memory, &mut self.doubts);
                self.unflushed = true;
            }
            number::CLAMP..=0x09
            | number::TEX1..=0x15
            | number::MIPTBP1
            | number::XYOFFSET..=number::PRMODE
            | number::SCANMSK
            | number::TEXA
            | number::FOGCOL
            | number::SCISSOR..=number::PABE
            | number::FBA..=number::ZBUF_2
            | number::BITBLTBUF..=number::TRXREG => {}
            _ => self.doubts.add(Doubt::Unknown(register)),
        }
        self.registers.set(register, value);
        self.state = None;
    }

    fn end_upload(&mut self) {
        let missing = self.upload.take().map_or(0, |upload| upload.missing());
        self.doubts.add_if(missing > 0, Doubt::TooFewPixels);
    }

    /// A vertex is complete; it may complete a primitive.
    fn vertex(&mut self, register: u8, value: u64) {
        let fogged = matches!(register, number::XYZF2 | number::XYZF3);
        let drawn = matches!(register, number::XYZF2 | number::XYZ2);
        let fog = if fogged { value } else { self.registers.get(number::FOG, &mut Doubts::default()) };
        let depth = if fogged { bits(value, 32, 55) } else { bits(value, 32, 63) };
        let state = self.state.take().unwrap_or_else(|| {
            let state = State::decode(&self.registers, &mut self.doubts);
            self.look_at(&state);
            state
        });
        let values = self.values(&state, depth, bits(fog, 56, 63));
        let (x, y) = (bits(value, 0, 15) as i32 - state.offset.0, bits(value, 16, 31) as i32 - state.offset.1);
        self.vertices.push(Vertex { x, y, values });
        let shape = Shape::from_prim(self.registers.get(number::PRIM, &mut self.doubts), &mut self.doubts);
        if self.vertices.len() == shape.corners() {
            if drawn && !self.blind {
                self.draw(shape, &state);
            }
            match shape {
                Shape::Point | Shape::Line | Shape::Triangle | Shape::Sprite => self.vertices.clear(),
                Shape::LineStrip | Shape::TriangleStrip => _ = self.vertices.remove(0),
                Shape::TriangleFan => _ = self.vertices.remove(1),
            }
        }
        self.state = Some(state);
    }

    /// What the vertex registers hold.
    fn values(&mut self, state: &State, depth: u64, fog: u64) -> raster::Values {
        let colour = self.registers.get(number::RGBAQ, &mut self.doubts);
        let float = |word: u64| f64::from(f32::from_bits(word as u32));
        let byte = |first: u32| bits(colour, first, first + 7) as f64;
        let (s, t, q) = match (&state.texture, state.texels) {
            (None, _) => (0.0, 0.0, 1.0),
            (Some(_), true) => {
                let texels = self.registers.get(number::UV, &mut self.doubts);
                (bits(texels, 0, 13) as f64 / 16.0, bits(texels, 16, 29) as f64 / 16.0, 1.0)
            }
            (Some(_), false) => {
                let texture = self.registers.get(number::ST, &mut self.doubts);
                (float(texture & 0xFFFF_FFFF), float(texture >> 32), float(colour >> 32))
            }
        };
        [byte(0), byte(8), byte(16), byte(24), depth as f64, fog as f64, s, t, q]
    }

    fn draw(&mut self, shape: Shape, state: &State) {
        self.doubts.add_if(self.upload.as_ref().is_some_and(|upload| upload.missing() > 0), Doubt::TooFewPixels);
        let numbers =
            |vertex: &Vertex| vertex.values.iter().all(|value| value.is_finite()) && vertex.values[raster::Q] != 0.0;
        if !self.vertices.iter().all(numbers) {
            return self.doubts.add(Doubt::NoNumber);
        }
        let Self { memory, palette, doubts, vertices, .. } = self;
        raster::draw(shape, vertices, state, |fragment| pixel::draw(memory, palette, state, &fragment, doubts));
    }

    /// Looks for what a state cannot rely on.
    fn look_at(&mut self, state: &State) {
        let Some(texture) = &state.texture else { return };
        self.doubts.add_if(self.unflushed, Doubt::NotFlushed);
        let lines = state.scissor[1] as u32..state.scissor[3] as u32 + 1;
        let touches = texture.touches(&state.frame, lines.clone()) || texture.touches(&state.depth, lines);
        self.doubts.add_if(touches, Doubt::Overlap);
    }
}
