//! Child processes that never outlive their purpose: each in a process group of its own, stopped when its owner goes, with
//! Ctrl-C and SIGTERM turned into an error that unwinds through every guard.

use crate::progress::Progress;
use anyhow::{Context as _, Result, bail};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often waiting loops look at their child and at [`check_interrupted`].
pub const POLL: Duration = Duration::from_millis(20);
/// How long a child may take to end after SIGTERM before it gets SIGKILL.
pub const GRACE: Duration = Duration::from_secs(5);
/// Exit status of a program that Ctrl-C ended, by the shells' convention.
pub const EXIT_INTERRUPTED: i32 = 130;
/// How long something may take before it is worth a line.
const A_WHILE: Duration = Duration::from_secs(2);
/// Lines of a failed child's error output that are shown.
const TAIL_LINES: usize = 12;

/// Set by the signal handler, the only thing it may safely do besides exiting.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static HANDLER: OnceLock<Result<(), String>> = OnceLock::new();

/// Turns the first Ctrl-C, SIGTERM or SIGHUP into an error of [`check_interrupted`]; the second one ends the program at once.
/// May be called any number of times.
pub fn watch_interrupts() -> Result<()> {
    let installed = HANDLER.get_or_init(|| {
        ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::SeqCst) {
                std::process::exit(EXIT_INTERRUPTED);
            }
        })
        .map_err(|error| error.to_string())
    });
    installed.clone().map_err(|error| anyhow::anyhow!("cannot watch for Ctrl-C: {error}"))
}

/// An error once the person (or the system) has asked the program to end.
pub fn check_interrupted() -> Result<()> {
    if INTERRUPTED.load(Ordering::SeqCst) {
        bail!("interrupted");
    }
    Ok(())
}

/// Whether the person has asked the program to end.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Does some last work after the person has asked the program to end, which stays asked. Asking once more ends the work too.
pub fn after_interruption<T>(work: impl FnOnce() -> T) -> T {
    INTERRUPTED.store(false, Ordering::SeqCst);
    let done = work();
    INTERRUPTED.store(true, Ordering::SeqCst);
    done
}

/// Looks for an executable on `PATH`, or takes `name` itself when it is a path.
pub fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return is_executable(Path::new(name)).then(|| PathBuf::from(name));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_executable(file))
}

/// Whether `file` is a file with an execute bit.
pub fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// A running child that leads a process group; dropping it stops the whole group.
#[derive(Debug)]
pub struct Job {
    child: Child,
    ended: Option<ExitStatus>,
}

impl Job {
    /// Starts `command` in a new process group, so that a terminal's Ctrl-C reaches only us.
    pub fn start(command: &mut Command) -> Result<Self> {
        let program = command.get_program().to_owned();
        let child = command
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start {}", Path::new(&program).display()))?;
        Ok(Self { child, ended: None })
    }

    /// The group's number, which is also the child's process number.
    pub fn group(&self) -> u32 {
        self.child.id()
    }

    /// The child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// The status, once the child has ended.
    pub fn poll(&mut self) -> Result<Option<ExitStatus>> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait()?;
        }
        Ok(self.ended)
    }

    /// Asks the group to end, makes it end after [`GRACE`], and collects the child. Says whether asking was enough.
    pub fn stop(&mut self) -> bool {
        if self.ended.is_some() {
            return true;
        }
        self.signal(Signal::SIGTERM);
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
            match self.poll() {
                Ok(None) => std::thread::sleep(POLL),
                _ => return true,
            }
        }
        self.signal(Signal::SIGKILL);
        self.ended = self.child.wait().ok();
        false
    }

    fn signal(&self, signal: Signal) {
        if let Ok(group) = i32::try_from(self.group()) {
            // The only failure that can happen to one's own children is that none is left, which is what is wanted.
            let _ = killpg(Pid::from_raw(group), signal);
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Runs `command` to its end and prints those lines of its error output that are worth `keep`ing. Says `what` is being done when
/// that takes a while.
pub fn run_filtered(command: &mut Command, what: &str, keep: impl Fn(&str) -> bool + Send + 'static) -> Result<()> {
    let mut job = Job::start(command.stdin(Stdio::null()).stderr(Stdio::piped())).with_context(|| what.to_owned())?;
    let errors = job.child().stderr.take().with_context(|| format!("{what}: no pipe"))?;
    let printer = std::thread::spawn(move || {
        for line in BufReader::new(errors).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            if keep(&line) {
                eprintln!("{line}");
            }
        }
    });
    let mut progress = None;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = job.poll()? {
            break status;
        }
        check_interrupted().with_context(|| what.to_owned())?;
        if progress.is_none() && begun.elapsed() > A_WHILE {
            progress = Some(Progress::new(what, 0));
        }
        std::thread::sleep(POLL);
    };
    if let Some(progress) = progress {
        progress.finish(if status.success() { "done" } else { "failed" });
    }
    // The pipe is closed, so the printer has come to its end or will at once.
    let _ = printer.join();
    if status.success() { Ok(()) } else { Err(anyhow::anyhow!("{what} failed ({status})")) }
}

/// Waits for a child under the eye of Ctrl-C.
fn wait(job: &mut Job, what: &str) -> Result<ExitStatus> {
    loop {
        if let Some(status) = job.poll()? {
            return Ok(status);
        }
        check_interrupted().with_context(|| what.to_owned())?;
        std::thread::sleep(POLL);
    }
}

/// Runs `command` to its end and returns its standard output. `what` names the step in errors.
pub fn run(command: &mut Command, what: &str) -> Result<String> {
    let mut text = String::new();
    run_lines(command, what, |line| {
        text.push_str(line);
        text.push('\n');
    })?;
    Ok(text)
}

/// Runs `command` to its end and hands over its standard output line by line. A failure's error carries the last lines of its
/// error output.
pub fn run_lines(command: &mut Command, what: &str, mut each: impl FnMut(&str)) -> Result<()> {
    let mut job = Job::start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))
        .with_context(|| what.to_owned())?;
    let (output, errors) = match (job.child().stdout.take(), job.child().stderr.take()) {
        (Some(output), Some(errors)) => (output, errors),
        _ => bail!("{what}: no pipes"),
    };
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = BufReader::new(errors).read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    loop {
        check_interrupted().with_context(|| what.to_owned())?;
        match lines.recv_timeout(POLL) {
            Ok(line) => each(&line),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    // Output is closed; a child that lingers on is still under the eye of Ctrl-C.
    let status = wait(&mut job, what)?;
    if status.success() {
        return Ok(());
    }
    let text = errors.join().unwrap_or_default();
    bail!("{what} failed ({status})\n{}", tail(&text, TAIL_LINES));
}

/// The last `count` lines of `text`.
pub fn tail(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

/// What starts this very program once more, also when a build has meanwhile put another one in its place.
pub fn own_program() -> &'static Path {
    // The kernel's own link to the file that runs, whatever its name is by now.
    Path::new("/proc/self/exe")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_arrives_line_by_line_and_errors_are_told() {
        assert_eq!(run(&mut shell("echo a; echo b"), "echo").unwrap(), "a\nb\n");
        let error = run(&mut shell("echo no such disk >&2; exit 3"), "burning").unwrap_err().to_string();
        assert!(error.contains("burning failed") && error.contains("no such disk"), "{error}");
    }

    #[test]
    fn a_filtered_programs_failure_is_still_one() {
        assert!(run_filtered(&mut shell("echo noise >&2"), "humming", |line| line != "noise").is_ok());
        let error = run_filtered(&mut shell("echo noise >&2; exit 4"), "humming", |_| false).unwrap_err().to_string();
        assert!(error.contains("humming failed"), "{error}");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = format!("{:#}", run(&mut Command::new("/nowhere/at-all"), "looking").unwrap_err());
        assert!(error.contains("/nowhere/at-all"), "{error}");
    }

    #[test]
    fn dropping_a_job_stops_its_grandchildren_too() {
        let mut job = Job::start(shell("sleep 60 & echo $!; wait").stdout(Stdio::piped())).expect("a shell starts");
        let mut line = String::new();
        BufReader::new(job.child().stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let grandchild = Path::new("/proc").join(line.trim());
        assert!(grandchild.exists());
        drop(job);
        let waited = Instant::now();
        // A reaped process is gone; one that init has yet to collect is a zombie without memory.
        while grandchild.join("exe").read_link().is_ok() && waited.elapsed() < GRACE {
            std::thread::sleep(POLL);
        }
        assert!(grandchild.join("exe").read_link().is_err());
    }

    #[test]
    fn programs_are_found_on_the_path_only_when_executable() {
        assert!(find_program("sh").is_some());
        assert!(find_program("no-such-program-here").is_none());
        assert!(find_program("/etc/passwd").is_none());
    }

    #[test]
    fn this_program_can_be_started_once_more() {
        let mut command = Command::new(own_program());
        let names = run(command.args(["--list", "--exact", "process::tests::tails_keep_the_last_lines"]), "listing");
        assert_eq!(names.unwrap().lines().next(), Some("process::tests::tails_keep_the_last_lines: test"));
    }

    #[test]
    fn tails_keep_the_last_lines() {
        assert_eq!(tail("a\n\nb\nc\n", 2), "b\nc");
        assert_eq!(tail("", 2), "");
    }
}
