//! The printf family's formatting.
//!
//! Source: IOP kernel, SYSCLIB

use crate::arithmetic::{divide, divide_wide};

/// Where the values of a format come from.
pub trait Arguments {
    /// The next 32-bit value.
    fn word(&mut self) -> u32;
    /// The next 64-bit value.
    fn long(&mut self) -> u64;
    /// The byte at `index` of the string whose address was a value.
    fn text_byte(&self, address: u32, index: u32) -> u8;
}

/// Digits of the longest number: 64 bits in octal.
const DIGITS: usize = 22;
/// Bytes of a string that are printed at most when no precision limits it.
///
/// Our choice: a string that was never ended must not print all of memory.
const LONGEST_TEXT: u32 = 4096;
/// What a null string prints.
const NULL_TEXT: &[u8] = b"(null)";

#[derive(Clone, Copy, Default)]
struct Options {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: u32,
    precision: Option<u32>,
    long: u32,
    half: bool,
}

/// Formats `format` with `arguments` into `out`; the result is how many characters came out.
pub fn format(format: &[u8], arguments: &mut impl Arguments, mut out: impl FnMut(u8)) -> u32 {
    let mut count = 0;
    let mut emit = |byte: u8| {
        out(byte);
        count += 1;
    };
    let mut rest = format;
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte != b'%' {
            emit(*byte);
            continue;
        }
        let (options, kind, behind) = options_of(rest, arguments);
        rest = behind;
        conversion(kind, options, arguments, &mut emit);
    }
    count
}

/// A decimal number, or `*` for the next value; and what follows.
fn number<'a>(mut text: &'a [u8], arguments: &mut impl Arguments) -> (i32, &'a [u8]) {
    if let Some(behind) = text.strip_prefix(b"*") {
        return (arguments.word() as i32, behind);
    }
    let mut value = 0_i32;
    while let Some((digit @ b'0'..=b'9', behind)) = text.split_first() {
        value = value.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
        text = behind;
    }
    (value, text)
}

/// Takes apart what stands between `%` and behind the conversion's letter (0 for none).
fn options_of<'a>(mut text: &'a [u8], arguments: &mut impl Arguments) -> (Options, u8, &'a [u8]) {
    let mut options = Options::default();
    while let Some((flag, behind)) = text.split_first() {
        match flag {
            b'-' => options.left = true,
            b'0' => options.zero = true,
            b'+' => options.plus = true,
            b' ' => options.space = true,
            b'#' => options.alternate = true,
            _ => break,
        }
        text = behind;
    }
    let (width, behind) = number(text, arguments);
    options.left |= width < 0;
    options.width = width.unsigned_abs();
    text = behind;
    if let Some(behind) = text.strip_prefix(b".") {
        let (precision, behind) = number(behind, arguments);
        options.precision = u32::try_from(precision).ok();
        text = behind;
    }
    while let Some((size, behind)) = text.split_first() {
        match size {
            b'h' => options.half = true,
            // A long has 32 bits here; two of them make 64.
            b'l' => options.long += 1,
            _ => break,
        }
        text = behind;
    }
    match text.split_first() {
        Some((kind, behind)) => (options, *kind, behind),
        None => (options, 0, text),
    }
}

fn conversion(kind: u8, mut options: Options, arguments: &mut impl Arguments, emit: &mut impl FnMut(u8)) {
    match kind {
        b'd' | b'i' => {
            let value = if options.long >= 2 {
                arguments.long() as i64
            } else if options.half {
                i64::from(arguments.word() as i16)
            } else {
                i64::from(arguments.word() as i32)
            };
            let sign = match (value < 0, options.plus, options.space) {
                (true, ..) => &b"-"[..],
                (false, true, _) => b"+",
                (false, false, true) => b" ",
                (false, false, false) => b"",
            };
            integer(value.unsigned_abs(), 10, false, sign, options, emit);
        }
        b'u' | b'x' | b'X' | b'o' | b'p' => {
            let value = if options.long >= 2 {
                arguments.long()
            } else if options.half {
                u64::from(arguments.word() as u16)
            } else {
                u64::from(arguments.word())
            };
            let base = match kind {
                b'u' => 10,
                b'o' => 8,
                _ => 16,
            };
            if kind == b'p' {
                options.precision = Some(8);
            }
            let prefix = match (options.alternate && value != 0, kind) {
                (true, b'x') => &b"0x"[..],
                (true, b'X') => b"0X",
                (true, b'o') => b"0",
                _ => b"",
            };
            integer(value, base, kind == b'X', prefix, options, emit);
        }
        b'c' => {
            let byte = arguments.word() as u8;
            padded(1, options, emit, |emit| emit(byte));
        }
        b's' => {
            let address = arguments.word();
            let most = options.precision.unwrap_or(LONGEST_TEXT);
            let byte = |index: u32| {
                if address == 0 {
                    NULL_TEXT.get(index as usize).copied().unwrap_or(0)
                } else {
                    arguments.text_byte(address, index)
                }
            };
            let length = (0..most).find(|index| byte(*index) == 0).unwrap_or(most);
            padded(length, options, emit, |emit| (0..length).for_each(|index| emit(byte(index))));
        }
        b'%' => emit(b'%'),
        0 => {}
        other => emit(other),
    }
}

/// Prints `body` of `length` characters in a field of the asked width.
fn padded<E: FnMut(u8)>(length: u32, options: Options, emit: &mut E, body: impl FnOnce(&mut E)) {
    let padding = options.width.saturating_sub(length);
    if !options.left {
        (0..padding).for_each(|_| emit(b' '));
    }
    body(emit);
    if options.left {
        (0..padding).for_each(|_| emit(b' '));
    }
}

fn integer(value: u64, base: u32, capital: bool, prefix: &[u8], options: Options, emit: &mut impl FnMut(u8)) {
    let mut digits = [0; DIGITS];
    let mut at = DIGITS;
    let mut rest = value;
    while rest != 0 && at > 0 {
        at -= 1;
        let (quotient, digit) = match u32::try_from(rest) {
            Ok(narrow) => {
                let (quotient, digit) = divide(narrow, base);
                (quotient.into(), digit)
            }
            Err(_) => divide_wide(rest, base),
        };
        digits[at] = match digit as u8 {
            digit @ 0..=9 => b'0' + digit,
            digit if capital => b'A' + digit - 10,
            digit => b'a' + digit - 10,
        };
        rest = quotient;
    }
    let digits = &digits[at..];
    let shown = digits.len() as u32;
    let fixed = prefix.len() as u32;
    let least = match options.precision {
        Some(precision) => precision,
        None if options.zero && !options.left => options.width.saturating_sub(fixed).max(1),
        None => 1,
    };
    let zeroes = least.saturating_sub(shown);
    padded(fixed + zeroes + shown, options, emit, |emit| {
        prefix.iter().for_each(|byte| emit(*byte));
        (0..zeroes).for_each(|_| emit(b'0'));
        digits.iter().for_each(|byte| emit(*byte));
    });
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;

    struct List<'a> {
        words: &'a [u32],
        texts: &'a [&'a str],
    }

    impl Arguments for List<'_> {
        fn word(&mut self) -> u32 {
            let (first, rest) = self.words.split_first().expect("a value for each conversion");
            self.words = rest;
            *first
        }
        fn long(&mut self) -> u64 {
            u64::from(self.word()) | u64::from(self.word()) << 32
        }
        fn text_byte(&self, address: u32, index: u32) -> u8 {
            self.texts[address as usize - 1].as_bytes().get(index as usize).copied().unwrap_or(0)
        }
    }

    fn print(text: &str, words: &[u32]) -> String {
        let mut out = String::new();
        let texts = ["text", "another"];
        let count = format(text.as_bytes(), &mut List { words, texts: &texts }, |byte| out.push(byte as char));
        assert_eq!(count as usize, out.len());
        out
    }

    #[test]
    fn numbers_print_in_every_base_and_width() {
        assert_eq!(print("%d %i %u", &[-5_i32 as u32, 7, u32::MAX]), "-5 7 4294967295");
        assert_eq!(print("%x %X %o %p", &[0xABC, 0xABC, 8, 0x1000]), "abc ABC 10 00001000");
        assert_eq!(
            print("[%5d][%-5d][%05d][%+d][% d]", &[42, 42, -42_i32 as u32, 42, 42]),
            "[   42][42   ][-0042][+42][ 42]"
        );
        assert_eq!(print("%#x %#o %.4x %8.3d|", &[255, 8, 0xA, 7]), "0xff 010 000a      007|");
        assert_eq!(print("%08x %0*x", &[0x1234, 6, 0xAB]), "00001234 0000ab");
        assert_eq!(print("%d", &[0]), "0");
        assert_eq!(print("%d", &[i32::MIN as u32]), "-2147483648");
    }

    #[test]
    fn sizes_pick_half_and_double_words() {
        assert_eq!(print("%hd %hx", &[0x1_FFFF, 0x1_FFFF]), "-1 ffff");
        assert_eq!(print("%lld %llx %ld", &[u32::MAX, u32::MAX, 0, 1, 9]), "-1 100000000 9");
    }

    #[test]
    fn texts_print_with_width_precision_and_null() {
        assert_eq!(print("%s|%8s|%-8s|%.2s|%s", &[1, 1, 1, 2, 0]), "text|    text|text    |an|(null)");
        assert_eq!(print("%c%%%c", &[u32::from(b'a'), u32::from(b'b')]), "a%b");
    }

    #[test]
    fn an_unfinished_or_unknown_conversion_does_no_harm() {
        assert_eq!(print("50%", &[]), "50");
        assert_eq!(print("%k %-", &[]), "k ");
    }
}
