//! LOADFILE: functions beside loading.

use super::{Tally, UNTOUCHED, call};
use crate::client::PATIENCE;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::sif::request::LOADER;

/// Function numbers.
mod function {
    pub const LOAD_MODULE: u32 = 0;
    pub const WRITE_MEMORY: u32 = 2;
    pub const READ_MEMORY: u32 = 3;
    pub const LOAD_ENCRYPTED_MODULE: u32 = 4;
    pub const LOAD_ENCRYPTED_PROGRAM: u32 = 5;
    pub const LOAD_MODULE_MEMORY: u32 = 6;
    pub const STOP_MODULE: u32 = 7;
    pub const UNLOAD_MODULE: u32 = 8;
    pub const FIND_MODULE: u32 = 9;
    pub const FIND_MODULE_AT: u32 = 10;
    pub const UNKNOWN: u32 = 77;
}

const PATH: usize = 8;
const ARGUMENTS: usize = 0x104;
const NOTHING: (usize, &[u8]) = (0, b"");
/// The module that is there twice then, and what its second copy is told.
const MODULE: &[u8] = b"cdrom0:\\MODULE.IRX;1";
const GUEST: &[u8] = b"guest\0";
const TEXT: &[u8] = b"cdrom0:\\SYSTEM.CNF;1";

pub fn run(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    let server = link.bind(LOADER, PATIENCE)?;
    let mut ask = |number, words: &[u32], text, bytes| call(link, &server, number, words, text, bytes);
    let found = ask(function::FIND_MODULE, &[], (PATH, b"selftest"), 4)?[0];
    tally.equal("a module is found by its name", (found as i32) > 0, true);
    tally.equal("none by another", ask(function::FIND_MODULE, &[], (PATH, b"nobody"), 4)?[0] as i32, -202);
    tally.equal("none at an address outside", ask(function::FIND_MODULE_AT, &[4], NOTHING, 4)?[0] as i32, -202);
    tally.equal("a module that stays", ask(function::STOP_MODULE, &[found, 0], NOTHING, 8)?[0] as i32, -211);
    tally.equal("is not unloaded", ask(function::UNLOAD_MODULE, &[found], NOTHING, 4)?[0] as i32, -211);
    tally.equal("an unknown one", ask(function::UNLOAD_MODULE, &[9999], NOTHING, 4)?[0] as i32, -202);
    for (what, number, place) in [
        ("no encrypted module", function::LOAD_ENCRYPTED_MODULE, 0),
        ("no encrypted program", function::LOAD_ENCRYPTED_PROGRAM, 3),
    ] {
        tally.equal(what, ask(number, &[0], (PATH, TEXT), 16)?[place] as i32, -201);
        tally.equal("nor a file", ask(number, &[0], (PATH, b"cdrom0:\\NONE.ELF;1"), 16)?[place] as i32, -203);
    }
    tally.equal("memory that is no module", ask(function::LOAD_MODULE_MEMORY, &[0x800], NOTHING, 8)?[0] as i32, -201);
    let place = 0x7F0;
    ask(function::WRITE_MEMORY, &[place, 2, 0x1234_5678], NOTHING, 4)?;
    tally.equal("a word of the IOP's", ask(function::READ_MEMORY, &[place, 2], NOTHING, 4)?[0], 0x1234_5678);
    tally.equal("and its byte", ask(function::READ_MEMORY, &[place, 0], NOTHING, 4)?[0], 0x78);
    tally.equal("a function that is not there", ask(function::UNKNOWN, &[], NOTHING, 4)?[0], UNTOUCHED);
    // A second copy of the module says by its start that it can be stopped.
    let mut both = [0; ARGUMENTS + 6 - PATH];
    both[..MODULE.len()].copy_from_slice(MODULE);
    both[ARGUMENTS - PATH..].copy_from_slice(GUEST);
    let [id, result, ..] = ask(function::LOAD_MODULE, &[GUEST.len() as u32], (PATH, &both), 8)?;
    tally.equal("a module that can be stopped", result, 2);
    let [stopped, result, ..] = ask(function::STOP_MODULE, &[id, 0], NOTHING, 8)?;
    tally.equal("stops and says so", (stopped, result), (id, 1));
    tally.equal("and is unloaded", ask(function::UNLOAD_MODULE, &[id], NOTHING, 4)?[0], id);
    from_memory(tally, link)
}

/// A module that is brought into the IOP's memory first, as programs do that carry their modules with them.
fn from_memory(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    const MEMORY_SERVER: u32 = 0x8000_0003;
    const ALLOCATE: u32 = 1;
    const FREE: u32 = 2;
    const READ_FILE: u32 = 3;
    /// More than the module's file has.
    const ROOM: u32 = 0x6_0000;
    let loader = link.bind(LOADER, PATIENCE)?;
    let memory = link.bind(MEMORY_SERVER, PATIENCE)?;
    let block = call(link, &memory, ALLOCATE, &[ROOM], NOTHING, 4)?[0];
    let read = call(link, &memory, READ_FILE, &[block], (4, MODULE), 4)?[0];
    tally.equal("a file is read into the IOP's memory", (block != 0, read), (true, 0));
    tally.equal(
        "no file that is not there",
        call(link, &memory, READ_FILE, &[block], (4, b"cdrom0:\\NONE;1"), 4)?[0],
        u32::MAX,
    );
    let guest = [block, GUEST.len() as u32];
    let [id, result, ..] = call(link, &loader, function::LOAD_MODULE_MEMORY, &guest, (ARGUMENTS, GUEST), 8)?;
    tally.equal("a module in memory starts with its arguments", ((id as i32) > 0, result), (true, 2));
    let stopped = call(link, &loader, function::STOP_MODULE, &[id, 0], NOTHING, 8)?[0];
    let gone = call(link, &loader, function::UNLOAD_MODULE, &[id], NOTHING, 4)?[0];
    tally.equal("stops and is unloaded", [stopped, gone], [id; 2]);
    tally.equal("the memory goes back", call(link, &memory, FREE, &[block], NOTHING, 4)?[0], 0);
    Ok(())
}
