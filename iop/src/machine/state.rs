//! What the EE has asked and how far it is.

use super::shared::Shared;
use boardwalk_iop::music::{Header, LAYERS};
use boardwalk_iop::protocol::{ALWAYS, Path, Status, fault};
use boardwalk_iop::ring::Ring;
use boardwalk_iop::watch::{DISC, THREADS};

/// A read that was asked.
#[derive(Clone, Copy)]
pub struct Ask {
    /// First byte of the file.
    pub offset: u32,
    /// Bytes.
    pub length: u32,
    /// Where they go.
    pub destination: u32,
}

/// Music that was asked: its place in the open file.
#[derive(Clone, Copy)]
pub struct MusicAsk {
    /// First byte.
    pub offset: u32,
    /// Bytes.
    pub bytes: u32,
}

/// Music that is read from the disc.
#[derive(Clone, Copy)]
pub struct Playing {
    /// First byte in the open file.
    pub offset: u32,
    /// Which groups are where.
    pub ring: Ring,
    /// What it is.
    pub header: Header,
}

/// Everything that more than one thread touches.
pub struct State {
    /// What the EE is told.
    pub status: Status,
    /// The next read's words, until its start.
    pub ask: Ask,
    /// A file to be opened.
    pub open: Option<Path>,
    /// A read to be done.
    pub read: Option<Ask>,
    /// The read under way is to end.
    pub cancel: bool,
    /// Microseconds that a sector and a seek take more.
    pub throttle: (u32, u32),
    /// The fault that the drive's next commands fail with, and how many of them.
    pub inject: (u32, u32),
    /// Microseconds that the answer under way is held back.
    pub mute: u32,
    /// How often music was asked to begin or to end.
    pub music_asks: u32,
    /// Music to be begun.
    pub music: Option<MusicAsk>,
    /// Music to be ended.
    pub music_stop: bool,
    /// Volumes of the music's layers.
    pub music_volumes: [u16; LAYERS],
    /// The music under way.
    pub playing: Option<Playing>,
    /// Blocks for the sound memory: offset and bytes.
    pub bank: Option<(u32, u32)>,
    /// The disc's thread.
    pub disc_thread: i32,
    /// For tests: bytes of the open file that stay unreadable, from and how many.
    pub scratch: (u32, u32),
    /// Beats of the threads that are watched.
    pub beats: [u32; THREADS],
    /// The disc's thread has nothing to do.
    pub disc_rests: bool,
    /// A thread has met a bug of ours and stands for good.
    pub panicked: bool,
}

/// The module's state.
pub static STATE: Shared<State> = Shared::new(State {
    status: Status::IDLE,
    ask: Ask { offset: 0, length: 0, destination: 0 },
    open: None,
    read: None,
    cancel: false,
    throttle: (0, 0),
    inject: (fault::NONE, 0),
    mute: 0,
    music_asks: 0,
    music: None,
    music_stop: false,
    music_volumes: [0; LAYERS],
    playing: None,
    bank: None,
    disc_thread: 0,
    scratch: (0, 0),
    beats: [0; THREADS],
    disc_rests: false,
    panicked: false,
});

impl State {
    /// Notes that a thread goes on.
    pub fn beat(&mut self, thread: usize) {
        if let Some(beat) = self.beats.get_mut(thread) {
            *beat = beat.wrapping_add(1);
        }
    }

    /// What a watch looks at.
    pub fn beats(&self) -> [Option<u32>; THREADS] {
        let mut beats = self.beats.map(Some);
        if self.disc_rests {
            beats[DISC] = None;
        }
        beats
    }

    /// Notes that nothing keeps the drive.
    pub fn heal(&mut self) {
        self.status.ready = true;
        self.status.drive_fault = fault::NONE;
    }

    /// Milliseconds for which a test lets the disc's thread stand, taken note of.
    pub fn take_stand(&mut self) -> u32 {
        let stands = self.inject.0 == fault::STANDS;
        if stands { core::mem::replace(&mut self.inject, (fault::NONE, 0)).1 } else { 0 }
    }

    /// The fault that a command of the drive is to fail with, taken note of.
    pub fn take_injected(&mut self) -> Option<u32> {
        let (reason, commands) = self.injected()?;
        if commands != ALWAYS {
            self.inject.1 -= 1;
        }
        Some(reason)
    }

    /// The fault that the drive fails with at present, and for how many commands.
    pub fn injected(&self) -> Option<(u32, u32)> {
        let (reason, commands) = self.inject;
        (!matches!(reason, fault::NONE | fault::TRAY_MOVED | fault::STANDS) && commands > 0)
            .then_some((reason, commands))
    }

    /// Whether the tray is to have been moved, taken note of.
    pub fn take_moved(&mut self) -> bool {
        let moved = self.inject.0 == fault::TRAY_MOVED && self.inject.1 > 0;
        self.inject.1 -= u32::from(moved);
        moved
    }
}
