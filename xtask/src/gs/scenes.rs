//! What the engine draws, drawn by the model: the same calls that the console's program makes.

use super::Synthesizer;
use super::doubt::Doubts;
use super::gif::MainMemory;
use super::screen::Through;
use crate::level::container;
use anyhow::{Context as _, Result, anyhow, ensure};
use boardwalk::boot::title::{Info, Pictures, Title};
use boardwalk::chunk::{SliceSource, Stacks};
use boardwalk::ee::gif::{Line, Packet, Quad};
use boardwalk::ee::gs::general::Rgbaq;
use boardwalk::ee::gs::memory::{FRAMES, TEXTURES};
use boardwalk::ee::video::{VideoMode, VideoOptions};
use boardwalk::game::screens::{self, Screen};
use boardwalk::game::things::Things;
use boardwalk::graphics::camera::Camera;
use boardwalk::graphics::canvas::{Canvas, Rect};
use boardwalk::graphics::card::Card;
use boardwalk::graphics::draw_target::{Atlas, AtlasPictures, Surface};
use boardwalk::graphics::render::Renderer;
use boardwalk::graphics::texture::TextureMemory;
use boardwalk::hud::{Area, Hud, demo};
use boardwalk::maths::Vec3;
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
struct Console {
    gs: Synthesizer,
    main: MainMemory,
}

impl Console {
    fn add<'m>(&mut self, pieces: impl Iterator<Item = &'m [Line]>) {
        pieces.for_each(|piece| self.main.add_lines(piece));
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
    fn frame(&mut self, draw: impl FnOnce(&mut Packet, u32)) {
        self.send(&(), |packet, ()| draw(packet, FRAMES[0]));
    }

    fn show(self) -> Drawn {
        let video = VideoOptions::new(VideoMode::Ntsc);
        Drawn { picture: self.gs.picture(&video, FRAMES[0], Through::Emulator), doubts: self.gs.doubts }
    }
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
        let changes =
            |(a, b): (&image::Rgb<u8>, &image::Rgb<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > least);
        let jump = before.pixels().zip(after.pixels()).filter(|pair| changes(*pair)).count();
        Ok((jump, [before, after]))
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
