//! New starts of the IOP, with an image of modules and without.

use super::{Tally, call};
use crate::client::PATIENCE;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::link::{Link, Patience};
use boardwalk::ee::sif::loader::Loader;
use boardwalk::ee::sif::request::{FILE_SERVER, LOADER};
use boardwalk::ee::syscall;

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

/// The module, and what it is told to start its processor anew.
const MODULE: &[u8] = b"cdrom0:\\MODULE.IRX;1";
const RESTART: &[u8] = b"restart\0";
/// The link's words: the IOP's flags, the packets' place, whether calls are served.
const IOP_FLAGS: u32 = 4;
const IOP_BUFFER: u32 = 0x8000_0000;
const CALLS: u32 = 0x8000_0002;
/// Flags: transfers, commands, the end of the boot.
const BOOT_END: u32 = 0x4_0000;
const ALL_FLAGS: u32 = BOOT_END | 0x3_0000;
/// Milliseconds for the start.
const START: u32 = 5_000;

/// Lets a module start its processor anew, without a word from here.
fn by_module(mut link: Link) -> Result<Link, Error> {
    let loader = Loader::bind(&mut link)?;
    loader.load_module(&mut link, MODULE, RESTART)?;
    link.close();
    // SAFETY: numbers.
    let flags = || unsafe { syscall::sif_get_reg(IOP_FLAGS) };
    // SAFETY: as above.
    unsafe {
        syscall::sif_set_reg(IOP_FLAGS, ALL_FLAGS);
        syscall::sif_set_reg(CALLS, 0);
        syscall::sif_set_reg(IOP_BUFFER, 0);
    }
    let mut patience = Patience::milliseconds(START);
    if !patience.wait_until(|| flags() & BOOT_END != 0) {
        return Err(Error::NoIop);
    }
    Link::start()
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
    link = by_module(link)?;
    tally.equal("a module starts its processor anew with an image", module(&mut link)? > 0, true);
    link.restart_iop(WITHOUT)
}
