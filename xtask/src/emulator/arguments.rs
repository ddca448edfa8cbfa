//! Command lines of the emulator's two generations, for a person's own emulator and for ours.

use super::machine::{Boot, Machine};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Which command line and which settings an emulator understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// PCSX2 1.x: options with two dashes, plugins, settings in several files.
    One,
    /// PCSX2 2.x (`pcsx2-qt`): options with one dash, a single settings file.
    Two,
}

impl Generation {
    /// Tells the generation from the program's name. Asking the program itself would open its window.
    pub fn of(program: &Path) -> Self {
        let name = program.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let first = matches!(name.as_str(), "pcsx2" | "pcsx2-linux.sh") || name.contains("1.6") || name.contains("1.4");
        if first { Self::One } else { Self::Two }
    }
}

/// Arguments for PCSX2 1.x. Naming no disc in so many words makes it forget a program or a module, so those rely on the settings. Our ROM boots a disc by itself (`full`); the BIOS of a console is skipped to the disc's program.
pub fn first_generation(machine: &Machine) -> Vec<OsString> {
    let full = machine.own.is_none();
    let mut arguments: Vec<OsString> = vec!["--nogui".into()];
    let option = |name: &str, path: &PathBuf| {
        let mut text = OsString::from(name);
        text.push(path);
        text
    };
    match &machine.boot {
        Boot::Disc(image) => {
            arguments.extend(full.then(|| "--fullboot".into()));
            arguments.push(image.into());
        }
        Boot::Elf(program) => arguments.push(option("--elf=", program)),
        Boot::Irx(module) => arguments.extend(["--fullboot".into(), option("--irx=", module)]),
        Boot::NoDisc => arguments.extend(["--fullboot".into(), "--nodisc".into()]),
    }
    arguments
}

/// Arguments for PCSX2 2.x. `data` is the folder of its settings, `log` the file for its log. An IOP module cannot be given to it; the machine
/// then starts with an empty drive.
pub fn second_generation(machine: &Machine, data: &Path, log: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["-batch".into(), "-nogui".into()];
    arguments.extend(["-earlyconsolelog".into(), "-datapath".into(), data.into(), "-logfile".into(), log.into()]);
    match &machine.boot {
        Boot::Disc(image) => arguments.extend(["-fastboot".into(), "--".into(), image.into()]),
        Boot::Elf(program) => arguments.extend(["-fastboot".into(), "-elf".into(), program.into()]),
        Boot::Irx(_) | Boot::NoDisc => arguments.extend(["-slowboot".into(), "-bios".into()]),
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::machine::OwnEmulator;

    fn machine(boot: Boot, own: bool) -> Machine {
        let own = own.then(|| OwnEmulator { pcsx2: "/e".into(), bios: "/b".into() });
        Machine { own, ..Machine::headless("rom".into(), boot) }
    }

    fn first(boot: Boot, own: bool) -> String {
        first_generation(&machine(boot, own)).join(" ".as_ref()).into_string().unwrap()
    }

    fn second(boot: Boot) -> String {
        let arguments = second_generation(&machine(boot, true), Path::new("/d"), Path::new("/l"));
        arguments.join(" ".as_ref()).into_string().unwrap()
    }

    #[test]
    fn our_rom_boots_discs_in_full_and_a_console_s_bios_is_skipped() {
        assert_eq!(first(Boot::Disc("/a b.iso".into()), false), "--nogui --fullboot /a b.iso");
        assert_eq!(first(Boot::Disc("/a.iso".into()), true), "--nogui /a.iso");
    }

    #[test]
    fn programs_and_modules_have_options_of_their_own() {
        assert_eq!(first(Boot::Elf("/p.elf".into()), false), "--nogui --elf=/p.elf");
        assert_eq!(first(Boot::Irx("/m.irx".into()), false), "--nogui --fullboot --irx=/m.irx");
        assert_eq!(first(Boot::NoDisc, false), "--nogui --fullboot --nodisc");
    }

    #[test]
    fn the_second_generation_gets_single_dashes() {
        let common = "-batch -nogui -earlyconsolelog -datapath /d -logfile /l";
        assert_eq!(second(Boot::Disc("/a.iso".into())), format!("{common} -fastboot -- /a.iso"));
        assert_eq!(second(Boot::Elf("/p.elf".into())), format!("{common} -fastboot -elf /p.elf"));
        assert_eq!(second(Boot::NoDisc), format!("{common} -slowboot -bios"));
    }

    #[test]
    fn generations_are_told_by_the_program_s_name() {
        for (name, generation) in [
            ("/usr/games/PCSX2", Generation::One),
            ("/opt/pcsx2-1.6.0/PCSX2-linux.sh", Generation::One),
            ("/usr/bin/pcsx2-qt", Generation::Two),
            ("/data/a/pcsx2-v2.2.0-linux-appimage-x64-Qt.AppImage", Generation::Two),
        ] {
            assert_eq!(Generation::of(Path::new(name)), generation, "{name}");
        }
    }
}
