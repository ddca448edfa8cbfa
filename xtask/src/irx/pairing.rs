//! Puts relocations into an order that the loader reads as the linker meant it.
//!
//! The linker pairs an upper half with the next lower half of the same symbol, wherever that stands. The loader takes
//! the lower half from the very next entry, and must do so before that entry is applied. So each upper half is
//! written directly in front of its partner. Where several upper halves share one partner, all but the last get an
//! entry between that changes nothing and only shows the partner's word.
//! Our choice: the loader skips relocations of type 0 and modules rarely need them, so no instruction is rewritten.

use super::linked::LinkedRelocation;
use super::relocate::{Kind, Relocation};
use anyhow::{Result, bail};

/// For each upper half, the index of the lower half that it makes an address with.
///
/// # Errors
/// An upper half without a lower half of the same symbol behind it.
pub(super) fn partner(relocations: &[LinkedRelocation], high: usize) -> Result<usize> {
    let LinkedRelocation { offset, symbol, section, .. } = relocations[high];
    let mut behind = relocations.iter().enumerate().skip(high + 1).take_while(|(_, other)| other.section == section);
    let found = behind.find(|(_, other)| other.kind == Kind::Low && other.symbol == symbol);
    match found {
        Some((index, _)) => Ok(index),
        None => bail!("the upper half of an address at {offset:#x} has no lower half"),
    }
}

/// The table for the loader.
///
/// # Errors
/// An upper half without a lower half.
pub(super) fn in_loader_order(relocations: &[LinkedRelocation]) -> Result<Vec<Relocation>> {
    let entry = |index: usize| Relocation { offset: relocations[index].offset, kind: relocations[index].kind };
    let mut ordered = Vec::with_capacity(relocations.len());
    let mut waiting = Vec::new();
    for (index, relocation) in relocations.iter().enumerate() {
        match relocation.kind {
            Kind::High => waiting.push((index, partner(relocations, index)?)),
            Kind::Low => {
                let (ready, others) = waiting.into_iter().partition::<Vec<_>, _>(|&(_, low)| low == index);
                waiting = others;
                for (place, &(high, low)) in ready.iter().enumerate() {
                    ordered.push(entry(high));
                    if place + 1 < ready.len() {
                        ordered.push(Relocation { kind: Kind::Nothing, ..entry(low) });
                    }
                }
                ordered.push(entry(index));
            }
            Kind::Word | Kind::Jump => ordered.push(entry(index)),
            Kind::Nothing => {}
        }
    }
    Ok(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(entries: &[(u32, Kind, u32)]) -> Vec<LinkedRelocation> {
        let entries = entries.iter();
        entries.map(|&(offset, kind, symbol)| LinkedRelocation { offset, kind, symbol, section: 0 }).collect()
    }

    fn ordered(entries: &[(u32, Kind, u32)]) -> Vec<(u32, Kind)> {
        let table = in_loader_order(&linked(entries)).unwrap();
        table.iter().map(|&Relocation { offset, kind }| (offset, kind)).collect()
    }

    #[test]
    fn a_table_in_order_stays_as_it_is() {
        let table =
            [(0, Kind::High, 1), (4, Kind::Low, 1), (8, Kind::Low, 1), (12, Kind::Jump, 2), (16, Kind::Word, 1)];
        let expected = [(0, Kind::High), (4, Kind::Low), (8, Kind::Low), (12, Kind::Jump), (16, Kind::Word)];
        assert_eq!(ordered(&table), expected);
    }

    #[test]
    fn an_upper_half_moves_to_its_lower_half() {
        let table = [(0, Kind::High, 1), (4, Kind::High, 2), (8, Kind::Low, 2), (12, Kind::Low, 1)];
        let expected = [(4, Kind::High), (8, Kind::Low), (0, Kind::High), (12, Kind::Low)];
        assert_eq!(ordered(&table), expected);
    }

    #[test]
    fn upper_halves_that_share_a_lower_half_are_shown_it_before_it_changes() {
        let table = [(0, Kind::High, 1), (4, Kind::High, 1), (8, Kind::Low, 1)];
        let expected = [(0, Kind::High), (8, Kind::Nothing), (4, Kind::High), (8, Kind::Low)];
        assert_eq!(ordered(&table), expected);
    }

    #[test]
    fn an_upper_half_without_a_lower_half_is_refused() {
        assert!(in_loader_order(&linked(&[(0, Kind::High, 1), (4, Kind::Low, 2)])).is_err());
        assert!(in_loader_order(&linked(&[(0, Kind::Low, 1), (4, Kind::High, 1)])).is_err());
        let mut table = linked(&[(0, Kind::High, 1), (4, Kind::Low, 1)]);
        table[1].section = 1;
        assert!(in_loader_order(&table).is_err());
    }
}
