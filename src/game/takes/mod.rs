//! Plays the scenes of humans on the game's own people, tasks and physics, with the pads that the disc holds. Those that need
//! things, as a door or a car, are played in the test yard of the running game ([`YARD_SCENES`]), the others on a stage of
//! their own.
//!
//! Run by the program's argument `takes`, or `take=NAME` for one: after start-up and in place of the main loop, in lockstep,
//! as every update is one step.

mod yard;

pub use yard::{Told, YARD_SCENES, YardScene};

use super::Game;
use super::machine::Machine;
use crate::collision::CollisionMesh;
use crate::collision::scenes::{Scene as Level, floor};
use crate::human::stage::Stage;
use crate::human::takes::{SCENES, play};
use core::fmt::{self, Write};
use heapless::String;

/// Characters of the longest line.
const LINE: usize = 256;
/// Characters of the longest file name.
const NAME: usize = 48;

/// Prints what is written, line by line.
struct Lines<'a, M: Machine> {
    machine: &'a mut M,
    line: String<LINE>,
}

impl<M: Machine> Write for Lines<'_, M> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            if letter == '\n' {
                self.machine.print(format_args!("{}", self.line));
                self.line.clear();
            } else {
                self.line.push(letter).map_err(|_| fmt::Error)?;
            }
        }
        Ok(())
    }
}

/// A level for who waits for the first scene.
fn waiting() -> CollisionMesh {
    Level::new().with(floor(10.0, 0.0)).mesh([1, 1, 1])
}

impl<M: Machine> Game<M> {
    /// Plays every scene, or the one called `only`; answers how many were played.
    ///
    /// # Errors
    /// What is missing, in a few words.
    pub fn play_takes(&mut self, only: Option<&str>) -> Result<u32, &'static str> {
        let mut played = 0;
        for scene in YARD_SCENES.iter().filter(|scene| only.is_none_or(|only| only == scene.name)) {
            self.play_in_yard(scene)?;
            played += 1;
        }
        Ok(played + self.play_on_stage(only)?)
    }

    /// What the pad of a scene says.
    fn recording_of(&mut self, scene: &str) -> Result<alloc::boxed::Box<[u8]>, &'static str> {
        let mut file = String::<NAME>::new();
        write!(file, "pads/{scene}.pads").map_err(|_| "a scene's name is too long")?;
        self.read_recording(&file).ok_or("a recording cannot be read")
    }

    /// Plays every scene that needs no things, or the one called `only`, on a stage; answers how many were played.
    fn play_on_stage(&mut self, only: Option<&str>) -> Result<u32, &'static str> {
        if only.is_some_and(|only| SCENES.iter().all(|scene| scene.name != only)) {
            return Ok(0);
        }
        let people = self.people.take().ok_or("nobody has come from the disc")?;
        let tasks = self.tasks.take().ok_or("there is no TaskEngine")?;
        let physics = self.physics.take().ok_or("there is no physics")?;
        let super::characters::People { humans, brains, .. } = *people;
        let mut stage = Stage::of(humans, brains, tasks, physics, waiting());
        let mut played = 0;
        for scene in SCENES.iter().filter(|scene| only.is_none_or(|only| only == scene.name)) {
            let bytes = self.recording_of(scene.name)?;
            let recording = core::str::from_utf8(&bytes).map_err(|_| "a recording is no text")?;
            self.machine.print(format_args!("TAKE {}", scene.name));
            let before = self.machine.count();
            let mut lines = Lines { machine: &mut self.machine, line: String::new() };
            if let Err(error) = play(scene, recording, &mut stage, &mut lines) {
                self.machine.print(format_args!("TAKE failed: {error}"));
                return Err("a scene");
            }
            let cycles = self.machine.count().wrapping_sub(before);
            self.machine.print(format_args!("TAKE END {} cycles {cycles}", scene.name));
            played += 1;
        }
        Ok(played)
    }
}
