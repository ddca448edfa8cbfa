//! PCSX2 1.6 and all it needs, unpacked from Debian's i386 packages into the user's cache folder. No root rights, no foreign
//! architecture on the host and no package scripts: the tree is run through its own loader.
//!
//! Downloads and unpacked files are gathered in a folder beside the tree's place. It is renamed when it is whole, so that a tree
//! that is there is a good one; what an interrupted run downloaded is used again.

use super::apt;
use crate::context::Context;
use crate::process::{self, POLL, check_interrupted, run, run_lines};
use crate::progress::{Progress, say};
use anyhow::{Context as _, Result, bail};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The unpacked emulator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmulatorTree {
    /// The tree's top folder.
    pub root: PathBuf,
}

/// Folder names that the packages of Debian's i386 use.
const LIBRARIES: &str = "i386-linux-gnu";
/// Everything that is asked for by name; `libgl1` is only recommended by what needs it.
const PACKAGES: [&str; 4] = ["pcsx2", "libgl1", "libgl1-mesa-dri", "xdotool"];
/// The tree's name. The number counts changes of the recipe below, so that an old tree is made anew.
const NAME: &str = "pcsx2-1.6.0-1";
/// The program loader of the tree's programs.
const LOADER: &str = "lib/ld-linux.so.2";
/// The plugin that draws the picture.
const PICTURE_PLUGIN: &str = "libGSdx.so";
/// Written last into a whole tree.
const STAMP: &str = "boardwalk-tree";

impl EmulatorTree {
    /// The emulator program, to be started by [`EmulatorTree::command`].
    pub fn pcsx2(&self) -> PathBuf {
        self.root.join("usr/games/PCSX2")
    }

    /// The folder of the emulator's plugins.
    pub fn plugins(&self) -> PathBuf {
        self.root.join("usr/lib").join(LIBRARIES).join("pcsx2")
    }

    /// The emulator's database of games, whose fixes apply to every disc with one of its serials.
    pub fn game_database(&self) -> PathBuf {
        self.root.join("usr/share/games/pcsx2/GameIndex.dbf")
    }

    /// A call of a program of the tree through the tree's own loader.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = self.loader();
        command.arg(program);
        command
    }

    fn loader(&self) -> Command {
        let libraries = ["lib", "usr/lib"].map(|folder| self.root.join(folder).join(LIBRARIES));
        // PCSX2's sound plugin is linked against a library of that folder by an absolute path that does not hold here.
        let search =
            [&libraries[0], &libraries[1], &libraries[1].join("pulseaudio")].map(|path| path.display().to_string());
        let mut command = Command::new(self.root.join(LOADER));
        command.arg("--library-path").arg(search.join(":"));
        command.env_remove("LD_LIBRARY_PATH").env_remove("LD_PRELOAD");
        command
    }

    /// A call of `xdotool`.
    pub fn xdotool(&self) -> Command {
        self.command(&self.root.join("usr/bin/xdotool"))
    }

    /// Mesa's software drivers. Only the emulator may be told of them: a host X server would lose its own.
    pub fn drivers(&self) -> PathBuf {
        self.root.join("usr/lib").join(LIBRARIES).join("dri")
    }

    /// Whether the tree is whole.
    fn ready(&self) -> bool {
        // The stamp says that it was; a few files without which nothing starts say that it still is.
        let kept = [self.root.join(LOADER), self.pcsx2(), self.plugins().join(PICTURE_PLUGIN), self.drivers()];
        fs::read_to_string(self.root.join(STAMP)).is_ok_and(|text| text == NAME)
            && kept.iter().all(|path| path.exists())
    }
}

/// The emulator's tree, made when it is not there.
pub fn emulator(context: &Context) -> Result<EmulatorTree> {
    let tree = EmulatorTree { root: context.cache.join(NAME) };
    if tree.ready() {
        return Ok(tree);
    }
    if !cfg!(any(target_arch = "x86_64", target_arch = "x86")) || !cfg!(target_os = "linux") {
        bail!("PCSX2 1.6 runs on x86 Linux only; give your own emulator with --pcsx2 PATH --bios FILE");
    }
    fs::create_dir_all(&context.cache).with_context(|| format!("cannot make {}", context.cache.display()))?;
    let _lock = lock(&context.cache.join("setup.lock"))?;
    if tree.ready() {
        return Ok(tree);
    }
    make(&context.cache, &tree).map_err(|error| match process::interrupted() {
        true => error,
        false => error.context(format!(
            "the emulator could not be set up in {}; with the network in order, try again",
            context.cache.display()
        )),
    })?;
    Ok(tree)
}

/// Waits until no other run sets up. The lock goes with the file's handle, however the run ends.
fn lock(path: &Path) -> Result<File> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut told = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error).context(format!("cannot lock {}", path.display())),
        }
        if !told {
            say("Waiting for another run that is setting up ...");
            told = true;
        }
        check_interrupted()?;
        std::thread::sleep(POLL);
    }
}

/// Makes the tree. The caller holds the lock.
fn make(cache: &Path, tree: &EmulatorTree) -> Result<()> {
    process::watch_interrupts()?;
    let work = cache.join(format!("{NAME}.partial"));
    let (downloads, unpacked) = (work.join("apt"), work.join("tree"));
    remove(&unpacked)?;
    let archives = download(&downloads)?;
    unpack(&archives, &unpacked)?;
    // Programs of the tree that call a shell look for it there; the packages leave that name to a script.
    if unpacked.join("bin/dash").exists() && !unpacked.join("bin/sh").exists() {
        std::os::unix::fs::symlink("dash", unpacked.join("bin/sh"))?;
    }
    let made = EmulatorTree { root: unpacked.clone() };
    if !made.pcsx2().is_file() || !made.plugins().is_dir() {
        bail!("the packages hold no PCSX2");
    }
    let libraries = run(made.loader().arg("--list").arg(made.pcsx2()), "trying the emulator's loader").context(
        "this machine may not run 32-bit x86 programs; give your own emulator with --pcsx2 PATH --bios FILE",
    )?;
    if let Some(missing) = libraries.lines().find(|line| line.contains("not found")) {
        bail!("the unpacked emulator lacks a library: {}", missing.trim());
    }
    fs::write(unpacked.join(STAMP), NAME)?;
    remove(&tree.root)?;
    fs::rename(&unpacked, &tree.root)?;
    remove(&work)
}

/// Downloads the packages with an apt of our own state, and returns the files.
fn download(folder: &Path) -> Result<Vec<PathBuf>> {
    let archive = apt::debian_archive()?;
    let keyring = apt::debian_keyring()?;
    let archives = folder.join("cache/archives");
    for part in ["state/lists/partial", "cache/archives/partial", "preferences.d"] {
        fs::create_dir_all(folder.join(part))?;
    }
    let source = format!("deb [arch=i386 signed-by={}] {archive} {} main\n", keyring.display(), apt::EMULATOR_RELEASE);
    fs::write(folder.join("sources.list"), source)?;
    fs::write(folder.join("status"), "")?;
    let configuration = folder.join("apt.conf");
    fs::write(&configuration, apt_configuration(folder))?;
    let apt_get = || {
        let mut command = Command::new("apt-get");
        command.arg("-q").env("APT_CONFIG", &configuration).env("LC_ALL", "C.UTF-8");
        command
    };
    // Without this, apt takes a list that it could not fetch for an empty one.
    run(apt_get().args(["update", "-o", "APT::Update::Error-Mode=any"]), "reading the emulator's package list")?;
    let mut progress = Progress::new("Downloading the emulator", 100);
    let mut install = apt_get();
    install.args(["-y", "--download-only", "-o", apt::STATUS_TO_STDOUT, "install"]).args(PACKAGES);
    run_lines(&mut install, "downloading the emulator", |line| {
        if let Some((percent, what)) = apt::status(line) {
            progress.set(percent);
            progress.detail(what);
        }
    })?;
    let mut files: Vec<PathBuf> = fs::read_dir(&archives)?
        .map(|entry| Ok(entry?.path()))
        .filter(|path: &Result<PathBuf>| {
            path.as_ref().map_or(true, |path| path.extension().is_some_and(|name| name == "deb"))
        })
        .collect::<Result<_>>()?;
    files.sort();
    progress.finish(&format!("{} packages", files.len()));
    Ok(files)
}

/// Settings for an apt that knows nothing of the host's packages. The host's own settings are read first, so its proxies stay in force.
fn apt_configuration(folder: &Path) -> String {
    let at = folder.display();
    format!(
        "Dir::State \"{at}/state\";\nDir::State::status \"{at}/status\";\nDir::Cache \"{at}/cache\";\n\
         Dir::Etc::sourcelist \"{at}/sources.list\";\nDir::Etc::sourceparts \"-\";\nDir::Etc::preferences \"-\";\n\
         Dir::Etc::preferencesparts \"{at}/preferences.d\";\nDir::Log \"{at}\";\n\
         APT::Architecture \"i386\";\nAPT::Architectures {{ \"i386\"; }};\nAPT::Install-Recommends \"false\";\n\
         APT::Sandbox::User \"\";\nAPT::Get::List-Cleanup \"false\";\nAcquire::Languages \"none\";\nAcquire::Retries \"3\";\n\
         Acquire::IndexTargets::deb::DEP-11::DefaultEnabled \"false\";\nDebug::NoLocking \"true\";\n"
    )
}

/// Unpacks every package into `root`, several at a time.
fn unpack(archives: &[PathBuf], root: &Path) -> Result<()> {
    fs::create_dir_all(root)?;
    let progress = Mutex::new(Progress::new("Unpacking the emulator", archives.len() as u64));
    let next = AtomicUsize::new(0);
    let worker = || -> Result<()> {
        while let Some(archive) = archives.get(next.fetch_add(1, Ordering::Relaxed)) {
            run(Command::new("dpkg-deb").arg("-x").arg(archive).arg(root), "dpkg-deb")
                .with_context(|| format!("cannot unpack {}", archive.display()))?;
            if let Ok(mut progress) = progress.lock() {
                progress.set(next.load(Ordering::Relaxed).min(archives.len()) as u64);
            }
        }
        Ok(())
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        running
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("an unpacking thread panicked")))
    })?;
    if let Ok(progress) = progress.into_inner() {
        progress.finish("done");
    }
    Ok(())
}

/// Removes a folder if it is there.
fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_without_its_stamp_is_not_taken_for_whole() {
        let cache = tempfile::tempdir().unwrap();
        let tree = EmulatorTree { root: cache.path().join(NAME) };
        fs::create_dir_all(&tree.root).unwrap();
        assert!(!tree.ready());
        fs::write(tree.root.join(STAMP), "pcsx2-1.6.0-0").unwrap();
        assert!(!tree.ready(), "a tree of an older recipe");
        fs::write(tree.root.join(STAMP), NAME).unwrap();
        assert!(!tree.ready(), "a tree whose programs are gone");
        for file in [tree.root.join(LOADER), tree.pcsx2(), tree.plugins().join(PICTURE_PLUGIN), tree.drivers()] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        assert!(tree.ready());
    }

    #[test]
    fn programs_of_the_tree_run_through_its_own_loader() {
        let tree = EmulatorTree { root: PathBuf::from("/t") };
        let command = tree.command(&tree.pcsx2());
        assert_eq!(command.get_program(), "/t/lib/ld-linux.so.2");
        let arguments: Vec<_> = command.get_args().map(|a| a.to_string_lossy().into_owned()).collect();
        let libraries = "/t/lib/i386-linux-gnu:/t/usr/lib/i386-linux-gnu:/t/usr/lib/i386-linux-gnu/pulseaudio";
        assert_eq!(arguments, ["--library-path", libraries, "/t/usr/games/PCSX2"]);
    }

    #[test]
    fn two_runs_cannot_hold_the_lock_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = lock(&path).unwrap();
        assert!(matches!(File::create(&path).unwrap().try_lock(), Err(TryLockError::WouldBlock)));
        drop(held);
        assert!(lock(&path).is_ok());
    }
}
