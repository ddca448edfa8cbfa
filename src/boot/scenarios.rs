//! Plays the engine's scenes on the console: facts, one a line, for a test that compares them with the host's.
//!
//! Run by the program's argument `scenarios`, or `scenario=NAME` for one. The title stays on the screen meanwhile; a scene
//! that wants frames gets its own.

use super::title::{Info, Title};
use crate::ee::cop0;
use crate::ee::display::Display;
use crate::ee::tty::Tty;
use crate::{motion, physics, tasks, tty_println};
use core::fmt::Error;

/// Frames until the pace is the screen's.
const SETTLING_FRAMES: u32 = 4;

/// Plays every scene, or the one called `only`; answers how many were played.
///
/// # Errors
/// A scene that could not write its lines.
#[inline(never)]
pub fn run(display: &mut Display, title: &mut Title, only: Option<&str>) -> Result<u32, Error> {
    let mut played = 0;
    let mut frame = 0;
    let mut next_frame = || {
        let info = Info { mode: display.mode().label(), frame, missed: display.counters().missed };
        display.frame(|packet, page| title.draw(packet, page, frame as f32 / super::FRAMES_PER_SECOND, &info));
        frame += 1;
        display.counters().ticks
    };
    // Until the program is a whole frame ahead of the screen its frames come quicker than they are shown.
    for _ in 0..SETTLING_FRAMES {
        next_frame();
    }
    let names = tasks::scenarios::names().chain(physics::scenarios::names()).chain(motion::scenarios::names());
    for name in names.filter(|name| only.is_none_or(|only| only == *name)) {
        tty_println!("SCENARIO {name}");
        let mut out = Tty::new();
        let begin = cop0::count();
        let known = tasks::scenarios::play(name, &mut next_frame, &mut out)?
            || physics::scenarios::play(name, &mut out)?
            || motion::scenarios::play(name, &mut out)?;
        let cycles = cop0::count().wrapping_sub(begin);
        out.flush();
        tty_println!("SCENARIO END {name} cycles {cycles}");
        played += u32::from(known);
    }
    Ok(played)
}
