//! Which functions of the seeds have a counterpart here, and which test proves it.
//!
//! Each `docs/coverage/NAME.index` lists the functions that one seed names. Tags in the source claim them:
//!
//! ```text
//! // Covers: seed 000, TaskWheel_Insert (0x003a3478) test=a_task_runs_after_its_interval
//! // Excused: seed 000, Task_EmptyStub0 (0x00386f58) reason=empty stub
//! ```
//!
//! A `Covers` tag stands above the function that does the work; several tags may share one function. `test=` names a
//! test of the file's own `tests` module, or a full path such as `tasks::wheel::tests::name`. An address that an index
//! leaves out is left out of the tag too. When the return type has no `Default`, `default=EXPR` (the last field) says
//! what the emptied body answers.
//!
//! The data flows index + tags -> proof -> report. A proof copies the workspace, puts a switch at the top of every
//! tagged body ("answer the default now"), builds the tests once, and then runs each tag's test twice: with the switch
//! off it must pass, with the switch on it must fail, and not hang or bring the program down. A verdict is kept in the report with a fingerprint of body
//! and test, so that a later report knows which have changed since and no longer counts them.
//!
//! [`bootrom`] does the same for the boot ROM's system calls and library functions, by tables instead of seeds.

pub mod bootrom;
mod index;
mod instrument;
mod prove;
mod report;
mod tags;

pub use index::{Index, Row};
pub use report::{Report, Verdict};
pub use tags::{Claim, Excuse, Function, Reason, Tags};

use crate::context::Context;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// What to do with the coverage pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Prove every tag anew and write the pages.
    Prove,
    /// Prove only what has no valid verdict yet and write the pages.
    Update,
    /// Compare the pages with the source; write nothing.
    Check,
}

/// The page of the boot ROM by name.
const BOOT_ROM: &str = "bootrom";

/// Runs the tool over every index, or over the one called `only`, and returns a summary line per page.
///
/// Errors: an unreadable tag or index, a tag that no index row answers to, a row that is claimed twice, a build that
/// fails, or, in [`Mode::Check`], a page that differs from what the source says or has a row without a proof.
pub fn run(context: &Context, mode: Mode, only: Option<&str>) -> Result<Vec<String>> {
    if only == Some(BOOT_ROM) {
        return Ok(vec![bootrom::run(&context.root, mode != Mode::Check)?]);
    }
    let folder = context.root.join("docs/coverage");
    let mut tags = Tags::scan(&context.root.join("src"))?;
    let mut pages: Vec<(PathBuf, Index)> = Vec::new();
    for path in index::list(&folder)? {
        let index = Index::read(&path)?;
        if only.is_none_or(|name| name == index.name) {
            pages.push((path.with_extension("md"), index));
        }
    }
    if only.is_some() {
        tags.keep_seeds(&pages.iter().map(|(_, index)| index.seed.as_str()).collect::<Vec<_>>());
    }
    tags.check_against(pages.iter().map(|(_, index)| index))?;

    let mut verdicts = report::Verdicts::default();
    if mode != Mode::Prove {
        for (page, index) in &pages {
            verdicts.read(page, &index.seed)?;
        }
    }
    if mode != Mode::Check {
        let open: Vec<&Claim> = tags.claims.iter().filter(|claim| !verdicts.holds(claim, &tags)).collect();
        if !open.is_empty() {
            verdicts.extend(prove::prove(context, &tags, &open)?);
        }
    }

    let mut lines = Vec::new();
    for (page, index) in &pages {
        let report = Report::new(index, &tags, &verdicts);
        let text = report.render();
        if mode == Mode::Check {
            let stored = std::fs::read_to_string(page).unwrap_or_default();
            if stored != text {
                bail!("{} is out of date: run `cargo run -p xtask --example coverage`", page.display());
            }
            if report.open() > 0 {
                bail!("{}: {} functions have no proof:\n{}", index.name, report.open(), report.complaints().join("\n"));
            }
        } else if std::fs::read_to_string(page).ok().as_deref() != Some(&text) {
            std::fs::write(page, &text)?;
        }
        lines.push(format!("{}: {}", index.name, report.last_line()));
        lines.extend(report.complaints());
    }
    if only.is_none() {
        lines.push(bootrom::run(&context.root, mode != Mode::Check)?);
    }
    Ok(lines)
}
