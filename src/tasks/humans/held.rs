//! Held flags: bits that a clip puts on its human while it plays, and gives back when it ends.
//!
//! A move does not know its own length. The caller sets bits on the human and hands them to the clip's task; the clip's
//! events move them from phase to phase, which is what [`apply_event`] does; the task clears what it still holds when the
//! clip ends or is cut. A fade may hold bits too. The tasks themselves, their ends and cuts, are the animation's
//! ([`crate::animation::stack`]).

use super::gates::held;

/// The events of a clip that move held bits. Source: seed 000, Held flags; humans and combat, Animation tasks.
pub mod event {
    /// Opens the chain window.
    pub const WINDOW: u16 = 0x2c;
    /// Ends the attack's window.
    pub const END: u16 = 0x2d;
    /// Hands control back before the clip's end: what the task keeps goes from the human, and stays with the task. Our choice
    /// of meaning: the seed names the event among those that move the phase, and the function that it calls (0x00227e18).
    pub const LIFT: u16 = 0x3e;
    /// Takes control again: what the task keeps is put back on the human. Our choice of meaning, as the other half of
    /// [`LIFT`]: the seed names the event alone.
    pub const PUT_BACK: u16 = 0x3f;
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
        event::LIFT => *human &= !*task,
        event::PUT_BACK => *human |= *task,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The human's bits and the task's after an event.
    fn after(kind: u16, mut human: u32, mut task: u32) -> (u32, u32) {
        apply_event(kind, &mut human, &mut task);
        (human, task)
    }

    #[test]
    fn an_attacks_events_move_the_humans_bits_and_only_recovery_the_tasks() {
        assert_eq!(after(event::WINDOW, held::WIND_UP, held::ATTACK), (held::WINDOW, held::ATTACK));
        assert_eq!(after(event::END, held::WINDOW, held::ATTACK), (held::END, held::ATTACK));
        assert_eq!(after(event::RECOVERY, held::END, held::ATTACK), (held::RECOVERY, held::RECOVERY));
    }

    #[test]
    fn an_event_fires_on_the_nearest_frame_and_a_tie_goes_down() {
        assert_eq!([event_frame(4.6 / 30.0), event_frame(13.5 / 30.0), event_frame(4.5 / 30.0)], [5, 13, 4]);
    }

    #[test]
    fn an_event_whose_bits_the_task_does_not_hold_changes_nothing_but_recovery() {
        for kind in [event::WINDOW, event::END, event::COUNTER, 0x3d] {
            assert_eq!(after(kind, held::GRAB, held::GRAB), (held::GRAB, held::GRAB), "event {kind:#x}");
        }
        for kind in [event::LIFT, event::PUT_BACK] {
            assert_eq!(after(kind, held::GRAB, 0), (held::GRAB, 0), "event {kind:#x}");
        }
        assert_eq!(after(event::RECOVERY, held::GRAB, held::GRAB), (held::RECOVERY, held::RECOVERY));
    }

    #[test]
    fn the_second_end_bit_and_the_counter_have_events_too() {
        let task = held::SECOND_END | held::COUNTER;
        assert_eq!(after(event::END, held::SECOND_END, task), (held::END, task));
        assert_eq!(after(event::COUNTER, held::END, task), (held::END | held::COUNTER, task));
    }

    #[test]
    fn control_is_handed_back_by_0x3e_and_taken_again_by_0x3f() {
        let human = held::STEP | held::DUCK;
        assert_eq!(after(0x3e, human, held::STEP), (held::DUCK, held::STEP));
        assert_eq!(after(0x3f, held::DUCK, held::STEP), (human, held::STEP));
    }
}
