//! The kernel on the processor: everything that touches registers, exceptions and other programs' memory.
//!
//! [`start`] holds the first instructions and the exception entry; exceptions go to [`exceptions`], which hands
//! interrupts to [`interrupts`] and switches threads by [`threads`]. [`sifman`], [`sifcmd`] and [`sifrpc`] are the three
//! layers towards the EE.

mod cdvdfsv;
mod cdvdman;
mod console;
mod critical;
mod devices;
mod exceptions;
mod fileio;
mod interrupts;
mod ioman;
mod iopheap;
mod libraries;
mod libsd;
mod loadfile;
mod mcman;
mod mcserv;
mod memory;
mod modules;
mod padman;
mod post_boot;
mod reboot;
mod registers;
mod romdrv;
mod server;
mod sifcmd;
mod sifman;
mod sifrpc;
mod sifrpc_client;
mod sio2;
mod start;
mod threads;

use bootrom_iop::boot_modes;
use console::log;
use modules::Builtin;

/// How the system came up: with power.
const START_COLD: u16 = 0;

/// The drivers that are there once a program asks for them by their names in the ROM.
const BUILTINS: &[Builtin] = &[
    Builtin { file: b"SIO2MAN", name: c"sio2man", start: sio2::start },
    Builtin { file: b"PADMAN", name: c"padman", start: padman::start_old },
    Builtin { file: b"XSIO2MAN", name: c"sio2man", start: sio2::start },
    Builtin { file: b"XPADMAN", name: c"padman", start: padman::start_new },
    Builtin { file: b"MCMAN", name: c"mcman_cex", start: mcserv::start_cards },
    Builtin { file: b"MCSERV", name: c"mcserv", start: mcserv::start_old },
    Builtin { file: b"XMCMAN", name: c"mcman_cex", start: mcserv::start_cards },
    Builtin { file: b"XMCSERV", name: c"mcserv", start: mcserv::start_new },
    Builtin { file: b"LIBSD", name: c"libsd", start: libsd::start },
];

/// Priority of the thread that brings the system up.
///
/// Source: IOP kernel, corrections (server thread priorities)
const BOOT_PRIORITY: u32 = 8;
const BOOT_STACK: u32 = 0x1000;

/// Called by the first instructions, interrupts off. It becomes the idle thread.
#[unsafe(no_mangle)]
extern "C" fn kernel_main() -> ! {
    start::install_vectors();
    registers::interrupt::STATUS.write(0);
    registers::interrupt::MASK.write(0);
    memory::start();
    threads::start();
    log!(
        "IOP kernel {}, {} KiB free",
        env!("CARGO_PKG_VERSION"),
        memory::MEMORY.with(|memory| memory.total_free()) / 1024
    );
    if let Err(error) = threads::spawn(boot, BOOT_PRIORITY, BOOT_STACK, 0) {
        log!("IOP: error: no boot thread: {error:?}");
    }
    start::open_interrupts();
    loop {
        threads::switch();
    }
}

/// Brings the interface and the servers up, then tells the EE.
extern "C" fn boot(_argument: u32) -> i32 {
    sifman::start();
    sifcmd::start();
    if let Err(error) = cdvdman::start().and_then(|()| devices::start()) {
        log!("IOP: error: no devices: {error:?}");
    }
    libraries::start();
    libraries::loadcore::add_boot_mode(&[boot_modes::header(boot_modes::START, START_COLD, 0)]);
    if let Err(error) = modules::start(BUILTINS) {
        log!("IOP: error: no loader: {error:?}");
    }
    if let Err(error) = reboot::start() {
        log!("IOP: error: no reboots: {error:?}");
    }
    modules::start_given_module();
    fileio::start();
    iopheap::start();
    loadfile::start();
    cdvdfsv::start();
    post_boot::run();
    registers::sif::SUB_FLAGS.write(sifman::FLAG_BOOT_END);
    log!("IOP: boot end");
    0
}
