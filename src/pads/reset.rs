//! The buttons that lead back to the title.

use super::button::{self, Buttons};
use crate::clock::time::TICKS_PER_SECOND;

/// Real time that the buttons must be held, in ticks: half a second. Source: settled questions 21.
const HELD: u64 = TICKS_PER_SECOND / 2;

/// Watches one pad for L1, L2, R1, R2, select and start held together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResetCombination {
    since: Option<u64>,
}

impl ResetCombination {
    /// Looks at the buttons that are down at real time `now`, in ticks; true when the reset is due. It is due once: the
    /// buttons must be let go before the next.
    pub fn watch(&mut self, buttons: Buttons, now: u64) -> bool {
        if buttons & button::RESET != button::RESET {
            self.since = None;
            return false;
        }
        let since = *self.since.get_or_insert(now);
        if since != FIRED && now.saturating_sub(since) >= HELD {
            self.since = Some(FIRED);
            return true;
        }
        false
    }
}

/// A start that no hold is ever long enough for.
const FIRED: u64 = u64::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reset_is_due_once_after_half_a_second_of_all_six_buttons() {
        let mut watch = ResetCombination::default();
        assert!(!watch.watch(button::RESET, 1000));
        assert!(!watch.watch(button::RESET | button::CROSS, 1000 + HELD - 1));
        assert!(watch.watch(button::RESET, 1000 + HELD));
        assert!(!watch.watch(button::RESET, 1000 + 3 * HELD), "once");
        assert!(!watch.watch(0, 1000 + 4 * HELD));
        assert!(!watch.watch(button::RESET, 1000 + 5 * HELD));
        assert!(watch.watch(button::RESET, 1000 + 6 * HELD));
    }

    #[test]
    fn letting_one_button_go_starts_the_half_second_anew() {
        let mut watch = ResetCombination::default();
        assert!(!watch.watch(button::RESET, 0));
        assert!(!watch.watch(button::RESET & !button::L2, HELD / 2));
        assert!(!watch.watch(button::RESET, HELD));
        assert!(watch.watch(button::RESET, 2 * HELD));
    }
}
