//! The HUD on a surface.

use super::captions::{self, CaptionKind};
use super::{Bar, Hud, LOW, Target, TargetKind};
use crate::ee::gs::general::Rgbaq;
use crate::graphics::camera::Camera;
use crate::graphics::canvas::Rect;
use crate::graphics::colour::{self, rgb};
use crate::graphics::draw_target::{Paint, Surface};
use crate::graphics::text::Lettering;
use crate::graphics::wave::sine;
use crate::maths::{Vec3, scalar};
use embedded_graphics::Drawable as _;
use embedded_graphics::geometry::Point;
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};

/// The title-safe area, in pixels.
const SAFE: Rect = Rect::new(40.0, 30.0, 600.0, 418.0);
/// Lines that a half keeps from the line between the halves.
const BETWEEN: f32 = 10.0;
/// The line between the halves.
const MIDDLE: f32 = 224.0;
/// The bars: width and height of the first, and from one to the next.
const BAR: (f32, f32) = (168.0, 12.0);
const BAR_STEP: f32 = 17.0;
/// Shares of the first bar's width and height that the other two have.
const SLIM: (f32, f32) = (0.78, 0.6);
/// Pixels of the dark edge around a bar.
const EDGE: f32 = 2.0;
/// The bars' colours: health, stamina, power.
const COLOURS: [Vec3; 3] = [rgb(226, 74, 70), rgb(88, 190, 150), rgb(240, 186, 84)];
const EDGE_COLOUR: Vec3 = rgb(6, 6, 18);
const TRAIL: Vec3 = rgb(255, 236, 220);
const WORDS: Vec3 = rgb(255, 240, 214);
const SPEAKER: Vec3 = rgb(255, 190, 110);
const HURRY: Vec3 = rgb(255, 96, 84);
/// Seconds left from which the clock hurries.
const HURRY_SECONDS: u32 = 15;
/// A target's health bar.
const TARGET_BAR: (f32, f32) = (44.0, 5.0);
/// Half of a mark, in pixels.
const MARK: f32 = 7.0;
/// Lines from one row of a caption to the next, and from the foot of the area.
const CAPTION_STEP: i32 = 22;
/// Size of what is called out, in sixteenths, its lines, and its colour. Source: seed 003, Timers (1.2 times, 0xff1a1a86 of 0x80).
const CALLED_SIZE: u32 = 19;
const CALLED_STEP: i32 = 26;
const CALLED: Vec3 = Vec3::new(1.0, 0.2, 0.2);

/// The part of the picture that is a player's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Area {
    /// All of it.
    #[default]
    Whole,
    /// The first player's half.
    Upper,
    /// The second player's half.
    Lower,
}

impl Area {
    /// The part of one of so many players.
    pub const fn of(player: usize, players: usize) -> Self {
        match (player, players) {
            (_, 0 | 1) => Self::Whole,
            (0, _) => Self::Upper,
            _ => Self::Lower,
        }
    }

    /// What of it is safe for words.
    const fn safe(self) -> Rect {
        match self {
            Self::Whole => SAFE,
            Self::Upper => Rect { y1: MIDDLE - BETWEEN, ..SAFE },
            Self::Lower => Rect { y0: MIDDLE + BETWEEN, ..SAFE },
        }
    }
}

impl Hud {
    /// Draws everything over a player's part of the world.
    pub fn draw(&self, surface: &mut Surface<'_, '_, '_>, area: Area) {
        let safe = area.safe();
        for target in &self.targets {
            draw_target(surface, target, &safe);
        }
        if self.presence > 0.0 {
            self.draw_bars(surface, &safe);
            self.draw_task(surface, &safe);
        }
        self.draw_words(surface, &safe);
    }

    fn draw_bars(&self, surface: &mut Surface<'_, '_, '_>, safe: &Rect) {
        // They come in from the left.
        let left = safe.x0 - (1.0 - self.presence) * (BAR.0 + safe.x0);
        let mut y = safe.y0;
        for (index, (bar, colour)) in self.bars.iter().zip(COLOURS).enumerate() {
            let (width, height) = if index == 0 { BAR } else { (BAR.0 * SLIM.0, BAR.1 * SLIM.1) };
            let beats = index == 0 && bar.value <= LOW;
            let beat = if beats { 0.7 + 0.3 * sine(self.seconds * 2.0) } else { 1.0 };
            draw_bar(surface, Rect::new(left, y, left + width, y + height), bar, colour * beat, self.presence);
            y += if index == 0 { BAR_STEP } else { BAR_STEP * SLIM.1 + EDGE };
        }
    }

    fn draw_task(&self, surface: &mut Surface<'_, '_, '_>, safe: &Rect) {
        let style = Lettering::new(WORDS).faded(self.presence);
        let right = safe.x1 as i32;
        write(surface, &self.task, Point::new(right, safe.y0 as i32), style, Alignment::Right);
        let mut text = heapless::String::<24>::new();
        let mut row = safe.y0 as i32 + CAPTION_STEP;
        if let Some(left) = self.seconds_left {
            let colour = if left <= HURRY_SECONDS { HURRY } else { WORDS };
            // A time that is cut short is still one.
            let _cut = core::fmt::write(&mut text, format_args!("{}:{:02}", left / 60, left % 60));
            write(
                surface,
                &text,
                Point::new(right, row),
                Lettering::new(colour).faded(self.presence),
                Alignment::Right,
            );
            row += CAPTION_STEP;
        }
        if self.money != 0 {
            text.clear();
            let _cut = core::fmt::write(&mut text, format_args!("${}", self.money));
            let style = Lettering::new(COLOURS[2]).faded(self.presence);
            write(surface, &text, Point::new(right, row), style, Alignment::Right);
        }
    }

    /// What is called out, in the middle of the part.
    fn draw_called(&self, surface: &mut Surface<'_, '_, '_>, safe: &Rect) {
        let middle = (safe.x0 + safe.x1) as i32 / 2;
        let rows = captions::rows(&self.caption);
        let mut y = (safe.y0 + safe.y1) as i32 / 2 - CALLED_STEP * rows.len() as i32 / 2;
        let style = Lettering::new(CALLED).sized(CALLED_SIZE).faded(self.caption_presence);
        for row in rows {
            write(surface, row, Point::new(middle, y), style, Alignment::Center);
            y += CALLED_STEP;
        }
    }

    fn draw_words(&self, surface: &mut Surface<'_, '_, '_>, safe: &Rect) {
        let middle = (safe.x0 + safe.x1) as i32 / 2;
        let is_called = self.caption_kind == CaptionKind::CALLED;
        let rows = if is_called { Default::default() } else { captions::rows(&self.caption) };
        let mut y = safe.y1 as i32 - CAPTION_STEP * rows.len() as i32;
        if is_called {
            self.draw_called(surface, safe);
        }
        if self.hint_presence > 0.0 {
            let style = Lettering::new(SPEAKER).faded(self.hint_presence);
            write(surface, &self.hint, Point::new(middle, y - 2 * CAPTION_STEP), style, Alignment::Center);
        }
        if self.caption_presence <= 0.0 || is_called {
            return;
        }
        if !self.speaker.is_empty() {
            let style = Lettering::new(SPEAKER).faded(self.caption_presence);
            write(surface, &self.speaker, Point::new(middle, y - CAPTION_STEP), style, Alignment::Center);
        }
        let style = Lettering::new(WORDS).faded(self.caption_presence);
        for row in rows {
            write(surface, row, Point::new(middle, y), style, Alignment::Center);
            y += CAPTION_STEP;
        }
    }
}

fn write(surface: &mut Surface<'_, '_, '_>, text: &str, at: Point, style: Lettering, alignment: Alignment) {
    let layout = TextStyleBuilder::new().alignment(alignment).baseline(Baseline::Top).build();
    // Drawing on the surface cannot fail.
    let Ok(_next) = Text::with_text_style(text, at, style, layout).draw(surface);
}

fn draw_bar(surface: &mut Surface<'_, '_, '_>, place: Rect, bar: &Bar, light: Vec3, presence: f32) {
    let width = place.x1 - place.x0;
    let paint = |light: Vec3, alpha: f32| Paint::Colour(colour::with_alpha(light, alpha * presence));
    let edge = Rect::new(place.x0 - EDGE, place.y0 - EDGE, place.x1 + EDGE, place.y1 + EDGE);
    surface.fill(edge, paint(EDGE_COLOUR, 0.7));
    surface.fill(Rect { x1: place.x0 + width * bar.trail, ..place }, paint(TRAIL, 0.7));
    surface.fill(Rect { x1: place.x0 + width * bar.value, ..place }, paint(light, 1.0));
    // A light upper half makes a round thing of it.
    let half = (place.y0 + place.y1) * 0.5;
    surface.fill(Rect { x1: place.x0 + width * bar.value, y1: half, ..place }, paint(Vec3::splat(1.0), 0.16));
}

/// Where a target's mark goes: over it, or at the picture's edge on its side.
fn place(target: &Target, safe: &Rect) -> (f32, f32) {
    const INSET: f32 = 14.0;
    // Shares of the part that the bars above and the words below have.
    const ABOVE: f32 = 60.0 / 388.0;
    const BELOW: f32 = 80.0 / 388.0;
    let (left, right, height) = (safe.x0 + INSET, safe.x1 - INSET, safe.y1 - safe.y0);
    if Camera::sees(&target.at, 0.0) {
        let y = target.at.y.clamp(safe.y0 + height * ABOVE, safe.y1 - height * BELOW);
        return (target.at.x.clamp(left, right), y);
    }
    let (side, ahead) = scalar::sin_cos(target.bearing);
    let middle = (safe.y0 + safe.y1) * 0.5;
    // What lies behind is marked lower.
    (if side < 0.0 { left } else { right }, middle - ahead * height * ABOVE)
}

fn draw_target(surface: &mut Surface<'_, '_, '_>, target: &Target, safe: &Rect) {
    let (x, y) = place(target, safe);
    let light = match target.kind {
        TargetKind::Foe => COLOURS[0],
        TargetKind::Friend => COLOURS[1],
        TargetKind::Goal => COLOURS[2],
    };
    if let Some(health) = target.health {
        let bar = Rect::around(x, y, TARGET_BAR.0 * 0.5, TARGET_BAR.1 * 0.5);
        let value = health.clamp(0.0, 1.0);
        draw_bar(surface, bar, &Bar { value, trail: value, wait: 0.0 }, light, 1.0);
    }
    // A chevron over it, of two strokes with a dark edge.
    let tip = (x, y - 8.0);
    let dark: Rgbaq = colour::with_alpha(EDGE_COLOUR, 0.8);
    let bright: Rgbaq = colour::with_alpha(light, 1.0);
    for (drop, stroke) in [(-2.0, dark), (2.0, dark), (-1.0, bright), (0.0, bright), (1.0, bright)] {
        for side in [-1.0, 1.0] {
            surface.line((tip.0 + side * MARK, tip.1 - MARK + drop), (tip.0, tip.1 + drop), stroke);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphics::camera::Projected;

    fn target(at: Projected, bearing: f32) -> Target {
        Target { kind: TargetKind::Goal, at, bearing, health: None, distance: 10.0 }
    }

    #[test]
    fn what_is_in_the_picture_is_marked_there_and_inside_the_safe_area() {
        let seen = Projected { x: 300.0, y: 200.0, distance: 5.0, scale: 100.0, depth: 1 };
        assert_eq!(place(&target(seen, 0.0), &SAFE), (300.0, 200.0));
        let corner = Projected { x: 1.0, y: 1.0, ..seen };
        let (x, y) = place(&target(corner, 0.0), &SAFE);
        assert!(x >= SAFE.x0 && y >= SAFE.y0, "{x} {y}");
    }

    #[test]
    fn a_half_keeps_its_marks_and_words_to_itself() {
        let [upper, lower] = [0, 1].map(|player| Area::of(player, 2).safe());
        assert!(upper.y1 < MIDDLE && lower.y0 > MIDDLE && Area::of(0, 1).safe() == SAFE);
        let low = Projected { x: 300.0, y: 440.0, distance: 5.0, scale: 100.0, depth: 1 };
        assert!(place(&target(low, 0.0), &upper).1 < upper.y1);
        assert!(place(&target(Projected::default(), 2.5), &lower).1 > lower.y0);
    }

    #[test]
    fn what_is_behind_is_marked_at_the_edge_of_its_side() {
        let hidden = Projected::default();
        assert!(place(&target(hidden, 2.5), &SAFE).0 > 500.0, "right");
        assert!(place(&target(hidden, -2.5), &SAFE).0 < 140.0, "left");
        assert!(
            place(&target(hidden, 2.9), &SAFE).1 > place(&target(hidden, 1.0), &SAFE).1,
            "behind is lower than beside"
        );
    }
}
