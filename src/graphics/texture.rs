//! Textures: 8-bit pictures with palettes, computed at start-up and kept in the GS's memory.
//!
//! Source: EE facts, sections 10 and 11; support systems, Graphics and frame pacing (texture area).

use crate::ee::gif::{Line, Packet, Quad};
use crate::ee::gs::PixelFormat;
use crate::ee::gs::general::{BitBltBuf, Tex0, TexFlush};
use crate::ee::gs::memory::{BLOCKS_PER_PAGE, PAGES, TEXTURES};
use crate::maths::Vec3;
use alloc::boxed::Box;
use alloc::vec;

/// Bytes in a [`Line`].
const LINE_BYTES: usize = 64;
/// Texels of a page of 8-bit texels.
const T8_PAGE: (u32, u32) = (128, 64);
/// Entries of a palette.
pub const PALETTE_ENTRIES: usize = 256;
/// Blocks that a palette of 32-bit colours fills.
const PALETTE_BLOCKS: u32 = 4;

/// An 8-bit picture in main memory, laid out for upload.
pub struct Image {
    lines: Box<[Line]>,
    /// Texels in a row: a power of two from 64 on.
    pub width: u32,
    /// Rows: a power of two.
    pub height: u32,
}

impl Image {
    /// A picture whose texels come from `texel(x, y)`.
    pub fn from_fn(width: u32, height: u32, mut texel: impl FnMut(u32, u32) -> u8) -> Self {
        let bytes = (width * height) as usize;
        let mut image = Self { lines: vec![Line::default(); bytes.div_ceil(LINE_BYTES)].into(), width, height };
        for y in 0..height {
            for x in 0..width {
                image.raise(x, y, texel(x, y));
            }
        }
        image
    }

    /// Makes a texel at least `value`; outside the picture nothing happens.
    pub fn raise(&mut self, x: u32, y: u32, value: u8) {
        if x >= self.width || y >= self.height {
            return;
        }
        let offset = (y * self.width + x) as usize;
        if let Some(word) = word_mut(&mut self.lines, offset / 4) {
            let mut bytes = word.to_le_bytes();
            if let Some(byte) = bytes.get_mut(offset % 4) {
                *byte = value.max(*byte);
            }
            *word = u32::from_le_bytes(bytes);
        }
    }

    /// A texel, 0 outside the picture.
    pub fn texel(&self, x: u32, y: u32) -> u8 {
        let offset = (y * self.width + x) as usize;
        let inside = x < self.width && y < self.height;
        let line = if inside { self.lines.get(offset / LINE_BYTES) } else { None };
        line.map_or(0, |line| line.0[offset % LINE_BYTES / 16].0[offset % 16 / 4].to_le_bytes()[offset % 4])
    }

    /// The memory to upload.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }
}

fn word_mut(lines: &mut [Line], index: usize) -> Option<&mut u32> {
    let line = lines.get_mut(index / 16)?;
    line.0.get_mut(index % 16 / 4)?.0.get_mut(index % 4)
}

/// 256 colours with alpha, in the order in which the GS reads them.
pub struct Palette {
    lines: [Line; PALETTE_ENTRIES * 4 / LINE_BYTES],
}

impl Palette {
    /// The colours that `entry(value)` gives: colour of `[0, 1]` and alpha of `[0, 1]`, `value` running over `[0, 1]`.
    pub fn from_fn(mut entry: impl FnMut(f32) -> (Vec3, f32)) -> Self {
        let mut lines = [Line([Quad::default(); 4]); PALETTE_ENTRIES * 4 / LINE_BYTES];
        for index in 0..PALETTE_ENTRIES {
            let (colour, alpha) = entry(index as f32 / (PALETTE_ENTRIES - 1) as f32);
            if let Some(word) = word_mut(&mut lines, stored_at(index)) {
                *word = super::colour::with_alpha(colour, alpha).0 as u32;
            }
        }
        Self { lines }
    }
}

/// Where the GS expects a palette's entry: bits 3 and 4 of the index are swapped.
pub const fn stored_at(index: usize) -> usize {
    index & !0x18 | (index & 0x08) << 1 | (index & 0x10) >> 1
}

/// A texture in the GS's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Texture {
    /// The register that selects it.
    pub tex0: Tex0,
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// The texture area is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfTextureMemory;

/// Where the next texture goes.
pub struct TextureMemory {
    next_page: u32,
    next_palette: u32,
}

/// Palettes share the first page of the texture area.
const PALETTE_PAGE: u32 = TEXTURES;

impl Default for TextureMemory {
    fn default() -> Self {
        Self { next_page: PALETTE_PAGE + 1, next_palette: PALETTE_PAGE * BLOCKS_PER_PAGE }
    }
}

impl TextureMemory {
    /// Reserves memory for an 8-bit picture with a palette and says how to select it.
    ///
    /// # Errors
    /// [`OutOfTextureMemory`] when the area or its palettes' page is full.
    pub fn reserve(&mut self, image: &Image) -> Result<Texture, OutOfTextureMemory> {
        let page = self.next_page;
        let buffer_width = image.width.next_multiple_of(T8_PAGE.0);
        let pages = buffer_width / T8_PAGE.0 * image.height.div_ceil(T8_PAGE.1);
        if page + pages > PAGES {
            return Err(OutOfTextureMemory);
        }
        self.next_page += pages;
        let log2 = (image.width.ilog2(), image.height.ilog2());
        let tex0 = Tex0::new(page * BLOCKS_PER_PAGE, buffer_width, PixelFormat::T8, log2);
        let texture = Texture { tex0, width: image.width, height: image.height };
        self.with_new_palette(&texture)
    }

    /// The first page that nothing has reserved: where a [`TextureCache`](super::texture_cache::TextureCache) may begin.
    pub fn free_page(&self) -> u32 {
        self.next_page
    }

    /// The same picture with a palette of its own.
    ///
    /// # Errors
    /// [`OutOfTextureMemory`] when the palettes' page is full.
    pub fn with_new_palette(&mut self, texture: &Texture) -> Result<Texture, OutOfTextureMemory> {
        const PALETTE_FIELD: u64 = 0x3FFF << 37;
        let block = self.next_palette;
        if block + PALETTE_BLOCKS > (PALETTE_PAGE + 1) * BLOCKS_PER_PAGE {
            return Err(OutOfTextureMemory);
        }
        self.next_palette += PALETTE_BLOCKS;
        Ok(Texture { tex0: Tex0(texture.tex0.0 & !PALETTE_FIELD).palette(block), ..*texture })
    }
}

impl Texture {
    fn block(&self) -> u32 {
        self.tex0.0 as u32 & 0x3FFF
    }

    fn palette_block(&self) -> u32 {
        (self.tex0.0 >> 37) as u32 & 0x3FFF
    }

    /// Uploads the picture.
    pub fn upload<'a>(&self, packet: &mut Packet<'a>, image: &'a Image) {
        let buffer_width = image.width.next_multiple_of(T8_PAGE.0);
        let destination = BitBltBuf::upload(self.block(), buffer_width, PixelFormat::T8);
        packet.upload(destination, (image.width, image.height), image.lines());
        packet.set(TexFlush(0));
    }

    /// Uploads the palette.
    pub fn upload_palette<'a>(&self, packet: &mut Packet<'a>, palette: &'a Palette) {
        let destination = BitBltBuf::upload(self.palette_block(), 64, PixelFormat::Ct32);
        packet.upload(destination, (16, 16), &palette.lines);
        packet.set(TexFlush(0));
    }
}

impl Palette {
    /// The memory to upload.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palette_entries_are_stored_with_two_bits_swapped() {
        assert_eq!(stored_at(8), 16);
        assert_eq!(stored_at(16), 8);
        assert_eq!(stored_at(24), 24);
        let stored: std::collections::BTreeSet<usize> = (0..256).map(stored_at).collect();
        assert_eq!(stored.len(), 256);
    }

    #[test]
    fn texels_are_found_where_they_were_put() {
        let image = Image::from_fn(64, 32, |x, y| (x * 3 + y * 7) as u8);
        for (x, y) in [(0, 0), (63, 31), (17, 5)] {
            assert_eq!(image.texel(x, y), (x * 3 + y * 7) as u8);
        }
        assert_eq!(image.texel(64, 0), 0);
    }

    #[test]
    fn textures_do_not_overlap() {
        let mut memory = TextureMemory::default();
        let wide = Image::from_fn(512, 128, |_, _| 0);
        let first = memory.reserve(&wide).expect("the area is empty");
        let second = memory.reserve(&wide).expect("one texture is there");
        assert_eq!(second.block() - first.block(), 8 * BLOCKS_PER_PAGE);
        assert_ne!(first.palette_block(), second.palette_block());
        assert!(first.block() >= first.palette_block() + 2 * PALETTE_BLOCKS);
    }

    #[test]
    fn a_full_area_refuses() {
        let mut memory = TextureMemory::default();
        let big = Image::from_fn(512, 512, |_, _| 0);
        assert_eq!((0..8).filter(|_| memory.reserve(&big).is_ok()).count(), 2);
    }
}
