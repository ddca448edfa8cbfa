//! What happened last in each subsystem, small enough to be kept aside in every frame.
//!
//! Our choice: a copy of the latest events, taken when a frame has been looked at, so that a crash screen reads nothing that the
//! crash may have left half changed.

use crate::overlay::{Event, Events, Subsystem};
use core::fmt::Write as _;
use heapless::String;

/// Events of a subsystem that are kept.
pub const KEPT: usize = 2;
/// Characters of an event's line.
pub const COLUMNS: usize = 64;

/// One line.
pub type Line = String<COLUMNS>;

/// The latest events of every subsystem, latest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecentEvents([[Option<Event>; KEPT]; Subsystem::ALL.len()]);

impl RecentEvents {
    /// No events.
    pub const NONE: Self = Self([[None; KEPT]; Subsystem::ALL.len()]);

    /// The latest of all rings.
    pub fn of(events: &Events) -> Self {
        Self(Subsystem::ALL.map(|subsystem| {
            let mut latest = events.latest(subsystem).copied();
            core::array::from_fn(|_| latest.next())
        }))
    }

    /// A line for each event that is the `ago`th of its subsystem, 0 for the latest: whose, in which frame, what.
    pub fn lines(&self, ago: usize) -> impl Iterator<Item = Line> + '_ {
        Subsystem::ALL.into_iter().zip(&self.0).filter_map(move |(subsystem, kept)| {
            let event = kept.get(ago).copied().flatten()?;
            let mut line = Line::new();
            // A line that is too long loses its end.
            let _ = write!(line, "{:<8}{event}", subsystem.name());
            Some(line)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn the_latest_events_of_each_subsystem_are_kept_latest_first() {
        let mut events = Events::default();
        for (frame, subsystem, what) in [
            (3, Subsystem::Files, "READ"),
            (7, Subsystem::Tasks, "ONE"),
            (8, Subsystem::Tasks, "TWO"),
            (9, Subsystem::Tasks, "THREE"),
        ] {
            events.set_frame(frame);
            events.note(subsystem, what, [frame as i32, 0]);
        }
        let recent = RecentEvents::of(&events);
        let lines = |ago| recent.lines(ago).map(|line| line.as_str().into()).collect::<Vec<std::string::String>>();
        assert_eq!(lines(0), ["FILES        3 READ 3", "TASKS        9 THREE 9"]);
        assert_eq!(lines(1), ["TASKS        8 TWO 8"]);
        assert!(lines(KEPT).is_empty());
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_no_bug() {
        let mut events = Events::default();
        events.note(
            Subsystem::Graphics,
            "A VERY LONG TALE THAT NOBODY WOULD WRITE INTO A RING OF SHORT EVENTS",
            [1, 2],
        );
        assert!(RecentEvents::of(&events).lines(0).all(|line| line.len() <= COLUMNS));
    }
}
