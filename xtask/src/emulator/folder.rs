//! A run's own folder and the guardian that removes it, with every process of the run, when this program dies without doing so itself.
//!
//! The guardian is a shell that reads a pipe of which only this program holds the other end. While the run goes well it is told the process
//! groups of the run, and at the end that all is done. If the pipe just ends, by a crash or a `kill -9`, it stops the groups and removes the folder.

use anyhow::{Context as _, Result};
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts the runs of this process, for the folders' names.
static RUNS: AtomicU32 = AtomicU32::new(0);

/// Name of the file whose lock says that a folder is in use.
const LOCK: &str = "in-use";

const GUARDIAN: &str = r#"
trap '' INT HUP TERM
groups=
while read -r word value; do
    case $word in
        group) groups="$groups $value" ;;
        done) exit 0 ;;
    esac
done
for group in $groups; do kill -s TERM -- "-$group"; done
tries=0
while [ $tries -lt 50 ]; do
    alive=
    for group in $groups; do
        # A dead leader that nobody collects is still there by name only.
        [ -r "/proc/$group/stat" ] && read -r state < "/proc/$group/stat" && case $state in *") Z "*) ;; *) alive=1 ;; esac
    done
    [ -z "$alive" ] && break
    sleep 0.1
    tries=$((tries + 1))
done
for group in $groups; do kill -s KILL -- "-$group"; done
rm -rf -- "$1"
"#;

/// The folder of one run. Dropping it removes it.
#[derive(Debug)]
pub struct RunFolder {
    /// The folder.
    pub path: PathBuf,
    guardian: Child,
    orders: Option<ChildStdin>,
    _lock: File,
}

impl RunFolder {
    /// Makes a folder below `parent` and sets its guardian. Folders that a dead machine left behind are removed on the way.
    pub fn new(parent: &Path) -> Result<Self> {
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        sweep(parent);
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{}-{number}", std::process::id()));
        // Its final name comes with the lock, so that no other run's sweep finds it unlocked.
        let unlocked = parent.join(format!(".{}-{number}", std::process::id()));
        fs::create_dir(&unlocked).with_context(|| format!("cannot make {}", unlocked.display()))?;
        let lock = File::create(unlocked.join(LOCK))?;
        lock.lock()?;
        fs::rename(&unlocked, &path)?;
        let mut guardian = Command::new("/bin/sh")
            .args(["-c", GUARDIAN, "guardian"])
            .arg(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir("/")
            .process_group(0)
            .spawn()
            .context("cannot start /bin/sh")?;
        let orders = guardian.stdin.take();
        Ok(Self { path, guardian, orders, _lock: lock })
    }

    /// Puts a process group into the guardian's care.
    pub fn guard(&mut self, group: u32) -> Result<()> {
        let orders = self.orders.as_mut().context("the guardian is gone")?;
        writeln!(orders, "group {group}").context("the guardian does not listen")
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // A failure here leaves the folder to the guardian, which tries again, or to the next run's sweep.
        if let (Ok(()), Some(orders)) = (fs::remove_dir_all(&self.path), &mut self.orders) {
            let _ = writeln!(orders, "done");
        }
        self.orders = None;
        let _ = self.guardian.wait();
    }
}

/// Removes folders that nobody uses: their lock can be had. Those with a dot are just being made.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for folder in entries.flatten().filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b".")) {
        let folder = folder.path();
        let free = File::open(folder.join(LOCK)).is_ok_and(|file| file.try_lock().is_ok());
        if free {
            // Left for the next run when it does not work.
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{GRACE, Job, POLL};
    use std::time::Instant;

    fn wait_until(mut done: impl FnMut() -> bool) -> bool {
        let started = Instant::now();
        while !done() && started.elapsed() < 2 * GRACE {
            std::thread::sleep(POLL);
        }
        done()
    }

    #[test]
    fn a_finished_run_leaves_no_folder() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path()).unwrap();
        let path = folder.path.clone();
        assert!(path.is_dir());
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn the_guardian_cleans_up_after_a_sudden_death() {
        let parent = tempfile::tempdir().unwrap();
        let mut folder = RunFolder::new(parent.path()).unwrap();
        let mut job = Job::start(Command::new("sleep").arg("60")).unwrap();
        folder.guard(job.group()).unwrap();
        // The pipe ends as it does when the program dies.
        folder.orders = None;
        assert!(wait_until(|| job.poll().unwrap().is_some()), "the guarded process was stopped");
        assert!(wait_until(|| !folder.path.exists()), "the folder was removed");
    }

    #[test]
    fn only_folders_that_nobody_uses_are_swept() {
        let parent = tempfile::tempdir().unwrap();
        let used = RunFolder::new(parent.path()).unwrap();
        let left = parent.path().join("1-1");
        fs::create_dir(&left).unwrap();
        fs::write(left.join(LOCK), "").unwrap();
        let fresh = parent.path().join(".1-2");
        fs::create_dir(&fresh).unwrap();
        fs::write(fresh.join(LOCK), "").unwrap();
        sweep(parent.path());
        assert!(used.path.exists() && fresh.exists() && !left.exists());
    }
}
