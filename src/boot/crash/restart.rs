//! The way back from the crash screen: a button starts the program anew, or leads to the browser.

use crate::crash::program_to_begin;
use crate::ee::bare_pads::BarePads;
use crate::ee::exceptions;
use crate::ee::sif::files::Files;
use crate::ee::sif::link::Link;
use crate::pads::button;
use crate::tty_println;
use core::cell::Cell;
use core::ffi::CStr;
use critical_section::Mutex;

/// Where the program came from, when its loader said so.
static PATH: Mutex<Cell<Option<&'static CStr>>> = Mutex::new(Cell::new(None));

/// Notes where the program came from.
pub(super) fn remember(path: Option<&'static CStr>) {
    critical_section::with(|section| PATH.borrow(section).set(path));
}

/// What can be begun anew; none leads to the browser.
pub(super) fn program(link: &mut Link) -> Option<&'static CStr> {
    let own = critical_section::with(|section| PATH.borrow(section).get());
    program_to_begin(own, |path| Files::bind(link).and_then(|files| files.open(link, path.to_bytes())).is_ok())
}

/// Opens the controllers; none when that fails, and then there is no way back.
pub(super) fn controllers(link: &mut Link) -> Option<BarePads> {
    BarePads::open(link).inspect_err(|error| tty_println!("CRASH controllers missing: {error}")).ok()
}

/// Waits for START and begins `program` anew, or leaves for the browser.
pub(super) fn wait(pads: &BarePads, program: Option<&CStr>) -> ! {
    // A button that was down when all ended says nothing.
    let mut was_down = true;
    loop {
        let is_down = pads.down() & button::START != 0;
        if is_down && !was_down {
            tty_println!("CRASH {}", if program.is_some() { "starts anew" } else { "leaves for the browser" });
            exceptions::begin_anew(program);
        }
        was_down = is_down;
    }
}
