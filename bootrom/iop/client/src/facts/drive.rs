//! CDVDFSV's system commands, at the places where the public SDK's client looks for their answers.

use super::{Tally, call};
use crate::client::PATIENCE;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::link::Link;

const SERVER: u32 = 0x8000_0593;
const NOTHING: (usize, &[u8]) = (0, b"");

/// Function numbers.
mod function {
    pub const READ_CLOCK: u32 = 0x01;
    pub const WRITE_CLOCK: u32 = 0x02;
    pub const DISC_TYPE: u32 = 0x03;
    pub const ERROR: u32 = 0x04;
    pub const TRAY: u32 = 0x05;
    pub const READ_LINK_ID: u32 = 0x06;
    pub const WRITE_LINK_ID: u32 = 0x07;
    pub const READ_MEMORY: u32 = 0x08;
    pub const WRITE_MEMORY: u32 = 0x09;
    pub const DECRYPTION: u32 = 0x0A;
    pub const APPLY: u32 = 0x0B;
    pub const STATUS: u32 = 0x0C;
    pub const HARD_DISK: u32 = 0x0D;
    pub const OPEN_SETTINGS: u32 = 0x0E;
    pub const CLOSE_SETTINGS: u32 = 0x0F;
    pub const READ_SETTINGS: u32 = 0x10;
    pub const WRITE_SETTINGS: u32 = 0x11;
    pub const READ_CONSOLE_ID: u32 = 0x12;
    pub const VERSION: u32 = 0x14;
    pub const MODEL: u32 = 0x1A;
    pub const MEDIA_MODE: u32 = 0x22;
    pub const GLOBAL_ID: u32 = 0x24;
    pub const MODEL_ID: u32 = 0x26;
    pub const LAYERS: u32 = 0x27;
    pub const UNKNOWN: u32 = 0x77;
}

/// What the read server tells of the disc: its keys by way of a sector, its number, its kind.
fn keys(tally: &mut Tally, link: &mut Link, kind: u32) -> Result<(), Error> {
    const READ_SERVER: u32 = 0x8000_0595;
    const KEY: u32 = 11;
    const DISC_ID: u32 = 17;
    const DISC_TYPE: u32 = 23;
    /// The sector that keys are asked for by.
    const SECTOR: u32 = 0x4B;
    let server = link.bind(READ_SERVER, PATIENCE)?;
    let mut ask = |number, words: &[u32], bytes| call(link, &server, number, words, NOTHING, bytes);
    let key = ask(KEY, &[0, 0, SECTOR], 24)?;
    tally.equal("the read server tells a disc's keys", (key[0], key[4] >> 24 & !7), (1, 0));
    let [_, _, c, d] = key[3].to_le_bytes();
    let own = key[4] >> 24 & 4 != 0 && [key[3] >> 16, key[4] & 0x00FF_FFFF] != [0; 2];
    let number = if own { [c, d] } else { [0xDE, 0xAD] };
    let told = ask(DISC_ID, &[], 12)?;
    let [a, b, ..] = told[1].to_le_bytes();
    tally.equal("and its number, which is the last of them or none", (told[0], [a, b]), (1, number));
    tally.equal("and its kind", &ask(DISC_TYPE, &[], 8)?[..2], &[1, kind][..]);
    Ok(())
}

pub fn run(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    let server = link.bind(SERVER, PATIENCE)?;
    let mut ask = |number, words: &[u32], bytes| call(link, &server, number, words, NOTHING, bytes);
    let [done, time, date, ..] = ask(function::READ_CLOCK, &[], 16)?;
    let [status, second, minute, hour] = time.to_le_bytes();
    let [_, day, month, year] = date.to_le_bytes();
    let decimal = |byte: u8| byte >> 4 < 10 && byte & 0xF < 10;
    let sane = status == 0 && [second, minute, hour, day, month & 0x7F, year].into_iter().all(decimal);
    tally.equal("the server reads the clock", (done, sane), (1, true));
    let set = ask(function::WRITE_CLOCK, &[time, date], 16)?;
    tally.equal("and sets it", (set[0], set[2]), (1, date));
    let kind = ask(function::DISC_TYPE, &[], 4)?[0];
    tally.equal("the server tells the disc's kind", matches!(kind, 0x12 | 0x14), true);
    tally.equal("and the last error", ask(function::ERROR, &[], 4)?[0], 0);
    let [done, changed, ..] = ask(function::TRAY, &[2], 8)?;
    tally.equal("the server asks for the tray", (done, changed & !1), (1, 0));
    let link_id = ask(function::READ_LINK_ID, &[], 16)?;
    let [first, middle, last] = [link_id[2] & 0xFF, link_id[2] >> 8, link_id[3]];
    tally.equal("the identity on the bus has a status and eight bytes", &link_id[..2], &[1, 0][..]);
    let global = ask(function::GLOBAL_ID, &[], 16)?;
    tally.equal("a console's number follows at once", &global[..3], &[1, first | 0x0800_4600, last][..]);
    tally.equal("and so does a model's", &ask(function::MODEL_ID, &[], 8)?[..2], &[1, middle][..]);
    let written = ask(function::WRITE_LINK_ID, &[link_id[2], link_id[3]], 8)?;
    tally.equal("the identity is written", &written[..2], &[1, 0][..]);
    let word = ask(function::READ_MEMORY, &[0x100, 0], 16)?;
    tally.equal("a word of what the drive keeps has its status behind it", (word[0], word[2] >> 16 & 0xFF), (1, 0));
    let other = word[2] & 0xFFFF ^ 0x5A5A;
    ask(function::WRITE_MEMORY, &[0x100, other], 16)?;
    let found = ask(function::READ_MEMORY, &[0x100, 0], 16)?[2] & 0xFFFF;
    ask(function::WRITE_MEMORY, &[0x100, word[2] & 0xFFFF], 16)?;
    tally.equal("such a word is written", found, other);
    tally.equal("decryption is switched", ask(function::DECRYPTION, &[0], 16)?[0], 1);
    // The disc's kind by a command of one's own: the number, and the length of what it gets, none.
    let applied = ask(function::APPLY, &[0x05], 16)?[0] & 0xFF;
    tally.equal("a command of one's own answers alone", applied & !1, 0);
    tally.equal("the drive's state", ask(function::STATUS, &[], 4)?[0] & !0x3F, 0);
    tally.equal("no hard disk takes its place", ask(function::HARD_DISK, &[0], 4)?[0], 1);
    // Mode 0, block 1, two blocks.
    let opened = ask(function::OPEN_SETTINGS, &[0x0002_0100], 8)?;
    let settings = ask(function::READ_SETTINGS, &[], 64)?;
    let closed = ask(function::CLOSE_SETTINGS, &[], 8)?;
    tally.equal("settings are opened, read and closed", [opened[0], settings[0], closed[0]], [1; 3]);
    ask(function::OPEN_SETTINGS, &[0x0002_0101], 8)?;
    let written = ask(function::WRITE_SETTINGS, &settings[2..10], 8)?;
    ask(function::CLOSE_SETTINGS, &[], 8)?;
    ask(function::OPEN_SETTINGS, &[0x0002_0100], 8)?;
    let again = ask(function::READ_SETTINGS, &[], 64)?;
    ask(function::CLOSE_SETTINGS, &[], 8)?;
    tally.equal("and written as they were", (written[0], &again[2..10]), (1, &settings[2..10]));
    tally.equal(
        "more than the client has room for are not opened",
        ask(function::OPEN_SETTINGS, &[0x0045_0100], 8)?[0],
        0,
    );
    let console = ask(function::READ_CONSOLE_ID, &[], 16)?;
    tally.equal("a console's identity has a status before it", &console[..2], &[1, 0][..]);
    let version = ask(function::VERSION, &[], 16)?;
    tally.equal("the drive's version has one, too", (version[..2] == [1, 0], version[2] != 0), (true, true));
    tally.equal("and the model's name", &ask(function::MODEL, &[], 32)?[..2], &[1, 0][..]);
    tally.equal("either kind of disc is welcome", ask(function::MEDIA_MODE, &[1], 4)?[0], 1);
    tally.equal("the disc has one layer", &ask(function::LAYERS, &[], 12)?[..3], &[1, 0, 0][..]);
    tally.equal("a command that is not there is refused", ask(function::UNKNOWN, &[], 4)?[0], 0);
    keys(tally, link, kind)
}
