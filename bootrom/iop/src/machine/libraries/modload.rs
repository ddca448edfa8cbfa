//! `modload` 1.1: modules.

use super::{Exports, exports, store};
use crate::machine::modules;
use bootrom_iop::errors::code_of;

/// Library functions by number.
pub static TABLE: Exports<16> = exports(
    b"modload",
    0x0101,
    [(6, load as *const ()), (7, load_and_start as *const ()), (8, start as *const ()), (10, load_buffer as *const ())],
);

extern "C" fn load(path: *const u8) -> i32 {
    code_of(modules::load_file(path))
}

extern "C" fn load_and_start(path: *const u8, bytes: u32, arguments: *const u8, result: *mut i32) -> i32 {
    code_of(modules::load_and_start(path, arguments, bytes).map(|(id, value)| {
        store(result, value);
        id
    }))
}

extern "C" fn start(id: i32, name: *const u8, bytes: u32, arguments: *const u8, result: *mut i32) -> i32 {
    code_of(modules::start_module(id, name, arguments, bytes).map(|value| {
        store(result, value);
        id
    }))
}

extern "C" fn load_buffer(buffer: u32) -> i32 {
    code_of(modules::load_memory(buffer))
}
