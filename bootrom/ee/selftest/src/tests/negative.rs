//! The calls of handlers, made by a thread: they act, and nobody else runs before the next ordinary call that may switch.

use super::Tally;
use super::calls::call;
use super::setup::Stack;
use boardwalk::ee::syscall::{self, SemaParameters};
use boardwalk::ee::{cop0, interrupt};
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

static STACK_OF_WORKER: Stack = Stack::new();

/// What the worker did: a count of its steps.
static STEPS: AtomicU32 = AtomicU32::new(0);
/// What its last wait returned.
static RESULT: AtomicU32 = AtomicU32::new(0);
static FIRED: AtomicU32 = AtomicU32::new(0);

/// Status as ReferThreadStatus tells it.
mod status {
    pub const READY: i32 = 2;
    pub const WAITING: i32 = 4;
    pub const SUSPENDED: i32 = 8;
    pub const DORMANT: i32 = 0x10;
}

unsafe extern "C" fn sleep_for_ever(_: *mut c_void) {
    loop {
        STEPS.store(STEPS.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        // SAFETY: no pointers.
        RESULT.store(unsafe { syscall::sleep_thread() } as u32, Ordering::Relaxed);
    }
}

unsafe extern "C" fn fire(_id: i32, _time: u16, _argument: *mut c_void) {
    FIRED.store(FIRED.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    interrupt::finish();
}

fn worker(priority: i32) -> u32 {
    // SAFETY: the stack is used by one thread at a time.
    unsafe { STACK_OF_WORKER.thread(sleep_for_ever, priority) as u32 }
}

fn steps() -> u32 {
    STEPS.load(Ordering::Relaxed)
}

pub fn run(tally: &mut Tally) {
    threads(tally);
    semaphores(tally);
    alarms(tally);
    heap(tally);
}

fn threads(tally: &mut Tally) {
    // Less urgent than this thread, so that it runs only when this one lets it.
    let id = worker(20);
    let before = call(0x50, 0, 0);
    let of = |number: i32| call(number, id, 0);
    let state = || call(-0x31, id, 0);
    let pass = || {
        // This thread steps behind the worker and comes back to its place.
        call(0x29, 0, 30);
        call(0x29, 0, 10);
    };
    call(0x29, 0, 10);
    call(0x22, id, 0);
    tally.equal("iReferThreadStatus tells a ready thread", state(), status::READY);
    pass();
    tally.equal("it ran to its sleep", (steps(), state()), (1, status::WAITING));
    tally.equal("iWakeupThread makes it ready", (of(-0x34), state(), steps()), (id as i32, status::READY, 1));
    pass();
    tally.equal("and it runs later", (steps(), RESULT.load(Ordering::Relaxed)), (2, id));
    tally.equal("iReleaseWaitThread breaks its wait off", (of(-0x2E), state()), (id as i32, status::READY));
    pass();
    tally.equal("which it learns", (steps(), RESULT.load(Ordering::Relaxed)), (3, u32::MAX));
    of(0x37);
    of(0x39);
    tally.equal(
        "iSuspendThread and iResumeThread",
        [of(-0x38), state(), of(-0x3A), state()],
        [id as i32, 0xC, id as i32, 4],
    );
    of(0x33);
    tally.equal("wakeups are counted while it is awake", (of(0x33), of(0x33)), (id as i32, id as i32));
    tally.equal("CancelWakeupThread tells how many there were", of(0x35), 2);
    of(0x33);
    tally.equal("iCancelWakeupThread does, too", (of(-0x36), of(-0x36)), (1, 0));
    tally.equal("iChangeThreadPriority tells the old one", call(-0x2A, id, 25), 20);
    tally.equal("and its range is checked", [call(-0x2A, id, 128), call(-0x2A, 255, 1)], [-1, -1]);
    tally.equal("iRotateThreadReadyQueue checks its range", [call(-0x2C, 25, 0), call(-0x2C, 128, 0)], [25, -1]);
    of(-0x38);
    tally.equal("a suspended thread is told as one", state(), status::SUSPENDED);
    tally.equal("iTerminateThread ends it", (of(-0x26), state()), (id as i32, status::DORMANT));
    tally.equal(
        "a thread is counted until it is deleted",
        (call(0x50, 0, 0), of(0x21), call(0x50, 0, 0)),
        (before, id as i32, before - 1),
    );
    tally.equal("dispatching cannot be switched", (call(0x27, 0, 0), call(0x28, 0, 0)), (0, 0));
    // Blocking calls under negative numbers: the caller goes on and must not break the queues.
    tally.equal(
        "a thread that is counted as asleep goes on",
        [call(-0x32, 0, 0), call(-0x32, 0, 0), call(-0x2E, 1, 0)],
        [1, -1, 1],
    );
    tally.equal("and is the running one after the next call", (call(0x29, 0, 10), call(0x30, 1, 0)), (10, 1));
}

fn semaphores(tally: &mut Tally) {
    let parameters = SemaParameters { max_count: 1, initial_count: 1, ..Default::default() };
    let before = call(0x51, 0, 0);
    // SAFETY: pointers to locals.
    let id = unsafe { syscall::create_sema(&raw const parameters) } as u32;
    tally.equal("a semaphore is counted", call(0x51, 0, 0) - before, 1);
    tally.equal("iPollSema takes a count or is refused", (call(-0x46, id, 0), call(-0x46, id, 0)), (id as i32, -1));
    let mut report = SemaParameters::default();
    let place = &raw mut report as u32;
    call(-0x43, id, 0);
    tally.equal("iReferSemaStatus tells the count", (call(-0x48, id, place), report.count), (id as i32, 1));
    tally.equal(
        "iDeleteSema frees it",
        (call(-0x49, id, 0), call(-0x49, id, 0), call(0x51, 0, 0)),
        (id as i32, -1, before),
    );
}

fn alarms(tally: &mut Tally) {
    /// Cycles of a few picture lines.
    const LINES: u32 = 40 * 18_744;
    let function = fire as *const () as u32;
    let before = call(0x53, 0, 0);
    let ids = [-0x1E, -0xFD].map(|number| call(number, 10, function));
    tally.equal("iSetAlarm under both numbers", ids.map(|id| id >= 0), [true; 2]);
    let far = [0x18, -0x1E].map(|number| call(number, 60_000, function));
    tally.equal("alarms are counted", call(0x53, 0, 0) - before, 4);
    let start = cop0::count();
    while cop0::count().wrapping_sub(start) < LINES && FIRED.load(Ordering::Relaxed) < 2 {
        core::hint::spin_loop();
    }
    tally.equal("the near ones fire", FIRED.load(Ordering::Relaxed), 2);
    let left = [call(-0x1F, far[0] as u32, 0), call(-0xFF, far[1] as u32, 0)];
    tally.equal("iReleaseAlarm under both numbers", left.map(|left| (59_000..60_000).contains(&left)), [true; 2]);
    tally.equal("no alarm is left", (call(0x53, 0, 0), call(0x19, far[0] as u32, 0)), (before, -1));
}

fn heap(tally: &mut Tally) {
    let before = call(0x3E, 0, 0) as u32;
    tally.equal("SetupHeap tells the heap's end", call(0x3D, 0x0100_0000, 0x1000), 0x0100_1000);
    tally.equal("EndOfHeap remembers it", call(0x3E, 0, 0), 0x0100_1000);
    call(0x3D, before, 0);
}
