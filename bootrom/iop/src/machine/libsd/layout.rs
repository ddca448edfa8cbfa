//! Numbers of the sound unit: register offsets, bits, and the library's own scheme.

pub const CORES: usize = 2;
pub const CORE_STRIDE: u32 = 0x400;
pub const LINE_DMA: [u32; CORES] = [0x24, 0x28];
pub const LINE_SOUND: u32 = 9;

/// Register offsets of a core, and of the whole unit.
pub mod offset {
    pub const MIXER: u32 = 0x198;
    pub const ATTRIBUTES: u32 = 0x19A;
    pub const TRANSFER_ADDRESS: u32 = 0x1A8;
    pub const STREAM: u32 = 0x1B0;
    pub const STATUS: u32 = 0x344;
    pub const OUTPUT: u32 = 0x7C0;
    pub const INTERRUPTS: u32 = 0x7C2;
    pub const OUTPUT_MODE: u32 = 0x7C6;
    pub const OUTPUT_MEDIA: u32 = 0x7C8;
    pub const OUTPUT_COPY: u32 = 0x7CA;
}
/// Bits of a core's attributes.
pub mod attribute {
    pub const TRANSFER_MASK: u16 = 0x30;
    pub const WRITE: u16 = 0x20;
    pub const READ: u16 = 0x30;
    pub const INTERRUPT: u16 = 0x40;
    pub const EFFECTS: u16 = 0x80;
    pub const NOISE_SHIFT: u16 = 8;
    pub const NOISE_MASK: u16 = 0x3F00;
    pub const SOUND: u16 = 0x4000;
    pub const ENABLE: u16 = 0x8000;
    /// Core 1 takes core 0 as its input.
    pub const EXTERNAL_INPUT: u16 = 1;
}
pub const STATUS_DMA_DONE: u16 = 0x80;
pub const STATUS_IDLE_MASK: u16 = 0x7FF;
/// Place of the two cores' bits.
pub const INTERRUPT_SHIFT: u16 = 2;

/// DMA enables and priorities.
pub const ENABLE_CORE_0: u32 = 0xB_0000;
pub const ENABLE_CORE_1: u32 = 8;
pub const START_WRITE: u32 = 0x0100_0201;
pub const START_READ: u32 = 0x0100_0200;

/// Numbers of parameters that the start sets, by the library's own scheme.
pub mod number {
    pub const VOLUME_LEFT: u16 = 0x000;
    pub const VOLUME_RIGHT: u16 = 0x100;
    pub const PITCH: u16 = 0x200;
    pub const ENVELOPE_1: u16 = 0x300;
    pub const ENVELOPE_2: u16 = 0x400;
    pub const MASTER_LEFT: u16 = 0x980;
    pub const MASTER_RIGHT: u16 = 0xA80;
    pub const EFFECT_LEFT: u16 = 0xB80;
    pub const EFFECT_RIGHT: u16 = 0xC80;
    pub const INPUT_LEFT: u16 = 0xD80;
    pub const INPUT_RIGHT: u16 = 0xE80;
    pub const STREAM_LEFT: u16 = 0xF80;
    pub const STREAM_RIGHT: u16 = 0x1080;
    pub const PITCH_MODULATION: u16 = 0x1300;
    pub const NOISE: u16 = 0x1400;
    pub const KEY_ON: u16 = 0x1500;
    pub const KEY_OFF: u16 = 0x1600;
    pub const ENDED: u16 = 0x1700;
    pub const MIX_LEFT: u16 = 0x1800;
    pub const MIX_EFFECT_LEFT: u16 = 0x1900;
    pub const MIX_RIGHT: u16 = 0x1A00;
    pub const MIX_EFFECT_RIGHT: u16 = 0x1B00;
    pub const EFFECT_END: u16 = 0x1D00;
    pub const SAMPLE: u16 = 0x2000;
}
pub const ALL_VOICES: u32 = 0xFF_FFFF;
/// Where the start puts a silent loop, in bytes.
pub const SILENCE_ADDRESS: u32 = 0x5000;
pub const SILENCE_BYTES: u32 = 64;
pub const START_PITCH: u16 = 0x3FFF;
pub const MIXER_CORE_0: u16 = 0xFF0;
pub const MIXER_CORE_1: u16 = 0xFFC;
pub const FULL_INPUT: u16 = 0x7FFF;
/// Pause after steps of the start, in microseconds.
pub const SETTLE: u32 = 100;
pub const BUSY_LIMIT: u32 = 1000;

/// Modes of transfers.
pub mod mode {
    pub const READ: u16 = 1;
    pub const STOP: u16 = 2;
    pub const WRITE_FROM: u16 = 3;
    pub const DIRECTION: u16 = 3;
    pub const LOOP: u16 = 0x10;
}
pub const BUSY: i32 = -1;

/// Kinds of echo: none, and the last one; with a bit that asks to clear their memory.
pub const ECHO_OFF: i32 = 0;
pub const ALL_EFFECTS: i32 = 9;
pub const MODE_CLEAR: i32 = 0x100;
