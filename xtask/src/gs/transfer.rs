//! Pictures on their way into the GS's memory, and from one place of it to another.
//!
//! Source: EE facts, sections 8 and 10.

use super::doubt::{Doubt, Doubts};
use super::memory::{Memory, Surface};
use super::state::{Registers, bits, number};
use boardwalk::ee::gif::Quad;

/// Coordinates begin anew here.
const PLANE: u32 = 2048;

/// An upload under way.
#[derive(Clone, Debug)]
pub struct Upload {
    surface: Surface,
    corner: (u32, u32),
    size: (u32, u32),
    /// Pixels that have come.
    done: u32,
    /// Bits that came and are no whole pixel yet, and how many.
    rest: (u128, u32),
}

/// Begins what TRXDIR asks for; an upload waits for its pixels, a copy is done at once.
pub fn begin(direction: u64, registers: &Registers, memory: &mut Memory, doubts: &mut Doubts) -> Option<Upload> {
    let buffers = registers.get(number::BITBLTBUF, doubts);
    let (places, size) = (registers.get(number::TRXPOS, doubts), registers.get(number::TRXREG, doubts));
    let size = (bits(size, 0, 11) as u32, bits(size, 32, 43) as u32);
    let mut surface = |first: u32| Surface {
        base: bits(buffers, first, first + 13) as u32,
        width: bits(buffers, first + 16, first + 21) as u32,
        format: doubts.format(bits(buffers, first + 24, first + 29), "transfer format"),
    };
    let corner = |first: u32| (bits(places, first, first + 10) as u32, bits(places, first + 16, first + 26) as u32);
    let to = corner(32);
    match direction & 3 {
        0 => Some(Upload { surface: surface(32), corner: to, size, done: 0, rest: (0, 0) }),
        2 => {
            let (source, target) = (surface(0), surface(32));
            copy(memory, (&source, corner(0)), (&target, to), size, bits(places, 59, 60));
            None
        }
        _ => {
            doubts.add(Doubt::Reserved("transfer direction"));
            None
        }
    }
}

/// Copies a rectangle pixel by pixel, in the order that `order` names: bit 0 from below, bit 1 from the right.
fn copy(
    memory: &mut Memory,
    (source, from): (&Surface, (u32, u32)),
    (target, to): (&Surface, (u32, u32)),
    (width, height): (u32, u32),
    order: u64,
) {
    for row in 0..height {
        let row = if order & 1 == 1 { height - 1 - row } else { row };
        for column in 0..width {
            let column = if order & 2 == 2 { width - 1 - column } else { column };
            let value = memory.read(source, (from.0 + column) % PLANE, (from.1 + row) % PLANE);
            memory.write(target, (to.0 + column) % PLANE, (to.1 + row) % PLANE, value);
        }
    }
}

impl Upload {
    /// Pixels that are still to come.
    pub fn missing(&self) -> u32 {
        self.size.0 * self.size.1 - self.done
    }

    /// Takes a quadword of pixels.
    pub fn feed(&mut self, quad: Quad, memory: &mut Memory, doubts: &mut Doubts) {
        /// Bits of a quadword.
        const QUAD_BITS: u32 = 128;
        let bits = self.surface.format.bits();
        if self.missing() == 0 {
            return doubts.add(Doubt::TooManyPixels);
        }
        let mut word = quad.0.iter().rev().fold(0_u128, |whole, word| whole << 32 | u128::from(*word));
        let mut left = QUAD_BITS;
        while left > 0 && self.missing() > 0 {
            // Pixels of 24 bits lie across quadwords.
            let take = (bits - self.rest.1).min(left);
            self.rest.0 |= (word & ((1 << take) - 1)) << self.rest.1;
            self.rest.1 += take;
            word = word.checked_shr(take).unwrap_or(0);
            left -= take;
            if self.rest.1 == bits {
                let (column, row) = (self.done % self.size.0, self.done / self.size.0);
                let (x, y) = ((self.corner.0 + column) % PLANE, (self.corner.1 + row) % PLANE);
                memory.write(&self.surface, x, y, self.rest.0 as u32);
                self.rest = (0, 0);
                self.done += 1;
            }
        }
    }
}
