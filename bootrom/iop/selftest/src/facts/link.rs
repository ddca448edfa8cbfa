//! SIFMAN and SIFCMD: transfers, flags, packets, calls of a server on the EE, and servers for it.
//!
//! The EE's side is this module's client: it answers fetches and calls, sends a command of its own now and then, and calls the servers that
//! are left here.

use crate::handler::within;
use crate::system::{self, Transfer};
use crate::tally::Tally;
use crate::word::Word;
use core::cell::UnsafeCell;

/// Memory of the EE that nobody there uses.
const PLACE: u32 = 0x0180_0000;
/// Numbers that the client knows as well: its server, the flag that it raises, the command that it sends.
const EE_SERVER: u32 = 0x0BAD_5E41;
const EE_FLAG: u32 = 0x200;
const EE_COMMAND: u32 = 1;
/// A flag that nobody else raises.
const FLAG: u32 = 0x100;

/// Memory that the DMA uses, as far aligned as a module's can be.
#[repr(C, align(16))]
struct Buffer<const WORDS: usize>(UnsafeCell<[u32; WORDS]>);
// SAFETY: the facts' thread uses it, and waits for the DMA.
unsafe impl<const WORDS: usize> Sync for Buffer<WORDS> {}

impl<const WORDS: usize> Buffer<WORDS> {
    const fn new() -> Self {
        Self(UnsafeCell::new([0; WORDS]))
    }

    fn address(&self) -> u32 {
        self.0.get() as u32
    }

    fn set(&self, words: &[u32]) {
        for (index, word) in words.iter().enumerate().take(WORDS) {
            // SAFETY: as above.
            unsafe { self.0.get().cast::<u32>().add(index).write_volatile(*word) };
        }
    }

    fn get(&self, index: usize) -> u32 {
        // SAFETY: as above; the index is one of the array's.
        unsafe { self.0.get().cast::<u32>().add(index % WORDS).read_volatile() }
    }
}

static SENT: Buffer<16> = Buffer::new();
static BACK: Buffer<16> = Buffer::new();
static FETCHED: Buffer<16> = Buffer::new();
static PACKETS: [Buffer<16>; 4] = [const { Buffer::new() }; 4];
static COMMANDS: Buffer<16> = Buffer::new();
static SYSTEM_COMMANDS: Buffer<64> = Buffer::new();

pub fn run(tally: &mut Tally) {
    flags(tally);
    transfers(tally);
    by_hand(tally);
    registers(tally);
    commands(tally);
    packets(tally);
    pauses(tally);
    calls(tally);
    servers(tally);
}

fn flags(tally: &mut Tally) {
    const SIDE_UP: u32 = 0x1_0000;
    system::sceSifInit();
    tally.equal("the interface stays up when it is started again", system::sceSifCheckInit(), 1);
    let told = system::sceSifGetMSFlag();
    tally.holds("the EE's flags tell that its side is up", told & SIDE_UP != 0);
    tally.holds("and what its program raises", told & EE_FLAG != 0);
    let left = system::sceSifSetMSFlag(EE_FLAG);
    tally.holds("a flag of the EE's is taken back", left & EE_FLAG == 0 && left & SIDE_UP != 0);
    let before = system::sceSifGetSMFlag();
    system::sceSifSetSMFlag(FLAG);
    let after = system::sceSifGetSMFlag();
    tally.holds("a flag of our own is raised", before & FLAG == 0 && after == before | FLAG);
    tally.holds("the EE's flags can be read", system::sceSifGetMSFlag() & SIDE_UP != 0);
    let main = system::sceSifGetMainAddr();
    tally.holds("the EE's word is a buffer of its", main != 0 && main < 0x0200_0000 && main.is_multiple_of(64));
    let sub = system::sceSifGetSubAddr();
    system::sceSifSetSubAddr(0x1234_5670);
    let changed = system::sceSifGetSubAddr();
    system::sceSifSetSubAddr(sub);
    tally.equal("our own word is what was set", changed as i32, 0x1234_5670);
    tally.holds("and was where packets go", sub != 0 && system::sceSifGetSubAddr() == sub);
    system::sceSifIntrMain();
    // SAFETY: the register of the EE's interrupt.
    let line = unsafe { (0xBF80_1450 as *const u32).read_volatile() };
    tally.equal("the EE's interrupt is no level", (line & 2) as i32, 0);
}

/// Fetches what lies at `place` of the EE's memory.
fn fetch(place: u32) -> i32 {
    BACK.set(&[0; 16]);
    system::sceSifGetOtherData(FETCHED.0.get(), place, BACK.address(), 64, 0)
}

/// Waits until a transfer has left.
fn wait(id: u32) {
    while system::sceSifDmaStat(id) >= 0 {}
}

static DONE: Word = Word::new(0);

extern "C" fn done(argument: u32) {
    DONE.add(argument as i32);
}

fn transfers(tally: &mut Tally) {
    SENT.set(&[0x1111, 0x2222, 0x3333, 0x4444]);
    let list: [Transfer; 2] = [[SENT.address(), PLACE, 16, 0], [SENT.address(), PLACE + 32, 16, 0]];
    let mut state = 0;
    system::CpuSuspendIntr(&raw mut state);
    let id = system::sceSifSetDma(list.as_ptr(), 2);
    let early = system::sceSifDmaStat(id);
    system::CpuResumeIntr(state);
    wait(id);
    tally.holds("a transfer is not over at first, then over", id != 0 && early >= 0);
    tally.equal("memory of the EE is fetched", fetch(PLACE), 0);
    tally.holds("and holds what was sent", [BACK.get(0), BACK.get(3), BACK.get(8)] == [0x1111, 0x4444, 0x1111]);
    tally.equal("a list that is too long", system::sceSifSetDma(list.as_ptr(), 33) as i32, 0);
    SENT.set(&[0x5555]);
    wait(system::sceSifSetOneDma(SENT.address(), PLACE, 16, 0));
    fetch(PLACE);
    tally.equal("one transfer is sent", BACK.get(0) as i32, 0x5555);
    DONE.set(0);
    system::sceSifSetDmaIntrHandler(done, 100);
    SENT.set(&[0x6666]);
    let id = system::sceSifSetDmaIntr(list.as_ptr(), 1, done, 1);
    wait(id);
    system::sceSifSendSync();
    let sending = system::sceSifIsSending();
    system::DelayThread(500);
    tally.equal("nothing is sent when all has left", sending, 0);
    tally.equal("the end of a transfer is told to who has sent it", DONE.get() % 100, 1);
    tally.holds("and to who wants to know of every list", DONE.get() > 100);
    system::sceSifResetDmaIntrHandler();
    DONE.set(0);
    wait(system::sceSifSetOneDma(SENT.address(), PLACE, 16, 0));
    system::DelayThread(500);
    tally.equal("until it is told no more", DONE.get(), 0);
}

/// Channels of the interface, by the numbers that the DMA's library has for them.
const FIRST: u32 = 9;
const SECOND: u32 = 10;
const THIRD: u32 = 2;

/// Suspends interrupts while nothing is on its way to the EE.
fn hold_with_nothing_sent() -> u32 {
    let mut state = 0;
    loop {
        system::CpuSuspendIntr(&raw mut state);
        if system::sceSifIsSending() == 0 {
            return state;
        }
        system::CpuResumeIntr(state);
    }
}

fn by_hand(tally: &mut Tally) {
    /// Ends the chain; the EE's tag: one quadword, more may follow.
    const END: u32 = 0x8000_0000;
    const ONE: u32 = 0x1000_0001;
    /// Flags of the second register of interrupts, of which the first channel's is taken back.
    const SENT_FLAG: u32 = 1 << 26;
    SENT.set(&[0x7777]);
    let tag: Buffer<4> = Buffer::new();
    tag.set(&[SENT.address() | END, 4, ONE, PLACE]);
    let state = hold_with_nothing_sent();
    system::dmac_ch_set_tadr(FIRST, tag.address());
    system::sceSifDma0Transfer(SENT.address(), 64, 1);
    system::sceSifDma0Sync();
    let sent = [system::sceSifDma0Sending() as u32, system::dmac_ch_get_chcr(FIRST) & 1 << 24];
    system::dmac_set_dicr2(system::dmac_get_dicr2() & 0x00FF_FFFF | SENT_FLAG);
    system::dmac_ch_set_chcr(SECOND, 0);
    system::sceSifDma1Sync();
    let before = system::sceSifDma1Sending();
    system::sceSifDma1Transfer(BACK.address(), 64, 0);
    let after = [system::sceSifDma1Sending() as u32, system::dmac_ch_get_madr(SECOND)];
    system::sceSifSetDChain();
    let armed = system::dmac_ch_get_chcr(SECOND);
    system::CpuResumeIntr(state);
    fetch(PLACE);
    tally.holds("a transfer to the EE by hand ends", sent == [0, 0]);
    tally.equal("and has brought its data", BACK.get(0) as i32, 0x7777);
    tally.equal("a channel that rests is not waited for", before, 0);
    tally.holds("a transfer from the EE by hand waits for it", after == [1, BACK.address() & 0x00FF_FFFF]);
    tally.equal("and packets come again when their chain is set", armed as i32, 0x4100_0300);
    system::sceSifDma2Transfer(SENT.address(), 64, 1);
    tally.equal("a transfer of the third channel begins", system::sceSifDma2Sending(), 1);
    system::sceSifDma2Init();
    tally.equal("whose start puts it to rest", system::sceSifDma2Sending(), 0);
    system::sceSifDma2Sync();
    tally.equal("for good and ever", (system::dmac_ch_get_chcr(THIRD) >> 24) as i32, 0);
}

fn registers(tally: &mut Tally) {
    system::sceSifSetSreg(20, 0x1357);
    system::sceSifInitCmd();
    system::sceSifInitRpc(0);
    tally.equal("a register of the packet layer keeps its value", system::sceSifGetSreg(20) as i32, 0x1357);
    tally.equal("no such register", system::sceSifGetSreg(99) as i32, 0);
}

static COMMANDS_SEEN: Word = Word::new(0);
static LAST: Word = Word::new(0);
static RECEIVED: Word = Word::new(0);

extern "C" fn command(packet: *const [u32; 16], argument: u32) {
    // SAFETY: the packet layer hands out whole packets.
    LAST.set(unsafe { (*packet)[4] } as i32 + argument as i32);
    COMMANDS_SEEN.add(1);
}

extern "C" fn received(argument: u32) {
    RECEIVED.add(argument as i32);
}

/// Time in which the client sends something for sure, in microseconds.
const SOON: u32 = 100_000;

/// What `word` becomes while the client goes on sending.
fn meanwhile(word: &Word) -> i32 {
    word.set(0);
    system::DelayThread(SOON);
    word.get()
}

fn commands(tally: &mut Tally) {
    system::sceSifSetCmdBuffer(COMMANDS.0.get().cast(), 8);
    system::sceSifAddCmdHandler(EE_COMMAND, command, 0x1000);
    tally.holds("a command of the EE's program has its handler", meanwhile(&COMMANDS_SEEN) > 0);
    tally.equal("with packet and word", LAST.get(), 0x1000 + 0x1357);
    tally.equal(
        "in the table that was given",
        COMMANDS.get(2 * EE_COMMAND as usize) as i32,
        command as *const () as i32,
    );
    system::sceSifRemoveCmdHandler(EE_COMMAND);
    tally.equal("until that is taken out", meanwhile(&COMMANDS_SEEN), 0);
    system::sceSifSetSysCmdBuffer(SYSTEM_COMMANDS.0.get().cast(), 32);
    system::sceSifAddCmdHandler(0x8000_0014, command, 7);
    let own = SYSTEM_COMMANDS.get(2 * 0x14) == command as *const () as u32;
    tally.holds("the system's commands move to a table that is given", own && SYSTEM_COMMANDS.get(0) != 0);
    tally.equal("and are served from there", fetch(PLACE), 0);
    system::sceSifSetSif1CB(received, 1);
    tally.holds("what arrives is told", meanwhile(&RECEIVED) > 0);
    system::sceSifClearSif1CB();
    tally.equal("until nobody wants to know", meanwhile(&RECEIVED), 0);
}

/// Numbers of the packets that the client finds afterwards.
const PACKET_NUMBERS: [u32; 4] = [0x11, 0x12, 0x13, 0x14];
const PACKET_BYTES: u32 = 32;

fn packets(tally: &mut Tally) {
    let packets = [0, 1, 2, 3].map(|index: usize| PACKETS[index].0.get().cast::<u32>());
    let [first, second, third, fourth] = PACKET_NUMBERS;
    SENT.set(&[0x8888]);
    let (data, bytes) = (SENT.address(), 64);
    wait(system::sceSifSendCmd(first, packets[0], PACKET_BYTES, data, PLACE, bytes));
    fetch(PLACE);
    tally.equal("a packet brings its data", BACK.get(0) as i32, 0x8888);
    tally.equal("a packet that is too short", system::sceSifSendCmd(first, packets[0], 8, 0, 0, 0) as i32, 0);
    let id = within(|| system::isceSifSendCmd(second, packets[1], PACKET_BYTES, 0, 0, 0)).unwrap_or(0);
    tally.holds("a handler sends a packet", id != 0);
    DONE.set(0);
    wait(system::sceSifSendCmdIntr(third, packets[2], PACKET_BYTES, 0, 0, 0, done, 1));
    system::DelayThread(500);
    tally.equal("that a packet has left is told", DONE.get(), 1);
    DONE.set(0);
    let id = within(|| system::isceSifSendCmdIntr(fourth, packets[3], PACKET_BYTES, 0, 0, 0, done, 3)).unwrap_or(0);
    tally.holds("also when a handler has sent it", id != 0 && DONE.get() == 3);
}

/// The line of what comes from the EE, with the bits that choose its flags.
const RECEIVE_LINE: i32 = 0x22B;
const NOT_ENABLED: i32 = -103;

fn pauses(tally: &mut Tally) {
    let (mut state, mut was) = (0, 0);
    // A packet that came while nothing is taken would be lost, and with it the client's call.
    system::CpuSuspendIntr(&raw mut state);
    system::sceSifExitCmd();
    let enabled = system::DisableIntr(RECEIVE_LINE, &raw mut was);
    system::EnableIntr(RECEIVE_LINE);
    system::CpuResumeIntr(state);
    tally.equal("nothing is taken behind the packet layer's end", enabled, NOT_ENABLED);
    tally.equal("and all again when its line is enabled", fetch(PLACE), 0);
}

static CLIENT: Buffer<16> = Buffer::new();
/// Places of a client's record.
const CLIENT_SERVER: usize = 9;
/// Mode: the caller does not wait.
const NO_WAIT: u32 = 1;

fn calls(tally: &mut Tally) {
    let client = CLIENT.0.get();
    tally.equal("a server of the EE is looked for", system::sceSifBindRpc(client, EE_SERVER, 0), 0);
    tally.holds("and found", CLIENT.get(CLIENT_SERVER) != 0);
    SENT.set(&[41]);
    let (send, back) = (SENT.address(), BACK.address());
    DONE.set(0);
    tally.equal("it is called", system::sceSifCallRpc(client, 7, 0, send, 64, back, 64, Some(done), 5), 0);
    tally.holds("and has answered to function and request", [BACK.get(0), BACK.get(1)] == [7, 42]);
    tally.equal("its end is told", DONE.get(), 5);
    tally.equal("a call that is over is not under way", system::sceSifCheckStatRpc(client), 0);
    BACK.set(&[0; 2]);
    // The answer comes by an interrupt: while there are none, the call is under way.
    let mut state = 0;
    system::CpuSuspendIntr(&raw mut state);
    let begun = system::sceSifCallRpc(client, 8, NO_WAIT, send, 64, back, 64, Some(done), 1);
    let under_way = system::sceSifCheckStatRpc(client);
    system::CpuResumeIntr(state);
    while system::sceSifCheckStatRpc(client) != 0 {}
    tally.holds("a call may be left to itself", begun == 0 && under_way == 1 && BACK.get(0) == 8);
    system::sceSifBindRpc(client, EE_SERVER + 1, 0);
    tally.equal("a server that is not there is not found", CLIENT.get(CLIENT_SERVER) as i32, 0);
}

/// Numbers of the servers that are left for the EE: one served by the system's loop, one by hand, one in a queue that goes.
const SERVERS: [u32; 3] = [0x0BAD_5E44, 0x0BAD_5E45, 0x0BAD_5E46];
/// Functions that take the second server and the third one's queue out.
const REMOVE_SERVER: u32 = 100;
const REMOVE_QUEUE: u32 = 101;

static RECORDS: [Buffer<32>; 3] = [const { Buffer::new() }; 3];
static QUEUES: [Buffer<8>; 3] = [const { Buffer::new() }; 3];
static REQUESTS: [Buffer<128>; 3] = [const { Buffer::new() }; 3];
static REPLY: Buffer<16> = Buffer::new();

extern "C" fn serve(function: u32, request: *mut u32, bytes: u32) -> *mut u32 {
    // SAFETY: the request's buffer is one of ours.
    let first = unsafe { request.read_volatile() };
    let told = match function {
        REMOVE_SERVER => system::sceSifRemoveRpc(RECORDS[1].0.get(), QUEUES[1].0.get()) as u32,
        REMOVE_QUEUE => system::sceSifRemoveRpcQueue(QUEUES[2].0.get()) as u32,
        _ => function,
    };
    REPLY.set(&[told, first + 1, bytes, RECORDS[1].address(), QUEUES[2].address()]);
    REPLY.0.get().cast()
}

/// Registers server and queue number `place` for the thread that calls this.
fn register(place: usize) {
    let (queue, record, request) = (QUEUES[place].0.get(), RECORDS[place].0.get(), REQUESTS[place].0.get().cast());
    system::sceSifSetRpcQueue(queue, system::GetThreadId());
    system::sceSifRegisterRpc(record, SERVERS[place], serve, request, 0, 0, queue);
}

extern "C" fn loops(_argument: u32) {
    register(0);
    register(2);
    system::sceSifRpcLoop(QUEUES[0].0.get());
}

extern "C" fn by_turns(_argument: u32) {
    register(1);
    loop {
        match system::sceSifGetNextRequest(QUEUES[1].0.get()) {
            none if none.is_null() => _ = system::SleepThread(),
            server => system::sceSifExecRequest(server),
        }
    }
}

fn servers(tally: &mut Tally) {
    let threads = [loops as extern "C" fn(u32), by_turns].map(|entry| super::threads::thread(entry, 50, 0x1000));
    let started = threads.map(|id| system::StartThread(id, 0));
    tally.holds("servers are left for the EE", started == [0; 2]);
}
