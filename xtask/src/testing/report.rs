//! What the boot ROM prints of an exception that nobody handles: what and where, cause, registers, the code around it.

use anyhow::{Context as _, Result, ensure};

/// How a row of code begins; nothing else of the ROM's does.
pub const CODE_ROW: &str = "ROM: 0x";
/// Rows of code, the last lines of a report.
pub const CODE_ROWS: usize = 4;
/// Bytes of such a row.
const ROW_BYTES: u32 = 16;
/// Bytes of code before the instruction.
const BEFORE: u32 = 32;
/// Words of a row.
const ROW_WORDS: usize = 4;
/// Part of the last row of registers.
const REGISTERS: &str = " ra ";
/// The processor's physical addresses.
const PHYSICAL: u32 = 0x1FFF_FFFF;

/// Judges a report: its first line speaks of `says`, the cause has the code that the line names, and after the registers stands
/// the code around the address that the line names.
pub fn judge(lines: &[String], says: &str) -> Result<()> {
    let mut report = lines.iter().skip_while(|line| !line.contains("ROM: error"));
    let first = report.next().context("no report")?;
    ensure!(first.contains(says), "`{first}` does not speak of `{says}`");
    let rest: Vec<&String> = report.collect();
    let cause = rest.iter().find(|line| line.contains("status ")).context("no line tells status and cause")?;
    let code = number_after(cause, "cause ")? >> 2 & 0xF;
    if let Some((_, exception)) = first.split_once("exception ") {
        ensure!(exception.starts_with(&format!("{code} ")), "the cause's code is {code}: `{first}`");
    }
    let behind = rest.iter().skip_while(|line| !line.contains(REGISTERS));
    let rows: Vec<_> = behind.filter(|line| line.contains(CODE_ROW)).collect();
    ensure!(rows.len() == CODE_ROWS, "{} rows of code behind the registers", rows.len());
    let start = (number_after(first, " at ")? & PHYSICAL & !3).wrapping_sub(BEFORE);
    for (row, index) in rows.into_iter().zip(0..) {
        let wanted = start.wrapping_add(ROW_BYTES * index);
        ensure!(number_after(row, "ROM: ")? == wanted, "`{row}` is not of {wanted:#010x}");
        let is_word = |word: &&str| word.len() == 8 && u32::from_str_radix(word, 16).is_ok();
        ensure!(row.split(' ').filter(is_word).count() == ROW_WORDS, "`{row}` is not {ROW_WORDS} words");
    }
    Ok(())
}

/// The number of eight digits behind `name` and 0x.
fn number_after(line: &str, name: &str) -> Result<u32> {
    let (_, behind) = line.split_once(&format!("{name}0x")).with_context(|| format!("no `{name}` in `{line}`"))?;
    let digits = behind.get(..8).with_context(|| format!("`{line}` is cut"))?;
    u32::from_str_radix(digits, 16).with_context(|| format!("`{line}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAYS: &str = "exception 9 (breakpoint)";

    fn report() -> Vec<String> {
        [
            "something before",
            "ROM: error: exception 9 (breakpoint) at 0x80100108, address 0x00000000, thread 1",
            "ROM: status 0x70030013 cause 0x00000024 error epc 0x00000000",
            "ROM: gp 00000000_0000000000000000 sp 00000000_0000000000000000 fp 00000000_0000000000000000 ra 00000000_0000000000100000",
            "ROM: 0x001000e8: 00000000 00000000 00000000 00000000",
            "ROM: 0x001000f8: 00000000 00000000 00000000 00000000",
            "ROM: 0x00100108: 0000000d 00000000 00000000 00000000",
            "ROM: 0x00100118: 00000000 00000000 00000000 00000000",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    #[test]
    fn a_report_has_cause_registers_and_the_code_around_its_address() {
        judge(&report(), SAYS).expect("a good report");
        assert!(judge(&report(), "exception 4").is_err());
        for line in 1..report().len() {
            let mut cut = report();
            cut.remove(line);
            assert!(judge(&cut, SAYS).is_err(), "without line {line}");
        }
    }

    #[test]
    fn a_cause_or_code_of_something_else_is_found_out() {
        for (line, from, to) in [
            (2, "cause 0x00000024", "cause 0x00000020"),
            (2, " cause", ""),
            (4, "0x001000e8", "0x001000ec"),
            (6, "0000000d ", ""),
            (7, "00000000 ", "0000000g "),
        ] {
            let mut other = report();
            other[line] = other[line].replace(from, to);
            assert_ne!(other, report());
            assert!(judge(&other, SAYS).is_err(), "{}", other[line]);
        }
    }
}
