//! Plays the scenes of humans on the game's own people, tasks and physics, with the pads that the disc holds. Those that need
//! things, a door, are played in the test yard of the running game ([`YARD_SCENES`]), the others on a stage of their own.
//!
//! Run by the program's argument `takes`, or `take=NAME` for one: after start-up and in place of the main loop, in lockstep,
//! as every update is one step.

use super::Game;
use super::attract::Demo;
use super::machine::Machine;
use super::missions::Play;
use crate::collision::CollisionMesh;
use crate::collision::scenes::{Scene as Level, floor};
use crate::game_modes::{ModeId, run_once};
use crate::human::stage::Stage;
use crate::human::takes::{SCENES, columns, play};
use crate::maths::Vec3;
use core::fmt::{self, Write};
use heapless::String;

/// Characters of the longest line.
const LINE: usize = 256;
/// Characters of the longest file name.
const NAME: usize = 48;

/// Frames within which the yard must have been loaded.
const LOADS: u32 = 1800;

/// A scene in the yard of the running game.
#[derive(Clone, Copy, Debug)]
pub struct YardScene {
    /// Its name, and that of its file of recorded pads.
    pub name: &'static str,
    /// Where the player stands at first, and where it looks.
    pub start: (Vec3, f32),
    /// The thing that is told of behind the line.
    pub thing: &'static str,
}

/// Every scene in the yard. Source: known numbers, Trace scenarios.
pub const YARD_SCENES: [YardScene; 1] =
    [YardScene { name: "door", start: (Vec3::new(-2.5, -8.5, 0.0), core::f32::consts::PI), thing: "door_wood" }];

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

    /// Plays a scene in the yard, and leaves the yard again.
    fn play_in_yard(&mut self, scene: &YardScene) -> Result<(), &'static str> {
        let bytes = self.recording_of(scene.name)?;
        let demo = core::str::from_utf8(&bytes).ok().and_then(Demo::new).ok_or("a recording makes no sense")?;
        if self.stack.top().is_none() {
            self.push_mode(ModeId::LevelFlow);
            run_once(self);
        }
        self.return_to_title();
        self.modes.next = Some(Play::Mission(0));
        let mut frames = 0;
        while !self.is_yard_there() {
            run_once(self);
            frames += 1;
            if frames > LOADS {
                return Err("the yard does not come");
            }
        }
        let (feet, heading) = scene.start;
        let people = self.people.as_deref_mut().ok_or("nobody has come from the disc")?;
        people.teleport(0, feet, heading);
        self.machine.print(format_args!("TAKE {}", scene.name));
        let before = self.machine.count();
        self.input.demo = Some(demo);
        let (mut update, mut was) = (0, feet);
        while let Some(at) = self.input.demo.as_ref().filter(|demo| !demo.is_over()).map(Demo::at) {
            run_once(self);
            if self.input.demo.as_ref().is_some_and(|demo| demo.at() != at) {
                was = self.tell_of_yard(scene, update, was).ok_or("a line")?;
                update += 1;
            }
        }
        self.input.demo = None;
        let cycles = self.machine.count().wrapping_sub(before);
        self.machine.print(format_args!("TAKE END {} cycles {cycles}", scene.name));
        self.modes.save_due = false;
        self.return_to_title();
        Ok(())
    }

    /// Whether the player stands in the yard and may move.
    fn is_yard_there(&self) -> bool {
        let there = self.people.as_deref().is_some_and(|people| people.player_place(0).is_some());
        there && self.is_played() && !self.staging.is_playing()
    }

    /// A scene's line of one update; answers where the player is now.
    fn tell_of_yard(&mut self, scene: &YardScene, update: u32, was: Vec3) -> Option<Vec3> {
        let tasks = self.tasks.as_deref()?;
        let people = self.people.as_deref()?;
        let n = people.humans.player(0)?;
        let human = &people.humans.people[n];
        let mut line = String::<LINE>::new();
        write!(line, "{update} ").ok()?;
        columns(human, tasks.humans.records.command(n), was, &mut line).ok()?;
        let thing = tasks.nearest_object_named(scene.start.0, scene.thing)?;
        let handle = tasks.manager.head(thing)?.handle;
        let angle = tasks.door(handle).map_or(0.0, |door| door.angle.to_degrees());
        write!(line, " | open {} angle {angle:.1}", u8::from(tasks.is_door_open(handle))).ok()?;
        let place = human.position;
        self.machine.print(format_args!("{line}"));
        Some(place)
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
