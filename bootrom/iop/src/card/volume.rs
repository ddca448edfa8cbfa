//! The superblock and the cluster table.

use super::blocks::{Blocks, REPLACING};
use super::entry::{Entry, NO_CLUSTER, TIME_BYTES, mode, padded};
use super::{BLOCK_PAGES, CLUSTER_BYTES, CLUSTER_PAGES, CardError, Flash, PAGE_BYTES};

const MAGIC: &[u8] = b"Sony PS2 Memory Card Format 1.2.0.0";
/// Part of the magic that every version has.
const MAGIC_BYTES: usize = 28;
/// Geometry of every card of the usual size.
///
/// Source: hardware notes, File system
pub(super) mod geometry {
    pub const CLUSTERS: u32 = 8192;
    pub const FIRST_TABLE: u32 = 9;
    pub const INDIRECT: u32 = 8;
    pub const TABLES: u32 = 32;
    pub const ALLOCATABLE: u32 = 41;
    pub const ALLOCATABLE_END: u32 = 8135;
    pub const BACKUP_1: u32 = 1023;
    pub const BACKUP_2: u32 = 1022;
    /// Clusters that are given away: whole thousands, and one for the root.
    pub const USABLE: u32 = 8001;
}
/// Words of a cluster.
const CLUSTER_WORDS: u32 = CLUSTER_BYTES / 4;
/// Table values.
const USED: u32 = 0x8000_0000;
const LAST: u32 = 0xFFFF_FFFF;
pub(super) const FREE: u32 = 0x7FFF_FFFF;
/// Erased flash.
const ERASED_WORD: u32 = 0xFFFF_FFFF;

/// What the superblock says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// Clusters of the whole card.
    clusters: u32,
    /// First cluster of the data, from which all numbers count.
    data: u32,
    /// Number behind the last cluster of the data.
    end: u32,
    /// First cluster of the root directory.
    root: u32,
    /// Clusters with the table's table.
    indirect: [u32; 32],
}

/// A card with a file system.
pub struct Card<F> {
    pub(super) flash: F,
    pub(super) blocks: Blocks,
    layout: Option<Layout>,
    /// Where the search for a free cluster begins.
    free_hint: u32,
}

fn word(bytes: &[u8; PAGE_BYTES], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

impl<F: Flash> Card<F> {
    /// A card that is not mounted.
    pub const fn new(flash: F) -> Self {
        Card { flash, blocks: Blocks::new(), layout: None, free_hint: 0 }
    }

    /// The flash, for questions about the card itself.
    pub fn flash(&mut self) -> &mut F {
        &mut self.flash
    }

    /// Reads the superblock; what was known of another card is forgotten.
    ///
    /// # Errors
    /// No answer; no file system.
    pub fn mount(&mut self) -> Result<(), CardError> {
        self.layout = None;
        self.free_hint = 0;
        self.blocks.forget();
        let page = self.blocks.page(&mut self.flash, 0)?;
        if page[..MAGIC_BYTES] != MAGIC[..MAGIC_BYTES] {
            return Err(CardError::Unformatted);
        }
        let layout = Layout {
            clusters: word(page, 0x30),
            data: word(page, 0x34),
            end: word(page, 0x38),
            root: word(page, 0x3C),
            indirect: core::array::from_fn(|index| word(page, 0x50 + index * 4)),
        };
        let (backup_1, backup_2) = (word(page, 0x40), word(page, 0x44));
        let sane = word(page, 0x28) == (CLUSTER_PAGES << 16 | PAGE_BYTES as u32)
            && layout.clusters <= geometry::CLUSTERS * 16
            && layout.data < layout.clusters
            && layout.root < layout.end
            && layout.end <= layout.clusters - layout.data;
        if !sane {
            return Err(CardError::Unformatted);
        }
        self.layout = Some(layout);
        self.recover(backup_1, backup_2)?;
        if backup_1 < layout.clusters * CLUSTER_PAGES / BLOCK_PAGES {
            self.blocks.use_spares(backup_1, backup_2);
        }
        Ok(())
    }

    /// Finishes the replacement of a block that was broken off: its new contents lie in the first backup block when both marks
    /// stand in the second one.
    fn recover(&mut self, backup_1: u32, backup_2: u32) -> Result<(), CardError> {
        let blocks = self.layout()?.clusters * CLUSTER_PAGES / BLOCK_PAGES;
        if backup_1 >= blocks || backup_2 >= blocks {
            return Ok(());
        }
        let mark = |card: &mut Self, page: u32| card.blocks.page(&mut card.flash, page).map(|page| word(page, 0));
        let first = mark(self, backup_2 * BLOCK_PAGES)?;
        let second = mark(self, backup_2 * BLOCK_PAGES + 1)?;
        if first == ERASED_WORD || first & REPLACING == 0 {
            return Ok(());
        }
        let block = first & !REPLACING;
        if first == second && block < blocks {
            for index in 0..BLOCK_PAGES {
                let data = *self.blocks.page(&mut self.flash, backup_1 * BLOCK_PAGES + index)?;
                *self.blocks.page_mut(&mut self.flash, block * BLOCK_PAGES + index)? = data;
            }
            // The marks stay until the block is whole.
            self.flush()?;
        }
        for index in 0..BLOCK_PAGES {
            *self.blocks.page_mut(&mut self.flash, backup_2 * BLOCK_PAGES + index)? = [0xFF; PAGE_BYTES];
        }
        self.flush()
    }

    /// True when a file system was found.
    pub fn is_mounted(&self) -> bool {
        self.layout.is_some()
    }

    fn layout(&self) -> Result<Layout, CardError> {
        self.layout.ok_or(CardError::Unformatted)
    }

    /// First cluster of the root directory.
    pub(super) fn root(&self) -> Result<u32, CardError> {
        Ok(self.layout()?.root)
    }

    /// Writes every change to the card.
    ///
    /// # Errors
    /// No answer.
    pub fn flush(&mut self) -> Result<(), CardError> {
        self.blocks.flush(&mut self.flash)
    }

    /// Page and byte of the table's word for cluster `number`.
    fn table_place(&mut self, number: u32) -> Result<(u32, usize), CardError> {
        let layout = self.layout()?;
        if number >= layout.end {
            return Err(CardError::NoCard);
        }
        let table = number / CLUSTER_WORDS;
        let indirect = *layout.indirect.get((table / CLUSTER_WORDS) as usize).ok_or(CardError::NoCard)?;
        let (page, at) = word_place(indirect, table % CLUSTER_WORDS);
        let cluster = word(self.blocks.page(&mut self.flash, page)?, at);
        if cluster >= layout.clusters {
            return Err(CardError::NoCard);
        }
        Ok(word_place(cluster, number % CLUSTER_WORDS))
    }

    /// The table's word for a cluster.
    pub(super) fn table(&mut self, number: u32) -> Result<u32, CardError> {
        let (page, at) = self.table_place(number)?;
        Ok(word(self.blocks.page(&mut self.flash, page)?, at))
    }

    fn set_table(&mut self, number: u32, value: u32) -> Result<(), CardError> {
        let (page, at) = self.table_place(number)?;
        self.blocks.page_mut(&mut self.flash, page)?[at..at + 4].copy_from_slice(&value.to_le_bytes());
        Ok(())
    }

    /// The cluster behind `number` in its chain.
    pub(super) fn next_cluster(&mut self, number: u32) -> Result<Option<u32>, CardError> {
        let value = self.table(number)?;
        Ok((value & USED != 0 && value != LAST).then_some(value & !USED))
    }

    /// Takes a free cluster and appends it to `previous`, if there is one.
    pub(super) fn allocate(&mut self, previous: Option<u32>) -> Result<u32, CardError> {
        let usable = self.usable()?;
        for step in 0..usable {
            let number = (self.free_hint + step) % usable;
            if self.table(number)? & USED != 0 {
                continue;
            }
            self.set_table(number, LAST)?;
            if let Some(previous) = previous {
                self.set_table(previous, USED | number)?;
            }
            self.free_hint = number + 1;
            return Ok(number);
        }
        Err(CardError::Full)
    }

    /// Clusters that may be given away.
    fn usable(&self) -> Result<u32, CardError> {
        Ok(self.layout()?.end.min(geometry::USABLE))
    }

    /// Frees a chain from `first` on.
    pub(super) fn free_chain(&mut self, first: u32) -> Result<(), CardError> {
        let mut next = Some(first).filter(|first| *first != NO_CLUSTER);
        // A chain has at most as many links as there are clusters.
        for _ in 0..geometry::CLUSTERS {
            let Some(number) = next else { return Ok(()) };
            next = self.next_cluster(number)?;
            self.set_table(number, FREE)?;
            self.free_hint = self.free_hint.min(number);
        }
        Ok(())
    }

    /// Free clusters, which are as many KiB.
    ///
    /// # Errors
    /// Not mounted; no answer.
    pub fn free_clusters(&mut self) -> Result<u32, CardError> {
        let mut free = 0;
        for number in 0..self.usable()? {
            if self.table(number)? & USED == 0 {
                free += 1;
            }
        }
        Ok(free)
    }

    /// The page of a data cluster's half.
    pub(super) fn data_page(&self, cluster: u32, half: u32) -> Result<u32, CardError> {
        let layout = self.layout()?;
        if cluster >= layout.end {
            return Err(CardError::NoCard);
        }
        Ok((layout.data + cluster) * CLUSTER_PAGES + half)
    }

    /// Makes a new file system; `time` is when.
    ///
    /// # Errors
    /// No answer.
    pub fn format(&mut self, time: [u8; TIME_BYTES]) -> Result<(), CardError> {
        self.layout = None;
        self.free_hint = 0;
        self.blocks.forget();
        for block in 0..geometry::CLUSTERS * CLUSTER_PAGES / BLOCK_PAGES {
            if !self.flash.erase_block(block * BLOCK_PAGES) {
                return Err(CardError::NoCard);
            }
        }
        for index in 0..geometry::TABLES {
            self.put_word(geometry::INDIRECT, index, geometry::FIRST_TABLE + index)?;
        }
        for number in 0..geometry::TABLES * CLUSTER_WORDS {
            let value = match number {
                0 => LAST,
                number if number < geometry::ALLOCATABLE_END => FREE,
                _ => LAST,
            };
            self.put_word(geometry::FIRST_TABLE + number / CLUSTER_WORDS, number % CLUSTER_WORDS, value)?;
        }
        let own = Entry {
            mode: mode::NEW_DIRECTORY,
            length: 2,
            created: time,
            cluster: 0,
            place: 0,
            modified: time,
            attributes: 0,
            name: padded(b"."),
        };
        let above = Entry { mode: mode::ROOT_PARENT, length: 0, name: padded(b".."), ..own };
        let root = geometry::ALLOCATABLE * CLUSTER_PAGES;
        for (page, entry) in [(root, own), (root + 1, above)] {
            *self.blocks.page_mut(&mut self.flash, page)? = entry.bytes();
        }
        *self.blocks.page_mut(&mut self.flash, 0)? = superblock();
        self.flush()?;
        self.mount()
    }

    fn put_word(&mut self, cluster: u32, index: u32, value: u32) -> Result<(), CardError> {
        let (page, at) = word_place(cluster, index);
        self.blocks.page_mut(&mut self.flash, page)?[at..at + 4].copy_from_slice(&value.to_le_bytes());
        Ok(())
    }

    /// Takes the file system away.
    ///
    /// # Errors
    /// No answer.
    pub fn unformat(&mut self) -> Result<(), CardError> {
        self.layout = None;
        self.blocks.forget();
        if self.flash.erase_block(0) { Ok(()) } else { Err(CardError::NoCard) }
    }
}

/// Page and byte of word `index` of a cluster.
fn word_place(cluster: u32, index: u32) -> (u32, usize) {
    let byte = index as usize * 4;
    (cluster * CLUSTER_PAGES + (byte / PAGE_BYTES) as u32, byte % PAGE_BYTES)
}

/// The first page of a formatted card.
fn superblock() -> [u8; PAGE_BYTES] {
    let mut page = [0; PAGE_BYTES];
    page[..MAGIC.len()].copy_from_slice(MAGIC);
    let words = [
        (0x28, CLUSTER_PAGES << 16 | PAGE_BYTES as u32),
        (0x2C, 0xFF00_0000 | BLOCK_PAGES),
        (0x30, geometry::CLUSTERS),
        (0x34, geometry::ALLOCATABLE),
        (0x38, geometry::ALLOCATABLE_END),
        (0x40, geometry::BACKUP_1),
        (0x44, geometry::BACKUP_2),
        (0x50, geometry::INDIRECT),
        // Kind of card and its flags: check bytes, bad blocks.
        (0x150, 0x2B02),
    ];
    for (at, value) in words {
        page[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
    }
    // No bad blocks.
    page[0xD0..0x150].fill(0xFF);
    page
}
