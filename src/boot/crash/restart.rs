//! The way back from the crash screen: a button starts the program anew.

use crate::ee::bare_pads::BarePads;
use crate::ee::exceptions;
use crate::ee::sif::link::Link;
use crate::pads::button;
use crate::tty_println;
use core::cell::Cell;
use core::ffi::CStr;
use critical_section::Mutex;

/// Where a program must come from to be loaded again by a newly started IOP: no loader's own drivers live on it.
const DISC: &str = "cdrom0:";

/// The program's path, when it came from the disc.
static PATH: Mutex<Cell<Option<&'static CStr>>> = Mutex::new(Cell::new(None));

/// Notes where the program came from. `None` or another device than the disc leads to the browser instead.
pub(super) fn remember(path: Option<&'static CStr>) {
    let path = path.filter(|path| path.to_bytes().starts_with(DISC.as_bytes()));
    critical_section::with(|section| PATH.borrow(section).set(path));
}

/// Opens the controllers; none when that fails, and then there is no way back.
pub(super) fn controllers(link: &mut Link) -> Option<BarePads> {
    BarePads::open(link).inspect_err(|error| tty_println!("CRASH controllers missing: {error}")).ok()
}

/// Waits for START and starts the program anew.
pub(super) fn wait(pads: &BarePads) -> ! {
    // A button that was down when all ended says nothing.
    let mut was_down = true;
    loop {
        let is_down = pads.down() & button::START != 0;
        if is_down && !was_down {
            again();
        }
        was_down = is_down;
    }
}

fn again() -> ! {
    tty_println!("CRASH starts anew");
    let path = critical_section::with(|section| PATH.borrow(section).get());
    exceptions::begin_anew(path)
}
