//! What the module takes of the IOP's memory beside itself, in bytes.

use crate::ahead::BUFFERS;
use crate::music::{CHANNEL_BYTES, GROUP_BYTES, HEADER_BYTES};
use crate::reading::PIECE_BYTES;
use crate::ring::GROUPS;

/// Bytes of the IOP's memory.
pub const BYTES: u32 = 2 << 20;
/// Buffers of reads and of what is read ahead.
pub const READS: u32 = BUFFERS as u32 * PIECE_BYTES;
/// The music's ring, its silence and its header.
pub const MUSIC: u32 = (GROUPS * GROUP_BYTES + CHANNEL_BYTES + HEADER_BYTES) as u32;
/// Stack of the disc's thread. The drive's library may keep a sector of a folder on the stack of whoever looks for a file.
pub const DISC_STACK: u32 = 0x4000;
/// Stack of the music's thread.
pub const MUSIC_STACK: u32 = 0x1000;
/// Stack of the server's thread.
pub const SERVER_STACK: u32 = 0x1000;
