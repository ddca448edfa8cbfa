//! Where round a car people stand, and which part of it a blow hits.

use super::super::engine::TaskEngine;
use super::super::handle::Handle;
use super::super::ids::TaskId;
use super::CarTask;
use crate::maths::Vec3;

/// Spots round a car. Source: seed 000, Cars.
pub const SPOTS: usize = 10;

/// Height of a spot at a door, metres from the car's origin. Source: seed 000, Cars (Car_GetSpotPosition).
const DOOR_HEIGHT: f32 = -0.6;
/// Height of a spot at an end of the car. Source: seed 000, Cars (Car_GetSpotPosition).
const END_HEIGHT: f32 = -0.95;
/// The first spot at an end. Our choice: the seed gives the two heights, not which spot has which.
const FIRST_END_SPOT: usize = 6;

/// Six spots along the doors, then two at each end, x and y from the car's origin. Our choice of distances.
pub const DEFAULT_SPOTS: [[f32; 2]; SPOTS] = [
    [-1.45, 0.9],
    [1.45, 0.9],
    [-1.45, -0.3],
    [1.45, -0.3],
    [-1.45, -1.5],
    [1.45, -1.5],
    [-0.5, 2.9],
    [0.5, 2.9],
    [-0.5, -2.9],
    [0.5, -2.9],
];

/// Parts by bit. Our choice of order: the seed gives their number, 26, and that masks name them.
pub mod part {
    /// Bonnet.
    pub const HOOD: u32 = 1 << 0;
    /// Boot lid.
    pub const TRUNK: u32 = 1 << 1;
    /// Doors: front left, front right, rear left, rear right.
    pub const DOORS: [u32; 4] = [1 << 2, 1 << 3, 1 << 4, 1 << 5];
    /// Bumpers: front, rear.
    pub const BUMPERS: [u32; 2] = [1 << 6, 1 << 7];
    /// Wings: front left, front right, rear left, rear right.
    pub const WINGS: [u32; 4] = [1 << 8, 1 << 9, 1 << 10, 1 << 11];
    /// Wheels' covers, in the order of the wings.
    pub const COVERS: [u32; 4] = [1 << 12, 1 << 13, 1 << 14, 1 << 15];
    /// Windscreen and rear window.
    pub const SCREENS: [u32; 2] = [1 << 16, 1 << 17];
    /// Door windows, in the order of the doors.
    pub const WINDOWS: [u32; 4] = [1 << 18, 1 << 19, 1 << 20, 1 << 21];
    /// Headlamps: left, right.
    pub const LAMPS: [u32; 2] = [1 << 22, 1 << 23];
    /// Roof and aerial.
    pub const ROOF: [u32; 2] = [1 << 24, 1 << 25];
}

/// A blow above this height over the car's origin meets what is high, metres. Source: seed 000, Cars.
const HIGH: f32 = 1.5;
/// A blow above this height meets glass. Source: seed 000, Cars.
const GLASS: f32 = 1.0;

/// Where along the car the zones end, y from the origin. Our choice of places.
const LENGTH_BANDS: [f32; 4] = [f32::MIN, -1.5, 0.0, 1.5];

/// Zones of a car: four along its length, left and right.
pub const ZONES: usize = 2 * LENGTH_BANDS.len();

/// A zone: twice the band along the length, plus 1 on the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HitZone(pub u8);

/// The last entry of a sorted table that is not above a value; 0 when all are.
// Covers: seed 000, Table_BandIndexBelow (0x00389f40) test=bands_are_found_from_below_and_above
pub fn band_below(table: &[f32], value: f32) -> usize {
    table.partition_point(|entry| *entry <= value).saturating_sub(1)
}

/// The first entry of a sorted table that is not below a value; its length when all are.
// Covers: seed 000, Table_BandIndexAbove (0x00389fa8) test=bands_are_found_from_below_and_above
pub fn band_above(table: &[f32], value: f32) -> usize {
    table.partition_point(|entry| *entry < value)
}

/// The zone of a point in the car's frame.
// Covers: seed 000, Car_GetHitZoneFromPoint (0x0038b520) test=a_point_has_a_zone_by_length_and_side
pub fn hit_zone(point: Vec3) -> HitZone {
    HitZone((band_below(&LENGTH_BANDS, point.y) * 2) as u8 + u8::from(point.x > 0.0))
}

/// The parts that a blow on a zone at a height may meet.
fn zone_parts(zone: HitZone, height: f32) -> u32 {
    use part::{BUMPERS, COVERS, DOORS, HOOD, LAMPS, ROOF, SCREENS, TRUNK, WINDOWS, WINGS};
    let (band, right) = (usize::from(zone.0) / 2, usize::from(zone.0) % 2);
    if height > HIGH {
        return ROOF[0] | ROOF[1];
    }
    let glass = height > GLASS;
    match (band, glass) {
        (0, true) => SCREENS[1],
        (0, false) => TRUNK | BUMPERS[1] | WINGS[2 + right] | COVERS[2 + right],
        (1, true) => WINDOWS[2 + right],
        (1, false) => DOORS[2 + right],
        (2, true) => WINDOWS[right],
        (2, false) => DOORS[right],
        (_, true) => SCREENS[0],
        _ => HOOD | BUMPERS[0] | WINGS[right] | COVERS[right] | LAMPS[right],
    }
}

impl CarTask {
    /// Whether a zone still has a part that a blow at a height above the origin may meet.
    // Covers: seed 000, Car_HitZoneHasParts (0x0038c990) test=what_a_blow_meets_depends_on_its_height
    pub fn zone_has_parts(&self, zone: HitZone, height: f32) -> bool {
        zone_parts(zone, height) & !self.removed != 0
    }

    /// The lowest part of a mask that is still there.
    // Covers: seed 000, Car_FindPartRecordByBits (0x0038cb28) test=what_a_blow_meets_depends_on_its_height
    pub fn find_part(&self, bits: u32) -> Option<usize> {
        let bits = bits & !self.removed;
        (bits != 0).then(|| bits.trailing_zeros() as usize).filter(|part| *part < super::PARTS)
    }

    /// The part that a blow on a zone at a height meets.
    pub fn part_of_zone(&self, zone: HitZone, height: f32) -> Option<usize> {
        self.find_part(zone_parts(zone, height))
    }

    /// Which spot a human holds.
    // Covers: seed 000, Car_FindSpotOfHuman (0x0038d7d8) test=a_spot_is_held_by_one_human
    pub fn spot_of(&self, human: Handle) -> Option<usize> {
        self.spots.iter().position(|holder| *holder == human && !human.is_nil())
    }

    /// Reserves the free, unblocked spot nearest to a point for a human; who has one keeps it.
    // Covers: seed 000, Car_ReserveSpot (0x0038d810) test=a_spot_is_held_by_one_human
    pub fn reserve_spot(&mut self, human: Handle, near: impl Fn(usize) -> f32) -> Option<usize> {
        if let Some(held) = self.spot_of(human) {
            return Some(held);
        }
        let free = (0..SPOTS).filter(|spot| self.spots[*spot].is_nil() && !self.is_spot_blocked(*spot));
        let spot = free.min_by(|a, b| near(*a).total_cmp(&near(*b)))?;
        self.spots[spot] = human;
        Some(spot)
    }

    /// Releases a spot.
    // Covers: seed 000, Car_ReleaseSpot (0x0038d998) test=a_spot_is_held_by_one_human
    pub fn release_spot(&mut self, spot: usize) {
        if let Some(holder) = self.spots.get_mut(spot) {
            *holder = Handle::NIL;
        }
    }

    /// Frees all ten spots.
    // Covers: seed 000, Car_ClearSpots (0x0038d9d8) test=a_spot_is_held_by_one_human
    pub fn clear_spots(&mut self) {
        self.spots = [Handle::NIL; SPOTS];
    }

    /// Whether a spot has lost the part that people work on there.
    // Covers: seed 000, Car_IsSpotBlocked (0x0038da88) test=a_spot_without_its_part_is_blocked
    pub fn is_spot_blocked(&self, spot: usize) -> bool {
        let mask = spot_parts(spot);
        mask & self.removed == mask
    }

    /// Whether every spot is blocked.
    // Covers: seed 000, Car_AreAllSpotsBlocked (0x0038dae0) test=a_spot_without_its_part_is_blocked
    pub fn are_all_spots_blocked(&self) -> bool {
        (0..SPOTS).all(|spot| self.is_spot_blocked(spot))
    }
}

/// The parts that belong to a spot.
// Covers: seed 000, Car_GetSpotPartMask (0x0038da08) test=a_spot_without_its_part_is_blocked
pub fn spot_parts(spot: usize) -> u32 {
    use part::{BUMPERS, DOORS, HOOD, LAMPS, TRUNK, WINGS};
    match spot {
        0..=3 => DOORS[spot],
        4 | 5 => WINGS[spot - 2],
        6 | 7 => HOOD | BUMPERS[0] | LAMPS[spot - 6],
        8 | 9 => TRUNK | BUMPERS[1],
        _ => 0,
    }
}

impl TaskEngine {
    /// A spot's place in the world; the car's own place for a spot that does not exist.
    // Covers: seed 000, Car_GetSpotPosition (0x0038db40) test=spots_stand_at_their_two_heights
    pub fn car_spot_position(&self, id: TaskId, spot: usize) -> Vec3 {
        let (Some(head), Some(kind)) = (self.manager.head(id), self.car_type(id)) else { return Vec3::ZERO };
        let Some([x, y]) = kind.spots.get(spot).copied() else { return head.position };
        let height = if spot < FIRST_END_SPOT { DOOR_HEIGHT } else { END_HEIGHT };
        head.pose_at(self.manager.clock.now(), self.manager.kernels).point(Vec3::new(x, y, height))
    }

    /// Reserves the spot of a car nearest to where a human stands.
    pub fn reserve_car_spot(&mut self, id: TaskId, human: Handle, from: Vec3) -> Option<usize> {
        let places: [Vec3; SPOTS] = core::array::from_fn(|spot| self.car_spot_position(id, spot));
        self.car_mut(id)?.reserve_spot(human, |spot| (places[spot] - from).length_squared())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fake::{FakeWorld, engine};
    use super::super::tests::car;
    use super::*;
    use crate::maths::Quat;

    #[test]
    fn bands_are_found_from_below_and_above() {
        let table = [-1.0, 0.0, 2.0];
        assert_eq!([-5.0, -1.0, 0.5, 2.0, 9.0].map(|v| band_below(&table, v)), [0, 0, 1, 2, 2]);
        assert_eq!([-5.0, -1.0, 0.5, 2.0, 9.0].map(|v| band_above(&table, v)), [0, 0, 2, 2, 3]);
    }

    #[test]
    fn a_point_has_a_zone_by_length_and_side() {
        let zone = |x, y| hit_zone(Vec3::new(x, y, 0.0)).0;
        assert_eq!(
            [zone(-1.0, -2.0), zone(1.0, -2.0), zone(-1.0, -0.5), zone(1.0, 0.5), zone(0.1, 3.0)],
            [0, 1, 2, 5, 7]
        );
    }

    #[test]
    fn what_a_blow_meets_depends_on_its_height() {
        let mut car = CarTask::default();
        let front_left = HitZone(6);
        assert_eq!(car.part_of_zone(front_left, 0.5), Some(0), "the bonnet first");
        assert_eq!(car.part_of_zone(front_left, 1.2), Some(16), "glass above 1.0");
        assert_eq!(car.part_of_zone(front_left, 1.6), Some(24), "the roof above 1.5");
        car.removed = part::HOOD | part::SCREENS[0];
        assert_eq!(car.part_of_zone(front_left, 0.5), Some(6));
        assert!(car.zone_has_parts(front_left, 0.5) && !car.zone_has_parts(front_left, 1.2));
        assert_eq!(car.find_part(part::HOOD), None);
        assert_eq!(car.find_part(1 << 30), None);
    }

    #[test]
    fn a_spot_is_held_by_one_human() {
        let mut car = CarTask { spots: [Handle::NIL; SPOTS], ..CarTask::default() };
        let humans = [1, 2].map(|n| Handle::from_raw(n << 16 | 1));
        let near = |spot: usize| (spot as f32 - 4.0).abs();
        assert_eq!(car.reserve_spot(humans[0], near), Some(4));
        assert_eq!(car.reserve_spot(humans[1], near), Some(3));
        assert_eq!(car.reserve_spot(humans[0], |_| 0.0), Some(4), "who has a spot keeps it");
        assert_eq!((car.spot_of(humans[1]), car.spot_of(Handle::NIL)), (Some(3), None));
        car.release_spot(3);
        assert_eq!(car.spot_of(humans[1]), None);
        car.clear_spots();
        assert_eq!(car.spot_of(humans[0]), None);
    }

    #[test]
    fn a_spot_without_its_part_is_blocked() {
        let mut car = CarTask { spots: [Handle::NIL; SPOTS], ..CarTask::default() };
        assert!(!car.is_spot_blocked(0) && !car.are_all_spots_blocked());
        car.removed = spot_parts(0);
        assert_eq!(spot_parts(0), part::DOORS[0]);
        assert!(car.is_spot_blocked(0) && !car.is_spot_blocked(1));
        assert_eq!(car.reserve_spot(Handle::from_raw(1), |spot| spot as f32), Some(1));
        car.removed = part::HOOD;
        assert!(!car.is_spot_blocked(6), "a spot with one of its parts left is open");
        car.removed = u32::MAX;
        assert!(car.are_all_spots_blocked());
        assert_eq!(car.reserve_spot(Handle::from_raw(2), |_| 0.0), None);
    }

    #[test]
    fn spots_stand_at_their_two_heights() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = car(&mut tasks, &mut world, Vec3::new(100.0, 0.0, 1.0));
        let heights: std::vec::Vec<f32> = (0..SPOTS).map(|s| tasks.car_spot_position(id, s).z - 1.0).collect();
        assert!(heights[..6].iter().all(|z| (z + 0.6).abs() < 1e-5), "{heights:?}");
        assert!(heights[6..].iter().all(|z| (z + 0.95).abs() < 1e-5));
        let head = tasks.manager.head_mut(id).unwrap();
        head.rotation = Quat::from_heading(core::f32::consts::PI);
        assert!((tasks.car_spot_position(id, 6).y + 2.9).abs() < 1e-4, "the front turns with the car");
        assert_eq!(
            tasks.reserve_car_spot(id, Handle::from_raw(1), Vec3::new(100.0, -9.0, 0.0)).map(|s| s / 2),
            Some(3)
        );
    }
}
