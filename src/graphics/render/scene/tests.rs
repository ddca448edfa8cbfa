//! What a scene draws of what it is given.

use super::super::{Haze, Sky};
use super::*;
use crate::ee::gif::{Line, Quad};
use crate::graphics::light::Directional;
use crate::graphics::mesh::{self, BONES, Builder};
use alloc::vec;

const DAY: Lights = Lights {
    ambient: Vec3::new(0.5, 0.5, 0.5),
    directional: Directional { towards: Vec3::Z, colour: Vec3::new(0.5, 0.5, 0.5) },
    lamps: &[],
};

fn view(camera: Camera) -> View {
    let haze = Haze { colour: Vec3::splat(0.2), start: 5.0, end: 100.0, most: 1.0 };
    let sky = Sky { zenith: Vec3::ZERO, horizon: Vec3::splat(0.2), ground: Vec3::ZERO };
    View { camera, far: 200.0, haze, sky }
}

/// An eye 1.7 m over the origin that looks north and a little down.
fn standing() -> View {
    view(Camera::towards(Vec3::new(0.0, 0.0, 1.7), Vec3::new(0.0, 10.0, 0.0), 500.0))
}

fn corner(x: f32, y: f32, z: f32) -> mesh::Corner {
    mesh::Corner { position: Vec3::new(x, y, z), ..mesh::Corner::default() }
}

/// A square of `side` metres on the ground around `(x, y)`.
fn floor(x: f32, y: f32, side: f32, flags: Flags) -> vec::Vec<Quad> {
    let half = side * 0.5;
    let mut builder = Builder::new();
    let ring = [(-half, -half), (half, -half), (half, half), (-half, half)];
    builder.quad(Material { texture: 0, flags }, ring.map(|(dx, dy)| corner(x + dx, y + dy, 0.0)));
    builder.build().expect("a floor")
}

fn drawn(view: &View, draw: impl for<'f> FnOnce(&mut Scene<'_, '_, 'f>)) -> Counters {
    let mut memory = vec![Line::default(); 512];
    let mut packet = Packet::new(&mut memory);
    let mut renderer = Renderer::new(420);
    let mut scene = renderer.begin(&mut packet, 0, view);
    draw(&mut scene);
    scene.end()
}

/// Triangles that are drawn of what borrows `'d`.
fn drawn_with<'d>(view: &View, draw: impl FnOnce(&mut Scene<'_, '_, 'd>)) -> u32 {
    let mut memory = vec![Line::default(); 512];
    let mut packet = Packet::new(&mut memory);
    let mut renderer = Renderer::new(420);
    let mut scene = renderer.begin(&mut packet, 0, view);
    draw(&mut scene);
    scene.end().triangles
}

fn floor_drawn(view: &View, data: &[Quad]) -> Counters {
    let mut memory = vec![Line::default(); 512];
    let mut packet = Packet::new(&mut memory);
    let mut renderer = Renderer::new(420);
    let mut scene = renderer.begin(&mut packet, 0, view);
    scene.draw_static(&Mesh::read(data).expect("a mesh"));
    scene.end()
}

#[test]
fn a_floor_ahead_is_two_triangles() {
    let seen = floor_drawn(&standing(), &floor(0.0, 10.0, 4.0, Flags::NONE));
    assert_eq!((seen.triangles, seen.culled, seen.cut, seen.hidden), (2, 0, 0, 0));
}

#[test]
fn a_floor_under_the_eye_is_cut() {
    let seen = floor_drawn(&standing(), &floor(0.0, 0.0, 40.0, Flags::NONE));
    assert_eq!((seen.triangles, seen.culled, seen.cut, seen.lost), (0, 0, 2, 0));
}

#[test]
fn a_floor_behind_is_hidden_and_one_seen_from_below_faces_away() {
    let seen = floor_drawn(&standing(), &floor(0.0, -10.0, 4.0, Flags::NONE));
    assert_eq!((seen.hidden, seen.batches), (1, 0));
    let below = view(Camera::towards(Vec3::new(0.0, 0.0, -1.7), Vec3::new(0.0, 10.0, 0.0), 500.0));
    let seen = floor_drawn(&below, &floor(0.0, 10.0, 4.0, Flags::NONE));
    assert_eq!((seen.triangles, seen.culled), (0, 2));
    let seen = floor_drawn(&below, &floor(0.0, 0.0, 40.0, Flags::NONE));
    assert_eq!((seen.triangles, seen.culled, seen.cut), (0, 2, 0), "even when parts are behind the eye");
    let seen = floor_drawn(&below, &floor(0.0, 10.0, 4.0, Flags::TWO_SIDED));
    assert_eq!((seen.triangles, seen.culled), (2, 0));
}

#[test]
fn blended_floors_wait_for_the_end() {
    let seen = floor_drawn(&standing(), &floor(0.0, 10.0, 4.0, Flags::BLEND));
    assert_eq!(seen.triangles, 2);
}

#[test]
fn what_comes_into_reach_appears_little_by_little() {
    assert_eq!([0.0, 80.0, 90.0, 100.0, 130.0].map(|distance| cover_at(distance, 100.0)), [1.0, 1.0, 0.5, 0.0, 0.0]);
    let data = floor(0.0, 10.0, 4.0, Flags::NONE);
    let ground = Mesh::read(&data).expect("a mesh");
    let mut memory = vec![Line::default(); 512];
    let mut packet = Packet::new(&mut memory);
    let mut renderer = Renderer::new(420);
    let mut scene = renderer.begin(&mut packet, 0, &standing());
    scene.draw_static_with(&ground, &Look { cover: 0.0, ..Look::default() });
    assert_eq!(scene.counters.triangles, 0);
    scene.draw_static_with(&ground, &Look { cover: 0.5, ..Look::default() });
    scene.draw_object_with(&ground, &Pose::IDENTITY, &DAY, 0.0);
    assert_eq!((scene.end().triangles, WHOLE), (2, 0x80));
}

#[test]
fn what_is_mirrored_is_seen_where_still_water_shows_it() {
    let mut builder = Builder::new();
    let ring = [(-1.0, 1.0), (1.0, 1.0), (1.0, 3.0), (-1.0, 3.0)];
    builder.quad(Material::default(), ring.map(|(x, z)| corner(x, 10.0, z)));
    let data = builder.build().expect("a wall");
    let wall = Mesh::read(&data).expect("a mesh");
    let eye = Vec3::new(0.0, 0.0, 1.7);
    let seen = |look_at: Vec3, mirrored: bool| {
        drawn_with(&view(Camera::towards(eye, look_at, 2000.0)), |scene| {
            if mirrored {
                scene.draw_mirrored(&wall, 0.0, 1.0);
            } else {
                scene.draw_static(&wall);
            }
        })
    };
    let (wall_at, image_at) = (Vec3::new(0.0, 10.0, 2.0), Vec3::new(0.0, 10.0, -2.0));
    assert_eq!((seen(wall_at, false), seen(image_at, false)), (2, 0));
    assert_eq!((seen(wall_at, true), seen(image_at, true)), (0, 2));
}

#[test]
fn an_object_is_drawn_where_its_pose_puts_it() {
    let data = floor(0.0, 0.0, 2.0, Flags::NONE);
    let object = Mesh::read(&data).expect("a mesh");
    let seen = drawn(&standing(), |scene| {
        scene.draw_object(&object, &Pose::new(crate::maths::Quat::IDENTITY, Vec3::new(0.0, 12.0, 0.0)), &DAY);
        scene.draw_object(&object, &Pose::new(crate::maths::Quat::IDENTITY, Vec3::new(0.0, -12.0, 0.0)), &DAY);
    });
    assert_eq!((seen.triangles, seen.hidden), (2, 1));
}

#[test]
fn a_skinned_mesh_follows_its_bones() {
    let mut builder = Builder::skinned();
    let bend = |x: f32, z: f32| mesh::Corner { bones: [1, 2, 128], normal: -Vec3::Y, ..corner(x, 0.0, z) };
    builder.triangle(Material::default(), [bend(-0.2, 1.0), bend(0.2, 1.0), bend(0.0, 1.5)]);
    let data = builder.build().expect("a triangle");
    let person = Mesh::read(&data).expect("a mesh");
    let seen = drawn(&standing(), |scene| {
        let mut bones = [Pose::new(crate::maths::Quat::IDENTITY, Vec3::new(0.0, 8.0, 0.0)); BONES];
        scene.draw_skinned(&person, &bones, &DAY);
        for bone in &mut bones {
            bone.position.y = -8.0;
        }
        scene.draw_skinned(&person, &bones, &DAY);
    });
    assert_eq!((seen.triangles, seen.hidden, seen.vertices), (1, 1, 3));
}

#[test]
fn sprites_and_shadows_are_drawn_at_the_end_as_far_as_they_are_seen() {
    let seen = drawn(&standing(), |scene| {
        for x in 0..100 {
            scene.sprite(&Sprite { centre: Vec3::new(x as f32 * 0.05 - 2.5, 10.0, 1.0), ..Sprite::default() });
        }
        scene.sprite(&Sprite { centre: Vec3::new(0.0, -10.0, 1.0), ..Sprite::default() });
        let ground = Vec3::new(0.0, 6.0, 0.0);
        scene.shadow(&Shadow {
            texture: 0,
            centre: ground,
            normal: Vec3::Z,
            half: (0.5, 0.3),
            along: Vec3::Y,
            strength: 0.5,
        });
    });
    assert_eq!((seen.flats, seen.triangles, seen.hidden), (101, 202, 1));
    assert_eq!(seen.batches, 3, "one for the shadow, two for sprites");
}
