//! The kernel on the processor: everything that touches registers, exceptions and other programs' memory.
//!
//! [`start`] holds the first instructions and the exception entry; exceptions go to [`exceptions`], which hands
//! interrupts to [`interrupts`] and switches threads by [`threads`]. [`sifman`], [`sifcmd`] and [`sifrpc`] are the three
//! layers towards the EE.

mod boot_list;
mod cards;
mod cd_stream;
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
mod mc_device;
mod mcman;
mod mcserv;
mod memory;
mod modules;
mod mtapman;
mod owner;
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

use console::log;
use libraries::sio2man;
use modules::Builtin;

/// The drivers that are there once a program asks for them by their names in the ROM.
const BUILTINS: &[Builtin] = &[
    Builtin { file: b"SIO2MAN", name: c"sio2man", start: sio2man::start_old },
    Builtin { file: b"PADMAN", name: c"padman", start: padman::start_old },
    Builtin { file: b"XSIO2MAN", name: c"sio2man", start: sio2man::start_new },
    Builtin { file: b"XPADMAN", name: c"padman", start: padman::start_new },
    Builtin { file: b"MTAPMAN", name: c"multitap_manager", start: mtapman::start },
    Builtin { file: b"XMTAPMAN", name: c"multitap_manager", start: mtapman::start },
    Builtin { file: b"MCMAN", name: c"mcman_cex", start: mc_device::start },
    Builtin { file: b"MCSERV", name: c"mcserv", start: mcserv::start_old },
    Builtin { file: b"XMCMAN", name: c"mcman_cex", start: mc_device::start },
    Builtin { file: b"XMCSERV", name: c"mcserv", start: mcserv::start_new },
    Builtin { file: b"LIBSD", name: c"libsd", start: libsd::start },
    Builtin { file: b"ADDDRV", name: c"ADDROM_driver", start: romdrv::add_player },
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
    let start = boot_list::read_note();
    threads::start(1 << start as u32);
    boot_list::tell_modes(start);
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

/// Brings the interface up and everything on top of it, then tells the EE.
extern "C" fn boot(_start: u32) -> i32 {
    // The EE looks as soon as the interface is up.
    owner::tell();
    sifman::start();
    sifcmd::start();
    if let Err(error) = devices::start() {
        log!("IOP: error: no devices: {error:?}");
    }
    libraries::start();
    if let Err(error) = modules::start(BUILTINS) {
        log!("IOP: error: no loader: {error:?}");
    }
    if let Err(error) = reboot::start() {
        log!("IOP: error: no reboots: {error:?}");
    }
    boot_list::run();
    modules::start_given_module();
    registers::sif::SUB_FLAGS.write(sifman::FLAG_BOOT_END);
    log!("IOP: boot end");
    0
}
