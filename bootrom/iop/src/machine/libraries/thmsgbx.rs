//! `thmsgbx` 1.1: message boxes.

use super::{Exports, asked_by_thread, blocking, exports, fetch, from_interrupt, from_thread, may_tell, store, tell};
use crate::machine::memory::may_use;
use bootrom_iop::errors::Error;
use bootrom_iop::threads::{MessageLinks, Threads};

/// Library functions by number.
pub static TABLE: Exports<13> = exports(
    b"thmsgbx",
    0x0101,
    [
        // Covers: iop, thmsgbx 4 CreateMbx test=an empty message box
        (4, create as *const ()),
        // Covers: iop, thmsgbx 5 DeleteMbx test=a message box is deleted
        (5, delete as *const ()),
        // Covers: iop, thmsgbx 6 SendMbx test=a message is sent
        (6, send as *const ()),
        // Covers: iop, thmsgbx 7 iSendMbx test=a handler sends a message
        (7, interrupt_send as *const ()),
        // Covers: iop, thmsgbx 8 ReceiveMbx test=as the same
        (8, receive as *const ()),
        // Covers: iop, thmsgbx 9 PollMbx test=an empty message box
        (9, poll as *const ()),
        // Covers: iop, thmsgbx 11 ReferMbxStatus test=a message box tells how many it holds and the first
        (11, refer as *const ()),
        // Covers: iop, thmsgbx 12 iReferMbxStatus test=a handler is told the same of a message box
        (12, interrupt_refer as *const ()),
    ],
);

/// A box to be made: attributes, option.
type Parameters = [u32; 2];
/// What is told about one: the same, then waiting threads, messages, and the first message.
type Status = [u32; 5];

/// What every message begins with.
#[repr(C)]
struct Message {
    next: u32,
    priority: u8,
}

/// The senders' records.
struct Messages;

impl MessageLinks for Messages {
    fn next(&self, message: u32) -> u32 {
        // SAFETY: a message belongs to the box from its sending to its receiving.
        unsafe { (*(message as *const Message)).next }
    }

    fn set_next(&mut self, message: u32, next: u32) {
        // SAFETY: as above.
        unsafe { (*(message as *mut Message)).next = next };
    }

    fn priority(&self, message: u32) -> u8 {
        // SAFETY: as above.
        unsafe { (*(message as *const Message)).priority }
    }
}

extern "C" fn create(parameters: *const Parameters) -> i32 {
    asked_by_thread(|threads| {
        let [attributes, option] = fetch(parameters)?;
        threads.create_message_box(attributes, option)
    })
}

extern "C" fn delete(id: i32) -> i32 {
    from_thread(|threads| threads.delete_message_box(id).map(|()| 0))
}

/// Sends a message, of which the box writes the link.
fn send_in(threads: &mut Threads, id: i32, message: u32) -> Result<i32, Error> {
    if !may_use(message as *const Message) {
        return Err(Error::IllegalAddress);
    }
    threads.send_message(id, message, &mut Messages).map(|()| 0)
}

extern "C" fn send(id: i32, message: u32) -> i32 {
    from_thread(|threads| send_in(threads, id, message))
}

extern "C" fn interrupt_send(id: i32, message: u32) -> i32 {
    from_interrupt(|threads| send_in(threads, id, message))
}

extern "C" fn receive(message: *mut u32, id: i32) -> i32 {
    // Asked before the message is taken.
    if let Err(error) = may_tell(message) {
        return error.code();
    }
    blocking(
        |threads| threads.receive_message(id, &Messages),
        |received| {
            store(message, received);
        },
    )
}

extern "C" fn poll(message: *mut u32, id: i32) -> i32 {
    asked_by_thread(|threads| {
        may_tell(message)?;
        tell(message, threads.poll_message(id, &Messages)?)
    })
}

extern "C" fn refer(id: i32, status: *mut Status) -> i32 {
    asked_by_thread(|threads| status_of(threads, id, status))
}

extern "C" fn interrupt_refer(id: i32, status: *mut Status) -> i32 {
    from_interrupt(|threads| status_of(threads, id, status))
}

fn status_of(threads: &mut Threads, id: i32, status: *mut Status) -> Result<i32, Error> {
    let info = threads.message_box_info(id)?;
    tell(status, [info.attributes, info.option, info.waiting, info.messages, info.first])
}
