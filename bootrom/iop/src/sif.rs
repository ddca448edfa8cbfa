//! The interface to the EE as data: DMA tags, the queue of transfers, command and call packets.

/// A transfer to the EE: `size` bytes (rounded up to 16 on the wire) from `source` to the physical `destination`.
///
/// Source: EE facts, SIF
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// IOP address.
    pub source: u32,
    /// EE address.
    pub destination: u32,
    /// Bytes.
    pub size: u32,
    /// [`INTERRUPT_RECEIVER`] and the like.
    pub attributes: u32,
}

/// Attribute: the EE gets an interrupt when it has arrived.
pub const INTERRUPT_RECEIVER: u32 = 4;
/// Attribute: the IOP gets an interrupt when it has left.
pub const INTERRUPT_SENDER: u32 = 2;

/// A tag of the IOP's chain: where the data is, how many words, and the EE's own tag.
pub type Tag = [u32; 4];

/// Tag word 0: the chain ends here.
const END: u32 = 1 << 31;
/// EE tag: more tags follow in the stream.
const EE_CONTINUE: u32 = 1 << 28;
/// EE tag: stop and interrupt after this block.
const EE_INTERRUPT: u32 = 1 << 31;
const ADDRESS_BITS: u32 = 0x00FF_FFFF;
const EE_ADDRESS_BITS: u32 = 0x1FFF_FFFF;

/// The tag of a transfer.
///
/// Our choice: bit 30 of word 0 (interrupt the sender) is never set: the emulator ends a chain on it, and every chain
/// interrupts at its end anyway.
/// Source: hardware notes, SIF0
#[must_use]
pub const fn tag_of(transfer: &Transfer) -> Tag {
    let words = transfer.size.div_ceil(4);
    let interrupt = if transfer.attributes & INTERRUPT_RECEIVER != 0 { EE_INTERRUPT } else { 0 };
    [
        transfer.source & ADDRESS_BITS,
        words,
        words.div_ceil(4) | EE_CONTINUE | interrupt,
        transfer.destination & EE_ADDRESS_BITS,
    ]
}

/// Tags in one list.
pub const LIST_TAGS: usize = 32;

/// Transfers on their way: one list is sent while the other one fills.
///
/// Source: IOP kernel, SIFMAN (two tables of 32 tags)
#[repr(C, align(16))]
pub struct SendQueue {
    lists: [[Tag; LIST_TAGS]; 2],
    filling: usize,
    count: usize,
    /// Number of the list that fills; the one before it may be on its way.
    generation: u16,
    sending: bool,
}

/// How far a transfer is, with the numbers that status calls return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Progress {
    /// All of it has left.
    Done = -1,
    /// It is being sent.
    Sending = 0,
    /// It waits.
    Queued = 1,
}

impl SendQueue {
    /// Nothing to send.
    #[must_use]
    pub const fn new() -> Self {
        SendQueue { lists: [[[0; 4]; LIST_TAGS]; 2], filling: 0, count: 0, generation: 1, sending: false }
    }

    /// Appends transfers; the result is their id, 0 when the list has no room for all of them (or there are none).
    pub fn push(&mut self, transfers: &[Transfer]) -> u32 {
        let end = self.count + transfers.len();
        if transfers.is_empty() || end > LIST_TAGS {
            return 0;
        }
        let id = u32::from(self.generation) << 16 | (self.count as u32) << 8 | transfers.len() as u32;
        for (slot, transfer) in self.lists[self.filling][self.count..end].iter_mut().zip(transfers) {
            *slot = tag_of(transfer);
        }
        self.count = end;
        id
    }

    /// Closes the list that fills, if the other one has been sent; the result is what the DMA is to send.
    pub fn start(&mut self) -> Option<&[Tag; LIST_TAGS]> {
        if self.sending || self.count == 0 {
            return None;
        }
        let list = self.filling;
        self.lists[list][self.count - 1][0] |= END;
        self.filling ^= 1;
        self.count = 0;
        self.generation = self.generation.wrapping_add(1).max(1);
        self.sending = true;
        Some(&self.lists[list])
    }

    /// Notes that the DMA has sent its list.
    pub fn sent(&mut self) {
        self.sending = false;
    }

    /// True while a list is on its way.
    #[must_use]
    pub fn is_sending(&self) -> bool {
        self.sending
    }

    /// How far the transfer `id` is.
    #[must_use]
    pub fn progress(&self, id: u32) -> Progress {
        let generation = (id >> 16) as u16;
        if generation == self.generation {
            Progress::Queued
        } else if self.sending && generation == self.generation.wrapping_sub(1) {
            Progress::Sending
        } else {
            Progress::Done
        }
    }
}

impl Default for SendQueue {
    fn default() -> Self {
        Self::new()
    }
}

/// System command numbers.
///
/// Source: EE facts, SIF; IOP kernel, SIFCMD
pub mod command {
    /// The EE's packet buffer moves.
    pub const CHANGE_BUFFER: u32 = 0x8000_0000;
    /// Set a software register.
    pub const SET_REGISTER: u32 = 0x8000_0001;
    /// The EE's command (option 0) or call (option 1) layer starts.
    pub const INIT: u32 = 0x8000_0002;
    /// Start the IOP anew.
    pub const RESET: u32 = 0x8000_0003;
    /// A bind, call or fetch is done.
    pub const RPC_END: u32 = 0x8000_0008;
    /// Look for a server.
    pub const RPC_BIND: u32 = 0x8000_0009;
    /// Call a server.
    pub const RPC_CALL: u32 = 0x8000_000A;
    /// Fetch memory of the other side.
    pub const RPC_DATA: u32 = 0x8000_000C;
}

/// Smallest command packet: its header.
pub const PACKET_MINIMUM: u32 = 16;
/// Largest command packet.
pub const PACKET_MAXIMUM: u32 = 112;
/// Words of the largest packet.
pub const PACKET_WORDS: usize = PACKET_MAXIMUM as usize / 4;
/// Words of a call packet.
pub const RPC_WORDS: usize = 16;

/// Word 0 of a packet: its own size and the size of the data that was sent before it.
#[must_use]
pub const fn header(packet_bytes: u32, data_bytes: u32) -> u32 {
    packet_bytes & 0xFF | data_bytes << 8
}

/// A packet's own size, from its word 0.
#[must_use]
pub const fn packet_bytes(header: u32) -> u32 {
    header & 0xFF
}

/// Word places in a packet.
///
/// Source: EE facts, SIF
pub mod word {
    /// Sizes.
    pub const HEADER: usize = 0;
    /// Where the data went.
    pub const DESTINATION: usize = 1;
    /// Command number.
    pub const COMMAND: usize = 2;
    /// Command's option.
    pub const OPTION: usize = 3;
    /// First word behind the header.
    pub const FIRST: usize = 4;
    /// Calls: the sender's packet record.
    pub const RECORD: usize = 4;
    /// Calls: address of the sender's packet.
    pub const PACKET: usize = 5;
    /// Calls: running number.
    pub const NUMBER: usize = 6;
    /// Calls: the client's record.
    pub const CLIENT: usize = 7;
}

/// A request to look for a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bind {
    /// The server's number.
    pub server: u32,
}

/// A request to call a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Function number.
    pub function: u32,
    /// Bytes sent to the server's buffer.
    pub send_bytes: u32,
    /// Where the reply goes.
    pub receive: u32,
    /// Bytes of reply.
    pub receive_bytes: u32,
    /// True when the client wants to be told by a packet.
    pub replies: bool,
    /// The server's record.
    pub server: u32,
}

/// A request for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// Address here.
    pub source: u32,
    /// Address there.
    pub destination: u32,
    /// Bytes.
    pub size: u32,
}

/// Reads a bind packet.
#[must_use]
pub fn bind_of(packet: &[u32; PACKET_WORDS]) -> Bind {
    Bind { server: packet[8] }
}

/// Reads a call packet.
#[must_use]
pub fn call_of(packet: &[u32; PACKET_WORDS]) -> Call {
    Call {
        function: packet[8],
        send_bytes: packet[9],
        receive: packet[10],
        receive_bytes: packet[11],
        replies: packet[12] != 0,
        server: packet[13],
    }
}

/// Reads a fetch packet.
#[must_use]
pub fn fetch_of(packet: &[u32; PACKET_WORDS]) -> Fetch {
    Fetch { source: packet[8], destination: packet[9], size: packet[10] }
}

/// The packet that ends a bind, call or fetch. The client's own words are sent back as they came.
#[must_use]
pub fn end_packet(request: [u32; 4], ended: u32, server: u32, buffer: u32, second_buffer: u32) -> [u32; RPC_WORDS] {
    let mut packet = [0; RPC_WORDS];
    packet[word::HEADER] = header(RPC_WORDS as u32 * 4, 0);
    packet[word::COMMAND] = command::RPC_END;
    packet[word::RECORD..=word::CLIENT].copy_from_slice(&request);
    packet[8] = ended;
    packet[9] = server;
    packet[10] = buffer;
    packet[11] = second_buffer;
    packet
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transfer(size: u32, attributes: u32) -> Transfer {
        Transfer { source: 0x8001_2340, destination: 0x2010_0000, size, attributes }
    }

    #[test]
    fn a_tag_rounds_words_up_and_leaves_segments_out_of_addresses() {
        assert_eq!(tag_of(&transfer(18, 0)), [0x0001_2340, 5, 2 | 1 << 28, 0x0010_0000]);
        assert_eq!(tag_of(&transfer(64, INTERRUPT_RECEIVER))[2], 4 | 1 << 28 | 1 << 31);
    }

    #[test]
    fn only_the_last_tag_of_a_list_ends_it() {
        let mut queue = SendQueue::new();
        assert_ne!(queue.push(&[transfer(16, 0), transfer(64, INTERRUPT_RECEIVER)]), 0);
        let list = queue.start().expect("a list to send");
        assert_eq!(list[0][0] & END, 0);
        assert_eq!(list[1][0] & END, END);
    }

    #[test]
    fn what_comes_while_sending_waits_and_its_progress_tells() {
        let mut queue = SendQueue::new();
        let first = queue.push(&[transfer(16, 0)]);
        assert!(queue.start().is_some());
        let second = queue.push(&[transfer(16, 0)]);
        assert!(queue.start().is_none());
        assert_eq!((queue.progress(first), queue.progress(second)), (Progress::Sending, Progress::Queued));
        queue.sent();
        assert_eq!(queue.progress(first), Progress::Done);
        assert!(queue.start().is_some());
        assert_eq!(queue.progress(second), Progress::Sending);
    }

    #[test]
    fn a_full_list_refuses_and_takes_no_part_of_the_request() {
        let mut queue = SendQueue::new();
        for _ in 0..LIST_TAGS - 1 {
            assert_ne!(queue.push(&[transfer(16, 0)]), 0);
        }
        assert_eq!(queue.push(&[transfer(16, 0); 2]), 0);
        assert_ne!(queue.push(&[transfer(16, 0)]), 0);
        assert_eq!(queue.push(&[]), 0);
    }
}
