//! Caches, processor settings, the TLB and the console's configuration.

use super::Tally;
use super::calls::{call, call_with, kernel_word};
use boardwalk::ee::{cache, cop0};
use core::cell::UnsafeCell;

/// Start of the kernel's table of calls, and how far behind it the COP0 timer's handler stands.
const CALLS_TABLE: u32 = 0x8001_1F80;
const TIMER_HANDLER: u32 = 0x500;
/// A pair of pages that no entry of the start covers.
const FREE_PAGES: u32 = 0x4000_0000;
/// Attributes of an entry: cached, writable, valid, for all.
const CACHED: u32 = 0x1F;
/// Physical pages that the test maps there.
const MAPPED: u32 = 0x0100_0000;

#[repr(C, align(64))]
struct Line(UnsafeCell<[u32; 16]>);
// SAFETY: one thread uses it.
unsafe impl Sync for Line {}
static LINE: Line = Line(UnsafeCell::new([0; 16]));

pub fn run(tally: &mut Tally) {
    processor(tally);
    caches(tally);
    tlb(tally);
    configuration(tally);
    refused_pointers(tally);
}

fn processor(tally: &mut Tally) {
    /// Config: dual issue, non-blocking loads, branch prediction.
    const BITS: [u32; 3] = [0x4_0000, 0x2000, 0x1000];
    tally.equal("GetCop0 reads the processor's kind", call(0x63, 15, 0) as u32 >> 8, 0x2E);
    tally.equal("iGetCop0 does, too", call(-0x67, 15, 0), call(0x63, 15, 0));
    let switched = [0, 1, 2].map(|bit| {
        let off = call(0x66, bit + 3, 0) as u32 & BITS[bit as usize];
        let on = call(0x66, bit, 0) as u32 & BITS[bit as usize];
        off == 0 && on == BITS[bit as usize]
    });
    tally.equal("CpuConfig switches three bits", switched, [true; 3]);
    tally.equal("iCpuConfig leaves the others", call(-0x6A, 9, 0), call(0x63, 16, 0));
    tally.equal("EnableCache switches both caches on", call(0x61, 3, 0) as u32 >> 16 & 3, 3);
    tally.equal("DisableCache of none changes nothing", call(0x62, 0, 0) as u32 >> 16 & 3, 3);
    tally.equal("KSeg0 keeps the kernel's window cached", (call(0x60, 3, 0), call(0x63, 16, 0) & 7), (0, 3));
    call(0x6D, 0, 0);
    tally.equal("SetCPUTimer(0) holds the COP0 timer", cop0::status() & 0x8000, 0);
    let before = kernel_word(CALLS_TABLE + TIMER_HANDLER);
    call(0x6C, 0x0010_0000, 0);
    tally.equal(
        "SetCPUTimerHandler fills its place in the tables",
        kernel_word(CALLS_TABLE + TIMER_HANDLER),
        0x0010_0000,
    );
    call(0x6C, before, 0);
    tally.equal("memory size in bytes", call(0x7F, 0, 0), 0x0200_0000);
    tally.equal("the machine has the usual type", call(0x7E, 0, 0), 0);
    tally.equal("there is no mode of the older console", call(0x7D, 0, 0), -1);
}

fn caches(tally: &mut Tally) {
    let words = LINE.0.get().cast::<u32>();
    let mirror = (words as u32 | 0x2000_0000) as *mut u32;
    // SAFETY: the line is ours; its uncached mirror is read and written where the cache holds nothing of it.
    let seen = [0x64, -0x68].map(|number| unsafe {
        cache::invalidate(words.cast(), 64);
        mirror.write_volatile(1);
        words.write_volatile(0x1234_5678);
        call(number, 0, 0);
        mirror.read_volatile()
    });
    tally.equal("FlushCache writes data back", seen[0], 0x1234_5678);
    tally.equal("iFlushCache does, too", seen[1], 0x1234_5678);
}

fn tlb(tally: &mut Tally) {
    let place = |address: &mut u32| &raw mut *address as u32;
    let get = |number: i32, index: u32| {
        let mut entry = [0u32; 4];
        let [mask, high, low0, low1] = &mut entry;
        let result = call_with(number, [index, place(mask), place(high), place(low0), place(low1)]);
        // Emulators leave the global bit out.
        (result, [entry[0], entry[1], entry[2] & !1, entry[3] & !1])
    };
    let low = [MAPPED >> 6 | CACHED, (MAPPED + 0x1000) >> 6 | CACHED];
    let put = call_with(0x55, [0, FREE_PAGES, low[0], low[1]]);
    tally.equal("PutTLBEntry takes an entry that is not wired", (31..48).contains(&put), true);
    let before = get(0x57, 13);
    tally.equal("GetTLBEntry tells the map's entries", before, (13, [0x7_E000, 0x8_0000, 0x201E, 0x301E]));
    tally.equal("iGetTLBEntry does, too", get(-0x57, 13), before);
    tally.equal("PutTLBEntry refuses other segments", call_with(0x55, [0, 0x7000_0000, 0, 0]), -1);
    tally.equal("iPutTLBEntry refuses them, too", call_with(-0x55, [0, 0x9000_0000, 0, 0]), -1);
    let index = put as u32;
    let unused = 0xE000_0000 | index << 13;
    tally.equal("SetTLBEntry writes by index", call_with(0x56, [index, 0, unused, 0, 0]), put);
    tally.equal("what it wrote is there", get(0x57, index), (put, [0, unused, 0, 0]));
    tally.equal("iSetTLBEntry does, too", call_with(-0x56, [index, 0, unused, 0, 0]), put);
    tally.equal("an entry beyond the TLB", (call_with(0x56, [48, 0, 0, 0, 0]), get(0x57, 48).0), (-1, -1));
    let mut found = [0u32; 3];
    let [mask, low0, low1] = &mut found;
    let places = [place(mask), place(low0), place(low1)];
    let probe = |number: i32, high: u32| call_with(number, [high, places[0], places[1], places[2]]);
    tally.equal("ProbeTLBEntry finds no entry for an address without one", probe(0x58, 0x5000_0000), -1);
    tally.equal("iProbeTLBEntry finds none, either", probe(-0x58, 0x5000_0000), -1);
    tally.equal(
        "ExpandScratchPad takes pages of programs only",
        (call(0x59, 0x0010_0800, 0), call(0x59, 0x8000, 0)),
        (-1, -1),
    );
    let mapped = call(0x59, 0x0100_0000, 0);
    // SAFETY: two pages of RAM that nobody uses, behind the scratchpad.
    let behind = unsafe {
        (0x2100_0000 as *mut u32).write_volatile(0xCAFE);
        (0x7000_4000 as *const u32).read_volatile()
    };
    tally.equal("RAM lies behind the scratchpad then", (mapped, behind), (0, 0xCAFE));
    call(0x59, 0, 0);
    call(0x82, 0, 0);
    tally.equal(
        "InitTLB makes the map of the start anew",
        get(0x57, 38),
        (38, [0x7F_E000, 0x3180_0000, 0x6_003E, 0x7_003E]),
    );
    let text = [7u32, 8, 0x0BAD_CAFE, 9];
    let start = text.as_ptr() as u32;
    tally.equal("FindAddress finds a word", call_with(0x83, [start, start + 16, 0x0BAD_CAFE]) as u32, start + 8);
    tally.equal("FindAddress tells that there is none", call_with(0x83, [start, start + 16, 0x0BAD_CAFF]), 0);
}

fn configuration(tally: &mut Tally) {
    let mut area = [0x5Au8; 16];
    let mut back = [0u8; 16];
    call_with(0x6E, [area.as_ptr() as u32, 16, 100]);
    call_with(0x6F, [back.as_mut_ptr() as u32, 16, 100]);
    tally.equal("the second configuration area is kept", back, area);
    area = [0x77; 16];
    back = [0; 16];
    call_with(0x6E, [area.as_ptr() as u32, 16, 120]);
    call_with(0x6F, [back.as_mut_ptr() as u32, 16, 120]);
    tally.equal("its end is kept in", (back[7], back[8]), (0x77, 0));
    call_with(0x4E, [1, 2, 3, 4]);
    let mut horizontal = [0u32; 4];
    let places = [0, 1, 2, 3].map(|index: usize| &raw mut horizontal[index] as u32);
    call_with(0x4C, places);
    tally.equal("horizontal parameters are kept", horizontal, [1, 2, 3, 4]);
    call_with(0x4E, [0, 0, 0, 0]);
    call(0x4F, 1, 0);
    tally.equal("component output is a parameter", call(0x4D, 0, 0), 1);
    call(0x4F, 0, 0);
    tally.equal("and so is RGB", call(0x4D, 0, 0), 0);
    let mut offsets = [9u32; 4];
    let places = [0, 1, 2, 3].map(|index: usize| &raw mut offsets[index] as u32);
    call_with(0x80, [2, places[0], places[1], places[2], places[3]]);
    tally.equal("the owner has not moved the picture", offsets, [0; 4]);
}

/// What would do harm in the IOP's vectors.
#[repr(C, align(64))]
struct Harm([u32; 16]);
static HARM: Harm = Harm([u32::MAX; 16]);

/// A word of the IOP's memory, which kernel mode sees.
fn iop_word(place: u32) -> u32 {
    const IOP_MEMORY: u32 = 0xBC00_0000;
    kernel_word(IOP_MEMORY + (place & 0x1F_FFFF))
}

/// Pointers that are no program's. A console's own kernel would use them.
fn refused_pointers(tally: &mut Tally) {
    let bad = [0x8001_0000, 0x0000_1000, 0xBFC0_0000, 0x1000_F000, 0x0010_0001, 0x01FF_FFFC];
    tally.equal("CreateThread refuses pointers into the kernel", bad.map(|pointer| call(0x20, pointer, 0)), [-1; 6]);
    tally.equal("CreateSema does, too", bad.map(|pointer| call(0x40, pointer, 0)), [-1; 6]);
    tally.equal("SifSetDma does, too", bad.map(|pointer| call(0x77, pointer, 1)), [0; 6]);
    tally.equal("SetVSyncFlag does, too", bad.map(|pointer| call(0x73, 0, pointer)), [-1; 6]);
    let list = [0x8000_0000u32, 0, 64, 0];
    tally.equal("and nothing of the kernel goes to the IOP", call(0x77, list.as_ptr() as u32, 1), 0);
    let held = [0x80, 0x8000_0180].map(iop_word);
    let source = HARM.0.as_ptr() as u32;
    cache::write_back(HARM.0.as_ptr().cast(), 64);
    for destination in [0, 0x80, 0x0020_0080, 0x8000_0180, 0x7F0, 0x001F_FFF0] {
        let list = [source, destination, 32, 0];
        let number = if destination == 0x80 { -0x77 } else { 0x77 };
        tally.equal("nothing goes over the IOP's vectors", call(number, list.as_ptr() as u32, 1), 0);
    }
    let own_header = [0x0200_0000_u32, 0x1000, 0, 0x20];
    let from_scratchpad = [0x7000_0000, 0x1000, 32, 0];
    let refused = [own_header, from_scratchpad].map(|list| call(0x77, list.as_ptr() as u32, 1));
    tally.equal("nor from where the channel does not reach", refused, [0; 2]);
    tally.equal("which are as they were", [0x80, 0x8000_0180].map(iop_word), held);
    let search = call_with(0x83, [0, u32::MAX, 0x1234_5678]);
    tally.equal("a search through everything is refused", search, 0);
}
