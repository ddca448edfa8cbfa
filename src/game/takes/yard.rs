//! The scenes that need the things of the running game: they are played in the test yard, through the game's own modes.

use super::super::Game;
use super::super::attract::Demo;
use super::super::characters_story::gang;
use super::super::machine::Machine;
use super::super::missions::Play;
use super::LINE;
use crate::game_modes::{ModeId, run_once};
use crate::human::Spawn;
use crate::human::takes::columns;
use crate::maths::Vec3;
use crate::tasks::engine::TaskEngine;
use crate::tasks::handle::Handle;
use crate::tasks::ids::TaskId;
use core::f32::consts::{FRAC_PI_2, PI};
use core::fmt::Write as _;
use heapless::String;

/// Frames within which the yard must have been loaded.
const LOADS: u32 = 1800;

/// What a crate breaks into, and what explodes.
const PLANK: &str = "plank";
const EXPLOSIVE: &str = "gas_drum";

/// What a scene's line tells of behind the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The door of this name.
    Door(&'static str),
    /// The nearest pane.
    Pane,
    /// The nearest car.
    Car,
    /// The thing of this name that is nearest at first, and who is thrown at.
    Thrown(&'static str),
    /// The crate of this name that is nearest at first, and the nearest plank, which it breaks into.
    Crate(&'static str),
    /// The nearest thing that explodes, and the car that is nearest to it.
    Blast,
    /// Nothing else.
    Nothing,
    /// The arena and the other fighter.
    Arena,
}

/// A scene in the yard of the running game.
#[derive(Clone, Copy, Debug)]
pub struct YardScene {
    /// Its name, and that of its file of recorded pads.
    pub name: &'static str,
    /// What is played.
    pub play: Play,
    /// Where the player stands at first, and where it looks; without it, where the level has it.
    pub start: Option<(Vec3, f32)>,
    /// Where somebody of another gang stands, and where he looks.
    pub rival: Option<(Vec3, f32)>,
    /// What is told of.
    pub told: Told,
}

/// The yard without anybody else.
const ALONE: YardScene = YardScene { name: "", play: Play::Mission(0), start: None, rival: None, told: Told::Pane };

/// Every scene in the yard. Source: known numbers, Trace scenarios.
pub const YARD_SCENES: [YardScene; 9] = [
    YardScene { name: "door", start: Some((Vec3::new(-1.95, -8.5, 0.0), PI)), told: Told::Door("door_wood"), ..ALONE },
    YardScene { name: "pane", start: Some((Vec3::new(2.0, -9.0, 0.0), PI)), ..ALONE },
    // At an angle to the car's side, a metre and a half before it.
    YardScene { name: "car_hit", start: Some((Vec3::new(-15.5, -8.3, 0.0), PI + FRAC_PI_2)), told: Told::Car, ..ALONE },
    YardScene {
        name: "brick_throw",
        start: Some((Vec3::new(2.0, 1.2, 0.0), 0.0)),
        rival: Some((Vec3::new(2.0, 8.0, 0.0), PI)),
        told: Told::Thrown("brick"),
        ..ALONE
    },
    // Before a crate, whose height is that of a blow to the middle.
    YardScene {
        name: "crate",
        start: Some((Vec3::new(-5.0, -4.87, 0.0), 0.0)),
        told: Told::Crate("box_large"),
        ..ALONE
    },
    // A step before the drum behind the van.
    YardScene { name: "explosion", start: Some((Vec3::new(-24.2, -16.63, 0.0), PI)), told: Told::Blast, ..ALONE },
    YardScene { name: "arena_round", play: Play::Arena(3), told: Told::Arena, ..ALONE },
    YardScene { name: "climb_low", start: Some((Vec3::new(23.5, 10.8, 0.0), 0.0)), told: Told::Nothing, ..ALONE },
    YardScene { name: "climb_high", start: Some((Vec3::new(13.0, 10.8, 0.0), 0.0)), told: Told::Nothing, ..ALONE },
];

/// What a scene watches besides the player.
#[derive(Clone, Copy, Debug)]
struct Watched {
    /// Where the player stood at first.
    start: Vec3,
    /// The other fighter.
    rival: Option<usize>,
    /// The thing that is told of, and the car beside it.
    thing: Option<TaskId>,
    car: Option<TaskId>,
    /// The thing's handle and where it was at first: one that breaks is gone.
    handle: Handle,
    place: Vec3,
}

/// Hits that the watched thing still takes; 0 once it is broken or gone.
fn wear_left(tasks: &TaskEngine, watched: &Watched) -> u8 {
    let there = tasks.task(watched.handle).and_then(|id| tasks.object(id)).filter(|object| !object.broken);
    there.map_or(0, |object| object.wear.first)
}

impl<M: Machine> Game<M> {
    /// Plays a scene in the yard, and leaves the yard again.
    ///
    /// # Errors
    /// What is missing, in a few words.
    pub(super) fn play_in_yard(&mut self, scene: &YardScene) -> Result<(), &'static str> {
        let bytes = self.recording_of(scene.name)?;
        let demo = core::str::from_utf8(&bytes).ok().and_then(Demo::new).ok_or("a recording makes no sense")?;
        self.enter_yard(scene.play)?;
        let watched = self.set_people(scene)?;
        self.machine.print(format_args!("TAKE {}", scene.name));
        let before = self.machine.count();
        let mut was = watched.start;
        self.input.demo = Some(demo);
        let mut update = 0;
        while let Some(at) = self.input.demo.as_ref().filter(|demo| !demo.is_over()).map(Demo::at) {
            run_once(self);
            if !self.is_played() {
                return Err("the yard is left before the recording is through");
            }
            if self.input.demo.as_ref().is_some_and(|demo| demo.at() != at) {
                was = self.tell_of_yard(scene, &watched, update, was).ok_or("a line")?;
                update += 1;
            }
        }
        self.input.demo = None;
        let cycles = self.machine.count().wrapping_sub(before);
        self.machine.print(format_args!("TAKE END {} cycles {cycles}", scene.name));
        self.leave_recording();
        Ok(())
    }

    /// Goes to the yard from wherever the game is, and waits until the player may move.
    fn enter_yard(&mut self, play: Play) -> Result<(), &'static str> {
        if self.stack.top().is_none() {
            self.push_mode(ModeId::LevelFlow);
            run_once(self);
        }
        self.return_to_title();
        // A recording is one controller's, however many there are.
        self.modes.alone = true;
        self.modes.next = Some(play);
        for _ in 0..LOADS {
            if self.is_yard_there(play) {
                return Ok(());
            }
            run_once(self);
        }
        Err("the yard does not come")
    }

    /// Whether the player stands in the yard and may move.
    fn is_yard_there(&self, play: Play) -> bool {
        let there = self.people.as_deref().is_some_and(|people| people.player_place(0).is_some());
        let fights = self.rules.arena.is_some_and(|arena| arena.round().0 > 0);
        let fits = self.modes.last == Some(play) && (fights || !matches!(play, Play::Arena(_)));
        there && fits && self.is_played() && !self.staging.is_playing()
    }

    /// Puts the player where the scene begins and lets the rival come; answers what is watched.
    fn set_people(&mut self, scene: &YardScene) -> Result<Watched, &'static str> {
        const NOBODY: &str = "nobody has come from the disc";
        let (people, tasks, physics) =
            (self.people.as_deref_mut(), self.tasks.as_deref_mut(), self.physics.as_deref_mut());
        let (Some(people), Some(tasks), Some(physics)) = (people, tasks, physics) else { return Err(NOBODY) };
        if let Some((feet, heading)) = scene.start {
            people.teleport(0, feet, heading);
        }
        let rival = match scene.rival {
            Some((position, heading)) => {
                let spawn = Spawn { position, heading, gang: gang::GULLS, ..Spawn::default() };
                Some(people.spawn(spawn, tasks, physics).ok_or("no room for somebody")?)
            }
            None => self.rules.arena.and_then(|arena| arena.fighters()[1]).map(usize::from),
        };
        let (start, _) = people.player_place(0).ok_or(NOBODY)?;
        let thing = match scene.told {
            Told::Door(name) | Told::Thrown(name) | Told::Crate(name) => tasks.nearest_object_named(start, name),
            Told::Blast => tasks.nearest_object_named(start, EXPLOSIVE),
            Told::Pane => tasks.nearest_pane(start),
            Told::Car => tasks.nearest_car(start),
            Told::Arena | Told::Nothing => None,
        };
        let (handle, place) = thing
            .and_then(|id| tasks.manager.head(id))
            .map_or((Handle::NIL, start), |head| (head.handle, head.position));
        Ok(Watched { start, rival, thing, car: tasks.nearest_car(place), handle, place })
    }

    /// A scene's line of one update; answers where the player is now.
    fn tell_of_yard(&mut self, scene: &YardScene, watched: &Watched, update: u32, was: Vec3) -> Option<Vec3> {
        let tasks = self.tasks.as_deref()?;
        let people = self.people.as_deref()?;
        let n = people.humans.player(0)?;
        let human = &people.humans.people[n];
        let mut line = String::<LINE>::new();
        write!(line, "{update} ").ok()?;
        columns(human, tasks.humans.records.command(n), was, &mut line).ok()?;
        write!(line, " | ").ok()?;
        // An arena's fighters come anew with every round.
        let rival = self.rules.arena.and_then(|arena| arena.fighters()[1]).map(usize::from).or(watched.rival);
        let rival = rival.map(|rival| &people.humans.people[rival]);
        match scene.told {
            Told::Door(_) => {
                let handle = tasks.manager.head(watched.thing?)?.handle;
                let angle = tasks.door(handle).map_or(0.0, |door| door.angle.to_degrees());
                write!(line, "open {} angle {angle:.1}", u8::from(tasks.is_door_open(handle))).ok()?;
            }
            Told::Pane => {
                let pane = tasks.pane(watched.thing?)?;
                let (broken, body) = (u8::from(pane.broken), u8::from(pane.body.is_some()));
                write!(line, "damage {} broken {broken} body {body}", pane.damage).ok()?;
                write!(line, " count {}", tasks.panes.broken_count()).ok()?;
            }
            Told::Car => {
                let car = tasks.car(watched.thing?)?;
                let damage: i32 = car.parts.iter().map(|part| part.damage).sum();
                let (removed, flying) = (car.removed.count_ones(), car.flying.count_ones());
                write!(line, "damage {damage} removed {removed} flying {flying} ").ok()?;
                write!(line, "rock {:.3}", car.rock.angle().to_degrees()).ok()?;
            }
            Told::Nothing => {}
            Told::Crate(_) => {
                let left = wear_left(tasks, watched);
                write!(line, "wear {left} broken {} ", u8::from(left == 0)).ok()?;
                let plank = tasks.nearest_object_named(watched.place, PLANK).and_then(|id| tasks.manager.head(id))?;
                let at = plank.pose_at(tasks.manager.clock.now(), tasks.manager.kernels).position;
                let away = (at - watched.place).horizontal().length();
                write!(line, "away {away:.3} z {:.3} climb {:.3}", at.z, plank.velocity.z).ok()?;
            }
            Told::Blast => {
                let (left, car) = (wear_left(tasks, watched), tasks.car(watched.car?)?);
                write!(line, "wear {left} broken {} exploded {} ", u8::from(left == 0), u8::from(car.exploded)).ok()?;
                write!(line, "removed {} flying {} ", car.removed.count_ones(), car.flying.count_ones()).ok()?;
                let away = |at: Vec3| (human.position - at).length();
                let car = tasks.manager.head(watched.car?)?.position;
                write!(line, "away {:.3} car {:.3}", away(watched.place), away(car)).ok()?;
            }
            Told::Thrown(_) => {
                let id = watched.thing?;
                let (head, object) = (tasks.manager.head(id)?, tasks.object(id)?);
                let (at, v) = (head.pose_at(tasks.manager.clock.now(), tasks.manager.kernels).position, head.velocity);
                let (carried, flies) = (head.is_attached(), object.thrown);
                write!(line, "carried {} thrown {} ", u8::from(carried), u8::from(flies)).ok()?;
                write!(line, "y {:.3} z {:.3} speed {:.3} climb {:.3} ", at.y, at.z, v.horizontal().length(), v.z)
                    .ok()?;
                write!(line, "wear {} ", object.wear.first).ok()?;
                let rival = rival?;
                write!(line, "clip {} health {}", rival.playing, rival.health).ok()?;
            }
            Told::Arena => {
                let (arena, rival) = (self.rules.arena?, rival?);
                let [won, lost] = arena.won();
                write!(line, "round {} won {won} lost {lost} ", arena.round().0).ok()?;
                write!(line, "seconds {} over {} ", arena.seconds_left(), u8::from(arena.ended().is_some())).ok()?;
                let apart = (rival.position - human.position).horizontal().length();
                write!(line, "clip {} health {} apart {apart:.3}", rival.playing, rival.health).ok()?;
            }
        }
        let place = human.position;
        self.machine.print(format_args!("{line}"));
        Some(place)
    }
}
