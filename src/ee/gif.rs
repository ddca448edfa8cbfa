//! Packets for the drawing hardware, built in place in memory that DMA reads.
//!
//! A [`Packet`] is a DMA chain whose data are GIF packets. Registers go as address and data, vertices as register lists with
//! two or four registers each, so that every vertex fills whole quadwords, textures as references to their own memory. The
//! open GIF tag is extended as long as the same kind of data follows and closed by writing its count. A full buffer drops
//! what does not fit and counts it; the chain stays valid.
//!
//! Source: EE facts, sections 6 and 8.

use super::gs::general::{BitBltBuf, Finish, Label, Prim, Register, Rgbaq, St, TrxDir, TrxPos, TrxReg, Uv, Xyz2};

/// One quadword.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(16))]
pub struct Quad(pub [u32; 4]);

impl Quad {
    /// Two 64-bit values, lower half first.
    pub const fn pair(low: u64, high: u64) -> Self {
        Self([low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32])
    }

    /// The quadword that holds four floats.
    pub const fn floats(values: [f32; 4]) -> Self {
        Self([values[0].to_bits(), values[1].to_bits(), values[2].to_bits(), values[3].to_bits()])
    }

    /// Its four words as floats.
    pub const fn to_floats(self) -> [f32; 4] {
        let Self([x, y, z, w]) = self;
        [f32::from_bits(x), f32::from_bits(y), f32::from_bits(z), f32::from_bits(w)]
    }

    /// Bytes as quadwords; `None` when they do not begin at a multiple of sixteen. An incomplete last one is left out.
    pub fn of_bytes(bytes: &[u8]) -> Option<&[Self]> {
        // SAFETY: every pattern of bits is four words.
        let (before, quads, _) = unsafe { bytes.align_to::<Self>() };
        before.is_empty().then_some(quads)
    }

    /// The bytes of quadwords, as they lie in memory.
    pub const fn bytes(quads: &[Self]) -> &[u8] {
        // SAFETY: words have no padding, and every byte of them is initialised.
        unsafe { core::slice::from_raw_parts(quads.as_ptr().cast(), size_of_val(quads)) }
    }

    /// The bytes of quadwords, to be written.
    pub const fn bytes_mut(quads: &mut [Self]) -> &mut [u8] {
        // SAFETY: every pattern of bits is four words, and the borrow is the only one.
        unsafe { core::slice::from_raw_parts_mut(quads.as_mut_ptr().cast(), size_of_val(quads)) }
    }

    /// Quadwords as words, lowest first.
    pub const fn words(quads: &[Self]) -> &[u32] {
        // SAFETY: a quadword is four words without padding.
        unsafe { core::slice::from_raw_parts(quads.as_ptr().cast(), quads.len() * 4) }
    }

    /// Quadwords as half words, lowest first.
    pub const fn half_words(quads: &[Self]) -> &[u16] {
        // SAFETY: a quadword is eight half words without padding, and every pattern of bits is one.
        unsafe { core::slice::from_raw_parts(quads.as_ptr().cast(), quads.len() * 8) }
    }
}

/// Four quadwords: one cache line, the unit in which DMA memory is owned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(64))]
pub struct Line(pub [Quad; 4]);

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
mod tests {
    use super::*;
    use crate::ee::gs::PixelFormat;
    use crate::ee::gs::general::{Shape, TexFlush};

    const TRIANGLE: Prim = Prim::new(Shape::Triangle).gouraud();

    fn corner(x: u16) -> (Rgbaq, Xyz2) {
        (Rgbaq::new(1, 2, 3, 4), Xyz2::new(x, 5, 6))
    }

    #[test]
    fn an_empty_chain_is_one_tag_and_the_finish_command() {
        let mut memory = [Line::default(); 4];
        let chain = Packet::new(&mut memory).finish();
        assert_eq!(chain.quads, 3);
        assert_eq!(memory[0].0[0], Quad([0x7000_0002, 0, 0, 0]));
        assert_eq!(memory[0].0[1], Quad([0x8001, 0x1000_0000, 0xE, 0]));
        assert_eq!(memory[0].0[2], Quad([0, 0, 0x61, 0]));
    }

    #[test]
    fn a_frames_chain_carries_its_token_right_before_the_finish_command() {
        let mut memory = [Line::default(); 4];
        let chain = Packet::new(&mut memory).finish_with(0x41);
        assert_eq!(chain.quads, 4);
        assert_eq!(memory[0].0[1], Quad([0x8002, 0x1000_0000, 0xE, 0]), "one tag for both");
        assert_eq!(memory[0].0[2], Quad([0x41, u32::MAX, 0x62, 0]));
        assert_eq!(memory[0].0[3], Quad([0, 0, 0x61, 0]));
    }

    #[test]
    fn triangles_in_a_row_share_a_tag_and_a_primitive() {
        let mut memory = [Line::default(); 16];
        let mut packet = Packet::new(&mut memory);
        packet.colour(TRIANGLE, [corner(1), corner(2), corner(3)]);
        packet.colour(TRIANGLE, [corner(4), corner(5), corner(6)]);
        let chain = packet.finish();
        // DMA tag, PRIM and its tag, the vertices and their tag, FINISH and its tag.
        assert_eq!(chain.quads, 1 + 2 + 1 + 6 + 2);
        assert_eq!(memory[0].0[2], Quad([0x0B, 0, 0, 0]));
        assert_eq!(memory[0].0[3], Quad([6, 0x2400_0000, 0x51, 0]));
        assert_eq!(memory[1].0[0], Quad([0x0403_0201, 0x3F80_0000, 0x0005_0001, 6]));
    }

    #[test]
    fn many_sprites_at_once_are_the_same_packet_as_one_by_one() {
        use crate::ee::gs::general::Shape;
        const SPRITE: Prim = Prim::new(Shape::Sprite).texel_coordinates();
        let corner = |n: u16| (Rgbaq::new(n as u8, 2, 3, 4), Uv::new(n, 5), Xyz2::new(n, 6, 0));
        let (mut single, mut many) = ([Line::default(); 16], [Line::default(); 16]);
        let mut packet = Packet::new(&mut single);
        for n in 0..3 {
            packet.texels(SPRITE, [corner(n), corner(n + 100)]);
        }
        let one_by_one = packet.finish();
        let mut packet = Packet::new(&mut many);
        packet.sprites(SPRITE, 3, |places| {
            for (n, sprite) in (0..3).zip(places.chunks_exact_mut(SPRITE_QUADS)) {
                let corners = [corner(n), corner(n + 100)];
                for ((colour, texel, place), quads) in corners.into_iter().zip(sprite.chunks_exact_mut(2)) {
                    (quads[0], quads[1]) = (Quad::pair(colour.0, texel.0), Quad::pair(place.0, 0));
                }
            }
        });
        assert_eq!(packet.finish().quads, one_by_one.quads);
        assert_eq!(single, many);
    }

    #[test]
    fn many_triangles_fill_one_tag_and_drop_what_does_not_fit() {
        let mut memory = [Line::default(); 6];
        let mut packet = Packet::new(&mut memory);
        let triangle = [Quad([1, 2, 3, 4]); 3];
        packet.triangles(TRIANGLE, |triangles| {
            for _ in 0..5 {
                triangles.push(triangle.each_ref());
            }
        });
        let chain = packet.finish();
        assert_eq!(chain.dropped, 1, "12 of 24 quadwords are left for triangles");
        assert_eq!(memory[0].0[3], Quad([12, 0x2400_0000, 0x51, 0]));
        assert_eq!(memory[1].0[0], triangle[0]);
    }

    #[test]
    fn an_upload_splits_the_chain_around_a_reference() {
        let mut memory = [Line::default(); 16];
        let data = [Line::default(); 4];
        let mut packet = Packet::new(&mut memory);
        packet.upload(BitBltBuf::upload(0x3480, 64, PixelFormat::Ct32), (8, 8), &data);
        packet.set(TexFlush::default());
        let chain = packet.finish();
        let quad = |index: usize| memory[index / 4].0[index % 4];
        assert_eq!(quad(0).0[0], 0x1000_0006, "tag, four registers, image tag");
        assert_eq!(quad(6), Quad([16, 0x0800_0000, 0, 0]));
        assert_eq!(quad(7), Quad([0x3000_0010, data.as_ptr() as usize as u32, 0, 0]));
        assert_eq!(quad(8).0[0], 0x7000_0003, "tag, flush, finish");
        assert_eq!(chain.quads, 12);
    }

    #[test]
    fn a_long_stretch_is_cut_so_that_every_tag_can_count_it() {
        let mut memory = alloc::vec![Line::default(); 20_000];
        let mut packet = Packet::new(&mut memory);
        while packet.dropped() == 0 {
            packet.colour(TRIANGLE, [corner(1), corner(2), corner(3)]);
        }
        let chain = packet.finish();
        let (mut at, mut tags) = (0, 0);
        loop {
            let tag = memory[at / 4].0[at % 4].0[0];
            (at, tags) = (at + 1 + (tag & 0xFFFF) as usize, tags + 1);
            if tag >> 28 == 7 {
                break;
            }
            assert_eq!(tag >> 28, 1, "the chain goes on");
        }
        assert_eq!((at, tags), (chain.quads, 3), "no tag counts less than it has");
    }

    #[test]
    fn a_full_buffer_counts_what_it_drops_and_still_ends() {
        let mut memory = [Line::default(); 6];
        let mut packet = Packet::new(&mut memory);
        for _ in 0..10 {
            packet.colour(TRIANGLE, [corner(1), corner(2), corner(3)]);
        }
        let chain = packet.finish();
        assert_eq!(chain.dropped, 7);
        assert!(chain.quads <= 24, "{} quadwords", chain.quads);
        assert_eq!(memory[0].0[0].0[0] >> 28, 7, "the chain ends");
    }
}
