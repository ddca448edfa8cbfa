//! What a mode is, and what it needs of the game.

use super::id::ModeId;
use super::stack::ModeStack;

/// Viewports that a screen can be split into.
pub const VIEWPORTS: usize = 2;

/// What an update says about its mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stay {
    /// Pop the top of the stack.
    #[default]
    Leave,
    /// Run again.
    Stay,
}

/// The clock that a mode runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeClock {
    /// Real time.
    Real,
    /// Game time.
    Game,
}

/// One mode: functions over the game, which owns the mode's state.
pub trait GameMode<G> {
    /// Its number.
    const ID: ModeId;
    /// The clock that [`elapsed_since_last`](super::elapsed_since_last) reads for it.
    const CLOCK: ModeClock = ModeClock::Game;

    /// The mode begins.
    fn enter(_game: &mut G) {}
    /// The mode ends.
    fn exit(_game: &mut G) {}
    /// The mode is on top again.
    fn resume(_game: &mut G) {}
    /// Another mode was pushed on top.
    fn suspend(_game: &mut G) {}
    /// One frame.
    fn update(game: &mut G) -> Stay;
}

/// The game, as far as the stack needs it.
pub trait ModeHost: Sized + 'static {
    /// The modes that the game has.
    const MODES: &'static ModeTable<Self>;

    /// The stack.
    fn stack(&self) -> &ModeStack;
    /// The stack.
    fn stack_mut(&mut self) -> &mut ModeStack;
    /// A clock's time now, in ticks.
    fn clock(&self, clock: ModeClock) -> u64;
    /// A viewport's screen effect, which a mode may change and which is put back when it ends.
    fn screen_effect(&self, viewport: usize) -> u32;
    /// Sets a viewport's screen effect.
    fn set_screen_effect(&mut self, viewport: usize, effect: u32);
}

/// A mode's functions.
pub(super) struct ModeEntry<G> {
    pub clock: ModeClock,
    pub enter: fn(&mut G),
    pub exit: fn(&mut G),
    pub resume: fn(&mut G),
    pub suspend: fn(&mut G),
    pub update: fn(&mut G) -> Stay,
}

impl<G> Clone for ModeEntry<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for ModeEntry<G> {}

/// The modes of a game, by number.
pub struct ModeTable<G> {
    entries: [Option<ModeEntry<G>>; ModeId::NUMBERS],
}

impl<G> ModeTable<G> {
    /// No modes.
    pub const fn new() -> Self {
        Self { entries: [const { None }; ModeId::NUMBERS] }
    }

    /// The table with one more mode.
    #[must_use]
    pub const fn with<M: GameMode<G>>(mut self) -> Self {
        self.entries[M::ID.index()] = Some(ModeEntry {
            clock: M::CLOCK,
            enter: M::enter,
            exit: M::exit,
            resume: M::resume,
            suspend: M::suspend,
            update: M::update,
        });
        self
    }

    /// True when the game has the mode.
    pub const fn has(&self, id: ModeId) -> bool {
        self.entries[id.index()].is_some()
    }

    pub(super) const fn get(&self, id: ModeId) -> Option<ModeEntry<G>> {
        self.entries[id.index()]
    }
}

impl<G> Default for ModeTable<G> {
    fn default() -> Self {
        Self::new()
    }
}
