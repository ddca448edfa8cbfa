//! Triangles to strips.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// Triangles of a strip at most, so that a strip never fills a batch alone.
const LONGEST: usize = 64;

/// Strips that draw every one of `triangles` once, each as its vertices in order; every second triangle of a strip is wound
/// the other way round. Greedy: a strip begins at a triangle with few free neighbours and turns to where it gets longest.
pub(super) fn strips(triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let mut sides: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (index, triangle) in triangles.iter().enumerate() {
        for side in 0..3 {
            sides.entry((triangle[side], triangle[(side + 1) % 3])).or_default().push(index);
        }
    }
    let mut mesh = Unused { triangles, sides, used: vec![false; triangles.len()] };
    let mut found = Vec::new();
    for first in 0..triangles.len() {
        if mesh.used[first] {
            continue;
        }
        let start = mesh.loneliest_near(first);
        let tries = (0..3).map(|turn| mesh.follow(start, turn));
        let Some((strip, taken)) = tries.max_by_key(|(strip, _)| strip.len()) else { continue };
        for triangle in taken {
            mesh.used[triangle] = true;
        }
        found.push(strip);
        // A better start may have left the first triangle for later.
        if !mesh.used[first] {
            let (strip, taken) = mesh.follow(first, 0);
            for triangle in taken {
                mesh.used[triangle] = true;
            }
            found.push(strip);
        }
    }
    found
}

struct Unused<'a> {
    triangles: &'a [[u32; 3]],
    sides: BTreeMap<(u32, u32), Vec<usize>>,
    used: Vec<bool>,
}

impl Unused<'_> {
    /// A free triangle with the directed side `from`-`to`.
    fn with_side(&self, from: u32, to: u32, but: &[usize]) -> Option<usize> {
        let there = self.sides.get(&(from, to))?;
        there.iter().copied().find(|&index| !self.used[index] && !but.contains(&index))
    }

    fn free_neighbours(&self, index: usize) -> usize {
        let [a, b, c] = self.triangles[index];
        [(b, a), (c, b), (a, c)].iter().filter(|side| self.with_side(side.0, side.1, &[index]).is_some()).count()
    }

    /// The triangle itself or the one beside it that has fewest neighbours left.
    fn loneliest_near(&self, index: usize) -> usize {
        let [a, b, c] = self.triangles[index];
        let beside = [(b, a), (c, b), (a, c)].into_iter().filter_map(|(from, to)| self.with_side(from, to, &[index]));
        core::iter::once(index).chain(beside).min_by_key(|&index| self.free_neighbours(index)).unwrap_or(index)
    }

    /// The strip from a triangle on whose corners are turned by `turn`, and the triangles in it.
    fn follow(&self, start: usize, turn: usize) -> (Vec<u32>, Vec<usize>) {
        let corner = |index: usize| self.triangles[start][(index + turn) % 3];
        let mut strip = vec![corner(0), corner(1), corner(2)];
        let mut taken = vec![start];
        while taken.len() < LONGEST {
            let &[.., a, b] = strip.as_slice() else { break };
            // The neighbour has the last side in the other direction; in a reversed triangle the side runs backwards.
            let (from, to) = if taken.len() % 2 == 1 { (b, a) } else { (a, b) };
            let from_side = self.with_side(from, to, &taken);
            let Some(next) = from_side else { break };
            let Some(&third) = self.triangles[next].iter().find(|&&corner| corner != a && corner != b) else { break };
            strip.push(third);
            taken.push(next);
        }
        (strip, taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triangles that strips draw, each beginning with its smallest corner.
    fn drawn(strips: &[Vec<u32>]) -> Vec<[u32; 3]> {
        let mut all = Vec::new();
        for strip in strips {
            for (index, corners) in strip.windows(3).enumerate() {
                let [a, b, c] = [corners[0], corners[1], corners[2]];
                all.push(turned(if index % 2 == 0 { [a, b, c] } else { [b, a, c] }));
            }
        }
        all.sort();
        all
    }

    fn turned(mut triangle: [u32; 3]) -> [u32; 3] {
        while triangle[0] != *triangle.iter().min().expect("three") {
            triangle.rotate_left(1);
        }
        triangle
    }

    /// A grid of `n` by `n` squares, two triangles each.
    fn grid(n: u32) -> Vec<[u32; 3]> {
        let at = |x: u32, y: u32| y * (n + 1) + x;
        let square = |x, y| {
            let (a, b, c, d) = (at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1));
            [[a, b, c], [a, c, d]]
        };
        (0..n * n).flat_map(|i| square(i % n, i / n)).collect()
    }

    #[test]
    fn strips_draw_every_triangle_once_and_the_right_way_round() {
        for n in [1, 2, 7] {
            let triangles = grid(n);
            let mut expected: Vec<_> = triangles.iter().copied().map(turned).collect();
            expected.sort();
            assert_eq!(drawn(&strips(&triangles)), expected, "{n}");
        }
    }

    #[test]
    fn a_grid_needs_few_vertices_a_triangle() {
        let triangles = grid(12);
        let vertices: usize = strips(&triangles).iter().map(Vec::len).sum();
        assert!(vertices * 100 < triangles.len() * 135, "{vertices} for {}", triangles.len());
    }

    #[test]
    fn triangles_without_neighbours_stand_alone() {
        let apart = [[0, 1, 2], [3, 4, 5]];
        assert_eq!(strips(&apart).len(), 2);
    }
}
