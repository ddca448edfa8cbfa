//! Hints that come back: what to do is told again to whoever does nothing useful for a while.
//!
//! Who stands still is told how to move and what for, who stands in a fight without a blow how one fights. A hint goes in the
//! moment in which it is followed.
//!
//! Our choice: the game teaches by freezing once; whoever put the controller down meanwhile, or has forgotten, gets no second
//! freeze but these rows.

/// Seconds of standing still after which moving is hinted at, and of a fight without a blow after which fighting is.
const STILL_SECONDS: f32 = 4.0;
const FIGHT_SECONDS: f32 = 3.0;
/// Seconds for which a new task stands in the picture's middle.
const TASK_SECONDS: f32 = 5.0;

/// What a player does in a frame, as far as hints go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doing {
    /// The player has somebody in hand: no scene plays, nothing is frozen, nobody is out.
    pub plays: bool,
    /// Moves.
    pub moves: bool,
    /// Strikes, blocks or grabs.
    pub fights: bool,
    /// Somebody to fight is near.
    pub foe_near: bool,
}

/// A hint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hint {
    /// Nothing is hinted at.
    #[default]
    Nothing,
    /// How one moves.
    Move,
    /// How one fights.
    Fight,
}

/// What a player has left undone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hints {
    still: f32,
    without_blow: f32,
    /// The task that was told last, and for how long it has stood.
    task: &'static str,
    task_stands: f32,
}

impl Default for Hints {
    /// Whoever begins is told at once.
    fn default() -> Self {
        Self { still: STILL_SECONDS, without_blow: 0.0, task: "", task_stands: 0.0 }
    }
}

impl Hints {
    /// A frame of `seconds` in which the player was `doing` this, and was to do `task`.
    pub fn step(&mut self, doing: Doing, task: &'static str, seconds: f32) {
        if !doing.plays {
            return;
        }
        if self.task != task {
            (self.task, self.task_stands) = (task, 0.0);
        }
        self.task_stands += seconds;
        self.still = if doing.moves || doing.fights { 0.0 } else { self.still + seconds };
        self.without_blow = if doing.fights || !doing.foe_near { 0.0 } else { self.without_blow + seconds };
    }

    /// What is hinted at after a frame of `doing`.
    pub fn hint(&self, doing: Doing) -> Hint {
        match (doing.plays, doing.foe_near) {
            (true, true) if self.without_blow >= FIGHT_SECONDS => Hint::Fight,
            (true, false) if self.still >= STILL_SECONDS => Hint::Move,
            _ => Hint::Nothing,
        }
    }

    /// The task is to be told in the middle: it is a new one, or the player stands about.
    pub fn reminds(&self, doing: Doing) -> bool {
        doing.plays && (self.task_stands < TASK_SECONDS || self.hint(doing) == Hint::Move)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f32 = 1.0 / 30.0;
    const STANDS: Doing = Doing { plays: true, moves: false, fights: false, foe_near: false };
    const MOVES: Doing = Doing { moves: true, ..STANDS };
    const IN_A_FIGHT: Doing = Doing { foe_near: true, ..STANDS };

    fn after(hints: &mut Hints, doing: Doing, seconds: f32) -> Hint {
        for _ in 0..(seconds / STEP) as u32 {
            hints.step(doing, "TASK", STEP);
        }
        hints.hint(doing)
    }

    #[test]
    fn who_begins_is_told_to_move_and_who_stands_still_is_told_again() {
        let mut hints = Hints::default();
        assert_eq!(after(&mut hints, STANDS, 1.0), Hint::Move);
        hints.step(MOVES, "TASK", STEP);
        assert_eq!(hints.hint(MOVES), Hint::Nothing, "gone at once");
        assert_eq!(after(&mut hints, STANDS, STILL_SECONDS - 0.5), Hint::Nothing, "not yet");
        assert_eq!(after(&mut hints, STANDS, 1.0), Hint::Move);
        assert!(hints.reminds(STANDS), "and what for");
        assert_eq!(after(&mut hints, MOVES, 20.0), Hint::Nothing, "never to who moves");
        assert!(!hints.reminds(MOVES));
    }

    #[test]
    fn who_does_not_strike_in_a_fight_is_told_how_one_fights() {
        let mut hints = Hints::default();
        assert_eq!(after(&mut hints, IN_A_FIGHT, FIGHT_SECONDS - 0.5), Hint::Nothing);
        assert_eq!(
            after(&mut hints, Doing { moves: true, ..IN_A_FIGHT }, 1.0),
            Hint::Fight,
            "running about is no blow"
        );
        let strikes = Doing { fights: true, ..IN_A_FIGHT };
        hints.step(strikes, "TASK", STEP);
        assert_eq!(hints.hint(IN_A_FIGHT), Hint::Nothing, "gone at once");
        assert_eq!(after(&mut hints, IN_A_FIGHT, FIGHT_SECONDS + 0.5), Hint::Fight);
        assert_eq!(after(&mut hints, STANDS, 1.0), Hint::Move, "the fight is over");
    }

    #[test]
    fn nothing_is_hinted_at_while_nobody_plays_and_no_time_passes() {
        let mut hints = Hints::default();
        let before = hints;
        assert_eq!(after(&mut hints, Doing { plays: false, ..IN_A_FIGHT }, 60.0), Hint::Nothing);
        assert_eq!(hints, before);
    }

    #[test]
    fn a_new_task_is_told_once_for_a_while() {
        let mut hints = Hints::default();
        after(&mut hints, MOVES, TASK_SECONDS - 0.5);
        assert!(hints.reminds(MOVES));
        after(&mut hints, MOVES, 1.0);
        assert!(!hints.reminds(MOVES));
        hints.step(MOVES, "ANOTHER", STEP);
        assert!(hints.reminds(MOVES));
    }
}
