//! The self-test as it runs on a console.
//!
//! [`units`] asks what lies inside of the EE, [`outside`] what lies beyond the link to the I/O processor, [`person`] what only a
//! person can do: press buttons and hear sounds. [`board`] is the screen: every group's line as it comes, and at last the code.
//! Every line goes to the console's text as well, for a test that reads it.

mod board;
mod outside;
mod person;
mod units;

use super::{Group, Outcome, Results};
use crate::boot::streams::Device;
use crate::crash::short_code::{self, Subject};
use crate::ee::display::Display;
use crate::ee::exceptions;
use crate::ee::streams::{SifChannel, allocate};
use crate::file_io::device::{ModuleDevice, StreamDevice as _};
use crate::file_io::name::crc32;
use crate::file_io::{Region, STREAM_BUFFER_BYTES};
use crate::game::console::{Console, Parts};
use crate::tty_println;
use board::Board;
use boardwalk_iop::protocol::Command;

/// Frames for which the last page stands before a test goes on; a person ends it.
const SETTLED_BLANKS: u32 = 4;

/// How the test is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// With a person, who is given time.
    Person,
    /// By a machine, which is not waited for.
    Machine,
}

/// What the groups work with.
struct Bench<'c, 'b> {
    parts: &'b mut Parts<'c>,
    manner: Manner,
    /// A machine wants cards to be written as well.
    writes: bool,
    /// Where files go, when somebody has lent memory for it.
    lent: Option<Region>,
}

impl Bench<'_, '_> {
    /// Memory for what comes from the disc: [`STREAM_BUFFER_BYTES`]. It is allocated once, as it stays for the program's life.
    fn buffer(&mut self) -> Option<Region> {
        self.lent = self.lent.or_else(|| allocate(STREAM_BUFFER_BYTES));
        self.lent
    }
}

/// Runs every group and shows what came of it; the results. `writes` lets a machine ask for what a person asks for with a
/// button: a file on each card. `lent` is memory for files, [`STREAM_BUFFER_BYTES`] of it: a game that has run leaves no other.
///
/// # Errors
/// There is no picture to show anything on.
pub fn run(console: &mut Console, manner: Manner, writes: bool, lent: Option<Region>) -> Result<Results, &'static str> {
    let mut parts = console.parts();
    let display = parts.display.as_deref_mut().ok_or("no picture")?;
    let mut board = Board::open(display)?;
    let build = crc32(exceptions::code()) as u16;
    let mut results = Results::new(build);
    let mut bench = Bench { parts: &mut parts, manner, writes, lent };
    for group in Group::ALL {
        board.note = group.name();
        if let Some(display) = bench.parts.display.as_deref_mut() {
            board.show(display, &results);
        }
        let outcome = test(&mut bench, &mut board, &results, group);
        results.note(group, outcome);
        tty_println!("SELFTEST {}", results.line(group));
    }
    let code = short_code::encode(Subject::SelfTest, &results.pack());
    tty_println!("SELFTEST code {code}");
    board.note = "";
    board.code = Some(code);
    if let Some(display) = bench.parts.display.as_deref_mut() {
        board.show(display, &results);
        display.settle(SETTLED_BLANKS);
    }
    if manner == Manner::Person {
        person::wait_for_end(bench.parts, &mut board, &results);
    }
    Ok(results)
}

fn test(bench: &mut Bench<'_, '_>, board: &mut Board, results: &Results, group: Group) -> Outcome {
    match group {
        Group::Processor => units::processor(),
        Group::Floats => units::floats(),
        Group::Cache => units::cache(),
        Group::Dma => units::dma(),
        Group::Graphics => with_display(bench, units::graphics),
        Group::Vu0 => units::vu0(),
        Group::Clock => with_display(bench, |display| units::clock(display)),
        Group::Sif => outside::sif(bench.parts),
        Group::Disc => outside::disc(bench, board, results),
        Group::CardOne => outside::card(bench, board, results, 0),
        Group::CardTwo => outside::card(bench, board, results, 1),
        Group::Pads => person::pads(bench, board, results),
        Group::Sound => person::sound(bench, board, results),
    }
}

fn with_display(bench: &mut Bench<'_, '_>, work: impl FnOnce(&mut Display) -> Outcome) -> Outcome {
    bench.parts.display.as_deref_mut().map_or_else(Outcome::default, work)
}

/// The module on the IOP, silenced: whoever ran before may have left music.
fn device(parts: &Parts<'_>) -> Option<Device<'static>> {
    let mut device = ModuleDevice::new(SifChannel::bind(parts.link?).ok()?);
    device.post(&Command::MusicStop);
    Some(device)
}

/// Absent hardware, or software that does not answer for it.
fn missing(reason: &str) -> Outcome {
    tty_println!("SELFTEST note {reason}");
    Outcome::unanswered()
}
