//! What happened last in the subsystems before a crash, as the game left it at the end of its last frame.

use crate::crash::recent::RecentEvents;
use core::cell::Cell;
use critical_section::Mutex;

static RECENT: Mutex<Cell<RecentEvents>> = Mutex::new(Cell::new(RecentEvents::NONE));

/// Keeps the events for a crash that may come.
pub fn keep(recent: &RecentEvents) {
    critical_section::with(|section| RECENT.borrow(section).set(*recent));
}

/// What was kept last.
pub(super) fn recent() -> RecentEvents {
    critical_section::with(|section| RECENT.borrow(section).get())
}
