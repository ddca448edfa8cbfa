//! Writing settings files.

use std::fmt::Write as _;

/// Lines of `Key=value` under section headings.
#[derive(Default)]
pub struct Ini(pub String);

impl Ini {
    /// Begins a section.
    pub fn section(mut self, name: &str) -> Self {
        // Writing into a String cannot fail.
        let _ = writeln!(self.0, "[{name}]");
        self
    }

    /// Writes a key with its value.
    pub fn set(mut self, key: &str, value: impl std::fmt::Display) -> Self {
        let _ = writeln!(self.0, "{key}={value}");
        self
    }

    /// Writes a key of the first generation that is on or off.
    pub fn flag(self, key: &str, on: bool) -> Self {
        self.set(key, if on { "enabled" } else { "disabled" })
    }
}

/// The value of a key in a section; the section before the first heading is "".
#[cfg(test)]
pub fn value<'a>(text: &'a str, section: &str, key: &str) -> Option<&'a str> {
    let mut current = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            current = name.trim_end_matches(']');
        } else if current == section
            && let Some((name, value)) = line.split_once('=')
            && name == key
        {
            return Some(value);
        }
    }
    None
}
