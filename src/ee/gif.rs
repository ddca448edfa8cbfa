//! Packets for the drawing hardware, built in place in memory that DMA reads.
//!
//! A [`Packet`] is a DMA chain whose data are GIF packets. Registers go as address and data, vertices as register lists with
//! two or four registers each, so that every vertex fills whole quadwords, textures as references to their own memory. The
//! open GIF tag is extended as long as the same kind of data follows and closed by writing its count. A full buffer drops
//! what does not fit and counts it; the chain stays valid.
//!
//! Source: EE facts, sections 6 and 8.

use super::gs::general::{BitBltBuf, Finish, Label, Prim, Register, Rgbaq, St, TrxDir, TrxPos, TrxReg, Uv, Xyz2};
pub use super::quad::{Line, Quad};

/// Quadwords in a [`Line`].
const QUADS_PER_LINE: usize = 4;
/// Quadwords kept for the chain's end: the token, the FINISH command and the closing tags.
const END_RESERVE: usize = 8;
/// Largest count in a GIF tag.
const MAX_LOOPS: usize = 0x7FFF;
/// Quadwords after which a new DMA tag begins: a tag counts to 0xFFFF, and one call adds at most [`MAX_LOOPS`].
const LONG_STRETCH: usize = 0x7000;

/// Kinds of DMA tags.
#[derive(Clone, Copy)]
#[repr(u32)]
enum DmaTag {
    Continue = 1,
    Reference = 3,
    End = 7,
}

impl DmaTag {
    fn quad(self, quads: usize, address: u32) -> Quad {
        Quad([quads as u32 & 0xFFFF | (self as u32) << 28, address, 0, 0])
    }
}

/// Kinds of data behind a GIF tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Register number and value.
    Registers,
    /// RGBAQ and XYZ2.
    Colour,
    /// RGBAQ, UV, XYZ2 and nothing.
    Texels,
    /// ST, RGBAQ, XYZ2 and nothing.
    Perspective,
    /// ST, RGBAQ and XYZF2, a quadword each.
    Packed,
}

impl Kind {
    /// The tag's upper bits: format, number of registers, their list.
    const fn tag(self, loops: usize, end_of_packet: bool) -> Quad {
        const PACKED: u64 = 0;
        const REGISTER_LIST: u64 = 1;
        let (format, count, list) = match self {
            Self::Registers => (PACKED, 1, 0xE),
            Self::Colour => (REGISTER_LIST, 2, 0x51),
            Self::Texels => (REGISTER_LIST, 4, 0xF531),
            Self::Perspective => (REGISTER_LIST, 4, 0xF512),
            Self::Packed => (PACKED, 3, 0x412),
        };
        Quad::pair(loops as u64 | (end_of_packet as u64) << 15 | format << 58 | count << 60, list)
    }
}

/// A GIF tag whose count is not known yet.
#[derive(Clone, Copy)]
struct Open {
    kind: Kind,
    tag: usize,
    loops: usize,
}

/// A finished chain, ready for the DMA controller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Address of the first DMA tag.
    pub address: u32,
    /// Quadwords in the packet's own memory.
    pub quads: usize,
    /// Primitives and registers that did not fit.
    pub dropped: u32,
}

/// Memory that chains read: its place and size, without a hold on it.
///
/// Whoever makes one keeps the memory unchanged until the last chain that refers to it is done; otherwise the picture shows
/// whatever lies there, and nothing worse happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Source {
    /// Where it begins.
    pub address: u32,
    /// Its quadwords.
    pub quads: u32,
}

impl Source {
    /// Lines that were written back.
    pub fn of_lines(lines: &[Line]) -> Self {
        Self { address: lines.as_ptr() as usize as u32, quads: (lines.len() * QUADS_PER_LINE) as u32 }
    }

    /// Quadwords, which are written back here.
    pub fn of_quads(quads: &[Quad]) -> Self {
        #[cfg(target_arch = "mips")]
        super::cache::write_back_slice(quads);
        Self { address: quads.as_ptr() as usize as u32, quads: quads.len() as u32 }
    }
}

/// Quadwords of a vertex in the packed format.
const PACKED_QUADS: usize = 3;
/// Corners of a sprite, and its quadwords when they carry texels.
const SPRITE_CORNERS: usize = 2;
/// Quadwords of a sprite whose corners carry texels.
pub const SPRITE_QUADS: usize = 4;
/// Vertices of a triangle.
const CORNERS: usize = 3;

/// Takes triangles into a packet.
pub struct Triangles<'p> {
    places: core::slice::ChunksExactMut<'p, Quad>,
    dropped: u32,
}

impl Triangles<'_> {
    /// Adds a triangle, or counts it when the packet is full.
    #[inline]
    pub fn push(&mut self, corners: [&Quad; CORNERS]) {
        if let Some([a, b, c]) = self.places.next() {
            (*a, *b, *c) = (*corners[0], *corners[1], *corners[2]);
        } else {
            self.dropped += 1;
        }
    }
}

/// A DMA chain under construction.
pub struct Packet<'a> {
    quads: &'a mut [Quad],
    used: usize,
    dma_tag: usize,
    open: Option<Open>,
    prim: Option<Prim>,
    dropped: u32,
}

impl<'a> Packet<'a> {
    /// An empty chain in `memory`, which must hold at least three lines to be of use.
    pub fn new(memory: &'a mut [Line]) -> Self {
        let count = memory.len() * QUADS_PER_LINE;
        // SAFETY: a line is four quadwords without padding, and the slice covers the same memory.
        let quads = unsafe { core::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<Quad>(), count) };
        Self { quads, used: 1, dma_tag: 0, open: None, prim: None, dropped: 0 }
    }

    /// Quadwords used so far.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Primitives and registers that did not fit so far.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    fn fits(&mut self, quads: usize) -> bool {
        let room = self.quads.len().saturating_sub(self.used + END_RESERVE);
        let fits = quads <= room;
        self.dropped += u32::from(!fits);
        // The new tag takes a quadword more.
        if quads < room && self.used - self.dma_tag > LONG_STRETCH {
            self.close(false);
            self.close_dma(DmaTag::Continue);
            self.dma_tag = self.used;
            self.used += 1;
        }
        fits
    }

    fn put(&mut self, at: usize, quad: Quad) {
        if let Some(place) = self.quads.get_mut(at) {
            *place = quad;
        }
    }

    fn push(&mut self, quad: Quad) {
        self.put(self.used, quad);
        self.used += 1;
    }

    fn close(&mut self, end_of_packet: bool) {
        if let Some(open) = self.open.take() {
            self.put(open.tag, open.kind.tag(open.loops, end_of_packet));
        }
    }

    /// Makes room for `loops` more of `kind` behind an open tag.
    fn extend(&mut self, kind: Kind, loops: usize) {
        match &mut self.open {
            Some(open) if open.kind == kind && open.loops + loops <= MAX_LOOPS => open.loops += loops,
            _ => {
                self.close(false);
                self.open = Some(Open { kind, tag: self.used, loops });
                self.used += 1;
            }
        }
    }

    /// Writes a register.
    pub fn set<R: Register>(&mut self, register: R) {
        if self.fits(2) {
            self.write(register);
        }
    }

    fn write<R: Register>(&mut self, register: R) {
        self.extend(Kind::Registers, 1);
        self.push(Quad::pair(register.bits(), u64::from(R::ADDRESS)));
    }

    /// Makes `prim` the current primitive; also forgets vertices of an unfinished one.
    fn primitive(&mut self, prim: Prim) {
        if self.prim != Some(prim) {
            self.write(prim);
            self.prim = Some(prim);
        }
    }

    /// Draws a primitive of coloured vertices.
    pub fn colour<const N: usize>(&mut self, prim: Prim, vertices: [(Rgbaq, Xyz2); N]) {
        if !self.fits(N + 3) {
            return;
        }
        self.primitive(prim);
        self.extend(Kind::Colour, N);
        for (colour, position) in vertices {
            self.push(Quad::pair(colour.0, position.0));
        }
    }

    /// Draws a primitive of vertices that are quadwords already: colour and Q, then position and depth.
    #[inline]
    pub fn quads<const N: usize>(&mut self, prim: Prim, vertices: [Quad; N]) {
        if !self.fits(N + 3) {
            return;
        }
        self.primitive(prim);
        self.extend(Kind::Colour, N);
        let end = self.used + N;
        if let Some(places) = self.quads.get_mut(self.used..end) {
            places.copy_from_slice(&vertices);
        }
        self.used = end;
    }

    /// Draws many triangles of vertices that are quadwords already: `emit` pushes them.
    pub fn triangles(&mut self, prim: Prim, emit: impl FnOnce(&mut Triangles)) {
        if !self.fits(CORNERS + 3) {
            return;
        }
        self.primitive(prim);
        self.close(false);
        let tag = self.used;
        let room = (self.quads.len() - END_RESERVE - tag - 1).min(MAX_LOOPS) / CORNERS * CORNERS;
        let Some(places) = self.quads.get_mut(tag + 1..tag + 1 + room) else { return };
        let mut triangles = Triangles { places: places.chunks_exact_mut(CORNERS), dropped: 0 };
        emit(&mut triangles);
        let loops = room - triangles.places.len() * CORNERS;
        self.dropped += triangles.dropped;
        self.used += 1 + loops;
        self.put(tag, Kind::Colour.tag(loops, false));
    }

    /// Draws a primitive of `count` vertices in the packed format, three quadwords each: texture coordinates, colour, place
    /// with fog. `fill` gets their place and must write all of it.
    pub fn packed(&mut self, prim: Prim, count: usize, fill: impl FnOnce(&mut [Quad])) {
        let quads = count * PACKED_QUADS;
        if !self.fits(quads + 3) || count > MAX_LOOPS {
            return;
        }
        self.primitive(prim);
        self.extend(Kind::Packed, count);
        let end = self.used + quads;
        if let Some(places) = self.quads.get_mut(self.used..end) {
            fill(places);
        }
        self.used = end;
    }

    /// Draws a primitive whose vertices carry texels.
    pub fn texels<const N: usize>(&mut self, prim: Prim, vertices: [(Rgbaq, Uv, Xyz2); N]) {
        if !self.fits(2 * N + 3) {
            return;
        }
        self.primitive(prim);
        self.extend(Kind::Texels, N);
        for (colour, texel, position) in vertices {
            self.push(Quad::pair(colour.0, texel.0));
            self.push(Quad::pair(position.0, 0));
        }
    }

    /// Draws `count` sprites whose corners carry texels: for each corner colour and texel, then the place. `fill` gets the
    /// sprites' place, [`SPRITE_QUADS`] each, and must write all of it.
    pub fn sprites(&mut self, prim: Prim, count: usize, fill: impl FnOnce(&mut [Quad])) {
        let (quads, loops) = (count * SPRITE_QUADS, count * SPRITE_CORNERS);
        if count == 0 || loops > MAX_LOOPS || !self.fits(quads + 3) {
            return;
        }
        self.primitive(prim);
        self.extend(Kind::Texels, loops);
        let end = self.used + quads;
        if let Some(places) = self.quads.get_mut(self.used..end) {
            fill(places);
        }
        self.used = end;
    }

    /// Draws a primitive whose vertices carry texture coordinates divided by depth.
    pub fn perspective<const N: usize>(&mut self, prim: Prim, vertices: [(St, Rgbaq, Xyz2); N]) {
        if !self.fits(2 * N + 3) {
            return;
        }
        self.primitive(prim);
        self.extend(Kind::Perspective, N);
        for (texture, colour, position) in vertices {
            self.push(Quad::pair(texture.0, colour.0));
            self.push(Quad::pair(position.0, 0));
        }
    }

    /// Sends `data` to the GS's memory: `size` texels at the destination's corner. The data must be written back, and stay
    /// unchanged until the chain is done.
    pub fn upload(&mut self, destination: BitBltBuf, size: (u32, u32), data: &'a [Line]) {
        self.upload_from(destination, size, Source::of_lines(data));
    }

    /// Sends data that stay where they are for longer than any chain: see [`Source`].
    pub fn upload_from(&mut self, destination: BitBltBuf, size: (u32, u32), source: Source) {
        let quads = source.quads as usize;
        if !self.fits(8) || quads > MAX_LOOPS {
            return;
        }
        self.write(destination);
        self.write(TrxPos::to(0, 0));
        self.write(TrxReg::new(size.0, size.1));
        self.write(TrxDir::UPLOAD);
        self.close(false);
        const IMAGE: u64 = 2;
        self.push(Quad::pair(quads as u64 | IMAGE << 58, 0));
        self.close_dma(DmaTag::Continue);
        self.push(DmaTag::Reference.quad(quads, source.address));
        self.dma_tag = self.used;
        self.used += 1;
    }

    fn close_dma(&mut self, tag: DmaTag) {
        let quads = self.used - self.dma_tag - 1;
        self.put(self.dma_tag, tag.quad(quads, 0));
    }

    /// Ends the chain of a frame: with `token`, by which pacing knows what was drawn, and a FINISH command.
    pub fn finish_with(mut self, token: u32) -> Chain {
        self.write(Label::new(token));
        self.finish()
    }

    /// Ends the chain with a FINISH command.
    pub fn finish(mut self) -> Chain {
        self.write(Finish::default());
        self.close(true);
        self.close_dma(DmaTag::End);
        Chain { address: self.quads.as_ptr() as usize as u32, quads: self.used, dropped: self.dropped }
    }
}

#[cfg(test)]
#[path = "gif_tests.rs"]
mod tests;
