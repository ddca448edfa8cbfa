//! The settings files of PCSX2 1.6, as text.

use super::ini::Ini;
use super::keys::{KEYS, SECOND};
use super::machine::{Display, Machine, Mode, Renderer, Sound};
use std::fmt::Write as _;
use std::path::Path;

/// Title of the game window, by which it is found on a display. The emulator puts its figures for the rest.
pub const WINDOW_TITLE: &str = "Boardwalk on PCSX2";
/// The picture's size on the console, pixels.
pub const SCREEN: (u32, u32) = (640, 448);
/// Size of a window for a person: the picture at a television's shape, one and a half times as high as it is on the console.
const WINDOW: (u32, u32) = (960, 720);

/// A settings file: its path below the emulator's folder and its text.
pub type File = (&'static str, String);

/// Every settings file for a run of `machine`. `plugins` is the folder of the emulator's plugins, `home` the emulator's own folder, `bios` the
/// ROM image inside it.
pub fn files(machine: &Machine, plugins: &Path, home: &Path, bios: &Path, pulse: bool) -> Vec<File> {
    vec![
        ("PCSX2-reg.ini", Ini::default().set("RunWizard", 0).0),
        ("inis/PCSX2_ui.ini", user_interface(machine, plugins, home, bios)),
        ("inis/PCSX2_vm.ini", virtual_machine(machine)),
        ("inis/GSdx.ini", graphics(machine, home)),
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

/// The emulator's number of a renderer.
const fn renderer_number(renderer: Renderer) -> u32 {
    match renderer {
        Renderer::Software => 13,
        Renderer::OpenGl => 12,
        Renderer::Nothing => 11,
    }
}

fn graphics(machine: &Machine, home: &Path) -> String {
    /// Size of a recording's pictures, which nobody looks at.
    const RECORDED: (u32, u32) = (64, 48);
    let window = machine.display == Display::Window;
    // The frame buffer has the full height, so nothing is woven or doubled (interlace 0).
    let ini = Ini::default()
        .set("Renderer", renderer_number(machine.renderer))
        .set("interlace", 0)
        .set("linear_present", u32::from(window))
        .set("osd_log_enabled", 0)
        .set("extrathreads", u32::from(window) * 2);
    if machine.sound != Sound::Recorded {
        return ini.0;
    }
    // The emulator records sound only where it may record pictures as well.
    ini.set("capture_enabled", 1)
        .set("CaptureWidth", RECORDED.0)
        .set("CaptureHeight", RECORDED.1)
        .set("capture_threads", 1)
        .set("capture_out_dir", home.join("snaps").display())
        .0
}

fn sound(machine: &Machine, pulse: bool) -> String {
    /// The sound plugin's number of reading a voice in straight lines.
    const STRAIGHT: u32 = 1;
    let ini = Ini::default().section("OUTPUT");
    let api = match machine.sound {
        Sound::Off => return ini.set("Output_Module", "nullout").0,
        Sound::Recorded => {
            return ini.set("Output_Module", "nullout").section("MIXING").set("Interpolation", STRAIGHT).0;
        }
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
    for (button, symbol, _) in SECOND {
        let _ = writeln!(text, "PAD 1:KEYSYM 0x{symbol:x} = {}", button as usize);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::ini::value;
    use crate::emulator::machine::Boot;
    use std::path::PathBuf;

    fn texts(machine: &Machine) -> Vec<File> {
        files(machine, Path::new("/p"), Path::new("/h"), Path::new("/h/bios/rom.bin"), true)
    }

    fn text(machine: &Machine, name: &str) -> String {
        texts(machine).into_iter().find(|(file, _)| *file == name).unwrap().1
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
    fn a_recording_is_plain_and_needs_the_pictures_capture() {
        let machine = Machine { sound: Sound::Recorded, ..Machine::headless(PathBuf::from("rom"), Boot::NoDisc) };
        assert_eq!(value(&text(&machine, "inis/GSdx.ini"), "", "capture_enabled"), Some("1"));
        assert_eq!(value(&text(&machine, "inis/spu2-x.ini"), "MIXING", "Interpolation"), Some("1"));
        let silent = Machine::headless(PathBuf::from("rom"), Boot::NoDisc);
        assert_eq!(value(&text(&silent, "inis/GSdx.ini"), "", "capture_enabled"), None);
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
    fn pads_are_written_by_the_plugin_s_numbers() {
        let text = pads();
        assert!(text.contains("PAD 0:KEYSYM 0x6b = 6\n") && text.contains("PAD 0:KEYSYM 0xff0d = 11\n"), "{text}");
        assert!(text.contains("PAD 1:KEYSYM 0x6d = 6\n"), "{text}");
    }
}
