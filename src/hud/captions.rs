//! What is said, as rows of text.

/// Characters of a row: what fits the title-safe width.
pub const ROW: usize = 46;
/// Rows of a caption.
pub const ROWS: usize = 2;
/// Bytes of the longest caption that is kept.
pub const MOST_BYTES: usize = ROW * ROWS;

/// The kind of a caption, 0 to 6 in the original, where larger ones become 3.
///
/// Source: seed 003, Timers (the caption system, 0x001cb010).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaptionKind(u8);

impl CaptionKind {
    /// What somebody says.
    pub const SPOKEN: Self = Self(0);
    /// What teaches.
    pub const LESSON: Self = Self(1);
    /// What is called out, in the middle, larger and red; while it shows, no button ends a freeze.
    pub const CALLED: Self = Self(2);
    /// What a kind that there is not becomes.
    pub const OTHER: Self = Self(3);
    /// The last kind that there is.
    const LAST: u8 = 6;

    /// The kind of a number.
    pub const fn from_number(number: u8) -> Self {
        if number > Self::LAST { Self::OTHER } else { Self(number) }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// It keeps a frozen game frozen until the freeze's own time has run out.
    pub const fn holds(self) -> bool {
        self.0 == Self::CALLED.0
    }
}

/// A sentence that somebody says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caption<'a> {
    /// What kind it is.
    pub kind: CaptionKind,
    /// Who says it; empty for nobody in sight.
    pub speaker: &'a str,
    /// What is said.
    pub text: &'a str,
}

/// The rows of a text, broken between words where that is possible; what does not fit the rows is left out.
pub fn rows(text: &str) -> heapless::Vec<&str, ROWS> {
    let mut rows = heapless::Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() && !rows.is_full() {
        let end = row_end(rest);
        let (row, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        // There is room: the loop asks first.
        let _kept = rows.push(row.trim_end());
        rest = behind.trim_start();
    }
    rows
}

/// Bytes of the first row.
fn row_end(text: &str) -> usize {
    let Some((limit, _)) = text.char_indices().nth(ROW) else { return text.len() };
    match text.get(..=limit).and_then(|head| head.rfind(' ')) {
        Some(space) if space > 0 => space,
        _ => limit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_above_six_are_the_third_and_only_the_second_holds_a_freeze() {
        let kinds: std::vec::Vec<_> = (0..=8).map(|number| CaptionKind::from_number(number).number()).collect();
        assert_eq!(kinds, [0, 1, 2, 3, 4, 5, 6, 3, 3]);
        assert_eq!(
            (0..=8).filter(|number| CaptionKind::from_number(*number).holds()).collect::<std::vec::Vec<_>>(),
            [2]
        );
    }

    #[test]
    fn a_short_text_is_one_row() {
        assert_eq!(rows("Get to the pier.")[..], ["Get to the pier."]);
        assert!(rows("   ").is_empty());
    }

    #[test]
    fn rows_break_between_words() {
        let text = "They closed the gate an hour ago, so we go along the beach and under the planks.";
        let broken = rows(text);
        assert_eq!(broken.len(), 2);
        assert!(broken.iter().all(|row| row.len() <= ROW && !row.ends_with(' ')));
        assert_eq!(std::format!("{} {}", broken[0], broken[1]), text);
    }

    #[test]
    fn a_word_longer_than_a_row_is_cut_and_a_text_of_many_rows_ends() {
        let long = "x".repeat(ROW * 4);
        let broken = rows(&long);
        assert!(broken.len() == ROWS && broken.iter().all(|row| row.len() == ROW));
    }

    #[test]
    fn other_letters_than_ascii_are_never_cut_in_two() {
        let text = "\u{e9}".repeat(ROW + 5);
        assert_eq!(rows(&text)[0].chars().count(), ROW);
    }
}
