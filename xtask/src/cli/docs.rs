//! The documentation's promises: every page is in the book, every link leads somewhere, and every command that it shows is one.

use super::Cli;
use clap::Parser as _;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use xtask::documentation;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// The pages that people read, with their texts.
fn pages() -> Vec<documentation::Page> {
    documentation::pages(&root()).expect("the pages")
}

/// The targets of a text's links to files.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://")).collect()
}

/// The commands of a text that are ours.
fn own(text: &str) -> Vec<String> {
    documentation::commands(text).into_iter().filter(|command| command.starts_with("cargo xtask ")).collect()
}

#[test]
fn every_command_of_the_documentation_is_one() {
    let mut count = 0;
    for (path, text) in pages() {
        for command in own(&text) {
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

/// What stands in the places of a form.
fn filled(form: &str) -> String {
    const PLACES: [(&str, &str); 5] = [
        ("NAME", "boardwalk"),
        ("ADDRESS", "192.168.0.10"),
        ("FILE", "program.elf"),
        ("N", "1"),
        ("OUT.png", "target/out.png"),
    ];
    let word = |word: &str| {
        let bare = word.trim_matches(['[', ']', '…']);
        PLACES.iter().find(|(place, _)| *place == bare).map_or(bare, |(_, value)| *value).to_owned()
    };
    form.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_form_of_a_command_in_the_documentation_can_be_filled_in() {
    let mut count = 0;
    for (path, text) in pages() {
        for form in documentation::forms(&text) {
            let command = filled(&form);
            assert!(
                !command.chars().any(char::is_uppercase),
                "{}: `{form}` has a place that nobody knows",
                path.display()
            );
            if let Err(error) = Cli::try_parse_from(command.split_whitespace().skip(1)) {
                panic!("{}: `{form}` as `{command}`: {error}", path.display());
            }
            count += 1;
        }
    }
    assert!(count >= 5, "only {count} forms were found");
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
