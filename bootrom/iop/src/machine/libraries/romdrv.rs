//! `romdrv` 2.1: images of ROMs as units of the device "rom".
//!
//! Source: public headers (numbers)

use super::{Exports, exports};
use crate::machine::romdrv;

/// Library functions by number.
pub static TABLE: Exports<6> = exports(
    b"romdrv",
    0x0201,
    [
        // Covers: iop, romdrv 4 romAddDevice test=an image in memory becomes a unit of the ROM's device
        (4, romdrv::add as *const ()),
        // Covers: iop, romdrv 5 romDelDevice test=an image is forgotten
        (5, romdrv::remove as *const ()),
    ],
);
