//! SYSTEM.CNF: lines of `KEY = value`.
//!
//! Real discs vary in blanks, line ends and letter case, so the reader takes all of that; a disc is only refused for what
//! cannot be meant otherwise. Source: disc notes, section 1.

/// Most bytes of a SYSTEM.CNF that are looked at.
pub const MOST_BYTES: usize = 8192;

/// What a disc says about its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boot<'a> {
    /// Path of the program.
    Program(&'a [u8]),
    /// A disc for the older console: BOOT without BOOT2.
    OlderConsole,
    /// Neither key, or an empty value.
    Nothing,
}

/// Finds the program in the text of a SYSTEM.CNF. Of several the first counts.
pub fn boot(text: &[u8]) -> Boot<'_> {
    let mut older = false;
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r' | 0 | 0x1A)) {
        let Some(equals) = line.iter().position(|byte| *byte == b'=') else { continue };
        let key = line[..equals].trim_ascii();
        // A value ends at the first blank: paths have none, and what follows is a comment.
        let value = line[equals + 1..].trim_ascii();
        let value = value.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        if value.is_empty() {
            continue;
        }
        if key.eq_ignore_ascii_case(b"BOOT2") {
            return Boot::Program(value);
        }
        older |= key.eq_ignore_ascii_case(b"BOOT");
    }
    if older { Boot::OlderConsole } else { Boot::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_usual_file_names_its_program() {
        let text = b"BOOT2 = cdrom0:\\SLUS_123.45;1\r\nVER = 1.00\r\nVMODE = NTSC\r\n";
        assert_eq!(boot(text), Boot::Program(b"cdrom0:\\SLUS_123.45;1"));
    }

    #[test]
    fn blanks_order_case_and_line_ends_do_not_matter() {
        for text in [
            &b"VER=1.00\nBOOT2=cdrom0:\\A.ELF;1"[..],
            b"\tboot2\t=\tcdrom0:\\A.ELF;1  \r",
            b"\n\n\nBoot2 = cdrom0:\\A.ELF;1 extra\x1a\0\0\0",
            b"rubbish\r\nBOOT2=\r\nBOOT2 = cdrom0:\\A.ELF;1\nBOOT2 = cdrom0:\\B.ELF;1",
        ] {
            assert_eq!(boot(text), Boot::Program(b"cdrom0:\\A.ELF;1"), "{text:?}");
        }
    }

    #[test]
    fn a_disc_of_the_older_console_is_told_apart() {
        assert_eq!(boot(b"BOOT = cdrom:\\SLUS_000.01;1\r\nTCB = 4"), Boot::OlderConsole);
        assert_eq!(boot(b""), Boot::Nothing);
        assert_eq!(boot(b"BOOT2"), Boot::Nothing);
        assert_eq!(boot(b"BOOT2 =   \r\n"), Boot::Nothing);
        assert_eq!(boot(b"XBOOT2 = a"), Boot::Nothing);
    }

    proptest! {
        #[test]
        fn any_bytes_give_an_answer(text in proptest::collection::vec(any::<u8>(), 0..512)) {
            if let Boot::Program(path) = boot(&text) {
                prop_assert!(!path.is_empty());
                prop_assert!(!path.iter().any(|byte| byte.is_ascii_whitespace() || *byte == 0));
            }
        }

        #[test]
        fn a_program_line_is_found_between_others(before in "[A-Z]{0,9}=[a-z]{0,9}", after in "[ -~]{0,40}") {
            prop_assume!(!before.starts_with("BOOT2="));
            let text = std::format!("{before}\r\nBOOT2 = cdrom0:\\X.ELF;1\r\n{after}");
            prop_assert_eq!(boot(text.as_bytes()), Boot::Program(&b"cdrom0:\\X.ELF;1"[..]));
        }
    }
}
