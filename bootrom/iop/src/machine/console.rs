//! Text on the debug console.

use super::registers::CONSOLE_BYTE;
use core::fmt;

/// The console, for `write!`.
pub struct Console;

impl Console {
    /// Writes bytes as they are.
    pub fn write_bytes(self, bytes: &[u8]) {
        for byte in bytes {
            CONSOLE_BYTE.write(*byte);
        }
    }
}

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        Console.write_bytes(text.as_bytes());
        Ok(())
    }
}

/// Prints one line.
macro_rules! log {
    ($($argument:tt)*) => {{
        use core::fmt::Write as _;
        // Writing to the console cannot fail.
        let _ = writeln!($crate::machine::console::Console, $($argument)*);
    }};
}
pub(crate) use log;
