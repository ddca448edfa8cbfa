//! SYSCLIB: memory, strings, numbers, formatted text, jumps.

use crate::system::{self, Text};
use crate::tally::Tally;
use crate::word::Word;
use core::ffi::CStr;

pub fn run(tally: &mut Tally) {
    memory(tally);
    strings(tally);
    searches(tally);
    numbers(tally);
    formats(tally);
    jumps(tally);
}

const BYTES: usize = 32;

/// A text to be changed.
fn copy_of(text: &CStr) -> [u8; BYTES] {
    let mut bytes = [0xEE; BYTES];
    let text = text.to_bytes_with_nul();
    bytes[..text.len()].copy_from_slice(text);
    bytes
}

fn text(text: &CStr) -> Text {
    text.as_ptr().cast()
}

/// How far a place lies behind a text's start; -1 for none.
fn distance(place: Text, text: Text) -> i32 {
    if place.is_null() { -1 } else { place as i32 - text as i32 }
}

fn memory(tally: &mut Tally) {
    let mut bytes = *b"abcdefgh";
    let at = bytes.as_mut_ptr();
    system::memcpy(at, b"XY".as_ptr(), 2);
    tally.holds("memory is copied", bytes == *b"XYcdefgh");
    system::memmove(at.wrapping_add(2), at, 6);
    tally.holds("memory is moved upwards over itself", bytes == *b"XYXYcdef");
    system::bcopy(at.wrapping_add(2), at, 6);
    tally.holds("memory is copied downwards over itself by the older name", bytes == *b"XYcdefef");
    system::memset(at, 0x141, 3);
    tally.holds("memory is set to a byte", bytes == *b"AAAdefef");
    system::bzero(at.wrapping_add(4), 2);
    tally.holds("memory is cleared", bytes == *b"AAAd\0\0ef");
    tally.equal("a byte is found in memory", distance(system::memchr(at, b'd'.into(), 8), at), 3);
    tally.equal("not beyond the end", distance(system::memchr(at, b'e'.into(), 6), at), -1);
    tally.holds("memory is compared by its first difference", system::memcmp(b"abz".as_ptr(), b"acz".as_ptr(), 3) < 0);
    tally.equal("as far as is asked", system::memcmp(b"abz".as_ptr(), b"aby".as_ptr(), 2), 0);
    tally.holds("memory is compared by the older name", system::bcmp(b"b".as_ptr(), b"a".as_ptr(), 1) > 0);
    let mut words = [1_u32, 2, 3, 4];
    let at = words.as_mut_ptr();
    system::_wmemcopy(at, [7_u32, 8].as_ptr(), 8);
    tally.holds("words are copied", words == [7, 8, 3, 4]);
    system::_wmemset(at.wrapping_add(1), 0x1234_5678, 8);
    tally.holds("words are set", words == [7, 0x1234_5678, 0x1234_5678, 4]);
}

fn strings(tally: &mut Tally) {
    tally.equal("a text's length", system::strlen(text(c"four")) as i32, 4);
    let mut bytes = copy_of(c"ab");
    let at = bytes.as_mut_ptr();
    system::strcat(at, text(c"cd"));
    tally.holds("a text is added to another", bytes[..6] == *b"abcd\0\xEE");
    system::strncat(at, text(c"efgh"), 2);
    tally.holds("some of a text is added", bytes[..8] == *b"abcdef\0\xEE");
    system::strcpy(at, text(c"xyz"));
    tally.holds("a text is copied with its end", bytes[..6] == *b"xyz\0ef");
    system::strncpy(at, text(c"q"), 3);
    tally.holds("some of a text is copied and the rest cleared", bytes[..6] == *b"q\0\0\0ef");
    tally.holds("texts are compared", system::strcmp(text(c"abc"), text(c"abd")) < 0);
    tally.equal("equal texts are equal", system::strcmp(text(c"abc"), text(c"abc")), 0);
    tally.equal("texts are compared as far as is asked", system::strncmp(text(c"abc"), text(c"abd"), 2), 0);
    tally.holds("and no further", system::strncmp(text(c"abd"), text(c"abc"), 3) > 0);
    tally.equal("a letter becomes large", system::_toupper(b'q'.into()), b'Q'.into());
    tally.equal("a digit stays", system::_toupper(b'7'.into()), b'7'.into());
    tally.equal("a letter becomes small", system::_tolower(b'Q'.into()), b'q'.into());
}

fn searches(tally: &mut Tally) {
    let path = text(c"a/b/c.d");
    tally.equal("a character is found from the left", distance(system::strchr(path, b'/'.into()), path), 1);
    tally.equal("a text's end is one of its characters", distance(system::strchr(path, 0), path), 7);
    tally.equal("a character is found by the older name", distance(system::index(path, b'c'.into()), path), 4);
    tally.equal("a character is found from the right", distance(system::strrchr(path, b'/'.into()), path), 3);
    tally.equal("and by the older name", distance(system::rindex(path, b'b'.into()), path), 2);
    tally.equal("one that is not there is not", distance(system::strchr(path, b'x'.into()), path), -1);
    tally.equal("how far a set goes", system::strspn(path, text(c"ab/")) as i32, 4);
    tally.equal("how far none of a set comes", system::strcspn(path, text(c".c")) as i32, 4);
    tally.equal("the first of a set", distance(system::strpbrk(path, text(c"dc")), path), 4);
    tally.equal("none of a set", distance(system::strpbrk(path, text(c"xyz")), path), -1);
    tally.equal("a text within another", distance(system::strstr(path, text(c"/c")), path), 3);
    tally.equal("one that is not within it", distance(system::strstr(path, text(c"cc")), path), -1);
    let mut bytes = copy_of(c"--one, two-");
    let at = bytes.as_mut_ptr();
    let words = [at, core::ptr::null_mut(), core::ptr::null_mut()].map(|from| system::strtok(from, text(c"-, ")));
    tally.holds("a text is split into words", words.map(|word| distance(word, at)) == [2, 7, -1] && bytes[5] == 0);
    let (mut bytes, mut state) = (copy_of(c"p;q"), core::ptr::null_mut());
    let at = bytes.as_mut_ptr();
    let words = [at, core::ptr::null_mut()].map(|from| system::strtok_r(from, text(c";"), &raw mut state));
    tally.holds("a text is split by a state of one's own", words.map(|word| distance(word, at)) == [0, 2]);
}

fn numbers(tally: &mut Tally) {
    let (number, mut end) = (text(c" -0x1fz"), core::ptr::null());
    tally.equal("a number of the base that it shows", system::strtol(number, &raw mut end, 0), -31);
    tally.equal("and where it ends", distance(end, number), 6);
    tally.equal("an octal number", system::strtol(text(c"017"), core::ptr::null_mut(), 0), 15);
    let large = system::strtoul(text(c"4294967295"), core::ptr::null_mut(), 10);
    tally.equal("a number without a sign", large as i32, -1);
    let kinds = system::get_ctype_table();
    // SAFETY: the table has a byte for each character.
    let kind = unsafe { kinds.add(b'b'.into()).read() };
    tally.equal("the table of characters agrees with the question", kind.into(), system::look_ctype_table(b'b'.into()));
}

static PRINTED: Word = Word::new(0);

/// Adds up what is printed; the marks of beginning and end count more.
extern "C" fn printer(context: u32, character: i32) {
    PRINTED.add(character * context as i32);
}

fn formats(tally: &mut Tally) {
    let mut bytes = copy_of(c"");
    let at = bytes.as_mut_ptr();
    let count = system::sprintf(at, text(c"%03d|%-4x|%s"), -7_i32 as u32, 0xAB, text(c"z"));
    tally.holds("text is formatted", count == 10 && bytes[..11] == *b"-07|ab  |z\0");
    let values = [5_u32, 0xFF, b'!'.into()];
    let count = system::vsprintf(at, text(c"%2d%#X%c"), values.as_ptr());
    tally.holds("text is formatted by a list of values", count == 7 && bytes[..8] == *b" 50XFF!\0");
    PRINTED.set(0);
    let count = system::prnt(printer, 2, text(c"A%d"), values.as_ptr());
    let sum = i32::from(b'A') + i32::from(b'5') + 0x200 + 0x201;
    tally.equal("text goes to a function, between two marks", PRINTED.get(), 2 * sum);
    tally.equal("and is counted without them", count, 2);
}

// A function that returns twice is nothing that the compiler knows: it keeps a register, jumps back with another value in it,
// and tells what the register holds then.
core::arch::global_asm!(
    ".set noreorder",
    ".globl selftest_jump",
    "selftest_jump:",
    "    addiu $29, $29, -48",
    "    sw    $31, 40($29)",
    "    sw    $16, 36($29)",
    "    sw    $17, 32($29)",
    "    sw    $18, 28($29)",
    "    move  $16, $4",
    "    move  $18, $5",
    "    li    $17, 0x77",
    "    jal   import_setjmp",
    "    move  $4, $16",
    "    bnez  $2, 1f",
    "    nop",
    "    li    $17, 0",
    "    move  $4, $16",
    "    jal   import_longjmp",
    "    li    $5, 0x1234",
    "1:  sw    $17, 0($18)",
    "    lw    $31, 40($29)",
    "    lw    $16, 36($29)",
    "    lw    $17, 32($29)",
    "    lw    $18, 28($29)",
    "    jr    $31",
    "    addiu $29, $29, 48",
    ".set reorder",
);

unsafe extern "C" {
    safe fn selftest_jump(context: *mut [u32; 12], kept: *mut i32) -> i32;
}

fn jumps(tally: &mut Tally) {
    let (mut context, mut kept) = ([0; 12], 0);
    tally.equal("a jump comes back with its value", selftest_jump(&raw mut context, &raw mut kept), 0x1234);
    tally.equal("and with the registers of its start", kept, 0x77);
}
