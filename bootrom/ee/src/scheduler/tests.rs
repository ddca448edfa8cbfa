use super::*;
use crate::semaphores::SemaphoreParameters;

/// A scheduler whose running thread is 1 at the given priority.
fn running(priority: i32) -> Scheduler {
    let mut scheduler = Scheduler::default();
    let id = create(&mut scheduler, priority);
    scheduler.start(id, 0).unwrap();
    scheduler.dispatch();
    assert_eq!(scheduler.current(), 1);
    scheduler
}

fn create(scheduler: &mut Scheduler, priority: i32) -> u32 {
    scheduler.create(&ThreadParameters { priority, entry: 0x1000, ..Default::default() }).unwrap()
}

fn create_started(scheduler: &mut Scheduler, priority: i32) -> u32 {
    let id = create(scheduler, priority);
    scheduler.start(id, 0).unwrap();
    id
}

fn status(scheduler: &Scheduler, id: u32) -> u32 {
    scheduler.refer(id).unwrap().0
}

#[test]
fn a_program_that_replaces_another_out_of_the_idle_loop_is_the_main_thread() {
    let mut scheduler = Scheduler::default();
    let main = scheduler.create(&ThreadParameters::default()).expect("a record");
    scheduler.start(main, 0).expect("it starts");
    scheduler.dispatch();
    scheduler.sleep().expect("it sleeps");
    scheduler.dispatch();
    assert_eq!(scheduler.current(), IDLE);
    scheduler.keep_only_current();
    assert_eq!((scheduler.current(), scheduler.thread(MAIN).status), (MAIN, Status::Running));
    assert_eq!((scheduler.dispatch(), scheduler.threads_in_use()), (None, 1));
}

#[test]
fn the_first_program_thread_is_number_one_and_starts_fresh() {
    let mut scheduler = Scheduler::default();
    let id = create(&mut scheduler, 0);
    assert_eq!(id, 1);
    assert_eq!(status(&scheduler, 1), 0x10);
    assert_eq!(scheduler.start(1, 5), Ok(1));
    let switch = scheduler.dispatch().unwrap();
    assert_eq!(switch, Switch { save: None, load: 1, fresh: true, broken: false });
    assert_eq!(status(&scheduler, 1), 1);
}

#[test]
fn only_a_more_urgent_thread_preempts() {
    let mut scheduler = running(10);
    create_started(&mut scheduler, 10);
    assert_eq!(scheduler.dispatch(), None);
    let urgent = create_started(&mut scheduler, 9);
    let switch = scheduler.dispatch().unwrap();
    assert_eq!((switch.save, switch.load), (Some(1), urgent as u16));
    scheduler.exit();
    // The preempted thread goes on before its equal.
    assert_eq!(scheduler.dispatch().unwrap().load, 1);
}

#[test]
fn the_same_priority_again_yields_to_equals() {
    let mut scheduler = running(10);
    let equal = create_started(&mut scheduler, 10);
    assert_eq!(scheduler.change_priority(0, 10, false), Ok(10));
    assert_eq!(scheduler.dispatch().unwrap().load, equal as u16);
    assert_eq!(scheduler.rotate(10, false), Ok(10));
    assert_eq!(scheduler.dispatch().unwrap().load, 1);
    assert_eq!(scheduler.rotate(128, false), Err(Refused));
    assert_eq!(scheduler.change_priority(0, 128, false), Err(Refused));
    assert_eq!(scheduler.change_priority(256, 1, false), Err(Refused));
}

#[test]
fn the_idle_thread_runs_when_all_others_wait() {
    let mut scheduler = running(0);
    assert_eq!(scheduler.sleep(), Ok(1));
    let switch = scheduler.dispatch().unwrap();
    assert_eq!((switch.save, switch.load), (Some(1), IDLE));
    scheduler.thread_mut(1).context = 0x8_0000;
    assert_eq!(scheduler.wakeup(1), Ok(1));
    scheduler.defer();
    assert!(!scheduler.wants_switch() && scheduler.wants_switch_after_interrupt());
    assert_eq!(scheduler.dispatch(), Some(Switch { save: None, load: 1, fresh: false, broken: false }));
}

#[test]
fn wakeups_are_counted_while_a_thread_is_awake() {
    let mut scheduler = running(0);
    let other = create_started(&mut scheduler, 5);
    assert_eq!(scheduler.wakeup(other), Ok(other));
    assert_eq!(scheduler.wakeup(other), Ok(other));
    assert_eq!(scheduler.cancel_wakeup(other), Ok(2));
    assert_eq!(scheduler.wakeup(1), Err(Refused), "nobody wakes the running thread");
    assert_eq!(scheduler.wakeup(other), Ok(other));
    assert_eq!(scheduler.change_priority(other, 0, false), Ok(5));
    assert_eq!(scheduler.rotate(0, false), Ok(0));
    assert_eq!(scheduler.dispatch().map(|switch| u32::from(switch.load)), Some(other));
    assert_eq!(scheduler.sleep(), Ok(other));
    assert_eq!(status(&scheduler, other), 1, "a stored wakeup lets the caller go on");
    let dormant = create(&mut scheduler, 5);
    assert_eq!(scheduler.wakeup(dormant), Err(Refused));
}

#[test]
fn a_released_wait_returns_minus_one() {
    let mut scheduler = running(5);
    scheduler.sleep().unwrap();
    scheduler.dispatch();
    scheduler.thread_mut(1).context = 0x8_0000;
    assert_eq!(scheduler.release_wait(1), Ok(1));
    assert!(scheduler.dispatch().unwrap().broken);
    assert_eq!(scheduler.release_wait(1), Err(Refused));
    assert_eq!(scheduler.release_wait(0), Err(Refused));
    assert_eq!(scheduler.release_wait(256), Err(Refused));
}

#[test]
fn a_wait_whose_call_has_returned_leaves_the_registers_alone_when_it_is_broken_off() {
    let semaphore = |scheduler: &mut Scheduler| {
        let id = scheduler.create_semaphore(&SemaphoreParameters::default()).unwrap();
        scheduler.wait_semaphore(id).map(|_| ())
    };
    for under_negative in [false, true] {
        for begin in [|scheduler: &mut Scheduler| scheduler.sleep().map(|_| ()), semaphore] {
            let mut scheduler = running(5);
            begin(&mut scheduler).unwrap();
            if under_negative {
                scheduler.defer();
                assert!(!scheduler.wants_switch(), "the thread goes on");
            }
            // What an interrupt's end finds, or the call's own.
            assert_eq!(scheduler.dispatch().map(|switch| (switch.save, switch.load)), Some((Some(1), IDLE)));
            scheduler.thread_mut(1).context = 0x8_0000;
            assert_eq!(scheduler.release_wait(1), Ok(1));
            let switch = scheduler.dispatch().unwrap();
            assert_eq!((switch.load, switch.broken), (1, !under_negative));
            // The next wait is one as any.
            scheduler.sleep().unwrap();
            scheduler.dispatch();
            assert_eq!(scheduler.release_wait(1), Ok(1));
            assert!(scheduler.dispatch().unwrap().broken);
        }
    }
}

#[test]
fn suspensions_do_not_nest_and_keep_a_wait() {
    let mut scheduler = running(5);
    let sleeper = create_started(&mut scheduler, 1);
    scheduler.dispatch();
    scheduler.sleep().unwrap();
    scheduler.dispatch();
    assert_eq!(scheduler.current(), 1);
    assert_eq!(scheduler.suspend(sleeper, false), Ok(sleeper));
    assert_eq!(status(&scheduler, sleeper), 0xC);
    assert_eq!(scheduler.suspend(sleeper, false), Err(Refused));
    assert_eq!(scheduler.wakeup(sleeper), Ok(sleeper));
    assert_eq!(status(&scheduler, sleeper), 8);
    assert_eq!(scheduler.resume(sleeper, false), Ok(sleeper));
    assert_eq!(scheduler.dispatch().unwrap().load, sleeper as u16);
    assert_eq!(scheduler.resume(1, false), Err(Refused));
}

#[test]
fn a_handler_that_changes_a_priority_switches_only_to_who_is_more_urgent() {
    let mut scheduler = running(10);
    let other = create_started(&mut scheduler, 10);
    assert!(scheduler.dispatch().is_none() && !scheduler.wants_switch());
    let mut change = |id, priority| {
        scheduler.change_priority(id, priority, true).expect("a priority");
        scheduler.wants_switch()
    };
    assert!(!change(1, 10), "the interrupted thread does not yield to its equals");
    assert!(!change(1, 9), "nor when it becomes more urgent");
    assert!(!change(other, 9), "an equal waits for its turn");
    assert!(change(other, 8), "the other one is more urgent now");
    assert_eq!(scheduler.dispatch().expect("a switch").load, other as u16);
    let mut change = |id, priority| {
        scheduler.change_priority(id, priority, true).expect("a priority");
        scheduler.wants_switch()
    };
    assert!(change(other, 20), "the interrupted thread is less urgent now");
    assert_eq!(scheduler.dispatch().expect("a switch").load, 1);
}

#[test]
fn a_handler_turns_a_queue_and_leaves_the_interrupted_thread_the_processor() {
    let mut scheduler = running(10);
    let other = create_started(&mut scheduler, 10);
    scheduler.dispatch();
    assert_eq!(scheduler.rotate(10, true), Ok(10));
    assert!(!scheduler.wants_switch_after_interrupt() && scheduler.current() == 1);
    // Somebody else's start asks who is to run.
    create_started(&mut scheduler, 20);
    assert_eq!(scheduler.dispatch().map(|switch| (switch.save, switch.load)), Some((Some(1), other as u16)));
}

#[test]
fn a_handler_marks_the_interrupted_thread_as_suspended_and_leaves_it_the_processor() {
    let mut scheduler = running(10);
    assert_eq!(scheduler.suspend(1, true), Ok(1));
    assert!(!scheduler.wants_switch_after_interrupt() && scheduler.current() == 1);
    assert_eq!((status(&scheduler, 1), scheduler.suspend(1, true)), (8, Err(Refused)));
    let other = create_started(&mut scheduler, 20);
    assert_eq!(scheduler.dispatch().map(|switch| (switch.save, switch.load)), Some((Some(1), other as u16)));
    assert_eq!(scheduler.resume(1, false), Ok(1));
    assert_eq!(scheduler.dispatch().map(|switch| switch.load), Some(1));
}

#[test]
fn a_terminated_thread_can_start_again_and_deleted_records_are_reused_last() {
    let mut scheduler = running(5);
    let other = create_started(&mut scheduler, 6);
    assert_eq!(scheduler.delete(other), Err(Refused));
    assert_eq!(scheduler.change_priority(other, 20, false), Ok(6));
    assert_eq!(scheduler.terminate(other, false), Ok(other));
    assert_eq!(scheduler.terminate(other, false), Err(Refused));
    assert_eq!(scheduler.refer(other).unwrap().1[6], 6, "the priority is the initial one again");
    assert_eq!(scheduler.start(other, 0), Ok(other));
    assert_eq!(scheduler.terminate(other, false), Ok(other));
    assert_eq!(scheduler.delete(other), Ok(other));
    assert_eq!(status(&scheduler, other), 0);
    assert_ne!(create(&mut scheduler, 1), other);
    assert_eq!(scheduler.terminate(1, false), Err(Refused));
    assert_eq!(scheduler.delete(0), Err(Refused));
}

#[test]
fn the_end_of_the_last_thread_is_noticed() {
    let mut scheduler = running(5);
    let other = create_started(&mut scheduler, 6);
    scheduler.exit();
    assert!(!scheduler.all_ended());
    scheduler.dispatch();
    assert_eq!(u32::from(scheduler.current()), other);
    scheduler.exit_delete();
    assert!(scheduler.all_ended());
    assert_eq!(scheduler.dispatch(), Some(Switch { save: None, load: IDLE, fresh: false, broken: false }));
}

#[test]
fn two_hundred_and_fifty_five_threads_are_the_limit() {
    let mut scheduler = Scheduler::default();
    for id in 1..=255 {
        assert_eq!(create(&mut scheduler, 1), id);
    }
    assert_eq!(scheduler.create(&ThreadParameters::default()), Err(Refused));
    assert_eq!(scheduler.threads_in_use(), 255);
    scheduler.delete(7).unwrap();
    assert_eq!(create(&mut scheduler, 1), 7);
}

#[test]
fn semaphores_count_past_their_maximum() {
    let mut scheduler = running(5);
    let id = scheduler.create_semaphore(&SemaphoreParameters { initial: 0, max: 1, ..Default::default() }).unwrap();
    assert_eq!(id, 0);
    assert_eq!(scheduler.poll_semaphore(id), Err(Refused));
    for _ in 0..3 {
        assert_eq!(scheduler.signal_semaphore(id), Ok(id));
    }
    assert_eq!(scheduler.refer_semaphore(id).unwrap().count, 3);
    assert_eq!(scheduler.wait_semaphore(id), Ok(id));
    assert_eq!(scheduler.poll_semaphore(id), Ok(id));
    assert_eq!(scheduler.refer_semaphore(id).unwrap().count, 1);
    let negative = SemaphoreParameters { initial: -1, ..Default::default() };
    assert_eq!(scheduler.create_semaphore(&negative), Err(Refused));
}

#[test]
fn waiters_are_served_in_the_order_of_their_coming() {
    let mut scheduler = running(10);
    let id = scheduler.create_semaphore(&SemaphoreParameters::default()).unwrap();
    let wait_in = |scheduler: &mut Scheduler, priority| {
        let thread = create_started(scheduler, priority);
        scheduler.dispatch();
        assert_eq!(scheduler.wait_semaphore(id), Ok(id));
        scheduler.dispatch();
        thread
    };
    let first = wait_in(&mut scheduler, 9);
    let second = wait_in(&mut scheduler, 3);
    assert_eq!(scheduler.refer_semaphore(id).unwrap().waiting, 2);
    scheduler.signal_semaphore(id).unwrap();
    assert_eq!(scheduler.dispatch().unwrap().load, first as u16, "not the more urgent one");
    assert_eq!(status(&scheduler, second), 4);
    assert_eq!(scheduler.refer_semaphore(id).unwrap().count, 0);
}

#[test]
fn deleting_a_semaphore_breaks_its_waits() {
    let mut scheduler = running(10);
    let id = scheduler.create_semaphore(&SemaphoreParameters::default()).unwrap();
    let waiter = create_started(&mut scheduler, 1);
    scheduler.dispatch();
    scheduler.wait_semaphore(id).unwrap();
    scheduler.dispatch();
    scheduler.thread_mut(waiter as u16).context = 0x8_0000;
    assert_eq!(scheduler.delete_semaphore(id), Ok(id));
    assert_eq!(scheduler.dispatch(), Some(Switch { save: Some(1), load: waiter as u16, fresh: false, broken: true }));
    assert_eq!(scheduler.signal_semaphore(id), Err(Refused));
    assert_eq!(scheduler.delete_semaphore(id), Err(Refused));
    assert_eq!(scheduler.create_semaphore(&SemaphoreParameters::default()), Ok(id), "last deleted, first reused");
}

#[test]
fn a_terminated_waiter_leaves_the_queue() {
    let mut scheduler = running(10);
    let id = scheduler.create_semaphore(&SemaphoreParameters::default()).unwrap();
    let waiter = create_started(&mut scheduler, 1);
    scheduler.dispatch();
    scheduler.wait_semaphore(id).unwrap();
    scheduler.dispatch();
    scheduler.terminate(waiter, false).unwrap();
    assert_eq!(scheduler.refer_semaphore(id).unwrap().waiting, 0);
    scheduler.signal_semaphore(id).unwrap();
    assert_eq!(scheduler.refer_semaphore(id).unwrap().count, 1);
}

#[test]
fn a_replaced_program_keeps_one_thread_at_priority_zero() {
    let mut scheduler = running(10);
    for priority in [1, 20] {
        create_started(&mut scheduler, priority);
    }
    create(&mut scheduler, 3);
    let id = scheduler.create_semaphore(&SemaphoreParameters::default()).unwrap();
    scheduler.keep_only_current();
    assert_eq!(scheduler.threads_in_use(), 1);
    assert_eq!(scheduler.semaphores_in_use(), 0);
    assert_eq!(scheduler.refer(0).unwrap().1[5..7], [0, 0]);
    assert_eq!(scheduler.most_urgent(), 1);
    assert_eq!(scheduler.create_semaphore(&SemaphoreParameters::default()), Ok(id));
}
