//! Planting a tree: which triangles stand together.

use super::block::TRIANGLES;
use super::{BLOCK, Block, NOTHING, Node, Tree, WIDE};
use crate::collision::TriangleId;
use crate::maths::Vec3;
use alloc::vec;
use alloc::vec::Vec;
use wide::f32x8;

/// Bins along an axis that a split of a large range is chosen among.
const BINS: usize = 16;
/// A range of so many is split at the best of all places.
const SMALL: usize = 512;
/// Below so many splits, ranges are halved by number: that bounds the tree's depth, and with it the walk's stack.
const DEEPEST: usize = 24;

/// A triangle on its way into the tree.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub(super) id: TriangleId,
    pub(super) corners: [Vec3; 3],
    min: Vec3,
    max: Vec3,
}

/// A box that grows.
#[derive(Clone, Copy)]
struct Bounds {
    min: Vec3,
    max: Vec3,
}

impl Bounds {
    const EMPTY: Self = Self { min: Vec3::splat(f32::MAX), max: Vec3::splat(-f32::MAX) };

    fn of(items: &[Item]) -> Self {
        items.iter().fold(Self::EMPTY, |bounds, item| bounds.with(item.min, item.max))
    }

    fn with(self, min: Vec3, max: Vec3) -> Self {
        Self { min: self.min.min(min), max: self.max.max(max) }
    }

    /// Half its surface: how likely a way is to meet it.
    fn area(&self) -> f32 {
        let size = self.max - self.min;
        size.x * size.y + size.y * size.z + size.z * size.x
    }

    /// What so many triangles in it cost a walk, which takes them by the block.
    fn cost(&self, count: usize) -> f32 {
        self.area() * count.div_ceil(TRIANGLES) as f32
    }
}

fn centre(item: &Item, axis: usize) -> f32 {
    item.min[axis] + item.max[axis]
}

fn sort(items: &mut [Item], axis: usize) {
    items.sort_unstable_by(|a, b| centre(a, axis).total_cmp(&centre(b, axis)).then(a.id.0.cmp(&b.id.0)));
}

/// How many items of a range go to its first part, after they have been put there.
fn split(items: &mut [Item], depth: usize) -> usize {
    let best = match items.len() {
        _ if depth >= DEEPEST => None,
        ..=SMALL => split_of_few(items),
        _ => split_of_many(items),
    };
    best.unwrap_or_else(|| {
        sort(items, 0);
        items.len() / 2
    })
}

/// At the best place of all that leave whole blocks before it, along any axis.
fn split_of_few(items: &mut [Item]) -> Option<usize> {
    let mut best: Option<(f32, usize, usize)> = None;
    let mut after = vec![0.0; items.len()];
    for axis in 0..3 {
        sort(items, axis);
        let mut bounds = Bounds::EMPTY;
        for (i, item) in items.iter().enumerate().rev() {
            bounds = bounds.with(item.min, item.max);
            after[i] = bounds.cost(items.len() - i);
        }
        let mut bounds = Bounds::EMPTY;
        for (i, item) in items.iter().enumerate() {
            if i > 0 && i.is_multiple_of(TRIANGLES) {
                let cost = bounds.cost(i) + after[i];
                if best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, axis, i));
                }
            }
            bounds = bounds.with(item.min, item.max);
        }
    }
    let (_, axis, at) = best?;
    sort(items, axis);
    Some(at)
}

/// At the best border of a few bins along any axis.
fn split_of_many(items: &mut [Item]) -> Option<usize> {
    let mut best: Option<(f32, usize, f32)> = None;
    for axis in 0..3 {
        let (low, high) = items.iter().fold((f32::MAX, -f32::MAX), |(low, high), item| {
            (low.min(centre(item, axis)), high.max(centre(item, axis)))
        });
        let width = (high - low) / BINS as f32;
        if width.is_nan() || width <= 0.0 {
            continue;
        }
        let mut bins = [(0, Bounds::EMPTY); BINS];
        for item in items.iter() {
            let (count, bounds) = &mut bins[(((centre(item, axis) - low) / width) as usize).min(BINS - 1)];
            (*count, *bounds) = (*count + 1, bounds.with(item.min, item.max));
        }
        let join = |bins: &[(usize, Bounds)]| {
            let start = (0, Bounds::EMPTY);
            let (count, bounds) = bins.iter().fold(start, |(n, all), (count, b)| (n + count, all.with(b.min, b.max)));
            if count > 0 { bounds.cost(count) } else { f32::MAX }
        };
        for at in 1..BINS {
            let cost = join(&bins[..at]) + join(&bins[at..]);
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, low + width * at as f32));
            }
        }
    }
    let (_, axis, border) = best?;
    sort(items, axis);
    let at = items.partition_point(|item| centre(item, axis) < border);
    (at > 0 && at < items.len()).then_some(at)
}

impl Tree {
    /// Over triangles given by number and corners.
    pub(super) fn over(triangles: impl Iterator<Item = (TriangleId, [Vec3; 3])>) -> Self {
        let item = |(id, corners): (TriangleId, [Vec3; 3])| {
            let [a, b, c] = corners;
            Item { id, corners, min: a.min(b).min(c), max: a.max(b).max(c) }
        };
        let mut items: Vec<Item> = triangles.map(item).collect();
        let bounds = Bounds::of(&items);
        let most = if items.is_empty() { Vec3::ZERO } else { bounds.min.abs().max(bounds.max.abs()) };
        let mut tree = Self { nodes: Vec::new(), blocks: Vec::new(), largest: most.x.max(most.y).max(most.z) };
        tree.node(&mut items, 0);
        tree
    }

    /// Adds a node over a range of items and answers its number.
    fn node(&mut self, items: &mut [Item], depth: usize) -> u32 {
        let number = self.nodes.len() as u32;
        let empty =
            Node { min: [f32x8::splat(f32::MAX); 3], max: [f32x8::splat(-f32::MAX); 3], children: [NOTHING; WIDE] };
        self.nodes.push(empty);
        // The dearest part is split until there are eight of them.
        let mut parts: heapless::Vec<&mut [Item], WIDE> = heapless::Vec::new();
        let _ = parts.push(items);
        while !parts.is_full() {
            let cost = |i: usize| {
                let part = &*parts[i];
                if part.len() > TRIANGLES { Bounds::of(part).cost(part.len()) } else { -1.0 }
            };
            let dearest = (1..parts.len()).fold(0, |best, i| if cost(i) > cost(best) { i } else { best });
            if parts[dearest].len() <= TRIANGLES {
                break;
            }
            let part = parts.swap_remove(dearest);
            let at = split(part, depth);
            let (first, second) = part.split_at_mut(at);
            let _ = parts.push(first);
            let _ = parts.push(second);
        }
        let (mut min, mut max) = ([[f32::MAX; WIDE]; 3], [[-f32::MAX; WIDE]; 3]);
        let mut children = [NOTHING; WIDE];
        for (lane, part) in parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            let bounds = Bounds::of(part);
            children[lane] = if part.len() <= TRIANGLES {
                self.blocks.push(Block::of(part));
                BLOCK | (self.blocks.len() - 1) as u32
            } else {
                self.node(part, depth + 1)
            };
            for axis in 0..3 {
                (min[axis][lane], max[axis][lane]) = (bounds.min[axis], bounds.max[axis]);
            }
        }
        self.nodes[number as usize] = Node { min: min.map(f32x8::new), max: max.map(f32x8::new), children };
        number
    }
}
