//! Servers of remote calls, their queues, and the requests that wait in them: lists through records of whoever registers them.
//!
//! Every list ends: a record that is registered again, or called again before its request was taken, stays where it is, and a list
//! is followed no further than [`LONGEST`] records, whatever became of the memory of those that nobody took out.

use crate::lists;
use core::ptr::{null, null_mut};

/// Records of a list that are followed.
///
/// Our choice: a bound for lists whose records were written over; no program has as many servers.
const LONGEST: usize = 1024;

/// A server's function: function number, the request's bytes, how many; the result points to the reply, null for none.
pub type ServerFunction = extern "C" fn(u32, *mut u32, u32) -> *mut u32;

/// What a request for a server says.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The client's record.
    pub client: u32,
    /// The client's packet.
    pub packet: u32,
    /// Function number.
    pub number: u32,
    /// Where the reply goes.
    pub receive: u32,
    /// Bytes of reply.
    pub receive_bytes: u32,
    /// 1 when the client wants to be told by a packet.
    pub replies: u32,
    /// The client's packet record.
    pub record: u32,
}

/// A server.
///
/// Source: public headers (the record of sceSifRegisterRpc)
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Server {
    /// Number under which clients bind.
    pub sid: u32,
    /// What answers.
    pub function: Option<ServerFunction>,
    /// Where requests land.
    pub buffer: *mut u32,
    /// Bytes of the request at hand.
    pub size: u32,
    /// A second function, which no call uses.
    pub cancel_function: u32,
    /// Its buffer.
    pub cancel_buffer: u32,
    /// Its bytes.
    pub cancel_size: u32,
    /// The request at hand.
    pub request: Request,
    /// Next server with a request in the same queue.
    link: *mut Server,
    /// Next server of the same queue.
    next: *mut Server,
    /// The queue.
    queue: *mut Queue,
}

impl Server {
    /// A record to be registered.
    #[must_use]
    pub const fn new() -> Self {
        Server {
            sid: 0,
            function: None,
            buffer: null_mut(),
            size: 0,
            cancel_function: 0,
            cancel_buffer: 0,
            cancel_size: 0,
            request: Request { client: 0, packet: 0, number: 0, receive: 0, receive_bytes: 0, replies: 0, record: 0 },
            link: null_mut(),
            next: null_mut(),
            queue: null_mut(),
        }
    }
}

impl Default for Server {
    fn default() -> Self {
        Self::new()
    }
}

/// A thread's servers and the requests it has not served yet.
#[repr(C)]
#[derive(Debug)]
pub struct Queue {
    thread: i32,
    active: u32,
    servers: *mut Server,
    first: *mut Server,
    last: *mut Server,
    next: *mut Queue,
}

impl Queue {
    /// A record to be registered.
    #[must_use]
    pub const fn new() -> Self {
        Queue { thread: 0, active: 0, servers: null_mut(), first: null_mut(), last: null_mut(), next: null_mut() }
    }

    /// Takes the next request, null for none; the queue is active while there are any.
    ///
    /// # Safety
    /// The servers of the queue's requests are valid, and nobody else touches them meanwhile.
    pub unsafe fn next_request(&mut self) -> *mut Server {
        let server = self.first;
        self.active = u32::from(!server.is_null());
        if !server.is_null() {
            // SAFETY: passed on to the caller.
            self.first = unsafe { (*server).link };
        }
        server
    }

    /// Lines a server's request up, unless it is in line already.
    ///
    /// # Safety
    /// As for [`next_request`](Self::next_request); `server` is valid.
    unsafe fn line_up(&mut self, server: *mut Server) {
        // SAFETY: passed on to the caller.
        unsafe {
            if lists::has(&raw mut self.first, server, LONGEST, |waiting| &raw mut (*waiting).link) {
                return;
            }
            (*server).link = null_mut();
            if self.first.is_null() {
                self.first = server;
            } else {
                (*self.last).link = server;
            }
            self.last = server;
        }
    }

    /// Takes a server's request, if there is one, out of the line.
    ///
    /// # Safety
    /// As for [`line_up`](Self::line_up).
    unsafe fn drop_request(&mut self, server: *mut Server) {
        let mut before: *mut Server = null_mut();
        let mut waiting = self.first;
        // SAFETY: passed on to the caller.
        unsafe {
            for _ in 0..LONGEST {
                if waiting.is_null() || waiting == server {
                    break;
                }
                before = waiting;
                waiting = (*waiting).link;
            }
            if waiting != server {
                return;
            }
            let after = (*server).link;
            if before.is_null() {
                self.first = after;
            } else {
                (*before).link = after;
            }
            if after.is_null() {
                self.last = before;
            }
        }
    }

    /// Takes a server out of the queue; false when it was not there.
    ///
    /// # Safety
    /// The queue's servers are valid, and nobody else touches them meanwhile.
    pub unsafe fn remove(&mut self, server: *mut Server) -> bool {
        // SAFETY: passed on to the caller.
        unsafe { lists::take_out(&raw mut self.servers, server, LONGEST, |known| &raw mut (*known).next) }
    }

    /// True when `server` is one of the queue's.
    ///
    /// # Safety
    /// As for [`remove`](Self::remove).
    unsafe fn has(&self, server: *const Server) -> bool {
        // SAFETY: passed on to the caller; nothing is written.
        unsafe { lists::has((&raw const self.servers).cast_mut(), server, LONGEST, |known| &raw mut (*known).next) }
    }
}

impl Default for Queue {
    fn default() -> Self {
        Self::new()
    }
}

/// All queues, in order of creation.
pub struct Queues {
    first: *mut Queue,
}

impl Queues {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Queues { first: null_mut() }
    }

    /// Registers a queue that `thread` serves, as a new one even if it was registered before.
    ///
    /// # Safety
    /// All registered records and `queue` are valid, and nobody else touches them meanwhile.
    pub unsafe fn add(&mut self, queue: *mut Queue, thread: i32) {
        // SAFETY: passed on to the caller.
        unsafe {
            self.remove(queue);
            *queue = Queue { thread, ..Queue::new() };
            *lists::link_to(&raw mut self.first, null(), LONGEST, |known| &raw mut (*known).next) = queue;
        }
    }

    /// True when `queue` is registered.
    ///
    /// # Safety
    /// As for [`add`](Self::add), but for `queue`, which may be anything.
    #[must_use]
    pub unsafe fn has(&self, queue: *const Queue) -> bool {
        // SAFETY: passed on to the caller; nothing is written.
        unsafe { lists::has((&raw const self.first).cast_mut(), queue, LONGEST, |known| &raw mut (*known).next) }
    }

    /// Takes a queue out of the list; false when it was not there.
    ///
    /// # Safety
    /// As for [`add`](Self::add).
    pub unsafe fn remove(&mut self, queue: *mut Queue) -> bool {
        // SAFETY: passed on to the caller.
        unsafe { lists::take_out(&raw mut self.first, queue, LONGEST, |known| &raw mut (*known).next) }
    }

    /// Registers a server; false when there is no such queue. One that is in `queue` already keeps its place and the request that
    /// waits for it; one that is in another queue leaves that.
    ///
    /// # Safety
    /// As for [`add`](Self::add), for the record `server`; `queue` may be anything.
    pub unsafe fn register(
        &mut self,
        server: *mut Server,
        sid: u32,
        function: ServerFunction,
        buffer: *mut u32,
        queue: *mut Queue,
    ) -> bool {
        // SAFETY: passed on to the caller.
        unsafe {
            if !self.has(queue) {
                return false;
            }
            if (*queue).has(server) {
                ((*server).sid, (*server).function, (*server).buffer) = (sid, Some(function), buffer);
                return true;
            }
            let mut other = self.first;
            for _ in 0..LONGEST {
                if other.is_null() {
                    break;
                }
                if (*other).remove(server) {
                    (*other).drop_request(server);
                }
                other = (*other).next;
            }
            *server = Server { sid, function: Some(function), buffer, queue, ..Server::new() };
            *lists::link_to(&raw mut (*queue).servers, null(), LONGEST, |known| &raw mut (*known).next) = server;
        }
        true
    }

    /// Takes a server out of a queue; false when there is no such queue, or it was not in it.
    ///
    /// # Safety
    /// As for [`add`](Self::add); both may be anything.
    pub unsafe fn remove_server(&mut self, server: *mut Server, queue: *mut Queue) -> bool {
        // SAFETY: passed on to the caller.
        unsafe { self.has(queue) && (*queue).remove(server) }
    }

    /// Takes the next request of a queue, null for none and for no such queue.
    ///
    /// # Safety
    /// As for [`has`](Self::has).
    pub unsafe fn next_request(&mut self, queue: *mut Queue) -> *mut Server {
        // SAFETY: passed on to the caller.
        unsafe { if self.has(queue) { (*queue).next_request() } else { null_mut() } }
    }

    /// The server registered under `sid`: queues in order of creation, then each one's servers. Null for none.
    ///
    /// # Safety
    /// As for [`add`](Self::add).
    #[must_use]
    pub unsafe fn find(&self, sid: u32) -> *mut Server {
        let mut queue = self.first;
        // SAFETY: passed on to the caller.
        unsafe {
            for _ in 0..LONGEST {
                if queue.is_null() {
                    break;
                }
                let mut server = (*queue).servers;
                for _ in 0..LONGEST {
                    if server.is_null() {
                        break;
                    }
                    if (*server).sid == sid {
                        return server;
                    }
                    server = (*server).next;
                }
                queue = (*queue).next;
            }
        }
        null_mut()
    }

    /// Hands a server a request of `size` bytes; the thread to be woken for it, if any. None, too, when `server`, whose address
    /// comes from the other side, is not registered.
    ///
    /// A request for a server whose last one has not been taken yet replaces that. Source: IOP kernel, RPC
    ///
    /// # Safety
    /// As for [`add`](Self::add).
    pub unsafe fn call(&mut self, server: *mut Server, size: u32, request: Request) -> Option<i32> {
        // SAFETY: passed on to the caller.
        unsafe {
            let mut queue = self.first;
            for _ in 0..LONGEST {
                if queue.is_null() || (*queue).has(server) {
                    break;
                }
                queue = (*queue).next;
            }
            let queue = queue.as_mut().filter(|queue| queue.has(server))?;
            ((*server).size, (*server).request) = (size, request);
            queue.line_up(server);
            (queue.active == 0).then_some(queue.thread)
        }
    }
}

impl Default for Queues {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
