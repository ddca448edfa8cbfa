//! What shakes in the players' hands.
//!
//! Whoever hits, lands or explodes asks for a [`Shaking`] of some strength and length; a stronger one replaces what is left
//! of a weaker one, and each dies away evenly. Once a frame the game tells the controllers what has changed.

use super::Game;
use super::machine::{Machine, Rumble};
use crate::clock::time;
use crate::human::{Humans, Notice};
use crate::pads::PORTS;

/// From this strength on the small motor joins the large one.
const SMALL_MOTOR: f32 = 0.35;
/// The weakest that turns the large motor, whose lowest steps only hum.
const LEAST: f32 = 0.12;

/// How strongly a hit is felt that is light, medium, heavy or crushing, and for how many seconds.
const HIT_LEVELS: [f32; 4] = [0.4, 0.6, 0.85, 1.0];
const HIT_SECONDS: f32 = 0.3;
/// Shares of it that are felt through a block, and by whoever strikes.
const BLOCKED: f32 = 0.5;
const GIVEN: f32 = 0.5;
/// Landings slower than this are not felt, and from the other on they are felt as much as can be, metres a second.
const SOFT_LANDING: f32 = 3.0;
const HARD_LANDING: f32 = 9.0;
const LANDING_SECONDS: f32 = 0.2;

/// A controller's shaking.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Shaking {
    strength: f32,
    length: f32,
    left: f32,
}

impl Shaking {
    fn now(&self) -> f32 {
        if self.left <= 0.0 { 0.0 } else { self.strength * (self.left / self.length) }
    }
}

/// Both controllers' shaking.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rumbler {
    ports: [Shaking; PORTS],
    told: [Rumble; PORTS],
}

impl Rumbler {
    /// Shakes the controller in a port: `strength` of `[0, 1]` dies away over `seconds`. What shakes more already goes on.
    pub fn shake(&mut self, port: usize, strength: f32, seconds: f32) {
        let Some(shaking) = self.ports.get_mut(port) else { return };
        let strength = if strength.is_nan() { 0.0 } else { strength.clamp(0.0, 1.0) };
        if seconds > 0.0 && strength >= shaking.now() {
            *shaking = Shaking { strength, length: seconds, left: seconds };
        }
    }

    /// Lets players feel what has happened to their humans: hits that they take and give, and landings.
    pub fn feel(&mut self, notice: &Notice, humans: &Humans) {
        let port =
            |human: u8| humans.people.get(usize::from(human)).and_then(|human| human.spawn.player).map(usize::from);
        match *notice {
            Notice::Hit { by, human, strength, blocked, .. } => {
                let level =
                    HIT_LEVELS[usize::from(strength).min(HIT_LEVELS.len() - 1)] * if blocked { BLOCKED } else { 1.0 };
                if let Some(port) = port(human) {
                    self.shake(port, level, HIT_SECONDS);
                }
                if let Some(port) = by.and_then(port) {
                    self.shake(port, level * GIVEN, HIT_SECONDS * GIVEN);
                }
            }
            Notice::Landed { human, speed, .. } => {
                if let Some(port) = port(human).filter(|_| speed > SOFT_LANDING) {
                    self.shake(port, (speed / HARD_LANDING).min(1.0), LANDING_SECONDS);
                }
            }
            _ => {}
        }
    }

    /// Nothing shakes any more.
    pub fn stop(&mut self) {
        self.ports = Default::default();
    }

    /// Lets time pass; what each motor is to do that has changed, by port.
    fn step(&mut self, seconds: f32) -> [Option<Rumble>; PORTS] {
        core::array::from_fn(|port| {
            let now = self.ports[port].now();
            self.ports[port].left -= seconds;
            let large = if now < LEAST { 0 } else { (now * 255.0) as u8 };
            let rumble = Rumble { small: now >= SMALL_MOTOR, large };
            let changed = rumble != self.told[port];
            self.told[port] = rumble;
            changed.then_some(rumble)
        })
    }
}

impl<M: Machine> Game<M> {
    /// Tells the controllers what has changed, once a frame. Nothing shakes while time stands or when nobody wants it.
    pub(super) fn step_rumble(&mut self) {
        if !self.state.settings.rumble || self.clock.is_paused() {
            self.rumble.stop();
        }
        for (port, rumble) in self.rumble.step(time::seconds(time::STEP)).into_iter().enumerate() {
            if let Some(rumble) = rumble {
                self.machine.rumble(self.input.port_of(port), rumble);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shaking_dies_away_and_is_told_only_when_it_changes() {
        let mut rumbler = Rumbler::default();
        rumbler.shake(0, 1.0, 0.5);
        assert_eq!(rumbler.step(0.1)[0], Some(Rumble { small: true, large: 255 }));
        let later = rumbler.step(0.3)[0].unwrap();
        assert!(later.large < 255 && later.small, "{later:?}");
        assert!(!rumbler.step(0.1)[0].unwrap().small);
        assert_eq!(rumbler.step(0.1), [Some(Rumble::default()), None]);
        assert_eq!(rumbler.step(0.1), [None, None]);
    }

    #[test]
    fn the_stronger_shaking_wins() {
        let mut rumbler = Rumbler::default();
        rumbler.shake(1, 0.8, 1.0);
        rumbler.shake(1, 0.3, 9.0);
        assert_eq!(rumbler.ports[1].strength, 0.8);
        rumbler.step(0.8);
        rumbler.shake(1, 0.3, 9.0);
        assert_eq!(rumbler.ports[1].strength, 0.3);
        rumbler.shake(7, 1.0, 1.0);
        rumbler.shake(0, f32::NAN, 1.0);
        assert_eq!(rumbler.step(0.1)[0], None);
    }
}
