//! `stdio` 1.2: text to files.
//!
//! The functions with a variable number of values store their register arguments behind each other on the stack, as the calling
//! convention provides, and pass on where they are.

use super::{Exports, exports};
use crate::machine::{ioman, memory};
use bootrom_iop::printf::{Arguments, format};
use core::arch::global_asm;

/// Library functions by number.
pub static TABLE: Exports<15> = exports(
    b"stdio",
    0x0102,
    [
        // Covers: iop, stdio 4 printf test=text is printed by its format
        (4, print as *const ()),
        // Covers: iop, stdio 5 getchar test=a character comes from the console
        (5, get_char as *const ()),
        // Covers: iop, stdio 6 putchar test=characters are put
        (6, put_char as *const ()),
        // Covers: iop, stdio 7 puts test=a line is put
        (7, put_text as *const ()),
        // Covers: iop, stdio 8 gets test=a line comes from the console
        (8, get_line as *const ()),
        // Covers: iop, stdio 9 fdprintf test=text is formatted to a file
        (9, print_to as *const ()),
        // Covers: iop, stdio 10 fdgetc test=a character comes from a file
        (10, get_char_from as *const ()),
        // Covers: iop, stdio 11 fdputc test=a character goes to a file
        (11, put_char_to as *const ()),
        // Covers: iop, stdio 12 fdputs test=a text goes to a file as it is
        (12, put_text_to as *const ()),
        // Covers: iop, stdio 13 fdgets test=a line comes from a file
        (13, get_line_from as *const ()),
        // Covers: iop, stdio 14 vfdprintf test=text is formatted to a file by a list of values
        (14, print_list_to as *const ()),
    ],
);

/// Number of the console's file for reading.
const CONSOLE_IN: i32 = 0;
/// Number of the console's file for writing.
const CONSOLE_OUT: i32 = 1;
/// Bytes that are collected before they go to the file.
const BUFFER_BYTES: usize = 64;
/// What a null text prints.
const NULL_TEXT: &core::ffi::CStr = c"<NULL>";
const END_OF_FILE: i32 = -1;

/// A caller's values, one behind the other.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Forward(*const u32);

impl Arguments for Forward {
    fn word(&mut self) -> u32 {
        if !memory::may_look(self.0) {
            return 0;
        }
        // SAFETY: memory, in which the caller has passed a value for each conversion of its format; that is the contract.
        let value = unsafe { self.0.read() };
        self.0 = self.0.wrapping_add(1);
        value
    }

    fn long(&mut self) -> u64 {
        // Doublewords lie on their own boundary.
        if !(self.0 as usize).is_multiple_of(8) {
            self.0 = self.0.wrapping_add(1);
        }
        let low = self.word();
        u64::from(low) | u64::from(self.word()) << 32
    }

    fn text_byte(&self, address: u32, index: u32) -> u8 {
        let place = address.wrapping_add(index);
        if !memory::may_read(place, 1) {
            return 0;
        }
        // SAFETY: memory, as was asked.
        unsafe { (place as *const u8).read() }
    }
}

/// Formats the values behind `values`.
pub fn print_forwarded(text: *const u8, mut values: Forward, out: impl FnMut(u8)) -> i32 {
    // SAFETY: the format is a string; that is the contract.
    format(unsafe { ioman::text_of(text) }, &mut values, out) as i32
}

extern "C" fn print_list_to(fd: i32, text: *const u8, values: Forward) -> i32 {
    let mut buffer = [0; BUFFER_BYTES];
    let mut filled = 0;
    let count = print_forwarded(text, values, |byte| {
        if filled == BUFFER_BYTES {
            ioman::write(fd, buffer.as_ptr(), filled as i32);
            filled = 0;
        }
        buffer[filled] = byte;
        filled += 1;
    });
    if filled > 0 {
        ioman::write(fd, buffer.as_ptr(), filled as i32);
    }
    count
}

#[unsafe(no_mangle)]
extern "C" fn stdio_print_list(text: *const u8, values: Forward) -> i32 {
    print_list_to(CONSOLE_OUT, text, values)
}

#[unsafe(no_mangle)]
extern "C" fn stdio_print_list_to(fd: i32, text: *const u8, values: Forward) -> i32 {
    print_list_to(fd, text, values)
}

global_asm!(
    ".set noreorder",
    ".globl stdio_print",
    "stdio_print:",
    "    sw    $5, 4($29)",
    "    sw    $6, 8($29)",
    "    sw    $7, 12($29)",
    "    addiu $5, $29, 4",
    "    j     stdio_print_list",
    "    nop",
    ".globl stdio_print_to",
    "stdio_print_to:",
    "    sw    $6, 8($29)",
    "    sw    $7, 12($29)",
    "    addiu $6, $29, 8",
    "    j     stdio_print_list_to",
    "    nop",
    ".set reorder",
);

unsafe extern "C" {
    #[link_name = "stdio_print"]
    fn print(text: *const u8);
    #[link_name = "stdio_print_to"]
    fn print_to(fd: i32, text: *const u8);
}

extern "C" fn get_char() -> i32 {
    get_char_from(CONSOLE_IN)
}

extern "C" fn get_char_from(fd: i32) -> i32 {
    let mut byte = 0;
    if ioman::read(fd, &raw mut byte, 1) == 1 { byte.into() } else { END_OF_FILE }
}

/// Bytes of a line that is typed, without its end.
///
/// Source: IOP kernel, STDIO
const TYPED_BYTES: usize = 125;
/// What takes back the last character, and the whole line.
const BACKSPACE: i32 = 0x08;
const DELETE: i32 = 0x7F;
const KILL: i32 = 0x15;

extern "C" fn get_line(text: *mut u8) -> *mut u8 {
    get_line_from(text, CONSOLE_IN)
}

/// Reads a line without its end; null when there is nothing more to read.
extern "C" fn get_line_from(text: *mut u8, fd: i32) -> *mut u8 {
    if !memory::may_write(text as u32, TYPED_BYTES as u32 + 1) {
        return core::ptr::null_mut();
    }
    let mut count = 0_usize;
    let mut any = false;
    loop {
        match get_char_from(fd) {
            END_OF_FILE => break,
            BACKSPACE | DELETE => count = count.saturating_sub(1),
            KILL => count = 0,
            // Carriage return and line feed end a line alike.
            10 | 13 => {
                any = true;
                break;
            }
            byte if count < TYPED_BYTES => {
                // SAFETY: callers have room for a line of the longest length; that is the contract.
                unsafe { text.add(count).write(byte as u8) };
                count += 1;
            }
            _ => {}
        }
        any = true;
    }
    // SAFETY: as above.
    unsafe { text.add(count).write(0) };
    if any { text } else { core::ptr::null_mut() }
}

extern "C" fn put_char(byte: i32) -> i32 {
    put_char_to(byte, CONSOLE_OUT)
}

extern "C" fn put_char_to(byte: i32, fd: i32) -> i32 {
    let byte = byte as u8;
    ioman::write(fd, &raw const byte, 1)
}

extern "C" fn put_text(text: *const u8) -> i32 {
    put_text_to(text, CONSOLE_OUT);
    put_char(b'\n'.into())
}

extern "C" fn put_text_to(text: *const u8, fd: i32) -> i32 {
    // SAFETY: the caller passes a string or null.
    let text = if text.is_null() { NULL_TEXT.to_bytes() } else { unsafe { ioman::text_of(text) } };
    ioman::write(fd, text.as_ptr(), text.len() as i32)
}
