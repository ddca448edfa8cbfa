//! Parts of a level.

use crate::file_io::Region;
use crate::maths::{Vec3, scalar};
use crate::memory::PoolId;
use heapless::String;

/// Bytes of a part's file name.
pub const NAME_BYTES: usize = 48;

/// A part, by its place in the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartIndex(pub u16);

/// A part as the level's manifest has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its file in the archive.
    pub name: String<NAME_BYTES>,
    /// Middle of the sphere around it, metres.
    pub centre: Vec3,
    /// Radius of that sphere, metres.
    pub radius: f32,
    /// Bytes that it takes: what the manifest guesses, and what it has really used once it was in memory.
    ///
    /// Source: support systems, Memory (visible behaviour)
    pub bytes: u32,
}

impl Part {
    /// Metres from a place to the part; 0 within it.
    pub fn distance(&self, place: Vec3) -> f32 {
        let apart = self.centre - place;
        (scalar::sqrt(apart.dot(apart)) - self.radius).max(0.0)
    }
}

/// Where a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartState {
    /// On the disc.
    Absent,
    /// On its way into its pool.
    Loading {
        /// The part's own pool.
        pool: PoolId,
        /// Where its file goes.
        region: Region,
    },
    /// In memory.
    Resident {
        /// The part's own pool.
        pool: PoolId,
        /// Where its file lies.
        region: Region,
        /// Bytes of the file.
        bytes: u32,
    },
    /// It cannot be had, and is not asked for again in this level.
    Broken,
}

impl PartState {
    /// The part's pool, while it has one.
    pub const fn pool(self) -> Option<PoolId> {
        match self {
            Self::Loading { pool, .. } | Self::Resident { pool, .. } => Some(pool),
            Self::Absent | Self::Broken => None,
        }
    }
}
