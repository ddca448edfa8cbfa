//! The GS's own 4 MiB, laid out as the hardware does: pages, blocks, columns.
//!
//! A buffer is a base and a width; where a pixel lies follows from its format. What one format writes another reads back in
//! the other's order, which is what makes overlapping buffers show.
//!
//! Source: EE facts, section 11.

/// Words of the memory.
const WORDS: usize = 1 << 20;
/// Words of a block.
const BLOCK_WORDS: u32 = 64;
/// Blocks of a page.
pub const PAGE_BLOCKS: u32 = 32;
/// Blocks of the memory; addresses beyond begin anew.
pub const BLOCKS: u32 = 0x4000;

/// Pixel formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// 32 bits: red, green, blue, alpha.
    Ct32,
    /// 24 bits in 32.
    Ct24,
    /// 16 bits.
    Ct16,
    /// 16 bits, blocks in another order.
    Ct16S,
    /// Indices of 8 bits.
    T8,
    /// Indices of 4 bits.
    T4,
    /// Indices in the upper 8 bits of 32.
    T8H,
    /// Indices in bits 24 to 27 of 32.
    T4HL,
    /// Indices in bits 28 to 31 of 32.
    T4HH,
    /// Depth of 32 bits.
    Z32,
    /// Depth of 24 bits in 32.
    Z24,
    /// Depth of 16 bits.
    Z16,
    /// Depth of 16 bits, blocks in another order.
    Z16S,
}

/// How blocks and columns are ordered, whatever the bits mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Words,
    Halves,
    HalvesS,
    Bytes,
    Nibbles,
}

/// Numbers of the blocks of a page of 4 rows of 8.
const WIDE: [[u8; 8]; 4] = [
    [0, 1, 4, 5, 16, 17, 20, 21],
    [2, 3, 6, 7, 18, 19, 22, 23],
    [8, 9, 12, 13, 24, 25, 28, 29],
    [10, 11, 14, 15, 26, 27, 30, 31],
];
/// Numbers of the blocks of a page of 8 rows of 4.
const TALL: [[u8; 4]; 8] = [
    [0, 2, 8, 10],
    [1, 3, 9, 11],
    [4, 6, 12, 14],
    [5, 7, 13, 15],
    [16, 18, 24, 26],
    [17, 19, 25, 27],
    [20, 22, 28, 30],
    [21, 23, 29, 31],
];
/// The same for the second 16-bit format.
const TALL_S: [[u8; 4]; 8] = [
    [0, 2, 16, 18],
    [1, 3, 17, 19],
    [8, 10, 24, 26],
    [9, 11, 25, 27],
    [4, 6, 20, 22],
    [5, 7, 21, 23],
    [12, 14, 28, 30],
    [13, 15, 29, 31],
];
/// Words of a column of two rows; bytes and nibbles take the second pair of rows in every second half column.
const COLUMN_WORDS: [[[u8; 8]; 2]; 2] = [
    [[0, 1, 4, 5, 8, 9, 12, 13], [2, 3, 6, 7, 10, 11, 14, 15]],
    [[8, 9, 12, 13, 0, 1, 4, 5], [10, 11, 14, 15, 2, 3, 6, 7]],
];
/// Half words of a column's first row; the second row has four more.
const COLUMN_HALVES: [u8; 16] = [0, 2, 8, 10, 16, 18, 24, 26, 1, 3, 9, 11, 17, 19, 25, 27];

impl Layout {
    /// Log2 of a block's sides in pixels, and of a page's.
    const fn sizes(self) -> ((u32, u32), (u32, u32)) {
        match self {
            Self::Words => ((3, 3), (6, 5)),
            Self::Halves | Self::HalvesS => ((4, 3), (6, 6)),
            Self::Bytes => ((4, 4), (7, 6)),
            Self::Nibbles => ((5, 4), (7, 7)),
        }
    }

    const fn block(self, column: usize, row: usize) -> u8 {
        match self {
            Self::Words | Self::Bytes => WIDE[row & 3][column & 7],
            Self::Halves | Self::Nibbles => TALL[row & 7][column & 3],
            Self::HalvesS => TALL_S[row & 7][column & 3],
        }
    }

    /// The word inside the block, and the lowest bit of the pixel in it.
    const fn inside(self, x: u32, y: u32) -> (u32, u32) {
        match self {
            Self::Words => {
                let word = COLUMN_WORDS[0][(y & 1) as usize][(x & 7) as usize];
                (word as u32 + (y >> 1 & 3) * 16, 0)
            }
            Self::Halves | Self::HalvesS => {
                let half = COLUMN_HALVES[(x & 15) as usize] as u32 + (y & 1) * 4 + (y >> 1 & 3) * 32;
                (half / 2, half % 2 * 16)
            }
            Self::Bytes | Self::Nibbles => {
                let second = ((y >> 1 ^ y >> 2) & 1) as usize;
                let word = COLUMN_WORDS[second][(y & 1) as usize][(x & 7) as usize];
                let shift = match self {
                    Self::Bytes => ((x & 8) >> 2 | (y & 2) >> 1) * 8,
                    _ => (x & 0x18) + ((y & 2) << 1),
                };
                (word as u32 + (y >> 2 & 3) * 16, shift)
            }
        }
    }
}

impl Format {
    /// The format of a register's code.
    pub const fn from_code(code: u64) -> Option<Self> {
        Some(match code {
            0x00 => Self::Ct32,
            0x01 => Self::Ct24,
            0x02 => Self::Ct16,
            0x0A => Self::Ct16S,
            0x13 => Self::T8,
            0x14 => Self::T4,
            0x1B => Self::T8H,
            0x24 => Self::T4HL,
            0x2C => Self::T4HH,
            0x30 => Self::Z32,
            0x31 => Self::Z24,
            0x32 => Self::Z16,
            0x3A => Self::Z16S,
            _ => return None,
        })
    }

    const fn layout(self) -> Layout {
        match self {
            Self::Ct16 | Self::Z16 => Layout::Halves,
            Self::Ct16S | Self::Z16S => Layout::HalvesS,
            Self::T8 => Layout::Bytes,
            Self::T4 => Layout::Nibbles,
            _ => Layout::Words,
        }
    }

    /// Bits of a pixel.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Ct32 | Self::Z32 => 32,
            Self::Ct24 | Self::Z24 => 24,
            Self::Ct16 | Self::Ct16S | Self::Z16 | Self::Z16S => 16,
            Self::T8 | Self::T8H => 8,
            Self::T4 | Self::T4HL | Self::T4HH => 4,
        }
    }

    /// The lowest bit of a pixel in its word, above what the layout says.
    const fn shift(self) -> u32 {
        match self {
            Self::T8H | Self::T4HL => 24,
            Self::T4HH => 28,
            _ => 0,
        }
    }

    /// A pixel's largest value.
    pub const fn most(self) -> u32 {
        u32::MAX >> (32 - self.bits())
    }

    /// True for depth.
    pub const fn is_depth(self) -> bool {
        matches!(self, Self::Z32 | Self::Z24 | Self::Z16 | Self::Z16S)
    }

    /// True for indices of a palette.
    pub const fn is_index(self) -> bool {
        matches!(self, Self::T8 | Self::T4 | Self::T8H | Self::T4HL | Self::T4HH)
    }

    /// Log2 of a page's sides in pixels.
    pub const fn page(self) -> (u32, u32) {
        self.layout().sizes().1
    }
}

/// A buffer in the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surface {
    /// The first block.
    pub base: u32,
    /// Pixels in a row, in units of 64.
    pub width: u32,
    /// What its pixels are.
    pub format: Format,
}

impl Surface {
    /// The block in which a pixel lies.
    pub const fn block(&self, x: u32, y: u32) -> u32 {
        let layout = self.format.layout();
        let (block, page) = layout.sizes();
        let row_pages = (self.width << 6) >> page.0;
        let page = (y >> page.1) * row_pages + (x >> page.0);
        let turned = if self.format.is_depth() { 24 } else { 0 };
        let number = layout.block((x >> block.0) as usize, (y >> block.1) as usize) as u32 ^ turned;
        (self.base + page * PAGE_BLOCKS + number) % BLOCKS
    }

    const fn spot(&self, x: u32, y: u32) -> (usize, u32) {
        let (word, shift) = self.format.layout().inside(x, y);
        ((self.block(x, y) * BLOCK_WORDS + word) as usize, shift + self.format.shift())
    }
}

/// The memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    words: Vec<u32>,
}

impl Memory {
    /// Full of a pattern, as nothing is zero when a program begins.
    pub fn with_leftovers() -> Self {
        Self { words: (0..WORDS as u32).map(|word| word.wrapping_mul(0x9E37_79B1) ^ 0x5A5A_A5A5).collect() }
    }

    /// A pixel's bits.
    pub fn read(&self, surface: &Surface, x: u32, y: u32) -> u32 {
        let (word, shift) = surface.spot(x, y);
        self.words[word] >> shift & surface.format.most()
    }

    /// Writes those bits of a pixel that `mask` has.
    pub fn write_masked(&mut self, surface: &Surface, x: u32, y: u32, value: u32, mask: u32) {
        let (word, shift) = surface.spot(x, y);
        let mask = (mask & surface.format.most()) << shift;
        let place = &mut self.words[word];
        *place = *place & !mask | value << shift & mask;
    }

    /// Writes a pixel.
    pub fn write(&mut self, surface: &Surface, x: u32, y: u32, value: u32) {
        self.write_masked(surface, x, y, value, u32::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const ALL: [Format; 13] = [
        Format::Ct32,
        Format::Ct24,
        Format::Ct16,
        Format::Ct16S,
        Format::T8,
        Format::T4,
        Format::T8H,
        Format::T4HL,
        Format::T4HH,
        Format::Z32,
        Format::Z24,
        Format::Z16,
        Format::Z16S,
    ];

    #[test]
    fn every_pixel_of_a_page_has_a_place_of_its_own_within_the_page() {
        for format in ALL {
            let (width, height) = format.page();
            let surface = Surface { base: 64, width: 2, format };
            let spots: BTreeSet<_> =
                (0..1 << height).flat_map(|y| (0..1 << width).map(move |x| surface.spot(x, y))).collect();
            assert_eq!(spots.len(), 1 << (width + height), "{format:?}");
            let words = 64 * 64..(64 + 32) * 64;
            assert!(spots.iter().all(|(word, _)| words.contains(word)), "{format:?}");
        }
    }

    #[test]
    fn known_pixels_lie_where_the_tables_say() {
        let at = |format, x, y| Surface { base: 0, width: 2, format }.spot(x, y);
        assert_eq!(at(Format::Ct32, 1, 0), (1, 0));
        assert_eq!(at(Format::Ct32, 0, 1), (2, 0));
        assert_eq!(at(Format::Ct32, 2, 0), (4, 0));
        assert_eq!(at(Format::Ct32, 8, 0), (64, 0), "the second block lies to the right");
        assert_eq!(at(Format::Ct32, 0, 8), (128, 0));
        assert_eq!(at(Format::Ct32, 64, 0), (2048, 0), "the second page");
        assert_eq!(at(Format::Z32, 0, 0), (24 * 64, 0), "depth begins in block 24");
        assert_eq!(at(Format::Ct16, 8, 0), (0, 16));
        assert_eq!(at(Format::Ct16, 0, 8), (64, 0), "the second block lies below");
        assert_eq!(at(Format::T8, 8, 0), (0, 16));
        assert_eq!(at(Format::T8, 0, 2), (8, 8));
        assert_eq!(at(Format::T4, 8, 0), (0, 8));
        assert_eq!(at(Format::T8H, 0, 0), (0, 24));
    }

    #[test]
    fn parts_of_a_word_do_not_touch_each_other() {
        let mut memory = Memory::with_leftovers();
        let surface = |format| Surface { base: 0, width: 2, format };
        memory.write(&surface(Format::Ct32), 3, 3, 0x1122_3344);
        memory.write(&surface(Format::T4HH), 3, 3, 0xA);
        memory.write(&surface(Format::T4HL), 3, 3, 0xB);
        memory.write(&surface(Format::Ct24), 3, 3, 0xFF55_6677);
        assert_eq!(memory.read(&surface(Format::Ct32), 3, 3), 0xAB55_6677);
        memory.write_masked(&surface(Format::Ct32), 3, 3, 0, 0xFF00);
        assert_eq!(memory.read(&surface(Format::Ct24), 3, 3), 0x55_0077);
        assert_eq!(memory.read(&surface(Format::T8H), 3, 3), 0xAB);
    }
}
