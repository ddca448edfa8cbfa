//! Memory for the transformed vertices of a batch: the EE's scratchpad.
//!
//! It is as near to the processor as the data cache and does not push anything out of that, which a batch's sixteen
//! kilobytes in main memory would, twice over. There is one scratchpad; who asks while it is taken gets main memory.
//!
//! Source: EE facts, sections 1 and 5.

use super::strips::NAMED;
use super::vu0::transform::Transformed;
use alloc::boxed::Box;
use core::cell::Cell;
use core::ops::{Deref, DerefMut};
use critical_section::Mutex;

/// A batch's vertices.
pub type Batch = [Transformed; NAMED];

/// Where the scratchpad is.
#[cfg(target_arch = "mips")]
const SCRATCHPAD: *mut Batch = 0x7000_0000 as *mut Batch;
/// Bytes of the scratchpad.
const SCRATCHPAD_BYTES: usize = 16 * 1024;

const _: () = assert!(size_of::<Batch>() <= SCRATCHPAD_BYTES);

/// True while somebody has the scratchpad, and always where there is none.
static TAKEN: Mutex<Cell<bool>> = Mutex::new(Cell::new(cfg!(not(target_arch = "mips"))));

/// A batch's vertices in the fastest memory that was left.
pub struct Scratch(Place);

enum Place {
    #[cfg(target_arch = "mips")]
    Scratchpad(&'static mut Batch),
    Main(Box<Batch>),
}

impl Scratch {
    /// Takes the scratchpad, or main memory when it is taken.
    pub fn take() -> Self {
        let taken = critical_section::with(|section| TAKEN.borrow(section).replace(true));
        if taken {
            return Self(Place::Main(Box::new([Transformed::default(); NAMED])));
        }
        #[cfg(target_arch = "mips")]
        {
            // SAFETY: the scratchpad is mapped in every program, nobody else has it, and every pattern of bits in it is a
            // batch; its address is aligned to any power of two up to its size.
            let batch = unsafe { &mut *SCRATCHPAD };
            batch.fill(Transformed::default());
            Self(Place::Scratchpad(batch))
        }
        #[cfg(not(target_arch = "mips"))]
        Self(Place::Main(Box::new([Transformed::default(); NAMED])))
    }

    /// True when it is the scratchpad.
    pub fn is_scratchpad(&self) -> bool {
        !matches!(self.0, Place::Main(_))
    }
}

#[cfg(target_arch = "mips")]
impl Drop for Scratch {
    fn drop(&mut self) {
        if self.is_scratchpad() {
            critical_section::with(|section| TAKEN.borrow(section).set(false));
        }
    }
}

impl Deref for Scratch {
    type Target = Batch;
    fn deref(&self) -> &Batch {
        match &self.0 {
            #[cfg(target_arch = "mips")]
            Place::Scratchpad(batch) => batch,
            Place::Main(batch) => batch,
        }
    }
}

impl DerefMut for Scratch {
    fn deref_mut(&mut self) -> &mut Batch {
        match &mut self.0 {
            #[cfg(target_arch = "mips")]
            Place::Scratchpad(batch) => batch,
            Place::Main(batch) => batch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_scratchpad_everybody_gets_main_memory() {
        let (mut one, two) = (Scratch::take(), Scratch::take());
        one[255].colour = [9; 4];
        assert!(!one.is_scratchpad() && two[255].colour == [0; 4]);
    }
}
