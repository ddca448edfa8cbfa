//! Shows the test card.

use crate::ee::display::Display;
use crate::graphics::card::Card;
use crate::tty_println;

/// Frames of a page: both frame buffers show it, and its textures are there from the frame before.
const FRAMES: u32 = 4;
/// Blanks for which the last one is on the screen before anybody takes a picture.
const SETTLED_BLANKS: u32 = 4;

/// Shows a page, counted from 1, and leaves it on the screen.
///
/// # Errors
/// A word on what did not fit.
#[inline(never)]
pub fn run(display: &mut Display, page: u32) -> Result<(), &'static str> {
    let mut card = Card::new().map_err(|_| "the card's pictures do not fit")?;
    display.send_and_wait(|packet| card.upload(packet));
    for _ in 0..FRAMES {
        let mut counters = None;
        display.frame(|packet, frame| counters = Some(card.draw(packet, frame, page)));
        if let Some(counters) = counters {
            tty_println!("CARD {page} {counters:?}");
        }
    }
    display.settle(SETTLED_BLANKS);
    if display.dropped() == 0 { Ok(()) } else { Err("the card's packet is too small") }
}
