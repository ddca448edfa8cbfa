//! `sifman` 1.1: DMA to the EE and the flags of both sides.

use super::{Exports, exports};
use crate::machine::registers::sif;
use crate::machine::sifman::{self, FLAG_SIF_INIT, arm_receive, main_flags, sub_flags};
use bootrom_iop::sif::Transfer;

/// Library functions by number.
pub static TABLE: Exports<33> = exports(
    b"sifman",
    0x0101,
    [
        (6, arm_receive_channel as *const ()),
        (7, send as *const ()),
        (8, progress as *const ()),
        (9, send_one as *const ()),
        (11, is_sending as *const ()),
        (21, read_main_flags as *const ()),
        (22, clear_main_flags as *const ()),
        (23, read_sub_flags as *const ()),
        (24, set_sub_flags as *const ()),
        (25, main_word as *const ()),
        (26, sub_word as *const ()),
        (27, set_sub_word as *const ()),
        (29, is_initialised as *const ()),
        (32, send_with_callback as *const ()),
    ],
);

/// The transfers of a caller's list.
fn list<'a>(transfers: *const Transfer, count: i32) -> &'a [Transfer] {
    if transfers.is_null() || count <= 0 {
        return &[];
    }
    // SAFETY: the caller passes that many transfers.
    unsafe { core::slice::from_raw_parts(transfers, count as usize) }
}

extern "C" fn arm_receive_channel() {
    arm_receive();
}

extern "C" fn send(transfers: *const Transfer, count: i32) -> u32 {
    sifman::send(list(transfers, count))
}

extern "C" fn progress(id: u32) -> i32 {
    sifman::progress(id) as i32
}

extern "C" fn send_one(transfer: Transfer) -> u32 {
    sifman::send(&[transfer])
}

extern "C" fn send_with_callback(transfers: *const Transfer, count: i32, function: u32, argument: u32) -> u32 {
    sifman::send_with_callback(list(transfers, count), function, argument)
}

extern "C" fn is_sending() -> i32 {
    sifman::is_sending().into()
}

extern "C" fn read_main_flags() -> u32 {
    main_flags()
}

extern "C" fn clear_main_flags(bits: u32) -> u32 {
    sif::MAIN_FLAGS.write(bits);
    main_flags()
}

extern "C" fn read_sub_flags() -> u32 {
    sub_flags()
}

extern "C" fn set_sub_flags(bits: u32) -> u32 {
    sif::SUB_FLAGS.write(bits);
    sub_flags()
}

extern "C" fn main_word() -> u32 {
    sif::MAIN_WORD.read()
}

extern "C" fn sub_word() -> u32 {
    sif::SUB_WORD.read()
}

extern "C" fn set_sub_word(value: u32) -> u32 {
    sif::SUB_WORD.write(value);
    value
}

extern "C" fn is_initialised() -> i32 {
    (sub_flags() & FLAG_SIF_INIT != 0 || main_flags() & FLAG_SIF_INIT != 0).into()
}
