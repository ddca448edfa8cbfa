//! The console's configuration as programs read it: one word, and a 128-byte area on later consoles.
//!
//! Source: EE kernel semantics, section 13.

/// Bytes of the second area.
pub const AREA: usize = 128;

/// Defaults of the configuration word: version 2 of the layout, English, 4:3, RGB.
const DEFAULT_WORD: u32 = LANGUAGE_ENGLISH << 16 | LAYOUT_VERSION << 13;
const LANGUAGE_ENGLISH: u32 = 1;
const LAYOUT_VERSION: u32 = 2;

/// Both parts.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// All 32 bits are kept: start-up code writes the version field and reads it back to tell kernels apart.
    pub word: u32,
    /// The later area.
    pub area: [u8; AREA],
}

impl Configuration {
    /// The defaults of a console fresh from the box.
    pub const fn new() -> Self {
        Self { word: DEFAULT_WORD, area: [0; AREA] }
    }

    /// Video output: bit 0 set for component.
    pub fn video_output(&self) -> u32 {
        self.word >> 3 & 1
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
    fn the_area_is_clamped() {
        let mut configuration = Configuration::new();
        assert_eq!(configuration.part(16, 0).len(), 16);
        assert_eq!(configuration.part(16, 120).len(), 8);
        assert_eq!(configuration.part(16, 4000).len(), 0);
        assert_eq!(configuration.part(u32::MAX, 0).len(), AREA);
    }
}
