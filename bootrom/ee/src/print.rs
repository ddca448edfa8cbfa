//! The text of the print call: a format and up to seven words.
//!
//! Source: EE facts, section 4 (where arguments are); the C library's conversions.

use core::fmt::{self, Write};

/// Words behind the format: three registers of the C convention and four more of the system calls'.
pub const WORDS: usize = 7;
/// Most bytes of a format or of a string in it: a text without an end must not print all of memory.
pub const MOST: usize = 1024;

/// Prints `format` with `words`. `byte` reads a program's memory; where there is none a text ends.
///
/// # Errors
/// Those of `out`.
pub fn print(
    out: &mut impl Write,
    format: u32,
    words: [u32; WORDS],
    byte: impl Fn(u32) -> Option<u8> + Copy,
) -> fmt::Result {
    let text = move |address: u32| {
        let bytes = (0..MOST as u32).map_while(move |offset| byte(address.checked_add(offset)?));
        bytes.take_while(|byte| *byte != 0)
    };
    let mut words = words.into_iter();
    let mut bytes = text(format);
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.write_char(char::from(byte))?;
            continue;
        }
        let mut field = Field::default();
        let conversion = loop {
            match bytes.next() {
                Some(b'-') => field.left = true,
                Some(b'0') if field.width == 0 => field.zeros = true,
                Some(digit @ b'0'..=b'9') => {
                    field.width = (field.width * 10 + usize::from(digit - b'0')).min(MOST);
                }
                // Sizes and signs change nothing about one word.
                Some(b'l' | b'h' | b'+' | b' ' | b'#' | b'.') => {}
                other => break other,
            }
        };
        let mut word = || words.next().unwrap_or(0);
        match conversion {
            Some(b'd' | b'i') => field.number(out, word() as i32 as i64, 10, false)?,
            Some(b'u') => field.number(out, i64::from(word()), 10, false)?,
            Some(b'x' | b'p') => field.number(out, i64::from(word()), 16, false)?,
            Some(b'X') => field.number(out, i64::from(word()), 16, true)?,
            Some(b'o') => field.number(out, i64::from(word()), 8, false)?,
            Some(b'c') => out.write_char(char::from(word() as u8))?,
            Some(b's') => field.text(out, text(word()))?,
            Some(b'%') => out.write_char('%')?,
            Some(other) => {
                out.write_char('%')?;
                out.write_char(char::from(other))?;
            }
            None => out.write_char('%')?,
        }
    }
    Ok(())
}

/// How a value is filled up to its width.
#[derive(Default)]
struct Field {
    width: usize,
    zeros: bool,
    left: bool,
}

impl Field {
    fn number(&self, out: &mut impl Write, value: i64, base: u64, capitals: bool) -> fmt::Result {
        let mut digits = [0; 22];
        let (mut rest, mut at) = (value.unsigned_abs(), digits.len());
        loop {
            let digit = char::from_digit((rest % base) as u32, base as u32).unwrap_or('0');
            at -= 1;
            digits[at] = (if capitals { digit.to_ascii_uppercase() } else { digit }) as u8;
            rest /= base;
            if rest == 0 {
                break;
            }
        }
        if value < 0 && self.zeros {
            out.write_char('-')?;
        } else if value < 0 {
            at -= 1;
            digits[at] = b'-';
        }
        self.text(out, digits[at..].iter().copied())
    }

    fn text(&self, out: &mut impl Write, bytes: impl Iterator<Item = u8> + Clone) -> fmt::Result {
        let missing = self.width.saturating_sub(bytes.clone().count());
        let fill = if self.zeros && !self.left { '0' } else { ' ' };
        if !self.left {
            (0..missing).try_for_each(|_| out.write_char(fill))?;
        }
        bytes.map(char::from).try_for_each(|letter| out.write_char(letter))?;
        if self.left {
            (0..missing).try_for_each(|_| out.write_char(fill))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::string::String;

    /// Memory from address 16 on holds `format`, an end, `text`, an end.
    fn printed(format: &[u8], text: &[u8], words: [u32; WORDS]) -> String {
        let memory = [format, b"\0", text, b"\0"].concat();
        let mut out = String::new();
        print(&mut out, 16, words, |address| memory.get((address as usize).checked_sub(16)?).copied()).unwrap();
        out
    }

    #[test]
    fn conversions_print_their_words() {
        let words = [-5i32 as u32, 7, 0xBEEF, 0xBEEF, u32::from(b'A'), 16 + 27, 3];
        let format = b"%d %u %x %08X %c %s%%%5d|%-4";
        assert_eq!(format.len(), 28);
        assert_eq!(printed(&format[..26], b"text", words), "-5 7 beef 0000BEEF A text%    3|%");
    }

    #[test]
    fn a_text_that_is_no_memory_prints_nothing() {
        assert_eq!(printed(b"<%s>", b"", [0xFFFF_FFF0, 0, 0, 0, 0, 0, 0]), "<>");
        assert_eq!(printed(b"%z%", b"", [0; WORDS]), "%z%");
    }

    proptest! {
        #[test]
        fn any_format_and_words_end(format in proptest::collection::vec(1u8.., 0..60), words: [u32; WORDS]) {
            printed(&format, b"text", words);
        }
    }
}
