//! How the game gives the console back: nothing plays, shakes or is read any more before somebody else has it.

use super::Game;
use super::machine::Machine;
use crate::file_io::{ReadState, StreamDevice as _};
use boardwalk_iop::protocol::{Progress, Status};

/// Calls that the module is given at least: one may be under way, one carries the end, and one tells what came of it.
const LEAST_CALLS: u32 = 3;
/// Calls after which nobody waits for the module any more, four blanks each: more than a drive that hangs takes for a command.
const MOST_CALLS: u32 = 90;

/// Whether the module plays and reads nothing.
fn stands(status: &Status) -> bool {
    !status.music && status.read != Progress::Busy
}

impl<M: Machine> Game<M> {
    /// Ends the read under way, music, sounds and shaking, waits until the module says that it has, and tells whoever listens
    /// to the console.
    pub fn close(&mut self) {
        self.audio.stop_music();
        self.audio.voices().stop_all();
        self.rumble.stop();
        let was_reading = self.files.system.as_mut().is_some_and(|files| {
            let was_reading = matches!(files.read_state(), ReadState::Busy | ReadState::Waiting(_));
            files.cancel();
            was_reading
        });
        if was_reading {
            self.machine.print(format_args!("STREAMS a read was under way"));
        }
        for call in 1..=MOST_CALLS {
            if let Some(files) = self.files.system.as_mut() {
                files.update();
            }
            self.update_sound();
            self.step_rumble();
            self.machine.settle();
            if call >= LEAST_CALLS && self.streams_stand() {
                break;
            }
        }
        self.tell_streams();
    }

    /// True when no read is under way here, and none nor music by what the module said last.
    fn streams_stand(&self) -> bool {
        let Some(files) = self.files.system.as_ref() else { return true };
        let ended = !matches!(files.read_state(), ReadState::Busy | ReadState::Waiting(_));
        ended && files.device().module_status().is_none_or(stands)
    }

    /// How the streams were left, in the module's own words where there are any.
    fn tell_streams(&mut self) {
        let stand = if self.streams_stand() { "stand" } else { "do not stand" };
        let status = self.files.system.as_ref().and_then(|files| files.device().module_status());
        match status.map(|status| (status.music, status.read, status.delivered, status.underruns)) {
            Some((music, read, bytes, underruns)) => self.machine.print(format_args!(
                "STREAMS {stand}: music {music}, read {read:?} of {bytes} bytes, underruns {underruns}"
            )),
            None => self.machine.print(format_args!("STREAMS {stand}: no module")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::game;
    use super::super::machine::Rumble;
    use super::super::sound::tests::{started, told};
    use super::*;
    use crate::boot::start::StartHost as _;
    use crate::file_io::fake::{Disc, FakeDevice, REGION};
    use boardwalk_iop::protocol::Command;
    use std::boxed::Box;

    #[test]
    fn who_leaves_leaves_silence() {
        let mut game = started();
        game.begin_level_sound();
        told(&mut game);
        game.rumble.shake(0, 1.0, 9.0);
        game.step_rumble();
        game.close();
        let told = told(&mut game);
        assert_eq!(told, [Command::MusicStop, Command::Stop(0), Command::Stop(1)]);
        assert_eq!(game.machine.rumbles.last(), Some(&(0, Rumble::default())));
        assert_eq!(game.machine.said("STREAMS stand"), 1, "{:?}", game.machine.log.last());
        assert_eq!(game.machine.said("STREAMS a read"), 0);
    }

    #[test]
    fn a_read_under_way_is_given_up_before_the_console_is_given_back() {
        let disc: &'static Disc = Box::leak(Box::new(Disc::sample()));
        let mut game = game();
        game.initialize_subsystems().unwrap();
        let mut files = disc.files(FakeDevice::new(disc).with_latency(usize::MAX));
        let file = files.open(disc.name("large")).unwrap();
        files.start_read(file, 0, 4096, REGION).unwrap();
        game.files.system = Some(files);
        game.close();
        let files = game.files.system.as_mut().unwrap();
        assert!(!matches!(files.read_state(), ReadState::Busy | ReadState::Waiting(_)), "{:?}", files.read_state());
        assert_eq!(files.device_mut().poll(), crate::file_io::DeviceState::Failed(crate::file_io::Fault::Cancelled));
        assert_eq!((game.machine.said("STREAMS a read was under way"), game.machine.said("STREAMS stand")), (1, 1));
    }

    #[test]
    fn a_module_that_plays_or_reads_does_not_stand() {
        assert!(stands(&Status::IDLE) && stands(&Status { read: Progress::Failed, ..Status::IDLE }));
        assert!(!stands(&Status { music: true, ..Status::IDLE }));
        assert!(!stands(&Status { read: Progress::Busy, ..Status::IDLE }));
    }
}
