//! What is said, as rows of text.

/// Characters of a row: what fits the title-safe width.
pub const ROW: usize = 46;
/// Rows of a caption.
pub const ROWS: usize = 2;
/// Bytes of the longest caption that is kept.
pub const MOST_BYTES: usize = ROW * ROWS;

/// A sentence that somebody says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caption<'a> {
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
