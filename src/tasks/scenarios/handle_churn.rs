//! A million takes and frees of handles of every kind, in waves that fill the table and empty it again.

use crate::tasks::handle::{ENTRIES, Handle, HandleTable, Kind, Target};
use crate::tasks::ids::{TaskClass, TaskId};
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// Takes and frees in all.
const STEPS: u32 = 1_000_000;
/// Steps of a wave: it grows in the first half and shrinks in the second.
const WAVE: u32 = 12_500;
/// Out of 16 takes how many are of each kind: more of the first four than their ranges hold.
const SHARES: [(Kind, u32); 5] =
    [(Kind::Human, 1), (Kind::Camera, 1), (Kind::Flag, 4), (Kind::Box, 2), (Kind::Cursor, 8)];
/// One out of so many refused humans finds a corpse.
const CORPSES: u32 = 4;

/// What one kind has come to.
#[derive(Clone, Copy, Default)]
struct Tally {
    taken: u32,
    refused: u32,
    spilled: u32,
}

/// A live handle and what it has to resolve to.
type Live = (Handle, Target, Kind);

struct Churn {
    table: HandleTable,
    live: Vec<Live>,
    tallies: [Tally; SHARES.len()],
    random: u32,
    humans: usize,
    culled: u32,
    freed: u32,
    wrong: u32,
    fullest: u16,
}

/// Plays the scene.
pub(super) fn play(_: super::FrameClock<'_>, out: &mut dyn Write) -> fmt::Result {
    let mut churn = Churn {
        table: HandleTable::new(),
        live: Vec::with_capacity(ENTRIES),
        tallies: [Tally::default(); SHARES.len()],
        random: 12_345,
        humans: 0,
        culled: 0,
        freed: 0,
        wrong: 0,
        fullest: 0,
    };
    for step in 0..STEPS {
        // Seven takes to one free while a wave grows, one to seven while it shrinks.
        let (growing, one_in_eight) = (step % WAVE < WAVE / 2, churn.next().is_multiple_of(8));
        if growing != one_in_eight { churn.take(step) } else { churn.free() }
    }
    let Churn { table, live, tallies, culled, freed, mut wrong, fullest, .. } = churn;
    wrong += live.iter().filter(|(handle, target, _)| table.resolve(*handle) != Some(*target)).count() as u32;
    wrong += u32::from(usize::from(table.live()) != live.len());
    writeln!(out, "steps {STEPS} freed {freed} culled {culled} wrong {wrong}")?;
    for ((kind, _), tally) in SHARES.iter().zip(tallies) {
        writeln!(out, "{kind:?} taken {} refused {} spilled {}", tally.taken, tally.refused, tally.spilled)?;
    }
    writeln!(out, "fullest {fullest} live {} refused {}", table.live(), table.refusals())
}

impl Churn {
    /// Sixteen random bits.
    fn next(&mut self) -> u32 {
        self.random = self.random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.random >> 16
    }

    /// Takes a handle of some kind; a refusal has to be one.
    fn take(&mut self, step: u32) {
        let mut pick = self.next() % 16;
        let index = SHARES.iter().position(|(_, share)| {
            let here = pick < *share;
            pick = pick.wrapping_sub(*share);
            here
        });
        let index = index.unwrap_or(SHARES.len() - 1);
        let kind = SHARES[index].0;
        let target = Target::Task(TaskId::new(TaskClass::Particle, (step % 1400) as u16));
        let finds_corpse = self.next().is_multiple_of(CORPSES);
        let finds_corpse = finds_corpse && kind == Kind::Human;
        let corpse = finds_corpse.then(|| self.live.iter().position(|(.., other)| *other == Kind::Human)).flatten();
        let mut asked = false;
        let made = self.table.assign(kind, target, |table| {
            asked = true;
            if let Some(place) = corpse {
                table.free(self.live[place].0);
            }
        });
        if let Some(place) = corpse.filter(|_| asked) {
            self.live.swap_remove(place);
            self.humans -= 1;
            self.culled += 1;
        }
        let tally = &mut self.tallies[index];
        match made {
            Some(handle) => {
                tally.taken += 1;
                tally.spilled += u32::from(is_spilled(kind, handle.index()));
                self.wrong += u32::from(handle.index() < kind.start() || handle.serial() == 0);
                self.wrong += u32::from(self.table.resolve(handle) != Some(target));
                self.humans += usize::from(kind == Kind::Human);
                self.live.push((handle, target, kind));
            }
            None => {
                tally.refused += 1;
                let rightly = match kind {
                    Kind::Human => self.humans == 60,
                    _ => self.table.find_free(kind.start()).is_none(),
                };
                self.wrong += u32::from(!rightly);
            }
        }
        self.fullest = self.fullest.max(self.table.live());
    }

    /// Frees some live handle, which resolves until then and never again.
    fn free(&mut self) {
        if self.live.is_empty() {
            return;
        }
        let place = self.next() as usize % self.live.len();
        let (handle, target, kind) = self.live.swap_remove(place);
        self.wrong += u32::from(self.table.resolve(handle) != Some(target));
        self.wrong += u32::from(!self.table.free(handle) || self.table.free(handle));
        self.wrong += u32::from(self.table.resolve(handle).is_some());
        self.humans -= usize::from(kind == Kind::Human);
        self.freed += 1;
    }
}

/// Whether an index lies above the range that is a kind's own.
fn is_spilled(kind: Kind, index: u16) -> bool {
    let end = match kind {
        Kind::Human => Kind::Camera.start(),
        Kind::Camera => Kind::Flag.start(),
        Kind::Flag => Kind::Box.start(),
        Kind::Box => Kind::Cursor.start(),
        Kind::Cursor => ENTRIES as u16,
    };
    index >= end
}

#[cfg(test)]
mod tests {
    use std::string::String;

    #[test]
    fn a_million_handles_of_every_kind_fill_spill_and_come_back_without_a_fault() {
        let mut text = String::new();
        super::play(&mut || 0, &mut text).unwrap();
        let figure = |line: &str, word: &str| -> u32 {
            let line = text.lines().find(|l| l.starts_with(line)).unwrap();
            let mut words = line.split(' ').skip_while(|w| *w != word);
            words.nth(1).unwrap().parse().unwrap()
        };
        assert_eq!((figure("steps", "steps"), figure("steps", "wrong")), (1_000_000, 0), "{text}");
        assert_eq!(figure("fullest", "fullest"), 0xb00, "the table was full: {text}");
        for kind in ["Human", "Camera", "Flag", "Box", "Cursor"] {
            assert!(figure(kind, "taken") > 5_000 && figure(kind, "refused") > 0, "{kind}: {text}");
        }
        for kind in ["Camera", "Flag", "Box"] {
            assert!(figure(kind, "spilled") > 0, "{kind}: {text}");
        }
        assert_eq!((figure("Human", "spilled"), figure("Cursor", "spilled")), (0, 0), "{text}");
        assert!(figure("steps", "culled") > 0, "{text}");
        let all: u32 = ["Human", "Camera", "Flag", "Box", "Cursor"].iter().map(|kind| figure(kind, "taken")).sum();
        assert_eq!(all, figure("steps", "freed") + figure("steps", "culled") + figure("fullest", "live"), "{text}");
    }
}
