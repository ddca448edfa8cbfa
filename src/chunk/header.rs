//! Headers: sixteen bytes before a container, a group and a chunk.
//!
//! | header | words |
//! | --- | --- |
//! | container | count, payload bytes, 0, id |
//! | group | chunk count, unknown, unknown, resource (0 ends the file) |
//! | chunk | type, size, 0, id |
//!
//! Source: support systems, Chunk system.

use super::{ChunkError, ChunkType};
use crate::file_io::name::crc32;

/// Bytes of each header.
pub const HEADER_BYTES: usize = 16;
/// The id of a container of groups.
pub const PACKAGE: u32 = crc32(b"package");

/// The start of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContainerHeader {
    /// Number of chunks.
    pub count: u32,
    /// Sum of the chunks' sizes, headers not counted.
    pub payload: u32,
    /// What the container is.
    pub id: u32,
}

/// The start of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupHeader {
    /// Number of chunks.
    pub count: u32,
    /// The resource it belongs to; 0 behind the last group.
    pub resource: u32,
}

/// The start of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its type as the file has it.
    pub kind: ChunkType,
    /// Bytes behind the header.
    pub size: u32,
    /// What it is.
    pub id: u32,
}

const fn words(bytes: [u8; HEADER_BYTES]) -> [u32; 4] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = bytes;
    [
        u32::from_le_bytes([a, b, c, d]),
        u32::from_le_bytes([e, f, g, h]),
        u32::from_le_bytes([i, j, k, l]),
        u32::from_le_bytes([m, n, o, p]),
    ]
}

fn bytes(words: [u32; 4]) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    for (field, word) in bytes.chunks_exact_mut(4).zip(words) {
        field.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

impl ContainerHeader {
    /// Reads one.
    pub const fn from_bytes(bytes: [u8; HEADER_BYTES]) -> Self {
        let [count, payload, _, id] = words(bytes);
        Self { count, payload, id }
    }

    /// Its bytes.
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        bytes([self.count, self.payload, 0, self.id])
    }
}

impl GroupHeader {
    /// Reads one.
    pub const fn from_bytes(bytes: [u8; HEADER_BYTES]) -> Self {
        let [count, _, _, resource] = words(bytes);
        Self { count, resource }
    }

    /// Its bytes; the two unknown words are zero.
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        bytes([self.count, 0, 0, self.resource])
    }
}

impl Chunk {
    /// Reads one.
    ///
    /// # Errors
    /// A type that does not exist.
    pub fn from_bytes(bytes: [u8; HEADER_BYTES]) -> Result<Self, ChunkError> {
        let [number, size, _, id] = words(bytes);
        Ok(Self { kind: ChunkType::new(number).ok_or(ChunkError::Type(number))?, size, id })
    }

    /// Its bytes.
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        bytes([u32::from(self.kind.number()), self.size, 0, self.id])
    }
}
