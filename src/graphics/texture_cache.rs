//! Which textures are in the GS's memory: a ring, first in, first out by address.
//!
//! A texture that is drawn and not there is uploaded in the same chain, right before its use, to the ring's head; whatever
//! lay there is gone. A level whose textures fit uploads each once; one whose textures do not fit pays for it, and the
//! counters tell.
//!
//! Source: support systems, Graphics and frame pacing (texture cache); EE facts, section 11.

use super::texture_file::{Format, TextureFile, halved};
use crate::ee::gif::{Packet, Source};
use crate::ee::gs::PixelFormat;
use crate::ee::gs::general::{BitBltBuf, MipTbp1, SMALLER, Tex0, TexFlush};
use crate::ee::gs::memory::{BLOCKS_PER_PAGE, PAGES};
use heapless::Vec;

/// Textures that can be known at a time.
pub const MAX_TEXTURES: usize = 256;
/// Pixels in a row of a palette's upload: 16 by 16 for 256 colours, 8 by 2 for 16.
const PALETTE_SIZES: [(u32, u32); 2] = [(16, 16), (8, 2)];

/// What a cache has counted since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Textures sent.
    pub uploads: u32,
    /// Quadwords of their texels and palettes.
    pub quads: u32,
    /// Textures that made room.
    pub evictions: u32,
    /// Textures sent again in the same frame: the frame's textures do not fit together.
    pub repeats: u32,
    /// Uses of names that no texture has.
    pub unknown: u32,
    /// Textures for which the packet had no room: they are not there, and tried again at their next use.
    pub unsent: u32,
}

/// The cache knows as many textures as it can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyTextures;

/// A known texture.
#[derive(Clone, Copy, Debug)]
struct Entry {
    name: u32,
    format: Format,
    log2: (u8, u8),
    /// Smaller pictures that it has.
    smaller: u8,
    /// The picture, and the smaller ones.
    pictures: [Source; 1 + SMALLER],
    palette: Source,
    /// The first block in the GS's memory.
    block: Option<u32>,
    /// How it is selected there, worked out once when it is sent.
    bound: Option<Bound>,
    /// The frame in which it was sent last.
    sent: u32,
}

/// A texture that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// How to select it.
    pub tex0: Tex0,
    /// Where its smaller pictures are, and how many it has.
    pub smaller: Option<(MipTbp1, u8)>,
}

/// The ring and its textures.
pub struct TextureCache {
    entries: Vec<Entry, MAX_TEXTURES>,
    first: u32,
    head: u32,
    frame: u32,
    counters: Counters,
}

impl TextureCache {
    /// A ring from `page` of the GS's memory to its end, empty.
    pub fn new(page: u32) -> Self {
        let first = page.min(PAGES) * BLOCKS_PER_PAGE;
        Self { entries: Vec::new(), first, head: first, frame: 0, counters: Counters::default() }
    }

    /// Makes a texture known, in place of another of its name. Its data must stay where they are until
    /// [`forget`](Self::forget) and the end of the frames under way: see [`Source`].
    ///
    /// # Errors
    /// [`TooManyTextures`].
    pub fn add(&mut self, file: &TextureFile) -> Result<(), TooManyTextures> {
        let entry = Entry {
            name: file.name,
            format: file.format,
            log2: file.log2,
            smaller: file.smaller,
            pictures: core::array::from_fn(|number| Source::of_quads(file.picture(number as u8))),
            palette: Source::of_quads(file.palette),
            block: None,
            bound: None,
            sent: 0,
        };
        match self.entries.binary_search_by_key(&entry.name, |entry| entry.name) {
            Ok(at) => {
                if let Some(place) = self.entries.get_mut(at) {
                    *place = entry;
                }
                Ok(())
            }
            Err(at) => self.entries.insert(at, entry).map_err(|_| TooManyTextures),
        }
    }

    /// Forgets every texture that `keep` does not want: what a level leaves behind.
    pub fn forget(&mut self, mut keep: impl FnMut(u32) -> bool) {
        self.entries.retain(|entry| keep(entry.name));
    }

    /// Everything must be sent again: something else was in the ring's memory.
    pub fn lose(&mut self) {
        for entry in &mut self.entries {
            entry.block = None;
        }
    }

    /// A new frame begins.
    pub fn next_frame(&mut self) {
        self.frame = self.frame.wrapping_add(1);
    }

    /// What has been counted so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Blocks of the ring that textures fill.
    pub fn resident_blocks(&self) -> u32 {
        self.entries.iter().filter(|entry| entry.block.is_some()).map(blocks).sum()
    }

    /// Sends the texture of a name if it is not there, and answers how to select it; `None` for a name that nothing has, and
    /// for a texture that neither the ring nor the packet has room for.
    pub fn bind(&mut self, packet: &mut Packet, name: u32) -> Option<Bound> {
        let Ok(at) = self.entries.binary_search_by_key(&name, |entry| entry.name) else {
            self.counters.unknown += 1;
            return None;
        };
        let entry = self.entries.get(at)?;
        if entry.block.is_some() {
            return entry.bound;
        }
        let entry = *entry;
        let block = self.make_room(blocks(&entry))?;
        if !send(packet, &entry, block) {
            self.counters.unsent += 1;
            return None;
        }
        self.counters.uploads += 1;
        self.counters.quads += entry.pictures.iter().map(|source| source.quads).sum::<u32>() + entry.palette.quads;
        self.counters.repeats += u32::from(entry.sent == self.frame && self.frame != 0);
        let place = self.entries.get_mut(at)?;
        (place.block, place.bound, place.sent) = (Some(block), Some(select(&entry, block)), self.frame);
        place.bound
    }

    /// Takes blocks at the ring's head; whatever lies there is no longer.
    fn make_room(&mut self, count: u32) -> Option<u32> {
        let end = PAGES * BLOCKS_PER_PAGE;
        // A texture of a page or less stays within one, a larger one begins at one: the GS draws both faster so.
        let alignment = count.next_power_of_two().min(BLOCKS_PER_PAGE);
        let mut block = self.head.next_multiple_of(alignment);
        if block + count > end {
            block = self.first.next_multiple_of(alignment);
        }
        if block + count > end {
            return None;
        }
        self.head = block + count;
        for entry in &mut self.entries {
            let there = entry.block.is_some_and(|other| other < block + count && block < other + blocks(entry));
            if there {
                entry.block = None;
                self.counters.evictions += 1;
            }
        }
        Some(block)
    }
}

/// Blocks of the pictures and of the palette behind them.
fn blocks(entry: &Entry) -> u32 {
    let palette = (entry.format.colours() as u32).div_ceil(64);
    picture_at(entry, entry.smaller + 1) + palette
}

/// The first block of a picture, from the texture's own; of the first one that it does not have, what lies behind all.
fn picture_at(entry: &Entry, number: u8) -> u32 {
    (0..number).map(|number| texel_blocks(entry.format.pixel_format(), size(entry, number))).sum()
}

/// Sides of a picture in texels.
fn size(entry: &Entry, number: u8) -> (u32, u32) {
    let (width, height) = halved(entry.log2, number).unwrap_or((0, 0));
    (1 << width, 1 << height)
}

/// Pixels of a block and of a page. Source: EE facts, section 11.
const fn sizes(format: PixelFormat) -> ((u32, u32), (u32, u32)) {
    match format {
        PixelFormat::T8 => ((16, 16), (128, 64)),
        PixelFormat::T4 => ((32, 16), (128, 128)),
        _ => ((8, 8), (64, 32)),
    }
}

/// Texels in a row of the buffer: a multiple of the page's width.
const fn buffer_width(format: PixelFormat, width: u32) -> u32 {
    width.next_multiple_of(sizes(format).1.0)
}

/// Blocks from the first to the last that a picture touches.
fn texel_blocks(format: PixelFormat, (width, height): (u32, u32)) -> u32 {
    let (block, page) = sizes(format);
    if width > page.0 || height > page.1 {
        return width.div_ceil(page.0) * height.div_ceil(page.1) * BLOCKS_PER_PAGE;
    }
    let (columns, rows) = (width.div_ceil(block.0), height.div_ceil(block.1));
    let within = |column: u32, row: u32| match format {
        PixelFormat::T4 => interleaved(row, column),
        _ => interleaved(column, row),
    };
    within(columns - 1, rows - 1) + 1
}

/// The number of a block inside its page: the bits of both coordinates, `even` in the even places.
const fn interleaved(even: u32, odd: u32) -> u32 {
    (even & 1) | (odd & 1) << 1 | (even & 2) << 1 | (odd & 2) << 2 | (even & 4) << 2
}

fn select(entry: &Entry, block: u32) -> Bound {
    let format = entry.format.pixel_format();
    let (width, height) = (u32::from(entry.log2.0), u32::from(entry.log2.1));
    let tex0 = Tex0::new(block, buffer_width(format, 1 << width), format, (width, height));
    let place = |number: usize| {
        let number = (number as u8 + 1).min(entry.smaller);
        (block + picture_at(entry, number), buffer_width(format, size(entry, number).0))
    };
    let smaller = (entry.smaller > 0).then(|| (MipTbp1::new(core::array::from_fn(place)), entry.smaller));
    if entry.format.colours() == 0 {
        return Bound { tex0, smaller };
    }
    Bound { tex0: tex0.palette(block + picture_at(entry, entry.smaller + 1)), smaller }
}

/// Sends a texture to its place; whether all of it found room in the packet.
fn send(packet: &mut Packet, entry: &Entry, block: u32) -> bool {
    let dropped = packet.dropped();
    let format = entry.format.pixel_format();
    for (number, source) in (0..=entry.smaller).zip(entry.pictures) {
        let size = size(entry, number);
        let place = BitBltBuf::upload(block + picture_at(entry, number), buffer_width(format, size.0), format);
        packet.upload_from(place, size, source);
    }
    let palette = match entry.format {
        Format::Colour32 => None,
        Format::Index8 => Some(PALETTE_SIZES[0]),
        Format::Index4 => Some(PALETTE_SIZES[1]),
    };
    if let Some(shape) = palette {
        let place = block + picture_at(entry, entry.smaller + 1);
        packet.upload_from(BitBltBuf::upload(place, 64, PixelFormat::Ct32), shape, entry.palette);
    }
    packet.set(TexFlush(0));
    packet.dropped() == dropped
}

#[cfg(test)]
mod tests {
    use super::super::texture_file::{write, write_pictures};
    use super::*;
    use crate::ee::gif::{Line, Quad};
    use alloc::vec;

    fn texture(name: u32, format: Format, log2: (u8, u8)) -> vec::Vec<Quad> {
        write(name, format, log2, &vec![0; 1 << (log2.0 + log2.1)], &[]).expect("a texture")
    }

    #[test]
    fn sizes_in_blocks_follow_the_pages() {
        let blocks = |format, size| texel_blocks(format, size);
        assert_eq!(blocks(PixelFormat::T8, (64, 64)), 16);
        assert_eq!(blocks(PixelFormat::T8, (128, 64)), 32);
        assert_eq!(blocks(PixelFormat::T8, (128, 128)), 64);
        assert_eq!(blocks(PixelFormat::T8, (32, 64)), 12, "two columns of four blocks reach over a hole");
        assert_eq!(blocks(PixelFormat::T4, (64, 64)), 8);
        assert_eq!(blocks(PixelFormat::T4, (32, 32)), 2);
        assert_eq!(blocks(PixelFormat::Ct32, (32, 32)), 16);
        assert_eq!(blocks(PixelFormat::Ct32, (64, 64)), 64);
    }

    #[test]
    fn a_texture_is_sent_once_and_then_there() {
        let data = texture(5, Format::Index8, (6, 6));
        let mut cache = TextureCache::new(PAGES - 2);
        cache.add(&TextureFile::read(&data).expect("a texture")).expect("room");
        let mut memory = [Line::default(); 64];
        let mut packet = Packet::new(&mut memory);
        let first = cache.bind(&mut packet, 5).expect("known");
        let used = packet.used();
        assert_eq!(cache.bind(&mut packet, 5), Some(first));
        assert_eq!(packet.used(), used);
        assert_eq!(cache.bind(&mut packet, 6), None);
        let counted = Counters { uploads: 1, quads: 256 + 64, unknown: 1, ..Counters::default() };
        assert_eq!(cache.counters(), counted);
        assert_eq!(first.tex0.0 >> 37 & 0x3FFF, (first.tex0.0 & 0x3FFF) + 16, "the palette follows the texels");
    }

    #[test]
    fn smaller_pictures_follow_the_first_and_the_palette_follows_them() {
        let pictures = [vec![0; 128 * 128], vec![0; 64 * 64], vec![0; 32 * 32]];
        let pictures: vec::Vec<&[u32]> = pictures.iter().map(|picture| &picture[..]).collect();
        let data = write_pictures(7, Format::Index8, (7, 7), &pictures, &[]).expect("a texture");
        let mut cache = TextureCache::new(PAGES - 8);
        cache.add(&TextureFile::read(&data).expect("a texture")).expect("room");
        let mut memory = [Line::default(); 64];
        let mut packet = Packet::new(&mut memory);
        let bound = cache.bind(&mut packet, 7).expect("known");
        let block = (bound.tex0.0 & 0x3FFF) as u32;
        let places = MipTbp1::new([(block + 64, 128), (block + 80, 128), (block + 80, 128)]);
        assert_eq!(bound.smaller, Some((places, 2)));
        assert_eq!((bound.tex0.0 >> 37 & 0x3FFF) as u32, block + 84);
        assert_eq!(cache.counters().quads, (128 * 128 + 64 * 64 + 32 * 32) / 16 + 64);
        assert_eq!(cache.resident_blocks(), 84 + 4);
    }

    #[test]
    fn the_ring_drops_what_lies_at_its_head() {
        let data: vec::Vec<_> = (1..=5).map(|name| texture(name, Format::Index8, (6, 6))).collect();
        let mut cache = TextureCache::new(PAGES - 3);
        for data in &data {
            cache.add(&TextureFile::read(data).expect("a texture")).expect("room");
        }
        let mut memory = [Line::default(); 256];
        let mut packet = Packet::new(&mut memory);
        cache.next_frame();
        let mut places = vec::Vec::new();
        for name in 1..=4 {
            places.push(cache.bind(&mut packet, name).expect("known").tex0.0 & 0x3FFF);
        }
        assert_eq!(cache.counters().evictions, 1, "three fit, the fourth takes the first one's place");
        assert_eq!(places[3], places[0]);
        cache.bind(&mut packet, 1);
        assert_eq!(cache.counters().repeats, 1, "the frame needs more than fits");
        cache.next_frame();
        cache.bind(&mut packet, 5);
        assert_eq!(cache.counters().repeats, 1);
    }

    #[test]
    fn a_texture_that_finds_the_packet_full_is_not_there_and_is_sent_with_the_next() {
        let data = texture(5, Format::Index8, (6, 6));
        let mut cache = TextureCache::new(PAGES - 2);
        cache.add(&TextureFile::read(&data).expect("a texture")).expect("room");
        // The texels fit, their palette does not.
        let mut memory = [Line::default(); 5];
        let mut packet = Packet::new(&mut memory);
        assert_eq!(cache.bind(&mut packet, 5), None);
        assert_eq!((cache.counters().uploads, cache.counters().unsent, cache.resident_blocks()), (0, 1, 0));
        let mut memory = [Line::default(); 64];
        let mut packet = Packet::new(&mut memory);
        assert!(cache.bind(&mut packet, 5).is_some());
        assert_eq!((cache.counters().uploads, packet.dropped()), (1, 0));
    }

    #[test]
    fn a_texture_larger_than_the_ring_is_not_drawn() {
        let data = texture(1, Format::Index8, (9, 9));
        let mut cache = TextureCache::new(PAGES - 3);
        cache.add(&TextureFile::read(&data).expect("a texture")).expect("room");
        let mut memory = [Line::default(); 64];
        let mut packet = Packet::new(&mut memory);
        assert_eq!(cache.bind(&mut packet, 1), None);
        assert_eq!(cache.counters().uploads, 0);
    }
}
