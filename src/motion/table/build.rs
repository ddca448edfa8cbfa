//! Tables made in place, for tests and scenes.
//!
//! Stand-in: the game's tables come compiled from the disc; these need neither disc nor compiler.

use super::{CLEARS_MODIFIERS, MAGIC, MotionTable, ONLY_FROM_DEFAULT, TableError, VERSION, styled_key};
use crate::motion::MotionId;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// One motion: clips of ten frames at thirty a second.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The clips' numbers, in playing order.
    pub clips: Vec<u32>,
    /// [`CLEARS_MODIFIERS`] and [`ONLY_FROM_DEFAULT`].
    pub flags: u32,
    /// Local velocity in metres a second.
    pub velocity: [f32; 3],
    /// Local turning in radians a second.
    pub omega: [f32; 3],
}

/// A motion that plays these clips.
pub fn row(clips: &[u32]) -> Row {
    Row { clips: clips.to_vec(), ..Row::default() }
}

impl Row {
    /// The motion, moving ahead at `y` metres a second.
    pub fn moving(mut self, y: f32) -> Self {
        self.velocity = [0.0, y, 0.0];
        self
    }

    /// The motion, turning at `z` radians a second.
    pub fn turning(mut self, z: f32) -> Self {
        self.omega = [0.0, 0.0, z];
        self
    }

    /// The motion, ending all modifiers.
    pub fn clearing(mut self) -> Self {
        self.flags |= CLEARS_MODIFIERS;
        self
    }

    /// The motion, beginning only from the default cycle.
    pub fn only_from_default(mut self) -> Self {
        self.flags |= ONLY_FROM_DEFAULT;
        self
    }
}

/// A table that is being put together.
#[derive(Clone, Debug, Default)]
pub struct TableBuilder {
    style_defaults: BTreeMap<u32, u32>,
    cycles: BTreeMap<u32, Row>,
    modifiers: BTreeMap<u32, Row>,
    links: BTreeMap<(u32, u32), Row>,
}

impl TableBuilder {
    /// Adds a stance with its default cycle.
    pub fn style(mut self, style: MotionId, default: MotionId) -> Self {
        self.style_defaults.insert(style.0, default.0);
        self
    }

    /// Adds a lasting motion of a stance.
    pub fn cycle(mut self, style: MotionId, motion: MotionId, row: Row) -> Self {
        self.cycles.insert(styled_key(style, motion), row);
        self
    }

    /// Adds a modifier of a stance, or of all.
    pub fn modifier(mut self, style: Option<MotionId>, motion: MotionId, row: Row) -> Self {
        self.modifiers.insert(style.map_or(motion.index(), |style| styled_key(style, motion)), row);
        self
    }

    /// Adds a link; from [`MotionId::NONE`] it is one from any motion.
    pub fn link(mut self, style: MotionId, from: MotionId, to: MotionId, row: Row) -> Self {
        self.links.insert((styled_key(style, from), to.0), row);
        self
    }

    /// The words of the table, its default style being the free stance.
    pub fn words(&self) -> Vec<u32> {
        let (mut motions, mut anims) = (Vec::new(), Vec::new());
        let mut add = |row: &Row| {
            let first = anims.len() as u32 / 4;
            for clip in &row.clips {
                anims.extend([*clip, 9 << 16, 30.0f32.to_bits(), 0]);
            }
            motions.extend([first | ((row.clips.len() as u32) << 16), row.flags]);
            motions.extend(row.velocity.iter().chain(&row.omega).map(|v| v.to_bits()));
            motions.len() as u32 / 8 - 1
        };
        let style_defaults: Vec<u32> =
            self.style_defaults.iter().flat_map(|(style, default)| [*style, *default]).collect();
        let cycles: Vec<u32> = self.cycles.iter().flat_map(|(key, row)| [*key, add(row)]).collect();
        let modifiers: Vec<u32> = self.modifiers.iter().flat_map(|(key, row)| [*key, add(row)]).collect();
        let links: Vec<u32> = self.links.iter().flat_map(|((from, to), row)| [*from, *to, add(row)]).collect();
        let lengths = [
            style_defaults.len() / 2,
            cycles.len() / 2,
            modifiers.len() / 2,
            links.len() / 3,
            motions.len() / 8,
            anims.len() / 4,
            0,
        ];
        let mut words = vec![MAGIC, VERSION, MotionId::NON_COMBAT.0];
        words.extend(lengths.iter().map(|length| *length as u32));
        for section in [style_defaults, cycles, modifiers, links, motions, anims] {
            words.extend(section);
        }
        words
    }

    /// The table; its words stay for as long as the program runs.
    ///
    /// # Errors
    /// None for what this builder can put together: it writes what [`MotionTable::parse`] wants.
    pub fn build(&self) -> Result<MotionTable<'static>, TableError> {
        MotionTable::parse(Vec::leak(self.words()))
    }
}

/// A third stance.
pub const BOW: MotionId = MotionId(0x8000_003f);
/// An action.
pub const THRUST: MotionId = MotionId(0x1000_0058);
/// An action that both stances have.
pub const PUNCH: MotionId = MotionId(0x1000_005b);
/// An emote that is an action.
pub const CHEER: MotionId = MotionId(0x1300_004c);
/// A modifier.
pub const WAVE: MotionId = MotionId(0x2000_0090);
/// Another.
pub const NOD: MotionId = MotionId(0x2000_0091);

/// Two stances with a way between them, standing, walking, running, crouching, turning, a thrust, two modifiers.
pub fn sample() -> TableBuilder {
    let (free, fists) = (MotionId::NON_COMBAT, MotionId::HAND_COMBAT);
    TableBuilder::default()
        .style(free, MotionId::READY)
        .style(fists, MotionId::READY)
        .style(BOW, MotionId::READY)
        .cycle(free, MotionId::READY, row(&[1]))
        .cycle(free, MotionId::WALK_FORWARD, row(&[2]).moving(3.12))
        .cycle(free, MotionId::RUN_FORWARD, row(&[3]).moving(4.0))
        .cycle(free, MotionId::CROUCH, row(&[4]).clearing())
        .cycle(free, MotionId::SLEEPING, row(&[5]).only_from_default())
        .cycle(free, MotionId::SITTING, row(&[7]).clearing())
        .cycle(free, MotionId::FALLING, row(&[6]))
        .cycle(fists, MotionId::READY, row(&[11]))
        .cycle(BOW, MotionId::READY, row(&[12]))
        .modifier(None, MotionId::TURN_RIGHT, row(&[]).turning(-1.5))
        .modifier(Some(free), WAVE, row(&[]).moving(0.5))
        .modifier(None, NOD, row(&[]).moving(0.25))
        .link(free, MotionId::READY, MotionId::WALK_FORWARD, row(&[20]))
        .link(free, MotionId::WALK_FORWARD, MotionId::READY, row(&[21]))
        .link(free, MotionId::READY, MotionId::CROUCH, row(&[22, 23]))
        .link(free, MotionId::CROUCH, MotionId::READY, row(&[24]))
        .link(free, MotionId::READY, MotionId::SLEEPING, row(&[25]))
        .link(free, MotionId::READY, THRUST, row(&[26]))
        .link(free, MotionId::READY, fists, row(&[27]))
        .link(fists, MotionId::READY, free, row(&[28]))
        .link(free, MotionId::READY, BOW, row(&[29]))
        .link(free, MotionId::NONE, MotionId::FALLING, row(&[30]))
        .link(free, MotionId::READY, PUNCH, row(&[31]))
        .link(free, MotionId::READY, CHEER, row(&[32]))
        .link(fists, MotionId::READY, PUNCH, row(&[31]))
}
