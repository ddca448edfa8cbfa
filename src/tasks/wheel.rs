//! The timing wheel: 256 buckets, one of them run each tick.

use super::head::RUN_ONCE;
use super::ids::{TASKS, TaskId};
use alloc::boxed::Box;
use alloc::vec;

/// Buckets of a wheel.
pub const BUCKETS: usize = 256;

/// A task's place on a wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WheelLink {
    next: TaskId,
    previous: TaskId,
    /// The bucket, or -1.
    pub bucket: i16,
    /// 0 play, 1 pause, 2 never scheduled.
    pub phase: u8,
}

impl Default for WheelLink {
    fn default() -> Self {
        Self { next: TaskId::NONE, previous: TaskId::NONE, bucket: Self::NO_BUCKET, phase: Self::NO_PHASE }
    }
}

impl WheelLink {
    /// The bucket of a task that is on no wheel.
    pub const NO_BUCKET: i16 = -1;
    /// The phase of a task that was never scheduled.
    pub const NO_PHASE: u8 = 2;

    /// Takes the link out of the world; the phase stays.
    // Covers: seed 000, TaskWheel_ClearLink (0x003a3408) test=a_removed_link_is_clear
    pub fn clear(&mut self) {
        self.next = TaskId::NONE;
        self.previous = TaskId::NONE;
        self.bucket = Self::NO_BUCKET;
    }
}

/// The links of all tasks.
#[derive(Debug)]
pub struct Links(Box<[WheelLink]>);

impl Default for Links {
    fn default() -> Self {
        Self(vec![WheelLink::default(); TASKS].into_boxed_slice())
    }
}

impl Links {
    /// A task's link; a default one for no task.
    #[inline]
    pub fn get(&self, id: TaskId) -> WheelLink {
        id.row().map_or_else(WheelLink::default, |row| self.0[row])
    }

    /// A task's link.
    #[inline]
    pub fn get_mut(&mut self, id: TaskId) -> Option<&mut WheelLink> {
        Some(&mut self.0[id.row()?])
    }

    /// Clears every link, phases too.
    pub fn reset(&mut self) {
        self.0.fill(WheelLink::default());
    }
}

/// One wheel. Source: seed 000, The TaskManager and The wheel.
#[derive(Debug)]
pub struct TaskWheel {
    current: u8,
    heads: [TaskId; BUCKETS],
    /// What is left of the bucket that runs now, which is no longer in `heads`.
    running: TaskId,
    /// The current bucket is detached: what is inserted there waits a full turn.
    runs: bool,
}

impl Default for TaskWheel {
    fn default() -> Self {
        Self { current: 0, heads: [TaskId::NONE; BUCKETS], running: TaskId::NONE, runs: false }
    }
}

impl TaskWheel {
    /// Empties all buckets and starts at the first.
    // Covers: seed 000, TaskWheel_Init (0x003a33d8) test=an_initialised_wheel_is_empty_and_at_bucket_0
    pub fn init(&mut self) {
        *self = Self::default();
    }

    /// The bucket of this tick, 0 to 255.
    pub fn current(&self) -> u8 {
        self.current
    }

    /// The bucket that runs `ticks` from now, modulo the wheel. What is to run at once (0 ticks, or once only) runs with the
    /// next bucket when the current one runs already.
    // Covers: seed 000, TaskWheel_FindBucket (0x003a3430) test=buckets_wrap_modulo_256
    pub fn find_bucket(&self, ticks: u16) -> u8 {
        // Our choice: the detached bucket has been left behind, and a full turn is not what "at once" means.
        let ticks = if self.runs && matches!(ticks, 0 | RUN_ONCE) { 1 } else { ticks };
        self.current.wrapping_add(ticks as u8)
    }

    /// Puts a task at the head of a bucket.
    // Covers: seed 000, TaskWheel_Insert (0x003a3478) test=insertion_is_at_the_head
    pub fn insert(&mut self, links: &mut Links, id: TaskId, bucket: u8) {
        let head = self.heads[usize::from(bucket)];
        let Some(link) = links.get_mut(id) else { return };
        link.next = head;
        link.previous = TaskId::NONE;
        link.bucket = i16::from(bucket);
        if let Some(after) = links.get_mut(head) {
            after.previous = id;
        }
        self.heads[usize::from(bucket)] = id;
    }

    /// Takes a task out of its bucket, also out of the one that runs now. Says whether it was in one.
    // Covers: seed 000, TaskWheel_Remove (0x003a34b0) test=a_removed_link_is_clear
    pub fn remove(&mut self, links: &mut Links, id: TaskId) -> bool {
        let link = links.get(id);
        let Ok(bucket) = usize::try_from(link.bucket) else { return false };
        if let Some(before) = links.get_mut(link.previous) {
            before.next = link.next;
        } else if self.running == id {
            self.running = link.next;
        } else {
            self.heads[bucket] = link.next;
        }
        if let Some(after) = links.get_mut(link.next) {
            after.previous = link.previous;
        }
        if let Some(link) = links.get_mut(id) {
            link.clear();
        }
        true
    }

    /// Detaches the current bucket: what is inserted into it from now on runs a full turn later.
    pub fn begin(&mut self) {
        self.runs = true;
        self.running = core::mem::take(&mut self.heads[usize::from(self.current)]);
    }

    /// The next task of the detached bucket. It stays there until it is removed.
    #[inline]
    pub fn running(&self) -> TaskId {
        self.running
    }

    /// Goes on to the next bucket.
    pub fn advance(&mut self) {
        self.runs = false;
        self.current = self.current.wrapping_add(1);
    }

    /// In how many ticks a bucket runs, counted from the current one: 1 to 256 while that runs, 0 to 255 otherwise.
    pub fn ticks_until(&self, bucket: u8) -> u16 {
        match (bucket.wrapping_sub(self.current), self.runs) {
            (0, true) => BUCKETS as u16,
            (ticks, _) => ticks.into(),
        }
    }

    /// The tasks of a bucket, from its head.
    pub fn bucket<'a>(&'a self, links: &'a Links, bucket: u8) -> impl Iterator<Item = TaskId> + 'a {
        let mut next = self.heads[usize::from(bucket)];
        core::iter::from_fn(move || {
            let id = next;
            id.row()?;
            next = links.get(id).next;
            Some(id)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn id(n: u16) -> TaskId {
        TaskId::from_row(n)
    }

    fn rows(wheel: &TaskWheel, links: &Links, bucket: u8) -> Vec<u16> {
        wheel.bucket(links, bucket).map(TaskId::raw).collect()
    }

    #[test]
    fn a_link_is_eight_bytes() {
        assert_eq!(core::mem::size_of::<WheelLink>(), 8);
    }

    #[test]
    fn an_initialised_wheel_is_empty_and_at_bucket_0() {
        let (mut wheel, mut links) = (TaskWheel::default(), Links::default());
        wheel.insert(&mut links, id(1), 0);
        wheel.advance();
        wheel.init();
        assert_eq!(wheel.current(), 0);
        assert!(rows(&wheel, &links, 0).is_empty());
    }

    #[test]
    fn buckets_wrap_modulo_256() {
        let mut wheel = TaskWheel::default();
        for _ in 0..250 {
            wheel.advance();
        }
        assert_eq!([wheel.find_bucket(5), wheel.find_bucket(6), wheel.find_bucket(0x100)], [255, 0, 250]);
        assert_eq!([250, 255, 0, 249].map(|bucket| wheel.ticks_until(bucket)), [0, 5, 6, 255]);
        wheel.begin();
        let at_once = [wheel.find_bucket(0), wheel.find_bucket(0x100), wheel.find_bucket(1), wheel.find_bucket(0x200)];
        assert_eq!(at_once, [251, 251, 251, 250], "the bucket that runs is left behind");
        assert_eq!([250, 251].map(|bucket| wheel.ticks_until(bucket)), [256, 1]);
        wheel.advance();
        assert_eq!(wheel.find_bucket(0), 251);
    }

    #[test]
    fn insertion_is_at_the_head() {
        let (mut wheel, mut links) = (TaskWheel::default(), Links::default());
        for n in [3, 1, 2] {
            wheel.insert(&mut links, id(n), 9);
        }
        assert_eq!(rows(&wheel, &links, 9), [2, 1, 3]);
        wheel.insert(&mut links, TaskId::NONE, 9);
        assert_eq!(rows(&wheel, &links, 9), [2, 1, 3]);
    }

    #[test]
    fn a_removed_link_is_clear() {
        let (mut wheel, mut links) = (TaskWheel::default(), Links::default());
        for n in [3, 1, 2] {
            wheel.insert(&mut links, id(n), 9);
        }
        for (n, left) in [(1, &[2, 3][..]), (2, &[3]), (3, &[])] {
            assert!(wheel.remove(&mut links, id(n)));
            assert_eq!(rows(&wheel, &links, 9), left);
            assert_eq!(links.get(id(n)), WheelLink::default());
        }
        assert!(!wheel.remove(&mut links, id(1)));
    }

    #[test]
    fn the_running_bucket_is_detached() {
        let (mut wheel, mut links) = (TaskWheel::default(), Links::default());
        wheel.insert(&mut links, id(1), 0);
        wheel.insert(&mut links, id(2), 0);
        wheel.begin();
        wheel.insert(&mut links, id(5), 0);
        assert_eq!(wheel.running(), id(2));
        assert!(wheel.remove(&mut links, id(1)), "a task that waits in the running bucket may be taken out");
        wheel.remove(&mut links, id(2));
        assert!(wheel.running().is_none());
        assert_eq!(rows(&wheel, &links, 0), [5], "what came meanwhile waits a full turn");
    }

    proptest::proptest! {
        #[test]
        fn every_task_is_in_the_bucket_it_was_put_in(steps in proptest::collection::vec((0u16..40, 0u8..8, 0u8..3), 0..300)) {
            let (mut wheel, mut links) = (TaskWheel::default(), Links::default());
            let mut model: Vec<Vec<u16>> = std::vec![Vec::new(); 8];
            for (n, bucket, operation) in steps {
                let place = model.iter().position(|b| b.contains(&n));
                proptest::prop_assert_eq!(links.get(id(n)).bucket, place.map_or(-1, |b| b as i16));
                if operation == 0 || place.is_some() {
                    proptest::prop_assert_eq!(wheel.remove(&mut links, id(n)), place.is_some());
                    model.iter_mut().for_each(|b| b.retain(|m| *m != n));
                } else {
                    wheel.insert(&mut links, id(n), bucket);
                    model[usize::from(bucket)].insert(0, n);
                }
            }
            for (bucket, tasks) in model.iter().enumerate() {
                proptest::prop_assert_eq!(&rows(&wheel, &links, bucket as u8), tasks);
            }
        }
    }
}
