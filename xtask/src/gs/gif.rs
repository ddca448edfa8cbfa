//! The way to the GS: the DMA controller's chains and the GIF's packets.
//!
//! Source: EE facts, sections 6 and 8.

use super::doubt::{Doubt, Doubts};
use boardwalk::ee::gif::{Line, Quad, Source};

/// Main memory, as far as chains read it.
#[derive(Clone, Debug, Default)]
pub struct MainMemory {
    pieces: Vec<(u32, Vec<Quad>)>,
}

impl MainMemory {
    /// Nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts in a copy of `lines` at the address under which packets know them.
    pub fn add_lines(&mut self, lines: &[Line]) {
        self.pieces.push((Source::of_lines(lines).address, lines.iter().flat_map(|line| line.0).collect()));
    }

    /// The same of quadwords.
    pub fn add_quads(&mut self, quads: &[Quad]) {
        self.pieces.push((Source::of_quads(quads).address, quads.to_vec()));
    }

    /// `count` quadwords from an address on. Newer pieces come first.
    fn read(&self, address: u32, count: usize) -> Option<&[Quad]> {
        self.pieces.iter().rev().find_map(|(begin, quads)| {
            let at = address.checked_sub(*begin)? as usize / size_of::<Quad>();
            quads.get(at..at.checked_add(count)?)
        })
    }
}

/// Kinds of DMA tags.
mod tag {
    pub const REFERENCE_END: u32 = 0;
    pub const CONTINUE: u32 = 1;
    pub const NEXT: u32 = 2;
    pub const REFERENCE: u32 = 3;
    pub const REFERENCE_STALL: u32 = 4;
    pub const END: u32 = 7;
}

/// Tags after which a chain counts as endless.
const MOST_TAGS: usize = 100_000;

/// Reads a chain as the DMA controller does and hands its quadwords to `out`, the tags left out.
pub fn read_chain(memory: &MainMemory, address: u32, doubts: &mut Doubts, mut out: impl FnMut(Quad, &mut Doubts)) {
    let mut at = address;
    for _ in 0..MOST_TAGS {
        let Some(&[Quad([low, address, ..])]) = memory.read(at, 1) else {
            return doubts.add(Doubt::NoMemory(at));
        };
        let (count, kind) = (low as usize & 0xFFFF, low >> 28 & 7);
        let behind = at.wrapping_add(16);
        let (data, next) = match kind {
            tag::CONTINUE | tag::END => (behind, behind.wrapping_add(count as u32 * 16)),
            tag::NEXT => (behind, address),
            tag::REFERENCE | tag::REFERENCE_STALL | tag::REFERENCE_END => (address, behind),
            _ => return doubts.add(Doubt::Tag(kind)),
        };
        if data % 16 != 0 {
            doubts.add(Doubt::Unaligned(data));
        }
        match memory.read(data, count) {
            Some(quads) => quads.iter().for_each(|quad| out(*quad, doubts)),
            None => return doubts.add(Doubt::NoMemory(data)),
        }
        if matches!(kind, tag::END | tag::REFERENCE_END) {
            return;
        }
        at = next;
    }
    doubts.add(Doubt::Endless);
}

/// What a packet asks of the GS.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Order {
    /// Write a register.
    Write(u8, u64),
    /// Take the quadword as pixels.
    Pixels(Quad),
}

/// Numbers of registers that packets know by four bits.
mod descriptor {
    pub const RGBAQ: u8 = 1;
    pub const ST: u8 = 2;
    pub const UV: u8 = 3;
    pub const XYZF2: u8 = 4;
    pub const XYZ2: u8 = 5;
    pub const FOG: u8 = 0xA;
    pub const ADDRESS_DATA: u8 = 0xE;
    pub const NOTHING: u8 = 0xF;
}

/// Formats of the data behind a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    Packed,
    List,
    Image,
}

/// The tag under way.
#[derive(Clone, Copy, Debug)]
struct Tag {
    layout: Layout,
    registers: u64,
    count: u32,
    /// Registers, or quadwords of pixels, still to come.
    left: u32,
    next: u32,
}

impl Tag {
    fn take_register(&mut self) -> u8 {
        let register = (self.registers >> (self.next * 4) & 0xF) as u8;
        self.next = (self.next + 1) % self.count;
        self.left -= 1;
        register
    }
}

/// Unpacks packets.
#[derive(Clone, Debug)]
pub struct Gif {
    tag: Option<Tag>,
    /// The divisor that the last packed ST brought.
    q: u32,
    /// The last tag closed its packet.
    closed: bool,
}

impl Default for Gif {
    fn default() -> Self {
        Self { tag: None, q: 1.0_f32.to_bits(), closed: true }
    }
}

impl Gif {
    /// True between packets.
    pub fn is_idle(&self) -> bool {
        self.tag.is_none() && self.closed
    }

    /// Takes a quadword; what it asks for goes to `out`.
    pub fn feed(&mut self, quad: Quad, doubts: &mut Doubts, mut out: impl FnMut(Order, &mut Doubts)) {
        let Some(mut tag) = self.tag.take() else {
            self.tag = self.open(quad, doubts, &mut out);
            return;
        };
        match tag.layout {
            Layout::Image => {
                tag.left -= 1;
                out(Order::Pixels(quad), doubts);
            }
            Layout::List => {
                let Quad([a, b, c, d]) = quad;
                for value in [u64::from(a) | u64::from(b) << 32, u64::from(c) | u64::from(d) << 32] {
                    if tag.left > 0 {
                        match tag.take_register() {
                            descriptor::NOTHING => {}
                            descriptor::ADDRESS_DATA => doubts.add(Doubt::ListedAddress),
                            register => out(Order::Write(register, value), doubts),
                        }
                    }
                }
            }
            Layout::Packed => {
                if let Some((register, value)) = self.packed(tag.take_register(), quad) {
                    out(Order::Write(register, value), doubts);
                }
            }
        }
        self.tag = (tag.left > 0).then_some(tag);
    }

    fn open(&mut self, quad: Quad, doubts: &mut Doubts, out: &mut impl FnMut(Order, &mut Doubts)) -> Option<Tag> {
        let Quad([low, high, list_low, list_high]) = quad;
        let loops = low & 0x7FFF;
        self.closed = low >> 15 & 1 != 0;
        self.q = 1.0_f32.to_bits();
        let count = match high >> 28 {
            0 => 16,
            count => count,
        };
        let layout = match high >> 26 & 3 {
            0 => Layout::Packed,
            1 => Layout::List,
            2 => Layout::Image,
            _ => {
                doubts.add(Doubt::ReservedFormat);
                Layout::Image
            }
        };
        if high >> 14 & 1 != 0 && layout == Layout::Packed && loops > 0 {
            out(Order::Write(0, u64::from(high >> 15 & 0x7FF)), doubts);
        }
        let left = if layout == Layout::Image { loops } else { loops * count };
        let registers = u64::from(list_low) | u64::from(list_high) << 32;
        (left > 0).then_some(Tag { layout, registers, count, left, next: 0 })
    }

    /// A packed quadword as a register's number and value.
    fn packed(&mut self, register: u8, quad: Quad) -> Option<(u8, u64)> {
        /// In the fourth word: the vertex draws nothing.
        const NO_DRAW: u32 = 1 << 15;
        /// What turns a register that draws into the one that does not.
        const QUIET: u8 = 8;
        let Quad([a, b, c, d]) = quad;
        let wide = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let quiet = if d & NO_DRAW != 0 { QUIET } else { 0 };
        Some(match register {
            descriptor::RGBAQ => {
                (register, wide(a & 0xFF | (b & 0xFF) << 8 | (c & 0xFF) << 16 | (d & 0xFF) << 24, self.q))
            }
            descriptor::ST => {
                self.q = c;
                (register, wide(a, b))
            }
            descriptor::UV => (register, wide(a & 0x3FFF | (b & 0x3FFF) << 16, 0)),
            descriptor::XYZF2 => {
                let depth_and_fog = c >> 4 & 0xFF_FFFF | (d >> 4 & 0xFF) << 24;
                (register + quiet, wide(a & 0xFFFF | (b & 0xFFFF) << 16, depth_and_fog))
            }
            descriptor::XYZ2 => (register + quiet, wide(a & 0xFFFF | (b & 0xFFFF) << 16, c)),
            descriptor::FOG => (register, wide(0, (d >> 4 & 0xFF) << 24)),
            descriptor::ADDRESS_DATA => (c as u8 & 0x7F, wide(a, b)),
            descriptor::NOTHING => return None,
            other => (other, wide(a, b)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwalk::ee::gif::Packet;
    use boardwalk::ee::gs::PixelFormat;
    use boardwalk::ee::gs::general::{BitBltBuf, Prim, Rgbaq, Shape, Xyz2};

    fn orders(quads: &[Quad]) -> Vec<Order> {
        let (mut gif, mut doubts, mut orders) = (Gif::default(), Doubts::default(), vec![]);
        for quad in quads {
            gif.feed(*quad, &mut doubts, |order, _| orders.push(order));
        }
        assert!(doubts.is_empty(), "{doubts:?}");
        orders
    }

    #[test]
    fn a_chain_of_the_engine_is_read_back_as_its_registers() {
        let mut memory = vec![Line::default(); 16];
        let pixels = [Line([Quad([7; 4]); 4])];
        let mut packet = Packet::new(&mut memory);
        packet.colour(Prim::new(Shape::Point), [(Rgbaq::new(1, 2, 3, 4), Xyz2::new(5, 6, 7))]);
        packet.upload(BitBltBuf::upload(64, 64, PixelFormat::Ct32), (8, 2), &pixels);
        let chain = packet.finish();
        let mut main = MainMemory::new();
        main.add_lines(&memory);
        main.add_lines(&pixels);
        let (mut doubts, mut quads) = (Doubts::default(), vec![]);
        read_chain(&main, chain.address, &mut doubts, |quad, _| quads.push(quad));
        let orders = orders(&quads);
        assert!(doubts.is_empty(), "{doubts:?}");
        assert_eq!(
            orders[..3],
            [Order::Write(0, 0), Order::Write(1, 0x3F80_0000_0403_0201), Order::Write(5, 7 << 32 | 6 << 16 | 5)]
        );
        assert_eq!(orders.iter().filter(|order| **order == Order::Pixels(Quad([7; 4]))).count(), 4);
        assert_eq!(orders.last(), Some(&Order::Write(0x61, 0)));
    }

    #[test]
    fn a_reference_to_what_is_not_there_is_doubted() {
        let mut memory = vec![Line::default(); 16];
        let pixels = [Line::default()];
        let mut packet = Packet::new(&mut memory);
        packet.upload(BitBltBuf::upload(64, 64, PixelFormat::Ct32), (8, 2), &pixels);
        let chain = packet.finish();
        let mut main = MainMemory::new();
        main.add_lines(&memory);
        let mut doubts = Doubts::default();
        read_chain(&main, chain.address, &mut doubts, |_, _| {});
        assert!(!doubts.is_empty());
    }

    #[test]
    fn packed_vertices_take_the_divisor_of_their_texture_coordinates() {
        let tag = Quad::pair(1 | 1 << 15 | 3 << 60, 0x412);
        let vertex =
            [Quad::floats([1.0, 2.0, 0.5, 0.0]), Quad([1, 2, 3, 4]), Quad([16, 32, 9 << 4, 200 << 4 | 1 << 15])];
        let orders = orders(&[tag, vertex[0], vertex[1], vertex[2]]);
        assert_eq!(orders[1], Order::Write(1, u64::from(0.5_f32.to_bits()) << 32 | 0x0403_0201));
        assert_eq!(orders[2], Order::Write(0xC, (200 << 24 | 9) << 32 | 32 << 16 | 16), "the vertex draws nothing");
    }

    #[test]
    fn lists_of_an_odd_length_end_with_half_a_quadword() {
        let tag = Quad::pair(1 | 1 << 15 | 1 << 58 | 3 << 60, 0x511);
        let orders = orders(&[tag, Quad([1, 0, 2, 0]), Quad([3, 0, 99, 99]), tag]);
        assert_eq!(orders, [Order::Write(1, 1), Order::Write(1, 2), Order::Write(5, 3)]);
    }
}
