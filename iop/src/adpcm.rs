//! Sound as the SPU2 holds it: blocks of sixteen bytes for 28 samples.
//!
//! A block is a byte of filter and shift, a byte of flags, and 28 four-bit steps, the low half of each byte first. Each step
//! is scaled by the shift and added to what the filter predicts from the two samples before.
//!
//! Source: IOP facts, SPU2 / sound.

/// Bytes of a block.
pub const BLOCK_BYTES: usize = 16;
/// Samples of a block.
pub const BLOCK_SAMPLES: usize = 28;
/// The largest shift that scales; the four above it are not defined alike everywhere.
pub const MAX_SHIFT: u8 = 12;
/// Predictors: weights of the last sample and of the one before, in 64ths.
pub const FILTERS: [(i32, i32); 5] = [(0, 0), (60, 0), (115, -52), (98, -55), (122, -60)];
/// Pitch at which a voice plays 48,000 samples a second.
pub const PITCH_48K: u16 = 0x1000;
/// The pitch of sound effects that are not marked with another one.
///
/// Source: settled questions 22
pub const PITCH_EFFECT: u16 = 0x800;
/// Samples a second at [`PITCH_48K`].
pub const OUTPUT_RATE: u32 = 48_000;

/// Flags of a block, its second byte.
pub mod flag {
    /// The voice goes to its loop address after this block, and notes that it has ended.
    pub const END: u8 = 1;
    /// With [`END`]: the voice sounds on. Without it an ended voice falls silent.
    pub const REPEAT: u8 = 2;
    /// The loop address is this block's.
    pub const START: u8 = 4;
}

/// The last two samples of a voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct History {
    /// The last sample.
    pub last: i32,
    /// The sample before it.
    pub before: i32,
}

impl History {
    /// What a filter predicts. Filters that do not exist predict like the last one that does.
    pub fn predict(self, filter: u8) -> i32 {
        let (last, before) = FILTERS[usize::from(filter).min(FILTERS.len() - 1)];
        // Our choice: rounded down, as the emulator does; the hardware's own rounding differs by at most one.
        (self.last * last + self.before * before) >> 6
    }

    /// The sample that a four-bit step gives, kept for the next ones.
    pub fn step(&mut self, filter: u8, shift: u8, step: i32) -> i32 {
        let scaled = (step << 12) >> shift.min(MAX_SHIFT);
        let sample = (scaled + self.predict(filter)).clamp(i16::MIN.into(), i16::MAX.into());
        *self = Self { last: sample, before: self.last };
        sample
    }
}

/// Turns a block into samples.
pub fn decode(block: &[u8; BLOCK_BYTES], history: &mut History) -> [i16; BLOCK_SAMPLES] {
    let (shift, filter) = (block[0] & 0xF, block[0] >> 4);
    core::array::from_fn(|index| {
        let byte = block[2 + index / 2];
        let step = if index % 2 == 0 { byte << 4 } else { byte & 0xF0 };
        // The four bits' sign, through the byte's.
        history.step(filter, shift, i32::from(step as i8) >> 4) as i16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_low_half_of_a_byte_comes_first_and_is_signed() {
        let mut block = [0; BLOCK_BYTES];
        block[2] = 0x7F;
        block[3] = 0x08;
        let samples = decode(&block, &mut History::default());
        assert_eq!(samples[..4], [-4096, 28672, -32768, 0]);
    }

    #[test]
    fn a_filter_carries_the_history_over_blocks() {
        let mut history = History { last: 640, before: 0 };
        let block = {
            let mut b = [0; BLOCK_BYTES];
            b[0] = 0x1C;
            b
        };
        let samples = decode(&block, &mut history);
        assert_eq!(samples[..3], [600, 562, 526]);
        assert_eq!(history, History { last: samples[27].into(), before: samples[26].into() });
    }

    #[test]
    fn samples_are_clamped() {
        let mut history = History { last: 32767, before: -32768 };
        assert_eq!(history.step(2, 0, 7), 32767);
    }
}
