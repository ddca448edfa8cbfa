//! Calls of every library with numbers, handles and pointers that make no sense, from a fixed seed: errors, nothing lost, and
//! everything still works.
//!
//! Left out are functions whose purpose is to end the caller or to wait, and arguments by which a caller may take the system's
//! own memory, lines or channels away, as it may on any console: there every module is the kernel's equal.

use crate::library::Library;
use crate::system;
use crate::tally::Tally;

/// Calls of each function.
const TRIES: u32 = 24;

/// What the arguments of a function are.
#[derive(Clone, Copy)]
enum Given {
    /// Handles, ids, modes and sizes, none of which is anybody's.
    Numbers,
    /// The same, with a place of ours as the second.
    Told,
    /// A place of ours first, then such numbers.
    Into,
    /// Numbers beyond all lines, channels and registers.
    Beyond,
    /// A string of ours.
    Path,
}

/// A library's functions by number and kind of arguments.
type Functions = (&'static str, &'static [(usize, Given)]);

const ALL: &[Functions] = {
    use Given::{Beyond, Into, Numbers, Path, Told};
    &[
        (
            "thbase",
            &[
                (5, Numbers),
                (6, Numbers),
                (10, Numbers),
                (11, Numbers),
                (15, Numbers),
                (17, Numbers),
                (18, Numbers),
                (19, Numbers),
                (22, Told),
                (23, Told),
                (25, Numbers),
                (26, Numbers),
                (27, Numbers),
                (28, Numbers),
                (29, Numbers),
                (30, Numbers),
                (31, Numbers),
                (32, Numbers),
                (37, Numbers),
                (38, Numbers),
            ],
        ),
        ("thsemap", &[(5, Numbers), (6, Numbers), (7, Numbers), (8, Numbers), (9, Numbers), (11, Told), (12, Told)]),
        (
            "thevent",
            &[
                (5, Numbers),
                (6, Numbers),
                (7, Numbers),
                (8, Numbers),
                (9, Numbers),
                (10, Numbers),
                (11, Numbers),
                (13, Told),
                (14, Told),
            ],
        ),
        ("thmsgbx", &[(5, Numbers), (8, Into), (9, Into), (11, Told), (12, Told)]),
        ("thfpool", &[(5, Numbers), (6, Numbers), (7, Numbers), (8, Numbers), (9, Numbers), (11, Told), (12, Told)]),
        ("thvpool", &[(5, Numbers), (6, Numbers), (7, Numbers), (8, Numbers), (9, Numbers), (11, Told), (12, Told)]),
        ("sysmem", &[(9, Numbers), (10, Numbers)]),
        (
            "ioman",
            &[
                (4, Path),
                (5, Beyond),
                (6, Beyond),
                (7, Beyond),
                (8, Beyond),
                (9, Beyond),
                (10, Path),
                (11, Path),
                (12, Path),
                (13, Path),
                (14, Beyond),
                (15, Beyond),
                (21, Path),
            ],
        ),
        ("modload", &[(6, Path), (8, Beyond), (17, Told), (20, Beyond), (21, Beyond), (22, Path), (23, Beyond)]),
        ("loadcore", &[(12, Beyond), (24, Beyond)]),
        ("intrman", &[(4, Beyond), (5, Beyond), (6, Beyond), (7, Beyond), (15, Beyond), (16, Beyond)]),
        ("excepman", &[(4, Beyond), (5, Beyond), (7, Beyond)]),
        (
            "timrman",
            &[
                (4, Beyond),
                (5, Beyond),
                (6, Beyond),
                (7, Beyond),
                (8, Beyond),
                (9, Beyond),
                (10, Beyond),
                (11, Beyond),
                (12, Beyond),
                (13, Beyond),
                (14, Beyond),
                (15, Beyond),
                (16, Beyond),
                (17, Beyond),
            ],
        ),
        ("vblank", &[(9, Numbers)]),
        ("sifman", &[(8, Beyond)]),
        ("sifcmd", &[(6, Beyond), (7, Beyond)]),
        (
            "dmacman",
            &[
                (4, Beyond),
                (5, Beyond),
                (6, Beyond),
                (7, Beyond),
                (8, Beyond),
                (9, Beyond),
                (10, Beyond),
                (11, Beyond),
                (12, Beyond),
                (13, Beyond),
                (28, Beyond),
                (29, Beyond),
                (30, Beyond),
                (31, Beyond),
                (32, Beyond),
                (33, Beyond),
                (34, Beyond),
                (35, Beyond),
            ],
        ),
        ("ssbusc", &[(4, Beyond), (5, Beyond), (6, Beyond), (7, Beyond)]),
        ("romdrv", &[(4, Beyond), (5, Beyond)]),
        ("cdvdman", &[(16, Into)]),
        ("sio2man", &[(7, Beyond), (8, Beyond), (9, Beyond), (10, Beyond), (12, Beyond), (13, Beyond)]),
    ]
};

/// Strings that are no file's path.
const PATHS: [&core::ffi::CStr; 8] = [
    c"",
    c":",
    c"nothing",
    c"rom0:",
    c"rom99999999999999999999:X",
    c"tty",
    c"cdrom0:\\\\\\\\\\;1",
    c"%s%n: a device that is no device, and a name that goes on for longer than any name on any disc, with %x in it",
];

/// Numbers that are no handle: handles are odd words that name a place in memory.
const NUMBERS: [u32; 16] = [
    0,
    2,
    126,
    128,
    0x100,
    0x7F00,
    0x1_0000,
    0x7FFF_FFFE,
    0x8000_0000,
    0x8000_0100,
    u32::MAX - 1,
    0x1234_5678,
    0xBFC0_0000,
    0x1F80_1070,
    0xDEAD_BEEE,
    0xFFFF_0000,
];
/// Numbers beyond every line (of which some calls look at the low byte alone), channel, timer and register.
const BEYOND: [u32; 8] = [0x80, 0x140, 0x10FF, 0x7FFF_FFFF, 0x8000_0081, u32::MAX, 0xFFFF_00C0, 0x5555_5555];

struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// One of as many numbers as a power of two.
    fn of(&mut self, list: &[u32]) -> u32 {
        list[self.next() as usize & (list.len() - 1)]
    }
}

/// Memory of the calls, larger than whatever is told.
#[repr(align(16))]
struct Place([u32; 64]);

fn call(library: Library, number: usize, given: Given, random: &mut Random, place: &mut Place) {
    let at = place.0.as_mut_ptr() as u32;
    let words = match given {
        Given::Numbers => [0; 3].map(|_| random.of(&NUMBERS)),
        Given::Told => [random.of(&NUMBERS), at, random.of(&NUMBERS)],
        Given::Into => [at, random.of(&NUMBERS), 0],
        Given::Beyond => [random.of(&BEYOND), at, random.of(&BEYOND)],
        Given::Path => [PATHS[random.next() as usize & (PATHS.len() - 1)].as_ptr() as u32, random.of(&NUMBERS), at],
    };
    library.call(number, words);
}

pub fn run(tally: &mut Tally) {
    let free = system::QueryTotalFreeMemSize();
    let (mut random, mut place, mut made) = (Random(0x1357_9BDF), Place([0; 64]), 0);
    for (name, functions) in ALL {
        let library = Library::find(name);
        for (number, given) in *functions {
            for _ in 0..TRIES {
                call(library, *number, *given, &mut random, &mut place);
                made += 1;
            }
        }
    }
    tally.line(format_args!("{made} hostile calls"));
    tally.equal("hostile calls leave all of the memory", system::QueryTotalFreeMemSize() as i32, free as i32);
    works(tally);
}

extern "C" fn signals(id: u32) {
    system::SignalSema(id as i32);
    system::ExitThread();
}

/// Threads, semaphores, timers, files: as if nothing had been.
fn works(tally: &mut Tally) {
    let id = system::CreateSema(&[0, 0, 0, 1]);
    let thread = super::threads::thread(signals, 50, 0x1000);
    system::StartThread(thread, id as u32);
    let waited = system::WaitSema(id);
    system::DelayThread(1_000);
    let gone = [system::DeleteThread(thread), system::DeleteSema(id)];
    tally.holds("threads and semaphores work after hostile calls", waited == 0 && gone == [0; 2]);
    let timers = [0; 4].map(|_| system::AllocHardTimer(1, 16, 1));
    let had = timers.iter().filter(|id| **id > 0 && system::FreeHardTimer(**id) == 0).count();
    tally.holds("timers are there after hostile calls", had >= 2);
    let file = system::open(c"rom0:ROMVER".as_ptr().cast(), 1);
    let mut bytes = [0; 4];
    let read = system::read(file, bytes.as_mut_ptr(), 4);
    tally.holds(
        "files are read after hostile calls",
        read == 4 && system::close(file) == 0 && bytes[0].is_ascii_digit(),
    );
}
