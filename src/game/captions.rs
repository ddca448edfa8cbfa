//! Captions of the game itself: what is said outside of scenes, what teaches, what is called out, and the freezes that go with
//! them.
//!
//! One caption stands at a time ([`Captions`]). It may freeze the game: then it stands as long as the freeze, which a button
//! ends after its least time, unless the caption is of kind 2.
//!
//! Source: seed 003, main, step 6, and Timers (freezes; the caption system at 0x00619570).

use super::Game;
use super::characters_story::Begun;
use super::machine::Machine;
use super::missions::Play;
use super::state::Scheme;
use super::words::Words;
use crate::clock::{PauseChange, time};
use crate::hud::captions::{Caption, CaptionKind, MOST_BYTES};
use core::fmt;
use heapless::String;

/// Real milliseconds before which a button does not end a lesson's freeze. Source: seed 003, Timers (the FREEZE tag's 2000).
const LEAST_MS: u32 = 2000;
/// Real milliseconds that a lesson waits for whoever reads slowly.
const LESSON_MS: u32 = 9000;
/// Real milliseconds for which a round is called out.
const CALL_MS: u32 = 1300;

/// What teaches, in the order in which it comes: seconds of the first mission from which on, and the words of each scheme.
const LESSONS: [(u32, [&str; 2]); 2] = [
    (
        1,
        [
            "The left stick walks, and runs when it is pushed far. The right stick looks around.",
            "The stick up walks, to the side it turns. L2 held runs. The right stick looks around.",
        ],
    ),
    (
        7,
        [
            "Square strikes, R1 blocks, circle grabs and throws. Triangle takes; at a run it jumps.",
            "Square strikes, R1 blocks, circle grabs and throws. R2 takes, triangle charges a jump.",
        ],
    ),
];
/// Real milliseconds for which it stands when Jo says what comes.
const CALL_OUT_MS: u32 = 5000;
/// Who speaks where nobody is seen to.
pub(super) const SPEAKER: &str = "JO, YOUR FRIEND";
/// What Jo says when an act begins, by its volume, and what when rivals of one before it were passed by.
const CALLS: [(&str, [&str; 2]); 3] = [
    ("arena_1", ["Dockers! They want a fight, so give them one."; 2]),
    (
        "chase",
        [
            "See the pink mark? He runs to warn the gulls. Catch him!",
            "You left the dockers behind. The pink mark runs to warn the gulls: catch him!",
        ],
    ),
    (
        "arena_2",
        [
            "The gulls hold the gate. It opens when all of them are beaten.",
            "The gulls hold the gate. It opens when all are beaten, and those behind you come too.",
        ],
    ),
];

/// What is said when an act begins.
fn call(begun: Begun) -> Option<&'static str> {
    let (_, words) = CALLS.iter().find(|(volume, _)| *volume == begun.volume)?;
    Some(words[usize::from(begun.passed_by)])
}

/// What ends a lesson.
const GO_ON: &str = "CROSS: GO ON";

/// When a caption goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// With the freeze that it came with.
    Thaw,
    /// At this real time, in ticks.
    Time(u64),
}

/// The caption that stands.
#[derive(Clone, Debug, Default)]
pub struct Captions {
    words: String<MOST_BYTES>,
    speaker: &'static str,
    kind: CaptionKind,
    until: Option<Until>,
    /// What is said next: one thing, the newest.
    next: Option<&'static str>,
    /// Lessons that were given since the program began.
    taught: usize,
}

impl Captions {
    /// Sets the caption; what does not fit is cut.
    fn set(&mut self, kind: CaptionKind, words: fmt::Arguments<'_>, until: Until) {
        self.words.clear();
        let _cut = fmt::Write::write_fmt(&mut self.words, words);
        (self.kind, self.until, self.speaker) = (kind, Some(until), "");
    }

    /// Moves on to real time `real`, in ticks; `frozen` says whether the game's clock is.
    fn step(&mut self, real: u64, frozen: bool) {
        let over = match self.until {
            Some(Until::Thaw) => !frozen,
            Some(Until::Time(end)) => real >= end,
            None => false,
        };
        if over {
            self.clear();
        }
    }

    /// No caption stands.
    pub fn clear(&mut self) {
        self.until = None;
    }

    /// No caption stands and none is to come.
    pub fn clear_all(&mut self) {
        (self.until, self.next) = (None, None);
    }

    /// Says what is next, when nothing stands. Says whether it does.
    fn say_next(&mut self, words: &Words, real: u64) -> bool {
        if self.until.is_some() {
            return false;
        }
        let Some(next) = self.next.take() else { return false };
        let end = real + time::from_milliseconds(CALL_OUT_MS);
        self.set(CaptionKind::SPOKEN, format_args!("{}", words.of(next)), Until::Time(end));
        self.speaker = SPEAKER;
        true
    }

    /// A caption of kind 2 is showing: it keeps a freeze until its time runs out.
    ///
    /// Source: seed 003, Timers (0x001cae58).
    pub fn holds(&self) -> bool {
        self.until.is_some() && self.kind.holds()
    }

    /// What stands, if something does.
    pub fn shown(&self) -> Option<Caption<'_>> {
        self.until.map(|_| Caption { kind: self.kind, speaker: self.speaker, text: &self.words })
    }

    /// What a button does while it stands.
    pub fn hint(&self) -> &'static str {
        if self.until == Some(Until::Thaw) && !self.kind.holds() { GO_ON } else { "" }
    }
}

impl<M: Machine> Game<M> {
    /// True while a caption of kind 2 is showing.
    pub(super) fn is_held_by_caption(&self) -> bool {
        self.captions.as_deref().is_some_and(Captions::holds)
    }

    /// Freezes the game with a caption: for `milliseconds` of real time, of which no button ends the first `least`.
    pub(super) fn freeze_with(&mut self, kind: CaptionKind, words: &str, milliseconds: u32, least: u32) {
        let Some(captions) = self.captions.as_deref_mut() else { return };
        let said = self.words.of(words);
        match self.clock.freeze(self.real, milliseconds, least) {
            PauseChange::Began => {
                captions.set(kind, format_args!("{said}"), Until::Thaw);
                self.input.pads.refresh();
            }
            // A game that stands already goes on by itself: the words have their own time.
            PauseChange::Ended | PauseChange::Unchanged => {
                let end = self.real + time::from_milliseconds(milliseconds);
                captions.set(kind, format_args!("{said}"), Until::Time(end));
            }
        }
    }

    /// A frame of the captions, after the rules: what is due is said, and what is over goes.
    pub(super) fn step_captions(&mut self) {
        let (real, frozen) = (self.real, self.clock.is_frozen());
        if let Some(captions) = self.captions.as_deref_mut() {
            captions.step(real, frozen);
        }
        if core::mem::take(&mut self.rules.calls_round)
            && let Some((round, rounds)) = self.rules.arena.map(|arena| arena.round())
        {
            let mut words = String::<40>::new();
            // Rounds are few.
            let _fits = fmt::Write::write_fmt(&mut words, format_args!("ROUND {round} OF {rounds}"));
            self.words.say(&mut words);
            self.freeze_with(CaptionKind::CALLED, &words, CALL_MS, CALL_MS);
        }
        self.teach();
        self.call_out();
    }

    /// What begins is told, once nothing else is said.
    fn call_out(&mut self) {
        let begun = self.people.as_deref_mut().and_then(|people| people.story.take_begun());
        let plays = self.is_played() && !self.staging.is_playing() && !self.clock.is_frozen();
        let opening = self.is_opening_said();
        let Some(captions) = self.captions.as_deref_mut().filter(|_| self.state.settings.captions) else { return };
        captions.next = begun.and_then(call).or(captions.next);
        if plays && !opening && captions.say_next(&self.words, self.real) {
            self.machine.print(format_args!("CAPTION {}", captions.words));
        }
    }

    /// The first mission's lessons: each once, and never to whoever has completed it or wants no captions.
    fn teach(&mut self) {
        let is_first = self.rules.play() == Some(Play::Mission(0)) && !self.state.is_completed(0);
        let wanted = self.options.scenes
            && self.state.settings.captions
            && is_first
            && self.is_played()
            && self.input.demo.is_none();
        let Some(captions) = self.captions.as_deref_mut().filter(|captions| wanted && captions.until.is_none()) else {
            return;
        };
        let Some((from, words)) = LESSONS.get(captions.taught).filter(|(from, _)| self.rules.seconds() >= *from) else {
            return;
        };
        captions.taught += 1;
        let words = words[usize::from(self.state.settings.scheme == Scheme::Commands)];
        self.machine.print(format_args!("CAPTION lesson from second {from}"));
        self.freeze_with(CaptionKind::LESSON, words, LESSON_MS, LEAST_MS);
    }
}

/// Every word that is said here, for the languages' test.
#[cfg(test)]
pub(super) fn all_words() -> impl Iterator<Item = &'static str> {
    let calls = CALLS.iter().flat_map(|(_, words)| *words);
    LESSONS.iter().flat_map(|(_, words)| *words).chain(calls).chain([GO_ON, SPEAKER])
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, game};
    use super::*;
    use crate::boot::start::StartHost as _;
    use crate::game_modes::{ModeId, run_once};
    use crate::pads::Script;
    use std::boxed::Box;

    /// A game in its first mission, with captions and scenes.
    fn first_mission() -> Box<FakeGame> {
        let mut game = game();
        game.options.scenes = true;
        game.initialize_subsystems().unwrap();
        game.set_up_subtitles().unwrap();
        game.input.script = Script::parse("9x,9x");
        game.push_mode(ModeId::LevelFlow);
        for _ in 0..60 {
            if game.stack.top() == Some(ModeId::Gameplay) {
                break;
            }
            run(&mut game, 1);
        }
        // A mode is entered by the loop's next round.
        run(&mut game, 1);
        assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
        game
    }

    fn run(game: &mut FakeGame, frames: u32) {
        for _ in 0..frames {
            run_once(game);
            game.after_round();
        }
    }

    fn frames(milliseconds: u32) -> u32 {
        milliseconds * 30 / 1000
    }

    /// Runs until the game is frozen.
    fn until_frozen(game: &mut FakeGame) {
        for _ in 0..600 {
            if game.clock.is_frozen() {
                return;
            }
            run(game, 1);
        }
        panic!("nothing froze the game");
    }

    #[test]
    fn the_first_mission_teaches_with_freezes_that_a_button_ends_after_two_seconds() {
        let mut game = first_mission();
        until_frozen(&mut game);
        let time = game.clock.ticks();
        let shown = game.captions.as_deref().unwrap();
        assert!(shown.shown().unwrap().text.contains("left stick") && shown.hint() == GO_ON);
        game.input.script = Script::parse("20x,45x");
        run(&mut game, 30);
        assert!(game.clock.is_frozen(), "let go too early");
        run(&mut game, 50);
        assert!(!game.clock.is_frozen() && game.captions.as_deref().unwrap().shown().is_none());
        until_frozen(&mut game);
        assert!(game.clock.ticks() > time, "the second one");
        run(&mut game, frames(LESSON_MS) + 3);
        assert!(!game.clock.is_frozen(), "who does nothing plays on in the end");
        run(&mut game, 400);
        assert!(!game.clock.is_frozen(), "each is given once");
    }

    #[test]
    fn what_begins_is_said_when_nothing_else_stands_and_the_newest_only() {
        let (mut captions, words) = (Captions::default(), Words::default());
        captions.set(CaptionKind::LESSON, format_args!("a lesson"), Until::Thaw);
        captions.next = Some("first");
        assert!(!captions.say_next(&words, 0), "one at a time");
        captions.next = Some("second");
        captions.step(1, false);
        assert!(captions.say_next(&words, 1));
        let shown = captions.shown().unwrap();
        assert_eq!((shown.text, shown.speaker, captions.hint()), ("second", SPEAKER, ""));
        assert!(!captions.say_next(&words, 1), "said once");
        captions.step(1 + time::from_milliseconds(CALL_OUT_MS), false);
        assert!(captions.shown().is_none());
        for act in crate::game::characters_acts::ACTS.iter().filter_map(|act| act.volume) {
            for passed_by in [false, true] {
                let said = call(Begun { volume: act, passed_by }).expect("each act is told");
                assert!(said.len() <= MOST_BYTES, "{said}");
            }
        }
    }

    #[test]
    fn nobody_is_taught_twice_or_against_the_wish() {
        for change in [
            |game: &mut FakeGame| game.state.settings.captions = false,
            |game: &mut FakeGame| game.state.complete(0, 3),
        ] {
            let mut game = first_mission();
            change(&mut game);
            run(&mut game, 300);
            assert_eq!(game.machine.said("CAPTION"), 0);
        }
    }

    #[test]
    fn what_is_called_out_holds_the_game_until_its_time_is_over() {
        let mut game = first_mission();
        game.freeze_with(CaptionKind::CALLED, "ROUND 1 OF 3", 3000, 0);
        game.input.script = Script::parse("9x,9x,9s,9x");
        let time = game.clock.ticks();
        run(&mut game, frames(3000) - 3);
        assert!(game.clock.is_frozen() && game.is_held_by_caption(), "no button ends it");
        assert_eq!((game.clock.ticks(), game.stack.top()), (time, Some(ModeId::Gameplay)), "nor opens the pause");
        run(&mut game, 6);
        assert!(!game.clock.is_frozen() && !game.is_held_by_caption());
    }

    #[test]
    fn start_ends_a_lesson_and_opens_the_pause_that_goes_on_afterwards() {
        let mut game = first_mission();
        until_frozen(&mut game);
        game.input.script = Script::parse("9s,9s");
        run(&mut game, 15);
        assert_eq!((game.stack.top(), game.clock.is_paused()), (Some(ModeId::Pause), true));
        run(&mut game, 15);
        assert_eq!((game.stack.top(), game.clock.is_paused()), (Some(ModeId::Gameplay), false));
    }
}
