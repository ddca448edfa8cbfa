//! The screen of an exception that nothing handles: which of it goes into the screen's few rows.

use crate::context::Frame;
use crate::screen::Text;
use core::fmt::{Arguments, Write as _};

/// Names of the registers by number.
pub const REGISTERS: [&str; 32] = [
    "sa", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "s0", "s1", "s2",
    "s3", "s4", "s5", "s6", "s7", "t8", "t9", "hi", "lo", "gp", "sp", "fp", "ra",
];

/// The instruction before the one that failed, that one, and the next.
pub type Code = [u32; 3];

/// Writes the report: what happened, the exception's registers, the code if it can be read, and the registers that say most,
/// in pairs.
pub fn write<const N: usize>(text: &mut Text<N>, what: Arguments<'_>, thread: u16, frame: &Frame, code: Option<Code>) {
    const SHOWN: [usize; 16] = [2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 28, 29, 30, 31];
    let Frame { epc, status, cause, bad_address, .. } = *frame;
    // A text that is cut still tells most of it.
    let _ = write!(text, "{what}\nat {epc:08x} address {bad_address:08x}\nthread {thread}\n");
    let _ = writeln!(text, "status {status:08x} cause {cause:08x}");
    if let Some([before, at, next]) = code {
        let _ = writeln!(text, "code {before:08x} [{at:08x}] {next:08x}");
    }
    for pair in SHOWN.chunks(2) {
        for register in pair {
            let _ = write!(text, "{} {:08x}  ", REGISTERS[*register], frame.context.get(*register));
        }
        let _ = text.write_str("\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::register;
    use crate::screen::{ROWS, wrap};
    use std::string::String;
    use std::vec::Vec;

    #[test]
    fn the_longest_report_fits_the_screen_with_cause_code_and_registers() {
        let mut frame = Frame { epc: 0x10_0008, cause: 0x8000_0020, status: 0x7003_0013, ..Frame::ZERO };
        frame.context.set(register::RA, 0xABCD);
        let mut text = Text::<1024>::new();
        let what = format_args!("exception 8 (system call of a thread in an interrupt handler)");
        write(&mut text, what, 255, &frame, Some([0x1111, 0xC, 0x2222]));
        let rows: Vec<_> = wrap(text.as_bytes()).map(String::from_utf8_lossy).collect();
        assert!(rows.len() <= ROWS, "{rows:?}");
        assert!(rows.iter().any(|row| row == "status 70030013 cause 80000020"), "{rows:?}");
        assert!(rows.iter().any(|row| row == "code 00001111 [0000000c] 00002222"), "{rows:?}");
        assert!(rows.last().is_some_and(|row| row.starts_with("fp 00000000  ra 0000abcd")), "{rows:?}");
    }

    #[test]
    fn a_report_without_readable_code_has_no_row_for_it() {
        let mut text = Text::<1024>::new();
        write(&mut text, format_args!("exception 6"), 1, &Frame::ZERO, None);
        assert!(wrap(text.as_bytes()).all(|row| !row.starts_with(b"code")));
    }
}
