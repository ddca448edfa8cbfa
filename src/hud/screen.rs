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
use embedded_graphics::text::renderer::TextRenderer as _;
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};

/// The title-safe area, in pixels.
const SAFE: Rect = Rect::new(40.0, 30.0, 600.0, 418.0);
/// Lines that a half keeps from the line between the halves.
const BETWEEN: f32 = 10.0;
/// The line between the halves.
const MIDDLE: f32 = 224.0;
/// The bars: width and height, and from one to the next.
const BAR: (f32, f32) = (168.0, 13.0);
const BAR_STEP: f32 = 17.0;
/// The share of the first bar's width that the other two have.
const SLIM: f32 = 0.78;
/// Size of a bar's name in it and of what stands at a mark, in sixteenths, and where the name begins.
const SMALL: u32 = 10;
const NAME_AT: (f32, f32) = (5.0, 1.0);
/// Pixels of the dark edge around a bar.
const EDGE: f32 = 2.0;
/// The bars' colours: health, stamina, a charge.
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
/// Half of a mark, in pixels, and of the mark of whom to catch.
const MARK: f32 = 7.0;
const PREY_MARK: f32 = 12.0;
const PREY: Vec3 = rgb(255, 120, 230);
/// Lines from one row of a caption to the next, and from the foot of the area.
const CAPTION_STEP: i32 = 22;
/// Lines from the head of the area to the first row of what is said and hinted at: under bars, task and clock, over the
/// player's head, whom words at the foot would cover.
const WORDS_FROM: i32 = 52;
/// What is behind a row of letters: how dark, and pixels beside and over them.
const PLATE: f32 = 0.55;
const PLATE_MARGIN: (f32, f32) = (6.0, 1.0);
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
            self.draw_target(surface, target, &safe);
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
        for (index, ((bar, name), colour)) in self.bars.iter().zip(&self.bar_names).zip(COLOURS).enumerate() {
            let presence = self.presence * if index == 2 { self.charge_presence } else { 1.0 };
            if presence <= 0.0 {
                continue;
            }
            let width = if index == 0 { BAR.0 } else { BAR.0 * SLIM };
            let beats = index == 0 && bar.value <= LOW;
            let beat = if beats { 0.7 + 0.3 * sine(self.seconds * 2.0) } else { 1.0 };
            draw_bar(surface, Rect::new(left, y, left + width, y + BAR.1), bar, colour * beat, presence);
            let at = Point::new((left + NAME_AT.0) as i32, (y + NAME_AT.1) as i32);
            write(surface, name, at, Lettering::new(WORDS).sized(SMALL).faded(presence), Alignment::Left);
            y += BAR_STEP;
        }
    }

    fn draw_task(&self, surface: &mut Surface<'_, '_, '_>, safe: &Rect) {
        let style = |colour| Lettering::new(colour).faded(self.presence);
        let mut right = safe.x1 as i32;
        on_plate(surface, &self.task, Point::new(right, safe.y0 as i32), style(WORDS), Alignment::Right);
        let row = safe.y0 as i32 + CAPTION_STEP;
        if let Some(left) = self.seconds_left {
            let mut text = heapless::String::<24>::new();
            let colour = if left <= HURRY_SECONDS { HURRY } else { WORDS };
            // A time that is cut short is still one.
            let _cut = core::fmt::write(&mut text, format_args!("{}:{:02}", left / 60, left % 60));
            on_plate(surface, &text, Point::new(right, row), style(colour), Alignment::Right);
            right -= style(colour).width(&text) as i32 + CAPTION_STEP;
        }
        on_plate(surface, &self.money, Point::new(right, row), style(COLOURS[2]), Alignment::Right);
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

    /// What is said, what is to be done and what a button does, row under row.
    fn draw_words(&self, surface: &mut Surface<'_, '_, '_>, safe: &Rect) {
        let is_called = self.caption_kind == CaptionKind::CALLED;
        let is_said = self.caption_presence > 0.0 && !is_called;
        let said = if is_said { captions::rows(&self.caption) } else { Default::default() };
        let rows = said.len() as i32 + i32::from(!self.speaker.is_empty());
        let from =
            if is_said && self.staged { safe.y1 as i32 - CAPTION_STEP * rows } else { safe.y0 as i32 + WORDS_FROM };
        let mut at = Point::new((safe.x0 + safe.x1) as i32 / 2, from);
        let mut row = |words: &str, colour, presence| {
            on_plate(surface, words, at, Lettering::new(colour).faded(presence), Alignment::Center);
            at.y += CAPTION_STEP;
        };
        if is_said {
            if !self.speaker.is_empty() {
                row(&self.speaker, SPEAKER, self.caption_presence);
            }
            said.iter().for_each(|words| row(words, WORDS, self.caption_presence));
        }
        if self.reminder_presence > 0.0 {
            row(&self.reminder, COLOURS[2], self.reminder_presence);
        }
        if self.hint_presence > 0.0 {
            row(&self.hint, SPEAKER, self.hint_presence);
        }
        if is_called {
            self.draw_called(surface, safe);
        }
    }

    fn draw_target(&self, surface: &mut Surface<'_, '_, '_>, target: &Target, safe: &Rect) {
        let (x, y, side) = place(target, safe);
        let (light, half) = match target.kind {
            TargetKind::Foe => (COLOURS[0], MARK),
            TargetKind::Friend => (COLOURS[1], MARK),
            TargetKind::Goal => (COLOURS[2], MARK),
            TargetKind::Prey => (PREY, PREY_MARK),
        };
        if let Some(health) = target.health {
            let bar = Rect::around(x, y, TARGET_BAR.0 * 0.5, TARGET_BAR.1 * 0.5);
            let value = health.clamp(0.0, 1.0);
            draw_bar(surface, bar, &Bar { value, trail: value, wait: 0.0 }, light, 1.0);
        }
        // A chevron over it, or at the edge one that points out of the picture.
        let tip = (x, y - 8.0);
        chevron(surface, tip, half, side, light);
        if let TargetKind::Goal | TargetKind::Prey = target.kind {
            let mut words = heapless::String::<24>::new();
            let name = if target.kind == TargetKind::Prey { self.prey.as_str() } else { "" };
            let gap = if name.is_empty() { "" } else { " " };
            // A distance of so many digits is nowhere in a level.
            let _cut = core::fmt::write(&mut words, format_args!("{name}{gap}{} M", target.distance as u32));
            let style = Lettering::new(light).sized(SMALL + 2);
            let width = style.width(&words) as f32 * 0.5;
            let middle = x.clamp(safe.x0 + width, safe.x1 - width);
            let up = tip.1 - half - style.advance() as f32 * 2.2;
            on_plate(surface, &words, Point::new(middle as i32, up as i32), style, Alignment::Center);
        }
    }
}

fn write(surface: &mut Surface<'_, '_, '_>, text: &str, at: Point, style: Lettering, alignment: Alignment) {
    let layout = TextStyleBuilder::new().alignment(alignment).baseline(Baseline::Top).build();
    // Drawing on the surface cannot fail.
    let Ok(_next) = Text::with_text_style(text, at, style, layout).draw(surface);
}

/// A row of letters on a dark plate: it reads before neon, too.
fn on_plate(surface: &mut Surface<'_, '_, '_>, text: &str, at: Point, style: Lettering, alignment: Alignment) {
    if text.is_empty() {
        return;
    }
    surface
        .fill(plate(text, at, style, alignment), Paint::Colour(colour::with_alpha(EDGE_COLOUR, PLATE * style.alpha())));
    write(surface, text, at, style, alignment);
}

/// Where the plate behind a row is.
fn plate(text: &str, at: Point, style: Lettering, alignment: Alignment) -> Rect {
    let width = style.width(text) as f32;
    let x = at.x as f32
        - match alignment {
            Alignment::Left => 0.0,
            Alignment::Center => width * 0.5,
            Alignment::Right => width,
        };
    let (y, height) = (at.y as f32, style.line_height() as f32);
    let (beside, over) = PLATE_MARGIN;
    Rect::new(x - beside, y - over, x + width + beside, y + height + over)
}

/// Two strokes with a dark edge that meet at `tip`: it points down, or to a `side` of -1 or 1.
fn chevron(surface: &mut Surface<'_, '_, '_>, tip: (f32, f32), half: f32, side: f32, light: Vec3) {
    let dark: Rgbaq = colour::with_alpha(EDGE_COLOUR, 0.8);
    let bright: Rgbaq = colour::with_alpha(light, 1.0);
    for (drop, stroke) in [(-2.0, dark), (2.0, dark), (-1.0, bright), (0.0, bright), (1.0, bright)] {
        for arm in [-half, half] {
            if side == 0.0 {
                surface.line((tip.0 + arm, tip.1 - half + drop), (tip.0, tip.1 + drop), stroke);
            } else {
                let back = tip.0 - side * half + drop;
                surface.line((back, tip.1 + arm), (tip.0 + drop, tip.1), stroke);
            }
        }
    }
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

/// Where a target's mark goes: over it, or at the picture's edge on its side, -1 or 1, to which it then points.
fn place(target: &Target, safe: &Rect) -> (f32, f32, f32) {
    const INSET: f32 = 14.0;
    // Shares of the part that the bars above and the words below have.
    const ABOVE: f32 = 60.0 / 388.0;
    const BELOW: f32 = 80.0 / 388.0;
    let (left, right, height) = (safe.x0 + INSET, safe.x1 - INSET, safe.y1 - safe.y0);
    if Camera::sees(&target.at, 0.0) {
        let y = target.at.y.clamp(safe.y0 + height * ABOVE, safe.y1 - height * BELOW);
        return (target.at.x.clamp(left, right), y, 0.0);
    }
    let (side, ahead) = scalar::sin_cos(target.bearing);
    let middle = (safe.y0 + safe.y1) * 0.5;
    // What lies behind is marked lower.
    let (x, side) = if side < 0.0 { (left, -1.0) } else { (right, 1.0) };
    (x, middle - ahead * height * ABOVE, side)
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
        assert_eq!(place(&target(seen, 0.0), &SAFE), (300.0, 200.0, 0.0));
        let corner = Projected { x: 1.0, y: 1.0, ..seen };
        let (x, y, _) = place(&target(corner, 0.0), &SAFE);
        assert!(x >= SAFE.x0 && y >= SAFE.y0, "{x} {y}");
    }

    #[test]
    fn a_plate_is_behind_the_whole_row_whatever_it_is_aligned_to() {
        let (style, at) = (Lettering::new(WORDS), Point::new(300, 100));
        let of = |alignment| plate("FOUR", at, style, alignment);
        for (alignment, from) in [(Alignment::Left, 300.0), (Alignment::Center, 278.0), (Alignment::Right, 256.0)] {
            let plate = of(alignment);
            assert!(plate.x0 < from && plate.x1 > from + 44.0 && plate.x1 - plate.x0 < 60.0, "{plate:?}");
            assert!(plate.y0 < 100.0 && plate.y1 <= 100.0 + CAPTION_STEP as f32, "the next row has its own");
        }
    }

    #[test]
    fn words_stand_over_the_player_s_head_and_never_on_another_row() {
        // As far as a follow camera's picture goes: a head's top is lower than this.
        const HEAD: i32 = 142;
        let rows = captions::ROWS as i32 + 1;
        let from = SAFE.y0 as i32 + WORDS_FROM;
        assert!(from >= SAFE.y0 as i32 + 2 * CAPTION_STEP && from >= (SAFE.y0 + 3.0 * BAR_STEP) as i32);
        assert!(from + rows * CAPTION_STEP <= HEAD + CAPTION_STEP / 2);
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
        let sides = [2.5, -2.5].map(|bearing| place(&target(hidden, bearing), &SAFE));
        assert!(sides[0].0 > 500.0 && sides[0].2 == 1.0, "right, and points there");
        assert!(sides[1].0 < 140.0 && sides[1].2 == -1.0, "left, and points there");
        assert!(
            place(&target(hidden, 2.9), &SAFE).1 > place(&target(hidden, 1.0), &SAFE).1,
            "behind is lower than beside"
        );
    }
}
