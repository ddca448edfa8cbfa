//! Runs the tests of tagged functions with and without their bodies.

use super::instrument::{SWITCH, SWITCH_MODULE, instrument};
use super::report::{Verdict, Verdicts};
use super::{Claim, Tags};
use crate::context::Context;
use anyhow::{Context as _, Result, bail};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A test that does not end within this hangs.
const PATIENCE: Duration = Duration::from_secs(30);
/// How the test program ends when a test has failed, and not in another way such as an overflown stack.
const FAILED: i32 = 101;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Passed,
    Failed,
    /// By a signal, or not at all.
    Died,
}

/// Proves the given claims; every one gets a verdict.
pub fn prove(context: &Context, tags: &Tags, open: &[&Claim]) -> Result<Verdicts> {
    let copy = context.target.join("coverage/copy");
    mirror(&context.root, &copy, &context.target, tags)?;
    let program = build(&copy, &context.target.join("coverage/target"))?;
    let known: BTreeSet<String> = list(&program)?;
    let mut verdicts = Verdicts::default();
    for claim in open {
        let verdict = if !known.contains(&claim.test) {
            Verdict::NoSuchTest
        } else if end_of(&program, &claim.test, None)? != End::Passed {
            Verdict::TestFails
        } else {
            match end_of(&program, &claim.test, Some(claim.function))? {
                End::Passed => Verdict::Survives,
                End::Failed => Verdict::Proved,
                End::Died => Verdict::Dies,
            }
        };
        verdicts.set(claim, tags, verdict);
    }
    Ok(verdicts)
}

/// Copies the workspace's sources, tagged ones with their switches. Only changed files are written, so that the copy
/// builds incrementally; files that have gone are removed.
fn mirror(root: &Path, copy: &Path, target: &Path, tags: &Tags) -> Result<()> {
    let mut kept = BTreeSet::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if path != target && name != "target" && name != ".git" && name != "docs" {
                    open.push(path);
                }
                continue;
            }
            let inner = path.strip_prefix(root)?;
            let to = copy.join(inner);
            let mut bytes = std::fs::read(&path)?;
            if let Ok(file) = inner.strip_prefix("src")
                && let Ok(text) = std::str::from_utf8(&bytes)
                && file.extension().is_some_and(|e| e == "rs")
            {
                let mut text = instrument(file, text, tags);
                if file == Path::new("lib.rs") {
                    text.push_str(SWITCH_MODULE);
                }
                bytes = text.into_bytes();
            }
            if std::fs::read(&to).ok().as_deref() != Some(&bytes) {
                std::fs::create_dir_all(to.parent().context("no folder")?)?;
                std::fs::write(&to, &bytes)?;
            }
            kept.insert(to);
        }
    }
    remove_others(copy, &kept)
}

fn remove_others(folder: &Path, kept: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, kept)?;
        } else if !kept.contains(&path) {
            std::fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Builds the engine's unit tests and returns the test program.
fn build(copy: &Path, target: &Path) -> Result<PathBuf> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["test", "--package", "boardwalk", "--lib", "--no-run", "--message-format=json-render-diagnostics"])
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", target)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the tests with switches do not build: a tag may need `default=`");
    }
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        if let Some(path) = message["executable"].as_str() {
            return Ok(path.into());
        }
    }
    bail!("cargo named no test program")
}

fn list(program: &Path) -> Result<BTreeSet<String>> {
    let output = Command::new(program).args(["--list", "--format=terse"]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.strip_suffix(": test").map(str::to_owned))
        .collect())
}

/// How a test ends, with one body switched off if asked.
fn end_of(program: &Path, test: &str, emptied: Option<usize>) -> Result<End> {
    let mut command = Command::new(program);
    command.args(["--exact", test]).stdout(Stdio::null()).stderr(Stdio::null()).env_remove(SWITCH);
    if let Some(number) = emptied {
        command.env(SWITCH, number.to_string());
    }
    let mut child = command.spawn().context("cannot start the tests")?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(match status.code() {
                Some(0) => End::Passed,
                Some(FAILED) => End::Failed,
                _ => End::Died,
            });
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(End::Died);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
