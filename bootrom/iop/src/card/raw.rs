//! Pages and blocks as they lie on the card, past the file system.
//!
//! What the file system holds back is written before, and what it keeps of the card is read anew afterwards.

use super::ecc::spare_of;
use super::volume::geometry;
use super::{BLOCK_PAGES, CLUSTER_PAGES, Card, CardError, Flash, PAGE_BYTES};

/// Pages of a card.
const PAGES: u32 = geometry::CLUSTERS * CLUSTER_PAGES;

impl<F: Flash> Card<F> {
    /// Reads a page.
    ///
    /// # Errors
    /// No such page; no answer.
    pub fn read_raw(&mut self, page: u32, data: &mut [u8; PAGE_BYTES]) -> Result<(), CardError> {
        let page = self.raw(page, PAGES)?;
        if self.flash.read_page(page, data) { Ok(()) } else { Err(CardError::NoCard) }
    }

    /// Writes a page, whose block must be erased, and its check bytes.
    ///
    /// # Errors
    /// As [`read_raw`](Self::read_raw).
    pub fn write_raw(&mut self, page: u32, data: &[u8; PAGE_BYTES]) -> Result<(), CardError> {
        let page = self.raw(page, PAGES)?;
        if self.flash.write_page(page, data, &spare_of(data)) { Ok(()) } else { Err(CardError::NoCard) }
    }

    /// Erases a block.
    ///
    /// # Errors
    /// No such block; no answer.
    pub fn erase_raw(&mut self, block: u32) -> Result<(), CardError> {
        let block = self.raw(block, PAGES / BLOCK_PAGES)?;
        if self.flash.erase_block(block * BLOCK_PAGES) { Ok(()) } else { Err(CardError::NoCard) }
    }

    /// Number `index` of `count`, and nothing of the card kept in memory.
    fn raw(&mut self, index: u32, count: u32) -> Result<u32, CardError> {
        if index >= count {
            return Err(CardError::Denied);
        }
        self.flush()?;
        self.blocks.let_go();
        Ok(index)
    }
}
