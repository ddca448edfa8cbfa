//! Held flags: bits that a clip puts on its human while it plays, and gives back when it ends.
//!
//! A move does not know its own length. The caller sets bits on the human and hands them to the clip's task; the clip's
//! events move them from phase to phase; the task clears what it still holds when the clip ends or is cut. A fade may
//! hold bits too. Nothing here knows what a clip shows: a task is a length, a rate, a list of events, and bits.

use super::gates::held;

/// The events of a clip that move held bits. Source: seed 000, Held flags; humans and combat, Animation tasks.
pub mod event {
    /// Opens the chain window.
    pub const WINDOW: u16 = 0x2c;
    /// Ends the attack's window.
    pub const END: u16 = 0x2d;
    /// Sets the counter bit. Our choice of number: the seed knows the event's effect (0x0010208c) only.
    pub const COUNTER: u16 = 0x40;
    /// The recovery replaces what the task holds.
    pub const RECOVERY: u16 = 0x48;
}

/// Characters' frames a second of clip time. Source: humans and combat, Animation tasks.
const CLIP_RATE: f32 = 30.0;

/// One event of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipEvent {
    /// The frame it stands on.
    pub frame: u16,
    /// Its type, one of [`event`] or another that moves no bits.
    pub kind: u16,
}

/// Applies one event to a human's bits and to those its task keeps.
///
/// An event whose bits the task does not hold changes nothing, except [`event::RECOVERY`], which replaces them.
pub fn apply_event(kind: u16, human: &mut u32, task: &mut u32) {
    match kind {
        event::WINDOW if *task & held::WINDOW != 0 => *human = *human & !held::WIND_UP | held::WINDOW,
        event::END if *task & held::ATTACK != 0 => *human = *human & !held::ATTACK | held::END,
        event::END if *task & held::SECOND_END != 0 => *human = *human & !held::SECOND_END | held::END,
        event::COUNTER if *task & held::COUNTER != 0 => *human |= held::COUNTER,
        event::RECOVERY => {
            *human = *human & !(*task | held::ATTACK) | held::RECOVERY;
            *task = held::RECOVERY;
        }
        _ => {}
    }
}

/// The frame at which an event fires: the nearest one, a tie to the lower.
pub fn event_frame(seconds: f32) -> u16 {
    // Summed steps end a hair off a tie; that hair must not decide.
    const TIE: f32 = 0.5 + 1e-3;
    let frames = seconds * CLIP_RATE;
    let below = frames as u16;
    if frames - f32::from(below) > TIE { below + 1 } else { below }
}

/// A clip that holds bits.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldingClip<'a> {
    /// Seconds of clip time played.
    pub time: f32,
    /// Seconds of clip time in all.
    pub length: f32,
    /// Clip seconds per second.
    pub rate: f32,
    /// Sorted by frame.
    pub events: &'a [ClipEvent],
    /// The bits the task keeps; they are cleared from the human at the end.
    pub keeps: u32,
    next_event: usize,
}

impl<'a> HoldingClip<'a> {
    /// Starts a clip of `frames` frames. The caller has set what it wants on the human; `keeps` is what the clip clears.
    pub fn start(frames: u16, rate: f32, events: &'a [ClipEvent], keeps: u32) -> Self {
        Self { time: 0.0, length: f32::from(frames) / CLIP_RATE, rate, events, keeps, next_event: 0 }
    }

    /// One character step of `dt` seconds; says whether the clip goes on. At the end its bits are cleared.
    pub fn step(&mut self, dt: f32, human: &mut u32) -> bool {
        self.time += dt * self.rate;
        let frame = event_frame(self.time);
        while let Some(next) = self.events.get(self.next_event).filter(|e| e.frame <= frame) {
            apply_event(next.kind, human, &mut self.keeps);
            self.next_event += 1;
        }
        // A step's rounding must not keep a clip alive for one more update.
        const ROUNDING: f32 = 1e-4;
        if self.time + ROUNDING < self.length {
            return true;
        }
        self.release(human);
        false
    }

    /// Cuts the clip: what it keeps is cleared.
    pub fn release(&mut self, human: &mut u32) {
        *human &= !self.keeps;
        self.keeps = 0;
    }

    /// Cuts the clip in favour of another that keeps `theirs`: bits of both stay.
    pub fn hand_over(&mut self, theirs: u32, human: &mut u32) {
        self.keeps &= !theirs;
        self.release(human);
    }
}

/// A fade that holds bits until it has run for its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldingFade {
    /// Seconds left.
    pub left: f32,
    /// The bits it clears at the end.
    pub keeps: u32,
}

impl HoldingFade {
    /// Pushes a fade of `seconds` and sets its bits on the human.
    pub fn start(seconds: f32, keeps: u32, human: &mut u32) -> Self {
        *human |= keeps;
        Self { left: seconds, keeps }
    }

    /// One character step; says whether the fade goes on. Its bits go on the step after its time is up.
    pub fn step(&mut self, dt: f32, human: &mut u32) -> bool {
        // A fade ends past its length, not on it: one of a whole number of steps is seen for one step more.
        const ROUNDING: f32 = 1e-4;
        self.left -= dt;
        if self.left > -ROUNDING {
            return true;
        }
        *human &= !self.keeps;
        self.keeps = 0;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const STEP: f32 = 1.0 / 30.0;
    const S1: [ClipEvent; 3] = [
        ClipEvent { frame: 5, kind: event::WINDOW },
        ClipEvent { frame: 12, kind: event::END },
        ClipEvent { frame: 13, kind: event::RECOVERY },
    ];

    #[test]
    fn the_first_punch_moves_through_its_phases_on_the_measured_updates() {
        let mut human = held::WIND_UP;
        let mut clip = HoldingClip::start(16, 0.8, &S1, held::ATTACK);
        let mut seen = std::vec![(human, clip.keeps)];
        while clip.step(STEP, &mut human) {
            seen.push((human, clip.keeps));
        }
        let flags: Vec<u32> = seen.iter().map(|(human, _)| *human).collect();
        assert_eq!(flags[..6], [1; 6]);
        assert_eq!(flags[6..15], [2; 9]);
        assert_eq!(flags[15], 4);
        assert_eq!(flags[16..], [0x4_0000; 4], "k = 16 to 19");
        assert_eq!(human, 0, "free on k = 20");
        assert!(seen[..16].iter().all(|(_, keeps)| *keeps == 7), "the task keeps 7 while the human shows one phase");
        assert!(seen[16..].iter().all(|(_, keeps)| *keeps == 0x4_0000));
    }

    #[test]
    fn an_event_fires_on_the_nearest_frame_and_a_tie_goes_down() {
        assert_eq!([event_frame(4.6 / 30.0), event_frame(13.5 / 30.0), event_frame(4.5 / 30.0)], [5, 13, 4]);
        let window = [ClipEvent { frame: 14, kind: event::WINDOW }, ClipEvent { frame: 25, kind: event::END }];
        let (mut human, mut clip) = (held::WIND_UP, HoldingClip::start(60, 0.75, &window, held::ATTACK));
        let mut at = Vec::new();
        for update in 1..40 {
            let before = human;
            clip.step(STEP, &mut human);
            if human != before {
                at.push(update);
            }
        }
        assert_eq!(at, [19, 33], "frame 14 at rate 0.75 fires on update 19, frame 25 on 33");
    }

    #[test]
    fn an_event_whose_bits_the_task_does_not_hold_changes_nothing_but_recovery() {
        for kind in [event::WINDOW, event::END, event::COUNTER, 0x3e] {
            let (mut human, mut task) = (held::GRAB, held::GRAB);
            apply_event(kind, &mut human, &mut task);
            assert_eq!((human, task), (held::GRAB, held::GRAB), "event {kind:#x}");
        }
        let (mut human, mut task) = (held::GRAB, held::GRAB);
        apply_event(event::RECOVERY, &mut human, &mut task);
        assert_eq!((human, task), (held::RECOVERY, held::RECOVERY));
    }

    #[test]
    fn the_second_end_bit_and_the_counter_have_events_too() {
        let (mut human, mut task) = (held::SECOND_END, held::SECOND_END | held::COUNTER);
        apply_event(event::END, &mut human, &mut task);
        assert_eq!(human, held::END);
        apply_event(event::COUNTER, &mut human, &mut task);
        assert_eq!(human, held::END | held::COUNTER);
    }

    #[test]
    fn a_cut_clip_clears_what_it_keeps_and_a_chain_keeps_the_new_tasks_bits() {
        let mut human = held::WINDOW | held::DUCK;
        let mut clip = HoldingClip::start(16, 0.8, &S1, held::ATTACK);
        clip.release(&mut human);
        assert_eq!(human, held::DUCK);
        let mut human = held::WIND_UP;
        HoldingClip::start(16, 0.8, &S1, held::ATTACK).hand_over(held::ATTACK, &mut human);
        assert_eq!(human, held::WIND_UP);
    }

    #[test]
    fn the_fade_into_the_idle_holds_the_stick_for_its_five_updates() {
        let updates_of = |seconds| {
            let mut human = held::DUCK;
            let mut fade = HoldingFade::start(seconds, held::START, &mut human);
            let mut updates = 0;
            while human & held::START != 0 {
                updates += 1;
                fade.step(STEP, &mut human);
            }
            assert_eq!(human, held::DUCK);
            updates
        };
        assert_eq!(updates_of(0.15), 5, "the push and four more");
        assert_eq!(updates_of(0.1), 4, "a fade of three steps");
    }

    #[test]
    fn clips_in_a_chain_each_hold_their_own_bits() {
        let mut human = held::FIGHT_TO_NEUTRAL;
        let mut first = HoldingClip::start(1, 1.0, &[], held::FIGHT_TO_NEUTRAL);
        assert!(!first.step(STEP, &mut human));
        human |= held::GRAB;
        let mut second = HoldingClip::start(1, 1.0, &[], held::GRAB);
        assert_eq!(human, held::GRAB);
        assert!(!second.step(STEP, &mut human));
        assert_eq!(human, 0);
    }
}
