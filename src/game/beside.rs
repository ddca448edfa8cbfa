//! Data beside everything else: while a level is played, a long file of the archive is read round and round at a console's
//! rate, and what that costs the frame is told. A boot word of the tests asks for it.
//!
//! First by turns: two seconds without, two seconds with, so that what a frame costs with and without stands side by side
//! whatever the level does meanwhile, the interrupts of the transfers included. Then without a pause from a drive that is as
//! slow as a console's and seeks as slowly, with the music beside it.

use super::Game;
use super::level_parts::CONSOLES_DRIVE;
use super::machine::Machine;
use crate::file_io::{NameHash, ReadState, StreamDevice as _, StreamFile};

/// The file that is read for its length alone; a disc without it reads its music instead.
const FILES: [&str; 2] = ["test/filler.bin", "sound/pier.music"];
/// Frames of a turn, how many there are, and the frames of one that do not count: what was begun in the one before ends there.
const TURN: u32 = 60;
const TURNS: u32 = 12;
const UNCOUNTED: u32 = 10;
/// Frames from the slow drive.
const SLOW: u32 = 600;
/// Bytes of a second that a quick drive is asked for, a little more than a console's slowest brings beside music, and shown frames
/// of a thousand seconds.
const BYTES_A_SECOND: u64 = 1_230_000;
const FRAMES_IN_1000_S: u64 = 29_970;

/// What some frames have cost.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    frames: u32,
    bytes: u64,
    /// Cycles of the whole frame without waiting for the screen.
    busy: u64,
    /// Cycles of its file service and sound, and the most of a frame.
    files: u64,
    worst: u32,
}

/// The reading and its sums.
#[derive(Debug, Default)]
pub(super) struct Beside {
    /// The file, and its bytes.
    file: Option<(StreamFile, u32)>,
    /// Where the next read begins.
    at: u32,
    is_reading: bool,
    /// Frames of play since it was due.
    frame: u32,
    /// Bytes of this turn.
    turn: u64,
    without: Sum,
    with: Sum,
    slow: Sum,
    /// Blanks that had been missed when it began.
    missed: u32,
}

/// What a frame is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Without,
    With,
    Slow,
    Over,
}

impl Beside {
    const fn stage(&self) -> Stage {
        match self.frame {
            frame if frame >= TURN * TURNS + SLOW => Stage::Over,
            frame if frame >= TURN * TURNS => Stage::Slow,
            frame if (frame / TURN).is_multiple_of(2) => Stage::Without,
            _ => Stage::With,
        }
    }

    /// True when the next read is to begin in this frame.
    fn is_due(&self) -> bool {
        match self.stage() {
            Stage::Slow => true,
            Stage::With => self.turn * FRAMES_IN_1000_S < BYTES_A_SECOND * 1000 * u64::from(self.frame % TURN + 1),
            Stage::Without | Stage::Over => false,
        }
    }

    const fn sum(&mut self) -> Option<&mut Sum> {
        match self.stage() {
            Stage::Without => Some(&mut self.without),
            Stage::With => Some(&mut self.with),
            Stage::Slow => Some(&mut self.slow),
            Stage::Over => None,
        }
    }

    /// Notes bytes that have come. What comes behind a turn was begun in it.
    fn came(&mut self, bytes: u32) {
        self.turn += u64::from(bytes);
        let sum = if self.stage() == Stage::Slow { &mut self.slow } else { &mut self.with };
        sum.bytes += u64::from(bytes);
    }

    /// Notes what a frame has cost, and goes on to the next.
    fn end_frame(&mut self, busy: u32, files: u32) {
        let counts = self.frame % TURN >= UNCOUNTED;
        if let Some(sum) = self.sum() {
            sum.frames += 1;
            sum.worst = sum.worst.max(files);
            if counts {
                sum.busy += u64::from(busy);
                sum.files += u64::from(files);
            }
        }
        self.frame += 1;
        if self.frame.is_multiple_of(TURN) && self.stage() != Stage::Slow {
            self.turn = 0;
        }
    }
}

impl Sum {
    /// Frames whose cycles were added up.
    const fn counted(&self) -> u64 {
        (self.frames / TURN * (TURN - UNCOUNTED)) as u64
    }
}

impl<M: Machine> Game<M> {
    /// True once data is to come beside what is played.
    fn is_beside_due(&self) -> bool {
        self.is_played() && self.options.beside.is_some_and(|from| self.frames >= from)
    }

    /// Ends a read or begins the next one, as the file manager does in a frame.
    pub(super) fn read_beside(&mut self) {
        if !self.is_beside_due() {
            return;
        }
        if self.beside.frame == 0 {
            self.beside.missed = self.machine.shown().missed;
        }
        let (Some(files), Some(buffer), Some(manager)) =
            (self.files.system.as_mut(), self.files.buffer, self.files.manager.as_ref())
        else {
            return;
        };
        if self.beside.frame == TURN * TURNS {
            // A list of commands has room for it, or the drive is as quick as it is.
            let _room = files.device_mut().post(&CONSOLES_DRIVE);
        }
        if manager.is_busy() {
            return;
        }
        if self.beside.file.is_none() {
            let mut names = FILES.iter().filter_map(|name| NameHash::of_file(name));
            let Some(file) = names.find_map(|name| files.open(name).ok()) else { return };
            self.beside.file = files.file_size(file).ok().map(|bytes| (file, bytes));
        }
        let Some((file, size)) = self.beside.file else { return };
        if self.beside.is_reading {
            match files.read_state() {
                ReadState::Done(bytes) => {
                    self.beside.came(bytes);
                    self.beside.at = if self.beside.at + bytes < size { self.beside.at + bytes } else { 0 };
                }
                ReadState::Failed(_) | ReadState::Idle => {}
                ReadState::Busy | ReadState::Waiting(_) => return,
            }
            self.beside.is_reading = false;
        } else if self.beside.is_due() {
            let length = buffer.bytes().min(size - self.beside.at);
            self.beside.is_reading = files.start_read(file, self.beside.at, length, buffer).is_ok();
        }
    }

    /// Notes what the frame has cost whose file service took so many cycles, and tells the figures once all are there.
    pub(super) fn note_beside(&mut self, files: u32) {
        if !self.is_beside_due() || self.beside.stage() == Stage::Over {
            return;
        }
        let busy = self.debug.as_deref().map_or(0, |debug| debug.overlay.meter.latest().busy);
        self.beside.end_frame(busy, files);
        if self.beside.stage() != Stage::Over {
            return;
        }
        let Beside { without, with, slow, missed, .. } = &self.beside;
        for (name, sum) in [("without", without), ("with", with), ("slow", slow)] {
            let mean = |cycles: u64| cycles / sum.counted().max(1);
            self.machine.print(format_args!(
                "BESIDE {name} frames {} bytes {} busy {} files {} worst {}",
                sum.frames,
                sum.bytes,
                mean(sum.busy),
                mean(sum.files),
                sum.worst
            ));
        }
        let late = self.machine.shown().missed.wrapping_sub(*missed);
        let underruns = self.files.system.as_ref().and_then(|files| files.device().module_status());
        let (music, underruns) = underruns.map_or((false, 0), |status| (status.music, status.underruns));
        self.machine.print(format_args!("BESIDE missed {late} music {music} underruns {underruns}"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::game;
    use super::*;
    use crate::boot::start::StartHost as _;
    use crate::file_io::fake::{Disc, FakeDevice};
    use crate::game_modes::{ModeId, run_once};
    use crate::pads::Script;
    use std::boxed::Box;

    #[test]
    fn a_file_is_read_round_and_round_by_turns_and_then_without_a_pause() {
        let disc: &'static Disc = Box::leak(Box::new(Disc::new(&[(FILES[0], 900_000)])));
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.input.script = Script::parse("9x,9x,9.");
        game.options.beside = Some(0);
        game.push_mode(ModeId::LevelFlow);
        while game.stack.top() != Some(ModeId::Gameplay) {
            run_once(&mut *game);
        }
        game.files.system = Some(disc.files(FakeDevice::new(disc).with_latency(3)));
        let last = TURN * TURNS + SLOW - 1;
        while game.beside.frame <= last {
            let frame = game.beside.frame;
            let started = game.files.system.as_ref().unwrap().device().started.len();
            let rests = game.beside.stage() == Stage::Without;
            assert_eq!((game.machine.said("BESIDE"), game.stack.top()), (0, Some(ModeId::Gameplay)), "frame {frame}");
            run_once(&mut *game);
            assert!(!rests || game.files.system.as_ref().unwrap().device().started.len() == started, "frame {frame}");
        }
        assert_eq!(game.machine.said("BESIDE"), 4, "{:?}", game.machine.log.last());
        let started = &game.files.system.as_ref().unwrap().device().started;
        assert!(started.iter().filter(|read| read.offset == 0).count() > 5, "round and round");
        let (with, slow) = (game.beside.with, game.beside.slow);
        let least = 1_200_000 * 1000 * u64::from(with.frames) / FRAMES_IN_1000_S;
        assert!(with.bytes >= least && with.bytes < least * 2, "{} of {least}", with.bytes);
        // Four polls and a frame for each 384 KB.
        assert!(slow.bytes > u64::from(SLOW / 6) * 300_000, "{}", slow.bytes);
        assert_eq!(game.beside.without.bytes, 0);
    }
}
