//! Starting a module, and waiting for it.

use crate::{facts, peer};
use boardwalk::ee::crt0::Arguments;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::call::{Bytes, Reply};
use boardwalk::ee::sif::link::{Link, Patience};
use boardwalk::ee::sif::loader::{Loader, Module};
use boardwalk::ee::sif::request::LOADER;
use boardwalk::tty_println;

/// Bits of a start function's result that say whether the module stays, and the value that says it does not.
const RESULT_MASK: i32 = 3;
const NOT_RESIDENT: i32 = 1;
/// LOADFILE's function that reads a word of the IOP's memory, and its name for a word.
const READ_MEMORY: u32 = 3;
const WORD: u32 = 2;
/// What the self-test adds to the number of failed facts when it has tried them all.
const DONE: u32 = 0x1_0000;
/// Time for an answer, and for the self-test, in milliseconds.
pub const PATIENCE: u32 = 5_000;
const TEST_PATIENCE: u32 = 60_000;
/// Milliseconds between two looks.
const PAUSE: u32 = 20;

/// The program's main.
pub fn run(arguments: &Arguments) -> i32 {
    let Some(path) = arguments.value_of("module") else {
        tty_println!("BOARDWALK END failed: no module was named");
        return 1;
    };
    let words = arguments.value_of("tell").unwrap_or_default();
    match start(path, words, arguments.iter().any(|argument| argument == "prove")) {
        Ok(()) => 0,
        Err(error) => {
            tty_println!("BOARDWALK END failed: {}: {}", path, error);
            1
        }
    }
}

fn start(path: &str, words: &str, prove: bool) -> Result<(), Error> {
    if prove {
        peer::prepare();
    }
    let mut link = Link::start()?;
    let loader = Loader::bind(&mut link)?;
    if prove {
        peer::start(&link);
    }
    let module = loader.load_module(&mut link, path.as_bytes(), words.as_bytes())?;
    tty_println!("IRX: {} is module {}, its start returned {:#x}", path, module.id, module.result);
    if prove {
        let failed = verdict(&mut link, module)?;
        let (link, failed) = facts::run(link, failed)?;
        end(link, failed);
    } else if module.result & RESULT_MASK == NOT_RESIDENT {
        end(link, 0);
    } else {
        // The module goes on: so does its program.
        loop {
            pause();
        }
    }
    Ok(())
}

fn end(mut link: Link, failed: u32) {
    if failed == 0 {
        tty_println!("BOARDWALK END ok");
    } else {
        tty_println!("BOARDWALK END failed: {} facts", failed);
    }
    link.close();
}

/// Waits a little.
pub fn pause() {
    let mut pause = Patience::milliseconds(PAUSE);
    while pause.lasts() {}
}

/// How many facts the self-test found wrong, once it has tried them all.
fn verdict(link: &mut Link, module: Module) -> Result<u32, Error> {
    let server = link.bind(LOADER, PATIENCE)?;
    let mut patience = Patience::milliseconds(TEST_PATIENCE);
    while patience.lasts() {
        pause();
        peer::send(link)?;
        let mut request = Bytes([0; 16]);
        request.0[..4].copy_from_slice(&module.result.to_le_bytes());
        request.0[4] = WORD as u8;
        let mut reply = Reply::<16>::preset(0);
        link.call(&server, READ_MEMORY, &request.0, &mut reply, 4, PATIENCE)?;
        if reply.0[0] >= DONE {
            return Ok(reply.0[0] - DONE);
        }
    }
    Err(Error::TimeOut)
}
