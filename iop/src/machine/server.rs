//! The server: takes commands, answers with the state. It never waits, so that the EE never does, unless a test asks it to.

use super::shared::Shared;
use super::state::{Ask, MusicAsk, STATE, State};
use super::{imports, music, push, sound, threads};
use boardwalk_iop::memory;
use boardwalk_iop::protocol::{COMMANDS, Command, LIST_WORDS, Progress, SERVER, STATUS_WORDS, fault, take};
use boardwalk_iop::watch::Watch;
use core::cell::UnsafeCell;

/// Behind the threads that do the work: an EE that asks without a pause must not keep them from it.
const PRIORITY: u32 = 44;
/// Microseconds of a millisecond.
const MILLISECOND: u32 = 1_000;

/// Records that the system links into its lists, and the buffers of calls.
#[repr(C, align(16))]
struct Records {
    request: UnsafeCell<[u32; LIST_WORDS]>,
    reply: UnsafeCell<[u32; STATUS_WORDS]>,
    server: UnsafeCell<[u32; 32]>,
    queue: UnsafeCell<[u32; 16]>,
}

// SAFETY: the system and this thread use them in turn: one call at a time.
unsafe impl Sync for Records {}

static RECORDS: Records = Records {
    request: UnsafeCell::new([0; LIST_WORDS]),
    reply: UnsafeCell::new([0; STATUS_WORDS]),
    server: UnsafeCell::new([0; 32]),
    queue: UnsafeCell::new([0; 16]),
};

/// What this thread has seen of the others.
static WATCH: Shared<Watch> = Shared::new(Watch::new());

/// Makes the server's thread.
pub fn make() -> Option<i32> {
    threads::make(serve, PRIORITY, memory::SERVER_STACK)
}

extern "C" fn serve(_: u32) {
    let queue = RECORDS.queue.get().cast();
    // SAFETY: records that live for ever, larger than the system's.
    unsafe {
        imports::sceSifInitRpc(0);
        imports::sceSifSetRpcQueue(queue, threads::current());
        let (server, request) = (RECORDS.server.get().cast(), RECORDS.request.get().cast());
        imports::sceSifRegisterRpc(server, SERVER, answer, request, 0, 0, queue);
        imports::sceSifRpcLoop(queue);
    }
}

extern "C" fn answer(function: u32, request: *mut u32, bytes: u32) -> *mut u32 {
    if function == COMMANDS {
        let words = (bytes as usize / 4).min(LIST_WORDS);
        // SAFETY: the system has put that many words of the call into our buffer.
        let mut list = unsafe { core::slice::from_raw_parts(request.cast_const(), words) };
        while let Some(command) = take(&mut list) {
            match command {
                Some(command) => obey(&command),
                None => STATE.with(|state| state.status.refused += 1),
            }
        }
        let disc = STATE.with(|state| state.disc_thread);
        threads::wake(disc);
        let mute = STATE.with(|state| core::mem::replace(&mut state.mute, 0));
        if mute > 0 {
            threads::delay(mute);
        }
    }
    let now = threads::clock();
    let beats = STATE.with(|state| state.beats());
    let stands = WATCH.with(|watch| watch.look(beats, now));
    let words = STATE.with(|state| {
        state.status.stopped = stands || state.panicked;
        state.status.to_words()
    });
    let reply: *mut u32 = RECORDS.reply.get().cast();
    for (index, word) in words.into_iter().enumerate() {
        // SAFETY: inside of the reply; the last one has been sent, as the EE has called again.
        unsafe { reply.add(index).write_volatile(word) };
    }
    reply
}

/// Whether bytes lie in the IOP's memory, as an echo must.
const fn is_memory(source: u32, bytes: u32) -> bool {
    const MEMORY: u32 = 2 << 20;
    bytes <= MEMORY && source <= MEMORY - bytes && source.is_multiple_of(4)
}

fn obey(command: &Command) {
    match *command {
        Command::Play { voice, address, setting } => sound::play(voice, address, setting),
        Command::Stop(voice) => sound::stop(voice),
        Command::Adjust { voice, setting } => sound::adjust(voice, setting),
        Command::Hear(voice) => {
            let heard = sound::hear(voice);
            STATE.with(|state| state.status.heard = heard);
        }
        Command::Echo { source, destination, bytes } if is_memory(source, bytes) => {
            push::wait(push::begin(source as *const u8, destination, bytes));
        }
        Command::MusicVolume(volumes) => {
            STATE.with(|state| state.music_volumes = volumes);
            music::set_volumes(volumes);
        }
        _ => STATE.with(|state| note(state, command)),
    }
}

/// Notes what the other threads are to do.
fn note(state: &mut State, command: &Command) {
    match *command {
        Command::Open(path) => {
            state.status.open = Progress::Busy;
            state.status.open_fault = fault::NONE;
            state.open = Some(path);
        }
        Command::Read { offset, length } => state.ask = Ask { offset, length, ..state.ask },
        Command::Destination(destination) => state.ask.destination = destination,
        // A repeated start is one whose answer was lost.
        Command::Start { serial } if serial == state.status.serial => {}
        Command::Start { serial } if state.status.read == Progress::Busy => {
            // The EE has one read at a time; a second one is a mistake that must not go unnoticed.
            state.status.refused += u32::from(serial != 0);
        }
        Command::Start { serial } => {
            state.status.read = Progress::Busy;
            state.status.read_fault = fault::NONE;
            state.status.serial = serial;
            state.status.delivered = 0;
            state.cancel = false;
            state.read = Some(state.ask);
        }
        Command::Cancel { serial } if serial == state.status.serial => {
            state.cancel = true;
            // Nobody wants the sectors any more that could not be read.
            if state.status.read != Progress::Busy && fault::is_of_sectors(state.status.drive_fault) {
                state.heal();
            }
        }
        Command::Scratch { offset, bytes } => state.scratch = (offset, bytes),
        Command::Throttle { sector, seek } => state.throttle = (sector, seek),
        Command::Fault { fault, commands } => state.inject = (fault, commands),
        Command::Mute { milliseconds } => state.mute = milliseconds.wrapping_mul(MILLISECOND),
        Command::MusicPlay { offset, bytes, volumes } => {
            state.music_volumes = volumes;
            state.music_asks = state.music_asks.wrapping_add(1);
            state.music = Some(MusicAsk { offset, bytes });
        }
        Command::MusicStop => {
            state.music_asks = state.music_asks.wrapping_add(1);
            state.music = None;
            state.music_stop = true;
        }
        Command::Bank { offset, bytes } => {
            state.status.bank = false;
            state.bank = Some((offset, bytes));
        }
        _ => {}
    }
}
