//! Both drawing kernels beside their definitions, over the same vertices.

use super::{
    Constants, LightRows, NORMAL_SCALE, STEPS, Transformed, Vertex, light, light_scalar, transform, transform_scalar,
};

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

/// Compares both kernels with their definitions over `count` random vertices before the eye.
pub fn compare(count: u32) -> Differences {
    use crate::collision::scenes::Random;
    let mut random = Random::new(3);
    let mut worst = Differences::default();
    let mut four = |scale: f32| -> [f32; 4] { core::array::from_fn(|_| random.range(-scale, scale)) };
    let lights = LightRows {
        lamps: core::array::from_fn(|_| four(NORMAL_SCALE)),
        sun: four(NORMAL_SCALE),
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
        light(&constants, &lights, &[vertex], &mut fast);
        light_scalar(&constants, &lights, &[vertex], &mut defined);
        worst.add(&fast[0], &defined[0]);
    }
    worst
}
