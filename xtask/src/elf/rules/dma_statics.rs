//! Statics that DMA sees own whole cache lines. The convention that tells which they are is in [`crate::elf`].

use crate::elf::image::{Image, Static};
use crate::elf::report::{Rule, Violation};

/// Bytes of a line of the EE's data cache.
pub const CACHE_LINE: u32 = 64;
/// How the name of such a static begins, path left aside.
pub const NAME_PREFIX: &str = "DMA_";
/// How the name of an output section for such statics begins.
pub const SECTION_PREFIX: &str = ".dma";

/// Checks every static that is marked as seen by DMA.
pub fn check(image: &Image) -> Rule {
    let mut rule = Rule { name: "DMA statics", unit: "statics", ..Rule::default() };
    for item in image.statics.iter().filter(|item| is_for_dma(item)) {
        rule.examined += 1;
        let Static { name, address, size, .. } = item;
        let why = match (address % CACHE_LINE, size % CACHE_LINE) {
            (0, 0) => continue,
            (0, _) => format!("its {size} bytes are no multiple of {CACHE_LINE}"),
            _ => format!("it does not begin on a {CACHE_LINE}-byte boundary"),
        };
        rule.violations.push(Violation { place: name.clone(), address: *address, word: None, why });
    }
    rule.violations.sort_by_key(|violation| violation.address);
    rule
}

fn is_for_dma(item: &Static) -> bool {
    let own_name = item.name.rsplit("::").next().unwrap_or(&item.name);
    own_name.starts_with(NAME_PREFIX) || item.section.starts_with(SECTION_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(name: &str, section: &str, address: u32, size: u32) -> (usize, usize) {
        let item = Static { name: name.into(), section: section.into(), address, size };
        let rule = check(&Image { statics: vec![item], ..Image::default() });
        (rule.examined, rule.violations.len())
    }

    #[test]
    fn a_marked_static_that_owns_its_lines_passes() {
        assert_eq!(faults("boardwalk::ee::sif::DMA_REPLY", ".bss", 0x0020_0040, 128), (1, 0));
    }

    #[test]
    fn a_marked_static_off_a_line_is_caught() {
        assert_eq!(faults("boardwalk::ee::sif::DMA_REPLY", ".bss", 0x0020_0010, 128), (1, 1));
    }

    #[test]
    fn a_marked_static_that_shares_its_last_line_is_caught() {
        assert_eq!(faults("DMA_REPLY", ".bss", 0x0020_0040, 100), (1, 1));
    }

    #[test]
    fn a_section_for_dma_marks_everything_in_it() {
        assert_eq!(faults("boardwalk::ee::sif::REPLY", ".dma.bss", 0x0020_0044, 64), (1, 1));
    }

    #[test]
    fn other_statics_are_left_alone() {
        assert_eq!(faults("boardwalk::ee::sif::LAST_DMA_ID", ".bss", 0x0020_0044, 4), (0, 0));
    }
}
