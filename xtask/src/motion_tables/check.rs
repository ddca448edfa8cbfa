//! What can be wrong with a table.

use super::source::{Clip, Motion, Names, Style, Table};
use std::collections::{BTreeMap, BTreeSet};

/// Class bits of motion ids.
const STYLE: u32 = 0x8000_0000;
const SUB_STATE: u32 = 0x4000_0000;
const MODIFIER: u32 = 0x2000_0000;
const ACTION: u32 = 0x1000_0000;
/// The part of an id that the table's keys hold beside a stance.
const KEY_INDEX: u32 = 0xffff;
/// Animations that the engine's sequence holds.
const MAX_SEQUENCE: usize = 32;
/// The name that a style-wide link comes from.
pub(super) const ANY: &str = "any";

/// Everything that is wrong with a table, one line each; empty for a sound one.
pub fn check(table: &Table, names: &Names) -> Vec<String> {
    let mut checker = Checker { table, names, problems: Vec::new() };
    checker.clips();
    if !table.styles.contains_key(&table.default_style) {
        checker.problem(format!("the default stance {} is not in the table", table.default_style));
    }
    for (name, style) in &table.styles {
        checker.style(name, style);
    }
    checker.modifiers("every stance", &table.modifiers);
    checker.ways_between_styles();
    checker.problems
}

struct Checker<'a> {
    table: &'a Table,
    names: &'a Names,
    problems: Vec<String>,
}

impl Checker<'_> {
    fn problem(&mut self, text: String) {
        self.problems.push(text);
    }

    /// The id of a name that must carry the class.
    fn id(&mut self, place: &str, name: &str, class: u32, what: &str) -> Option<u32> {
        let Some(id) = self.names.id(name) else {
            self.problem(format!("{place}: no motion is called {name}"));
            return None;
        };
        if id & class == 0 {
            self.problem(format!("{place}: {name} ({id:#010x}) is no {what}"));
        }
        if id & 0x00ff_ffff > KEY_INDEX {
            self.problem(format!("{place}: the index of {name} ({id:#010x}) does not fit a key"));
        }
        Some(id)
    }

    fn clips(&mut self) {
        for (name, clip) in &self.table.clips {
            if clip.frames == 0 {
                self.problem(format!("clip {name} has no frames"));
            }
            if !usable_rate(clip.rate) {
                self.problem(format!("clip {name} has the rate {}", clip.rate));
            }
            for hook in &clip.hooks {
                if hook.frame >= clip.frames {
                    self.problem(format!("clip {name}: a hook at frame {} of {}", hook.frame, clip.frames));
                }
            }
        }
    }

    fn motion(&mut self, place: &str, motion: &Motion) {
        for anim in &motion.anims {
            let Some(clip) = self.table.clips.get(anim.clip()) else {
                self.problem(format!("{place}: there is no clip {}", anim.clip()));
                continue;
            };
            self.range(place, anim.clip(), clip, anim.range(clip));
        }
        if motion.velocity.iter().chain(&motion.omega).any(|number| !number.is_finite()) {
            self.problem(format!("{place}: velocity and omega must be numbers"));
        }
    }

    fn range(&mut self, place: &str, name: &str, clip: &Clip, (first, last, rate): (u16, u16, f32)) {
        if first > last || last >= clip.frames.max(1) {
            self.problem(format!("{place}: frames {first} to {last} of {name}, which has {}", clip.frames));
        }
        if !usable_rate(rate) {
            self.problem(format!("{place}: {name} at the rate {rate}"));
        }
    }

    fn style(&mut self, name: &str, style: &Style) {
        self.id("stances", name, STYLE, "stance");
        if !style.cycles.contains_key(&style.default) {
            self.problem(format!("{name}: the default cycle {} is not there", style.default));
        }
        for (motion_name, motion) in &style.cycles {
            let place = format!("{name}, cycle {motion_name}");
            self.id(&place, motion_name, SUB_STATE, "lasting motion");
            self.motion(&place, motion);
            if motion.anims.is_empty() != motion.empty {
                let text = if motion.empty { "is said to be empty and is not" } else { "has no animations" };
                self.problem(format!("{place} {text} (empty = true says that none are meant)"));
            }
        }
        for (from, targets) in &style.links {
            for (to, motion) in targets {
                let place = format!("{name}, link {from} to {to}");
                self.link(&place, style, from, to);
                self.motion(&place, motion);
                if motion.anims.is_empty() {
                    self.problem(format!("{place} has no animations"));
                }
                self.length(&place, style, to, motion);
            }
        }
        self.modifiers(name, &style.modifiers);
    }

    fn link(&mut self, place: &str, style: &Style, from: &str, to: &str) {
        if from != ANY {
            self.id(place, from, SUB_STATE, "lasting motion");
            if !self.has_cycle(style, from) {
                self.problem(format!("{place}: {from} has no cycle"));
            }
        }
        let Some(id) = self.id(place, to, STYLE | SUB_STATE | ACTION, "stance, lasting motion or action") else {
            return;
        };
        if id & STYLE != 0 {
            if !self.table.styles.contains_key(to) {
                self.problem(format!("{place}: there is no stance {to}"));
            }
        } else if id & SUB_STATE != 0 && !self.has_cycle(style, to) {
            self.problem(format!("{place}: {to} has no cycle"));
        }
    }

    /// Whether the stance or, in its place, the default stance has a cycle for the motion.
    fn has_cycle(&self, style: &Style, motion: &str) -> bool {
        style.cycles.contains_key(motion)
            || self.table.styles.get(&self.table.default_style).is_some_and(|style| style.cycles.contains_key(motion))
    }

    /// Whether the link with the cycle it leads to fits the engine's sequence.
    fn length(&mut self, place: &str, style: &Style, to: &str, link: &Motion) {
        let cycle = style.cycles.get(to).map_or(1, |cycle| cycle.anims.len());
        // A way through the default cycle has up to three links.
        if 3 * link.anims.len() + cycle > MAX_SEQUENCE {
            self.problem(format!("{place} has too many animations"));
        }
    }

    fn modifiers(&mut self, owner: &str, modifiers: &BTreeMap<String, Motion>) {
        for (name, motion) in modifiers {
            let place = format!("{owner}, modifier {name}");
            self.id(&place, name, MODIFIER, "modifier");
            self.motion(&place, motion);
            if !motion.anims.is_empty() {
                self.problem(format!("{place}: animations of modifiers are never played"));
            }
        }
    }

    /// Every stance must be reachable from every other: directly, or through the default stance.
    fn ways_between_styles(&mut self) {
        let direct: BTreeSet<(&str, &str)> = self
            .table
            .styles
            .iter()
            .flat_map(|(from, style)| {
                let ways = [style.links.get(&style.default), style.links.get(ANY)];
                ways.into_iter()
                    .flatten()
                    .flat_map(|targets| targets.keys())
                    .map(move |to| (from.as_str(), to.as_str()))
            })
            .collect();
        let middle = self.table.default_style.as_str();
        for from in self.table.styles.keys().map(String::as_str) {
            for to in self.table.styles.keys().map(String::as_str).filter(|to| *to != from) {
                let through = direct.contains(&(from, middle)) && direct.contains(&(middle, to));
                if !direct.contains(&(from, to)) && !through {
                    self.problems.push(format!("there is no way from stance {from} to stance {to}"));
                }
            }
        }
    }
}

fn usable_rate(rate: f32) -> bool {
    rate.is_finite() && rate != 0.0
}
