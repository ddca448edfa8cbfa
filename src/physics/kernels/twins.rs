//! Both twins of each hot kernel over the same inputs: random ones, and edges of the numbers' range.
//!
//! An edge input has zeros, denormals, the smallest and the largest numbers and the bit patterns that are no numbers
//! elsewhere: each of them in each place with ordinary numbers around it, and many of them together. Where every part of
//! an input is ordinary or small, the twins must agree; where squares of it leave the range of a single float, the order
//! of operations decides what saturates, and what counts is that both end and keep their promises.

use super::{Kernels, Touch};
use crate::collision::scenes::Random;
use crate::collision::{Approach, Face, MoveRows, Plane};
use crate::maths::{Pose, Quat, Vec3};
use crate::physics::aabb::Aabb;
use crate::physics::shapes::OrientedBox;

/// What a twin answered: whether it hit, and its numbers as shares of the input's size.
#[derive(Clone, Copy)]
struct Answer {
    hit: bool,
    numbers: [f32; NUMBERS],
}

/// The most numbers that a kernel answers.
const NUMBERS: usize = 3 * PLANES;
/// Planes that the gather is asked about at once.
const PLANES: usize = 8;

/// A kernel's two twins over one input: VU0's answer, the definition's.
type Pair = fn(&mut Input) -> [Answer; 2];

/// The kernels and their names.
const KERNELS: [(&str, Pair); 6] = [
    ("sphere-triangle", sphere_triangle),
    ("mesh-gather", mesh_gather),
    ("ray-box", ray_box),
    ("aabb", aabb),
    ("pose", pose),
    ("integrate", integrate),
];

/// Numbers at the edges of the range.
const EDGES: [u32; 18] = [
    0x0000_0000, // 0
    0x8000_0000, // -0
    0x0000_0001, // the smallest denormal
    0x807F_FFFF, // the largest one, negative
    0x0080_0000, // the smallest normal number
    0x8080_0000,
    0x1E3C_E508, // 1e-20
    0x3F80_0000, // 1
    0xBF80_0000,
    0x4974_2400, // 1e6
    0xC974_2400,
    0x60AD_78EC, // 1e20: its square leaves the range
    0xE0AD_78EC,
    0x7F7F_FFFF, // the largest number of IEEE 754
    0xFF7F_FFFF,
    0x7F80_0000, // infinity
    0x7FC0_0000, // no number
    0xFFFF_FFFF,
];
/// Places of an input that edges are put into, one after the other: no input has more.
const PLACES: u32 = 40;
/// Inputs of several edges, as a share of the random ones.
const MIXED_SHARE: u32 = 4;
/// The largest ordinary number: the furthest a place of the world can be.
const ORDINARY: f32 = 1e6;

/// How an input's numbers are made.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Random,
    /// One edge, at a place.
    Edge(u32, u32),
    /// Every fourth number is an edge.
    Mixed,
}

/// An input on its way: numbers are drawn one after the other.
struct Input {
    random: Random,
    kind: Kind,
    drawn: u32,
    /// Whether a number was larger than ordinary.
    is_wild: bool,
}

impl Input {
    fn number(&mut self, half: f32) -> f32 {
        let place = self.drawn;
        self.drawn += 1;
        let ordinary = self.random.range(-half, half);
        let bits = match self.kind {
            Kind::Edge(at, bits) if at == place => bits,
            Kind::Mixed if self.random.unit() < 0.25 => EDGES[(self.random.unit() * EDGES.len() as f32) as usize],
            _ => return ordinary,
        };
        // By its bits: the EE has ordinary numbers where others have none.
        self.is_wild |= bits & 0x7FFF_FFFF > ORDINARY.to_bits();
        f32::from_bits(bits)
    }

    fn vec3(&mut self, half: f32) -> Vec3 {
        Vec3::new(self.number(half), self.number(half), self.number(half))
    }

    fn size(&mut self, most: f32) -> f32 {
        self.number(most).abs()
    }

    fn rotation(&mut self) -> Quat {
        let rotation = Quat::new(self.number(1.0), self.number(1.0), self.number(1.0), self.number(1.0));
        if self.kind == Kind::Random { rotation.normalize() } else { rotation }
    }
}

/// How far a kernel's twins are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The kernel.
    pub name: &'static str,
    /// Random inputs.
    pub inputs: u32,
    /// Largest difference over them, as a share of the input's size.
    pub difference: f32,
    /// Random inputs that one twin alone hits: those where a touch is decided by the last bit.
    pub alone: u32,
    /// Edge inputs whose numbers are all ordinary or small.
    pub edges: u32,
    /// Largest difference over those that both hit.
    pub edge_difference: f32,
    /// Those that one twin alone hits.
    pub edge_alone: u32,
    /// Edge inputs with numbers that are larger than ordinary.
    pub wild: u32,
    /// Answers to any input at all that break the kernel's promise: a hit outside the move.
    pub broken: u32,
}

impl Outcome {
    fn add(&mut self, input: &Input, [fast, defined]: [Answer; 2], is_sweep: bool) {
        let outside = |answer: &Answer| is_sweep && answer.hit && !(0.0..=1.0).contains(&answer.numbers[0]);
        self.broken += u32::from(outside(&fast)) + u32::from(outside(&defined));
        if input.is_wild {
            self.wild += 1;
            return;
        }
        let apart = |i: usize| (fast.numbers[i] - defined.numbers[i]).abs();
        let difference = (0..NUMBERS).map(apart).fold(0.0, |worst: f32, d| if d > worst { d } else { worst });
        let alone = u32::from(fast.hit != defined.hit);
        let difference = if alone > 0 { 0.0 } else { difference };
        if input.kind == Kind::Random {
            self.inputs += 1;
            self.alone += alone;
            self.difference = self.difference.max(difference);
        } else {
            self.edges += 1;
            self.edge_alone += alone;
            self.edge_difference = self.edge_difference.max(difference);
        }
    }
}

/// Compares the twins of every kernel over `count` random inputs and all edges, and tells each outcome.
pub fn compare(count: u32, mut tell: impl FnMut(&Outcome)) {
    for (name, pair) in KERNELS {
        let mut outcome = Outcome { name, ..Outcome::default() };
        let mut input = Input { random: Random::new(1), kind: Kind::Random, drawn: 0, is_wild: false };
        let mut run = |kind| {
            (input.kind, input.drawn, input.is_wild) = (kind, 0, false);
            let answers = pair(&mut input);
            outcome.add(&input, answers, matches!(name, "sphere-triangle" | "ray-box"));
            input.drawn
        };
        let places = (0..count).map(|_| run(Kind::Random)).max().unwrap_or_default();
        (0..count / MIXED_SHARE).for_each(|_| {
            run(Kind::Mixed);
        });
        for place in 0..places.min(PLACES) {
            for bits in EDGES {
                run(Kind::Edge(place, bits));
            }
        }
        tell(&outcome);
    }
}

/// A kernel's numbers over their sizes; what is not there is 0.
fn answer<const N: usize>(hit: bool, numbers: [f32; N], sizes: [f32; N]) -> Answer {
    let mut shares = [0.0; NUMBERS];
    for ((share, number), size) in shares.iter_mut().zip(numbers).zip(sizes) {
        *share = number / size;
    }
    Answer { hit, numbers: shares }
}

fn both(mut twin: impl FnMut(Kernels) -> Answer) -> [Answer; 2] {
    [twin(Kernels::Vu0), twin(Kernels::Scalar)]
}

fn largest(v: Vec3) -> f32 {
    v.abs().x.max(v.abs().y).max(v.abs().z)
}

/// From a centre nearer than this to the point that it touches, in metres, no direction can be told.
const NEAREST: f32 = 1e-3;

fn sphere_triangle(input: &mut Input) -> [Answer; 2] {
    let mut face = Face::new([input.vec3(3.0), input.vec3(3.0), input.vec3(3.0)]);
    let (c, r, d) = (input.vec3(4.0), input.size(1.0), input.vec3(8.0));
    if face.distance(c) < 0.0 {
        face = face.turned();
    }
    // A fraction's own error is that of the distance over the way: far away and slow it cannot be told so exactly.
    let away = face.corners.iter().map(|&v| largest(v)).fold(largest(c), f32::max);
    let steep = (1.0 + away) / face.normal.dot(d).abs().min(1.0);
    both(|kernels| {
        let touch = kernels.sweep_sphere_triangle(c, r, d, &face);
        let Touch { fraction, point, normal } = touch.unwrap_or_default();
        let late = if fraction > 0.0 { steep.max(1.0) } else { 1.0 };
        // The centre is as wrong as the fraction lets it be, the point lies on the face, and between the two is the normal:
        // the closer they are, the less it is worth.
        let place = 1.0 + away + late * largest(d);
        let turn = 1.0 + place / (c + d * fraction - point).length().clamp(NEAREST, 1.0);
        let numbers = [fraction, point.x, point.y, point.z, normal.x, normal.y, normal.z];
        answer(touch.is_some(), numbers, [late, place, place, place, turn, turn, turn])
    })
}

/// From one to eight planes, each with its own normal: whole calls of VU0's and tails of every length. What lies past the last
/// plane must stay as it was.
fn mesh_gather(input: &mut Input) -> [Answer; 2] {
    let count = 1 + (input.random.unit() * PLANES as f32) as usize;
    let (start, d) = (input.vec3(50.0), input.vec3(8.0));
    let rows = MoveRows::new(start, d);
    let planes: [Plane; PLANES] = core::array::from_fn(|_| Plane {
        normal: input.vec3(1.0).normalize_or_zero().to_array(),
        offset: input.number(50.0),
    });
    let listed: [&Plane; PLANES] = core::array::from_fn(|i| &planes[i]);
    let listed = &listed[..count.min(PLANES)];
    let furthest = listed.iter().map(|plane| plane.offset.abs()).fold(0.0, f32::max);
    let size = 1.0 + largest(start) + largest(d) + furthest;
    both(|kernels| {
        let mut out = [Approach::default(); PLANES];
        kernels.approaches(&rows, listed, &mut out);
        let number = |i: usize| [out[i / 3].from, out[i / 3].to, out[i / 3].along][i % 3];
        answer(false, core::array::from_fn::<_, NUMBERS, _>(number), [size; NUMBERS])
    })
}

fn ray_box(input: &mut Input) -> [Answer; 2] {
    let half = Vec3::new(input.size(3.0), input.size(3.0), input.size(3.0));
    let rotation = input.rotation().normalize();
    let b = OrientedBox::new(half, rotation, input.vec3(5.0));
    let (o, d) = (input.vec3(8.0), input.vec3(12.0));
    let way = b.local_direction(d).abs();
    let away = 1.0 + largest(o) + largest(b.centre) + largest(half);
    both(|kernels| {
        let fraction = kernels.ray_box(o, d, &b);
        let steep = away / way.x.max(way.y).max(way.z).clamp(1e-3, 1.0);
        answer(fraction.is_some(), [fraction.unwrap_or_default()], [steep.max(1.0)])
    })
}

fn aabb(input: &mut Input) -> [Answer; 2] {
    let around = |input: &mut Input| {
        let (a, b) = (input.vec3(3.0), input.vec3(3.0));
        Aabb { min: a.min(b), max: a.max(b) }
    };
    let (own, other) = (around(input), around(input));
    both(|kernels| answer(kernels.reaches(&own, &other), [], []))
}

fn pose(input: &mut Input) -> [Answer; 2] {
    let pose = Pose::new(input.rotation(), input.vec3(50.0));
    let (local, half) = (input.vec3(3.0), Vec3::splat(1.0));
    let q = pose.rotation;
    let turn = 1.0 + q.dot(q);
    let size = largest(pose.position) + largest(local) * turn;
    both(|kernels| {
        let b = kernels.place_box(half, &pose, local);
        let [x, y, z] = b.axes;
        let numbers = [x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z, b.centre.x, b.centre.y, b.centre.z];
        let mut sizes = [turn; 12];
        sizes[9..].fill(1.0 + size);
        answer(false, numbers, sizes)
    })
}

fn integrate(input: &mut Input) -> [Answer; 2] {
    let (rotation, spin, dt) = (input.rotation(), input.vec3(20.0), input.size(0.04));
    both(|kernels| {
        let turned = kernels.integrate(rotation, spin, dt);
        answer(false, [turned.x, turned.y, turned.z, turned.w], [1.0; 4])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn on_the_host_the_twins_are_one_and_every_kernel_meets_every_kind_of_input() {
        let mut outcomes = Vec::new();
        compare(2000, |outcome| outcomes.push(*outcome));
        assert_eq!(outcomes.len(), KERNELS.len());
        for outcome in outcomes {
            let Outcome { inputs, edges, wild, .. } = outcome;
            assert!(inputs == 2000 && edges > 200 && wild > 100, "{outcome:?}");
            assert_eq!((outcome.difference, outcome.alone, outcome.edge_alone), (0.0, 0, 0), "{outcome:?}");
            assert_eq!(outcome.broken, 0, "{outcome:?}");
        }
    }

    #[test]
    fn a_difference_and_a_hit_of_one_alone_are_counted() {
        let mut outcome = Outcome::default();
        let input = |kind, is_wild| Input { random: Random::new(1), kind, drawn: 0, is_wild };
        let says = |hit, number: f32| answer(hit, [number], [2.0]);
        outcome.add(&input(Kind::Random, false), [says(true, 1.0), says(true, 0.5)], true);
        outcome.add(&input(Kind::Mixed, false), [says(true, 1.0), says(false, 0.0)], true);
        outcome.add(&input(Kind::Mixed, true), [says(true, 9.0), says(true, 0.0)], true);
        let expected = Outcome { inputs: 1, difference: 0.25, edges: 1, edge_alone: 1, wild: 1, broken: 1, ..outcome };
        assert_eq!(outcome, expected);
    }
}
