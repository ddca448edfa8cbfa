use super::*;
use proptest::prelude::*;
use std::vec::Vec;

const SETTING: VoiceSetting = VoiceSetting { pitch: 0x800, left: 0x3FFF, right: 0x1234 };

fn all() -> Vec<Command> {
    let mut path = [0; PATH_BYTES];
    path[..5].copy_from_slice(b"\\A;1\0");
    std::vec![
        Command::Open(path),
        Command::Read { offset: 4096, length: 77 },
        Command::Destination(0x10_0000),
        Command::Start { serial: 3 },
        Command::Cancel { serial: 3 },
        Command::Throttle { sector: 1200, seek: 160_000 },
        Command::Fault { fault: fault::UNREADABLE, commands: 2 },
        Command::Scratch { offset: 4096, bytes: 2048 },
        Command::Mute { milliseconds: 1500 },
        Command::MusicPlay { offset: 2048, bytes: 99_999, volumes: [0x2000, 0x1000] },
        Command::MusicStop,
        Command::MusicVolume([5, 0x3FFF]),
        Command::Bank { offset: 2048, bytes: 64 },
        Command::Play { voice: 21, address: 640, setting: SETTING },
        Command::Stop(7),
        Command::Adjust { voice: 1, setting: SETTING },
        Command::Hear(2),
    ]
}

fn read_all(mut words: &[u32]) -> Vec<Option<Command>> {
    core::iter::from_fn(|| take(&mut words)).collect()
}

#[test]
fn every_command_is_read_as_it_was_written() {
    let mut list = List::new();
    for command in all() {
        assert!(list.add(&command), "{command:?}");
    }
    assert_eq!(read_all(list.words()), all().into_iter().map(Some).collect::<Vec<_>>());
}

#[test]
fn a_read_has_the_original_s_numbers() {
    let mut list = List::new();
    for command in [Command::Read { offset: 2048, length: 5 }, Command::Destination(0x40), Command::Start { serial: 1 }]
    {
        list.add(&command);
    }
    assert_eq!(list.words(), [0x3_0029, 0, 2048, 5, 0x1_0031, 0x40, 0x2_0001, 1, 0x7E]);
}

#[test]
fn a_full_list_takes_nothing_in_part() {
    let mut list = List::new();
    let taken = (0..40).filter(|_| list.add(&Command::Throttle { sector: 1, seek: 2 })).count();
    assert_eq!((taken, list.words().len()), (LIST_WORDS / 3, LIST_WORDS / 3 * 3));
}

#[test]
fn a_list_takes_another_whole_or_not_at_all() {
    let (mut list, mut other) = (List::new(), List::new());
    list.add(&Command::Stop(1));
    other.add(&Command::Stop(2));
    assert!(list.append(&other));
    assert_eq!(read_all(list.words()), [Some(Command::Stop(1)), Some(Command::Stop(2))]);
    while list.add(&Command::Stop(3)) {}
    let before = list.clone();
    assert!(!list.append(&other));
    assert_eq!(list, before);
}

#[test]
fn commands_that_mean_nothing_do_not_stop_the_ones_behind() {
    assert_eq!(read_all(&[0x0_00FF, 0x1_00A2, 4]), [None, Some(Command::Stop(4))]);
    assert_eq!(read_all(&[0x2_00A2, 4, 4, 0x0_0091]), [None, Some(Command::MusicStop)]);
    assert_eq!(read_all(&[0x9_00A2, 4]), [None], "cut");
}

#[test]
fn a_status_is_read_back_and_other_words_are_none() {
    let status = Status {
        open: Progress::Done,
        open_fault: 1,
        file_bytes: 2,
        read: Progress::Failed,
        read_fault: 3,
        serial: 4,
        delivered: 5,
        retries: 6,
        ready: true,
        drive_fault: 11,
        music: false,
        music_group: 7,
        music_sample: 10,
        underruns: 8,
        sound: true,
        bank: false,
        refused: 9,
        stopped: true,
        heard: Heard { envelope: 255, left: 127, right: 11 },
    };
    assert_eq!(Status::from_words(&status.to_words()), Some(status));
    assert_eq!(Status::from_words(&[0; STATUS_WORDS]), None);
}

proptest! {
    #[test]
    fn hostile_lists_end(words in proptest::collection::vec(any::<u32>(), 0..64)) {
        prop_assert!(read_all(&words).len() <= words.len());
    }
}
