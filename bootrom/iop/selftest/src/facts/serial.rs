//! SIO2MAN, MTAPMAN and SSBUSC: the serial interface by hand and by transfers, multitaps, delays of the outer bus.

use crate::library::Library;
use crate::system;
use crate::tally::Tally;
use crate::word::Word;

pub fn run(tally: &mut Tally) {
    for path in [c"rom0:XSIO2MAN", c"rom0:XMTAPMAN"] {
        let mut result = 0;
        system::LoadStartModule(path.as_ptr().cast(), 0, core::ptr::null(), &raw mut result);
    }
    let serial = Library::find("sio2man");
    one_user(tally, serial);
    registers(tally, serial);
    by_hand(tally, serial);
    transfers(tally, serial);
    hooks(tally, serial);
    multitaps(tally);
    outer_bus(tally);
}

/// Functions by which a user takes the interface, and gives it back.
const TAKE: [usize; 5] = [23, 24, 46, 47, 48];
const GIVE: usize = 26;
const GIVE_2: usize = 50;

static TAKEN: Word = Word::new(0);

extern "C" fn other_user(number: u32) {
    let serial = Library::find("sio2man");
    serial.call(number as usize, []);
    TAKEN.add(1);
    serial.call(GIVE_2, []);
    system::ExitThread();
}

fn one_user(tally: &mut Tally, serial: Library) {
    /// Time for the other thread to come as far as it can, microseconds.
    const LATER: u32 = 20_000;
    for (what, number) in [
        ("the interface is one user's at a time", TAKE[0]),
        ("a driver of cards takes it, too", TAKE[1]),
        ("a driver of controllers takes it under its newer number", TAKE[2]),
        ("a driver of cards takes it under its newer number", TAKE[3]),
        ("a driver of multitaps takes it, too", TAKE[4]),
    ] {
        TAKEN.set(0);
        serial.call(number, []);
        let thread = super::threads::thread(other_user, 50, 0x1000);
        system::StartThread(thread, number as u32);
        system::DelayThread(LATER);
        let early = TAKEN.get();
        serial.call(GIVE, []);
        system::DelayThread(LATER);
        tally.holds(what, early == 0 && TAKEN.get() == 1);
        system::DeleteThread(thread);
    }
    // The other thread gave it back by this number each time.
    tally.equal("and gives it back under that", TAKEN.get(), 1);
}

/// Numbers that set and get registers with an index, and their values.
const RESET: u32 = 0x3BC;
const START: u32 = RESET | 1;
const NEWER: usize = 23;
const SET_CONTROL: usize = 4;
const CONTROL: usize = 5;

fn registers(tally: &mut Tally, serial: Library) {
    serial.call(TAKE[0], []);
    serial.call(SET_CONTROL, [RESET]);
    tally.equal("the interface's control is kept", serial.call(CONTROL, []) as i32, RESET as i32);
    let results = [6, 11, 14].map(|number| serial.call(number, []));
    // SAFETY: registers of the interface, which are always there.
    let direct = [0x6C, 0x70, 0x74].map(|place| unsafe { ((0xBF80_8200_u32 + place) as *const u32).read_volatile() });
    tally.line(format_args!("the interface's results are {results:x?}, its registers {direct:x?}"));
    tally.holds("the interface's results are told", results == direct);
    let kept = |set: usize, get: usize, index: u32, value: u32| {
        let before = serial.call(get, [index]);
        serial.call(set, [index, value]);
        let found = serial.call(get, [index]);
        serial.call(set, [index, before]);
        found == value
    };
    let timings = (0..4).all(|port| kept(7, 8, port, 0xFFC0_0505 + port) && kept(9, 10, port, 0x0002_0014 + port));
    tally.holds("a port's timing is kept", timings && serial.call(8, [4]) == 0);
    let queue = (0..16).all(|index| kept(12, 13, index, 0x0014_0540 + index));
    tally.holds("a command of the queue is kept", queue && serial.call(13, [16]) == 0);
    let counter = |set: usize, get: usize| {
        serial.call(set, [0x1234]);
        let found = serial.call(get, []);
        serial.call(set, [0]);
        found == 0x1234
    };
    tally.holds("the interface's counters are kept", counter(15, 16) && counter(17, 18));
    serial.call(21, [serial.call(22, [])]);
    tally.equal("an interrupt of the interface is taken back", serial.call(22, []) as i32 & 1, 0);
    serial.call(SET_CONTROL + NEWER, [RESET]);
    let same = [5, 6, 8, 10, 11, 13, 14, 16, 18, 22].iter().all(|number| {
        let both = [*number, *number + NEWER].map(|number| serial.call(number, [1]));
        both[0] == both[1]
    });
    let kept = kept(7 + NEWER, 8, 1, 0x77) && kept(9 + NEWER, 10, 1, 0x78) && kept(12 + NEWER, 13, 1, 0x79);
    let counters = counter(15 + NEWER, 16) && counter(17 + NEWER, 18);
    serial.call(21 + NEWER, [serial.call(22, [])]);
    let by_hand = poll_by_hand(serial, NEWER);
    tally.holds("the registers' newer numbers reach the same", same && kept && counters && is_pad(&by_hand));
    serial.call(GIVE, []);
}

/// Bytes of a controller's poll, and the entry of the queue for it at the first port: by hand, both lengths.
const POLL: [u8; 5] = [0x01, 0x42, 0, 0, 0];
const ENTRY: u32 = 0x40 | 5 << 8 | 5 << 18;

/// Polls the first controller with functions whose numbers are `beyond` the usual ones.
fn poll_by_hand(serial: Library, beyond: usize) -> [u8; 5] {
    serial.call(SET_CONTROL + beyond, [RESET | 0xC]);
    serial.call(7 + beyond, [0, 0xFFC0_0505]);
    serial.call(9 + beyond, [0, 0x0002_0014]);
    serial.call(12 + beyond, [0, ENTRY]);
    serial.call(12 + beyond, [1, 0]);
    for byte in POLL {
        serial.call(19 + beyond, [byte.into()]);
    }
    serial.call(SET_CONTROL + beyond, [START]);
    system::DelayThread(2_000);
    serial.call(21 + beyond, [serial.call(22 + beyond, [])]);
    core::array::from_fn(|_| serial.call(20 + beyond, []) as u8)
}

/// Whether a controller answered: its kind, and the mark behind that.
fn is_pad(answer: &[u8]) -> bool {
    matches!(answer[1], 0x41 | 0x73 | 0x79) && answer[2] == 0x5A
}

fn by_hand(tally: &mut Tally, serial: Library) {
    serial.call(TAKE[0], []);
    let answer = poll_by_hand(serial, 0);
    serial.call(GIVE, []);
    tally.holds("bytes go to a controller by hand and come back", is_pad(&answer));
}

/// Words of a transfer's record, and some places in it.
const WORDS: usize = 37;
const QUEUE: usize = 10;
const LENGTHS: usize = 27;
const BUFFERS: usize = 29;

fn transfers(tally: &mut Tally, serial: Library) {
    for (what, number) in
        [("a controller answers a transfer", 25), ("a controller answers a transfer under its newer number", 49)]
    {
        let mut answer = [0_u8; 5];
        let mut request = [0_u32; WORDS];
        request[1..5].fill(0xFFC0_0505);
        request[5..9].fill(0x0002_0014);
        request[QUEUE] = ENTRY;
        request[LENGTHS..LENGTHS + 2].fill(POLL.len() as u32);
        request[BUFFERS] = POLL.as_ptr() as u32;
        request[BUFFERS + 1] = answer.as_mut_ptr() as u32;
        serial.call(TAKE[0], []);
        let done = serial.call(number, [request.as_mut_ptr() as u32]);
        serial.call(GIVE, []);
        // SAFETY: the library has filled it behind the compiler's back.
        let answer = unsafe { (&raw const answer).read_volatile() };
        let result = request[0] & 0xF000;
        tally.holds(what, done == 1 && is_pad(&answer) && result == 0x1000);
    }
}

extern "C" fn answers(argument: u32) -> u32 {
    argument + 5
}

fn hooks(tally: &mut Tally, serial: Library) {
    let without = [55, 56, 57, 58].map(|number| serial.call(number, [7]));
    let set = |function: u32| {
        for number in [51, 52, 53, 54] {
            serial.call(number, [function]);
        }
    };
    set(answers as *const () as u32);
    let with = [55, 56, 57, 58].map(|number| serial.call(number, [7]));
    set(0);
    tally.holds("a multitap's driver answers for its ports", with == [12; 4] && without == [1, 1, 1, 0]);
}

fn multitaps(tally: &mut Tally) {
    const OPEN: usize = 4;
    const CLOSE: usize = 5;
    const SLOTS: usize = 6;
    const CHANGE: usize = 7;
    let taps = Library::find("mtapman");
    let ports = [0, 1, 2, 3].map(|port| taps.call(OPEN, [port]));
    tally.holds("a port without a multitap is not one", ports == [0; 4]);
    let slots = [taps.call(SLOTS, [0]), taps.call(CHANGE, [0, 0]), taps.call(CHANGE, [0, 1])];
    tally.holds("a plain port has one slot", slots == [1, 1, 0]);
    tally.holds("a port is closed", [taps.call(CLOSE, [1]), taps.call(CLOSE, [4])] == [1, 0]);
}

fn outer_bus(tally: &mut Tally) {
    /// The sound unit, which has both registers, and a number without any.
    const SOUND: u32 = 9;
    const NOTHING: u32 = 3;
    let bus = Library::find("ssbusc");
    let kept = |set: usize, get: usize, device: u32| {
        let before = bus.call(get, [device]);
        let written = bus.call(set, [device, before ^ 0x10]);
        let found = bus.call(get, [device]);
        bus.call(set, [device, before]);
        written == 0 && found == before ^ 0x10 && bus.call(get, [device]) == before
    };
    let none = |set: usize, get: usize| [bus.call(set, [NOTHING, 0]), bus.call(get, [NOTHING])] == [u32::MAX; 2];
    tally.holds("a device's delay is kept", kept(4, 5, SOUND) && none(4, 5));
    tally.holds("a device's address is kept", kept(6, 7, SOUND) && none(6, 7));
    let before = bus.call(17, []);
    bus.call(16, [0]);
    for (index, number) in [8, 10, 12, 14].into_iter().enumerate() {
        bus.call(number, [index as u32 + 1]);
    }
    let all = bus.call(17, []);
    let each = [9, 11, 13, 15].map(|number| bus.call(number, []));
    bus.call(16, [before]);
    tally.holds("the devices' common delays are kept, each in its bits", all == 0x4321 && each == [1, 2, 3, 4]);
}
