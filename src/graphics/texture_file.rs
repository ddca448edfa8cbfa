//! Textures in a file: a header, texels, palette, ready for the GS.
//!
//! | quadword | words |
//! | --- | --- |
//! | 0 | `BTEX`, CRC-32 of the name in small letters, format, log2 of width and height, number of smaller pictures (a byte each), quadwords in all |
//! | 1.. | texels, row by row: 4 bits (lower half first), 8 bits or 32; then those of each smaller picture, half as wide and high as the one before |
//! | then | palette: 16 or 256 colours of 32 bits in the order in which the GS reads them ([`stored_at`]) |
//!
//! Source: EE facts, section 11. Our choice: the header.

use super::texture::stored_at;
use crate::ee::gif::Quad;
use crate::ee::gs::PixelFormat;
use crate::ee::gs::general::SMALLER;
use crate::file_io::name::crc32;
use alloc::vec;
use alloc::vec::Vec;

/// The first word of a texture: `BTEX`.
pub const MAGIC: u32 = u32::from_le_bytes(*b"BTEX");
/// Log2 of the shortest and the longest side.
pub const SIDES: core::ops::RangeInclusive<u8> = 4..=9;
/// Quadwords of texels at most: what one GIF tag counts.
const MAX_QUADS: usize = 0x4000;

/// What a material refers to a texture by: the CRC-32 of its name, which is in small letters.
pub const fn name(text: &str) -> u32 {
    crc32(text.as_bytes())
}

/// Why data are no texture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextureError {
    /// They do not begin at a multiple of sixteen bytes.
    Unaligned,
    /// They do not begin with a header.
    NoTexture,
    /// A format that nothing reads, or sides that are none of 16 to 512 or too many texels together.
    Shape,
    /// They end before their texels or palette do.
    Truncated,
}

/// Formats of textures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Format {
    /// 32-bit colours.
    Colour32 = 0,
    /// Indices of 256 colours.
    Index8 = 1,
    /// Indices of 16 colours.
    Index4 = 2,
}

impl Format {
    const fn of(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Colour32),
            1 => Some(Self::Index8),
            2 => Some(Self::Index4),
            _ => None,
        }
    }

    /// The GS's name for it.
    pub const fn pixel_format(self) -> PixelFormat {
        match self {
            Self::Colour32 => PixelFormat::Ct32,
            Self::Index8 => PixelFormat::T8,
            Self::Index4 => PixelFormat::T4,
        }
    }

    /// Bits of a texel.
    pub const fn bits(self) -> usize {
        match self {
            Self::Colour32 => 32,
            Self::Index8 => 8,
            Self::Index4 => 4,
        }
    }

    /// Colours of its palette.
    pub const fn colours(self) -> usize {
        match self {
            Self::Colour32 => 0,
            Self::Index8 => 256,
            Self::Index4 => 16,
        }
    }
}

/// A texture in memory.
#[derive(Clone, Copy, Debug)]
pub struct TextureFile<'a> {
    /// What materials refer to it by.
    pub name: u32,
    /// How its texels are stored.
    pub format: Format,
    /// Log2 of width and height.
    pub log2: (u8, u8),
    /// Smaller pictures of it, each half as wide and high as the one before.
    pub smaller: u8,
    /// Its texels, and behind them those of the smaller pictures.
    pub texels: &'a [Quad],
    /// Its palette; empty without one.
    pub palette: &'a [Quad],
}

impl<'a> TextureFile<'a> {
    /// The texture that `quads` begin with.
    ///
    /// # Errors
    /// [`TextureError`], whatever is wrong first.
    pub fn read(quads: &'a [Quad]) -> Result<Self, TextureError> {
        let [magic, name, shape, count] = quads.first().ok_or(TextureError::NoTexture)?.0;
        if magic != MAGIC {
            return Err(TextureError::NoTexture);
        }
        let [format, width, height, smaller] = shape.to_le_bytes();
        let format = Format::of(format).ok_or(TextureError::Shape)?;
        let texels = all_quads(format, (width, height), smaller).ok_or(TextureError::Shape)?;
        let quads = quads.get(1..count as usize).ok_or(TextureError::Truncated)?;
        let (texels, rest) = quads.split_at_checked(texels).ok_or(TextureError::Truncated)?;
        let palette = rest.get(..format.colours() / 4).ok_or(TextureError::Truncated)?;
        Ok(Self { name, format, log2: (width, height), smaller, texels, palette })
    }

    /// The texels of the picture, 0, or of one of the smaller ones; empty when there is no such.
    pub fn picture(&self, number: u8) -> &'a [Quad] {
        let quads = |number: u8| halved(self.log2, number).and_then(|log2| texel_quads(self.format, log2)).unwrap_or(0);
        let first = (0..number).map(quads).sum::<usize>();
        let end = first + if number <= self.smaller { quads(number) } else { 0 };
        self.texels.get(first..end).unwrap_or_default()
    }

    /// The texture in a chunk's bytes.
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`TextureError::Unaligned`].
    pub fn of_bytes(bytes: &'a [u8]) -> Result<Self, TextureError> {
        Self::read(Quad::of_bytes(bytes).ok_or(TextureError::Unaligned)?)
    }
}

/// Log2 of the sides of a smaller picture; the first is number 1.
pub const fn halved(log2: (u8, u8), number: u8) -> Option<(u8, u8)> {
    match (log2.0.checked_sub(number), log2.1.checked_sub(number)) {
        (Some(width), Some(height)) => Some((width, height)),
        _ => None,
    }
}

/// Quadwords of the texels of a picture and its smaller ones; `None` for sides that cannot be.
fn all_quads(format: Format, log2: (u8, u8), smaller: u8) -> Option<usize> {
    if usize::from(smaller) > SMALLER {
        return None;
    }
    (0..=smaller).map(|number| texel_quads(format, halved(log2, number)?)).sum()
}

/// Quadwords of the texels; `None` for sides that cannot be.
fn texel_quads(format: Format, log2: (u8, u8)) -> Option<usize> {
    let sides = SIDES.contains(&log2.0) && SIDES.contains(&log2.1);
    let quads = if sides { (format.bits() << (log2.0 + log2.1)) / 128 } else { 0 };
    (1..=MAX_QUADS).contains(&quads).then_some(quads)
}

/// A texture as it lies in a file. `texels` are indices or, with 32 bits, colours, row by row; `palette` has at most the
/// format's colours: red, green, blue and alpha from the lowest byte, alpha 0x80 for 1.0.
///
/// # Errors
/// [`TextureError::Shape`] when sides or the number of texels do not fit.
pub fn write(
    name: u32,
    format: Format,
    log2: (u8, u8),
    texels: &[u32],
    palette: &[u32],
) -> Result<Vec<Quad>, TextureError> {
    write_pictures(name, format, log2, &[texels], palette)
}

/// The same with smaller pictures behind the first, each half as wide and high as the one before.
///
/// # Errors
/// As [`write()`], and when there are more of them than the GS takes, or none at all.
pub fn write_pictures(
    name: u32,
    format: Format,
    log2: (u8, u8),
    pictures: &[&[u32]],
    palette: &[u32],
) -> Result<Vec<Quad>, TextureError> {
    let smaller = pictures.len().checked_sub(1).ok_or(TextureError::Shape)? as u8;
    let quads = all_quads(format, log2, smaller).ok_or(TextureError::Shape)?;
    let total = 1 + quads + format.colours() / 4;
    let shape = u32::from_le_bytes([format as u8, log2.0, log2.1, smaller]);
    let mut words = vec![MAGIC, name, shape, total as u32];
    let in_word = 32 / format.bits();
    let mask = u32::MAX >> (32 - format.bits());
    for (number, texels) in pictures.iter().enumerate() {
        let (width, height) = halved(log2, number as u8).ok_or(TextureError::Shape)?;
        if texels.len() != 1 << (width + height) || palette.len() > format.colours() {
            return Err(TextureError::Shape);
        }
        let word = |group: &[u32]| {
            group.iter().enumerate().fold(0, |word, (at, texel)| word | (texel & mask) << (at * format.bits()))
        };
        words.extend(texels.chunks(in_word).map(word));
    }
    let colours = words.len();
    words.resize(colours + format.colours(), 0);
    for (index, colour) in palette.iter().enumerate() {
        // Sixteen colours lie in order.
        let place = if format.colours() == 16 { index } else { stored_at(index) };
        words[colours + place] = *colour;
    }
    Ok(words.chunks_exact(4).map(|words| Quad([words[0], words[1], words[2], words[3]])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let texels: Vec<u32> = (0..16 * 32).map(|i| i % 16).collect();
        let palette: Vec<u32> = (0..16).map(|i| 0x8000_0000 | (i * 0x10101)).collect();
        let quads = write(name("planks"), Format::Index4, (4, 5), &texels, &palette).expect("a texture");
        let file = TextureFile::read(&quads).expect("a texture");
        assert_eq!((file.name, file.format, file.log2), (name("planks"), Format::Index4, (4, 5)));
        assert_eq!(file.texels.len(), 16 * 32 / 32);
        assert_eq!(file.texels[0].0[0], 0x7654_3210);
        assert_eq!(file.palette[3].0[3], 0x800F_0F0F);
    }

    #[test]
    fn a_large_palette_is_stored_in_the_gss_order() {
        let palette: Vec<u32> = (0..256).collect();
        let quads = write(1, Format::Index8, (4, 4), &[0; 256], &palette).expect("a texture");
        let file = TextureFile::read(&quads).expect("a texture");
        assert_eq!(file.palette[4].0[0], 8, "entries 8 and 16 change places");
        assert_eq!(file.palette[2].0[0], 16);
    }

    #[test]
    fn smaller_pictures_lie_behind_the_first() {
        let pictures: [Vec<u32>; 3] = [(64, 1), (32, 2), (16, 3)].map(|(side, index)| vec![index; side * side]);
        let pictures = [&pictures[0][..], &pictures[1], &pictures[2]];
        let quads = write_pictures(1, Format::Index8, (6, 6), &pictures, &[5]).expect("a texture");
        let file = TextureFile::read(&quads).expect("a texture");
        assert_eq!(file.smaller, 2);
        for (number, (quads, word)) in
            [(256, 0x0101_0101), (64, 0x0202_0202), (16, 0x0303_0303)].into_iter().enumerate()
        {
            let picture = file.picture(number as u8);
            assert!(picture.len() == quads && picture.iter().all(|quad| quad.0 == [word; 4]), "{number}");
        }
        assert_eq!((file.picture(3).len(), file.palette[0].0[0]), (0, 5));
        let too_small = write_pictures(1, Format::Index8, (4, 4), &[&[0; 256], &[0; 64]], &[]);
        assert_eq!(too_small, Err(TextureError::Shape));
    }

    #[test]
    fn data_that_are_no_texture_are_refused() {
        let good = write(1, Format::Colour32, (4, 4), &[7; 256], &[]).expect("a texture");
        assert!(TextureFile::read(&good).is_ok());
        assert_eq!(TextureFile::read(&[]).map(|_| ()), Err(TextureError::NoTexture));
        assert_eq!(TextureFile::read(&good[..64]).map(|_| ()), Err(TextureError::Truncated));
        let mut odd = good.clone();
        odd[0].0[2] = u32::from_le_bytes([0, 9, 9, 0]);
        assert_eq!(TextureFile::read(&odd).map(|_| ()), Err(TextureError::Shape), "512 by 512 of 32 bits");
        odd[0].0[2] = u32::from_le_bytes([3, 4, 4, 0]);
        assert_eq!(TextureFile::read(&odd).map(|_| ()), Err(TextureError::Shape));
        assert_eq!(write(1, Format::Index8, (3, 4), &[0; 128], &[]), Err(TextureError::Shape));
    }
}
