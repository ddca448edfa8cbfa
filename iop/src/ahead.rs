//! What the drive has read before it was asked for.
//!
//! Whoever streams a file reads it in spans that follow each other, and needs a frame or two between the end of one and the
//! start of the next. The module uses that time to read on, so that the drive never stands still. The pieces lie in a ring of
//! buffers: behind the one that was handed out last come those that are held, then those that are free.

use crate::reading::{PIECE_SECTORS, Piece};

/// Piece buffers: one on its way to the EE, the others held or being filled.
pub const BUFFERS: usize = 4;
/// Pieces that may be held.
const HELD: u8 = BUFFERS as u8 - 1;

/// The ring of piece buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Ahead {
    /// Sectors of the pieces, by their buffer.
    sectors: [u32; BUFFERS],
    /// First sector of the oldest piece held.
    first_sector: u32,
    /// Its buffer.
    first: u8,
    /// Pieces held.
    held: u8,
    /// The sector to read on at, and the one behind the last that may be read; both 0 when nothing may.
    next: u32,
    end: u32,
}

impl Ahead {
    /// A buffer that holds a piece already, if the piece is the next one; it is handed out. Anything else held is not what is
    /// wanted, and forgotten.
    pub fn take(&mut self, piece: Piece) -> Option<usize> {
        let buffer = usize::from(self.first);
        if self.held == 0 || self.first_sector != piece.sector || self.sectors[buffer] < piece.sectors {
            self.forget();
            return None;
        }
        self.first_sector += self.sectors[buffer];
        self.hand_out();
        self.held -= 1;
        Some(buffer)
    }

    /// A free buffer, handed out to be filled and sent. Only when nothing is held.
    pub const fn claim(&mut self) -> usize {
        let buffer = self.first as usize;
        self.hand_out();
        buffer
    }

    const fn hand_out(&mut self) {
        self.first = (self.first + 1) & (BUFFERS as u8 - 1);
    }

    /// Allows reading on from a sector, up to the one where the file ends, for whoever has just read up to there.
    pub const fn read_on(&mut self, from: u32, end: u32) {
        if self.held == 0 {
            self.first_sector = from;
            self.next = from;
        }
        self.end = end;
    }

    /// What to read while nothing else is asked: first sector, sectors, buffer.
    pub fn wanted(&self) -> Option<(u32, u32, usize)> {
        let sectors = self.end.saturating_sub(self.next).min(PIECE_SECTORS);
        let buffer = usize::from(self.first + self.held) & (BUFFERS - 1);
        (self.held < HELD && sectors > 0).then_some((self.next, sectors, buffer))
    }

    /// Notes that what was wanted has been read.
    pub fn arrived(&mut self) {
        if let Some((_, sectors, buffer)) = self.wanted() {
            self.sectors[buffer] = sectors;
            self.held += 1;
            self.next += sectors;
        }
    }

    /// Forgets what is held, and reads on nowhere.
    pub const fn forget(&mut self) {
        self.held = 0;
        self.next = 0;
        self.end = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{Extent, PIECE_BYTES, Reading, SECTOR_BYTES};
    use proptest::prelude::*;
    use std::vec::Vec;

    const END: u32 = 1000;

    fn piece(sector: u32, sectors: u32) -> Piece {
        Piece { sector, sectors, destination: 0, bytes: sectors * SECTOR_BYTES }
    }

    fn fill(ahead: &mut Ahead) -> Vec<(u32, u32, usize)> {
        core::iter::from_fn(|| {
            let wanted = ahead.wanted()?;
            ahead.arrived();
            Some(wanted)
        })
        .collect()
    }

    #[test]
    fn the_pieces_behind_a_read_are_there_when_they_are_asked_for() {
        let mut ahead = Ahead::default();
        let sent = ahead.claim();
        ahead.read_on(100, END);
        let filled = fill(&mut ahead);
        assert_eq!(
            filled.iter().map(|&(sector, sectors, _)| (sector, sectors)).collect::<Vec<_>>(),
            [(100, 32), (132, 32), (164, 32)]
        );
        assert!(filled.iter().all(|&(_, _, buffer)| buffer != sent));
        assert_eq!(ahead.take(piece(100, 32)), Some(filled[0].2));
        // A file's last piece is part of what was read.
        assert_eq!(ahead.take(piece(132, 5)), Some(filled[1].2));
        assert_eq!(ahead.take(piece(164, 33)), None, "more than is held");
        assert_eq!(ahead.wanted(), None);
    }

    #[test]
    fn another_place_forgets_what_is_held() {
        let mut ahead = Ahead::default();
        ahead.read_on(100, END);
        fill(&mut ahead);
        assert_eq!(ahead.take(piece(132, 32)), None);
        assert_eq!(ahead.take(piece(100, 32)), None);
        assert_eq!(ahead.wanted(), None);
    }

    #[test]
    fn nothing_is_read_behind_the_file() {
        let mut ahead = Ahead::default();
        assert_eq!(ahead.wanted(), None, "nothing was read yet");
        ahead.read_on(END - 40, END);
        assert_eq!(fill(&mut ahead).iter().map(|wanted| wanted.1).collect::<Vec<_>>(), [32, 8]);
        ahead.read_on(END, END);
        assert_eq!(ahead.wanted(), None);
    }

    #[test]
    fn reading_on_goes_on_while_pieces_are_held() {
        let mut ahead = Ahead::default();
        ahead.read_on(0, END);
        fill(&mut ahead);
        ahead.take(piece(0, 32)).unwrap();
        ahead.read_on(32, END);
        assert_eq!(fill(&mut ahead)[0].0, 96);
        assert_eq!(ahead.take(piece(32, 32)).map(|_| ahead.first_sector), Some(64));
    }

    proptest! {
        /// Buffers modelled with their contents: a read, whatever was read ahead, sends the sectors that it asked for, and no
        /// buffer is filled while it is on its way.
        #[test]
        fn whatever_is_asked_comes(asks in proptest::collection::vec((0u32..6, 1u32..9, 0usize..4), 1..40)) {
            let file = Extent { sector: 10, bytes: 30 * PIECE_BYTES };
            let mut ahead = Ahead::default();
            let mut holds = [u32::MAX; BUFFERS];
            let mut last_sent = None;
            for (from, pieces, idle) in asks {
                let (offset, length) = (from * 4 * PIECE_BYTES, pieces * PIECE_BYTES - 2048);
                let Some(mut reading) = Reading::new(file, offset, length, 0) else { continue };
                let mut end = 0;
                while let Some(piece) = reading.next_piece() {
                    let buffer = ahead.take(piece).unwrap_or_else(|| {
                        let buffer = ahead.claim();
                        holds[buffer] = piece.sector;
                        buffer
                    });
                    prop_assert_eq!(holds[buffer], piece.sector);
                    prop_assert!(last_sent != Some(buffer));
                    last_sent = Some(buffer);
                    end = piece.sector + piece.sectors;
                }
                ahead.read_on(end, 10 + 30 * PIECE_SECTORS);
                for _ in 0..idle {
                    if let Some((sector, _, buffer)) = ahead.wanted() {
                        holds[buffer] = sector;
                        ahead.arrived();
                    }
                }
            }
        }
    }
}
