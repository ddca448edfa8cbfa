//! The documentation's promises: every page is in the book, every link leads somewhere, and every command that it shows is one.

use super::Cli;
use clap::Parser as _;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// The pages that people read, with their texts.
fn pages() -> Vec<(PathBuf, String)> {
    let docs = std::fs::read_dir(root().join("docs")).expect("docs");
    let mut paths: Vec<PathBuf> = docs.flatten().map(|entry| entry.path()).collect();
    paths.extend(["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).expect("a page"))).collect()
}

/// The targets of a text's links to files.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://")).collect()
}

/// The `cargo xtask` commands of a text: lines of its shell blocks, and those between backticks.
fn commands(text: &str) -> Vec<String> {
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
            let fixed = |word: &&str| !word.contains(['[', '…', '<']) && !word.chars().any(char::is_uppercase);
            found.extend(quoted.filter(fixed).map(str::to_owned));
        }
    }
    found.retain(|command| command.starts_with("cargo xtask "));
    found
}

#[test]
fn every_command_of_the_documentation_is_one() {
    let mut count = 0;
    for (path, text) in pages() {
        for command in commands(&text) {
            let words = command.split_whitespace().skip(1);
            if let Err(error) = Cli::try_parse_from(words) {
                // Help is an answer too.
                assert!(!error.use_stderr(), "{}: `{command}`: {error}", path.display());
            }
            count += 1;
        }
    }
    assert!(count > 20, "only {count} commands were found");
}

#[test]
fn every_link_leads_to_a_file() {
    for (path, text) in pages() {
        for target in links(&text) {
            assert!(path.with_file_name(target).exists(), "{}: {target}", path.display());
        }
    }
}

#[test]
fn every_page_is_in_the_book() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the book's list");
    let listed: BTreeSet<&str> = links(&summary).into_iter().collect();
    for (path, _) in pages().iter().filter(|(path, _)| path.parent().is_some_and(|folder| folder.ends_with("docs"))) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        assert!(name == "SUMMARY.md" || listed.contains(name), "{name} is not in docs/SUMMARY.md");
    }
}

#[test]
fn commands_are_found_in_blocks_and_between_backticks() {
    let text = "`cargo xtask run` and `cargo xtask bench NAME`\n```sh\ncargo xtask test disc # twice\nls\n```\n```text\ncargo xtask no\n```";
    assert_eq!(commands(text), ["cargo xtask run", "cargo xtask test disc"]);
}
