//! Calls of every library with numbers, handles and pointers that make no sense, from a fixed seed: errors, nothing lost, and
//! everything still works.
//!
//! Left out are functions whose purpose is to end the caller, to wait for somebody at the keyboard, to switch the console off or to change
//! what it keeps without power, functions that take a function to be called later, and arguments by which a caller may take the
//! system's own memory, lines or channels away, as it may on any console: there every module is the kernel's equal. The functions of
//! text and memory get memory of ours alone: they write where they are told to, as they do in any C library.

use crate::library::Library;
use crate::system;
use crate::tally::Tally;

/// Calls of each function.
const TRIES: u32 = 24;
/// Most arguments of a function.
const ARGUMENTS: usize = 5;

/// A library's functions by number, each group with a letter for every argument:
///
/// | letter | argument |
/// | --- | --- |
/// | `n` | a handle, id, mode or size that is nobody's |
/// | `b` | a number beyond all lines, channels and registers |
/// | `h` | more bytes than there are |
/// | `s` | a small number |
/// | `0`, `1`, `2` | that |
/// | `p` | memory of ours, cleared |
/// | `t` | a text of ours |
/// | `v` | values for a format: addresses of an empty text |
/// | `k` | a place in the kernel's memory |
type Functions = (&'static str, &'static [(&'static [u8], &'static [usize])]);

const ALL: &[Functions] = &[
    (
        "thbase",
        &[
            (b"nnn", &[5, 6, 10, 11, 15, 17, 18, 19, 25, 26, 27, 28, 29, 30, 31, 32, 37, 38]),
            (b"npn", &[22, 23]),
            (b"k", &[34]),
            (b"nk", &[39]),
            (b"pkk", &[40]),
        ],
    ),
    ("thsemap", &[(b"nnn", &[5, 6, 7, 8, 9]), (b"npn", &[11, 12])]),
    ("thevent", &[(b"nnn", &[5, 6, 7, 8, 9, 10, 11]), (b"npn", &[13, 14])]),
    ("thmsgbx", &[(b"nnn", &[5]), (b"pnn", &[8, 9]), (b"npn", &[11, 12])]),
    ("thfpool", &[(b"nnn", &[5, 6, 7, 8, 9]), (b"npn", &[11, 12])]),
    ("thvpool", &[(b"nnn", &[5, 6, 7, 8, 9]), (b"npn", &[11, 12])]),
    ("sysmem", &[(b"nnn", &[9, 10])]),
    (
        "ioman",
        &[
            (b"tnp", &[4, 10, 11, 12, 13, 21]),
            (b"bpb", &[5, 6, 7, 8, 9, 14, 15]),
            (b"0ks", &[6]),
            (b"nk", &[15]),
            (b"tk", &[16]),
        ],
    ),
    (
        "modload",
        &[
            (b"tnp", &[6, 22]),
            (b"bpb", &[8, 20, 21, 23]),
            (b"npb", &[17]),
            (b"nk", &[17]),
            (b"k", &[3]),
            (b"kk", &[14]),
            (b"p0k", &[16]),
        ],
    ),
    ("loadcore", &[(b"bpb", &[12, 24])]),
    ("intrman", &[(b"bpb", &[4, 5, 6, 7, 15, 16]), (b"bk", &[7])]),
    ("excepman", &[(b"bpb", &[4, 5, 7])]),
    ("timrman", &[(b"bpb", &[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])]),
    ("vblank", &[(b"nnn", &[9])]),
    ("sifman", &[(b"bpb", &[8])]),
    ("sifcmd", &[(b"bpb", &[6, 7]), (b"kn0", &[15]), (b"kn", &[19]), (b"kn0s0", &[23]), (b"pnks0", &[23])]),
    ("dmacman", &[(b"bpb", &[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 33, 34, 35])]),
    ("ssbusc", &[(b"bpb", &[4, 5, 6, 7])]),
    ("romdrv", &[(b"bpb", &[4, 5])]),
    (
        "cdvdman",
        &[
            (b"n", &[4, 7, 11, 13, 30, 58, 75, 77]),
            (b"", &[5, 8, 12, 15, 21, 28, 38, 39, 44, 46, 47, 60, 68, 61, 67]),
            (b"nnk0", &[6, 20, 40, 62, 63, 76]),
            (b"n0p0", &[6, 20, 40, 62, 63, 76]),
            (b"k", &[9, 19, 24, 51, 79, 80, 82]),
            (b"kt", &[10]),
            (b"pt", &[10]),
            (b"2k", &[14]),
            (b"p", &[16]),
            (b"np", &[17]),
            (b"nk", &[17]),
            (b"kk", &[22, 33, 41, 43, 53, 64, 83]),
            (b"pk", &[22, 33, 41, 43, 53, 64, 83]),
            (b"kp", &[22, 33, 41, 43, 53, 64, 83]),
            (b"nkk", &[26]),
            (b"npk", &[26]),
            (b"nkp", &[26]),
            (b"nphk", &[29]),
            (b"100k", &[31]),
            (b"k", &[32]),
            (b"nnnk", &[35]),
            (b"000", &[36]),
            (b"0k", &[45, 55]),
            (b"nk", &[50]),
            (b"nph", &[54]),
            (b"nn0", &[56]),
            (b"np1k", &[57]),
            (b"n0", &[59]),
            (b"nk1k", &[57]),
            (b"", &[61]),
            (b"p0", &[66]),
            (b"nn", &[81]),
            (b"kt1", &[84]),
            (b"kt0", &[84]),
        ],
    ),
    ("sio2man", &[(b"bpb", &[7, 8, 9, 10, 12, 13])]),
    (
        "libsd",
        &[
            (b"bn", &[5, 7, 9, 11]),
            (b"b", &[6, 8, 10, 12]),
            (b"nnnn", &[13]),
            (b"nnn", &[14]),
            (b"pks", &[15]),
            (b"pp0n", &[16]),
            (b"pksn", &[16]),
            (b"n1knn", &[17]),
            (b"n0pn0", &[17]),
            (b"n0p00", &[18]),
            (b"n2pnn", &[18]),
            (b"n0", &[19]),
            (b"nn", &[20]),
            (b"n0", &[21]),
            (b"0", &[22]),
            (b"bp", &[23, 32, 33]),
            (b"bp", &[24]),
            (b"0k", &[24]),
            (b"bbb", &[25, 31]),
            (b"n00", &[26]),
            (b"00", &[27]),
            (b"n", &[28, 30]),
            (b"", &[29]),
        ],
    ),
    (
        "stdio",
        &[
            (b"tppp", &[4]),
            (b"btppp", &[9]),
            (b"b", &[10]),
            (b"nb", &[11]),
            (b"tb", &[12]),
            (b"pb", &[13]),
            (b"kb", &[13]),
            (b"k", &[8]),
            (b"btv", &[14]),
            (b"t", &[7]),
        ],
    ),
    (
        "sysclib",
        &[
            (b"n", &[6, 7, 8]),
            (b"", &[9]),
            (b"p", &[4]),
            (b"pns", &[10, 14]),
            (b"pps", &[11, 12, 13, 15, 16, 40]),
            (b"ps", &[17]),
            (b"ptpp", &[19]),
            (b"pt", &[20, 23]),
            (b"tn", &[21, 25, 26, 32]),
            (b"tt", &[22, 24, 31, 33, 34]),
            (b"t", &[27]),
            (b"pts", &[28, 30]),
            (b"tts", &[29]),
            (b"pt", &[35]),
            (b"tpn", &[36, 38]),
            (b"tp", &[37]),
            (b"tk", &[37]),
            (b"pns", &[41]),
            (b"ptv", &[42]),
            (b"ptp", &[43]),
        ],
    ),
    ("heaplib", &[(b"hn", &[4]), (b"n", &[5, 8, 15]), (b"nn", &[6, 7]), (b"kn", &[11])]),
    ("secrman", &[(b"nnn", &[6, 7, 8, 9, 10, 11, 12, 13])]),
    ("mtapman", &[(b"nn", &[4, 5, 6, 7])]),
];

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
/// More than there is.
const HUGE: [u32; 4] = [0x20_FFFF, 0x7FFF_FFFF, 0x8000_FFFF, u32::MAX];
/// Places in the kernel's memory, through each window: vectors, what others look at, code.
const KERNELS: [u32; 4] = [0x80, 0x8000_0800, 0xA000_1000, 0x2004];
/// The vectors and the beginning of the kernel's code, which never change.
const WHOLE: [(u32, u32); 2] = [(0, 0x3C0), (0x1000, 0x9000)];

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
struct Place([u32; 128]);

/// Values of a format.
const VALUES: usize = 8;

fn call(library: Library, number: usize, letters: &[u8], random: &mut Random, place: &mut Place) {
    place.0.fill(0);
    let at = place.0.as_mut_ptr() as u32;
    let values = [at; VALUES];
    let mut words = [0; ARGUMENTS];
    for (word, letter) in words.iter_mut().zip(letters) {
        *word = match letter {
            b'n' => random.of(&NUMBERS),
            b'b' => random.of(&BEYOND),
            b'h' => random.of(&HUGE),
            b's' => random.next() & 0x3F,
            b'p' => at,
            b't' => PATHS[random.next() as usize & (PATHS.len() - 1)].as_ptr() as u32,
            b'v' => values.as_ptr() as u32,
            b'k' => random.of(&KERNELS),
            digit => u32::from(digit - b'0'),
        };
    }
    library.call(number, words);
}

fn sum_of_kernel() -> u32 {
    WHOLE.iter().fold(0, |sum, (start, end)| {
        // SAFETY: memory that is always there.
        let word = |place| unsafe { (place as *const u32).read_volatile() };
        (*start..*end).step_by(4).fold(sum, |sum: u32, place| sum.rotate_left(1) ^ word(place))
    })
}

pub fn run(tally: &mut Tally) {
    let (free, sum) = (system::QueryTotalFreeMemSize(), sum_of_kernel());
    let (mut random, mut place, mut made, mut missing) = (Random(0x1357_9BDF), Place([0; 128]), 0, 0);
    for (name, groups) in ALL {
        let library = Library::find(name);
        missing += i32::from(library.table() == 0);
        let mut of_library = 0;
        for (letters, functions) in *groups {
            for number in *functions {
                for _ in 0..TRIES {
                    call(library, *number, letters, &mut random, &mut place);
                    of_library += 1;
                }
            }
        }
        // Texts of the calls may have been printed without an end.
        tally.line(format_args!(""));
        tally.line(format_args!("{of_library} hostile calls of {name}"));
        made += of_library;
    }
    tally.line(format_args!("{made} hostile calls"));
    tally.equal("every library is there for hostile calls", missing, 0);
    system::sceCdStop();
    system::sceCdSync(0);
    tally.holds("hostile calls leave the kernel as it was", sum_of_kernel() == sum);
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
