//! Alarms on the HBLANK counter.
//!
//! The hardware counts lines in 16 bits. Targets are kept as 32-bit line numbers, extended from the counter each time
//! it is read; that holds as long as it is read once in 65,536 lines while an alarm is set, which the compare
//! interrupt itself sees to. Source: EE kernel semantics, section 6.

use crate::Refused;

/// Number of alarms.
pub const ALARMS: usize = 64;

/// A set alarm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alarm {
    /// Its id.
    pub id: u8,
    /// Line number at which it is due.
    target: u32,
    /// Function, called with id, target line and [`Alarm::common`].
    pub function: u32,
    /// Third argument.
    pub common: u32,
    /// Global pointer that was in force when it was set.
    pub gp: u32,
}

impl Alarm {
    /// The due line as the counter shows it.
    pub fn target(&self) -> u16 {
        self.target as u16
    }
}

/// All alarms, the next one first.
pub struct AlarmTable {
    queue: [Alarm; ALARMS],
    length: usize,
    used: u64,
    clock: u32,
}

impl AlarmTable {
    /// No alarms.
    pub const fn new() -> Self {
        const NONE: Alarm = Alarm { id: 0, target: 0, function: 0, common: 0, gp: 0 };
        Self { queue: [NONE; ALARMS], length: 0, used: 0, clock: 0 }
    }

    /// Number of alarms that are set.
    pub fn in_use(&self) -> u32 {
        self.length as u32
    }

    /// Sets an alarm `ticks` lines from `count`, the counter now. The lowest free id, or refused when all are in use.
    pub fn set(&mut self, count: u16, ticks: u16, function: u32, common: u32, gp: u32) -> Result<u32, Refused> {
        self.advance(count);
        let id = self.used.trailing_ones() as u8;
        if usize::from(id) >= ALARMS {
            return Err(Refused);
        }
        let target = self.clock.wrapping_add(u32::from(ticks));
        let place = self.queue[..self.length]
            .iter()
            .position(|other| other.target.wrapping_sub(target) as i32 > 0)
            .unwrap_or(self.length);
        self.queue.copy_within(place..self.length, place + 1);
        self.queue[place] = Alarm { id, target, function, common, gp };
        self.length += 1;
        self.used |= 1 << id;
        Ok(u32::from(id))
    }

    /// Takes an alarm back; the lines that were left.
    pub fn release(&mut self, count: u16, id: u32) -> Result<u32, Refused> {
        self.advance(count);
        let place = self.queue[..self.length].iter().position(|alarm| u32::from(alarm.id) == id).ok_or(Refused)?;
        let left = self.queue[place].target.wrapping_sub(self.clock) as i32;
        self.take(place);
        Ok(left.max(0) as u32)
    }

    /// The next alarm that is due, taken out of the table: alarms fire once.
    pub fn take_due(&mut self, count: u16) -> Option<Alarm> {
        self.advance(count);
        let first = self.queue[..self.length].first().copied()?;
        if first.target.wrapping_sub(self.clock) as i32 > 0 {
            return None;
        }
        self.take(0);
        Some(first)
    }

    /// Counter value at which the next alarm is due.
    pub fn next_target(&self) -> Option<u16> {
        self.queue[..self.length].first().map(Alarm::target)
    }

    /// Lines until the next alarm, 0 when it is due.
    pub fn lines_left(&mut self, count: u16) -> Option<u32> {
        self.advance(count);
        let first = self.queue[..self.length].first()?;
        Some((first.target.wrapping_sub(self.clock) as i32).max(0) as u32)
    }

    /// Forgets all alarms.
    pub fn clear(&mut self) {
        self.length = 0;
        self.used = 0;
    }

    fn advance(&mut self, count: u16) {
        self.clock = self.clock.wrapping_add(u32::from(count.wrapping_sub(self.clock as u16)));
    }

    fn take(&mut self, place: usize) {
        self.used &= !(1 << self.queue[place].id);
        self.queue.copy_within(place + 1..self.length, place);
        self.length -= 1;
    }
}

impl Default for AlarmTable {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(table: &mut AlarmTable, count: u16, ticks: u16) -> u32 {
        table.set(count, ticks, 0, 0, 0).unwrap()
    }

    #[test]
    fn alarms_fire_in_the_order_of_their_lines_and_equal_ones_in_the_order_of_setting() {
        let mut table = AlarmTable::new();
        let late = set(&mut table, 0, 300);
        let soon = set(&mut table, 0, 100);
        let soon_too = set(&mut table, 50, 50);
        assert_eq!(table.next_target(), Some(100));
        assert_eq!(table.take_due(99), None);
        assert_eq!(table.take_due(100).map(|alarm| u32::from(alarm.id)), Some(soon));
        assert_eq!(table.take_due(100).map(|alarm| u32::from(alarm.id)), Some(soon_too));
        assert_eq!(table.take_due(100), None);
        assert_eq!(table.take_due(301).map(|alarm| u32::from(alarm.id)), Some(late));
        assert_eq!(table.in_use(), 0);
    }

    #[test]
    fn the_counter_may_wrap_before_an_alarm_is_due() {
        let mut table = AlarmTable::new();
        set(&mut table, 65_000, 1_000);
        assert_eq!(table.next_target(), Some(464));
        assert_eq!(table.take_due(65_535), None);
        assert_eq!(table.take_due(463), None);
        assert!(table.take_due(464).is_some());
    }

    #[test]
    fn ids_are_the_lowest_free_ones_and_sixty_four_is_the_limit() {
        let mut table = AlarmTable::new();
        for id in 0..64 {
            assert_eq!(set(&mut table, 0, 10), id);
        }
        assert_eq!(table.set(0, 10, 0, 0, 0), Err(Refused));
        assert_eq!(table.release(4, 17), Ok(6));
        assert_eq!(table.release(4, 17), Err(Refused));
        assert_eq!(set(&mut table, 0, 10), 17);
    }
}
