//! One triangle: the record of the mesh and the working copy that tests use.

use crate::bits::bit_set;
use crate::maths::Vec3;

/// Index of a triangle in its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TriangleId(pub u16);

/// What a triangle is, bit by bit.
///
/// Source: support systems, Collision mesh; seed 002, Open questions (bit 3) and Sweeping a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriangleFlags(pub u16);

bit_set!(TriangleFlags);

impl TriangleFlags {
    /// Takes part in tests; set on all when a mesh loads. Read by every query.
    pub const ENABLED: Self = Self(0x1);
    /// Has no back: tests turn it to face the asking shape.
    pub const TWO_SIDED: Self = Self(0x2);
    /// The player may climb it (a parked car's shell, a fence).
    pub const PLAYER_CLIMBABLE: Self = Self(0x4);
    /// Skipped by the sphere sweeps of bodies and queries that say so.
    pub const SPHERES_PASS: Self = Self(0x8);
    /// Covered ground.
    pub const COVERED: Self = Self(0x10);
    /// A door's leaf.
    pub const DOOR_LEAF: Self = Self(0x40);
    /// Anybody may climb it.
    pub const CLIMBABLE: Self = Self(0x80);
    /// A slide along it does not write the slid velocity back. Read by the body sweep.
    pub const KEEPS_VELOCITY: Self = Self(0x100);
    /// A door.
    pub const DOOR: Self = Self(0x400);
    /// A ray with the same bit in its mask tests it although it is disabled.
    pub const RAYS_WHEN_DISABLED: Self = Self(0x800);
    /// A parked car's shell: enabled, climbable by the player, passed by the spheres of bodies that say so, without a corner
    /// edge, and with the two bits 0x3000, which nobody is known to read.
    ///
    /// Source: settled questions 19; seed 002, Collision layers (seen at runtime).
    pub const CAR_SHELL: Self = Self(0xf00d);
    /// The bits that a ray's answer reports and that its mask may name.
    pub const REPORTED: u16 = 0xfff;

    const CORNER_EDGE_SHIFT: u32 = 14;
    const CORNER_EDGE_NONE: u16 = 3;

    /// The edge past which a body slides round the corner: 0 from corner 0 to 1, 1 from 1 to 2, 2 from 2 to 0.
    #[inline]
    pub const fn corner_edge(self) -> Option<usize> {
        let edge = self.0 >> Self::CORNER_EDGE_SHIFT;
        if edge == Self::CORNER_EDGE_NONE { None } else { Some(edge as usize) }
    }

    /// With another corner edge; anything but 0, 1 and 2 means none.
    pub const fn with_corner_edge(self, edge: Option<usize>) -> Self {
        let value = match edge {
            Some(edge @ 0..=2) => edge as u16,
            _ => Self::CORNER_EDGE_NONE,
        };
        Self(self.0 & !(Self::CORNER_EDGE_NONE << Self::CORNER_EDGE_SHIFT) | value << Self::CORNER_EDGE_SHIFT)
    }
}

/// A triangle of the mesh, ten bytes on the disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Triangle {
    /// Indices of the corners, counter-clockwise seen from the front.
    pub corners: [u16; 3],
    /// What it is.
    pub flags: TriangleFlags,
    /// Material number.
    pub material: u8,
    /// Area number; 0 is unmarked ground.
    pub area: u8,
}

/// The working copy of a triangle that tests read: corners and unit normal, four quadwords for VU0.
///
/// Source: seed 002, Mesh tests.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Face {
    /// The corners in metres.
    pub corners: [Vec3; 3],
    /// Unit normal, zero for a triangle without area.
    pub normal: Vec3,
}

impl Face {
    /// From three corners, counter-clockwise seen from the front: the normal is that of `(v1 - v0) x (v2 - v0)`.
    // Covers: seed 002, CollTri_ComputeNormal (0x00343c30) test=turning_a_face_keeps_its_plane_and_its_winding_rule default=Self { corners, normal: Vec3::ZERO }
    #[inline]
    pub fn new(corners: [Vec3; 3]) -> Self {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        Self { corners, normal: normal.normalize_or_zero() }
    }

    /// Signed distance of a point from the plane in metres, positive in front.
    #[inline]
    pub fn distance(&self, point: Vec3) -> f32 {
        self.normal.dot(point - self.corners[0])
    }

    /// Turned over: the normal negated and two corners swapped.
    ///
    /// Our choice: the second and third corner change places, so that the first stays the plane's reference. Which two
    /// change is not known, and no test depends on it.
    // Covers: seed 002, CollTri_Turn (0x00343c90) test=turning_a_face_keeps_its_plane_and_its_winding_rule default=*self
    #[inline]
    pub fn turned(&self) -> Self {
        let [a, b, c] = self.corners;
        Self { corners: [a, c, b], normal: -self.normal }
    }

    /// The edge from corner `i` to the next, as start and direction times length.
    // Covers: seed 002, CollTri_ComputeEdges (0x00343a90) test=physics::mesh::walls::tests::a_sliver_does_not_stop_and_a_post_does
    #[inline]
    pub fn edge(&self, i: usize) -> (Vec3, Vec3) {
        let start = self.corners[i];
        (start, self.corners[(i + 1) % 3] - start)
    }

    /// True when the point's projection along the normal lies outside edge `i`.
    #[inline]
    pub fn outside_edge(&self, i: usize, point: Vec3) -> bool {
        let (start, along) = self.edge(i);
        along.cross(self.normal).dot(point - start) > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_car_shells_flags_read_as_traced() {
        let flags = TriangleFlags::CAR_SHELL;
        assert!(flags.has(TriangleFlags::ENABLED) && flags.has(TriangleFlags::PLAYER_CLIMBABLE));
        assert!(flags.has(TriangleFlags::SPHERES_PASS) && !flags.has(TriangleFlags::TWO_SIDED));
        assert_eq!(flags.corner_edge(), None);
    }

    #[test]
    fn the_corner_edge_survives_a_round_trip() {
        for edge in [None, Some(0), Some(1), Some(2)] {
            let flags = TriangleFlags(0x0fff).with_corner_edge(edge);
            assert_eq!(flags.corner_edge(), edge);
            assert_eq!(flags.0 & TriangleFlags::REPORTED, 0xfff);
        }
    }

    #[test]
    fn turning_a_face_keeps_its_plane_and_its_winding_rule() {
        let face = Face::new([Vec3::new(0.0, 0.0, 2.0), Vec3::new(1.0, 0.0, 2.0), Vec3::new(0.0, 1.0, 2.0)]);
        let turned = face.turned();
        assert_eq!(turned.normal, -Vec3::Z);
        assert_eq!(Face::new(turned.corners).normal, turned.normal);
        assert_eq!(turned.distance(Vec3::ZERO), 2.0);
    }
}
