//! Scenes of humans, played from recorded pads: facts, one line an update, for a test that holds them to known numbers.
//!
//! A scene ([`scenes`]) is a small level with people on it; what its player's pad says stands in a file of the disc
//! ([`pads`]). [`play`] puts both on a [`Stage`] and writes what the human under test does in each update. Scenes contain no
//! judgement: the same lines come from the host and from the console, and whoever compares them knows the numbers.
//!
//! Source: known numbers, Trace scenarios.

pub mod pads;
pub mod scenes;

pub use pads::{PadsError, Recording};
pub use scenes::SCENES;

use super::person::Human;
use super::stage::Stage;
use crate::maths::Vec3;
use core::fmt::{self, Write};

/// Updates of a second.
const RATE: f32 = 30.0;

/// Who is watched in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cast {
    /// The human under test.
    pub who: usize,
    /// Another whose state is told behind the line.
    pub other: Option<usize>,
}

/// A scene.
#[derive(Clone, Copy)]
pub struct Scene {
    /// Its name, and that of its file of recorded pads.
    pub name: &'static str,
    /// How often it is played, each time a little different.
    pub variants: usize,
    /// Puts a variant's level and people on an empty stage; `None` when there was no room.
    pub set: fn(&mut Stage, usize) -> Option<Cast>,
}

/// Why a scene was not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// Its recording.
    Pads(PadsError),
    /// There was no room for its people.
    NoRoom,
    /// The lines could not be written.
    Write,
}

impl From<fmt::Error> for PlayError {
    fn from(_: fmt::Error) -> Self {
        Self::Write
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pads(error) => error.fmt(f),
            Self::NoRoom => f.write_str("no room for its people"),
            Self::Write => f.write_str("its lines could not be written"),
        }
    }
}

/// Plays a scene with what its player's pad says and writes a line for each update.
///
/// # Errors
/// A recording that is none, people without room, or whatever the writer refuses.
pub fn play(scene: &Scene, recording: &str, stage: &mut Stage, out: &mut dyn Write) -> Result<(), PlayError> {
    for variant in 0..scene.variants {
        let cast = (scene.set)(stage, variant).ok_or(PlayError::NoRoom)?;
        if scene.variants > 1 {
            writeln!(out, "variant {variant}")?;
        }
        for (update, reading) in Recording::new(recording).enumerate() {
            let reading = reading.map_err(PlayError::Pads)?;
            let before = stage.humans.people[cast.who].position;
            stage.step(Some(reading));
            write!(out, "{update} ")?;
            columns(&stage.humans.people[cast.who], stage.tasks.humans.records.command(cast.who), before, out)?;
            if let Some(other) = cast.other {
                let human = &stage.humans.people[other];
                write!(out, " | clip {} held {:x} health {}", human.playing, human.held, human.health)?;
            }
            writeln!(out)?;
            stage.humans.notices.clear();
        }
    }
    Ok(())
}

/// One human as columns: a word and its number each. The speed is what the body really did since it was `before`, metres a
/// second over the ground; angles are degrees.
pub(crate) fn columns(human: &Human, command: u8, before: Vec3, out: &mut dyn Write) -> fmt::Result {
    let p = human.position;
    let speed = (p - before).horizontal().length() * RATE;
    write!(out, "clip {} held {:x} code {} gait {} ", human.playing, human.held, human.code, human.gait)?;
    write!(out, "command {command:x} anim {} speed {speed:.3} ", human.anim as u8)?;
    write!(
        out,
        "heading {:.2} x {:.3} y {:.3} z {:.3} health {} shapes {}",
        human.heading.to_degrees(),
        p.x,
        p.y,
        p.z,
        human.health,
        human.fight.applied.count_ones()
    )
}
