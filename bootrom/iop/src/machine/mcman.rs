//! MCMAN: the memory cards behind the serial interface.

use super::sio2::{self, BLOCK_BYTES, TIMING_CARD};
use bootrom_iop::card::{Card, CardError, Flash, PAGE_BYTES, SPARE_BYTES, protocol};

/// Port of the first card at the serial interface.
const FIRST_CARD_PORT: u32 = 2;
/// Commands of the longest sequence: address, four pieces of data, what lies beside it, end.
const SEQUENCE: usize = 7;
/// Kinds of cards.
///
/// Source: IOP kernel, MCSERV (info)
pub const KIND_PS2: u32 = 2;
/// Tries of a page whose data does not fit its check byte.
const TRIES: u32 = 3;

type Block = [u8; BLOCK_BYTES];

/// DMA memory of a card: what is sent and what comes back.
#[repr(C, align(64))]
pub struct Wire {
    out: [Block; SEQUENCE],
    back: [Block; SEQUENCE],
    /// Controller beside which the card is.
    port: u32,
}

impl Wire {
    /// The card beside the first controller.
    pub const fn new() -> Self {
        Wire { out: [[0; BLOCK_BYTES]; SEQUENCE], back: [[0; BLOCK_BYTES]; SEQUENCE], port: 0 }
    }

    /// Makes it the card beside controller `port`.
    pub fn set_port(&mut self, port: u32) {
        self.port = port;
    }

    /// Sends a sequence of commands; false when one of them was not answered.
    fn exchange<const COUNT: usize>(&mut self, commands: [protocol::Command<BLOCK_BYTES>; COUNT]) -> bool {
        let mut lengths = [0; SEQUENCE];
        for ((slot, length), (bytes, told)) in self.out.iter_mut().zip(&mut lengths).zip(commands) {
            (*slot, *length) = (bytes, told);
        }
        let (port, out, back) = (FIRST_CARD_PORT + self.port, &self.out, &mut self.back);
        sio2::locked(|| sio2::exchange_blocks(port, TIMING_CARD, &lengths[..COUNT], out, back))
    }
}

impl Flash for Wire {
    fn read_page(&mut self, page: u32, data: &mut [u8; PAGE_BYTES]) -> bool {
        let piece = protocol::read(protocol::CHUNK);
        for _ in 0..TRIES {
            let answered = self.exchange([
                protocol::read_address(page),
                piece,
                piece,
                piece,
                piece,
                protocol::read(SPARE_BYTES),
                protocol::end(),
            ]);
            if !answered {
                return false;
            }
            let good = data.chunks_exact_mut(protocol::CHUNK).zip(&self.back[1..]).all(|(target, answer)| {
                protocol::data_of(answer, protocol::CHUNK).map(|data| target.copy_from_slice(data)).is_some()
            });
            if good {
                return true;
            }
        }
        false
    }

    fn write_page(&mut self, page: u32, data: &[u8; PAGE_BYTES], spare: &[u8; SPARE_BYTES]) -> bool {
        let piece = |index: usize| protocol::write(&data[index * protocol::CHUNK..(index + 1) * protocol::CHUNK]);
        self.exchange([
            protocol::write_address(page),
            piece(0),
            piece(1),
            piece(2),
            piece(3),
            protocol::write(spare),
            protocol::end(),
        ])
    }

    fn erase_block(&mut self, page: u32) -> bool {
        self.exchange([protocol::erase_address(page), protocol::erase(), protocol::end()])
    }
}

/// Looks at the card in a port, mounting one that is new.
///
/// # Errors
/// [`CardError::Changed`] once for a new card, or what keeps it from being used.
pub fn detect(card: &mut Card<Wire>) -> Result<(), CardError> {
    let wire = card.flash();
    if !wire.exchange([protocol::probe()]) || !wire.exchange([protocol::terminator()]) {
        return Err(CardError::NoCard);
    }
    let known = protocol::terminator_of(&wire.back[0]) == Some(protocol::KNOWN);
    if known && card.is_mounted() {
        return Ok(());
    }
    let wire = card.flash();
    if !wire.exchange([protocol::mark_known()]) || !wire.exchange([protocol::specification()]) {
        return Err(CardError::NoCard);
    }
    if !protocol::is_usual(&wire.back[0]) {
        return Err(CardError::NoCard);
    }
    card.mount()?;
    // A card that was only formatted meanwhile is still the same one.
    if known { Ok(()) } else { Err(CardError::Changed) }
}
