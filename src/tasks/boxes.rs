//! The pools that have handles but no task head: world flags, and volume, player and turf boxes.

use super::handle::{Handle, HandleTable, Kind, Target};
use super::pool::Pool;
use crate::maths::Vec3;

/// The level's numbers that size the pools. Source: seed 000, Task classes and pools (CfgSetDatabaseSizes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatabaseSizes {
    /// Placed objects; the spawn table has 500 more.
    pub objects: u16,
    /// World flags; the pool has 4 more.
    pub flags: u16,
    /// Volume boxes.
    pub volumes: u16,
    /// Player boxes.
    pub players: u16,
    /// Turf boxes.
    pub turfs: u16,
}

/// World flags beyond the level's own. Source: seed 000, Task classes and pools; settled questions 11.
const SPARE_FLAGS: u16 = 4;

/// Which box pool. Source: seed 000, Boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoxKind {
    /// Kind 0.
    #[default]
    Volume,
    /// Kind 2.
    Player,
    /// Kind 3.
    Turf,
}

/// A box: its pool and its place there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoxId {
    /// The pool.
    pub kind: BoxKind,
    /// The slot.
    pub slot: u16,
}

/// A world flag: a named point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldFlag {
    /// Metres.
    pub position: Vec3,
    /// Radians, clockwise from +y.
    pub heading: f32,
    /// Hash of the name.
    pub name: u32,
    /// Its own handle.
    pub handle: Handle,
}

/// A box in the level that scripts ask about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelBox {
    /// Centre, metres.
    pub centre: Vec3,
    /// Half extents along its own axes, metres.
    pub half: Vec3,
    /// Radians, clockwise from +y.
    pub heading: f32,
    /// Hash of the name.
    pub name: u32,
    /// Its own handle.
    pub handle: Handle,
}

impl LevelBox {
    /// Whether a point lies inside, the faces included.
    pub fn contains(&self, point: Vec3) -> bool {
        let local = crate::maths::Quat::from_heading(self.heading).conjugate().rotate(point - self.centre).abs();
        local.x <= self.half.x && local.y <= self.half.y && local.z <= self.half.z
    }
}

/// The four pools.
#[derive(Debug)]
pub struct Boxes {
    flags: Pool<WorldFlag>,
    pools: [Pool<LevelBox>; 3],
}

impl Boxes {
    /// Pools for a level. Item 2 of the original's third argument sizes nothing, so it is not asked for.
    pub fn new(sizes: &DatabaseSizes) -> Self {
        Self {
            flags: Pool::new(sizes.flags.saturating_add(SPARE_FLAGS)),
            pools: [Pool::new(sizes.volumes), Pool::new(sizes.players), Pool::new(sizes.turfs)],
        }
    }

    /// Adds a world flag; nil when the pool or the handle table is full.
    pub fn add_flag(&mut self, handles: &mut HandleTable, flag: WorldFlag) -> Handle {
        let Some(slot) = self.flags.take() else { return Handle::NIL };
        let Some(handle) = handles.assign(Kind::Flag, Target::Flag(slot), |_| {}) else {
            self.flags.give(slot);
            return Handle::NIL;
        };
        if let Some(record) = self.flags.get_mut(slot) {
            *record = WorldFlag { handle, ..flag };
        }
        handle
    }

    /// Adds a box of a script's kind number: 0 volume, 2 player, 3 turf; every other kind gives nil.
    ///
    /// Source: seed 000, Boxes (VolumeBox_Add, 0x004125b8).
    pub fn add_box(&mut self, handles: &mut HandleTable, kind: u32, record: LevelBox) -> Handle {
        let kind = match kind {
            0 => BoxKind::Volume,
            2 => BoxKind::Player,
            3 => BoxKind::Turf,
            _ => return Handle::NIL,
        };
        let pool = &mut self.pools[kind as usize];
        let Some(slot) = pool.take() else { return Handle::NIL };
        let Some(handle) = handles.assign(Kind::Box, Target::Box(BoxId { kind, slot }), |_| {}) else {
            pool.give(slot);
            return Handle::NIL;
        };
        if let Some(place) = pool.get_mut(slot) {
            *place = LevelBox { handle, ..record };
        }
        handle
    }

    /// A live world flag.
    pub fn flag(&self, slot: u16) -> Option<&WorldFlag> {
        self.flags.get(slot)
    }

    /// The live world flags.
    pub fn flags(&self) -> impl Iterator<Item = &WorldFlag> {
        self.flags.iter().map(|(_, flag)| flag)
    }

    /// The live boxes of every pool.
    pub fn level_boxes(&self) -> impl Iterator<Item = &LevelBox> {
        self.pools.iter().flat_map(|pool| pool.iter().map(|(_, level_box)| level_box))
    }

    /// A live box.
    pub fn level_box(&self, id: BoxId) -> Option<&LevelBox> {
        self.pools[id.kind as usize].get(id.slot)
    }

    /// Places for world flags, and for volume, player and turf boxes.
    pub fn capacities(&self) -> [usize; 4] {
        let [volumes, players, turfs] = self.pools.each_ref().map(Pool::capacity);
        [self.flags.capacity(), volumes, players, turfs]
    }

    /// How often each of the four pools was full, in the same order.
    pub fn refusals(&self) -> [u32; 4] {
        let [volumes, players, turfs] = self.pools.each_ref().map(Pool::refusals);
        [self.flags.refusals(), volumes, players, turfs]
    }

    /// Bytes that the pools take.
    pub fn bytes(&self) -> usize {
        self.flags.bytes() + self.pools.iter().map(Pool::bytes).sum::<usize>()
    }

    /// Removes a flag or box and frees its handle.
    pub fn remove(&mut self, handles: &mut HandleTable, handle: Handle) -> bool {
        let removed = match handles.resolve(handle) {
            Some(Target::Flag(slot)) => self.flags.give(slot),
            Some(Target::Box(id)) => self.pools[id.kind as usize].give(id.slot),
            _ => false,
        };
        removed && handles.free(handle)
    }

    /// Removes every flag and box and frees their handles.
    pub fn remove_all(&mut self, handles: &mut HandleTable) {
        for handle in self.flags().map(|flag| flag.handle).chain(self.level_boxes().map(|level_box| level_box.handle)) {
            handles.free(handle);
        }
        self.clear();
    }

    /// Empties all four pools; the caller clears the handle table.
    pub fn clear(&mut self) {
        self.flags.clear();
        self.pools.iter_mut().for_each(Pool::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: DatabaseSizes = DatabaseSizes { objects: 10, flags: 2, volumes: 2, players: 1, turfs: 1 };

    #[test]
    fn the_kind_picks_the_pool_and_kind_1_gives_nil() {
        let (mut boxes, mut handles) = (Boxes::new(&SIZES), HandleTable::new());
        let kind_of = |handles: &HandleTable, handle| match handles.resolve(handle) {
            Some(Target::Box(id)) => Some(id.kind),
            _ => None,
        };
        let mut add = |kind| boxes.add_box(&mut handles, kind, LevelBox::default());
        let made = [add(0), add(1), add(2), add(3), add(4)];
        let kinds = made.map(|handle| kind_of(&handles, handle));
        assert_eq!(kinds, [Some(BoxKind::Volume), None, Some(BoxKind::Player), Some(BoxKind::Turf), None]);
        assert_eq!(made[0].index(), 620);
    }

    #[test]
    fn flags_have_four_places_more_than_the_level_counts() {
        let (mut boxes, mut handles) = (Boxes::new(&SIZES), HandleTable::new());
        for n in 0..6 {
            assert_eq!(boxes.add_flag(&mut handles, WorldFlag::default()).index(), 108 + n);
        }
        assert!(boxes.add_flag(&mut handles, WorldFlag::default()).is_nil());
        assert_eq!((boxes.capacities(), boxes.refusals()), ([6, 2, 1, 1], [1, 0, 0, 0]));
    }

    #[test]
    fn a_removed_box_frees_its_place_and_handle() {
        let (mut boxes, mut handles) = (Boxes::new(&SIZES), HandleTable::new());
        let handle = boxes.add_box(&mut handles, 2, LevelBox::default());
        assert!(boxes.add_box(&mut handles, 2, LevelBox::default()).is_nil());
        assert!(boxes.remove(&mut handles, handle));
        assert!(!boxes.remove(&mut handles, handle));
        assert!(!boxes.add_box(&mut handles, 2, LevelBox::default()).is_nil());
        assert_eq!(handles.live(), 1, "a refused box leaves no handle behind");
    }

    #[test]
    fn a_turned_box_contains_points_along_its_own_axes() {
        let turned =
            LevelBox { half: Vec3::new(3.0, 1.0, 1.0), heading: core::f32::consts::FRAC_PI_2, ..LevelBox::default() };
        assert!(turned.contains(Vec3::new(0.5, -2.5, 0.0)));
        assert!(!turned.contains(Vec3::new(2.5, 0.0, 0.0)));
    }
}
