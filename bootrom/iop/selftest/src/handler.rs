//! Work done by an interrupt handler, for functions that only handlers may use.

use crate::system;

/// Ticks until the interrupt comes, and microseconds until it must have come.
const SOON: u32 = 3_686;
const LATER: u32 = 1_000;
const SYSTEM_CLOCK: u32 = 1;

/// What the handler is to do, without its type.
struct Work {
    run: fn(*mut ()),
    job: *mut (),
}

struct Job<F, R> {
    task: Option<F>,
    result: Option<R>,
}

fn run<F: FnOnce() -> R, R>(job: *mut ()) {
    // SAFETY: `within` keeps the job on its stack until the interrupt has been.
    let job = unsafe { &mut *job.cast::<Job<F, R>>() };
    job.result = job.task.take().map(|task| task());
}

fn runner<F: FnOnce() -> R, R>(_job: &Job<F, R>) -> fn(*mut ()) {
    run::<F, R>
}

extern "C" fn rings(argument: u32) -> u32 {
    // SAFETY: as in `run`.
    let work = unsafe { &*(argument as *const Work) };
    (work.run)(work.job);
    0
}

/// Runs `task` in a handler of a timer; what it returned, nothing when the interrupt did not come.
pub fn within<R>(task: impl FnOnce() -> R) -> Option<R> {
    let mut job = Job { task: Some(task), result: None };
    let run = runner(&job);
    let work = Work { run, job: (&raw mut job).cast() };
    let id = system::AllocHardTimer(SYSTEM_CLOCK, 32, 1);
    system::SetupHardTimer(id, SYSTEM_CLOCK, 0, 1);
    system::SetTimerHandler(id, SOON, rings, &raw const work as u32);
    system::StartHardTimer(id);
    system::DelayThread(LATER);
    system::StopHardTimer(id);
    system::FreeHardTimer(id);
    job.result
}
