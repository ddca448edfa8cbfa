//! What the module has left and sent: servers, packets.

use super::{Tally, call};
use crate::client::PATIENCE;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::link::Link;

/// The module's servers: one served by the system's loop, one by hand, one in a queue that goes.
const LOOPS: u32 = 0x0BAD_5E44;
const BY_HAND: u32 = 0x0BAD_5E45;
const IN_QUEUE: u32 = 0x0BAD_5E46;
const REMOVE_SERVER: u32 = 100;
const REMOVE_QUEUE: u32 = 101;
const NOTHING: (usize, &[u8]) = (0, b"");
/// How long a server is looked for that is not there, in milliseconds.
const SHORT: u32 = 100;

pub fn run(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    let numbers = core::array::from_fn(|_| link.take_command().map(|words| words[2]));
    tally.equal("the module's packets arrive", numbers, [0x11, 0x12, 0x13, 0x14].map(Some));
    let loops = link.bind(LOOPS, PATIENCE)?;
    let reply = call(link, &loops, 3, &[5], NOTHING, 20)?;
    tally.equal("a server of a module answers", [reply[0], reply[1], reply[2]], [3, 6, 512]);
    let by_hand = link.bind(BY_HAND, PATIENCE)?;
    let reply = call(link, &by_hand, 4, &[6], NOTHING, 20)?;
    tally.equal("a server that takes its requests by hand answers", [reply[0], reply[1]], [4, 7]);
    tally.equal("a server in another queue is found", link.bind(IN_QUEUE, PATIENCE).is_ok(), true);
    let reply = call(link, &loops, REMOVE_SERVER, &[0], NOTHING, 20)?;
    tally.equal("a server is taken out", reply[0] == reply[3] && reply[0] != 0, true);
    tally.equal("and not found any more", link.bind(BY_HAND, SHORT), Err(Error::NoServer(BY_HAND)));
    let reply = call(link, &loops, REMOVE_SERVER, &[0], NOTHING, 20)?;
    tally.equal("it is taken out once", reply[0], 0);
    let reply = call(link, &loops, REMOVE_QUEUE, &[0], NOTHING, 20)?;
    tally.equal("a queue is taken out", reply[0] == reply[4] && reply[0] != 0, true);
    tally.equal("and its servers are not found", link.bind(IN_QUEUE, SHORT), Err(Error::NoServer(IN_QUEUE)));
    Ok(())
}
