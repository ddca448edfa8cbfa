//! The game's clock.

use super::time::{self, LONGEST_FRAME, STEP};

/// Which camera player 0 looks through, as far as the clock asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayerCamera {
    /// There is none.
    #[default]
    None,
    /// A scene's (type 4).
    Scene,
    /// Any other.
    Play,
}

/// What the pads say about the button that ends a freeze (mask 0x40, cross).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContinueButton {
    /// No player has a pad.
    #[default]
    NoPad,
    /// Nobody has let go of it in this frame.
    Quiet,
    /// A player held it in the last frame and does not now.
    Released,
}

/// What the clock must know of the world in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// Decides whether a long frame is cut to 40 ms.
    pub camera: PlayerCamera,
    /// Ends a freeze.
    pub button: ContinueButton,
    /// A caption of kind 2 is showing, which keeps a freeze until its time runs out.
    pub held_by_caption: bool,
}

/// What a call did to the pause.
#[must_use = "a pause that begins refreshes the players' input"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseChange {
    /// The pause began: the input of every player who has one is to be read anew.
    Began,
    /// The pause ended.
    Ended,
    /// As before.
    Unchanged,
}

/// When a freeze ends, in real milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Freeze {
    end: u32,
    /// Before this the button does not end it.
    earliest: u32,
}

/// The game's clock: game time, which everything reads, and an unscaled clock beside it.
///
/// Real time comes in as ticks of one clock that never goes back.
///
/// Source: seed 003, Timers.
#[derive(Clone, Debug, PartialEq)]
pub struct GameTimer {
    real: u64,
    game_base: u64,
    unscaled_base: u64,
    unscaled: u64,
    unscaled_milliseconds: u32,
    game: u64,
    game_milliseconds: u32,
    scale: f32,
    fixed: bool,
    single_step: bool,
    paused: bool,
    freeze: Option<Freeze>,
    lost: u64,
}

impl GameTimer {
    /// A clock at 0, running in real time from `real` on, at scale 1.
    pub const fn starting_at(real: u64) -> Self {
        Self {
            real,
            game_base: real,
            unscaled_base: real,
            unscaled: 0,
            unscaled_milliseconds: 0,
            game: 0,
            game_milliseconds: 0,
            scale: 1.0,
            fixed: false,
            single_step: false,
            paused: false,
            freeze: None,
            lost: 0,
        }
    }

    /// Moves both clocks on by one frame; `real` is real time now, in ticks.
    // Covers: seed 003, GameTimer::Update (0x00145a10) test=clock::sentences::thirty_fixed_updates_are_one_second
    // Covers: seed 003, GameTimer (0x0050b734) test=clock::sentences::thirty_fixed_updates_are_one_second
    // Covers: seed 003, step 6 game timer test=clock::sentences::thirty_fixed_updates_are_one_second
    pub fn update(&mut self, real: u64, conditions: &Conditions) {
        self.real = real;
        // Our choice: the step that is asked for while paused is a fixed one on real time too, where the original's branch never
        // looks: a level runs on real time, and a debugger steps through that.
        if self.fixed || (self.paused && self.single_step) {
            self.step_fixed();
        } else if !self.paused {
            self.step_real(conditions.camera);
        }
        if self.paused && self.freeze.is_some_and(|freeze| freeze.ends(time::milliseconds(real), conditions)) {
            self.unpause();
        }
        self.game_milliseconds = time::milliseconds(self.game);
        self.unscaled_milliseconds = time::milliseconds(self.unscaled);
    }

    fn step_fixed(&mut self) {
        if self.paused && !self.single_step {
            return;
        }
        self.single_step = false;
        self.game += time::scaled(STEP, self.scale);
        self.unscaled += STEP;
    }

    fn step_real(&mut self, camera: PlayerCamera) {
        let elapsed = time::scaled(self.real.saturating_sub(self.game_base), self.scale);
        let kept = match camera {
            PlayerCamera::Play if elapsed > LONGEST_FRAME => LONGEST_FRAME,
            _ => elapsed,
        };
        self.lost += elapsed - kept;
        self.game += kept;
        self.unscaled += self.real.saturating_sub(self.unscaled_base);
        self.resynchronise();
    }

    fn resynchronise(&mut self) {
        self.game_base = self.real;
        self.unscaled_base = self.real;
    }

    fn unpause(&mut self) {
        self.paused = false;
        // Our choice: a freeze ends with its pause, whatever ended that; else its time would end a later pause.
        self.freeze = None;
        self.resynchronise();
    }

    /// Begins the pause or ends it; `real` is real time now, in ticks. The paused time is skipped.
    pub fn toggle_pause(&mut self, real: u64) -> PauseChange {
        self.real = real;
        if self.paused {
            self.unpause();
            PauseChange::Ended
        } else {
            self.paused = true;
            PauseChange::Began
        }
    }

    /// Pauses for `milliseconds` of real time, of which the first `least` cannot be cut short by the button. A clock that
    /// is paused already stays as it is.
    pub fn freeze(&mut self, real: u64, milliseconds: u32, least: u32) -> PauseChange {
        if self.paused {
            return PauseChange::Unchanged;
        }
        let change = self.toggle_pause(real);
        let now = time::milliseconds(real);
        self.freeze = Some(Freeze { end: now.wrapping_add(milliseconds), earliest: now.wrapping_add(least) });
        change
    }

    /// Paused, with no freeze: how gameplay begins. Source: seed 003, Timers (mode 1's Enter).
    pub const fn hold(&mut self) {
        self.paused = true;
        self.freeze = None;
    }

    /// Chooses fixed steps or real time; `real` is real time now, in ticks. Leaving the fixed step resynchronises game time
    /// alone: the unscaled clock makes up for the steps that it counted as fixed.
    pub const fn set_fixed(&mut self, fixed: bool, real: u64) {
        if self.fixed && !fixed {
            self.game_base = real;
        }
        self.fixed = fixed;
    }

    /// Asks for one fixed step even while the clock is paused.
    pub const fn request_single_step(&mut self) {
        self.single_step = true;
    }

    /// Sets how fast game time runs; 1 is as fast as real time.
    pub const fn set_scale(&mut self, scale: f32) {
        self.scale = scale;
    }

    /// Both clocks at 0 again, running at scale 1 from `real` on; fixed steps stay what they were.
    pub fn reset(&mut self, real: u64) {
        *self = Self { fixed: self.fixed, ..Self::starting_at(real) };
    }

    /// Forgets the real time since the last update, as after a load that blocked.
    pub const fn skip_to(&mut self, real: u64) {
        self.real = real;
        self.game_base = real;
        self.unscaled_base = real;
    }

    /// True while the clock is paused or frozen.
    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    /// True while a freeze lasts.
    pub const fn is_frozen(&self) -> bool {
        self.freeze.is_some()
    }

    /// True while steps are fixed.
    pub const fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// How fast game time runs.
    pub const fn scale(&self) -> f32 {
        self.scale
    }

    /// Game time in ticks.
    pub const fn ticks(&self) -> u64 {
        self.game
    }

    /// Game time in milliseconds, as of the last update.
    pub const fn milliseconds(&self) -> u32 {
        self.game_milliseconds
    }

    /// Game time in seconds: milliseconds times 0.001.
    pub fn seconds(&self) -> f32 {
        self.game_milliseconds as f32 * 0.001
    }

    /// Game time since a tick count, in ticks.
    pub const fn since(&self, then: u64) -> u64 {
        self.game.saturating_sub(then)
    }

    /// Game time since a tick count, in milliseconds.
    pub const fn milliseconds_since(&self, then: u64) -> u32 {
        time::milliseconds(self.since(then))
    }

    /// Game time since a tick count, in seconds.
    pub fn seconds_since(&self, then: u64) -> f32 {
        time::seconds(self.since(then))
    }

    /// The unscaled clock in ticks.
    pub const fn unscaled_ticks(&self) -> u64 {
        self.unscaled
    }

    /// The unscaled clock in milliseconds, as of the last update.
    pub const fn unscaled_milliseconds(&self) -> u32 {
        self.unscaled_milliseconds
    }

    /// Game time that the 40 ms rule has cut off, in ticks, in all.
    ///
    /// Source: settled questions 7 (the loss over an hour is printed).
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}

impl Freeze {
    fn ends(self, now: u32, conditions: &Conditions) -> bool {
        if has_come(self.end, now) {
            return true;
        }
        !conditions.held_by_caption
            && match conditions.button {
                ContinueButton::NoPad => true,
                ContinueButton::Released => has_come(self.earliest, now),
                ContinueButton::Quiet => false,
            }
    }
}

/// True when a time in wrapping milliseconds is now or past.
const fn has_come(time: u32, now: u32) -> bool {
    now.wrapping_sub(time) < u32::MAX / 2
}
