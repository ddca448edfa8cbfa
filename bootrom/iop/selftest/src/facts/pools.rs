//! THFPOOL and THVPOOL: pools of memory to wait at; HEAPLIB's functions for memory of the caller's.

use super::threads::thread;
use crate::handler::within;
use crate::system;
use crate::tally::Tally;
use crate::word::Word;

const URGENT: u32 = 40;
const STACK: u32 = 0x800;
const FROM_TOP: u32 = 0x200;
const EMPTY: i32 = -426;
const DELETED: i32 = -425;
const BAD_SIZE: i32 = -427;
const UNKNOWN_VARIABLE: i32 = -411;
const UNKNOWN_FIXED: i32 = -412;

static SEEN: Word = Word::new(0);
static POOL: Word = Word::new(0);

pub fn run(tally: &mut Tally) {
    fixed(tally);
    variable(tally);
    heap(tally);
}

extern "C" fn wait_fixed(_argument: u32) {
    SEEN.set(system::AllocateFpl(POOL.get()));
    system::ExitThread();
}

extern "C" fn wait_variable(argument: u32) {
    SEEN.set(system::AllocateVpl(POOL.get(), argument));
    system::ExitThread();
}

fn fixed(tally: &mut Tally) {
    let before = system::QueryTotalFreeMemSize();
    tally.equal("a pool of nothing", system::CreateFpl(&[0, 0, 0, 4]), BAD_SIZE);
    let id = system::CreateFpl(&[FROM_TOP, 0x21, 30, 3]);
    tally.holds("a pool of equal blocks", id > 0 && system::QueryTotalFreeMemSize() < before);
    let blocks = [system::AllocateFpl(id), system::pAllocateFpl(id), within(|| system::ipAllocateFpl(id)).unwrap_or(0)];
    // Blocks come on words.
    tally.equal("a block to wait for, when there is one", (blocks[0] > 0).into(), 1);
    tally.equal("a polled block lies behind it", blocks[1] - blocks[0], 32);
    tally.equal("a handler's block lies behind that", blocks[2] - blocks[1], 32);
    tally.equal("an empty pool gives nothing", system::pAllocateFpl(id), EMPTY);
    tally.equal("nor to a handler", within(|| system::ipAllocateFpl(id)).unwrap_or(0), EMPTY);
    POOL.set(id);
    let thread = thread(wait_fixed, URGENT, STACK);
    system::StartThread(thread, 0);
    let (mut told, mut again) = ([0; 6], [0; 6]);
    system::ReferFplStatus(id, &raw mut told);
    tally.holds("a pool of equal blocks tells of itself", told == [FROM_TOP, 0x21, 32, 3, 0, 1]);
    let done = within(|| system::iReferFplStatus(id, &raw mut again));
    tally.holds("a handler is told the same of it", done == Some(0) && again == told);
    tally.equal("a block goes back", system::FreeFpl(id, blocks[1]), 0);
    tally.equal("to who waits for it", SEEN.get(), blocks[1]);
    system::StartThread(thread, 0);
    tally.equal("a pool of equal blocks is deleted", system::DeleteFpl(id), 0);
    tally.equal("and who waits for a block learns of it", SEEN.get(), DELETED);
    tally.equal("a pool of equal blocks that is gone", system::DeleteFpl(id), UNKNOWN_FIXED);
    system::DeleteThread(thread);
    tally.equal("its memory is free again", system::QueryTotalFreeMemSize() as i32, before as i32);
}

fn variable(tally: &mut Tally) {
    const BYTES: u32 = 1024;
    let before = system::QueryTotalFreeMemSize();
    let id = system::CreateVpl(&[0, 0x44, BYTES]);
    tally.holds("a pool of any blocks", id > 0 && system::QueryTotalFreeMemSize() < before);
    let blocks = [
        system::AllocateVpl(id, 200),
        system::pAllocateVpl(id, 200),
        within(|| system::ipAllocateVpl(id, 200)).unwrap_or(0),
    ];
    tally.equal("a block of any size, when there is room", (blocks[0] > 0).into(), 1);
    tally.equal("a polled one lies elsewhere", (blocks[1] >= blocks[0] + 200).into(), 1);
    tally.equal("and so does a handler's", (blocks[2] >= blocks[1] + 200).into(), 1);
    tally.equal("more than is left", system::pAllocateVpl(id, 600), EMPTY);
    tally.equal("more than there ever is", system::AllocateVpl(id, 2 * BYTES), BAD_SIZE);
    POOL.set(id);
    let thread = thread(wait_variable, URGENT, STACK);
    system::StartThread(thread, 500);
    let (mut told, mut again) = ([0; 6], [0; 6]);
    system::ReferVplStatus(id, &raw mut told);
    let [attributes, option, size, _, free, waiting] = told;
    let sane = [attributes, option, waiting] == [0, 0x44, 1] && size > 900 && free > 200 && free < 500;
    tally.holds("a pool of any blocks tells of itself", sane);
    let done = within(|| system::iReferVplStatus(id, &raw mut again));
    tally.holds("a handler is told the same of that", done == Some(0) && again == told);
    tally.equal("a block of it goes back", system::FreeVpl(id, blocks[1]), 0);
    SEEN.set(0);
    system::FreeVpl(id, blocks[2]);
    tally.holds("and who waits gets its room", SEEN.get() > 0);
    tally.equal("a pool of any blocks is deleted", system::DeleteVpl(id), 0);
    tally.equal("a pool of any blocks that is gone", system::DeleteVpl(id), UNKNOWN_VARIABLE);
    system::DeleteThread(thread);
    tally.equal("its memory is free, too", system::QueryTotalFreeMemSize() as i32, before as i32);
}

fn heap(tally: &mut Tally) {
    const BYTES: u32 = 0x800;
    let memory = system::AllocSysMemory(0, BYTES, 0);
    system::HeapPrepare(memory, BYTES);
    let room = system::HeapChunkSize(memory);
    tally.holds("a heap in memory of one's own", room > 0x780 && room < BYTES as i32);
    let block = system::AllocHeapMemory(memory, 0x100);
    tally.holds("gives of that memory", block > memory && block < memory + BYTES);
    tally.holds("and tells what is left", system::HeapTotalFreeSize(memory) < room - 0x100);
    tally.equal("but does not grow", system::AllocHeapMemory(memory, BYTES) as i32, 0);
    tally.equal("what is no chunk has no size", system::HeapChunkSize(memory + 4), -4);
    system::FreeSysMemory(memory);
}
