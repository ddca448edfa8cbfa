//! What the hardware's documents leave open, or forbid, and a picture nevertheless did.

use super::memory::Format;
use std::collections::BTreeMap;

/// A reason why another GS may draw another picture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Doubt {
    /// A register was used that nobody had written.
    Unset(u8),
    /// A register that this model does not know was written.
    Unknown(u8),
    /// A chain refers to memory that nobody put in.
    NoMemory(u32),
    /// A chain's data do not begin at a multiple of sixteen bytes.
    Unaligned(u32),
    /// A DMA tag of a kind that the engine does not use.
    Tag(u32),
    /// A chain without an end.
    Endless,
    /// A GIF tag with a reserved format.
    ReservedFormat,
    /// Address and data inside a register list.
    ListedAddress,
    /// The chain ended inside a packet.
    OpenPacket,
    /// A primitive or a setting with a reserved code.
    Reserved(&'static str),
    /// The depth test was switched off.
    DepthOff,
    /// Formats of frame and depth that do not go together.
    Family,
    /// A texture was drawn, or a palette loaded, after something had been written to memory and before TEXFLUSH.
    NotFlushed,
    /// An indexed texture whose buffer is no whole number of pages wide.
    OddWidth,
    /// A texture wider than its buffer.
    Narrow,
    /// A texture lies where the frame or the depth is.
    Overlap,
    /// Pixels came without an upload, or more than it takes.
    TooManyPixels,
    /// Drawing or another upload began before the last one had its pixels.
    TooFewPixels,
    /// A depth that the buffer cannot hold.
    TooDeep,
    /// A vertex beyond the drawing plane, or coordinates that are no numbers.
    NoNumber,
    /// A smaller picture of a texture was asked for, which the model does not have.
    SmallerPicture,
    /// Edges are smoothed with a blending that is not over.
    SmoothBlend,
}

/// Doubts, counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Doubts(BTreeMap<Doubt, u32>);

impl Doubts {
    /// Counts one.
    pub fn add(&mut self, doubt: Doubt) {
        *self.0.entry(doubt).or_default() += 1;
    }

    /// Counts one when it is so.
    pub fn add_if(&mut self, so: bool, doubt: Doubt) {
        if so {
            self.add(doubt);
        }
    }

    /// The format of a code; a reserved one is doubted and becomes 32 bits.
    pub fn format(&mut self, code: u64, of: &'static str) -> Format {
        Format::from_code(code).unwrap_or_else(|| {
            self.add(Doubt::Reserved(of));
            Format::Ct32
        })
    }

    /// True when there was none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each with its number.
    pub fn iter(&self) -> impl Iterator<Item = (&Doubt, u32)> {
        self.0.iter().map(|(doubt, count)| (doubt, *count))
    }
}
