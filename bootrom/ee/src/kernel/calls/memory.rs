//! Cache and TLB calls. Source: EE kernel semantics, sections 5.4 and 11; PS2 hardware facts, section 6.3.

use super::report;
use crate::kernel::hardware::cop0;
use crate::kernel::user;
use bootrom_ee::tlb::{self, TlbEntry};
use core::arch::asm;

/// 64h, 68h FlushCache(what): 0 write back data, 1 forget data, 2 forget instructions, 3 all of it.
// Covers: ee, 0x64 FlushCache test=FlushCache writes data back
// Covers: ee, -0x68 iFlushCache test=iFlushCache does, too
pub extern "C" fn flush_cache(what: u32) -> i32 {
    match what & 3 {
        0 => write_back_data(),
        1 => forget_data(),
        2 => forget_instructions(),
        _ => {
            write_back_data();
            forget_instructions();
        }
    }
    0
}

/// Runs a cache operation on both ways of every line.
macro_rules! all_lines {
    ($operation:literal, $bytes:literal, $sync:literal) => {
        // SAFETY: index operations on every line; the synchronising words keep them apart from other accesses.
        unsafe {
            asm!(
                ".set push", ".set mips3", ".set noreorder", ".set noat",
                concat!(".word ", $sync),
                "move $8, $0",
                "2:",
                concat!("cache ", $operation, ", 0($8)"),
                concat!("cache ", $operation, ", 1($8)"),
                concat!(".word ", $sync),
                "addiu $8, $8, 64",
                concat!("sltiu $9, $8, ", $bytes),
                "bnez $9, 2b",
                "nop",
                ".set pop",
                out("$8") _, out("$9") _, options(nostack)
            );
        }
    };
}

/// Writes all dirty data lines back and forgets them.
pub fn write_back_data() {
    all_lines!("0x14", "0x1000", "0x0F");
}

fn forget_data() {
    all_lines!("0x16", "0x1000", "0x0F");
}

/// Forgets all instruction lines.
pub fn forget_instructions() {
    all_lines!("0x07", "0x2000", "0x40F");
}

/// Config bits that CpuConfig(0..=2) sets and CpuConfig(3..=5) clears: dual issue, non-blocking loads, branch
/// prediction.
const CONFIG_BITS: [u32; 3] = [0x4_0000, 0x2000, 0x1000];

/// 66h, 6Ah CpuConfig(what): the new Config.
// Covers: ee, 0x66 CpuConfig test=CpuConfig switches three bits
// Covers: ee, -0x6A iCpuConfig test=iCpuConfig leaves the others
pub extern "C" fn cpu_config(what: u32) -> u32 {
    let config = cop0!("16");
    let new = match what {
        0..=2 => config | CONFIG_BITS[what as usize],
        3..=5 => config & !CONFIG_BITS[what as usize - 3],
        _ => config,
    };
    cop0!("16", new);
    new
}

/// Config bits of the caches: bit 0 of a call's argument is the data cache, bit 1 the instruction cache.
fn cache_bits(which: u32) -> u32 {
    (which & 3) << 16
}

/// 60h KSeg0(attribute): how the kernel's own window is cached, 2 not at all and 3 as usual.
///
/// Our choice: the original takes any three bits; those that mean nothing are refused.
// Covers: ee, 0x60 KSeg0 test=KSeg0 keeps the kernel's window cached
pub extern "C" fn kseg0(attribute: u32) -> i32 {
    /// Config: the window's cache attribute.
    const FIELD: u32 = 7;
    if !matches!(attribute, 2 | 3) {
        return -1;
    }
    write_back_data();
    cop0!("16", cop0!("16") & !FIELD | attribute);
    0
}

/// 61h EnableCache(which): the new Config.
// Covers: ee, 0x61 EnableCache test=EnableCache switches both caches on
pub extern "C" fn enable_cache(which: u32) -> u32 {
    let new = cop0!("16") | cache_bits(which);
    cop0!("16", new);
    new
}

/// 62h DisableCache(which): the new Config.
// Covers: ee, 0x62 DisableCache test=DisableCache of none changes nothing
pub extern "C" fn disable_cache(which: u32) -> u32 {
    write_back_data();
    let new = cop0!("16") & !cache_bits(which);
    cop0!("16", new);
    new
}

/// 63h, 67h GetCop0(register).
// Covers: ee, 0x63 GetCop0 test=GetCop0 reads the processor's kind
// Covers: ee, -0x67 iGetCop0 test=iGetCop0 does, too
pub extern "C" fn get_cop0(register: u32) -> u32 {
    match register {
        0 => cop0!("0"),
        1 => cop0!("1"),
        2 => cop0!("2"),
        3 => cop0!("3"),
        4 => cop0!("4"),
        5 => cop0!("5"),
        6 => cop0!("6"),
        8 => cop0!("8"),
        9 => cop0!("9"),
        10 => cop0!("10"),
        11 => cop0!("11"),
        12 => cop0!("12"),
        13 => cop0!("13"),
        14 => cop0!("14"),
        15 => cop0!("15"),
        16 => cop0!("16"),
        23 => cop0!("23"),
        28 => cop0!("28"),
        29 => cop0!("29"),
        30 => cop0!("30"),
        _ => 0,
    }
}

/// Writes a TLB entry.
fn write_entry(index: u32, entry: TlbEntry) {
    cop0!("0", index);
    cop0!("5", entry.mask);
    cop0!("10", entry.high);
    cop0!("2", entry.low0);
    cop0!("3", entry.low1);
    // SAFETY: writes one TLB entry; neither code nor stack of the kernel is mapped by the TLB.
    unsafe { asm!(".word 0x40F", "tlbwi", ".word 0x40F", options(nostack)) };
}

fn read_entry(index: u32) -> TlbEntry {
    cop0!("0", index);
    // SAFETY: reads one TLB entry into COP0.
    unsafe { asm!("tlbr", ".word 0x40F", options(nostack)) };
    TlbEntry { mask: cop0!("5"), high: cop0!("10"), low0: cop0!("2"), low1: cop0!("3") }
}

/// Index of the entry for an address, or negative.
fn probe(high: u32) -> i32 {
    cop0!("10", high);
    // SAFETY: looks an address up; only COP0's Index changes.
    unsafe { asm!(".word 0x40F", "tlbp", ".word 0x40F", options(nostack)) };
    cop0!("0") as i32
}

/// 82h InitTLB(): the map of the start.
// Covers: ee, 0x82 InitTLB test=InitTLB makes the map of the start anew
pub extern "C" fn init_tlb() -> i32 {
    for (index, entry) in tlb::MAP.into_iter().enumerate() {
        write_entry(index as u32, entry);
    }
    cop0!("6", tlb::WIRED);
    0
}

/// 55h PutTLBEntry(mask, high, low0, low1): index of the new entry.
// Covers: ee, 0x55 PutTLBEntry test=PutTLBEntry takes an entry that is not wired
// Covers: ee, -0x55 iPutTLBEntry test=iPutTLBEntry refuses them, too
pub extern "C" fn put_tlb_entry(mask: u32, high: u32, low0: u32, low1: u32) -> i32 {
    if tlb::may_put(high).is_err() {
        return -1;
    }
    // The random index is where `tlbwr` would write; writing it by number tells us which it was.
    let index = cop0!("1") % tlb::ENTRIES;
    write_entry(index.max(cop0!("6")), TlbEntry { mask, high, low0, low1 });
    index.max(cop0!("6")) as i32
}

/// 56h SetTLBEntry(index, mask, high, low0, low1).
// Covers: ee, 0x56 SetTLBEntry test=SetTLBEntry writes by index
// Covers: ee, -0x56 iSetTLBEntry test=iSetTLBEntry does, too
pub extern "C" fn set_tlb_entry(index: u32, mask: u32, high: u32, low0: u32, low1: u32) -> i32 {
    if tlb::may_set(index, high).is_err() {
        return -1;
    }
    write_entry(index, TlbEntry { mask, high, low0, low1 });
    index as i32
}

/// 57h GetTLBEntry(index, &mask, &high, &low0, &low1).
// Covers: ee, 0x57 GetTLBEntry test=GetTLBEntry tells the map's entries
// Covers: ee, -0x57 iGetTLBEntry test=iGetTLBEntry does, too
pub extern "C" fn get_tlb_entry(index: u32, mask: u32, high: u32, low0: u32, low1: u32) -> i32 {
    if index >= tlb::ENTRIES {
        return -1;
    }
    let TlbEntry { mask: page_mask, high: page, low0: even, low1: odd } = read_entry(index);
    store_all([(mask, page_mask), (high, page), (low0, even), (low1, odd)], index as i32)
}

/// 58h ProbeTLBEntry(high, &mask, &low0, &low1): the index, or −1.
// Covers: ee, 0x58 ProbeTLBEntry test=ProbeTLBEntry finds no entry for an address without one
// Covers: ee, -0x58 iProbeTLBEntry test=iProbeTLBEntry finds none, either
pub extern "C" fn probe_tlb_entry(high: u32, mask: u32, low0: u32, low1: u32) -> i32 {
    let index = probe(high);
    if index < 0 {
        return -1;
    }
    let entry = read_entry(index as u32);
    store_all([(mask, entry.mask), (low0, entry.low0), (low1, entry.low1)], index)
}

/// Writes words to a program's places; `good`, or −1 when one of them is none of the program's.
fn store_all<const N: usize>(words: [(u32, u32); N], good: i32) -> i32 {
    match words.into_iter().try_for_each(|(place, word)| user::write(place, word)) {
        Ok(()) => good,
        Err(_) => -1,
    }
}

/// 59h ExpandScratchPad(page): RAM behind the scratchpad.
// Covers: ee, 0x59 ExpandScratchPad test=RAM lies behind the scratchpad then
pub extern "C" fn expand_scratchpad(page: u32) -> i32 {
    match tlb::expansion(page) {
        Ok(entry) => {
            write_entry(tlb::SCRATCHPAD_EXPANSION, entry);
            0
        }
        Err(_) => {
            report!("refused: ExpandScratchPad cannot use page {page:#010x}");
            -1
        }
    }
}

/// 83h FindAddress(start, end, value): address of a word, or 0.
// Covers: ee, 0x83 FindAddress test=FindAddress finds a word
pub extern "C" fn find_address(start: u32, end: u32, value: u32) -> u32 {
    let start = start & !3;
    if start >= end || user::check(start, end - start, 4).is_err() {
        return 0;
    }
    // The range was checked, so every word of it can be read.
    (start..end & !3).step_by(4).find(|place| user::read::<u32>(*place) == Ok(value)).unwrap_or(0)
}
