//! The SIF's start, and the registers around the ring of transfers to the IOP.
//!
//! Source: EE kernel semantics, section 10; PS2 hardware facts, sections 2.3 and 2.6.

use super::calls::sif as calls;
use super::cell::Global;
use super::console::report;
use super::hardware::{
    D_ENABLER, D_ENABLEW, DMA_CHANNELS, DMA_HOLD, SIF_BD6, SIF_MSCOM, SIF_MSFLG, SIF_SMCOM, SIF_SMFLG, channel,
    physical, read, read_settled, uncached, wait_until, write,
};
use super::state::kernel;
use bootrom_ee::sif::{COPIED, Channel, TAGS, Tag, Transfer, attribute, tag, tags_of};

/// Channel to the IOP.
const TO_IOP: u32 = DMA_CHANNELS[6];
/// Flag: the SIF of that side is up.
const SIF_UP: u32 = 0x1_0000;
/// Flag: that side takes commands.
const COMMANDS_UP: u32 = 0x2_0000;
/// How long the IOP may take to come up, in milliseconds.
const PATIENCE: u32 = 5_000;

/// How long the channel may take to show that it has ended, in milliseconds. A program may have suspended all DMA.
const END_PATIENCE: u32 = 2;
/// How often a full ring is looked at again before a transfer is refused, and how many turns of a loop lie between.
const FULL_PATIENCE: u32 = 20_000;
const FULL_PAUSE: u32 = 1_000;

/// Bytes of a tag.
const TAG_SIZE: u32 = 16;
/// Bytes for a header and what is copied behind it.
const SLOT_SIZE: u32 = TAG_SIZE + COPIED;

/// What the DMA reads: tags, the link behind the last, and a slot for each tag. Touched only through the uncached
/// window.
#[repr(C, align(64))]
struct RingMemory {
    tags: [[u32; 4]; TAGS + 1],
    slots: [[u32; SLOT_SIZE as usize / 4]; TAGS],
}

static RING: Global<RingMemory> =
    Global::new(RingMemory { tags: [[0; 4]; TAGS + 1], slots: [[0; SLOT_SIZE as usize / 4]; TAGS] });

/// Where the IOP's first commands would go before a program gives its own buffer.
#[repr(C, align(64))]
struct CommandBuffer([u32; 32]);

static COMMAND_BUFFER: Global<CommandBuffer> = Global::new(CommandBuffer([0; 32]));

fn tag_address(index: usize) -> u32 {
    uncached(RING.pointer() as u32) + TAG_SIZE * index as u32
}

fn slot_address(index: usize) -> u32 {
    uncached(RING.pointer() as u32) + TAG_SIZE * (TAGS as u32 + 1) + SLOT_SIZE * index as u32
}

fn read_tag(index: usize) -> Tag {
    let place = tag_address(index);
    Tag { word: read(place), address: read(place + 4) }
}

fn write_tag(index: usize, tag: Tag) {
    let place = tag_address(index);
    write(place, tag.word);
    write(place + 4, tag.address);
    write(place + 8, 0);
    write(place + 12, 0);
}

/// Brings the SIF up with the IOP's kernel; false when it does not answer.
pub fn start() -> bool {
    write(SIF_BD6, 0xFF);
    write(TO_IOP + channel::CHCR, 0);
    write(TO_IOP + channel::QWC, 0);
    calls::set_receive_chain();
    write(SIF_MSCOM, physical(COMMAND_BUFFER.pointer() as u32));
    write(SIF_MSFLG, SIF_UP);
    write_tag(TAGS, Tag { word: tag::NEXT, address: physical(tag_address(0)) });
    write(TO_IOP + channel::TADR, physical(tag_address(0)));
    let up = wait_until(PATIENCE, || read_settled(SIF_SMFLG) & SIF_UP != 0);
    kernel(|kernel| {
        kernel.sif_words.fill(0);
    });
    read(SIF_SMCOM);
    write(SIF_MSFLG, COMMANDS_UP);
    up
}

/// The channel as it is, running or not.
pub fn channel_now() -> Channel {
    let running = read(TO_IOP + channel::CHCR) & channel::RUNNING != 0;
    let offset = read(TO_IOP + channel::TADR).wrapping_sub(physical(tag_address(0)));
    Channel {
        next_tag: ((offset / TAG_SIZE) as usize).min(TAGS),
        quadwords: read(TO_IOP + channel::QWC) & 0xFFFF,
        running,
    }
}

/// Stops the channel wherever it is; the state it was stopped in.
fn hold() -> Channel {
    // A channel that has sent everything may still have to say so. Started anew before that, the emulator would take its
    // late word for the end of the new transfer and lose it.
    wait_until(END_PATIENCE, || !kernel(|kernel| kernel.ring.is_ending(channel_now())));
    write(D_ENABLEW, read(D_ENABLER) | DMA_HOLD);
    let running = read(TO_IOP + channel::CHCR) & channel::RUNNING != 0;
    write(TO_IOP + channel::CHCR, 0);
    let stopped = channel_now();
    write(D_ENABLEW, read(D_ENABLER) & !DMA_HOLD);
    Channel { running, ..stopped }
}

fn go() {
    write(TO_IOP + channel::CHCR, channel::SIF_START);
}

/// Sends a list of transfers; an id, or 0 when the list is longer than the ring or the IOP takes nothing.
pub fn send(transfers: impl Iterator<Item = Transfer> + Clone) -> u32 {
    let needed: usize = transfers.clone().map(|transfer| transfer.tags()).sum();
    if needed == 0 || needed >= TAGS {
        return 0;
    }
    let mut patience = FULL_PATIENCE;
    let at = loop {
        let stopped = hold();
        let at = kernel(|kernel| kernel.ring.resumption(stopped));
        if at.free >= needed {
            break at;
        }
        // Full: let it go on and ask again, as the original does.
        resume(at.start, at.rewrite);
        go();
        patience -= 1;
        if patience == 0 {
            // Our choice: the original waits for ever.
            report!("error: the IOP takes no data");
            return 0;
        }
        super::hardware::delay(FULL_PAUSE);
    };
    if at.rewrite {
        resume(at.start, true);
    }
    if let Some(last) = at.reopen {
        write_tag(last, read_tag(last).reopened());
    }
    let id = kernel(|kernel| kernel.ring.take(needed));
    let mut index = at.first;
    let mut left = needed;
    for transfer in transfers {
        left -= transfer.tags();
        index = put(&transfer, index, left == 0);
    }
    write(TO_IOP + channel::QWC, 0);
    write(TO_IOP + channel::TADR, physical(tag_address(at.start)));
    go();
    id
}

/// Makes the channel ready to go on at `start`, which was stopped half-way if `rewrite`.
fn resume(start: usize, rewrite: bool) {
    if rewrite {
        let rest = read_tag(start).rest(read(TO_IOP + channel::QWC), read(TO_IOP + channel::MADR));
        write_tag(start, rest);
        write(TO_IOP + channel::QWC, 0);
    }
    write(TO_IOP + channel::TADR, physical(tag_address(start)));
}

/// Writes the header, what is copied behind it, and the tags of one transfer from `index` on; the index behind them.
fn put(transfer: &Transfer, index: usize, last: bool) -> usize {
    let has_header = transfer.attributes & attribute::HAS_HEADER != 0;
    let slot = slot_address(index);
    // The DMA leaves the lowest bits of an address out, and so does the copying of the first quadwords.
    let source = uncached(transfer.source) & !0xF;
    let header = if has_header { source } else { slot };
    for (offset, word) in transfer.header().into_iter().enumerate() {
        write(header + 4 * offset as u32, word);
    }
    if !has_header {
        for offset in (0..transfer.rounded_size().min(COPIED)).step_by(4) {
            write(slot + TAG_SIZE + offset, read(source + offset));
        }
    }
    let tags = tags_of(transfer, physical(slot), last);
    for (offset, tag) in tags.into_iter().enumerate().take(transfer.tags()) {
        write_tag((index + offset) % TAGS, tag);
    }
    (index + transfer.tags()) % TAGS
}
