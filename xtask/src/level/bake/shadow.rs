//! What stands in the way of light: a tree of boxes around triangles.

use crate::level::materials::Blend;
use crate::level::scene::Scene;
use boardwalk::maths::Vec3;

/// Triangles in a leaf.
const LEAF: usize = 4;
/// Nearest distance at which something counts, metres.
const CLEAR: f32 = 0.01;

/// A triangle by a corner and its two sides.
#[derive(Clone, Copy)]
struct Blade {
    corner: Vec3,
    first: Vec3,
    second: Vec3,
}

struct Node {
    min: Vec3,
    max: Vec3,
    /// The first triangle of a leaf, or the second child of an inner node, whose first child follows it.
    start: u32,
    /// Triangles of a leaf; 0 for an inner node.
    count: u32,
}

/// Everything of a scene that casts a shadow.
pub(super) struct Occluders {
    nodes: Vec<Node>,
    blades: Vec<Blade>,
}

impl Occluders {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut blades = Vec::new();
        for patch in &scene.patches {
            if !patch.casts || patch.backdrop || scene.materials.get(patch.material).blend != Blend::Opaque {
                continue;
            }
            let [a, b, c, d] = patch.corners;
            for [a, b, c] in [[a, b, c], [a, c, d]] {
                if (b - a).cross(c - a).length_squared() > 1e-12 {
                    blades.push(Blade { corner: a, first: b - a, second: c - a });
                }
            }
        }
        let mut tree = Self { nodes: Vec::new(), blades: Vec::with_capacity(blades.len()) };
        tree.grow(&mut blades);
        tree
    }

    fn grow(&mut self, blades: &mut [Blade]) -> u32 {
        let corners = |blade: &Blade| [blade.corner, blade.corner + blade.first, blade.corner + blade.second];
        let far = Vec3::splat(f32::MAX);
        let (min, max) =
            blades.iter().flat_map(corners).fold((far, -far), |(min, max), corner| (min.min(corner), max.max(corner)));
        let index = self.nodes.len() as u32;
        let count = if blades.len() <= LEAF { blades.len() as u32 } else { 0 };
        self.nodes.push(Node { min, max, start: self.blades.len() as u32, count });
        if blades.len() <= LEAF {
            self.blades.extend_from_slice(blades);
            return index;
        }
        let size = max - min;
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let middle = |blade: &Blade| (blade.corner + (blade.first + blade.second) * (1.0 / 3.0)).to_array()[axis];
        let half = blades.len() / 2;
        blades.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)));
        let (low, high) = blades.split_at_mut(half);
        self.grow(low);
        let second = self.grow(high);
        self.nodes[index as usize].start = second;
        index
    }

    /// Whether nothing stands on the way.
    pub(super) fn is_free(&self, from: Vec3, direction: Vec3, length: f32) -> bool {
        self.cast(from, direction, length, true).is_none()
    }

    /// Metres to the nearest thing on the way.
    pub(super) fn distance(&self, from: Vec3, direction: Vec3, length: f32) -> Option<f32> {
        self.cast(from, direction, length, false)
    }

    fn cast(&self, from: Vec3, direction: Vec3, length: f32, any: bool) -> Option<f32> {
        if self.blades.is_empty() {
            return None;
        }
        let safe = |v: f32| if v.abs() < 1e-9 { 1e9 } else { 1.0 / v };
        let inverse = Vec3::new(safe(direction.x), safe(direction.y), safe(direction.z));
        let (mut nearest, mut hit) = (length, None);
        let mut stack = [0_u32; 64];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let index = stack[depth];
            let node = &self.nodes[index as usize];
            let (a, b) = ((node.min - from).scale(inverse), (node.max - from).scale(inverse));
            let (low, high) = (a.min(b), a.max(b));
            let enter = low.x.max(low.y).max(low.z).max(0.0);
            let leave = high.x.min(high.y).min(high.z).min(nearest);
            if enter > leave {
                continue;
            }
            if node.count == 0 {
                stack[depth] = index + 1;
                stack[depth + 1] = node.start;
                depth += 2;
                continue;
            }
            let leaf = node.start as usize..(node.start + node.count) as usize;
            for blade in &self.blades[leaf] {
                if let Some(distance) = meet(blade, from, direction)
                    && distance < nearest
                {
                    (nearest, hit) = (distance, Some(distance));
                    if any {
                        return hit;
                    }
                }
            }
        }
        hit
    }
}

/// Where a ray meets a triangle, from either side (Moeller and Trumbore's test).
fn meet(blade: &Blade, from: Vec3, direction: Vec3) -> Option<f32> {
    let p = direction.cross(blade.second);
    let det = blade.first.dot(p);
    if det.abs() < 1e-9 {
        return None;
    }
    let inverse = 1.0 / det;
    let to = from - blade.corner;
    let u = to.dot(p) * inverse;
    if !(0.0..=1.0).contains(&u) {
        return None;
    }
    let q = to.cross(blade.first);
    let v = direction.dot(q) * inverse;
    let distance = blade.second.dot(q) * inverse;
    (v >= 0.0 && u + v <= 1.0 && distance > CLEAR).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_many_walls_is_found() {
        let wall = |y: f32| Blade {
            corner: Vec3::new(-1.0, y, -1.0),
            first: Vec3::new(4.0, 0.0, 0.0),
            second: Vec3::new(0.0, 0.0, 4.0),
        };
        let mut blades: Vec<Blade> = (0..40).map(|n| wall(3.0 + ((n * 17) % 40) as f32)).collect();
        let mut tree = Occluders { nodes: Vec::new(), blades: Vec::new() };
        tree.grow(&mut blades);
        assert_eq!(tree.distance(Vec3::ZERO, Vec3::Y, 100.0), Some(3.0));
        assert!(tree.is_free(Vec3::ZERO, Vec3::Y, 2.9) && !tree.is_free(Vec3::ZERO, Vec3::Y, 3.1));
        assert_eq!(tree.distance(Vec3::new(5.0, 0.0, 5.0), Vec3::Y, 100.0), None);
    }
}
