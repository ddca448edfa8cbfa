//! How a move comes to the planes of many triangles.

use crate::collision::{Approach, MoveRows, Plane};

/// Works out a move's approach to each plane; the shorter slice decides how many.
#[inline]
pub fn approaches(rows: &MoveRows, planes: &[&Plane], out: &mut [Approach]) {
    for (plane, approach) in planes.iter().zip(out) {
        *approach = rows.approach(plane);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Vec3;

    #[test]
    fn both_ends_and_the_move_are_measured_along_each_normal() {
        let floor = Plane { normal: [0.0, 0.0, 1.0], offset: 2.0 };
        let wall = Plane { normal: [-1.0, 0.0, 0.0], offset: -7.0 };
        let rows = MoveRows::new(Vec3::new(4.0, 0.0, 5.0), Vec3::new(1.0, 9.0, -2.5));
        let mut out = [Approach::default(); 2];
        approaches(&rows, &[&floor, &wall], &mut out);
        let numbers = out.map(|approach| [approach.from, approach.to, approach.along]);
        assert_eq!(numbers, [[3.0, 0.5, -2.5], [3.0, 2.0, -1.0]]);
    }
}
