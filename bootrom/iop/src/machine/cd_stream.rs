//! Streams of the disc's sectors: the next one, and whether it runs. One for all, whoever asks.
//!
//! Our choice: sectors are read when they are asked for, and none ahead. A client sees the same data and the same results, and its
//! buffer on this side stays unused.

use super::cdvdman::last_error;
use super::critical::Shared;
use bootrom_iop::cdvd::ReadMode;

/// A stream: the next sector, how it is read, and how much a client may ask for.
#[derive(Clone, Copy)]
struct Stream {
    lsn: u32,
    mode: ReadMode,
    buffer_sectors: u32,
    runs: bool,
}

static STREAM: Shared<Stream> = Shared::new(Stream { lsn: 0, mode: ReadMode::DATA, buffer_sectors: 0, runs: false });

/// What a client wants of the stream.
#[derive(Clone, Copy)]
pub enum Wish {
    /// It may ask for so many sectors at a time.
    Begin(u32),
    /// It starts at a sector.
    Start(u32, ReadMode),
    /// It goes on at another one.
    Seek(u32),
    /// It rests.
    Pause,
    /// It goes on.
    Resume,
}

/// Does it. It cannot fail.
pub fn wish(wish: Wish) {
    STREAM.with(|stream| match wish {
        Wish::Begin(sectors) => stream.buffer_sectors = sectors,
        Wish::Start(lsn, mode) => (stream.lsn, stream.mode, stream.runs) = (lsn, mode, true),
        Wish::Seek(lsn) => stream.lsn = lsn,
        Wish::Pause => stream.runs = false,
        Wish::Resume => stream.runs = true,
    });
}

/// Sectors that could be had at once; 0 when the stream rests.
pub fn waiting() -> u32 {
    STREAM.with(|stream| if stream.runs { stream.buffer_sectors } else { 0 })
}

/// The next `sectors`, by a function that reads them from a sector in a mode; how many came.
///
/// # Errors
/// The drive's number.
pub fn take(sectors: u32, read: impl FnOnce(u32, ReadMode) -> bool) -> Result<u32, u8> {
    let stream = STREAM.with(|stream| *stream);
    if !stream.runs {
        return Ok(0);
    }
    if !read(stream.lsn, stream.mode) {
        return Err(last_error());
    }
    STREAM.with(|stream| stream.lsn += sectors);
    Ok(sectors)
}
