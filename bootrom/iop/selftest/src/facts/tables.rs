//! Every library's functions: that each number that programs use has one of its own.

use crate::system::{self, LibraryName};
use crate::tally::Tally;
use core::ops::RangeInclusive;

/// A library: its name, major version, and the numbers that it must have.
struct Library {
    name: &'static str,
    numbers: &'static [RangeInclusive<usize>],
}

impl Library {
    /// The version to ask by: the ROM device's library begins with 2.
    fn version(&self) -> u32 {
        if self.name == "romdrv" { 0x0201 } else { 0x0101 }
    }
}

const fn library(name: &'static str, numbers: &'static [RangeInclusive<usize>]) -> Library {
    Library { name, numbers }
}

/// What is in the ROM.
///
/// Source: IOP facts, Library function ids
const RESIDENT: &[Library] = &[
    library("loadcore", &[3..=17, 20..=24]),
    library("sysmem", &[3..=10, 14..=15]),
    library("excepman", &[4..=8]),
    library("intrman", &[3..=9, 14..=18, 23..=25, 28..=31]),
    library("ssbusc", &[4..=17]),
    library("dmacman", &[4..=35]),
    library("timrman", &[3..=18, 20..=24]),
    library("sysclib", &[4..=38, 40..=43]),
    library("heaplib", &[4..=8, 11..=11, 15..=15]),
    library("thbase", &[4..=41]),
    library("thevent", &[4..=11, 13..=14]),
    library("thsemap", &[4..=9, 11..=12]),
    library("thmsgbx", &[4..=9, 11..=12]),
    library("thfpool", &[4..=9, 11..=12]),
    library("thvpool", &[4..=9, 11..=12]),
    library("vblank", &[4..=9]),
    library("ioman", &[4..=18, 20..=21]),
    // 15 answers 0 for every device, as numbers without a function do.
    library("modload", &[3..=14, 16..=28]),
    library("romdrv", &[4..=5]),
    library("stdio", &[4..=14]),
    library("sifman", &[4..=32]),
    library("sifcmd", &[4..=29]),
    library("cdvdman", &[4..=17, 19..=84]),
];

/// What comes with drivers of the ROM, by the drivers' files.
const DRIVERS: &[(&core::ffi::CStr, Library)] = &[
    (c"rom0:XSIO2MAN", library("sio2man", &[4..=58])),
    (c"rom0:XMTAPMAN", library("mtapman", &[4..=7])),
    (c"rom0:LIBSD", library("libsd", &[2..=2, 4..=33])),
];

pub fn run(tally: &mut Tally) {
    for library in RESIDENT {
        check(tally, library);
    }
    for (path, library) in DRIVERS {
        let mut result = 0;
        system::LoadStartModule(path.as_ptr().cast(), 0, core::ptr::null(), &raw mut result);
        check(tally, library);
    }
}

/// The slot that no library uses: whatever it holds is not a function of its own.
const RESERVED: usize = 1;

fn check(tally: &mut Tally, library: &Library) {
    let mut name = [0; 8];
    name[..library.name.len()].copy_from_slice(library.name.as_bytes());
    let asked = LibraryName { lists: [0; 2], version: library.version(), name };
    let table = system::QueryLibraryEntryTable(&raw const asked);
    if table.is_null() {
        tally.holds(library.name, false);
        return;
    }
    // SAFETY: a registered library's functions, which a zero ends.
    let function = |number: usize| unsafe { table.add(number).read() };
    let count = (0..).find(|number| function(*number) == 0).unwrap_or(0);
    let numbers = || library.numbers.iter().cloned().flatten();
    let missing = numbers().filter(|number| *number >= count || function(*number) == function(RESERVED));
    for number in missing.clone() {
        tally.line(format_args!("{} has no function {number}", library.name));
    }
    tally.line(format_args!("{}: {} functions", library.name, numbers().count()));
    tally.equal(library.name, missing.count() as i32, 0);
}
