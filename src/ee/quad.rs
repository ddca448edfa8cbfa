//! Quadwords and cache lines: what DMA moves and what its memory is owned in.

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
