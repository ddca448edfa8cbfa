//! New starts of the IOP, with an image of modules and without.

use super::{Tally, call};
use crate::client::PATIENCE;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::sif::request::{FILE_SERVER, LOADER};

/// The image has the module in the file server's place.
const WITH_IMAGE: &[u8] = b"rom0:UDNL cdrom0:\\IOPRP.IMG;1";
const WITHOUT: &[u8] = b"";
/// An image that is not there: the start goes on without it.
const WITH_NONE: &[u8] = b"rom0:UDNL cdrom0:\\NONE.IMG;1";
const FIND_MODULE: u32 = 9;
const PATH: usize = 8;
const NOT_THERE: i32 = -202;
/// The drive's commands.
const DRIVE_SERVER: u32 = 0x8000_0595;

fn module(link: &mut Link) -> Result<i32, Error> {
    let server = link.bind(LOADER, PATIENCE)?;
    Ok(call(link, &server, FIND_MODULE, &[], (PATH, b"selftest"), 4)?[0] as i32)
}

pub fn run(tally: &mut Tally, link: Link) -> Result<Link, Error> {
    let mut link = link.restart_iop(WITH_IMAGE)?;
    tally.equal("an image's module is there", module(&mut link)? > 0, true);
    tally.equal("and what it took the place of is not", link.bind(FILE_SERVER, 100), Err(Error::NoServer(FILE_SERVER)));
    tally.equal("what stays is there", link.bind(DRIVE_SERVER, PATIENCE).is_ok(), true);
    for argument in [WITH_NONE, WITHOUT] {
        link = link.restart_iop(argument)?;
        tally.equal("without an image its module is gone", module(&mut link)?, NOT_THERE);
        tally.equal("and the ROM's file server back", link.bind(FILE_SERVER, PATIENCE).is_ok(), true);
    }
    Ok(link)
}
