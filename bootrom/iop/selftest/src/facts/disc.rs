//! CDVDMAN: the drive's movements, other kinds of reads, what it keeps, and what its other modules ask of it.

use crate::system;
use crate::tally::Tally;
use crate::word::Word;
use core::ffi::CStr;

const YES: i32 = 1;
const NO: i32 = 0;
/// The volume's descriptor, and how it begins.
const VOLUME: u32 = 16;
const MARK: &[u8] = b"\x01CD001";
const SECTOR: usize = 2048;
const READY: i32 = 2;

static REASON: Word = Word::new(0);
static FIRST: Word = Word::new(0);
static SECOND: Word = Word::new(0);

extern "C" fn ended(reason: u32) {
    REASON.set(reason as i32);
}

extern "C" fn first_stream(reason: u32) {
    FIRST.add(reason as i32);
}

extern "C" fn second_stream(reason: u32) {
    SECOND.add(reason as i32);
}

pub fn run(tally: &mut Tally) {
    let memory = system::AllocSysMemory(0, 3 * SECTOR as u32, 0);
    // SAFETY: the block was just allocated with that size.
    let buffer = unsafe { core::slice::from_raw_parts_mut(memory as *mut u8, 3 * SECTOR) };
    start(tally);
    movements(tally);
    reads(tally, buffer);
    contents(tally, buffer);
    keys(tally, buffer);
    positions(tally);
    kept(tally);
    identities(tally);
    commands(tally);
    control(tally);
    streams(tally, buffer);
    system::FreeSysMemory(memory);
}

fn text(text: &CStr) -> *const u8 {
    text.as_ptr().cast()
}

fn start(tally: &mut Tally) {
    tally.equal("the drive's library begins", system::sceCdInit(0), YES);
    tally.equal("the drive becomes ready", system::sceCdDiskReady(0), READY);
    tally.holds("with a disc of this console's", matches!(system::sceCdGetDiskType(), 0x12 | 0x14));
    tally.equal("and has nothing to do", system::sceCdCheckCmd(), YES);
    tally.equal("of either kind of disc", system::sceCdMmode(1), YES);
    tally.equal("a hard disk does not take its place", system::sceCdSetHDMode(0), YES);
    tally.equal("its time-outs are asked for", system::sceCdSetTimeout(1, 5_000), YES);
}

/// Waits for a command that was accepted; why it ended.
fn done(accepted: i32) -> i32 {
    if accepted != YES || system::sceCdSync(0) != 0 {
        return -1;
    }
    REASON.get()
}

fn movements(tally: &mut Tally) {
    const TURNING: i32 = 0x02;
    const STOPPED: i32 = 0;
    tally.equal("a function for the ends of commands", system::sceCdCallback(Some(ended)) as i32, 0);
    REASON.set(99);
    tally.equal("the motor runs", done(system::sceCdStandby()), 5);
    tally.equal("the head moves", done(system::sceCdSeek(100)), 4);
    tally.equal("the head rests", done(system::sceCdPause()), 7);
    tally.holds("as its state says", system::sceCdStatus() & TURNING != 0);
    tally.equal("the motor stops", done(system::sceCdStop()), 6);
    tally.equal("as the state says then", system::sceCdStatus(), STOPPED);
    REASON.set(99);
    tally.equal("a command that does nothing ends", done(system::sceCdNop()), 0);
    REASON.set(99);
    tally.equal("a command by its number", done(system::sceCdApplyNCmd(5, [90, 0, 0, 0].as_ptr(), 4)), 0);
    REASON.set(99);
    tally.equal("the motor's speed is set", done(system::sceCdSpinCtrlIOP(1)), 0);
    done(system::sceCdStandby());
    REASON.set(99);
    let begun = system::sceCdSeek(10_000);
    let busy = system::sceCdCheckCmd();
    tally.equal("a command is broken off", system::sceCdBreak(), YES);
    tally.holds("while it is under way", begun == YES && busy == NO);
    tally.holds("and ends as such", system::sceCdSync(0) == 0 && system::sceCdGetError() == 1 && REASON.get() == 4);
}

fn reads(tally: &mut Tally, buffer: &mut [u8]) {
    let nothing = core::ptr::null();
    let at = buffer.as_mut_ptr();
    tally.equal("sectors are read", done(system::sceCdRead0(VOLUME, 2, at, nothing, 0, 0)), 1);
    tally.holds("as they are on the disc", buffer.starts_with(MARK));
    tally.equal("the bytes that came are told", system::sceCdGetReadPos() as i32, 2 * SECTOR as i32);
    tally.equal("a good read has no error", system::sceCdGetError(), 0);
    system::sceCdRead(VOLUME, 1, at, &0x00FF_0000);
    tally.equal("an unknown pattern is one", system::sceCdGetError(), 0x22);
    buffer[..16].fill(0);
    tally.equal("whole sectors are read", done(system::sceCdReadFull(VOLUME, 1, at, nothing)), 1);
    tally.holds("and hold the same", buffer.starts_with(MARK));
    // A sector as a DVD has it: twelve bytes before the data.
    buffer[..32].fill(0);
    tally.equal("a DVD's sectors are read", done(system::sceCdReadDVDV(VOLUME, 1, at, nothing)), 1);
    tally.holds("with their heads", buffer[12..].starts_with(MARK) && buffer[..4] != [0; 4]);
    buffer[..32].fill(0);
    tally.equal("also by the newer name", done(system::sceCdRV(VOLUME, 1, at, nothing, 0, 0)), 1);
    tally.holds("with the same data", buffer[12..].starts_with(MARK));
    tally.equal("sound is read", done(system::sceCdReadCDDA(VOLUME, 1, at, nothing)), 1);
    tally.equal("in sectors of its own size", system::sceCdGetReadPos() as i32, 2352);
}

fn contents(tally: &mut Tally, buffer: &mut [u8]) {
    buffer.fill(0xEE);
    tally.equal("the table of contents is read", system::sceCdGetToc(buffer.as_mut_ptr()), YES);
    tally.holds("and comes", buffer[..16] != [0xEE; 16]);
    buffer.fill(0xEE);
    tally.equal("also by the newer call", system::sceCdGetToc2(buffer.as_mut_ptr(), 0), YES);
    tally.holds("which brings the same", buffer[..16] != [0xEE; 16]);
    let mut file = [0; 8];
    let name = text(c"\\SYSTEM.CNF;1");
    tally.equal("a file is searched", system::sceCdSearchFile(&raw mut file, name), YES);
    tally.holds(
        "and told by place, size and name",
        file[0] > VOLUME && file[1] > 4 && file[2] == u32::from_le_bytes(*b"SYST"),
    );
    let missing = system::sceCdSearchFile(&raw mut file, text(c"\\NOT_HERE.BIN;1"));
    tally.equal("one that is not there is not found", missing, NO);
    let mut again = [0; 8];
    tally.equal("a file of the first layer", system::sceCdLayerSearchFile(&raw mut again, name, 0), YES);
    tally.holds("is the same file", again == file);
    tally.equal("there is no second layer", system::sceCdLayerSearchFile(&raw mut again, name, 1), NO);
    let (mut two, mut second) = (9, 9);
    tally.equal("the disc's layers are told", system::sceCdReadDvdDualInfo(&raw mut two, &raw mut second), YES);
    tally.holds("of which there is one", two == 0 && second == 0);
}

fn keys(tally: &mut Tally, buffer: &mut [u8]) {
    let mut key = [0xEE; 16];
    tally.equal("a disc's keys are read", system::sceCdReadKey(0, 0, 0x4B, key.as_mut_ptr()), YES);
    tally.holds("with a byte that says which there are", key[15] & !7 == 0);
    let mut number = [0xEE; 8];
    tally.equal("the disc's number", system::sceCdReadDiskID(number.as_mut_ptr()), YES);
    let last = if key[15] & 4 != 0 && key[10..15] != [0; 5] { [key[10], key[11]] } else { [0xDE, 0xAD] };
    tally.holds("is the last of the keys, or says that there is none", number[..2] == last && number[5..] == [0xEE; 3]);
    let at = buffer.as_mut_ptr();
    let set = system::sceCdDecSet(1, 1, 3);
    done(system::sceCdRead(VOLUME, 1, at, core::ptr::null()));
    let changed = !buffer.starts_with(MARK);
    let plain = system::sceCdDecSet(0, 0, 0);
    done(system::sceCdRead(VOLUME, 1, at, core::ptr::null()));
    tally.holds("sectors are decrypted", set == YES && changed);
    tally.holds("or left as they are", plain == YES && buffer.starts_with(MARK));
}

fn positions(tally: &mut Tally) {
    let mut position = [0xEE; 4];
    let told = system::sceCdIntToPos(4_000, &raw mut position);
    tally.holds(
        "a sector has its minute, second and frame",
        told == &raw mut position && position == [0x00, 0x55, 0x25, 0],
    );
    tally.equal("which lead back to it", system::sceCdPosToInt(&raw const position) as i32, 4_000);
}

/// Writes what is kept as it was read: nothing of the owner's changes.
fn kept(tally: &mut Tally) {
    let (mut clock, mut again) = ([0xEE; 8], [0xEE; 8]);
    tally.equal("the clock is read by its other name", system::sceCdRC(&raw mut clock), YES);
    let read = clock[0] == 0 && clock[1..].iter().any(|byte| *byte != 0xEE);
    let (mut ten, mut result) = (clock, 0);
    tally.holds("and goes", read);
    tally.equal("the clock is set", system::sceCdWriteClock(&raw mut ten), YES);
    system::sceCdReadClock(&raw mut again);
    tally.holds("to what it was", again[3..] == clock[3..] || again[2..] != clock[2..]);
    let (mut word, mut other, mut status) = (0xEEEE, 0, 9);
    tally.equal("a word of what the drive keeps", system::sceCdReadNVM(0x100, &raw mut word, &raw mut status), YES);
    let wrote = system::sceCdWriteNVM(0x100, word ^ 0x5A5A, &raw mut status);
    system::sceCdReadNVM(0x100, &raw mut other, &raw mut status);
    system::sceCdWriteNVM(0x100, word, &raw mut status);
    tally.holds("is kept as it is written", wrote == YES && other == word ^ 0x5A5A && status == 0);
    let mut blocks = [0xEE; 32];
    tally.equal("settings are opened", system::sceCdOpenConfig(1, 0, 2, &raw mut result), YES);
    tally.equal("settings are read", system::sceCdReadConfig(blocks.as_mut_ptr(), &raw mut result), YES);
    tally.holds("two blocks of fifteen bytes", blocks[29] != 0xEE && blocks[30..] == [0xEE; 2]);
    tally.equal("settings are closed", system::sceCdCloseConfig(&raw mut result), YES);
    // SAFETY: low memory names a block of the system's, which stays.
    let told = unsafe { ((0x3C0 as *const u32).read_volatile() as *const [u8; 30]).read() };
    tally.holds("low memory tells where the owner's settings lie", told == blocks[..30]);
    let mut changed = blocks;
    changed[3] ^= 0x5A;
    system::sceCdOpenConfig(1, 1, 2, &raw mut result);
    tally.equal("settings are written", system::sceCdWriteConfig(changed.as_ptr(), &raw mut result), YES);
    system::sceCdCloseConfig(&raw mut result);
    let mut found = [0; 32];
    system::sceCdOpenConfig(1, 0, 2, &raw mut result);
    system::sceCdReadConfig(found.as_mut_ptr(), &raw mut result);
    system::sceCdCloseConfig(&raw mut result);
    system::sceCdOpenConfig(1, 1, 2, &raw mut result);
    system::sceCdWriteConfig(blocks.as_ptr(), &raw mut result);
    system::sceCdCloseConfig(&raw mut result);
    tally.holds("and found as they were written", found[..30] == changed[..30]);
}

fn identities(tally: &mut Tally) {
    let (mut link, mut result) = ([0xEE; 8], 9);
    tally.equal("the identity on the serial bus", system::sceCdRI(link.as_mut_ptr(), &raw mut result), YES);
    let (mut bus, mut model) = ([0; 8], 0xEEEE_EEEE);
    tally.equal("a console's number", system::sceCdReadGUID(bus.as_mut_ptr()), YES);
    tally.equal("a model's number", system::sceCdReadModelID(&raw mut model), YES);
    // The maker's part stands beside the first byte; the last four follow; the others are the model's.
    let number = [link[0], 0x46, 0, 8, link[4], link[5], link[6], link[7]];
    tally.holds("a console's number is made of that identity", bus == number);
    let of_model = u32::from_le_bytes([link[1], link[2], link[3], 0]);
    tally.equal("and the model's of its other bytes", model as i32, of_model as i32);
    let mut other = link;
    other[5] ^= 0x5A;
    let wrote = system::sceCdWI(other.as_ptr(), &raw mut result);
    let mut found = [0; 8];
    system::sceCdRI(found.as_mut_ptr(), &raw mut result);
    system::sceCdWI(link.as_ptr(), &raw mut result);
    tally.line(format_args!("written {other:02X?}, found {found:02X?}"));
    // The emulator's drive leaves out the first of the bytes that it gets.
    let kept = found == other || found[..7] == other[1..];
    tally.holds("the identity on the serial bus is written", wrote == YES && kept);
    let mut console = [0xEE; 8];
    tally.equal("a console's identity", system::sceCdReadConsoleID(console.as_mut_ptr(), &raw mut result), YES);
    let mut other = console;
    other[2] ^= 0x5A;
    let wrote = system::sceCdWriteConsoleID(other.as_ptr(), &raw mut result);
    let mut found = [0; 8];
    system::sceCdReadConsoleID(found.as_mut_ptr(), &raw mut result);
    system::sceCdWriteConsoleID(console.as_ptr(), &raw mut result);
    tally.holds("is kept as well", wrote == YES && found == other);
    let (mut name, mut status) = ([0; 16], 9);
    system::sceCdReadModelName(name.as_mut_ptr(), &raw mut status);
    let mut other = name;
    other[9] ^= 1;
    let wrote = system::sceCdWM(other.as_ptr(), &raw mut status);
    let mut found = [0; 16];
    system::sceCdReadModelName(found.as_mut_ptr(), &raw mut status);
    system::sceCdWM(name.as_ptr(), &raw mut status);
    tally.holds("a model's name is kept", wrote == YES && found == other);
    let mut version = [0xEE; 4];
    tally.equal("the drive's version", system::sceCdMV(version.as_mut_ptr(), &raw mut status), YES);
    tally.holds("has four parts", version.iter().all(|byte| *byte != 0xEE));
}

extern "C" fn power(_argument: u32) {}

fn commands(tally: &mut Tally) {
    let (mut clock, mut result) = ([0xEE; 16], 9);
    let done = system::sceCdApplySCmd(0x08, core::ptr::null(), 0, clock.as_mut_ptr());
    tally.holds("a command of the other kind by its number", done == YES && clock[7] != 0xEE && clock[8] == 0xEE);
    for (what, done) in [
        ("digital sound out", system::sceCdCtrlADout(1, &raw mut result)),
        ("films are forbidden", system::sceCdForbidDVDP(&raw mut result)),
        ("the drive adjusts itself", system::sceCdAutoAdjustCtrl(0, &raw mut result)),
        ("reads are forbidden to films", system::sceCdForbidRead(&raw mut result)),
        ("the blue lamp", system::sceCdBlueLEDCtl(1, &raw mut result)),
        ("a notice of switching off is taken back", system::sceCdCancelPOffRdy(&raw mut result)),
        ("the ROM's version is shown", system::sceCdBootCertify([2, 0, b'E', b'C'].as_ptr())),
        ("the console is switched off, where it can be", system::sceCdPowerOff(&raw mut result)),
    ] {
        tally.equal(what, done, YES);
    }
    let mut place = [0xEE; 12];
    tally.equal("where a music disc is", system::sceCdReadSUBQ(place.as_mut_ptr(), &raw mut result), YES);
    tally.holds("is told in ten bytes", place[..10] != [0xEE; 10] && place[10..] == [0xEE; 2]);
    tally.equal("a function for the power button", system::sceCdPOffCallback(Some(power), 1) as i32, 0);
    let before = system::sceCdPOffCallback(None, 0);
    tally.equal("is told when another one comes", before as i32, power as *const () as i32);
}

/// What the drive's other modules ask.
const DEBUG_FLAG: i32 = -0x10;
const EVENT: i32 = -0xB;
const FILES: i32 = -0xA;
const VERSION: i32 = -9;
const SET_ERROR: i32 = -2;

static OPENED: Word = Word::new(0);

extern "C" fn opener(_argument: u32) {
    let file = system::open(text(c"cdrom0:\\SYSTEM.CNF;1"), 1);
    OPENED.set(file);
    system::close(file);
    system::ExitThread();
}

fn control(tally: &mut Tally) {
    let (mut word, mut event) = (0, [0; 5]);
    let server = system::sceGetFsvRbuf();
    tally
        .holds("the server has its memory", system::QueryBlockTopAddress(server) & 0x8000_0000 == 0 && server > 0x1000);
    tally.equal(
        "an event flag tells that the drive is idle",
        system::ReferEventFlagStatus(system::sceCdSC(EVENT, &raw mut word), &raw mut event),
        0,
    );
    tally.equal("which it is", (event[3] & 1) as i32, 1);
    tally.equal("the driver has a version", system::sceCdSC(VERSION, &raw mut word), 0x222);
    tally.holds("and a place for who looks into it", system::sceCdSC(DEBUG_FLAG, &raw mut word) == 0xFF && word != 0);
    word = 0x30;
    system::sceCdSC(SET_ERROR, &raw mut word);
    tally.equal("an error may be set", system::sceCdGetError(), 0x30);
    let thread = super::threads::thread(opener, 50, 0x1000);
    OPENED.set(-1);
    word = 1;
    let held = system::sceCdSC(FILES, &raw mut word);
    system::StartThread(thread, 0);
    system::DelayThread(50_000);
    let early = OPENED.get();
    word = 0;
    system::sceCdSC(FILES, &raw mut word);
    system::DelayThread(200_000);
    tally.holds("files wait while somebody else reads", held == 1 && early == -1);
    tally.holds("and go on behind that", OPENED.get() > 0);
    system::DeleteThread(thread);
}

fn streams(tally: &mut Tally, buffer: &mut [u8]) {
    tally.equal("a stream's function", system::sceCdstm0Cb(Some(first_stream)), 0);
    tally.equal("and the other stream's", system::sceCdstm1Cb(Some(second_stream)), 0);
    FIRST.set(0);
    SECOND.set(0);
    done(system::sceCdSeek(VOLUME));
    tally.holds("hear of a command's end", FIRST.get() == 4 && SECOND.get() == 4);
    system::sceCdstm0Cb(None);
    system::sceCdstm1Cb(None);
    done(system::sceCdSeek(VOLUME));
    tally.holds("until they are taken back", FIRST.get() == 4 && SECOND.get() == 4);
    tally.equal("the function before is told", system::sceCdCallback(None) as i32, ended as *const () as i32);
    let (at, mut error) = (buffer.as_mut_ptr(), 0);
    system::sceCdStInit(16, 4, 0);
    system::sceCdStStart(VOLUME, core::ptr::null());
    tally.equal("a stream rests", system::sceCdStPause(), YES);
    tally.equal("and gives nothing meanwhile", system::sceCdStRead(1, at, 0, &raw mut error), 0);
    tally.equal("a stream goes on", system::sceCdStResume(), YES);
    buffer[..16].fill(0);
    let count = system::sceCdStRead(1, at, 1, &raw mut error);
    tally.holds("where it was", count == 1 && buffer.starts_with(MARK));
    tally.equal("a stream goes elsewhere at once", system::sceCdStSeekF(VOLUME), YES);
    buffer[..16].fill(0);
    let count = system::sceCdStRead(1, at, 1, &raw mut error);
    tally.holds("and gives that", count == 1 && buffer.starts_with(MARK));
    system::sceCdStStop();
}
