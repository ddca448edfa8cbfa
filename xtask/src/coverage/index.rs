//! The lists of functions that the seeds name.

use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};

/// One function of a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `0x` and eight digits, or `-` where the seed gives none.
    pub address: String,
    /// The seed's name of it.
    pub name: String,
    /// The heading under which the seed explains it.
    pub section: String,
}

/// All functions of one page.
///
/// The text form: a line `seed 000`, then `section TITLE` lines and rows `ADDRESS NAME`; `#` starts a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// File name without its extension.
    pub name: String,
    /// The seed's number, three digits.
    pub seed: String,
    /// In the seed's order.
    pub rows: Vec<Row>,
}

impl Index {
    /// Reads one `.index` file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self::parse(&name, &text).with_context(|| format!("in {}", path.display()))
    }

    /// Parses the text form.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let mut index = Self { name: name.into(), seed: String::new(), rows: Vec::new() };
        let mut section = String::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (head, rest) = line.split_once(' ').with_context(|| format!("line {}: one word", number + 1))?;
            match head {
                "seed" => index.seed = rest.trim().into(),
                "section" => section = rest.trim().into(),
                address if address == "-" || address.starts_with("0x") => {
                    let row = Row { address: address.into(), name: rest.trim().into(), section: section.clone() };
                    if index.rows.iter().any(|r| r.name == row.name && r.address == row.address) {
                        bail!("line {}: {} {} stands twice", number + 1, row.address, row.name);
                    }
                    index.rows.push(row);
                }
                _ => bail!("line {}: neither seed, section nor a row: {line}", number + 1),
            }
        }
        if index.seed.is_empty() {
            bail!("no `seed` line");
        }
        Ok(index)
    }
}

/// The index files of a folder, sorted.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "index") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_take_the_section_above_them() {
        let index = Index::parse("x", "# c\nseed 000\nsection One: a\n0x00000001 A\nsection Two\n- B::c\n").unwrap();
        assert_eq!(index.seed, "000");
        assert_eq!(index.rows[0], Row { address: "0x00000001".into(), name: "A".into(), section: "One: a".into() });
        assert_eq!(index.rows[1].section, "Two");
    }

    #[test]
    fn a_row_may_not_stand_twice() {
        assert!(Index::parse("x", "seed 000\n- A\n- A\n").is_err());
        assert!(Index::parse("x", "- A\n").is_err());
        assert!(Index::parse("x", "seed 000\nnonsense here\n").is_err());
    }
}
