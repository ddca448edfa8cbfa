//! `secrman` 1.3: who may use a card, and encrypted modules.
//!
//! A driver of cards tells how to send a command to one, and asks for a card to be opened. A console's drive does that with the
//! card, in many steps; the card's answers are all that the driver hears of it.
//! Source: hardware notes, Memory card commands; public headers (numbers)

use super::{Exports, exports};
use crate::machine::critical::Shared;

/// Library functions by number.
pub static TABLE: Exports<14> = exports(
    b"secrman",
    0x0103,
    [
        // Covers: iop, secrman 4 SecrSetMcCommandHandler test=a card is opened by its driver's own function
        (4, set_command as *const ()),
        // Covers: iop, secrman 5 SecrSetMcDevIDHandler test=which is asked for the kind of card
        (5, set_kind as *const ()),
        // Covers: iop, secrman 6 SecrAuthCard test=a card is opened by its driver's own function
        (6, open_card as *const ()),
        // Covers: iop, secrman 7 SecrResetAuthCard test=and closed by it
        (7, close_card as *const ()),
        // Covers: iop, secrman 8 SecrCardBootHeader test=nothing encrypted is read without a key
        (8, card_header as *const ()),
        // Covers: iop, secrman 9 SecrCardBootBlock test=nothing encrypted is read without a key
        (9, card_block as *const ()),
        // Covers: iop, secrman 10 SecrCardBootFile test=nothing encrypted is read without a key
        (10, card_file as *const ()),
        // Covers: iop, secrman 11 SecrDiskBootHeader test=nothing encrypted is read without a key
        (11, disc_header as *const ()),
        // Covers: iop, secrman 12 SecrDiskBootBlock test=nothing encrypted is read without a key
        (12, disc_block as *const ()),
        // Covers: iop, secrman 13 SecrDiskBootFile test=nothing encrypted is read without a key
        (13, disc_file as *const ()),
    ],
);

/// Sends commands to a card: port, slot, the record of a transfer at the serial interface; 1 when it went.
type Command = extern "C" fn(i32, i32, *mut Transfer) -> i32;
/// The kind of card in a port and slot.
type Kind = extern "C" fn(i32, i32) -> i32;

struct Driver {
    command: Option<Command>,
    kind: Option<Kind>,
}

static DRIVER: Shared<Driver> = Shared::new(Driver { command: None, kind: None });

const YES: i32 = 1;
const NO: i32 = 0;

/// Sets how commands get to a card.
extern "C" fn set_command(command: Option<Command>) {
    DRIVER.with(|driver| driver.command = command);
}

/// Sets who knows the kind of a card.
extern "C" fn set_kind(kind: Option<Kind>) {
    DRIVER.with(|driver| driver.kind = kind);
}

/// A transfer's record as the interface's library takes it; what is not named here stays zero.
#[repr(C)]
#[derive(Clone, Copy)]
struct Transfer {
    result: u32,
    timing: [u32; 4],
    timing_2: [u32; 4],
    result_2: u32,
    queue: [u32; 16],
    result_3: u32,
    input_bytes: u32,
    output_bytes: u32,
    input: *const u8,
    output: *mut u8,
    dma: [u32; 6],
}

/// Timing of the commands that open a card.
const TIMING: u32 = 0xFF06_0505;
const TIMING_2: u32 = 0x0003_FFFF;
/// A command whose bytes are sent one by one, the bits of its lengths, and the physical port's bits.
const BY_BYTES: u32 = 0x40;
const SENT: u32 = 8;
const RECEIVED: u32 = 18;
const PORT: u32 = 3;
/// First byte of a card's commands, the command that closes a card, and its length.
const CARD: u8 = 0x81;
const CLOSE: u8 = 0xF3;
const CLOSE_BYTES: usize = 5;

/// Lets the card begin anew; whether it answered.
fn begin(port: i32, slot: i32) -> bool {
    let Some(command) = DRIVER.with(|driver| driver.command) else { return false };
    let out = [CARD, CLOSE, 0, 0, 0];
    let mut back = [0; CLOSE_BYTES];
    let length = CLOSE_BYTES as u32;
    let mut queue = [0; 16];
    queue[0] = port as u32 & PORT | BY_BYTES | length << SENT | length << RECEIVED;
    let mut transfer = Transfer {
        result: 0,
        timing: [TIMING; 4],
        timing_2: [TIMING_2; 4],
        result_2: 0,
        queue,
        result_3: 0,
        input_bytes: length,
        output_bytes: length,
        input: out.as_ptr(),
        output: back.as_mut_ptr(),
        dma: [0; 6],
    };
    command(port, slot, &raw mut transfer) != NO
}

/// Opens a card; 1 when it may be used.
///
/// Stand-in: the steps in which the drive and the card prove themselves are left out. The emulator's cards ask for none, and a
/// console has a ROM of its own.
extern "C" fn open_card(port: i32, slot: i32, _number: i32) -> i32 {
    let kind = DRIVER.with(|driver| driver.kind);
    if let Some(kind) = kind {
        kind(port, slot);
    }
    if begin(port, slot) { YES } else { NO }
}

/// Closes a card.
extern "C" fn close_card(port: i32, slot: i32, _number: i32) {
    begin(port, slot);
}

/// Begins an encrypted file from a card.
///
/// Stand-in: this and all that follows refuses, as there is no key to read such a file by.
extern "C" fn card_header(_port: i32, _slot: i32, _file: u32, _blocks: u32, _bytes: u32) -> i32 {
    NO
}

/// Decrypts a block of it.
extern "C" fn card_block(_source: u32, _target: u32, _bytes: u32) -> i32 {
    NO
}

/// Decrypts a whole file from a card; where it lies then.
extern "C" fn card_file(_port: i32, _slot: i32, _file: u32) -> u32 {
    0
}

/// Begins an encrypted file from a disc.
extern "C" fn disc_header(_file: u32, _blocks: u32, _bytes: u32) -> i32 {
    NO
}

/// Decrypts a block of it.
extern "C" fn disc_block(_source: u32, _target: u32, _bytes: u32) -> i32 {
    NO
}

/// Decrypts a whole file from a disc; where it lies then.
extern "C" fn disc_file(_file: u32) -> u32 {
    0
}
