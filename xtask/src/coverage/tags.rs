//! The claims that the source makes.

use super::Index;
use anyhow::{Context as _, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Why a function of the seed needs no counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The original does nothing.
    EmptyStub,
    /// Ownership does it: nothing runs at start or end.
    DestructorOrStatic,
    /// It only marshals between the script machine and a function that has a counterpart.
    ScriptGlue,
    /// The seed does not know what it is for.
    NotTraced,
}

impl Reason {
    const ALL: [(&'static str, Self); 4] = [
        ("empty stub", Self::EmptyStub),
        ("destructor or static initialiser", Self::DestructorOrStatic),
        ("script glue", Self::ScriptGlue),
        ("purpose not traced", Self::NotTraced),
    ];

    /// The words of the tag.
    pub fn words(self) -> &'static str {
        Self::ALL.iter().find(|(_, r)| *r == self).map_or("", |(words, _)| words)
    }
}

/// A function that one or more tags stand above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Path below the scanned folder.
    pub file: PathBuf,
    /// Its Rust name.
    pub name: String,
    /// Byte offset just after the body's opening brace.
    pub body: usize,
    /// The keyword `const` before `fn`, if any.
    pub const_keyword: Option<std::ops::Range<usize>>,
    /// The statement that leaves with the default answer.
    pub leave: String,
    /// Of signature and body.
    pub fingerprint: u32,
}

/// A `Covers` tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Seed number.
    pub seed: String,
    /// The seed's name.
    pub name: String,
    /// The seed's address, or `-`.
    pub address: String,
    /// Full path of the test.
    pub test: String,
    /// Index into [`Tags::functions`].
    pub function: usize,
}

/// An `Excused` tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excuse {
    /// Seed number.
    pub seed: String,
    /// The seed's name.
    pub name: String,
    /// The seed's address, or `-`.
    pub address: String,
    /// Why.
    pub reason: Reason,
}

/// Everything found in a source tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// Tagged functions.
    pub functions: Vec<Function>,
    /// Claims, in file order.
    pub claims: Vec<Claim>,
    /// Excuses, in file order.
    pub excuses: Vec<Excuse>,
    /// Names of all test functions, without their modules, with the fingerprint of their bodies; those of one name have one.
    pub tests: BTreeMap<String, u32>,
}

impl Tags {
    /// Reads every `.rs` file below `folder`.
    pub fn scan(folder: &Path) -> Result<Self> {
        let mut tags = Self::default();
        for file in rust_files(folder)? {
            let text = std::fs::read_to_string(&file)?;
            let inner = file.strip_prefix(folder)?;
            tags.scan_file(inner, &text).with_context(|| format!("in {}", file.display()))?;
        }
        Ok(tags)
    }

    /// Reads one file's text.
    pub fn scan_file(&mut self, file: &Path, text: &str) -> Result<()> {
        let module = module_of(file);
        let mut pending: Vec<(&str, usize)> = Vec::new();
        let (mut offset, mut is_test) = (0, false);
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let start = offset;
            offset += line.len();
            let trimmed = line.trim();
            if trimmed == "#[test]" {
                is_test = true;
            } else if is_test && let Some(at) = find_fn(line) {
                is_test = false;
                let print = function_at(file, text, start + at).map_or(0, |test| test.fingerprint);
                let known = self.tests.entry(name_at(line, at)).or_default();
                *known = known.rotate_left(5) ^ print;
            }
            if let Some(tag) = trimmed.strip_prefix("// Covers: ") {
                pending.push((tag, number + 1));
            } else if let Some(tag) = trimmed.strip_prefix("// Excused: ") {
                let excuse = parse_excuse(tag).with_context(|| format!("line {}: {tag}", number + 1))?;
                self.excuses.push(excuse);
            } else if !pending.is_empty() && !trimmed.starts_with("//") && !trimmed.starts_with('#') {
                let Some(at) = find_fn(line) else {
                    bail!("line {}: a tag must stand above a function, found `{trimmed}`", number + 1);
                };
                let mut function = function_at(file, text, start + at)?;
                for (tag, number) in pending.drain(..) {
                    let (claim, default) = parse_claim(tag, &module, self.functions.len())
                        .with_context(|| format!("line {number}: {tag}"))?;
                    if let Some(default) = default {
                        // Any test fails at a panic, whatever it looks at.
                        if default.starts_with("panic!") {
                            bail!("line {number}: a default that panics proves nothing");
                        }
                        function.leave = format!("return {default};");
                    }
                    self.claims.push(claim);
                }
                self.functions.push(function);
            }
        }
        Ok(())
    }

    /// What a verdict about a claim is worth only for: the function's signature and body, and the test's.
    pub fn fingerprint(&self, claim: &Claim) -> u32 {
        let test = self.tests.get(test_name(claim)).copied().unwrap_or_default();
        self.functions[claim.function].fingerprint.rotate_left(1) ^ test
    }

    /// Drops the tags of all other seeds.
    pub fn keep_seeds(&mut self, seeds: &[&str]) {
        self.claims.retain(|claim| seeds.contains(&claim.seed.as_str()));
        self.excuses.retain(|excuse| seeds.contains(&excuse.seed.as_str()));
    }

    /// Says which tags name no row of their seed's index or no test, and which rows are claimed twice.
    pub fn check_against<'a>(&self, indexes: impl Iterator<Item = &'a Index>) -> Result<()> {
        let mut rows: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for index in indexes {
            for row in &index.rows {
                rows.insert((&index.seed, &row.name, &row.address), 0);
            }
        }
        let claims = self.claims.iter().map(|c| (c.seed.as_str(), c.name.as_str(), c.address.as_str()));
        let excuses = self.excuses.iter().map(|e| (e.seed.as_str(), e.name.as_str(), e.address.as_str()));
        for key in claims.chain(excuses) {
            let Some(count) = rows.get_mut(&key) else {
                bail!("no index has seed {}, {} ({})", key.0, key.1, key.2);
            };
            *count += 1;
            if *count > 1 {
                bail!("seed {}, {} ({}) is claimed twice", key.0, key.1, key.2);
            }
        }
        for claim in &self.claims {
            if !self.tests.contains_key(test_name(claim)) {
                bail!("seed {}, {}: there is no test {}", claim.seed, claim.name, claim.test);
            }
        }
        Ok(())
    }
}

/// The name of a claim's test without its modules.
fn test_name(claim: &Claim) -> &str {
    claim.test.rsplit("::").next().unwrap_or_default()
}

pub(super) fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).with_context(|| format!("cannot list {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The module path of a file: `tasks/wheel.rs` is `tasks::wheel`, `tasks/mod.rs` is `tasks`.
fn module_of(file: &Path) -> String {
    let mut parts: Vec<String> =
        file.with_extension("").components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
        parts.pop();
    }
    parts.join("::")
}

/// `seed 000, Name (0xADDR) REST` or `seed 000, Name REST`, where REST starts with `key=`.
fn parse_head<'a>(tag: &'a str, key: &str) -> Result<(String, String, String, &'a str)> {
    let rest = tag.strip_prefix("seed ").context("expected `seed NNN, `")?;
    let (seed, rest) = rest.split_once(", ").context("expected a comma after the seed")?;
    let (who, rest) = rest.split_once(key).with_context(|| format!("expected `{key}`"))?;
    let who = who.trim();
    let (name, address) = match who.strip_suffix(')').and_then(|w| w.rsplit_once(" (0x")) {
        Some((name, digits)) => (name, format!("0x{digits}")),
        None => (who, "-".into()),
    };
    Ok((seed.into(), name.into(), address, rest))
}

fn parse_claim(tag: &str, module: &str, function: usize) -> Result<(Claim, Option<String>)> {
    let (seed, name, address, rest) = parse_head(tag, "test=")?;
    let (test, default) = match rest.split_once(" default=") {
        Some((test, default)) => (test.trim(), Some(default.trim().to_owned())),
        None => (rest.trim(), None),
    };
    if test.is_empty() || test.contains(' ') {
        bail!("`test=` needs one name");
    }
    let test = if test.contains("::") { test.to_owned() } else { format!("{module}::tests::{test}") };
    Ok((Claim { seed, name, address, test, function }, default))
}

fn parse_excuse(tag: &str) -> Result<Excuse> {
    let (seed, name, address, rest) = parse_head(tag, "reason=")?;
    let words = rest.trim();
    let reason = Reason::ALL.iter().find(|(w, _)| *w == words).map(|(_, r)| *r);
    Ok(Excuse { seed, name, address, reason: reason.with_context(|| format!("`{words}` is no allowed reason"))? })
}

/// The offset of the keyword `fn` in a line of code.
fn find_fn(line: &str) -> Option<usize> {
    line.match_indices("fn ").map(|(at, _)| at).find(|&at| at == 0 || line.as_bytes()[at - 1] == b' ')
}

/// The name behind a keyword `fn`.
fn name_at(text: &str, keyword: usize) -> String {
    text[keyword + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Reads the signature that starts at the keyword `fn`.
fn function_at(file: &Path, text: &str, keyword: usize) -> Result<Function> {
    let bytes = text.as_bytes();
    let name = name_at(text, keyword);
    let (mut depth, mut arrow, mut open) = (0i32, None, None);
    for at in keyword..bytes.len() {
        match bytes[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'-' if depth == 0 && bytes.get(at + 1) == Some(&b'>') && arrow.is_none() => arrow = Some(at + 2),
            b'{' if depth == 0 => {
                open = Some(at);
                break;
            }
            b';' if depth == 0 => break,
            _ => {}
        }
    }
    let open = open.with_context(|| format!("fn {name} has no body"))?;
    let answer = arrow.map_or("", |at| text[at..open].split(" where").next().unwrap_or("").trim());
    let line = text[..keyword].rfind('\n').map_or(0, |at| at + 1);
    let const_keyword = text[line..keyword].find("const ").map(|at| line + at..line + at + "const ".len());
    let end = body_end(bytes, open);
    Ok(Function {
        file: file.into(),
        name,
        body: open + 1,
        const_keyword,
        leave: leave_statement(answer),
        fingerprint: fingerprint(&text[keyword..end]),
    })
}

/// The offset after the brace that closes the one at `open`; braces in comments and literals are skipped.
fn body_end(bytes: &[u8], open: usize) -> usize {
    let (mut depth, mut at) = (0, open);
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 2,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn leave_statement(answer: &str) -> String {
    match answer {
        "" | "()" => "return;".into(),
        "!" => "panic!();".into(),
        _ if answer.starts_with("Result<") => "return Ok(Default::default());".into(),
        _ => "return Default::default();".into(),
    }
}

/// FNV-1a over the text without its white space, so that formatting keeps a verdict.
fn fingerprint(text: &str) -> u32 {
    text.bytes()
        .filter(|b| !b.is_ascii_whitespace())
        .fold(0x811c_9dc5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
// Excused: seed 000, Stub (0x00000009) reason=empty stub
/// Doc.
// Covers: seed 000, Wheel_Find (0x00000001) test=it_finds
// Covers: seed 002, Other test=a::b::c default=Self::NONE
#[inline]
pub const fn find(&self, f: [u8; 2]) -> Option<(u8, char)> where Self: Sized {
    // }
    if self.x == \"}\" { '}' } else { y }
}
fn after() {}
";

    #[test]
    fn tags_bind_to_the_function_below_them() {
        let mut tags = Tags::default();
        tags.scan_file(Path::new("tasks/wheel.rs"), SOURCE).unwrap();
        assert_eq!(tags.excuses[0].reason, Reason::EmptyStub);
        assert_eq!(tags.claims[0].test, "tasks::wheel::tests::it_finds");
        assert_eq!((tags.claims[1].address.as_str(), tags.claims[1].test.as_str()), ("-", "a::b::c"));
        let f = &tags.functions[0];
        assert_eq!((f.name.as_str(), f.leave.as_str()), ("find", "return Self::NONE;"));
        assert!(SOURCE[f.body..].starts_with("\n    // }"));
        assert_eq!(&SOURCE[f.const_keyword.clone().unwrap()], "const ");
    }

    #[test]
    fn the_fingerprint_follows_the_body_and_not_the_layout() {
        let print = |source: &str| {
            let mut tags = Tags::default();
            tags.scan_file(Path::new("a.rs"), source).unwrap();
            tags.functions[0].fingerprint
        };
        let changed = print(&SOURCE.replace("{ y }", "{ z }"));
        assert_ne!(print(SOURCE), changed);
        assert_eq!(print(SOURCE), print(&SOURCE.replace("{ y }", "{\n  y\n}")));
        assert_eq!(print(SOURCE), print(&SOURCE.replace("fn after", "fn later")));
    }

    #[test]
    fn an_answer_that_has_no_default_is_wrapped() {
        assert_eq!(leave_statement(""), "return;");
        assert_eq!(leave_statement("Result<u8, E>"), "return Ok(Default::default());");
        assert_eq!(leave_statement("bool"), "return Default::default();");
    }

    #[test]
    fn a_tag_above_nothing_or_with_an_unknown_reason_is_refused() {
        let scan = |source: &str| Tags::default().scan_file(Path::new("a.rs"), source);
        assert!(scan("// Covers: seed 000, A test=t\nstruct B;\n").is_err());
        assert!(scan("// Excused: seed 000, A reason=too hard\n").is_err());
        assert!(scan("// Covers: seed 000, A test=t default=panic!()\nfn f() {}\n").is_err());
    }

    #[test]
    fn claims_must_name_rows_and_only_once() {
        let index = Index::parse("x", "seed 000\n0x00000001 A\n").unwrap();
        let scan_with = |source: &str, test: &str| {
            let mut tags = Tags::default();
            tags.scan_file(Path::new("a.rs"), &format!("{source}#[test]\nfn {test}() {{}}\n")).unwrap();
            tags.check_against([&index].into_iter()).is_ok()
        };
        let scan = |source: &str| scan_with(source, "t");
        assert!(!scan_with("// Covers: seed 000, A (0x00000001) test=t\nfn f() {}\n", "other"), "no such test");
        assert!(scan("// Covers: seed 000, A (0x00000001) test=t\nfn f() {}\n"));
        assert!(!scan("// Covers: seed 000, A (0x00000002) test=t\nfn f() {}\n"));
        assert!(!scan(
            "// Excused: seed 000, A (0x00000001) reason=empty stub\n// Covers: seed 000, A (0x00000001) test=t\nfn f() {}\n"
        ));
    }
}
