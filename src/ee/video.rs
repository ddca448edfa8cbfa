//! Video modes: one picture of 640x448, centred on every kind of screen, and what a person may choose about it.
//!
//! Interlaced modes run in FIELD: the frame has its full height and each field shows every second line. [`VideoOptions`] is
//! what an options menu changes and a save remembers; [`Trial`] is the way back from a mode that the screen cannot show.
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

/// The screen's shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// 4:3.
    #[default]
    Standard,
    /// 16:9: the same picture, shown a third wider.
    Wide,
}

/// How far the picture may be moved: to each side in pixels, up and down in lines.
pub const SHIFT_LIMITS: (i8, i8) = (16, 16);

/// What a person chooses about the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VideoOptions {
    /// The kind of screen.
    pub mode: VideoMode,
    /// Its shape.
    pub shape: Shape,
    /// How far the picture is moved to the right, in pixels, and downwards, in lines; see [`SHIFT_LIMITS`].
    pub shift: (i8, i8),
}

/// Bytes of options in a save.
pub const OPTION_BYTES: usize = 4;

impl VideoOptions {
    /// A mode on a screen of 4:3, centred.
    pub const fn new(mode: VideoMode) -> Self {
        Self { mode, shape: Shape::Standard, shift: (0, 0) }
    }

    /// Pixels in a row for a line that show a square: what a camera's `stretch` is.
    pub const fn stretch(&self) -> f32 {
        match self.shape {
            Shape::Standard => 1.0,
            Shape::Wide => 0.75,
        }
    }

    /// The same, moved by some pixels and lines as far as the limits allow.
    pub fn moved(self, right: i8, down: i8) -> Self {
        let step = |value: i8, by: i8, limit: i8| value.saturating_add(by).clamp(-limit, limit);
        Self { shift: (step(self.shift.0, right, SHIFT_LIMITS.0), step(self.shift.1, down, SHIFT_LIMITS.1)), ..self }
    }

    /// The options as a save keeps them.
    pub const fn to_bytes(self) -> [u8; OPTION_BYTES] {
        [self.mode as u8, self.shape as u8, self.shift.0 as u8, self.shift.1 as u8]
    }

    /// Options from a save; `None` for what no version wrote.
    pub fn from_bytes([mode, shape, right, down]: [u8; OPTION_BYTES]) -> Option<Self> {
        let mode = VideoMode::ALL.into_iter().find(|known| *known as u8 == mode)?;
        let shape = [Shape::Standard, Shape::Wide].into_iter().find(|known| *known as u8 == shape)?;
        let (right, down) = (right as i8, down as i8);
        let inside = |value: i8, limit: i8| (-limit..=limit).contains(&value);
        let shift = inside(right, SHIFT_LIMITS.0) && inside(down, SHIFT_LIMITS.1);
        shift.then_some(Self { mode, shape, shift: (right, down) })
    }

    /// The registers' values.
    pub const fn setup(&self) -> Setup {
        self.mode.setup_moved(self.shift.0, self.shift.1)
    }
}

/// A mode on trial: without a person's word in time the old one comes back.
///
/// Whoever cannot see the picture cannot answer, so silence means no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trial {
    before: VideoOptions,
    wanted: VideoOptions,
    frames_left: u32,
}

/// How a trial stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No answer yet; the old options come back in so many seconds.
    Open(u32),
    /// The new options stay.
    Kept(VideoOptions),
    /// The old options are to be set again.
    Back(VideoOptions),
}

/// Seconds for which a mode is on trial.
pub const TRIAL_SECONDS: u32 = 15;

impl Trial {
    /// Begins when `wanted` has been set in place of `before`.
    pub const fn new(before: VideoOptions, wanted: VideoOptions) -> Self {
        Self { before, wanted, frames_left: TRIAL_SECONDS * wanted.mode.frames_per_second() }
    }

    /// True when a change is worth a trial: the screen may not know the mode.
    pub fn is_needed(before: VideoOptions, wanted: VideoOptions) -> bool {
        before.mode != wanted.mode
    }

    /// A frame passes; `answer` is a person's word, if there was one.
    pub const fn frame(&mut self, answer: Option<bool>) -> Verdict {
        self.frames_left = self.frames_left.saturating_sub(1);
        match answer {
            Some(true) => Verdict::Kept(self.wanted),
            Some(false) => Verdict::Back(self.before),
            None if self.frames_left == 0 => Verdict::Back(self.before),
            None => Verdict::Open(self.frames_left.div_ceil(self.wanted.mode.frames_per_second())),
        }
    }
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
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::Ntsc, Self::Pal, Self::Progressive];

    /// The mode that an argument names.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// Frames a second: every second blank shows one.
    pub const fn frames_per_second(self) -> u32 {
        self.setup().blanks_per_second / super::pacing::BLANKS_PER_FRAME
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
        self.setup_moved(0, 0)
    }

    /// The registers' values with the picture moved to the right, in pixels, and downwards, in lines.
    const fn setup_moved(self, right: i8, down: i8) -> Setup {
        // 59.94 Hz where the screen's rate descends from colour television, 50 Hz elsewhere.
        const COLOUR: u32 = 295_207_200;
        const EUROPE: u32 = 353_894_400;
        let (crt, x, y, magnification, blanks_per_second) = match self {
            Self::Ntsc => ((1, 0x02, FIELD), 636, 50, 4, 60),
            Self::Pal => ((1, 0x03, FIELD), 656, 104, 4, 50),
            Self::Progressive => ((0, 0x50, FIELD), 312, 51, 2, 60),
        };
        let width = WIDTH * magnification;
        let x = (x + right as i32 * magnification as i32) as u32;
        // An interlaced picture moves by whole pairs of lines: its fields keep their places.
        let lines = if crt.0 == 1 { down as i32 & !1 } else { down as i32 };
        let y = (y + lines) as u32;
        Setup {
            crt,
            smode2: crt.0 as u64 | (crt.2 as u64) << 1,
            // Only an interlaced screen flickers.
            pmode: if crt.0 == 1 { Pmode::BOTH_BLENDED } else { Pmode::FIRST_ALONE },
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
    fn only_interlaced_pictures_are_blended_against_flicker() {
        let modes = VideoMode::ALL.map(|mode| (mode.setup().crt.0, mode.setup().pmode));
        assert_eq!(modes, [(1, Pmode::BOTH_BLENDED), (1, Pmode::BOTH_BLENDED), (0, Pmode::FIRST_ALONE)]);
    }

    #[test]
    fn every_mode_is_found_by_its_name() {
        for mode in VideoMode::ALL {
            assert_eq!(VideoMode::from_name(mode.name()), Some(mode));
        }
        assert_eq!(VideoMode::from_name("hdtv"), None);
    }

    #[test]
    fn the_picture_moves_by_whole_pixels_and_stays_within_its_limits() {
        let centred = VideoOptions::new(VideoMode::Progressive);
        let moved = centred.moved(3, -2);
        assert_eq!(moved.setup().displays[0], Display::new(312 + 3 * 2, 49, 2, 1280, HEIGHT));
        assert_eq!(centred.moved(100, -100).shift, (16, -16));
        for mode in VideoMode::ALL {
            for (right, down) in [(-16, -16), (16, 16)] {
                let [first, _] = VideoOptions::new(mode).moved(right, down).setup().displays;
                let x = first.0 & 0xFFF;
                assert!((200..800).contains(&x), "{mode:?} begins at {x}");
            }
        }
    }

    #[test]
    fn options_survive_a_save_and_nonsense_does_not() {
        let options = VideoOptions { mode: VideoMode::Pal, shape: Shape::Wide, shift: (-5, 7) };
        assert_eq!(VideoOptions::from_bytes(options.to_bytes()), Some(options));
        for bytes in [[3, 0, 0, 0], [0, 2, 0, 0], [0, 0, 17, 0], [0, 0, 0, 0x80]] {
            assert_eq!(VideoOptions::from_bytes(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn a_mode_that_nobody_confirms_goes_back_by_itself() {
        let (before, wanted) = (VideoOptions::new(VideoMode::Ntsc), VideoOptions::new(VideoMode::Progressive));
        let mut trial = Trial::new(before, wanted);
        assert_eq!(trial.frame(None), Verdict::Open(TRIAL_SECONDS));
        let frames = (1..).find(|_| trial.frame(None) == Verdict::Back(before)).expect("it ends");
        assert_eq!(frames, TRIAL_SECONDS * wanted.mode.frames_per_second() - 1);
        assert_eq!(Trial::new(before, wanted).frame(Some(true)), Verdict::Kept(wanted));
        assert_eq!(Trial::new(before, wanted).frame(Some(false)), Verdict::Back(before));
        assert!(Trial::is_needed(before, wanted) && !Trial::is_needed(before, before.moved(1, 0)));
    }
}
