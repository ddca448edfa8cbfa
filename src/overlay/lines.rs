//! The world's invisible things as lines: collision mesh, bodies, shapes, contacts, boxes, spawn records, navigation.
//!
//! Every layer gives segments in metres; one place clips them at the near plane and projects them. Lines ignore depth, so
//! that what is behind a wall is seen too.

use super::command::{Layer, Layers};
use super::lens::{Lens, Seen, clipped};
use super::subjects::Subjects;
use crate::collision::{CollisionMesh, TriangleFlags, TriangleId};
use crate::ee::gs::general::Rgbaq;
use crate::graphics::camera::Camera;
use crate::graphics::canvas::Canvas;
use crate::maths::{Vec3, from_heading, scalar};
use crate::physics::aabb::Aabb;
use crate::physics::shapes::{Geometry, OrientedBox};
use crate::tasks::boxes::LevelBox;

/// Metres around the eye in which things are drawn.
const NEAR: f32 = 16.0;
/// Triangles that are drawn at most.
const TRIANGLES: usize = 400;
/// Triangles that are looked at in a frame, so that the largest mesh costs no more than a small one; the whole of it is
/// looked at several times a second.
const SCANNED: usize = 400;
/// Lines of a frame at most.
pub const MOST_LINES: usize = 3000;
/// Sides of a drawn circle.
const SIDES: usize = 10;

const SOLID: Rgbaq = Rgbaq::new(0xD8, 0xD8, 0xE0, 0x50);
const TWO_SIDED: Rgbaq = Rgbaq::new(0x58, 0x98, 0xFF, 0x60);
const CLIMBABLE: Rgbaq = Rgbaq::new(0x50, 0xE0, 0x70, 0x60);
const DOOR: Rgbaq = Rgbaq::new(0xFF, 0xA0, 0x30, 0x60);
const COVERED: Rgbaq = Rgbaq::new(0xFF, 0x58, 0x90, 0x60);
const DISABLED: Rgbaq = Rgbaq::new(0x70, 0x70, 0x78, 0x38);
const BODY: Rgbaq = Rgbaq::new(0xFF, 0xE0, 0x60, 0x60);
const HUMAN: Rgbaq = Rgbaq::new(0x60, 0xFF, 0xE0, 0x60);
const SHAPE: Rgbaq = Rgbaq::new(0xFF, 0xFF, 0xFF, 0x70);
const STRIKE: Rgbaq = Rgbaq::new(0xFF, 0x40, 0x40, 0x78);
const CONTACT: Rgbaq = Rgbaq::new(0xFF, 0x40, 0xC0, 0x80);
const VOLUME: Rgbaq = Rgbaq::new(0x90, 0x70, 0xFF, 0x60);
const FLAG: Rgbaq = Rgbaq::new(0xFF, 0xFF, 0x80, 0x70);
const SPAWN: Rgbaq = Rgbaq::new(0x40, 0xD0, 0xFF, 0x70);
const SPAWNED: Rgbaq = Rgbaq::new(0x40, 0xFF, 0x60, 0x70);
const LINK: Rgbaq = Rgbaq::new(0x60, 0xFF, 0xA0, 0x60);

/// The colour of a triangle's edges by what its flags say first.
pub const fn mesh_colour(flags: TriangleFlags) -> Rgbaq {
    if !flags.has(TriangleFlags::ENABLED) {
        DISABLED
    } else if flags.has(TriangleFlags::DOOR) || flags.has(TriangleFlags::DOOR_LEAF) {
        DOOR
    } else if flags.has(TriangleFlags::CLIMBABLE) || flags.has(TriangleFlags::PLAYER_CLIMBABLE) {
        CLIMBABLE
    } else if flags.has(TriangleFlags::COVERED) {
        COVERED
    } else if flags.has(TriangleFlags::TWO_SIDED) {
        TWO_SIDED
    } else {
        SOLID
    }
}

/// The triangles around the eye, looked for a part of the mesh at a time.
#[derive(Clone, Debug, Default)]
pub struct NearMesh {
    shown: heapless::Vec<TriangleId, TRIANGLES>,
    found: heapless::Vec<TriangleId, TRIANGLES>,
    at: usize,
}

impl NearMesh {
    /// Looks at the next part of the mesh.
    pub fn scan(&mut self, mesh: &CollisionMesh, eye: Vec3) {
        let count = mesh.triangle_count();
        let end = (self.at + SCANNED).min(count);
        for index in self.at..end {
            let id = TriangleId(index as u16);
            if reaches(&mesh.corners(id), eye) && self.found.push(id).is_err() {
                break;
            }
        }
        self.at = end;
        if end == count || self.found.is_full() {
            self.shown.clone_from(&self.found);
            self.found.clear();
            self.at = 0;
        }
    }

    /// The triangles of the last whole look; some may be gone when the mesh was changed for a smaller one.
    fn triangles<'m>(&'m self, mesh: &'m CollisionMesh) -> impl Iterator<Item = TriangleId> + 'm {
        self.shown.iter().copied().filter(|id| usize::from(id.0) < mesh.triangle_count())
    }
}

/// Whether the box around a triangle comes near the eye: large triangles do whose middle is far.
fn reaches([a, b, c]: &[Vec3; 3], eye: Vec3) -> bool {
    let apart = |low: f32, high: f32, at: f32| (low - at).max(at - high).max(0.0);
    let (min, max) = (a.min(*b).min(*c), a.max(*b).max(*c));
    let (x, y, z) = (apart(min.x, max.x, eye.x), apart(min.y, max.y, eye.y), apart(min.z, max.z, eye.z));
    x * x + y * y + z * z < NEAR * NEAR
}

/// Takes lines in metres, clips, projects and draws them.
pub struct Lines<'c, 'p, 'a> {
    canvas: &'c mut Canvas<'p, 'a>,
    lens: Lens,
    ring: [(f32, f32); SIDES],
    drawn: usize,
}

impl<'c, 'p, 'a> Lines<'c, 'p, 'a> {
    /// Draws on `canvas` what `camera` sees.
    pub fn new(canvas: &'c mut Canvas<'p, 'a>, camera: &Camera) -> Self {
        let ring = core::array::from_fn(|side| {
            let (s, c) = scalar::sin_cos(side as f32 * (core::f32::consts::TAU / SIDES as f32));
            (c, s)
        });
        Self { canvas, lens: Lens::new(camera), ring, drawn: 0 }
    }

    /// Lines drawn so far.
    pub fn drawn(&self) -> usize {
        self.drawn
    }

    /// A line from one point to another.
    pub fn line(&mut self, from: Vec3, to: Vec3, colour: Rgbaq) {
        let (from, to) = (self.lens.see(from), self.lens.see(to));
        self.join(&from, &to, colour);
    }

    /// A line between two points that were looked at.
    fn join(&mut self, from: &Seen, to: &Seen, colour: Rgbaq) {
        if self.drawn >= MOST_LINES {
            return;
        }
        let Some((from, to)) = clipped(from, to) else { return };
        self.canvas.line(self.lens.project(&from), self.lens.project(&to), colour);
        self.drawn += 1;
    }

    /// The edges of a triangle.
    pub fn triangle(&mut self, corners: [Vec3; 3], colour: Rgbaq) {
        let [a, b, c] = corners.map(|corner| self.lens.see(corner));
        if a.is_inside() && b.is_inside() && c.is_inside() && self.drawn < MOST_LINES {
            self.canvas.outline([&a, &b, &c].map(|corner| self.lens.project(corner)), colour);
            self.drawn += 3;
            return;
        }
        for (from, to) in [(&a, &b), (&b, &c), (&c, &a)] {
            self.join(from, to, colour);
        }
    }

    /// The edges of a box.
    pub fn solid(&mut self, solid: &OrientedBox, colour: Rgbaq) {
        let corner = |index: usize| {
            let side = |bit: usize| if index >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let [x, y, z] = solid.axes;
            let half = solid.half;
            solid.centre + x * (half.x * side(0)) + y * (half.y * side(1)) + z * (half.z * side(2))
        };
        let corners: [Seen; 8] = core::array::from_fn(|index| self.lens.see(corner(index)));
        for from in 0..corners.len() {
            for bit in 0..3 {
                if from >> bit & 1 == 0 {
                    self.join(&corners[from], &corners[from | 1 << bit], colour);
                }
            }
        }
    }

    /// The edges of an upright box.
    pub fn bounds(&mut self, bounds: &Aabb, colour: Rgbaq) {
        let half = (bounds.max - bounds.min) * 0.5;
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        self.solid(&OrientedBox { half, axes, centre: bounds.min + half }, colour);
    }

    /// A circle around `centre` with two perpendicular radii.
    pub fn circle(&mut self, centre: Vec3, u: Vec3, v: Vec3, colour: Rgbaq) {
        let points = self.ring.map(|(along, across)| self.lens.see(centre + u * along + v * across));
        for side in 0..SIDES {
            self.join(&points[side], &points[(side + 1) % SIDES], colour);
        }
    }

    /// A small cross.
    pub fn cross(&mut self, at: Vec3, size: f32, colour: Rgbaq) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            self.line(at - axis * size, at + axis * size, colour);
        }
    }

    /// A shape of a body.
    pub fn geometry(&mut self, geometry: &Geometry, colour: Rgbaq) {
        match geometry {
            Geometry::Box(solid) => self.solid(solid, colour),
            Geometry::Sphere(sphere) => {
                let (x, y, z) = (Vec3::X * sphere.radius, Vec3::Y * sphere.radius, Vec3::Z * sphere.radius);
                self.circle(sphere.centre, x, y, colour);
                self.circle(sphere.centre, y, z, colour);
            }
            Geometry::Capsule(capsule) => {
                let (x, y) = (Vec3::X * capsule.radius, Vec3::Y * capsule.radius);
                let top = capsule.base + Vec3::Z * capsule.height;
                self.circle(capsule.base, x, y, colour);
                self.circle(top, x, y, colour);
                for side in [x, -x, y, -y] {
                    self.line(capsule.base + side, top + side, colour);
                }
            }
            Geometry::Segment(segment) => self.line(segment.start, segment.end, colour),
        }
    }

    /// A box of the level.
    fn level_box(&mut self, level_box: &LevelBox) {
        let (right, ahead) =
            (from_heading(level_box.heading + core::f32::consts::FRAC_PI_2), from_heading(level_box.heading));
        let axes = [right, ahead, Vec3::Z];
        self.solid(&OrientedBox { half: level_box.half, axes, centre: level_box.centre }, VOLUME);
    }
}

/// Draws `layers` of what is near the camera. Answers the lines drawn.
pub fn draw(
    layers: Layers,
    subjects: &Subjects<'_>,
    near: &mut NearMesh,
    canvas: &mut Canvas<'_, '_>,
    camera: &Camera,
) -> usize {
    let mut lines = Lines::new(canvas, camera);
    if layers.has(Layer::Mesh)
        && let Some(mesh) = subjects.mesh
    {
        near.scan(mesh, camera.eye);
        for id in near.triangles(mesh) {
            lines.triangle(mesh.corners(id), mesh_colour(mesh.flags(id)));
        }
    }
    draw_physics(layers, subjects, &mut lines);
    draw_level(layers, subjects, &mut lines);
    lines.drawn()
}

fn draw_physics(layers: Layers, subjects: &Subjects<'_>, lines: &mut Lines<'_, '_, '_>) {
    let Some(physics) = subjects.physics else { return };
    let is_near = |at: Vec3, eye: Vec3| (at - eye).length_squared() < NEAR * NEAR;
    let eye = lines.lens.eye;
    if layers.has(Layer::Contacts) {
        for mark in physics.recent().marks().filter(|mark| is_near(mark.point, eye)) {
            lines.cross(mark.point, 0.06, CONTACT);
            lines.line(mark.point, mark.point + mark.normal * 0.5, if mark.level { CONTACT } else { BODY });
        }
    }
    for &id in physics.live_bodies() {
        let body = physics.body(id);
        if !is_near(body.bounds.min, eye) {
            continue;
        }
        if layers.has(Layer::Bodies) {
            lines.bounds(&body.bounds, if body.is_human() { HUMAN } else { BODY });
        }
        if layers.has(Layer::Shapes) {
            let shapes = physics.shapes_of(id).filter(|&shape| physics.shape(shape).is_enabled());
            for shape in shapes {
                lines.geometry(physics.geometry(shape), SHAPE);
            }
            for shape in physics.strike_spheres(id) {
                lines.geometry(physics.geometry(shape), STRIKE);
            }
        }
    }
}

fn draw_level(layers: Layers, subjects: &Subjects<'_>, lines: &mut Lines<'_, '_, '_>) {
    let eye = lines.lens.eye;
    let is_near = |at: Vec3| (at - eye).length_squared() < 4.0 * NEAR * NEAR;
    if layers.has(Layer::Navigation) {
        for &(from, to) in subjects.navigation.iter().filter(|(from, _)| is_near(*from)) {
            lines.line(from, to, LINK);
        }
    }
    let Some(tasks) = subjects.tasks else { return };
    if layers.has(Layer::Boxes) {
        for level_box in tasks.boxes.level_boxes().filter(|level_box| is_near(level_box.centre)) {
            lines.level_box(level_box);
        }
        for flag in tasks.boxes.flags().filter(|flag| is_near(flag.position)) {
            lines.line(flag.position, flag.position + Vec3::Z * 1.5, FLAG);
            lines.line(flag.position, flag.position + from_heading(flag.heading), FLAG);
        }
    }
    if layers.has(Layer::Spawns) {
        for (_, record) in tasks.objects.spawns.used().filter(|(_, record)| is_near(record.position)) {
            let live = record.flags & crate::tasks::objects::spawn::record_flag::LIVE != 0;
            lines.cross(record.position, 0.25, if live { SPAWNED } else { SPAWN });
            lines.line(record.position, record.position + from_heading(record.heading) * 0.6, SPAWN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lens::MARGIN;
    use super::*;
    use crate::collision::scenes::{Scene, floor};
    use crate::ee::gif::{Line, Packet};
    use crate::ee::gs::memory::WIDTH;
    use crate::physics::scenarios::WallWalk;

    fn lines_of(layers: Layers, subjects: &Subjects<'_>, looks: usize) -> usize {
        let mut memory = std::vec![Line::default(); 4096];
        let mut near = NearMesh::default();
        let camera = Camera::new(Vec3::new(5.0, -4.0, 1.7), 0.0, 560.0, 224.0);
        (0..looks).fold(0, |_, _| {
            let mut packet = Packet::new(&mut memory);
            draw(layers, subjects, &mut near, &mut Canvas::begin(&mut packet, 0), &camera)
        })
    }

    fn only(layer: Layer) -> Layers {
        let mut layers = Layers::default();
        layers.toggle(layer);
        layers
    }

    #[test]
    fn a_floor_before_the_camera_is_drawn_by_its_edges() {
        let mesh = Scene::new().with(floor(10.0, 0.0)).mesh([2, 2, 1]);
        let subjects = Subjects { mesh: Some(&mesh), ..Subjects::default() };
        assert_eq!(lines_of(only(Layer::Mesh), &subjects, 2), 6, "two triangles");
        assert_eq!(lines_of(only(Layer::Bodies), &subjects, 2), 0);
    }

    #[test]
    fn a_body_is_a_box_of_twelve_lines_and_its_shapes_are_drawn_apart() {
        let walk = WallWalk::new().expect("an empty world has room");
        let (physics, _) = walk.scene();
        let mut memory = std::vec![Line::default(); 4096];
        let mut packet = Packet::new(&mut memory);
        let camera = Camera::new(walk.feet() - Vec3::Y * 3.0 + Vec3::Z, 0.0, 560.0, 224.0);
        let subjects = Subjects { physics: Some(physics), ..Subjects::default() };
        let mut canvas = Canvas::begin(&mut packet, 0);
        let mut count = |layer| draw(only(layer), &subjects, &mut NearMesh::default(), &mut canvas, &camera);
        assert_eq!(count(Layer::Bodies), 12);
        assert!(count(Layer::Shapes) >= 2 * SIDES + 4, "a capsule is two circles and four sides");
    }

    #[test]
    fn navigation_boxes_flags_and_spawn_records_are_drawn_where_they_are_near() {
        use crate::tasks::boxes::{DatabaseSizes, WorldFlag};
        use crate::tasks::engine::TaskEngine;
        use crate::tasks::objects::spawn::SpawnRecord;
        let ahead = Vec3::new(5.0, 2.0, 0.5);
        let far = ahead + Vec3::Y * 90.0;
        let links = [(ahead, ahead + Vec3::X), (far, far + Vec3::X)];
        let subjects = Subjects { navigation: &links, ..Subjects::default() };
        assert_eq!(lines_of(only(Layer::Navigation), &subjects, 1), 1, "one link is near");
        let mut tasks = TaskEngine::new(&DatabaseSizes { objects: 4, flags: 4, volumes: 4, players: 1, turfs: 1 });
        for at in [ahead, far] {
            let place = LevelBox { centre: at, half: Vec3::splat(0.5), ..LevelBox::default() };
            assert!(!tasks.boxes.add_box(&mut tasks.handles, 0, place).is_nil());
            let flag = WorldFlag { position: at, ..WorldFlag::default() };
            assert!(!tasks.boxes.add_flag(&mut tasks.handles, flag).is_nil());
            let record = SpawnRecord { position: at, ..SpawnRecord::default() };
            assert!(tasks.objects.spawns.add(record).is_some());
        }
        let subjects = Subjects { tasks: Some(&tasks), ..Subjects::default() };
        assert_eq!(lines_of(only(Layer::Boxes), &subjects, 1), 12 + 2, "a box's edges, a flag's pole and heading");
        assert_eq!(lines_of(only(Layer::Spawns), &subjects, 1), 3 + 1, "a record's cross and heading");
        assert_eq!(lines_of(only(Layer::Navigation), &subjects, 1), 0);
    }

    #[test]
    fn a_contact_is_a_cross_with_its_normal() {
        let mut walk = WallWalk::new().expect("an empty world has room");
        (0..240).for_each(|_| _ = walk.step());
        let (physics, _) = walk.scene();
        let marks: std::vec::Vec<Vec3> = physics.recent().marks().map(|mark| mark.point).collect();
        assert!(!marks.is_empty(), "the wall is met");
        let mut memory = std::vec![Line::default(); 8192];
        let mut packet = Packet::new(&mut memory);
        let camera = Camera::new(marks[0] - Vec3::Y * 3.0 + Vec3::Z * 0.5, 0.0, 560.0, 224.0);
        let subjects = Subjects { physics: Some(physics), ..Subjects::default() };
        let mut canvas = Canvas::begin(&mut packet, 0);
        let drawn = draw(only(Layer::Contacts), &subjects, &mut NearMesh::default(), &mut canvas, &camera);
        assert!(drawn >= 4 && drawn <= 4 * marks.len(), "{drawn} lines of {} contacts", marks.len());
    }

    #[test]
    fn a_line_through_the_near_plane_is_cut_there() {
        let camera = Camera::new(Vec3::ZERO, 0.0, 560.0, 224.0);
        let lens = Lens::new(&camera);
        let cut = |from, to| clipped(&lens.see(from), &lens.see(to));
        let (from, to) = cut(Vec3::new(0.0, -5.0, 0.0), Vec3::new(0.1, 5.0, 0.0)).unwrap();
        assert!((from.ahead - camera.near * 1.01).abs() < 1e-4 && to.ahead == 5.0, "{from:?}");
        assert!(cut(-Vec3::Y, -Vec3::Y * 2.0).is_none());
    }

    #[test]
    fn a_line_far_beyond_both_sides_of_the_picture_is_cut_and_still_drawn() {
        let camera = Camera::new(Vec3::Z * 1.7, 0.0, 560.0, 224.0);
        let lens = Lens::new(&camera);
        let cut = |from, to| clipped(&lens.see(from), &lens.see(to));
        let (from, to) = cut(Vec3::new(-90.0, 4.0, 0.0), Vec3::new(90.0, 4.0, 0.0)).unwrap();
        let ((a, _), (b, _)) = (lens.project(&from), lens.project(&to));
        assert!((a + MARGIN).abs() < 0.5 && (b - WIDTH as f32 - MARGIN).abs() < 0.5, "{a} {b}");
        assert!(cut(Vec3::new(50.0, 4.0, 0.0), Vec3::new(90.0, 4.0, 0.0)).is_none());
    }

    #[test]
    fn the_lens_sees_points_where_the_camera_projects_them() {
        let camera = Camera { stretch: 0.75, ..Camera::new(Vec3::new(1.0, 2.0, 1.7), 0.6, 560.0, 224.0) };
        let lens = Lens::new(&camera);
        for point in [Vec3::new(3.0, 6.0, 0.0), Vec3::new(4.0, 7.0, 3.0), Vec3::new(2.0, 9.0, 1.0)] {
            let (wanted, (x, y)) = (camera.project(point), lens.project(&lens.see(point)));
            assert!(wanted.is_drawable() && lens.see(point).is_inside());
            assert!((x - wanted.x).abs() < 0.01 && (y - wanted.y).abs() < 0.01, "{x} {y}, not {wanted:?}");
        }
    }

    #[test]
    fn links_of_the_way_are_drawn_near_the_eye_and_no_others() {
        let near = (Vec3::new(4.0, 0.0, 0.1), Vec3::new(6.0, 2.0, 0.1));
        let far = (Vec3::new(4.0, 90.0, 0.1), Vec3::new(6.0, 92.0, 0.1));
        let subjects = Subjects { navigation: &[near, far], ..Subjects::default() };
        assert_eq!(lines_of(only(Layer::Navigation), &subjects, 1), 1);
        assert_eq!(lines_of(only(Layer::Bodies), &subjects, 1), 0);
    }

    #[test]
    fn a_large_triangle_is_near_although_its_middle_is_far() {
        let corners = [Vec3::ZERO, Vec3::X * 90.0, Vec3::Y * 90.0];
        assert!(reaches(&corners, Vec3::new(80.0, 1.0, 2.0)));
        assert!(!reaches(&corners, Vec3::new(80.0, 1.0, NEAR + 1.0)));
    }

    #[test]
    fn flags_decide_the_colour_in_their_order() {
        let door = TriangleFlags(TriangleFlags::ENABLED.0 | TriangleFlags::DOOR.0 | TriangleFlags::TWO_SIDED.0);
        assert_eq!(mesh_colour(door), DOOR);
        assert_eq!(mesh_colour(TriangleFlags(TriangleFlags::DOOR.0)), DISABLED);
        assert_eq!(mesh_colour(TriangleFlags::ENABLED), SOLID);
    }

    #[test]
    fn no_frame_draws_more_than_its_lines() {
        let mut memory = std::vec![Line::default(); 8192];
        let mut packet = Packet::new(&mut memory);
        let camera = Camera::new(Vec3::ZERO, 0.0, 560.0, 224.0);
        let mut canvas = Canvas::begin(&mut packet, 0);
        let mut lines = Lines::new(&mut canvas, &camera);
        for _ in 0..MOST_LINES + 10 {
            lines.line(Vec3::Y * 2.0, Vec3::new(1.0, 3.0, 0.0), SOLID);
        }
        assert_eq!(lines.drawn(), MOST_LINES);
    }
}
