//! What the two video circuits show of the memory.
//!
//! Source: EE facts, section 9.

use super::memory::{Format, Memory, PAGE_BLOCKS, Surface};
use super::state::bits;
use boardwalk::ee::video::VideoOptions;
use image::{Rgb, RgbImage};

/// One circuit: what it reads and where it shows it.
#[derive(Clone, Copy, Debug)]
struct Circuit {
    surface: Surface,
    first: (u32, u32),
    /// The corner on the screen, in clock units and lines.
    corner: (u32, u32),
    /// Clock units of a pixel.
    magnification: u32,
    size: (u32, u32),
}

impl Circuit {
    fn new(buffer: u64, display: u64) -> Self {
        Self {
            surface: Surface {
                base: bits(buffer, 0, 8) as u32 * PAGE_BLOCKS,
                width: bits(buffer, 9, 14) as u32,
                format: Format::from_code(bits(buffer, 15, 19)).unwrap_or(Format::Ct32),
            },
            first: (bits(buffer, 32, 42) as u32, bits(buffer, 43, 53) as u32),
            corner: (bits(display, 0, 11) as u32, bits(display, 12, 22) as u32),
            magnification: bits(display, 23, 26) as u32 + 1,
            size: (bits(display, 32, 43) as u32 + 1, bits(display, 44, 54) as u32 + 1),
        }
    }

    /// The colour at a place of the screen, if the circuit shows anything there.
    fn at(&self, memory: &Memory, x: u32, y: u32) -> Option<[u32; 3]> {
        let (dx, dy) = (x.checked_sub(self.corner.0)?, y.checked_sub(self.corner.1)?);
        if dx >= self.size.0 || dy >= self.size.1 {
            return None;
        }
        let value = memory.read(&self.surface, self.first.0 + dx / self.magnification, self.first.1 + dy);
        Some([0, 8, 16].map(|shift| value >> shift & 0xFF))
    }
}

/// PMODE's bits.
mod pmode {
    pub const FIRST: u64 = 1;
    pub const SECOND: u64 = 1 << 1;
    pub const FIXED: u64 = 1 << 5;
    pub const OVER_BACKGROUND: u64 = 1 << 7;
}

/// Which circuits to look through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Through {
    /// Both, as a screen does.
    Both,
    /// As the emulator that draws the golden pictures: it knows two circuits a line apart for a filter against flicker and
    /// leaves the second one out. The first line it still mixes with the dark above the picture.
    Emulator,
}

/// The picture that a screen shows of the frame at `page`: both fields of an interlaced one woven together, nothing around it.
///
/// # Panics
/// When the registers ask for what the engine does not use: circuits that mix by the frame's alpha.
pub fn picture(memory: &Memory, video: &VideoOptions, page: u32, through: Through) -> RgbImage {
    let setup = video.setup();
    let buffers = video.mode.frame_registers(page);
    let circuits = [0, 1].map(|number: usize| Circuit::new(buffers[number].0, setup.displays[number].0));
    let mode = setup.pmode.0;
    assert!(mode & pmode::FIXED != 0, "the circuits mix by a fixed share");
    let share = bits(mode, 8, 15) as u32;
    let unit = circuits[0].magnification;
    let (width, height) = (circuits[0].size.0 / unit, circuits[0].size.1);
    RgbImage::from_fn(width, height, |column, row| {
        let (x, y) = (circuits[0].corner.0 + column * unit, circuits[0].corner.1 + row);
        let seen = |on: u64, circuit: &Circuit| if mode & on != 0 { circuit.at(memory, x, y) } else { None };
        if through == Through::Emulator {
            let part = if row == 0 { 2 } else { 1 };
            return Rgb(circuits[0].at(memory, x, y).unwrap_or_default().map(|channel| (channel / part) as u8));
        }
        let second = seen(pmode::SECOND, &circuits[1]).filter(|_| mode & pmode::OVER_BACKGROUND == 0);
        let below = second.unwrap_or([0; 3]);
        let Some(first) = seen(pmode::FIRST, &circuits[0]) else { return Rgb(below.map(|channel| channel as u8)) };
        let mixed = |channel: usize| (first[channel] * share + below[channel] * (255 - share)) / 255;
        Rgb([0, 1, 2].map(|channel| mixed(channel) as u8))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwalk::ee::video::VideoMode;

    #[test]
    fn a_line_of_an_interlaced_screen_is_the_mean_of_two_of_the_frame() {
        let mut memory = Memory::with_leftovers();
        let frame = Surface { base: 0, width: 10, format: Format::Ct32 };
        for (y, value) in [(0, 0), (1, 200), (2, 100)] {
            memory.write(&frame, 639, y, value);
        }
        for mode in VideoMode::ALL {
            let picture = picture(&memory, &VideoOptions::new(mode), 0, Through::Both);
            assert_eq!(picture.dimensions(), (640, 448));
            let red = |y: u32| picture.get_pixel(639, y).0[0];
            let interlaced = VideoOptions::new(mode).setup().crt.0 == 1;
            let (first, second) = if interlaced { (100, 150) } else { (0, 200) };
            assert!(red(0).abs_diff(first) <= 1 && red(1).abs_diff(second) <= 1, "{} {}", red(0), red(1));
        }
    }
}
