//! The EE's wish for a new start of the IOP.

use crate::sif::PACKET_WORDS;

/// Bytes of a command line at most.
///
/// Source: EE facts, SIF (IOP reset)
pub const COMMAND_BYTES: usize = 80;
/// Place of the command's length in the packet.
const LENGTH_WORD: usize = 4;
/// Place of its first byte.
const TEXT_WORD: usize = 6;

/// A command line: what is to be loaded before the start, empty for a plain one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandLine {
    bytes: [u8; COMMAND_BYTES],
    length: usize,
}

impl CommandLine {
    /// The command line of a reset packet.
    #[must_use]
    pub fn of(packet: &[u32; PACKET_WORDS]) -> Self {
        let mut bytes = [0; COMMAND_BYTES];
        for (chunk, word) in bytes.chunks_exact_mut(4).zip(&packet[TEXT_WORD..]) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        let told = (packet[LENGTH_WORD] as usize).min(COMMAND_BYTES);
        let length = bytes[..told].iter().position(|byte| *byte == 0).unwrap_or(told);
        CommandLine { bytes, length }
    }

    /// A command line as text; what is too long is cut.
    #[must_use]
    pub fn from_text(text: &[u8]) -> Self {
        let mut bytes = [0; COMMAND_BYTES];
        let length = text.len().min(COMMAND_BYTES);
        bytes[..length].copy_from_slice(&text[..length]);
        CommandLine { bytes, length }
    }

    /// All of it.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Its words, separated by blanks.
    pub fn words(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes[..self.length].split(|byte| *byte == b' ').filter(|word| !word.is_empty())
    }

    /// The images that the update loader is to take modules from: everything behind its own name that is not an option.
    pub fn images(&self) -> impl Iterator<Item = &[u8]> {
        self.words().skip(1).filter(|word| !word.starts_with(b"-"))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec;
    use std::vec::Vec;

    fn packet(length: u32, text: &[u8]) -> [u32; PACKET_WORDS] {
        let mut packet = [0; PACKET_WORDS];
        packet[LENGTH_WORD] = length;
        for (word, chunk) in packet[TEXT_WORD..].iter_mut().zip(text.chunks(4)) {
            let mut bytes = [0; 4];
            bytes[..chunk.len()].copy_from_slice(chunk);
            *word = u32::from_le_bytes(bytes);
        }
        packet
    }

    #[test]
    fn an_empty_command_names_no_image() {
        assert_eq!(CommandLine::of(&packet(0, b"left over")).words().count(), 0);
        assert_eq!(CommandLine::of(&packet(1, b"\0")).words().count(), 0);
    }

    #[test]
    fn an_update_names_its_images_without_options() {
        let text = b"rom0:UDNL -v cdrom0:\\IOPRP300.IMG;1";
        let line = CommandLine::of(&packet(text.len() as u32 + 1, text));
        assert_eq!(line.words().next(), Some(&b"rom0:UDNL"[..]));
        assert_eq!(line.images().collect::<Vec<_>>(), vec![&b"cdrom0:\\IOPRP300.IMG;1"[..]]);
    }

    #[test]
    fn a_length_beyond_the_packet_is_cut() {
        let line = CommandLine::of(&packet(u32::MAX, &[b'a'; 100]));
        assert_eq!(line.words().map(<[u8]>::len).collect::<Vec<_>>(), vec![COMMAND_BYTES]);
    }
}
