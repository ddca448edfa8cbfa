//! EELOAD's parts that touch the console: [`start`] is its fixed shape, [`main`] the order of things, [`load`] puts a
//! program into memory, [`display`] shows what went wrong.

mod allocator;
mod display;
mod load;
mod main;
mod start;

use core::fmt::Write as _;

/// A bug of EELOAD itself.
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    boardwalk::tty_println!("ROM: error: EELOAD panicked: {}", info);
    let mut text = bootrom_ee::screen::Text::<512>::new();
    let _ = write!(text, "EELOAD panicked\n{info}");
    display::show_text(bootrom_ee::screen::Colour::new(0x88, 0x08, 0x58), text.as_bytes());
    main::stop()
}
