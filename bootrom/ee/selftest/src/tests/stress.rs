//! Everything at once: 64 threads, semaphores, alarms, a busy link, reads of the disc and controllers, with its own
//! invariants looked at all the time.
//!
//! - Four *rings* of thirteen threads pass a token by semaphores. A token rests at its ring's first thread until an alarm lets it
//!   go, and each alarm sets itself again.
//! - Eight *sleepers* are woken by alarms of their own, by WakeupThread from the handler.
//! - Two threads *shift* each other's priority and place, and a short-lived one is made, run and deleted again and again.
//! - The program's own thread, the least urgent, reads the disc, calls servers, polls the controllers, suspends and
//!   resumes ring threads, and compares what must be equal.

use super::Tally;
use super::calls::call;
use super::threads::registers_survive;
use alloc::boxed::Box;
use boardwalk::ee::pads::PadDriver;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::files::{Files, From};
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::sif::loader::Loader;
use boardwalk::ee::syscall::{self, SemaParameters, ThreadParameters};
use boardwalk::ee::{cop0, interrupt};
use boardwalk::tty_println;
use core::cell::{RefCell, UnsafeCell};
use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// Rings and their threads.
const RINGS: usize = 4;
const MEMBERS: usize = 13;
/// Sleepers.
const SLEEPERS: usize = 8;
/// The two that shift, and the short-lived one.
const SHIFTERS: usize = 2;
/// Threads with a stack of their own; with the program's they are 64.
const THREADS: usize = RINGS * MEMBERS + SLEEPERS + SHIFTERS + 1;
const _: () = assert!(THREADS == 63);
/// Bytes of a stack: a saved context, a handler's depth of calls.
const STACK: usize = 0x1000;
/// Word at a stack's lowest address.
const CANARY: u32 = 0x57AC_C0DE;
/// Picture lines between the alarms of ring and sleeper `n`: this and 7 or 11 more for each.
const RING_LINES: u16 = 19;
const SLEEPER_LINES: u16 = 31;
/// Cycles in a second.
const SECOND: u64 = 294_912_000;
/// Bytes that are read at a time, and how many such pieces of the program's file.
const PIECE: usize = 2048;
const PIECES: usize = 32;
/// Turns of the loop in which a controller may be without input once it gave some.
const SILENT: u32 = 5_000;
/// The file with the number of seconds.
const SECONDS_FILE: &[u8] = b"cdrom0:\\SECONDS.TXT;1";
/// Priorities.
mod priority {
    pub const SLEEPER: i32 = 20;
    pub const RING: i32 = 40;
    pub const SHIFTER: i32 = 70;
    pub const SHORT: i32 = 80;
    pub const MAIN: i32 = 100;
}

#[repr(C, align(64))]
struct Stacks(UnsafeCell<[[u32; STACK / 4]; THREADS]>);
// SAFETY: each thread uses its own; the canaries are only read.
unsafe impl Sync for Stacks {}
static STACKS: Stacks = Stacks(UnsafeCell::new([[0; STACK / 4]; THREADS]));

/// A ring's semaphores (one for each member, one that the alarm signals) and counts.
struct Ring {
    tokens: [AtomicI32; MEMBERS],
    go: AtomicI32,
    passed: [AtomicU32; MEMBERS],
    fired: AtomicU32,
}

static RING: [Ring; RINGS] = [const {
    Ring {
        tokens: [const { AtomicI32::new(-1) }; MEMBERS],
        go: AtomicI32::new(-1),
        passed: [const { AtomicU32::new(0) }; MEMBERS],
        fired: AtomicU32::new(0),
    }
}; RINGS];

struct Sleeper {
    thread: AtomicI32,
    fired: AtomicU32,
    woken: AtomicU32,
}

static SLEEPER: [Sleeper; SLEEPERS] =
    [const { Sleeper { thread: AtomicI32::new(0), fired: AtomicU32::new(0), woken: AtomicU32::new(0) } }; SLEEPERS];

static STOP: AtomicU32 = AtomicU32::new(0);
static SHORT_RUNS: AtomicU32 = AtomicU32::new(0);
static SHIFTS: AtomicU32 = AtomicU32::new(0);
/// Alarms that could not be set again, and registers that did not survive.
static LOST: AtomicU32 = AtomicU32::new(0);

fn add(counter: &AtomicU32) -> u32 {
    let new = counter.load(Ordering::Relaxed) + 1;
    counter.store(new, Ordering::Relaxed);
    new
}

fn get(counter: &AtomicU32) -> u32 {
    counter.load(Ordering::Relaxed)
}

fn set_again(lines: u16, function: syscall::AlarmHandler, argument: *mut c_void) {
    if get(&STOP) == 0 && call_alarm(lines, function, argument) < 0 {
        add(&LOST);
    }
}

/// iSetAlarm.
fn call_alarm(lines: u16, function: syscall::AlarmHandler, argument: *mut c_void) -> i32 {
    super::calls::call_with(-0xFD, [u32::from(lines), function as *const () as u32, argument as u32])
}

unsafe extern "C" fn let_ring_go(_id: i32, _time: u16, argument: *mut c_void) {
    let ring = argument as usize;
    add(&RING[ring].fired);
    call(-0x43, RING[ring].go.load(Ordering::Relaxed) as u32, 0);
    set_again(RING_LINES + 7 * ring as u16, let_ring_go, argument);
    interrupt::finish();
}

unsafe extern "C" fn wake_sleeper(_id: i32, _time: u16, argument: *mut c_void) {
    let sleeper = &SLEEPER[argument as usize];
    add(&sleeper.fired);
    call(-0x34, sleeper.thread.load(Ordering::Relaxed) as u32, 0);
    set_again(SLEEPER_LINES + 11 * argument as u16, wake_sleeper, argument);
    interrupt::finish();
}

unsafe extern "C" fn pass_token(argument: *mut c_void) {
    let (ring, member) = (argument as usize / MEMBERS, argument as usize % MEMBERS);
    let (number, ring) = (ring, &RING[ring]);
    loop {
        // SAFETY: numbers only.
        unsafe {
            syscall::wait_sema(ring.tokens[member].load(Ordering::Relaxed));
            if member == 0 {
                syscall::wait_sema(ring.go.load(Ordering::Relaxed));
            }
        }
        let turn = add(&ring.passed[member]);
        if !registers_survive(turn << 8 | (number as u32) << 4 | member as u32, false) {
            add(&LOST);
        }
        // SAFETY: a number.
        unsafe { syscall::signal_sema(ring.tokens[(member + 1) % MEMBERS].load(Ordering::Relaxed)) };
    }
}

unsafe extern "C" fn sleep(argument: *mut c_void) {
    loop {
        // SAFETY: no arguments.
        unsafe { syscall::sleep_thread() };
        add(&SLEEPER[argument as usize].woken);
    }
}

unsafe extern "C" fn shift(argument: *mut c_void) {
    loop {
        // SAFETY: numbers only.
        unsafe {
            syscall::sleep_thread();
            add(&SHIFTS);
            syscall::change_thread_priority(0, priority::SHIFTER + argument as i32);
            syscall::rotate_thread_ready_queue(priority::RING);
        }
    }
}

unsafe extern "C" fn run_shortly(_: *mut c_void) {
    add(&SHORT_RUNS);
}

fn semaphore(initial_count: i32) -> i32 {
    let parameters = SemaParameters { max_count: 1, initial_count, ..Default::default() };
    // SAFETY: a pointer to a local.
    unsafe { syscall::create_sema(&raw const parameters) }
}

fn thread(index: usize, function: unsafe extern "C" fn(*mut c_void), priority: i32) -> i32 {
    // SAFETY: the stack is the new thread's alone and lives for ever.
    unsafe {
        let stack = STACKS.0.get().cast::<[u32; STACK / 4]>().add(index);
        stack.cast::<u32>().write_volatile(CANARY);
        syscall::create_thread(&ThreadParameters {
            status: 0,
            function,
            stack: stack.cast(),
            stack_size: STACK as i32,
            global_pointer: core::ptr::null_mut(),
            initial_priority: priority,
            current_priority: 0,
            attributes: 0,
            option: 0,
        })
    }
}

fn start(id: i32, argument: usize) -> bool {
    // SAFETY: the argument is a number.
    unsafe { syscall::start_thread(id, argument as *mut c_void) == id }
}

/// Makes everything; the ring threads' ids.
fn make(tally: &mut Tally) -> [[i32; MEMBERS]; RINGS] {
    // SAFETY: numbers only.
    unsafe { syscall::change_thread_priority(0, priority::MAIN) };
    let mut good = true;
    let mut ids = [[0; MEMBERS]; RINGS];
    for (number, ring) in RING.iter().enumerate() {
        ring.go.store(semaphore(0), Ordering::Relaxed);
        for member in 0..MEMBERS {
            ring.tokens[member].store(semaphore(i32::from(member == 0)), Ordering::Relaxed);
        }
        for (member, id) in ids[number].iter_mut().enumerate() {
            let index = number * MEMBERS + member;
            *id = thread(index, pass_token, priority::RING + (member % 5) as i32);
            good &= start(*id, index);
        }
    }
    for (number, sleeper) in SLEEPER.iter().enumerate() {
        let id = thread(RINGS * MEMBERS + number, sleep, priority::SLEEPER + number as i32);
        sleeper.thread.store(id, Ordering::Relaxed);
        good &= start(id, number);
    }
    tally.equal("stress: the threads start", good, true);
    let lines = |base: u16, step: u16, number: usize| base + step * number as u16;
    let alarms =
        (0..RINGS).map(|number| call_alarm(lines(RING_LINES, 7, number), let_ring_go, number as *mut c_void)).chain(
            (0..SLEEPERS)
                .map(|number| call_alarm(lines(SLEEPER_LINES, 11, number), wake_sleeper, number as *mut c_void)),
        );
    tally.equal("stress: the alarms are set", alarms.filter(|id| *id < 0).count(), 0);
    ids
}

/// Adds a piece's bytes up so that their order counts.
fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[repr(C, align(64))]
struct Piece([u8; PIECE]);

/// The number of seconds that the disc asks for.
fn seconds(files: &Files, link: &mut Link) -> Result<u32, Error> {
    let mut piece = Box::new(Piece([0; PIECE]));
    let file = files.open(link, SECONDS_FILE)?;
    let count = files.read(link, &file, &mut piece.0)?;
    files.close(link, file)?;
    let digits = piece.0[..count].iter().take_while(|byte| byte.is_ascii_digit());
    Ok(digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
}

/// `path` is this program's own file.
pub fn run(tally: &mut Tally, path: &str) {
    if let Err(error) = all_at_once(tally, path) {
        tally.equal("stress: the IOP's servers answer", Err(error), Ok(()));
    }
}

fn all_at_once(tally: &mut Tally, path: &str) -> Result<(), Error> {
    let link: &'static RefCell<Link> = Box::leak(Box::new(RefCell::new(Link::start()?)));
    let loader = Loader::bind(&mut link.borrow_mut())?;
    for module in [b"rom0:SIO2MAN", &b"rom0:PADMAN"[..]] {
        loader.load_module(&mut link.borrow_mut(), module, b"")?;
    }
    let files = Files::bind(&mut link.borrow_mut())?;
    let seconds = seconds(&files, &mut link.borrow_mut())?;
    let mut pads = PadDriver::open(link)?;
    let file = files.open(&mut link.borrow_mut(), path.as_bytes())?;
    let rings = make(tally);
    let shifters = [0, 1].map(|number| thread(RINGS * MEMBERS + SLEEPERS + number, shift, priority::SHIFTER));
    for (number, id) in shifters.into_iter().enumerate() {
        start(id, number);
    }
    let mut piece = Box::new(Piece([0; PIECE]));
    let mut sums = [0u32; PIECES];
    let (mut wrong_pieces, mut reads, mut polls, mut silent, mut spoke) = (0u32, 0u32, 0u32, 0u32, false);
    let (mut wrong_calls, mut unequal, mut short_runs) = (0u32, 0u32, 0u32);
    let (mut time, mut last, mut told) = (0u64, cop0::count(), 0u64);
    while time < u64::from(seconds) * SECOND {
        let now = cop0::count();
        time += u64::from(now.wrapping_sub(last));
        last = now;
        if time / (10 * SECOND) != told {
            told = time / (10 * SECOND);
            tty_println!(
                "STRESS {} s, {} reads, {} polls, {} turns",
                time / SECOND,
                reads,
                polls,
                get(&RING[0].passed[0])
            );
        }
        // The disc.
        let number = reads as usize * 7 % PIECES;
        {
            let mut link = link.borrow_mut();
            wrong_calls += u32::from(
                files.seek(&mut link, &file, (number * PIECE) as i32, From::Start)? != (number * PIECE) as u32,
            );
            let count = files.read(&mut link, &file, &mut piece.0)?;
            let found = sum(&piece.0[..count]) | 1;
            if sums[number] == 0 {
                sums[number] = found;
            }
            wrong_pieces += u32::from(sums[number] != found);
        }
        reads += 1;
        // The controllers.
        let answers = pads.read().iter().any(Option::is_some);
        polls += 1;
        spoke |= answers;
        silent = if answers || !spoke { 0 } else { silent + 1 };
        wrong_calls += u32::from(silent > SILENT);
        // Threads of all kinds.
        let victim = rings[reads as usize % RINGS][polls as usize % MEMBERS] as u32;
        let twice = [call(0x37, victim, 0), call(0x37, victim, 0), call(0x39, victim, 0), call(0x39, victim, 0)];
        wrong_calls += u32::from(twice != [victim as i32, -1, victim as i32, -1]);
        call(0x33, shifters[reads as usize % SHIFTERS] as u32, 0);
        let id = thread(THREADS - 1, run_shortly, priority::SHORT);
        wrong_calls += u32::from(!start(id, 0));
        short_runs += 1;
        wrong_calls += u32::from(call(0x30, id as u32, 0) != 0x10 || call(0x21, id as u32, 0) != id);
        unequal += invariants();
    }
    STOP.store(1, Ordering::Relaxed);
    let state = (get(&RING[0].passed[0]), get(&SLEEPER[0].woken), get(&SHIFTS));
    tty_println!("STRESS {} s, {} reads, {} polls, {:?} turns, wakeups, shifts", seconds, reads, polls, state);
    tally.equal("stress: what was read is the same each time", wrong_pieces, 0);
    tally.equal("stress: calls return what they should", wrong_calls, 0);
    tally.equal("stress: rings, alarms and sleepers agree", unequal, 0);
    tally.equal("stress: short-lived threads each ran once", get(&SHORT_RUNS), short_runs);
    tally.equal("stress: no alarm and no register was lost", get(&LOST), 0);
    tally.equal("stress: the controllers gave input", spoke, true);
    // SAFETY: reads words that only stacks that overflow would change.
    let whole = (0..THREADS).all(|index| unsafe { (*STACKS.0.get())[index][0] } == CANARY);
    tally.equal("stress: every stack kept within its bounds", whole, true);
    let moved = state.0 > seconds * 100 && state.1 > seconds * 100 && state.2 > seconds && reads > seconds;
    tally.equal("stress: everything moved all the time", moved, true);
    files.close(&mut link.borrow_mut(), file)?;
    Ok(())
}

/// How many of the things that must agree do not.
fn invariants() -> u32 {
    let mut unequal = 0;
    for ring in &RING {
        // Whoever is behind is at most one turn behind the first thread, and the counts fall along the ring.
        let fired = get(&ring.fired);
        let counts = core::array::from_fn::<u32, MEMBERS, _>(|member| get(&ring.passed[member]));
        let first = counts[0];
        let in_order = counts.windows(2).all(|pair| pair[0] >= pair[1]) && first - counts[MEMBERS - 1] <= 1;
        let mut report = SemaParameters::default();
        call(0x47, ring.go.load(Ordering::Relaxed) as u32, &raw mut report as u32);
        // The counts are read one after the other while alarms fire: what is read later may be further.
        let late = get(&ring.fired) - fired;
        let kept = first + report.count as u32;
        unequal += u32::from(!in_order && late == 0) + u32::from(kept + 1 < fired || kept > fired + late + 1);
    }
    for sleeper in &SLEEPER {
        let fired = get(&sleeper.fired);
        let woken = get(&sleeper.woken);
        // The sleepers are more urgent than this thread: none of their wakeups is left over.
        unequal += u32::from(woken > get(&sleeper.fired) || woken + 1 < fired);
    }
    unequal
}
