//! Kinds of characters, as the C library's tables of the system have them.
//!
//! Source: public headers (the meaning of the bits)

/// An upper-case letter.
pub const UPPER: u8 = 0x01;
/// A lower-case letter.
pub const LOWER: u8 = 0x02;
/// A digit.
pub const DIGIT: u8 = 0x04;
/// A space, or what moves on.
pub const SPACE: u8 = 0x08;
/// Another visible one.
pub const PUNCTUATION: u8 = 0x10;
/// A control character.
pub const CONTROL: u8 = 0x20;
/// A letter that is a digit of base 16.
pub const HEXADECIMAL: u8 = 0x40;
/// The blank.
pub const BLANK: u8 = 0x80;

const fn kind(byte: u8) -> u8 {
    match byte {
        b'A'..=b'F' => UPPER | HEXADECIMAL,
        b'G'..=b'Z' => UPPER,
        b'a'..=b'f' => LOWER | HEXADECIMAL,
        b'g'..=b'z' => LOWER,
        b'0'..=b'9' => DIGIT,
        b' ' => SPACE | BLANK,
        0x09..=0x0D => SPACE | CONTROL,
        0..=0x1F | 0x7F => CONTROL,
        0x21..=0x7E => PUNCTUATION,
        _ => 0,
    }
}

/// The kinds of all characters by their codes.
#[must_use]
pub const fn kinds() -> [u8; 256] {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        table[code] = kind(code as u8);
        code += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_agree_with_what_characters_are() {
        let table = kinds();
        for code in 0..=255_u8 {
            let kind = table[usize::from(code)];
            assert_eq!(kind & (UPPER | LOWER) != 0, code.is_ascii_alphabetic(), "{code:#x}");
            assert_eq!(kind & (HEXADECIMAL | DIGIT) != 0, code.is_ascii_hexdigit(), "{code:#x}");
            assert_eq!(kind & PUNCTUATION != 0, code.is_ascii_punctuation(), "{code:#x}");
            assert_eq!(kind & CONTROL != 0, code.is_ascii_control(), "{code:#x}");
            assert_eq!(kind & SPACE != 0, code.is_ascii_whitespace() || code == 0x0B, "{code:#x}");
        }
    }
}
