//! Where followers walk.

use crate::maths::{Quat, Vec3};
use crate::tasks::humans::groups::PLACES;

/// Places of a formation in the leader's space, metres: two and two behind.
///
/// Our choice: an open wedge, so that the leader's camera sees ahead.
const OFFSETS: [[f32; 2]; PLACES] =
    [[-1.3, -1.4], [1.3, -1.4], [-2.3, -2.7], [2.3, -2.7], [0.0, -2.6], [-1.2, -4.0], [1.2, -4.0], [0.0, -5.2]];

/// Where the follower of a number walks behind a leader.
pub fn formation_place(leader: Vec3, heading: f32, number: usize) -> Vec3 {
    let [x, y] = OFFSETS[number % PLACES];
    leader + Quat::from_heading(heading).rotate(Vec3::new(x, y, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn followers_walk_behind_their_leader() {
        let place = formation_place(Vec3::new(5.0, 5.0, 0.0), core::f32::consts::FRAC_PI_2, 0);
        assert!((place - Vec3::new(3.6, 6.3, 0.0)).length() < 1e-5, "{place:?}");
    }
}
