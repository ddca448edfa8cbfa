//! The pages that people read, and the commands in them.

use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};

/// A page and its text.
pub type Page = (PathBuf, String);

/// Every page: those of the book and the two in the workspace's own folder.
///
/// # Errors
/// A page that cannot be read.
pub fn pages(root: &Path) -> Result<Vec<Page>> {
    let docs = root.join("docs");
    let entries = std::fs::read_dir(&docs).with_context(|| format!("cannot read {}", docs.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.extend(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    paths.sort();
    let read = |path: PathBuf| -> Result<Page> {
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((path, text))
    };
    paths.into_iter().map(read).collect()
}

/// The commands of a text that can be typed as they stand: lines of its shell blocks, and cargo's between backticks.
pub fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut shell = false;
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            shell = !shell && language == "sh";
        } else if shell {
            found.extend(line.split('#').next().map(|command| command.trim().to_owned()));
        } else {
            // A command with places to fill in, as `bench NAME`, is not one to type.
            let quoted = line.split('`').skip(1).step_by(2);
            let fixed = |word: &&str| {
                word.starts_with("cargo ") && !word.contains(['[', '…', '<']) && !word.chars().any(char::is_uppercase)
            };
            found.extend(quoted.filter(fixed).map(str::to_owned));
        }
    }
    found.retain(|command| !command.is_empty() && command != "cargo xtask");
    found
}

/// The forms of our commands in a text: those between backticks with places to fill in, as `bench NAME`.
pub fn forms(text: &str) -> Vec<String> {
    let quoted = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let has_place = |word: &&str| word.contains(['[', '…', '<']) || word.chars().any(char::is_uppercase);
    quoted.filter(|word| word.starts_with("cargo xtask ")).filter(has_place).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_blocks_and_between_backticks() {
        let text = "`cargo xtask run` and `cargo xtask bench NAME`\n```sh\ncargo xtask test disc # twice\nls -l\n\n```\n```text\ncargo xtask no\n```";
        assert_eq!(commands(text), ["cargo xtask run", "cargo xtask test disc", "ls -l"]);
        assert_eq!(forms(text), ["cargo xtask bench NAME"]);
    }

    #[test]
    fn every_code_in_the_pages_is_one_that_today_s_decoder_reads() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut codes = 0;
        for (page, text) in pages(&root).unwrap() {
            for code in commands(&text).iter().filter_map(|command| command.strip_prefix("cargo xtask decode ")) {
                codes += 1;
                let told = crate::crash::explain(code, None);
                assert!(told.is_ok(), "{}: {code}: {:?}", page.display(), told.err());
            }
        }
        assert!(codes >= 2, "{codes}: one of a crash and one of the self-test");
    }
}
