//! A tree of boxes over a mesh's triangles, for whoever asks for the first thing in a way and has memory to spare.
//!
//! A node has eight children whose boxes lie side by side, so that all are tested at once; a leaf is a [`Block`] of up to
//! four triangles, side by side too. A [`Way`] goes to what is nearest first and leaves out what lies behind the nearest
//! hit so far. The answers are those of the grid.
//!
//! Our choice: the original has the grid alone, and so has the console. The host's programs, which ask millions of
//! questions of one mesh, plant a tree.

mod block;
mod build;

pub(super) use block::{Block, Reached};

use super::{CollisionMesh, Face, TriangleFlags, TriangleId};
use crate::maths::Vec3;
use alloc::boxed::Box;
use alloc::vec::Vec;
use wide::f32x8;

/// Children of a node.
const WIDE: usize = 8;
/// Nodes that wait in a walk: seven a level, of as many levels as the tree can have.
const WAITING: usize = 288;
/// Rounding of a place, as a share of the largest coordinate.
const ROUNDING: f32 = 2e-6;
/// The least speed along an axis; slower is as good as none.
const STILL: f32 = 1e-30;

/// What a child's number says: a block, or nothing there.
const BLOCK: u32 = 1 << 31;
const NOTHING: u32 = u32::MAX;

/// Eight boxes and what is in them, in four cache lines.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Node {
    min: [f32x8; 3],
    max: [f32x8; 3],
    children: [u32; WIDE],
}

/// The tree.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    blocks: Vec<Block>,
    largest: f32,
}

/// Something round on its way, as boxes are asked about it.
pub(super) struct Way {
    start: Vec3,
    by: Vec3,
    /// Radius with what rounding may lose.
    reach: f32,
    /// Per axis: what is taken from a box's near and far side, and by what the rest is multiplied.
    near: [f32x8; 3],
    far: [f32x8; 3],
    inverse: [f32x8; 3],
    backward: [bool; 3],
}

impl Way {
    fn new(start: Vec3, by: Vec3, reach: f32) -> Self {
        let backward = [0, 1, 2].map(|axis| by[axis] <= -STILL);
        let before = |axis: usize| if backward[axis] { -reach } else { reach };
        Self {
            start,
            by,
            reach,
            near: [0, 1, 2].map(|axis| f32x8::splat(start[axis] + before(axis))),
            far: [0, 1, 2].map(|axis| f32x8::splat(start[axis] - before(axis))),
            inverse: [0, 1, 2].map(|axis| {
                let along = by[axis];
                f32x8::splat(1.0 / if along.abs() < STILL { STILL } else { along })
            }),
            backward,
        }
    }

    /// The part of the way, up to its share `open`, in which each of eight boxes is touched: empty where it ends before it
    /// begins.
    #[inline]
    fn span(&self, min: &[f32x8; 3], max: &[f32x8; 3], open: f32) -> (f32x8, f32x8) {
        let (mut enter, mut exit) = (f32x8::ZERO, f32x8::splat(open));
        for axis in 0..3 {
            let (near, far) = if self.backward[axis] { (max[axis], min[axis]) } else { (min[axis], max[axis]) };
            enter = ((near - self.near[axis]) * self.inverse[axis]).fast_max(enter);
            exit = ((far - self.far[axis]) * self.inverse[axis]).fast_min(exit);
        }
        (enter, exit)
    }
}

impl Tree {
    /// What a place may be off by for a way between two points, in metres.
    fn slack(&self, start: Vec3, end: Vec3) -> f32 {
        let spread = start.abs().max(end.abs());
        ROUNDING * (spread.x + spread.y + spread.z).max(self.largest)
    }

    /// Visits the blocks that something of `radius` around `start` may touch on its way by `d`, the nearest boxes first.
    /// The visitor gets the share of the way that is still open and answers what is open after it.
    #[inline]
    pub(super) fn walk(&self, start: Vec3, d: Vec3, radius: f32, mut visit: impl FnMut(&Block, &Way, f32) -> f32) {
        let way = Way::new(start, d, radius + self.slack(start, start + d));
        let mut open = 1.0_f32;
        let mut waiting: heapless::Vec<(u32, f32), WAITING> = heapless::Vec::new();
        let mut next = Some(0_u32);
        while let Some(at) = next {
            next = None;
            if at & BLOCK != 0 {
                open = visit(&self.blocks[(at & !BLOCK) as usize], &way, open);
            } else {
                let node = &self.nodes[at as usize];
                let (enter, exit) = way.span(&node.min, &node.max, open);
                let mut met = enter.simd_le(exit).to_bitmask();
                let enter = enter.to_array();
                // The nearest one goes on at once; the others wait, the nearer ones on top.
                let mut nearest = f32::MAX;
                let first = waiting.len();
                while met != 0 {
                    let lane = met.trailing_zeros() as usize;
                    met &= met - 1;
                    let (mut child, mut from) = (node.children[lane], enter[lane]);
                    // Numbers that left the range admit boxes that are none.
                    if child == NOTHING {
                        continue;
                    }
                    if from < nearest {
                        let Some(before) = next.replace(child) else {
                            nearest = from;
                            continue;
                        };
                        (child, from, nearest) = (before, nearest, from);
                    }
                    let mut i = waiting.len();
                    // There is room: the depth is bounded.
                    let _ = waiting.push((child, from));
                    while i > first && waiting[i - 1].1 < from {
                        waiting.swap(i - 1, i);
                        i -= 1;
                    }
                }
            }
            while next.is_none() {
                match waiting.pop() {
                    Some((_, enter)) if enter > open => {}
                    Some((at, _)) => next = Some(at),
                    None => return,
                }
            }
        }
    }
}

impl CollisionMesh {
    /// Plants a tree over the triangles: what asks for the first thing in a way is answered sooner, and the same. It takes
    /// about 60 bytes a triangle.
    pub fn plant_tree(&mut self) {
        let triangle = |t: usize| {
            let id = TriangleId(t as u16);
            (id, self.corners(id))
        };
        self.tree = Some(Box::new(Tree::over((0..self.triangle_count()).map(triangle))));
    }

    /// Whether a tree has been planted.
    #[inline]
    pub fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// Visits the enabled triangles that a ball of `radius` around `start` may touch on its way by `d`, roughly the nearest
    /// first; none without a tree. The visitor answers the share of the way after which nothing more is wanted.
    #[inline]
    pub fn visit_way(
        &self,
        start: Vec3,
        d: Vec3,
        radius: f32,
        mut visit: impl FnMut(TriangleId, TriangleFlags, Face, f32) -> f32,
    ) {
        let Some(tree) = &self.tree else { return };
        tree.walk(start, d, radius, |block, way, mut open| {
            let reached: Reached = block.reached(way, open);
            for (lane, from) in reached {
                let id = block.id(lane);
                let flags = self.flags(id);
                if from <= open && flags.has(TriangleFlags::ENABLED) {
                    // Its normal stands beside its flags.
                    let normal = Vec3::from_array(self.plane(id).normal);
                    open = visit(id, flags, Face { corners: block.corners(lane), normal }, open);
                }
            }
            open
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::collision::scenes::{Random, Scene};
    use crate::collision::{CollisionMesh, Ray, RayFilter, TriangleFlags};
    use crate::maths::Vec3;

    /// The same cloud without a tree and with one; a third of it is one-sided, and some triangles have no area.
    fn clouds(count: u32) -> [CollisionMesh; 2] {
        let mut random = Random::new(14);
        let mut scene = Scene::new();
        for i in 0..count {
            let at = random.vec3(12.0);
            let third = if i % 50 == 0 { at } else { at + random.vec3(3.0) };
            let flags = if i % 3 == 0 { TriangleFlags::default() } else { TriangleFlags::TWO_SIDED };
            scene = scene.with_flags([[at, at + random.vec3(3.0), third]], flags, (i % 4) as u8, 0);
        }
        let bare = scene.mesh([11, 12, 9]);
        let mut planted = bare.clone();
        planted.plant_tree();
        [bare, planted]
    }

    #[test]
    fn a_tree_changes_no_rays_answer() {
        let [mut bare, mut planted] = clouds(700);
        let mut random = Random::new(15);
        let mut hits = 0;
        for mesh in [&mut bare, &mut planted] {
            mesh.set_enabled_in_box(Vec3::new(2.0, -20.0, -20.0), Vec3::splat(20.0), false);
        }
        for i in 0..6000 {
            let direction = if i % 10 == 0 { [Vec3::X, -Vec3::Y, Vec3::Z][i % 3] } else { random.direction() };
            let ray = Ray { origin: random.vec3(16.0), direction, length: random.range(0.0, 60.0) };
            let filter = RayFilter { mask: 0, see_through: if i % 2 == 0 { &[1, 3] } else { &[] } };
            let (a, b) = (bare.cast(&ray, &filter), planted.cast(&ray, &filter));
            assert_eq!(
                (a.hit.map(|hit| hit.distance), a.material),
                (b.hit.map(|hit| hit.distance), b.material),
                "{ray:?}"
            );
            hits += a.hit.is_some() as u32;
        }
        assert!(hits > 500, "only {hits} rays hit");
    }

    #[test]
    fn triangles_that_lie_in_one_place_make_a_tree_of_bounded_depth() {
        let mut scene = Scene::new();
        for i in 0..3000 {
            let far = if i < 30 { Vec3::X * (1 << (i / 2)) as f32 } else { Vec3::ZERO };
            scene = scene.triangle([far, far + Vec3::X, far + Vec3::Y]);
        }
        let mut mesh = scene.mesh([2, 2, 1]);
        mesh.plant_tree();
        let ray = Ray { origin: Vec3::new(0.2, 0.2, 5.0), direction: -Vec3::Z, length: 10.0 };
        assert_eq!(mesh.cast(&ray, &RayFilter::default()).hit.map(|hit| hit.distance), Some(5.0));
    }

    #[test]
    fn a_way_of_next_to_nothing_is_walked_to_its_end() {
        let corners = [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::Y];
        let mut mesh = Scene::new().with_flags([corners], TriangleFlags::TWO_SIDED, 0, 0).mesh([1, 1, 1]);
        mesh.plant_tree();
        let direction = Vec3::new(-0.6, -0.48, -0.64);
        for length in [0.0, -0.0, 1e-40, 1e-30] {
            for (z, hits) in [(0.0, true), (0.5, false)] {
                let ray = Ray { origin: Vec3::new(0.0, 0.0, z), direction, length };
                assert_eq!(mesh.cast(&ray, &RayFilter::default()).hit.is_some(), hits, "{length} from {z}");
            }
        }
    }

    #[test]
    fn a_mesh_of_nothing_has_a_tree_of_nothing() {
        let mut mesh = Scene::new().mesh([1, 1, 1]);
        mesh.plant_tree();
        let ray = Ray { origin: Vec3::Z, direction: -Vec3::Z, length: 10.0 };
        assert_eq!(mesh.cast(&ray, &RayFilter::default()).hit, None);
    }
}
