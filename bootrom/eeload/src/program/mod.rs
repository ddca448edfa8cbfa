//! EELOAD's parts that touch the console: [`start`] is its fixed shape, [`main`] the order of things, [`load`] puts a
//! program into memory, [`display`] shows what went wrong.

mod allocator;
mod display;
mod load;
mod main;
mod start;

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    boardwalk::tty_println!("ROM: error: EELOAD panicked: {}", info);
    loop {
        core::hint::spin_loop();
    }
}
