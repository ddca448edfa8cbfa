//! The lines of a scene as a table: an update a row, a word and its number each column.

use anyhow::{Context as _, Result, ensure};
use std::fmt;

/// Columns whose numbers are hexadecimal.
const BITS: [&str; 2] = ["held", "command"];
/// How far two numbers of a column may be apart; columns that are not named are exact. Source: known numbers, Trace
/// scenarios.
const TOLERANCES: [(&str, f64); 5] = [("speed", 0.05), ("heading", 1.0), ("x", 0.05), ("y", 0.05), ("z", 0.05)];

/// One update.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Which one, counted from 0.
    pub update: usize,
    columns: Vec<(String, f64)>,
}

impl Row {
    fn read(line: &str) -> Result<Self> {
        let (line, other) = line.split_once(" | ").unwrap_or((line, ""));
        let mut words = line.split(' ');
        let update = words.next().and_then(|word| word.parse().ok()).context("no update")?;
        let mut row = Self { update, columns: Vec::new() };
        row.take(words, "")?;
        row.take(other.split(' ').filter(|word| !word.is_empty()), "other ")?;
        Ok(row)
    }

    fn take<'a>(&mut self, mut words: impl Iterator<Item = &'a str>, of: &str) -> Result<()> {
        while let Some(name) = words.next() {
            let text = words.next().with_context(|| format!("nothing behind {name}"))?;
            let number = if BITS.contains(&name) {
                u32::from_str_radix(text, 16).ok().map(f64::from)
            } else {
                text.parse().ok()
            };
            self.columns.push((format!("{of}{name}"), number.with_context(|| format!("{name} is `{text}`"))?));
        }
        Ok(())
    }

    /// What a column says.
    pub fn get(&self, column: &str) -> f64 {
        self.columns.iter().find(|(name, _)| name == column).map_or(f64::NAN, |(_, number)| *number)
    }
}

/// A scene's updates, a list for each variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The variants.
    pub variants: Vec<Vec<Row>>,
}

impl Table {
    /// Reads a scene's lines.
    pub fn read(lines: &[String]) -> Result<Self> {
        ensure!(!lines.is_empty(), "the scene says nothing");
        let mut variants = Vec::new();
        for line in lines {
            if line.starts_with("variant ") || variants.is_empty() {
                variants.push(Vec::new());
            }
            if !line.starts_with("variant ") {
                let row = Row::read(line).with_context(|| format!("in `{line}`"))?;
                variants.last_mut().context("no variant")?.push(row);
            }
        }
        Ok(Self { variants })
    }

    /// The updates of a scene without variants.
    pub fn rows(&self) -> &[Row] {
        self.variants.first().map_or(&[], |rows| rows)
    }

    /// The same with every number of a column changed.
    #[cfg(test)]
    pub fn with(&self, column: &str, change: impl Fn(f64) -> f64) -> Self {
        let mut table = self.clone();
        let all = table.variants.iter_mut().flatten().flat_map(|row| &mut row.columns);
        all.filter(|(name, _)| name == column).for_each(|(_, number)| *number = change(*number));
        table
    }

    /// Holds this table to another, column by column.
    pub fn alike(&self, other: &Self) -> Result<()> {
        let lengths = |table: &Self| table.variants.iter().map(Vec::len).collect::<Vec<_>>();
        ensure!(lengths(self) == lengths(other), "{:?} updates, not {:?}", lengths(self), lengths(other));
        for (ours, theirs) in self.variants.iter().flatten().zip(other.variants.iter().flatten()) {
            for ((name, value), (_, expected)) in ours.columns.iter().zip(&theirs.columns) {
                let within = TOLERANCES.iter().find(|(column, _)| column == name).map_or(0.0, |(_, within)| *within);
                let off = (value - expected).abs();
                let off = if name == "heading" { off.min(360.0 - off) } else { off };
                ensure!(off <= within, "update {}: {name} is {value}, the host's {expected}", ours.update);
            }
        }
        Ok(())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rows in &self.variants {
            writeln!(f, "variant")?;
            for row in rows {
                write!(f, "{}", row.update)?;
                for (name, value) in &row.columns {
                    if BITS.contains(&name.as_str()) || name == "other held" {
                        write!(f, " {name} {:x}", *value as u32)?;
                    } else {
                        write!(f, " {name} {value}")?;
                    }
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(lines: &[&str]) -> Table {
        Table::read(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn lines_become_rows_and_differences_name_update_column_and_both_values() {
        let ours = table(&["0 clip 388 held 10 speed 1.62", "1 clip 388 held 0 speed 1.60 | clip 5 held f health 90"]);
        assert_eq!(ours.rows()[1].get("other held"), 15.0);
        assert_eq!(ours.rows()[0].get("held"), 16.0);
        let near = table(&["0 clip 388 held 10 speed 1.60", "1 clip 388 held 0 speed 1.60 | clip 5 held f health 90"]);
        assert!(ours.alike(&near).is_ok());
        let other = table(&["0 clip 388 held 10 speed 1.62", "1 clip 389 held 0 speed 1.60 | clip 5 held f health 90"]);
        assert_eq!(ours.alike(&other).unwrap_err().to_string(), "update 1: clip is 388, the host's 389");
        assert!(ours.alike(&table(&["0 clip 388 held 10 speed 1.62"])).is_err());
    }
}
