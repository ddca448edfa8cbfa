//! The file manager: a queue of requests for whole files, one at work at a time.
//!
//! A frame services it once. A service that may not wait starts at most one read or finishes at most one, so that a
//! callback's work is spread over frames.
//!
//! Source: support systems, File I/O; seed 003, One in-game frame (step 11).

use super::device::StreamDevice;
use super::stream_files::{FileError, ReadState, StreamFile, StreamFileSystem};
use super::wait::{Waiter, pause, wait};
use super::{NameHash, Region};
use core::fmt;
use heapless::{Deque, String};

/// Requests that may wait.
///
/// Our choice: the original's queue grows on the heap; a fixed one is full visibly.
pub const QUEUE: usize = 64;
/// Bytes of a request's name, its end mark included.
///
/// Source: support systems, File I/O
pub const NAME_BYTES: usize = 64;

/// A request's number, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestId(pub u32);

/// Which of the game's callbacks a request ends with. The game gives the numbers and owns the match on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallbackId(pub u16);

/// What to load.
#[derive(Clone, Copy, Debug)]
pub struct Request<'n> {
    /// The file's name, without the archive's prefix.
    pub name: &'n str,
    /// Where it goes; the File Stream Buffer when absent.
    pub destination: Option<Region>,
    /// The most bytes to read; the size of the destination when absent.
    pub length: Option<u32>,
    /// Whom to tell.
    pub callback: CallbackId,
    /// A word for the callback.
    pub user: u32,
}

/// Why a request was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestError {
    /// The name is longer than 63 bytes.
    NameTooLong,
    /// The queue is full.
    Full,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NameTooLong => "a file's name is too long",
            Self::Full => "too many files are waiting to be loaded",
        })
    }
}

/// A request whose time has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its number.
    pub id: RequestId,
    /// The file's name.
    pub name: String<NAME_BYTES>,
    /// Where its bytes are.
    pub region: Region,
    /// How many there are, or why there are none.
    pub result: Result<u32, FileError>,
    /// Whom to tell.
    pub callback: CallbackId,
    /// The word for the callback.
    pub user: u32,
}

/// The game's callbacks.
pub trait Callbacks<D> {
    /// A request has ended. Its file is still open and counts as at work; the stream buffer, if that is where it went, may
    /// be overwritten as soon as this returns. New requests may be made; servicing from here does nothing.
    fn finished(&mut self, manager: &mut FileManager, files: &mut StreamFileSystem<'_, D>, finished: &Finished);
}

/// What one service did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Nothing: the queue is empty, or its first read is still under way.
    Idle,
    /// A read was begun.
    Started(RequestId),
    /// A request ended and was called back.
    Finished(RequestId),
    /// Nothing: the manager is being serviced already.
    Reentered,
}

/// The manager.
#[derive(Debug)]
pub struct FileManager {
    queue: Deque<Finished, QUEUE>,
    lengths: Deque<Option<u32>, QUEUE>,
    in_flight: Option<StreamFile>,
    last_id: u32,
    buffer: Region,
    servicing: bool,
    /// Requests that found the queue full.
    pub refused: u32,
}

impl FileManager {
    /// A manager over the File Stream Buffer.
    pub const fn new(buffer: Region) -> Self {
        Self {
            queue: Deque::new(),
            lengths: Deque::new(),
            in_flight: None,
            last_id: 0,
            buffer,
            servicing: false,
            refused: 0,
        }
    }

    /// True while a read is at work.
    pub const fn is_busy(&self) -> bool {
        self.in_flight.is_some()
    }

    /// Requests that have not ended, the one at work included.
    pub fn pending(&self) -> usize {
        self.queue.len()
    }

    /// Takes a request to the queue's end and services the manager once without waiting.
    ///
    /// # Errors
    /// A long name or a full queue.
    pub fn request<D: StreamDevice>(
        &mut self,
        request: Request<'_>,
        files: &mut StreamFileSystem<'_, D>,
        callbacks: &mut impl Callbacks<D>,
    ) -> Result<RequestId, RequestError> {
        let id = self.append(request)?;
        self.service(files, callbacks);
        Ok(id)
    }

    fn append(&mut self, request: Request<'_>) -> Result<RequestId, RequestError> {
        let mut name = String::new();
        if request.name.len() >= NAME_BYTES || name.push_str(request.name).is_err() {
            return Err(RequestError::NameTooLong);
        }
        let id = RequestId(self.last_id.wrapping_add(1));
        let region = request.destination.unwrap_or(self.buffer);
        let waiting = Finished { id, name, region, result: Ok(0), callback: request.callback, user: request.user };
        if self.queue.push_back(waiting).is_err() || self.lengths.push_back(request.length).is_err() {
            self.refused += 1;
            return Err(RequestError::Full);
        }
        self.last_id = id.0;
        Ok(id)
    }

    /// Starts the next read or finishes the one at work, without waiting.
    pub fn service<D: StreamDevice>(
        &mut self,
        files: &mut StreamFileSystem<'_, D>,
        callbacks: &mut impl Callbacks<D>,
    ) -> Service {
        if self.servicing {
            return Service::Reentered;
        }
        self.servicing = true;
        files.update();
        let done = if self.in_flight.is_some() {
            match files.read_state() {
                ReadState::Busy | ReadState::Waiting(_) => Service::Idle,
                ReadState::Done(bytes) => self.finish(Ok(bytes), files, callbacks),
                ReadState::Failed(fault) => self.finish(Err(FileError::Device(fault)), files, callbacks),
                ReadState::Idle => self.finish(Err(FileError::Closed), files, callbacks),
            }
        } else {
            self.start(files, callbacks)
        };
        self.servicing = false;
        done
    }

    /// Works until the queue is empty, keeping the waiter's loading callback alive.
    ///
    /// # Errors
    /// The waiter has given up; the request whose turn it was has been called back with that error, and the others still wait.
    pub fn service_all<D: StreamDevice, W: Waiter>(
        &mut self,
        files: &mut StreamFileSystem<'_, D>,
        waiter: &mut W,
        callbacks: &mut impl Callbacks<D>,
    ) -> Result<(), FileError> {
        if self.servicing {
            return Ok(());
        }
        self.servicing = true;
        let mut result = Ok(());
        let mut last = waiter.milliseconds();
        while result.is_ok() && !self.queue.is_empty() {
            if self.in_flight.is_none() {
                if self.start(files, callbacks) == Service::Idle {
                    // Somebody else reads from the same file system, or a silent device has not given memory back.
                    result = pause(files, waiter, &mut last);
                    if let Err(given_up) = result {
                        self.finish(Err(given_up), files, callbacks);
                    }
                }
                continue;
            }
            let ended = wait(files, waiter);
            if let Err(FileError::GivenUp(fault)) = ended {
                result = Err(FileError::GivenUp(fault));
            }
            self.finish(ended, files, callbacks);
        }
        self.servicing = false;
        result
    }

    fn start<D: StreamDevice>(
        &mut self,
        files: &mut StreamFileSystem<'_, D>,
        callbacks: &mut impl Callbacks<D>,
    ) -> Service {
        let (Some(front), Some(length)) = (self.queue.front(), self.lengths.front()) else { return Service::Idle };
        let (id, region) = (front.id, front.region);
        let begun = NameHash::of_file(&front.name).ok_or(FileError::NotFound).and_then(|name| {
            let file = files.open(name)?;
            let most = length.unwrap_or(region.bytes()).min(files.file_size(file)?);
            files.start_read(file, 0, most, region).inspect_err(|_| {
                // The handle is fresh, so that it can be closed.
                let _ = files.close(file);
            })?;
            Ok(file)
        });
        match begun {
            Ok(file) => {
                self.in_flight = Some(file);
                Service::Started(id)
            }
            // Somebody else reads from the same file system: our turn comes.
            Err(FileError::Busy) => Service::Idle,
            Err(error) => self.finish(Err(error), files, callbacks),
        }
    }

    /// Takes the front request off the queue, calls back, closes its file. In this order: the callback may add requests and
    /// finds the manager at work. Source: support systems, File I/O.
    fn finish<D: StreamDevice>(
        &mut self,
        result: Result<u32, FileError>,
        files: &mut StreamFileSystem<'_, D>,
        callbacks: &mut impl Callbacks<D>,
    ) -> Service {
        let (Some(front), Some(_)) = (self.queue.pop_front(), self.lengths.pop_front()) else { return Service::Idle };
        let finished = Finished { result, ..front };
        if self.in_flight.is_some() {
            // Not the end of somebody else's read.
            files.take_end();
        }
        callbacks.finished(self, files, &finished);
        if let Some(file) = self.in_flight.take() {
            // Nobody but the manager has the handle.
            let _ = files.close(file);
        }
        Service::Finished(finished.id)
    }
}

#[cfg(test)]
mod tests;
