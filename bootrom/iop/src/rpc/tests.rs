extern crate std;

use super::*;
use std::vec;
use std::vec::Vec;

const THREAD: i32 = 7;

extern "C" fn nothing(_number: u32, _buffer: *mut u32, _size: u32) -> *mut u32 {
    null_mut()
}

fn numbered(number: u32) -> Request {
    Request { number, ..Request::default() }
}

/// Registers `queue` and in it the servers, by the numbers from 1 on.
fn register(all: &mut Queues, queue: *mut Queue, servers: &[*mut Server]) {
    // SAFETY: the test's records outlive the lists.
    unsafe {
        all.add(queue, THREAD);
        for (sid, server) in (1..).zip(servers) {
            all.register(*server, sid, nothing, null_mut(), queue);
        }
    }
}

/// Function numbers of the requests that wait, in order, and at most ten.
fn taken(queue: *mut Queue) -> Vec<u32> {
    // SAFETY: the test's records outlive the lists.
    let next = || unsafe { (*queue).next_request().as_ref().map(|server| server.request.number) };
    core::iter::from_fn(next).take(10).collect()
}

#[test]
fn a_second_call_before_the_first_was_taken_replaces_it_and_loses_nobody_elses() {
    let (mut all, mut queue, mut servers) = (Queues::new(), Queue::new(), [Server::new(); 2]);
    let (queue, [first, second]) = (&raw mut queue, servers.each_mut().map(|server| &raw mut *server));
    register(&mut all, queue, &[first, second]);
    // SAFETY: the records outlive the lists.
    unsafe {
        assert_eq!(all.call(first, 4, numbered(10)), Some(THREAD));
        assert_eq!(all.call(second, 4, numbered(20)), Some(THREAD));
        assert_eq!(all.call(first, 4, numbered(11)), Some(THREAD));
        assert_eq!(all.call(second, 4, numbered(21)), Some(THREAD));
    }
    assert_eq!(taken(queue), [11, 21]);
    // SAFETY: as above.
    unsafe {
        assert_eq!(all.call(first, 4, numbered(12)), Some(THREAD));
        assert_eq!((*(*queue).next_request()).request.number, 12);
        // The queue's thread is at work: its own next look finds the request.
        assert_eq!(all.call(first, 4, numbered(13)), None);
    }
    assert_eq!(taken(queue), [13]);
}

#[test]
fn a_server_registered_again_is_listed_once_and_loses_neither_its_request_nor_its_neighbours() {
    let (mut all, mut queue, mut servers) = (Queues::new(), Queue::new(), [Server::new(); 3]);
    let (queue, [first, second, third]) = (&raw mut queue, servers.each_mut().map(|server| &raw mut *server));
    register(&mut all, queue, &[first, second, third]);
    // SAFETY: the records outlive the lists.
    unsafe {
        for server in [first, second, third] {
            assert_eq!(all.call(server, 4, numbered((*server).sid)), Some(THREAD));
        }
        all.register(second, 5, nothing, null_mut(), queue);
        assert_eq!((all.find(1), all.find(2), all.find(3)), (first, null_mut(), third));
        assert_eq!((all.find(5), all.find(99)), (second, null_mut()));
    }
    assert_eq!(taken(queue), [1, 2, 3]);
}

#[test]
fn a_server_that_moves_to_another_queue_leaves_the_old_one_with_its_request() {
    let (mut all, mut old, mut new) = (Queues::new(), Queue::new(), Queue::new());
    let mut servers = [Server::new(); 2];
    let (old, new, [first, second]) = (&raw mut old, &raw mut new, servers.each_mut().map(|server| &raw mut *server));
    register(&mut all, old, &[first, second]);
    // SAFETY: the records outlive the lists.
    unsafe {
        all.add(new, THREAD + 1);
        assert_eq!(all.call(first, 4, numbered(1)), Some(THREAD));
        assert_eq!(all.call(second, 4, numbered(2)), Some(THREAD));
        all.register(second, 2, nothing, null_mut(), new);
        assert_eq!(all.call(first, 4, numbered(3)), Some(THREAD));
        assert_eq!(all.call(second, 4, numbered(4)), Some(THREAD + 1));
        assert_eq!((all.find(1), all.find(2), all.find(99)), (first, second, null_mut()));
    }
    assert_eq!((taken(old), taken(new)), (vec![3], vec![4]));
}

#[test]
fn queues_and_servers_that_nobody_registered_are_refused() {
    let (mut all, mut queue, mut other) = (Queues::new(), Queue::new(), Queue::new());
    let (mut server, mut stranger) = (Server::new(), Server::new());
    let (queue, other, server, stranger) = (&raw mut queue, &raw mut other, &raw mut server, &raw mut stranger);
    register(&mut all, queue, &[server]);
    // SAFETY: the records outlive the lists, and what is not registered is not looked into.
    unsafe {
        for nobodys in [null_mut(), other, core::ptr::without_provenance_mut(4)] {
            assert!(!all.has(nobodys) && !all.register(stranger, 2, nothing, null_mut(), nobodys));
            assert!(all.next_request(nobodys).is_null() && !all.remove_server(server, nobodys));
            assert!(!all.remove(nobodys));
        }
        assert!(!all.remove_server(stranger, queue) && !all.remove_server(null_mut(), queue));
        assert_eq!((all.find(1), all.find(2)), (server, null_mut()));
        assert_eq!(all.call(null_mut(), 4, numbered(1)), None);
        assert!(all.remove_server(server, queue) && all.find(1).is_null());
    }
}

#[test]
fn lists_that_were_written_over_end() {
    let (mut all, mut queue, mut servers) = (Queues::new(), Queue::new(), [Server::new(); 2]);
    let (queue, [first, second]) = (&raw mut queue, servers.each_mut().map(|server| &raw mut *server));
    register(&mut all, queue, &[first, second]);
    // SAFETY: the records outlive the lists.
    unsafe {
        all.call(first, 4, numbered(1));
        (*first).next = first;
        (*first).link = first;
        (*queue).next = queue;
        assert!(all.find(99).is_null() && !all.has(core::ptr::without_provenance(4)));
        assert_eq!(all.call(second, 4, numbered(2)), None);
        assert!(!all.remove_server(second, queue));
        all.add(queue, THREAD);
        assert!(all.has(queue));
    }
}

#[test]
fn a_queue_registered_again_is_a_new_one_and_the_list_still_ends() {
    let (mut all, mut queue, mut other) = (Queues::new(), Queue::new(), Queue::new());
    let (mut lost, mut kept) = (Server::new(), Server::new());
    let (queue, other, lost, kept) = (&raw mut queue, &raw mut other, &raw mut lost, &raw mut kept);
    register(&mut all, queue, &[lost]);
    register(&mut all, other, &[kept]);
    // SAFETY: the records outlive the lists.
    unsafe {
        all.add(queue, THREAD);
        assert_eq!((all.find(1), all.find(99)), (kept, null_mut()));
        assert_eq!(all.call(lost, 4, numbered(1)), None);
        assert!(all.remove(queue) && !all.remove(queue));
        assert_eq!(all.find(1), kept);
    }
}
