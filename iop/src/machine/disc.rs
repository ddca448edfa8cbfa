//! The disc's thread: opens, feeds the music, reads for the EE.

use super::cd::For;
use super::push::{self, Pushed};
use super::state::{MusicAsk, Playing, STATE};
use super::{cd, imports, music, sound, threads};
use boardwalk_iop::ahead::{Ahead, BUFFERS};
use boardwalk_iop::memory;
use boardwalk_iop::music::{CHANNEL_BYTES, GROUP_BYTES, HEADER_BYTES, Header};
use boardwalk_iop::pace::{Pace, left};
use boardwalk_iop::protocol::{Path, Progress, fault};
use boardwalk_iop::reading::{Extent, PIECE_BYTES, Piece, Reading, SECTOR_BYTES};
use boardwalk_iop::rest::Rest;
use boardwalk_iop::ring::{GROUPS, Ring};
use boardwalk_iop::sound_memory::BANK_BYTES;
use boardwalk_iop::watch::DISC;

/// Behind the music's thread, before the server's.
const PRIORITY: u32 = 42;
/// Microseconds between two looks at a drive that has failed.
const DRIVE_LOOK: u32 = 100_000;
/// Microseconds between two looks whether a rest is over, or a read was asked meanwhile.
const REST_LOOK: u32 = 10_000;
/// Sectors of a group of music.
const GROUP_SECTORS: u32 = GROUP_BYTES as u32 / SECTOR_BYTES;

/// What the thread owns.
struct Disc {
    buffers: [*mut u8; BUFFERS],
    path: Path,
    file: Option<Extent>,
    /// What was read before it was asked for.
    ahead: Ahead,
    /// Where the drive's head is.
    pace: Pace,
    /// The drive has failed, and the EE waits until it is ready.
    failed: bool,
    /// The sectors that the EE's last read failed at, and how many.
    failed_at: Option<(u32, u32)>,
    /// What of the disc the drive has failed at, when it is only that: the fault stays told until it was read.
    bad: Option<(u32, u32)>,
    /// The music's rest, and the ask for music that it belongs to.
    music_rest: (Rest, u32),
    /// The bank's rest.
    bank_rest: Rest,
}

/// Takes the memory; `None` when there is none.
pub fn take_memory() -> Option<()> {
    let bytes = memory::READS + memory::MUSIC;
    // SAFETY: a plain call; the result is checked.
    let block = unsafe { imports::AllocSysMemory(0, bytes, core::ptr::null_mut()) };
    if block.is_null() {
        return None;
    }
    BUFFER.with(|buffer| *buffer = block as u32);
    // SAFETY: a part of the new block, which nobody uses yet.
    unsafe { silence().write_bytes(0, CHANNEL_BYTES) };
    Some(())
}

/// Gives the memory back: the module does not stay.
pub fn give_memory_back() {
    let block = BUFFER.with(|buffer| core::mem::replace(buffer, 0));
    // SAFETY: the block that was allocated, which no thread uses yet; an address that is none is refused.
    unsafe { imports::FreeSysMemory(block as *mut u8) };
}

/// Makes the thread.
pub fn make() -> Option<i32> {
    let thread = threads::make(run, PRIORITY, memory::DISC_STACK)?;
    STATE.with(|state| state.disc_thread = thread);
    Some(thread)
}

/// Address of the buffers, handed to the thread.
static BUFFER: super::shared::Shared<u32> = super::shared::Shared::new(0);

/// Address of a slot of the music's ring.
pub fn music_slot(slot: usize) -> *mut u8 {
    let base = BUFFER.with(|buffer| *buffer as *mut u8);
    base.wrapping_add(BUFFERS * PIECE_BYTES as usize + slot * GROUP_BYTES)
}

/// A channel's half of silence, whose flags may be set.
pub fn silence() -> *mut u8 {
    music_slot(GROUPS)
}

/// A sector for the header of music: the pieces' buffers may be on their way to the EE then.
fn header_buffer() -> *mut u8 {
    silence().wrapping_add(CHANNEL_BYTES)
}

extern "C" fn run(_: u32) {
    let base = BUFFER.with(|buffer| *buffer as *mut u8);
    let buffers = core::array::from_fn(|index| base.wrapping_add(index * PIECE_BYTES as usize));
    let mut disc = Disc {
        buffers,
        path: [0; boardwalk_iop::protocol::PATH_BYTES],
        file: None,
        ahead: Ahead::default(),
        pace: Pace::default(),
        failed: false,
        failed_at: None,
        bad: None,
        music_rest: (Rest::default(), 0),
        bank_rest: Rest::default(),
    };
    cd::initialise();
    loop {
        STATE.with(|state| state.beat(DISC));
        if !disc.step() {
            if disc.failed {
                disc.look();
                threads::delay(DRIVE_LOOK);
            } else if disc.music_rest.0.is_on() || disc.bank_rest.is_on() {
                // Nobody wakes the thread when a rest ends.
                threads::delay(REST_LOOK);
            } else {
                STATE.with(|state| state.disc_rests = true);
                threads::sleep();
                STATE.with(|state| {
                    state.beat(DISC);
                    state.disc_rests = false;
                });
            }
        }
    }
}

/// Counts what the EE should not have asked for.
fn refuse() {
    STATE.with(|state| state.status.refused += 1);
}

impl Disc {
    /// Does one thing that was asked; false when nothing is.
    fn step(&mut self) -> bool {
        if let Some(path) = STATE.with(|state| state.open.take()) {
            self.open(&path);
            return true;
        }
        if self.feed_music() {
            return true;
        }
        // What nobody waits for rests while the drive has failed.
        let rests = self.failed || self.bank_rest.lasts(threads::clock());
        let bank = if rests { None } else { STATE.with(|state| state.bank.take()) };
        if let Some((offset, bytes)) = bank {
            self.load_bank(offset, bytes);
        } else if let Some(ask) = STATE.with(|state| state.read.take()) {
            // Sectors that could not be read keep nobody from others.
            self.failed &= self.bad.take().is_none();
            let result = match self.file.and_then(|file| Reading::new(file, ask.offset, ask.length, ask.destination)) {
                Some(reading) => self.read(reading),
                None => Err(fault::REFUSED),
            };
            self.end_read(result);
        } else {
            return self.read_ahead();
        }
        true
    }

    fn open(&mut self, path: &Path) {
        self.path = *path;
        self.ahead.forget();
        let found = cd::search(path);
        self.file = found.ok();
        STATE.with(|state| match found {
            Ok(file) => {
                state.status.file_bytes = file.bytes;
                state.status.open = Progress::Done;
            }
            Err(reason) => {
                state.status.open_fault = reason;
                state.status.open = Progress::Failed;
            }
        });
    }

    /// Looks whether the drive has the same disc again, which has the same file in the same place; what else is in it is told.
    fn look(&mut self) {
        if STATE.with(|state| state.cancel) {
            // Nobody wants them any more.
            self.bad = None;
        }
        // The folder need not be read again for sectors of the same disc.
        match cd::look(&self.path, self.file.filter(|_| self.bad.is_none())) {
            Ok(mode) => {
                if self.bad.is_none() {
                    cd::ready(mode);
                } else if !self.reads_again() {
                    return;
                }
                self.failed = false;
                self.pace = Pace::default();
                STATE.with(|state| state.heal());
            }
            Err(Some(reason)) => {
                if !fault::is_of_sectors(reason) {
                    self.bad = None;
                }
                STATE.with(|state| {
                    (state.status.ready, state.status.drive_fault) = (false, reason);
                });
            }
            Err(None) => {}
        }
    }

    /// Whether the drive can read by now what it has failed at.
    fn reads_again(&mut self) -> bool {
        let Some((sector, sectors)) = self.bad else { return true };
        let read = if cd::tray_moved() {
            Err(fault::TRAY_OPEN)
        } else {
            cd::read(sector, sectors, self.buffers[0], For::Nobody, self.is_scratched(sector, sectors))
        };
        match read {
            Ok(()) => self.bad = None,
            Err(reason) if !fault::is_of_sectors(reason) => self.fail(reason),
            Err(_) => {}
        }
        read.is_ok()
    }

    /// For tests: whether sectors are among those of the open file that stay unreadable.
    fn is_scratched(&self, sector: u32, sectors: u32) -> bool {
        let (from, bytes) = STATE.with(|state| state.scratch);
        let begin = self.file.unwrap_or_default().sector + (from >> SECTOR_BYTES.trailing_zeros());
        let end = begin + (bytes >> SECTOR_BYTES.trailing_zeros());
        sector < end && begin < sector + sectors
    }

    /// True while the drive reads nothing at all, rather than some sectors.
    const fn stands(&self) -> bool {
        self.failed && self.bad.is_none()
    }

    fn fail(&mut self, reason: u32) {
        self.failed = true;
        self.bad = self.failed_at.take().filter(|_| fault::is_of_sectors(reason));
        // It may be another disc that comes back.
        self.ahead.forget();
        STATE.with(|state| {
            state.status.ready = false;
            state.status.drive_fault = reason;
        });
    }

    fn end_read(&mut self, result: Result<(), u32>) {
        let given_up = STATE.with(|state| state.cancel);
        let result =
            result.map_err(|reason| if given_up && fault::is_of_sectors(reason) { fault::CANCELLED } else { reason });
        match result {
            Err(reason) if !matches!(reason, fault::REFUSED | fault::CANCELLED) => self.fail(reason),
            // Whatever was told before: it was read, or nobody wants it any more.
            _ if !self.failed => STATE.with(|state| state.heal()),
            _ => {}
        }
        STATE.with(|state| match result {
            Ok(()) => state.status.read = Progress::Done,
            Err(reason) => {
                state.status.read_fault = reason;
                state.status.read = Progress::Failed;
            }
        });
    }

    /// Reads sectors, no quicker than the drive that the module was told to be. Behind a tray that was moved nothing is read
    /// until [`look`](Self::look) has found the same disc: its sectors would be another's.
    fn fetch(&mut self, sector: u32, sectors: u32, buffer: *mut u8, whose: For) -> Result<(), u32> {
        if self.stands() {
            // Whoever gives up a read heals what is told before the drive has been found whole.
            let told = STATE.with(|state| state.status.drive_fault);
            return Err(if told == fault::NONE { fault::UNREADABLE } else { told });
        }
        self.failed_at = None;
        if cd::tray_moved() {
            self.fail(fault::TRAY_OPEN);
            return Err(fault::TRAY_OPEN);
        }
        let (for_sector, for_seek) = STATE.with(|state| state.throttle);
        let begun = threads::clock();
        let least = self.pace.read(sector, sectors, for_sector, for_seek);
        let scratched = self.is_scratched(sector, sectors);
        cd::read(sector, sectors, buffer, whose, scratched).inspect_err(|_| {
            self.failed_at = (whose == For::Ee).then_some((sector, sectors));
        })?;
        let left = left(least, threads::clock().wrapping_sub(begun));
        if left > 0 {
            threads::delay(left);
        }
        Ok(())
    }

    /// Reads for the EE: while one piece is pushed, the next is read. Music comes before each piece.
    fn read(&mut self, mut reading: Reading) -> Result<(), u32> {
        let mut pushed: Option<Pushed> = None;
        let mut result = Ok(());
        let mut last = None;
        while let Some(piece) = reading.next_piece() {
            if STATE.with(|state| state.cancel) {
                result = Err(fault::CANCELLED);
                break;
            }
            while self.feed_music() {}
            let buffer = match self.ahead.take(piece) {
                Some(buffer) => self.buffers[buffer],
                None => {
                    let buffer = self.buffers[self.ahead.claim()];
                    result = self.fetch(piece.sector, piece.sectors, buffer, For::Ee);
                    buffer
                }
            };
            if result.is_err() {
                break;
            }
            // Pieces arrive in their order, so that what was delivered is whole.
            if let Some(before) = pushed.take() {
                push::wait(before);
            }
            pushed = Some(Self::push(&piece, buffer));
            STATE.with(|state| state.status.delivered += piece.bytes);
            last = Some(piece);
        }
        // Whatever the end, nothing may arrive behind it.
        if let Some(last) = pushed {
            push::wait(last);
        }
        if let (Ok(()), Some(last), Some(file)) = (result, last, self.file) {
            self.read_on(last, file);
        }
        result
    }

    /// Lets the drive read on behind a read that may be one of several: one that ends with a whole piece. Others end with
    /// their file.
    fn read_on(&mut self, last: Piece, file: Extent) {
        if last.bytes == PIECE_BYTES {
            let end = file.sector + ((file.bytes + SECTOR_BYTES - 1) >> SECTOR_BYTES.trailing_zeros());
            self.ahead.read_on(last.sector + last.sectors, end);
        } else {
            self.ahead.forget();
        }
    }

    /// Reads a piece that nobody has asked for yet; false when there is none to read. It is no fault when that goes wrong:
    /// whoever asks for the piece will see.
    fn read_ahead(&mut self) -> bool {
        // A drive that fails for a test is to fail for those who ask.
        let fails = self.failed || STATE.with(|state| state.injected()).is_some();
        let Some((sector, sectors, buffer)) = self.ahead.wanted().filter(|_| !fails) else { return false };
        match self.fetch(sector, sectors, self.buffers[buffer], For::Nobody) {
            Ok(()) => self.ahead.arrived(),
            Err(_) => self.ahead.forget(),
        }
        true
    }

    fn push(piece: &Piece, buffer: *mut u8) -> Pushed {
        push::begin(buffer, piece.destination, piece.sent())
    }

    /// Begins music that was asked, and reads the next group when there is room; true when it did something.
    fn feed_music(&mut self) -> bool {
        let now = threads::clock();
        let asks = STATE.with(|state| state.music_asks);
        if self.music_rest.1 != asks {
            self.music_rest = (Rest::default(), asks);
        }
        if self.stands() || self.music_rest.0.lasts(now) {
            return false;
        }
        if let Some((ask, asks)) = STATE.with(|state| Some((state.music.take()?, state.music_asks))) {
            self.begin_music(ask, asks);
            return true;
        }
        let wanted = STATE.with(|state| {
            let playing = state.playing.as_ref()?;
            playing.ring.wanted().map(|(group, slot)| (playing.offset, group, slot))
        });
        let (Some((offset, group, slot)), Some(file)) = (wanted, self.file) else { return false };
        let sector = file.sector + ((offset + Header::group_offset(group)) >> SECTOR_BYTES.trailing_zeros());
        match self.fetch(sector, GROUP_SECTORS, music_slot(slot), For::Nobody) {
            Ok(()) => {
                self.music_rest.0 = Rest::default();
                STATE.with(|state| {
                    // The music may have been ended or changed meanwhile.
                    if let Some(playing) = &mut state.playing
                        && playing.offset == offset
                        && playing.ring.wanted() == Some((group, slot))
                    {
                        playing.ring.arrived();
                    }
                });
            }
            Err(reason) if fault::is_of_sectors(reason) => {
                // What is behind it may be whole.
                self.music_rest.0.fail(threads::clock());
                STATE.with(|state| {
                    if let Some(playing) = state.playing.as_mut().filter(|playing| playing.offset == offset) {
                        playing.ring.skip();
                    }
                });
            }
            Err(reason) => self.fail(reason),
        }
        true
    }

    /// Begins music unless something else has been asked meanwhile, which `asks` tells.
    fn begin_music(&mut self, ask: MusicAsk, asks: u32) {
        let MusicAsk { offset, bytes } = ask;
        let Some(file) = self.file else { return };
        let inside = offset & (SECTOR_BYTES - 1) == 0
            && offset.checked_add(bytes).is_some_and(|end| end <= file.bytes)
            && bytes >= HEADER_BYTES as u32;
        let sector = file.sector + (offset >> SECTOR_BYTES.trailing_zeros());
        self.ahead.forget();
        if !inside {
            return refuse();
        }
        if let Err(reason) = self.fetch(sector, 1, header_buffer(), For::Nobody) {
            if fault::is_of_sectors(reason) {
                self.music_rest.0.fail(threads::clock());
            } else {
                self.fail(reason);
            }
            // Asked again when the drive is back, or behind the rest.
            STATE.with(|state| {
                if state.music_asks == asks {
                    state.music = Some(ask);
                }
            });
            return;
        }
        // SAFETY: the drive has filled the buffer, and nobody else uses it.
        let head = unsafe { core::slice::from_raw_parts(header_buffer().cast_const(), HEADER_BYTES) };
        let Some(header) = Header::from_bytes(head, bytes) else { return refuse() };
        let ended = music::end_and_wait();
        if !ended {
            // The old music's last transfer still runs: asked again behind the rest.
            self.music_rest.0.fail(threads::clock());
        }
        STATE.with(|state| {
            if state.music_asks != asks {
                return;
            }
            if ended {
                state.playing = Some(Playing { offset, ring: Ring::new(header), header });
            } else {
                state.music = Some(ask);
            }
        });
    }

    /// Loads a bank: read by pieces, given to the sound memory one by one.
    fn load_bank(&mut self, offset: u32, bytes: u32) {
        let file = self.file.filter(|_| bytes <= BANK_BYTES);
        let Some(mut reading) = file.and_then(|file| Reading::new(file, offset, bytes, 0)) else { return refuse() };
        if !STATE.with(|state| state.status.sound) {
            return;
        }
        self.ahead.forget();
        while let Some(piece) = reading.next_piece() {
            while self.feed_music() {}
            let read = self.fetch(piece.sector, piece.sectors, self.buffers[0], For::Nobody);
            if read.is_err() || !sound::load(self.buffers[0], piece.destination, piece.bytes) {
                match read {
                    Err(reason) if !fault::is_of_sectors(reason) => self.fail(reason),
                    _ => self.bank_rest.fail(threads::clock()),
                }
                // Asked again when the drive is back, or behind the rest, unless it is another bank by then.
                STATE.with(|state| state.bank = state.bank.or(Some((offset, bytes))));
                return;
            }
        }
        self.bank_rest = Rest::default();
        STATE.with(|state| state.status.bank = true);
    }
}
