//! The TCP side: keeps a connection to the console and answers its requests for files.

use super::folder::{HostFolder, error};
use super::packet::{self, HEADER_BYTES, Header, Request};
use anyhow::{Context as _, Result};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// How long one attempt to connect may take.
const CONNECT: Duration = Duration::from_millis(500);
/// Between attempts, and how often a waiting read looks at whether it is to stop.
const POLL: Duration = Duration::from_millis(50);
/// How long the rest of a request may be on its way.
const REST: Duration = Duration::from_secs(10);

/// What the session wants to know.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// A connection stands.
    Connected,
    /// It is gone.
    Disconnected,
    /// A file was opened, by its path as the console names it.
    Opened(String),
    /// Every file of that path that was open is closed, with the bytes that were written to it.
    Closed(String, u64),
    /// Something that a person should read.
    Trouble(String),
}

/// What the two threads share.
#[derive(Debug, Default)]
pub struct Orders {
    /// End.
    pub stop: AtomicBool,
    /// Give the connection up and make a new one: the console is being reset and will not say so.
    pub reconnect: AtomicBool,
}

/// Connects, serves, connects again, until told to stop.
pub fn run(console: SocketAddr, mut folder: HostFolder, orders: &Orders, events: &Sender<Event>) {
    // A closed channel means that nobody listens any more, as does the order to stop.
    while !orders.stop.load(Ordering::Relaxed) {
        orders.reconnect.store(false, Ordering::Relaxed);
        let Ok(stream) = TcpStream::connect_timeout(&console, CONNECT) else {
            std::thread::sleep(POLL);
            continue;
        };
        let _ = events.send(Event::Connected);
        let mut connection = Connection { stream, orders, events, names: Vec::new() };
        if let Err(error) = connection.serve(&mut folder) {
            let _ = events.send(Event::Trouble(format!("{error:#}; connecting anew")));
        }
        folder.close_all();
        let _ = events.send(Event::Disconnected);
    }
}

/// A file that is open: number, path, bytes written.
type Named = (i32, String, u64);

struct Connection<'a> {
    stream: TcpStream,
    orders: &'a Orders,
    events: &'a Sender<Event>,
    names: Vec<Named>,
}

impl Connection<'_> {
    /// Answers until the console hangs up or the orders say to.
    fn serve(&mut self, folder: &mut HostFolder) -> Result<()> {
        self.stream.set_read_timeout(Some(POLL))?;
        self.stream.set_write_timeout(Some(REST))?;
        self.stream.set_nodelay(true)?;
        let mut head = [0; HEADER_BYTES];
        while self.fill(&mut head, false)? {
            let header = Header::read(head)?;
            let mut body = vec![0; header.body];
            self.fill(&mut body, true)?;
            let request = Request::read(header, &body)?;
            self.answer(folder, header, request)?;
        }
        Ok(())
    }

    /// Fills `bytes`. False when the connection ends, or is to end, before the first byte of something new.
    fn fill(&mut self, bytes: &mut [u8], begun: bool) -> Result<bool> {
        let mut have = 0;
        let mut since = Instant::now();
        while have < bytes.len() {
            if self.orders.stop.load(Ordering::Relaxed) || self.orders.reconnect.load(Ordering::Relaxed) {
                return Ok(false);
            }
            match self.stream.read(&mut bytes[have..]) {
                Ok(0) if have == 0 && !begun => return Ok(false),
                Ok(0) => anyhow::bail!("the console hung up in the middle of a request"),
                Ok(count) => {
                    have += count;
                    since = Instant::now();
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    anyhow::ensure!(
                        (have == 0 && !begun) || since.elapsed() < REST,
                        "the rest of a request did not come"
                    );
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A console that is reset hangs up like this.
                Err(error) if error.kind() == ErrorKind::ConnectionReset && have == 0 && !begun => return Ok(false),
                Err(error) => return Err(error).context("the connection to the console broke"),
            }
        }
        Ok(true)
    }

    fn answer(&mut self, folder: &mut HostFolder, header: Header, request: Request) -> Result<()> {
        let number = |result: Result<i32, i32>| result.unwrap_or_else(|error| error);
        let bytes = match request {
            Request::Open { flags, path } => {
                let result = folder.open(flags, &path);
                match result {
                    Ok(file) => {
                        self.names.push((file, path.clone(), 0));
                        let _ = self.events.send(Event::Opened(path));
                    }
                    Err(error) => self.trouble(format!("the console cannot open host:{path} ({error})")),
                }
                packet::reply(header, number(result))
            }
            Request::Close { file } => {
                let result = folder.close(file);
                if let Some(index) = self.names.iter().position(|(open, ..)| *open == file) {
                    let (_, path, written) = self.names.swap_remove(index);
                    let _ = self.events.send(Event::Closed(path, written));
                }
                packet::reply(header, number(result.map(|()| 0)))
            }
            Request::Read { file, bytes } => match folder.read(file, bytes) {
                Ok(data) => {
                    let count = u32::try_from(data.len())?;
                    let mut reply = packet::read_reply(header, count.cast_signed(), count);
                    reply.extend(data);
                    reply
                }
                Err(error) => packet::reply(header, error),
            },
            Request::Write { file, bytes } => {
                let mut data = vec![0; bytes as usize];
                self.fill(&mut data, true)?;
                let result = folder.write(file, &data);
                if result.is_ok()
                    && let Some((.., written)) = self.names.iter_mut().find(|(open, ..)| *open == file)
                {
                    *written += u64::from(bytes);
                }
                packet::reply(header, number(result.map(|()| bytes.cast_signed())))
            }
            Request::Seek { file, offset, whence } => packet::reply(header, number(folder.seek(file, offset, whence))),
            Request::OpenFolder { path } => packet::reply(header, number(folder.open_folder(&path))),
            Request::NextEntry { file } => match folder.next_entry(file) {
                Ok(Some(entry)) => packet::entry_reply(header, 1, &entry),
                Ok(None) => packet::reply(header, 0),
                Err(error) => packet::reply(header, error),
            },
            Request::Status { path } => match folder.status(&path) {
                Ok(entry) => packet::status_reply(header, 0, &entry),
                Err(error) => packet::reply(header, error),
            },
            Request::Refused => {
                self.trouble(format!("the console asked for {:08x}, which is refused", header.number));
                packet::reply(header, error::REFUSED)
            }
        };
        self.stream.write_all(&bytes).context("the answer did not reach the console")
    }

    fn trouble(&self, words: String) {
        let _ = self.events.send(Event::Trouble(words));
    }
}
