//! Behaviour of threads and objects, on a table without a processor: a frame is a number, and a dispatch tells whose.

extern crate std;
use super::*;
use crate::alarms::{Action, Alarm, Alarms};
use std::vec;
use std::vec::Vec;

const STACK: u32 = 0x10_0000;

/// Threads with an idle one that runs, as after the boot.
struct Bench {
    threads: Threads,
    stacks: u32,
}

impl Bench {
    fn new() -> Self {
        let mut threads = Threads::new();
        threads.adopt_boot_thread(IDLE_PRIORITY).expect("the first record");
        Bench { threads, stacks: STACK }
    }

    fn create(&mut self, priority: u32) -> i32 {
        let new =
            NewThread { attributes: 0x0200_0000, option: 0, entry: 0x1000, stack_bytes: 0x400, priority, gp: 0x8000 };
        self.stacks += 0x1000;
        self.threads.create_thread(&new, self.stacks).expect("a record")
    }

    fn start(&mut self, priority: u32) -> i32 {
        let id = self.create(priority);
        self.threads.start_thread(id, 0).expect("a dormant thread");
        id
    }

    /// Switches if the rules say so; the running thread then.
    fn switch(&mut self) -> i32 {
        self.threads.dispatch(1).expect("somebody can run");
        self.threads.current_id()
    }
}

#[test]
fn the_most_urgent_ready_thread_runs_and_equals_take_turns_only_by_rotation() {
    let mut bench = Bench::new();
    let (low, first, second) = (bench.start(50), bench.start(40), bench.start(40));
    assert_eq!(bench.switch(), first);
    assert_eq!(bench.switch(), first);
    assert_eq!(bench.threads.rotate(0), Ok(()));
    assert_eq!(bench.switch(), second);
    assert_eq!(bench.threads.rotate(40), Ok(()));
    assert_eq!(bench.switch(), first);
    bench.threads.exit_thread();
    assert_eq!(bench.switch(), second);
    bench.threads.exit_thread();
    assert_eq!(bench.switch(), low);
}

#[test]
fn a_thread_pushed_aside_keeps_its_turn() {
    let mut bench = Bench::new();
    let (first, second) = (bench.start(40), bench.start(40));
    assert_eq!(bench.switch(), first);
    let urgent = bench.start(10);
    assert_eq!(bench.switch(), urgent);
    bench.threads.exit_thread();
    assert_eq!(bench.switch(), first);
    bench.threads.exit_thread();
    assert_eq!(bench.switch(), second);
}

#[test]
fn a_saved_frame_comes_back_when_its_thread_runs_again() {
    let mut bench = Bench::new();
    let first = bench.start(40);
    let frame = bench.threads.dispatch(0x111).expect("a frame");
    assert_eq!(bench.threads.current_id(), first);
    assert_eq!(frame, STACK + 0x1000 + 0x400 - 0xB8);
    assert_eq!(bench.threads.sleep(), Waited::Blocked);
    assert_eq!(bench.threads.dispatch(0x222), Some(0x111));
    bench.threads.wakeup(first).expect("a sleeping thread");
    assert_eq!(bench.threads.dispatch(0x333), Some(0x222));
}

#[test]
fn creation_checks_its_arguments_in_order() {
    let good = NewThread { attributes: 0, option: 0, entry: 0, stack_bytes: 0x130, priority: 1, gp: 0 };
    assert_eq!(good.check(), Ok(0x200));
    for (new, error) in [
        (NewThread { attributes: 0x10, priority: 0, ..good }, Error::IllegalAttribute),
        (NewThread { priority: 0, entry: 2, ..good }, Error::IllegalPriority),
        (NewThread { priority: 127, ..good }, Error::IllegalPriority),
        (NewThread { entry: 2, stack_bytes: 0, ..good }, Error::IllegalEntry),
        (NewThread { stack_bytes: 0x12F, ..good }, Error::IllegalStackSize),
    ] {
        assert_eq!(new.check(), Err(error));
    }
}

#[test]
fn calls_name_what_is_wrong_with_a_thread() {
    let mut bench = Bench::new();
    let dormant = bench.create(40);
    let running = bench.start(30);
    assert_eq!(bench.switch(), running);
    let threads = &mut bench.threads;
    assert_eq!(threads.start_thread(0, 0), Err(Error::IllegalThread));
    assert_eq!(threads.start_thread(12345, 0), Err(Error::UnknownThread));
    assert_eq!(threads.start_thread(running, 0), Err(Error::NotDormant));
    assert_eq!(threads.wakeup(running), Err(Error::IllegalThread));
    assert_eq!(threads.wakeup(dormant), Err(Error::Dormant));
    assert_eq!(threads.terminate_thread(dormant, &mut Alarms::new()), Err(Error::Dormant));
    assert_eq!(threads.release_wait(dormant, &mut Alarms::new()), Err(Error::NotWaiting));
    assert_eq!(threads.change_priority(dormant, 20), Err(Error::Dormant));
    assert_eq!(threads.change_priority(0, 127), Err(Error::IllegalPriority));
    assert_eq!(threads.rotate(127), Err(Error::IllegalPriority));
    assert_eq!(threads.delete_thread(running), Err(Error::IllegalThread));
    assert_eq!(threads.delete_thread(dormant), Ok(STACK + 0x1000));
    assert_eq!(threads.delete_thread(dormant), Err(Error::UnknownThread));
}

#[test]
fn a_handler_may_wake_or_end_the_thread_that_it_interrupted() {
    let mut bench = Bench::new();
    let (interrupted, other) = (bench.start(20), bench.start(30));
    assert_eq!(bench.switch(), interrupted);
    assert_eq!(bench.threads.interrupt_wakeup(interrupted), Ok(()));
    assert_eq!(bench.threads.sleep(), Waited::Done(0), "the wake-up is kept for the next sleep");
    assert_eq!(bench.threads.interrupt_release(interrupted, &mut Alarms::new()), Err(Error::NotWaiting));
    assert_eq!(bench.threads.interrupt_terminate(interrupted, &mut Alarms::new()), Ok(()));
    assert!(bench.threads.wants_switch());
    assert_eq!(bench.switch(), other);
    assert_eq!(bench.threads.thread_info(interrupted).map(|info| info.state), Ok(State::Dormant));
    for call in [Threads::interrupt_terminate, Threads::interrupt_release] {
        assert_eq!(call(&mut bench.threads, 0, &mut Alarms::new()), Err(Error::IllegalThread));
    }
}

#[test]
fn a_slot_that_is_used_again_has_another_id() {
    let mut bench = Bench::new();
    let first = bench.create(40);
    bench.threads.delete_thread(first).expect("a dormant thread");
    let second = bench.create(40);
    assert_ne!(first, second);
    assert_eq!(bench.threads.start_thread(first, 0), Err(Error::UnknownThread));
}

#[test]
fn wake_ups_are_saved_until_the_next_sleep() {
    let mut bench = Bench::new();
    let sleeper = bench.start(40);
    for _ in 0..2 {
        assert_eq!(bench.threads.wakeup(sleeper), Ok(()));
    }
    assert_eq!(bench.switch(), sleeper);
    assert_eq!(bench.threads.sleep(), Waited::Done(0));
    assert_eq!(bench.threads.cancel_wakeup(0), Ok(1));
    assert_eq!(bench.threads.sleep(), Waited::Blocked);
}

#[test]
fn arguments_lie_above_the_first_frame_and_may_not_fill_the_stack() {
    let mut bench = Bench::new();
    let id = bench.create(40);
    assert_eq!(bench.threads.start_thread(id, 0x300), Err(Error::IllegalStackSize));
    let start = bench.threads.start_thread(id, 13).expect("a dormant thread");
    assert_eq!(start.frame, STACK + 0x1000 + 0x400 - 16 - 0xB8);
    assert_eq!(start.stack_pointer + 0x18, STACK + 0x1000 + 0x400 - 16);
}

#[test]
fn lowering_the_own_priority_lets_equals_go_first() {
    let mut bench = Bench::new();
    let (first, second) = (bench.start(20), bench.start(40));
    assert_eq!(bench.switch(), first);
    assert_eq!(bench.threads.change_priority(0, 40), Ok(()));
    assert_eq!(bench.switch(), second);
    assert_eq!(bench.threads.change_priority(first, 30), Ok(()));
    assert_eq!(bench.switch(), first);
}

/// Lets threads of `priorities` wait in this order by `wait`; their ids.
fn waiters(
    bench: &mut Bench,
    priorities: &[u32],
    mut wait: impl FnMut(&mut Threads) -> Result<Waited, Error>,
) -> Vec<i32> {
    priorities
        .iter()
        .map(|priority| {
            let id = bench.start(*priority);
            assert_eq!(bench.switch(), id);
            assert_eq!(wait(&mut bench.threads), Ok(Waited::Blocked));
            bench.switch();
            id
        })
        .collect()
}

#[test]
fn semaphores_release_by_arrival_or_by_priority() {
    for (attributes, order) in [(0, vec![0, 1, 2]), (1, vec![1, 2, 0])] {
        let mut bench = Bench::new();
        let semaphore = bench.threads.create_semaphore(attributes, 0, 0, 1).expect("a record");
        let ids = waiters(&mut bench, &[50, 20, 30], |threads| threads.wait_semaphore(semaphore));
        assert_eq!(bench.threads.semaphore_info(semaphore).map(|info| info.waiting), Ok(3));
        for next in order {
            assert_eq!(bench.threads.signal_semaphore(semaphore), Ok(()));
            assert_eq!(bench.switch(), ids[next]);
            assert_eq!(bench.threads.wait_result(), Ok(0));
            bench.threads.exit_thread();
            bench.switch();
        }
    }
}

#[test]
fn a_semaphore_counts_up_to_its_maximum() {
    let mut bench = Bench::new();
    let semaphore = bench.threads.create_semaphore(0, 7, 1, 2).expect("a record");
    let threads = &mut bench.threads;
    assert_eq!(threads.signal_semaphore(semaphore), Ok(()));
    assert_eq!(threads.signal_semaphore(semaphore), Err(Error::SemaphoreOverflow));
    assert_eq!(threads.poll_semaphore(semaphore), Ok(()));
    assert_eq!(threads.wait_semaphore(semaphore), Ok(Waited::Done(0)));
    assert_eq!(threads.poll_semaphore(semaphore), Err(Error::SemaphoreZero));
    assert_eq!(threads.create_semaphore(2, 0, 0, 1), Err(Error::IllegalAttribute));
    assert_eq!(threads.delete_semaphore(semaphore), Ok(()));
    assert_eq!(threads.signal_semaphore(semaphore), Err(Error::UnknownSemaphore));
}

#[test]
fn deleting_and_releasing_tell_the_waiters_why() {
    let mut bench = Bench::new();
    let semaphore = bench.threads.create_semaphore(0, 0, 0, 1).expect("a record");
    let ids = waiters(&mut bench, &[20, 30], |threads| threads.wait_semaphore(semaphore));
    assert_eq!(bench.threads.release_wait(ids[0], &mut Alarms::new()), Ok(()));
    assert_eq!(bench.switch(), ids[0]);
    assert_eq!(bench.threads.wait_result(), Err(Error::WaitReleased));
    assert_eq!(bench.threads.delete_semaphore(semaphore), Ok(()));
    bench.threads.exit_thread();
    assert_eq!(bench.switch(), ids[1]);
    assert_eq!(bench.threads.wait_result(), Err(Error::WaitDeleted));
}

#[test]
fn a_terminated_waiter_leaves_its_queue() {
    let mut bench = Bench::new();
    let semaphore = bench.threads.create_semaphore(0, 0, 0, 1).expect("a record");
    let ids = waiters(&mut bench, &[20, 30], |threads| threads.wait_semaphore(semaphore));
    assert_eq!(bench.threads.terminate_thread(ids[0], &mut Alarms::new()), Ok(()));
    assert_eq!(bench.threads.signal_semaphore(semaphore), Ok(()));
    assert_eq!(bench.switch(), ids[1]);
}

#[test]
fn an_event_flag_releases_every_satisfied_waiter_until_one_clears() {
    let mut bench = Bench::new();
    let flag = bench.threads.create_event_flag(2, 0, 0).expect("a record");
    let all = waiters(&mut bench, &[20], |threads| threads.wait_event_flag(flag, 3, 0))[0];
    let any = waiters(&mut bench, &[21], |threads| threads.wait_event_flag(flag, 3, MODE_OR | MODE_CLEAR))[0];
    let late = waiters(&mut bench, &[22], |threads| threads.wait_event_flag(flag, 1, MODE_OR))[0];
    assert_eq!(bench.threads.set_event_flag(flag, 1), Ok(()));
    assert_eq!(bench.switch(), any);
    assert_eq!(bench.threads.wait_result(), Ok(1));
    assert_eq!(bench.threads.event_flag_info(flag).map(|info| (info.bits, info.waiting)), Ok((0, 2)));
    assert_eq!(bench.threads.set_event_flag(flag, 3), Ok(()));
    assert_eq!(bench.switch(), all);
    assert_eq!(bench.threads.wait_result(), Ok(3));
    bench.threads.exit_thread();
    bench.switch();
    bench.threads.exit_thread();
    assert_eq!(bench.switch(), late);
}

#[test]
fn event_flags_check_pattern_mode_and_the_number_of_waiters() {
    let mut bench = Bench::new();
    let flag = bench.threads.create_event_flag(0, 0, 4).expect("a record");
    let threads = &mut bench.threads;
    assert_eq!(threads.poll_event_flag(flag, 0, 0), Err(Error::EventPattern));
    assert_eq!(threads.poll_event_flag(flag, 1, 2), Err(Error::IllegalMode));
    assert_eq!(threads.poll_event_flag(flag, 5, 0), Err(Error::EventCondition));
    assert_eq!(threads.poll_event_flag(flag, 5, MODE_OR), Ok(4));
    assert_eq!(threads.clear_event_flag(flag, !4), Ok(()));
    assert_eq!(threads.poll_event_flag(flag, 4, 0), Err(Error::EventCondition));
    waiters(&mut bench, &[20], |threads| threads.wait_event_flag(flag, 1, 0));
    assert_eq!(bench.threads.wait_event_flag(flag, 1, 0), Err(Error::EventMultiple));
}

/// Messages as (next, priority) by address.
struct Messages([(u32, u8); 4]);

impl MessageLinks for Messages {
    fn next(&self, message: u32) -> u32 {
        self.0[message as usize].0
    }
    fn set_next(&mut self, message: u32, next: u32) {
        self.0[message as usize].0 = next;
    }
    fn priority(&self, message: u32) -> u8 {
        self.0[message as usize].1
    }
}

#[test]
fn messages_come_by_arrival_or_by_priority() {
    for (attributes, order) in [(0, [1, 2, 3]), (4, [2, 3, 1])] {
        let mut bench = Bench::new();
        let mut messages = Messages([(0, 0), (0, 9), (0, 1), (0, 1)]);
        let id = bench.threads.create_message_box(attributes, 0).expect("a record");
        for message in 1..4 {
            assert_eq!(bench.threads.send_message(id, message, &mut messages), Ok(()));
        }
        for expected in order {
            assert_eq!(bench.threads.receive_message(id, &messages), Ok(Waited::Done(expected)));
        }
        assert_eq!(bench.threads.poll_message(id, &messages), Err(Error::NoMessage));
    }
}

#[test]
fn null_and_a_message_that_waits_already_are_refused_and_change_nothing() {
    for attributes in [0, 4] {
        let mut bench = Bench::new();
        let mut messages = Messages([(7, 0), (0, 1), (0, 1), (0, 0)]);
        let id = bench.threads.create_message_box(attributes, 0).expect("a record");
        assert_eq!(bench.threads.send_message(id, 0, &mut messages), Err(Error::IllegalBlock));
        for message in 1..3 {
            assert_eq!(bench.threads.send_message(id, message, &mut messages), Ok(()));
        }
        for message in [1, 2, 0] {
            assert_eq!(bench.threads.send_message(id, message, &mut messages), Err(Error::IllegalBlock));
        }
        assert_eq!(bench.threads.message_box_info(id).map(|info| info.messages), Ok(2));
        assert_eq!(messages.0, [(7, 0), (2, 1), (0, 1), (0, 0)]);
        assert_eq!(bench.threads.poll_message(id, &messages), Ok(1));
        assert_eq!(bench.threads.send_message(id, 1, &mut messages), Ok(()));
        assert_eq!(bench.threads.poll_message(id, &messages), Ok(2));
    }
}

#[test]
fn a_box_holds_no_more_messages_than_were_sent_whatever_becomes_of_their_links() {
    for spoiled in [0, 1, 3] {
        let mut bench = Bench::new();
        let mut messages = Messages([(0, 0); 4]);
        let id = bench.threads.create_message_box(0, 0).expect("a record");
        for message in 1..3 {
            assert_eq!(bench.threads.send_message(id, message, &mut messages), Ok(()));
        }
        (messages.0[1].0, messages.0[2].0) = (spoiled, spoiled);
        assert!((0..3).any(|_| bench.threads.poll_message(id, &messages) == Err(Error::NoMessage)));
        assert_eq!(bench.threads.message_box_info(id).map(|info| (info.messages, info.first)), Ok((0, 0)));
    }
}

#[test]
fn null_is_refused_also_when_somebody_waits_for_a_message() {
    let mut bench = Bench::new();
    let id = bench.threads.create_message_box(0, 0).expect("a record");
    waiters(&mut bench, &[20], |threads| threads.receive_message(id, &Messages([(0, 0); 4])));
    assert_eq!(bench.threads.send_message(id, 0, &mut Messages([(0, 0); 4])), Err(Error::IllegalBlock));
    assert_eq!(bench.threads.message_box_info(id).map(|info| info.waiting), Ok(1));
}

#[test]
fn a_message_goes_straight_to_a_waiter() {
    let mut bench = Bench::new();
    let mut messages = Messages([(0, 0); 4]);
    let id = bench.threads.create_message_box(0, 0).expect("a record");
    let receiver = waiters(&mut bench, &[20], |threads| threads.receive_message(id, &Messages([(0, 0); 4])))[0];
    assert_eq!(bench.threads.send_message(id, 2, &mut messages), Ok(()));
    assert_eq!(bench.switch(), receiver);
    assert_eq!(bench.threads.wait_result(), Ok(2));
    assert_eq!(bench.threads.message_box_info(id).map(|info| info.messages), Ok(0));
}

#[test]
fn a_delay_ends_only_by_its_own_end() {
    let mut bench = Bench::new();
    let id = bench.start(20);
    assert_eq!(bench.switch(), id);
    assert_eq!(bench.threads.delay(), Waited::Blocked);
    bench.switch();
    assert_eq!(bench.threads.wakeup(id), Ok(()));
    assert_ne!(bench.switch(), id);
    bench.threads.end_delay(id);
    assert_eq!(bench.switch(), id);
    assert_eq!(bench.threads.sleep(), Waited::Done(0));
}

#[test]
fn a_delay_that_is_cut_short_leaves_no_end_behind_for_the_next_one() {
    let mut bench = Bench::new();
    let mut alarms = Alarms::new();
    let id = bench.start(20);
    let end = |target| Alarm { target, action: Action::EndDelay { thread: id } };
    assert_eq!(bench.switch(), id);
    assert_eq!(bench.threads.delay(), Waited::Blocked);
    assert_eq!(alarms.set(end(10)), Ok(()));
    bench.switch();
    assert_eq!(bench.threads.release_wait(id, &mut alarms), Ok(()));
    assert_eq!(alarms.next_target(), None);
    assert_eq!(bench.switch(), id);
    assert_eq!(bench.threads.wait_result(), Err(Error::WaitReleased));
    assert_eq!(bench.threads.delay(), Waited::Blocked);
    assert_eq!(alarms.set(end(30)), Ok(()));
    assert_eq!(alarms.take_due(10), None);
    bench.switch();
    assert_eq!(bench.threads.terminate_thread(id, &mut alarms), Ok(()));
    assert_eq!(alarms.next_target(), None);
}

#[test]
fn only_a_delay_takes_its_end_along() {
    let mut bench = Bench::new();
    let mut alarms = Alarms::new();
    let (sleeper, other) = (bench.start(20), bench.start(30));
    assert_eq!(alarms.set(Alarm { target: 10, action: Action::EndDelay { thread: other } }), Ok(()));
    assert_eq!(bench.switch(), sleeper);
    assert_eq!(bench.threads.sleep(), Waited::Blocked);
    bench.switch();
    assert_eq!(bench.threads.release_wait(sleeper, &mut alarms), Ok(()));
    assert_eq!(alarms.next_target(), Some(10));
}

#[test]
fn a_new_stack_is_filled_up_to_its_last_bytes_as_its_attributes_ask() {
    let plain = NewThread { attributes: 0, option: 0, entry: 0, stack_bytes: 0x130, priority: 1, gp: 0 };
    for (attributes, value) in [(0, 0xFF), (0x10_0000, 0x5A), (0x20_0000, 0), (0x30_0000, 0)] {
        let mut stack = [0x5A; 0x200];
        NewThread { attributes, ..plain }.fill(&mut stack);
        assert!(stack[..0x1D0].iter().all(|byte| *byte == value), "{attributes:#x}");
        assert!(stack[0x1D0..].iter().all(|byte| *byte == 0x5A), "{attributes:#x}");
    }
}

#[test]
fn full_tables_refuse() {
    let mut bench = Bench::new();
    for _ in 0..SEMAPHORES {
        assert!(bench.threads.create_semaphore(0, 0, 0, 1).is_ok());
    }
    assert_eq!(bench.threads.create_semaphore(0, 0, 0, 1), Err(Error::NoMemory));
}

/// Memory of words.
struct Ram(Vec<u32>);

impl crate::loadcore::Words for Ram {
    fn read(&self, address: u32) -> u32 {
        self.0[address as usize / 4]
    }
    fn write(&mut self, address: u32, value: u32) {
        self.0[address as usize / 4] = value;
    }
}

#[test]
fn a_fixed_pool_hands_a_freed_block_to_its_first_waiter() {
    let mut bench = Bench::new();
    let mut ram = Ram(vec![0; 0x100]);
    let new = NewFixedPool { attributes: 0, option: 0, block_bytes: 14, blocks: 2 };
    assert_eq!(new.check(), Ok(32));
    let pool = bench.threads.create_fixed_pool(&new, 0x80, &mut ram).expect("a record");
    assert_eq!(bench.threads.allocate_fixed(pool, &ram), Ok(Waited::Done(0x80)));
    assert_eq!(bench.threads.allocate_fixed(pool, &ram), Ok(Waited::Done(0x90)));
    assert_eq!(bench.threads.poll_fixed_pool(pool, &ram), Err(Error::PoolEmpty));
    let waiter = waiters(&mut bench, &[20], |threads| threads.allocate_fixed(pool, &Ram(vec![0; 0x100])))[0];
    assert_eq!(bench.threads.free_fixed(pool, 0x84, &mut ram), Err(Error::IllegalBlock));
    assert_eq!(bench.threads.free_fixed(pool, 0x90, &mut ram), Ok(()));
    assert_eq!(bench.switch(), waiter);
    assert_eq!(bench.threads.wait_result(), Ok(0x90));
    assert_eq!(bench.threads.free_fixed(pool, 0x80, &mut ram), Ok(()));
    assert_eq!(bench.threads.fixed_pool_info(pool).map(|info| (info.free, info.waiting)), Ok((1, 0)));
    assert_eq!(bench.threads.delete_fixed_pool(pool), Ok(0x80));
    assert_eq!(bench.threads.poll_fixed_pool(pool, &ram), Err(Error::UnknownFixedPool));
}

#[test]
fn a_block_that_is_free_already_is_not_freed_again() {
    let mut bench = Bench::new();
    let mut ram = Ram(vec![0; 0x100]);
    let new = NewFixedPool { attributes: 0, option: 0, block_bytes: 16, blocks: 3 };
    let pool = bench.threads.create_fixed_pool(&new, 0x80, &mut ram).expect("a record");
    assert_eq!(bench.threads.free_fixed(pool, 0xA0, &mut ram), Err(Error::IllegalBlock));
    for block in [0x80, 0x90] {
        assert_eq!(bench.threads.poll_fixed_pool(pool, &ram), Ok(block));
    }
    assert_eq!(bench.threads.free_fixed(pool, 0x80, &mut ram), Ok(()));
    assert_eq!(bench.threads.free_fixed(pool, 0x80, &mut ram), Err(Error::IllegalBlock));
    assert_eq!(bench.threads.fixed_pool_info(pool).map(|info| info.free), Ok(2));
    let taken: Vec<_> = (0..3).map(|_| bench.threads.poll_fixed_pool(pool, &ram)).collect();
    assert_eq!(taken, [Ok(0x80), Ok(0xA0), Err(Error::PoolEmpty)]);
}

#[test]
fn a_variable_pool_serves_its_waiters_in_order_as_far_as_the_memory_reaches() {
    let mut bench = Bench::new();
    let mut ram = Ram(vec![0; 0x100]);
    let heap = crate::heap::Heap::new(&mut ram, 0x80, 0x100).expect("room");
    let pool = bench.threads.create_variable_pool(0, 0, heap).expect("a record");
    assert_eq!(bench.threads.poll_variable_pool(pool, 0x100, &mut ram), Err(Error::IllegalSize));
    assert_eq!(bench.threads.allocate_variable(pool, 0xE0, &mut ram), Ok(Waited::Done(0x88)));
    assert_eq!(bench.threads.poll_variable_pool(pool, 0x40, &mut ram), Err(Error::PoolEmpty));
    let first = waiters(&mut bench, &[20], |threads| threads.allocate_variable(pool, 0xA0, &mut ram))[0];
    let second = waiters(&mut bench, &[10], |threads| threads.allocate_variable(pool, 0x80, &mut ram))[0];
    assert_eq!(bench.threads.free_variable(pool, 0x90, &mut ram), Err(Error::IllegalBlock));
    assert_eq!(bench.threads.free_variable(pool, 0x88, &mut ram), Ok(()));
    assert_eq!(bench.switch(), first);
    assert_eq!(bench.threads.wait_result(), Ok(0x88));
    assert_eq!(bench.threads.free_variable(pool, 0x88, &mut ram), Ok(()));
    assert_eq!(bench.switch(), second);
}

#[test]
fn a_waiter_whose_priority_changes_finds_its_new_place() {
    let mut bench = Bench::new();
    let semaphore = bench.threads.create_semaphore(1, 0, 0, 1).expect("a record");
    let ids = waiters(&mut bench, &[20, 30, 40], |threads| threads.wait_semaphore(semaphore));
    assert_eq!(bench.threads.change_priority(ids[2], 10), Ok(()));
    assert_eq!(bench.threads.signal_semaphore(semaphore), Ok(()));
    assert_eq!(bench.switch(), ids[2]);
}

#[test]
fn a_wait_that_a_handler_asks_for_ends_at_once_and_a_released_one_goes_on() {
    let rounds = core::cell::Cell::new(0);
    let wait = |result| {
        rounds.set(rounds.get() + 1);
        assert!(rounds.get() < 10, "the wait goes on for ever");
        result
    };
    assert!(!wait_until(|| false, || wait(Err(Error::IllegalContext))));
    assert_eq!(rounds.replace(0), 1);
    assert!(wait_until(|| rounds.get() == 3, || wait(Err(Error::WaitReleased))));
    assert!(wait_until(|| true, || wait(Ok(()))));
    assert_eq!(rounds.get(), 3);
}
