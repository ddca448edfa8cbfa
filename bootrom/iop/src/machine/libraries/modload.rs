//! `modload` 1.1 with the functions that later systems added: modules.

use super::{Exports, exports, fetch, store, sysmem};
use crate::machine::critical::Shared;
use crate::machine::memory::may_write;
use crate::machine::modules::{self, Target};
use crate::machine::{reboot, threads};
use bootrom_iop::errors::{Error, code_of};
use bootrom_iop::memory::Place;
use core::arch::global_asm;

/// Library functions by number.
///
/// Source: IOP facts, Library function ids (up to 15); public headers of the system's later versions (from 16)
pub static TABLE: Exports<29> = exports(
    b"modload",
    0x0101,
    [
        // Covers: iop, modload 3 GetModloadInternalData test=the loader keeps its own state to itself
        (3, internal_data as *const ()),
        // Covers: iop, modload 4 ReBootStart test=a module starts its processor anew with an image
        (4, restart as *const ()),
        // Covers: iop, modload 5 LoadModuleAddress test=a place within own memory
        (5, load_to as *const ()),
        // Covers: iop, modload 6 LoadModule test=a module is loaded from a file
        (6, load as *const ()),
        // Covers: iop, modload 7 LoadStartModule test=a driver of the ROM
        (7, load_and_start as *const ()),
        // Covers: iop, modload 8 StartModule test=it starts
        (8, start as *const ()),
        // Covers: iop, modload 9 LoadModuleBufferAddress test=a module in memory is loaded to an address
        (9, load_buffer_to as *const ()),
        // Covers: iop, modload 10 LoadModuleBuffer test=memory that is no module
        (10, load_buffer as *const ()),
        // Covers: iop, modload 11 LoadStartKelfModule test=a file that is not encrypted
        (11, load_encrypted as *const ()),
        // Covers: iop, modload 12 SetSecrmanCallbacks test=a module that somebody decrypts is started
        (12, set_decryption as *const ()),
        // Covers: iop, modload 13 SetCheckKelfPathCallback test=a path may be a card's, with port and slot
        (13, set_path_check as *const ()),
        // Covers: iop, modload 14 GetLoadfileCallbacks test=the functions for encrypted modules are told
        (14, decryption as *const ()),
        // Covers: iop, modload 15 IsIllegalBootDevice test=modules may come from any device
        (15, is_illegal_device as *const ()),
        (16, list as *const ()),
        (17, refer as *const ()),
        (18, list_by_name as *const ()),
        (19, load_with_options as *const ()),
        (20, stop as *const ()),
        (21, unload as *const ()),
        (22, find_by_name as *const ()),
        (23, find_by_address as *const ()),
        (24, modload_stop_own as *const ()),
        (25, modload_unload_own as *const ()),
        (26, sysmem::allocate as *const ()),
        (27, sysmem::free as *const ()),
        (28, set_flags as *const ()),
    ],
);

/// Nothing of the loader's own state is for others.
extern "C" fn internal_data(data: *mut u32) {
    store(data, 0);
}

/// The flags say what a real start is to leave alone, which ours does anyway.
extern "C" fn restart(command: *const u8, _flags: u32) -> i32 {
    reboot::restart_with(command)
}

extern "C" fn load_to(path: *const u8, address: u32, distance: u32) -> i32 {
    code_of(modules::load_file(path, Target::at(address, distance)))
}

extern "C" fn load(path: *const u8) -> i32 {
    code_of(modules::load_file(path, Target::ANYWHERE))
}

/// A module's id; what its start or stop function returned goes to `result`.
fn with_result(done: Result<(i32, i32), Error>, result: *mut i32) -> i32 {
    code_of(done.map(|(id, value)| {
        store(result, value);
        id
    }))
}

extern "C" fn load_and_start(path: *const u8, bytes: u32, arguments: *const u8, result: *mut i32) -> i32 {
    with_result(modules::load_and_start(path, arguments, bytes), result)
}

extern "C" fn start(id: i32, name: *const u8, bytes: u32, arguments: *const u8, result: *mut i32) -> i32 {
    with_result(modules::start_module(id, name, arguments, bytes).map(|value| (id, value)), result)
}

extern "C" fn load_buffer_to(buffer: u32, address: u32, distance: u32) -> i32 {
    code_of(modules::load_memory(buffer, Target::at(address, distance)))
}

extern "C" fn load_buffer(buffer: u32) -> i32 {
    code_of(modules::load_memory(buffer, Target::ANYWHERE))
}

/// Functions by which encrypted modules are read: what decides where one comes from, and the three that a module with the
/// keys brings. 0 for none.
///
/// Source: public headers (SetCheckKelfPathCallback, SetSecrmanCallbacks)
struct Decryption {
    check_path: u32,
    from_card: u32,
    from_disc: u32,
    set_loader: u32,
}

static DECRYPTION: Shared<Decryption> =
    Shared::new(Decryption { check_path: 0, from_card: 0, from_disc: 0, set_loader: 0 });

/// Decrypts what has been read to `file`, by whoever can; where the module lies then, 0 when nobody can.
///
/// Our choice: this ROM has no keys, so that without such functions no encrypted module is one.
fn decrypt(path: *const u8, file: u32) -> u32 {
    let Decryption { check_path, from_card, from_disc, .. } = DECRYPTION.with(|known| Decryption { ..*known });
    let (mut port, mut slot) = (0, 0);
    let is_on_card = check_path != 0 && {
        // SAFETY: whoever has set it has passed a C function of these arguments; that is the contract.
        let check: extern "C" fn(*const u8, *mut i32, *mut i32) -> i32 =
            unsafe { core::mem::transmute(check_path as usize) };
        check(path, &raw mut port, &raw mut slot) != 0
    };
    match (is_on_card, from_card, from_disc) {
        (true, 0, _) | (false, _, 0) => 0,
        (true, function, _) => {
            // SAFETY: as above.
            let function: extern "C" fn(i32, i32, u32) -> u32 = unsafe { core::mem::transmute(function as usize) };
            function(port, slot, file)
        }
        (false, _, function) => {
            // SAFETY: as above.
            let function: extern "C" fn(u32) -> u32 = unsafe { core::mem::transmute(function as usize) };
            function(file)
        }
    }
}

/// An encrypted module: its id; what its start function returned goes to `result`.
extern "C" fn load_encrypted(path: *const u8, bytes: u32, arguments: *const u8, result: *mut i32) -> i32 {
    let loaded = modules::load_decrypted(path, |file| decrypt(path, file));
    with_result(
        loaded.and_then(|id| modules::start_module(id, path, arguments, bytes).map(|value| (id, value))),
        result,
    )
}

extern "C" fn set_decryption(from_card: u32, from_disc: u32, set_loader: u32) {
    DECRYPTION.with(|known| *known = Decryption { from_card, from_disc, set_loader, ..*known });
}

extern "C" fn set_path_check(function: u32) {
    DECRYPTION.with(|known| known.check_path = function);
}

/// The functions that the server for the EE would use.
extern "C" fn decryption(check_path: *mut u32, set_loader: *mut u32) {
    let (check, loader) = DECRYPTION.with(|known| (known.check_path, known.set_loader));
    store(check_path, check);
    store(set_loader, loader);
}

/// Whether modules may not come from the device of a path.
///
/// Our choice: they may come from all of them, as programs of everybody's want it.
extern "C" fn is_illegal_device() -> i32 {
    0
}

extern "C" fn list(ids: *mut i32, room: u32, total: *mut u32) -> i32 {
    list_of(None, ids, room, total)
}

extern "C" fn list_by_name(name: *const u8, ids: *mut i32, room: u32, total: *mut u32) -> i32 {
    list_of(Some(name), ids, room, total)
}

fn list_of(name: Option<*const u8>, ids: *mut i32, room: u32, total: *mut u32) -> i32 {
    let (_, all) = modules::ids(name, core::ptr::null_mut(), 0);
    let room = room.min(all);
    let written = if room > 0 && may_write(ids as u32, 4 * room) { modules::ids(name, ids, room).0 } else { 0 };
    store(total, all);
    written as i32
}

extern "C" fn refer(id: i32, status: *mut modules::Status) -> i32 {
    code_of(modules::status(id).map(|told| {
        store(status, told);
        0
    }))
}

/// How a module is to be loaded.
#[repr(C)]
#[derive(Clone, Copy)]
struct Options {
    position: u8,
    access: u8,
    unused: [u8; 2],
    address: u32,
    distance: u32,
    functions: u32,
    functions_argument: u32,
    reserved: [u32; 3],
}

/// Values of `position`.
const POSITION_HIGHEST: u8 = 1;
const POSITION_ADDRESS: u8 = 2;

/// Our choice: files come by way of IOMAN only; who brings functions of their own to read one is told that it does not open.
extern "C" fn load_with_options(path: *const u8, options: *const Options) -> i32 {
    let options = match fetch(options) {
        Ok(options) => options,
        Err(error) => return error.code(),
    };
    if options.functions != 0 {
        return Error::NoFile.code();
    }
    let target = match options.position {
        POSITION_HIGHEST => Target::New(Place::Highest),
        POSITION_ADDRESS => Target::at(options.address, options.distance),
        _ => Target::ANYWHERE,
    };
    code_of(modules::load_file(path, target))
}

extern "C" fn stop(id: i32, bytes: u32, arguments: *const u8, result: *mut i32) -> i32 {
    with_result(modules::stop_module(id, arguments, bytes).map(|value| (id, value)), result)
}

extern "C" fn unload(id: i32) -> i32 {
    code_of(modules::unload_module(id))
}

extern "C" fn find_by_name(name: *const u8) -> i32 {
    code_of(modules::find_by_name(name))
}

extern "C" fn find_by_address(address: u32) -> i32 {
    code_of(modules::find_by_address(address))
}

// A module is told from the place that it calls from: the stubs of an import table keep the return address.
global_asm!(
    ".set noreorder",
    ".globl modload_stop_own",
    "modload_stop_own:",
    "    j     modload_stop_caller",
    "    move  $7, $31",
    ".globl modload_unload_own",
    "modload_unload_own:",
    "    j     modload_unload_caller",
    "    move  $4, $31",
    ".set reorder",
);

unsafe extern "C" {
    fn modload_stop_own();
    fn modload_unload_own();
}

#[unsafe(no_mangle)]
extern "C" fn modload_stop_caller(bytes: u32, arguments: *const u8, result: *mut i32, caller: u32) -> i32 {
    with_result(modules::stop_own(caller, arguments, bytes).map(|value| (0, value)), result)
}

/// The code that called is gone when this is done, so the thread ends with it.
#[unsafe(no_mangle)]
extern "C" fn modload_unload_caller(caller: u32) -> i32 {
    match modules::unload_own(caller) {
        Ok(()) => threads::exit_delete(),
        Err(error) => error.code(),
    }
}

extern "C" fn set_flags(id: i32, flags: u32) -> i32 {
    code_of(modules::set_flags(id, flags))
}
