//! Whatever calls come in whatever order, the queues stay whole and the right thread runs.

use super::*;
use crate::semaphores::SemaphoreParameters;
use proptest::prelude::*;
use std::vec;
use std::vec::Vec;

/// One call of a program or of a handler, with ids that are mostly valid.
#[derive(Clone, Debug)]
enum Call {
    Create(i32),
    Start(u32),
    Exit,
    ExitDelete,
    Terminate(u32, bool),
    Delete(u32),
    Priority(u32, i32, bool),
    Rotate(i32, bool),
    Sleep,
    Wakeup(u32),
    Release(u32),
    Suspend(u32, bool),
    Resume(u32, bool),
    CreateSemaphore(i32),
    DeleteSemaphore(u32),
    Signal(u32),
    Wait(u32),
    Poll(u32),
    Replace,
}

fn call() -> impl Strategy<Value = Call> {
    let thread = || 0u32..9;
    let semaphore = || 0u32..4;
    let priority = || prop_oneof![0i32..4, Just(127), Just(128), Just(-1)];
    prop_oneof![
        4 => priority().prop_map(Call::Create),
        6 => thread().prop_map(Call::Start),
        1 => Just(Call::Exit),
        1 => Just(Call::ExitDelete),
        2 => (thread(), any::<bool>()).prop_map(|(id, from)| Call::Terminate(id, from)),
        2 => thread().prop_map(Call::Delete),
        3 => (thread(), priority(), any::<bool>()).prop_map(|(id, priority, from)| Call::Priority(id, priority, from)),
        2 => (priority(), any::<bool>()).prop_map(|(priority, from)| Call::Rotate(priority, from)),
        3 => Just(Call::Sleep),
        4 => thread().prop_map(Call::Wakeup),
        2 => thread().prop_map(Call::Release),
        3 => (thread(), any::<bool>()).prop_map(|(id, from)| Call::Suspend(id, from)),
        3 => (thread(), any::<bool>()).prop_map(|(id, from)| Call::Resume(id, from)),
        2 => (-1i32..3).prop_map(Call::CreateSemaphore),
        1 => semaphore().prop_map(Call::DeleteSemaphore),
        4 => semaphore().prop_map(Call::Signal),
        5 => semaphore().prop_map(Call::Wait),
        2 => semaphore().prop_map(Call::Poll),
        1 => Just(Call::Replace),
    ]
}

fn make(scheduler: &mut Scheduler, call: &Call) {
    // Refused calls are part of the game: they must change nothing, which the invariants show.
    let _ = match *call {
        Call::Create(priority) => scheduler.create(&ThreadParameters { priority, ..Default::default() }),
        Call::Start(id) => scheduler.start(id, 0),
        Call::Exit => {
            scheduler.exit();
            Ok(0)
        }
        Call::ExitDelete => {
            scheduler.exit_delete();
            Ok(0)
        }
        Call::Terminate(id, from) => scheduler.terminate(id, from),
        Call::Delete(id) => scheduler.delete(id),
        Call::Priority(id, priority, from) => scheduler.change_priority(id, priority, from),
        Call::Rotate(priority, from) => scheduler.rotate(priority, from),
        Call::Sleep => scheduler.sleep(),
        Call::Wakeup(id) => scheduler.wakeup(id),
        Call::Release(id) => scheduler.release_wait(id),
        Call::Suspend(id, from) => scheduler.suspend(id, from),
        Call::Resume(id, from) => scheduler.resume(id, from),
        Call::CreateSemaphore(initial) => {
            scheduler.create_semaphore(&SemaphoreParameters { initial, ..Default::default() })
        }
        Call::DeleteSemaphore(id) => scheduler.delete_semaphore(id),
        Call::Signal(id) => scheduler.signal_semaphore(id),
        Call::Wait(id) => scheduler.wait_semaphore(id),
        Call::Poll(id) => scheduler.poll_semaphore(id),
        Call::Replace => {
            scheduler.keep_only_current();
            Ok(0)
        }
    };
}

/// The threads of a list, read forwards; a list that runs in a circle ends the test.
fn members(scheduler: &Scheduler, list: &List) -> Vec<u16> {
    let mut found = Vec::new();
    let mut id = list.head;
    while id != NONE {
        assert!(found.len() < THREADS, "a list runs in a circle");
        found.push(id);
        id = scheduler.thread(id).next;
    }
    found
}

fn check(scheduler: &Scheduler) {
    let mut seen = [0u8; THREADS];
    for (priority, list) in scheduler.ready.iter().enumerate() {
        let ids = members(scheduler, list);
        let marked = scheduler.ready_map[priority / 32] >> (priority % 32) & 1 != 0;
        assert_eq!(marked, !ids.is_empty(), "the map of queues is wrong at {priority}");
        for id in ids {
            let thread = scheduler.thread(id);
            assert!(matches!(thread.status, Status::Ready | Status::Running), "{id} is {:?}", thread.status);
            assert_eq!(usize::from(thread.priority), priority);
            seen[usize::from(id)] += 1;
        }
    }
    for (semaphore, waiters) in scheduler.semaphores.waiters().enumerate() {
        let ids = members(scheduler, &waiters);
        assert_eq!(ids.len() as i32, scheduler.semaphores.waiting(semaphore));
        for id in ids {
            let thread = scheduler.thread(id);
            assert!(matches!(thread.status, Status::Waiting | Status::WaitingSuspended));
            assert_eq!((thread.wait, usize::from(thread.semaphore)), (Wait::Semaphore, semaphore));
            seen[usize::from(id)] += 1;
        }
    }
    for id in members(scheduler, &scheduler.free) {
        assert_eq!(scheduler.thread(id).status, Status::Free);
        seen[usize::from(id)] += 1;
    }
    for (id, thread) in scheduler.threads.iter().enumerate().skip(1) {
        let asleep = thread.wait == Wait::Sleep;
        let expected = match thread.status {
            Status::Free | Status::Ready | Status::Running => 1,
            Status::Waiting | Status::WaitingSuspended => u8::from(!asleep),
            Status::Suspended | Status::Dormant => 0,
        };
        assert_eq!(seen[id], expected, "thread {id} ({:?}) is in {} lists", thread.status, seen[id]);
    }
}

proptest! {
    #[test]
    fn queues_stay_whole_and_the_most_urgent_thread_runs(
        calls in proptest::collection::vec((call(), any::<bool>()), 0..120)
    ) {
        let mut scheduler = Scheduler::default();
        let main = scheduler.create(&ThreadParameters::default()).unwrap();
        scheduler.start(main, 0).unwrap();
        scheduler.dispatch();
        // Under a negative number a call waits with its switch for the next one's.
        for (call, negative) in &calls {
            make(&mut scheduler, call);
            check(&scheduler);
            if *negative {
                scheduler.defer();
            } else if scheduler.wants_switch_after_interrupt() {
                scheduler.dispatch();
                check(&scheduler);
                let runs = scheduler.current();
                prop_assert_eq!(runs, scheduler.most_urgent());
                let expected = if runs == IDLE { Status::Ready } else { Status::Running };
                prop_assert_eq!(scheduler.thread(runs).status, expected);
                let running = scheduler.threads.iter().filter(|thread| thread.status == Status::Running).count();
                prop_assert_eq!(running, usize::from(runs != IDLE));
            }
        }
    }
}
