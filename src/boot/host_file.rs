//! A file of the host's through its file system, for a test that reads what is printed.
//!
//! Run by the program's argument `host-file=NAME`: the file of that name in the host's folder for test data is read by pieces, once
//! through and once from its middle on.

use crate::ee::sif::link::Link;
use crate::ee::streams::ServerHost;
use crate::file_io::name::Crc32;
use crate::file_io::{FileError, HostFiles};
use crate::tty_println;
use core::cell::RefCell;

/// Bytes of a piece: no power of two, so that pieces begin anywhere.
const PIECE: usize = 3000;

/// Reads the file and prints its bytes and their hash.
///
/// # Errors
/// There is no host, or no such file, in a few words.
#[inline(never)]
pub fn run(name: &str) -> Result<(), &'static str> {
    let link = RefCell::new(Link::start().map_err(|_| "no link to the IOP")?);
    let mut host = HostFiles::new(ServerHost::bind(&link).map_err(|_| "no file server on the IOP")?);
    let said = |error: FileError| {
        tty_println!("HOST {name}: {error}");
        "the host's file does not come"
    };
    host.open(name).map_err(said)?;
    let bytes = host.size().map_err(said)?;
    for from in [0, bytes / 2] {
        host.seek(from).map_err(said)?;
        let (mut piece, mut crc, mut came) = ([0; PIECE], Crc32::default(), 0);
        loop {
            let read = host.read(&mut piece).map_err(said)?;
            if read == 0 {
                break;
            }
            crc.add(&piece[..read as usize]);
            came += read;
        }
        tty_println!("HOST {name} from {from} bytes {came} crc {:08x}", crc.value());
    }
    host.close().map_err(said)
}
