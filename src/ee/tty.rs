//! Lines of text to whoever listens to the console.
//!
//! Bytes go to the EE's serial port: a console with a cable shows them, and PCSX2 writes them to its log. Text is formatted
//! into a small buffer on the caller's stack and leaves in pieces of that size, so nothing is allocated and nothing is cut.
//! Not for interrupt handlers.
//!
//! Our choice: the serial port rather than the kernel's debug call, because retail kernels ignore that call and PCSX2
//! would show a line twice.
//!
//! Source: EE emulator notes, Output; EE kernel, section 13.

use core::fmt;
use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use heapless::String;

/// The serial port's transmit register, one byte at a time.
const TRANSMIT: usize = 0x1000_F180;
/// The serial port's status register.
const STATUS: usize = 0x1000_F130;
/// Status bits 15-12: the number of bytes waiting in the transmit queue.
const STATUS_QUEUE: u32 = 0xF000;
/// The queue's fill at which a byte would be lost.
const QUEUE_FULL: u32 = 0x8000;
/// Reads of the status register after which a byte is sent whatever it says: nobody may be listening.
const PATIENCE: u32 = 10_000;
/// Bytes formatted before they leave.
const PIECE: usize = 128;

/// The last bytes that were said, for a screen that tells of a crash.
static LAST: [AtomicU8; LAST_BYTES] = [const { AtomicU8::new(0) }; LAST_BYTES];
/// How many were said in all.
static SAID: AtomicUsize = AtomicUsize::new(0);
/// Bytes that are kept.
const LAST_BYTES: usize = 256;

/// What was said last.
pub type Recent = String<LAST_BYTES>;

/// What was said last, the oldest first. Its first line may have lost its beginning.
pub fn recent() -> Recent {
    let said = SAID.load(Ordering::Relaxed);
    let mut text = Recent::new();
    for index in said.saturating_sub(LAST_BYTES)..said {
        let byte = LAST.get(index % LAST_BYTES).map_or(0, |byte| byte.load(Ordering::Relaxed));
        // There is room for all of them.
        let _ = text.push(if byte.is_ascii() { char::from(byte) } else { '?' });
    }
    text
}

/// Keeps one byte.
fn keep(byte: u8) {
    let said = SAID.load(Ordering::Relaxed);
    if let Some(place) = LAST.get(said % LAST_BYTES) {
        place.store(byte, Ordering::Relaxed);
    }
    SAID.store(said.wrapping_add(1), Ordering::Relaxed);
}

/// Sends one byte.
fn send(byte: u8) {
    keep(byte);
    // SAFETY: the kernel maps the serial port for user mode; both accesses have no effect on memory.
    unsafe {
        let mut patience = PATIENCE;
        while patience != 0 && (STATUS as *const u32).read_volatile() & STATUS_QUEUE == QUEUE_FULL {
            patience -= 1;
        }
        (TRANSMIT as *mut u8).write_volatile(byte);
    }
}

/// A writer that gathers text and sends it in pieces; what is left leaves when it is dropped.
pub struct Tty {
    bytes: [u8; PIECE],
    used: usize,
}

impl Tty {
    /// An empty writer.
    pub const fn new() -> Self {
        Self { bytes: [0; PIECE], used: 0 }
    }

    /// Sends what is gathered.
    pub fn flush(&mut self) {
        for &byte in self.bytes.iter().take(self.used) {
            send(byte);
        }
        self.used = 0;
    }
}

impl Default for Tty {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Write for Tty {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            if self.used == PIECE {
                self.flush();
            }
            if let Some(place) = self.bytes.get_mut(self.used) {
                *place = byte;
                self.used += 1;
            }
        }
        Ok(())
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Formats to the console. Use the macros [`tty_print`](crate::tty_print) and [`tty_println`](crate::tty_println).
pub fn write(arguments: fmt::Arguments) {
    // A display implementation's error cuts its own text; there is nobody to tell.
    let _ = fmt::write(&mut Tty::new(), arguments);
}

/// Prints to the console's listener, as `print!` does elsewhere.
#[macro_export]
macro_rules! tty_print {
    ($($text:tt)*) => { $crate::ee::tty::write(::core::format_args!($($text)*)) };
}

/// Prints a line to the console's listener, as `println!` does elsewhere.
#[macro_export]
macro_rules! tty_println {
    () => { $crate::tty_print!("\n") };
    ($($text:tt)*) => {
        $crate::ee::tty::write(::core::format_args!("{}\n", ::core::format_args!($($text)*)))
    };
}
