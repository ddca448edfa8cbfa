//! What happened lately in each subsystem: a fixed ring for each, always on.
//!
//! An event is a few words and two numbers, so that noting one costs a few stores and no formatting. The overlay's page
//! and whoever listens to the console read the same rings.

use core::fmt::{self, Display, Formatter};

/// Who has a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Subsystem {
    /// Pools.
    Memory,
    /// Files and the disc.
    Files,
    /// Modes and clocks.
    Modes,
    /// The TaskEngine.
    Tasks,
    /// The physics world.
    Physics,
    /// Characters and motion.
    Humans,
    /// Pictures and pacing.
    Graphics,
    /// Sounds, pads and the I/O processor.
    Devices,
}

impl Subsystem {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Memory,
        Self::Files,
        Self::Modes,
        Self::Tasks,
        Self::Physics,
        Self::Humans,
        Self::Graphics,
        Self::Devices,
    ];

    /// A name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "MEMORY",
            Self::Files => "FILES",
            Self::Modes => "MODES",
            Self::Tasks => "TASKS",
            Self::Physics => "PHYSICS",
            Self::Humans => "HUMANS",
            Self::Graphics => "GRAPHICS",
            Self::Devices => "DEVICES",
        }
    }
}

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Event {
    /// The frame in which it happened.
    pub frame: u32,
    /// What, in a few words.
    pub what: &'static str,
    /// Two numbers that belong to it.
    pub numbers: [i32; 2],
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [a, b] = self.numbers;
        write!(f, "{:>6} {} {a}", self.frame, self.what)?;
        if b == 0 { Ok(()) } else { write!(f, " {b}") }
    }
}

/// Events that a ring keeps.
pub const KEPT: usize = 16;

/// One subsystem's ring.
#[derive(Clone, Copy, Debug, Default)]
struct Ring {
    events: [Event; KEPT],
    count: u32,
}

/// All rings.
#[derive(Clone, Debug, Default)]
pub struct Events {
    rings: [Ring; Subsystem::ALL.len()],
    frame: u32,
}

impl Events {
    /// The frame that the next events happen in.
    pub fn set_frame(&mut self, frame: u32) {
        self.frame = frame;
    }

    /// Notes an event; the oldest of a full ring makes room.
    pub fn note(&mut self, subsystem: Subsystem, what: &'static str, numbers: [i32; 2]) {
        let ring = &mut self.rings[subsystem as usize];
        ring.events[ring.count as usize % KEPT] = Event { frame: self.frame, what, numbers };
        ring.count = ring.count.wrapping_add(1);
    }

    /// Events of a subsystem so far.
    pub fn count(&self, subsystem: Subsystem) -> u32 {
        self.rings[subsystem as usize].count
    }

    /// A subsystem's kept events, latest first.
    pub fn latest(&self, subsystem: Subsystem) -> impl Iterator<Item = &Event> {
        let ring = &self.rings[subsystem as usize];
        let kept = (ring.count as usize).min(KEPT);
        (0..kept).map(|ago| &ring.events[(ring.count as usize - 1 - ago) % KEPT])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::vec::Vec;

    #[test]
    fn a_ring_keeps_the_latest_of_its_own_subsystem() {
        let mut events = Events::default();
        for index in 0..KEPT as i32 + 5 {
            events.set_frame(index as u32);
            events.note(Subsystem::Physics, "settle", [index, 0]);
        }
        events.note(Subsystem::Files, "read", [1, 2]);
        let kept: Vec<i32> = events.latest(Subsystem::Physics).map(|event| event.numbers[0]).collect();
        assert_eq!((kept.len(), kept[0], kept[KEPT - 1]), (KEPT, KEPT as i32 + 4, 5));
        assert_eq!(events.count(Subsystem::Physics), KEPT as u32 + 5);
        assert_eq!(events.latest(Subsystem::Files).count(), 1);
    }

    #[test]
    fn an_event_reads_as_a_line() {
        let event = Event { frame: 12, what: "pool ran out of", numbers: [512, 0] };
        assert_eq!(format!("{event}"), "    12 pool ran out of 512");
    }

    #[test]
    fn rings_stand_where_their_number_says() {
        assert!(Subsystem::ALL.into_iter().enumerate().all(|(index, subsystem)| subsystem as usize == index));
    }
}
