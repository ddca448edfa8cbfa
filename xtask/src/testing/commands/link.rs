//! The documentation's `cargo xtask link`, run beside a stand-in for the console.

use crate::context::Context;
use crate::link::stand_in::{Console, Faults};
use crate::link::{Dump, Ports};
use crate::process;
use anyhow::{Context as _, Result, anyhow, ensure};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// The stand-in's address, and the one at which its text is taken: both sides have the same port for it.
const CONSOLE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// How long the stand-in waits for a game that has to be built first.
const PATIENCE: Duration = Duration::from_secs(300);
/// How long to try for ports that another run of the tests has.
const BUSY: Duration = Duration::from_secs(20);

/// What a command asks of the console.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Asked {
    reset: bool,
    program: bool,
    dump: Option<Dump>,
}

impl Asked {
    fn of(words: &[String]) -> Result<Self> {
        let has = |name: &str| words.iter().any(|word| word == name);
        let dump = words.iter().skip_while(|word| *word != "--dump").nth(1);
        Ok(Self {
            reset: has("--reset"),
            program: !has("--no-program"),
            dump: dump.map(|words| words.parse()).transpose()?,
        })
    }

    /// Commands that reach the console.
    fn commands(&self) -> usize {
        usize::from(self.reset) + usize::from(self.program) + usize::from(self.dump.is_some())
    }
}

/// The words with the stand-in's address in place of the console's, and an end.
fn here(words: &[String]) -> Vec<String> {
    let mut words = words.to_vec();
    if let Some(at) = words.iter().position(|word| word == "--ip") {
        words.drain(at..(at + 2).min(words.len()));
    }
    let more = ["--ip", &CONSOLE.to_string(), "--listen", &HERE.to_string(), "--seconds", "1"].map(str::to_owned);
    words.extend(more);
    words
}

/// Runs the command and looks what the console was made to do.
///
/// # Errors
/// A command that fails, or a console that did something else than was asked.
pub(super) fn run(context: &Context, words: &[String]) -> Result<()> {
    let asked = Asked::of(words)?;
    let end = asked.dump.as_ref().map_or(0, |dump| dump.address + dump.size);
    let memory: Vec<u8> = (0..end).map(|at| (at / 3) as u8).collect();
    let console = console(&memory)?;
    let commands = asked.commands();
    let served = thread::spawn(move || console.serve(commands));
    // Dumps go to the folder in which one stands.
    let folder = context.target.join("tests/link");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut command = Command::new(process::own_program());
    let said = process::run(command.current_dir(&folder).args(here(words)), &words.join(" "))?;
    let seen = served.join().map_err(|_| anyhow!("the stand-in panicked"))??;
    println!("  the stand-in for the console tells: {}", seen.join(", "));
    let mut expected = Vec::new();
    expected.extend(asked.reset.then(|| "reset".to_owned()));
    if asked.program {
        let elf = std::fs::read(context.target.join("link/boardwalk.elf"))?;
        let sum: u64 = elf.iter().map(|byte| u64::from(*byte)).sum();
        ensure!(said.contains(&format!("loaded {} bytes", elf.len())), "the console's text did not arrive: {said}");
        expected.push(format!("host:boardwalk.elf sum {sum}"));
    }
    expected.extend(asked.dump.as_ref().map(|dump| format!("dump {}", dump.size)));
    ensure!(seen == expected, "the console did {seen:?} instead of {expected:?}");
    if let Some(dump) = &asked.dump {
        let path = folder.join(&dump.file);
        let dumped = std::fs::read(&path).with_context(|| format!("no {}", path.display()))?;
        ensure!(dumped == memory[dump.address as usize..], "{} is not the console's memory", path.display());
        std::fs::remove_file(path)?;
    }
    Ok(())
}

/// The stand-in at the protocol's own ports, of which a machine has one set an address.
fn console(memory: &[u8]) -> Result<Console> {
    let ports = Ports::default();
    let log = SocketAddr::new(HERE, ports.log);
    let begun = Instant::now();
    loop {
        match Console::new(CONSOLE, ports, log, memory.to_vec(), Faults::default()) {
            Ok(console) => return Ok(console.waiting(PATIENCE)),
            Err(error) if begun.elapsed() > BUSY => return Err(error),
            Err(_) => thread::sleep(Duration::from_millis(200)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_command_says_what_it_asks_of_the_console() {
        let reset = Asked::of(&words("link --ip 192.168.0.10 --reset")).unwrap();
        assert_eq!((reset.reset, reset.program, reset.commands()), (true, true, 2));
        let dump = Asked::of(&words("link --no-program --dump 0x100000:0x1000:code.bin")).unwrap();
        assert_eq!((dump.reset, dump.program, dump.commands()), (false, false, 1));
        assert_eq!(dump.dump.unwrap().address, 0x10_0000);
    }

    #[test]
    fn a_console_of_this_machine_takes_the_place_of_the_one_that_is_named() {
        let told = here(&words("link --ip 192.168.0.10 --reset"));
        assert_eq!(told.join(" "), "link --reset --ip 127.0.0.2 --listen 127.0.0.1 --seconds 1");
    }
}
