//! Video modes: one picture of 640x448, centred on every kind of screen.
//!
//! Interlaced modes run in FIELD: the frame has its full height and each field shows every second line.
//!
//! Source: EE facts, section 12; settled questions 28 and 29; support systems, Graphics and frame pacing.

use super::gs::memory::{HEIGHT, WIDTH};
use super::gs::privileged::{DispFb, Display, Pmode};

/// The kinds of screens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum VideoMode {
    /// 60 fields a second, interlaced.
    #[default]
    Ntsc,
    /// 50 fields a second, interlaced.
    Pal,
    /// 60 pictures a second, progressive.
    Progressive,
}

/// What to set for a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The kernel call's arguments: interlaced, mode number, frame-or-field.
    pub crt: (i32, i32, i32),
    /// SMODE2, which the kernel sets by those arguments.
    pub smode2: u64,
    /// Which circuits show the picture.
    pub pmode: Pmode,
    /// Where the two circuits show it.
    pub displays: [Display; 2],
    /// The first line that each circuit reads.
    pub first_lines: [u32; 2],
    /// Blanks a second.
    pub blanks_per_second: u32,
    /// The EE's cycles that sixty blanks take, nominally.
    pub cycles_per_sixty_blanks: u32,
}

/// The kernel call's third argument for FIELD.
const FIELD: i32 = 0;

impl VideoMode {
    /// The mode that an argument names.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Ntsc, Self::Pal, Self::Progressive].into_iter().find(|mode| mode.name() == name)
    }

    /// The mode's name as arguments and the console text spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ntsc => "ntsc",
            Self::Pal => "pal",
            Self::Progressive => "480p",
        }
    }

    /// The name and the picture's size, for the screen.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Ntsc => "NTSC 640X448I",
            Self::Pal => "PAL 640X448I",
            Self::Progressive => "480P 640X448",
        }
    }

    /// The registers' values.
    pub const fn setup(self) -> Setup {
        // 59.94 Hz where the screen's rate descends from colour television, 50 Hz elsewhere.
        const COLOUR: u32 = 295_207_200;
        const EUROPE: u32 = 353_894_400;
        let (crt, x, y, magnification, blanks_per_second) = match self {
            Self::Ntsc => ((1, 0x02, FIELD), 636, 50, 4, 60),
            Self::Pal => ((1, 0x03, FIELD), 656, 104, 4, 50),
            Self::Progressive => ((0, 0x50, FIELD), 312, 51, 2, 60),
        };
        let width = WIDTH * magnification;
        Setup {
            crt,
            smode2: crt.0 as u64 | (crt.2 as u64) << 1,
            pmode: Pmode::BOTH_BLENDED,
            displays: [
                Display::new(x, y, magnification, width, HEIGHT),
                Display::new(x, y, magnification, width, HEIGHT - 1),
            ],
            first_lines: [0, 1],
            blanks_per_second,
            cycles_per_sixty_blanks: if blanks_per_second == 50 { EUROPE } else { COLOUR },
        }
    }

    /// What the two circuits read to show the frame at `page`.
    pub const fn frame_registers(self, page: u32) -> [DispFb; 2] {
        let [first, second] = self.setup().first_lines;
        [DispFb::new(page, WIDTH, first), DispFb::new(page, WIDTH, second)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ntsc_has_the_seeds_registers() {
        let setup = VideoMode::Ntsc.setup();
        assert_eq!(setup.pmode.0, 0x8067);
        assert_eq!(setup.smode2, 1);
        assert_eq!(setup.displays[1], Display::new(636, 50, 4, 2560, 447));
        assert_eq!(VideoMode::Ntsc.frame_registers(0x8C)[1].0 >> 43, 1);
    }

    #[test]
    fn every_mode_is_found_by_its_name() {
        for mode in [VideoMode::Ntsc, VideoMode::Pal, VideoMode::Progressive] {
            assert_eq!(VideoMode::from_name(mode.name()), Some(mode));
        }
        assert_eq!(VideoMode::from_name("hdtv"), None);
    }
}
