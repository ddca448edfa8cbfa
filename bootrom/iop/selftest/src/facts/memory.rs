//! SYSMEM.

use crate::system;
use crate::tally::Tally;

const LOWEST: i32 = 0;
const HIGHEST: i32 = 1;
const AT: i32 = 2;
const FREE_BIT: u32 = 0x8000_0000;

pub fn run(tally: &mut Tally) {
    let before = system::QueryTotalFreeMemSize();
    let low = system::AllocSysMemory(LOWEST, 1, 0);
    let high = system::AllocSysMemory(HIGHEST, 300, 0);
    tally.holds("the lowest memory lies below the highest", low != 0 && low < high);
    tally.equal("memory comes in units of 256 bytes", system::QueryBlockSize(high + 5) as i32, 512);
    tally.equal("a block tells its start", system::QueryBlockTopAddress(high + 300) as i32, high as i32);
    tally.equal("two blocks are taken", (before - system::QueryTotalFreeMemSize()) as i32, 256 + 512);
    tally.equal("memory that is taken is not given again", system::AllocSysMemory(AT, 256, low) as i32, 0);
    tally.equal("nothing is not given", system::AllocSysMemory(LOWEST, 0, 0) as i32, 0);
    tally.equal("a block is given back", system::FreeSysMemory(high), 0);
    tally.equal("a block is given back once", system::FreeSysMemory(high), -1);
    tally.holds("a free block says so", system::QueryBlockSize(high) & FREE_BIT != 0);
    tally.equal("what is no block is not taken back", system::FreeSysMemory(low + 4), -1);
    tally.equal("memory at its place", system::AllocSysMemory(AT, 512, high) as i32, high as i32);
    tally.equal("and back", system::FreeSysMemory(high), 0);
    tally.equal("the lowest is given back", system::FreeSysMemory(low), 0);
    tally.equal("all is free again", system::QueryTotalFreeMemSize() as i32, before as i32);
}
