//! What was asked for and not there: counted always, the latest kept.

use super::registry::Name;

/// One refused request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// The pool that was asked.
    pub pool: Name,
    /// Bytes asked for.
    pub wanted: usize,
    /// The most bytes that the pool could have given at that moment.
    pub largest: usize,
}

/// How often a pool ran out, and the latest times.
#[derive(Clone, Debug)]
pub struct Shortages {
    latest: [Option<Shortage>; Self::KEPT],
    count: u32,
}

impl Shortages {
    /// Refused requests that are kept.
    pub const KEPT: usize = 16;

    /// None so far.
    pub const fn new() -> Self {
        Self { latest: [None; Self::KEPT], count: 0 }
    }

    /// Adds one; the oldest kept one makes room.
    pub fn note(&mut self, shortage: Shortage) {
        self.latest.rotate_right(1);
        self.latest[0] = Some(shortage);
        self.count = self.count.saturating_add(1);
    }

    /// How often in all.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The kept ones, latest first.
    pub fn latest(&self) -> impl Iterator<Item = &Shortage> {
        self.latest.iter().flatten()
    }
}

impl Default for Shortages {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_sixteen_are_kept_and_all_are_counted() {
        let mut shortages = Shortages::new();
        for wanted in 0..20 {
            shortages.note(Shortage { pool: Name::new("p"), wanted, largest: 0 });
        }
        let kept: std::vec::Vec<_> = shortages.latest().map(|shortage| shortage.wanted).collect();
        assert_eq!((shortages.count(), kept.len(), kept[0], kept[15]), (20, 16, 19, 4));
    }
}
