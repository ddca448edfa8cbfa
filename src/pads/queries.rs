//! The questions that the game asks of a pad.

use super::button::Buttons;
use super::record::{PadRecord, SAMPLES};

/// Samples that a button must be down for to count as held rather than tapped.
const HOLD_SAMPLES: usize = 4;

/// What became of a button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TapOrHold {
    /// Neither, or not yet.
    #[default]
    Neither,
    /// Let go before it was held.
    Tap,
    /// Down for four samples, in this one for the first time.
    Hold,
}

impl PadRecord {
    /// Those of the buttons that are down.
    pub const fn held(&self, mask: Buttons) -> Buttons {
        self.back(0) & mask
    }

    /// Those of the buttons that are down and were not in the sample before.
    pub const fn pressed(&self, mask: Buttons) -> Buttons {
        self.back(0) & !self.back(1) & mask
    }

    /// True when some of the buttons are down and none was in the sample before.
    pub const fn newly_pressed(&self, mask: Buttons) -> bool {
        self.back(0) & mask != 0 && self.back(1) & mask == 0
    }

    /// Those of the buttons that were down in the sample before and are not now.
    pub const fn released(&self, mask: Buttons) -> Buttons {
        !self.back(0) & self.back(1) & mask
    }

    /// Those of the buttons that have just been let go after one to six samples.
    pub fn tapped(&self, mask: Buttons) -> Buttons {
        let up_before = (2..SAMPLES).fold(0, |up, ago| up | !self.back(ago));
        self.released(mask) & up_before
    }

    /// What became of a button: a tap when it is let go within three samples, a hold in its fourth.
    ///
    /// Our choice: the source gives the number four and the name alone.
    pub fn tap_or_hold(&self, button: Buttons) -> TapOrHold {
        if self.held_exactly(button, HOLD_SAMPLES) {
            return TapOrHold::Hold;
        }
        let up_before = (2..=HOLD_SAMPLES).any(|ago| self.back(ago) & button == 0);
        if self.released(button) == button && up_before { TapOrHold::Tap } else { TapOrHold::Neither }
    }

    /// True in the sample in which all the buttons have been down for exactly `samples` samples, at most seven.
    pub fn held_exactly(&self, buttons: Buttons, samples: usize) -> bool {
        let all_down = |ago| self.back(ago) & buttons == buttons;
        (1..SAMPLES).contains(&samples) && (0..samples).all(all_down) && !all_down(samples)
    }

    /// True while all the buttons are down.
    pub const fn combo_held(&self, buttons: Buttons) -> bool {
        self.back(0) & buttons == buttons
    }

    /// True in the sample in which the last of the buttons joins the others.
    pub const fn combo_pressed(&self, buttons: Buttons) -> bool {
        self.combo_held(buttons) && self.back(1) & buttons != buttons
    }
}

#[cfg(test)]
mod tests {
    use super::super::button::{CIRCLE, CROSS, L1, R1};
    use super::super::reading::Reading;
    use super::*;
    use crate::clock::time::STEP;
    use std::vec::Vec;

    /// A record after these samples of buttons, oldest first.
    fn after(samples: &[Buttons]) -> PadRecord {
        let mut pad = PadRecord::default();
        for (index, buttons) in samples.iter().enumerate() {
            pad.sample(Some(Reading { buttons: *buttons, ..Reading::default() }), index as u64 * STEP);
        }
        pad
    }

    /// A record after `down` samples of cross down and `up` samples without.
    fn cross(down: usize, up: usize) -> PadRecord {
        let mut samples = std::vec![0; 8];
        samples.extend(core::iter::repeat_n(CROSS, down));
        samples.extend(core::iter::repeat_n(0, up));
        after(&samples)
    }

    #[test]
    fn pressed_is_down_now_and_not_before() {
        let pad = after(&[CROSS, CROSS | CIRCLE]);
        assert_eq!((pad.held(CROSS | L1), pad.pressed(CROSS | CIRCLE)), (CROSS, CIRCLE));
        assert_eq!(pad.released(CROSS), 0);
        assert_eq!(after(&[CROSS | L1, L1]).released(CROSS | L1), CROSS);
    }

    #[test]
    fn newly_pressed_wants_none_of_the_buttons_before() {
        assert!(after(&[0, CROSS]).newly_pressed(CROSS | CIRCLE));
        assert!(!after(&[CIRCLE, CROSS]).newly_pressed(CROSS | CIRCLE));
        assert!(!after(&[0, 0]).newly_pressed(CROSS));
    }

    #[test]
    fn a_tap_is_one_to_six_samples_long() {
        let tapped: Vec<_> = (0..10).filter(|down| cross(*down, 1).tapped(CROSS) == CROSS).collect();
        assert_eq!(tapped, [1, 2, 3, 4, 5, 6]);
        assert_eq!(cross(3, 2).tapped(CROSS), 0, "only in the sample of its release");
    }

    #[test]
    fn a_button_is_held_in_its_fourth_sample_or_tapped_before() {
        let outcome = |down, up| cross(down, up).tap_or_hold(CROSS);
        assert_eq!([1, 2, 3].map(|down| outcome(down, 1)), [TapOrHold::Tap; 3]);
        assert_eq!([1, 2, 3, 4, 5].map(|down| outcome(down, 0) == TapOrHold::Hold), [false, false, false, true, false]);
        assert_eq!([4, 5, 8].map(|down| outcome(down, 1)), [TapOrHold::Neither; 3]);
    }

    #[test]
    fn a_hold_of_exactly_seven_samples_is_seen_once() {
        for wanted in [5, 7] {
            let seen: Vec<_> = (0..12).filter(|down| cross(*down, 0).held_exactly(CROSS, wanted)).collect();
            assert_eq!(seen, [wanted]);
        }
        assert!(!cross(8, 0).held_exactly(CROSS, 8), "the record does not go back that far");
        assert!(!cross(0, 1).held_exactly(CROSS, 0));
    }

    #[test]
    fn a_combination_is_pressed_when_its_last_button_joins() {
        let pad = after(&[L1, L1 | R1]);
        assert!(pad.combo_pressed(L1 | R1) && pad.combo_held(L1 | R1));
        let pad = after(&[L1 | R1, L1 | R1]);
        assert!(!pad.combo_pressed(L1 | R1) && pad.combo_held(L1 | R1));
        assert!(!after(&[0, L1]).combo_held(L1 | R1));
    }
}
