//! Streams for modules.

use super::{NO, YES, bytes_of, may_read_to, mode_of, search_file};
use crate::machine::cd_stream::{Wish, take, waiting, wish};
use crate::machine::cdvdman as driver;
use crate::machine::libraries::store;
use bootrom_iop::cdvd::{ReadMode, command};

/// The bank count and the buffer are for who reads ahead.
pub extern "C" fn initialise(sectors: u32, _banks: u32, _buffer: u32) -> i32 {
    wish(Wish::Begin(sectors));
    YES
}

/// The next sectors; how many came. The drive's error goes to `error`.
pub extern "C" fn read(sectors: u32, buffer: u32, _mode: u32, error: *mut u32) -> i32 {
    let taken = take(sectors, |lsn, mode| {
        let fits = may_read_to(buffer, sectors, bytes_of(command::READ, mode));
        fits && driver::read(lsn, sectors, buffer, mode).is_ok()
    });
    store(error, taken.err().unwrap_or(0).into());
    taken.unwrap_or(0) as i32
}

pub extern "C" fn seek(lsn: u32) -> i32 {
    wish(Wish::Seek(lsn));
    YES
}

pub extern "C" fn start(lsn: u32, mode: *const ReadMode) -> i32 {
    let Some(mode) = mode_of(mode) else { return NO };
    wish(Wish::Start(lsn, mode));
    YES
}

pub extern "C" fn state() -> i32 {
    waiting() as i32
}

pub extern "C" fn pause() -> i32 {
    wish(Wish::Pause);
    YES
}

pub extern "C" fn resume() -> i32 {
    wish(Wish::Resume);
    YES
}

/// A disc's second layer has a volume of its own.
///
/// Stand-in: only the first one is looked at.
pub extern "C" fn search_layer(record: *mut [u32; 8], name: *const u8, layer: i32) -> i32 {
    if layer == 0 { search_file(record, name) } else { NO }
}
