//! The coverage pages: rendering, and reading the verdicts of an earlier page back.

use super::{Claim, Index, Tags};
use anyhow::Result;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The test passes, and fails without the body.
    Proved,
    /// The test passes without the body too.
    Survives,
    /// Without the body the test hangs or brings its program down, which is no judgement.
    Dies,
    /// The test fails with the body.
    TestFails,
    /// No test has that name.
    NoSuchTest,
}

impl Verdict {
    const ALL: [(&'static str, Self); 5] = [
        ("proved", Self::Proved),
        ("survives", Self::Survives),
        ("dies", Self::Dies),
        ("test fails", Self::TestFails),
        ("no such test", Self::NoSuchTest),
    ];

    fn words(self) -> &'static str {
        Self::ALL.iter().find(|(_, v)| *v == self).map_or("", |(words, _)| words)
    }
}

/// Verdicts by seed, name, address and test, each with the fingerprint of the body and the test it was reached for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdicts(BTreeMap<(String, String, String, String), (Verdict, u32)>);

fn key(claim: &Claim) -> (String, String, String, String) {
    (claim.seed.clone(), claim.name.clone(), claim.address.clone(), claim.test.clone())
}

impl Verdicts {
    /// Stores one.
    pub fn set(&mut self, claim: &Claim, tags: &Tags, verdict: Verdict) {
        self.0.insert(key(claim), (verdict, tags.fingerprint(claim)));
    }

    /// The verdict, when body and test are still those it was reached for.
    pub fn get(&self, claim: &Claim, tags: &Tags) -> Option<Verdict> {
        let (verdict, print) = self.0.get(&key(claim))?;
        (*print == tags.fingerprint(claim)).then_some(*verdict)
    }

    /// True when the claim needs no new proof.
    pub fn holds(&self, claim: &Claim, tags: &Tags) -> bool {
        self.get(claim, tags) == Some(Verdict::Proved)
    }

    /// Takes over all of `newer`.
    pub fn extend(&mut self, newer: Self) {
        self.0.extend(newer.0);
    }

    /// Reads an earlier page; a page that does not exist has none.
    pub fn read(&mut self, page: &Path, seed: &str) -> Result<()> {
        if page.exists() {
            self.parse(&std::fs::read_to_string(page)?, seed);
        }
        Ok(())
    }

    fn parse(&mut self, text: &str, seed: &str) {
        for line in text.lines() {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [address, name, _, test, verdict] = cells[..] else { continue };
            let Some((words, print)) = verdict.rsplit_once(' ') else { continue };
            let verdict = Verdict::ALL.iter().find(|(w, _)| *w == words).map(|(_, v)| *v);
            let (Some(verdict), Ok(print)) = (verdict, u32::from_str_radix(print, 16)) else { continue };
            let test = test.trim_matches('`').to_owned();
            self.0.insert((seed.into(), name.trim_matches('`').into(), address.into(), test), (verdict, print));
        }
    }
}

/// One page, ready to render.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    index: &'a Index,
    tags: &'a Tags,
    verdicts: &'a Verdicts,
}

impl<'a> Report<'a> {
    /// Joins an index with tags and verdicts.
    pub fn new(index: &'a Index, tags: &'a Tags, verdicts: &'a Verdicts) -> Self {
        Self { index, tags, verdicts }
    }

    fn claim(&self, row: &super::Row) -> Option<&'a Claim> {
        let seed = &self.index.seed;
        self.tags.claims.iter().find(|c| c.seed == *seed && c.name == row.name && c.address == row.address)
    }

    fn excuse(&self, row: &super::Row) -> Option<&'a super::Excuse> {
        let seed = &self.index.seed;
        self.tags.excuses.iter().find(|e| e.seed == *seed && e.name == row.name && e.address == row.address)
    }

    fn counts(&self) -> (usize, usize) {
        let proved = |row: &&super::Row| self.claim(row).is_some_and(|c| self.verdicts.holds(c, self.tags));
        let rows = &self.index.rows;
        (rows.iter().filter(proved).count(), rows.iter().filter(|row| self.excuse(row).is_some()).count())
    }

    /// Rows that are neither proved nor excused.
    pub fn open(&self) -> usize {
        let (proved, excused) = self.counts();
        self.index.rows.len() - proved - excused
    }

    /// `covered N of M`: counterparts with a proof, and rows with an allowed reason.
    pub fn last_line(&self) -> String {
        let (proved, excused) = self.counts();
        format!("covered {} of {}", proved + excused, self.index.rows.len())
    }

    /// The claims that do not count, one line each.
    pub fn complaints(&self) -> Vec<String> {
        let claims = self.index.rows.iter().filter_map(|row| self.claim(row));
        claims
            .filter(|c| !self.verdicts.holds(c, self.tags))
            .map(|c| {
                let words = self.verdicts.get(c, self.tags).map_or("not proved", Verdict::words);
                format!("  {} ({}): {words}: {}", c.name, c.address, c.test)
            })
            .collect()
    }

    /// The page's text.
    pub fn render(&self) -> String {
        let (proved, excused) = self.counts();
        let rows = self.index.rows.len();
        let mut out = String::new();
        let _ = writeln!(out, "# Functions of seed {} and their counterparts\n", self.index.seed);
        let _ = writeln!(
            out,
            "Generated by `cargo run -p xtask --example coverage`; do not edit. A counterpart counts when its test passes\n\
             and fails once the function's body is replaced by its default answer; the number is the fingerprint of body and test.\n"
        );
        let _ = writeln!(
            out,
            "Counterparts with a proof: {proved}. Rows with a reason: {excused}. Open: {}.",
            rows - proved - excused
        );
        let mut section = None;
        for row in &self.index.rows {
            if section != Some(&row.section) {
                section = Some(&row.section);
                let title = if row.section.is_empty() { "Functions" } else { &row.section };
                let _ = writeln!(out, "\n## {title}\n");
                let _ =
                    writeln!(out, "| address | seed's name | here | test | verdict |\n| --- | --- | --- | --- | --- |");
            }
            let _ = writeln!(out, "{}", self.line(row));
        }
        let _ = writeln!(out, "\n{}", self.last_line());
        out
    }

    fn line(&self, row: &super::Row) -> String {
        let (address, name) = (&row.address, &row.name);
        if let Some(claim) = self.claim(row) {
            let function = &self.tags.functions[claim.function];
            let place = format!("`{}` in `src/{}`", function.name, function.file.display());
            let verdict = self.verdicts.get(claim, self.tags).map_or_else(
                || "not proved".to_owned(),
                |v| format!("{} {:08x}", v.words(), self.tags.fingerprint(claim)),
            );
            format!("| {address} | `{name}` | {place} | `{}` | {verdict} |", claim.test)
        } else if let Some(excuse) = self.excuse(row) {
            format!("| {address} | `{name}` | none: {} | | |", excuse.reason.words())
        } else {
            format!("| {address} | `{name}` | open | | |")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture() -> (Index, Tags) {
        let index = Index::parse("x", "seed 000\nsection S\n0x00000001 A\n0x00000002 B\n- C\n0x00000004 D\n").unwrap();
        let mut tags = Tags::default();
        let source = "// Excused: seed 000, D (0x00000004) reason=empty stub\n// Covers: seed 000, A (0x00000001) test=ta\n\
                      // Covers: seed 000, C test=tc\nfn f() {}\n";
        tags.scan_file(Path::new("a.rs"), source).unwrap();
        (index, tags)
    }

    #[test]
    fn only_proved_and_excused_rows_count() {
        let (index, tags) = fixture();
        let mut verdicts = Verdicts::default();
        verdicts.set(&tags.claims[0], &tags, Verdict::Proved);
        verdicts.set(&tags.claims[1], &tags, Verdict::Survives);
        let report = Report::new(&index, &tags, &verdicts);
        assert_eq!((report.last_line().as_str(), report.open()), ("covered 2 of 4", 2));
        assert_eq!(report.complaints().len(), 1);
        assert!(report.render().ends_with("\ncovered 2 of 4\n"));
    }

    #[test]
    fn a_page_gives_its_verdicts_back() {
        let (index, tags) = fixture();
        let mut verdicts = Verdicts::default();
        verdicts.set(&tags.claims[0], &tags, Verdict::Proved);
        verdicts.set(&tags.claims[1], &tags, Verdict::NoSuchTest);
        let text = Report::new(&index, &tags, &verdicts).render();
        let mut again = Verdicts::default();
        again.parse(&text, "000");
        assert_eq!(again, verdicts, "{text}");
    }

    #[test]
    fn a_changed_body_loses_its_verdict() {
        let (_, mut tags) = fixture();
        let mut verdicts = Verdicts::default();
        verdicts.set(&tags.claims[0], &tags, Verdict::Proved);
        assert!(verdicts.holds(&tags.claims[0], &tags));
        tags.functions[0].fingerprint ^= 1;
        assert!(!verdicts.holds(&tags.claims[0], &tags));
        tags.functions[0].fingerprint ^= 1;
        assert!(verdicts.holds(&tags.claims[0], &tags));
        // So does one whose test was changed.
        tags.tests.insert("ta".into(), 7);
        assert!(!verdicts.holds(&tags.claims[0], &tags) && verdicts.holds(&tags.claims[0], &fixture().1));
    }
}
