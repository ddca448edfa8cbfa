//! A tree of boxes over a mesh's triangles, for whoever asks for the first thing in a way and has memory to spare.
//!
//! A node has four children whose boxes lie side by side, so that four are tested at once; a leaf is a block of up to four
//! triangles, their planes side by side too. A walk goes to what is nearest first and leaves out what lies behind the
//! nearest hit so far. The answers are those of the grid.
//!
//! Our choice: the original has the grid alone, and so has the game. Its builder and host programs, which ask millions of
//! questions of one mesh, plant a tree.

use super::{Face, TriangleId};
use crate::maths::Vec3;
use alloc::vec::Vec;

/// Children of a node and triangles of a block.
const WIDE: usize = 4;
/// One number for each of them.
type Lanes = [f32; WIDE];
/// Bins along an axis that a split is chosen among.
const BINS: usize = 16;
/// Below so many splits, ranges are halved by number: that bounds the tree's depth, and with it the walk's stack.
const DEEPEST: usize = 24;
/// Nodes that wait in a walk: three a level, of 24 levels and of the 16 that halving 65,535 triangles takes.
const WAITING: usize = 128;
/// Rounding of a place, as a share of the largest coordinate.
const ROUNDING: f32 = 2e-6;
/// The least speed along an axis; slower is as good as none.
const STILL: f32 = 1e-30;

/// What a child's number says: a block, or nothing there.
const BLOCK: u32 = 1 << 31;
const NOTHING: u32 = u32::MAX;

#[derive(Clone, Debug)]
#[repr(C, align(16))]
struct Node {
    min: [Lanes; 3],
    max: [Lanes; 3],
    children: [u32; WIDE],
}

/// Triangles side by side. A lane without one has a plane that nothing reaches.
#[derive(Clone, Debug)]
#[repr(C, align(16))]
pub(super) struct Block {
    /// The corners: what is read of them stands here, so that a walk goes nowhere else.
    corners: [[Lanes; 3]; 3],
    normal: [Lanes; 3],
    offset: Lanes,
    ids: [TriangleId; WIDE],
    count: usize,
}

/// The tree.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    blocks: Vec<Block>,
    largest: f32,
}

/// A triangle on its way into the tree.
#[derive(Clone, Copy)]
struct Item {
    id: TriangleId,
    corners: [Vec3; 3],
    normal: Vec3,
    min: Vec3,
    max: Vec3,
}

impl Item {
    fn centre(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }
}

#[inline]
fn lanes(f: impl FnMut(usize) -> f32) -> Lanes {
    core::array::from_fn(f)
}

#[inline]
fn less(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline]
fn more(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Half the surface of a box.
fn area(min: Vec3, max: Vec3) -> f32 {
    let size = max - min;
    size.x * size.y + size.y * size.z + size.z * size.x
}

fn bounds(items: &[Item]) -> (Vec3, Vec3) {
    let empty = (Vec3::splat(f32::MAX), Vec3::splat(-f32::MAX));
    items.iter().fold(empty, |(min, max), item| (min.min(item.min), max.max(item.max)))
}

/// How many items of a range go to its first part, after they have been put there: by the least expected cost of a walk
/// over bins along the widest axis, or half of them.
fn split(items: &mut [Item], depth: usize) -> usize {
    let empty = (Vec3::splat(f32::MAX), Vec3::splat(-f32::MAX));
    let (low, high) = items.iter().fold(empty, |(l, h), item| (l.min(item.centre()), h.max(item.centre())));
    let size = high - low;
    let axis = (1..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
    let half = items.len() / 2;
    if depth < DEEPEST && size[axis] > 0.0 {
        let scale = BINS as f32 / size[axis];
        let bin = |item: &Item| (((item.centre()[axis] - low[axis]) * scale) as usize).min(BINS - 1);
        let mut bins = [(0, empty.0, empty.1); BINS];
        for item in items.iter() {
            let (count, min, max) = &mut bins[bin(item)];
            (*count, *min, *max) = (*count + 1, min.min(item.min), max.max(item.max));
        }
        let join = |parts: &[(usize, Vec3, Vec3)]| {
            let start = (0, empty.0, empty.1);
            let (count, min, max) =
                parts.iter().fold(start, |(n, min, max), part| (n + part.0, min.min(part.1), max.max(part.2)));
            if count > 0 { count as f32 * area(min, max) } else { f32::MAX }
        };
        let cost = |at: usize| join(&bins[..at]) + join(&bins[at..]);
        let best = (2..BINS).fold(1, |best, at| if cost(at) < cost(best) { at } else { best });
        let is_first = |item: &Item| bin(item) < best;
        items.sort_by_key(|item| !is_first(item));
        let count = items.iter().filter(|item| is_first(item)).count();
        if count > 0 && count < items.len() {
            return count;
        }
    }
    items.sort_by(|a, b| a.centre()[axis].total_cmp(&b.centre()[axis]));
    half
}

impl Tree {
    /// Over triangles given by number, corners and unit normal.
    pub(super) fn over(triangles: impl Iterator<Item = (TriangleId, [Vec3; 3], Vec3)>) -> Self {
        let item = |(id, corners, normal): (TriangleId, [Vec3; 3], Vec3)| {
            let [a, b, c] = corners;
            Item { id, corners, normal, min: a.min(b).min(c), max: a.max(b).max(c) }
        };
        let mut items: Vec<Item> = triangles.map(item).collect();
        let (min, max) = bounds(&items);
        let most = if items.is_empty() { Vec3::ZERO } else { min.abs().max(max.abs()) };
        let mut tree = Self { nodes: Vec::new(), blocks: Vec::new(), largest: most.x.max(most.y).max(most.z) };
        tree.node(&mut items, 0);
        tree
    }

    /// Adds a node over a range of items and answers its number.
    fn node(&mut self, items: &mut [Item], depth: usize) -> u32 {
        let number = self.nodes.len() as u32;
        let far = [[f32::MAX; WIDE]; 3];
        let near = [[-f32::MAX; WIDE]; 3];
        self.nodes.push(Node { min: far, max: near, children: [NOTHING; WIDE] });
        // The largest part is split until there are four of them.
        let mut parts: heapless::Vec<&mut [Item], WIDE> = heapless::Vec::new();
        let _ = parts.push(items);
        while !parts.is_full() {
            let largest = (1..parts.len()).fold(0, |best, i| if parts[i].len() > parts[best].len() { i } else { best });
            if parts[largest].len() <= WIDE {
                break;
            }
            let part = parts.swap_remove(largest);
            let at = split(part, depth);
            let (first, second) = part.split_at_mut(at);
            let _ = parts.push(first);
            let _ = parts.push(second);
        }
        for (lane, part) in parts.into_iter().enumerate() {
            if part.is_empty() {
                continue;
            }
            let (min, max) = bounds(part);
            let child = if part.len() <= WIDE { self.block(part) } else { self.node(part, depth + 1) };
            let node = &mut self.nodes[number as usize];
            node.children[lane] = child;
            for axis in 0..3 {
                (node.min[axis][lane], node.max[axis][lane]) = (min[axis], max[axis]);
            }
        }
        number
    }

    fn block(&mut self, items: &[Item]) -> u32 {
        let of = |lane: usize, value: &dyn Fn(&Item) -> f32| items.get(lane).map_or(0.0, value);
        let vector = |value: &dyn Fn(&Item) -> Vec3| -> [Lanes; 3] {
            core::array::from_fn(|axis| lanes(|lane| of(lane, &|item| value(item)[axis])))
        };
        self.blocks.push(Block {
            corners: [0, 1, 2].map(|i| vector(&|item| item.corners[i])),
            normal: vector(&|item| item.normal),
            offset: lanes(|lane| of(lane, &|item| item.normal.dot(item.corners[0]))),
            ids: core::array::from_fn(|lane| items.get(lane).map_or(TriangleId(0), |item| item.id)),
            count: items.len(),
        });
        BLOCK | (self.blocks.len() - 1) as u32
    }

    /// What a place may be off by for a walk between two points, in metres.
    fn slack(&self, start: Vec3, end: Vec3) -> f32 {
        let spread = start.abs().max(end.abs());
        ROUNDING * (spread.x + spread.y + spread.z).max(self.largest)
    }

    /// Visits the blocks that something of `radius` around `start` may touch on its way by `d`, the nearest boxes first.
    /// The visitor gets the share of the way that is still open and answers what is open after it.
    #[inline]
    pub(super) fn walk(&self, start: Vec3, d: Vec3, radius: f32, mut visit: impl FnMut(&Block, f32) -> f32) {
        let reach = radius + self.slack(start, start + d);
        let mut open = 1.0_f32;
        let inverse = [0, 1, 2].map(|axis| {
            let along = d[axis];
            1.0 / if along.abs() < STILL { STILL } else { along }
        });
        let (low, high) = (start + Vec3::splat(reach), start - Vec3::splat(reach));
        let mut waiting: heapless::Vec<(u32, f32), WAITING> = heapless::Vec::new();
        let mut next = Some(0_u32);
        while let Some(at) = next {
            if at & BLOCK != 0 {
                open = visit(&self.blocks[(at & !BLOCK) as usize], open);
            } else {
                let node = &self.nodes[at as usize];
                let (mut enter, mut exit) = ([0.0; WIDE], [open; WIDE]);
                for axis in 0..3 {
                    let a = lanes(|i| (node.min[axis][i] - low[axis]) * inverse[axis]);
                    let b = lanes(|i| (node.max[axis][i] - high[axis]) * inverse[axis]);
                    enter = lanes(|i| more(enter[i], less(a[i], b[i])));
                    exit = lanes(|i| less(exit[i], more(a[i], b[i])));
                }
                // The nearest one is to be taken first and so comes last.
                let first = waiting.len();
                for lane in 0..WIDE {
                    if enter[lane] <= exit[lane] && node.children[lane] != NOTHING {
                        // There is room: the depth is bounded.
                        let _ = waiting.push((node.children[lane], enter[lane]));
                        let mut i = waiting.len() - 1;
                        while i > first && waiting[i - 1].1 < waiting[i].1 {
                            waiting.swap(i - 1, i);
                            i -= 1;
                        }
                    }
                }
            }
            next = loop {
                match waiting.pop() {
                    Some((_, enter)) if enter > open => {}
                    waits => break waits.map(|(at, _)| at),
                }
            };
        }
    }
}

impl Block {
    /// The lanes that a test admits.
    #[inline]
    fn admitted(&self, admits: [bool; WIDE]) -> impl Iterator<Item = usize> + '_ {
        (0..self.count).filter(move |&lane| admits[lane])
    }

    /// A lane's working copy.
    #[inline]
    fn face(&self, lane: usize) -> Face {
        let vector = |lanes: &[Lanes; 3]| Vec3::new(lanes[0][lane], lanes[1][lane], lanes[2][lane]);
        Face { corners: [0, 1, 2].map(|i| vector(&self.corners[i])), normal: vector(&self.normal) }
    }

    /// The triangles whose planes something of `radius` reaches on its way from `start` to `end`.
    #[inline]
    pub(super) fn reached(&self, start: Vec3, end: Vec3, radius: f32) -> impl Iterator<Item = (TriangleId, Face)> + '_ {
        let along = |p: Vec3| {
            lanes(|i| self.normal[0][i] * p.x + self.normal[1][i] * p.y + self.normal[2][i] * p.z - self.offset[i])
        };
        let (from, to) = (along(start), along(end));
        // On one side all the way, and further away than the radius.
        self.admitted(core::array::from_fn(|i| {
            !((from[i] > radius) & (to[i] > radius) | (from[i] < -radius) & (to[i] < -radius))
        }))
        .map(|lane| (self.ids[lane], self.face(lane)))
    }

    /// The triangles that a line from `o` along `d` crosses no further out than `reach` times `d`, give or take rounding.
    #[inline]
    pub(super) fn crossed(&self, o: Vec3, d: Vec3, reach: f32) -> impl Iterator<Item = TriangleId> + '_ {
        const SLACK: f32 = 1e-3;
        let [first, second, third] = &self.corners;
        let edge = |end: &[Lanes; 3]| -> [Lanes; 3] { [0, 1, 2].map(|axis| lanes(|i| end[axis][i] - first[axis][i])) };
        let (e1, e2) = (&edge(second), &edge(third));
        let cross = |a: &[Lanes; 3], b: &[Lanes; 3]| -> [Lanes; 3] {
            let part = |j: usize, k: usize| lanes(|i| a[j][i] * b[k][i] - a[k][i] * b[j][i]);
            [part(1, 2), part(2, 0), part(0, 1)]
        };
        let dot = |a: &[Lanes; 3], b: &[Lanes; 3]| lanes(|i| a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i]);
        let way = [[d.x; WIDE], [d.y; WIDE], [d.z; WIDE]];
        let p = cross(&way, e2);
        let determinant = dot(e1, &p);
        let s: [Lanes; 3] = [0, 1, 2].map(|axis| lanes(|i| o[axis] - first[axis][i]));
        let q = cross(&s, e1);
        let (u, v, t) = (dot(&s, &p), dot(&way, &q), dot(e2, &q));
        // Everything times the determinant's sign instead of over it.
        self.admitted(core::array::from_fn(|i| {
            let sign = if determinant[i] < 0.0 { -1.0 } else { 1.0 };
            let (whole, u, v, t) = (determinant[i] * sign, u[i] * sign, v[i] * sign, t[i] * sign);
            let slack = whole * SLACK;
            (u >= -slack) & (v >= -slack) & (u + v <= whole + slack) & (t >= -slack) & (t <= whole * reach + slack)
        }))
        .map(|lane| self.ids[lane])
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
        assert!(hits > 1000, "only {hits} rays hit");
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
    fn a_mesh_of_nothing_has_a_tree_of_nothing() {
        let mut mesh = Scene::new().mesh([1, 1, 1]);
        mesh.plant_tree();
        let ray = Ray { origin: Vec3::Z, direction: -Vec3::Z, length: 10.0 };
        assert_eq!(mesh.cast(&ray, &RayFilter::default()).hit, None);
    }
}
