//! The end of a program that found a bug in itself: what happened and where, on the console and on the screen.
//!
//! Works from any state of the program: it allocates nothing, trusts nothing that was set up before, resets the drawing
//! hardware and draws the letters' strokes as lines, so that no texture has to be there.

use crate::ee::gif::{Line, Packet};
use crate::ee::gs::general::Rgbaq;
use crate::ee::gs::memory::FRAMES;
use crate::ee::video::VideoMode;
use crate::ee::{critical, display};
use crate::graphics::canvas::{Canvas, Depth, Rect};
use crate::graphics::colour::{self, rgb};
use crate::graphics::font;
use crate::maths::Vec3;
use crate::tty_println;
use core::fmt::Write;
use core::panic::PanicInfo;
use heapless::String;

/// Cache lines of a packet: enough for the picture's registers and for any letter.
const PACKET_LINES: usize = 32;
/// Characters in a row of text.
const COLUMNS: usize = 42;
/// Rows of text.
const ROWS: usize = 12;
/// Where the text begins, inside the title-safe area.
const CORNER: (f32, f32) = (56.0, 92.0);
const BACKGROUND: Vec3 = rgb(18, 20, 52);
const HEADING: Vec3 = rgb(255, 120, 96);
const TEXT: Vec3 = rgb(226, 228, 240);

/// Reports the panic and stops.
#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    let _held = critical::enter();
    let mut text = String::<{ COLUMNS * ROWS }>::new();
    // Text that does not fit is cut: the beginning says the most.
    let _ = write!(text, "{}", info.message());
    let mut place = String::<96>::new();
    if let Some(location) = info.location() {
        let _ = write!(place, "{}:{}", location.file(), location.line());
    }
    tty_println!("BOARDWALK END failed: panic {place}: {text}");
    // The program may have set another mode; the kernel's calls do not tell which.
    display::take_over(VideoMode::Ntsc);
    // Those calls let interrupts in.
    let _held = critical::enter();
    let mut memory = [Line::default(); PACKET_LINES];
    display::send(&mut memory, |packet| {
        let mut canvas = Canvas::begin(packet, FRAMES[0]);
        canvas.rect(Rect::PICTURE, colour::vertex(BACKGROUND));
    });
    write_text(&mut memory, "BOARDWALK HAS STOPPED", 0, HEADING);
    write_text(&mut memory, &place, 2, TEXT);
    write_text(&mut memory, &text, 4, TEXT);
    display::show(VideoMode::Ntsc, FRAMES[0]);
    loop {
        core::hint::spin_loop();
    }
}

/// Draws `text` from row `first_row` on, one packet for each letter.
fn write_text(memory: &mut [Line], text: &str, first_row: usize, colour: Vec3) {
    let mut place = (0, first_row);
    for character in text.chars() {
        if character == '\n' || place.0 == COLUMNS {
            place = (0, place.1 + 1);
        }
        if character == '\n' {
            continue;
        }
        if place.1 >= ROWS {
            return;
        }
        let at = (CORNER.0 + place.0 as f32 * font::ADVANCE * 1.15, CORNER.1 + place.1 as f32 * font::LINE_HEIGHT);
        let colour: Rgbaq = colour::vertex(colour);
        display::send(memory, |packet: &mut Packet| {
            let mut canvas = Canvas::resume(packet);
            canvas.depth(Depth::Ignored);
            font::draw_strokes(&mut canvas, character, at, colour);
        });
        place.0 += 1;
    }
}
