//! The boot ROM's page: which system calls and library functions it has, and which test proves each.
//!
//! `docs/coverage/bootrom.calls` lists what a console's ROM offers. What ours offers is read out of its own tables, and a tag
//! names the test:
//!
//! ```text
//! // Covers: ee, 0x20 CreateThread test=first created thread is 2
//! // Covers: iop, thbase 4 CreateThread test=threads::tests::a_thread_runs
//! // Excused: ee, 0x72 SetPgifHandler reason=of another console
//! ```
//!
//! A tag stands above the function or above its line in the table. `test=` is the rest of the line: the path of a test on the
//! host within its crate, or, in words, a fact that a program on the console proves; the step that runs that program
//! asks [`facts`] which facts it must have seen. A row counts when the table has its number and the tag's test exists.

use anyhow::{Context as _, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The list of what a console's ROM offers, below the workspace.
const CALLS: &str = "docs/coverage/bootrom.calls";
/// The page, below the workspace.
const PAGE: &str = "docs/coverage/bootrom.md";
/// The ROM's source, below the workspace.
const SOURCE: &str = "bootrom";
/// Where the table of system calls stands.
const SYSTEM_CALLS: &str = "bootrom/ee";
/// The steps that run on the emulated console, which prove some facts by themselves.
const STEPS: &str = "xtask/src/testing";
/// Words that excuse a row.
const REASONS: [&str; 5] = [
    "of another console",
    "unsupported there too",
    "belongs to programs' patches",
    "of another model of the ROM",
    "a structure that no public document describes",
];

/// One call or function that a console's ROM has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    /// `ee` or `iop`.
    table: String,
    /// The library, or the heading of the system calls.
    section: String,
    /// As written in the list: `-0x1A`, or `4`.
    number: String,
    name: String,
}

impl Row {
    /// What a tag calls it.
    fn key(&self) -> String {
        match self.table.as_str() {
            "ee" => format!("ee, {} {}", self.number, self.name),
            table => format!("{table}, {} {} {}", self.section, self.number, self.name),
        }
    }

    /// Where its function stands in the ROM's tables.
    fn place(&self) -> Result<Place> {
        let digits = self.number.trim_start_matches('-');
        let number = match digits.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => digits.parse(),
        };
        let number = number.with_context(|| format!("{}: no number", self.number))?;
        Ok((if self.table == "ee" { String::new() } else { self.section.clone() }, number))
    }
}

/// A library (empty: the EE's system calls) and a number.
type Place = (String, u32);

/// What the source says.
#[derive(Debug, Default)]
struct Source {
    /// The function in the ROM's tables, by place: its name and its file below the workspace.
    functions: BTreeMap<Place, (String, PathBuf)>,
    /// Tests by what a tag calls the row, with the files of the tags.
    claims: BTreeMap<String, (String, PathBuf)>,
    /// Reasons by what a tag calls the row, with the files of the tags.
    excuses: BTreeMap<String, (String, PathBuf)>,
    /// Paths of the tests on the host.
    tests: BTreeSet<String>,
    /// Facts of programs on the console, with the files that state them.
    facts: BTreeMap<String, PathBuf>,
}

/// Compares the page with the source, or writes it; its last line.
///
/// # Errors
/// A tag that no row answers to, a row with two tags, a test that does not exist, or, when only comparing, a page that
/// differs.
pub fn run(root: &Path, write: bool) -> Result<String> {
    let rows = rows(&std::fs::read_to_string(root.join(CALLS)).with_context(|| format!("no {CALLS}"))?)?;
    let source = Source::scan(root)?;
    source.check(&rows)?;
    let text = page(&rows, &source)?;
    let path = root.join(PAGE);
    if std::fs::read_to_string(&path).unwrap_or_default() != text {
        if !write {
            bail!("{PAGE} is out of date: run `cargo run -p xtask --example coverage`");
        }
        std::fs::write(&path, &text)?;
    }
    Ok(format!("bootrom: {}", text.lines().last().unwrap_or_default()))
}

/// The facts that tags name and that files below `folder` (of the workspace) state: what its program must prove.
///
/// # Errors
/// Source that cannot be read.
pub fn facts(root: &Path, folder: &str) -> Result<Vec<String>> {
    let source = Source::scan(root)?;
    let named: BTreeSet<&String> = source.claims.values().map(|(test, _)| test).collect();
    let of_folder = |(_, file): &(&String, &PathBuf)| file.starts_with(folder);
    let facts = source.facts.iter().filter(of_folder).filter(|(fact, _)| named.contains(fact));
    Ok(facts.map(|(fact, _)| fact.clone()).collect())
}

fn rows(text: &str) -> Result<Vec<Row>> {
    let (mut rows, mut table, mut section) = (Vec::new(), "", "");
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (head, rest) = line.split_once(' ').with_context(|| format!("one word: {line}"))?;
        match head {
            "table" => table = rest,
            "section" => section = rest,
            number => rows.push(Row {
                table: table.into(),
                section: section.into(),
                number: number.into(),
                name: rest.into(),
            }),
        }
    }
    let mut keys = BTreeSet::new();
    match rows.iter().find(|row| !keys.insert(row.key())) {
        Some(row) => bail!("{} stands twice", row.key()),
        None => Ok(rows),
    }
}

impl Source {
    fn scan(root: &Path) -> Result<Self> {
        let mut source = Self::default();
        for folder in [SOURCE, STEPS] {
            for file in super::tags::rust_files(&root.join(folder))? {
                let text = std::fs::read_to_string(&file)?;
                let inner = file.strip_prefix(root)?;
                source.scan_file(inner, &text).with_context(|| format!("in {}", inner.display()))?;
            }
        }
        Ok(source)
    }

    fn scan_file(&mut self, file: &Path, text: &str) -> Result<()> {
        // Lines of that shape elsewhere are other tables.
        let calls = if file.starts_with(SYSTEM_CALLS) { system_calls(text) } else { Vec::new() };
        for (place, function) in calls.into_iter().chain(library_functions(text)) {
            self.functions.insert(place, (function, file.to_path_buf()));
        }
        let module = module_of(file);
        let mut within = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(tag) = line.strip_prefix("// Covers: ") {
                let (key, test) = tag.split_once(" test=").with_context(|| format!("no ` test=`: {tag}"))?;
                add(&mut self.claims, key, test, file)?;
            } else if let Some(tag) = line.strip_prefix("// Excused: ") {
                let (key, reason) = tag.split_once(" reason=").with_context(|| format!("no ` reason=`: {tag}"))?;
                if !REASONS.contains(&reason) {
                    bail!("`{reason}` is no allowed reason; there are: {}", REASONS.join(", "));
                }
                add(&mut self.excuses, key, reason, file)?;
            } else if line.starts_with("//") {
                continue;
            } else if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
                within = format!("::{name}");
            } else if let Some(rest) = line.strip_prefix("fn ") {
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                self.tests.insert(format!("{module}{within}::{name}"));
            }
            for fact in literals(line).filter(|literal| literal.contains(' ')) {
                self.facts.insert(fact.to_owned(), file.to_path_buf());
            }
        }
        Ok(())
    }

    /// True when a tag's test exists.
    fn has_test(&self, test: &str) -> bool {
        if test.contains(' ') { self.facts.contains_key(test) } else { self.tests.contains(test) }
    }

    fn check(&self, rows: &[Row]) -> Result<()> {
        let known: BTreeSet<String> = rows.iter().map(Row::key).collect();
        for key in self.claims.keys().chain(self.excuses.keys()) {
            if !known.contains(key) {
                bail!("{CALLS} has no `{key}`");
            }
            if self.claims.contains_key(key) && self.excuses.contains_key(key) {
                bail!("`{key}` is covered and excused");
            }
        }
        for (key, (test, _)) in &self.claims {
            if !self.has_test(test) {
                bail!("`{key}`: there is no test or fact `{test}`");
            }
        }
        for row in rows.iter().filter(|row| self.claims.contains_key(&row.key())) {
            if !self.functions.contains_key(&row.place()?) {
                bail!("`{}` is tagged, but the ROM's table has no such number", row.key());
            }
        }
        Ok(())
    }
}

fn add(tags: &mut BTreeMap<String, (String, PathBuf)>, key: &str, value: &str, file: &Path) -> Result<()> {
    match tags.insert(key.to_owned(), (value.trim().to_owned(), file.to_path_buf())) {
        Some(_) => bail!("`{key}` is tagged twice"),
        None => Ok(()),
    }
}

/// The EE's table: lines `0x20 => threads::create_thread,`.
fn system_calls(text: &str) -> Vec<(Place, String)> {
    let entry = |line: &str| {
        let (number, function) = line.trim().strip_prefix("0x")?.strip_suffix(',')?.split_once(" => ")?;
        Some(((String::new(), u32::from_str_radix(number, 16).ok()?), function.to_owned()))
    };
    text.lines().filter_map(entry).collect()
}

/// The IOP's tables: `exports(b"thbase", 0x0101, [(4, create_thread as *const ()), …])`, however it is broken into lines.
fn library_functions(text: &str) -> Vec<(Place, String)> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let mut found = Vec::new();
    for table in code.split("exports(").skip(1) {
        let Some((library, rest)) = table.trim_start().strip_prefix("b\"").and_then(|t| t.split_once('"')) else {
            continue;
        };
        let Some(pairs) = rest.split_once('[').and_then(|(_, pairs)| pairs.split_once(']')) else { continue };
        for pair in pairs.0.split('(') {
            let Some((number, function)) = pair.split_once(',') else { continue };
            let Some((function, _)) = function.split_once(" as *const") else { continue };
            let Ok(number) = number.trim().parse() else { continue };
            found.push(((library.to_owned(), number), function.trim().to_owned()));
        }
    }
    found
}

/// The text literals of a line; those with escapes in them are none of ours.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

/// The module path of a file within its crate.
fn module_of(file: &Path) -> String {
    let parts: Vec<String> = file
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .skip_while(|part| part != "src")
        .skip(1)
        .filter(|part| !matches!(part.as_str(), "mod" | "lib" | "main"))
        .collect();
    parts.join("::")
}

fn page(rows: &[Row], source: &Source) -> Result<String> {
    let mut text = String::from(
        "# What the boot ROM offers, and what proves it\n\n\
         Generated by `cargo run -p xtask --example coverage`; do not edit. A row counts when the ROM's table has its number and \
         a test\nproves it: one on the host by its path, or a fact in words that a program on the console proves. \
         A row that the ROM leaves out for\nan allowed reason counts, too; the last lines tell how many of each there are.\n",
    );
    let (mut covered, mut excused, mut section) = (0, 0, "");
    for row in rows {
        if section != row.section {
            section = &row.section;
            let title = if row.table == "ee" { section.to_owned() } else { format!("`{section}`") };
            let _ = writeln!(text, "\n## {title}\n\n| number | name | here | test |\n| --- | --- | --- | --- |");
        }
        let claim = source.claims.get(&row.key());
        let here = match source.functions.get(&row.place()?) {
            // The tag stands where the function is, or in the same table.
            Some((name, table)) => format!("`{name}` in `{}`", claim.map_or(table, |(_, file)| file).display()),
            None => "open".to_owned(),
        };
        let (here, test) = match (claim, source.excuses.get(&row.key())) {
            (Some((test, _)), _) => {
                covered += 1;
                (here, if test.contains(' ') { format!("\"{test}\"") } else { format!("`{test}`") })
            }
            (_, Some((reason, _))) => {
                excused += 1;
                (format!("none: {reason}"), String::new())
            }
            _ => (here, "open".to_owned()),
        };
        let _ = writeln!(text, "| {} | {} | {here} | {test} |", row.number, row.name);
    }
    let _ = writeln!(text, "\nProved: {covered}. With a reason: {excused}. Open: {}.", rows.len() - covered - excused);
    let _ = writeln!(text, "\ncovered {} of {}", covered + excused, rows.len());
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "table ee\nsection System calls\n0x20 CreateThread\n-0x2A iChangeThreadPriority\n0x72 SetPgifHandler\n\
                        table iop\nsection thbase\n4 CreateThread\n5 DeleteThread\n";
    const TABLE: &str = "        0x20 => threads::create_thread,\n        0x2A => threads::change_priority,\n";
    const LIBRARY: &str = "static T: Exports<2> = exports(\n    b\"thbase\",\n    0x0101,\n    [\n        // one (9, no as *const ())\n\
                           (4, create as *const ()),\n    ],\n);\n";

    fn source(tags: &str) -> Result<(Vec<Row>, Source)> {
        let rows = rows(LIST)?;
        let mut source = Source::default();
        source.scan_file(Path::new("bootrom/ee/src/kernel/table.rs"), TABLE)?;
        source.scan_file(Path::new("bootrom/iop/src/thbase.rs"), LIBRARY)?;
        source.scan_file(Path::new("bootrom/ee/selftest/src/x.rs"), "tally.equal(\"a fact of it\", 1, 1);\n")?;
        source.scan_file(Path::new("bootrom/ee/src/scheduler/mod.rs"), tags)?;
        source.check(&rows)?;
        Ok((rows, source))
    }

    #[test]
    fn a_row_counts_with_a_tag_whose_test_exists() {
        let tags = "// Covers: ee, 0x20 CreateThread test=a fact of it\n// Covers: iop, thbase 4 CreateThread test=scheduler::tests::it\n\
                    // Excused: ee, 0x72 SetPgifHandler reason=of another console\nmod tests {\nfn it() {}\n}\n";
        let (rows, source) = source(tags).unwrap();
        let text = page(&rows, &source).unwrap();
        assert!(text.ends_with("covered 3 of 5\n"), "{text}");
        assert!(
            text.contains("| 0x20 | CreateThread | `threads::create_thread` in `bootrom/ee/src/scheduler/mod.rs` |")
        );
        assert!(text.contains("| 4 | CreateThread | `create` in `bootrom/ee/src/scheduler/mod.rs` |"), "{text}");
        assert!(text.contains("| 5 | DeleteThread | open | open |"), "{text}");
    }

    #[test]
    fn a_tag_without_row_test_or_function_is_refused() {
        for tags in [
            "// Covers: ee, 0x99 Nothing test=a fact of it",
            "// Covers: ee, 0x20 CreateThread test=a fact that nobody states",
            "// Covers: ee, 0x20 CreateThread test=scheduler::tests::gone",
            "// Covers: iop, thbase 5 DeleteThread test=a fact of it",
            "// Excused: ee, 0x72 SetPgifHandler reason=too hard",
            "// Covers: ee, 0x20 CreateThread",
        ] {
            assert!(source(tags).is_err(), "{tags}");
        }
    }
}
