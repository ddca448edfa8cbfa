//! The documentation's commands, run.
//!
//! What takes a moment runs as it stands. What never ends or takes many minutes runs shorter, what needs a console runs
//! against a stand-in for it, and a test's own name is looked up: all of them run here anyhow.

mod link;

use super::console::judge;
use super::{Counts, Rig, STEPS, Selection, host};
use crate::context::Context;
use crate::documentation;
use crate::process;
use anyhow::{Context as _, Result, anyhow, bail};
use std::fmt;
use std::process::Command;
use std::time::Instant;

/// How a command is proved.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Proof {
    /// By running these words of `cargo xtask`.
    Own(Vec<String>),
    /// By running these words of `cargo xtask` with a stand-in for the console.
    Link(Vec<String>),
    /// By running these words of `cargo`.
    Cargo(Vec<String>),
    /// By naming tests, all of which run.
    Names(Vec<String>),
}

impl Proof {
    /// Whether it takes more than a moment once everything is built.
    fn is_slow(&self) -> bool {
        match self {
            Self::Own(words) => words.first().is_some_and(|verb| ["bench", "soak", "release"].contains(&verb.as_str())),
            Self::Cargo(words) => words.iter().any(|word| word == "--release" || word == "doc"),
            Self::Link(_) | Self::Names(_) => false,
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(words) => write!(f, "run as `cargo xtask {}`", words.join(" ")),
            Self::Link(words) => {
                write!(f, "run as `cargo xtask {}` beside a stand-in for the console", words.join(" "))
            }
            Self::Cargo(words) => write!(f, "run as `cargo {}`", words.join(" ")),
            Self::Names(names) if names.is_empty() => write!(f, "this is it"),
            Self::Names(_) => write!(f, "its names are tests that run"),
        }
    }
}

/// How a command is proved; none for one that nobody has thought of.
fn proof(command: &str) -> Option<Proof> {
    let words: Vec<&str> = command.strip_prefix("cargo ")?.split_whitespace().collect();
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    Some(match words[..] {
        ["xtask", "test"] => Proof::Names(Vec::new()),
        ["xtask", "test", ref names @ ..] => {
            let names: Vec<&str> = names.iter().copied().filter(|name| !name.starts_with("--")).collect();
            Proof::Names(owned(&names))
        }
        // The game does not end by itself.
        ["xtask", "run"] => Proof::Own(owned(&["run", "--headless", "--seconds", "4"])),
        ["xtask", "soak", name, "--minutes", _] => Proof::Own(owned(&["soak", name, "--minutes", "1"])),
        // All figures take many minutes; one group goes the same way.
        ["xtask", "bench"] => Proof::Own(owned(&["bench", "boot"])),
        ["xtask", "link", ..] => Proof::Link(owned(&words[1..])),
        ["xtask", "setup" | "build" | "check" | "rom" | "iso" | "release" | "--help", ..]
        | ["xtask", "decode" | "level" | "texture" | "bench", ..] => Proof::Own(owned(&words[1..])),
        ["run", ..] => Proof::Cargo(owned(&words)),
        // Without somebody to open it for.
        ["doc", "--no-deps", "--open"] => Proof::Cargo(owned(&["doc", "--no-deps"])),
        _ => return None,
    })
}

/// Every command of every page that takes a moment, each once, with the way in which it is proved and the time that it took.
pub fn quick(rig: &mut Rig) -> Result<Counts> {
    commands(rig, |proof| !proof.is_slow())
}

/// Those that measure, build for speed or soak.
pub fn slow(rig: &mut Rig) -> Result<Counts> {
    commands(rig, Proof::is_slow)
}

fn commands(rig: &mut Rig, wanted: impl Fn(&Proof) -> bool) -> Result<Counts> {
    let pages = documentation::pages(&rig.context.root)?;
    // In the pages' order: one may need what the one before it has made.
    let mut commands: Vec<String> = Vec::new();
    for command in pages.iter().flat_map(|(_, text)| documentation::commands(text)) {
        if !commands.contains(&command) {
            commands.push(command);
        }
    }
    let unit_tests = host::names(&rig.context)?;
    let mut counts = Counts::default();
    for command in &commands {
        let begun = Instant::now();
        let proof = proof(command).context("nobody has said how it is to be proved");
        if proof.as_ref().is_ok_and(|proof| !wanted(proof)) {
            continue;
        }
        let outcome = proof.and_then(|proof| {
            prove(&rig.context, &proof, &unit_tests)?;
            Ok(proof.to_string())
        });
        let how = outcome.as_ref().map_or("not proved", |how| how);
        let seconds = begun.elapsed().as_secs_f32();
        counts += judge(
            &format!("`{command}`: {how}, {seconds:.1} s"),
            outcome.as_ref().map(|_| ()).map_err(|error| anyhow!("{error:#}")),
        );
        process::check_interrupted()?;
    }
    println!("  of the documentation's {} commands {} belong here", commands.len(), counts.passed + counts.failed);
    Ok(counts)
}

fn prove(context: &Context, proof: &Proof, unit_tests: &[String]) -> Result<()> {
    let run = |program: &std::path::Path, words: &[String]| -> Result<()> {
        let mut command = Command::new(program);
        command.current_dir(&context.root).args(words);
        process::run(&mut command, &words.join(" ")).map(|_| ())
    };
    match proof {
        Proof::Own(words) => run(process::own_program(), words),
        Proof::Cargo(words) => run(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).as_ref(), words),
        Proof::Link(words) => link::run(context, words),
        Proof::Names(names) => {
            for name in names {
                let selection = Selection { names: vec![name.clone()] };
                let step = STEPS.iter().any(|step| selection.wants(step.name));
                if !step && !unit_tests.iter().any(|test| test.contains(name)) {
                    bail!("no test is named like {name}");
                }
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_command_of_the_documentation_has_a_proof() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for (path, text) in documentation::pages(root).unwrap() {
            for command in documentation::commands(&text) {
                assert!(proof(&command).is_some(), "{}: `{command}`", path.display());
            }
        }
    }

    #[test]
    fn what_nobody_has_thought_of_is_not_proved() {
        assert_eq!(proof("cargo xtask launch"), None);
        assert_eq!(proof("make iso"), None);
        assert_eq!(proof("cargo xtask iso"), Some(Proof::Own(vec!["iso".into()])));
        assert_eq!(proof("cargo xtask test docs --bless"), Some(Proof::Names(vec!["docs".into()])));
    }
}
