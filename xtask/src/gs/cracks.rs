//! Whether cut triangles leave gaps: walls in pieces, seen from so near that most of them are cut.

use super::scenes::Console;
use boardwalk::ee::gif::Quad;
use boardwalk::ee::gs::memory::TEXTURES;
use boardwalk::graphics::camera::Camera;
use boardwalk::graphics::mesh::{Builder, Corner, Flags, Material, Mesh};
use boardwalk::graphics::render::{Haze, Renderer, Sky, View};
use boardwalk::maths::Vec3;

/// Pieces of the wall along it and upwards, and a piece's side in metres.
const PIECES: (i16, i16) = (6, 2);
const SIDE: f32 = 2.0;
/// The wall stands east of the eye.
const WALL: f32 = 1.0;
const EYES: u32 = 24;

/// The wall's pieces, each a mesh of its own, from (WALL, -4, -1) northwards and upwards.
fn pieces() -> Vec<Vec<Quad>> {
    let colour = [0xF0, 0xF0, 0xF0, 0x80];
    let corner = |along: i16, up: i16| {
        let position = Vec3::new(WALL, f32::from(along) * SIDE - 4.0, f32::from(up) * SIDE - 1.0);
        Corner { position, colour, ..Corner::default() }
    };
    let piece = |(along, up): (i16, i16)| {
        let mut builder = Builder::new();
        let ring = [corner(along, up), corner(along, up + 1), corner(along + 1, up + 1), corner(along + 1, up)];
        builder.quad(Material { texture: 0, flags: Flags::TWO_SIDED.with(Flags::NO_FOG) }, ring);
        builder.build().unwrap()
    };
    (0..PIECES.0).flat_map(|along| (0..PIECES.1).map(move |up| (along, up))).map(piece).collect()
}

/// Whether the wall lies behind a pixel, and a pixel around it, at a distance that is drawn.
fn is_wall(camera: &Camera, x: u32, y: u32) -> bool {
    [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].iter().all(|(dx, dy)| {
        let across = (x as f32 + dx - 320.0) / camera.focal;
        let upwards = (camera.horizon - y as f32 - dy) / camera.focal;
        let way = camera.ahead + camera.right * across + camera.up * upwards;
        let ahead = (WALL - camera.eye.x) / way.x;
        let at = camera.eye + way * ahead;
        let (along, up) = (at.y + 4.0, at.z + 1.0);
        let inside = |v: f32, pieces: i16| (0.0..f32::from(pieces) * SIDE).contains(&v);
        ahead > camera.near * 1.05 && inside(along, PIECES.0) && inside(up, PIECES.1)
    })
}

#[test]
fn no_gap_opens_between_the_cut_pieces_of_a_wall() {
    let pieces = pieces();
    let (mut looked_at, mut cut) = (0, 0);
    for number in 0..EYES {
        let share = number as f32 / EYES as f32;
        // From beside the wall to almost in it, along it and turned to it by a little or by much.
        let eye = Vec3::new(0.97 * share, -3.0 + 7.0 * ((share * 7.0) % 1.0), 0.4 + 0.9 * ((share * 3.0) % 1.0));
        let towards = eye + Vec3::new(0.1 + ((share * 11.0) % 1.0), 1.0 - 1.6 * ((share * 5.0) % 1.0), 0.1);
        let camera = Camera::towards(eye, towards, 470.0);
        let dark = Vec3::ZERO;
        let haze = Haze { colour: dark, start: 100.0, end: 200.0, most: 0.0 };
        let view = View { camera, far: 100.0, haze, sky: Sky { zenith: dark, horizon: dark, ground: dark } };
        let mut renderer = Renderer::new(TEXTURES);
        let mut console = Console::default();
        console.frame(|packet, page| {
            let mut scene = renderer.begin(packet, page, &view);
            pieces.iter().for_each(|piece| scene.draw_static(&Mesh::read(piece).unwrap()));
            let counters = scene.end();
            assert_eq!(counters.lost, 0);
            cut += counters.cut;
        });
        let picture = console.show().picture;
        // The first line is mixed with the dark above the picture.
        for (x, y, pixel) in picture.enumerate_pixels().filter(|(_, y, _)| *y > 0) {
            if is_wall(&camera, x, y) {
                looked_at += 1;
                assert!(pixel.0[0] > 0xC0, "a gap at {x},{y} of eye {number} at {eye:?}: {pixel:?}");
            }
        }
    }
    println!("{looked_at} pixels, {cut} cut triangles");
    assert!(looked_at > 500_000 && cut > 100, "{looked_at} pixels, {cut} cut triangles");
}
