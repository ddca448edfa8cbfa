//! A stand-in for the console: speaks ps2link's side of the protocol from its description, and can lose, delay and garble
//! what a network may. Tests have nothing else to speak with.

use anyhow::{Context as _, Result, bail, ensure};
use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use super::Ports;

/// How an open file is asked for: to read, and to write it anew. Source: the PS2's own numbers.
const READ: u32 = 1;
const WRITE_AND_CREATE: u32 = 2 | 0x200;
/// How long a call may take to be answered, and how long it waits for a command unless it is told another time.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long nothing listens while the console starts anew.
const RESET: Duration = Duration::from_millis(900);

/// What goes wrong on the way.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// Commands that never arrive.
    pub lost: usize,
    /// Commands that are done one command late, as a packet that was overtaken.
    pub late: bool,
    /// Bytes sent in place of the first request.
    pub garbage: Option<&'static [u8]>,
    /// Every command arrives twice.
    pub twice: bool,
    /// Somebody else sends text to our port.
    pub stranger: bool,
    /// The console's text is lost.
    pub mute: bool,
    /// The connection breaks in the middle of a dump.
    pub breaks: bool,
}

/// The console's end of a link.
#[derive(Debug)]
pub struct Console {
    /// For file requests; none while it starts anew.
    listener: Option<TcpListener>,
    commands: UdpSocket,
    log: SocketAddr,
    faults: Faults,
    patience: Duration,
    running: bool,
    memory: Vec<u8>,
    seen: Vec<String>,
}

impl Console {
    /// A console at `address` whose memory is `memory`, from address 0 on; its text goes to `log`. A port 0 is a free one.
    ///
    /// # Errors
    /// A port that somebody else has.
    pub fn new(address: IpAddr, ports: Ports, log: SocketAddr, memory: Vec<u8>, faults: Faults) -> Result<Self> {
        let listener = TcpListener::bind((address, ports.files)).context("the stand-in's port for files")?;
        let commands = UdpSocket::bind((address, ports.commands)).context("the stand-in's port for commands")?;
        Ok(Self {
            listener: Some(listener),
            commands,
            log,
            faults,
            patience: PATIENCE,
            running: false,
            memory,
            seen: Vec::new(),
        })
    }

    /// The same, waiting so long for whoever builds a program before it speaks.
    #[must_use]
    pub fn waiting(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The ports that it has.
    ///
    /// # Errors
    /// A socket without an address.
    pub fn ports(&self) -> Result<Ports> {
        let files = self.listener.as_ref().context("nothing listens")?.local_addr()?.port();
        Ok(Ports { files, commands: self.commands.local_addr()?.port(), log: self.log.port() })
    }

    /// Takes commands until `goal` of them are done, and tells what was done.
    ///
    /// # Errors
    /// Whatever does not speak the protocol, or nobody who speaks for a while.
    pub fn serve(mut self, goal: usize) -> Result<Vec<String>> {
        self.commands.set_read_timeout(Some(self.patience))?;
        let mut stream = self.connection()?;
        if let Some(garbage) = self.faults.garbage {
            stream.write_all(garbage)?;
            // Whoever has read enough of it has closed the connection already.
            let _open = stream.shutdown(Shutdown::Write);
            stream = self.connection()?;
        }
        let mut held: Option<Vec<u8>> = None;
        let mut done = 0;
        let mut packet = [0; 1024];
        while done < goal {
            let length = self.commands.recv(&mut packet).context("no command comes")?;
            if self.faults.lost > 0 {
                self.faults.lost -= 1;
                continue;
            }
            let arrived = packet[..length].to_vec();
            let now = if self.faults.late { held.replace(arrived) } else { Some(arrived) };
            let Some(command) = now else { continue };
            done += usize::from(self.obey(&command, &mut stream)?);
            if self.faults.twice {
                self.obey(&command, &mut stream)?;
            }
        }
        Ok(self.seen)
    }

    fn connection(&mut self) -> Result<TcpStream> {
        let listener = self.listener.as_ref().context("nothing listens")?;
        listener.set_nonblocking(true)?;
        let begun = Instant::now();
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if begun.elapsed() > self.patience => return Err(error).context("nobody connects"),
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    fn say(&self, words: &str) -> Result<()> {
        if self.faults.stranger {
            let stranger = UdpSocket::bind((Ipv4Addr::new(127, 0, 0, 2), 0))?;
            stranger.send_to(b"not the console's", self.log)?;
        }
        if !self.faults.mute {
            self.commands.send_to(words.as_bytes(), self.log)?;
        }
        Ok(())
    }

    /// Does a command; false when there was nothing to do.
    fn obey(&mut self, packet: &[u8], stream: &mut TcpStream) -> Result<bool> {
        ensure!(packet.len() >= 6, "half a command");
        ensure!(
            usize::from(u16::from_be_bytes([packet[4], packet[5]])) == packet.len(),
            "the length is not the length"
        );
        match word(packet, 0)? {
            0xBABE_0201 => self.reset(packet, stream),
            // Like ps2link: with a program there already, nothing happens.
            0xBABE_0203 if self.running => Ok(false),
            0xBABE_0203 => self.execute(packet, stream),
            0xBABE_0207 => self.dump(packet, stream),
            other => bail!("no such command: {other:08x}"),
        }
    }

    fn reset(&mut self, packet: &[u8], stream: &mut TcpStream) -> Result<bool> {
        ensure!(packet.len() == 6, "a reset of {} bytes", packet.len());
        let port = self.listener.take().context("nothing listens")?.local_addr()?;
        std::thread::sleep(RESET);
        self.listener = Some(TcpListener::bind(port).context("the port after the reset")?);
        *stream = self.connection()?;
        self.running = false;
        self.seen.push("reset".into());
        Ok(true)
    }

    fn execute(&mut self, packet: &[u8], stream: &mut TcpStream) -> Result<bool> {
        self.running = true;
        let count = word(packet, 6)? as usize;
        let words: Vec<_> = packet[10..].split(|byte| *byte == 0).take(count).map(String::from_utf8_lossy).collect();
        let name = words.first().and_then(|name| name.strip_prefix("host:")).context("a program not on our host")?;
        let bytes = load(stream, name)?;
        self.say(&format!("loaded {} bytes\n", bytes.len()))?;
        let sum: u64 = bytes.iter().map(|byte| u64::from(*byte)).sum();
        self.seen.push(format!("{} sum {sum}", words.join(" ")));
        Ok(true)
    }

    fn dump(&mut self, packet: &[u8], stream: &mut TcpStream) -> Result<bool> {
        /// Bytes of a write.
        const PART: usize = 1_446;
        let [from, size] = [word(packet, 6)? as usize, word(packet, 10)? as usize];
        let name = packet[14..].split(|byte| *byte == 0).next().unwrap_or_default();
        let name = std::str::from_utf8(name)?.strip_prefix("host:").context("a file not on our host")?;
        let (file, _) = ask(stream, 0xBABE_0111, &path_field(WRITE_AND_CREATE, name))?;
        ensure!(file > 0, "the dump's file does not open: {file}");
        let end = (from + size).min(self.memory.len());
        for part in self.memory.get(from..end).unwrap_or_default().chunks(PART) {
            let mut fields = file.to_be_bytes().to_vec();
            fields.extend((part.len() as u32).to_be_bytes());
            send(stream, 0xBABE_0141, &fields)?;
            stream.write_all(part)?;
            ensure!(answer(stream, 0xBABE_0142)?.0 == part.len() as i32, "a part of the dump was not written");
            if self.faults.breaks {
                stream.shutdown(Shutdown::Both)?;
                *stream = self.connection()?;
                return Ok(true);
            }
        }
        ensure!(ask(stream, 0xBABE_0121, &file.to_be_bytes())?.0 == 0, "the dump's file does not close");
        self.seen.push(format!("dump {size}"));
        Ok(true)
    }
}

/// The big-endian word at a place of a packet.
fn word(packet: &[u8], at: usize) -> Result<u32> {
    let bytes = packet.get(at..at + 4).context("half a command")?;
    Ok(u32::from_be_bytes(bytes.try_into()?))
}

fn send(stream: &mut TcpStream, number: u32, fields: &[u8]) -> Result<()> {
    let mut bytes = number.to_be_bytes().to_vec();
    bytes.extend((6 + fields.len() as u16).to_be_bytes());
    bytes.extend(fields);
    Ok(stream.write_all(&bytes)?)
}

/// An answer's number, and what lies behind it in the packet.
fn answer(stream: &mut TcpStream, number: u32) -> Result<(i32, Vec<u8>)> {
    let mut head = [0; 10];
    stream.read_exact(&mut head).context("no answer comes")?;
    ensure!(word(&head, 0)? == number, "{:08x} is no answer to {number:08x}", word(&head, 0)?);
    let length = usize::from(u16::from_be_bytes([head[4], head[5]]));
    let mut rest = vec![0; length.checked_sub(head.len()).context("half an answer")?];
    stream.read_exact(&mut rest)?;
    Ok((word(&head, 6)? as i32, rest))
}

fn ask(stream: &mut TcpStream, number: u32, fields: &[u8]) -> Result<(i32, Vec<u8>)> {
    send(stream, number, fields)?;
    answer(stream, number + 1)
}

fn path_field(flags: u32, path: &str) -> Vec<u8> {
    let mut fields = flags.to_be_bytes().to_vec();
    fields.extend(path.bytes());
    fields.resize(260, 0);
    fields
}

/// Reads a whole file as the console's loader does: its size first, then pieces.
fn load(stream: &mut TcpStream, name: &str) -> Result<Vec<u8>> {
    /// Bytes of a read.
    const PIECE: i32 = 100_000;
    let (file, _) = ask(stream, 0xBABE_0111, &path_field(READ, name))?;
    ensure!(file > 0, "{name} does not open: {file}");
    let fields = |words: &[i32]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<u8>>();
    let size = ask(stream, 0xBABE_0151, &fields(&[file, 0, 2]))?.0 as usize;
    ensure!(ask(stream, 0xBABE_0151, &fields(&[file, 0, 0]))?.0 == 0, "{name} does not rewind");
    let mut bytes = Vec::new();
    while bytes.len() < size {
        let (count, rest) = ask(stream, 0xBABE_0131, &fields(&[file, PIECE]))?;
        ensure!(count > 0 && rest == count.to_be_bytes(), "{name} ends early: {count}");
        let mut part = vec![0; count as usize];
        stream.read_exact(&mut part)?;
        bytes.extend(part);
    }
    ensure!(ask(stream, 0xBABE_0121, &file.to_be_bytes())?.0 == 0, "{name} does not close");
    Ok(bytes)
}
