//! A display: the person's own, or a virtual one that lives as long as its owner.

use crate::process::{Job, POLL, check_interrupted};
use crate::setup::Headless;
use anyhow::{Context as _, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Size of the virtual screen, pixels; room for the largest picture of a console.
const SCREEN: &str = "1024x768x24";
/// How long the X server may take to be ready.
const READY: Duration = Duration::from_secs(20);

/// A running virtual display.
#[derive(Debug)]
pub struct VirtualDisplay {
    job: Job,
    /// Its name for `DISPLAY`.
    pub name: String,
}

impl VirtualDisplay {
    /// Starts an X server on the first free display number, which the server itself looks for.
    pub fn start(headless: &Headless) -> Result<Self> {
        let mut command = Command::new(&headless.xvfb);
        command.args(["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.env_remove("LIBGL_DRIVERS_PATH").env_remove("LD_LIBRARY_PATH");
        let mut job = Job::start(&mut command)?;
        let output = job.child().stdout.take().context("Xvfb has no output")?;
        let (sender, number) = channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            let read = BufReader::new(output).read_line(&mut line);
            // Nobody waits any more when the start was given up.
            let _ = sender.send(read.map(|_| line));
        });
        let started = Instant::now();
        loop {
            check_interrupted()?;
            match number.recv_timeout(POLL) {
                Ok(line) => {
                    let line = line.context("Xvfb's output cannot be read")?;
                    let number: u32 =
                        line.trim().parse().ok().context("Xvfb did not start; try it by hand: Xvfb -displayfd 1")?;
                    return Ok(Self { job, name: format!(":{number}") });
                }
                Err(RecvTimeoutError::Timeout) if started.elapsed() < READY => {}
                Err(_) => bail!("Xvfb was not ready after {} s", READY.as_secs()),
            }
        }
    }

    /// The server's process group.
    pub fn group(&self) -> u32 {
        self.job.group()
    }
}

/// The person's display, if the environment names one. PCSX2 1.6 is an X program; Wayland desktops serve it by XWayland, which sets this too.
pub fn own_display() -> Option<String> {
    std::env::var("DISPLAY").ok().filter(|name| !name.is_empty())
}
