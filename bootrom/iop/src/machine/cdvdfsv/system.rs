//! The drive's system commands for the EE, server 80000593.
//!
//! Each function answers by what the modules' own library says, at the places where the public SDK's client looks: what became
//! of it in the first word, then the status in a word of its own and the data behind that, or the data alone.
//! Source: IOP kernel, CDVD servers (S-commands); public SDK (the client's requests and replies)

use crate::machine::cdvdman as driver;
use crate::machine::critical::Shared;
use crate::machine::libraries::cdvdman::{self as library, system};
use crate::machine::libraries::fetch;
use crate::machine::server::allocate;

/// Functions of the command server.
mod function {
    pub const READ_CLOCK: u32 = 0x01;
    pub const WRITE_CLOCK: u32 = 0x02;
    pub const DISC_TYPE: u32 = 0x03;
    pub const ERROR: u32 = 0x04;
    pub const TRAY: u32 = 0x05;
    pub const READ_LINK_ID: u32 = 0x06;
    pub const WRITE_LINK_ID: u32 = 0x07;
    pub const READ_MEMORY: u32 = 0x08;
    pub const WRITE_MEMORY: u32 = 0x09;
    pub const DECRYPTION: u32 = 0x0A;
    pub const APPLY: u32 = 0x0B;
    pub const STATUS: u32 = 0x0C;
    pub const HARD_DISK: u32 = 0x0D;
    pub const OPEN_SETTINGS: u32 = 0x0E;
    pub const CLOSE_SETTINGS: u32 = 0x0F;
    pub const READ_SETTINGS: u32 = 0x10;
    pub const WRITE_SETTINGS: u32 = 0x11;
    pub const READ_CONSOLE_ID: u32 = 0x12;
    pub const WRITE_CONSOLE_ID: u32 = 0x13;
    pub const VERSION: u32 = 0x14;
    pub const DIGITAL_OUT: u32 = 0x15;
    pub const BREAK: u32 = 0x16;
    pub const SUB_CODE: u32 = 0x17;
    pub const FORBID_PLAYER: u32 = 0x18;
    pub const AUTO_ADJUST: u32 = 0x19;
    pub const MODEL: u32 = 0x1A;
    pub const WRITE_MODEL: u32 = 0x1B;
    pub const FORBID_READ: u32 = 0x1C;
    pub const SPIN: u32 = 0x1D;
    pub const CERTIFY: u32 = 0x1E;
    pub const CANCEL_POWER_OFF: u32 = 0x1F;
    pub const BLUE_LAMP: u32 = 0x20;
    pub const POWER_OFF: u32 = 0x21;
    pub const MEDIA_MODE: u32 = 0x22;
    pub const THREAD_PRIORITY: u32 = 0x23;
    pub const GLOBAL_ID: u32 = 0x24;
    pub const TIME_OUT: u32 = 0x25;
    pub const MODEL_ID: u32 = 0x26;
    pub const LAYERS: u32 = 0x27;
}

/// Words of the longest reply: what became of it, a status, and all blocks of the settings.
const REPLY_WORDS: usize = 0x110;
/// Most blocks of the settings that the client reads at a time.
const MOST_BLOCKS: u8 = 0x44;
/// Most bytes of a command of the caller's own, and of what it answers.
const APPLIED: usize = 16;

/// Where replies lie: memory like a caller's, as the library that fills them writes to none of the kernel's own.
static REPLY: Shared<u32> = Shared::new(0);

/// Takes the memory for replies.
pub fn start() {
    REPLY.with(|reply| *reply = allocate(size_of::<[u32; REPLY_WORDS]>() as u32));
}

const YES: i32 = 1;
const NO: i32 = 0;

/// Serves a command.
pub extern "C" fn serve(number: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    let place = REPLY.with(|reply| *reply);
    if place == 0 {
        return core::ptr::null_mut();
    }
    // SAFETY: this is the server's thread, which serves one request at a time, and the memory has that many words.
    let reply = unsafe { &mut *(place as *mut [u32; REPLY_WORDS]) };
    *reply = [0; REPLY_WORDS];
    let words = reply.as_mut_ptr();
    let [status, data] = [1, 2].map(|place| words.wrapping_add(place));
    let bytes: *mut u8 = data.cast();
    let first: u32 = fetch(buffer).unwrap_or_default();
    let [one, two, three, _] = first.to_le_bytes();
    let result = match number {
        function::READ_CLOCK => system::read_clock(status.cast()),
        function::WRITE_CLOCK => {
            // The record comes back with its status.
            let record: [u32; 2] = fetch(buffer.cast()).unwrap_or_default();
            reply[1..3].copy_from_slice(&record);
            system::write_clock(status.cast())
        }
        function::DISC_TYPE => driver::disc_type().into(),
        function::ERROR => driver::last_error().into(),
        function::TRAY => system::tray(first, status),
        function::READ_LINK_ID => system::read_link_id(bytes, status),
        function::WRITE_LINK_ID => system::write_link_id(buffer.cast(), status),
        // The word, then its status in the byte behind.
        function::READ_MEMORY => system::read_memory(first, bytes.cast(), bytes.wrapping_add(2)),
        function::WRITE_MEMORY => {
            let value: u32 = fetch(buffer.wrapping_add(1)).unwrap_or_default();
            system::write_memory(first, value as u16, bytes.wrapping_add(2))
        }
        function::DECRYPTION => system::set_decryption(one, two, three),
        function::APPLY => {
            // This one's reply is the drive's bytes alone.
            let input: [u8; APPLIED] = fetch(buffer.wrapping_add(1).cast()).unwrap_or_default();
            let count = usize::from(u16::from_le_bytes([three, (first >> 24) as u8])).min(APPLIED);
            if let Some(answer) = driver::system_command(one, &input[..count]) {
                for (index, byte) in answer.iter().take(APPLIED).enumerate() {
                    reply[index / 4] |= u32::from(*byte) << (index % 4 * 8);
                }
            }
            return words;
        }
        function::STATUS => driver::state().into(),
        function::HARD_DISK => library::set_disk_mode(first),
        function::OPEN_SETTINGS if three <= MOST_BLOCKS => system::open_settings(two, one, three, status),
        function::CLOSE_SETTINGS => system::close_settings(status),
        function::READ_SETTINGS => system::read_settings(bytes, status),
        function::WRITE_SETTINGS => system::write_settings(buffer.cast(), status),
        function::READ_CONSOLE_ID => system::read_console_id(bytes, status),
        function::WRITE_CONSOLE_ID => system::write_console_id(buffer.cast(), status),
        function::VERSION => system::version(bytes, status),
        function::DIGITAL_OUT => system::digital_out(first, status),
        function::BREAK => {
            driver::abort();
            YES
        }
        function::SUB_CODE => system::read_sub_code(bytes, status),
        function::FORBID_PLAYER => system::forbid_player(status),
        function::AUTO_ADJUST => system::auto_adjust(first, status),
        function::MODEL => system::model(bytes, status),
        function::WRITE_MODEL => system::write_model(buffer.cast(), status),
        function::FORBID_READ => system::forbid_read(status),
        function::SPIN => library::spin(first),
        function::CERTIFY => system::certify(buffer.cast()),
        function::CANCEL_POWER_OFF => system::cancel_power_off(status),
        function::BLUE_LAMP => system::blue_lamp(first, status),
        function::POWER_OFF => system::power_off(status),
        function::MEDIA_MODE | function::THREAD_PRIORITY | function::TIME_OUT => YES,
        function::GLOBAL_ID => system::read_global_id(status.cast()),
        function::MODEL_ID => system::read_model_id(status),
        function::LAYERS => library::layers(status.cast(), data),
        _ => NO,
    };
    reply[0] = result as u32;
    words
}
