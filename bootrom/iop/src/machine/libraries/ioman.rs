//! `ioman` 1.2: files and devices.

use super::{Exports, exports};
use crate::machine::ioman as files;

/// Library functions by number.
pub static TABLE: Exports<22> = exports(
    b"ioman",
    0x0102,
    [
        // Covers: iop, ioman 4 open test=the last of too many files
        (4, files::ioman_open as *const ()),
        // Covers: iop, ioman 5 close test=a file is closed once
        (5, files::ioman_close as *const ()),
        // Covers: iop, ioman 6 read test=damaged modules are loaded or refused
        (6, files::ioman_read as *const ()),
        // Covers: iop, ioman 7 write test=writing to a file that is read
        (7, files::ioman_write as *const ()),
        // Covers: iop, ioman 8 lseek test=a place from nowhere
        (8, files::ioman_lseek as *const ()),
        (9, files::ioctl as *const ()),
        (10, files::remove as *const ()),
        (11, files::mkdir as *const ()),
        (12, files::rmdir as *const ()),
        (13, files::dopen as *const ()),
        (14, files::dclose as *const ()),
        (15, files::dread as *const ()),
        (16, files::getstat as *const ()),
        (17, files::chstat as *const ()),
        (18, files::format as *const ()),
        (20, files::add_device as *const ()),
        (21, files::remove_device as *const ()),
    ],
);
