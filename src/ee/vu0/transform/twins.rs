//! The drawing kernels beside their definitions, over the same vertices and rectangles.

use super::super::carry::{carry, carry_scalar};
use super::super::rectangles::{self, RECTANGLE_QUADS, Rectangle};
use super::placing::{self, Lens, Placed};
use super::{
    Constants, Directions, NORMAL_SCALE, STEPS, Shades, Transformed, Vertex, light, light_scalar, transform,
    transform_scalar,
};

use crate::ee::gif::Quad;
use crate::ee::strips::QUADS;
use crate::maths::{Pose, Quat, Vec3};

/// The largest differences between the kernels and their definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Differences {
    /// Of plane coordinates, in sixteenths of a pixel.
    pub plane: u32,
    /// Of fog, in sixteenths.
    pub fog: u32,
    /// Of colours, in 255ths.
    pub colour: u32,
    /// Of depths, as a share.
    pub depth: f32,
    /// Of texture coordinates and distances, as a share of the texture.
    pub texture: f32,
}

impl Differences {
    fn add(&mut self, fast: &Transformed, defined: &Transformed) {
        let apart = |i: usize| fast.point[i].abs_diff(defined.point[i]);
        self.plane = self.plane.max(apart(0)).max(apart(1));
        self.fog = self.fog.max(apart(3));
        self.depth = self.depth.max(apart(2).saturating_sub(STEPS as u32) as f32 / defined.point[2].max(1) as f32);
        for channel in 0..4 {
            self.colour = self.colour.max(fast.colour[channel].abs_diff(defined.colour[channel]));
        }
        for (a, b) in fast.texture.iter().zip(&defined.texture).take(3).chain([(&fast.clip[3], &defined.clip[3])]) {
            self.texture = self.texture.max((a - b).abs() / (1.0 + b.abs()));
        }
    }
}

impl Differences {
    /// Matrices differ by a share of the terms that they are summed up of, directions by one of their length.
    fn add_placed(&mut self, fast: &Placed, defined: &Placed) {
        let rows = fast.rows.iter().zip(&defined.rows);
        let turned = fast.directions.lamps.iter().zip(&defined.directions.lamps);
        let turned = turned.chain([(&fast.directions.sun, &defined.directions.sun)]);
        for (a, b) in rows.flat_map(|(a, b)| a.iter().zip(b)) {
            self.depth = self.depth.max((a - b).abs() / TERMS);
        }
        for (a, b) in turned.flat_map(|(a, b)| a.iter().zip(b)) {
            self.depth = self.depth.max((a - b).abs() / NORMAL_SCALE);
        }
    }
}

impl Differences {
    /// Poses differ by a share of how far away they are, and of a rotation's length.
    fn add_pose(&mut self, fast: &Pose, defined: &Pose) {
        let apart = (fast.position - defined.position).length() / (1.0 + defined.position.length());
        let [a, b] = [fast, defined].map(|pose| {
            let Quat { x, y, z, w } = pose.rotation;
            [x, y, z, w]
        });
        let turned = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        self.depth = self.depth.max(apart).max(turned);
    }
}

/// About how large the terms are that a matrix's numbers are summed up of: pixels of the plane times metres.
const TERMS: f32 = 65_536.0;

/// A vertex as it stands in a packet.
fn of_packet(quads: &[Quad]) -> Transformed {
    let words = |at: usize| quads.get(at).map_or([0; 4], |quad| quad.0);
    let whole = |at: usize| words(at).map(|word| word as i32);
    Transformed { texture: Quad(words(0)).to_floats(), colour: whole(1), point: whole(2), clip: [0.0; 4] }
}

/// Compares the kernels with their definitions over `count` random vertices before the eye.
pub fn compare(count: u32) -> Differences {
    use crate::collision::scenes::Random;
    let mut random = Random::new(3);
    let mut worst = Differences::default();
    let mut four = |scale: f32| -> [f32; 4] { core::array::from_fn(|_| random.range(-scale, scale)) };
    let directions = Directions { lamps: core::array::from_fn(|_| four(NORMAL_SCALE)), sun: four(NORMAL_SCALE) };
    let shades = Shades {
        wrap: [0.2; 4],
        lamp_colours: core::array::from_fn(|_| four(0.6).map(f32::abs)),
        sun_colour: [0.4, 0.4, 0.5, 0.0],
        ambient: [0.2, 0.2, 0.3, 1.0],
    };
    for _ in 0..count {
        let aside = random.range(-1.0, 1.0);
        let constants = Constants {
            rows: [
                [480.0, 30.0 * aside, 0.0, aside * 0.1],
                [2048.0, 2048.0, 0.0, 1.0],
                [40.0, -480.0, 0.0, 0.0],
                [300.0, 70.0, 3_355_443.0, 0.3],
            ],
            fog: [255.0, 20.0, -6.0, 290.0],
            scroll: [random.range(0.0, 1.0), 0.0, 0.0, 0.0],
        };
        let position = [random.range(-4.0, 4.0), random.range(2.0, 90.0), random.range(-3.0, 6.0)];
        let bytes = |random: &mut Random| u32::from_le_bytes(core::array::from_fn(|_| random.range(0.0, 255.9) as u8));
        let vertex = Vertex {
            position,
            colour: bytes(&mut random),
            texture: [random.range(-4.0, 4.0), random.range(-4.0, 4.0)],
            normal: bytes(&mut random),
            spare: 0,
        };
        let (mut fast, mut defined) = ([Transformed::default()], [Transformed::default()]);
        transform(&constants, &[vertex], &mut fast);
        transform_scalar(&constants, &[vertex], &mut defined);
        worst.add(&fast[0], &defined[0]);
        light(&constants, (&directions, &shades), &[vertex], &mut fast);
        light_scalar(&constants, (&directions, &shades), &[vertex], &mut defined);
        worst.add(&fast[0], &defined[0]);
        let mut side = || core::array::from_fn(|i| if i < 3 { random.range(-0.6, 0.6) } else { 0.0 });
        let (right, up) = (side(), side());
        let part = core::array::from_fn(|_| random.range(0.0, 1.0));
        let rectangle = Rectangle { centre: position, colour: vertex.colour, right, up, part };
        // Rectangles are not scrolled.
        let constants = Constants { scroll: [0.0; 4], ..constants };
        let spun = Quat::from_axis_angle(Vec3::from_array(position).normalize_or_zero(), random.range(-3.0, 3.0));
        let pose = Pose::new(spun, Vec3::from_array(position));
        let lens = Lens { rows: constants.rows, eye: Vec3::new(random.range(-5.0, 5.0), 0.0, 1.0) };
        let there = placing::place(&lens, &directions, &pose);
        worst.add_placed(&there, &placing::place_scalar(&lens, &directions, &pose));
        let other = Placed { rows: constants.rows, directions };
        let share = random.range(0.0, 1.0);
        worst.add_placed(&placing::mix(&there, &other, share), &placing::mix_scalar(&there, &other, share));
        let (mut carried, mut defined_poses) = ([pose], [pose]);
        carry(&Pose::new(spun, lens.eye), &mut carried);
        carry_scalar(&Pose::new(spun, lens.eye), &mut defined_poses);
        worst.add_pose(&carried[0], &defined_poses[0]);
        let mut packet = [Quad::default(); RECTANGLE_QUADS];
        rectangles::place(&constants, &[&rectangle], &mut packet);
        let defined = rectangles::placed(&constants, &rectangle);
        for (fast, defined) in packet.chunks_exact(QUADS).zip(defined.chunks_exact(QUADS)) {
            worst.add(&of_packet(fast), &of_packet(defined));
        }
    }
    worst
}
