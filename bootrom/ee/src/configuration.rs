//! The console's configuration as programs read it: one word, and a 128-byte area on later consoles.
//!
//! Source: EE kernel semantics, section 13.

/// Bytes of the second area.
pub const AREA: usize = 128;

/// Bytes of the owner's settings that the kernel looks at.
pub const SETTINGS: usize = 15;

/// Defaults of the configuration word: version 2 of the layout, English, 4:3, RGB.
const DEFAULT_WORD: u32 = LANGUAGE_ENGLISH << 16 | LAYOUT_VERSION << 13;
const LANGUAGE_ENGLISH: u32 = 1;
const LAYOUT_VERSION: u32 = 2;

/// Where the word says how the picture goes out: 0 RGB, 1 component.
const OUTPUT_SHIFT: u32 = 3;
/// Component output, in the video parameters.
const OUTPUT: u32 = 1;
/// The vertical parameter, in the video parameters.
const VERTICAL: u32 = 3;
/// The horizontal parameters in their order: shift and mask of each.
///
/// Source: the shifts are those of the older kernels' GetGsHParam as public imitations have it. Our choice: their callers get the
/// fields alone; the imitations leave the bits above in.
const HORIZONTAL: [(u32, u32); 4] = [(12, 0x3F), (24, 0xF), (18, 0x3F), (28, 0xF)];

/// All parts.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// All 32 bits are kept: start-up code writes the version field and reads it back to tell kernels apart.
    word: u32,
    /// The later area.
    area: [u8; AREA],
    /// The video parameters: fields as [`HORIZONTAL`] has them, and the vertical one.
    video: u32,
}

impl Configuration {
    /// The defaults of a console fresh from the box.
    pub const fn new() -> Self {
        Self { word: DEFAULT_WORD, area: [0; AREA], video: DEFAULT_WORD >> OUTPUT_SHIFT & OUTPUT }
    }

    /// Takes over what the console's owner has set, from the bytes that the IOP has read out of the console's memory. A
    /// memory that was never written, all zero, changes nothing.
    ///
    /// Source: EE kernel semantics, section 12 (where the bytes are); the fields as the public emulator reads them.
    pub fn take_settings(&mut self, bytes: &[u8; SETTINGS]) {
        /// Fields of the word below those of a byte of their own.
        const SIGNAL_AND_SHAPE: u8 = 0x1F;
        let [older, flags, language, zone_high, zone_low, ..] = bytes.map(u32::from);
        if bytes.iter().all(|byte| *byte == 0) {
            return;
        }
        let (version, language) = (language >> 5, language & 0x1F);
        let zone = zone_low | (zone_high & 7) << 8;
        self.word = flags & u32::from(SIGNAL_AND_SHAPE) | older << 5 | version << 13 | language << 16 | zone << 21;
        // Summer time, clock and date formats; the later area tells version and language once more.
        self.area[1] = ((zone_high & 0x78) << 1) as u8;
        self.area[2] = LAYOUT_VERSION as u8;
        self.area[3] = language as u8;
        self.set_video(self.word >> OUTPUT_SHIFT);
    }

    /// The configuration word.
    pub fn word(&self) -> u32 {
        self.word
    }

    /// Sets the configuration word. What SetGsCrt puts out follows SetGsVParam alone.
    pub fn set_word(&mut self, word: u32) {
        self.word = word;
    }

    /// The parameter that SetGsCrt uses: bit 0 for component output, bit 1 for its progressive form.
    pub fn video(&self) -> u32 {
        self.video & VERTICAL
    }

    /// Sets component output or RGB; no other bit can be set.
    pub fn set_video(&mut self, parameter: u32) {
        self.video = self.video & !OUTPUT | parameter & OUTPUT;
    }

    /// The four horizontal parameters.
    pub fn horizontal(&self) -> [u32; 4] {
        HORIZONTAL.map(|(shift, mask)| self.video >> shift & mask)
    }

    /// Sets the four horizontal parameters.
    pub fn set_horizontal(&mut self, values: [u32; 4]) {
        for ((shift, mask), value) in HORIZONTAL.into_iter().zip(values) {
            self.video = self.video & !(mask << shift) | (value & mask) << shift;
        }
    }

    /// The part of the area that a call with this size and offset means; both are clamped.
    pub fn part(&mut self, size: u32, offset: u32) -> &mut [u8] {
        let start = (offset as usize).min(AREA);
        let end = start.saturating_add(size as usize).min(AREA);
        &mut self.area[start..end]
    }
}

impl Default for Configuration {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owners_settings_become_the_word_and_the_later_area() {
        let mut configuration = Configuration::new();
        let fresh = configuration.word();
        configuration.take_settings(&[0; SETTINGS]);
        assert_eq!(configuration.word(), fresh, "a memory that was never written");
        // Wide picture, component, German, layout 2, 24-hour clock, an hour east.
        let mut bytes = [0; SETTINGS];
        bytes[..5].copy_from_slice(&[0x11, 0x0C, 0x44, 0x10, 60]);
        configuration.take_settings(&bytes);
        assert_eq!(configuration.word(), 60 << 21 | 4 << 16 | 2 << 13 | 0x11 << 5 | 0x0C);
        assert_eq!((configuration.video(), configuration.part(4, 0).to_vec()), (1, std::vec![0, 0x20, 2, 4]));
    }

    #[test]
    fn video_parameters_are_kept_apart() {
        let mut configuration = Configuration::new();
        configuration.set_horizontal([0x3F, 5, 1, 0xF]);
        configuration.set_video(7);
        assert_eq!(configuration.horizontal(), [0x3F, 5, 1, 0xF]);
        assert_eq!(configuration.video(), 1, "one bit alone can be set");
        configuration.set_video(0);
        configuration.set_word(u32::MAX);
        assert_eq!((configuration.video(), configuration.word()), (0, u32::MAX));
    }

    #[test]
    fn the_area_is_clamped() {
        let mut configuration = Configuration::new();
        assert_eq!(configuration.part(16, 0).len(), 16);
        assert_eq!(configuration.part(16, 120).len(), 8);
        assert_eq!(configuration.part(16, 4000).len(), 0);
        assert_eq!(configuration.part(u32::MAX, 0).len(), AREA);
    }
}
