//! Packets of the command layer: what the two processors send each other besides data.
//!
//! A packet has 16 to 112 bytes: its size and the size of data sent before it, where that data went, the command, an
//! option, then the command's own words. Source: EE facts, section 13; IOP kernel, sections 20 and 21.

/// Words of the largest packet.
pub const MAX_WORDS: usize = 28;
/// Words of a call's packet.
pub const CALL_WORDS: usize = 16;
/// Bytes of a call's packet.
pub const CALL_BYTES: u32 = 64;
/// Bytes of a header alone.
pub const HEADER_BYTES: u32 = 16;

/// Command numbers. Bit 31 marks the system's.
pub mod command {
    /// The EE's receive buffer moves.
    pub const CHANGE_BUFFER: u32 = 0x8000_0000;
    /// Sets one of the receiver's software registers.
    pub const SET_REGISTER: u32 = 0x8000_0001;
    /// The EE's command layer (option 0) or call layer (option 1) starts.
    pub const INIT: u32 = 0x8000_0002;
    /// Starts the IOP anew.
    pub const RESET: u32 = 0x8000_0003;
    /// Ends a bind, a call or a fetch.
    pub const END: u32 = 0x8000_0008;
    /// Looks for a server.
    pub const BIND: u32 = 0x8000_0009;
    /// Calls a server.
    pub const CALL: u32 = 0x8000_000A;
    /// Fetches memory of the receiver.
    pub const FETCH: u32 = 0x8000_000C;
}

/// INIT's option for the command layer.
const INIT_COMMANDS: u32 = 0;
/// INIT's option for the call layer.
const INIT_CALLS: u32 = 1;

/// Places of the words.
mod word {
    pub const SIZES: usize = 0;
    pub const COMMAND: usize = 2;
    pub const OPTION: usize = 3;
    /// First word behind the header.
    pub const BODY: usize = 4;
    /// Calls: the sender's packet record.
    pub const RECORD: usize = 4;
    /// Calls: address of the sender's packet.
    pub const PACKET: usize = 5;
    /// Calls: running number.
    pub const NUMBER: usize = 6;
    /// Calls: the client's record.
    pub const CLIENT: usize = 7;
}

/// A packet of up to a call's size.
pub type Packet = [u32; CALL_WORDS];

/// Bytes of a packet, from its first word.
pub const fn bytes(sizes: u32) -> u32 {
    sizes & 0xFF
}

fn with_header(size: u32, command: u32, option: u32) -> Packet {
    let mut packet = [0; CALL_WORDS];
    packet[word::SIZES] = size;
    packet[word::COMMAND] = command;
    packet[word::OPTION] = option;
    packet
}

/// The EE's command layer starts; its packets go to `buffer`.
pub fn init_commands(buffer: u32) -> Packet {
    let mut packet = with_header(HEADER_BYTES + 4, command::INIT, INIT_COMMANDS);
    packet[word::BODY] = buffer;
    packet
}

/// The EE's packets go to `buffer` from now on.
pub fn change_buffer(buffer: u32) -> Packet {
    let mut packet = with_header(HEADER_BYTES + 4, command::CHANGE_BUFFER, 0);
    packet[word::BODY] = buffer;
    packet
}

/// The EE's call layer starts.
pub fn init_calls() -> Packet {
    with_header(HEADER_BYTES, command::INIT, INIT_CALLS)
}

/// A packet of up to the largest size.
pub type LongPacket = [u32; MAX_WORDS];

/// A command of the program's own: `body` goes behind the header. `None` for one of the system's numbers or a body that is
/// too long.
pub fn own(number: u32, body: &[u32]) -> Option<LongPacket> {
    const SYSTEM: u32 = 0x8000_0000;
    let mut words = [0; MAX_WORDS];
    if number & SYSTEM != 0 {
        return None;
    }
    words.get_mut(word::BODY..word::BODY + body.len())?.copy_from_slice(body);
    words[word::SIZES] = HEADER_BYTES + 4 * body.len() as u32;
    words[word::COMMAND] = number;
    Some(words)
}

/// Bytes of a reset's packet on the wire; the disc loaders of a console look for exactly this packet.
pub const RESET_BYTES: usize = 0x68;
/// Most bytes of a reset's argument.
const RESET_ARGUMENT: usize = 79;

/// Starts the IOP anew. An empty argument keeps every module at the ROM's version; else it is a command line of the IOP's.
/// `None` when it is too long.
pub fn reset(argument: &[u8], mode: u32) -> Option<LongPacket> {
    const ARGUMENT: usize = HEADER_BYTES as usize + 8;
    if argument.len() > RESET_ARGUMENT {
        return None;
    }
    let mut words = [0; MAX_WORDS];
    words[..CALL_WORDS].copy_from_slice(&with_header(RESET_BYTES as u32, command::RESET, 0));
    words[word::BODY] = argument.len() as u32;
    words[word::BODY + 1] = mode;
    for (index, byte) in argument.iter().enumerate() {
        words[(ARGUMENT + index) / 4] |= u32::from(*byte) << (8 * (index % 4));
    }
    Some(words)
}

/// Who sends a bind or a call: what comes back in its END.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sender {
    /// Index of the packet in the sender's table.
    pub slot: usize,
    /// Address of the packet.
    pub packet: u32,
    /// Running number, not 0.
    pub number: u32,
    /// The client's record; only sent back.
    pub client: u32,
}

impl Sender {
    /// Bits of a record word of the EE: in use, use the slot.
    const RECORD_BITS: u32 = 5;

    fn write(&self, packet: &mut Packet) {
        packet[word::RECORD] = (self.slot as u32) << 16 | Self::RECORD_BITS;
        packet[word::PACKET] = self.packet;
        packet[word::NUMBER] = self.number;
        packet[word::CLIENT] = self.client;
    }
}

/// Looks for a server.
pub fn bind(sender: &Sender, server: u32) -> Packet {
    let mut packet = with_header(CALL_BYTES, command::BIND, 0);
    sender.write(&mut packet);
    packet[8] = server;
    packet
}

/// A call's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The server's record, as its bind gave it.
    pub server: u32,
    /// Function number.
    pub function: u32,
    /// Bytes sent to the server's buffer.
    pub request_bytes: u32,
    /// Where the reply goes.
    pub reply: u32,
    /// Bytes of the reply.
    pub reply_bytes: u32,
}

/// Calls a server; its END packet tells that the reply is there.
pub fn call(sender: &Sender, call: &Call) -> Packet {
    /// An END packet is wanted.
    const WITH_END: u32 = 1;
    let mut packet = with_header(CALL_BYTES, command::CALL, 0);
    sender.write(&mut packet);
    packet[8] = call.function;
    packet[9] = call.request_bytes;
    packet[10] = call.reply;
    packet[11] = call.reply_bytes;
    packet[12] = WITH_END;
    packet[13] = call.server;
    packet
}

/// A packet from the IOP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// A software register is set.
    SetRegister {
        /// Its number.
        index: u32,
        /// Its value.
        value: u32,
    },
    /// A bind, a call or a fetch has ended.
    End {
        /// Address of the packet that began it.
        packet: u32,
        /// The server's record; 0 when a bind found none.
        server: u32,
        /// The server's request buffer.
        buffer: u32,
    },
    /// The IOP wants memory of ours.
    Fetch {
        /// Its own words, which its END brings back.
        sender: [u32; 4],
        /// Address here.
        source: u32,
        /// Address there.
        destination: u32,
        /// Bytes.
        size: u32,
    },
    /// Something else.
    Other(u32),
}

/// Reads a packet from the IOP.
pub fn received(words: &[u32; MAX_WORDS]) -> Received {
    match words[word::COMMAND] {
        command::SET_REGISTER => Received::SetRegister { index: words[word::BODY], value: words[word::BODY + 1] },
        command::END => Received::End { packet: words[word::PACKET], server: words[9], buffer: words[10] },
        command::FETCH => Received::Fetch {
            sender: [words[4], words[5], words[6], words[7]],
            source: words[8],
            destination: words[9],
            size: words[10],
        },
        other => Received::Other(other),
    }
}

/// Tells the IOP that what it fetched has been sent.
pub fn end_of_fetch(sender: [u32; 4]) -> Packet {
    let mut packet = with_header(CALL_BYTES, command::END, 0);
    packet[word::RECORD..=word::CLIENT].copy_from_slice(&sender);
    packet[8] = command::FETCH;
    packet
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENDER: Sender = Sender { slot: 3, packet: 0x0012_3440, number: 9, client: 0x0045_0000 };

    #[test]
    fn a_bind_names_its_sender_and_the_server() {
        let packet = bind(&SENDER, 0x8000_0006);
        assert_eq!(packet[..4], [64, 0, 0x8000_0009, 0]);
        assert_eq!(packet[4..9], [0x0003_0005, 0x0012_3440, 9, 0x0045_0000, 0x8000_0006]);
    }

    #[test]
    fn a_call_has_its_words_where_the_iop_reads_them() {
        let words = Call { server: 0x1_F000, function: 1, request_bytes: 512, reply: 0x20_0000, reply_bytes: 16 };
        let packet = call(&SENDER, &words);
        assert_eq!(packet[2], 0x8000_000A);
        assert_eq!(packet[8..14], [1, 512, 0x20_0000, 16, 1, 0x1_F000]);
    }

    #[test]
    fn starting_packets_carry_size_and_option() {
        assert_eq!(init_commands(0x1000)[..5], [20, 0, 0x8000_0002, 0, 0x1000]);
        assert_eq!(init_calls()[..4], [16, 0, 0x8000_0002, 1]);
        assert_eq!(change_buffer(0x2000)[..5], [20, 0, 0x8000_0000, 0, 0x2000]);
    }

    #[test]
    fn a_command_of_the_programs_own_carries_its_body() {
        let words = own(5, &[1, 2, 3]).unwrap();
        assert_eq!(words[..8], [28, 0, 5, 0, 1, 2, 3, 0]);
        assert!(own(0x8000_0005, &[]).is_none());
        assert!(own(5, &[0; 25]).is_none());
        assert_eq!(bytes(own(5, &[0; 24]).unwrap()[0]), 112);
    }

    #[test]
    fn a_reset_carries_its_argument_behind_length_and_mode() {
        let words = reset(b"rom0:UDNL x", 7).unwrap();
        assert_eq!(words[..6], [0x68, 0, 0x8000_0003, 0, 11, 7]);
        assert_eq!(words[6].to_le_bytes(), *b"rom0");
        assert_eq!(words[8].to_le_bytes(), *b"L x\0");
        assert_eq!(reset(b"", 0).unwrap()[4..], [0; 24]);
        assert!(reset(&[b'a'; 80], 0).is_none());
        assert!(reset(&[b'a'; 79], 0).is_some());
    }

    #[test]
    fn an_end_is_read_back() {
        let mut words = [0; MAX_WORDS];
        words[..12].copy_from_slice(&[64, 0, 0x8000_0008, 0, 5, 0x40, 7, 0, 0x8000_0009, 0x111, 0x222, 0x333]);
        assert_eq!(received(&words), Received::End { packet: 0x40, server: 0x111, buffer: 0x222 });
        words[2] = 0x8000_0001;
        assert_eq!(received(&words), Received::SetRegister { index: 5, value: 0x40 });
        words[2] = 0x8000_000C;
        let fetch = Received::Fetch { sender: [5, 0x40, 7, 0], source: 0x8000_0009, destination: 0x111, size: 0x222 };
        assert_eq!(received(&words), fetch);
        words[2] = 0x77;
        assert_eq!(received(&words), Received::Other(0x77));
    }
}
