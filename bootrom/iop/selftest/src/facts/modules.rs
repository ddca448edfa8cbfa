//! MODLOAD: this very module is loaded once more, as one that can be stopped.

use crate::system::{self, ModuleStatus};
use crate::tally::Tally;

/// What the second copy is told at its start, and at a stop that it is to refuse.
pub const GUEST: &core::ffi::CStr = c"guest";
pub const REFUSE: &core::ffi::CStr = c"refuse";

const UNKNOWN: i32 = -202;
const NO_FILE: i32 = -203;
const ILLEGAL: i32 = -201;
const ALREADY_STARTED: i32 = -206;
const NOT_STARTED: i32 = -207;
const ALREADY_STOPPED: i32 = -208;
const CANNOT_STOP: i32 = -209;
const NOT_STOPPED: i32 = -210;
const NOT_REMOVABLE: i32 = -211;
const REMOVABLE: i32 = 2;
const STOPPED: i32 = 1;
/// Ids that fit the list.
const ROOM: usize = 64;

pub fn run(tally: &mut Tally, path: *const u8) {
    let own = system::SearchModuleByName(c"selftest".as_ptr().cast());
    tally.holds("a module is found by its name", own > 0);
    tally.equal("and by an address", system::SearchModuleByAddress(run as *const () as u32), own);
    tally.equal("not by one outside", system::SearchModuleByAddress(4), UNKNOWN);
    lists(tally, own);
    let before = system::QueryTotalFreeMemSize();
    guest(tally, path);
    placed(tally, path);
    tally.equal("all its memory is free again", system::QueryTotalFreeMemSize() as i32, before as i32);
    refused(tally, own);
}

fn lists(tally: &mut Tally, own: i32) {
    let mut ids = [0; ROOM];
    let mut total = 0;
    let written = system::GetModuleIdList(ids.as_mut_ptr(), ROOM as u32, &raw mut total);
    tally.equal("all modules fit the list", written, total as i32);
    tally.holds("this one is among them", ids.contains(&own));
    let rising = ids[..written as usize].windows(2).all(|pair| pair[0] < pair[1]);
    tally.holds("numbers rise from the oldest to the newest", rising && ids[0] == 1);
    let some = system::GetModuleIdList(ids.as_mut_ptr(), 2, &raw mut total);
    tally.equal("a short list is filled", some, 2);
    let mut status = ModuleStatus { name: [0; 56], version: 0, flags: 0, id: 0, words: [0; 8] };
    tally.equal("a module's status", system::ReferModuleStatus(own, &raw mut status), 0);
    tally.holds("has its name", status.name.starts_with(b"selftest\0"));
    tally.equal("its number", status.id, own);
    tally.equal("and its version", status.version.into(), 0x0100);
    tally.equal("no status of what is not there", system::ReferModuleStatus(9999, &raw mut status), UNKNOWN);
}

/// Loads, starts, stops and unloads the second copy.
fn guest(tally: &mut Tally, path: *const u8) {
    let (guest, guest_bytes) = (GUEST.as_ptr().cast(), GUEST.to_bytes_with_nul().len() as u32);
    let (refuse, refuse_bytes) = (REFUSE.as_ptr().cast(), REFUSE.to_bytes_with_nul().len() as u32);
    let nothing = core::ptr::null();
    let mut result = 0;
    let id = system::LoadModule(path);
    tally.holds("a module is loaded from a file", id > 0);
    tally.equal("not stopped before it starts", system::StopModule(id, 0, nothing, &raw mut result), NOT_STARTED);
    let endless = [0, 0x1F80_1070, 0xDEAD_BEEC].map(|place: u32| {
        system::StartModule(id, path, u32::MAX, place as *const u8, &raw mut result)
            + system::StartModule(id, path, 16, place as *const u8, &raw mut result)
    });
    tally.equal("arguments that are no memory start nothing", i32::from(endless == [-2; 3]), 1);
    tally.equal("it starts", system::StartModule(id, path, guest_bytes, guest, &raw mut result), id);
    tally.equal("and says that it can be stopped", result, REMOVABLE);
    tally.equal("it starts once", system::StartModule(id, path, 0, nothing, &raw mut result), ALREADY_STARTED);
    tally.equal("it stays while it runs", system::UnloadModule(id), NOT_STOPPED);
    let refused = system::StopModule(id, refuse_bytes, refuse, &raw mut result);
    tally.equal("it may refuse to stop", refused, CANNOT_STOP);
    tally.equal("it stops", system::StopModule(id, 0, nothing, &raw mut result), id);
    tally.equal("and says so", result, STOPPED);
    tally.equal("it stops once", system::StopModule(id, 0, nothing, &raw mut result), ALREADY_STOPPED);
    tally.equal("it is unloaded", system::UnloadModule(id), id);
    tally.equal("it is unloaded once", system::UnloadModule(id), UNKNOWN);
}

/// Loads the second copy to an address, and into memory that is ours.
fn placed(tally: &mut Tally, path: *const u8) {
    // Larger than the module and its file, which is read to the top of memory.
    const BYTES: u32 = 0x8_0000;
    let block = system::AllocSysMemory(1, BYTES, 0);
    tally.equal("an address in use", system::LoadModuleAddress(path, block, 0), -205);
    let id = system::LoadModuleAddress(path, block, 0x100);
    tally.equal("a place within own memory", system::SearchModuleByAddress(block + 0x140), id);
    tally.equal("is unloaded", system::UnloadModule(id), id);
    tally.equal("and stays ours", system::FreeSysMemory(block), 0);
    let id = system::LoadModuleAddress(path, block, 0);
    tally.equal("a place of its own", system::SearchModuleByAddress(block + 0x40), id);
    tally.equal("is unloaded as well", system::UnloadModule(id), id);
    tally.equal("and free then", system::FreeSysMemory(block), -1);
}

fn refused(tally: &mut Tally, own: i32) {
    let nothing = core::ptr::null();
    let mut result = 0;
    tally.equal("a file that is not there", system::LoadModule(c"cdrom0:\\NOT_HERE.IRX;1".as_ptr().cast()), NO_FILE);
    tally.equal("a device that is not there", system::LoadModule(c"nowhere:X".as_ptr().cast()), NO_FILE);
    let text = c"cdrom0:\\SYSTEM.CNF;1".as_ptr().cast();
    tally.equal("a file that is no module", system::LoadModule(text), ILLEGAL);
    tally.equal("memory that is no module", system::LoadModuleBuffer(c"text".as_ptr().cast()), ILLEGAL);
    let encrypted = system::LoadStartKelfModule(text, 0, nothing, &raw mut result);
    tally.equal("a file that is not encrypted", encrypted, ILLEGAL);
    tally.equal("a module that is not there", system::StartModule(9999, text, 0, nothing, &raw mut result), UNKNOWN);
    tally.equal("a module that stays does not stop", system::StopModule(1, 0, nothing, &raw mut result), NOT_REMOVABLE);
    tally.equal("and is not unloaded", system::UnloadModule(own), NOT_REMOVABLE);
    let driver = c"rom0:SIO2MAN".as_ptr().cast();
    tally.holds("a driver of the ROM", system::LoadStartModule(driver, 0, nothing, &raw mut result) > 0);
    tally.equal("stays", result & 3, 0);
    tally.holds("a second one", system::LoadStartModule(driver, 0, nothing, &raw mut result) > 0);
    tally.equal("does not", result & 3, 1);
}
