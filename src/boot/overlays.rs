//! Shows every page of the overlay over its own scene, one after the other, then the HUD, and says what each cost.
//!
//! Run by the program's argument `overlays`, or `overlays=NAME` for one page. A page stays for a while after its line, for
//! whoever takes its picture.

use crate::ee::cop0;
use crate::ee::display::Display;
use crate::ee::gs::general::Rgbaq;
use crate::graphics::camera::Camera;
use crate::graphics::canvas::{Canvas, Rect};
use crate::graphics::draw_target::{Atlas, AtlasPictures, Surface};
use crate::graphics::texture::TextureMemory;
use crate::hud::demo;
use crate::hud::{Area, Hud};
use crate::overlay::Page;
use crate::overlay::demo::Demo;
use crate::tty_println;
use alloc::boxed::Box;

/// The name under which the HUD is shown.
const HUD: &str = "hud";
/// Frames of a page before its line, so that both frame buffers hold it, and after.
const FRAMES: (u32, u32) = (6, 40);
/// What lies behind the page.
const GROUND: Rgbaq = Rgbaq::new(0x24, 0x2A, 0x44, 0x80);

/// Shows every page, or the one called `only`.
///
/// # Errors
/// What is missing, in a few words.
#[inline(never)]
pub fn run(display: &mut Display, only: Option<&str>) -> Result<(), &'static str> {
    let atlas = open_atlas(display)?;
    let demo = Box::new(Demo::new().ok_or("no room for the scene")?);
    let mut shown = 0;
    for page in Page::ALL.into_iter().filter(|page| only.is_none_or(|only| only == page.name())) {
        show(display, &atlas, &demo, page);
        shown += 1;
    }
    if only.is_none_or(|only| only == HUD) {
        show_hud(display, &atlas);
        shown += 1;
    }
    if shown == 0 { Err("no page of that name") } else { Ok(()) }
}

/// Brings the letters and frames to the GS.
#[inline(never)]
fn open_atlas(display: &mut Display) -> Result<Atlas, &'static str> {
    let pictures = AtlasPictures::new();
    let atlas =
        Atlas::new(&mut TextureMemory::default(), &pictures).map_err(|_| "the overlay's pictures do not fit")?;
    display.send_and_wait(|packet| atlas.upload(packet, &pictures));
    Ok(atlas)
}

#[inline(never)]
fn show(display: &mut Display, atlas: &Atlas, demo: &Demo, page: Page) {
    let mut overlay = demo.overlay(page);
    let subjects = demo.subjects();
    // Opened again, it is written anew in the next look, as in every sixth frame of a game.
    overlay.open(page);
    let begin = cop0::count();
    overlay.look(&subjects);
    let write = cop0::count().wrapping_sub(begin);
    let (mut draw, mut quads) = (0, 0);
    for frame in 0..FRAMES.0 + FRAMES.1 {
        if frame == FRAMES.0 {
            tty_println!("OVERLAY {} write {write} draw {draw} quads {quads}", page.name());
        }
        display.frame(|packet, buffer| {
            let mut canvas = Canvas::begin(packet, buffer);
            canvas.rect(Rect::PICTURE, GROUND);
            let before = packet.used();
            let mut canvas = Canvas::resume(packet);
            let begin = cop0::count();
            if let Some((feet, heading)) = subjects.player {
                let eye = feet + crate::maths::Vec3::new(0.0, -6.0, 2.2);
                let camera = Camera::new(eye, heading, 500.0, 206.0);
                overlay.draw_world(&mut canvas, &camera, &subjects);
            }
            overlay.draw(&mut Surface::new(&mut canvas, atlas));
            draw = cop0::count().wrapping_sub(begin);
            quads = packet.used() - before;
        });
    }
}

/// The HUD with all that it can show.
fn show_hud(display: &mut Display, atlas: &Atlas) {
    let mut hud = Hud::default();
    let (mut draw, mut quads) = (0, 0);
    for frame in 0..FRAMES.0 + FRAMES.1 {
        // It moves until its line, then stands for its picture.
        if frame < FRAMES.0 {
            demo::step(&mut hud);
        } else if frame == FRAMES.0 {
            tty_println!("OVERLAY {HUD} write 0 draw {draw} quads {quads}");
        }
        display.frame(|packet, buffer| {
            let mut canvas = Canvas::begin(packet, buffer);
            canvas.rect(Rect::PICTURE, GROUND);
            let before = packet.used();
            let begin = cop0::count();
            hud.draw(&mut Surface::new(&mut Canvas::resume(packet), atlas), Area::Whole);
            draw = cop0::count().wrapping_sub(begin);
            quads = packet.used() - before;
        });
    }
}
