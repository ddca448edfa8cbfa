//! The pier: planks, railings, lamps and the gate, lit once by the lamps and the moon.

use super::{AMBIENT, EYE_HEIGHT, FOG, MOON, WARM, glow, sign};
use crate::graphics::baked::{Block, Mesh};
use crate::graphics::camera::Camera;
use crate::graphics::canvas::{Canvas, Depth};
use crate::graphics::colour::rgb;
use crate::graphics::light::{Lamp, Lights};
use crate::graphics::texture::Texture;
use crate::graphics::wave::{noise, sine};
use crate::maths::Vec3;

/// Half the pier's width in metres.
const HALF_WIDTH: f32 = 3.6;
/// Where the picture's planks begin and end, in metres from the eye.
const START: f32 = 4.2;
const END: f32 = 64.0;
/// The gate's distance.
pub(super) const GATE: f32 = 9.0;
/// Between two lamps of a side.
const LAMP_STEP: f32 = 7.5;
const LAMP_PAIRS: usize = 7;
const LAMP_HEIGHT: f32 = 3.3;
/// The near lamp with the arm that carries the ring.
pub(super) const NEAR_LAMP: Vec3 = Vec3::new(2.24, 4.7, 3.30);
const LAMPS: usize = 2 * LAMP_PAIRS + 1;
/// Light that the sign throws on the planks.
const SIGN_LIGHTS: usize = 2;

const WOOD: Vec3 = rgb(148, 124, 104);
const PAINT: Vec3 = rgb(150, 156, 168);
const IRON: Vec3 = rgb(70, 80, 92);

/// The pier's meshes and lamps.
pub(super) struct Pier {
    deck: Mesh,
    works: Mesh,
    lamps: [Lamp; LAMPS + SIGN_LIGHTS],
}

fn lamps() -> [Lamp; LAMPS + SIGN_LIGHTS] {
    core::array::from_fn(|index| {
        let (pair, left) = (index / 2, index % 2 == 0);
        if index < 2 * LAMP_PAIRS {
            let x = if left { -HALF_WIDTH + 0.25 } else { HALF_WIDTH - 0.25 };
            let position = Vec3::new(x, GATE + 2.5 + pair as f32 * LAMP_STEP, LAMP_HEIGHT);
            Lamp { position, colour: WARM * 2.0, reach: 2.6 }
        } else if index == 2 * LAMP_PAIRS {
            Lamp { position: NEAR_LAMP, colour: WARM * 1.9, reach: 2.5 }
        } else {
            let (x, colour) = if left { (-1.8, sign::ROSE) } else { (2.2, rgb(60, 190, 220)) };
            Lamp { position: Vec3::new(x, GATE - 0.6, 4.3), colour: colour * 0.95, reach: 2.6 }
        }
    })
}

impl Pier {
    pub(super) fn new() -> Self {
        let lamps = lamps();
        let lights = Lights { ambient: AMBIENT, directional: MOON, lamps: &lamps };
        Self { deck: deck(&lights), works: works(&lights), lamps }
    }

    /// The lamps that stand on the pier, for light on moving things.
    pub(super) fn lamps(&self) -> &[Lamp] {
        &self.lamps
    }

    /// The lamps with a globe that can be seen.
    fn globes(&self) -> impl Iterator<Item = &Lamp> {
        self.lamps.iter().take(LAMPS)
    }

    pub(super) fn draw_deck(&mut self, canvas: &mut Canvas, camera: &Camera) {
        canvas.depth(Depth::Used);
        self.deck.draw(canvas, camera, &FOG);
    }

    pub(super) fn draw_works(&mut self, canvas: &mut Canvas, camera: &Camera) {
        canvas.depth(Depth::Used);
        self.works.draw(canvas, camera, &FOG);
    }

    /// The lamps in the wet planks: long and dim; adding is set.
    pub(super) fn draw_reflections(&self, canvas: &mut Canvas, camera: &Camera, glow: &Texture) {
        canvas.texture(glow);
        for lamp in self.globes() {
            let below = Vec3::new(lamp.position.x, lamp.position.y, -lamp.position.z);
            let at = camera.project(below);
            let strength = 0.62 * 30.0 / (30.0 + at.distance);
            glow::draw_oval(canvas, &at, 0.42 * at.scale, 2.9 * at.scale, WARM, strength);
            glow::draw_oval(canvas, &at, 0.13 * at.scale, 1.9 * at.scale, WARM, strength);
        }
    }

    /// The lamps' globes and the light around them; adding is set.
    pub(super) fn draw_glows(&self, canvas: &mut Canvas, camera: &Camera, glow: &Texture, seconds: f32) {
        canvas.texture(glow);
        for (index, lamp) in self.globes().enumerate() {
            let mut at = camera.project(lamp.position);
            // The globe's own front would hide the light in its middle.
            at.depth += at.depth / 8;
            let breath = 1.0 + 0.05 * sine(seconds * 0.7 + noise(index as u32) * 3.0);
            let fogged = 46.0 / (46.0 + at.distance);
            glow::draw(canvas, &at, 2.3 * at.scale * breath, rgb(255, 140, 60), 0.5 * fogged);
            glow::draw(canvas, &at, 0.85 * at.scale, rgb(255, 150, 70), 0.8 * fogged);
            glow::draw(canvas, &at, 0.30 * at.scale, rgb(255, 214, 150), 1.0);
        }
    }
}

/// Planks across the pier, each with its own tone, wide ones far away where single ones cannot be seen.
fn deck(lights: &Lights) -> Mesh {
    const COLUMNS: usize = 8;
    const EDGE: f32 = 0.66;
    let mut mesh = Mesh::default();
    let mut y = START;
    let mut plank = 0;
    while y < END {
        let depth = 0.19 * (1.0 + (y / 16.0) * (y / 16.0));
        let tone = 0.72 + 0.46 * noise(plank * 3 + 11);
        for column in 0..COLUMNS {
            let edge = |index: usize| (index as f32 / COLUMNS as f32 * 2.0 - 1.0) * HALF_WIDTH;
            let (x0, x1) = (edge(column), edge(column + 1));
            // A board ends somewhere: two boards to a row, at a place of the row's own.
            let seam = (noise(plank * 5 + 1) * COLUMNS as f32) as usize;
            let own = if column < seam { 1.0 } else { 0.88 + 0.2 * noise(plank * 9 + 2) };
            let corners = [(x0, y), (x1, y), (x1, y + depth), (x0, y + depth)];
            let [a, b, c, d] = corners.map(|(x, corner_y)| {
                let point = Vec3::new(x, corner_y, 0.0);
                // A plank is worn round: its far edge, at the gap to the next, is darker.
                let worn = if corner_y > y { EDGE } else { 1.0 };
                mesh.vertex(point, (WOOD * (tone * own * worn)).scale(lights.at(point, Vec3::Z)))
            });
            mesh.triangle([a, b, c]);
            mesh.triangle([a, c, d]);
        }
        y += depth;
        plank += 1;
    }
    mesh
}

/// Everything that stands on the planks.
fn works(lights: &Lights) -> Mesh {
    let mut mesh = Mesh::default();
    // A block is seen from above or from below, whichever side of the eye it is on.
    let block = |mesh: &mut Mesh, min: Vec3, max: Vec3, surface: Vec3| {
        let block = Block { min, max };
        if min.z > EYE_HEIGHT {
            mesh.overhead(block, surface, lights);
        } else {
            mesh.upright(block, surface, lights);
        }
    };
    let at = Vec3::new;
    for side in [-1.0_f32, 1.0] {
        let rail = side * HALF_WIDTH;
        let across = |half: f32| (rail - half, rail + half);
        // Kerb, rails in lengths short enough to be lit along the way, posts.
        let mut y = START;
        while y < END {
            let step = 1.25 * (1.0 + y / 30.0);
            let end = (y + step).min(END);
            for (low, high, half) in [(0.0, 0.14, 0.09), (0.52, 0.58, 0.03), (1.02, 1.1, 0.06)] {
                let (left, right) = across(half);
                mesh.beam(Block { min: at(left, y, low), max: at(right, end, high) }, PAINT, lights);
            }
            y = end;
        }
        for post in 0..24 {
            let y = START + 0.4 + post as f32 * 2.5;
            let (left, right) = across(0.055);
            block(&mut mesh, at(left, y, 0.0), at(right, y + 0.11, 1.02), PAINT);
        }
        // The gate's posts: stepped, with a cap.
        let foot = side * (HALF_WIDTH + 0.52);
        for (half, low, high) in [(0.2, -4.0, 0.7), (0.13, 0.7, 5.75), (0.18, 5.75, 5.9)] {
            block(&mut mesh, at(foot - half, GATE - half, low), at(foot + half, GATE + half, high), IRON);
        }
    }
    for (low, high) in [(3.42, 3.52), (5.72, 5.84)] {
        block(&mut mesh, at(-HALF_WIDTH - 0.4, GATE - 0.06, low), at(HALF_WIDTH + 0.4, GATE + 0.06, high), IRON);
    }
    for lamp in lights.lamps.iter().take(LAMPS) {
        let p = lamp.position;
        for (half, low, high) in [(0.11, 0.0, 0.5), (0.05, 0.5, p.z - 0.16), (0.1, p.z - 0.2, p.z - 0.12)] {
            block(&mut mesh, at(p.x - half, p.y - half, low), at(p.x + half, p.y + half, high), IRON);
        }
        block(&mut mesh, at(p.x - 0.14, p.y - 0.14, p.z + 0.15), at(p.x + 0.14, p.y + 0.14, p.z + 0.2), IRON * 0.6);
    }
    // The arm that carries the ring.
    let arm = NEAR_LAMP.z - 0.62;
    block(
        &mut mesh,
        at(NEAR_LAMP.x - 0.72, NEAR_LAMP.y - 0.03, arm),
        at(NEAR_LAMP.x, NEAR_LAMP.y + 0.03, arm + 0.06),
        IRON,
    );
    mesh
}

/// Where the ring's rope is tied.
pub(super) const RING_HOOK: Vec3 = Vec3::new(NEAR_LAMP.x - 0.66, NEAR_LAMP.y, NEAR_LAMP.z - 0.62);
