//! What is heard of the game: the bank and the music from the disc, who listens, and what a level sounds like by itself.
//!
//! Whoever plays a sound asks [`Audio`] for it; this is where the files come from at start-up and where once a frame, behind
//! the file manager's service, what has changed is told to the module on the IOP.

use super::Game;
use super::machine::Machine;
use super::state::LOUDEST;
use super::waiting::Parts;
use crate::audio::{Audio, Layer, Listener, Play, Source};
use crate::clock::time;
use crate::file_io::StreamDevice as _;
use crate::maths::from_heading;
use boardwalk_iop::protocol::{ALWAYS, Command, Status, fault};
use core::f32::consts::FRAC_PI_2;

/// Frames behind the opening of a test's tray in which another disc is put in, and in which the game's is there again: together
/// longer than the music that is in memory.
const OTHER_DISC_FRAMES: u32 = 100;
pub(super) const TRAY_FRAMES: u32 = 150;
/// Milliseconds for which the module of a test does not answer: longer than all answers after which it counts as silent.
const SILENT_MS: u32 = 4_500;

/// The bank with every sound of the game.
const BANK: &str = "sound/effects.bank";

/// The tunes of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tune {
    /// In the menus.
    Title,
    /// Along the pier: calm, and what is heard when it comes to blows.
    Pier,
}

impl Tune {
    /// The archive's file.
    const fn file(self) -> &'static str {
        match self {
            Self::Title => "sound/title.music",
            Self::Pier => "sound/pier.music",
        }
    }
}

/// What is heard of a level by itself, and how loud.
const SURROUNDINGS: [(&str, f32); 2] = [("sea", 0.45), ("wind", 0.3)];
/// Importance of what is always there: anything else may have its voice.
const LEAST: u8 = 1;

/// What was told of the module's sound to whoever listens to the console.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    bank: bool,
    music: bool,
    underruns: u32,
    refused: u32,
}

impl Told {
    fn of(status: &Status) -> Self {
        Self { bank: status.bank, music: status.music, underruns: status.underruns, refused: status.refused }
    }
}

/// A volume of the settings as a share.
fn share(volume: u8) -> f32 {
    f32::from(volume.min(LOUDEST)) / f32::from(LOUDEST)
}

impl<M: Machine> Game<M> {
    /// Loads the bank and begins the music, both at the volumes of the settings. Without a disc, or without its files, the
    /// game is silent.
    // Covers: seed 003, step 28 audio start (0x0010f768) test=game::sound::tests::start_up_loads_the_bank_and_begins_the_music
    pub(super) fn start_audio(&mut self) {
        *self.audio = Audio::new();
        let Parts { mut waiter, files, audio, .. } = self.waiting();
        let (Some(files), Some(buffer)) = (files.system.as_mut(), files.buffer) else { return };
        if let Err(error) = audio.load_bank(files, &mut waiter, buffer, BANK) {
            self.machine.print(format_args!("SOUND {BANK}: {error}"));
        }
        self.tune = None;
        self.play_tune(Tune::Title);
        let sounds = self.audio.sounds();
        if sounds > 0 {
            for family in self.audio.missing() {
                self.machine.print(format_args!("SOUND {family} is missing"));
            }
            self.machine.print(format_args!("SOUND bank of {sounds} sounds"));
        }
        self.set_volumes();
    }

    /// Begins a tune in place of the one that plays; the same one goes on.
    pub(super) fn play_tune(&mut self, tune: Tune) {
        if self.tune == Some(tune) {
            return;
        }
        let Parts { mut waiter, files, audio, .. } = self.waiting();
        let (Some(files), Some(buffer)) = (files.system.as_mut(), files.buffer) else { return };
        match audio.start_music(files, &mut waiter, buffer, tune.file()) {
            Ok(()) => self.tune = Some(tune),
            Err(error) => self.machine.print(format_args!("SOUND {}: {error}", tune.file())),
        }
    }

    /// The settings' volumes, unless all is to be still.
    fn set_volumes(&mut self) {
        let settings = &self.state.settings;
        let (effects, music) =
            if self.modes.quiet { (0.0, 0.0) } else { (share(settings.effects), share(settings.music)) };
        self.audio.set_levels(effects, music);
    }

    /// Lets nothing be heard, or everything again: while a fault is shown.
    pub(super) fn silence(&mut self, on: bool) {
        self.modes.quiet = on;
    }

    /// What a level sounds like before anything happens in it.
    pub(super) fn begin_level_sound(&mut self) {
        self.play_tune(Tune::Pier);
        self.audio.want_layer(Layer::Calm);
        for (name, volume) in SURROUNDINGS {
            if let Some(sound) = self.audio.find(name) {
                let play = Play { volume, source: Source::MIDDLE, priority: LEAST, ..Play::default() };
                let _plays = self.audio.play(sound, play);
            }
        }
    }

    /// Nothing of the level is heard any more.
    pub(super) fn end_level_sound(&mut self) {
        self.audio.want_layer(Layer::Calm);
        self.audio.voices().stop_all();
    }

    /// Opens a test's tray, puts another disc in, then the game's; or lets a test's module fall silent.
    fn fail_on_purpose(&mut self) {
        let Some(files) = self.files.system.as_mut() else { return };
        let since = |frame: Option<u32>| self.frames.checked_sub(frame?);
        if since(self.options.slow) == Some(0) {
            self.machine.print(format_args!("DISC no quicker than a console's"));
            // A frame has room for it.
            let _room = files.device_mut().post(&super::level_parts::CONSOLES_DRIVE);
        }
        if since(self.options.unreadable) == Some(0) {
            let _room = files.device_mut().post(&Command::Fault { fault: fault::UNREADABLE, commands: ALWAYS });
        }
        let command = match (since(self.options.tray), since(self.options.mute)) {
            (Some(0), _) => Command::Fault { fault: fault::TRAY_OPEN, commands: ALWAYS },
            (Some(OTHER_DISC_FRAMES), _) => Command::Fault { fault: fault::WRONG_DISC, commands: ALWAYS },
            (Some(TRAY_FRAMES), _) => Command::Fault { fault: fault::NONE, commands: 0 },
            (_, Some(0)) => Command::Mute { milliseconds: SILENT_MS },
            _ => return,
        };
        // A frame has room for it.
        let _room = files.device_mut().post(&command);
    }

    /// Tells the module what has changed in this frame, and whoever listens to the console what the module says.
    pub(super) fn update_sound(&mut self) {
        self.fail_on_purpose();
        self.set_volumes();
        let follow = self.people.as_deref().and_then(|people| people.camera(0));
        let (place, heading) =
            follow.map_or((self.walker.eye(), self.walker.heading), |camera| (camera.eye, camera.heading()));
        let right = from_heading(heading + FRAC_PI_2);
        self.audio.set_listener(Listener { place, right });
        let Some(files) = self.files.system.as_mut() else { return };
        self.audio.update(files.device_mut(), time::seconds(time::STEP));
        let told = files.device().module_status().map(Told::of).unwrap_or_default();
        if told != self.sound_told {
            let Told { bank, music, underruns, refused } = told;
            self.sound_told = told;
            self.machine
                .print(format_args!("SOUND bank {bank} music {music} underruns {underruns} not understood {refused}"));
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::fake::{FakeGame, game};
    use super::*;
    use crate::audio::bank::{self, Sound};
    use crate::audio::cues::FAMILIES;
    use crate::boot::start::StartHost as _;
    use crate::file_io::NameHash;
    use crate::file_io::fake::Disc;
    use crate::game_modes::ScreenHost as _;
    use crate::game_modes::frame::FrameHost as _;
    use crate::game_modes::menu::MenuEvent;
    use crate::maths::Vec3;
    use crate::tasks::names::name_hash;
    use crate::tasks::world::World as _;
    use boardwalk_iop::music::Header;
    use std::boxed::Box;
    use std::format;
    use std::vec::Vec;

    /// A second at 24 kHz.
    const SOUND_BYTES: u32 = 24_000 / 28 * 16 / 64 * 64;

    /// A disc with one sound for each family, the surroundings, and music.
    fn disc() -> Disc {
        let names = FAMILIES.iter().map(|name| format!("{name}_1")).chain(["sea".into(), "wind".into()]);
        let sounds: Vec<Sound> = names
            .map(|name| Sound {
                name: NameHash::of_file(&name).unwrap(),
                offset: 0,
                bytes: SOUND_BYTES,
                pitch: 0x800,
                loops: !name.ends_with("_1"),
            })
            .collect();
        let mut bytes = bank::header(sounds.len() as u32, 2048, SOUND_BYTES).to_vec();
        bytes.extend(sounds.iter().flat_map(|sound| sound.to_bytes()));
        bytes.resize(2048 + SOUND_BYTES as usize, 0);
        let header = Header { pitch: 0xAAA, groups: 2, loop_group: 0, beats: 4 };
        let mut music = header.to_bytes().to_vec();
        music.resize(crate::file_io::SECTOR_BYTES as usize * 64, 0);
        Disc::of(&[(BANK, bytes), (Tune::Title.file(), music.clone()), (Tune::Pier.file(), music)])
    }

    pub fn started() -> Box<FakeGame> {
        let mut game = game();
        game.machine.disc = Some(disc());
        game.initialize_subsystems().unwrap();
        game
    }

    /// What the device is told in the next frame.
    pub fn told(game: &mut FakeGame) -> Vec<Command> {
        game.service_files();
        core::mem::take(&mut game.files.system.as_mut().unwrap().device_mut().posted)
    }

    #[test]
    fn start_up_loads_the_bank_and_begins_the_music() {
        let mut game = started();
        assert_eq!(game.machine.said("SOUND bank of 34 sounds"), 1, "{:?}", game.machine.log);
        assert_eq!(game.machine.said("SOUND"), 1, "nothing is missing");
        let told = told(&mut game);
        let volumes = [(0.7 * 16383.0) as u16, 0];
        assert!(
            matches!(told[..], [Command::Bank { .. }, Command::MusicPlay { volumes: v, .. }] if v == volumes),
            "{told:?}"
        );
    }

    #[test]
    fn a_level_has_a_tune_of_its_own_and_the_menus_theirs_again() {
        let mut game = started();
        let offset = |game: &mut FakeGame| {
            told(game).iter().find_map(|command| match command {
                Command::MusicPlay { offset, .. } => Some(*offset),
                _ => None,
            })
        };
        let title = offset(&mut game).expect("the title's tune");
        game.begin_level_sound();
        let pier = offset(&mut game).expect("the pier's tune");
        assert_ne!(title, pier);
        game.begin_level_sound();
        assert_eq!(offset(&mut game), None, "the same tune goes on");
        game.play_tune(Tune::Title);
        assert_eq!(offset(&mut game), Some(title));
    }

    #[test]
    fn a_game_without_the_files_is_silent_and_says_so() {
        let mut game = game();
        game.machine.disc = Some(Disc::sample());
        game.initialize_subsystems().unwrap();
        assert_eq!(game.machine.said("SOUND"), 2);
        assert_eq!(told(&mut game), []);
    }

    #[test]
    fn menus_are_heard() {
        let mut game = started();
        told(&mut game);
        game.play_menu_sound(MenuEvent::Moved);
        game.play_menu_sound(MenuEvent::None);
        let told = told(&mut game);
        assert!(matches!(told[..], [Command::Play { .. }]), "{told:?}");
    }

    #[test]
    fn answers_to_the_card_the_end_of_a_mission_and_a_refused_level_are_heard() {
        use crate::game_modes::memory_card::{CardHost as _, CardScreen, CardState};
        use crate::game_modes::{ModeId, launch_mission_complete};
        // Whether cross is heard in what is done while it is pressed.
        let heard = |work: &dyn Fn(&mut FakeGame)| {
            let mut game = started();
            told(&mut game);
            game.read_input();
            // The pads are read once in a frame.
            game.machine.count = game.machine.count.wrapping_add(crate::ee::ticks::PER_SECOND / 10);
            game.advance_real_time();
            game.machine.readings[0].as_mut().unwrap().buttons = crate::pads::button::CROSS;
            work(&mut game);
            told(&mut game).iter().any(|command| matches!(command, Command::Play { .. }))
        };
        let shown = |screen| heard(&|game| assert_ne!(game.show_card_screen(screen), Default::default()));
        assert!(shown(CardScreen::Problem(CardState::Absent)) && shown(CardScreen::AskOverwrite));
        assert!(!shown(CardScreen::Checking) && !shown(CardScreen::Saving), "nothing is asked");
        let completed = |kind| {
            heard(&|game| {
                launch_mission_complete(game, kind).unwrap();
                assert_eq!(game.stack.top(), Some(ModeId::MissionComplete));
                game.read_input();
                game.run_scripts(0.0);
            })
        };
        assert!(completed(3) && !completed(0), "without a reason to leave cross does nothing");
        assert!(heard(&|game| game.tell_refused_level("it is torn")));
    }

    #[test]
    fn the_world_s_sounds_begin_move_and_end() {
        let mut game = started();
        told(&mut game);
        let at = Vec3::new(3.0, 0.0, 1.0);
        let sound = game.with_tasks(|_, world| world.play_sound(name_hash("car_explode"), at, 1.0)).flatten().unwrap();
        let Command::Play { setting: near, .. } = told(&mut game)[0] else { panic!("it does not begin") };
        game.with_tasks(|_, world| world.move_sound(sound, at * 5.0));
        let Command::Adjust { setting: far, .. } = told(&mut game)[0] else { panic!("it does not move") };
        assert!(far.right < near.right, "{near:?} {far:?}");
        game.with_tasks(|_, world| world.stop_sound(sound));
        assert_eq!(told(&mut game), [Command::Stop(0)]);
        let unknown = game.with_tasks(|_, world| world.play_sound(name_hash("nothing"), at, 1.0)).flatten();
        assert_eq!(unknown, None);
    }

    #[test]
    fn nothing_is_heard_while_a_fault_is_shown() {
        let mut game = started();
        told(&mut game);
        game.silence(true);
        assert_eq!(told(&mut game), [Command::MusicVolume([0, 0])]);
        game.silence(false);
        assert_eq!(told(&mut game).len(), 1);
    }
}
