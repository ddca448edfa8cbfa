//! `sysclib` 1.1: memory, strings and numbers.
//!
//! These are the C library's functions, with its contracts: strings are ended, memory is as long as the caller says.

use super::stdio::{Forward, print_forwarded};
use super::{Exports, exports, store};
use bootrom_iop::character;
use core::arch::global_asm;
use core::ptr::null_mut;

/// Library functions by number.
pub static TABLE: Exports<44> = exports(
    b"sysclib",
    0x0101,
    [
        // Covers: iop, sysclib 4 setjmp test=and with the registers of its start
        (4, set_jump as *const ()),
        // Covers: iop, sysclib 5 longjmp test=a jump comes back with its value
        (5, long_jump as *const ()),
        // Covers: iop, sysclib 6 _toupper test=a letter becomes large
        (6, to_upper as *const ()),
        // Covers: iop, sysclib 7 _tolower test=a letter becomes small
        (7, to_lower as *const ()),
        // Covers: iop, sysclib 8 look_ctype_table test=a letter that is a digit
        (8, character_kind as *const ()),
        // Covers: iop, sysclib 9 get_ctype_table test=character::tests::kinds_agree_with_what_characters_are
        (9, character_kinds as *const ()),
        // Covers: iop, sysclib 10 memchr test=a byte is found in memory
        (10, find_byte as *const ()),
        // Covers: iop, sysclib 11 memcmp test=memory is compared by its first difference
        (11, compare_memory as *const ()),
        // Covers: iop, sysclib 12 memcpy test=memory is copied
        (12, copy_memory as *const ()),
        // Covers: iop, sysclib 13 memmove test=memory is moved upwards over itself
        (13, move_memory as *const ()),
        // Covers: iop, sysclib 14 memset test=memory is set to a byte
        (14, set_memory as *const ()),
        // Covers: iop, sysclib 15 bcmp test=memory is compared by the older name
        (15, compare_memory as *const ()),
        // Covers: iop, sysclib 16 bcopy test=memory is copied downwards over itself by the older name
        (16, copy_backwards_named as *const ()),
        // Covers: iop, sysclib 17 bzero test=memory is cleared
        (17, zero_memory as *const ()),
        // Covers: iop, sysclib 18 prnt test=text goes to a function, between two marks
        (18, print_by_callback as *const ()),
        // Covers: iop, sysclib 19 sprintf test=text is formatted
        (19, print_to_text as *const ()),
        // Covers: iop, sysclib 20 strcat test=a text is added to another
        (20, append as *const ()),
        // Covers: iop, sysclib 21 strchr test=a character is found from the left
        (21, find_char as *const ()),
        // Covers: iop, sysclib 22 strcmp test=texts are compared
        (22, compare as *const ()),
        // Covers: iop, sysclib 23 strcpy test=a text is copied with its end
        (23, copy as *const ()),
        // Covers: iop, sysclib 24 strcspn test=how far none of a set comes
        (24, span_without as *const ()),
        // Covers: iop, sysclib 25 index test=a character is found by the older name
        (25, find_char as *const ()),
        // Covers: iop, sysclib 26 rindex test=and by the older name
        (26, find_last_char as *const ()),
        // Covers: iop, sysclib 27 strlen test=a text's length
        (27, length as *const ()),
        // Covers: iop, sysclib 28 strncat test=some of a text is added
        (28, append_some as *const ()),
        // Covers: iop, sysclib 29 strncmp test=and no further
        (29, compare_some as *const ()),
        // Covers: iop, sysclib 30 strncpy test=some of a text is copied and the rest cleared
        (30, copy_some as *const ()),
        // Covers: iop, sysclib 31 strpbrk test=the first of a set
        (31, find_any as *const ()),
        // Covers: iop, sysclib 32 strrchr test=a character is found from the right
        (32, find_last_char as *const ()),
        // Covers: iop, sysclib 33 strspn test=how far a set goes
        (33, span_of as *const ()),
        // Covers: iop, sysclib 34 strstr test=a text within another
        (34, find_text as *const ()),
        // Covers: iop, sysclib 35 strtok test=a text is split into words
        (35, split as *const ()),
        // Covers: iop, sysclib 36 strtol test=a number of the base that it shows
        (36, to_long as *const ()),
        // Covers: iop, sysclib 37 atob test=and its end
        (37, to_number as *const ()),
        // Covers: iop, sysclib 38 strtoul test=a number without a sign
        (38, to_long as *const ()),
        // Covers: iop, sysclib 40 _wmemcopy test=words are copied
        (40, copy_words as *const ()),
        // Covers: iop, sysclib 41 _wmemset test=words are set
        (41, set_words as *const ()),
        // Covers: iop, sysclib 42 vsprintf test=text is formatted by a list of values
        (42, print_list_to_text as *const ()),
        // Covers: iop, sysclib 43 strtok_r test=a text is split by a state of one's own
        (43, split_with_state as *const ()),
    ],
);

/// The byte at `text + index`.
fn byte(text: *const u8, index: usize) -> u8 {
    // SAFETY: callers pass ended strings and stay inside of them; that is the contract.
    unsafe { text.add(index).read() }
}

/// Writes the byte at `text + index`.
fn put(text: *mut u8, index: usize, value: u8) {
    // SAFETY: callers pass memory that is long enough; that is the contract.
    unsafe { text.add(index).write(value) }
}

extern "C" fn to_upper(character: i32) -> i32 {
    u8::try_from(character).map_or(character, |byte| byte.to_ascii_uppercase().into())
}

extern "C" fn to_lower(character: i32) -> i32 {
    u8::try_from(character).map_or(character, |byte| byte.to_ascii_lowercase().into())
}

/// Kinds of characters by their codes.
static KINDS: [u8; 256] = character::kinds();

/// The kind of one character.
extern "C" fn character_kind(character: u32) -> i32 {
    KINDS.get(character as usize).copied().unwrap_or(0).into()
}

/// The kinds of all of them.
extern "C" fn character_kinds() -> *const u8 {
    KINDS.as_ptr()
}

/// Reads a decimal number; the result is the place behind it.
extern "C" fn to_number(text: *const u8, value: *mut i32) -> *const u8 {
    let mut end = text;
    let number = to_long(text, &raw mut end, 10);
    store(value, number);
    end
}

extern "C" fn find_byte(memory: *const u8, value: i32, bytes: usize) -> *const u8 {
    (0..bytes).find(|index| byte(memory, *index) == value as u8).map_or(null_mut(), |index| memory.wrapping_add(index))
}

extern "C" fn compare_memory(a: *const u8, b: *const u8, bytes: usize) -> i32 {
    (0..bytes)
        .map(|index| i32::from(byte(a, index)) - i32::from(byte(b, index)))
        .find(|difference| *difference != 0)
        .unwrap_or(0)
}

extern "C" fn copy_memory(target: *mut u8, source: *const u8, bytes: usize) -> *mut u8 {
    // SAFETY: the caller's memory; overlapping is allowed here although it need not be.
    unsafe { core::ptr::copy(source, target, bytes) };
    target
}

extern "C" fn move_memory(target: *mut u8, source: *const u8, bytes: usize) -> *mut u8 {
    copy_memory(target, source, bytes)
}

extern "C" fn copy_backwards_named(source: *const u8, target: *mut u8, bytes: usize) {
    copy_memory(target, source, bytes);
}

extern "C" fn set_memory(target: *mut u8, value: i32, bytes: usize) -> *mut u8 {
    // SAFETY: the caller's memory.
    unsafe { core::ptr::write_bytes(target, value as u8, bytes) };
    target
}

extern "C" fn zero_memory(target: *mut u8, bytes: usize) {
    set_memory(target, 0, bytes);
}

extern "C" fn copy_words(target: *mut u32, source: *const u32, bytes: usize) -> *mut u32 {
    copy_memory(target.cast(), source.cast(), bytes & !3);
    target
}

extern "C" fn set_words(target: *mut u32, value: u32, bytes: usize) -> *mut u32 {
    for index in 0..bytes / 4 {
        // SAFETY: the caller's memory.
        unsafe { target.add(index).write(value) };
    }
    target
}

/// Marks of the beginning and the end of a text, as pseudo characters.
///
/// Source: IOP kernel, STDIO
const PRINT_BEGIN: i32 = 0x200;
const PRINT_END: i32 = 0x201;

extern "C" fn print_by_callback(out: extern "C" fn(u32, i32), context: u32, text: *const u8, values: Forward) -> i32 {
    out(context, PRINT_BEGIN);
    let count = print_forwarded(text, values, |byte| out(context, byte.into()));
    out(context, PRINT_END);
    count
}

#[unsafe(no_mangle)]
extern "C" fn print_list_to_text(target: *mut u8, text: *const u8, values: Forward) -> i32 {
    let mut index = 0;
    let count = print_forwarded(text, values, |byte| {
        put(target, index, byte);
        index += 1;
    });
    put(target, count as usize, 0);
    count
}

extern "C" fn length(text: *const u8) -> usize {
    let mut length = 0;
    while byte(text, length) != 0 {
        length += 1;
    }
    length
}

extern "C" fn copy(target: *mut u8, source: *const u8) -> *mut u8 {
    copy_memory(target, source, length(source) + 1)
}

extern "C" fn copy_some(target: *mut u8, source: *const u8, bytes: usize) -> *mut u8 {
    let mut ended = false;
    for index in 0..bytes {
        let value = if ended { 0 } else { byte(source, index) };
        ended |= value == 0;
        put(target, index, value);
    }
    target
}

extern "C" fn append(target: *mut u8, source: *const u8) -> *mut u8 {
    copy(target.wrapping_add(length(target)), source);
    target
}

extern "C" fn append_some(target: *mut u8, source: *const u8, bytes: usize) -> *mut u8 {
    let end = length(target);
    let count = (0..bytes).find(|index| byte(source, *index) == 0).unwrap_or(bytes);
    copy_memory(target.wrapping_add(end), source, count);
    put(target, end + count, 0);
    target
}

extern "C" fn compare(a: *const u8, b: *const u8) -> i32 {
    compare_some(a, b, usize::MAX)
}

extern "C" fn compare_some(a: *const u8, b: *const u8, bytes: usize) -> i32 {
    for index in 0..bytes {
        let (a, b) = (byte(a, index), byte(b, index));
        if a != b || a == 0 {
            return i32::from(a) - i32::from(b);
        }
    }
    0
}

extern "C" fn find_char(text: *const u8, character: i32) -> *const u8 {
    (0..=length(text))
        .find(|index| byte(text, *index) == character as u8)
        .map_or(null_mut(), |index| text.wrapping_add(index))
}

extern "C" fn find_last_char(text: *const u8, character: i32) -> *const u8 {
    (0..=length(text))
        .rev()
        .find(|index| byte(text, *index) == character as u8)
        .map_or(null_mut(), |index| text.wrapping_add(index))
}

/// True when `value` is one of the characters of `set`.
fn is_in(set: *const u8, value: u8) -> bool {
    (0..length(set)).any(|index| byte(set, index) == value)
}

extern "C" fn span_of(text: *const u8, set: *const u8) -> usize {
    (0..length(text)).take_while(|index| is_in(set, byte(text, *index))).count()
}

extern "C" fn span_without(text: *const u8, set: *const u8) -> usize {
    (0..length(text)).take_while(|index| !is_in(set, byte(text, *index))).count()
}

extern "C" fn find_any(text: *const u8, set: *const u8) -> *const u8 {
    let span = span_without(text, set);
    if byte(text, span) == 0 { null_mut() } else { text.wrapping_add(span) }
}

extern "C" fn find_text(text: *const u8, part: *const u8) -> *const u8 {
    let (whole, bytes) = (length(text), length(part));
    (0..=whole.saturating_sub(bytes))
        .find(|index| bytes <= whole && compare_some(text.wrapping_add(*index), part, bytes) == 0)
        .map_or(null_mut(), |index| text.wrapping_add(index))
}

/// Where the last [`split`] stopped; the library has one for all callers, as C has.
static SPLIT: crate::machine::critical::Shared<*mut u8> = crate::machine::critical::Shared::new(null_mut());

extern "C" fn split(text: *mut u8, set: *const u8) -> *mut u8 {
    SPLIT.with(|state| split_with_state(text, set, state))
}

extern "C" fn split_with_state(text: *mut u8, set: *const u8, state: *mut *mut u8) -> *mut u8 {
    // SAFETY: the caller's state.
    let start = if text.is_null() { unsafe { *state } } else { text };
    if start.is_null() {
        return null_mut();
    }
    let word = start.wrapping_add(span_of(start, set));
    let bytes = span_without(word, set);
    let end = word.wrapping_add(bytes);
    let next = if byte(end, 0) == 0 {
        null_mut()
    } else {
        put(end, 0, 0);
        end.wrapping_add(1)
    };
    // SAFETY: the caller's state.
    unsafe { *state = next };
    if bytes == 0 { null_mut() } else { word }
}

extern "C" fn to_long(text: *const u8, end: *mut *const u8, base: i32) -> i32 {
    let mut at = (0..).find(|index| !byte(text, *index).is_ascii_whitespace()).unwrap_or(0);
    let negative = byte(text, at) == b'-';
    if matches!(byte(text, at), b'-' | b'+') {
        at += 1;
    }
    let has_prefix = byte(text, at) == b'0' && byte(text, at + 1).eq_ignore_ascii_case(&b'x');
    let base = match base {
        0 if has_prefix => 16,
        0 if byte(text, at) == b'0' => 8,
        0 => 10,
        base => base as u32,
    };
    if base == 16 && has_prefix {
        at += 2;
    }
    let mut value = 0_u32;
    while let Some(digit) = char::from(byte(text, at)).to_digit(base.clamp(2, 36)) {
        value = value.wrapping_mul(base).wrapping_add(digit);
        at += 1;
    }
    if !end.is_null() {
        // SAFETY: the caller's pointer.
        unsafe { *end = text.wrapping_add(at) };
    }
    let value = value as i32;
    if negative { value.wrapping_neg() } else { value }
}

global_asm!(
    ".set noreorder",
    ".globl sysclib_print_to_text",
    "sysclib_print_to_text:",
    "    sw    $6, 8($29)",
    "    sw    $7, 12($29)",
    "    addiu $6, $29, 8",
    "    j     print_list_to_text",
    "    nop",
    // Keeps return address, stack, frame, the saved registers and gp: 12 words.
    ".globl sysclib_set_jump",
    "sysclib_set_jump:",
    "    sw    $31, 0($4)",
    "    sw    $29, 4($4)",
    "    sw    $30, 8($4)",
    "    sw    $16, 12($4)",
    "    sw    $17, 16($4)",
    "    sw    $18, 20($4)",
    "    sw    $19, 24($4)",
    "    sw    $20, 28($4)",
    "    sw    $21, 32($4)",
    "    sw    $22, 36($4)",
    "    sw    $23, 40($4)",
    "    sw    $28, 44($4)",
    "    jr    $31",
    "    addiu $2, $0, 0",
    ".globl sysclib_long_jump",
    "sysclib_long_jump:",
    "    lw    $31, 0($4)",
    "    lw    $29, 4($4)",
    "    lw    $30, 8($4)",
    "    lw    $16, 12($4)",
    "    lw    $17, 16($4)",
    "    lw    $18, 20($4)",
    "    lw    $19, 24($4)",
    "    lw    $20, 28($4)",
    "    lw    $21, 32($4)",
    "    lw    $22, 36($4)",
    "    lw    $23, 40($4)",
    "    lw    $28, 44($4)",
    "    jr    $31",
    "    move  $2, $5",
    ".set reorder",
);

unsafe extern "C" {
    #[link_name = "sysclib_print_to_text"]
    fn print_to_text(target: *mut u8, text: *const u8);
    #[link_name = "sysclib_set_jump"]
    fn set_jump(context: *mut u32) -> i32;
    #[link_name = "sysclib_long_jump"]
    fn long_jump(context: *const u32, value: i32);
}
