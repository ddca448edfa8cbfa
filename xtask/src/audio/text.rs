//! Reading the descriptions: lines of a verb and settings, `#` for comments.

use anyhow::{Context as _, Result, bail};
use std::str::FromStr;

/// A line's words, with its number for messages.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Counted from 1.
    pub number: usize,
    words: std::iter::Peekable<std::str::SplitWhitespace<'a>>,
}

/// The lines that say something.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().enumerate().filter_map(|(index, line)| {
        let spoken = before_comment(line);
        let words = spoken.split_whitespace().peekable();
        (!spoken.trim().is_empty()).then_some(Line { number: index + 1, words })
    })
}

/// A comment begins at a blank: the mark of a sharp note follows its letter.
fn before_comment(line: &str) -> &str {
    let mut last = ' ';
    for (at, letter) in line.char_indices() {
        if letter == '#' && last.is_whitespace() {
            return &line[..at];
        }
        last = letter;
    }
    line
}

impl<'a> Line<'a> {
    /// The next word, if there is one.
    pub fn take(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// The next word.
    ///
    /// # Errors
    /// The line ends.
    pub fn word(&mut self, what: &str) -> Result<&'a str> {
        self.take().with_context(|| format!("line {}: {what} is missing", self.number))
    }

    /// The next word as a value.
    ///
    /// # Errors
    /// The line ends, or it is something else.
    pub fn value<T: FromStr>(&mut self, what: &str) -> Result<T> {
        let word = self.word(what)?;
        word.parse().ok().with_context(|| format!("line {}: {what} cannot be {word}", self.number))
    }

    /// The next word as a number within bounds.
    ///
    /// # Errors
    /// The line ends, or it is no such number.
    pub fn number(&mut self, what: &str, least: f32, most: f32) -> Result<f32> {
        let value: f32 = self.value(what)?;
        if !(least..=most).contains(&value) {
            bail!("line {}: {what} is from {least} to {most}, not {value}", self.number);
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_say_nothing_and_sharps_are_no_comments() {
        let text = "# all\n\nrate 24000 # Hz\n  notes c#4:1 d:2 # end\n";
        let mut all = lines(text);
        let mut line = all.next().unwrap();
        assert_eq!(line.number, 3);
        assert_eq!((line.take(), line.value::<u32>("rate").unwrap(), line.take()), (Some("rate"), 24000, None));
        let line = all.next().unwrap();
        assert_eq!(line.words.collect::<Vec<_>>(), ["notes", "c#4:1", "d:2"]);
        assert!(all.next().is_none());
    }

    #[test]
    fn a_bad_number_is_named_with_its_line() {
        let mut line = lines("\nlevel 3").next().unwrap();
        line.take();
        let error = line.number("the level", 0.0, 1.0).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("the level") && error.contains('3'), "{error}");
    }
}
