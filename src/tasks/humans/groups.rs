//! Who belongs together: gangs by their slots, formations by their leaders, and the paths that people walk.

use super::super::pool::Pool;
use super::{FORMATIONS, GANGS, PATHS};
use crate::maths::Vec3;
use alloc::boxed::Box;
use alloc::vec;

/// A gang.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gang {
    /// Whom its people follow.
    pub leader: Option<u8>,
    /// Gangs that it attacks on sight, a bit each.
    pub enemies: u32,
    /// Whom its tactic is about: the enemy that was told of last.
    pub target: Option<u8>,
    /// Turns of the gang until that one is forgotten.
    pub alarm: u8,
}

impl Gang {
    /// Turns for which an enemy that one of them was told of is everybody's: five seconds of a turn every five steps.
    const ALARM: u8 = 30;

    /// The tactic hears of an enemy.
    ///
    /// Source: seed 000, Messages and events (event 0xb).
    pub fn hear_of(&mut self, enemy: u8) {
        (self.target, self.alarm) = (Some(enemy), Self::ALARM);
    }

    /// A turn: who leads when the leader is gone, and the enemy is forgotten when its time is up or it is no longer up.
    ///
    /// `members` are those of the gang who are up, a bit each.
    pub fn take_turn(&mut self, members: u64, is_up: impl Fn(u8) -> bool) {
        if self.leader.is_some_and(|leader| members >> leader & 1 == 0) {
            self.leader = (members != 0).then(|| members.trailing_zeros() as u8);
        }
        self.alarm = self.alarm.saturating_sub(1);
        self.target = self.target.filter(|enemy| self.alarm > 0 && is_up(*enemy));
    }
}

/// The gangs. A gang is named by its slot, 0 to 31, and is always there; asking for any other is refused and counted.
///
/// Source: seed 000, Task classes and pools (32 records, by slot).
#[derive(Debug)]
pub struct Gangs {
    records: Box<[Gang]>,
    refusals: u32,
}

impl Default for Gangs {
    fn default() -> Self {
        Self { records: vec![Gang::default(); GANGS].into_boxed_slice(), refusals: 0 }
    }
}

impl Gangs {
    /// A gang, to read.
    pub fn get(&self, slot: usize) -> Option<&Gang> {
        self.records.get(slot)
    }

    /// A gang, to change; a slot that is none is refused and counted.
    pub fn get_mut(&mut self, slot: usize) -> Option<&mut Gang> {
        if slot >= self.records.len() {
            self.refusals = self.refusals.saturating_add(1);
        }
        self.records.get_mut(slot)
    }

    /// Slots.
    pub fn capacity(&self) -> usize {
        self.records.len()
    }

    /// How often a slot was asked for that is none.
    pub fn refusals(&self) -> u32 {
        self.refusals
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.records)
    }
}

/// Followers that one formation has places for.
pub const PLACES: usize = 8;

/// A leader and where the followers of its places walk.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Formation {
    /// The human that leads.
    pub leader: u8,
    /// Who walks on each place.
    pub followers: [Option<u8>; PLACES],
    /// Where each place is in this step, metres; `None` until it has been moved once.
    pub places: Option<[Vec3; PLACES]>,
}

/// The formations: at most 41. Source: seed 000, Task classes and pools.
#[derive(Debug)]
pub struct Formations(Pool<Formation>);

impl Default for Formations {
    fn default() -> Self {
        Self(Pool::new(FORMATIONS as u16))
    }
}

impl Formations {
    /// Gives a human a place behind a leader, whose formation is made when it has none yet. Says whether there was a
    /// formation left and the place was free.
    pub fn join(&mut self, leader: u8, place: usize, human: u8) -> bool {
        let slot = match self.led_by(leader) {
            Some(slot) => slot,
            None => {
                let Some(slot) = self.0.take() else { return false };
                if let Some(formation) = self.0.get_mut(slot) {
                    formation.leader = leader;
                }
                slot
            }
        };
        let place = self.0.get_mut(slot).and_then(|formation| formation.followers.get_mut(place));
        let Some(place) = place.filter(|place| place.is_none_or(|other| other == human)) else {
            self.drop_if_empty(slot);
            return false;
        };
        *place = Some(human);
        true
    }

    /// Takes a human from all places. A formation without followers ends.
    pub fn leave(&mut self, human: u8) {
        let mut next = self.0.next_live(0);
        while let Some(slot) = next {
            if let Some(formation) = self.0.get_mut(slot) {
                for place in formation.followers.iter_mut().filter(|place| **place == Some(human)) {
                    *place = None;
                }
            }
            self.drop_if_empty(slot);
            next = self.0.next_live(slot + 1);
        }
    }

    /// Somebody is no longer there: what it led ends, and its own places are free.
    pub fn forget(&mut self, human: u8) {
        if let Some(slot) = self.led_by(human) {
            self.0.give(slot);
        }
        self.leave(human);
    }

    fn drop_if_empty(&mut self, slot: u16) {
        if self.0.get(slot).is_some_and(|formation| formation.followers.iter().all(Option::is_none)) {
            self.0.give(slot);
        }
    }

    /// The formation of a leader.
    fn led_by(&self, leader: u8) -> Option<u16> {
        self.0.iter().find(|(_, formation)| formation.leader == leader).map(|(slot, _)| slot)
    }

    /// A live formation, to move its places in step 2.
    pub fn get_mut(&mut self, slot: usize) -> Option<&mut Formation> {
        self.0.get_mut(slot as u16)
    }

    /// Where a human walks behind its leader in this step; `None` when it is in no formation that has been moved.
    pub fn place_of(&self, human: u8) -> Option<Vec3> {
        self.0.iter().find_map(|(_, formation)| {
            let place = formation.followers.iter().position(|follower| *follower == Some(human))?;
            Some(formation.places?[place])
        })
    }

    /// Live formations.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// Formations in all.
    pub fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// How often no formation was left.
    pub fn refusals(&self) -> u32 {
        self.0.refusals()
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Points of one path. Our choice: the longest of the levels has 12.
pub const PATH_POINTS: usize = 16;

/// A path that people walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Hash of its name.
    pub name: u32,
    /// Its last point leads to its first.
    pub closed: bool,
    /// Nobody goes on along it: a door is in the way, or the like.
    pub shut: bool,
    /// Its points, metres.
    pub points: heapless::Vec<Vec3, PATH_POINTS>,
}

impl Path {
    /// The point that follows one; `None` at the end of a path that is not closed.
    pub fn after(&self, point: usize) -> Option<usize> {
        let next = point + 1;
        if next < self.points.len() { Some(next) } else { self.closed.then_some(0) }
    }
}

/// The paths of a level: at most 32. Source: seed 000, Task classes and pools (AddPath).
#[derive(Debug)]
pub struct Paths {
    pool: Pool<Path>,
    too_long: u32,
}

impl Default for Paths {
    fn default() -> Self {
        Self { pool: Pool::new(PATHS as u16), too_long: 0 }
    }
}

impl Paths {
    /// Adds a path and answers its number; one that is full of points or finds the pool full is refused and counted.
    pub fn add(&mut self, name: u32, closed: bool, points: impl IntoIterator<Item = Vec3>) -> Option<u16> {
        let mut path = Path { name, closed, ..Path::default() };
        for point in points {
            if path.points.push(point).is_err() {
                self.too_long = self.too_long.saturating_add(1);
                return None;
            }
        }
        let slot = self.pool.take()?;
        *self.pool.get_mut(slot)? = path;
        Some(slot)
    }

    /// A path by its number.
    pub fn get(&self, number: u16) -> Option<&Path> {
        self.pool.get(number)
    }

    /// The number of the path of a name.
    pub fn find(&self, name: u32) -> Option<u16> {
        self.pool.iter().find(|(_, path)| path.name == name).map(|(number, _)| number)
    }

    /// Opens or shuts the path of a name; says whether there is one.
    ///
    /// Source: seed 000, Navigation links (NavLink_Open, NavLink_Close). Our choice: the links of the navigation are the
    /// level's paths.
    pub fn set_open(&mut self, name: u32, open: bool) -> bool {
        let path = self.find(name).and_then(|number| self.pool.get_mut(number));
        let known = path.is_some();
        if let Some(path) = path {
            path.shut = !open;
        }
        known
    }

    /// Forgets all paths, as a level that goes does.
    pub fn clear(&mut self) {
        self.pool.clear();
    }

    /// Paths.
    pub fn count(&self) -> usize {
        self.pool.count()
    }

    /// Paths that there is room for.
    pub fn capacity(&self) -> usize {
        self.pool.capacity()
    }

    /// How often a path was refused.
    pub fn refusals(&self) -> u32 {
        self.pool.refusals().saturating_add(self.too_long)
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.pool.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gangs_are_named_by_slots_0_to_31() {
        let mut gangs = Gangs::default();
        gangs.get_mut(31).unwrap().enemies = 5;
        assert_eq!((gangs.get(31).unwrap().enemies, gangs.capacity(), gangs.refusals()), (5, 32, 0));
        assert!(gangs.get_mut(32).is_none());
        assert_eq!(gangs.refusals(), 1);
    }

    #[test]
    fn a_gang_keeps_an_enemy_for_thirty_turns_or_until_it_is_down_and_never_stays_without_a_leader() {
        let mut gang = Gang { leader: Some(4), ..Gang::default() };
        gang.hear_of(9);
        gang.take_turn(0b110_0000, |_| true);
        assert_eq!((gang.leader, gang.target), (Some(5), Some(9)), "4 is gone");
        (0..28).for_each(|_| gang.take_turn(0b110_0000, |_| true));
        assert_eq!(gang.target, Some(9));
        gang.take_turn(0b110_0000, |_| true);
        assert_eq!((gang.leader, gang.target), (Some(5), None));
        gang.hear_of(9);
        gang.take_turn(0, |enemy| enemy != 9);
        assert_eq!((gang.leader, gang.target), (None, None));
    }

    #[test]
    fn a_leader_has_one_formation_whose_places_are_held_by_one_each() {
        let mut formations = Formations::default();
        assert!(formations.join(7, 0, 20) && formations.join(7, 1, 21));
        assert_eq!(formations.count(), 1);
        assert!(!formations.join(7, 1, 22), "the place is taken");
        assert!(formations.join(7, 1, 21), "its holder may ask again");
        assert!(!formations.join(9, PLACES, 22));
        assert_eq!(formations.count(), 1, "a formation nobody joined is not kept");
        assert_eq!(formations.place_of(21), None, "the formation has not been moved yet");
        formations.get_mut(0).unwrap().places = Some([Vec3::Y; PLACES]);
        assert_eq!((formations.place_of(21), formations.place_of(22)), (Some(Vec3::Y), None));
        formations.leave(20);
        assert_eq!(formations.count(), 1);
        formations.leave(21);
        assert_eq!((formations.count(), formations.place_of(21)), (0, None));
    }

    #[test]
    fn a_formation_ends_with_its_leader() {
        let mut formations = Formations::default();
        assert!(formations.join(7, 0, 20) && formations.join(20, 0, 21));
        formations.forget(20);
        assert_eq!(
            (formations.count(), formations.place_of(21)),
            (0, None),
            "both: the led one and the one left empty"
        );
    }

    #[test]
    fn the_42nd_formation_is_refused_and_counted() {
        let mut formations = Formations::default();
        assert!((0..41).all(|leader| formations.join(leader, 0, 100 + leader)));
        assert!(!formations.join(41, 0, 99));
        assert_eq!((formations.count(), formations.refusals()), (41, 1));
    }

    #[test]
    fn a_path_is_walked_from_point_to_point() {
        let mut paths = Paths::default();
        let open = paths.add(5, false, [Vec3::X, Vec3::Y]).unwrap();
        let ring = paths.add(6, true, [Vec3::X, Vec3::Y]).unwrap();
        assert_eq!((paths.find(6), paths.find(7)), (Some(ring), None));
        let after = |path, point| paths.get(path).unwrap().after(point);
        assert_eq!([after(open, 0), after(open, 1), after(ring, 1)], [Some(1), None, Some(0)]);
        assert!(paths.set_open(6, false) && !paths.set_open(7, false));
        assert_eq!([open, ring].map(|path| paths.get(path).unwrap().shut), [false, true]);
        assert!(paths.set_open(6, true) && !paths.get(ring).unwrap().shut);
        paths.clear();
        assert_eq!((paths.count(), paths.get(open)), (0, None));
    }

    #[test]
    fn the_33rd_path_and_one_that_is_too_long_are_refused_and_counted() {
        let mut paths = Paths::default();
        assert_eq!(paths.add(1, false, [Vec3::X; PATH_POINTS + 1]), None);
        for n in 0..32 {
            assert!(paths.add(n, false, [Vec3::X]).is_some());
        }
        assert_eq!(paths.add(99, false, [Vec3::X]), None);
        assert_eq!((paths.count(), paths.refusals()), (32, 2));
    }
}
