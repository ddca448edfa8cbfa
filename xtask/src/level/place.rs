//! Where a piece stands: a point and a turn about the vertical.

use boardwalk::maths::{Vec3, scalar};

/// From a piece's own axes (x to its right, y ahead, z up) to the level's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Where its origin comes to lie, metres.
    pub position: Vec3,
    /// Degrees, clockwise seen from above.
    pub turn: f32,
}

impl Transform {
    /// Nothing moves.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, turn: 0.0 };

    /// A place and a turn in degrees.
    pub const fn new(position: Vec3, turn: f32) -> Self {
        Self { position, turn }
    }

    /// A direction, turned.
    pub fn direction(&self, own: Vec3) -> Vec3 {
        // Quarter turns stay exact, so that pieces of a street meet without gaps.
        let (sin, cos) = match self.turn.rem_euclid(360.0) {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            turn => scalar::sin_cos(turn.to_radians()),
        };
        Vec3::new(own.x * cos + own.y * sin, own.y * cos - own.x * sin, own.z)
    }

    /// A point, turned and moved.
    pub fn point(&self, own: Vec3) -> Vec3 {
        self.position + self.direction(own)
    }

    /// The transform of something that `inner` places within this.
    pub fn of(&self, inner: &Self) -> Self {
        Self { position: self.point(inner.position), turn: self.turn + inner.turn }
    }

    /// This transform with a further step of its own axes.
    pub fn then(&self, step: &Self) -> Self {
        self.of(step)
    }

    /// The heading in radians, clockwise from +y, of something that looks ahead.
    pub fn heading(&self) -> f32 {
        self.turn.rem_euclid(360.0).to_radians()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ahead_turned_by_ninety_degrees_is_east() {
        let turned = Transform::new(Vec3::ZERO, 90.0).point(Vec3::Y);
        assert_eq!(turned, Vec3::X);
        let odd = Transform::new(Vec3::ZERO, 30.0).point(Vec3::Y);
        assert!((odd.x - 0.5).abs() < 1e-5 && odd.y > 0.86, "{odd:?}");
    }

    #[test]
    fn four_quarters_of_a_ring_come_back_to_the_start() {
        let step = Transform::new(Vec3::new(0.0, 3.0, 0.0), 90.0);
        let all = (0..4).fold(Transform::IDENTITY, |at, _| at.then(&step));
        assert_eq!(all.position, Vec3::ZERO);
    }
}
