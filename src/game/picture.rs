//! What a frame shows, and how it is drawn.
//!
//! The steps of a frame that draw only note what there is to see; presenting builds the packet from it in one go, because
//! the packet belongs to the display until it is submitted.
//!
//! Our choice: the seed's renderer takes commands at any time of the frame. Here the view and the words are taken at their
//! own steps, so that what scripts change after them is seen in the next frame, as there.

use super::characters::People;
use super::characters_draw;
use super::level::Level;
use super::rules::BRICK_SIZE;
use super::screens::{self, Backdrop, Screen};
use super::staging::StagedEye;
use super::things::Things;
use super::walker::Walker;
use super::yard::{FOG, GOAL};
use crate::boot::title::Title;
use crate::camera::follow::FollowCamera;
use crate::ee::gif::Packet;
use crate::ee::gs::general::Alpha;
use crate::ee::gs::memory::{HEIGHT, WIDTH};
use crate::game_modes::{VIEWPORTS, effect};
use crate::graphics::camera::{self, Camera};
use crate::graphics::canvas::{Canvas, Corner, Depth, Rect};
use crate::graphics::colour::{self, rgb};
use crate::graphics::draw_target::{Atlas, Surface};
use crate::graphics::render::{Counters, Renderer};
use crate::hud::{Area, Hud};
use crate::maths::{Pose, Vec3};
use crate::overlay::FreeCamera;
use crate::tasks::clock::Phase;
use crate::tasks::engine::TaskEngine;
use crate::tasks::ids::TaskClass;
use crate::world;

/// Pixels that a metre fills at one metre, and the horizon's line.
const FOCAL: f32 = 500.0;
const HORIZON: f32 = 206.0;
/// The same of a camera behind a human, which keeps the feet in the picture.
const FOLLOW: (f32, f32) = (470.0, 190.0);
/// The line between two players' halves, and half the lines between them.
const MIDDLE: f32 = 224.0;
const BETWEEN: f32 = 2.0;
/// How much smaller things are in a half, and how much nearer to its upper edge is what is straight ahead. Our choice: half the
/// lines at half the size would show twice as much to the sides; at this size a fighter is seen from head to foot.
const HALF_FOCAL: f32 = 0.58;
const HALF_HORIZON: f32 = 0.44;
/// Where the debug text stands, and its size: over everything that headings and bars take, on the picture's edge, which a debug
/// text may lose to a television's frame.
const COUNTER: (f32, f32, f32) = (44.0, 13.0, 0.7);
/// Lines of a scene's dark bars.
const BAR: f32 = 44.0;

/// Whose eyes a viewport has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Eyes {
    /// Those that walk where nobody lives.
    Walker(Walker),
    /// A camera behind a player's human.
    Follow(FollowCamera),
    /// The scene camera.
    Staged(StagedEye),
}

/// What a frame shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The eyes of each viewport.
    pub views: heapless::Vec<Eyes, VIEWPORTS>,
    /// The overlay's camera, while it flies.
    pub free: Option<FreeCamera>,
    /// What is said over the world, or instead of it.
    pub screen: Screen,
    /// Pixels in a row for a line that show a square on the screen: a camera's stretch.
    pub stretch: f32,
    /// Seconds since the program began, for what moves on its own.
    pub seconds: f32,
    /// The viewports' screen effects.
    pub effects: [u32; VIEWPORTS],
    /// The debug text, when it is asked for.
    pub counter: heapless::String<{ crate::game_modes::COUNTER_BYTES }>,
}

impl Picture {
    /// Forgets everything but the time.
    pub fn clear(&mut self) {
        *self = Self { seconds: self.seconds, ..Self::default() };
    }

    /// The camera of a viewport: of the whole picture, or of its part of it.
    pub fn camera(&self, viewport: usize) -> Option<Camera> {
        camera_of(&self.views, viewport, self.stretch, self.free.as_ref())
    }
}

/// The camera of one of some viewports, by the eyes of all of them: of the whole picture, or of its part of it.
pub fn camera_of(views: &[Eyes], viewport: usize, stretch: f32, free: Option<&FreeCamera>) -> Option<Camera> {
    let camera = Camera { stretch, ..camera(views.get(viewport)?, free) };
    Some(if views.len() > 1 { halved(camera, viewport) } else { camera })
}

/// The camera of one half of the picture.
fn halved(camera: Camera, viewport: usize) -> Camera {
    let lines = if viewport == 0 { (0.0, MIDDLE - BETWEEN) } else { (MIDDLE + BETWEEN, HEIGHT as f32) };
    let horizon = viewport as f32 * MIDDLE + camera.horizon * HALF_HORIZON;
    Camera { focal: camera.focal * HALF_FOCAL, horizon, window: lines, ..camera }
}

/// What drawing reads.
pub struct Scene<'a> {
    /// The title, which has the typeface.
    pub title: &'a mut Title,
    /// The level, if one is there.
    pub level: Option<&'a mut Level>,
    /// What the disc has of it.
    pub world: Option<&'a world::Level>,
    /// The bytes of those of its parts that are there.
    pub parts: &'a world::PartBytes<'a>,
    /// What draws that.
    pub renderer: Option<&'a mut Renderer>,
    /// The things in it.
    pub tasks: Option<&'a TaskEngine>,
    /// Those of them that are queued to be drawn.
    pub things: &'a Things,
    /// The people in it.
    pub people: Option<&'a People>,
    /// What is to be shown.
    pub picture: &'a Picture,
    /// What is seen over a level, and the pictures of its letters.
    pub hud: Option<(&'a [Hud; VIEWPORTS], Atlas)>,
}

/// Draws a frame into the frame buffer at `page`. Answers what its viewports took together.
pub fn draw(scene: &mut Scene<'_>, packet: &mut Packet, page: u32) -> Counters {
    let mut counters = Counters::default();
    let mut canvas = Canvas::begin(packet, page);
    let picture = scene.picture;
    if picture.views.is_empty() {
        if matches!(picture.screen.backdrop, Backdrop::Title | Backdrop::Night) {
            scene.title.draw_scene(&mut canvas, picture.seconds);
        }
    } else {
        let cameras = (0..picture.views.len()).filter_map(|viewport| Some((viewport, picture.camera(viewport)?)));
        for (viewport, camera) in cameras {
            match (scene.world, scene.renderer.as_deref_mut()) {
                (Some(level), Some(renderer)) => {
                    let mut world = renderer.begin(canvas.packet(), page, &level.view(camera));
                    level.draw(scene.parts, &mut world, picture.seconds);
                    scene.things.draw(&mut world, level);
                    if let Some(people) = scene.people {
                        let follows =
                            picture.free.is_none() && matches!(picture.views.get(viewport), Some(Eyes::Follow(_)));
                        let player = people.humans.player(viewport as u8).filter(|_| follows);
                        let watched = player.map(|n| (n, people.humans.people[n].position));
                        characters_draw::draw(people, &mut world, watched);
                    }
                    level.draw_appearing(scene.parts, &mut world);
                    counters += world.end();
                }
                _ => draw_yard(scene.level.as_deref_mut(), scene.tasks, scene.title, &mut canvas, &camera),
            }
        }
        if picture.views.len() > 1 {
            canvas.window(camera::WHOLE);
            let between = Rect::new(0.0, MIDDLE - BETWEEN, WIDTH as f32, MIDDLE + BETWEEN);
            canvas.rect(between, colour::vertex(rgb(4, 4, 10)));
        }
        if matches!(picture.views.first(), Some(Eyes::Staged(_))) {
            draw_bars(&mut canvas);
        }
        // A heading stands where the HUD's words do.
        if picture.screen.heading.is_empty()
            && let Some((huds, atlas)) = scene.hud
        {
            for (viewport, hud) in huds.iter().enumerate().take(picture.views.len()) {
                hud.draw(&mut Surface::new(&mut canvas, &atlas), Area::of(viewport, picture.views.len()));
            }
        }
    }
    draw_effects(&mut canvas, picture);
    if picture.screen != Screen::default() {
        screens::draw(&mut canvas, scene.title.face(), &picture.screen);
    }
    if !picture.counter.is_empty() {
        let (x, y, size) = COUNTER;
        scene.title.face().draw(&mut canvas, &picture.counter, x, y, size, colour::tint(rgb(190, 230, 190), 1.0));
    }
    counters
}

/// Each viewport's screen effect, over the world and the HUD. Our choice: under the words of a menu, which are to be read.
fn draw_effects(canvas: &mut Canvas, picture: &Picture) {
    let halves = [Rect::new(0.0, 0.0, WIDTH as f32, MIDDLE), Rect::new(0.0, MIDDLE, WIDTH as f32, HEIGHT as f32)];
    let areas = if picture.views.len() > 1 { halves } else { [Rect::PICTURE; VIEWPORTS] };
    for ((area, effect), _) in areas.into_iter().zip(picture.effects).zip(&picture.views) {
        if effect != effect::CLEAR {
            canvas.shade(area, colour::with_alpha(screens::SHADOW, effect::darkness(effect)));
        }
    }
}

/// Dark bars above and below, by which a scene is known.
fn draw_bars(canvas: &mut Canvas) {
    let dark = colour::vertex(rgb(4, 4, 10));
    canvas.depth(Depth::Ignored);
    canvas.rect(Rect::new(0.0, 0.0, 640.0, BAR), dark);
    canvas.rect(Rect::new(0.0, 448.0 - BAR, 640.0, 448.0), dark);
}

/// The camera at a pair of eyes, or the one that flies.
pub fn camera(eyes: &Eyes, free: Option<&FreeCamera>) -> Camera {
    if let Some(free) = free {
        return Camera::towards(free.eye, free.eye + free.forward(), FOCAL);
    }
    match eyes {
        Eyes::Walker(walker) => Camera::new(walker.eye(), walker.heading, FOCAL, HORIZON),
        Eyes::Staged(StagedEye { eye, look }) => Camera::towards(*eye, *look, FOCAL),
        Eyes::Follow(camera) => Camera { horizon: FOLLOW.1, ..Camera::towards(camera.eye, camera.look, FOLLOW.0) },
    }
}

fn draw_yard(
    level: Option<&mut Level>,
    tasks: Option<&TaskEngine>,
    title: &Title,
    canvas: &mut Canvas,
    camera: &Camera,
) {
    let sky = (colour::with_alpha(rgb(14, 14, 34), 1.0), colour::with_alpha(FOG.colour, 1.0));
    canvas.vertical_gradient(Rect::new(0.0, 0.0, 640.0, HORIZON), sky.0, sky.1);
    canvas.rect(Rect::new(0.0, HORIZON, 640.0, 448.0), colour::vertex(FOG.colour));
    canvas.depth(Depth::Used);
    if let Some((_, picture)) = level.and_then(|level| level.built_in.as_mut()) {
        picture.draw(canvas, camera, &FOG);
    }
    draw_things(tasks, canvas, camera);
    draw_lamp(canvas, camera, title);
}

fn draw_things(tasks: Option<&TaskEngine>, canvas: &mut Canvas, camera: &Camera) {
    let Some(tasks) = tasks else { return };
    let mut from = 0;
    while let Some(id) = tasks.next_live(TaskClass::Object, from) {
        if let Some(head) = tasks.manager.head(id) {
            draw_brick(canvas, camera, head.pose_at(tasks.manager.clock.time_of(Phase::Play), tasks.manager.kernels));
        }
        let Some(slot) = id.index_in(TaskClass::Object) else { break };
        from = slot as u16 + 1;
    }
}

/// A brick: six faces, each as bright as it looks up.
fn draw_brick(canvas: &mut Canvas, camera: &Camera, pose: Pose) {
    const COLOUR: Vec3 = rgb(206, 112, 84);
    let half = BRICK_SIZE * 0.5;
    let axes = [pose.rotation.axis_x() * half.x, pose.rotation.axis_y() * half.y, pose.rotation.axis_z() * half.z];
    for side in 0..3 {
        let (u, v) = (axes[(side + 1) % 3], axes[(side + 2) % 3]);
        for normal in [axes[side], axes[side] * -1.0] {
            let middle = pose.position + normal;
            if (middle - camera.eye).dot(normal) >= 0.0 {
                continue;
            }
            let up = normal.normalize_or_zero().z;
            let distance = (middle - camera.eye).length();
            let colour = colour::vertex(FOG.over(COLOUR * (0.55 + 0.35 * up), distance));
            let corner = |a: f32, b: f32| Corner::at(&camera.project(middle + u * a + v * b), colour);
            let (a, b, c, d) = (corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0));
            canvas.triangle([&a, &b, &c]);
            canvas.triangle([&a, &c, &d]);
        }
    }
}

/// The goal's lamp: a glow that is seen from everywhere.
fn draw_lamp(canvas: &mut Canvas, camera: &Camera, title: &Title) {
    const HEIGHT: f32 = 3.4;
    const SIZE: f32 = 1.3;
    let at = camera.project(GOAL + Vec3::Z * HEIGHT);
    if !at.is_drawable() {
        return;
    }
    canvas.blend(Alpha::ADD);
    canvas.depth(Depth::Tested);
    canvas.texture(title.glow());
    let size = SIZE * at.scale;
    let whole = Rect::new(0.5, 0.5, 63.5, 63.5);
    canvas.sprite(Rect::around(at.x, at.y, size, size), whole, colour::tint(rgb(255, 190, 110), 0.9), at.depth);
    canvas.blend(Alpha::OVER);
    canvas.depth(Depth::Ignored);
}
