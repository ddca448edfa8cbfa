//! The stop watch: a time on the screen that missions start, stop and count down.

use super::time;

/// Counts game time up from nothing, or down to nothing.
///
/// Our choice: the sources give this object's size alone. Here it counts a level's game time down from what its rules give it,
/// and the overlay's page of the clocks shows it; what ends a mission is the rules' own count of the ticks that they were asked
/// in.
///
/// Source: seed 003, Game_InitializeSubsystems, step 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StopWatch {
    /// Ticks counted before the last start.
    counted: u64,
    /// Game time of the last start, while it runs.
    started: Option<u64>,
    /// Ticks that a countdown began with.
    limit: Option<u64>,
}

impl StopWatch {
    /// Stands at nothing, stopped, counting up.
    pub const fn new() -> Self {
        Self { counted: 0, started: None, limit: None }
    }

    /// Counts down from `milliseconds`, stopped.
    pub const fn countdown(milliseconds: u32) -> Self {
        Self { counted: 0, started: None, limit: Some(time::from_milliseconds(milliseconds)) }
    }

    /// Runs from game time `now` on, in ticks. One that runs goes on.
    // Covers: seed 003, step 7 stop watch test=it_counts_only_while_it_runs
    pub const fn start(&mut self, now: u64) {
        if self.started.is_none() {
            self.started = Some(now);
        }
    }

    /// Stands from game time `now` on, in ticks.
    pub const fn stop(&mut self, now: u64) {
        self.counted = self.counted(now);
        self.started = None;
    }

    /// True while it runs.
    pub const fn is_running(&self) -> bool {
        self.started.is_some()
    }

    /// What it shows at game time `now`, in ticks: the time counted, or the time that is left.
    pub const fn shown(&self, now: u64) -> u64 {
        match self.limit {
            Some(limit) => limit.saturating_sub(self.counted(now)),
            None => self.counted(now),
        }
    }

    /// True when a countdown has nothing left.
    pub const fn is_over(&self, now: u64) -> bool {
        self.limit.is_some() && self.shown(now) == 0
    }

    const fn counted(&self, now: u64) -> u64 {
        match self.started {
            Some(started) => self.counted + now.saturating_sub(started),
            None => self.counted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_only_while_it_runs() {
        let mut watch = StopWatch::new();
        assert_eq!(watch.shown(500), 0);
        watch.start(500);
        watch.start(600);
        assert_eq!((watch.shown(700), watch.is_running()), (200, true));
        watch.stop(800);
        assert_eq!((watch.shown(5000), watch.is_running()), (300, false));
        watch.start(6000);
        assert_eq!(watch.shown(6001), 301);
        assert!(!watch.is_over(u64::MAX), "counting up has no end");
    }

    #[test]
    fn a_countdown_ends_at_nothing() {
        let mut watch = StopWatch::countdown(1000);
        let end = time::from_milliseconds(1000);
        assert!(!watch.is_over(end));
        watch.start(0);
        assert_eq!(watch.shown(end - 1), 1);
        assert!(watch.is_over(end) && watch.shown(2 * end) == 0);
    }
}
