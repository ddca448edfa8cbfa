//! The end of a program that found a bug in itself.

use crate::ee::critical;
use crate::tty_println;
use core::panic::PanicInfo;

/// Reports the panic and stops, whatever state the program is in.
#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    let _held = critical::enter();
    match info.location() {
        Some(place) => {
            tty_println!("BOARDWALK END failed: panic {}:{}: {}", place.file(), place.line(), info.message());
        }
        None => tty_println!("BOARDWALK END failed: panic: {}", info.message()),
    }
    loop {
        core::hint::spin_loop();
    }
}
