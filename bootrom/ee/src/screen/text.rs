//! Text for the screen: gathered without allocation, cut into rows.

use super::ROW;
use core::fmt;

/// A text of at most `N` bytes; what does not fit is cut.
pub struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    /// No text.
    pub const fn new() -> Self {
        Self { bytes: [0; N], length: 0 }
    }

    /// What was written.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let fits = text.len().min(N - self.length);
        self.bytes[self.length..self.length + fits].copy_from_slice(&text.as_bytes()[..fits]);
        self.length += fits;
        if fits == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Cuts a text into rows of the screen's width, at spaces where there are any.
pub fn wrap(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let line_end = rest.iter().position(|byte| *byte == b'\n');
        if rest.is_empty() {
            return None;
        }
        let line = &rest[..line_end.unwrap_or(rest.len())];
        if line.len() <= ROW {
            rest = &rest[(line.len() + 1).min(rest.len())..];
            return Some(line);
        }
        let cut = line[..=ROW].iter().rposition(|byte| *byte == b' ').filter(|cut| *cut > 0);
        let (length, skip) = cut.map_or((ROW, ROW), |cut| (cut, cut + 1));
        rest = &rest[skip..];
        Some(&line[..length])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Write as _;
    use std::vec::Vec;

    fn rows(text: &str) -> Vec<&[u8]> {
        wrap(text.as_bytes()).collect()
    }

    #[test]
    fn text_is_cut_at_spaces_and_long_words_anywhere() {
        assert_eq!(rows("one two"), [b"one two"]);
        assert_eq!(rows("one\n\ntwo"), [&b"one"[..], b"", b"two"]);
        let long = "x".repeat(ROW + 3);
        assert_eq!(rows(&long).iter().map(|row| row.len()).collect::<Vec<_>>(), [ROW, 3]);
        let words = "abcdefgh ".repeat(8);
        assert!(rows(&words).iter().all(|row| row.len() <= ROW && !row.starts_with(b" ")));
    }

    #[test]
    fn a_text_that_is_too_long_is_cut() {
        let mut text = Text::<8>::new();
        assert!(write!(text, "12345").is_ok());
        assert!(write!(text, "6789").is_err());
        assert_eq!(text.as_bytes(), b"12345678");
    }
}
