//! The facts about the IOP's servers, as a program of the EE finds them.

mod answers;
mod cards;
mod drive;
mod hostile;
mod loader;
mod module;
mod restart;

use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::call::{Bytes, Reply, Server};
use boardwalk::ee::sif::link::Link;
use boardwalk::tty_println;
use core::fmt::Debug;

use crate::client::PATIENCE;

/// Counts facts.
pub struct Tally {
    failed: u32,
}

impl Tally {
    /// Prints a fact and whether it is as expected.
    pub fn equal<T: PartialEq + Debug>(&mut self, what: &str, found: T, expected: T) {
        if found == expected {
            tty_println!("IOP ok {}", what);
        } else {
            self.failed += 1;
            tty_println!("IOP FAILED {}: {:?} instead of {:?}", what, found, expected);
        }
    }
}

/// What no server answers.
pub const UNTOUCHED: u32 = 0x8000_0001;

/// Calls a server with words and a text behind them at byte `offset`; the reply's first 16 words.
pub fn call(
    link: &mut Link,
    server: &Server,
    function: u32,
    words: &[u32],
    (offset, text): (usize, &[u8]),
    reply_bytes: usize,
) -> Result<[u32; 16], Error> {
    let mut request = Bytes([0_u8; 576]);
    for (bytes, word) in request.0.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    request.0[offset..offset + text.len()].copy_from_slice(text);
    let mut reply = Reply::<16>::preset(UNTOUCHED);
    link.call(server, function, &request.0[..512], &mut reply, reply_bytes, PATIENCE)?;
    Ok(reply.0)
}

/// Tries all of them; the results are the link as it is then, and `failed` with what has failed here added.
pub fn run(mut link: Link, failed: u32) -> Result<(Link, u32), Error> {
    let mut tally = Tally { failed };
    module::run(&mut tally, &mut link)?;
    loader::run(&mut tally, &mut link)?;
    drive::run(&mut tally, &mut link)?;
    hostile::run(&mut tally, &mut link)?;
    cards::run(&mut tally, &mut link, false)?;
    answers::run(&mut tally, &mut link)?;
    link = restart::run(&mut tally, link)?;
    cards::run(&mut tally, &mut link, true)?;
    Ok((link, tally.failed))
}
