//! The list of moments at which something is to happen, in ticks of the system clock.

use crate::arithmetic::{divide_wide, multiply_wide};
use crate::errors::Error;

/// Ticks of the system clock in a second.
///
/// Source: IOP kernel, THREADMAN (clock)
pub const TICKS_PER_SECOND: u64 = 36_864_000;
/// Alarms (and delays) at a time.
///
/// Our choice: a fixed table; the system takes more records from the heap.
pub const ALARMS: usize = 64;
/// Shortest time that can be asked for, in microseconds.
///
/// Source: IOP kernel, THREADMAN (alarms)
pub const SHORTEST_MICROSECONDS: u32 = 100;

/// Microseconds to ticks.
#[must_use]
pub const fn ticks_from_microseconds(microseconds: u32) -> u64 {
    // 36.864 ticks a microsecond, as a fraction.
    divide_wide(multiply_wide(microseconds, 4608), 125).0
}

/// Ticks to whole seconds and the microseconds beyond them.
#[must_use]
pub const fn seconds_from_ticks(ticks: u64) -> (u32, u32) {
    let (seconds, rest) = divide_wide(ticks, TICKS_PER_SECOND as u32);
    (seconds as u32, divide_wide(multiply_wide(rest, 125), 4608).0 as u32)
}

/// What an alarm does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Calls a function, which may ask for another turn.
    Call {
        /// Address of the function.
        function: u32,
        /// Its argument.
        argument: u32,
    },
    /// Ends the delay of a thread.
    EndDelay {
        /// The thread's id.
        thread: i32,
    },
}

/// A moment and what happens then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// The moment.
    pub target: u64,
    /// What happens.
    pub action: Action,
}

/// All alarms, soonest last, so that the next one comes off cheaply.
pub struct Alarms {
    list: [Option<Alarm>; ALARMS],
    count: usize,
}

impl Alarms {
    /// None set.
    #[must_use]
    pub const fn new() -> Self {
        Alarms { list: [None; ALARMS], count: 0 }
    }

    /// Adds an alarm. Equal moments keep their order.
    ///
    /// # Errors
    /// The same call is set already; no record left.
    pub fn set(&mut self, alarm: Alarm) -> Result<(), Error> {
        let used = self.list.get(..self.count).unwrap_or_default();
        if matches!(alarm.action, Action::Call { .. }) && used.iter().flatten().any(|set| set.action == alarm.action) {
            return Err(Error::HandlerPresent);
        }
        if self.count == ALARMS {
            return Err(Error::NoMemory);
        }
        let at = used.iter().flatten().position(|set| set.target <= alarm.target).unwrap_or(self.count);
        self.list.copy_within(at..self.count, at + 1);
        self.list[at] = Some(alarm);
        self.count += 1;
        Ok(())
    }

    /// Takes an alarm back.
    ///
    /// # Errors
    /// Not set.
    pub fn cancel(&mut self, action: Action) -> Result<(), Error> {
        let used = self.list.get(..self.count).unwrap_or_default();
        let at = used.iter().flatten().position(|set| set.action == action).ok_or(Error::HandlerNotFound)?;
        self.list.copy_within(at + 1..self.count, at);
        self.count -= 1;
        Ok(())
    }

    /// The next moment.
    #[must_use]
    pub fn next_target(&self) -> Option<u64> {
        self.list[self.count.checked_sub(1)?].map(|alarm| alarm.target)
    }

    /// Takes the next alarm off if its moment has come.
    pub fn take_due(&mut self, now: u64) -> Option<Alarm> {
        let last = self.count.checked_sub(1)?;
        let alarm = self.list[last].filter(|alarm| alarm.target <= now)?;
        self.count = last;
        Some(alarm)
    }
}

impl Default for Alarms {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delay(target: u64, thread: i32) -> Alarm {
        Alarm { target, action: Action::EndDelay { thread } }
    }

    #[test]
    fn alarms_come_in_order_of_time_and_equal_ones_in_order_of_setting() {
        let mut alarms = Alarms::new();
        for alarm in [delay(30, 1), delay(10, 2), delay(20, 3), delay(10, 4)] {
            assert_eq!(alarms.set(alarm), Ok(()));
        }
        assert_eq!(alarms.next_target(), Some(10));
        assert_eq!(alarms.take_due(9), None);
        let order: [Option<Alarm>; 5] = core::array::from_fn(|_| alarms.take_due(100));
        assert_eq!(order, [Some(delay(10, 2)), Some(delay(10, 4)), Some(delay(20, 3)), Some(delay(30, 1)), None]);
    }

    #[test]
    fn the_same_call_is_set_only_once_and_cancelled_only_while_set() {
        let mut alarms = Alarms::new();
        let action = Action::Call { function: 0x1000, argument: 5 };
        assert_eq!(alarms.set(Alarm { target: 1, action }), Ok(()));
        assert_eq!(alarms.set(Alarm { target: 2, action }), Err(Error::HandlerPresent));
        assert_eq!(alarms.cancel(action), Ok(()));
        assert_eq!(alarms.cancel(action), Err(Error::HandlerNotFound));
    }

    #[test]
    fn a_full_table_refuses() {
        let mut alarms = Alarms::new();
        for n in 0..ALARMS {
            assert_eq!(alarms.set(delay(n as u64, n as i32)), Ok(()));
        }
        assert_eq!(alarms.set(delay(1, 1)), Err(Error::NoMemory));
    }

    #[test]
    fn the_longest_time_does_not_overflow() {
        assert_eq!(ticks_from_microseconds(u32::MAX), u64::from(u32::MAX) * 4608 / 125);
    }

    #[test]
    fn a_microsecond_is_36_864_ticks() {
        assert_eq!(ticks_from_microseconds(1000), 36_864);
        assert_eq!(seconds_from_ticks(TICKS_PER_SECOND * 3 + 36_864), (3, 1000));
    }
}
