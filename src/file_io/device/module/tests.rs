use super::*;
use boardwalk_iop::protocol::{VoiceSetting, take};
use std::vec;
use std::vec::Vec;

const REGION: Region = Region::new(0x10_0000, 0x1_0000).unwrap();
const FILE_BYTES: u32 = 300_000;

/// The module as the protocol describes it, and a link that loses what the test says.
struct Module {
    status: Status,
    ask: (u32, u32, u32),
    /// Calls until an open or read has ended.
    work: u32,
    /// The fault that reads fail with.
    fails: u32,
    /// Which calls, counted from 0, get no answer; and whether the module has heard them.
    loses: Vec<(u32, bool)>,
    /// All answers are lost from this call on.
    dies_at: u32,
    /// Calls, counted from 0, that cannot be sent.
    refuses: Vec<u32>,
    calls: u32,
    answer: Answer,
    starts: u32,
    sounds: u32,
    lent: Vec<Region>,
    back: Vec<Region>,
}

impl Module {
    fn new() -> Self {
        Self {
            status: Status::IDLE,
            ask: (0, 0, 0),
            work: 2,
            fails: fault::NONE,
            loses: vec![],
            dies_at: u32::MAX,
            refuses: vec![],
            calls: 0,
            answer: Answer::Lost,
            starts: 0,
            sounds: 0,
            lent: vec![],
            back: vec![],
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Open(path) => {
                self.status.open = Progress::Busy;
                self.status.open_fault = if path.starts_with(b"\\GOOD") { fault::NONE } else { fault::NOT_FOUND };
                self.work = 2;
            }
            Command::Read { offset, length } => self.ask = (offset, length, self.ask.2),
            Command::Destination(address) => self.ask.2 = address,
            Command::Start { serial } if serial != self.status.serial && self.status.read != Progress::Busy => {
                self.status.read = Progress::Busy;
                self.status.serial = serial;
                self.starts += 1;
                self.work = 2;
            }
            Command::Cancel { serial } if serial == self.status.serial => self.fails = fault::CANCELLED,
            Command::Play { .. } | Command::MusicPlay { .. } => self.sounds += 1,
            _ => {}
        }
    }

    fn work(&mut self) {
        if self.work > 0 {
            self.work -= 1;
            return;
        }
        if self.status.open == Progress::Busy {
            let found = self.status.open_fault == fault::NONE;
            self.status.open = if found { Progress::Done } else { Progress::Failed };
            self.status.file_bytes = FILE_BYTES;
        }
        if self.status.read == Progress::Busy {
            let fails = core::mem::replace(&mut self.fails, fault::NONE);
            self.status.read_fault = fails;
            self.status.ready = !fault_of(fails).is_temporary() || fails == fault::NONE;
            self.status.drive_fault = if self.status.ready { fault::NONE } else { fails };
            self.status.read = if fails == fault::NONE { Progress::Done } else { Progress::Failed };
            self.status.delivered = self.ask.1;
        }
    }
}

impl Channel for Module {
    fn begin(&mut self, function: u32, words: &[u32]) -> bool {
        let call = self.calls;
        self.calls += 1;
        if self.refuses.contains(&call) {
            return false;
        }
        let lost = self.loses.iter().find(|(number, _)| *number == call).copied();
        let dead = call >= self.dies_at;
        if !dead && lost.is_none_or(|(_, heard)| heard) {
            self.work();
            let mut list = words;
            if function == COMMANDS {
                while let Some(command) = take(&mut list) {
                    self.obey(command.unwrap());
                }
            }
        }
        self.answer = if dead || lost.is_some() { Answer::Lost } else { Answer::Words(self.status.to_words()) };
        true
    }

    fn poll(&mut self) -> Answer {
        self.answer
    }

    fn lend(&mut self, region: Region) {
        self.lent.push(region);
    }

    fn take_back(&mut self, region: Region) {
        self.back.push(region);
    }

    fn memory(&self, _: Region, _: u32) -> &[u8] {
        &[]
    }
}

fn end(device: &mut ModuleDevice<Module>) -> DeviceState {
    (0..30).map(|_| device.poll()).find(|state| *state != DeviceState::Busy).unwrap_or(DeviceState::Busy)
}

fn read() -> Read {
    Read { offset: 4096, length: 5000, destination: REGION }
}

#[test]
fn an_open_tells_the_file_s_size_and_a_missing_file() {
    let mut device = ModuleDevice::new(Module::new());
    device.open("\\GOOD.WAD;1").unwrap();
    assert_eq!(device.open("\\GOOD.WAD;1"), Err(Fault::Refused), "one at a time");
    assert_eq!(end(&mut device), DeviceState::Done(FILE_BYTES));
    device.open("\\OTHER;1").unwrap();
    assert_eq!(end(&mut device), DeviceState::Failed(Fault::NotFound));
    assert_eq!(device.open(&"x".repeat(PATH_BYTES)), Err(Fault::Refused));
}

#[test]
fn a_read_lends_its_memory_and_takes_it_back_at_the_end() {
    let mut device = ModuleDevice::new(Module::new());
    device.start(read()).unwrap();
    assert_eq!(device.channel.lent, [REGION]);
    assert_eq!(device.channel.back, []);
    assert_eq!(end(&mut device), DeviceState::Done(5000));
    assert_eq!(device.channel.back, [REGION]);
    assert_eq!(device.channel.ask, (4096, 5000, REGION.address()));
}

#[test]
fn lost_answers_never_make_a_read_happen_twice_or_not_at_all() {
    for call in 0..6 {
        for heard in [false, true] {
            let module = Module { loses: vec![(call, heard), (call + 1, heard)], ..Module::new() };
            let mut device = ModuleDevice::new(module);
            device.start(read()).unwrap();
            assert_eq!(end(&mut device), DeviceState::Done(5000), "call {call}, heard {heard}");
            assert_eq!(device.channel.starts, 1, "call {call}, heard {heard}");
        }
    }
}

#[test]
fn a_module_that_stays_silent_is_a_fault_and_the_next_read_works_when_it_speaks_again() {
    let mut device = ModuleDevice::new(Module { dies_at: 1, ..Module::new() });
    device.start(read()).unwrap();
    assert_eq!(end(&mut device), DeviceState::Failed(Fault::Silent));
    assert!(!(0..10).any(|_| device.is_ready()));
    device.channel.dies_at = u32::MAX;
    assert!((0..10).any(|_| device.is_ready()));
    device.start(read()).unwrap();
    assert_eq!(end(&mut device), DeviceState::Done(5000));
    assert_eq!(device.channel.starts, 2);
}

#[test]
fn a_module_that_falls_silent_while_nothing_is_read_is_told_and_so_is_its_return() {
    let mut device = ModuleDevice::new(Module::new());
    let frames = |device: &mut ModuleDevice<Module>, frames: u32| (0..frames).for_each(|_| device.end_frame());
    frames(&mut device, 4);
    assert_eq!((device.drive_fault(), device.lost), (None, 0));
    device.channel.dies_at = device.channel.calls;
    frames(&mut device, LOSSES);
    assert_eq!(device.drive_fault(), None, "the last answer may still come");
    frames(&mut device, 1);
    assert_eq!((device.drive_fault(), device.lost), (Some(Fault::Silent), LOSSES));
    device.channel.dies_at = u32::MAX;
    frames(&mut device, 2);
    assert_eq!(device.drive_fault(), None);
}

#[test]
fn a_read_that_the_module_fell_silent_over_keeps_its_memory_until_the_module_has_ended_it() {
    let mut device = ModuleDevice::new(Module { dies_at: 1, ..Module::new() });
    device.start(read()).unwrap();
    assert_eq!(device.lent(), None, "the read has it");
    assert_eq!(end(&mut device), DeviceState::Failed(Fault::Silent));
    assert_eq!(device.lent(), Some(REGION));
    device.cancel();
    device.channel.dies_at = u32::MAX;
    // The module is in the middle of the read when it is heard again.
    device.channel.work = 3;
    let heard: Vec<bool> = (0..8).map(|_| (device.is_ready(), device.lent().is_some()).1).collect();
    assert!(heard[1] && !heard[7], "{heard:?}");
    assert_eq!(device.channel.status.read, Progress::Failed, "it was told that nobody wants it");
}

#[test]
fn what_was_posted_goes_with_the_next_call_when_one_cannot_be_sent() {
    let music = Command::MusicPlay { offset: 0, bytes: 4096, volumes: [1, 1] };
    for reads in [false, true] {
        let mut device = ModuleDevice::new(Module { refuses: vec![0], ..Module::new() });
        assert!(device.post(&music));
        if reads {
            device.start(read()).unwrap();
            assert_eq!(end(&mut device), DeviceState::Done(5000));
        } else {
            (0..4).for_each(|_| device.end_frame());
        }
        assert_eq!((device.channel.sounds, device.lost), (1, 1), "reads {reads}");
    }
}

#[test]
fn faults_of_the_drive_are_told_and_the_drive_s_readiness_with_them() {
    for (number, expected) in [
        (fault::TRAY_OPEN, Fault::TrayOpen),
        (fault::WRONG_DISC, Fault::WrongDisc),
        (fault::UNREADABLE, Fault::Unreadable),
        (fault::NO_DISC, Fault::NoDisc),
        (fault::TIME_OUT, Fault::DriveTimeOut),
    ] {
        let mut device = ModuleDevice::new(Module { fails: number, ..Module::new() });
        device.start(read()).unwrap();
        assert_eq!(device.drive_fault(), None);
        assert_eq!(end(&mut device), DeviceState::Failed(expected));
        assert_eq!(device.drive_fault(), Some(expected));
        assert!(!(0..10).any(|_| device.is_ready()), "{expected}");
        device.channel.status.ready = true;
        assert!((0..10).any(|_| device.is_ready()), "{expected}");
    }
}

#[test]
fn a_cancelled_read_ends_as_cancelled() {
    // The start's own answer may be on its way, lost, or lost with the start.
    for loses in [vec![], vec![(0, true)], vec![(0, false)]] {
        let mut device = ModuleDevice::new(Module { loses, ..Module::new() });
        device.start(read()).unwrap();
        device.cancel();
        assert_eq!(end(&mut device), DeviceState::Failed(Fault::Cancelled));
        assert_eq!(device.channel.back, [REGION]);
    }
}

#[test]
fn sounds_go_along_without_disturbing_a_read() {
    let mut device = ModuleDevice::new(Module { work: 10, ..Module::new() });
    let setting = VoiceSetting { pitch: 0x800, left: 1, right: 1 };
    device.start(read()).unwrap();
    assert!(device.post(&Command::Play { voice: 3, address: 0, setting }));
    assert_eq!(end(&mut device), DeviceState::Done(5000));
    assert!(device.post(&Command::Play { voice: 4, address: 0, setting }));
    device.poll();
    assert_eq!(device.channel.sounds, 2);
}

#[test]
fn a_frame_makes_one_call_whatever_is_asked_in_it() {
    let mut device = ModuleDevice::new(Module::new());
    let play = Command::Play { voice: 1, address: 0, setting: VoiceSetting { pitch: 1, left: 1, right: 1 } };
    for frame in 1..=10 {
        if frame == 3 {
            device.start(read()).unwrap();
        }
        if frame > 3 {
            device.poll();
        }
        device.post(&play);
        device.end_frame();
        assert_eq!(device.channel.calls, frame, "frame {frame}");
    }
    assert_eq!(device.poll(), DeviceState::Done(5000));
    assert!(
        device.channel.sounds >= 9,
        "{}: what was posted behind the call goes with the next one",
        device.channel.sounds
    );
}

#[test]
fn reads_that_the_module_would_refuse_are_refused_at_once() {
    let mut device = ModuleDevice::new(Module::new());
    assert_eq!(device.start(Read { offset: 5, ..read() }), Err(Fault::Refused));
    assert_eq!(device.start(Read { length: 0x1_0001, ..read() }), Err(Fault::Refused));
    assert_eq!(device.channel.lent, []);
}

#[test]
fn a_module_of_which_a_thread_stands_is_silent_until_it_goes_on() {
    let mut device = ModuleDevice::new(Module::new());
    device.start(read()).unwrap();
    device.channel.status.stopped = true;
    assert_eq!(end(&mut device), DeviceState::Failed(Fault::Silent));
    assert_eq!((device.drive_fault(), device.lent()), (Some(Fault::Silent), Some(REGION)));
    device.channel.status.stopped = false;
    assert!((0..10).any(|_| device.is_ready()));
    assert_eq!((device.drive_fault(), device.lent()), (None, None));
}

#[test]
fn what_went_with_a_call_that_was_not_sent_goes_with_the_next() {
    let mut device = ModuleDevice::new(Module { refuses: vec![0], ..Module::new() });
    assert!(device.post(&Command::Stop(1)));
    device.carried = core::mem::take(&mut device.posted);
    device.is_calling = true;
    assert!(device.post(&Command::Stop(2)));
    device.channel.answer = Answer::Unsent;
    device.poll();
    let mut both = List::new();
    assert!(both.add(&Command::Stop(1)) && both.add(&Command::Stop(2)));
    assert_eq!((&device.posted, device.lost), (&both, 2), "the next could not be sent either");
}

#[test]
fn who_gives_a_read_up_is_not_told_of_its_bad_sectors_any_more() {
    for (number, told) in [(fault::UNREADABLE, None), (fault::TRAY_OPEN, Some(Fault::TrayOpen))] {
        let mut device = ModuleDevice::new(Module { fails: number, ..Module::new() });
        device.start(read()).unwrap();
        end(&mut device);
        assert!(device.drive_fault().is_some());
        device.cancel();
        assert_eq!(device.drive_fault(), told);
        device.end_frame();
        assert_eq!(device.drive_fault(), told);
    }
}
