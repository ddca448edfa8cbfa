//! The tools: freeze, single step, slow motion, the camera that flies, teleport, spawn.
//!
//! A tool changes nothing itself: it gives the game root a [`Command`].

use super::command::{Choice, Command};
use super::subjects::Subjects;
use crate::maths::{Vec3, from_heading, wrap_heading};
use crate::pads::Reading;
use crate::tasks::world::View;

/// What can be spawned where its type is known, by the type's name.
pub const SPAWNABLE: [&str; 3] = ["BRICK", "BOTTLE", "BAT"];
/// The speeds of slow motion, from normal on.
pub const SPEEDS: [f32; 4] = [1.0, 0.5, 0.25, 0.1];
/// Metres a second of the free camera, and with a shoulder button held.
const SPEED: [f32; 2] = [6.0, 24.0];
/// Radians a second of its turns.
const TURN: f32 = 1.8;
/// How far it looks up and down, in radians.
const PITCH_LIMIT: f32 = 1.4;
/// Cosine of half the angle of view, and how far it draws in metres.
const VIEW: (f32, f32) = (0.87, 120.0);
/// Where things appear: metres before the camera.
const REACH: f32 = 2.5;
/// Height of eyes over feet, in metres.
const EYES: f32 = 1.7;

/// A camera that flies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FreeCamera {
    /// The eye, in metres.
    pub eye: Vec3,
    /// Radians clockwise from north.
    pub heading: f32,
    /// Radians up.
    pub pitch: f32,
}

impl FreeCamera {
    /// A step of `seconds`: the left stick flies, the right one turns; `fast` for long ways.
    pub fn fly(&mut self, reading: &Reading, fast: bool, seconds: f32) {
        self.heading = wrap_heading(self.heading + reading.right.x * TURN * seconds);
        self.pitch = (self.pitch + reading.right.y * TURN * seconds).clamp(-PITCH_LIMIT, PITCH_LIMIT);
        let right = from_heading(self.heading + core::f32::consts::FRAC_PI_2);
        let step = SPEED[usize::from(fast)] * seconds;
        self.eye += self.forward() * (reading.left.y * step) + right * (reading.left.x * step);
    }

    /// Where it looks.
    pub fn forward(&self) -> Vec3 {
        let (up, level) = crate::maths::scalar::sin_cos(self.pitch);
        from_heading(self.heading) * level + Vec3::Z * up
    }

    /// What it sees.
    pub fn view(&self) -> View {
        View { position: self.eye, forward: self.forward(), cos_half_angle: VIEW.0, far: VIEW.1 }
    }
}

/// The tools' state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tools {
    /// The camera, while it flies.
    pub camera: Option<FreeCamera>,
    /// Index into [`SPEEDS`].
    pub speed: usize,
    /// Which of the spawnable things is next.
    pub spawn: u8,
}

impl Tools {
    /// The place before the eyes: the free camera's, else the player's.
    fn place(&self, subjects: &Subjects<'_>) -> Option<(Vec3, Vec3, f32)> {
        match (self.camera, subjects.player) {
            (Some(camera), _) => Some((camera.eye, camera.forward(), camera.heading)),
            (None, Some((feet, heading))) => Some((feet + Vec3::Z * EYES, from_heading(heading), heading)),
            (None, None) => None,
        }
    }

    /// The cross button on `choice`.
    pub fn activate(&mut self, choice: Choice, subjects: &Subjects<'_>) -> Option<Command> {
        match choice {
            Choice::Freeze => Some(Command::Freeze(!subjects.clock?.is_paused())),
            Choice::SingleStep => Some(Command::SingleStep),
            Choice::Slow => Some(self.change_speed(1)),
            Choice::FreeCamera => {
                self.camera = match self.camera {
                    Some(_) => None,
                    None => {
                        let (eye, _, heading) = self.place(subjects)?;
                        Some(FreeCamera { eye, heading, pitch: 0.0 })
                    }
                };
                None
            }
            Choice::Teleport => {
                let (eye, _, heading) = self.place(subjects)?;
                Some(Command::Teleport(eye - Vec3::Z * EYES, heading))
            }
            Choice::Spawn => {
                let (eye, forward, _) = self.place(subjects)?;
                (usize::from(self.spawn) < subjects.spawnable.len())
                    .then_some(Command::Spawn(self.spawn, eye + forward * REACH))
            }
            _ => None,
        }
    }

    /// Left and right on `choice`.
    pub fn adjust(&mut self, choice: Choice, by: isize, subjects: &Subjects<'_>) -> Option<Command> {
        match choice {
            Choice::Slow => Some(self.change_speed(by)),
            Choice::Spawn => {
                let count = subjects.spawnable.len().max(1) as isize;
                self.spawn = (isize::from(self.spawn) + by).rem_euclid(count) as u8;
                None
            }
            _ => None,
        }
    }

    fn change_speed(&mut self, by: isize) -> Command {
        self.speed = (self.speed as isize + by).rem_euclid(SPEEDS.len() as isize) as usize;
        Command::TimeScale(SPEEDS.get(self.speed).copied().unwrap_or(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::GameTimer;
    use crate::pads::Stick;

    fn player() -> Subjects<'static> {
        Subjects {
            player: Some((Vec3::new(1.0, 2.0, 0.0), 0.0)),
            spawnable: &["BRICK", "BOTTLE"],
            ..Subjects::default()
        }
    }

    #[test]
    fn freezing_turns_over_what_the_clock_does() {
        let mut clock = GameTimer::starting_at(0);
        let mut tools = Tools::default();
        let mut freeze =
            |clock: &GameTimer| tools.activate(Choice::Freeze, &Subjects { clock: Some(clock), ..Subjects::default() });
        assert_eq!(freeze(&clock), Some(Command::Freeze(true)));
        let _paused = clock.toggle_pause(0);
        assert_eq!(freeze(&clock), Some(Command::Freeze(false)));
    }

    #[test]
    fn slow_motion_goes_round() {
        let mut tools = Tools::default();
        let scales: std::vec::Vec<_> = (0..4).map(|_| tools.activate(Choice::Slow, &player())).collect();
        assert_eq!(scales, [0.5, 0.25, 0.1, 1.0].map(|scale| Some(Command::TimeScale(scale))));
        assert_eq!(tools.adjust(Choice::Slow, -1, &player()), Some(Command::TimeScale(0.1)));
    }

    #[test]
    fn the_camera_starts_at_the_players_eyes_and_flies_where_it_looks() {
        let mut tools = Tools::default();
        assert_eq!(tools.activate(Choice::FreeCamera, &player()), None);
        let camera = tools.camera.as_mut().unwrap();
        assert_eq!(camera.eye, Vec3::new(1.0, 2.0, EYES));
        let ahead = Reading { left: Stick { x: 0.0, y: 1.0 }, ..Reading::default() };
        camera.fly(&ahead, false, 0.5);
        assert!((camera.eye - Vec3::new(1.0, 5.0, EYES)).length() < 1e-3, "{:?}", camera.eye);
        let up = Reading { right: Stick { x: 0.0, y: 1.0 }, ..Reading::default() };
        for _ in 0..100 {
            camera.fly(&up, true, 0.1);
        }
        assert!(camera.pitch <= PITCH_LIMIT);
        assert_eq!(tools.activate(Choice::FreeCamera, &player()), None);
        assert_eq!(tools.camera, None);
    }

    #[test]
    fn the_player_comes_to_the_camera_with_its_feet_below() {
        let mut tools = Tools {
            camera: Some(FreeCamera { eye: Vec3::new(5.0, 5.0, 4.0), ..FreeCamera::default() }),
            ..Tools::default()
        };
        let Some(Command::Teleport(feet, _)) = tools.activate(Choice::Teleport, &player()) else {
            panic!("no command")
        };
        assert!((feet - Vec3::new(5.0, 5.0, 4.0 - EYES)).length() < 1e-6);
    }

    #[test]
    fn things_appear_before_the_eyes_and_only_things_that_exist() {
        let mut tools = Tools::default();
        let place = Vec3::new(1.0, 2.0 + REACH, EYES);
        assert_eq!(tools.activate(Choice::Spawn, &player()), Some(Command::Spawn(0, place)));
        assert_eq!(tools.adjust(Choice::Spawn, -1, &player()), None);
        assert_eq!(tools.spawn, 1);
        assert_eq!(tools.activate(Choice::Spawn, &Subjects::default()), None);
        assert_eq!(tools.activate(Choice::Spawn, &Subjects { spawnable: &[], ..player() }), None);
    }
}
