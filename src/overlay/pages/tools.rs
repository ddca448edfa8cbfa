//! What is drawn in the world, and the tools.

use super::{Choice, Layer, Look};
use crate::overlay::number::Fixed;
use crate::overlay::sheet::{Ink, Sheet};
use crate::overlay::tools::SPEEDS;

/// Where a row's value begins.
const VALUE: usize = 28;

pub(super) fn write_layers(sheet: &mut Sheet, look: &Look<'_>) {
    sheet.line(Ink::Title, format_args!("DRAWN OVER THE WORLD")).end();
    for layer in Layer::ALL {
        let on = look.layers.has(layer);
        let (ink, word) = if on { (Ink::Good, "ON") } else { (Ink::Dim, "OFF") };
        row(sheet, look, Choice::Layer(layer), layer.name()).tab(VALUE).put(ink, format_args!("{word}")).end();
    }
    sheet.end();
    sheet.line(Ink::Dim, format_args!("MESH: WHITE SOLID, BLUE TWO-SIDED, GREEN TO CLIMB,"));
    sheet.line(Ink::Dim, format_args!("ORANGE DOORS, ROSE COVERED, GREY SWITCHED OFF"));
}

pub(super) fn write(sheet: &mut Sheet, look: &Look<'_>) {
    let (subjects, tools) = (look.subjects, look.tools);
    sheet.line(Ink::Title, format_args!("TOOLS")).end();
    let paused = subjects.clock.is_some_and(|clock| clock.is_paused());
    let stands = if paused { (Ink::Warn, "STANDS") } else { (Ink::Good, "RUNS") };
    row(sheet, look, Choice::Freeze, "FREEZE TIME").tab(VALUE).put(stands.0, format_args!("{}", stands.1)).end();
    row(sheet, look, Choice::SingleStep, "SINGLE STEP").end();
    let speed = SPEEDS.get(tools.speed).copied().unwrap_or(1.0);
    row(sheet, look, Choice::Slow, "SLOW MOTION")
        .tab(VALUE)
        .put(Ink::Plain, format_args!("X {}", Fixed(speed, 2)))
        .end();
    let flies = if tools.camera.is_some() { "FLIES" } else { "OFF" };
    row(sheet, look, Choice::FreeCamera, "FREE CAMERA").tab(VALUE).put(Ink::Plain, format_args!("{flies}")).end();
    row(sheet, look, Choice::Teleport, "TELEPORT THE PLAYER HERE").end();
    let thing = subjects.spawnable.get(usize::from(tools.spawn)).copied().unwrap_or("NOTHING");
    row(sheet, look, Choice::Spawn, "SPAWN").tab(VALUE).put(Ink::Plain, format_args!("{thing}")).end();
    sheet.end();
    if let Some((feet, heading)) = subjects.player {
        at(sheet, "PLAYER", feet, heading);
    }
    if let Some(camera) = tools.camera {
        at(sheet, "CAMERA", camera.eye, camera.heading);
        sheet.end().line(Ink::Dim, format_args!("LEFT STICK FLIES, RIGHT STICK TURNS, R2 FASTER"));
    }
}

fn at(sheet: &mut Sheet, name: &str, at: crate::maths::Vec3, heading: f32) {
    let (x, y, z) = (Fixed(at.x, 2), Fixed(at.y, 2), Fixed(at.z, 2));
    sheet.put(Ink::Dim, format_args!("{name}")).tab(8).put(Ink::Plain, format_args!("{x:>8} {y:>8} {z:>8}"));
    sheet
        .tab(36)
        .put(Ink::Dim, format_args!("HEADING"))
        .tab(44)
        .put(Ink::Plain, format_args!("{}", Fixed(heading, 2)))
        .end();
}

fn row<'s>(sheet: &'s mut Sheet, look: &Look<'_>, choice: Choice, name: &str) -> &'s mut Sheet {
    let cursor = if look.chosen == Some(choice) { ">" } else { " " };
    sheet.put(look.ink(choice, Ink::Plain), format_args!("{cursor} {name}"))
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::super::tests::text_of;
    use crate::maths::Vec3;
    use crate::overlay::subjects::Subjects;

    #[test]
    fn the_cursor_stands_on_the_first_tool_and_the_player_is_told() {
        let subjects =
            Subjects { player: Some((Vec3::new(1.0, -2.5, 0.0), 1.57)), spawnable: &["BRICK"], ..Subjects::default() };
        let text = text_of(Page::Tools, &subjects);
        assert!(text.contains("> FREEZE TIME") && text.contains("BRICK") && text.contains("-2.50"));
    }
}
