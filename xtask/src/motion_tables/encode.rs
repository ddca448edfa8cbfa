//! The words of a compiled table.
//!
//! A header (magic, version, default style, the seven section lengths in entries), then the sections: style defaults,
//! cycles, modifiers, links, motions, animations, frame hooks. Keyed sections are sorted, because the engine halves its
//! way to an entry.

use super::check::ANY;
use super::source::{HookWay, Motion, Names, Table};
use std::collections::BTreeMap;

/// First word: "BWMT".
const MAGIC: u32 = u32::from_le_bytes(*b"BWMT");
/// Second word.
const VERSION: u32 = 1;
/// Flag of a motion that ends all modifiers and lets none begin.
const CLEARS_MODIFIERS: u32 = 1;
/// Flag of a motion that begins only from the stance's default cycle or from itself.
const ONLY_FROM_DEFAULT: u32 = 2;
/// Bits of a frame hook's direction.
const FORWARD: u32 = 1;
const BACKWARD: u32 = 2;

/// The words of a table that has been checked; names that do not exist would come out as nothing.
pub fn encode(table: &Table, names: &Names) -> Vec<u32> {
    let id = |name: &str| names.id(name).unwrap_or(0);
    let styled = |style: u32, motion: u32| (style << 16) | (motion & 0x00ff_ffff);
    let mut writer = Writer::new(table);

    let mut style_defaults = BTreeMap::new();
    let (mut cycles, mut modifiers, mut links) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (style_name, style) in &table.styles {
        let style_id = id(style_name);
        style_defaults.insert(style_id, id(&style.default));
        for (name, motion) in &style.cycles {
            cycles.insert(styled(style_id, id(name)), writer.motion(motion));
        }
        for (name, motion) in &style.modifiers {
            modifiers.insert(styled(style_id, id(name)), writer.motion(motion));
        }
        for (from, targets) in &style.links {
            let from = if from == ANY { 0 } else { id(from) };
            for (to, motion) in targets {
                links.insert((styled(style_id, from), id(to)), writer.motion(motion));
            }
        }
    }
    for (name, motion) in &table.modifiers {
        modifiers.insert(id(name) & 0x00ff_ffff, writer.motion(motion));
    }

    let pairs = |map: &BTreeMap<u32, u32>| map.iter().flat_map(|(key, value)| [*key, *value]).collect::<Vec<_>>();
    let link_words: Vec<u32> = links.iter().flat_map(|((from, to), motion)| [*from, *to, *motion]).collect();
    let lengths = [
        style_defaults.len(),
        cycles.len(),
        modifiers.len(),
        links.len(),
        writer.motions.len() / 8,
        writer.anims.len() / 4,
        writer.hooks.len() / 2,
    ];
    let mut words = vec![MAGIC, VERSION, id(&table.default_style)];
    words.extend(lengths.map(|length| length as u32));
    words.extend(pairs(&style_defaults));
    words.extend(pairs(&cycles));
    words.extend(pairs(&modifiers));
    words.extend(link_words);
    words.extend(writer.motions);
    words.extend(writer.anims);
    words.extend(writer.hooks);
    words
}

/// The sections that others refer to.
struct Writer<'a> {
    table: &'a Table,
    motions: Vec<u32>,
    anims: Vec<u32>,
    hooks: Vec<u32>,
    /// First hook and count of each clip, packed.
    clip_hooks: BTreeMap<&'a str, u32>,
}

impl<'a> Writer<'a> {
    fn new(table: &'a Table) -> Self {
        let (mut hooks, mut clip_hooks) = (Vec::new(), BTreeMap::new());
        for (name, clip) in &table.clips {
            clip_hooks.insert(name.as_str(), (hooks.len() as u32 / 2) | ((clip.hooks.len() as u32) << 16));
            for hook in &clip.hooks {
                let way = match hook.way {
                    HookWay::Both => FORWARD | BACKWARD,
                    HookWay::Forward => FORWARD,
                    HookWay::Backward => BACKWARD,
                };
                hooks.extend([u32::from(hook.frame) | (way << 16), hook.value]);
            }
        }
        Self { table, motions: Vec::new(), anims: Vec::new(), hooks, clip_hooks }
    }

    /// Adds a motion and returns its index.
    fn motion(&mut self, motion: &Motion) -> u32 {
        let first = self.anims.len() as u32 / 4;
        for anim in &motion.anims {
            let Some(clip) = self.table.clips.get(anim.clip()) else { continue };
            let (low, high, rate) = anim.range(clip);
            let hooks = self.clip_hooks.get(anim.clip()).copied().unwrap_or(0);
            self.anims.extend([clip.id, u32::from(low) | (u32::from(high) << 16), rate.to_bits(), hooks]);
        }
        let count = self.anims.len() as u32 / 4 - first;
        let flags = if motion.clears_modifiers { CLEARS_MODIFIERS } else { 0 }
            | if motion.only_from_default { ONLY_FROM_DEFAULT } else { 0 };
        self.motions.extend([first | (count << 16), flags]);
        self.motions.extend(motion.velocity.iter().chain(&motion.omega).map(|number| number.to_bits()));
        self.motions.len() as u32 / 8 - 1
    }
}
