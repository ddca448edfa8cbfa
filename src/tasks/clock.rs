//! The clocks of play and pause, in 60 Hz ticks.

/// Ticks in a second.
pub const TICK_RATE: f32 = 60.0;

/// Length of a tick in seconds.
pub const TICK_SECONDS: f32 = 1.0 / 60.0;

/// Which wheel and clock the world runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Phase 0.
    #[default]
    Play,
    /// Phase 1: pause and menus.
    Pause,
}

impl Phase {
    /// Both phases, by number.
    pub const ALL: [Self; 2] = [Self::Play, Self::Pause];
}

/// A point in a phase's time: ticks since the clock was reset.
///
/// Our choice: whole ticks where the original keeps seconds in a single float, which loses a frame's worth of precision
/// within an hour; seconds are computed from differences.
pub type Ticks = u32;

/// The per-phase clocks. Source: seed 000, Clocks and phases (0x00512c60, 0x00512c58).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskClock {
    phase: Phase,
    now: [Ticks; 2],
}

impl TaskClock {
    /// Selects the phase whose time is current.
    // Covers: seed 000, TaskClock_SetPhase (0x003a1570) test=each_phase_keeps_its_own_time
    pub fn set_phase(&mut self, phase: Phase) {
        self.phase = phase;
    }

    /// The current phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Sets the current phase's time.
    // Covers: seed 000, TaskClock_SetTime (0x003a1580) test=each_phase_keeps_its_own_time
    pub fn set_time(&mut self, now: Ticks) {
        self.now[self.phase as usize] = now;
    }

    /// The current phase's time.
    // Covers: seed 000, TaskClock_GetTime (0x003a15a0) test=each_phase_keeps_its_own_time
    #[inline]
    pub fn now(&self) -> Ticks {
        self.now[self.phase as usize]
    }

    /// A phase's time.
    pub fn time_of(&self, phase: Phase) -> Ticks {
        self.now[phase as usize]
    }

    /// Seconds from `then` to `now`; a time in the future counts as none.
    #[inline]
    pub fn seconds_between(then: Ticks, now: Ticks) -> f32 {
        now.saturating_sub(then) as f32 * TICK_SECONDS
    }

    /// Sets both times to zero.
    pub fn reset(&mut self) {
        self.now = [0; 2];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phase_keeps_its_own_time() {
        let mut clock = TaskClock::default();
        clock.set_time(7);
        clock.set_phase(Phase::Pause);
        clock.set_time(3);
        assert_eq!((clock.now(), clock.time_of(Phase::Play)), (3, 7));
        clock.set_phase(Phase::Play);
        assert_eq!(clock.now(), 7);
        clock.reset();
        assert_eq!([clock.time_of(Phase::Play), clock.time_of(Phase::Pause)], [0, 0]);
    }

    #[test]
    fn an_hour_of_ticks_still_measures_one_tick() {
        let late = 60 * 60 * 60;
        assert_eq!(TaskClock::seconds_between(late, late + 1), TICK_SECONDS);
        assert_eq!(TaskClock::seconds_between(late + 1, late), 0.0);
    }
}
