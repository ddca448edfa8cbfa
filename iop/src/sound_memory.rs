//! What lies where in the sound memory, in bytes.
//!
//! | from | holds |
//! | --- | --- |
//! | 0x000000 | the hardware's and the library's own areas |
//! | [`BANK`] | the bank of sounds |
//! | [`MUSIC`] | the music's channels, two halves each |
//!
//! Source: hardware facts, corrections (first safe address); settled questions 22.

use crate::music::{CHANNEL_BYTES, CHANNELS};

/// Bytes of the memory.
pub const BYTES: u32 = 0x20_0000;
/// The first byte that samples may use.
pub const FIRST: u32 = 0x5010;
/// The bank: the first unit of a transfer at or behind [`FIRST`].
pub const BANK: u32 = 0x5040;
/// Bytes of a channel: two halves.
pub const CHANNEL_RING: u32 = 2 * CHANNEL_BYTES as u32;
/// The music; behind it the library's effect area begins.
pub const MUSIC: u32 = 0x1E_0000 - CHANNELS as u32 * CHANNEL_RING;
/// The most bytes of a bank.
pub const BANK_BYTES: u32 = MUSIC - BANK;

/// Where a channel's ring begins.
pub const fn channel(number: usize) -> u32 {
    MUSIC + number as u32 * CHANNEL_RING
}

/// Voices of the second core for the music's channels.
pub const MUSIC_VOICES: [u8; CHANNELS] = [20, 21, 22, 23];
/// Voices of the first core, all for effects.
pub const EFFECT_VOICES: u8 = 24;

// The parts follow each other on units of transfers, and end before the effect area.
const _: () = {
    assert!(BANK >= FIRST && BANK.is_multiple_of(64) && MUSIC.is_multiple_of(64));
    assert!(channel(CHANNELS - 1) + CHANNEL_RING == 0x1E_0000 && MUSIC < BYTES);
    assert!(BANK < MUSIC);
};
