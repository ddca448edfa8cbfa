//! Motion tables: which animations lead from one motion to another (CMotionTable).
//!
//! A table is data from the disc, read in place. It knows stances with their default cycles, a cycle for each lasting
//! motion of a stance, links from motion to motion, and modifiers that play on top. [`select`](self) turns a motion into
//! changes of a [`Sequence`](super::Sequence); what it plays is kept in a [`MotionState`](super::MotionState).
//!
//! The words of a table, all little-endian, are a header (magic, version, default style, and the seven section lengths in
//! entries), then the sections: style defaults (style, cycle), cycles (key, motion), modifiers (key, motion), links (outer
//! key, target, motion), motions (first animation and count, flags, velocity, omega), animations (clip, first and last
//! frame, rate, first hook and count), frame hooks (frame and direction, value). Keyed sections are sorted.
//!
//! Source: motion notes, CMotionTable.

pub mod build;
mod select;

use super::{AnimRange, MotionId};
use crate::maths::Vec3;

/// First word of a table: "BWMT".
pub const MAGIC: u32 = u32::from_le_bytes(*b"BWMT");
/// Second word of a table.
pub const VERSION: u32 = 1;
/// Words before the sections.
pub const HEADER_WORDS: usize = 10;
/// Words of an entry of each section, in the order of the sections.
pub const ENTRY_WORDS: [usize; 7] = [2, 2, 2, 3, 8, 4, 2];
/// Flag of a motion that ends all modifiers and lets none begin.
pub const CLEARS_MODIFIERS: u32 = 1;
/// Flag of a motion that begins only from the stance's default cycle or from itself.
pub const ONLY_FROM_DEFAULT: u32 = 2;

/// A section of the table; the value is its place in the header's lengths.
#[derive(Clone, Copy)]
enum Section {
    StyleDefaults,
    Cycles,
    Modifiers,
    Links,
    Motions,
    Animations,
    Hooks,
}

/// Why words are no motion table.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TableError {
    /// The first words are not a table's.
    NotATable,
    /// A version that this engine does not read.
    UnknownVersion(u32),
    /// The lengths do not add up to the words there are.
    WrongLength,
    /// The keys of a section are not in order.
    NotSorted,
    /// An entry refers to something that is not there.
    DanglingReference,
}

/// Which animations a motion plays, and how it moves the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionData {
    first_anim: usize,
    num_anims: usize,
    /// Whether it ends all modifiers and lets none begin.
    pub clears_modifiers: bool,
    /// Whether it begins only from the stance's default cycle or from itself.
    pub only_from_default: bool,
    /// Local velocity at speed 1, metres a second.
    pub velocity: Vec3,
    /// Local turning at speed 1, radians a second.
    pub omega: Vec3,
}

impl MotionData {
    /// Number of animations.
    pub fn num_anims(&self) -> u32 {
        self.num_anims as u32
    }
}

/// A frame of a clip that something should happen at.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FrameHook {
    /// The frame.
    pub frame: u16,
    /// Whether it counts when the clip plays forwards.
    pub forward: bool,
    /// Whether it counts when the clip plays backwards.
    pub backward: bool,
    /// What should happen, by the game's own list.
    pub value: u32,
}

/// Bit of a frame hook's direction: forwards.
pub const HOOK_FORWARD: u32 = 1;
/// Bit of a frame hook's direction: backwards.
pub const HOOK_BACKWARD: u32 = 2;

/// A motion table, read in place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionTable<'a> {
    words: &'a [u32],
    starts: [usize; 7],
    lengths: [usize; 7],
}

/// The key of a cycle, a modifier or a link's start within a stance.
pub const fn styled_key(style: MotionId, motion: MotionId) -> u32 {
    (style.0 << 16) | motion.index()
}

impl<'a> MotionTable<'a> {
    /// Checks the words and makes a view of them. A table that passes never refers outside itself.
    pub fn parse(words: &'a [u32]) -> Result<Self, TableError> {
        let header = words.get(..HEADER_WORDS).ok_or(TableError::NotATable)?;
        if header[0] != MAGIC {
            return Err(TableError::NotATable);
        }
        if header[1] != VERSION {
            return Err(TableError::UnknownVersion(header[1]));
        }
        let (mut starts, mut lengths) = ([0; 7], [0; 7]);
        let mut at = HEADER_WORDS;
        for section in 0..ENTRY_WORDS.len() {
            starts[section] = at;
            lengths[section] = header[3 + section] as usize;
            let size = lengths[section].checked_mul(ENTRY_WORDS[section]).ok_or(TableError::WrongLength)?;
            at = at.checked_add(size).ok_or(TableError::WrongLength)?;
        }
        if at != words.len() {
            return Err(TableError::WrongLength);
        }
        let table = Self { words, starts, lengths };
        table.check()?;
        Ok(table)
    }

    fn check(&self) -> Result<(), TableError> {
        for section in [Section::StyleDefaults, Section::Cycles, Section::Modifiers] {
            if !self.entries(section).is_sorted_by(|a, b| a[0] < b[0]) {
                return Err(TableError::NotSorted);
            }
        }
        if !self.entries(Section::Links).is_sorted_by(|a, b| (a[0], a[1]) < (b[0], b[1])) {
            return Err(TableError::NotSorted);
        }
        let within = |first: u32, count: u32, section: Section| {
            first as usize + count as usize <= self.lengths[section as usize]
        };
        let keyed = [Section::Cycles, Section::Modifiers, Section::Links];
        let mut motions = keyed.into_iter().flat_map(|section| self.entries(section)).filter_map(|entry| entry.last());
        let sound = motions.all(|motion| within(*motion, 1, Section::Motions))
            && self.entries(Section::Motions).all(|m| within(m[0] & 0xffff, m[0] >> 16, Section::Animations))
            && self.entries(Section::Animations).all(|a| within(a[3] & 0xffff, a[3] >> 16, Section::Hooks))
            && self.entries(Section::Animations).all(|a| a[1] & 0xffff <= a[1] >> 16);
        if sound { Ok(()) } else { Err(TableError::DanglingReference) }
    }

    fn entries(&self, section: Section) -> core::slice::ChunksExact<'a, u32> {
        let (start, size) = (self.starts[section as usize], ENTRY_WORDS[section as usize]);
        self.words[start..start + self.lengths[section as usize] * size].chunks_exact(size)
    }

    fn entry(&self, section: Section, index: usize) -> Option<&'a [u32]> {
        let size = ENTRY_WORDS[section as usize];
        let start = self.starts[section as usize] + index.checked_mul(size)?;
        (index < self.lengths[section as usize]).then(|| self.words.get(start..start + size)).flatten()
    }

    /// The entry of a sorted section with this key, by halving.
    fn find(&self, section: Section, key: &[u32]) -> Option<&'a [u32]> {
        let (mut low, mut high) = (0, self.lengths[section as usize]);
        while low < high {
            let middle = (low + high) / 2;
            let entry = self.entry(section, middle)?;
            match entry.get(..key.len())?.cmp(key) {
                core::cmp::Ordering::Less => low = middle + 1,
                core::cmp::Ordering::Greater => high = middle,
                core::cmp::Ordering::Equal => return Some(entry),
            }
        }
        None
    }

    /// The stance of the default state.
    pub fn default_style(&self) -> MotionId {
        MotionId(self.words.get(2).copied().unwrap_or(0))
    }

    /// The default cycle of a stance; none for a stance that the table does not have.
    pub fn style_default(&self, style: MotionId) -> MotionId {
        self.find(Section::StyleDefaults, &[style.0]).map_or(MotionId::NONE, |entry| MotionId(entry[1]))
    }

    /// The cycle of a motion in a stance.
    pub fn cycle(&self, style: MotionId, motion: MotionId) -> Option<MotionData> {
        self.keyed(Section::Cycles, &[styled_key(style, motion)])
    }

    /// A modifier, the stance's own before the common one.
    pub fn modifier(&self, style: MotionId, motion: MotionId) -> Option<MotionData> {
        self.keyed(Section::Modifiers, &[styled_key(style, motion)])
            .or_else(|| self.keyed(Section::Modifiers, &[motion.index()]))
    }

    /// The link stored under exactly this key and target.
    fn link_entry(&self, outer: u32, to: MotionId) -> Option<MotionData> {
        self.keyed(Section::Links, &[outer, to.0])
    }

    fn keyed(&self, section: Section, key: &[u32]) -> Option<MotionData> {
        let index = *self.find(section, key)?.last()?;
        let words = self.entry(Section::Motions, index as usize)?;
        let vector = |at: usize| {
            Vec3::new(f32::from_bits(words[at]), f32::from_bits(words[at + 1]), f32::from_bits(words[at + 2]))
        };
        Some(MotionData {
            first_anim: (words[0] & 0xffff) as usize,
            num_anims: (words[0] >> 16) as usize,
            clears_modifiers: words[1] & CLEARS_MODIFIERS != 0,
            only_from_default: words[1] & ONLY_FROM_DEFAULT != 0,
            velocity: vector(2),
            omega: vector(5),
        })
    }

    /// The animations of a motion.
    pub fn animations(&self, data: &MotionData) -> impl Iterator<Item = AnimRange> + use<'a> {
        let table = *self;
        let range = data.first_anim..data.first_anim + data.num_anims;
        range.filter_map(move |index| table.entry(Section::Animations, index)).map(|words| AnimRange {
            clip: words[0],
            low_frame: words[1] as u16,
            high_frame: (words[1] >> 16) as u16,
            framerate: f32::from_bits(words[2]),
            hooks: (words[3] as u16, (words[3] >> 16) as u16),
        })
    }

    /// The frame hooks of a clip, as an animation or a hook of the sequence names them.
    pub fn frame_hooks(&self, (first, count): (u16, u16)) -> impl Iterator<Item = FrameHook> + use<'a> {
        let table = *self;
        let range = usize::from(first)..usize::from(first) + usize::from(count);
        range.filter_map(move |index| table.entry(Section::Hooks, index)).map(|words| FrameHook {
            frame: words[0] as u16,
            forward: (words[0] >> 16) & HOOK_FORWARD != 0,
            backward: (words[0] >> 16) & HOOK_BACKWARD != 0,
            value: words[1],
        })
    }

    /// The ids that the table names in full: stances, default cycles and link targets.
    pub fn ids(&self) -> impl Iterator<Item = MotionId> + use<'a> {
        let styles = self.entries(Section::StyleDefaults).flat_map(|entry| [MotionId(entry[0]), MotionId(entry[1])]);
        styles.chain(self.entries(Section::Links).map(|entry| MotionId(entry[1])))
    }
}

#[cfg(test)]
mod tests;
