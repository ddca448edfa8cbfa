//! Light at a point: sky, moon, lamps, and a little unevenness.

use super::shadow::Occluders;
use crate::level::scene::{Air, Lamp, Scene};
use boardwalk::graphics::wave::noise;
use boardwalk::maths::{Vec3, scalar};

/// Times its reach at which a lamp's light has ended.
const END: f32 = 7.0;
/// Metres within which things take light from one another.
const NEAR_BY: f32 = 2.6;
/// Light below which a lamp is left out.
const FAINT: f32 = 0.004;
/// How much of a lamp's light wraps around a surface's edge.
const WRAP: f32 = 0.25;
/// What is left of the ambient light in the deepest corner.
const CORNER: f32 = 0.22;
/// Side of the squares that lamps are sorted into, metres.
const SQUARE: f32 = 8.0;

/// All lights of a scene, the lamps sorted by where they reach.
pub(super) struct Sources<'a> {
    air: &'a Air,
    lamps: &'a [Lamp],
    squares: std::collections::BTreeMap<(i32, i32), Vec<usize>>,
}

fn square(v: f32) -> i32 {
    scalar::floor(v / SQUARE) as i32
}

impl<'a> Sources<'a> {
    pub(super) fn new(scene: &'a Scene) -> Self {
        let mut squares: std::collections::BTreeMap<(i32, i32), Vec<usize>> = Default::default();
        for (index, lamp) in scene.lamps.iter().enumerate() {
            let end = lamp.reach * END;
            let range = |v: f32| square(v - end)..=square(v + end);
            for x in range(lamp.position.x) {
                for y in range(lamp.position.y) {
                    squares.entry((x, y)).or_default().push(index);
                }
            }
        }
        Self { air: &scene.air, lamps: &scene.lamps, squares }
    }

    /// The light on a surface that faces `normal`, with `rays` rays for the light of the sky.
    pub(super) fn at(&self, point: Vec3, normal: Vec3, occluders: &Occluders, rays: u32) -> Vec3 {
        let air = self.air;
        let open = openness(point, normal, occluders, rays);
        // The sky is brighter than the ground, and the ground a little warmer.
        let upward = 0.5 + 0.5 * normal.z;
        let ambient = air.ambient * (0.7 + 0.45 * upward) * (CORNER + (1.0 - CORNER) * open);
        let mut light = ambient;
        let moon = normal.dot(air.moon_towards);
        if moon > 0.0 && occluders.is_free(point, air.moon_towards, 60.0) {
            light += air.moon * moon;
        }
        let nearby = self.squares.get(&(square(point.x), square(point.y)));
        for &index in nearby.into_iter().flatten() {
            light += lamp_at(&self.lamps[index], point, normal, occluders);
        }
        light * (1.0 + air.noise * unevenness(point))
    }
}

fn lamp_at(lamp: &Lamp, point: Vec3, normal: Vec3, occluders: &Occluders) -> Vec3 {
    let to_lamp = lamp.position - point;
    let squared = to_lamp.length_squared();
    let end = lamp.reach * END;
    if squared > end * end {
        return Vec3::ZERO;
    }
    let distance = scalar::sqrt(squared + 1e-6);
    let facing = ((normal.dot(to_lamp) / distance + WRAP) / (1.0 + WRAP)).max(0.0);
    let window = 1.0 - squared / (end * end);
    let strength = facing * window * window / (1.0 + squared / (lamp.reach * lamp.reach));
    let most = lamp.colour.x.max(lamp.colour.y).max(lamp.colour.z);
    if strength * most < FAINT {
        return Vec3::ZERO;
    }
    // Four places on the lamp soften its shadows.
    let offsets = [(1.0, 0.3, 0.5), (-0.5, 0.9, -0.5), (-0.7, -0.8, 0.5), (0.4, -0.6, -0.6)];
    let seen = offsets.iter().filter(|(x, y, z)| {
        let target = lamp.position + Vec3::new(*x, *y, *z) * lamp.size;
        let ray = target - point;
        let length = ray.length();
        // The lamp's own globe and what it hangs on are not in its way.
        length < 0.3 || occluders.is_free(point, ray * (1.0 / length), length - 0.25)
    });
    lamp.colour * (strength * seen.count() as f32 / offsets.len() as f32)
}

/// The share of the sky that nothing near by hides.
fn openness(point: Vec3, normal: Vec3, occluders: &Occluders, rays: u32) -> f32 {
    let up = if normal.z.abs() > 0.9 { Vec3::X } else { Vec3::Z };
    let right = normal.cross(up).normalize_or_zero();
    let ahead = right.cross(normal);
    let mut open = 0.0;
    for ray in 0..rays {
        // Rays by equal shares of a cosine hemisphere, turned by the golden angle.
        let share = (ray as f32 + 0.5) / rays as f32;
        let (sin, cos) = scalar::sin_cos(ray as f32 * 2.399_963);
        let (out, along) = (scalar::sqrt(share), scalar::sqrt(1.0 - share));
        let direction = (right * cos + ahead * sin) * out + normal * along;
        open += occluders.distance(point, direction, NEAR_BY).map_or(1.0, |distance| distance / NEAR_BY);
    }
    open / rays.max(1) as f32
}

/// Smooth noise of the place, from -1 to 1: planes do not look flat.
fn unevenness(point: Vec3) -> f32 {
    let at = |p: Vec3, scale: f32| {
        let q = p * scale;
        let floor = q.to_array().map(scalar::floor);
        let part = [0, 1, 2].map(|axis| {
            let t = q.to_array()[axis] - floor[axis];
            t * t * (3.0 - 2.0 * t)
        });
        let corner = |dx: i32, dy: i32, dz: i32| {
            let [x, y, z] = floor.map(|v| v as i32);
            let seed = ((x + dx) as u32).wrapping_mul(0x9e37_79b1)
                ^ ((y + dy) as u32).wrapping_mul(0x85eb_ca6b)
                ^ ((z + dz) as u32).wrapping_mul(0xc2b2_ae35);
            noise(seed)
        };
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let plane = |dz: i32| {
            let row = |dy: i32| mix(corner(0, dy, dz), corner(1, dy, dz), part[0]);
            mix(row(0), row(1), part[1])
        };
        mix(plane(0), plane(1), part[2]) * 2.0 - 1.0
    };
    at(point, 0.7) * 0.6 + at(point, 2.3) * 0.4
}
