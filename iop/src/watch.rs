//! Whether the threads that do the work go on. The server looks when it answers, and tells the EE of one that stands.
//!
//! Whatever a thread waits for (the drive's library looking through a folder, a transfer, memory that is pushed to the EE) may
//! never come, and some of it cannot be given up: the EE's memory must not be taken for free while something may still arrive
//! there. So those waits have no end of their own; a thread that stands in one is told as what it is.

/// Threads that are watched.
pub const THREADS: usize = 2;
/// The disc's.
pub const DISC: usize = 0;
/// The music's.
pub const MUSIC: usize = 1;

/// Ticks of the system's clock for which a thread with something to do may stand: fifteen seconds. A command of the drive has
/// five.
const PATIENCE: u32 = 15 * 36_864_000;

/// What was seen of the threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    beats: [u32; THREADS],
    since: [u32; THREADS],
}

impl Watch {
    /// Nothing was seen yet.
    pub const fn new() -> Self {
        // No thread has beaten that often: the first look sets the time, however late it comes.
        Self { beats: [u32::MAX; THREADS], since: [0; THREADS] }
    }

    /// Looks at the threads' beats, `None` of one that has nothing to do; true when one stands.
    pub fn look(&mut self, beats: [Option<u32>; THREADS], now: u32) -> bool {
        let mut stands = false;
        for ((beat, seen), since) in beats.into_iter().zip(&mut self.beats).zip(&mut self.since) {
            match beat {
                Some(beat) if beat == *seen => stands |= now.wrapping_sub(*since) >= PATIENCE,
                beat => {
                    // One that has nothing to do may begin at any time.
                    *seen = beat.unwrap_or(*seen);
                    *since = now;
                }
            }
        }
        stands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_stands_is_told_until_it_goes_on() {
        let mut watch = Watch::new();
        let begin = u32::MAX - 5;
        assert!(!watch.look([Some(1), Some(1)], begin));
        assert!(!watch.look([Some(1), Some(2)], begin.wrapping_add(PATIENCE - 1)));
        assert!(watch.look([Some(1), Some(3)], begin.wrapping_add(PATIENCE)));
        assert!(watch.look([Some(1), Some(4)], begin.wrapping_add(PATIENCE + 1)));
        assert!(!watch.look([Some(2), Some(5)], begin.wrapping_add(PATIENCE + 2)));
    }

    #[test]
    fn a_first_look_that_comes_late_tells_of_nobody() {
        let mut watch = Watch::new();
        assert!(!watch.look([Some(0), Some(0)], 3 * PATIENCE));
        assert!(!watch.look([Some(0), Some(0)], 4 * PATIENCE - 1));
        assert!(watch.look([Some(0), Some(0)], 4 * PATIENCE));
    }

    #[test]
    fn a_thread_without_work_may_rest_for_ever() {
        let mut watch = Watch::new();
        for minute in 0..10 {
            assert!(!watch.look([None, Some(minute)], minute.wrapping_mul(PATIENCE * 3 / 2)));
        }
        // It has just begun.
        assert!(!watch.look([Some(0), Some(99)], 9_u32.wrapping_mul(PATIENCE * 3 / 2) + PATIENCE - 1));
    }
}
