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
        // Covers: iop, ioman 9 ioctl test=anything else goes to a file's device
        (9, files::ioctl as *const ()),
        // Covers: iop, ioman 10 remove test=a path reaches its device to remove
        (10, files::remove as *const ()),
        // Covers: iop, ioman 11 mkdir test=a directory is made by its device
        (11, files::mkdir as *const ()),
        // Covers: iop, ioman 12 rmdir test=a directory is removed by its device
        (12, files::rmdir as *const ()),
        // Covers: iop, ioman 13 dopen test=a directory is opened
        (13, files::dopen as *const ()),
        // Covers: iop, ioman 14 dclose test=a directory is closed once
        (14, files::dclose as *const ()),
        // Covers: iop, ioman 15 dread test=a directory is read
        (15, files::dread as *const ()),
        // Covers: iop, ioman 16 getstat test=a device tells of a file
        (16, files::getstat as *const ()),
        // Covers: iop, ioman 17 chstat test=a device changes what it tells
        (17, files::chstat as *const ()),
        // Covers: iop, ioman 18 format test=a device formats a unit
        (18, files::format as *const ()),
        // Covers: iop, ioman 20 AddDrv test=a device is added
        (20, files::add_device as *const ()),
        // Covers: iop, ioman 21 DelDrv test=a device is taken out
        (21, files::remove_device as *const ()),
    ],
);
