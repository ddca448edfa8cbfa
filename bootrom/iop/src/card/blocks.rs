//! Erase blocks in memory.
//!
//! Flash can only be erased in blocks, so a change of one page means to write sixteen. Changes are collected here and go to the card at
//! a flush, or when another block needs the room. A block that is replaced lies meanwhile in a spare one, with marks in another,
//! so that a card that is pulled in the middle of it loses nothing: whoever mounts it next finishes the replacement.

use super::ecc::spare_of;
use super::{BLOCK_PAGES, CardError, Flash, PAGE_BYTES};

/// Blocks that are kept.
///
/// Our choice: enough for a file's data, its directory, its parent and the cluster table side by side.
const KEPT: usize = 4;
const ERASED: u8 = 0xFF;
/// Bit of a mark, beside the number of the block that is being replaced.
pub const REPLACING: u32 = 0x8000_0000;

type Page = [u8; PAGE_BYTES];

struct Kept {
    /// Number of the block, if any.
    block: Option<u32>,
    changed: bool,
    /// When it was last asked for.
    used: u32,
    pages: [Page; BLOCK_PAGES as usize],
}

/// The blocks that are kept.
pub struct Blocks {
    kept: [Kept; KEPT],
    now: u32,
    /// The block for copies, and the one for marks; none while a card is not mounted.
    spares: Option<[u32; 2]>,
}

impl Blocks {
    /// Nothing kept.
    #[must_use]
    pub const fn new() -> Self {
        Blocks {
            kept: [const { Kept { block: None, changed: false, used: 0, pages: [[0; PAGE_BYTES]; BLOCK_PAGES as usize] } };
                KEPT],
            now: 0,
            spares: None,
        }
    }

    /// Forgets everything, changes too.
    pub fn forget(&mut self) {
        for kept in &mut self.kept {
            kept.block = None;
            kept.changed = false;
        }
        self.spares = None;
    }

    /// Forgets the blocks, changes too, and still knows the spare ones.
    pub fn let_go(&mut self) {
        let spares = self.spares;
        self.forget();
        self.spares = spares;
    }

    /// From now on what is replaced lies in `copies` meanwhile, with marks in `marks`.
    pub fn use_spares(&mut self, copies: u32, marks: u32) {
        self.spares = Some([copies, marks]);
    }

    /// The place of the block around `page`, read if it is not kept.
    fn place(&mut self, flash: &mut impl Flash, page: u32) -> Result<usize, CardError> {
        let block = page / BLOCK_PAGES;
        self.now = self.now.wrapping_add(1);
        let found = self.kept.iter().position(|kept| kept.block == Some(block));
        let place = match found {
            Some(place) => place,
            None => {
                let now = self.now;
                let oldest = (0..KEPT).max_by_key(|place| match self.kept[*place].block {
                    None => u32::MAX,
                    Some(_) => now.wrapping_sub(self.kept[*place].used),
                });
                let place = oldest.unwrap_or(0);
                write_back(&mut self.kept[place], flash, self.spares)?;
                let kept = &mut self.kept[place];
                kept.block = None;
                for (index, data) in (0..).zip(kept.pages.iter_mut()) {
                    if !flash.read_page(block * BLOCK_PAGES + index, data) {
                        return Err(CardError::NoCard);
                    }
                }
                kept.block = Some(block);
                place
            }
        };
        self.kept[place].used = self.now;
        Ok(place)
    }

    /// A page's data.
    ///
    /// # Errors
    /// The card does not answer.
    pub fn page(&mut self, flash: &mut impl Flash, page: u32) -> Result<&Page, CardError> {
        let place = self.place(flash, page)?;
        Ok(&self.kept[place].pages[(page % BLOCK_PAGES) as usize])
    }

    /// A page's data, to be changed.
    ///
    /// # Errors
    /// The card does not answer.
    pub fn page_mut(&mut self, flash: &mut impl Flash, page: u32) -> Result<&mut Page, CardError> {
        let place = self.place(flash, page)?;
        let kept = &mut self.kept[place];
        kept.changed = true;
        Ok(&mut kept.pages[(page % BLOCK_PAGES) as usize])
    }

    /// Writes every change to the card.
    ///
    /// # Errors
    /// The card does not answer; what was not written is still kept.
    pub fn flush(&mut self, flash: &mut impl Flash) -> Result<(), CardError> {
        let spares = self.spares;
        self.kept.iter_mut().try_for_each(|kept| write_back(kept, flash, spares))
    }
}

impl Default for Blocks {
    fn default() -> Self {
        Self::new()
    }
}

/// Writes a block if it was changed: a copy and its marks first, then the block itself, then the marks' end.
///
/// Source: hardware notes, Memory cards (block rewrite)
fn write_back(kept: &mut Kept, flash: &mut impl Flash, spares: Option<[u32; 2]>) -> Result<(), CardError> {
    let (Some(block), true) = (kept.block, kept.changed) else { return Ok(()) };
    let spares = spares.filter(|spares| !spares.contains(&block));
    // Each step only when the one before is on the card.
    let good = match spares {
        Some([copies, marks]) => {
            let mut mark = [ERASED; PAGE_BYTES];
            mark[..4].copy_from_slice(&(block | REPLACING).to_le_bytes());
            let first = marks * BLOCK_PAGES;
            flash.erase_block(copies * BLOCK_PAGES)
                && flash.erase_block(first)
                && flash.write_page(first, &mark, &spare_of(&mark))
                && write_pages(kept, flash, copies)
                && flash.write_page(first + 1, &mark, &spare_of(&mark))
                && flash.erase_block(block * BLOCK_PAGES)
                && write_pages(kept, flash, block)
                && flash.erase_block(first)
        }
        None => flash.erase_block(block * BLOCK_PAGES) && write_pages(kept, flash, block),
    };
    if !good {
        return Err(CardError::NoCard);
    }
    kept.changed = false;
    Ok(())
}

/// Writes a block's pages to an erased block; what stays erased need not be written.
fn write_pages(kept: &Kept, flash: &mut impl Flash, block: u32) -> bool {
    let first = block * BLOCK_PAGES;
    let mut pages = (first..).zip(&kept.pages).filter(|(_, data)| data.iter().any(|byte| *byte != ERASED));
    pages.all(|(page, data)| flash.write_page(page, data, &spare_of(data)))
}
