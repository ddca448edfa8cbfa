//! One conversation with a console: reset, run, dump, listen.

use super::folder::HostFolder;
use super::packet::Command;
use super::serve::{self, Event, Orders};
use crate::process;
use anyhow::{Context as _, Result, bail, ensure};
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How often everything that waits looks around.
const POLL: Duration = Duration::from_millis(20);
/// Times a command is sent before the console counts as deaf.
const ATTEMPTS: u32 = 5;

/// Where both sides listen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ports {
    /// The console's, for file requests (TCP).
    pub files: u16,
    /// The console's, for commands (UDP).
    pub commands: u16,
    /// Ours, for the console's text (UDP).
    pub log: u16,
}

impl Default for Ports {
    fn default() -> Self {
        Self { files: 0x4711, commands: 0x4712, log: 0x4712 }
    }
}

/// A range of memory for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dump {
    /// First address.
    pub address: u32,
    /// Bytes.
    pub size: u32,
    /// The file's name in the served folder.
    pub file: String,
}

impl std::str::FromStr for Dump {
    type Err = anyhow::Error;

    /// `ADDRESS:SIZE:FILE`, numbers as `0x…` or decimal.
    fn from_str(text: &str) -> Result<Self> {
        let number = |text: &str| match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => text.parse(),
        };
        let mut parts = text.splitn(3, ':');
        let [Some(address), Some(size), Some(file)] = [parts.next(), parts.next(), parts.next()] else {
            bail!("a dump is ADDRESS:SIZE:FILE, as in 0x100000:0x1000:memory.bin");
        };
        let dump = Self {
            address: number(address).with_context(|| format!("{address} is no address"))?,
            size: number(size).with_context(|| format!("{size} is no size"))?,
            file: file.into(),
        };
        ensure!(dump.size > 0 && !dump.file.is_empty(), "a dump of nothing, or to no file");
        Ok(dump)
    }
}

/// What to do on the console.
#[derive(Debug, Clone)]
pub struct Options {
    /// The console.
    pub console: IpAddr,
    /// Where our side listens for text.
    pub listen: IpAddr,
    /// Where both listen.
    pub ports: Ports,
    /// What the console sees as `host:`.
    pub folder: PathBuf,
    /// Reset it first.
    pub reset: bool,
    /// The program's name in the folder and its arguments; none runs nothing.
    pub program: Vec<String>,
    /// Memory to write to a file, after the program's start if there is one.
    pub dump: Option<Dump>,
    /// Stop listening after this long; without it a dump alone ends by itself and everything else at Ctrl-C.
    pub listening: Option<Duration>,
    /// How long the console may take to answer a call or a command.
    pub patience: Duration,
}

/// What became of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Commands that had to be sent again.
    pub repeated: u32,
    /// Bytes of memory that were written to the file.
    pub dumped: u64,
}

/// Does all of it. `print` gets the console's text as it comes; what the session itself has to say goes to `say`.
///
/// # Errors
/// No console, a deaf one, a folder that cannot be served, or Ctrl-C.
pub fn run(options: &Options, mut print: impl FnMut(&str), mut say: impl FnMut(&str)) -> Result<Outcome> {
    let folder = HostFolder::new(&options.folder)?;
    let here = SocketAddr::new(options.listen, options.ports.log);
    let log = UdpSocket::bind(here)
        .with_context(|| format!("cannot listen on {here} for the console's text; is another link running?"))?;
    log.set_read_timeout(Some(POLL))?;
    let orders = Orders::default();
    let (sender, events) = channel();
    let console = SocketAddr::new(options.console, options.ports.files);
    std::thread::scope(|scope| {
        scope.spawn(|| serve::run(console, folder, &orders, &sender));
        let mut session = Session {
            options,
            log: &log,
            events: &events,
            orders: &orders,
            print: &mut print,
            say: &mut say,
            connected: false,
            outcome: Outcome::default(),
        };
        let result = session.conduct();
        orders.stop.store(true, Ordering::Relaxed);
        result.map(|()| session.outcome)
    })
}

struct Session<'a> {
    options: &'a Options,
    log: &'a UdpSocket,
    events: &'a Receiver<Event>,
    orders: &'a Orders,
    print: &'a mut dyn FnMut(&str),
    say: &'a mut dyn FnMut(&str),
    connected: bool,
    outcome: Outcome,
}

impl Session<'_> {
    fn conduct(&mut self) -> Result<()> {
        self.connect()?;
        if self.options.reset {
            self.reset()?;
        }
        if let Some(program) = self.options.program.first() {
            let mut words = self.options.program.clone();
            words[0] = format!("host:{program}");
            (self.say)(&format!("running {} on {}", words.join(" "), self.options.console));
            let opened = Event::Opened(program.clone());
            self.insist(&Command::ExecuteEe(words), &opened, "if a program runs already, `--reset` ends it")?;
        }
        if let Some(dump) = &self.options.dump {
            self.dump(dump)?;
        }
        let endless = self.options.listening.is_none();
        if endless && self.options.program.is_empty() && (self.options.dump.is_some() || self.options.reset) {
            return Ok(());
        }
        (self.say)("listening to the console; Ctrl-C ends it");
        let begun = Instant::now();
        while self.options.listening.is_none_or(|time| begun.elapsed() < time) {
            self.look_around()?;
        }
        Ok(())
    }

    /// Waits for a connection.
    fn connect(&mut self) -> Result<()> {
        let begun = Instant::now();
        while !self.connected {
            self.look_around()?;
            ensure!(
                begun.elapsed() < self.options.patience,
                "no ps2link answers at {} (TCP port {}): is it running, is this its address (`--ip`), are both in one network?",
                self.options.console,
                self.options.ports.files
            );
        }
        Ok(())
    }

    /// Resets the console and waits until it is back. It forgets its connections without a word, so they are made anew; one that
    /// can be had at once shows that the console did not hear.
    fn reset(&mut self) -> Result<()> {
        const SOONEST: Duration = Duration::from_millis(700);
        for attempt in 0..ATTEMPTS {
            self.outcome.repeated += u32::from(attempt > 0);
            self.send(&Command::Reset)?;
            let sent = Instant::now();
            self.connected = false;
            while sent.elapsed() < SOONEST / 2 {
                self.look_around()?;
            }
            self.connected = false;
            self.orders.reconnect.store(true, Ordering::Relaxed);
            self.connect().context("the console does not come back from its reset")?;
            if sent.elapsed() >= SOONEST {
                (self.say)("the console is reset");
                return Ok(());
            }
        }
        bail!("the console does not reset; switch it off and on")
    }

    fn dump(&mut self, dump: &Dump) -> Result<()> {
        let command =
            Command::DumpMemory { address: dump.address, size: dump.size, path: format!("host:{}", dump.file) };
        // What an earlier, longer dump left must not be taken for this one's.
        let old = self.options.folder.join(&dump.file);
        if old.is_file() {
            std::fs::remove_file(&old).with_context(|| format!("cannot replace {}", old.display()))?;
        }
        let opened = Event::Opened(dump.file.clone());
        self.insist(&command, &opened, "a program that has stopped the console's threads cannot be dumped")?;
        let mut since = Instant::now();
        loop {
            match self.look_around()? {
                Some(Event::Closed(path, written)) if path == dump.file => {
                    self.outcome.dumped = written;
                    ensure!(
                        written == u64::from(dump.size),
                        "the console wrote {written} of {} bytes; the address may not be readable",
                        dump.size
                    );
                    (self.say)(&format!("{written} bytes in {}", old.display()));
                    return Ok(());
                }
                Some(_) => since = Instant::now(),
                None => ensure!(since.elapsed() < self.options.patience, "the dump does not end"),
            }
        }
    }

    /// Sends a command until the console does what it must do next.
    fn insist(&mut self, command: &Command, heard: &Event, hint: &str) -> Result<()> {
        for attempt in 0..ATTEMPTS {
            self.outcome.repeated += u32::from(attempt > 0);
            self.send(command)?;
            let sent = Instant::now();
            while sent.elapsed() < self.options.patience / ATTEMPTS {
                if self.look_around()?.as_ref() == Some(heard) {
                    return Ok(());
                }
            }
        }
        bail!("the console does not answer; {hint}")
    }

    fn send(&self, command: &Command) -> Result<()> {
        let console = SocketAddr::new(self.options.console, self.options.ports.commands);
        let bound = UdpSocket::bind(SocketAddr::new(self.options.listen, 0))?;
        bound.send_to(&command.encode()?, console).with_context(|| format!("cannot send to {console}"))?;
        Ok(())
    }

    /// Prints what the console says and takes one event, within one look's time.
    fn look_around(&mut self) -> Result<Option<Event>> {
        process::check_interrupted()?;
        let mut text = [0; 65_536];
        match self.log.recv_from(&mut text) {
            // Anybody may send to a port; only the console's words count.
            Ok((length, from)) if from.ip() == self.options.console => (self.print)(&printable(&text[..length])),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error).context("cannot listen to the console's text any more"),
        }
        let event = self.events.try_recv().ok();
        match &event {
            Some(Event::Connected) => self.connected = true,
            Some(Event::Disconnected) => self.connected = false,
            Some(Event::Trouble(words)) => (self.say)(words),
            Some(Event::Opened(_) | Event::Closed(..)) | None => {}
        }
        Ok(event)
    }
}

/// The console's text without what would confuse a terminal.
fn printable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_is_told_in_one_word() {
        let dump: Dump = "0x100000:4096:mem.bin".parse().unwrap();
        assert_eq!(dump, Dump { address: 0x10_0000, size: 4096, file: "mem.bin".into() });
        for bad in ["", "1:2", "x:1:f", "0x1:y:f", "1:0:f", "1:1:", "0x1ffffffff:1:f"] {
            assert!(bad.parse::<Dump>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_consoles_text_cannot_steer_the_terminal() {
        assert_eq!(printable(b"\x1b[2Jhello\r\n\ttab\0"), "[2Jhello\n\ttab");
    }
}
