//! THREADMAN's functions in the wrong place: threads' own in a handler, handlers' own in a thread, and results that are to go into
//! the kernel's memory.

use super::handlers::without_waiting;
use super::threads::thread;
use crate::handler::within;
use crate::system::{self, Clock, ThreadParameters};
use crate::tally::Tally;
use crate::word::Word;
use core::ptr::null_mut;

const PATIENT: u32 = 70;
const STACK: u32 = 0x800;
const ILLEGAL_CONTEXT: i32 = -100;
const ILLEGAL_THREAD: i32 = -406;
const REFUSED: i32 = -1;
const DORMANT: u32 = 0x10;

static THREAD: Word = Word::new(0);

pub fn run(tally: &mut Tally) {
    let id = thread(spinner, PATIENT, STACK);
    THREAD.set(id);
    let objects = Objects {
        thread: id,
        semaphore: system::CreateSema(&[0, 0, 1, 1]),
        flag: system::CreateEventFlag(&[2, 0, 1]),
        messages: system::CreateMbx(&[0, 0]),
        fixed: system::CreateFpl(&[0, 0, 16, 2]),
        variable: system::CreateVpl(&[0, 0, 256]),
    };
    let of_threads = within(|| threads_own(&objects));
    tally.holds(
        "every function of threads is refused to a handler",
        of_threads.is_some_and(|codes| all_refused(&codes)),
    );
    tally.holds("every function of handlers is refused to a thread", all_refused(&handlers_own(&objects)));
    pointers(tally, &objects);
    system::DeleteSema(objects.semaphore);
    system::DeleteEventFlag(objects.flag);
    system::DeleteMbx(objects.messages);
    system::DeleteFpl(objects.fixed);
    system::DeleteVpl(objects.variable);
    interrupted(tally);
    system::DeleteThread(id);
}

/// One of each kind.
struct Objects {
    thread: i32,
    semaphore: i32,
    flag: i32,
    messages: i32,
    fixed: i32,
    variable: i32,
}

fn all_refused(codes: &[i32]) -> bool {
    codes.iter().all(|code| *code == ILLEGAL_CONTEXT)
}

extern "C" fn spinner(_argument: u32) {
    loop {
        core::hint::spin_loop();
    }
}

extern "C" fn ring(_argument: u32) -> u32 {
    0
}

static SOON: Clock = Clock { low: 36_864, high: 0 };

/// Every function that a handler has another one for or must not use.
fn threads_own(objects: &Objects) -> [i32; 43] {
    let Objects { thread, semaphore, flag, messages, fixed, variable } = *objects;
    let (mut status, mut bits, mut message) = ([0; 13], 0, null_mut());
    let mut six = [0; 6];
    let mut five = [0; 5];
    let new =
        ThreadParameters { attributes: 0x0200_0000, option: 0, entry: spinner, stack_bytes: STACK, priority: PATIENT };
    [
        system::CreateThread(&raw const new),
        system::DeleteThread(thread),
        system::StartThread(thread, 0),
        system::ExitThread(),
        system::ExitDeleteThread(),
        system::TerminateThread(thread),
        system::ChangeThreadPriority(thread, 60),
        system::RotateThreadReadyQueue(60),
        system::ReleaseWaitThread(thread),
        system::GetThreadId(),
        system::ReferThreadStatus(thread, &raw mut status),
        system::SleepThread(),
        system::WakeupThread(thread),
        system::CancelWakeupThread(thread),
        system::DelayThread(100),
        system::SetAlarm(&raw const SOON, ring, 3),
        system::CancelAlarm(ring, 3),
        system::CreateSema(&[0, 0, 0, 1]),
        system::DeleteSema(semaphore),
        system::SignalSema(semaphore),
        system::WaitSema(semaphore),
        system::PollSema(semaphore),
        system::ReferSemaStatus(semaphore, &raw mut six),
        system::CreateEventFlag(&[0, 0, 0]),
        system::DeleteEventFlag(flag),
        system::SetEventFlag(flag, 2),
        system::ClearEventFlag(flag, 0),
        system::WaitEventFlag(flag, 1, 0, &raw mut bits),
        system::PollEventFlag(flag, 1, 0, &raw mut bits),
        system::ReferEventFlagStatus(flag, &raw mut five),
        system::CreateMbx(&[0, 0]),
        system::DeleteMbx(messages),
        system::PollMbx(&raw mut message, messages),
        system::ReferMbxStatus(messages, &raw mut five),
        system::CreateFpl(&[0, 0, 16, 2]),
        system::DeleteFpl(fixed),
        system::AllocateFpl(fixed),
        system::pAllocateFpl(fixed),
        system::ReferFplStatus(fixed, &raw mut six),
        system::CreateVpl(&[0, 0, 256]),
        system::DeleteVpl(variable),
        system::pAllocateVpl(variable, 16),
        system::ReferVplStatus(variable, &raw mut six),
    ]
}

/// Every function of handlers, but iReferThreadStatus, which threads may use.
fn handlers_own(objects: &Objects) -> [i32; 19] {
    let Objects { thread, semaphore, flag, messages, fixed, variable } = *objects;
    let (mut five, mut six, mut message) = ([0; 5], [0; 6], [0; 2]);
    [
        system::iTerminateThread(thread),
        system::iChangeThreadPriority(thread, 60),
        system::iRotateThreadReadyQueue(60),
        system::iReleaseWaitThread(thread),
        system::iWakeupThread(thread),
        system::iCancelWakeupThread(thread),
        system::iSetAlarm(&raw const SOON, ring, 4),
        system::iCancelAlarm(ring, 4),
        system::iSignalSema(semaphore),
        system::iReferSemaStatus(semaphore, &raw mut six),
        system::iSetEventFlag(flag, 2),
        system::iClearEventFlag(flag, 0),
        system::iReferEventFlagStatus(flag, &raw mut five),
        system::iSendMbx(messages, &raw mut message),
        system::iReferMbxStatus(messages, &raw mut five),
        system::ipAllocateFpl(fixed),
        system::iReferFplStatus(fixed, &raw mut six),
        system::ipAllocateVpl(variable, 16),
        system::iReferVplStatus(variable, &raw mut six),
    ]
}

/// Places in the kernel's memory, through each window.
const KERNELS: [u32; 3] = [0x1000, 0x8000_1000, 0xA000_2000];

fn pointers(tally: &mut Tally, objects: &Objects) {
    // SAFETY: memory that is always there.
    let words = || KERNELS.map(|place| unsafe { (place as *const u32).read_volatile() });
    let before = words();
    let codes = KERNELS.map(|place| {
        [
            system::ReferThreadStatus(objects.thread, place as *mut _),
            system::iReferThreadStatus(objects.thread, place as *mut _),
            system::ReferSemaStatus(objects.semaphore, place as *mut _),
            system::ReferEventFlagStatus(objects.flag, place as *mut _),
            system::PollEventFlag(objects.flag, 1, 0, place as *mut _),
            system::WaitEventFlag(objects.flag, 1, 0, place as *mut _),
            system::ReferMbxStatus(objects.messages, place as *mut _),
            system::PollMbx(place as *mut _, objects.messages),
            system::ReferFplStatus(objects.fixed, place as *mut _),
            system::ReferVplStatus(objects.variable, place as *mut _),
            system::GetSystemTime(place as *mut _),
        ]
    });
    tally.holds("no result goes into the kernel's memory", codes.iter().flatten().all(|code| *code == REFUSED));
    tally.holds("which is as it was", words() == before);
    tally.equal("nor is what was waited for lost", system::PollEventFlag(objects.flag, 1, 0, null_mut()), 0);
}

extern "C" fn ends(_argument: u32) -> u32 {
    system::iTerminateThread(THREAD.get());
    0
}

/// What a handler does to the thread that it interrupted.
fn interrupted(tally: &mut Tally) {
    let spinning = THREAD.get();
    THREAD.set(system::GetThreadId());
    tally.equal(
        "a handler wakes the thread that it interrupted",
        without_waiting(|| system::iWakeupThread(THREAD.get())),
        0,
    );
    tally.equal("whose next sleep ends at once", system::SleepThread(), 0);
    let nobody = within(|| {
        [
            system::iTerminateThread(0),
            system::iChangeThreadPriority(0, 60),
            system::iReleaseWaitThread(0),
            system::iWakeupThread(0),
            system::iCancelWakeupThread(0),
        ]
    });
    tally.holds("0 is nobody to a handler", nobody == Some([ILLEGAL_THREAD; 5]));
    THREAD.set(spinning);
    system::StartThread(spinning, 0);
    system::SetAlarm(&raw const SOON, ends, 5);
    system::DelayThread(3_000);
    let mut status = [0; 13];
    system::ReferThreadStatus(spinning, &raw mut status);
    tally.equal("a handler ends the thread that it interrupted", status[2] as i32, DORMANT as i32);
}
