//! What other software knows of the system's memory: lists that start-up code of the public SDK walks from the EE, variables
//! that modules take over; and two libraries that few modules use.
//!
//! Source: public SDK (patches of the IOP's loader, the file manager that takes the system's place), public headers

use crate::library::Library;
use crate::system;
use crate::tally::Tally;
use crate::word::Word;

pub fn run(tally: &mut Tally) {
    walk(tally);
    files(tally);
    take_over(tally);
    images(tally);
    cards(tally);
}

fn word(address: u32) -> u32 {
    // SAFETY: places in memory that the system's own words name.
    unsafe { (address as *const u32).read_volatile() }
}

fn text<'a>(address: u32) -> &'a [u8] {
    // SAFETY: as above; names end with a zero.
    unsafe { core::ffi::CStr::from_ptr(address as *const core::ffi::c_char) }.to_bytes()
}

/// Where the walk begins, and how many bytes are looked at from there.
const FIRST: u32 = 0x800;
const WINDOW: core::ops::Range<u32> = FIRST..FIRST + 0x4000;
/// Where the first module's library is.
const FIRST_TABLE: u32 = 0x830;
/// Places in a module's record, and in a library's table.
const NAME: u32 = 4;
const ID: u32 = 12;
const TEXT: u32 = 0x18;
const TEXT_BYTES: u32 = 0x1C;
const DATA_BYTES: u32 = 0x20;
const TABLE_NAME: u32 = 12;
const FUNCTIONS: u32 = 0x14;

fn id(record: u32) -> u32 {
    word(record + ID) & 0xFFFF
}

fn is_called(table: u32, name: &[u8; 8]) -> bool {
    [word(table + TABLE_NAME).to_le_bytes(), word(table + TABLE_NAME + 4).to_le_bytes()].as_flattened() == name
}

fn walk(tally: &mut Tally) {
    tally.holds("the first record is at 800", id(FIRST) == 1 && text(word(FIRST + NAME)) == b"System_Memory_Manager");
    let loader = word(FIRST);
    tally.holds("it leads to the loader's", WINDOW.contains(&loader) && id(loader) == 2);
    tally.holds("the first table is behind it", is_called(FIRST_TABLE, b"sysmem\0\0"));
    let end = word(loader + TEXT) + word(loader + TEXT_BYTES);
    let mut places = (end - 512..end).step_by(4);
    let table = places.find(|at| word(*at) == FIRST_TABLE && is_called(*at, b"loadcore"));
    tally.holds("the loader's table is at the end of its code", table.is_some());
    let function = table.map_or(0, |table| word(table + FUNCTIONS + 4 * 3));
    let (high, low) = (word(function), word(function + 4));
    tally.holds(
        "whose fourth function loads an address at once",
        WINDOW.contains(&function) && high >> 16 == 0x3C02 && low >> 16 == 0x2442,
    );
    let lists = high << 16 | low & 0xFFFF;
    let told = system::GetLoadcoreInternalData() as u32;
    tally.holds("which is that of the lists", lists == told && WINDOW.contains(&lists));
    let (mut at, mut count) = (word(lists), 0);
    while at != 0 && !is_called(at, b"modload\0") && count < 100 {
        at = word(at);
        count += 1;
    }
    let functions = (0..100).take_while(|number| at != 0 && word(at + FUNCTIONS + 4 * number) != 0).count();
    tally.holds("the loader of modules is in the list, with its functions", functions >= 16);
}

/// Places of devices and of open files behind the file manager's data.
const DEVICES: u32 = 0x10;
const FILES: u32 = 0x50;
/// Bytes of an open file's record, and the place of its device.
const FILE_BYTES: u32 = 16;
const FILE_DEVICE: u32 = 8;

fn files(tally: &mut Tally) {
    let mut record = word(FIRST);
    while record != 0 && text(word(record + NAME)) != b"IO/File_Manager" {
        record = word(record);
    }
    let data = word(record + TEXT) + word(record + TEXT_BYTES) + word(record + DATA_BYTES);
    let device = |index: u32| word(data + DEVICES + 4 * index);
    let named = |name: &[u8]| (0..16).find(|index| device(*index) != 0 && text(word(device(*index))) == name);
    let console = named(b"tty").map(device);
    tally.holds("the file manager's devices lie behind its data", console.is_some() && named(b"rom").is_some());
    let file = data + FILES + FILE_BYTES;
    tally.holds("and its open files behind them", word(file) & 2 != 0 && Some(word(file + FILE_DEVICE)) == console);
    // The kernel's image is below every module.
    let own = system::SearchModuleCBByAddr(run as *const () as u32);
    let (mut client, mut found) = (word(Library::find("ioman").table() + 4), false);
    while client != 0 {
        found |= client < own;
        client = word(client + 4);
    }
    tally.holds("the system's own calls of files go where a module's go", found);
}

static TAKEN: Word = Word::new(0);

extern "C" fn own_open(_path: *const u8, _mode: i32) -> i32 {
    const NO_ENTRY: i32 = -2;
    TAKEN.add(1);
    NO_ENTRY
}

fn put(address: u32, value: u32) {
    // SAFETY: words of a library's table and of its clients' stubs, which modules change as they like.
    unsafe { (address as *mut u32).write_volatile(value) };
}

/// Makes every client's stubs jumps to what the table at `table` names now.
fn link_anew(table: u32) {
    const JUMP: u32 = 0x0800_0000;
    let mut client = word(table + 4);
    while client != 0 {
        let mut stub = client + FUNCTIONS;
        while word(stub) != 0 {
            let function = word(table + FUNCTIONS + 4 * (word(stub + 4) & 0xFFFF));
            put(stub, JUMP | (function << 4) >> 6);
            stub += 8;
        }
        client = word(client + 4);
    }
    system::FlushIcache();
}

/// Does what the SDK's own file manager does to the system's.
fn take_over(tally: &mut Tally) {
    const OPEN: u32 = 4;
    const NO_FILE: i32 = -203;
    let table = Library::find("ioman").table();
    let place = table + FUNCTIONS + 4 * OPEN;
    let before = word(place);
    TAKEN.set(0);
    put(place, own_open as *const () as u32);
    link_anew(table);
    // The loader is the system's own, and opens the file.
    let loaded = system::LoadModule(c"rom0:NOTHING".as_ptr().cast());
    put(place, before);
    link_anew(table);
    tally.holds("a module takes the file manager's place for the system itself", loaded == NO_FILE && TAKEN.get() == 1);
    let file = system::open(c"rom0:ROMVER".as_ptr().cast(), READ);
    tally.holds("and gives it back", file >= 0 && system::close(file) == 0 && TAKEN.get() == 1);
}

/// A ROM's image: two entries of its directory lie behind its first file, then one file more.
#[repr(C, align(16))]
struct Rom([u8; 0x60]);

fn rom() -> Rom {
    let mut rom = Rom([0; 0x60]);
    for (place, name, bytes) in [(0x10, &b"RESET"[..], 0x10), (0x20, b"ROMDIR", 0x40), (0x30, b"GREETING", 5)] {
        rom.0[place..place + name.len()].copy_from_slice(name);
        rom.0[place + 12] = bytes;
    }
    rom.0[0x50..0x55].copy_from_slice(b"hello");
    rom
}

const ADD: usize = 4;
const REMOVE: usize = 5;
const READ: i32 = 1;
const NO_UNIT: i32 = -6;

fn images(tally: &mut Tally) {
    let library = Library::find("romdrv");
    let rom = rom();
    let path = c"rom1:GREETING".as_ptr().cast();
    tally.equal("a unit without an image", system::open(path, READ), NO_UNIT);
    let added = library.call(ADD, [1, rom.0.as_ptr() as u32]);
    let file = system::open(path, READ);
    let mut bytes = [0; 8];
    let count = system::read(file, bytes.as_mut_ptr(), 8);
    tally.holds(
        "an image in memory becomes a unit of the ROM's device",
        added == 0 && count == 5 && bytes.starts_with(b"hello\0"),
    );
    tally.equal("a unit has one image", library.call(ADD, [1, rom.0.as_ptr() as u32]) as i32, -160);
    tally.equal("there are four units", library.call(ADD, [4, rom.0.as_ptr() as u32]) as i32, -160);
    tally.equal("not every memory is an image", library.call(ADD, [2, rom.0.as_ptr() as u32 + 16]) as i32, -162);
    tally.equal("an image stays while its file is open", library.call(REMOVE, [1]) as i32, -161);
    system::close(file);
    let removed = library.call(REMOVE, [1]);
    tally.holds("an image is forgotten", removed == 0 && system::open(path, READ) == NO_UNIT);
    tally.equal("once", library.call(REMOVE, [1]) as i32, -161);
}

static ANSWER: Word = Word::new(0);
static SENT: Word = Word::new(0);
static ASKED: Word = Word::new(0);

/// Place of the bytes to be sent in a transfer's record.
const INPUT: usize = 29;

extern "C" fn command(port: i32, slot: i32, transfer: *const u32) -> i32 {
    // SAFETY: the record of a transfer, and the two bytes at least that it names.
    let [first, second] = unsafe { (transfer.add(INPUT).read() as *const [u8; 2]).read() };
    SENT.set(i32::from_le_bytes([first, second, port as u8, slot as u8]));
    ANSWER.get()
}

extern "C" fn kind(port: i32, slot: i32) -> i32 {
    ASKED.set(port * 16 + slot);
    0
}

fn cards(tally: &mut Tally) {
    const SET_COMMAND: usize = 4;
    const SET_KIND: usize = 5;
    const OPEN: usize = 6;
    const CLOSE: usize = 7;
    let library = Library::find("secrman");
    tally.equal("without a driver no card is opened", library.call(OPEN, [2, 0, 0]) as i32, 0);
    library.call(SET_COMMAND, [command as *const () as u32]);
    library.call(SET_KIND, [kind as *const () as u32]);
    ANSWER.set(1);
    let opened = library.call(OPEN, [2, 1, 0]);
    let begun = i32::from_le_bytes([0x81, 0xF3, 2, 1]);
    tally.holds("a card is opened by its driver's own function", opened == 1 && SENT.get() == begun);
    tally.equal("which is asked for the kind of card", ASKED.get(), 0x21);
    SENT.set(0);
    library.call(CLOSE, [2, 1, 0]);
    tally.equal("and closed by it", SENT.get(), begun);
    ANSWER.set(0);
    tally.equal("a card that does not answer is not opened", library.call(OPEN, [2, 1, 0]) as i32, 0);
    library.call(SET_COMMAND, [0]);
    library.call(SET_KIND, [0]);
    let refused = (8..=13).map(|number| library.call(number, [0, 0, 0])).all(|result| result == 0);
    tally.holds("nothing encrypted is read without a key", refused);
}
