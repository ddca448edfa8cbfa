//! The steps that need only the host: formatting, lints, documentation and unit tests.

use super::{Counts, Rig};
use crate::build;
use crate::context::Context;
use crate::coverage;
use crate::process;
use anyhow::{Context as _, Result};
use std::process::Command;

/// The host's cargo: the one that runs us, with the toolchain's and the package's variables out of its way.
fn cargo(context: &Context) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(&context.root);
    command
}

fn passes(command: &mut Command, what: &str) -> Result<Counts> {
    process::run(command, what)?;
    Ok(Counts::PASSED)
}

/// `cargo fmt --check` over the workspace.
pub fn format(rig: &mut Rig) -> Result<Counts> {
    passes(cargo(&rig.context).args(["fmt", "--all", "--check"]), "checking the format")
        .context("run `cargo fmt --all` and look at what it changed")
}

/// Clippy over every host target, warnings refused.
pub fn lint(rig: &mut Rig) -> Result<Counts> {
    let arguments = ["clippy", "--quiet", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"];
    passes(cargo(&rig.context).args(arguments), "linting")
}

/// The documentation of every item, for people who work on it; warnings refused.
pub fn docs(rig: &mut Rig) -> Result<Counts> {
    let arguments =
        ["doc", "--quiet", "--locked", "--package", "xtask", "--no-deps", "--lib", "--document-private-items"];
    let mut command = cargo(&rig.context);
    command.args(arguments).env("RUSTDOCFLAGS", build::DOC_FLAGS);
    process::run(&mut command, "documenting the host's side")?;
    let toolchain = rig.toolchain()?;
    build::docs(&rig.context, &toolchain)?;
    Ok(Counts::PASSED)
}

/// The coverage pages against the tags in the source.
pub fn coverage(rig: &mut Rig) -> Result<Counts> {
    for line in coverage::run(&rig.context, coverage::Mode::Check, None)? {
        println!("  {line}");
    }
    Ok(Counts::PASSED)
}

/// The host's unit and integration tests, filtered by the rig's names.
pub fn unit_tests(rig: &mut Rig) -> Result<Counts> {
    let mut command = cargo(&rig.context);
    command.args(["test", "--quiet", "--locked", "--workspace", "--no-fail-fast", "--"]).args(&rig.host_filters);
    let mut counts = Counts::default();
    let outcome = process::run_lines(&mut command, "unit tests", |line| {
        if let Some(found) = result_line(line) {
            counts += found;
        } else if !line.is_empty() && !line.starts_with("running ") && !line.bytes().all(|b| b == b'.') {
            println!("{line}");
        }
    });
    match outcome {
        // A build that fails has no counts of its own.
        Err(error) if counts.failed == 0 => Err(error),
        _ => Ok(counts),
    }
}

/// The names of all unit and integration tests, as `host::NAME`.
pub fn names(context: &Context) -> Result<Vec<String>> {
    let mut command = cargo(context);
    command.args(["test", "--quiet", "--locked", "--workspace", "--", "--list", "--format", "terse"]);
    let listed = process::run(&mut command, "listing the unit tests")?;
    Ok(listed.lines().filter_map(|line| line.strip_suffix(": test")).map(|name| format!("host::{name}")).collect())
}

/// The counts of a line like `test result: ok. 12 passed; 0 failed; 0 ignored; …`.
fn result_line(line: &str) -> Option<Counts> {
    let rest = line.strip_prefix("test result: ")?;
    let number = |unit: &str| {
        rest.split([' ', ';', '.'])
            .collect::<Vec<_>>()
            .windows(2)
            .find_map(|pair| (pair[1] == unit).then(|| pair[0].parse().ok()).flatten())
    };
    Some(Counts { passed: number("passed")?, failed: number("failed")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_a_test_run_are_read() {
        let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.02s";
        assert_eq!(result_line(line), Some(Counts { passed: 12, failed: 3 }));
        assert_eq!(result_line("running 15 tests"), None);
    }
}
