//! Message boxes: the THMSGBX calls.
//!
//! Messages are the senders' own records, linked through their first word. Only their addresses pass through here;
//! the links are kept by whoever can reach memory, behind [`MessageLinks`].

use super::queue::Queue;
use super::semaphore::BY_PRIORITY;
use super::{Id, Kind, Threads, Wait, Waited, find, insert};
use crate::errors::Error;

/// Attribute: messages line up by their own priority.
const MESSAGES_BY_PRIORITY: u32 = 4;

/// Access to the two fields of a message that the box uses.
pub trait MessageLinks {
    /// The message behind `message`, 0 for none.
    fn next(&self, message: u32) -> u32;
    /// Links `next` behind `message`.
    fn set_next(&mut self, message: u32, next: u32);
    /// The message's priority; lower comes first.
    fn priority(&self, message: u32) -> u8;
}

/// A message box. The list of waiting messages is kept as its first and last address.
#[derive(Clone, Copy)]
pub(super) struct MessageBox {
    pub(super) waiters: Queue,
    pub(super) attributes: u32,
    option: u32,
    first: u32,
    last: u32,
    count: u32,
}

/// What ReferMbxStatus tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageBoxInfo {
    /// Attribute bits.
    pub attributes: u32,
    /// The creator's word.
    pub option: u32,
    /// Threads that wait.
    pub waiting: u32,
    /// Messages that wait.
    pub messages: u32,
    /// Address of the first message, 0 for none.
    pub first: u32,
}

impl MessageBox {
    /// The waiting messages, first to last. The list lies in the senders' records, which they can spoil, so that it ends
    /// after as many as were lined up.
    fn messages(&self, links: &impl MessageLinks) -> impl Iterator<Item = u32> {
        let mut next = self.first;
        (0..self.count).map_while(move |_| {
            let message = next;
            if message == 0 {
                return None;
            }
            next = links.next(message);
            Some(message)
        })
    }
}

impl Threads {
    /// Makes a message box.
    ///
    /// # Errors
    /// Unknown attribute; no record left.
    pub fn create_message_box(&mut self, attributes: u32, option: u32) -> Result<i32, Error> {
        if attributes & !(BY_PRIORITY | MESSAGES_BY_PRIORITY) != 0 {
            return Err(Error::IllegalAttribute);
        }
        let object = MessageBox { waiters: Queue::EMPTY, attributes, option, first: 0, last: 0, count: 0 };
        insert(&mut self.boxes, Kind::MessageBox, object).map(Id::raw)
    }

    fn message_box(&mut self, id: i32) -> Result<(usize, &mut MessageBox), Error> {
        let index = find(&self.boxes, Kind::MessageBox, id).ok_or(Error::UnknownMessageBox)?;
        self.boxes[index].object.as_mut().map(|object| (index, object)).ok_or(Error::UnknownMessageBox)
    }

    /// Deletes a box; its waiters get [`Error::WaitDeleted`].
    ///
    /// # Errors
    /// Unknown.
    pub fn delete_message_box(&mut self, id: i32) -> Result<(), Error> {
        let (index, object) = self.message_box(id)?;
        let waiters = object.waiters;
        self.boxes[index].object = None;
        self.release_all(waiters);
        Ok(())
    }

    /// Hands a message to the first waiter, or lines it up.
    ///
    /// Our choice: no message and one that waits already are refused as illegal blocks, before anything changes. The
    /// documents name no error for them; a second link would close the list to a ring.
    ///
    /// # Errors
    /// Unknown; null, or in this box already.
    pub fn send_message(&mut self, id: i32, message: u32, links: &mut impl MessageLinks) -> Result<(), Error> {
        let (index, object) = self.message_box(id)?;
        if message == 0 || object.messages(links).any(|waiting| waiting == message) {
            return Err(Error::IllegalBlock);
        }
        let Some(object) = self.boxes[index].object.as_mut() else { return Err(Error::UnknownMessageBox) };
        if let Some(thread) = object.waiters.pop_front(&mut self.threads) {
            self.make_ready(thread, Ok(message));
            return Ok(());
        }
        let previous = if object.attributes & MESSAGES_BY_PRIORITY != 0 {
            let priority = links.priority(message);
            object.messages(links).take_while(|waiting| links.priority(*waiting) <= priority).last().unwrap_or(0)
        } else {
            object.last
        };
        object.count += 1;
        let next = if previous == 0 { object.first } else { links.next(previous) };
        links.set_next(message, next);
        if previous == 0 {
            object.first = message;
        } else {
            links.set_next(previous, message);
        }
        if next == 0 {
            object.last = message;
        }
        Ok(())
    }

    /// Takes the first message, or waits for one; the value is its address.
    ///
    /// # Errors
    /// Unknown.
    pub fn receive_message(&mut self, id: i32, links: &impl MessageLinks) -> Result<Waited, Error> {
        match self.poll_message(id, links) {
            Ok(message) => return Ok(Waited::Done(message)),
            Err(Error::NoMessage) => {}
            Err(error) => return Err(error),
        }
        let index = self.message_box(id)?.0;
        let Some(current) = self.current else { return Err(Error::CannotWait) };
        if let Some(object) = self.boxes[index].object.as_mut() {
            if object.attributes & BY_PRIORITY != 0 {
                object.waiters.push_by_priority(&mut self.threads, current);
            } else {
                object.waiters.push_back(&mut self.threads, current);
            }
        }
        Ok(self.block(Wait::MessageBox(index as u8)))
    }

    /// Takes the first message if there is one.
    ///
    /// # Errors
    /// Unknown; empty.
    pub fn poll_message(&mut self, id: i32, links: &impl MessageLinks) -> Result<u32, Error> {
        let (_, object) = self.message_box(id)?;
        let message = object.first;
        if message == 0 {
            return Err(Error::NoMessage);
        }
        let left = object.count.saturating_sub(1);
        object.first = if left == 0 { 0 } else { links.next(message) };
        if object.first == 0 {
            (object.last, object.count) = (0, 0);
        } else {
            object.count = left;
        }
        Ok(message)
    }

    /// What is known about a box.
    ///
    /// # Errors
    /// Unknown.
    pub fn message_box_info(&mut self, id: i32) -> Result<MessageBoxInfo, Error> {
        let object = *self.message_box(id)?.1;
        Ok(MessageBoxInfo {
            attributes: object.attributes,
            option: object.option,
            waiting: object.waiters.len(&mut self.threads),
            messages: object.count,
            first: object.first,
        })
    }
}
