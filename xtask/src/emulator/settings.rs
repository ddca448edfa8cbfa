//! The settings files of PCSX2 1.6, as text.

use super::machine::{Display, Machine, Mode, Sound};
use std::fmt::Write as _;
use std::path::Path;

/// Title of the game window, by which it is found on a display. The emulator puts its figures for the rest.
pub const WINDOW_TITLE: &str = "Boardwalk on PCSX2";
/// The picture's size on the console, pixels.
pub const SCREEN: (u32, u32) = (640, 448);
/// Size of a window for a person: the picture at a television's shape, one and a half times as high as it is on the console.
const WINDOW: (u32, u32) = (960, 720);

/// A button or a stick's direction of the first pad, with the key that stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Second left shoulder button.
    L2,
    /// Second right shoulder button.
    R2,
    /// First left shoulder button.
    L1,
    /// First right shoulder button.
    R1,
    /// Triangle.
    Triangle,
    /// Circle.
    Circle,
    /// Cross.
    Cross,
    /// Square.
    Square,
    /// Select.
    Select,
    /// Left stick pressed.
    L3,
    /// Right stick pressed.
    R3,
    /// Start.
    Start,
    /// Direction pad, up.
    Up,
    /// Direction pad, right.
    Right,
    /// Direction pad, down.
    Down,
    /// Direction pad, left.
    Left,
    /// Left stick, up.
    LeftStickUp,
    /// Left stick, right.
    LeftStickRight,
    /// Left stick, down.
    LeftStickDown,
    /// Left stick, left.
    LeftStickLeft,
    /// Right stick, up.
    RightStickUp,
    /// Right stick, right.
    RightStickRight,
    /// Right stick, down.
    RightStickDown,
    /// Right stick, left.
    RightStickLeft,
}

/// Every button with its X key symbol's number and name. The order is that of the pad plugin's own numbers, which start at 0. The keys are
/// those that PCSX2 2.x offers unasked.
const KEYS: [(Button, u32, &str); 24] = [
    (Button::L2, 0x31, "1"),
    (Button::R2, 0x33, "3"),
    (Button::L1, 0x71, "q"),
    (Button::R1, 0x65, "e"),
    (Button::Triangle, 0x69, "i"),
    (Button::Circle, 0x6c, "l"),
    (Button::Cross, 0x6b, "k"),
    (Button::Square, 0x6a, "j"),
    (Button::Select, 0xff08, "BackSpace"),
    (Button::L3, 0x32, "2"),
    (Button::R3, 0x34, "4"),
    (Button::Start, 0xff0d, "Return"),
    (Button::Up, 0xff52, "Up"),
    (Button::Right, 0xff53, "Right"),
    (Button::Down, 0xff54, "Down"),
    (Button::Left, 0xff51, "Left"),
    (Button::LeftStickUp, 0x77, "w"),
    (Button::LeftStickRight, 0x64, "d"),
    (Button::LeftStickDown, 0x73, "s"),
    (Button::LeftStickLeft, 0x61, "a"),
    (Button::RightStickUp, 0x74, "t"),
    (Button::RightStickRight, 0x68, "h"),
    (Button::RightStickDown, 0x67, "g"),
    (Button::RightStickLeft, 0x66, "f"),
];

impl Button {
    /// The X name of the key that stands for the button.
    pub fn key(self) -> &'static str {
        KEYS[self as usize].2
    }
}

/// A settings file: its path below the emulator's folder and its text.
pub type File = (&'static str, String);

/// Lines of `Key=value` under section headings.
#[derive(Default)]
struct Ini(String);

impl Ini {
    fn section(mut self, name: &str) -> Self {
        // Writing into a String cannot fail.
        let _ = writeln!(self.0, "[{name}]");
        self
    }

    fn set(mut self, key: &str, value: impl std::fmt::Display) -> Self {
        let _ = writeln!(self.0, "{key}={value}");
        self
    }

    fn flag(self, key: &str, on: bool) -> Self {
        self.set(key, if on { "enabled" } else { "disabled" })
    }
}

/// Every settings file for a run of `machine`. `plugins` is the folder of the emulator's plugins, `home` the emulator's own folder, `bios` the
/// ROM image inside it.
pub fn files(machine: &Machine, plugins: &Path, home: &Path, bios: &Path, pulse: bool) -> Vec<File> {
    vec![
        ("PCSX2-reg.ini", Ini::default().set("RunWizard", 0).0),
        ("inis/PCSX2_ui.ini", user_interface(machine, plugins, home, bios)),
        ("inis/PCSX2_vm.ini", virtual_machine(machine)),
        ("inis/GSdx.ini", graphics(machine)),
        ("inis/spu2-x.ini", sound(machine, pulse)),
        ("inis/OnePAD2.ini", pads()),
    ]
}

fn user_interface(machine: &Machine, plugins: &Path, home: &Path, bios: &Path) -> String {
    let plugin = |name: &str| plugins.join(name).display().to_string();
    let (size, aspect) = match machine.display {
        Display::Headless => (SCREEN, "Stretch"),
        Display::Window => (WINDOW, "4:3"),
    };
    let mut ini = Ini::default()
        .set("CdvdSource", "NoDisc")
        .flag("EnableSpeedHacks", false)
        .flag("EnablePresets", false)
        .flag("EnableGameFixes", false)
        .section("ProgramLog")
        .flag("Visible", false)
        .section("Filenames")
        .set(
            "GS",
            plugin(if machine.display == Display::Window { fast_graphics_plugin(plugins) } else { "libGSdx.so" }),
        )
        .set("PAD", plugin("libonepad.so"))
        .set("SPU2", plugin("libspu2x-2.0.0.so"))
        .set("CDVD", plugin("libcdvdGigaherz.so"))
        .set("USB", plugin("libUSBnull-0.7.0.so"))
        .set("FW", plugin("libFWnull-0.7.0.so"))
        .set("DEV9", plugin("libdev9null-0.5.0.so"))
        .set("BIOS", bios.display())
        .section("GSWindow")
        .set("WindowSize", format!("{},{}", size.0, size.1))
        .set("AspectRatio", aspect);
    if machine.display == Display::Headless {
        ini = ini.set("WindowPos", "0,0");
    }
    ini = ini.section("UiTemplates").set("TitleTemplate", format!("{WINDOW_TITLE} | ${{speed}} | ${{videomode}}"));
    ini = ini.section("MemoryCards");
    for (slot, card) in machine.cards.iter().enumerate() {
        let number = slot + 1;
        ini = ini.flag(&format!("Slot{number}_Enable"), card.is_some());
        ini = ini.set(&format!("Slot{number}_Filename"), card_name(slot));
    }
    let folders =
        ini.section("Folders").flag("UseDefaultMemoryCards", false).set("MemoryCards", home.join("memcards").display());
    folders.section("ConsoleLogSources").flag(".EEout", true).flag(".IOPout", true).0
}

/// The settings file for PCSX2 2.x in a data folder of the run's own. `home` is that folder and `bios` the image inside it. Its keys are those that
/// the program's own dialogs write.
// Our choice: keyboard only. A person with a gamepad sets it up in the program itself, which knows it better than a fixed line here.
pub fn second_generation(machine: &Machine, home: &Path, bios: &Path) -> File {
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

/// Name of the card in `slot` (0 or 1) in the emulator's own folder.
pub fn card_name(slot: usize) -> String {
    format!("Mcd{:03}.ps2", slot + 1)
}

/// The quickest graphics plugin that this processor and this build of the emulator can run. Pictures for comparison come from the plainest one,
/// so that they are the same on every machine.
fn fast_graphics_plugin(plugins: &Path) -> &'static str {
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    {
        let there = |name: &str| plugins.join(name).is_file();
        if std::arch::is_x86_feature_detected!("avx2") && there("libGSdx-AVX2.so") {
            return "libGSdx-AVX2.so";
        }
        if std::arch::is_x86_feature_detected!("sse4.1") && there("libGSdx-SSE4.so") {
            return "libGSdx-SSE4.so";
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
    let _ = plugins;
    "libGSdx.so"
}

fn virtual_machine(machine: &Machine) -> String {
    let interpreter = machine.mode != Mode::Recompiler;
    Ini::default()
        .section("EmuCore")
        .flag("ConsoleToStdio", true)
        .flag("EnablePatches", false)
        .flag("HostFs", true)
        .section("EmuCore/GS")
        .flag("FrameLimitEnable", machine.limiter)
        .section("EmuCore/CPU/Recompiler")
        .flag("EnableEE", !interpreter)
        .flag("EnableIOP", !interpreter)
        .flag("EnableEECache", machine.mode == Mode::InterpreterWithCache)
        .0
}

/// The software renderer: exact, and the same everywhere.
const SOFTWARE_RENDERER: u32 = 13;

fn graphics(machine: &Machine) -> String {
    let window = machine.display == Display::Window;
    // The frame buffer has the full height, so nothing is woven or doubled (interlace 0).
    Ini::default()
        .set("Renderer", SOFTWARE_RENDERER)
        .set("interlace", 0)
        .set("linear_present", u32::from(window))
        .set("osd_log_enabled", 0)
        .set("extrathreads", u32::from(window) * 2)
        .0
}

fn sound(machine: &Machine, pulse: bool) -> String {
    let ini = Ini::default().section("OUTPUT");
    let api = match machine.sound {
        Sound::Off => return ini.set("Output_Module", "nullout").0,
        Sound::File(_) => "disk",
        Sound::Speakers if pulse => "pulseaudio",
        Sound::Speakers => "alsa",
    };
    ini.set("Output_Module", "SDLAudio").section("SDL").set("HostApi", api).0
}

/// The pad plugin reads its file line by line in this order. Gamepads need no line: an identifier that no gamepad has stands for
/// the first one that is plugged in.
fn pads() -> String {
    let mut text = String::from(
        "first_time_wizard = 0\nlog = 0\noptions = 0\nmouse_sensibility = 100\nff_intensity = 32767\nuid[0] = 0\nuid[1] = 0\n",
    );
    for (number, (_, symbol, _)) in KEYS.iter().enumerate() {
        let _ = writeln!(text, "PAD 0:KEYSYM 0x{symbol:x} = {number}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::machine::Boot;
    use std::path::PathBuf;

    fn texts(machine: &Machine) -> Vec<File> {
        files(machine, Path::new("/p"), Path::new("/h"), Path::new("/h/bios/rom.bin"), true)
    }

    fn text(machine: &Machine, name: &str) -> String {
        texts(machine).into_iter().find(|(file, _)| *file == name).unwrap().1
    }

    /// The value of a key in a section; the section before the first heading is "".
    fn value<'a>(text: &'a str, section: &str, key: &str) -> Option<&'a str> {
        let mut current = "";
        for line in text.lines() {
            if let Some(name) = line.strip_prefix('[') {
                current = name.trim_end_matches(']');
            } else if current == section
                && let Some((name, value)) = line.split_once('=')
                && name == key
            {
                return Some(value);
            }
        }
        None
    }

    #[test]
    fn tests_run_unlimited_silent_and_pixel_for_pixel() {
        let machine = Machine::headless(PathBuf::from("rom"), Boot::NoDisc);
        let interface = text(&machine, "inis/PCSX2_ui.ini");
        assert_eq!(value(&interface, "GSWindow", "WindowSize"), Some("640,448"));
        assert_eq!(value(&interface, "GSWindow", "AspectRatio"), Some("Stretch"));
        assert_eq!(value(&interface, "Filenames", "GS"), Some("/p/libGSdx.so"));
        assert_eq!(value(&interface, "Filenames", "BIOS"), Some("/h/bios/rom.bin"));
        assert_eq!(value(&interface, "MemoryCards", "Slot1_Enable"), Some("disabled"));
        assert_eq!(value(&interface, "", "EnablePresets"), Some("disabled"));
        let machine_text = text(&machine, "inis/PCSX2_vm.ini");
        assert_eq!(value(&machine_text, "EmuCore/GS", "FrameLimitEnable"), Some("disabled"));
        assert_eq!(value(&machine_text, "EmuCore", "HostFs"), Some("enabled"));
        assert_eq!(value(&text(&machine, "inis/spu2-x.ini"), "OUTPUT", "Output_Module"), Some("nullout"));
    }

    #[test]
    fn a_person_gets_the_console_s_speed_and_sound() {
        let mut machine = Machine::window(PathBuf::from("rom"), Boot::NoDisc);
        machine.cards[0] = Some(PathBuf::from("/saves/card1.ps2"));
        assert_eq!(value(&text(&machine, "inis/PCSX2_vm.ini"), "EmuCore/GS", "FrameLimitEnable"), Some("enabled"));
        assert_eq!(value(&text(&machine, "inis/spu2-x.ini"), "SDL", "HostApi"), Some("pulseaudio"));
        let interface = text(&machine, "inis/PCSX2_ui.ini");
        assert_eq!(value(&interface, "GSWindow", "AspectRatio"), Some("4:3"));
        assert_eq!(value(&interface, "MemoryCards", "Slot1_Enable"), Some("enabled"));
        assert_eq!(value(&interface, "MemoryCards", "Slot2_Enable"), Some("disabled"));
        assert_eq!(value(&interface, "Folders", "MemoryCards"), Some("/h/memcards"));
    }

    #[test]
    fn modes_choose_the_processor_cores() {
        let mut machine = Machine::headless(PathBuf::from("rom"), Boot::NoDisc);
        for (mode, recompiled, cache) in [
            (Mode::Recompiler, "enabled", "disabled"),
            (Mode::Interpreter, "disabled", "disabled"),
            (Mode::InterpreterWithCache, "disabled", "enabled"),
        ] {
            machine.mode = mode;
            let text = text(&machine, "inis/PCSX2_vm.ini");
            let section = "EmuCore/CPU/Recompiler";
            assert_eq!(value(&text, section, "EnableEE"), Some(recompiled), "{mode:?}");
            assert_eq!(value(&text, section, "EnableIOP"), Some(recompiled), "{mode:?}");
            assert_eq!(value(&text, section, "EnableEECache"), Some(cache), "{mode:?}");
        }
    }

    #[test]
    fn the_second_generation_gets_the_same_keys_in_one_file() {
        let machine = Machine::window(PathBuf::from("rom"), Boot::NoDisc);
        let (name, text) = second_generation(&machine, Path::new("/h"), Path::new("/h/bios/own.bin"));
        assert_eq!(name, "inis/PCSX2.ini");
        assert_eq!(value(&text, "Folders", "Bios"), Some("/h/bios"));
        assert_eq!(value(&text, "Filenames", "BIOS"), Some("own.bin"));
        assert_eq!(value(&text, "Pad1", "LUp"), Some("Keyboard/W"));
        assert_eq!(value(&text, "Pad1", "Cross"), Some("Keyboard/K"));
        assert_eq!(value(&text, "Pad1", "Select"), Some("Keyboard/Backspace"));
        assert_eq!(value(&text, "Pad1", "Left"), Some("Keyboard/Left"));
    }

    #[test]
    fn every_button_has_a_key_of_its_own_in_the_plugin_s_order() {
        for (number, (button, symbol, name)) in KEYS.iter().enumerate() {
            assert_eq!(*button as usize, number);
            assert_eq!(button.key(), *name);
            if let [letter] = name.as_bytes() {
                assert_eq!(u32::from(*letter), *symbol, "a printable key's number is its character");
            }
            assert_eq!(KEYS.iter().filter(|(_, other, _)| other == symbol).count(), 1, "{name}");
        }
        let text = pads();
        assert!(text.contains("PAD 0:KEYSYM 0x6b = 6\n") && text.contains("PAD 0:KEYSYM 0xff0d = 11\n"), "{text}");
    }
}
