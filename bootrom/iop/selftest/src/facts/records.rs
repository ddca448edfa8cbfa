//! Records and places that are no caller's own, where a call may neither read nor write: refused, with the caller's own list or link as
//! it was.

use crate::handler::within;
use crate::library::Library;
use crate::system::{self, Callback, ServerFunction};
use crate::tally::Tally;
use core::cell::UnsafeCell;
use core::ptr::null_mut;

/// Numbers of the loader's functions: add a module's record, take it out, find one.
const REGISTER: usize = 16;
const RELEASE: usize = 17;
const SEARCH: usize = 24;
/// Words of a module's record: the code's place and bytes.
const TEXT: usize = 6;
const TEXT_BYTES: usize = 7;
const CODE: u32 = 0x0050_0000;
/// Places of the EE's kernel.
const KERNELS_OF_EE: [u32; 4] = [0x80, 0x180, 0x8000_0180, 0x0007_FFF0];
/// Nothing there: none, registers, a hole.
const NOWHERE: [u32; 4] = [0, 0x1F80_1070, 0xBF80_10F0, 0xDEAD_BEEC];
const SENDS_NOTHING: u32 = 0;
const CANNOT_SEND: i32 = -2;
const NO_PACKET: i32 = -1;
const ILLEGAL_CONTEXT: i32 = -100;

#[repr(C, align(16))]
struct Words<const N: usize>(UnsafeCell<[u32; N]>);
// SAFETY: the facts' thread uses them.
unsafe impl<const N: usize> Sync for Words<N> {}
static RECORD: Words<16> = Words(UnsafeCell::new([0; 16]));
static LINE: Words<16> = Words(UnsafeCell::new([0; 16]));

pub fn run(tally: &mut Tally) {
    modules(tally);
    to_the_ee(tally);
    calls(tally);
    from_handlers(tally);
}

fn modules(tally: &mut Tally) {
    const ROOM: usize = 96;
    let loader = Library::find("loadcore");
    let record = RECORD.0.get() as u32;
    let listed = || {
        let (mut ids, mut total) = ([0; ROOM], 0);
        system::GetModuleIdList(ids.as_mut_ptr(), ROOM as u32, &raw mut total);
        total
    };
    let before = listed();
    // SAFETY: nobody else has it yet.
    unsafe {
        (*RECORD.0.get())[TEXT] = CODE;
        (*RECORD.0.get())[TEXT_BYTES] = 64;
    }
    loader.call(REGISTER, [record]);
    loader.call(REGISTER, [record]);
    tally.equal("a module registered twice is listed once", listed() as i32, before as i32 + 1);
    tally.equal("and the list ends", loader.call(SEARCH, [CODE - 4]) as i32, 0);
    tally.equal("with the record in it", loader.call(SEARCH, [CODE + 4]) as i32, record as i32);
    loader.call(RELEASE, [record]);
    tally.equal("until it is released, once", loader.call(SEARCH, [CODE + 4]) as i32, 0);
    for place in NOWHERE {
        loader.call(REGISTER, [place]);
    }
    tally.equal("what is no record is not listed", listed() as i32, before as i32);
}

fn to_the_ee(tally: &mut Tally) {
    extern "C" fn nothing(_word: u32) {}
    let line = LINE.0.get() as u32;
    let packet = RECORD.0.get().cast::<u32>();
    let sent = KERNELS_OF_EE.map(|place| {
        let transfers = [[line, 0x0180_0000, 16, 0], [line, place, 16, 0]];
        [
            system::sceSifSetDma(transfers.as_ptr(), 2),
            system::sceSifSetOneDma(line, place, 16, 0),
            // A packet to 0 is one without data.
            system::sceSifSetOneDma(line, 0, 16, 0),
            system::sceSifSetDmaIntr(transfers.as_ptr(), 2, nothing as Callback, 0),
            system::sceSifSendCmd(1, packet, 64, line, place, 16),
            system::isceSifSendCmd(1, packet, 64, line, place, 16),
            system::sceSifSendCmdIntr(1, packet, 64, line, place, 16, nothing as Callback, 0),
        ]
    });
    tally.holds("nothing is sent over the EE's kernel", sent.as_flattened().iter().all(|id| *id == SENDS_NOTHING));
    let sent = NOWHERE.map(|place| {
        let transfers = [[place, 0x0180_0000, 16, 0]];
        [
            system::sceSifSetDma(transfers.as_ptr(), 1),
            system::sceSifSetDma(place as *const _, 1),
            system::sceSifSetOneDma(place, 0x0180_0000, 16, 0),
            system::sceSifSendCmd(1, place as *mut u32, 64, 0, 0, 0),
            system::sceSifSendCmd(1, packet, 64, place, 0x0180_0000, 16),
        ]
    });
    tally.holds("nor what is no memory", sent.as_flattened().iter().all(|id| *id == SENDS_NOTHING));
}

extern "C" fn answers(_function: u32, _request: *mut u32, _bytes: u32) -> *mut u32 {
    null_mut()
}

fn calls(tally: &mut Tally) {
    let client = RECORD.0.get();
    // SAFETY: nobody else has it now.
    unsafe { client.write([0; 16]) };
    let line = LINE.0.get() as u32;
    let called = system::sceSifCallRpc(client, 1, 0, line, 16, line, 16, None, 0);
    tally.equal("a client that has found no server calls nobody", called, CANNOT_SEND);
    let codes = NOWHERE.map(|place| {
        let nobody = place as *mut [u32; 16];
        [
            system::sceSifCallRpc(nobody, 1, 0, line, 16, line, 16, None, 0),
            system::sceSifCallRpc(client, 1, 0, place, 16, line, 16, None, 0),
            system::sceSifCallRpc(client, 1, 0, line, 16, place, 16, None, 0),
            system::sceSifBindRpc(nobody, 1, 0),
            system::sceSifGetOtherData(nobody, 0x0018_0000, line, 16, 0),
        ]
    });
    tally.holds("nor does one that is no memory", codes.as_flattened().iter().all(|code| *code == NO_PACKET));
    let (server, queue) = (RECORD.0.get().cast::<[u32; 32]>(), LINE.0.get().cast::<[u32; 8]>());
    for place in NOWHERE {
        system::sceSifSetRpcQueue(place as *mut _, 1);
        system::sceSifRegisterRpc(place as *mut _, 1, answers as ServerFunction, null_mut(), 0, 0, queue);
        system::sceSifExecRequest(place as *mut _);
        system::sceSifRpcLoop(place as *mut _);
    }
    system::sceSifRpcLoop(queue);
    let taken = NOWHERE.map(|place| {
        system::sceSifGetNextRequest(place as *mut _).is_null()
            && system::sceSifRemoveRpc(server, place as *mut _).is_null()
            && system::sceSifRemoveRpcQueue(place as *mut _).is_null()
    });
    tally.holds("a queue that nobody has set has no servers and no requests", taken == [true; 4]);
}

fn from_handlers(tally: &mut Tally) {
    let mut result = 0;
    system::LoadStartModule(c"rom0:MCMAN".as_ptr().cast(), 0, core::ptr::null(), &raw mut result);
    let path = c"mc0:/NOTHING".as_ptr().cast();
    let opened = within(|| [system::open(path, 1), system::remove(path)]);
    tally.holds("a card's file is refused to a handler, which cannot wait", opened == Some([ILLEGAL_CONTEXT; 2]));
    tally.holds("and told to a thread", system::open(path, 1) != ILLEGAL_CONTEXT);
    let client = RECORD.0.get();
    let waited = within(|| system::sceSifBindRpc(client, 1, 0));
    tally.equal("nor does a handler wait for a server", waited.unwrap_or_default(), ILLEGAL_CONTEXT);
}
