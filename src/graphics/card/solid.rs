//! Page 2: a yard for the renderer.

use super::super::canvas::Canvas;
use super::super::colour;
use super::super::font::Face;
use super::super::light::{Lamp, Lights};
use super::super::mesh::{BONES, Builder, Corner, Flags, Material, Mesh};
use super::super::render::{Counters, Haze, Renderer, Shadow, Sky, Sprite, View};
use super::textures::{BOARD, BOARD_16, BOARD_32, BRICKS, NET, SPOT};
use super::{DUSK, eye};
use crate::ee::gif::{Packet, Quad};
use crate::maths::scalar::{cos, sin};
use crate::maths::{Pose, Quat, Vec3};
use alloc::vec::Vec;
use core::f32::consts::TAU;

/// The lamps over the yard.
const LAMPS: [Lamp; 3] = [
    Lamp { position: Vec3::new(-3.2, 7.0, 2.4), colour: Vec3::new(1.6, 0.9, 0.4), reach: 2.0 },
    Lamp { position: Vec3::new(3.4, 8.0, 2.2), colour: Vec3::new(0.3, 0.7, 1.6), reach: 2.0 },
    Lamp { position: Vec3::new(0.0, 6.0, 3.5), colour: Vec3::new(0.5, 0.5, 0.45), reach: 3.0 },
];
const HAZE: Vec3 = Vec3::new(0.20, 0.19, 0.30);

/// The yard's meshes.
pub struct Yard {
    ground: Vec<Quad>,
    ball: Vec<Quad>,
    open_box: Vec<Quad>,
    arm: Vec<Quad>,
    sign: Vec<Quad>,
}

fn flat(texture: u32, flags: Flags) -> Material {
    Material { texture, flags }
}

/// A rectangle between two opposite corners of its four in ring order, its texture `times` over it.
fn quad(builder: &mut Builder, material: Material, ring: [Vec3; 4], times: (f32, f32), colour: [u8; 4]) {
    let texture = [[0.0, times.1], [times.0, times.1], [times.0, 0.0], [0.0, 0.0]];
    let mut corner = 0;
    builder.quad(
        material,
        ring.map(|position| {
            corner += 1;
            Corner { position, colour, texture: texture[corner - 1], ..Corner::default() }
        }),
    );
}

/// The things that do not move.
fn ground() -> Builder {
    let mut builder = Builder::new();
    let v = Vec3::new;
    // One square of the floor reaches under the eye and far behind it, and no other covers for it.
    let floor = [v(-8.0, -12.0, 0.0), v(8.0, -12.0, 0.0), v(8.0, 24.0, 0.0), v(-8.0, 24.0, 0.0)];
    quad(&mut builder, flat(BOARD, Flags::NONE), floor, (4.0, 9.0), [0x60, 0x60, 0x68, 0x80]);
    // A wall beside the eye, in pieces whose common edges are cut: no gaps may show between them.
    for piece in 0..12_u8 {
        let (y0, y1) = (f32::from(piece) * 2.0 - 6.0, f32::from(piece) * 2.0 - 4.0);
        let left = [v(-4.5, y0, 0.0), v(-4.5, y1, 0.0), v(-4.5, y1, 3.0), v(-4.5, y0, 3.0)];
        quad(&mut builder, flat(BRICKS, Flags::NONE), left, (2.0, 3.0), [0x70, 0x68, 0x60, 0x80]);
        let near = [v(0.9, y1, -0.1), v(0.9, y0, -0.1), v(0.9, y0, 0.25), v(0.9, y1, 0.25)];
        let tint = 0x50 + piece * 8;
        quad(&mut builder, flat(0, Flags::NONE), near, (1.0, 1.0), [tint, tint, 0x90, 0x80]);
    }
    let back = [v(-8.0, 18.0, 0.0), v(8.0, 18.0, 0.0), v(8.0, 18.0, 3.4), v(-8.0, 18.0, 3.4)];
    quad(&mut builder, flat(BRICKS, Flags::NONE), back, (8.0, 2.0), [0x50, 0x50, 0x58, 0x80]);
    // A sail much larger than the drawing plane can hold, high over the yard.
    let sail = [v(-60.0, 30.0, 40.0), v(-3.0, 12.0, 5.2), v(60.0, 2.0, 60.0)];
    builder.triangle(
        flat(0, Flags::TWO_SIDED.with(Flags::NO_FOG)),
        sail.map(|position| Corner { position, colour: [0x38, 0x48, 0x60, 0x80], ..Corner::default() }),
    );
    let net = [v(-4.4, 9.0, 0.0), v(-1.8, 9.0, 0.0), v(-1.8, 9.0, 1.5), v(-4.4, 9.0, 1.5)];
    quad(&mut builder, flat(NET, Flags::CUTOUT.with(Flags::TWO_SIDED)), net, (2.0, 1.0), [0x80; 4]);
    let pane = [v(1.6, 7.0, 0.3), v(3.6, 7.0, 0.3), v(3.6, 7.0, 2.0), v(1.6, 7.0, 2.0)];
    quad(&mut builder, flat(0, Flags::BLEND.with(Flags::TWO_SIDED)), pane, (1.0, 1.0), [0x40, 0x90, 0xA0, 0x38]);
    let tube = [v(2.0, 17.9, 2.2), v(5.0, 17.9, 2.2), v(5.0, 17.9, 2.7), v(2.0, 17.9, 2.7)];
    quad(&mut builder, flat(SPOT, Flags::ADD.with(Flags::CLAMP_S)), tube, (1.0, 1.0), [0x80, 0x30, 0x60, 0x80]);
    builder
}

/// A ball of radius 1 around the origin.
fn ball(material: Material, slices: u16, rings: u16) -> Builder {
    let mut builder = Builder::new();
    let corner = |slice: u16, ring: u16| {
        let (around, down) = (f32::from(slice) / f32::from(slices), f32::from(ring) / f32::from(rings));
        let (angle, height) = (around * TAU, down * TAU * 0.5);
        let normal = Vec3::new(sin(height) * cos(angle), sin(height) * sin(angle), cos(height));
        Corner { position: normal, normal, texture: [around * 4.0, down * 2.0], ..Corner::default() }
    };
    for (slice, ring) in (0..slices).flat_map(|slice| (0..rings).map(move |ring| (slice, ring))) {
        let [a, b, c, d] = [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(s, r)| corner(slice + s, ring + r));
        builder.triangle(material, [a, b, c]);
        builder.triangle(material, [a, c, d]);
    }
    builder
}

/// A box without a lid whose inside is another colour: whether faces that look away are left out shows at once.
fn open_box() -> Builder {
    let mut builder = Builder::new();
    let v = Vec3::new;
    for turn in 0..4_u8 {
        let turned = Quat::from_axis_angle(Vec3::Z, f32::from(turn) * TAU / 4.0);
        for (inside, tint) in [(false, [0x80, 0x50, 0x30, 0x80]), (true, [0x30, 0x80, 0x50, 0x80])] {
            let mut ring = [v(-0.5, -0.5, 0.0), v(0.5, -0.5, 0.0), v(0.5, -0.5, 0.8), v(-0.5, -0.5, 0.8)];
            let mut normal = -Vec3::Y;
            if inside {
                ring.reverse();
                normal = Vec3::Y;
            }
            let corners = ring.map(|position| Corner {
                position: turned.rotate(position),
                normal: turned.rotate(normal),
                colour: tint,
                texture: [position.x + 0.5, 1.0 - position.z],
                ..Corner::default()
            });
            builder.quad(flat(BOARD_16, Flags::NONE), corners);
        }
    }
    builder
}

/// A tube that bends between two bones, in the middle by both.
fn arm() -> Builder {
    const RINGS: u8 = 8;
    const SIDES: u8 = 10;
    let mut builder = Builder::skinned();
    let corner = |side: u8, ring: u8| {
        let angle = f32::from(side) / f32::from(SIDES) * TAU;
        let height = f32::from(ring) / f32::from(RINGS) * 1.8;
        let normal = Vec3::new(cos(angle), sin(angle), 0.0);
        let weight = match ring {
            0..=2 => 255,
            3 => 192,
            4 => 128,
            5 => 64,
            _ => 0,
        };
        Corner {
            position: normal * 0.28 + Vec3::Z * height,
            normal,
            colour: [0x90, 0x70, 0x5C, 0x80],
            texture: [f32::from(side) / f32::from(SIDES) * 2.0, height],
            bones: [1, 2, weight],
        }
    };
    for (side, ring) in (0..SIDES).flat_map(|side| (0..RINGS).map(move |ring| (side, ring))) {
        let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(s, r)| corner(side + s, ring + r));
        builder.quad(flat(BOARD_32, Flags::NONE), [a, b, c, d]);
    }
    builder
}

/// A sign that the floor mirrors as still water would.
fn sign() -> Builder {
    let mut builder = Builder::new();
    let ring = [(-2.9, 0.25), (-1.1, 0.25), (-1.1, 1.15), (-2.9, 1.15)].map(|(x, z)| Vec3::new(x, 4.2, z));
    quad(&mut builder, flat(BRICKS, Flags::TWO_SIDED), ring, (2.0, 1.0), [0xA0, 0x90, 0x60, 0x80]);
    builder
}

impl Yard {
    /// Builds the meshes.
    #[allow(clippy::new_without_default, reason = "this is work, not a default")]
    pub fn new() -> Self {
        let built = |builder: Builder| builder.build().unwrap_or_default();
        Self {
            ground: built(ground()),
            ball: built(ball(flat(BRICKS, Flags::NONE), 16, 8)),
            open_box: built(open_box()),
            arm: built(arm()),
            sign: built(sign()),
        }
    }

    /// Draws the yard with rows of balls and tubes: some ten thousand triangles.
    pub fn draw_crowd(&self, renderer: &mut Renderer, packet: &mut Packet, frame: u32) -> Counters {
        let lights = Lights { lamps: &LAMPS, ..DUSK };
        let mut scene = renderer.begin(packet, frame, &view());
        let meshes = (Mesh::read(&self.ground), Mesh::read(&self.ball), Mesh::read(&self.arm));
        let (Ok(ground), Ok(ball), Ok(arm)) = meshes else { return scene.end() };
        scene.draw_static(&ground);
        for (x, y) in (0..28_u8).map(|i| (f32::from(i % 4) * 1.8 - 2.7, f32::from(i / 4) * 2.6 + 6.0)) {
            scene.draw_object(&ball, &Pose::new(Quat::IDENTITY, Vec3::new(x, y, 1.0)), &lights);
        }
        for x in 0..15_u8 {
            scene.draw_skinned(&arm, &bones(Vec3::new(f32::from(x) * 0.4 - 2.8, 5.0, 0.0)), &lights);
        }
        scene.end()
    }

    /// Draws the yard into the frame buffer at `frame`.
    pub fn draw(&self, renderer: &mut Renderer, packet: &mut Packet, frame: u32) -> Counters {
        let lights = Lights { lamps: &LAMPS, ..DUSK };
        let mut scene = renderer.begin(packet, frame, &view());
        if let Ok(ground) = Mesh::read(&self.ground) {
            scene.draw_static(&ground);
        }
        if let Ok(sign) = Mesh::read(&self.sign) {
            scene.draw_mirrored(&sign, 0.0, 0.6);
            scene.draw_static(&sign);
        }
        if let Ok(ball) = Mesh::read(&self.ball) {
            for (x, y, z) in [(-2.2, 8.0, 1.0), (2.6, 9.5, 1.0), (0.0, 12.0, 1.0)] {
                let turned = Quat::from_axis_angle(Vec3::Z, x);
                scene.draw_object(&ball, &Pose::new(turned, Vec3::new(x, y, z)), &lights);
            }
        }
        if let Ok(open_box) = Mesh::read(&self.open_box) {
            let turned = Quat::from_axis_angle(Vec3::Z, 0.5);
            scene.draw_object(&open_box, &Pose::new(turned, Vec3::new(-0.6, 4.6, 0.0)), &lights);
        }
        if let Ok(arm) = Mesh::read(&self.arm) {
            scene.draw_skinned(&arm, &bones(Vec3::new(1.2, 6.0, 0.0)), &lights);
        }
        for (x, y, radius) in [(-2.2, 8.0, 1.1), (2.6, 9.5, 1.1), (0.0, 12.0, 1.1), (1.2, 6.0, 0.5)] {
            let centre = Vec3::new(x, y, 0.0);
            let half = (radius * 1.4, radius);
            scene.shadow(&Shadow {
                texture: SPOT,
                centre,
                normal: Vec3::Z,
                half,
                along: Vec3::new(1.0, 0.6, 0.0),
                strength: 0.9,
            });
        }
        for lamp in &LAMPS {
            let [red, green, blue] = (lamp.colour * 80.0).to_array().map(|channel| channel.min(255.0) as u8);
            let half = (0.9, 0.9);
            let colour = [red, green, blue, 0x80];
            scene.sprite(&Sprite { texture: SPOT, centre: lamp.position, half, colour, ..Sprite::default() });
        }
        for puff in 0..6_u8 {
            let up = f32::from(puff);
            let centre = Vec3::new(-3.4 + up * 0.12, 6.0, 0.4 + up * 0.3);
            let colour = [0x70, 0x70, 0x78, 0x50 - puff * 10];
            let flags = Flags::BLEND;
            let half = (0.25 + up * 0.08, 0.25 + up * 0.08);
            scene.sprite(&Sprite { texture: SPOT, centre, half, turn: up, colour, flags, ..Sprite::default() });
        }
        scene.end()
    }

    /// Names the page.
    pub fn label(&self, canvas: &mut Canvas, face: &Face) {
        let words = colour::tint(Vec3::splat(0.9), 1.0);
        face.draw(canvas, "RENDERER", 24.0, 20.0, 0.9, words);
    }
}

/// What page 2 is seen through.
fn view() -> View {
    let sky = Sky { zenith: Vec3::new(0.04, 0.05, 0.14), horizon: HAZE, ground: Vec3::new(0.1, 0.1, 0.12) };
    let haze = Haze { colour: HAZE, start: 4.0, end: 40.0, most: 1.0 };
    View { camera: eye(), far: 100.0, haze, sky }
}

/// A ball whose first batch is full.
pub fn bench_ball() -> Vec<Quad> {
    ball(flat(BRICKS, Flags::NONE), 24, 14).build().unwrap_or_default()
}

/// The tube's bones: the lower one stands, the upper one leans to the right.
fn bones(place: Vec3) -> [Pose; BONES] {
    const JOINT: Vec3 = Vec3::new(0.0, 0.0, 0.9);
    let mut bones = [Pose::new(Quat::IDENTITY, place); BONES];
    let lean = Quat::from_axis_angle(Vec3::Y, 1.1);
    bones[2] = Pose::new(lean, place + JOINT - lean.rotate(JOINT));
    bones
}
