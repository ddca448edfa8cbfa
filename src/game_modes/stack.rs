//! The stack of modes and the main loop.

use super::id::ModeId;
use super::mode::{ModeClock, ModeHost, Stay, VIEWPORTS};
use core::fmt;

/// Modes that can be on the stack at once. Source: seed 003, Game mode (what fits before the next global).
pub const MOST_MODES: usize = 12;

/// Why a mode was not pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeError {
    /// Twelve modes are on the stack.
    StackFull(ModeId),
    /// The mode is on the stack already.
    AlreadyOn(ModeId),
    /// The game has no such mode.
    Missing(ModeId),
}

impl fmt::Display for ModeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StackFull(id) => write!(f, "no room on the mode stack for {}", id.name()),
            Self::AlreadyOn(id) => write!(f, "{} is on the mode stack already", id.name()),
            Self::Missing(id) => write!(f, "no mode {}", id.name()),
        }
    }
}

/// What every mode has.
///
/// Source: seed 003, Game mode, the base's layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Base {
    /// The mode's clock at its last update, in ticks.
    stamp: u64,
    entered: bool,
    /// The viewports' screen effects before the mode began.
    effects: [u32; VIEWPORTS],
}

/// Which modes are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModeStack {
    modes: heapless::Vec<ModeId, MOST_MODES>,
    bases: [Base; ModeId::NUMBERS],
}

impl ModeStack {
    /// No modes.
    pub const fn new() -> Self {
        let base = Base { stamp: 0, entered: false, effects: [0; VIEWPORTS] };
        Self { modes: heapless::Vec::new(), bases: [base; ModeId::NUMBERS] }
    }

    /// The mode on top.
    // Covers: seed 003, GameModeStack_Top (0x0015e718) test=a_push_does_not_enter
    pub fn top(&self) -> Option<ModeId> {
        self.modes.last().copied()
    }

    /// The number of the mode on top; 0 when the stack is empty.
    // Covers: seed 003, GameModeStack_TopId (0x0015e748) test=a_push_does_not_enter
    pub fn top_id(&self) -> u8 {
        self.top().map_or(0, ModeId::number)
    }

    /// The modes from the bottom to the top.
    pub fn modes(&self) -> &[ModeId] {
        &self.modes
    }

    /// True from a mode's enter to its exit.
    pub const fn is_entered(&self, id: ModeId) -> bool {
        self.bases[id.index()].entered
    }
}

/// Puts a mode on top. A top that has been entered is suspended; the new one is entered by the loop, not here.
///
/// Our choice: a thirteenth mode, and a mode that is on the stack already, are errors that change nothing; the original
/// checks neither, writes behind its array, and gives both entries one state.
// Covers: seed 003, GameModeStack_Push (0x0015e5e8) test=a_push_does_not_enter
pub fn push<G: ModeHost>(game: &mut G, id: ModeId) -> Result<(), ModeError> {
    if !G::MODES.has(id) {
        return Err(ModeError::Missing(id));
    }
    if game.stack().modes.contains(&id) {
        return Err(ModeError::AlreadyOn(id));
    }
    if game.stack().modes.is_full() {
        return Err(ModeError::StackFull(id));
    }
    if let Some(top) = game.stack().top().filter(|top| game.stack().is_entered(*top)) {
        call(game, top, |entry| entry.suspend);
    }
    // A suspended mode may have pushed in its turn, so the room is asked for again.
    game.stack_mut().modes.push(id).map_err(|_| ModeError::StackFull(id))
}

/// Takes the top off: it exits if it was entered, and the new top resumes if that was.
// Covers: seed 003, GameModeStack_Pop (0x0015e650) test=a_mode_that_pushes_and_leaves_pops_what_it_pushed
pub fn pop<G: ModeHost>(game: &mut G) -> Option<ModeId> {
    let popped = game.stack_mut().modes.pop()?;
    exit(game, popped);
    if let Some(top) = game.stack().top().filter(|top| game.stack().is_entered(*top)) {
        call(game, top, |entry| entry.resume);
    }
    Some(popped)
}

/// One round of the main loop: enters the top if it is new, runs its update, and pops when that says so. The pop takes
/// whatever is on top by then: a mode that pushes another and leaves in the same update pops the one that it pushed.
///
/// Says whether there was a mode to run.
// Covers: seed 003, GameMode::Update test=a_pushed_mode_runs_between_suspend_and_resume
pub fn run_once<G: ModeHost>(game: &mut G) -> bool {
    let Some(mode) = game.stack().top() else {
        return false;
    };
    if !game.stack().is_entered(mode) {
        enter(game, mode);
    }
    let stay = G::MODES.get(mode).map_or(Stay::Leave, |entry| (entry.update)(game));
    if stay == Stay::Leave {
        pop(game);
    }
    true
}

/// The main loop: runs the mode on top until there is none.
// Covers: seed 003, GameModeStack_RunUntilEmpty (0x0015e6b8) test=a_pushed_mode_runs_between_suspend_and_resume
pub fn run_until_empty<G: ModeHost>(game: &mut G) {
    while run_once(game) {}
}

/// Ticks of a mode's clock since this was last called for it, or since it was entered.
pub fn elapsed_since_last<G: ModeHost>(game: &mut G, id: ModeId) -> u64 {
    let now = now(game, id);
    let base = &mut game.stack_mut().bases[id.index()];
    let elapsed = now.saturating_sub(base.stamp);
    base.stamp = now;
    elapsed
}

fn now<G: ModeHost>(game: &G, id: ModeId) -> u64 {
    game.clock(G::MODES.get(id).map_or(ModeClock::Game, |entry| entry.clock))
}

/// The base's enter: keeps the viewports' screen effects, then the mode's own enter.
///
/// Our choice: the time stamp becomes the clock's now, so that the first elapsed time is none on a clock that has not moved.
// Covers: seed 003, GameMode::Enter test=screen_effects_are_kept_on_enter_and_put_back_on_exit
pub(super) fn enter<G: ModeHost>(game: &mut G, id: ModeId) {
    let effects = core::array::from_fn(|viewport| game.screen_effect(viewport));
    game.stack_mut().bases[id.index()].effects = effects;
    call(game, id, |entry| entry.enter);
    let stamp = now(game, id);
    let base = &mut game.stack_mut().bases[id.index()];
    base.stamp = stamp;
    base.entered = true;
}

/// The base's exit: puts the screen effects back, then the mode's own exit.
///
/// Our choice: a mode that was never entered has none, where the original's pop asks nothing: it would put back effects that
/// nobody kept.
// Covers: seed 003, GameMode::Exit test=screen_effects_are_kept_on_enter_and_put_back_on_exit
fn exit<G: ModeHost>(game: &mut G, id: ModeId) {
    if !game.stack().is_entered(id) {
        return;
    }
    let effects = game.stack().bases[id.index()].effects;
    for (viewport, effect) in effects.into_iter().enumerate() {
        game.set_screen_effect(viewport, effect);
    }
    call(game, id, |entry| entry.exit);
    game.stack_mut().bases[id.index()].entered = false;
}

// Covers: seed 003, GameMode::Resume test=a_pushed_mode_runs_between_suspend_and_resume
// Covers: seed 003, GameMode::Suspend test=a_pushed_mode_runs_between_suspend_and_resume
fn call<G: ModeHost>(game: &mut G, id: ModeId, which: impl FnOnce(&super::mode::ModeEntry<G>) -> fn(&mut G)) {
    if let Some(entry) = G::MODES.get(id) {
        which(&entry)(game);
    }
}

#[cfg(test)]
mod tests {
    use super::super::mode::{GameMode, ModeTable};
    use super::*;
    use crate::clock::time::STEP;
    use std::string::String;
    use std::vec::Vec;
    use std::{format, vec};

    /// A game whose modes write down what happens and do what they are told.
    #[derive(Default)]
    struct Game {
        stack: ModeStack,
        now: u64,
        effects: [u32; VIEWPORTS],
        log: Vec<String>,
        updates: Vec<(ModeId, Act)>,
        elapsed: Vec<u64>,
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Act {
        Stay,
        Leave,
        Push(ModeId),
        PushAndLeave(ModeId),
        Effect(u32),
    }

    impl Game {
        fn note(&mut self, id: ModeId, what: &str) {
            self.log.push(format!("{}.{what}", id.number()));
        }
    }

    impl ModeHost for Game {
        const MODES: &'static ModeTable<Self> =
            &ModeTable::new().with::<Logged<1>>().with::<Logged<5>>().with::<Logged<6>>().with::<Logged<8>>();

        fn stack(&self) -> &ModeStack {
            &self.stack
        }
        fn stack_mut(&mut self) -> &mut ModeStack {
            &mut self.stack
        }
        fn clock(&self, _clock: ModeClock) -> u64 {
            self.now
        }
        fn screen_effect(&self, viewport: usize) -> u32 {
            self.effects[viewport]
        }
        fn set_screen_effect(&mut self, viewport: usize, effect: u32) {
            self.effects[viewport] = effect;
        }
    }

    struct Logged<const NUMBER: u8>;

    const fn id(number: u8) -> ModeId {
        match number {
            1 => ModeId::Gameplay,
            5 => ModeId::LegalScreen,
            6 => ModeId::MemoryCard,
            _ => ModeId::LevelFlow,
        }
    }

    impl<const NUMBER: u8> GameMode<Game> for Logged<NUMBER> {
        const ID: ModeId = id(NUMBER);

        fn enter(game: &mut Game) {
            game.note(Self::ID, "enter");
        }
        fn exit(game: &mut Game) {
            let effects = game.effects;
            game.note(Self::ID, "exit");
            assert!(!effects.contains(&99), "the effects are put back before the mode's own exit");
        }
        fn resume(game: &mut Game) {
            game.note(Self::ID, "resume");
        }
        fn suspend(game: &mut Game) {
            game.note(Self::ID, "suspend");
        }
        fn update(game: &mut Game) -> Stay {
            game.note(Self::ID, "update");
            let elapsed = elapsed_since_last(game, Self::ID);
            game.elapsed.push(elapsed);
            let at = game.updates.iter().position(|(mode, _)| *mode == Self::ID);
            match at.map(|at| game.updates.remove(at).1) {
                Some(Act::Stay) => Stay::Stay,
                Some(Act::Push(other)) => {
                    push(game, other).unwrap();
                    Stay::Stay
                }
                Some(Act::PushAndLeave(other)) => {
                    push(game, other).unwrap();
                    Stay::Leave
                }
                Some(Act::Effect(effect)) => {
                    game.effects = [effect; VIEWPORTS];
                    Stay::Stay
                }
                Some(Act::Leave) | None => Stay::Leave,
            }
        }
    }

    const BOTTOM: ModeId = ModeId::LevelFlow;
    const TOP: ModeId = ModeId::Gameplay;

    #[test]
    fn a_pushed_mode_runs_between_suspend_and_resume() {
        let mut game = Game { updates: vec![(BOTTOM, Act::Push(TOP)), (TOP, Act::Leave)], ..Game::default() };
        push(&mut game, BOTTOM).unwrap();
        run_until_empty(&mut game);
        let expected =
            ["8.enter", "8.update", "8.suspend", "1.enter", "1.update", "1.exit", "8.resume", "8.update", "8.exit"];
        assert_eq!(game.log, expected);
        assert_eq!(game.stack.top_id(), 0);
    }

    #[test]
    fn a_push_does_not_enter() {
        let mut game = Game::default();
        push(&mut game, BOTTOM).unwrap();
        assert_eq!((game.stack.is_entered(BOTTOM), game.stack.top_id(), game.log.len()), (false, 8, 0));
    }

    #[test]
    fn a_push_over_a_mode_that_was_not_entered_suspends_nothing() {
        let mut game = Game::default();
        push(&mut game, BOTTOM).unwrap();
        push(&mut game, ModeId::MemoryCard).unwrap();
        push(&mut game, ModeId::LegalScreen).unwrap();
        assert!(run_once(&mut game));
        assert_eq!(game.log, ["5.enter", "5.update", "5.exit"], "the new top was not entered, so it does not resume");
        assert_eq!(game.stack.modes(), [BOTTOM, ModeId::MemoryCard]);
    }

    #[test]
    fn a_mode_that_pushes_and_leaves_pops_what_it_pushed() {
        let mut game = Game { updates: vec![(BOTTOM, Act::PushAndLeave(TOP))], ..Game::default() };
        push(&mut game, BOTTOM).unwrap();
        assert!(run_once(&mut game));
        assert_eq!(game.log, ["8.enter", "8.update", "8.suspend", "8.resume"]);
        assert_eq!((game.stack.top_id(), game.stack.is_entered(BOTTOM)), (8, true));
    }

    #[test]
    fn what_cannot_be_pushed_changes_nothing() {
        let mut game = Game::default();
        push(&mut game, BOTTOM).unwrap();
        assert_eq!(push(&mut game, BOTTOM), Err(ModeError::AlreadyOn(BOTTOM)));
        assert_eq!(push(&mut game, ModeId::Pause), Err(ModeError::Missing(ModeId::Pause)));
        assert_eq!(game.stack.modes(), [BOTTOM]);
    }

    #[test]
    fn the_stack_holds_twelve_modes_and_a_thirteenth_is_an_error() {
        let mut game = super::super::fake::FakeGame::default();
        for id in &ModeId::ALL[..MOST_MODES] {
            push(&mut game, *id).unwrap();
        }
        let thirteenth = ModeId::ALL[MOST_MODES];
        assert_eq!(push(&mut game, thirteenth), Err(ModeError::StackFull(thirteenth)));
        assert_eq!(game.stack.modes(), &ModeId::ALL[..MOST_MODES]);
        assert_eq!(format!("{}", ModeError::StackFull(thirteenth)), "no room on the mode stack for arena menus");
    }

    #[test]
    fn screen_effects_are_kept_on_enter_and_put_back_on_exit() {
        let updates = vec![(TOP, Act::Effect(99)), (TOP, Act::Leave)];
        let mut game = Game { updates, effects: [3, 4], ..Game::default() };
        push(&mut game, TOP).unwrap();
        assert!(run_once(&mut game));
        assert_eq!(game.effects, [99, 99]);
        assert!(run_once(&mut game));
        assert_eq!(game.effects, [3, 4]);
    }

    #[test]
    fn the_first_elapsed_time_counts_from_enter_and_later_ones_from_the_last_update() {
        let mut game = Game { updates: vec![(TOP, Act::Stay), (TOP, Act::Stay)], now: 5000, ..Game::default() };
        push(&mut game, TOP).unwrap();
        for _ in 0..3 {
            assert!(run_once(&mut game));
            game.now += STEP;
        }
        assert_eq!(game.elapsed, [0, STEP, STEP]);
    }

    #[test]
    fn an_empty_stack_ends_the_loop() {
        let mut game = Game::default();
        assert!(!run_once(&mut game));
        assert_eq!((pop(&mut game), game.stack.top()), (None, None));
        run_until_empty(&mut game);
    }
}
