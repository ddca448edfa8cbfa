//! The settings file of PCSX2 2.x, as text.

use super::ini::Ini;
use super::keys::{Button, KEYS};
use super::machine::{Machine, Mode, Sound};
use super::settings::{File, card_name};
use std::path::Path;

/// The settings file for PCSX2 2.x in a data folder of the run's own. `home` is that folder and `bios` the image inside it. Its keys are those that
/// the program's own dialogs write.
// Our choice: keyboard only. A person with a gamepad sets it up in the program itself, which knows it better than a fixed line here.
pub fn file(machine: &Machine, home: &Path, bios: &Path) -> File {
    let name = bios.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = bios.parent().unwrap_or(home);
    let mut ini = Ini::default()
        .section("UI")
        .set("SettingsVersion", 1)
        .set("SetupWizardIncomplete", false)
        .section("Folders")
        .set("Bios", folder.display())
        .set("MemoryCards", home.join("memcards").display())
        .section("Filenames")
        .set("BIOS", name)
        .section("EmuCore")
        .set("HostFs", true)
        .set("EnablePatches", false)
        .set("EnableGameFixes", false)
        .section("EmuCore/CPU/Recompiler")
        .set("EnableEE", machine.mode == Mode::Recompiler)
        .set("EnableIOP", machine.mode == Mode::Recompiler)
        .set("EnableEECache", machine.mode == Mode::InterpreterWithCache)
        .section("Framerate")
        .set("NominalScalar", if machine.limiter { 1 } else { 0 })
        .section("SPU2/Output")
        .set("OutputMuted", machine.sound == Sound::Off)
        .section("Logging")
        .set("EnableSystemConsole", true)
        .set("EnableFileLogging", true)
        .set("EnableEEConsole", true)
        .set("EnableIOPConsole", true)
        .section("MemoryCards");
    for (slot, card) in machine.cards.iter().enumerate() {
        let number = slot + 1;
        ini = ini.set(&format!("Slot{number}_Enable"), card.is_some());
        ini = ini.set(&format!("Slot{number}_Filename"), card_name(slot));
    }
    ini = ini.section("Pad1").set("Type", "DualShock2");
    for (button, _, key) in KEYS {
        ini = ini.set(&second_name(button), format!("Keyboard/{}", second_key(key)));
    }
    ("inis/PCSX2.ini", ini.0)
}

/// A button's name in the settings of PCSX2 2.x.
fn second_name(button: Button) -> String {
    let name = format!("{button:?}");
    name.replace("LeftStick", "L").replace("RightStick", "R")
}

/// A key's name there, from its X name.
fn second_key(key: &str) -> String {
    match key {
        "BackSpace" => "Backspace".to_owned(),
        letter if letter.len() == 1 => letter.to_uppercase(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::ini::value;
    use crate::emulator::machine::Boot;
    use std::path::PathBuf;

    #[test]
    fn the_second_generation_gets_the_same_keys_in_one_file() {
        let machine = Machine::window(PathBuf::from("rom"), Boot::NoDisc);
        let (name, text) = file(&machine, Path::new("/h"), Path::new("/h/bios/own.bin"));
        assert_eq!(name, "inis/PCSX2.ini");
        assert_eq!(value(&text, "Folders", "Bios"), Some("/h/bios"));
        assert_eq!(value(&text, "Filenames", "BIOS"), Some("own.bin"));
        assert_eq!(value(&text, "Pad1", "LUp"), Some("Keyboard/W"));
        assert_eq!(value(&text, "Pad1", "Cross"), Some("Keyboard/K"));
        assert_eq!(value(&text, "Pad1", "Select"), Some("Keyboard/Backspace"));
        assert_eq!(value(&text, "Pad1", "Left"), Some("Keyboard/Left"));
    }
}
