//! The link to the IOP: servers, reads of all shapes, many calls.

use super::Tally;
use super::calls::call;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::call::Reply;
use boardwalk::ee::sif::files::{Files, From};
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::sif::request::FILE_SERVER;
use boardwalk::ee::syscall::SifTransfer;
use boardwalk::ee::{cache, cop0};
use core::cell::UnsafeCell;

const BYTES: usize = 1024;
/// A number that no server has.
const NO_SERVER: u32 = 0x8123_4567;
/// Calls in a row, with pauses of growing length between them.
const CALLS: u32 = 1_000;

#[repr(C, align(64))]
struct Buffer(UnsafeCell<[u8; BYTES]>);
// SAFETY: one thread uses it.
unsafe impl Sync for Buffer {}
static WHOLE: Buffer = Buffer(UnsafeCell::new([0; BYTES]));
static PART: Buffer = Buffer(UnsafeCell::new([0; BYTES]));

/// `path` is this program's own file.
pub fn run(tally: &mut Tally, path: &str) {
    match facts(tally, path.as_bytes()) {
        Ok(()) => {}
        Err(error) => tally.equal("the IOP's servers answer", Err(error), Ok(())),
    }
}

fn facts(tally: &mut Tally, path: &[u8]) -> Result<(), Error> {
    let mut link = Link::start()?;
    let result = with_link(tally, path, &mut link);
    if !path.starts_with(b"host:") {
        // A console's loader would be lost with its own modules.
        link = link.restart_iop(b"")?;
        let files = Files::bind(&mut link)?;
        let file = files.open(&mut link, path)?;
        tally.equal("the IOP serves files after a restart", files.close(&mut link, file), Ok(()));
    }
    link.close();
    result
}

/// The kernel's own transfers, into memory that the IOP lends.
fn transfers(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    /// The IOP's memory: its server and the function that lends.
    const MEMORY_SERVER: u32 = 0x8000_0003;
    const LEND: u32 = 1;
    #[repr(C, align(64))]
    struct Lines([u32; 16]);
    let request = Lines([1024; 16]);
    let mut reply = Reply::<16>::preset(0);
    let server = link.bind(MEMORY_SERVER, 1_000)?;
    // SAFETY: sixteen plain words.
    let bytes = unsafe { core::slice::from_raw_parts(request.0.as_ptr().cast::<u8>(), 16) };
    link.call(&server, LEND, bytes, &mut reply, 4, 1_000)?;
    let place = reply.0[0];
    tally.equal("the IOP lends memory", place != 0 && place.is_multiple_of(16), true);
    cache::write_back(request.0.as_ptr().cast(), 64);
    let element = SifTransfer { source: request.0.as_ptr().cast(), destination: place, size: 64, attributes: 0x40 };
    for (number, ask) in [(-0x77, -0x76), (0x77, 0x76)] {
        let id = call(number, &raw const element as u32, 1);
        let first = call(ask, id as u32, 0);
        let start = cop0::count();
        let mut after = first;
        while after >= 0 && cop0::count().wrapping_sub(start) < 0x0100_0000 {
            after = call(ask, id as u32, 0);
        }
        let found = (id != 0, first >= 0, after < 0);
        if number < 0 {
            tally.equal("iSifSetDma and iSifDmaStat: not over at first, then over", found, (true, true, true));
        } else {
            tally.equal("SifSetDma and SifDmaStat: not over at first, then over", found, (true, true, true));
        }
    }
    Ok(())
}

fn with_link(tally: &mut Tally, path: &[u8], link: &mut Link) -> Result<(), Error> {
    tally.equal("a server that is not there", link.bind(NO_SERVER, 50), Err(Error::NoServer(NO_SERVER)));
    tally.equal("the file server is there", link.bind(FILE_SERVER, 1_000).is_ok(), true);
    let files = Files::bind(link)?;
    let missing = files.open(link, b"cdrom0:\\NOT_HERE.TXT;1");
    tally.equal("a missing file is an error of the server", matches!(missing, Err(Error::Server(_))), true);
    let file = files.open(link, path)?;
    // SAFETY: one thread uses the buffers.
    let (whole, part) = unsafe { (&mut *WHOLE.0.get(), &mut *PART.0.get()) };
    let count = files.read(link, &file, whole)?;
    tally.equal("the own file begins as an ELF", (count, &whole[..4]), (BYTES, &b"\x7FELF"[..]));
    let mut wrong = 0;
    for (start, size) in [(0, 1), (1, 15), (3, 16), (5, 100), (16, 64), (15, 17), (60, 200), (64, 63), (7, 900)] {
        part.fill(0xEE);
        files.seek(link, &file, start as i32, From::Start)?;
        // SAFETY: inside of the buffer, which nobody else uses.
        let count = unsafe { files.read_to(link, &file, (&raw mut part[start]) as u32, size) }?;
        let outside = part[..start].iter().chain(&part[start + size..]).all(|byte| *byte == 0xEE);
        wrong += u32::from(count != size || part[start..start + size] != whole[start..start + size] || !outside);
    }
    tally.equal("reads of any size to any address", wrong, 0);
    let mut failed = 0;
    for turn in 0..CALLS {
        let start = cop0::count();
        while cop0::count().wrapping_sub(start) < turn * 16 {}
        failed += u32::from(files.seek(link, &file, turn as i32, From::Start)? != turn);
    }
    tally.equal("a thousand calls", failed, 0);
    transfers(tally, link)?;
    files.close(link, file)
}
