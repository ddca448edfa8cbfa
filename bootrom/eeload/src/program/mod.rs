//! EELOAD's parts that touch the console.
mod allocator;
mod start;

#[unsafe(no_mangle)]
extern "C" fn eeload_main(count: i32, _values: *const *const u8) {
    boardwalk::tty_println!("ROM: EELOAD runs with {} arguments", count);
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    boardwalk::tty_println!("ROM: error: {}", info);
    loop {
        core::hint::spin_loop();
    }
}
