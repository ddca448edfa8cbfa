//! The owner's settings for the EE's kernel: a block whose address stands in low memory before the interface comes up.
//!
//! Source: IOP kernel, low memory map; EE kernel semantics, section 12

use super::cdvdman::system_command;
use super::critical::Shared;
use super::libraries::loadcore::Ram;
use bootrom_iop::cdvd::system_command as number;
use bootrom_iop::loadcore::Words;

/// Where the block's address stands.
const POINTER: u32 = 0x3C0;
/// Bytes of the block.
const BYTES: usize = 0x60;
/// The group of settings that is the owner's, its blocks, and the bytes of each without its check sum.
const OWNERS: u8 = 1;
const BLOCKS: usize = 2;
const BLOCK_BYTES: usize = 15;
/// Opened for reading.
const READ: u8 = 0;

#[repr(align(4))]
struct Block([u8; BYTES]);
static BLOCK: Shared<Block> = Shared::new(Block([0; BYTES]));

/// Reads the settings from the drive. Without an answer they stay what a new console has: zeroes.
pub fn tell() {
    BLOCK.with(|block| {
        if system_command(number::OPEN_SETTINGS, &[READ, OWNERS, BLOCKS as u8]).is_some() {
            for place in block.0.chunks_exact_mut(BLOCK_BYTES).take(BLOCKS) {
                let Some(results) = system_command(number::READ_SETTINGS, &[]) else { break };
                for (byte, result) in place.iter_mut().zip(results.iter()) {
                    *byte = *result;
                }
            }
            let _ = system_command(number::CLOSE_SETTINGS, &[]);
        }
        Ram.write(POINTER, block.0.as_ptr() as u32);
    });
}
