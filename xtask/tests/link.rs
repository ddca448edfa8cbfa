//! `cargo xtask link` against a stand-in for the console: a thread that speaks ps2link's side of the protocol from its
//! description, on the loopback, and can lose, delay and garble what a network may.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use xtask::link::{self, Options, Outcome, Ports};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const WRITE_AND_CREATE: u32 = 2 | 0x200;

/// What goes wrong on the way.
#[derive(Debug, Clone, Copy, Default)]
struct Faults {
    /// Commands that never arrive.
    lost: usize,
    /// Commands that are done one command late, as a packet that was overtaken.
    late: bool,
    /// Bytes sent in place of the first request.
    garbage: Option<&'static [u8]>,
    /// Every command arrives twice.
    twice: bool,
    /// Somebody else sends text to our port.
    stranger: bool,
    /// The console's text is lost.
    mute: bool,
    /// The connection breaks in the middle of a dump.
    breaks: bool,
}

/// The console's end.
struct Console {
    listener: Option<TcpListener>,
    commands: UdpSocket,
    log: SocketAddr,
    faults: Faults,
    running: bool,
    memory: Vec<u8>,
    seen: Vec<String>,
}

impl Console {
    fn connection(&mut self) -> TcpStream {
        let (stream, _) = self.listener.as_ref().expect("listening").accept().expect("somebody connects");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time-out");
        stream
    }

    /// Takes commands until `goal` of them are done.
    fn serve(mut self, goal: usize) -> Vec<String> {
        let mut stream = self.connection();
        if let Some(garbage) = self.faults.garbage {
            stream.write_all(garbage).expect("sent");
            // Whoever has read enough of it has closed the connection already.
            let _open = stream.shutdown(std::net::Shutdown::Write);
            stream = self.connection();
        }
        let mut held: Option<Vec<u8>> = None;
        let mut done = 0;
        let mut packet = [0; 1024];
        while done < goal {
            let length = self.commands.recv(&mut packet).expect("a command");
            if self.faults.lost > 0 {
                self.faults.lost -= 1;
                continue;
            }
            let arrived = packet[..length].to_vec();
            let now = if self.faults.late { held.replace(arrived) } else { Some(arrived) };
            let Some(command) = now else { continue };
            done += usize::from(self.obey(&command, &mut stream));
            if self.faults.twice {
                self.obey(&command, &mut stream);
            }
        }
        self.seen
    }

    fn say(&self, words: &str) {
        if self.faults.stranger {
            let stranger = UdpSocket::bind((Ipv4Addr::new(127, 0, 0, 2), 0)).expect("another address of this machine");
            stranger.send_to(b"not the console's", self.log).expect("text is sent");
        }
        if !self.faults.mute {
            self.commands.send_to(words.as_bytes(), self.log).expect("text is sent");
        }
    }

    /// Does a command; false when there was nothing to do.
    fn obey(&mut self, packet: &[u8], stream: &mut TcpStream) -> bool {
        assert_eq!(usize::from(u16::from_be_bytes([packet[4], packet[5]])), packet.len(), "the length says the length");
        match u32::from_be_bytes(packet[..4].try_into().unwrap()) {
            0xBABE_0201 => {
                assert_eq!(packet.len(), 6);
                let port = self.listener.take().expect("listening").local_addr().unwrap();
                *stream = {
                    // Nothing listens while it starts anew.
                    std::thread::sleep(Duration::from_millis(900));
                    self.listener = Some(TcpListener::bind(port).expect("the port is free again"));
                    self.connection()
                };
                self.running = false;
                self.seen.push("reset".into());
            }
            // Like ps2link: with a program there already, nothing happens.
            0xBABE_0203 if self.running => return false,
            0xBABE_0203 => {
                self.running = true;
                let count = u32::from_be_bytes(packet[6..10].try_into().unwrap()) as usize;
                let words: Vec<_> =
                    packet[10..].split(|byte| *byte == 0).take(count).map(String::from_utf8_lossy).collect();
                let name = words[0].strip_prefix("host:").expect("on our host");
                let bytes = load(stream, name);
                self.say(&format!("loaded {} bytes\n", bytes.len()));
                self.seen.push(format!("{} sum {}", words.join(" "), bytes.iter().map(|b| u64::from(*b)).sum::<u64>()));
            }
            0xBABE_0207 => {
                let [from, size] =
                    [6, 10].map(|at| u32::from_be_bytes(packet[at..at + 4].try_into().unwrap()) as usize);
                let end = packet[14..].iter().position(|byte| *byte == 0).unwrap();
                let name = std::str::from_utf8(&packet[14..14 + end]).unwrap().strip_prefix("host:").unwrap();
                let (file, _) = ask(stream, 0xBABE_0111, &path_field(WRITE_AND_CREATE, name));
                assert!(file > 0, "the dump's file opens: {file}");
                let bytes = &self.memory[from..(from + size).min(self.memory.len())];
                for part in bytes.chunks(1_446) {
                    let mut fields = file.to_be_bytes().to_vec();
                    fields.extend((part.len() as u32).to_be_bytes());
                    send(stream, 0xBABE_0141, &fields);
                    stream.write_all(part).expect("sent");
                    assert_eq!(answer(stream, 0xBABE_0142).0, part.len() as i32);
                    if self.faults.breaks {
                        stream.shutdown(std::net::Shutdown::Both).expect("broken");
                        *stream = self.connection();
                        return true;
                    }
                }
                assert_eq!(ask(stream, 0xBABE_0121, &file.to_be_bytes()).0, 0);
                self.seen.push(format!("dump {size}"));
            }
            other => panic!("no such command: {other:08x}"),
        }
        true
    }
}

fn send(stream: &mut TcpStream, number: u32, fields: &[u8]) {
    let mut bytes = number.to_be_bytes().to_vec();
    bytes.extend((6 + fields.len() as u16).to_be_bytes());
    bytes.extend(fields);
    stream.write_all(&bytes).expect("sent");
}

/// An answer's number, and what lies behind it in the packet.
fn answer(stream: &mut TcpStream, number: u32) -> (i32, Vec<u8>) {
    let mut head = [0; 10];
    stream.read_exact(&mut head).expect("an answer");
    assert_eq!(u32::from_be_bytes(head[..4].try_into().unwrap()), number);
    let mut rest = vec![0; usize::from(u16::from_be_bytes([head[4], head[5]])) - 10];
    stream.read_exact(&mut rest).expect("the rest");
    (i32::from_be_bytes(head[6..].try_into().unwrap()), rest)
}

fn ask(stream: &mut TcpStream, number: u32, fields: &[u8]) -> (i32, Vec<u8>) {
    send(stream, number, fields);
    answer(stream, number + 1)
}

fn path_field(flags: u32, path: &str) -> Vec<u8> {
    let mut fields = flags.to_be_bytes().to_vec();
    fields.extend(path.bytes());
    fields.resize(260, 0);
    fields
}

/// Reads a whole file as the console's loader does: its size first, then pieces.
fn load(stream: &mut TcpStream, name: &str) -> Vec<u8> {
    let (file, _) = ask(stream, 0xBABE_0111, &path_field(1, name));
    assert!(file > 0, "{name} opens: {file}");
    let seek = |stream: &mut TcpStream, whence: i32| {
        let fields: Vec<u8> = [file, 0, whence].iter().flat_map(|word| word.to_be_bytes()).collect();
        ask(stream, 0xBABE_0151, &fields).0
    };
    let size = seek(stream, 2) as usize;
    assert_eq!(seek(stream, 0), 0);
    let mut bytes = Vec::new();
    while bytes.len() < size {
        let fields: Vec<u8> = [file, 100_000].iter().flat_map(|word| word.to_be_bytes()).collect();
        let (count, rest) = ask(stream, 0xBABE_0131, &fields);
        assert!(count > 0 && rest == count.to_be_bytes());
        let mut part = vec![0; count as usize];
        stream.read_exact(&mut part).expect("the data");
        bytes.extend(part);
    }
    assert_eq!(ask(stream, 0xBABE_0121, &file.to_be_bytes()).0, 0);
    bytes
}

struct Run {
    outcome: anyhow::Result<Outcome>,
    heard: String,
    said: Vec<String>,
    seen: Receiver<Vec<String>>,
    _folder: tempfile::TempDir,
    file: std::path::PathBuf,
}

impl Run {
    fn seen(&self) -> Vec<String> {
        self.seen.recv_timeout(Duration::from_secs(5)).expect("the console did all of it")
    }
}

/// Runs a session over a stand-in that does `goal` commands.
fn run(faults: Faults, goal: usize, set: impl FnOnce(&mut Options)) -> Run {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.elf"), vec![3; 250_000]).unwrap();
    let listener = TcpListener::bind((HERE, 0)).unwrap();
    let commands = UdpSocket::bind((HERE, 0)).unwrap();
    let free = UdpSocket::bind((HERE, 0)).unwrap();
    let ports = Ports {
        files: listener.local_addr().unwrap().port(),
        commands: commands.local_addr().unwrap().port(),
        log: free.local_addr().unwrap().port(),
    };
    drop(free);
    let log = SocketAddr::new(HERE, ports.log);
    let memory = (0..8_192_u32).map(|at| at as u8).collect();
    let console = Console { listener: Some(listener), commands, log, faults, running: false, memory, seen: Vec::new() };
    let (sender, seen) = channel();
    std::thread::spawn(move || sender.send(console.serve(goal)));
    let mut options = Options {
        console: HERE,
        listen: HERE,
        ports,
        folder: folder.path().into(),
        reset: false,
        program: Vec::new(),
        dump: None,
        listening: Some(Duration::from_millis(200)),
        patience: Duration::from_secs(2),
    };
    set(&mut options);
    let (mut heard, mut said) = (String::new(), Vec::new());
    let outcome = link::run(&options, |text| heard.push_str(text), |words| said.push(words.to_owned()));
    Run { outcome, heard, said, seen, file: folder.path().join("memory.bin"), _folder: folder }
}

fn game(options: &mut Options) {
    options.program = vec!["game.elf".into(), "frames=3".into()];
}

const LOADED: &str = "host:game.elf frames=3 sum 750000";

#[test]
fn a_program_is_loaded_with_its_arguments_and_heard() {
    let run = run(Faults::default(), 1, game);
    assert_eq!(run.outcome.as_ref().unwrap(), &Outcome::default());
    assert_eq!(run.seen(), [LOADED]);
    assert_eq!(run.heard, "loaded 250000 bytes\n");
}

#[test]
fn commands_that_the_network_loses_are_sent_again() {
    let run = run(Faults { lost: 2, ..Faults::default() }, 1, game);
    assert_eq!(run.outcome.as_ref().unwrap().repeated, 2);
    assert_eq!(run.seen(), [LOADED]);
}

#[test]
fn a_command_that_is_overtaken_does_no_harm() {
    let run = run(Faults { late: true, ..Faults::default() }, 1, game);
    assert_eq!(run.outcome.as_ref().unwrap().repeated, 1);
    assert_eq!(run.seen(), [LOADED]);
}

#[test]
fn a_reset_is_waited_for_before_the_program_is_sent() {
    let run = run(Faults::default(), 2, |options| {
        options.reset = true;
        game(options);
    });
    assert_eq!(run.outcome.as_ref().unwrap().repeated, 0, "{:?}", run.said);
    assert_eq!(run.seen(), ["reset", LOADED]);
}

#[test]
fn a_reset_that_was_lost_is_noticed() {
    let lost = Faults { lost: 1, ..Faults::default() };
    let run = run(lost, 1, |options| {
        options.reset = true;
        options.listening = None;
    });
    // The stand-in takes one connection at a time, so the one made anew waits in the listener's queue until the reset.
    assert_eq!(run.outcome.as_ref().unwrap().repeated, 1, "{:?}", run.said);
    assert_eq!(run.seen(), ["reset"]);
}

#[test]
fn memory_is_dumped_into_the_folder_and_nothing_of_an_older_dump_stays() {
    let run = run(Faults::default(), 1, |options| {
        options.listening = None;
        std::fs::write(options.folder.join("memory.bin"), vec![9; 20_000]).unwrap();
        options.dump = Some("0x100:5000:memory.bin".parse().unwrap());
    });
    assert_eq!(run.outcome.as_ref().unwrap().dumped, 5_000);
    assert_eq!(run.seen(), ["dump 5000"]);
    let bytes = std::fs::read(&run.file).unwrap();
    assert!(bytes.len() == 5_000 && bytes.iter().enumerate().all(|(at, byte)| *byte == at as u8));
}

#[test]
fn a_dump_that_ends_early_is_an_error() {
    let run = run(Faults::default(), 1, |options| options.dump = Some("8000:5000:memory.bin".parse().unwrap()));
    let error = run.outcome.as_ref().unwrap_err().to_string();
    assert!(error.contains("192 of 5000"), "{error}");
}

#[test]
fn garbage_ends_a_connection_and_not_the_session() {
    let hostile: [&'static [u8]; 6] = [
        b"GET / HTTP/1.0\r\n\r\n",
        // A read whose length is wrong, an open without its path's end, half a header, half a request.
        &[0xBA, 0xBE, 1, 0x31, 0xFF, 0xFF],
        &[0xBA, 0xBE, 1, 0xC1, 1, 6],
        &[0xBA, 0xBE, 1],
        &[0xBA, 0xBE, 1, 0x31, 0, 14, 0, 0],
        // A write of 4 GB.
        &[0xBA, 0xBE, 1, 0x41, 0, 14, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF],
    ];
    for garbage in hostile {
        let run = run(Faults { garbage: Some(garbage), ..Faults::default() }, 1, game);
        assert!(run.outcome.is_ok(), "{garbage:?}: {:?}", run.outcome);
        assert_eq!(run.seen(), [LOADED]);
        assert!(run.said.iter().any(|words| words.contains("connecting anew")), "{garbage:?}: {:?}", run.said);
    }
}

/// What the network may do without the program's start failing.
const SURVIVED: [(&str, Faults); 7] = {
    const NONE: Faults =
        Faults { lost: 0, late: false, garbage: None, twice: false, stranger: false, mute: false, breaks: false };
    [
        ("nothing", NONE),
        ("a command is lost", Faults { lost: 1, ..NONE }),
        ("four commands are lost", Faults { lost: 4, ..NONE }),
        ("a command is overtaken", Faults { late: true, ..NONE }),
        ("every command comes twice", Faults { twice: true, ..NONE }),
        ("somebody else talks to our port", Faults { stranger: true, ..NONE }),
        ("the console's text is lost", Faults { mute: true, ..NONE }),
    ]
};

#[test]
fn what_the_network_does_to_commands_and_text_is_survived() {
    for (name, faults) in SURVIVED {
        let run = run(faults, 1, game);
        assert!(run.outcome.is_ok(), "{name}: {:?}", run.outcome);
        assert_eq!(run.seen(), [LOADED], "{name}");
        assert_eq!(run.heard, if faults.mute { "" } else { "loaded 250000 bytes\n" }, "{name}");
    }
    println!(
        "{} faults of commands and text survived, 6 kinds of garbage and a broken dump beside",
        SURVIVED.len() - 1
    );
}

#[test]
fn a_dump_whose_connection_breaks_is_an_error_and_no_short_file_taken_for_one() {
    let begun = Instant::now();
    let run = run(Faults { breaks: true, ..Faults::default() }, 1, |options| {
        options.dump = Some("0x100:5000:memory.bin".parse().unwrap());
    });
    let error = run.outcome.as_ref().unwrap_err().to_string();
    assert!(begun.elapsed() < Duration::from_secs(10), "{error}");
    assert!(error.contains("1446 of 5000") || error.contains("does not end"), "{error}");
}

#[test]
fn a_console_that_is_not_there_is_an_error_with_advice() {
    let begun = Instant::now();
    let run = run(Faults::default(), 0, |options| {
        options.ports.files = 1;
        options.patience = Duration::from_millis(300);
        game(options);
    });
    let error = run.outcome.as_ref().unwrap_err().to_string();
    assert!(error.contains("no ps2link answers") && begun.elapsed() < Duration::from_secs(5), "{error}");
}

#[test]
fn a_deaf_console_is_told_from_one_that_works() {
    let run = run(Faults { lost: 99, ..Faults::default() }, 1, |options| {
        options.patience = Duration::from_millis(500);
        game(options);
    });
    let error = run.outcome.as_ref().unwrap_err().to_string();
    assert!(error.contains("does not answer") && error.contains("--reset"), "{error}");
}

/// The command as a person types it, with the protocol's own ports; the stand-in has another of this machine's addresses.
#[test]
fn the_command_runs_a_program_and_dumps_memory() {
    const THERE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("game.elf");
    let mut bytes = vec![3; 250_000];
    bytes[..6].copy_from_slice(b"\x7fELF\x01\x01");
    bytes[18..20].copy_from_slice(&[8, 0]);
    let sum: u64 = bytes.iter().map(|byte| u64::from(*byte)).sum();
    std::fs::write(&program, bytes).unwrap();
    let ports = Ports::default();
    let console = Console {
        listener: Some(TcpListener::bind((THERE, ports.files)).unwrap()),
        commands: UdpSocket::bind((THERE, ports.commands)).unwrap(),
        log: SocketAddr::new(HERE, ports.log),
        faults: Faults::default(),
        running: false,
        memory: (0..8_192_u32).map(|at| at as u8).collect(),
        seen: Vec::new(),
    };
    let served = std::thread::spawn(move || console.serve(2));
    let mut link = std::process::Command::new(env!("CARGO_BIN_EXE_xtask"));
    link.args([
        "link",
        "--ip",
        "127.0.0.2",
        "--listen",
        "127.0.0.1",
        "--seconds",
        "1",
        "--dump",
        "0x100:5000:code.bin",
    ]);
    let output = link.arg("--elf").arg(&program).args(["--", "frames=3"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "loaded 250000 bytes\n", "{told}");
    assert_eq!(served.join().unwrap(), [format!("host:game.elf frames=3 sum {sum}"), "dump 5000".into()]);
    assert_eq!(std::fs::read(folder.path().join("code.bin")).unwrap().len(), 5_000);
}
