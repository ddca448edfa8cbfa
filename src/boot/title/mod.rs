//! The first picture: the boardwalk at night.
//!
//! A pier runs out to sea under lamps, with the game's name in neon over its gate, a wheel turning far out and the moon on
//! the water. Everything is computed: textures and meshes once, in [`Title::new`], the moving things every frame from the
//! time alone. Back to front: `sky`, `sea`, `shore`, `wheel`, then the `pier` with its `ring`, then light on top of it
//! (`glow`, `sign`) and the text.
//!
//! Source: the game's art direction.

mod glow;
mod pier;
mod ring;
mod sea;
mod shore;
mod sign;
mod sky;
mod wheel;

use crate::ee::gif::{Line, Packet};
use crate::ee::gs::general::Alpha;
use crate::graphics::camera::{Camera, Projected};
use crate::graphics::canvas::{Canvas, Depth, Rect};
use crate::graphics::colour::{self, rgb};
use crate::graphics::font::{self, Face};
use crate::graphics::light::{Directional, Fog};
use crate::graphics::texture::{Image, OutOfTextureMemory, Palette, Texture, TextureMemory};
use crate::graphics::wave::sine;
use crate::maths::Vec3;

/// The picture line of the horizon.
const HORIZON: f32 = 262.0;
/// Pixels that a metre fills at one metre.
const FOCAL: f32 = 560.0;
/// The eye's height over the planks, in metres.
const EYE_HEIGHT: f32 = 1.7;
/// The haze over the sea: what far things fade into.
const HAZE: Vec3 = rgb(46, 44, 74);
/// The air between the eye and the world.
const FOG: Fog = Fog { colour: HAZE, half: 42.0 };
/// The moon's light: cold, from the left.
const MOON: Directional = Directional { towards: Vec3::new(-0.70, 0.30, 0.648), colour: rgb(46, 58, 96) };
/// Light from the sky and from the sea.
const AMBIENT: Vec3 = rgb(36, 36, 64);
/// The lamps' light.
const WARM: Vec3 = rgb(255, 176, 92);
/// Seconds in which the picture comes out of the dark.
const FADE_IN: f32 = 1.6;

/// Facts for the line at the picture's foot.
#[derive(Clone, Copy, Debug)]
pub struct Info<'a> {
    /// The video mode's name.
    pub mode: &'a str,
    /// Frames so far.
    pub frame: u32,
    /// Blanks by which frames were late.
    pub missed: u32,
}

/// The scene.
pub struct Title {
    face: Face,
    glow: Texture,
    sign: sign::Sign,
    sky: sky::Sky,
    sea: sea::Sea,
    pier: pier::Pier,
    ring: ring::Ring,
}

/// The scene's pictures in main memory, needed until they are uploaded.
pub struct Pictures {
    face: (Image, Palette),
    glow: (Image, Palette),
    sign: (Image, [Palette; 2]),
}

impl Pictures {
    /// Computes all pictures.
    #[allow(clippy::new_without_default, reason = "this is a second's work, not a default")]
    pub fn new() -> Self {
        Self {
            face: (font::face_image(), font::face_palette()),
            glow: (glow::image(), glow::palette()),
            sign: (sign::image(), sign::palettes()),
        }
    }

    /// What an upload refers to.
    pub fn memory(&self) -> impl Iterator<Item = &[Line]> {
        let (image, palettes) = &self.sign;
        let pairs = [&self.face, &self.glow].into_iter();
        let pairs = pairs.flat_map(|(image, palette)| [image.lines(), palette.lines()]);
        pairs.chain([image.lines()]).chain(palettes.iter().map(Palette::lines))
    }
}

impl Title {
    /// Builds the scene and reserves memory for its pictures.
    ///
    /// # Errors
    /// [`OutOfTextureMemory`] when the pictures do not fit.
    pub fn new(memory: &mut TextureMemory, pictures: &Pictures) -> Result<Self, OutOfTextureMemory> {
        let first = memory.reserve(&pictures.sign.0)?;
        let second = memory.with_new_palette(&first)?;
        Ok(Self {
            face: Face { texture: memory.reserve(&pictures.face.0)? },
            glow: memory.reserve(&pictures.glow.0)?,
            sign: sign::Sign { textures: [first, second] },
            sky: sky::Sky::new(),
            sea: sea::Sea::new(),
            pier: pier::Pier::new(),
            ring: ring::Ring::new(),
        })
    }

    /// Sends the pictures to the GS's memory.
    pub fn upload<'a>(&self, packet: &mut Packet<'a>, pictures: &'a Pictures) {
        for (texture, (image, palette)) in [(&self.face.texture, &pictures.face), (&self.glow, &pictures.glow)] {
            texture.upload(packet, image);
            texture.upload_palette(packet, palette);
        }
        let (image, palettes) = &pictures.sign;
        self.sign.textures[0].upload(packet, image);
        for (texture, palette) in self.sign.textures.iter().zip(palettes) {
            texture.upload_palette(packet, palette);
        }
    }

    /// The typeface, for whoever writes over the scene.
    pub const fn face(&self) -> &Face {
        &self.face
    }

    /// The picture of a soft glow.
    pub const fn glow(&self) -> &Texture {
        &self.glow
    }

    /// Draws the scene with its words `seconds` after its start into the frame buffer at `page`.
    pub fn draw(&mut self, packet: &mut Packet, page: u32, seconds: f32, info: &Info) {
        let mut canvas = Canvas::begin(packet, page);
        self.draw_scene(&mut canvas, seconds);
        self.draw_text(&mut canvas, seconds, info);
        let dark = 1.0 - (seconds / FADE_IN).clamp(0.0, 1.0);
        if dark > 0.0 {
            canvas.shade(Rect::PICTURE, colour::with_alpha(Vec3::ZERO, dark));
        }
    }

    /// Draws the scene alone, without words.
    pub fn draw_scene(&mut self, canvas: &mut Canvas, seconds: f32) {
        let camera = camera_at(seconds);
        self.sky.draw(canvas, &camera, &self.glow, seconds);
        self.sea.draw(canvas, &camera, &self.glow, seconds);
        shore::draw(canvas, &camera, &self.glow, seconds);
        wheel::draw(canvas, &camera, &self.glow, seconds);
        haze(canvas, &self.glow, seconds);
        self.pier.draw_deck(canvas, &camera);
        canvas.blend(Alpha::ADD);
        canvas.depth(Depth::Ignored);
        self.pier.draw_reflections(canvas, &camera, &self.glow);
        self.sign.draw_reflection(canvas, &camera, seconds);
        self.pier.draw_works(canvas, &camera);
        self.ring.draw(canvas, &camera, self.pier.lamps(), seconds);
        canvas.blend(Alpha::ADD);
        canvas.depth(Depth::Tested);
        self.pier.draw_glows(canvas, &camera, &self.glow, seconds);
        shore::draw_moths(canvas, &camera, seconds);
        self.sign.draw(canvas, &camera, &self.glow, seconds);
        canvas.blend(Alpha::OVER);
        canvas.depth(Depth::Ignored);
        vignette(canvas);
    }

    fn draw_text(&self, canvas: &mut Canvas, seconds: f32, info: &Info) {
        let mut line = heapless::String::<64>::new();
        // A line that does not fit is cut, which is all that can be done with it.
        let _ =
            core::fmt::write(&mut line, format_args!("{}   FRAME {:06}   LATE {}", info.mode, info.frame, info.missed));
        self.face.draw_centred(canvas, &line, 320.0, 406.0, 0.82, colour::tint(rgb(150, 158, 190), 1.0));
        let breath = 0.86 + 0.14 * sine(seconds * 0.25);
        let words = colour::tint(rgb(255, 226, 178) * breath, 1.0);
        self.face.draw_centred(canvas, "A SUMMER NIGHT BY THE SEA", 320.0, 160.0, 1.0, words);
    }
}

/// The eye drifts a little, as a person's does who stands and looks.
fn camera_at(seconds: f32) -> Camera {
    let eye = Vec3::new(0.22 * sine(seconds * 0.045), 0.0, EYE_HEIGHT + 0.03 * sine(seconds * 0.11));
    Camera::new(eye, 0.008 * sine(seconds * 0.037), FOCAL, HORIZON)
}

/// A veil over the horizon that melts sea, sky and what stands far out.
fn haze(canvas: &mut Canvas, glow: &Texture, seconds: f32) {
    const ABOVE: f32 = 46.0;
    const BELOW: f32 = 30.0;
    const BANKS: usize = 9;
    let (clear, thick) = (colour::with_alpha(HAZE, 0.0), colour::with_alpha(HAZE * 1.25, 0.62));
    canvas.vertical_gradient(Rect::new(0.0, HORIZON - ABOVE, 640.0, HORIZON), clear, thick);
    canvas.vertical_gradient(Rect::new(0.0, HORIZON, 640.0, HORIZON + BELOW), thick, clear);
    // Banks of fog that drift along the horizon.
    canvas.texture(glow);
    for bank in 0..BANKS {
        let own = bank as f32 / BANKS as f32;
        let x = 320.0 + 400.0 * sine(own * 2.3 + seconds * 0.004 * (1.0 + own));
        let y = HORIZON - 6.0 + 14.0 * sine(own * 5.0);
        let at = Projected { x, y, distance: 1.0, scale: 1.0, depth: 0 };
        glow::draw_oval(canvas, &at, 190.0, 17.0 + 9.0 * own, HAZE, 0.5);
    }
}

/// Darker corners hold the eye in the picture.
fn vignette(canvas: &mut Canvas) {
    let shadow = rgb(4, 4, 14);
    let (clear, dark) = (colour::with_alpha(shadow, 0.0), colour::with_alpha(shadow, 0.62));
    canvas.gradient(Rect::new(0.0, 0.0, 150.0, 448.0), [dark, clear, dark, clear]);
    canvas.gradient(Rect::new(490.0, 0.0, 640.0, 448.0), [clear, dark, clear, dark]);
    canvas.vertical_gradient(Rect::new(0.0, 340.0, 640.0, 448.0), clear, colour::with_alpha(shadow, 0.72));
}
