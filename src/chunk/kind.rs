//! Types of chunks.

/// A chunk's type, 0x00 to 0x53; 0x54 is no type but the table's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkType(u8);

impl ChunkType {
    /// The number of types.
    ///
    /// Source: support systems, Chunk system
    pub const COUNT: usize = 0x54;
    /// The table's end, and what an empty stack has on top.
    pub const NONE: Self = Self(0x54);
    /// Keyframes of a clip.
    pub const KEYFRAMES: Self = Self(0x00);
    /// Descriptor of a clip.
    pub const CLIP: Self = Self(0x02);
    /// Header of a collision mesh.
    pub const COLLISION: Self = Self(0x03);
    /// Triangles of a collision mesh.
    pub const COLLISION_TRIANGLES: Self = Self(0x04);
    /// Triangle lists of a collision mesh's cells.
    pub const COLLISION_LISTS: Self = Self(0x05);
    /// Cells of a collision mesh.
    pub const COLLISION_CELLS: Self = Self(0x06);
    /// Vertices of a collision mesh.
    pub const COLLISION_VERTICES: Self = Self(0x07);
    /// A character's data.
    pub const CHARACTER: Self = Self(0x08);
    /// The kind that 0x0e and 0x30 become.
    pub const RETAGGED: Self = Self(0x14);
    /// A level's header.
    pub const LEVEL_HEADER: Self = Self(0x17);
    /// A list of clip ranges.
    pub const CLIP_RANGES: Self = Self(0x45);
    /// Checked bits of a collision mesh.
    pub const COLLISION_CHECKED: Self = Self(0x52);

    /// The type with a number; `None` for 0x54 and above.
    pub const fn new(number: u32) -> Option<Self> {
        if number < Self::COUNT as u32 { Some(Self(number as u8)) } else { None }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its place in the table.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// What a chunk of this type counts as once it is loaded: 0x0e and 0x30 are further forms of 0x14.
    ///
    /// Source: support systems, Chunk system
    pub const fn retagged(self) -> Self {
        match self.0 {
            0x0e | 0x30 => Self::RETAGGED,
            _ => self,
        }
    }
}
