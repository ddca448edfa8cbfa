//! The console: bytes to the EE's serial port.

use super::hardware::{SIO_TRANSMIT, write_byte};
use core::fmt;

/// Writer to the console.
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            write_byte(SIO_TRANSMIT, byte);
        }
        Ok(())
    }
}

/// Prints one line, `ROM: ` in front of it.
macro_rules! report {
    ($($argument:tt)*) => {{
        use core::fmt::Write as _;
        let mut console = $crate::kernel::console::Console;
        let _ = console.write_str("ROM: ");
        let _ = console.write_fmt(format_args!($($argument)*));
        let _ = console.write_str("\n");
    }};
}
pub(crate) use report;
