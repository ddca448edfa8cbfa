use super::*;
use crate::file_io::device::Fault;
use crate::file_io::fake::{BUFFER, Disc, Event, FakeDevice, REGION};
use crate::file_io::wait::tests::Ticking;
use std::string::{String as Text, ToString};
use std::vec::Vec;

type Files<'a> = StreamFileSystem<'a, FakeDevice>;

/// Notes what ended and what was in memory then.
#[derive(Default)]
struct Log {
    ended: Vec<(Text, Result<u32, FileError>, u32)>,
    bytes: Vec<Vec<u8>>,
    /// Asks for this file from within the first callback.
    follow_up: Option<&'static str>,
    /// What that request's own service did, and the manager's state then.
    inside: Vec<(Service, bool)>,
}

impl Callbacks<FakeDevice> for Log {
    fn finished(&mut self, manager: &mut FileManager, files: &mut Files<'_>, finished: &Finished) {
        self.ended.push((finished.name.to_string(), finished.result, finished.user));
        let length = finished.result.unwrap_or(0);
        self.bytes.push(files.landed(finished.region, length).to_vec());
        if let Some(name) = self.follow_up.take() {
            let was_busy = manager.is_busy();
            manager.request(ask(name), files, self).unwrap();
            let service = manager.service(files, self);
            self.inside.push((service, was_busy));
        }
    }
}

fn ask(name: &str) -> Request<'_> {
    Request { name, destination: None, length: None, callback: CallbackId(1), user: name.len() as u32 }
}

fn manager() -> FileManager {
    FileManager::new(BUFFER)
}

#[test]
fn an_unblocked_service_starts_or_finishes_at_most_one() {
    let disc = Disc::sample();
    let (mut files, mut manager, mut log) = (disc.files(FakeDevice::new(&disc)), manager(), Log::default());
    // Each request services once: the first starts its read, the second finishes it, the third starts the second.
    let ids: Vec<_> = ["small", "large", "small"]
        .iter()
        .map(|name| manager.request(ask(name), &mut files, &mut log).unwrap())
        .collect();
    assert_eq!(ids, [RequestId(1), RequestId(2), RequestId(3)]);
    assert_eq!((log.ended.len(), manager.pending(), manager.is_busy()), (1, 2, true));
    let services: Vec<_> = (0..5).map(|_| manager.service(&mut files, &mut log)).collect();
    assert_eq!(
        services,
        [
            Service::Finished(RequestId(2)),
            Service::Started(RequestId(3)),
            Service::Finished(RequestId(3)),
            Service::Idle,
            Service::Idle
        ]
    );
    let names: Vec<_> = log.ended.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["small", "large", "small"]);
}

#[test]
fn a_callback_may_request_and_its_service_is_a_reentry() {
    let disc = Disc::sample();
    let (mut files, mut manager) = (disc.files(FakeDevice::new(&disc)), manager());
    let mut log = Log { follow_up: Some("empty"), ..Log::default() };
    manager.request(ask("small"), &mut files, &mut log).unwrap();
    assert_eq!(manager.service(&mut files, &mut log), Service::Finished(RequestId(1)));
    assert_eq!(log.inside, [(Service::Reentered, true)]);
    assert_eq!(manager.pending(), 1);
    manager.service(&mut files, &mut log);
    assert_eq!(manager.service(&mut files, &mut log), Service::Finished(RequestId(2)));
    assert_eq!(log.ended[1], ("empty".to_string(), Ok(0), 5));
}

#[test]
fn a_file_lands_in_the_buffer_or_where_the_request_says_and_is_cut_to_its_length() {
    let disc = Disc::sample();
    let (mut files, mut manager, mut log) = (disc.files(FakeDevice::new(&disc)), manager(), Log::default());
    let elsewhere = Region::new(REGION.address() + 4096, 4096).unwrap();
    let requests = [
        ask("small"),
        ask("large"),
        Request { length: Some(777), ..ask("large") },
        Request { destination: Some(elsewhere), ..ask("large") },
    ];
    for request in requests {
        manager.request(request, &mut files, &mut log).unwrap();
    }
    manager.service_all(&mut files, &mut Ticking::by(1), &mut log).unwrap();
    let large = disc.bytes("large");
    assert_eq!(log.bytes, [disc.bytes("small"), &large[..0x8_0000], &large[..777], &large[..4096]]);
    assert_eq!(files.device_mut().started[0].destination, BUFFER);
    assert_eq!(files.device_mut().started[3].destination, elsewhere);
}

#[test]
fn a_missing_file_is_called_back_with_the_reason_and_the_next_one_loads() {
    let disc = Disc::sample();
    let (mut files, mut manager, mut log) = (disc.files(FakeDevice::new(&disc)), manager(), Log::default());
    manager.request(ask("nothing"), &mut files, &mut log).unwrap();
    manager.request(ask("small"), &mut files, &mut log).unwrap();
    manager.service_all(&mut files, &mut Ticking::by(1), &mut log).unwrap();
    assert_eq!(log.ended, [("nothing".to_string(), Err(FileError::NotFound), 7), ("small".to_string(), Ok(100), 5)]);
}

#[test]
fn long_names_and_a_full_queue_are_errors() {
    let disc = Disc::sample();
    let mut files = disc.files(FakeDevice::new(&disc).with_latency(usize::MAX));
    let (mut manager, mut log) = (manager(), Log::default());
    let long = "n".repeat(NAME_BYTES);
    assert_eq!(manager.request(ask(&long), &mut files, &mut log), Err(RequestError::NameTooLong));
    for _ in 0..QUEUE {
        manager.request(ask("small"), &mut files, &mut log).unwrap();
    }
    assert_eq!(manager.request(ask("small"), &mut files, &mut log), Err(RequestError::Full));
    assert_eq!((manager.refused, manager.pending()), (1, QUEUE));
}

#[test]
fn a_blocking_load_survives_a_fault_and_keeps_the_screen_alive() {
    let disc = Disc::sample();
    let device = FakeDevice::new(&disc).with(Event::Fault(Fault::TrayOpen, 100)).with(Event::Slow(50));
    let (mut files, mut manager, mut log) = (disc.files(device), manager(), Log::default());
    manager.request(ask("large"), &mut files, &mut log).unwrap();
    let mut waiter = Ticking::by(5);
    manager.service_all(&mut files, &mut waiter, &mut log).unwrap();
    assert_eq!(log.bytes, [&disc.bytes("large")[..BUFFER.bytes() as usize]]);
    let faults = waiter.called.iter().filter(|(_, fault)| *fault == Some(Fault::TrayOpen)).count();
    // Also while the drive tries again, until it has read.
    assert!(faults >= 10 && waiter.called.len() == faults, "{:?}", waiter.called);
}

#[test]
fn a_blocking_load_ends_when_its_person_gives_up_and_later_ones_still_work() {
    let disc = Disc::sample();
    let device = FakeDevice::new(&disc).with(Event::Fault(Fault::NoDisc, 1000));
    let (mut files, mut manager, mut log) = (disc.files(device), manager(), Log::default());
    manager.request(ask("small"), &mut files, &mut log).unwrap();
    manager.request(ask("empty"), &mut files, &mut log).unwrap();
    let mut waiter = Ticking { patience: 2, ..Ticking::by(10) };
    let given_up = FileError::GivenUp(Some(Fault::NoDisc));
    assert_eq!(manager.service_all(&mut files, &mut waiter, &mut log), Err(given_up));
    assert_eq!(log.ended, [("small".to_string(), Err(given_up), 5)]);
    manager.service_all(&mut files, &mut Ticking::by(1), &mut log).unwrap();
    assert_eq!(log.ended[1].1, Ok(0));
}

#[test]
fn a_reader_of_the_same_file_system_only_delays_the_manager() {
    let disc = Disc::sample();
    let mut files = disc.files(FakeDevice::new(&disc).with_latency(2));
    let (mut manager, mut log) = (manager(), Log::default());
    let other = files.open(disc.name("large")).unwrap();
    files.start_read(other, 0, 2048, REGION).unwrap();
    manager.request(ask("small"), &mut files, &mut log).unwrap();
    assert!(!manager.is_busy());
    manager.service_all(&mut files, &mut Ticking::by(1), &mut log).unwrap();
    assert_eq!(log.ended, [("small".to_string(), Ok(100), 5)]);
}

#[test]
fn a_file_that_is_missing_does_not_end_somebody_else_s_read() {
    let disc = Disc::sample();
    let mut files = disc.files(FakeDevice::new(&disc).with_latency(2));
    let (mut manager, mut log) = (manager(), Log::default());
    let other = files.open(disc.name("large")).unwrap();
    files.start_read(other, 0, 2048, REGION).unwrap();
    manager.request(ask("nothing"), &mut files, &mut log).unwrap();
    assert_eq!(log.ended, [("nothing".to_string(), Err(FileError::NotFound), 7)]);
    assert_eq!(files.read_state(), ReadState::Busy);
}

#[test]
fn who_waits_behind_a_drive_that_never_comes_can_give_up() {
    let disc = Disc::sample();
    let device = FakeDevice::new(&disc).with(Event::Fault(Fault::NoDisc, usize::MAX));
    let mut files = disc.files(device);
    let (mut manager, mut log) = (manager(), Log::default());
    let other = files.open(disc.name("large")).unwrap();
    files.start_read(other, 0, 2048, REGION).unwrap();
    manager.request(ask("small"), &mut files, &mut log).unwrap();
    let mut waiter = Ticking { patience: 3, ..Ticking::by(10) };
    assert_eq!(manager.service_all(&mut files, &mut waiter, &mut log), Err(FileError::GivenUp(Some(Fault::NoDisc))));
    assert_eq!((manager.pending(), log.ended.len()), (0, 1), "nothing is read for it later");
}

#[test]
fn nothing_is_read_until_a_silent_device_has_given_memory_back() {
    let disc = Disc::sample();
    let mut files = disc.files(FakeDevice::new(&disc).with(Event::Fault(Fault::Silent, 40)));
    let (mut manager, mut log) = (manager(), Log::default());
    manager.request(ask("large"), &mut files, &mut log).unwrap();
    let mut waiter = Ticking { patience: 1, ..Ticking::by(10) };
    let given_up = Err(FileError::GivenUp(Some(Fault::Silent)));
    assert_eq!(manager.service_all(&mut files, &mut waiter, &mut log), given_up.map(|_: u32| ()));
    assert!(files.lent().is_some());
    manager.request(ask("small"), &mut files, &mut log).unwrap();
    assert!(!manager.is_busy(), "its turn has not come");
    let mut waiter = Ticking::by(10);
    manager.service_all(&mut files, &mut waiter, &mut log).unwrap();
    assert_eq!(waiter.called.first().and_then(|(_, fault)| *fault), Some(Fault::Silent), "the screen says why");
    assert_eq!(log.ended.last().map(|(_, result, _)| *result), Some(Ok(100)));
}
