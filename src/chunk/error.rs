//! What can be wrong with a file of chunks.

use super::ChunkType;
use crate::file_io::FileError;
use core::fmt;

/// Why a load has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkError {
    /// The file ends within a header or a chunk.
    Truncated,
    /// A read or skip would leave its chunk.
    OutOfChunk,
    /// A number of chunks that the rest of the file cannot hold.
    Count(u32),
    /// The chunks' sizes do not add up to what the container says.
    Payload,
    /// A type that no record describes.
    Type(u32),
    /// The pool has no room for so many bytes.
    Pool(u32),
    /// A stack is full.
    StackFull,
    /// A stack is empty where a handler needs this type.
    Missing(ChunkType),
    /// Another type is on top than a handler needs.
    Expected {
        /// What the handler needs.
        wanted: ChunkType,
        /// What is there.
        found: ChunkType,
    },
    /// A type that may be handled by one system only has been registered before.
    Registered(ChunkType),
    /// The container is no package.
    NoPackage,
    /// A handler refuses the contents of a chunk.
    Contents(ChunkType),
    /// The file could not be read.
    File(FileError),
}

impl From<FileError> for ChunkError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Range => Self::Truncated,
            other => Self::File(other),
        }
    }
}

impl fmt::Display for ChunkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("the chunk file ends too early"),
            Self::OutOfChunk => f.write_str("a reader leaves its chunk"),
            Self::Count(count) => write!(f, "{count} chunks do not fit the file"),
            Self::Payload => f.write_str("the chunks' sizes do not add up"),
            Self::Type(number) => write!(f, "no chunk has the type {number:#x}"),
            Self::Pool(bytes) => write!(f, "no memory for a chunk of {bytes} bytes"),
            Self::StackFull => f.write_str("a chunk stack is full"),
            Self::Missing(wanted) => write!(f, "no chunk {:#x}", wanted.number()),
            Self::Expected { wanted, found } => {
                write!(f, "chunk {:#x} instead of {:#x}", found.number(), wanted.number())
            }
            Self::Registered(kind) => write!(f, "chunk type {:#x} has a handler already", kind.number()),
            Self::NoPackage => f.write_str("the chunk file is no package"),
            Self::Contents(kind) => write!(f, "a chunk {:#x} has contents that fit nothing", kind.number()),
            Self::File(error) => error.fmt(f),
        }
    }
}
