//! Calls of every library's functions with numbers, handles and pointers that make no sense, from a fixed seed: errors, nothing lost,
//! and everything still works.
//!
//! Left out, by name, are functions whose purpose does not allow that (see [`Functions::left_out`]), and arguments by which a caller
//! may take the system's own memory, lines or channels away, as it may on any console: there every module is the kernel's equal. The
//! functions of text and memory get memory of ours alone: they write where they are told to, as they do in any C library.

mod functions;

use crate::library::Library;
use crate::system;
use crate::tally::Tally;
use functions::{ALL, Functions};

/// Calls of each function.
const TRIES: u32 = 24;
/// Most arguments of a function.
const ARGUMENTS: usize = 9;

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
/// Places where there is no memory: none at all, interrupt and DMA registers, holes.
const NOWHERE: [u32; 8] =
    [0, 0x1F80_1070, 0xBF80_10F0, 0x4010_0000, 0x00A0_0000, 0xC010_0000, 0xDEAD_BEEC, 0xFFFF_FFFC];
/// Places of the EE that are no program's: vectors, tables and the end of its kernel, through windows; behind its memory.
const KERNELS_OF_EE: [u32; 8] = [0, 0x80, 0x180, 0x8000_0180, 0x0001_1F80, 0x2000_0200, 0x0007_FFF0, 0x0200_0000];
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

/// Has nothing to do, and no second turn.
extern "C" fn idles() -> i32 {
    0
}

fn call(library: Library, number: usize, letters: &[u8], random: &mut Random, place: &mut Place, messages: i32) {
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
            b'f' => idles as *const () as u32,
            b'm' => messages as u32,
            b'k' => random.of(&KERNELS),
            b'q' => random.of(&NOWHERE),
            b'e' => random.of(&KERNELS_OF_EE),
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

/// Functions of a library: called, left out, and in neither list.
fn count(library: Library, listed: &Functions) -> [i32; 3] {
    let mut counts = [0; 3];
    for number in library.functions() {
        let called = listed.called.iter().any(|(_, numbers)| numbers.contains(&number));
        let kind = if called { 0 } else { 1 + usize::from(!listed.left_out.contains(&number)) };
        counts[kind] += 1;
    }
    counts
}

pub fn run(tally: &mut Tally) {
    let (free, sum) = (system::QueryTotalFreeMemSize(), sum_of_kernel());
    let (mut random, mut place, mut made, mut missing) = (Random(0x1357_9BDF), Place([0; 128]), 0, 0);
    let messages = system::CreateMbx(&[0, 0]);
    let mut counts = [0; 3];
    for listed in ALL {
        let library = Library::find(listed.name);
        missing += i32::from(library.table() == 0);
        let mut of_library = 0;
        for (letters, functions) in listed.called {
            for number in *functions {
                for _ in 0..TRIES {
                    call(library, *number, letters, &mut random, &mut place, messages);
                    of_library += 1;
                }
            }
        }
        // Texts of the calls may have been printed without an end.
        tally.line(format_args!(""));
        let [called, left_out, forgotten] = count(library, listed);
        tally.line(format_args!(
            "{of_library} hostile calls of {}: {called} functions, {left_out} left out",
            listed.name
        ));
        for (sum, number) in counts.iter_mut().zip([called, left_out, forgotten]) {
            *sum += number;
        }
        made += of_library;
    }
    system::DeleteMbx(messages);
    let [called, left_out, forgotten] = counts;
    tally.line(format_args!("{made} hostile calls of {called} functions; {left_out} left out"));
    tally.equal("every library is there for hostile calls", missing, 0);
    tally.equal("every function of every library is called or left out by name", forgotten, 0);
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
