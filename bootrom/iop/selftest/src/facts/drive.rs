//! CDVDMAN: reads, streams, chains, and the drive's own commands.

use crate::system;
use crate::tally::Tally;

const SECTOR: usize = 2048;
/// The volume's descriptor, and how it and the one that ends the list begin.
const VOLUME: u32 = 16;
const MARK: &[u8] = b"\x01CD001";
const YES: i32 = 1;
const NO: i32 = 0;

#[repr(align(64))]
struct Sectors([u8; 2 * SECTOR]);

pub fn run(tally: &mut Tally) {
    let mut sectors = Sectors([0xEE; 2 * SECTOR]);
    let buffer = sectors.0.as_mut_ptr();
    let nothing = core::ptr::null();
    tally.equal("a read is accepted", system::sceCdRead(VOLUME, 1, buffer, nothing), YES);
    tally.equal("and ends", system::sceCdSync(0), 0);
    tally.holds("with the sector", sectors.0.starts_with(MARK));
    tally.holds("and no more", sectors.0[SECTOR..].iter().all(|byte| *byte == 0xEE));
    tally.equal("an unknown pattern is refused", system::sceCdRead(VOLUME, 1, buffer, &0x00FF_0000), NO);
    streams(tally, &mut sectors);
    let list = [[VOLUME, 1, buffer as u32], [VOLUME, 1, buffer as u32 + SECTOR as u32], [u32::MAX; 3]];
    sectors.0.fill(0);
    tally.equal("a chain is read", system::sceCdReadChain(list.as_ptr(), nothing), YES);
    tally.holds("all of it", sectors.0.starts_with(MARK) && sectors.0[SECTOR..].starts_with(MARK));
    commands(tally);
}

fn streams(tally: &mut Tally, sectors: &mut Sectors) {
    let (buffer, mut error) = (sectors.0.as_mut_ptr(), 0);
    system::sceCdStInit(16, 4, 0);
    tally.equal("a stream that rests has nothing", system::sceCdStStat(), 0);
    tally.equal("nor gives anything", system::sceCdStRead(1, buffer, 0, &raw mut error), 0);
    tally.equal("a stream starts", system::sceCdStStart(VOLUME - 1, core::ptr::null()), YES);
    tally.equal("and has a buffer", system::sceCdStStat(), 16);
    tally.equal("gives sectors", system::sceCdStRead(2, buffer, 1, &raw mut error), 2);
    tally.equal("without an error", error as i32, 0);
    tally.holds("the right ones", sectors.0[SECTOR..].starts_with(MARK));
    system::sceCdStSeek(VOLUME);
    tally.equal("goes on elsewhere", system::sceCdStRead(1, buffer, 1, &raw mut error), 1);
    tally.holds("there", sectors.0.starts_with(MARK));
    tally.equal("stops", system::sceCdStStop(), YES);
    tally.equal("for good", system::sceCdStStat(), 0);
}

fn commands(tally: &mut Tally) {
    let mut clock = [0xEE; 8];
    tally.equal("the clock is read", system::sceCdReadClock(&raw mut clock), YES);
    let decimal = |byte: u8, most: u8| byte >> 4 < 10 && byte & 0xF < 10 && (byte >> 4) * 10 + (byte & 0xF) <= most;
    let [status, second, minute, hour, _, day, month, year] = clock;
    let sane = decimal(second, 59) && decimal(minute, 59) && decimal(hour, 23) && decimal(day, 31);
    tally.holds("it goes", status == 0 && sane && decimal(month & 0x7F, 12) && decimal(year, 99));
    let mut changed = 0xEE;
    tally.equal("the tray is asked for", system::sceCdTrayReq(2, &raw mut changed), YES);
    tally.holds("and answers", changed != 0xEE);
    let (mut model, mut status) = ([0xEE; 16], 0);
    tally.equal("the model is asked for", system::sceCdReadModelName(model.as_mut_ptr(), &raw mut status), YES);
    tally.holds("and answers with all its letters", model.iter().all(|byte| *byte != 0xEE));
}
