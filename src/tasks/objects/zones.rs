//! Object zones: groups of spawn records that scripts turn on and off together.

use super::super::handle::Handle;
use super::spawn::{SpawnRecord, SpawnTable, record_flag};

/// Zones. Source: seed 000, Task classes and pools.
pub const ZONES: usize = 255;

/// Words of a zone bit set.
const WORDS: usize = ZONES.div_ceil(32);

/// Whether a bit of a bit set is set; bits past its end are not.
// Covers: seed 000, Bitset_Test (0x003979f8) test=bits_are_set_cleared_and_tested
pub fn bit_test(set: &[u32], bit: usize) -> bool {
    set.get(bit / 32).is_some_and(|word| word >> (bit % 32) & 1 == 1)
}

/// Sets or clears a bit of a bit set; bits past its end are ignored.
// Covers: seed 000, Bitset_Set (0x00397a20) test=bits_are_set_cleared_and_tested
pub fn bit_set(set: &mut [u32], bit: usize, on: bool) {
    if let Some(word) = set.get_mut(bit / 32) {
        *word = *word & !(1 << (bit % 32)) | u32::from(on) << (bit % 32);
    }
}

/// Which zones are on, and who hears of their objects.
#[derive(Debug)]
pub struct Zones {
    enabled: [u32; WORDS],
    handlers: [u32; ZONES],
}

impl Default for Zones {
    /// Zone 0 on, all others off. Source: seed 000, Task classes and pools.
    fn default() -> Self {
        let mut zones = Self { enabled: [0; WORDS], handlers: [0; ZONES] };
        zones.set_enabled(0, true);
        zones
    }
}

impl Zones {
    /// Sets or clears a zone's enable bit.
    // Covers: seed 000, ObjZone_SetEnabled (0x00398348) test=zone_0_is_on_at_the_start
    pub fn set_enabled(&mut self, zone: u8, on: bool) {
        if usize::from(zone) < ZONES {
            bit_set(&mut self.enabled, usize::from(zone), on);
        }
    }

    /// Enables a zone.
    // Covers: seed 000, ObjZone_Enable (0x00396778) test=zone_0_is_on_at_the_start
    pub fn enable(&mut self, zone: u8) {
        self.set_enabled(zone, true);
    }

    /// Whether a zone is enabled.
    // Covers: seed 000, ObjZone_IsEnabled (0x003967a8) test=zone_0_is_on_at_the_start
    pub fn is_enabled(&self, zone: u8) -> bool {
        bit_test(&self.enabled, usize::from(zone))
    }

    /// Sets the function that hears the messages of a zone's objects; 0 for none.
    // Covers: seed 000, ObjZone_SetMsgHandler (0x0039a7e0) test=a_zone_keeps_its_handler
    pub fn set_handler(&mut self, zone: u8, function: u32) {
        if let Some(place) = self.handlers.get_mut(usize::from(zone)) {
            *place = function;
        }
    }

    /// A zone's handler; 0 for none.
    pub fn handler(&self, zone: u8) -> u32 {
        self.handlers.get(usize::from(zone)).copied().unwrap_or(0)
    }
}

/// Marks a zone for unloading: its records are marked, and the zone is off. Answers how many records it marked.
// Covers: seed 000, ObjZone_Mark (0x003967e0) test=a_marked_zone_is_off_and_its_records_are_marked
pub fn mark_zone(zones: &mut Zones, spawns: &mut SpawnTable, zone: u8) -> usize {
    zones.set_enabled(zone, false);
    spawns.mark_zone(zone)
}

/// Lists the handles of a zone's live objects; answers how many fit into `out`.
// Covers: seed 000, ObjZone_ListObjects (0x0039aa40) test=a_zone_lists_its_objects
pub fn list_objects(spawns: &SpawnTable, zone: u8, out: &mut [Handle]) -> usize {
    let live = |record: &SpawnRecord| record.zone == zone && record.flags & record_flag::LIVE != 0;
    let records = spawns.used().filter(|(_, record)| live(record));
    out.iter_mut().zip(records).map(|(place, (index, _))| *place = Handle::spawn_record(index)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_set_cleared_and_tested() {
        let mut set = [0u32; 2];
        bit_set(&mut set, 33, true);
        bit_set(&mut set, 64, true);
        assert_eq!(set, [0, 2]);
        assert!(bit_test(&set, 33) && !bit_test(&set, 32) && !bit_test(&set, 64));
        bit_set(&mut set, 33, false);
        assert!(!bit_test(&set, 33));
    }

    #[test]
    fn zone_0_is_on_at_the_start() {
        let mut zones = Zones::default();
        assert_eq!((0..=255).filter(|zone| zones.is_enabled(*zone)).count(), 1);
        assert!(zones.is_enabled(0));
        zones.enable(254);
        zones.set_enabled(255, true);
        assert!(zones.is_enabled(254) && !zones.is_enabled(255), "there are 255 zones");
        zones.set_enabled(254, false);
        assert!(!zones.is_enabled(254));
    }

    #[test]
    fn a_zone_keeps_its_handler() {
        let mut zones = Zones::default();
        zones.set_handler(3, 77);
        zones.set_handler(255, 1);
        assert_eq!((zones.handler(3), zones.handler(4), zones.handler(255)), (77, 0, 0));
    }

    #[test]
    fn a_marked_zone_is_off_and_its_records_are_marked() {
        let (mut zones, mut spawns) = (Zones::default(), SpawnTable::new(4));
        zones.enable(2);
        for zone in [1, 2, 2] {
            spawns.add(SpawnRecord { zone, ..SpawnRecord::default() });
        }
        assert_eq!(mark_zone(&mut zones, &mut spawns, 2), 2);
        assert!(!zones.is_enabled(2));
        let marks = spawns.used().map(|(_, r)| r.flags & record_flag::MARKED != 0).collect::<std::vec::Vec<_>>();
        assert_eq!(marks, [false, true, true]);
    }

    #[test]
    fn a_zone_lists_its_objects() {
        let mut spawns = SpawnTable::new(4);
        for zone in [1, 2, 2, 2] {
            spawns.add(SpawnRecord { zone, ..SpawnRecord::default() });
        }
        let mut out = [Handle::NIL; 4];
        assert_eq!(list_objects(&spawns, 2, &mut out), 0, "none of them lives");
        [1, 2].into_iter().for_each(|index| spawns.set_live(index, 800 + index));
        spawns.set_live(0, 900);
        assert_eq!(list_objects(&spawns, 2, &mut out), 2);
        assert_eq!(out[..2], [Handle::spawn_record(1), Handle::spawn_record(2)]);
        assert_eq!(list_objects(&spawns, 2, &mut out[..1]), 1);
    }
}
