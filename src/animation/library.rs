//! All clips of the characters: one container, whose keyframes are read in place.

use super::clip::{Clip, ClipError};
use super::events::Event;
use super::pose::LocalPose;
use super::skeleton::Skeleton;
use crate::chunk::header::HEADER_BYTES;
use crate::chunk::{Chunk, ChunkError, ChunkType, ContainerHeader};
use crate::maths::Vec3;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Why a library cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryError {
    /// The container does not fit together.
    Chunk(ChunkError),
    /// A clip of it does not; its number.
    Clip(u16, ClipError),
    /// A descriptor without its keyframes, or the other way round.
    Unpaired,
    /// Two clips with one number.
    Twice(u16),
}

/// A clip and where its keyframes lie.
#[derive(Clone, Debug)]
struct Entry {
    clip: Clip,
    first: usize,
    end: usize,
}

/// The clips, sorted by number, and the bytes they came in.
#[derive(Clone, Debug, Default)]
pub struct ClipLibrary {
    entries: Box<[Entry]>,
    bytes: Box<[u8]>,
}

/// A clip's place in its library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClipIndex(u16);

impl ClipLibrary {
    /// Reads a container in which each clip is a descriptor and its keyframes behind it. Memory is taken here only.
    ///
    /// # Errors
    /// The first thing that does not fit together.
    pub fn read(bytes: Box<[u8]>) -> Result<Self, LibraryError> {
        let header = |at: usize| -> Result<[u8; HEADER_BYTES], LibraryError> {
            bytes.get(at..at + HEADER_BYTES).and_then(|slice| slice.try_into().ok()).ok_or(LibraryError::Unpaired)
        };
        let container = ContainerHeader::from_bytes(header(0)?);
        let mut at = HEADER_BYTES;
        let mut next = |kind: ChunkType| -> Result<(u32, usize, usize), LibraryError> {
            let chunk = Chunk::from_bytes(header(at)?).map_err(LibraryError::Chunk)?;
            let first = at + HEADER_BYTES;
            let end = first.checked_add(chunk.size as usize).filter(|end| *end <= bytes.len());
            let Some(end) = end.filter(|_| chunk.kind == kind) else { return Err(LibraryError::Unpaired) };
            at = end;
            Ok((chunk.id, first, end))
        };
        let mut entries = Vec::new();
        for _ in 0..container.count / 2 {
            let (id, descriptor, descriptor_end) = next(ChunkType::CLIP)?;
            let (keys_id, first, end) = next(ChunkType::KEYFRAMES)?;
            if id != keys_id {
                return Err(LibraryError::Unpaired);
            }
            let clip = Clip::read(&bytes[descriptor..descriptor_end], &bytes[first..end])
                .map_err(|error| LibraryError::Clip(id as u16, error))?;
            entries.push(Entry { clip, first, end });
        }
        entries.sort_by_key(|entry: &Entry| entry.clip.id);
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].clip.id == pair[1].clip.id) {
            return Err(LibraryError::Twice(pair[0].clip.id));
        }
        Ok(Self { entries: entries.into_boxed_slice(), bytes })
    }

    /// The clip of a number.
    pub fn find(&self, id: u16) -> Option<ClipIndex> {
        self.entries.binary_search_by_key(&id, |entry| entry.clip.id).ok().map(|index| ClipIndex(index as u16))
    }

    /// A clip. Indices come from [`Self::find`] of the same library.
    pub fn clip(&self, index: ClipIndex) -> &Clip {
        &self.entries[usize::from(index.0)].clip
    }

    /// Every clip, by number.
    pub fn iter(&self) -> impl Iterator<Item = (ClipIndex, &Clip)> {
        self.entries.iter().enumerate().map(|(n, entry)| (ClipIndex(n as u16), &entry.clip))
    }

    fn keyframes(&self, index: ClipIndex) -> &[u8] {
        let entry = &self.entries[usize::from(index.0)];
        &self.bytes[entry.first..entry.end]
    }

    /// A clip's events in the order of their frames.
    pub fn events(&self, index: ClipIndex) -> impl Iterator<Item = Event> + use<'_> {
        self.clip(index).events(self.keyframes(index))
    }

    /// The pose of a clip at a time in clip seconds.
    pub fn sample(&self, index: ClipIndex, seconds: f32, skeleton: &Skeleton, pose: &mut LocalPose) {
        self.clip(index).sample(self.keyframes(index), seconds, skeleton, pose);
    }

    /// How far a clip has carried and turned a human at a time: metres at scale 1, radians clockwise.
    pub fn motion(&self, index: ClipIndex, seconds: f32) -> (Vec3, f32) {
        self.clip(index).motion(self.keyframes(index), seconds)
    }
}
