//! LOADCORE's lists and objects, SYSMEM's list, caches, and MODLOAD's rarer ways to a module.

use crate::system::{self, LibraryName};
use crate::tally::Tally;
use crate::word::Word;

pub fn run(tally: &mut Tally, path: *const u8) {
    libraries(tally);
    module_list(tally);
    caches(tally);
    notices(tally);
    blocks(tally);
    objects(tally, path);
    decrypted(tally, path);
}

/// A word of memory.
fn word(address: u32) -> u32 {
    // SAFETY: the lists' own addresses, which are in memory.
    unsafe { (address as *const u32).read_volatile() }
}

/// Places of the lists: libraries, modules, how many modules, the last one's number.
const LIBRARIES: usize = 0;
const MODULES: usize = 1;
const COUNT: usize = 4;
const INDEX: usize = 5;

fn lists() -> [u32; 6] {
    // SAFETY: the system's own record, which stays.
    unsafe { system::GetLoadcoreInternalData().read_volatile() }
}

fn libraries(tally: &mut Tally) {
    /// Bytes of a library's head, behind which its functions are.
    const HEAD: u32 = 0x14;
    let mut at = lists()[LIBRARIES];
    let asked = LibraryName { lists: [0; 2], version: 0x0101, name: *b"sysmem\0\0" };
    let functions = system::QueryLibraryEntryTable(&raw const asked) as u32;
    let mut count = 0;
    while at != 0 && at + HEAD != functions && count < 100 {
        at = word(at);
        count += 1;
    }
    tally.holds("a library is found in the list of all", at + HEAD == functions);
    tally.holds("the last one registered is the first", word(lists()[LIBRARIES] + 4) != 0 || count > 0);
}

/// Bytes of a module's record, and places in it.
const RECORD: u32 = 0x30;
const FLAGS_AND_ID: u32 = 12;
const TEXT: u32 = 0x18;

fn module_list(tally: &mut Tally) {
    let own = system::SearchModuleCBByAddr(run as *const () as u32);
    let text = word(own + TEXT);
    tally.holds("a module's record lies before its code", own != 0 && text == own + RECORD);
    tally.equal("no record of what is no module", system::SearchModuleCBByAddr(4) as i32, 0);
    let mut total = 0;
    let mut ids = [0; 4];
    system::GetModuleIdList(ids.as_mut_ptr(), 4, &raw mut total);
    let before = lists();
    let (mut at, mut count, mut found) = (before[MODULES], 0, false);
    while at != 0 && count < 100 {
        found |= at == own;
        at = word(at);
        count += 1;
    }
    tally.holds("the list of modules has this one", found);
    tally.holds("and as many as it says", count == before[COUNT] && count == total);
    // A record of our own, of a module that is only a name.
    let mut record = [0; 12];
    record[1] = c"only_a_name".as_ptr() as u32;
    let at = &raw mut record;
    system::RegisterModule(at);
    let id = system::SearchModuleByName(c"only_a_name".as_ptr().cast());
    tally.holds("a module that is registered is found", id > 0 && id == lists()[INDEX] as i32);
    tally.equal("its record has its number", (word(at as u32 + FLAGS_AND_ID) & 0xFFFF) as i32, id);
    system::ReleaseModule(at);
    let gone = system::SearchModuleByName(c"only_a_name".as_ptr().cast());
    tally.equal("a module that is released is not", gone, -202);
    tally.equal("and its number is not given again", lists()[INDEX] as i32, id);
}

/// Where the same memory lies uncached.
const UNCACHED: u32 = 0xA000_0000;

fn caches(tally: &mut Tally) {
    // addiu $2, $0, value; behind jr $31.
    const LOADS: u32 = 0x2402_0000;
    let mut code = [0x03E0_0008, LOADS | 5];
    let at = &raw mut code;
    // SAFETY: the words are a function without arguments.
    let function: extern "C" fn() -> i32 = unsafe { core::mem::transmute(at as usize) };
    system::FlushIcache();
    let before = function();
    // SAFETY: the words are ours.
    unsafe { at.cast::<u32>().add(1).write_volatile(LOADS | 6) };
    system::FlushIcache();
    tally.holds("code that was written runs behind a flush", [before, function()] == [5, 6]);
    // SAFETY: as above.
    unsafe { at.cast::<u32>().write_volatile(0x1234_5678) };
    system::FlushDcache();
    tally.equal("what was written is in memory behind a flush", word(at as u32 | UNCACHED) as i32, 0x1234_5678);
    // What the system itself sets at its start.
    system::SetCacheCtrl(0x1_EDD8);
    // SAFETY: as above.
    unsafe { at.cast::<u32>().write_volatile(0x0BAD_CAFE) };
    tally.equal(
        "memory holds what is written behind a change of the caches",
        word(at as u32 | UNCACHED) as i32,
        0x0BAD_CAFE,
    );
}

static NOTICE: Word = Word::new(0);

extern "C" fn notice(entry: *mut u32, waited: i32) -> i32 {
    // SAFETY: the system passes an entry of its list: the function and a word.
    let function = unsafe { entry.read() };
    NOTICE.set(if function == notice as *const () as u32 { 100 + waited } else { -1 });
    55
}

fn notices(tally: &mut Tally) {
    let mut result = 0;
    tally.equal(
        "a notice behind the boot comes at once",
        system::AddRebootNotifyHandler(notice, 2, &raw mut result),
        0,
    );
    tally.equal("with its own entry, as one that did not wait", NOTICE.get(), 100);
    tally.equal("and its result is told", result, 55);
}

fn blocks(tally: &mut Tally) {
    const USED: u32 = 1;
    let block = system::AllocSysMemory(0, 0x300, 0);
    // SAFETY: the system's own record, which stays.
    let [bytes, first, ..] = unsafe { system::GetSysmemInternalData().read_volatile() };
    let (mut element, mut sum, mut free, mut found) = (first + 4, 0, 0, false);
    let mut count = 0;
    while element != 0 && count < 1_000 {
        let told = word(element + 4);
        let (start, size) = ((told & 0xFFFF) >> 1 << 8, told >> 17 << 8);
        sum += size;
        free += if told & USED == 0 { size } else { 0 };
        found |= start == block && size == 0x300 && told & USED != 0;
        element = word(element);
        count += 1;
    }
    tally.equal("the list of blocks adds up to all of the memory", sum as i32, bytes as i32);
    tally.holds("and has a block as it was allocated", found);
    tally.equal("its free ones are what is free", free as i32, system::QueryTotalFreeMemSize() as i32);
    tally.equal("all of the memory is told", system::QueryMemSize() as i32, bytes as i32);
    let largest = system::QueryMaxFreeMemSize();
    let taken = system::AllocSysMemory(0, largest, 0);
    tally.holds("the largest block can be had", taken != 0 && largest <= free);
    tally.equal("and none larger then", system::AllocSysMemory(0, largest + 0x100, 0) as i32, 0);
    system::FreeSysMemory(taken);
    system::FreeSysMemory(block);
}

/// The module's own file, in memory of its own.
fn read_whole(path: *const u8) -> u32 {
    let file = system::open(path, 1);
    let bytes = system::lseek(file, 0, 2);
    let memory = system::AllocSysMemory(1, bytes as u32, 0);
    system::lseek(file, 0, 0);
    system::read(file, memory as *mut u8, bytes);
    system::close(file);
    memory
}

const KIND_MODULE: i32 = 4;

fn objects(tally: &mut Tally, path: *const u8) {
    let before = system::QueryTotalFreeMemSize();
    let image = read_whole(path);
    let own = system::SearchModuleCBByAddr(run as *const () as u32);
    let mut told = [0; 9];
    tally.equal(
        "an object in memory is a module",
        system::ProbeExecutableObject(image as *const u8, &raw mut told),
        KIND_MODULE,
    );
    let [_, entry, _, _, text_bytes, data_bytes, bss_bytes, memory_bytes, _] = told;
    let sizes = [text_bytes, data_bytes, bss_bytes] == [0x1C, 0x20, 0x24].map(|place| word(own + place));
    tally.holds("of the same sizes as the loaded one", sizes && memory_bytes == text_bytes + data_bytes + bss_bytes);
    tally.equal("its entry is relative", (entry + word(own + TEXT)) as i32, word(own + 0x10) as i32);
    tally.equal("a text is no object", system::ProbeExecutableObject(c"text".as_ptr().cast(), &raw mut told), -1);
    let memory = system::AllocSysMemory(0, memory_bytes + 0x100, 0);
    let base = memory + 0x100;
    system::ProbeExecutableObject(image as *const u8, &raw mut told);
    told[3] = base;
    tally.equal(
        "an object is loaded to a place",
        system::LoadExecutableObject(image as *const u8, &raw mut told),
        KIND_MODULE,
    );
    tally.equal("its entry lies there", told[1] as i32, (base + entry) as i32);
    // The name's address in the module's identity is relocated as everything is.
    let name = word(base - RECORD + 4);
    let relocated = (base..base + memory_bytes).contains(&name) && word(name) == u32::from_le_bytes(*b"self");
    tally.holds("and its words are relocated", relocated);
    system::FreeSysMemory(memory);
    let id = system::LoadModuleBufferAddress(image as *const u8, memory, 0);
    tally.equal("a module in memory is loaded to an address", system::SearchModuleByAddress(memory + 0x40), id);
    system::UnloadModule(id);
    system::FreeSysMemory(image);
    tally.equal("all of that is free again", system::QueryTotalFreeMemSize() as i32, before as i32);
}

static CARD: Word = Word::new(0);
static DISC: Word = Word::new(0);

extern "C" fn on_card(path: *const u8, port: *mut i32, slot: *mut i32) -> i32 {
    // SAFETY: the loader passes the path, and places for the other two.
    unsafe {
        port.write(1);
        slot.write(2);
        i32::from(path.read() != b'c' || CARD.get() == 1)
    }
}

extern "C" fn from_card(port: i32, slot: i32, file: u32) -> u32 {
    CARD.set(10 * port + slot);
    file
}

extern "C" fn from_disc(file: u32) -> u32 {
    DISC.set(1);
    file
}

fn decrypted(tally: &mut Tally, path: *const u8) {
    let (guest, bytes) =
        (super::modules::GUEST.as_ptr().cast(), super::modules::GUEST.to_bytes_with_nul().len() as u32);
    let mut result = 0;
    system::SetCheckKelfPathCallback(Some(on_card));
    system::SetSecrmanCallbacks(Some(from_card), Some(from_disc), 0x1230);
    let (mut check, mut set) = (0, 0);
    system::GetLoadfileCallbacks(&raw mut check, &raw mut set);
    tally.holds("the functions for encrypted modules are told", [check, set] == [on_card as *const () as u32, 0x1230]);
    let id = system::LoadStartKelfModule(path, bytes, guest, &raw mut result);
    tally.holds("a module that somebody decrypts is started", id > 0 && result == 2);
    tally.equal("as one of the disc's", DISC.get(), 1);
    system::StopModule(id, 0, core::ptr::null(), &raw mut result);
    system::UnloadModule(id);
    CARD.set(1);
    let id = system::LoadStartKelfModule(path, bytes, guest, &raw mut result);
    tally.equal("a path may be a card's, with port and slot", CARD.get(), 12);
    system::StopModule(id, 0, core::ptr::null(), &raw mut result);
    tally.equal("such a module stops as others do", system::UnloadModule(id), id);
    system::SetCheckKelfPathCallback(None);
    system::SetSecrmanCallbacks(None, None, 0);
    let refused = system::LoadStartKelfModule(path, bytes, guest, &raw mut result);
    tally.equal("without somebody who decrypts none is a module", refused, -201);
    let mut data = 0xEEEE;
    system::GetModloadInternalData(&raw mut data);
    tally.equal("the loader keeps its own state to itself", data as i32, 0);
    tally.equal("modules may come from any device", system::IsIllegalBootDevice(c"host:x.irx".as_ptr().cast()), 0);
}
