//! The crash screen's counterparts on the host: the disc's file of names, and what a short code means.

use crate::elf::image::ElfFile;
use crate::elf::symbols::Symbols;
use anyhow::{Context as _, Result, bail, ensure};
use boardwalk::crash::short_code::{self, Subject};
use boardwalk::crash::{Report, symbols};
use boardwalk::file_io::name::crc32;
use boardwalk::selftest::{Group, Results, Verdict};
use object::{Object as _, ObjectSymbol as _};
use std::fmt::Write as _;

/// The first line of a file of symbols, before the program's number.
const BUILD: &str = "# build ";

/// The functions' names as the console reads them.
///
/// # Errors
/// No ELF with symbols.
pub fn names(elf: &[u8]) -> Result<Vec<u8>> {
    let file = ElfFile::parse(elf).context("the program is no ELF")?;
    let table = Symbols::read(&file);
    let (mut entries, mut text) = (Vec::new(), Vec::new());
    for function in table.functions() {
        entries.extend(function.address.to_le_bytes());
        entries.extend(u32::try_from(text.len())?.to_le_bytes());
        text.extend(function.name.bytes().chain([0]));
    }
    ensure!(!entries.is_empty(), "the program has no symbols");
    let count = u32::try_from(entries.len() / symbols::ENTRY_BYTES)?;
    Ok([&symbols::MAGIC[..], &count.to_le_bytes(), &entries, &text].concat())
}

/// What tells a program's crashes from those of others: half of its code's CRC-32.
///
/// # Errors
/// No ELF with the bounds of its code.
pub fn build_number(elf: &[u8]) -> Result<u16> {
    let file = ElfFile::parse(elf).context("the program is no ELF")?;
    let bound = |name: &str| {
        let symbol =
            file.symbols().find(|symbol| symbol.name() == Ok(name)).with_context(|| format!("no symbol {name}"));
        symbol.map(|symbol| symbol.address() as u32)
    };
    let (start, end) = (bound("_ftext")?, bound("_etext")?);
    let code = file.segments().find_map(|segment| {
        use object::ObjectSegment as _;
        let inside = start.checked_sub(segment.address() as u32)? as usize;
        segment.data().ok()?.get(inside..inside + (end - start) as usize)
    });
    Ok(crc32(code.context("the code is not in the file")?) as u16)
}

/// The release's file of symbols: the program's number, then `ADDRESS SIZE NAME` of every function.
///
/// # Errors
/// No ELF with symbols.
pub fn symbol_text(elf: &[u8]) -> Result<String> {
    let file = ElfFile::parse(elf).context("the program is no ELF")?;
    let mut text = format!("{BUILD}{:04x}\n", build_number(elf)?);
    for function in Symbols::read(&file).functions() {
        writeln!(text, "{:08x} {:6x} {}", function.address, function.size, function.name)?;
    }
    Ok(text)
}

/// A file of symbols that was read back.
#[derive(Debug, Clone)]
pub struct SymbolFile {
    /// The program's number.
    pub build: u16,
    /// Its functions.
    pub symbols: Symbols,
}

impl SymbolFile {
    /// Reads the text of [`symbol_text`].
    ///
    /// # Errors
    /// A line that it cannot have.
    pub fn parse(text: &str) -> Result<Self> {
        let mut lines = text.lines();
        let build = lines.next().and_then(|line| line.strip_prefix(BUILD)).context("this is no file of symbols")?;
        let mut functions = Vec::new();
        for line in lines {
            let mut parts = line.splitn(2, ' ');
            let address = u32::from_str_radix(parts.next().unwrap_or_default(), 16);
            let rest = parts.next().unwrap_or_default().trim_start();
            let Some((size, name)) = rest.split_once(' ') else { bail!("`{line}` is no symbol") };
            functions.push(crate::elf::symbols::Function {
                name: name.into(),
                address: address.with_context(|| format!("`{line}` has no address"))?,
                size: u32::from_str_radix(size, 16).with_context(|| format!("`{line}` has no size"))?,
            });
        }
        Ok(Self { build: u16::from_str_radix(build, 16)?, symbols: Symbols::from_functions(functions) })
    }
}

/// Tells what a code means, with names where the symbols fit.
///
/// # Errors
/// A text that is no code.
pub fn explain(code: &str, symbols: Option<&SymbolFile>) -> Result<String> {
    let (subject, bytes) = short_code::decode(code).map_err(|error| anyhow::anyhow!("{error}"))?;
    match subject {
        Subject::Crash => {
            let bytes = bytes[..].try_into().context("a crash's code of another version")?;
            Ok(explain_crash(&Report::unpack(bytes), symbols))
        }
        Subject::SelfTest => {
            let results = Results::unpack(&bytes).context("a self-test's code of another version")?;
            Ok(explain_self_test(&results))
        }
    }
}

fn explain_self_test(results: &Results) -> String {
    let mut text = format!("self-test of program {:04x}\n", results.build);
    for group in Group::ALL {
        text.push_str(&format!("  {}\n", results.line(group)));
    }
    let counts = [Verdict::Pass, Verdict::Difference, Verdict::Absent, Verdict::Fail]
        .map(|verdict| format!("{} {}", results.count(verdict), verdict.name()));
    text + &counts.join(", ") + "\n"
}

fn explain_crash(report: &Report, symbols: Option<&SymbolFile>) -> String {
    let fitting = symbols.filter(|file| file.build == report.build);
    let mut text = format!("crash: {}", report.kind);
    // Writing to a string cannot fail.
    if report.kind.has_address() {
        let _ = write!(text, " {:08x}", report.bad_address);
    }
    let _ = writeln!(text, "\nprogram: {:04x}", report.build);
    match (symbols, fitting) {
        (Some(file), None) => {
            let _ = writeln!(text, "these symbols are of program {:04x}: take those of its release", file.build);
        }
        (None, _) => text.push_str("no symbols: give the release's boardwalk.sym with --symbols FILE\n"),
        (Some(_), Some(_)) => {}
    }
    for place in report.frames.iter().filter(|place| **place != 0) {
        let name = fitting.map(|file| file.symbols.describe(*place)).unwrap_or_default();
        let _ = writeln!(text, "  at {place:08x} {name}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwalk::crash::Kind;

    const TEXT: &str = "# build beef\n00100000     40 _start\n00100040     20 main::<impl A for B>::run\n";

    #[test]
    fn a_code_is_told_with_names_that_fit() {
        let report = Report::new(Kind::Exception(4), 0xBEEF, &[0x0010_0044, 0x0010_0008], 0x13);
        let code = short_code::encode(Subject::Crash, &report.pack());
        let file = SymbolFile::parse(TEXT).unwrap();
        let told = explain(&code, Some(&file)).unwrap();
        assert_eq!(
            told,
            "crash: bad address to read 00000013\nprogram: beef\n  at 00100044 main::<impl A for B>::run+0x4\n  at 00100008 _start+0x8\n"
        );
        let other = SymbolFile { build: 1, ..file };
        assert!(explain(&code, Some(&other)).unwrap().contains("symbols are of program 0001"));
        assert!(explain(&code, None).unwrap().contains("--symbols"));
    }

    #[test]
    fn a_self_tests_code_tells_every_group() {
        use boardwalk::selftest::Outcome;
        let mut results = Results::new(0xBEEF);
        results.note(Group::Disc, Outcome::new(Verdict::Pass, [0, 7, 3_600, 1]));
        let told = explain(&short_code::encode(Subject::SelfTest, &results.pack()), None).unwrap();
        assert!(told.starts_with("self-test of program beef\n"), "{told}");
        assert!(told.contains("  disc      pass        wrong 0 files 7 KB/s 3600 retries 1\n"), "{told}");
        assert!(told.ends_with("1 pass, 0 difference, 12 absent, 0 FAIL\n"), "{told}");
        assert!(explain(&short_code::encode(Subject::SelfTest, &[9; 30]), None).is_err(), "another version");
    }

    #[test]
    fn mistyped_codes_and_damaged_symbols_are_errors() {
        assert!(explain("hello", None).is_err());
        for bad in ["", "00100000 40 x", "# build zz\n", "# build 1\nxyz\n", "# build 1\nxyz 1 a\n"] {
            assert!(SymbolFile::parse(bad).is_err(), "{bad}");
        }
    }
}
