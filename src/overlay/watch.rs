//! Notices what happened: compares what can be counted with the frame before and notes the differences as events.
//!
//! So the rings fill without any subsystem knowing of them. What a count cannot tell a subsystem notes itself.

use super::events::{Events, Subsystem};
use super::subjects::{Subjects, drawing_figure, stream_figure};
use crate::game_modes::ModeId;

/// What was seen last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    counts: [u32; Count::ALL.len()],
    top: Option<ModeId>,
    depth: usize,
    paused: bool,
    files_busy: bool,
}

/// A number that is watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Count {
    Shortages,
    FilesRefused,
    TicksDropped,
    HandlesLive,
    HandlesRefused,
    MessagesRefused,
    Objects,
    SpawnsRefused,
    Bodies,
    Settling,
    BodiesRefused,
    SettlesRefused,
    CandidatesDropped,
    ContactsDropped,
    Stuck,
    MotionsPending,
    MotionsLost,
    LateFrames,
    DrawingLost,
    PacketDropped,
    TexturesUnsent,
    Pads,
    Retries,
    ReadFault,
    MusicPlays,
    Underruns,
    NotUnderstood,
}

impl Count {
    const ALL: [Self; 27] = [
        Self::Shortages,
        Self::FilesRefused,
        Self::TicksDropped,
        Self::HandlesLive,
        Self::HandlesRefused,
        Self::MessagesRefused,
        Self::Objects,
        Self::SpawnsRefused,
        Self::Bodies,
        Self::Settling,
        Self::BodiesRefused,
        Self::SettlesRefused,
        Self::CandidatesDropped,
        Self::ContactsDropped,
        Self::Stuck,
        Self::MotionsPending,
        Self::MotionsLost,
        Self::LateFrames,
        Self::DrawingLost,
        Self::PacketDropped,
        Self::TexturesUnsent,
        Self::Pads,
        Self::Retries,
        Self::ReadFault,
        Self::MusicPlays,
        Self::Underruns,
        Self::NotUnderstood,
    ];

    /// Whose it is, and the words for a new value.
    const fn words(self) -> (Subsystem, &'static str) {
        match self {
            Self::Shortages => (Subsystem::Memory, "REQUESTS REFUSED"),
            Self::FilesRefused => (Subsystem::Files, "FILE REQUESTS REFUSED"),
            Self::TicksDropped => (Subsystem::Tasks, "TICK PAIRS DROPPED"),
            Self::HandlesLive => (Subsystem::Tasks, "HANDLES LIVE"),
            Self::HandlesRefused => (Subsystem::Tasks, "HANDLES REFUSED"),
            Self::MessagesRefused => (Subsystem::Tasks, "MESSAGES REFUSED"),
            Self::Objects => (Subsystem::Tasks, "OBJECTS LIVE"),
            Self::SpawnsRefused => (Subsystem::Tasks, "SPAWN RECORDS REFUSED"),
            Self::Bodies => (Subsystem::Physics, "BODIES LIVE"),
            Self::Settling => (Subsystem::Physics, "SETTLING"),
            Self::BodiesRefused => (Subsystem::Physics, "BODIES REFUSED"),
            Self::SettlesRefused => (Subsystem::Physics, "SETTLES REFUSED"),
            Self::CandidatesDropped => (Subsystem::Physics, "CANDIDATES DROPPED"),
            Self::ContactsDropped => (Subsystem::Physics, "CONTACTS DROPPED"),
            Self::Stuck => (Subsystem::Physics, "SWEEPS STUCK"),
            Self::MotionsPending => (Subsystem::Humans, "MOTIONS PENDING"),
            Self::MotionsLost => (Subsystem::Humans, "MOTIONS LOST"),
            Self::LateFrames => (Subsystem::Graphics, "LATE FRAMES"),
            Self::DrawingLost => (Subsystem::Graphics, "NO ROOM TO DRAW"),
            Self::PacketDropped => (Subsystem::Graphics, "PACKET FULL"),
            Self::TexturesUnsent => (Subsystem::Graphics, "TEXTURES UNSENT"),
            Self::Pads => (Subsystem::Devices, "PADS HERE"),
            Self::Retries => (Subsystem::Devices, "READS TRIED AGAIN"),
            Self::ReadFault => (Subsystem::Devices, "READ FAULT"),
            Self::MusicPlays => (Subsystem::Devices, "MUSIC PLAYS"),
            Self::Underruns => (Subsystem::Devices, "MUSIC RAN DRY"),
            Self::NotUnderstood => (Subsystem::Devices, "NOT UNDERSTOOD"),
        }
    }
}

/// Compares from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    seen: Option<Seen>,
}

impl Watch {
    /// Looks at the subjects and notes what is new. `late` counts late frames.
    pub fn look(&mut self, subjects: &Subjects<'_>, late: u32, events: &mut Events) {
        let now = seen(subjects, late);
        let Some(before) = self.seen.replace(now) else { return };
        for (index, count) in Count::ALL.into_iter().enumerate() {
            let (old, new) = (before.counts[index], now.counts[index]);
            if old != new {
                let (subsystem, words) = count.words();
                events.note(subsystem, words, [new as i32, new.wrapping_sub(old) as i32]);
            }
        }
        if (before.top, before.depth) != (now.top, now.depth) {
            let name = now.top.map_or("NO MODE", ModeId::name);
            events.note(Subsystem::Modes, name, [now.depth as i32, 0]);
        }
        if before.paused != now.paused {
            let words = if now.paused { "TIME STOPS AT MS" } else { "TIME GOES ON AT MS" };
            let at = subjects.clock.map_or(0, |clock| clock.milliseconds());
            events.note(Subsystem::Modes, words, [at as i32, 0]);
        }
        if before.files_busy != now.files_busy {
            let words = if now.files_busy { "READING, IN QUEUE" } else { "READ, IN QUEUE" };
            let pending = subjects.files.map_or(0, |files| files.pending());
            events.note(Subsystem::Files, words, [pending as i32, 0]);
        }
    }
}

fn seen(subjects: &Subjects<'_>, late: u32) -> Seen {
    let count = |count: Count| -> u32 {
        let tasks = subjects.tasks;
        let physics = subjects.physics;
        let counters = physics.map(|physics| physics.counters()).unwrap_or_default();
        match count {
            Count::Shortages => subjects.memory.map_or(0, |memory| memory.shortages),
            Count::FilesRefused => subjects.files.map_or(0, |files| files.refused),
            Count::TicksDropped => tasks.map_or(0, |tasks| tasks.ticks.dropped as u32),
            Count::HandlesLive => tasks.map_or(0, |tasks| tasks.handles.live().into()),
            Count::HandlesRefused => tasks.map_or(0, |tasks| tasks.handles.refusals()),
            Count::MessagesRefused => tasks.map_or(0, |tasks| tasks.messages.refusals()),
            Count::Objects => tasks.map_or(0, |tasks| tasks.objects.pool.count() as u32),
            Count::SpawnsRefused => tasks.map_or(0, |tasks| tasks.objects.spawns.refusals()),
            Count::Bodies => physics.map_or(0, |physics| physics.live_bodies().len() as u32),
            Count::Settling => physics.map_or(0, |physics| physics.settling() as u32),
            Count::BodiesRefused => counters.bodies_refused,
            Count::SettlesRefused => counters.settles_refused,
            Count::CandidatesDropped => counters.candidates_dropped,
            Count::ContactsDropped => counters.contacts_dropped,
            Count::Stuck => counters.stuck_sweeps,
            Count::MotionsPending => {
                subjects.mover.map_or(0, |mover| mover.movement.interpreter.pending_motions.len() as u32)
            }
            Count::MotionsLost => subjects.mover.map_or(0, |mover| {
                let interpreter = &mover.movement.interpreter;
                let actions = interpreter.raw_state.actions.lost() + interpreter.interpreted_state.actions.lost();
                let queues = interpreter.pending_motions.lost() + mover.movement.move_to.pending_actions.lost();
                actions + queues + mover.lost
            }),
            Count::LateFrames => late,
            Count::DrawingLost => subjects.drawing_figure(drawing_figure::LOST),
            Count::PacketDropped => subjects.drawing_figure(drawing_figure::DROPPED),
            Count::TexturesUnsent => subjects.drawing_figure(drawing_figure::UNSENT),
            Count::Pads => subjects.pads,
            Count::Retries => subjects.stream_figure(stream_figure::RETRIES),
            Count::ReadFault => subjects.stream_figure(stream_figure::READ_FAULT),
            Count::MusicPlays => subjects.stream_figure(stream_figure::MUSIC_PLAYS),
            Count::Underruns => subjects.stream_figure(stream_figure::UNDERRUNS),
            Count::NotUnderstood => subjects.stream_figure(stream_figure::NOT_UNDERSTOOD),
        }
    };
    Seen {
        counts: Count::ALL.map(count),
        top: subjects.modes.and_then(|modes| modes.top()),
        depth: subjects.modes.map_or(0, |modes| modes.modes().len()),
        paused: subjects.clock.is_some_and(|clock| clock.is_paused()),
        files_busy: subjects.files.is_some_and(|files| files.is_busy()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{GameTimer, time};
    use crate::tasks::scenarios::empty_engine;

    #[test]
    fn changes_become_events_and_standing_still_does_not() {
        let (mut watch, mut events) = (Watch::default(), Events::default());
        let mut tasks = empty_engine();
        let mut clock = GameTimer::starting_at(0);
        let look = |watch: &mut Watch, events: &mut Events, tasks: &_, clock: &_| {
            let subjects = Subjects { tasks: Some(tasks), clock: Some(clock), ..Subjects::default() };
            watch.look(&subjects, 0, events);
        };
        look(&mut watch, &mut events, &tasks, &clock);
        look(&mut watch, &mut events, &tasks, &clock);
        assert!(Subsystem::ALL.into_iter().all(|subsystem| events.count(subsystem) == 0));
        let live = tasks.handles.live();
        tasks.handles.assign_at(
            700,
            crate::tasks::handle::Target::Task(crate::tasks::ids::TaskId::new(crate::tasks::ids::TaskClass::Object, 3)),
        );
        let _paused = clock.toggle_pause(time::STEP);
        look(&mut watch, &mut events, &tasks, &clock);
        let handles = events.latest(Subsystem::Tasks).next().unwrap();
        assert_eq!((handles.what, handles.numbers), ("HANDLES LIVE", [i32::from(live) + 1, 1]));
        assert_eq!(events.latest(Subsystem::Modes).next().unwrap().what, "TIME STOPS AT MS");
    }

    #[test]
    fn a_pulled_controller_and_music_without_data_are_events_of_the_devices() {
        use crate::overlay::subjects::Figure;
        let (mut watch, mut events) = (Watch::default(), Events::default());
        for (pads, underruns) in [(1, 0), (0, 0), (1, 2)] {
            let streams = [Figure::fault(stream_figure::UNDERRUNS, underruns)];
            let subjects = Subjects { pads, streams: &streams, ..Subjects::default() };
            watch.look(&subjects, 0, &mut events);
        }
        let noted: std::vec::Vec<_> =
            events.latest(Subsystem::Devices).map(|event| (event.what, event.numbers)).collect();
        assert_eq!(noted, [("MUSIC RAN DRY", [2, 2]), ("PADS HERE", [1, 1]), ("PADS HERE", [0, -1])]);
    }

    #[test]
    fn what_found_no_room_to_be_drawn_is_an_event_of_the_graphics() {
        use crate::overlay::figures::{Drawing, drawing};
        let (mut watch, mut events) = (Watch::default(), Events::default());
        for (lost, dropped) in [(0, 0), (3, 0), (3, 5)] {
            let graphics = drawing(&Drawing { lost, dropped, ..Drawing::default() });
            watch.look(&Subjects { graphics: &graphics, ..Subjects::default() }, 0, &mut events);
        }
        let noted: std::vec::Vec<_> =
            events.latest(Subsystem::Graphics).map(|event| (event.what, event.numbers)).collect();
        assert_eq!(noted, [("PACKET FULL", [5, 5]), ("NO ROOM TO DRAW", [3, 3])]);
    }

    #[test]
    fn counts_stand_where_their_number_says() {
        assert!(Count::ALL.into_iter().enumerate().all(|(index, count)| count as usize == index));
    }

    #[test]
    fn an_action_that_found_its_list_full_is_an_event_of_the_humans() {
        use crate::motion::MovementManager;
        use crate::motion::state::ActionNode;
        use crate::overlay::subjects::MoverFacts;
        let (mut watch, mut events) = (Watch::default(), Events::default());
        let mut movement = MovementManager::new();
        let mut look = |movement: &MovementManager, events: &mut Events| {
            let mover = MoverFacts { movement, table: None, sticks_to: None, lost: 0 };
            watch.look(&Subjects { mover: Some(mover), ..Subjects::default() }, 0, events);
        };
        look(&movement, &mut events);
        while movement.interpreter.raw_state.actions.push(ActionNode::default()) {}
        while movement.interpreter.interpreted_state.actions.push(ActionNode::default()) {}
        look(&movement, &mut events);
        let lost = events.latest(Subsystem::Humans).next().unwrap();
        assert_eq!((lost.what, lost.numbers), ("MOTIONS LOST", [2, 2]));
    }
}
