//! The EE's side of what the self-test module proves about the interface: a server that the module calls, a flag, a command.

use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::syscall::{self, SifTransfer};
use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

/// Numbers that the module knows as well.
const SERVER: u32 = 0x0BAD_5E41;
const FLAG: u32 = 0x200;
const COMMAND: u32 = 1;
const BODY: u32 = 0x1357;

/// DMA channel from the IOP.
const FROM_IOP: i32 = 5;
/// The link's words: the IOP's flags and packets' place, our own packets' place.
const MAIN_FLAGS: u32 = 3;
const IOP_BUFFER: u32 = 0x8000_0000;
const OWN_BUFFER: u32 = 0x8000_0001;
/// Commands of the call layer.
const END: u32 = 0x8000_0008;
const BIND: u32 = 0x8000_0009;
const CALL: u32 = 0x8000_000A;
/// A packet that interrupts the IOP and ends its chain.
const PACKET_ATTRIBUTES: u32 = 0x44;
const PACKET_BYTES: u32 = 64;
/// What a bind tells of our server; only sent back.
const RECORD: u32 = 0x5E41;
const UNCACHED: u32 = 0x2000_0000;

#[repr(C, align(64))]
struct Words(UnsafeCell<[u32; 16]>);
// SAFETY: only the handler, which does not nest, and the IOP's DMA use them.
unsafe impl Sync for Words {}
static REQUEST: Words = Words(UnsafeCell::new([0; 16]));
static REPLY: Words = Words(UnsafeCell::new([0; 16]));
static PACKET: Words = Words(UnsafeCell::new([0; 16]));

impl Words {
    fn address(&self) -> u32 {
        self.0.get() as u32
    }

    fn write(&self, words: &[u32]) {
        for (index, word) in words.iter().enumerate() {
            // SAFETY: as above; past the cache, which has no line of these.
            unsafe { ((self.address() | UNCACHED) as *mut u32).add(index).write_volatile(*word) };
        }
    }
}

static PACKETS_FROM: AtomicU32 = AtomicU32::new(0);
static PACKETS_TO: AtomicU32 = AtomicU32::new(0);

fn word(address: u32, index: usize) -> u32 {
    // SAFETY: the link's buffer, or our own; past the cache.
    unsafe { ((address | UNCACHED) as *const u32).add(index).read_volatile() }
}

/// Looks at a packet before the link does.
unsafe extern "C" fn look(_channel: i32, _argument: *mut c_void) -> i32 {
    let from = PACKETS_FROM.load(Ordering::Relaxed);
    let packet: [u32; 16] = core::array::from_fn(|index| word(from, index));
    if packet[0] & 0xFF != 0 && matches!(packet[2], BIND | CALL) {
        answer(&packet);
    }
    0
}

fn answer(packet: &[u32; 16]) {
    let mut end = [0; 16];
    end[0] = PACKET_BYTES;
    end[2] = END;
    end[4..8].copy_from_slice(&packet[4..8]);
    end[8] = packet[2];
    let mut reply = None;
    if packet[2] == CALL {
        REPLY.write(&[packet[8], word(REQUEST.address(), 0) + 1]);
        reply = Some((packet[10], packet[11]));
    } else if packet[8] == SERVER {
        end[9] = RECORD;
        end[10] = REQUEST.address();
    }
    PACKET.write(&end);
    let transfer = |words: &Words, destination, size: u32, attributes| SifTransfer {
        source: words.address() as *const c_void,
        destination,
        size: size as i32,
        attributes,
    };
    let end = transfer(&PACKET, PACKETS_TO.load(Ordering::Relaxed), PACKET_BYTES, PACKET_ATTRIBUTES);
    // SAFETY: a call for handlers; what the lists point to stays until the next call comes.
    unsafe {
        match reply {
            Some((destination, bytes)) => {
                let list = [transfer(&REPLY, destination, bytes.min(PACKET_BYTES), 0), end];
                syscall::i_sif_set_dma(list.as_ptr(), 2);
            }
            None => _ = syscall::i_sif_set_dma(&raw const end, 1),
        }
    }
}

/// Lets the link that is started next find both sides' places anew and tell them to the kernel; to be done before it starts.
pub fn prepare() {
    // SAFETY: numbers.
    unsafe { syscall::sif_set_reg(IOP_BUFFER, 0) };
}

/// Begins to serve, and raises the flag. `link` is up, so that both sides' places are known.
pub fn start(_link: &Link) {
    // SAFETY: numbers, and a handler that keeps the rules and lives for ever.
    unsafe {
        PACKETS_FROM.store(syscall::sif_get_reg(OWN_BUFFER), Ordering::Relaxed);
        PACKETS_TO.store(syscall::sif_get_reg(IOP_BUFFER), Ordering::Relaxed);
        syscall::add_dmac_handler(FROM_IOP, look, 0, core::ptr::null_mut());
        syscall::sif_set_reg(MAIN_FLAGS, FLAG);
    }
}

/// Sends the command; to be done now and then.
pub fn send(link: &mut Link) -> Result<(), Error> {
    link.send_command(COMMAND, &[BODY])
}
