//! A watch over the wheel of play: whether each task was updated as often as its interval and its start say.
//!
//! The watch looks at what is on the wheel when it begins, counts what is updated meanwhile, and lets aside who came, went or
//! was put somewhere else by anything but its own update: for the others the number of updates follows from bucket and
//! interval alone. It only counts; nothing runs otherwise for it.
//!
//! Source: settled questions 13.

use super::head::TaskHead;
use super::ids::{TASKS, TaskClass, TaskId};
use super::wheel::{BUCKETS, Links, TaskWheel};
use alloc::boxed::Box;
use alloc::vec;
use core::fmt;

/// What is known of one task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Watched {
    /// Ticks until its first update.
    first: u8,
    /// Ticks between two updates, 1 to 255; 0 for a task that is not watched.
    interval: u8,
    /// Updates so far.
    updates: u16,
}

/// What came of a watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WheelReport {
    /// Its length.
    pub ticks: u16,
    /// Tasks that were on the wheel from its beginning to its end, undisturbed.
    pub steady: u16,
    /// Updates of those by their intervals and starts.
    pub expected: u32,
    /// Updates of those that ran.
    pub counted: u32,
    /// All updates, by class.
    pub updates: [u32; TaskClass::ALL.len()],
}

impl fmt::Display for WheelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ticks, steady, expected, counted, updates } = self;
        write!(f, "{ticks} ticks steady {steady} expected {expected} counted {counted}")?;
        TaskClass::ALL.iter().zip(updates).try_for_each(|(class, count)| write!(f, " {class:?} {count}"))
    }
}

/// The watch.
#[derive(Debug)]
pub struct WheelWatch {
    records: Box<[Watched]>,
    /// Ticks until it begins.
    waits: u16,
    ticks: u16,
    /// Ticks that are left of it.
    left: u16,
    updates: [u32; TaskClass::ALL.len()],
    report: Option<WheelReport>,
}

impl Default for WheelWatch {
    fn default() -> Self {
        Self {
            records: vec![Watched::default(); TASKS].into_boxed_slice(),
            waits: 0,
            ticks: 0,
            left: 0,
            updates: [0; TaskClass::ALL.len()],
            report: None,
        }
    }
}

impl WheelWatch {
    /// Nothing is watched, and nothing is reported.
    pub fn stop(&mut self) {
        (self.waits, self.left, self.report) = (0, 0, None);
    }

    /// Watches for some ticks, the first of them after `after` others.
    pub fn start(&mut self, after: u16, ticks: u16) {
        (self.waits, self.ticks, self.left, self.report) = (after.saturating_add(1), ticks, 0, None);
    }

    /// What came of it, once.
    pub fn take_report(&mut self) -> Option<WheelReport> {
        self.report.take()
    }

    /// Before a bucket of play runs. Where the watch's time has come it looks at the wheel; where it is over it reports.
    pub(super) fn tick(&mut self, wheel: &TaskWheel, links: &Links, heads: &[TaskHead]) {
        if self.left > 0 {
            self.left -= 1;
            if self.left == 0 {
                self.report = Some(self.judge());
            }
        } else if self.waits > 0 {
            self.waits -= 1;
            if self.waits == 0 {
                self.look(wheel, links, heads);
            }
        }
    }

    /// A task is put on a wheel or taken off otherwise than by its own update and after its interval.
    #[inline]
    pub(super) fn disturb(&mut self, id: TaskId) {
        if self.left > 0
            && let Some(row) = id.row()
        {
            self.records[row].interval = 0;
        }
    }

    /// A task is updated.
    #[inline]
    pub(super) fn count(&mut self, id: TaskId) {
        if self.left > 0
            && let (Some(class), Some(row)) = (id.class(), id.row())
        {
            self.updates[class as usize] += 1;
            self.records[row].updates += 1;
        }
    }

    /// An updated task is put back after a delay.
    #[inline]
    pub(super) fn again(&mut self, id: TaskId, delay: u16) {
        if self.left > 0
            && let Some(row) = id.row()
            && u16::from(self.records[row].interval) != delay
        {
            self.records[row].interval = 0;
        }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.records)
    }

    fn look(&mut self, wheel: &TaskWheel, links: &Links, heads: &[TaskHead]) {
        self.records.fill(Watched::default());
        self.updates = [0; TaskClass::ALL.len()];
        // From this tick's bucket on; the tick behind the last one reports.
        self.left = self.ticks;
        for bucket in 0..=u8::MAX {
            let first = bucket.wrapping_sub(wheel.current());
            for id in wheel.bucket(links, bucket) {
                let Some((row, head)) = id.row().and_then(|row| Some((row, heads.get(row)?))) else { continue };
                // What runs once, or not even once a turn, is not watched.
                let interval = if usize::from(head.interval) < BUCKETS { head.interval.max(1) as u8 } else { 0 };
                self.records[row] = Watched { first, interval, updates: 0 };
            }
        }
    }

    fn judge(&self) -> WheelReport {
        let mut report = WheelReport { ticks: self.ticks, updates: self.updates, ..WheelReport::default() };
        for watched in self.records.iter().filter(|watched| watched.interval > 0) {
            let after_first = u32::from(self.ticks).checked_sub(u32::from(watched.first) + 1);
            report.steady += 1;
            report.expected += after_first.map_or(0, |ticks| 1 + ticks / u32::from(watched.interval));
            report.counted += u32::from(watched.updates);
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::{Creation, TaskEngine};
    use super::super::fake::{FakeWorld, engine};
    use super::*;
    use crate::maths::Vec3;

    fn tick(tasks: &mut TaskEngine, world: &mut FakeWorld, count: usize) {
        for _ in 0..count {
            tasks.manager.clock.set_time(tasks.manager.clock.now() + 1);
            tasks.run_bucket(world);
        }
    }

    /// Particles of several intervals; the first ones are the quickest.
    fn crowd() -> (TaskEngine, FakeWorld, std::vec::Vec<TaskId>) {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let mut ids = std::vec::Vec::new();
        for (name, interval) in [(21, 1), (22, 6), (23, 7), (24, 120), (25, 200)] {
            world.intervals.insert(name, interval);
            ids.push(tasks.create(&mut world, TaskClass::Particle, name, &Creation::at(Vec3::ZERO)).unwrap());
            tick(&mut tasks, &mut world, 1);
        }
        (tasks, world, ids)
    }

    #[test]
    fn who_is_left_alone_is_updated_as_often_as_interval_and_start_say() {
        let (mut tasks, mut world, _) = crowd();
        tasks.manager.watch.start(5, 120);
        tick(&mut tasks, &mut world, 125);
        assert_eq!(tasks.manager.watch.take_report(), None, "not over yet");
        tick(&mut tasks, &mut world, 1);
        let report = tasks.manager.watch.take_report().unwrap();
        std::println!("{report}");
        assert_eq!((report.ticks, report.steady, report.expected), (120, 5, report.counted));
        assert_eq!(report.counted, 120 + 20 + 17 + 1, "and the slowest not once");
        assert_eq!(report.updates[TaskClass::Particle as usize], report.counted);
        assert_eq!(tasks.manager.watch.take_report(), None, "once");
    }

    #[test]
    fn who_comes_goes_or_is_moved_on_the_wheel_is_left_aside_but_still_counted() {
        let (mut tasks, mut world, ids) = crowd();
        tasks.manager.watch.start(1, 120);
        tick(&mut tasks, &mut world, 10);
        tasks.release(&mut world, ids[0]);
        tasks.manager.schedule_in(ids[1], 3);
        tasks.manager.head_mut(ids[2]).unwrap().set_update_interval(9);
        tasks.create(&mut world, TaskClass::Particle, 21, &Creation::at(Vec3::ZERO)).unwrap();
        tick(&mut tasks, &mut world, 120);
        let report = tasks.manager.watch.take_report().unwrap();
        assert_eq!((report.steady, report.expected, report.counted), (2, 1, 1));
        assert!(report.updates[TaskClass::Particle as usize] > 120);
    }

    #[test]
    fn an_update_that_is_left_out_is_seen() {
        let (mut tasks, mut world, ids) = crowd();
        tasks.manager.watch.start(1, 120);
        tick(&mut tasks, &mut world, 3);
        // As if a list had lost a task.
        tasks.manager.take_off(ids[1]);
        tick(&mut tasks, &mut world, 120);
        let report = tasks.manager.watch.take_report().unwrap();
        assert!(report.steady == 5 && report.counted < report.expected, "{report}");
    }
}
