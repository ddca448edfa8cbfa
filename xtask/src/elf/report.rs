//! What the rules found.

use std::fmt;

/// One place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Function and offset, or the static's name.
    pub place: String,
    /// Address in the image.
    pub address: u32,
    /// The word at fault, where there is one.
    pub word: Option<u32>,
    /// What is wrong with it, in a few words.
    pub why: String,
}

/// One rule's outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// Short name of the rule.
    pub name: &'static str,
    /// What is counted: words, branches, statics.
    pub unit: &'static str,
    /// How many of them were looked at.
    pub examined: usize,
    /// Where the rule is broken, by address.
    pub violations: Vec<Violation>,
}

/// All rules' outcomes for one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The program, as the reader knows it.
    pub subject: String,
    /// Functions and labels that the program names.
    pub functions: usize,
    /// One outcome per rule.
    pub rules: Vec<Rule>,
}

impl Report {
    /// Whether no rule is broken.
    pub fn passed(&self) -> bool {
        self.rules.iter().all(|rule| rule.violations.is_empty())
    }

    /// Prints the report to standard output.
    pub fn print_table(&self) {
        print!("{self}");
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Violations of one rule that are written out; a broken build has thousands.
        const SHOWN: usize = 40;
        writeln!(out, "{} ({} functions)", self.subject, self.functions)?;
        let widest = self.rules.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
        for Rule { name, unit, examined, violations } in &self.rules {
            let verdict = match violations.len() {
                0 => "ok".to_owned(),
                1 => "1 violation".to_owned(),
                many => format!("{many} violations"),
            };
            writeln!(out, "  {name:widest$}  {examined:>8} {unit:<8}  {verdict}")?;
        }
        for rule in self.rules.iter().filter(|rule| !rule.violations.is_empty()) {
            writeln!(out, "{}:", rule.name)?;
            for Violation { place, address, word, why } in rule.violations.iter().take(SHOWN) {
                let word = word.map_or_else(|| " ".repeat(8), |word| format!("{word:08x}"));
                writeln!(out, "  {address:08x}  {word}  {why}  in {place}")?;
            }
            if rule.violations.len() > SHOWN {
                writeln!(out, "  and {} more", rule.violations.len() - SHOWN)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(name: &'static str, violations: Vec<Violation>) -> Rule {
        Rule { name, unit: "words", examined: 12, violations }
    }

    fn violation(address: u32) -> Violation {
        Violation { place: "step+0x4".into(), address, word: Some(0xC082_0000), why: "no ll".into() }
    }

    #[test]
    fn a_report_passes_when_no_rule_is_broken() {
        let mut report = Report { subject: "game".into(), functions: 3, rules: vec![rule("opcodes", Vec::new())] };
        assert!(report.passed());
        report.rules.push(rule("short loops", vec![violation(0x104)]));
        assert!(!report.passed());
    }

    #[test]
    fn the_table_aligns_its_columns_and_lists_each_violation() {
        let rules = vec![rule("opcodes", vec![violation(0x0010_0104)]), rule("short loops", Vec::new())];
        let report = Report { subject: "game".into(), functions: 3, rules };
        let expected = "game (3 functions)\n  \
                        opcodes            12 words     1 violation\n  \
                        short loops        12 words     ok\n\
                        opcodes:\n  \
                        00100104  c0820000  no ll  in step+0x4\n";
        assert_eq!(report.to_string(), expected);
    }

    #[test]
    fn a_long_list_of_violations_is_cut_with_a_count() {
        let many = (0..50).map(|index| violation(4 * index)).collect();
        let report = Report { subject: "game".into(), functions: 3, rules: vec![rule("opcodes", many)] };
        assert!(report.to_string().ends_with("  and 10 more\n"));
    }
}
