//! Up to four triangles side by side, and what is asked of all of them at once.

use super::build::Item;
use super::{STILL, Way};
use crate::collision::TriangleId;
use crate::maths::Vec3;
use wide::f32x4;

/// Triangles of a block.
pub(super) const TRIANGLES: usize = 4;

/// Three numbers of each triangle.
type Vectors = [f32x4; 3];

/// Triangles side by side. What is read of them stands here, in three cache lines, so that a walk goes nowhere else.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in super::super) struct Block {
    corners: [Vectors; 3],
    ids: [TriangleId; TRIANGLES],
    /// A bit for each lane that has a triangle.
    there: u32,
}

/// Lanes that something may touch, each with the share of the way before which it does not, the nearest first.
pub(in super::super) type Reached = heapless::Vec<(usize, f32), TRIANGLES>;

fn dot(a: &Vectors, b: &Vectors) -> f32x4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &Vectors, b: &Vectors) -> Vectors {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn less(a: &Vectors, b: &Vectors) -> Vectors {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn all(v: Vec3) -> Vectors {
    [f32x4::splat(v.x), f32x4::splat(v.y), f32x4::splat(v.z)]
}

/// Speeds by which can be divided.
fn moving(speed: f32x4) -> f32x4 {
    let still = f32x4::splat(STILL);
    speed.abs().simd_lt(still).bitselect(still, speed)
}

/// The sign bits alone.
fn sign(of: f32x4) -> f32x4 {
    of & f32x4::splat(-0.0)
}

impl Block {
    /// Of one to four triangles.
    pub(super) fn of(items: &[Item]) -> Self {
        let lanes =
            |value: &dyn Fn(&Item) -> f32| f32x4::new(core::array::from_fn(|lane| items.get(lane).map_or(0.0, value)));
        let vectors = |value: &dyn Fn(&Item) -> Vec3| [0, 1, 2].map(|axis| lanes(&|item| value(item)[axis]));
        Self {
            corners: [0, 1, 2].map(|i| vectors(&|item| item.corners[i])),
            ids: core::array::from_fn(|lane| items.get(lane).map_or(TriangleId(0), |item| item.id)),
            there: (1 << items.len()) - 1,
        }
    }

    /// A lane's number in the mesh.
    #[inline]
    pub(in super::super) fn id(&self, lane: usize) -> TriangleId {
        self.ids[lane]
    }

    /// A lane's corners.
    #[inline]
    pub(in super::super) fn corners(&self, lane: usize) -> [Vec3; 3] {
        [0, 1, 2].map(|i| vector(&self.corners[i], lane))
    }

    /// The triangles that something round may touch before the share `open` of its way: those of which it is within its
    /// radius of the plane and of the inner side of every edge at once.
    #[inline]
    pub(in super::super) fn reached(&self, way: &Way, open: f32) -> Reached {
        let mut reached = Reached::new();
        let (start, by, reach) = (all(way.start), all(way.by), f32x4::splat(way.reach));
        let [a, b, c] = &self.corners;
        let edges = [less(b, a), less(c, b), less(a, c)];
        // As long as twice the area: everything below is that much larger.
        let normal = cross(&edges[0], &edges[1]);
        let size = reach * dot(&normal, &normal).sqrt();
        let speed = moving(dot(&normal, &by));
        let side = dot(&normal, &less(&start, a));
        let (near, far) = ((size - side) / speed, (-size - side) / speed);
        let mut enter = near.fast_min(far).fast_max(f32x4::ZERO);
        let mut exit = near.fast_max(far).fast_min(f32x4::splat(open));
        if enter.simd_le(exit).to_bitmask() & self.there == 0 {
            return reached;
        }
        for (along, from) in edges.iter().zip(&self.corners) {
            let outward = cross(along, &normal);
            let speed = moving(dot(&outward, &by));
            let apart = size * dot(along, along).sqrt() - dot(&outward, &less(&start, from));
            let share = apart / speed;
            let comes = speed.simd_lt(f32x4::ZERO);
            enter = enter.fast_max(comes.bitselect(share, f32x4::ZERO));
            exit = exit.fast_min(comes.bitselect(f32x4::ONE, share));
        }
        let mut met = enter.simd_le(exit).to_bitmask() & self.there;
        let enter = enter.to_array();
        while met != 0 {
            let lane = met.trailing_zeros() as usize;
            met &= met - 1;
            let mut i = reached.len();
            // There are as many places as lanes.
            let _ = reached.push((lane, enter[lane]));
            while i > 0 && reached[i - 1].1 > reached[i].1 {
                reached.swap(i - 1, i);
                i -= 1;
            }
        }
        reached
    }

    /// A bit for each triangle that a line from `o` along `d` crosses no further out than `reach` times `d`, give or take
    /// rounding.
    #[inline]
    pub(in super::super) fn crossed(&self, o: Vec3, d: Vec3, reach: f32) -> u32 {
        const SLACK: f32 = 1e-3;
        let [first, second, third] = &self.corners;
        let (e1, e2) = (less(second, first), less(third, first));
        let d = all(d);
        let p = cross(&d, &e2);
        let determinant = dot(&e1, &p);
        let s = less(&all(o), first);
        let q = cross(&s, &e1);
        // Everything times the determinant's sign instead of over it.
        let sign = sign(determinant);
        let (whole, u, v) = (determinant.abs(), dot(&s, &p) ^ sign, dot(&d, &q) ^ sign);
        let t = dot(&e2, &q) ^ sign;
        let slack = whole * f32x4::splat(SLACK);
        let inside = u.simd_ge(-slack) & v.simd_ge(-slack) & (u + v).simd_le(whole + slack);
        let within = t.simd_ge(-slack) & t.simd_le(whole * f32x4::splat(reach) + slack);
        // A determinant of nothing admits anything: such a triangle is edge on, and no line crosses it.
        (inside & within & whole.simd_gt(f32x4::ZERO)).to_bitmask() & self.there
    }
}

fn vector(v: &Vectors, lane: usize) -> Vec3 {
    Vec3::new(v[0].as_array()[lane], v[1].as_array()[lane], v[2].as_array()[lane])
}
