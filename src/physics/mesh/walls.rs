//! Which faces stop a walker.

use crate::collision::Face;
use crate::physics::constants::{LOW_WALL, THIN_UPRIGHT, THIN_WIDTH, WALL_UPRIGHT};

/// Whether a face is steep enough to be a wall.
///
/// Source: seed 002, Sweeping a body (|n.z| at most 0.65).
#[inline]
pub fn is_wall(face: &Face) -> bool {
    face.normal.z.abs() <= WALL_UPRIGHT
}

/// Whether a wall is too low or too thin to stop a walker: a kerb's riser, a sliver of a bevel.
///
/// Its steepest edge must rise by 0.25 m; and unless its longest edge is upright, its third corner must lie 0.25 m or more
/// beside that edge.
///
/// Source: support systems, Collision mesh; seed 002, Sweeping a body. The thresholds are measured on steps and posts.
// Covers: seed 002, CollTri_ComputeEdgeNormals (0x00343b20) test=a_sliver_does_not_stop_and_a_post_does
pub fn is_low_or_thin(face: &Face) -> bool {
    let edges = [0, 1, 2].map(|i| face.edge(i).1);
    let lengths = edges.map(|edge| edge.length());
    let unit_z = |i: usize| if lengths[i] > 0.0 { edges[i].z.abs() / lengths[i] } else { 0.0 };
    let steepest = largest(unit_z);
    if edges[steepest].z.abs() < LOW_WALL {
        return true;
    }
    let longest = largest(|i| lengths[i]);
    if unit_z(longest) >= THIN_UPRIGHT {
        return false;
    }
    let third = face.corners[(longest + 2) % 3] - face.corners[longest];
    third.cross(edges[longest]).length() < THIN_WIDTH * lengths[longest]
}

/// Which of three edges has the largest measure; the first one of equals.
fn largest(measure: impl Fn(usize) -> f32) -> usize {
    (1..3).fold(0, |best, i| if measure(i) > measure(best) { i } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::wall;
    use crate::maths::Vec3;

    fn riser_stops(height: f32) -> [bool; 2] {
        wall([0.0, 0.0], [4.0, 0.0], [0.0, height]).map(|corners| !is_low_or_thin(&Face::new(corners)))
    }

    #[test]
    fn a_riser_stops_a_walker_from_a_quarter_metre_on() {
        for height in [0.10, 0.20, 0.24, 0.25] {
            assert_eq!(riser_stops(height), [false, false], "{height}");
        }
        for height in [0.26, 0.30, 0.5, 3.0] {
            assert_eq!(riser_stops(height), [true, true], "{height}");
        }
    }

    #[test]
    fn a_sliver_does_not_stop_and_a_post_does() {
        let face = |v: [[f32; 3]; 3]| Face::new(v.map(Vec3::from_array));
        assert!(is_low_or_thin(&face([[0.0, 0.0, 0.0], [6.0, 0.0, 2.0], [3.0, 0.0, 1.1]])));
        assert!(!is_low_or_thin(&face([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.1, 0.0, 2.0]])));
    }

    #[test]
    fn steepness_is_read_from_either_side() {
        let slope = |z: f32| Face { corners: [Vec3::ZERO; 3], normal: Vec3::new(0.0, 0.0, z) };
        assert!(is_wall(&slope(0.65)) && is_wall(&slope(-0.65)));
        assert!(!is_wall(&slope(0.66)) && !is_wall(&slope(-0.66)));
    }
}
