//! The self-test's screen: a line for each group, what runs at the moment, and at last the code.

use crate::crash::short_code::MOST_TEXT;
use crate::ee::display::Display;
use crate::ee::gif::Packet;
use crate::graphics::canvas::{Canvas, Rect};
use crate::graphics::colour::{self, rgb};
use crate::graphics::draw_target::{Atlas, AtlasPictures, Paint, Surface};
use crate::graphics::text::Lettering;
use crate::graphics::texture::TextureMemory;
use crate::maths::Vec3;
use crate::pads::button::Buttons;
use crate::pads::{PORTS, Reading};
use crate::selftest::results::LINE;
use crate::selftest::{Group, Results, Verdict};
use core::fmt::Write as _;
use embedded_graphics::Drawable as _;
use embedded_graphics::geometry::Point;
use embedded_graphics::text::{Baseline, Text};
use heapless::String;

/// Where the text begins, inside of the title-safe area.
const LEFT: i32 = 40;
const TOP: i32 = 30;
/// Sixteenths of the full size that lines have, and their distance.
const SMALL: u32 = 11;
const ROW: i32 = 16;
/// Groups of five letters, each with its blank, in a row of the code.
const GROUPS_IN_A_ROW: usize = 7;
const BACKGROUND: Vec3 = rgb(16, 24, 40);
const HEADING: Vec3 = rgb(255, 240, 214);
const QUIET: Vec3 = rgb(150, 160, 180);
const NOTE: Vec3 = rgb(255, 190, 110);
const CODE: Vec3 = rgb(255, 214, 120);
const DOWN: Vec3 = rgb(255, 120, 96);
const SEEN: Vec3 = rgb(96, 196, 130);

/// A verdict's colour.
const fn colour_of(verdict: Verdict) -> Vec3 {
    match verdict {
        Verdict::Absent => QUIET,
        Verdict::Pass => SEEN,
        Verdict::Difference => NOTE,
        Verdict::Fail => DOWN,
    }
}

/// The screen.
pub struct Board {
    atlas: Atlas,
    /// What runs at the moment.
    pub note: &'static str,
    /// The code of the last page.
    pub code: Option<String<MOST_TEXT>>,
}

impl Board {
    /// Brings the letters to the GS.
    ///
    /// # Errors
    /// They do not fit.
    pub fn open(display: &mut Display) -> Result<Self, &'static str> {
        let pictures = AtlasPictures::new();
        let atlas = Atlas::new(&mut TextureMemory::default(), &pictures).map_err(|_| "the letters do not fit")?;
        display.settle(0);
        display.send_and_wait(|packet| atlas.upload(packet, &pictures));
        Ok(Self { atlas, note: "", code: None })
    }

    /// Shows the results so far.
    pub fn show(&mut self, display: &mut Display, results: &Results) {
        display.frame(|packet, frame| {
            self.draw(packet, frame, results, |_| {});
        });
    }

    /// The same with both controllers as they are, and the buttons of each that were seen.
    pub fn show_pads(
        &mut self,
        display: &mut Display,
        results: &Results,
        readings: &[Option<Reading>; PORTS],
        seen: [Buttons; PORTS],
    ) {
        display.frame(|packet, frame| {
            self.draw(packet, frame, results, |surface| {
                for (port, (reading, seen)) in readings.iter().zip(seen).enumerate() {
                    draw_pad(surface, port, reading.as_ref(), seen);
                }
            });
        });
    }

    fn draw(
        &self,
        packet: &mut Packet<'_>,
        frame: u32,
        results: &Results,
        more: impl FnOnce(&mut Surface<'_, '_, '_>),
    ) {
        let mut canvas = Canvas::begin(packet, frame);
        canvas.rect(Rect::PICTURE, colour::vertex(BACKGROUND));
        let mut surface = Surface::new(&mut canvas, &self.atlas);
        let mut y = TOP;
        let mut heading = String::<LINE>::new();
        let _cut = write!(heading, "BOARDWALK {} SELF-TEST {:04X}", env!("CARGO_PKG_VERSION"), results.build);
        write_at(&mut surface, LEFT, y, &heading, Lettering::new(HEADING));
        y += 26;
        for group in Group::ALL {
            let verdict = results.of(group).verdict;
            write_at(&mut surface, LEFT, y, &results.line(group), Lettering::new(colour_of(verdict)).sized(SMALL));
            y += ROW;
        }
        y += 6;
        if let Some(code) = &self.code {
            let told = "photograph this page or send its code; START ends";
            write_at(&mut surface, LEFT, y, told, Lettering::new(QUIET).sized(SMALL));
            y += 22;
            let mut rest = code.as_str();
            while !rest.is_empty() {
                let (row, behind) = rest.split_at_checked(GROUPS_IN_A_ROW * 6).unwrap_or((rest, ""));
                write_at(&mut surface, LEFT, y, row, Lettering::new(CODE));
                y += 24;
                rest = behind;
            }
        } else {
            write_at(&mut surface, LEFT, y, self.note, Lettering::new(NOTE));
        }
        more(&mut surface);
    }
}

fn write_at(surface: &mut Surface<'_, '_, '_>, x: i32, y: i32, text: &str, style: Lettering) {
    let Ok(_end) = Text::with_baseline(text, Point::new(x, y), style, Baseline::Top).draw(surface);
}

/// A controller: a field for each button, lit while it is down and marked once it was seen, and both sticks.
fn draw_pad(surface: &mut Surface<'_, '_, '_>, port: usize, reading: Option<&Reading>, seen: Buttons) {
    const FIELD: f32 = 14.0;
    const STEP: f32 = 18.0;
    const STICK: f32 = 22.0;
    let (left, top) = (LEFT as f32 + 290.0 * port as f32, 318.0);
    let buttons = reading.map_or(0, |reading| reading.buttons);
    for bit in 0..Buttons::BITS {
        let (x, y) = (left + (bit % 8) as f32 * STEP, top + (bit / 8) as f32 * STEP);
        let light = match (buttons >> bit & 1, seen >> bit & 1) {
            (1, _) => DOWN,
            (_, 1) => SEEN,
            _ => QUIET,
        };
        surface.fill(Rect::new(x, y, x + FIELD, y + FIELD), Paint::light(light, 1.0));
    }
    let sticks = reading.map(|reading| [reading.left, reading.right]).unwrap_or_default();
    for (index, stick) in sticks.into_iter().enumerate() {
        let (x, y) = (left + 180.0 + index as f32 * 60.0, top + 16.0);
        surface.fill(Rect::around(x, y, STICK, STICK), Paint::light(QUIET, 0.4));
        let at = Rect::around(x + stick.x * STICK, y - stick.y * STICK, 4.0, 4.0);
        surface.fill(at, Paint::light(if reading.is_some() { NOTE } else { QUIET }, 1.0));
    }
    let mut label = String::<24>::new();
    let _cut = write!(label, "port {} {}", port + 1, if reading.is_some() { "" } else { "empty" });
    write_at(surface, left as i32, top as i32 + 44, &label, Lettering::new(QUIET).sized(SMALL));
}
