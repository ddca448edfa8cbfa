//! Every pool with what it holds, what it held at most and what was refused.

use super::{Choice, LAST_ROW, Look, absent};
use crate::overlay::number::Bytes;
use crate::overlay::sheet::{Ink, Sheet};

/// Columns of a bar.
const BAR: usize = 10;
/// Share of a pool from which it is worth a look.
const NEARLY_FULL: f32 = 0.9;
/// Rows for refused requests.
const SHORTAGES: usize = 3;

pub(super) fn write(sheet: &mut Sheet, look: &Look<'_>) {
    let Some(memory) = look.subjects.memory else { return absent(sheet, format_args!("MEMORY MANAGER")) };
    let ink = look.ink(Choice::Pools, Ink::Title);
    sheet.put(ink, format_args!("< POOLS >")).tab(21).put(Ink::Title, format_args!("USED   MOST   SIZE")).end();
    let rows = LAST_ROW - SHORTAGES - sheet.row();
    for pool in memory.pools.iter().skip(look.first_pool).take(rows) {
        let share = |bytes: usize| if pool.usable == 0 { 0.0 } else { bytes as f32 / pool.usable as f32 };
        let ink = if share(pool.most) >= NEARLY_FULL { Ink::Warn } else { Ink::Good };
        let indent = usize::from(pool.depth.min(4));
        sheet.tab(indent).put(Ink::Dim, format_args!("{}", pool.name.as_str()));
        sheet.tab(19).put(Ink::Plain, format_args!("{:>6}", Bytes(pool.in_use)));
        sheet.tab(26).put(Ink::Plain, format_args!("{:>6}", Bytes(pool.most)));
        sheet.tab(33).put(Ink::Plain, format_args!("{:>6}", Bytes(pool.usable)));
        sheet.tab(41).bar(BAR, share(pool.in_use), Some(share(pool.most)), ink).end();
    }
    let hidden = memory.pools.len().saturating_sub(look.first_pool + rows) + memory.more;
    if hidden != 0 {
        sheet.line(Ink::Dim, format_args!("AND {hidden} MORE"));
    }
    let ink = if memory.shortages == 0 { Ink::Good } else { Ink::Bad };
    sheet.line(ink, format_args!("REQUESTS REFUSED {}", memory.shortages));
    for shortage in memory.latest.iter().take((LAST_ROW + 1).saturating_sub(sheet.row())) {
        let (name, wanted, largest) = (shortage.pool.as_str(), Bytes(shortage.wanted), Bytes(shortage.largest));
        sheet.line(Ink::Bad, format_args!("{name:<18} WANTED {wanted}, HAD {largest}"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::super::tests::text_of;
    use crate::memory::testing::Arena;
    use crate::memory::{MemoryManager, pools};
    use crate::overlay::subjects::{MemoryFacts, Subjects};

    #[test]
    fn the_page_lists_the_games_pools_and_refusals() {
        let mut arena = Arena::new(24 * 1024 * 1024, 128);
        let mut memory = std::boxed::Box::new(MemoryManager::new());
        memory.init(arena.region()).unwrap();
        pools::create_device_pools(&mut memory).unwrap();
        let game = pools::create_game_pools(&mut memory).unwrap();
        let _refused = memory.alloc_in(game.level_dynamic, 1 << 24, 16);
        let mut facts = MemoryFacts::default();
        facts.look(&memory);
        let text = text_of(Page::Memory, &Subjects { memory: Some(&facts), ..Subjects::default() });
        for word in ["Global-Memory", "Filter-Pool", "REQUESTS REFUSED 1", "WANTED 16M"] {
            assert!(text.contains(word), "{word}");
        }
    }
}
