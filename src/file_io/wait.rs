//! Waiting for a read without leaving the person in front of a dead screen.

use super::device::{Fault, StreamDevice};
use super::stream_files::{FileError, ReadState, StreamFileSystem};
use core::ops::ControlFlow;

/// Milliseconds from one call of the loading callback to the next while a load waits.
///
/// Source: support systems, File I/O
pub const LOADING_CALLBACK_MS: u32 = 67;

/// What a waiting load lives on: a clock, and something to do meanwhile.
pub trait Waiter {
    /// Milliseconds of any clock that does not stand still; it may wrap.
    fn milliseconds(&mut self) -> u32;

    /// Lets others run; called between looks at the read.
    fn pause(&mut self) {}

    /// Reads the pads and draws the loading screen; called every [`LOADING_CALLBACK_MS`]. Shows the fault when there is one.
    /// [`ControlFlow::Break`] gives the read up.
    fn loading(&mut self, fault: Option<Fault>) -> ControlFlow<()>;
}

/// Waits for the read in flight; the bytes that came.
///
/// # Errors
/// The read failed for good, or the waiter has given it up.
pub fn wait<D: StreamDevice, W: Waiter>(files: &mut StreamFileSystem<'_, D>, waiter: &mut W) -> Result<u32, FileError> {
    let mut last = waiter.milliseconds();
    let mut given_up = None;
    loop {
        files.update();
        match files.read_state() {
            ReadState::Busy | ReadState::Waiting(_) => {}
            ended => {
                files.take_end();
                return match (ended, given_up) {
                    (ReadState::Done(bytes), _) => Ok(bytes),
                    (_, Some(fault)) => Err(FileError::GivenUp(fault)),
                    (ReadState::Failed(fault), None) => Err(FileError::Device(fault)),
                    _ => Ok(0),
                };
            }
        }
        if let Err(FileError::GivenUp(fault)) = call_back(files, waiter, &mut last)
            && given_up.is_none()
        {
            given_up = Some(fault);
            files.cancel();
        }
    }
}

/// One look of a load that waits for somebody else's read to end.
///
/// # Errors
/// The waiter has given up.
pub(super) fn pause<D: StreamDevice, W: Waiter>(
    files: &mut StreamFileSystem<'_, D>,
    waiter: &mut W,
    last: &mut u32,
) -> Result<(), FileError> {
    files.update();
    call_back(files, waiter, last)
}

/// Lets others run, and calls the loading callback when it is time to; `last` is when it was called.
fn call_back<D: StreamDevice, W: Waiter>(
    files: &StreamFileSystem<'_, D>,
    waiter: &mut W,
    last: &mut u32,
) -> Result<(), FileError> {
    waiter.pause();
    let now = waiter.milliseconds();
    if now.wrapping_sub(*last) < LOADING_CALLBACK_MS {
        return Ok(());
    }
    *last = now;
    let fault = files.fault();
    if waiter.loading(fault).is_break() { Err(FileError::GivenUp(fault)) } else { Ok(()) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::file_io::fake::{Disc, Event, FakeDevice, REGION};
    use std::vec::Vec;

    /// A clock that moves on by a fixed time a look.
    pub struct Ticking {
        pub now: u32,
        pub step: u32,
        /// Times of the loading callback, and the fault it was told.
        pub called: Vec<(u32, Option<Fault>)>,
        /// Gives up at this call.
        pub patience: usize,
    }

    impl Ticking {
        pub const fn by(step: u32) -> Self {
            Self { now: 0, step, called: Vec::new(), patience: usize::MAX }
        }
    }

    impl Waiter for Ticking {
        fn milliseconds(&mut self) -> u32 {
            self.now
        }

        fn pause(&mut self) {
            self.now = self.now.wrapping_add(self.step);
        }

        fn loading(&mut self, fault: Option<Fault>) -> ControlFlow<()> {
            self.called.push((self.now, fault));
            if self.called.len() >= self.patience { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    #[test]
    fn the_loading_callback_comes_every_67_milliseconds() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc).with_latency(300));
        let file = files.open(disc.name("small")).unwrap();
        files.start_read(file, 0, 100, REGION).unwrap();
        let mut waiter = Ticking::by(1);
        assert_eq!(wait(&mut files, &mut waiter), Ok(100));
        assert_eq!(waiter.called, [(67, None), (134, None), (201, None), (268, None)]);
        assert_eq!(files.read_state(), ReadState::Idle);
    }

    #[test]
    fn a_clock_that_wraps_does_not_matter() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc).with_latency(100));
        let file = files.open(disc.name("small")).unwrap();
        files.start_read(file, 0, 100, REGION).unwrap();
        let mut waiter = Ticking { now: u32::MAX - 30, ..Ticking::by(1) };
        assert_eq!(wait(&mut files, &mut waiter), Ok(100));
        assert_eq!(waiter.called, [(36, None)]);
    }

    #[test]
    fn the_loading_callback_hears_of_the_disc_that_is_in_the_drive_now() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc).with(Event::Fault(Fault::TrayOpen, usize::MAX)));
        let file = files.open(disc.name("small")).unwrap();
        files.start_read(file, 0, 100, REGION).unwrap();
        files.device_mut().drive = Some(Fault::WrongDisc);
        let mut waiter = Ticking { patience: 3, ..Ticking::by(10) };
        assert_eq!(wait(&mut files, &mut waiter), Err(FileError::GivenUp(Some(Fault::WrongDisc))));
        assert!(waiter.called.iter().all(|(_, fault)| *fault == Some(Fault::WrongDisc)), "{:?}", waiter.called);
    }

    #[test]
    fn waiting_ends_when_the_person_gives_up() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc).with(Event::Fault(Fault::TrayOpen, usize::MAX)));
        let file = files.open(disc.name("small")).unwrap();
        files.start_read(file, 0, 100, REGION).unwrap();
        let mut waiter = Ticking { patience: 3, ..Ticking::by(10) };
        assert_eq!(wait(&mut files, &mut waiter), Err(FileError::GivenUp(Some(Fault::TrayOpen))));
        assert!(waiter.called.iter().all(|(_, fault)| *fault == Some(Fault::TrayOpen)));
        assert_eq!(files.read_state(), ReadState::Idle);
    }
}
