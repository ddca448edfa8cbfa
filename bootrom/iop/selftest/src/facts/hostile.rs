//! Wrong arguments, full tables, damaged modules: errors, and nothing lost.

use crate::system;
use crate::tally::Tally;

const NO_ENTRY: i32 = -2;
const BAD_FILE: i32 = -9;
const NO_DEVICE: i32 = -19;
const INVALID: i32 = -22;
const MANY_FILES: i32 = -24;
/// Files that may be open, of which two are the console's.
const FILES: usize = 16;
const READ: i32 = 1;
const FROM_END: i32 = 2;

pub fn run(tally: &mut Tally, path: *const u8) {
    files(tally, path);
    tables(tally);
    damaged_modules(tally, path);
}

fn files(tally: &mut Tally, path: *const u8) {
    let mut bytes = [0; 16];
    tally.equal("a path without a device", system::open(c"nothing".as_ptr().cast(), READ), NO_DEVICE);
    tally.equal("a file of the ROM that is not there", system::open(c"rom0:NOTHING".as_ptr().cast(), READ), NO_ENTRY);
    tally.equal("a file that is not open", system::read(99, bytes.as_mut_ptr(), 16), BAD_FILE);
    tally.equal("nor is a negative one", system::close(-1), BAD_FILE);
    let file = system::open(path, READ);
    tally.equal("a negative count", system::read(file, bytes.as_mut_ptr(), -1), INVALID);
    tally.equal("a place from nowhere", system::lseek(file, 0, 7), INVALID);
    tally.equal("writing to a file that is read", system::write(file, bytes.as_ptr(), 1), BAD_FILE);
    tally.equal("a file is closed", system::close(file), 0);
    tally.equal("a file is closed once", system::close(file), BAD_FILE);
    let opened = core::array::from_fn::<i32, FILES, _>(|_| system::open(path, READ));
    tally.equal("the last of too many files", opened[FILES - 1], MANY_FILES);
    let closed = opened.iter().filter(|file| **file >= 0 && system::close(**file) == 0).count();
    tally.equal("all of the others were open", closed as i32, opened.iter().filter(|file| **file >= 0).count() as i32);
    let again = system::open(path, READ);
    tally.holds("and there is room again", again >= 0 && system::close(again) == 0);
}

/// More than any table has.
const MANY: usize = 1024;
const NO_MEMORY: i32 = -400;

fn tables(tally: &mut Tally) {
    let mut ids = [0; MANY];
    let mut count = 0;
    let refused = loop {
        match system::CreateSema(&[0, 0, 0, 1]) {
            id if id < 0 || count == MANY => break id,
            id => {
                ids[count] = id;
                count += 1;
            }
        }
    };
    tally.equal("the last of too many semaphores", refused, NO_MEMORY);
    let deleted = ids[..count].iter().filter(|id| system::DeleteSema(**id) == 0).count();
    tally.equal("all of the others are deleted", deleted as i32, count as i32);
    let id = system::CreateSema(&[0, 0, 0, 1]);
    tally.holds("and there is room for one again", id > 0 && system::DeleteSema(id) == 0);
    tally.equal("all of the memory and more", system::AllocSysMemory(0, u32::MAX, 0) as i32, 0);
}

/// Damaged copies that are tried.
const COPIES: u32 = 100;
/// Bytes at whose place a word is changed: headers, tables and code.
const STEP: u32 = 4;

fn damaged_modules(tally: &mut Tally, path: *const u8) {
    let before = system::QueryTotalFreeMemSize();
    let file = system::open(path, READ);
    let bytes = system::lseek(file, 0, FROM_END);
    let (whole, copy) = (system::AllocSysMemory(1, bytes as u32, 0), system::AllocSysMemory(1, bytes as u32, 0));
    let read = system::lseek(file, 0, 0) == 0 && system::read(file, whole as *mut u8, bytes) == bytes;
    system::close(file);
    tally.holds("the module reads its own file", read);
    let (mut loaded, mut refused, mut random) = (0, 0, 0x2545_F491_u32);
    for _ in 0..COPIES {
        // SAFETY: two blocks of memory that are ours and have that many bytes.
        unsafe { core::ptr::copy_nonoverlapping(whole as *const u8, copy as *mut u8, bytes as usize) };
        for _ in 0..8 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Half of the changes hit the headers.
            let range = if random & 0x8000_0000 != 0 { 0x200 } else { bytes as u32 };
            let place = copy + (random >> 8) % (range - STEP);
            // SAFETY: the copy is ours and has that many bytes.
            unsafe { (place as *mut u8).write(random as u8) };
        }
        match system::LoadModuleBuffer(copy as *const u8) {
            id if id > 0 => loaded += i32::from(system::UnloadModule(id) == id),
            _ => refused += 1,
        }
    }
    system::FreeSysMemory(copy);
    system::FreeSysMemory(whole);
    tally.line(format_args!("damaged modules: {loaded} loaded, {refused} refused"));
    tally.equal("damaged modules are loaded or refused", loaded + refused, COPIES as i32);
    tally.equal("and leave all of the memory", system::QueryTotalFreeMemSize() as i32, before as i32);
}
