//! Staged scenes: moments of a level with a camera of their own, words, and things held before the eye.
//!
//! The list of scenes says what each shows ([`super::scenes`]). [`Staging`] plays one at a time: a scene task of the TaskEngine
//! moves the scene camera on each of its updates and ends when its time is up or a button skips it; until then the players
//! stand still, the rules' clock too, and the picture is the scene camera's. The end callback hands the game back.
//!
//! Source: seed 000, Scenes; support systems, Cameras (type 4).

use super::Game;
use super::characters_story::gang;
use super::machine::Machine;
use super::missions::{Place, Play};
use super::world::GameWorld;
use crate::camera::follow;
use crate::hud::captions::{Caption, CaptionKind};
use crate::human::Human;
use crate::maths::scalar::atan2;
use crate::maths::{Pose, Quat, Vec3, from_heading};
use crate::pads::button;
use crate::tasks::clock::{Phase, Ticks};
use crate::tasks::engine::{Creation, TaskEngine};
use crate::tasks::handle::Handle;
use crate::tasks::ids::{TaskClass, TaskId};
use crate::tasks::names::name_hash;
use crate::tasks::world::View;
use heapless::{String, Vec};

/// The scene that a mission begins with.
pub const ARRIVAL: &str = "arrival";
/// The scene that a mission ends with once it is won.
pub const ENDING: &str = "wheel";

/// Whether scenes begin and end what is played.
pub fn is_told(play: Play) -> bool {
    matches!(play, Play::Mission(_)) && play.mission().place == Place::Boardwalk
}

/// The end callback's number in the script table.
pub const STAGE_OVER: u32 = 0x5ce7_e002;
/// Ticks in a second.
const TICKS_A_SECOND: f32 = 60.0;
/// Ticks for which no button skips a scene, so that the one that led to it does not.
const UNSKIPPABLE: Ticks = 20;
/// Points of a camera's way, words and held things of a scene at most.
const KEYS: usize = 8;
const SAYINGS: usize = 4;
const HELD: usize = 2;

/// A point that something passes at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Key {
    seconds: f32,
    at: Vec3,
}

/// Words and the seconds between which they stand.
#[derive(Clone, Debug, Default, PartialEq)]
struct Saying {
    from: f32,
    to: f32,
    speaker: String<16>,
    words: String<{ crate::hud::captions::MOST_BYTES }>,
}

/// An object before the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Hold {
    from: f32,
    to: f32,
    /// Hash of the object's type.
    kind: u32,
    /// To the right, ahead and up of the camera.
    offset: Vec3,
}

/// What a scene shows: metres to the right, ahead and up of the place where it plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    seconds: f32,
    eyes: Vec<Key, KEYS>,
    looks: Vec<Key, KEYS>,
    sayings: Vec<Saying, SAYINGS>,
    held: Vec<Hold, HELD>,
}

impl Stage {
    /// Reads a scene's lines; those that mean nothing are left out. `None` for a scene without a camera or a length.
    pub fn read(text: &str) -> Option<Self> {
        let mut stage = Self::default();
        for line in text.lines() {
            // What is more than there is room for is left out too.
            let _room = stage.line(line);
        }
        let playable = stage.seconds > 0.0 && !stage.eyes.is_empty() && !stage.looks.is_empty();
        playable.then_some(stage)
    }

    /// What is said in it.
    #[cfg(test)]
    pub(super) fn sayings(&self) -> impl Iterator<Item = &str> {
        self.sayings.iter().map(|saying| saying.words.as_str())
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (verb, rest) = line.trim().split_once(' ')?;
        let mut words = rest.split_ascii_whitespace();
        let mut number = || words.next()?.parse::<f32>().ok().filter(|number| number.is_finite());
        match verb {
            "length" => self.seconds = number()?.clamp(0.0, 60.0),
            "eye" | "look" => {
                let key = Key { seconds: number()?, at: Vec3::new(number()?, number()?, number()?) };
                let keys = if verb == "eye" { &mut self.eyes } else { &mut self.looks };
                // Times run on.
                if keys.last().is_none_or(|last| last.seconds < key.seconds) {
                    keys.push(key).ok()?;
                }
            }
            "say" => {
                let (from, to) = (number()?, number()?);
                let speaker = String::try_from(words.next()?).ok()?;
                let mut saying = Saying { from, to, speaker, words: String::new() };
                for word in words {
                    if !saying.words.is_empty() {
                        saying.words.push(' ').ok()?;
                    }
                    saying.words.push_str(word).ok()?;
                }
                self.sayings.push(saying).ok()?;
            }
            "hold" => {
                let (from, to) = (number()?, number()?);
                let offset = Vec3::new(number()?, number()?, number()?);
                self.held.push(Hold { from, to, kind: name_hash(words.next()?), offset }).ok()?;
            }
            _ => return None,
        }
        Some(())
    }
}

/// Where keys are at a time: smoothly from one to the next, with rest at the first and the last.
fn along(keys: &[Key], seconds: f32) -> Vec3 {
    let Some(last) = keys.last() else { return Vec3::ZERO };
    let next = keys.iter().position(|key| key.seconds > seconds);
    let Some(next) = next else { return last.at };
    let Some(before) = next.checked_sub(1) else { return keys[0].at };
    let (from, to) = (keys[before], keys[next]);
    let t = (seconds - from.seconds) / (to.seconds - from.seconds);
    // A cubic through the keys, whose ways at them are those between their neighbours.
    let way = |n: usize| {
        let (earlier, later) = (keys[n.saturating_sub(1)], keys[(n + 1).min(keys.len() - 1)]);
        let apart = later.seconds - earlier.seconds;
        let inner = n > 0 && n + 1 < keys.len() && apart > 0.0;
        if inner { (later.at - earlier.at) * ((to.seconds - from.seconds) / apart) } else { Vec3::ZERO }
    };
    let (t2, t3) = (t * t, t * t * t);
    from.at * (2.0 * t3 - 3.0 * t2 + 1.0)
        + way(before) * (t3 - 2.0 * t2 + t)
        + to.at * (3.0 * t2 - 2.0 * t3)
        + way(next) * (t3 - t2)
}

/// The eye of a staged scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StagedEye {
    /// Where it is.
    pub eye: Vec3,
    /// What it looks at.
    pub look: Vec3,
}

impl StagedEye {
    /// What tasks know of it.
    pub fn view(&self) -> View {
        follow::view(self.eye, self.look)
    }
}

/// How far a scene is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing is staged.
    #[default]
    Off,
    /// It plays.
    Playing,
    /// It is over, and nobody has taken note of it.
    Over,
    /// It is over, and its last picture stays.
    Stays,
}

/// The scene that plays.
#[derive(Clone, Debug, Default)]
pub struct Staging {
    stage: Stage,
    /// Feet and heading of the place where it plays.
    place: (Vec3, f32),
    began: Ticks,
    now: Ticks,
    state: State,
    /// Its last picture stays until the level's end.
    stays: bool,
    /// Held things that were brought out, a bit each, and the object that was.
    brought: u8,
    object: Handle,
}

impl Staging {
    /// Nothing is staged.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether a scene plays.
    pub fn is_playing(&self) -> bool {
        self.state == State::Playing
    }

    /// Whether a scene has played since the level began.
    pub fn has_played(&self) -> bool {
        !self.stage.eyes.is_empty()
    }

    /// Takes note of the scene's end; once.
    pub fn take_end(&mut self) -> bool {
        let over = self.state == State::Over;
        if over {
            self.state = if self.stays { State::Stays } else { State::Off };
        }
        over
    }

    fn seconds(&self) -> f32 {
        self.now.saturating_sub(self.began) as f32 / TICKS_A_SECOND
    }

    /// A point of the stage in the world.
    fn point(&self, at: Vec3) -> Vec3 {
        let (feet, heading) = self.place;
        let ahead = from_heading(heading);
        let right = Vec3::new(ahead.y, -ahead.x, 0.0);
        feet + right * at.x + ahead * at.y + Vec3::Z * at.z
    }

    /// The scene's eye, while its picture is shown.
    pub fn eye(&self) -> Option<StagedEye> {
        // Whoever asks what a player sees asks this first, many times a frame.
        if self.state == State::Off {
            return None;
        }
        let seconds = self.seconds();
        let [eye, look] = [&self.stage.eyes, &self.stage.looks].map(|keys| self.point(along(keys, seconds)));
        Some(StagedEye { eye, look })
    }

    /// What is said now.
    pub fn caption(&self) -> Option<Caption<'_>> {
        let seconds = self.seconds();
        let saying = self.stage.sayings.iter().find(|saying| (saying.from..saying.to).contains(&seconds))?;
        self.is_playing().then_some(Caption {
            kind: CaptionKind::SPOKEN,
            speaker: &saying.speaker,
            text: &saying.words,
        })
    }

    /// Where the scene camera is: forward is +y.
    fn camera_pose(&self) -> Option<Pose> {
        let StagedEye { eye, look } = self.eye()?;
        let way = look - eye;
        let up = atan2(way.z, way.horizontal().length());
        let turned = Quat::from_heading(atan2(way.x, way.y)) * Quat::from_axis_angle(Vec3::X, up);
        Some(Pose::new(turned, eye))
    }
}

/// The scene task's update: the camera goes on, things are held before it, and in time it ends.
pub(super) fn update<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId) {
    let now = tasks.manager.clock.time_of(Phase::Play);
    world.staging.now = now;
    if let Some(pose) = world.staging.camera_pose() {
        tasks.scenes.set_camera_pose(pose);
    }
    bring_out(world, tasks, id);
    let skipped = now.saturating_sub(world.staging.began) > UNSKIPPABLE
        && world.input.pads.get(0).is_some_and(|pad| pad.pressed(button::CROSS) != 0);
    if skipped || world.staging.seconds() >= world.staging.stage.seconds {
        tasks.finish_scene(world, id);
    }
}

/// Brings out what is to be held from now on.
fn bring_out<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId) {
    let seconds = world.staging.seconds();
    let due = world.staging.stage.held.iter().copied().enumerate();
    let due = due.filter(|(_, hold)| (hold.from..hold.to).contains(&seconds));
    for (n, hold) in due.collect::<Vec<_, HELD>>() {
        if world.staging.brought & 1 << n != 0 {
            continue;
        }
        world.staging.brought |= 1 << n;
        put_away(world, tasks);
        let at = world.staging.camera_pose().map_or(Vec3::ZERO, |pose| pose.point(hold.offset));
        // A level without such a type, or without room for it, has a scene without it.
        let Ok(object) = tasks.create_object_by_name(world, hold.kind, &Creation::at(at)) else { continue };
        let handle = tasks.manager.head(object).map_or(Handle::NIL, |head| head.handle);
        let ticks = ((hold.to - seconds) * TICKS_A_SECOND) as Ticks;
        if tasks.hold_scene_object(world, id, handle, hold.offset, ticks) {
            world.staging.object = handle;
        }
    }
}

/// Takes away what was held.
fn put_away<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) {
    let object = core::mem::take(&mut world.staging.object);
    if let Some(task) = tasks.task(object) {
        tasks.release(world, task);
    }
}

/// The end callback: what was held goes, and the game goes on.
pub(super) fn over<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) {
    put_away(world, tasks);
    world.staging.state = State::Over;
    world.machine.print(format_args!("SCENE over after {:.1} s", world.staging.seconds()));
}

/// The humans that a scene plays, a bit each. Our choice: the players and their gang, before whose eyes it plays.
fn played<M: Machine>(world: &GameWorld<'_, M>) -> u64 {
    let Some(people) = world.people.as_deref() else { return 0 };
    let plays = |human: &Human| human.spawn.player.is_some() || human.spawn.gang == gang::PLAYER;
    people.humans.present().filter(|(_, human)| plays(human)).fold(0, |all, (n, _)| all | 1 << n)
}

impl<M: Machine> Game<M> {
    /// Lets a scene of the list play at a place, feet and heading. Says whether it does: without a disc, in a level that is
    /// no disc's, or when they are left out nothing is staged.
    pub(super) fn stage(&mut self, name: &str, place: (Vec3, f32), stays: bool) -> bool {
        self.staging.clear();
        if !self.options.scenes || self.people.is_none() || self.world.level().is_none() {
            return false;
        }
        let Some(stage) = self.scenes.text(name).and_then(Stage::read) else { return false };
        let Some(tasks) = self.tasks.as_deref() else { return false };
        let now = tasks.manager.clock.time_of(Phase::Play);
        *self.staging = Staging { stage, place, began: now, now, state: State::Playing, stays, ..Staging::default() };
        let made = self.with_tasks(|tasks, world| {
            let id = tasks.create(world, TaskClass::Scene, name_hash(name), &Creation::at(place.0)).ok()?;
            tasks.set_scene_end_callback(id, STAGE_OVER);
            let humans = played(world);
            tasks.start_scene(world, id, humans);
            Some(id)
        });
        let plays = made.flatten().is_some();
        if !plays {
            self.staging.clear();
        }
        self.machine.print(format_args!("SCENE {name}{}", if plays { "" } else { ": no room" }));
        plays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "length 4\neye 0 0 -4 2\neye 2 0 0 2\neye 4 4 0 2\nlook 0 0 10 1\n\
                        say 1 2 JO The last ferry.\nhold 1 3 0 0.5 0 bottle\nnonsense 1\neye 3 0 0 0\neye x 0 0 0\n";

    fn playing() -> Staging {
        let stage = Stage::read(TEXT).unwrap();
        Staging { stage, place: (Vec3::new(10.0, 20.0, 1.0), 0.0), state: State::Playing, ..Staging::default() }
    }

    #[test]
    fn a_long_frame_is_cut_to_40_ms_while_somebody_plays_and_not_in_a_scene_or_without_a_level() {
        use super::super::level::Level;
        use super::super::missions::Place;
        use crate::boot::start::StartHost as _;
        use crate::game_modes::frame::FrameHost as _;
        // Milliseconds of game time that 200 ms bring, and those that are lost.
        let long_frame = |has_level: bool, staging: Staging| {
            let mut game = super::super::fake::game();
            game.initialize_subsystems().unwrap();
            game.level = has_level.then(|| std::boxed::Box::new(Level::yard(Place::Yard)));
            *game.staging = staging;
            game.clock.set_fixed(false, game.real);
            game.update_clock();
            let (before, lost) = (game.clock.ticks(), game.clock.lost());
            game.machine.count = game.machine.count.wrapping_add(crate::ee::ticks::PER_SECOND / 5);
            game.update_clock();
            [game.clock.ticks() - before, game.clock.lost() - lost].map(crate::clock::time::milliseconds)
        };
        assert_eq!(long_frame(true, Staging::default()), [40, 160]);
        assert_eq!(long_frame(true, playing()), [200, 0]);
        assert_eq!(long_frame(false, Staging::default()), [200, 0]);
    }

    #[test]
    fn a_scene_s_lines_say_where_its_camera_goes() {
        let stage = Stage::read(TEXT).unwrap();
        assert_eq!((stage.eyes.len(), stage.looks.len(), stage.sayings.len(), stage.held.len()), (3, 1, 1, 1));
        assert_eq!(along(&stage.eyes, -1.0), Vec3::new(0.0, -4.0, 2.0));
        assert_eq!(along(&stage.eyes, 2.0), Vec3::new(0.0, 0.0, 2.0));
        assert_eq!(along(&stage.eyes, 9.0), Vec3::new(4.0, 0.0, 2.0));
        // Nothing jumps on the way.
        for n in 0..400 {
            let step = along(&stage.eyes, (n + 1) as f32 * 0.01) - along(&stage.eyes, n as f32 * 0.01);
            assert!(step.length() < 0.05, "{n}: {step:?}");
        }
        for text in ["", "length 3\neye 0 0 0 0", "eye 0 0 0 0\nlook 0 0 0 0", "length nan\neye 0 0 0 0\nlook 0 0 1 0"]
        {
            assert_eq!(Stage::read(text), None, "{text}");
        }
    }

    #[test]
    fn the_scene_camera_stands_as_the_place_does_and_looks_where_it_should() {
        let mut staging = playing();
        assert_eq!(
            staging.eye().unwrap(),
            StagedEye { eye: Vec3::new(10.0, 16.0, 3.0), look: Vec3::new(10.0, 30.0, 2.0) }
        );
        let pose = staging.camera_pose().unwrap();
        let way = (Vec3::new(10.0, 30.0, 2.0) - pose.position).normalize_or_zero();
        assert!((pose.rotation.axis_y() - way).length() < 1e-5, "{pose:?}");
        staging.place.1 = core::f32::consts::FRAC_PI_2;
        // Ahead is east now.
        let eye = staging.eye().unwrap();
        assert!((eye.eye - Vec3::new(6.0, 20.0, 3.0)).length() < 1e-5 && eye.look.x > 19.0, "{eye:?}");
    }

    #[test]
    fn words_stand_for_their_time_and_the_end_is_told_once() {
        let mut staging = playing();
        assert!(staging.caption().is_none());
        staging.now = 90;
        assert_eq!(staging.caption().map(|caption| caption.text), Some("The last ferry."));
        staging.now = 130;
        assert!(staging.caption().is_none());
        assert!(!staging.take_end());
        (staging.state, staging.stays) = (State::Over, true);
        assert!(staging.take_end() && !staging.take_end());
        assert!(staging.eye().is_some() && staging.has_played(), "the last picture stays");
        staging.clear();
        assert!(staging.eye().is_none() && !staging.has_played());
    }
}
