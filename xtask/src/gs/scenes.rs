//! What the engine draws, drawn by the model: the same calls that the console's program makes.

use super::Synthesizer;
use super::doubt::Doubts;
use super::gif::MainMemory;
use super::screen::Through;
use crate::level::container;
use crate::models::{self, Detail, Person};
use anyhow::{Context as _, Result, anyhow, ensure};
use boardwalk::animation::pose::LocalPose;
use boardwalk::animation::skeleton::{BONES, Skeleton};
use boardwalk::boot::title::{Info, Pictures, Title};
use boardwalk::chunk::{SliceSource, Stacks};
use boardwalk::ee::gif::{Line, Packet, Quad};
use boardwalk::ee::gs::general::Rgbaq;
use boardwalk::ee::gs::memory::{FRAMES, TEXTURES};
use boardwalk::ee::video::{VideoMode, VideoOptions};
use boardwalk::game::characters_draw::{DETAILS, Models, covers};
use boardwalk::game::screens::{self, Screen};
use boardwalk::game::things::Things;
use boardwalk::graphics::camera::Camera;
use boardwalk::graphics::canvas::{Canvas, Rect};
use boardwalk::graphics::card::Card;
use boardwalk::graphics::draw_target::{Atlas, AtlasPictures, Surface};
use boardwalk::graphics::render::{Haze, Renderer, Sky, View};
use boardwalk::graphics::texture::TextureMemory;
use boardwalk::hud::{Area, Hud, demo};
use boardwalk::maths::{Pose, Quat, Vec3};
use boardwalk::overlay::{Page, demo::Demo};
use boardwalk::streaming::PartIndex;
use boardwalk::tasks::names::name_hash;
use boardwalk::world::Level;
use image::RgbImage;

/// Lines of a packet: as on the console.
const PACKET_LINES: usize = 0x14_0000 / size_of::<Line>();
/// Frames a second. Source: seed 003, One in-game frame (timing).
const FRAMES_PER_SECOND: f32 = 30.0;
/// What lies behind the overlay's pages.
const GROUND: Rgbaq = Rgbaq::new(0x24, 0x2A, 0x44, 0x80);
/// Pixels that a metre fills at one metre, in a level.
const FOCAL: f32 = 470.0;

/// What came of a scene.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What the emulator shows of it.
    pub picture: RgbImage,
    /// What the model was not sure of.
    pub doubts: Doubts,
}

/// The model with a memory to read packets from.
#[derive(Default)]
pub(super) struct Console {
    gs: Synthesizer,
    main: MainMemory,
}

impl Console {
    fn add<'m>(&mut self, pieces: impl Iterator<Item = &'m [Line]>) {
        pieces.for_each(|piece| self.main.add_lines(piece));
    }

    /// Puts what packets refer to into main memory.
    pub(super) fn add_quads(&mut self, quads: &[Quad]) {
        self.main.add_quads(quads);
    }

    /// Builds a packet and draws it.
    fn send<P>(&mut self, pictures: &P, build: impl for<'a> FnOnce(&mut Packet<'a>, &'a P)) {
        let mut memory = vec![Line::default(); PACKET_LINES];
        let mut packet = Packet::new(&mut memory);
        build(&mut packet, pictures);
        let chain = packet.finish();
        assert_eq!(chain.dropped, 0, "the frame fits its packet");
        let mut main = self.main.clone();
        main.add_lines(&memory);
        self.gs.run(&chain, &main);
    }

    /// Draws a frame into the first buffer.
    pub(super) fn frame(&mut self, draw: impl FnOnce(&mut Packet, u32)) {
        self.send(&(), |packet, ()| draw(packet, FRAMES[0]));
    }

    pub(super) fn show(self) -> Drawn {
        shown(self.gs, FRAMES[0])
    }
}

/// What the emulator shows of the frame buffer at `page`.
fn shown(gs: Synthesizer, page: u32) -> Drawn {
    let video = VideoOptions::new(VideoMode::Ntsc);
    Drawn { picture: gs.picture(&video, page, Through::Emulator), doubts: gs.doubts }
}

/// What the packets show that the console told: lines of `GIF` and hexadecimal digits, a point behind the last of each packet. The
/// pictures of all of them are sent, the last few are drawn, each of which begins with an empty screen; what the last one shows is
/// answered.
///
/// # Errors
/// A line that says something else, or no packet.
pub fn told<'l>(lines: impl Iterator<Item = &'l str>) -> Result<Drawn> {
    const DIGITS: usize = 8;
    /// Packets that are drawn: both frame buffers', twice.
    const DRAWN: usize = 4;
    let (mut packets, mut quads) = (Vec::new(), Vec::new());
    for line in lines.filter_map(|line| line.strip_prefix("GIF ")) {
        let digits = line.trim_end_matches('.');
        ensure!(digits.len().is_multiple_of(4 * DIGITS) && digits.is_ascii(), "`{line}` is no row of quadwords");
        let word = |at: usize| u32::from_str_radix(&digits[at..at + DIGITS], 16);
        for quad in (0..digits.len()).step_by(4 * DIGITS) {
            let words: Result<Vec<u32>, _> = (0..4).map(|number| word(quad + number * DIGITS)).collect();
            let words = words.with_context(|| format!("`{line}`"))?;
            quads.push(Quad([words[0], words[1], words[2], words[3]]));
        }
        if line.ends_with('.') {
            packets.push(std::mem::take(&mut quads));
        }
    }
    let told = packets.len();
    ensure!(told > 0 && quads.is_empty(), "{told} packets were told, and {} quadwords of another", quads.len());
    let mut gs = Synthesizer::default();
    for (number, packet) in packets.into_iter().enumerate() {
        if number + DRAWN < told {
            gs.run_blindly(packet);
        } else {
            gs.run_quads(packet);
        }
    }
    let page = gs.frame_page();
    ensure!(FRAMES.contains(&page), "the last packet leaves off in page {page}, which is no frame buffer's");
    Ok(shown(gs, page))
}

/// A page of the test card.
///
/// # Errors
/// Pictures that do not fit.
pub fn card(page: u32) -> Result<Drawn> {
    let mut card = Card::new().map_err(|_| anyhow!("the card's pictures do not fit"))?;
    let mut console = Console::default();
    console.add(card.memory());
    card.texture_memory().for_each(|texture| console.main.add_quads(texture));
    console.send(&card, |packet, card| card.upload(packet));
    // The second frame finds its textures where the first one put them, as on the console.
    for _ in 0..2 {
        console.frame(|packet, frame| _ = card.draw(packet, frame, page));
    }
    Ok(console.show())
}

/// The title and a model that has its pictures.
fn with_title() -> Result<(Console, Title)> {
    let pictures = Pictures::new();
    let title = Title::new(&mut TextureMemory::default(), &pictures);
    let title = title.map_err(|_| anyhow!("the title's pictures do not fit"))?;
    let mut console = Console::default();
    console.add(pictures.memory());
    console.send(&pictures, |packet, pictures| title.upload(packet, pictures));
    Ok((console, title))
}

/// The title's frame of a number.
///
/// # Errors
/// Pictures that do not fit.
pub fn title(frame: u32) -> Result<Drawn> {
    let (mut console, mut title) = with_title()?;
    let info = Info { mode: VideoMode::Ntsc.label(), frame, missed: 0 };
    console.frame(|packet, page| title.draw(packet, page, frame as f32 / FRAMES_PER_SECOND, &info));
    Ok(console.show())
}

/// The game's first menu with its first row chosen, in the frame of a number.
///
/// # Errors
/// Pictures that do not fit.
pub fn menu(frame: u32) -> Result<Drawn> {
    let (mut console, mut title) = with_title()?;
    let screen = Screen { cursor: Some(0), ..Screen::front_page() };
    console.frame(|packet, page| {
        let mut canvas = Canvas::begin(packet, page);
        title.draw_scene(&mut canvas, frame as f32 / FRAMES_PER_SECOND);
        screens::draw(&mut canvas, title.face(), &screen);
    });
    Ok(console.show())
}

fn over_ground(draw: impl FnOnce(&mut Canvas, &Atlas)) -> Result<Drawn> {
    let pictures = AtlasPictures::new();
    let atlas = Atlas::new(&mut TextureMemory::default(), &pictures);
    let atlas = atlas.map_err(|_| anyhow!("the overlay's pictures do not fit"))?;
    let mut console = Console::default();
    console.add(pictures.memory());
    console.send(&pictures, |packet, pictures| atlas.upload(packet, pictures));
    console.frame(|packet, page| {
        let mut canvas = Canvas::begin(packet, page);
        canvas.rect(Rect::PICTURE, GROUND);
        draw(&mut Canvas::resume(packet), &atlas);
    });
    Ok(console.show())
}

/// A page of the overlay over its own scene.
///
/// # Errors
/// Pictures that do not fit.
pub fn overlay(page: Page) -> Result<Drawn> {
    let demo = Demo::new().context("no room for the overlay's scene")?;
    let mut overlay = demo.overlay(page);
    let subjects = demo.subjects();
    over_ground(|canvas, atlas| {
        if let Some((feet, heading)) = subjects.player {
            let camera = Camera::new(feet + Vec3::new(0.0, -6.0, 2.2), heading, 500.0, 206.0);
            overlay.draw_world(canvas, &camera, &subjects);
        }
        overlay.draw(&mut Surface::new(canvas, atlas));
    })
}

/// The HUD with all that it can show, as it stands after some frames.
///
/// # Errors
/// Pictures that do not fit.
pub fn hud() -> Result<Drawn> {
    const FRAMES: u32 = 6;
    let mut hud = Hud::default();
    (0..FRAMES).for_each(|_| demo::step(&mut hud));
    over_ground(|canvas, atlas| hud.draw(&mut Surface::new(canvas, atlas), Area::Whole))
}

/// Somebody of a look, in three meshes.
pub struct Somebody(Models);

impl Somebody {
    /// Makes the look of a name. `load` gives the text of a file below `iso/`.
    ///
    /// # Errors
    /// A look that cannot be made.
    pub fn make(name: &str, load: &dyn Fn(&str) -> Result<String>) -> Result<Self> {
        let person = Person::read(&load(&format!("models/people/{name}.person"))?)?;
        let mesh = |detail| -> Result<Box<[Quad]>> {
            let quads = models::mesh(&person, detail).build().map_err(|error| anyhow!("{name}: {error:?}"))?;
            Ok(quads.into_boxed_slice())
        };
        let look = [mesh(Detail::Near)?, mesh(Detail::Middle)?, mesh(Detail::Far)?];
        Ok(Self(Models::new(vec![look])))
    }

    /// Stands in a level's light.
    pub fn stand_in(&mut self, place: &Place) {
        self.0.take_light(&place.0);
    }

    /// How many pixels change by more than `least` of 255 when somebody `distance` metres away is drawn as from `metres` nearer:
    /// what shows of one mesh taking over from another. `near` is how much of the nearest mesh may be seen. With both pictures.
    ///
    /// # Errors
    /// Something found no room.
    pub fn jump(&self, distance: f32, near: f32, metres: f32, least: u8) -> Result<(usize, [RgbImage; 2])> {
        let pictures =
            [self.seen(distance, covers(distance, near))?, self.seen(distance, covers(distance - metres, near))?];
        Ok((changed(&pictures, least), pictures))
    }

    fn seen(&self, distance: f32, covers: [f32; DETAILS.len()]) -> Result<RgbImage> {
        const SKY: Vec3 = Vec3::new(0.08, 0.09, 0.16);
        /// Radians by which somebody is turned, so that more than a front is seen.
        const TURNED: f32 = 2.4;
        let eye = Vec3::new(0.0, 0.0, 2.0);
        let feet = Pose::new(Quat::from_heading(TURNED), Vec3::new(0.0, distance, 0.0));
        let (skeleton, mut bones) = (Skeleton::new(), [Pose::IDENTITY; BONES]);
        skeleton.place(&LocalPose::reference(&skeleton), &feet, 1.0, &mut bones);
        let haze = Haze { colour: SKY, start: 8.0, end: 120.0, most: 0.9 };
        let sky = Sky { zenith: SKY, horizon: SKY, ground: SKY };
        let camera = Camera::towards(eye, Vec3::new(0.0, distance, 1.0), FOCAL);
        let mut renderer = Renderer::new(TEXTURES);
        let mut console = Console::default();
        let mut lost = 0;
        console.frame(|packet, page| {
            let mut scene = renderer.begin(packet, page, &View { camera, far: 200.0, haze, sky });
            self.0.draw_person(&mut scene, 0, &bones, &self.0.rig(bones[0].position), covers);
            lost += scene.end().lost;
        });
        ensure!(lost == 0, "{lost} triangles found no room");
        Ok(console.show().picture)
    }
}

/// Pixels that differ by more than `least` of 255 between two pictures.
fn changed([before, after]: &[RgbImage; 2], least: u8) -> usize {
    let changes = |(a, b): (&image::Rgb<u8>, &image::Rgb<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > least);
    before.pixels().zip(after.pixels()).filter(|pair| changes(*pair)).count()
}

/// A level as the console loads it, with the files of all its parts.
pub struct Place(Level, Vec<Vec<Quad>>);

impl Place {
    /// Makes the level of a name. `load` gives the text of a file below `iso/`.
    ///
    /// # Errors
    /// A level that cannot be made.
    pub fn make(name: &str, load: &dyn Fn(&str) -> Result<String>) -> Result<Self> {
        let files = container::files(name, load)?;
        let file = &files.level;
        let level = Level::load(&mut SliceSource(file), file.len() as u32, &mut Stacks::default());
        let mut level = level.map_err(|error| anyhow!("{name} cannot be read: {error}"))?;
        let mut parts = Vec::new();
        for (number, file) in files.parts.iter().enumerate() {
            let mut part = vec![Quad::default(); file.len().div_ceil(size_of::<Quad>())];
            Quad::bytes_mut(&mut part)[..file.len()].copy_from_slice(file);
            let added = level.add_part(PartIndex(number as u16), file);
            added.map_err(|error| anyhow!("{name}, part {number}: {error}"))?;
            parts.push(part);
        }
        Ok(Self(level, parts))
    }

    /// Draws it from one of its views, in the frame of a number.
    ///
    /// # Errors
    /// No such view, or something that found no room.
    pub fn draw(&self, view: &str, frame: u32) -> Result<Drawn> {
        let camera = self.0.camera_of(name_hash(view), FOCAL).with_context(|| format!("there is no view {view}"))?;
        // The second frame finds its textures where the first one put them, as on the console.
        self.seen_by(camera, &[0, frame])
    }

    /// Places along one of its ways, every so many metres, as a player's camera has them.
    pub fn cameras(&self, way: &str, apart: f32) -> Vec<Camera> {
        const EYE: f32 = 2.4;
        let path = self.0.paths().find(|path| path.name == name_hash(way));
        let points: Vec<Vec3> = path.map(|path| path.points().collect()).unwrap_or_default();
        let mut cameras = Vec::new();
        for pair in points.windows(2) {
            let way = pair[1] - pair[0];
            let count = (way.length() / apart).ceil().max(1.0) as usize;
            for step in 0..count {
                let eye = pair[0] + way * (step as f32 / count as f32) + Vec3::Z * EYE;
                cameras.push(Camera::towards(eye, eye + way - Vec3::Z * (0.2 * way.length()), FOCAL));
            }
        }
        cameras
    }

    /// How many pixels change by more than `least` of 255 when everything comes into reach `metres` earlier: what a player who
    /// goes so far ahead sees pop up. With both pictures.
    ///
    /// # Errors
    /// Something found no room.
    pub fn jump(&mut self, camera: Camera, metres: f32, least: u8) -> Result<(usize, [RgbImage; 2])> {
        let header = self.0.header;
        let before = self.seen_by(camera, &[0])?.picture;
        self.0.header.detail += metres;
        self.0.header.middle += metres;
        self.0.header.far += metres;
        let after = self.seen_by(camera, &[0]);
        self.0.header = header;
        let after = after?.picture;
        let pictures = [before, after];
        Ok((changed(&pictures, least), pictures))
    }

    /// How much the floor of a view flickers as the eye goes `metres` ahead and to the side: the mean difference of a pixel's
    /// channel, of 255, in the lower half of the picture, and the picture.
    ///
    /// # Errors
    /// No such view, or something that found no room.
    pub fn flicker(&self, view: &str, metres: f32) -> Result<(f32, RgbImage)> {
        let camera = self.0.camera_of(name_hash(view), FOCAL).with_context(|| format!("there is no view {view}"))?;
        let moved = Camera { eye: camera.eye + (camera.ahead.horizontal() + camera.right) * metres, ..camera };
        let before = self.seen_by(camera, &[0])?.picture;
        let after = self.seen_by(moved, &[0])?.picture;
        let (width, height) = before.dimensions();
        let floor = |picture: &RgbImage| {
            let rows = image::imageops::crop_imm(picture, 0, height / 2, width, height / 2).to_image();
            rows.into_raw()
        };
        let (before_floor, after_floor) = (floor(&before), floor(&after));
        let sum: u64 = before_floor.iter().zip(&after_floor).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        Ok((sum as f32 / before_floor.len() as f32, before))
    }

    fn seen_by(&self, camera: Camera, frames: &[u32]) -> Result<Drawn> {
        let Self(level, parts) = self;
        let parts: Vec<&[u8]> = parts.iter().map(|part| Quad::bytes(part)).collect();
        let mut renderer = Renderer::new(TEXTURES);
        level.add_textures(&mut renderer.textures).map_err(|_| anyhow!("too many textures"))?;
        let mut console = Console::default();
        for texture in level.textures() {
            console.main.add_quads(texture.texels);
            console.main.add_quads(texture.palette);
        }
        let mut things = Box::<Things>::default();
        things.load(Some(level));
        things.models.show(level);
        let mut lost = 0;
        for frame in frames {
            console.frame(|packet, page| {
                let mut scene = renderer.begin(packet, page, &level.view(camera));
                level.draw(&parts, &mut scene, *frame as f32 / FRAMES_PER_SECOND);
                things.draw(&mut scene, level);
                level.draw_appearing(&parts, &mut scene);
                lost += scene.end().lost;
            });
        }
        ensure!(lost == 0, "{lost} things found no room");
        Ok(console.show())
    }
}
