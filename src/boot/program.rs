//! The program's `main`.

use super::title::{Info, Pictures, Title};
use crate::ee::crt0::Arguments;
use crate::ee::display::Display;
use crate::ee::ticks;
use crate::ee::video::VideoMode;
use crate::graphics::texture::TextureMemory;
use crate::tty_println;

/// The frame at which a test run may compare pictures.
const MARKED_FRAME: u32 = 300;

/// What the arguments ask for.
#[derive(Clone, Copy, Debug, Default)]
struct Options {
    /// The video mode; without it NTSC.
    mode: VideoMode,
    /// Frames after which the program ends; without it, never.
    frames: Option<u32>,
}

impl Options {
    fn read(arguments: &Arguments) -> Self {
        Self {
            mode: arguments.value_of("mode").and_then(VideoMode::from_name).unwrap_or_default(),
            frames: arguments.value_of("frames").and_then(|count| count.parse().ok()),
        }
    }
}

/// The program's `main`. Answers the exit value: 0 when all went well.
pub fn run(arguments: &Arguments) -> i32 {
    let options = Options::read(arguments);
    tty_println!("BOARDWALK START {} {}", env!("CARGO_PKG_VERSION"), options.mode.name());
    match show(options) {
        Ok(()) => {
            tty_println!("BOARDWALK END ok");
            0
        }
        Err(reason) => {
            tty_println!("BOARDWALK END failed: {reason}");
            1
        }
    }
}

/// Shows the title until the asked number of frames is through.
fn show(options: Options) -> Result<(), &'static str> {
    let mut display = Display::open(options.mode).map_err(|_| "the kernel takes no interrupt handler")?;
    let pictures = Pictures::new();
    let mut memory = TextureMemory::default();
    let mut title = Title::new(&mut memory, &pictures).map_err(|_| "the title's pictures do not fit")?;
    display.send_and_wait(|packet| title.upload(packet, &pictures));
    drop(pictures);
    let start = display.counters().ticks;
    let mut reported = 0;
    for frame in 0.. {
        if options.frames.is_some_and(|frames| frame >= frames) {
            break;
        }
        let counters = display.counters();
        let elapsed = counters.ticks - start;
        let seconds = seconds(elapsed);
        let info = Info { mode: options.mode.label(), frame, missed: counters.missed };
        display.frame(|packet, page| title.draw(packet, page, seconds, &info));
        if frame == MARKED_FRAME {
            tty_println!("BOARDWALK MARK title {frame}");
        }
        let second = elapsed / u64::from(ticks::PER_SECOND);
        if second != reported {
            reported = second;
            tty_println!("FRAME {frame} ticks {elapsed} missed {}", counters.missed);
        }
    }
    Ok(())
}

/// Ticks as seconds, exact to a millisecond for the picture's purposes.
fn seconds(ticks: u64) -> f32 {
    const PER_MILLISECOND: u64 = ticks::PER_SECOND as u64 / 1000;
    (ticks / PER_MILLISECOND) as u32 as f32 * 0.001
}
