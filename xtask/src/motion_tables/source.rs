//! The text form of motion tables.

use anyhow::{Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What motion names stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(BTreeMap<String, u32>);

impl Names {
    /// Reads `motions.toml`: a table `motions` of names and ids.
    ///
    /// # Errors
    /// A text that is no such table, or an id that two names share.
    pub fn parse(text: &str) -> Result<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            motions: BTreeMap<String, u32>,
        }
        let names = toml::from_str::<File>(text)?.motions;
        let mut taken = BTreeMap::new();
        for (name, id) in &names {
            if let Some(other) = taken.insert(id, name) {
                bail!("{other} and {name} are both {id:#010x}");
            }
        }
        Ok(Self(names))
    }

    /// The id of a name.
    pub fn id(&self, name: &str) -> Option<u32> {
        self.0.get(name).copied()
    }

    /// Every name with its id.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0.iter().map(|(name, id)| (name.as_str(), *id))
    }
}

/// One motion table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The stance of the default state.
    pub default_style: String,
    /// The clips that the table plays, by the names it gives them.
    pub clips: BTreeMap<String, Clip>,
    /// The stances.
    pub styles: BTreeMap<String, Style>,
    /// Modifiers of every stance that has no own one.
    #[serde(default)]
    pub modifiers: BTreeMap<String, Motion>,
}

/// A clip of the game's clip set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clip {
    /// Its number.
    pub id: u32,
    /// How many frames it has.
    pub frames: u16,
    /// Frames a second at speed 1.
    #[serde(default = "default_rate")]
    pub rate: f32,
    /// What happens at its frames.
    #[serde(default)]
    pub hooks: Vec<FrameHook>,
}

fn default_rate() -> f32 {
    30.0
}

/// Something that happens when a frame is passed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameHook {
    /// The frame.
    pub frame: u16,
    /// In which direction it counts.
    #[serde(default)]
    pub way: HookWay,
    /// What happens, by the game's own list.
    pub value: u32,
}

/// In which direction a frame hook counts.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum HookWay {
    /// In both.
    #[default]
    Both,
    /// Forwards only.
    Forward,
    /// Backwards only.
    Backward,
}

/// A stance.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Style {
    /// Its default cycle.
    pub default: String,
    /// Lasting motions.
    pub cycles: BTreeMap<String, Motion>,
    /// From a motion of the stance, or from `any`, to a motion, an action or another stance.
    #[serde(default)]
    pub links: BTreeMap<String, BTreeMap<String, Motion>>,
    /// Modifiers of this stance alone.
    #[serde(default)]
    pub modifiers: BTreeMap<String, Motion>,
}

/// What a motion plays and how it moves the body.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// Animations in playing order.
    #[serde(default)]
    pub anims: Vec<Anim>,
    /// Says that a cycle without animations is meant.
    #[serde(default)]
    pub empty: bool,
    /// Local velocity at speed 1, metres a second: right, ahead, up.
    #[serde(default)]
    pub velocity: [f32; 3],
    /// Local turning at speed 1, radians a second.
    #[serde(default)]
    pub omega: [f32; 3],
    /// Whether it ends all modifiers and lets none begin.
    #[serde(default)]
    pub clears_modifiers: bool,
    /// Whether it begins only from the stance's default cycle or from itself.
    #[serde(default)]
    pub only_from_default: bool,
}

/// A whole clip, or a part of one.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Anim {
    /// The clip of this name from its first frame to its last.
    Whole(String),
    /// A part of it, or at another rate.
    Part(AnimRange),
}

/// A part of a clip.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnimRange {
    /// The clip's name.
    pub clip: String,
    /// First frame; the clip's first by default.
    pub first: Option<u16>,
    /// Last frame; the clip's last by default.
    pub last: Option<u16>,
    /// Frames a second, negative backwards; the clip's by default.
    pub rate: Option<f32>,
}

impl Anim {
    /// The clip's name.
    pub fn clip(&self) -> &str {
        match self {
            Self::Whole(clip) => clip,
            Self::Part(part) => &part.clip,
        }
    }

    /// First frame, last frame and rate on this clip.
    pub fn range(&self, clip: &Clip) -> (u16, u16, f32) {
        let whole = (0, clip.frames.saturating_sub(1), clip.rate);
        match self {
            Self::Whole(_) => whole,
            Self::Part(part) => {
                (part.first.unwrap_or(whole.0), part.last.unwrap_or(whole.1), part.rate.unwrap_or(whole.2))
            }
        }
    }
}
