//! Lets everything fail that can, and looks that each fault is told as what it is and that all goes on when it is gone.

use super::{Archive, Device, FRAME, Reason, finish, next_frame, rates, scratches, told};
use crate::ee::sif::heap::Heap;
use crate::ee::sif::link::Link;
use crate::ee::sif::loader::Loader;
use crate::ee::streams::load;
use crate::ee::{cop0, ticks};
use crate::file_io::device::start::{OWN, load_one};
use crate::file_io::device::{ERROR_MODE, Fault};
use crate::file_io::name::{Crc32, NameHash};
use crate::file_io::{FileError, Read, ReadState, Region, SECTOR_BYTES, StreamDevice, StreamFile, StreamFileSystem};
use crate::tty_println;
use alloc::vec::Vec;
use boardwalk_iop::protocol::{ALWAYS, Command, fault};

/// What is read while everything fails.
const FILE: &str = "sound/pier.music";
/// Bytes of a read.
const BYTES: u32 = 100 * SECTOR_BYTES;
/// Frames until a fault must be told, a hanging drive's five seconds and four tries included.
const PATIENCE: u32 = 40 * 30;
/// Frames for which a fault lasts before it is taken away.
const LASTS: u32 = 30;
/// A drive that struggles with every sector: microseconds of a sector and a seek.
const STRUGGLING: Command = Command::Throttle { sector: 15_000, seek: 300_000 };
/// Longer than an answer is waited for, and longer than all answers after which the module counts as silent.
const ONE_ANSWER: Command = Command::Mute { milliseconds: 1_300 };
/// See [`ONE_ANSWER`].
const ALL_ANSWERS: Command = Command::Mute { milliseconds: 4_500 };
/// Ticks of the EE that asking may take, whatever the drive does: a hundredth of a frame.
const ASKING: u32 = FRAME / 100;
/// The IOP's memory is taken in blocks of this many bytes, and what is left in smaller ones.
const HOARD: u32 = 0x1_0000;
/// See [`HOARD`].
const HOARD_REST: u32 = 0x1000;
/// So many of them have room for the module, and none for its buffers.
const ROOM_FOR_ITSELF: usize = 4;

pub(super) type Files<'a, 'l> = StreamFileSystem<'a, Device<'l>>;

/// The module finds no memory, for itself or for its buffers: it does not load, and does when the memory is free.
pub fn full_heap(heap: &Heap, loader: &Loader, link: &mut Link) -> Result<(), Reason> {
    let (mut hoarded, mut taken) = (Vec::new(), 0);
    for bytes in [HOARD, HOARD_REST] {
        while let Some(block) = heap.allocate(link, bytes).map_err(|_| "the IOP's memory is not served")? {
            hoarded.push(block);
            taken += bytes;
        }
    }
    let mut refused = true;
    for left in [0, ROOM_FOR_ITSELF] {
        for block in hoarded.drain(..left) {
            heap.free(link, block).map_err(|_| "the IOP's memory does not come back")?;
            taken -= HOARD;
        }
        let loaded = load_one(OWN, &mut |module| load(loader, link, module));
        match loaded {
            Ok(()) => refused = false,
            Err(missing) => {
                tty_println!("FACT stream full-heap taken {taken} {} told {}", missing.module.name, missing.error);
            }
        }
    }
    for block in hoarded {
        heap.free(link, block).map_err(|_| "the IOP's memory does not come back")?;
    }
    if refused { Ok(()) } else { Err("the module loads without memory") }
}

/// A fault and what must come of it.
struct Case {
    name: &'static str,
    /// What is told to the module before the read.
    before: Option<Command>,
    /// What is told to it once the first bytes have come.
    during: Option<Command>,
    /// What the drive fails with in place of that after half the while, and what is told then: another disc is put in.
    turns: Option<(u32, Fault)>,
    /// What is told to it after the fault has been seen for a while.
    mend: Command,
    /// The fault that is to be seen, if any.
    expected: Option<Fault>,
}

const MENDED: Command = Command::Fault { fault: fault::NONE, commands: 0 };

const fn failing(fault: u32) -> Option<Command> {
    Some(Command::Fault { fault, commands: ALWAYS })
}

/// Every case: faults that the drive tells, faults within a read, faults that retries overcome, slow ones, lost answers.
const CASES: [Case; 14] = [
    Case {
        name: "unreadable",
        before: failing(fault::UNREADABLE),
        during: None,
        turns: None,
        mend: MENDED,
        expected: Some(Fault::Unreadable),
    },
    Case {
        name: "no-disc",
        before: failing(fault::NO_DISC),
        during: None,
        turns: None,
        mend: MENDED,
        expected: Some(Fault::NoDisc),
    },
    Case {
        name: "wrong-disc",
        before: failing(fault::WRONG_DISC),
        during: None,
        turns: None,
        mend: MENDED,
        expected: Some(Fault::WrongDisc),
    },
    Case {
        name: "tray-before",
        before: failing(fault::TRAY_OPEN),
        during: None,
        turns: None,
        mend: MENDED,
        expected: Some(Fault::TrayOpen),
    },
    Case {
        name: "tray-within",
        before: None,
        during: failing(fault::TRAY_OPEN),
        turns: None,
        mend: MENDED,
        expected: Some(Fault::TrayOpen),
    },
    Case {
        name: "tray-between",
        before: Some(Command::Fault { fault: fault::TRAY_MOVED, commands: 1 }),
        during: None,
        turns: None,
        mend: MENDED,
        expected: Some(Fault::TrayOpen),
    },
    Case {
        name: "tray-another-disc",
        before: None,
        during: failing(fault::TRAY_OPEN),
        turns: Some((fault::WRONG_DISC, Fault::WrongDisc)),
        mend: MENDED,
        expected: Some(Fault::TrayOpen),
    },
    Case {
        name: "tray-no-disc",
        before: None,
        during: failing(fault::TRAY_OPEN),
        turns: Some((fault::NO_DISC, Fault::NoDisc)),
        mend: MENDED,
        expected: Some(Fault::TrayOpen),
    },
    Case {
        name: "hanging-drive",
        before: failing(fault::TIME_OUT),
        during: None,
        turns: None,
        mend: MENDED,
        expected: Some(Fault::DriveTimeOut),
    },
    Case {
        name: "two-bad-tries",
        before: Some(Command::Fault { fault: fault::UNREADABLE, commands: 2 }),
        during: None,
        turns: None,
        mend: MENDED,
        expected: None,
    },
    Case {
        name: "slow-sectors",
        before: Some(STRUGGLING),
        during: None,
        turns: None,
        mend: rates::SLOW,
        expected: None,
    },
    Case { name: "lost-answer", before: Some(ONE_ANSWER), during: None, turns: None, mend: MENDED, expected: None },
    Case {
        name: "silence",
        before: Some(ALL_ANSWERS),
        during: None,
        turns: None,
        mend: MENDED,
        expected: Some(Fault::Silent),
    },
    Case {
        name: "disc-thread-stands",
        before: Some(Command::Fault { fault: fault::STANDS, commands: 18_000 }),
        during: None,
        turns: None,
        mend: MENDED,
        expected: Some(Fault::Silent),
    },
];

/// The read behind one that was given up: nothing of that one arrives in it.
const BEHIND: Case =
    Case { name: "behind-cancel", before: None, during: None, turns: None, mend: MENDED, expected: None };

/// Plays every case, each to a whole read with the right bytes.
pub fn check(mut device: Device<'_>, region: Region, archive: &Archive) -> Result<(), Reason> {
    device.post(&rates::SLOW);
    let expected = expected(&mut device, region, archive)?;
    let mut files = StreamFileSystem::new(device, archive.index()?);
    for case in &CASES {
        play(&mut files, region, case, expected)?;
    }
    given_up(&mut files, region)?;
    play(&mut files, region, &BEHIND, expected)?;
    scratches::check(&mut files, region, archive)?;
    let device = files.device_mut();
    let (lost, status) = (device.lost, *device.status());
    tty_println!(
        "FACT stream lost {lost} retries {} refused {} sound {}",
        status.retries,
        status.refused,
        status.sound
    );
    Ok(())
}

/// The hash of the bytes that every case reads, while nothing fails.
fn expected(device: &mut Device<'_>, region: Region, archive: &Archive) -> Result<u32, Reason> {
    let file = archive.find(FILE)?;
    device.start(Read { offset: file.offset, length: BYTES, destination: region }).map_err(told)?;
    finish(device).map_err(told)?;
    Ok(hash(device.landed(region, BYTES)))
}

fn hash(bytes: &[u8]) -> u32 {
    let mut crc = Crc32::default();
    crc.add(bytes);
    crc.value()
}

/// Opens the file, tells the module something, and begins the read; the file, and when its first frame began.
fn begin_read(
    files: &mut Files<'_, '_>,
    region: Region,
    before: Option<&Command>,
) -> Result<(StreamFile, u32), Reason> {
    let file = NameHash::of_file(FILE).ok_or("no name").and_then(|name| files.open(name).map_err(refused))?;
    if let Some(before) = before {
        files.device_mut().post(before);
        files.device_mut().refresh();
    }
    // What was posted travels before the read is asked.
    let mut frame = cop0::count();
    next_frame(&mut frame);
    files.start_read(file, 0, BYTES, region).map_err(refused)?;
    Ok((file, frame))
}

/// Some of the read's bytes have come, and not all.
fn is_within(files: &mut Files<'_, '_>) -> bool {
    (1..BYTES).contains(&files.device_mut().status().delivered)
}

fn play(files: &mut Files<'_, '_>, region: Region, case: &Case, expected: u32) -> Result<(), Reason> {
    let (retries, lost) = (files.device_mut().status().retries, files.device_mut().lost);
    let (file, mut frame) = begin_read(files, region, case.before.as_ref())?;
    let begin = cop0::count();
    let (mut seen, mut last, mut seen_for, mut worst, mut during) = (None, None, 0, 0, case.during.as_ref());
    for _ in 0..PATIENCE {
        let look = cop0::count();
        files.update();
        worst = worst.max(cop0::count().wrapping_sub(look));
        let ended = matches!(files.read_state(), ReadState::Done(_) | ReadState::Failed(_));
        if seen.is_some() && !ended && files.fault().is_none() {
            return Err("a fault comes and goes before its read has succeeded");
        }
        // The module is not ready for a moment either, whoever else asks it.
        let stays = [case.before, case.during]
            .iter()
            .flatten()
            .any(|told| matches!(told, Command::Fault { commands: ALWAYS, .. }));
        let lasts = stays && (1..LASTS).contains(&seen_for);
        if lasts && files.device_mut().drive_fault().is_none() {
            return Err("the module takes a drive for ready that is not");
        }
        match files.read_state() {
            ReadState::Done(bytes) => {
                let milliseconds = cop0::count().wrapping_sub(begin) / (ticks::PER_SECOND / 1000);
                files.close(file).map_err(refused)?;
                files.device_mut().post(&case.mend);
                files.device_mut().refresh();
                let status = *files.device_mut().status();
                let retries = status.retries.wrapping_sub(retries);
                let lost = files.device_mut().lost - lost;
                tty_println!(
                    "FACT stream case {} told {seen:?} then {last:?} after {milliseconds} ms bytes {bytes} retries {retries} lost {lost} asking {worst}",
                    case.name
                );
                // A whole second of answers, so that nothing of this case lives on in the next.
                super::listen(files.device_mut(), 30);
                let whole = bytes == BYTES && hash(files.landed(region, BYTES)) == expected;
                let told = last == case.turns.map(|(_, told)| told).or(case.expected);
                return match whole && told && seen == case.expected && worst <= ASKING {
                    true => Ok(()),
                    false => Err("a fault was not survived as it should be"),
                };
            }
            ReadState::Waiting(fault) => {
                seen = Some(fault);
                last = files.fault();
                seen_for += 1;
                if let Some((turns, _)) = case.turns.filter(|_| seen_for == LASTS / 2) {
                    files.device_mut().post(&Command::Fault { fault: turns, commands: ALWAYS });
                }
                if fault.number() != ERROR_MODE {
                    return Err("a fault of the drive is not one that a person can end");
                }
                if seen_for == LASTS {
                    files.device_mut().post(&case.mend);
                }
            }
            ReadState::Failed(fault) => return Err(told(fault)),
            ReadState::Busy | ReadState::Idle => {}
        }
        if is_within(files)
            && let Some(during) = during.take()
        {
            files.device_mut().post(during);
        }
        next_frame(&mut frame);
    }
    tty_println!("FACT stream case {} told {seen:?} and did not end: {:?}", case.name, files.device_mut().status());
    Err("a read with a fault does not end")
}

/// Gives a read up once its first bytes have come: it ends as given up, before its last ones.
fn given_up(files: &mut Files<'_, '_>, region: Region) -> Result<(), Reason> {
    let (file, mut frame) = begin_read(files, region, Some(&STRUGGLING))?;
    let (mut asked, mut end) = (false, None);
    for _ in 0..PATIENCE {
        files.update();
        match files.read_state() {
            ReadState::Failed(fault) => {
                end = Some(fault);
                break;
            }
            ReadState::Done(_) => break,
            ReadState::Busy | ReadState::Waiting(_) | ReadState::Idle => {}
        }
        if !asked && is_within(files) {
            files.cancel();
            asked = true;
        }
        next_frame(&mut frame);
    }
    files.device_mut().post(&rates::SLOW);
    super::listen(files.device_mut(), 30);
    let delivered = files.device_mut().status().delivered;
    tty_println!("FACT stream cancelled told {end:?} bytes {delivered} of {BYTES}");
    files.close(file).map_err(refused)?;
    let told = end == Some(Fault::Cancelled) && is_within(files);
    if told { Ok(()) } else { Err("a read that is given up is not ended") }
}

pub(super) fn refused(error: FileError) -> Reason {
    tty_println!("FACT stream refused {error}");
    "a file is refused"
}
