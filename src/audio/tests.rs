use super::*;
use crate::file_io::device::{DeviceState, Fault, Read};
use crate::file_io::fake::{BUFFER, Disc, FakeDevice};
use crate::maths::Vec3;
use boardwalk_iop::protocol::{List, Status, VoiceSetting};
use core::ops::ControlFlow;
use std::vec;
use std::vec::Vec as Items;

/// A disc of a bank and music, and what a device was told in each frame.
struct Heard {
    disc: FakeDevice,
    list: List,
    posted: Items<Command>,
    frames: Items<Items<Command>>,
    status: Status,
}

impl StreamDevice for Heard {
    fn open(&mut self, path: &str) -> Result<(), Fault> {
        self.disc.open(path)
    }
    fn start(&mut self, read: Read) -> Result<(), Fault> {
        self.disc.start(read)
    }
    fn poll(&mut self) -> DeviceState {
        self.disc.poll()
    }
    fn cancel(&mut self) {
        self.disc.cancel();
    }
    fn is_ready(&mut self) -> bool {
        self.disc.is_ready()
    }
    fn landed(&self, region: Region, length: u32) -> &[u8] {
        self.disc.landed(region, length)
    }
    fn post(&mut self, command: &Command) -> bool {
        let fits = self.list.add(command);
        if fits {
            self.posted.push(*command);
        }
        fits
    }
    fn module_status(&self) -> Option<&Status> {
        Some(&self.status)
    }
    fn end_frame(&mut self) {
        self.list.clear();
        self.frames.push(core::mem::take(&mut self.posted));
    }
}

struct Now;

impl Waiter for Now {
    fn milliseconds(&mut self) -> u32 {
        0
    }
    fn loading(&mut self, _: Option<Fault>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A bank of these sounds, each a second long, and music of 12 groups and beats.
fn disc(names: &[&str]) -> Disc {
    let bytes = 24_000 / 28 * 16;
    let sounds = names.iter().enumerate().map(|(number, name)| Sound {
        name: NameHash::of_file(name).unwrap(),
        offset: number as u32 * 64,
        bytes,
        pitch: 0x800,
        loops: false,
    });
    let blocks = (bytes + names.len() as u32 * 64).next_multiple_of(64);
    let mut bank = bank::header(names.len() as u32, 2048, blocks).to_vec();
    bank.extend(sounds.flat_map(Sound::to_bytes));
    bank.resize(2048 + blocks as usize, 0);
    let header = Header { pitch: 0xAAA, groups: 12, loop_group: 0, beats: 12 };
    let mut music = header.to_bytes().to_vec();
    music.resize(Header::group_offset(12) as usize, 0);
    Disc::of(&[("bank", bank), ("music", music), ("none", vec![0; 100])])
}

fn device(disc: &Disc) -> Heard {
    let list = List::new();
    Heard { disc: FakeDevice::new(disc), list, posted: vec![], frames: vec![], status: Status::IDLE }
}

const WALK: Cue = Cue::Step(cues::Surface::Wood, cues::Gait::Walk);
const FRAME: f32 = 1.0 / 30.0;

fn loaded<'d>(disc: &'d Disc) -> (Audio, StreamFileSystem<'d, Heard>) {
    let mut files = disc.files_on(device(disc));
    let mut audio = Audio::new();
    audio.load_bank(&mut files, &mut Now, BUFFER, "bank").unwrap();
    audio.update(files.device_mut(), FRAME);
    (audio, files)
}

#[test]
fn a_bank_is_told_once_and_its_sounds_are_found() {
    let disc = disc(&["glass_1", "bell"]);
    let (mut audio, mut files) = loaded(&disc);
    audio.update(files.device_mut(), FRAME);
    let bank = files.place(disc.name("bank")).unwrap();
    let told = Command::Bank { offset: bank.offset + 2048, bytes: bank.size - 2048 };
    assert_eq!(files.device_mut().frames, [vec![told], vec![]]);
    assert!(audio.find("bell").is_some() && audio.find("bells").is_none());
    assert_eq!(audio.missing().count(), FAMILIES.len() - 1);
}

#[test]
fn variants_take_turns_and_none_sounds_like_the_last() {
    let disc = disc(&["step_wood_walk_1", "step_wood_walk_2", "step_wood_walk_3"]);
    let (mut audio, mut files) = loaded(&disc);
    for _ in 0..6 {
        audio.cue(WALK, Source::MIDDLE).unwrap();
        audio.update(files.device_mut(), FRAME);
    }
    assert_eq!(audio.cue(Cue::Glass, Source::MIDDLE), None, "not in the bank");
    let played: Items<(u32, u16)> = files.device_mut().frames[1..]
        .iter()
        .map(|frame| match frame[..] {
            [Command::Play { address, setting, .. }] => (address, setting.pitch),
            _ => panic!("{frame:?}"),
        })
        .collect();
    assert_eq!(played.iter().map(|played| played.0).collect::<Items<_>>(), [0, 64, 128, 0, 64, 128]);
    assert!(played.windows(2).all(|pair| pair[0].1 != pair[1].1), "{played:?}");
    assert!(played.iter().all(|(_, pitch)| pitch.abs_diff(0x800) <= 82), "{played:?}");
}

#[test]
fn sounds_are_heard_from_where_the_listener_is() {
    let disc = disc(&["glass_1"]);
    let (mut audio, mut files) = loaded(&disc);
    audio.set_listener(Listener { place: Vec3::new(100.0, 0.0, 0.0), right: Vec3::Y });
    assert_eq!(audio.cue(Cue::Glass, Source::At(Vec3::ZERO)), None, "too far away");
    let handle = audio.cue(Cue::Glass, Source::At(Vec3::new(100.0, 2.5, 0.0))).unwrap();
    audio.update(files.device_mut(), FRAME);
    audio.voices().set_volume(handle, 0.5);
    audio.update(files.device_mut(), FRAME);
    let [.., played, adjusted] = &files.device_mut().frames[..] else { panic!() };
    let right = |setting: &VoiceSetting| (setting.left, setting.right);
    assert!(matches!(&played[..], [Command::Play { setting, .. }] if right(setting) == (0, 0x3F00)), "{played:?}");
    assert!(
        matches!(&adjusted[..], [Command::Adjust { setting, .. }] if right(setting) == (0, 0x1F00)),
        "{adjusted:?}"
    );
}

#[test]
fn music_begins_changes_its_layer_on_a_beat_and_ends() {
    let disc = disc(&[]);
    let mut files = disc.files_on(device(&disc));
    let mut audio = Audio::new();
    audio.start_music(&mut files, &mut Now, BUFFER, "music").unwrap();
    audio.update(files.device_mut(), FRAME);
    let music = files.place(disc.name("music")).unwrap();
    let begin = Command::MusicPlay { offset: music.offset, bytes: music.size, volumes: [FULL_VOLUME, 0] };
    assert_eq!(files.device_mut().frames, [vec![begin]]);
    audio.want_layer(Layer::Fight);
    for frame in 0..60 {
        files.device_mut().status.music_sample = frame * 32_000 / 30;
        audio.update(files.device_mut(), FRAME);
    }
    let changes = &files.device_mut().frames[1..];
    let first = changes.iter().position(|frame| !frame.is_empty()).unwrap();
    assert_eq!(first, 14, "a beat is 14,336 samples");
    assert!(changes.iter().all(|frame| frame.len() <= 1));
    assert_eq!(changes.iter().flatten().last(), Some(&Command::MusicVolume([0, FULL_VOLUME])));
    audio.stop_music();
    audio.update(files.device_mut(), FRAME);
    assert_eq!(files.device_mut().frames.last().unwrap(), &[Command::MusicStop]);
}

#[test]
fn a_frame_s_list_never_overflows_and_nothing_is_lost() {
    let disc = disc(&["step_wood_walk_1"]);
    let (mut audio, mut files) = loaded(&disc);
    for _ in 0..VOICES {
        audio.cue(WALK, Source::MIDDLE).unwrap();
    }
    for _ in 0..3 {
        audio.update(files.device_mut(), 0.001);
    }
    let frames: Items<usize> = files.device_mut().frames[1..].iter().map(Items::len).collect();
    assert_eq!(frames.iter().sum::<usize>(), VOICES, "{frames:?}");
    assert!(frames[0] < VOICES, "{frames:?}");
}

#[test]
fn files_that_are_none_are_refused_and_change_nothing() {
    let disc = disc(&["glass_1"]);
    let (mut audio, mut files) = loaded(&disc);
    let bank = |audio: &mut Audio, files: &mut _, name| audio.load_bank(files, &mut Now, BUFFER, name);
    assert_eq!(bank(&mut audio, &mut files, "gone"), Err(AudioError::File(FileError::NotFound)));
    assert_eq!(bank(&mut audio, &mut files, "none"), Err(AudioError::Bank(BankError::NoBank)));
    assert_eq!(audio.start_music(&mut files, &mut Now, BUFFER, "none"), Err(AudioError::NoMusic));
    assert!(audio.find("glass_1").is_some());
}
