//! Requests that make no sense: errors, and the servers go on.

use super::{Tally, call};
use crate::client::PATIENCE;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::sif::request::{FILE_SERVER, LOADER};

const MEMORY_SERVER: u32 = 0x8000_0003;
const DRIVE_SERVER: u32 = 0x8000_0595;
const NOTHING: (usize, &[u8]) = (0, b"");
/// A path that fills its place without an end.
const ENDLESS: [u8; 252] = [b'x'; 252];

pub fn run(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    let loader = link.bind(LOADER, PATIENCE)?;
    let found = call(link, &loader, 0, &[u32::MAX], (8, &ENDLESS), 8)?[0] as i32;
    tally.equal("a module by a path without an end", found, -203);
    let found = call(link, &loader, 0, &[u32::MAX], (8, b"cdrom0:\\SYSTEM.CNF;1"), 8)?[0] as i32;
    tally.equal("arguments longer than a request", found, -201);
    let files = link.bind(FILE_SERVER, PATIENCE)?;
    tally.equal("a file by such a path", call(link, &files, 0, &[1], (4, &ENDLESS), 4)?[0] as i32, -19);
    let read = [99, 0x0010_0000, u32::MAX, 0];
    tally.equal("a read of a file that is not open", call(link, &files, 2, &read, NOTHING, 4)?[0] as i32, -9);
    tally.equal("a close of one", call(link, &files, 1, &[u32::MAX], NOTHING, 4)?[0] as i32, -9);
    let memory = link.bind(MEMORY_SERVER, PATIENCE)?;
    tally.equal("more memory than there is", call(link, &memory, 1, &[u32::MAX], NOTHING, 4)?[0], 0);
    let block = call(link, &memory, 1, &[1000], NOTHING, 4)?[0];
    tally.equal("some memory", block != 0, true);
    tally.equal("goes back", call(link, &memory, 2, &[block], NOTHING, 4)?[0], 0);
    tally.equal("only once", call(link, &memory, 2, &[block], NOTHING, 4)?[0], u32::MAX);
    let drive = link.bind(DRIVE_SERVER, PATIENCE)?;
    for words in [[16, u32::MAX, 0, 0], [16, 0, 0, 0], [16, 1, 0, 0x00FF_0000]] {
        tally.equal("a read that makes no sense", call(link, &drive, 1, &words, NOTHING, 4)?[0], 0);
    }
    tally.equal("the record of a read's rest", call(link, &drive, 2, &[0, 0], NOTHING, 4)?[0], 144);
    Ok(())
}
