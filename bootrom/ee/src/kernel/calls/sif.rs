//! SIF calls. Source: EE kernel semantics, section 10.

use super::kernel;
use crate::kernel::console::report;
use crate::kernel::hardware::{
    DMA_CHANNELS, SIF_MSCOM, SIF_MSFLG, SIF_SMCOM, SIF_SMFLG, channel, read, read_settled, write,
};
use crate::kernel::sif;
use crate::kernel::user;
use bootrom_ee::sif::Transfer;

/// Channel from the IOP.
const FROM_IOP: u32 = DMA_CHANNELS[5];

/// 6Bh SifStopDma().
// Covers: ee, 0x6B SifStopDma test=SifStopDma stops the channel from the IOP
pub extern "C" fn stop_dma() -> i32 {
    write(FROM_IOP + channel::CHCR, 0);
    read(FROM_IOP + channel::CHCR);
    0
}

/// 76h SifDmaStat(id): negative when sent, 0 being sent, positive waiting.
// Covers: ee, 0x76 SifDmaStat test=SifSetDma and SifDmaStat: not over at first, then over
// Covers: ee, -0x76 iSifDmaStat test=iSifSetDma and iSifDmaStat: not over at first, then over
pub extern "C" fn dma_status(id: u32) -> i32 {
    let channel = sif::channel_now();
    kernel(|kernel| kernel.ring.status(id, channel))
}

/// 77h SifSetDma(list, count): an id; 0 for a list that the ring cannot hold or with memory that is not the program's.
///
/// Our choice: the scratchpad is refused; the channel would read registers in its place. The console's sends anywhere. What would go over the vectors and low words of the IOP's kernel is told on the console
/// and left out; all else of that kernel may be written, as patches do.
// Covers: ee, 0x77 SifSetDma test=SifSetDma and SifDmaStat: not over at first, then over
// Covers: ee, -0x77 iSifSetDma test=iSifSetDma and iSifDmaStat: not over at first, then over
pub extern "C" fn set_dma(list: u32, count: u32) -> u32 {
    /// More than the ring could ever hold.
    const MOST: u32 = bootrom_ee::sif::TAGS as u32;
    /// Bytes of an element.
    const STEP: u32 = size_of::<Transfer>() as u32;
    let count = count.min(MOST);
    if user::check(list, count * STEP, align_of::<Transfer>() as u32).is_err() {
        return 0;
    }
    let transfers = (0..count).map_while(|index| user::read::<Transfer>(list + index * STEP).ok());
    let refused = |transfer: Transfer| {
        let reaches = !transfer.is_in_scratchpad();
        if !reaches {
            report!("refused: {} bytes for the IOP from the scratchpad's {:#x}", transfer.size, transfer.source);
        }
        !reaches || !transfer.fits() || user::check(transfer.source, transfer.touched_size(), 1).is_err()
    };
    if transfers.clone().any(refused) {
        return 0;
    }
    let spares = |transfer: &Transfer| {
        let spares = transfer.spares_vectors();
        if !spares {
            report!("refused: {} bytes for the IOP's {:#x}", transfer.size, transfer.destination);
        }
        spares
    };
    let refused = transfers.clone().filter(|transfer| !spares(transfer)).count();
    if refused == 0 {
        return sif::send(transfers);
    }
    sif::send(transfers.filter(Transfer::spares_vectors))
}

/// 78h SifSetDChain(): the channel from the IOP is ready for the next transfer.
// Covers: ee, 0x78 SifSetDChain test=SifSetDChain readies it
// Covers: ee, -0x78 iSifSetDChain test=iSifSetDChain does, too
pub extern "C" fn set_receive_chain() -> i32 {
    write(FROM_IOP + channel::CHCR, 0);
    write(FROM_IOP + channel::QWC, 0);
    write(FROM_IOP + channel::CHCR, channel::SIF_START);
    read(FROM_IOP + channel::CHCR);
    0
}

/// Bit of a register number that means one of the kernel's own words.
const SOFTWARE: u32 = 0x8000_0000;

/// 79h SifSetReg(register, value): the value.
// Covers: ee, 0x79 SifSetReg test=SIF word is kept
pub extern "C" fn set_register(register: u32, value: u32) -> u32 {
    match register {
        1 => write(SIF_MSCOM, value),
        3 => write(SIF_MSFLG, value),
        4 => write(SIF_SMFLG, value),
        _ if register & SOFTWARE != 0 => kernel(|kernel| {
            if let Some(word) = kernel.sif_words.get_mut((register & !SOFTWARE) as usize) {
                *word = value;
            }
        }),
        _ => {}
    }
    value
}

/// 7Ah SifGetReg(register): the value, 0 for an unknown register.
// Covers: ee, 0x7A SifGetReg test=unknown SIF register is 0
pub extern "C" fn get_register(register: u32) -> u32 {
    match register {
        1 => read(SIF_MSCOM),
        2 => read(SIF_SMCOM),
        3 => read_settled(SIF_MSFLG),
        4 => read_settled(SIF_SMFLG),
        _ if register & SOFTWARE != 0 => {
            kernel(|kernel| kernel.sif_words.get((register & !SOFTWARE) as usize).copied().unwrap_or(0))
        }
        _ => 0,
    }
}
