//! Puts the switch into tagged functions.

use super::Tags;
use std::path::Path;

/// The environment variable that names the function whose body is switched off.
pub const SWITCH: &str = "BOARDWALK_EMPTIED";

/// What is appended to the copied `lib.rs`.
pub const SWITCH_MODULE: &str = r#"
/// Switches tagged bodies off.
#[cfg(test)]
pub(crate) mod coverage_switch {
    /// True when the function `number` answers its default.
    pub fn emptied(number: usize) -> bool {
        static CHOSEN: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
        *CHOSEN.get_or_init(|| {
            std::env::var("BOARDWALK_EMPTIED").ok().and_then(|v| v.parse().ok()).unwrap_or(usize::MAX)
        }) == number
    }
}
"#;

/// The text of `file` with a switch at the top of each of its tagged bodies.
pub fn instrument(file: &Path, text: &str, tags: &Tags) -> String {
    let mut edits: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    for (number, function) in tags.functions.iter().enumerate().filter(|(_, f)| f.file == file) {
        // A `const fn` cannot ask the switch; in the copy it is an ordinary one.
        edits.extend(function.const_keyword.clone().map(|range| (range, String::new())));
        let leave = &function.leave;
        let switch = format!(" #[cfg(test)] if crate::coverage_switch::emptied({number}) {{ {leave} }} ");
        edits.push((function.body..function.body, switch));
    }
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut out = text.to_owned();
    for (range, new) in edits {
        out.replace_range(range, &new);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_switch_is_the_bodys_first_statement() {
        let source = "// Covers: seed 000, A test=t\npub const fn a() -> u8 {\n    7\n}\n";
        let mut tags = Tags::default();
        tags.scan_file(Path::new("a.rs"), source).unwrap();
        let out = instrument(Path::new("a.rs"), source, &tags);
        assert!(
            out.contains("pub fn a() -> u8 { #[cfg(test)] if crate::coverage_switch::emptied(0) { return"),
            "{out}"
        );
        assert!(SWITCH_MODULE.contains(SWITCH));
    }
}
