//! `cargo xtask link` against the stand-in for the console, in a thread, on the loopback.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use xtask::link::stand_in::{Console, Faults};
use xtask::link::{self, Options, Outcome, Ports};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

struct Run {
    outcome: anyhow::Result<Outcome>,
    heard: String,
    said: Vec<String>,
    seen: Receiver<anyhow::Result<Vec<String>>>,
    _folder: tempfile::TempDir,
    file: std::path::PathBuf,
}

impl Run {
    fn seen(&self) -> Vec<String> {
        self.seen.recv_timeout(Duration::from_secs(5)).expect("the console did all of it").unwrap()
    }
}

/// Runs a session over a stand-in that does `goal` commands.
fn run(faults: Faults, goal: usize, set: impl FnOnce(&mut Options)) -> Run {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.elf"), vec![3; 250_000]).unwrap();
    let free = UdpSocket::bind((HERE, 0)).unwrap().local_addr().unwrap();
    let memory = (0..8_192_u32).map(|at| at as u8).collect();
    let any = Ports { files: 0, commands: 0, log: 0 };
    let console = Console::new(HERE, any, free, memory, faults).unwrap();
    let ports = console.ports().unwrap();
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
    let log = SocketAddr::new(HERE, ports.log);
    let memory = (0..8_192_u32).map(|at| at as u8).collect();
    let console = Console::new(THERE.into(), ports, log, memory, Faults::default()).unwrap();
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
    assert_eq!(served.join().unwrap().unwrap(), [format!("host:game.elf frames=3 sum {sum}"), "dump 5000".into()]);
    assert_eq!(std::fs::read(folder.path().join("code.bin")).unwrap().len(), 5_000);
}
