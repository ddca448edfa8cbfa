//! What a run needs in its folder before the emulator starts: the ROM, the cards, the settings, and the command with its environment.

use super::arguments::{self, Generation};
use super::card;
use super::console::Splitter;
use super::machine::{Boot, Display, Machine, Sound};
use super::{second, settings};
use crate::setup::EmulatorTree;
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a distribution or a build of the first generation keeps its plugins.
const PLUGIN_FOLDERS: [&str; 4] =
    ["/usr/lib/i386-linux-gnu/pcsx2", "/usr/lib/pcsx2", "/usr/lib32/pcsx2", "/usr/lib/x86_64-linux-gnu/pcsx2"];

/// Writes the run's settings into `folder` and returns the emulator's command and the reader that fits its output.
pub fn prepare(machine: &Machine, tree: Option<&EmulatorTree>, folder: &Path) -> Result<(Command, Splitter)> {
    let machine = &with_whole_paths(machine)?;
    let home = folder.join("home/.config/PCSX2");
    for part in ["inis", "bios", "logs", "memcards", "snaps", "sstates"] {
        fs::create_dir_all(home.join(part))?;
    }
    fs::create_dir_all(folder.join("tmp"))?;
    let rom = machine.own.as_ref().map_or(&machine.rom, |own| &own.bios);
    let bios = home.join("bios/rom.bin");
    fs::copy(rom, &bios).with_context(|| format!("cannot read the ROM {}", rom.display()))?;
    for (slot, card) in machine.cards.iter().enumerate() {
        if let Some(card) = card {
            insert_card(card, &home.join("memcards").join(settings::card_name(slot)))?;
        }
    }
    let own = machine.own.as_ref();
    let generation = own.map_or(Generation::One, |own| Generation::of(&own.pcsx2));
    let (files, arguments, splitter) = match generation {
        Generation::One => {
            let plugins = match (tree, own) {
                (Some(tree), _) => tree.plugins(),
                (None, Some(own)) => plugin_folder(&own.pcsx2)?,
                (None, None) => bail!("no emulator"),
            };
            let files = settings::files(machine, &plugins, &home, &bios, sound_server().is_some());
            (files, arguments::first_generation(machine), Splitter::coloured())
        }
        Generation::Two => {
            let arguments = arguments::second_generation(machine, &home, &home.join("logs/emulog.txt"));
            (vec![second::file(machine, &home, &bios)], arguments, Splitter::plain())
        }
    };
    for (name, text) in files {
        fs::write(home.join(name), text)?;
    }
    let mut command = match (tree, own) {
        (Some(tree), _) => {
            let mut command = tree.command(&tree.pcsx2());
            command.env("LIBGL_DRIVERS_PATH", tree.drivers()).env("LIBGL_ALWAYS_SOFTWARE", "1");
            command
        }
        (None, Some(own)) => Command::new(&own.pcsx2),
        (None, None) => bail!("no emulator"),
    };
    environment(&mut command, machine, folder);
    command.args(arguments);
    Ok((command, splitter))
}

/// Gives the emulator a home of its own and keeps the desktop's services out of the way.
fn environment(command: &mut Command, machine: &Machine, folder: &Path) {
    let home = folder.join("home");
    if machine.display == Display::Window && std::env::var_os("XAUTHORITY").is_none() {
        // X programs look for the display's key in the home folder, which is about to be another one.
        if let Some(own) = std::env::var_os("HOME") {
            command.env("XAUTHORITY", Path::new(&own).join(".Xauthority"));
        }
    }
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"] {
        command.env_remove(name);
    }
    command.env("HOME", &home).env("TMPDIR", folder.join("tmp")).env("LC_ALL", "C.UTF-8");
    command.env("NO_AT_BRIDGE", "1").env("GDK_BACKEND", "x11");
    if machine.display == Display::Headless {
        command.env("XDG_RUNTIME_DIR", folder.join("tmp"));
    }
    match &machine.sound {
        Sound::File(file) => {
            command.env("SDL_DISKAUDIOFILE", file);
        }
        Sound::Speakers => {
            if let Some(server) = sound_server() {
                command.env("PULSE_SERVER", server);
            }
        }
        Sound::Off | Sound::Recorded => {}
    }
}

/// The address of the person's sound server, if one runs.
fn sound_server() -> Option<String> {
    if let Some(server) = std::env::var("PULSE_SERVER").ok().filter(|server| !server.is_empty()) {
        return Some(server);
    }
    let socket = Path::new(&std::env::var_os("XDG_RUNTIME_DIR")?).join("pulse/native");
    socket.exists().then(|| format!("unix:{}", socket.display()))
}

/// The same machine with paths that hold in any working folder. Missing files are told here, before anything starts.
fn with_whole_paths(machine: &Machine) -> Result<Machine> {
    let whole = |path: &PathBuf| fs::canonicalize(path).with_context(|| format!("cannot find {}", path.display()));
    let mut machine = machine.clone();
    machine.boot = match &machine.boot {
        Boot::Disc(path) => Boot::Disc(whole(path)?),
        Boot::Elf(path) => Boot::Elf(whole(path)?),
        Boot::Irx(path) => Boot::Irx(whole(path)?),
        Boot::NoDisc => Boot::NoDisc,
    };
    if let Some(own) = &mut machine.own {
        own.pcsx2 = whole(&own.pcsx2)?;
        own.bios = whole(&own.bios)?;
    }
    if let Sound::File(file) = &mut machine.sound {
        *file = std::path::absolute(&file)?;
    }
    Ok(machine)
}

/// Makes the card `file` reachable as `place`, and makes it at all when it is not there.
fn insert_card(file: &Path, place: &Path) -> Result<()> {
    let file = std::path::absolute(file)?;
    if !file.exists() {
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&file, card::formatted()).with_context(|| format!("cannot write {}", file.display()))?;
    }
    std::os::unix::fs::symlink(&file, place).with_context(|| format!("cannot insert {}", file.display()))
}

/// The plugins of a person's own emulator of the first generation.
fn plugin_folder(pcsx2: &Path) -> Result<PathBuf> {
    let beside = pcsx2.parent().map(|folder| folder.join("plugins"));
    let folders = beside.into_iter().chain(PLUGIN_FOLDERS.iter().map(PathBuf::from));
    folders
        .into_iter()
        .find(|folder| folder.join("libGSdx.so").is_file())
        .with_context(|| format!("{} has no plugins that we can find (libGSdx.so)", pcsx2.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_that_is_not_there_is_made_formatted_and_an_old_one_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (file, place) = (folder.path().join("saves/card.ps2"), folder.path().join("Mcd001.ps2"));
        insert_card(&file, &place).unwrap();
        assert_eq!(fs::metadata(&place).unwrap().len(), card::SIZE as u64);
        assert!(fs::read(&place).unwrap() == card::formatted());
        fs::write(&file, "played").unwrap();
        fs::remove_file(&place).unwrap();
        insert_card(&file, &place).unwrap();
        assert_eq!(fs::read_to_string(&place).unwrap(), "played");
    }

    #[test]
    fn a_missing_disc_is_told_before_anything_starts() {
        let machine = Machine::headless("rom.bin".into(), Boot::Disc("/nowhere/disc.iso".into()));
        let error = format!("{:#}", with_whole_paths(&machine).unwrap_err());
        assert!(error.contains("/nowhere/disc.iso"), "{error}");
    }

    #[test]
    fn settings_and_command_are_prepared_in_the_run_s_folder() {
        let folder = tempfile::tempdir().unwrap();
        let rom = folder.path().join("own.bin");
        fs::write(&rom, "rom").unwrap();
        let tree = EmulatorTree { root: PathBuf::from("/t") };
        let machine = Machine::headless(rom, Boot::NoDisc);
        let (command, _) = prepare(&machine, Some(&tree), folder.path()).unwrap();
        let home = folder.path().join("home/.config/PCSX2");
        assert_eq!(fs::read_to_string(home.join("bios/rom.bin")).unwrap(), "rom");
        assert!(fs::read_to_string(home.join("inis/PCSX2_ui.ini")).unwrap().contains("BIOS=/"));
        assert!(command.get_args().any(|argument| argument == "--nodisc"));
        let home = folder.path().join("home");
        assert!(command.get_envs().any(|(name, value)| name == "HOME" && value == Some(home.as_os_str())));
    }
}
