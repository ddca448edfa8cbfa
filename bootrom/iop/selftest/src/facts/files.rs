//! IOMAN and STDIO, with a device of this module's own that notes what it is asked for; SYSMEM's printing.

use crate::system::{self, Text};
use crate::tally::Tally;
use crate::word::Word;
use core::cell::UnsafeCell;
use core::ffi::CStr;

const ROOM: usize = 128;

/// What the device was asked for last, and what was written to it.
struct Notes {
    what: u32,
    unit: u32,
    path: [u8; 16],
    words: [u32; 2],
    written: [u8; ROOM],
    length: usize,
    typed: &'static [u8],
}

struct Shared(UnsafeCell<Notes>);
// SAFETY: one thread at a time calls the device, and looks at the notes afterwards.
unsafe impl Sync for Shared {}
static NOTES: Shared = Shared(UnsafeCell::new(Notes {
    what: 0,
    unit: 0,
    path: [0; 16],
    words: [0; 2],
    written: [0; ROOM],
    length: 0,
    typed: b"",
}));

fn notes() -> &'static mut Notes {
    // SAFETY: as above; no reference is kept.
    unsafe { &mut *NOTES.0.get() }
}

/// An open file, as drivers see it: mode, unit, device, a word of theirs.
type File = [u32; 4];

fn note(what: u32, file: *const File, path: Text, words: [u32; 2]) -> i32 {
    let notes = notes();
    // SAFETY: the system passes a file's record.
    (notes.what, notes.unit, notes.words) = (what, unsafe { (*file)[1] }, words);
    notes.path = [0; 16];
    if !path.is_null() {
        // SAFETY: and a string.
        let text = unsafe { CStr::from_ptr(path.cast()) }.to_bytes();
        let count = text.len().min(15);
        notes.path[..count].copy_from_slice(&text[..count]);
    }
    what as i32
}

/// Operations by their places in a driver's table.
mod operation {
    pub const FORMAT: u32 = 2;
    pub const CLOSE: u32 = 4;
    pub const IOCTL: u32 = 8;
    pub const REMOVE: u32 = 9;
    pub const MKDIR: u32 = 10;
    pub const RMDIR: u32 = 11;
    pub const DREAD: u32 = 14;
    pub const GETSTAT: u32 = 15;
    pub const CHSTAT: u32 = 16;
}

/// Counts devices that were added and taken out.
static DEVICES: Word = Word::new(0);

extern "C" fn init(_device: *const Device) -> i32 {
    DEVICES.add(1);
    0
}
extern "C" fn deinit(_device: *const Device) -> i32 {
    DEVICES.add(-1);
    0
}
extern "C" fn format(file: *const File) -> i32 {
    note(operation::FORMAT, file, core::ptr::null(), [0; 2])
}
extern "C" fn open(_file: *const File, _path: Text, _mode: i32) -> i32 {
    0
}
extern "C" fn close(file: *const File) -> i32 {
    note(operation::CLOSE, file, core::ptr::null(), [0; 2]);
    0
}
extern "C" fn read(_file: *const File, bytes: *mut u8, count: i32) -> i32 {
    let notes = notes();
    let taken = (count as usize).min(notes.typed.len());
    // SAFETY: the caller has room for `count` bytes.
    unsafe { core::ptr::copy_nonoverlapping(notes.typed.as_ptr(), bytes, taken) };
    notes.typed = &notes.typed[taken..];
    taken as i32
}
extern "C" fn write(_file: *const File, bytes: Text, count: i32) -> i32 {
    let notes = notes();
    for index in 0..(count as usize).min(ROOM - notes.length) {
        // SAFETY: the caller passes that many bytes.
        notes.written[notes.length] = unsafe { bytes.add(index).read() };
        notes.length += 1;
    }
    count
}
extern "C" fn lseek(_file: *const File, offset: i32, whence: i32) -> i32 {
    offset * 10 + whence
}
extern "C" fn ioctl(file: *const File, command: u32, argument: u32) -> i32 {
    note(operation::IOCTL, file, core::ptr::null(), [command, argument])
}
extern "C" fn remove(file: *const File, path: Text) -> i32 {
    note(operation::REMOVE, file, path, [0; 2])
}
extern "C" fn mkdir(file: *const File, path: Text) -> i32 {
    note(operation::MKDIR, file, path, [0; 2])
}
extern "C" fn rmdir(file: *const File, path: Text) -> i32 {
    note(operation::RMDIR, file, path, [0; 2])
}
extern "C" fn dread(file: *const File, entry: u32) -> i32 {
    note(operation::DREAD, file, core::ptr::null(), [entry, 0])
}
extern "C" fn getstat(file: *const File, path: Text, status: u32) -> i32 {
    note(operation::GETSTAT, file, path, [status, 0])
}
extern "C" fn chstat(file: *const File, path: Text, status: u32, which: u32) -> i32 {
    note(operation::CHSTAT, file, path, [status, which])
}

#[repr(transparent)]
struct Operations([*const (); 17]);
// SAFETY: functions.
unsafe impl Sync for Operations {}
static OPERATIONS: Operations = Operations([
    init as *const (),
    deinit as *const (),
    format as *const (),
    open as *const (),
    close as *const (),
    read as *const (),
    write as *const (),
    lseek as *const (),
    ioctl as *const (),
    remove as *const (),
    mkdir as *const (),
    rmdir as *const (),
    open as *const (),
    close as *const (),
    dread as *const (),
    getstat as *const (),
    chstat as *const (),
]);

#[repr(C)]
struct Device {
    name: Text,
    kind: u32,
    version: u32,
    description: Text,
    operations: *const Operations,
}
// SAFETY: constants.
unsafe impl Sync for Device {}
static DEVICE: Device = Device {
    name: c"proof".as_ptr().cast(),
    kind: 0x10,
    version: 1,
    description: c"notes what it is asked for".as_ptr().cast(),
    operations: &raw const OPERATIONS,
};

pub fn run(tally: &mut Tally) {
    let device = (&raw const DEVICE).cast();
    tally.equal("a device is added", system::AddDrv(device), 0);
    tally.equal("and begins", DEVICES.get(), 1);
    paths(tally);
    open_files(tally);
    writes(tally);
    lines(tally);
    console(tally);
    kernel_printing(tally);
    tally.equal("a device is taken out", system::DelDrv(text(c"proof")), 0);
    tally.equal("and ends", DEVICES.get(), 0);
    tally.equal("once alone", system::DelDrv(text(c"proof")), -1);
    tally.equal("its files are no files any more", system::open(text(c"proof:x"), 1), -19);
}

fn text(text: &CStr) -> Text {
    text.as_ptr().cast()
}

/// Whether the device was asked last for this, of unit 3, by this path.
fn asked(what: u32, path: &[u8], words: [u32; 2]) -> bool {
    let notes = notes();
    notes.what == what
        && notes.unit == 3
        && notes.path.starts_with(path)
        && notes.path[path.len()] == 0
        && notes.words == words
}

fn paths(tally: &mut Tally) {
    let path = text(c"  proof3:dir/x");
    let rest = b"dir/x";
    tally.equal("a path reaches its device to remove", system::remove(path), operation::REMOVE as i32);
    tally.holds("with unit and rest of the path", asked(operation::REMOVE, rest, [0; 2]));
    let made = system::mkdir(path) == operation::MKDIR as i32 && asked(operation::MKDIR, rest, [0; 2]);
    tally.holds("a directory is made by its device", made);
    let removed = system::rmdir(path) == operation::RMDIR as i32 && asked(operation::RMDIR, rest, [0; 2]);
    tally.holds("a directory is removed by its device", removed);
    let mut status = [0_u8; 64];
    let at = status.as_mut_ptr();
    let told = system::getstat(path, at) == operation::GETSTAT as i32;
    tally.holds("a device tells of a file", told && asked(operation::GETSTAT, rest, [at as u32, 0]));
    let changed = system::chstat(path, at, 7) == operation::CHSTAT as i32;
    tally.holds("a device changes what it tells", changed && asked(operation::CHSTAT, rest, [at as u32, 7]));
    let formatted = system::format(text(c"proof3:")) == operation::FORMAT as i32;
    tally.holds("a device formats a unit", formatted && asked(operation::FORMAT, b"", [0; 2]));
}

fn open_files(tally: &mut Tally) {
    let file = system::open(text(c"proof3:f"), 1);
    let done = system::ioctl(file, 0x55, 0x1234 as *mut u8) == operation::IOCTL as i32;
    tally.holds("anything else goes to a file's device", done && asked(operation::IOCTL, b"", [0x55, 0x1234]));
    tally.equal("a place is its device's to say", system::lseek(file, 7, 2), 72);
    system::close(file);
    let directory = system::dopen(text(c"proof3:d"), 0);
    tally.holds("a directory is opened", directory >= 2);
    let mut entry = [0_u8; 16];
    let at = entry.as_mut_ptr();
    let done = system::dread(directory, at) == operation::DREAD as i32;
    tally.holds("a directory is read", done && asked(operation::DREAD, b"", [at as u32, 0]));
    tally.equal("a directory is closed", system::dclose(directory), 0);
    tally.holds("by its device", asked(operation::CLOSE, b"", [0; 2]));
    tally.equal("a directory is closed once", system::dclose(directory), -9);
}

/// Whether this is what was written since the last question.
fn written(expected: &[u8]) -> bool {
    let notes = notes();
    let same = notes.written[..notes.length] == *expected;
    notes.length = 0;
    same
}

fn writes(tally: &mut Tally) {
    let file = system::open(text(c"proof:w"), 2);
    written(b"");
    tally.equal("text is formatted to a file", system::fdprintf(file, text(c"%d %x %c."), 12, 0xBE, b'!'.into()), 8);
    tally.holds("as it should be", written(b"12 be !."));
    let values = [9_u32, 8];
    system::vfdprintf(file, text(c"%d-%d"), values.as_ptr());
    tally.holds("text is formatted to a file by a list of values", written(b"9-8"));
    system::fdputc(b'Q'.into(), file);
    tally.holds("a character goes to a file", written(b"Q"));
    system::fdputs(text(c"a line"), file);
    tally.holds("a text goes to a file as it is", written(b"a line"));
    system::fdputs(core::ptr::null(), file);
    tally.holds("no text is named as such", written(b"<NULL>"));
    system::close(file);
}

fn lines(tally: &mut Tally) {
    let file = system::open(text(c"proof:r"), 1);
    notes().typed = b"xab\x08c\rrest\nend";
    tally.equal("a character comes from a file", system::fdgetc(file), b'x'.into());
    let mut line = [0xEE_u8; 128];
    let at = line.as_mut_ptr();
    tally.holds("a line comes from a file", system::fdgets(at, file) == at && line.starts_with(b"ac\0"));
    tally.holds("and the next", system::fdgets(at, file) == at && line.starts_with(b"rest\0"));
    tally.holds("and one without an end", system::fdgets(at, file) == at && line.starts_with(b"end\0"));
    tally.holds("and then none", system::fdgets(at, file).is_null());
    tally.equal("nor a character", system::fdgetc(file), -1);
    system::close(file);
}

/// The console's files become the device's for a moment.
fn console(tally: &mut Tally) {
    system::close(0);
    let file = system::open(text(c"proof:in"), 3);
    notes().typed = b"kone line\r";
    let character = system::getchar();
    let mut line = [0_u8; 128];
    let got = system::gets(line.as_mut_ptr());
    system::close(file);
    let again = system::open(text(c"tty00:"), 3);
    tally.equal("the lowest file number is free when it was closed", file, 0);
    tally.equal("a character comes from the console", character, b'k'.into());
    tally.holds("a line comes from the console", !got.is_null() && line.starts_with(b"one line\0"));
    tally.equal("and the console is back", again, 0);
    // What follows proves itself by what the console shows.
    system::printf(text(c"%s%c"), shown("text is printed by its format").as_ptr(), b'\n'.into(), 0);
    system::puts(shown("a line is put").as_ptr());
    for character in shown("characters are put").into_iter().take_while(|byte| *byte != 0).chain([b'\n']) {
        system::putchar(character.into());
    }
}

/// The line that proves a fact when the console shows it, with a string's end.
fn shown(fact: &str) -> [u8; ROOM] {
    let mut line = [0; ROOM];
    for (place, byte) in line.iter_mut().zip("IOP ok ".bytes().chain(fact.bytes())) {
        *place = byte;
    }
    line
}

static FORMAT: Word = Word::new(0);

extern "C" fn kernel_printer(context: u32, format: Text, values: u32) -> i32 {
    // SAFETY: the caller's values.
    FORMAT.set(unsafe { format.read() as i32 + (values as *const i32).read() } * context as i32);
    77
}

fn kernel_printing(tally: &mut Tally) {
    /// Number of the function that prints. The emulator answers calls by way of an import table itself.
    const PRINT: usize = 14;
    let asked = system::LibraryName { lists: [0; 2], version: 0x0101, name: *b"sysmem\0\0" };
    let table = system::QueryLibraryEntryTable(&raw const asked);
    // SAFETY: a registered library's function of that number prints by a format.
    let print: extern "C" fn(Text, Text, u32) -> i32 =
        unsafe { core::mem::transmute(table.add(PRINT).read() as usize) };
    let line = shown("the kernel prints by its format");
    print(text(c"%s%c"), line.as_ptr(), b'\n'.into());
    system::KprintfSet(Some(kernel_printer), 3);
    tally.equal("the kernel prints by a function", print(text(c"B"), 5 as Text, 0), 77);
    tally.equal("which gets format, values and its word", FORMAT.get(), 3 * (i32::from(b'B') + 5));
    system::KprintfSet(None, 0);
    print(text(c"%s%c"), shown("and prints itself again").as_ptr(), b'\n'.into());
}
