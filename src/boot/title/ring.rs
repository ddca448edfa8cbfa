//! The lifebuoy under the near lamp: turning on its rope, lit every frame by the moon and by the lamps.

use super::{AMBIENT, FOG, MOON, pier};
use crate::graphics::camera::{Camera, Projected};
use crate::graphics::canvas::{Canvas, Corner};
use crate::graphics::colour::{self, rgb};
use crate::graphics::light::{Lamp, Lights};
use crate::graphics::wave::sine;
use crate::maths::{Vec3, scalar};
use alloc::vec::Vec;
use heapless::Vec as FixedVec;

/// Corners around the ring.
const AROUND: usize = 32;
/// Corners around its body.
const BODY: usize = 10;
const RADIUS: f32 = 0.40;
const BODY_RADIUS: f32 = 0.115;
/// Metres of rope.
const ROPE: f32 = 0.62;
/// Most lamps that light the ring.
const CLOSE_LAMPS: usize = 4;
/// Coloured quarters around the ring.
const STRIPES: usize = 4;
const CANVAS_WHITE: Vec3 = rgb(235, 226, 208);
const RED: Vec3 = rgb(216, 44, 40);

/// A corner before the ring is turned.
#[derive(Clone, Copy, Default)]
struct Point {
    place: Vec3,
    normal: Vec3,
}

/// The ring's shape.
pub(super) struct Ring {
    corners: Vec<[Point; BODY]>,
}

impl Ring {
    pub(super) fn new() -> Self {
        const TURN: f32 = core::f32::consts::TAU;
        let corner = |around: usize, body: usize| {
            let (a, b) = (around as f32 / AROUND as f32 * TURN, body as f32 / BODY as f32 * TURN);
            let out = Vec3::new(scalar::sin(a), 0.0, scalar::cos(a));
            let normal = out * scalar::cos(b) + Vec3::Y * scalar::sin(b);
            Point { place: out * RADIUS + normal * BODY_RADIUS, normal }
        };
        Self { corners: (0..AROUND).map(|around| core::array::from_fn(|body| corner(around, body))).collect() }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, camera: &Camera, lamps: &[Lamp], seconds: f32) {
        let hook = pier::RING_HOOK;
        let swing = 0.05 * sine(seconds * 0.21);
        let middle = hook + Vec3::new(swing, 0.0, -ROPE - RADIUS);
        let turns = seconds * 0.09 + 0.12 * sine(seconds * 0.13);
        let (right, towards) = (sine(turns + 0.25), sine(turns));
        let turned = |v: Vec3| Vec3::new(v.x * right - v.y * towards, v.x * towards + v.y * right, v.z);
        // Lamps far down the pier add nothing here.
        let near = |lamp: &&Lamp| (lamp.position - middle).length_squared() < 60.0;
        let close: FixedVec<Lamp, CLOSE_LAMPS> = lamps.iter().filter(near).take(CLOSE_LAMPS).copied().collect();
        let lights = Lights { ambient: AMBIENT * 1.3, directional: MOON, lamps: &close };
        // Stripes share their corners: the light is computed once, the paint per face.
        let mut lit = [[(Projected::default(), Vec3::ZERO); BODY]; AROUND];
        for (corners, places) in self.corners.iter().zip(&mut lit) {
            for (corner, place) in corners.iter().zip(places) {
                let (point, normal) = (middle + turned(corner.place), turned(corner.normal));
                *place = (camera.project(point), lights.at(point, normal));
            }
        }
        for around in 0..AROUND {
            let red = (around * STRIPES * 2 / AROUND).is_multiple_of(2);
            let surface = if red { RED } else { CANVAS_WHITE };
            let painted = |around: usize, body: usize| {
                let (point, light) = &lit[around % AROUND][body % BODY];
                Corner::at(point, colour::vertex(FOG.over(surface.scale(*light), point.distance)))
            };
            let mut last = (painted(around, 0), painted(around + 1, 0));
            for body in 1..=BODY {
                let next = (painted(around, body), painted(around + 1, body));
                canvas.triangle([&last.0, &last.1, &next.0]);
                canvas.triangle([&last.1, &next.0, &next.1]);
                last = next;
            }
        }
        self.draw_rope(canvas, camera, hook, middle);
    }

    fn draw_rope(&self, canvas: &mut Canvas, camera: &Camera, hook: Vec3, middle: Vec3) {
        let half = Vec3::new(0.012, 0.0, 0.0);
        let foot = middle + Vec3::new(0.0, 0.0, RADIUS);
        let [a, b, c, d] = [hook - half, hook + half, foot - half, foot + half].map(|point| camera.project(point));
        let (upper, lower) = (colour::vertex(rgb(170, 138, 100)), colour::vertex(rgb(112, 92, 72)));
        let [a, b, c, d] =
            [(&a, upper), (&b, upper), (&c, lower), (&d, lower)].map(|(point, colour)| Corner::at(point, colour));
        canvas.triangle([&a, &b, &c]);
        canvas.triangle([&b, &c, &d]);
    }
}
